// SPDX-License-Identifier: MIT
// The page that came with kane, for kane view and kane modes --view.

#ifndef KANE_APPS_VIEW_PAGE_H
#define KANE_APPS_VIEW_PAGE_H

#include "app.h"

// Its name. 0 with an error that says how to get it.
int app_find_page(size_t size, char *file, kane_errors *errors);

// "7.2 MB", "340 kB"
const char *app_write_size(long long bytes, size_t size, char *text);

#endif
