// SPDX-License-Identifier: MIT
// A wheelset on its rails: from its motion in the world to the motion of each wheel in the axes of its rail, and back
// (docs/theory.md, section 6).
//
// The rails are met where the plane through the wheelset's mass centre and normal to the line cuts it: a distance d
// ahead of the wheelset's track frame. d is small, so that plane follows from the frame by a Taylor series (position to
// third order in d, attitude to second), which costs no second look at the line.

#include "agem/wheels.h"

#include "agem/panels.h"

// A vector turned by a small rotation phi, to second order.
static kane_vec3 turn(kane_vec3 phi, kane_vec3 a)
{
    const kane_vec3 b = kv3_cross(phi, a);
    return kv3_add(a, kv3_add_scaled(b, 0.5, kv3_cross(phi, b)));
}

static kane_mat3 turn_axes(kane_vec3 phi)
{
    return (kane_mat3){turn(phi, kv3(1.0, 0.0, 0.0)), turn(phi, kv3(0.0, 1.0, 0.0)), turn(phi, kv3(0.0, 0.0, 1.0))};
}

// (r - delta(d)).t(d) = 0 with t = e_x + d n + d^2/2 m, delta' = t, n = Omega x e_x, m = Omega' x e_x + Omega x n
kane_section kane_wheels_cut(const kane_track_frame *g, kane_vec3 r)
{
    const kane_vec3 n = kv3(0.0, g->Omega.z, -g->Omega.y);
    const kane_vec3 m = kv3_add(kv3(0.0, g->Omega_s.z, -g->Omega_s.y), kv3_cross(g->Omega, n));
    double d          = r.x;
    kane_vec3 rest    = r;

    for (int i = 0; i < 2; i++) { // Newton: the first step leaves some 1e-6 d, the second nothing
        const kane_vec3 t = kv3_add(kv3(1.0, 0.0, 0.0), kv3_add_scaled(kv3_scale(d, n), 0.5 * d * d, m));
        const kane_vec3 delta =
            kv3_add(kv3(d, 0.0, 0.0), kv3_add_scaled(kv3_scale(0.5 * d * d, n), d * d * d / 6.0, m));
        rest = kv3_sub(r, delta);
        d += kv3_dot(rest, t) / (kv3_dot(t, t) - kv3_dot(rest, kv3_add_scaled(n, d, m)));
    }
    const kane_vec3 delta = kv3_add(kv3(d, 0.0, 0.0), kv3_add_scaled(kv3_scale(0.5 * d * d, n), d * d * d / 6.0, m));
    const kane_mat3 R     = turn_axes(kv3_add_scaled(kv3_scale(d, g->Omega), 0.5 * d * d, g->Omega_s));
    return (kane_section){
        .d = d, .R = R, .r = km3_tmulv(R, kv3_sub(r, delta)), .Omega = kv3_add_scaled(g->Omega, d, g->Omega_s)};
}

void kane_wheels_look_up(const kane_model *model, double s, kane_wheels_state *w)
{
    w->s = s;
    if (s == w->looked)
        return;
    for (int side = 0; side < 2; side++)
        if (kane_track_is_irregular(model->track))
            kane_track_rail(model->track, side, s, &w->offset[side]);
        else
            w->offset[side] = (kane_rail_offset){0};
    w->looked = s;
}

// Axes of a rail: x along its own tangent, which turns with the line and follows irregularities.
static kane_mat3 rail_axes(kane_vec3 Omega, kane_vec3 p, const kane_rail_offset *offset)
{
    kane_vec3 t    = kv3_add(kv3(1.0, offset->y_s, offset->z_s), kv3_cross(Omega, p));
    t              = kv3_scale(1.0 / kv3_norm(t), t);
    kane_vec3 left = kv3(-t.x * t.y, 1.0 - t.y * t.y, -t.z * t.y);
    left           = kv3_scale(1.0 / kv3_norm(left), left);
    return (kane_mat3){t, left, kv3_cross(t, left)};
}

// Motion of the wheelset in section axes, and of the panel that carries the rails (NULL: they are at rest).
typedef struct section_motion {
    kane_vec3 r, axle, v, w;
    const kane_body_state *panel;
} section_motion;

// Where rails are and how they move that lie on a panel: p and R come in as on rigid track.
static void carry(const kane_body_state *panel, kane_vec3 centre, kane_side side, kane_vec3 *p, kane_mat3 *R,
                  kane_wheels_state *w)
{
    *p              = kv3_add(panel->r, km3_mulv(panel->R, *p));
    *R              = km3_mul(panel->R, *R);
    w->above[side]  = kv3_sub(centre, panel->r);
    w->rail_v[side] = kv3_add(panel->v, kv3_cross(panel->w, w->above[side]));
    w->rail_w       = panel->w;
}

