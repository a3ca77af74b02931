// SPDX-License-Identifier: MIT
// kane contact and kane conicity: their tables can be read back and hold what the library finds, their notes say what
// is remarkable, their pictures are there.

#include "unit/apps/program.h"

#define VEHICLE KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json"

static const double *column(const kane_results *r, const char *name, const char *unit)
{
    const int i = CHECK_GOOD(kane_results_find, r, name);
    assert_string_equal(kane_results_column(r, i)->unit, unit);
    return kane_results_values(r, i);
}

static kane_results *table(const char *name)
{
    return CHECK_GOOD(kane_results_open, name);
}

static kane_contact *wagon_s(void)
{
    const kane_contact_definition d = kane_contact_definition_default();
    return kane_contact_create(&d, NULL);
}

CHECK_TEST(the_table_of_contact_is_what_the_library_finds)
{
    assert_int_equal(CALL("contact", VEHICLE, "-o", "contact.csv", "-r", "0.006", "-y", "0.002", "-l", "40000"), 0);
    assert_string_equal(content("out"), "");
    CHECK_OWNED(kane_results) *r            = table("contact.csv");
    CHECK_OWNED(kane_contact) *c            = wagon_s();
    CHECK_OWNED(kane_wheelset_table) *guide = kane_wheelset_table_create(c, NULL);
    assert_non_null(guide);
    assert_int_equal(kane_results_row_count(r), 25);
    for (int i = 0; i < 25; i += 3) {
        const double y = column(r, "y", "m")[i], load[2] = {40e3, 40e3};
        kane_wheelset_position rigid, elastic;
        check_near(y, 5e-4 * (i - 12), 1e-15);
        assert_int_equal(kane_wheelset_position_rigid(c, y, 0.002, &rigid), KANE_OK);
        assert_int_equal(kane_wheelset_position_elastic(c, y, 0.002, load, &elastic), KANE_OK);
        check_near(column(r, "z", "m")[i], rigid.z, 0.0);
        check_near(column(r, "roll", "rad")[i], rigid.roll, 0.0);
        check_near(column(r, "radius_difference", "m")[i], rigid.radius_difference, 0.0);
        check_near(column(r, "left.lead", "m")[i], rigid.contact_point[KANE_LEFT][0].lead, 0.0);
        check_near(column(r, "right.angle", "rad")[i], rigid.contact_point[KANE_RIGHT][0].angle, 0.0);
        check_near(column(r, "elastic.z", "m")[i], elastic.z, 0.0);
        check_near(column(r, "left.a", "m")[i], elastic.contact_point[KANE_LEFT][0].a, 0.0);
        check_near(column(r, "right.pressure", "Pa")[i], elastic.contact_point[KANE_RIGHT][0].pressure, 0.0);

        kane_wheelset_values tables;
        assert_int_equal(kane_wheelset_table_eval(guide, y, 0.002, &tables), KANE_OK);
        check_near(column(r, "tables.z", "m")[i], tables.height.value - 0.46, 1e-10);
        check_near(column(r, "tables.roll", "rad")[i], tables.roll.value, 0.0);
        check_near(column(r, "tables.z", "m")[i], rigid.z, 5e-5); // two depths of the smooth gap
        check_near(column(r, "left.tables.radius", "m")[i], tables.contact_point[KANE_LEFT].radius, 0.0);
        check_near(column(r, "right.tables.angle", "rad")[i],
                   atan2(-tables.contact_point[KANE_RIGHT].normal.y, tables.contact_point[KANE_RIGHT].normal.z), 0.0);
    }
}

