// SPDX-License-Identifier: MIT
// Status texts and errors.

#include "base/machine.h"

#include "base/arena.h"
#include "base/number.h"
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

// === The errors that are kept.

static kane_error *error_at(kane_errors *errors, int index)
{
    return index == 0 ? &errors->first : errors->more[index - 1];
}

const kane_error *kane_errors_get(const kane_errors *errors, int index)
{
    static const kane_error none = {.status = KANE_OK};
    if (index < 0 || index >= errors->kept)
        return &none;
    return index == 0 ? &errors->first : errors->more[index - 1];
}

// 1 if error `index` has a place. A failed allocation is no further error: the errors before it are kept, this one is
// counted.
static int make_room(kane_errors *errors, int index)
{
    const int limit = errors->limit > 0 && errors->limit < KANE_ERRORS_KEPT ? errors->limit : KANE_ERRORS_KEPT;
    if (index == 0 || index >= limit)
        return index == 0;
    if (!errors->more)
        errors->more = kane_allocate(KANE_ERRORS_KEPT - 1, sizeof(kane_error *));
    if (errors->more && !errors->more[index - 1])
        errors->more[index - 1] = kane_allocate(1, sizeof(kane_error));
    return errors->more && errors->more[index - 1];
}

// Counts an error. Returns its place, NULL if it is not kept; an error behind one that is not kept is not kept either.
static kane_error *count_error(kane_errors *errors, kane_status status)
{
    if (!errors)
        return NULL;
    errors->last = status;
    if (errors->kept < errors->count++ || !make_room(errors, errors->kept))
        return NULL;
    return error_at(errors, errors->kept++);
}

static kane_error *add_error(kane_errors *errors, kane_status status, const char *format, va_list arguments)
{
    kane_error *e = count_error(errors, status);
    if (!e)
        return NULL;
    *e = (kane_error){.status = status, .time = (double)NAN, .distance = (double)NAN};
    char raw[sizeof e->text]; // names of files may have anything in them
    kane_text text = kane_text_start(sizeof raw, raw);
    kane_text_add_list(&text, format, arguments);
    kane_text_copy_printable(sizeof e->text, e->text, raw, 1);
    return e;
}

void kane_errors_truncate(kane_errors *errors, int count)
{
    if (count < errors->count)
        errors->count = count > 0 ? count : 0;
    if (errors->kept > errors->count)
        errors->kept = errors->count;
}

void kane_errors_clear(kane_errors *errors)
{
    kane_errors_truncate(errors, 0);
}

void kane_errors_free(kane_errors *errors)
{
    if (!errors)
        return;
    for (int i = 0; errors->more && i < KANE_ERRORS_KEPT - 1; i++)
        kane_release(errors->more[i]);
    kane_release(errors->more);
    *errors = (kane_errors){.limit = errors->limit};
}

void kane_errors_append(kane_errors *errors, const kane_errors *others)
{
    if (!errors)
        return;
    for (int i = 0; i < others->kept; i++) {
        const kane_error *from = kane_errors_get(others, i);
        kane_error *to         = count_error(errors, from->status);
        if (to)
            *to = *from;
    }
    if (others->count > others->kept) {
        errors->count += others->count - others->kept;
        errors->last = others->last;
    }
}

void kane_errors_prefix(kane_errors *errors, int index, const char *format, ...)
{
    if (index < 0 || index >= errors->kept)
        return;
    kane_error *e = error_at(errors, index);
    char words[sizeof e->text];
    kane_text text = kane_text_start(sizeof words, words);
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(&text, format, arguments);
    va_end(arguments);
    kane_text_add(&text, "%s", e->text);
    kane_text_copy(sizeof e->text, e->text, words);
}

// === Text of messages.

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
    return from < errors->kept ? kane_errors_get(errors, from)->status : errors->last;
}

void kane_errors_drop_repeated(kane_errors *errors)
{
    int kept = 0;
    for (int i = 0; i < errors->kept; i++) {
        int repeated = 0;
        for (int k = 0; k < kept && !repeated; k++)
            repeated = is_same(kane_errors_get(errors, k), kane_errors_get(errors, i));
        if (!repeated && kept != i)
            *error_at(errors, kept) = *kane_errors_get(errors, i);
        kept += !repeated;
    }
    errors->count -= errors->kept - kept;
    errors->kept = kept;
}

void kane_errors_add(kane_errors *errors, kane_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)add_error(errors, status, format, arguments);
    va_end(arguments);
}

void kane_errors_add_input(kane_errors *errors, kane_status status, kane_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kane_error *e = add_error(errors, status, format, arguments);
    va_end(arguments);
    if (!e)
        return;
    kane_text_copy_printable(sizeof e->file, e->file, place.file, 0);
    kane_text_copy_printable(sizeof e->path, e->path, place.path, 0);
    e->line   = place.line;
    e->column = place.column;
}

void kane_errors_add_run(kane_errors *errors, kane_status status, const char *subject, double time, double distance,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kane_error *e = add_error(errors, status, format, arguments);
    va_end(arguments);
    if (!e)
        return;
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
