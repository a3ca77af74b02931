// SPDX-License-Identifier: MIT
// A cluster: its constant patterns, and the memory of its evaluations.

#include "base/number.h"
#include "tree/loops_work.h"

#include <stdlib.h>
#include <string.h>

// --- constant patterns ---

// Speeds with coefficients in a row, each once.
typedef struct speeds {
    const kane_tree *tree;
    const kane_cluster *cluster;
    int *seen; // of local speeds: 1 + the constraint that saw it last [v_count]
    int now;
    int count, *found; // NULL: counted only
} speeds;

// Speeds from a link to the frame, or to a body with all six freedoms, or to a link that is left out.
static void gather_path(speeds *g, int link, int apex)
{
    for (int i = link; i != apex && i >= 0; i = g->tree->links[i].parent) {
        const kane_link *l = &g->tree->links[i];
        int first;
        const int count = kane_cluster_link_speeds(g->tree, g->cluster, i, &first);
        for (int speed = first; speed < first + count; speed++) {
            if (g->seen[speed] == g->now)
                continue;
            g->seen[speed] = g->now;
            if (g->found)
                g->found[g->count] = speed;
            g->count++;
        }
        if (l->kind == KANE_LINK_BODY)
            break;
    }
}

// Whether the speeds of a link move another one.
static int is_on_path(const kane_tree *tree, int link, int of)
{
    for (int i = of; i >= 0; i = tree->links[i].parent) {
        if (i == link)
            return 1;
        if (tree->links[i].kind == KANE_LINK_BODY)
            break;
    }
    return 0;
}

// Apex: the last link that carries all sides. Rows depend on the relative motion of sides only, so a common motion does
// not change them. -1: none, also for relations of coordinates, and for axle boxes, which a frame keeps level.
static int find_apex(const kane_tree *tree, const kane_constraint_row_set *c)
{
    if (c->side_count == 0 || c->term_count > 0 || kane_constraint_row_set_has_box(c))
        return -1;
    for (int i = c->side[0].link; i >= 0; i = tree->links[i].parent) {
        int carries = 1;
        for (int side = 1; side < c->side_count; side++)
            carries = carries && is_on_path(tree, i, c->side[side].link);
        if (carries)
            return i;
        if (tree->links[i].kind == KANE_LINK_BODY)
            break;
    }
    return -1;
}

// Speeds of the rows of a constraint: on the paths of its sides, and of links on which rates of its coordinates depend.
static void list_row_speeds(speeds *g, const kane_constraint_row_set *c, int apex)
{
    g->now++;
    g->count = 0;
    for (int side = 0; side < c->side_count; side++)
        if (c->side[side].link >= 0)
            gather_path(g, c->side[side].link, apex);
    for (int k = 0; k < c->term_count; k++) {
        int i = c->term[k].link; // its rate, and what carries the last link that this depends on
        for (int left = kane_tree_rate_path(g->tree, i, NULL); left > 0; left--, i = g->tree->links[i].parent)
            gather_path(g, i, -1);
    }
    if (g->found && g->count > 0)
        qsort(g->found, (size_t)g->count, sizeof *g->found, kane_compare_ints);
}

// coefficient_speed of all rows; rows of one constraint have the same speeds.
static void fill_coefficients(speeds *g, kane_cluster *c)
{
    for (int i = 0; i < c->closure_count; i++) {
        const int begin = c->row_begin[i];
        g->found        = c->coefficient_speed + c->coefficient_begin[begin];
        list_row_speeds(g, c->closures[i], c->apex[i]);
        for (int k = 1; k < c->closures[i]->row_count; k++)
            memcpy(c->coefficient_speed + c->coefficient_begin[begin + k], g->found,
                   (size_t)g->count * sizeof *g->found);
    }
}

