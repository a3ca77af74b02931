// SPDX-License-Identifier: MIT
// How fine tolerances usually are, and how coarse they may be. What was measured, on straight, curved and rough track
// (docs/analyses.md):
//
//   Elastic contact gives way by some 0.05 mm under a wheel's load, and a micrometre of it is about 1 kN. With 1e-6 m, and
//   speeds of a swing of 200 Hz with that amplitude, peaks of wheel forces are off by a tenth, on rough track by half;
//   with twice as much wheels unload that do not, with five times they derail. Half the distance of the rails makes a
//   metre of a radian. Rails that guide wheels know no such stiffness: there it takes a hundred times as much.
//   Without wheels nothing is known of sizes; beyond these nothing of a motion is left.
//
// Usual ones keep wheel forces within 1 % (docs/performance.md, "Work against precision").

#include "simulate/integrators.h"

#include "base/document.h"
#include "base/number.h"
#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static const struct tolerance {
    const char *key, *unit;
    size_t offset;  // in kane_settings
    double most[3]; // by kane_scale
    double tables;  // where all wheels are on tables
    double bodies;  // of a mechanism: nothing in it is as stiff or as rough as wheels on rails
} tolerances[] = {
    {"rtol", "", offsetof(kane_settings, relative), {1e-3, 1e-3, 1e-3}, 5e-6, 1e-8},
    {"atol_position", " m", offsetof(kane_settings, position), {1e-6, 1e-4, 1e-3}, 5e-8, 1e-10},
    {"atol_angle", " rad", offsetof(kane_settings, angle), {1e-6, 1e-4, 1e-3}, 5e-8, 1e-10},
    {"atol_velocity", " m/s", offsetof(kane_settings, speed), {1e-3, 1e-2, 1e-1}, 5e-6, 1e-8},
    {"atol_angular_velocity", " rad/s", offsetof(kane_settings, turning), {1e-3, 1e-2, 1e-1}, 5e-6, 1e-8},
};
enum { COUNT = sizeof tolerances / sizeof *tolerances };

// On rough rails bdf_alpha keeps Q and Y behind 20 Hz within .5 % with tolerances coarser by this factor.
static const double ROUGH = 3.16;

static double *tolerance_of(kane_settings *settings, int i)
{
    return (double *)((char *)settings + tolerances[i].offset);
}

static const double least_relative = 1e-14; // less is lost in rounding

static const char *const where[] = {" where wheels in elastic contact give way by some 0.05 mm under their load",
                                    " where rails guide wheels", " where there are no wheels"};

static kane_scale scale_of(int wheels, int elastic)
{
    return elastic ? KANE_SCALE_CONTACT : wheels ? KANE_SCALE_RAILS : KANE_SCALE_BODIES;
}

// How many wheelsets touch their rails in which way.
typedef struct wheel_counts {
    int all, elastic, tables;
} wheel_counts;

static wheel_counts count_wheels(const kane_vehicle_definition *vehicle)
{
    wheel_counts n = {0};
    for (int j = 0; j < vehicle->body_count; j++) {
        const kane_wheels_definition *w = vehicle->bodies[j].wheels;
        n.all += w != NULL;
        n.elastic += w && w->contact_model == KANE_CONTACT_ELASTIC;
        n.tables += w && w->contact_model == KANE_CONTACT_TABLE;
    }
    return n;
}

kane_scale kane_scale_of_vehicle(const kane_vehicle_definition *vehicle)
{
    const wheel_counts n = count_wheels(vehicle);
    return scale_of(n.all, n.elastic);
}

kane_scale kane_scale_of_model(const kane_model *model)
{
    int elastic = 0;
    for (int i = 0; i < model->wheels_count; i++)
        elastic += !kane_wheels_are_guided(&model->wheels[i]);
    return scale_of(model->wheels_count, elastic);
}

