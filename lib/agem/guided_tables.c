// SPDX-License-Identifier: MIT
// A wheelset between both rails whose height and roll are tabulated functions of lateral shift and yaw.
//
// Its place is found first, then its speeds, then what its gaps do; what has been found of the place is kept.

#include "agem/guided_see.h"

#include "math/small.h"

static kane_guide_line between(const kane_wheels *wheels, const kane_wheels_state *w)
{
    const kane_rail_offset *l = &w->offset[KANE_LEFT], *r = &w->offset[KANE_RIGHT];
    const kane_vec3 left  = kv3(0.0, wheels->rail_distance[KANE_LEFT] + l->y, l->z);
    const kane_vec3 right = kv3(0.0, r->y - wheels->rail_distance[KANE_RIGHT], r->z);
    return (kane_guide_line){.p       = kv3_scale(0.5, kv3_add(left, right)),
                             .p_s     = kv3(0.0, 0.5 * (l->y_s + r->y_s), 0.5 * (l->z_s + r->z_s)),
                             .p_ss    = kv3(0.0, 0.5 * (l->y_ss + r->y_ss), 0.5 * (l->z_ss + r->z_ss)),
                             .p_sss   = kv3(0.0, 0.5 * (l->y_sss + r->y_sss), 0.5 * (l->z_sss + r->z_sss)),
                             .left    = kv3_sub(left, right),
                             .left_s  = kv3(0.0, l->y_s - r->y_s, l->z_s - r->z_s),
                             .left_ss = kv3(0.0, l->y_ss - r->y_ss, l->z_ss - r->z_ss)};
}

// Where the wheelset is: in the section of the line, and as seen from between the rails.
typedef struct place {
    kane_section section;
    kane_guide_line line;
    kane_mat3 M;            // axes of the frame to Q's
    kane_vec3 centre, axle; // Q's axes
    double yaw, roll;
} place;

// Attitude of the axle, sines and cosines of the yaw being known.
static void face(double roll, double sin_yaw, double cos_yaw, place *p)
{
    const double cos_roll = cos(roll);
    p->axle               = km3_mulv(p->M, kv3(-sin_yaw * cos_roll, cos_yaw * cos_roll, sin(roll)));
    p->yaw                = kane_small_angle(-p->axle.x, p->axle.y);
    p->roll               = kane_small_angle(p->axle.z, sqrt(p->axle.x * p->axle.x + p->axle.y * p->axle.y));
}

// The section under a point of the frame that the body is described in; its axes are those of that frame, too.
static kane_section cut(const kane_model *model, const kane_work *work, const kane_wheels *wheels, kane_vec3 r)
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

static void find(const kane_model *model, const kane_work *work, const kane_wheels *wheels, const double *q,
                 kane_wheels_state *w, place *p)
{
    double length;
    p->section = cut(model, work, wheels, kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]));
    kane_wheels_look_up(model, work->s + model->frames[wheels->frame].offset + p->section.d, w);
    p->line           = between(wheels, w);
    const kane_mat3 R = kane_guided_axes(p->section.Omega, &p->line, &length);
    p->centre         = km3_tmulv(R, kv3_sub(p->section.r, p->line.p));
    p->M              = km3_tmul(R, km3_transpose(p->section.R));
}

// Height and roll are set right a few times in the axes of one section, then once more in those of the section that belongs to
// them: all depends little on them.
static kane_status settle(const kane_model *model, const kane_work *work, const kane_wheels *wheels, double *q,
                          kane_wheels_state *w, place *p)
{
    const double sin_yaw = sin(q[KANE_YAW]), cos_yaw = cos(q[KANE_YAW]);
    q[KANE_Z]    = kane_model_wheel_height(model, &model->bodies[wheels->body]);
    q[KANE_ROLL] = wheels->roll;
    for (int fresh = 1, i = 0; i < 60; i++) {
        double height, roll;
        if (fresh)
            find(model, work, wheels, q, w, p);
        face(q[KANE_ROLL], sin_yaw, cos_yaw, p);
        const kane_status status = kane_guide_pose(wheels->guide, p->centre.y, p->yaw, &height, &roll);
        if (status != KANE_OK)
            return status;
        const double up = height - p->centre.z, turn = roll - p->roll;
        const int close = fabs(up) + fabs(turn) < 1e-10; // what is left then is less than 1e-14
        q[KANE_Z] += up;
        q[KANE_ROLL] += turn;
        p->centre = kv3_add_scaled(p->centre, up, p->M.z);
        if (close && fresh) {
            p->roll += turn;
            break; // otherwise kane_guided_eval will see open gaps
        }
        fresh = close;
    }
    return KANE_OK;
}

