// SPDX-License-Identifier: MIT
// Omission studies inside: the terms, a case (two runs compared), what the table of effects says, the report.

#ifndef KANE_STUDY_OMISSION_H
#define KANE_STUDY_OMISSION_H

#include <kane/study.h>

#include "study/study.h"

// --- terms ---

typedef struct kane_omission_terms {
    int count;
    const char **texts; // as they are typed behind --omit
} kane_omission_terms;

// Of bodies by their names, one by one, all its terms axis by axis (force: translation, centrifugal, rotation,
// gyroscopic; torque: the last three) and its wholes: each term with all axes, all forces, all torques, everything.
// Then the wholes of all bodies together; those of the only body are left out. They are added to `terms`. 0 without
// memory.
int kane_omission_terms_all(kane_arena *arena, int body_count, const char *const *bodies, kane_omission_terms *terms);

// Groups instead: each term of all bodies, all forces, all torques, everything; with several bodies everything of each.
int kane_omission_terms_groups(kane_arena *arena, int body_count, const char *const *bodies,
                               kane_omission_terms *terms);

// Every two of the terms from `first` on that have no element (one body, kind, term and axis) in common: "A + B" is
// added to the terms, and which two they are to pairs [2 * terms->count]; of other terms -1. 0 without memory.
int kane_omission_terms_pairs(kane_arena *arena, int body_count, const char *const *bodies, int first,
                              kane_omission_terms *terms, const int **pairs);

// 1 if a term is more than one body, kind, term and axis.
int kane_omission_is_whole(const char *term);

// Whether a channel shows a term, "imaginary" or "impulse": body:torque.rotation.* is shown by
// imaginary.body.torque.rotation.z.
int kane_omission_shows(const char *what, const char *term, const char *channel);

// --- two runs that should be the same ---

// Of one response over the distance that both runs have travelled, or, without a track, over time.
typedef struct kane_omission_difference {
    double
        channel; // that changes most: its column in the complete run (in a record: which of the response's); -1: none
    double difference; // largest |omitting - complete|
    double at;         // distance travelled there [m], or time [s]
    double rms;        // of the difference, over the rows
    double range;      // largest - smallest value of the complete run, all of it: of that channel that has the largest
    double closed;     // what the term displaces its body by, by hand; NaN: there is no closed form
} kane_omission_difference;

// The column that tells how far a run is: of distance, without a track of time.
int kane_omission_progress(const kane_results *run);

// What counts as nothing, by unit: 1e-5 m, 1e-5 rad, 10 N, 10 N m, 1e-4 m/s, 1e-4 rad/s, 1e-3 m/s^2, 1e-3 rad/s^2; 1e-9
// of any other.
double kane_omission_nothing(const char *unit);

// 1 if a channel belongs to a response; the imaginary terms themselves and their impulses only if the pattern says so
// ("imaginary.*", "impulse.*").
int kane_omission_matches(const char *pattern, const char *channel);

// Angles of an attitude end half a turn to either side and go on at the other: here they are followed over that end, so
// that differences and ranges are not those of whole turns. An angle that goes beyond half a turn by itself stays as it
// is.
void kane_omission_unwrap(kane_results *run);

// Of the channels that match a pattern that one which changes most, measured by the largest range that any of them has:
// what happens to one wheel counts by what happens on all. Both runs begin with a column "time" and, on a track,
// "distance". Rows are compared that are at the same time; where frames do not travel alike then (a driven vehicle),
// omitting is read between its rows at the distance of complete.
kane_omission_difference kane_omission_compare(const kane_results *complete, const kane_results *omitting,
                                               const char *pattern);

// --- closed forms (omission_closed.c) ---

typedef struct kane_omission_closed kane_omission_closed;

// Of the vehicle of a run, whose rows have time and distance. NULL without memory.
kane_omission_closed *kane_omission_closed_create(const kane_run_definition *run, const kane_results *rows);
void kane_omission_closed_free(kane_omission_closed *closed);

// Size of the closed form of a term's effect on a channel; NaN: there is none.
double kane_omission_closed_get(const kane_omission_closed *closed, const char *term, const char *channel,
                                const double impulse[KANE_WRENCH_KINDS]);

// Dimensionless groups of a term; NaN: not known. is_kinked: 1: it has impulses at kinks, and no groups.
void kane_omission_closed_groups(const kane_omission_closed *closed, const char *term, int is_kinked,
                                 double group[KANE_OMISSION_GROUPS]);

// --- what the table of effects says ---

