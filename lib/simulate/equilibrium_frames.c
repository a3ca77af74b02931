// SPDX-License-Identifier: MIT
// Whether frames with a given motion leave room for an equilibrium: they may move, but nothing that their bodies feel may
// change. Of a body that is the frame's own acceleration, its turning, and gravity as the frame sees it (a turntable turns
// steadily about the vertical, a car speeds up evenly); of an element or constraint between two frames, where one is from the
// other.
//
// Functions of time are looked at: at moments that no period has in common, and at and between the points of tables.

#include "simulate/equilibrium.h"

#include "base/text.h"

static const double MOMENTS[] = {0.0917, 0.3, 0.771, 1.93, 4.37, 9.73, 23.1, 57.9}; // [s]
static const double SAME      = 1e-9;                                               // of sizes of one

enum { MOMENT_COUNT = sizeof MOMENTS / sizeof *MOMENTS };

typedef struct looker {
    const kane_model *model;
    kane_work *work;
    kane_transport *now, *then; // of all frames: at the start, and at the moment that is looked at
    char *why;                  // what changes
    size_t size;
} looker;

static const char *name_of(const kane_model *model, int f)
{
    switch (model->frames[f].kind) {
    case KANE_FRAME_REST: return "A";
    case KANE_FRAME_TRACK:
    case KANE_FRAME_SECTION: return "the track";
    case KANE_FRAME_GIVEN: break;
    }
    return model->frames[f].name;
}

static int differ(kane_vec3 a, kane_vec3 b)
{
    return !(kv3_norm(kv3_sub(a, b)) <= SAME * (1.0 + kv3_norm(a)));
}

// What bodies in a frame feel of it; NULL: the same as at the start.
static const char *changes(const looker *l, int f)
{
    const kane_transport *a = &l->now[f], *b = &l->then[f];
    const kane_vec3 g = l->work->gravity;
    if (differ(a->a_o, b->a_o))
        return "its acceleration changes";
    if (differ(a->omega, b->omega) || differ(a->epsilon, b->epsilon))
        return "its turning changes";
    return differ(km3_tmulv(a->R, g), km3_tmulv(b->R, g)) ? "gravity turns in it" : NULL;
}

static int stays(const looker *l, int f, const char *body)
{
    const char *what = l->model->frames[f].kind == KANE_FRAME_GIVEN ? changes(l, f) : NULL;
    kane_text text   = kane_text_start(l->size, l->why);
    if (what)
        kane_text_add(&text, "'%s' is in the frame '%s', and %s", body, name_of(l->model, f), what);
    return !what;
}

// Whether one frame is always at the same place of another, also while the vehicle goes on along the line.
static int stay_together(const looker *l, int f, int g, const char *what)
{
    const kane_frame *frames = l->model->frames;
    const kane_transport *a = l->now, *b = l->then;
    const int parts        = (frames[f].carrier >= 0) != (frames[g].carrier >= 0) && l->work->v != 0.0;
    const kane_mat3 before = km3_tmul(a[f].R, a[g].R), after = km3_tmul(b[f].R, b[g].R);
    const int moves =
        differ(before.x, after.x) || differ(before.y, after.y) ||
        differ(km3_tmulv(a[f].R, kv3_sub(a[g].r_o, a[f].r_o)), km3_tmulv(b[f].R, kv3_sub(b[g].r_o, b[f].r_o)));
    const int are_given = frames[f].kind == KANE_FRAME_GIVEN || frames[g].kind == KANE_FRAME_GIVEN;
    kane_text text      = kane_text_start(l->size, l->why);
    if (f == g || !are_given || !(parts || moves))
        return 1;
    kane_text_add(&text, "'%s' joins %s and %s, which move against each other", what, name_of(l->model, f),
                  name_of(l->model, g));
    return 0;
}

static int is_steady_then(const looker *l)
{
    const kane_model *model = l->model;
    for (int j = 0; j < model->body_count; j++)
        if (!stays(l, model->bodies[j].track_frame, model->bodies[j].name))
            return 0;
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        if (!stay_together(l, element->a.frame, element->b.frame, element->name))
            return 0;
    }
    for (int k = 0; k < model->closure_count; k++) {
        const kane_constraint_row_set *closure = &model->closures[k];
        if (closure->term_count == 0 &&
            !stay_together(l, closure->side[0].frame, closure->side[1].frame, closure->name))
            return 0;
    }
    return 1;
}

static int is_steady_at(const looker *l, double t)
{
    kane_frames_given(l->model, l->work, t, l->then);
    return is_steady_then(l);
}

// At and between the points of the tables that frames move by.
static int is_steady_in_tables(const looker *l)
{
    const kane_tree *tree = &l->model->carried;
    for (int i = 0; i < tree->link_count; i++)
        for (int k = 0; k < tree->links[i].step_count; k++) {
            const kane_line_function *line_function = tree->links[i].step[k].function;
            const kane_function *f = line_function && line_function->spline ? &line_function->function : NULL;
            for (int n = 0; f && n < f->count; n++)
                if (!is_steady_at(l, f->x[n]) || !is_steady_at(l, 0.5 * (f->x[n] + f->x[n + (n + 1 < f->count)])))
                    return 0;
        }
    return 1;
}

// In A nothing rests that goes along with a frame.
static int is_described_in_A(const looker *l)
{
    const kane_model *model = l->model;
    kane_text text          = kane_text_start(l->size, l->why);
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body   = &model->bodies[j];
        const kane_transport *T = &l->now[body->track_frame];
        if (body->frame == body->track_frame || model->frames[body->track_frame].kind != KANE_FRAME_GIVEN ||
            kv3_norm(T->v_o) + kv3_norm(T->omega) == 0.0)
            continue;
        kane_text_add(&text, "in fixed axes '%s' does not rest in its frame '%s'; choose the moving formulation",
                      body->name, name_of(model, body->track_frame));
        return 1;
    }
    return 0;
}

int kane_search_check_frames(const kane_search *s, kane_errors *errors)
{
    const kane_model *model = s->model;
    const size_t frames     = (size_t)model->frame_count;
    char why[400];
    looker l = {.model = model, .work = s->work, .why = why, .size = sizeof why};
    int any  = 0;
    for (int f = 0; f < model->frame_count; f++)
        any |= model->frames[f].kind == KANE_FRAME_GIVEN;
    if (!any)
        return 1;
    l.now  = kane_arena_alloc(s->arena, frames, sizeof *l.now);
    l.then = kane_arena_alloc(s->arena, frames, sizeof *l.then);
    if (!l.now || !l.then) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return 0;
    }
    kane_frames_eval(model, s->work, 0.0, s->y);
    kane_frames_given(model, s->work, 0.0, l.now);
    int good = !is_described_in_A(&l) && is_steady_in_tables(&l);
    for (int i = 0; i < MOMENT_COUNT && good; i++)
        good = is_steady_at(&l, MOMENTS[i]);
    if (!good)
        kane_errors_add(errors, KANE_BAD_INPUT, "there is no equilibrium: %s", why);
    return good;
}
