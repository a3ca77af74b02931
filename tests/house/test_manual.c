// SPDX-License-Identifier: MIT
// The manual page says what the program has: every command, every option with its argument, every exit code; its
// examples work, and those of the user guide. README.md shows what the demo prints.

#include "house/pages.h"

#define MANUAL KANE_SOURCE_DIR "/docs/man/kane.1"

static const char *const commands[] = {"run",
                                       "check",
                                       "track",
                                       "plot",
                                       "view",
                                       "repair",
                                       "cache",
                                       "study omit",
                                       "study status",
                                       "study rods",
                                       "study transitions",
                                       "study optimise",
                                       "sweep",
                                       "contact",
                                       "critical",
                                       "conicity",
                                       "flexible check",
                                       "flexible reduce",
                                       "equilibrium",
                                       "modes",
                                       "equations",
                                       "identify",
                                       "sensitivity",
                                       "fmu",
                                       "export c",
                                       "export equations",
                                       "bench",
                                       "schema",
                                       "evaluate",
                                       "report"};
enum { COMMANDS = sizeof commands / sizeof *commands, OPTIONS_MOST = 48 };

// Options as "-o,--output=DIR", in any order.
typedef struct options {
    int count;
    char text[OPTIONS_MOST][96];
} options;

static void add(options *list, const char *from, const char *to)
{
    size_t n = 0;
    assert_true(list->count < OPTIONS_MOST);
    char *text = list->text[list->count++];
    for (; from < to && n < sizeof list->text[0] - 1; from++)
        if (*from != ' ')
            text[n++] = *from;
    text[n] = '\0';
}

// All of `list` that `in` has not, with what to say about it; returns how many.
static int report_missing(const options *list, const options *in, const char *command, const char *where)
{
    int missing = 0;
    for (int i = 0; i < list->count; i++) {
        int found = 0;
        for (int k = 0; k < in->count; k++)
            found = found || strcmp(list->text[i], in->text[k]) == 0;
        if (!found)
            print_error("kane %s: %s does not have %s\n", command, where, list->text[i]);
        missing += !found;
    }
    return missing;
}

// "  -o, --output=DIR           directory ..." of `kane COMMAND --help`, without the options that all commands have.
static void read_help(const char *command, options *list)
{
    char line[512];
    (void)snprintf(line, sizeof line, "COLUMNS=200 ARGP_HELP_FMT=opt-doc-col=60,rmargin=200 '%s' %s --help",
                   KANE_PROGRAM, command);
    FILE *help  = popen(line, "r");
    list->count = 0;
    assert_non_null(help);
    while (fgets(line, sizeof line, help)) {
        const char *begin = line + strspn(line, " ");
        if (*begin != '-' || strstr(begin, "--help ") || strncmp(begin, "--usage ", 8) == 0)
            continue;
        const char *end = strstr(begin, "  ");
        add(list, begin, end ? end : begin + strcspn(begin, "\n"));
    }
    assert_int_equal(pclose(help), 0);
}

// A line of the manual as it is read: without macro, quotes and font changes.
static void strip(char *line)
{
    char *out       = line;
    const char *in  = line;
    const int macro = *in == '.';
    for (in += macro ? strcspn(in, " \n") : 0; *in && *in != '\n';) {
        if (in[0] == '\\' && in[1] == 'f' && in[2])
            in += 3;
        else if (in[0] == '\\' && in[1] == '-')
            in++;
        else if (in[0] == '\\' && in[1] == '~')
            *out++ = ' ', in += 2;
        else if (macro && *in == '"')
            in++;
        else
            *out++ = *in++;
    }
    *out = '\0';
}

