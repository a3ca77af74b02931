// SPDX-License-Identifier: MIT
// Derivatives of what guided wheels get from their rails, exactly.
//
// Differentiated are  Theta u' = f + C(N, x)  and  bias(x) + direction(x) . V_dot = 0:  while N and V_dot stay, the
// motion x of the wheelset changes C and the gaps' accelerations; N follows, so that the gaps stay (derive_rails.c).
//
// All is one pass of the text of rail_constraint_path.h in numbers with slopes by displacement and rotation, one by
// the speeds; two more by those of a panel of flexible track. A displacement carries the section along as a velocity
// does: by dd = share (displacement of the point).x
// along the line, and in a metre of that all vectors of the section change by the turn Omega, those of Q by K, and
// offsets of the rails as they say.

#include "agem/bodies.h"
#include "agem/rail_constraint.h"
#include "agem/rail_constraint_path.h"
#include "contact/gap_places.h"

#include <string.h>

enum { DIRECTIONS = 6 };

// Changes of vectors in six directions.
typedef kane_vec3 changes[DIRECTIONS];

static kane_scalar scalar_with(double v, const double d[DIRECTIONS])
{
    return (kane_scalar){{{d[0], d[1]}, {d[2], d[3]}, {d[4], d[5]}}, v};
}

static kane_scalar3 vector_with(kane_vec3 v, const changes d)
{
    const double x[DIRECTIONS] = {d[0].x, d[1].x, d[2].x, d[3].x, d[4].x, d[5].x},
                 y[DIRECTIONS] = {d[0].y, d[1].y, d[2].y, d[3].y, d[4].y, d[5].y},
                 z[DIRECTIONS] = {d[0].z, d[1].z, d[2].z, d[3].z, d[4].z, d[5].z};
    return ks3(scalar_with(v.x, x), scalar_with(v.y, y), scalar_with(v.z, z));
}

// A number that changes along the line.
static kane_scalar scalar_along_line(double v, double v_s, kane_tangents d)
{
    return (kane_scalar){kane_tangents_scale(v_s, d), v};
}

static kane_scalar3 vector_along_line(kane_vec3 v, kane_vec3 v_s, kane_tangents d)
{
    return ks3(scalar_along_line(v.x, v_s.x, d), scalar_along_line(v.y, v_s.y, d), scalar_along_line(v.z, v_s.z, d));
}

// Axes that turn by K per metre, components along themselves.
static cm carried_axes(kane_mat3 R, kane_vec3 K, kane_tangents d)
{
    return (cm){vector_along_line(R.x, km3_mulv(R, kv3_cross(K, kv3_unit(0))), d),
                vector_along_line(R.y, km3_mulv(R, kv3_cross(K, kv3_unit(1))), d),
                vector_along_line(R.z, km3_mulv(R, kv3_cross(K, kv3_unit(2))), d)};
}

// How a body moves in six directions.
typedef struct body_changes {
    changes move, turn, v, w;
} body_changes;

// Those of a wheelset, frame axes, and of the panel under it, section axes.
typedef struct rail_changes {
    body_changes of[KANE_RAIL_ENDS];
} rail_changes;

enum { PASSES = 2 * KANE_RAIL_ENDS }; // pose and speeds of each end

// Directions of its displacement and its rotation.
static void by_pose(body_changes *c)
{
    for (int k = 0; k < 3; k++) {
        c->move[k]     = kv3_unit(k);
        c->turn[3 + k] = kv3_unit(k);
    }
}

static void by_speeds(body_changes *c)
{
    for (int k = 0; k < 3; k++) {
        c->v[k]     = kv3_unit(k);
        c->w[3 + k] = kv3_unit(k);
    }
}

// Changes along the line that a rail's view does not know itself: of K_s and of the length. From the line and the rail
// as Taylor series of them go on, by central differences of what are rational functions of these: exact to 1e-9.
typedef struct view_change {
    kane_vec3 K_ss;
    double length_s;
} view_change;

static kane_reference_line line_ahead(const kane_reference_line *g, kane_vec3 p_ssss, kane_vec3 left_ssss, double h)
{
    kane_reference_line to = *g;
    const double h2 = 0.5 * h * h, h3 = h2 * h / 3.0;
    to.p       = kv3_add_scaled(kv3_add_scaled(kv3_add_scaled(g->p, h, g->p_s), h2, g->p_ss), h3, g->p_sss);
    to.p_s     = kv3_add_scaled(kv3_add_scaled(g->p_s, h, g->p_ss), h2, g->p_sss);
    to.p_ss    = kv3_add_scaled(g->p_ss, h, g->p_sss);
    to.p_sss   = kv3_add_scaled(g->p_sss, h, p_ssss);
    to.left    = kv3_add_scaled(kv3_add_scaled(kv3_add_scaled(g->left, h, g->left_s), h2, g->left_ss), h3, g->left_sss);
    to.left_s  = kv3_add_scaled(kv3_add_scaled(g->left_s, h, g->left_ss), h2, g->left_sss);
    to.left_ss = kv3_add_scaled(g->left_ss, h, g->left_sss);
    to.left_sss = kv3_add_scaled(g->left_sss, h, left_ssss);
    return to;
}

