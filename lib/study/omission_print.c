// SPDX-License-Identifier: MIT
// The ranking of an omission study as text.

#include "study/omission_report.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { PER_RESPONSE = 5 }; // strongest terms that are named for each response

static void say_effect(double relative, size_t size, char *text)
{
    if (isinf(relative))
        (void)snprintf(text, size, "ends otherwise");
    else if (relative < 0.0)
        (void)snprintf(text, size, "not known");
    else if (relative == 0.0)
        (void)snprintf(text, size, "0");
    else
        (void)snprintf(text, size, "%.3g %%", 100.0 * relative);
}

static int width_of_terms(const kane_omission_report *report)
{
    size_t width = strlen("term");
    for (int i = 1; i < report->table.terms; i++)
        width = strlen(report->table.names[i]) > width ? strlen(report->table.names[i]) : width;
    return (int)width;
}

static void print_head(const kane_omission_report *report, FILE *out)
{
    const kane_omission_grid *grid = &report->setup.grid;
    (void)fprintf(out, "%s: what leaving out imaginary terms does (%d of them, %d %s)\n", report->setup.vehicle,
                  report->table.terms - 1, report->table.conditions,
                  report->table.conditions == 1 ? "condition" : "conditions");
    for (int a = 0; a < grid->axis_count; a++) {
        (void)fprintf(out, "  %s:", grid->axes[a]->path);
        for (int i = 0; i < grid->axes[a]->count; i++)
            (void)fprintf(out, " %s%s", grid->axes[a]->texts[i], i + 1 < grid->axes[a]->count ? "," : "");
        (void)fprintf(out, "%s%s\n", grid->axes[a]->unit[0] ? " " : "", grid->axes[a]->unit);
    }
    (void)fprintf(out,
                  "Effect: %s difference between the runs without and with the term, over the range that the\n"
                  "response of the complete run has under the same condition; a term may be neglected below %g %%.\n"
                  "Accuracy (what ten times tighter tolerances change; smaller effects are not resolved):\n",
                  report->setup.study->by_rms ? "rms" : "largest", 100.0 * report->setup.study->threshold);
    for (int r = 0; r < report->table.responses; r++) {
        char text[32];
        const int is_rough = report->accuracy[r] >= report->setup.study->threshold;
        say_effect(report->accuracy[r], sizeof text, text);
        (void)fprintf(out, "  %-24s %s%s\n", report->setup.responses[r].pattern, text,
                      is_rough ? "  (not below the threshold: tighten integrator.rtol)" : "");
    }
}

static void print_term(const kane_omission_report *report, int term, int place, int width, FILE *out)
{
    char effect[32];
    int condition, where;
    say_effect(kane_omission_largest(&report->table, term, -1, &condition, &where), sizeof effect, effect);
    (void)fprintf(out, "%4d  %-*s  %14s", place, width, report->table.names[term], effect);
    if (condition >= 0) {
        const kane_omission_effect *e = kane_omission_at(&report->table, condition, term, where);
        (void)fprintf(out, report->setup.travels ? "  %s, %.3g %s at %.0f m, %s" : "  %s, %.3g %s at %.4g s, %s",
                      e->channel, e->difference, report->setup.responses[where].unit, e->at,
                      report->conditions[condition]);
    }
    (void)fprintf(out, "\n      %*s  %s\n", width, "", report->verdicts[term].words);
}

// Terms of one sort in order of their rank.
static void print_sort(const kane_omission_report *report, int whole, int most, FILE *out)
{
    const int width = width_of_terms(report);
    int place = 0, left = 0;
    for (int k = 0; k < report->table.terms - 1; k++) {
        const int term = report->order[0][k];
        if (kane_omission_is_whole(report->table.names[term]) != whole)
            continue;
        if (place == 0)
            (void)fprintf(out, "\n%s\n%4s  %-*s  %14s  on which channel, how much, where, under which condition\n",
                          whole ? "Whole terms" : "Terms", "", width, "term", "largest effect");
        if (place < most)
            print_term(report, term, ++place, width, out);
        else
            left++;
    }
    if (left > 0)
        (void)fprintf(out, "      and %d more in %s/ranking.txt\n", left, report->setup.study->execution.directory);
}

static void print_responses(const kane_omission_report *report, FILE *out)
{
    (void)fprintf(out, "\nThe strongest terms by response\n");
    for (int r = 0; r < report->table.responses; r++) {
        (void)fprintf(out, "  %s:", report->setup.responses[r].pattern);
        for (int k = 0, shown = 0; k < report->table.terms - 1 && shown < PER_RESPONSE; k++) {
            const int term = report->order[r + 1][k];
            char effect[32];
            int condition, where;
            if (kane_omission_is_whole(report->table.names[term]) && report->setup.study->all)
                continue;
            say_effect(kane_omission_largest(&report->table, term, r, &condition, &where), sizeof effect, effect);
            (void)fprintf(out, "%s %s (%s)", shown++ ? "," : "", report->table.names[term], effect);
        }
        (void)fprintf(out, "\n");
    }
}

static void print_counts(const kane_omission_report *report, FILE *out)
{
    int count[KANE_VERDICT_UNKNOWN + 1] = {0}, failed = 0;
    for (int i = 1; i < report->table.terms; i++) {
        count[report->verdicts[i].verdict]++;
        failed += report->verdicts[i].failed;
    }
    (void)fprintf(out, "\nOf %d %s %d may be neglected under all conditions, %d under some, %d under none",
                  report->table.terms - 1, report->table.terms == 2 ? "term" : "terms", count[KANE_VERDICT_ALWAYS],
                  count[KANE_VERDICT_WHEN], count[KANE_VERDICT_NEVER]);
    if (count[KANE_VERDICT_UNKNOWN] > 0)
        (void)fprintf(out, "; %d are not known", count[KANE_VERDICT_UNKNOWN]);
    (void)fprintf(out, ".\n");
    if (failed > 0)
        (void)fprintf(out, "%d cases failed; effects.csv has the reasons.\n", failed);
}

void kane_omission_report_print(const kane_omission_report *report, int most, FILE *out)
{
    const int count = most > 0 ? most : INT_MAX;
    print_head(report, out);
    print_sort(report, 0, count, out);
    print_sort(report, 1, count, out);
    print_responses(report, out);
    print_counts(report, out);
}
