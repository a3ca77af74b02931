// SPDX-License-Identifier: MIT
// Reduced bodies in files, .kflex, as they are read: every number of a kane_flexible_data by its name, and what the
// files were that it came from. Units of FMI (apps/fmu) read them, too.

#include "flexible/model.h"

#include "base/file.h"
#include "base/machine.h"
#include "base/store.h"

#include <string.h>

typedef struct reduced {
    kane_arena *arena;
    const kane_store *store;
    kane_errors *errors;
    int wrong; // count of items that are missing or have another size
} reduced;

// Numbers of that size (b, c 0: fewer indices). NULL with an error, or without if it is optional.
static const double *get_numbers(reduced *r, const char *name, int is_optional, size_t a, size_t b, size_t c)
{
    const kane_store_item *item = kane_store_find(r->store, name);
    const size_t wanted[3]      = {a, b, c};
    const int rank              = 1 + (b > 0) + (c > 0);
    int good                    = item && item->rank == rank && !item->texts;
    for (int i = 0; i < rank && good; i++)
        good = item->size[i] == wanted[i];
    if (good)
        return item->numbers;
    if (!item && is_optional)
        return NULL;
    r->wrong++;
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, (kane_place){.file = r->store->file, .path = name}, "%s",
                          item ? "does not have the size that it must have" : "is missing");
    return NULL;
}

// The first number of an item, 0 with an error.
static double get_number(reduced *r, const char *name)
{
    const double *number = get_numbers(r, name, 0, 1, 0, 0);
    return number ? *number : 0.0;
}

// Size of an item by its first index; 0 with an error.
static int count_of(reduced *r, const char *name)
{
    const kane_store_item *item = kane_store_find(r->store, name);
    if (item && item->size[0] <= 1000000000)
        return (int)item->size[0];
    r->wrong++;
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, (kane_place){.file = r->store->file, .path = name}, "is missing");
    return 0;
}

static const char *const *get_texts(reduced *r, const char *name, int count)
{
    const kane_store_item *item = kane_store_find(r->store, name);
    if (item && item->texts && item->size[0] == (size_t)count)
        return item->texts;
    r->wrong++;
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, (kane_place){.file = r->store->file, .path = name},
                          "is missing, or does not have the size that it must have");
    return NULL;
}

static void get_interfaces(reduced *r, kane_deformable *shape)
{
    const size_t count = (size_t)shape->point_count, n = (size_t)shape->mode_count;
    const char *const *names      = get_texts(r, "interface", shape->point_count);
    const double *at              = get_numbers(r, "interface_at", 0, count, 3, 0);
    const double *S               = get_numbers(r, "interface_displacement", 0, count, 3, n);
    const double *Psi             = get_numbers(r, "interface_rotation", 0, count, 3, n);
    kane_deformable_point *points = kane_arena_alloc(r->arena, count, sizeof *points);
    for (size_t i = 0; points && r->wrong == 0 && i < count; i++)
        points[i] = (kane_deformable_point){names[i], kv3(at[3 * i], at[3 * i + 1], at[3 * i + 2]), S + 3 * n * i,
                                            Psi + 3 * n * i};
    shape->points = points;
}

static void get_gauges(reduced *r, kane_deformable *shape)
{
    if (!kane_store_find(r->store, "gauge"))
        return;
    const int count          = count_of(r, "gauge");
    const size_t n           = (size_t)shape->mode_count;
    const char *const *names = get_texts(r, "gauge", count), *const *units = get_texts(r, "gauge_unit", count);
    const char *const *descriptions = get_texts(r, "gauge_description", count);
    const double *by                = get_numbers(r, "gauge_by", 0, (size_t)count, n, 0);
    kane_deformable_gauge *gauges   = kane_arena_alloc(r->arena, (size_t)count, sizeof *gauges);
    for (int i = 0; gauges && r->wrong == 0 && i < count; i++)
        gauges[i] = (kane_deformable_gauge){names[i], units[i], descriptions[i], by + n * (size_t)i};
    shape->gauge_count = count;
    shape->gauges      = gauges;
}

static void get_lines(reduced *r, kane_deformable_figure *figure)
{
    if (!kane_store_find(r->store, "line"))
        return;
    const int count       = count_of(r, "line");
    const double *numbers = get_numbers(r, "line", 0, (size_t)count, 2, 0);
    int(*lines)[2]        = kane_arena_alloc(r->arena, (size_t)count, sizeof *lines);
    for (int i = 0; numbers && lines && i < 2 * count; i++) {
        if (!(numbers[i] >= 0.0 && numbers[i] < figure->node_count)) {
            r->wrong++;
            kane_errors_add_input(r->errors, KANE_BAD_INPUT, (kane_place){.file = r->store->file, .path = "line"},
                                  "names a node that is not there");
            return;
        }
        lines[i / 2][i % 2] = (int)numbers[i];
    }
    figure->line_count = count;
    figure->lines      = (const int(*)[2])lines;
}

