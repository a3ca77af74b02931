// SPDX-License-Identifier: MIT
// From a vehicle or mechanism file to a definition: wheelsets become spinning bodies with wheels, mirrored elements
// become two.

#include "vehicles/vehicle_file.h"

#include "base/file.h"
#include "flexible/model.h"

#include <string.h>

typedef struct builder {
    kane_reader *reader;
    const kane_vehicle_file *file;
    kane_given_frame *frames;
    kane_body_definition *bodies;
    kane_wheels_definition *wheels;
    kane_element_definition *elements;
    kane_constraint_definition *constraints;
    kane_sensor_definition *sensors;
    kane_input_definition *inputs;
    const kane_profile **profiles; // of the file
    kane_vehicle_kind kind;
    kane_marker_list markers;
    int body_count, wheels_count, element_count;
} builder;

// A list of coordinates as bits; all if nothing is given.
static unsigned read_dof(kane_reader *reader, const kane_block *block, kane_texts texts)
{
    const char *names[KANE_COORDINATES];
    unsigned dof = 0;
    if (!kane_block_has(block, "dof"))
        return KANE_ALL_DOF;
    for (int c = 0; c < KANE_COORDINATES; c++)
        names[c] = kane_coordinate_name((kane_coordinate)c);
    for (int i = 0; i < texts.count; i++) {
        const kane_names known = {names, KANE_COORDINATES, sizeof *names};
        const int c =
            kane_names_resolve(known, "coordinate", texts.values[i], kane_block_place(block, "dof", i), reader->errors);
        if (c >= 0)
            dof |= KANE_DOF(c);
    }
    return dof;
}

// To the left and up of the line.
static void read_frame_offset(kane_reader *reader, const kane_block *block, kane_numbers in, double out[2])
{
    if (kane_block_has(block, "frame_offset") && in.count != 2)
        kane_reader_fault(reader, block, "frame_offset", "has %d numbers; needs 2: to the left and up of the line",
                          in.count);
    for (int i = 0; i < in.count && i < 2; i++)
        out[i] = in.values[i];
}

// The joint of a body, and where it begins.
static void add_joint(builder *b, const kane_block *block, const kane_joint_input *joint, const kane_begin_input *start,
                      kane_body_definition *d)
{
    const int has_joint = kane_block_has(block, "joint");
    if (has_joint)
        d->joint = kane_joint_build(&b->markers, joint, block->name);
    if (kane_block_has(block, "start"))
        d->start = kane_begin_build(b->reader, start, d->joint);
    if (has_joint && kane_block_has(block, "dof"))
        kane_reader_fault(b->reader, block, "dof",
                          "does not apply to a body with a joint: the joint says its freedoms");
    if (!has_joint && d->mass == 0.0)
        kane_reader_fault(b->reader, block, "mass", "0 is out of range, must be positive");
}

static const double AGREE = 0.02; // what is typed of a flexible body and what its model has may differ by this part

static void check_agreement(builder *b, const kane_body_input *in, const char *key, double typed, double of_model,
                            double size)
{
    if (!(fabs(typed - of_model) <= AGREE * size))
        kane_reader_fault(b->reader, &in->block, key, "%g does not agree with the flexible model, which has %g", typed,
                          of_model);
}

// A flexible body is attached by the interface that its axes are fixed to.
static void check_attachment(builder *b, const kane_body_input *in, const kane_flexible_data *data)
{
    static const double CLOSE = 1e-3; // [m]
    const kane_place place    = kane_block_place(&in->block, "joint", -1);
    int held                  = 0;
    if (!data->frame || kane_flexible_frame_is_principal(data->frame)) {
        kane_reader_report(
            b->reader, place,
            "a flexible body in mean or principal axes cannot have a joint, which would hold none of its points: give "
            "its model a \"frame\", the interface that is attached there; or attach the other body to an interface, "
            "\"parent\": \"%s.%s\"; or join both by "
            "a constraint",
            in->block.name, data->shape.points[0].name);
        return;
    }
    while (held < data->shape.point_count - 1 && strcmp(data->shape.points[held].name, data->frame) != 0)
        held++;
    kane_vec3 at = kv3_add(in->at, data->shape.points[held].at);
    at           = kv3(1e-6 * round(1e6 * at.x), 1e-6 * round(1e6 * at.y), 1e-6 * round(1e6 * at.z)); // for people
    if (in->joint.from || in->joint.to)
        kane_reader_report(
            b->reader, place,
            "a flexible body is attached by a joint at its interface '%s': give the joint's place by \"at\": [%g, "
            "%g, %g] instead of markers",
            data->frame, at.x, at.y, at.z);
    else if (!(kv3_norm(kv3_sub(in->joint.at, at)) <= CLOSE))
        kane_reader_fault(
            b->reader, &in->joint.block, "at",
            "a flexible body is attached by the interface that its axes are fixed to, '%s' at (%g, %g, %g)",
            data->frame, at.x, at.y, at.z);
}