static view_change view_changes(kane_vec3 Omega, kane_vec3 Omega_s, const kane_reference_line *line, kane_vec3 p_ssss,
                                kane_vec3 left_ssss)
{
    const double h                  = 1e-3; // [m]
    const kane_reference_line ahead = line_ahead(line, p_ssss, left_ssss, h),
                              back  = line_ahead(line, p_ssss, left_ssss, -h);
    const kane_rail_view up         = kane_rail_frame_acceleration(kv3_add_scaled(Omega, h, Omega_s), Omega_s, &ahead),
                         down       = kane_rail_frame_acceleration(kv3_add_scaled(Omega, -h, Omega_s), Omega_s, &back);
    return (view_change){kv3_scale(0.5 / h, kv3_sub(up.K_s, down.K_s)), 0.5 / h * (up.length - down.length)};
}

// Differences of the third, which is piecewise a parabola.
kane_vec3 kane_rail_fourth_derivative(const kane_model *model, kane_side side, double s)
{
    const double h = 1e-4; // [m]
    kane_rail_offset up, down;
    if (!kane_track_is_irregular(model->track))
        return kv3_zero();
    kane_track_rail(model->track, side, s + h, &up);
    kane_track_rail(model->track, side, s - h, &down);
    return kv3(0.0, 0.5 / h * (up.y_sss - down.y_sss), 0.5 / h * (up.z_sss - down.z_sss));
}

double kane_rail_friction_change(const kane_model *model, kane_side side, double s)
{
    const double h = 1e-4; // [m]
    if (!kane_track_friction_changes(model->track))
        return 0.0;
    return 0.5 / h * (kane_track_friction(model->track, side, s + h) - kane_track_friction(model->track, side, s - h)) /
           kane_track_get_definition(model->track)->friction;
}

// Differences of the second, a cubic.
double kane_rail_share_third_derivative(const kane_model *model, kane_side side, double s)
{
    const double h = 1e-4; // [m]
    kane_rail_blend up, down;
    if (!kane_track_profile_changes(model->track))
        return 0.0;
    kane_track_profile(model->track, side, s + h, &up);
    kane_track_profile(model->track, side, s - h, &down);
    return 0.5 / h * (up.share_ss - down.share_ss);
}

// Share of the second profile, and its derivatives in time, of a section with motion m that goes on by d.
static void seed_share(const kane_rail_blend *blend, double share_sss, const section_motion *m, kane_tangents d,
                       path_scalars *path)
{
    const kane_scalar share_ss = scalar_along_line(blend->share_ss, share_sss, d);
    path->share                = scalar_along_line(blend->share, blend->share_s, d);
    path->share_s              = scalar_along_line(blend->share_s, blend->share_ss, d);
    path->share_rate           = ks_mul(path->share_s, m->sigma);
    path->share_accel = ks_add(ks_mul(ks_mul(share_ss, m->sigma), m->sigma), ks_mul(path->share_s, m->sigma_dot));
}

// How far the section goes on, and what its point does in it. arm: of the point from the mass centre, frame axes.
static kane_tangents lay_section(const kane_section *section, kane_mat3 R, kane_vec3 arm, const body_changes *c,
                                 guided_pose *g)
{
    const double share = 1.0 / (1.0 + kv3_cross(section->Omega, section->r).x);
    const kane_vec3 go = kv3_add(kv3_unit(0), kv3_cross(section->Omega, section->r));
    double ahead[DIRECTIONS];
    changes at, lever, axle;
    const kane_vec3 lever_in = km3_tmulv(R, arm), axle_in = ks3_value(g->axle);
    for (int k = 0; k < DIRECTIONS; k++) {
        const kane_vec3 turn  = km3_tmulv(R, c->turn[k]);
        const kane_vec3 point = kv3_add(km3_tmulv(R, c->move[k]), kv3_cross(turn, lever_in));
        ahead[k]              = point.x * share;
        const kane_vec3 left  = kv3_add_scaled(turn, -ahead[k], section->Omega);
        at[k]                 = kv3_add_scaled(point, -ahead[k], go);
        lever[k]              = kv3_cross(left, lever_in);
        axle[k]               = kv3_cross(left, axle_in);
    }
    const kane_tangents d = scalar_with(0.0, ahead).t;
    g->R = g->R_w = carried_axes(R, section->Omega, d);
    g->at         = vector_with(section->r, at);
    g->Omega      = vector_along_line(section->Omega, g->Omega_s, d);
    g->arm        = vector_with(lever_in, lever);
    g->axle       = vector_with(axle_in, axle);
    return d;
}

