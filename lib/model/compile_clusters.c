// SPDX-License-Identifier: MIT
// Clusters: trees that constraints join. Their start is moved onto the constraints (docs/mechanisms.md, section 8);
// contradictions and redundant constraints are found here. Trees without constraints become runs of links.

#include "math/small.h"
#include "model/compile.h"

#include <string.h>

// Everything that the start is computed with.
typedef struct rig {
    kane_arena *arena; // released at the end
    kane_tree_work work;
    kane_transport *frames;
    kane_moving_frame *rest;
    kane_eval_context context;
    int *held_q, *held_v; // 1: does not change
    int *group;           // of every link: a link of the same cluster or tree
} rig;

static int set_up(kane_compiler *c, rig *r)
{
    const kane_model *model = c->model;
    const kane_tree *tree   = &model->tree;
    const size_t frames = (size_t)model->frame_count, links = (size_t)tree->link_count;
    *r      = (rig){.arena = kane_arena_create()};
    r->rest = r->arena ? kane_arena_alloc(r->arena, frames, sizeof *r->rest) : NULL;
    if (!r->rest)
        return 0;
    r->frames = kane_arena_alloc(r->arena, frames, sizeof *r->frames);
    r->held_q = kane_arena_alloc(r->arena, (size_t)tree->q_count, sizeof *r->held_q);
    r->held_v = kane_arena_alloc(r->arena, (size_t)tree->v_count, sizeof *r->held_v);
    r->group  = kane_arena_alloc(r->arena, links, sizeof *r->group);
    if (!kane_tree_work_create(tree, r->arena, &r->work) || kane_arena_failed(r->arena) ||
        !kane_compile_frames_at_start(model, r->arena, r->frames))
        return 0;
    r->context = (kane_eval_context){tree, &r->work, r->frames, r->rest};
    memcpy(r->work.q, model->start_q, (size_t)tree->q_count * sizeof *r->work.q);
    memcpy(r->work.v, model->start_v, (size_t)tree->v_count * sizeof *r->work.v);
    return 1;
}

// The speed of a spin, where other turns are small.
static int spin_speed(const kane_link *link)
{
    return link->kind == KANE_LINK_BODY ? link->v + 3 + link->step[5].axis : link->step[kane_link_spin(link)].v;
}

// Held coordinates and speeds: those of the definition, prescribed and removed ones.
static void mark_held_states(const kane_compiler *c, rig *r)
{
    const kane_model *model = c->model;
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link              = &model->tree.links[i];
        const kane_start_definition *start = model->bodies[model->link_body[i]].start;
        const unsigned held_q = start ? start->held_q : 0, held_v = start ? start->held_rate : 0;
        for (int k = 0; k < link->q_count; k++)
            r->held_q[link->q + k] = (held_q & 1u << k) != 0;
        for (int k = 0; k < link->v_count && !kane_link_has_steps(link); k++) {
            // the rate of a turn is the angular velocity about its axis, where other turns are small
            const int turns                                           = link->kind == KANE_LINK_BODY && k >= 3;
            r->held_v[link->v + (turns ? 3 + link->step[k].axis : k)] = (held_v & 1u << k) != 0;
        }
        for (int k = 0; k < link->step_count && kane_link_has_steps(link); k++)
            if (link->step[k].mode == KANE_STEP_FREE)
                r->held_v[link->step[k].v] = (held_v & 1u << k) != 0;
            else
                r->held_q[link->q + k] = 1;
        if (link->on_axle && (held_v & 1u << link->slide_count)) // its rate is kept if the axle spins as it does, too
            r->held_v[spin_speed(&model->tree.links[link->parent])] = 1;
    }
}

// --- groups of trees ---

// Links of a constraint; returns how many.
static int links_of(const kane_constraint_row_set *closure, int link[KANE_LINKS_MOST])
{
    int count = 0;
    for (int k = 0; k < closure->term_count; k++)
        link[count++] = closure->term[k].link;
    for (int k = 0; k < closure->side_count; k++)
        if (closure->side[k].link >= 0)
            link[count++] = closure->side[k].link;
    return count;
}

