// SPDX-License-Identifier: MIT
// What vehicles/cooperrider.md says: static loads, and the linear critical speeds of vehicle and bogie; the bogie also
// against seven linear equations written down by hand.

#include "property/wagon/linear.h"

#include "math/dense.h"

enum { FREEDOMS = 7, STATES = 2 * FREEDOMS };
enum { Y1, YAW1, Y2, YAW2, Y, YAW, ROLL };

static const double pi = 3.14159265358979323846;

// Forces on wheelset `y`, `yaw` by its rails: creep coefficients times creepages [N], and their moment.
typedef struct creep_coefficients {
    double x, y; // force over creepage, of one wheel [N]
} creep_coefficients;

static void creep(creep_coefficients c, double V, double y, double yaw, double y_rate, double yaw_rate, double *force,
                  double *moment)
{
    const double half_gauge = 0.75, conicity = 0.05, radius = 0.425;
    *force  = -2.0 * c.y * (y_rate / V - yaw);
    *moment = -2.0 * half_gauge * c.x * (half_gauge * yaw_rate / V + conicity * y / radius);
}

// Accelerations of the bogie: wheelsets across and in yaw, frame across, in yaw and roll (Cooperrider's equations).
static void accelerate(creep_coefficients c, double V, const double *q, const double *v, double *a)
{
    const double b = 1.074, d1 = 0.62, d2 = 0.68, h1 = 0.0762, h2 = 0.6584;
    const double lateral = 2.0 * 1.823e6, along = 2.0 * 3.646e6 * d1 * d1, roll = 4.0 * 3.646e6 * d1 * d1;
    const double A1 = lateral * (q[Y1] - q[Y] - b * q[YAW] - h1 * q[ROLL]);
    const double A2 = lateral * (q[Y2] - q[Y] + b * q[YAW] - h1 * q[ROLL]);
    const double T1 = along * (q[YAW1] - q[YAW]), T2 = along * (q[YAW2] - q[YAW]);
    const double top  = 2.0 * 182.3e3 * (q[Y] - h2 * q[ROLL]) + 2.0 * 29.2e3 * (v[Y] - h2 * v[ROLL]);
    const double lean = (2.0 * 333.3e3 * d2 * d2 + roll) * q[ROLL] + 2.0 * 20e3 * d2 * d2 * v[ROLL];
    double F1, F2, M1, M2;
    creep(c, V, q[Y1], q[YAW1], v[Y1], v[YAW1], &F1, &M1);
    creep(c, V, q[Y2], q[YAW2], v[Y2], v[YAW2], &F2, &M2);
    a[Y1]   = (F1 - A1) / 1022.0;
    a[YAW1] = (M1 - T1) / 678.0;
    a[Y2]   = (F2 - A2) / 1022.0;
    a[YAW2] = (M2 - T2) / 678.0;
    a[Y]    = (A1 + A2 - top) / 2918.0;
    a[YAW]  = (b * (A1 - A2) + T1 + T2 - 2.71e6 * q[YAW]) / 6780.0;
    a[ROLL] = (h1 * (A1 + A2) + h2 * top - lean) / 6780.0;
}

static double growth_by_hand(creep_coefficients c, double V)
{
    double A[STATES * STATES], re[STATES], im[STATES], vectors[STATES * STATES], scratch[STATES], most = -1e9;
    for (int j = 0; j < STATES; j++) {
        double x[STATES] = {0.0}, a[FREEDOMS];
        x[j]             = 1.0;
        accelerate(c, V, x, x + FREEDOMS, a);
        for (int i = 0; i < FREEDOMS; i++) {
            A[j * STATES + i]            = x[FREEDOMS + i];
            A[j * STATES + FREEDOMS + i] = a[i];
        }
    }
    assert_int_equal(kane_eigen_solve(STATES, A, re, im, vectors, NULL, scratch), 0);
    for (int i = 0; i < STATES; i++)
        most = fmax(most, re[i]);
    return most;
}

