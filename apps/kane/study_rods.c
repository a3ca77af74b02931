// SPDX-License-Identifier: MIT
// kane study rods: what do approximations of the inertia of removed rods cost, and what do they save?

#include "plan_options.h"
#include "studies.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 4096 };

typedef struct numbers {
    int count;
    double values[KANE_ROD_STEPS_MOST];
} numbers;

typedef struct arguments {
    const char *file;
    app_texts settings;
    plan_options plan;
    numbers steps, factors;
    double time;
} arguments;

static const struct argp_option options[] = {
    {"steps", 'H', "H,H,...", 0, "lengths of the steps (default 1e-4,2e-4,5e-4,1e-3 s)", 0},
    {"factors", 'f', "F,F,...", 0, "masses of all rods, as multiples of their own (default 0,0.5,1,2,3)", 0},
    {"time", 't', "TIME", 0, "how long (default: as the run says)", 0},
    {"set", 's', "PATH=VALUE", 0, "change a value of the run, mechanism.PATH, vehicle.PATH or track.PATH", 0},
    {0},
};

// Numbers between commas, in that unit.
static void take_numbers(const char *text, const char *unit, const char *what, numbers *list, struct argp_state *state)
{
    char copy[TEXT];
    if (strlen(text) >= sizeof copy)
        argp_error(state, "the list of %s is too long", what);
    memcpy(copy, text, strlen(text) + 1);
    list->count = 0;
    for (char *at = copy; at;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        if (list->count == (int)(sizeof list->values / sizeof *list->values))
            argp_error(state, "more than %d %s", list->count, what);
        list->values[list->count++] = app_take_quantity(at, unit, state);
        at                          = comma ? comma + 1 : NULL;
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->plan; break;
    case 'H': take_numbers(value, "s", "steps", &a->steps, state); break;
    case 'f': take_numbers(value, "1", "factors", &a->factors, state); break;
    case 't': a->time = app_take_positive(value, "time", "s", state); break;
    case 's': app_collect(&a->settings, value, state); break;
    default: return app_take_file(key, value, state, "run file", &a->file);
    }
    return 0;
}

int study_rods(int argc, char **argv)
{
    const struct argp_child children[] = {{&plan_options_argp, 0, NULL, 0}, {0}};
    const struct argp argp             = {
                    options,
                    parse,
                    "RUN.json",
                    "Integrates a run whose mechanism or vehicle has rods with mass by rk4, with their exact inertia and with each of its "
                                "approximations: coupling or all of it extrapolated from earlier steps by a point, a line or a parabola. Compares the "
                                "accelerations over steps and masses of the rods, and the processor time: tables, and pictures of the errors.",
                    children,
                    NULL,
                    NULL};
    arguments a        = {.file = NULL};
    kane_errors errors = {0};
    int complete       = 0;
    app_parse(&argp, argc, argv, &a);

    const kane_run_options common = {.settings = a.settings.texts};
    const kane_rod_study study    = {.file         = a.file,
                                     .common       = &common,
                                     .step_count   = a.steps.count,
                                     .steps        = a.steps.values,
                                     .factor_count = a.factors.count,
                                     .factors      = a.factors.values,
                                     .time         = a.time,
                                     .execution    = plan_options_begin(&a.plan)};
    const kane_status status      = kane_study_rods(&study, &complete, &errors);
    const exit_code code          = plan_options_end(&a.plan, status, &errors);
    if (complete) {
        study_print(a.plan.directory, "rods.txt");
        (void)fprintf(stderr, "tables and pictures are in %s\n", a.plan.directory);
    }
    return code;
}
