// SPDX-License-Identifier: MIT
// What bash offers behind a begun line: commands, options and their values as the program has them. Where it says
// nothing bash offers files.

#include "program.h"

// What is offered behind the line, a blank between candidates.
static void complete_line(const char *line, size_t size, char *offered)
{
    char script[2048];
    (void)snprintf(script, sizeof script,
                   "PATH=\"$(dirname '%s'):$PATH\" bash -c '. \"$0\"; COMP_LINE=$1 COMP_POINT=${#1}; _kane; "
                   "echo -n \"${COMPREPLY[*]}\"' '%s/apps/completion/kane.bash' '%s'",
                   KANE_PROGRAM, KANE_SOURCE_DIR, line);
    FILE *shell = popen(script, "r");
    assert_non_null(shell);
    offered[fread(offered, 1, size - 1, shell)] = '\0';
    assert_int_equal(pclose(shell), 0);
}

CHECK_TEST(begun_lines_are_completed)
{
    static const struct {
        const char *line, *offered;
    } cases[] = {
        {"kane eq", "equilibrium equations"},
        {"kane study ", "omit transitions optimise rods status"},
        {"kane study omit --by ", "largest rms"},
        {"kane run --fo", "--formulation= --format="},
        {"kane run wagon.json --format=", "hdf5 csv"}, // behind the = at which bash parts words
        {"kane run wagon.json --format=c", "csv"},
        {"kane run wagon.json -F h", "hdf5"},
        {"kane check --us", "--usage"},
        {"kane run wag", ""},
        {"kane run wagon.json -o ", ""},
        {"kane nothing --", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char offered[1024];
        complete_line(cases[i].line, sizeof offered, offered);
        assert_string_equal(offered, cases[i].offered);
    }
}

CHECK_MAIN(NULL, NULL)
