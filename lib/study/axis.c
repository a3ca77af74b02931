// SPDX-License-Identifier: MIT
// Axes of studies: PATH=A:B:N, PATH=A:B:step=S, PATH=V,V,... or a distribution, their names and values, and the grids
// that they make.

#include "study/study.h"

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "run/setup.h"
#include "study/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- names and values ---

const char *kane_axis_path(const char *name)
{
    const kane_parameter *parameter = kane_parameter_find(name);
    return parameter && strcmp(parameter->name, name) == 0 ? parameter->path : name;
}

// The first of the settings that sets what the axis sets; NULL if there is none.
static const char *find_rival(const kane_axis *axis, const char *const *settings)
{
    const char *path = kane_axis_path(axis->path);
    for (; settings && *settings; settings++)
        if (kane_parameter_is_same(path, *settings))
            return *settings;
    return NULL;
}

// Unit of the numbers behind a path or a short name if none is typed; "" if it is not known.
static const char *unit_of_name(const char *name)
{
    const kane_parameter *parameter = kane_parameter_find(name);
    return parameter ? parameter->unit : "";
}

// Behind a text in quotes, NULL if it stays open.
static const char *skip_quoted(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        p += *p == '\\' && p[1];
    return *p ? p + 1 : NULL;
}

// Position of the first of `ends` outside of quotes and brackets, or the end; NULL if a quote or bracket is not closed.
static const char *find_end(const char *p, const char *ends)
{
    int depth = 0;
    while (*p && (depth > 0 || !strchr(ends, *p))) {
        if (*p == '"') {
            p = skip_quoted(p);
            if (!p)
                return NULL;
            continue;
        }
        depth += (strchr("[{(", *p) != NULL) - (strchr("]})", *p) != NULL);
        if (depth < 0)
            return NULL;
        p++;
    }
    return depth == 0 ? p : NULL;
}

static size_t trim_blanks(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

static int is_unit(const char *text, size_t length)
{
    char name[64], unused[64];
    kane_text nowhere = kane_text_start(sizeof unused, unused);
    kane_unit unit;
    if (length >= sizeof name)
        return 0;
    memcpy(name, text, length);
    name[length] = '\0';
    return kane_unit_parse(name, &unit, &nowhere);
}

// number [ (":" | "/") number ] [ unit ]; anything else is a word.
static void read_number(kane_axis_value *v)
{
    const char *p = v->text, *end = v->text + v->length;
    const size_t first = kane_number_length(p);
    if (first == 0 || first > v->length || first > KANE_NUMBER_LENGTH)
        return;
    double number = kane_number_value(p, first, 0);
    p += first;
    const char *over = p + strspn(p, " ");
    if (over < end && (*over == ':' || *over == '/')) {
        over += 1 + strspn(over + 1, " ");
        const size_t second = kane_number_length(over);
        if (second > 0 && second <= KANE_NUMBER_LENGTH && over + second <= end) {
            number /= kane_number_value(over, second, 0);
            p = over + second;
        }
    }
    p += strspn(p, " ");
    if (p < end && !is_unit(p, (size_t)(end - p)))
        return;
    v->number      = number;
    v->unit        = p;
    v->unit_length = p < end ? (size_t)(end - p) : 0;
}

const char *kane_axis_parse_value(const char *text, const char *ends, kane_axis_value *value)
{
    const char *begin = text + strspn(text, " "), *end = find_end(begin, ends);
    *value = (kane_axis_value){.text = begin, .number = (double)NAN, .unit = ""};
    if (!end)
        return NULL;
    value->length = trim_blanks(begin, (size_t)(end - begin));
    read_number(value);
    return end;
}

// Value `i` of `count` from a to b as the shortest decimal text that is equal but for the round-off of the division.
static void format_between(double a, double b, int i, int count, char text[KANE_NUMBER_SIZE])
{
    const double slack = 1e-12 * fmax(fabs(a), fabs(b)), near = (a * (count - 1 - i) + b * i) / (count - 1);
    (void)kane_sample_round(-(double)INFINITY, (double)INFINITY, fabs(near) <= slack ? 0.0 : near, slack, text);
}

// --- reading an axis ---

typedef struct own_axis {
    kane_axis public; // first, so that both have the same address
    kane_arena *arena;
    const char **texts;
    double *numbers;
} own_axis;

// What the reading of one axis knows.
typedef struct reading {
    own_axis *a;
    const char *typed, *values; // all of it; what stands behind '='
    kane_errors *errors;
} reading;

static int report_axis_error(const reading *r, const char *format, ...) KANE_PRINTF(2, 3);

static int report_axis_error(const reading *r, const char *format, ...)
{
    char place[200], text[400];
    kane_text at = kane_text_start(sizeof place, place), what = kane_text_start(sizeof text, text);
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(&what, format, arguments);
    va_end(arguments);
    kane_text_add(&at, "--over %s", r->typed);
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, (kane_place){.file = place, .path = ""}, "%s", text);
    return 0;
}