// Whether a constraint joins the tree of a link to others.
static int is_joined(const kane_model *model, int *group, int link)
{
    int joined = 0;
    for (int k = 0; k < model->closure_count && !joined; k++) {
        int links[KANE_LINKS_MOST];
        joined = links_of(&model->closures[k], links) > 0 &&
                 kane_set_leader(group, links[0]) == kane_set_leader(group, link);
    }
    return joined;
}

// In the end every link has its leader: the first link of its tree, or of all trees that constraints join; and of the
// panels of flexible track that rails as constraints join to such trees.
static void group_links(const kane_model *model, int *group)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        const int parent = model->tree.links[i].parent;
        group[i]         = parent >= 0 ? kane_set_leader(group, parent) : i;
    }
    for (int k = 0; k < model->closure_count; k++) {
        int link[KANE_LINKS_MOST];
        const int count = links_of(&model->closures[k], link);
        for (int i = 1; i < count; i++)
            kane_set_join(group, link[0], link[i]);
    }
    for (int i = 0; i < model->tree.link_count; i++)
        if (model->tree.links[i].role == KANE_FLEX_MODE)
            kane_set_join(group, i, model->tree.flexes[model->tree.links[i].flex].carrier);
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        const int link            = kane_wheels_link(model, i);
        if (wheels->panel >= 0 && kane_wheels_are_guided(wheels) && is_joined(model, group, link))
            kane_set_join(group, link, model->bodies[wheels->panel].link);
    }
    for (int i = 0; i < model->tree.link_count; i++)
        group[i] = kane_set_leader(group, i);
}

// The leader of a constraint's links; -1: it has none.
static int leader_of(const kane_constraint_row_set *closure, const int *group)
{
    int link[KANE_LINKS_MOST];
    return links_of(closure, link) > 0 ? group[link[0]] : -1;
}

// Clusters with room for what belongs to them, by their leaders: cluster_of [link_count], -1: no constraint joins these
// links.
static int begin_clusters(kane_compiler *c, const int *group, int *cluster_of)
{
    kane_model *model = c->model;
    for (int i = 0; i < model->tree.link_count; i++)
        cluster_of[i] = -1;
    for (int k = 0; k < model->closure_count; k++) {
        const int first = leader_of(&model->closures[k], group);
        if (first >= 0)
            cluster_of[first] = 0;
    }
    for (int i = 0; i < model->tree.link_count; i++)
        if (cluster_of[i] == 0) {
            model->clusters[model->cluster_count] = (kane_cluster){.form = c->options->form};
            cluster_of[i]                         = model->cluster_count++;
        }
    for (int i = 0; i < model->tree.link_count; i++)
        if (cluster_of[group[i]] >= 0)
            model->clusters[cluster_of[group[i]]].link_count++;
    for (int k = 0; k < model->closure_count; k++) {
        const int first = leader_of(&model->closures[k], group);
        if (first >= 0)
            model->clusters[cluster_of[first]].closure_count++;
    }
    for (int i = 0; i < model->cluster_count; i++) {
        kane_cluster *cluster = &model->clusters[i];
        cluster->links        = kane_arena_alloc(model->arena, (size_t)cluster->link_count, sizeof *cluster->links);
        cluster->closures   = kane_arena_alloc(model->arena, (size_t)cluster->closure_count, sizeof *cluster->closures);
        cluster->link_count = cluster->closure_count = 0;
    }
    return !kane_arena_failed(model->arena);
}

