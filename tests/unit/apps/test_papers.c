// SPDX-License-Identifier: MIT
// The page that apps/papers.py makes of docs/papers.md: commands, what they print, their pictures, and failures.

#include "unit/apps/program.h"

#include <sys/wait.h>

#define SCRIPT "python3 '" KANE_SOURCE_DIR "/apps/papers.py' "

static int make_page(const char *page, const char *words)
{
    char command[2048];
    (void)snprintf(command, sizeof command, SCRIPT "'%s' '%s' papers %s >out 2>err", page, KANE_PROGRAM, words);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

CHECK_TEST(sections_are_run_and_shown)
{
    assert_int_equal(make_page(KANE_SOURCE_DIR "/docs/papers.md", "'Modes of the bogie'"), 0);
    expect("out", "Modes of the bogie frame");
    expect("papers/index.html", "<h3 id=\"modes-of-the-bogie-frame\">");
    expect("papers/index.html", "  1  31.09"); // mode, Hz
    assert_null(strstr(content("papers/index.html"), "class=\"failed\""));
}

// Studies draw each picture as .svg and .png: the page shows it once.
CHECK_TEST(a_picture_of_two_kinds_is_shown_once)
{
    write_file("page.md", "# Title\n\n### Good\n\n    : >a.svg; : >a.png; : >b.png\n");
    assert_int_equal(make_page("page.md", ""), 0);
    expect("papers/index.html", "<img src=\"good/a.svg\"");
    expect("papers/index.html", "<img src=\"good/b.png\"");
    assert_null(strstr(content("papers/index.html"), "<img src=\"good/a.png\""));
}

CHECK_TEST(a_command_that_fails_is_named)
{
    write_file("page.md", "# Title\n\n### Good\n\n    echo 1 >number.csv; kane track " KANE_SOURCE_DIR
                          "/data/tracks/straight.json -o line.svg >/dev/null\n\n### Bad\n\n    kane run none.json\n");
    assert_int_equal(make_page("page.md", ""), 1);
    expect("err", "failed: Bad");
    expect("papers/index.html", "<img src=\"good/line.svg\"");
    expect("papers/index.html", "<a href=\"good/number.csv\">");
    expect("papers/index.html", "class=\"failed\"");
}

CHECK_MAIN(enter_folder, leave_folder)
