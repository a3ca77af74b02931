// SPDX-License-Identifier: MIT
// The compiled model of a run as C that needs no library: what is made, and in which files.

#include "export/export.h"

#include <kane/outside.h>
#include <kane/state.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "simulate/simulation.h"

#include <stdio.h>
#include <string.h>

// A run in memory, with the record of what it took.
typedef struct staged {
    kane_memory_record *record;
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation; // integrated from outside
    kane_channels *channels;
    kane_arena *arena;
    kane_fixed_run *steps; // NULL: no stepper
} staged;

static void close_staged(staged *s)
{
    kane_memory_end(s->record);
    kane_fixed_run_free(s->steps);
    kane_arena_free(s->arena);
    kane_channels_free(s->channels);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
    kane_memory_free(s->record);
}

// Sets the simulation to the state file of another run, if the run starts from one. 0 with an error.
static int resume_state(const staged *s, const kane_run_definition *d, kane_errors *errors)
{
    kane_state *state = d->from_state ? kane_state_read(d->from_state, s->model, errors) : NULL;
    const int good    = !d->from_state || (state && kane_simulation_resume(s->simulation, state, errors) == KANE_OK);
    kane_state_free(state);
    return good;
}

static int check_stepper(const kane_settings *settings, kane_errors *errors)
{
    if (settings->integrator ||
        (settings->method != KANE_SEMI_IMPLICIT && settings->method != KANE_IMEX && settings->method != KANE_BDF2)) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "the run's method is %s; steps of fixed cost have %s, %s and %s: -s integrator.method=%s -s "
                        "integrator.step=1ms",
                        settings->integrator ? settings->integrator->name : kane_method_names[settings->method],
                        kane_method_names[KANE_SEMI_IMPLICIT], kane_method_names[KANE_IMEX],
                        kane_method_names[KANE_BDF2], kane_method_names[KANE_BDF2]);
        return 0;
    }
    if (settings->normal_forces != KANE_NORMAL_FORCES_COUPLED) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "steps have no lagged normal forces: -s integrator.normal_forces=coupled");
        return 0;
    }
    if (settings->step > 0.0 && isfinite(settings->step))
        return 1;
    kane_errors_add(errors, KANE_BAD_INPUT, "steps need a length: -s integrator.step=1ms");
    return 0;
}

static int create_steps(staged *s, const kane_settings *settings, kane_errors *errors)
{
    s->arena = kane_arena_create();
    if (!s->arena)
        (void)kane_no_memory(errors);
    else
        s->steps = kane_fixed_run_create(s->arena, s->model, settings, s->channels, kane_simulation_time(s->simulation),
                                         kane_simulation_state(s->simulation), s->simulation->work, errors);
    return s->steps != NULL;
}

static int create_channels(staged *s, const kane_export_c_options *options, const kane_output_definition *output,
                           kane_errors *errors)
{
    const int own                  = options->pattern_count > 0;
    const int count                = own ? options->pattern_count : output->pattern_count;
    const char *const *patterns    = own ? options->patterns : output->patterns;
    const kane_place *const places = own ? NULL : output->places;
    s->channels = options->stepper ? kane_channels_create_model(s->model, count, patterns, places, errors)
                                   : kane_channels_create(s->simulation, count, patterns, places, errors);
    return s->channels != NULL;
}

