// SPDX-License-Identifier: MIT
// Rules of an omission study: "the term may be left out if its group is at most g*", fitted on some of its runs and
// tested on the others.

#include "study/omission.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int counts_as_known(const kane_omission_point *p)
{
    return isfinite(p->group) && p->judgement != KANE_IS_UNRESOLVED;
}

static int is_resolved(const kane_omission_point *p)
{
    return p->is_fitted && p->group > 0.0 && isfinite(p->group) && p->effect > p->least && isfinite(p->effect);
}

// Least squares of log effect = log C + p log group over the fitted points whose effect is resolved.
static void fit_power(int count, const kane_omission_point *points, kane_omission_rule *rule)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (const kane_omission_point *p = points; p < points + count; p++) {
        const int counts = is_resolved(p);
        const double u = counts ? log(p->group) : 0.0, v = counts ? log(p->effect) : 0.0;
        n += counts;
        x += u;
        y += v;
        xx += u * u;
        xy += u * v;
        yy += v * v;
    }
    const double spread = xx - x * x / n, both = xy - x * y / n, rest = yy - y * y / n;
    const int is_line = n >= 3.0 && spread > 1e-9 * xx; // different groups
    rule->points      = (int)n;
    rule->exponent    = is_line ? both / spread : (double)NAN;
    rule->factor      = exp((y - rule->exponent * x) / n);
    rule->scatter     = is_line ? exp(sqrt(fmax(rest - rule->exponent * both, 0.0) / (n - 2.0))) : (double)NAN;
}

// The largest group of the fitted points below which no effect counts; NaN: the least one counts already.
static double find_threshold(int count, const kane_omission_point *points)
{
    double least = (double)INFINITY, most = (double)NAN;
    for (const kane_omission_point *p = points; p < points + count; p++)
        if (p->is_fitted && counts_as_known(p) && p->judgement == KANE_IS_TOO_LARGE)
            least = fmin(least, p->group);
    for (const kane_omission_point *p = points; p < points + count; p++)
        if (p->is_fitted && counts_as_known(p) && p->group < least)
            most = fmax(most, p->group); // of a NaN and a number the number
    return most;
}

static void count_point(const kane_omission_point *p, double threshold, kane_omission_hits *h)
{
    const int is_negligible = p->judgement == KANE_IS_NEGLIGIBLE, is_left_out = p->group <= threshold;
    h->kinked += !isfinite(p->group);
    h->unresolved += isfinite(p->group) && !counts_as_known(p);
    if (!counts_as_known(p))
        return;
    h->count++;
    h->negligible += is_negligible;
    h->hits += is_negligible == is_left_out;
    h->false_neglect += is_left_out && !is_negligible;
    h->false_keep += !is_left_out && is_negligible;
}

kane_omission_rule kane_omission_fit_rule(int count, const kane_omission_point *points)
{
    kane_omission_rule rule = {0};
    fit_power(count, points, &rule);
    rule.threshold = find_threshold(count, points);
    for (int i = 0; i < count; i++)
        count_point(&points[i], rule.threshold, points[i].is_fitted ? &rule.fitted : &rule.tested);
    return rule;
}

// --- of a study ---

static const char *const group_names[KANE_OMISSION_GROUPS] = {"load", "share", "spring"};

// Points of a term, response (-1: any) and group, one for each condition that is known. Returns how many.
static int collect_points(const kane_omission_setup *o, int term, int response, kane_omission_group group,
                          kane_omission_point *points)
{
    const kane_omission_report *is = &o->is;
    int count                      = 0;
    for (int c = 0; c < is->conditions; c++) {
        const kane_omission_case *run = kane_omission_report_case(is, c, term);
        if (!run->is_known)
            continue;
        const int is_fitted            = o->study.runs[kane_omission_run_of(o, c)].is_fitted;
        const kane_judgement judgement = kane_omission_judge_effect(is, c, term, response, o->asked->threshold);
        kane_omission_point *p         = &points[count++];
        *p                             = (kane_omission_point){.group     = run->group[group],
                                                               .judgement = judgement,
                                                               .is_fitted = is_fitted,
                                                               .run       = kane_omission_run_of(o, c)};
        if (run->ends_otherwise)
            p->judgement = KANE_IS_TOO_LARGE;
        for (int r = response < 0 ? 0 : response; r < (response < 0 ? is->responses : response + 1); r++) {
            const double effect = kane_omission_report_effect(is, c, term, r)->relative;
            const double least  = 2.0 * kane_omission_report_effect(is, c, KANE_OMISSION_ACCURACY, r)->relative;
            if (effect >= p->effect) {
                p->effect = run->ends_otherwise ? (double)INFINITY : effect;
                p->least  = least;
            }
        }
    }
    return count;
}

