// SPDX-License-Identifier: MIT
// Omission studies of conclusions inside: kinds of conclusions, the record of a case, the report.

#ifndef KANE_STUDY_DECISION_H
#define KANE_STUDY_DECISION_H

#include "study/omission.h"
#include "study/transitions.h"

// What a case records of a conclusion.
typedef struct kane_decision_record {
    double value;    // result of the model; NaN: not known; of speeds infinite: none up to the fastest one
    double judged;   // of a choice: value that the complete model has of it; else the value
    double accuracy; // of the value itself: resolution of a search, rounding
    double closed;   // |omitted - complete| by hand; NaN: none
    double is_zero;  // 1: the term is zero throughout
    double impulse[KANE_WRENCH_KINDS]; // largest ones of the term [N s], [N m s]; NaN: none
    double choice;                     // of limits: the assessment that uses most
    double fastest;                    // speed that a search has looked at [m/s]
    // optimum: unknowns [KANE_FAMILY_UNKNOWNS_MOST], then, of the complete model, values of the standard shapes
    double more[];
} kane_decision_record;

enum { KANE_DECISION_WORDS = 160, KANE_DECISION_SHAPES = 16 };

typedef struct kane_conclusion kane_conclusion;
typedef struct kane_decision_case kane_decision_case;

// How a conclusion is found.
typedef struct kane_conclusion_kind {
    const char *word;     // it begins with this; NULL: a measure
    const char *argument; // what follows, for messages; "": perhaps a highest frequency [Hz]; NULL: nothing
    const char *measure;  // "": the argument is a measure; "comfort": its comfort; NULL: none
    const char *unit;     // NULL: that of the measure or the channels
    const char *channels; // pattern that is recorded of the run; NULL: those of the measure
    int is_of_run;        // 1: it needs the rows of a run
    int on_rails;         // 1: it needs a track
    int is_speed;         // 1: a critical speed, searched for up to the fastest one
    // Fills value, judged and accuracy, and words. 0 with errors.
    int (*evaluate)(kane_decision_case *c, const kane_conclusion *is, kane_decision_record *record, char *words);
} kane_conclusion_kind;

struct kane_conclusion {
    const char *text; // as it was typed
    const kane_conclusion_kind *kind;
    const char *argument;               // "" without one
    int measure;                        // of the study; -1: none
    const char *unit;                   //
    shape_sections sections;            // optimum: the transition
    const kane_decision_record *record; // optimum: of the complete model under the first condition; of the report
};

// 1 if conclusions of a kind are of all conditions together (order).
int kane_conclusion_is_of_all(const kane_conclusion *conclusion);
int kane_conclusion_is_optimum(const kane_conclusion *conclusion);
int kane_conclusion_is_limit(const kane_conclusion *conclusion);

// Doubles of the record of one conclusion.
size_t kane_decision_size(const kane_omission_setup *setup);

// Reads the conclusions and checks them on the first condition's run; fills value_count and patterns. 0 with errors.
int kane_decision_choose(kane_omission_setup *setup, int number, const kane_run_definition *run,
                         const kane_model *model);
void kane_decision_describe(kane_writer *w, const kane_omission_setup *setup);

// Case i is term i % (terms + 1) under condition i / (terms + 1); behind the terms is the complete model. Lines of the
// case's remark are words of the conclusions.
void kane_decision_work(int index, kane_case *result, void *setup);

#endif