static void seed_motion(const kane_transport *T, const kane_body_state *b, const body_changes *c, guided_pose *g)
{
    changes v, w;
    for (int k = 0; k < DIRECTIONS; k++) {
        v[k] = kv3_add(c->v[k], kv3_cross(T->omega, c->move[k]));
        w[k] = c->w[k];
    }
    g->r   = vector_with(b->r, c->move);
    g->v   = vector_with(b->v, c->v);
    g->w   = vector_with(b->w, c->w);
    g->v_w = vector_with(km3_tmulv(T->R, b->v_w), v);
    g->w_w = vector_with(km3_tmulv(T->R, b->w_w), w);
}

static void seed_view(const kane_rail_view *q, kane_vec3 Omega, kane_vec3 p_s, const view_change *change,
                      kane_tangents d, guided_pose *g)
{
    const kane_vec3 own = kv3_sub(q->K, km3_tmulv(q->R, Omega));
    g->Q                = carried_axes(q->R, own, d);
    g->origin           = vector_along_line(q->origin, p_s, d);
    g->K                = vector_along_line(q->K, q->K_s, d);
    g->K_s              = vector_along_line(q->K_s, change->K_ss, d);
    g->length           = scalar_along_line(q->length, change->length_s, d);
}

// The panel under the wheels, and the wheels' motion against it. NULL: the track is rigid.
typedef struct panel_motion {
    const kane_body_state *body;
    panel_pose pose;
    panel_carry carry;  // what guided_direction needs
    kane_scalar3 above; // the section's point from the panel's middle
    kane_scalar3 v, w;  // its velocity and the angular velocity of the wheelset against the rail
} panel_motion;

// A unit vector of axes that turn.
static kane_scalar3 turned_axis(kane_vec3 axis, const changes turn)
{
    changes moves;
    for (int k = 0; k < DIRECTIONS; k++)
        moves[k] = kv3_cross(turn[k], axis);
    return vector_with(axis, moves);
}

static void seed_panel(const kane_body_state *b, const body_changes *c, panel_motion *panel)
{
    panel->body = b;
    panel->pose =
        (panel_pose){.R = {turned_axis(b->R.x, c->turn), turned_axis(b->R.y, c->turn), turned_axis(b->R.z, c->turn)},
                     .r = vector_with(b->r, c->move),
                     .v = vector_with(b->v, c->v),
                     .w = vector_with(b->w, c->w)};
}

// Turns a rail's view, that of rigid track, with the panel.
static void turn_view(const panel_motion *panel, guided_pose *g)
{
    if (!panel)
        return;
    g->Q      = (cm){cm_mulv(&panel->pose.R, g->Q.x), cm_mulv(&panel->pose.R, g->Q.y), cm_mulv(&panel->pose.R, g->Q.z)};
    g->origin = cm_mulv(&panel->pose.R, g->origin);
}

// The view of rigid track.
static kane_rail_view view_at_rest(const kane_rail_view *q, const kane_body_state *panel)
{
    kane_rail_view at_rest = *q;
    if (panel) {
        at_rest.R      = km3_tmul(panel->R, q->R);
        at_rest.origin = km3_tmulv(panel->R, q->origin);
    }
    return at_rest;
}

// Motion of the section's point against the rail: as the rail sees it (section_on_panel).
static section_motion meet_panel(const guided_pose *g, const section_motion *m, panel_motion *panel)
{
    section_motion seen = *m;
    panel->above        = ks3_sub(m->r, panel->pose.r);
    panel->v            = ks3_sub(m->v, ks3_add(panel->pose.v, ks3_cross(panel->pose.w, panel->above)));
    panel->w            = ks3_sub(m->w, panel->pose.w);
    panel->carry        = section_on_panel(&panel->pose, g, &seen);
    return seen;
}

// Wrench about a wheel's centre, rail axes, as one at the mass centre, frame axes.
static wrench_scalars to_body(const guided_pose *g, kane_scalar3 arm, const kane_scalar3 on_wheel[2])
{
    const kane_scalar3 force  = cm_mulv(&g->Q, on_wheel[0]);
    const kane_scalar3 torque = ks3_add(cm_mulv(&g->Q, on_wheel[1]), ks3_cross(arm, force));
    return (wrench_scalars){cm_mulv(&g->R, force), cm_mulv(&g->R, torque)};
}

