// SPDX-License-Identifier: MIT
// Profiles as curves.

#include "profile/curve.h"
#include "profile/profile.h"

#include <math.h>

// Half the width of a plain cone or of an arc [m].
static const double plain_width = 0.1;

// The slopes at which a wheel by points or pieces ends on the back of its flange and on its outer edge, and the step
// with which they are looked for [m].
static const double back_slope = 1.33, edge_slope = 1.73, stride = 2e-5;

// An arc is used to three quarters of its radius to both sides of its lowest or highest point.
static double arc_half(const kane_profile *p)
{
    const double cosine = 1.0 / sqrt(1.0 + p->conicity * p->conicity);
    const double half   = 0.75 * fabs(p->radius) - fabs(p->radius * p->conicity * cosine);
    return fmin(plain_width, 1e-3 * floor(1e3 * half));
}

int kane_form_init(form *f, const kane_profile *p, kane_arena *arena)
{
    *f = (form){.profile = *p};
    switch (p->shape) {
    case KANE_SHAPE_S1002:
        f->first = KANE_S1002_FIRST;
        f->last  = KANE_S1002_LAST;
        break;
    case KANE_SHAPE_CONE: f->last = plain_width; break;
    case KANE_SHAPE_ARC: f->last = arc_half(p); break;
    case KANE_SHAPE_60E1: f->last = 0.036; break;
    case KANE_SHAPE_ROUND: f->last = 0.9999 * p->radius; break;
    case KANE_SHAPE_POINTS:
        if (!kane_curve_fit(&f->curve, p->count, p->y, p->z, p->weight, p->smoothing, arena))
            return 0;
        f->last = f->curve.knots[p->count - 1];
        break;
    case KANE_SHAPE_PIECES: {
        joined_piece *joined = kane_arena_alloc(arena, (size_t)p->count, sizeof *joined);
        if (!joined)
            return 0;
        (void)kane_pieces_join(p, joined, NULL);
        f->joined = joined;
        f->last   = joined[p->count - 1].end;
        break;
    }
    }
    if (p->shape != KANE_SHAPE_S1002 && !kane_form_is_drawn(f))
        f->first = -f->last;
    f->profile.y = f->profile.z = f->profile.weight = NULL;
    f->profile.line                                 = NULL;
    f->profile.pieces                               = NULL;
    return 1;
}

static curve_point graph_point(double y, profile_point p, double up)
{
    return (curve_point){.y = y, .z = up * p.height, .y_t = 1.0, .z_t = up * p.slope};
}

curve_point kane_form_at(const form *f, double t)
{
    const kane_profile *p = &f->profile;
    switch (p->shape) {
    case KANE_SHAPE_S1002: return graph_point(t, kane_shape_s1002(t), -1.0);
    case KANE_SHAPE_CONE: return graph_point(t, kane_shape_cone(p->conicity, t), -1.0);
    case KANE_SHAPE_ARC: return graph_point(t, kane_shape_arc(p->radius, p->conicity, t), -1.0);
    case KANE_SHAPE_60E1: return graph_point(t, kane_shape_60e1(t), 1.0);
    case KANE_SHAPE_ROUND: return graph_point(t, kane_shape_round(p->radius, t), 1.0);
    case KANE_SHAPE_PIECES: return kane_pieces_point_at(p->count, f->joined, t);
    case KANE_SHAPE_POINTS: break;
    }
    return kane_curve_point_at(&f->curve, t);
}

// Parameter in [low, high] at which the curve has this y, by bisection; y rises there.
static double find_parameter(const form *f, double low, double high, double y)
{
    for (int i = 0; i < 60 && high - low > 1e-15; i++) {
        const double middle = 0.5 * (low + high);
        if (kane_form_at(f, middle).y < y)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// On the back of the flange z falls to the outside, on the outer edge it rises.
form_range kane_form_wheel_range(const form *f)
{
    form_range r = {.from = f->first, .to = f->last, .first = f->first, .last = f->last};
    if (!kane_form_is_drawn(f))
        return r;

    // the tip of the flange is the lowest point of the inside
    double lowest = 1.0, tip = f->first, circle = f->first;
    for (double t = f->first; t <= f->last; t += stride) {
        const curve_point p = kane_form_at(f, t);
        circle              = p.y <= 0.0 ? t : circle;
        if (p.y < 0.0 && p.z < lowest) {
            lowest = p.z;
            tip    = t;
        }
    }
    r.from = tip;
    for (double t = tip; t >= f->first; t -= stride) {
        const curve_point p = kane_form_at(f, t);
        if (!(p.y_t > 0.0 && p.z_t > -back_slope * p.y_t))
            break;
        r.from = t;
    }
    r.to = circle;
    for (double t = circle; t <= f->last; t += stride) {
        const curve_point p = kane_form_at(f, t);
        if (!(p.y_t > 0.0 && fabs(p.z_t) < edge_slope * p.y_t))
            break;
        r.to = t;
    }
    for (double t = tip; t <= circle; t += stride) {
        const curve_point p = kane_form_at(f, t);
        const double slope  = p.y_t > 0.0 ? p.z_t / p.y_t : HUGE_VAL;
        if (slope > r.steepest) {
            r.steepest    = slope;
            r.steepest_at = t;
        }
    }
    const double first = kane_form_at(f, r.from).y, last = kane_form_at(f, r.to).y;
    r.first = 1e-4 * ceil(1e4 * first);
    r.last  = r.first + 1e-3 * floor(1e3 * (last - r.first));
    return r;
}

curve_point kane_form_wheel_at(const form *f, const form_range *r, double y)
{
    if (!kane_form_is_drawn(f))
        return kane_form_at(f, y);
    return kane_form_at(f, find_parameter(f, r->from, r->to, y));
}
