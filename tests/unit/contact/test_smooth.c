// SPDX-License-Identifier: MIT
// How smooth the overlap law is: a jump stays when the step of a sweep shrinks, everything else does not.

#include "unit/contact/sweep.h"

// The largest second difference of each row of the wrench on a straight way through the poses, in n steps.
static void second_differences(const kane_contact *c, const rig_pose *from, const rig_pose *to, int n,
                               double largest[6])
{
    double rows[3][6] = {{0.0}};
    for (int k = 0; k < 6; k++)
        largest[k] = 0.0;
    for (int i = 0; i <= n; i++) {
        const rig_pose p            = on_the_way(from, to, (double)i / n);
        kane_wheel_motion m         = rig_motion(c, 0.46, KANE_LEFT, p, 20.0, 20.0 / 0.4598);
        m.velocity.y                = 0.01;
        const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
        memcpy(rows[0], rows[1], sizeof rows[0]);
        memcpy(rows[1], rows[2], sizeof rows[1]);
        memcpy(rows[2], &r.on_wheel, sizeof rows[2]);
        for (int k = 0; i > 1 && k < 6; k++)
            largest[k] = fmax(largest[k], fabs(rows[2][k] - 2.0 * rows[1][k] + rows[0][k]));
    }
}

// What remains of the second differences for steps toward zero, if they are a jump and a part in proportion to the
// step.
static void jumps(const kane_contact *c, const rig_pose *from, const rig_pose *to, double jump[6])
{
    double coarse[6], fine[6];
    second_differences(c, from, to, 400, coarse);
    second_differences(c, from, to, 1600, fine);
    for (int k = 0; k < 6; k++)
        jump[k] = fmax(0.0, (4.0 * fine[k] - coarse[k]) / 3.0);
}

// From the field side over the tread and the two-point contact to the flange, load by load, at four angles of yaw. On
// each half millimetre the wheel is held at a height that keeps its load at both ends. force, torque [N], [N m]: what
// may seem to jump in steps of 1/1600.
static void sweep(int variable, double load, double force, double torque)
{
    static const double yaws[4]  = {0.0, 5e-3, 20e-3, 45e-3};
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    double worst = 0.0, worst_true = 0.0;
    for (int k = 0; k < 4; k++)
        for (double y = -6e-3; y < 8.6e-3; y += 0.5e-3) {
            rig_pose from = {y, 0.0, 0.0, yaws[k]}, to;
            sweep_ends(c, variable, load, &from, &to);
            const double stays = true_jump(c, &from, &to);
            worst_true         = fmax(worst_true, stays);
            if (stays > check_tolerance(2e-7 * load))
                fail_msg("y %g mm, yaw %g mrad: the vertical force jumps by %g N", 1e3 * y, 1e3 * yaws[k], stays);
            double jump[6];
            jumps(c, &from, &to, jump);
            for (int i = 0; i < 3; i++) {
                worst = fmax(worst, jump[i]);
                if (jump[i] > check_tolerance(force) || jump[i + 3] > check_tolerance(torque))
                    fail_msg("y %g mm, yaw %g mrad, row %d: force jumps by %g N, torque by %g N m", 1e3 * y,
                             1e3 * yaws[k], i, jump[i], jump[i + 3]);
            }
        }
    check_figure(worst_true / load, "%g kN: jump", 1e-3 * load);
    check_figure(worst_true, "%g kN: jump [N]", 1e-3 * load);
    print_message("%g kN: the vertical force jumps by %.1e of the load at most, unresolved in 1600 steps: %.1e\n",
                  1e-3 * load, worst_true / load, worst / load);
}

CHECK_TEST(nothing_jumps_with_lateral_displacement)
{
    sweep(Y, 1e4, 1.0, 0.5);
    sweep(Y, 6e4, 1.0, 0.5);
}

CHECK_TEST(nothing_jumps_with_height)
{
    sweep(Z, 1e4, 1.0, 0.5);
    sweep(Z, 6e4, 1.0, 0.5);
}

CHECK_TEST(nothing_jumps_with_roll)
{
    sweep(ROLL, 1e4, 1.0, 0.5);
    sweep(ROLL, 6e4, 1.0, 0.5);
}

CHECK_TEST(nothing_jumps_with_yaw)
{
    sweep(YAW, 1e4, 1.0, 0.5);
    sweep(YAW, 6e4, 1.0, 0.5);
}

// A wheel in a tight curve, heavily loaded: a narrow lobe on the flange's face beside the one in its root. For the
// coarse nodes of the search it is often no more than a slope that lets up.
CHECK_TEST(nothing_jumps_where_a_lobe_is_narrower_than_the_nodes)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    double worst                 = 0.0;
    for (double load = 3.4e4; load < 1e5; load *= 1.7)
        for (double yaw = 7.5e-3; yaw < 18e-3; yaw += 2.5e-3)
            for (double y = 5.5e-3; y < 7.2e-3; y += 0.5e-3)
                for (int variable = Y; variable <= YAW; variable++) {
                    rig_pose from = {y, 0.0, 0.0, yaw}, to;
                    sweep_ends(c, variable, load, &from, &to);
                    worst = fmax(worst, true_jump(c, &from, &to) / load);
                }
    print_message("in a tight curve: the vertical force jumps by %.1e of the load at most\n", worst);
    check_below(worst, 2e-7);
}

