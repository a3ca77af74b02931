// SPDX-License-Identifier: MIT
// Profiles as data: made, copied, compared, drawn.

#include "profile/profile.h"
#include "profile/curve.h"

#include <math.h>
#include <string.h>

const kane_profile *kane_profile_s1002(void)
{
    static const kane_profile s1002 = {
        .kind = KANE_PROFILE_WHEEL, .shape = KANE_SHAPE_S1002, .name = "S1002", .place = {"", 0, 0, ""}};
    return &s1002;
}

const kane_profile *kane_profile_60e1(void)
{
    static const kane_profile rail = {
        .kind = KANE_PROFILE_RAIL, .shape = KANE_SHAPE_60E1, .name = "60E1", .place = {"", 0, 0, ""}};
    return &rail;
}

kane_profile kane_profile_cone(double conicity)
{
    return (kane_profile){.kind     = KANE_PROFILE_WHEEL,
                          .shape    = KANE_SHAPE_CONE,
                          .conicity = conicity,
                          .name     = "cone",
                          .place    = {"", 0, 0, ""}};
}

kane_profile kane_profile_arc(double radius, double conicity)
{
    return (kane_profile){.kind     = KANE_PROFILE_WHEEL,
                          .shape    = KANE_SHAPE_ARC,
                          .conicity = conicity,
                          .radius   = radius,
                          .name     = "arc",
                          .place    = {"", 0, 0, ""}};
}

kane_profile kane_profile_round(double radius)
{
    return (kane_profile){.kind   = KANE_PROFILE_RAIL,
                          .shape  = KANE_SHAPE_ROUND,
                          .radius = radius,
                          .name   = "round",
                          .place  = {"", 0, 0, ""}};
}

const char *kane_profile_noun(kane_profile_kind kind)
{
    return kind == KANE_PROFILE_WHEEL ? "a wheel" : "a rail";
}

double kane_profile_flange_to_circle(const kane_profile *p)
{
    return p->flange_to_circle != 0.0 ? p->flange_to_circle : 0.07;
}

static void *copy_of(kane_arena *arena, const void *from, int count, size_t size)
{
    void *to = from ? kane_arena_alloc(arena, (size_t)count, size) : NULL;
    if (to)
        memcpy(to, from, (size_t)count * size);
    return to;
}

static const kane_profile_piece *copy_pieces(kane_arena *arena, const kane_profile *p)
{
    kane_profile_piece *pieces = copy_of(arena, p->pieces, p->count, sizeof *p->pieces);
    for (int i = 0; pieces && i < p->count; i++) {
        pieces[i].place.file = kane_arena_text(arena, pieces[i].place.file ? pieces[i].place.file : "");
        pieces[i].place.path = kane_arena_text(arena, pieces[i].place.path ? pieces[i].place.path : "");
    }
    return pieces;
}

const kane_profile *kane_profile_copy(kane_arena *arena, const kane_profile *p)
{
    kane_profile *c = kane_arena_alloc(arena, 1, sizeof *c);
    if (!c)
        return NULL;
    *c            = *p;
    c->y          = copy_of(arena, p->y, p->count, sizeof *p->y);
    c->z          = copy_of(arena, p->z, p->count, sizeof *p->z);
    c->weight     = copy_of(arena, p->weight, p->count, sizeof *p->weight);
    c->line       = copy_of(arena, p->line, p->count, sizeof *p->line);
    c->pieces     = copy_pieces(arena, p);
    c->name       = p->name ? kane_arena_text(arena, p->name) : NULL;
    c->place.file = kane_arena_text(arena, p->place.file ? p->place.file : "");
    c->place.path = kane_arena_text(arena, p->place.path ? p->place.path : "");
    return kane_arena_failed(arena) ? NULL : c;
}

static int same_numbers(const double *a, const double *b, int count)
{
    if (a == b)
        return 1;
    for (int i = 0; a && b && i < count; i++)
        if (a[i] != b[i])
            return 0;
    return a && b;
}

static int same_pieces(const kane_profile *a, const kane_profile *b)
{
    if (a->count != b->count || a->from != b->from || a->to != b->to)
        return 0;
    for (int i = 0; i < a->count; i++) {
        const kane_profile_piece *p = &a->pieces[i], *q = &b->pieces[i];
        if (p->radius != q->radius || p->y != q->y || p->z != q->z || p->angle != q->angle)
            return 0;
    }
    return 1;
}

int kane_profile_same(const kane_profile *a, const kane_profile *b)
{
    if (a == b)
        return 1;
    if (a->kind != b->kind || a->shape != b->shape || a->inclined != b->inclined || a->slice != b->slice ||
        kane_profile_flange_to_circle(a) != kane_profile_flange_to_circle(b))
        return 0;
    switch (a->shape) {
    case KANE_SHAPE_S1002:
    case KANE_SHAPE_60E1: return 1;
    case KANE_SHAPE_CONE: return a->conicity == b->conicity;
    case KANE_SHAPE_ARC: return a->conicity == b->conicity && a->radius == b->radius;
    case KANE_SHAPE_ROUND: return a->radius == b->radius;
    case KANE_SHAPE_PIECES: return same_pieces(a, b);
    case KANE_SHAPE_POINTS: break;
    }
    return a->count == b->count && a->smoothing == b->smoothing && same_numbers(a->y, b->y, a->count) &&
           same_numbers(a->z, b->z, a->count) && same_numbers(a->weight, b->weight, a->count);
}

kane_status kane_profile_draw(const kane_profile *profile, int count, double *y, double *z)
{
    form f;
    if (count < 2)
        return KANE_BAD_ARGUMENT;
    kane_arena *arena = kane_arena_create();
    const int made    = arena && kane_form_init(&f, profile, arena);
    for (int i = 0; made && i < count; i++) {
        const curve_point p = kane_form_at(&f, f.first + (f.last - f.first) * i / (count - 1.0));
        y[i]                = p.y;
        z[i]                = p.z;
    }
    kane_arena_free(arena);
    return made ? KANE_OK : KANE_NO_MEMORY;
}

int kane_profile_kinks(const kane_profile *p, double angle, kane_errors *remarks)
{
    form f;
    int count = 0;
    if (p->shape != KANE_SHAPE_POINTS)
        return 0;
    kane_arena *arena = kane_arena_create();
    if (!arena || !kane_form_init(&f, p, arena)) {
        kane_arena_free(arena);
        return -1;
    }
    for (int i = 1; i + 1 < p->count; i++) {
        const curve_point a = kane_form_at(&f, f.curve.knots[i - 1]), b = kane_form_at(&f, f.curve.knots[i]),
                          c = kane_form_at(&f, f.curve.knots[i + 1]);
        const double y0 = b.y - a.y, z0 = b.z - a.z, y1 = c.y - b.y, z1 = c.z - b.z;
        const double turn = atan2(y0 * z1 - z0 * y1, y0 * y1 + z0 * z1);
        if (fabs(turn) <= angle)
            continue;
        const kane_place place = {p->place.file, p->line ? p->line[i] : p->place.line, 1, ""};
        count++;
        kane_errors_add_input(remarks, KANE_OK, place,
                              "the profile has a kink of %.3g degrees at y = %.4g mm, z = %.4g mm; contact there is "
                              "that of an edge (smoothing would round it)",
                              fabs(turn) * 57.295779513082323, 1e3 * b.y, 1e3 * b.z);
    }
    kane_arena_free(arena);
    return count;
}
