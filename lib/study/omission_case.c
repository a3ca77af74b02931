// SPDX-License-Identifier: MIT
// One case of an omission study: the complete run and one without a term, and how far apart they are. Cases of one
// condition share the complete run.

#include "study/omission.h"

#include "base/text.h"
#include "results/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- terms ---

enum { TERM_SIZE = 256, PER_BODY = 21 + 10, OF_ALL = 10 }; // 7 terms with 3 axes; those whole, 2 kinds, everything

static void add_term(kane_arena *arena, kane_omission_terms *l, const char *body, const char *kind, const char *term,
                     const char *axis)
{
    char text[TERM_SIZE];
    (void)snprintf(text, sizeof text, "%s:%s.%s.%s", body, kind, term, axis);
    l->texts[l->count++] = kane_arena_text(arena, text);
}

// All terms of a body, axis by axis, or its wholes. The imaginary force of translation acts at the mass centre and has
// no torque.
static void add_body(kane_arena *arena, kane_omission_terms *l, const char *body, int is_whole)
{
    const int axes = is_whole ? 1 : 3;
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = kind == KANE_FORCE ? 0 : KANE_TRANSLATION + 1; term < KANE_IMAGINARY_TERMS; term++)
            for (int i = 0; i < axes; i++)
                add_term(arena, l, body, kane_wrench_kind_name((kane_wrench_kind)kind),
                         kane_imaginary_term_name((kane_imaginary_term)term), is_whole ? "*" : kane_axis_name(i));
    for (int kind = 0; is_whole && kind < KANE_WRENCH_KINDS; kind++)
        add_term(arena, l, body, kane_wrench_kind_name((kane_wrench_kind)kind), "*", "*");
    if (is_whole)
        add_term(arena, l, body, "*", "*", "*");
}

int kane_omission_terms_all(kane_arena *arena, int body_count, const char *const *bodies, kane_omission_terms *terms)
{
    const size_t room     = (size_t)terms->count + (size_t)body_count * PER_BODY + OF_ALL;
    kane_omission_terms l = {terms->count, kane_arena_alloc(arena, room, sizeof *l.texts)};
    if (!l.texts)
        return 0;
    for (int i = 0; i < terms->count; i++)
        l.texts[i] = terms->texts[i];
    for (int j = 0; j < body_count; j++) {
        add_body(arena, &l, bodies[j], 0);
        add_body(arena, &l, bodies[j], 1);
    }
    if (body_count > 1)
        add_body(arena, &l, "*", 1);
    *terms = l;
    return !kane_arena_failed(arena);
}

int kane_omission_terms_groups(kane_arena *arena, int body_count, const char *const *bodies, kane_omission_terms *terms)
{
    const size_t room     = (size_t)terms->count + (size_t)body_count + OF_ALL;
    kane_omission_terms l = {terms->count, kane_arena_alloc(arena, room, sizeof *l.texts)};
    if (!l.texts)
        return 0;
    for (int i = 0; i < terms->count; i++)
        l.texts[i] = terms->texts[i];
    add_body(arena, &l, "*", 1);
    for (int j = 0; j < body_count && body_count > 1; j++)
        add_term(arena, &l, bodies[j], "*", "*", "*");
    *terms = l;
    return !kane_arena_failed(arena);
}

// 1 if a term has an element, "BODY:force.rotation.z".
static int has_element(const char *term, const char *element)
{
    char body[TERM_SIZE], name[TERM_SIZE];
    const char *colon = strrchr(term, ':'), *end = strrchr(element, ':');
    (void)snprintf(body, sizeof body, "%.*s", (int)(colon - term), term);
    (void)snprintf(name, sizeof name, "%.*s", (int)(end - element), element);
    return kane_name_matches(body, name) && kane_name_matches(colon + 1, end + 1);
}

static int have_common_element(const kane_omission_terms *elements, const char *a, const char *b)
{
    for (int i = 0; i < elements->count; i++)
        if (has_element(a, elements->texts[i]) && has_element(b, elements->texts[i]))
            return 1;
    return 0;
}

