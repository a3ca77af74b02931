// SPDX-License-Identifier: MIT
// Constraints from what was typed.

#include "vehicles/mechanism_file.h"

#include "base/text.h"

// Keys that a kind of constraint uses, as bits.
typedef enum hearing { SIDES = 1, TERMS = 2, CLOSED = 4, OFFSET = 8, MOTION = 16 } hearing;

static unsigned used_keys(kane_constraint_kind kind)
{
    switch (kind) {
    case KANE_CONSTRAINT_LINEAR: return TERMS | OFFSET | MOTION | CLOSED;
    case KANE_CONSTRAINT_FUNCTION:
    case KANE_CONSTRAINT_RATES: return TERMS | OFFSET | MOTION;
    case KANE_CONSTRAINT_CURVE:
    case KANE_CONSTRAINT_KNIFE:
    case KANE_CONSTRAINT_ROLLING:
    case KANE_CONSTRAINT_DISTANCE: return SIDES | MOTION;
    case KANE_CONSTRAINT_ROD: return SIDES;
    case KANE_CONSTRAINT_USER: return SIDES | TERMS;
    case KANE_CONSTRAINT_SPHERICAL:
    case KANE_CONSTRAINT_REVOLUTE:
    case KANE_CONSTRAINT_CYLINDRICAL:
    case KANE_CONSTRAINT_PRISMATIC:
    case KANE_CONSTRAINT_UNIVERSAL:
    case KANE_CONSTRAINT_PLANAR:
    case KANE_CONSTRAINT_WELD:
    case KANE_CONSTRAINT_KINDS: break;
    }
    return SIDES | MOTION | CLOSED;
}

static void check_use(kane_reader *reader, const kane_constraint_input *in)
{
    static const char *const of_sides[] = {"between", "at", "to", "axis", "x_axis", "orientation", "markers"};
    static const char *const of_rods[]  = {"mass", "centre", "inertia"};
    const kane_block *block             = &in->block;
    const kane_constraint_kind kind     = (kane_constraint_kind)in->type;
    const unsigned what                 = used_keys(kind);
    const int is_formula                = in->closed_form == KANE_CLOSED_USER && (what & CLOSED);
    for (int i = 0; i < 7; i++)
        if (!(what & SIDES))
            kane_reader_forbid(reader, block, of_sides[i],
                               "is only used by constraints between bodies; this one relates coordinates by \"terms\"");
    if (!(what & TERMS) && !is_formula)
        kane_reader_forbid(reader, block, "terms", "is only used by \"linear\", \"function\", \"rates\" and \"user\"");
    if (!(what & OFFSET))
        kane_reader_forbid(reader, block, "offset", "is only used by \"linear\", \"function\" and \"rates\"");
    if (kind == KANE_CONSTRAINT_USER)
        kane_reader_forbid(reader, block, "motion",
                           "is only used by constraints other than \"user\", whose rows know the time");
    if (kind == KANE_CONSTRAINT_ROD)
        kane_reader_forbid(reader, block, "motion",
                           "is only used by constraints other than \"rod\", whose length and ends are fixed");
    if (kind != KANE_CONSTRAINT_USER && !is_formula)
        kane_reader_forbid(reader, block, "rows", "is only used by \"user\"");
    if (!(what & CLOSED))
        kane_reader_forbid(reader, block, "closed_form",
                           "is only used by constraints that close a loop, and \"linear\"");
    if (kind != KANE_CONSTRAINT_FUNCTION)
        kane_reader_forbid(reader, block, "function", "is only used by \"function\"");
    if (kind != KANE_CONSTRAINT_DISTANCE)
        kane_reader_forbid(reader, block, "length", "is only used by \"distance\"");
    if (kind != KANE_CONSTRAINT_ROLLING)
        kane_reader_forbid(reader, block, "radius", "is only used by \"rolling\"");
    for (int i = 0; i < 3 && kind != KANE_CONSTRAINT_ROD; i++)
        kane_reader_forbid(reader, block, of_rods[i], "is only used by \"rod\"");
    if (kind != KANE_CONSTRAINT_CURVE) {
        kane_reader_forbid(reader, block, "y", "is only used by \"curve\"");
        kane_reader_forbid(reader, block, "z", "is only used by \"curve\"");
    }
}

