// SPDX-License-Identifier: MIT
// How rails see a wheelset that they guide: its gaps, with first and second derivatives in time.
//
// A wheel is seen from its rail's section Q (wheels.h), which goes along with it: with the section's speed sigma along
// the line and the turn K of Q's axes per metre,
//   omega_Q = sigma K,   epsilon_Q = sigma' K + sigma^2 K',   and Q's origin moves along Q's x axis.
// Where rigid contact functions guide it, the wheelset as a whole is seen from Q between both rails.

#define KANE_SCALAR_TANGENTS 0

#include "agem/bodies.h"
#include "agem/rail_constraint.h"
#include "agem/rail_constraint_path.h"
#include "math/small.h"
#include "tree/tree.h"

// --- the text of rail_constraint_path.h in plain numbers ---

static void seed_view(const kane_rail_view *q, guided_pose *g)
{
    g->Q      = cm_constant(q->R);
    g->origin = ks3_constant(q->origin);
    g->K      = ks3_constant(q->K);
    g->K_s    = ks3_constant(q->K_s);
    g->length = ks_constant(q->length);
}

KANE_INLINE guided_pose pose_of(const kane_body_state *b, const kane_wheels_state *w, kane_side side, kane_vec3 arm,
                                kane_vec3 Omega_s)
{
    const kane_section *section = &w->section[side];
    return (guided_pose){.R       = cm_constant(w->guidance.R[side]),
                         .R_w     = cm_constant(w->R_s[side]),
                         .at      = ks3_constant(section->r),
                         .Omega   = ks3_constant(section->Omega),
                         .arm     = ks3_constant(arm),
                         .axle    = ks3_constant(km3_tmulv(w->R_s[side], b->axle)),
                         .r       = ks3_constant(b->r),
                         .v       = ks3_constant(b->v),
                         .w       = ks3_constant(b->w),
                         .v_w     = ks3_constant(b->v_w),
                         .w_w     = ks3_constant(b->w_w),
                         .Omega_s = Omega_s};
}

// The panel under the wheels; needs wheels->panel >= 0.
static panel_pose panel_of(const kane_work *work, const kane_wheels *wheels)
{
    const kane_body_state *b = &work->body[wheels->panel];
    return (panel_pose){cm_constant(b->R), ks3_constant(b->r), ks3_constant(b->v), ks3_constant(b->w)};
}

// section_on_panel where the track is flexible. carry: scratch. Returns what guided_direction needs.
static const panel_carry *move_on_panel(const kane_work *work, const kane_wheels *wheels, const guided_pose *g,
                                        section_motion *m, panel_carry *carry)
{
    if (wheels->panel < 0)
        return NULL;
    const panel_pose panel = panel_of(work, wheels);
    *carry                 = section_on_panel(&panel, g, m);
    return carry;
}

// A wheel on its rail: the gap between them. is_flexible: a constant, so that rigid track has its motion in registers.
KANE_INLINE kane_status find_gap(const kane_work *work, const kane_body *body, const kane_body_state *b,
                                 const kane_wheels *wheels, kane_side side, int is_flexible, kane_wheels_state *w)
{
    kane_guidance *g        = &w->guidance;
    const kane_vec3 arm     = w->arm[side];
    guided_pose pose        = pose_of(b, w, side, arm, work->track_frame[wheels->frame].Omega_s);
    kane_gap *contact_point = &g->contact_point[side];
    seed_view(&w->rail[side], &pose);
    section_motion m = section_move(&work->transport[body->frame], &pose);
    panel_carry on_panel;
    const panel_carry *carry = is_flexible ? move_on_panel(work, wheels, &pose, &m, &on_panel) : NULL;
    guided_path scalars      = guided_rates(&m, &pose);
    guided_accelerations(&m, &pose, &scalars);
    const kane_wheel_path path = guided_path_value(&scalars, &m, &w->motion[side].blend);
    const kane_status status   = kane_contact_gap(wheels->contact, side, &path, contact_point);
    if (status != KANE_OK)
        return status;
    const double unit              = 1.0 / kv3_norm(contact_point->direction); // one newton along the normal
    const wrench_scalars direction = guided_direction(
        &pose, m.share, scalars.centre, pose.arm, ks3_constant(kv3_scale(unit, contact_point->direction)),
        ks3_constant(kv3_scale(unit, contact_point->twist)), ks_constant(unit * contact_point->along), carry);
    g->direction[side] = (kane_wrench){ks3_value(direction.force), ks3_value(direction.torque)};
    g->gap[side]       = contact_point->size * unit;
    g->rate[side]      = contact_point->rate * unit;
    g->bias[side]      = contact_point->accel * unit;
    return KANE_OK;
}

