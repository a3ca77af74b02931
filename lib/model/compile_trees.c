// SPDX-License-Identifier: MIT
// Trees of joined bodies: their order, parents first and every tree in one piece, and the frame that each one shares.

#include "model/compile.h"

// A body and all that hang on it, in the order of the definition.
static void add(kane_compiler *c, int body, int root)
{
    kane_model *model        = c->model;
    const int link           = model->tree.link_count++;
    model->link_body[link]   = body;
    model->bodies[body].link = link;
    if (body != root) {
        kane_body *b         = &model->bodies[body];
        const kane_body *top = &model->bodies[root];
        b->frame             = top->frame;
        b->track_frame       = top->track_frame;
        b->level_frame       = top->track_frame;
        b->origin            = kv3_sub(b->position, c->model->frames[top->track_frame].drawn);
    }
    for (int j = 0; j < c->vehicle->body_count; j++)
        if (c->hinges[j].parent == body)
            add(c, j, root);
}

// A joined body stands in the frame of what it hangs on.
static void check_frame(kane_compiler *c, int body, int own_frame)
{
    const kane_body_definition *d = &c->vehicle->bodies[body];
    const kane_body *b            = &c->model->bodies[body];
    const char *key               = d->frame                                                 ? "frame"
                                    : d->frame_offset[0] != 0.0 || d->frame_offset[1] != 0.0 ? "frame_offset"
                                                                                             : NULL;
    if (key && c->hinges[body].parent >= 0 && b->link >= 0 && b->track_frame != own_frame)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&d->block, key, -1),
                              "'%s' hangs on '%s' and shares its frame; leave \"%s\" out", d->block.name,
                              c->vehicle->bodies[c->hinges[body].parent].block.name, key);
}

// Bodies that hang on each other in a circle, as text: 'a' on 'b' on 'a'.
static void report_circle(kane_compiler *c, int body)
{
    // from anywhere on the way into the circle first get onto it
    int first = body;
    for (int i = 0; i < c->vehicle->body_count; i++)
        first = c->hinges[first].parent;
    int smallest = first;
    for (int at = c->hinges[first].parent; at != first; at = c->hinges[at].parent)
        smallest = at < smallest ? at : smallest;
    if (body != smallest) // once is enough
        return;
    char chain[320];
    kane_text text = kane_text_start(sizeof chain, chain);
    int at         = body;
    do {
        kane_text_add(&text, "'%s' on ", c->vehicle->bodies[at].block.name);
        at = c->hinges[at].parent;
    } while (at != body);
    kane_text_add(&text, "'%s'", c->vehicle->bodies[body].block.name);
    kane_errors_add_input(
        c->errors, KANE_BAD_INPUT, kane_block_place(&c->hinges[body].joint->block, "parent", -1),
        "bodies hang on each other in a circle: %s; a loop is a tree of joints closed by a constraint", chain);
}

void kane_compile_trees(kane_compiler *c)
{
    kane_model *model      = c->model;
    const size_t count     = (size_t)c->vehicle->body_count;
    model->tree.link_count = 0;
    model->link_body       = kane_arena_alloc(model->arena, 2 * count, sizeof *model->link_body); // and panels of track
    model->tree.links      = kane_arena_alloc(model->arena, 2 * count, sizeof *model->tree.links);
    int *own_frame         = kane_arena_alloc(model->arena, count, sizeof *own_frame);
    if (!model->link_body || !model->tree.links || !own_frame || !c->hinges)
        return;
    int unknown = 0;
    for (int j = 0; j < c->vehicle->body_count; j++) {
        own_frame[j] = model->bodies[j].track_frame;
        unknown |= c->hinges[j].parent == KANE_NOWHERE;
    }
    for (int j = 0; j < c->vehicle->body_count; j++) {
        model->bodies[j].alone = !c->hinges[j].joined;
        if (c->hinges[j].parent == -1)
            add(c, j, j);
    }
    for (int j = 0; j < c->vehicle->body_count; j++) {
        check_frame(c, j, own_frame[j]);
        if (c->hinges[j].joined && model->bodies[j].link < 0 && !unknown)
            report_circle(c, j);
    }
}
