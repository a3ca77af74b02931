// SPDX-License-Identifier: MIT
// The oracle of tests/oracle, by itself: closed forms, statics, energy, order of convergence. Of libkane nothing but
// its solution of Hertz is looked at.

#include "reference/wagon/both.h"

static plain_line line;
static plain_wagon wagon;

// Straight, transition, curve; no wagon.
static void lay(plain_shape shape, plain_cant_axis axis, double curvature, double cant, double length)
{
    const plain_section sections[] = {
        {.length = BOTH_STRAIGHT},
        {length, {0.0, curvature}, {0.0, cant}, shape},
        {300.0, {curvature, curvature}, {cant, cant}, PLAIN_CLOTHOID},
    };
    const plain_line_definition d = {.section_count    = 3,
                                     .sections         = sections,
                                     .cant_axis        = axis,
                                     .running_distance = both_spacing,
                                     .rail_distance    = 0.76,
                                     .head_radius      = both_head};
    plain_line_init(&line, &d);
}

static plain_wagon_definition numbers(const journey *j)
{
    plain_wagon_definition n = both_numbers(j);
    n.line                   = &line;
    return n;
}

// --- the line ---

// Fresnel's integrals as power series:  x + i y = sum of (i A^2/2)^n L^(2n+1)/(n! (2n+1)) with the parameter A^2 = k/L.
CHECK_TEST(a_clothoid_ends_where_fresnel_says)
{
    const double k = 1.0 / 300.0, L = 80.0;
    double x = 0.0, y = 0.0, term = L;
    plain_vec d[4];
    lay(PLAIN_CLOTHOID, PLAIN_CENTRE_LINE, k, 0.0, L);
    for (int n = 0; n < 20; n++) {
        const double part = term / (2 * n + 1) * (n % 4 < 2 ? 1.0 : -1.0);
        *(n % 2 ? &y : &x) += part;
        term *= 0.5 * k * L / (n + 1);
    }
    plain_line_at(&line, 1, PLAIN_CENTRE, BOTH_STRAIGHT + L, d);
    check_near(d[0].x, BOTH_STRAIGHT + x, 1e-11);
    check_near(d[0].y, y, 1e-11);
    check_near(atan2(d[1].y, d[1].x), 0.5 * k * L, 1e-12);
    check_near(plain_dot(d[1], d[1]), 1.0, 1e-12);
    check_near(sqrt(plain_dot(d[2], d[2])), k, 1e-10);
}

// Each shape turns by half of what the curve would, and the arc behind it is one.
CHECK_TEST(heading_and_arc)
{
    const double k = -1.0 / 400.0, L = 60.0;
    for (int shape = 0; shape < 2; shape++) {
        plain_vec at[4], there[4];
        lay((plain_shape)shape, PLAIN_CENTRE_LINE, k, -0.1, L);
        plain_line_at(&line, 2, PLAIN_CENTRE, BOTH_STRAIGHT + L, at);
        check_near(atan2(at[1].y, at[1].x), 0.5 * k * L, 1e-12);
        plain_line_at(&line, 2, PLAIN_CENTRE, BOTH_STRAIGHT + L + 200.0, there);
        const plain_vec chord = plain_sub(there[0], at[0]);
        check_near(sqrt(plain_dot(chord, chord)), fabs(2.0 / k * sin(100.0 * k)), 1e-11);
        check_near(there[0].z, 0.0, 0.0);
    }
}

// Halfway through the transition half of the cant is there: the right rail is higher in a curve to the left. About the
// inner rail its running point, 2b/2 from the middle, stays where it is.
CHECK_TEST(cant_lifts_the_outer_rail)
{
    const double u = 0.12, L = 60.0;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int shape = 0; shape < 2; shape++) {
            for (double part = 0.5; part <= 1.0; part += 0.5) {
                plain_vec origin, e[3];
                lay((plain_shape)shape, PLAIN_INNER_RAIL, sign / 500.0, sign * u, L);
                plain_line_axes(&line, 1, BOTH_STRAIGHT + part * L, &origin, e);
                const double lift = 0.5 * both_spacing * e[1].z; // of the left running point over the middle
                check_near(origin.z, 0.5 * part * u, 1e-12);
                // across the line y is not level where the line climbs: cos(beta)
                const double climb = sqrt(1.0 - e[0].z * e[0].z);
                check_near(lift / climb, -0.5 * sign * part * u, 1e-12);
            }
        }
}

