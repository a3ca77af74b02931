// SPDX-License-Identifier: MIT
// The section of a left wheel on its rail for the half-space of the tests: along the rail's surface, with the distance
// along its normal at which the wheel lies below it. Of libkane only the profiles as heights are read.

#ifndef KANE_TESTS_CONTACT_SECTION_H
#define KANE_TESTS_CONTACT_SECTION_H

#include "oracle/plain_half_space.h"
#include "unit/contact/rig.h"

#include <kane/profile.h>

enum { SECTION_MOST = 2000 };

typedef struct section {
    plain_gap gap;
    double overlap[SECTION_MOST], A[SECTION_MOST];
    double y[SECTION_MOST]; // on the rail, to the outside [m]
    double load[SECTION_MOST], most[SECTION_MOST];
} section;

// How deep the wheel whose running circle is at y, z over the rail's top lies below the rail's point, along its normal
// [m]; the wheel's slope there.
static inline double section_overlap(const kane_contact *c, double y, double z, double rail_y, const double rail[3],
                                     double *slope)
{
    const double up = 1.0 / sqrt(1.0 + rail[1] * rail[1]), across = -rail[1] * up;
    double wheel[3], depth = 0.0, off = HUGE_VAL;
    for (int i = 0; i < 12 && fabs(off) > 1e-12; i++) {
        kane_contact_wheel_profile(c, KANE_LEFT, rail_y - depth * across - y, wheel);
        off = rail[0] - depth * up - (z + wheel[0]);
        depth += off / (up - wheel[1] * across);
    }
    *slope = wheel[1];
    return fabs(off) < 1e-9 && fabs(depth) < 1e-3 ? depth : -1e-3; // elsewhere the wheel is far away
}

// In elements of h [m]; motion: of a wheel with this radius that is neither yawed nor rolled.
static inline void section_cut(const kane_contact *c, const kane_wheel_motion *motion, double radius, double h,
                               section *s)
{
    int last = 0;
    s->gap   = (plain_gap){.overlap = s->overlap, .A = s->A, .h = h, .E_star = 82e9 / (1.0 - 0.28)};
    for (double y = -0.06; y < 0.03 && s->gap.count < SECTION_MOST;) {
        double rail[3], slope;
        kane_contact_rail_profile(c, KANE_LEFT, y, rail);
        const double q = section_overlap(c, motion->centre.y, motion->centre.z - radius, y, rail, &slope);
        const int j    = s->gap.count;
        if (q > -0.3e-3 || j > 0) {
            s->overlap[j] = q;
            s->A[j]       = 0.5 / (motion->centre.z - rail[0]) / sqrt(1.0 + slope * slope);
            s->y[j]       = y;
            s->gap.count++;
            last = q > -0.3e-3 ? s->gap.count : last;
        }
        y += h / sqrt(1.0 + rail[1] * rail[1]);
    }
    s->gap.count = last;
}

// The same with elements so small that about `elements` of one half overlap.
static inline void section_cut_fine(const kane_contact *c, const kane_wheel_motion *motion, double radius, int elements,
                                    section *s)
{
    double area = 0.0;
    section_cut(c, motion, radius, 0.2e-3, s);
    for (int j = 0; j < s->gap.count; j++)
        area += s->overlap[j] > 0.0 ? sqrt(s->overlap[j] / s->A[j]) * 0.2e-3 : 0.0;
    section_cut(c, motion, radius, fmin(fmax(sqrt(area / elements), 0.04e-3), 0.4e-3), s);
}

static inline int section_solve(section *s, double N, plain_contact *solved)
{
    *solved = (plain_contact){.load = s->load, .most = s->most};
    return plain_half_space(&s->gap, N, solved);
}

// --- wheels at random places, their largest pressures against the half-space ---

// Patches are compared that carry more than `heavy` of the wheel's load.
static const double places_radius = 0.46, places_heavy = 0.1;

typedef struct wheel_case {
    const char *name, *file; // NULL: S1002
    kane_profile_options how;
    int places;
} wheel_case;

#define KANE_REFERENCE KANE_SOURCE_DIR "/../shared/reference/"

static const wheel_case wheels[] = {
    {"S1002", NULL, {.kind = KANE_PROFILE_WHEEL}, 80},
    {"worn", KANE_REFERENCE "profiles/worn_high_mileage.prw", {.kind = KANE_PROFILE_WHEEL, .origin = 76.2e-3}, 60},
    {"LM",
     KANE_REFERENCE "gz18/lm.txt",
     {.kind = KANE_PROFILE_WHEEL, .unit = 1e-3, .lateral = KANE_LATERAL_OUTSIDE, .vertical = KANE_VERTICAL_DOWN},
     60},
};

static inline kane_contact *create_wheel_with(const wheel_case *w, kane_contact_geometry gap)
{
    kane_contact_definition d        = kane_contact_definition_default();
    d.gap                            = gap;
    CHECK_OWNED(kane_profile) *wheel = w->file ? kane_profile_read(w->file, &w->how, NULL) : NULL;
    if (w->file && !wheel)
        return NULL;
    if (wheel)
        d.wheel[0] = wheel;
    kane_contact *c = rig_create(d);
    return c;
}