// --- constraints between bodies ---

static const char *side_body(const char *name)
{
    return kane_word_is_frame(name) ? NULL : name;
}

// Markers say everything.
static void forbid_sides(kane_reader *reader, const kane_block *block)
{
    static const char *const other[] = {"between", "at", "to", "axis", "x_axis", "orientation"};
    for (int i = 0; i < 6; i++)
        kane_reader_forbid(reader, block, other[i],
                           "is only used by constraints without \"markers\", which say it already");
}

static void take_markers(const kane_marker_list *list, const kane_constraint_input *in, kane_constraint_definition *d)
{
    forbid_sides(list->reader, &in->block);
    if (in->markers.count != 2) {
        kane_reader_fault(list->reader, &in->block, "markers",
                          "has %d names; needs two markers: of the first and of the second side", in->markers.count);
        return;
    }
    for (int i = 0; i < 2; i++) {
        const char *marker = in->markers.values[i];
        if (kane_markers_resolve(list, marker, kane_block_place(&in->block, "markers", i)) < 0)
            continue;
        d->at[i].marker = marker;
        d->between[i]   = kane_markers_body(list, marker);
    }
}

static void take_sides(const kane_marker_list *list, const kane_constraint_input *in, kane_constraint_definition *d)
{
    kane_reader *reader  = list->reader;
    const kane_mat3 axes = kane_axes_build(reader, &in->block, &in->axes);
    if (in->between.count != 2)
        kane_reader_fault(reader, &in->block, "between",
                          "%s needs two names in \"between\": bodies, or a body and \"ground\"; or two in \"markers\"",
                          kane_constraint_kind_name(d->kind));
    else
        for (int i = 0; i < 2; i++)
            d->between[i] = side_body(in->between.values[i]);
    if (!kane_block_has(&in->block, "at"))
        kane_report_missing(reader, &in->block, "at", "its point in the drawing [m], or two names in \"markers\"");
    d->at[0] = (kane_attachment){.at = in->at, .axes = axes};
    d->at[1] = (kane_attachment){.at = kane_block_has(&in->block, "to") ? in->to : in->at, .axes = axes};
}

// --- relations of coordinates ---

static void take_terms(kane_reader *reader, const kane_constraint_input *in, kane_constraint_definition *d)
{
    const kane_term_input *terms = in->terms.items;
    kane_term_definition *out    = kane_arena_alloc(reader->arena, (size_t)in->terms.count, sizeof *out);
    if (!out) {
        kane_reader_no_memory(reader, kane_block_place(&in->block, NULL, -1));
        return;
    }
    for (int i = 0; i < in->terms.count; i++) {
        if (!(used_keys(d->kind) & MOTION))
            kane_reader_forbid(reader, &terms[i].block, "varying_factor",
                               "is only used by constraints other than \"user\", whose rows know the time");
        const int varies = kane_block_has(&terms[i].block, "varying_factor");
        out[i]           = (kane_term_definition){terms[i].body, terms[i].coordinate, varies ? 0.0 : terms[i].factor};
    }
    if (in->terms.count < 1 && d->kind != KANE_CONSTRAINT_USER)
        kane_report_missing(reader, &in->block, "terms",
                            "coordinates that it relates, such as { \"body\": \"crank\" }");
    d->terms      = out;
    d->term_count = in->terms.count;
    d->offset     = in->offset;
}

// Unit of the coordinate of a term, NULL with an error if there is no such coordinate.
static const char *term_unit(kane_reader *reader, const kane_term_input *term, const kane_body_definition *bodies,
                             int body_count)
{
    const kane_names known = {bodies, body_count, sizeof *bodies};
    const int j =
        kane_names_resolve(known, "body", term->body, kane_block_place(&term->block, "body", -1), reader->errors);
    if (j < 0)
        return NULL;
    const kane_joint_definition *joint = bodies[j].joint;
    const char *name                   = term->coordinate;
    if (!name && joint && kane_joint_coordinate_count(joint) == 1)
        name = kane_joint_coordinate_name(joint, 0);
    const char *unit = name ? kane_coordinate_unit(name) : NULL;
    if (!unit)
        kane_reader_fault(reader, &term->block, name ? "coordinate" : NULL,
                          "a function relates coordinates of joints by their names, such as \"angle\"");
    return unit;
}