// e = cos(roll) n + sin(roll) z,  n = (-sin(yaw), cos(yaw), 0),  dn/d(yaw) = f
static void stand_up(kane_vec3 e, double roll, kane_guided_stand *on)
{
    on->across        = sqrt(e.x * e.x + e.y * e.y);
    on->tangent       = e.z / on->across;
    on->roll          = roll;
    const kane_vec3 n = kv3(e.x / on->across, e.y / on->across, 0.0);
    on->axle          = km3_mulv(on->view.R, e);
    on->ahead         = kv3(-n.y, n.x, 0.0);
    on->about_yaw     = kv3(-on->tangent * n.x, -on->tangent * n.y, 1.0);
    on->about_roll    = kv3(n.y, -n.x, 0.0);
}

// value - F(y, yaw) changes with a wrench's power: the gradient of the value less that of F.
static kane_wrench hold(const kane_guide_function *F, const kane_guided_stand *on, const kane_section_motion *m,
                        kane_mat3 R, kane_vec3 centre, kane_vec3 push, kane_vec3 turn)
{
    return kane_guided_push(R, m, &on->view, centre, kv3_zero(), kv3_add_scaled(push, -F->by_y, kv3_unit(1)),
                            kv3_add_scaled(turn, -F->by_yaw, on->about_yaw));
}

static double rate_over(const kane_guide_function *F, const kane_wheel_path *path, double yaw_rate, double rate)
{
    return rate - F->by_y * path->centre_rate.y - F->by_yaw * yaw_rate;
}

// A normal force of 1 N on one wheel pushes with its vertical part on the height, and with its moment about the roll's axis on
// the roll.
static void share_out(const kane_wheels *wheels, kane_vec3 axle, kane_guidance *g)
{
    kane_guided_stand *on = &g->on;
    for (int side = 0; side < 2; side++) {
        const kane_gap *touch = &on->table.touch[side];
        const double outside  = side == KANE_LEFT ? 1.0 : -1.0;
        const kane_vec3 point = kv3_add_scaled(touch->point, outside * wheels->wheel_distance[side], axle);
        on->up[side]          = touch->push.z;
        on->tilt[side]        = kv3_dot(kv3_cross(point, touch->push), on->about_roll);
        const double u = on->up[side], t = on->tilt[side];
        g->push[side]  = (kane_wrench){kv3_add_scaled(kv3_scale(u, on->by_height.force), t, on->by_roll.force),
                                       kv3_add_scaled(kv3_scale(u, on->by_height.torque), t, on->by_roll.torque)};
        g->touch[side] = *touch;
    }
}

// v_z and w_x of V such that height and roll keep to the tables.
static void set_speeds(const kane_guided_stand *on, double height_rate, double roll_rate, double V[6])
{
    double m[2][2]    = {{on->by_height.force.z, on->by_height.torque.x}, {on->by_roll.force.z, on->by_roll.torque.x}};
    const double none = kane_guided_invert(m) ? 0.0 : (double)NAN; // which kane_guided_eval will say
    V[2]              = none - (m[0][0] * height_rate + m[0][1] * roll_rate);
    V[3]              = none - (m[1][0] * height_rate + m[1][1] * roll_rate);
}

// How the wheelset would move without v_z and w_x, section axes.
static kane_section_motion drift(const kane_transport *T, const kane_section *section, const double *q, const double *V)
{
    const kane_mat3 R     = section->R;
    const kane_vec3 r     = kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]);
    const kane_vec3 v     = kv3_add(kv3_add(T->v_o, kv3(V[0], V[1], 0.0)), kv3_cross(T->omega, r));
    kane_section_motion m = {
        .r = section->r, .v = km3_tmulv(R, v), .w = km3_tmulv(R, kv3_add(T->omega, kv3(0.0, V[4], V[5])))};
    kane_section_follow(section->Omega, &m);
    return m;
}

