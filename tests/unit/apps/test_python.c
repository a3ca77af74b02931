// SPDX-License-Identifier: MIT
// apps/python/kane.py against this library and this program: layouts of structs as the compiler has them, and the cases of
// python_cases.py. Needs python3 with numpy; who has none is told.

#include "program.h"

#include <kane/kane.h>

#include <stddef.h>

static const char *python; // an interpreter with numpy; NULL: there is none

static int has_numpy(const char *interpreter)
{
    char command[256];
    (void)snprintf(command, sizeof command, "%s -c 'import numpy' 2>/dev/null", interpreter);
    return system(command) == 0;
}

static int find_python(void **state)
{
    static const char *const known[] = {"python3", "/usr/bin/python3"};
    if (enter_folder(state) != 0)
        return -1;
    for (size_t i = 0; i < sizeof known / sizeof *known && !python; i++)
        python = has_numpy(known[i]) ? known[i] : NULL;
    if (!python)
        print_message("SKIPPED: there is no python3 with numpy here (Debian: python3-numpy)\n");
    return symlink(KANE_SOURCE_DIR "/data", "data") == 0 && symlink(KANE_SOURCE_DIR "/vehicles", "vehicles") == 0 &&
                   setenv("KANE_LIBRARY", KANE_SHARED_LIBRARY, 1) == 0 && setenv("KANE_PROGRAM", KANE_PROGRAM, 1) == 0 &&
                   setenv("PYTHONDONTWRITEBYTECODE", "1", 1) == 0 &&
                   setenv("PYTHONPATH", KANE_SOURCE_DIR "/apps/python:" KANE_SOURCE_DIR "/tests/unit/apps", 1) == 0
               ? 0
               : -1;
}

// Carries out a class of cases.
static void carry_out(const char *name)
{
    char command[256];
    if (!python)
        skip();
    (void)snprintf(command, sizeof command, "%s -m unittest -q python_cases.%s >out 2>&1", python, name);
    if (system(command) != 0)
        fail_msg("%s", content("out"));
}

static FILE *layouts;

static void begin_struct(const char *name, size_t size)
{
    (void)fprintf(layouts, "%s\"%s\": {\"\": %zu", ftell(layouts) > 1 ? "},\n" : "", name, size);
}

