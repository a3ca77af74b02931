// SPDX-License-Identifier: MIT
// Frames: those that move along the track, and those with prescribed motion; the frame of each body.
//
// Given frames that move by a joint are links without mass in a separate tree, with all coordinates prescribed, and
// move by the same formulas as links.

#include "model/compile.h"

#include <string.h>

// --- names ---

static kane_place place_of(const kane_given_frame *d, const char *key)
{
    return kane_block_place(&d->block, key, -1);
}

static kane_names given_names(const kane_compiler *c)
{
    return (kane_names){c->vehicle->given_frames, c->vehicle->given_frame_count, sizeof *c->vehicle->given_frames};
}

static int find_given(const kane_compiler *c, const char *name)
{
    const int i = name ? kane_names_find(given_names(c), name) : -1;
    return i >= 0 ? 1 + i : -1;
}

// Names of all bodies, then of all given frames. 0 if memory is short.
static int list_holders(kane_compiler *c)
{
    const int bodies = c->vehicle->body_count, count = bodies + c->vehicle->given_frame_count;
    const char **names = kane_arena_alloc(c->model->arena, (size_t)count, sizeof *names);
    for (int i = 0; i < count && names; i++)
        names[i] = i < bodies ? c->vehicle->bodies[i].block.name : c->vehicle->given_frames[i - bodies].block.name;
    c->holders = (kane_names){names, names ? count : 0, sizeof *names};
    return names != NULL;
}

int kane_compile_holder(kane_compiler *c, const char *name, kane_place place)
{
    if (!name || strcmp(name, "track") == 0)
        return -1;
    if (kane_arena_failed(c->model->arena)) // names may be missing
        return KANE_NOWHERE;
    const int i = kane_names_resolve(c->holders, c->vehicle->given_frame_count > 0 ? "body or frame" : "body", name,
                                     place, c->errors);
    if (i < 0)
        return KANE_NOWHERE;
    return i < c->vehicle->body_count ? i : kane_compile_frame_holder(1 + i - c->vehicle->body_count);
}

static void check_name(kane_compiler *c, int i)
{
    const char *name      = c->vehicle->given_frames[i].block.name;
    const kane_names both = {c->vehicle->given_frames, i, sizeof *c->vehicle->given_frames};
    const char *taken     = NULL;
    if (strcmp(name, "track") == 0 || strcmp(name, "ground") == 0)
        taken = "\"track\" and \"ground\" mean the frame of the other side";
    else if (kane_names_find(kane_compile_body_names(c), name) >= 0)
        taken = "there is a body of this name";
    else if (kane_names_find(both, name) >= 0)
        taken = "there is another one of this name";
    if (taken)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(&c->vehicle->given_frames[i], NULL),
                              "no frame can be called '%s': %s", name, taken);
}

// --- all frames that are known by name, and the guide's ---

static void find_reference_body(kane_compiler *c)
{
    kane_model *model = c->model;
    model->guide      = -1;
    if (c->vehicle->guide)
        model->guide = kane_names_resolve(kane_compile_body_names(c), "body", c->vehicle->guide,
                                          kane_block_place(&c->vehicle->block, "reference_body", -1), c->errors);
    else if (model->track)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->block, NULL, -1),
            "a vehicle on a track needs a \"reference_body\": the body that the track frames go with");
}

// The frame of this offset along the line and beside it; frames at the same place are one.
static int track_frame(kane_model *model, double x, double offset, const double beside[2])
{
    const kane_frame own = {.kind    = KANE_FRAME_TRACK,
                            .drawn   = {x, beside[0], beside[1]},
                            .carrier = model->frame_count,
                            .offset  = offset,
                            .beside  = {0.0, beside[0], beside[1]},
                            .wheels  = -1,
                            .link    = -1};
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].kind == KANE_FRAME_TRACK && model->frames[f].offset == offset &&
            model->frames[f].beside.y == beside[0] && model->frames[f].beside.z == beside[1])
            return f;
    model->frames[model->frame_count] = own;
    return model->frame_count++;
}

void kane_compile_frames(kane_compiler *c)
{
    kane_model *model = c->model;
    model->name       = kane_compile_text(c, c->vehicle->name);
    model->gravity    = c->vehicle->gravity;
    find_reference_body(c);

    // frame 0 is the guide's, or A where there is no track
    if (model->track && model->guide >= 0) {
        const kane_body_definition *guide = &c->vehicle->bodies[model->guide];
        (void)track_frame(model, guide->position.x, 0.0, guide->frame_offset);
    } else {
        model->frames[model->frame_count++] =
            (kane_frame){.kind = KANE_FRAME_REST, .carrier = -1, .wheels = -1, .link = -1};
    }
    for (int i = 0; i < c->vehicle->given_frame_count; i++) {
        const kane_given_frame *d           = &c->vehicle->given_frames[i];
        model->frames[model->frame_count++] = (kane_frame){.kind    = KANE_FRAME_GIVEN,
                                                           .drawn   = d->joint ? d->joint->to.at : kv3_zero(),
                                                           .carrier = -1,
                                                           .wheels  = -1,
                                                           .name    = kane_compile_text(c, d->block.name),
                                                           .link    = -1,
                                                           .motion  = d->motion,
                                                           .data    = d->data};
        check_name(c, i);
    }
    (void)list_holders(c); // the arena knows
}

