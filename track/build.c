// SPDX-License-Identifier: MIT
// Builds a track: sections become courses, courses are cut into pieces, pieces get their cells.

#include "math/small.h"
#include "profile/profile.h"
#include "track/line_function.h"
#include "track/line.h"

#include <math.h>
#include <string.h>

// How far beyond its ends the formula of a piece is used at most [m]: on either side, and by a straight or a curve
// at an end of the track.
static const double reach = 10.0, reach_at_ends = 1000.0;

typedef struct builder {
    kane_track *track;
    const kane_track_definition *d;
    kane_check check;
    kane_arena *memory;  // of the track
    kane_arena *scratch; // freed when the track is complete
    double *ends;        // distance of each section's beginning from that of the track, and the total length [m]
    kane_grade_leg *legs;
    int leg_count;
    double *cuts; // of one section [m]
    int piece_limit;
} builder;

static int out_of_memory(const builder *b)
{
    return kane_arena_failed(b->memory) || kane_arena_failed(b->scratch);
}

// Distances of the ends of sections, as exact as they can be.
static void add_up_lengths(builder *b)
{
    kane_sum total = {0.0, 0.0};
    for (int i = 0; i < b->d->section_count; i++) {
        kane_sum_add(&total, b->d->sections[i].length);
        b->ends[i + 1] = kane_sum_get(&total);
    }
}

static void eval_line(const kane_piece *p, double l, kane_line *line)
{
    kane_line_eval(p, l, kane_line_function_abscissa(&p->line_function, l),
                   kane_line_function_row(&p->line_function, l), line);
}

// Largest sine of roll or grade angle between a and b, as samples show it.
static double largest_sine(const kane_piece *p, double a, double b)
{
    enum { SAMPLES = 32 };
    double largest = 0.0;
    for (int i = 0; i <= SAMPLES; i++) {
        kane_line line;
        eval_line(p, a + (b - a) * i / SAMPLES, &line);
        largest = fmax(largest, fmax(fabs(line.q[0]), fabs(line.w[0])));
    }
    return largest;
}

// How far the formula extends beyond an end at l, to the side of `direction`: only as far as it describes a line.
static double find_reach(const kane_piece *p, double l, double direction, double furthest)
{
    while (!(largest_sine(p, l, l + direction * furthest) <= KANE_SINE_MAX))
        furthest *= 0.5;
    return furthest;
}

// A transition's shape is used up to a quarter of its length beyond the section.
static void set_range(kane_piece *p, int is_first, int is_last)
{
    const kane_line_function *c = &p->line_function;
    const int is_constant       = c->kind == KANE_LINE_FUNCTION_CONSTANT;
    const double beyond         = is_constant || c->kind == KANE_LINE_FUNCTION_TABLE ? HUGE_VAL : 0.25 * c->length;
    const double end            = p->offset + p->length;
    const double before         = is_constant && is_first ? reach_at_ends : fmin(reach, p->offset + beyond);
    const double behind         = is_constant && is_last ? reach_at_ends : fmin(reach, c->length + beyond - end);

    p->low  = p->offset - find_reach(p, p->offset, -1.0, before);
    p->high = end + find_reach(p, end, 1.0, behind);
}

// A place for one more piece, or NULL.
static kane_piece *new_piece(builder *b)
{
    kane_track *t      = b->track;
    kane_piece *pieces = kane_arena_grow(b->memory, t->pieces, t->piece_count, &b->piece_limit, sizeof *pieces);
    if (!pieces)
        return NULL;
    t->pieces = pieces;
    return &t->pieces[t->piece_count++];
}

// The leg of the grade line that holds at a distance.
static const kane_grade_leg *find_leg(const builder *b, double distance)
{
    int i = b->leg_count - 1;
    while (i > 0 && b->legs[i].from > distance)
        i--;
    return &b->legs[i];
}

