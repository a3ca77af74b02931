// SPDX-License-Identifier: MIT
// What the pages point to is there: files, headings, and the tests that docs/validation.md and docs/guided.md name.

#include "check.h"

#include <ctype.h>
#include <dirent.h>

enum { PAGES = 64 };

typedef struct page {
    char path[512]; // from the source tree on
    char *text;
} page;

static page pages[PAGES];
static int page_count, missing;

static char *read_text(const char *path)
{
    char name[1024];
    (void)snprintf(name, sizeof name, "%s/%s", KANE_SOURCE_DIR, path);
    FILE *file = fopen(name, "rb");
    if (!file)
        return NULL;
    (void)fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *text = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
    if (text && fread(text, 1, (size_t)size, file) != (size_t)size)
        text[0] = '\0';
    (void)fclose(file);
    return text;
}

static void add_page(const char *path)
{
    assert_true(page_count < PAGES);
    page *p = &pages[page_count++];
    (void)snprintf(p->path, sizeof p->path, "%s", path);
    p->text = read_text(path);
    assert_non_null(p->text);
}

static int read_pages(void **state)
{
    static const char *const folders[] = {"docs", "vehicles"};
    (void)state;
    add_page("README.md");
    add_page("CHANGELOG.md");
    for (int i = 0; i < 2; i++) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, folders[i]);
        DIR *folder = opendir(path);
        assert_non_null(folder);
        for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
            const char *end = strrchr(entry->d_name, '.');
            (void)snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            if (end && strcmp(end, ".md") == 0)
                add_page(path);
        }
        (void)closedir(folder);
    }
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
    char *text = read_text(path);
    if (!text)
        report(from->path, "there is no", link);
    else if (name && !has_heading(text, name))
        report(from->path, "no heading for", link);
    free(text);
}

static void links_lead_somewhere(void **state)
{
    (void)state;
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

// Names like `unit.contact.hertz` are those of tests/unit/contact/test_hertz.c.
static void tests_that_are_named_exist(void **state)
{
    static const char *const kinds[] = {"unit", "property", "reference"};
    (void)state;
    missing     = 0;
    int checked = 0;
    for (int i = 0; i < page_count; i++)
        for (int k = 0; k < 3; k++) {
            char start[32], room[64], name[64], path[256];
            (void)snprintf(start, sizeof start, "`%s.", kinds[k]);
            for (const char *p = strstr(pages[i].text, start); p; p = strstr(p + 1, start)) {
                if (sscanf(p + strlen(start), "%63[a-z].%63[a-z_0-9]`", room, name) != 2)
                    continue;
                (void)snprintf(path, sizeof path, "tests/%s/%s/test_%s.c", kinds[k], room, name);
                char *text = read_text(path);
                if (!text)
                    report(pages[i].path, "there is no", path);
                free(text);
                checked++;
            }
        }
    assert_true(checked > 50);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_lead_somewhere),
        cmocka_unit_test(tests_that_are_named_exist),
    };
    return cmocka_run_group_tests(tests, read_pages, free_pages);
}
