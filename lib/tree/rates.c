// SPDX-License-Identifier: MIT
// Coordinates of links against their speeds: q_dot = Q(q) v (44), the way back, and second derivatives.

#include "tree/tree.h"

// Rates of three turns with axes e1, e2, e3 from w = e1 q1' + e2 q2' + e3 q3' [rad/s], where e1.e2 = e2.e3 = 0:
//   q1' = w.(e2 x e3)/e1.(e2 x e3),   q2' = w.e2,   q3' = w.e3 - q1' e1.e3
// Not finite where e1 and e3 are parallel.
static inline void turn_rates(const kane_axis_state *axis, kane_vec3 w, double out[3])
{
    const kane_vec3 e1 = axis[0].e, e2 = axis[1].e, e3 = axis[2].e, k = kv3_cross(e2, e3);
    out[0] = kv3_dot(w, k) / kv3_dot(e1, k);
    out[1] = kv3_dot(w, e2);
    out[2] = kv3_dot(w, e3) - out[0] * kv3_dot(e1, e3);
}

// e' = 1/2 e o (0, w)       w: relative angular velocity, link axes [rad/s] (docs/mechanisms.md, section 1)
static inline void ball_rates(const double e[4], kane_vec3 w, double out[4])
{
    out[0] = 0.5 * (-e[1] * w.x - e[2] * w.y - e[3] * w.z);
    out[1] = 0.5 * (e[0] * w.x + e[2] * w.z - e[3] * w.y);
    out[2] = 0.5 * (e[0] * w.y + e[3] * w.x - e[1] * w.z);
    out[3] = 0.5 * (e[0] * w.z + e[1] * w.y - e[2] * w.x);
}

// How the seat of a link moves: the parent, or the frame. Accelerations as the link states have them.
typedef struct carrier {
    kane_mat3 A;           // axes of the joint on it
    kane_vec3 v, w, a, al; // of the parent's origin
    kane_vec3 arm;         // from there to the joint point of the link
} carrier;

// Motion of the parent of link i, or of its frame `base`, with full accelerations a + da, al + dal.
// Needs kane_tree_move; for a and al also v_dot and the accelerations of the parent.
static carrier find_parent_motion(const kane_tree *tree, int i, const kane_moving_frame *base,
                                  const kane_tree_work *work)
{
    const kane_link *link    = &tree->links[i];
    const kane_link_state *s = &work->link[i];
    carrier c                = {.arm = kv3_add(s->rho, km3_mulv(s->R, link->at))};
    if (link->parent < 0) {
        c.A  = link->seat_R;
        c.v  = base->v;
        c.w  = base->w;
        c.a  = base->a;
        c.al = base->al;
        return c;
    }
    const kane_link_state *p = &work->link[link->parent];
    c.A                      = link->turned ? km3_mul(p->R, link->seat_R) : p->R;
    c.v                      = p->v;
    c.w                      = p->w;
    c.a                      = kv3_add(p->a, p->da);
    c.al                     = kv3_add(p->al, p->dal);
    return c;
}

// q' of a link with six freedoms that is not free in its frame: velocity of the joint point against the seat, seat
// axes, and turn rates:
//   (x, y, z)' = A' (v - v_p - w_p x rho + (w - w_p) x at)        w - w_p = sum e_k q_k'
static void body_rates(const kane_tree *tree, int i, const kane_moving_frame *base, const kane_tree_work *work,
                       double *q_dot)
{
    const kane_link *link    = &tree->links[i];
    const kane_link_state *s = &work->link[i], *p = link->parent < 0 ? NULL : &work->link[link->parent];
    const kane_vec3 v = p ? p->v : base->v, w = p ? p->w : base->w;
    const kane_vec3 turning = kv3_sub(s->w, w), at = km3_mulv(s->R, link->at);
    const kane_vec3 slides = kv3_add(kv3_sub(kv3_sub(s->v, v), kv3_cross(w, s->rho)), kv3_cross(turning, at));
    kane_vec3 along        = p ? km3_tmulv(p->R, slides) : slides;
    if (link->turned)
        along = km3_tmulv(link->seat_R, along);
    q_dot[0] = along.x;
    q_dot[1] = along.y;
    q_dot[2] = along.z;
    turn_rates(work->axis + link->v + 3, turning, q_dot + 3);
}

