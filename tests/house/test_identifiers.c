// SPDX-License-Identifier: MIT
// Names that pages and comments mention exist: functions, types, members and constants of ours are in the code, files
// are in the source tree, keys of files are keys that a reader knows.

#include "sources.h"

#include <glob.h>

typedef struct word_list {
    char **at;
    int count, room, is_sorted;
} word_list;

static word_list identifiers; // ours, also those of members behind their type's
static word_list quoted;      // what the code has in quotes, as keys are
static word_list files;       // sources, "/lib/agem/evaluate.c"

static int missing, checked;

static void add_word(word_list *list, const char *word, size_t length)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->at   = realloc(list->at, (size_t)list->room * sizeof *list->at);
        assert_non_null(list->at);
    }
    list->at[list->count] = strndup(word, length);
    assert_non_null(list->at[list->count++]);
    list->is_sorted = 0;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int has_word(word_list *list, const char *word)
{
    if (!list->is_sorted)
        qsort(list->at, (size_t)list->count, sizeof *list->at, compare_words);
    list->is_sorted = 1;
    return bsearch(&word, list->at, (size_t)list->count, sizeof *list->at, compare_words) != NULL;
}

static int has_beginning(const word_list *list, const char *beginning)
{
    for (int i = 0; i < list->count; i++)
        if (strncmp(list->at[i], beginning, strlen(beginning)) == 0)
            return 1;
    return 0;
}

static int has_end(const word_list *list, const char *end)
{
    for (int i = 0; i < list->count; i++)
        if (source_ends_with(list->at[i], end))
            return 1;
    return 0;
}

static void free_words(word_list *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->at[i]);
    free(list->at);
}

static size_t word_length(const char *word)
{
    size_t length = 0;
    while (source_is_word(word[length]))
        length++;
    return length;
}