// What columns are made of.
typedef struct answer {
    wrench_scalars wrench, on_panel;
    kane_scalar bias[2];
    kane_scalar rate[2]; // of gaps; by tables those of height and roll over the tables
} answer;

// Adds creep and normal forces of a wheel, and those of a check rail, and their reactions on the panel. d: of its
// section along the line; arm: from the mass centre, section axes; direction: of one newton; from: the section's point
// from the mass centre.
static kane_status add_wheel_forces(const kane_model *model, const kane_wheels *wheels, const kane_wheels_state *w,
                                    kane_side side, kane_tangents d, const guided_pose *g, kane_scalar3 arm,
                                    const gap_point *spot, const motion_scalars *motion,
                                    const wrench_scalars *direction, const panel_motion *panel, kane_scalar3 from,
                                    answer *out)
{
    const double N = w->guidance.N[side];
    kane_scalar3 creep[2], check[2];
    const kane_status status =
        kane_rigid_derive(wheels->contact, side, spot, motion, kane_guidance_creep_load(&w->guidance, side), creep);
    if (w->check[side].N != 0.0) {
        const kane_scalar s = scalar_along_line(w->s_at[side], 1.0, d);
        kane_check_rail_follow(model, wheels, side, w, motion, &s, check);
        for (int k = 0; k < 2; k++)
            creep[k] = ks3_add(creep[k], check[k]);
    }
    const wrench_scalars on  = to_body(g, arm, creep);
    const wrench_scalars all = {ks3_add(on.force, ks3_by(N, direction->force)),
                                ks3_add(on.torque, ks3_by(N, direction->torque))};
    out->wrench.force        = ks3_add(out->wrench.force, all.force);
    out->wrench.torque       = ks3_add(out->wrench.torque, all.torque);
    if (panel) {
        const wrench_scalars reaction = guided_reaction(g, ks3_sub(panel->above, from), &all);
        out->on_panel.force           = ks3_add(out->on_panel.force, reaction.force);
        out->on_panel.torque          = ks3_add(out->on_panel.torque, reaction.torque);
    }
    return status;
}

static kane_scalar with_accelerations(kane_scalar bias, const wrench_scalars *direction, const kane_body_state *b)
{
    return ks_add(bias, ks_add(ks3_along(direction->force, b->a), ks3_along(direction->torque, b->e)));
}

// ... those of the panel as well.
static kane_scalar with_all_accelerations(kane_scalar bias, const guided_pose *g, const wrench_scalars *direction,
                                          const kane_body_state *b, const panel_motion *panel, kane_scalar3 from)
{
    const kane_scalar of_body = with_accelerations(bias, direction, b);
    if (!panel)
        return of_body;
    const wrench_scalars reaction = guided_reaction(g, ks3_sub(panel->above, from), direction);
    return with_accelerations(of_body, &reaction, panel->body);
}

// What of a rail changes along the line by one more derivative than its state has.
typedef struct rail_change {
    double friction_s, share_sss;
} rail_change;

// One wheel as a constraint, in one pass: the first one finds the derivatives of its gap, `around`.
static kane_status derive_wheel(const kane_model *model, const kane_transport *T, const kane_wheels *wheels,
                                const kane_wheels_state *w, kane_side side, kane_tangents d, int is_first,
                                gap_curve *around, const guided_pose *g, panel_motion *panel, const rail_change *rail,
                                const kane_body_state *b, answer *out)
{
    const section_motion own = section_move(T, g);
    const section_motion m   = panel ? meet_panel(g, &own, panel) : own;
    guided_path p            = guided_rates(&m, g);
    guided_accelerations(&m, g, &p);
    const kane_wheel_path values = guided_path_value(&p, &m, &w->motion[side].blend);
    const kane_status found      = is_first ? kane_gap_curve(wheels->contact, side, &values, around) : KANE_OK;
    if (found != KANE_OK)
        return found;
    path_scalars path = {.centre       = p.centre,
                         .centre_rate  = p.centre_rate,
                         .centre_accel = p.centre_accel,
                         .axle         = p.axle,
                         .axle_rate    = p.axle_rate,
                         .axle_accel   = p.axle_accel};
    seed_share(&values.blend, rail->share_sss, &m, d, &path);
    gap_scalars gap;
    kane_gap_follow(around, &path, &gap);
    const kane_scalar unit = ks_inverse(ks3_norm(gap.direction));
    const wrench_scalars direction =
        guided_direction(g, m.share, p.centre, g->arm, ks3_scale(unit, gap.direction), ks3_scale(unit, gap.twist),
                         ks_mul(unit, gap.along), panel ? &panel->carry : NULL);
    out->bias[side] = with_all_accelerations(ks_mul(gap.accel, unit), g, &direction, b, panel, g->arm);
    out->rate[side] = ks_mul(gap.rate, unit);

    const motion_scalars motion = {.centre   = p.centre,
                                   .axle     = p.axle,
                                   .velocity = cm_tmulv(&g->Q, panel ? panel->v : own.v),
                                   .omega    = cm_tmulv(&g->Q, panel ? panel->w : own.w),
                                   .turn     = ks3_scale(ks_inverse(g->length), g->K),
                                   .friction_change =
                                       scalar_along_line(w->motion[side].friction_change, rail->friction_s, d)};
    return add_wheel_forces(model, wheels, w, side, d, g, g->arm, &gap.spot, &motion, &direction, panel, g->arm, out);
}

