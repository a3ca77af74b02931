// SPDX-License-Identifier: MIT
// What the pages point to is there: files, headings, and the tests that they and the public headers name. A page that
// says what a test does says which.

#include "sources.h"

#include <ctype.h>

enum { PAGES = 128 };

typedef struct page {
    char path[512]; // from the source tree on
    char *text;
} page;

static page pages[PAGES];
static int page_count, missing;

static char names[65536]; // of all tests, each on a line of its own

static void add_page(const char *path)
{
    assert_true(page_count < PAGES);
    page *p = &pages[page_count++];
    (void)snprintf(p->path, sizeof p->path, "%s", path);
    p->text = source_read(path);
    assert_non_null(p->text);
}

static int read_pages(void **state)
{
    static const char *const folders[] = {"docs", "vehicles", "include/kane"};
    (void)state;
    add_page("README.md");
    add_page("CHANGELOG.md");
    add_page("CONTRIBUTING.md");
    for (int i = 0; i < 3; i++) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, folders[i]);
        DIR *folder = opendir(path);
        assert_non_null(folder);
        for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
            const char *end = strrchr(entry->d_name, '.');
            (void)snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            if (end && strcmp(end, i < 2 ? ".md" : ".h") == 0)
                add_page(path);
        }
        (void)closedir(folder);
    }
    FILE *file = fopen(KANE_TEST_NAMES, "r");
    assert_non_null(file);
    assert_true(fread(names + 1, 1, sizeof names - 2, file) > 1000); // each name between two line ends
    names[0] = '\n';
    (void)fclose(file);
    return 0;
}

static int free_pages(void **state)
{
    (void)state;
    for (int i = 0; i < page_count; i++)
        free(pages[i].text);
    return 0;
}

static void report(const char *file, const char *what, const char *target)
{
    print_error("%s: %s %s\n", file, what, target);
    missing++;
}

// How a heading is called in links: its letters and digits in lower case, blanks as dashes.
static void name_heading(const char *heading, char *name)
{
    for (; *heading && *heading != '\n'; heading++) {
        const unsigned char c = (unsigned char)*heading;
        if (isalnum(c) || c == '-' || c == '_')
            *name++ = (char)tolower(c);
        else if (c == ' ')
            *name++ = '-';
    }
    *name = '\0';
}

static int has_heading(const char *text, const char *name)
{
    char mark[256];
    (void)snprintf(mark, sizeof mark, "<a name=\"%s\">", name);
    if (strstr(text, mark))
        return 1;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char heading[1024] = "";
        if (*line == '#' && strcspn(line, "\n") < sizeof heading)
            name_heading(line + strspn(line, "# "), heading);
        if (heading[0] && strcmp(heading, name) == 0)
            return 1;
    }
    return 0;
}

// A link as it stands on a page, "file.md#heading", seen from that page's folder.
static void follow(const page *from, const char *link)
{
    char file[1024], path[1600], *name;
    if (strstr(link, "://"))
        return;
    (void)snprintf(file, sizeof file, "%s", link);
    name = strchr(file, '#');
    if (name)
        *name++ = '\0';
    const char *slash = strrchr(from->path, '/');
    const int folder  = slash ? (int)(slash + 1 - from->path) : 0;
    (void)snprintf(path, sizeof path, "%.*s%s", file[0] ? folder : (int)strlen(from->path), from->path, file);
    CHECK_MEMORY char *text = source_read(path);
    if (!text)
        report(from->path, "there is no", link);
    else if (name && !has_heading(text, name))
        report(from->path, "no heading for", link);
}

CHECK_TEST(links_lead_somewhere)
{
    missing     = 0;
    int checked = 0;
    for (int i = 0; i < page_count; i++)
        for (const char *p = strstr(pages[i].text, "]("); p; p = strstr(p + 2, "](")) {
            char link[512];
            const size_t length = strcspn(p + 2, ")\n");
            if (p[2 + length] != ')' || length >= sizeof link)
                continue;
            memcpy(link, p + 2, length);
            link[length] = '\0';
            follow(&pages[i], link);
            checked++;
        }
    assert_true(checked > 50);
    assert_int_equal(missing, 0);
}

// What others cite is the version that the build gives itself.
CHECK_TEST(citation_names_this_version)
{
    CHECK_MEMORY char *project = source_read("CMakeLists.txt"), *citation = source_read("CITATION.cff");
    char version[64], line[128];
    assert_non_null(project);
    assert_non_null(citation);
    const char *given = strstr(project, "project(kane VERSION ");
    assert_non_null(given);
    assert_int_equal(sscanf(given, "project(kane VERSION %63[0-9.]", version), 1);
    (void)snprintf(line, sizeof line, "\nversion: %s\n", version);
    if (!strstr(citation, line))
        fail_msg("CITATION.cff does not have version: %s", version);
}

// --- tests ---

// Where the next text in backquotes begins that is a test's name, a room of tests (`property.freight`), or rooms
// (`unit.track.*`); its length.
static const char *next_name(const char *text, size_t *length)
{
    static const char *const kinds[] = {"unit.", "property.", "reference.", "house.", "install."};
    for (const char *p = strchr(text, '`'); p; p = strchr(p + 1, '`')) {
        *length = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz0123456789_.*");
        for (int k = 0; k < 5 && p[1 + *length] == '`'; k++)
            if (strncmp(p + 1, kinds[k], strlen(kinds[k])) == 0 && *length > strlen(kinds[k]))
                return p + 1;
    }
    return NULL;
}