int kane_compile_frame_in_A(kane_model *model)
{
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].kind == KANE_FRAME_REST)
            return f;
    model->frames[model->frame_count] = (kane_frame){.kind = KANE_FRAME_REST, .carrier = -1, .wheels = -1, .link = -1};
    return model->frame_count++;
}

// --- the frame of a body ---

// What a body says of its frame: by name, or as the frame that its joint begins at. NULL: nothing.
static const char *says_frame(const kane_compiler *c, const kane_body_definition *d)
{
    if (d->frame)
        return d->frame;
    return d->joint && find_given(c, d->joint->parent) >= 0 ? d->joint->parent : NULL;
}

// Whose frame a body uses: follows names from body to body.
typedef struct sharing {
    int given;        // a given frame, or ...
    int owner;        // ... the body whose track frame it is
    double beside[2]; // of the body's own frame from the line
} sharing;

// 0 with an error.
static int follow_names(kane_compiler *c, int j, sharing *s)
{
    *s = (sharing){.given = -1, .owner = j};
    for (int steps = 0;; steps++) {
        const kane_body_definition *d = &c->vehicle->bodies[s->owner];
        const char *name              = says_frame(c, d);
        const kane_place place        = kane_block_place(&d->block, "frame", -1);
        s->beside[0] += d->frame_offset[0];
        s->beside[1] += d->frame_offset[1];
        s->given = find_given(c, name);
        if (!name || s->given >= 0)
            return 1;
        const int next = kane_names_find(kane_compile_body_names(c), name);
        if (next == s->owner)
            return 1;
        if (next < 0) {
            (void)kane_names_resolve(c->holders, "body or given frame", name, place, c->errors);
            return 0;
        }
        if (steps > c->vehicle->body_count) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                                  "'%s' and others share frames in a circle; one of them needs its own", name);
            return 0;
        }
        s->owner = next;
    }
}

// Bodies with wheels and the reference body need a track frame; only track frames can be beside the line.
static void check_frame(kane_compiler *c, int j, const sharing *s)
{
    const kane_body_definition *d = &c->vehicle->bodies[j];
    const char *parent            = d->joint ? d->joint->parent : NULL;
    const int on_line             = s->given < 0 && c->model->frames[0].kind == KANE_FRAME_TRACK;
    if (s->given >= 0 && (j == c->model->guide || d->wheels))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "frame", -1),
                              "'%s' %s: it needs a track frame, and '%s' is a given one", d->block.name,
                              j == c->model->guide ? "is the guide" : "has wheels", c->model->frames[s->given].name);
    if (!on_line && (d->frame_offset[0] != 0.0 || d->frame_offset[1] != 0.0))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, "frame_offset", -1),
                              "the frame of '%s' does not go along a track, beside which it could be", d->block.name);
    if (find_given(c, parent) >= 0 && find_given(c, parent) != s->given)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->joint->block, "parent", -1),
                              "'%s' is attached to the frame '%s', which is not its own; leave \"frame\" out",
                              d->block.name, parent);
}

// Track frame at the place of the body that owns it, or a given frame; origin: mass centre relative to it, as drawn.
void kane_compile_choose_frame(kane_compiler *c, int j)
{
    kane_model *model             = c->model;
    const kane_body_definition *d = &c->vehicle->bodies[j];
    kane_body *body               = &model->bodies[j];
    sharing s;

    body->position = body->origin = d->position;
    body->frame = body->track_frame = 0;
    if (!follow_names(c, j, &s))
        return;
    check_frame(c, j, &s);
    if (s.given >= 0) {
        body->track_frame = s.given;
    } else if (model->frames[0].kind == KANE_FRAME_TRACK) {
        const double x    = c->vehicle->bodies[s.owner].position.x;
        body->track_frame = track_frame(model, x, x - c->vehicle->bodies[model->guide].position.x, s.beside);
    }
    body->origin = kv3_sub(d->position, model->frames[body->track_frame].drawn);
    body->frame = body->level_frame = body->track_frame;
}

