// SPDX-License-Identifier: MIT
// Irregularities: sines and spectra in one table, records and single defects beside it, and the fade-in.
//
// A look-up costs the same for one sine and for a thousand. Values, slopes and second derivatives at equidistant points
// are exact and the polynomials of degree five between them are twice continuously differentiable; with steps of a
// twelfth of the shortest wavelength they differ from a sine by less than (2 pi/12)^6/46080 = 4.5e-7 of its amplitude.
//
// A window of the table is computed when a place in it is first read, by whichever thread that is. Its values do not
// depend on the order of reading, so evaluations remain functions of the place. Memory of windows that are never read
// is never touched: the system gives none for it.

#include "track/piece.h"

#include "math/spline.h"

#include "track/waves.h"

#include <stdatomic.h>
#include <string.h>

enum { STEPS_PER_WAVE = 12, DEGREE = 5, WINDOW = KANE_WALK_RENEWS }; // WINDOW: intervals

// Sines that need more intervals are summed up at each place.
static const double INTERVALS_OF_SINES = 1e6;

// The table covers the line and this much beyond its ends [m]; further out the sums are made afresh.
static const double beyond = 100.0;

static const double two_pi = 6.283185307179586477;

typedef struct interval {
    double c[2][DEGREE + 1][2]; // [side][power of the fraction of the step][KANE_OFFSET_Y, KANE_OFFSET_Z] [m]
} interval;

// How windows are computed, by one thread at a time.
typedef struct window_maker {
    atomic_flag lock;
    kane_wave_walk walk;
} window_maker;

struct kane_irregularities {
    double fade_from, inverse_fade;  // [m], [1/m]
    double from, step, inverse_step; // of the table [m], [1/m]
    double count;                    // intervals; 0: no table
    interval *table;                 // [count]
    atomic_uchar *is_made;           // [window]: 1: its intervals may be read
    window_maker *maker;
    kane_waves waves;
    int record_count;
    const kane_record *records;
    const kane_defects *defects; // NULL: none
    int spectrum_count;
    const kane_spectrum_definition *spectra;
};

// The polynomial of degree five over a step h with given values, slopes and second derivatives at both ends.
static void fit_quintic(const double a[3], const double b[3], double h, double c[DEGREE + 1][2], int axis)
{
    const double rise = b[0] - a[0], a1 = h * a[1], b1 = h * b[1], a2 = 0.5 * h * h * a[2], b2 = 0.5 * h * h * b[2];

    c[0][axis] = a[0];
    c[1][axis] = a1;
    c[2][axis] = a2;
    c[3][axis] = 10.0 * rise - 6.0 * a1 - 4.0 * b1 - 3.0 * a2 + b2;
    c[4][axis] = -15.0 * rise + 8.0 * a1 + 7.0 * b1 + 3.0 * a2 - 2.0 * b2;
    c[5][axis] = 6.0 * rise - 3.0 * a1 - 3.0 * b1 - a2 + b2;
}

double kane_irregularities_step(const kane_track_definition *d)
{
    double step = HUGE_VAL;
    for (int i = 0; i < d->irregularity_count; i++)
        step = fmin(step, d->irregularities[i].wavelength / STEPS_PER_WAVE);
    for (int i = 0; i < d->spectrum_count; i++)
        step = fmin(step, d->spectra[i].shortest / STEPS_PER_WAVE);
    return step;
}

double kane_irregularities_intervals(double step, double end)
{
    return ceil((end + 2.0 * beyond) / step);
}

// Polynomials of one window: those of the places at their ends.
static void fill_window(const kane_irregularities *w, int window)
{
    const int first = window * WINDOW, count = (int)fmin(WINDOW, w->count - first);
    kane_rails_point here = {0};
    w->maker->walk.place  = first;
    for (int i = 0; i <= count; i++) {
        kane_rails_point next = {0};
        kane_wave_walk_next(&w->maker->walk, &next);
        for (int side = 0; i > 0 && side < 2; side++)
            for (int axis = 0; axis < 2; axis++)
                fit_quintic(here.d[side][axis], next.d[side][axis], w->step, w->table[first + i - 1].c[side], axis);
        here = next;
    }
}

// A thread that comes while another computes waits, a millisecond at most.
static void make_window(const kane_irregularities *w, int window)
{
    if (atomic_load_explicit(&w->is_made[window], memory_order_acquire))
        return;
    while (atomic_flag_test_and_set_explicit(&w->maker->lock, memory_order_acquire))
        ;
    if (!atomic_load_explicit(&w->is_made[window], memory_order_relaxed)) {
        fill_window(w, window);
        atomic_store_explicit(&w->is_made[window], 1, memory_order_release);
    }
    atomic_flag_clear_explicit(&w->maker->lock, memory_order_release);
}

void kane_irregularities_tabulate(const kane_irregularities *w)
{
    for (int window = 0; window * (double)WINDOW < w->count; window++)
        make_window(w, window);
}