static void observe_wheel(const kane_model *model, const kane_wheels *wheels, kane_side side, const section_motion *m,
                          kane_wheels_state *w)
{
    const double outside           = side == KANE_LEFT ? 1.0 : -1.0;
    const kane_rail_offset *offset = &w->offset[side];

    kane_vec3 p            = kv3(0.0, outside * wheels->rail_distance[side] + offset->y, offset->z);
    kane_mat3 R            = rail_axes(w->Omega, p, offset);
    const kane_vec3 arm    = kv3_scale(outside * wheels->wheel_distance[side], m->axle);
    const kane_vec3 centre = kv3_add(m->r, arm);
    kane_vec3 velocity = kv3_add(m->v, kv3_cross(m->w, arm)), omega = m->w;
    kane_wheel_motion *motion = &w->motion[side];
    w->rail[side]             = p;
    if (m->panel) {
        carry(m->panel, centre, side, &p, &R, w);
        velocity = kv3_sub(velocity, w->rail_v[side]);
        omega    = kv3_sub(omega, w->rail_w);
    }
    w->R_rail[side]  = R;
    w->arm[side]     = arm;
    motion->centre   = km3_tmulv(R, kv3_sub(centre, p));
    motion->axle     = km3_tmulv(R, m->axle);
    motion->velocity = km3_tmulv(R, velocity);
    motion->omega    = km3_tmulv(R, omega);

    // never below -1 by rounding
    const double usual      = kane_track_get_definition(model->track)->friction;
    motion->friction_change = 0.0;
    if (kane_track_friction_changes(model->track))
        motion->friction_change = fmax(kane_track_friction(model->track, side, w->s) / usual - 1.0, -1.0);
}

void kane_wheels_observe_body(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                              const kane_body_state *b, kane_wheels_state *w)
{
    const int f             = model->bodies[wheels->body].track_frame;
    const kane_transport *T = &work->transport[f];
    const kane_vec3 r       = km3_tmulv(T->R, kv3_sub(b->r_w, T->r_o));
    const kane_section cut  = kane_wheels_cut(&work->track_frame[f], kv3_add(r, model->frames[f].beside));
    w->r                    = cut.r;
    w->R_s                  = km3_mul(T->R, cut.R);
    w->Omega                = cut.Omega;
    kane_wheels_look_up(model, work->s + model->frames[f].offset + cut.d, w);
    const section_motion m = {.r     = w->r,
                              .axle  = km3_tmulv(w->R_s, b->axle),
                              .v     = km3_tmulv(w->R_s, b->v_w),
                              .w     = km3_tmulv(w->R_s, b->w_w),
                              .panel = wheels->panel >= 0 ? &work->body[wheels->panel] : NULL};
    observe_wheel(model, wheels, KANE_LEFT, &m, w);
    observe_wheel(model, wheels, KANE_RIGHT, &m, w);
}

void kane_wheels_observe(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        kane_wheels_observe_body(model, work, wheels, &work->body[wheels->body], &work->wheels[i]);
    }
}

kane_status kane_wheels_eval(const kane_model *model, kane_work *work)
{
    kane_wheels_observe(model, work);
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        kane_wheels_state *w      = &work->wheels[i];
        kane_wrench sum           = {kv3_zero(), kv3_zero()}; // at the mass centre, section axes
        if (wheels->way != KANE_CONTACT_ELASTIC)              // guided.c finds what presses them onto their rails
            continue;

        for (int side = 0; side < 2; side++) {
            const kane_status status = kane_contact_eval(wheels->contact, side, &w->motion[side], &w->result[side]);
            if (status != KANE_OK)
                return kane_work_fail(work, status, model->bodies[wheels->body].name,
                                      side == KANE_LEFT ? "its left wheel is far from any place on the rail"
                                                        : "its right wheel is far from any place on the rail");
            const kane_vec3 force  = km3_mulv(w->R_rail[side], w->result[side].on_wheel.force);
            const kane_vec3 torque = km3_mulv(w->R_rail[side], w->result[side].on_wheel.torque);
            sum.force              = kv3_add(sum.force, force);
            sum.torque             = kv3_add(kv3_add(sum.torque, torque), kv3_cross(w->arm[side], force));
            if (wheels->panel >= 0)
                kane_panel_press(&work->body[wheels->panel], w->above[side], force, torque);
        }
        kane_wrench *applied = &work->body[wheels->body].applied;
        applied->force       = kv3_add(applied->force, km3_mulv(w->R_s, sum.force));
        applied->torque      = kv3_add(applied->torque, km3_mulv(w->R_s, sum.torque));
    }
    return KANE_OK;
}

const kane_contact_result *kane_get_contact(const kane_model *model, const kane_work *work, int body, kane_side side,
                                            double *lift)
{
    const int i = model->bodies[body].wheels;
    if (i < 0)
        return NULL;
    *lift = kane_wheels_lift(&model->wheels[i], &work->wheels[i], side);
    return &work->wheels[i].result[side];
}