// Links from a side of a constraint to its apex; out NULL: counted only.
static int list_path(const kane_tree *tree, const kane_cluster *c, int closure, int side, kane_path_link *out)
{
    const int *begin = c->coefficient_begin + c->row_begin[closure];
    int count        = 0;
    for (int i = c->closures[closure]->side[side].link; i != c->apex[closure] && i >= 0; i = tree->links[i].parent) {
        const kane_link *link = &tree->links[i];
        int slot              = begin[0];
        while (link->v_count > 0 && c->coefficient_speed[slot] != c->place[link->v])
            slot++;
        if (out)
            out[count] = (kane_path_link){i, slot - begin[0]};
        count++;
        if (link->kind == KANE_LINK_BODY)
            break;
    }
    return count;
}

// Whether a constraint's coefficients follow from the paths of its two sides, which have no link in common.
static int sees_sides_alone(const kane_cluster *c, const kane_constraint_row_set *closure)
{
    return c->jointed && closure->term_count == 0 && closure->kind != KANE_CONSTRAINT_USER &&
           !kane_constraint_row_set_has_box(closure);
}

// path_begin, path: counted in the first pass, filled in the second. 0: memory is short.
static int prepare_paths(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    c->path_begin = kane_arena_alloc(arena, 2 * (size_t)c->closure_count + 1, sizeof *c->path_begin);
    if (!c->path_begin)
        return 0;
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        for (int i = 0; i < 2 * c->closure_count; i++) {
            const int closure = i / 2, side = i % 2;
            c->path_begin[i] = count;
            if (side < c->closures[closure]->side_count && sees_sides_alone(c, c->closures[closure]))
                count += list_path(tree, c, closure, side, c->path ? c->path + count : NULL);
        }
        c->path_begin[2 * c->closure_count] = count;
        if (pass == 0 && !(c->path = kane_arena_alloc(arena, (size_t)count, sizeof *c->path)))
            return 0;
    }
    return 1;
}

static int prepare_coefficients(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    speeds g             = {.tree = tree, .cluster = c};
    g.seen               = kane_arena_alloc(arena, (size_t)c->v_count, sizeof *g.seen);
    c->apex              = kane_arena_alloc(arena, (size_t)c->closure_count, sizeof *c->apex);
    c->coefficient_begin = kane_arena_alloc(arena, (size_t)c->row_count + 1, sizeof *c->coefficient_begin);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0, row = 0; i < c->closure_count; i++) {
        c->apex[i] = find_apex(tree, c->closures[i]);
        list_row_speeds(&g, c->closures[i], c->apex[i]);
        for (int k = 0; k < c->closures[i]->row_count; k++, row++)
            c->coefficient_begin[row + 1] = c->coefficient_begin[row] + g.count;
    }
    c->coefficient_speed =
        kane_arena_alloc(arena, (size_t)c->coefficient_begin[c->row_count], sizeof *c->coefficient_speed);
    if (kane_arena_failed(arena))
        return 0;
    fill_coefficients(&g, c);
    return prepare_paths(tree, c, arena);
}

// theta_row: entries of Theta that count, by each of their two speeds.
static int list_theta_rows(kane_cluster *c, kane_arena *arena)
{
    c->theta_row_begin = kane_arena_alloc(arena, (size_t)c->v_count + 2, sizeof *c->theta_row_begin);
    c->theta_row       = kane_arena_alloc(arena, 2 * (size_t)c->theta_count, sizeof *c->theta_row);
    if (kane_arena_failed(arena))
        return 0;
    int *begin = c->theta_row_begin + 1; // moves on to the end of each while the rows are filled
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < c->theta_count; e++) {
            const kane_theta_place at = c->theta_place[e];
            for (int side = 0; side < 2 && c->theta_counts[e]; side++) {
                const int speed = side ? at.column : at.row;
                if (side && at.row == at.column)
                    continue;
                if (pass == 0)
                    begin[speed + 1]++;
                else
                    c->theta_row[begin[speed]++] = e;
            }
        }
        for (int k = 0; k < c->v_count && pass == 0; k++)
            begin[k + 1] += begin[k];
    }
    return 1;
}

