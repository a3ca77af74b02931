// SPDX-License-Identifier: MIT
// A sweep in memory, and the steps that its functions are made of.

#ifndef KANE_STUDY_SWEEP_H
#define KANE_STUDY_SWEEP_H

#include <kane/measure.h>
#include <kane/sweep.h>

#include "base/arena.h"
#include "base/writer.h"
#include "run/inputs.h"

// What a case records: measures, then these.
enum { KANE_SWEEP_STOP, KANE_SWEEP_TIME, KANE_SWEEP_DISTANCE, KANE_SWEEP_STEPS, KANE_SWEEP_EXTRAS };

// What became of a case.
typedef struct kane_sweep_record {
    kane_case_state state;
    const double *values;
    const char *why;
} kane_sweep_record;

struct kane_sweep_study {
    kane_arena *arena;
    kane_sweep_definition is;
    kane_run_options common;
    kane_tables *tables; // that its cases share, NULL: those of `common`
    int case_count;
    kane_axis *columns; // [axis_count] each axis with one value a case
    kane_measure **measures;
    const char **patterns; // [measure_count] of channels
    const char **units;    // [measure_count]
    kane_inputs **inputs;  // [input_count] files of the cases, of those that have the same ones once
    const char **input_texts;
    int input_count;
    const char *directory; // while it is carried out
    // what became of the cases; NULL before it is complete
    const kane_sweep_record *records; // [case_count]
};

// Lays out the cases: the columns. 0 with errors.
int kane_sweep_lay_out(kane_sweep_study *sweep, kane_errors *errors);

// Permutation and places of a Latin hypercube for one axis: case i is in the stratum order[i] of `count`, at the place
// within[i] of it (0 <= within < 1).
void kane_sweep_strata(int seed, int axis, int count, int *order, double *within);

// What can be known before the first case starts; fills units and inputs. 0 with errors.
int kane_sweep_check(kane_sweep_study *sweep, kane_errors *errors);

// Reads the run of a case with all its settings; NULL with errors.
kane_run *kane_sweep_read_case(const kane_sweep_study *sweep, int index, kane_errors *errors);

// The JSON text of its plan, to be freed by free(); NULL without memory.
char *kane_sweep_content(const kane_sweep_study *sweep);

// The same as members of an object; the name of a kind.
void kane_sweep_write_definition(kane_writer *w, const kane_sweep_study *sweep);
const char *kane_sweep_kind_name(kane_sweep_kind kind);

// Carries out a case; data: the sweep.
void kane_sweep_work(int index, kane_case *result, void *data);

// A derailment is a result.
int kane_sweep_is_derailed(const kane_sweep_study *sweep, int index);

// sweep.csv, sweep.json; pictures.
kane_status kane_sweep_write(const kane_sweep_study *sweep, kane_errors *errors);
kane_status kane_sweep_draw(const kane_sweep_study *sweep, kane_errors *errors);

static inline int kane_sweep_value_count(const kane_sweep_study *sweep)
{
    return sweep->is.measure_count + KANE_SWEEP_EXTRAS;
}

// 1 if all values of an axis are numbers.
int kane_axis_is_numeric(const kane_axis *axis);

#endif
