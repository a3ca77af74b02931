// SPDX-License-Identifier: MIT
// A selection of reactions (docs/mechanisms.md, section 7).
//
// Kane's method finds a reaction by an auxiliary speed along it: with the partial velocities V_r,i of the links, the
// reaction is the missing generalised force of this motion,
//
//   R_r = sum_i V_r,i . (wrench that the motion of i needs - wrench that acts on i)
//
// A *joint* that is released along an axis moves all links beyond it as one body: only those are summed. Constraints of
// these links contribute  -Phi_r . lambda,  with Phi_r the rates of their rows by the auxiliary speed and lambda their
// multipliers. Of a *row* the auxiliary speed is its own rate, with the dependent speeds P_d^-1 e
// (kane_cluster_release). For many rows one transposed solution serves all.

#include "agem/bodies.h"
#include "agem/wheels.h"
#include "base/text.h"

#include <string.h>

// A constraint with wrenches on links that are summed.
typedef struct loading_constraint {
    int cluster, closure; // closure: among those of the cluster
} loading_constraint;

struct kane_reactions {
    kane_arena *arena;
    int count;
    kane_reaction *chosen;
    int cluster_count, *clusters; // whose multipliers are needed
    int *row_count, **rows;       // of each of these: rows that are needed; more than a few: all
    int link_count, *links;       // that are summed, children before their parents
    int *is_summed, *is_loaded;   // 1: is among them; something acts on its body [tree's link_count]
    int loading_count;
    loading_constraint *loading_constraint;
    kane_wrench *joint; // of every link that is summed, as kane_tree_transmit has it [tree's link_count]
};

// Whether a reaction exists in this model.
static int is_right(const kane_model *model, const kane_reaction *r)
{
    switch (r->kind) {
    case KANE_REACTION_CONSTRAINT:
        return r->of >= 0 && r->of < model->closure_count && r->part >= 0 && r->part < model->closures[r->of].row_count;
    case KANE_REACTION_ROD:
        return r->of >= 0 && r->of < model->closure_count && r->part >= 0 && r->part < 2 &&
               model->closures[r->of].kind == KANE_CONSTRAINT_ROD;
    case KANE_REACTION_JOINT:
    case KANE_REACTION_FREEDOM: return r->of >= 0 && r->of < model->body_count && r->part >= 0 && r->part < 6;
    }
    return 0;
}

// --- links and rows of a selection ---

static int is_of_constraint(const kane_reaction *r)
{
    return r->kind == KANE_REACTION_CONSTRAINT || r->kind == KANE_REACTION_ROD;
}

static int link_of(const kane_model *model, const kane_reaction *r)
{
    return is_of_constraint(r) ? -1 : model->bodies[r->of].link;
}

// The links of the selected joints and all beyond, except bodies with all six freedoms, whose joints transmit nothing.
static void sum_links(const kane_model *model, kane_reactions *r)
{
    const kane_tree *tree = &model->tree;
    for (int k = 0; k < r->count; k++) {
        const int link = link_of(model, &r->chosen[k]);
        if (link >= 0 && !kane_link_is_free(&tree->links[link]))
            r->is_summed[link] = 1;
    }
    for (int i = 0; i < tree->link_count; i++) {
        const int parent = tree->links[i].parent;
        if (parent >= 0 && r->is_summed[parent] && !kane_link_is_free(&tree->links[i]))
            r->is_summed[i] = 1;
    }
    for (int i = tree->link_count - 1; i >= 0; i--)
        if (r->is_summed[i])
            r->links[r->link_count++] = i;
    for (int k = 0; k < model->loaded_count; k++)
        r->is_loaded[model->loaded[k]] = 1;
}

// Whether a constraint has a wrench on a link that is summed.
static int count_summed_directions(const kane_reactions *r, const kane_constraint_row_set *closure,
                                   const kane_tree *tree)
{
    for (int k = 0; k < closure->side_count; k++)
        if (closure->side[k].link >= 0 && r->is_summed[closure->side[k].link])
            return 1;
    for (int k = 0; k < closure->term_count; k++) { // coordinates of free bodies have directions on their parents, too
        int link = closure->term[k].link;
        for (int left = tree->links[link].on_axle ? 3 : 2; left > 0 && link >= 0;
             left--, link = tree->links[link].parent)
            if (r->is_summed[link])
                return 1;
    }
    return 0;
}

