// SPDX-License-Identifier: MIT
// Checks the definition of a track: every fault is reported, each with its place.

#include "track/piece.h"

#include "track/line_function.h"

#include <math.h>

static const double SECTION_LEAST = 1e-3;   // length of a section [m]
static const double LINE_MOST     = 1e7;    // length of a line and of each section [m]
static const double TURN_MOST     = 1000.0; // of a section [rad]

// Where the section before ended.
typedef struct line_end {
    double curvature;      // [1/m]
    double superelevation; // [m]
} line_end;

int kane_check_finite(double value, const char *name, kane_place place, kane_check *check)
{
    if (isfinite(value))
        return 1;
    KANE_CHECK_FAULT(check, place, "%s is %g, must be a finite number", name, value);
    return 0;
}

void kane_check_positive(double value, const char *name, const char *unit, kane_place place, kane_check *check)
{
    if (kane_check_finite(value, name, place, check) && !(value > 0.0))
        KANE_CHECK_FAULT(check, place, "%s %.10g%s is out of range, must be positive", name, value, unit);
}

void kane_check_not_negative(double value, const char *name, const char *unit, kane_place place, kane_check *check)
{
    if (kane_check_finite(value, name, place, check) && !(value >= 0.0))
        KANE_CHECK_FAULT(check, place, "%s %.10g%s is out of range, must not be negative", name, value, unit);
}

void kane_check_friction(double value, kane_place place, kane_check *check)
{
    if (kane_check_finite(value, "friction", place, check) && !(value >= 0.0 && value <= KANE_FRICTION_MAX))
        KANE_CHECK_FAULT(check, place, "friction %.10g is out of range, must be from 0 to %g", value,
                         KANE_FRICTION_MAX);
}

static void check_curvature(double k, kane_place place, kane_check *check)
{
    if (kane_check_finite(k, "curvature", place, check) && !(fabs(k) < 1.0))
        KANE_CHECK_FAULT(check, place,
                         "curvature %.10g 1/m is out of range, must be below 1 1/m (it is the inverse of the radius)",
                         k);
}

static void check_superelevation(const kane_track_definition *d, double u, kane_place place, kane_check *check)
{
    if (kane_check_finite(u, "superelevation", place, check) && !(fabs(u) <= KANE_SINE_MAX * d->running_distance))
        KANE_CHECK_FAULT(check, place,
                         "superelevation %.10g m is out of range, must be below %.10g m, %.2f of the distance between "
                         "the running points",
                         u, KANE_SINE_MAX * d->running_distance, KANE_SINE_MAX);
}

static void check_grade(double grade, kane_place place, kane_check *check)
{
    if (kane_check_finite(grade, "grade", place, check) && !(fabs(grade) <= KANE_GRADE_MAX))
        KANE_CHECK_FAULT(check, place, "grade %.10g is out of range, must be from %.10g to %.10g", grade,
                         -KANE_GRADE_MAX, KANE_GRADE_MAX);
}

static void check_rails(const kane_track_definition *d, kane_check *check)
{
    if (!d->rail[0])
        KANE_CHECK_FAULT(check, d->place, "the rails have no profile");
    for (int side = 0; side < 2; side++) {
        kane_profile p = d->rail[side] ? *d->rail[side] : *kane_profile_60e1();
        p.place        = p.place.line > 0 ? p.place : d->place;
        if (kane_profile_check(&p, KANE_PROFILE_RAIL, check->errors) != KANE_OK)
            check->count++;
    }
}

static void check_track(const kane_track_definition *d, kane_check *check)
{
    kane_check_positive(d->gauge, "gauge", " m", d->place, check);
    kane_check_positive(d->running_distance, "the distance between the running points", " m", d->place, check);
    kane_check_positive(d->gauge_height, "height at which gauge is measured", " m", d->place, check);
    check_rails(d, check);
    (void)kane_check_finite(d->inclination, "inclination of the rails", d->place, check);
    kane_check_friction(d->friction, d->place, check);
    if (d->cant_axis != KANE_CANT_INNER_RAIL && d->cant_axis != KANE_CANT_CENTRE_LINE)
        KANE_CHECK_FAULT(check, d->place, "cant axis %d does not exist", (int)d->cant_axis);
    if (d->transportation != KANE_TRANSPORTATION_EXACT && d->transportation != KANE_TRANSPORTATION_SMALL_ANGLE)
        KANE_CHECK_FAULT(check, d->place, "transportation %d does not exist", (int)d->transportation);
    (void)kane_check_finite(d->start, "start", d->place, check);
    (void)kane_check_finite(d->heading, "heading", d->place, check);
    check_grade(d->grade, d->place, check);
    check_curvature(d->curvature, d->place, check);
    check_superelevation(d, d->superelevation, d->place, check);
    if (d->section_count <= 0 || !d->sections)
        KANE_CHECK_FAULT(check, d->place, "the track has no sections, must have at least one");
}

