// SPDX-License-Identifier: MIT
// Errors of kane/base.h: what the library alone does with them.

#ifndef KANE_BASE_ERROR_H
#define KANE_BASE_ERROR_H

#include <kane/base.h>

// Puts words before the text of error `index`; nothing if that one is not kept.
void kane_errors_prefix(kane_errors *errors, int index, const char *format, ...) KANE_PRINTF(3, 4);

#endif