static int no_memory(const reading *r)
{
    (void)kane_no_memory(r->errors);
    return 0;
}

static int reserve_values(const reading *r, int count)
{
    r->a->public.count = count;
    r->a->texts        = kane_arena_alloc(r->a->arena, (size_t)count, sizeof *r->a->texts);
    r->a->numbers      = kane_arena_doubles(r->a->arena, (size_t)count);
    return r->a->texts && r->a->numbers ? 1 : no_memory(r);
}

// The first '=' outside of quotes.
static const char *find_equals(const char *text)
{
    int is_quoted = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '=' && !is_quoted)
            return p;
        is_quoted ^= *p == '"';
        p += *p == '\\' && is_quoted && p[1];
    }
    return NULL;
}

// --- ranges ---

static int is_same_unit(const kane_axis_value *a, const kane_axis_value *b)
{
    return a->unit_length == b->unit_length && strncmp(a->unit, b->unit, a->unit_length) == 0;
}

// A value as it was typed, with `unit` if it has none itself.
static int set_value(const reading *r, int i, const kane_axis_value *v, const kane_axis_value *unit)
{
    const int is_plain = !isnan(v->number) && !v->unit_length && unit->unit_length;
    const size_t size  = v->length + unit->unit_length + 2;
    char *text         = kane_arena_alloc(r->a->arena, size, 1);
    if (!text)
        return no_memory(r);
    (void)snprintf(text, size, "%.*s%s%.*s", (int)v->length, v->text, is_plain ? " " : "",
                   is_plain ? (int)unit->unit_length : 0, unit->unit);
    r->a->texts[i]   = text;
    r->a->numbers[i] = v->number;
    return 1;
}

// N of A:B:N, which the unit of the range may follow; 0 with an error that shows how to write a step.
static int parse_range_count(const reading *r, const kane_axis_value part[3])
{
    const kane_axis_value *n = &part[2];
    const size_t digits      = trim_blanks(n->text, n->length - n->unit_length);
    int is_whole             = digits > 0 && digits < 10;
    for (size_t i = 0; i < digits; i++)
        is_whole &= n->text[i] >= '0' && n->text[i] <= '9';
    const long count = is_whole ? strtol(n->text, NULL, 10) : 0;
    if (count >= 2 && count <= KANE_AXIS_VALUES_MOST)
        return (int)count;
    return report_axis_error(
        r,
        "'%.*s' is not a count of values from 2 to %d: A:B:N stands for N values from A to B, such as 10:50:5 for "
        "10, 20, 30, 40, 50; steps are written A:B:step=S, here %.*s:%.*s:step=%.*s",
        (int)n->length, n->text, KANE_AXIS_VALUES_MOST, (int)part[0].length, part[0].text, (int)part[1].length,
        part[1].text, (int)n->length, n->text);
}

// S of A:B:step=S; 0 if the part is no "step=S".
static int find_step(kane_axis_value *part)
{
    const char *at = part->text + strlen("step");
    if (part->length < strlen("step=") || strncmp(part->text, "step", strlen("step")) != 0)
        return 0;
    at += strspn(at, " ");
    return *at == '=' && kane_axis_parse_value(at + 1, ":", part) != NULL;
}

