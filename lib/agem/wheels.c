// SPDX-License-Identifier: MIT
// A wheelset on its rails: from its motion in the world to the motion of each wheel in the axes of its rail, and back
// (docs/theory.md, section 6).
//
// A wheel meets its rail in the section plane through the wheel's centre and normal to the line, a distance d ahead of
// the rail frame. That frame is at the wheelset's place on the line, whatever frame describes the body, and passes a
// section joint with the wheelset. d is small, so the plane follows from the frame by a Taylor series (position to
// third order in d, attitude to second), without another evaluation of the line.
//
// Each wheel has its own plane, because a yawed wheelset has one wheel ahead of the other. In a common plane a rail
// that rises, falls or bends would be misplaced, and its effect on the yaw would be lost.

#include "agem/wheels.h"

#include "contact/side.h"

// Axes of the section d ahead, to those of the frame, to second order in the small rotation phi:
//   R = 1 + [phi] + [phi]^2/2,   phi = d (Omega + d Omega'/2)
static inline kane_mat3 section_axes(const kane_track_frame *g, double d)
{
    const kane_vec3 phi = kv3_scale(d, kv3_add_scaled(g->Omega, 0.5 * d, g->Omega_s)), half = kv3_scale(0.5, phi);
    const double xx = half.x * phi.x, yy = half.y * phi.y, zz = half.z * phi.z;
    const double xy = half.x * phi.y, yz = half.y * phi.z, zx = half.z * phi.x;
    return (kane_mat3){{1.0 - (yy + zz), xy + phi.z, zx - phi.y},
                       {xy - phi.z, 1.0 - (zz + xx), yz + phi.x},
                       {zx + phi.y, yz - phi.x, 1.0 - (xx + yy)}};
}

// The section with the point r [m], frame axes:  (r - delta(d)).t(d) = 0,  t = e_x + d n + d^2/2 m,  delta' = t,
// n = Omega x e_x,  m = Omega' x e_x + Omega x n, that is
//   r_x - (1 - r.n) d + r.m d^2/2 + n.n d^3/6 = 0        without 5/12 n.m d^4, which is below round-off
static inline void find_point_section(const kane_track_frame *g, kane_vec3 r, kane_section *section)
{
    const double ny = g->Omega.z, nz = -g->Omega.y, square = ny * ny + nz * nz;
    const kane_vec3 m  = kv3(-square, g->Omega_s.z + g->Omega.x * g->Omega.y, g->Omega.x * g->Omega.z - g->Omega_s.y);
    const double share = 1.0 / (1.0 - (r.y * ny + r.z * nz)), second = 0.5 * kv3_dot(r, m), cube = square * (1.0 / 6.0);
    const double near = r.x * share, d = (r.x + near * near * (second + near * cube)) * share; // 1e-6 off, 1e-12 off
    const double d2 = 0.5 * d * d, d3 = d * d2 * (1.0 / 3.0);
    const kane_vec3 rest = kv3(r.x - d - d3 * m.x, r.y - d2 * ny - d3 * m.y, r.z - d2 * nz - d3 * m.z);
    section->d           = d;
    section->R           = section_axes(g, d);
    section->r           = km3_tmulv(section->R, rest);
    section->Omega       = kv3_add_scaled(g->Omega, d, g->Omega_s);
}

// find_point_section
kane_section kane_wheels_cut(const kane_track_frame *g, kane_vec3 r)
{
    kane_section section;
    find_point_section(g, r, &section);
    return section;
}

// Offset of the rail at s, evaluated once for equal s.
void kane_wheels_offset(const kane_model *model, kane_side side, double s, kane_wheels_state *w)
{
    if (s == w->offset_at[side])
        return;
    if (kane_track_is_irregular(model->track))
        kane_track_rail(model->track, side, s, &w->offset[side]);
    else
        w->offset[side] = (kane_rail_offset){0};
    w->offset_at[side] = s;
}

// Distance of the middle of the axle ahead of the frame: mean of both sections' d, weighted by the path of each wheel
// per metre of line, 1 + (Omega x r)_x: the outer one is longer in a curve.
static double axle_middle_distance(const kane_section *left, const kane_section *right)
{
    const double l = 1.0 + kv3_cross(left->Omega, left->r).x, r = 1.0 + kv3_cross(right->Omega, right->r).x;
    return (l * left->d + r * right->d) / (l + r);
}

