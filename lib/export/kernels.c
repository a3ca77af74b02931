// SPDX-License-Identifier: MIT
// The part of libkane that a model needs.
//
// A *unit* is a file of libkane as its compiler sees it: its parts and those of the headers that it includes, each where it is included.
// From the parts that are asked for, names lead to others: those of the same unit, and definitions in other units. What has been
// reached is written, a file for all units that see the same headers in the same way; headers stand in it once.

#include "export/export.h"

#include "base/file.h"
#include "export/source.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where evaluations may lead.
static const char *const rooms[] = {"lib/base",  "lib/math",    "lib/profile", "track",    "lib/flexible", "lib/tree",
                                    "lib/force", "lib/contact", "lib/model",   "lib/agem", "lib/simulate"};
enum { ROOMS = sizeof rooms / sizeof *rooms, SOURCES_MOST = 1024 };

// As in CMakeLists.txt.
static const struct {
    const char *source, *flags;
} special[] = {
    {"lib/contact/fastsim.c", "-fno-trapping-math"},
    {"lib/tree/move.c", "-fno-tree-slp-vectorize"},
    {"lib/tree/solve.c", "-fno-tree-slp-vectorize"},
    {"lib/tree/rows.c", "-fno-tree-slp-vectorize"},
};

// A part of a unit.
typedef struct item {
    int source, part;
} item;

// A name and an item of a unit that defines it.
typedef struct entry {
    int word, item;
} entry;

typedef struct unit {
    int count;
    item *items;
    int entry_count;
    entry *entries;    // by word
    char *is_included; // by item
    int is_reached;
    int changes; // 1: it sees numbers with slopes in a way of its own
} unit;

// What a name of a file becomes.
typedef struct renaming {
    int source, word;
    int is_asked; // 1: it is visible outside
    const char *name;
} renaming;

// A definition that all files see.
typedef struct definition {
    int word, source, part;
} definition;

struct kane_kernels {
    kane_arena *arena;
    const char *folder;
    kane_words *words;
    int source_count, source_room;
    const kane_source **sources;
    unit **units; // by source; of headers NULL
    int definition_count, definition_room;
    definition *definitions; // by word
    int renaming_count, renaming_room;
    renaming *renamings;
    int pending_count, pending_room; // (unit, item) to look into
    item *pending;
    kane_errors *errors;
    int failed;
};

// --- memory ---

static void *grow_array(kane_kernels *k, void *array, int count, int *room, size_t size)
{
    if (count < *room)
        return array;
    const int more = *room ? 2 * *room : 256;
    void *larger   = kane_arena_alloc(k->arena, (size_t)more, size);
    if (larger && count)
        memcpy(larger, array, (size_t)count * size);
    *room = larger ? more : *room;
    k->failed |= !larger;
    return larger ? larger : array;
}

// --- sources ---

static int find_source(kane_kernels *k, const char *path)
{
    for (int i = 0; i < k->source_count; i++)
        if (strcmp(k->sources[i]->path, path) == 0)
            return i;
    return -1;
}

// Replacements, in exported models, of files that need other libraries or more than standard C.
static const char *plain_source(const char *path)
{
    static const char *const plain[][2] = {{"lib/math/sparse_lu.c", "lib/export/plain/sparse_lu.c"},
                                           {"lib/base/c_locale.h", "lib/export/plain/c_locale.h"}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(path, plain[i][0]) == 0)
            return plain[i][1];
    return path;
}

// Number of a source, which is read at its first use. -1 with an error.
static int number_of_source(kane_kernels *k, const char *of_library)
{
    const char *path = plain_source(of_library);
    const int known  = find_source(k, path);
    if (known >= 0)
        return known;
    const kane_source *source = kane_source_read(k->arena, k->words, k->folder, path, k->errors);
    k->sources                = grow_array(k, k->sources, k->source_count, &k->source_room, sizeof *k->sources);
    k->failed |= !source || k->source_count == SOURCES_MOST;
    if (k->failed)
        return -1;
    k->sources[k->source_count] = source;
    return k->source_count++;
}

