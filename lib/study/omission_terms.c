// SPDX-License-Identifier: MIT
// The imaginary terms that a study leaves out one after the other.

#include "study/omission_terms.h"

#include <stdio.h>
#include <string.h>

enum { TERM_SIZE = 256, PER_BODY = 21 + 10, OF_ALL = 10 }; // 7 terms with 3 axes; those whole, 2 kinds, everything

typedef struct list {
    kane_arena *arena;
    int count;
    const char **texts;
} list;

static void add(list *l, const char *body, const char *kind, const char *term, const char *axis)
{
    char text[TERM_SIZE];
    (void)snprintf(text, sizeof text, "%s:%s.%s.%s", body, kind, term, axis);
    l->texts[l->count++] = kane_arena_text(l->arena, text);
}

// The imaginary force of translation acts at the mass centre and has no torque.
static int exists(kane_wrench_kind kind, kane_imaginary_term term)
{
    return kind == KANE_FORCE || term != KANE_TRANSLATION;
}

// Every term of `body` with each of the axes.
static void add_terms(list *l, const char *body, int axis_count, const char *const *axes)
{
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
            for (int i = 0; i < axis_count && exists((kane_wrench_kind)kind, (kane_imaginary_term)term); i++)
                add(l, body, kane_wrench_kind_name((kane_wrench_kind)kind),
                    kane_imaginary_term_name((kane_imaginary_term)term), axes[i]);
}

static void add_wholes(list *l, const char *body)
{
    add_terms(l, body, 1, (const char *const[]){"*"});
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        add(l, body, kane_wrench_kind_name((kane_wrench_kind)kind), "*", "*");
    add(l, body, "*", "*", "*");
}

int kane_omission_terms_all(kane_arena *arena, int body_count, const char *const *bodies, kane_omission_terms *terms)
{
    const char *const axes[] = {kane_axis_name(0), kane_axis_name(1), kane_axis_name(2)};
    const size_t room        = (size_t)body_count * PER_BODY + OF_ALL;
    list l                   = {.arena = arena, .texts = kane_arena_alloc(arena, room, sizeof *l.texts)};
    if (!l.texts)
        return 0;
    for (int j = 0; j < body_count; j++) {
        add_terms(&l, bodies[j], 3, axes);
        add_wholes(&l, bodies[j]);
    }
    if (body_count > 1)
        add_wholes(&l, "*");
    *terms = (kane_omission_terms){l.count, l.texts};
    return !kane_arena_failed(arena);
}

int kane_omission_channels(const char *what, const char *term, size_t size, char *pattern)
{
    const char *colon = strrchr(term, ':');
    if (!colon)
        return 0;
    const int length = snprintf(pattern, size, "%s.%.*s.%s", what, (int)(colon - term), term, colon + 1);
    return length > 0 && (size_t)length < size;
}
