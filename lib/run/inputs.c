// SPDX-License-Identifier: MIT
// The files that a run is made of.

#include "run/setup.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/machine.h"

#include <string.h>

typedef struct input {
    const char *key; // "run"; files of a list have the same one
    int is_listed;
    const char *file;
    char hash[KANE_HASH_SIZE]; // "" if it cannot be read
} input;

struct kane_inputs {
    kane_arena *arena;
    int count, room;
    input *list;
};

static void add_file(kane_inputs *in, const char *key, int is_listed, const char *file)
{
    input *list = file ? kane_arena_grow(in->arena, in->list, in->count, &in->room, sizeof *list) : NULL;
    if (!list)
        return;
    in->list    = list;
    input *next = &in->list[in->count++];
    *next       = (input){.key = key, .is_listed = is_listed, .file = kane_arena_text(in->arena, file)};
    if (next->file)
        (void)kane_hash_file(file, next->hash);
}

// Each file of a list once.
static void add_file_once(kane_inputs *in, const char *key, const char *file)
{
    for (int i = 0; i < in->count; i++)
        if (in->list[i].file && strcmp(in->list[i].key, key) == 0 && strcmp(in->list[i].file, file) == 0)
            return;
    add_file(in, key, 1, file);
}

static void add_profile(kane_inputs *in, const kane_profile *p)
{
    if (p && p->line && !kane_arena_failed(in->arena))
        add_file_once(in, "profiles", p->place.file);
}

static void add_profiles(kane_inputs *in, const kane_run_definition *run)
{
    for (int i = 0; i < run->vehicle->body_count; i++) {
        const kane_wheels_definition *wheels = run->vehicle->bodies[i].wheels;
        for (int side = 0; wheels && side < 2; side++)
            add_profile(in, wheels->profile[side]);
    }
    const kane_track_definition *track = run->track ? kane_track_get_definition(run->track) : NULL;
    for (int side = 0; track && side < 2; side++)
        add_profile(in, track->rail[side]);
    for (int i = 0; track && i < track->shape_count; i++)
        add_profile(in, track->shapes[i].profile);
}

// Files that bodies are reduced from.
static void add_models(kane_inputs *in, const kane_run_definition *run)
{
    for (int i = 0; i < run->vehicle->body_count; i++) {
        const kane_deformable *d = run->vehicle->bodies[i].deformable;
        for (int k = 0; d && d->files && d->files[k] && !kane_arena_failed(in->arena); k++)
            add_file_once(in, "flexible", d->files[k]);
    }
}

// Files that parameters of laws name.
static void add_named(kane_inputs *in, const kane_run_definition *run)
{
    for (int i = 0; i < run->vehicle->element_count; i++) {
        const kane_element_definition *e = &run->vehicle->elements[i];
        const kane_schema *schema        = e->law ? e->law->schema : NULL;
        for (int k = 0; schema && e->parameters && k < schema->key_count; k++) {
            const kane_key *key = &schema->keys[k];
            if (key->kind != KANE_KEY_TEXT || !key->detail)
                continue;
            const char *const *name = (const void *)((const char *)e->parameters + key->offset);
            const kane_place place  = kane_block_place(e->parameters, key->name, -1);
            const char *file        = *name ? kane_file_beside(in->arena, place.file ? place.file : "", *name) : NULL;
            if (file)
                add_file_once(in, "properties", file);
        }
    }
}

// Lines from files.
static void add_lines(kane_inputs *in, const kane_track *track)
{
    for (int i = 0; track && i < kane_track_section_count(track) && !kane_arena_failed(in->arena); i++)
        if (kane_track_get_section(track, i).smoothed.file)
            add_file_once(in, "lines", kane_track_get_section(track, i).smoothed.file);
}

static void add_records(kane_inputs *in, const kane_track_definition *track)
{
    for (int i = 0; track && i < track->record_count; i++)
        if (track->records[i].place.file && !kane_arena_failed(in->arena))
            add_file_once(in, "records", track->records[i].place.file);
}

static void add_all(kane_inputs *in, const kane_run_definition *run)
{
    add_file(in, "run", 0, run->file);
    add_file(in, run->track ? "vehicle" : "mechanism", 0, run->vehicle_file);
    for (int i = 0; run->vehicle_parts && run->vehicle_parts[i]; i++)
        add_file(in, "vehicles", 1, run->vehicle_parts[i]);
    add_file(in, "track", 0, run->track_file);
    add_profiles(in, run);
    add_models(in, run);
    add_named(in, run);
    add_lines(in, run->track);
    if (run->speed_file)
        add_file(in, "speed_limits", 0, run->speed_file);
    add_records(in, run->track ? kane_track_get_definition(run->track) : NULL);
}

kane_inputs *kane_inputs_take(const kane_run_definition *run, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    kane_inputs *in   = arena ? kane_arena_alloc(arena, 1, sizeof *in) : NULL;
    if (in) {
        in->arena = arena;
        add_all(in, run);
    }
    if (in && !kane_arena_failed(arena))
        return in;
    kane_arena_free(arena);
    (void)kane_no_memory(errors);
    return NULL;
}

void kane_inputs_free(kane_inputs *in)
{
    if (in)
        kane_arena_free(in->arena);
}

int kane_inputs_count(const kane_inputs *in)
{
    return in->count;
}

const char *kane_inputs_file(const kane_inputs *in, int i)
{
    return in->list[i].file;
}

const char *kane_inputs_hash(const kane_inputs *in, int i)
{
    return in->list[i].hash;
}

void kane_inputs_write(const kane_inputs *in, kane_writer *w)
{
    const char *open = NULL; // the list that has begun
    for (int i = 0; i < in->count; i++) {
        const input *f = &in->list[i];
        if (open && (!f->is_listed || strcmp(open, f->key) != 0)) {
            kane_writer_close(w);
            open = NULL;
        }
        if (f->is_listed && !open) {
            open = f->key;
            kane_writer_open(w, open, '[');
        }
        kane_writer_open(w, f->is_listed ? NULL : f->key, '{');
        kane_writer_text(w, "file", f->file);
        kane_writer_text(w, "xxh128", f->hash);
        kane_writer_close(w);
    }
    if (open)
        kane_writer_close(w);
}

kane_status kane_inputs_check(const kane_inputs *in, kane_errors *errors)
{
    kane_status status = KANE_OK;
    for (int i = 0; i < in->count; i++) {
        char hash[KANE_HASH_SIZE];
        (void)kane_hash_file(in->list[i].file, hash);
        if (strcmp(hash, in->list[i].hash) == 0)
            continue;
        status = KANE_BAD_INPUT;
        kane_errors_add_input(errors, status, (kane_place){.file = in->list[i].file, .path = ""},
                              hash[0] ? "the file has been changed since the study began, so that its cases may differ "
                                        "in more than they should: begin it again in another directory"
                                      : "the file that the study is made with is gone or cannot be read any more");
    }
    return status;
}