static kane_status find_gaps(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                             const kane_body_state *b, kane_wheels_state *w)
{
    const kane_body *body = &model->bodies[wheels->body];
    kane_status status    = KANE_OK;
    for (int side = 0; side < 2 && status == KANE_OK; side++)
        status = wheels->panel >= 0 ? find_gap(work, body, b, wheels, side, 1, w)
                                    : find_gap(work, body, b, wheels, side, 0, w);
    return status;
}

// === A wheelset between both rails whose height and roll are tabulated functions of lateral shift and yaw.
//
// Its place is found first, then its speeds, then what its gaps do; what has been found of the place is kept.
//
// The tables are those of rails that lie in parallel, and say what height and roll gain per twist of them. The rails
// twist by tau(s), with the line and with their cross level, and height and roll are
//   F(y, yaw, s) = F0(y, yaw) + tau(s) F1(y, yaw)
// A wheelset that is yawed has one wheel behind, where its rail is not yet as high, and one ahead, where the other has
// fallen: it stands lower by tau b^2 yaw, and so its load turns it by tau b^2 a unit of load.

kane_reference_line kane_tables_line(const kane_wheels *wheels, const kane_wheels_state *w)
{
    const kane_rail_offset *l = &w->offset[KANE_LEFT], *r = &w->offset[KANE_RIGHT];
    const kane_vec3 left  = kv3(0.0, wheels->rail_distance[KANE_LEFT] + l->y, l->z);
    const kane_vec3 right = kv3(0.0, r->y - wheels->rail_distance[KANE_RIGHT], r->z);
    return (kane_reference_line){.p        = kv3_scale(0.5, kv3_add(left, right)),
                                 .p_s      = kv3(0.0, 0.5 * (l->y_s + r->y_s), 0.5 * (l->z_s + r->z_s)),
                                 .p_ss     = kv3(0.0, 0.5 * (l->y_ss + r->y_ss), 0.5 * (l->z_ss + r->z_ss)),
                                 .p_sss    = kv3(0.0, 0.5 * (l->y_sss + r->y_sss), 0.5 * (l->z_sss + r->z_sss)),
                                 .left     = kv3_sub(left, right),
                                 .left_s   = kv3(0.0, l->y_s - r->y_s, l->z_s - r->z_s),
                                 .left_ss  = kv3(0.0, l->y_ss - r->y_ss, l->z_ss - r->z_ss),
                                 .left_sss = kv3(0.0, l->y_sss - r->y_sss, l->z_sss - r->z_sss)};
}

double kane_tables_twist(const kane_reference_line *line, double of_line, kane_vec3 left)
{
    return of_line + left.z / line->left.y;
}

// Where the wheelset is: in the section of the line, and as seen from between the rails.
typedef struct place {
    kane_section section;
    kane_reference_line line;
    double twist;           // of the rails [rad/m]
    kane_mat3 M;            // axes of the frame to Q's
    kane_vec3 centre, axle; // Q's axes
    double yaw, roll;
} place;

static void read_angles(place *p)
{
    p->yaw  = kane_small_angle(-p->axle.x, p->axle.y);
    p->roll = kane_small_angle(p->axle.z, sqrt(p->axle.x * p->axle.x + p->axle.y * p->axle.y));
}