// Part 0: constants; part 1: memory that evaluations write to.
static int open_staged(staged *s, const char *file, const kane_export_c_options *options, kane_errors *errors)
{
    const kane_run_options how = {.settings = options->settings, .omit = options->omit};
    *s                         = (staged){.record = kane_memory_begin()};
    if (!s->record) {
        (void)kane_no_memory(errors);
        return 0;
    }
    s->run   = kane_run_read(file, &how, errors);
    s->model = s->run ? kane_run_create_model(s->run, errors) : NULL;
    if (!s->model)
        return 0;
    if (s->model->track)
        kane_track_tabulate(s->model->track); // constants of what is written
    const kane_run_definition *d = kane_run_get_definition(s->run);
    kane_settings settings       = d->settings;
    if (options->stepper && !check_stepper(&d->settings, errors))
        return 0;
    settings.integrator   = kane_outside_integrator();
    settings.rods.inertia = KANE_RODS_EXACT;
    kane_memory_part(s->record, 1);
    s->simulation = kane_simulation_create(s->model, &settings, &d->conditions, errors);
    if (!s->simulation || !resume_state(s, d, errors))
        return 0;
    const int good =
        create_channels(s, options, &d->output, errors) && (!options->stepper || create_steps(s, &d->settings, errors));
    kane_memory_end(s->record);
    return good;
}

// --- files ---

// Begins DIR/NAME; `name` may be of any length that fits.
static int begin_file(kane_replacement *r, const kane_export_c_options *options, const char *name, kane_errors *errors)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", options->directory, name);
    return kane_replacement_open(r, path, errors) == KANE_OK;
}

static int write_tables(const kane_export_c_options *options, const kane_image *image, const kane_layout *layout,
                        kane_kernels *kernels, kane_errors *errors)
{
    char name[512];
    kane_replacement r;
    (void)snprintf(name, sizeof name, "%s_tables.c", options->name);
    if (!begin_file(&r, options, name, errors))
        return 0;
    (void)fprintf(r.file,
                  "// SPDX-License-Identifier: MIT\n// The compiled model of %s, written by \"kane export c\".\n\n",
                  options->name);
    if (kane_tables_write(r.file, options->name, image, layout, kernels, errors))
        return kane_replacement_close(&r, errors) == KANE_OK;
    kane_replacement_drop(&r);
    return 0;
}

typedef void face_part(FILE *file, const kane_export_interface *interface);

static int write_part(const kane_export_c_options *options, const char *name, face_part *part,
                      const kane_export_interface *interface, kane_errors *errors)
{
    kane_replacement r;
    if (!begin_file(&r, options, name, errors))
        return 0;
    part(r.file, interface);
    return kane_replacement_close(&r, errors) == KANE_OK;
}

static int write_stepper_face(const kane_export_c_options *options, const char *header, const char *source,
                              const kane_export_interface *interface, kane_errors *errors)
{
    return write_part(options, header, kane_export_stepper_write_header, interface, errors) &&
           write_part(options, source, kane_export_stepper_write_source, interface, errors) &&
           write_part(options, "example.c", kane_export_stepper_write_example, interface, errors) &&
           write_part(options, "deadline.c", kane_export_stepper_write_deadline, interface, errors) &&
           write_part(options, "Makefile", kane_export_stepper_write_makefile, interface, errors);
}

static int write_face(const kane_export_c_options *options, const kane_export_interface *interface, kane_errors *errors)
{
    char header[512], source[512];
    (void)snprintf(header, sizeof header, "%s.h", options->name);
    (void)snprintf(source, sizeof source, "%s.c", options->name);
    if (interface->steps)
        return write_stepper_face(options, header, source, interface, errors);
    return write_part(options, header, kane_export_interface_write_header, interface, errors) &&
           write_part(options, source, kane_export_interface_write_source, interface, errors) &&
           write_part(options, "example.c", kane_export_interface_write_example, interface, errors) &&
           write_part(options, "Makefile", kane_export_interface_write_makefile, interface, errors);
}

// Place of a root: in the constants, or in the memory of an instance.
static size_t place_of(const kane_image *image, const kane_layout *layout, int root)
{
    return layout->place[image->roots[root]];
}

static void find_places(kane_export_interface *interface, const kane_image *image, const kane_layout *layout)
{
    interface->memory = layout->memory;
    if (interface->steps) {
        interface->steps_at = place_of(image, layout, 0);
        return;
    }
    interface->simulation_at = place_of(image, layout, 0);
    interface->channels_at   = place_of(image, layout, 1);
    interface->model_at      = place_of(image, layout, 2);
    interface->work_at       = place_of(image, layout, 3);
}