// --- wheel and rail ---

// A cone that stands on two circles: where a line of slope l touches a circle.
CHECK_TEST(a_wheelset_stands_where_lines_touch_circles)
{
    const journey j = {.speed = 10.0};
    lay(PLAIN_BLOSS, PLAIN_CENTRE_LINE, 0.0, 0.0, 10.0);
    const plain_wagon_definition n = numbers(&j);
    plain_wagon_start(&wagon, &n);
    const double l = n.conicity, secant = sqrt(1.0 + l * l), d = wagon.contact[0][0].approach;
    const double height = n.radius - l * (0.76 - n.wheel_side) + (both_head - d) * secant - both_head;
    check_near(wagon.rest[PLAIN_LEADING], height, 1e-14);
    // on the head's inner side, where it is as steep as the cone; to the approach on the wheel
    check_near(wagon.contact[0][0].point.y, 0.76 - (both_head - d) * l / secant, 1e-12);
    check_near(wagon.contact[0][1].point.y, -wagon.contact[0][0].point.y, 1e-14);
}

// Spheres: N = 4/3 E* sqrt(R) d^3/2. Cylinders that are crossed are the same. A table of ellipses (K. L. Johnson,
// Contact Mechanics, 4.2): b/a = (A/B)^(2/3) nearly.
CHECK_TEST(hertz)
{
    const double E = 1.1e11;
    check_relative(plain_hertz(0.5 / 0.3, 0.5 / 0.3, E), 4.0 / 3.0 * E * sqrt(0.3), 1e-9);
    check_relative(plain_hertz(1.1, 7.0, E), plain_hertz(7.0, 1.1, E), 1e-14);
    // libkane's, by other integrals: the approach under a load
    for (double B = 0.2; B < 60.0; B *= 1.7) {
        const double N = 8e4, approach = cbrt(N / plain_hertz(1.1, B, E) * (N / plain_hertz(1.1, B, E)));
        check_relative(approach, kane_hertz_eval(1.1, B, E, N).approach, 1e-9);
    }
}

// --- the wagon ---

CHECK_TEST(on_the_straight_nothing_happens)
{
    const journey j = {.speed = 20.0, .is_driven = 1};
    lay(PLAIN_BLOSS, PLAIN_CENTRE_LINE, 0.0, 0.0, 10.0);
    const plain_wagon_definition n = numbers(&j);
    plain_wagon_start(&wagon, &n);
    const double quarter = 0.25 * 9.81 * (n.mass[0] + 2.0 * n.mass[1]);
    plain_wagon_go(&wagon, 1e-4, 40000);
    for (int axle = 0; axle < 2; axle++)
        for (int side = 0; side < 2; side++)
            check_near(wagon.contact[axle][side].Q, quarter, 1.0);
    for (int body = 0; body < PLAIN_BODIES; body++) {
        double q[6];
        plain_wagon_relative(&wagon, body, 0, BOTH_START, q);
        check_near(q[1], 0.0, 1e-12);
        check_near(q[2], wagon.rest[body], 1e-7);
        check_near(q[3], 0.0, 1e-12);
        check_near(q[4], 0.0, 1e-12);
    }
    // it has rolled at its speed less what spin on the cones costs: some 10 N
    check_near(wagon.body[PLAIN_CAR].r.x, BOTH_START + 4.0 * 20.0, 0.02);
}

