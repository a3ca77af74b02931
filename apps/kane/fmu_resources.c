// SPDX-License-Identifier: MIT
// The files of a run as a unit holds them.

#define _XOPEN_SOURCE 700 // realpath

#include "fmu.h"

#include "base/text.h"
#include "flexible/model.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Whether a file is what a flexible body is read from (1), or one that its model names (2): a reduced body needs it no
// more.
static int find_part_of_body(const kane_run_definition *run, const char *file)
{
    int part = 0;
    for (int i = 0; i < run->vehicle->body_count && part != 1; i++) {
        const kane_deformable *d = run->vehicle->bodies[i].deformable;
        for (int k = 0; d && d->files && d->files[k]; k++)
            if (strcmp(d->files[k], file) == 0)
                part = k == 0 ? 1 : 2;
    }
    return part;
}

static int reduce_body(fmu_resource *resource, kane_errors *errors)
{
    kane_flexible *body = kane_flexible_read(resource->file, NULL, errors);
    resource->bytes     = body ? kane_flexible_flatten(body, &resource->size, errors) : NULL;
    if (resource->bytes)
        kane_hash_bytes(resource->bytes, resource->size, resource->hash);
    kane_flexible_free(body);
    return resource->bytes != NULL;
}

static int is_listed(const fmu_resources *resources, const char *file)
{
    for (int i = 0; i < resources->count; i++)
        if (strcmp(resources->list[i].file, file) == 0)
            return 1;
    return 0;
}

// Files are found in the unit as they are found here: beside the run file and what it names. What is named from the
// root of this machine would not be there.
static void check_name(const char *run, const char *file, kane_errors *errors)
{
    if (file[0] == '/' && run[0] != '/')
        kane_errors_add_input(
            errors, KANE_BAD_INPUT, (kane_place){.file = run, .path = ""},
            "the run names its files by places of this machine ('%s'); a unit needs names from one file "
            "to the other, such as ../vehicles/wagon.json",
            file);
    if (file[kane_text_printable(file)])
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "'%s' cannot be in a unit: names there are UTF-8 without control characters", file);
}

// Whether a value names a file, as a word of its own. value: with the '=' before it.
static int names_file(const char *value, const char *file)
{
    for (const char *at = strstr(value, file); at; at = strstr(at + 1, file))
        if (at > value && strchr("=\" ", at[-1]) && strchr("\" ", at[strlen(file)]))
            return 1;
    return 0;
}

// Settings name files from where the program runs; a unit runs where its host does.
static void check_settings(const kane_run_definition *run, const char *file, kane_errors *errors)
{
    for (int i = 0; run->changes && run->changes[i]; i++) {
        const char *value = strchr(run->changes[i], '=');
        if (value && names_file(value, file) && strcmp(file, run->vehicle_file) != 0 &&
            (!run->track_file || strcmp(file, run->track_file) != 0))
            kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = "--set", .path = ""},
                                  "%s: a unit cannot find a file that a setting names; name it in the files of the run",
                                  run->changes[i]);
    }
}

// Names from the folder that holds all files, so that they find each other as they did: the longest beginning that they
// share. Names that lead elsewhere by links keep what they are found by.
static int name_resources(fmu_resources *resources, kane_arena *arena, kane_errors *errors)
{
    char root[PATH_MAX] = "";
    for (int i = 0; i < resources->count; i++) {
        char full[PATH_MAX];
        fmu_resource *r = &resources->list[i];
        size_t same     = 0;
        if (!realpath(r->file, full)) {
            kane_errors_add_input(errors, KANE_NO_FILE, (kane_place){.file = r->file, .path = ""},
                                  "the file cannot be found any more");
            return 0;
        }
        r->name = kane_arena_text(arena, full);
        if (i == 0)
            (void)strcpy(root, full);
        while (root[same] && root[same] == full[same])
            same++;
        while (same > 0 && root[same - 1] != '/')
            same--;
        root[same] = '\0';
    }
    for (int i = 0; i < resources->count && !kane_arena_failed(arena); i++)
        resources->list[i].name += strlen(root);
    return 1;
}

int fmu_resources_take(fmu_resources *resources, kane_arena *arena, const kane_run_definition *run,
                       const kane_inputs *inputs, kane_errors *errors)
{
    const int count  = kane_inputs_count(inputs);
    resources->count = 0;
    resources->list  = kane_arena_alloc(arena, (size_t)count, sizeof *resources->list);
    for (int i = 0; i < count && resources->list && errors->count == 0; i++) {
        const char *file = kane_inputs_file(inputs, i);
        const int part   = find_part_of_body(run, file);
        if (part == 2 || is_listed(resources, file))
            continue;
        fmu_resource *r = &resources->list[resources->count++];
        *r              = (fmu_resource){.file = file};
        (void)strcpy(r->hash, kane_inputs_hash(inputs, i));
        check_name(kane_inputs_file(inputs, 0), file, errors);
        check_settings(run, file, errors);
        if (part == 1 && errors->count == 0)
            (void)reduce_body(r, errors);
    }
    if (errors->count == 0 && resources->list && name_resources(resources, arena, errors) && !kane_arena_failed(arena))
        return 1;
    if (errors->count == 0)
        (void)kane_no_memory(errors);
    return 0;
}

void fmu_resources_free(fmu_resources *resources)
{
    for (int i = 0; i < resources->count; i++)
        kane_release(resources->list[i].bytes);
}