static int number_of_include(kane_kernels *k, const char *include)
{
    char path[512];
    const char *folder = strncmp(include, "kane/", 5) == 0                                             ? "include/"
                         : strncmp(include, "track/", 6) == 0 || strncmp(include, "vehicles/", 9) == 0 ? ""
                                                                                                       : "lib/";
    (void)snprintf(path, sizeof path, "%s%s", folder, include);
    return number_of_source(k, path);
}

static int compare_texts(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

// All .c files of a module, sorted by name.
static void read_room(kane_kernels *k, const char *room)
{
    char path[4096];
    const char *names[256];
    int count = 0;
    (void)snprintf(path, sizeof path, "%s/%s", k->folder, room);
    DIR *directory = opendir(path);
    if (!directory) {
        kane_errors_add(k->errors, KANE_NO_FILE, "%s: the sources of libkane are not there", path);
        k->failed = 1;
        return;
    }
    for (struct dirent *e = readdir(directory); e; e = readdir(directory)) {
        const size_t length = strlen(e->d_name);
        if (length > 2 && strcmp(e->d_name + length - 2, ".c") == 0 && count < 256)
            names[count++] = kane_arena_text(k->arena, e->d_name);
    }
    (void)closedir(directory);
    qsort(names, (size_t)count, sizeof *names, compare_texts);
    for (int i = 0; i < count && !k->failed; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", room, names[i]);
        (void)number_of_source(k, path);
    }
}

static int compare_definitions(const void *a, const void *b)
{
    const definition *x = a, *y = b;
    return (x->word > y->word) - (x->word < y->word);
}

static void collect_definitions(kane_kernels *k)
{
    for (int s = 0; s < k->source_count; s++)
        for (int p = 0; p < k->sources[s]->part_count; p++) {
            const kane_source_part *part = &k->sources[s]->parts[p];
            for (int n = 0; n < part->name_count && part->kind == KANE_SOURCE_DEFINITION && !part->is_local; n++) {
                k->definitions =
                    grow_array(k, k->definitions, k->definition_count, &k->definition_room, sizeof *k->definitions);
                if (!k->failed)
                    k->definitions[k->definition_count++] = (definition){part->names[n], s, p};
            }
        }
    if (!k->failed)
        qsort(k->definitions, (size_t)k->definition_count, sizeof *k->definitions, compare_definitions);
}

kane_kernels *kane_kernels_read(kane_arena *arena, const char *folder, kane_errors *errors)
{
    kane_kernels *k = kane_arena_alloc(arena, 1, sizeof *k);
    if (!k)
        return NULL;
    *k = (kane_kernels){.arena = arena, .folder = folder, .words = kane_words_create(arena), .errors = errors};
    for (int i = 0; i < ROOMS && k->words && !k->failed; i++)
        read_room(k, rooms[i]);
    collect_definitions(k);
    k->units = kane_arena_alloc(arena, SOURCES_MOST, sizeof *k->units);
    return k->words && k->units && !k->failed ? k : NULL;
}

// --- units ---

static void add_item(kane_kernels *k, unit *u, int *room, int source, int part)
{
    u->items = grow_array(k, u->items, u->count, room, sizeof *u->items);
    if (!k->failed)
        u->items[u->count++] = (item){source, part};
}

// The parts of a source and of what it includes. seen: by source.
static void expand_includes(kane_kernels *k, unit *u, int *room, int source, char *seen)
{
    const kane_source *text = k->sources[source];
    if (text->is_guarded && seen[source])
        return;
    seen[source] = 1;
    for (int p = 0; p < text->part_count && !k->failed; p++) {
        if (text->parts[p].kind != KANE_SOURCE_INCLUDE) {
            add_item(k, u, room, source, p);
            continue;
        }
        const int inner = number_of_include(k, text->parts[p].include);
        if (inner >= 0)
            expand_includes(k, u, room, inner, seen);
    }
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->word != y->word)
        return x->word > y->word ? 1 : -1;
    return (x->item > y->item) - (x->item < y->item);
}

static void index_names(kane_kernels *k, unit *u)
{
    int count = 0;
    for (int i = 0; i < u->count; i++)
        count += k->sources[u->items[i].source]->parts[u->items[i].part].name_count;
    u->entries     = kane_arena_alloc(k->arena, (size_t)count, sizeof *u->entries);
    u->is_included = kane_arena_alloc(k->arena, (size_t)u->count, 1);
    k->failed |= !u->entries || !u->is_included;
    for (int i = 0; i < u->count && !k->failed; i++) {
        const kane_source_part *part = &k->sources[u->items[i].source]->parts[u->items[i].part];
        for (int n = 0; n < part->name_count; n++)
            u->entries[u->entry_count++] = (entry){part->names[n], i};
    }
    if (!k->failed)
        qsort(u->entries, (size_t)u->entry_count, sizeof *u->entries, compare_entries);
}