// Number of values of a step, 0 with an error. The last one is not beyond B, and it is B itself after a whole number of
// steps.
static int count_steps(const reading *r, const kane_axis_value part[3], double *last)
{
    const double slack = 1e-9; // of a step: what round-off may lack
    const double a = part[0].number, step = part[2].number, steps = (part[1].number - a) / step;
    if (!isfinite(step) || step == 0.0)
        return report_axis_error(r, "'%.*s' is not a step; A:B:step=S stands for A, A + S, A + 2 S, ... up to B",
                                 (int)part[2].length, part[2].text);
    if (!(steps >= 0.0))
        return report_axis_error(r, "no step of %.*s leads from %.*s to %.*s", (int)part[2].length, part[2].text,
                                 (int)part[0].length, part[0].text, (int)part[1].length, part[1].text);
    if (steps >= KANE_AXIS_VALUES_MOST)
        return report_axis_error(r, "more than %d values", KANE_AXIS_VALUES_MOST);
    const int whole = (int)floor(steps + slack);
    *last           = fabs(steps - whole) <= slack ? part[1].number : a + whole * step;
    if (whole == 0)
        return report_axis_error(r, "a step of %.*s is longer than from %.*s to %.*s", (int)part[2].length,
                                 part[2].text, (int)part[0].length, part[0].text, (int)part[1].length, part[1].text);
    return whole + 1;
}

static int set_number(const reading *r, int i, double a, double b, int count, const kane_axis_value *unit)
{
    char number[KANE_NUMBER_SIZE];
    format_between(a, b, i, count, number);
    const size_t length     = strlen(number);
    const kane_axis_value v = {number, length, kane_number_value(number, length, 0), "", 0};
    return set_value(r, i, &v, unit);
}

// `unit` has that of all numbers. The ends are as they were typed if `last` is B.
static int fill_range(const reading *r, const kane_axis_value part[3], const kane_axis_value *unit, double last,
                      int count)
{
    const kane_axis_value *a = &part[0], *b = &part[1];
    if (!reserve_values(r, count) || !set_value(r, 0, a, unit))
        return 0;
    for (int i = 1; i < count - 1; i++)
        if (!set_number(r, i, a->number, last, count, unit))
            return 0;
    return last == b->number ? set_value(r, count - 1, b, unit)
                             : set_number(r, count - 1, a->number, last, count, unit);
}

static int refuse_range(const reading *r)
{
    return report_axis_error(r, "expected A:B:N, such as 10:50:5 for 10, 20, 30, 40, 50, or A:B:step=S");
}

// One unit behind the last number that has one is that of all; each may repeat it.
static int find_range_unit(const reading *r, const kane_axis_value part[3], const kane_axis_value **unit)
{
    *unit = &part[2];
    if (!(*unit)->unit_length)
        *unit = &part[1];
    for (int i = 0; i < 3; i++)
        if (part[i].unit_length && !is_same_unit(&part[i], *unit))
            return report_axis_error(r, "'%.*s' and '%.*s' have different units, both need the same",
                                     (int)part[i].length, part[i].text, (int)(*unit)->length, (*unit)->text);
    return 1;
}

static int read_range(const reading *r, int count, kane_axis_value *part)
{
    const kane_axis_value *unit;
    if (count != 3 || part[0].length == 0 || part[1].length == 0 || part[2].length == 0)
        return refuse_range(r);
    const int is_step = find_step(&part[2]);
    for (int i = 0; i < 2; i++)
        if (!isfinite(part[i].number))
            return report_axis_error(r, "'%.*s' is not a number with a unit; A:B:%s", (int)part[i].length, part[i].text,
                                     is_step ? "step=S stands for steps of S from A to B"
                                             : "N stands for N values from A to B");
    if (!find_range_unit(r, part, &unit))
        return 0;
    double last       = part[1].number;
    const int numbers = is_step ? count_steps(r, part, &last) : parse_range_count(r, part);
    if (!numbers)
        return 0;
    if (part[0].number == part[1].number)
        return report_axis_error(r, "both ends are '%.*s'; a single value needs no N", (int)part[0].length,
                                 part[0].text);
    r->a->public.is_range = 1;
    r->a->public.unit     = unit->unit_length ? kane_arena_text_part(r->a->arena, unit->unit, unit->unit_length)
                                              : unit_of_name(r->a->public.path);
    return fill_range(r, part, unit, last, numbers);
}

// --- lists ---

static int refuse_units(const reading *r, const kane_axis_value *a, const kane_axis_value *b)
{
    return report_axis_error(r, "'%.*s' and '%.*s' have different units, all values need the same", (int)a->length,
                             a->text, (int)b->length, b->text);
}

