// SPDX-License-Identifier: MIT
// --over as all commands read it (kane/sweep.h): axes of studies, and a parameter that takes one number after another.

#ifndef KANE_APPS_OVER_H
#define KANE_APPS_OVER_H

#include <kane/sweep.h>

#include "app.h"

typedef struct app_axes {
    int count;
    kane_axis *axes[APP_TEXTS_MOST];
} app_axes;

// All of them, or 0 with what is wrong with each; to be freed in any case.
int app_axes_read(const app_texts *texts, app_axes *all, kane_errors *errors);
void app_axes_free(app_axes *all);

enum { APP_OVER_PATH = 512, APP_OVER_UNIT = 64 };

typedef struct app_over {
    char path[APP_OVER_PATH];
    char unit[APP_OVER_UNIT]; // of all values; "": typed without
    int count;
    double *value; // [count]; of app_over_free
} app_over;

// Returns 0 with an error. A range whose N could have been meant as a step is told on standard error.
int app_over_read(const char *text, app_over *over, kane_errors *errors);
void app_over_free(app_over *over);

#endif