// Clusters, and runs of the trees that are in none. Trees are in one piece, modes before the tree of their body: a run
// ends where the next one begins. 0 if memory is short.
static int divide_into_clusters(kane_compiler *c, rig *r)
{
    kane_model *model  = c->model;
    const size_t links = (size_t)model->tree.link_count;
    int *cluster_of    = kane_arena_alloc(r->arena, links, sizeof *cluster_of);
    model->clusters    = kane_arena_alloc(model->arena, links, sizeof *model->clusters);
    model->cluster_u   = kane_arena_alloc(model->arena, links, sizeof *model->cluster_u);
    model->trees       = kane_arena_alloc(model->arena, links, sizeof *model->trees);
    if (!cluster_of || !model->clusters || !model->cluster_u || !model->trees ||
        !begin_clusters(c, r->group, cluster_of))
        return 0;
    for (int i = 0; i < model->tree.link_count; i++) {
        const int of = cluster_of[r->group[i]];
        if (of >= 0) {
            model->clusters[of].links[model->clusters[of].link_count++] = i;
            continue;
        }
        if (r->group[i] == i)
            model->trees[model->tree_count++] = (kane_links){i, i};
        model->trees[model->tree_count - 1].end = i + 1;
    }
    for (int k = 0; k < model->closure_count; k++) {
        const int first = leader_of(&model->closures[k], r->group);
        if (first >= 0) {
            kane_cluster *cluster                       = &model->clusters[cluster_of[first]];
            cluster->closures[cluster->closure_count++] = &model->closures[k];
        }
    }
    for (int i = 0; i < model->cluster_count; i++)
        if (!kane_cluster_prepare(&model->tree, &model->clusters[i], model->arena))
            return 0;
    return 1;
}

// --- the start, and its errors ---

// Where a constraint was typed, by its name.
static kane_place place_of(const kane_compiler *c, const char *name)
{
    for (int i = 0; i < c->vehicle->constraint_count; i++)
        if (strcmp(c->vehicle->constraints[i].block.name, name) == 0)
            return kane_block_place(&c->vehicle->constraints[i].block, NULL, -1);
    return kane_block_place(&c->vehicle->block, NULL, -1);
}

static int is_in_conflict(const kane_assembly *assembly, const char *name)
{
    for (int i = 0; i < assembly->conflict_count; i++)
        if (assembly->conflict[i] == name)
            return 1;
    return 0;
}

// 'a', 'b' and 'c', in the order of the definition, whatever is open by more; all where none is named. Returns the
// first.
static const char *list_conflict(const kane_cluster *cluster, const kane_assembly *assembly, size_t size, char *names)
{
    const int count   = assembly->conflict_count > 0 ? assembly->conflict_count : cluster->closure_count;
    const char *first = NULL;
    kane_text text    = kane_text_start(size, names);
    for (int k = 0, said = 0; k < cluster->closure_count; k++) {
        const char *name = cluster->closures[k]->name;
        if (assembly->conflict_count > 0 && !is_in_conflict(assembly, name))
            continue;
        kane_text_add(&text, "%s'%s'", said == 0 ? "" : said + 1 < count ? ", " : " and ", name);
        first = said++ == 0 ? name : first;
    }
    kane_text_add(&text, "%s", count > 1 ? " together" : "");
    return first;
}

static void report_conflict(kane_compiler *c, const kane_cluster *cluster, const kane_assembly *assembly)
{
    char names[320];
    const char *first = list_conflict(cluster, assembly, sizeof names, names);
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(c, first),
                          "no position and no speeds near the start satisfy %s: %.3g is left open; check lengths and "
                          "points, what is held or prescribed at the start, and start nearer to where it closes",
                          names, assembly->left);
}

// Names of constraints with redundant rows.
static void note_redundant(kane_model *model, const kane_cluster *cluster)
{
    int row = 0;
    for (int k = 0; k < cluster->closure_count; k++) {
        int said = 0;
        for (int i = 0; i < cluster->closures[k]->row_count; i++)
            said += !cluster->kept[row++];
        if (said > 0)
            model->redundant[model->redundant_count++] = cluster->closures[k]->name;
    }
}

