// SPDX-License-Identifier: MIT
// Channels of one equilibrium after another.

#include "equilibrium.h"

#include "base/number.h"

#include <math.h>

enum { PARAMETER, RESIDUAL, CHANNELS }; // columns

static void add_columns(kane_table *t, const app_analysis *a, const kane_channels *channels)
{
    kane_table_add_columns(
        t, CHANNELS,
        (const kane_table_column[]){{.name = a->over.path, .unit = a->over.unit[0] ? a->over.unit : "1"},
                                    {.name = "residual", .unit = "1", .curve = {.panel = ""}}});
    for (int i = 0; i < kane_channels_count(channels); i++) {
        const kane_channel_info *is = kane_channels_info(channels, i);
        kane_table_add_columns(t, 1,
                               &(kane_table_column){.name = kane_table_text(t, "%s", is->name),
                                                    .unit = kane_table_text(t, "%s", is->unit)});
    }
}

// Rows up to `end` that hold no numbers but the parameter: there is no equilibrium.
static void add_empty_rows(kane_table *t, const app_analysis *a, int end)
{
    while (t->column_count > 0 && t->rows < end) {
        kane_table_put(t, kane_cell_number(a->over.value[t->rows]));
        for (int i = RESIDUAL; i < t->column_count; i++)
            kane_table_put(t, kane_cell_number((double)NAN));
    }
}

static int add_found_row(const app_analysis *a, kane_steady *steady, const app_texts *patterns, int index,
                         kane_table *t, kane_errors *errors)
{
    const kane_model *model = kane_steady_model(steady);
    kane_channels *channels = kane_channels_create_model(model, patterns->count, patterns->texts, NULL, errors);
    const int count         = channels ? kane_channels_count(channels) : 0;
    double *values          = channels ? kane_arena_doubles(t->arena, (size_t)count + 1) : NULL;
    if (channels && t->column_count == 0)
        add_columns(t, a, channels);
    int good = channels && count + CHANNELS == t->column_count;
    if (channels && !good)
        kane_errors_add(errors, KANE_BAD_INPUT, "%s changes which channels there are", a->over.path);
    if (good && values) {
        kane_channels_read_state(channels, model, kane_steady_work(steady), kane_steady_state(steady), values);
        add_empty_rows(t, a, index);
        kane_table_put(t, kane_cell_number(a->over.value[index]));
        kane_table_put(t, kane_cell_number(kane_steady_equilibrium(steady)->residual));
        kane_table_add_numbers(t, count, values);
    }
    kane_channels_free(channels);
    return good;
}

// Says on standard error where what was found is not stable. 0 with errors.
static int say_stability(const app_analysis *a, int index, kane_steady *steady, kane_errors *errors)
{
    char before[APP_OVER_PATH + APP_OVER_UNIT + 64];
    app_stability stability;
    if (!app_analysis_stability(steady, &stability, errors))
        return 0;
    (void)kane_snprintf(before, sizeof before, "%s = %.6g%s%s: ", a->over.path, a->over.value[index],
                        a->over.unit[0] ? " " : "", a->over.unit);
    app_analysis_print_stability(stderr, before, steady, &stability);
    kane_modes_free(stability.growing);
    return 1;
}

int equilibrium_tabulate(app_analysis *a, const app_texts *patterns, kane_table *t, kane_errors *errors)
{
    int found  = 0;
    t->has_nan = 1;
    app_catch_interrupt();
    for (int i = 0; i < a->over.count; i++) {
        if (app_progress(&(kane_progress){.done = 0.0}, NULL)) {
            kane_errors_add(errors, KANE_INTERRUPTED, "%s: %d of %d values are in the table",
                            kane_status_text(KANE_INTERRUPTED), i, a->over.count);
            add_empty_rows(t, a, i);
            return found > 0;
        }
        kane_errors why     = {0};
        kane_steady *steady = app_analysis_steady(a, i, &why);
        const int none      = !steady && why.count > 0 && kane_errors_get(&why, 0)->status == KANE_NOT_SOLVED;
        if (none)
            app_print_errors(&why);
        else if (!steady)
            kane_errors_append(errors, &why);
        kane_errors_free(&why);
        found += steady != NULL;
        const int good =
            none || (steady && add_found_row(a, steady, patterns, i, t, errors) && say_stability(a, i, steady, errors));
        kane_steady_free(steady);
        if (!good)
            return 0;
    }
    add_empty_rows(t, a, a->over.count);
    if (found == 0)
        kane_errors_add(errors, KANE_NOT_SOLVED, "there is no equilibrium at any value of %s", a->over.path);
    return found > 0;
}
