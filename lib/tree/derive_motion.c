// SPDX-License-Identifier: MIT
// How the states of a group move it: its directions.

#include "tree/derive_group.h"

// --- coordinates ---

static inline kane_vec3 column(const kane_mat3 *A, int axis)
{
    return axis == 0 ? A->x : axis == 1 ? A->y : A->z;
}

static inline kane_mat3 turn(kane_mat3 A, int axis, double angle)
{
    const double s = sin(angle), c = cos(angle);
    return axis == 0 ? km3_turn_x(A, s, c) : axis == 1 ? km3_turn_y(A, s, c) : km3_turn_z(A, s, c);
}

// Axes of the joint on what carries the link.
static kane_mat3 seat_axes(const kane_tree_work *work, const kane_link *link)
{
    if (link->parent < 0)
        return link->seat_R;
    const kane_mat3 R = work->link[link->parent].R;
    return link->turned ? km3_mul(R, link->seat_R) : R;
}

// Axis of a step without a speed.
static kane_vec3 held_axis(const kane_tree_work *work, const kane_link *link, int index)
{
    kane_mat3 R = seat_axes(work, link);
    for (int k = link->slide_count; k < index; k++)
        R = turn(R, link->step[k].axis, work->q[link->step[k].q]);
    return column(&R, link->step[index].axis);
}

static kane_twist step_twist(const kane_tree_work *work, const kane_link *link, int index)
{
    const kane_step *step = &link->step[index];
    if (step->v >= 0)
        return (kane_twist){work->axis[step->v].e, work->axis[step->v].l};
    const kane_vec3 axis = held_axis(work, link, index);
    return index < link->slide_count ? (kane_twist){kv3_zero(), axis} : (kane_twist){axis, kv3_zero()};
}

// Rotation by one of the Euler parameters e: 2 (conjugate of e) o de / |e|^2 in the link's axes.
static kane_vec3 ball_turn(const double e[4], int index)
{
    const double s      = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    const kane_vec3 own = kv3(e[1], e[2], e[3]);
    if (index == 0)
        return kv3_scale(-s, own);
    const kane_vec3 unit = kv3_unit(index - 1);
    return kv3_scale(s, kv3_sub(kv3_scale(e[0], unit), kv3_cross(own, unit)));
}

kane_twist kane_coordinate_twist(const kane_tree *tree, const kane_tree_work *work, int i, int index)
{
    const kane_link *link    = &tree->links[i];
    const kane_link_state *s = &work->link[i];
    if (link->kind == KANE_LINK_STEPS)
        return step_twist(work, link, index);
    if (link->kind == KANE_LINK_BALL)
        return (kane_twist){km3_mulv(s->R, ball_turn(work->q + link->q, index)), kv3_zero()};
    if (index < 3) {
        const kane_mat3 A = seat_axes(work, link);
        return (kane_twist){kv3_zero(), column(&A, index)};
    }
    // about the joint point, where the mass centre goes around
    const kane_vec3 e = work->axis[link->v + index].e;
    return (kane_twist){e, kv3_cross(km3_mulv(s->R, link->at), e)};
}

void kane_coordinate_twists(const kane_derive_map *map, const kane_tree_work *work, kane_twist *twist)
{
    const kane_tree *tree = map->tree;
    for (int i = 0; i < tree->link_count; i++) {
        const kane_link *link = &tree->links[i];
        kane_twist *out       = twist + link->q;
        if (!map->carrier[i])
            continue;
        if (link->kind != KANE_LINK_BODY) {
            for (int k = 0; k < link->q_count; k++)
                out[k] = kane_coordinate_twist(tree, work, i, k);
            continue;
        }
        const kane_mat3 A  = seat_axes(work, link);
        const kane_vec3 at = km3_mulv(work->link[i].R, link->at), zero = kv3_zero();
        out[0] = (kane_twist){zero, A.x};
        out[1] = (kane_twist){zero, A.y};
        out[2] = (kane_twist){zero, A.z};
        for (int k = 3; k < 6; k++) {
            const kane_vec3 e = work->axis[link->v + k].e;
            out[k]            = (kane_twist){e, kv3_cross(at, e)};
        }
    }
}

// --- fields ---

static kane_field field_of(const kane_link_state *s, kane_vec3 point)
{
    kane_field f;
    const kane_vec3 a = kv3_add(s->a, s->da);
    f.r               = kv3_sub(s->r, point);
    f.V.e             = s->w;
    f.V.l             = kv3_sub(s->v, kv3_cross(s->w, f.r));
    f.A.e             = kv3_add(s->al, s->dal);
    f.A.l             = kv3_sub(kv3_sub(a, kv3_cross(f.A.e, f.r)), kv3_cross(s->w, s->v));
    return f;
}

