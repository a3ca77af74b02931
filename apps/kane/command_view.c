// SPDX-License-Identifier: MIT
// kane view: a page that shows runs.

#include <kane/view.h>

#include "app.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { CASES_MOST = 100000 };

typedef struct arguments {
    app_texts results;
    const char *output, *title, *page;
    app_texts channels;
    int case_count;
    int *cases; // [CASES_MOST]
} arguments;

// "4-8" -> 4 5 6 7 8
static void take_cases(const app_option *option, char *text, void *all, struct argp_state *state)
{
    arguments *a = all;
    (void)option;
    char *end;
    const long from = strtol(text, &end, 10);
    const char *to  = *end == '-' ? end + 1 : text;
    const long last = strtol(to, &end, 10);
    if (end == to || *end || from < 1 || last < from || last - from >= CASES_MOST - a->case_count)
        argp_error(state, "--cases: '%s' is no list of cases such as 1,4-8 (at most %d)", text, (int)CASES_MOST);
    for (long i = from; i <= last; i++)
        a->cases[a->case_count++] = (int)i;
}

static const app_option options[] = {
    {"output", 'o', "FILE.html", 0, "page to write", APP_TEXT(output)},
    {"channels", 'c', "A,B,...", APP_LIST,
     "channels whose curves it can draw, with * and ? (default: all that were recorded)", APP_TEXTS(channels)},
    {"cases", 'n', "LIST", APP_LIST, "of a study: cases whose runs come along, 1,4-8 (default: all that were kept)",
     APP_OWN(take_cases)},
    {"title", 't', "TEXT", 0, "title (default: vehicle and run)", APP_TEXT(title)},
    {"page", 'p', "FILE", 0, "page to put the data into, instead of the one that came with kane", APP_TEXT(page)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->results.count == 0)
        argp_error(state, "which results?");
    if (!a->output)
        argp_error(state, "which page? --output=FILE.html");
}

static int show_study(const arguments *a, kane_view_settings *settings, kane_errors *errors)
{
    kane_view_report report;
    char size[32];
    if (a->results.count > 1) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s is a study, and a study has a page of its own",
                        kane_view_is_study(a->results.texts[0]) ? a->results.texts[0] : a->results.texts[1]);
        return app_fail(errors);
    }
    settings->case_count = a->case_count;
    settings->cases      = a->cases;
    if (kane_view_write_study(a->results.texts[0], settings, a->output, &report, errors) != KANE_OK)
        return app_fail(errors);
    (void)printf("%s: %d rows, %d runs, %s\n", a->output, report.cases, report.runs,
                 app_write_size(report.bytes, sizeof size, size));
    if (report.missing[0][0])
        (void)fprintf(stderr, "%s: nothing in 3-D: %s\n", a->results.texts[0], report.missing[0]);
    return EXIT_DONE;
}

int command_view(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(
        options, "RESULTS...\nSTUDY", NULL, results, KANE_VIEW_RUNS_MOST, check_arguments,
        "Writes one page that shows runs in a browser, without network: curves of their channels, and the "
        "vehicle on its track. Several runs are laid over each other. Of the directory of a study: its table "
        "as map and curves, and the runs that were kept.");
    static int cases[CASES_MOST];
    arguments a        = {.cases = cases};
    kane_errors errors = {0};
    static kane_view_report report;
    static char page[4160];
    char size[32];
    app_parse(&command, argc, argv, &a);

    if (!a.page && !app_find_page(sizeof page, page, &errors))
        return app_fail(&errors);
    kane_view_settings settings = {.page          = a.page ? a.page : page,
                                   .title         = a.title,
                                   .pattern_count = a.channels.count,
                                   .patterns      = a.channels.texts};
    int studies                 = 0;
    for (int i = 0; i < a.results.count; i++)
        studies += kane_view_is_study(a.results.texts[i]);
    if (studies > 0)
        return show_study(&a, &settings, &errors);
    if (a.case_count > 0) {
        kane_errors_add(&errors, KANE_BAD_ARGUMENT, "--cases is of a study, which %s is not", a.results.texts[0]);
        return app_fail(&errors);
    }
    if (kane_view_write(a.results.count, a.results.texts, &settings, a.output, &report, &errors) != KANE_OK)
        return app_fail(&errors);
    (void)printf("%s: %d channels, %lld values, %s\n", a.output, report.channels, report.samples,
                 app_write_size(report.bytes, sizeof size, size));
    for (int i = 0; i < a.results.count; i++)
        if (report.missing[i][0])
            (void)fprintf(stderr, "%s: curves alone, nothing in 3-D: %s\n", a.results.texts[i], report.missing[i]);
    return EXIT_DONE;
}

// === The page that came with kane.

int app_find_page(size_t size, char *file, kane_errors *errors)
{
    if (app_find_shared("view/page.html", size, file))
        return 1;
    kane_errors_add(errors, KANE_NO_FILE,
                    "the page for runs is not there: kane was built without it, because npm was missing or could not "
                    "reach its registry; with both, build again (docs/view.md), or name a page by --page");
    return 0;
}

const char *app_write_size(long long bytes, size_t size, char *text)
{
    const int is_small = bytes < 1000000;
    (void)snprintf(text, size, is_small ? "%.0f kB" : "%.1f MB", (is_small ? 1e-3 : 1e-6) * (double)bytes);
    return text;
}