// Whether a row is selected.
static int is_chosen(const kane_model *model, const kane_reactions *r, const kane_constraint_row_set *closure, int row)
{
    for (int k = 0; k < r->count; k++)
        if (is_of_constraint(&r->chosen[k]) && &model->closures[r->chosen[k].of] == closure &&
            (r->chosen[k].kind == KANE_REACTION_ROD || r->chosen[k].part == row))
            return 1;
    return 0;
}

// Rows of one cluster: those selected, and all of constraints with wrenches on summed links.
static void find_rows(const kane_model *model, kane_reactions *r, int c)
{
    const kane_cluster *cluster = &model->clusters[c];
    const int at                = r->cluster_count;
    r->rows[at]                 = kane_arena_alloc(r->arena, (size_t)cluster->row_count, sizeof **r->rows);
    r->row_count[at]            = 0;
    for (int k = 0; k < cluster->closure_count && r->rows[at]; k++) {
        const kane_constraint_row_set *closure = cluster->closures[k];
        const int direction_count              = count_summed_directions(r, closure, &model->tree);
        if (direction_count)
            r->loading_constraint[r->loading_count++] = (loading_constraint){c, k};
        for (int i = 0; i < closure->row_count; i++)
            if (direction_count || is_chosen(model, r, closure, i))
                r->rows[at][r->row_count[at]++] = cluster->row_begin[k] + i;
    }
    if (r->row_count[at] > 0)
        r->clusters[r->cluster_count++] = c;
}

static int allocate_reactions(const kane_model *model, kane_reactions *r, int count)
{
    const size_t links    = (size_t)model->tree.link_count;
    r->chosen             = kane_arena_alloc(r->arena, (size_t)count, sizeof *r->chosen);
    r->clusters           = kane_arena_alloc(r->arena, (size_t)model->cluster_count, sizeof *r->clusters);
    r->row_count          = kane_arena_alloc(r->arena, (size_t)model->cluster_count, sizeof *r->row_count);
    r->rows               = kane_arena_alloc(r->arena, (size_t)model->cluster_count, sizeof *r->rows);
    r->links              = kane_arena_alloc(r->arena, links, sizeof *r->links);
    r->is_summed          = kane_arena_alloc(r->arena, links, sizeof *r->is_summed);
    r->is_loaded          = kane_arena_alloc(r->arena, links, sizeof *r->is_loaded);
    r->loading_constraint = kane_arena_alloc(r->arena, (size_t)model->closure_count, sizeof *r->loading_constraint);
    r->joint              = kane_arena_alloc(r->arena, links, sizeof *r->joint);
    return !kane_arena_failed(r->arena);
}

kane_reactions *kane_reactions_create(const kane_model *model, int count, const kane_reaction *chosen,
                                      kane_errors *errors)
{
    for (int k = 0; k < count; k++)
        if (!is_right(model, &chosen[k])) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "reaction %d of %d is none of this model's", k + 1, count);
            return NULL;
        }
    kane_arena *arena;
    kane_reactions *r = kane_arena_object(&arena, sizeof *r, errors);
    if (!r)
        return NULL;
    r->arena = arena;
    if (allocate_reactions(model, r, count)) {
        r->count = count;
        for (int k = 0; k < count; k++)
            r->chosen[k] = chosen[k];
        sum_links(model, r);
        for (int c = 0; c < model->cluster_count; c++)
            find_rows(model, r, c);
    }
    if (!kane_arena_failed(arena))
        return r;
    (void)kane_no_memory(errors);
    kane_arena_free(arena);
    return NULL;
}

void kane_reactions_free(kane_reactions *r)
{
    if (r)
        kane_arena_free(r->arena);
}

// --- values ---

// Subtracts the wrenches of rods and constraints from those that the summed links need.
static void add_constraint_wrenches(const kane_model *model, const kane_reactions *r, const kane_work *work)
{
    for (int n = 0; n < r->loading_count; n++) {
        const int c = r->loading_constraint[n].cluster, k = r->loading_constraint[n].closure;
        const kane_constraint_rows_values *values = kane_cluster_values(work->cluster[c], k);
        const kane_constraint_row_set *closure    = model->clusters[c].closures[k];
        const double *lambda                      = work->multiplier[closure - model->closures];
        kane_wrench load[2];
        if (closure->rod.mass > 0.0)
            kane_rod_get_load(model, work, closure, load);
        for (int i = 0; i < 2 && closure->rod.mass > 0.0; i++)
            if (closure->side[i].link >= 0 && r->is_summed[closure->side[i].link])
                r->joint[closure->side[i].link] = kw_add_scaled(r->joint[closure->side[i].link], -1.0, load[i]);
        for (int p = 0; p < values->direction_count; p++) {
            kane_wrench *w = &r->joint[values->direction[p].link];
            if (r->is_summed[values->direction[p].link])
                *w = kw_add_scaled(*w, -lambda[values->direction[p].row], values->direction[p].wrench);
        }
    }
}

