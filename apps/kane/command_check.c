// SPDX-License-Identifier: MIT
// kane check: validates files and reports what a run consists of.

#include "check.h"
#include "launch.h"
#include "wheelset.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

typedef struct arguments {
    const char *file;
    int jacobian, channels;
    app_texts settings;
    app_outputs outputs;
} arguments;

static const app_option options[] = {
    {"jacobian", 'j', NULL, 0, "compare the Jacobian with plain differences, at the start and along the run",
     APP_FLAG(jacobian)},
    {"channels", 'c', NULL, 0, "list all channels that can be recorded", APP_FLAG(channels)},
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value, as in \"kane run\"", APP_TEXTS(settings)},
    APP_TABLE_OPTION("also: ", outputs),
    {0},
};

static void report_dof(const kane_run_definition *run, const kane_model *model)
{
    if (run->track)
        (void)printf("%s on %s, %s frames\n", run->vehicle->name, kane_track_get_definition(run->track)->name,
                     run->model.formulation == KANE_MOVING ? "moving" : "fixed");
    else
        (void)printf("%s\n", run->vehicle->name);
    int flexible = 0, modes = 0, interfaces = 0;
    for (int i = 0; i < run->vehicle->body_count; i++) {
        const kane_deformable *d = run->vehicle->bodies[i].deformable;
        flexible += d != NULL;
        modes += d ? d->mode_count : 0;
        interfaces += d ? d->point_count : 0;
    }
    const int bodies = kane_model_body_count(model) - modes - interfaces;
    const int dof = kane_model_dof_count(model), states = kane_model_state_count(model);
    (void)printf("%d %s, %d %s, %d %s\n", bodies, app_plural(bodies, (app_noun){"body", "bodies"}), dof,
                 app_plural(dof, (app_noun){"degree of freedom", "degrees of freedom"}), states,
                 app_plural(states, (app_noun){"state", "states"}));
    if (flexible > 0)
        (void)printf("%d of them %s flexible: %d %s, %d %s\n", flexible, flexible == 1 ? "is" : "are", modes,
                     app_plural(modes, (app_noun){"mode", "modes"}), interfaces,
                     app_plural(interfaces, (app_noun){"interface", "interfaces"}));
    for (int i = 0; i < kane_model_redundant_count(model); i++)
        (void)printf(
            "redundant: '%s' says in part what other joints and constraints say; how they share that load is not "
            "determined\n",
            kane_model_redundant_name(model, i));
    if (run->track && kane_track_get_definition(run->track)->is_flexible)
        (void)printf("flexible track: a panel under each wheelset is counted as a body with 3 degrees of freedom\n");
}

// Rounding of the solution shows as 0, and so does -0.
static double tidy(double load, double largest)
{
    return fabs(load) <= 1e-9 * largest ? 0.0 : load;
}

// --- tables: on standard output, and in the files that are asked for ---

// Below an empty line, if there are any rows; outputs NULL: in no files.
static void write_tables(const app_outputs *outputs, kane_arena *arena, int count, const kane_table *tables,
                         kane_errors *errors)
{
    const kane_table_report report = {.table_count = count, .tables = tables};
    int shown                      = !arena || kane_arena_failed(arena); // which is an error
    for (int i = 0; i < count; i++)
        shown = shown || tables[i].rows > 0;
    if (shown)
        (void)printf("\n");
    if (shown && !app_write_report(&(app_outputs){0}, KANE_TABLE_TEXT, &report, errors))
        return;
    if (outputs)
        (void)app_write_report(outputs, KANE_TABLE_FORMATS, &report, errors);
}

static kane_table begin_loads(kane_arena *arena, const char *title, const char *about, int count,
                              const kane_table_column *columns)
{
    kane_table t = kane_table_begin(arena, count, 16);
    t.title      = title;
    t.about      = about;
    kane_table_add_columns(&t, count, columns);
    return t;
}

