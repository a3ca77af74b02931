// SPDX-License-Identifier: MIT
// Accelerations of a tree by articulated bodies (docs/mechanisms.md, section 3).
//
// Inward pass: each link adds its inertia and wrench, reduced by the freedoms of its joint, to its parent. A body with
// all six freedoms adds nothing. Outward pass: accelerations from the roots to the leaves. Vectors have components in
// the axes of the frame, each link about its own origin: as accurate as body axes, without rotations.

#include "tree/spatial.h"

#include "tree/flex.h"
#include "tree/tree.h"

// Reduction by a speed with axis s = (e, l), inertia I and wrench h = (n, f) of the link and all beyond it:
//   U = I s,   d = s.U + armature,   D = U/d,   u = (drive - s.h)/d       (docs/mechanisms.md, section 3: u is its k)
//   along  d
//   rest   drive - s.h, drive: force or torque of a motor along the speed [N], [N m]
// Returns 0 if d <= 0: no inertia resists it.
static inline int divide_by_inertia(kane_axis_state *x, double along, double rest)
{
    const double d = 1.0 / along;
    x->along       = along;
    x->D_n         = kv3_scale(d, x->U_n);
    x->D_f         = kv3_scale(d, x->U_f);
    x->u           = d * rest;
    return along > 0.0;
}

// A turn, l = 0:  U = (J e, H' e).
static inline int release_turn(kane_link_state *s, kane_axis_state *x, double armature, double drive)
{
    x->U_n = ksym_mulv(s->I.J, x->e);
    x->U_f = km3_tmulv(s->I.H, x->e);
    return divide_by_inertia(x, kv3_dot(x->e, x->U_n) + armature, drive - kv3_dot(x->e, s->n));
}

// A slide, e = 0:  U = (H l, M l).
static inline int release_slide(kane_link_state *s, kane_axis_state *x, double armature, double drive)
{
    x->U_n = km3_mulv(s->I.H, x->l);
    x->U_f = ksym_mulv(s->I.M, x->l);
    return divide_by_inertia(x, kv3_dot(x->l, x->U_f) + armature, drive - kv3_dot(x->l, s->f));
}

// A speed of a joint by formula, along e and l; it has no armature.
static inline int release_both(kane_link_state *s, kane_axis_state *x, double drive)
{
    x->U_n = ksp_torque(&s->I, x->e, x->l);
    x->U_f = ksp_force(&s->I, x->e, x->l);
    return divide_by_inertia(x, kv3_dot(x->e, x->U_n) + kv3_dot(x->l, x->U_f),
                             drive - kv3_dot(x->e, s->n) - kv3_dot(x->l, s->f));
}

// Inertia and wrench without the freedom:  I - U U'/d,   h + U u.
static inline void take_out(kane_link_state *s, const kane_axis_state *x)
{
    ksym_sub_outer(s->I.J, x->U_n, x->D_n);
    ksym_sub_outer(s->I.M, x->U_f, x->D_f);
    ksp_sub_outer(&s->I.H, x->U_n, x->D_f);
    s->n = kv3_add_scaled(s->n, x->u, x->U_n);
    s->f = kv3_add_scaled(s->f, x->u, x->U_f);
}

// release and take_out for all speeds of a joint, the outermost first: I and h are then reduced. Returns 0: singular.
static inline int eliminate_joint(const kane_link *link, kane_link_state *s, kane_tree_work *work)
{
    if (link->kind == KANE_LINK_BALL) {
        for (int k = 2; k >= 0; k--) {
            if (!release_turn(s, &work->axis[link->v + k], 0.0, work->drive[link->v + k]))
                return 0;
            take_out(s, &work->axis[link->v + k]);
        }
        return 1;
    }
    if (link->kind == KANE_LINK_FORMULA) {
        for (int v = link->v + link->v_count - 1; v >= link->v; v--) {
            if (!release_both(s, &work->axis[v], work->drive[v]))
                return 0;
            take_out(s, &work->axis[v]);
        }
        return 1;
    }
    for (int k = link->step_count - 1; k >= 0; k--) {
        if (link->step[k].mode != KANE_STEP_FREE)
            continue;
        kane_axis_state *x = &work->axis[link->step[k].v];
        const double drive = work->drive[link->step[k].v], armature = link->step[k].armature;
        if (k < link->slide_count ? !release_slide(s, x, armature, drive) : !release_turn(s, x, armature, drive))
            return 0;
        take_out(s, x);
    }
    return 1;
}