// Unit of all numbers, of which only the last one needs it. 0 with an error if another number has a different unit.
static int find_unit(const reading *r, int count, const kane_axis_value *values, kane_axis_value *last)
{
    const kane_axis_value *first = NULL;
    int with = 0, numbers = 0;
    for (const kane_axis_value *v = values; v < values + count; v++) {
        if (isnan(v->number))
            continue;
        first = numbers++ ? first : v;
        if (with && !is_same_unit(v, last))
            return refuse_units(r, last, v);
        with += v->unit_length > 0;
        *last = *v;
    }
    return with <= 1 || with == numbers ? 1 : refuse_units(r, first, last);
}

static int read_list(const reading *r, int count, const kane_axis_value *values)
{
    kane_axis_value unit = {.number = (double)NAN, .unit = ""};
    for (int i = 0; i < count; i++)
        if (values[i].length == 0)
            return report_axis_error(r, "%s", count > 1 ? "a value is missing between commas" : "no value is given");
    if (count > KANE_AXIS_VALUES_MOST)
        return report_axis_error(r, "more than %d values", KANE_AXIS_VALUES_MOST);
    if (!find_unit(r, count, values, &unit) || !reserve_values(r, count))
        return 0;
    for (int i = 0; i < count; i++)
        if (!set_value(r, i, &values[i], &unit))
            return 0;
    r->a->public.unit = kane_arena_text_part(r->a->arena, unit.unit, unit.unit_length);
    if (!isnan(unit.number) && !unit.unit_length)
        r->a->public.unit = unit_of_name(r->a->public.path);
    return 1;
}

// --- distributions ---

#define DISTRIBUTIONS "normal(MEAN,DEVIATION), normal(MEAN,DEVIATION,A,B) and uniform(A,B)"

enum { PARAMETERS_MOST = 4 };

// Letters before a bracket: how many; 0: none.
static size_t find_function_name(const kane_axis_value *v)
{
    size_t length = 0;
    while (length < v->length && (v->text[length] | 32) >= 'a' && (v->text[length] | 32) <= 'z')
        length++;
    return length < v->length && v->text[length] == '(' ? length : 0;
}

// The numbers of NAME(A,B,...): how many there are, 0 if one of them is none.
static int take_parameters(const kane_axis_value *v, size_t name, kane_axis_value part[PARAMETERS_MOST])
{
    const char *at = v->text + name;
    int count      = 0;
    do {
        if (count == PARAMETERS_MOST || !(at = kane_axis_parse_value(at + 1, ",)", &part[count])) ||
            !isfinite(part[count].number))
            return 0;
        count++;
    } while (*at == ',');
    return at == v->text + v->length - 1 ? count : 0;
}

static int is_name(const kane_axis_value *v, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(v->text, name, length) == 0;
}

// What is wrong with the numbers of a distribution is an error that shows one that is right.
static int check_distribution(const reading *r, const kane_distribution *d)
{
    const double s = d->deviation;
    if (d->kind == KANE_DISTRIBUTION_NORMAL && !(s > 0.0))
        return report_axis_error(r, "the deviation must be above 0; a value that does not vary is written PATH=%g",
                                 d->mean);
    if (!(d->least < d->greatest))
        return report_axis_error(r, "A must be below B, such as %s",
                                 d->kind == KANE_DISTRIBUTION_NORMAL ? "normal(20,2,15,25)" : "uniform(15,25)");
    if (d->kind == KANE_DISTRIBUTION_NORMAL &&
        !(kane_distribution_part(d, d->greatest) - kane_distribution_part(d, d->least) > 1e-6))
        return report_axis_error(r, "less than 1e-6 of the normal distribution lies between A and B; its mean belongs "
                                    "between them");
    return 1;
}

