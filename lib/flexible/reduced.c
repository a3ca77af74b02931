// SPDX-License-Identifier: MIT
// Reduced bodies in files, .kflex: every number of a kane_flexible_data by its name, and what the files were that it came from.

#define _XOPEN_SOURCE 700 // realpath

#include "flexible/model.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char KIND[] = "flexible body 1";

enum { ITEMS = 32 };

// --- writing ---

typedef struct list {
    int count;
    kane_store_item items[ITEMS];
} list;

// Adds numbers by rows, sizes after `a` may be 0: there are none. NULL numbers are left out.
static void put(list *l, const char *name, const char *unit, const void *numbers, size_t a, size_t b, size_t c)
{
    const int rank = 1 + (b > 0) + (c > 0);
    if (numbers)
        l->items[l->count++] = (kane_store_item){name, unit, rank, {a, b, c}, numbers, NULL};
}

static void put_texts(list *l, const char *name, const char *const *texts, size_t count)
{
    l->items[l->count++] = (kane_store_item){name, NULL, 1, {count, 0, 0}, NULL, texts};
}

// A file as it is found from where another one will be: by the folders that both names have in common, if they are in one.
static const char *seen_from(kane_arena *arena, const char *from, const char *file)
{
    char folder[PATH_MAX], there[PATH_MAX], name[PATH_MAX];
    const char *slash = strrchr(from, '/');
    size_t same       = 0;
    (void)snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - from) + 1 : 2, slash ? from : "./");
    if (!realpath(name, folder) || !realpath(file, there))
        return kane_arena_text(arena, file);
    (void)snprintf(name, sizeof name, "%s/", strcmp(folder, "/") == 0 ? "" : folder);
    for (size_t i = 0; name[i] && name[i] == there[i]; i++)
        same = name[i] == '/' ? i + 1 : same;
    size_t up = 0;
    for (const char *c = name + same; *c; c++)
        up += *c == '/';
    char *text = kane_arena_alloc(arena, 3 * up + strlen(there + same) + 1, 1);
    for (size_t i = 0; i < up && text; i++)
        memcpy(text + 3 * i, "../", 3);
    if (text)
        memcpy(text + 3 * up, there + same, strlen(there + same));
    return text;
}

// Whether two names are of one file.
static int is_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// The files it came from, or those of which a reduced body came.
static kane_status put_sources(list *l, kane_arena *arena, const kane_flexible_data *d, const char *file,
                               kane_errors *errors)
{
    size_t count = (size_t)d->source_count;
    while (d->source_count == 0 && d->shape.files && d->shape.files[count])
        count++;
    const char **names = kane_arena_alloc(arena, count + 1, sizeof *names);
    const char **kept  = kane_arena_alloc(arena, count + 1, sizeof *kept);
    for (size_t i = 0; i < count && names && kept; i++) {
        const char *source = d->source_count > 0 ? d->sources[i].file : d->shape.files[i];
        char hash[KANE_HASH_SIZE];
        if (d->source_count == 0 && kane_hash_file(source, hash) != 0) {
            kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = source, .path = ""},
                                  "cannot be read any more");
            return KANE_NO_FILE;
        }
        if (is_same(source, file)) {
            kane_errors_add_input(errors, KANE_BAD_ARGUMENT, (kane_place){.file = file, .path = ""},
                                  "is what the body is made from, and would be lost");
            return KANE_BAD_ARGUMENT;
        }
        names[i] = seen_from(arena, file, source);
        kept[i]  = d->source_count > 0 ? d->sources[i].hash : kane_arena_text(arena, hash);
    }
    if (kane_arena_failed(arena))
        return KANE_NO_MEMORY;
    put_texts(l, "source", names, count);
    put_texts(l, "source_xxh128", kept, count);
    return KANE_OK;
}