static kane_table tabulate_elements(kane_arena *arena, const kane_vehicle_definition *vehicle, const kane_model *model)
{
    double largest = 0.0;
    kane_table t =
        begin_loads(arena, "elements", "static loads of elements, on the second body, axes of the law", 4,
                    (const kane_table_column[]){{.name = "element", .unit = "", .text = {.gap = 2, .width = -36}},
                                                {.name = "x", .unit = "N"},
                                                {.name = "y", .unit = "N"},
                                                {.name = "z", .unit = "N"}});
    for (int i = 0; i < vehicle->element_count; i++)
        largest = fmax(largest, kv3_norm(kane_model_static_load(model, i)));
    for (int i = 0; i < vehicle->element_count; i++) {
        const kane_vec3 load = kane_model_static_load(model, i);
        kane_table_put(&t, kane_cell_word(vehicle->elements[i].block.name));
        kane_table_add_numbers(&t, 3,
                               (const double[]){tidy(load.x, largest), tidy(load.y, largest), tidy(load.z, largest)});
    }
    return t;
}

static kane_table tabulate_wheels(kane_arena *arena, const kane_model *model)
{
    double load[2];
    kane_table t =
        begin_loads(arena, "wheels", "static wheel loads", 3,
                    (const kane_table_column[]){{.name = "wheelset", .unit = "", .text = {.gap = 2, .width = -36}},
                                                {.name = "left", .unit = "N", .text = {.digits = 8}},
                                                {.name = "right", .unit = "N", .text = {.digits = 8}}});
    for (int j = 0; j < kane_model_body_count(model); j++) {
        if (kane_model_wheel_load(model, j, load) != KANE_OK)
            continue;
        const double largest = fmax(fabs(load[KANE_LEFT]), fabs(load[KANE_RIGHT]));
        kane_table_put(&t, kane_cell_word(kane_model_body_name(model, j)));
        kane_table_add_numbers(&t, 2,
                               (const double[]){tidy(load[KANE_LEFT], largest), tidy(load[KANE_RIGHT], largest)});
    }
    return t;
}

static kane_table tabulate_channels(kane_arena *arena, const kane_channels *all, kane_channel_group group,
                                    int on_ground)
{
    const char *name = kane_channel_group_name(group);
    kane_table t     = begin_loads(arena, name, NULL, 3,
                                   (const kane_table_column[]){{.name = "channel", .text = {.gap = 2, .width = -44}},
                                                               {.name = "unit", .text = {.width = -1}},
                                                               {.name = "description", .text = {.width = -1}}});
    t.about          = kane_table_text(&t, "%s%s: %s", name,
                              kane_channel_group_is_default(group, on_ground) ? " (recorded by default)" : "",
                                       kane_channel_group_help(group));
    for (int i = 0; i < kane_channels_count(all); i++) {
        const kane_channel_info *info = kane_channels_info(all, i);
        if (strcmp(info->group, name) == 0)
            kane_table_add(&t, 3,
                           (const kane_cell[]){kane_cell_word(kane_table_text(&t, "%s", info->name)),
                                               kane_cell_word(kane_table_text(&t, "%s", info->unit)),
                                               kane_cell_word(kane_table_text(&t, "%s", info->description))});
    }
    return t;
}

// All tables of a model and, of a simulation, the channels that can be recorded. Files are of what the file itself says,
// not of a variant.
static void report_tables(const arguments *a, const kane_run_definition *run, const kane_model *model,
                          const kane_simulation *simulation, int is_variant, kane_errors *errors)
{
    static const char *const all[] = {"*"};
    kane_arena *arena              = kane_arena_create();
    kane_table tables[CHECK_TOPOLOGY_TABLES + 3 + KANE_CHANNEL_GROUPS];
    int count               = kane_check_topology(arena, run, model, tables);
    kane_channels *channels = simulation ? kane_channels_create(simulation, 1, all, NULL, errors) : NULL;
    tables[count++]         = tabulate_elements(arena, run->vehicle, model);
    tables[count++]         = tabulate_wheels(arena, model);
    if (run->file && run->track)
        tables[count++] = kane_check_kinks(arena, run->track);
    for (int group = 0; channels && group < KANE_CHANNEL_GROUPS; group++)
        tables[count++] = tabulate_channels(arena, channels, (kane_channel_group)group, run->track == NULL);
    write_tables(is_variant ? NULL : &a->outputs, arena, count, tables, errors);
    kane_channels_free(channels);
    kane_arena_free(arena);
}