// Reactions that redundant rows leave undetermined, by constraint and by link.
static void note_undetermined(kane_model *model, const kane_cluster *cluster)
{
    for (int k = 0; k < cluster->closure_count; k++)
        for (int i = 0; i < cluster->closures[k]->row_count; i++)
            if (cluster->undetermined[cluster->row_begin[k] + i])
                model->undetermined[cluster->closures[k] - model->closures] |= 1u << i;
    for (int i = 0; i < cluster->link_count; i++)
        model->joint_undetermined[cluster->links[i]] = cluster->link_undetermined[i];
}

static void report_singular(kane_compiler *c, int link, const double *q)
{
    const kane_body_definition *d = &c->vehicle->bodies[c->model->link_body[link]];
    if (kane_link_is_locked(&c->model->tree.links[link], q)) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "start", -1),
                              "the middle one of the three turns of '%s' is a right angle at the start, where the "
                              "other two are one and the same; use a spherical joint, or another order of turns",
                              d->block.name);
        return;
    }
    kane_errors_add_input(
        c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "mass", -1),
        "singular mass: the joint of '%s' can move, but neither '%s' nor any body attached to it has mass or "
        "inertia in that freedom",
        d->block.name, d->block.name);
}

static void move_all(const kane_compiler *c, rig *r, const kane_cluster *cluster)
{
    for (int i = 0; i < cluster->link_count; i++)
        kane_tree_move(&c->model->tree, (kane_links){cluster->links[i], cluster->links[i] + 1}, r->rest, &r->work);
}

// Whether M u_dot = F can be solved at the start: every freedom of the cluster has inertia.
static void check_cluster_masses(kane_compiler *c, rig *r, const kane_cluster *cluster, kane_cluster_work *scratch)
{
    double *u_dot = kane_arena_doubles(r->arena, (size_t)cluster->v_count);
    if (!u_dot)
        return;
    move_all(c, r, cluster);
    if (cluster->form == KANE_FORM_COEFFICIENTS) {
        double *u = kane_arena_doubles(r->arena, (size_t)cluster->u_count);
        (void)kane_cluster_partition(scratch);
        if (!u)
            return;
        kane_cluster_get_speeds(scratch, u);
        (void)kane_cluster_solve_position(scratch, u);
    }
    if (kane_cluster_solve(scratch, u_dot))
        return;
    if (kane_cluster_lacks_memory(scratch))
        (void)kane_no_memory(c->errors);
    else
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, place_of(c, cluster->closures[0]->name),
            "singular mass: what joints and constraints leave free of the bodies that '%s' couples has "
            "no mass or inertia in some direction",
            cluster->closures[0]->name);
}

// --- user-defined rows ---

// A row's number that is not finite, -1: none.
static int find_undefined(const kane_constraint_row_set *closure, const kane_constraint_rows_values *values)
{
    for (int i = 0; i < closure->row_count; i++)
        if (!isfinite(values->rate[i]) || (i < closure->position_count && !isfinite(values->value[i])))
            return i;
    return -1;
}

// Largest difference of the directions of rows of speeds at two motions, relative to their size.
static double relative_row_change(const kane_constraint_row_set *closure, const kane_constraint_rows_values *a,
                                  const kane_constraint_rows_values *b)
{
    double most = 0.0, size = 0.0;
    for (int i = 0; i < a->direction_count; i++)
        if (a->direction[i].row >= closure->position_count) {
            const kane_wrench p = a->direction[i].wrench, q = b->direction[i].wrench;
            most = fmax(most, kv3_norm(kv3_sub(p.force, q.force)) + kv3_norm(kv3_sub(p.torque, q.torque)));
            size = fmax(size, kv3_norm(p.force) + kv3_norm(p.torque) + kv3_norm(q.force) + kv3_norm(q.torque));
        }
    for (int i = 0; i < a->entry_count; i++)
        if (a->entry[i].row >= closure->position_count) {
            most = fmax(most, fabs(a->entry[i].value - b->entry[i].value));
            size = fmax(size, fabs(a->entry[i].value) + fabs(b->entry[i].value));
        }
    return size > 0.0 ? most / size : 0.0;
}

