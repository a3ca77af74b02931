// SPDX-License-Identifier: MIT
// Which loops have a closed form: planar ones of three joints, gears, and those of user-defined formulas.

#include "tree/rows.h"

// Axes count as parallel, or square to each other, within this.
static const double same_direction = 1e-9;

enum { TRIANGLE = 3 }; // joints of a planar loop

static int link_depth(const kane_tree *tree, int link)
{
    int count = 0;
    for (; link >= 0; link = tree->links[link].parent)
        count++;
    return count;
}

// The last common carrier of both sides (docs/mechanisms.md, section 5: the apex); -1: the frame.
static int find_common_link(const kane_tree *tree, int a, int b)
{
    while (a != b) {
        if (link_depth(tree, a) >= link_depth(tree, b))
            a = tree->links[a].parent;
        else
            b = tree->links[b].parent;
    }
    return a;
}

// Adds the moving steps between a side's link and the apex; returns NULL, or why the loop has no closed form.
static const char *list_moving_steps(const kane_tree *tree, int link, int end, int side, kane_closed *out)
{
    for (; link != end; link = tree->links[link].parent) {
        const kane_link *l = &tree->links[link];
        if (l->kind != KANE_LINK_STEPS)
            return "has a joint that is neither a turn nor a slide";
        if (l->on_axle || l->is_spinning)
            return "has a joint on an axle that spins";
        for (int k = 0; k < l->step_count; k++) {
            const kane_step *step = &l->step[k];
            if (step->mode == KANE_STEP_HELD)
                continue;
            if (out->step_count == TRIANGLE)
                return "has more than three coordinates";
            out->step[out->step_count++] = (kane_closed_step){.link     = link,
                                                              .side     = side,
                                                              .order    = 8 * link_depth(tree, link) + k,
                                                              .is_slide = k < l->slide_count,
                                                              .axis     = step->axis,
                                                              .q        = step->q,
                                                              .v        = step->mode == KANE_STEP_FREE ? step->v : -1};
        }
    }
    return NULL;
}

// Axis of a step, frame axes, at the placed position.
static kane_vec3 step_direction(const kane_tree *tree, const kane_closed_step *step, const kane_tree_work *work)
{
    const kane_link *l = &tree->links[step->link];
    if (step->v >= 0)
        return step->is_slide ? work->axis[step->v].l : work->axis[step->v].e;
    const kane_mat3 A = l->parent < 0 ? l->seat_R : km3_mul(work->link[l->parent].R, l->seat_R);
    return step->axis == 0 ? A.x : step->axis == 1 ? A.y : A.z; // the only turn of its joint, or a slide
}

// All turns about one direction, all slides perpendicular to it.
static int is_planar(const kane_tree *tree, const kane_closed *c, const kane_tree_work *work)
{
    const kane_closed_step *turn = NULL;
    for (int i = 0; i < c->step_count; i++)
        if (!c->step[i].is_slide)
            turn = &c->step[i];
    const kane_vec3 n = turn ? step_direction(tree, turn, work) : kv3_zero();
    for (int i = 0; i < c->step_count; i++) {
        const kane_vec3 d = step_direction(tree, &c->step[i], work);
        const double miss = c->step[i].is_slide ? fabs(kv3_dot(n, d)) : kv3_norm(kv3_cross(n, d));
        if (!(miss <= same_direction))
            return 0;
    }
    return turn != NULL;
}

// Tests the loop at one position, coordinates 0.1 + 0.01 k.
static const char *check_plane(const kane_tree *tree, const kane_closed *c)
{
    kane_arena *arena = kane_arena_create();
    kane_tree_work work;
    const char *why = "cannot be checked without memory";
    if (arena && kane_tree_work_create(tree, arena, &work)) {
        for (int k = 0; k < tree->q_count; k++)
            work.q[k] = 0.1 + 0.01 * k;
        kane_tree_place(tree, (kane_links){0, tree->link_count}, &work);
        why = is_planar(tree, c, &work) ? NULL : "does not lie in a plane";
    }
    kane_arena_free(arena);
    return why;
}

// Whether no turn is between a slide and the apex.
static int slides_at_rest(const kane_closed *c, const kane_closed_step *slide)
{
    for (int i = 0; i < c->step_count; i++)
        if (!c->step[i].is_slide && c->step[i].side == slide->side && c->step[i].order < slide->order)
            return 0;
    return 1;
}