// q' = Q(q) u (44) of a body in its frame:  (x, y, z)' = v, and for Rz Rx Ry (docs/theory.md, section 3)
//   pitch' = (w_y cos(yaw) - w_x sin(yaw))/cos(roll)
//   roll'  =  w_x cos(yaw) + w_y sin(yaw)
//   yaw'   =  w_z - pitch' sin(roll)
static void free_rates(const kane_link *link, const kane_tree_work *work, double *q_dot)
{
    const double *v = work->v + link->v;
    q_dot[0]        = v[0];
    q_dot[1]        = v[1];
    q_dot[2]        = v[2];
    if (!link->is_free_body) {
        turn_rates(work->axis + link->v + 3, kv3(v[3], v[4], v[5]), q_dot + 3);
        return;
    }
    // yaw about z, then roll about (cos yaw, sin yaw, 0)
    const kane_vec3 x1 = work->axis[link->v + 4].e, y2 = work->axis[link->v + 5].e;
    const double level = x1.x * y2.y - x1.y * y2.x, pitch = (x1.x * v[4] - x1.y * v[3]) / level;
    q_dot[3] = v[5] - y2.z * pitch;
    q_dot[4] = x1.x * v[3] + x1.y * v[4];
    q_dot[5] = pitch;
}

// Whether coordinates count from the frame's own origin and axes to the mass centre.
static int is_free(const kane_link *link)
{
    return link->is_free_body ||
           (link->parent < 0 && !link->turned && link->at.x == 0.0 && link->at.y == 0.0 && link->at.z == 0.0);
}

// Rate (derivative 1, v: speeds) or second derivative (2, v: v_dot) of one step; zero if it is held.
static double step_rate(const kane_step *step, const kane_tree_work *work, const double *v, int derivative)
{
    double f[4];
    if (step->mode == KANE_STEP_FREE)
        return v[step->v];
    if (step->mode == KANE_STEP_HELD)
        return 0.0;
    kane_step_given(work, step, f);
    return f[derivative];
}

// Rate of the last turn of a spinning link [rad/s].
static double spin_rate(const kane_tree *tree, int i, const kane_moving_frame *base, const kane_tree_work *work)
{
    const kane_link *link = &tree->links[i];
    double rate[3];
    if (link->kind == KANE_LINK_STEPS)
        return work->v[link->step[kane_link_spin(link)].v];
    const kane_vec3 w = link->parent < 0 ? base->w : work->link[link->parent].w;
    turn_rates(work->axis + link->v + 3, kv3_sub(work->link[i].w, w), rate);
    return rate[2];
}

// A link on an axle turns against axes that do not spin by its own speed s and the spin of the axle
// (docs/mechanisms.md, section 1):
//   w = w_p + s e,  w_p = (that of the axes) + spin e     ->     q' = s + spin        (e -> -e: s - spin)
static double spin_of_carrier(const kane_tree *tree, const kane_link *link, const kane_moving_frame *base,
                              const kane_tree_work *work)
{
    return link->on_axle * spin_rate(tree, link->parent, base, work);
}

// q' = Q(q) v (44). Needs kane_tree_place; kane_tree_move for bodies with six freedoms and links on an axle.
void kane_tree_rates(const kane_tree *tree, int i, const kane_moving_frame *base, const kane_tree_work *work,
                     double *q_dot)
{
    const kane_link *link = &tree->links[i];
    const double *v       = work->v + link->v;
    if (link->hinge) {
        *q_dot = *v;
        return;
    }
    switch (link->kind) {
    case KANE_LINK_BODY:
        if (is_free(link))
            free_rates(link, work, q_dot);
        else
            body_rates(tree, i, base, work, q_dot);
        break;
    case KANE_LINK_STEPS:
    case KANE_LINK_FORMULA:
        for (int k = 0; k < link->step_count; k++)
            q_dot[k] = step_rate(&link->step[k], work, work->v, 1);
        if (link->on_axle)
            q_dot[link->slide_count] += spin_of_carrier(tree, link, base, work);
        break;
    case KANE_LINK_BALL: ball_rates(work->q + link->q, kv3(v[0], v[1], v[2]), q_dot); break;
    }
}

// Inverse of body_rates, for speeds relative to the frame, frame axes:
//   w = w_p + sum e_k q_k' - omega,   v = v_p + w_p x arm + A (x, y, z)' - (w + omega) x at - v_o - omega x r
static void body_speeds(const kane_tree *tree, int i, const kane_moving_frame *base, const kane_tree_work *work,
                        const double *q_dot, double *v)
{
    const kane_link *link       = &tree->links[i];
    const kane_link_state *s    = &work->link[i];
    const kane_axis_state *axis = work->axis + link->v + 3;
    const carrier c             = find_parent_motion(tree, i, base, work);
    kane_vec3 w                 = c.w;
    for (int k = 0; k < 3; k++)
        w = kv3_add_scaled(w, q_dot[3 + k], axis[k].e);
    kane_vec3 point = kv3_add(kv3_add(c.v, kv3_cross(c.w, c.arm)), km3_mulv(c.A, kv3(q_dot[0], q_dot[1], q_dot[2])));
    point           = kv3_sub(point, kv3_cross(w, km3_mulv(s->R, link->at)));
    point           = kane_link_mask(link, kv3_sub(kv3_sub(point, base->v), kv3_cross(base->w, s->r)));
    w               = kv3_sub(w, base->w);
    v[0]            = point.x;
    v[1]            = point.y;
    v[2]            = point.z;
    v[3]            = w.x;
    v[4]            = w.y;
    v[5]            = w.z;
}