static inline kane_contact *create_wheel(const wheel_case *w)
{
    return create_wheel_with(w, KANE_GEOMETRY_SEARCHED);
}

// The pressed rows from j on, without a gap.
typedef struct run {
    int first, last;
    double load, most; // [N], [Pa]
} run;

static inline int next_run(const section *s, int from, run *r)
{
    while (from < s->gap.count && !(s->most[from] > 0.0))
        from++;
    *r = (run){.first = from, .last = from};
    for (int j = from; j < s->gap.count && s->most[j] > 0.0; j++) {
        r->last = j;
        r->load += s->load[j];
        r->most = fmax(r->most, s->most[j]);
    }
    return from < s->gap.count;
}

// By which part the pressure of the patch that lies over a run is off; of the nearest one where none does. Patches that
// grow together are listed each and both as one: the one counts that fits the run best, as the half-space has them
// apart or as one.
static inline double pressure_off(const kane_contact_result *r, const section *s, const run *of)
{
    const double from = s->y[of->first], to = s->y[of->last];
    double least = HUGE_VAL, nearest = HUGE_VAL, there = 0.0;
    for (int i = 0; i < r->patch_count; i++) {
        const kane_patch *p = &r->patch[i];
        const double part = p->pressure / of->most - 1.0, away = fmin(fabs(p->rail_y - from), fabs(p->rail_y - to));
        if (p->rail_y >= from && p->rail_y <= to)
            least = fabs(part) < fabs(least) ? part : least;
        there   = away < nearest ? part : there;
        nearest = fmin(away, nearest);
    }
    return isfinite(least) ? least : there;
}

typedef struct place_off {
    double worst, sum; // of heavy patches: part by which the largest pressure is off; sum of its magnitudes
    double worst_shift, worst_load;
    int count;
    double area;   // likewise, of areas where there is one patch
    int unsettled; // places where the half-space itself depends on the grid
} place_off;

// The largest pressure on two grids: where they differ by more than 3 % the half-space has none that could be compared,
// as at a corner of the profile's slope, over which the pressure grows with the logarithm of the grid. Returns 0 there.
static inline int half_space_solve(const kane_contact *c, const kane_wheel_motion *m, double N, section *s,
                                   plain_contact *solved)
{
    section_cut_fine(c, m, places_radius, 400, s);
    assert_true(section_solve(s, N, solved));
    const double coarse = solved->pressure;
    section_cut_fine(c, m, places_radius, 1000, s);
    assert_true(section_solve(s, N, solved));
    return fabs(coarse / solved->pressure - 1.0) < 0.03;
}

// Adds what a wheel at this shift that carries N is off.
static inline void compare_place(const kane_contact *c, double shift, double N, place_off *off)
{
    static section s;
    plain_contact solved;
    run r;
    rig_pose pose             = {shift, 0.0, 0.0, 0.0};
    pose.z                    = rig_height(c, places_radius, KANE_LEFT, pose, N);
    const kane_wheel_motion m = rig_motion(c, places_radius, KANE_LEFT, pose, 0.0, 0.0);
    kane_contact_result found = rig_eval(c, KANE_LEFT, &m);
    kane_contact_pressures(c, KANE_LEFT, &m, &found);
    if (!half_space_solve(c, &m, N, &s, &solved)) {
        off->unsettled++;
        return;
    }
    if (found.patch_count == 1)
        off->area = fmax(off->area, fabs(found.patch[0].area / solved.area - 1.0));
    for (int j = 0; next_run(&s, j, &r); j = r.last + 1) {
        if (!(r.load > places_heavy * N))
            continue;
        const double part = pressure_off(&found, &s, &r);
        off->sum += fabs(part);
        off->count++;
        if (fabs(part) > off->worst) {
            off->worst       = fabs(part);
            off->worst_shift = shift;
            off->worst_load  = N;
        }
    }
}

// The first `places` of the random places of a wheel.
static inline void compare_wheel(const wheel_case *w, int places)
{
    unsigned long long seed = 7;
    place_off off           = {0};
    kane_contact *c         = create_wheel(w);
    if (!c) {
        check_skip_part("there is no %s", w->file);
        return;
    }
    for (int i = 0; i < places; i++)
        compare_place(c, rig_random(&seed, -6e-3, 8e-3), i % 2 ? 110e3 : 60e3, &off);
    kane_contact_free(c);
    check_figure(off.worst, "%s: worst", w->name);
    check_figure(off.sum / off.count, "%s: mean", w->name);
    check_figure(off.area, "%s: area", w->name);
    check_figure(off.count, "%s: patches", w->name);
    check_figure(off.unsettled, "%s: unsettled", w->name);
    print_message(
        "%s: %d patches at %d places, pressure off by %.1f %% at most (%.3f mm, %.0f kN), %.1f %% in the mean; half-space "
        "without an answer at %d\n",
        w->name, off.count, places, 100.0 * off.worst, 1e3 * off.worst_shift, 1e-3 * off.worst_load,
        100.0 * off.sum / off.count, off.unsettled);
    print_message("%s: area off by %.1f %%\n", w->name, 100.0 * off.area);
    assert_true(off.worst < check_tolerance(0.08) && off.unsettled * 5 <= places);
}

#endif
