// SPDX-License-Identifier: MIT
// Reading a train file and the vehicle files that it names, each of them once.

#include "vehicles/train_file.h"

#include "base/file.h"
#include "base/json.h"

#include <string.h>

typedef struct train_reader {
    kane_reader reader;
    const kane_vehicle_request *request;
    kane_setting *own; // settings of the train file itself
    int own_count;
    kane_setting *inner;     // settings of vehicle files ...
    const char **inner_name; // ... and the names of their vehicles
    int inner_count;
    kane_train_kind *kinds;
} train_reader;

// --- settings ---

// Behind "vehicle." or "train.", which say that a setting is of the train.
static const char *skip_kind(const char *text)
{
    static const char *const kinds[] = {"vehicle.", "train."};
    for (int i = 0; i < 2; i++)
        if (strncmp(text, kinds[i], strlen(kinds[i])) == 0)
            return text + strlen(kinds[i]);
    return text;
}

// Of "vehicles.coach.file.bodies.body.mass=1" the part behind "file.", and the name of the vehicle; NULL of other
// settings.
static const char *setting_in_file(const char *text, kane_path_step *vehicle)
{
    const char *at             = text;
    const kane_path_step first = kane_path_next(text, &at);
    if (first.kind != KANE_PATH_KEY || strcmp(first.key, "vehicles") != 0)
        return NULL;
    *vehicle                  = kane_path_next(text, &at);
    const kane_path_step last = vehicle->kind == KANE_PATH_KEY ? kane_path_next(text, &at) : *vehicle;
    const int is_file         = last.kind == KANE_PATH_KEY && strcmp(last.key, "file") == 0;
    return vehicle->kind == KANE_PATH_KEY && is_file && *at == '.' ? at + 1 : NULL;
}

// 0 where memory is short.
static int sort_settings(train_reader *t)
{
    const kane_vehicle_request *request = t->request;
    const size_t count                  = (size_t)request->setting_count;
    kane_arena *arena                   = t->reader.arena;
    t->own                              = kane_arena_alloc(arena, count, sizeof *t->own);
    t->inner                            = kane_arena_alloc(arena, count, sizeof *t->inner);
    t->inner_name                       = kane_arena_alloc(arena, count, sizeof *t->inner_name);
    for (int i = 0; i < request->setting_count && t->own && t->inner && t->inner_name; i++) {
        kane_path_step vehicle;
        const char *text = skip_kind(request->settings[i].text), *rest = setting_in_file(text, &vehicle);
        if (!rest) {
            t->own[t->own_count++] = (kane_setting){text, request->settings[i].typed};
            continue;
        }
        t->inner_name[t->inner_count] = kane_arena_text(arena, vehicle.key);
        t->inner[t->inner_count++]    = (kane_setting){rest, request->settings[i].typed};
    }
    return !kane_arena_failed(arena);
}

// Settings into a vehicle that there is not.
static void check_names(train_reader *t, const kane_train_file *file)
{
    const kane_names names = {file->vehicles.items, file->vehicles.count, sizeof(kane_train_vehicle_input)};
    for (int i = 0; i < t->inner_count; i++) {
        char where[400];
        kane_text text = kane_text_start(sizeof where, where);
        kane_text_add(&text, "--set %s", t->inner[i].typed);
        (void)kane_names_resolve(names, "vehicle", t->inner_name[i], (kane_place){.file = where, .path = "vehicles"},
                                 t->reader.errors);
    }
}

// Those that reach into the file of one vehicle. 0 where memory is short.
static int take_settings(train_reader *t, kane_train_kind *kind)
{
    kane_setting *settings = kane_arena_alloc(t->reader.arena, (size_t)t->inner_count, sizeof *settings);
    for (int i = 0; i < t->inner_count && settings; i++)
        if (strcmp(t->inner_name[i], kind->in->block.name) == 0)
            settings[kind->setting_count++] = t->inner[i];
    kind->settings = settings;
    return settings != NULL;
}

