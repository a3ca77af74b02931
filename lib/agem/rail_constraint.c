// SPDX-License-Identifier: MIT
// Normal forces of guided wheels: two gaps phi_i = 0 of each wheelset, differentiated twice (docs/contact.md).
//
// Linear in the acceleration of the body:  phi'' = bias + direction . (a', eps'); a normal force N is N direction:
// what gives no work on any motion that keeps the gap. Creep forces depend on N, and so
//   bias + direction . Theta^-1 (f + sum N_j direction_j + sum T_j(N_j)) = 0
// is solved by iteration for the normal forces of all wheels that inertia couples: both of a wheelset that is free in
// its frame, those of a whole tree where wheelsets hang by joints.

#include "agem/rail_constraint.h"

#include "agem/bodies.h"
#include "contact/contact.h"
#include "math/dense.h"
#include "tree/tree.h"

#include <math.h>
#include <string.h>

// A wrench about a wheel's centre, rail axes, as one at the mass centre, frame axes.
static kane_wrench to_body(const kane_wheels_state *w, kane_side side, kane_wrench on_wheel)
{
    const kane_vec3 force  = km3_mulv(w->rail[side].R, on_wheel.force);
    const kane_vec3 torque = kv3_add(km3_mulv(w->rail[side].R, on_wheel.torque), kv3_cross(w->arm[side], force));
    return (kane_wrench){km3_mulv(w->guidance.R[side], force), km3_mulv(w->guidance.R[side], torque)};
}

// The other way round.
static kane_wrench to_wheel(const kane_wheels_state *w, kane_side side, kane_wrench on_body)
{
    const kane_vec3 force  = km3_tmulv(w->guidance.R[side], on_body.force);
    const kane_vec3 torque = kv3_sub(km3_tmulv(w->guidance.R[side], on_body.torque), kv3_cross(w->arm[side], force));
    return (kane_wrench){km3_tmulv(w->rail[side].R, force), km3_tmulv(w->rail[side].R, torque)};
}

// Mass centre of the wheelset from the middle of the panel, section axes [m].
static kane_vec3 centre_above_panel(const kane_wheels_state *w, kane_side side)
{
    return kv3_sub(w->above[side], w->arm[side]);
}

kane_wrench kane_rail_reaction(const kane_wheels_state *w, kane_side side, kane_wrench on_body)
{
    const kane_vec3 force  = km3_tmulv(w->guidance.R[side], on_body.force);
    const kane_vec3 torque = km3_tmulv(w->guidance.R[side], on_body.torque);
    return (kane_wrench){kv3_neg(force), kv3_neg(kv3_add(torque, kv3_cross(centre_above_panel(w, side), force)))};
}

kane_wrench kane_rail_relative(const kane_wheels_state *w, kane_side side, kane_wrench of_body, kane_wrench of_panel)
{
    const kane_vec3 turn = of_panel.torque, at = kv3_add(of_panel.force, kv3_cross(turn, centre_above_panel(w, side)));
    return (kane_wrench){kv3_sub(of_body.force, km3_mulv(w->guidance.R[side], at)),
                         kv3_sub(of_body.torque, km3_mulv(w->guidance.R[side], turn))};
}

kane_wrench kane_rail_constraint_creep(const kane_wheels *wheels, const kane_wheels_state *w, kane_side side, double N)
{
    kane_wrench on_wheel;
    if (kane_contact_creep(wheels->contact, side, &w->guidance.contact_point[side], &w->motion[side], N, &on_wheel,
                           NULL) != KANE_OK)
        on_wheel.force.x = (double)NAN;
    return to_body(w, side, on_wheel);
}

// One wheel while its normal force is looked for.
typedef struct rolling {
    rigid_contact roll;
    kane_user_force f;     // at the present normal force
    kane_user_force slope; // ... by it
    double last;           // by how much that has changed since [N]
    double load;           // static [N]
    double *N;             // [N]
    int is_lagged;         // 1: f does not depend on N
    kane_user_force *by;   // what every gap accelerates by each force on it [gaps]
} rolling;

// Scratch of a group of wheelsets, of which every wheel has a gap:  gap'' = base + compliance N + (what creep forces
// do).
struct kane_rails_work {
    int gaps;
    rolling *wheel;                      // [gaps]
    double *base;                        // what the gaps accelerate without the rails [gaps]
    double *compliance;                  // what 1 N on wheel i does to gap j [i * gaps + j], symmetric
    double *matrix;                      // of a linear step [gaps^2]
    double *residual;                    // accelerations of gaps, or their rates to remove [gaps]
    double *step;                        // matrix^-1 residual [gaps]
    double *before;                      // normal forces before the last step [gaps]
    int *pivot;                          // [gaps]
    kane_user_force *by;                 // [gaps * gaps]
    kane_wrench *response;               // mass centres: of wheelset k for a direction on gap g [g * count + k]
    kane_wrench *of_panel;               // of the panel under its wheelset, for a direction on gap g [gaps]
    kane_wrench *wrench, *accelerations; // by link
    double *row;                         // of every gap by speeds of the tree [gaps * v_count]
    double *v_dot;                       // of the tree
    int searched, projected;             // iterations of the last search for normal forces, of the last projection
    int is_struck;                       // 1: a projection, whose loops answer impulses (kane_cluster_prepare_response)
};