static void take_function(kane_reader *reader, const kane_constraint_input *in, const kane_body_definition *bodies,
                          int body_count, kane_constraint_definition *d)
{
    const kane_term_input *terms = in->terms.items;
    if (in->terms.count != 2) {
        kane_reader_fault(reader, &in->block, "terms",
                          "a function relates two coordinates, the first as a function of the second; found %d",
                          in->terms.count);
        return;
    }
    if (!kane_block_has(&in->block, "function")) {
        kane_report_missing(reader, &in->block, "function", "the first coordinate over the second");
        return;
    }
    if (kane_block_has(&terms[0].block, "factor"))
        kane_reader_fault(reader, &terms[0].block, "factor",
                          "does not apply to the first coordinate, which the function gives; the factor of the second "
                          "one multiplies the function");
    const char *unit = term_unit(reader, &terms[0], bodies, body_count);
    const char *of   = term_unit(reader, &terms[1], bodies, body_count);
    if (unit && of)
        (void)kane_function_build(reader, &in->function, of, unit, &d->function[0]);
}

static void take_curve(kane_reader *reader, const kane_constraint_input *in, kane_constraint_definition *d)
{
    static const double zero[1]             = {0.0};
    const kane_function_input *const both[] = {&in->curve_y, &in->curve_z};
    static const char *const keys[]         = {"y", "z"};
    for (int i = 0; i < 2; i++) {
        d->function[i] = (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 1, .coefficients = zero};
        if (kane_block_has(&in->block, keys[i]))
            (void)kane_function_build(reader, both[i], "m", "m", &d->function[i]);
    }
}

// --- numbers over time ---

static void add_given(kane_reader *reader, kane_constraint_definition *d, kane_given_definition *list,
                      kane_given_definition one, const kane_function_input *in, const char *unit)
{
    if (!kane_function_build(reader, in, "s", unit, &one.function))
        return;
    list[d->given_count++] = one;
    d->given               = list;
}

