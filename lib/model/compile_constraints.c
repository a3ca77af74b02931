// SPDX-License-Identifier: MIT
// Constraints as they were typed: between what, with which numbers, and everything that can be wrong with them.

#include "model/compile.h"

#include <string.h>

// The greatest factor of a relation is at least this.
static const double smallest_factor = 1e-6;

static kane_place place_of(const kane_constraint_definition *d, const char *key, int index)
{
    return kane_block_place(&d->block, key, index);
}

// Where it was typed by what a side is held.
static kane_place place_of_side(const kane_constraint_definition *d, int side)
{
    if (d->at[side].marker)
        return place_of(d, "markers", side);
    return place_of(d, side == 1 && kane_block_has(&d->block, "to") ? "to" : "at", -1);
}

static int is_relation(kane_constraint_kind kind)
{
    return kind == KANE_CONSTRAINT_LINEAR || kind == KANE_CONSTRAINT_FUNCTION || kind == KANE_CONSTRAINT_RATES;
}

// A function of time, finite where it starts.
static const kane_line_function *set_course(kane_compiler *c, const char *what, const kane_function *function,
                                            kane_place place)
{
    const kane_line_function *line_function = kane_line_function_create(function, place, c->model->arena, c->errors);
    double f[4]                             = {0.0};
    if (line_function)
        kane_line_function_eval(line_function, 0.0, f);
    if (!isfinite(f[0]) || !isfinite(f[1]) || !isfinite(f[2]))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "%s or its derivatives at t = 0 are not finite: %g, %g, %g", what, f[0], f[1], f[2]);
    return line_function;
}

// --- sides ---

// Constraints that know nothing but a point of a side.
static int holds_points(kane_constraint_kind kind)
{
    return kind == KANE_CONSTRAINT_SPHERICAL || kind == KANE_CONSTRAINT_DISTANCE || kind == KANE_CONSTRAINT_ROD;
}

// Whether a side is on the axle box of a spinning body: all but a disc, which spins with it, and points of the axle
// where the constraint reads nothing else of the body, among which are the ends of rods with mass. Of a body with a
// disc that is not about the axle the link's axes keep the spin.
static int is_on_box(kane_compiler *c, const kane_constraint_definition *d, int which, kane_place place,
                     const kane_drawn *side)
{
    const kane_body_definition *body = &c->vehicle->bodies[side->body];
    if (body->kind != KANE_BODY_SPINNING)
        return 0;
    const kane_vec3 arm = kv3_sub(side->at, body->position);
    const int is_disc   = d->kind == KANE_CONSTRAINT_ROLLING && which == 1;
    const double tilted = is_disc ? hypot(side->axes.z.x, side->axes.z.z) : 0.0;
    const int is_along  = hypot(arm.x, arm.z) + tilted <= 1e-12 * (1.0 + kv3_norm(arm));
    if (is_disc && !is_along && body->wheels)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "'%s' has wheels on rails: its disc must have its centre on the axle and \"axis\": "
                              "[0, 1, 0]",
                              body->block.name);
    if (d->kind == KANE_CONSTRAINT_ROD && d->mass > 0.0 && !is_along)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "'%s' spins about its axle: a rod with mass must end at a point of the axle; leave "
                              "\"mass\" out, or put the rod on a body on the axle",
                              body->block.name);
    c->hinges[side->body].keeps_spin |= is_disc && !is_along;
    return !is_disc && !(holds_points(d->kind) && is_along);
}

// One side as it was given: what it is on, where, and where that was typed.
typedef struct typed_side {
    const char *body; // NULL: the frame
    const kane_attachment *at;
    kane_place body_place, place;
} typed_side;

static typed_side side_of(const kane_constraint_definition *d, int i)
{
    if (d->kind == KANE_CONSTRAINT_USER)
        return (typed_side){d->sides[i].body, &d->sides[i].at, d->sides[i].place, d->sides[i].place};
    return (typed_side){d->between[i], &d->at[i], place_of(d, "between", i), place_of_side(d, i)};
}

static int count_sides(const kane_constraint_definition *d)
{
    return d->kind == KANE_CONSTRAINT_USER ? d->side_count : is_relation(d->kind) ? 0 : 2;
}