// Attitude of the axle, sines and cosines of the yaw being known.
static void set_axle_attitude(double roll, double sin_yaw, double cos_yaw, place *p)
{
    const double cos_roll = cos(roll);
    p->axle               = km3_mulv(p->M, kv3(-sin_yaw * cos_roll, cos_yaw * cos_roll, sin(roll)));
    read_angles(p);
}

// The section under a point of the frame that the body is described in; its axes are those of that frame, too.
static kane_section find_body_section(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                      kane_vec3 r)
{
    const int own = model->bodies[wheels->body].frame;
    if (own == wheels->frame)
        return kane_wheels_cut(&work->track_frame[own], r);
    const kane_transport *T = &work->transport[own], *rails = &work->transport[wheels->frame];
    const kane_mat3 R    = km3_tmul(T->R, rails->R);
    const kane_vec3 o    = km3_tmulv(T->R, kv3_sub(rails->r_o, T->r_o));
    kane_section section = kane_wheels_cut(&work->track_frame[wheels->frame], km3_tmulv(R, kv3_sub(r, o)));
    section.R            = km3_mul(R, section.R);
    return section;
}

static void find_wheelset_place(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                const double *q, kane_wheels_state *w, place *p)
{
    double length;
    p->section = find_body_section(model, work, wheels, kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]));
    for (int side = 0; side < 2; side++)
        kane_wheels_offset(model, side, work->s + model->frames[wheels->frame].offset + p->section.d, w);
    p->line     = kane_tables_line(wheels, w);
    p->twist    = kane_tables_twist(&p->line, p->section.Omega.x, p->line.left_s);
    kane_mat3 R = kane_rail_axes(p->section.Omega, &p->line, &length);
    kane_vec3 r = p->section.r, origin = p->line.p;
    if (wheels->panel >= 0) {
        const kane_body_state *panel = &work->body[wheels->panel];
        r                            = kv3_sub(r, panel->r);
        origin                       = km3_mulv(panel->R, origin);
        R                            = km3_mul(panel->R, R);
    }
    p->centre = km3_tmulv(R, kv3_sub(r, origin));
    p->M      = km3_tmul(R, km3_transpose(p->section.R));
}

// Height and roll are set right a few times in the axes of one section, then once more in those of the section that
// belongs to them: all depends little on them. Not OK with a fault.
// A fixed number of steps: all of them in the axes of the section that belongs to them.
static kane_status solve_height_and_roll(const kane_model *model, kane_work *work, const kane_wheels *wheels, double *q,
                                         kane_wheels_state *w, place *p)
{
    const kane_body *body = &model->bodies[wheels->body];
    const double sin_yaw = sin(q[KANE_YAW]), cos_yaw = cos(q[KANE_YAW]);
    q[KANE_Z]    = kane_model_wheel_height(model, body);
    q[KANE_ROLL] = wheels->roll;
    for (int fresh = 1, i = 0, steps = work->fixed_steps; i < (steps ? steps : 60); i++) {
        double height, roll;
        if (fresh)
            find_wheelset_place(model, work, wheels, q, w, p);
        set_axle_attitude(q[KANE_ROLL], sin_yaw, cos_yaw, p);
        const kane_status status =
            kane_wheelset_table_pose(wheels->guide, p->centre.y, p->yaw, p->twist, &height, &roll);
        if (status != KANE_OK)
            return kane_rail_constraint_report(work, status, wheels, body);
        const double up = height - p->centre.z, turn = roll - p->roll;
        // what is left then is less than 1e-14
        const int close = steps ? i == steps - 1 : fabs(up) + fabs(turn) < 1e-10;
        q[KANE_Z] += up;
        q[KANE_ROLL] += turn;
        p->centre = kv3_add_scaled(p->centre, up, p->M.z);
        if (close && fresh) {
            p->roll += turn;
            return KANE_OK;
        }
        fresh = steps || close;
    }
    return kane_work_fail(work, KANE_RETRY, body->name, "no height and roll put its wheels on the rails");
}

static axle_axes axle_axes_scalars(const kane_table_pose *on)
{
    return (axle_axes){ks_constant(on->across), ks_constant(on->tangent), ks3_constant(on->ahead),
                       ks3_constant(on->about_yaw), ks3_constant(on->about_roll)};
}

