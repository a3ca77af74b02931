// SPDX-License-Identifier: MIT
// kane critical: at which speeds does a vehicle hunt for ever?

#include "base/number.h"
#include "analysis.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct arguments {
    plan_options plan;
    sweep_options sweep;
    app_analysis_choice choice;
    const char *from, *to, *step, *resolution, *disturbance, *wheelset;
    int keep, through;
} arguments;

static const app_option options[] = {
    {"from", 'f', "V", 0, "slowest speed: 10, \"36 km/h\" (default 10 m/s)", APP_TEXT(from)},
    {"to", 't', "V", 0, "fastest speed (default: a tenth beyond the linear critical speed)", APP_TEXT(to)},
    {"step", 'd', "V", 0, "from speed to speed (default 2 m/s)", APP_TEXT(step)},
    {"resolution", 'e', "V", 0, "of the speeds at which cycles begin and end (default 0.1 m/s)", APP_TEXT(resolution)},
    {"disturbance", 'D', "M", 0, "amplitude of the wheelset that swings most to begin with (default 6 mm)",
     APP_TEXT(disturbance)},
    {"wheelset", 'w', "NAME", 0, "whose amplitude is drawn and printed (default: the one that swings most)",
     APP_TEXT(wheelset)},
    APP_OMIT_OPTION(plan.omit),
    {"radius", 'R', "R", 0, "of a curve, positive to the left; inf: straight (default)", APP_TEXT(choice.radius)},
    {"cant", 'U', "U", 0, "height of the outer rail over the inner one (default 0)", APP_TEXT(choice.cant)},
    {"through", 0, NULL, 0,
     "carry the limit cycle at the run's first speed along the run's own line to its end: does it go on, die or "
     "derail, "
     "and what does motion from rest come to?",
     APP_FLAG(through)},
    {"keep", 'k', NULL, 0, "keep the last stretch of motion at every speed, for kane view", APP_FLAG(keep)},
    {"sampling", 0, "latin|random", 0, "one sample in each of N parts of a distribution (default), or anywhere",
     APP_WORD(sweep.sampling, 1, sweep_samplings)},
    PLAN_DRY_RUN_OPTION('n'),
    {0},
};

// What only a sweep has.
static void check_single(const arguments *a, struct argp_state *state)
{
    const sweep_options *s = &a->sweep;
    if (s->kind_option || s->has_samples || s->has_seed || s->percentiles.count > 0 || s->with_sobol || a->plan.dry_run)
        argp_error(state, "--grid, --list, --latin-hypercube, --samples, --seed, --percentile, --sobol and --dry-run "
                          "belong to --over");
    if (a->plan.shards > 0 || a->plan.retry_failed || a->plan.files.count > 0)
        argp_error(state, "shards, ranks, --retry-failed and files for tables belong to --over");
}

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    sweep_options_check(&a->sweep, state);
    if (a->through && (a->choice.radius || a->choice.cant || a->from || a->resolution || a->wheelset || a->keep))
        argp_error(state, "with --through line and speed are the run's: no --radius, --cant, --from, --resolution, "
                          "--wheelset or --keep");
    if (a->sweep.over.count == 0)
        check_single(a, state);
    else if (!a->plan.directory && !a->plan.dry_run)
        argp_error(state, "critical speeds --over values of a parameter need a directory: -o DIR");
}

// --- progress ---

static int show(const kane_critical_progress *now, void *data)
{
    const arguments *a = data;
    if (a->plan.is_quiet || !isatty(STDERR_FILENO))
        return app_progress(&(kane_progress){.done = 0.0}, NULL);
    (void)fprintf(stderr, "\r%3.0f %%  %s %8.3f m/s  %6.1f s  %8.4f mm   ", 100.0 * now->done,
                  now->is_check                   ? "fresh run"
                  : now->sweep == KANE_SWEEP_DOWN ? "down     "
                                                  : "up       ",
                  now->speed, now->time, 1e3 * now->amplitude);
    (void)fflush(stderr);
    return app_progress(&(kane_progress){.done = 0.0}, NULL);
}

// --- report ---

