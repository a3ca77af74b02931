// SPDX-License-Identifier: MIT
// From a track file to a track.

#include "track/track_file.h"

#include "base/file.h"
#include "profile/profile.h"
#include "track/piece.h"

#include <math.h>
#include <string.h>

typedef struct builder {
    kane_reader *reader;
    double curvature, superelevation; // at the end of the section before
    int is_said;                      // the section before has a "radius", be it "inf"
    const kane_track_file *file;
    kane_track_definition *d;
    double end; // distance from the beginning of the line to the end of the section before [m]
} builder;

static double curvature_of(double radius)
{
    return radius != 0.0 && isfinite(radius) ? 1.0 / radius : 0.0;
}

// Cant counts the outer rail over the inner one; superelevation the right rail over the left one.
static double superelevation_of(double cant, double curvature)
{
    return curvature < 0.0 ? -cant : cant;
}

// Where the line is straight, the cant is that of the curve before: the same rail stays the higher one.
static double hand_of(const builder *b)
{
    return b->curvature != 0.0 ? b->curvature : b->superelevation;
}

static void check_radius(const builder *b, const kane_block *block, double radius)
{
    if (kane_block_has(block, "radius") && radius == 0.0)
        kane_reader_fault(b->reader, block, "radius", "0 is no radius; leave it out where the line is straight");
}

static void fill_curve(const builder *b, const kane_section_input *in, kane_section_definition *d)
{
    d->kind           = KANE_CURVE;
    d->length         = in->curve;
    d->curvature      = kane_block_has(&in->block, "radius") ? curvature_of(in->radius) : b->curvature;
    d->superelevation = b->superelevation;
    if (kane_block_has(&in->block, "cant"))
        d->superelevation = superelevation_of(in->cant, d->curvature != 0.0 ? d->curvature : hand_of(b));
    check_radius(b, &in->block, in->radius);
    if (d->curvature == 0.0 && !kane_block_has(&in->block, "radius") && !b->is_said)
        kane_reader_fault(b->reader, &in->block, NULL,
                          "the curve has no radius, and the section before ends straight; give a \"radius\"");
}

// Which shapes have numbers of their own.
static void check_shape_keys(const builder *b, const kane_section_input *in)
{
    const int is_spline = in->shape == KANE_BSPLINE, has_coefficients = in->shape == KANE_POLYNOMIAL || is_spline;
    const char *foreign = kane_block_has(&in->block, "knots") ? "knots" : "degree";
    if (kane_block_has(&in->block, "coefficients") && !has_coefficients)
        kane_reader_fault(b->reader, &in->block, "shape",
                          "only the shapes \"polynomial\" and \"spline\" have \"coefficients\"");
    if (has_coefficients && !kane_block_has(&in->block, "coefficients"))
        kane_reader_fault(b->reader, &in->block, "shape", "the shape \"%s\" needs \"coefficients\"",
                          is_spline ? "spline" : "polynomial");
    if (!is_spline && kane_block_has(&in->block, foreign))
        kane_reader_fault(b->reader, &in->block, foreign, "only the shape \"spline\" has knots and a degree");
}

// Coefficients of polynomials and B-splines, with the knots of the latter. 0 with an error: too many.
static int fill_coefficients(const builder *b, const kane_section_input *in, kane_section_definition *d)
{
    const int most = in->shape == KANE_BSPLINE ? KANE_SPLINE_MAX : KANE_POLYNOMIAL_MAX;
    if (in->coefficients.count > most || in->knots.count > KANE_SPLINE_MAX) {
        const int are_knots = in->coefficients.count <= most;
        kane_reader_fault(b->reader, &in->block, are_knots ? "knots" : "coefficients",
                          "has %d numbers; %d are possible", are_knots ? in->knots.count : in->coefficients.count,
                          are_knots ? KANE_SPLINE_MAX : most);
        return 0;
    }
    d->degree     = in->degree;
    d->knot_count = in->knots.count;
    for (int i = 0; i < in->knots.count; i++)
        d->knots[i] = in->knots.values[i];
    d->coefficient_count = in->coefficients.count;
    for (int i = 0; i < in->coefficients.count; i++)
        d->coefficients[i] = in->coefficients.values[i];
    check_shape_keys(b, in);
    return 1;
}

