// SPDX-License-Identifier: MIT
// Tables on pages and in tests/data, and whether numbers that were computed are those of the table: within its digits.

#ifndef KANE_TESTS_PAGE_TABLE_H
#define KANE_TESTS_PAGE_TABLE_H

#include "check.h"

#include <ctype.h>

enum { PAGE_ROWS = 64, PAGE_COLUMNS = 16, PAGE_CELL = 96 };

typedef struct page_table {
    int rows, columns;
    char cells[PAGE_ROWS][PAGE_COLUMNS][PAGE_CELL]; // without the head
} page_table;

// Adds the cells of a line, each of which ends at one of `ends`; the first line is the head.
static inline void page_table_add(page_table *t, const char *line, const char *ends)
{
    int count = 0;
    for (const char *at = line; t->rows >= 0 && *at && *at != '\n' && count < PAGE_COLUMNS; at += *at == ends[0]) {
        const char *from = at + strspn(at, " *");
        size_t length    = strcspn(from, ends);
        at               = from + length;
        while (length > 0 && strchr(" *", from[length - 1]))
            length--;
        (void)snprintf(t->cells[t->rows][count++], PAGE_CELL, "%.*s", (int)length, from);
    }
    t->columns = count;
    t->rows++;
}

// The table of docs/NAME.md or tests/data/NAME.csv whose head begins so, up to a blank line or the end.
static inline page_table page_table_read(const char *file, const char *head)
{
    const int is_page = head[0] == '|';
    page_table t      = {.rows = -1};
    char line[1024];
    (void)snprintf(line, sizeof line, "%s/%s", KANE_SOURCE_DIR, file);
    FILE *f = fopen(line, "r");
    assert_non_null(f);
    while (t.rows < PAGE_ROWS && fgets(line, sizeof line, f) && (t.rows < 0 || line[0] != '\n'))
        if ((t.rows >= 0 || strncmp(line, head, strlen(head)) == 0) && !(is_page && line[1] == '-'))
            page_table_add(&t, line + is_page, is_page ? "|\n" : ",\n");
    (void)fclose(f);
    if (t.rows < 1)
        fail_msg("%s has no table \"%s\"", file, head);
    return t;
}

// Figures for the pages: rows of the table, largest and median size in a column of those whose first cell has `part`.
static inline void page_table_figures(const page_table *t, const char *part, int column)
{
    double sizes[PAGE_ROWS];
    int count = 0;
    for (int i = 0; i < t->rows; i++) {
        if (!strstr(t->cells[i][0], part))
            continue;
        const double size = fabs(strtod(t->cells[i][column], NULL));
        int at            = count++;
        for (; at > 0 && sizes[at - 1] > size; at--)
            sizes[at] = sizes[at - 1];
        sizes[at] = size;
    }
    assert_true(count > 0);
    check_figure(t->rows, "rows");
    check_figure(sizes[count - 1], "column %d: largest", column);
    check_figure(0.5 * (sizes[(count - 1) / 2] + sizes[count / 2]), "column %d: median", column);
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

// A number of a cell; what: whose it is, for the message.
static inline void page_check(const char *text, double value, const char *what)
{
    const double shown = strtod(text, NULL);
    if (!(fabs(value - shown) <= 0.55 * page_digit(text) + 1e-3 * fabs(shown)))
        fail_msg("%s: the table has %s, computed is %.6g", what, text, value);
}

#endif