// 0 if memory had none.
static int create_table(kane_irregularities *w, double step, double end, kane_arena *memory)
{
    const double count  = kane_irregularities_intervals(step, end);
    const int is_needed = w->spectrum_count > 0; // sines can do without
    if (!(count > 0.0 && count <= (is_needed ? KANE_INTERVALS_MOST : INTERVALS_OF_SINES)))
        return 1;
    w->table   = kane_arena_alloc(memory, (size_t)count, sizeof *w->table);
    w->is_made = kane_arena_alloc(memory, (size_t)count / WINDOW + 1, sizeof *w->is_made);
    w->maker   = kane_arena_alloc(memory, 1, sizeof *w->maker);
    w->step    = (end + 2.0 * beyond) / count;
    if (!w->table || !w->is_made || !w->maker ||
        !kane_wave_walk_start(&w->maker->walk, &w->waves, w->from, w->step, memory))
        return 0;
    atomic_flag_clear(&w->maker->lock);
    w->count        = count;
    w->inverse_step = 1.0 / w->step;
    return 1;
}

// --- sines ---

// Phases of a file's sines count from chainage 0, where the line need not begin.
static kane_wave make_sine(const kane_irregularity_definition *d, double start)
{
    const double laps = fmod(start, d->wavelength) / d->wavelength;
    return (kane_wave){.wavelength = d->wavelength, .amplitude = d->amplitude, .phase = d->phase + two_pi * laps};
}

// Waves of one kind, from `at` on.
static int fill_kind(const kane_track_definition *d, kane_irregularity_kind kind, kane_wave *wave)
{
    int count = 0, twin = 0;
    for (int i = 0; i < d->irregularity_count; i++)
        if (d->irregularities[i].kind == kind)
            wave[count++] = make_sine(&d->irregularities[i], d->start);
    for (int i = 0; i < d->spectrum_count; i++)
        if (d->spectra[i].kind == kind) {
            kane_spectrum_waves(&d->spectra[i], twin++, wave + count);
            count += d->spectra[i].wave_count;
        }
    return count;
}

// 0 if memory had none.
static int make_waves(const kane_track_definition *d, kane_waves *waves, kane_arena *memory)
{
    int count = d->irregularity_count;
    for (int i = 0; i < d->spectrum_count; i++)
        count += d->spectra[i].wave_count;
    waves->wave     = kane_arena_alloc(memory, (size_t)count, sizeof *waves->wave);
    waves->first[0] = 0;
    for (int kind = 0; waves->wave && kind < KANE_IRREGULARITY_KINDS; kind++)
        waves->first[kind + 1] =
            waves->first[kind] + fill_kind(d, (kane_irregularity_kind)kind, waves->wave + waves->first[kind]);
    return waves->wave != NULL;
}

// --- all of it ---

// Copies of what the definition only points to. 0 if memory had none.
static int copy_definition(const kane_track_definition *d, double end, kane_irregularities *w, kane_arena *memory)
{
    kane_record *records              = kane_arena_alloc(memory, (size_t)d->record_count, sizeof *records);
    kane_spectrum_definition *spectra = kane_arena_alloc(memory, (size_t)d->spectrum_count, sizeof *spectra);
    if (!records || !spectra)
        return 0;
    for (int i = 0; i < d->record_count; i++)
        if (!kane_record_make(&d->records[i], d->start, &records[i], memory))
            return 0;
    for (int i = 0; i < d->spectrum_count; i++) {
        spectra[i]       = d->spectra[i];
        spectra[i].place = (kane_place){"", 0, 0, ""};
    }
    w->records        = records;
    w->record_count   = d->record_count;
    w->spectra        = spectra;
    w->spectrum_count = d->spectrum_count;
    if (d->defect_count > 0 && !(w->defects = kane_defects_make(d, end, memory)))
        return 0;
    return make_waves(d, &w->waves, memory);
}

kane_irregularities *kane_irregularities_make(const kane_track_definition *d, double end, kane_arena *memory)
{
    if (d->irregularity_count + d->spectrum_count + d->record_count + d->defect_count == 0)
        return NULL;
    kane_irregularities *w = kane_arena_alloc(memory, 1, sizeof *w);
    if (!w || !copy_definition(d, end, w, memory))
        return NULL;
    w->from = -beyond;
    // without fade-in every s lies far behind it
    w->fade_from    = d->fade_in_length > 0.0 ? d->fade_in_from - d->start : -1e300;
    w->inverse_fade = d->fade_in_length > 0.0 ? 1.0 / d->fade_in_length : 1.0;
    return create_table(w, kane_irregularities_step(d), end, memory) ? w : NULL;
}

int kane_irregularities_are_rough(const kane_irregularities *w)
{
    return w->waves.first[KANE_IRREGULARITY_KINDS] + w->record_count > 0;
}

