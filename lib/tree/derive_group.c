// SPDX-License-Identifier: MIT
// How the states of a group move it: its directions.

#include "tree/derive_group.h"

#include "tree/tree.h"

#include <string.h>

// --- coordinates ---

// Axes of the joint on the parent, to frame axes:  A = R_p seat_R.
static kane_mat3 seat_axes(const kane_tree_work *work, const kane_link *link)
{
    if (link->parent < 0)
        return link->seat_R;
    const kane_mat3 R = work->link[link->parent].R;
    return link->turned ? km3_mul(R, link->seat_R) : R;
}

// Axis of a step without a speed (held), frame axes. A formula's step without a speed is prescribed and no state.
static kane_vec3 held_axis(const kane_tree_work *work, const kane_link *link, int index)
{
    kane_mat3 R = seat_axes(work, link);
    for (int k = link->slide_count; k < index; k++)
        R = matrix_turned(R, link->step[k].axis, work->q[link->step[k].q]);
    return km3_column(R, link->step[index].axis);
}

// Twist (e, l) of a step about the link's origin, for a unit of its coordinate or speed.
static kane_twist step_twist(const kane_tree_work *work, const kane_link *link, int index)
{
    const kane_step *step = &link->step[index];
    if (step->v >= 0)
        return (kane_twist){work->axis[step->v].e, work->axis[step->v].l};
    if (link->kind == KANE_LINK_FORMULA)
        return (kane_twist){kv3_zero(), kv3_zero()};
    const kane_vec3 axis = held_axis(work, link, index);
    return index < link->slide_count ? (kane_twist){kv3_zero(), axis} : (kane_twist){axis, kv3_zero()};
}

// Rotation by a unit of Euler parameter `index`, link axes:  2 (conjugate of e) o de/|e|^2.
static kane_vec3 ball_turn(const double e[4], int index)
{
    const double s      = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    const kane_vec3 own = kv3(e[1], e[2], e[3]);
    if (index == 0)
        return kv3_scale(-s, own);
    const kane_vec3 unit = kv3_unit(index - 1);
    return kv3_scale(s, kv3_sub(kv3_scale(e[0], unit), kv3_cross(own, unit)));
}

// Twist of a coordinate about the link's origin, frame axes: rotation e and displacement l of the origin for a unit of
// it. Zero for one that moves nothing (kane_link_moves_by).
static kane_twist coordinate_twist(const kane_tree *tree, const kane_tree_work *work, int i, int index)
{
    const kane_link *link    = &tree->links[i];
    const kane_link_state *s = &work->link[i];
    if (!kane_link_moves_by(link, index))
        return (kane_twist){kv3_zero(), kv3_zero()};
    if (kane_link_has_steps(link))
        return step_twist(work, link, index);
    if (link->kind == KANE_LINK_BALL)
        return (kane_twist){km3_mulv(s->R, ball_turn(work->q + link->q, index)), kv3_zero()};
    if (index < 3) {
        const kane_vec3 slide = km3_column(link->seat_R, index);
        return (kane_twist){kv3_zero(), link->parent < 0 ? slide : km3_mulv(work->link[link->parent].R, slide)};
    }
    // a turn about the joint point displaces the mass centre
    const kane_vec3 e = work->axis[link->v + index].e;
    return (kane_twist){e, kv3_cross(km3_mulv(s->R, link->at), e)};
}

void kane_coordinate_twists(const kane_derive_map *map, const kane_tree_work *work, kane_derive_work *scratch)
{
    const kane_tree *tree = map->tree;
    for (int i = 0; i < tree->link_count; i++)
        for (int k = 0; k < tree->links[i].q_count && map->carrier[i]; k++)
            scratch->twist[tree->links[i].q + k] = coordinate_twist(tree, work, i, k);
    for (int g = 0; g < map->group_count; g++) {
        const kane_group *group = &map->groups[g];
        kane_twist *pose        = scratch->pose + group->carried_at;
        for (int k = 0; k < group->carried_count; k++)
            pose[k] = kane_root_twist(map, scratch, work, group->root, group->carried[k]);
    }
}

// --- fields ---

// Velocity and acceleration fields of a link at the group's point, fixed in space; r from there to the link's origin:
//   V = (w, v - w x r)       A = dV/dt = (al, a - al x r - w x v),  v_dot included
static void set_field(const kane_link_state *s, kane_vec3 point, kane_field *f)
{
    const kane_vec3 a = kv3_add(s->a, s->da);
    f->r              = kv3_sub(s->r, point);
    f->V.e            = s->w;
    f->V.l            = kv3_sub(s->v, kv3_cross(s->w, f->r));
    f->A.e            = kv3_add(s->al, s->dal);
    f->A.l            = kv3_sub(kv3_sub(a, kv3_cross(f->A.e, f->r)), kv3_cross(s->w, s->v));
}

// The same of the frame, whose origin is at -point.
static kane_field frame_field(const kane_moving_frame *base, kane_vec3 point)
{
    kane_field f;
    f.r   = kv3_neg(point);
    f.V.e = base->w;
    f.V.l = kv3_add(base->v, kv3_cross(base->w, point));
    f.A.e = base->al;
    f.A.l = kv3_sub(kv3_add(base->a, kv3_cross(base->al, point)), kv3_cross(base->w, base->v));
    return f;
}

// --- directions ---