static kane_rails_work *create_group(const kane_model *model, const kane_rail_group *rails, kane_arena *arena)
{
    const size_t links = (size_t)model->tree.link_count, gaps = 2 * (size_t)rails->count;
    kane_rails_work *s = kane_arena_alloc(arena, 1, sizeof *s);
    if (!s)
        return NULL;
    s->gaps          = 2 * rails->count;
    s->wheel         = kane_arena_alloc(arena, gaps, sizeof *s->wheel);
    s->base          = kane_arena_doubles(arena, gaps);
    s->compliance    = kane_arena_doubles(arena, gaps * gaps);
    s->matrix        = kane_arena_doubles(arena, gaps * gaps);
    s->residual      = kane_arena_doubles(arena, gaps);
    s->step          = kane_arena_doubles(arena, gaps);
    s->before        = kane_arena_doubles(arena, gaps);
    s->pivot         = kane_arena_alloc(arena, gaps, sizeof *s->pivot);
    s->by            = kane_arena_alloc(arena, gaps * gaps, sizeof *s->by);
    s->response      = kane_arena_alloc(arena, gaps * gaps, sizeof *s->response);
    s->of_panel      = kane_arena_alloc(arena, gaps, sizeof *s->of_panel);
    s->wrench        = kane_arena_alloc(arena, links, sizeof *s->wrench);
    s->accelerations = kane_arena_alloc(arena, links, sizeof *s->accelerations);
    s->v_dot         = kane_arena_doubles(arena, (size_t)model->tree.v_count);
    s->row           = kane_arena_doubles(arena, gaps * (size_t)model->tree.v_count);
    return kane_arena_failed(arena) ? NULL : s;
}

int kane_rail_groups_create(const kane_model *model, kane_work *work)
{
    work->rails = kane_arena_alloc(work->arena, (size_t)model->rails_count, sizeof *work->rails);
    for (int i = 0; i < model->rails_count && work->rails; i++)
        work->rails[i] = create_group(model, &model->rails[i], work->arena);
    return !kane_arena_failed(work->arena);
}

void kane_rail_groups_count_iterations(const kane_model *model, const kane_work *work, int *searched, int *projected)
{
    *searched = *projected = 0;
    for (int r = 0; r < model->rails_count; r++) {
        const kane_rails_work *s = work->rails[r];
        *searched                = s->searched > *searched ? s->searched : *searched;
        *projected               = s->projected > *projected ? s->projected : *projected;
    }
}

static double sum_of(const kane_user_force *a, const kane_user_force *b)
{
    return a->T_x * b->T_x + a->T_y * b->T_y + a->M_z * b->M_z + a->T_n * b->T_n;
}

// What an acceleration of the body, frame axes, does along the forces of a spot, as powers are formed.
static kane_user_force project_accel_on_forces(const kane_wheels_state *w, kane_side side, const rigid_contact *r,
                                               kane_wrench answer)
{
    const kane_vec3 a = km3_tmulv(w->guidance.R[side], answer.force);
    const kane_vec3 e = km3_tmulv(w->guidance.R[side], answer.torque);
    const kane_vec3 n = r->spot.normal, turn = side_mirror_axial(r->sign, km3_tmulv(w->rail[side].R, e));
    const kane_vec3 centre = side_mirror(r->sign, km3_tmulv(w->rail[side].R, kv3_add(a, kv3_cross(e, w->arm[side]))));
    const kane_vec3 at     = kv3_add(centre, kv3_cross(turn, r->spot.point));
    return (kane_user_force){kv3_dot(at, r->spot.along), kv3_dot(at, r->basis.c.y), kv3_dot(turn, n),
                             kv3_dot(centre, n) + kv3_dot(turn, r->spot.turning)};
}

static kane_status prepare_rolling_contact(const kane_wheels *wheels, kane_wheels_state *w, kane_side side,
                                           rolling *wheel)
{
    wheel->load      = wheels->load[side];
    wheel->N         = &w->guidance.N[side];
    wheel->is_lagged = w->guidance.is_lagged;
    const kane_status status =
        kane_rigid_prepare(wheels->contact, side, &w->guidance.contact_point[side], &w->motion[side], &wheel->roll);
    if (status != KANE_OK || !wheel->is_lagged)
        return status;
    wheel->slope = (kane_user_force){0};
    return kane_rigid_forces(&wheel->roll, w->guidance.creep_load[side], &wheel->f);
}

