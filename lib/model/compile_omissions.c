// SPDX-License-Identifier: MIT
// Omissions of imaginary terms: BODY:KIND.TERM.AXIS, any part may be "*"; BODY may be a pattern as of file names, too.
// Of a deformable body BODY:mode.TERM.K, K the number of the mode.

#include "model/compile.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { PARTS = 4, PART_SIZE = 96 };

// Cuts "body:torque.rotation.z" into its four parts; the name of a body may hold anything. Returns 0 if it is not one.
static int split_omission(const char *text, char part[PARTS][PART_SIZE])
{
    const char *colon = strrchr(text, ':');
    if (!colon || (size_t)(colon - text) >= PART_SIZE)
        return 0;
    memcpy(part[0], text, (size_t)(colon - text));
    part[0][colon - text] = '\0';

    const char *from = colon + 1;
    for (int i = 1; i < PARTS; i++) {
        const char *to      = strchr(from, '.');
        const size_t length = to ? (size_t)(to - from) : strlen(from);
        if ((to == NULL) != (i == PARTS - 1) || length == 0 || length >= PART_SIZE)
            return 0;
        memcpy(part[i], from, length);
        part[i][length] = '\0';
        from            = to ? to + 1 : from;
    }
    return 1;
}

static int is_name_match(const char *part, const char *name)
{
    return strcmp(part, "*") == 0 || strcmp(part, name) == 0;
}

// A rod with mass, which is a body that has been removed.
static int is_rod(const kane_compiler *c, int closure, const char *part)
{
    return c->model->closures[closure].rod.mass > 0.0 && kane_name_matches(part, c->model->closures[closure].name);
}

// Whether one of the frames that a rod is described in moves.
static int rod_moves(const kane_compiler *c, int closure)
{
    int moves = 0;
    for (int i = 0; i < 2; i++) {
        const int body = c->sides[KANE_SIDES_MOST * closure + i].body;
        moves |= body >= 0 && c->model->frames[c->model->bodies[body].track_frame].kind != KANE_FRAME_REST;
    }
    return moves;
}

// No body that is meant is an error with the names that are known.
static int check_bodies(kane_compiler *c, const kane_omission *o, const char *part)
{
    for (int k = 0; k < c->model->closure_count; k++)
        if (is_rod(c, k, part))
            return 1;
    for (int j = 0; j < c->vehicle->body_count; j++)
        if (kane_name_matches(part, c->vehicle->bodies[j].block.name))
            return 1;
    return kane_names_resolve(kane_compile_body_names(c), "body", part, o->place, c->errors) >= 0;
}

// An unknown part is an error with the names that are known.
static int check_part(kane_compiler *c, const kane_omission *o, const char *what, const char *part, kane_names names)
{
    if (strcmp(part, "*") == 0)
        return 1;
    return kane_names_resolve(names, what, part, o->place, c->errors) >= 0;
}

// The inertial force of the frame's own acceleration acts at the mass centre: it has no torque.
static int is_nothing(const char *kind, const char *term)
{
    return strcmp(kind, kane_wrench_kind_name(KANE_TORQUE)) == 0 &&
           strcmp(term, kane_imaginary_term_name(KANE_TRANSLATION)) == 0;
}

static kane_names make_names(const char *const *first, int count)
{
    return (kane_names){first, count, sizeof *first};
}

// The number of a mode among those of its body, from 1 on.
static int number_of(const kane_compiler *c, const kane_body *mode)
{
    int number = 1;
    while (mode - number >= c->model->bodies && mode[-number].part == KANE_PART_MODE &&
           mode[-number].part_of == mode->part_of)
        number++;
    return number;
}

static int is_mode(const kane_compiler *c, const kane_body *body, const char *of, const char *number)
{
    char text[16];
    if (body->part != KANE_PART_MODE || !kane_name_matches(of, c->model->bodies[body->part_of].name))
        return 0;
    (void)snprintf(text, sizeof text, "%d", number_of(c, body));
    return is_name_match(number, text);
}

static int check_mode(kane_compiler *c, const kane_omission *o, const char *of, const char *number)
{
    for (int j = 0; j < c->model->body_count; j++)
        if (is_mode(c, &c->model->bodies[j], of, number))
            return 1;
    kane_errors_add_input(c->errors, KANE_BAD_INPUT, o->place,
                          "'%s' has no mode %s: modes of flexible bodies count from 1", of, number);
    return 0;
}

// The force of a mode is stored in place of the force of bodies along x.
static void omit_mode(kane_compiler *c, kane_body *body, char part[PARTS][PART_SIZE], const char *const *terms)
{
    if (!is_name_match(part[1], "mode") || !is_mode(c, body, part[0], part[3]))
        return;
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
        if (is_name_match(part[2], terms[term]))
            body->keep[KANE_FORCE][term].x = 0.0;
}