// Direction of a coordinate with twist s; V, A: fields of its carrier (top of derive_group.h):
//   psi = V x s,   chi = A x s + V x psi,   eta = psi.e
static void turn_along(kane_direction *d, kane_twist s, kane_twist V, kane_twist A)
{
    d->s   = s;
    d->psi = ktw_cross(V, s);
    d->chi = ktw_add_scaled(ktw_cross(A, s), 1.0, ktw_cross(V, d->psi));
    d->eta = d->psi.e;
}

// Direction of a speed with twist s; fields before and behind its axis:  chi = V_before x s + V_after x s,   eta = s.e.
static void speed_up(kane_direction *d, kane_twist s, kane_twist before, kane_twist after)
{
    d->s   = s;
    d->psi = (kane_twist){kv3_zero(), kv3_zero()};
    d->chi = ktw_add_scaled(ktw_cross(before, s), 1.0, ktw_cross(after, s));
    d->eta = s.e;
}

// Speeds of the root are relative to the frame and do not change. A shift l changes the frame's part of its motion:
//   psi.l += omega x l,   chi.l += epsilon x l + omega x (omega x l)
// The field itself moves along with the turn only.
void kane_group_pose(const kane_moving_frame *base, const kane_field *root, kane_twist s, kane_direction *d)
{
    const kane_vec3 goes = kv3_cross(base->w, s.l);
    turn_along(d, (kane_twist){s.e, kv3_zero()}, root->V, root->A);
    d->s     = s;
    d->psi.l = kv3_add(d->psi.l, goes);
    d->chi.l = kv3_add(d->chi.l, kv3_add(kv3_cross(base->al, s.l), kv3_cross(base->w, goes)));
}

// All twelve directions of such a root. Speeds relative to the frame: a velocity e has chi = 2 omega x e (Coriolis).
static void move_root(const kane_moving_frame *base, const kane_field *root, const kane_link_state *s,
                      kane_direction d[KANE_ROOT_ALL])
{
    const kane_vec3 zero = kv3_zero();
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k);
        kane_group_pose(base, root, (kane_twist){zero, e}, &d[KANE_ROOT_SHIFTS + k]);
        kane_group_pose(base, root, (kane_twist){e, zero}, &d[KANE_ROOT_TURNS + k]);
        speed_up(&d[KANE_ROOT_VELOCITIES + k], (kane_twist){zero, e}, (kane_twist){base->w, zero},
                 (kane_twist){base->w, zero});
        speed_up(&d[KANE_ROOT_SPINS + k], (kane_twist){e, zero}, (kane_twist){base->w, s->v}, root->V);
    }
}

// Four Euler parameters, then three speeds; twists about the group's point:  l = r x e.
static void move_ball(const kane_derive_map *map, const kane_tree_work *work, int i, const kane_field *from,
                      const kane_field *to, kane_direction *d)
{
    const kane_link *link = &map->tree->links[i];
    for (int k = 0; k < 4; k++) {
        const kane_vec3 e = coordinate_twist(map->tree, work, i, k).e;
        turn_along(d++, (kane_twist){e, kv3_cross(to->r, e)}, from->V, from->A);
    }
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = work->axis[link->v + k].e;
        speed_up(d++, (kane_twist){e, kv3_cross(to->r, e)}, from->V, to->V);
    }
}

// Rate and second derivative of a step's coordinate, out [2].
static void step_rates(const kane_step *step, const kane_tree_work *work, double out[2])
{
    double f[4];
    out[0] = out[1] = 0.0;
    if (step->mode == KANE_STEP_FREE) {
        out[0] = work->v[step->v];
        out[1] = work->v_dot[step->v];
    } else if (step->mode == KANE_STEP_GIVEN) {
        kane_step_given(work, step, f);
        out[0] = f[1];
        out[1] = f[2];
    }
}

static const kane_direction direction_at_rest; // moves nothing

// Step by step: the carrier of step k + 1 moves by the steps before it,
//   A += q'' s + q' V x s,   V += q' s        (s: twist of step k, group's point)
// A speed has chi = 2 V x s.
static void move_steps(const kane_tree_work *work, const kane_link *link, const kane_field *from, const kane_field *to,
                       kane_direction *d)
{
    kane_twist V = from->V, A = from->A;
    for (int k = 0; k < link->step_count; k++) {
        const kane_step *step = &link->step[k];
        kane_twist s          = step_twist(work, link, k);
        double rate[2];
        s.l = kv3_add(s.l, kv3_cross(to->r, s.e));
        if (step->mode != KANE_STEP_GIVEN)
            turn_along(d++, s, V, A);
        if (step->mode == KANE_STEP_FREE) { // speed_up: before and after it is the same
            d->s   = s;
            d->chi = ktw_add_scaled(d[-1].psi, 1.0, d[-1].psi);
            d->eta = s.e;
            if (!kane_link_moves_by(link, k))
                d[-1] = direction_at_rest;
            d++;
        }
        if (k + 1 == link->step_count)
            break;
        step_rates(step, work, rate);
        A = ktw_add_scaled(A, rate[1], s);
        A = ktw_add_scaled(A, rate[0], ktw_cross(V, s));
        V = ktw_add_scaled(V, rate[0], s);
    }
}

// --- joints by formula ---