// Places of Theta: those of the tree, those of rods, and the diagonal.
static int prepare_theta(const kane_tree *tree, kane_cluster *c, kane_arena *arena)
{
    c->theta_count    = kane_tree_theta_places(tree, c->link_count, c->links, c->place, NULL);
    c->theta_place    = kane_arena_alloc(arena, (size_t)c->theta_count, sizeof *c->theta_place);
    c->theta_diagonal = kane_arena_alloc(arena, (size_t)c->v_count, sizeof *c->theta_diagonal);
    if (kane_arena_failed(arena))
        return 0;
    (void)kane_tree_theta_places(tree, c->link_count, c->links, c->place, c->theta_place);
    c->theta_of_tree = c->theta_count;
    if (!kane_cluster_prepare_rods(tree, c, arena) || !list_theta_rows(c, arena))
        return 0;
    for (int k = 0; k < c->theta_count; k++)
        if (c->theta_place[k].row == c->theta_place[k].column && c->theta_counts[k])
            c->theta_diagonal[c->theta_place[k].row] = k;
    return 1;
}

// --- a cluster ---

// Which functions of time enter the rows.
static kane_cluster_drive find_drive(const kane_tree *tree, const kane_cluster *c)
{
    int any = 0, given = 0;
    for (int i = 0; i < c->closure_count; i++) {
        const kane_constraint_row_set *closure = c->closures[i];
        any |= closure->term_count > 0 || kane_constraint_row_set_is_rheonomic(closure);
        for (int side = 0; side < closure->side_count; side++)
            any |= closure->side[side].frame != closure->side[0].frame ||
                   (closure->side[side].on_box && closure->side[side].level_frame != closure->side[side].frame);
    }
    for (int i = 0; i < c->link_count; i++) {
        const kane_link *link = &tree->links[c->links[i]];
        for (int k = 0; k < link->step_count; k++) {
            given |= link->step[k].mode == KANE_STEP_GIVEN;
            any |= link->step[k].mode == KANE_STEP_GIVEN && link->kind != KANE_LINK_STEPS;
        }
    }
    return any ? KANE_DRIVE_ANY : given ? KANE_DRIVE_STEPS : KANE_DRIVE_NONE;
}

// Whether no coordinate of the links depends on speeds of their carriers.
static int find_jointed(const kane_tree *tree, const kane_cluster *c)
{
    for (int i = 0; i < c->link_count; i++) {
        const kane_link *link = &tree->links[c->links[i]];
        if (link->role != KANE_FLEX_NONE || link->on_axle || (link->kind == KANE_LINK_BODY && link->parent >= 0))
            return 0;
    }
    return 1;
}