// The piece of a section between two of its cuts.
static void add_piece(builder *b, int section, const kane_line_function *line_function, double from, double to)
{
    kane_piece *p = new_piece(b);
    if (!p)
        return;
    const double distance     = b->ends[section] + from;
    const kane_grade_leg *leg = find_leg(b, distance + 0.5 * (to - from));

    p->start         = distance;
    p->length        = to - from;
    p->offset        = from;
    p->line_function = kane_line_function_at(line_function, 0.5 * (from + to));
    p->grade         = leg->beta + leg->slope * (distance - leg->from);
    p->grade_slope   = leg->slope;
    p->sin_grade     = sin(p->grade);
    if (b->d->cant_axis == KANE_CANT_INNER_RAIL)
        p->climb = -0.5 * b->d->running_distance * kane_cuts_cant_sign(line_function, from, to);

    const double sine = largest_sine(p, from, to);
    if (sine <= KANE_SINE_MAX)
        set_range(p, section == 0 && from == 0.0, section == b->d->section_count - 1 && to == line_function->length);
    else
        KANE_CHECK_FAULT(&b->check, b->d->sections[section].place,
                         "grade or cant become too steep here: the sine of an angle is %.3g, must stay below %.2f",
                         sine, KANE_SINE_MAX);
}

// Adds the pieces of a section and moves `start` to its end.
static void add_section(builder *b, int section, kane_line_function_start *start)
{
    const kane_section_definition *s       = &b->d->sections[section];
    const kane_line_function line_function = kane_line_function_make(s, start, b->d->running_distance, b->memory);
    if (out_of_memory(b))
        return;
    const int count = kane_cuts_find(&line_function, b->d->cant_axis, b->legs, b->leg_count, b->ends[section], b->cuts);
    for (int i = 0; i < count; i++)
        add_piece(b, section, &line_function, b->cuts[i], b->cuts[i + 1]);

    const kane_piece at_end = {.line_function = kane_line_function_at(&line_function, s->length)};
    kane_line line;
    eval_line(&at_end, s->length, &line);
    start->psi            = line.psi[0];
    start->curvature      = s->curvature;
    start->superelevation = s->superelevation;
    if (s->kind == KANE_TABLE) {
        start->curvature      = s->table_curvature[s->point_count - 1];
        start->superelevation = s->table_superelevation[s->point_count - 1];
    }
}

