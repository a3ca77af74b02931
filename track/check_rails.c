// SPDX-License-Identifier: MIT
// Checks the rails of a definition: irregularities of all sorts, changes of friction and of profiles, check rails.

#include "track/piece.h"

#include <math.h>

// Limits of what anybody can mean [m]
static const double AMPLITUDE_MOST = 1.0, WAVE_LEAST = 1e-3, LENGTH_MOST = 1e7;
static const double RECORD_MOST  = 0.2,
                    RECORD_LEAST = 1e-5;  // largest value of a record: millimetres taken for metres ...
static const double SPACING_MOST = 5.0;   // of its points: kilometres, or too few of them
static const double BEYOND_MOST  = 100.0; // from the ends of the line [m]
enum { WAVES_MOST = 100000 };

static double line_length(const kane_track_definition *d)
{
    double length = 0.0;
    for (int i = 0; d->sections && i < d->section_count; i++)
        length += d->sections[i].length;
    return length;
}

// An array that is announced and given.
static int is_given(int count, const void *items, const char *what, const kane_track_definition *d, kane_check *check)
{
    if (count < 0 || (count > 0 && !items)) {
        KANE_CHECK_FAULT(check, d->place, "%d %s are announced, but not given", count, what);
        return 0;
    }
    return 1;
}

static void check_kind(const kane_track_definition *d, kane_irregularity_kind kind, kane_place place, kane_check *check)
{
    if ((int)kind < 0 || (int)kind >= KANE_IRREGULARITY_KINDS)
        KANE_CHECK_FAULT(check, place, "irregularity kind %d does not exist", (int)kind);
    else if (d->is_road &&
             (kind == KANE_LATERAL || kind == KANE_GAUGE || kind == KANE_LEFT_LATERAL || kind == KANE_RIGHT_LATERAL))
        KANE_CHECK_FAULT(check, place,
                         "a road has no rails; it may be uneven by vertical, cross_level, "
                         "left_vertical and right_vertical");
}

static void check_size(double value, const char *name, kane_place place, kane_check *check)
{
    if (kane_check_finite(value, name, place, check) && fabs(value) > AMPLITUDE_MOST)
        KANE_CHECK_FAULT(check, place, "%s %.10g m is out of range, must be below %g m", name, value, AMPLITUDE_MOST);
}

static void check_wavelength(double value, const char *name, kane_place place, kane_check *check)
{
    kane_check_positive(value, name, " m", place, check);
    if (value > 0.0 && value < WAVE_LEAST)
        KANE_CHECK_FAULT(check, place, "%s %.10g m is out of range, must be at least %g m", name, value, WAVE_LEAST);
}

static void check_sine(const kane_track_definition *d, const kane_irregularity_definition *w, kane_check *check)
{
    check_kind(d, w->kind, w->place, check);
    check_size(w->amplitude, "amplitude", w->place, check);
    check_wavelength(w->wavelength, "wavelength", w->place, check);
    (void)kane_check_finite(w->phase, "phase", w->place, check);
}

static void check_spectrum(const kane_track_definition *d, const kane_spectrum_definition *p, kane_check *check)
{
    check_kind(d, p->kind, p->place, check);
    kane_check_positive(p->spectrum.A, "roughness", " m^2 rad/m", p->place, check);
    kane_check_positive(p->spectrum.Oc, "wave number Oc", " rad/m", p->place, check);
    kane_check_not_negative(p->spectrum.Or, "wave number Or", " rad/m", p->place, check);
    kane_check_not_negative(p->spectrum.Os, "wave number Os", " rad/m", p->place, check);
    check_wavelength(p->shortest, "shortest wavelength", p->place, check);
    check_wavelength(p->longest, "longest wavelength", p->place, check);
    if (p->shortest >= p->longest)
        KANE_CHECK_FAULT(check, p->place, "the band is empty: its shortest wavelength is %.10g m, its longest %.10g m",
                         p->shortest, p->longest);
    if (p->wave_count < 1 || p->wave_count > WAVES_MOST)
        KANE_CHECK_FAULT(check, p->place, "%d waves are out of range, must be 1 to %d", p->wave_count, WAVES_MOST);
    if (p->seed < 0)
        KANE_CHECK_FAULT(check, p->place, "seed %d is out of range, must not be negative", p->seed);
}

static int check_points(const kane_record_definition *r, kane_check *check)
{
    if (r->point_count < 4 || !r->at || !r->value) {
        KANE_CHECK_FAULT(check, r->place, "the record has %d points, must have at least 4", r->point_count);
        return 0;
    }
    for (int i = 0; i < r->point_count; i++) {
        if (!kane_check_finite(r->at[i], "chainage of a point", r->place, check) ||
            !kane_check_finite(r->value[i], "a value of the record", r->place, check))
            return 0;
        if (i > 0 && !(r->at[i] > r->at[i - 1])) {
            KANE_CHECK_FAULT(check, r->place, "points of the record must be in order: %.10g m comes after %.10g m",
                             r->at[i], r->at[i - 1]);
            return 0;
        }
    }
    return 1;
}

