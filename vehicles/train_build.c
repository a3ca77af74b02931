// SPDX-License-Identifier: MIT
// A train from its vehicles: their places and couplers, as one definition.

#include "vehicles/train_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct builder {
    kane_reader *reader;
    const kane_train_file *file;
    const kane_train_vehicle_input *in; // vehicles of the file
    kane_train_kind *kinds;             // likewise
    kane_train_place *places;           // of every vehicle, from the front
    int place_count;
    kane_train_parts parts;
} builder;

// "coach 3"; NULL without memory.
static const char *numbered_name(kane_arena *arena, const char *name, int number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d", number);
    return kane_train_join(arena, name, text);
}

// --- vehicles of the file ---

static void count_vehicles(builder *b)
{
    const kane_block *block = &b->file->block;
    if (b->file->vehicles.count == 0)
        kane_reader_fault(b->reader, block, "vehicles", "names no vehicle");
    for (int i = 0; i < b->file->vehicles.count; i++) {
        const int count = b->in[i].count;
        if (count > KANE_TRAIN_MOST - b->place_count) {
            kane_reader_fault(b->reader, &b->in[i].block, "count", "%d of these make the train longer than %d vehicles",
                              count, (int)KANE_TRAIN_MOST);
            return;
        }
        b->place_count += count;
    }
}

// Wheels outside of the coupling faces mean that the length is wrong.
static void check_length(const builder *b, const kane_train_kind *kind)
{
    const kane_train_vehicle_input *in = kind->in;
    for (int j = 0; j < kind->definition->body_count; j++) {
        const kane_body_definition *body = &kind->definition->bodies[j];
        if (!body->wheels || fabs(body->position.x - in->middle) < 0.5 * in->length)
            continue;
        kane_reader_fault(b->reader, &in->block, "length",
                          "the coupling faces are at %g m and %g m, but the wheelset '%s' is at %g m",
                          in->middle + 0.5 * in->length, in->middle - 0.5 * in->length, body->block.name,
                          body->position.x);
        return;
    }
}

// The body that carries couplers at an end; NULL with an error if there is none.
static const char *end_body(const builder *b, const kane_train_kind *kind, const char *key, const char *name)
{
    const kane_vehicle_definition *d = kind->definition;
    const kane_names names           = {d->bodies, d->body_count, sizeof *d->bodies};
    if (!name)
        return d->guide;
    (void)kane_names_resolve(names, "body", name, kane_block_place(&kind->in->block, key, -1), b->reader->errors);
    return name;
}

static void check_kinds(builder *b)
{
    const double gravity = b->kinds[0].definition->gravity;
    for (int i = 0; i < b->file->vehicles.count; i++) {
        kane_train_kind *kind              = &b->kinds[i];
        const kane_train_vehicle_input *in = kind->in;
        const char *front = end_body(b, kind, "front", in->front), *rear = end_body(b, kind, "rear", in->rear);
        kind->front = in->turned ? rear : front;
        kind->rear  = in->turned ? front : rear;
        kane_train_check_names(kind->definition, b->reader->errors);
        check_length(b, kind);
        if (kind->definition->gravity != gravity)
            kane_reader_fault(b->reader, &in->block, "file", "has a gravity of %g m/s^2, '%s' one of %g m/s^2",
                              kind->definition->gravity, b->in[0].block.name, gravity);
    }
}

// --- where they stand ---

// The first vehicle keeps its axes; every other one touches the rear coupling face of the one before.
static int set_places(builder *b)
{
    kane_arena *arena = b->reader->arena;
    double face       = b->in[0].middle + 0.5 * b->in[0].length;
    int k             = 0;
    b->places         = kane_arena_alloc(arena, (size_t)b->place_count, sizeof *b->places);
    for (int i = 0; i < b->file->vehicles.count && b->places; i++) {
        const kane_train_vehicle_input *in = &b->in[i];
        for (int n = 1; n <= in->count; n++) {
            kane_train_place *place = &b->places[k];
            const double middle     = k == 0 ? in->middle : face - 0.5 * in->length;
            place->name =
                kane_block_has(&in->block, "count") ? numbered_name(arena, in->block.name, n) : in->block.name;
            place->kind  = i;
            place->sign  = in->turned ? -1.0 : 1.0;
            place->shift = middle - place->sign * in->middle;
            place->rear  = face - in->length;
            face         = place->rear;
            k++;
        }
    }
    return !kane_arena_failed(arena);
}