// Whether a body with six freedoms accelerates by its own mass and inertia alone, in closed form: no joints beyond it.
static inline int is_by_itself(const kane_link *link)
{
    return !link->coupled && (KANE_FAST_PATHS || link->held);
}

// Accelerations of a body with all six freedoms by its articulated inertia; in closed form without joints on it:
//   I (dal, da) = -(n, f);     J dal = -n,   m da = -f
//   v_dot  out [6]: da, dal, which are the rates of its speeds, frame axes
// Returns 0 if accelerations are not finite: I is singular.
static inline int solve_body(const kane_link *link, kane_link_state *s, double *v_dot)
{
    if (is_by_itself(link)) {
        s->dal = kv3_neg(km3_mulv(s->R, ksym_mulv(link->J_inverse, km3_tmulv(s->R, s->n))));
        s->da  = kane_link_mask(link, kv3_scale(-1.0 / link->mass, s->f));
    } else {
        const kane_spatial_inverse inverse = ksp_inverse(&s->I);
        const kane_wrench a = ksp_accelerate(&s->I, &inverse, (kane_wrench){kv3_neg(s->f), kv3_neg(s->n)});
        s->dal              = a.torque;
        s->da               = a.force;
    }
    v_dot[0] = s->da.x;
    v_dot[1] = s->da.y;
    v_dot[2] = s->da.z;
    v_dot[3] = s->dal.x;
    v_dot[4] = s->dal.y;
    v_dot[5] = s->dal.z;
    return !link->coupled || isfinite(kv3_dot(s->dal, s->dal) + kv3_dot(s->da, s->da));
}

// Adds a reduced link to its parent, about the parent's origin:  n_p += n + rho x f,   f_p += f,   I_p += I shifted by
// rho.
static inline void hand_on(kane_link_state *p, const kane_link_state *s)
{
    ksp_add_shifted(&p->I, &s->I, s->rho);
    p->n = kv3_add(p->n, kv3_add(s->n, kv3_cross(s->rho, s->f)));
    p->f = kv3_add(p->f, s->f);
}

// Inward step of a link of a flexible body; members come before their carrier. The carrier is reduced by the modes
// (kane_flex_release) and then by its own joint. Returns 1: done; 0: the joint is still to do; -1: a mode without
// inertia.
static int gather_tied(const kane_tree *tree, const kane_link *link, int i, kane_tree_work *work)
{
    const kane_flex *flex = &tree->flexes[link->flex];
    if (link->role == KANE_FLEX_MODE)
        return 1;
    if (link->role == KANE_FLEX_NODE) {
        if (i == flex->members[flex->member_count - 1])
            kane_flex_begin(flex, work, &work->flex[link->flex]);
        if (!link->idle)
            kane_flex_add_node(tree, i, work);
        return 1;
    }
    return kane_flex_release(flex, &work->flex[link->flex], &work->link[i]) ? 0 : -1;
}

// Needs kane_tree_move. Leaves I, n, f articulated, U, D, d, u of every speed, and v_dot of bodies with six freedoms.
int kane_tree_inward(const kane_tree *tree, kane_links links, kane_tree_work *work)
{
    for (int i = links.end - 1; i >= links.first; i--) {
        const kane_link *link = &tree->links[i];
        kane_link_state *s    = &work->link[i];
        if (link->role != KANE_FLEX_NONE) {
            const int done = gather_tied(tree, link, i, work);
            if (done < 0)
                return i;
            if (done)
                continue;
        }
        if (link->kind == KANE_LINK_BODY) {
            if (!solve_body(link, s, work->v_dot + link->v))
                return i;
            continue;
        }
        if (!eliminate_joint(link, s, work))
            return i;
        if (link->parent >= 0)
            hand_on(&work->link[link->parent], s);
    }
    return -1;
}