static int read_distribution(const reading *r, const kane_axis_value *v, size_t name)
{
    kane_axis_value part[PARAMETERS_MOST], unit = {.number = (double)NAN, .unit = ""};
    const int count = take_parameters(v, name, part), is_normal = is_name(v, name, "normal");
    if (!is_normal && !is_name(v, name, "uniform"))
        return report_axis_error(r, "'%.*s' is no distribution; there are " DISTRIBUTIONS, (int)name, v->text);
    if (is_normal ? count != 2 && count != 4 : count != 2)
        return report_axis_error(r, "expected %s, numbers of which the last one may have a unit",
                                 is_normal ? "normal(MEAN,DEVIATION) or normal(MEAN,DEVIATION,A,B)" : "uniform(A,B)");
    if (!find_unit(r, count, part, &unit) || !reserve_values(r, 1))
        return 0;
    kane_distribution *d = &r->a->public.distribution;
    d->kind              = is_normal ? KANE_DISTRIBUTION_NORMAL : KANE_DISTRIBUTION_UNIFORM;
    d->mean              = is_normal ? part[0].number : 0.0;
    d->deviation         = is_normal ? part[1].number : 0.0;
    d->least             = is_normal ? -(double)INFINITY : part[0].number;
    d->greatest          = is_normal ? (double)INFINITY : part[1].number;
    if (count == 4) {
        d->least    = part[2].number;
        d->greatest = part[3].number;
    }
    r->a->texts[0]    = kane_arena_text_part(r->a->arena, v->text, v->length);
    r->a->numbers[0]  = (double)NAN;
    r->a->public.unit = unit.unit_length ? kane_arena_text_part(r->a->arena, unit.unit, unit.unit_length)
                                         : unit_of_name(r->a->public.path);
    return check_distribution(r, d) && (r->a->texts[0] || no_memory(r));
}

// Whether a value, which an axis may have among others, is a distribution, or was meant to be: a name with several
// numbers.
static size_t find_distribution(const kane_axis_value *v)
{
    kane_axis_value part[PARAMETERS_MOST];
    const size_t name = find_function_name(v);
    return is_name(v, name, "normal") || is_name(v, name, "uniform") || (name && take_parameters(v, name, part) > 1)
               ? name
               : 0;
}

// --- an axis ---

// Parts of a text between marks outside of quotes and brackets, in the arena; returns their number, 0 with an error.
static int split_list(const reading *r, const char *mark, kane_axis_value **values)
{
    kane_axis_value v;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (const char *at = r->values;; at++) {
            at = kane_axis_parse_value(at, mark, &v);
            if (!at)
                return report_axis_error(r, "a quote or a bracket has no partner");
            if (pass > 0)
                (*values)[count] = v;
            count++;
            if (!*at)
                break;
        }
        if (pass == 0 && !(*values = kane_arena_alloc(r->a->arena, (size_t)count, sizeof **values)))
            return no_memory(r);
    }
    return count;
}

// One value that has colons outside of quotes and brackets is a range.
static int read_values(const reading *r)
{
    kane_axis_value *values = NULL, *parts = NULL;
    const int count  = split_list(r, ",", &values);
    const int colons = count == 1 ? split_list(r, ":", &parts) - 1 : 0;
    if (count == 0)
        return 0;
    for (int i = 0; i < count; i++) {
        const size_t name = find_distribution(&values[i]);
        if (name && count > 1)
            return report_axis_error(r, "a distribution is the only value of its axis: '%.*s'", (int)values[i].length,
                                     values[i].text);
        if (name)
            return read_distribution(r, &values[i], name);
    }
    if (colons == 1)
        return report_axis_error(
            r,
            "'%s' has no number of values; expected A:B:N, such as 10:50:5 for 10, 20, 30, 40, 50, "
            "A:B:step=S, or V,V,...",
            r->values);
    return colons > 1 ? read_range(r, colons + 1, parts) : read_list(r, count, values);
}

static int read_axis(reading *r)
{
    const char *equals = find_equals(r->typed), *begin = r->typed + strspn(r->typed, " ");
    if (!equals || equals == begin)
        return report_axis_error(
            r, "expected PATH=A:B:N, PATH=A:B:step=S or PATH=V,V,..., such as speed=10:50:5 or shape=bloss,cosine");
    size_t length = (size_t)(equals - begin);
    while (length > 0 && begin[length - 1] == ' ')
        length--;
    r->a->public.path = kane_arena_text_part(r->a->arena, begin, length);
    r->values         = equals + 1 + strspn(equals + 1, " ");
    if (!r->a->public.path)
        return no_memory(r);
    if (!read_values(r))
        return 0;
    r->a->public.texts   = r->a->texts;
    r->a->public.numbers = r->a->numbers;
    return r->a->public.unit ? 1 : no_memory(r);
}

