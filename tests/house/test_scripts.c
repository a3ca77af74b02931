// SPDX-License-Identifier: MIT
// Scripts that stand in the pages can be read by their shells.

#include "check.h"

#include <dirent.h>

enum { LINE = 1024 };

// A line of indented text without its indent; NULL if it is none.
static const char *code_of(const char *line)
{
    return strncmp(line, "    ", 4) == 0 ? line + 4 : line[0] == '\n' ? line : NULL;
}

// Feeds a script that begins with `line` to "bash -n" or "sh -n", as its first line says; `file` is behind it then.
static void check_script(const char *page, FILE *file, char *line)
{
    char command[64], shell[16] = "";
    assert_int_equal(sscanf(code_of(line), "#!/bin/%15[a-z]", shell), 1);
    (void)snprintf(command, sizeof command, "%s -n", shell);
    FILE *to = popen(command, "w");
    assert_non_null(to);
    do
        (void)fputs(code_of(line), to);
    while (fgets(line, LINE, file) && code_of(line));
    const int status = pclose(to);
    if (status != 0)
        print_error("%s: a script is not well-formed\n", page);
    assert_int_equal(status, 0);
}

static int check_page(const char *page)
{
    char name[512], line[LINE];
    int scripts = 0;
    (void)snprintf(name, sizeof name, "%s/docs/%s", KANE_SOURCE_DIR, page);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "    #!", 6) != 0)
            continue;
        check_script(page, file, line);
        scripts++;
    }
    (void)fclose(file);
    return scripts;
}

CHECK_TEST(scripts_are_well_formed)
{
    DIR *pages  = opendir(KANE_SOURCE_DIR "/docs");
    int scripts = 0;
    assert_non_null(pages);
    for (struct dirent *entry; (entry = readdir(pages)) != NULL;)
        if (strstr(entry->d_name, ".md"))
            scripts += check_page(entry->d_name);
    (void)closedir(pages);
    assert_true(scripts >= 3);
}

CHECK_MAIN(NULL, NULL)