static void fill_transition(const builder *b, const kane_section_input *in, kane_section_definition *d)
{
    d->kind           = KANE_TRANSITION;
    d->length         = in->transition;
    d->shape          = (kane_transition_shape)in->shape;
    d->curvature      = curvature_of(in->to.radius);
    d->superelevation = superelevation_of(in->to.cant, d->curvature != 0.0 ? d->curvature : hand_of(b));
    d->height         = in->height;
    d->small_angle    = in->small_angle;
    check_radius(b, &in->to.block, in->to.radius);
    if (!fill_coefficients(b, in, d))
        return;
    if (kane_block_has(&in->block, "height") && in->shape != KANE_WIENER)
        kane_reader_fault(b->reader, &in->block, "height", "only the shape \"wiener\" has a height");
    if (kane_block_has(&in->block, "small_angle") && in->shape != KANE_WIENER)
        kane_reader_fault(b->reader, &in->block, "small_angle", "only the shape \"wiener\" has a \"small_angle\"");
    d->rounding = in->rounding;
    if (kane_block_has(&in->block, "rounding") && in->shape != KANE_CLOTHOID)
        kane_reader_fault(
            b->reader, &in->block, "rounding",
            "only the shape \"clothoid\" is rounded; the others have no kinks at their ends, or are meant so");
    else if (in->rounding > 0.5 * in->transition)
        kane_reader_fault(b->reader, &in->block, "rounding",
                          "%g m at either end is more than the whole transition of %g m, must be at most half of it",
                          in->rounding, in->transition);
}

static void fill_measured(const builder *b, const kane_section_input *in, kane_section_definition *d)
{
    const kane_measured_input *m = &in->measured;
    const int n                  = m->at.count;
    d->kind                      = KANE_TABLE;
    if (m->curvature.count != n || m->superelevation.count != n || (m->grade.count != n && m->grade.count != 0) ||
        n < 1) {
        kane_reader_fault(b->reader, &m->block, NULL,
                          "has %d places, %d curvatures, %d superelevations and %d grades; needs as many of each", n,
                          m->curvature.count, m->superelevation.count, m->grade.count);
        return;
    }
    d->length               = m->at.values[n - 1];
    d->point_count          = n;
    d->at                   = m->at.values;
    d->table_curvature      = m->curvature.values;
    d->table_superelevation = m->superelevation.values;
    d->table_grade          = m->grade.count > 0 ? m->grade.values : NULL;
    d->curvature            = m->curvature.values[n - 1];
    d->superelevation       = m->superelevation.values[n - 1];
}

// The start of a line from a file; the first one is that of the track if the track has none.
static void fill_alignment(builder *b, const kane_section_input *in, int is_first, kane_section_definition *d)
{
    double start, heading;
    kane_track_definition *track = b->d;
    d->kind                      = KANE_TABLE;
    if (!kane_alignment_read(b->reader, &in->alignment, d, &start, &heading))
        return;
    if (is_first && isfinite(start) && !kane_block_has(&b->file->block, "start"))
        track->start = start;
    else if (isfinite(start) && fabs(start - (track->start + b->end)) > 1e-6)
        kane_reader_fault(b->reader, &in->alignment.block, "chainage",
                          "the file begins at chainage %.10g m, must begin where the line has come to, at %.10g m",
                          start, track->start + b->end);
    if (is_first && isfinite(heading) && !kane_block_has(&b->file->block, "heading"))
        track->heading = heading;
    if (is_first && d->table_grade && !kane_block_has(&b->file->block, "grade"))
        track->grade = d->table_grade[0];
}