// Fills scale and relative of all effects from the largest difference (or its rms) and the range.
void kane_omission_scale(const kane_omission_report *report, int by_rms);

// Terms but the first one (accuracy), the strongest first; of equal ones the name decides. order: [terms - 1].
// 0 without memory.
int kane_omission_rank(const kane_omission_report *report, int response, int *order);

// A condition, some values of every axis.
typedef struct kane_omission_box {
    uint64_t values[KANE_OMISSION_AXES_MOST];
    int size; // conditions inside
} kane_omission_box;

// The largest box that has only good conditions: of an axis of numbers values that are neighbours, of one of words any;
// size 0 if none is good. Of boxes of one size the one that restricts fewer axes. good: [conditions]. 0 without memory.
int kane_omission_find_box(const kane_grid *grid, const unsigned char *good, kane_omission_box *box);

// "|acceleration| <= 0.5 m/s^2 and speed <= 20 m/s"; "" for a box without restriction.
void kane_omission_format_box(const kane_grid *grid, const kane_omission_box *box, size_t size, char *text);

// "speed 20 m/s, shape bloss"; "the run as it is" without axes.
void kane_omission_say_condition(const kane_grid *grid, int condition, size_t size, char *text);

// Of the effect of a term on a response (-1: on all of them) under a condition.
typedef enum kane_judgement { KANE_IS_NEGLIGIBLE, KANE_IS_UNRESOLVED, KANE_IS_TOO_LARGE } kane_judgement;
kane_judgement kane_omission_judge_effect(const kane_omission_report *report, int condition, int term, int response,
                                          double threshold);

// The verdict on a term at a threshold; its words are taken from the arena. 0 without memory.
int kane_omission_judge(const kane_omission_report *report, const kane_grid *grid, int term, double threshold,
                        kane_arena *arena, kane_omission_verdict *verdict);

// --- the study in memory ---

// What a case records; case i is term i % terms under condition i / terms.
typedef struct kane_omission_record {
    double end[2];      // kane_stop of the complete run, of the omitting one
    double distance[2]; // likewise [m], of a mechanism time [s]
    double omitted[2];  // largest force [N], torque [N m]; NaN: none
    double impulse[2];  // largest impulses of them [N s], [N m s]; NaN: none
    double is_zero;     // 1: the term is zero all along
    double is_empty;    // 1: it is zero in all rows and has no impulse
    double group[KANE_OMISSION_GROUPS];
    kane_omission_difference response[];
} kane_omission_record;

typedef struct kane_omission_channels {
    int count;
    const char **names;
} kane_omission_channels;

struct kane_conclusion; // decision.h
typedef struct kane_omission_setup kane_omission_setup;

// Chooses what cases of a run, which has a number, record, responses or conclusions, and the number of its values. 0
// with errors.
typedef int kane_omission_choose(kane_omission_setup *setup, int number, const kane_run_definition *run,
                                 const kane_model *model);

struct kane_omission_setup {
    kane_study study;
    kane_omission_report is; // what it consists of, and at the end what has been found
    const kane_omission_study *asked;
    kane_omission_choose *choose;
    const char *vehicle;              // its name
    int travels;                      // 1: runs go along a track and are told by distance [m]; else by time [s]
    kane_settings settings;           // of the first condition
    kane_grid grid;                   // of the conditions; a value of an axis is a bit
    int runs;                         // 1: there is only one, no axis of them
    const char **own_terms;           // [runs][terms] as the model of the run has them
    kane_omission_channels *channels; // [runs][responses]
    const char **patterns;            // [runs] of the responses, then those of all imaginary terms and their impulses
    int pattern_count;                // of one run
    const int *pairs;                 // [terms][2] terms of which each is made, -1: it is none; NULL: there are none
    // of conclusions instead of responses
    struct kane_conclusion *conclusions; // [asked->conclusion_count]
    int has_no_rows;                     // 1: no conclusion is of a run
    kane_decision_report decided;        //
    // the complete run of the last condition, in the process that carries out its cases
    int condition; // -1: none yet
    kane_run *run; // NULL: the condition has failed; `why` says how
    kane_results *complete;
    kane_omission_closed *closed; // NULL: not needed yet
    kane_outcome outcome;
    int is_fine; // 1: rows are so near to each other that a term cannot be other than zero between them only
    char why[KANE_CASE_WHY];
};