static void check_record(const kane_track_definition *d, const kane_record_definition *r, kane_check *check)
{
    check_kind(d, r->kind, r->place, check);
    if (!check_points(r, check))
        return;
    const double first = r->at[0], last = r->at[r->point_count - 1], end = d->start + line_length(d);
    const double spacing = (last - first) / (r->point_count - 1);
    double most          = 0.0;
    for (int i = 0; i < r->point_count; i++)
        most = fmax(most, fabs(r->value[i]));
    if (r->kind == KANE_GAUGE && most > RECORD_MOST && r->value[0] > 0.5 && r->value[0] < 3.0)
        KANE_CHECK_FAULT(check, r->place,
                         "a gauge widens by less than %g m; this is the gauge itself, and needs a \"nominal_gauge\"",
                         RECORD_MOST);
    else if (most > RECORD_MOST)
        KANE_CHECK_FAULT(check, r->place, "its largest value is %.4g m, must be below %g m; are these millimetres?",
                         most, RECORD_MOST);
    else if (most > 0.0 && most < RECORD_LEAST)
        KANE_CHECK_FAULT(check, r->place, "its largest value is %.4g m, must be above %g m; are these metres?", most,
                         RECORD_LEAST);
    if (spacing > SPACING_MOST)
        KANE_CHECK_FAULT(check, r->place,
                         "its points are %.4g m apart, must be closer than %g m; is the chainage in another unit?",
                         spacing, SPACING_MOST);
    if (first > end - KANE_SAME || last < d->start + KANE_SAME)
        KANE_CHECK_FAULT(check, r->place,
                         "it reaches from chainage %.10g m to %.10g m, and not onto the line from %.10g m to %.10g m",
                         first, last, d->start, end);
}

// What lies so far from the line that no wheel gets there, though bodies reach beyond both ends, would do nothing.
static void check_on_line(const kane_track_definition *d, double from, double to, const char *what, kane_place place,
                          kane_check *check)
{
    const double end = d->start + line_length(d);
    if (to < d->start - BEYOND_MOST || from > end + BEYOND_MOST)
        KANE_CHECK_FAULT(check, place, "%s lies outside of the line, which goes from chainage %.10g m to %.10g m", what,
                         d->start, end);
}

static void check_defect(const kane_track_definition *d, const kane_defect_definition *e, kane_check *check)
{
    check_kind(d, e->kind, e->place, check);
    if ((int)e->shape < 0 || e->shape > KANE_DEFECT_JOG)
        KANE_CHECK_FAULT(check, e->place, "defect shape %d does not exist", (int)e->shape);
    (void)kane_check_finite(e->at, "place of the defect", e->place, check);
    check_wavelength(e->length, "length", e->place, check);
    check_size(e->height, "height", e->place, check);
    check_on_line(d, e->at - e->length, e->at + e->length, "the defect", e->place, check);
}

static void check_change(const kane_track_definition *d, const kane_friction_change *c, kane_check *check)
{
    const int before = check->count;
    if ((int)c->rails < 0 || c->rails > KANE_BOTH_RAILS)
        KANE_CHECK_FAULT(check, c->place, "choice of rails %d does not exist", (int)c->rails);
    (void)kane_check_finite(c->from, "beginning of the change of friction", c->place, check);
    (void)kane_check_finite(c->to, "end of the change of friction", c->place, check);
    kane_check_friction(c->friction, c->place, check);
    kane_check_positive(c->over, "length of the transition of friction", " m", c->place, check);
    if (check->count > before)
        return;
    check_on_line(d, c->from, c->to, "the change of friction", c->place, check);
    if (!(c->to > c->from))
        KANE_CHECK_FAULT(check, c->place, "a change of friction from %.10g m to %.10g m ends before it begins", c->from,
                         c->to);
    else if (!(c->to - c->from >= c->over))
        KANE_CHECK_FAULT(check, c->place,
                         "a change of friction from %.10g m to %.10g m has no room for transitions of %.10g m; it must "
                         "be at least as long as one of them",
                         c->from, c->to, c->over);
}

static void check_profile_change(const kane_track_definition *d, const kane_profile_change *c, kane_check *check)
{
    const int before = check->count;
    if ((int)c->rails < 0 || c->rails > KANE_BOTH_RAILS)
        KANE_CHECK_FAULT(check, c->place, "choice of rails %d does not exist", (int)c->rails);
    if (c->profile < 0 || c->profile > d->shape_count)
        KANE_CHECK_FAULT(check, c->place, "profile %d of the rails does not exist, there are %d further ones",
                         c->profile, d->shape_count);
    (void)kane_check_finite(c->from, "beginning of the change of the profile", c->place, check);
    kane_check_positive(c->over, "length of the transition of the profile", " m", c->place, check);
    if (check->count == before)
        check_on_line(d, c->from, c->from + c->over, "the change of the profile", c->place, check);
}

static void check_range(double value, double least, double most, const char *name, const char *unit, kane_place place,
                        kane_check *check)
{
    if (!(value >= least && value <= most))
        KANE_CHECK_FAULT(check, place, "%s of the check rail, %.6g%s, must be from %g to %g%s", name, value, unit,
                         least, most, unit);
}

