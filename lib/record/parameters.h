// SPDX-License-Identifier: MIT
// Equations of a run, in which numbers of its files stay symbols.

#ifndef KANE_RECORD_PARAMETERS_H
#define KANE_RECORD_PARAMETERS_H

#include <kane/run.h>

#include "base/arena.h"
#include "model/model.h"
#include "record/kernels.h"
#include "record/record.h"

// Which run, and what of it.
typedef struct kane_record_source {
    const char *file;              // run file
    const char *const *settings;   // "PATH=VALUE", NULL-terminated; NULL: none
    const char *const *omit;       // as in kane_run_options
    const char *const *parameters; // paths as before the '=' of a setting, NULL-terminated; NULL: none
} kane_record_source;

// As kane_record_create of the run's model; parameters are the last of the symbols of KANE_GROUP_SYMBOL, by their
// paths. With other values of them the equations are those of a model that is compiled with these. NULL with errors
// filled, also where the structure of the model depends on a parameter, or a number that the equations need does in no
// simple way.
kane_recording *kane_record_run(const kane_record_source *source, const kane_record_options *options,
                                kane_errors *errors);

// === Formulas of numbers that depend on parameters, found from samples.

enum {
    KANE_LEVELS        = 4,
    KANE_CHECKS        = 2,
    KANE_ROOTS         = 32,
    KANE_SPREADS       = 8,
    KANE_SUPPORT_MOST  = 64,
    KANE_SAMPLE_DEGREE = 3
};

// Values of a parameter: level 0 is that of the files; the last ones check what the others gave.
typedef struct kane_parameter_values {
    double level[KANE_LEVELS + KANE_CHECKS];
} kane_parameter_values;

// Values of parameter i about the start, in one of KANE_SPREADS ways, the usual one first.
void kane_parameter_spread(kane_parameter_values *values, int i, double start, int spread);

// One choice of values: which level of each parameter.
typedef struct kane_sample_point {
    unsigned char level[KANE_SUPPORT_MOST];
    int below[KANE_SUPPORT_MOST]; // the point with one level less of a parameter, -1: none
} kane_sample_point;

// A formula that is no sum, such as a length, and its values at all points.
typedef struct kane_formula_root {
    int node;
    const double *value; // [points]
} kane_formula_root;

// Where a number is sampled that depends on some parameters; point 0 has the values of the files, those below a point
// come before it, and the last KANE_CHECKS ones check.
typedef struct kane_samples {
    int count;                        // of parameters
    int parameter[KANE_SUPPORT_MOST]; // their nodes on the tape
    kane_parameter_values values[KANE_SUPPORT_MOST];
    int point_count, grid_count;
    kane_sample_point *points; // [point_count]
    int root_count;            // that formulas may consist of
    kane_formula_root roots[KANE_ROOTS];
    double *scratch; // [4 point_count]
} kane_samples;

// p^(half/2)
double kane_half_power(double p, int half);

// The node of a formula on the tape of this thread of a number with values f [point_count]; -1: there is none. First
// directly: a product of powers p_i^(half_i/2), half [count], and a rest; if that is no plain sum, *root is its node,
// else -1. Then by samples->roots.
int kane_formula_direct(const kane_samples *samples, const double *f, int *root, int *half);
int kane_formula_by_root(const kane_samples *samples, const double *f);

// === Samples of models.

// A run in memory with its model at its start, and what that took.
typedef struct kane_staged {
    kane_memory_record *record;
    kane_run *run;
    kane_model *model;
    kane_record_options options;
    kane_recording *recording;
} kane_staged;

// A value that a number has in a model, if it is not that of the first one.
typedef struct kane_sampled_change {
    int probe;
    double value;
} kane_sampled_change;

// A number that depends on parameters.
typedef struct kane_sampled_number {
    int piece;
    size_t at; // byte
    double start;
    int change_count, change_room;
    kane_sampled_change *changes; // by growing probe
    int support_count;
    int *support;  // parameters that it depends on
    int is_needed; // 1: the equations do
    int node;      // of its formula, -1: none directly
} kane_sampled_number;

// Numbers with the same support: begin .. end - 1 of sampler.order.
typedef struct kane_sampled_group {
    int begin, end;
    unsigned char *interacts; // [support * support] 1: effects of both do not add up
    kane_samples samples;
    int *probe; // of every point
} kane_sampled_group;

// Levels of one to three parameters, the others as in the files, and the model that has them.
typedef struct kane_sample_key {
    uint64_t steps;
    int probe; // -1: none yet
} kane_sample_key;

// A formula of a number that is no sum, without powers of the parameters (half, by the word's support).
typedef struct kane_found_root {
    int node;
    const kane_sampled_number *word;
    int half[KANE_SUPPORT_MOST];
} kane_found_root;

typedef struct kane_sampler {
    const kane_record_source *source;
    const kane_record_options *options;
    kane_errors *errors;
    kane_arena *arena;
    kane_tables *tables;
    int count;                     // of parameters
    kane_parameter_values *values; // [count]
    int *parameter;                // their nodes on the tape [count]
    int probe_count, probe_room;
    unsigned char **probes;            // levels [count] of each model; the first one: all as in the files
    int (*single)[KANE_SAMPLE_DEGREE]; // probes of a parameter alone, by level - 1 [count]
    int checks[KANE_CHECKS];           // of all parameters
    int *beside;                       // of all as in the first check but one, as in the files [count]
    int key_count, key_room;
    kane_sample_key *keys;
    unsigned char *conflicts; // [count * count] 1: a number depends on both
    kane_staged first, twin;
    int word_count, word_room;
    kane_sampled_number *words;
    int order_count;
    int *order; // words that get formulas, by support
    int group_count;
    kane_sampled_group *groups;
    int root_count, root_room;
    kane_found_root *roots;
} kane_sampler;

// A model with the levels of a probe, at its start; 0 with errors. Close it in any case.
int kane_staged_open(kane_sampler *sampler, int probe, kane_staged *out);
void kane_staged_close(kane_staged *staged);

// Notes the numbers of that model that are not those of the first one. 0 with an error: the structure differs.
int kane_sampler_compare(kane_sampler *sampler, const kane_staged *other, int probe);
// What a number is in a model.
double kane_sampled_value(const kane_sampled_number *number, int probe);
// An error with the parameters that differ there; returns 0.
int kane_sampler_refuse(const kane_sampler *sampler, int probe, const char *why);

// --- samples.c: 0 with an error, or without memory ---

// A further choice of levels, all as in the files; -1 without memory.
int kane_sampler_add_probe(kane_sampler *sampler);
// Steps of sampling, in this order. kane_sample_groups needs to know which numbers are needed.
int kane_sample_each(kane_sampler *sampler, const double *start);
int kane_sample_checks(kane_sampler *sampler);
int kane_sample_supports(kane_sampler *sampler);
int kane_sample_groups(kane_sampler *sampler);
int kane_sample_pairs(kane_sampler *sampler);
int kane_sample_interactions(kane_sampler *sampler);
// The points of a group whose parameters are on the tape.
int kane_sampled_points(kane_sampler *sampler, kane_sampled_group *group);

// Whether a number changes by rounding alone: less than the last digits of its neighbours in a vector, as components do
// that are zero but for round-off.
int kane_sampled_rounding(const kane_memory_piece *piece, const kane_sampled_number *number);

#endif