static void fill_section(builder *b, const kane_section_input *in, int is_first, kane_section_definition *d)
{
    static const char *const kinds[] = {"straight", "curve", "transition", "measured", "alignment"};
    int count = 0, kind = 0;
    for (int i = 0; i < 5; i++) {
        if (kane_block_has(&in->block, kinds[i])) {
            kind = i;
            count++;
        }
    }
    *d = (kane_section_definition){.place = kane_block_place(&in->block, NULL, -1)};
    if (count != 1) {
        kane_reader_report(
            b->reader, d->place,
            "a section is one of \"straight\", \"curve\", \"transition\", \"measured\" and \"alignment\"; this has %s",
            count == 0 ? "none of them" : "several of them");
        return;
    }
    switch (kind) {
    case 0:
        d->kind           = KANE_STRAIGHT;
        d->length         = in->straight;
        d->superelevation = superelevation_of(in->cant, hand_of(b));
        break;
    case 1: fill_curve(b, in, d); break;
    case 2: fill_transition(b, in, d); break;
    case 3: fill_measured(b, in, d); break;
    default: fill_alignment(b, in, is_first, d); break;
    }
    if (kind != 1) {
        kane_reader_forbid(b->reader, &in->block, "radius", "only a curve has a \"radius\"");
        if (kind != 0)
            kane_reader_forbid(b->reader, &in->block, "cant", "only a curve or a straight has a \"cant\"");
    }
    if (kind != 2) {
        kane_reader_forbid(b->reader, &in->block, "shape", "only a transition has a \"shape\"");
        kane_reader_forbid(b->reader, &in->block, "to", "only a transition has a \"to\"");
        kane_reader_forbid(b->reader, &in->block, "height", "only a transition has a \"height\"");
        kane_reader_forbid(b->reader, &in->block, "small_angle", "only a transition has a \"small_angle\"");
        kane_reader_forbid(b->reader, &in->block, "coefficients", "only a transition has a \"coefficients\"");
        kane_reader_forbid(b->reader, &in->block, "rounding", "only a transition has a \"rounding\"");
    }
    b->end += d->length;
    b->curvature      = d->curvature;
    b->superelevation = d->superelevation;
    b->is_said        = kane_block_has(kind == 2 ? &in->to.block : &in->block, "radius") || (kind == 1 && b->is_said);
}

static void fill_sections(kane_reader *reader, const kane_track_file *file, kane_track_definition *d)
{
    const kane_section_input *in      = file->sections.items;
    const int count                   = file->sections.count;
    kane_section_definition *sections = kane_arena_alloc(reader->arena, (size_t)count, sizeof *sections);
    builder b                         = {.reader = reader, .file = file, .d = d};
    if (!sections) {
        kane_reader_no_memory(reader, d->place);
        return;
    }
    for (int i = 0; i < count; i++)
        fill_section(&b, &in[i], i == 0, &sections[i]);
    d->sections      = sections;
    d->section_count = count;
    // the line begins as its first section does
    if (count > 0 && (sections[0].kind == KANE_CURVE || sections[0].kind == KANE_STRAIGHT)) {
        d->curvature      = sections[0].curvature;
        d->superelevation = sections[0].superelevation;
    } else if (count > 0 && sections[0].kind == KANE_TABLE && sections[0].point_count > 0) {
        d->curvature      = sections[0].table_curvature[0];
        d->superelevation = sections[0].table_superelevation[0];
    }
}

// What is finite and still no track: mostly another unit than metres.
static void check_range(kane_reader *reader, const kane_block *block, const char *key, double value, double least,
                        double most, const char *unit)
{
    if (!(value >= least && value <= most))
        kane_reader_fault(reader, block, key, "%g%s is out of range, must be from %g to %g", value, unit, least, most);
}

// The limits of gauge and rails are those of the contact (lib/contact). The running points lie some 33 mm outside of
// the gauge faces.
static void check_values(kane_reader *reader, const kane_track_file *file)
{
    const kane_block *block = &file->block;
    if (!(file->gauge >= 0.2 && file->gauge <= 5.0))
        check_range(reader, block, "gauge", file->gauge, 0.2, 5.0, " m");
    else if (!(file->running_distance >= file->gauge && file->running_distance <= 1.2 * file->gauge))
        kane_reader_report(
            reader,
            kane_block_place(block, kane_block_has(block, "running_distance") ? "running_distance" : "gauge", -1),
            "a \"running_distance\" of %g m does not go with a gauge of %g m; must be from %g m to %g m",
            file->running_distance, file->gauge, file->gauge, 1.2 * file->gauge);
    check_range(reader, &file->rail.block, "inclination", file->rail.inclination, 0.0, 0.1, "");
    check_range(reader, &file->rail.block, "head_radius", file->rail.head_radius, 0.02, 10.0, " m");
    check_range(reader, &file->rail.block, "friction", file->rail.friction, 0.0, KANE_FRICTION_MAX, "");
    check_range(reader, block, "gauge_height", file->gauge_height, 0.005, 0.03, " m");
    check_range(reader, block, "start", file->start, -1e9, 1e9, " m");
    check_range(reader, block, "heading", file->heading, -1000.0, 1000.0, " rad");
    if (kane_block_has(block, "sections") && file->sections.count == 0)
        kane_reader_fault(reader, block, "sections", "the track has no sections, must have at least one");
}