// Sections of both wheels, places of the wheel centres, and the rails there: section, R_s, arm, s_at, offset, rail, s.
static void find_rails(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                       const kane_body_state *b, kane_wheels_state *w)
{
    const int f                 = wheels->frame;
    const kane_wheel_model *own = &kane_wheel_models[wheels->contact_model];
    const kane_transport *T     = &work->transport[f];
    const kane_track_frame *g   = &work->track_frame[f];
    const double start          = work->s + model->frames[f].offset;
    const kane_vec3 r = km3_tmulv(T->R, kv3_sub(b->r_w, T->r_o)), axle = km3_tmulv(T->R, b->axle);
    for (int side = 0; side < 2; side++) {
        const double arm      = side_sign(side) * wheels->wheel_distance[side];
        kane_section *section = &w->section[side];
        if (!own->has_one_section)
            find_point_section(g, kv3_add_scaled(r, arm, axle), section);
        else if (side == 0)
            find_point_section(g, r, section);
        else
            *section = w->section[0];
        w->R_s[side]  = km3_mul(T->R, section->R);
        w->arm[side]  = kv3_scale(arm, km3_tmulv(section->R, axle));
        w->s_at[side] = start + section->d;
        kane_wheels_offset(model, side, w->s_at[side], w);
        const double distance = side_sign(side) * wheels->rail_distance[side];
        own->see_rail(section->Omega, g->Omega_s, distance, &w->offset[side], &w->rail[side]);
    }
    const double d = axle_middle_distance(&w->section[KANE_LEFT], &w->section[KANE_RIGHT]);
    w->s           = start + d;
}

// A rail on a panel (docs/theory.md, section 11):
//   p = e + R_x(phi) p_0,   rail velocity at the wheel centre v + w x (r - e)
//   rail  on entry: that of rigid track; then its origin is R_x(phi) p_0, that is, against the panel's middle
// The panel is along the line: its components are the same in both wheels' sections.
static void move_rail_with_panel(const kane_body_state *panel, kane_vec3 centre, kane_side side, kane_rail_view *rail,
                                 kane_wheels_state *w)
{
    rail->origin    = km3_mulv(panel->R, rail->origin);
    rail->R         = km3_mul(panel->R, rail->R);
    w->above[side]  = kv3_sub(centre, panel->r);
    w->rail_v[side] = kv3_add(panel->v, kv3_cross(panel->w, w->above[side]));
    w->rail_w       = panel->w;
}

// friction_change = mu(s)/mu - 1, at least -1: not below by rounding.
void kane_wheels_rail_at(const kane_model *model, kane_side side, double s, kane_wheel_motion *motion)
{
    if (kane_track_profile_changes(model->track))
        kane_track_profile(model->track, side, s, &motion->blend);

    // never below -1 by rounding
    const double usual      = kane_track_get_definition(model->track)->friction;
    motion->friction_change = 0.0;
    if (kane_track_friction_changes(model->track))
        motion->friction_change = fmax(kane_track_friction(model->track, side, s) / usual - 1.0, -1.0);
}

// Motion of a wheel in the axes of its rail, R rail to section axes:
//   centre R' (c - p),   velocity R' (v + w x arm - v_rail),   omega R' (w - w_rail),   turn K/length
static void observe_wheel(const kane_model *model, const kane_work *work, const kane_wheels *wheels, kane_side side,
                          const kane_body_state *b, kane_wheels_state *w)
{
    const kane_mat3 R_s = w->R_s[side];
    const kane_vec3 at = w->section[side].r, arm = w->arm[side], body_w = km3_tmulv(R_s, b->w_w);
    const kane_vec3 centre = kane_wheel_models[wheels->contact_model].has_one_section ? kv3_add(at, arm) : at;
    kane_rail_view *rail   = &w->rail[side];
    kane_vec3 p = rail->origin, velocity = kv3_add(km3_tmulv(R_s, b->v_w), kv3_cross(body_w, arm)), omega = body_w;
    if (wheels->panel >= 0) {
        move_rail_with_panel(&work->body[wheels->panel], centre, side, rail, w);
        p        = kv3_add(work->body[wheels->panel].r, rail->origin);
        velocity = kv3_sub(velocity, w->rail_v[side]);
        omega    = kv3_sub(omega, w->rail_w);
    }
    const kane_mat3 R         = rail->R;
    kane_wheel_motion *motion = &w->motion[side];
    motion->centre            = km3_tmulv(R, kv3_sub(centre, p));
    motion->axle              = km3_tmulv(R, kv3_scale(side_sign(side) / wheels->wheel_distance[side], arm));
    motion->velocity          = km3_tmulv(R, velocity);
    motion->omega             = km3_tmulv(R, omega);
    motion->turn              = kv3_scale(1.0 / rail->length, rail->K);

    kane_wheels_rail_at(model, side, w->s_at[side], motion);
}

