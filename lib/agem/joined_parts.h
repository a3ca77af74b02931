// SPDX-License-Identifier: MIT
// What the files of joined_derive share.

#ifndef KANE_AGEM_JOINED_PARTS_H
#define KANE_AGEM_JOINED_PARTS_H

#include "agem/joined_derive.h"

#include "tree/derive.h"
#include "tree/respond.h"
#include "tree/tangent.h"

struct kane_joined_derivative {
    const kane_model *model;
    kane_work *work;
    // accelerations of runs: the pairs of the map are all links by themselves, then links that feel each other
    kane_derive_map *map;
    kane_derive_work *sweep;
    kane_rates_map *rates;
    double *rates_values;
    int pair_count;
    kane_link_pair *pairs;
    int *pair_of; // pair of the model
    kane_gradient *gradients;
    kane_guided_column (*guided)[KANE_BODY_STATES]; // of free wheelsets that rails guide
    double *map_values;
    // scratch by link, by coordinate, by speed
    kane_wrench *acting, *push, *answer;
    kane_link_tangent *tangent;
    double *v_dot;
    int *q_place, *v_place; // in y; v of clusters -1
    int *run_of;            // run of every link, -1: in a cluster
    int *root_of;           // link that inertia couples it to
    // entries: counted, then named, then valued, all by the same walk
    int next, entry_count;
    kane_joined_entry *entries;
    double *values;
};

// The next entry. Values count only while there is a place for them.
static inline void kane_joined_emit(kane_joined_derivative *d, int row, int column, double value)
{
    if (d->values)
        d->values[d->next] = value;
    else if (d->entries)
        d->entries[d->next] = (kane_joined_entry){row, column};
    d->next++;
}

// Goes through all entries: counts them, names them, or gives them values.
void kane_joined_walk(kane_joined_derivative *d, const kane_gradient *pairs);

// One state of a link that can change: a coordinate or a speed of it.
typedef struct kane_joined_state {
    int link, is_speed, index; // among the link's own
} kane_joined_state;

// States that move a link, one after another: 0 when there are no more. Starts with link -1. Speeds of what carries a body with
// all six freedoms do not move it.
int kane_joined_next_state(const kane_joined_derivative *d, int link, kane_joined_state *state);

// Place in y.
int kane_joined_place(const kane_joined_derivative *d, kane_joined_state state);

// Change of the motion of a link that one of the states that move it makes: fills its tangent.
void kane_joined_tangent(kane_joined_derivative *d, int link, kane_joined_state state);

// Change of the motion of a link's body at its mass centre, world axes: displacement, rotation, velocity, angular velocity.
void kane_joined_motion(const kane_joined_derivative *d, int link, kane_vec3 motion[KANE_MOTIONS]);

// Emits d(speeds)/d(column) for a wrench at a body's mass centre, axes of its frame: of any body.
void kane_joined_respond(kane_joined_derivative *d, int body, kane_wrench wrench, int column);

#endif