static const char *const known_rails[2] = {"60E1", "round"};

static void fill_changes(kane_reader *reader, const kane_track_file *file, const kane_profile **made,
                         const kane_profile *round, kane_track_definition *d);

static void fill_rails(kane_reader *reader, const kane_track_file *file, kane_track_definition *d)
{
    const char *const *known         = known_rails;
    const kane_rail_input *in        = &file->rail;
    const char *const names[2]       = {in->profile, in->right};
    static const char *const keys[2] = {"profile", "right"};
    const kane_profile **made = kane_profiles_build(reader, KANE_PROFILE_RAIL, &file->profiles, d->place.file, known);
    const kane_profile round  = kane_profile_round(in->head_radius);
    for (int side = 0; made && side < 2; side++) {
        const int found = names[side] ? kane_profiles_find(reader, &file->profiles, known, names[side],
                                                           kane_block_place(&in->block, keys[side], -1))
                                      : -1;
        if (found >= 0)
            d->rail[side] = found == 0   ? kane_profile_60e1()
                            : found == 1 ? kane_profile_copy(reader->arena, &round)
                                         : made[found - 2];
    }
    if (made)
        fill_changes(reader, file, made, &round, d);
}

// Index of a shape among those so far, which may get one more; -1 if there are too many.
static int find_shape(kane_rail_shape *shapes, int *count, const kane_profile *profile, int as_drawn, double behind)
{
    for (int i = 0; i < *count; i++)
        if (shapes[i].profile == profile && shapes[i].as_drawn == as_drawn)
            return i;
    if (*count == KANE_RAIL_SHAPES_MAX)
        return -1;
    shapes[*count] = (kane_rail_shape){profile, as_drawn, behind};
    return (*count)++;
}

// Changes as they are found.
typedef struct change_list {
    kane_reader *reader;
    int count;
    kane_profile_change *changes;
    kane_rail_shape *shapes; // KANE_RAIL_SHAPES_MAX
    kane_track_definition *d;
} change_list;

static void add_change(change_list *l, kane_profile_change change, const kane_profile *profile, int as_drawn,
                       kane_place place)
{
    const int shape =
        profile ? find_shape(l->shapes, &l->d->shape_count, profile, as_drawn, change.straight ? change.over : 0.0) : 0;
    if (shape < 0)
        kane_reader_report(l->reader, place, "more than %d profiles beside the rails' own", KANE_RAIL_SHAPES_MAX);
    change.profile         = shape + 1;
    l->changes[l->count++] = change;
}

// What only slices have, or have not. 0 with errors.
static int is_one_way(kane_reader *reader, const kane_profile_change_input *in)
{
    static const char *const of_profiles[] = {"lies", NULL}, *const of_slices[] = {"unit", "smoothing", NULL};
    const int slices = kane_block_has(&in->block, "slices");
    int good         = slices != kane_block_has(&in->block, "profile");
    if (!good)
        kane_reader_fault(reader, &in->block, NULL, "needs either \"profile\" or \"slices\"");
    for (const char *const *key = slices ? of_profiles : of_slices; good && *key; key++)
        if (kane_block_has(&in->block, *key)) {
            kane_reader_fault(reader, &in->block, *key, "only a change with \"%s\" has \"%s\"",
                              slices ? "profile" : "slices", *key);
            good = 0;
        }
    return good;
}