int kane_omission_terms_pairs(kane_arena *arena, int body_count, const char *const *bodies, int first,
                              kane_omission_terms *terms, const int **pairs)
{
    const int single             = terms->count;
    const size_t room            = (size_t)single * ((size_t)single + 1);
    kane_omission_terms elements = {0, NULL};
    kane_omission_terms l        = {0, kane_arena_alloc(arena, room, sizeof *l.texts)};
    int *own                     = kane_arena_alloc(arena, 2 * room, sizeof *own);
    char text[2 * TERM_SIZE];
    if (!l.texts || !own || !kane_omission_terms_all(arena, body_count, bodies, &elements))
        return 0;
    for (int i = 0; i < single; i++) {
        l.texts[l.count]       = terms->texts[i];
        own[2 * l.count]       = -1;
        own[2 * l.count++ + 1] = -1;
    }
    for (int i = first; i < single; i++)
        for (int k = i + 1; k < single; k++) {
            if (have_common_element(&elements, terms->texts[i], terms->texts[k]))
                continue;
            (void)snprintf(text, sizeof text, "%s + %s", terms->texts[i], terms->texts[k]);
            l.texts[l.count]       = kane_arena_text(arena, text);
            own[2 * l.count]       = i;
            own[2 * l.count++ + 1] = k;
        }
    *terms = l;
    *pairs = own;
    return !kane_arena_failed(arena);
}

int kane_omission_is_whole(const char *term)
{
    const char *colon = strrchr(term, ':');
    return !colon || strpbrk(term, "*?") || strchr(colon, '['); // a name of a body may have brackets
}

// A name of a body may have dots and characters of patterns: body and rest are compared one by one wherever they may
// meet.
int kane_omission_shows(const char *what, const char *term, const char *channel)
{
    const size_t length = strlen(what);
    const char *colon   = strrchr(term, ':');
    char body[TERM_SIZE], name[TERM_SIZE];
    if (!colon || strncmp(channel, what, length) != 0 || channel[length] != '.')
        return 0;
    (void)snprintf(body, sizeof body, "%.*s", (int)(colon - term), term);
    const char *first = channel + length + 1;
    for (const char *dot = strchr(first, '.'); dot; dot = strchr(dot + 1, '.')) {
        (void)snprintf(name, sizeof name, "%.*s", (int)(dot - first), first);
        if (kane_name_matches(body, name) && kane_name_matches(colon + 1, dot + 1))
            return 1;
    }
    return 0;
}

// --- two runs ---

enum { TIME, DISTANCE }; // columns of a run on a track; of others the first one

static const double same = 1e-9; // times [s] and distances [m] that are one

double kane_omission_nothing(const char *unit)
{
    static const struct {
        const char *unit;
        double nothing;
    } table[] = {{"m", 1e-5},   {"rad", 1e-5},   {"N", 10.0},     {"N m", 10.0},
                 {"m/s", 1e-4}, {"rad/s", 1e-4}, {"m/s^2", 1e-3}, {"rad/s^2", 1e-3}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(unit, table[i].unit) == 0)
            return table[i].nothing;
    return 1e-9;
}

int kane_omission_progress(const kane_results *run)
{
    const int is_on_track =
        kane_results_column_count(run) > DISTANCE && strcmp(kane_results_column(run, DISTANCE)->name, "distance") == 0;
    return is_on_track ? DISTANCE : TIME;
}

// Value of a run at a distance travelled; *row: a row from which to search on. NaN where it has not been.
static double at_distance(const kane_results *run, const double *values, double distance, int *row)
{
    const double *x = kane_results_values(run, kane_omission_progress(run));
    const int last  = kane_results_row_count(run) - 1;
    while (*row < last && x[*row + 1] < distance)
        ++*row;
    const int k = *row;
    if (fabs(x[k] - distance) <= same)
        return values[k];
    if (k == last || distance < x[k])
        return NAN;
    const double part = (distance - x[k]) / (x[k + 1] - x[k]);
    return values[k] + part * (values[k + 1] - values[k]);
}

