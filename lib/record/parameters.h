// SPDX-License-Identifier: MIT
// Equations of a run, in which numbers of its files stay symbols.

#ifndef KANE_RECORD_PARAMETERS_H
#define KANE_RECORD_PARAMETERS_H

#include <kane/run.h>

#include "record/kernels.h"
#include "record/record.h"

// Which run, and what of it.
typedef struct kane_record_source {
    const char *file;              // run file
    const char *const *settings;   // "PATH=VALUE", NULL-terminated; NULL: none
    const char *const *omit;       // as in kane_run_options
    const char *const *parameters; // paths as before the '=' of a setting, NULL-terminated; NULL: none
} kane_record_source;

// As kane_record_create of the run's model; parameters are the last of the symbols of KANE_GROUP_SYMBOL, by their paths. With other
// values of them the equations are those of a model that is compiled with these. NULL with errors filled, also where the structure of
// the model depends on a parameter, or a number that the equations need does in no simple way.
kane_recording *kane_record_run(const kane_record_source *source, const kane_record_options *options,
                                kane_errors *errors);

#endif
