// SPDX-License-Identifier: MIT
// Journals: files to which lines are added, each in one piece.

#ifndef KANE_PLAN_JOURNAL_H
#define KANE_PLAN_JOURNAL_H

#include <kane/plan.h>

#include "base/file.h"

#include <stdint.h>
#include <sys/types.h>

// --- lines: one for each case that has ended (cases count from 1 there), one for each process that began to write ---

typedef enum kane_line_kind {
    KANE_LINE_TORN,   // or of another plan
    KANE_LINE_UNREAD, // there is no memory to read it
    KANE_LINE_CASE,
    KANE_LINE_BEGIN
} kane_line_kind;

// A line with its line break; key: of the plan, part of the checksum. NULL without memory; to be freed by free().
char *kane_line_of_case(uint64_t key, int index, const kane_case *c, int value_count, size_t *length);
char *kane_line_of_beginning(uint64_t key, const kane_claimant *writing, size_t *length);

// Reads a line without its line break (line[length] is not read). c->values have room for value_count.
kane_line_kind kane_line_read(uint64_t key, const char *line, size_t length, int case_count, int value_count,
                              int *index, kane_case *c, kane_claimant *writing);

// --- files ---

enum { KANE_JOURNAL_NAME = 4352 };

typedef struct kane_journal {
    char name[KANE_JOURNAL_NAME];
    int file;     // -1: not open
    off_t end;    // of the last whole line [bytes]
    uint64_t key; // of the plan
    int is_fresh; // is there something that may not be on the disk yet?
} kane_journal;

// What is done with each line of a journal that ends with a line break. number from 1; text ends where the line does.
typedef kane_status (*kane_journal_visit)(const kane_journal *journal, int number, const char *text, size_t length,
                                          void *data);

// Opens a journal to write to, or creates it. KANE_NO_FILE with an error if that cannot be done, KANE_IN_USE if another
// process has it (who, as far as its lines tell).
kane_status kane_journal_open(kane_journal *journal, kane_errors *errors);

// Visits all lines of an open journal (then `end` is known), or of one that others write. What stands behind the last
// line break is not read: another process may be writing it.
kane_status kane_journal_read(kane_journal *journal, kane_journal_visit visit, void *data, kane_errors *errors);

// Prepares for new lines: removes an incomplete last line, adds a line with host, process and time.
kane_status kane_journal_begin(kane_journal *journal, kane_errors *errors);

// Adds a line. If it cannot be written as a whole, nothing of it stays.
kane_status kane_journal_add(kane_journal *journal, const char *line, size_t length, kane_errors *errors);

// To the disk, where other machines see it too.
void kane_journal_flush(kane_journal *journal);

// To the disk, and closed.
void kane_journal_close(kane_journal *journal);

#endif