// Accelerations of the parent beyond those at v_dot = 0, at the link's origin:  dal = dal_p,   da = da_p + dal_p x rho.
static inline void inherit_parent_accel(const kane_link *link, const kane_tree_work *work, kane_link_state *s)
{
    if (link->parent < 0) {
        s->dal = s->da = kv3_zero();
        return;
    }
    const kane_link_state *p = &work->link[link->parent];
    s->dal                   = p->dal;
    s->da                    = kv3_add(p->da, kv3_cross(p->dal, s->rho));
}

// (dal, da) += v_dot (e, l)
static inline void add_axis_accel(kane_link_state *s, const kane_axis_state *x, double v_dot)
{
    s->dal = kv3_add_scaled(s->dal, v_dot, x->e);
    s->da  = kv3_add_scaled(s->da, v_dot, x->l);
}

// accelerate_joint for a hinge on another link, l = 0.
static inline void accelerate_hinge(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    const kane_link_state *p = &work->link[link->parent];
    const kane_axis_state *x = &work->axis[link->v];
    const kane_vec3 a        = kv3_add(p->da, kv3_cross(p->dal, s->rho));
    const double v_dot       = x->u - kv3_dot(x->D_n, p->dal) - kv3_dot(x->D_f, a);
    work->v_dot[link->v]     = v_dot;
    s->dal                   = kv3_add_scaled(p->dal, v_dot, x->e);
    s->da                    = a;
}

// Speeds of a reduced joint, from the inside outward:  v_dot = u - D.(dal, da),   (dal, da) += v_dot (e, l).
static inline void accelerate_joint(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    inherit_parent_accel(link, work, s);
    for (int v = link->v; v < link->v + link->v_count; v++) {
        const kane_axis_state *x = &work->axis[v];
        work->v_dot[v]           = x->u - kv3_dot(x->D_n, s->dal) - kv3_dot(x->D_f, s->da);
        add_axis_accel(s, x, work->v_dot[v]);
    }
}

// Accelerations of a link whose v_dot are known already.
static inline void follow_joint(const kane_link *link, kane_tree_work *work, kane_link_state *s)
{
    inherit_parent_accel(link, work, s);
    for (int v = link->v; v < link->v + link->v_count; v++)
        add_axis_accel(s, &work->axis[v], work->v_dot[v]);
}

// Needs kane_tree_inward. Leaves v_dot, da, dal. Members of a flexible body follow the modes, z'' = G q''.
void kane_tree_outward(const kane_tree *tree, kane_links links, kane_tree_work *work)
{
    for (int i = links.first; i < links.end; i++) {
        const kane_link *link = &tree->links[i];
        kane_link_state *s    = &work->link[i];
        if (link->role == KANE_FLEX_MODE || (link->role == KANE_FLEX_NODE && !link->coupled)) // kane_flex_accelerations
            continue;
        if (link->role == KANE_FLEX_NODE)
            follow_joint(link, work, s);
        else if (link->hinge && link->parent >= 0)
            accelerate_hinge(link, work, s);
        else if (link->kind != KANE_LINK_BODY)
            accelerate_joint(link, work, s);
        if (link->role == KANE_FLEX_FRAME)
            kane_flex_outward(&tree->flexes[link->flex], tree->links, work);
    }
}

// docs/mechanisms.md, section 3.
int kane_tree_solve(const kane_tree *tree, kane_links links, kane_tree_work *work)
{
    const int singular = kane_tree_inward(tree, links, work);
    if (singular < 0)
        kane_tree_outward(tree, links, work);
    return singular;
}