// Number and kind of steps for the closed form that is named.
static const char *check_kind(const kane_closed *c, kane_closed_form form)
{
    const kane_closed_step *slide = NULL;
    int slides                    = 0;
    for (int i = 0; i < c->step_count; i++)
        if (c->step[i].is_slide) {
            slide = &c->step[i];
            slides++;
        }
    if (c->step_count < TRIANGLE)
        return "has fewer than three coordinates";
    if (form == KANE_CLOSED_FOUR_BAR)
        return slides == 0 ? NULL : "has a sliding joint";
    if (slides != 1)
        return "does not have one sliding joint and two hinges";
    if (form == KANE_CLOSED_SLIDER_CRANK)
        return slides_at_rest(c, slide) ? NULL : "has a slide that turns";
    return slides_at_rest(c, slide) ? "has a slide that does not turn" : NULL;
}

// The step of a coordinate in a relation; NULL, or why it has none.
static const char *find_term_step(const kane_tree *tree, const kane_term *term, int index, kane_closed_step *out)
{
    const kane_link *l = &tree->links[term->link];
    if (!kane_link_has_steps(l))
        return "has a coordinate that is not that of a joint";
    if (l->on_axle || l->is_spinning)
        return "has a joint on an axle that spins";
    const kane_step *step = &l->step[term->coordinate];
    const int v           = step->mode == KANE_STEP_FREE ? step->v : -1;
    *out                  = (kane_closed_step){.link = term->link, .side = index, .q = step->q, .v = v};
    return NULL;
}

static const char *recognise_gear(const kane_tree *tree, const kane_constraint_row_set *closure, kane_closed *out)
{
    const char *why = NULL;
    if (closure->kind != KANE_CONSTRAINT_LINEAR || closure->term_count != 2)
        return "is not a linear relation of two coordinates";
    for (int i = 0; i < 2 && !why; i++)
        why = closure->term[i].factor == 0.0 ? "has a factor of zero"
                                             : find_term_step(tree, &closure->term[i], i, &out->step[i]);
    out->step_count = 2;
    return why;
}

// Its coordinates differ, and dependent ones are not given over time.
static const char *recognise_formula(const kane_tree *tree, const kane_constraint_row_set *closure, kane_closed *out)
{
    const kane_closed_formula *formula = closure->formula;
    const char *why                    = NULL;
    out->step_count                    = formula->term_count;
    for (int i = 0; i < formula->term_count && !why; i++) {
        why = find_term_step(tree, &formula->term[i], i, &out->step[i]);
        if (!why && i < formula->kind->dependents && out->step[i].v < 0)
            why = "has a dependent coordinate that is prescribed";
        for (int k = 0; k < i && !why; k++)
            why = out->step[k].q == out->step[i].q ? "names a coordinate twice" : NULL;
    }
    return why;
}

static const char *recognise_loop(const kane_tree *tree, const kane_constraint_row_set *closure, kane_closed *out)
{
    const int a = closure->side[0].link, b = closure->side[1].link;
    if (closure->kind != KANE_CONSTRAINT_SPHERICAL && closure->kind != KANE_CONSTRAINT_REVOLUTE)
        return "is not closed by a hinge";
    if (closure->side[0].frame != closure->side[1].frame)
        return "joins two frames";
    if (kane_constraint_row_set_has_box(closure))
        return "is closed on an axle box";
    const int end   = find_common_link(tree, a, b);
    const char *why = list_moving_steps(tree, a, end, 0, out);
    if (!why)
        why = list_moving_steps(tree, b, end, 1, out);
    if (!why)
        why = check_kind(out, closure->closed);
    return why ? why : check_plane(tree, out);
}

// In the order of kane_closed_form.
static const char *(*const recognise[])(const kane_tree *, const kane_constraint_row_set *, kane_closed *) = {
    NULL, recognise_loop, recognise_loop, recognise_loop, recognise_gear, recognise_formula};

const char *kane_closed_recognise(const kane_tree *tree, const kane_constraint_row_set *closure, kane_closed *out)
{
    *out = (kane_closed){.closure = closure};
    const char *why =
        recognise[closure->closed] ? recognise[closure->closed](tree, closure, out) : "has no closed form";
    out->recognised = !why;
    return why;
}