static kane_user_force slope_of(const kane_user_force *up, const kane_user_force *down, double step)
{
    const double per = 1.0 / step;
    return (kane_user_force){per * (up->T_x - down->T_x), per * (up->T_y - down->T_y), per * (up->M_z - down->M_z),
                             per * (up->T_n - down->T_n)};
}

static kane_user_force plus_scaled(const kane_user_force *a, double s, const kane_user_force *b)
{
    return (kane_user_force){a->T_x + s * b->T_x, a->T_y + s * b->T_y, a->M_z + s * b->M_z, a->T_n + s * b->T_n};
}

// Forces under N, and their slope: from the normal force before, while that is not too close; at first they are taken
// to grow somewhat less than N does.
static kane_status roll_on(rolling *wheel, double N, double before)
{
    static const kane_user_force none = {0};
    const double step                 = before - N;
    const kane_user_force earlier     = wheel->f;
    const kane_status status          = kane_rigid_forces(&wheel->roll, N, &wheel->f);
    if (status == KANE_OK && step == 0.0)
        wheel->slope = plus_scaled(&none, 0.8 / fmax(fabs(N), 1.0), &wheel->f);
    else if (status == KANE_OK && fabs(step) > 1e-7 * fmax(fabs(N), 1.0))
        wheel->slope = slope_of(&earlier, &wheel->f, step);
    return status;
}

// step = matrix^-1 residual of n gaps; 0: the matrix is singular.
KANE_INLINE int solve_step(kane_rails_work *s, int n)
{
    if (KANE_FAST_PATHS && n == 2) {
        double m[2][2] = {{s->matrix[0], s->matrix[1]}, {s->matrix[2], s->matrix[3]}};
        if (!kane_rail_constraint_invert(m))
            return 0;
        s->step[0] = m[0][0] * s->residual[0] + m[0][1] * s->residual[1];
        s->step[1] = m[1][0] * s->residual[0] + m[1][1] * s->residual[1];
        return 1;
    }
    memcpy(s->step, s->residual, (size_t)n * sizeof *s->step);
    if (!kane_lu_factor(n, s->matrix, s->pivot))
        return 0;
    kane_lu_solve(n, s->matrix, s->pivot, 1, s->step);
    return 1;
}

// The accelerations of the gaps, s->residual, and their derivatives by the normal forces, s->matrix.
KANE_INLINE void add_wheel_residual(kane_rails_work *s, int n, int j)
{
    const rolling *wheel = &s->wheel[j];
    for (int i = 0; i < n; i++) {
        s->residual[i] += *wheel->N * s->compliance[i * n + j] + sum_of(&wheel->by[i], &wheel->f);
        s->matrix[i * n + j] = s->compliance[i * n + j] + sum_of(&wheel->by[i], &wheel->slope);
    }
}

// Newton's method from the static ones, with exact slopes: `steps` of them. The last one must not change more than 1e-6
// of the static loads: what it leaves then is round-off.
static kane_status find_normal_forces_in_steps(kane_rails_work *s, int n, int steps)
{
    double size = 0.0, loads = 0.0;
    for (int j = 0; j < n; j++) {
        *s->wheel[j].N = s->wheel[j].load;
        loads += fabs(s->wheel[j].load);
    }
    for (int iteration = 0; iteration < steps; iteration++) {
        memcpy(s->residual, s->base, (size_t)n * sizeof *s->residual);
        for (int j = 0; j < n; j++) {
            rolling *wheel = &s->wheel[j];
            if (iteration == steps - 1)
                *wheel->N = KANE_WITHOUT_RATE(*wheel->N);
            if (kane_rigid_forces(&wheel->roll, *wheel->N, &wheel->f) != KANE_OK ||
                kane_rigid_slope(&wheel->roll, *wheel->N, &wheel->slope) != KANE_OK)
                return KANE_RETRY;
            add_wheel_residual(s, n, j);
        }
        if (!solve_step(s, n))
            return KANE_RETRY;
        size = 0.0;
        for (int j = 0; j < n; j++) {
            *s->wheel[j].N -= s->step[j];
            size += fabs(s->step[j]);
            s->wheel[j].last = -s->step[j];
        }
    }
    return size <= 1e-6 * loads ? KANE_OK : KANE_RETRY;
}