static void add_rule(kane_table *t, const kane_omission_setup *o, int term, int response, int group,
                     const kane_omission_rule *rule)
{
    const kane_omission_hits *of[] = {&rule->fitted, &rule->tested};
    kane_table_add(t, 8,
                   (const kane_cell[]){kane_cell_text(o->is.term[term]),
                                       kane_cell_text(response < 0 ? "all" : o->is.response[response]),
                                       kane_cell_word(group_names[group]), kane_cell_number(rule->threshold),
                                       kane_cell_number(rule->factor), kane_cell_number(rule->exponent),
                                       kane_cell_number(rule->scatter), kane_cell_count(rule->points)});
    for (int i = 0; i < 2; i++)
        kane_table_add(t, 7,
                       (const kane_cell[]){kane_cell_count(of[i]->count), kane_cell_count(of[i]->negligible),
                                           kane_cell_count(of[i]->hits), kane_cell_count(of[i]->false_neglect),
                                           kane_cell_count(of[i]->false_keep), kane_cell_count(of[i]->unresolved),
                                           kane_cell_count(of[i]->kinked)});
}

// More hits on the runs that were fitted; then fewer effects that do not follow the power law.
static int is_better(const kane_omission_rule *a, const kane_omission_rule *b)
{
    return a->fitted.hits > b->fitted.hits || (a->fitted.hits == b->fitted.hits && a->scatter < b->scatter);
}

// Rules of all groups; returns the best group. points [conditions]
static int fit_groups(const kane_omission_setup *o, int term, int response, kane_omission_point *points,
                      kane_omission_rule rule[KANE_OMISSION_GROUPS])
{
    int best = 0;
    for (int g = 0; g < KANE_OMISSION_GROUPS; g++) {
        rule[g] = kane_omission_fit_rule(collect_points(o, term, response, (kane_omission_group)g, points), points);
        best    = is_better(&rule[g], &rule[best]) ? g : best;
    }
    return best;
}

kane_table kane_omission_tabulate_rules(const kane_omission_setup *o)
{
    static const char *const names[] = {"term",         "response",     "group",         "largest group left out",
                                        "factor",       "exponent",     "scatter",       "points",
                                        "fitted",       "negligible",   "hits",          "false neglect",
                                        "false keep",   "not resolved", "kinks",         "tested",
                                        "negligible",   "hits",         "false neglect", "false keep",
                                        "not resolved", "kinks"};
    enum { COLUMNS = sizeof names / sizeof *names };
    const int rows              = (o->is.terms - 1) * (o->is.responses + 1) * KANE_OMISSION_GROUPS;
    kane_table t                = kane_table_begin(o->study.arena, COLUMNS, rows);
    kane_omission_point *points = kane_arena_alloc(o->study.arena, (size_t)o->is.conditions, sizeof *points);
    kane_table_add_names(&t, COLUMNS, names, NULL);
    for (int term = 1; points && term < o->is.terms; term++)
        for (int r = -1; r < o->is.responses; r++) {
            kane_omission_rule rule[KANE_OMISSION_GROUPS];
            (void)fit_groups(o, term, r, points, rule);
            for (int g = 0; g < KANE_OMISSION_GROUPS; g++)
                add_rule(&t, o, term, r, g, &rule[g]);
        }
    return t;
}

int kane_omission_has_rules(const kane_omission_setup *o)
{
    int has_rules = 0;
    for (int i = 0; o->study.runs && i < o->runs; i++)
        has_rules |= o->study.runs[i].is_fitted;
    return has_rules;
}

// Names of the runs that are fitted, or of those that are not.
static void print_runs(const kane_omission_setup *o, int is_fitted, FILE *out)
{
    const char *between = "";
    for (int i = 0; i < o->runs; i++)
        if (!o->study.runs[i].is_fitted == !is_fitted) {
            (void)fprintf(out, "%s%s", between, o->study.runs[i].name);
            between = ", ";
        }
}

static void print_hits(const kane_omission_hits *h, FILE *out)
{
    (void)fprintf(out, "  %4d of %4d (%3d)  %5d  %4d", h->hits, h->count, h->negligible, h->false_neglect,
                  h->false_keep);
}

void kane_omission_print_rules(const kane_omission_setup *o, FILE *out)
{
    kane_omission_point *points = kane_allocate((size_t)o->is.conditions, sizeof *points);
    if (!points || !kane_omission_has_rules(o)) {
        kane_release(points);
        return;
    }
    int width = (int)strlen("term");
    for (int i = 1; i < o->is.terms; i++)
        width = (int)strlen(o->is.term[i]) > width ? (int)strlen(o->is.term[i]) : width;
    (void)fprintf(out, "\nRules: a term may be left out if its group is at most g*. Fitted on ");
    print_runs(o, 1, out);
    (void)fprintf(out, "; tested on ");
    print_runs(o, 0, out);
    (void)fprintf(out, "\nEffect ~ C g^p within a factor. Correct verdicts (in brackets: negligible effects), false "
                       "\"may be left out\", false \"may not\"\n");
    (void)fprintf(out, "%-*s  %-6s  %9s  %8s  %6s  %6s  %18s  %5s  %4s  %18s  %5s  %4s\n", width, "term", "group", "g*",
                  "C", "p", "factor", "fitted", "false", "keep", "tested", "false", "keep");
    for (int term = 1; term < o->is.terms; term++) {
        kane_omission_rule rule[KANE_OMISSION_GROUPS];
        const int best              = fit_groups(o, term, -1, points, rule);
        const kane_omission_rule *r = &rule[best];
        (void)kane_fprintf(out, "%-*s  %-6s  %9.3g  %8.3g  %6.2f  %6.2f", width, o->is.term[term], group_names[best],
                           r->threshold, r->factor, r->exponent, r->scatter);
        print_hits(&r->fitted, out);
        print_hits(&r->tested, out);
        (void)fprintf(out, "\n");
    }
    kane_release(points);
}

