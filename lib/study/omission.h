// SPDX-License-Identifier: MIT
// Omission studies inside: the terms, a case (two runs compared), the table of effects and what it says, the report.

#ifndef KANE_STUDY_OMISSION_H
#define KANE_STUDY_OMISSION_H

#include <kane/study.h>

#include "study/axis.h"
#include "study/study.h"

// --- terms ---

typedef struct kane_omission_terms {
    int count;
    const char *const *texts; // as they are typed behind --omit
} kane_omission_terms;

// Of bodies by their names, one by one, all its terms axis by axis (force: translation, centrifugal, rotation, gyroscopic; torque: the last three)
// and its wholes: each term with all axes, all forces, all torques, everything. Then the wholes of all bodies together;
// those of the only body are left out. 0 without memory.
int kane_omission_terms_all(kane_arena *arena, int body_count, const char *const *bodies, kane_omission_terms *terms);

// Whether a channel shows a term, "imaginary" or "impulse": body:torque.rotation.* is shown by imaginary.body.torque.rotation.z.
int kane_omission_shows(const char *what, const char *term, const char *channel);

// --- two runs that should be the same ---

// Of one response over the distance that both runs have travelled, or, without a track, over time.
typedef struct kane_omission_difference {
    int column;        // of the complete run: the channel that changes most; -1: none matches
    double difference; // largest |omitting - complete|
    double at;         // distance travelled there [m], or time [s]
    double rms;        // of the difference, over the rows
    double range;      // largest - smallest value of the complete run, all of it: of that channel that has the largest
} kane_omission_difference;

// The column that tells how far a run is: of distance, without a track of time.
int kane_omission_progress(const kane_results *run);

// What counts as nothing, by unit: 1e-5 m, 1e-5 rad, 10 N, 10 N m, 1e-4 m/s, 1e-4 rad/s, 1e-3 m/s^2, 1e-3 rad/s^2; 1e-9
// of any other.
double kane_omission_nothing(const char *unit);

// 1 if a channel belongs to a response; the imaginary terms themselves and their impulses only if the pattern says so
// ("imaginary.*", "impulse.*").
int kane_omission_matches(const char *pattern, const char *channel);

// Angles of an attitude end half a turn to either side and go on at the other: here they are followed over that end, so that
// differences and ranges are not those of whole turns. An angle that goes beyond half a turn by itself stays as it is.
void kane_omission_unwrap(kane_results *run);

// Of the channels that match a pattern that one which changes most, measured by the largest range that any of them has: what
// happens to one wheel counts by what happens on all. Both runs begin with a column "time" and, on a track, "distance". Rows are compared
// that are at the same time; where frames do not travel alike then (a driven vehicle), omitting is read between its rows at the
// distance of complete.
kane_omission_difference kane_omission_compare(const kane_results *complete, const kane_results *omitting,
                                               const char *pattern);

// --- the table of effects ---

// Everything is known of the table when it is made; rows are [condition][term][response].
typedef struct kane_omission_table {
    int conditions, terms, responses;
    const char *const *names;     // [terms]
    kane_omission_effect *effect; // [conditions][terms][responses]
    kane_omission_case *at;       // [conditions][terms]
} kane_omission_table;

static inline kane_omission_effect *kane_omission_at(const kane_omission_table *t, int condition, int term,
                                                     int response)
{
    return &t->effect[((size_t)condition * (size_t)t->terms + (size_t)term) * (size_t)t->responses + (size_t)response];
}

static inline kane_omission_case *kane_omission_case_at(const kane_omission_table *t, int condition, int term)
{
    return &t->at[(size_t)condition * (size_t)t->terms + (size_t)term];
}

// Fills scale and relative of all effects from the largest difference (or its rms) and the range; `units`
// [responses].
void kane_omission_scale(const kane_omission_table *table, const char *const *units, int by_rms);

// Largest relative effect of a term on a response, or on any (-1), over all conditions that are known; infinite if the run
// ended in another way under one of them, -1 if none is known. Where it is goes to *condition and *response (-1: none).
double kane_omission_largest(const kane_omission_table *table, int term, int response, int *condition, int *where);