// They start from the static ones, so that the result depends on nothing else, and go on by secants: what a step of
// 1e-10 leaves is round-off.
KANE_INLINE kane_status find_normal_forces(kane_rails_work *s, int n)
{
    double enough = 0.0;
    for (int j = 0; j < n; j++) {
        *s->wheel[j].N = s->before[j] = s->wheel[j].load;
        enough += 1e-10 * fabs(s->wheel[j].load);
    }
    for (int iteration = 0; iteration < 60; iteration++) {
        double size = 0.0;
        for (int i = 0; i < n; i++)
            s->residual[i] = s->base[i];
        for (int j = 0; j < n; j++) {
            rolling *wheel = &s->wheel[j];
            if (!wheel->is_lagged && roll_on(wheel, *wheel->N, s->before[j]) != KANE_OK)
                return KANE_RETRY;
            add_wheel_residual(s, n, j);
        }
        if (!solve_step(s, n))
            return KANE_RETRY;
        for (int j = 0; j < n; j++) {
            s->before[j] = *s->wheel[j].N;
            *s->wheel[j].N -= s->step[j];
            size += fabs(s->step[j]);
            s->wheel[j].last = -s->step[j];
        }
        s->searched = iteration + 1;
        if (!(size > enough) && iteration >= 1)
            return size == size ? KANE_OK : KANE_RETRY;
    }
    return KANE_RETRY;
}

// Contact results of one wheelset. Returns the wrench of both rails at its mass centre, frame axes.
//   reaction  on the panel of flexible track; NULL: the track is rigid
static kane_wrench report_wheel_contacts(kane_wheels_state *w, const rolling wheel[2], kane_wrench *reaction)
{
    const kane_guidance *g = &w->guidance;
    kane_wrench sum        = {kv3_zero(), kv3_zero()};
    for (int side = 0; side < 2; side++) {
        const rigid_contact *roll   = &wheel[side].roll;
        kane_contact_result *result = &w->result[side];
        const double N              = g->N[side];
        const kane_user_force f     = plus_scaled(&wheel[side].f, wheel[side].last, &wheel[side].slope);
        const kane_wrench creep     = kane_rigid_wrench(roll, N, &f);
        const kane_wrench on_body   = kw_add_scaled(to_body(w, side, creep), N, g->direction[side]);
        sum                         = kw_add(sum, on_body);
        if (reaction)
            *reaction = kw_add(*reaction, kane_rail_reaction(w, side, on_body));
        result->patch_count = kane_rigid_report(roll, N, &f, &result->patch[0]);
        result->on_wheel    = kw_add_scaled(creep, N, to_wheel(w, side, g->direction[side]));
    }
    return sum;
}

static void add_applied_wrench(const kane_transport *T, kane_body_state *b, kane_wrench on_body)
{
    b->applied.force  = kv3_add(b->applied.force, km3_mulv(T->R, on_body.force));
    b->applied.torque = kv3_add(b->applied.torque, km3_mulv(T->R, on_body.torque));
}

kane_status kane_rail_constraint_linearise(const kane_wheels *wheels, kane_wheels_state *w, kane_wrench gain[2])
{
    for (int j = 0; j < 2; j++) {
        rolling wheel;
        kane_status status = prepare_rolling_contact(wheels, w, j, &wheel);
        if (status == KANE_OK && !wheel.is_lagged)
            status = kane_rigid_slope(&wheel.roll, *wheel.N, &wheel.slope);
        if (status != KANE_OK)
            return status;
        gain[j] = kw_add(w->guidance.direction[j], to_body(w, j, kane_rigid_wrench(&wheel.roll, 0.0, &wheel.slope)));
    }
    return KANE_OK;
}

// === A group of wheelsets: one that is free in its frame, or all that inertia couples through joints. What 1 N on one wheel does to
// every gap comes from the articulated bodies once more.

static kane_wrench about_origin(const kane_model *model, const kane_work *work, int link, kane_wrench w)
{
    return kane_link_about_origin(&model->tree.links[link], &work->tree.link[link], w);
}

void kane_rail_group_clear(const kane_model *model, const kane_rail_group *rails, kane_wrench *applied)
{
    for (int k = 0; k <= rails->count; k++) {
        const kane_links links = kane_rail_group_links(model, rails, k);
        memset(applied + links.first, 0, (size_t)(links.end - links.first) * sizeof *applied);
    }
}

static int link_of(const kane_model *model, const kane_rail_group *rails, int k)
{
    return kane_wheels_link(model, rails->wheels[k]);
}

void kane_rail_group_respond(const kane_model *model, const kane_work *work, const kane_rail_group *rails,
                             int is_struck, kane_wrench *applied, kane_wrench *response, double *v_dot)
{
    if (rails->cluster >= 0)
        kane_cluster_find_response(work->cluster[rails->cluster], is_struck, applied, response, v_dot);
    for (int k = 0; k <= rails->count && rails->cluster < 0; k++)
        kane_tree_respond(&model->tree, kane_rail_group_links(model, rails, k), &work->tree, applied, response, v_dot);
}

// What s->wrench accelerates: s->accelerations, s->v_dot.
static void find_accelerations(const kane_model *model, const kane_work *work, const kane_rail_group *rails,
                               kane_rails_work *s)
{
    kane_rail_group_respond(model, work, rails, s->is_struck, s->wrench, s->accelerations, s->v_dot);
}