// The frame's own.
static kane_field frame_field(const kane_base *base, kane_vec3 point)
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

static void turn_along(kane_direction *d, kane_twist s, kane_twist V, kane_twist A)
{
    d->s   = s;
    d->psi = ktw_cross(V, s);
    d->chi = ktw_add_scaled(ktw_cross(A, s), 1.0, ktw_cross(V, d->psi));
    d->eta = d->psi.e;
}

static void speed_up(kane_direction *d, kane_twist s, kane_twist before, kane_twist after)
{
    d->s   = s;
    d->psi = (kane_twist){kv3_zero(), kv3_zero()};
    d->chi = ktw_add_scaled(ktw_cross(before, s), 1.0, ktw_cross(after, s));
    d->eta = s.e;
}

// Its speeds are relative to the frame, and stay: where it shifts to, the frame's motion is another one.
void kane_group_pose(const kane_base *base, const kane_field *root, kane_twist s, kane_direction *d)
{
    const kane_vec3 goes = kv3_cross(base->w, s.l);
    turn_along(d, (kane_twist){s.e, kv3_zero()}, root->V, root->A);
    d->s     = s;
    d->psi.l = kv3_add(d->psi.l, goes);
    d->chi.l = kv3_add(d->chi.l, kv3_add(kv3_cross(base->al, s.l), kv3_cross(base->w, goes)));
}

void kane_group_root(const kane_base *base, const kane_field *root, const kane_link_state *s,
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

// A body alone: what moves, and how fast.
static void move_alone(const kane_base *base, const kane_link_state *s, kane_direction d[KANE_ROOT_ALL])
{
    const kane_vec3 zero = kv3_zero();
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e             = kv3_unit(k);
        d[KANE_ROOT_SHIFTS + k].s     = (kane_twist){zero, e};
        d[KANE_ROOT_SHIFTS + k].psi   = (kane_twist){zero, kv3_cross(base->w, e)};
        d[KANE_ROOT_TURNS + k].s      = (kane_twist){e, zero};
        d[KANE_ROOT_TURNS + k].psi    = (kane_twist){kv3_cross(s->w, e), kv3_cross(s->v, e)};
        d[KANE_ROOT_VELOCITIES + k].s = (kane_twist){zero, e};
        d[KANE_ROOT_SPINS + k].s      = (kane_twist){e, zero};
    }
}

static void move_ball(const kane_derive_map *map, const kane_tree_work *work, int i, const kane_field *from,
                      const kane_field *to, kane_direction *d)
{
    const kane_link *link = &map->tree->links[i];
    for (int k = 0; k < 4; k++) {
        const kane_vec3 e = kane_coordinate_twist(map->tree, work, i, k).e;
        turn_along(d++, (kane_twist){e, kv3_cross(to->r, e)}, from->V, from->A);
    }
    for (int k = 0; k < 3; k++) {
        const kane_vec3 e = work->axis[link->v + k].e;
        speed_up(d++, (kane_twist){e, kv3_cross(to->r, e)}, from->V, to->V);
    }
}

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

// Step by step: what carries the next one moves with those before it.
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

void kane_group_move(const kane_derive_map *map, const kane_group *group, kane_derive_work *scratch,
                     const kane_tree_work *work, const kane_base *base)
{
    const kane_vec3 point  = work->link[group->root].r;
    const kane_field frame = frame_field(base, point);
    const int end          = group->direction + group->direction_count;
    for (int place = 0; place < group->link_count; place++)
        scratch->field[group->links[place]] = field_of(&work->link[group->links[place]], point);
    if (group->alone && !group->held)
        move_alone(base, &work->link[group->root], &scratch->directions[group->direction]);
    else if (group->free)
        kane_group_root(base, &scratch->field[group->root], &work->link[group->root],
                        &scratch->directions[group->direction]);
    for (int d = group->direction + KANE_ROOT_ALL * group->free, i; d < end; d++) { // to the end of every link
        i                     = map->names[d].link;
        const kane_link *link = &map->tree->links[i];
        const kane_field *to = &scratch->field[i], *from = link->parent < 0 ? &frame : &scratch->field[link->parent];
        if (link->kind == KANE_LINK_BALL)
            move_ball(map, work, i, from, to, &scratch->directions[d]);
        else
            move_steps(work, link, from, to, &scratch->directions[d]);
        while (d + 1 < end && map->names[d + 1].link == i)
            d++;
    }
}

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
