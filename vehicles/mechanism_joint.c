// SPDX-License-Identifier: MIT
// Joints and where bodies begin, from what was typed.

#include "vehicles/mechanism_file.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- names of coordinates ---

// Names of the coordinates of a joint, or x .. pitch of a body without one. Returns how many.
static int coordinate_names(const kane_joint_definition *joint, const char *names[KANE_JOINT_COORDINATES])
{
    const int count = joint ? kane_joint_coordinate_count(joint) : KANE_COORDINATES;
    for (int i = 0; i < count; i++)
        names[i] = joint ? kane_joint_coordinate_name(joint, i) : kane_coordinate_name((kane_coordinate)i);
    return count;
}

// Index of a coordinate, -1 with an error that lists those there are.
static int find_coordinate(kane_reader *reader, const kane_joint_definition *joint, const char *name, kane_place place)
{
    const char *names[KANE_JOINT_COORDINATES];
    const kane_names known = {names, coordinate_names(joint, names), sizeof *names};
    if (joint && joint->kind == KANE_JOINT_SPHERICAL) {
        kane_reader_report(
            reader, place,
            "a spherical joint has no such coordinate: it begins \"orientation\", with the rate \"omega\", and "
            "its motion cannot be prescribed");
        return -1;
    }
    if (known.count > 0)
        return kane_names_resolve(known, "coordinate of this joint", name, place, reader->errors);
    kane_reader_report(reader, place, "a weld has no coordinates");
    return -1;
}

// --- joints ---

static unsigned read_dof(kane_reader *reader, const kane_joint_input *in)
{
    const char *names[KANE_COORDINATES];
    unsigned dof = 0;
    for (int c = 0; c < KANE_COORDINATES; c++)
        names[c] = kane_coordinate_name((kane_coordinate)c);
    for (int i = 0; i < in->dof.count; i++) {
        const kane_names known = {names, KANE_COORDINATES, sizeof *names};
        const int c = kane_names_resolve(known, "coordinate", in->dof.values[i], kane_block_place(&in->block, "dof", i),
                                         reader->errors);
        if (c >= 0)
            dof |= KANE_DOF(c);
    }
    return dof;
}

// Marker at the place of another one, on another body: the second marker of a joint that names only one.
static const char *opposite_marker(kane_marker_list *list, const kane_block *block, const char *marker, const char *on)
{
    const char *where = on ? on : "ground";
    const size_t size = strlen(marker) + strlen(where) + sizeof " (on )";
    char *name        = kane_arena_alloc(list->reader->arena, size, 1);
    if (!name) {
        kane_reader_no_memory(list->reader, kane_block_place(block, NULL, -1));
        return NULL;
    }
    (void)snprintf(name, size, "%s (on %s)", marker, where);
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->markers[i].block.name, name) == 0)
            return name;
    list->markers[list->count++] = (kane_marker_definition){.block = {name, block->node}, .on = on, .relative = marker};
    return name;
}

static void place_by_markers(kane_marker_list *list, const kane_joint_input *in, const char *body,
                             kane_joint_definition *d)
{
    static const char *const other[] = {"at", "axis", "x_axis", "orientation"};
    for (int i = 0; i < 4; i++)
        if (kane_block_has(&in->block, other[i]))
            kane_reader_fault(list->reader, &in->block, other[i],
                              "has no effect where a marker says the joint's place and axes");
    if ((in->from && kane_markers_resolve(list, in->from, kane_block_place(&in->block, "from", -1)) < 0) ||
        (in->to && kane_markers_resolve(list, in->to, kane_block_place(&in->block, "to", -1)) < 0))
        return;
    if (!in->parent && in->from)
        d->parent = kane_markers_body(list, in->from);
    d->from.marker = in->from ? in->from : opposite_marker(list, &in->block, in->to, d->parent);
    d->to.marker   = in->to ? in->to : opposite_marker(list, &in->block, in->from, body);
}

enum { MOTIONS = 8 }; // names of coordinates that functions can be given for