static const kane_slice *read_slices(kane_reader *reader, const kane_profile_change_input *in, int *count)
{
    const kane_profile_options how = {.kind = KANE_PROFILE_RAIL,
                                      .unit = kane_block_has(&in->block, "unit") ? kane_profile_metres[in->unit] : 0.0,
                                      .lateral   = KANE_LATERAL_OUTSIDE,
                                      .vertical  = KANE_VERTICAL_DOWN,
                                      .smoothing = in->smoothing,
                                      .inclined  = 1,
                                      .slice     = 1,
                                      .place     = kane_block_place(&in->block, "slices", -1)};
    const char *name               = kane_file_beside(reader->arena, how.place.file, in->slices);
    const kane_slice *found        = name ? kane_slices_load(reader->arena, name, &how, count, reader->errors) : NULL;
    reader->fault_count += found == NULL;
    return found;
}

static void add_slices(change_list *l, const kane_profile_change_input *in, const kane_slice *slices, int count)
{
    for (int i = 0; i < count; i++) {
        const double over = i == 0 ? in->over : slices[i].at - slices[i - 1].at;
        add_change(l,
                   (kane_profile_change){.from     = in->from + slices[i].at - over,
                                         .over     = over,
                                         .rails    = (kane_rails)in->rail,
                                         .straight = i > 0,
                                         .place    = slices[i].place},
                   slices[i].profile, 1, slices[i].place);
    }
}

static void fill_changes(kane_reader *reader, const kane_track_file *file, const kane_profile **made,
                         const kane_profile *round, kane_track_definition *d)
{
    const kane_profile_change_input *in = file->profile_changes.items;
    const int count                     = file->profile_changes.count;
    const kane_profile *own_round       = count > 0 ? kane_profile_copy(reader->arena, round) : NULL;
    const kane_slice **slices           = kane_arena_alloc(reader->arena, (size_t)count, sizeof *slices);
    int *slice_count                    = kane_arena_alloc(reader->arena, (size_t)count, sizeof *slice_count);
    change_list l                       = {.reader = reader, .d = d};
    int all                             = count;
    for (int i = 0; slices && slice_count && i < count; i++)
        if (is_one_way(reader, &in[i]) && kane_block_has(&in[i].block, "slices")) {
            slices[i] = read_slices(reader, &in[i], &slice_count[i]);
            all += slice_count[i];
        }
    l.changes = kane_arena_alloc(reader->arena, (size_t)all, sizeof *l.changes);
    l.shapes  = kane_arena_alloc(reader->arena, KANE_RAIL_SHAPES_MAX, sizeof *l.shapes);
    if (!l.changes || !l.shapes || !slices || !slice_count || (count > 0 && !own_round)) {
        kane_reader_no_memory(reader, d->place);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (slices[i])
            add_slices(&l, &in[i], slices[i], slice_count[i]);
        if (!kane_block_has(&in[i].block, "profile"))
            continue;
        const kane_place place = kane_block_place(&in[i].block, "profile", -1);
        const int found        = kane_profiles_find(reader, &file->profiles, known_rails, in[i].profile, place);
        const kane_profile *p  = found < 0    ? NULL
                                 : found == 0 ? kane_profile_60e1()
                                 : found == 1 ? own_round
                                              : made[found - 2];
        add_change(&l,
                   (kane_profile_change){.from  = in[i].from,
                                         .over  = in[i].over,
                                         .rails = (kane_rails)in[i].rail,
                                         .place = kane_block_place(&in[i].block, NULL, -1)},
                   p, in[i].lies, place);
    }
    d->shapes               = l.shapes;
    d->profile_changes      = l.changes;
    d->profile_change_count = l.count;
}

static void fill_grades(kane_reader *reader, const kane_track_file *file, kane_track_definition *d)
{
    const kane_grade_input *in    = file->grades.items;
    kane_grade_definition *grades = kane_arena_alloc(reader->arena, (size_t)file->grades.count, sizeof *grades);
    if (!grades) {
        kane_reader_no_memory(reader, d->place);
        return;
    }
    for (int i = 0; i < file->grades.count; i++)
        grades[i] = (kane_grade_definition){.at       = in[i].at,
                                            .grade    = in[i].grade,
                                            .rounding = in[i].rounding,
                                            .place    = kane_block_place(&in[i].block, NULL, -1)};
    d->grades      = grades;
    d->grade_count = file->grades.count;
}