// A wrench w on link i after the inward pass, joint by joint:  u += s.w/d,   w -= U (s.w)/d,   h -= w; then to the
// parent, up to the body with six freedoms or the frame. Inertias do not change.
void kane_tree_apply_inward(const kane_tree *tree, kane_tree_work *work, int i, kane_vec3 force, kane_vec3 torque)
{
    for (const kane_link *link = &tree->links[i];; link = &tree->links[i]) {
        if (link->role == KANE_FLEX_NODE)
            kane_flex_respond_node(tree, i, work, (kane_wrench){force, torque});
        if (link->role == KANE_FLEX_FRAME) {
            const kane_wrench more = kane_flex_apply_frame(&tree->flexes[link->flex], &work->flex[link->flex]);
            force                  = kv3_add(force, more.force);
            torque                 = kv3_add(torque, more.torque);
        }
        if (link->kind == KANE_LINK_BODY)
            break;
        // what its speeds take, and what goes on
        for (int v = link->v + link->v_count - 1; v >= link->v && link->role != KANE_FLEX_NODE; v--) {
            kane_axis_state *x = &work->axis[v];
            const double more  = (kv3_dot(x->e, torque) + kv3_dot(x->l, force)) / x->along;
            x->u += more;
            torque = kv3_add_scaled(torque, -more, x->U_n);
            force  = kv3_add_scaled(force, -more, x->U_f);
        }
        kane_tree_apply_wrench(work, i, force, torque);
        if (link->parent < 0)
            return;
        torque = kv3_add(torque, kv3_cross(work->link[i].rho, force));
        i      = link->parent;
    }
    kane_tree_apply_wrench(work, i, force, torque);
    (void)solve_body(&tree->links[i], &work->link[i], work->v_dot + tree->links[i].v);
}

// row_v += e_v.torque + l_v.force for every speed on the way to the frame: A' F, (60), one wrench at a time.
void kane_tree_spread_wrench(const kane_tree *tree, const int *place, const kane_tree_work *work, int link, int above,
                             kane_wrench w, double *row)
{
    for (int i = link; i != above && i >= 0; i = tree->links[i].parent) {
        const kane_link *l = &tree->links[i];
        const int v        = l->role == KANE_FLEX_NODE ? tree->flexes[l->flex].v : l->v;
        double *to         = l->v_count ? row + (place ? place[v] : v) : NULL;
        if (l->kind == KANE_LINK_BODY) {
            for (int c = 0; c < 3; c++) {
                to[c] += kv3_get(w.force, c);
                to[3 + c] += kv3_get(w.torque, c);
            }
            return;
        }
        double along[6]; // a joint has no more speeds
        for (int k = 0; k < l->v_count; k++) {
            const kane_axis_state *a = &work->axis[l->v + k];
            along[k]                 = kv3_dot(a->l, w.force) + kv3_dot(a->e, w.torque);
        }
        if (l->role == KANE_FLEX_NODE)
            kane_flex_fold(&tree->flexes[l->flex], i, along, to);
        for (int k = 0; k < l->v_count && l->role != KANE_FLEX_NODE; k++)
            to[k] += along[k];
        w.torque = kv3_add(w.torque, kv3_cross(work->link[i].rho, w.force));
    }
}

// (dal, da) += v_dot (e, l) link by link, without inertia.
void kane_tree_accelerate(const kane_tree *tree, kane_links links, kane_tree_work *work)
{
    for (int i = links.first; i < links.end; i++) {
        const kane_link *link = &tree->links[i];
        kane_link_state *s    = &work->link[i];
        const double *u_dot   = work->v_dot + link->v;
        if (link->kind == KANE_LINK_BODY) {
            s->da  = kv3(u_dot[0], u_dot[1], u_dot[2]);
            s->dal = kv3(u_dot[3], u_dot[4], u_dot[5]);
        } else if (link->role != KANE_FLEX_MODE && !link->idle) { // others: kane_flex_accelerations
            follow_joint(link, work, s);
        }
        if (link->role == KANE_FLEX_FRAME)
            kane_flex_nodes_follow(&tree->flexes[link->flex], tree->links, work->v_dot);
    }
}

// === The articulated-body pass once more for other wrenches, with inertias as they are: up, then down.