// Rows must be finite at the start, and rows of speeds linear: equal directions at any speeds.
static int check_own(kane_compiler *c, rig *r, const kane_cluster *cluster)
{
    const int count = c->model->tree.v_count, before = c->errors->count;
    double *kept                       = kane_arena_doubles(r->arena, (size_t)count);
    kane_constraint_rows_values *one   = kane_arena_alloc(r->arena, 1, sizeof *one);
    kane_constraint_rows_values *other = kane_arena_alloc(r->arena, 1, sizeof *other);
    for (int k = 0; k < cluster->closure_count && kept && one && other; k++) {
        const kane_constraint_row_set *closure = cluster->closures[k];
        if (!closure->own)
            continue;
        memcpy(kept, r->work.v, (size_t)count * sizeof *kept);
        move_all(c, r, cluster);
        kane_constraint_row_set_eval(&r->context, closure, 0, one);
        for (int i = 0; i < count; i++)
            r->work.v[i] += 0.7 + 0.1 * (double)((5 * i) % 7);
        move_all(c, r, cluster);
        kane_constraint_row_set_eval(&r->context, closure, 0, other);
        memcpy(r->work.v, kept, (size_t)count * sizeof *kept);
        const int undefined = find_undefined(closure, one);
        if (undefined >= 0)
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(c, closure->name),
                                  "row %d of '%s' is not finite at the start", undefined + 1, closure->name);
        else if (relative_row_change(closure, one, other) > 1e-9)
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(c, closure->name),
                                  "the rows of speeds of '%s' are not linear in velocities and rates", closure->name);
    }
    return c->errors->count == before;
}

// --- user-defined closed forms ---

// A coordinate of its terms that the loops of a cluster do not move, -1: none.
static int find_outsider(const kane_cluster *cluster, const kane_closed_formula *formula)
{
    for (int k = 0; k < formula->term_count; k++) {
        int is_in = 0;
        for (int i = 0; i < cluster->link_count; i++)
            is_in |= cluster->links[i] == formula->term[k].link;
        if (!is_in)
            return k;
    }
    return -1;
}

// At the start a formula must give the coordinates at which its loop closes.
static void check_formula_start(kane_compiler *c, const rig *r, const kane_closed *closed)
{
    const kane_closed_formula *formula = closed->closure->formula;
    double q[KANE_CLOSED_STEPS];
    kane_closed_formula_eval(closed, &r->work, q);
    for (int k = 0; k < formula->kind->dependents; k++) {
        const double found = r->work.q[closed->step[k].q];
        if (!(fabs(q[k] - found) <= 1e-8 * (1.0 + fabs(found))))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(c, closed->closure->name),
                                  "the closed form of '%s' gives %.9g for the coordinate of '%s', but its loop closes "
                                  "at %.9g",
                                  closed->closure->name, q[k], r->context.tree->links[closed->step[k].link].name,
                                  found);
    }
}

// On either side of it what a formula gives must close the loop, too; it may have no solution there. way: 1, -1;
// values: scratch.
static void check_formula_beside(kane_compiler *c, rig *r, const kane_cluster *cluster, const kane_closed *closed,
                                 int way, kane_constraint_rows_values *values)
{
    const kane_constraint_row_set *closure = closed->closure;
    double q[KANE_CLOSED_STEPS], most = 0.0;
    for (int k = closure->formula->kind->dependents; k < closed->step_count; k++)
        r->work.q[closed->step[k].q] += closed->step[k].v >= 0 ? 0.01 * way * (1 + k) : 0.0;
    kane_closed_formula_eval(closed, &r->work, q);
    for (int k = 0; k < closure->formula->kind->dependents; k++)
        r->work.q[closed->step[k].q] = q[k];
    move_all(c, r, cluster);
    kane_constraint_row_set_eval(&r->context, closure, 0, values);
    for (int i = 0; i < closure->position_count; i++)
        most = isfinite(values->value[i]) ? fmax(most, fabs(values->value[i])) : most;
    if (most > 1e-8)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(c, closure->name),
                              "beside the start the closed form of '%s' leaves %.3g of its loop open", closure->name,
                              most);
}