static kane_vec3 vector_tangent(kane_scalar3 a, int k)
{
    return kv3(kane_tangents_get(a.x.t, k), kane_tangents_get(a.y.t, k), kane_tangents_get(a.z.t, k));
}

static kane_status derive_side(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                               kane_side side, int passes, const rail_changes pass[PASSES], answer out[PASSES])
{
    const kane_body_state *under   = wheels->panel < 0 ? NULL : &work->body[wheels->panel];
    const kane_rail_view view      = view_at_rest(&work->wheels[wheels - model->wheels].rail[side], under);
    const kane_body *body          = &model->bodies[wheels->body];
    const kane_body_state *b       = &work->body[wheels->body];
    const kane_wheels_state *w     = &work->wheels[wheels - model->wheels];
    const kane_transport *T        = &work->transport[body->frame];
    const kane_section *section    = &w->section[side];
    const kane_mat3 R              = w->guidance.R[side];
    const kane_vec3 Omega_s        = work->track_frame[wheels->frame].Omega_s;
    const double distance          = side_sign(side) * wheels->rail_distance[side];
    const kane_reference_line line = kane_rail_line(distance, &w->offset[side]);
    const view_change change       = view_changes(section->Omega, Omega_s, &line,
                                                  kane_rail_fourth_derivative(model, side, w->s_at[side]), kv3_zero());
    const rail_change rail         = {kane_rail_friction_change(model, side, w->s_at[side]),
                                      kane_rail_share_third_derivative(model, side, w->s_at[side])};
    gap_curve around;
    kane_status status = KANE_OK;
    for (int k = 0; k < passes && status == KANE_OK; k++) {
        panel_motion moving;
        panel_motion *panel   = under ? &moving : NULL;
        guided_pose g         = {.Omega_s = Omega_s, .axle = ks3_constant(km3_tmulv(w->R_s[side], b->axle))};
        const kane_tangents d = lay_section(section, R, km3_mulv(R, w->arm[side]), &pass[k].of[KANE_RAIL_WHEELSET], &g);
        seed_motion(T, b, &pass[k].of[KANE_RAIL_WHEELSET], &g);
        seed_view(&view, section->Omega, line.p_s, &change, d, &g);
        if (panel)
            seed_panel(under, &pass[k].of[KANE_RAIL_PANEL], panel);
        turn_view(panel, &g);
        status = derive_wheel(model, T, wheels, w, side, d, k == 0, &around, &g, panel, &rail, b, &out[k]);
    }
    return status;
}

static kane_status derive_constraint(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                     int passes, const rail_changes pass[PASSES], answer out[PASSES])
{
    kane_status status = KANE_OK;
    for (int side = 0; side < 2 && status == KANE_OK; side++)
        status = derive_side(model, work, wheels, side, passes, pass, out);
    return status;
}

// --- by tables ---
//
// Height and roll are changed for themselves here, and so are v_z and w_x; what they follow from is put in by
// derive_rails.c.

// What is the same in both passes: the line between the rails, and each rail.
typedef struct tables_lines {
    kane_reference_line line, rail[2];
    view_change change, rail_change[2];
    kane_rail_view view[2];
    double twist_sss[2]; // how the derivatives of the twist change: the first, the second
    double friction_s[2];
} tables_lines;

