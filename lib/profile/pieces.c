// SPDX-License-Identifier: MIT
// Arcs and lines, one touching the other.

#include "profile/curve.h"

#include <math.h>

// By so much a centre may be moved: coordinates are drawn in hundredths of a millimetre [m].
static const double rounding = 2e-5;

typedef struct joiner {
    const kane_profile *profile;
    joined_piece *joined;
    kane_errors *errors;
    int faults;
} joiner;

#define FAULT(s, i, ...)                                                                                               \
    do {                                                                                                               \
        (s)->faults++;                                                                                                 \
        if ((s)->errors)                                                                                               \
            kane_errors_add_input((s)->errors, (s)->profile->place.line > 0 ? KANE_BAD_INPUT : KANE_BAD_ARGUMENT,      \
                                  (s)->profile->pieces[i].place, __VA_ARGS__);                                         \
    } while (0)

static double angle_of(double n_y, double n_z)
{
    return atan2(-n_y, n_z);
}

static curve_point on_piece(const joined_piece *p, double t)
{
    if (p->radius == 0.0) {
        const double along = t - p->begin, c = cos(p->angle), s = sin(p->angle);
        return (curve_point){.y = p->y + along * c, .z = p->z + along * s, .y_t = c, .z_t = s};
    }
    const double a = p->angle - (t - p->begin) / p->radius, c = cos(a), s = sin(a);
    return (curve_point){.y    = p->y - p->radius * s,
                         .z    = p->z + p->radius * c,
                         .y_t  = c,
                         .z_t  = s,
                         .y_tt = s / p->radius,
                         .z_tt = -c / p->radius};
}

curve_point kane_pieces_point_at(int count, const joined_piece *joined, double t)
{
    const double inside = fmin(fmax(t, joined[0].begin), joined[count - 1].end), beyond = t - inside;
    int i = 0;
    while (i + 1 < count && inside >= joined[i].end)
        i++;
    curve_point p = on_piece(&joined[i], inside);
    p.y += beyond * p.y_t;
    p.z += beyond * p.z_t;
    return p;
}

// --- pieces one by one ---

static void check_piece(joiner *s, int i)
{
    const kane_profile_piece *p = &s->profile->pieces[i];
    const double least = 1e-3, most = 100.0, steepest = 1.6; // [m], [rad]
    if (!isfinite(p->y) || !isfinite(p->z))
        FAULT(s, i, "the centre is not finite");
    else if (p->radius != 0.0 && !(fabs(p->radius) >= least && fabs(p->radius) <= most))
        FAULT(s, i,
              "radius %g m is not allowed, must be from %g m to %g m, negative where the centre lies above the curve",
              p->radius, least, most);
    else if (p->radius == 0.0 && !(fabs(p->angle) <= steepest))
        FAULT(s, i, "a line at %.4g degrees is not allowed, must be within %.4g degrees", 57.295779513082323 * p->angle,
              57.295779513082323 * steepest);
    else if (i > 0 && p->radius == 0.0 && p[-1].radius == 0.0)
        FAULT(s, i, "a line beside a line makes a corner; put an arc between them");
    else if (i > 0 && p->radius != 0.0 && p->radius == p[-1].radius)
        FAULT(s, i, "this arc has the radius of the one before, so that both cannot touch; make one of them");
}

// Normal that piece i and the next one have in common, as drawn.
static void common_normal(const kane_profile_piece *p, double *n_y, double *n_z)
{
    const kane_profile_piece *line = p[0].radius == 0.0 ? &p[0] : p[1].radius == 0.0 ? &p[1] : NULL;
    if (line) {
        *n_y = -sin(line->angle);
        *n_z = cos(line->angle);
        return;
    }
    const double y = p[1].y - p[0].y, z = p[1].z - p[0].z, side = p[0].radius > p[1].radius ? 1.0 : -1.0;
    const double distance = hypot(y, z);
    *n_y                  = distance > 0.0 ? side * y / distance : 0.0;
    *n_z                  = distance > 0.0 ? side * z / distance : 1.0;
}

// The arc that has y = 0 between its ends as drawn, or is nearest to it; -1: there is none.
static int find_anchor(const kane_profile *p)
{
    int anchor     = -1;
    double nearest = HUGE_VAL;
    for (int i = 0; i < p->count; i++) {
        const kane_profile_piece *piece = &p->pieces[i];
        double n_y, n_z, first = p->from, last = p->to;
        if (piece->radius == 0.0)
            continue;
        if (i > 0) {
            common_normal(piece - 1, &n_y, &n_z);
            first = piece->y + piece->radius * n_y;
        }
        if (i + 1 < p->count) {
            common_normal(piece, &n_y, &n_z);
            last = piece->y + piece->radius * n_y;
        }
        const double off = fmax(fmax(first, -last), 0.0);
        if (off < nearest) {
            nearest = off;
            anchor  = i;
        }
    }
    return anchor;
}

// --- from one to the next ---

