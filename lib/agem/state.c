// SPDX-License-Identifier: MIT
// States: the initial one, consistent ones, and memory for the links of an evaluation.

#include "agem/bodies.h"

#include "agem/rail_constraint.h"
#include "agem/work.h"

#include <string.h>

// Adds the start values of a free body to its position at rest:
//   q += q_0,   v += rates,   w += yaw' z + roll' x1 + pitch' y2
static void add_start_values(const kane_body *body, kane_relative_motion *m)
{
    const double *rate = body->start->rate;
    for (int k = 0; k < KANE_COORDINATES; k++)
        m->q[k] += body->start->q[k];
    const kane_mat3 R = kane_matrix_from_angles(m->q[KANE_YAW], m->q[KANE_ROLL], 0.0);
    const kane_vec3 w = kv3_add_scaled(kv3_scale(rate[KANE_ROLL], R.x), rate[KANE_PITCH], R.y);
    m->v              = kv3_add(m->v, kv3(rate[KANE_X], rate[KANE_Y], rate[KANE_Z]));
    m->w              = kv3_add(m->w, kv3_add(w, kv3(0.0, 0.0, rate[KANE_YAW])));
}

// A wheelset at its static position on straight track, rolling with  w = spin v  about its axle, relative to its track
// frame.
static kane_relative_motion put_on_rails(const kane_model *model, const kane_work *work, const kane_body *body)
{
    const kane_wheels *wheels   = &model->wheels[body->wheels];
    const kane_vec3 axle        = kane_matrix_from_angles(0.0, wheels->roll, 0.0).y;
    const kane_transport *rails = &work->transport[wheels->frame], *T = &work->transport[body->track_frame];
    kane_relative_motion m = {.q = {[KANE_Y] = body->position.y, [KANE_Z] = wheels->height, [KANE_ROLL] = wheels->roll},
                              .v = kv3_zero(),
                              .w = kv3_scale(wheels->spin * work->v, axle)};
    if (wheels->frame != body->track_frame)
        kane_relative_change(body, rails, T, &m);
    return m;
}

// Frames, links with constraints (kane_state_start), then free bodies.
kane_status kane_initial_state(const kane_model *model, kane_work *work, double *y, kane_errors *errors)
{
    for (int i = 0; i < model->state_count; i++)
        y[i] = 0.0;
    if (model->travel_count)
        y[0] = model->start;
    if (kane_model_is_driven(model))
        y[1] = model->speed; // the follower's acceleration is 0
    kane_work_locate_frames(model, work, 0.0, y);
    kane_frames_eval(model, work, 0.0, y);

    const kane_status status = kane_state_start(model, work, y);
    if (status != KANE_OK) {
        kane_work_fault(model, work, errors);
        return status;
    }
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        if (!body->is_free_body)
            continue;
        kane_relative_motion m = {.q = {body->origin.x, body->origin.y, body->origin.z}, .v = kv3_zero()};
        if (body->wheels >= 0)
            m = put_on_rails(model, work, body);
        if (body->start)
            add_start_values(body, &m);
        kane_relative_put(model, work, j, &m, y);
    }
    for (int i = 0; i < model->state_count; i++) {
        if (!isfinite(y[i])) {
            kane_errors_add(errors, KANE_NOT_FINITE, "the initial state is not finite");
            return KANE_NOT_FINITE;
        }
    }
    return KANE_OK;
}

// === States of links: the one they start from, and consistent ones

// Appends numbers to the last range, or begins another one.
static void add_range(kane_index_range *list, int *count, int y, int tree, int size)
{
    kane_index_range *last = *count ? &list[*count - 1] : NULL;
    if (size == 0)
        return;
    if (last && last->y + last->count == y && last->tree + last->count == tree)
        last->count += size;
    else
        list[(*count)++] = (kane_index_range){y, tree, size};
}

// Index ranges of coordinates and speeds of all links in y, except speeds of clusters.
static void find_ranges(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        const kane_body *body = &model->bodies[model->link_body[i]];
        add_range(work->q_ranges, &work->q_range_count, body->q, link->q, body->q_count);
        for (int k = 0; k < body->u_count; k++)
            add_range(work->v_ranges, &work->v_range_count, body->u + k, link->v + body->component[k], 1);
    }
}