// Finds what is joined; returns 0 with an error.
static int find_sides(kane_compiler *c, const kane_constraint_definition *d, int body[KANE_SIDES_MOST])
{
    const int count = count_sides(d), own = d->kind == KANE_CONSTRAINT_USER;
    int good = 1, on_frame = 1, on_first = 1;
    for (int i = 0; i < count; i++) {
        const typed_side side = side_of(d, i);
        body[i]               = kane_compile_holder(c, side.body, side.body_place);
        good                  = good && body[i] != KANE_NOWHERE;
        on_frame              = on_frame && body[i] < 0;
        on_first              = on_first && body[i] == body[0];
    }
    const kane_place place = place_of(d, own ? "markers" : "between", -1);
    if (good && on_frame)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              own ? "all markers are held by frames: there is nothing to constrain"
                                  : "both sides are held by frames: there is nothing to constrain");
    else if (good && on_first)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "%s on '%s'; a constraint acts between two bodies, or a body and the frame",
                              own ? "all markers are" : "both sides are", side_of(d, 0).body);
    return good && !on_frame && !on_first;
}

static const kane_given_definition *find_given(const kane_constraint_definition *d, kane_given_number number, int term)
{
    for (int i = 0; i < d->given_count; i++)
        if (d->given[i].number == number && (number != KANE_GIVEN_FACTOR || d->given[i].term == term))
            return &d->given[i];
    return NULL;
}

static const kane_given_definition *find_factor(const kane_constraint_definition *d, int term)
{
    return find_given(d, KANE_GIVEN_FACTOR, term);
}

// Length of a rod: as typed, or as drawn; given over time: at the start.
static double find_length(kane_compiler *c, const kane_constraint_definition *d, const kane_drawn side[2])
{
    const double drawn = kv3_norm(kv3_sub(side[1].at, side[0].at));
    if (find_given(d, KANE_GIVEN_LENGTH, 0))
        return drawn; // not read
    if (d->length < 0.0 || !isfinite(d->length))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "length", -1),
                              "the length of a rod is %g m; must be positive (or left out: as drawn)", d->length);
    else if (d->length == 0.0 && drawn == 0.0)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, place_of(d, "length", -1),
            "a rod of no length has no direction: its ends are drawn in one point; give \"length\", or join the "
            "points by a spherical constraint");
    return d->length != 0.0 ? d->length : drawn;
}

// Inertia of a rod of a length; all zero where it is massless.
static void set_rod(kane_compiler *c, const kane_constraint_definition *d, kane_constraint_row_set *closure)
{
    const double m = d->mass, g = d->centre, L = closure->length;
    const double J = d->inertia < 0.0 ? m * L * L / 12.0 : d->inertia;
    if (!(m >= 0.0 && isfinite(m)))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "mass", -1),
                              "the mass of a rod is %g kg; must not be negative", m);
    if (!(g >= 0.0 && g <= 1.0))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "centre", -1),
                              "the mass centre of a rod is at %g of its length; must be 0 (first side) to 1", g);
    if (!isfinite(J) || (J > 0.0 && m == 0.0))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "inertia", -1),
                              "the inertia of a rod is %g kg m^2 and its mass %g kg; both must be finite, and only "
                              "what has mass has inertia",
                              J, m);
    if (m > 0.0 && kane_names_find(kane_compile_body_names(c), d->block.name) >= 0)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, NULL, -1),
                              "a body is called '%s', too: a rod with mass has imaginary terms by its name",
                              d->block.name);
    const double j = J / (L * L);
    closure->rod   = (kane_rod){.mass    = m,
                                .centre  = g,
                                .inertia = J,
                                .first   = m * (1.0 - g) * (1.0 - g) + j,
                                .second  = m * g * g + j,
                                .shared  = m * g * (1.0 - g) - j};
}

