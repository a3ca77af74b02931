// SPDX-License-Identifier: MIT
// Lines of a journal: one for each case that has ended (cases count from 1 there), one for each process that began to write.

#ifndef KANE_PLAN_LINE_H
#define KANE_PLAN_LINE_H

#include <kane/plan.h>

#include "base/claim.h"

#include <stdint.h>

typedef enum kane_line_kind {
    KANE_LINE_TORN, // or of another plan
    KANE_LINE_CASE,
    KANE_LINE_BEGIN
} kane_line_kind;

// A line with its line break; key: of the plan, part of the checksum. NULL without memory; to be freed by free().
char *kane_line_of_case(uint64_t key, int index, const kane_case *c, int value_count, size_t *length);
char *kane_line_of_beginning(uint64_t key, const kane_claimant *writing, size_t *length);

// Reads a line without its line break (line[length] is not read). c->values have room for value_count.
kane_line_kind kane_line_read(uint64_t key, const char *line, size_t length, int case_count, int value_count,
                              int *index, kane_case *c, kane_claimant *writing);

#endif