static void store_axle_axes(kane_vec3 e, double roll, kane_table_pose *on)
{
    const axle_axes axes = tables_axle_axes(ks3_constant(e));
    on->across           = ks_value(axes.across);
    on->tangent          = ks_value(axes.tangent);
    on->rolled           = roll;
    on->axle             = km3_mulv(on->view.R, e);
    on->ahead            = ks3_value(axes.ahead);
    on->about_yaw        = ks3_value(axes.about_yaw);
    on->about_roll       = ks3_value(axes.about_roll);
}

static table_scalars function_scalars(const kane_wheelset_function *F)
{
    return (table_scalars){ks_constant(F->value),  ks_constant(F->by_y),     ks_constant(F->by_yaw),
                           ks_constant(F->by_y_y), ks_constant(F->by_y_yaw), ks_constant(F->by_yaw_yaw)};
}

static kane_wheelset_function add_twist_terms(const kane_wheelset_function *F0, const kane_wheelset_function *F1,
                                              double twist)
{
    const table_scalars f0 = function_scalars(F0), f1 = function_scalars(F1);
    const table_scalars F = tables_twisted(&f0, &f1, ks_constant(twist));
    return (kane_wheelset_function){ks_value(F.value),  ks_value(F.by_y),     ks_value(F.by_yaw),
                                    ks_value(F.by_y_y), ks_value(F.by_y_yaw), ks_value(F.by_yaw_yaw)};
}

static kane_wrench find_table_wrench(const kane_wheelset_function *F, const kane_wheelset_function *F1,
                                     const kane_table_pose *on, kane_scalar share, const panel_carry *carry,
                                     kane_mat3 R, kane_vec3 centre, kane_vec3 direction, kane_vec3 turn)
{
    const table_scalars f = function_scalars(F), f1 = function_scalars(F1);
    const axle_axes axle = axle_axes_scalars(on);
    guided_pose g        = {.R = cm_constant(R)};
    seed_view(&on->view, &g);
    const wrench_scalars w = tables_hold(&f, &f1, &axle, ks_constant(on->twist_s), share, &g, ks3_constant(centre),
                                         ks3_constant(direction), ks3_constant(turn), carry);
    return (kane_wrench){ks3_value(w.force), ks3_value(w.torque)};
}

static table_change change_of(const kane_table_pose *on, const section_motion *m, kane_vec3 axle)
{
    const axle_axes axes = axle_axes_scalars(on);
    guided_pose g        = {.axle = ks3_constant(axle)};
    seed_view(&on->view, &g);
    table_change c = {.path = guided_rates(m, &g)};
    tables_rates(&axes, m->sigma, ks_constant(on->twist_s), &c);
    return c;
}

// Functions of the tables at a place, and what they gain by twist: of height, of roll.
typedef struct table_functions {
    table_scalars F[2], F1[2];
} table_functions;

KANE_INLINE table_functions functions_at(const kane_table_pose *on)
{
    return (table_functions){{function_scalars(&on->height), function_scalars(&on->roll)},
                             {function_scalars(&on->table.twist_height), function_scalars(&on->table.twist_roll)}};
}

// Rates of height and roll over the tables.
KANE_INLINE void rates_over(const table_functions *at, const table_change *c, double rate[2])
{
    rate[0] = ks_value(tables_rate_over(&at->F[0], &at->F1[0], c, c->path.centre_rate.z));
    rate[1] = ks_value(tables_rate_over(&at->F[1], &at->F1[1], c, c->roll));
}

