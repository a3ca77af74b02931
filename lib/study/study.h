// SPDX-License-Identifier: MIT
// What all studies are: axes x case function x table. A study reads one run file with settings of its own for every case, is
// carried out as a plan, and ends with tables and pictures in one directory.

#ifndef KANE_STUDY_STUDY_H
#define KANE_STUDY_STUDY_H

#include <kane/measure.h>
#include <kane/plan.h>
#include <kane/run.h>

#include "base/arena.h"
#include "base/replace.h"
#include "base/writer.h"
#include "plan/plan.h"
#include "run/inputs.h"
#include "study/axis.h"

// --- setup ---

typedef struct kane_study_inputs {
    kane_inputs *files;
    const char *text; // what they are, in a plan
    struct kane_study_inputs *next;
} kane_study_inputs;

typedef struct kane_study {
    kane_arena *arena;
    const char *file;                 // run file
    const char *directory;            // where all goes
    kane_run_options common;          // what every run has, contact tables too
    kane_tables *tables;              // made here; NULL: those that the caller has, or none
    struct kane_study_inputs *inputs; // files of the runs, of those that have the same ones once
} kane_study;

// KANE_NO_MEMORY with an error; to be ended in any case.
kane_status kane_study_begin(kane_study *study, const char *file, const kane_run_options *common, const char *directory,
                             kane_errors *errors);
void kane_study_end(kane_study *study);

// How many texts stand before the NULL that ends them; of NULL none.
int kane_texts_count(const char *const *texts);

// The run with the common settings and these (NULL-terminated, or NULL). NULL with errors.
kane_run *kane_study_read(const kane_study *study, const char *const *settings, kane_errors *errors);

// The same with a value of every axis, and one setting more (NULL: none).
kane_run *kane_study_read_at(const kane_study *study, const kane_grid *axes, const int *value, const char *more,
                             kane_errors *errors);

// The files of a run become inputs of the study. 0 with errors.
int kane_study_take_inputs(kane_study *study, const kane_run_definition *run, kane_errors *errors);

// Do all inputs still say what they said?
kane_status kane_study_check_inputs(const kane_study *study, kane_errors *errors);

// --- measures ---

typedef struct kane_measures {
    int count;
    kane_measure **measure;
    const char **text;     // as they were typed
    const char **patterns; // of channels
    const char **units;    // known when they are checked
    double *weight;        // 1 unless it was typed
} kane_measures;

// Reads "MEASURE" or, where weights are wanted, "WEIGHT*MEASURE"; what: what a message calls them. The texts must outlive
// them. Tells what is wrong with each; 0 with errors. To be freed in any case.
int kane_measures_parse(kane_measures *measures, const kane_study *study, int count, const char *const *texts,
                        int with_weights, const char *what, kane_errors *errors);
void kane_measures_free(kane_measures *measures);

// Can each be taken in this run? Fills the units; before: what stands before a measure in a message. 0 with errors.
int kane_measures_check(kane_measures *measures, const kane_study *study, const kane_run_definition *run,
                        const char *before, kane_errors *errors);

// --- carrying out ---

typedef struct kane_study_plan {
    const char *kind;
    int case_count, value_count, group;
    void (*describe)(kane_writer *w, const void *data); // what decides the results beside run, settings and inputs
    kane_case_work work;                                // one case: a row of numbers
    kane_status (*finish)(void *data, const kane_plan *plan, kane_errors *errors); // all cases have ended
    void *data;
} kane_study_plan;

// What decides the results, as members of an object: kind, run, settings, what `describe` says, inputs.
void kane_study_write_definition(kane_writer *w, const kane_study *study, const kane_study_plan *plan);

// Opens the plan; NULL with errors.
kane_plan *kane_study_open(const kane_study *study, const kane_study_plan *plan, const kane_plan_execution *how,
                           kane_errors *errors);

// All of it. *complete: all cases have ended and all is written.
kane_status kane_study_carry_out(const kane_study *study, const kane_study_plan *plan, const kane_plan_execution *how,
                                 int *complete, kane_errors *errors);

// The run has failed, or is done: the first error, or what the status means, becomes the reason.
void kane_study_tell(kane_case *result, kane_status status, const kane_errors *errors);

// --- tables ---

void kane_write_texts(kane_writer *w, const char *key, int count, const char *const *texts); // a list on one line
void kane_write_numbers(kane_writer *w, const char *key, int count, const double *values);   // likewise

typedef enum kane_cell_kind {
    KANE_CELL_WORD,   // in quotes if it must be
    KANE_CELL_TEXT,   // always in quotes
    KANE_CELL_NUMBER, // with all digits
    KANE_CELL_COUNT,  // a whole number
} kane_cell_kind;

typedef struct kane_cell {
    kane_cell_kind kind;
    const char *text;
    double number;
} kane_cell;

static inline kane_cell kane_cell_word(const char *text)
{
    return (kane_cell){.kind = KANE_CELL_WORD, .text = text};
}

static inline kane_cell kane_cell_text(const char *text)
{
    return (kane_cell){.kind = KANE_CELL_TEXT, .text = text};
}

static inline kane_cell kane_cell_number(double number)
{
    return (kane_cell){.kind = KANE_CELL_NUMBER, .number = number};
}

static inline kane_cell kane_cell_count(int number)
{
    return (kane_cell){.kind = KANE_CELL_COUNT, .number = number};
}

enum { KANE_ROW_OF_NAMES = -1, KANE_ROW_OF_UNITS = -2, KANE_CELL_ROOM = 1200 };

// A table of any study: whoever has it says what stands in a cell. Texts live as long as `data` or stand in `room`.
typedef struct kane_table {
    int rows, columns;
    int has_units; // 1: a row of units follows that of names
    int has_nan;   // 1: what is not finite is written, else left out
    kane_cell (*cell)(const void *data, int row, int column, char room[KANE_CELL_ROOM]);
    const void *data;
} kane_table;

// As JSON, lists "columns" and "rows".
void kane_table_write_json(const kane_table *table, kane_writer *w);

// As text, columns beside each other, numbers with six digits.
void kane_table_print(const kane_table *table, FILE *out);

// A number with so many digits, 0: all of them; "" of what is not finite.
void kane_format_number(double value, int digits, size_t size, char *text);

// What a cell shows with so many digits, 0: all of them; "" where there is nothing.
void kane_cell_show(const kane_cell *cell, int digits, size_t size, char *text);

// --- files ---

// A file of a study's directory: a table as CSV (RFC 4180), a text, or a JSON document of a kind (NULL: without a head).
typedef struct kane_study_output {
    const char *name;
    const kane_table *table;
    void (*text)(FILE *out, const void *data);
    void (*json)(kane_writer *w, const void *data);
    const char *kind;
} kane_study_output;

// Writes one after the other, each of which takes its place in one step.
kane_status kane_study_write(const kane_study *study, int count, const kane_study_output *outputs, const void *data,
                             kane_errors *errors);

// --- columns of results ---

// By pattern, and by name; -1: none.
int kane_column_of(const kane_results *results, const char *pattern);
int kane_column_named(const kane_results *results, const char *name);

#endif
