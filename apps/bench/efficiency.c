// SPDX-License-Identifier: MIT
// How long the ways to u_dot of efficiency.h take, for 3 to 200 bodies, and how that grows; a picture of it.
//
//   build/release/bin/efficiency [--output FILE.svg|FILE.png]
//   build/release/bin/efficiency --only guided-20-reduced --repeat 1000     for an instruction counter: nothing but these calls
//
// All ways take turns, so that a busy machine slows all of them; times are the best of all rounds.

#include "efficiency.h"

#include "apps/kane/bench.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int sizes[] = {3, 7, 10, 20, 50, 100, 200};
enum { SIZES = sizeof sizes / sizeof *sizes, GROWTH_FROM = 20 };

// What is measured: the part that all ways share, F + F** alone in each form, the ways, kane_eval.
enum { MOVE, FORCES, WAYS = FORCES + EFF_FORMS, KANE = WAYS + EFF_WAYS, SUBJECTS };

static const char *const structures[EFF_STRUCTURES] = {"guided", "free", "chain"};
static const char *const names[SUBJECTS]            = {
               "move",    "forces-products", "forces-checked", "forces-known", "forces-transpose", "forces-reduced", "products",
               "checked", "known",           "transpose",      "titan",        "reduced",          "kane_eval"};

static void call(eff_system *s, int subject, long count)
{
    for (long i = 0; i < count; i++) {
        s->u[i % s->l] += 1e-12; // every call has another state
        if (subject == MOVE)
            eff_move(s);
        else if (subject < WAYS)
            eff_forces(s, (eff_form)(subject - FORCES));
        else if (subject < KANE)
            eff_eval(s, &eff_ways[subject - WAYS]);
        else
            eff_kane(s, (int)(i % 2));
    }
}

// Ready for every subject.
static eff_system *create(eff_structure structure, int bodies, kane_errors *errors)
{
    eff_system *s = eff_create(structure, bodies, 1, errors);
    if (!s)
        return NULL;
    eff_move(s);
    for (int form = 0; form < EFF_FORMS; form++)
        eff_fill(s, (eff_form)form);
    return s;
}

// Best times of a call [s]: rounds of about 2 ms each, at least three, until three seconds are over.
static void measure(eff_system *s, double time[SUBJECTS])
{
    const double end = bench_now() + 3.0;
    for (int i = 0; i < SUBJECTS; i++)
        time[i] = 0.0;
    for (int round = 0; round < 3 || (round < 200 && bench_now() < end); round++)
        for (int i = 0; i < SUBJECTS; i++) {
            const long count   = time[i] > 0.0 ? (long)fmax(1.0, 2e-3 / time[i]) : 1;
            const double begin = bench_now();
            call(s, i, count);
            const double each = (bench_now() - begin) / (double)count;
            time[i]           = time[i] > 0.0 && time[i] < each ? time[i] : each;
        }
}

static void print_row(const char *first, const double *values, double unit, int begin, int end)
{
    (void)printf("%-10s", first);
    for (int i = begin; i < end; i++)
        (void)printf(" %10.*f", values[i] * unit < 99.0 ? 2 : 0, values[i] * unit);
    (void)printf("\n");
}

// Times of subjects begin .. end - 1, and the exponents of their growth.
static void print_table(const char *about, double time[SIZES][SUBJECTS], int begin, int end)
{
    double exponents[SUBJECTS];
    (void)printf("\n%s [us]\n%-10s", about, "bodies");
    for (int i = begin; i < end; i++) {
        bench_growth growth = {0.0, 0.0, 0.0, 0.0, 0.0};
        for (int k = 0; k < SIZES; k++)
            if (sizes[k] >= GROWTH_FROM)
                bench_growth_add(&growth, sizes[k], time[k][i]);
        exponents[i] = bench_growth_exponent(&growth);
        (void)printf(" %10s", strncmp(names[i], "forces-", 7) == 0 ? names[i] + 7 : names[i]);
    }
    (void)printf("\n");
    for (int k = 0; k < SIZES; k++) {
        char bodies[16];
        (void)snprintf(bodies, sizeof bodies, "%d", sizes[k]);
        print_row(bodies, time[k], 1e6, begin, end);
    }
    print_row("exponent", exponents, 1.0, begin, end);
    (void)fflush(stdout);
}

enum { PANELS = 3 };