static kane_guidance *guidance_of(kane_work *work, const kane_rail_group *rails, int k)
{
    return &work->wheels[rails->wheels[k]].guidance;
}

// Wrenches of N on the wheel of a gap, on its wheelset and its panel, into s->wrench.
static void add_gap_response(const kane_model *model, kane_work *work, const kane_rail_group *rails, kane_rails_work *s,
                             int gap, double N)
{
    const kane_wheels *wheels   = &model->wheels[rails->wheels[gap / 2]];
    const int link              = link_of(model, rails, gap / 2);
    const kane_wheels_state *w  = &work->wheels[rails->wheels[gap / 2]];
    const kane_wrench direction = w->guidance.direction[gap % 2];
    s->wrench[link]             = kw_add_scaled(s->wrench[link], N, about_origin(model, work, link, direction));
    if (wheels->panel < 0)
        return;
    kane_wrench *on_panel = &s->wrench[model->bodies[wheels->panel].link];
    *on_panel             = kw_add_scaled(*on_panel, N, kane_rail_reaction(w, gap % 2, direction));
}

// What a direction on one gap accelerates at the mass centres of all n wheelsets: response [n]; and on its panel.
KANE_INLINE void find_response(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                               kane_rails_work *s, int n, int gap, kane_wrench *response)
{
    const int from = link_of(model, rails, gap / 2), panel = model->wheels[rails->wheels[gap / 2]].panel;
    const kane_wrench direction = guidance_of(work, rails, gap / 2)->direction[gap % 2];
    if (KANE_FAST_PATHS && n == 1 && rails->cluster < 0 && panel < 0 &&
        model->tree.links[from].kind == KANE_LINK_BODY) {
        response[0] = kane_link_respond(&model->tree.links[from], &work->tree.link[from], direction);
        return;
    }
    kane_rail_group_clear(model, rails, s->wrench);
    add_gap_response(model, work, rails, s, gap, 1.0);
    find_accelerations(model, work, rails, s);
    if (panel >= 0)
        s->of_panel[gap] = s->accelerations[model->bodies[panel].link];
    for (int k = 0; k < n; k++) {
        const int link = link_of(model, rails, k);
        response[k]    = kane_link_at_centre(&model->tree.links[link], &work->tree.link[link], s->accelerations[link]);
    }
}

// Response of the wheelset of gap h to a direction on gap g, against the rail of h. on_panel: scratch.
KANE_INLINE const kane_wrench *seen_response(const kane_model *model, const kane_work *work,
                                             const kane_rail_group *rails, const kane_rails_work *s, int n, int g,
                                             int h, kane_wrench *on_panel)
{
    const kane_wrench *response = &s->response[g * n + h / 2];
    if (h / 2 != g / 2 || model->wheels[rails->wheels[h / 2]].panel < 0)
        return response;
    *on_panel = kane_rail_relative(&work->wheels[rails->wheels[h / 2]], h % 2, *response, s->of_panel[g]);
    return on_panel;
}

// s->response and s->compliance: what 1 N on each wheel does to all.
KANE_INLINE void find_compliance(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                                 kane_rails_work *s, int n)
{
    const int gaps = 2 * n;
    kane_wrench scratch;
    for (int g = 0; g < gaps; g++) {
        kane_wrench *response = s->response + g * n;
        find_response(model, work, rails, s, n, g, response);
        for (int h = 0; h < gaps; h++) {
            const kane_wrench *seen = seen_response(model, work, rails, s, n, g, h, &scratch);
            s->compliance[g * gaps + h] =
                kw_power(guidance_of(work, rails, h / 2)->direction[h % 2], seen->force, seen->torque);
        }
    }
}

// How the gaps accelerate without the rails, and along the forces of which wheel they do with them.
KANE_INLINE kane_status prepare_wheels(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                                       kane_rails_work *s, int n)
{
    const int gaps = 2 * n;
    kane_wrench scratch;
    for (int j = 0; j < gaps; j++) {
        const int k = j / 2, side = j % 2;
        const kane_wheels *wheels = &model->wheels[rails->wheels[k]];
        kane_wheels_state *w      = &work->wheels[rails->wheels[k]];
        kane_body_state *b        = &work->body[wheels->body];
        if (side == 0)
            kane_body_kinematics_accelerations(model, work, link_of(model, rails, k));
        kane_wrench accel = {b->a, b->e};
        if (wheels->panel >= 0) {
            const kane_body_state *panel = &work->body[wheels->panel];
            kane_body_kinematics_accelerations(model, work, model->bodies[wheels->panel].link);
            accel = kane_rail_relative(w, side, accel, (kane_wrench){panel->a, panel->e});
        }
        s->base[j]     = w->guidance.bias[side] + kw_power(w->guidance.direction[side], accel.force, accel.torque);
        s->wheel[j].by = s->by + (size_t)j * (size_t)gaps;
        const kane_status bad = prepare_rolling_contact(wheels, w, side, &s->wheel[j]);
        if (bad != KANE_OK)
            return bad;
        for (int g = 0; g < gaps; g++)
            s->wheel[j].by[g] = project_accel_on_forces(w, side, &s->wheel[j].roll,
                                                        *seen_response(model, work, rails, s, n, g, j, &scratch));
    }
    return KANE_OK;
}