// Sections that are implausible and would take too long to prepare.
static void check_size(const kane_section_definition *s, const line_end *before, kane_check *check)
{
    const double from = s->kind == KANE_TRANSITION ? fabs(before->curvature) : 0.0;
    const double k    = fmax(from, fabs(s->curvature));
    const double turn = s->length * k;
    if (isfinite(s->length) && s->length > 0.0 && !(s->length >= SECTION_LEAST && s->length <= LINE_MOST))
        KANE_CHECK_FAULT(check, s->place, "length %.10g m is out of range, must be from %g m to %g m", s->length,
                         SECTION_LEAST, LINE_MOST);
    else if (isfinite(turn) && turn > TURN_MOST && k < 1.0)
        KANE_CHECK_FAULT(check, s->place,
                         "length %.10g m is too long for its curvature: it turns by %.4g rad, must be "
                         "below %g rad",
                         s->length, turn, TURN_MOST);
}

static void check_parabola(const kane_section_definition *s, const line_end *before, kane_check *check)
{
    const double k = fabs(before->curvature) + fabs(s->curvature);

    if (before->curvature != 0.0 && s->curvature != 0.0)
        KANE_CHECK_FAULT(check, s->place,
                         "this parabola leads from curvature %.10g 1/m to %.10g 1/m, one of them must be 0 (other "
                         "shapes join two curves)",
                         before->curvature, s->curvature);
    else if (k > 0.0) {
        // at the slope 1/sqrt(5) the curvature of y' = k x^2/(2 X) is largest
        const double X = 2.0 / (k * sqrt(5.0)), longest = kane_parabola_length(k / (2.0 * X), X);
        if (s->length > longest)
            KANE_CHECK_FAULT(check, s->place,
                             "a parabola of length %.10g m is too long for radius %.10g m: its curvature would fall "
                             "again before its end; it must not be longer than %.10g m",
                             s->length, 1.0 / k, longest);
    }
}

static void check_polynomial(const kane_section_definition *s, kane_check *check)
{
    const int n = s->coefficient_count;
    double sum  = 0.0;

    if (n < 2 || n > KANE_POLYNOMIAL_MAX) {
        KANE_CHECK_FAULT(check, s->place, "%d coefficients of a polynomial, must be 2 to %d", n, KANE_POLYNOMIAL_MAX);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (!kane_check_finite(s->coefficients[i], "a coefficient of the polynomial", s->place, check))
            return;
        sum += s->coefficients[i];
    }
    if (s->coefficients[0] != 0.0)
        KANE_CHECK_FAULT(check, s->place, "the constant term of the polynomial is %.10g, must be 0",
                         s->coefficients[0]);
    if (!(fabs(sum - 1.0) <= KANE_SAME))
        KANE_CHECK_FAULT(check, s->place, "the coefficients of the polynomial have the sum %.10g, must be 1", sum);
}