// Options in the subsection of a command: the line after each .TP.
static void read_manual(const char *command, options *list)
{
    char line[512], heading[64];
    int inside = 0, is_tag = 0;
    FILE *manual = fopen(MANUAL, "r");
    list->count  = 0;
    assert_non_null(manual);
    (void)snprintf(heading, sizeof heading, ".SS \"kane %s ", command);
    while (fgets(line, sizeof line, manual)) {
        if (strncmp(line, ".S", 2) == 0)
            inside = strncmp(line, heading, strlen(heading)) == 0;
        const int was_tag = is_tag;
        is_tag            = strcmp(line, ".TP\n") == 0;
        if (!inside || !was_tag)
            continue;
        strip(line);
        add(list, line, line + strlen(line));
    }
    (void)fclose(manual);
}

CHECK_TEST(manual_and_help_have_the_same_options)
{
    int missing = 0;
    for (int i = 0; i < COMMANDS; i++) {
        options help, manual;
        read_help(commands[i], &help);
        read_manual(commands[i], &manual);
        assert_true(help.count > 0);
        missing += report_missing(&help, &manual, commands[i], "docs/man/kane.1");
        missing += report_missing(&manual, &help, commands[i], "--help");
    }
    assert_int_equal(missing, 0);
}

// A whole file, or what a command prints.
static void read_all(FILE *from, size_t size, char *text)
{
    assert_non_null(from);
    text[fread(text, 1, size - 1, from)] = '\0';
}

static void assert_in_manual(const char *manual, const char *format, const char *what)
{
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, format, what);
    if (!strstr(manual, wanted))
        fail_msg("docs/man/kane.1 does not have %s", wanted);
}

// Commands and exit codes as the program lists them.
CHECK_TEST(manual_has_every_command_and_exit_code)
{
    static char manual[1 << 16], help[1 << 14];
    char name[32];
    int count  = 0;
    FILE *page = fopen(MANUAL, "r"), *program = popen("'" KANE_PROGRAM "' --help", "r");
    read_all(page, sizeof manual, manual);
    read_all(program, sizeof help, help);
    (void)fclose(page);
    assert_int_equal(pclose(program), 0);

    for (const char *line = strstr(help, "Commands:\n"); line && sscanf(line, "%*[^\n]\n  %31[a-z] ", name) == 1;
         count++) {
        assert_in_manual(manual, ".SS \"kane %s ", name);
        line = strchr(line, '\n') + 1;
    }
    int named = 0; // all studies are one command: those of one first word stand together
    for (int i = 0; i < COMMANDS; i++) {
        const size_t word = strcspn(commands[i], " ");
        named += i == 0 || strncmp(commands[i], commands[i - 1], word) != 0 || strcspn(commands[i - 1], " ") != word;
    }
    assert_int_equal(count, named);

    const char *codes = strstr(manual, ".SH \"EXIT STATUS\""), *at = strstr(help, "Exit codes:");
    assert_true(codes && at);
    for (count = 0; (at = strpbrk(at, "0123456789")) != NULL; at += strspn(at, "0123456789"), count++) {
        (void)snprintf(name, sizeof name, "%.*s", (int)strspn(at, "0123456789"), at);
        assert_in_manual(codes, ".TP\n.B %s\n", name);
    }
    assert_int_equal(count, 9);
}

// Runs the script; its commands must make all of these.
static void run_script(FILE *script, const char *page, int count, const char *const *files)
{
    assert_int_equal(fclose(script), 0);
    if (system("sh -e script >log 2>&1") != 0) {
        (void)system("cat log");
        fail_msg("an example of %s does not work", page);
    }
    for (int i = 0; i < count; i++)
        if (access(files[i], R_OK) != 0)
            fail_msg("the examples of %s did not make %s", page, files[i]);
}