// What is put in is where it went: kinetic, potential, elastic energy and heat. With creep, dampers and brakes or
// pulled.
CHECK_TEST(energy_is_balanced)
{
    static const double rises[2] = {0.0, 1.0}, pulls[2] = {0.0, 30e3}, brakes[2] = {0.0, 8e3};
    for (int i = 0; i < 4; i++) {
        journey j = {.speed = 16.0, .is_driven = i < 2, .acceleration = 1.0};
        if (i == 0)
            j.force = (plain_course){2, rises, pulls};
        if (i == 1)
            j.brake = (plain_course){2, rises, brakes};
        lay(PLAIN_BLOSS, i == 2 ? PLAIN_CENTRE_LINE : PLAIN_INNER_RAIL, 1.0 / 600.0, 0.1, 50.0);
        const plain_wagon_definition n = numbers(&j);
        plain_wagon_start(&wagon, &n);
        const plain_energy a = plain_wagon_energy(&wagon);
        plain_wagon_go(&wagon, 1e-4, 50000);
        const plain_energy b = plain_wagon_energy(&wagon);
        const double gained =
            b.kinetic + b.gravity + b.springs + b.contacts - a.kinetic - a.gravity - a.springs - a.contacts;
        assert_true(fabs(b.supplied) > 5e5 && b.damped > 1.0 && b.slipped > 1e3);
        assert_true(fabs(b.gravity - a.gravity) > 10.0);
        check_near(gained - b.supplied + b.damped + b.slipped, 0.0, 0.02); // of 2 MJ
    }
}

// Nothing dissipates, nothing drives: what is there stays.
CHECK_TEST(energy_is_kept)
{
    journey j = {.speed = 14.0, .is_driven = 1};
    for (int shape = 0; shape < 2; shape++) {
        lay((plain_shape)shape, PLAIN_INNER_RAIL, 1.0 / 600.0, 0.1, 50.0);
        plain_wagon_definition n = numbers(&j);
        n.damping                = (plain_vec){0.0, 0.0, 0.0};
        n.dissipation            = 0.0;
        n.creep.friction         = 0.0;
        plain_wagon_start(&wagon, &n);
        const plain_energy a = plain_wagon_energy(&wagon);
        plain_wagon_go(&wagon, shape == PLAIN_CLOTHOID ? 2e-5 : 1e-4, shape == PLAIN_CLOTHOID ? 150000 : 30000);
        const plain_energy b = plain_wagon_energy(&wagon);
        assert_true(b.gravity - a.gravity > 1e3);
        check_near(b.kinetic + b.gravity + b.springs + b.contacts - a.kinetic - a.gravity - a.springs - a.contacts, 0.0,
                   0.01); // of 3.6 MJ
    }
}