// Change of a link's fields V, A at the group's point when its motion against the parent changes by d and its origin
// shifts by l; parent w_p, al_p (docs/mechanisms.md, section 2, user-defined joints):
//   dw = d.w                      dv = w_p x l + d.v
//   dal = w_p x d.w + d.al        da = al_p x l + w_p x (w_p x l) + 2 w_p x d.v + d.a
//   dV = (dw, dv - dw x r - w x l)
//   dA = (dal, da - dal x r - al x l - dw x v - w x dv)
static void change_fields(const kane_link_state *s, const kane_field *from, kane_vec3 l, const kane_pose_motion *d,
                          const kane_field *to, kane_twist *dV, kane_twist *dA)
{
    const kane_vec3 w_p = from->V.e, al_p = from->A.e;
    const kane_vec3 goes = kv3_cross(w_p, l), dv = kv3_add(goes, d->v), dw = d->w;
    kane_vec3 da = kv3_add(kv3_cross(al_p, l), kv3_cross(w_p, goes));
    da           = kv3_add(da, kv3_add_scaled(d->a, 2.0, kv3_cross(w_p, d->v)));
    dV->e        = dw;
    dV->l        = kv3_sub(dv, kv3_add(kv3_cross(dw, to->r), kv3_cross(s->w, l)));
    dA->e        = kv3_add(kv3_cross(w_p, dw), d->al);
    dA->l        = kv3_sub(da, kv3_add(kv3_cross(dA->e, to->r), kv3_cross(to->A.e, l)));
    dA->l        = kv3_sub(dA->l, kv3_add(kv3_cross(dw, s->v), kv3_cross(s->w, dv)));
}

// Change of the axes s_k by coordinate j, beyond that of rigid rotation:  b_k = ds_k/dq_j - s_j x s_k, at the group's
// point.
static void differentiate_axes(const kane_link *link, const kane_pose_motion *m, const kane_pose_motion *d, int j,
                               kane_twist s_j, kane_vec3 r, kane_axis_change *out)
{
    for (int k = 0, n = 0; k < link->step_count; k++) {
        if (link->step[k].mode != KANE_STEP_FREE)
            continue;
        const kane_twist s  = {m->e[k], kv3_add(m->l[k], kv3_cross(r, m->e[k]))};
        const kane_twist ds = {d->e[k], kv3_add(d->l[k], kv3_add(kv3_cross(m->l[j], m->e[k]), kv3_cross(r, d->e[k])))};
        out->b[n++]         = ktw_add_scaled(ds, -1.0, ktw_cross(s_j, s));
    }
}

// Coordinates and speeds of a joint by formula in the order of names: a coordinate, its speed, the next coordinate.
// From the changed fields, with  dV = s x V + psi,  dA = s x A + chi + psi x V;  of a speed  dV = s,  dA = s x V + chi.
static void move_formula(const kane_tree_work *work, const kane_link *link, const kane_link_state *state, kane_mat3 A,
                         const kane_field *from, const kane_field *to, kane_direction *d, kane_axis_change *axis_change)
{
    for (int j = 0; j < link->step_count; j++) {
        kane_pose_motion m, by;
        kane_twist dV, dA;
        if (link->step[j].mode != KANE_STEP_FREE)
            continue;
        kane_pose_change(link, work, A, j, 0, &m, &by);
        const kane_twist s = {m.e[j], kv3_add(m.l[j], kv3_cross(to->r, m.e[j]))};
        change_fields(state, from, m.l[j], &by, to, &dV, &dA);
        d->s   = s;
        d->psi = ktw_add_scaled(dV, -1.0, ktw_cross(s, to->V));
        d->chi = ktw_add_scaled(ktw_add_scaled(dA, -1.0, ktw_cross(s, to->A)), -1.0, ktw_cross(d->psi, to->V));
        d->eta = d->psi.e;
        differentiate_axes(link, &m, &by, j, s, to->r, axis_change);
        d++;
        axis_change++;

        kane_pose_change(link, work, A, j, 1, &m, &by);
        change_fields(state, from, kv3_zero(), &by, to, &dV, &dA);
        d->s   = s;
        d->psi = (kane_twist){kv3_zero(), kv3_zero()};
        d->chi = ktw_add_scaled(dA, -1.0, ktw_cross(s, to->V));
        d->eta = s.e;
        d++;
        axis_change++;
    }
}

// Needs kane_tree_outward or kane_tree_accelerate. Leaves fields of links, and s, psi, chi, eta of directions.
void kane_group_move(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                     const kane_tree_work *work, const kane_moving_frame *base)
{
    const kane_vec3 point  = work->link[group->root].r;
    const kane_field frame = frame_field(base, point);
    const int end          = group->direction + group->direction_count;
    if (group->uneven)
        scratch->directions[group->direction + KANE_ROOT_ALL] = direction_at_rest;
    for (int place = 0; place < group->link_count; place++)
        set_field(&work->link[group->links[place]], point, &scratch->field[group->links[place]]);
    if (group->free)
        move_root(base, &scratch->field[group->root], &work->link[group->root], &scratch->directions[group->direction]);
    for (int d = group->direction + KANE_ROOT_ALL * group->free + group->uneven, i; d < end;
         d++) { // to the end of every link
        i                     = map->names[d].link;
        const kane_link *link = &map->tree->links[i];
        const kane_field *to = &scratch->field[i], *from = link->parent < 0 ? &frame : &scratch->field[link->parent];
        if (link->kind == KANE_LINK_BALL)
            move_ball(map, work, i, from, to, &scratch->directions[d]);
        else if (link->kind == KANE_LINK_FORMULA)
            move_formula(work, link, &work->link[i], seat_axes(work, link), from, to, &scratch->directions[d],
                         &scratch->axis_change[d]);
        else
            move_steps(work, link, from, to, &scratch->directions[d]);
        while (d + 1 < end && map->names[d + 1].link == i)
            d++;
    }
}

