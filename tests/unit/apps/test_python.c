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
    return symlink(KANE_SOURCE_DIR "/data", "data") == 0 && symlink(KANE_SOURCE_DIR "/vehicles", "vehicles") == 0 &&
                   setenv("KANE_LIBRARY", KANE_SHARED_LIBRARY, 1) == 0 &&
                   setenv("KANE_PROGRAM", KANE_PROGRAM, 1) == 0 && setenv("PYTHONDONTWRITEBYTECODE", "1", 1) == 0 &&
                   setenv("PYTHONPATH", KANE_SOURCE_DIR "/apps/python:" KANE_SOURCE_DIR "/tests/unit/apps", 1) == 0
               ? 0
               : -1;
}

// Carries out a class of cases.
static void carry_out(const char *name)
{
    char command[256];
    if (!python)
        check_skip("there is no python3 with numpy here (Debian: python3-numpy)");
    (void)snprintf(command, sizeof command, "%s -m unittest -q python_cases.%s >out 2>&1", python, name);
    if (system(command) != 0)
        fail_msg("%s", content("out"));
}

// How a number is kept: floating point, or whole (enums are), or neither.
#define KIND(x) _Generic((x), double : "d", int : "i", unsigned : "i", long : "i", default : "")

// Every struct of kane.py with all of its members: offset, size and kind; of a struct itself the size.
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
    SIZE(kane_equation_values),
    OF(kane_equation_values, speed_count),
    OF(kane_equation_values, independent_count),
    OF(kane_equation_values, row_count),
    OF(kane_equation_values, v),
    OF(kane_equation_values, v_dot),
    OF(kane_equation_values, u),
    OF(kane_equation_values, u_dot),
    OF(kane_equation_values, Theta),
    OF(kane_equation_values, Q),
    OF(kane_equation_values, h),
    OF(kane_equation_values, Phi),
    OF(kane_equation_values, phi),
    OF(kane_equation_values, gamma),
    OF(kane_equation_values, lambda),
    OF(kane_equation_values, A),
    OF(kane_equation_values, C),
    OF(kane_equation_values, G),
    OF(kane_equation_values, M),
    OF(kane_equation_values, F),
    SIZE(kane_coefficients),
    OF(kane_coefficients, A),
    OF(kane_coefficients, C),
    OF(kane_coefficients, A_rate),
    OF(kane_coefficients, C_rate),
    SIZE(kane_block),
    OF(kane_block, name),
    OF(kane_block, node),
    SIZE(kane_body_definition),
    OF(kane_body_definition, block),
    OF(kane_body_definition, kind),
    OF(kane_body_definition, mass),
    OF(kane_body_definition, inertia),
    OF(kane_body_definition, position),
    OF(kane_body_definition, freedoms),
    OF(kane_body_definition, frame),
    OF(kane_body_definition, frame_offset),
    OF(kane_body_definition, wheels),
    OF(kane_body_definition, joint),
    OF(kane_body_definition, start),
    OF(kane_body_definition, deformable),
    OF(kane_body_definition, vehicle),
    OF(kane_body_definition, impossible_inertia),
    SIZE(kane_vehicle_definition),
    OF(kane_vehicle_definition, block),
    OF(kane_vehicle_definition, name),
    OF(kane_vehicle_definition, guide),
    OF(kane_vehicle_definition, gravity),
    OF(kane_vehicle_definition, body_count),
    OF(kane_vehicle_definition, bodies),
    OF(kane_vehicle_definition, element_count),
    OF(kane_vehicle_definition, elements),
    OF(kane_vehicle_definition, given_frame_count),
    OF(kane_vehicle_definition, given_frames),
    OF(kane_vehicle_definition, marker_count),
    OF(kane_vehicle_definition, markers),
    OF(kane_vehicle_definition, constraint_count),
    OF(kane_vehicle_definition, constraints),
    OF(kane_vehicle_definition, sensor_count),
    OF(kane_vehicle_definition, sensors),
    OF(kane_vehicle_definition, input_count),
    OF(kane_vehicle_definition, inputs),
    SIZE(kane_vec3),
    OF(kane_vec3, x),
    OF(kane_vec3, y),
    OF(kane_vec3, z),
    SIZE(kane_mat3),
    OF(kane_mat3, x),
    OF(kane_mat3, y),
    OF(kane_mat3, z),
    SIZE(kane_place),
    OF(kane_place, file),
    OF(kane_place, line),
    OF(kane_place, column),
    OF(kane_place, path),
    SIZE(kane_error),
    OF(kane_error, status),
    OF(kane_error, text),
    OF(kane_error, file),
    OF(kane_error, line),
    OF(kane_error, column),
    OF(kane_error, path),
    OF(kane_error, subject),
    OF(kane_error, time),
    OF(kane_error, distance),
    SIZE(kane_errors),
    OF(kane_errors, count),
    OF(kane_errors, kept),
    OF(kane_errors, limit),
    OF(kane_errors, last),
    OF(kane_errors, first),
    OF(kane_errors, more),
    SIZE(kane_run_options),
    OF(kane_run_options, settings),
    OF(kane_run_options, omit),
    OF(kane_run_options, laws),
    OF(kane_run_options, rows),
    OF(kane_run_options, joints),
    OF(kane_run_options, tables),
    SIZE(kane_vehicle_options),
    OF(kane_vehicle_options, kind),
    OF(kane_vehicle_options, variant),
    OF(kane_vehicle_options, variant_place),
    OF(kane_vehicle_options, settings),
    OF(kane_vehicle_options, laws),
    OF(kane_vehicle_options, rows),
    OF(kane_vehicle_options, joints),
    SIZE(kane_progress),
    OF(kane_progress, time),
    OF(kane_progress, distance),
    OF(kane_progress, done),
    SIZE(kane_statistics),
    OF(kane_statistics, steps),
    OF(kane_statistics, evaluations),
    OF(kane_statistics, jacobians),
    OF(kane_statistics, factorisations),
    OF(kane_statistics, newton_iterations),
    OF(kane_statistics, error_test_failures),
    OF(kane_statistics, newton_failures),
    OF(kane_statistics, restarts),
    OF(kane_statistics, last_order),
    OF(kane_statistics, last_step),
    OF(kane_statistics, last_error),
    OF(kane_statistics, last_wheel_error),
    SIZE(kane_lateness),
    OF(kane_lateness, rows),
    OF(kane_lateness, median),
    OF(kane_lateness, worst),
    OF(kane_lateness, missed),
    SIZE(kane_outcome),
    OF(kane_outcome, status),
    OF(kane_outcome, stop),
    OF(kane_outcome, subject),
    OF(kane_outcome, detail),
    OF(kane_outcome, confirmed),
    OF(kane_outcome, start),
    OF(kane_outcome, unbalanced),
    OF(kane_outcome, rough),
    OF(kane_outcome, time),
    OF(kane_outcome, distance),
    OF(kane_outcome, rows),
    OF(kane_outcome, wall),
    OF(kane_outcome, lateness),
    OF(kane_outcome, statistics),
    OF(kane_outcome, omitted_impulse),
    OF(kane_outcome, omitted_term),
    OF(kane_outcome, growth),
    SIZE(kane_growth),
    OF(kane_growth, checked),
    OF(kane_growth, count),
    OF(kane_growth, damped_from),
    OF(kane_growth, stretch),
    SIZE(kane_execution),
    OF(kane_execution, directory),
    OF(kane_execution, progress),
    OF(kane_execution, data),
    OF(kane_execution, real_time),
    OF(kane_execution, confirm),
    SIZE(kane_column),
    OF(kane_column, name),
    OF(kane_column, unit),
    OF(kane_column, description),
    SIZE(kane_channel_info),
    OF(kane_channel_info, name),
    OF(kane_channel_info, unit),
    OF(kane_channel_info, description),
    OF(kane_channel_info, group),
    SIZE(kane_steady_definition),
    OF(kane_steady_definition, speed),
    OF(kane_steady_definition, curvature),
    OF(kane_steady_definition, superelevation),
    OF(kane_steady_definition, small_motions),
    SIZE(kane_equilibrium),
    OF(kane_equilibrium, iterations),
    OF(kane_equilibrium, residual),
    OF(kane_equilibrium, worst),
    SIZE(kane_mode),
    OF(kane_mode, kind),
    OF(kane_mode, re),
    OF(kane_mode, im),
    OF(kane_mode, frequency),
    OF(kane_mode, natural),
    OF(kane_mode, damping),
    OF(kane_mode, accuracy),
    OF(kane_mode, name),
    SIZE(kane_call_info),
    OF(kane_call_info, kind),
    OF(kane_call_info, inputs),
    OF(kane_call_info, outputs),
    OF(kane_call_info, name),
    SIZE(kane_caller),
    OF(kane_caller, model),
    OF(kane_caller, work),
    SIZE(kane_input_info),
    OF(kane_input_info, name),
    OF(kane_input_info, unit),
    OF(kane_input_info, help),
    OF(kane_input_info, start),
    SIZE(kane_pattern),
    OF(kane_pattern, size),
    OF(kane_pattern, count),
    OF(kane_pattern, column_start),
    OF(kane_pattern, row),
    SIZE(kane_track_frame),
    OF(kane_track_frame, R),
    OF(kane_track_frame, origin),
    OF(kane_track_frame, Omega),
    OF(kane_track_frame, Omega_s),
    OF(kane_track_frame, twist_ss),
    SIZE(kane_track_state),
    OF(kane_track_state, curvature),
    OF(kane_track_state, superelevation),
    OF(kane_track_state, grade),
    OF(kane_track_state, psi),
    OF(kane_track_state, beta),
    OF(kane_track_state, theta),
    OF(kane_track_state, psi_s),
    OF(kane_track_state, beta_s),
    OF(kane_track_state, theta_s),
    OF(kane_track_state, kappa),
    OF(kane_track_state, tau),
    OF(kane_track_state, chi),
    SIZE(kane_track_section),
    OF(kane_track_section, kind),
    OF(kane_track_section, shape),
    OF(kane_track_section, start),
    OF(kane_track_section, length),
    OF(kane_track_section, curvature),
    OF(kane_track_section, superelevation),
    OF(kane_track_section, smoothed),
    SIZE(kane_difference),
    OF(kane_difference, largest),
    OF(kane_difference, rms),
    OF(kane_difference, at),
    SIZE(kane_smoothing_report),
    OF(kane_smoothing_report, file),
    OF(kane_smoothing_report, point_count),
    OF(kane_smoothing_report, wavelength),
    OF(kane_smoothing_report, curvature),
    OF(kane_smoothing_report, superelevation),
    OF(kane_smoothing_report, grade),
    OF(kane_smoothing_report, position),
    OF(kane_smoothing_report, length),
    SIZE(kane_energy),
    OF(kane_energy, kinetic),
    OF(kane_energy, gravity),
    OF(kane_energy, elements),
    OF(kane_energy, contact),
    OF(kane_energy, power_drive),
    OF(kane_energy, power_elements),
    OF(kane_energy, power_contact),
    OF(kane_energy, power_omitted),
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
    assert_int_equal(CALL("run", RUN, "-q", "--format", "csv", "-o", "text", "-s", "until.distance=60"), 0);
    assert_int_equal(CALL("run", RUN, "-q", "-o", "omitted", "-s", "until.distance=60", "-x", "body:torque.rotation.z"),
                     0);
    assert_int_equal(CALL("equations", "data/runs/mechanism-four-bar.json", "-o", "equations.json"), 0);
    assert_int_equal(CALL("modes", "data/runs/coach-straight.json", "--speed", "50", "--all", "--json"), 0);
    assert_int_equal(rename("out", "modes.json"), 0);
    carry_out("Numbers");
}

static void test_equations(void **state)
{
    (void)state;
    carry_out("Equations");
}

static void test_pages_show_what_works(void **state)
{
    (void)state;
    assert_int_equal(symlink(KANE_SOURCE_DIR "/README.md", "README.md"), 0);
    assert_int_equal(symlink(KANE_SOURCE_DIR "/docs/python.md", "python.md"), 0);
    carry_out("Pages");
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
        cmocka_unit_test(test_pages_show_what_works),
        cmocka_unit_test(test_errors_are_exceptions_with_places),
        cmocka_unit_test(test_studies_are_the_programs),
        cmocka_unit_test(test_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, find_python, leave_folder);
}
