// SPDX-License-Identifier: MIT
// Titles of pictures: which vehicle, which run.

#ifndef KANE_APPS_RUN_TITLE_H
#define KANE_APPS_RUN_TITLE_H

#include <kane/results.h>

#include <stddef.h>

enum { APP_RUN_TITLE = 400 };

// "coach-curve" of "data/runs/coach-curve.json".
void app_file_stem(const char *file, size_t size, char *stem);

// What results are of, by their manifest: "manchester-1, run coach-curve, start.speed=25"; `otherwise` without one.
// 0 without memory, with an error.
int app_run_title(const kane_results *results, const char *otherwise, size_t size, char *title, kane_errors *errors);

#endif
