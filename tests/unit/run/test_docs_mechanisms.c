// SPDX-License-Identifier: MIT
// The examples of docs/mechanisms.md: what is typed runs, is the same in a file and in C, the carousel's chair hangs
// out as far as the page says, and what cannot close or has no equilibrium is told as it stands there.

#include "runs.h"
#include "models.h"

#include "unit/run/documents.h"

#include <unistd.h>

int example(int argc, char **argv);
#define main example
#include "apps/examples/mechanism.c"
#undef main

static documents shown;

static kane_model *read_model(const kane_vehicle_options *how, kane_errors *errors)
{
    const kane_drive_definition drive    = kane_drive_definition_default();
    const kane_model_options options     = kane_model_options_default();
    CHECK_OWNED(kane_vehicle) *mechanism = kane_vehicle_read("four-bar.json", how, errors);
    check_no_errors(errors);
    kane_model *model = kane_model_create(kane_vehicle_get_definition(mechanism), NULL, &drive, &options, errors);
    return model;
}

// dy/dt at the start.
static void start(const kane_model *model, double *ydot)
{
    double y[16];
    CHECK_ERRORS errors          = {0};
    CHECK_OWNED(kane_work) *work = kane_work_create(model, &errors);
    assert_true(kane_model_state_count(model) <= 16);
    assert_int_equal(kane_initial_state(model, work, y, &errors), KANE_OK);
    assert_int_equal(kane_eval(model, work, 0.0, y, ydot), KANE_OK);
}

CHECK_TEST(file_and_program_are_the_same_mechanism)
{
    const kane_vehicle_options how = {.kind = KANE_MECHANISM};
    CHECK_ERRORS errors            = {0};
    double file[16], program[16];
    CHECK_OWNED(kane_model) *read = read_model(&how, &errors), *built = build(KANE_FORM_COEFFICIENTS, &errors);
    check_no_errors(&errors);
    assert_int_equal(kane_model_dof_count(read), 1);
    assert_int_equal(kane_model_state_count(read), kane_model_state_count(built));
    start(read, file);
    start(built, program);
    assert_true(fabs(program[3]) > 0.1);
    for (int i = 0; i < kane_model_state_count(read); i++)
        check_near(file[i], program[i], 1e-6 * fmax(1.0, fabs(program[i]))); // inertias have seven digits
}

static double final_angle(const char *const *settings)
{
    double angle;
    CHECK_OWNED(kane_run) *run      = run_read("four-bar-run.json", settings);
    const kane_run_definition *d    = kane_run_get_definition(run);
    CHECK_OWNED(kane_model) *model  = run_model(d);
    CHECK_OWNED(kane_simulation) *s = run_simulation(model, d);
    CHECK_OWNED(kane_channels) *channels =
        CHECK_GOOD(kane_channels_create, s, d->output.pattern_count, d->output.patterns, d->output.places);
    assert_true(kane_channels_count(channels) > 0);
    assert_int_equal(CHECK_GOOD(kane_simulation_advance, s, 1000.0), KANE_OK);
    assert_int_equal(kane_simulation_stop(s), KANE_STOP_TIME);
    (void)kane_get_joint(model, kane_simulation_work(s), 0, &angle, NULL, NULL);
    return angle;
}

CHECK_TEST(all_ways_give_the_same_motion)
{
    static const char *const held[]       = {"form=multipliers", NULL};
    static const char *const by_formula[] = {"mechanism.constraints.pin.closed_form=four-bar", NULL};
    const double angle                    = final_angle(NULL);
    assert_true(fabs(angle) > 1.0);
    check_near(final_angle(held), angle, 1e-4);
    check_near(final_angle(by_formula), angle, 1e-4);
}

// The numbers over time: it starts consistent and runs in both forms.
CHECK_TEST(numbers_over_time_run)
{
    for (int form = 0; form < 2; form++) {
        const kane_vehicle_options how    = {.kind = KANE_MECHANISM};
        const kane_drive_definition drive = kane_drive_definition_default();
        const kane_conditions until       = {.time = 1.0};
        kane_settings settings            = kane_settings_default();
        kane_model_options options        = kane_model_options_default();
        double lambda[6], q[KANE_JOINT_COORDINATES];
        options.form                    = (kane_constraint_form)form;
        settings.order                  = 5;
        CHECK_OWNED(kane_vehicle) *file = CHECK_GOOD(kane_vehicle_read, "over-time.json", &how);
        CHECK_OWNED(kane_model) *model =
            CHECK_GOOD(kane_model_create, kane_vehicle_get_definition(file), NULL, &drive, &options);
        CHECK_OWNED(kane_simulation) *s = CHECK_GOOD(kane_simulation_create, model, &settings, &until);
        assert_int_equal(CHECK_GOOD(kane_simulation_advance, s, 1.0), KANE_OK);
        (void)kane_get_joint(model, kane_simulation_work(s), kane_model_find_body(model, "bead"), q, NULL, NULL);
        check_near(q[0], -0.2 + 0.5, 1e-9);
        check_near(q[1], 0.09, 1e-9);
        assert_int_equal(kane_get_constraint(model, kane_simulation_work(s), 0, lambda), 1);
        assert_true(fabs(lambda[0]) > 1.0);
    }
}

CHECK_TEST(a_loop_that_cannot_close_is_told_as_shown)
{
    static const char *const longer[] = {"constraints.pin.to=[3, 0, 0.5]", NULL};
    const kane_vehicle_options how    = {.kind = KANE_MECHANISM, .settings = longer};
    static char found[1200];
    CHECK_ERRORS errors = {0};
    assert_null(read_model(&how, &errors));
    assert_int_equal(errors.count, 1);
    (void)kane_error_format(kane_errors_get(&errors, 0), sizeof found - 2, found);
    (void)strcat(found, "\n");
    assert_string_equal(found, content("does-not-close.txt"));
}

// --- frames ---

static kane_steady *seek(const char *file, kane_errors *errors)
{
    CHECK_OWNED(kane_run) *run = kane_run_read(file, NULL, errors);
    check_no_errors(errors);
    kane_steady *steady = kane_steady_create(kane_run_get_definition(run), &(kane_steady_definition){0}, errors);
    return steady;
}

CHECK_TEST(the_chair_hangs_out)
{
    const double W = 12.0 * acos(-1.0) / 30.0;
    double lean    = 0.5, q[KANE_JOINT_COORDINATES];
    for (int i = 0; i < 200; i++)
        lean = atan(W * W * (4.0 + 3.0 * sin(lean)) / 9.81);
    check_near(lean, 0.776, 5e-4); // as printed
    CHECK_OWNED(kane_steady) *steady = CHECK_GOOD(seek, "carousel-run.json");
    (void)kane_get_joint(kane_steady_model(steady), kane_steady_work(steady), 0, q, NULL, NULL);
    check_near(q[0], 0.0, 1e-12);
    check_near(q[1], -lean, 1e-9);
}

CHECK_TEST(the_crane_has_no_equilibrium)
{
    char found[512];
    CHECK_ERRORS errors = {0};
    assert_null(seek(KANE_SOURCE_DIR "/data/runs/mechanism-ship-crane.json", &errors));
    assert_int_equal(errors.count, 1);
    (void)snprintf(found, sizeof found, "%s\n", kane_errors_get(&errors, 0)->text);
    assert_string_equal(found, content("no-equilibrium.txt"));
}

static int begin(void **state)
{
    (void)state;
    return documents_enter(&shown, "docs/mechanisms.md");
}

CHECK_MAIN(begin, leave_folder)