kane_settings kane_settings_usual(const kane_vehicle_definition *vehicle, kane_method method)
{
    const wheel_counts n   = count_wheels(vehicle);
    const int order        = kane_method_integrator(method)->serves[scale_of(n.all, n.elastic)];
    kane_settings settings = kane_settings_default();
    settings.method        = method;
    settings.order         = order > 0 ? order : settings.order;
    for (int i = 0; i < COUNT; i++)
        if (n.all > 0 && n.tables == n.all)
            *tolerance_of(&settings, i) = tolerances[i].tables;
        else if (n.all == 0 && !vehicle->guide)
            *tolerance_of(&settings, i) = tolerances[i].bodies;
    return settings;
}

// All five by one factor.
static void scale_tolerances(kane_settings *settings, double factor)
{
    for (int i = 0; i < COUNT; i++)
        *tolerance_of(settings, i) *= factor;
    settings->relative = fmax(settings->relative, least_relative);
}

kane_settings kane_settings_on_track(const kane_vehicle_definition *vehicle, const kane_track *track,
                                     const char **reason)
{
    const int is_rough     = track && kane_track_is_rough(track) && count_wheels(vehicle).elastic > 0;
    kane_settings settings = kane_settings_usual(vehicle, is_rough ? KANE_BDF_ALPHA : KANE_BDF);
    *reason                = is_rough ? "wheels in elastic contact on rough rails" : NULL;
    if (is_rough)
        scale_tolerances(&settings, ROUGH);
    return settings;
}

void kane_settings_complete(kane_settings *settings, kane_settings usual, const kane_block *typed)
{
    if (kane_block_has(typed, "rtol") && settings->relative < usual.relative)
        scale_tolerances(&usual, settings->relative / usual.relative);
    if (!kane_block_has(typed, "order"))
        settings->order = usual.order;
    for (int i = 0; i < COUNT; i++)
        if (!kane_block_has(typed, tolerances[i].key))
            *tolerance_of(settings, i) = *tolerance_of(&usual, i);
}

kane_settings kane_settings_coarsest(const kane_vehicle_definition *vehicle)
{
    const kane_scale scale = kane_scale_of_vehicle(vehicle);
    kane_settings settings = kane_settings_default();
    for (int i = 0; i < COUNT; i++)
        *tolerance_of(&settings, i) = tolerances[i].most[scale];
    return settings;
}

kane_settings kane_settings_finer(const kane_settings *settings)
{
    kane_settings finer = *settings;
    finer.step *= 0.5;
    scale_tolerances(&finer, 0.1);
    return finer;
}

static void report_tolerance_error(const struct tolerance *t, double value, kane_scale scale, const kane_block *typed,
                                   kane_errors *errors)
{
    const double most  = t->most[scale];
    const char *reason = value > most && t->offset != offsetof(kane_settings, relative) ? where[scale] : "";
    char range[64];
    if (t->offset == offsetof(kane_settings, relative))
        (void)kane_snprintf(range, sizeof range, "must be within %g and %g", least_relative, most);
    else if (value > most)
        (void)kane_snprintf(range, sizeof range, "must be at most %g%s", most, t->unit);
    else
        (void)snprintf(range, sizeof range, "must be positive");
    if (typed)
        (void)kane_block_fault(errors, typed, t->key, "%g%s is out of range, %s%s", value, t->unit, range, reason);
    else
        kane_errors_add(errors, KANE_BAD_INPUT, "the tolerance '%s' is %g%s; %s%s", t->key, value, t->unit, range,
                        reason);
}

int kane_tolerances_check(const kane_settings *settings, kane_scale scale, const kane_block *typed, kane_errors *errors)
{
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        const struct tolerance *t = &tolerances[i];
        const double value        = *(const double *)((const char *)settings + t->offset);
        const double least        = t->offset == offsetof(kane_settings, relative) ? least_relative : 0.0;
        if ((typed && !kane_block_has(typed, t->key)) || (value > 0.0 && value >= least && value <= t->most[scale]))
            continue;
        report_tolerance_error(t, value, scale, typed, errors);
        wrong++;
    }
    return wrong;
}