static kane_status draw(double time[EFF_STRUCTURES][SIZES][SUBJECTS], const char *file, kane_errors *errors)
{
    static const struct {
        const char *title;
        eff_structure structure;
        int begin, end;
    } shown[PANELS] = {
        {"train, guided wheelsets: generalised external and imaginary forces alone", EFF_GUIDED, FORCES, WAYS},
        {"train, guided wheelsets: accelerations", EFF_GUIDED, WAYS, SUBJECTS},
        {"joined chain: accelerations", EFF_CHAIN, WAYS, SUBJECTS}};
    static double x[SIZES], y[PANELS][SUBJECTS][SIZES];
    kane_plot_curve curves[PANELS][SUBJECTS];
    kane_plot_panel panels[PANELS];
    for (int p = 0; p < PANELS; p++) {
        const int begin = shown[p].begin, count = shown[p].end - begin;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < SIZES; k++) {
                x[k]       = log10(sizes[k]);
                y[p][i][k] = log10(1e6 * time[shown[p].structure][k][begin + i]);
            }
            const char *name = names[begin + i];
            curves[p][i]     = (kane_plot_curve){
                    p == 0 ? name + 7 : name, SIZES, x, y[p][i], begin + i == KANE ? KANE_DASHED : KANE_SOLID, i};
        }
        panels[p] = (kane_plot_panel){.title       = shown[p].title,
                                      .x_label     = "log10 of the number of bodies",
                                      .y_label     = "log10 of the time [us]",
                                      .curve_count = count,
                                      .curves      = curves[p]};
    }
    const kane_plot plot = {.panel_count = PANELS, .panels = panels};
    return kane_plot_draw(&plot, file, errors);
}

typedef struct arguments {
    long repeat;
    const char *only, *output;
} arguments;

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    char *end;
    switch (key) {
    case 'n': a->only = value; break;
    case 'o': a->output = value; break;
    case 'r':
        a->repeat = strtol(value, &end, 10);
        if (*end || a->repeat < 1)
            argp_error(state, "'%s' is not a number of calls", value);
        break;
    case ARGP_KEY_ARG: argp_error(state, "takes no arguments"); break;
    case ARGP_KEY_END:
        if (!a->only != !a->repeat)
            argp_error(state, "--only and --repeat go together");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// Calls what is named "STRUCTURE-BODIES-SUBJECT". Returns 0 if there is no such thing.
static int repeat(const arguments *a, kane_errors *errors)
{
    for (int t = 0; t < EFF_STRUCTURES; t++)
        for (int k = 0; k < SIZES; k++)
            for (int i = 0; i < SUBJECTS; i++) {
                char name[64];
                (void)snprintf(name, sizeof name, "%s-%d-%s", structures[t], sizes[k], names[i]);
                if (strcmp(name, a->only) != 0)
                    continue;
                eff_system *s = create((eff_structure)t, sizes[k], errors);
                if (s)
                    call(s, i, a->repeat);
                eff_free(s);
                return 1;
            }
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is no '%s'; try guided-20-reduced", a->only);
    return 0;
}

static void measure_all(const arguments *a, kane_errors *errors)
{
    static double time[EFF_STRUCTURES][SIZES][SUBJECTS];
    for (int t = 0; t < EFF_STRUCTURES; t++) {
        for (int k = 0; k < SIZES; k++) {
            eff_system *s = create((eff_structure)t, sizes[k], errors);
            if (!s)
                return;
            measure(s, time[t][k]);
            eff_free(s);
        }
        (void)printf("\n%s", structures[t]);
        print_table("F + F** alone", time[t], FORCES, WAYS);
        print_table("all of u_dot, and the part that all ways but kane_eval share", time[t], MOVE, MOVE + 1);
        print_table("u_dot", time[t], WAYS, SUBJECTS);
    }
    if (a->output)
        (void)draw(time, a->output, errors);
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"output", 'o', "FILE", 0, "picture: FILE.svg or FILE.png", 0},
        {"only", 'n', "NAME", 0, "with --repeat: only this, e.g. guided-20-reduced", 0},
        {"repeat", 'r', "N", 0, "with --only: call it N times and print nothing", 0},
        {0},
    };
    const struct argp argp = {options, parse, NULL, "Measures ways to build the equations of motion.",
                              NULL,    NULL,  NULL};
    arguments a            = {0};
    kane_errors errors     = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    if (a.only)
        (void)repeat(&a, &errors);
    else
        measure_all(&a, &errors);
    for (int i = 0; i < errors.count; i++)
        (void)fprintf(stderr, "efficiency: %s\n", errors.kept[i].text);
    return errors.count > 0;
}