// --- vehicles ---

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Whether two vehicles of the train are one and the same definition.
static int is_same(const kane_train_kind *a, const kane_train_kind *b)
{
    int same = strcmp(a->file, b->file) == 0 && same_text(a->in->variant, b->in->variant) &&
               a->in->settings.count == b->in->settings.count && a->setting_count == b->setting_count;
    for (int i = 0; same && i < a->in->settings.count; i++)
        same = strcmp(a->in->settings.values[i], b->in->settings.values[i]) == 0;
    for (int i = 0; same && i < a->setting_count; i++)
        same = strcmp(a->settings[i].text, b->settings[i].text) == 0;
    return same;
}

static kane_vehicle_definition *load_vehicle(train_reader *t, const kane_train_kind *kind)
{
    const kane_block *block            = &kind->in->block;
    const kane_vehicle_request request = {.file          = kind->file,
                                          .kind          = KANE_VEHICLE,
                                          .variant       = kind->in->variant,
                                          .variant_place = kane_block_place(block, "variant", -1),
                                          .changes       = kane_node_find(block->node, "settings"),
                                          .settings      = kind->settings,
                                          .setting_count = kind->setting_count,
                                          .choices       = t->request->choices};
    kane_node *root                    = kane_document_load(t->reader.arena, kind->file, t->reader.errors);
    return root ? kane_vehicle_load(t->reader.arena, root, &request, t->reader.errors) : NULL;
}

// 0 where memory is short.
static int read_vehicle(train_reader *t, const kane_train_vehicle_input *in, int i)
{
    kane_train_kind *kind = &t->kinds[i];
    kind->in              = in;
    if (!in->file[0]) {
        kane_reader_fault(&t->reader, &in->block, "file", "names no file; a name is relative to the train file");
        kind->file = "";
        return 1;
    }
    kind->file = kane_file_beside(t->reader.arena, kane_block_place(&in->block, "file", -1).file, in->file);
    if (!kind->file || !take_settings(t, kind))
        return 0;
    for (int k = 0; k < i; k++)
        if (is_same(&t->kinds[k], kind)) {
            kind->definition = t->kinds[k].definition;
            return 1;
        }
    kind->definition = load_vehicle(t, kind);
    return 1;
}

// Files as they were opened, each once; NULL where memory is short.
static const char *const *list_parts(const train_reader *t, int count)
{
    const char **parts = kane_arena_alloc(t->reader.arena, (size_t)count + 1, sizeof *parts);
    int used           = 0;
    for (int i = 0; i < count && parts; i++) {
        int k = 0;
        while (k < used && strcmp(parts[k], t->kinds[i].file) != 0)
            k++;
        if (k == used)
            parts[used++] = t->kinds[i].file;
    }
    return parts;
}

static kane_vehicle_definition *read_vehicles(train_reader *t, const kane_train_file *file, const char *const **parts)
{
    const kane_train_vehicle_input *in = file->vehicles.items;
    const int before                   = t->reader.errors->count;
    t->kinds = kane_arena_alloc(t->reader.arena, (size_t)file->vehicles.count, sizeof *t->kinds);
    check_names(t, file);
    for (int i = 0; i < file->vehicles.count; i++)
        if (!t->kinds || !read_vehicle(t, &in[i], i))
            return NULL;
    *parts = list_parts(t, file->vehicles.count);
    return *parts && t->reader.errors->count == before ? kane_train_build(&t->reader, file, t->kinds) : NULL;
}

kane_vehicle_definition *kane_train_read(kane_arena *arena, kane_node *root, const kane_vehicle_request *request,
                                         const char *const **parts, kane_errors *errors)
{
    train_reader t           = {.reader  = {.arena         = arena,
                                            .errors        = errors,
                                            .variants      = request->choices,
                                            .variant_count = KANE_VEHICLE_CHOICES},
                                .request = request};
    kane_vehicle_request own = *request;
    if (!sort_settings(&t))
        return NULL;
    own.settings      = t.own;
    own.setting_count = t.own_count;
    if (kane_vehicle_change(&t.reader, root, "train", &own) == KANE_NO_MEMORY)
        return NULL;
    const kane_train_file *file         = kane_document_read(&t.reader, root, kane_vehicle_formats, "train", NULL);
    kane_vehicle_definition *definition = file ? read_vehicles(&t, file, parts) : NULL;
    return kane_reader_status(&t.reader) == KANE_OK ? definition : NULL;
}
