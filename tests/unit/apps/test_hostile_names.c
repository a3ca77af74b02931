// SPDX-License-Identifier: MIT
// Names that mean something in other languages, through every door: what comes out is still XML, JSON, CSV, C, C++ and
// Python. Names that no file may have are refused with their place, and what reaches a terminal has no control
// characters.

#include "program.h"

#include "base/text.h"

static const char *const names[] = {
    "]]>",
    "<b>",
    "a&b",
    "&amp;",
    "&#0;",
    "\"quoted\"",
    "it's",
    "<!-- -- -->",
    "<script>",
    "*"
    "|",
    "--",
    "back\\",
    "??"
    "-",
    "%s%n%99d",
    "$(id)",
    "`id`",
    "a;b",
    "a,b",
    "=1+1",
    "#",
    "@",
    "{}",
    "[1]",
    "a b",
    "\xC3\xA9",
    "\xE6\x97\xA5\xE6\x9C\xAC",
    "\xF0\x9F\x9A\x82",
    "int",
    "__proto__",
    "None",
    "end",
    "\"\"\"",
    "x\\n",
    "%",
    "^",
    "\\",
};
enum { NAMES = sizeof names / sizeof *names };

static int has_xmllint, has_cxx, has_python;

static int has_program(const char *name)
{
    const int is_there = command_works("%s --version >/dev/null 2>&1", name);
    if (!is_there)
        check_skip_part("there is no %s here", name);
    return is_there;
}

static void write_json_text(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (; *text; text++)
        (void)fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    (void)fputc('"', out);
}

// A chain of pendulums, each with one of the names; the last two are tied by a spring.
static void write_mechanism(const char *file, const char *title, const char *const *bodies, int count)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    (void)fprintf(out, "{ \"kane\": \"mechanism 1\", \"name\": ");
    write_json_text(out, title);
    (void)fprintf(out, ", \"bodies\": {");
    for (int i = 0; i < count; i++) {
        (void)fputs(i > 0 ? ",\n" : "\n", out);
        write_json_text(out, bodies[i]);
        (void)fprintf(out,
                      ": { \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"at\": [-1, %d, 0], \"joint\": { \"type\": "
                      "\"revolute\", \"at\": [0, %d, 0], \"axis\": [0, -1, 0] } }",
                      i, i);
    }
    (void)fprintf(out, "\n} }\n");
    assert_int_equal(fclose(out), 0);
}

static void write_run(const char *file, const char *mechanism)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    (void)fprintf(
        out,
        "{ \"kane\": \"run 1\", \"mechanism\": \"%s\", \"until\": { \"time\": 0.05 }, \"output\": { \"interval\": "
        "\"10 ms\" } }\n",
        mechanism);
    assert_int_equal(fclose(out), 0);
}

// What Python parses at the end of each test, since it takes a tenth of a second to start: a line for each file with
// its kind, a copy of it and how many columns it should have.
static const char list[] = "parse.list";
static int listed;

static int enter(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    has_xmllint = has_program("xmllint");
    has_cxx     = has_program("c++");
    has_python  = has_program("python3");
    write_file(
        "parse.py",
        "import csv, json, re, sys, xml.etree.ElementTree, zipfile\n"
        "def parse(kind, name, columns):\n"
        "    if kind == 'unit':\n"
        "        with zipfile.ZipFile(name) as unit:\n"
        "            assert unit.testzip() is None\n"
        "            xml.etree.ElementTree.fromstring(unit.read('modelDescription.xml'))\n"
        "            json.loads(unit.read('resources/kane.json'))\n"
        "        return\n"
        "    text = open(name, encoding='utf-8', newline='').read()\n" // fails at what is not UTF-8
        "    if kind == 'json':\n        json.loads(text)\n"
        "    elif kind == 'page':\n"
        "        found = re.findall(r'<script type=\"application/json\" id=\"runs\">(.*?)</script>', text, re.S)\n"
        "        assert len(found) == 1 and json.loads(found[0])\n"
        "    elif kind == 'csv':\n"
        "        lines = [line for line in text.splitlines(True) if not line.startswith('# ')]\n"
        "        rows = list(csv.reader(lines, strict=True))\n"
        "        assert len(rows) > 2 and len({len(row) for row in rows}) == 1\n"
        "        assert len(rows[0]) == int(columns), len(rows[0])\n"
        "    elif kind == 'python':\n        compile(text, 'recorded', 'exec')\n"
        "    elif kind == 'terminal':\n"
        "        control = '[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]'\n"
        "        assert not re.search(control, text), text\n"
        "    else:\n        sys.exit('what?')\n"
        "for line in open('parse.list'):\n"
        "    try:\n        parse(*line.split())\n"
        "    except Exception as error:\n        sys.exit(f'{line}: {error!r}')\n");
    return 0;
}

// Puts a copy of a file on the list.
static void expect_python(const char *kind, const char *file, int columns)
{
    if (!has_python)
        return;
    command_must("cp '%s' parse.%d", file, listed);
    FILE *out = fopen(list, listed ? "a" : "w");
    assert_non_null(out);
    (void)fprintf(out, "%s parse.%d %d\n", kind, listed++, columns);
    assert_int_equal(fclose(out), 0);
}