// The wheelset that is asked for, or the one that swings most, at every point; what text shows: mm.
static kane_table tabulate_points(const kane_critical_report *r, const char *wheelset)
{
    const int chosen = kane_critical_report_find_wheelset(r, wheelset);
    kane_table t     = kane_table_begin(kane_arena_create(), 10, kane_critical_report_count(r));
    kane_table_add_columns(
        &t, 10,
        (const kane_table_column[]){
            {.name = "sweep", .unit = "", .text = {.width = -5}},
            {.name = "speed", .unit = "m/s", .text = {.digits = 4, .format = 'f'}},
            {.name = "motion", .unit = "", .text = {.width = -11}},
            {.name = "amplitude", .unit = "m", .text = {"amplitude [mm]", 1e3, .digits = 4, .format = 'f'}},
            {.name = "least", .unit = "m", .text = {"least [mm]", 1e3, .digits = 4, .format = 'f'}},
            {.name = "most", .unit = "m", .text = {"most [mm]", 1e3, .digits = 4, .format = 'f'}},
            {.name = "frequency", .unit = "Hz", .text = {.digits = 4, .format = 'f'}},
            {.name = "wheelset", .unit = "", .text = {.width = -20}},
            {.name = "cycles", .unit = "1", .text = {.head = "cycles"}},
            {.name = "fresh run", .unit = "", .text = {.width = -1}}});
    for (int i = 0; i < kane_critical_report_count(r); i++) {
        const kane_critical_point *p   = kane_critical_report_point(r, i);
        const int w                    = chosen < 0 ? p->largest : chosen;
        const kane_critical_swing none = {0}, *is = p->motion == KANE_MOTION_DIED ? &none : &p->swing[w];
        kane_table_add(&t, 10,
                       (const kane_cell[]){kane_cell_word(kane_sweep_name(p->sweep)), kane_cell_number(p->speed),
                                           kane_cell_word(kane_motion_name(p->motion)), kane_cell_number(is->amplitude),
                                           kane_cell_number(is->least), kane_cell_number(is->most),
                                           kane_cell_number(is->frequency),
                                           kane_cell_word(kane_critical_report_wheelset(r, w)),
                                           kane_cell_count(p->cycles), kane_cell_word(kane_check_name(p->check))});
    }
    return t;
}

static void print_speed(FILE *out, const char *what, double speed, const char *otherwise)
{
    if (isfinite(speed))
        (void)fprintf(out, "%s %.4f m/s (%.1f km/h)", what, speed, 3.6 * speed);
    else
        (void)fprintf(out, "%s %s", what, otherwise);
}

// What is printed of a study. Of one that was ended before its time nothing is "none".
typedef struct critical_found {
    const kane_critical_report *report;
    double from;
    int is_ended;
} critical_found;

static void print_result(FILE *out, const void *data)
{
    const critical_found *found   = data;
    const kane_critical_result *r = kane_critical_report_result(found->report);
    const int ended               = found->is_ended;
    static const char unknown[]   = "not known, as the study was ended";
    print_speed(out, "\nlinear critical speed:   ", r->linear,
                ended ? unknown : "none: equilibrium is stable at all of these speeds");
    if (isfinite(r->linear))
        (void)fprintf(out, "%s, %.3f Hz, %s", r->linear > found->from ? "" : " or less", r->linear_frequency,
                      r->linear_mode);
    print_speed(out, "\nnonlinear critical speed:", r->nonlinear, ended ? unknown : "none: no limit cycle was found");
    if (isfinite(r->nonlinear)) {
        if (isfinite(r->none))
            (void)fprintf(out, "; at %.4f m/s motion comes to rest", r->none);
        else
            (void)fprintf(out, " or less: at no slower one has motion come to rest");
    }
    print_speed(out, "\na small disturbance grows from", r->jump, ended ? unknown : "no speed of these on");
    if (isfinite(r->rest))
        (void)fprintf(out, "; at %.4f m/s it dies", r->rest);
    (void)fprintf(out, "\n");
    if (r->unconfirmed > 0)
        (void)fprintf(out, "%d of the fresh runs came to something else than the sweep: see the last column\n",
                      r->unconfirmed);
}

// --- the study ---

