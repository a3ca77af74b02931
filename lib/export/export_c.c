// SPDX-License-Identifier: MIT
// The compiled model of a run as C that needs no library.

#include "export/export.h"

#include <kane/outside.h>

#include "base/arena.h"
#include "export/image.h"

#include <stdio.h>
#include <string.h>

// A run in memory, with the record of what it took.
typedef struct staged {
    kane_record *record;
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation; // integrated from outside
    kane_channels *channels;
} staged;

static void close_staged(staged *s)
{
    kane_record_end(s->record);
    kane_channels_free(s->channels);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
    kane_record_free(s->record);
}

// Part 0: what stays as it is; part 1: what evaluations write to.
static int open_staged(staged *s, const char *file, const kane_export_c_options *options, kane_errors *errors)
{
    const kane_run_options how = {.settings = options->settings, .omit = options->omit};
    *s                         = (staged){.record = kane_record_begin()};
    if (!s->record) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return 0;
    }
    s->run   = kane_run_read(file, &how, errors);
    s->model = s->run ? kane_run_create_model(s->run, errors) : NULL;
    if (!s->model)
        return 0;
    const kane_run_definition *d = kane_run_get_definition(s->run);
    kane_settings settings       = d->settings;
    settings.integrator          = kane_outside_integrator();
    settings.rods.inertia        = KANE_RODS_EXACT;
    kane_record_part(s->record, 1);
    s->simulation = kane_simulation_create(s->model, &settings, &d->conditions, errors);
    if (!s->simulation)
        return 0;
    s->channels = options->pattern_count
                      ? kane_channels_create(s->simulation, options->pattern_count, options->patterns, NULL, errors)
                      : kane_channels_create(s->simulation, d->output.pattern_count, d->output.patterns,
                                             d->output.places, errors);
    kane_record_end(s->record);
    return s->channels != NULL;
}

kane_status kane_export_c(const char *run_file, const kane_export_c_options *options, kane_errors *errors)
{
    staged first, second = {0};
    kane_arena *arena     = kane_arena_create();
    kane_symbols *symbols = arena ? kane_symbols_read(arena, errors) : NULL;
    const int before      = errors->count;
    if (open_staged(&first, run_file, options, errors) && open_staged(&second, run_file, options, errors)) {
        const void *roots[] = {first.simulation, first.channels}, *twins[] = {second.simulation, second.channels};
        const kane_image *image = kane_image_take(arena, symbols, first.record, second.record, 2, roots, twins, errors);
        if (image) {
            size_t bytes[2] = {0, 0};
            for (int i = 0; i < image->count; i++) {
                const kane_image_piece *p = &image->pieces[i];
                bytes[p->is_variable] += p->size;
                for (int k = 0; k < p->link_count; k++) {
                    const kane_image_link *l = &p->links[k];
                    if (l->kind == KANE_LINK_SYMBOL)
                        printf("symbol %s %s %s+%zu var %d\n", l->symbol->is_function ? "f" : "d", l->symbol->file,
                               l->symbol->name, l->offset, p->is_variable);
                    if (l->kind == KANE_LINK_TEXT)
                        printf("text %.30s\n", l->text);
                    if (l->kind == KANE_LINK_PIECE && image->pieces[l->target].is_variable && !p->is_variable)
                        printf("BAD fixed to variable\n");
                    if (l->kind == KANE_LINK_PIECE && l->target >= 0 && l->offset == image->pieces[l->target].size)
                        printf("END link\n");
                }
            }
            for (int i = 0; i < image->count; i++)
                for (int k = 0; k < image->pieces[i].link_count; k++) {
                    const kane_image_link *l = &image->pieces[i].links[k];
                    if (l->kind == KANE_LINK_PIECE && l->target > i)
                        printf("edge %d(%zu,%d) +%zu -> %d +%zu (%zu)\n", i, image->pieces[i].size,
                               image->pieces[i].is_variable, l->at, l->target, l->offset,
                               image->pieces[l->target].size);
                    if (l->kind == KANE_LINK_TEXT)
                        printf("edge %d(%zu) +%zu -> %.20s\n", i, image->pieces[i].size, l->at, l->text);
                }
            printf("pieces %d bytes %zu %zu\n", image->count, bytes[0], bytes[1]);
        }
    }
    close_staged(&second);
    close_staged(&first);
    kane_arena_free(arena);
    return errors->count > before ? kane_errors_status(errors, before) : KANE_OK;
}