static int write_all(kane_arena *arena, const char *run_file, const kane_export_c_options *options, const staged *first,
                     const staged *second, kane_errors *errors)
{
    const void *roots[]   = {first->simulation, first->channels, first->model, first->simulation->work};
    const void *twins[]   = {second->simulation, second->channels, second->model, second->simulation->work};
    const void *step_root = first->steps;
    const void *step_twin = second->steps;
    const int is_stepper  = first->steps != NULL;
    kane_symbols *symbols = kane_symbols_read(arena, options->symbols, errors);
    const kane_image *image =
        symbols ? kane_image_create(arena, symbols, first->record, second->record, is_stepper ? 1 : 4,
                                    is_stepper ? &step_root : roots, is_stepper ? &step_twin : twins, errors)
                : NULL;
    const kane_layout *layout       = image ? kane_layout_make(arena, image) : NULL;
    kane_kernels *kernels           = layout ? kane_kernels_read(arena, options->kernels, errors) : NULL;
    kane_export_interface interface = {.name       = options->name,
                                       .run        = run_file,
                                       .simulation = first->simulation,
                                       .channels   = first->channels,
                                       .steps      = first->steps,
                                       .method =
                                           kane_method_names[kane_run_get_definition(first->run)->settings.method]};
    if (!kernels || kane_directory_make(options->directory, errors) != KANE_OK ||
        !write_tables(options, image, layout, kernels, errors) ||
        !(is_stepper ? kane_export_stepper_query(kernels, errors)
                     : kane_export_interface_query(&interface, kernels, errors)))
        return 0;
    find_places(&interface, image, layout);
    interface.kernels = kane_kernels_write(kernels, options->directory, &interface.kernel_count, errors);
    return interface.kernels && write_face(options, &interface, errors);
}

int kane_export_c_allows(const char *name)
{
    // names of files, what makefiles build, and what the example and the functions are made of
    // clang-format off
    static const char *const used[] = {
        "after", "all", "argc", "argv", "at", "before", "build", "clean", "every", "example", "fail",
        "find_crossing", "has_crossed", "k", "length", "makefile", "Makefile", "memory", "memory_size",
        "GNUmakefile", "print_head", "print_row", "step", "libkane", "trial", "values", "y", "z", "deadline",
        "count", "exchange", "now", "sleep_until", "nanoseconds", "asked", "repeats", "steps", "taken",
        "period", "late", "longest", "longest_step", "overruns", "take_steps", "print_lengths",
        "compare_lengths", "ask_for_priority", "lengths", "run", "run_steps", "time", "counted", "errors",
        "errors_size", "first_error", "errors_limit",
    };
    // clang-format on
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        if (strcmp(name, used[i]) == 0)
            return 0;
    return kane_identifier_valid(name) && !kane_identifier_reserved(name) && strncmp(name, "kane", 4) != 0;
}

kane_status kane_export_c(const char *run_file, const kane_export_c_options *options, kane_errors *errors)
{
    const int before = errors->count;
    if (!kane_export_c_allows(options->name)) {
        char name[64];
        kane_text text = kane_text_start(sizeof name, name);
        kane_text_quote(&text, '\'', options->name);
        kane_errors_add(
            errors, KANE_BAD_ARGUMENT,
            "a model cannot be called %s: it must be a letter with letters, digits and _ behind it, and no word of "
            "C, its headers or the files that are written",
            name);
        return KANE_BAD_ARGUMENT;
    }
    kane_arena *arena = kane_arena_create();
    staged first = {0}, second = {0};
    const int good = arena && open_staged(&first, run_file, options, errors) &&
                     open_staged(&second, run_file, options, errors) &&
                     write_all(arena, run_file, options, &first, &second, errors);
    close_staged(&second);
    close_staged(&first);
    kane_arena_free(arena);
    if (!good && errors->count == before)
        (void)kane_no_memory(errors);
    return good ? KANE_OK : kane_errors_status(errors, before);
}
