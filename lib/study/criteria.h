// SPDX-License-Identifier: MIT
// Criteria of a study: measures of a run, weighted, and a run that answers them.

#ifndef KANE_STUDY_CRITERIA_H
#define KANE_STUDY_CRITERIA_H

#include <kane/measure.h>
#include <kane/run.h>
#include <kane/transition.h>

typedef struct criteria {
    int count;
    double weight[KANE_CRITERIA_MOST];
    kane_measure *measure[KANE_CRITERIA_MOST];
    const char *text[KANE_CRITERIA_MOST];     // as they were typed
    const char *channels[KANE_CRITERIA_MOST]; // patterns
} criteria;

// Reads "MEASURE" or, where weights are wanted, "WEIGHT*MEASURE". The texts must outlive them. Fills an empty one; to
// be freed in any case.
kane_status criteria_parse(criteria *c, int count, const char *const *texts, int with_weights, kane_errors *errors);
void criteria_free(criteria *c);

// Are their channels there in this run? Errors name near ones.
kane_status criteria_check(const criteria *c, const kane_run_definition *run, kane_errors *errors);

// Values of all of them, values[count]. units: each one's unit, lives as long as the results; NULL: not wanted.
kane_status criteria_eval(const criteria *c, const kane_results *results, double *values, const char **units,
                          kane_errors *errors);

// Their weighted sum.
double criteria_sum(const criteria *c, const double *values);

enum { TRIAL_SETTINGS_MOST = 1024 };

// One run of a study: a run file, settings of all runs and of this one.
typedef struct trial {
    const char *file;
    const kane_run_options *common; // NULL: nothing
    int setting_count;
    const char *const *settings; // of this run
    const criteria *criteria;
} trial;

// Reads the run; to be freed with kane_run_free. NULL with errors.
kane_run *trial_read(const trial *t, kane_errors *errors);

// Carries it out: values[criteria->count], all NaN if it fails. A vehicle that derails has failed. keep: a file that
// its rows go to; NULL: none.
kane_status trial_run(const trial *t, double *values, const char *keep, kane_errors *errors);

#endif
