// SPDX-License-Identifier: MIT
// Markers: chains of "relative to" become places in the drawing.

#include "model/compile.h"

#include <string.h>

// How far from orthonormal axes may be: what is left of angles that were typed in degrees.
static const double square = 1e-9;

// Largest deviation of A'A from the identity; that of a left-handed set is 2 at least.
static double rotation_defect(kane_mat3 A)
{
    const kane_mat3 d = km3_sub(km3_tmul(A, A), km3_identity());
    const double turn = kv3_dot(A.x, kv3_cross(A.y, A.z));
    return fmax(fmax(kv3_norm(d.x), kv3_norm(d.y)), fmax(kv3_norm(d.z), fabs(1.0 - turn)));
}

int kane_compile_axes(kane_compiler *c, kane_mat3 typed, kane_place place, kane_mat3 *axes)
{
    const double skew = rotation_defect(typed);
    *axes             = kane_compile_has_axes(typed) ? typed : km3_identity();
    if (!kane_compile_has_axes(typed) || skew <= square)
        return 1;
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                          "axes are no rotation: they must be of unit length, square to each other and right-handed "
                          "(off by %.2g)",
                          skew);
    return 0;
}

static kane_names marker_names(const kane_compiler *c)
{
    return (kane_names){c->vehicle->markers, c->vehicle->marker_count, sizeof *c->vehicle->markers};
}

// "the frame", "the frame 'deck'" or "'crank'".
static void name_holder(const kane_compiler *c, int holder, size_t size, char *text)
{
    kane_text t     = kane_text_start(size, text);
    const int frame = kane_compile_held_frame(holder);
    if (frame >= 0)
        kane_text_add(&t, "the frame '%s'", c->model->frames[frame].name);
    else if (holder < 0)
        kane_text_add(&t, "the frame");
    else
        kane_text_add(&t, "'%s'", c->vehicle->bodies[holder].block.name);
}

// The marker that one refers to; -1: the drawing, -2 with an error.
static int find_relative(kane_compiler *c, const kane_marker_definition *d)
{
    if (!d->relative)
        return -1;
    const int next = kane_names_resolve(marker_names(c), "marker", d->relative,
                                        kane_block_place(&d->block, "relative_to", -1), c->errors);
    return next < 0 ? -2 : next;
}

// Markers that refer to each other in a circle, as text: 'a' -> 'b' -> 'a'.
static void report_circle(kane_compiler *c, int first)
{
    char chain[320];
    kane_text text = kane_text_start(sizeof chain, chain);
    int at         = first;
    do {
        kane_text_add(&text, "'%s' -> ", c->vehicle->markers[at].block.name);
        at = kane_names_find(marker_names(c), c->vehicle->markers[at].relative);
    } while (at != first && at >= 0);
    kane_text_add(&text, "'%s'", c->vehicle->markers[first].block.name);
    kane_errors_add_input(
        c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->markers[first].block, "relative_to", -1),
        "markers refer to each other in a circle: %s; one of them needs its place in the drawing", chain);
}

enum { NEW, BUSY, DONE, BAD };

// Fills a marker and all that it refers to; state[]: NEW .. BAD. Returns 1 if it is done.
static int place_marker(kane_compiler *c, int i, char *state)
{
    const kane_marker_definition *d = &c->vehicle->markers[i];
    kane_drawn *drawn               = &c->markers[i];
    if (state[i] == BUSY)
        report_circle(c, i);
    if (state[i] != NEW)
        return state[i] == DONE;
    state[i]              = BUSY;
    const int next        = find_relative(c, d);
    const int has_place   = next == -1 || (next >= 0 && place_marker(c, next, state));
    drawn->body           = kane_compile_holder(c, d->on, kane_block_place(&d->block, "on", -1));
    const int is_rotation = kane_compile_axes(c, d->axes, kane_block_place(&d->block, "axes", -1), &drawn->axes);
    drawn->at             = d->position;
    if (!has_place || !is_rotation || drawn->body == KANE_NOWHERE) {
        drawn->body = KANE_NOWHERE;
        state[i]    = BAD;
        return 0;
    }
    if (next >= 0) {
        const kane_drawn *other = &c->markers[next];
        drawn->at               = kv3_add(other->at, km3_mulv(other->axes, d->position));
        drawn->axes             = km3_mul(other->axes, drawn->axes);
    }
    state[i] = DONE;
    return 1;
}

void kane_compile_markers(kane_compiler *c)
{
    const int count = c->vehicle->marker_count;
    c->markers      = kane_arena_alloc(c->model->arena, (size_t)count, sizeof *c->markers);
    char *state     = kane_arena_alloc(c->model->arena, (size_t)count, sizeof *state);
    if (!c->markers || !state)
        return;
    for (int i = 0; i < count; i++) {
        const kane_block *block = &c->vehicle->markers[i].block;
        if (kane_names_find(marker_names(c), block->name) < i)
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(block, NULL, -1),
                                  "there are two markers called '%s'", block->name);
        (void)place_marker(c, i, state);
    }
}

// Whether what is on one holder can be held by another: "the frame" without a name is any one.
static int is_holder_compatible(int marker, int holder)
{
    return marker == holder || (marker < 0 && holder < 0 && (marker == -1 || holder == -1));
}

const kane_drawn *kane_compile_marker(kane_compiler *c, const char *name, int holder, const char *what,
                                      kane_place place)
{
    const int i = kane_names_resolve(marker_names(c), "marker", name, place, c->errors);
    if (i < 0 || !c->markers)
        return NULL;
    if (c->markers[i].body == KANE_NOWHERE) // has been reported
        return NULL;
    if (!is_holder_compatible(c->markers[i].body, holder)) {
        char is[80], must[80];
        name_holder(c, c->markers[i].body, sizeof is, is);
        name_holder(c, holder, sizeof must, must);
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "marker '%s' is on %s; %s needs one on %s", name, is,
                              what, must);
        return NULL;
    }
    return &c->markers[i];
}

int kane_compile_attachment(kane_compiler *c, const kane_attachment *typed, int holder, const char *what,
                            kane_place place, kane_drawn *drawn)
{
    *drawn = (kane_drawn){.body = holder, .at = typed->at, .axes = km3_identity()};
    if (!typed->marker)
        return kane_compile_axes(c, typed->axes, place, &drawn->axes);
    const kane_drawn *marker = kane_compile_marker(c, typed->marker, holder, what, place);
    if (!marker)
        return 0;
    *drawn = *marker;
    if (marker->body == -1)
        drawn->body = holder;
    return 1;
}
