// SPDX-License-Identifier: MIT
// Quasi-static equilibrium is where a long run ends, and what statics wants; also where a run would never come to rest.

#include "stand.h"

// Largest distance between the equilibrium and the end of a run: ten times what the integrator is told to see [mm],
// [mrad].
#define QUASISTATIC 1e-7

// Largest change of coordinates but spin, in mm and mrad, from the equilibrium to the end of a run from the static
// position.
static double miss(stand *s, double duration)
{
    CHECK_OWNED(kane_simulation) *simulation = stand_go(s, NULL);
    assert_int_equal(CHECK_GOOD(kane_simulation_advance, simulation, duration), KANE_OK);
    assert_int_equal(kane_simulation_stop(simulation), KANE_STOP_NONE);
    double most = 0.0;
    for (int j = 0; j < kane_model_body_count(s->model); j++) {
        double here[6], there[6], rates[6];
        stand_place(s, j, here);
        kane_get_relative(s->model, kane_simulation_work(simulation), j, there, rates);
        for (int c = 0; c < (j == BODY ? 6 : 5); c++)
            most = fmax(most, fabs(1e3 * (here[c] - there[c])));
    }
    return most;
}

static void check_long_run(const char *const *settings, double speed, double radius, double cant, double duration)
{
    CHECK_FREED(stand) s = stand_at("wagon-transition", settings, speed, radius, cant);
    const double far     = miss(&s, duration);
    if (getenv("KANE_SHOW"))
        print_message("%g m/s, %g m, %g m: %g mm after %g s\n", speed, radius, cant, far, duration);
    check_below(far, QUASISTATIC);
}

CHECK_TEST(it_is_where_a_long_run_ends)
{
    const char *const tight[] = {TIGHT, NULL};
    check_long_run(tight, 15.0, 600.0, 0.1, 60.0);            // too much cant
    check_long_run(tight, 25.0, -600.0, 0.02, 60.0);          // too little
    check_long_run(tight, 15.0, (double)INFINITY, 0.1, 90.0); // a straight with cant
}

// Left and right exchanged.
CHECK_TEST(curves_to_both_sides_are_mirror_images)
{
    static const double sign[6] = {1.0, -1.0, 1.0, -1.0, -1.0, 1.0};
    CHECK_FREED(stand) left     = stand_at("wagon-transition", NULL, 20.0, 450.0, 0.08);
    CHECK_FREED(stand) right    = stand_at("wagon-transition", NULL, 20.0, -450.0, 0.08);
    for (int j = 0; j < 3; j++) {
        double a[6], b[6];
        stand_place(&left, j, a);
        stand_place(&right, j, b);
        for (int c = 0; c < 6; c++)
            check_near(sign[c] * b[c], a[c], 1e-12);
        for (int side = 0; side < 2 && j != BODY; side++) {
            const kane_vec3 f = stand_force(&left, j, side), m = stand_force(&right, j, 1 - side);
            check_near(m.y, -f.y, 1e-6);
            check_near(m.z, f.z, 1e-6);
        }
    }
}

// What the rails do, gravity, the change of velocity and traction, all in the axes of the guide's frame.
static kane_vec3 left_over(stand *s)
{
    kane_work *work = kane_steady_work(s->steady);
    kane_vec3 sum   = kv3(kane_get_reaction(s->model, work, BODY, KANE_X), 0.0, 0.0);
    for (int j = 0; j < 3; j++) {
        const kane_mat3 R = work->transport[s->model->bodies[j].track_frame].R;
        kane_vec3 a;
        kane_get_absolute(s->model, work, j, NULL, NULL, &a, NULL);
        sum = kv3_add_scaled(sum, s->model->bodies[j].mass, kv3_sub(work->gravity, km3_mulv(R, a)));
        for (int side = 0; side < 2 && j != BODY; side++)
            sum = kv3_add(sum, km3_mulv(work->wheels[j - LEADING].R_s[side], stand_force(s, j, side)));
    }
    return sum;
}