static int fill(const arguments *a, kane_critical_study *study, kane_errors *errors)
{
    int good = 1; // all faults of what was typed together
    good     = app_analysis_take(a->from, "from", "m/s", &study->from, errors) && good;
    good     = app_analysis_take(a->to, "to", "m/s", &study->to, errors) && good;
    good     = app_analysis_take(a->step, "step", "m/s", &study->step, errors) && good;
    good     = app_analysis_take(a->resolution, "resolution", "m/s", &study->resolution, errors) && good;
    good     = app_analysis_take(a->disturbance, "disturbance", "m", &study->disturbance, errors) && good;
    if (good && a->to && study->to == 0.0) { // which would mean: not given
        kane_errors_add(errors, KANE_BAD_INPUT, "--to %s: the fastest speed must be positive", a->to);
        good = 0;
    }
    return good;
}

static exit_code find_single(const arguments *a, const kane_critical_study *study, kane_errors *errors)
{
    app_catch_interrupt();
    kane_critical_report *report = kane_critical_find(study, errors);
    if (!a->plan.is_quiet)
        app_progress_end();
    if (!report)
        return app_fail(errors);
    const critical_found found   = {report, study->from, errors->count > 0};
    const kane_table table       = tabulate_points(report, a->wheelset);
    const kane_table_report text = {.table_count = 1, .tables = &table, .below = print_result, .data = &found};
    const int good               = app_write_report(&(app_outputs){0}, KANE_TABLE_TEXT, &text, errors);
    kane_arena_free(table.arena);
    if (good && !a->plan.is_quiet)
        (void)fprintf(stderr, "table, summary and picture are in %s\n", study->directory);
    kane_critical_report_free(report);
    return errors->count > 0 ? app_fail(errors) : EXIT_DONE;
}

static exit_code carry_single(const arguments *a, const kane_critical_study *study, kane_errors *errors)
{
    kane_passage passage;
    char text[1024];
    const kane_status status = kane_critical_pass(study, &passage, errors);
    if (status != KANE_OK)
        return app_fail(errors);
    kane_passage_describe(&passage, sizeof text, text);
    (void)printf("%s\n", text);
    if (!a->plan.is_quiet && passage.motion == KANE_MOTION_SETTLED)
        (void)fprintf(stderr, "table and picture are in %s\n", study->directory);
    return EXIT_DONE;
}

int command_critical(int argc, char **argv)
{
    arguments a        = {.plan = {.is_directory_optional = 1}};
    kane_errors errors = {0};
    char directory[300], stem[256];
    plan_options_parse(
        options, APP_PART(sweep_option_rows, sweep), check_arguments,
        "Finds the limit cycles of a vehicle over speed: down from the fastest speed until the motion dies, which is "
        "the nonlinear critical speed, and up from the slowest one until a small disturbance grows; confirms them by "
        "fresh runs, tabulates and draws them beside the linear critical speed. With --over: the critical speeds over "
        "values of parameters. With --through: what becomes of a limit cycle on the run's own line. "
        "-o: by default RUN.critical.",
        argc, argv, &a);

    if (a.sweep.over.count == 0 && a.plan.worker_pool) {
        (void)fprintf(stderr, "kane critical: several ranks belong to --over\n");
        return EXIT_USAGE;
    }

    app_analysis analysis;
    a.choice.file     = a.plan.file;
    a.choice.settings = a.plan.settings;
    a.choice.omit     = a.plan.omit;
    if (!app_analysis_open(&a.choice, &analysis, &errors))
        return app_fail(&errors);
    app_file_stem(a.choice.file, sizeof stem, stem);
    (void)snprintf(directory, sizeof directory, "%s.critical", stem);
    kane_critical_study study = kane_critical_study_default();
    study.run                 = kane_run_get_definition(analysis.run);
    study.curvature           = analysis.where.curvature;
    study.superelevation      = analysis.where.superelevation;
    study.wheelset            = a.wheelset;
    study.threads             = a.plan.workers;
    study.keep                = a.keep;
    study.directory           = a.plan.directory ? a.plan.directory : directory;
    if (a.sweep.over.count == 0) {
        study.progress = show;
        study.data     = &a;
    }
    const int good       = fill(&a, &study, &errors);
    critical_map map     = {study, &a.choice, analysis.radius, analysis.cant};
    const exit_code code = !good ? app_fail(&errors)
                           : a.sweep.over.count > 0
                               ? critical_map_carry_out(&map, a.through, &a.sweep, &a.plan, &errors)
                           : a.through ? carry_single(&a, &study, &errors)
                                       : find_single(&a, &study, &errors);
    app_analysis_close(&analysis);
    return code;
}
