// SPDX-License-Identifier: MIT
// The sources of libkane that a model needs, copied as they are.
//
// From the functions and constants that are named, words lead to others: what the text of a function, or a header of
// its file, has the name of is needed, and so is the file that defines it. Files that know more than C are left out; of
// what is copied the linker removes what nothing calls (docs/export.md).

#include "export/export.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Modules that evaluations use.
static const char *const modules[] = {"lib/base",  "lib/math",    "lib/profile", "track",    "lib/flexible", "lib/tree",
                                      "lib/force", "lib/contact", "lib/model",   "lib/agem", "lib/simulate"};
enum { MODULES = sizeof modules / sizeof *modules, SOURCES_MOST = 1024, NAME_SIZE = 256 };

// As in CMakeLists.txt.
static const struct {
    const char *source, *flags;
} special[] = {
    {"lib/contact/fastsim.c", "-fno-trapping-math"},
    {"lib/tree/move.c", "-fno-tree-slp-vectorize"},
    {"lib/tree/solve.c", "-fno-tree-slp-vectorize"},
    {"lib/tree/rows.c", "-fno-tree-slp-vectorize"},
};

// A static function or constant that tables point to, by its name outside its file.
typedef struct alias {
    const char *name, *exported;
    struct alias *next;
} alias;

typedef struct source {
    const char *path; // in the folder of sources: "lib/agem/work.h"
    const char *text;
    int is_header;
    int is_foreign; // 1: it, or a header of it, knows more than C; -1: not known yet
    int is_reached;
    alias *aliases;
} source;

// A function or constant that is defined in a source.
typedef struct definition {
    const char *name, *begin, *end; // its text, up to the next statement at the margin
    int source, is_static, is_reached;
} definition;

struct kane_kernels {
    kane_arena *arena;
    const char *folder;
    int source_count, definition_count, definition_room;
    source *sources;         // [SOURCES_MOST]
    definition *definitions; // by name
    kane_errors *errors;
    int failed;
};

// --- reading ---

// What exported models have in place of files that know other libraries, or more than C.
static const char *plain_source(const char *path)
{
    static const char *const plain[][2] = {{"lib/math/sparse_lu.c", "lib/export/plain/sparse_lu.c"},
                                           {"lib/base/c_locale.h", "lib/export/plain/c_locale.h"},
                                           {"lib/base/file.c", "lib/export/plain/file.c"}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(path, plain[i][0]) == 0)
            return plain[i][1];
    return path;
}

static int find_source(const kane_kernels *k, const char *path)
{
    for (int i = 0; i < k->source_count; i++)
        if (strcmp(k->sources[i].path, path) == 0)
            return i;
    return -1;
}

// The number of a source, which is read if it has not been. -1 with an error.
static int add_source(kane_kernels *k, const char *path)
{
    char file[4096];
    const int known = find_source(k, path);
    if (known >= 0 || k->failed)
        return known;
    (void)snprintf(file, sizeof file, "%s/%s", k->folder, plain_source(path));
    const size_t length = strlen(path);
    const char *text    = kane_file_read(k->arena, file, NULL, k->errors);
    if (!text || k->source_count == SOURCES_MOST) {
        k->failed = 1;
        return -1;
    }
    k->sources[k->source_count] = (source){.path       = kane_arena_text(k->arena, path),
                                           .text       = text,
                                           .is_header  = length > 2 && path[length - 1] == 'h',
                                           .is_foreign = -1};
    return k->source_count++;
}

static int compare_texts(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

// All .c of a module, in the order of their names.
static void read_module(kane_kernels *k, const char *module)
{
    char path[4096];
    const char *names[256];
    int count = 0;
    (void)snprintf(path, sizeof path, "%s/%s", k->folder, module);
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
        (void)snprintf(path, sizeof path, "%s/%s", module, names[i]);
        (void)add_source(k, path);
    }
}

// --- words and definitions: sources are as clang-format leaves them ---

static int is_of_word(char c)
{
    return kane_is_letter_or_digit(c) || c == '_';
}

