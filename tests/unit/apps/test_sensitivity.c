// SPDX-License-Identifier: MIT
// kane sensitivity: wheel loads of a wagon by its mass, and what is refused.

#include "runs.h"
#include "unit/apps/program.h"

#include <kane/kane.h>

#define WAGON KANE_SOURCE_DIR "/data/runs/soft-wagon-transition.json"

// On the straight each of four wheels carries g/4 of every kilogram of the body, 9.81/4 = 2.4525 N/kg, but for what
// rounding of its coordinates leaves: 1e-4.
CHECK_TEST(wheels_carry_their_part_of_a_kilogram)
{
    assert_int_equal(CALL("sensitivity", WAGON, "-p", "vehicle.bodies.body.mass", "-c", "leading.left.Q", "-s",
                          "until.time=0.01", "-s", "output.interval=0.01"),
                     0);
    expect("out", "time,d(leading.left.Q)/d(vehicle.bodies.body.mass)\ns,N\n0,");
    const char *row = strstr(content("out"), "\n0.01,");
    assert_non_null(row);
    check_near(strtod(row + strlen("\n0.01,"), NULL), 9.81 / 4.0, 1e-4);
}

// --- numbers of the line, at 1.5 s of a wagon on tables that has passed the joint before the transition ---

#define LINE     KANE_SOURCE_DIR "/data/runs/wagon-transition.json"
#define TABLES   "vehicle.patterns.wheelset.contact.model=table"
#define STRAIGHT "track.sections[0].straight"
#define LENGTH   "track.sections[1].transition"
#define RADIUS   "track.sections[1].to.radius"
#define CANT     "track.sections[1].to.cant"

// y of its body with another value of a number.
static double place_by_run(const char *path, double value)
{
    char setting[128], file[] = LINE;
    (void)snprintf(setting, sizeof setting, "%s=%.15g", path, value);
    const char *const settings[] = {TABLES, "start.at=40", setting, NULL};
    kane_run *run                = run_read(file, settings);
    kane_model *model            = CHECK_GOOD(kane_run_create_model, run);
    kane_simulation *simulation  = CHECK_GOOD(kane_run_create_simulation, run, model);
    (void)CHECK_GOOD(kane_simulation_advance, simulation, 1.5);
    const double y = kane_simulation_state(simulation)[KANE_Y];
    kane_simulation_free(simulation);
    kane_model_free(model);
    kane_run_free(run);
    return y;
}

// Against differences of whole runs, whose events happen elsewhere: 1e-3 of them.
CHECK_TEST(numbers_of_the_line_are_those_of_whole_runs)
{
    static const struct {
        const char *path;
        double value, change;
    } numbers[] = {{STRAIGHT, 50.0, 0.3}, {LENGTH, 60.0, 0.3}, {RADIUS, 600.0, 3.0}, {CANT, 0.1, 1e-3}};
    assert_int_equal(CALL("sensitivity", LINE, "-s", TABLES, "-s", "start.at=40", "-s", "until.time=1.5", "-s",
                          "output.interval=1.5", "-p", STRAIGHT, "-p", LENGTH, "-p", RADIUS, "-p", CANT, "-c",
                          "body.y"),
                     0);
    const char *cell = strstr(content("out"), "\n1.5,");
    assert_non_null(cell);
    cell += strlen("\n1.5");
    for (int i = 0; i < 4; i++) {
        char *end;
        const double up = place_by_run(numbers[i].path, numbers[i].value + numbers[i].change);
        const double by =
            (up - place_by_run(numbers[i].path, numbers[i].value - numbers[i].change)) / (2.0 * numbers[i].change);
        check_relative(strtod(cell + 1, &end), by, 1e-3);
        cell = end;
    }
}

// Its wheels lose their rails .35 s behind this place.
CHECK_TEST(a_run_that_fails_keeps_its_rows)
{
    assert_int_equal(CALL("sensitivity", KANE_SOURCE_DIR "/data/runs/feve-curve.json", "-s", "variant=as-published",
                          "-s", "start.at=62", "-a", "0.5", "-p", "start.speed", "-c", "car.y", "-s",
                          "output.interval=0.1", "-o", "kept.csv"),
                     4);
    expect("err", "no normal forces keep its wheels on the rails");
    expect("kept.csv", "\n0.2,");
}

CHECK_TEST(what_cannot_be_is_refused)
{
    assert_int_equal(CALL("sensitivity", WAGON), 2);
    expect("err", "by which number");
    assert_int_equal(CALL("sensitivity", WAGON, "-p", "vehicle.bodies.body.weight"), 3);
    expect("err", "bodies.body.weight");
    assert_int_equal(CALL("sensitivity", WAGON, "-p", "track.sections[0].curve"), 3);
    expect("err", "track.sections[0].curve");
}

CHECK_MAIN(enter_folder, leave_folder)
