// SPDX-License-Identifier: MIT
// Tangents of links: by directions of their own group, or by how their group's root is carried along.

#include "tree/tangent.h"

#include "tree/derive_group.h"

// What the fields of a link become in a direction (derive_group.h), at its origin:
//   v = V + w x r,  a = A + al x r + w x v
static kane_link_tangent along(const kane_direction *d, kane_direction_kind kind, const kane_field *f,
                               const kane_link_state *s)
{
    kane_vec3 x[KANE_MOTIONS];
    kane_direction_motion(d, kind, f, s, x);
    kane_link_tangent t = {.shift = x[KANE_MOVES], .turn = x[KANE_TURNS], .v = x[KANE_SPEEDS], .w = x[KANE_SPINS]};
    kane_twist A        = d->chi;
    if (!kane_direction_turns(kind)) {
        A = ktw_add_scaled(A, 1.0, ktw_cross(d->s, f->V));
    } else {
        A = ktw_add_scaled(A, 1.0, ktw_cross(d->s, f->A));
        A = ktw_add_scaled(A, 1.0, ktw_cross(d->psi, f->V));
    }
    t.al = A.e;
    t.a  = kv3_add(A.l, kv3_add(kv3_cross(A.e, f->r), kv3_cross(f->A.e, t.shift)));
    t.a  = kv3_add(t.a, kv3_add(kv3_cross(t.w, s->v), kv3_cross(s->w, t.v)));
    return t;
}

// A coordinate outside the group carries its root along.
static void carry(const kane_derive_map *map, const kane_derive_work *scratch, const kane_tree_work *work,
                  const kane_base *bases, int state, const kane_group *group, kane_direction *d)
{
    const int from = map->link_of[state];
    kane_twist s   = scratch->twist[state];
    s.l            = kv3_add(s.l, kv3_cross(s.e, kv3_sub(work->link[group->root].r, work->link[from].r)));
    kane_group_pose(&bases[map->tree->links[group->root].frame], &scratch->field[group->root], s, d);
}

// Coordinates that move nothing: given ones, and the spin of a body whose axes leave it out.
static int moves(const kane_link *link, int index)
{
    if (link->kind == KANE_LINK_BODY)
        return index < 5 || !link->spins;
    return link->kind == KANE_LINK_BALL || link->step[index].mode != KANE_STEP_GIVEN;
}

void kane_tree_tangent(const kane_derive_map *map, const kane_derive_work *scratch, const kane_tree_work *work,
                       const kane_base *bases, int state, int link_count, const int *links, kane_link_tangent *tangent)
{
    const int from = map->link_of[state], speed = state >= map->tree->q_count;
    const int own = map->direction_of[state];
    int posed     = -1; // group of the pose
    kane_direction pose, root[KANE_ROOT_ALL];
    const kane_direction *direction = own < 0 ? NULL : &scratch->directions[own];
    if (own >= 0 && map->names[own].slot < 0) { // a root's own speed
        kane_group_root(&bases[map->tree->links[from].frame], &scratch->field[from], &work->link[from], root);
        direction = &root[own - map->groups[map->group_of[from]].direction];
    }
    for (int n = 0; n < link_count; n++) {
        const int i      = links[n];
        const int inside = own >= 0 && map->group_of[i] == map->group_of[from];
        tangent[i]       = (kane_link_tangent){.turn = kv3_zero()};
        if (!kane_derive_above(map, from, i) || (!inside && speed))
            continue;
        if (inside) {
            tangent[i] = along(direction, map->names[own].kind, &scratch->field[i], &work->link[i]);
            continue;
        }
        if (!moves(&map->tree->links[from], state - map->tree->links[from].q))
            continue;
        if (posed != map->group_of[i]) {
            posed = map->group_of[i];
            carry(map, scratch, work, bases, state, &map->groups[posed], &pose);
        }
        tangent[i] = along(&pose, KANE_DIRECTION_TURN, &scratch->field[i], &work->link[i]);
    }
}