// Wheels and rails of one's own, left and right, pressed on and rolling: what the library finds of the same definition.
CHECK_TEST(a_wheelset_can_be_described_without_a_vehicle)
{
    FILE *file = fopen("worn.txt", "w"); // a hollow wheel with a flange
    for (int i = 0; i <= 100; i++) {
        const double y = -50.0 + i;
        (void)fprintf(file, "%.17g %.17g\n", y, y < -30.0 ? -0.05 * (y + 30.0) * (y + 30.0) : 1e-3 * (y * y - 900.0));
    }
    (void)fclose(file);
    assert_int_equal(CALL("contact", "--wheel=worn.txt, unit=mm, lateral=outside, vertical=up, smoothing=0.02 mm",
                          "--wheel=cone=1:20", "--radius=460 mm", "--radius=0.459", "--flange-back=1.362",
                          "--rail=round=60 mm", "--gauge=1432 mm", "--inclination=1:20", "--normal=12 kN",
                          "--normal=9000", "--friction=0.25", "--speed=54 km/h", "--yaw=3 mrad", "-r2 mm", "-d1 mm",
                          "-oown.csv", "-oown.svg"),
                     0);
    assert_non_null(strstr(content("own.svg"), "worn.txt"));
    assert_non_null(strstr(content("own.svg"), "inclination 0.05, gauge 1432 mm; 12 and 9 kN normal, yaw 3 mrad"));

    const kane_profile_options how  = {.kind      = KANE_PROFILE_WHEEL,
                                       .unit      = 1e-3,
                                       .lateral   = KANE_LATERAL_OUTSIDE,
                                       .vertical  = KANE_VERTICAL_UP,
                                       .smoothing = 2e-5};
    CHECK_OWNED(kane_profile) *worn = CHECK_GOOD(kane_profile_read, "worn.txt", &how);
    const kane_profile cone = kane_profile_cone(0.05), round = kane_profile_round(0.06);
    kane_contact_definition d  = kane_contact_definition_default();
    d.wheel[KANE_LEFT]         = worn;
    d.wheel[KANE_RIGHT]        = &cone;
    d.radius[KANE_LEFT]        = 0.46;
    d.radius[KANE_RIGHT]       = 0.459;
    d.flange_back              = 1.362;
    d.rail[KANE_LEFT]          = &round;
    d.gauge                    = 1.432;
    d.inclination              = 0.05;
    d.laws.friction[KANE_LEFT] = d.laws.friction[KANE_RIGHT] = 0.25;
    CHECK_OWNED(kane_contact) *c                             = CHECK_GOOD(kane_contact_create, &d);
    CHECK_OWNED(kane_results) *r                             = table("own.csv");
    assert_int_equal(kane_results_row_count(r), 5);
    for (int i = 0; i < 5; i++) {
        const double normal[2] = {12e3, 9e3};
        kane_wheelset_position rigid, s;
        kane_wheelset_rolling rolling;
        assert_int_equal(kane_wheelset_position_rigid(c, 1e-3 * (i - 2), 3e-3, &rigid), KANE_OK);
        assert_int_equal(kane_wheelset_position_pressed(c, 1e-3 * (i - 2), 3e-3, normal, &s), KANE_OK);
        assert_int_equal(kane_wheelset_position_roll(c, &s, 15.0, &rolling), KANE_OK);
        check_near(column(r, "z", "m")[i], rigid.z, 1e-15);
        check_near(column(r, "elastic.roll", "rad")[i], s.roll, 1e-15);
        check_near(column(r, "omega", "rad/s")[i], rolling.omega, 1e-12);
        for (int side = 0; side < 2; side++) {
            const char *const name = side == KANE_LEFT ? "left" : "right";
            const kane_patch *p    = &rolling.wheel[side].patch[0];
            const kane_vec3 f      = rolling.wheel[side].on_wheel.force;
            const struct {
                const char *column, *unit;
                double value;
            } expected[] = {{"xi_x", "1", p->xi_x},     {"xi_y", "1", p->xi_y},     {"phi", "1/m", p->phi},
                            {"patch.T_x", "N", p->T_x}, {"patch.T_y", "N", p->T_y}, {"patch.M_z", "N m", p->M_z},
                            {"T_x", "N", f.x},          {"Y", "N", -f.y},           {"Q", "N", f.z}};
            assert_int_equal(rolling.wheel[side].patch_count, 1);
            for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
                char full[64];
                (void)snprintf(full, sizeof full, "%s.%s", name, expected[k].column);
                check_near(column(r, full, expected[k].unit)[i], expected[k].value, 1e-12 * fabs(expected[k].value));
            }
        }
    }
}

