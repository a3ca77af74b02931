// SPDX-License-Identifier: MIT
// Tables on pages, and whether numbers that were computed are those that stand there: within what their digits say.

#ifndef KANE_TESTS_PAGE_TABLE_H
#define KANE_TESTS_PAGE_TABLE_H

#include "check.h"

#include <ctype.h>

enum { PAGE_ROWS = 64, PAGE_COLUMNS = 12, PAGE_CELL = 96 };

typedef struct page_table {
    int rows, columns;
    char cells[PAGE_ROWS][PAGE_COLUMNS][PAGE_CELL]; // without the head
} page_table;

// Cells of a line "| a | b |"; returns how many.
static inline int page_cells(const char *line, char cells[PAGE_COLUMNS][PAGE_CELL])
{
    int count = 0;
    for (const char *at = line + 1; strchr(at, '|') && count < PAGE_COLUMNS; at = strchr(at, '|') + 1) {
        const char *from = at + strspn(at, " *");
        size_t length    = strcspn(from, "|");
        while (length > 0 && strchr(" *", from[length - 1]))
            length--;
        (void)snprintf(cells[count++], PAGE_CELL, "%.*s", (int)length, from);
    }
    return count;
}

// The table of docs/NAME whose head begins so.
static inline page_table page_table_read(const char *name, const char *head)
{
    page_table t = {.rows = -1};
    char line[1024];
    (void)snprintf(line, sizeof line, "%s/docs/%s", KANE_SOURCE_DIR, name);
    FILE *page = fopen(line, "r");
    assert_non_null(page);
    while (t.rows < PAGE_ROWS && fgets(line, sizeof line, page)) {
        if (t.rows < 0 && strncmp(line, head, strlen(head)) != 0)
            continue;
        if (line[0] != '|')
            break;
        if (t.rows >= 0 && line[1] != '-')
            t.columns = page_cells(line, t.cells[t.rows]);
        t.rows += line[1] == '-' ? 0 : 1;
    }
    (void)fclose(page);
    if (t.rows < 1)
        fail_msg("docs/%s has no table \"%s\"", name, head);
    return t;
}

// The unit of the last digit that is shown: .01 of "4.25 %", 1e-6 of "1.3e-5".
static inline double page_digit(const char *text)
{
    double unit  = 1.0;
    int is_point = 0;
    for (; isdigit((unsigned char)*text) || *text == '.' || *text == '-'; text++) {
        unit *= is_point ? 0.1 : 1.0;
        is_point |= *text == '.';
    }
    return *text == 'e' ? unit * pow(10.0, strtod(text + 1, NULL)) : unit;
}

// A number as it stands in a cell; what: whose it is, for the message.
static inline void page_check(const char *text, double value, const char *what)
{
    const double shown = strtod(text, NULL);
    if (!(fabs(value - shown) <= 0.55 * page_digit(text) + 1e-3 * fabs(shown)))
        fail_msg("%s: the page shows %s, computed is %.6g", what, text, value);
}

#endif
