// SPDX-License-Identifier: MIT
// Omission studies: what does leaving out imaginary terms do, and when may it be done?
//
// The complete model and, for each term, one that omits it run under every condition: every value of every axis with
// each other. What a response loses is measured by its own range, terms are ranked by the worst of it, and for each the
// conditions are reported under which it may be neglected. docs/studies.md shows one.

#ifndef KANE_STUDY_H
#define KANE_STUDY_H

#include <kane/base.h>
#include <kane/critical.h>
#include <kane/evaluate.h>
#include <kane/plan.h>
#include <kane/run.h>
#include <kane/sweep.h>
#include <kane/transition.h>

#include <stdint.h>
#include <stdio.h>

KANE_C_BEGIN

enum { KANE_OMISSION_AXES_MOST = 12, KANE_OMISSION_VALUES_MOST = 64, KANE_OMISSION_CASES_MOST = 1000000 };

// One of several runs of a study.
typedef struct kane_omission_run {
    const char *name; // value of the axis "run"
    const char *file;
    const char *const *settings; // of this run alone, NULL-terminated
    // What terms and responses call bodies, and a pattern of the names that they have in this run: "car body" of
    // "car body:torque.rotation.z" and "car body.yaw" is "body" of the wagon, "car" of the coach.
    int alias_count;
    const char *const (*aliases)[2];
    int is_fitted; // 1: rules are fitted on it, else tested
} kane_omission_run;

typedef struct kane_omission_study {
    const char *file; // run file; with several runs the file of the study
    // 0: only that one. Else their names are the first axis of the conditions, and terms are named by `omissions`.
    int run_count;
    const kane_omission_run *runs;
    const kane_run_options *common; // what every run has; NULL: nothing

    // 1: every body x kind x term x axis, and wholes: all axes of a term, all terms of a kind, of a body, of all bodies
    int all;
    int omission_count; // or only these, BODY:KIND.TERM.AXIS
    const char *const *omissions;

    int axis_count; // 0: the run unchanged
    const kane_axis *const *axes;

    // Channels; of a pattern that one counts which changes most. 0: y, yaw and roll of the first six bodies without
    // wheels, *.Y and *.Q, with tyres *.F_y and *.load; of a mechanism the coordinates by which the first six bodies
    // can move
    int response_count;
    const char *const *responses;

    // These change no run, only what is made of them.
    double threshold; // a term may be neglected where its effect is less [1]
    int by_rms;       // 1: an effect is the rms of the difference, else its largest value
    int strongest;    // so many terms are drawn; 0: tables only

    // kane_study_decisions alone. Conclusions as text:
    //   MEASURE                    any measure of kane/measure.h
    //   order MEASURE              of all conditions, the one with the least value first
    //   optimum MEASURE            the polynomial transition with the least value
    //   equilibrium CHANNEL        steady motion; of a pattern the sum of its channels
    //   damping [F]                least damping ratio of the modes (up to F Hz) at the run's speed
    //   critical, cycle            linear and nonlinear critical speed
    //   limits                     largest share of a limit of EN 14363
    //   comfort PLACE              EN 12299: N_MV of a body or accelerometer; P.acceleration.y: its 95th percentile
    int conclusion_count;
    const char *const *conclusions;
    int with_pairs;                      // 1: every two terms that have no part in common, too
    double curvature, superelevation;    // of steady motion [1/m], [m]; a condition's radius and cant take their place
    kane_vehicle_class kind;             // whose limits count
    const kane_optimisation *optimum;    // family, section, bound, tolerance, evaluations, seed; NULL: the default
    const kane_critical_study *critical; // speeds, resolution, disturbance; NULL: the default

    int keep; // 1: rows stay: of every condition's complete run in complete-N/results.*, of those that omit in case-N/results.*

    kane_plan_execution execution;
} kane_omission_study;