// Those of a body that are meant.
static void omit_terms(char part[PARTS][PART_SIZE], const char *const *kinds, const char *const *terms,
                       kane_vec3 keep[KANE_WRENCH_KINDS][KANE_IMAGINARY_TERMS])
{
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS && is_name_match(part[1], kinds[kind]); term++) {
            kane_vec3 *k = &keep[kind][term];
            if (is_name_match(part[2], terms[term]))
                *k = kv3(is_name_match(part[3], "x") ? 0.0 : k->x, is_name_match(part[3], "y") ? 0.0 : k->y,
                         is_name_match(part[3], "z") ? 0.0 : k->z);
        }
}

// Of forces the literature's names, too: Euler force alpha x r m, Coriolis force 2 omega x v m.
static void translate_names(char part[PARTS][PART_SIZE])
{
    const int is_force = strcmp(part[1], kane_wrench_kind_name(KANE_FORCE)) == 0;
    kane_imaginary_term term;
    if (is_force && strcmp(part[2], "euler") == 0)
        term = KANE_ROTATION;
    else if (is_force && strcmp(part[2], "coriolis") == 0)
        term = KANE_GYROSCOPIC;
    else
        return;
    (void)snprintf(part[2], PART_SIZE, "%s", kane_imaginary_term_name(term));
}

static void apply_omission(kane_compiler *c, const kane_omission *o)
{
    const char *kinds[KANE_WRENCH_KINDS + 1], *terms[KANE_IMAGINARY_TERMS], *axes[3];
    char part[PARTS][PART_SIZE];
    for (int i = 0; i < KANE_WRENCH_KINDS; i++)
        kinds[i] = kane_wrench_kind_name((kane_wrench_kind)i);
    kinds[KANE_WRENCH_KINDS] = "mode";
    for (int i = 0; i < KANE_IMAGINARY_TERMS; i++)
        terms[i] = kane_imaginary_term_name((kane_imaginary_term)i);
    for (int i = 0; i < 3; i++)
        axes[i] = kane_axis_name(i);

    if (!split_omission(o->text, part)) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, o->place,
                              "'%s' is not BODY:KIND.TERM.AXIS, such as body:torque.rotation.z or *:force.*.y",
                              o->text);
        return;
    }
    translate_names(part);
    const int is_modal = strcmp(part[1], "mode") == 0;
    if (!check_bodies(c, o, part[0]) || !check_part(c, o, "kind", part[1], make_names(kinds, KANE_WRENCH_KINDS + 1)) ||
        !check_part(c, o, "imaginary term", part[2], make_names(terms, KANE_IMAGINARY_TERMS)) ||
        (is_modal ? !check_mode(c, o, part[0], part[3]) : !check_part(c, o, "axis", part[3], make_names(axes, 3))))
        return;
    if (is_nothing(part[1], part[2])) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, o->place,
                              "there is no torque of translation: the imaginary force of translation acts at the mass "
                              "centre");
        return;
    }

    int moving = 0;
    for (int j = 0; j < c->model->body_count; j++) {
        kane_body *body = &c->model->bodies[j];
        moving |= kane_name_matches(part[0], body->name) && c->model->frames[body->track_frame].kind != KANE_FRAME_REST;
        omit_mode(c, body, part, terms);
        if (body->part == KANE_PART_NONE && kane_name_matches(part[0], body->name))
            omit_terms(part, kinds, terms, body->keep);
    }
    for (int k = 0; k < c->model->closure_count; k++)
        if (is_rod(c, k, part[0])) {
            moving |= rod_moves(c, k);
            omit_terms(part, kinds, terms, c->model->closures[k].rod.keep.term);
        }
    if (!moving)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, o->place,
                              "'%s' is described in A, and no imaginary forces act on it: they do on bodies in frames "
                              "that move",
                              part[0]);
}

static void keep_all(kane_vec3 keep[KANE_WRENCH_KINDS][KANE_IMAGINARY_TERMS])
{
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
            keep[kind][term] = kv3(1.0, 1.0, 1.0);
}

void kane_compile_omissions(kane_compiler *c)
{
    for (int j = 0; j < c->model->body_count; j++)
        keep_all(c->model->bodies[j].keep);
    for (int k = 0; k < c->model->closure_count; k++)
        keep_all(c->model->closures[k].rod.keep.term);

    if (c->options->omission_count > 0 && c->model->formulation == KANE_FIXED) {
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, c->options->omissions[0].place,
                              "in the fixed formulation there are no imaginary terms to omit; use the moving one");
        return;
    }
    for (int i = 0; i < c->options->omission_count; i++)
        apply_omission(c, &c->options->omissions[i]);
}
