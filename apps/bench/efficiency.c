// SPDX-License-Identifier: MIT
// How long the ways to u_dot of efficiency.h take for 3 to 200 bodies, how that grows, and a picture of it.
//
//   build/release/bin/efficiency [--output FILE.svg|FILE.png]
//   build/release/bin/efficiency --only guided-20-reduced --repeat 1000     nothing but these calls, for an instruction counter
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
static const struct {
    const char *name, *legend;
    int colour;
} subjects[SUBJECTS] = {
    {"move", NULL, 0},
    {"f-products", "products", 0},
    {"f-checked", "checked", 1},
    {"f-known", "known", 2},
    {"f-transpose", "transpose", 3},
    {"f-reduced", "reduced", 5},
    {"products", "products", 0},
    {"checked", "checked", 1},
    {"known", "known", 2},
    {"transpose", "transpose", 3},
    {"titan", "titan", 4},
    {"reduced", "reduced", 5},
    {"kane_eval", "kane_eval", 6},
};

// Of a call [s]; and the largest difference of a way's u_dot from kane_eval's, over the largest u_dot.
typedef double times[SIZES][SUBJECTS + 1];

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
static eff_system *create(int structure, int size, kane_errors *errors)
{
    eff_system *s = eff_create((eff_structure)structure, size, 1, errors);
    if (!s)
        return NULL;
    eff_move(s);
    for (int form = 0; form < EFF_FORMS; form++)
        eff_fill(s, (eff_form)form);
    return s;
}

static double difference(eff_system *s)
{
    static double expected[EFF_SPEEDS_MOST];
    double most = 0.0, size = 0.0;
    eff_kane(s, 0);
    eff_kane_get(s, expected);
    for (int i = 0; i < EFF_WAYS; i++) {
        eff_eval(s, &eff_ways[i]);
        for (int r = 0; r < s->l; r++) {
            most = fmax(most, fabs(s->u_dot[r] - expected[r]));
            size = fmax(size, fabs(expected[r]));
        }
    }
    return most / size;
}

// Best of rounds of about 2 ms for each subject: at least three, until three seconds are over.
static void measure(eff_system *s, double time[SUBJECTS])
{
    const double end = bench_now() + 3.0;
    for (int round = 0; round < 3 || bench_now() < end; round++)
        for (int i = 0; i < SUBJECTS; i++) {
            const long count   = round > 0 ? (long)fmax(1.0, 2e-3 / time[i]) : 1;
            const double begin = bench_now();
            call(s, i, count);
            const double each = (bench_now() - begin) / (double)count;
            time[i]           = round > 0 && time[i] < each ? time[i] : each;
        }
}

static void print(const char *structure, times time)
{
    (void)printf("\n%-8s", structure);
    for (int i = 0; i < SUBJECTS; i++)
        (void)printf(" %11s", subjects[i].name);
    (void)printf(" %11s", "difference");
    for (int k = 0; k < SIZES; k++) {
        (void)printf("\n%-8d", sizes[k]);
        for (int i = 0; i < SUBJECTS; i++)
            (void)printf(" %11.*f", time[k][i] < 1e-4 ? 2 : 0, 1e6 * time[k][i]);
        (void)printf(" %11.0e", time[k][SUBJECTS]);
    }
    (void)printf("\nexponent");
    for (int i = 0; i < SUBJECTS; i++) {
        bench_growth growth = {0.0, 0.0, 0.0, 0.0, 0.0};
        for (int k = 0; k < SIZES; k++)
            if (sizes[k] >= GROWTH_FROM)
                bench_growth_add(&growth, sizes[k], time[k][i]);
        (void)printf(" %11.2f", bench_growth_exponent(&growth));
    }
    (void)printf("\n");
    (void)fflush(stdout);
}

enum { PANELS = 3 };

static void draw(times time[EFF_STRUCTURES], const char *file, kane_errors *errors)
{
    static const struct {
        const char *title;
        int structure, begin, end;
    } shown[PANELS] = {
        {"train with guided wheelsets: generalised external and imaginary forces alone", EFF_GUIDED, FORCES, WAYS},
        {"train with guided wheelsets: accelerations", EFF_GUIDED, WAYS, SUBJECTS},
        {"chain: accelerations", EFF_CHAIN, WAYS, SUBJECTS}};
    static double x[SIZES], y[PANELS][SUBJECTS][SIZES];
    kane_plot_curve curves[PANELS][SUBJECTS];
    kane_plot_panel panels[PANELS];
    for (int p = 0; p < PANELS; p++) {
        const int begin = shown[p].begin, count = shown[p].end - begin;
        for (int i = 0; i < count; i++) {
            const int subject = begin + i;
            for (int k = 0; k < SIZES; k++) {
                x[k]       = sizes[k];
                y[p][i][k] = 1e6 * time[shown[p].structure][k][subject];
            }
            curves[p][i] =
                (kane_plot_curve){subjects[subject].legend, SIZES, x, y[p][i], KANE_SOLID, subjects[subject].colour};
        }
        panels[p] = (kane_plot_panel){.title       = shown[p].title,
                                      .x_label     = "number of bodies",
                                      .y_label     = "time [µs]",
                                      .curve_count = count,
                                      .curves      = curves[p],
                                      .x_scale     = KANE_PLOT_LOG,
                                      .y_scale     = KANE_PLOT_LOG};
    }
    const kane_plot plot = {.panel_count = PANELS, .panels = panels};
    (void)kane_plot_draw(&plot, file, errors);
}

typedef struct arguments {
    long repeat;
    const char *only, *output;
} arguments;

static void measure_all(const arguments *a, kane_errors *errors)
{
    static times time[EFF_STRUCTURES];
    (void)printf("us a call\n");
    for (int t = 0; t < EFF_STRUCTURES; t++) {
        for (int k = 0; k < SIZES; k++) {
            eff_system *s = create(t, sizes[k], errors);
            if (!s)
                return;
            time[t][k][SUBJECTS] = difference(s);
            measure(s, time[t][k]);
            eff_free(s);
        }
        print(structures[t], time[t]);
    }
    if (a->output)
        draw(time, a->output, errors);
}

// Calls what is named "STRUCTURE-BODIES-SUBJECT".
static void repeat(const arguments *a, kane_errors *errors)
{
    for (int n = 0; n < EFF_STRUCTURES * SIZES * SUBJECTS; n++) {
        const int t = n / (SIZES * SUBJECTS), k = n / SUBJECTS % SIZES, i = n % SUBJECTS;
        char name[64];
        (void)snprintf(name, sizeof name, "%s-%d-%s", structures[t], sizes[k], subjects[i].name);
        if (strcmp(name, a->only) != 0)
            continue;
        eff_system *s = create(t, sizes[k], errors);
        if (s)
            call(s, i, a->repeat);
        eff_free(s);
        return;
    }
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is no '%s'; there is, for example, guided-20-reduced", a->only);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    char *end;
    switch (key) {
    case 'n': a->only = value; break;
    case 'o':
        a->output = value;
        end       = strrchr(value, '.');
        if (!end || (strcmp(end, ".svg") != 0 && strcmp(end, ".png") != 0))
            argp_error(state, "'%s' is no picture; must end in .svg or .png", value);
        break;
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
        repeat(&a, &errors);
    else
        measure_all(&a, &errors);
    const int failed = errors.count > 0;
    for (int i = 0; i < errors.kept; i++)
        (void)fprintf(stderr, "efficiency: %s\n", kane_errors_get(&errors, i)->text);
    kane_errors_free(&errors);
    return failed;
}