double kane_irregularities_spectrum(const kane_irregularities *w, kane_irregularity_kind kind, double O)
{
    double sum = 0.0;
    for (int i = 0; i < w->spectrum_count; i++)
        sum += kane_spectrum_share(&w->spectra[i], kind, O);
    return sum;
}

// Value and derivatives of one rail from the table.
static void look_up(const kane_irregularities *w, kane_side side, double place, kane_rail_offset *o)
{
    const int i         = (int)place;
    const double x      = place - i;
    double(*const c)[2] = w->table[i].c[side];
    double value[2], slope[2], bend[2], third[2];

    for (int j = 0; j < 2; j++) {
        value[j] = c[0][j] + x * (c[1][j] + x * (c[2][j] + x * (c[3][j] + x * (c[4][j] + x * c[5][j]))));
        slope[j] = c[1][j] + x * (2.0 * c[2][j] + x * (3.0 * c[3][j] + x * (4.0 * c[4][j] + x * 5.0 * c[5][j])));
        bend[j]  = 2.0 * c[2][j] + x * (6.0 * c[3][j] + x * (12.0 * c[4][j] + x * 20.0 * c[5][j]));
        third[j] = 6.0 * c[3][j] + x * (24.0 * c[4][j] + x * 60.0 * c[5][j]);
    }
    const double n = w->inverse_step;
    *o             = (kane_rail_offset){.y     = value[KANE_OFFSET_Y],
                                        .z     = value[KANE_OFFSET_Z],
                                        .y_s   = n * slope[KANE_OFFSET_Y],
                                        .z_s   = n * slope[KANE_OFFSET_Z],
                                        .y_ss  = n * n * bend[KANE_OFFSET_Y],
                                        .z_ss  = n * n * bend[KANE_OFFSET_Z],
                                        .y_sss = n * n * n * third[KANE_OFFSET_Y],
                                        .z_sss = n * n * n * third[KANE_OFFSET_Z]};
}

// Fade-in: f from 0 to 1 between t = 0 and t = 1.
static kane_rail_offset fade_in_offset(const kane_rail_offset *o, double t, double inverse_length)
{
    double step[4];
    kane_step_eval(t, step);
    const double f = step[0], f_s = step[1] * inverse_length, f_ss = step[2] * inverse_length * inverse_length;
    const double f_sss = step[3] * inverse_length * inverse_length * inverse_length;

    return (kane_rail_offset){.y     = f * o->y,
                              .z     = f * o->z,
                              .y_s   = f * o->y_s + f_s * o->y,
                              .z_s   = f * o->z_s + f_s * o->z,
                              .y_ss  = f * o->y_ss + 2.0 * f_s * o->y_s + f_ss * o->y,
                              .z_ss  = f * o->z_ss + 2.0 * f_s * o->z_s + f_ss * o->z,
                              .y_sss = f * o->y_sss + 3.0 * (f_s * o->y_ss + f_ss * o->y_s) + f_sss * o->y,
                              .z_sss = f * o->z_sss + 3.0 * (f_s * o->z_ss + f_ss * o->z_s) + f_sss * o->z};
}

static kane_rail_offset offset_of(const kane_rails_point *rails, kane_side side)
{
    const double *y = rails->d[side][KANE_OFFSET_Y], *z = rails->d[side][KANE_OFFSET_Z];
    return (kane_rail_offset){y[0], z[0], y[1], z[1], y[2], z[2], y[3], z[3]};
}

// Adds what is in no table.
static void add_untabulated(const kane_irregularities *w, kane_side side, double s, kane_rail_offset *o)
{
    kane_rails_point rails = {0};
    for (int i = 0; i < w->record_count; i++)
        kane_record_add(&w->records[i], s, &rails);
    if (w->defects)
        kane_defects_add(w->defects, s, &rails);
    const kane_rail_offset d = offset_of(&rails, side);
    *o = (kane_rail_offset){o->y + d.y,       o->z + d.z,       o->y_s + d.y_s,     o->z_s + d.z_s,
                            o->y_ss + d.y_ss, o->z_ss + d.z_ss, o->y_sss + d.y_sss, o->z_sss + d.z_sss};
}

void kane_irregularities_eval(const kane_irregularities *w, kane_side side, double s, kane_rail_offset *o)
{
    const double place = (s - w->from) * w->inverse_step;

    if (place >= 0.0 && place < w->count) {
        make_window(w, (int)place / WINDOW);
        look_up(w, side, place, o);
    } else {
        kane_rails_point rails = {0};
        kane_waves_add(&w->waves, s, &rails);
        *o = offset_of(&rails, side);
    }
    if (w->defects || w->record_count > 0)
        add_untabulated(w, side, s, o);
    const double x = (s - w->fade_from) * w->inverse_fade;
    if (!(x >= 1.0))
        *o = fade_in_offset(o, x, w->inverse_fade);
}
