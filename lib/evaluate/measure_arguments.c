// SPDX-License-Identifier: MIT
// Arguments of a measure: what is done with the rows of a channel.
//
//   argument  = "abs" | "rate" | filter | weighting | sliding | window
//   filter    = ( [ "<" ] f | ">" f | f "-" f ) [ "zero phase" ]        20 Hz, >0.4 Hz, 0.4-10 Hz zero phase
//   weighting = "Wb" | "Wc" | "Wd" | "Wk"
//   sliding   = ( "mean" | "rms" ) length [ "by" length ]               mean 2 m, rms 100 m by 10 m, mean 1 s
//   window    = [ quantity ] ".." [ quantity ]                          in m or s

#include "evaluate/measure.h"

#include "base/number.h"
#include "base/unit.h"

#include <string.h>

// --- pieces ---

static kane_piece trim_between(const char *from, const char *to)
{
    return kane_piece_trim((kane_piece){from, (size_t)(to - from)});
}

// First occurrence of a text in a piece, NULL if there is none.
static const char *find_text(kane_piece a, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= a.length; i++)
        if (strncmp(a.at + i, text, length) == 0)
            return a.at + i;
    return NULL;
}

static int has_unit(kane_piece a)
{
    return a.length > 0 && kane_number_length(a.at) < a.length;
}

// Value of a quantity; a number alone takes the unit of `other`. 0 with an error.
static int read_quantity(const kane_measure_parser *p, kane_piece a, kane_piece other, const char *unit, double *value)
{
    char typed[128], reason[256];
    kane_text text = kane_text_start(sizeof typed, typed), fault = kane_text_start(sizeof reason, reason);
    kane_text_add(&text, "%.*s", (int)a.length, a.at);
    if (a.length > 0 && !has_unit(a)) {
        const size_t number = kane_number_length(other.at);
        if (number >= other.length)
            return kane_measure_refuse(p, a.at, "'%.*s' needs a unit, %s", (int)a.length, a.at, unit);
        kane_text_add(&text, "%.*s", (int)(other.length - number), other.at + number);
    }
    return kane_quantity_parse(typed, unit, value, &fault) || kane_measure_refuse(p, a.at, "%s", reason);
}

// Whether the quantity is a distance or a time.
static kane_window_axis axis_of(kane_piece a)
{
    static const char *const units[] = {"m", "s"};
    char typed[128], reason[256];
    kane_text text = kane_text_start(sizeof typed, typed);
    double value;
    kane_text_add(&text, "%.*s", (int)a.length, a.at);
    for (int i = 0; i < 2; i++) {
        kane_text fault = kane_text_start(sizeof reason, reason);
        if (has_unit(a) && kane_quantity_parse(typed, units[i], &value, &fault))
            return i == 0 ? KANE_WINDOW_DISTANCE : KANE_WINDOW_TIME;
    }
    return KANE_WINDOW_NONE;
}

static const char *unit_of(kane_window_axis axis)
{
    return axis == KANE_WINDOW_DISTANCE ? "m" : "s";
}

// --- window ---

static int read_window(const kane_measure_parser *p, kane_piece a, const char *dots)
{
    kane_measure *m       = p->measure;
    const kane_piece from = trim_between(a.at, dots), to = trim_between(dots + 2, a.at + a.length);
    const kane_piece typed = has_unit(to) ? to : from;
    if (m->axis != KANE_WINDOW_NONE)
        return kane_measure_refuse(p, a.at, "a second window, only one is possible");
    if (!has_unit(typed))
        return kane_measure_refuse(p, a.at, "a window needs a unit, m or s: \"50 m..150 m\", \"2 s..\"");
    const kane_window_axis axis = axis_of(typed);
    if (axis == KANE_WINDOW_NONE)
        return kane_measure_refuse(p, typed.at,
                                   "a window is between two distances or two times: \"50 m..150 m\", \"2 s..5 s\"");
    if (from.length > 0 && !read_quantity(p, from, to, unit_of(axis), &m->from))
        return 0;
    if (to.length > 0 && !read_quantity(p, to, from, unit_of(axis), &m->to))
        return 0;
    if (!(m->from < m->to))
        return kane_measure_refuse(p, a.at, "the window ends where it begins or before");
    m->axis = axis;
    return 1;
}

// --- sliding values ---

// EN 14363 slides forces over 2 m in steps of 0.5 m, and effective values over 100 m in steps of 10 m.
static const double mean_steps = 4.0, rms_steps = 10.0;

static int read_sliding(const kane_measure_parser *p, kane_piece a, kane_sliding_kind kind, kane_measure_step *step)
{
    const char *word = kind == KANE_SLIDING_MEAN ? "mean" : "rms", *by = find_text(a, " by "), *end = a.at + a.length;
    const kane_piece length = trim_between(a.at + strlen(word), by ? by : end);
    *step                   = (kane_measure_step){.kind = KANE_STEP_SLIDING, .sliding = kind, .axis = axis_of(length)};
    if (step->axis == KANE_WINDOW_NONE)
        return kane_measure_refuse(
            p, length.at, "\"%s\" slides over a distance or a time: \"%s 2 m\", \"%s 2 m by 0.5 m\"", word, word, word);
    if (!read_quantity(p, length, length, unit_of(step->axis), &step->length))
        return 0;
    step->by = step->length / (kind == KANE_SLIDING_MEAN ? mean_steps : rms_steps);
    if (by && !read_quantity(p, trim_between(by + 4, end), length, unit_of(step->axis), &step->by))
        return 0;
    if (!(step->length > 0.0 && step->by > 0.0))
        return kane_measure_refuse(p, length.at, "a length that is not positive");
    return 1;
}