// Puts piece i where it touches its neighbour, which lies already. `a` of the joint goes to the outer one of both.
static void touch_neighbour(joiner *s, int i, int neighbour)
{
    const kane_profile_piece *drawn = &s->profile->pieces[i];
    const joined_piece *known       = &s->joined[neighbour];
    joined_piece *p                 = &s->joined[i];
    const int outer                 = i > neighbour ? i : neighbour;
    double n_y, n_z;
    if (drawn->radius != 0.0 && known->radius != 0.0) {
        kane_profile_piece pair[2] = {{.radius = known->radius, .y = known->y, .z = known->z}, *drawn};
        common_normal(pair, &n_y, &n_z);
        const double apart = known->radius - drawn->radius;
        p->y               = known->y + apart * n_y;
        p->z               = known->z + apart * n_z;
    } else {
        const double angle = drawn->radius == 0.0 ? drawn->angle : s->profile->pieces[neighbour].angle;
        n_y                = -sin(angle);
        n_z                = cos(angle);
        if (drawn->radius == 0.0) { // any point of the line
            p->y = known->y + known->radius * n_y;
            p->z = known->z + known->radius * n_z;
        } else {
            const double off = (known->y - drawn->y) * n_y + (known->z - drawn->z) * n_z - drawn->radius;
            p->y             = drawn->y + off * n_y;
            p->z             = drawn->z + off * n_z;
        }
    }
    s->joined[outer].angle = angle_of(n_y, n_z);
    const double moved     = drawn->radius == 0.0 ? 0.0 : hypot(p->y - drawn->y, p->z - drawn->z);
    if (moved <= rounding)
        return;
    FAULT(s, i,
          "this arc misses the piece %s by %.3g mm: to touch it, its centre must be at y = %.6g mm, z = %.6g mm "
          "(%g mm are allowed for rounding)",
          i > neighbour ? "before" : "behind", 1e3 * moved, 1e3 * p->y, 1e3 * p->z, 1e3 * rounding);
    p->y = drawn->y; // so that others are not blamed for it
    p->z = drawn->z;
}

// The angle at which an arc is at y; of a line its own. 0 with an error where the arc does not reach so far.
static int angle_at(joiner *s, int i, double y, const char *key, double *angle)
{
    const joined_piece *p = &s->joined[i];
    *angle                = s->profile->pieces[i].angle;
    if (p->radius == 0.0)
        return 1;
    const double sine = (p->y - y) / p->radius;
    if (!(fabs(sine) < 1.0)) {
        FAULT(s, i, "this arc does not reach to \"%s\", y = %g mm: it ends at y = %g mm", key, 1e3 * y,
              1e3 * (p->y + copysign(p->radius, y - p->y)));
        return 0;
    }
    *angle = asin(sine);
    return 1;
}

// Lengths, from the angles at the joints.
static void measure_pieces(joiner *s)
{
    const kane_profile *p = s->profile;
    double t              = 0.0, end;
    if (!angle_at(s, 0, p->from, "from", &s->joined[0].angle) || !angle_at(s, p->count - 1, p->to, "to", &end))
        return;
    for (int i = 0; i < p->count; i++) {
        joined_piece *now = &s->joined[i];
        const int last    = i + 1 == p->count;
        const double next = last ? end : s->joined[i + 1].angle;
        double length;
        if (now->radius != 0.0) {
            length = (now->angle - next) * now->radius;
        } else { // from where the piece before ends to where the next one begins
            const joined_piece *before = &s->joined[i - 1], *after = &s->joined[i + 1];
            const double c = cos(now->angle), n = sin(now->angle);
            const double y     = i > 0 ? before->y - before->radius * n : p->from;
            const double z     = i > 0 ? before->z + before->radius * c : now->z + (p->from - now->y) * n / c;
            const double y_end = last ? p->to : after->y - after->radius * n;
            const double z_end = last ? z + (p->to - y) * n / c : after->z + after->radius * c;
            now->y             = y;
            now->z             = z;
            length             = (y_end - y) * c + (z_end - z) * n;
        }
        now->begin = t;
        t += length;
        now->end = t;
        if (!(length > 0.0))
            FAULT(s, i,
                  "this piece ends %.3g mm before it begins: its neighbours%s do not meet it in the order in which "
                  "they are listed, from the inside to the outside",
                  -1e3 * length, i == 0 || last ? ", \"from\" and \"to\"" : "");
    }
}

int kane_pieces_join(const kane_profile *p, joined_piece *joined, kane_errors *errors)
{
    joiner s = {.profile = p, .joined = joined, .errors = errors};
    for (int i = 0; i < p->count; i++)
        check_piece(&s, i);
    const int anchor = find_anchor(p);
    if (s.faults == 0 && anchor < 0)
        FAULT(&s, 0, "no piece is an arc, and a line has its place from an arc that it touches");
    if (s.faults > 0)
        return 0;
    for (int i = 0; i < p->count; i++)
        joined[i] = (joined_piece){.radius = p->pieces[i].radius};
    joined[anchor].y = p->pieces[anchor].y;
    joined[anchor].z = p->pieces[anchor].z;
    for (int i = anchor + 1; i < p->count; i++)
        touch_neighbour(&s, i, i - 1);
    for (int i = anchor - 1; i >= 0; i--)
        touch_neighbour(&s, i, i + 1);
    if (s.faults == 0)
        measure_pieces(&s);
    return s.faults == 0;
}