kane_axis *kane_axis_parse(const char *text, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    own_axis *a       = arena ? kane_arena_alloc(arena, 1, sizeof *a) : NULL;
    reading r         = {.a = a, .typed = text, .errors = errors};
    int good          = 0;
    if (!a) {
        (void)no_memory(&r);
    } else {
        a->arena = arena;
        good     = read_axis(&r);
    }
    if (!good)
        kane_arena_free(arena);
    return good ? &a->public : NULL;
}

void kane_axis_free(kane_axis *public)
{
    if (public)
        kane_arena_free(((own_axis *)(void *)public)->arena);
}

// --- tables: axes of which the rows of a file are joint samples ---

typedef struct table_reader {
    const char *typed; // the axes as JSON
    const char *file;
    const kane_results *rows;
    kane_errors *errors;
} table_reader;

#define REFUSE_TABLE(at, ...) kane_errors_add_input(t->errors, KANE_BAD_INPUT, (at)->place, __VA_ARGS__)

// Column "NAME", or "NAME [UNIT]" where no column is called so, and its unit; -1 with an error.
static int find_table_column(const table_reader *t, const kane_node *at, const char *typed, kane_arena *arena,
                             const char **unit)
{
    const kane_names names = {kane_results_column(t->rows, 0), kane_results_column_count(t->rows), sizeof(kane_column)};
    const char *open       = strstr(typed, " [");
    const size_t length    = strlen(typed);
    int column             = kane_names_find(names, typed);
    *unit                  = "";
    if (column < 0 && open && typed[length - 1] == ']') {
        *unit  = kane_arena_text_part(arena, open + 2, length - (size_t)(open - typed) - 3);
        typed  = kane_arena_text_part(arena, typed, (size_t)(open - typed));
        column = typed && *unit ? kane_names_find(names, typed) : -1;
    }
    if (column < 0)
        return kane_names_resolve(names, "column", typed, at->place, t->errors);
    const char *own = kane_results_column(t->rows, column)->unit;
    if (strcmp(own, "1") == 0 || !own[0])
        return column;
    if ((*unit)[0] && strcmp(*unit, own) != 0) {
        REFUSE_TABLE(at, "the column '%s' of %s is in %s, not in %s", typed, t->file, own, *unit);
        return -1;
    }
    *unit = own;
    return column;
}

// Values of a column in `unit`, as samples of an axis. 0 with an error.
static int fill_samples(const table_reader *t, const kane_node *at, int column, const char *unit, own_axis *a)
{
    const double *values = kane_results_values(t->rows, column);
    const int count      = kane_results_row_count(t->rows);
    const char **texts   = kane_arena_alloc(a->arena, (size_t)count, sizeof *texts);
    double *numbers      = kane_arena_doubles(a->arena, (size_t)count);
    for (int i = 0; texts && numbers && i < count; i++) {
        char number[KANE_NUMBER_SIZE], text[KANE_NUMBER_SIZE + 80];
        if (!isfinite(values[i])) {
            REFUSE_TABLE(at, "row %d of the column '%s' of %s has no finite number", i + 1,
                         kane_results_column(t->rows, column)->name, t->file);
            return 0;
        }
        kane_number_format(values[i], number);
        (void)snprintf(text, sizeof text, "%s%s%s", number, unit[0] ? " " : "", unit);
        texts[i]   = kane_arena_text(a->arena, text);
        numbers[i] = values[i];
    }
    a->public.row_count   = count;
    a->public.row_texts   = texts;
    a->public.row_numbers = numbers;
    return 1;
}

// An axis with the values of a column; NULL with an error.
static kane_axis *read_column_axis(const table_reader *t, const kane_node *at, const char *path, const char *typed)
{
    kane_arena *arena = kane_arena_create();
    own_axis *a       = arena ? kane_arena_alloc(arena, 1, sizeof *a) : NULL;
    const reading r   = {.a = a, .typed = t->typed, .errors = t->errors};
    const char *unit  = "";
    const int column  = a ? find_table_column(t, at, typed, arena, &unit) : -1;
    int good          = column >= 0;
    if (good && unit[0] && !is_unit(unit, strlen(unit))) {
        REFUSE_TABLE(at, "'%s' of the column '%s' is not a unit", unit, typed);
        good = 0;
    }
    if (good) {
        *a   = (own_axis){.arena = arena};
        good = fill_samples(t, at, column, unit, a) && reserve_values(&r, 1);
    }
    if (good) {
        a->texts[0]                 = kane_arena_text(arena, t->file);
        a->numbers[0]               = (double)NAN;
        a->public.texts             = a->texts;
        a->public.numbers           = a->numbers;
        a->public.path              = kane_arena_text(arena, path);
        a->public.unit              = kane_arena_text(arena, unit[0] ? unit : unit_of_name(path));
        a->public.distribution.kind = KANE_DISTRIBUTION_TABLE;
    }
    if (good && !kane_arena_failed(arena))
        return &a->public;
    if (!a || kane_arena_failed(arena))
        (void)no_memory(&r);
    kane_arena_free(arena);
    return NULL;
}