static void set_sides(kane_compiler *c, const kane_constraint_definition *d, kane_drawn side[KANE_SIDES_MOST],
                      kane_constraint_row_set *closure)
{
    const int count = count_sides(d);
    int body[KANE_SIDES_MOST], good = find_sides(c, d, body);
    char what[96];
    kane_text text = kane_text_start(sizeof what, what);
    kane_text_add(&text, "side 0 of '%s'", d->block.name);
    for (int i = 0; i < count && good; i++) {
        what[5] = (char)('1' + i);
        good &= kane_compile_attachment(c, side_of(d, i).at, body[i], what, side_of(d, i).place, &side[i]);
        if (body[i] >= 0)
            c->hinges[body[i]].joined = c->hinges[body[i]].is_constrained = 1;
    }
    for (int i = 0; i < count && good; i++)
        if (body[i] >= 0)
            closure->side[i].on_box = is_on_box(c, d, i, side_of(d, i).body_place, &side[i]);
    if (good && (d->kind == KANE_CONSTRAINT_DISTANCE || d->kind == KANE_CONSTRAINT_ROD))
        closure->length = find_length(c, d, side);
    if (good && d->kind == KANE_CONSTRAINT_ROD)
        set_rod(c, d, closure);
    closure->radius = d->radius;
    if (d->kind == KANE_CONSTRAINT_ROLLING && !(d->radius > 0.0 && isfinite(d->radius)))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "radius", -1),
                              "the radius of a rolling disc is %g m; must be positive", d->radius);
}

// --- relations of coordinates ---

// What the coordinates of a body are called, for messages: angle | x, y, z, yaw, roll, pitch.
static void list_coordinates(const kane_joint_definition *joint, size_t size, char *text)
{
    kane_text t = kane_text_start(size, text);
    for (int i = 0; i < kane_joint_coordinate_count(joint); i++)
        kane_text_add(&t, "%s%s", i > 0 ? ", " : "", kane_joint_coordinate_name(joint, i));
}

int kane_compile_coordinate(kane_compiler *c, const kane_body_definition *body, const char *coordinate,
                            kane_place place)
{
    const char *name                   = body->block.name;
    const kane_joint_definition *joint = body->joint;
    const int count                    = kane_joint_coordinate_count(joint);
    char known[96];
    list_coordinates(joint, sizeof known, known);
    if (joint && joint->kind == KANE_JOINT_SPHERICAL) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "Euler parameters of '%s' cannot be related to other coordinates; use a free joint with "
                              "three turns",
                              name);
        return -1;
    }
    for (int i = 0; coordinate && i < count; i++)
        if (strcmp(kane_joint_coordinate_name(joint, i), coordinate) == 0)
            return i;
    if (!coordinate && count == 1)
        return 0;
    if (count == 0)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "'%s' has no coordinate: its joint is a weld", name);
    else if (coordinate)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "'%s' has no coordinate '%s'; known: %s", name,
                              coordinate, known);
    else
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "'%s' has several coordinates; say which one: %s", name,
                              known);
    return -1;
}

static int check_term_count(kane_compiler *c, const kane_constraint_definition *d)
{
    if (d->kind == KANE_CONSTRAINT_USER)
        return 1; // as many as its kind takes
    const int least = d->kind == KANE_CONSTRAINT_FUNCTION ? 2 : 1;
    const int most  = d->kind == KANE_CONSTRAINT_FUNCTION ? 2 : KANE_TERMS_MOST;
    if (d->term_count >= least && d->term_count <= most)
        return 1;
    if (d->kind == KANE_CONSTRAINT_FUNCTION)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "terms", -1),
                              "a function relates two coordinates, not %d: the first one follows from the second",
                              d->term_count);
    else
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "terms", -1),
                              "there are %d terms; must be 1 to %d", d->term_count, (int)KANE_TERMS_MOST);
    return 0;
}

// Rows are closed to tolerances in m and rad, and those that are almost constant are taken for round-off.
static void check_size(kane_compiler *c, const kane_constraint_definition *d)
{
    double most = 0.0;
    for (int i = 0; i < d->term_count; i++)
        most = find_factor(d, i) ? HUGE_VAL : fmax(most, fabs(d->terms[i].factor));
    if (d->kind != KANE_CONSTRAINT_FUNCTION && d->kind != KANE_CONSTRAINT_USER && most > 0.0 && most < smallest_factor)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, place_of(d, "terms", -1),
            "its greatest factor is %g; multiply all of them, and \"offset\", by the same number such "
            "that it is about 1",
            most);
}