// Inverse of kane_tree_rates. Of prescribed and held steps no speed exists.
void kane_tree_speeds(const kane_tree *tree, int i, const kane_moving_frame *base, kane_tree_work *work,
                      const double *q_dot)
{
    const kane_link *link = &tree->links[i];
    double *v             = work->v + link->v;
    switch (link->kind) {
    case KANE_LINK_BODY: body_speeds(tree, i, base, work, q_dot, v); break;
    case KANE_LINK_STEPS:
    case KANE_LINK_FORMULA:
        for (int k = 0; k < link->step_count; k++)
            if (link->step[k].mode == KANE_STEP_FREE)
                work->v[link->step[k].v] = q_dot[k];
        if (link->on_axle)
            work->v[link->step[link->slide_count].v] -= spin_of_carrier(tree, link, base, work);
        break;
    case KANE_LINK_BALL: { // w = 2 (conjugate of e) o e' / |e|^2
        const double *e = work->q + link->q, *d = q_dot;
        const double s = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        v[0]           = s * (e[0] * d[1] - e[1] * d[0] - e[2] * d[3] + e[3] * d[2]);
        v[1]           = s * (e[0] * d[2] - e[2] * d[0] - e[3] * d[1] + e[1] * d[3]);
        v[2]           = s * (e[0] * d[3] - e[3] * d[0] - e[1] * d[2] + e[2] * d[1]);
        break;
    }
    }
}

// q'' of a link with six freedoms; a, al with v_dot included:
//   (x, y, z)'' = A' (a + al x at + w x (w x at) - a_p - al_p x arm - w_p x (w_p x arm + 2 A (x, y, z)'))
//   sum e_k q_k'' = al - al_p - sum w_before x e_k q_k'
static void body_accelerations(const kane_tree *tree, int i, const kane_moving_frame *base, const kane_tree_work *work,
                               double *q_ddot)
{
    const kane_link *link       = &tree->links[i];
    const kane_link_state *s    = &work->link[i];
    const kane_axis_state *axis = work->axis + link->v + 3;
    const carrier c             = find_parent_motion(tree, i, base, work);
    const kane_vec3 at          = km3_mulv(s->R, link->at);
    const kane_vec3 a = kv3_add(s->a, s->da), al = kv3_add(s->al, s->dal);
    double rate[6];
    body_rates(tree, i, base, work, rate);
    const kane_vec3 slides = km3_mulv(c.A, kv3(rate[0], rate[1], rate[2]));

    kane_vec3 x = kv3_add(kv3_add(a, kv3_cross(al, at)), kv3_cross(s->w, kv3_cross(s->w, at)));
    x           = kv3_sub(x, kv3_add(c.a, kv3_cross(c.al, c.arm)));
    x           = kv3_sub(x, kv3_cross(c.w, kv3_add_scaled(kv3_cross(c.w, c.arm), 2.0, slides)));
    kane_vec3 w = c.w, y = kv3_sub(al, c.al);
    for (int k = 0; k < 3; k++) {
        const kane_vec3 turning = kv3_scale(rate[3 + k], axis[k].e);
        y                       = kv3_sub(y, kv3_cross(w, turning));
        w                       = kv3_add(w, turning);
    }
    q_ddot[0] = kv3_dot(c.A.x, x);
    q_ddot[1] = kv3_dot(c.A.y, x);
    q_ddot[2] = kv3_dot(c.A.z, x);
    turn_rates(axis, y, q_ddot + 3);
}

// Second derivative of the last turn of a spinning link [rad/s^2].
static double spin_acceleration(const kane_tree *tree, int i, const kane_moving_frame *base, const kane_tree_work *work)
{
    const kane_link *link = &tree->links[i];
    double q_ddot[6];
    if (link->kind == KANE_LINK_STEPS)
        return work->v_dot[link->step[kane_link_spin(link)].v];
    body_accelerations(tree, i, base, work, q_ddot);
    return q_ddot[kane_link_spin(link)];
}