// Sections and rails, then the motion of both wheels.
void kane_wheels_observe_body(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                              const kane_body_state *b, kane_wheels_state *w)
{
    find_rails(model, work, wheels, b, w);
    observe_wheel(model, work, wheels, KANE_LEFT, b, w);
    observe_wheel(model, work, wheels, KANE_RIGHT, b, w);
}

void kane_wheels_observe(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        kane_wheels_observe_body(model, work, wheels, &work->body[wheels->body], &work->wheels[i]);
    }
}

// Elastic contacts: wrench of each wheel at its centre, rail axes, to the mass centre (torque + arm x force), world
// axes; its opposite on the panel. Other wheels: rail_constraint.c.
kane_status kane_wheels_eval(const kane_model *model, kane_work *work)
{
    const int has_check_rails = model->wheels_count > 0 && kane_track_has_check_rails(model->track);
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels   = &model->wheels[i];
        kane_wheels_state *w        = &work->wheels[i];
        const kane_wheel_model *own = &kane_wheel_models[wheels->contact_model];
        kane_wrench sum             = {kv3_zero(), kv3_zero()}; // at the mass centre, world axes
        if (!own->press && !has_check_rails)
            continue;

        for (int side = 0; side < 2; side++) {
            const kane_status status =
                own->press ? own->press(wheels->contact, side, &w->motion[side], &w->result[side]) : KANE_OK;
            if (status != KANE_OK)
                return kane_work_fail(work, status, model->bodies[wheels->body].name,
                                      side == KANE_LEFT ? "its left wheel is far from any place on the rail"
                                                        : "its right wheel is far from any place on the rail");
            kane_wrench on_wheel = own->press ? w->result[side].on_wheel : (kane_wrench){kv3_zero(), kv3_zero()};
            if (has_check_rails) {
                kane_check_rail_eval(model, wheels, side, w);
                on_wheel = kw_add(on_wheel, w->check[side].on_wheel);
            }
            const kane_vec3 force  = km3_mulv(w->rail[side].R, on_wheel.force);
            const kane_vec3 torque = km3_mulv(w->rail[side].R, on_wheel.torque);
            const kane_vec3 about  = kv3_add(torque, kv3_cross(w->arm[side], force));
            sum.force              = kv3_add(sum.force, km3_mulv(w->R_s[side], force));
            sum.torque             = kv3_add(sum.torque, km3_mulv(w->R_s[side], about));
            if (wheels->panel >= 0)
                kane_panel_press(&work->body[wheels->panel], w->above[side], force, torque);
        }
        kane_wrench *applied = &work->body[wheels->body].applied;
        *applied             = kw_add(*applied, sum);
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

// === How a rail lies in a section of the line.

// p = (0, distance + y, z) and its derivatives by s; left = e_y.
kane_reference_line kane_rail_line(double distance, const kane_rail_offset *o)
{
    return (kane_reference_line){.p     = kv3(0.0, distance + o->y, o->z),
                                 .p_s   = kv3(0.0, o->y_s, o->z_s),
                                 .p_ss  = kv3(0.0, o->y_ss, o->z_ss),
                                 .p_sss = kv3(0.0, o->y_sss, o->z_sss),
                                 .left  = kv3_unit(1)};
}

// t = e_x + p' + Omega x p,   x = t/|t|,   y: `left` without its part along x,   length = |t|.
kane_mat3 kane_rail_axes(kane_vec3 Omega, const kane_reference_line *g, double *length)
{
    const kane_vec3 t = kv3_add(kv3_add(kv3(1.0, 0.0, 0.0), g->p_s), kv3_cross(Omega, g->p));
    kane_mat3 R;
    *length           = kv3_norm(t);
    R.x               = kv3_scale(1.0 / *length, t);
    const kane_vec3 y = kv3_add_scaled(g->left, -kv3_dot(R.x, g->left), R.x);
    R.y               = kv3_scale(1.0 / kv3_norm(y), y);
    R.z               = kv3_cross(R.x, R.y);
    return R;
}

// How Q itself turns against the section: own.x = y'.z, own.y = -x'.z, own.z = x'.y for the axes x, y, z of Q.
typedef struct own_turn {
    kane_vec3 own;
    double stretch; // change of the length
    kane_vec3 x_s;  // x', Q's axes
} own_turn;

// Derivatives by s:  t' = p'' + Omega' x p + Omega x p',  length' = x.t',  x' = (t' - length' x)/length; twist from
// `left`.
static own_turn turn_of(kane_vec3 Omega, kane_vec3 Omega_s, const kane_reference_line *g, kane_mat3 R, double length)
{
    const kane_vec3 t_s  = kv3_add(kv3_add(g->p_ss, kv3_cross(Omega_s, g->p)), kv3_cross(Omega, g->p_s));
    const double stretch = kv3_dot(R.x, t_s);
    const kane_vec3 x_s  = km3_tmulv(R, kv3_scale(1.0 / length, kv3_add_scaled(t_s, -stretch, R.x)));
    const double twist   = (kv3_dot(g->left_s, R.z) - x_s.z * kv3_dot(R.x, g->left)) / kv3_dot(g->left, R.y);
    return (own_turn){kv3(twist, -x_s.z, x_s.y), stretch, x_s};
}

// K = R' Omega + own: turn of Q by metre of line, Q's axes.
static kane_rail_view view_of(kane_vec3 Omega, const kane_reference_line *g, kane_mat3 R, double length, kane_vec3 own)
{
    return (kane_rail_view){.origin = g->p, .R = R, .K = kv3_add(km3_tmulv(R, Omega), own), .length = length};
}

// kane_rail_axes, turn_of and view_of of one rail, written out without the zero terms, for speed. K_s is not set.
void kane_rail_see(kane_vec3 Omega, kane_vec3 Omega_s, double distance, const kane_rail_offset *o, kane_rail_view *view)
{
    const double y = distance + o->y, z = o->z;
    const kane_vec3 t   = kv3(1.0 + Omega.y * z - Omega.z * y, o->y_s - Omega.x * z, o->z_s + Omega.x * y);
    const kane_vec3 t_s = kv3(Omega_s.y * z - Omega_s.z * y + Omega.y * o->z_s - Omega.z * o->y_s,
                              o->y_ss - Omega_s.x * z - Omega.x * o->z_s, o->z_ss + Omega_s.x * y + Omega.x * o->y_s);
    kane_mat3 R;
    const double length = kv3_norm(t), per = 1.0 / length;
    R.x                 = kv3_scale(per, t);
    const double across = sqrt(1.0 - R.x.y * R.x.y), back = -R.x.y / across;
    R.y               = kv3(back * R.x.x, across, back * R.x.z);
    R.z               = kv3_cross(R.x, R.y);
    const double left = per * kv3_dot(R.y, t_s), up = per * kv3_dot(R.z, t_s);
    view->origin = kv3(0.0, y, z);
    view->R      = R;
    view->K      = kv3(kv3_dot(R.x, Omega) + up * back, kv3_dot(R.y, Omega) - up, kv3_dot(R.z, Omega) + left);
    view->length = length;
}

// Derivative of Q's own turn by s: its components (above, with left.z = 0) differentiated once more.
//   bend  part of x'' that is not due to the turn, Q's axes
static kane_vec3 turn_change(const kane_reference_line *g, kane_mat3 R, kane_vec3 own, kane_vec3 second)
{
    const double across = kv3_dot(g->left, R.y), ahead = kv3_dot(g->left, R.x);
    const double pitch = own.x * own.z - second.z, yaw = second.y - own.x * own.y;
    const double twist = kv3_dot(g->left_ss, R.z) +
                         2.0 * (own.y * kv3_dot(g->left_s, R.x) - own.x * kv3_dot(g->left_s, R.y)) +
                         (pitch + own.x * own.z) * ahead;
    return kv3(twist / across + own.y * own.z, pitch, yaw);
}

// Q with K_s = R' Omega' - own x (R' Omega) + own'. Omega'' is left out.
kane_rail_view kane_rail_frame_acceleration(kane_vec3 Omega, kane_vec3 Omega_s, const kane_reference_line *g)
{
    double length;
    const kane_mat3 R = kane_rail_axes(Omega, g, &length);
    const own_turn o  = turn_of(Omega, Omega_s, g, R, length);
    const kane_vec3 t_ss =
        kv3_add(kv3_add_scaled(g->p_sss, 2.0, kv3_cross(Omega_s, g->p_s)), kv3_cross(Omega, g->p_ss));
    const kane_vec3 x_ss   = kv3_scale(1.0 / length, kv3_add_scaled(km3_tmulv(R, t_ss), -2.0 * o.stretch, o.x_s));
    const kane_vec3 change = kv3_sub(km3_tmulv(R, Omega_s), kv3_cross(o.own, km3_tmulv(R, Omega)));

    kane_rail_view view = view_of(Omega, g, R, length, o.own);
    view.K_s            = kv3_add(turn_change(g, R, o.own, x_ss), change);
    return view;
}