// What leaving out a term does to one response under one condition.
typedef struct kane_omission_effect {
    double relative;   // difference (or rms) over scale; NaN if the case has failed
    double scale;      // largest of: range, a hundredth of the largest range of the response under all conditions, and
                       // what counts as nothing: 1e-5 m, 1e-5 rad, 10 N, ...
    double difference; // largest |omitting - complete|, in the unit of the response
    double at;         // distance travelled where it occurs [m]; of a mechanism time [s]
    double rms;        // of the difference over the common distance
    double range;      // largest - smallest value of the complete run
    const char *channel; // which one of the response's
    double closed;       // the difference by hand, J eps/k or m h eps/k; NaN: there is no closed form
} kane_omission_effect;

// Dimensionless groups of a term.
typedef enum kane_omission_group {
    KANE_GROUP_LOAD,   // its largest forces and torques against the weight
    KANE_GROUP_SHARE,  // ... against those of all terms
    KANE_GROUP_SPRING, // what they displace on springs, against half the distance of the running circles
    KANE_OMISSION_GROUPS
} kane_omission_group;

// How the two runs went.
typedef struct kane_omission_case {
    int is_known;       // 0: has failed; `why` says how
    const char *why;    // also why the integrator gave up without the term; "" if there is nothing to say
    int ends_otherwise; // 1: omitting, the run ended in another way
    kane_stop end[2];   // complete, omitting
    double distance[2]; // travelled [m]; of a mechanism time [s]
    double omitted[2];  // largest value of the omitted force [N] and torque [N m]; NaN: none of that kind
    double
        impulse[2]; // largest impulse of them where the line turns all at once [N s], [N m s]; NaN: none of that kind
    double
        group[KANE_OMISSION_GROUPS]; // what the term is by vehicle and line alone [1] (docs/studies.md); NaN: not known
    int is_zero;  // 1: the term is exactly zero all along (in all rows at least), and so is its effect
    int is_empty; // 1: it is zero in all rows, has no impulse, and no response changes by a bit
} kane_omission_case;

typedef enum kane_verdict {
    KANE_VERDICT_ALWAYS,     // may be neglected under all conditions of the study
    KANE_VERDICT_WHEN,       // under some
    KANE_VERDICT_NEVER,      // under none
    KANE_VERDICT_UNKNOWN,    // no condition has been carried out
    KANE_VERDICT_UNRESOLVED, // under none for certain: effects that count are less than twice the accuracy
    KANE_VERDICT_ZERO,       // the term is zero throughout: nothing was omitted, so there is no statement
    KANE_VERDICTS
} kane_verdict;

// "always", "when", "never", "unknown", "not resolved", "zero"
KANE_API const char *kane_verdict_name(kane_verdict verdict);

typedef struct kane_omission_verdict {
    kane_verdict verdict;
    const char *words; // "may be neglected when |acceleration| <= 0.5 m/s^2 and speed <= 20 m/s (30 of 75 conditions)"
    int negligible;    // conditions
    int inside;        // conditions of the box that the words describe
    int unresolved; // conditions with an effect above the threshold that is less than twice the accuracy, and none that is more
    int zero;          // conditions under which the term is zero throughout
    int failed;        // conditions that are not known
    int otherwise;     // conditions under which the run ended in another way
    double impulse[2]; // largest impulse of its forces [N s] and torques [N m s] under any condition; 0: none
    // bits: values of each axis under which it may be neglected whatever the others are
    uint64_t values[KANE_OMISSION_AXES_MOST];
} kane_omission_verdict;

// What has been found. Term 0 omits nothing but has ten times tighter tolerances: smaller effects than its own are not
// resolved.
enum { KANE_OMISSION_ACCURACY = 0 };
typedef struct kane_omission_report {
    int conditions, terms, responses;
    const char *const *condition;         // [conditions] in words
    const char *const *term;              // [terms] as they are typed behind --omit; "": accuracy
    const char *const *response;          // [responses] patterns
    const char *const *unit;              // [responses] of the channels
    kane_omission_effect *effect;         // [conditions][terms][responses]
    kane_omission_case *run;              // [conditions][terms]
    const kane_omission_verdict *verdict; // [terms]
    // [responses + 1][terms - 1] terms by rank, the strongest first, by their largest effect on any response, then on
    // each; accuracy has no rank
    const int *const *rank;
    void *own; // all of its memory
} kane_omission_report;

