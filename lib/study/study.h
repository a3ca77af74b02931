// SPDX-License-Identifier: MIT
// What all studies are: axes x case function x table. A study reads one run file with settings of its own for every
// case, is carried out as a plan, and ends with tables and pictures in one directory.

#ifndef KANE_STUDY_STUDY_H
#define KANE_STUDY_STUDY_H

#include <kane/measure.h>
#include <kane/plan.h>
#include <kane/run.h>
#include <kane/study.h>
#include <kane/sweep.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "plan/plan.h"
#include "results/table.h"
#include "run/setup.h"

// === What axes of studies are made of: names, values as they are typed.

// A value as it was typed: a number with what stands behind it, or a word. Points into the text.
typedef struct kane_axis_value {
    const char *text;
    size_t length; // without spaces around it
    double number; // NaN: it is a word
    const char *unit;
    size_t unit_length; // 0: none was typed
} kane_axis_value;

// The path of a short name; any other path as it is.
const char *kane_axis_path(const char *name);

// Takes the value at the beginning of a text up to the first of `ends` outside of quotes and brackets. Returns where it
// ends; NULL if quotes or brackets stay open.
const char *kane_axis_parse_value(const char *text, const char *ends, kane_axis_value *value);

// 1 if all values of an axis are numbers.
int kane_axis_is_numeric(const kane_axis *axis);

// "speed [m/s]", or "shape"
void kane_axis_label(const kane_axis *axis, int has_unit, size_t size, char *text);

// Every value of every axis with each other; the last axis is the fastest.
enum { KANE_STUDY_AXES_MOST = KANE_SWEEP_AXES_MOST + 1 }; // one more for what a kind of study varies itself

typedef struct kane_grid {
    int axis_count;
    const kane_axis *const *axes;
} kane_grid;

double kane_grid_size(const kane_grid *grid);
void kane_grid_values(const kane_grid *grid, int index, int *value); // [axis_count]: which one of each axis
int kane_grid_index(const kane_grid *grid, const int *value);

// Axes that are no settings: names, or numbers with a unit. The values must outlive them. NULL without memory.
const kane_axis *kane_axis_of_names(kane_arena *arena, const char *path, int count, const char *const *names);
const kane_axis *kane_axis_of_numbers(kane_arena *arena, const char *path, const char *unit, int count,
                                      const double *numbers);

// No two axes that set the same, none that a setting sets (NULL-terminated, or NULL), no value twice. 0 with errors.
int kane_grid_check(const kane_grid *grid, const char *const *settings, int may_repeat, kane_errors *errors);

// Numbers of the rows of a run: measures, or what a study calls them.
typedef struct kane_measures {
    int count;
    kane_measure **measure;
    const char **text;     // as they were typed
    const char **patterns; // of channels
    const char **units;    // known when they are checked
    double *weight;        // 1 unless it was typed
} kane_measures;

typedef struct kane_study_inputs {
    kane_inputs *files;
    const char *text; // what they are, in a plan
    struct kane_study_inputs *next;
} kane_study_inputs;

// The first member of what a study keeps in memory.
typedef struct kane_study {
    kane_arena *arena;
    const char *file;              // run file, or that of the study
    const kane_omission_run *runs; // of several the first axis says which; NULL: there is only one
    const char *directory;         // where all goes
    const char *const *files;      // other files of its tables and first picture (kane_plan_execution); NULL: none
    int *pictures;                 // that are drawn so far
    kane_run_options common;       // what every run has, contact tables too
    int keep;                      // 1: rows of its runs stay in the directory (kane_study_rows)
    int keep_text;                 // 1: as CSV, where several threads write them: HDF5 is for one of them
    kane_errors *errors;           // of the caller, or those that nobody wants to see
    kane_grid cases;               // axes of all cases (kane_study_set_cases)
    const kane_axis *columns;      // [axis_count] with one value a case, where these are no grid; NULL: they are
    int searched;                  // cases before those of the axes, which a search finds
    int case_count;                //
    int value_count;               // that each case records
    int group;                     // cases in a row that share something costly; 0: none
    kane_tables *tables;           // made here; NULL: those that the caller has, or none
    kane_measures measures;        // of its runs, if it has any
    kane_study_inputs *inputs;     // files of the runs, of those that have the same ones once
    kane_errors unreported;        // the first one alone
} kane_study;

// A kind of study. `self` is what begins with a kane_study. Those that return an int: 0 with an error.
typedef struct kane_study_kind {
    const char *name;
    int (*prepare)(void *self); // checks what can be known before the first case, takes the inputs, counts the cases
    void (*describe)(kane_writer *w, const void *self); // what decides the results beside run, settings and inputs
    kane_case_work work;                                // one case: a row of numbers
    // carries out and records cases that depend on others, before the rest is carried out; NULL: there are none
    kane_status (*search)(void *self, kane_plan *plan);
    int (*finish)(void *self, const kane_plan *plan); // all cases have ended: tables and pictures
    void (*end)(void *self);                          // frees what is not in the arena; NULL: nothing
} kane_study_kind;

// --- from the beginning to the end ---

// Prepares a study; to be ended in any case. NULL: nobody wants to see errors.
kane_status kane_study_begin(const kane_study_kind *kind, void *self, const char *file, const kane_run_options *common,
                             const char *directory, kane_errors *errors);

// What decides the results, as the plan has it.
void kane_study_write_definition(kane_writer *w, const kane_study_kind *kind, const void *self);

