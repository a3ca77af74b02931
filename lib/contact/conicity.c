// SPDX-License-Identifier: MIT
// Rolling radius difference and equivalent conicity (docs/contact.md).
//
// Equivalent conicity: the conicity of the cone whose kinematic motion is as long as that of the real wheelset.
//
// A wheelset that rolls without slip goes y' = psi, psi' = -d(y)/(e r0), d the rolling radius difference (Klingel). Its
// potential P = integral of d/(e r0) dy and psi^2/2 keep their sum. Around a place where d rises through zero it swings
// between two turning points of equal P.

#include "base/arena.h"
#include "base/number.h"
#include "contact/contact.h"

#include <kane/geometry.h>

#include <math.h>
#include <string.h>

// --- rolling radius difference on a grid, and its integral ---

struct kane_rolling {
    int count;
    double first, step; // of the shifts [m]
    double radius;      // r0 [m]
    double distance;    // e [m]
    double *difference; // [count] [m]
    double *potential;  // [count] integral of difference/(e r0) from the first shift, exact for straight pieces [1]
};

typedef struct rolling_point {
    double pull;      // [1/m]
    double potential; // [1]
} rolling_point;

enum { POINTS_MOST = 1000000 };

static kane_rolling *allocate_rolling(int count, double first, double step, double radius, double distance,
                                      kane_errors *errors)
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

// P_i = integral of d/(e r0) dy from the first shift, by trapezia: exact for the linear interpolation of d.
static void integrate_potential(kane_rolling *r)
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
    kane_rolling *r = good ? allocate_rolling(count, first, step, radius, distance, errors) : NULL;
    if (r) {
        memcpy(r->difference, difference, (size_t)count * sizeof *difference);
        integrate_potential(r);
    }
    return r;
}

// d over equal steps of the shift, from the middle to both sides as far as the wheelset has a position on its rails.
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
    const int half      = (int)floor(reach / step + 1e-9);
    const double radius = 0.5 * (contact->pair[KANE_LEFT]->wheel.radius + contact->pair[KANE_RIGHT]->wheel.radius);
    kane_rolling *r     = allocate_rolling(2 * half + 1, -half * step, step, radius, distance, errors);
    int low = half + 1, high = half - 1;
    kane_status (*const find_position)(const kane_contact *, double, double, kane_wheelset_position *) =
        axle == KANE_AXLE_LEVEL ? kane_wheelset_position_level : kane_wheelset_position_rigid;
    kane_wheelset_position found;
    for (int i = half; r && i <= 2 * half; i++, high++) {
        if (find_position(contact, (i - half) * step, 0.0, &found) != KANE_OK)
            break;
        r->difference[i] = found.radius_difference;
    }
    for (int i = half; r && i >= 0; i--, low--) {
        if (find_position(contact, (i - half) * step, 0.0, &found) != KANE_OK)
            break;
        r->difference[i] = found.radius_difference;
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
    integrate_potential(r);
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

// d/(e r0) and P at the shift y [m] by interpolation; NaN outside the grid.
static rolling_point rolling_at(const kane_rolling *r, double y)
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
    return rolling_at(r, y).pull * r->distance * r->radius;
}

// --- conicity ---

static kane_conicity no_conicity(void)
{
    return (kane_conicity){.kind       = KANE_CONICITY_NONE,
                           .conicity   = (double)NAN,
                           .wavelength = (double)NAN,
                           .low        = (double)NAN,
                           .high       = (double)NAN};
}

static kane_conicity from_wave(const kane_rolling *r, double sign, double low, double high, double wavelength)
{
    return (kane_conicity){.kind = sign > 0.0 ? KANE_CONICITY_WAVE : KANE_CONICITY_NEGATIVE,
                           .conicity =
                               sign * 2.0 * KANE_PI * KANE_PI * r->distance * r->radius / (wavelength * wavelength),
                           .wavelength = wavelength,
                           .low        = low,
                           .high       = high};
}

// --- the motion of an amplitude ---