// In a steady curve all turns about one vertical axis with w = v/R: what the rails give is, with gravity, the rate of
// momentum w x (m v) and of angular momentum w x L of the bodies where they have come to be.
CHECK_TEST(a_steady_curve_is_statics)
{
    const double R = 500.0, u = 0.1, way = 280.0;
    const journey j   = {.speed = 20.0};
    const plain_vec w = {0.0, 0.0, j.speed / R};
    plain_vec origin, e[3], F = {0}, T = {0}, wanted_F = {0}, wanted_T = {0};
    lay(PLAIN_BLOSS, PLAIN_CENTRE_LINE, 1.0 / R, u, 60.0);
    const plain_wagon_definition n = numbers(&j);
    plain_wagon_start(&wagon, &n);
    plain_wagon_go(&wagon, 1e-4, (int)lround(1e4 * way / j.speed));
    plain_line_axes(&line, 2, n.start + way, &origin, e);
    const plain_vec left = plain_unit((plain_vec){-e[0].y, e[0].x, 0.0});
    const plain_vec axis = plain_add(origin, plain_scale(R, left));
    for (int body = 0; body < PLAIN_BODIES; body++) {
        const plain_body *b   = &wagon.body[body];
        const double m        = n.mass[body > 0];
        const plain_vec v     = plain_cross(w, plain_sub(b->r, axis));
        const plain_vec force = plain_add(plain_scale(m, plain_cross(w, v)), (plain_vec){0.0, 0.0, m * n.gravity});
        check_near(plain_dot(b->v, e[0]), plain_dot(v, e[0]), 1e-4); // it has become steady
        wanted_F = plain_add(wanted_F, force);
        wanted_T = plain_add(wanted_T, plain_cross(plain_sub(b->r, origin), force));
        if (body != PLAIN_CAR) // rolls about its axle
            wanted_T = plain_add(wanted_T, plain_cross(w, plain_scale(n.inertia[1].y * b->w.y, left)));
    }
    for (int axle = 0; axle < 2; axle++)
        for (int side = 0; side < 2; side++) {
            const plain_contact *k = &wagon.contact[axle][side];
            F                      = plain_add(F, k->force);
            T                      = plain_add(T, plain_cross(plain_sub(k->point, origin), k->force));
        }
    const double sine          = u / both_spacing;
    const double uncompensated = 36.5e3 * (j.speed * j.speed / R * sqrt(1.0 - sine * sine) - 9.81 * sine);
    check_near(plain_dot(F, e[1]), uncompensated, 0.005 * uncompensated);
    check_near(plain_dot(F, e[1]), plain_dot(wanted_F, e[1]), 2.0);
    check_near(plain_dot(F, e[2]), plain_dot(wanted_F, e[2]), 2.0);
    check_near(plain_dot(T, e[0]), plain_dot(wanted_T, e[0]), 5.0);
    assert_true(plain_dot(wanted_T, e[0]) < -4e3);
}

// Left and right.
CHECK_TEST(a_curve_to_the_right_is_the_mirror_image)
{
    double q[2][PLAIN_BODIES][6], Q[2][2][2];
    const journey j = {.speed = 18.0};
    for (int i = 0; i < 2; i++) {
        lay(PLAIN_BLOSS, PLAIN_INNER_RAIL, i ? -1.0 / 600.0 : 1.0 / 600.0, i ? -0.1 : 0.1, 50.0);
        const plain_wagon_definition n = numbers(&j);
        plain_wagon_start(&wagon, &n);
        plain_wagon_go(&wagon, 1e-4, 30000);
        for (int body = 0; body < PLAIN_BODIES; body++)
            plain_wagon_relative(&wagon, body, 1, plain_wagon_place(&wagon, body), q[i][body]);
        for (int axle = 0; axle < 2; axle++)
            for (int side = 0; side < 2; side++)
                Q[i][axle][side] = wagon.contact[axle][i ? 1 - side : side].Q;
    }
    for (int body = 0; body < PLAIN_BODIES; body++) {
        static const double sign[6] = {1.0, -1.0, 1.0, -1.0, -1.0, 1.0};
        for (int k = 0; k < 5; k++)
            check_near(q[0][body][k], sign[k] * q[1][body][k], 1e-9);
    }
    for (int wheel = 0; wheel < 4; wheel++)
        check_near(Q[0][wheel / 2][wheel % 2], Q[1][wheel / 2][wheel % 2], 0.1);
}

// Fourth order where nothing has a kink.
CHECK_TEST(errors_fall_with_the_fourth_power_of_the_step)
{
    double y[3];
    const journey j = {.speed = 18.0};
    lay(PLAIN_BLOSS, PLAIN_CENTRE_LINE, 1.0 / 600.0, 0.1, 50.0);
    const plain_wagon_definition n = numbers(&j);
    for (int i = 0; i < 3; i++) {
        const int steps = 10000 << i;
        plain_wagon_start(&wagon, &n);
        plain_wagon_go(&wagon, 3.0 / steps, steps);
        y[i] = wagon.body[PLAIN_LEADING].r.y;
    }
    const double ratio = (y[0] - y[1]) / (y[1] - y[2]);
    assert_true(ratio > 10.0 && ratio < 30.0);
    check_near(y[1], y[2], 1e-8);
}

CHECK_MAIN(NULL, NULL)