// Behind a comment or a text that begins at `at`; `at` itself if none does.
static const char *skip_opaque(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    const char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

// The next word from `at` on, outside comments and texts; NULL: there is none before `end` (NULL: the end of the text).
static const char *next_word(const char *at, const char *end, size_t *length)
{
    while (*at && (!end || at < end)) {
        const char *behind = skip_opaque(at);
        if (behind > at) {
            at = behind;
            continue;
        }
        if (!is_of_word(*at)) {
            at++;
            continue;
        }
        *length = 0;
        while (is_of_word(at[*length]))
            ++*length;
        return at;
    }
    return NULL;
}

static int is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static void add_definition(kane_kernels *k, int s, const char *name, const char *begin, int is_static)
{
    definition *definitions =
        kane_arena_grow(k->arena, k->definitions, k->definition_count, &k->definition_room, sizeof *definitions);
    k->failed |= !definitions;
    if (!definitions)
        return;
    k->definitions = definitions;
    k->definitions[k->definition_count++] =
        (definition){.name = name, .begin = begin, .source = s, .is_static = is_static};
}

// What a statement at the margin of a file defines: `end` is where its body, its value or nothing but a semicolon
// begins.
static void list_defined(kane_kernels *k, int s, const char *begin, const char *end)
{
    const char *name = NULL, *word = begin;
    size_t name_length = 0, length;
    int is_static      = 0;
    for (; (word = next_word(word, end, &length)) != NULL; word += length) {
        if (is_word(word, length, "typedef") || is_word(word, length, "extern") ||
            (word == begin && (is_word(word, length, "struct") || is_word(word, length, "enum"))))
            return;
        is_static |= is_word(word, length, "static") || is_word(word, length, "KANE_INLINE");
        name            = word;
        name_length     = length;
        const char next = word[length];
        if (next == '(' || next == '[' || (next == ' ' && word[length + 1] == '='))
            break;
    }
    if (name && name < end && (*end != ';' || !memchr(begin, '(', (size_t)(end - begin))))
        add_definition(k, s, kane_arena_text_part(k->arena, name, name_length), begin, is_static);
}

// A macro that makes functions, KANE_FORMULA_FUNCTIONS(name, ...): name_eval, name_rates, name_derive.
static void list_made(kane_kernels *k, int s, const char *begin, const char *argument)
{
    static const char *const suffixes[] = {"_eval", "_rates", "_derive"};
    char name[NAME_SIZE];
    int length = 0;
    while (is_of_word(argument[length]))
        length++;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (snprintf(name, sizeof name, "%.*s%s", length, argument, suffixes[i]) < (int)sizeof name)
            add_definition(k, s, kane_arena_text(k->arena, name), begin, 1);
}

// Where the statement that begins here opens its body or its value, or ends.
static const char *find_opening(const char *at)
{
    int round = 0;
    while (*at) {
        const char *behind = skip_opaque(at);
        if (behind > at) {
            at = behind;
            continue;
        }
        round += (*at == '(') - (*at == ')');
        if (round == 0 && (*at == '{' || *at == '=' || *at == ';'))
            return at;
        at++;
    }
    return at;
}

static void list_definitions(kane_kernels *k, int s)
{
    int open = k->definition_count; // the first one whose end is not known
    for (const char *line = k->sources[s].text; *line;) {
        if (kane_is_letter(*line)) { // not directives, comments, what is within a body
            const size_t upper = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
            for (; open < k->definition_count; open++)
                k->definitions[open].end = line;
            if (upper > 1 && line[upper] == '(') {
                list_made(k, s, line, line + upper + 1);
            } else {
                const char *end = find_opening(line);
                list_defined(k, s, line, end);
                line = end;
            }
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    for (; open < k->definition_count; open++)
        k->definitions[open].end = k->sources[s].text + strlen(k->sources[s].text);
}

static int compare_definitions(const void *a, const void *b)
{
    const definition *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->source - y->source;
}

kane_kernels *kane_kernels_read(kane_arena *arena, const char *folder, kane_errors *errors)
{
    kane_kernels *k = kane_arena_alloc(arena, 1, sizeof *k);
    source *sources = kane_arena_alloc(arena, SOURCES_MOST, sizeof *sources);
    if (!k || !sources)
        return NULL;
    *k = (kane_kernels){.arena = arena, .folder = folder, .sources = sources, .errors = errors};
    for (int i = 0; i < MODULES && !k->failed; i++)
        read_module(k, modules[i]);
    for (int s = 0; s < k->source_count && !k->failed; s++)
        list_definitions(k, s);
    if (k->failed || kane_arena_failed(arena))
        return NULL;
    qsort(k->definitions, (size_t)k->definition_count, sizeof *k->definitions, compare_definitions);
    return k;
}

// --- what is needed ---

// Of headers of the system only those of C; the others are known to sanitizers alone.
static int is_of_language(const char *header, size_t length)
{
    static const char *const headers[] = {"ctype.h",
                                          "float.h",
                                          "limits.h",
                                          "math.h",
                                          "stdalign.h",
                                          "stdarg.h",
                                          "stdatomic.h",
                                          "stddef.h",
                                          "stdint.h",
                                          "stdio.h",
                                          "stdlib.h",
                                          "string.h",
                                          "sanitizer/asan_interface.h"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (is_word(header, length, headers[i]))
            return 1;
    return 0;
}

// The next header that a text includes; NULL: there is none. is_ours: 1 of libkane, with its path in the folder of
// sources.
static const char *next_include(const char *text, int *is_ours, size_t size, char *path)
{
    const char *at = strncmp(text, "#include ", 9) == 0 ? text : strstr(text, "\n#include ");
    if (!at)
        return NULL;
    at                  = strpbrk(at, "<\"") + 1;
    const size_t length = strcspn(at, ">\"");
    const int is_public = strncmp(at, "kane/", 5) == 0;
    *is_ours            = is_public || at[-1] == '"';
    const char *folder  = is_public ? "include/" : strncmp(at, "track/", 6) == 0 ? "" : "lib/";
    (void)snprintf(path, size, "%s%.*s", *is_ours ? folder : "", (int)length, at);
    return at + length;
}

// Whether a source can be compiled by what C itself has.
static int is_foreign(kane_kernels *k, int s)
{
    if (k->sources[s].is_foreign >= 0)
        return k->sources[s].is_foreign;
    k->sources[s].is_foreign = 0; // while it is looked into
    char path[512];
    int ours, found = 0;
    for (const char *at = k->sources[s].text;
         (at = next_include(at, &ours, sizeof path, path)) != NULL && !k->failed;) {
        const int inner = ours ? add_source(k, path) : -1;
        found |= ours ? inner >= 0 && is_foreign(k, inner) : !is_of_language(path, strlen(path));
    }
    k->sources[s].is_foreign = found;
    return found;
}

// A function or constant of source `of` (-1: none), or one that all see; NULL: there is none.
static definition *find_definition(const kane_kernels *k, const char *name, size_t length, int of)
{
    int low = 0, high = k->definition_count;
    while (low < high) {
        const int middle = (low + high) / 2, order = strncmp(k->definitions[middle].name, name, length);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    definition *found = NULL;
    for (; low < k->definition_count && is_word(name, length, k->definitions[low].name); low++)
        if (!k->definitions[low].is_static || k->definitions[low].source == of)
            found = found && found->is_static ? found : &k->definitions[low];
    return found;
}

static void reach_definition(kane_kernels *k, definition *d);

// What words from `at` to `end` are the names of. In a header lines that begin at the margin declare; bodies and macros
// call.
static void reach_words(kane_kernels *k, int s, const char *at, const char *end, int is_header)
{
    size_t length;
    for (; (at = next_word(at, end, &length)) != NULL; at += length) {
        const char *line = at;
        while (is_header && line > k->sources[s].text && line[-1] != '\n')
            line--;
        definition *d = is_header && kane_is_letter(*line) ? NULL : find_definition(k, at, length, is_header ? -1 : s);
        if (d && !d->is_reached)
            reach_definition(k, d);
    }
}

// A source, its headers, and its macros.
static void reach_source(kane_kernels *k, int s)
{
    char path[512];
    int ours;
    if (k->failed || k->sources[s].is_reached)
        return;
    k->sources[s].is_reached = 1;
    const char *text         = k->sources[s].text;
    for (const char *at = text; (at = next_include(at, &ours, sizeof path, path)) != NULL;) {
        const int inner = ours ? add_source(k, path) : -1;
        if (inner >= 0)
            reach_source(k, inner);
    }
    if (k->sources[s].is_header)
        reach_words(k, s, text, NULL, 1);
    for (const char *at = text; !k->sources[s].is_header && (at = strstr(at, "\n#define ")) != NULL;) {
        const char *end = at + 1;
        do
            end += strcspn(end, "\n") + 1;
        while (end[-2] == '\\');
        reach_words(k, s, at + 1, end, 0);
        at = end - 1;
    }
}

// A function or constant, and all that it needs.
static void reach_definition(kane_kernels *k, definition *d)
{
    d->is_reached = 1;
    if (is_foreign(k, d->source))
        return;
    reach_source(k, d->source);
    reach_words(k, d->source, d->begin, d->end, 0);
}

// "lib/agem/work.c" -> "agem_work", "track/eval.c" -> "track_eval"
static void name_stem(const char *path, size_t size, char *stem)
{
    (void)snprintf(stem, size, "%s", strncmp(path, "lib/", 4) == 0 ? path + 4 : path);
    stem[strcspn(stem, ".")] = '\0';
    for (char *c = stem; *c; c++)
        *c = *c == '/' ? '_' : *c;
}

// Names a static function or constant outside its file.
static const char *add_alias(kane_kernels *k, const definition *d)
{
    source *s = &k->sources[d->source];
    char stem[128], name[2 * NAME_SIZE];
    for (const alias *a = s->aliases; a; a = a->next)
        if (strcmp(a->name, d->name) == 0)
            return a->exported;
    name_stem(s->path, sizeof stem, stem);
    (void)snprintf(name, sizeof name, "kane_%s__%s", stem, d->name);
    alias *own = kane_arena_alloc(k->arena, 1, sizeof *own);
    if (!own)
        return NULL;
    *own       = (alias){d->name, kane_arena_text(k->arena, name), s->aliases};
    s->aliases = own;
    return own->exported;
}

static int is_file(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, name) == 0;
}

const char *kane_kernels_query(kane_kernels *k, const char *name, const char *file, kane_errors *errors)
{
    definition *found = file[0] ? NULL : find_definition(k, name, strlen(name), -1);
    int count         = found != NULL;
    k->errors         = errors;
    for (int i = 0; i < k->definition_count && file[0]; i++)
        if (strcmp(k->definitions[i].name, name) == 0 && is_file(k->sources[k->definitions[i].source].path, file)) {
            found = &k->definitions[i];
            count++;
        }
    if (count != 1 || is_foreign(k, found->source)) {
        kane_errors_add(errors, KANE_BAD_INPUT, "'%s' of %s is used by the model, and %s in the sources at %s", name,
                        file[0] ? file : "libkane",
                        count == 0   ? "it is not"
                        : count == 1 ? "needs more than C"
                                     : "there are several",
                        k->folder);
        return NULL;
    }
    reach_definition(k, found);
    const char *exported = found->is_static ? add_alias(k, found) : found->name;
    return k->failed ? NULL : exported;
}

// --- writing ---

// Makes the folders of DIR/libkane/PATH.
static int make_folders(const char *file, size_t from, kane_errors *errors)
{
    char folder[4096];
    for (const char *slash = strchr(file + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - file), file);
        if (kane_directory_make(folder, errors) != KANE_OK)
            return 0;
    }
    return 1;
}

// Sources that are there already stay, so that make does not compile them again.
static int copy_source(const kane_kernels *k, const source *s, const char *directory, kane_errors *errors)
{
    char file[4096];
    kane_errors none = {.limit = 1};
    (void)snprintf(file, sizeof file, "%s/libkane/%s", directory, s->path);
    if (!make_folders(file, strlen(directory) + 1, errors))
        return 0;
    const char *there = kane_file_read(k->arena, file, NULL, &none);
    if (there && strcmp(there, s->text) == 0)
        return 1;
    FILE *out      = fopen(file, "w");
    const int good = out && fputs(s->text, out) >= 0;
    if ((out && fclose(out) != 0) || !good) {
        kane_errors_add(errors, KANE_NO_FILE, "%s cannot be written: %s", file, kane_system_text(errno));
        return 0;
    }
    return 1;
}

// A source whose static functions tables point to: these get names outside.
static int write_aliases(const source *s, const char *directory, const char *name, kane_errors *errors)
{
    char file[4096];
    kane_replacement r;
    (void)snprintf(file, sizeof file, "%s/libkane/%s", directory, name);
    if (kane_replacement_open(&r, file, errors) != KANE_OK)
        return 0;
    (void)fprintf(
        r.file,
        "// SPDX-License-Identifier: MIT\n// Tables of the model point to these static functions and constants.\n\n");
    (void)fprintf(r.file, "#include \"%s\"\n\n", s->path);
    for (const alias *a = s->aliases; a; a = a->next)
        (void)fprintf(r.file, "extern __typeof__(%s) %s __attribute__((alias(\"%s\"), visibility(\"hidden\")));\n",
                      a->name, a->exported, a->name);
    return kane_replacement_close(&r, errors) == KANE_OK;
}

static const char *flags_of(const char *path)
{
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(special[i].source, path) == 0)
            return special[i].flags;
    return "";
}

const kane_kernel_file *kane_kernels_write(kane_kernels *k, const char *directory, int *count, kane_errors *errors)
{
    kane_kernel_file *files = kane_arena_alloc(k->arena, (size_t)k->source_count, sizeof *files);
    *count                  = 0;
    for (int i = 0; i < k->source_count && files; i++) {
        const source *s = &k->sources[i];
        char name[512];
        if (!s->is_reached)
            continue;
        if (!copy_source(k, s, directory, errors))
            return NULL;
        if (s->is_header)
            continue;
        (void)snprintf(name, sizeof name, "%s", s->path);
        if (s->aliases) {
            name_stem(s->path, sizeof name - 3, name);
            (void)strcat(name, ".c");
            if (!write_aliases(s, directory, name, errors))
                return NULL;
        }
        files[(*count)++] = (kane_kernel_file){kane_arena_text(k->arena, name), flags_of(s->path)};
    }
    return kane_arena_failed(k->arena) ? NULL : files;
}
