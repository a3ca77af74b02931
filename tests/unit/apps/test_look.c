// SPDX-License-Identifier: MIT
// kane contact and kane conicity: their tables can be read back and hold what the library finds, their notes say what is
// remarkable, their pictures are there.

#include "unit/apps/program.h"

#include <kane/geometry.h>

#define VEHICLE KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json"

static const double *column(const kane_results *r, const char *name, const char *unit)
{
    kane_errors errors = {0};
    const int i        = kane_results_find(r, name, &errors);
    check_no_errors(&errors);
    assert_string_equal(kane_results_column(r, i)->unit, unit);
    return kane_results_values(r, i);
}

static kane_results *table(const char *name)
{
    kane_errors errors = {0};
    kane_results *r    = kane_results_open(name, &errors);
    check_no_errors(&errors);
    return r;
}

static kane_contact *wagon_s(void)
{
    const kane_contact_definition d = kane_contact_definition_default();
    return kane_contact_create(&d, NULL);
}

static void the_table_of_contact_is_what_the_library_finds(void **state)
{
    (void)state;
    assert_int_equal(CALL("contact", VEHICLE, "-c", "contact.csv", "-r", "0.006", "-y", "0.002", "-l", "40000"), 0);
    assert_string_equal(content("out"), "");
    kane_results *r            = table("contact.csv");
    kane_contact *c            = wagon_s();
    kane_wheelset_table *guide = kane_wheelset_table_create(c, NULL);
    assert_non_null(guide);
    assert_int_equal(kane_results_row_count(r), 25);
    for (int i = 0; i < 25; i += 3) {
        const double y = column(r, "y", "m")[i], load[2] = {40e3, 40e3};
        kane_stand rigid, elastic;
        check_near(y, 5e-4 * (i - 12), 1e-15);
        assert_int_equal(kane_stand_rigid(c, y, 0.002, &rigid), KANE_OK);
        assert_int_equal(kane_stand_elastic(c, y, 0.002, load, &elastic), KANE_OK);
        check_near(column(r, "z", "m")[i], rigid.z, 0.0);
        check_near(column(r, "roll", "rad")[i], rigid.roll, 0.0);
        check_near(column(r, "radius_difference", "m")[i], rigid.radius_difference, 0.0);
        check_near(column(r, "left.lead", "m")[i], rigid.touch[KANE_LEFT][0].lead, 0.0);
        check_near(column(r, "right.angle", "rad")[i], rigid.touch[KANE_RIGHT][0].angle, 0.0);
        check_near(column(r, "elastic.z", "m")[i], elastic.z, 0.0);
        check_near(column(r, "left.a", "m")[i], elastic.touch[KANE_LEFT][0].a, 0.0);
        check_near(column(r, "right.pressure", "Pa")[i], elastic.touch[KANE_RIGHT][0].pressure, 0.0);

        kane_wheelset_values tables;
        assert_int_equal(kane_wheelset_table_eval(guide, y, 0.002, &tables), KANE_OK);
        check_near(column(r, "tables.z", "m")[i], tables.height.value - 0.46, 1e-10);
        check_near(column(r, "tables.roll", "rad")[i], tables.roll.value, 0.0);
        check_near(column(r, "tables.z", "m")[i], rigid.z, 5e-5); // two depths of the smooth gap
        check_near(column(r, "left.tables.radius", "m")[i], tables.touch[KANE_LEFT].radius, 0.0);
        check_near(column(r, "right.tables.angle", "rad")[i],
                   atan2(-tables.touch[KANE_RIGHT].normal.y, tables.touch[KANE_RIGHT].normal.z), 0.0);
    }
    kane_results_free(r);
    kane_wheelset_table_free(guide);
    kane_contact_free(c);
}

// Without --load a wheel carries what it carries at rest: (34 t + 2 x 1250 kg) g/4.
static void the_load_is_the_vehicle_s(void **state)
{
    (void)state;
    assert_int_equal(CALL("contact", VEHICLE, "-c", "load.csv", "-r", "0.001"), 0);
    kane_results *r  = table("load.csv");
    const int middle = kane_results_row_count(r) / 2;
    double sum       = 0.0;
    kane_contact *c  = wagon_s();
    kane_stand s;
    const double load[2] = {36500.0 * 9.81 / 4.0, 36500.0 * 9.81 / 4.0};
    assert_int_equal(kane_stand_elastic(c, 0.0, 0.0, load, &s), KANE_OK);
    sum = s.touch[KANE_LEFT][0].N;
    check_relative(column(r, "left.N", "N")[middle], sum, 1e-3); // of g
    kane_results_free(r);
    kane_contact_free(c);
}

static void what_is_remarkable_is_noted(void **state)
{
    (void)state;
    assert_int_equal(CALL("contact", "-o", "contact.svg"), 0);
    assert_int_equal(access("contact.svg", R_OK), 0);
    assert_non_null(strstr(content("err"), "note: at y = 4.848 mm the left wheel touches in two places"));
    assert_non_null(strstr(content("err"), "mm contact on the left is conformal"));
    assert_non_null(strstr(content("out"), "y,z,roll,radius_difference,left.rail_y"));
    assert_int_equal(CALL("contact", "-r", "0.09", "-d", "0.01"), 0);
    assert_non_null(strstr(content("err"), "note: both wheels stand on their rails from y = "));
}

static void the_table_of_conicity_is_what_the_library_finds(void **state)
{
    (void)state;
    assert_int_equal(CALL("conicity", "-c", "conicity.csv", "-o", "conicity.png", "-a", "0.006", "-d", "0.002"), 0);
    assert_int_equal(access("conicity.png", R_OK), 0);
    kane_results *r          = table("conicity.csv");
    kane_contact *c          = wagon_s();
    kane_rolling *rolling    = kane_rolling_create(c, KANE_AXLE_LEVEL, 0.016, 2e-5, 1.5, NULL);
    const char *const ways[] = {"integration", "quadrature", "regression"};
    assert_non_null(rolling);
    assert_int_equal(kane_results_row_count(r), 3);
    for (int i = 0; i < 3; i++)
        for (int way = 0; way < KANE_CONICITY_WAYS; way++)
            check_relative(column(r, ways[way], "1")[i], kane_conicity_eval(rolling, way, 2e-3 * (i + 1)).conicity,
                           1e-12);
    kane_results_free(r);
    kane_rolling_free(rolling);
    kane_contact_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_contact_is_what_the_library_finds),
        cmocka_unit_test(the_load_is_the_vehicle_s),
        cmocka_unit_test(what_is_remarkable_is_noted),
        cmocka_unit_test(the_table_of_conicity_is_what_the_library_finds),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
