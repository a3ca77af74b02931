// SPDX-License-Identifier: MIT
// kane plot: draws channels of result files.

#include "analysis.h"

#include "base/arena.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 8, CHANNELS_MOST = 64 };

typedef struct arguments {
    app_texts files, channels;
    const char *against, *picture, *from, *to, *title;
    int scale; // bits: 1 of the horizontal axis, 2 of the vertical one
} arguments;

static const char *const scales[] = {"linear", "log-x", "log-y", "log", NULL};

static const app_option options[] = {
    {"channels", 'c', "A,B,...", APP_LIST,
     "channels to draw, with * and ?; those of one unit share a panel (default: displacements, wheel forces and "
     "accelerations of a vehicle; coordinates, reactions and energies of a mechanism)",
     APP_TEXTS(channels)},
    {"against", 'a', "CHANNEL", 0, "horizontal axis (default: distance if there is one, else time)", APP_TEXT(against)},
    {"from", 'f', "X", 0, "only from here on, on the horizontal axis: 100, \"2.5 s\"", APP_TEXT(from)},
    {"to", 't', "X", 0, "only up to here", APP_TEXT(to)},
    {"scale", 'l', "KIND", 0, "of the axes: linear (default), log-x, log-y or log (both)", APP_WORD(scale, 0, scales)},
    {"title", 'T', "TEXT", 0, "over the picture (default: vehicle and run)", APP_TEXT(title)},
    {"output", 'o', "FILE", 0, "picture: FILE.svg or FILE.png", APP_PICTURE(picture)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->files.count == 0 || !a->picture)
        argp_error(state, "a picture needs results and --output");
}

// What is drawn: curves in panels, one panel for each unit.
typedef struct picture {
    kane_plot_panel panels[CHANNELS_MOST];
    kane_plot_curve curves[CHANNELS_MOST][FILES_MOST * CHANNELS_MOST];
    char labels[CHANNELS_MOST * FILES_MOST][256], y_labels[CHANNELS_MOST][192], x_label[192];
    char units[CHANNELS_MOST][32];
    int pages[CHANNELS_MOST];         // panel of the page that it is; -1: of --channels
    const char *names[CHANNELS_MOST]; // what the curves of a panel have in common: "body.y", "y" or ""
    char title[1024], runs[FILES_MOST][APP_RUN_TITLE];
    int panel_count, label_count;
    kane_arena *arena; // of rows between --from and --to
} picture;

// One file of which curves are drawn.
typedef struct source {
    const kane_results *results;
    int file;
    const double *x; // [rows] of the horizontal axis
    int rows;        // of these ...
    const int *kept; // ... [rows] of the file; NULL: all
} source;

static kane_plot_panel *panel_of(picture *p, const arguments *a, const kane_column *column, int page,
                                 kane_plot_curve **curves)
{
    int i = 0;
    while (i < p->panel_count && (strcmp(p->units[i], column->unit) != 0 || p->pages[i] != page))
        i++;
    if (i == CHANNELS_MOST)
        return NULL;
    if (i == p->panel_count) {
        p->panel_count++;
        p->names[i] = column->name;
        p->pages[i] = page;
        (void)snprintf(p->units[i], sizeof p->units[i], "%s", column->unit);
        (void)snprintf(p->y_labels[i], sizeof p->y_labels[i], "%s [%s]", column->name, column->unit);
        p->panels[i] = (kane_plot_panel){.x_label = p->x_label,
                                         .y_label = p->y_labels[i],
                                         .curves  = p->curves[i],
                                         .x_scale = a->scale & 1 ? KANE_PLOT_LOG : KANE_PLOT_LINEAR,
                                         .y_scale = a->scale & 2 ? KANE_PLOT_LOG : KANE_PLOT_LINEAR};
    } else {
        // several curves: the key names each, the axis says what they have in common
        p->names[i] = p->names[i][0] ? kane_plot_common_end(p->names[i], column->name) : "";
        kane_plot_axis_label(p->names[i], column->unit, sizeof p->y_labels[i], p->y_labels[i]);
    }
    *curves = p->curves[i];
    return &p->panels[i];
}

