// SPDX-License-Identifier: MIT
// Profiles by name: their keys, and what becomes of them.

#include "profile/input.h"

#include "base/file.h"

#include <math.h>
#include <string.h>

const char *const kane_profile_units[] = {"mm", "cm", "m", "inch", NULL};
const double kane_profile_metres[]     = {1e-3, 1e-2, 1.0, 0.0254};

static const char *const formats[]   = {"simpack", "columns", "miniprof", NULL};
static const char *const laterals[]  = {"outside", "inside", NULL};
static const char *const verticals[] = {"up", "down", NULL};

static const kane_key piece_keys[] = {
    KANE_KEY(
        kane_profile_piece_input, radius, NUMBER, OPTIONAL, NULL, "m", ANY, NULL,
        "of an arc: positive where its centre lies below the curve (a hollow wheel, a round rail head), negative where it "
        "lies above"),
    KANE_KEY(
        kane_profile_piece_input, centre, NUMBERS, OPTIONAL, NULL, "m", ANY, NULL,
        "of an arc: y to the outside and z up of its centre; it is moved by up to 0.02 mm until the arc touches its "
        "neighbour"),
    KANE_KEY(kane_profile_piece_input, angle, NUMBER, OPTIONAL, NULL, "rad", ANY, NULL,
             "instead, of a line: how steep it rises to the outside; its place follows from its neighbours"),
    KANE_KEY(kane_profile_piece_input, slope, NUMBER, OPTIONAL, NULL, "1", ANY, NULL,
             "instead: the tangent of that angle"),
};

static const kane_schema piece_schema =
    KANE_SCHEMA(kane_profile_piece_input, "piece of a profile", piece_keys,
                "An arc (\"radius\", \"centre\") or a line (\"angle\" or \"slope\").");

#define PIECES_KEYS                                                                                                    \
    KANE_KEY(kane_profile_input, pieces, LIST, OPTIONAL, NULL, NULL, ANY, &piece_schema,                               \
             "instead of a file: arcs and lines that touch each other, from the inside to the outside"),               \
        KANE_KEY(kane_profile_input, from, NUMBER, OPTIONAL, NULL, "m", ANY, NULL,                                     \
                 "of \"pieces\": y at which the first one begins"),                                                    \
        KANE_KEY(kane_profile_input, to, NUMBER, OPTIONAL, NULL, "m", ANY, NULL,                                       \
                 "of \"pieces\": y at which the last one ends")

#define FILE_KEYS                                                                                                           \
    KANE_KEY(kane_profile_input, file, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,                                               \
             "file with points, relative to this file"),                                                                    \
        KANE_KEY(                                                                                                           \
            kane_profile_input, format, CHOICE, OPTIONAL, NULL, NULL, ANY, formats,                                         \
            "of the file; if it is left out, .prw and .prr are SIMPACK's, .ban, .whl and .mpt MiniProf's, others columns"), \
        KANE_KEY(kane_profile_input, unit, CHOICE, OPTIONAL, NULL, NULL, ANY, kane_profile_units,                           \
                 "of its lengths; a SIMPACK file says it itself"),                                                          \
        KANE_KEY(kane_profile_input, lateral, CHOICE, OPTIONAL, NULL, NULL, ANY, laterals,                                  \
                 "where its y is positive: away from the middle of the track or towards it; SIMPACK: outside"),             \
        KANE_KEY(kane_profile_input, vertical, CHOICE, OPTIONAL, NULL, NULL, ANY, verticals,                                \
                 "where its z is positive; SIMPACK: down"),                                                                 \
        KANE_KEY(kane_profile_input, smoothing, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,                           \
                 "rms distance of the smooth curve from the points that is allowed; 0: it goes through them"),              \
        KANE_KEY(kane_profile_input, profile, COUNT, OPTIONAL, NULL, NULL, POSITIVE, NULL,                                  \
                 "of a MiniProf file with several the number of the one that is meant, from 1")

static const kane_key wheel_keys[] = {
    FILE_KEYS,
    PIECES_KEYS,
    KANE_KEY(kane_profile_input, origin, NUMBER, OPTIONAL, "0 m", "m", ANY, NULL,
             "the y that the running circle has in the file"),
    KANE_KEY(kane_profile_input, flange_to_circle, NUMBER, OPTIONAL, "70 mm", "m", POSITIVE, NULL,
             "from the back of the flange to the running circle"),
    KANE_KEY(kane_profile_input, cone, NUMBER, OPTIONAL, NULL, "1", ANY, NULL,
             "instead of a file: tangent of a cone's half angle"),
    KANE_KEY(kane_profile_input, arc, NUMBER, OPTIONAL, NULL, "m", ANY, NULL,
             "instead of a file: radius of a circular arc, positive where it is hollow"),
    KANE_KEY(kane_profile_input, conicity, NUMBER, OPTIONAL, "0", "1", ANY, NULL,
             "of an \"arc\": its slope at the running circle"),
};