static tables_lines find_lines(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                               const kane_wheels_state *w)
{
    const kane_vec3 Omega = w->section[0].Omega, Omega_s = work->track_frame[wheels->frame].Omega_s;
    tables_lines l = {.line = kane_tables_line(wheels, w)};
    kane_vec3 offset[2];
    for (int side = 0; side < 2; side++) {
        const double distance = side_sign(side) * wheels->rail_distance[side];
        offset[side]          = kane_rail_fourth_derivative(model, side, w->s_at[side]);
        l.rail[side]          = kane_rail_line(distance, &w->offset[side]);
        l.view[side]          = kane_rail_frame_acceleration(Omega, Omega_s, &l.rail[side]);
        l.rail_change[side]   = view_changes(Omega, Omega_s, &l.rail[side], offset[side], kv3_zero());
        l.friction_s[side]    = kane_rail_friction_change(model, side, w->s_at[side]);
    }
    const kane_vec3 left = kv3_sub(offset[0], offset[1]);
    l.change             = view_changes(Omega, Omega_s, &l.line, kv3_scale(0.5, kv3_add(offset[0], offset[1])), left);
    l.twist_sss[0]       = kane_tables_twist(&l.line, 0.0, l.line.left_sss);
    l.twist_sss[1]       = kane_tables_twist(&l.line, 0.0, left);
    return l;
}

// How the wheelset stands between the rails, and moves there.
typedef struct tables_motion {
    const kane_transport *transport; // of the frame
    guided_pose pose;
    panel_motion *panel;
    kane_scalar3 v, w; // of its mass centre and its axle, against the rails
    axle_axes locate_on_tables;
    table_change change;
    wheelset_scalars table;
    wrench_scalars by[2]; // what height and roll over the tables get
    kane_scalar accel[2];
} tables_motion;

__attribute__((noinline)) static kane_status locate_on_tables(const kane_wheels *wheels, const kane_table_pose *on,
                                                              const tables_lines *l, kane_tangents d, tables_motion *t,
                                                              answer *out)
{
    const section_motion own = section_move(t->transport, &t->pose);
    const section_motion m   = t->panel ? meet_panel(&t->pose, &own, t->panel) : own;
    t->v                     = t->panel ? t->panel->v : own.v;
    t->w                     = t->panel ? t->panel->w : own.w;
    t->change.path           = guided_rates(&m, &t->pose);
    guided_accelerations(&m, &t->pose, &t->change.path);
    const kane_scalar3 c = t->change.path.centre, e = t->change.path.axle;
    const kane_scalar yaw      = ks_atan2(ks_neg(e.x), e.y);
    const double here          = kane_tables_twist(&l->line, on->section.Omega.x, l->line.left_s);
    const kane_scalar twist    = scalar_along_line(here, on->twist_s, d),
                      twist_s  = scalar_along_line(on->twist_s, l->twist_sss[0], d),
                      twist_ss = scalar_along_line(on->twist_ss, l->twist_sss[1], d);
    const kane_status status   = kane_wheelset_table_follow(wheels->guide, c.y, yaw, &t->table);
    if (status != KANE_OK)
        return status;
    t->locate_on_tables = tables_axle_axes(e);
    tables_rates(&t->locate_on_tables, m.sigma, twist_s, &t->change);
    tables_accelerations(&t->locate_on_tables, &m, twist_s, twist_ss, &t->change);
    const kane_scalar rate[2]  = {t->change.path.centre_rate.z, t->change.roll},
                      accel[2] = {t->change.path.centre_accel.z, t->change.roll_accel};
    const kane_scalar3 none = ks3_constant(kv3_zero()), direction[2] = {ks3_constant(kv3_unit(2)), none},
                       turn[2] = {none, t->locate_on_tables.about_roll};
    for (int i = 0; i < 2; i++) {
        const table_scalars *F1 = &t->table.function[TABLE_TWIST_HEIGHT + i];
        const table_scalars F   = tables_twisted(&t->table.function[TABLE_HEIGHT + i], F1, twist);
        t->by[i]     = tables_hold(&F, F1, &t->locate_on_tables, twist_s, m.share, &t->pose, c, direction[i], turn[i],
                               t->panel ? &t->panel->carry : NULL);
        t->accel[i]  = tables_accel_over(&F, F1, &t->change, accel[i]);
        out->rate[i] = tables_rate_over(&F, F1, &t->change, rate[i]);
    }
    return KANE_OK;
}