int kane_compile_line_frame(const kane_compiler *c, double x)
{
    static const double on_line[2] = {0.0, 0.0};
    const int guide                = c->model->guide; // none: that has been told, and other mistakes are looked for
    return track_frame(c->model, x, guide >= 0 ? x - c->vehicle->bodies[guide].position.x : x, on_line);
}

// Wheels find their rails from a frame on the line at their own place: that of their body, unless the body shares one
// farther away, its frame goes beside the line, or the frame serves other wheels already.
void kane_compile_rail_frame(kane_compiler *c, int wheels)
{
    kane_model *model = c->model;
    kane_body *body   = &model->bodies[model->wheels[wheels].body];
    int f             = kane_compile_line_frame(c, body->position.x);
    if (model->frames[f].wheels >= 0) {
        model->frames[model->frame_count]         = model->frames[f];
        model->frames[model->frame_count].carrier = model->frame_count;
        f                                         = model->frame_count++;
    }
    model->frames[f].wheels     = wheels;
    model->wheels[wheels].frame = body->level_frame = f;
}

// Removes track frames without bodies (but frame 0) and numbers the others again.
void kane_compile_drop_frames(kane_compiler *c)
{
    kane_model *model = c->model;
    int *place        = kane_arena_alloc(model->arena, (size_t)model->frame_count, sizeof *place);
    int count         = 0;
    if (!place)
        return;
    for (int j = 0; j < model->body_count; j++)
        place[model->bodies[j].track_frame] = 1;
    for (int f = 0; f < model->frame_count; f++) {
        const kane_frame_kind kind = model->frames[f].kind;
        if (f > 0 && kind == KANE_FRAME_TRACK && !place[f])
            continue;
        place[f]             = count;
        model->frames[count] = model->frames[f];
        if (kind == KANE_FRAME_TRACK)
            model->frames[count].carrier = count;
        else if (kind == KANE_FRAME_SECTION)
            model->section = count;
        count++;
    }
    model->frame_count = count;
    for (int j = 0; j < model->body_count; j++) {
        kane_body *body = &model->bodies[j];
        body->frame = body->level_frame = body->track_frame = place[body->track_frame];
    }
}

// --- motion of given frames ---

enum { NEW, BUSY, DONE, BAD };

static void add_frame_error(kane_compiler *c, const kane_given_frame *d, const char *key, const char *what)
{
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(d, key), "%s", what);
}

// 'a' on 'b' on 'a'
static void report_circle(kane_compiler *c, int first)
{
    char chain[320];
    kane_text text = kane_text_start(sizeof chain, chain);
    int at         = first;
    do {
        const kane_given_frame *d = &c->vehicle->given_frames[at];
        kane_text_add(&text, "'%s' against ", d->block.name);
        const int next = find_given(c, d->relative), body = kane_names_find(kane_compile_body_names(c), d->relative);
        at = (next >= 0 ? next : c->model->bodies[body].track_frame) - 1;
    } while (at != first);
    kane_text_add(&text, "'%s'", c->vehicle->given_frames[first].block.name);
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, place_of(&c->vehicle->given_frames[first], "relative_to"),
                          "frames move against each other in a circle: %s; one of them must move against A",
                          (const char *)chain);
}

// The frame that a given one moves against; -1 with an error.
static int find_base(kane_compiler *c, const kane_given_frame *d)
{
    const int given = find_given(c, d->relative);
    if (!d->relative)
        return kane_compile_frame_in_A(c->model);
    if (given >= 0)
        return given;
    const kane_place place = place_of(d, "relative_to");
    if (!c->model->track && kane_names_find(kane_compile_body_names(c), d->relative) >= 0) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "a frame of a mechanism moves against A or another frame, and '%s' is a body",
                              d->relative);
        return -1;
    }
    if (!c->model->track) {
        (void)kane_names_resolve(given_names(c), "frame", d->relative, place, c->errors);
        return -1;
    }
    const int i = kane_names_resolve(c->holders, "body or frame", d->relative, place, c->errors);
    return i >= 0 ? c->model->bodies[i].track_frame : -1;
}

// Joint of a given frame in the drawing; 0 with an error.
static int set_hinge(kane_compiler *c, const kane_given_frame *d, kane_hinge *hinge)
{
    const int before = c->errors->count;
    *hinge           = (kane_hinge){.joint = d->joint, .parent = -1};
    if (d->joint->kind == KANE_JOINT_SPHERICAL) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->joint->block, "type", -1),
                              "a frame cannot move by a spherical joint, whose coordinates no function of time gives; "
                              "use a free one with three turns");
        return 0;
    }
    if (d->joint->from.marker || d->joint->to.marker) {
        add_frame_error(c, d, NULL, "the joint of a frame is given by its point and axes, not by markers");
        return 0;
    }
    kane_compile_check_joint(c, d->joint);
    (void)kane_compile_attachment(c, &d->joint->from, -1, "the frame", place_of(d, "at"), &hinge->from);
    (void)kane_compile_attachment(c, &d->joint->to, -1, "the frame", place_of(d, "at"), &hinge->to);
    return c->errors->count == before;
}

