// SPDX-License-Identifier: MIT
// kane modes: eigenvalues and modes of a vehicle that runs steadily, or of a mechanism.

#include "modes.h"

#include <kane/view.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 17 };

typedef modes_arguments arguments;

static void take_digits(const app_option *option, char *text, void *all, struct argp_state *state)
{
    const double digits = strcmp(text, "all") == 0 ? -1.0 : app_read_quantity(text, "1", state);
    (void)option;
    if (digits != (int)digits || digits > MOST_DIGITS || digits == 0.0 || digits < -1.0)
        argp_error(state, "digits are a whole number from 1 to %d, or \"all\"", MOST_DIGITS);
    ((arguments *)all)->digits = (int)digits;
}

static const app_option options[] = {
    {"all", 'a', NULL, 0, "show every mode, also those of wheel and rail beyond --highest", APP_FLAG(all)},
    {"digits", 'd', "N", 0, "significant digits, or \"all\" (default 6)", APP_OWN(take_digits)},
    {"highest", 'f', "HZ", 0, "highest natural frequency that is shown (default 30); what grows is always shown",
     APP_POSITIVE(highest, "highest frequency", "Hz")},
    {"shape", 'n', "N", 0, "draw the shape of mode number N with --output", APP_MODE(shape)},
    APP_OUTPUT_OPTION("", outputs),
    {"shapes", 'p', NULL, 0, "a table of the shapes, too: amplitude and phase of every body", APP_FLAG(shapes)},
    {"page", 'P', "FILE", 0, "with --view: page to put them into, instead of the one that came with kane",
     APP_TEXT(page)},
    {"view", 'w', "FILE.html", 0, "page on which the modes move, for a browser", APP_TEXT(view)},
    {"undamped", 'u', NULL, 0, "springs and masses alone: nothing depends on velocities, no friction on the rails",
     APP_TAKES(app_take_flag, kind, NULL, NULL, 0, KANE_MODES_UNDAMPED)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->shape && !app_draws(&a->outputs))
        argp_error(state, "--shape needs --output");
    if (a->choice.over && (a->shapes || a->shape || a->view))
        argp_error(state, "--shapes, --shape and --view are for one place, not for --over");
    if (a->page && !a->view)
        argp_error(state, "--page is for --view");
}

int modes_find(app_analysis *analysis, int index, kane_modes_kind kind, modes_found *found, kane_errors *errors)
{
    analysis->where.small_motions = 1;
    *found                        = (modes_found){.steady = app_analysis_steady(analysis, index, errors)};
    kane_steady *s                = found->steady;
    if (s)
        found->linear =
            kane_linear_create(kane_steady_model(s), kane_steady_work(s), 0.0, kane_steady_state(s), errors);
    if (found->linear)
        found->modes = kane_modes_create(found->linear, kind, errors);
    if (found->modes)
        return 1;
    modes_close(found);
    return 0;
}

void modes_close(modes_found *found)
{
    kane_modes_free(found->modes);
    kane_linear_free(found->linear);
    kane_steady_free(found->steady);
    *found = (modes_found){.steady = NULL};
}

int modes_is_shown(const modes_arguments *a, const kane_mode *mode)
{
    return a->all || mode->natural <= a->highest || kane_mode_grows(mode);
}

// The page of those modes that are asked for.
static int view(const modes_arguments *a, const char *title, const kane_run_definition *run, const modes_found *found,
                kane_errors *errors)
{
    char page[4160];
    const int most = kane_modes_count(found->modes);
    int *shown     = calloc((size_t)most + 1, sizeof *shown);
    if (!shown)
        return kane_no_memory(errors) == KANE_OK;
    kane_view_modes modes = {.run = run, .steady = found->steady, .modes = found->modes, .shown = shown};
    for (int i = 0; i < most; i++) {
        const kane_mode *mode = kane_modes_get(found->modes, i);
        if (modes_is_shown(a, mode) && mode->kind != KANE_MODE_INDIFFERENT)
            shown[modes.count++] = i;
    }
    int good = a->page || app_find_page(sizeof page, page, errors);
    if (good) {
        const kane_view_settings settings = {.page = a->page ? a->page : page, .title = title};
        good                              = kane_view_write_modes(&modes, &settings, a->view, NULL, errors) == KANE_OK;
    }
    free(shown);
    return good;
}

static int show(const modes_arguments *a, app_analysis *analysis, kane_errors *errors)
{
    modes_found found;
    char place[200], name[400], title[700];
    if (!modes_find(analysis, 0, a->kind, &found, errors))
        return 0;
    app_analysis_title(analysis, sizeof place, place);
    app_analysis_name(analysis, sizeof name, name);
    (void)snprintf(title, sizeof title, "%s%s%s%s", name, place[0] ? ", " : "", place,
                   a->kind == KANE_MODES_UNDAMPED ? ", undamped" : "");
    const modes_report what = {a, analysis, &found, title};
    kane_table tables[MODES_TABLES];
    kane_arena *arena              = kane_arena_create();
    const kane_table_report report = {.title       = title,
                                      .table_count = modes_tabulate(&what, arena, tables),
                                      .tables      = tables,
                                      .below       = modes_print_notes,
                                      .json        = modes_write_json,
                                      .draw        = a->shape ? modes_draw_shape : modes_draw_plane,
                                      .data        = &what};
    int good                       = app_write_report(&a->outputs, KANE_TABLE_TEXT, &report, errors);
    kane_arena_free(arena);
    if (good && a->view)
        good = view(a, title, kane_run_get_definition(analysis->run), &found, errors);
    modes_close(&found);
    return good;
}

// Forces of creepage depend on yaw, too: without velocities they would drive wheelsets. Rails without friction take
// them out.
static int leave_out_creep(modes_arguments *a, app_analysis *analysis, kane_errors *errors)
{
    if (a->kind != KANE_MODES_UNDAMPED || !kane_run_get_definition(analysis->run)->track)
        return 1;
    app_analysis_close(analysis);
    if (a->choice.settings.count < APP_TEXTS_MOST) {
        a->choice.settings.texts[a->choice.settings.count++] = "track.rail.friction=0";
        a->choice.settings.texts[a->choice.settings.count]   = NULL;
    }
    return app_analysis_open(&a->choice, analysis, errors);
}

int command_modes(int argc, char **argv)
{
    static const app_command command = APP_COMMAND_WITH(
        options, app_analysis_options, choice, "RUN.json", "run file", choice.file, 0, check_arguments,
        "Eigenvalues, frequencies, damping and named shapes of the modes of a run's vehicle in equilibrium at"
        " constant speed, from the exact Jacobian; or of a mechanism as it stands. With --over the modes are "
        "followed while a parameter changes (root locus), and where they lose their damping is found: the "
        "linear critical speed.");
    modes_arguments a  = {.digits = 6, .highest = 30.0};
    kane_errors errors = {0};
    app_analysis analysis;
    app_parse(&command, argc, argv, &a);
    if (!app_analysis_open(&a.choice, &analysis, &errors) || !leave_out_creep(&a, &analysis, &errors))
        return app_fail(&errors);
    const int good = a.choice.over ? modes_locus(&a, &analysis, &errors) : show(&a, &analysis, &errors);
    app_analysis_close(&analysis);
    return good ? EXIT_DONE : app_fail(&errors);
}