static void share_out(const kane_wheels *wheels, kane_vec3 axle, kane_guidance *g)
{
    kane_table_pose *on  = &g->on;
    const axle_axes axes = axle_axes_scalars(on);
    for (int side = 0; side < 2; side++) {
        const kane_gap *contact_point = &on->table.contact_point[side];
        const double outside          = side == KANE_LEFT ? 1.0 : -1.0;
        const kane_vec3 point = kv3_add_scaled(contact_point->point, outside * wheels->wheel_distance[side], axle);
        kane_scalar up, tilt;
        tables_share(ks3_constant(point), ks3_constant(contact_point->direction), &axes, &up, &tilt);
        on->up[side]       = ks_value(up);
        on->tilt[side]     = ks_value(tilt);
        g->direction[side] = (kane_wrench){
            ks3_value(tables_sum(up, ks3_constant(on->by_height.force), tilt, ks3_constant(on->by_roll.force))),
            ks3_value(tables_sum(up, ks3_constant(on->by_height.torque), tilt, ks3_constant(on->by_roll.torque)))};
        g->contact_point[side] = *contact_point;
    }
}

// How the wheelset would move without v_z and w_x, section axes.
static section_motion free_section_motion(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                          const kane_section *section, const double *q, const double *V)
{
    const kane_transport *T = &work->transport[model->bodies[wheels->body].frame];
    const kane_mat3 R       = section->R;
    const kane_vec3 r       = kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]);
    const kane_vec3 v       = kv3_add(kv3_add(T->v_o, kv3(V[0], V[1], 0.0)), kv3_cross(T->omega, r));
    section_motion m        = {.r = ks3_constant(section->r),
                               .v = ks3_constant(km3_tmulv(R, v)),
                               .w = ks3_constant(km3_tmulv(R, kv3_add(T->omega, kv3(0.0, V[4], V[5]))))};
    section_follow(ks3_constant(section->Omega), &m);
    return m;
}

// move_on_panel of a motion of the section that nothing else is known of.
static const panel_carry *move_section_on_panel(const kane_work *work, const kane_wheels *wheels,
                                                const kane_section *section, section_motion *m, panel_carry *carry)
{
    const guided_pose g = {.Omega = ks3_constant(section->Omega), .Omega_s = work->track_frame[wheels->frame].Omega_s};
    return move_on_panel(work, wheels, &g, m, carry);
}

// What the tables say of a wheelset in its place; q: of its mass centre.
static kane_status evaluate_table_pose(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                       const double *q, const place *p, kane_wheels_state *w)
{
    const kane_track_frame *frame = &work->track_frame[wheels->frame];
    kane_table_pose *on           = &w->guidance.on;
    static const double none[6]   = {0.0};
    const kane_status status      = kane_wheelset_table_eval(wheels->guide, p->centre.y, p->yaw, &on->table);
    if (status != KANE_OK)
        return status;
    on->section  = p->section;
    on->view     = kane_rail_frame_acceleration(p->section.Omega, frame->Omega_s, &p->line);
    on->twist_s  = kane_tables_twist(&p->line, frame->Omega_s.x, p->line.left_ss);
    on->twist_ss = kane_tables_twist(&p->line, frame->twist_ss, p->line.left_sss);
    on->height   = add_twist_terms(&on->table.height, &on->table.twist_height, p->twist);
    on->roll     = add_twist_terms(&on->table.roll, &on->table.twist_roll, p->twist);
    if (wheels->panel >= 0) {
        on->view.origin = km3_mulv(work->body[wheels->panel].R, on->view.origin);
        on->view.R      = km3_mul(work->body[wheels->panel].R, on->view.R);
    }
    store_axle_axes(p->axle, p->roll, on);
    const kane_mat3 R = p->section.R;
    section_motion m  = free_section_motion(model, work, wheels, &p->section, q, none); // its share counts
    panel_carry on_panel;
    const panel_carry *carry = move_section_on_panel(work, wheels, &p->section, &m, &on_panel);
    on->by_height            = find_table_wrench(&on->height, &on->table.twist_height, on, m.share, carry, R, p->centre,
                                                 kv3_unit(2), kv3_zero());
    on->by_roll = find_table_wrench(&on->roll, &on->table.twist_roll, on, m.share, carry, R, p->centre, kv3_zero(),
                                    on->about_roll);
    share_out(wheels, p->axle, &w->guidance);
    return KANE_OK;
}