// P(middle + amplitude) - P(middle - amplitude) [1]; zero for the two turning points of one motion.
static double potential_gain(const kane_rolling *r, double middle, double amplitude)
{
    return rolling_at(r, middle + amplitude).potential - rolling_at(r, middle - amplitude).potential;
}

// 1 if sign P is lower everywhere between the turning points than at them: the motion reaches both.
static int is_closed(const kane_rolling *r, double sign, double middle, double amplitude)
{
    enum { PLACES = 512 };
    const double top   = sign * rolling_at(r, middle - amplitude).potential;
    const double least = 1e-12 * fabs(sign * rolling_at(r, middle).potential - top);
    for (int i = 1; i < PLACES; i++)
        if (!(sign * rolling_at(r, middle + amplitude * (2.0 * i / PLACES - 1.0)).potential < top - least))
            return 0;
    return 1;
}

// Middle in [low, high] at which the potential gain changes its sign.
static double bisect_middle(const kane_rolling *r, double amplitude, double low, double high)
{
    const int rising = potential_gain(r, high, amplitude) > potential_gain(r, low, amplitude);
    for (int i = 0; i < 100 && high - low > 1e-16; i++) {
        const double middle = 0.5 * (low + high);
        if ((potential_gain(r, middle, amplitude) > 0.0) == rising)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

// The middle, nearest to zero, of a motion with this amplitude and sign. Returns 0 if there is none.
static int find_middle(const kane_rolling *r, double sign, double amplitude, double *middle)
{
    const double low = kane_rolling_first(r) + amplitude, high = kane_rolling_last(r) - amplitude;
    const int steps = (int)ceil((high - low) / (0.5 * r->step));
    int found       = 0;
    double before   = potential_gain(r, low, amplitude);
    for (int i = 1; i <= steps; i++) {
        const double from = low + (high - low) * (i - 1) / steps, to = low + (high - low) * i / steps;
        const double after = potential_gain(r, to, amplitude);
        const int crosses  = before == 0.0 || (before > 0.0) != (after > 0.0);
        before             = after;
        if (!crosses)
            continue;
        const double m = bisect_middle(r, amplitude, from, to);
        if ((!found || fabs(m) < fabs(*middle)) && is_closed(r, sign, m, amplitude)) {
            *middle = m;
            found   = 1;
        }
    }
    return found;
}

// --- three methods ---

// Wavelength  L = 2 integral of dy/y',  y' = (2 (P_turn - P(y)))^1/2,  from one turning point to the other. With
// y = middle + amplitude sin(theta) the ends are not singular; the midpoint rule with 4000 steps reaches the grid's
// accuracy.
static kane_conicity by_quadrature(const kane_rolling *r, double sign, double middle, double amplitude)
{
    enum { STEPS = 4000 };
    const double top =
        sign * 0.5 * (rolling_at(r, middle - amplitude).potential + rolling_at(r, middle + amplitude).potential);
    double sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        const double theta  = KANE_PI * ((i + 0.5) / STEPS - 0.5);
        const double energy = top - sign * rolling_at(r, middle + amplitude * sin(theta)).potential;
        sum += cos(theta) / sqrt(2.0 * energy);
    }
    return from_wave(r, sign, middle - amplitude, middle + amplitude, 2.0 * amplitude * sum * KANE_PI / STEPS);
}

typedef struct motion {
    double y, psi;
} motion;

// Kinematic motion:  y' = psi,   psi' = -sign d(y)/(e r0)
static motion motion_rate(const kane_rolling *r, double sign, motion m)
{
    return (motion){m.psi, -sign * rolling_at(r, m.y).pull};
}

static motion add_motion(motion m, double h, motion rate)
{
    return (motion){m.y + h * rate.y, m.psi + h * rate.psi};
}

// One step h [m] of the classical Runge-Kutta method of fourth order.
static motion runge_kutta_step(const kane_rolling *r, double sign, motion m, double h)
{
    const motion a = motion_rate(r, sign, m), b = motion_rate(r, sign, add_motion(m, 0.5 * h, a)),
                 c = motion_rate(r, sign, add_motion(m, 0.5 * h, b)), d = motion_rate(r, sign, add_motion(m, h, c));
    return (motion){m.y + h / 6.0 * (a.y + 2.0 * (b.y + c.y) + d.y),
                    m.psi + h / 6.0 * (a.psi + 2.0 * (b.psi + c.psi) + d.psi)};
}

// From rest at y to the next turning point. Returns the distance; *turn is NaN if the grid was left before.
static double half_wave(const kane_rolling *r, double sign, double y, double h, double *turn)
{
    enum { STEPS_MOST = 200000 };
    const double heading = sign * rolling_at(r, y).pull > 0.0 ? -1.0 : 1.0;
    motion m             = {y, 0.0};
    double x             = 0.0;
    *turn                = (double)NAN;
    for (int i = 0; i < STEPS_MOST; i++) {
        const motion next = runge_kutta_step(r, sign, m, h);
        if (!isfinite(next.psi))
            break;
        if (i > 0 && next.psi * heading <= 0.0) {
            // Newton step to psi = 0
            const double rest = -m.psi / motion_rate(r, sign, m).psi;
            const motion end  = runge_kutta_step(r, sign, m, rest);
            *turn             = end.y;
            return x + rest;
        }
        m = next;
        x += h;
    }
    return (double)NAN;
}

// Wavelength by integration of the motion from a turning point. The start is bisected until the other turning point is
// two amplitudes away.
static kane_conicity by_integration(const kane_rolling *r, double sign, double middle, double amplitude)
{
    const double wave = by_quadrature(r, sign, middle, amplitude).wavelength, h = wave / 2000.0;
    double low = middle + 0.5 * amplitude, high = fmin(middle + 1.5 * amplitude, kane_rolling_last(r)), turn;
    for (int i = 0; i < 50 && high - low > 1e-12; i++) {
        const double start = 0.5 * (low + high);
        (void)half_wave(r, sign, start, h, &turn);
        if (!(start - turn < 2.0 * amplitude))
            high = start;
        else
            low = start;
    }
    const double there = half_wave(r, sign, low, h, &turn);
    if (!(fabs(low - turn - 2.0 * amplitude) < 1e-3 * amplitude))
        return no_conicity();
    double back;
    const double home = half_wave(r, sign, turn, h, &back);
    return isfinite(home) ? from_wave(r, sign, turn, low, there + home) : no_conicity();
}

// Linear regression through the middle at 1001 shifts x within the amplitude:
//   conicity = (sum of x d(middle + x))/(2 sum of x^2),   L = 2 pi (e r0/(2 |conicity|))^1/2
static kane_conicity by_regression(const kane_rolling *r, double middle, double amplitude)
{
    enum { PLACES = 1000 };
    double slope = 0.0, weight = 0.0;
    for (int i = 0; i <= PLACES; i++) {
        const double x = amplitude * (2.0 * i / PLACES - 1.0);
        slope += x * kane_rolling_difference(r, middle + x);
        weight += x * x;
    }
    const double conicity = 0.5 * slope / weight;
    return (kane_conicity){.kind       = conicity < 0.0 ? KANE_CONICITY_NEGATIVE : KANE_CONICITY_WAVE,
                           .conicity   = conicity,
                           .wavelength = 2.0 * KANE_PI * sqrt(r->distance * r->radius / (2.0 * fabs(conicity))),
                           .low        = middle - amplitude,
                           .high       = middle + amplitude};
}

kane_conicity kane_conicity_eval(const kane_rolling *r, kane_conicity_method way, double amplitude)
{
    double middle, sign = 1.0;
    if (!(amplitude > 0.0 && 2.0 * amplitude < kane_rolling_last(r) - kane_rolling_first(r)))
        return no_conicity();
    if (!find_middle(r, sign, amplitude, &middle)) {
        sign = -1.0;
        if (!find_middle(r, sign, amplitude, &middle))
            return no_conicity();
    }
    switch (way) {
    case KANE_CONICITY_INTEGRATION: return by_integration(r, sign, middle, amplitude);
    case KANE_CONICITY_QUADRATURE: return by_quadrature(r, sign, middle, amplitude);
    default: return by_regression(r, middle, amplitude);
    }
}
