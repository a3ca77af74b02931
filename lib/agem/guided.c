// SPDX-License-Identifier: MIT
// Normal forces of guided wheels: two gaps phi_i = 0 of each wheelset, differentiated twice (docs/contact.md).
//
// The acceleration of the body enters linearly:  phi'' = bias + push . (a', eps'),  and a normal force N is N push: what
// gives no work on any motion that keeps the gap. Creep forces depend on N, and so
//   bias + push . Theta^-1 (f + sum N_j push_j + sum T_j(N_j)) = 0
// is solved for the normal forces of both wheels by iteration.

#include "agem/guided.h"

#include "agem/guided_rails.h"
#include "agem/bodies.h"
#include "contact/contact.h"
#include "tree/tree.h"

#include <string.h>

static double work_of(kane_wrench w, kane_wrench motion)
{
    return kv3_dot(w.force, motion.force) + kv3_dot(w.torque, motion.torque);
}

static kane_wrench add_scaled(kane_wrench a, double s, kane_wrench b)
{
    return (kane_wrench){kv3_add_scaled(a.force, s, b.force), kv3_add_scaled(a.torque, s, b.torque)};
}

// What 1 N on each wheel accelerates: the body with all that hangs on it, or, to project it, by itself.
static void respond(const kane_model *model, const kane_work *work, const kane_wheels *wheels, kane_wheels_state *w,
                    kane_wrench (*answer)(const kane_link *, const kane_link_state *, kane_wrench))
{
    const int link = model->bodies[wheels->body].link;
    for (int i = 0; i < 2; i++)
        w->guidance.response[i] = answer(&model->tree.links[link], &work->tree.link[link], w->guidance.push[i]);
}

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

// Tangential forces of one wheel under N, at the mass centre, frame axes; not finite if its law fails.
static kane_wrench creep(const kane_wheels *wheels, const kane_wheels_state *w, kane_side side, double N)
{
    kane_wrench on_wheel;
    if (kane_contact_creep(wheels->contact, side, &w->guidance.touch[side], &w->motion[side], N, &on_wheel, NULL) !=
        KANE_OK)
        on_wheel.force.x = (double)NAN;
    return to_body(w, side, on_wheel);
}

kane_wrench kane_guided_wrench(const kane_wheels *wheels, const kane_wheels_state *w, kane_side side, double N)
{
    return add_scaled(creep(wheels, w, side, N), N, w->guidance.push[side]);
}

// One wheel while its normal force is looked for.
typedef struct rolling {
    rigid_contact roll;
    kane_own_force f;     // at the present normal force
    kane_own_force slope; // ... by it
    double last;          // by how much that has changed since [N]
    kane_own_force by[2]; // what both gaps accelerate by each force on it
} rolling;

static double sum_of(const kane_own_force *a, const kane_own_force *b)
{
    return a->T_x * b->T_x + a->T_y * b->T_y + a->M_z * b->M_z + a->T_n * b->T_n;
}

// What an acceleration of the body, frame axes, does along the forces of a spot, as powers are formed.
static kane_own_force along(const kane_wheels_state *w, kane_side side, const rigid_contact *r, kane_wrench answer)
{
    const kane_vec3 a = km3_tmulv(w->guidance.R[side], answer.force);
    const kane_vec3 e = km3_tmulv(w->guidance.R[side], answer.torque);
    const kane_vec3 n = r->spot.normal, turn = side_mirror_axial(r->sign, km3_tmulv(w->rail[side].R, e));
    const kane_vec3 centre = side_mirror(r->sign, km3_tmulv(w->rail[side].R, kv3_add(a, kv3_cross(e, w->arm[side]))));
    const kane_vec3 at     = kv3_add(centre, kv3_cross(turn, r->spot.point));
    return (kane_own_force){kv3_dot(at, r->spot.along), kv3_dot(at, r->basis.c.y), kv3_dot(turn, n),
                            kv3_dot(centre, n) + kv3_dot(turn, r->spot.turning)};
}

static kane_status start(const kane_wheels *wheels, const kane_wheels_state *w, kane_side side, rolling *wheel)
{
    const kane_guidance *g = &w->guidance;
    const kane_status status =
        kane_rigid_prepare(wheels->contact, side, &g->touch[side], &w->motion[side], &wheel->roll);
    for (int i = 0; i < 2 && status == KANE_OK; i++)
        wheel->by[i] = along(w, side, &wheel->roll, g->response[i]);
    return status;
}

