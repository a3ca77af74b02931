// SPDX-License-Identifier: MIT
// Where links are, how they move, and the wrench that this needs (docs/mechanisms.md, section 2).

#include "tree/spatial.h"
#include "tree/flex.h"
#include "tree/tree.h"

// R(e)/|e|^2, body to parent axes, of Euler parameters e [4] of any length (docs/mechanisms.md, section 1).
static kane_mat3 from_parameters(const double e[4])
{
    const double s = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    const double x = s * e[1], y = s * e[2], z = s * e[3];
    return (kane_mat3){
        {1.0 - y * e[2] - z * e[3], x * e[2] + z * e[0], x * e[3] - y * e[0]},
        {x * e[2] - z * e[0], 1.0 - x * e[1] - z * e[3], y * e[3] + x * e[0]},
        {x * e[3] + y * e[0], y * e[3] - x * e[0], 1.0 - x * e[1] - y * e[2]},
    };
}

// Coordinate of a step [m], [rad]. A prescribed one is evaluated at work->t and stored among q.
static inline double step_coordinate(const kane_step *step, const kane_tree_work *work)
{
    if (step->mode != KANE_STEP_GIVEN)
        return work->q[step->q];
    double f[4];
    kane_step_given(work, step, f);
    return work->q[step->q] = f[0];
}

// Joint on the parent, frame axes:  A = R_p seat_R (returned),  rho = R_p seat [m], from the parent's origin.
static inline kane_mat3 find_joint_seat(const kane_link *link, const kane_tree_work *work, kane_vec3 *rho)
{
    if (link->parent < 0) {
        *rho = link->seat;
        return link->seat_R;
    }
    const kane_mat3 R = work->link[link->parent].R;
    *rho              = km3_mulv(R, link->seat);
    return link->turned ? km3_mul(R, link->seat_R) : R;
}

// Three turns about moving axes:  R = A R_first(q_0) R_second(q_1) R_third(q_2)   (returned)
//   axis[k].e  axis of turn k, frame axes, before the turn is made
// With constant axis numbers the compiler leaves out the choice of axes.
static inline kane_mat3 turn_thrice(kane_mat3 A, int first, int second, int third, const double q[3],
                                    kane_axis_state axis[3])
{
    axis[0].e = km3_column(A, first);
    A         = matrix_turned(A, first, q[0]);
    axis[1].e = km3_column(A, second);
    A         = matrix_turned(A, second, q[1]);
    axis[2].e = km3_column(A, third);
    return matrix_turned(A, third, q[2]);
}

// Attitude of a link with six freedoms from its joint's axes A and its three angles q [rad]; fills e of its turns.
// A spinning link leaves out the last turn: its axes do not spin.
static inline kane_mat3 turn_body(const kane_link *link, kane_mat3 A, const double q[3], kane_axis_state axis[3])
{
    const int first = link->step[3].axis, second = link->step[4].axis, third = link->step[5].axis;
    const double level[3] = {q[0], q[1], link->is_spinning ? 0.0 : q[2]};
    switch (9 * first + 3 * second + third) {
    case 9 * 2 + 3 * 0 + 1: return turn_thrice(A, 2, 0, 1, level, axis); // yaw, roll, pitch
    case 9 * 2 + 3 * 1 + 0: return turn_thrice(A, 2, 1, 0, level, axis);
    default: return turn_thrice(A, first, second, third, level, axis);
    }
}

// Six freedoms, q = (x, y, z, three angles):  rho = R_p seat + A (x, y, z) - R at,   R = A R_1 R_2 R_3
// rho leads to the mass centre; `at` from there to the joint point.
static void place_body(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    const kane_mat3 A    = find_joint_seat(link, work, &s->rho);
    const double *q      = work->q + link->q;
    const kane_vec3 slid = km3_mulv(A, kv3(q[0], q[1], q[2]));
    const kane_mat3 R    = turn_body(link, A, q + 3, &work->axis[link->v + 3]);
    s->R                 = R;
    s->rho               = kv3_sub(kv3_add(s->rho, slid), km3_mulv(R, link->at));
}