CHECK_TEST(forces_are_in_balance)
{
    static const double cases[][3] = {{15.0, 600.0, 0.1}, {30.0, 600.0, 0.1}, {8.0, -300.0, 0.0}, {50.0, 2000.0, 0.15}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_FREED(stand) s = stand_at("wagon-transition", NULL, cases[i][0], cases[i][1], cases[i][2]);
        check_below(kane_steady_equilibrium(s.steady)->residual, 1e-9);
        assert_true(kv3_norm(left_over(&s)) < check_tolerance(1e-4)); // of 358 kN
        // no mass is left out, and all are thrown outward: m v^2/R
        kane_vec3 a;
        kane_get_absolute(s.model, kane_steady_work(s.steady), BODY, NULL, NULL, &a, NULL);
        const double wanted = cases[i][0] * cases[i][0] / cases[i][1];
        check_relative(kv3_norm(a), fabs(wanted), 2e-3);
    }
}

// Where cant takes all the lateral acceleration away, tan(theta) = v^2/(g R), both sides carry the same: without yawed
// wheelsets (cones on a wide curve) nearly, within what the shift of contact points does.
CHECK_TEST(at_the_balance_speed_both_sides_carry_the_same)
{
    const double cant = 0.1, radius = 3000.0, theta = asin(cant / 1.5);
    const double balance = sqrt(9.81 * radius * tan(theta));
    double inner[3], outer[3];
    for (int i = 0; i < 3; i++) {
        CHECK_FREED(stand) s = stand_at("wagon-transition", NULL, balance * (0.8 + 0.2 * i), radius, cant);
        inner[i]             = stand_force(&s, LEADING, KANE_LEFT).z + stand_force(&s, TRAILING, KANE_LEFT).z;
        outer[i]             = stand_force(&s, LEADING, KANE_RIGHT).z + stand_force(&s, TRAILING, KANE_RIGHT).z;
    }
    check_relative(outer[1], inner[1], 0.02);
    assert_true(outer[0] < 0.95 * inner[0]);
    assert_true(outer[2] > 1.05 * inner[2]);
}

// From the equilibrium, moved aside a little: how much farther aside it comes to be.
static double growth(stand *s, double duration)
{
    double y[64], most = 0.0;
    CHECK_ERRORS errors = {0};
    const int at        = s->model->bodies[LEADING].q + KANE_Y;
    assert_true(s->model->state_count <= 64);
    memcpy(y, kane_steady_state(s->steady), (size_t)s->model->state_count * sizeof *y);
    const double rest                        = y[at];
    y[at]                                    = rest + 1e-5;
    CHECK_OWNED(kane_simulation) *simulation = stand_go(s, y);
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(kane_simulation_advance(simulation, 0.5 * duration * (1.0 + i / 20.0), &errors), KANE_OK);
        most = fmax(most, fabs(kane_simulation_state(simulation)[at] - rest));
    }
    return most / 1e-5;
}

CHECK_TEST(it_is_found_where_the_vehicle_hunts)
{
    static const double speeds[] = {60.0, 80.0}; // with axle boxes that let wheelsets yaw
    const char *const soft[] = {"vehicle.patterns.axlebox.stiffness=[\"0.3 MN/m\", \"0.3 MN/m\", \"1.2 MN/m\"]", NULL};
    for (int i = 0; i < 2; i++) {
        const double radius  = i == 0 ? (double)INFINITY : 6000.0;
        CHECK_FREED(stand) s = stand_at("wagon-transition", soft, speeds[i], radius, i == 0 ? 0.0 : 0.12);
        if (getenv("KANE_SHOW"))
            print_message("%g m/s: %g after 3 s\n", speeds[i], growth(&s, 3.0));
        check_below(kane_steady_equilibrium(s.steady)->residual, 1e-9);
        assert_true(growth(&s, 3.0) > 30.0);
    }
}

// Too fast for the curve: it would tip over, or climb.
CHECK_TEST(where_there_is_none_it_is_told)
{
    CHECK_FREED(stand) s = stand_try("wagon-transition", NULL, 45.0, 300.0, 0.0);
    assert_null(s.steady);
    assert_int_equal(s.errors.count, 1);
    assert_int_equal(kane_errors_get(&s.errors, 0)->status, KANE_NOT_SOLVED);
    char text[1200];
    (void)kane_error_format(kane_errors_get(&s.errors, 0), sizeof text, text);
    assert_non_null(strstr(text, "no equilibrium at 45 m/s on a curve of radius 300 m with a cant of 0 m: "));
}

CHECK_MAIN(NULL, NULL)