// A row without its line feed would be left out, as that of a run that was killed.
static int check_last_line(const table_reader *t, const kane_node *at)
{
    FILE *in          = fopen(t->file, "rb");
    const int is_text = in && fgetc(in) != 0x89; // HDF5 begins so
    const int is_cut  = is_text && fseek(in, -1, SEEK_END) == 0 && fgetc(in) != '\n';
    if (in)
        (void)fclose(in);
    if (is_cut)
        REFUSE_TABLE(at, "the last line of %s has no line feed: is it whole?", t->file);
    return !is_cut;
}

// The table's file, its columns (NULL: all), and no other key.
static int check_table_keys(const table_reader *t, const kane_node *root)
{
    static const char *const keys[] = {"table", "columns"};
    const int before                = t->errors->count;
    const kane_node *table = kane_node_find(root, "table"), *columns = kane_node_find(root, "columns");
    for (const kane_node *n = root->child; n; n = n->next)
        (void)kane_names_resolve((kane_names){keys, 2, sizeof *keys}, "key", n->key, kane_node_key_place(n), t->errors);
    if (!table || table->kind != KANE_NODE_TEXT)
        REFUSE_TABLE(table ? table : root, "expected \"table\": \"FILE.csv\"");
    if (columns && columns->kind != KANE_NODE_OBJECT)
        REFUSE_TABLE(columns, "expected \"columns\": {\"PATH\": \"COLUMN\", ...}");
    for (const kane_node *n = columns ? columns->child : NULL; n; n = n->next)
        if (n->kind != KANE_NODE_TEXT)
            REFUSE_TABLE(n, "expected the name of a column in quotes");
    return t->errors->count == before;
}

// All axes of a table that is read; returns how many, 0 with an error.
static int read_table_axes(const table_reader *t, const kane_node *root, int most, kane_axis **axes)
{
    const kane_node *columns = kane_node_find(root, "columns"), *n = columns ? columns->child : root;
    const int asked = columns ? columns->count : kane_results_column_count(t->rows);
    const int rows = kane_results_row_count(t->rows), before = t->errors->count;
    int count = 0;
    if (rows < 1 || rows > KANE_AXIS_VALUES_MOST)
        REFUSE_TABLE(root, "%s has %d rows; there must be 1 to %d", t->file, rows, KANE_AXIS_VALUES_MOST);
    else if (asked < 1 || asked > most)
        REFUSE_TABLE(root, "%d columns of a table; there must be 1 to %d", asked, most);
    if (t->errors->count > before)
        return 0;
    for (; count < asked; count++, n = columns ? n->next : n) {
        const char *name = columns ? n->text : kane_results_column(t->rows, count)->name;
        axes[count]      = read_column_axis(t, n, columns ? n->key : name, name);
        if (!axes[count])
            break;
    }
    if (count == asked)
        return count;
    while (count > 0)
        kane_axis_free(axes[--count]);
    return 0;
}

int kane_axes_parse(const char *text, int most, kane_axis **axes, kane_errors *errors)
{
    if (text[strspn(text, " ")] != '{') {
        axes[0] = kane_axis_parse(text, errors);
        return axes[0] != NULL;
    }
    kane_arena *arena     = kane_arena_create();
    table_reader t        = {.typed = text, .errors = errors};
    const int before      = errors->count;
    const kane_node *root = arena ? kane_json_parse(arena, "--over", text, strlen(text), errors) : NULL;
    kane_results *rows    = NULL;
    int count             = 0;
    if (!arena)
        (void)kane_no_memory(errors);
    if (root && errors->count == before && check_table_keys(&t, root)) {
        const kane_node *file = kane_node_find(root, "table");
        t.file                = file->text;
        t.rows = rows = check_last_line(&t, file) ? kane_results_open(t.file, errors) : NULL;
        count         = rows ? read_table_axes(&t, root, most, axes) : 0;
    }
    kane_results_free(rows);
    kane_arena_free(arena);
    return count;
}