static unit *find_unit(kane_kernels *k, int source)
{
    if (k->units[source])
        return k->units[source];
    char seen[SOURCES_MOST] = {0};
    int room                = 0;
    unit *u                 = kane_arena_alloc(k->arena, 1, sizeof *u);
    k->failed |= !u;
    if (k->failed)
        return NULL;
    expand_includes(k, u, &room, source, seen);
    if (k->failed)
        return NULL;
    index_names(k, u);
    for (int s = 0; s < k->source_count; s++)
        u->changes |= seen[s] && strcmp(k->sources[s]->path, "lib/tree/change.h") == 0;
    for (int p = 0; p < k->sources[source]->part_count; p++) {
        const kane_source_part *part = &k->sources[source]->parts[p];
        for (int n = 0; n < part->name_count && part->kind == KANE_SOURCE_MACRO; n++)
            u->changes |= strcmp(kane_words_text(k->words, part->names[n]), "KANE_SCALAR_SLOPES") == 0;
    }
    k->units[source] = u;
    return k->failed ? NULL : u;
}

// --- reachable parts ---

static void include_part(kane_kernels *k, int source, int i)
{
    unit *u = k->units[source];
    if (u->is_included[i])
        return;
    u->is_included[i] = 1;
    u->is_reached     = 1;
    k->pending        = grow_array(k, k->pending, k->pending_count, &k->pending_room, sizeof *k->pending);
    if (!k->failed)
        k->pending[k->pending_count++] = (item){source, i};
}