// (a, al) = I^-1 w: a body with six freedoms under a wrench w at its origin.
kane_wrench kane_link_respond(const kane_link *link, const kane_link_state *s, kane_wrench w)
{
    if (!is_by_itself(link)) {
        const kane_spatial_inverse inverse = ksp_inverse(&s->I);
        return ksp_accelerate(&s->I, &inverse, w);
    }
    return (kane_wrench){kane_link_mask(link, kv3_scale(1.0 / link->mass, w.force)),
                         km3_mulv(s->R, ksym_mulv(link->J_inverse, km3_tmulv(s->R, w.torque)))};
}

// Inward step of a response:  v_dot = s.w/d,   w -= U v_dot, which the parent gets. Axes of a node have no speeds of
// their own.
static void pass_response(const kane_link *link, const kane_tree_work *work, int i, kane_wrench *applied, double *v_dot)
{
    kane_wrench w = applied[i];
    for (int v = link->v + link->v_count - 1; v >= link->v && link->role != KANE_FLEX_NODE; v--) {
        const kane_axis_state *x = &work->axis[v];
        v_dot[v]                 = (kv3_dot(x->e, w.torque) + kv3_dot(x->l, w.force)) / x->along;
        w.torque                 = kv3_add_scaled(w.torque, -v_dot[v], x->U_n);
        w.force                  = kv3_add_scaled(w.force, -v_dot[v], x->U_f);
    }
    if (link->parent >= 0) {
        kane_wrench *p = &applied[link->parent];
        p->force       = kv3_add(p->force, w.force);
        p->torque      = kv3_add(p->torque, kv3_add(w.torque, kv3_cross(work->link[i].rho, w.force)));
    }
}

// Outward step of a response:  v_dot -= D.a,   a += s v_dot; `response`: a of the link, as (da, dal).
static void subtract_response(const kane_link *link, const kane_tree_work *work, int i, kane_wrench *response,
                              double *v_dot)
{
    kane_wrench a = {kv3_zero(), kv3_zero()};
    if (link->parent >= 0) {
        const kane_wrench p = response[link->parent];
        a.torque            = p.torque;
        a.force             = kv3_add(p.force, kv3_cross(p.torque, work->link[i].rho));
    }
    for (int v = link->v; v < link->v + link->v_count; v++) {
        const kane_axis_state *x = &work->axis[v];
        if (link->role != KANE_FLEX_NODE)
            v_dot[v] -= kv3_dot(x->D_n, a.torque) + kv3_dot(x->D_f, a.force);
        a.torque = kv3_add_scaled(a.torque, v_dot[v], x->e);
        a.force  = kv3_add_scaled(a.force, v_dot[v], x->l);
    }
    response[i] = a;
}

// Both passes of section 3 for wrenches alone: h = -w, no drives, inertias of the last kane_tree_solve.
void kane_tree_respond(const kane_tree *tree, kane_links links, const kane_tree_work *work, kane_wrench *applied,
                       kane_wrench *response, double *v_dot)
{
    for (int i = links.end - 1; i >= links.first; i--) {
        const kane_link *link = &tree->links[i];
        if (link->role == KANE_FLEX_MODE)
            continue;
        if (link->role == KANE_FLEX_NODE)
            kane_flex_respond_node(tree, i, work, applied[i]);
        if (link->role == KANE_FLEX_FRAME)
            applied[i] =
                kw_add(applied[i], kane_flex_respond_frame(&tree->flexes[link->flex], &work->flex[link->flex]));
        if (link->kind != KANE_LINK_BODY)
            pass_response(link, work, i, applied, v_dot);
    }
    for (int i = links.first; i < links.end; i++) {
        const kane_link *link = &tree->links[i];
        if (link->role == KANE_FLEX_MODE)
            continue;
        if (link->kind != KANE_LINK_BODY) {
            subtract_response(link, work, i, response, v_dot);
        } else {
            const kane_wrench a = response[i] = kane_link_respond(link, &work->link[i], applied[i]);
            const double own[6]               = {a.force.x, a.force.y, a.force.z, a.torque.x, a.torque.y, a.torque.z};
            for (int k = 0; k < 6; k++)
                v_dot[link->v + k] = own[k];
        }
        if (link->role == KANE_FLEX_FRAME)
            kane_flex_respond_modes(&tree->flexes[link->flex], tree->links, work, response[i], v_dot);
    }
}