// With arm = s.l + s.e x r. A coordinate or pose:
//   displacement arm, rotation s.e, velocity s.e x v + psi.l + psi.e x r, angular velocity s.e x w + psi.e
// A speed: velocity arm, angular velocity s.e.
void kane_direction_motion(const kane_direction *d, kane_direction_kind kind, const kane_field *f,
                           const kane_link_state *s, kane_vec3 out[KANE_MOTIONS])
{
    const kane_vec3 arm = kv3_add(d->s.l, kv3_cross(d->s.e, f->r));
    if (!kane_direction_turns(kind)) {
        out[KANE_MOVES] = out[KANE_TURNS] = kv3_zero();
        out[KANE_SPEEDS]                  = arm;
        out[KANE_SPINS]                   = d->s.e;
        return;
    }
    // psi is what the field grows by beyond turning along
    out[KANE_MOVES]  = arm;
    out[KANE_TURNS]  = d->s.e;
    out[KANE_SPEEDS] = kv3_add(kv3_cross(d->s.e, s->v), kv3_add(d->psi.l, kv3_cross(d->psi.e, f->r)));
    out[KANE_SPINS]  = kv3_add(kv3_cross(d->s.e, s->w), d->psi.e);
}

enum { A_ANGULAR = 0, B_ANGULAR = 3, A_LINEAR = 6, B_LINEAR = 9 }; // parts of a direction, below

// === Articulated inertia and Coriolis operators of a group, about its point.
//
// When the angular velocity of a body grows by eta, Coriolis forces grow by 2B eta:
//
//   torque  K eta,  K = 2 (tr(E) 1 - E),  E = integral of v r' dm = [w] Sigma + v_0 (m c)'
//   force   2 eta x m v_C
//
// with Sigma = tr(J)/2 1 - J. Through joints they pass as inertia does, with the links beyond free to accelerate: an
// axis s has n = s'N/(s'I s), and N - U n' remains.

// N = 2B of one rigid link: torque and force by eta (formulas above), about its origin, then about the group's point:
//   N_f eta = 2 eta x p,  p = m v_C         N_n = 2 (tr(E) 1 - E) + r x N_f
static void own_coriolis(const kane_link *link, const kane_tree_work *work, const kane_link_state *s, kane_field *f)
{
    const kane_vec3 w  = s->w;
    const kane_vec3 mc = km3_mulv(s->R, kv3_scale(link->mass, link->c));
    const kane_vec3 p  = kv3_add_scaled(kv3_cross(w, mc), link->mass, s->v);
    double J[6];
    ksym_turn(kane_link_inertia_axes(link, work->q, s->R), link->J, J);
    const double half = 0.5 * (J[0] + J[1] + J[2]);

    kane_mat3 E = km3_outer(s->v, mc);
    E.x         = kv3_add(E.x, kv3_cross(w, kv3(half - J[0], -J[3], -J[4])));
    E.y         = kv3_add(E.y, kv3_cross(w, kv3(-J[3], half - J[1], -J[5])));
    E.z         = kv3_add(E.z, kv3_cross(w, kv3(-J[4], -J[5], half - J[2])));

    const double trace = 2.0 * km3_trace(E);
    f->N_f             = km3_skew(kv3_scale(-2.0, p));
    f->N_n             = km3_sub(km3_diag(trace, trace, trace), km3_scale(2.0, E));
    f->N_n.x           = kv3_add(f->N_n.x, kv3_cross(f->r, f->N_f.x));
    f->N_n.y           = kv3_add(f->N_n.y, kv3_cross(f->r, f->N_f.y));
    f->N_n.z           = kv3_add(f->N_n.z, kv3_cross(f->r, f->N_f.z));
}

// s (e, l) as six numbers.
static inline void store_scaled_axis(kane_vec3 e, kane_vec3 l, double s, double out[6])
{
    out[0] = s * e.x;
    out[1] = s * e.y;
    out[2] = s * e.z;
    out[3] = s * l.x;
    out[4] = s * l.y;
    out[5] = s * l.z;
}

// An axis of a joint about the group's point, with n = s'N/d; N without its freedom:  N - U n'.
static void pass_axis(const kane_axis_state *x, kane_field *f, kane_sweep_axis *out)
{
    const kane_vec3 r   = f->r;
    const kane_vec3 l   = kv3_add(x->l, kv3_cross(r, x->e));
    const kane_vec3 U_n = kv3_add(x->U_n, kv3_cross(r, x->U_f));
    const kane_vec3 D_n = kv3_add(x->D_n, kv3_cross(r, x->D_f));
    const double over   = 1.0 / x->along;
    const kane_vec3 n   = kv3_scale(over, kv3_add(km3_tmulv(f->N_n, x->e), km3_tmulv(f->N_f, l)));
    store_scaled_axis(x->e, l, 1.0, out->s);
    store_scaled_axis(x->e, l, over, out->over);
    store_scaled_axis(U_n, x->U_f, 1.0, out->U);
    store_scaled_axis(D_n, x->D_f, 1.0, out->D);
    out->n[0] = n.x;
    out->n[1] = n.y;
    out->n[2] = n.z;
    ksp_sub_outer(&f->N_n, U_n, n);
    ksp_sub_outer(&f->N_f, x->U_f, n);
}