__attribute__((noinline)) static kane_status press_tabulated(const kane_model *model, const kane_wheels *wheels,
                                                             const kane_wheels_state *w, kane_side side,
                                                             const tables_lines *l, kane_tangents d,
                                                             const tables_motion *t, const kane_body_state *b,
                                                             answer *out)
{
    const double outside     = side_sign(side) * wheels->wheel_distance[side];
    const kane_scalar3 arm   = ks3_by(outside, t->pose.axle);
    const kane_scalar3 point = ks3_add(t->table.point[side], ks3_by(outside, t->change.path.axle));
    kane_scalar up, tilt;
    tables_share(point, t->table.normal[side], &t->locate_on_tables, &up, &tilt);
    const wrench_scalars direction = {tables_sum(up, t->by[0].force, tilt, t->by[1].force),
                                      tables_sum(up, t->by[0].torque, tilt, t->by[1].torque)};
    const panel_motion *panel      = t->panel;
    const kane_scalar3 none        = ks3_constant(kv3_zero());
    const kane_scalar bias         = ks_add(ks_mul(up, t->accel[0]), ks_mul(tilt, t->accel[1]));
    out->bias[side]                = with_all_accelerations(bias, &t->pose, &direction, b, panel, none);

    guided_pose g = t->pose; // as its rail sees it
    seed_view(&l->view[side], w->section[0].Omega, l->rail[side].p_s, &l->rail_change[side], d, &g);
    turn_view(panel, &g);
    const kane_scalar3 at       = panel ? panel->above : g.at;
    const motion_scalars motion = {.centre   = cm_tmulv(&g.Q, ks3_sub(ks3_add(at, arm), g.origin)),
                                   .axle     = cm_tmulv(&g.Q, g.axle),
                                   .velocity = cm_tmulv(&g.Q, ks3_add(t->v, ks3_cross(t->w, arm))),
                                   .omega    = cm_tmulv(&g.Q, t->w),
                                   .turn     = ks3_scale(ks_inverse(g.length), g.K),
                                   .friction_change =
                                       scalar_along_line(w->motion[side].friction_change, l->friction_s[side], d)};
    return add_wheel_forces(model, wheels, w, side, d, &g, arm, &t->table.spot[side], &motion, &direction, panel, none,
                            out);
}

// Rates of height and roll over the tables -> of gaps.
static void share_rates(const kane_table_pose *on, answer *a)
{
    const kane_scalar over[2] = {a->rate[0], a->rate[1]};
    for (int side = 0; side < 2; side++)
        a->rate[side] = ks_add(ks_scale(on->up[side], over[0]), ks_scale(on->tilt[side], over[1]));
}

static kane_status derive_tables(const kane_model *model, const kane_work *work, const kane_wheels *wheels, int passes,
                                 const rail_changes pass[PASSES], answer out[PASSES])
{
    const kane_body *body        = &model->bodies[wheels->body];
    const kane_body_state *b     = &work->body[wheels->body];
    const kane_body_state *under = wheels->panel < 0 ? NULL : &work->body[wheels->panel];
    const kane_wheels_state *w   = &work->wheels[wheels - model->wheels];
    const kane_table_pose *on    = &w->guidance.on;
    const kane_rail_view view    = view_at_rest(&on->view, under);
    const kane_vec3 Omega_s      = work->track_frame[wheels->frame].Omega_s;
    const tables_lines l         = find_lines(model, work, wheels, w);
    kane_status status           = KANE_OK;
    for (int k = 0; k < passes && status == KANE_OK; k++) {
        panel_motion panel;
        tables_motion t = {.transport = &work->transport[body->frame],
                           .panel     = under ? &panel : NULL,
                           .pose      = {.Omega_s = Omega_s, .axle = ks3_constant(km3_tmulv(w->R_s[0], b->axle))}};
        const kane_tangents d =
            lay_section(&w->section[0], w->guidance.R[0], kv3_zero(), &pass[k].of[KANE_RAIL_WHEELSET], &t.pose);
        seed_motion(t.transport, b, &pass[k].of[KANE_RAIL_WHEELSET], &t.pose);
        seed_view(&view, w->section[0].Omega, l.line.p_s, &l.change, d, &t.pose);
        if (under)
            seed_panel(under, &pass[k].of[KANE_RAIL_PANEL], &panel);
        turn_view(t.panel, &t.pose);
        status = locate_on_tables(wheels, on, &l, d, &t, &out[k]);
        for (int side = 0; side < 2 && status == KANE_OK; side++)
            status = press_tabulated(model, wheels, w, side, &l, d, &t, b, &out[k]);
        share_rates(on, &out[k]);
    }
    return status;
}

// --- by the motion of the wheelset ---

// Slopes 0 to 2 or 3 to 5 of a vector, as columns; of a number.
static kane_mat3 block_of(kane_scalar3 a, int first)
{
    return (kane_mat3){vector_tangent(a, first), vector_tangent(a, first + 1), vector_tangent(a, first + 2)};
}

static kane_vec3 row_of(kane_scalar a, int first)
{
    return kv3(kane_tangents_get(a.t, first), kane_tangents_get(a.t, first + 1), kane_tangents_get(a.t, first + 2));
}