static void check_spline(const kane_section_definition *s, kane_check *check)
{
    const int n = s->coefficient_count, needed = s->knot_count + s->degree + 1;

    if (s->degree < 1 || s->degree > KANE_SPLINE_DEGREE_MAX) {
        KANE_CHECK_FAULT(check, s->place, "a B-spline of degree %d, must be 1 to %d", s->degree,
                         KANE_SPLINE_DEGREE_MAX);
        return;
    }
    if (s->knot_count < 0 || needed > KANE_SPLINE_MAX || n != needed) {
        KANE_CHECK_FAULT(check, s->place,
                         "%d coefficients of a B-spline of degree %d with %d knots, must be %d: knots + degree + 1, at "
                         "most %d",
                         n, s->degree, s->knot_count, needed, KANE_SPLINE_MAX);
        return;
    }
    for (int i = 0; i < s->knot_count; i++)
        if (!(s->knots[i] > (i > 0 ? s->knots[i - 1] : 0.0) && s->knots[i] < 1.0)) {
            KANE_CHECK_FAULT(check, s->place, "knot %d of the B-spline is %.10g; knots must ascend within 0 and 1",
                             i + 1, s->knots[i]);
            return;
        }
    for (int i = 0; i < n; i++)
        if (!kane_check_finite(s->coefficients[i], "a coefficient of the B-spline", s->place, check))
            return;
    if (s->coefficients[0] != 0.0 || fabs(s->coefficients[n - 1] - 1.0) > KANE_SAME)
        KANE_CHECK_FAULT(check, s->place, "the B-spline leads from %.10g to %.10g, must lead from 0 to 1",
                         s->coefficients[0], s->coefficients[n - 1]);
}

static void check_table_values(const kane_track_definition *d, const kane_section_definition *s, kane_check *check)
{
    for (int i = 0; i < s->point_count; i++) {
        const int before = check->count;

        if (kane_check_finite(s->at[i], "distance of a point of the table", s->place, check) && i > 0 &&
            !(s->at[i] > s->at[i - 1]))
            KANE_CHECK_FAULT(check, s->place, "points of the table must be in order: %.10g m comes after %.10g m",
                             s->at[i], s->at[i - 1]);
        check_curvature(s->table_curvature[i], s->place, check);
        check_superelevation(d, s->table_superelevation[i], s->place, check);
        if (s->table_grade)
            check_grade(s->table_grade[i], s->place, check);
        if (check->count > before)
            return; // one bad point is enough
    }
}

static void check_table(const kane_track_definition *d, const kane_section_definition *s, const line_end *before,
                        kane_check *check)
{
    const int n = s->point_count;

    if (n < 4) {
        KANE_CHECK_FAULT(check, s->place, "the table has %d points, must have at least 4", n);
        return;
    }
    if (!s->at || !s->table_curvature || !s->table_superelevation) {
        KANE_CHECK_FAULT(check, s->place, "the table needs distances, curvatures and superelevations");
        return;
    }
    check_table_values(d, s, check);
    if (!(fabs(s->at[0]) <= KANE_SAME) || !(fabs(s->at[n - 1] - s->length) <= KANE_SAME))
        KANE_CHECK_FAULT(check, s->place, "the table covers %.10g m to %.10g m, must cover 0 m to %.10g m", s->at[0],
                         s->at[n - 1], s->length);
    if (!(fabs(s->table_curvature[0] - before->curvature) <= KANE_SAME))
        KANE_CHECK_FAULT(check, s->place,
                         "the table's curvature begins with %.10g 1/m, must be %.10g 1/m, where the section before "
                         "ended",
                         s->table_curvature[0], before->curvature);
    if (!(fabs(s->table_superelevation[0] - before->superelevation) <= KANE_SAME))
        KANE_CHECK_FAULT(check, s->place,
                         "the table's superelevation begins with %.10g m, must be %.10g m, where the section before "
                         "ended",
                         s->table_superelevation[0], before->superelevation);
}

static void check_transition(const kane_section_definition *s, const line_end *before, kane_check *check)
{
    switch (s->shape) {
    case KANE_CLOTHOID:
        if (kane_check_finite(s->rounding, "rounding of a transition", s->place, check) &&
            !(s->rounding >= 0.0 && s->rounding <= 0.5 * s->length))
            KANE_CHECK_FAULT(check, s->place, "rounding %.10g m is out of range, must be from 0 to half of the length",
                             s->rounding);
        return;
    case KANE_COSINE:
    case KANE_SINE:
    case KANE_BLOSS:
    case KANE_HELMERT: return;
    case KANE_PARABOLA_3: check_parabola(s, before, check); return;
    case KANE_WIENER: (void)kane_check_finite(s->height, "height of the axis of rotation", s->place, check); return;
    case KANE_POLYNOMIAL: check_polynomial(s, check); return;
    case KANE_BSPLINE: check_spline(s, check); return;
    }
    KANE_CHECK_FAULT(check, s->place, "transition shape %d does not exist", (int)s->shape);
}