// Lifted off the rail from 10 kN: the forces go to zero without a jump, as (depth)^3/2, never pull, never exceed
// friction, and stay zero.
CHECK_TEST(a_lifted_wheel_lets_go_smoothly)
{
    static const rig_pose places[] = {{-4e-3, 0, 0, 0.01}, {0, 0, 0, 0},        {3e-3, 0, 0, -0.005},
                                      {5e-3, 0, 0, 0.002}, {7e-3, 0, 0, 0.012}, {6e-3, 0, 0, 0.05}};
    CHECK_OWNED(kane_contact) *c   = rig_create(kane_contact_definition_default());
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        rig_pose from = places[k], to;
        double jump[6];
        from.z = rig_height(c, 0.46, KANE_LEFT, from, 1e4);
        to     = from;
        to.z   = rig_height(c, 0.46, KANE_LEFT, to, 1e-7) + 5e-6;
        jumps(c, &from, &to, jump);
        for (int i = 0; i < 6; i++)
            check_near(jump[i], 0.0, 10.0);

        double before = 1e300, last = 0.0, lift = from.z;
        for (int i = 0; i <= 3000; i++) {
            from.z                      = lift + (to.z - lift) * i / 3000.0;
            kane_wheel_motion m         = rig_motion(c, 0.46, KANE_LEFT, from, 20.0, 20.0 / 0.4598);
            m.velocity                  = kv3(20.0, 0.01, 0.3);
            const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
            const double N              = rig_normal(&r);
            assert_true(isfinite(N) && N >= 0.0 && N <= before);
            for (int j = 0; j < r.patch_count; j++)
                assert_true(hypot(r.patch[j].T_x, r.patch[j].T_y) <= 0.3 * r.patch[j].N * (1.0 + 1e-12));
            if (r.patch_count == 0)
                check_vec3(r.on_wheel.force, kv3_zero(), 0.0);
            last   = N > 0.0 ? N : last;
            before = N;
        }
        assert_true(before <= 0.0 && last < 5.0); // the last of 3000 steps before it is free
    }
}

// A wheelset under a constant load of both wheels, shifted from the middle to the flange: at each place there is an
// equilibrium of height and roll, and it moves without jumps.
CHECK_TEST(equilibrium_moves_without_jumps)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    rig_pose p                   = rig_place(c, 0.46, 0.0, 0.0, 1e4);
    double z[3] = {0.0}, worst = 0.0;
    for (int i = 0; i <= 800; i++) {
        p.y = 1e-5 * i;
        // Newton in height and roll for 10 kN upward on each wheel
        double residual = 1.0;
        for (int iteration = 0; iteration < 50 && residual > 1e-6; iteration++) {
            double N[2], by_z[2], by_roll[2];
            for (int k = 0; k < 2; k++) {
                const kane_side side      = k ? KANE_RIGHT : KANE_LEFT;
                const kane_wheel_motion m = rig_motion(c, 0.46, side, p, 0.0, 0.0);
                double d[6][12];
                const kane_contact_result r = rig_eval(c, side, &m);
                assert_int_equal(kane_contact_derive(c, side, &m, d), KANE_OK);
                const kane_vec3 lever = kv3_scale(rig_outside(side) * 0.75, m.axle),
                                shift = kv3_cross(kv3(1.0, 0.0, 0.0), lever);
                N[k]                  = r.on_wheel.force.z;
                by_z[k]               = d[2][2];
                by_roll[k]            = d[2][3] + d[2][1] * shift.y + d[2][2] * shift.z;
            }
            const double f = 1e4 - N[0], g = 1e4 - N[1], det = by_z[0] * by_roll[1] - by_z[1] * by_roll[0];
            residual  = fabs(f) + fabs(g);
            double dz = (f * by_roll[1] - g * by_roll[0]) / det, droll = (g * by_z[0] - f * by_z[1]) / det;
            const double limit = 2e-5 / fmax(2e-5, fabs(dz) + fabs(droll));
            p.z += limit * dz;
            p.roll += limit * droll;
        }
        if (!(residual < 1e-5))
            fail_msg("no equilibrium at y = %g mm", 1e3 * p.y);
        z[0] = z[1];
        z[1] = z[2];
        z[2] = p.z;
        if (i > 1)
            worst = fmax(worst, fabs(z[2] - 2.0 * z[1] + z[0]));
    }
    check_near(worst, 0.0, 4e-5); // the height has a corner where the load passes to the flange: slope 0 to 3
}

CHECK_MAIN(NULL, NULL)