// "coach 1" can be the first of several coaches, and a vehicle of that name.
static void check_place_names(const builder *b)
{
    for (int i = 0; i < b->place_count; i++)
        for (int k = 0; k < i; k++)
            if (b->places[k].kind != b->places[i].kind && strcmp(b->places[k].name, b->places[i].name) == 0)
                kane_reader_fault(b->reader, &b->in[b->places[i].kind].block, NULL,
                                  "there are two vehicles called '%s': several of one name are numbered",
                                  b->places[i].name);
}

// --- couplers ---

static const kane_train_kind *kind_at(const builder *b, int place)
{
    return &b->kinds[b->places[place].kind];
}

// Whether a coupler is between a vehicle and the next one.
static int is_there(const builder *b, const kane_coupler_input *in, int place)
{
    return in->between.count != 2 || (strcmp(in->between.values[0], kind_at(b, place)->in->block.name) == 0 &&
                                      strcmp(in->between.values[1], kind_at(b, place + 1)->in->block.name) == 0);
}

static void check_coupler(const builder *b, const kane_coupler_input *in)
{
    const kane_names names = {b->in, b->file->vehicles.count, sizeof *b->in};
    int known              = 1;
    for (int i = 0; i < in->between.count; i++)
        known &= kane_names_resolve(names, "vehicle", in->between.values[i], kane_block_place(&in->block, "between", i),
                                    b->reader->errors) >= 0;
    if (kane_block_has(&in->block, "between") && in->between.count != 2) {
        kane_reader_fault(b->reader, &in->block, "between",
                          "has %d names; a coupler is between two vehicles, the one in front first", in->between.count);
        known = 0;
    }
    int neighbours = 0;
    for (int k = 0; k + 1 < b->place_count; k++)
        neighbours += is_there(b, in, k);
    if (known && in->between.count == 2 && neighbours == 0)
        kane_reader_fault(b->reader, &in->block, "between", "nowhere does '%s' follow on '%s'", in->between.values[1],
                          in->between.values[0]);
    if (in->mirror && in->y == 0.0)
        kane_reader_fault(b->reader, &in->block, "mirror", "a coupler in the middle (y = 0) has no mirror image");
    if (((const kane_law *)in->law.tag)->preload == KANE_PRELOAD_LINE && in->length == 0.0)
        kane_reader_fault(b->reader, &in->block, NULL,
                          "'length' is missing: a %s acts along the line between its two points", in->law.name);
    if (kane_block_has(&in->block, "load") && in->preload == KANE_PRELOAD_SOLVED)
        kane_reader_fault(b->reader, &in->block, "load",
                          "is only used with \"preload\": \"given\"; now the load is solved for");
    if (kane_names_find(names, in->block.name) >= 0)
        kane_reader_fault(b->reader, &in->block, NULL, "a vehicle is called '%s' too", in->block.name);
}

// Behind a vehicle: one coupler, or two. 0 where memory is short.
static int add_coupler(builder *b, const kane_coupler_input *in, int place)
{
    kane_arena *arena             = b->reader->arena;
    const kane_train_place *front = &b->places[place], *rear = front + 1;
    const char *name                = numbered_name(arena, in->block.name, place + 1);
    const char *const at_front      = kane_train_join(arena, front->name, kind_at(b, place)->rear);
    const char *const at_rear       = kane_train_join(arena, rear->name, kind_at(b, place + 1)->front);
    const kane_element_definition d = {.block      = {name, in->block.node},
                                       .law        = in->law.tag,
                                       .parameters = in->law.value,
                                       .between    = {at_front, at_rear},
                                       .at         = {kv3(front->rear + 0.5 * in->length, in->y, in->height),
                                                      kv3(front->rear - 0.5 * in->length, in->y, in->height)},
                                       .axes       = kane_turned(in->turned),
                                       .preload    = (kane_preload)in->preload,
                                       .load       = in->load};
    if (!name || !at_front || !at_rear)
        return 0;
    for (int image = 0; image <= in->mirror; image++) {
        kane_element_definition *element = &b->parts.elements[b->parts.element_count++];
        *element                         = d;
        if (in->mirror)
            element->block.name = kane_train_join(arena, name, (in->y > 0.0) != (image != 0) ? "left" : "right");
        if (image)
            kane_vehicle_mirror(element);
        if (!element->block.name)
            return 0;
    }
    return 1;
}

// --- all of it ---