void kane_tables_move(const kane_transport *T, const double *q, const kane_guided_stand *on, double V[6])
{
    const kane_section_motion m = drift(T, &on->section, q, V);
    const kane_wheel_path path  = kane_guided_rates(&m, &on->view, on->axle, kv3_zero());
    const double yaw_rate       = kv3_dot(on->ahead, path.axle_rate) / on->across;
    if (on->status == KANE_OK)
        set_speeds(on, rate_over(&on->table.height, &path, yaw_rate, path.centre_rate.z),
                   rate_over(&on->table.roll, &path, yaw_rate, path.axle_rate.z / on->across), V);
}

void kane_tables_stand(const kane_model *model, const kane_work *work, const kane_wheels *wheels, double *q,
                       kane_wheels_state *w)
{
    const kane_body *body       = &model->bodies[wheels->body];
    kane_guidance *g            = &w->guidance;
    kane_guided_stand *on       = &g->on;
    static const double none[6] = {0.0};
    place p;
    on->status = settle(model, work, wheels, q, w, &p);
    if (on->status == KANE_OK)
        on->status = kane_guide_eval(wheels->guide, p.centre.y, p.yaw, &on->table);
    if (on->status != KANE_OK)
        return;
    on->section = p.section;
    on->view    = kane_guided_look(p.section.Omega, work->track_frame[wheels->frame].Omega_s, &p.line);
    stand_up(p.axle, p.roll, on);
    const kane_mat3 R           = p.section.R;
    const kane_section_motion m = drift(&work->transport[body->frame], &p.section, q, none); // its share counts
    on->by_height               = hold(&on->table.height, on, &m, R, p.centre, kv3_unit(2), kv3_zero());
    on->by_roll                 = hold(&on->table.roll, on, &m, R, p.centre, kv3_zero(), on->about_roll);
    share_out(wheels, p.axle, g);
}

// Second derivative of value - F(y, yaw), from that of the value.
static double bend_over(const kane_guide_function *F, const kane_wheel_path *path, double yaw_rate, double yaw_bend,
                        double bend)
{
    const double y = path->centre_rate.y;
    return bend - F->by_y * path->centre_bend.y - F->by_yaw * yaw_bend -
           (F->by_y_y * y * y + 2.0 * F->by_y_yaw * y * yaw_rate + F->by_yaw_yaw * yaw_rate * yaw_rate);
}

kane_status kane_tables_touch(const kane_section_motion *m, kane_vec3 axle, kane_wheels_state *w)
{
    kane_guidance *g            = &w->guidance;
    const kane_guided_stand *on = &g->on;
    if (on->status != KANE_OK)
        return on->status;
    kane_wheel_path path = kane_guided_rates(m, &on->view, axle, kv3_zero());
    kane_guided_bends(m, &on->view, kv3_zero(), &path);
    const kane_guide_function *height = &on->table.height, *roll = &on->table.roll;
    const double roll_rate = path.axle_rate.z / on->across, yaw_rate = kv3_dot(on->ahead, path.axle_rate) / on->across;
    const double yaw_bend  = kv3_dot(on->ahead, path.axle_bend) / on->across + 2.0 * on->tangent * roll_rate * yaw_rate;
    const double roll_bend = path.axle_bend.z / on->across + on->tangent * roll_rate * roll_rate;
    const double gap[2]    = {path.centre.z - height->value, on->roll - roll->value};
    const double rate[2]   = {rate_over(height, &path, yaw_rate, path.centre_rate.z),
                              rate_over(roll, &path, yaw_rate, roll_rate)};
    const double bend[2]   = {bend_over(height, &path, yaw_rate, yaw_bend, path.centre_bend.z),
                              bend_over(roll, &path, yaw_rate, yaw_bend, roll_bend)};
    for (int side = 0; side < 2; side++) {
        g->gap[side]  = on->up[side] * gap[0] + on->tilt[side] * gap[1];
        g->rate[side] = on->up[side] * rate[0] + on->tilt[side] * rate[1];
        g->bias[side] = on->up[side] * bend[0] + on->tilt[side] * bend[1];
    }
    return KANE_OK;
}
