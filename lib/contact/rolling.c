// SPDX-License-Identifier: MIT
// Rolling radius difference on a grid, and its integral.

#include "contact/rolling.h"
#include "base/arena.h"
#include "contact/stand.h"

#include <math.h>
#include <string.h>

enum { POINTS_MOST = 1000000 };

static kane_rolling *make(int count, double first, double step, double radius, double distance, kane_errors *errors)
{
    kane_rolling *r = kane_allocate(1, sizeof *r + 2 * (size_t)count * sizeof(double));
    if (!r) {
        kane_errors_add(errors, KANE_NO_MEMORY, "rolling radius difference: out of memory");
        return NULL;
    }
    r->count      = count;
    r->first      = first;
    r->step       = step;
    r->radius     = radius;
    r->distance   = distance;
    r->difference = (double *)(r + 1);
    r->potential  = r->difference + count;
    return r;
}

static void integrate(kane_rolling *r)
{
    const double unit = 1.0 / (r->distance * r->radius);
    r->potential[0]   = 0.0;
    for (int i = 1; i < r->count; i++)
        r->potential[i] = r->potential[i - 1] + 0.5 * r->step * unit * (r->difference[i - 1] + r->difference[i]);
}

static int is_good(int condition, kane_errors *errors, const char *name, double value, const char *wanted)
{
    if (!condition)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "rolling radius difference: %s = %g is not allowed, must be %s",
                        name, value, wanted);
    return condition;
}

kane_rolling *kane_rolling_create_table(int count, const double *difference, double first, double step, double radius,
                                        double distance, kane_errors *errors)
{
    int good = is_good(count >= 3 && count <= POINTS_MOST, errors, "count", count, "within 3 and 1e6");
    good &= is_good(isfinite(first), errors, "first", first, "finite");
    good &= is_good(step > 0.0 && isfinite(step), errors, "step", step, "positive");
    good &= is_good(radius > 0.0 && isfinite(radius), errors, "radius", radius, "positive");
    good &= is_good(distance > 0.0 && isfinite(distance), errors, "distance", distance, "positive");
    for (int i = 0; good && i < count; i++)
        good = is_good(isfinite(difference[i]), errors, "difference", difference[i], "finite");
    kane_rolling *r = good ? make(count, first, step, radius, distance, errors) : NULL;
    if (r) {
        memcpy(r->difference, difference, (size_t)count * sizeof *difference);
        integrate(r);
    }
    return r;
}

// To both sides of the middle for as long as the wheelset stands.
kane_rolling *kane_rolling_create(const kane_contact *contact, kane_axle axle, double reach, double step,
                                  double distance, kane_errors *errors)
{
    int good = is_good(reach > 0.0 && reach <= 0.1, errors, "reach", reach, "positive and no more than 0.1 m");
    good &= is_good(step > 0.0 && step <= 0.25 * reach, errors, "step", step,
                    "positive and no more than a quarter of the reach");
    good &= is_good(!good || reach / step < 0.5 * POINTS_MOST - 1.0, errors, "step", step, "longer");
    good &= is_good(distance > 0.0 && isfinite(distance), errors, "distance", distance, "positive");
    if (!good)
        return NULL;
    const int half = (int)floor(reach / step + 1e-9);
    const double radius =
        0.5 * (kane_stand_side(contact, KANE_LEFT).wheel->radius + kane_stand_side(contact, KANE_RIGHT).wheel->radius);
    kane_rolling *r = make(2 * half + 1, -half * step, step, radius, distance, errors);
    int low = half + 1, high = half - 1;
    kane_status (*const stands)(const kane_contact *, double, double, kane_stand *) =
        axle == KANE_AXLE_LEVEL ? kane_stand_level : kane_stand_rigid;
    kane_stand stand;
    for (int i = half; r && i <= 2 * half; i++, high++) {
        if (stands(contact, (i - half) * step, 0.0, &stand) != KANE_OK)
            break;
        r->difference[i] = stand.radius_difference;
    }
    for (int i = half; r && i >= 0; i--, low--) {
        if (stands(contact, (i - half) * step, 0.0, &stand) != KANE_OK)
            break;
        r->difference[i] = stand.radius_difference;
    }
    if (!r)
        return NULL;
    if (high - low < 2) {
        kane_errors_add(errors, KANE_NOT_SOLVED,
                        "rolling radius difference: the wheelset touches its rails only where the profiles end");
        kane_rolling_free(r);
        return NULL;
    }
    r->count = high - low + 1;
    r->first = (low - half) * step;
    r->difference += low;
    integrate(r);
    return r;
}

void kane_rolling_free(kane_rolling *rolling)
{
    kane_release(rolling);
}

double kane_rolling_first(const kane_rolling *r)
{
    return r->first;
}

double kane_rolling_last(const kane_rolling *r)
{
    return r->first + (r->count - 1) * r->step;
}

rolling_point kane_rolling_at(const kane_rolling *r, double y)
{
    double x = (y - r->first) / r->step;
    if (!(x > -1e-9 && x < r->count - 1 + 1e-9))
        return (rolling_point){(double)NAN, (double)NAN};
    const int i       = x < 0.0 ? 0 : x < r->count - 2 ? (int)x : r->count - 2;
    const double unit = 1.0 / (r->distance * r->radius), before = r->difference[i];
    x -= i;
    const double here = before + x * (r->difference[i + 1] - before);
    return (rolling_point){unit * here, r->potential[i] + 0.5 * x * r->step * unit * (before + here)};
}

double kane_rolling_difference(const kane_rolling *r, double y)
{
    return kane_rolling_at(r, y).pull * r->distance * r->radius;
}