static int parse_listed(void **state)
{
    (void)state;
    const int good = !listed || system("python3 parse.py >log 2>&1 && rm parse.[0-9]*") == 0;
    listed         = 0;
    if (!good)
        print_error("%s\n", content("log"));
    return good ? 0 : -1;
}

#define DOOR_TEST(name) CHECK_TEST_IN(name, NULL, parse_listed)

static void expect_parsed(const char *kind, const char *file)
{
    if (strcmp(kind, "xml") != 0)
        expect_python(kind, file, 0);
    else if (has_xmllint)
        command_must("xmllint --noout --nonet '%s'", file);
}

// What a command has printed.
static void expect_printable(void)
{
    expect_python("terminal", "out", 0);
    expect_python("terminal", "err", 0);
}

static void expect_done(int code)
{
    if (code != 0)
        fail_msg("exit code %d: %s", code, content("err"));
    expect_printable();
}

static void compile_export(const char *folder_name)
{
    command_must("cd '%s' && cc -std=c11 -O0 -Wall -Wextra -Werror -fsyntax-only ./*.c && test -s example.c && "
                 "test -s Makefile && test $(ls *.h | wc -l) = 1",
                 folder_name);
    if (has_cxx)
        command_must("cd '%s' && c++ -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only *.h", folder_name);
}

DOOR_TEST(names_of_bodies_through_every_door)
{
    write_mechanism("chain.json", "]]> <&\"'\\ -- */ \xC3\xA9", names, NAMES);
    write_run("run.json", "chain.json");
    expect_done(CALL("check", "run.json"));
    expect_done(CALL("run", "run.json", "-o", "rows", "-F", "csv", "-c", "*.joint.angle"));
    expect_parsed("json", "rows/manifest.json");
    expect_python("csv", "rows/results.csv", NAMES + 1);
    if (kane_results_have_hdf5()) {
        expect_done(CALL("run", "run.json", "-o", "packed", "-F", "hdf5", "-c", "*.joint.angle"));
        expect_parsed("json", "packed/manifest.json");
        expect_done(CALL("plot", "packed", "-c", "*.joint.angle", "-o", "packed.svg"));
        expect_parsed("xml", "packed.svg");
    }
    expect_done(CALL("plot", "rows", "-c", "*.joint.angle", "-o", "rows.svg"));
    expect_parsed("xml", "rows.svg");
    expect_done(CALL("modes", "run.json", "-j"));
    expect_parsed("json", "out");
    expect_done(CALL("view", "rows", "-o", "rows.html"));
    expect_parsed("page", "rows.html");
    expect_done(CALL("equations", "run.json"));
    for (int version = 2; version <= 3; version++) {
        char number[2] = {(char)('0' + version)};
        expect_done(CALL("fmu", "run.json", "-f", number, "-c", "*.joint.angle", "-o", "unit.fmu"));
        expect_parsed("unit", "unit.fmu");
    }
    expect_done(CALL("export", "c", "run.json", "-c", "*.joint.angle", "-o", "chain"));
    compile_export("chain");
}

#if defined(KANE_HAVE_RECORD)
DOOR_TEST(names_of_bodies_in_recorded_equations)
{
    static const char *const targets[][2] = {
        {"c", "chain.c"}, {"python", "chain.py"}, {"octave", "chain.m"}, {"modelica", "chain.mo"}};
    write_mechanism("few.json", "*/ \\", names, 8);
    write_run("last\\.json", "few.json");
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        expect_done(CALL("export", "equations", "last\\.json", "-t", targets[i][0], "-o", targets[i][1]));
    command_must("cc -std=c11 -O0 -Wall -Wextra -Werror -fsyntax-only chain.c");
    expect_parsed("python", "chain.py");
}
#endif

