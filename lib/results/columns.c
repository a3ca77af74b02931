// SPDX-License-Identifier: MIT
// What the columns of a result file must be.

#include "results/results.h"

#include "base/arena.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int is_printable(const char *text)
{
    return text[kane_text_printable(text)] == '\0';
}

// '/' separates the groups of an HDF5 file, and "." is the group itself.
static int is_name(const char *text)
{
    return strcmp(text, ".") != 0 && !strchr(text, '/') && is_printable(text);
}

static kane_status check_column(int number, const kane_column *column, kane_errors *errors)
{
    if (!column->name || !column->name[0]) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "column %d has no name", number);
        return KANE_BAD_ARGUMENT;
    }
    char quoted[64];
    kane_text text = kane_text_start(sizeof quoted, quoted);
    kane_text_quote(&text, '\'', column->name);
    if (!is_name(column->name)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "column %d cannot be called %s: a name is UTF-8 without '/' and control characters", number,
                        quoted);
        return KANE_BAD_ARGUMENT;
    }
    if (!column->unit || !is_printable(column->unit) || !column->description) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "column %s needs a unit and a description", quoted);
        return KANE_BAD_ARGUMENT;
    }
    return KANE_OK;
}

kane_status kane_columns_check(int count, const kane_column *columns, kane_errors *errors)
{
    if (count < 1) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a result file needs a column");
        return KANE_BAD_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        const kane_status status = check_column(i + 1, &columns[i], errors);
        if (status != KANE_OK)
            return status;
    }
    return kane_columns_unique(count, columns, "", errors);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

kane_status kane_columns_unique(int count, const kane_column *columns, const char *file, kane_errors *errors)
{
    const char **names = kane_allocate((size_t)count, sizeof *names);
    if (!names)
        return kane_no_memory(errors);
    for (int i = 0; i < count; i++)
        names[i] = columns[i].name;
    qsort(names, (size_t)count, sizeof *names, compare_names);

    const char *twice = NULL;
    for (int i = 1; i < count && !twice; i++)
        twice = strcmp(names[i - 1], names[i]) == 0 ? names[i] : NULL;
    kane_release(names);
    if (!twice)
        return KANE_OK;

    char quoted[64];
    kane_text text = kane_text_start(sizeof quoted, quoted);
    kane_text_quote(&text, '\'', twice);
    kane_errors_add_input(errors, file[0] ? KANE_BAD_INPUT : KANE_BAD_ARGUMENT, (kane_place){.file = file, .path = ""},
                          "two columns are called %s", quoted);
    return file[0] ? KANE_BAD_INPUT : KANE_BAD_ARGUMENT;
}