// A profile by points, and what is remarkable about it.
static void report_profile(const kane_profile *profile)
{
    if (!profile || profile->shape != KANE_SHAPE_POINTS)
        return;
    kane_errors remarks = {0};
    char text[1200];
    (void)printf("  %s: %d points, smoothing %g mm\n", profile->name, profile->count, 1e3 * profile->smoothing);
    (void)kane_profile_left_out(profile, &remarks);
    (void)kane_profile_leans(profile, &remarks);
    (void)kane_profile_kinks(profile, APP_KINK, &remarks);
    for (int i = 0; i < remarks.kept; i++) {
        (void)kane_error_format(kane_errors_get(&remarks, i), sizeof text, text);
        (void)printf("    %s\n", text);
    }
    if (remarks.count > remarks.kept)
        (void)printf("    ... and %d more\n", remarks.count - remarks.kept);
    kane_errors_free(&remarks);
}

// The profiles of a run that come from files, each once for rails and each once for wheels.
static void report_profiles(const kane_run_definition *run)
{
    int wheelsets = 0;
    for (int i = 0; i < run->vehicle->body_count; i++)
        wheelsets += run->vehicle->bodies[i].wheels != NULL;
    if (wheelsets == 0 || !run->track)
        return;
    const kane_track_definition *track = kane_track_get_definition(run->track);
    (void)printf("\nprofiles\n  rails: %s%s%s\n", track->rail[0]->name, track->rail[1] ? ", right " : "",
                 track->rail[1] ? track->rail[1]->name : "");
    report_profile(track->rail[0]);
    report_profile(track->rail[1]);
    const kane_profile *before[2] = {NULL, NULL};
    for (int i = 0; i < run->vehicle->body_count; i++) {
        const kane_wheels_definition *w = run->vehicle->bodies[i].wheels;
        if (!w)
            continue;
        (void)printf("  %s: %s%s%s\n", run->vehicle->bodies[i].block.name, w->profile[0]->name,
                     w->profile[1] ? ", right " : "", w->profile[1] ? w->profile[1]->name : "");
        for (int side = 0; side < 2; side++)
            if (w->profile[side] != before[side])
                report_profile(before[side] = w->profile[side]);
    }
}

// Largest acceleration at the start: how well it rests.
static void report_rest(kane_simulation *simulation, const kane_model *model)
{
    const kane_work *work = kane_simulation_work(simulation);
    double most           = 0.0;
    for (int j = 0; j < kane_model_body_count(model); j++) {
        kane_vec3 p, alpha;
        kane_get_absolute(model, work, j, NULL, NULL, &p, &alpha);
        most = fmax(most, fmax(fabs(p.y), fabs(p.z)));
        most = fmax(most, kv3_norm(alpha));
    }
    (void)printf("\nlargest acceleration across the track at the start: %.3g m/s^2 or rad/s^2\n", most);
    const char *why;
    if (kane_simulation_began(simulation, &why) == KANE_START_UNBALANCED)
        (void)printf("it starts in the static position, not in equilibrium: %s\n", why);
}

static kane_status report_jacobian(kane_simulation *simulation, const kane_model *model, kane_errors *errors)
{
    const int states = kane_model_state_count(model);
    if (states == 0)
        (void)printf("\nJacobian: none, the model has no states\n");
    for (int i = 0; i < 6 && states > 0 && kane_simulation_stop(simulation) == KANE_STOP_NONE; i++) {
        double worst;
        int row, column, entries;
        char a[128], b[128];
        kane_status status = kane_simulation_check_jacobian(simulation, &worst, &row, &column, &entries, errors);
        if (status != KANE_OK)
            return status;
        if (i == 0)
            (void)printf("\nJacobian: %d of %d entries stored (%.0f %%)\n", entries, states * states,
                         100.0 * entries / ((double)states * states));
        kane_state_name(model, row, sizeof a, a);
        kane_state_name(model, column, sizeof b, b);
        (void)printf("  at %8.3f s: largest difference to plain differences %.2e of its row, at d(%s)/d(%s)\n",
                     kane_simulation_time(simulation), worst, a, b);
        status = kane_simulation_advance(simulation, 1.5 * (i + 1), errors);
        if (status != KANE_OK)
            return status;
    }
    return KANE_OK;
}