// Bytes of names of files are free; what is made of them is not.
DOOR_TEST(names_of_files)
{
    static const char *const files[] = {"a\x01"
                                        "b",
                                        "a\xFF"
                                        "b",
                                        "]]>",
                                        "<a>",
                                        "a&b",
                                        "a\nb",
                                        "\x1b[31mred",
                                        "a\\",
                                        "a\"b",
                                        "a?"
                                        "?'",
                                        "*"
                                        "|",
                                        "\xC3\xA9",
                                        "\xC2\x9B"
                                        "31m",
                                        "\xE2\x80\xAE"
                                        "x",
                                        "%s%n",
                                        "1",
                                        "int",
                                        "class",
                                        "example",
                                        "main",
                                        "kernels",
                                        "memcpy",
                                        "Makefile",
                                        "y",
                                        "lambda",
                                        "size_t",
                                        "der",
                                        "NULL",
                                        "step",
                                        "kane",
                                        "all",
                                        "end"};
    write_mechanism("plain.json", "plain", names, 1);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[64];
        (void)snprintf(file, sizeof file, "%s.json", files[i]);
        write_run(file, "plain.json");
        assert_int_equal(system("rm -rf rows model"), 0);
        expect_done(CALL("run", file, "-o", "rows", "-q", "-F", "csv"));
        expect_parsed("json", "rows/manifest.json");
        expect_done(CALL("export", "c", file, "-o", "model"));
        compile_export("model");
        if (file[kane_text_printable(file)]) {
            assert_int_equal(CALL("fmu", file, "-o", "unit.fmu"), 3); // archives do not have such names
            expect("err", "cannot be in a unit");
            expect_printable();
        } else {
            expect_done(CALL("fmu", file, "-o", "unit.fmu"));
            expect_parsed("unit", "unit.fmu");
        }
        expect_done(CALL("plot", "rows", "-c", "*.angle", "-T", file, "-o", "rows.svg"));
        expect_parsed("xml", "rows.svg");
#if defined(KANE_HAVE_RECORD)
        expect_done(CALL("export", "equations", file, "-t", "c", "-o", "recorded.c"));
        command_must("cc -std=c11 -O0 -Wall -Wextra -Werror -fsyntax-only recorded.c");
        expect_done(CALL("export", "equations", file, "-t", "python", "-o", "recorded.py"));
        expect_parsed("python", "recorded.py");
#endif
        assert_int_equal(unlink(file), 0);
        assert_int_not_equal(CALL("run", file, "-o", "none"), 0); // it is gone
        expect_printable();
    }
    // one that is built, and gives the rows of the run
    assert_int_equal(system("rm -rf model"), 0);
    write_run("int.json", "plain.json");
    expect_done(CALL("export", "c", "int.json", "-o", "model"));
    command_must("make -s -C model CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror' && model/example 1e-2 1 0.03");
}

// A name that is typed must be right; it is not changed.
DOOR_TEST(typed_names_are_refused)
{
    static const char *const words[] = {"int",      "example", "libkane",   "main", "memcpy",
                                        "Makefile", "class",   "kane_eval", "a-b",  ""};
    write_mechanism("plain.json", "plain", names, 1);
    write_run("run.json", "plain.json");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_int_not_equal(CALL("export", "c", "run.json", "-n", words[i], "-o", "typed"), 0);
        expect_printable();
    }
    assert_int_equal(access("typed/Makefile", F_OK), -1);
}

// Control characters, typed as they are or by \u, what is not UTF-8, and what turns the direction of writing.
DOOR_TEST(names_that_no_file_may_have)
{
    static const struct {
        const char *name, *says;
    } rows[] = {
        {"bell\\u0007", "U+0007 at byte 5"},
        {"line\\nbreak", "U+000A at byte 5"},
        {"tab\\t", "U+0009 at byte 4"},
        {"\\u001b[31m", "U+001B at byte 1"},
        {"del\\u007f", "U+007F at byte 4"},
        {"csi\\u009b", "U+009B at byte 4"},
        {"csi\xC2\x9B", "U+009B at byte 4"},
        {"rl\\u202e", "U+202E at byte 3"},
        {"sep\\u2028", "U+2028 at byte 4"},
        {"no\\ufffe", "U+FFFE at byte 3"},
        {"no\\uffff", "U+FFFF at byte 3"},
        {"nul\\u0000", ""},
        {"bell\x07", "0x07"},
        {"latin\xE9", ""},
        {"a\xC0\x80", ""},
        {"half\xED\xA0\x80", ""},
    };
    write_run("run.json", "bad.json");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int title = 0; title < 2; title++) {
            FILE *out = fopen("bad.json", "w");
            assert_non_null(out);
            (void)fprintf(
                out,
                "{ \"kane\": \"mechanism 1\", \"name\": \"%s\", \"bodies\": {\n  \"%s\": { \"mass\": 1, \"inertia\": "
                "[0.1, 0.1, 0.1], \"joint\": { \"type\": \"revolute\", \"axis\": [0, 1, 0] } } } }\n",
                title ? rows[i].name : "good", title ? "good" : rows[i].name);
            assert_int_equal(fclose(out), 0);
            if (CALL("check", "run.json") == 0)
                fail_msg("%s is taken", rows[i].name);
            if (!strstr(content("err"), rows[i].says) || !strstr(content("err"), title ? "bad.json:1:" : "bad.json:2:"))
                fail_msg("%s: '%s' is not in %s", rows[i].name, rows[i].says, content("err"));
            expect_printable();
        }
}

// Results of others whose columns have such names.
DOOR_TEST(results_that_no_run_makes)
{
    write_file("foreign.csv", "time,\x1b[31mred\ns,m\n0,1\n1,2\n");
    assert_int_equal(CALL("evaluate", "foreign.csv"), 3);
    expect("err", "foreign.csv:1:6");
    expect_printable();
    write_file("foreign.csv", "time,a\ns,\xFF\n0,1\n1,2\n");
    assert_int_equal(CALL("evaluate", "foreign.csv"), 3);
    expect("err", "foreign.csv:2:3");
    expect_printable();
}

CHECK_MAIN(enter, leave_folder)