// The lines between .EX and .EE.
CHECK_TEST_IN(examples_of_the_manual_work, enter_samples, leave_folder)
{
    static const char *const files[] = {
        "demo.svg",          "study/omitted.svg", "line.svg",    "contact.svg",           "modes.svg",
        "hunting.svg",       "locus.svg",         "spectra.svg", "compared/criteria.svg", "best/convergence.svg",
        "fixed/results.csv", "study/effects.csv", "line.csv",    "contact.csv",           "locus.csv",
        "vehicle-1.json",    "shapes/sweep.csv",  "rough.csv",   "forces/sweep.json"};
    char line[512];
    int inside = 0, count = 0;
    FILE *manual = fopen(MANUAL, "r"), *script = open_script();
    assert_non_null(manual);
    while (fgets(line, sizeof line, manual)) {
        char *continued = strstr(line, "\\e\n");
        if (strcmp(line, ".EE\n") == 0)
            inside = 0;
        if (continued)
            (void)strcpy(continued, "\\\n"); // \e is a backslash
        if (inside && ++count)
            (void)fputs(line, script);
        if (strcmp(line, ".EX\n") == 0)
            inside = 1;
    }
    (void)fclose(manual);
    assert_true(count > 6);
    run_script(script, "docs/man/kane.1", sizeof files / sizeof *files, files);
    assert_int_equal(access(kane_results_have_hdf5() ? "demo/results.h5" : "demo/results.csv", R_OK), 0);
}

// The lines that are set in by four blanks and begin with kane.
CHECK_TEST_IN(examples_of_the_user_guide_work, enter_samples, leave_folder)
{
    static const char *const files[] = {"out.svg", "loads.svg", "compared.svg", "forces/sweep.csv"};
    char line[512];
    int count  = 0;
    FILE *page = fopen(KANE_SOURCE_DIR "/docs/user-guide.md", "r"), *script = open_script();
    assert_non_null(page);
    while (fgets(line, sizeof line, page))
        if (strncmp(line, "    kane ", 9) == 0 && ++count)
            (void)fputs(line, script);
    (void)fclose(page);
    assert_true(count >= 10);
    run_script(script, "docs/user-guide.md", sizeof files / sizeof *files, files);
}

// The lines of the Makefile that begin with $(KANE), as the demo runs them.
static void write_demo(FILE *script)
{
    char line[512];
    int continues  = 0;
    FILE *makefile = fopen(KANE_SOURCE_DIR "/Makefile", "r");
    assert_non_null(makefile);
    (void)fputs("DEMO() { echo demo; }\nmkdir demo\n", script);
    while (fgets(line, sizeof line, makefile)) {
        if (!continues && strncmp(line, "\t$(KANE)", 8) != 0)
            continue;
        (void)fprintf(script, "%s%s", continues ? "" : "kane", continues ? line : line + strlen("\t$(KANE)"));
        continues = strcmp(line + strlen(line) - 2, "\\\n") == 0;
    }
    (void)fclose(makefile);
}

// What README.md says that the demo prints: each line up to a time or to what it leaves out.
CHECK_TEST_IN(the_demo_prints_what_the_readme_shows, enter_samples, leave_folder)
{
    static const char *const files[] = {"demo/run.svg", "demo/locus.svg", "demo/study/body.yaw.svg"};
    char line[512];
    int count = 0, inside = 0;
    FILE *script = open_script();
    write_demo(script);
    run_script(script, "the Makefile", sizeof files / sizeof *files, files);
    const char *printed = content("log");
    FILE *page          = fopen(KANE_SOURCE_DIR "/README.md", "r");
    assert_non_null(page);
    while (fgets(line, sizeof line, page)) {
        if (inside && strncmp(line, "    make", 8) == 0)
            break;
        if (inside && line[0] != '\n') {
            char *end = line + strcspn(line, "\n"), *time = strstr(line, "; 0."), *rest = strstr(line, ", ...");
            *(time ? time : rest ? rest : end) = '\0';
            char *rows                         = strstr(line, " in build/demo");
            if (rows)
                *rows = '\0';
            if (!strstr(printed, line + 4))
                fail_msg("README.md: the demo does not print '%s'", line + 4);
            count++;
        }
        inside |= strstr(line, "Among what it prints:") != NULL;
    }
    (void)fclose(page);
    assert_int_equal(count, 7);
}

CHECK_MAIN(NULL, NULL)