// Wrench of a joint on its link, about the group's point:  h + I (dal, da),  with h and I articulated behind the joint
// and (dal, da) of the parent at the link's origin.
static kane_wrench find_joint_wrench(const kane_link *link, const kane_tree_work *work, int i, kane_vec3 r)
{
    const kane_link_state *s = &work->link[i];
    kane_vec3 al = kv3_zero(), a = al;
    if (link->parent >= 0) {
        const kane_link_state *p = &work->link[link->parent];
        al                       = p->dal;
        a                        = kv3_add(p->da, kv3_cross(p->dal, s->rho));
    }
    kane_wrench w;
    w.force  = kv3_add(s->f, ksp_force(&s->I, al, a));
    w.torque = kv3_add(s->n, ksp_torque(&s->I, al, a));
    w.torque = kv3_add(w.torque, kv3_cross(r, w.force));
    return w;
}

// N of all links, inward through the joints, for v_dot that follows; inverse of a free root's inertia.
// Needs kane_tree_solve and kane_group_move.
static void give_way(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                     const kane_tree_work *work)
{
    const kane_tree *tree = map->tree;
    for (int place = 0; place < group->link_count; place++) {
        const int i   = group->links[place];
        kane_field *f = &scratch->field[i];
        own_coriolis(&tree->links[i], work, &work->link[i], f);
        if (place || !group->free)
            f->carried = find_joint_wrench(&tree->links[i], work, i, f->r);
    }
    for (int place = group->link_count - 1; place >= group->free; place--) {
        const int i = group->links[place], first = group->first_axis[place];
        kane_field *f = &scratch->field[i];
        for (int k = group->first_axis[place + 1] - 1; k >= first; k--)
            pass_axis(&work->axis[tree->links[i].v + k - first], f, &scratch->axes[k]);
        if (group->up[place] >= 0) {
            kane_field *p = &scratch->field[tree->links[i].parent];
            p->N_n        = km3_add(p->N_n, f->N_n);
            p->N_f        = km3_add(p->N_f, f->N_f);
        }
    }
    if (group->free)
        scratch->root = ksp_inverse(&work->link[group->root].I);
}

// --- v_dot held ---

// Rigid inertia of a link, and the wrench of its motion with v_dot less what acts, about the group's point:
//   n = w x J w + J al + m c x a     f = m a + al x m c + w x (w x m c)
static void own_inertia(const kane_link *link, const kane_tree_work *work, const kane_link_state *s,
                        const kane_wrench *acting, kane_field *f)
{
    const kane_vec3 a = kv3_add(s->a, s->da), al = kv3_add(s->al, s->dal);
    const kane_vec3 mc = km3_mulv(s->R, kv3_scale(link->mass, link->c));
    kane_wrench *w     = &f->carried;
    f->I               = (kane_spatial){.M = {link->mass, link->mass, link->mass}, .H = km3_skew(mc)};
    ksym_turn(kane_link_inertia_axes(link, work->q, s->R), link->J, f->I.J);
    w->torque = kv3_add(kv3_cross(s->w, ksym_mulv(f->I.J, s->w)), ksp_torque(&f->I, al, a));
    w->force  = kv3_add(ksp_force(&f->I, al, a), kv3_cross(s->w, kv3_cross(s->w, mc)));
    if (acting) {
        w->torque = kv3_sub(w->torque, acting->torque);
        w->force  = kv3_sub(w->force, acting->force);
    }
    w->torque = kv3_add(w->torque, kv3_cross(f->r, w->force));
}

// An axis of a joint whose v_dot is held (derive.c):  over = s,   D = I s,   n = s'N, I composite.
static void hold_axis(const kane_axis_state *x, const kane_field *f, kane_sweep_axis *out)
{
    const kane_vec3 r   = f->r;
    const kane_vec3 l   = kv3_add(x->l, kv3_cross(r, x->e));
    const kane_vec3 U_f = ksp_force(&f->I, x->e, x->l);
    const kane_vec3 U_n = kv3_add(ksp_torque(&f->I, x->e, x->l), kv3_cross(r, U_f));
    const kane_vec3 n   = kv3_add(km3_tmulv(f->N_n, x->e), km3_tmulv(f->N_f, l));
    *out                = (kane_sweep_axis){.n = {n.x, n.y, n.z}};
    store_scaled_axis(x->e, l, 1.0, out->over);
    store_scaled_axis(U_n, U_f, 1.0, out->D);
}

// N, composite inertia and joint wrenches of all links for v_dot held; sums from the leaves to the root.
static void evaluate_held_fields(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                                 const kane_tree_work *work, const kane_wrench *acting)
{
    const kane_tree *tree = map->tree;
    for (int place = 0; place < group->link_count; place++) {
        const int i = group->links[place];
        own_coriolis(&tree->links[i], work, &work->link[i], &scratch->field[i]);
        own_inertia(&tree->links[i], work, &work->link[i], acting ? &acting[i] : NULL, &scratch->field[i]);
    }
    for (int place = group->link_count - 1; place >= group->free; place--) {
        const int i = group->links[place], first = group->first_axis[place];
        const kane_field *f = &scratch->field[i];
        for (int k = first; k < group->first_axis[place + 1]; k++)
            hold_axis(&work->axis[tree->links[i].v + k - first], f, &scratch->axes[k]);
        if (group->up[place] >= 0) {
            kane_field *p = &scratch->field[tree->links[i].parent];
            p->N_n        = km3_add(p->N_n, f->N_n);
            p->N_f        = km3_add(p->N_f, f->N_f);
            p->carried    = kw_add(p->carried, f->carried);
            ksp_add_shifted(&p->I, &f->I, work->link[i].rho);
        }
    }
}