// Adds what s->wrench accelerates through loops to what their cluster has been solved for.
static void accelerate_loops(const kane_model *model, kane_work *work, const kane_rail_group *rails, kane_rails_work *s,
                             double *u_dot)
{
    for (int k = 0; k < rails->count; k++) {
        const kane_wrench w    = s->wrench[link_of(model, rails, k)];
        const kane_links panel = kane_panel_links(model, rails->wheels[k]);
        kane_tree_apply_wrench(&work->tree, link_of(model, rails, k), w.force, w.torque);
        for (int i = panel.first; i < panel.end; i++)
            kane_tree_apply_wrench(&work->tree, i, s->wrench[i].force, s->wrench[i].torque);
    }
    kane_cluster_add_response(work->cluster[rails->cluster], s->wrench, u_dot);
}

// Applies a wrench of the rails, about a link's origin, frame axes: to the link, or into s->wrench for loops.
static void apply_to_link(const kane_model *model, kane_work *work, const kane_rail_group *rails, kane_rails_work *s,
                          int link, kane_wrench wrench)
{
    if (rails->cluster >= 0)
        s->wrench[link] = wrench;
    else
        kane_tree_apply_inward(&model->tree, &work->tree, link, wrench.force, wrench.torque);
}

// Takes the wrenches of all rails to the bodies and their links, and their reactions to panels.
KANE_INLINE void apply_wrenches(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                                kane_rails_work *s, int n, double *u_dot)
{
    if (rails->cluster >= 0)
        kane_rail_group_clear(model, rails, s->wrench);
    for (int k = 0; k < n; k++) {
        const int i = rails->wheels[k], j = model->wheels[i].body, link = link_of(model, rails, k);
        const int panel      = model->wheels[i].panel;
        kane_wrench reaction = {kv3_zero(), kv3_zero()};
        const kane_wrench on_body =
            report_wheel_contacts(&work->wheels[i], &s->wheel[2 * k], panel < 0 ? NULL : &reaction);
        add_applied_wrench(&work->transport[model->bodies[j].frame], &work->body[j], on_body);
        apply_to_link(model, work, rails, s, link, about_origin(model, work, link, on_body));
        if (panel < 0)
            continue;
        work->body[panel].applied = kw_add(work->body[panel].applied, reaction);
        apply_to_link(model, work, rails, s, model->bodies[panel].link, reaction);
    }
    if (rails->cluster >= 0)
        accelerate_loops(model, work, rails, s, u_dot);
}

// A group of n wheelsets.
KANE_INLINE kane_status solve_group_of(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                                       kane_rails_work *s, int n, double *u_dot)
{
    kane_status status = KANE_OK;
    s->is_struck       = 0;
    for (int k = 0; k < n && status == KANE_OK; k++)
        status = kane_rail_constraint_find_contacts(model, work, rails->wheels[k]);
    if (status != KANE_OK)
        return status;
    for (int k = 0; k <= n && rails->cluster < 0; k++)
        kane_tree_outward(&model->tree, kane_rail_group_links(model, rails, k), &work->tree);
    find_compliance(model, work, rails, s, n);
    status = prepare_wheels(model, work, rails, s, n);
    if (status == KANE_OK && work->fixed_steps > 0)
        status = find_normal_forces_in_steps(s, 2 * n, work->fixed_steps);
    else if (status == KANE_OK)
        status = find_normal_forces(s, 2 * n);
    if (status != KANE_OK)
        return kane_work_fail(work, status, model->bodies[model->wheels[rails->wheels[0]].body].name,
                              "no normal forces keep its wheels on the rails");
    apply_wrenches(model, work, rails, s, n, u_dot);
    return KANE_OK;
}

// Most groups are of one wheelset, for which loops unroll.
static kane_status solve_group(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                               kane_rails_work *s, double *u_dot)
{
    if (KANE_FAST_PATHS && rails->count == 1)
        return solve_group_of(model, work, rails, s, 1, u_dot);
    return solve_group_of(model, work, rails, s, rails->count, u_dot);
}

kane_status kane_rail_groups_solve(const kane_model *model, kane_work *work, int cluster, double *u_dot)
{
    kane_status status = KANE_OK;
    for (int r = 0; r < model->rails_count && status == KANE_OK; r++)
        if (model->rails[r].cluster == cluster)
            status = solve_group(model, work, &model->rails[r], work->rails[r], u_dot);
    return status;
}