// The same channel of two files has one colour, solid and dashed; of more files each curve has its own.
static int colour_of(const arguments *a, const kane_plot_panel *panel, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 0; i < panel->curve_count && a->files.count == 2; i++)
        if (strncmp(panel->curves[i].label, name, length) == 0 && panel->curves[i].label[length] == ' ')
            return panel->curves[i].colour;
    return panel->curve_count;
}

// Values of the rows that are drawn. NULL without memory.
static const double *values_of(picture *p, const source *from, int column)
{
    const double *all = kane_results_values(from->results, column);
    double *values    = from->kept ? kane_arena_doubles(p->arena, (size_t)from->rows) : NULL;
    for (int i = 0; values && i < from->rows; i++)
        values[i] = all[from->kept[i]];
    return from->kept ? values : all;
}

static int add_curve(picture *p, const arguments *a, const source *from, int column, int page, kane_errors *errors)
{
    kane_plot_curve *curves;
    const kane_column *info = kane_results_column(from->results, column);
    kane_plot_panel *panel  = panel_of(p, a, info, page, &curves);
    if (!panel || p->label_count == CHANNELS_MOST * FILES_MOST || panel->curve_count == FILES_MOST * CHANNELS_MOST) {
        kane_errors_add(errors, KANE_BAD_INPUT, "there are too many curves for one picture");
        return 0;
    }
    const double *y = values_of(p, from, column);
    if (!y)
        return kane_no_memory(errors) == KANE_OK;
    char *label = p->labels[p->label_count++];
    (void)snprintf(label, sizeof p->labels[0], "%s%s%s", info->name, a->files.count > 1 ? "  " : "",
                   a->files.count > 1 ? a->files.texts[from->file] : "");
    curves[panel->curve_count] = (kane_plot_curve){.label  = label,
                                                   .count  = from->rows,
                                                   .x      = from->x,
                                                   .y      = y,
                                                   .style  = from->file % 2 ? KANE_DASHED : KANE_SOLID,
                                                   .colour = colour_of(a, panel, info->name)};
    panel->curve_count++;
    return 1;
}

// One pattern of --channels in one file.
static int add_pattern(picture *p, const arguments *a, const source *from, const char *pattern, kane_errors *errors)
{
    int found = 0;
    for (int i = 0; i < kane_results_column_count(from->results); i++) {
        if (!kane_name_matches(pattern, kane_results_column(from->results, i)->name))
            continue;
        found = 1;
        if (!add_curve(p, a, from, i, -1, errors))
            return 0;
    }
    return found || kane_results_find(from->results, pattern, errors) >= 0;
}

// What is drawn when nothing is asked for; how much of it has no room is reported.
static int add_page(picture *p, const arguments *a, const source *from, kane_errors *errors)
{
    plot_page page;
    int left_out = 0;
    plot_page_choose(from->results, &page);
    for (int k = 0; k < page.count; k++) {
        left_out += page.panels[k].left_out;
        for (int i = 0; i < page.panels[k].count; i++)
            if (!add_curve(p, a, from, page.panels[k].columns[i], k, errors))
                return 0;
    }
    if (page.count == 0)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "%s: nothing in it changes that a page would show; name channels by "
                        "--channels",
                        a->files.texts[from->file]);
    if (left_out > 0)
        (void)fprintf(stderr, "%s: %d more channels of these kinds are not drawn; --channels chooses\n",
                      a->files.texts[from->file], left_out);
    return page.count > 0;
}

// --- the horizontal axis ---