// What is known of the place of a wheelset that stays where it is: gaps may be open. Not OK: it is off the tables.
static kane_status evaluate_tables(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                   const kane_body_state *b, kane_wheels_state *w)
{
    const double q[3] = {b->r.x, b->r.y, b->r.z};
    place p;
    find_wheelset_place(model, work, wheels, q, w, &p);
    p.axle = km3_mulv(p.M, b->R.y);
    read_angles(&p);
    return evaluate_table_pose(model, work, wheels, q, &p, w);
}

// What the gaps do, of a wheelset that has been put there. m: of its section.
static void find_table_gaps(const section_motion *m, kane_vec3 axle, kane_wheels_state *w)
{
    kane_guidance *g          = &w->guidance;
    const kane_table_pose *on = &g->on;
    table_change c            = change_of(on, m, axle);
    const axle_axes axes      = axle_axes_scalars(on);
    const table_functions at  = functions_at(on);
    guided_pose g_view        = {.length = ks_constant(1.0)};
    double rate[2];
    seed_view(&on->view, &g_view);
    guided_accelerations(m, &g_view, &c.path);
    tables_accelerations(&axes, m, ks_constant(on->twist_s), ks_constant(on->twist_ss), &c);
    rates_over(&at, &c, rate);

    const double gap[2]   = {ks_value(c.path.centre.z) - on->height.value, on->rolled - on->roll.value};
    const double accel[2] = {ks_value(tables_accel_over(&at.F[0], &at.F1[0], &c, c.path.centre_accel.z)),
                             ks_value(tables_accel_over(&at.F[1], &at.F1[1], &c, c.roll_accel))};
    for (int side = 0; side < 2; side++) {
        g->gap[side]  = on->up[side] * gap[0] + on->tilt[side] * gap[1];
        g->rate[side] = on->up[side] * rate[0] + on->tilt[side] * rate[1];
        g->bias[side] = on->up[side] * accel[0] + on->tilt[side] * accel[1];
    }
}

static kane_status find_table_contact(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                      const kane_body_state *b, kane_wheels_state *w)
{
    const kane_body *body    = &model->bodies[wheels->body];
    const kane_status status = body->is_tabulated ? KANE_OK : evaluate_tables(model, work, wheels, b, w);
    if (status != KANE_OK)
        return status;
    const guided_pose pose = pose_of(b, w, KANE_LEFT, kv3_zero(), work->track_frame[wheels->frame].Omega_s);
    section_motion m       = section_move(&work->transport[body->frame], &pose);
    panel_carry carry;
    (void)move_on_panel(work, wheels, &pose, &m, &carry);
    find_table_gaps(&m, km3_tmulv(w->R_s[KANE_LEFT], b->axle), w);
    return KANE_OK;
}

// === Height and roll of a wheelset as functions of its other coordinates: the second of the two maps of
// docs/theory.md, section 3. The classic form of rigid contact.
//
// The coordinates follow from tables, or, where the rails change along the line, from gap_i(q) = 0 of both wheels on
// their own rails, by Newton's method from the static ones: z and roll depend on x, y and yaw alone. Dependent speeds
// V_d = (v_z, w_x) follow from  push_i . V + (what moves the gaps otherwise) = 0  with coefficients
//   V_d = A u + C,   A = -P_d^-1 P_u                                                              (47)
// where P_d, P_u are the columns of both pushes by dependent and independent speeds.

// Motion of links that nothing else carries.
static void move_links(const kane_model *model, kane_work *work, kane_links links)
{
    kane_tree_move(&model->tree, links, work->base, &work->tree);
    for (int i = links.first; i < links.end; i++)
        kane_body_kinematics(model, work, i);
}

// Changes of two coordinates, or speeds, that take away what is left of both gaps, or of their rates:
//   first_i d[0] + second_i d[1] = -left_i.   0: none do.
static int solve_both_gaps(const double first[2], const double second[2], const double left[2], double d[2])
{
    double m[2][2] = {{first[0], second[0]}, {first[1], second[1]}};
    if (!kane_rail_constraint_invert(m))
        return 0;
    d[0] = -(m[0][0] * left[0] + m[0][1] * left[1]);
    d[1] = -(m[1][0] * left[0] + m[1][1] * left[1]);
    return 1;
}