// A flexible body's mass and inertia are those of its model.
static void add_flexible(builder *b, const kane_body_input *in, kane_body_definition *d)
{
    const kane_place place = kane_block_place(&in->block, "flexible", -1);
    const char *file       = kane_file_beside(b->reader->arena, place.file, in->flexible);
    if (!file) {
        kane_reader_no_memory(b->reader, place);
        return;
    }
    const int before               = b->reader->errors->count;
    const kane_flexible_data *data = kane_flexible_load(b->reader->arena, file, NULL, b->reader->errors);
    if (!data) {
        b->reader->fault_count += b->reader->errors->count > before;
        return;
    }
    if (kane_block_has(&in->block, "joint"))
        check_attachment(b, in, data);
    const double trace = data->inertia[0] + data->inertia[1] + data->inertia[2];
    check_agreement(b, in, "mass", in->mass, data->mass, data->mass);
    for (int i = 0; i < in->inertia.count && i < 6; i++)
        check_agreement(b, in, "inertia", in->inertia.values[i], data->inertia[i], trace);
    d->mass       = data->mass;
    d->deformable = &data->shape;
    memcpy(d->inertia, data->inertia, sizeof d->inertia);
}

static void add_body(builder *b, const kane_body_input *in)
{
    kane_body_definition *d = &b->bodies[b->body_count++];
    *d                      = (kane_body_definition){.block              = in->block,
                                                     .kind               = in->spins ? KANE_BODY_SPINNING : KANE_BODY_RIGID,
                                                     .mass               = in->mass,
                                                     .position           = in->at,
                                                     .dof                = read_dof(b->reader, &in->block, in->dof),
                                                     .frame              = in->frame,
                                                     .impossible_inertia = in->impossible_inertia};
    read_frame_offset(b->reader, &in->block, in->frame_offset, d->frame_offset);
    if (in->inertia.count != 3 && in->inertia.count != 6)
        kane_reader_fault(b->reader, &in->block, "inertia",
                          "has %d numbers; needs 3 (Ixx, Iyy, Izz) or 6 (and Ixy, Ixz, Iyz)", in->inertia.count);
    for (int i = 0; i < in->inertia.count && i < 6; i++)
        d->inertia[i] = in->inertia.values[i];
    if (in->flexible)
        add_flexible(b, in, d);
    if (strcmp(in->block.name, "ground") == 0)
        kane_reader_fault(b->reader, &in->block, NULL,
                          "no body can be called \"ground\": joints and constraints mean the frame by it");
    add_joint(b, &in->block, &in->joint, &in->start, d);
}

static const double radius_least = 0.15, radius_most = 2.0; // of a wheel [m]

// The limits of the contact (lib/contact), here with the place of what was typed.
static void check_wheels(const builder *b, const kane_wheelset_input *in)
{
    const struct {
        const char *key, *unit;
        double value, least, most;
    } rows[] = {{"radius", " m", in->radius, radius_least, radius_most},
                {"conicity", "", in->conicity, 0.0, 0.5},
                {"back_to_back", " m", in->flange_back, 0.21, 4.9},
                {"flange_back_depth", " m", in->flange_back_depth, 0.0, 0.03}};
    for (int i = 0; i < 4; i++)
        if (!(rows[i].value >= rows[i].least && rows[i].value <= rows[i].most))
            kane_reader_fault(b->reader, &in->block, rows[i].key, "%g%s is out of range, must be from %g to %g",
                              rows[i].value, rows[i].unit, rows[i].least, rows[i].most);
}

static const char *const known_profiles[2] = {"S1002", "cone"};

// The profile of a name; NULL with an error if there is none.
static const kane_profile *profile_of(const builder *b, const kane_wheelset_input *in, const char *name,
                                      kane_place place)
{
    const int found = kane_profiles_find(b->reader, &b->file->profiles, known_profiles, name, place);
    if (found < 2 && found != 1)
        return found == 0 ? kane_profile_s1002() : NULL;
    if (found >= 2)
        return b->profiles[found - 2];
    const kane_profile cone  = kane_profile_cone(in->conicity);
    const kane_profile *copy = kane_profile_copy(b->reader->arena, &cone);
    if (!copy)
        kane_reader_no_memory(b->reader, place);
    return copy;
}

