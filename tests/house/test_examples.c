// SPDX-License-Identifier: MIT
// What pages show below a command is what the command prints: words to the letter, numbers within a hundredth, whole
// numbers (steps, evaluations) within a sixth; "..." stands for what is left out. Output follows its command at once,
// or behind a paragraph that ends with a colon.

#include "house/pages.h"

#include <ctype.h>

enum { LINE = 1024 };

static const char *printed; // by the commands that were carried out last
static int failures, compared;

// What takes minutes, or names files that a reader is to have.
static int is_left_out(const char *command)
{
    static const char *const words[] = {"critical",          "optimise", "--all",    "RUN", "run.json", " wagon.json",
                                        "studies/reference", "four-bar", "carousel", "$",   " | ",      " ... "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(command, words[i]))
            return 1;
    return 0;
}

static int begins_number(const char *text)
{
    text += *text == '-' || *text == '+';
    text += *text == '.';
    return isdigit((unsigned char)*text);
}

// Whether the number at *a is that at *b; both are behind it then.
static int same_number(const char **a, const char **b)
{
    char *end_a, *end_b;
    const double shown = strtod(*a, &end_a), found = strtod(*b, &end_b);
    const int is_whole = strcspn(*a, ".e") >= (size_t)(end_a - *a) && strcspn(*b, ".e") >= (size_t)(end_b - *b);
    *a                 = end_a;
    *b                 = end_b;
    return fabs(shown - found) <= (is_whole ? 1.0 / 6.0 : 0.01) * fmax(fabs(shown), fabs(found));
}

// Whether the line that begins at b is the one that is shown.
static int is_alike(const char *a, const char *b)
{
    for (int inside = 0; *a && strncmp(a, "...", 3) != 0;) { // inside of a word digits are letters
        if (isspace((unsigned char)*a)) {
            const size_t blanks = strspn(b, " ");
            a += strspn(a, " \n");
            b += blanks;
            if (!*a)
                break;
            if (blanks == 0)
                return 0;
            inside = 0;
        } else if (!inside && begins_number(a) && begins_number(b)) {
            if (!same_number(&a, &b))
                return 0;
        } else {
            inside = isalpha((unsigned char)*a);
            if (*a++ != *b++)
                return 0;
        }
    }
    return 1;
}

static int is_printed(const char *shown)
{
    shown += strspn(shown, " ");
    for (const char *line = printed; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (is_alike(shown, line + strspn(line, " ")))
            return 1;
    return 0;
}

static void carry_out(FILE *script)
{
    assert_int_equal(fclose(script), 0);
    (void)system("sh script >log 2>&1");
    printed = content("log");
}

typedef struct reading {
    const char *page;
    FILE *script; // commands that nothing has been shown of yet
    int expects;  // output may follow
    int ran;      // it does, and the commands have been carried out
} reading;

static void forget(reading *r)
{
    if (r->script)
        (void)fclose(r->script);
    r->script  = NULL;
    r->expects = 0;
    r->ran     = 0;
}

static void read_command(reading *r, FILE *page, char *line)
{
    if (r->ran)
        forget(r);
    char command[4 * LINE];
    size_t length = 0;
    do
        length += (size_t)snprintf(command + length, sizeof command - length, "%s", line + 4);
    while (length > 1 && command[length - 2] == '\\' && fgets(line, LINE, page));
    if (is_left_out(command)) {
        forget(r);
        return;
    }
    if (!r->script)
        r->script = open_script();
    (void)fputs(command, r->script);
    r->expects = 1;
}

static void read_output(reading *r, const char *line)
{
    if (r->script)
        carry_out(r->script);
    r->script = NULL;
    r->ran    = 1;
    if (strncmp(line + 4 + strspn(line + 4, " "), "...", 3) == 0 || strstr(line, "[#"))
        return;
    compared++;
    if (!is_printed(line + 4)) {
        print_error("%s: no longer printed: %s", r->page, line + 4);
        failures++;
    }
}

static void check_page(const char *name)
{
    char path[512], line[LINE];
    reading r = {.page = name};
    (void)snprintf(path, sizeof path, "%s/docs/%s", KANE_SOURCE_DIR, name);
    FILE *page = fopen(path, "r");
    assert_non_null(page);
    while (fgets(line, sizeof line, page)) {
        if (strncmp(line, "    kane ", 9) == 0)
            read_command(&r, page, line);
        else if (strncmp(line, "    ", 4) == 0 && r.expects)
            read_output(&r, line);
        else if (line[0] == '#' || (line[0] != '\n' && r.ran))
            forget(&r);
        else if (line[0] != '\n' && r.script) // a paragraph between
            r.expects = line[strlen(line) - 2] == ':';
        if (strncmp(line, "## ", 3) == 0)
            (void)system("find . -mindepth 1 -type d -exec rm -rf {} +");
    }
    forget(&r);
    (void)fclose(page);
}

CHECK_TEST(pages_show_what_commands_print)
{
    static const char *const pages[] = {"analyses.md", "studies.md", "mechanisms.md"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        check_page(pages[i]);
    assert_true(compared > 60);
    assert_int_equal(failures, 0);
}

CHECK_MAIN(enter_samples, leave_folder)
