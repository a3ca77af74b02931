// SPDX-License-Identifier: MIT
// How long the ways to u_dot of efficiency.h take for 3 to 200 bodies, and how that grows.
//
//   build/release/bin/efficiency [--output FILE]       table .txt, .csv, .json, .h5; picture .svg, .png
//   build/release/bin/efficiency --only guided-20-reduced --repeat 1000     nothing but these calls, for an instruction counter
//
// All ways take turns, so that a busy machine slows all of them; times are the best of all rounds.

#include "efficiency.h"

#include "apps/kane/bench.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const int sizes[] = {3, 7, 10, 20, 50, 100, 200};
enum { SIZES = sizeof sizes / sizeof *sizes, GROWTH_FROM = 20 };

// What is measured: the part that all ways share, F + F** alone in each form, the ways, kane_eval.
enum { MOVE, FORCES, WAYS = FORCES + EFF_FORMS, KANE = WAYS + EFF_WAYS, SUBJECTS };

static const char *const structures[EFF_STRUCTURES] = {"guided", "free", "chain"};
static const struct {
    const char *name, *legend; // NULL: not drawn
    int colour;                // from 1 on
} subjects[SUBJECTS] = {
    {"move", NULL, 0},
    {"f-products", "products", 1},
    {"f-checked", "checked", 2},
    {"f-known", "known", 3},
    {"f-transpose", "transpose", 4},
    {"f-reduced", "reduced", 6},
    {"products", "products", 1},
    {"checked", "checked", 2},
    {"known", "known", 3},
    {"transpose", "transpose", 4},
    {"titan", "titan", 5},
    {"reduced", "reduced", 6},
    {"kane_eval", "kane_eval", 7},
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

// A row for each number of bodies. Drawn: forces and accelerations of the guided train, accelerations of the chain.
static kane_table tabulate_times(kane_arena *arena, int structure, times time)
{
    static const char forces[] = "forces: time [µs]", accelerations[] = "accelerations: time [µs]";
    static const char *const panels[EFF_STRUCTURES][2] = {{forces, accelerations}, {"", ""}, {"", accelerations}};
    kane_table t                                       = kane_table_begin(arena, SUBJECTS + 2, SIZES);
    t.title                                            = structures[structure];
    t.scale                                            = KANE_PLOT_LOG;
    kane_table_add_columns(&t, 1,
                           &(kane_table_column){.name = "bodies", .unit = "1", .curve = {.panel = "number of bodies"}});
    for (int i = 0; i < SUBJECTS; i++)
        kane_table_add_columns(
            &t, 1,
            &(kane_table_column){.name  = subjects[i].name,
                                 .unit  = "s",
                                 .text  = {kane_table_text(&t, "%s [us]", subjects[i].name), 1e6, .digits = 4},
                                 .curve = {subjects[i].legend ? panels[structure][i >= WAYS] : "", subjects[i].legend,
                                           KANE_SOLID, subjects[i].colour, 1e6}});
    kane_table_add_columns(
        &t, 1, &(kane_table_column){.name = "difference", .unit = "1", .text = {.digits = 1}, .curve = {.panel = ""}});
    for (int k = 0; k < SIZES; k++) {
        kane_table_put(&t, kane_cell_count(sizes[k]));
        kane_table_add_numbers(&t, SUBJECTS + 1, time[k]);
    }
    return t;
}

// Exponents of growth, a row for each structure.
static kane_table tabulate_growth(kane_arena *arena, times time[EFF_STRUCTURES])
{
    kane_table t = kane_table_begin(arena, 1 + SUBJECTS, EFF_STRUCTURES);
    t.title      = "exponents";
    t.about      = "exponents of growth, from 20 to 200 bodies";
    kane_table_add_columns(&t, 1, &(kane_table_column){.name = "structure", .unit = "", .text = {.width = -1}});
    for (int i = 0; i < SUBJECTS; i++)
        kane_table_add_columns(&t, 1,
                               &(kane_table_column){.name = subjects[i].name,
                                                    .unit = "1",
                                                    .text = {.head = subjects[i].name, .digits = 3}});
    for (int s = 0; s < EFF_STRUCTURES; s++) {
        kane_table_put(&t, kane_cell_word(structures[s]));
        for (int i = 0; i < SUBJECTS; i++) {
            bench_growth growth = {0.0, 0.0, 0.0, 0.0, 0.0};
            for (int k = 0; k < SIZES; k++)
                if (sizes[k] >= GROWTH_FROM)
                    bench_growth_add(&growth, sizes[k], time[s][k][i]);
            kane_table_put(&t, kane_cell_number(bench_growth_exponent(&growth)));
        }
    }
    return t;
}

typedef struct arguments {
    int repeat;
    const char *only, *nothing;
    app_outputs outputs;
} arguments;

static int measure_all(const arguments *a, kane_errors *errors)
{
    static times time[EFF_STRUCTURES];
    kane_table tables[EFF_STRUCTURES + 1];
    kane_arena *arena = kane_arena_create();
    for (int t = 0; t < EFF_STRUCTURES; t++) {
        for (int k = 0; k < SIZES && errors->count == 0; k++) {
            eff_system *s = create(t, sizes[k], errors);
            if (!s)
                break;
            time[t][k][SUBJECTS] = difference(s);
            measure(s, time[t][k]);
            eff_free(s);
        }
        tables[t] = tabulate_times(arena, t, time[t]);
    }
    tables[EFF_STRUCTURES]         = tabulate_growth(arena, time);
    const kane_table_report report = {.table_count = EFF_STRUCTURES + 1, .tables = tables};
    const int good = errors->count == 0 && app_write_report(&a->outputs, KANE_TABLE_TEXT, &report, errors);
    kane_arena_free(arena);
    return good;
}

// Calls what is named "STRUCTURE-BODIES-SUBJECT".
static int repeat_kernel(const arguments *a, kane_errors *errors)
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
        return s != NULL;
    }
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is no '%s'; there is, for example, guided-20-reduced", a->only);
    return 0;
}

static const app_option options[] = {
    {"only", 'n', "NAME", 0, "with --repeat: only this, e.g. guided-20-reduced", APP_TEXT(only)},
    {"repeat", 'r', "N", 0, "with --only: call it N times and print nothing",
     APP_WHOLE(repeat, 1, INT_MAX, "number of calls")},
    APP_OUTPUT_OPTION("", outputs),
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (!a->only != !a->repeat)
        argp_error(state, "--only and --repeat go together");
}

int main(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(options, NULL, NULL, nothing, 0, check_arguments,
                                                   "Measures ways to build the equations of motion.");
    arguments a                      = {0};
    kane_errors errors               = {0};
    app_parse(&command, argc, argv, &a);
    return (a.only ? repeat_kernel(&a, &errors) : measure_all(&a, &errors)) ? EXIT_DONE : app_fail(&errors);
}