// Coordinates that a constraint relates, terms [d->term_count].
static void find_terms(kane_compiler *c, const kane_constraint_definition *d, kane_term *terms)
{
    for (int i = 0; i < d->term_count; i++) {
        const kane_term_definition *term = &d->terms[i];
        const kane_place place           = place_of(d, "terms", i);
        const char *name                 = term->body ? term->body : "";
        const int body      = kane_names_resolve(kane_compile_body_names(c), "body", name, place, c->errors);
        const int is_result = d->kind == KANE_CONSTRAINT_FUNCTION && i == 0; // its factor is not read
        if (!is_result && !find_factor(d, i) && (term->factor == 0.0 || !isfinite(term->factor)))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                                  "the factor of '%s' is %g; must be a number other than 0", name, term->factor);
        if (body < 0)
            continue;
        c->hinges[body].joined = c->hinges[body].is_constrained = c->hinges[body].is_related = 1;
        const int coordinate = kane_compile_coordinate(c, &c->vehicle->bodies[body], term->coordinate, place);
        terms[i]             = (kane_term){.coordinate = coordinate, .factor = term->factor};
    }
}

static void set_terms(kane_compiler *c, const kane_constraint_definition *d, kane_constraint_row_set *closure)
{
    closure->offset = d->offset;
    if (!isfinite(d->offset))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "offset", -1), "the offset is not finite");
    if (!check_term_count(c, d))
        return;
    check_size(c, d);
    closure->term_count = d->term_count;
    find_terms(c, d, closure->term);
}

// --- numbers over time ---

// Whether a number belongs to what a constraint is made of.
static int has_number(const kane_constraint_definition *d, const kane_given_definition *given)
{
    switch (given->number) {
    case KANE_GIVEN_LENGTH: return d->kind == KANE_CONSTRAINT_DISTANCE;
    case KANE_GIVEN_OFFSET: return is_relation(d->kind);
    case KANE_GIVEN_FACTOR: // that of the result of a function is one
        return is_relation(d->kind) && given->term >= (d->kind == KANE_CONSTRAINT_FUNCTION) &&
               given->term < d->term_count;
    case KANE_GIVEN_ALONG: return d->kind == KANE_CONSTRAINT_CURVE;
    default: return !is_relation(d->kind) && d->kind != KANE_CONSTRAINT_USER && d->kind != KANE_CONSTRAINT_ROD;
    }
}

static int is_constant_too(const kane_constraint_definition *d, const kane_given_definition *given)
{
    switch (given->number) {
    case KANE_GIVEN_LENGTH: return d->length != 0.0;
    case KANE_GIVEN_OFFSET: return d->offset != 0.0;
    case KANE_GIVEN_FACTOR: return d->terms[given->term].factor != 0.0;
    default: return 0;
    }
}

// What is wrong with the i-th of them; NULL: nothing.
static const char *check_given(const kane_constraint_definition *d, int i)
{
    const kane_given_definition *given = &d->given[i];
    if (!has_number(d, given))
        return "cannot be given: this kind of constraint has no such number";
    if (is_constant_too(d, given))
        return "is given twice: as a constant and as a function of time";
    if (find_given(d, given->number, given->term) != given)
        return "is given over time twice";
    return NULL;
}

static void check_length(kane_compiler *c, const kane_given_definition *given, const kane_line_function *length)
{
    double f[4] = {1.0};
    if (length)
        kane_line_function_eval(length, 0.0, f);
    if (!(f[0] > 0.0))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, given->place,
                              "the length of a rod is %g m at t = 0; must be positive", f[0]);
}

static void set_given(kane_compiler *c, const kane_constraint_definition *d, kane_constraint_row_set *closure)
{
    kane_marker_motion *motion = NULL; // of the first side's marker
    for (int i = 0; i < d->given_count; i++) {
        const kane_given_definition *given = &d->given[i];
        if ((int)given->number < 0 || given->number >= KANE_GIVEN_NUMBERS) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, given->place,
                                  "there is no such number to be given over time");
            continue;
        }
        const char *name = kane_given_number_name(given->number), *wrong = check_given(d, i);
        if (wrong) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, given->place, "'%s' of the constraint '%s' %s", name,
                                  d->block.name, wrong);
            continue;
        }
        const kane_line_function *line_function = set_course(c, name, &given->function, given->place);
        switch (given->number) {
        case KANE_GIVEN_LENGTH:
            closure->length_given = line_function;
            check_length(c, given, line_function);
            break;
        case KANE_GIVEN_OFFSET: closure->offset_given = line_function; break;
        case KANE_GIVEN_FACTOR: closure->factor_given[given->term] = line_function; break;
        case KANE_GIVEN_ALONG: closure->along = line_function; break;
        default:
            motion = motion ? motion : kane_arena_alloc(c->model->arena, 1, sizeof *motion);
            if (motion)
                motion->line_function[given->number] = line_function;
            closure->motion = motion;
            break;
        }
    }
}