// --- wrenches on the carriers of joints ---

// x.(a, b)
static inline double dot_six_vector(const double x[6], kane_vec3 a, kane_vec3 b)
{
    return x[0] * a.x + x[1] * a.y + x[2] * a.z + x[3] * b.x + x[4] * b.y + x[5] * b.z;
}

// w.parts, count: 3 (a.e alone) or KANE_PARTS; a speed has no a.
static inline __attribute__((always_inline)) double dot_parts(const double *w, const double *parts, int count,
                                                              int is_speed)
{
    double sum = 0.0;
    for (int c = 0; c < count; c++)
        if (!is_speed || c / 3 % 2 == 1)
            sum += w[c] * parts[c];
    return sum;
}

// g += U by
static inline void add_share(kane_wrench *g, const double U[6], double by)
{
    g->torque = kv3_add_scaled(g->torque, by, kv3(U[0], U[1], U[2]));
    g->force  = kv3_add_scaled(g->force, by, kv3(U[3], U[4], U[5]));
}

// Wrench g on the carrier of a joint where direction d enters, about the group's point:
//   I chi + N eta        of the links behind the joint, from the direction's own axis on
//   + s x carried        of a coordinate: the wrench of the joint turns along
// I and N are those behind all axes of the link; what the first `before` axes have taken from them is added again.
static kane_wrench effort_at_joint(const kane_direction *d, kane_direction_kind kind, const kane_spatial *I,
                                   const kane_field *f, const kane_sweep_axis *axis, int before)
{
    const kane_vec3 a = kv3_add(d->chi.l, kv3_cross(d->chi.e, f->r)); // at the link's origin
    kane_wrench g;
    g.force  = ksp_force(I, d->chi.e, a);
    g.torque = kv3_add(ksp_torque(I, d->chi.e, a), kv3_cross(f->r, g.force));
    g.force  = kv3_add(g.force, km3_mulv(f->N_f, d->eta));
    g.torque = kv3_add(g.torque, km3_mulv(f->N_n, d->eta));
    for (int k = 0; k < before; k++)
        add_share(&g, axis[k].U,
                  dot_six_vector(axis[k].D, d->chi.e, d->chi.l) +
                      kv3_dot(kv3(axis[k].n[0], axis[k].n[1], axis[k].n[2]), d->eta));
    return kind == KANE_DIRECTION_COORDINATE ? kw_add(g, ktw_carry(d->s, f->carried)) : g;
}

// g += W parts: forces between links change with the parts of the direction.
static inline __attribute__((always_inline)) void feel_parts(kane_direction *d, const double parts[KANE_PARTS],
                                                             double (*W)[KANE_PARTS], const kane_sweep_axis *axis,
                                                             int before, int count, int is_speed)
{
    double w[6];
    for (int k = 0; k < 6; k++)
        w[k] = dot_parts(W[k], parts, count, is_speed);
    kane_wrench sum = {kv3(w[3], w[4], w[5]), kv3(w[0], w[1], w[2])};
    for (int k = 0; k < before; k++)
        add_share(&sum, axis[k].U, dot_parts(axis[k].w, parts, count, is_speed));
    d->g = kw_add(d->g, sum);
}

static void add_force_change(kane_direction *d, kane_direction_kind kind, double (*W)[KANE_PARTS],
                             const kane_sweep_axis *axis, int before, int count)
{
    double parts[KANE_PARTS];
    kane_direction_parts(d, kind, parts);
    if (count < KANE_PARTS)
        feel_parts(d, parts, W, axis, before, 3, 0); // a.e alone; the others are zero
    else if (kane_direction_turns(kind))
        feel_parts(d, parts, W, axis, before, KANE_PARTS, 0);
    else
        feel_parts(d, parts, W, axis, before, KANE_PARTS, 1);
}

// Joint by formula, its axes bent by b: its wrench W does work along them, so speed k accelerates by
//   u_k = -b_k.W/d - (s_k/d).p,   p += U_k u_k        the outermost first; held: d = 1
// p is what remains for the carrier, g += p.
static void accelerate_changed_axes(const kane_link *link, const kane_tree_work *work, int held, const kane_field *f,
                                    const kane_sweep_axis *axis, kane_axis_change *axis_change, kane_wrench *g)
{
    kane_wrench p = {kv3_zero(), kv3_zero()};
    for (int k = link->v_count - 1; k >= 0; k--) {
        const kane_twist b  = axis_change->b[k];
        const double torque = -kv3_dot(b.e, f->carried.torque) - kv3_dot(b.l, f->carried.force);
        axis_change->u[k] =
            torque / (held ? 1.0 : work->axis[link->v + k].along) - dot_six_vector(axis[k].over, p.torque, p.force);
        add_share(&p, axis[k].U, axis_change->u[k]);
    }
    *g = kw_add(*g, p);
}