static const char *copy_text(kane_arena *memory, const char *text)
{
    char *copy = kane_arena_alloc(memory, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
}

// Sections become pieces, and the track keeps what they are.
static void add_sections(builder *b)
{
    kane_line_function_start start = {b->d->heading, b->d->curvature, b->d->superelevation};
    kane_track_section *kept       = kane_arena_alloc(b->memory, (size_t)b->d->section_count, sizeof *kept);

    for (int i = 0; i < b->d->section_count && !out_of_memory(b); i++) {
        const kane_section_definition *s      = &b->d->sections[i];
        const kane_line_function_start before = start;
        add_section(b, i, &start);
        kept[i] = (kane_track_section){s->kind,
                                       s->shape,
                                       b->ends[i],
                                       s->length,
                                       {s->kind == KANE_CURVE ? s->curvature : before.curvature, start.curvature},
                                       {before.superelevation, start.superelevation},
                                       s->smoothed};
        if (s->smoothed.file)
            kept[i].smoothed.file = copy_text(b->memory, s->smoothed.file);
        if (s->kind == KANE_STRAIGHT)
            kept[i].curvature[0] = 0.0;
    }
    b->track->sections      = kept;
    b->track->section_count = b->d->section_count;
}

// Positions: along each piece, and of their start points.
static void add_positions(builder *b)
{
    kane_sum x = {0.0, 0.0}, y = {0.0, 0.0}, z = {0.0, 0.0};
    kane_cell_rule rule;

    kane_cell_rule_init(&rule);
    for (int i = 0; i < b->track->piece_count && !out_of_memory(b); i++) {
        kane_piece *p       = &b->track->pieces[i];
        p->anchor           = kv3(kane_sum_get(&x), kane_sum_get(&y), kane_sum_get(&z));
        const kane_vec3 way = kane_piece_prepare(p, &rule, b->memory, b->scratch);
        kane_sum_add(&x, way.x);
        kane_sum_add(&y, way.y);
        kane_sum_add(&z, way.z);
    }
}

// Of records the track keeps only where they came from, and their ends.
static void keep_records(builder *b, kane_track_definition *kept)
{
    kane_record_definition *records = kane_arena_alloc(b->memory, (size_t)b->d->record_count, sizeof *records);
    kept->records                   = records;
    for (int i = 0; records && i < b->d->record_count; i++) {
        const char *file = b->d->records[i].place.file;
        records[i]       = b->d->records[i];
        records[i].first = records[i].at[0];
        records[i].last  = records[i].at[records[i].point_count - 1];
        records[i].at = records[i].value = NULL;
        records[i].place                 = (kane_place){file ? copy_text(b->memory, file) : NULL, 0, 0, ""};
    }
}

static void keep_shapes(builder *b, kane_track_definition *kept)
{
    kane_rail_shape *shapes = kane_arena_alloc(b->memory, (size_t)b->d->shape_count, sizeof *shapes);
    kept->shapes            = shapes;
    for (int i = 0; shapes && i < b->d->shape_count; i++) {
        shapes[i]         = b->d->shapes[i];
        shapes[i].profile = kane_profile_copy(b->memory, b->d->shapes[i].profile);
    }
}

// The track keeps a definition without the arrays and places that belong to others.
static void keep_definition(builder *b)
{
    kane_track_definition *kept = &b->track->definition;

    *kept      = *b->d;
    kept->name = copy_text(b->memory, b->d->name ? b->d->name : "");
    for (int side = 0; side < 2; side++)
        kept->rail[side] = b->d->rail[side] ? kane_profile_copy(b->memory, b->d->rail[side]) : NULL;
    kept->section_count         = 0;
    kept->sections              = NULL;
    kept->grade_count           = 0;
    kept->grades                = NULL;
    kept->irregularity_count    = 0;
    kept->irregularities        = NULL;
    kept->spectrum_count        = 0;
    kept->spectra               = NULL;
    kept->defect_count          = 0;
    kept->defects               = NULL;
    kept->friction_change_count = 0;
    kept->friction_changes      = NULL;
    kept->profile_change_count  = 0;
    kept->profile_changes       = NULL;
    kept->check_rail_count      = 0;
    kept->check_rails           = NULL;
    keep_shapes(b, kept);
    kept->place = kept->flexibility.place = (kane_place){"", 0, 0, ""};
    keep_records(b, kept);
}

static void build_track(builder *b)
{
    const kane_track_definition *d = b->d;

    b->ends = kane_arena_alloc(b->scratch, (size_t)d->section_count + 1, sizeof *b->ends);
    b->legs = kane_arena_alloc(b->scratch, (size_t)kane_grade_leg_limit(d), sizeof *b->legs);
    if (!b->ends || !b->legs)
        return;
    add_up_lengths(b);
    b->leg_count = kane_grade_prepare(d, b->ends, b->legs, &b->check);
    if (b->check.count > 0)
        return;
    b->cuts = kane_arena_alloc(b->scratch, (size_t)kane_cuts_limit(d, b->leg_count), sizeof *b->cuts);
    if (!b->cuts)
        return;
    keep_definition(b);
    b->track->length = b->ends[d->section_count];
    add_sections(b);
    if (b->check.count > 0)
        return;
    add_positions(b);
    b->track->friction       = kane_friction_make(d, b->memory, &b->check);
    b->track->shapes         = kane_shapes_make(d, b->memory, &b->check);
    b->track->flangeways     = kane_flangeways_make(d, b->memory, &b->check);
    b->track->irregularities = kane_irregularities_make(d, b->track->length, b->memory);
    b->track->ahead          = kane_ahead_make(d, b->memory);
}

kane_track *kane_track_create(const kane_track_definition *definition, kane_errors *errors)
{
    if (!definition) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "a track needs a definition");
        return NULL;
    }
    builder b = {.d = definition, .check = {.errors = errors}};
    kane_check_definition(definition, &b.check);
    if (b.check.count > 0)
        return NULL;

    b.memory  = kane_arena_create();
    b.scratch = kane_arena_create();
    if (b.memory && b.scratch)
        b.track = kane_arena_alloc(b.memory, 1, sizeof *b.track);
    if (b.track) {
        b.track->memory = b.memory;
        build_track(&b);
    }
    const int lost = !b.track || out_of_memory(&b);
    kane_arena_free(b.scratch);
    if (lost)
        kane_errors_add(errors, KANE_NO_MEMORY, "no memory for a track");
    if (!lost && b.check.count == 0)
        return b.track;
    kane_arena_free(b.memory);
    return NULL;
}

void kane_track_free(kane_track *track)
{
    if (track)
        kane_arena_free(track->memory); // the track itself lies in it
}