// Adds those that were typed, as motions or as rates.
static void add_motions(kane_reader *reader, const kane_motion_functions *m, int are_rates,
                        kane_motion_definition *motions, kane_joint_definition *d)
{
    const struct {
        const char *name;
        const kane_function_input *function;
    } rows[MOTIONS] = {{"x", &m->x},     {"y", &m->y},       {"z", &m->z},         {"travel", &m->travel},
                       {"yaw", &m->yaw}, {"roll", &m->roll}, {"pitch", &m->pitch}, {"angle", &m->angle}};
    for (int i = 0; i < MOTIONS; i++) {
        const kane_place place = kane_block_place(&m->block, rows[i].name, -1);
        if (!kane_block_has(&m->block, rows[i].name))
            continue;
        const char *unit               = kane_coordinate_unit(rows[i].name);
        const char *rate_unit          = strcmp(unit, "m") == 0 ? "m/s" : "rad/s";
        kane_motion_definition *motion = &motions[d->motion_count];
        *motion                        = (kane_motion_definition){
                                   .coordinate = find_coordinate(reader, d, rows[i].name, place), .is_rate = are_rates, .place = place};
        if (kane_function_build(reader, rows[i].function, "s", are_rates ? rate_unit : unit, &motion->function) &&
            motion->coordinate >= 0)
            d->motion_count++;
    }
}

void kane_motions_build(kane_reader *reader, const kane_motion_input *in, const kane_block *block,
                        kane_joint_definition *joint)
{
    kane_motion_definition *motions = kane_arena_alloc(reader->arena, 2 * (size_t)MOTIONS, sizeof *motions);
    if (!motions) {
        kane_reader_no_memory(reader, kane_block_place(block, NULL, -1));
        return;
    }
    add_motions(reader, &in->own, 0, motions, joint);
    add_motions(reader, &in->rates, 1, motions, joint);
    joint->motions = motions;
}

kane_joint_definition *kane_joint_build(kane_marker_list *list, const kane_joint_input *in, const char *body)
{
    kane_reader *reader      = list->reader;
    kane_joint_definition *d = kane_arena_alloc(reader->arena, 1, sizeof *d);
    if (!d) {
        kane_reader_no_memory(reader, kane_block_place(&in->block, NULL, -1));
        return NULL;
    }
    const kane_mat3 axes = kane_axes_build(reader, &in->block, &in->axes);
    *d                   = (kane_joint_definition){.block      = in->block,
                                                   .kind       = (kane_joint_kind)in->type,
                                                   .parent     = in->parent && !kane_word_is_frame(in->parent) ? in->parent : NULL,
                                                   .from       = {.at = in->at, .axes = axes},
                                                   .to         = {.at = in->at, .axes = axes},
                                                   .dof        = in->type == KANE_JOINT_FREE ? KANE_ALL_DOF : 0u,
                                                   .rotation   = in->rotation,
                                                   .own        = in->formula.kind.tag,
                                                   .parameters = in->formula.kind.value};
    if (d->kind == KANE_JOINT_USER && !kane_block_has(&in->block, "formula"))
        kane_report_missing(reader, &in->block, "formula", "the joint's kind");
    if (in->from || in->to)
        place_by_markers(list, in, body, d);
    else if (!kane_block_has(&in->block, "at"))
        kane_report_missing(reader, &in->block, "at",
                            "the joint's point in the drawing [m], or a marker: \"from\", \"to\"");

    static const char *const of_free[] = {"dof", "rotation_order"};
    for (int i = 0; i < 2; i++)
        if (d->kind != KANE_JOINT_FREE && kane_block_has(&in->block, of_free[i]))
            kane_reader_fault(reader, &in->block, of_free[i], "is only used by a free joint");
    if (kane_block_has(&in->block, "dof"))
        d->dof = read_dof(reader, in);
    kane_motions_build(reader, &in->motion, &in->block, d);
    return d;
}

// --- where a body begins ---

typedef struct coordinate_value {
    const char *name;
    double value;
} coordinate_value;

enum { VALUES = 8 };

// Sets the given values of a block by the names of coordinates.
static void set_typed_values(kane_reader *reader, const kane_block *block, const kane_joint_definition *joint,
                             const coordinate_value values[VALUES], double *out)
{
    for (int i = 0; i < VALUES; i++) {
        if (!kane_block_has(block, values[i].name))
            continue;
        const int c = find_coordinate(reader, joint, values[i].name, kane_block_place(block, values[i].name, -1));
        if (c >= 0)
            out[c] = values[i].value;
    }
}

// Bits of the coordinates that are fixed.
static unsigned fixed_coordinates(kane_reader *reader, const kane_block *block, const char *key, kane_texts names,
                                  const kane_joint_definition *joint)
{
    unsigned bits = 0;
    for (int i = 0; i < names.count; i++) {
        const int c = find_coordinate(reader, joint, names.values[i], kane_block_place(block, key, i));
        if (c >= 0)
            bits |= 1u << c;
    }
    return bits;
}

