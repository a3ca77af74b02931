// SPDX-License-Identifier: MIT
// A parameter that takes one number after another: --over as all commands read it (kane/sweep.h).

#ifndef KANE_APPS_OVER_H
#define KANE_APPS_OVER_H

#include <kane/sweep.h>

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