// Opens the plan, carries it out and finishes. *complete: all cases have ended and all is written.
kane_status kane_study_go(const kane_study_kind *kind, void *self, const kane_plan_execution *how, int *complete);

void kane_study_end(const kane_study_kind *kind, void *self);

// All of it.
kane_status kane_study_run_cases(const kane_study_kind *kind, void *self, const char *file,
                                 const kane_run_options *common, const kane_plan_execution *how, int *complete,
                                 kane_errors *errors);

// --- cases (cases.c) ---

// The cases are every value of every axis with each other, behind those of a search. 0 with an error.
int kane_study_set_cases(kane_study *study, int axis_count, const kane_axis *const *axes);

// Value of an axis in a case; the axis itself, or its column.
const kane_axis *kane_study_axis(const kane_study *study, int axis, int index, int *value);

// Checks nothing more and carries out nothing: lists the cases, what is known of them in the directory, and the time
// that those to come will take. 0 with an error.
int kane_study_list_cases(const kane_study *study, const char *content, const kane_plan_execution *how);

// All tables to a file of the caller's, by how its name ends. 0 with an error.
int kane_study_write_tables(const kane_study *study, const char *file, const kane_table_report *report);

// --- runs ---

// How many texts stand before the NULL that ends them; of NULL none.
int kane_texts_count(const char *const *texts);

// The run with the common settings and these (NULL-terminated, or NULL). NULL with errors.
kane_run *kane_study_read(const kane_study *study, const char *const *settings, kane_errors *errors);

// The same of one of several runs (0: the first, or the only one), between both its own settings.
kane_run *kane_study_read_run(const kane_study *study, int run, const char *const *settings, kane_errors *errors);

// Common settings, a value of every axis, further settings, in this order; both lists NULL-terminated, or NULL. NULL
// without memory.
const char *const *kane_study_settings_at(kane_arena *arena, const char *const *common, const kane_grid *axes,
                                          const int *value, const char *const *more);

// The run with a value of every axis, and one setting more (NULL: none).
kane_run *kane_study_read_at(const kane_study *study, const kane_grid *axes, const int *value, const char *more,
                             kane_errors *errors);

// Rows of a run, in memory, with these patterns. Of a study that keeps rows they go to files in DIR/name, with the
// run's own channels besides and in any format as they are in memory. Workers share these files: one carries the run
// out, others wait and read (kane_run_keep). name NULL: in memory. NULL with errors, or where there are none.
kane_results *kane_study_rows(const kane_study *study, const char *name, const kane_run_definition *run,
                              int pattern_count, const char *const *patterns, kane_outcome *outcome,
                              kane_errors *errors);

// What a case's files are called: "case-0001" of case 0.
enum { KANE_STUDY_NAME = 128 };
const char *kane_study_case_name(int index, char name[KANE_STUDY_NAME]);

// The files of a run become inputs of the study. 0 with errors.
int kane_study_take_inputs(kane_study *study, const kane_run_definition *run);

// Do all inputs still say what they said?
kane_status kane_study_check_inputs(const kane_study *study, kane_errors *errors);

// The run has failed, or is done: the first error, or what the status means, becomes the reason.
void kane_study_print(kane_case *result, kane_status status, const kane_errors *errors);

// 0, and the error of it.
int kane_study_no_memory(const kane_study *study);

// --- measures ---

// Reads "MEASURE" or, where weights are wanted, "WEIGHT*MEASURE" into the study; what: what a message calls them. The
// texts must outlive it. 0 with an error for each that is wrong.
int kane_measures_parse(kane_study *study, int count, const char *const *texts, int with_weights, const char *what);

// Can each be taken in this run? Fills the units; before: what stands before a measure in a message. 0 with errors.
int kane_measures_check(kane_study *study, const kane_run_definition *run, const char *before);

// --- tables ---

// A value of an axis: a number in its unit, or a text.
kane_cell kane_axis_cell(const kane_axis *axis, int value);

// Name of an axis with the unit of its numbers, as a column; its value as a cell of it.
void kane_axis_put_name(kane_table *table, const kane_axis *axis);
void kane_axis_put_value(kane_table *table, const kane_axis *axis, int value);

// Axes for a plan: their values; of tables so many rows; samples < 0: of ranges the ends, between which values follow
// from what the plan has besides.
void kane_axes_describe(kane_writer *w, const char *key, int count, const kane_axis *const *axes, int samples);

// --- files ---

// A file of a study's directory: a table as CSV (RFC 4180), a text, or a JSON document of a kind.
typedef struct kane_study_output {
    const char *name;
    const kane_table *table;
    void (*text)(FILE *out, const void *data);
    void (*json)(kane_writer *w, const void *data);
    const char *kind;
} kane_study_output;

// Writes one after the other, each of which takes its place in one step. 0 with an error.
int kane_study_write(const kane_study *study, int count, const kane_study_output *outputs, const void *data);

// --- columns of results ---

// By pattern, and by name; -1: none.
int kane_column_of(const kane_results *results, const char *pattern);
int kane_column_named(const kane_results *results, const char *name);

// === Pictures of studies (kane_figure).

const char *kane_figure_axis(kane_figure *figure, const kane_axis *axis, int has_unit); // kane_axis_label

// Draws DIR/NAME.svg and .png, the study's first picture also into the other files; nothing if there is no panel. In
// any case the picture is freed. 0 with an error.
int kane_figure_end(kane_figure *figure, const kane_study *study, const char *name);

#endif