// Whether a value is JSON as typed; quantities need quotes there.
static int is_json(const char *text, double number)
{
    char plain[KANE_NUMBER_SIZE];
    kane_number_format(number, plain);
    return strchr("\"[{", text[0]) != NULL || (isfinite(number) && strcmp(text, plain) == 0);
}

int kane_axis_setting(const kane_axis *public, int index, size_t size, char *text)
{
    const char *path = kane_axis_path(public->path), *value = public->texts[index];
    if (strcmp(public->path, "acceleration") != 0)
        return snprintf(text, size, "%s=%s", path, value);
    const char *mark = is_json(value, public->numbers[index]) ? "" : "\"";
    return snprintf(text, size, "%s=[{\"acceleration\": %s%s%s}]", path, mark, value, mark);
}

// --- grids ---

int kane_axis_is_numeric(const kane_axis *axis)
{
    for (int i = 0; i < axis->count; i++)
        if (!isfinite(axis->numbers[i]))
            return 0;
    return 1;
}

void kane_axis_label(const kane_axis *axis, int has_unit, size_t size, char *text)
{
    (void)snprintf(text, size, has_unit && axis->unit[0] ? "%s [%s]" : "%s", axis->path, axis->unit);
}

double kane_grid_size(const kane_grid *grid)
{
    double size = 1.0;
    for (int a = 0; a < grid->axis_count; a++)
        size *= grid->axes[a]->count;
    return size;
}

void kane_grid_values(const kane_grid *grid, int index, int *value)
{
    for (int a = grid->axis_count - 1; a >= 0; a--) {
        value[a] = index % grid->axes[a]->count;
        index /= grid->axes[a]->count;
    }
}

int kane_grid_index(const kane_grid *grid, const int *value)
{
    int index = 0;
    for (int a = 0; a < grid->axis_count; a++)
        index = index * grid->axes[a]->count + value[a];
    return index;
}

// Reports values that an axis has twice: a mistake in typing.
static void check_repeated(const kane_axis *axis, kane_errors *errors)
{
    enum { MOST = 2000 }; // of longer lists only neighbours
    for (int i = 1; i < axis->count; i++)
        for (int k = axis->count > MOST ? i - 1 : 0; k < i; k++)
            if (strcmp(axis->texts[i], axis->texts[k]) == 0 || axis->numbers[i] == axis->numbers[k]) {
                kane_errors_add(errors, KANE_BAD_INPUT, "the axis '%s' has the value '%s' twice", axis->path,
                                axis->texts[i]);
                return;
            }
}

// Two axes of one parameter: the later would overwrite the earlier. Of two spellings of a path the longer one is whole.
static void check_pair(const kane_axis *a, const kane_axis *b, kane_errors *errors)
{
    const char *first = kane_axis_path(a->path), *second = kane_axis_path(b->path);
    if (kane_parameter_is_same(first, second))
        kane_errors_add(errors, KANE_BAD_INPUT, "two axes set %s: '%s' and '%s'",
                        strlen(first) > strlen(second) ? first : second, a->path, b->path);
}

int kane_grid_check(const kane_grid *grid, const char *const *settings, int may_repeat, kane_errors *errors)
{
    const int before = errors->count;
    for (int a = 0; a < grid->axis_count; a++) {
        const char *name = grid->axes[a]->path;
        for (int b = 0; b < a; b++)
            check_pair(grid->axes[b], grid->axes[a], errors);
        const char *rival = find_rival(grid->axes[a], settings);
        if (rival)
            kane_errors_add(errors, KANE_BAD_INPUT, "the axis '%s' and the setting '%s' contradict each other", name,
                            rival);
        if (grid->axes[a]->distribution.kind)
            kane_errors_add(errors, KANE_BAD_INPUT,
                            "the axis '%s' is a distribution, which kane sweep alone takes; here it needs values, "
                            "such as A:B:N",
                            name);
        if (!may_repeat)
            check_repeated(grid->axes[a], errors);
    }
    return errors->count == before;
}