static void fill_wheels(const builder *b, const kane_wheelset_input *in, kane_wheels_definition *wheels)
{
    const kane_right_wheel_input *right = &in->right;
    *wheels                             = (kane_wheels_definition){
                                    .radius = {in->radius, 0.0}, .flange_back = in->flange_back, .back_depth = in->flange_back_depth};
    wheels->profile[0] = profile_of(b, in, in->profile, kane_block_place(&in->block, "profile", -1));
    if (right->profile)
        wheels->profile[1] = profile_of(b, in, right->profile, kane_block_place(&right->block, "profile", -1));
    if (kane_block_has(&right->block, "radius"))
        wheels->radius[1] = right->radius;
    if (wheels->radius[1] != 0.0 && !(right->radius >= radius_least && right->radius <= radius_most))
        kane_reader_fault(b->reader, &right->block, "radius", "%g m is out of range, must be from %g to %g",
                          right->radius, radius_least, radius_most);
    if (kane_block_has(&in->block, "conicity") && strcmp(in->profile, "cone") != 0 &&
        !(right->profile && strcmp(right->profile, "cone") == 0))
        kane_reader_fault(b->reader, &in->block, "conicity", "only the profile \"cone\" has a conicity");
}

static void add_wheelset(builder *b, const kane_wheelset_input *in)
{
    kane_wheels_definition *wheels = &b->wheels[b->wheels_count++];
    kane_body_definition *d        = &b->bodies[b->body_count++];
    fill_wheels(b, in, wheels);
    const double height = wheels->radius[1] != 0.0 ? 0.5 * (wheels->radius[0] + wheels->radius[1]) : in->radius;
    *d                  = (kane_body_definition){.block    = in->block,
                                                 .kind     = KANE_BODY_SPINNING,
                                                 .mass     = in->mass,
                                                 .position = {in->at, 0.0, height},
                                                 .dof      = read_dof(b->reader, &in->block, in->dof),
                                                 .frame    = in->frame,
                                                 .wheels   = wheels};
    add_joint(b, &in->block, &in->joint, &in->start, d);
    read_frame_offset(b->reader, &in->block, in->frame_offset, d->frame_offset);
    kane_vehicle_read_contact(b->reader, &in->contact, wheels);
    check_wheels(b, in);
    if (in->inertia.count != 3)
        kane_reader_fault(b->reader, &in->block, "inertia",
                          "has %d numbers; a wheelset needs 3: Ixx, Iyy (about the axle), Izz", in->inertia.count);
    for (int i = 0; i < in->inertia.count && i < 3; i++)
        d->inertia[i] = in->inertia.values[i];
}

static const char *const no_markers[2] = {NULL, NULL};

// Body of an end; "track": the frame of the other one.
static const char *end_body(const builder *b, const kane_element_input *in, int end)
{
    const char *body =
        in->markers.count == 2 ? kane_markers_body(&b->markers, in->markers.values[end]) : in->between.values[end];
    return body && !kane_word_is_frame(body) ? body : "track";
}

// A vehicle rests where it is drawn; a mechanism does not have to.
static kane_preload preload_of(const builder *b, const kane_element_input *in)
{
    if (kane_block_has(&in->block, "preload"))
        return (kane_preload)in->preload;
    return b->kind == KANE_VEHICLE ? KANE_PRELOAD_SOLVED : KANE_PRELOAD_GIVEN;
}

void kane_vehicle_mirror(kane_element_definition *element)
{
    const kane_mat3 A = element->axes;
    element->mirrored = !element->mirrored;
    element->at[0].y  = -element->at[0].y;
    element->at[1].y  = -element->at[1].y;
    element->axes     = (kane_mat3){kv3(A.x.x, -A.x.y, A.x.z), kv3(-A.y.x, A.y.y, -A.y.z),
                                    kv3(A.z.x, -A.z.y, A.z.z)}; // S A S with S = diag(1, -1, 1)
}

