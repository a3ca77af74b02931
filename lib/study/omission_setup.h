// SPDX-License-Identifier: MIT
// An omission study made ready: terms, responses, conditions, and what a case of it is.

#ifndef KANE_STUDY_OMISSION_SETUP_H
#define KANE_STUDY_OMISSION_SETUP_H

#include <kane/study.h>

#include "base/arena.h"
#include "run/inputs.h"
#include "study/omission_table.h"
#include "study/omission_terms.h"

#include <stdio.h>

// A response: channels that match a pattern, all of one unit.
typedef struct kane_omission_response {
    const char *pattern, *unit;
    int channel_count;
    const char *const *channels;
} kane_omission_response;

typedef struct kane_omission_setup {
    const kane_omission_study *study;
    kane_arena *arena;
    const char *vehicle; // its name
    int travels;         // 1: runs go along a track and are told by distance [m]; else by time [s]
    kane_omission_grid grid;
    kane_omission_terms terms; // the first one, "", omits nothing: accuracy
    int response_count;
    const kane_omission_response *responses;
    const char *const *patterns; // of the responses, then those of all imaginary terms and their impulses
    kane_inputs *inputs;         // files that the runs are made from
    kane_tables *tables;         // of contacts, which all runs share; made once before the workers are
} kane_omission_setup;

// Checks the study, reads the run under every value of every axis. 0 with errors; to be closed then, too.
int kane_omission_setup_open(kane_omission_setup *setup, const kane_omission_study *study, kane_errors *errors);
void kane_omission_setup_close(kane_omission_setup *setup);

// What may be wrong: in the study itself; with the run of the first condition, its terms, the values of the axes. 0 with
// errors.
int kane_omission_check_study(const kane_omission_study *study, kane_errors *errors);
// Not too many cases: conditions times terms.
int kane_omission_check_size(double conditions, int terms, kane_errors *errors);
int kane_omission_check_run(const kane_omission_setup *setup, const kane_run_definition *run, kane_errors *errors);

// The run of a condition, its terms evaluated one by one: as "kane run" has it with the same settings and separate=true.
// Settings of the condition are taken from `arena`. NULL with errors.
kane_run *kane_omission_read(const kane_omission_setup *setup, int condition, kane_arena *arena, kane_errors *errors);

// The same settings as they are typed: "start.speed=10 m/s", ...; NULL-terminated. NULL without memory.
const char *const *kane_omission_settings(const kane_omission_setup *setup, int condition, kane_arena *arena);

enum { KANE_OMISSION_COMPLETE = -1 }; // instead of a term: nothing is omitted, tolerances as they are

// Carries out a run that was read, in memory, omitting a term (1, 2, ... of the setup) beside those that it omits itself; of
// term 0, accuracy, nothing but with tolerances that are ten times tighter. The responses are recorded, of the complete run
// imaginary terms and their impulses, too.
kane_results *kane_omission_carry_out(const kane_omission_setup *setup, const kane_run *run, int term,
                                      kane_outcome *outcome, kane_errors *errors);

// --- cases ---

// Case i is term i % terms under condition i / terms. What it records:
typedef enum kane_omission_value {
    KANE_OMISSION_STOP,                                  // kane_stop of the complete run, of the omitting one
    KANE_OMISSION_DISTANCE = KANE_OMISSION_STOP + 2,     // likewise [m]
    KANE_OMISSION_LARGEST  = KANE_OMISSION_DISTANCE + 2, // omitted force [N], torque [N m]; NaN: none
    KANE_OMISSION_IMPULSE  = KANE_OMISSION_LARGEST + 2,  // their largest impulses [N s], [N m s]; NaN: none
    KANE_OMISSION_ZERO     = KANE_OMISSION_IMPULSE + 2,  // 1: the term is zero all along
    KANE_OMISSION_RESPONSES,                             // then of every response:
    KANE_OMISSION_CHANNEL = 0,                           // which of its channels
    KANE_OMISSION_DIFFERENCE,
    KANE_OMISSION_AT,
    KANE_OMISSION_RMS,
    KANE_OMISSION_RANGE,
    KANE_OMISSION_PER_RESPONSE
} kane_omission_value;

static inline int kane_omission_value_count(const kane_omission_setup *setup)
{
    return KANE_OMISSION_RESPONSES + KANE_OMISSION_PER_RESPONSE * setup->response_count;
}

// What the work on cases knows: the setup, and the complete run of the last condition. One for each process.
typedef struct kane_omission_worker {
    const kane_omission_setup *setup;
    kane_arena *arena; // of the condition
    int condition;     // -1: none yet
    kane_run *run;     // NULL: the condition has failed; `why` says how
    kane_results *complete;
    kane_outcome outcome;
    int is_fine; // 1: rows are so near to each other that a term cannot be other than zero between them only
    char why[KANE_CASE_WHY];
} kane_omission_worker;

// Work of a plan (kane_case_work); data is a kane_omission_worker, which this process alone has.
void kane_omission_work(int index, kane_case *result, void *data);
void kane_omission_worker_end(kane_omission_worker *worker);

#endif