static inline kane_omission_case *kane_omission_report_case(const kane_omission_report *r, int condition, int term)
{
    return &r->run[(size_t)condition * (size_t)r->terms + (size_t)term];
}

static inline kane_omission_effect *kane_omission_report_effect(const kane_omission_report *r, int condition, int term,
                                                                int response)
{
    return &r->effect[((size_t)condition * (size_t)r->terms + (size_t)term) * (size_t)r->responses + (size_t)response];
}

// Largest relative effect of a term on a response, or on any (-1), over all conditions that are known; infinite if the
// run ended in another way under one of them, -1 if none is known. Where it is goes to *condition and *where, a
// response (-1: none).
KANE_API double kane_omission_report_largest(const kane_omission_report *report, int term, int response, int *condition,
                                             int *where);

// Carries out the study and, when all cases have ended, writes to the directory of its plan effects.csv and .json,
// ranking.csv, .json and .txt, and pictures. *report is NULL as long as cases are open (after one shard among others)
// and in a follower. The same study gives the same bits however it is carried out. The study and its axes must outlive
// the report.
KANE_API kane_status kane_study_omission(const kane_omission_study *study, kane_omission_report **report,
                                         kane_errors *errors);
KANE_API void kane_omission_report_free(kane_omission_report *report);

// === Conclusions: does leaving out a term change what a study states at its end?

typedef enum kane_decides {
    KANE_DECIDES,            // the conclusion changes, by more than the threshold and twice its accuracy
    KANE_DECIDES_NOT,        // it does not change
    KANE_DECIDES_UNRESOLVED, // the effect is less than twice the accuracy of the conclusion
    KANE_DECIDES_ZERO,       // the term is zero throughout, and the result the same to the last bit
    KANE_DECIDES_UNKNOWN,    // the complete model has no such result
    KANE_DECIDES_COUNT
} kane_decides;

// "decides", "does not change the conclusion", "not resolved", "zero throughout", "not known"
KANE_API const char *kane_decides_name(kane_decides verdict);

// A conclusion, a condition ("all": order MEASURE) and a term.
typedef struct kane_decision {
    const char *conclusion, *condition, *term, *unit;
    // Result of the complete model and of the one that omits the term. order: values of the conditions that come first.
    // A critical speed is infinite if there is none up to the fastest one examined.
    double complete, omitted;
    // What it costs to believe the omitting model. A value: its error |omitted - complete|. A choice (order, optimum):
    // value that the complete model has of the choice, less that of the complete model's own choice. NaN: not known.
    double loss;
    double bound; // where only one of both models has a critical speed: the loss is at least this; NaN: others
    // Of the complete conclusion: change with ten times tighter tolerances; of a search from another start and of an
    // equilibrium from another state; its resolution.
    double accuracy;
    double closed;      // |omitted - complete| by hand; NaN: there is no closed form
    double interaction; // of a pair: effect of both - effects of each; NaN: no pair, or less than four accuracies
    double impulse[2];  // largest impulse of the term at kinks [N s], [N m s]; 0: none
    kane_decides verdict;
    const char *words; // what is concluded with the term and without: modes, orders, limits; reason if unknown
} kane_decision;

typedef struct kane_decision_report {
    int count;
    const kane_decision *decisions; // by conclusions, of each the largest loss first
    void *own;                      // all of its memory
} kane_decision_report;

// Carries out the study for its conclusions instead of responses. With neither `all` nor omissions: groups of terms,
// which are each term of all bodies, all forces, all torques, everything; and everything of each body. Writes
// decisions.csv, .json and .txt, and decisions.svg and .png. *report as kane_study_omission.
KANE_API kane_status kane_study_decisions(const kane_omission_study *study, kane_decision_report **report,
                                          kane_errors *errors);
KANE_API void kane_decision_report_free(kane_decision_report *report);

// Writes the ranking as text, at most `most` terms of one body, kind, term and axis and as many wholes (0: all).
KANE_API void kane_omission_report_print(const kane_omission_report *report, int most, FILE *out);

KANE_C_END

#endif