static void check_flangeway(const kane_track_definition *d, const kane_check_rail *r, kane_check *check)
{
    const int before = check->count;
    if ((int)r->rails < 0 || r->rails > KANE_BOTH_RAILS)
        KANE_CHECK_FAULT(check, r->place, "choice of rails %d does not exist", (int)r->rails);
    (void)kane_check_finite(r->from, "beginning of the check rail", r->place, check);
    (void)kane_check_finite(r->to, "end of the check rail", r->place, check);
    kane_check_positive(r->flare, "length of the flares of the check rail", " m", r->place, check);
    check_range(r->flangeway, 0.02, 0.2, "flangeway", " m", r->place, check);
    check_range(r->opening, 0.02, 0.3, "opening", " m", r->place, check);
    check_range(r->height, 0.0, 0.1, "height", " m", r->place, check);
    kane_check_positive(r->stiffness, "stiffness of the check rail", " N/m", r->place, check);
    kane_check_positive(r->onset, "onset of the check rail", " m", r->place, check);
    kane_check_not_negative(r->damping, "damping of the check rail", " N s/m", r->place, check);
    kane_check_friction(r->friction, r->place, check);
    if (check->count > before)
        return;
    if (!(r->opening > r->flangeway))
        KANE_CHECK_FAULT(check, r->place,
                         "the check rail opens to %.6g m at its ends, but its flangeway is %.6g m wide; flares must "
                         "open to more than that",
                         r->opening, r->flangeway);
    if (!(r->to - r->from >= 2.0 * r->flare))
        KANE_CHECK_FAULT(check, r->place,
                         "a check rail from %.10g m to %.10g m has no room for two flares of %.10g m each", r->from,
                         r->to, r->flare);
    check_on_line(d, r->from, r->to, "the check rail", r->place, check);
}

static void check_shapes(const kane_track_definition *d, kane_check *check)
{
    if (d->shape_count < 0 || d->shape_count > KANE_RAIL_SHAPES_MAX)
        KANE_CHECK_FAULT(check, d->place, "%d further profiles of the rails, must be 0 to %d", d->shape_count,
                         KANE_RAIL_SHAPES_MAX);
    else
        for (int i = 0; d->shapes && i < d->shape_count; i++) {
            kane_profile p = *d->shapes[i].profile;
            p.place        = p.place.line > 0 ? p.place : d->place;
            check->count += kane_profile_check(&p, KANE_PROFILE_RAIL, check->errors) != KANE_OK;
        }
    for (int i = 0; i < d->profile_change_count; i++)
        check_profile_change(d, &d->profile_changes[i], check);
}

// The table of spectra must not become too large.
static void check_table(const kane_track_definition *d, kane_check *check)
{
    const double step = kane_irregularities_step(d), end = line_length(d);
    const double intervals = kane_irregularities_intervals(step, end);
    if (d->spectrum_count > 0 && end <= LENGTH_MOST && intervals > KANE_INTERVALS_MOST)
        KANE_CHECK_FAULT(
            check, d->spectra[0].place,
            "irregularities of a line of %.10g m need a table in steps of %.4g m, %.4g of them; there must "
            "not be more than %g: take a shorter line, or leave out the shortest waves",
            end, step, intervals, KANE_INTERVALS_MOST);
}

void kane_check_rails(const kane_track_definition *d, kane_check *check)
{
    const int before = check->count;
    int are_given    = is_given(d->irregularity_count, d->irregularities, "irregularities", d, check);
    are_given        = is_given(d->spectrum_count, d->spectra, "spectra", d, check) && are_given;
    are_given        = is_given(d->record_count, d->records, "records", d, check) && are_given;
    are_given        = is_given(d->defect_count, d->defects, "defects", d, check) && are_given;
    are_given = is_given(d->friction_change_count, d->friction_changes, "changes of friction", d, check) && are_given;
    are_given = is_given(d->profile_change_count, d->profile_changes, "changes of the profile", d, check) && are_given;
    are_given = is_given(d->check_rail_count, d->check_rails, "check rails", d, check) && are_given;
    if (!are_given)
        return;
    check_shapes(d, check);
    for (int i = 0; i < d->irregularity_count; i++)
        check_sine(d, &d->irregularities[i], check);
    for (int i = 0; i < d->spectrum_count; i++)
        check_spectrum(d, &d->spectra[i], check);
    for (int i = 0; i < d->record_count; i++)
        check_record(d, &d->records[i], check);
    for (int i = 0; i < d->defect_count; i++)
        check_defect(d, &d->defects[i], check);
    for (int i = 0; i < d->friction_change_count; i++)
        check_change(d, &d->friction_changes[i], check);
    for (int i = 0; i < d->check_rail_count; i++)
        check_flangeway(d, &d->check_rails[i], check);
    if (check->count == before)
        check_table(d, check);
    (void)kane_check_finite(d->fade_in_from, "beginning of the fade-in", d->place, check);
    kane_check_not_negative(d->fade_in_length, "length of the fade-in", " m", d->place, check);
}