// Euler parameters e [4] of a rotation matrix R. The largest is computed first:  4 e_i^2 from the diagonal, the others
// from 4 e_i e_k, so that no division is by a small number.
static void euler_parameters(kane_mat3 R, double e[4])
{
    const double d[4] = {1.0 + R.x.x + R.y.y + R.z.z, 1.0 + R.x.x - R.y.y - R.z.z, 1.0 - R.x.x + R.y.y - R.z.z,
                         1.0 - R.x.x - R.y.y + R.z.z};                          // 4 e_i e_i
    const double m01 = R.y.z - R.z.y, m02 = R.z.x - R.x.z, m03 = R.x.y - R.y.x; // 4 e_0 e_i
    const double m12 = R.x.y + R.y.x, m13 = R.x.z + R.z.x, m23 = R.y.z + R.z.y; // 4 e_i e_k
    const double products[4][4] = {
        {d[0], m01, m02, m03}, {m01, d[1], m12, m13}, {m02, m12, d[2], m23}, {m03, m13, m23, d[3]}};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (d[i] > d[largest])
            largest = i;
    const double scale = 0.5 / sqrt(d[largest]);
    for (int i = 0; i < 4; i++)
        e[i] = scale * products[largest][i];
}

// A spherical joint: three turns and an angular velocity instead of coordinates.
static void begin_spherical(kane_reader *reader, const kane_begin_input *in, kane_start_definition *d)
{
    static const char *const known[2] = {"orientation", "omega"};
    const kane_texts lists[2]         = {in->hold, in->hold_rates};
    static const char *const keys[2]  = {"fixed", "fixed_rates"};
    if (kane_block_has(&in->block, "orientation"))
        euler_parameters(kane_turned(in->turned), d->q);
    d->rate[0] = in->rates.omega.x;
    d->rate[1] = in->rates.omega.y;
    d->rate[2] = in->rates.omega.z;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < lists[k].count; i++)
            (void)kane_names_resolve((kane_names){&known[k], 1, sizeof *known}, "coordinate of this joint",
                                     lists[k].values[i], kane_block_place(&in->block, keys[k], i), reader->errors);
    d->held_q    = in->hold.count > 0 ? 15u : 0u;
    d->held_rate = in->hold_rates.count > 0 ? 7u : 0u;
}

kane_start_definition *kane_begin_build(kane_reader *reader, const kane_begin_input *in,
                                        const kane_joint_definition *joint)
{
    kane_start_definition *d = kane_arena_alloc(reader->arena, 1, sizeof *d);
    if (!d) {
        kane_reader_no_memory(reader, kane_block_place(&in->block, NULL, -1));
        return NULL;
    }
    const kane_rates_input *r             = &in->rates;
    const coordinate_value places[VALUES] = {{"x", in->x},           {"y", in->y},        {"z", in->z},
                                             {"travel", in->travel}, {"yaw", in->yaw},    {"roll", in->roll},
                                             {"pitch", in->pitch},   {"angle", in->angle}};
    const coordinate_value rates[VALUES]  = {{"x", r->x},           {"y", r->y},        {"z", r->z},
                                             {"travel", r->travel}, {"yaw", r->yaw},    {"roll", r->roll},
                                             {"pitch", r->pitch},   {"angle", r->angle}};
    const int is_spherical                = joint && joint->kind == KANE_JOINT_SPHERICAL;
    double rate[KANE_JOINT_COORDINATES]   = {0.0};
    set_typed_values(reader, &in->block, joint, places, d->q);
    set_typed_values(reader, &r->block, joint, rates, rate);
    memcpy(d->rate, rate, sizeof d->rate);
    if (is_spherical) {
        begin_spherical(reader, in, d);
        return d;
    }
    if (kane_block_has(&in->block, "orientation"))
        kane_reader_fault(reader, &in->block, "orientation", "is only used by a spherical joint");
    if (kane_block_has(&r->block, "omega"))
        kane_reader_fault(reader, &r->block, "omega", "is only used by a spherical joint");
    d->held_q    = fixed_coordinates(reader, &in->block, "fixed", in->hold, joint);
    d->held_rate = fixed_coordinates(reader, &in->block, "fixed_rates", in->hold_rates, joint);
    return d;
}