// dJ x = e x (J x) - J (e x x): change of J x when J turns about e by a unit.
static kane_vec3 turn_inertia(const double J[6], kane_vec3 e, kane_vec3 x)
{
    return kv3_sub(kv3_cross(e, ksym_mulv(J, x)), ksym_mulv(J, kv3_cross(e, x)));
}

// Torque  dJ al + w x dJ w  of a unit turn of uneven inertia about its axle e, less the change of the applied torque
// (scratch->spun).
kane_vec3 kane_link_spin_effort(const kane_link *link, const kane_tree_work *work, int i,
                                const kane_derive_work *scratch)
{
    const kane_link_state *s = &work->link[i];
    const kane_vec3 e = s->R.y, w = s->w, al = kv3_add(s->al, s->dal);
    double J[6];
    ksym_turn(kane_link_inertia_axes(link, work->q, s->R), link->J, J);
    const kane_vec3 needed = kv3_add(turn_inertia(J, e, al), kv3_cross(w, turn_inertia(J, e, w)));
    return kv3_sub(needed, scratch->spun[i]);
}

// Needs kane_group_move and, unless v_dot is held, kane_tree_solve. Leaves `axes` and g of every direction of a joint.
void kane_group_weigh(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_wrench *acting, const kane_gradient *gradients)
{
    const int parts = kane_group_parts(group, acting);
    if (group->held)
        evaluate_held_fields(map, group, scratch, work, acting);
    else
        give_way(map, group, scratch, work);
    if (parts)
        kane_group_force(map, group, scratch, work, acting, gradients, parts);
    if (group->uneven)
        scratch->directions[group->direction + KANE_ROOT_ALL].g.torque =
            kane_link_spin_effort(&map->tree->links[group->root], work, group->root, scratch);
    for (int d = group->direction + KANE_ROOT_ALL * group->free + group->uneven;
         d < group->direction + group->direction_count; d++) {
        const kane_direction_name *name = &map->names[d];
        const int place = map->place_of[name->link], first = group->first_axis[place];
        const kane_field *f   = &scratch->field[name->link];
        const kane_spatial *I = group->held ? &f->I : &work->link[name->link].I;
        kane_direction *to    = &scratch->directions[d];
        const int before      = group->held ? 0 : name->slot - place - first; // held axes take nothing
        to->g                 = effort_at_joint(to, name->kind, I, f, &scratch->axes[first], before);
        if (map->tree->links[name->link].uneven && name->kind == KANE_DIRECTION_COORDINATE &&
            name->index == kane_link_spin(&map->tree->links[name->link]))
            to->g.torque = kane_link_spin_effort(&map->tree->links[name->link], work, name->link, scratch);
        if (parts == KANE_PARTS || (parts && kane_direction_turns(name->kind))) // a speed has no a
            add_force_change(to, name->kind, scratch->force_change[place].W, &scratch->axes[first], before, parts);
        if (map->any_formula && map->tree->links[name->link].kind == KANE_LINK_FORMULA &&
            name->kind == KANE_DIRECTION_COORDINATE)
            accelerate_changed_axes(&map->tree->links[name->link], work, group->held, f, &scratch->axes[first],
                                    &scratch->axis_change[d], &to->g);
    }
    for (int k = 0; parts && k < group->axis_count; k++) // from here on all forces at once
        for (int c = 0; c < 3; c++)
            scratch->axes[k].w[B_ANGULAR + c] += scratch->axes[k].n[c];
}

// === What forces between links of one group do to its directions.
//
// A link beyond the joint of a direction moves linearly in twelve numbers,
//
//   a = s of a coordinate, 0 of a speed;   b = psi of a coordinate, s of a speed
//
// in the order a.e, b.e, a.l, b.l. Of forces that do not depend on motion a.e alone counts: then the others are left
// out but for b.e = eta, which inertia needs.
//
// and the wrench W (a, b) that it needs is linear in them: forces do not turn along, and they change with its motion. W
// passes inward through joints as Coriolis forces do: an axis has w = s'W/(s'I s), and W - U w' remains. W counts the
// motion of link j for every direction that moves the link i on which the force acts; where a direction moves only one
// of them, entries of blocks correct it (derive_map.c).

// (a.e, b.e, a.l, b.l) of a direction: a, b are s, psi of a coordinate or pose, 0, s of a speed.
void kane_direction_parts(const kane_direction *d, kane_direction_kind kind, double out[KANE_PARTS])
{
    const int turns      = kane_direction_turns(kind);
    const kane_twist b   = turns ? d->psi : d->s;
    const kane_vec3 p[4] = {turns ? d->s.e : kv3_zero(), b.e, turns ? d->s.l : kv3_zero(), b.l};
    for (int k = 0; k < 4; k++) {
        out[3 * k]     = p[k].x;
        out[3 * k + 1] = p[k].y;
        out[3 * k + 2] = p[k].z;
    }
}

// Takes a column of force and torque about an origin at r from the needed wrench.
static inline void subtract_column(double W[6][KANE_PARTS], int c, kane_vec3 force, kane_vec3 torque, kane_vec3 r)
{
    const kane_vec3 t = kv3_add(torque, kv3_cross(r, force));
    W[0][c] -= t.x;
    W[1][c] -= t.y;
    W[2][c] -= t.z;
    W[3][c] -= force.x;
    W[4][c] -= force.y;
    W[5][c] -= force.z;
}