// Loads typed for both sides, a vehicle's wheels on rails of one's own, and friction that is not the track's.
CHECK_TEST(options_go_with_a_vehicle)
{
    assert_int_equal(CALL("contact", VEHICLE, "--rail", "60E1", "--gauge", "1.43", "--friction", "0.1", "-l", "40 kN",
                          "-l", "30 kN", "-y", "0.01", "-r", "0.001", "-d", "0.001", "-o", "mixed.csv"),
                     0);
    kane_contact_definition d  = kane_contact_definition_default();
    d.gauge                    = 1.43;
    d.laws.friction[KANE_LEFT] = d.laws.friction[KANE_RIGHT] = 0.1;
    CHECK_OWNED(kane_contact) *c                             = kane_contact_create(&d, NULL);
    CHECK_OWNED(kane_results) *r                             = table("mixed.csv");
    const double load[2]                                     = {40e3, 30e3};
    kane_wheelset_position s;
    kane_wheelset_rolling rolling;
    assert_int_equal(kane_wheelset_position_elastic(c, 1e-3, 0.01, load, &s), KANE_OK);
    assert_int_equal(kane_wheelset_position_roll(c, &s, 10.0, &rolling), KANE_OK);
    check_near(column(r, "left.N", "N")[2], s.contact_point[KANE_LEFT][0].N, 1e-9);
    check_near(column(r, "right.N", "N")[2], s.contact_point[KANE_RIGHT][0].N, 1e-9);
    check_near(column(r, "left.Y", "N")[2], -rolling.wheel[KANE_LEFT].on_wheel.force.y, 1e-9);
    check_near(column(r, "right.T_x", "N")[2], rolling.wheel[KANE_RIGHT].on_wheel.force.x, 1e-9);
}

// Without --load a wheel carries what it carries at rest: (34 t + 2 x 1250 kg) g/4.
CHECK_TEST(the_load_is_the_vehicle_s)
{
    assert_int_equal(CALL("contact", VEHICLE, "-o", "load.csv", "-r", "0.001"), 0);
    CHECK_OWNED(kane_results) *r = table("load.csv");
    const int middle             = kane_results_row_count(r) / 2;
    double sum                   = 0.0;
    CHECK_OWNED(kane_contact) *c = wagon_s();
    kane_wheelset_position s;
    const double load[2] = {36500.0 * 9.81 / 4.0, 36500.0 * 9.81 / 4.0};
    assert_int_equal(kane_wheelset_position_elastic(c, 0.0, 0.0, load, &s), KANE_OK);
    sum = s.contact_point[KANE_LEFT][0].N;
    check_relative(column(r, "left.N", "N")[middle], sum, 1e-3); // of g
}

CHECK_TEST(what_is_remarkable_is_noted)
{
    assert_int_equal(CALL("contact", "-o", "contact.svg"), 0);
    assert_int_equal(access("contact.svg", R_OK), 0);
    assert_non_null(strstr(content("err"), "note: at y = 4.848 mm the left wheel touches in two places"));
    assert_non_null(strstr(content("err"), "mm contact on the left is conformal"));
    assert_non_null(strstr(content("out"), "y,z,roll,radius_difference,left.rail_y"));
    assert_int_equal(CALL("contact", "-r", "0.09", "-d", "0.01"), 0);
    assert_non_null(strstr(content("err"), "note: both wheels touch their rails from y = "));
}

CHECK_TEST(the_table_of_conicity_is_what_the_library_finds)
{
    assert_int_equal(CALL("conicity", "-o", "conicity.csv", "-o", "conicity.png", "-a", "0.006", "-d", "0.002"), 0);
    assert_int_equal(access("conicity.png", R_OK), 0);
    CHECK_OWNED(kane_results) *r       = table("conicity.csv");
    CHECK_OWNED(kane_contact) *c       = wagon_s();
    CHECK_OWNED(kane_rolling) *rolling = kane_rolling_create(c, KANE_AXLE_LEVEL, 0.016, 2e-5, 1.5, NULL);
    const char *const ways[]           = {"integration", "quadrature", "regression"};
    assert_non_null(rolling);
    assert_int_equal(kane_results_row_count(r), 3);
    for (int i = 0; i < 3; i++)
        for (int way = 0; way < KANE_CONICITY_METHODS; way++)
            check_relative(column(r, ways[way], "1")[i], kane_conicity_eval(rolling, way, 2e-3 * (i + 1)).conicity,
                           1e-12);
}

// A cone on round rails has its conicity, less what the rails' heads add: both radii of wheels of unequal size count.
CHECK_TEST(conicity_of_wheels_without_a_vehicle)
{
    assert_int_equal(CALL("conicity", "--wheel", "cone=1:20", "--rail", "round=0.3", "--gauge", "1000 mm",
                          "--flange-back", "925 mm", "--radius", "380 mm", "-e", "1.06", "-o", "cone.csv", "-d",
                          "2 mm"),
                     0);
    CHECK_OWNED(kane_results) *r = table("cone.csv");
    assert_int_equal(kane_results_row_count(r), 5);
    for (int i = 0; i < 5; i++) {
        check_relative(column(r, "quadrature", "1")[i], 0.05, 1e-6);
        check_relative(column(r, "wavelength", "m")[i], 6.283185307179586 * sqrt(1.06 * 0.38 / 0.1), 1e-6);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