// Checks one section; leaves its end in *end.
static void check_section(const kane_track_definition *d, const kane_section_definition *s, line_end *end,
                          kane_check *check)
{
    kane_check_positive(s->length, "length", " m", s->place, check);
    check_size(s, end, check);
    if (s->kind == KANE_TABLE) {
        check_table(d, s, end, check);
        if (s->point_count > 0 && s->table_curvature && s->table_superelevation)
            *end = (line_end){s->table_curvature[s->point_count - 1], s->table_superelevation[s->point_count - 1]};
        return;
    }
    check_curvature(s->curvature, s->place, check);
    check_superelevation(d, s->superelevation, s->place, check);
    if (s->kind == KANE_TRANSITION)
        check_transition(s, end, check);
    else if (s->kind != KANE_STRAIGHT && s->kind != KANE_CURVE)
        KANE_CHECK_FAULT(check, s->place, "section kind %d does not exist", (int)s->kind);
    else if (fabs(s->superelevation - end->superelevation) > KANE_SAME)
        KANE_CHECK_FAULT(check, s->place,
                         "superelevation %.10g m does not follow from the section before, which ends with %.10g m; it "
                         "needs a transition%s",
                         s->superelevation, end->superelevation,
                         s->kind == KANE_STRAIGHT ? ", or, where the straight keeps the cant, the same \"cant\"" : "");
    if (s->kind == KANE_STRAIGHT && s->curvature != 0.0 && isfinite(s->curvature))
        KANE_CHECK_FAULT(check, s->place, "curvature %.10g 1/m of a straight section, must be 0", s->curvature);
    *end = (line_end){s->curvature, s->superelevation};
}

static void check_flexibility(const kane_track_definition *d, kane_check *check)
{
    static const char *const names[3][3] = {
        {"lateral mass of the track", "vertical mass of the track", "moment of inertia of the track"},
        {"lateral stiffness of the track", "vertical stiffness of the track", "roll stiffness of the track"},
        {"lateral damping of the track", "vertical damping of the track", "roll damping of the track"}};
    static const char *const units[3][3] = {
        {" kg", " kg", " kg m^2"}, {" N/m", " N/m", " N m/rad"}, {" N s/m", " N s/m", " N m s/rad"}};
    const kane_flexibility_definition *f = &d->flexibility;
    for (int i = 0; d->is_flexible && i < 3; i++) {
        kane_check_positive(f->inertia[i], names[0][i], units[0][i], f->place, check);
        kane_check_positive(f->stiffness[i], names[1][i], units[1][i], f->place, check);
        kane_check_not_negative(f->damping[i], names[2][i], units[2][i], f->place, check);
    }
}

// Sections that are good one by one may be too many: far out, an integrator cannot resolve near places.
static void check_length(const kane_track_definition *d, kane_check *check)
{
    double length = 0.0;
    for (int i = 0; d->sections && i < d->section_count; i++) {
        const double l = d->sections[i].length;
        length += l > 0.0 && l <= LINE_MOST ? l : 0.0; // others have been reported
    }
    if (length > LINE_MOST)
        KANE_CHECK_FAULT(check, d->place, "the line is %.10g m long, must not be longer than %g m", length, LINE_MOST);
}

void kane_check_definition(const kane_track_definition *d, kane_check *check)
{
    line_end end = {d->curvature, d->superelevation};

    check_track(d, check);
    for (int i = 0; d->sections && i < d->section_count; i++)
        check_section(d, &d->sections[i], &end, check);
    check_length(d, check);
    if (d->grade_count < 0 || (d->grade_count > 0 && !d->grades))
        KANE_CHECK_FAULT(check, d->place, "%d changes of grade are announced, but not given", d->grade_count);
    for (int i = 0; d->grades && i < d->grade_count; i++) {
        (void)kane_check_finite(d->grades[i].at, "place of a change of grade", d->grades[i].place, check);
        check_grade(d->grades[i].grade, d->grades[i].place, check);
        kane_check_not_negative(d->grades[i].rounding, "radius of the vertical arc", " m", d->grades[i].place, check);
    }
    kane_check_rails(d, check);
    check_flexibility(d, check);
    if (d->is_road && (d->is_flexible || d->friction_change_count + d->profile_change_count + d->check_rail_count > 0))
        KANE_CHECK_FAULT(
            check, d->place,
            "a road has no rails: neither changes of their friction or profile, nor check rails, nor panels that give way");
}