int kane_bodies_create(const kane_model *model, kane_work *work)
{
    const size_t links = (size_t)model->tree.link_count, clusters = (size_t)model->cluster_count;
    kane_arena *arena = work->arena;
    work->base        = kane_arena_alloc(arena, (size_t)model->frame_count, sizeof *work->base);
    work->cluster     = kane_arena_alloc(arena, clusters, sizeof *work->cluster);
    work->acting      = kane_arena_alloc(arena, links, sizeof *work->acting);
    work->joint       = kane_arena_alloc(arena, links, sizeof *work->joint);
    work->multiplier  = kane_arena_alloc(arena, (size_t)model->closure_count, sizeof *work->multiplier);
    work->rates       = kane_arena_alloc(arena, links, sizeof *work->rates);
    work->q_dot       = kane_arena_alloc(arena, (size_t)model->tree.q_count, sizeof *work->q_dot);
    work->q_ranges    = kane_arena_alloc(arena, links, sizeof *work->q_ranges);
    work->v_ranges    = kane_arena_alloc(arena, 2 * links, sizeof *work->v_ranges);
    if (kane_arena_failed(arena) || !kane_tree_work_create(&model->tree, arena, &work->tree))
        return 0;
    work->context       = (kane_eval_context){&model->tree, &work->tree, work->transport, work->base};
    work->cluster_count = model->cluster_count;
    for (size_t c = 0; c < clusters; c++) {
        work->cluster[c] = kane_cluster_work_create(&work->context, &model->clusters[c], arena);
        if (!work->cluster[c]) // not all of its memory is in the arena
            return 0;
    }
    find_ranges(model, work);
    return !kane_arena_failed(arena);
}

void kane_bodies_free(kane_work *work)
{
    for (int c = 0; c < work->cluster_count; c++)
        kane_cluster_work_free(work->cluster[c]);
}

void kane_link_put(const kane_model *model, const kane_work *work, int i, double *y)
{
    const kane_link *link = &model->tree.links[i];
    const kane_body *body = &model->bodies[model->link_body[i]];
    memcpy(y + body->q, work->tree.q + link->q, (size_t)body->q_count * sizeof *y);
    for (int k = 0; k < body->u_count; k++)
        y[body->u + k] = work->tree.v[link->v + body->component[k]];
}

void kane_state_put(const kane_model *model, const kane_work *work, double *y)
{
    for (int i = 0; i < model->tree.link_count; i++)
        kane_link_put(model, work, i, y);
    for (int c = 0; c < model->cluster_count; c++)
        kane_cluster_get_speeds(work->cluster[c], y + model->cluster_u[c]);
}

// Projection; with coefficients then a choice, and the dependent coordinates and speeds of it.
kane_status kane_cluster_project_state(const kane_model *model, kane_work *work, int c, kane_partition choice)
{
    const kane_cluster *cluster = &model->clusters[c];
    double *u                   = work->tree.v_dot; // scratch
    int good                    = kane_cluster_project(work->cluster[c]);
    if (good && cluster->form == KANE_FORM_COEFFICIENTS) {
        if (choice == KANE_NEW_PARTITION)
            (void)kane_cluster_partition(work->cluster[c]);
        kane_cluster_get_speeds(work->cluster[c], u);
        good = kane_cluster_solve_position(work->cluster[c], u);
    }
    return good ? KANE_OK : kane_cluster_fail(model, work, c, "its constraints cannot be held");
}

// Rates of the coordinates of all links at the start, with the drawing's frames at rest.
static void start_rates(const kane_model *model, kane_work *work, double (*rates)[KANE_JOINT_COORDINATES])
{
    kane_tree_work *tree = &work->tree;
    memcpy(tree->q, model->start_q, (size_t)model->tree.q_count * sizeof *tree->q);
    memcpy(tree->v, model->start_v, (size_t)model->tree.v_count * sizeof *tree->v);
    for (int f = 0; f < model->frame_count; f++)
        work->base[f] = (kane_moving_frame){.v = {0.0, 0.0, 0.0}};
    kane_tree_move(&model->tree, (kane_links){0, model->tree.link_count}, work->base, tree);
    for (int i = 0; i < model->tree.link_count; i++)
        kane_tree_rates(&model->tree, i, &work->base[model->tree.links[i].frame], tree, rates[i]);
}

// turned: angle about y between the new and the former axes; q += turned for the first turn of every link on the axle.
void kane_axle_follow(const kane_model *model, kane_work *work, int link, kane_mat3 before)
{
    const kane_tree *tree = &model->tree;
    kane_tree_place(tree, (kane_links){link, link + 1}, &work->tree);
    const kane_vec3 x   = km3_tmulv(work->tree.link[link].R, before.x); // (cos, 0, -sin) of the turn about y
    const double turned = atan2(-x.z, x.x);
    for (int i = link + 1; i < tree->link_count; i++)
        if (tree->links[i].parent == link && tree->links[i].on_axle)
            work->tree.q[tree->links[i].q + tree->links[i].slide_count] += tree->links[i].on_axle * turned;
}

// A root that is described in A instead of its track frame: coordinates and speeds relative to A.
static void start_root(const kane_model *model, kane_work *work, int i)
{
    const kane_link *link  = &model->tree.links[i];
    double *q              = work->tree.q + link->q;
    const double *v        = work->tree.v + link->v;
    kane_relative_motion m = {.v = {v[0], v[1], v[2]}, .w = {v[3], v[4], v[5]}};
    memcpy(m.q, q, sizeof m.q);
    kane_relative_describe(model, work, model->link_body[i], &m);
    const double speeds[6] = {m.v.x, m.v.y, m.v.z, m.w.x, m.w.y, m.w.z};
    memcpy(q, m.q, sizeof m.q);
    memcpy(work->tree.v + link->v, speeds, sizeof speeds);
    if (link->is_spinning && link->coupled)
        kane_axle_follow(
            model, work, i,
            km3_mul(work->transport[model->bodies[model->link_body[i]].track_frame].R, work->tree.link[i].R));
}

