// SPDX-License-Identifier: MIT
// kane plot: draws channels of result files.

#include "app.h"

#include "base/unit.h"

#include <argp.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 8, CHANNELS_MOST = 64 };

typedef struct arguments {
    int file_count;
    const char *files[FILES_MOST];
    const char *channels, *against, *picture;
} arguments;

static const struct argp_option options[] = {
    {"channels", 'c', "A,B,...", 0, "channels to draw, with * and ?; those of one unit share a panel", 0},
    {"against", 'a', "CHANNEL", 0, "horizontal axis (default: distance if there is one, else time)", 0},
    {"output", 'o', "FILE", 0, "picture: FILE.svg or FILE.png", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'c': a->channels = value; break;
    case 'a': a->against = value; break;
    case 'o': a->picture = app_take_picture(value, state); break;
    case ARGP_KEY_ARG:
        if (a->file_count == FILES_MOST)
            argp_error(state, "more than %d result files", FILES_MOST);
        a->files[a->file_count++] = value;
        break;
    case ARGP_KEY_END:
        if (a->file_count == 0 || !a->channels || !a->picture)
            argp_error(state, "a picture needs results, --channels and --output");
        if (a->channels[strspn(a->channels, ",")] == '\0')
            argp_error(state, "--channels names no channel");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// What is drawn: curves in panels, one panel for each unit.
typedef struct picture {
    kane_plot_panel panels[CHANNELS_MOST];
    kane_plot_curve curves[CHANNELS_MOST][FILES_MOST * CHANNELS_MOST];
    char labels[CHANNELS_MOST * FILES_MOST][256], y_labels[CHANNELS_MOST][192], x_label[192];
    char units[CHANNELS_MOST][32];
    const char *names[CHANNELS_MOST]; // what the curves of a panel have in common: "body.y", "y" or ""
    char title[512];
    int panel_count, label_count;
} picture;

// "Q" of "leading.left.Q".
static const char *last_name(const char *name)
{
    const char *point = strrchr(name, '.');
    return point ? point + 1 : name;
}

// What a unit measures, without its article: "angle" for "rad", "" if it has no name.
static void quantity_of(const char *unit, size_t size, char *quantity)
{
    char buffer[128];
    kane_unit u;
    kane_text fault = kane_text_start(sizeof buffer, buffer);
    quantity[0]     = '\0';
    if (!kane_unit_parse(unit, &u, &fault))
        return;
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_unit_describe(&text, &u);
    const char *noun = strchr(buffer, ' ');
    if (noun && strstr(noun, " in ") == NULL)
        (void)snprintf(quantity, size, "%s", noun + 1);
}

static kane_plot_panel *panel_of(picture *p, const kane_column *column, kane_plot_curve **curves)
{
    int i = 0;
    while (i < p->panel_count && strcmp(p->units[i], column->unit) != 0)
        i++;
    if (i == CHANNELS_MOST)
        return NULL;
    if (i == p->panel_count) {
        p->panel_count++;
        p->names[i] = column->name;
        (void)snprintf(p->units[i], sizeof p->units[i], "%s", column->unit);
        (void)snprintf(p->y_labels[i], sizeof p->y_labels[i], "%s [%s]", column->name, column->unit);
        p->panels[i] = (kane_plot_panel){.x_label = p->x_label, .y_label = p->y_labels[i], .curves = p->curves[i]};
    } else {
        // several curves: the key tells them apart, the axis says what they have in common
        if (strcmp(p->names[i], column->name) != 0)
            p->names[i] = strcmp(last_name(p->names[i]), last_name(column->name)) == 0 ? last_name(column->name) : "";
        char quantity[64];
        quantity_of(column->unit, sizeof quantity, quantity);
        const char *common = p->names[i][0] ? p->names[i] : quantity;
        (void)snprintf(p->y_labels[i], sizeof p->y_labels[i], "%s%s[%s]", common, common[0] ? " " : "", column->unit);
    }
    *curves = p->curves[i];
    return &p->panels[i];
}

// The same channel of two files has one colour, solid and dashed; of more files each curve has its own.
static int colour_of(const arguments *a, const kane_plot_panel *panel, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 0; i < panel->curve_count && a->file_count == 2; i++)
        if (strncmp(panel->curves[i].label, name, length) == 0 && panel->curves[i].label[length] == ' ')
            return panel->curves[i].colour;
    return panel->curve_count;
}

static int add_curve(picture *p, const arguments *a, const kane_results *results, int file, int x, int column)
{
    kane_plot_curve *curves;
    const kane_column *info = kane_results_column(results, column);
    kane_plot_panel *panel  = panel_of(p, info, &curves);
    if (!panel || p->label_count == CHANNELS_MOST * FILES_MOST || panel->curve_count == FILES_MOST * CHANNELS_MOST)
        return 0;
    char *label = p->labels[p->label_count++];
    (void)snprintf(label, sizeof p->labels[0], "%s%s%s", info->name, a->file_count > 1 ? "  " : "",
                   a->file_count > 1 ? a->files[file] : "");
    curves[panel->curve_count] = (kane_plot_curve){.label  = label,
                                                   .count  = kane_results_row_count(results),
                                                   .x      = kane_results_values(results, x),
                                                   .y      = kane_results_values(results, column),
                                                   .style  = file % 2 ? KANE_DASHED : KANE_SOLID,
                                                   .colour = colour_of(a, panel, info->name)};
    panel->curve_count++;
    return 1;
}

// One pattern of --channels in one file.
static int add_pattern(picture *p, const arguments *a, const kane_results *results, int file, int x,
                       const char *pattern, kane_errors *errors)
{
    int found = 0;
    for (int i = 0; i < kane_results_column_count(results); i++) {
        if (fnmatch(pattern, kane_results_column(results, i)->name, 0) != 0)
            continue;
        found = 1;
        if (!add_curve(p, a, results, file, x, i)) {
            kane_errors_add(errors, KANE_BAD_INPUT, "there are too many curves for one picture");
            return 0;
        }
    }
    return found || kane_results_find(results, pattern, errors) >= 0;
}

static int add_file(picture *p, const arguments *a, const kane_results *results, int file, kane_errors *errors)
{
    const char *against = a->against;
    kane_errors nobody  = {0};
    if (!against)
        against = kane_results_find(results, "distance", &nobody) >= 0 ? "distance" : "time";
    const int x = kane_results_find(results, against, errors);
    if (x < 0)
        return 0;
    const kane_column *axis = kane_results_column(results, x);
    (void)snprintf(p->x_label, sizeof p->x_label, "%s [%s]", axis->name, axis->unit);

    char list[4096];
    (void)snprintf(list, sizeof list, "%s", a->channels);
    for (char *rest = list, *pattern; (pattern = strtok_r(rest, ",", &rest)) != NULL;)
        if (!add_pattern(p, a, results, file, x, pattern, errors))
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

int command_plot(int argc, char **argv)
{
    const struct argp argp = {
        options,      parse,
        "RESULTS...", "Draws channels of one or several result files (or directories that a run wrote) to SVG or PNG.",
        NULL,         NULL,
        NULL};
    arguments a                       = {0};
    kane_errors errors                = {0};
    kane_results *results[FILES_MOST] = {NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    picture *p = calloc(1, sizeof *p);
    int good   = p != NULL;
    for (int i = 0; i < a.file_count && good; i++) {
        results[i] = kane_results_open(a.files[i], &errors);
        app_tell(results[i], a.files[i]);
        good = results[i] && add_file(p, &a, results[i], i, &errors);
    }
    if (good) {
        if (a.file_count == 1)
            drop_single_labels(p);
        for (int i = 0; i < a.file_count; i++)
            (void)snprintf(p->title + strlen(p->title), sizeof p->title - strlen(p->title), "%s%s", i ? ", " : "",
                           a.files[i]);
        const kane_plot plot = {.title = p->title, .panel_count = p->panel_count, .panels = p->panels};
        good                 = kane_plot_draw(&plot, a.picture, &errors) == KANE_OK;
    }
    for (int i = 0; i < a.file_count; i++)
        kane_results_free(results[i]);
    free(p);
    return good ? EXIT_DONE : app_fail(&errors);
}