#define STRUCT(name)                                                                                                   \
    {                                                                                                                  \
        typedef name type;                                                                                             \
        begin_struct(#name, sizeof(type));
#define MEMBER(member) (void)fprintf(layouts, ", \"%s\": %zu", #member, offsetof(type, member));
#define END }

// Every struct of kane.py with all of its members.
static void write_layouts(void)
{
    layouts = fopen("layouts.json", "w");
    assert_non_null(layouts);
    (void)fputc('{', layouts);
    STRUCT(kane_vec3) MEMBER(x) MEMBER(y) MEMBER(z) END
    STRUCT(kane_mat3) MEMBER(x) MEMBER(y) MEMBER(z) END
    STRUCT(kane_place) MEMBER(file) MEMBER(line) MEMBER(column) MEMBER(path) END
    STRUCT(kane_error) MEMBER(status) MEMBER(text) MEMBER(file) MEMBER(line) MEMBER(column) MEMBER(path) MEMBER(subject)
    MEMBER(time) MEMBER(distance) END
    STRUCT(kane_errors) MEMBER(count) MEMBER(kept) END
    STRUCT(kane_block) MEMBER(name) MEMBER(node) END
    STRUCT(kane_body_definition) MEMBER(block) MEMBER(kind) MEMBER(mass) MEMBER(inertia) MEMBER(position)
    MEMBER(freedoms) MEMBER(frame) MEMBER(frame_offset) MEMBER(wheels) MEMBER(joint) MEMBER(start) MEMBER(deformable)
    MEMBER(vehicle) END
    STRUCT(kane_vehicle_definition) MEMBER(block) MEMBER(name) MEMBER(guide) MEMBER(gravity) MEMBER(body_count)
    MEMBER(bodies) MEMBER(element_count) MEMBER(elements) MEMBER(given_frame_count) MEMBER(given_frames)
    MEMBER(marker_count) MEMBER(markers) MEMBER(constraint_count) MEMBER(constraints) MEMBER(sensor_count)
    MEMBER(sensors) END
    STRUCT(kane_run_options) MEMBER(settings) MEMBER(omit) MEMBER(laws) MEMBER(rows) MEMBER(joints) MEMBER(tables) END
    STRUCT(kane_vehicle_options) MEMBER(kind) MEMBER(variant) MEMBER(variant_place) MEMBER(settings) MEMBER(laws)
    MEMBER(rows) MEMBER(joints) END
    STRUCT(kane_progress) MEMBER(time) MEMBER(distance) MEMBER(done) END
    STRUCT(kane_statistics) MEMBER(steps) MEMBER(evaluations) MEMBER(jacobians) MEMBER(factorisations)
    MEMBER(newton_iterations) MEMBER(error_test_failures) MEMBER(newton_failures) MEMBER(restarts) MEMBER(last_order)
    MEMBER(last_step) MEMBER(last_error) MEMBER(last_wheel_error) END
    STRUCT(kane_outcome) MEMBER(status) MEMBER(stop) MEMBER(subject) MEMBER(detail) MEMBER(start) MEMBER(unbalanced)
    MEMBER(time) MEMBER(distance) MEMBER(rows) MEMBER(wall) MEMBER(statistics) MEMBER(omitted_impulse)
    MEMBER(omitted_term) END
    STRUCT(kane_execution) MEMBER(directory) MEMBER(progress) MEMBER(data) END
    STRUCT(kane_column) MEMBER(name) MEMBER(unit) MEMBER(description) END
    STRUCT(kane_channel_info) MEMBER(name) MEMBER(unit) MEMBER(description) MEMBER(group) END
    STRUCT(kane_steady_definition) MEMBER(speed) MEMBER(curvature) MEMBER(superelevation) END
    STRUCT(kane_equilibrium) MEMBER(iterations) MEMBER(residual) MEMBER(worst) END
    STRUCT(kane_mode) MEMBER(kind) MEMBER(re) MEMBER(im) MEMBER(frequency) MEMBER(natural) MEMBER(damping) MEMBER(name)
    END
    STRUCT(kane_pattern) MEMBER(size) MEMBER(count) MEMBER(column_start) MEMBER(row) END
    STRUCT(kane_track_frame) MEMBER(R) MEMBER(origin) MEMBER(Omega) MEMBER(Omega_s) MEMBER(twist_ss) END
    STRUCT(kane_track_state) MEMBER(curvature) MEMBER(superelevation) MEMBER(grade) MEMBER(psi) MEMBER(beta)
    MEMBER(theta) MEMBER(psi_s) MEMBER(beta_s) MEMBER(theta_s) MEMBER(kappa) MEMBER(tau) MEMBER(chi) END
    STRUCT(kane_track_section) MEMBER(kind) MEMBER(shape) MEMBER(start) MEMBER(length) MEMBER(curvature)
    MEMBER(superelevation) END
    STRUCT(kane_energy) MEMBER(kinetic) MEMBER(gravity) MEMBER(elements) MEMBER(contact) MEMBER(power_drive)
    MEMBER(power_elements) MEMBER(power_contact) MEMBER(power_omitted) END
    (void)fputs("}}\n", layouts);
    assert_int_equal(fclose(layouts), 0);
}

static void test_structs_are_those_of_the_compiler(void **state)
{
    (void)state;
    write_layouts();
    carry_out("Layouts");
}

static void test_numbers_are_those_of_the_program(void **state)
{
    (void)state;
    assert_int_equal(CALL("run", RUN, "-q", "-o", "moving"), 0);
    assert_int_equal(CALL("run", RUN, "-q", "--format", "csv", "-o", "text", "-s", "until.distance=40"), 0);
    assert_int_equal(CALL("modes", "data/runs/coach-straight.json", "--speed", "50", "--all", "--json"), 0);
    assert_int_equal(rename("out", "modes.json"), 0);
    carry_out("Numbers");
}

static void test_equations(void **state)
{
    (void)state;
    carry_out("Equations");
}

static void test_errors_are_exceptions_with_places(void **state)
{
    (void)state;
    carry_out("Errors");
}

static void test_studies_are_the_programs(void **state)
{
    (void)state;
    carry_out("Studies");
}

static void test_memory_is_given_back(void **state)
{
    (void)state;
    carry_out("Memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structs_are_those_of_the_compiler),
        cmocka_unit_test(test_numbers_are_those_of_the_program),
        cmocka_unit_test(test_equations),
        cmocka_unit_test(test_errors_are_exceptions_with_places),
        cmocka_unit_test(test_studies_are_the_programs),
        cmocka_unit_test(test_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, find_python, leave_folder);
}