// --- pictures ---

// Widths of a column and of a page in print, 85 mm and 170 mm at 96 pixels an inch.
enum { COLUMN_WIDTH = 321, PAGE_WIDTH = 643, PANEL_HEIGHT = 250, PANELS_MOST = 4 };

// Whether a point has a place on logarithmic axes.
static int is_drawn(const kane_omission_point *p)
{
    return p->group > 0.0 && isfinite(p->group) && p->effect > 0.0 && isfinite(p->effect);
}

// Effects over the group, in percent, a colour for each run; dashed: the threshold of effects, and g*.
static void add_rule_panel(const kane_omission_setup *o, kane_figure *f, int term, int group, int count_all,
                           const kane_omission_point *points, const kane_omission_rule *rule)
{
    const int panel =
        kane_figure_add(f, o->is.term[term], kane_figure_text(f, "%s group", group_names[group]), "effect [%]");
    double *ends = kane_figure_values(f, 8);
    kane_figure_scale(f, panel, KANE_PLOT_LOG, KANE_PLOT_LOG);
    double lowest = (double)INFINITY, highest = 0.0, least = (double)INFINITY, most = 0.0;
    for (int run = 0; run < o->runs; run++) {
        double *x = kane_figure_values(f, (size_t)o->is.conditions);
        double *y = kane_figure_values(f, (size_t)o->is.conditions);
        int count = 0;
        for (const kane_omission_point *p = points; x && y && p < points + count_all; p++) {
            if (p->run != run || !is_drawn(p))
                continue;
            x[count]   = p->group;
            y[count++] = 100.0 * p->effect;
            lowest     = fmin(lowest, p->group);
            highest    = fmax(highest, p->group);
            least      = fmin(least, 100.0 * p->effect);
            most       = fmax(most, 100.0 * p->effect);
        }
        kane_figure_curve(f, panel, (kane_plot_curve){o->study.runs[run].name, count, x, y, KANE_POINTS, run});
    }
    if (!ends || !(highest > 0.0))
        return;
    const double corners[] = {lowest, highest, rule->threshold, rule->threshold};
    for (int i = 0; i < 4; i++) {
        ends[i]     = corners[i];
        ends[4 + i] = i < 2 ? 100.0 * o->asked->threshold : i == 2 ? least : most;
    }
    for (int i = 0; i < (rule->threshold > 0.0 ? 2 : 1); i++)
        kane_figure_curve(f, panel, (kane_plot_curve){NULL, 2, ends + 2 * i, ends + 4 + 2 * i, KANE_FAINT, 0});
}

// Of terms with both verdicts on the fitted runs: rules.svg with all of them, rule-TERM.svg with one.
int kane_omission_draw_rules(const kane_omission_setup *o)
{
    if (!kane_omission_has_rules(o))
        return 1;
    kane_omission_point *points = kane_arena_alloc(o->study.arena, (size_t)o->is.conditions, sizeof *points);
    kane_figure all             = kane_figure_begin();
    int count = 0, good = points != NULL || kane_study_no_memory(&o->study);
    for (int term = 1; good && term < o->is.terms && count < PANELS_MOST; term++) {
        kane_omission_rule rule[KANE_OMISSION_GROUPS];
        char name[300];
        const int best                   = fit_groups(o, term, -1, points, rule);
        const kane_omission_hits *fitted = &rule[best].fitted;
        if (fitted->negligible == 0 || fitted->negligible == fitted->count)
            continue;
        const int known = collect_points(o, term, -1, (kane_omission_group)best, points);
        kane_figure one = kane_figure_begin();
        add_rule_panel(o, &one, term, best, known, points, &rule[best]);
        add_rule_panel(o, &all, term, best, known, points, &rule[best]);
        one.plot.width  = COLUMN_WIDTH;
        one.plot.height = PANEL_HEIGHT + 60;
        kane_omission_file_name("rule-", o->is.term[term], sizeof name, name);
        good = kane_figure_end(&one, &o->study, name);
        count++;
    }
    all.plot.width  = PAGE_WIDTH;
    all.plot.height = 40 + PANEL_HEIGHT * count;
    return kane_figure_end(&all, &o->study, "rules") && good;
}