// First entry of a word in a unit, or of the next one.
static int find_entry(const unit *u, int word)
{
    int low = 0, high = u->entry_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (u->entries[middle].word < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const definition *find_definition(const kane_kernels *k, int word)
{
    int low = 0, high = k->definition_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (k->definitions[middle].word < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < k->definition_count && k->definitions[low].word == word ? &k->definitions[low] : NULL;
}

static void include_definition(kane_kernels *k, const definition *d)
{
    const unit *u = find_unit(k, d->source);
    for (int i = 0; u && i < u->count; i++)
        if (u->items[i].source == d->source && u->items[i].part == d->part)
            include_part(k, d->source, i);
}

static const kane_source_part *part_of(const kane_kernels *k, const item *i)
{
    return &k->sources[i->source]->parts[i->part];
}

// Includes every definition of a word in a unit, and in other sources.
static void include_all(kane_kernels *k, int source, int word)
{
    const unit *u = k->units[source];
    for (int e = find_entry(u, word); e < u->entry_count && u->entries[e].word == word; e++)
        include_part(k, source, u->entries[e].item);
    const definition *d = find_definition(k, word);
    if (d && d->source != source)
        include_definition(k, d);
}

// Includes the parts that declare a word which the part `user` uses: those before it, for a macro also later ones. A
// variable within the part is no function.
static void include_used_parts(kane_kernels *k, int source, int user, int use)
{
    const unit *u              = k->units[source];
    const kane_source_part *by = part_of(k, &u->items[user]);
    const int word             = by->uses[use];
    const int is_late_allowed  = by->kind == KANE_SOURCE_MACRO || by->kind == KANE_SOURCE_BRANCH;
    for (int e = find_entry(u, word); e < u->entry_count && u->entries[e].word == word; e++) {
        const int i                  = u->entries[e].item;
        const kane_source_part *part = part_of(k, &u->items[i]);
        if ((i < user || is_late_allowed) && !(by->is_variable[use] && part->is_function))
            include_part(k, source, i);
    }
}

// Includes what a part uses, and definitions of the names that it declares.
static void include_part_uses(kane_kernels *k, int source, int i)
{
    const kane_source_part *part = part_of(k, &k->units[source]->items[i]);
    for (int use = 0; use < part->use_count && !k->failed; use++)
        include_used_parts(k, source, i, use);
    for (int n = 0; n < part->name_count && part->kind == KANE_SOURCE_DECLARATION && !k->failed; n++)
        include_all(k, source, part->names[n]);
}

// Includes #if branches that have an included part, with the names in their conditions.
static void include_branches(kane_kernels *k, int source)
{
    unit *u = k->units[source];
    int stack[64], depth = 0, full[64];
    for (int i = 0; i < u->count; i++) {
        const kane_source_part *part = part_of(k, &u->items[i]);
        if (part->kind != KANE_SOURCE_BRANCH) {
            for (int d = 0; d < depth && u->is_included[i]; d++)
                full[d] = 1;
            continue;
        }
        if (part->depth_change > 0 && depth < 64) {
            stack[depth]  = i;
            full[depth++] = 0;
        }
        if (part->depth_change < 0 && depth > 0 && full[--depth]) {
            int inner = 0; // those of branches within are kept by themselves
            for (int b = stack[depth]; b <= i; b++) {
                const kane_source_part *within = part_of(k, &u->items[b]);
                if (within->kind != KANE_SOURCE_BRANCH)
                    continue;
                inner += within->depth_change > 0;
                if (inner == 1)
                    include_part(k, source, b);
                inner -= within->depth_change < 0;
            }
        }
    }
}

static void include_reachable(kane_kernels *k)
{
    do {
        while (k->pending_count > 0 && !k->failed) {
            const item next = k->pending[--k->pending_count];
            include_part_uses(k, next.source, next.part);
        }
        for (int s = 0; s < k->source_count && !k->failed; s++)
            if (k->units[s] && k->units[s]->is_reached)
                include_branches(k, s);
    } while (k->pending_count > 0 && !k->failed);
}

// --- queries ---

// "lib/agem/work.c" -> "agem_work", "track/eval.c" -> "track_eval"
static void name_stem(const char *path, size_t size, char *stem)
{
    const char *from = strncmp(path, "lib/", 4) == 0 ? path + 4 : path;
    (void)snprintf(stem, size, "%s", from);
    stem[strcspn(stem, ".")] = '\0';
    for (char *c = stem; *c; c++)
        *c = *c == '/' ? '_' : *c;
}

int kane_kernels_have_stem(const kane_kernels *k, const char *name)
{
    char stem[128];
    for (int s = 0; s < k->source_count; s++) {
        name_stem(k->sources[s]->path, sizeof stem, stem);
        if (strcmp(stem, name) == 0)
            return 1;
    }
    return 0;
}

static const char *rename_word(kane_kernels *k, int source, int word, int is_asked)
{
    char stem[128], name[384];
    for (int i = 0; i < k->renaming_count; i++)
        if (k->renamings[i].source == source && k->renamings[i].word == word)
            return k->renamings[i].name;
    name_stem(k->sources[source]->path, sizeof stem, stem);
    (void)snprintf(name, sizeof name, "%s_%s", stem, kane_words_text(k->words, word));
    k->renamings = grow_array(k, k->renamings, k->renaming_count, &k->renaming_room, sizeof *k->renamings);
    if (k->failed)
        return NULL;
    renaming *own = &k->renamings[k->renaming_count++];
    *own          = (renaming){source, word, is_asked, kane_arena_text(k->arena, name)};
    return own->name;
}

static int is_file(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, name) == 0;
}

const char *kane_kernels_query(kane_kernels *k, const char *name, const char *file, kane_errors *errors)
{
    const int word      = kane_words_find(k->words, name, strlen(name));
    const definition *d = word < 0 ? NULL : find_definition(k, word);
    int found = -1, count = 0;
    k->errors = errors;
    if (d) {
        include_definition(k, d);
        return k->failed ? NULL : kane_words_text(k->words, word);
    }
    for (int s = 0; s < k->source_count && word >= 0 && !k->failed; s++) {
        if (!is_file(k->sources[s]->path, file))
            continue;
        for (int p = 0; p < k->sources[s]->part_count; p++) {
            const kane_source_part *part = &k->sources[s]->parts[p];
            for (int n = 0; n < part->name_count; n++)
                if (part->names[n] == word && part->kind == KANE_SOURCE_DEFINITION && found != s) {
                    found = s;
                    count++;
                }
        }
    }
    if (count != 1) {
        kane_errors_add(errors, KANE_BAD_INPUT, "'%s' of %s is used by the model, and %s in the sources at %s", name,
                        file[0] ? file : "libkane", count ? "there are several" : "it is not", k->folder);
        return NULL;
    }
    if (!find_unit(k, found))
        return NULL;
    include_all(k, found, word);
    return rename_word(k, found, word, 1);
}

// --- writing ---

// Files that are written: which units go into each.
typedef struct output {
    const char *name, *flags;
    int is_alone; // 1: for one unit
    int count, room;
    int *units; // sources
    int *owner; // by word: source + 1 of the part that says all of it
} output;

typedef struct writer {
    kane_kernels *k;
    FILE *file;
    const output *out;
    char *is_begun;      // by source: a header stands in the file already
    unsigned char **any; // by source: parts that some unit of this file keeps
    int system_count;
    const char *systems[64];
} writer;

static const char *flags_of(const char *path)
{
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(special[i].source, path) == 0)
            return special[i].flags;
    return "";
}

// Names that should be unique in the library; units in which they are defined differently cannot share a file.
static int is_of_library(const char *name)
{
    return strncmp(name, "kane_", 5) == 0 || strncmp(name, "KANE_", 5) == 0;
}

// Whether a name of an included part of a unit is defined differently by others in the file. notes: 1: enters the
// unit's names.
static int has_name_conflict(const kane_kernels *k, const output *o, int source, int notes)
{
    const unit *u = k->units[source];
    for (int i = 0; i < u->count; i++) {
        const kane_source_part *part = part_of(k, &u->items[i]);
        for (int n = 0; n < part->name_count && u->is_included[i] && part->is_strong; n++) {
            int *owner = &o->owner[part->names[n]];
            const int is_fixed =
                u->items[i].source != source || is_of_library(kane_words_text(k->words, part->names[n]));
            if (notes)
                *owner = is_fixed ? u->items[i].source + 1 : *owner;
            else if (*owner && *owner != u->items[i].source + 1 && is_fixed)
                return 1;
        }
    }
    return 0;
}

static void add_unit(kane_kernels *k, output *o, int source)
{
    o->units = grow_array(k, o->units, o->count, &o->room, sizeof *o->units);
    if (!k->failed)
        o->units[o->count++] = source;
    (void)has_name_conflict(k, o, source, 1);
}

// A file for units with these flags that another one can join; -1: there is none.
static int find_output(const kane_kernels *k, int count, const output *all, int source)
{
    for (int i = 0; i < count; i++)
        if (!all[i].is_alone && strcmp(all[i].flags, flags_of(k->sources[source]->path)) == 0 &&
            !has_name_conflict(k, &all[i], source, 0))
            return i;
    return -1;
}

// All that is alike in one file, if names allow it; the others by themselves.
static output *sort_units(kane_kernels *k, int *count)
{
    output *all = kane_arena_alloc(k->arena, (size_t)k->source_count, sizeof *all);
    *count      = 0;
    k->failed |= !all;
    for (int s = 0; s < k->source_count && !k->failed; s++) {
        if (!k->units[s] || !k->units[s]->is_reached)
            continue;
        const int is_separate = k->units[s]->changes;
        int at                = is_separate ? -1 : find_output(k, *count, all, s);
        if (at < 0) {
            char name[64] = "kernels.c";
            at            = (*count)++;
            if (at > 0)
                (void)snprintf(name, sizeof name, "kernels_%d.c", at + 1);
            all[at] = (output){.name     = kane_arena_text(k->arena, name),
                               .flags    = flags_of(k->sources[s]->path),
                               .is_alone = is_separate,
                               .owner    = kane_arena_alloc(k->arena, (size_t)kane_words_count(k->words), sizeof(int))};
            k->failed |= !all[at].name || !all[at].owner;
        }
        if (!k->failed)
            add_unit(k, &all[at], s);
    }
    return all;
}

static int keeps_name(const kane_kernels *k, int source, int word)
{
    const unit *u = k->units[source];
    for (int e = find_entry(u, word); e < u->entry_count && u->entries[e].word == word; e++)
        if (u->is_included[u->entries[e].item] && u->items[u->entries[e].item].source == source)
            return 1;
    return 0;
}

// Whether a header of the file, or another unit in it, has a name that a unit has.
static int is_taken(const kane_kernels *k, const output *o, int source, int word)
{
    for (int i = 0; i < o->count; i++) {
        const unit *u = k->units[o->units[i]];
        for (int e = find_entry(u, word); e < u->entry_count && u->entries[e].word == word; e++) {
            const int owner = u->items[u->entries[e].item].source;
            if (owner != source && (u->is_included[u->entries[e].item] || owner == o->units[i]))
                return 1;
        }
    }
    return 0;
}

static const renaming *find_renaming(const kane_kernels *k, int source, int word)
{
    for (int i = 0; i < k->renaming_count; i++)
        if (k->renamings[i].source == source && k->renamings[i].word == word)
            return &k->renamings[i];
    return NULL;
}

// Renames those names that conflict within a file.
static void part_names(kane_kernels *k, const output *o)
{
    for (int i = 0; i < o->count; i++) {
        const int source     = o->units[i];
        const kane_source *s = k->sources[source];
        for (int p = 0; p < s->part_count; p++)
            for (int n = 0; n < s->parts[p].name_count; n++) {
                const int word = s->parts[p].names[n];
                if (!is_of_library(kane_words_text(k->words, word)) && keeps_name(k, source, word) &&
                    !find_definition(k, word) && is_taken(k, o, source, word))
                    (void)rename_word(k, source, word, 0);
            }
        // what a macro makes of a name goes with it
        for (int p = 0; p < s->part_count; p++)
            for (int n = 0; n < s->parts[p].name_count && s->parts[p].kind == KANE_SOURCE_CALL; n++)
                if (s->parts[p].use_count > 1 && find_renaming(k, source, s->parts[p].uses[1]))
                    (void)rename_word(k, source, s->parts[p].names[n], 0);
    }
}

// Whether a name in the braces of a type is that of a member.
static int is_member(const kane_source *s, const kane_source_part *part, size_t at, size_t length, int depth)
{
    if (part->kind != KANE_SOURCE_DECLARATION || depth == 0)
        return 0;
    const char *behind = s->text + at + length;
    while (*behind == ' ' || *behind == '\n')
        behind++;
    return strchr(";,[:)", *behind) != NULL && strncmp(s->text + part->begin, "typedef enum", 12) != 0 &&
           strncmp(s->text + part->begin, "enum", 4) != 0;
}

static int depth_between(const char *text, size_t begin, size_t end)
{
    int depth = 0;
    for (size_t i = begin; i < end; i++)
        depth += (text[i] == '{') - (text[i] == '}');
    return depth;
}

// The text of a part with the names that it has here.
static void write_part(writer *w, int source, const kane_source_part *part)
{
    const kane_kernels *k = w->k;
    const kane_source *s  = k->sources[source];
    int is_asked          = 0;
    for (int n = 0; n < part->name_count; n++) {
        const renaming *r = find_renaming(k, source, part->names[n]);
        is_asked |= r && r->is_asked;
    }
    size_t done = part->comment, at = part->begin, length;
    char before;
    while (kane_source_next_name(s->text, part->end, &at, &length, &before)) {
        const int word    = kane_words_find(k->words, s->text + at, length);
        const renaming *r = word < 0 ? NULL : find_renaming(k, source, word);
        const int dotted  = before == '.' || (before == '>' && s->text[at - 1] == '>' && s->text[at - 2] == '-');
        const int drops   = is_asked && at == part->begin && length == 6 && strncmp(s->text + at, "static", 6) == 0;
        if (drops || (r && !dotted && !is_member(s, part, at, length, depth_between(s->text, part->begin, at)))) {
            (void)fwrite(s->text + done, 1, at - done, w->file);
            if (!drops)
                (void)fputs(r->name, w->file);
            done = at + length + (drops ? 1 : 0);
        }
        at += length;
    }
    (void)fwrite(s->text + done, 1, part->end - done, w->file);
    (void)fputs("\n\n", w->file);
}

// Of others only what C itself has: with its names all files are compiled already.
static int is_of_language(const char *header)
{
    static const char *const headers[] = {"ctype.h",     "float.h",  "limits.h", "math.h",  "stdarg.h", "stdalign.h",
                                          "stdatomic.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strcmp(headers[i], header) == 0)
            return 1;
    return 0;
}

static int is_new_system(writer *w, const kane_source_part *part)
{
    if (!is_of_language(part->include))
        return 0;
    for (int i = 0; i < w->system_count; i++)
        if (strcmp(w->systems[i], part->include) == 0)
            return 0;
    if (w->system_count < 64)
        w->systems[w->system_count++] = part->include;
    return 1;
}

// Whether a macro with a name of this #undef is included.
static int undefines_macro(const writer *w, int source, const kane_source_part *part)
{
    const kane_source *s = w->k->sources[source];
    for (int p = 0; p < s->part_count; p++)
        for (int n = 0; n < s->parts[p].name_count && s->parts[p].kind == KANE_SOURCE_MACRO && w->any[source][p]; n++)
            for (int u = 0; u < part->use_count; u++)
                if (part->uses[u] == s->parts[p].names[n])
                    return 1;
    return 0;
}

static int is_written(writer *w, const item *i)
{
    const kane_source_part *part = part_of(w->k, i);
    switch (part->kind) {
    case KANE_SOURCE_SYSTEM: return is_new_system(w, part);
    case KANE_SOURCE_UNDEFINE: return undefines_macro(w, i->source, part);
    default: return w->any[i->source][i->part];
    }
}

static void write_unit(writer *w, int source)
{
    const unit *u = w->k->units[source];
    int current   = -1;
    for (int i = 0; i < u->count; i++) {
        const item *it = &u->items[i];
        if ((w->is_begun[it->source] & 1) || !is_written(w, it))
            continue;
        if (it->source != current && part_of(w->k, it)->kind != KANE_SOURCE_SYSTEM)
            (void)fprintf(w->file, "// --- %s\n\n", w->k->sources[it->source]->path);
        current = it->source;
        write_part(w, it->source, part_of(w->k, it));
    }
    for (int i = 0; i < u->count; i++)
        w->is_begun[u->items[i].source] = 1;
}

static int write_output(kane_kernels *k, const output *o, const char *directory, kane_errors *errors)
{
    char name[4096];
    kane_replacement r;
    writer w   = {.k = k, .out = o};
    w.is_begun = kane_arena_alloc(k->arena, (size_t)k->source_count, 1);
    w.any      = kane_arena_alloc(k->arena, (size_t)k->source_count, sizeof *w.any);
    k->failed |= !w.is_begun || !w.any;
    for (int s = 0; s < k->source_count && !k->failed; s++) {
        w.any[s] = kane_arena_alloc(k->arena, (size_t)k->sources[s]->part_count, 1);
        k->failed |= !w.any[s];
    }
    for (int i = 0; i < o->count && !k->failed; i++)
        for (int n = 0; n < k->units[o->units[i]]->count; n++)
            if (k->units[o->units[i]]->is_included[n])
                w.any[k->units[o->units[i]]->items[n].source][k->units[o->units[i]]->items[n].part] = 1;
    (void)snprintf(name, sizeof name, "%s/%s", directory, o->name);
    if (k->failed || kane_replacement_open(&r, name, errors) != KANE_OK)
        return 0;
    w.file = r.file;
    (void)fprintf(
        w.file,
        "// SPDX-License-Identifier: MIT\n// From libkane %s (%s): what one model needs, written by \"kane export c\".\n\n"
        "#define KANE_STATIC\n#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n\n",
        kane_version(), kane_commit());
    for (int i = 0; i < o->count; i++)
        write_unit(&w, o->units[i]);
    return kane_replacement_close(&r, errors) == KANE_OK;
}

const kane_kernel_file *kane_kernels_write(kane_kernels *k, const char *directory, int *count, kane_errors *errors)
{
    k->errors = errors;
    include_reachable(k);
    const output *all       = k->failed ? NULL : sort_units(k, count);
    kane_kernel_file *files = k->failed ? NULL : kane_arena_alloc(k->arena, (size_t)*count, sizeof *files);
    for (int i = 0; i < *count && files && !k->failed; i++)
        part_names(k, &all[i]);
    for (int i = 0; i < *count && files && !k->failed; i++) {
        files[i] = (kane_kernel_file){all[i].name, all[i].flags};
        if (!write_output(k, &all[i], directory, errors))
            return NULL;
    }
    return k->failed ? NULL : files;
}