// Slides along the joint's axes on the parent, then turns about moving axes (docs/mechanisms.md, section 1):
//   rho = R_p seat + sum q_k A e_k,   R = A R_1 R_2 ...
// Speed of a slide: (e, l) = (0, axis); of a turn: (axis, 0). The last turn of a spinning link is left out of R.
static void place_steps(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    kane_mat3 R = find_joint_seat(link, work, &s->rho);
    for (int k = 0; k < link->step_count; k++) {
        const kane_step *step = &link->step[k];
        const double q        = step_coordinate(step, work);
        const kane_vec3 axis  = km3_column(R, step->axis);
        if (k < link->slide_count)
            s->rho = kv3_add_scaled(s->rho, q, axis);
        else if ((!link->is_spinning || k + 1 < link->step_count) && (step->mode != KANE_STEP_HELD || q != 0.0))
            R = matrix_turned(R, step->axis, q);
        if (step->mode == KANE_STEP_FREE) {
            work->axis[step->v].e = k < link->slide_count ? kv3_zero() : axis;
            work->axis[step->v].l = k < link->slide_count ? axis : kv3_zero();
        } else if (step->mode == KANE_STEP_GIVEN) {
            work->given_axis[step->q] = axis;
        }
    }
    s->R = R;
}

// Ball joint:  R = A R(e)/|e|^2. Its speeds are components of the relative angular velocity in link axes, so e_k are
// the columns of R.
static void place_ball(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    const kane_mat3 A = find_joint_seat(link, work, &s->rho);
    s->R              = km3_mul(A, from_parameters(work->q + link->q));
    for (int k = 0; k < 3; k++) {
        work->axis[link->v + k].e = km3_column(s->R, k);
        work->axis[link->v + k].l = kv3_zero();
    }
}

// User-defined joint:  rho = R_p seat + p, and R, e_k, l_k from the formula (kane_pose_move).
static void place_formula(const kane_link *link, kane_tree_work *work, kane_link_state *s, kane_pose_motion *pose)
{
    const kane_mat3 A = find_joint_seat(link, work, &s->rho);
    kane_pose_move(link, work, A, pose);
    s->R   = pose->R;
    s->rho = kv3_add(s->rho, pose->p);
    for (int k = 0; k < link->step_count; k++)
        if (link->step[k].mode == KANE_STEP_FREE) {
            work->axis[link->step[k].v].e = pose->e[k];
            work->axis[link->step[k].v].l = pose->l[k];
        }
}

// R, r, rho and the axes of the speeds of one link, by its kind. Needs the parent placed.
//   pose  out: motion of a joint by formula, which run_joint needs; else not set
static inline void place_link(const kane_link *link, kane_tree_work *work, kane_link_state *s, kane_pose_motion *pose)
{
    switch (link->kind) {
    case KANE_LINK_BODY: place_body(link, work, s); break;
    case KANE_LINK_STEPS: place_steps(link, work, s); break;
    case KANE_LINK_FORMULA: place_formula(link, work, s, pose); break;
    case KANE_LINK_BALL: place_ball(link, work, s); break;
    }
    s->r = link->parent < 0 ? s->rho : kv3_add(work->link[link->parent].r, s->rho);
}

// Motion of the parent, or of the frame.
typedef struct carrier {
    kane_vec3 v, w, a, al;
} carrier;

// v, w, a, al of the parent's origin; of a root those of the frame, with weight in a (kane_moving_frame).
static inline carrier carrier_of(const kane_link *link, const kane_moving_frame *frames, const kane_tree_work *work)
{
    if (link->parent >= 0) {
        const kane_link_state *p = &work->link[link->parent];
        return (carrier){p->v, p->w, p->a, p->al};
    }
    const kane_moving_frame *base = &frames[link->frame];
    return (carrier){base->v, base->w, base->a, base->al};
}

// Six freedoms, speeds v', w' relative to the frame, frame axes (docs/mechanisms.md, section 2); v_dot = 0:
//   v  = v_o + omega x r + v'      a  = a_o - g + epsilon x r + omega x (omega x r + 2 v')
//   w  = omega + w'                al = epsilon + omega x w'
static void run_body(const kane_link *link, const kane_moving_frame *base, const kane_tree_work *work,
                     kane_link_state *s)
{
    const double *u   = work->v + link->v;
    const kane_vec3 v = kv3(u[0], u[1], u[2]), w = kv3(u[3], u[4], u[5]);
    const kane_vec3 carried  = kv3_cross(base->w, s->r);
    const kane_vec3 coriolis = kv3_cross(base->w, kv3_add_scaled(carried, 2.0, v));
    s->v                     = kv3_add(base->v, kv3_add(carried, v));
    s->w                     = kv3_add(base->w, w);
    s->al                    = kv3_add(base->al, kv3_cross(base->w, w));
    s->a                     = kv3_add(kv3_add(base->a, kv3_cross(base->al, s->r)), coriolis);
}

