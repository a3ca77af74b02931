// SPDX-License-Identifier: MIT
// Reading a measure as it was typed.
//
//   measure  = reduction "(" channels { "," argument } ")"
//   argument = window | "abs"
//   window   = [ quantity ] ".." [ quantity ]            in m or s

#include "evaluate/measure.h"

#include "base/names.h"
#include "base/number.h"
#include "base/quantity.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// The text while it is read.
typedef struct parser {
    kane_measure *measure;
    const char *text;
    kane_errors *errors;
} parser;

static int refuse(const parser *p, const char *at, const char *format, ...) KANE_PRINTF(3, 4);

// An error at a character of the text (they count from 1). Returns 0.
static int refuse(const parser *p, const char *at, const char *format, ...)
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

// --- pieces of the text ---

typedef struct piece {
    const char *at;
    size_t length;
} piece;

static piece trim(piece a)
{
    while (a.length > 0 && isspace((unsigned char)*a.at))
        a = (piece){a.at + 1, a.length - 1};
    while (a.length > 0 && isspace((unsigned char)a.at[a.length - 1]))
        a.length--;
    return a;
}

static int is_word(piece a, const char *word)
{
    return a.length == strlen(word) && strncmp(a.at, word, a.length) == 0;
}

// --- window ---

// Where the ".." of a window stands; NULL if there is none.
static const char *find_dots(piece a)
{
    for (size_t i = 0; i + 1 < a.length; i++)
        if (a.at[i] == '.' && a.at[i + 1] == '.')
            return a.at + i;
    return NULL;
}

// A number alone takes the unit that stands behind the other end.
static int has_unit(piece a)
{
    return a.length > 0 && kane_number_length(a.at) < a.length;
}

// Value of an end with its own unit or that of the other end; nothing leaves it infinite.
static int read_end(const parser *p, piece a, piece other, const char *unit, double *value)
{
    char typed[128], reason[256];
    kane_text text = kane_text_start(sizeof typed, typed), fault = kane_text_start(sizeof reason, reason);
    if (a.length == 0)
        return 1;
    kane_text_add(&text, "%.*s", (int)a.length, a.at);
    if (!has_unit(a)) {
        const size_t number = kane_number_length(other.at);
        kane_text_add(&text, "%.*s", (int)(other.length - number), other.at + number);
    }
    return kane_quantity_parse(typed, unit, value, &fault) || refuse(p, a.at, "%s", reason);
}

// "m" or "s": what the unit behind a number measures; NULL if neither.
static const char *axis_of(piece a)
{
    static const char *const units[] = {"m", "s"};
    char text[128], reason[256];
    double value;
    if (a.length >= sizeof text)
        return NULL;
    memcpy(text, a.at, a.length);
    text[a.length] = '\0';
    for (int i = 0; i < 2; i++) {
        kane_text fault = kane_text_start(sizeof reason, reason);
        if (kane_quantity_parse(text, units[i], &value, &fault))
            return units[i];
    }
    return NULL;
}

static int read_window(const parser *p, piece a, const char *dots)
{
    kane_measure *m  = p->measure;
    const piece from = trim((piece){a.at, (size_t)(dots - a.at)});
    const piece to   = trim((piece){dots + 2, (size_t)(a.at + a.length - dots) - 2});
    const piece unit = has_unit(to) ? to : from;
    if (m->axis != KANE_WINDOW_NONE)
        return refuse(p, a.at, "a second window, only one is possible");
    if (!has_unit(unit))
        return refuse(p, a.at, "a window needs a unit, m or s: \"50 m..150 m\", \"2 s..\"");
    const char *axis = axis_of(unit);
    if (!axis)
        return refuse(p, unit.at, "a window is between two distances or two times: \"50 m..150 m\", \"2 s..5 s\"");
    if (!read_end(p, from, to, axis, &m->from) || !read_end(p, to, from, axis, &m->to))
        return 0;
    if (!(m->from < m->to))
        return refuse(p, a.at, "the window ends where it begins or before");
    m->axis = strcmp(axis, "m") == 0 ? KANE_WINDOW_DISTANCE : KANE_WINDOW_TIME;
    return 1;
}

// --- arguments ---

static int read_argument(const parser *p, piece a)
{
    kane_measure *m  = p->measure;
    const char *dots = find_dots(a);
    if (a.length == 0)
        return refuse(p, a.at, "nothing stands here");
    if (dots)
        return read_window(p, a, dots);
    if (m->step_count == KANE_MEASURE_STEPS)
        return refuse(p, a.at, "more than %d steps", KANE_MEASURE_STEPS);
    if (is_word(a, "abs")) {
        m->steps[m->step_count++] = (kane_step){.kind = KANE_STEP_SIZE};
        return 1;
    }
    return refuse(p, a.at, "'%.*s' is no window (\"50 m..150 m\", \"2 s..\") and not \"abs\"", (int)a.length, a.at);
}

static int read_reduction(const parser *p, piece a)
{
    kane_measure *m = p->measure;
    if (kane_reduction_find(a.at, a.length, &m->reduction, &m->percent))
        return 1;
    if (a.length == 0)
        return refuse(p, a.at, "it begins with what is made of a channel: %s", kane_reduction_list());
    return refuse(p, a.at, "'%.*s' is none of %s", (int)a.length, a.at, kane_reduction_list());
}

static int read_channels(const parser *p, piece a)
{
    p->measure->channels = kane_arena_text_part(p->measure->arena, a.at, a.length);
    return a.length > 0 || refuse(p, a.at, "a channel is missing, such as body.y or *.Q");
}

// Everything within the brackets, between commas.
static int read_inside(const parser *p, piece inside)
{
    int is_channel = 1;
    for (const char *end = inside.at + inside.length;;) {
        const char *comma = memchr(inside.at, ',', inside.length);
        const piece part  = trim((piece){inside.at, comma ? (size_t)(comma - inside.at) : inside.length});
        if (!(is_channel ? read_channels(p, part) : read_argument(p, part)))
            return 0;
        if (!comma)
            return 1;
        inside     = (piece){comma + 1, (size_t)(end - comma) - 1};
        is_channel = 0;
    }
}

static int read_all(const parser *p)
{
    const piece all  = trim((piece){p->text, strlen(p->text)});
    const char *open = memchr(all.at, '(', all.length), *last = all.at + all.length;
    if (!open)
        return refuse(p, last, "'(' is missing; a measure looks like max(body.y) or p99.85(*.Y, 20 Hz)");
    if (last[-1] != ')')
        return refuse(p, last, "')' is missing at the end");
    return read_reduction(p, trim((piece){all.at, (size_t)(open - all.at)})) &&
           read_inside(p, (piece){open + 1, (size_t)(last - open) - 2});
}

kane_measure *kane_measure_parse(const char *text, kane_errors *errors)
{
    kane_arena *arena     = kane_arena_create();
    kane_measure *measure = arena ? kane_arena_alloc(arena, 1, sizeof *measure) : NULL;
    int is_read           = 0;
    if (measure) {
        *measure       = (kane_measure){.arena = arena, .from = -INFINITY, .to = INFINITY};
        measure->text  = kane_arena_text(arena, text);
        const parser p = {measure, text, errors};
        is_read        = read_all(&p);
    }
    if (measure && is_read && !kane_arena_failed(arena))
        return measure;
    if (!measure || kane_arena_failed(arena))
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
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