// Blocks of a pass: displacement and rotation of an end, or its velocity and angular velocity.
static void set_blocks(const answer *a, int pass, int ends, kane_rail_constraint_slopes *tangents)
{
    const wrench_scalars *on[KANE_RAIL_ENDS] = {&a->wrench, &a->on_panel};
    const int by                             = pass / 2;
    for (int half = 0; half < 2; half++) {
        const int motion = (pass % 2 ? KANE_SPEEDS : KANE_MOVES) + half, first = 3 * half;
        for (int end = 0; end < ends; end++) {
            tangents->wrench[end][by].force[motion]  = block_of(on[end]->force, first);
            tangents->wrench[end][by].torque[motion] = block_of(on[end]->torque, first);
        }
        for (int side = 0; side < 2; side++) {
            tangents->bias[by][side][motion] = row_of(a->bias[side], first);
            tangents->rate[by][side][motion] = row_of(a->rate[side], first);
        }
    }
}

kane_status kane_rail_constraint_derive(const kane_model *model, kane_work *work, int i,
                                        kane_rail_constraint_slopes *tangents)
{
    const kane_wheels *wheels = &model->wheels[i];
    const int passes          = wheels->panel < 0 ? 2 : PASSES;
    rail_changes pass[PASSES];
    answer out[PASSES];
    memset(out, 0, (size_t)passes * sizeof *out);
    memset(pass, 0, (size_t)passes * sizeof *pass);
    for (int k = 0; k < passes; k++)
        (k % 2 ? by_speeds : by_pose)(&pass[k].of[k / 2]);
    kane_body_kinematics_accelerations(model, work, model->bodies[wheels->body].link);
    if (wheels->panel >= 0)
        kane_body_kinematics_accelerations(model, work, model->bodies[wheels->panel].link);
    const kane_status status = (wheels->contact_model == KANE_CONTACT_TABLE ? derive_tables : derive_constraint)(
        model, work, wheels, passes, pass, out);
    for (int k = 0; k < passes; k++)
        set_blocks(&out[k], k, passes / 2, tangents);
    return status;
}

// --- creep alone, by speeds ---

// Unit speeds of the body, frame axes, as those of a wheel's centre, rail axes.
static void speeds_of_wheel(const kane_wheels_state *w, kane_side side, changes v, changes turn)
{
    const kane_mat3 R = w->guidance.R[side], rail = w->rail[side].R;
    for (int k = 0; k < 3; k++) {
        const kane_vec3 unit = km3_tmulv(R, kv3_unit(k)), way = km3_tmulv(rail, unit);
        v[k]        = way;
        turn[k]     = kv3_zero();
        v[3 + k]    = km3_tmulv(rail, kv3_cross(unit, w->arm[side]));
        turn[3 + k] = way;
    }
}

static gap_point spot_of(kane_side side, const kane_gap *contact_point)
{
    const double sign = side_sign(side);
    return (gap_point){.point   = ks3_constant(side_mirror(sign, contact_point->point)),
                       .normal  = ks3_constant(side_mirror(sign, contact_point->normal)),
                       .A       = ks_constant(contact_point->A),
                       .B       = ks_constant(contact_point->B),
                       .radius  = ks_constant(contact_point->radius),
                       .wheel_y = ks_constant(contact_point->wheel_y),
                       .rail_y  = ks_constant(contact_point->rail_y),
                       .climb   = ks_constant(-contact_point->along)};
}

kane_status kane_rail_constraint_derive_creep(const kane_wheels *wheels, const kane_wheels_state *w,
                                              double tangents[6][6])
{
    memset(tangents, 0, 6 * sizeof *tangents);
    for (int side = 0; side < 2; side++) {
        const kane_wheel_motion *m = &w->motion[side];
        const gap_point spot       = spot_of((kane_side)side, &w->guidance.contact_point[side]);
        const guided_pose g        = {.R = cm_constant(w->guidance.R[side]), .Q = cm_constant(w->rail[side].R)};
        changes v, turn;
        kane_scalar3 creep[2];
        speeds_of_wheel(w, (kane_side)side, v, turn);
        const motion_scalars motion = {.centre          = ks3_constant(m->centre),
                                       .axle            = ks3_constant(m->axle),
                                       .velocity        = vector_with(m->velocity, v),
                                       .omega           = vector_with(m->omega, turn),
                                       .turn            = ks3_constant(m->turn),
                                       .friction_change = ks_constant(m->friction_change)};
        const kane_status status    = kane_rigid_derive(wheels->contact, (kane_side)side, &spot, &motion,
                                                        kane_guidance_creep_load(&w->guidance, side), creep);
        if (status != KANE_OK)
            return status;
        const wrench_scalars on = to_body(&g, ks3_constant(w->arm[side]), creep);
        for (int k = 0; k < DIRECTIONS; k++)
            for (int c = 0; c < 3; c++) {
                tangents[c][k] += kane_tangents_get(ks3_get(on.force, c).t, k);
                tangents[3 + c][k] += kane_tangents_get(ks3_get(on.torque, c).t, k);
            }
    }
    return KANE_OK;
}