static exit_code check_run(const arguments *a, kane_errors *errors)
{
    const kane_run_options how = {.settings = a->settings.texts};
    kane_run *run              = kane_run_read(a->file, &how, errors);
    if (!run)
        return app_fail(errors);
    const kane_run_definition *d = kane_run_get_definition(run);
    kane_model *model            = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, errors);
    kane_simulation *simulation  = model ? kane_simulation_create(model, &d->settings, &d->conditions, errors) : NULL;
    // the patterns of the run must mean something too
    kane_channels *channels = simulation ? kane_channels_create(simulation, d->output.pattern_count, d->output.patterns,
                                                                d->output.places, errors)
                                         : NULL;
    if (channels) {
        report_dof(d, model);
        report_profiles(d);
        report_tables(a, d, model, a->channels ? simulation : NULL, 0, errors);
        if (d->track)
            report_rest(simulation, model);
        if (d->track)
            kane_report_files(d->track, stdout);
        kane_check_warnings(d, model, errors);
        const int count = kane_channels_count(channels);
        (void)printf("%d %s will be recorded every %g s\n", count, app_plural(count, (app_noun){"channel", "channels"}),
                     d->output.every);
        if (a->jacobian)
            (void)report_jacobian(simulation, model, errors);
    }
    kane_channels_free(channels);
    kane_simulation_free(simulation);
    kane_model_free(model);
    kane_run_free(run);
    return errors->count > 0 ? app_fail(errors) : EXIT_DONE;
}

// A vehicle or a mechanism as its file has it, or a variant of it. A vehicle: does it rest on straight level track?
static void check_variant(const arguments *a, const kane_vehicle_options *how, kane_errors *errors)
{
    kane_run_definition run = {.drive = kane_drive_definition_default(), .model = kane_model_options_default()};
    const int is_on_track   = how->kind == KANE_VEHICLE;
    kane_vehicle *vehicle   = kane_vehicle_read(a->file, how, errors);
    run.vehicle             = vehicle ? kane_vehicle_get_definition(vehicle) : NULL;
    kane_profile round;
    kane_track *track = NULL;
    if (vehicle && is_on_track) {
        const kane_track_definition rails = app_usual_rails(app_cone_of(run.vehicle), &round);
        track                             = app_straight_track(&rails, errors);
        run.vehicle_parts                 = kane_vehicle_get_parts(vehicle);
        run.drive.start                   = APP_STRAIGHT_MIDDLE;
    }
    run.track         = track;
    kane_model *model = vehicle && (track || !is_on_track)
                            ? kane_model_create(run.vehicle, track, &run.drive, &run.model, errors)
                            : NULL;
    if (track && !model && !how->variant)
        (void)fprintf(stderr,
                      "'%s' was stood on straight level track with a gauge of %g mm; for other track check a run\n",
                      a->file, 1e3 * kane_track_get_definition(track)->gauge);
    if (model && how->variant)
        (void)printf("\nvariant \"%s\"\n", how->variant);
    if (model) {
        report_dof(&run, model);
        report_profiles(&run);
        report_tables(a, &run, model, NULL, how->variant != NULL, errors);
        kane_check_warnings(&run, model, errors);
    }
    kane_model_free(model);
    kane_track_free(track);
    kane_vehicle_free(vehicle);
}

// The file as it stands and with each of its variants; `root` is its text.
static exit_code check_vehicle(const arguments *a, kane_vehicle_kind kind, const kane_node *root, kane_errors *errors)
{
    const kane_node *variants = kane_node_find(root, "variants");
    const kane_node *variant  = variants && variants->kind == KANE_NODE_OBJECT ? variants->child : NULL;
    kane_vehicle_options how  = {.kind = kind, .settings = a->settings.texts, .variant_place = {a->file, 0, 0, ""}};
    check_variant(a, &how, errors);
    for (; variant; variant = variant->next) {
        if (variant->kind != KANE_NODE_LIST || strcmp(variant->key, "note") == 0)
            continue;
        how.variant = variant->key;
        check_variant(a, &how, errors);
    }
    kane_errors_drop_repeated(errors);
    return errors->count > 0 ? app_fail(errors) : EXIT_DONE;
}

static exit_code check_track(const arguments *a, kane_errors *errors)
{
    kane_track *track = kane_track_read(a->file, a->settings.texts, errors);
    if (!track)
        return app_fail(errors);
    const kane_track_definition *d = kane_track_get_definition(track);
    const int pieces               = kane_track_piece_count(track);
    (void)printf("%s: from %g m to %g m in %d %s\n", d->name, d->start, d->start + kane_track_length(track), pieces,
                 app_plural(pieces, (app_noun){"piece", "pieces"}));
    kane_report_files(track, stdout);
    kane_arena *arena      = kane_arena_create();
    const kane_table kinks = kane_check_kinks(arena, track);
    write_tables(&a->outputs, arena, 1, &kinks, errors);
    kane_arena_free(arena);
    kane_check_line_warnings(track, a->file);
    kane_track_free(track);
    return errors->count > 0 ? app_fail(errors) : EXIT_DONE;
}

