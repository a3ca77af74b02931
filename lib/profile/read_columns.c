// SPDX-License-Identifier: MIT
// Two columns, and files like those of MiniProf: lines KEY=VALUE, then columns.

#include "profile/lines.h"

#include <stdlib.h>
#include <string.h>

void kane_read_columns(line_reader *r)
{
    double numbers[KANE_LINE_NUMBERS];
    while (kane_lines_next(r, "#!")) {
        const int count = kane_lines_numbers(r, ",;", numbers);
        if (count == 2)
            kane_lines_add(r, numbers[0], numbers[1], 1.0);
        else if (count >= 0)
            kane_lines_fault(r, r->begin, "found %d numbers, expected two columns: y and z (with decimal points)",
                             count);
    }
}

// The places of X and Y in a list such as "X,Y,A,C,N".
static void find_columns(line_reader *r, const char *list, int *x, int *y)
{
    int column = 0;
    *x = *y = -1;
    for (const char *c = list; *c; column++) {
        const size_t length = strcspn(c, ", ;");
        if (length == 1 && (*c == 'X' || *c == 'x'))
            *x = column;
        if (length == 1 && (*c == 'Y' || *c == 'y'))
            *y = column;
        c += length + (c[length] != '\0');
    }
    if (*x < 0 || *y < 0 || column > KANE_LINE_NUMBERS) {
        kane_lines_fault(r, r->begin, "ColumnDef '%.60s' does not name the columns X and Y", list);
        *x = 0;
        *y = 1;
    }
}

void kane_read_miniprof(line_reader *r)
{
    double numbers[KANE_LINE_NUMBERS];
    char key[128], value[128];
    int x = 0, y = 1, announced = -1, seen = 0;
    while (kane_lines_next(r, "!#")) {
        if (kane_lines_setting(r, sizeof key, key, value)) {
            if (strcmp(key, "ColumnDef") == 0)
                find_columns(r, value, &x, &y);
            if (strcmp(key, "XYPoints") == 0)
                announced = atoi(value);
            continue;
        }
        if (*r->begin == '[')
            continue; // title of a section
        const int count = kane_lines_numbers(r, ";", numbers);
        seen += count >= 0;
        if (count >= 0 && (count <= x || count <= y))
            kane_lines_fault(r, r->begin, "found %d numbers, expected at least %d", count, (x > y ? x : y) + 1);
        else if (count >= 0)
            kane_lines_add(r, numbers[x], numbers[y], 1.0);
    }
    if (announced >= 0 && r->faults == 0 && announced != seen)
        kane_lines_fault(r, NULL, "the file has %d points, but XYPoints announces %d: it may have been cut off", seen,
                         announced);
}