// Rows that both have at the same times.
static int common_rows(const kane_results *a, const kane_results *b)
{
    const double *ta = kane_results_values(a, TIME), *tb = kane_results_values(b, TIME);
    const int rows =
        kane_results_row_count(a) < kane_results_row_count(b) ? kane_results_row_count(a) : kane_results_row_count(b);
    int k = 0;
    while (k < rows && fabs(ta[k] - tb[k]) <= same)
        k++;
    return k;
}

// 1 if frames are at the same places at the same times, as a prescribed speed has it.
static int travel_alike(const kane_results *a, const kane_results *b, int rows)
{
    const double *xa = kane_results_values(a, kane_omission_progress(a));
    const double *xb = kane_results_values(b, kane_omission_progress(b));
    for (int k = 0; k < rows; k++)
        if (fabs(xa[k] - xb[k]) > same)
            return 0;
    return 1;
}

void kane_omission_unwrap(kane_results *run)
{
    const double half = acos(-1.0), end = half * (1.0 + 1e-12);
    for (int c = 0; c < run->column_count; c++) {
        double *values = run->values[c], turns = 0.0, last = 0.0;
        int ends = strcmp(run->columns[c].unit, "rad") == 0;
        for (int k = 0; k < run->row_count && ends; k++)
            ends = fabs(values[k]) <= end;
        for (int k = 0; k < run->row_count && ends; k++) {
            const double value = values[k];
            if (k > 0 && fabs(value - last) > half)
                turns += value < last ? 1.0 : -1.0;
            values[k] = value + 2.0 * half * turns;
            last      = value;
        }
    }
}

static double range_of(const double *values, int rows)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < rows; k++) {
        low  = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    return rows > 0 ? high - low : 0.0;
}

// Column `own` of the run that omits something, `column` of the complete one.
static kane_omission_difference compare_columns(const kane_results *complete, int column, const kane_results *omitting,
                                                int own)
{
    const double *a            = kane_results_values(complete, column);
    const double *b            = kane_results_values(omitting, own);
    const double *x            = kane_results_values(complete, kane_omission_progress(complete));
    const int all              = kane_results_row_count(complete);
    const int common           = common_rows(complete, omitting);
    const int alike            = travel_alike(complete, omitting, common);
    const int rows             = alike ? common : all;
    kane_omission_difference d = {.channel = column, .range = range_of(a, all)};
    double squares             = 0.0;
    int count = 0, row = 0;
    for (int k = 0; k < rows; k++) {
        const double difference = (alike ? b[k] : at_distance(omitting, b, x[k], &row)) - a[k];
        if (isnan(difference))
            continue;
        squares += difference * difference;
        count++;
        if (fabs(difference) > d.difference) {
            d.difference = fabs(difference);
            d.at         = x[k];
        }
    }
    d.rms = count > 0 ? sqrt(squares / count) : 0.0;
    return d;
}

int kane_omission_matches(const char *pattern, const char *channel)
{
    static const char *const own[] = {"imaginary.", "impulse."};
    int is_meant                   = 1;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const size_t length = strlen(own[i]);
        if (strncmp(channel, own[i], length) == 0)
            is_meant = strncmp(pattern, own[i], length) == 0;
    }
    return is_meant && kane_name_matches(pattern, channel);
}

kane_omission_difference kane_omission_compare(const kane_results *complete, const kane_results *omitting,
                                               const char *pattern)
{
    kane_omission_difference worst = {.channel = -1.0};
    double range                   = 0.0;
    for (int c = kane_omission_progress(omitting) + 1; c < kane_results_column_count(omitting); c++) {
        const char *name = kane_results_column(omitting, c)->name;
        const int column = kane_omission_matches(pattern, name) ? kane_column_named(complete, name) : -1;
        if (column < 0)
            continue;
        const kane_omission_difference d = compare_columns(complete, column, omitting, c);
        range                            = fmax(range, d.range);
        if (worst.channel < 0.0 || d.difference > worst.difference)
            worst = d;
    }
    worst.range = range;
    return worst;
}

static const int rows_of_a_piece = 3; // of the line, or of the speed, for which nothing can hide between rows

// --- the complete run of a condition ---