// Rows whose place on the axis is between --from and --to.
static int keep_rows(picture *p, const arguments *a, int x, source *s, kane_errors *errors)
{
    const kane_column *axis = kane_results_column(s->results, x);
    double from = -HUGE_VAL, to = HUGE_VAL;
    int count = 0;
    if (!app_analysis_take(a->from, "from", axis->unit, &from, errors) ||
        !app_analysis_take(a->to, "to", axis->unit, &to, errors))
        return 0;
    if (!a->from && !a->to)
        return 1;
    int *kept = kane_arena_alloc(p->arena, (size_t)s->rows + 1, sizeof *kept);
    for (int i = 0; kept && i < s->rows; i++)
        if (s->x[i] >= from && s->x[i] <= to)
            kept[count++] = i;
    s->kept = kept;
    s->rows = count;
    s->x    = kept ? values_of(p, s, x) : NULL;
    if (!s->x)
        (void)kane_no_memory(errors);
    else if (count == 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "%s: no row has a %s between %s and %s", a->files.texts[s->file],
                        axis->name, a->from ? a->from : "its beginning", a->to ? a->to : "its end");
    return s->x && count > 0;
}

static int add_file(picture *p, const arguments *a, const kane_results *results, int file, kane_errors *errors)
{
    source from            = {.results = results, .file = file, .rows = kane_results_row_count(results)};
    const char *against    = a->against;
    kane_errors unreported = {.limit = 1};
    if (!against)
        against = kane_results_find(results, "distance", &unreported) >= 0 ? "distance" : "time";
    const int x = kane_results_find(results, against, errors);
    if (x < 0)
        return 0;
    const kane_column *axis = kane_results_column(results, x);
    (void)snprintf(p->x_label, sizeof p->x_label, "%s [%s]", axis->name, axis->unit);
    from.x = kane_results_values(results, x);
    if (!keep_rows(p, a, x, &from, errors))
        return 0;
    if (!app_run_title(results, a->files.texts[file], sizeof p->runs[file], p->runs[file], errors))
        return 0;
    if (a->channels.count == 0)
        return add_page(p, a, &from, errors);

    for (int i = 0; i < a->channels.count; i++)
        if (!add_pattern(p, a, &from, a->channels.texts[i], errors))
            return 0;
    return 1;
}

// A panel with one curve has its name at the axis and needs no key.
static void drop_single_labels(picture *p)
{
    for (int i = 0; i < p->panel_count; i++)
        if (p->panels[i].curve_count == 1)
            p->curves[i][0].label = NULL;
}

// Vehicle and run of all files, each once.
static void write_title(picture *p, const arguments *a)
{
    kane_text title = kane_text_start(sizeof p->title, p->title);
    if (a->title)
        kane_text_add(&title, "%s", a->title);
    for (int i = 0; i < a->files.count && !a->title; i++) {
        int is_new = 1;
        for (int k = 0; k < i; k++)
            is_new = is_new && strcmp(p->runs[k], p->runs[i]) != 0;
        if (is_new)
            kane_text_add(&title, "%s%s", i ? "; " : "", p->runs[i]);
    }
}

int command_plot(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, "RESULTS...", NULL, files, FILES_MOST, check_arguments,
                    "Draws channels of one or several result files (or directories that a run wrote) to SVG or PNG.");
    arguments a                       = {0};
    kane_errors errors                = {0};
    kane_results *results[FILES_MOST] = {NULL};
    app_parse(&command, argc, argv, &a);

    picture *p = calloc(1, sizeof *p);
    if (p)
        p->arena = kane_arena_create();
    int good = p && p->arena;
    if (!good)
        (void)kane_no_memory(&errors);
    for (int i = 0; i < a.files.count && good; i++) {
        results[i] = kane_results_open(a.files.texts[i], &errors);
        app_tell(results[i], a.files.texts[i]);
        good = results[i] && add_file(p, &a, results[i], i, &errors);
    }
    if (good) {
        if (a.files.count == 1)
            drop_single_labels(p);
        write_title(p, &a);
        const kane_plot plot = {.title = p->title, .panel_count = p->panel_count, .panels = p->panels};
        good                 = kane_plot_draw(&plot, a.picture, &errors) == KANE_OK;
    }
    for (int i = 0; i < a.files.count; i++)
        kane_results_free(results[i]);
    if (p)
        kane_arena_free(p->arena);
    free(p);
    return good ? EXIT_DONE : app_fail(&errors);
}