// --- filters ---

// The '-' between two frequencies; one behind an 'e' belongs to a number.
static const char *find_dash(kane_piece a)
{
    for (size_t i = 1; i < a.length; i++)
        if (a.at[i] == '-' && a.at[i - 1] != 'e' && a.at[i - 1] != 'E')
            return a.at + i;
    return NULL;
}

static int read_corners(const kane_measure_parser *p, kane_piece a, kane_measure_step *step)
{
    const char *dash = find_dash(a), *end = a.at + a.length;
    if (dash) {
        const kane_piece low = trim_between(a.at, dash), high = trim_between(dash + 1, end);
        step->kind = KANE_STEP_BAND_PASS;
        return read_quantity(p, low, high, "Hz", &step->low) && read_quantity(p, high, high, "Hz", &step->high);
    }
    const int is_marked     = *a.at == '<' || *a.at == '>';
    const kane_piece corner = trim_between(a.at + is_marked, end);
    step->kind              = *a.at == '>' ? KANE_STEP_HIGH_PASS : KANE_STEP_LOW_PASS;
    return read_quantity(p, corner, corner, "Hz", step->kind == KANE_STEP_HIGH_PASS ? &step->low : &step->high);
}

static int read_filter(const kane_measure_parser *p, kane_piece a, kane_measure_step *step)
{
    const char *phase     = find_text(a, "zero phase");
    const kane_piece band = trim_between(a.at, phase ? phase : a.at + a.length);
    *step                 = (kane_measure_step){.low = 1.0, .high = 1.0};
    step->passes          = phase ? KANE_FORTH_AND_BACK : KANE_FORTH;
    if (phase && !kane_piece_is(trim_between(phase, a.at + a.length), "zero phase"))
        return kane_measure_refuse(p, phase, "nothing can follow \"zero phase\"");
    if (band.length == 0)
        return kane_measure_refuse(p, a.at, "zero phase of what? \"20 Hz zero phase\"");
    if (!read_corners(p, band, step))
        return 0;
    if (!(step->low > 0.0 && step->high > 0.0))
        return kane_measure_refuse(p, a.at, "a frequency that is not positive");
    if (step->kind == KANE_STEP_BAND_PASS && !(step->low < step->high))
        return kane_measure_refuse(p, a.at, "the band ends where it begins or before");
    return 1;
}

// Whether it begins as a filter.
static int is_filter(kane_piece a)
{
    return *a.at == '<' || *a.at == '>' || kane_number_length(a.at) > 0 || find_text(a, "zero phase");
}

// --- all ---

static kane_weighting weighting_of(kane_piece a)
{
    for (int i = 0; i <= KANE_WEIGHTING_WK; i++)
        if (kane_piece_is(a, kane_weighting_name((kane_weighting)i)))
            return (kane_weighting)i;
    return KANE_WEIGHTINGS;
}

static int read_step(const kane_measure_parser *p, kane_piece a, kane_measure_step *step)
{
    const kane_weighting weighting = weighting_of(a);
    if (kane_piece_is(a, "abs"))
        *step = (kane_measure_step){.kind = KANE_STEP_SIZE};
    else if (kane_piece_is(a, "rate"))
        *step = (kane_measure_step){.kind = KANE_STEP_RATE};
    else if (weighting != KANE_WEIGHTINGS)
        *step = (kane_measure_step){.kind = KANE_STEP_WEIGHTING, .weighting = weighting};
    else if (find_text(a, "mean ") == a.at)
        return read_sliding(p, a, KANE_SLIDING_MEAN, step);
    else if (find_text(a, "rms ") == a.at)
        return read_sliding(p, a, KANE_SLIDING_RMS, step);
    else if (is_filter(a))
        return read_filter(p, a, step);
    else
        return kane_measure_refuse(
            p, a.at,
            "'%.*s' is no filter (\"20 Hz\", \">0.4 Hz\", \"0.4-10 Hz\", \"Wb\"), does not slide "
            "(\"mean 2 m\", \"rms 100 m\"), is no window (\"50 m..150 m\", \"2 s..\") and neither "
            "\"abs\" nor \"rate\"",
            (int)a.length, a.at);
    return 1;
}

int kane_measure_read_argument(const kane_measure_parser *p, kane_piece a)
{
    kane_measure *m  = p->measure;
    const char *dots = find_text(a, "..");
    if (a.length == 0)
        return kane_measure_refuse(p, a.at, "nothing stands here");
    if (dots)
        return read_window(p, a, dots);
    if (m->step_count == KANE_MEASURE_STEPS)
        return kane_measure_refuse(p, a.at, "more than %d steps", KANE_MEASURE_STEPS);
    return read_step(p, a, &m->steps[m->step_count]) && ++m->step_count;
}
