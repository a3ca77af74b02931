// SPDX-License-Identifier: MIT
// The numbers of docs/studies.md: the studies that the page names, carried out by the program, give what stands there.

#include "page_table.h"
#include "unit/apps/program.h"

static const char page[] = "docs/studies.md";

// Cell of a line of a CSV table (0: the head), without quotes.
static const char *cell_of(const char *file, int line, int column)
{
    static char text[256];
    const char *at = content(file);
    for (int i = 0; i < line && at; i++)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    assert_non_null(at);
    for (int i = 0; i < column; i++)
        at += strcspn(at, ",") + 1;
    at += *at == '"';
    (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(at, ",\"\n"), at);
    return text;
}

// The column that is called so.
static int column_of(const char *file, const char *name)
{
    for (int c = 0; c < 30; c++)
        if (strcmp(cell_of(file, 0, c), name) == 0)
            return c;
    fail_msg("%s has no column %s", file, name);
    return -1;
}

// A number of the term in the row of effects.csv that has these values of the first two axes.
static double number_of(const char *file, const char *const *values, const char *name)
{
    const int term = column_of(file, "term");
    for (int line = 1; line < 200; line++) {
        int is_it = strcmp(cell_of(file, line, term), "accuracy") != 0;
        for (int a = 0; a < 2; a++)
            is_it = is_it && strcmp(cell_of(file, line, a), values[a]) == 0;
        if (is_it)
            return strtod(cell_of(file, line, column_of(file, name)), NULL);
    }
    fail_msg("%s has no row of %s and %s", file, values[0], values[1]);
    return NAN;
}

// A row for each acceleration, a column for each speed.
static void check_accelerations(const char *head, const char *file, const char *const *speeds)
{
    const page_table t = page_table_read(page, head);
    assert_true(t.rows == 5 && t.columns == 6);
    for (int i = 0; i < t.rows; i++)
        for (int k = 0; k < 5; k++) {
            const char *const values[] = {speeds[k], t.cells[i][0]};
            page_check(t.cells[i][1 + k], 100.0 * number_of(file, values, "relative effect"), head);
        }
}

CHECK_TEST(what_acceleration_does_to_a_wagon)
{
    static const char *const speeds[] = {"10", "15", "20", "25", "30"};
    assert_int_equal(CALL("study", "omit", RUN, "--omit", "body:torque.rotation.z", "--response", "body.yaw",
                          "--speeds", "10,15,20,25,30", "--accelerations=-0.5,-0.25,0,0.25,0.5", "--shapes", "bloss",
                          "--set", "until.distance=200", "--set", "output.interval=20 ms", "--strongest", "0", "-q",
                          "-o", "wagon"),
                     0);
    check_accelerations("| acceleration [m/s²] | 10 m/s |", "wagon/effects.csv", speeds);
}

CHECK_TEST(what_acceleration_does_to_a_coach)
{
    static const char *const speeds[] = {"15", "20", "25", "30", "35"};
    assert_int_equal(CALL("study", "omit", KANE_SOURCE_DIR "/data/runs/coach-curve.json", "--omit",
                          "car:torque.rotation.z", "--response", "car.yaw", "--speeds", "15,20,25,30,35",
                          "--accelerations=-0.5,-0.25,0,0.25,0.5", "--shapes", "bloss", "--set", "until.distance=250",
                          "--set", "output.interval=20 ms", "--strongest", "0", "-q", "-o", "coach"),
                     0);
    check_accelerations("| acceleration [m/s²] | 15 m/s |", "coach/effects.csv", speeds);
}

CHECK_TEST(figures_5_and_6_of_the_source)
{
    static const char *const names[] = {"largest omitted torque [N m]", "range of complete", "largest difference",
                                        "relative effect"};
    static const double units[]      = {1e-3, 1e3, 1e3, 1e2};
    const page_table t               = page_table_read(page, "| shape, acceleration |");
    assert_int_equal(CALL("study", "omit", KANE_SOURCE_DIR "/data/runs/soft-wagon-transition.json", "--omit",
                          "body:torque.rotation.z", "--accelerations", "0,0.5,1", "--shapes", "parabola,cosine",
                          "--response", "body.yaw", "--strongest", "0", "-q", "-o", "figures"),
                     0);
    assert_int_equal(t.rows, 6);
    for (int i = 0; i < t.rows; i++) {
        char shape[PAGE_CELL], acceleration[PAGE_CELL];
        assert_int_equal(sscanf(t.cells[i][0], "%[a-z], %[0-9.]", shape, acceleration), 2);
        const char *const values[] = {acceleration, shape};
        for (int k = 0; k < 4; k++) // the study tells how large the torque is, the page its sign as well
            page_check(t.cells[i][1 + k] + (t.cells[i][1 + k][0] == '-'),
                       units[k] * number_of("figures/effects.csv", values, names[k]), t.cells[i][0]);
    }
}