static kane_own_force slope_of(const kane_own_force *up, const kane_own_force *down, double step)
{
    const double per = 1.0 / step;
    return (kane_own_force){per * (up->T_x - down->T_x), per * (up->T_y - down->T_y), per * (up->M_z - down->M_z),
                            per * (up->T_n - down->T_n)};
}

static kane_own_force plus_scaled(const kane_own_force *a, double s, const kane_own_force *b)
{
    return (kane_own_force){a->T_x + s * b->T_x, a->T_y + s * b->T_y, a->M_z + s * b->M_z, a->T_n + s * b->T_n};
}

// Forces under N, and their slope: from the normal force before, while that is not too close; at first they are taken to
// grow somewhat less than N does.
static kane_status roll_on(rolling *wheel, double N, double before)
{
    static const kane_own_force none = {0};
    const double step                = before - N;
    const kane_own_force earlier     = wheel->f;
    const kane_status status         = kane_rigid_forces(&wheel->roll, N, &wheel->f);
    if (status == KANE_OK && step == 0.0)
        wheel->slope = plus_scaled(&none, 0.8 / fmax(fabs(N), 1.0), &wheel->f);
    else if (status == KANE_OK && fabs(step) > 1e-7 * fmax(fabs(N), 1.0))
        wheel->slope = slope_of(&earlier, &wheel->f, step);
    return status;
}

// Normal forces of a wheelset that would accelerate like this `without` the rails. They start from the static ones, so that the
// result depends on nothing else, and go on by secants: what a step of 1e-10 leaves is round-off.
static kane_status solve(const kane_wheels *wheels, kane_wrench without, kane_guidance *g, rolling wheel[2])
{
    double base[2], push[2][2], inverse[2][2], before[2];
    for (int i = 0; i < 2; i++) {
        base[i] = g->bias[i] + work_of(g->push[i], without);
        g->N[i] = before[i] = wheels->load[i];
        for (int j = 0; j < 2; j++)
            push[i][j] = work_of(g->response[i], g->push[j]);
    }
    const double enough = 1e-10 * (fabs(wheels->load[0]) + fabs(wheels->load[1]));
    for (int iteration = 0; iteration < 60; iteration++) {
        double missing[2] = {base[0], base[1]}, size = 0.0;
        for (int j = 0; j < 2; j++) {
            if (roll_on(&wheel[j], g->N[j], before[j]) != KANE_OK)
                return KANE_RETRY;
            for (int i = 0; i < 2; i++) {
                missing[i] += g->N[j] * push[i][j] + sum_of(&wheel[j].by[i], &wheel[j].f);
                inverse[i][j] = push[i][j] + sum_of(&wheel[j].by[i], &wheel[j].slope);
            }
        }
        if (!kane_guided_invert(inverse))
            return KANE_RETRY;
        for (int i = 0; i < 2; i++) {
            const double step = inverse[i][0] * missing[0] + inverse[i][1] * missing[1];
            before[i]         = g->N[i];
            g->N[i] -= step;
            size += fabs(step);
            wheel[i].last = -step;
        }
        if (!(size > enough) && iteration >= 1)
            return size == size ? KANE_OK : KANE_RETRY;
    }
    return KANE_RETRY;
}

// Hands the forces on to the body, and to whoever asks for the contact.
static void apply(const kane_model *model, kane_work *work, int link, const kane_transport *T, kane_body_state *b,
                  kane_wheels_state *w, rolling wheel[2])
{
    kane_guidance *g = &w->guidance;
    for (int side = 0; side < 2; side++) {
        const rigid_contact *roll   = &wheel[side].roll;
        kane_contact_result *result = &w->result[side];
        const double N              = g->N[side];
        const kane_own_force f      = plus_scaled(&wheel[side].f, wheel[side].last, &wheel[side].slope);
        const kane_wrench creep     = kane_rigid_wrench(roll, N, &f);
        const kane_wrench on_body   = add_scaled(to_body(w, side, creep), N, g->push[side]);
        kane_rigid_report(roll, N, &f, &result->patch[0]);
        result->patch_count = N > 0.0;
        result->on_wheel    = add_scaled(creep, N, to_wheel(w, side, g->push[side]));
        if (model->rails_carry)
            kane_tree_push_gathered(&model->tree, &work->tree, link, on_body.force, on_body.torque);
        else
            kane_tree_push(&work->tree, link, on_body.force, on_body.torque);
        b->applied.force  = kv3_add(b->applied.force, km3_mulv(T->R, on_body.force));
        b->applied.torque = kv3_add(b->applied.torque, km3_mulv(T->R, on_body.torque));
    }
}