// === Projection of guided wheelsets onto their rails: first the gaps, then the rates of the gaps.

// Takes the speed of a pivot out of all gaps but its own.
static void eliminate_speed(double *row, int gaps, int speeds, int gap, int speed)
{
    for (int g = 0; g < gaps; g++) {
        const double factor = row[g * speeds + speed] / row[gap * speeds + speed];
        for (int v = 0; v < speeds && g != gap; v++)
            row[g * speeds + v] -= factor * row[gap * speeds + v];
    }
    for (int v = 0; v < speeds; v++)
        row[gap * speeds + v] = 0.0;
}

void kane_rail_group_find_followers(const kane_model *model, kane_work *work, int r, int *follower)
{
    const kane_rail_group *rails = &model->rails[r];
    kane_rails_work *s           = work->rails[r];
    const int n                  = model->tree.v_count;
    memset(s->row, 0, (size_t)(s->gaps * n) * sizeof *s->row);
    for (int g = 0; g < s->gaps; g++) {
        const int link = link_of(model, rails, g / 2);
        const kane_wrench direction =
            about_origin(model, work, link, guidance_of(work, rails, g / 2)->direction[g % 2]);
        if (rails->cluster >= 0)
            kane_cluster_spread(work->cluster[rails->cluster], link, direction, s->row + g * n);
        else
            kane_tree_spread_wrench(&model->tree, NULL, &work->tree, link, -1, direction, s->row + g * n);
    }
    for (int k = 0; k < s->gaps; k++) {
        int best = 0;
        for (int i = 0; i < s->gaps * n; i++)
            best = fabs(s->row[i]) > fabs(s->row[best]) ? i : best;
        follower[k] = best % n;
        if (s->row[best] != 0.0)
            eliminate_speed(s->row, s->gaps, n, best / n, best % n);
    }
}

// Motion of the links of a group, loops closed, and the inertia of trees. 0: singular, or loops do not close. y: whose
// independent speeds those of loops follow, in the form of coefficients.
static int move_group(const kane_model *model, kane_work *work, const kane_rail_group *rails, const double *y)
{
    const kane_cluster *loops = rails->cluster >= 0 ? &model->clusters[rails->cluster] : NULL;
    if (loops && loops->form == KANE_FORM_COEFFICIENTS)
        return kane_cluster_solve_position(work->cluster[rails->cluster], y + model->cluster_u[rails->cluster]);
    if (loops)
        return kane_cluster_project(work->cluster[rails->cluster]);
    int singular = 0;
    for (int k = 0; k <= rails->count; k++) {
        const kane_links links = kane_rail_group_links(model, rails, k);
        kane_tree_move(&model->tree, links, work->base, &work->tree);
        singular |= kane_tree_inward(&model->tree, links, &work->tree) >= 0;
    }
    return !singular;
}

// Where the wheels of a group touch in the state of its links, and what pushes do there.
static kane_status place_group(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                               kane_rails_work *s, const double *y)
{
    if (!move_group(model, work, rails, y))
        return KANE_RETRY;
    for (int k = 0; k < rails->count; k++) {
        const int i               = rails->wheels[k];
        const kane_wheels *wheels = &model->wheels[i];
        kane_body_state *b        = &work->body[wheels->body];
        kane_body_kinematics(model, work, link_of(model, rails, k));
        if (wheels->panel >= 0)
            kane_body_kinematics(model, work, model->bodies[wheels->panel].link);
        kane_wheels_observe_body(model, work, wheels, b, &work->wheels[i]);
        const kane_status status = kane_rail_constraint_find_contact(model, work, wheels, b, &work->wheels[i]);
        if (status != KANE_OK)
            return status;
    }
    s->is_struck = 1;
    if (rails->cluster >= 0 && !kane_cluster_prepare_response(work->cluster[rails->cluster]))
        return KANE_RETRY;
    find_compliance(model, work, rails, s, rails->count);
    return KANE_OK;
}

// Impulses along all pushes that take away what is in s->residual: how the speeds of the tree change by them, in
// s->v_dot.
static int find_correction(const kane_model *model, kane_work *work, const kane_rail_group *rails, kane_rails_work *s)
{
    memcpy(s->matrix, s->compliance, (size_t)(s->gaps * s->gaps) * sizeof *s->matrix);
    if (!solve_step(s, s->gaps))
        return 0;
    kane_rail_group_clear(model, rails, s->wrench);
    for (int g = 0; g < s->gaps; g++)
        add_gap_response(model, work, rails, s, g, -s->step[g]);
    find_accelerations(model, work, rails, s);
    return 1;
}