int kane_cluster_prepare(const kane_tree *tree, kane_cluster *cluster, kane_arena *arena)
{
    kane_cluster *c = cluster;
    int count       = 0;
    for (int i = 0; i < c->link_count; i++)
        count += tree->links[c->links[i]].role == KANE_FLEX_NODE ? 0 : tree->links[c->links[i]].v_count;
    c->v_count       = count;
    c->speeds        = kane_arena_alloc(arena, (size_t)count, sizeof *c->speeds);
    c->is_mode       = kane_arena_alloc(arena, (size_t)count, sizeof *c->is_mode);
    c->link_of_speed = kane_arena_alloc(arena, (size_t)count, sizeof *c->link_of_speed);
    c->place         = kane_arena_alloc(arena, (size_t)tree->v_count, sizeof *c->place);
    c->row_begin     = kane_arena_alloc(arena, (size_t)c->closure_count + 1, sizeof *c->row_begin);
    c->row_count = c->position_count = 0;
    if (kane_arena_failed(arena))
        return 0;
    for (int k = 0; k < tree->v_count; k++)
        c->place[k] = -1;
    for (int i = 0, k = 0; i < c->link_count; i++) {
        const kane_link *link = &tree->links[c->links[i]];
        for (int j = 0; j < link->v_count && link->role != KANE_FLEX_NODE; j++) {
            c->is_mode[k]         = link->role == KANE_FLEX_MODE;
            c->link_of_speed[k]   = c->is_mode[k] ? tree->flexes[link->flex].carrier : c->links[i];
            c->place[link->v + j] = k;
            c->speeds[k++]        = link->v + j;
        }
    }
    for (int i = 0; i < c->closure_count; i++) {
        c->row_begin[i] = c->row_count;
        c->row_count += c->closures[i]->row_count;
        c->position_count += c->closures[i]->position_count;
    }
    c->row_begin[c->closure_count] = c->row_count;
    c->is_position                 = kane_arena_alloc(arena, (size_t)c->row_count, sizeof *c->is_position);
    c->kept                        = kane_arena_alloc(arena, (size_t)c->row_count, sizeof *c->kept);
    c->row_scale                   = kane_arena_alloc(arena, (size_t)c->row_count, sizeof *c->row_scale);
    c->undetermined                = kane_arena_alloc(arena, (size_t)c->row_count, sizeof *c->undetermined);
    c->link_undetermined           = kane_arena_alloc(arena, (size_t)c->link_count, sizeof *c->link_undetermined);
    if (kane_arena_failed(arena))
        return 0;
    for (int i = 0; i < c->closure_count; i++)
        for (int k = 0; k < c->closures[i]->position_count; k++)
            c->is_position[c->row_begin[i] + k] = 1;
    c->drive   = find_drive(tree, c);
    c->jointed = find_jointed(tree, c);
    return prepare_coefficients(tree, c, arena) && prepare_theta(tree, c, arena);
}

// Runs of consecutive links of a cluster that are marked (NULL: all); returns how many.
static int list_runs(const kane_cluster *cluster, const int *marks, int mark, kane_links *trees)
{
    int count = 0;
    for (int i = 0; i < cluster->link_count; i++) {
        const int link = cluster->links[i];
        if (marks && marks[link] != mark)
            continue;
        if (count > 0 && trees[count - 1].end == link)
            trees[count - 1].end++;
        else
            trees[count++] = (kane_links){link, link + 1};
    }
    return count;
}

// Marks the links on which constraints depend, with their carriers; all links for relations and user-defined rows.
static void mark_closing(const kane_tree *tree, const kane_cluster *cluster, int *marks)
{
    int all = !cluster->jointed;
    for (int i = 0; i < cluster->closure_count; i++) {
        const kane_constraint_row_set *c = cluster->closures[i];
        all |= c->term_count > 0 || c->kind == KANE_CONSTRAINT_USER;
        for (int side = 0; side < c->side_count; side++)
            for (int k = c->side[side].link; k >= 0; k = tree->links[k].parent)
                marks[k] = 1;
    }
    for (int i = 0; i < cluster->link_count && all; i++)
        marks[cluster->links[i]] = 1;
}

static int create_runs(kane_arena *arena, kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const size_t links          = (size_t)cluster->link_count;
    s->trees                    = kane_arena_alloc(arena, links, sizeof *s->trees);
    s->closing                  = kane_arena_alloc(arena, links, sizeof *s->closing);
    s->other                    = kane_arena_alloc(arena, links, sizeof *s->other);
    s->moved                    = kane_arena_alloc(arena, links, sizeof *s->moved);
    int *marks                  = kane_arena_alloc(arena, (size_t)s->e.tree->link_count, sizeof *marks);
    if (kane_arena_failed(arena))
        return 0;
    mark_closing(s->e.tree, cluster, marks);
    s->tree_count    = list_runs(cluster, NULL, 0, s->trees);
    s->closing_count = list_runs(cluster, marks, 1, s->closing);
    s->other_count   = list_runs(cluster, marks, 0, s->other);
    return 1;
}

