// SPDX-License-Identifier: MIT
// Channels: what can be read from a simulation, by name.

#ifndef KANE_SIMULATE_CHANNELS_H
#define KANE_SIMULATE_CHANNELS_H

#include "agem/bodies.h"
#include "simulate/simulation.h"

// Element, wheel and imaginary terms of the channel that was read last: channels of one of them follow each other.
typedef struct kane_reading_cache {
    int element, body; // -1: none
    int wheel;         // 2 wheelset + side of `contact`, with its pressures; -1: none
    kane_wrench on_b;
    kane_relative relative;
    kane_imaginary terms;
    kane_contact_result contact;
} kane_reading_cache;

// Data from which channels take their values, filled once per row.
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
    kane_channel_group group;
    int reaction; // its place among those that are evaluated alone, -1: none
} kane_channel;

// What must be known before a channel can be read.
kane_knowledge kane_channel_needs(const kane_model *model, const kane_channel *channel);

// Whether it is a reaction, which can be evaluated alone, and which one.
int kane_channel_is_reaction(const kane_channel *channel, kane_reaction *reaction);

// What the lists know of their channels: those of frames and time, of coordinates and rates of bodies, of joints
// without their reactions, of energy; reactions of bodies, of joints and constraints.
int kane_channel_is_travel(const kane_channel *channel);
// 1: time, distance or speed along the line; with a prescribed speed its acceleration, too.
int kane_channel_is_travel_state(const kane_channel *channel, int is_driven);
int kane_channel_is_coordinate(const kane_channel *channel);
int kane_channel_is_joint(const kane_channel *channel);
int kane_channel_is_energy(const kane_channel *channel);
int kane_channel_is_body_reaction(const kane_channel *channel, kane_reaction *reaction);
int kane_channel_is_joint_reaction(const kane_channel *channel, kane_reaction *reaction);

// List to which channels are added; name as for printf.
typedef struct kane_channel_list kane_channel_list;

// Group of the channels that are added next.
void kane_channel_group_begin(kane_channel_list *list, kane_channel_group group);
void kane_channel_add(kane_channel_list *list, const char *unit, const char *description, kane_channel_value value,
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
void kane_channels_of_gauges(kane_channel_list *list, const kane_model *model);
void kane_channels_of_inputs(kane_channel_list *list, const kane_model *model);
void kane_channels_of_energy(kane_channel_list *list);
void kane_channels_of_work(kane_channel_list *list);

#endif