// Softer or lighter than this is a number without its unit: a wheelset would sink by a metre.
static void fill_flexibility(kane_reader *reader, const kane_track_file *file, kane_track_definition *d)
{
    const kane_flexibility_input *in = &file->flexibility;
    if (!kane_block_has(&file->block, "flexibility"))
        return;
    check_range(reader, &in->mass.block, "lateral", in->mass.lateral, 10.0, 1e6, " kg");
    check_range(reader, &in->mass.block, "vertical", in->mass.vertical, 10.0, 1e6, " kg");
    check_range(reader, &in->block, "inertia", in->inertia, 1.0, 1e6, " kg m^2");
    check_range(reader, &in->stiffness.block, "lateral", in->stiffness.lateral, 1e5, 1e13, " N/m");
    check_range(reader, &in->stiffness.block, "vertical", in->stiffness.vertical, 1e5, 1e13, " N/m");
    check_range(reader, &in->stiffness.block, "roll", in->stiffness.roll, 1e4, 1e13, " N m/rad");
    d->is_flexible = 1;
    d->flexibility =
        (kane_flexibility_definition){.inertia   = {in->mass.lateral, in->mass.vertical, in->inertia},
                                      .stiffness = {in->stiffness.lateral, in->stiffness.vertical, in->stiffness.roll},
                                      .damping   = {in->damping.lateral, in->damping.vertical, in->damping.roll},
                                      .place     = kane_block_place(&in->block, NULL, -1)};
}

// What a road does not have.
static void check_road(kane_reader *reader, const kane_track_file *file)
{
    static const char *const rails[] = {"gauge",      "gauge_height",     "running_distance", "profiles",
                                        "rail",       "friction_changes", "flexibility",      "profile_changes",
                                        "check_rails"};
    for (size_t i = 0; i < sizeof rails / sizeof *rails; i++)
        if (kane_block_has(&file->block, rails[i]))
            kane_reader_fault(reader, &file->block, rails[i],
                              strcmp(rails[i], "running_distance") == 0
                                  ? "a road has no rails; the distance of its wheel tracks is \"road\": "
                                    "{ \"wheel_tracks\": ... }"
                                  : "a road has no rails; leave this out");
    check_range(reader, &file->road.block, "wheel_tracks", file->road.wheel_tracks, 0.5, 5.0, " m");
}

kane_track_definition kane_track_build(kane_reader *reader, const kane_track_file *file)
{
    kane_track_definition d = kane_track_definition_default();
    d.name                  = file->name;
    d.place                 = kane_block_place(&file->block, NULL, -1);
    d.gauge                 = file->gauge;
    d.running_distance      = file->running_distance;
    d.gauge_height          = file->gauge_height;
    d.inclination           = file->rail.inclination;
    d.friction              = file->rail.friction;
    d.cant_axis             = (kane_cant_axis)file->cant_axis;
    d.transportation        = (kane_transportation)file->transportation;
    d.start                 = file->start;
    d.heading               = file->heading;
    d.grade                 = file->grade;
    if (kane_block_has(&file->block, "road")) {
        check_road(reader, file);
        d.is_road          = 1;
        d.running_distance = file->road.wheel_tracks;
    }
    check_values(reader, file);
    fill_rails(reader, file, &d);
    fill_sections(reader, file, &d);
    fill_grades(reader, file, &d);
    kane_track_build_rails(reader, file, &d);
    fill_flexibility(reader, file, &d);
    return d;
}

kane_track *kane_track_read(const char *file, const char *const *settings, kane_errors *errors)
{
    kane_errors unreported = {.limit = 1};
    kane_errors *kept      = errors ? errors : &unreported;
    kane_track *track      = NULL;
    kane_arena *arena      = kane_arena_create();
    kane_node *root        = arena ? kane_document_open(arena, file, settings, kept) : NULL;
    if (root) {
        kane_reader reader        = {.arena = arena, .errors = kept};
        const kane_track_file *in = kane_document_read(&reader, root, kane_track_formats, "track", NULL);
        if (in) {
            const kane_track_definition definition = kane_track_build(&reader, in);
            if (kane_reader_status(&reader) == KANE_OK)
                track = kane_track_create(&definition, kept);
        }
    } else if (!arena) {
        (void)kane_no_memory(kept);
    }
    kane_arena_free(arena);
    return track;
}