void kane_omission_forget(kane_omission_setup *o)
{
    kane_results_free(o->complete);
    kane_omission_closed_free(o->closed);
    kane_run_free(o->run);
    o->complete  = NULL;
    o->closed    = NULL;
    o->run       = NULL;
    o->condition = -1;
}

// Largest step between two rows [m]; without a track [s].
static double largest_row_step(const kane_results *run)
{
    const double *x = kane_results_values(run, kane_omission_progress(run));
    double most     = 0.0;
    for (int k = 1; k < kane_results_row_count(run); k++)
        most = fmax(most, x[k] - x[k - 1]);
    return most;
}

// Terms change only where the line or the acceleration does: if every segment of them has some rows, a term that is
// zero in all rows is zero between them. Not known of a driven vehicle, and of frames that move by functions of time.
static int is_fine(const kane_run_definition *run, const kane_results *complete)
{
    const double step = rows_of_a_piece * largest_row_step(complete);
    if (!run->track || run->vehicle->given_frame_count > 0 || run->drive.kind != KANE_DRIVE_PRESCRIBED ||
        run->drive.curve.point_count > 0)
        return 0;
    for (int i = 0; i < kane_track_piece_count(run->track); i++)
        if (kane_track_piece_start(run->track, i + 1) - kane_track_piece_start(run->track, i) < step)
            return 0;
    for (int i = 0; i + 1 < run->drive.piece_count; i++)
        if (run->drive.pieces[i + 1].time - run->drive.pieces[i].time < rows_of_a_piece * run->output.every)
            return 0;
    return 1;
}

// If it fails, every case of the condition fails for the same reason, o->why.
void kane_omission_run_complete(kane_omission_setup *o, int condition)
{
    kane_errors errors = {.limit = 1};
    char name[KANE_STUDY_NAME];
    if (o->condition == condition)
        return;
    (void)snprintf(name, sizeof name, "complete-%04d", condition + 1);
    kane_omission_forget(o);
    o->condition = condition;
    o->run       = kane_omission_read(o, condition, &errors);
    if (o->run && o->has_no_rows)
        return;
    if (o->run)
        o->complete = kane_omission_run_cases(o, condition, o->run, KANE_OMISSION_COMPLETE, name, &o->outcome, &errors);
    if (o->complete && o->outcome.status == KANE_OK) {
        o->is_fine = is_fine(kane_run_get_definition(o->run), o->complete);
        o->closed  = kane_omission_closed_create(kane_run_get_definition(o->run), o->complete);
        return;
    }
    kane_run_free(o->run);
    o->run = NULL;
    kane_text_copy(sizeof o->why, o->why, errors.count > 0 ? kane_errors_get(&errors, 0)->text : "out of memory");
}

// --- one term ---

// Largest absolute value of a term's channels with this unit, or of the steps of their sums (is_sum); NaN if there are
// none.
static double largest_term_value(const kane_results *complete, const char *term, const char *what, const char *unit,
                                 int is_sum)
{
    double most = NAN;
    for (int c = 0; c < kane_results_column_count(complete) && term[0]; c++) {
        const kane_column *column = kane_results_column(complete, c);
        const double *values      = kane_results_values(complete, c);
        if (strcmp(column->unit, unit) != 0 || !kane_omission_shows(what, term, column->name))
            continue;
        most = isnan(most) ? 0.0 : most;
        for (int k = 0; k < kane_results_row_count(complete); k++)
            most = fmax(most, fabs(values[k] - (is_sum && k > 0 ? values[k - 1] : 0.0)));
    }
    return most;
}

