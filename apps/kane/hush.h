// SPDX-License-Identifier: MIT
// Of many processes that do the same, one speaks.

#ifndef KANE_APPS_HUSH_H
#define KANE_APPS_HUSH_H

#include <stddef.h>

// In a process that is not the first one of several that an MPI launcher has started: standard output is dropped, and what is
// said on standard error is kept for app_hush_end. Such a process does not exit at once, so that the launcher, which then
// ends the others, does not do so before the first one has spoken.
void app_hush(void);

// From here on standard error is what it was. Fills `text` with what was said since app_hush, all lines in one; "" if nothing.
void app_hush_end(size_t size, char *text);

#endif