// Interfaces by columns of all of them.
static int put_points(list *l, kane_arena *arena, const kane_deformable *shape)
{
    const size_t count = (size_t)shape->point_count, row = 3 * (size_t)shape->mode_count;
    const char **names = kane_arena_alloc(arena, count, sizeof *names);
    double *at = kane_arena_doubles(arena, 3 * count), *S = kane_arena_doubles(arena, row * count);
    double *Psi = kane_arena_doubles(arena, row * count);
    if (kane_arena_failed(arena))
        return 0;
    for (size_t i = 0; i < count; i++) {
        const kane_deformable_point *p = &shape->points[i];
        names[i]                       = p->name;
        memcpy(at + 3 * i, &p->at, 3 * sizeof *at);
        memcpy(S + row * i, p->S, row * sizeof *S);
        memcpy(Psi + row * i, p->Psi, row * sizeof *Psi);
    }
    put_texts(l, "interface", names, count);
    put(l, "interface_at", "m", at, count, 3, 0);
    put(l, "interface_displacement", "kg^-1/2", S, count, 3, row / 3);
    put(l, "interface_rotation", "rad m^-1 kg^-1/2", Psi, count, 3, row / 3);
    return 1;
}

// Gauges by columns of all of them.
static int put_gauges(list *l, kane_arena *arena, const kane_deformable *shape)
{
    const size_t count = (size_t)shape->gauge_count, n = (size_t)shape->mode_count;
    if (count == 0)
        return 1;
    const char **texts = kane_arena_alloc(arena, 3 * count, sizeof *texts);
    double *by         = kane_arena_doubles(arena, count * n);
    if (!texts || !by)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const kane_deformable_gauge *g = &shape->gauges[i];
        texts[i]                       = g->name;
        texts[count + i]               = g->unit;
        texts[2 * count + i]           = g->description;
        memcpy(by + n * i, g->by, n * sizeof *by);
    }
    put_texts(l, "gauge", texts, count);
    put_texts(l, "gauge_unit", texts + count, count);
    put_texts(l, "gauge_description", texts + 2 * count, count);
    put(l, "gauge_by", NULL, by, count, n, 0);
    return 1;
}

static void put_numbers(list *l, const kane_flexible_data *d)
{
    const kane_deformable *s = &d->shape;
    const size_t n = (size_t)d->mode_count, nodes = (size_t)s->figure.node_count;
    put(l, "mass", "kg", &d->mass, 1, 0, 0);
    put(l, "centre", "m", &d->centre, 3, 0, 0);
    put(l, "inertia", "kg m^2", d->inertia, 6, 0, 0);
    put(l, "mass_left", "1", &d->mass_left, 1, 0, 0);
    put(l, "momentum_left", "1", &d->momentum_left, 1, 0, 0);
    put(l, "turning_left", "1", &d->turning_left, 1, 0, 0);
    put(l, "frequency", "Hz", d->frequency, n, 0, 0);
    put(l, "modal_mass", "1", s->mass, n, n, 0);
    put(l, "modal_stiffness", "1/s^2", s->stiffness, n, n, 0);
    put(l, "modal_damping", "1/s", s->damping, n, n, 0);
    put(l, "momentum_of_modes", "kg^1/2", s->momentum, n, 3, 0);
    put(l, "turning_of_modes", "kg^1/2 m", s->turning, n, 3, 0);
    put(l, "gyration", "1", s->gyration, n, n, 3);
    put(l, "inertia_slope", "kg^1/2 m", s->inertia, n, 6, 0);
    put(l, "inertia_second", "1", s->second, n, n, 6);
    put(l, "momentum_second", "1/m", s->momentum_second, n, n, 3);
    put(l, "turning_second", "1", s->turning_second, n, n, 3);
    put(l, "node_at", "m", s->figure.nodes, nodes, 3, 0);
    put(l, "node_mass", "kg", d->node_mass, nodes, 0, 0);
    put(l, "node_displacement", "kg^-1/2", s->figure.shapes, nodes, n, 3);
}

// Lines between nodes, as numbers.
static int put_lines(list *l, kane_arena *arena, const kane_deformable_figure *figure)
{
    const size_t count = (size_t)figure->line_count;
    double *lines      = count > 0 ? kane_arena_doubles(arena, 2 * count) : NULL;
    for (size_t i = 0; i < count && lines; i++)
        for (int end = 0; end < 2; end++)
            lines[2 * i + (size_t)end] = figure->lines[i][end];
    put(l, "line", NULL, lines, count, 2, 0);
    return count == 0 || lines;
}

