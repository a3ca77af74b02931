// SPDX-License-Identifier: MIT
// Measured irregularities: natural cubic splines. Behind an end, where the second derivative is zero, the slope goes to
// zero over `runout` by 1 - 10 t^3 + 15 t^4 - 6 t^5: two continuous derivatives there, too.

#include "track/record.h"

#include "math/spline.h"

static const double runout = 10.0; // [m]

double kane_record_spacing(const kane_record_definition *d)
{
    double least = HUGE_VAL;
    for (int i = 1; i < d->point_count; i++)
        least = fmin(least, d->at[i] - d->at[i - 1]);
    return fmax(least, 0.1 * (d->at[d->point_count - 1] - d->at[0]) / (d->point_count - 1));
}

int kane_record_make(const kane_record_definition *d, double start, kane_record *record, kane_arena *memory)
{
    double *at         = kane_arena_doubles(memory, (size_t)d->point_count);
    kane_cubic *spline = kane_arena_alloc(memory, (size_t)d->point_count, sizeof *spline);
    if (!at || !spline)
        return 0;
    for (int i = 0; i < d->point_count; i++)
        at[i] = d->at[i] - start;
    kane_spline_fit(d->point_count, at, d->value, KANE_SPLINE_NATURAL, spline);
    *record = (kane_record){d->kind, d->point_count, at, spline};
    return 1;
}

void kane_record_add(const kane_record *r, double s, kane_rails_point *rails)
{
    const double first = r->at[0], last = r->at[r->count - 1];
    const double inside = s < first ? first : s > last ? last : s, beyond = s - inside;
    double w[4];
    kane_spline_eval(r->count, r->at, r->spline, inside, w);
    if (beyond != 0.0) {
        double step[4];
        const double way = copysign(runout, beyond), t = fmin(beyond / way, 1.0), slope = w[1];
        kane_step_eval(t, step);
        w[0] += slope * way * (t - t * t * t * t * (2.5 + t * (-3.0 + t))); // integral of the slope
        w[1] = slope * (1.0 - step[0]);
        w[2] = -slope * step[1] / way;
        w[3] = -slope * step[2] / (way * way);
    }
    kane_rails_add(rails, r->kind, w);
}