int kane_omission_measure_term(const kane_omission_setup *o, int number, kane_omission_record *record)
{
    static const char *const units[2][KANE_WRENCH_KINDS] = {{"N", "N m"}, {"N s", "N m s"}};
    const int *pair                                      = o->pairs ? o->pairs + 2 * number : NULL;
    const char *term = o->own_terms[kane_omission_run_of(o, o->condition) * o->is.terms + number];
    int known = 0, zero = 1;
    record->is_empty = 0.0;
    if (pair && pair[0] >= 0) {
        kane_omission_record first = *record, second = *record;
        zero = kane_omission_measure_term(o, pair[0], &first) & kane_omission_measure_term(o, pair[1], &second);
        for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++) {
            record->omitted[kind] = fmax(first.omitted[kind], second.omitted[kind]);
            record->impulse[kind] = fmax(first.impulse[kind], second.impulse[kind]);
        }
        return zero;
    }
    for (int i = 0; i < 2 * KANE_WRENCH_KINDS; i++) {
        const int is_sum = i / KANE_WRENCH_KINDS, kind = i % KANE_WRENCH_KINDS;
        const double most =
            largest_term_value(o->complete, term, is_sum ? "impulse" : "imaginary", units[is_sum][kind], is_sum);
        *(is_sum ? &record->impulse[kind] : &record->omitted[kind]) = most;
        known                                                       = known || !isnan(most);
        zero                                                        = zero && !(most > 0.0);
    }
    record->is_empty = known && zero;
    return o->is_fine && known && zero;
}

static const double slight =
    1e-3; // [s] an impulse is nothing beside what the largest load of the term gives in this time

// Ends and distances of both runs, and the differences of their responses, into the record.
static void compare_responses(const kane_omission_setup *o, int number, const kane_results *omitting,
                              const kane_outcome *outcome, kane_omission_record *record)
{
    const int run                  = kane_omission_run_of(o, o->condition);
    const char *term               = o->own_terms[run * o->is.terms + number];
    const kane_outcome *outcomes[] = {&o->outcome, outcome};
    for (int i = 0; i < 2; i++) {
        record->end[i]      = outcomes[i]->stop;
        record->distance[i] = o->travels ? outcomes[i]->distance : outcomes[i]->time;
    }
    int is_kinked = 0;
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        is_kinked |= record->impulse[kind] > slight * record->omitted[kind];
    kane_omission_closed_groups(o->closed, term, is_kinked, record->group);
    for (int r = 0; r < o->is.responses; r++) {
        const kane_omission_channels *of = &o->channels[run * o->is.responses + r];
        kane_omission_difference *own    = &record->response[r];
        *own = kane_omission_compare(o->complete, omitting, o->patterns[run * o->pattern_count + r]);

        const char *name = own->channel < 0.0 ? "" : kane_results_column(o->complete, (int)own->channel)->name;
        int i            = of->count - 1;
        while (i >= 0 && strcmp(of->names[i], name) != 0)
            i--;
        own->channel = i;
        own->closed  = kane_omission_closed_get(o->closed, term, name, record->impulse);
    }
}

// A run in which integration fails is a result, too: without the term the motion cannot be computed.
void kane_omission_work(int index, kane_case *result, void *data)
{
    kane_omission_setup *o       = data;
    kane_omission_record *record = (kane_omission_record *)(void *)result->values;
    const int term               = index % o->is.terms;
    kane_outcome outcome         = {.status = KANE_OK};
    kane_errors errors           = {.limit = 1};
    char name[KANE_STUDY_NAME];
    kane_omission_run_complete(o, index / o->is.terms);
    result->state = KANE_CASE_FAILED;
    if (!o->run) {
        kane_text_copy(sizeof result->why, result->why, o->why);
        return;
    }
    record->is_zero = kane_omission_measure_term(o, term, record);
    if (record->is_zero == 1.0) {
        compare_responses(o, term, o->complete, &o->outcome, record);
        result->state = KANE_CASE_DONE;
        return;
    }
    kane_results *omitting =
        kane_omission_run_cases(o, o->condition, o->run, term, kane_study_case_name(index, name), &outcome, &errors);
    kane_text_copy(sizeof result->why, result->why, errors.count > 0 ? kane_errors_get(&errors, 0)->text : "");
    if (omitting && (outcome.status == KANE_OK || outcome.stop == KANE_STOP_FAILED)) {
        compare_responses(o, term, omitting, &outcome, record);
        result->state = KANE_CASE_DONE;
    } else if (errors.count == 0 && outcome.status != KANE_OK) {
        kane_text_copy(sizeof result->why, result->why, kane_status_text(outcome.status));
    }
    kane_results_free(omitting);
}