static int allocate_parts(builder *b)
{
    kane_arena *arena = b->reader->arena;
    size_t frames = 0, bodies = 0, markers = 0, constraints = 0, sensors = 0, inputs = 0;
    size_t elements = 2 * (size_t)b->file->couplers.count * (size_t)b->place_count;
    for (int k = 0; k < b->place_count; k++) {
        const kane_vehicle_definition *d = kind_at(b, k)->definition;
        frames += (size_t)d->given_frame_count;
        bodies += (size_t)d->body_count;
        markers += (size_t)d->marker_count;
        elements += (size_t)d->element_count;
        constraints += (size_t)d->constraint_count;
        sensors += (size_t)d->sensor_count;
        inputs += (size_t)d->input_count;
    }
    b->parts.frames      = kane_arena_alloc(arena, frames, sizeof *b->parts.frames);
    b->parts.bodies      = kane_arena_alloc(arena, bodies, sizeof *b->parts.bodies);
    b->parts.markers     = kane_arena_alloc(arena, markers, sizeof *b->parts.markers);
    b->parts.elements    = kane_arena_alloc(arena, elements, sizeof *b->parts.elements);
    b->parts.constraints = kane_arena_alloc(arena, constraints, sizeof *b->parts.constraints);
    b->parts.sensors     = kane_arena_alloc(arena, sensors, sizeof *b->parts.sensors);
    b->parts.inputs      = kane_arena_alloc(arena, inputs, sizeof *b->parts.inputs);
    return !kane_arena_failed(arena);
}

static int add_all(builder *b)
{
    const kane_coupler_input *couplers = b->file->couplers.items;
    if (!allocate_parts(b))
        return 0;
    for (int k = 0; k < b->place_count; k++)
        if (!kane_train_add(b->reader->arena, &b->places[k], kind_at(b, k)->definition, &b->parts))
            return 0;
    for (int i = 0; i < b->file->couplers.count; i++)
        for (int k = 0; k + 1 < b->place_count; k++)
            if (is_there(b, &couplers[i], k) && !add_coupler(b, &couplers[i], k))
                return 0;
    return 1;
}

// Index of the vehicle that guides, -1 with an error.
static int find_reference_body(const builder *b)
{
    const kane_names names = {b->places, b->place_count, sizeof *b->places};
    if (!b->file->guide)
        return 0;
    return kane_names_resolve(names, "vehicle of the train", b->file->guide,
                              kane_block_place(&b->file->block, "reference_vehicle", -1), b->reader->errors);
}

static kane_vehicle_definition *define_train(builder *b)
{
    const kane_coupler_input *couplers = b->file->couplers.items;
    kane_vehicle_definition *d         = kane_arena_alloc(b->reader->arena, 1, sizeof *d);
    if (!d || !set_places(b))
        return NULL;
    check_place_names(b);
    for (int i = 0; i < b->file->couplers.count; i++)
        check_coupler(b, &couplers[i]);
    const int guide = find_reference_body(b);
    if (guide < 0 || !add_all(b))
        return NULL;
    *d = (kane_vehicle_definition){
        .block   = b->file->block,
        .name    = b->file->name,
        .guide   = kane_train_join(b->reader->arena, b->places[guide].name, kind_at(b, guide)->definition->guide),
        .gravity = b->kinds[0].definition->gravity,
        .given_frame_count = b->parts.frame_count,
        .given_frames      = b->parts.frames,
        .body_count        = b->parts.body_count,
        .bodies            = b->parts.bodies,
        .element_count     = b->parts.element_count,
        .elements          = b->parts.elements,
        .marker_count      = b->parts.marker_count,
        .markers           = b->parts.markers,
        .constraint_count  = b->parts.constraint_count,
        .constraints       = b->parts.constraints,
        .sensor_count      = b->parts.sensor_count,
        .sensors           = b->parts.sensors,
        .input_count       = b->parts.input_count,
        .inputs            = b->parts.inputs};
    return d->guide ? d : NULL;
}

kane_vehicle_definition *kane_train_build(kane_reader *reader, const kane_train_file *file, kane_train_kind *kinds)
{
    builder b        = {.reader = reader, .file = file, .in = file->vehicles.items, .kinds = kinds};
    const int before = reader->errors->count;
    count_vehicles(&b);
    if (reader->errors->count != before)
        return NULL;
    check_kinds(&b);
    kane_vehicle_definition *d = define_train(&b);
    kane_errors_drop_repeated(reader->errors); // vehicles of one file are wrong in the same way
    return reader->errors->count == before ? d : NULL;
}