// Adds step k with axis e, rate q' and, if prescribed, q'' (docs/mechanisms.md, section 2):
//   slide  v += q' e,   a  += 2 w_p x q' e + q'' e
//   turn   w += q' e,   al += w x q' e + q'' e        w: before this turn
static inline void run_step(const kane_link *link, int k, const carrier *p, const kane_tree_work *work,
                            kane_link_state *s)
{
    const kane_step *step = &link->step[k];
    kane_vec3 axis;
    double rate, grows = 0.0;
    if (step->mode == KANE_STEP_FREE) {
        axis = k < link->slide_count ? work->axis[step->v].l : work->axis[step->v].e;
        rate = work->v[step->v];
    } else if (step->mode == KANE_STEP_HELD) {
        return;
    } else {
        double f[4];
        kane_step_given(work, step, f);
        axis  = work->given_axis[step->q];
        rate  = f[1];
        grows = f[2];
    }
    const kane_vec3 moves = kv3_scale(rate, axis);
    if (k < link->slide_count) {
        s->v = kv3_add(s->v, moves);
        s->a = kv3_add_scaled(s->a, 2.0, kv3_cross(p->w, moves));
        s->a = kv3_add_scaled(s->a, grows, axis);
    } else {
        s->al = kv3_add(s->al, kv3_cross(s->w, moves));
        s->al = kv3_add_scaled(s->al, grows, axis);
        s->w  = kv3_add(s->w, moves);
    }
}

// v, w, a, al of a link on a joint, v_dot = 0, from those of its parent p (docs/mechanisms.md, section 2):
//   v = v_p + w_p x rho + ...      a  = a_p + al_p x rho + w_p x (w_p x rho) + ...
//   w = w_p + ...                  al = al_p + ...
// ball, with w' = R u:  w += w',  al += w_p x w'. By formula:  v += p',  a += 2 w_p x p' + p'',  w += omega,
// al += w_p x omega + alpha.
//   pose  of a joint by formula, from place_link; else not read
static void run_joint(const kane_link *link, const kane_moving_frame *frames, const kane_pose_motion *pose,
                      const kane_tree_work *work, kane_link_state *s)
{
    const carrier p         = carrier_of(link, frames, work);
    const kane_vec3 carried = kv3_cross(p.w, s->rho);
    s->v                    = kv3_add(p.v, carried);
    s->w                    = p.w;
    s->al                   = p.al;
    s->a                    = kv3_add(p.a, kv3_add(kv3_cross(p.al, s->rho), kv3_cross(p.w, carried)));
    if (link->kind == KANE_LINK_BALL) {
        const double *u         = work->v + link->v;
        const kane_vec3 turning = km3_mulv(s->R, kv3(u[0], u[1], u[2]));
        s->w                    = kv3_add(p.w, turning);
        s->al                   = kv3_add(p.al, kv3_cross(p.w, turning));
        return;
    }
    if (link->kind == KANE_LINK_FORMULA) {
        s->v  = kv3_add(s->v, pose->v);
        s->w  = kv3_add(s->w, pose->w);
        s->al = kv3_add(s->al, kv3_add(kv3_cross(p.w, pose->w), pose->al));
        s->a  = kv3_add(s->a, kv3_add_scaled(pose->a, 2.0, kv3_cross(p.w, pose->v)));
        return;
    }
    for (int k = 0; k < link->step_count; k++)
        run_step(link, k, &p, work, s);
}

// Rigid inertia I about the origin, and the wrench (n, f) that the motion needs with v_dot = 0, frame axes, with c from
// the origin to the mass centre (docs/mechanisms.md, section 2, without torques and forces that act):
//   n = w x J w + J al + m c x a     f = m a + al x m c + w x (w x m c)
static inline void weigh_link(const kane_link *link, const kane_tree_work *work, kane_link_state *s)
{
    const kane_mat3 R = s->R;
    const kane_vec3 w = s->w, a = s->a, al = s->al;
    const double m  = link->mass;
    kane_spatial *I = &s->I;
    ksym_turn(kane_link_inertia_axes(link, work->q, R), link->J, I->J);
    kane_vec3 n = kv3_add(kv3_cross(w, ksym_mulv(I->J, w)), ksym_mulv(I->J, al));
    kane_vec3 f = kv3_scale(m, a);
    for (int k = 0; k < 6; k++)
        I->M[k] = k < 3 ? m : 0.0;
    if (link->kind != KANE_LINK_BODY) {
        const kane_vec3 mc = km3_mulv(R, kv3_scale(m, link->c));
        I->H               = km3_skew(mc);
        n                  = kv3_add(n, kv3_cross(mc, a));
        f                  = kv3_add(f, kv3_add(kv3_cross(al, mc), kv3_cross(w, kv3_cross(w, mc))));
    } else {
        I->H = km3_zero();
    }
    s->n = n;
    s->f = f;
}