__attribute__((noinline)) static void check_formulas(kane_compiler *c, rig *r, const kane_cluster *cluster)
{
    const size_t count                  = (size_t)c->model->tree.q_count;
    double *kept                        = kane_arena_doubles(r->arena, count);
    kane_constraint_rows_values *values = kane_arena_alloc(r->arena, 1, sizeof *values);
    kane_closed *closed                 = kane_arena_alloc(r->arena, 1, sizeof *closed);
    for (int i = 0; i < cluster->closure_count && kept && values && closed; i++) {
        const kane_constraint_row_set *closure = cluster->closures[i];
        if (!closure->formula || kane_closed_recognise(r->context.tree, closure, closed))
            continue;
        const int outsider = find_outsider(cluster, closure->formula), before = c->errors->count;
        if (outsider >= 0) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(c, closure->name),
                                  "the closed form of '%s' takes a coordinate of '%s', which its loops do not move",
                                  closure->name, r->context.tree->links[closure->formula->term[outsider].link].name);
            continue;
        }
        memcpy(kept, r->work.q, count * sizeof *kept);
        check_formula_start(c, r, closed);
        for (int way = 1; way >= -1 && c->errors->count == before; way -= 2) {
            check_formula_beside(c, r, cluster, closed, way, values);
            memcpy(r->work.q, kept, count * sizeof *kept);
        }
    }
}

// --- assembly ---

// Modes are held if the constraints allow it: deformable bodies start undeformed, or with their deformation at rest.
static void hold_modes(const kane_model *model, rig *r, int held)
{
    for (int t = 0; t < model->tree.flex_count; t++)
        for (int k = 0; k < model->tree.flexes[t].count; k++)
            r->held_q[model->tree.flexes[t].q + k] = r->held_v[model->tree.flexes[t].v + k] = held;
}

static void find_start(const kane_compiler *c, rig *r, kane_cluster *cluster, kane_cluster_work *scratch,
                       kane_assembly *result)
{
    const kane_model *model = c->model;
    hold_modes(model, r, 1);
    kane_cluster_assemble(cluster, scratch, r->held_q, r->held_v, result);
    if (result->solved || result->no_memory || model->tree.flex_count == 0)
        return;
    hold_modes(model, r, 0);
    memcpy(r->work.q, model->start_q, (size_t)model->tree.q_count * sizeof *r->work.q);
    memcpy(r->work.v, model->start_v, (size_t)model->tree.v_count * sizeof *r->work.v);
    kane_cluster_assemble(cluster, scratch, r->held_q, r->held_v, result);
}

static void assemble_cluster(kane_compiler *c, rig *r, kane_cluster *cluster)
{
    kane_model *model          = c->model;
    const int before           = c->errors->count;
    kane_assembly result       = {0};
    kane_cluster_work *scratch = kane_cluster_work_create(&r->context, cluster, r->arena);
    if (!scratch) {
        (void)kane_no_memory(c->errors);
        return;
    }
    if (!check_own(c, r, cluster)) {
        kane_cluster_work_free(scratch);
        return;
    }
    find_start(c, r, cluster, scratch, &result);
    if (result.no_memory) {
        (void)kane_no_memory(c->errors);
    } else if (result.solved) {
        note_redundant(model, cluster);
        note_undetermined(model, cluster);
        check_formulas(c, r, cluster);
        check_cluster_masses(c, r, cluster, scratch);
        kane_cluster_find_theta(scratch);
        if (c->errors->count == before && !kane_cluster_keep_pivots(cluster, scratch, model->arena))
            (void)kane_no_memory(c->errors);
    } else {
        report_conflict(c, cluster, &result);
    }
    kane_cluster_work_free(scratch);
}

