// SPDX-License-Identifier: MIT
// The Python package against this library and this program: layouts of structs as the compiler has them, and the cases
// of python_cases.py. Needs python3 with numpy; who has none is told.

#include "program.h"

#include <kane/kane.h>

static const char *python; // an interpreter with numpy; NULL: there is none

static int find_python(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    python = command_python("numpy");
    return symlink(KANE_SOURCE_DIR "/data", "data") == 0 && symlink(KANE_SOURCE_DIR "/vehicles", "vehicles") == 0 &&
                   setenv("KANE_LIBRARY", KANE_SHARED_LIBRARY, 1) == 0 &&
                   setenv("KANE_PROGRAM", KANE_PROGRAM, 1) == 0 && setenv("PYTHONDONTWRITEBYTECODE", "1", 1) == 0 &&
                   setenv("PYTHONPATH", KANE_PYTHON ":" KANE_SOURCE_DIR "/tests/unit/apps", 1) == 0
               ? 0
               : -1;
}

// Carries out a class of cases.
static void carry_out(const char *name)
{
    if (!python)
        check_skip("there is no python3 with numpy here (Debian: python3-numpy)");
    command_must("%s -m unittest -q python_cases.%s", python, name);
}

// How a number is kept: floating point, or whole (enums are), or neither.
#define KIND(x) _Generic((x), double : "d", int : "i", unsigned : "i", long : "i", long long : "i", default : "")

// Every struct of the headers with all of its members: offset, size and kind; of a struct itself the size.
#define OF(type, member)                                                                                               \
    {                                                                                                                  \
#type "." #member, offsetof(type, member), sizeof(((type *)0)->member), KIND(((type *)0)->member)              \
    }
#define SIZE(type)                                                                                                     \
    {                                                                                                                  \
#type, 0, sizeof(type), ""                                                                                     \
    }

static const struct {
    const char *name;
    size_t at, size;
    const char *kind;
} layouts[] = {
#include "layouts.h"
};

static void write_layouts(void)
{
    FILE *file = fopen("layouts.json", "w");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        (void)fprintf(file, "%s\"%s\": [%zu, %zu, \"%s\"]", i > 0 ? ",\n" : "{", layouts[i].name, layouts[i].at,
                      layouts[i].size, layouts[i].kind);
    (void)fputs("}\n", file);
    assert_int_equal(fclose(file), 0);
}

CHECK_TEST(test_structs_are_those_of_the_compiler)
{
    write_layouts();
    carry_out("Layouts");
}

CHECK_TEST(test_numbers_are_those_of_the_program)
{
    assert_int_equal(CALL("run", RUN, "-q", "-o", "moving"), 0);
    assert_int_equal(CALL("run", RUN, "-q", "--format", "csv", "-o", "text", "-s", "until.distance=60"), 0);
    assert_int_equal(CALL("run", RUN, "-q", "-o", "omitted", "-s", "until.distance=60", "-x", "body:torque.rotation.z"),
                     0);
    assert_int_equal(CALL("equations", "data/runs/mechanism-four-bar.json", "-o", "equations.json"), 0);
    assert_int_equal(CALL("modes", "data/runs/coach-straight.json", "--speed", "50", "--all", "--json"), 0);
    assert_int_equal(rename("out", "modes.json"), 0);
    carry_out("Numbers");
}

CHECK_TEST(test_equations)
{
    carry_out("Equations");
}

CHECK_TEST(test_pages_show_what_works)
{
    assert_int_equal(symlink(KANE_SOURCE_DIR "/README.md", "README.md"), 0);
    assert_int_equal(symlink(KANE_SOURCE_DIR "/docs/python.md", "python.md"), 0);
    carry_out("Pages");
}

CHECK_TEST(test_errors_are_exceptions_with_places)
{
    carry_out("Errors");
}

CHECK_TEST(test_studies_are_the_programs)
{
    carry_out("Studies");
}

CHECK_TEST(test_memory_is_given_back)
{
    carry_out("Memory");
}

CHECK_MAIN(find_python, leave_folder)