// v_z and w_x that take away two rates, which they change by `by`. 0: none do.
static int follow_speeds(const kane_wrench by[2], const double rate[2], double V[6])
{
    const double lift[2] = {by[0].force.z, by[1].force.z}, turn[2] = {by[0].torque.x, by[1].torque.x};
    return solve_both_gaps(lift, turn, rate, V + 2);
}

// Height and roll at which both wheels touch their rails. A fixed number of steps: the last one starts from numbers,
// and gives the derivatives; gaps that are left then are refused.
static kane_status close_gaps_by_pose(const kane_model *model, kane_work *work, const kane_wheels *wheels, double *q,
                                      kane_wheels_state *w)
{
    const kane_body *body  = &model->bodies[wheels->body];
    const kane_guidance *g = &w->guidance;
    const kane_wrench *by  = g->direction;
    const kane_vec3 about  = kv3(cos(q[KANE_YAW]), sin(q[KANE_YAW]), 0.0); // roll turns about this
    const int steps        = work->fixed_steps;
    double before          = HUGE_VAL;
    q[KANE_Z]              = kane_model_wheel_height(model, body);
    q[KANE_ROLL]           = wheels->roll;
    for (int iteration = 0; iteration <= (steps ? steps : 49); iteration++) {
        // gaps are concave: it comes from below, however far it jumped
        double d[2];
        if (steps && iteration == steps - 1) {
            q[KANE_Z]    = KANE_WITHOUT_RATE(q[KANE_Z]);
            q[KANE_ROLL] = KANE_WITHOUT_RATE(q[KANE_ROLL]);
        }
        move_links(model, work, (kane_links){body->link, body->link + 1});
        kane_wheels_observe_body(model, work, wheels, &work->body[wheels->body], w);
        const kane_status status = kane_rail_constraint_find_contacts(model, work, (int)(wheels - model->wheels));
        if (status != KANE_OK)
            return status;
        const double left = fabs(g->gap[0]) + fabs(g->gap[1]);
        if (steps ? iteration == steps && left <= KANE_GAP_ROUNDED : kane_gap_is_closed(left, before))
            return KANE_OK;
        before               = left;
        const double lift[2] = {by[0].force.z, by[1].force.z};
        const double turn[2] = {kv3_dot(about, by[0].torque), kv3_dot(about, by[1].torque)};
        if (!solve_both_gaps(lift, turn, g->gap, d))
            break;
        q[KANE_Z] += d[0];
        q[KANE_ROLL] += d[1];
    }
    return kane_work_fail(work, KANE_RETRY, body->name, "no height and roll put its wheels on the rails");
}

// From the rates of the gaps without v_z and w_x.
static int move_by_gaps(const kane_model *model, const kane_work *work, const kane_wheels *wheels, const double *q,
                        const kane_guidance *g, double V[6])
{
    (void)model, (void)work, (void)wheels, (void)q;
    return follow_speeds(g->direction, g->rate, V);
}

static kane_status place_by_tables(const kane_model *model, kane_work *work, const kane_wheels *wheels, double *q,
                                   kane_wheels_state *w)
{
    place p;
    kane_status status = solve_height_and_roll(model, work, wheels, q, w, &p);
    if (status != KANE_OK)
        return status;
    status = evaluate_table_pose(model, work, wheels, q, &p, w);
    if (status != KANE_OK)
        return kane_rail_constraint_report(work, status, wheels, &model->bodies[wheels->body]);
    return KANE_OK;
}

static int move_by_tables(const kane_model *model, const kane_work *work, const kane_wheels *wheels, const double *q,
                          const kane_guidance *g, double V[6])
{
    const kane_table_pose *on = &g->on;
    const kane_wrench by[2]   = {on->by_height, on->by_roll};
    panel_carry carry;
    double rate[2];
    section_motion m = free_section_motion(model, work, wheels, &on->section, q, V);
    (void)move_section_on_panel(work, wheels, &on->section, &m, &carry);
    const table_change c     = change_of(on, &m, on->axle);
    const table_functions at = functions_at(on);
    rates_over(&at, &c, rate);
    return follow_speeds(by, rate, V);
}