// The fine check of the standard shapes under the wagon, as an optimisation makes it; names are in the order of the
// page.
CHECK_TEST(shapes_under_a_wagon)
{
    const page_table t = page_table_read(page, "| | wagon: rms in m/s² |");
    assert_int_equal(CALL("study", "transitions", RUN, "-s", "speed=[{\"acceleration\": 0}]", "-s", "start.speed=20",
                          "-s", "until.distance=180", "-c", "rms(body.acceleration.y, 0.4-10 Hz, 30 m..150 m)", "-s",
                          "integrator.rtol=1e-8", "-s", "integrator.atol_position=1e-10 m", "-s",
                          "integrator.atol_angle=1e-10 rad", "-s", "integrator.atol_velocity=1e-8 m/s", "-s",
                          "integrator.atol_angular_velocity=1e-8 rad/s", "-s", "output.interval=1 ms", "-q", "-o",
                          "shapes"),
                     0);
    assert_int_equal(t.rows, 10); // the last one is the optimised one
    for (int i = 0; i < 9; i++) {
        page_check(t.cells[i][1], strtod(cell_of("shapes/transitions.csv", 2 + i, 2), NULL), t.cells[i][0]);
        page_check(t.cells[i][2], strtod(cell_of("shapes/transitions.csv", 2 + i, 3), NULL), t.cells[i][0]);
    }
}

// --- rods: rows are factor by factor, step by step, method by method (exact, partition and all by point, linear, quadratic) ---

enum { METHODS = 7 };

static double rods_at(const char *file, double factor, double step, int method, const char *name)
{
    for (int line = 2; line < 200; line += METHODS) // below the names stand the units
        if (strtod(cell_of(file, line, 0), NULL) == factor && strtod(cell_of(file, line, 1), NULL) == step)
            return strtod(cell_of(file, line + method, column_of(file, name)), NULL);
    fail_msg("%s has no row of %g and %g s", file, factor, step);
    return NAN;
}

// Of a second the greatest errors come in the first tenth.
CHECK_TEST(tables_4_and_5_of_the_source)
{
    static const char sedan[] = KANE_SOURCE_DIR "/data/runs/mechanism-sedan.json";
    const page_table t        = page_table_read(page, "| masses | step [s] | point |");
    double factor             = NAN;
    assert_int_equal(CALL("study", "rods", sedan, "--time", "0.1", "--factors", "0,0.5,1,2,3", "--steps", "5e-4,1e-3",
                          "-q", "-o", "masses"),
                     0);
    assert_int_equal(CALL("study", "rods", sedan, "--time", "0.06", "--factors", "1", "-q", "-o", "steps"), 0);
    assert_int_equal(t.rows, 11);
    for (int i = 0; i < t.rows; i++) {
        const double step = strtod(t.cells[i][1], NULL);
        factor            = t.cells[i][0][0] ? strtod(t.cells[i][0], NULL) : factor;
        for (int e = 0; e < 3; e++)
            page_check(t.cells[i][2 + 2 * e],
                       rods_at(step < 5e-4 ? "steps/rods.csv" : "masses/rods.csv", factor, step, 1 + e, "max"),
                       t.cells[i][1]);
    }
    static const char *const orders[] = {"1.00", "1.96", "2.99"}, *const all[] = {"3.7", "2.3", "6.8"};
    for (int e = 0; e < 3; e++) {
        page_check(orders[e], rods_at("steps/rods.csv", 1.0, 1e-3, 1 + e, "order"), "order");
        page_check(all[e],
                   rods_at("steps/rods.csv", 1.0, 1e-3, 4 + e, "max") /
                       rods_at("steps/rods.csv", 1.0, 1e-3, 1 + e, "max"),
                   "without partition");
    }
    const double one = rods_at("masses/rods.csv", 1.0, 1e-3, 1, "max");
    page_check("0.53", rods_at("masses/rods.csv", 0.5, 1e-3, 1, "max") / one, "half the masses");
    page_check("1.81", rods_at("masses/rods.csv", 2.0, 1e-3, 1, "max") / one, "twice the masses");
    page_check(".2075", rods_at("masses/rods.csv", 2.0, 1e-3, 4, "lambda greatest"), "twice the masses, lambda");
    page_check(".104", rods_at("masses/rods.csv", 1.0, 1e-3, 4, "lambda greatest"), "lambda");
    page_check(".021", rods_at("masses/rods.csv", 1.0, 1e-3, 1, "lambda greatest"), "lambda of partition");
}

CHECK_TEST(the_corner_on_its_stand)
{
    static const char *const errors[] = {"0.19", "4.3e-3", "7.5e-5"}, *const orders[] = {"0.99", "1.99", "2.98"};
    assert_int_equal(CALL("study", "rods", KANE_SOURCE_DIR "/data/runs/mechanism-rear-corner.json", "--time", "0.5",
                          "--factors", "1", "-q", "-o", "corner"),
                     0);
    for (int e = 0; e < 3; e++) {
        page_check(errors[e], rods_at("corner/rods.csv", 1.0, 1e-3, 4 + e, "max"), "corner");
        page_check(orders[e], rods_at("corner/rods.csv", 1.0, 1e-3, 4 + e, "order"), "corner, order");
        assert_true(rods_at("corner/rods.csv", 1.0, 1e-3, 1 + e, "max") <= 2e-14);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