// Gaps as residual; returns the sum of their sizes.
static double read_gaps(kane_work *work, const kane_rail_group *rails, kane_rails_work *s)
{
    double sum = 0.0;
    for (int g = 0; g < s->gaps; g++) {
        s->residual[g] = guidance_of(work, rails, g / 2)->gap[g % 2];
        sum += fabs(s->residual[g]);
    }
    return sum;
}

// Displaces links by s->v_dot.
static void shift_links(const kane_model *model, kane_work *work, kane_links links, const kane_rails_work *s)
{
    for (int i = links.first; i < links.end; i++)
        kane_tree_shift(&model->tree, i, s->v_dot, &work->tree);
}

static kane_status close_gaps(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                              kane_rails_work *s, const double *y)
{
    double before = HUGE_VAL;
    for (int iteration = 0; iteration < 20; iteration++) {
        const kane_status status = place_group(model, work, rails, s, y);
        if (status != KANE_OK)
            return status;
        const double left = read_gaps(work, rails, s);
        s->projected      = iteration;
        if (kane_gap_is_closed(left / rails->count, before / rails->count))
            return KANE_OK;
        if (iteration == 19) // it was too far away
            return left <= KANE_GAP_LEFT * rails->count ? KANE_OK : KANE_RETRY;
        before = left;
        if (!find_correction(model, work, rails, s))
            return KANE_RETRY;
        if (rails->cluster >= 0)
            kane_cluster_displace(work->cluster[rails->cluster], s->v_dot);
        for (int k = 0; k <= rails->count && rails->cluster < 0; k++)
            shift_links(model, work, kane_rail_group_links(model, rails, k), s);
    }
    return KANE_RETRY;
}

// Corrected speeds of the links that loops couple, and what they are to y: independent ones, in the form of
// coefficients, from which the others follow.
static kane_status correct_cluster(const kane_model *model, kane_work *work, int c, const double *v_dot, double *y)
{
    const kane_cluster *loops = &model->clusters[c];
    for (int k = 0; k < loops->v_count; k++)
        work->tree.v[loops->speeds[k]] += v_dot[loops->speeds[k]];
    kane_cluster_get_speeds(work->cluster[c], y + model->cluster_u[c]);
    if (loops->form == KANE_FORM_COEFFICIENTS &&
        !kane_cluster_solve_position(work->cluster[c], y + model->cluster_u[c]))
        return KANE_RETRY;
    for (int n = 0; n < loops->link_count; n++)
        kane_link_put(model, work, loops->links[n], y);
    return KANE_OK;
}

// Corrected speeds of links that no loop couples.
static void correct_links(const kane_model *model, kane_work *work, kane_links links, const double *v_dot, double *y)
{
    for (int i = links.first; i < links.end; i++) {
        const kane_body *body = &model->bodies[model->link_body[i]];
        const int first       = model->tree.links[i].v;
        for (int k = 0; k < body->u_count; k++)
            work->tree.v[first + body->component[k]] += v_dot[first + body->component[k]];
        kane_link_put(model, work, i, y);
    }
}

static kane_status project_group(const kane_model *model, kane_work *work, const kane_rail_group *rails,
                                 kane_rails_work *s, double *y)
{
    const kane_status status = close_gaps(model, work, rails, s, y);
    if (status != KANE_OK)
        return status;
    for (int g = 0; g < s->gaps; g++)
        s->residual[g] = guidance_of(work, rails, g / 2)->rate[g % 2];
    if (!find_correction(model, work, rails, s))
        return KANE_RETRY;
    if (rails->cluster >= 0)
        return correct_cluster(model, work, rails->cluster, s->v_dot, y);
    for (int k = 0; k <= rails->count; k++)
        correct_links(model, work, kane_rail_group_links(model, rails, k), s->v_dot, y);
    return KANE_OK;
}

// Groups know how they move but for what carries them.
static kane_status move_carriers(const kane_model *model, kane_work *work, const double *y)
{
    int any = 0;
    for (int r = 0; r < model->rails_count; r++)
        any |= model->rails[r].cluster >= 0 || model->tree.links[model->rails[r].root].parent >= 0;
    if (any)
        return kane_bodies_move(model, work, y);
    kane_bodies_read(work, y);
    return KANE_OK;
}

kane_status kane_rail_groups_project(const kane_model *model, kane_work *work, double t, double *y)
{
    kane_frames_eval(model, work, t, y);
    kane_moving_frames_eval(model, work);
    kane_status status = move_carriers(model, work, y);
    for (int r = 0; r < model->rails_count && status == KANE_OK; r++) {
        const kane_rail_group *rails = &model->rails[r];
        const kane_body *body        = &model->bodies[model->wheels[rails->wheels[0]].body];
        if (rails->is_tabulated)
            continue;
        status = project_group(model, work, rails, work->rails[r], y);
        if (status != KANE_OK)
            return kane_work_fail(work, status, body->name, "its wheels cannot be brought back onto the rails");
    }
    return status;
}
