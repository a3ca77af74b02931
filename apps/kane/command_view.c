// SPDX-License-Identifier: MIT
// kane view: a page that shows runs.

#include "app.h"

#include <kane/view.h>

#include "base/text.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

// share/kane/view/page.html beside the directory that the program is in, where it was built as where it is installed. 0: not
// there.
static int find_page(size_t size, char *file)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return 0;
    program[length] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (!slash)
            return 0;
        *slash = '\0';
    }
    return snprintf(file, size, "%s/share/kane/view/page.html", program) < (int)size && access(file, R_OK) == 0;
}

static const char *write_size(long long bytes, size_t size, char *text)
{
    (void)snprintf(text, size, bytes < 1000000 ? "%.0f kB" : "%.1f MB",
                   bytes < 1000000 ? 1e-3 * (double)bytes : 1e-6 * (double)bytes);
    return text;
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

    if (!a.page && !find_page(sizeof page, page)) {
        kane_errors_add(
            &errors, KANE_NO_FILE,
            "the page for runs is not there: kane was built without it, because npm was missing or could not "
            "reach its registry; with both, build again (docs/view.md), or name a page by --page");
        return app_fail(&errors);
    }
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
                 write_size(report.bytes, sizeof size, size));
    for (int i = 0; i < a.count; i++)
        if (report.missing[i][0])
            (void)fprintf(stderr, "%s: curves alone, nothing in 3-D: %s\n", a.results[i], report.missing[i]);
    return EXIT_DONE;
}