// Terms but the first one (accuracy), the strongest first; of equal ones the name decides. order: [terms - 1].
// 0 without memory.
int kane_omission_rank(const kane_omission_table *table, int response, int *order);

// --- conditions ---

// A condition, some values of every axis.
typedef struct kane_omission_box {
    uint64_t values[KANE_OMISSION_AXES_MOST];
    int size; // conditions inside
} kane_omission_box;

// The largest box that has only good conditions: of an axis of numbers values that are neighbours, of one of words any; size 0
// if none is good. Of boxes of one size the one that restricts fewer axes. good: [conditions]. 0 without memory.
int kane_omission_find_box(const kane_grid *grid, const unsigned char *good, kane_omission_box *box);

// Of an axis the values under which all conditions are good.
uint64_t kane_omission_good_values(const kane_grid *grid, const unsigned char *good, int axis);

// "|acceleration| <= 0.5 m/s^2 and speed <= 20 m/s"; "" for a box without restriction.
void kane_omission_say_box(const kane_grid *grid, const kane_omission_box *box, size_t size, char *text);

// "speed 20 m/s, shape bloss"; "the run as it is" without axes.
void kane_omission_say_condition(const kane_grid *grid, int condition, size_t size, char *text);

// The verdict on a term at a threshold; its words are taken from the arena. 0 without memory.
int kane_omission_judge(const kane_omission_table *table, const kane_grid *grid, int term, double threshold,
                        kane_arena *arena, kane_omission_verdict *verdict);

// --- what is asked for ---

// A response: channels that match a pattern, all of one unit.
typedef struct kane_omission_response {
    const char *pattern, *unit;
    int channel_count;
    const char *const *channels;
} kane_omission_response;

typedef struct kane_omission_setup {
    kane_study study;
    const kane_omission_study *asked;
    const char *vehicle;       // its name
    int travels;               // 1: runs go along a track and are told by distance [m]; else by time [s]
    kane_grid grid;            // of the conditions; a value of an axis is a bit
    kane_omission_terms terms; // the first one, "", omits nothing: accuracy
    int response_count;
    const kane_omission_response *responses;
    const char *const *patterns; // of the responses, then those of all imaginary terms and their impulses
} kane_omission_setup;

// The run of a condition, its terms evaluated one by one: as "kane run" has it with the same settings and separate=true.
// NULL with errors.
kane_run *kane_omission_read(const kane_omission_setup *setup, int condition, kane_errors *errors);

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
    int condition; // -1: none yet
    kane_run *run; // NULL: the condition has failed; `why` says how
    kane_results *complete;
    kane_outcome outcome;
    int is_fine; // 1: rows are so near to each other that a term cannot be other than zero between them only
    char why[KANE_CASE_WHY];
} kane_omission_worker;

// Work of a plan (kane_case_work); data is a kane_omission_worker, which this process alone has.
void kane_omission_work(int index, kane_case *result, void *data);
void kane_omission_worker_end(kane_omission_worker *worker);

// --- what has been found ---

struct kane_omission_report {
    kane_omission_setup setup;
    kane_omission_table table;
    const char *const *conditions;   // [conditions], in words
    kane_omission_verdict *verdicts; // [terms]
    int **order;                     // [responses + 1]: terms by rank, of all responses first
    double *accuracy;                // [responses] largest relative effect of tighter tolerances
};

// Fills the report's table from the records of a plan, then all the rest. 0 without memory.
int kane_omission_report_fill(kane_omission_report *report, const kane_plan *plan);

// 1 if a term is more than one body, kind, term and axis.
int kane_omission_is_whole(const char *term);

// effects.csv, effects.json, ranking.csv, ranking.json, ranking.txt.
kane_status kane_omission_write(const kane_omission_report *report, kane_errors *errors);

// Name of a file from a pattern: "*" is "all", other signs of patterns and slashes are '_'.
void kane_omission_file_name(const char *before, const char *pattern, size_t size, char *name);

// Pictures: maps of effects, and runs with the strongest terms and without them.
kane_status kane_omission_draw(const kane_omission_report *report, kane_errors *errors);

#endif
