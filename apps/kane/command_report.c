// SPDX-License-Identifier: MIT
// kane report: runs as EN 14363 and UIC 518 want them, on one page.

#define _DEFAULT_SOURCE // realpath

#include "app.h"
#include "base/number.h"

#include <kane/report.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESULTS_MOST = 64 };

typedef struct arguments {
    app_texts results;
    int check;
    const char *output, *title, *pdf;
    kane_report_options how;
} arguments;

static const app_option options[] = {
    {"output", 'o', "FILE.html", 0, "page to write", APP_TEXT(output)},
    {"pdf", 0, "FILE.pdf", 0, "the page as PDF too, by Chromium where that is installed", APP_TEXT(pdf)},
    {"title", 't', "TEXT", 0, "title (default: the names of the results)", APP_TEXT(title)},
    {"deficiency", 0, "M", 0, "cant deficiency at which regressions are read [m] (default: the largest of each zone)",
     APP_QUANTITY(how.deficiency, "m")},
    {"view", 0, "FILE.html", 0,
     "page of kane view of the same results in the same order, beside this one: figures lead to their curves there",
     APP_TEXT(how.view)},
    {"check", 0, NULL, 0, "exit status 5 if a limit is exceeded", APP_FLAG(check)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->results.count == 0)
        argp_error(state, "which results?");
    if (!a->output)
        argp_error(state, "which page? --output=FILE.html");
    if (!(a->how.each.from < a->how.each.to))
        argp_error(state, "the section from %g m to %g m is empty", a->how.each.from, a->how.each.to);
}

// Chromium prints the page. 0 with an error.
static int print_page(const char *page, const char *pdf, kane_errors *errors)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    char address[4200], into[4200], path[4096];
    if (!realpath(page, path)) {
        kane_errors_add(errors, KANE_NO_FILE, "%s: cannot be read", page);
        return 0;
    }
    (void)snprintf(address, sizeof address, "file://%s", path);
    (void)snprintf(into, sizeof into, "--print-to-pdf=%s", pdf);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int status      = 0;
        const pid_t pid = fork();
        if (pid == 0) {
            if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
                _exit(127);
            (void)execlp(names[i], names[i], "--headless", "--disable-gpu", "--no-pdf-header-footer", into, address,
                         geteuid() == 0 ? "--no-sandbox" : (char *)NULL, (char *)NULL);
            _exit(127);
        }
        if (pid < 0 || waitpid(pid, &status, 0) != pid)
            break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return 1;
    }
    kane_errors_add(errors, KANE_NO_FILE,
                    "%s: Chromium is needed to print the page, and did not do it; on Debian: apt install chromium",
                    pdf);
    return 0;
}

static int exceeds(const kane_report *report)
{
    int exceeded = 0;
    for (int i = 0; i < kane_report_row_count(report); i++)
        exceeded = exceeded || kane_report_get_row(report, i)->used > 1.0;
    return exceeded;
}

// Sections by zones; what cant ramps and changes of speed leave out one by one, the rest in sums: the page lists all of
// it.
static void say(const kane_report *report, const arguments *a)
{
    int counts[KANE_ZONES]             = {0};
    double length[KANE_SECTION_FAULTS] = {0.0};
    const kane_section_tolerance t     = kane_section_tolerance_get();
    for (int i = 0; i < kane_report_section_count(report); i++)
        counts[kane_report_get_section(report, i)->zone]++;
    (void)printf("%s: sections:", a->output);
    for (int zone = 0; zone < KANE_ZONES; zone++)
        (void)printf(" %d %s%s", counts[zone], kane_zone_name((kane_zone)zone), zone + 1 < KANE_ZONES ? "," : "\n");
    (void)kane_fprintf(stdout,
                       "  one radius, cant and cant deficiency each: curvatures within %g %%, cants within %g mm, "
                       "deficiencies within %g mm\n",
                       100.0 * t.curvature, 1e3 * t.superelevation, 1e3 * t.deficiency);
    for (int i = 0; i < kane_report_left_out_count(report); i++) {
        const kane_left_out_stretch *l = kane_report_get_left_out(report, i);
        const double *range            = l->fault == KANE_SECTION_CANT ? l->range.superelevation : l->range.deficiency;
        length[l->fault] += l->to - l->from;
        if (l->fault == KANE_SECTION_CANT || l->fault == KANE_SECTION_DEFICIENCY)
            (void)kane_fprintf(stdout, "  left out: %s, %.6g m to %.6g m: %s (%.4g mm to %.4g mm)\n",
                               a->results.texts[l->run], l->from, l->to, kane_section_fault_name(l->fault),
                               1e3 * range[0], 1e3 * range[1]);
    }
    for (int fault = 1; fault < KANE_SECTION_FAULTS; fault++)
        if (length[fault] > 0.0 && fault != KANE_SECTION_CANT && fault != KANE_SECTION_DEFICIENCY)
            (void)kane_fprintf(stdout, "  left out: %.4g m, %s\n", length[fault],
                               kane_section_fault_name((kane_section_fault)fault));
}

int command_report(int argc, char **argv)
{
    static const app_command command = APP_COMMAND_WITH(
        options, evaluate_standard_options, how.each, "RESULTS...", NULL, results, RESULTS_MOST, check_arguments,
        "Writes one page that says what EN 14363 and UIC 518 ask of runs: test zones found from the line, "
        "sections, curves to the left and to the right apart, estimates of maxima, regression over cant "
        "deficiency, limits, comfort and wear. Every number leads to its curve; the page needs no network.");
    arguments a                         = {.how = kane_report_options_default()};
    kane_errors errors                  = {0};
    kane_results *results[RESULTS_MOST] = {NULL};
    int good = 1, exceeded = 0;
    app_parse(&command, argc, argv, &a);
    for (int i = 0; good && i < a.results.count; i++)
        good = (results[i] = kane_results_open(a.results.texts[i], &errors)) != NULL;
    kane_report *report = good ? kane_report_create(a.results.count, (const kane_results *const *)results,
                                                    a.results.texts, &a.how, &errors)
                               : NULL;
    if (report) {
        good = kane_report_write(report, a.title ? a.title : a.results.texts[0], a.output, &errors) == KANE_OK;
        if (good)
            say(report, &a);
        exceeded = exceeds(report);
    }
    good = report && good && (!a.pdf || print_page(a.output, a.pdf, &errors));
    kane_report_free(report);
    for (int i = 0; i < a.results.count; i++)
        kane_results_free(results[i]);
    if (!good)
        return app_fail(&errors);
    return a.check && exceeded ? EXIT_STOPPED : EXIT_DONE;
}