// Fast path of place_link, run_joint and weigh_link for a hinge on another link.
// Components of the parent are read one by one: copies of whole vectors would wait for their stores.
static void move_hinge(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    const kane_step *step    = &link->step[0];
    const kane_link_state *p = &work->link[link->parent];
    const kane_mat3 A        = link->turned ? km3_mul(p->R, link->seat_R) : p->R;
    const kane_vec3 rho      = km3_mulv(p->R, link->seat);
    const kane_vec3 e        = km3_column(A, step->axis);
    const kane_vec3 moves    = kv3_scale(work->v[step->v], e);
    const kane_vec3 carried  = kv3_cross(p->w, rho);
    work->axis[step->v].e    = e;
    work->axis[step->v].l    = kv3_zero();

    s->R   = matrix_turned(A, step->axis, work->q[step->q]);
    s->rho = rho;
    s->r   = kv3_add(p->r, rho);
    s->v   = kv3_add(p->v, carried);
    s->w   = kv3_add(p->w, moves);
    s->al  = kv3_add(p->al, kv3_cross(p->w, moves));
    s->a   = kv3_add(p->a, kv3_add(kv3_cross(p->al, rho), kv3_cross(p->w, carried)));
    weigh_link(link, work, s);
}

// place_link, run_joint and weigh_link of a point of a deformable body: three slides, then turns about z, x, y.
// A point without mass needs no wrench; its inertia is set to zero only if links are attached to it.
static void move_member(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    const kane_link_state *p = &work->link[link->parent];
    const double *q = work->q + link->q, *v = work->v + link->v;
    kane_axis_state *axis  = work->axis + link->v;
    const kane_mat3 A      = link->turned ? km3_mul(p->R, link->seat_R) : p->R;
    const kane_vec3 rho    = kv3_add(km3_mulv(p->R, link->seat), km3_mulv(A, kv3(q[0], q[1], q[2])));
    const kane_vec3 slides = km3_mulv(A, kv3(v[0], v[1], v[2])), carried = kv3_cross(p->w, rho);
    axis[0].l = A.x;
    axis[1].l = A.y;
    axis[2].l = A.z;
    s->R      = turn_thrice(A, 2, 0, 1, q + 3, axis + 3);
    s->rho    = rho;
    s->r      = kv3_add(p->r, rho);
    s->v      = kv3_add(p->v, kv3_add(carried, slides));
    s->a      = kv3_add(kv3_add(p->a, kv3_cross(p->al, rho)), kv3_cross(p->w, kv3_add_scaled(carried, 2.0, slides)));
    s->w      = p->w;
    s->al     = p->al;
    for (int k = 0; k < 3; k++) {
        const kane_vec3 turns = kv3_scale(v[3 + k], axis[3 + k].e);
        s->al                 = kv3_add(s->al, kv3_cross(s->w, turns));
        s->w                  = kv3_add(s->w, turns);
    }
    if (link->mass > 0.0) {
        weigh_link(link, work, s);
        return;
    }
    s->n = s->f = kv3_zero();
    if (link->coupled)
        s->I = (kane_spatial){.H = km3_zero()};
}

// Free body in its frame:  r = (x, y, z),  R = Rz(yaw) Rx(roll) Ry(pitch), without Ry if it spins; axes of its turns
// (44):
//   yaw (0, 0, 1),   roll (cos(yaw), sin(yaw), 0),   pitch the y axis of Rz Rx
static void place_alone(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    const double *q       = work->q + link->q;
    kane_axis_state *turn = work->axis + link->v + 3;
    const double sy = sin(q[3]), cy = cos(q[3]), sr = sin(q[4]), cr = cos(q[4]);
    const kane_mat3 R = {kv3(cy, sy, 0.0), kv3(-sy * cr, cy * cr, sr), kv3(sy * sr, -cy * sr, cr)};
    turn[0].e         = kv3(0.0, 0.0, 1.0);
    turn[1].e         = R.x;
    turn[2].e         = R.y;
    s->R              = link->is_spinning ? R : km3_turn_y(R, sin(q[5]), cos(q[5]));
    s->r = s->rho = kv3(q[0], q[1], q[2]);
}

// run_body and weigh_link of a free body. J is constant in link axes, so w and al are taken there:
//   n = R (w x J w + J al) [N m]     f = m a [N], frame axes
static void run_alone(const kane_link *link, const kane_moving_frame *base, const kane_tree_work *work,
                      kane_link_state *s)
{
    run_body(link, base, work, s);
    const kane_vec3 w = km3_tmulv(s->R, s->w), al = km3_tmulv(s->R, s->al);
    s->n = km3_mulv(s->R, kv3_add(kv3_cross(w, ksym_mulv(link->J, w)), ksym_mulv(link->J, al)));
    s->f = kv3_scale(link->mass, s->a);
}