static void take_given(kane_reader *reader, const kane_constraint_input *in, kane_constraint_definition *d)
{
    const kane_given_input *m = &in->motion;
    const struct {
        kane_given_number number;
        const kane_function_input *function;
        const char *unit;
    } rows[] = {{KANE_GIVEN_X, &m->x, "m"},           {KANE_GIVEN_Y, &m->y, "m"},
                {KANE_GIVEN_Z, &m->z, "m"},           {KANE_GIVEN_YAW, &m->yaw, "rad"},
                {KANE_GIVEN_ROLL, &m->roll, "rad"},   {KANE_GIVEN_PITCH, &m->pitch, "rad"},
                {KANE_GIVEN_LENGTH, &m->length, "m"}, {KANE_GIVEN_OFFSET, &m->offset, "1"},
                {KANE_GIVEN_ALONG, &m->along, "m"}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const kane_term_input *terms = in->terms.items;
    kane_given_definition *list  = kane_arena_alloc(reader->arena, (size_t)(ROWS + in->terms.count), sizeof *list);
    if (!list) {
        kane_reader_no_memory(reader, kane_block_place(&in->block, NULL, -1));
        return;
    }
    for (int i = 0; i < ROWS; i++) {
        const char *key                 = kane_given_number_name(rows[i].number);
        const kane_given_definition one = {.number = rows[i].number, .place = kane_block_place(&m->block, key, -1)};
        if (!kane_block_has(&m->block, key))
            continue;
        add_given(reader, d, list, one, rows[i].function, rows[i].unit);
        const int is_constant = rows[i].number == KANE_GIVEN_LENGTH || rows[i].number == KANE_GIVEN_OFFSET;
        if (is_constant && kane_block_has(&in->block, key))
            kane_reader_report(reader, one.place, "is given twice: by \"%s\" as a constant, too", key);
    }
    for (int i = 0; i < d->term_count; i++) {
        static const char key[]         = "varying_factor";
        const kane_block *block         = &terms[i].block;
        const kane_given_definition one = {
            .number = KANE_GIVEN_FACTOR, .term = i, .place = kane_block_place(block, key, -1)};
        if (kane_block_has(block, key) && kane_block_has(block, "factor"))
            kane_reader_report(reader, one.place, "is given twice: by \"factor\" as a constant, too");
        if (kane_block_has(block, key))
            add_given(reader, d, list, one, &terms[i].varying_factor, "1");
    }
}

// --- user-defined rows ---

// Its markers: those named, or two sides as of other constraints, or none.
static void take_own_sides(const kane_marker_list *list, const kane_constraint_input *in, kane_constraint_definition *d)
{
    const int named             = kane_block_has(&in->block, "markers");
    const int count             = named ? in->markers.count : kane_block_has(&in->block, "between") ? 2 : 0;
    kane_side_definition *sides = kane_arena_alloc(list->reader->arena, (size_t)count, sizeof *sides);
    if (!sides) {
        kane_reader_no_memory(list->reader, kane_block_place(&in->block, NULL, -1));
        return;
    }
    if (!named && count > 0)
        take_sides(list, in, d);
    if (named)
        forbid_sides(list->reader, &in->block);
    for (int i = 0; i < count; i++) {
        const kane_place place = kane_block_place(&in->block, named ? "markers" : "between", i);
        sides[i]               = (kane_side_definition){.body = d->between[i % 2], .at = d->at[i % 2], .place = place};
        if (!named || kane_markers_resolve(list, in->markers.values[i], place) < 0)
            continue;
        sides[i].at   = (kane_attachment){.marker = in->markers.values[i]};
        sides[i].body = kane_markers_body(list, in->markers.values[i]);
    }
    d->side_count = count;
    d->sides      = sides;
}

static void take_own(const kane_marker_list *list, const kane_constraint_input *in, kane_constraint_definition *d)
{
    take_terms(list->reader, in, d);
    d->own        = in->rows.kind.tag;
    d->parameters = in->rows.kind.value;
    if (!kane_block_has(&in->block, "rows"))
        kane_report_missing(list->reader, &in->block, "rows", "the kind of its rows");
}

void kane_constraint_build(const kane_marker_list *list, const kane_constraint_input *in,
                           const kane_body_definition *bodies, int body_count, kane_constraint_definition *constraint)
{
    kane_reader *reader           = list->reader;
    kane_constraint_definition *d = constraint;
    *d                            = (kane_constraint_definition){.block   = in->block,
                                                                 .kind    = (kane_constraint_kind)in->type,
                                                                 .length  = in->length,
                                                                 .radius  = in->radius,
                                                                 .mass    = in->mass,
                                                                 .centre  = in->centre,
                                                                 .inertia = kane_block_has(&in->block, "inertia") ? in->inertia : -1.0,
                                                                 .closed  = (kane_closed_form)in->closed_form};
    const unsigned what           = used_keys(d->kind);
    check_use(reader, in);
    if (d->kind == KANE_CONSTRAINT_USER)
        take_own_sides(list, in, d);
    else if (what & TERMS)
        take_terms(reader, in, d);
    else if (kane_block_has(&in->block, "markers"))
        take_markers(list, in, d);
    else
        take_sides(list, in, d);
    if (d->kind == KANE_CONSTRAINT_USER || (d->closed == KANE_CLOSED_USER && (what & SIDES)))
        take_own(list, in, d);
    if (what & MOTION)
        take_given(reader, in, d);
    if (d->kind == KANE_CONSTRAINT_FUNCTION && in->terms.count > 0)
        take_function(reader, in, bodies, body_count, d);
    if (d->kind == KANE_CONSTRAINT_CURVE)
        take_curve(reader, in, d);
    if (d->kind == KANE_CONSTRAINT_ROD && !kane_block_has(&in->block, "mass"))
        kane_report_missing(reader, &in->block, "mass", "of the rod [kg]; 0: none");
    if (d->kind == KANE_CONSTRAINT_ROLLING && !kane_block_has(&in->block, "radius"))
        kane_report_missing(reader, &in->block, "radius", "of the disc [m]");
}
