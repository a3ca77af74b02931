// SPDX-License-Identifier: MIT
// What is evaluated of an accelerometer: EN 14363 and UIC 518, comfort by EN 12299, Sperling.

#include "evaluate/standard.h"

#include <stdio.h>
#include <string.h>

static const double body_low = 0.4, body_high = 10.0, quasi_static = 20.0; // corners [Hz]
enum { BLOCKS_ASKED = 60 };                                                // of 5 s, by EN 12299

typedef struct sensor {
    kane_examination *e;
    const char *name;
    double *a[3]; // all rows, NULL: none
    int n;        // rows of the section
} sensor;

// Copy of all rows of an axis, for a filter.
static double *copy_rows(const sensor *s, int axis)
{
    const size_t n = (size_t)s->e->sampling.count;
    double *x      = kane_arena_doubles(s->e->scratch, n);
    s->e->failed |= !x;
    if (x)
        memcpy(x, s->a[axis], n * sizeof *x);
    return x;
}

// "floor front.acceleration.y"
static const char *channel_of(const sensor *s, int axis, char name[256])
{
    (void)snprintf(name, 256, "%.200s.acceleration.%c", s->name, "xyz"[axis]);
    return name;
}

static double rms_of(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum / n);
}

// Running behaviour: largest value and rms behind the band-pass.
static void assess_vibration(const sensor *s, int axis, kane_quantity_id most, kane_quantity_id mean)
{
    kane_examination *e = s->e;
    double *x           = s->a[axis] ? copy_rows(s, axis) : NULL;
    char name[256];
    if (!x || !kane_examine_band_pass(e, body_low, body_high, channel_of(s, axis, name), x, "accelerations"))
        return;
    const double *section = x + e->begin;
    const double low      = kane_examine_percentile(e, s->n, section, 0.15);
    const double high     = kane_examine_percentile(e, s->n, section, 99.85);
    kane_examine_add(e, most, s->name, fabs(low) > fabs(high) ? low : high, kane_limit_of(most, e->options->kind),
                     e->s[e->begin + kane_examine_largest_size(s->n, section)]);
    kane_examine_add(e, mean, s->name, rms_of(s->n, section), kane_limit_of(mean, e->options->kind), (double)NAN);
}

static void assess_quasi_static(const sensor *s)
{
    kane_examination *e = s->e;
    double *x           = s->a[1] && e->curve_count > 0 ? copy_rows(s, 1) : NULL;
    char name[256];
    if (x && kane_examine_low_pass(e, quasi_static, channel_of(s, 1, name), x, "accelerations"))
        kane_examine_add_quasi_static(e, KANE_ACC_Y_QST, s->name, x, kane_limit_of(KANE_ACC_Y_QST, e->options->kind));
}

// Weighted rows of the section; the weighting filter starts before the section. NULL: the axis has no rows, or cannot
// be weighted.
static const double *weight_rows(const sensor *s, int axis, kane_weighting weighting, const char *what)
{
    kane_examination *e = s->e;
    kane_errors why     = {.limit = 1};
    double *x           = s->a[axis] ? copy_rows(s, axis) : NULL;
    if (!x)
        return NULL;
    if (kane_weighting_apply(weighting, e->sampling.step, e->sampling.count, x, &why) == KANE_OK)
        return x + e->begin;
    kane_examine_format(e, what, &why);
    return NULL;
}

static void assess_comfort(const sensor *s)
{
    static const kane_weighting weightings[] = {KANE_WEIGHTING_WD, KANE_WEIGHTING_WD, KANE_WEIGHTING_WB};
    kane_examination *e                      = s->e;
    double p95[3];
    int blocks = 0;
    for (int axis = 0; axis < 3; axis++) {
        kane_errors why = {.limit = 1};
        const double *x = weight_rows(s, axis, weightings[axis], "comfort");
        if (!x)
            return;
        p95[axis] = kane_comfort_p95(e->sampling.step, s->n, x, &blocks, &why);
        if (!isfinite(p95[axis])) {
            kane_examine_format(e, "comfort", &why);
            return;
        }
    }
    if (blocks < BLOCKS_ASKED)
        kane_examine_note(e, "comfort: EN 12299 asks for %d blocks of 5 s, there are %d", (int)BLOCKS_ASKED, blocks);
    kane_examine_add(e, KANE_COMFORT, s->name, kane_comfort_mean(p95[0], p95[1], p95[2]), (double)NAN, (double)NAN);
}

// Passengers ride in coaches; of other vehicles the quality of the ride counts.
static void assess_sperling(const sensor *s, int axis, kane_quantity_id id, kane_weighting comfort)
{
    kane_examination *e            = s->e;
    const kane_weighting weighting = e->options->kind == KANE_CLASS_COACH ? comfort : KANE_WEIGHTING_SPERLING_QUALITY;
    const double *x                = weight_rows(s, axis, weighting, "Sperling");
    if (x)
        kane_examine_add(e, id, s->name, kane_sperling(s->n, x), (double)NAN, (double)NAN);
}

// What runs below the car body, the frame of a bogie or an axle box: lateral accelerations, and instability, of all
// rows unfiltered, whose limit is half the other one. limit: NaN where it is not known.
static void assess_running_gear(const sensor *s, kane_quantity_id most, kane_quantity_id instability, double limit)
{
    kane_examination *e = s->e;
    double *x = s->a[1] ? copy_rows(s, 1) : NULL, *raw = s->a[1] ? copy_rows(s, 1) : NULL;
    char name[256];
    if (!x || !raw)
        return;
    if (kane_examine_low_pass(e, body_high, channel_of(s, 1, name), x, "accelerations")) {
        const double *section = x + e->begin;
        const double low      = kane_examine_percentile(e, s->n, section, 0.15);
        const double high     = kane_examine_percentile(e, s->n, section, 99.85);
        kane_examine_add(e, most, s->name, fabs(low) > fabs(high) ? low : high, limit,
                         e->s[e->begin + kane_examine_largest_size(s->n, section)]);
    }
    kane_examine_instability(e, instability, s->name, raw, 0.5 * limit);
}

void kane_examine_sensor(kane_examination *e, const char *name, kane_sensor_place place)
{
    sensor s = {.e = e, .name = name, .n = e->end - e->begin};
    char channel[256];
    for (int axis = 0; axis < 3; axis++)
        s.a[axis] = kane_examine_rows(e, channel_of(&s, axis, channel));
    if (!e->failed && (!s.a[0] || !s.a[1] || !s.a[2]))
        kane_examine_note(e, "accelerometer '%s': not all its channels are there; record \"%s.acceleration.*\"", name,
                          name);
    if (place == KANE_SENSOR_ON_FRAME) {
        assess_running_gear(&s, KANE_FRAME_Y_MAX, KANE_FRAME_Y_RMS, kane_limit_frame(e->options->bogie_mass));
        return;
    }
    if (place == KANE_SENSOR_ON_BOX) {
        assess_running_gear(&s, KANE_BOX_Y_MAX, KANE_BOX_Y_RMS, e->options->axle_box_limit);
        return;
    }
    assess_vibration(&s, 1, KANE_ACC_Y_MAX, KANE_ACC_Y_RMS);
    assess_vibration(&s, 2, KANE_ACC_Z_MAX, KANE_ACC_Z_RMS);
    assess_quasi_static(&s);
    if (e->is_section)
        return;
    assess_comfort(&s);
    assess_sperling(&s, 1, KANE_SPERLING_Y, KANE_WEIGHTING_SPERLING_Y);
    assess_sperling(&s, 2, KANE_SPERLING_Z, KANE_WEIGHTING_SPERLING_Z);
}