// All of one wheelset that is known to touch.
static kane_status press(const kane_model *model, kane_work *work, const kane_wheels *wheels, kane_wheels_state *w)
{
    const kane_body *body     = &model->bodies[wheels->body];
    const kane_link_state *at = &work->tree.link[body->link];
    const kane_wrench left    = {kv3_neg(at->f), kv3_neg(at->n)};
    const kane_wrench without = kane_link_respond(&model->tree.links[body->link], at, left);
    respond(model, work, wheels, w, kane_link_respond);
    rolling wheel[2];
    kane_status status = start(wheels, w, KANE_LEFT, &wheel[0]);
    if (status == KANE_OK)
        status = start(wheels, w, KANE_RIGHT, &wheel[1]);
    if (status == KANE_OK)
        status = solve(wheels, without, &w->guidance, wheel);
    if (status == KANE_OK)
        apply(model, work, body->link, &work->transport[body->frame], &work->body[wheels->body], w, wheel);
    return status;
}

kane_status kane_guided_report(kane_work *work, kane_status status, const kane_wheels *wheels, const kane_body *body)
{
    return kane_work_fail(
        work, status, body->name,
        wheels->way == KANE_CONTACT_TABLES
            ? "it is off the tables of contact: shifted by more than 10 mm, or turned by more than 30 mrad"
            : "a wheel of it is far from any place on its rail");
}

kane_status kane_guided_eval(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        if (wheels->way == KANE_CONTACT_ELASTIC)
            continue;
        const kane_body *body    = &model->bodies[wheels->body];
        const kane_body_state *b = &work->body[wheels->body];
        kane_status status       = kane_guided_touch(model, work, wheels, b, &work->wheels[i]);
        if (status != KANE_OK)
            return kane_guided_report(work, status, wheels, body);
        const double *gap = work->wheels[i].guidance.gap;
        if (body->on_tables && !(fabs(gap[0]) + fabs(gap[1]) <= KANE_GAP_LEFT))
            return kane_work_fail(work, KANE_RETRY, body->name, "no height and roll put its wheels on the rails");
        status = press(model, work, wheels, &work->wheels[i]);
        if (status != KANE_OK)
            return kane_work_fail(work, status, body->name, "no normal forces keep its wheels on the rails");
    }
    return KANE_OK;
}

kane_status kane_guided_linearise(const kane_wheels *wheels, kane_wheels_state *w)
{
    kane_guidance *g = &w->guidance;
    for (int j = 0; j < 2; j++) {
        rolling wheel;
        kane_status status = start(wheels, w, j, &wheel);
        if (status == KANE_OK)
            status = kane_rigid_slope(&wheel.roll, g->N[j], &wheel.slope);
        if (status != KANE_OK)
            return status;
        g->gain[j] = kw_add(g->push[j], to_body(w, j, kane_rigid_wrench(&wheel.roll, 0.0, &wheel.slope)));
        for (int i = 0; i < 2; i++)
            g->inverse[i][j] = work_of(g->response[i], g->push[j]) + sum_of(&wheel.by[i], &wheel.slope);
    }
    return kane_guided_invert(g->inverse) ? KANE_OK : KANE_RETRY;
}

void kane_guided_correct(const kane_guidance *g, const kane_wrench gain[2], const double bias[2], kane_wrench *motion,
                         double change[2])
{
    const double missing[2] = {bias[0] + work_of(g->push[0], *motion), bias[1] + work_of(g->push[1], *motion)};
    for (int i = 0; i < 2; i++) {
        change[i] = -(g->inverse[i][0] * missing[0] + g->inverse[i][1] * missing[1]);
        *motion   = add_scaled(*motion, change[i], gain[i]);
    }
}

// === Height and roll of a wheelset as functions of its other coordinates: the second of the two maps of docs/theory.md,
// section 3. The classic form of rigid contact.
//
// The coordinates follow from gap_i(q) = 0, by Newton's method from the static ones: z and roll depend on x, y and yaw
// alone. Dependent speeds V_d = (v_z, w_x) follow from  push_i . V + (what moves the gaps otherwise) = 0  with coefficients
//   V_d = A u + C,   A = -P_d^-1 P_u                                                              (47)
// where P_d, P_u are the columns of both pushes by dependent and independent speeds.

void kane_guided_speed(const kane_model *model, kane_work *work, const kane_wheels *wheels)
{
    const kane_body *body = &model->bodies[wheels->body];
    const kane_link *link = &model->tree.links[body->link];
    double *v             = work->tree.v + link->v;
    v[2] = v[3] = 0.0;
    kane_tables_move(&work->transport[body->frame], work->tree.q + link->q, &work->wheels[body->wheels].guidance.on, v);
}

