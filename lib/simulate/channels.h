// SPDX-License-Identifier: MIT
// Channels: what can be read from a simulation, by name.

#ifndef KANE_SIMULATE_CHANNELS_H
#define KANE_SIMULATE_CHANNELS_H

#include "agem/imaginary.h"
#include "simulate/simulation.h"

// What is known of the element and of the body's imaginary terms that were asked for last: channels of one stand together.
typedef struct kane_reading_cache {
    int element, body; // -1: none
    kane_wrench on_b;
    kane_relative relative;
    kane_imaginary terms;
} kane_reading_cache;

// Everything that a channel looks at, gathered once per reading.
typedef struct kane_reading {
    const kane_model *model;
    const kane_work *work;
    const double *state;                    // with the integrals of work behind it
    double time;                            // [s]
    double (*coordinate)[KANE_COORDINATES]; // by body
    double (*rate)[KANE_COORDINATES];       // by body
    kane_energy energy;
    kane_reading_cache *cache;
} kane_reading;

// Value of one channel; which: body, wheelset, element; part: coordinate, side, patch, axis...
typedef double (*kane_channel_value)(const kane_reading *reading, int which, int part);

typedef struct kane_channel {
    kane_channel_info info;
    kane_channel_value value;
    int which, part;
} kane_channel;

// Whether a channel is known from how frames and bodies move (kane_simulation_motion).
int kane_channel_is_motion(const kane_channel *channel);

// Where the lists of channels are announced to: name as for printf.
typedef struct kane_channel_list kane_channel_list;
void kane_channel_announce(kane_channel_list *list, const char *unit, const char *description, kane_channel_value value,
                           int which, int part, const char *name, ...) KANE_PRINTF(7, 8);

// One list each.
void kane_channels_of_travel(kane_channel_list *list, const kane_model *model);
void kane_channels_of_bodies(kane_channel_list *list, const kane_model *model);
void kane_channels_of_joints(kane_channel_list *list, const kane_model *model);
void kane_channels_of_constraints(kane_channel_list *list, const kane_model *model);
void kane_channels_of_frames(kane_channel_list *list, const kane_model *model);
void kane_channels_of_imaginary(kane_channel_list *list, const kane_model *model);
void kane_channels_of_impulses(kane_channel_list *list, const kane_model *model);
void kane_channels_of_elements(kane_channel_list *list, const kane_model *model);
void kane_channels_of_sensors(kane_channel_list *list, const kane_model *model);
void kane_channels_of_track(kane_channel_list *list, const kane_model *model);
void kane_channels_of_wheels(kane_channel_list *list, const kane_model *model);
void kane_channels_of_panels(kane_channel_list *list, const kane_model *model);
void kane_channels_of_energy(kane_channel_list *list);
void kane_channels_of_work(kane_channel_list *list);

#endif