// Speed of a link on an axle:  s = angle' - spin,  from the rates in the drawing's frames.
static double start_on_axle(const kane_model *model, const kane_work *work, int i)
{
    const kane_link *link = &model->tree.links[i];
    const double spin     = work->rates[link->parent][kane_link_spin(&model->tree.links[link->parent])];
    return work->rates[i][link->slide_count] - link->on_axle * spin;
}

// Start rates relative to the frames, then speeds in the moving frames, link by link; constraints last, by the smallest
// change in kinetic energy.
kane_status kane_state_start(const kane_model *model, kane_work *work, double *y)
{
    kane_tree_work *tree = &work->tree;
    if (model->tree.link_count == 0)
        return KANE_OK;
    tree->t      = work->t;
    tree->frozen = work->frozen;
    start_rates(model, work, work->rates);
    kane_moving_frames_eval(model, work);
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link = &model->tree.links[i];
        const kane_body *body = &model->bodies[model->link_body[i]];
        if (link->parent < 0 && body->frame != body->track_frame) {
            start_root(model, work, i);
        } else {
            kane_tree_place(&model->tree, (kane_links){i, i + 1}, tree);
            kane_tree_speeds(&model->tree, i, &work->base[link->frame], tree, work->rates[i]);
            if (link->on_axle) // what carries it may be described in A, whose level is another one
                tree->v[link->step[link->slide_count].v] = start_on_axle(model, work, i);
        }
        kane_tree_move(&model->tree, (kane_links){i, i + 1}, work->base, tree);
    }
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_status status = kane_cluster_project_state(model, work, c, KANE_NEW_PARTITION);
        if (status != KANE_OK)
            return status;
    }
    kane_state_put(model, work, y);
    return KANE_OK;
}

static int is_poor(const kane_model *model, const kane_work *work, int c)
{
    return model->clusters[c].form == KANE_FORM_COEFFICIENTS &&
           kane_cluster_quality(work->cluster[c]) < KANE_PARTITION_POOR;
}

int kane_partition_is_poor(const kane_model *model, const kane_work *work)
{
    int poor = 0;
    for (int c = 0; c < model->cluster_count; c++)
        poor = poor || is_poor(model, work, c);
    return poor;
}

// New choices of poor clusters at the state, and the state written for them.
int kane_partition_renew(const kane_model *model, kane_work *work, double t, double *y)
{
    int changed = 0;
    kane_frames_eval(model, work, t, y);
    if (!kane_partition_is_poor(model, work) || kane_bodies_move(model, work, y) != KANE_OK)
        return 0;
    for (int c = 0; c < model->cluster_count; c++)
        if (is_poor(model, work, c))
            changed |= kane_cluster_partition(work->cluster[c]);
    if (changed)
        kane_state_put(model, work, y);
    return changed;
}

const char *kane_find_singular(const kane_model *model, kane_work *work)
{
    for (int c = 0; c < model->cluster_count; c++)
        if (kane_cluster_is_singular(work->cluster[c]))
            return model->clusters[c].closures[0]->name;
    return NULL;
}

// Clusters with multipliers: kane_cluster_project, at the frames' motion at t.
kane_status kane_constraints_project(const kane_model *model, kane_work *work, double t, double *y)
{
    if (!kane_model_is_held(model))
        return KANE_OK;
    kane_frames_eval(model, work, t, y);
    kane_status status = kane_bodies_move(model, work, y);
    for (int c = 0; c < model->cluster_count && status == KANE_OK; c++)
        if (model->clusters[c].form == KANE_FORM_MULTIPLIERS)
            status = kane_cluster_project_state(model, work, c, KANE_KEEP_PARTITION);
    if (status == KANE_OK)
        kane_state_put(model, work, y);
    return status;
}

void kane_get_drift(const kane_model *model, const kane_work *work, double *value, double *rate)
{
    *value = *rate = 0.0;
    for (int c = 0; c < model->cluster_count; c++) {
        double v, r;
        kane_cluster_drift(work->cluster[c], &v, &r);
        *value = fmax(*value, v);
        *rate  = fmax(*rate, r);
    }
}

// === Between the steps of an integrator.

// Rails first, then constraints.
kane_status kane_project(const kane_model *model, kane_work *work, double t, double *y)
{
    const kane_status status = kane_rail_groups_project(model, work, t, y);
    return status == KANE_OK ? kane_constraints_project(model, work, t, y) : status;
}

int kane_choose(const kane_model *model, kane_work *work, double t, double *y)
{
    return kane_partition_is_poor(model, work) && kane_partition_renew(model, work, t, y);
}