// Whether a word that begins here is a name of libkane's own.
static int is_ours(const char *word)
{
    static const char *const beginnings[] = {"kane_", "KANE_", "kv3_", "km3_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            return source_is_word(word[strlen(beginnings[i])]);
    return 0;
}

// Next name of ours that begins a word; NULL: there is none.
static const char *next_identifier(const char *text)
{
    for (const char *p = text; *p; p++) {
        if (!source_is_word(*p))
            continue;
        if (is_ours(p))
            return p;
        p += word_length(p) - 1;
    }
    return NULL;
}

// --- what the code has ---

// Members of a type between the braces behind `open`, those of its unnamed structs, too.
static void add_members(const char *type, size_t type_length, const char *open)
{
    int depth = 1;
    for (const char *p = open + 1; *p && depth > 0; p++) {
        depth += (*p == '{') - (*p == '}');
        if (!source_is_word(*p))
            continue;
        char member[256];
        const size_t length = word_length(p);
        (void)snprintf(member, sizeof member, "%.*s.%.*s", (int)type_length, type, (int)length, p);
        add_word(&identifiers, member, strlen(member));
        p += length - 1;
    }
}

static void add_quoted(const char *code)
{
    for (const char *p = code; *p;) {
        const char *behind = source_skip_token(p);
        if (*p == '"' && behind > p + 2)
            add_word(&quoted, p + 1, (size_t)(behind - p) - 2);
        p = behind == p ? p + 1 : behind;
    }
}

static int is_code(const char *name)
{
    return source_is_c(name) || source_ends_with(name, ".py") || source_ends_with(name, ".js") ||
           source_ends_with(name, ".cmake") || source_ends_with(name, ".sh") || strcmp(name, "CMakeLists.txt") == 0;
}

static void add_code(const char *path, const char *text, void *data)
{
    char *code = strdup(text), rooted[1024];
    (void)data;
    assert_non_null(code);
    (void)snprintf(rooted, sizeof rooted, "/%s", path);
    add_word(&files, rooted, strlen(rooted));
    if (source_is_c(path))
        source_remove_comments(code);
    for (const char *p = next_identifier(code); p; p = next_identifier(p)) {
        const size_t length = word_length(p);
        const char *open    = p + length + strspn(p + length, " ");
        add_word(&identifiers, p, length);
        if (*open == '{')
            add_members(p, length, open);
        p += length;
    }
    if (strncmp(path, "tests/", 6) != 0)
        add_quoted(code);
    free(code);
}

static int is_schema(const char *name)
{
    return source_ends_with(name, ".json");
}

static void add_schema(const char *path, const char *text, void *data)
{
    (void)path;
    (void)data;
    add_quoted(text);
}

static int read_code(void **state)
{
    static const char *const folders[] = {"apps", "include", "lib", "tests", "track", "vehicles"};
    (void)state;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        source_visit_folder(folders[i], is_code, add_code, NULL);
    source_visit_folder("data/schemas", is_schema, add_schema, NULL);
    CHECK_MEMORY char *rules = source_read("CMakeLists.txt");
    assert_non_null(rules);
    add_code("CMakeLists.txt", rules, NULL);
    return 0;
}

static int free_code(void **state)
{
    (void)state;
    free_words(&identifiers);
    free_words(&quoted);
    free_words(&files);
    return 0;
}

// --- what pages and comments name ---

static void report(const char *path, const char *text, const char *at, const char *what, const char *name)
{
    int line = 1;
    for (const char *p = text; p < at; p++)
        line += *p == '\n';
    print_error("%s:%d: there is no %s %s\n", path, line, what, name);
    missing++;
}

// Names of ours from `begin` to `end`: with `*` behind it a name means all that begin so, with a dot a member of a
// type.
static void check_identifiers(const char *path, const char *text, const char *begin, const char *end)
{
    for (const char *p = next_identifier(begin); p && p < end; p = next_identifier(p)) {
        char name[256];
        size_t length      = word_length(p);
        const char *behind = p + length;
        (void)snprintf(name, sizeof name, "%.*s", (int)length, p);
        const int is_group = *behind == '*' || name[length - 1] == '_';
        if (is_group ? !has_beginning(&identifiers, name) : !has_word(&identifiers, name))
            report(path, text, p, "identifier", name);
        const char *member = *behind == '.' ? behind + 1 : strncmp(behind, "->", 2) == 0 ? behind + 2 : behind;
        (void)snprintf(name, sizeof name, "%.*s.", (int)length, p);
        if (member > behind && word_length(member) > 0 && has_beginning(&identifiers, name)) {
            (void)snprintf(name, sizeof name, "%.*s.%.*s", (int)length, p, (int)word_length(member), member);
            if (!has_word(&identifiers, name))
                report(path, text, p, "member", name);
        }
        checked++;
        p = behind;
    }
}

// Text between backquotes that is a file of C, ours or one that the program writes, or a path below the source tree;
// `*` stands for any letters.
static void check_path(const char *path, const char *text, const char *name, size_t length)
{
    static const char *const folders[]   = {"apps/", "data/",  "docs/",  "include/",
                                            "lib/",  "tests/", "track/", "vehicles/"};
    static const char *const elsewhere[] = {"lib/x86_64-linux-gnu", "data/vehicle/sedan"}; // installed, of others
    char rooted[1024];
    int is_path = 0, is_there;
    if (length >= 200 || strcspn(name, " {<,\n`") < length)
        return;
    (void)snprintf(rooted, sizeof rooted, "/%.*s", (int)length, name);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        is_path |= strncmp(name, folders[i], strlen(folders[i])) == 0;
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strncmp(name, elsewhere[i], length) == 0)
            return;
    if (is_path) {
        glob_t found;
        (void)snprintf(rooted, sizeof rooted, "%s/%.*s", KANE_SOURCE_DIR, (int)length, name);
        is_there = glob(rooted, 0, NULL, &found) == 0;
        globfree(&found);
    } else if (source_is_c(rooted) && !strpbrk(rooted, "*ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        is_there = has_end(&files, rooted) || has_word(&quoted, rooted + 1);
    else
        return;
    checked++;
    if (!is_there)
        report(path, text, name, "file", rooted);
}

// A key before a value in a sample of a file; before an object it may be a name that the user gives.
static void check_key(const char *path, const char *text, const char *quote)
{
    static const char *const strange[] = {"referense_body", "profil", "laden", "fileMatch",
                                          "url"}; // mistakes on purpose, a user's name, an editor's
    char name[256];
    const size_t length = word_length(quote + 1);
    const char *colon   = quote + 2 + length;
    if (length == 0 || length >= sizeof name || strncmp(colon - 1, "\":", 2) != 0 ||
        colon[1 + strspn(colon + 1, " \n")] == '{')
        return;
    (void)snprintf(name, sizeof name, "%.*s", (int)length, quote + 1);
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        if (strcmp(name, strange[i]) == 0)
            return;
    checked++;
    if (!has_word(&quoted, name))
        report(path, text, quote, "key", name);
}

static void check_page(const char *path, const char *text, void *data)
{
    (void)data;
    check_identifiers(path, text, text, text + strlen(text));
    for (const char *p = strchr(text, '`'); p; p = strchr(p + 1, '`')) {
        const size_t length = strcspn(p + 1, "`\n");
        if (length > 0 && p[1 + length] == '`') {
            check_path(path, text, p + 1, length);
            p += length + 1;
        }
    }
    for (const char *p = strchr(text, '"'); p; p = strchr(p + 1, '"'))
        check_key(path, text, p);
}

static int is_page(const char *name)
{
    return source_ends_with(name, ".md");
}

CHECK_TEST(names_on_pages_exist)
{
    missing = checked = 0;
    char *readme      = source_read("README.md");
    assert_non_null(readme);
    check_page("README.md", readme, NULL);
    free(readme);
    source_visit_folder("docs", is_page, check_page, NULL);
    source_visit_folder("vehicles", is_page, check_page, NULL);
    assert_true(checked > 500);
    assert_int_equal(missing, 0);
}

static void check_comments(const char *path, const char *text, void *data)
{
    (void)data;
    for (const char *p = text; *p;) {
        const char *behind = source_skip_token(p);
        if (*p == '/' && behind > p)
            check_identifiers(path, text, p, behind);
        p = behind == p ? p + 1 : behind;
    }
}

CHECK_TEST(names_in_comments_exist)
{
    static const char *const folders[] = {"apps", "include", "lib", "tests", "track", "vehicles"};
    missing = checked = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        source_visit_folder(folders[i], source_is_c, check_comments, NULL);
    assert_true(checked > 500);
    assert_int_equal(missing, 0);
}

CHECK_MAIN(read_code, free_code)