static void get_sources(reduced *r, kane_flexible_data *d)
{
    d->source_count               = count_of(r, "source");
    const char *const *names      = get_texts(r, "source", d->source_count);
    const char *const *hashes     = get_texts(r, "source_xxh128", d->source_count);
    kane_flexible_source *sources = kane_arena_alloc(r->arena, (size_t)d->source_count, sizeof *sources);
    for (int i = 0; sources && names && hashes && i < d->source_count; i++)
        sources[i] = (kane_flexible_source){kane_file_beside(r->arena, r->store->file, names[i]), hashes[i]};
    d->sources = sources;
}

// Numbers as rows of six, in memory of their own; optional.
static double (*get_rows_of_six(reduced *r, const char *name, size_t a, size_t b))[6]
{
    const double *numbers = b > 0 ? get_numbers(r, name, 1, a, b, 6) : get_numbers(r, name, 1, a, 6, 0);
    const size_t count    = b > 0 ? a * b : a;
    double(*rows)[6]      = numbers ? kane_arena_alloc(r->arena, count, sizeof *rows) : NULL;
    return rows ? memcpy(rows, numbers, count * sizeof *rows) : NULL;
}

static void get_modal_data(reduced *r, kane_flexible_data *d)
{
    kane_deformable *s = &d->shape;
    const size_t n = (size_t)d->mode_count, nodes = (size_t)s->figure.node_count;
    const double *centre  = get_numbers(r, "centre", 0, 3, 0, 0);
    const double *inertia = get_numbers(r, "inertia", 0, 6, 0, 0);
    d->mass               = get_number(r, "mass");
    d->mass_left          = get_number(r, "mass_left");
    d->momentum_left      = get_number(r, "momentum_left");
    d->turning_left       = get_number(r, "turning_left");
    if (centre && inertia) {
        d->centre = kv3(centre[0], centre[1], centre[2]);
        memcpy(d->inertia, inertia, sizeof d->inertia);
    }
    d->frequency       = get_numbers(r, "frequency", 0, n, 0, 0);
    s->mass            = get_numbers(r, "modal_mass", 0, n, n, 0);
    s->stiffness       = get_numbers(r, "modal_stiffness", 0, n, n, 0);
    s->damping         = get_numbers(r, "modal_damping", 0, n, n, 0);
    s->momentum        = (const kane_vec3 *)get_numbers(r, "momentum_of_modes", 1, n, 3, 0);
    s->turning         = (const kane_vec3 *)get_numbers(r, "turning_of_modes", 1, n, 3, 0);
    s->gyration        = (const kane_vec3 *)get_numbers(r, "gyration", 1, n, n, 3);
    s->inertia         = (const double(*)[6])get_rows_of_six(r, "inertia_slope", n, 0);
    s->second          = (const double(*)[6])get_rows_of_six(r, "inertia_second", n, n);
    s->momentum_second = (const kane_vec3 *)get_numbers(r, "momentum_second", 1, n, n, 3);
    s->turning_second  = (const kane_vec3 *)get_numbers(r, "turning_second", 1, n, n, 3);
    s->figure.nodes    = (const kane_vec3 *)get_numbers(r, "node_at", 0, nodes, 3, 0);
    d->node_mass       = get_numbers(r, "node_mass", 0, nodes, 0, 0);
    s->figure.shapes   = (const kane_vec3 *)get_numbers(r, "node_displacement", 0, nodes, n, 3);
}

const kane_flexible_data *kane_flexible_load_reduced(kane_arena *arena, const char *file, kane_errors *errors)
{
    kane_flexible_data *d = kane_arena_alloc(arena, 1, sizeof *d);
    const char **files    = kane_arena_alloc(arena, 2, sizeof *files);
    reduced r             = {
                    .arena = arena, .errors = errors, .store = d ? kane_store_read(arena, file, KANE_REDUCED_KIND, errors) : NULL};
    if (!r.store || !files)
        return NULL;
    const char *const *name = get_texts(&r, "name", 1);
    files[0]                = r.store->file;
    d->name                 = name ? name[0] : "";
    if (kane_store_find(r.store, "frame")) {
        const char *const *frame = get_texts(&r, "frame", 1);
        d->frame                 = frame ? frame[0] : NULL;
    }
    d->mode_count = count_of(&r, "frequency");
    d->shape      = (kane_deformable){.mode_count        = d->mode_count,
                                      .point_count       = count_of(&r, "interface"),
                                      .files             = files,
                                      .figure.node_count = count_of(&r, "node_at")};
    if (r.wrong == 0) {
        get_modal_data(&r, d);
        get_interfaces(&r, &d->shape);
        get_gauges(&r, &d->shape);
        get_lines(&r, &d->shape.figure);
        d->shape.figure.centre = d->centre;
        get_sources(&r, d);
    }
    return r.wrong == 0 && !kane_arena_failed(arena) ? d : NULL;
}

int kane_flexible_is_reduced(const char *file)
{
    const char *dot = file ? strrchr(file, '.') : NULL;
    return file && ((dot && strcmp(dot, ".kflex") == 0) || kane_store_is(file));
}

int kane_flexible_source_changed(const kane_flexible_source *source)
{
    char hash[KANE_HASH_SIZE];
    return kane_hash_file(source->file, hash) == 0 && strcmp(hash, source->hash) != 0;
}