// What the file says it is, by its first letter: "vehicle" (a train is checked as one), "mechanism", "track", "study"
// or anything else (a run, or not known).
static char kind_of(const kane_node *root)
{
    const kane_node *kane = kane_node_find(root, "kane");
    const int is_train    = kane && strncmp(kane->text, "train ", 6) == 0;
    return is_train ? 'v' : kane ? kane->text[0] : 'r';
}

// One run of a study with the settings of all.
static exit_code check_study_run(const study_file *study, const kane_omission_run *is, kane_errors *errors)
{
    const char *settings[2 * APP_TEXTS_MOST + 1];
    int count = 0;
    for (int i = 0; i < study->count && count < APP_TEXTS_MOST; i++)
        if (strcmp(study->values[i].option, "set") == 0)
            settings[count++] = strchr(study->values[i].text, '=') + 1; // "--set=PATH=VALUE"
    for (int i = 0; is->settings && is->settings[i] && count < 2 * APP_TEXTS_MOST; i++)
        settings[count++] = is->settings[i];
    settings[count]            = NULL;
    const kane_run_options how = {.settings = settings};
    kane_run *run              = kane_run_read(is->file, &how, errors);
    if (!run)
        return app_fail(errors);
    const kane_run_definition *d = kane_run_get_definition(run);
    kane_model *model            = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, errors);
    (void)printf("run %s: ", is->name);
    if (model)
        report_dof(d, model);
    kane_model_free(model);
    kane_run_free(run);
    return errors->count > 0 ? app_fail(errors) : EXIT_DONE;
}

// A study file: each of its runs, then the study as its command checks it before the first case.
static exit_code check_study(const arguments *a, kane_errors *errors)
{
    static char self[] = "kane check", listing[] = "--dry-run";
    char *const argv[] = {self, (char *)(uintptr_t)a->file, listing};
    study_file study   = {0};
    exit_code code     = EXIT_DONE;
    if (a->outputs.count > 0 || a->settings.count > 0 || a->channels || a->jacobian)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s: a study is checked without options; check one of its runs",
                        a->file);
    else if (study_file_read(2, (char *[]){argv[0], argv[1], NULL}, &study, errors))
        for (int i = 0; i < study.run_count && code == EXIT_DONE; i++)
            code = check_study_run(&study, &study.runs[i], errors);
    study_file_free(&study);
    if (errors->count > 0)
        return app_fail(errors);
    return code == EXIT_DONE ? (exit_code)study_omit(3, (char *[]){argv[0], argv[1], argv[2], NULL}) : code;
}

static exit_code check_file(const arguments *a, const kane_node *root, kane_errors *errors)
{
    switch (kind_of(root)) {
    case 'v': return check_vehicle(a, KANE_VEHICLE, root, errors);
    case 'm': return check_vehicle(a, KANE_MECHANISM, root, errors);
    case 't': return check_track(a, errors);
    case 's': return check_study(a, errors);
    default: return check_run(a, errors);
    }
}

int command_check(int argc, char **argv)
{
    static const app_command command = APP_COMMAND(
        options, "FILE.json", "file", file, 0, NULL,
        "Validates a run file with its vehicle or train and its track, or its mechanism (or one of these "
        "files alone, or a study file with its runs) and reports degrees of freedom, static loads and how well "
        "the vehicle rests.");
    arguments a        = {0};
    kane_errors unread = {0}, errors = {0}; // of the reader of a text reports its faults
    app_parse(&command, argc, argv, &a);
    kane_arena *arena     = kane_arena_create();
    const kane_node *root = arena ? kane_json_read(arena, a.file, &unread) : NULL;
    if (!arena)
        (void)kane_no_memory(&unread);
    const exit_code end = root ? check_file(&a, root, &errors) : app_fail(&unread);
    kane_arena_free(arena);
    kane_errors_free(&unread);
    kane_errors_free(&errors);
    return end;
}
