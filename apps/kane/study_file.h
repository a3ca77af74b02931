// SPDX-License-Identifier: MIT
// Study files: several runs, and the options of kane study omit by their long names.

#ifndef KANE_APPS_STUDY_FILE_H
#define KANE_APPS_STUDY_FILE_H

#include "app.h"

#include "base/arena.h"
#include "base/document.h"
#include "base/json.h"

// An option that the file gives.
typedef struct study_file_value {
    const char *option; // long name
    const char *text;   // "--speeds=10,20"
    kane_place place;
} study_file_value;

typedef struct study_file {
    kane_arena *arena;
    const char *name;
    int run_count;
    kane_omission_run *runs;
    int count;
    study_file_value *values;
    int argc; // of the command with these options before those that were typed
    char **argv;
} study_file;

// The format of the file: its keys are "runs", the rows of `options` that are not of conclusions, and "set". NULL without memory.
const kane_format *study_file_format(kane_arena *arena, const struct argp_option *options);

// The options of kane study omit (study_omit.c). Those of conclusions are for one run.
enum { STUDY_OMIT_DECIDES = 3 }; // their group
extern const struct argp_option study_omit_options[];

// Reads the study file that is among the arguments. 0 with errors; without a study file all is as it was typed.
int study_file_read(int argc, char **argv, study_file *file, kane_errors *errors);
void study_file_free(study_file *file);

// While the value of argv[index] is parsed: an error of the option adds the place in the file. 0: no value is.
void study_file_enter(const study_file *file, int index);

// Errors about a value of the file get its line and column.
void study_file_place_errors(const study_file *file, kane_errors *errors);

#endif
