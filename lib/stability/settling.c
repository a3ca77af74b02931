// SPDX-License-Identifier: MIT
// Has an oscillation become periodic? Near the end of a branch of limit cycles the amplitude decreases ever slower
// before it decreases ever faster: small changes alone are no criterion. So changes must decrease, too, fast enough for
// a finite sum.

#include "stability/cycle.h"

#include <math.h>

static const double slowest = 0.98; // largest ratio of a change to the one before
static const double scatter = 5.0;  // of cycles over the tolerance: wheels that hit their flanges never quite repeat it
static const double noticed = 0.01; // change over the tolerance that is one
static const double taking_part = 0.02; // smallest amplitude of a coordinate that is judged, over the largest one

void kane_settling_start(kane_settling *s)
{
    s->stretches = 0;
}

kane_oscillation *kane_settling_next(kane_settling *s)
{
    kane_oscillation *oldest = s->stretch[KANE_SETTLING_STRETCHES - 1];
    for (int i = KANE_SETTLING_STRETCHES - 1; i > 0; i--)
        s->stretch[i] = s->stretch[i - 1];
    s->stretch[0] = oldest;
    s->stretches++;
    return oldest;
}

static int largest_of(const kane_settling *s, int count)
{
    int largest = 0;
    for (int i = 1; i < count; i++)
        if (s->stretch[0][i].amplitude > s->stretch[0][largest].amplitude)
            largest = i;
    return largest;
}

int kane_settling_largest(const kane_settling *s)
{
    return largest_of(s, s->coordinates);
}

static int has_died(const kane_settling *s, double quiet)
{
    const int largest = largest_of(s, s->watched);
    return s->stretches > 1 && s->stretch[0][largest].most < quiet &&
           s->stretch[0][largest].amplitude < s->stretch[1][largest].amplitude;
}

// One coordinate: changes c of amplitude between stretches with c < tol A, ratio r = c/c_before, and the sum of all
// further changes, c r/(1 - r) < tol A.
static int has_settled(const kane_settling *s, int i, double tolerance)
{
    const kane_oscillation *now = &s->stretch[0][i];
    const double before = s->stretch[1][i].amplitude, earlier = s->stretch[2][i].amplitude;
    const double change = fabs(now->amplitude - before), change_before = fabs(before - earlier);
    const double allowed = tolerance * now->amplitude;
    const double factor  = change < slowest * change_before ? change / change_before : slowest;
    return now->cycles > 1 && now->most - now->least < scatter * allowed && change < allowed &&
           change * factor / (1.0 - factor) < allowed;
}

kane_motion kane_settling_drift(const kane_settling *s, double tolerance)
{
    if (s->stretches < KANE_SETTLING_STRETCHES)
        return KANE_MOTION_GROWING;
    const int i      = kane_settling_largest(s);
    const double now = s->stretch[0][i].amplitude, before = s->stretch[1][i].amplitude;
    const double change = now - before, change_before = before - s->stretch[2][i].amplitude;
    const double least = noticed * tolerance * now;
    if (!(change * change_before > 0.0 && fabs(change) > least && fabs(change_before) > least))
        return KANE_MOTION_OPEN;
    return change > 0.0 ? KANE_MOTION_GROWING : KANE_MOTION_DECAYING;
}

kane_motion kane_settling_judge(const kane_settling *s, const kane_critical_rules *rules)
{
    if (has_died(s, rules->quiet))
        return KANE_MOTION_DIED;
    if (s->stretches < KANE_SETTLING_STRETCHES)
        return KANE_MOTION_OPEN;
    const double least = taking_part * s->stretch[0][kane_settling_largest(s)].amplitude;
    for (int i = 0; i < s->coordinates; i++)
        if (s->stretch[0][i].amplitude >= least && !has_settled(s, i, rules->tolerance))
            return KANE_MOTION_OPEN;
    return s->stretch[0][kane_settling_largest(s)].most < rules->quiet ? KANE_MOTION_OPEN : KANE_MOTION_SETTLED;
}

void kane_settling_widen(const kane_settling *s, int i, kane_oscillation *latest)
{
    for (int k = 1; k < s->stretches && k < KANE_SETTLING_STRETCHES; k++) {
        latest->least    = fmin(latest->least, s->stretch[k][i].least);
        latest->most     = fmax(latest->most, s->stretch[k][i].most);
        latest->farthest = fmax(latest->farthest, s->stretch[k][i].farthest);
    }
}
