// SPDX-License-Identifier: MIT
// Reduced bodies as they are written (reduced.c reads them): in files with HDF5, .kflex, and flat, for units of FMI.

#define _XOPEN_SOURCE 700 // realpath

#include "flexible/model.h"

#include "base/machine.h"
#include "base/store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ITEMS = 32 };

typedef struct list {
    int count;
    kane_store_item items[ITEMS];
} list;

// Adds numbers by rows, sizes after `a` may be 0: there are none. NULL numbers are left out.
static void add_numbers(list *l, const char *name, const char *unit, const void *numbers, size_t a, size_t b, size_t c)
{
    const int rank = 1 + (b > 0) + (c > 0);
    if (numbers)
        l->items[l->count++] = (kane_store_item){name, unit, rank, {a, b, c}, numbers, NULL};
}

static void put_texts(list *l, const char *name, const char *const *texts, size_t count)
{
    l->items[l->count++] = (kane_store_item){name, NULL, 1, {count, 0, 0}, NULL, texts};
}

// The path of a file from where another one will be: by the folders that both names have in common, if they are in
// one.
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
        if (file && is_same(source, file)) {
            kane_errors_add_input(errors, KANE_BAD_ARGUMENT, (kane_place){.file = file, .path = ""},
                                  "is what the body is made from, and would be lost");
            return KANE_BAD_ARGUMENT;
        }
        names[i] = seen_from(arena, file ? file : d->shape.files[0], source);
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
    add_numbers(l, "interface_at", "m", at, count, 3, 0);
    add_numbers(l, "interface_displacement", "kg^-1/2", S, count, 3, row / 3);
    add_numbers(l, "interface_rotation", "rad m^-1 kg^-1/2", Psi, count, 3, row / 3);
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
    add_numbers(l, "gauge_by", NULL, by, count, n, 0);
    return 1;
}

static void put_numbers(list *l, const kane_flexible_data *d)
{
    const kane_deformable *s = &d->shape;
    const size_t n = (size_t)d->mode_count, nodes = (size_t)s->figure.node_count;
    add_numbers(l, "mass", "kg", &d->mass, 1, 0, 0);
    add_numbers(l, "centre", "m", &d->centre, 3, 0, 0);
    add_numbers(l, "inertia", "kg m^2", d->inertia, 6, 0, 0);
    add_numbers(l, "mass_left", "1", &d->mass_left, 1, 0, 0);
    add_numbers(l, "momentum_left", "1", &d->momentum_left, 1, 0, 0);
    add_numbers(l, "turning_left", "1", &d->turning_left, 1, 0, 0);
    add_numbers(l, "frequency", "Hz", d->frequency, n, 0, 0);
    add_numbers(l, "modal_mass", "1", s->mass, n, n, 0);
    add_numbers(l, "modal_stiffness", "1/s^2", s->stiffness, n, n, 0);
    add_numbers(l, "modal_damping", "1/s", s->damping, n, n, 0);
    add_numbers(l, "momentum_of_modes", "kg^1/2", s->momentum, n, 3, 0);
    add_numbers(l, "turning_of_modes", "kg^1/2 m", s->turning, n, 3, 0);
    add_numbers(l, "gyration", "1", s->gyration, n, n, 3);
    add_numbers(l, "inertia_slope", "kg^1/2 m", s->inertia, n, 6, 0);
    add_numbers(l, "inertia_second", "1", s->second, n, n, 6);
    add_numbers(l, "momentum_second", "1/m", s->momentum_second, n, n, 3);
    add_numbers(l, "turning_second", "1", s->turning_second, n, n, 3);
    add_numbers(l, "node_at", "m", s->figure.nodes, nodes, 3, 0);
    add_numbers(l, "node_mass", "kg", d->node_mass, nodes, 0, 0);
    add_numbers(l, "node_displacement", "kg^-1/2", s->figure.shapes, nodes, n, 3);
}

// Lines between nodes, as numbers.
static int put_lines(list *l, kane_arena *arena, const kane_deformable_figure *figure)
{
    const size_t count = (size_t)figure->line_count;
    double *lines      = count > 0 ? kane_arena_doubles(arena, 2 * count) : NULL;
    for (size_t i = 0; i < count && lines; i++)
        for (int end = 0; end < 2; end++)
            lines[2 * i + (size_t)end] = figure->lines[i][end];
    add_numbers(l, "line", NULL, lines, count, 2, 0);
    return count == 0 || lines;
}

// All that is written of a body. `file`: where it will be, or NULL: in a unit, in place of the model.
static kane_status list_body(list *l, kane_arena *arena, const kane_flexible_data *d, const char *file,
                             kane_errors *errors)
{
    kane_status status = KANE_NO_MEMORY;
    put_texts(l, "name", &d->name, 1);
    if (d->frame)
        put_texts(l, "frame", &d->frame, 1);
    put_numbers(l, d);
    if (arena && put_points(l, arena, &d->shape) && put_gauges(l, arena, &d->shape) &&
        put_lines(l, arena, &d->shape.figure))
        status = put_sources(l, arena, d, file, errors);
    if (status == KANE_NO_MEMORY)
        kane_errors_add(errors, status, "%s", kane_status_text(status));
    return status;
}

kane_status kane_flexible_write(const kane_flexible *flexible, const char *file, kane_errors *errors)
{
    kane_arena *arena  = kane_arena_create();
    list l             = {0};
    kane_status status = list_body(&l, arena, kane_flexible_get_data(flexible), file, errors);
    if (status == KANE_OK)
        status = kane_store_write(file, KANE_REDUCED_KIND, l.count, l.items, errors);
    kane_arena_free(arena);
    return status;
}

unsigned char *kane_flexible_flatten(const kane_flexible *flexible, size_t *length, kane_errors *errors)
{
    kane_arena *arena    = kane_arena_create();
    list l               = {0};
    const int good       = list_body(&l, arena, kane_flexible_get_data(flexible), NULL, errors) == KANE_OK;
    unsigned char *bytes = good ? kane_store_flatten(KANE_REDUCED_KIND, l.count, l.items, length) : NULL;
    if (good && !bytes)
        (void)kane_no_memory(errors);
    kane_arena_free(arena);
    return bytes;
}
