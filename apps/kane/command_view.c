// SPDX-License-Identifier: MIT
// kane view: a page that shows runs.

#include "app.h"
#include "view_page.h"

#include <kane/view.h>

#include "base/text.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

enum { PATTERNS_MOST = 256 };

typedef struct arguments {
    const char *results[KANE_VIEW_RUNS_MOST];
    int count;
    const char *output, *title, *page, *channels;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE.html", 0, "page to write", 0},
    {"channels", 'c', "A,B,...", 0, "channels whose curves it can draw, with * and ? (default: all that were recorded)",
     0},
    {"title", 't', "TEXT", 0, "title (default: vehicle and run)", 0},
    {"page", 'p', "FILE", 0, "page to put the data into, instead of the one that came with kane", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'o': a->output = value; break;
    case 'c': a->channels = value; break;
    case 't': a->title = value; break;
    case 'p': a->page = value; break;
    case ARGP_KEY_ARG:
        if (a->count >= KANE_VIEW_RUNS_MOST)
            argp_error(state, "at most %d results at a time", (int)KANE_VIEW_RUNS_MOST);
        a->results[a->count++] = value;
        break;
    case ARGP_KEY_END:
        if (a->count == 0)
            argp_error(state, "which results?");
        if (!a->output)
            argp_error(state, "which page? --output=FILE.html");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int command_view(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        "RESULTS...",
        "Writes one page that shows runs in a browser, without network: curves of their channels, "
        "and the vehicle on its track. Several runs are laid over each other.",
        NULL,
        NULL,
        NULL};
    arguments a        = {0};
    kane_errors errors = {0};
    kane_view_report report;
    char page[4160], list[8192], size[32];
    const char *patterns[PATTERNS_MOST];
    app_parse(&argp, argc, argv, &a);

    if (!a.page && !app_find_page(sizeof page, page, &errors))
        return app_fail(&errors);
    kane_view_settings settings = {.page = a.page ? a.page : page, .title = a.title, .patterns = patterns};
    kane_text_copy(sizeof list, list, a.channels);
    for (char *rest = list, *pattern; (pattern = strtok_r(rest, ",", &rest)) != NULL;) {
        if (settings.pattern_count >= PATTERNS_MOST) {
            kane_errors_add(&errors, KANE_BAD_ARGUMENT, "more than %d patterns of channels", (int)PATTERNS_MOST);
            return app_fail(&errors);
        }
        patterns[settings.pattern_count++] = pattern;
    }
    if (kane_view_write(a.count, a.results, &settings, a.output, &report, &errors) != KANE_OK)
        return app_fail(&errors);
    (void)printf("%s: %d channels, %lld values, %s\n", a.output, report.channels, report.samples,
                 app_write_size(report.bytes, sizeof size, size));
    for (int i = 0; i < a.count; i++)
        if (report.missing[i][0])
            (void)fprintf(stderr, "%s: curves alone, nothing in 3-D: %s\n", a.results[i], report.missing[i]);
    return EXIT_DONE;
}