kane_status kane_flexible_write(const kane_flexible *flexible, const char *file, kane_errors *errors)
{
    const kane_flexible_data *d = kane_flexible_get_data(flexible);
    kane_arena *arena           = kane_arena_create();
    kane_status status          = KANE_NO_MEMORY;
    list l                      = {0};
    put_texts(&l, "name", &d->name, 1);
    if (d->frame)
        put_texts(&l, "frame", &d->frame, 1);
    put_numbers(&l, d);
    if (arena && put_points(&l, arena, &d->shape) && put_gauges(&l, arena, &d->shape) &&
        put_lines(&l, arena, &d->shape.figure))
        status = put_sources(&l, arena, d, file, errors);
    if (status == KANE_OK)
        status = kane_store_write(file, KIND, l.count, l.items, errors);
    else if (status == KANE_NO_MEMORY)
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    kane_arena_free(arena);
    return status;
}

// --- reading ---

typedef struct reduced {
    kane_arena *arena;
    const kane_store *store;
    kane_errors *errors;
    int wrong; // count of items that are missing or have another size
} reduced;

// Numbers of that size (b, c 0: fewer indices). NULL with an error, or without if it is optional.
static const double *take(reduced *r, const char *name, int is_optional, size_t a, size_t b, size_t c)
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
static double take_one(reduced *r, const char *name)
{
    const double *number = take(r, name, 0, 1, 0, 0);
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

static const char *const *take_texts(reduced *r, const char *name, int count)
{
    const kane_store_item *item = kane_store_find(r->store, name);
    if (item && item->texts && item->size[0] == (size_t)count)
        return item->texts;
    r->wrong++;
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, (kane_place){.file = r->store->file, .path = name},
                          "is missing, or does not have the size that it must have");
    return NULL;
}

static void take_points(reduced *r, kane_deformable *shape)
{
    const size_t count = (size_t)shape->point_count, n = (size_t)shape->mode_count;
    const char *const *names      = take_texts(r, "interface", shape->point_count);
    const double *at              = take(r, "interface_at", 0, count, 3, 0);
    const double *S               = take(r, "interface_displacement", 0, count, 3, n);
    const double *Psi             = take(r, "interface_rotation", 0, count, 3, n);
    kane_deformable_point *points = kane_arena_alloc(r->arena, count, sizeof *points);
    for (size_t i = 0; points && r->wrong == 0 && i < count; i++)
        points[i] = (kane_deformable_point){names[i], kv3(at[3 * i], at[3 * i + 1], at[3 * i + 2]), S + 3 * n * i,
                                            Psi + 3 * n * i};
    shape->points = points;
}

static void take_gauges(reduced *r, kane_deformable *shape)
{
    if (!kane_store_find(r->store, "gauge"))
        return;
    const int count          = count_of(r, "gauge");
    const size_t n           = (size_t)shape->mode_count;
    const char *const *names = take_texts(r, "gauge", count), *const *units = take_texts(r, "gauge_unit", count);
    const char *const *descriptions = take_texts(r, "gauge_description", count);
    const double *by                = take(r, "gauge_by", 0, (size_t)count, n, 0);
    kane_deformable_gauge *gauges   = kane_arena_alloc(r->arena, (size_t)count, sizeof *gauges);
    for (int i = 0; gauges && r->wrong == 0 && i < count; i++)
        gauges[i] = (kane_deformable_gauge){names[i], units[i], descriptions[i], by + n * (size_t)i};
    shape->gauge_count = count;
    shape->gauges      = gauges;
}

