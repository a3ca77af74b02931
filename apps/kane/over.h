// SPDX-License-Identifier: MIT
// A parameter that takes one value after another: PATH=A:B:STEP or PATH=V,V,...

#ifndef KANE_APPS_OVER_H
#define KANE_APPS_OVER_H

#include <kane/base.h>

enum { APP_OVER_PATH = 512, APP_OVER_UNIT = 48, APP_OVER_MOST = 100000 };

typedef struct app_over {
    char path[APP_OVER_PATH];
    char unit[APP_OVER_UNIT]; // of all values; "": typed without
    int count;
    double *value; // [count]; of app_over_free
} app_over;

// Returns 0 with an error.
int app_over_read(const char *text, app_over *over, kane_errors *errors);
void app_over_free(app_over *over);

#endif