// Loops with a closed form. Others were reported at model creation, and use Newton's method.
static void recognise_closed_forms(kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    for (int i = 0; i < cluster->closure_count; i++)
        if (cluster->closures[i]->closed != KANE_CLOSED_NONE)
            (void)kane_closed_recognise(s->e.tree, cluster->closures[i], &s->closed[i]);
}

// Arrays of the choice. A new choice during a run allocates nothing (coefficients).
static void create_choice(kane_arena *arena, kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const size_t n = (size_t)cluster->v_count, m = (size_t)cluster->row_count;
    s->row         = kane_arena_alloc(arena, m, sizeof *s->row);
    s->column      = kane_arena_alloc(arena, n, sizeof *s->column);
    s->row_next    = kane_arena_alloc(arena, m, sizeof *s->row_next);
    s->column_next = kane_arena_alloc(arena, n, sizeof *s->column_next);
    s->x           = kane_arena_doubles(arena, m + n);
    s->g           = kane_arena_doubles(arena, m);
    // a choice that is made anew during a run asks for no memory
    const size_t some = 2 * (size_t)cluster->coefficient_begin[cluster->row_count];
    s->elimination    = kane_elimination_create(cluster->row_count, cluster->v_count,
                                             cluster->form == KANE_FORM_COEFFICIENTS ? m * n : some);
}

// Arrays of blocks, at most m * n numbers.
static void create_coefficients(kane_arena *arena, kane_cluster_work *s)
{
    const kane_cluster *cluster = s->cluster;
    const size_t n = (size_t)cluster->v_count, m = (size_t)cluster->row_count, links = (size_t)cluster->link_count;
    const size_t coefficients = (size_t)cluster->coefficient_begin[cluster->row_count];
    s->position               = kane_arena_alloc(arena, n, sizeof *s->position);
    s->lacks                  = kane_arena_doubles(arena, m);
    s->blocks                 = kane_arena_alloc(arena, m, sizeof *s->blocks);
    s->block_row              = kane_arena_alloc(arena, m, sizeof *s->block_row);
    s->member                 = kane_arena_alloc(arena, m, sizeof *s->member);
    s->block_of               = kane_arena_alloc(arena, m, sizeof *s->block_of);
    s->place_in_block         = kane_arena_alloc(arena, m, sizeof *s->place_in_block);
    s->rows_begin             = kane_arena_alloc(arena, m + 1, sizeof *s->rows_begin);
    s->rows_of                = kane_arena_alloc(arena, coefficients, sizeof *s->rows_of);
    s->order                  = kane_arena_alloc(arena, 6 * m, sizeof *s->order);
    s->envelope               = kane_arena_alloc(arena, 6 * m, sizeof *s->envelope);
    s->coefficient_to         = kane_arena_alloc(arena, coefficients, sizeof *s->coefficient_to);
    s->position_to            = kane_arena_alloc(arena, coefficients, sizeof *s->position_to);
    s->load                   = kane_arena_alloc(arena, 2 * (size_t)cluster->theta_count, sizeof *s->load);
    s->block_lists            = kane_arena_alloc(arena, m * n, sizeof *s->block_lists);
    s->marked                 = kane_arena_alloc(arena, n, sizeof *s->marked);
    s->LU                     = kane_arena_doubles(arena, m * m);
    s->LU_position            = kane_arena_doubles(arena, cluster->position_count < cluster->row_count ? m * m : 0);
    s->pivot                  = kane_arena_alloc(arena, m, sizeof *s->pivot);
    s->pivot_position         = kane_arena_alloc(arena, m, sizeof *s->pivot_position);
    s->B                      = kane_arena_doubles(arena, m * n);
    s->of_block               = kane_arena_doubles(arena, m);
    s->M                      = kane_arena_doubles(arena, n * n);
    s->first                  = kane_arena_alloc(arena, n, sizeof *s->first);
    s->reversed               = kane_arena_doubles(arena, n);
    s->inertia_column         = kane_arena_alloc(arena, n + 2, sizeof *s->inertia_column);
    s->seed                   = kane_arena_alloc(arena, m * n + n + m, sizeof *s->seed);
    s->visit                  = kane_arena_alloc(arena, (n + 1) * links, sizeof *s->visit);
    s->loading_rod = kane_arena_alloc(arena, 2 * (n + 1) * (size_t)cluster->coupling_count, sizeof *s->loading_rod);
    s->link_marks  = kane_arena_alloc(arena, 2 * (size_t)s->e.tree->link_count, sizeof *s->link_marks);
    s->G           = kane_arena_doubles(arena, n * n);
    s->factor      = kane_arena_doubles(arena, (size_t)s->e.tree->v_count);
    s->of_modes    = kane_arena_doubles(arena, n);
}