// The element itself, or its image on the other side.
static void add_element(builder *b, const kane_element_input *in, const char *name, int mirrored)
{
    kane_element_definition *d = &b->elements[b->element_count++];
    const kane_vec3 to         = kane_block_has(&in->block, "to") ? in->to : in->at;
    kane_mat3 axes             = km3_turn_z(km3_identity(), sin(in->turned.x), cos(in->turned.x));
    axes                       = km3_turn_x(axes, sin(in->turned.y), cos(in->turned.y));
    axes                       = km3_turn_y(axes, sin(in->turned.z), cos(in->turned.z));
    const char *const *marker  = in->markers.count == 2 ? in->markers.values : no_markers;
    *d                         = (kane_element_definition){.block      = {name, in->block.node},
                                                           .law        = in->law.tag,
                                                           .parameters = in->law.value,
                                                           .between    = {end_body(b, in, 0), end_body(b, in, 1)},
                                                           .marker     = {marker[0], marker[1]},
                                                           .at         = {in->at, to},
                                                           .axes       = axes,
                                                           .on_axle    = in->on_axle,
                                                           .preload    = preload_of(b, in),
                                                           .load       = in->load};
    if (mirrored)
        kane_vehicle_mirror(d);
}

static const char *with_side(kane_reader *reader, const char *name, const char *side)
{
    const size_t size = strlen(name) + strlen(side) + 1;
    char *text        = kane_arena_alloc(reader->arena, size, 1);
    if (!text) {
        kane_reader_no_memory(reader, (kane_place){"", 0, 0, ""});
        return "";
    }
    memcpy(text, name, strlen(name));
    memcpy(text + strlen(name), side, strlen(side));
    return text;
}

// Two markers say where an element is. 0 with an error.
static int check_markers(const builder *b, const kane_element_input *in)
{
    static const char *const other[] = {"between", "at", "to", "mirror"};
    for (int i = 0; i < 4; i++)
        if (kane_block_has(&in->block, other[i]))
            kane_reader_fault(b->reader, &in->block, other[i],
                              "has no effect where \"markers\" say where the element is");
    if (in->markers.count != 2) {
        kane_reader_fault(b->reader, &in->block, "markers", "has %d names; an element acts between two markers",
                          in->markers.count);
        return 0;
    }
    int good = 1;
    for (int i = 0; i < 2; i++)
        good &=
            kane_markers_resolve(&b->markers, in->markers.values[i], kane_block_place(&in->block, "markers", i)) >= 0;
    return good;
}

static int check_ends(const builder *b, const kane_element_input *in)
{
    if (!kane_block_has(&in->block, "between")) {
        kane_report_missing(b->reader, &in->block, "between",
                            "two bodies, or a body and \"track\"; or two in \"markers\"");
        return 0;
    }
    if (in->between.count != 2) {
        kane_reader_fault(b->reader, &in->block, "between",
                          "has %d names; an element acts between two bodies, or a body and \"track\"",
                          in->between.count);
        return 0;
    }
    if (!kane_block_has(&in->block, "at"))
        kane_report_missing(b->reader, &in->block, "at", "its point at rest [m], or two names in \"markers\"");
    return 1;
}

static void add_elements(builder *b, const kane_element_input *in)
{
    if (!(kane_block_has(&in->block, "markers") ? check_markers(b, in) : check_ends(b, in)))
        return;
    if (kane_block_has(&in->block, "load") && preload_of(b, in) == KANE_PRELOAD_SOLVED)
        kane_reader_fault(b->reader, &in->block, "load",
                          "is only used with \"preload\": \"given\"; now the load is solved for");
    if (!in->mirror) {
        add_element(b, in, in->block.name, 0);
        return;
    }
    if (in->at.y == 0.0) {
        kane_reader_fault(b->reader, &in->block, "mirror", "an element in the middle (y = 0) has no mirror image");
        return;
    }
    const int is_left = in->at.y > 0.0;
    add_element(b, in, with_side(b->reader, in->block.name, is_left ? " left" : " right"), 0);
    add_element(b, in, with_side(b->reader, in->block.name, is_left ? " right" : " left"), 1);
}

// Mirrored elements get names that may have been given too.
static void check_names(const builder *b)
{
    for (int i = 0; i < b->element_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(b->elements[i].block.name, b->elements[k].block.name) == 0)
                kane_reader_fault(b->reader, &b->elements[i].block, NULL,
                                  "there are two elements called '%s'; a mirrored one is called \"... left\" and "
                                  "\"... right\"",
                                  b->elements[i].block.name);
}

// Two wheelsets at one place are a slip of the pen.
static void check_places(const builder *b, const kane_wheelset_input *in, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (in[i].at == in[k].at)
                kane_reader_fault(b->reader, &in[i].block, "at", "the wheelset '%s' is at %g m too", in[k].block.name,
                                  in[k].at);
}