// A test of this name, or one in the room of this name.
static int is_test(const char *name, size_t length)
{
    char line[256];
    (void)snprintf(line, sizeof line, "\n%.*s\n", (int)length, name);
    if (strstr(names, line))
        return 1;
    if (name[length - 1] == '*')
        length--;
    (void)snprintf(line, sizeof line, "\n%.*s%s", (int)length, name, name[length - 1] == '.' ? "" : ".");
    return strstr(names, line) != NULL;
}

// They are registered with CTest.
CHECK_TEST(tests_that_are_named_exist)
{
    missing     = 0;
    int checked = 0;
    for (int i = 0; i < page_count; i++) {
        size_t length;
        for (const char *p = next_name(pages[i].text, &length); p; p = next_name(p + length + 1, &length)) {
            char name[256];
            (void)snprintf(name, sizeof name, "%.*s", (int)length, p);
            if (!is_test(p, length))
                report(pages[i].path, "there is no test", name);
            checked++;
        }
    }
    assert_true(checked > 150);
    assert_int_equal(missing, 0);
}

// tests/unit/contact/test_hertz.c, also without its folders: then it is in those of the file named before.
CHECK_TEST(files_of_tests_exist)
{
    missing     = 0;
    int checked = 0;
    for (int i = 0; i < page_count; i++) {
        char folder[256] = "", path[1024];
        for (const char *p = strstr(pages[i].text, "test_"); p; p = strstr(p + 1, "test_")) {
            const char *begin   = p;
            const size_t length = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_");
            if (strncmp(p + length, ".c", 2) != 0 || isalnum((unsigned char)p[length + 2]))
                continue;
            while (begin > pages[i].text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '/' || begin[-1] == '_'))
                begin--;
            if (begin < p)
                (void)snprintf(folder, sizeof folder, "%.*s", (int)(p - begin), begin);
            (void)snprintf(path, sizeof path, "%s%.*s.c", folder, (int)length, p);
            char *text = source_read(path);
            if (!text)
                report(pages[i].path, "there is no", path);
            free(text);
            checked++;
        }
    }
    assert_true(checked > 5);
    assert_int_equal(missing, 0);
}

// Who says what a test does ("a test finds", "its tests compare") names it within the next lines or has done so just
// before: by its name, its file, or a link to it.
CHECK_TEST(tests_that_are_told_of_are_named)
{
    static const char *const says[]  = {" says",  " say ",   " reads",   " proves", " shows", " finds",    " counts",
                                        " holds", " builds", " compare", " checks", " reads", " measures", " bounds"};
    static const char *const marks[] = {"test_", "`unit.", "`property.", "`reference.", "`house.", "`install."};
    missing                          = 0;
    for (int i = 0; i < page_count; i++)
        for (const char *p = strstr(pages[i].text, "test"); p; p = strstr(p + 4, "test")) {
            const char *after = p + 4 + (p[4] == 's');
            int tells = 0, named = 0;
            for (size_t k = 0; k < sizeof says / sizeof *says; k++)
                tells |= strncmp(after, says[k], strlen(says[k])) == 0;
            if (!tells || (p > pages[i].text && isalnum((unsigned char)p[-1])))
                continue;
            char around[400];
            const char *from = p - pages[i].text > 100 ? p - 100 : pages[i].text;
            (void)snprintf(around, sizeof around, "%.300s", from);
            for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
                named |= strstr(around, marks[k]) != NULL;
            (void)snprintf(around, sizeof around, "%.60s", p);
            if (!named)
                report(pages[i].path, "does not say which test:", around);
        }
    assert_int_equal(missing, 0);
}

// --- quotations ---

typedef struct quotation {
    const char *text;
    int is_found;
} quotation;

static char *copy_without_blanks(const char *text, size_t length)
{
    char *copy = calloc(length + 1, 1);
    assert_non_null(copy);
    for (size_t i = 0, n = 0; i < length; i++)
        if (!isspace((unsigned char)text[i]))
            copy[n++] = text[i];
    return copy;
}

static void find_quotation(const char *path, const char *text, void *data)
{
    quotation *q             = data;
    CHECK_MEMORY char *whole = copy_without_blanks(text, strlen(text));
    (void)path;
    q->is_found |= strstr(whole, q->text) != NULL;
}

// A block of C is part of an example or of a test, but for indentation: it compiles.
CHECK_TEST(blocks_of_c_are_quoted)
{
    missing     = 0;
    int checked = 0;
    for (int i = 0; i < page_count; i++)
        for (const char *p = strstr(pages[i].text, "```c\n"); p; p = strstr(p, "```c\n")) {
            const char *end = strstr(p += 5, "```");
            assert_non_null(end);
            CHECK_MEMORY char *block = copy_without_blanks(p, (size_t)(end - p));
            quotation q              = {block, 0};
            source_visit_folder("apps/examples", source_is_c, find_quotation, &q);
            source_visit_folder("tests", source_is_c, find_quotation, &q);
            if (!q.is_found)
                report(pages[i].path, "no example or test has", block);
            checked++;
        }
    assert_true(checked > 3);
    assert_int_equal(missing, 0);
}

CHECK_MAIN(read_pages, free_pages)
