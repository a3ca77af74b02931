// SPDX-License-Identifier: MIT
// How a rail lies in a section of the line (rails.h).

#include "agem/rails.h"

kane_guide_line kane_rail_line(double distance, const kane_rail_offset *o)
{
    return (kane_guide_line){.p     = kv3(0.0, distance + o->y, o->z),
                             .p_s   = kv3(0.0, o->y_s, o->z_s),
                             .p_ss  = kv3(0.0, o->y_ss, o->z_ss),
                             .p_sss = kv3(0.0, o->y_sss, o->z_sss),
                             .left  = kv3_unit(1)};
}

kane_mat3 kane_rail_axes(kane_vec3 Omega, const kane_guide_line *g, double *length)
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

static own_turn turn_of(kane_vec3 Omega, kane_vec3 Omega_s, const kane_guide_line *g, kane_mat3 R, double length)
{
    const kane_vec3 t_s  = kv3_add(kv3_add(g->p_ss, kv3_cross(Omega_s, g->p)), kv3_cross(Omega, g->p_s));
    const double stretch = kv3_dot(R.x, t_s);
    const kane_vec3 x_s  = km3_tmulv(R, kv3_scale(1.0 / length, kv3_add_scaled(t_s, -stretch, R.x)));
    const double twist   = (kv3_dot(g->left_s, R.z) - x_s.z * kv3_dot(R.x, g->left)) / kv3_dot(g->left, R.y);
    return (own_turn){kv3(twist, -x_s.z, x_s.y), stretch, x_s};
}

static kane_rail_view view_of(kane_vec3 Omega, const kane_guide_line *g, kane_mat3 R, double length, kane_vec3 own)
{
    return (kane_rail_view){.origin = g->p, .R = R, .K = kv3_add(km3_tmulv(R, Omega), own), .length = length};
}

// turn_of and view_of of one rail, written out: what is zero of it is left out, since wheels ask in every evaluation.
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

// Change of Q's own turn along the line: its components (see above) with left.z = 0, all differentiated once more. bend: part
// of x'' that is not due to the turn, Q's axes.
static kane_vec3 turn_change(const kane_guide_line *g, kane_mat3 R, kane_vec3 own, kane_vec3 bend)
{
    const double across = kv3_dot(g->left, R.y), ahead = kv3_dot(g->left, R.x);
    const double pitch = own.x * own.z - bend.z, yaw = bend.y - own.x * own.y;
    const double twist = kv3_dot(g->left_ss, R.z) +
                         2.0 * (own.y * kv3_dot(g->left_s, R.x) - own.x * kv3_dot(g->left_s, R.y)) +
                         (pitch + own.x * own.z) * ahead;
    return kv3(twist / across + own.y * own.z, pitch, yaw);
}

kane_rail_view kane_rail_look_on(kane_vec3 Omega, kane_vec3 Omega_s, const kane_guide_line *g)
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