kane_cluster_work *kane_cluster_work_create(const kane_eval_context *e, const kane_cluster *cluster, kane_arena *arena)
{
    const kane_tree *tree = e->tree;
    const size_t n = (size_t)cluster->v_count, m = (size_t)cluster->row_count, links = (size_t)tree->link_count;
    kane_cluster_work *s = kane_arena_alloc(arena, 1, sizeof *s);
    if (!s)
        return NULL;
    s->cluster = cluster;
    s->e       = *e;
    if (!create_runs(arena, s))
        return NULL;
    s->values      = kane_arena_alloc(arena, (size_t)cluster->closure_count, sizeof *s->values);
    s->closed      = kane_arena_alloc(arena, (size_t)cluster->closure_count, sizeof *s->closed);
    s->J           = kane_arena_doubles(arena, (size_t)cluster->coefficient_begin[m]);
    s->slot        = kane_arena_alloc(arena, (size_t)tree->v_count, sizeof *s->slot);
    s->value       = kane_arena_doubles(arena, m);
    s->rate        = kane_arena_doubles(arena, m);
    s->bias        = kane_arena_doubles(arena, m);
    s->lambda      = kane_arena_doubles(arena, m);
    s->theta       = kane_arena_doubles(arena, (size_t)cluster->theta_count);
    s->coupling    = kane_arena_alloc(arena, (size_t)cluster->coupling_count, sizeof *s->coupling);
    s->rod_known   = kane_arena_alloc(arena, (size_t)cluster->rod_count, sizeof *s->rod_known);
    s->motion      = kane_arena_alloc(arena, n, sizeof *s->motion);
    s->f           = kane_arena_doubles(arena, n);
    s->v_dot       = kane_arena_doubles(arena, n);
    s->df          = kane_arena_doubles(arena, n);
    s->dv          = kane_arena_doubles(arena, n);
    s->scale       = kane_arena_doubles(arena, n);
    s->spatial     = kane_arena_alloc(arena, links, sizeof *s->spatial);
    s->wrench      = kane_arena_alloc(arena, links, sizeof *s->wrench);
    s->delta       = kane_arena_doubles(arena, (size_t)tree->v_count);
    s->dependent   = kane_arena_alloc(arena, (size_t)tree->v_count, sizeof *s->dependent);
    s->independent = kane_arena_alloc(arena, n, sizeof *s->independent);
    s->unknown     = kane_arena_alloc(arena, (size_t)tree->v_count, sizeof *s->unknown);
    create_choice(arena, s);
    if (cluster->form == KANE_FORM_COEFFICIENTS)
        create_coefficients(arena, s);
    if (kane_arena_failed(arena) || !s->elimination || !kane_cluster_sparse_create(arena, s)) {
        kane_cluster_work_free(s);
        return NULL;
    }
    recognise_closed_forms(s);
    return s;
}

void kane_cluster_work_free(kane_cluster_work *s)
{
    if (!s)
        return;
    kane_sparse_lu_free(s->lu);
    kane_pattern_free(s->pattern);
    kane_elimination_free(s->elimination);
    s->lu          = NULL;
    s->pattern     = NULL;
    s->elimination = NULL;
}