void kane_guided_place(const kane_model *model, kane_work *work, const kane_wheels *wheels)
{
    const kane_body *body = &model->bodies[wheels->body];
    // what is wrong kane_guided_eval will say
    kane_tables_stand(model, work, wheels, work->tree.q + model->tree.links[body->link].q, &work->wheels[body->wheels]);
}

void kane_guided_follow(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        if (wheels->way != KANE_CONTACT_TABLES)
            continue;
        kane_guided_place(model, work, wheels);
        kane_guided_speed(model, work, wheels);
    }
}

// === Projection of guided wheelsets onto their rails: first the gaps, then the rates of the gaps.

// A gap of less than this is none [m]; so is a rate [m/s].
static const double closed = 1e-14;

// Impulses or displacements along both pushes that take away `missing`: moves the answers' sum into `motion`.
static int correct(const kane_guidance *g, const double missing[2], kane_wrench *motion)
{
    double m[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            m[i][j] =
                kv3_dot(g->push[i].force, g->response[j].force) + kv3_dot(g->push[i].torque, g->response[j].torque);
    if (!kane_guided_invert(m))
        return 0;
    const double impulse[2] = {-(m[0][0] * missing[0] + m[0][1] * missing[1]),
                               -(m[1][0] * missing[0] + m[1][1] * missing[1])};
    motion->force  = kv3_add_scaled(kv3_scale(impulse[0], g->response[0].force), impulse[1], g->response[1].force);
    motion->torque = kv3_add_scaled(kv3_scale(impulse[0], g->response[0].torque), impulse[1], g->response[1].torque);
    return 1;
}

// Where its wheels touch in the state of its link.
static kane_status look(const kane_model *model, kane_work *work, int i)
{
    const kane_wheels *wheels = &model->wheels[i];
    const int link            = model->bodies[wheels->body].link;
    kane_tree_move(&model->tree, (kane_links){link, link + 1}, work->base, &work->tree);
    kane_body_show(model, work, link);
    kane_wheels_observe_body(model, work, wheels, &work->body[wheels->body], &work->wheels[i]);
    const kane_status status = kane_guided_touch(model, work, wheels, &work->body[wheels->body], &work->wheels[i]);
    respond(model, work, wheels, &work->wheels[i], kane_link_respond_alone);
    return status;
}

static kane_status project(const kane_model *model, kane_work *work, int i, double *y)
{
    const kane_body *body  = &model->bodies[model->wheels[i].body];
    const kane_link *link  = &model->tree.links[body->link];
    const kane_guidance *g = &work->wheels[i].guidance;
    double *q = work->tree.q + link->q, *v = work->tree.v + link->v;
    kane_wrench motion;
    memcpy(q, y + body->q, KANE_COORDINATES * sizeof *q);
    for (int k = 0; k < body->u_count; k++)
        v[body->component[k]] = y[body->u + k];
    for (int iteration = 0; iteration < 20; iteration++) {
        const kane_status status = look(model, work, i);
        if (status != KANE_OK)
            return status;
        const double left = fabs(g->gap[0]) + fabs(g->gap[1]);
        if (left <= closed)
            break;
        if (iteration == 19) { // round-off keeps it from being less, or it was too far away
            if (!(left <= KANE_GAP_LEFT))
                return KANE_RETRY;
            break;
        }
        double step[KANE_COORDINATES];
        if (!correct(g, g->gap, &motion))
            return KANE_RETRY;
        kane_rates_from_velocity(q, motion.force, motion.torque, step);
        for (int c = 0; c < KANE_COORDINATES; c++)
            q[c] += step[c];
    }
    if (!correct(g, g->rate, &motion))
        return KANE_RETRY;
    memcpy(y + body->q, q, KANE_COORDINATES * sizeof *q);
    for (int k = 0; k < body->u_count; k++) {
        const int c    = body->component[k];
        y[body->u + k] = v[c] + (c < 3 ? kv3_get(motion.force, c) : kv3_get(motion.torque, c - 3));
    }
    return KANE_OK;
}

kane_status kane_guided_project(const kane_model *model, kane_work *work, double t, double *y)
{
    kane_frames_eval(model, work, t, y);
    kane_bases_eval(model, work);
    for (int i = 0; i < model->wheels_count; i++) {
        if (model->wheels[i].way != KANE_CONTACT_CONSTRAINT)
            continue;
        const kane_status status = project(model, work, i, y);
        if (status != KANE_OK)
            return kane_work_fail(work, status, model->bodies[model->wheels[i].body].name,
                                  "its wheels cannot be brought back onto the rails");
    }
    return KANE_OK;
}