// Joint wrenches of the summed links, about their origins, frame axes: needed - acting - constraints, leaves first.
static void sum_wrenches(const kane_model *model, const kane_reactions *r, const kane_work *work)
{
    for (int n = 0; n < r->link_count; n++) {
        const int i = r->links[n];
        r->joint[i] = kane_tree_needed(&model->tree, i, &work->tree);
        if (r->is_loaded[i])
            r->joint[i] = kw_add_scaled(r->joint[i], -1.0, kane_body_acting(model, work, i));
    }
    add_constraint_wrenches(model, r, work);
    for (int n = 0; n < r->link_count; n++) {
        const int i = r->links[n], parent = model->tree.links[i].parent;
        if (parent >= 0 && r->is_summed[parent])
            r->joint[parent] = kw_add(r->joint[parent], kane_tree_at_parent(i, &work->tree, r->joint[i]));
    }
}

static double wrench_component(kane_wrench w, int part)
{
    return kv3_get(part < 3 ? w.force : w.torque, part % 3);
}

// One selected reaction; its multipliers and joint wrenches are known.
static double value_of(const kane_model *model, const kane_reactions *r, kane_work *work, const kane_reaction *chosen)
{
    const int link = link_of(model, chosen), of = chosen->of, part = chosen->part;
    switch (chosen->kind) {
    case KANE_REACTION_CONSTRAINT: return work->multiplier[of][part];
    case KANE_REACTION_ROD: {
        double force[2];
        kane_get_rod_force(model, work, of, force);
        return force[part];
    }
    case KANE_REACTION_JOINT:
        if (kane_link_is_free(&model->tree.links[link]))
            return 0.0; // a free body
        return wrench_component(kane_wrench_in_joint(model, work, link, r->joint[link]), part);
    case KANE_REACTION_FREEDOM:
        kane_body_kinematics_reaction(model, work, link, r->joint[link]);
        return kane_get_reaction(model, work, of, (kane_coordinate)part);
    }
    return 0.0;
}

// Multipliers of the needed rows, joint wrenches of the summed links, then each reaction; NaN if undetermined.
void kane_reactions_eval(const kane_reactions *r, const kane_model *model, kane_work *work, double *values)
{
    for (int k = 0; k < r->cluster_count; k++)
        kane_find_multipliers(model, work, r->clusters[k], r->row_count[k], r->rows[k]);
    sum_wrenches(model, r, work);
    for (int k = 0; k < r->count; k++)
        values[k] =
            kane_reaction_is_determined(model, r->chosen[k]) ? value_of(model, r, work, &r->chosen[k]) : (double)NAN;
}

// --- what redundant rows share ---

// Constraints of the cluster that the reaction belongs to.
static const kane_cluster *cluster_of(const kane_model *model, kane_reaction r)
{
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        for (int k = 0; k < cluster->closure_count; k++)
            if (is_of_constraint(&r) && cluster->closures[k] == &model->closures[r.of])
                return cluster;
        for (int i = 0; i < cluster->link_count; i++)
            if (!is_of_constraint(&r) && cluster->links[i] == model->bodies[r.of].link)
                return cluster;
    }
    return NULL;
}

void kane_reaction_name_redundant(const kane_model *model, kane_reaction reaction, size_t size, char *names)
{
    const kane_cluster *cluster = cluster_of(model, reaction);
    kane_text text              = kane_text_start(size, names);
    int count = 0, said = 0;
    for (int k = 0; cluster && k < cluster->closure_count; k++)
        count += model->undetermined[cluster->closures[k] - model->closures] != 0;
    for (int k = 0; cluster && k < cluster->closure_count; k++)
        if (model->undetermined[cluster->closures[k] - model->closures]) {
            kane_text_add(&text, "%s'%s'",
                          said == 0          ? ""
                          : said + 1 < count ? ", "
                                             : " and ",
                          cluster->closures[k]->name);
            said++;
        }
}
