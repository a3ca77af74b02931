// SPDX-License-Identifier: MIT
// Can bodies be in equilibrium in frames with a given motion? The frames may move, but these must be constant:
//   of a frame with bodies: a_o, omega, epsilon, and gravity in axes of the frame, R' g
//       (a turntable that rotates steadily about the vertical, a car with constant acceleration)
//   of two frames that an element or constraint joins: their relative pose
//
// They are compared with those at t = 0 at MOMENTS, which have no period in common, and at and between the points of
// tables.

#include "simulate/equilibrium.h"

#include "base/text.h"

static const double MOMENTS[] = {0.0917, 0.3, 0.771, 1.93, 4.37, 9.73, 23.1, 57.9}; // [s]
static const double SAME      = 1e-9;                                               // of sizes of one

enum { MOMENT_COUNT = sizeof MOMENTS / sizeof *MOMENTS };

typedef struct frame_check {
    const kane_model *model;
    kane_work *work;
    kane_transport *now, *then; // of all frames: at the start, and at the time of comparison
    char *why;                  // what changes
    size_t size;
} frame_check;

static const char *frame_name(const kane_model *model, int f)
{
    switch (model->frames[f].kind) {
    case KANE_FRAME_REST: return "A";
    case KANE_FRAME_TRACK:
    case KANE_FRAME_SECTION: return "the track";
    case KANE_FRAME_GIVEN: break;
    }
    return model->frames[f].name;
}

static int vectors_differ(kane_vec3 a, kane_vec3 b)
{
    return !(kv3_norm(kv3_sub(a, b)) <= SAME * (1.0 + kv3_norm(a)));
}

// What has changed in a frame since the start, in words; NULL: nothing that acts on its bodies.
static const char *frame_change(const frame_check *c, int f)
{
    const kane_transport *a = &c->now[f], *b = &c->then[f];
    const kane_vec3 g = c->work->gravity;
    if (vectors_differ(a->a_o, b->a_o))
        return "its acceleration changes";
    if (vectors_differ(a->omega, b->omega) || vectors_differ(a->epsilon, b->epsilon))
        return "its turning changes";
    return vectors_differ(km3_tmulv(a->R, g), km3_tmulv(b->R, g)) ? "gravity turns in it" : NULL;
}

static int is_frame_steady(const frame_check *c, int f, const char *body)
{
    const char *what = c->model->frames[f].kind == KANE_FRAME_GIVEN ? frame_change(c, f) : NULL;
    kane_text text   = kane_text_start(c->size, c->why);
    if (what)
        kane_text_add(&text, "'%s' is in the frame '%s', and %s", body, frame_name(c->model, f), what);
    return !what;
}

// 1: the pose of frame g relative to frame f is that of the start, also while the vehicle travels; what: the element
// that joins them.
static int is_relative_pose_constant(const frame_check *c, int f, int g, const char *what)
{
    const kane_frame *frames = c->model->frames;
    const kane_transport *a = c->now, *b = c->then;
    const int parts        = (frames[f].carrier >= 0) != (frames[g].carrier >= 0) && c->work->v != 0.0;
    const kane_mat3 before = km3_tmul(a[f].R, a[g].R), after = km3_tmul(b[f].R, b[g].R);
    const int moves =
        vectors_differ(before.x, after.x) || vectors_differ(before.y, after.y) ||
        vectors_differ(km3_tmulv(a[f].R, kv3_sub(a[g].r_o, a[f].r_o)), km3_tmulv(b[f].R, kv3_sub(b[g].r_o, b[f].r_o)));
    const int are_given = frames[f].kind == KANE_FRAME_GIVEN || frames[g].kind == KANE_FRAME_GIVEN;
    kane_text text      = kane_text_start(c->size, c->why);
    if (f == g || !are_given || !(parts || moves))
        return 1;
    kane_text_add(&text, "'%s' joins %s and %s, which move against each other", what, frame_name(c->model, f),
                  frame_name(c->model, g));
    return 0;
}

static int is_model_steady(const frame_check *c)
{
    const kane_model *model = c->model;
    for (int j = 0; j < model->body_count; j++)
        if (!is_frame_steady(c, model->bodies[j].track_frame, model->bodies[j].name))
            return 0;
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        if (!is_relative_pose_constant(c, element->a.frame, element->b.frame, element->name))
            return 0;
    }
    for (int k = 0; k < model->closure_count; k++) {
        const kane_constraint_row_set *closure = &model->closures[k];
        if (closure->term_count == 0 &&
            !is_relative_pose_constant(c, closure->side[0].frame, closure->side[1].frame, closure->name))
            return 0;
    }
    return 1;
}

static int is_steady_at(const frame_check *c, double t)
{
    kane_frames_given(c->model, c->work, t, c->then);
    return is_model_steady(c);
}

// At and between the points of the tables that frames move by.
static int is_steady_in_tables(const frame_check *c)
{
    const kane_tree *tree = &c->model->carried;
    for (int i = 0; i < tree->link_count; i++)
        for (int k = 0; k < tree->links[i].step_count; k++) {
            const kane_line_function *line_function = tree->links[i].step[k].function;
            const kane_function *f = line_function && line_function->spline ? &line_function->function : NULL;
            for (int n = 0; f && n < f->count; n++)
                if (!is_steady_at(c, f->x[n]) || !is_steady_at(c, 0.5 * (f->x[n] + f->x[n + (n + 1 < f->count)])))
                    return 0;
        }
    return 1;
}

// 1: a body of a moving frame is described in A, where it cannot be at rest.
static int is_described_in_A(const frame_check *c)
{
    const kane_model *model = c->model;
    kane_text text          = kane_text_start(c->size, c->why);
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body   = &model->bodies[j];
        const kane_transport *T = &c->now[body->track_frame];
        if (body->frame == body->track_frame || model->frames[body->track_frame].kind != KANE_FRAME_GIVEN ||
            kv3_norm(T->v_o) + kv3_norm(T->omega) == 0.0)
            continue;
        kane_text_add(&text, "in fixed axes '%s' does not rest in its frame '%s'; choose the moving formulation",
                      body->name, frame_name(model, body->track_frame));
        return 1;
    }
    return 0;
}

int kane_search_check_frames(const kane_search *s, kane_errors *errors)
{
    const kane_model *model = s->model;
    const size_t frames     = (size_t)model->frame_count;
    char why[400];
    frame_check c = {.model = model, .work = s->work, .why = why, .size = sizeof why};
    int any       = 0;
    for (int f = 0; f < model->frame_count; f++)
        any |= model->frames[f].kind == KANE_FRAME_GIVEN;
    if (!any)
        return 1;
    c.now  = kane_arena_alloc(s->arena, frames, sizeof *c.now);
    c.then = kane_arena_alloc(s->arena, frames, sizeof *c.then);
    if (!c.now || !c.then) {
        (void)kane_no_memory(errors);
        return 0;
    }
    kane_frames_eval(model, s->work, 0.0, s->y);
    kane_frames_given(model, s->work, 0.0, c.now);
    int good = !is_described_in_A(&c) && is_steady_in_tables(&c);
    for (int i = 0; i < MOMENT_COUNT && good; i++)
        good = is_steady_at(&c, MOMENTS[i]);
    if (!good)
        kane_errors_add(errors, KANE_BAD_INPUT, "there is no equilibrium: %s", why);
    return good;
}