// --- user-defined rows ---

static const char *check_closed_form(const kane_rows_kind *own)
{
    if (own->dependents < 1 || own->dependents > own->coordinates)
        return "a closed form has 1 dependent coordinate at least, and at most all";
    if (own->positions > 0 && !own->position && own->positions != own->dependents)
        return "holonomic rows that follow from a closed form are as many as its dependent coordinates";
    return NULL;
}

static const char *check_table_size(const kane_rows_kind *own, int is_rows)
{
    if (own->markers != 0 && (own->markers < 2 || own->markers > KANE_ROWS_MARKERS))
        return "markers must be 0, or 2 to 5";
    if (own->coordinates < 0 || own->coordinates > KANE_ROWS_COORDINATES || own->markers + own->coordinates == 0)
        return "coordinates must be 0 to 8, and at least 1 where there are no markers";
    if (is_rows && (own->positions < 0 || own->rates < 0 || own->positions + own->rates < 1 ||
                    own->positions + own->rates > KANE_ROWS))
        return "holonomic and non-holonomic rows must be 1 to 6 in all";
    return NULL;
}

// What the user's table promises must be what a constraint can have.
static const char *check_table(const kane_rows_kind *own, int is_rows)
{
    const char *wrong = check_table_size(own, is_rows);
    if (wrong)
        return wrong;
    if ((own->positions > 0 && !own->position && !own->closed) || (own->rates > 0 && !own->rate))
        return "rows need a function that evaluates them";
    return own->closed ? check_closed_form(own) : NULL;
}

static int has_closed_form(const kane_constraint_definition *d)
{
    return d->kind == KANE_CONSTRAINT_USER ? d->own->closed != NULL : d->closed == KANE_CLOSED_USER;
}

static int check_user_terms(kane_compiler *c, const kane_constraint_definition *d)
{
    if (d->term_count != d->own->coordinates)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "terms", -1),
                              "rows '%s' take %d coordinates in \"terms\", found %d", d->own->name, d->own->coordinates,
                              d->term_count);
    return d->term_count == d->own->coordinates && d->term_count > 0;
}

// The closed form of a user-defined table, with parameters and terms.
static void set_formula(kane_compiler *c, const kane_constraint_definition *d, const void *data,
                        kane_constraint_row_set *closure)
{
    kane_closed_formula *formula = kane_arena_alloc(c->model->arena, 1, sizeof *formula);
    if (!formula)
        return; // the arena knows
    formula->kind       = d->own;
    formula->term_count = d->term_count;
    formula->data       = data;
    find_terms(c, d, formula->term);
    closure->closed  = KANE_CLOSED_USER;
    closure->formula = formula;
}

static void set_own(kane_compiler *c, const kane_constraint_definition *d, kane_drawn side[KANE_SIDES_MOST],
                    kane_constraint_row_set *closure)
{
    const int is_rows = d->kind == KANE_CONSTRAINT_USER;
    const char *name  = d->own && d->own->name ? d->own->name : "";
    const char *wrong = !d->own                       ? "there is no table of them"
                        : !is_rows && !d->own->closed ? "they have no closed form"
                                                      : check_table(d->own, is_rows);
    if (wrong) {
        kane_errors_add_input(c->errors, KANE_BAD_ARGUMENT, place_of(d, "rows", -1), "user-defined rows '%s': %s", name,
                              wrong);
        return;
    }
    if (is_rows) {
        closure->own        = d->own;
        closure->side_count = d->own->markers;
        if (d->side_count != d->own->markers)
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "markers", -1),
                                  "rows '%s' take %d markers, found %d", name, d->own->markers, d->side_count);
        else if (d->side_count > 0)
            set_sides(c, d, side, closure);
    }
    const int has_terms = check_user_terms(c, d);
    if (has_terms && is_rows)
        set_terms(c, d, closure);
    const void *data = kane_compile_parameters(c, d->own->schema, d->own->prepare, &d->block, d->parameters);
    if (has_terms && has_closed_form(d))
        set_formula(c, d, data, closure);
    if (is_rows) {
        closure->own_data = data;
        kane_constraint_row_set_count(closure);
    }
}