// R, r, rho and axes of speeds, from q and t; parents first. Interface nodes: z = G q.
void kane_tree_place(const kane_tree *tree, kane_links links, kane_tree_work *work)
{
    kane_pose_motion pose;
    for (int i = links.first; i < links.end; i++) {
        if (tree->links[i].role == KANE_FLEX_NODE) {
            kane_flex_read(&tree->flexes[tree->links[i].flex], work, &work->flex[tree->links[i].flex]);
            kane_flex_move_node(tree, i, work);
        }
        if (tree->links[i].is_free_body)
            place_alone(&tree->links[i], work, &work->link[i]);
        else
            place_link(&tree->links[i], work, &work->link[i], &pose);
    }
}

// R .. al, I, n, f of one link of any kind.
static void move_link(const kane_tree *tree, int i, const kane_moving_frame *frames, kane_tree_work *work)
{
    const kane_link *link = &tree->links[i];
    kane_link_state *s    = &work->link[i];
    kane_pose_motion pose;
    place_link(link, work, s, &pose);
    if (link->kind == KANE_LINK_BODY)
        run_body(link, &frames[link->frame], work, s);
    else
        run_joint(link, frames, &pose, work, s);
    weigh_link(link, work, s);
}

// The same for a link of a flexible body. Its frame also gets the inertia that modes add (kane_flex_weigh), a node
// moves by z = G q, z' = G q'. Mode links and idle members are left out: kane_tree_move_idle.
static void move_tied(const kane_tree *tree, int i, const kane_moving_frame *frames, kane_tree_work *work)
{
    const kane_link *link = &tree->links[i];
    const kane_flex *flex = &tree->flexes[link->flex];
    kane_flex_work *own   = &work->flex[link->flex];
    if (link->role == KANE_FLEX_FRAME) {
        move_link(tree, i, frames, work);
        kane_flex_read(flex, work, own);
        kane_flex_weigh(flex, own, work, &work->link[i]);
    } else if (link->role == KANE_FLEX_NODE && !link->idle) {
        kane_flex_move_node(tree, i, work);
        move_member(link, work, &work->link[i]);
    }
}

// Needs kane_tree_move, which has moved the carrier.
void kane_tree_move_idle(const kane_tree *tree, const kane_flex *flex, const kane_moving_frame *frames,
                         kane_tree_work *work)
{
    for (int k = 0; k < flex->count; k++)
        move_link(tree, flex->mode + k, frames, work);
    for (int m = 0; m < flex->member_count; m++)
        if (tree->links[flex->members[m]].idle) {
            kane_flex_move_node(tree, flex->members[m], work);
            move_member(&tree->links[flex->members[m]], work, &work->link[flex->members[m]]);
        }
}

// docs/mechanisms.md, section 2. Parents come first, so one loop over the links is the outward pass.
void kane_tree_move(const kane_tree *tree, kane_links links, const kane_moving_frame *frames, kane_tree_work *work)
{
    for (int i = links.first; i < links.end; i++) {
        const kane_link *link = &tree->links[i];
        if (link->role != KANE_FLEX_NONE)
            move_tied(tree, i, frames, work);
        else if (link->hinge && link->parent >= 0)
            move_hinge(link, work, &work->link[i]);
        else if (link->is_free_body) {
            place_alone(link, work, &work->link[i]);
            run_alone(link, &frames[link->frame], work, &work->link[i]);
        } else
            move_link(tree, i, frames, work);
    }
}

// Needs kane_tree_place at the same q and t. Joints by formula and links of flexible bodies are placed again.
void kane_tree_run(const kane_tree *tree, kane_links links, const kane_moving_frame *frames, kane_tree_work *work)
{
    for (int i = links.first; i < links.end; i++) {
        const kane_link *link = &tree->links[i];
        kane_link_state *s    = &work->link[i];
        if (link->role != KANE_FLEX_NONE) {
            move_tied(tree, i, frames, work);
        } else if (link->is_free_body) {
            run_alone(link, &frames[link->frame], work, s);
        } else if (link->kind == KANE_LINK_FORMULA) {
            move_link(tree, i, frames, work);
        } else {
            if (link->kind == KANE_LINK_BODY)
                run_body(link, &frames[link->frame], work, s);
            else
                run_joint(link, frames, NULL, work, s);
            weigh_link(link, work, s);
        }
    }
}