// At the start, and away from it, where nothing is in line by chance.
static void check_masses(kane_compiler *c, rig *r, kane_links run)
{
    const kane_tree *tree = &c->model->tree;
    for (int away = 0; away < 2; away++) {
        for (int i = run.first; i < run.end && away; i++)
            for (int k = 0; k < tree->links[i].q_count && tree->links[i].role != KANE_FLEX_MODE;
                 k++) // deformation is small
                r->work.q[tree->links[i].q + k] += 0.3 + 0.1 * (double)((3 * i + 5 * k) % 7);
        kane_tree_move(tree, run, r->rest, &r->work);
        const int singular = kane_tree_solve(tree, run, &r->work);
        if (singular >= 0) {
            report_singular(c, singular, r->work.q);
            return;
        }
    }
}

// --- all ---

// Starts are given relative to the track frames, also of what is described in A.
static void store_start(kane_model *model, rig *r)
{
    const kane_tree *tree = &model->tree;
    kane_tree_place(tree, (kane_links){0, tree->link_count}, &r->work);
    memcpy(model->start_q, r->work.q, (size_t)tree->q_count * sizeof *r->work.q);
    memcpy(model->start_v, r->work.v, (size_t)tree->v_count * sizeof *r->work.v);
    for (int i = 0; i < tree->link_count; i++) {
        const kane_body *body = &model->bodies[model->link_body[i]];
        if (tree->links[i].kind == KANE_LINK_BODY && body->frame != body->track_frame)
            kane_compile_enter_frame(model, i, &r->frames[body->track_frame], &r->work,
                                     model->start_q + tree->links[i].q, model->start_v + tree->links[i].v);
    }
}

static int moves_by_itself(const kane_model *model)
{
    for (int i = 0; i < model->tree.link_count; i++)
        for (int k = 0; k < model->tree.links[i].step_count; k++)
            if (model->tree.links[i].step[k].mode == KANE_STEP_GIVEN)
                return 1;
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].kind != KANE_FRAME_REST)
            return 1;
    for (int k = 0; k < model->closure_count; k++)
        if (kane_constraint_row_set_is_rheonomic(&model->closures[k]))
            return 1;
    return 0;
}

static void check_dof(kane_compiler *c)
{
    const kane_model *model = c->model;
    int count               = 0;
    for (int j = 0; j < model->body_count; j++)
        count += model->bodies[j].is_free_body ? model->bodies[j].u_count : 0;
    for (int i = 0; i < model->tree_count; i++)
        for (int k = model->trees[i].first; k < model->trees[i].end; k++)
            count += model->bodies[model->link_body[k]].is_free_body ? 0 : model->tree.links[k].v_count;
    for (int i = 0; i < model->cluster_count; i++)
        count += model->clusters[i].v_count - model->clusters[i].rank;
    if (count == 0 && model->joined_count > 0 && !moves_by_itself(model))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->block, NULL, -1),
                              "nothing can move: joints and constraints leave no freedom");
}

void kane_compile_clusters(kane_compiler *c)
{
    kane_model *model = c->model;
    const int before  = c->errors->count;
    rig r;
    if (model->tree.link_count == 0)
        return;
    const size_t closures = (size_t)model->closure_count, links = (size_t)model->tree.link_count;
    model->redundant          = kane_arena_alloc(model->arena, closures, sizeof *model->redundant);
    model->undetermined       = kane_arena_alloc(model->arena, closures, sizeof *model->undetermined);
    model->joint_undetermined = kane_arena_alloc(model->arena, links, sizeof *model->joint_undetermined);
    int divided               = 0;
    if (set_up(c, &r) && !kane_arena_failed(model->arena)) {
        mark_held_states(c, &r);
        group_links(model, r.group);
        divided = divide_into_clusters(c, &r);
    }
    if (divided) {
        for (int i = 0; i < model->cluster_count && !kane_arena_failed(model->arena); i++)
            assemble_cluster(c, &r, &model->clusters[i]);
        store_start(model, &r);
        for (int i = 0; i < model->tree_count; i++)
            check_masses(c, &r, model->trees[i]);
        if (c->errors->count == before)
            check_dof(c);
    } else {
        (void)kane_no_memory(c->errors);
    }
    kane_arena_free(r.arena);
}