static const kane_key rail_keys[] = {
    FILE_KEYS,
    PIECES_KEYS,
    KANE_KEY(kane_profile_input, origin, NUMBER, OPTIONAL, "0 m", "m", ANY, NULL,
             "the y that the rail's axis has in the file"),
    KANE_KEY(kane_profile_input, inclined, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: it is drawn as it lies in the track, not upright"),
    KANE_KEY(kane_profile_input, round, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL,
             "instead of a file: radius of a round head"),
};

const kane_schema kane_wheel_profile_schema =
    KANE_SCHEMA(kane_profile_input, "wheel profile", wheel_keys,
                "The profile of a wheel: one of \"file\", \"pieces\", \"cone\", \"arc\" and what belongs to it.");
const kane_schema kane_rail_profile_schema =
    KANE_SCHEMA(kane_profile_input, "rail profile", rail_keys,
                "The profile of a rail: one of \"file\", \"pieces\", \"round\" and what belongs to it.");

static kane_place place_of(const kane_profile_input *in, const char *key)
{
    return kane_block_place(&in->block, key, -1);
}

// Errors for keys that are used only with another one.
static void forbid_keys(kane_reader *reader, const kane_profile_input *in, const char *owner, const char *const *keys)
{
    for (; *keys; keys++)
        kane_reader_forbid(reader, &in->block, *keys, "only a profile with \"%s\" has a \"%s\"", owner, *keys);
}

// Value of an enumeration whose first member is the default: 0 if the key is not given.
static int enum_of_choice(const kane_profile_input *in, const char *key, int index)
{
    return kane_block_has(&in->block, key) ? index + 1 : 0;
}

static const kane_profile *load_profile(kane_reader *reader, kane_profile_kind kind, const kane_profile_input *in)
{
    const char *name          = kane_file_beside(reader->arena, place_of(in, "file").file, in->file);
    kane_profile_options how  = {.kind      = kind,
                                 .format    = (kane_profile_format)enum_of_choice(in, "format", in->format),
                                 .unit      = kane_block_has(&in->block, "unit") ? kane_profile_metres[in->unit] : 0.0,
                                 .lateral   = (kane_profile_lateral)enum_of_choice(in, "lateral", in->lateral),
                                 .vertical  = (kane_profile_vertical)enum_of_choice(in, "vertical", in->vertical),
                                 .origin    = in->origin,
                                 .smoothing = in->smoothing,
                                 .flange_to_circle = in->flange_to_circle,
                                 .inclined         = in->inclined,
                                 .profile          = in->profile,
                                 .place            = place_of(in, "file")};
    const kane_profile *found = name ? kane_profile_load(reader->arena, name, &how, reader->errors) : NULL;
    reader->fault_count += found == NULL;
    return found;
}

// Of a piece what makes it an arc or a line, and nothing else. 0 with an error.
static int read_piece(kane_reader *reader, const kane_profile_piece_input *in, kane_profile_piece *piece)
{
    const kane_block *b   = &in->block;
    const int is_arc      = kane_block_has(b, "radius") && kane_block_has(b, "centre");
    const int line_keys   = kane_block_has(b, "angle") + kane_block_has(b, "slope");
    const int arc_keys    = kane_block_has(b, "radius") + kane_block_has(b, "centre");
    const kane_place here = kane_block_place(b, NULL, -1);
    *piece                = (kane_profile_piece){.place = here};
    if (!((is_arc && line_keys == 0) || (arc_keys == 0 && line_keys == 1))) {
        kane_reader_report(reader, here,
                           "needs \"radius\" and \"centre\" of an arc, or \"angle\" or \"slope\" of a line");
        return 0;
    }
    if (!is_arc) {
        piece->angle = kane_block_has(b, "angle") ? in->angle : atan(in->slope);
        return 1;
    }
    if (in->centre.count != 2 || in->radius == 0.0) {
        const int wrong_centre = in->centre.count != 2;
        kane_reader_fault(reader, b, wrong_centre ? "centre" : "radius",
                          wrong_centre ? "must have 2 values, y and z" : "must not be 0; a line has an \"angle\"");
        return 0;
    }
    piece->radius = in->radius;
    piece->y      = in->centre.values[0];
    piece->z      = in->centre.values[1];
    return 1;
}

// 0 with errors.
static int read_pieces(kane_reader *reader, kane_profile_kind kind, const kane_profile_input *in, kane_profile *p)
{
    const int count            = in->pieces.count;
    kane_profile_piece *pieces = kane_arena_alloc(reader->arena, (size_t)count + 1, sizeof *pieces);
    int good                   = 1;
    if (!pieces) {
        kane_reader_no_memory(reader, place_of(in, NULL));
        return 0;
    }
    for (int i = 0; i < count; i++)
        good &= read_piece(reader, &((const kane_profile_piece_input *)in->pieces.items)[i], &pieces[i]);
    for (int end = 0; end < 2; end++) {
        const char *key = end ? "to" : "from";
        if (kane_block_has(&in->block, key))
            continue;
        kane_reader_report(reader, place_of(in, "pieces"), "\"pieces\" need \"%s\", where the %s one %s", key,
                           end ? "last" : "first", end ? "ends" : "begins");
        good = 0;
    }
    *p = (kane_profile){
        .kind = kind, .shape = KANE_SHAPE_PIECES, .count = count, .pieces = pieces, .from = in->from, .to = in->to};
    return good;
}

static const kane_profile *read_shape(kane_reader *reader, kane_profile_kind kind, const kane_profile_input *in)
{
    kane_profile p = kane_block_has(&in->block, "cone")  ? kane_profile_cone(in->cone)
                     : kane_block_has(&in->block, "arc") ? kane_profile_arc(in->arc, in->conicity)
                                                         : kane_profile_round(in->round);
    if (kane_block_has(&in->block, "pieces") && !read_pieces(reader, kind, in, &p))
        return NULL;
    p.inclined = in->inclined;
    if (kind == KANE_PROFILE_WHEEL)
        p.flange_to_circle = in->flange_to_circle;
    p.name  = in->block.name;
    p.place = place_of(in, NULL);
    if (kane_profile_check(&p, kind, reader->errors) != KANE_OK) {
        reader->fault_count++;
        return NULL;
    }
    const kane_profile *copy = kane_profile_copy(reader->arena, &p);
    if (!copy)
        kane_reader_no_memory(reader, p.place);
    return copy;
}

static const kane_profile *read_profile(kane_reader *reader, kane_profile_kind kind, const kane_profile_input *in)
{
    static const char *const wheel_ways[] = {"file", "pieces", "cone", "arc", NULL}, *const rail_ways[] = {
                                                                                         "file", "pieces", "round",
                                                                                         NULL};
    static const char *const of_files[]  = {"format",    "unit",   "lateral", "vertical",
                                            "smoothing", "origin", "profile", NULL};
    static const char *const of_arcs[]   = {"conicity", NULL};
    static const char *const of_pieces[] = {"from", "to", NULL};
    static const char *const drawn[]     = {"inclined", NULL};
    const char *const *ways              = kind == KANE_PROFILE_WHEEL ? wheel_ways : rail_ways;
    int given                            = 0;
    for (int i = 0; ways[i]; i++)
        given += kane_block_has(&in->block, ways[i]);
    if (given != 1) {
        kane_reader_report(reader, place_of(in, NULL), "needs one of %s, has %d of them",
                           kind == KANE_PROFILE_WHEEL ? "\"file\", \"pieces\", \"cone\", \"arc\""
                                                      : "\"file\", \"pieces\", \"round\"",
                           given);
        return NULL;
    }
    const int is_file = kane_block_has(&in->block, "file");
    if (!is_file)
        forbid_keys(reader, in, "file", of_files);
    if (!kane_block_has(&in->block, "arc"))
        forbid_keys(reader, in, "arc", of_arcs);
    if (!kane_block_has(&in->block, "pieces"))
        forbid_keys(reader, in, "pieces", of_pieces);
    if (!is_file && !kane_block_has(&in->block, "pieces"))
        forbid_keys(reader, in, "file\" or \"pieces", drawn);
    return is_file ? load_profile(reader, kind, in) : read_shape(reader, kind, in);
}

const kane_profile **kane_profiles_build(kane_reader *reader, kane_profile_kind kind, const kane_items *inputs,
                                         const char *file, const char *const known[2])
{
    const kane_profile_input *in = inputs->items;
    const kane_profile **made    = kane_arena_alloc(reader->arena, (size_t)inputs->count, sizeof *made);
    if (!made) {
        kane_reader_no_memory(reader, (kane_place){file, 0, 0, ""});
        return NULL;
    }
    for (int i = 0; i < inputs->count; i++) {
        for (int k = 0; k < 2; k++)
            if (strcmp(in[i].block.name, known[k]) == 0)
                kane_reader_report(reader, place_of(&in[i], NULL), "'%s' is a profile that is known; take another name",
                                   known[k]);
        made[i] = read_profile(reader, kind, &in[i]);
    }
    return made;
}

int kane_profiles_find(kane_reader *reader, const kane_items *inputs, const char *const known[2], const char *wanted,
                       kane_place place)
{
    const kane_profile_input *in = inputs->items;
    const char **names           = kane_arena_alloc(reader->arena, (size_t)inputs->count + 2, sizeof *names);
    if (!names) {
        kane_reader_no_memory(reader, place);
        return -1;
    }
    names[0] = known[0];
    names[1] = known[1];
    for (int i = 0; i < inputs->count; i++)
        names[2 + i] = in[i].block.name;
    const int index = kane_names_resolve((kane_names){names, inputs->count + 2, sizeof *names}, "profile", wanted,
                                         place, reader->errors);
    reader->fault_count += index < 0;
    return index;
}
