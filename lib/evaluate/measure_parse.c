// SPDX-License-Identifier: MIT
// Reading a measure as it was typed.
//
//   measure = reduction "(" channels { "," argument } ")"        arguments: measure_arguments.c

#include "evaluate/measure.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

int kane_measure_refuse(const kane_measure_parser *p, const char *at, const char *format, ...)
{
    char what[384], typed[96];
    kane_text t = kane_text_start(sizeof what, what), q = kane_text_start(sizeof typed, typed);
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(&t, format, arguments);
    va_end(arguments);
    kane_text_quote(&q, '\'', p->text);
    kane_errors_add(p->errors, KANE_BAD_ARGUMENT, "measure %s: at character %d: %s", typed, (int)(at - p->text) + 1,
                    what);
    return 0;
}

kane_piece kane_piece_trim(kane_piece a)
{
    while (a.length > 0 && kane_is_space(*a.at))
        a = (kane_piece){a.at + 1, a.length - 1};
    while (a.length > 0 && kane_is_space(a.at[a.length - 1]))
        a.length--;
    return a;
}

int kane_piece_is(kane_piece a, const char *word)
{
    return a.length == strlen(word) && strncmp(a.at, word, a.length) == 0;
}

static int read_reduction(const kane_measure_parser *p, kane_piece a)
{
    kane_measure *m = p->measure;
    if (kane_reduction_find(a.at, a.length, &m->reduction, &m->percent))
        return 1;
    if (a.length == 0)
        return kane_measure_refuse(p, a.at, "it begins with what is made of a channel: %s", kane_reduction_list());
    return kane_measure_refuse(p, a.at, "'%.*s' is none of %s", (int)a.length, a.at, kane_reduction_list());
}

static int read_channels(const kane_measure_parser *p, kane_piece a)
{
    p->measure->channels = kane_arena_text_part(p->measure->arena, a.at, a.length);
    return a.length > 0 || kane_measure_refuse(p, a.at, "a channel is missing, such as body.y or *.Q");
}

// Everything within the brackets, between commas.
static int read_inside(const kane_measure_parser *p, kane_piece inside)
{
    int is_channel = 1;
    for (const char *end = inside.at + inside.length;;) {
        const char *comma     = memchr(inside.at, ',', inside.length);
        const size_t length   = comma ? (size_t)(comma - inside.at) : inside.length;
        const kane_piece part = kane_piece_trim((kane_piece){inside.at, length});
        if (!(is_channel ? read_channels(p, part) : kane_measure_read_argument(p, part)))
            return 0;
        if (!comma)
            return 1;
        inside     = (kane_piece){comma + 1, (size_t)(end - comma) - 1};
        is_channel = 0;
    }
}

static int read_all(const kane_measure_parser *p)
{
    const kane_piece all = kane_piece_trim((kane_piece){p->text, strlen(p->text)});
    const char *open = memchr(all.at, '(', all.length), *last = all.at + all.length;
    if (!open)
        return kane_measure_refuse(p, last, "'(' is missing; a measure looks like max(body.y) or p99.85(*.Y, 20 Hz)");
    if (last[-1] != ')')
        return kane_measure_refuse(p, last, "')' is missing at the end");
    return read_reduction(p, kane_piece_trim((kane_piece){all.at, (size_t)(open - all.at)})) &&
           read_inside(p, (kane_piece){open + 1, (size_t)(last - open) - 2});
}

kane_measure *kane_measure_parse(const char *text, kane_errors *errors)
{
    kane_arena *arena     = kane_arena_create();
    kane_measure *measure = arena ? kane_arena_alloc(arena, 1, sizeof *measure) : NULL;
    int is_read           = 0;
    if (measure) {
        *measure                    = (kane_measure){.arena = arena, .from = -INFINITY, .to = INFINITY};
        measure->text               = kane_arena_text(arena, text);
        const kane_measure_parser p = {measure, text, errors};
        is_read                     = read_all(&p);
    }
    if (measure && is_read && !kane_arena_failed(arena))
        return measure;
    if (!measure || kane_arena_failed(arena))
        (void)kane_no_memory(errors);
    kane_arena_free(arena);
    return NULL;
}

void kane_measure_free(kane_measure *measure)
{
    if (measure)
        kane_arena_free(measure->arena);
}

const char *kane_measure_text(const kane_measure *measure)
{
    return measure->text;
}

const char *kane_measure_channels(const kane_measure *measure)
{
    return measure->channels;
}