static void take_lines(reduced *r, kane_deformable_figure *figure)
{
    if (!kane_store_find(r->store, "line"))
        return;
    const int count       = count_of(r, "line");
    const double *numbers = take(r, "line", 0, (size_t)count, 2, 0);
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

static void take_sources(reduced *r, kane_flexible_data *d)
{
    d->source_count               = count_of(r, "source");
    const char *const *names      = take_texts(r, "source", d->source_count);
    const char *const *hashes     = take_texts(r, "source_xxh128", d->source_count);
    kane_flexible_source *sources = kane_arena_alloc(r->arena, (size_t)d->source_count, sizeof *sources);
    for (int i = 0; sources && names && hashes && i < d->source_count; i++)
        sources[i] = (kane_flexible_source){kane_file_beside(r->arena, r->store->file, names[i]), hashes[i]};
    d->sources = sources;
}

// Numbers as rows of six, in memory of their own; optional.
static double (*take_sixes(reduced *r, const char *name, size_t a, size_t b))[6]
{
    const double *numbers = b > 0 ? take(r, name, 1, a, b, 6) : take(r, name, 1, a, 6, 0);
    const size_t count    = b > 0 ? a * b : a;
    double(*rows)[6]      = numbers ? kane_arena_alloc(r->arena, count, sizeof *rows) : NULL;
    return rows ? memcpy(rows, numbers, count * sizeof *rows) : NULL;
}

static void take_numbers(reduced *r, kane_flexible_data *d)
{
    kane_deformable *s = &d->shape;
    const size_t n = (size_t)d->mode_count, nodes = (size_t)s->figure.node_count;
    const double *centre  = take(r, "centre", 0, 3, 0, 0);
    const double *inertia = take(r, "inertia", 0, 6, 0, 0);
    d->mass               = take_one(r, "mass");
    d->mass_left          = take_one(r, "mass_left");
    d->momentum_left      = take_one(r, "momentum_left");
    d->turning_left       = take_one(r, "turning_left");
    if (centre && inertia) {
        d->centre = kv3(centre[0], centre[1], centre[2]);
        memcpy(d->inertia, inertia, sizeof d->inertia);
    }
    d->frequency       = take(r, "frequency", 0, n, 0, 0);
    s->mass            = take(r, "modal_mass", 0, n, n, 0);
    s->stiffness       = take(r, "modal_stiffness", 0, n, n, 0);
    s->damping         = take(r, "modal_damping", 0, n, n, 0);
    s->momentum        = (const kane_vec3 *)take(r, "momentum_of_modes", 1, n, 3, 0);
    s->turning         = (const kane_vec3 *)take(r, "turning_of_modes", 1, n, 3, 0);
    s->gyration        = (const kane_vec3 *)take(r, "gyration", 1, n, n, 3);
    s->inertia         = (const double(*)[6])take_sixes(r, "inertia_slope", n, 0);
    s->second          = (const double(*)[6])take_sixes(r, "inertia_second", n, n);
    s->momentum_second = (const kane_vec3 *)take(r, "momentum_second", 1, n, n, 3);
    s->turning_second  = (const kane_vec3 *)take(r, "turning_second", 1, n, n, 3);
    s->figure.nodes    = (const kane_vec3 *)take(r, "node_at", 0, nodes, 3, 0);
    d->node_mass       = take(r, "node_mass", 0, nodes, 0, 0);
    s->figure.shapes   = (const kane_vec3 *)take(r, "node_displacement", 0, nodes, n, 3);
}

const kane_flexible_data *kane_flexible_load_reduced(kane_arena *arena, const char *file, kane_errors *errors)
{
    kane_flexible_data *d = kane_arena_alloc(arena, 1, sizeof *d);
    const char **files    = kane_arena_alloc(arena, 2, sizeof *files);
    reduced r = {.arena = arena, .errors = errors, .store = d ? kane_store_read(arena, file, KIND, errors) : NULL};
    if (!r.store || !files)
        return NULL;
    const char *const *name = take_texts(&r, "name", 1);
    files[0]                = r.store->file;
    d->name                 = name ? name[0] : "";
    if (kane_store_find(r.store, "frame")) {
        const char *const *frame = take_texts(&r, "frame", 1);
        d->frame                 = frame ? frame[0] : NULL;
    }
    d->mode_count = count_of(&r, "frequency");
    d->shape      = (kane_deformable){.mode_count        = d->mode_count,
                                      .point_count       = count_of(&r, "interface"),
                                      .files             = files,
                                      .figure.node_count = count_of(&r, "node_at")};
    if (r.wrong == 0) {
        take_numbers(&r, d);
        take_points(&r, &d->shape);
        take_gauges(&r, &d->shape);
        take_lines(&r, &d->shape.figure);
        d->shape.figure.centre = d->centre;
        take_sources(&r, d);
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