// The same for three columns.
static inline void subtract_matrix(double W[6][KANE_PARTS], int first, kane_mat3 force, kane_mat3 torque, kane_vec3 r)
{
    subtract_column(W, first, force.x, torque.x, r);
    subtract_column(W, first + 1, force.y, torque.y, r);
    subtract_column(W, first + 2, force.z, torque.z, r);
}

// A wrench F that acts does not turn along: a turn e needs  -e x F  more.
static void hold_still(double W[6][KANE_PARTS], const kane_wrench *acting, kane_vec3 r)
{
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = kv3_unit(k);
        subtract_column(W, A_ANGULAR + k, kv3_cross(acting->force, e), kv3_cross(acting->torque, e), r);
    }
}

// Column block of a.e. The link, origin r, moves by (kane_direction_motion)
//   shift a.l + a.e x r,   turn a.e,   velocity a.e x v + b.l + b.e x r,   angular velocity a.e x w + b.e
// so it is  G_turn - G_shift [r] - G_velocity [v] - G_spin [w].
static kane_mat3 by_turn(const kane_mat3 G[KANE_MOTIONS], kane_vec3 r, const kane_link_state *s)
{
    kane_mat3 A = G[KANE_TURNS];
    kg_sub(&A, kg_times_skew(G[KANE_MOVES], r));
    kg_sub(&A, kg_times_skew(G[KANE_SPEEDS], s->v));
    kg_sub(&A, kg_times_skew(G[KANE_SPINS], s->w));
    return A;
}

// Takes the force and torque on the link at row_r, by the motion of the link at r, from W, in the four column blocks.
static void subtract_force_gradient(double W[6][KANE_PARTS], const kane_gradient *g, kane_vec3 row_r, kane_vec3 r,
                                    const kane_link_state *s)
{
    const kane_mat3 *F = g->force, *T = g->torque;
    subtract_matrix(W, A_ANGULAR, by_turn(F, r, s), by_turn(T, r, s), row_r);
    subtract_matrix(W, A_LINEAR, F[KANE_MOVES], T[KANE_MOVES], row_r);
    subtract_matrix(W, B_ANGULAR, km3_sub(F[KANE_SPINS], kg_times_skew(F[KANE_SPEEDS], r)),
                    km3_sub(T[KANE_SPINS], kg_times_skew(T[KANE_SPEEDS], r)), row_r);
    subtract_matrix(W, B_LINEAR, F[KANE_SPEEDS], T[KANE_SPEEDS], row_r);
}

// One axis:  w = (s/d)'W,   W - U w';   held: U = 0.
static inline __attribute__((always_inline)) void pass_forces(double W[6][KANE_PARTS], int held, int count,
                                                              kane_sweep_axis *x)
{
    for (int c = 0; c < count; c++)
        x->w[c] = x->over[0] * W[0][c] + x->over[1] * W[1][c] + x->over[2] * W[2][c] + x->over[3] * W[3][c] +
                  x->over[4] * W[4][c] + x->over[5] * W[5][c];
    for (int k = 0; k < 6 && !held; k++)
        for (int c = 0; c < count; c++)
            W[k][c] -= x->U[k] * x->w[c];
}

// to += W
static inline __attribute__((always_inline)) void add_all(double to[6][KANE_PARTS], int count, double W[6][KANE_PARTS])
{
    for (int k = 0; k < 6; k++)
        for (int c = 0; c < count; c++)
            to[k][c] += W[k][c];
}

// W inward through the joints.
static inline __attribute__((always_inline)) void pass_inward(const kane_group *group, kane_derive_work *scratch,
                                                              int count)
{
    for (int place = group->link_count - 1; place >= group->free; place--) {
        for (int k = group->first_axis[place + 1] - 1; k >= group->first_axis[place]; k--)
            pass_forces(scratch->force_change[place].W, group->held, count, &scratch->axes[k]);
        if (group->up[place] >= 0)
            add_all(scratch->force_change[group->up[place]].W, count, scratch->force_change[place].W);
    }
}

int kane_group_parts(const kane_group *group, const kane_wrench *acting)
{
    int parts = group->pair_count > 0 ? KANE_PARTS : 0;
    for (int place = 0; acting && !parts && place < group->link_count; place++) {
        const kane_wrench *w = &acting[group->links[place]];
        parts = kv3_dot(w->force, w->force) + kv3_dot(w->torque, w->torque) != 0.0 ? KANE_PARTS_TURNS : 0;
    }
    return parts;
}

// W of all links: forces that do not turn along and their gradients, then inward through the joints.
void kane_group_force(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                      const kane_tree_work *work, const kane_wrench *acting, const kane_gradient *gradients, int parts)
{
    for (int place = 0; place < group->link_count; place++)
        memset(&scratch->force_change[place], 0, sizeof *scratch->force_change);
    for (int place = 0; acting && place < group->link_count; place++)
        hold_still(scratch->force_change[place].W, &acting[group->links[place]], scratch->field[group->links[place]].r);
    for (int k = 0; k < group->pair_count; k++) {
        const kane_link_pair pair = map->pairs[group->pairs[k]];
        if (map->group_of[pair.row] == map->group_of[pair.column])
            subtract_force_gradient(scratch->force_change[map->place_of[pair.row]].W, &gradients[group->pairs[k]],
                                    scratch->field[pair.row].r, scratch->field[pair.column].r,
                                    &work->link[pair.column]);
    }
    if (parts == KANE_PARTS)
        pass_inward(group, scratch, KANE_PARTS);
    else
        pass_inward(group, scratch, KANE_PARTS_TURNS);
}
