// SPDX-License-Identifier: MIT
// kane study transitions: what do the shapes of transition curves do to a vehicle?

#include "studies.h"
#include "transition_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPES_MOST = 64, SECTIONS_MOST = 64, TEXT = 4096 };

typedef struct arguments {
    transition_options run;
    plan_options plan;
    char names[TEXT]; // shapes, one terminated text after the other
    int shape_count, section_count;
    const char *shapes[SHAPES_MOST];
    int sections[SECTIONS_MOST];
} arguments;

static const struct argp_option options[] = {
    {"shapes", 'f', "A,B,...", 0,
     "shapes to compare (default: all): clothoid, parabola, cosine, sine, bloss, helmert, wiener, wiener:HEIGHT, "
     "polynomial1, polynomial3, ..., or DIR/result.json of \"kane study optimise\"",
     0},
    {"section", 'n', "N", 0,
     "transition of the track that takes the shapes, counting from 0 as sections[N] (default: all); may be given "
     "several times",
     0},
    {0},
};

static void take_shapes(arguments *a, const char *text, struct argp_state *state)
{
    if (strlen(text) >= sizeof a->names)
        argp_error(state, "the list of shapes is too long");
    memcpy(a->names, text, strlen(text) + 1);
    a->shape_count = 0;
    for (char *at = a->names; at;) {
        if (a->shape_count == SHAPES_MOST)
            argp_error(state, "more than %d shapes", SHAPES_MOST);
        a->shapes[a->shape_count++] = at;
        char *comma                 = strchr(at, ',');
        if (comma)
            *comma = '\0';
        at = comma ? comma + 1 : NULL;
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->run;
        state->child_inputs[1] = &a->plan;
        break;
    case 'f': take_shapes(a, value, state); break;
    case 'n':
        if (a->section_count == SECTIONS_MOST)
            argp_error(state, "more than %d sections", SECTIONS_MOST);
        a->sections[a->section_count++] = transition_take_count(value, 0, 1000000, "section", state);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int study_transitions(int argc, char **argv)
{
    const struct argp_child children[] = {
        {&transition_options_argp, 0, NULL, 0}, {&plan_options_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        options,
        parse,
        "RUN.json",
        "Carries out a run once for every shape of its transitions, which keep their lengths and lead to the same "
        "curves, and compares the criteria: a table, and pictures of the shapes, the responses and the criteria.",
        children,
        NULL,
        NULL};
    arguments a        = {.shape_count = 0};
    kane_errors errors = {0};
    int complete       = 0;
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    const kane_run_options common     = {.settings = a.run.settings.texts, .omit = a.run.omissions.texts};
    const kane_transition_study study = {.file            = a.run.file,
                                         .common          = &common,
                                         .section_count   = a.section_count,
                                         .sections        = a.sections,
                                         .shape_count     = a.shape_count,
                                         .shapes          = a.shapes,
                                         .criterion_count = a.run.criteria.count,
                                         .criteria        = a.run.criteria.texts,
                                         .execution       = plan_options_begin(&a.plan)};
    const kane_status status          = kane_study_transitions(&study, &complete, &errors);
    const exit_code code              = plan_options_end(&a.plan, status, &errors);
    if (complete) {
        transition_print(a.plan.directory, "transitions.txt");
        (void)fprintf(stderr, "table and pictures are in %s\n", a.plan.directory);
    }
    return code;
}