// Arrays for the largest number of parts that the file can have. Returns 0 without memory.
static int allocate_parts(builder *b, size_t body_count)
{
    const kane_vehicle_file *file = b->file;
    kane_arena *arena             = b->reader->arena;
    const size_t joints           = body_count; // each may bring a marker
    b->frames                     = kane_arena_alloc(arena, (size_t)file->frames.count, sizeof *b->frames);
    b->bodies                     = kane_arena_alloc(arena, body_count, sizeof *b->bodies);
    b->wheels                     = kane_arena_alloc(arena, body_count, sizeof *b->wheels);
    b->elements                   = kane_arena_alloc(arena, 2 * (size_t)file->elements.count, sizeof *b->elements);
    b->constraints                = kane_arena_alloc(arena, (size_t)file->constraints.count, sizeof *b->constraints);
    b->sensors                    = kane_arena_alloc(arena, (size_t)file->sensors.count, sizeof *b->sensors);
    b->markers.markers = kane_arena_alloc(arena, (size_t)file->markers.count + joints, sizeof *b->markers.markers);
    return !kane_arena_failed(arena);
}

static void add_all(builder *b)
{
    const kane_vehicle_file *file            = b->file;
    const kane_frame_input *frames           = file->frames.items;
    const kane_marker_input *markers         = file->markers.items;
    const kane_body_input *bodies            = file->bodies.items;
    const kane_wheelset_input *wheelsets     = file->wheelsets.items;
    const kane_element_input *elements       = file->elements.items;
    const kane_constraint_input *constraints = file->constraints.items;
    const kane_sensor_input *sensors         = file->sensors.items;
    for (int i = 0; i < file->frames.count; i++)
        kane_frame_build(b->reader, &frames[i], &b->frames[i]);
    for (int i = 0; i < file->markers.count; i++)
        kane_marker_build(&b->markers, &markers[i]);
    kane_markers_check(&b->markers);
    for (int i = 0; i < file->bodies.count; i++)
        add_body(b, &bodies[i]);
    for (int i = 0; i < file->wheelsets.count; i++)
        add_wheelset(b, &wheelsets[i]);
    for (int i = 0; i < file->elements.count; i++)
        add_elements(b, &elements[i]);
    for (int i = 0; i < file->constraints.count; i++)
        kane_constraint_build(&b->markers, &constraints[i], b->bodies, b->body_count, &b->constraints[i]);
    for (int i = 0; i < file->sensors.count; i++)
        b->sensors[i] = (kane_sensor_definition){sensors[i].block, sensors[i].on, sensors[i].at};
    b->inputs = kane_inputs_define(b->reader, &file->inputs);
    check_names(b);
    check_places(b, wheelsets, file->wheelsets.count);
}

kane_vehicle_definition *kane_vehicle_build(kane_reader *reader, const kane_vehicle_file *file, kane_vehicle_kind kind)
{
    const size_t body_count    = (size_t)file->bodies.count + (size_t)file->wheelsets.count;
    builder b                  = {.reader = reader, .file = file, .kind = kind, .markers = {.reader = reader}};
    kane_vehicle_definition *d = kane_arena_alloc(reader->arena, 1, sizeof *d);
    if (!d || !allocate_parts(&b, body_count)) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, NULL, -1));
        return NULL;
    }
    b.profiles = kane_profiles_build(reader, KANE_PROFILE_WHEEL, &file->profiles,
                                     kane_block_place(&file->block, NULL, -1).file, known_profiles);
    if (!b.profiles)
        return NULL;
    add_all(&b);

    *d = (kane_vehicle_definition){.block             = file->block,
                                   .name              = file->name,
                                   .guide             = file->guide,
                                   .gravity           = file->gravity,
                                   .body_count        = b.body_count,
                                   .bodies            = b.bodies,
                                   .element_count     = b.element_count,
                                   .elements          = b.elements,
                                   .given_frame_count = file->frames.count,
                                   .given_frames      = b.frames,
                                   .marker_count      = b.markers.count,
                                   .markers           = b.markers.markers,
                                   .constraint_count  = file->constraints.count,
                                   .constraints       = b.constraints,
                                   .sensor_count      = file->sensors.count,
                                   .sensors           = b.sensors,
                                   .input_count       = file->inputs.count,
                                   .inputs            = b.inputs};
    return d;
}