// Needs v_dot and kane_tree_outward or kane_tree_accelerate.
void kane_tree_accelerations(const kane_tree *tree, int i, const kane_moving_frame *base, const kane_tree_work *work,
                             double *q_ddot)
{
    const kane_link *link = &tree->links[i];
    const double *v = work->v + link->v, *v_dot = work->v_dot + link->v;
    switch (link->kind) {
    case KANE_LINK_BODY: {
        body_accelerations(tree, i, base, work, q_ddot);
        break;
    }
    case KANE_LINK_STEPS:
    case KANE_LINK_FORMULA:
        for (int k = 0; k < link->step_count; k++)
            q_ddot[k] = step_rate(&link->step[k], work, work->v_dot, 2);
        if (link->on_axle)
            q_ddot[link->slide_count] += link->on_axle * spin_acceleration(tree, link->parent, base, work);
        break;
    case KANE_LINK_BALL: { // 1/2 (e' o w + e o w'); e' o w = -1/2 |w|^2 e
        const double *e = work->q + link->q;
        const double w2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        ball_rates(e, kv3(v_dot[0], v_dot[1], v_dot[2]), q_ddot);
        for (int k = 0; k < 4; k++)
            q_ddot[k] -= 0.25 * w2 * e[k];
        break;
    }
    }
}

// Up to a link on a joint only its own speeds count, on an axle those of the axle's link too; a body with six freedoms
// has speeds relative to the frame, so all links between it and the next such body count.
int kane_tree_rate_path(const kane_tree *tree, int link, int *path)
{
    const kane_link *own = &tree->links[link];
    const int counted    = own->on_axle ? own->parent : link; // whose place against what carries it is asked for
    int count            = 0;
    for (int i = link; i >= 0; i = tree->links[i].parent) {
        const int is_body = tree->links[i].kind == KANE_LINK_BODY;
        if (path)
            path[count] = i;
        count++;
        if (i == counted ? !is_body : i != link && is_body)
            break;
    }
    return count;
}

// === Small displacements of links: what speeds would do to their coordinates in a unit of time.

// (v, w) of link i by speeds v alone: frames at rest, no prescribed motion.
//   w = w_p + sum e_k v_k,   v = v_p + w_p x rho + sum l_k v_k
static void spread_velocity(const kane_tree *tree, int i, const double *v, kane_tree_work *work)
{
    const kane_link *l = &tree->links[i];
    kane_link_state *s = &work->link[i];
    if (l->kind == KANE_LINK_BODY) {
        s->v = kv3(v[l->v], v[l->v + 1], v[l->v + 2]);
        s->w = kv3(v[l->v + 3], v[l->v + 4], v[l->v + 5]);
        return;
    }
    s->v = s->w = kv3_zero();
    if (l->parent >= 0) {
        const kane_link_state *p = &work->link[l->parent];
        s->w                     = p->w;
        s->v                     = kv3_add(p->v, kv3_cross(p->w, s->rho));
    }
    for (int k = l->v; k < l->v + l->v_count; k++) {
        s->w = kv3_add_scaled(s->w, v[k], work->axis[k].e);
        s->v = kv3_add_scaled(s->v, v[k], work->axis[k].l);
    }
}

// dq = Q(q) dv, with the velocity of the link left in work->link.
void kane_tree_spread(const kane_tree *tree, int i, double *dv, kane_tree_work *work, double *dq)
{
    static const kane_moving_frame rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double *v                           = work->v;
    spread_velocity(tree, i, dv, work);
    work->v = dv;
    kane_tree_rates(tree, i, &rest, work, dq);
    work->v = v;
}

// e <- (e + 1/2 e o (0, w))/sqrt(1 + |w|^2/4): Euler parameters keep their length. A zero displacement and a small one
// leave the same length, so that rates depend on them smoothly.
static void shift_ball(double e[4], kane_vec3 w)
{
    const double scale = 1.0 / sqrt(1.0 + 0.25 * kv3_dot(w, w));
    double de[4];
    ball_rates(e, w, de);
    for (int c = 0; c < 4; c++)
        e[c] = scale * (e[c] + de[c]);
}

// q += Q(q) dv for the free coordinates. Needs the parents shifted by kane_tree_shift or spread by kane_tree_spread.
void kane_tree_shift(const kane_tree *tree, int i, double *dv, kane_tree_work *work)
{
    const kane_link *l = &tree->links[i];
    double dq[6]; // a joint has no more coordinates
    kane_tree_spread(tree, i, dv, work, dq);
    if (l->kind == KANE_LINK_BALL) {
        kane_tree_shift_joint(l, dv, work);
        return;
    }
    for (int c = 0; c < l->q_count; c++)
        if (l->step[c].mode == KANE_STEP_FREE)
            work->q[l->q + c] += dq[c];
}

// q += dv step by step: rates of these coordinates are the speeds; of a ball joint shift_ball.
void kane_tree_shift_joint(const kane_link *link, const double *dv, kane_tree_work *work)
{
    const double *own = dv + link->v;
    double *q         = work->q + link->q;
    if (link->kind == KANE_LINK_BALL) {
        shift_ball(q, kv3(own[0], own[1], own[2]));
        return;
    }
    for (int k = 0; k < link->step_count; k++)
        if (link->step[k].mode == KANE_STEP_FREE)
            q[k] += dv[link->step[k].v];
}