CHECK_TEST(static_loads_are_those_of_the_page)
{
    static const char *const runs[] = {"cooperrider-straight", "cooperrider-bogie"};
    double wheel;
    page_row("cooperrider", "wheel on rail", 1, &wheel);
    check_relative(wheel, (44388.0 + 2.0 * 2918.9 + 4.0 * 1022.0) * 9.81 / 8.0, 1e-9);
    for (int i = 0; i < 2; i++) {
        double load[2];
        CHECK_FREED(wagon) w = wagon_read(runs[i], NULL);
        const int first      = i ? 1 : 3;
        wagon_start(&w);
        for (int j = first; j < first + (i ? 2 : 4); j++) {
            assert_int_equal(kane_model_wheel_load(w.model, j, load), KANE_OK);
            check_relative(load[KANE_LEFT], wheel, 1e-6); // the bogie's springs are given to 1e-2 N
            check_relative(load[KANE_RIGHT], wheel, 1e-6);
        }
    }
}

CHECK_TEST(modes_of_the_vehicle_are_those_of_the_page)
{
    static const char *const modes[] = {"lower sway", "upper sway", "bounce", "pitch"};
    double re[LINEAR_STATES_MOST], im[LINEAR_STATES_MOST];
    CHECK_FREED(wagon) w = wagon_open("cooperrider-straight", NULL);
    const int n          = linear_eigenvalues(&w, re, im);
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        double row[2];
        page_row("cooperrider", modes[k], 2, row);
        if (!linear_has_mode(n, re, im, row[0], row[1]))
            fail_msg("%s: no eigenvalue of %g Hz and damping ratio %g", modes[k], row[0], row[1]);
    }
    for (int i = 0; i < n; i++)
        check_below(re[i], 1e-6); // upright, among others
}

// The car's sway over bogies that do not move: y at the lateral springs, and roll, which the weight on its upright
// springs eases.
CHECK_TEST(the_car_sways_as_by_hand)
{
    const double m = 44388.0, I = 2.8e5, high = 2.0596 - 1.1596, over = 2.0596 - 1.45, half = 0.68;
    const double lateral = 4.0 * 182.3e3, roll = 4.0 * 333.3e3 * half * half - m * 9.81 * over;
    const double a = m * I, b = lateral * (I + m * high * high) + m * roll, c = lateral * roll;
    const double hand = sqrt((b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a)) / (2.0 * pi);
    double row[2];
    page_row("cooperrider", "lower sway", 2, row);
    check_near(hand, 0.167, 5e-4);
    check_relative(row[0], hand, 0.1); // bogies roll a little, too
    assert_true(row[0] < hand);
}

CHECK_TEST(linear_critical_speeds_are_those_of_the_page)
{
    linear_check_critical("cooperrider", "bogie, libkane", "cooperrider-bogie", NULL);
    linear_check_critical("cooperrider", "vehicle, libkane", "cooperrider-straight", NULL);
}

static double critical_by_hand(creep_coefficients c)
{
    double low = 40.0, high = 90.0;
    assert_true(growth_by_hand(c, low) < 0.0 && growth_by_hand(c, high) > 0.0);
    for (int i = 0; i < 50; i++) {
        const double middle                               = 0.5 * (low + high);
        *(growth_by_hand(c, middle) > 0.0 ? &high : &low) = middle;
    }
    return low;
}

// With the creep of the literature seven equations give the published speed, with Kalker's what libkane gives.
CHECK_TEST(seven_equations_explain_the_difference)
{
    const double G = 80.8e9, literature = G * pi * 6.578e-3 * 3.934e-3;
    double published, ours, by_literature, by_kalker, lift;
    page_row("cooperrider", "bogie, libkane", 1, &ours);
    page_row("cooperrider", "bogie, published", 1, &published);
    page_row("cooperrider", "bogie, seven equations, creep of the literature", 1, &by_literature);
    page_row("cooperrider", "bogie, seven equations, Kalker's creep", 1, &by_kalker);
    const double with_literature = critical_by_hand((creep_coefficients){literature / 0.60252, literature / 0.54219});
    check_relative(with_literature, by_literature, 1e-3);
    check_relative(with_literature, published, 1e-2);

    CHECK_FREED(wagon) w = wagon_open("cooperrider-bogie", NULL);
    const kane_patch patch =
        kane_get_contact(w.model, kane_simulation_work(w.simulation), 1, KANE_LEFT, &lift)->patch[0];
    const kane_kalker C      = kane_kalker_eval(patch.a, patch.b, 0.27);
    const double scale       = G * patch.a * patch.b;
    const double with_kalker = critical_by_hand((creep_coefficients){scale * C.C11, scale * C.C22});
    check_relative(with_kalker, by_kalker, 1e-3);
    check_relative(ours, with_kalker,
                   2e-2); // spin, gravity on the cones and the contact's stiffness are left out by hand
}

CHECK_MAIN(NULL, NULL)