// Of kinds of studies (kane_study_kind): input and cases; conditions and terms as text; the end.
int kane_omission_prepare(void *setup);
void kane_omission_describe_cases(kane_writer *w, const kane_omission_setup *setup);
void kane_omission_end(void *setup);

// Carries out a study of a kind; NULL where cases are open, or with errors.
kane_omission_setup *kane_omission_carry_out(const kane_study_kind *kind, kane_omission_choose *choose,
                                             const kane_omission_study *asked, kane_status *status,
                                             kane_errors *errors);

// The run of a condition, its terms evaluated one by one: as "kane run" has it with the same settings and
// imaginary_as_forces=true. NULL with errors.
kane_run *kane_omission_read(const kane_omission_setup *setup, int condition, kane_errors *errors);

// The run of a condition, one of setup->runs.
int kane_omission_run_of(const kane_omission_setup *setup, int condition);

enum { KANE_OMISSION_COMPLETE = -1 }; // instead of a term: nothing is omitted, tolerances as they are

// Fills the definition of a run, which has a number and was read, with a term omitted (1, 2, ...) beside its own; of
// term 0, accuracy, with tolerances that are ten times tighter. Returns its list of omissions, to be released; NULL
// without memory.
kane_omission *kane_omission_define(const kane_omission_setup *setup, int number, const kane_run_definition *run,
                                    int term, kane_run_definition *own, kane_errors *errors);

// Carries out the run of a condition, which was read (kane_study_rows, of this name), with the definition above. The
// responses are recorded, of the complete run imaginary terms and their impulses, too.
kane_results *kane_omission_run_cases(const kane_omission_setup *setup, int condition, const kane_run *run, int term,
                                      const char *name, kane_outcome *outcome, kane_errors *errors);

// A case of the plan (kane_case_work); data is the setup, of which this process has its own.
void kane_omission_work(int index, kane_case *result, void *data);
void kane_omission_forget(kane_omission_setup *setup); // the complete run of the last condition

// Reads and carries out the complete run of a condition, once for all its cases; setup->run is NULL if that has failed.
void kane_omission_run_complete(kane_omission_setup *setup, int condition);

// Largest force and torque of a term in it, and its largest impulses, into the record; 1 if all are exactly zero.
int kane_omission_measure_term(const kane_omission_setup *setup, int term, kane_omission_record *record);

// Fills the report from the records of a plan, and writes effects.csv and .json, ranking.csv, .json and .txt. 0 with an
// error.
int kane_omission_report_fill(kane_omission_setup *setup, const kane_plan *plan);
int kane_omission_write(const kane_omission_setup *setup);

// --- rules (omission_rules.c) ---

// One condition of a term.
typedef struct kane_omission_point {
    double group, effect;     // group not finite: the term has impulses at kinks
    double least;             // effect that is resolved
    kane_judgement judgement; // of the effect at the threshold
    int is_fitted;            // else it tests
    int run;                  // which one
} kane_omission_point;

// How often a rule is right.
typedef struct kane_omission_hits {
    int count, negligible;         // conditions with a verdict, those of them under which the term may be left out
    int hits;                      // verdicts that the rule predicts
    int false_neglect, false_keep; // the term counts, and the rule leaves it out; the other way round
    int unresolved, kinked;        // conditions without a verdict, without a group
} kane_omission_hits;

// "May be left out if group <= threshold": the largest threshold without false neglect on the fitted points; NaN: none.
// effect = factor group^exponent within a factor `scatter` (standard deviation) of the fitted points whose effect is
// resolved; NaN if they are fewer than three, or their groups are the same.
typedef struct kane_omission_rule {
    double threshold, factor, exponent, scatter;
    int points;
    kane_omission_hits fitted, tested;
} kane_omission_rule;

kane_omission_rule kane_omission_fit_rule(int count, const kane_omission_point *points);

// 1 if some run is fitted. Table of all terms, responses and groups; the best group of each term as text.
int kane_omission_has_rules(const kane_omission_setup *setup);
kane_table kane_omission_tabulate_rules(const kane_omission_setup *setup);
void kane_omission_print_rules(const kane_omission_setup *setup, FILE *out);

// Pictures of rules, for print. 0 with an error.
int kane_omission_draw_rules(const kane_omission_setup *setup);

// Name of a file from a pattern: "*" is "all", other signs of patterns and slashes are '_'.
void kane_omission_file_name(const char *before, const char *pattern, size_t size, char *name);

// Pictures: maps of effects, and runs with the strongest terms and without them. 0 with an error.
int kane_omission_draw(const kane_omission_setup *setup);

#endif