// Its link, behind those that it needs; 1 if it is done.
static int add_link(kane_compiler *c, int i, char *state)
{
    kane_model *model         = c->model;
    const kane_given_frame *d = &c->vehicle->given_frames[i];
    kane_frame *frame         = &model->frames[1 + i];
    if (state[i] == BUSY)
        report_circle(c, i);
    if (state[i] != NEW)
        return state[i] == DONE;
    state[i] = BUSY;
    if (!d->joint == !d->motion || (d->motion && d->relative)) {
        add_frame_error(c, d, NULL,
                        d->motion ? "a frame that moves by a user-defined function moves against A, and by nothing else"
                                  : "neither a joint nor a function says how the frame moves");
        state[i] = BAD;
        return 0;
    }
    const int base = d->motion ? 1 + i : find_base(c, d);
    if (base < 0 || (d->joint && !set_hinge(c, d, &c->frame_hinges[i])) ||
        (d->joint && model->frames[base].kind == KANE_FRAME_GIVEN && !add_link(c, base - 1, state))) {
        state[i] = BAD;
        return 0;
    }
    if (d->joint) {
        frame->carrier                    = model->frames[base].carrier;
        frame->link                       = model->carried.link_count++;
        model->carried_frame[frame->link] = 1 + i;
        kane_compile_frame_link(c, base, 1 + i);
    }
    state[i] = DONE;
    return 1;
}

// User functions may lack a derivative: place, velocity and acceleration must be finite at the start.
static void check_start(kane_compiler *c)
{
    const kane_model *model = c->model;
    kane_transport *frames  = kane_arena_alloc(model->arena, (size_t)model->frame_count, sizeof *frames);
    if (!frames || !kane_compile_frames_at_start(model, model->arena, frames))
        return;
    for (int i = 0; i < c->vehicle->given_frame_count; i++) {
        const kane_transport *T = &frames[1 + i];
        const double place      = kv3_norm(T->R.x) + kv3_norm(T->R.y) + kv3_norm(T->R.z) + kv3_norm(T->r_o);
        const double speed = kv3_norm(T->v_o) + kv3_norm(T->omega), growth = kv3_norm(T->a_o) + kv3_norm(T->epsilon);
        if (isfinite(place) && isfinite(speed) && isfinite(growth))
            continue;
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, place_of(&c->vehicle->given_frames[i], NULL),
            "the %s of '%s' is not finite at the start; functions that frames move by need a value and "
            "two derivatives",
            !isfinite(place)   ? "place"
            : !isfinite(speed) ? "velocity"
                               : "acceleration",
            model->frames[1 + i].name);
    }
}

void kane_compile_given_frames(kane_compiler *c)
{
    const int before     = c->errors->count;
    kane_model *model    = c->model;
    const size_t count   = (size_t)c->vehicle->given_frame_count;
    char *state          = kane_arena_alloc(model->arena, count, sizeof *state);
    c->frame_hinges      = kane_arena_alloc(model->arena, count, sizeof *c->frame_hinges);
    model->carried_frame = kane_arena_alloc(model->arena, count, sizeof *model->carried_frame);
    model->carried.links = kane_arena_alloc(model->arena, count, sizeof *model->carried.links);
    if (!state || !c->frame_hinges || !model->carried_frame || !model->carried.links)
        return;
    for (int i = 0; i < c->vehicle->given_frame_count; i++)
        (void)add_link(c, i, state);
    if (count > 0 && c->errors->count == before && !kane_arena_failed(model->arena))
        check_start(c);
}

// --- frames as they are drawn, and at the start ---

// r_o: drawn origin, axes parallel to the drawing.
kane_transport kane_compile_drawn_frame(const kane_model *model, int f)
{
    kane_transport T = kane_transport_rest();
    T.r_o            = model->frames[f].drawn;
    return T;
}

int kane_compile_frames_at_start(const kane_model *model, kane_arena *arena, kane_transport *frames)
{
    kane_carried work;
    if (!kane_carried_create(model, arena, &work))
        return 0;
    for (int f = 0; f < model->frame_count; f++) {
        frames[f] = kane_compile_drawn_frame(model, f);
        if (model->frames[f].motion)
            model->frames[f].motion(model->frames[f].data, 0.0, &frames[f]);
    }
    kane_carried_move(model, 0.0, frames, &work);
    return 1;
}