// === What contact models do in their own way.

// A rail whose turn changes along the line.
static void see_turning_rail(kane_vec3 Omega, kane_vec3 Omega_s, double distance, const kane_rail_offset *offset,
                             kane_rail_view *view)
{
    const kane_reference_line line = kane_rail_line(distance, offset);
    *view                          = kane_rail_frame_acceleration(Omega, Omega_s, &line);
}

const kane_wheel_model kane_wheel_models[] = {
    [KANE_CONTACT_ELASTIC]    = {.see_rail = kane_rail_see, .press = kane_contact_eval},
    [KANE_CONTACT_CONSTRAINT] = {.see_rail     = see_turning_rail,
                                 .find_contact = find_gaps,
                                 .place        = close_gaps_by_pose,
                                 .move         = move_by_gaps,
                                 .lost         = "a wheel of it is far from any place on its rail"},
    [KANE_CONTACT_TABLE]      = {.has_one_section = 1,
                                 .see_rail        = kane_rail_see,
                                 .find_contact    = find_table_contact,
                                 .place           = place_by_tables,
                                 .move            = move_by_tables,
                                 .lost            = "it is off the tables of contact: shifted by more than 10 mm, "
                                                         "or turned by more than 30 mrad"},
};

kane_status kane_rail_constraint_report(kane_work *work, kane_status status, const kane_wheels *wheels,
                                        const kane_body *body)
{
    return kane_work_fail(work, status, body->name, kane_wheel_models[wheels->contact_model].lost);
}

kane_status kane_rail_constraint_find_contact(const kane_model *model, const kane_work *work, const kane_wheels *wheels,
                                              const kane_body_state *b, kane_wheels_state *w)
{
    kane_guidance *g = &w->guidance;
    for (int side = 0; side < 2; side++)
        g->R[side] = km3_tmul(work->transport[model->bodies[wheels->body].frame].R, w->R_s[side]);
    const kane_status status = kane_wheel_models[wheels->contact_model].find_contact(model, work, wheels, b, w);
    for (int side = 0; side < 2 && work->gap_horizon > 0.0; side++)
        g->bias[side] = g->rate[side] / work->gap_horizon;
    return status;
}

kane_status kane_rail_constraint_find_contacts(const kane_model *model, kane_work *work, int i)
{
    const kane_wheels *wheels = &model->wheels[i];
    const kane_body *body     = &model->bodies[wheels->body];
    const kane_status status =
        kane_rail_constraint_find_contact(model, work, wheels, &work->body[wheels->body], &work->wheels[i]);
    return status == KANE_OK ? KANE_OK : kane_rail_constraint_report(work, status, wheels, body);
}

kane_status kane_rail_constraint_follow(const kane_model *model, kane_work *work)
{
    const int keeps_speeds = work->gap_horizon > 0.0; // creep_step.c: those of the step's start, whose gap rates the
                                                      // rails take away within the step
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels   = &model->wheels[i];
        const kane_wheel_model *own = &kane_wheel_models[wheels->contact_model];
        const kane_body *body       = &model->bodies[wheels->body];
        const kane_link *link       = &model->tree.links[body->link];
        kane_wheels_state *w        = &work->wheels[i];
        double *q = work->tree.q + link->q, *v = work->tree.v + link->v;
        if (!body->is_tabulated)
            continue;
        move_links(model, work, kane_panel_links(model, i));
        if (!keeps_speeds)
            v[2] = v[3] = 0.0;
        const kane_status status = own->place(model, work, wheels, q, w);
        if (status != KANE_OK)
            return status;
        if (!keeps_speeds && !own->move(model, work, wheels, q, &w->guidance, v))
            return kane_work_fail(work, KANE_RETRY, body->name, "no vertical and rolling speed keep it on the rails");
    }
    return KANE_OK;
}
