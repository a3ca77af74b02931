// SPDX-License-Identifier: MIT
// How links move when one state of the tree changes, with v_dot held.

#ifndef KANE_TREE_TANGENT_H
#define KANE_TREE_TANGENT_H

#include "tree/derive.h"
#include "tree/rows.h"

// Tangents of some links by one state: a coordinate, or q_count + speed. After kane_derive_move.
//   bases    of the frames, as kane_tree_move had them
//   tangent  [link_count of the tree]: those of `links` are written, zero where the state does not move them
void kane_tree_tangent(const kane_derive_map *map, const kane_derive_work *scratch, const kane_tree_work *work,
                       const kane_base *bases, int state, int link_count, const int *links, kane_link_tangent *tangent);

#endif
