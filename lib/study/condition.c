// SPDX-License-Identifier: MIT
// Conditions of a study: its run with a value of every axis, and what these values are.

#include "study/transitions.h"

const char *const *kane_study_settings_at(kane_arena *arena, const char *const *common, const kane_grid *axes,
                                          const int *value, const char *const *more)
{
    const int own = kane_texts_count(common), further = kane_texts_count(more);
    const char **settings = kane_arena_alloc(arena, (size_t)(own + axes->axis_count + further) + 1, sizeof *settings);
    for (int i = 0; settings && i < own; i++)
        settings[i] = common[i];
    for (int a = 0; settings && a < axes->axis_count; a++) {
        const size_t size = (size_t)kane_axis_setting(axes->axes[a], value[a], 0, NULL) + 1;
        char *text        = kane_arena_alloc(arena, size, 1);
        if (text)
            (void)kane_axis_setting(axes->axes[a], value[a], size, text);
        settings[own + a] = text;
    }
    for (int i = 0; settings && i < further; i++)
        settings[own + axes->axis_count + i] = more[i];
    return kane_arena_failed(arena) ? NULL : settings;
}

// A condition of one run: values of axes that are settings, and the shape of all transitions that is none.
typedef struct condition_values {
    kane_grid axes;
    int *value;        // [axes.axis_count]
    const char *shape; // NULL: none
} condition_values;

static int split_condition(kane_arena *arena, const kane_grid *axes, int first, const int *value, condition_values *c)
{
    const kane_axis **kept = kane_arena_alloc(arena, (size_t)axes->axis_count + 1, sizeof *kept);
    *c = (condition_values){{0, kept}, kane_arena_alloc(arena, (size_t)axes->axis_count + 1, sizeof *c->value), NULL};
    if (!kept || !c->value)
        return 0;
    for (int a = first; a < axes->axis_count; a++) {
        if (shape_is_made(axes->axes[a], value[a])) {
            c->shape = axes->axes[a]->texts[value[a]];
            continue;
        }
        c->value[c->axes.axis_count] = value[a];
        kept[c->axes.axis_count++]   = axes->axes[a];
    }
    return 1;
}

// Reads the run a second time, with sections that have the shape; their lengths and ends are known from the first time.
static kane_run *give_shape(const kane_study *s, int number, const char *name, const char *const *settings,
                            kane_arena *arena, kane_run *plain, kane_errors *errors)
{
    kane_study own                = *s;
    const kane_run_definition *is = kane_run_get_definition(plain);
    own.arena                     = arena;
    own.errors                    = errors;
    const char *const *sections   = shape_settings_of(&own, is->track, name);
    kane_run_free(plain);
    if (!sections)
        return NULL;
    const char *const *all = kane_study_settings_at(arena, settings, &(kane_grid){0}, NULL, sections);
    if (!all)
        (void)kane_no_memory(errors);
    return all ? kane_study_read_run(s, number, all, errors) : NULL;
}

kane_run *kane_study_read_at(const kane_study *s, const kane_grid *axes, const int *value, const char *more,
                             kane_errors *errors)
{
    kane_arena *arena           = kane_arena_create();
    const int first             = s->runs != NULL; // that axis is no setting
    const int number            = first ? value[0] : 0;
    const char *const further[] = {more, NULL};
    condition_values c;
    const char *const *settings = arena && split_condition(arena, axes, first, value, &c)
                                      ? kane_study_settings_at(arena, NULL, &c.axes, c.value, further)
                                      : NULL;
    kane_run *run               = settings ? kane_study_read_run(s, number, settings, errors) : NULL;
    if (!settings)
        (void)kane_no_memory(errors);
    else if (run && c.shape)
        run = give_shape(s, number, c.shape, settings, arena, run, errors);
    kane_arena_free(arena);
    return run;
}

void kane_axes_describe(kane_writer *w, const char *key, int count, const kane_axis *const *axes, int samples)
{
    kane_writer_open(w, key, '[');
    for (int i = 0; i < count; i++) {
        const kane_axis *a       = axes[i];
        const char *const ends[] = {a->texts[0], a->texts[a->count - 1]};
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "path", a->path);
        if (a->distribution.kind == KANE_DISTRIBUTION_TABLE)
            kane_write_texts(w, "rows", samples, a->row_texts);
        else if (samples < 0 && a->is_range)
            kane_write_texts(w, "between", 2, ends);
        else
            kane_write_texts(w, "values", a->count, a->texts);
        shape_describe_files(w, a);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}
