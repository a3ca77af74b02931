// SPDX-License-Identifier: MIT
// One page that shows runs: curves of their channels and the vehicle on its track, in a browser and without network
// (docs/view.md).

#ifndef KANE_VIEW_H
#define KANE_VIEW_H

#include <kane/base.h>
#include <kane/linear.h>
#include <kane/run.h>
#include <kane/steady.h>

KANE_C_BEGIN

enum { KANE_VIEW_RUNS_MOST = 8 };

typedef struct kane_view_settings {
    const char *page;  // HTML file that the data are put into: at KANE_VIEW_MARK
    const char *title; // NULL: what the first run is called
    int pattern_count; // channels whose curves the page can draw; 0: all that were recorded
    const char *const *patterns;
    int case_count;   // of a study: cases (from 1) whose runs come along; 0: all that were kept
    const int *cases; //
} kane_view_settings;

#define KANE_VIEW_MARK "<!-- kane:data -->"

// What a page holds.
typedef struct kane_view_report {
    int channels;      // curves of all runs
    long long samples; // their values
    long long bytes;   // size of the page
    int cases, runs;   // of a study: rows of its table, and of which of them the runs are in the page
    char missing[KANE_VIEW_RUNS_MOST][512]; // why there is nothing to see in 3-D of a run, "" if there is
} kane_view_report;

// Writes a page of the results of runs (files or directories, as kane_results_open takes them), laid over each other in
// this order. The vehicle is shown if the files that a run was made of, named in its manifest, still say what they
// said; without them the page has curves alone, and says why. Values are kept as differences of 32 bits from a number
// of 64, so that they are exact to 6e-8 of what a channel covers; time and distance have all 64. report may be NULL.
// Errors: results that cannot be read, no channel that matches a pattern, a page without its mark, a file that cannot
// be written.
KANE_API kane_status kane_view_write(int run_count, const char *const *results, const kane_view_settings *settings,
                                     const char *file, kane_view_report *report, kane_errors *errors);

// Modes of a vehicle in steady motion, or of a mechanism.
typedef struct kane_view_modes {
    const kane_run_definition *run; // that it is of
    kane_steady *steady;
    const kane_modes *modes;
    int count;
    const int *shown; // which of them, counted from 0 [count]
} kane_view_modes;

// Writes a page on which modes move, one at a time; of the settings channels are not read. Errors as above, and a mode
// that there is not.
KANE_API kane_status kane_view_write_modes(const kane_view_modes *modes, const kane_view_settings *settings,
                                           const char *file, kane_view_report *report, kane_errors *errors);

// Whether a directory is that of a study: it has a plan.json, or the critical.json of kane critical.
KANE_API int kane_view_is_study(const char *directory);

// Writes a page of a study that is complete (kane/sweep.h, kane/study.h, kane/transition.h, kane/rods.h,
// kane/critical.h): its table as map and curves, and the runs of the cases whose rows were kept. Of missing, entry 0 is
// the first reason of a run. Errors as above; a study that is not complete, a table that does not belong to it, a case
// that there is not.
KANE_API kane_status kane_view_write_study(const char *directory, const kane_view_settings *settings, const char *file,
                                           kane_view_report *report, kane_errors *errors);

KANE_C_END

#endif