// --- all ---

static int is_missing(const kane_function *f)
{
    return f->kind != KANE_FUNCTION_USER && f->count == 0 && !f->coefficients && !f->x;
}

// A function of a relation, or y and z of a curve (one of them may be left out: 0).
static void set_curves(kane_compiler *c, const kane_constraint_definition *d, kane_constraint_row_set *closure)
{
    const int wanted = d->kind == KANE_CONSTRAINT_FUNCTION ? 1 : d->kind == KANE_CONSTRAINT_CURVE ? 2 : 0;
    int missing      = 0;
    for (int i = 0; i < wanted; i++) {
        const kane_place place = place_of(d, wanted == 1 ? "function" : i == 0 ? "y" : "z", -1);
        if (is_missing(&d->function[i]))
            missing++;
        else
            closure->curve[i] = kane_line_function_create(&d->function[i], place, c->model->arena, c->errors);
    }
    if (wanted > 0 && missing == wanted)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, NULL, -1),
                              "a function is missing: a polynomial, a sine, a table or a user-defined one");
}

static void check_closed(kane_compiler *c, const kane_constraint_definition *d)
{
    const int is_gear = d->kind == KANE_CONSTRAINT_LINEAR && d->term_count == 2;
    const char *why   = NULL;
    if (d->closed == KANE_CLOSED_TRANSMISSION && !is_gear)
        why = "a transmission is a linear relation of two coordinates";
    else if (d->closed != KANE_CLOSED_NONE && d->closed != KANE_CLOSED_TRANSMISSION && is_relation(d->kind))
        why = "a closed form of a loop belongs to the constraint that closes it, not to a relation of coordinates";
    if (d->closed != KANE_CLOSED_NONE && d->kind == KANE_CONSTRAINT_USER)
        why = "user-defined rows have the closed form of their table";
    if (why)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "closed_form", -1), "%s", why);
}

// Sides, terms and tables, by kind.
static void set_kind(kane_compiler *c, const kane_constraint_definition *d, kane_drawn sides[KANE_SIDES_MOST],
                     kane_constraint_row_set *closure)
{
    const int is_user = d->kind == KANE_CONSTRAINT_USER;
    if (is_relation(d->kind))
        set_terms(c, d, closure);
    else if (!is_user)
        set_sides(c, d, sides, closure);
    if (is_user || (d->closed == KANE_CLOSED_USER && !is_relation(d->kind)))
        set_own(c, d, sides, closure);
}

void kane_compile_constraints(kane_compiler *c)
{
    kane_model *model    = c->model;
    const int count      = c->vehicle->constraint_count;
    model->closure_count = count;
    model->closures      = kane_arena_alloc(model->arena, (size_t)count, sizeof *model->closures);
    c->sides             = kane_arena_alloc(model->arena, (size_t)(KANE_SIDES_MOST * count), sizeof *c->sides);
    if (!model->closures || !c->sides || !c->hinges) {
        model->closure_count = 0; // the arena knows
        return;
    }
    for (int i = 0; i < count; i++) {
        const kane_constraint_definition *d = &c->vehicle->constraints[i];
        kane_constraint_row_set *closure    = &model->closures[i];
        if ((int)d->kind < 0 || d->kind >= KANE_CONSTRAINT_KINDS) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, "type", -1),
                                  "there is no such kind of constraint");
            continue;
        }
        *closure = (kane_constraint_row_set){
            .name = kane_compile_text(c, d->block.name), .kind = d->kind, .closed = d->closed};
        for (int k = 0; k < i; k++)
            if (strcmp(c->vehicle->constraints[k].block.name, d->block.name) == 0)
                kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, NULL, -1),
                                      "there are two constraints called '%s'", d->block.name);
        kane_drawn *sides = &c->sides[KANE_SIDES_MOST * i];
        set_kind(c, d, sides, closure);
        set_curves(c, d, closure);
        set_given(c, d, closure);
        check_closed(c, d);
        if (d->kind != KANE_CONSTRAINT_USER)
            kane_constraint_row_set_count(closure);
    }
}
