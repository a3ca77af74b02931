// SPDX-License-Identifier: MIT
// Status texts and errors.

#include "base/print.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *kane_status_text(kane_status status)
{
    switch (status) {
#define KANE_STATUS_CASE(name, number, text)                                                                           \
    case name: return text;
        KANE_STATUS_LIST(KANE_STATUS_CASE)
#undef KANE_STATUS_CASE
    }
    return "unknown status";
}

// The next free error with its text filled, or a place to write to that nobody reads.
static kane_error *add(kane_errors *errors, kane_error *nobody, kane_status status, const char *format,
                       va_list arguments)
{
    kane_error *e = nobody;
    if (errors) {
        if (errors->count < KANE_ERRORS_KEPT)
            e = &errors->kept[errors->count];
        errors->count++;
    }
    *e = (kane_error){.status = status, .time = (double)NAN, .distance = (double)NAN};
    char raw[sizeof e->text]; // names of files may have anything in them
    kane_text text = kane_text_start(sizeof raw, raw);
    kane_text_add_list(&text, format, arguments);
    kane_text_copy_printable(sizeof e->text, e->text, raw, 1);
    return e;
}

// The same words; numbers may be others: "wagon 1" and "wagon 2" come from one line.
static int same_words(const char *a, const char *b)
{
    static const char *const digits = "0123456789";
    for (;; a++, b++) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b)
            return 0;
        if (*a == '\0')
            return 1;
    }
}

static int is_same(const kane_error *a, const kane_error *b)
{
    return a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0 &&
           strcmp(a->path, b->path) == 0 && strcmp(a->subject, b->subject) == 0 && same_words(a->text, b->text);
}

kane_status kane_errors_status(const kane_errors *errors, int from)
{
    if (errors->count <= from)
        return KANE_NO_MEMORY;
    return errors->kept[from < KANE_ERRORS_KEPT ? from : 0].status;
}

void kane_errors_drop_repeated(kane_errors *errors)
{
    const int count = errors->count < KANE_ERRORS_KEPT ? errors->count : KANE_ERRORS_KEPT;
    int kept        = 0;
    for (int i = 0; i < count; i++) {
        int repeated = 0;
        for (int k = 0; k < kept && !repeated; k++)
            repeated = is_same(&errors->kept[k], &errors->kept[i]);
        if (!repeated)
            errors->kept[kept++] = errors->kept[i];
    }
    errors->count -= count - kept;
}

void kane_errors_add(kane_errors *errors, kane_status status, const char *format, ...)
{
    kane_error nobody;
    va_list arguments;
    va_start(arguments, format);
    (void)add(errors, &nobody, status, format, arguments);
    va_end(arguments);
}

void kane_errors_add_input(kane_errors *errors, kane_status status, kane_place place, const char *format, ...)
{
    kane_error nobody;
    va_list arguments;
    va_start(arguments, format);
    kane_error *e = add(errors, &nobody, status, format, arguments);
    va_end(arguments);
    kane_text_copy_printable(sizeof e->file, e->file, place.file, 0);
    kane_text_copy_printable(sizeof e->path, e->path, place.path, 0);
    e->line   = place.line;
    e->column = place.column;
}

void kane_errors_add_run(kane_errors *errors, kane_status status, const char *subject, double time, double distance,
                         const char *format, ...)
{
    kane_error nobody;
    va_list arguments;
    va_start(arguments, format);
    kane_error *e = add(errors, &nobody, status, format, arguments);
    va_end(arguments);
    kane_text_copy_printable(sizeof e->subject, e->subject, subject, 0);
    e->time     = time;
    e->distance = distance;
}

int kane_error_format(const kane_error *e, size_t size, char *buffer)
{
    char place[sizeof e->file + 32] = "", moment[64] = "";
    const char *subject = e->path[0] ? e->path : e->subject;

    if (e->file[0] && e->line > 0)
        (void)snprintf(place, sizeof place, "%s:%d:%d: ", e->file, e->line, e->column);
    else if (e->file[0])
        (void)snprintf(place, sizeof place, "%s: ", e->file);
    if (!isnan(e->time) && !isnan(e->distance))
        (void)kane_snprintf(moment, sizeof moment, "at %.6g s, %.6g m: ", e->time, e->distance);
    else if (!isnan(e->time))
        (void)kane_snprintf(moment, sizeof moment, "at %.6g s: ", e->time);
    else if (!isnan(e->distance))
        (void)kane_snprintf(moment, sizeof moment, "at %.6g m: ", e->distance);
    return snprintf(buffer, size, "%s%s%s%s%s", place, subject, subject[0] ? ": " : "", moment, e->text);
}
