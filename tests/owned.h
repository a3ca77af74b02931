// SPDX-License-Identifier: MIT
// Variables that are freed where their block ends:
//   CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_BLOSS);     what a pointer owns; NULL is allowed
//   CHECK_FREED(wagon) w           = wagon_read("coach-curve", NULL);  a struct of tests, by its function wagon_free
//   CHECK_MEMORY double *y         = calloc(n, sizeof *y);
//   CHECK_END(subject_close) subject s = {0};                          by any function of its address
// Several of a block are freed in the opposite order of their declarations.

#ifndef KANE_TESTS_OWNED_H
#define KANE_TESTS_OWNED_H

#include <stdlib.h>

#include <kane/agem.h>
#include <kane/contact.h>
#include <kane/critical.h>
#include <kane/evaluate.h>
#include <kane/flexible.h>
#include <kane/geometry.h>
#include <kane/jacobian.h>
#include <kane/linear.h>
#include <kane/locus.h>
#include <kane/measure.h>
#include <kane/model.h>
#include <kane/profile.h>
#include <kane/report.h>
#include <kane/results.h>
#include <kane/run.h>
#include <kane/simulate.h>
#include <kane/state.h>
#include <kane/steady.h>
#include <kane/stepper.h>
#include <kane/study.h>
#include <kane/sweep.h>
#include <kane/track.h>
#include <kane/vehicle.h>

#include "base/arena.h"

#define CHECK_OWNED(type)   CHECK_END(type##_free_owned) type
#define CHECK_END(function) __attribute__((cleanup(function)))
#define CHECK_FREED(type)   CHECK_END(type##_free) type
#define CHECK_MEMORY        CHECK_END(check_free_memory)

#define CHECK_OWNS(type)                                                                                               \
    static inline void type##_free_owned(const void *variable)                                                         \
    {                                                                                                                  \
        type##_free(*(type *const *)variable);                                                                         \
    }

CHECK_OWNS(kane_arena)
CHECK_OWNS(kane_axis)
CHECK_OWNS(kane_channels)
CHECK_OWNS(kane_contact)
CHECK_OWNS(kane_critical_report)
CHECK_OWNS(kane_discrete)
CHECK_OWNS(kane_evaluation)
CHECK_OWNS(kane_flexible)
CHECK_OWNS(kane_jacobian)
CHECK_OWNS(kane_linear)
CHECK_OWNS(kane_locus)
CHECK_OWNS(kane_measure)
CHECK_OWNS(kane_model)
CHECK_OWNS(kane_modes)
CHECK_OWNS(kane_omission_report)
CHECK_OWNS(kane_profile)
CHECK_OWNS(kane_report)
CHECK_OWNS(kane_results)
CHECK_OWNS(kane_rolling)
CHECK_OWNS(kane_run)
CHECK_OWNS(kane_simulation)
CHECK_OWNS(kane_state)
CHECK_OWNS(kane_steady)
CHECK_OWNS(kane_stepper)
CHECK_OWNS(kane_tables)
CHECK_OWNS(kane_track)
CHECK_OWNS(kane_vehicle)
CHECK_OWNS(kane_wheelset_table)
CHECK_OWNS(kane_work)

static inline void check_free_memory(const void *variable)
{
    free(*(void *const *)variable);
}

#endif
