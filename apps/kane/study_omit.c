// SPDX-License-Identifier: MIT
// kane study omit: what does leaving out an imaginary term do?

#include "studies.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ACCELERATIONS_MOST = 64, THREADS_MOST = 1024 };

typedef struct arguments {
    const char *file, *omit, *directory;
    double accelerations[ACCELERATIONS_MOST];
    int acceleration_count, threads;
    app_texts settings, responses;
} arguments;

static const struct argp_option options[] = {
    {"omit", 'x', "BODY:KIND.TERM.AXIS", 0, "imaginary term to leave out; any part may be *", 0},
    {"accelerations", 'a', "A,B,...", 0, "constant accelerations in m/s^2 (default 0)", 0},
    {"response", 'r', "CHANNEL", 0, "channel to compare (default: yaw of the body); may be given several times", 0},
    {"set", 's', "PATH=VALUE", 0, "change a value of the run, vehicle.PATH or track.PATH", 0},
    {"threads", 'j', "N", 0, "runs at a time (default: one for each processor)", 0},
    {"output", 'o', "DIR", 0, "directory for pictures, table and series", 0},
    {0},
};

static void parse_accelerations(arguments *a, const char *text, struct argp_state *state)
{
    a->acceleration_count = 0;
    for (const char *at = text; *at;) {
        char *end;
        if (a->acceleration_count == ACCELERATIONS_MOST)
            argp_error(state, "more than %d accelerations", ACCELERATIONS_MOST);
        a->accelerations[a->acceleration_count++] = strtod(at, &end);
        if (end == at || (*end && *end != ','))
            argp_error(state, "'%s' is not a list of accelerations such as -1,-0.5,0,0.5,1", text);
        at = *end ? end + 1 : end;
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    char *end;
    long threads;
    switch (key) {
    case 'x': a->omit = value; break;
    case 'a': parse_accelerations(a, value, state); break;
    case 'r': app_collect(&a->responses, value, state); break;
    case 's': app_collect(&a->settings, value, state); break;
    case 'j':
        threads    = strtol(value, &end, 10);
        a->threads = (int)threads;
        if (*end || threads < 1 || threads > THREADS_MOST)
            argp_error(state, "'%s' is not a number of threads", value);
        break;
    case 'o': a->directory = value; break;
    case ARGP_KEY_ARG:
        if (!a->file)
            a->file = value;
        else
            argp_error(state, "one run file at a time");
        break;
    case ARGP_KEY_END:
        if (!a->file || !a->omit || !a->directory)
            argp_error(state, "a study needs a run file, --omit and --output");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print(const kane_omission_report *report)
{
    (void)printf("%12s  %-20s %14s %12s %14s %14s %14s\n", "a [m/s^2]", "response", "difference", "at [m]", "rms",
                 "range", "omitted term");
    for (int i = 0; i < kane_omission_report_count(report); i++) {
        const kane_omission_effect *e = kane_omission_report_effect(report, i);
        (void)printf("%12g  %-20s %14.6g %12.2f %14.6g %14.6g %14.6g\n", e->acceleration, e->response, e->difference,
                     e->at, e->rms, e->range, e->omitted);
    }
}

int study_omit(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        "RUN.json",
        "Carries out a run with and without an imaginary term, once for every acceleration, draws the "
        "omitted term and the responses against distance (complete solid, omitting dashed) and writes "
        "the differences as a table.",
        NULL,
        NULL,
        NULL};
    arguments a        = {.acceleration_count = 1};
    kane_errors errors = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    const kane_run_options how = {.settings = a.settings.texts};
    kane_run *run              = kane_run_read(a.file, &how, &errors);
    if (!run)
        return app_fail(&errors);
    if (!kane_run_get_definition(run)->track) {
        kane_errors_add(&errors, KANE_BAD_INPUT,
                        "%s: a mechanism has no moving frame, and so no imaginary forces to omit", a.file);
        kane_run_free(run);
        return app_fail(&errors);
    }
    const kane_omission_study study = {.run                = kane_run_get_definition(run),
                                       .omit               = a.omit,
                                       .acceleration_count = a.acceleration_count,
                                       .accelerations      = a.accelerations,
                                       .response_count     = a.responses.count,
                                       .responses          = a.responses.texts,
                                       .threads            = a.threads,
                                       .directory          = a.directory};
    kane_omission_report *report    = kane_study_omission(&study, &errors);
    kane_run_free(run);
    if (!report)
        return app_fail(&errors);
    print(report);
    (void)fprintf(stderr, "pictures, table and series are in %s\n", a.directory);
    kane_omission_report_free(report);
    return EXIT_DONE;
}
