// SPDX-License-Identifier: MIT
// A worn wheel, measured after a high mileage, on a new rail: sweeps as those of unit.contact.smooth. The profile lies
// beside the source tree (see `file`), where those keep it who work on this law.

#include "unit/contact/sweep.h"

static const char *const file = KANE_SOURCE_DIR "/../shared/reference/profiles/worn_high_mileage.prw";

// The running circle in the file's axes, 70 mm from the back of the flange.
static const double circle = 76.2e-3;

// The points as they are, or smoothed.
static kane_contact *create_or_skip(double smoothing)
{
    FILE *found = fopen(file, "r");
    if (!found)
        check_skip("there is no %s", file);
    (void)fclose(found);
    const kane_profile_options how   = {.kind = KANE_PROFILE_WHEEL, .origin = circle, .smoothing = smoothing};
    CHECK_OWNED(kane_profile) *wheel = kane_profile_read(file, &how, NULL);
    kane_contact_definition d        = kane_contact_definition_default();
    assert_non_null(wheel);
    d.wheel[0]      = wheel;
    kane_contact *c = rig_create(d);
    return c;
}

// The largest jump of the vertical force in parts of the load.
static double worst_of(const kane_contact *c, double load)
{
    static const double yaws[3] = {0.0, 5e-3, 20e-3};
    double worst                = 0.0;
    for (int variable = Y; variable <= YAW; variable++)
        for (int k = 0; k < 3; k++)
            for (int i = -12; i <= 16; i++) {
                rig_pose from = {0.5e-3 * i, 0.0, 0.0, yaws[k]}, to;
                sweep_ends(c, variable, load, &from, &to);
                worst = fmax(worst, true_jump(c, &from, &to) / load);
            }
    return worst;
}

CHECK_TEST(the_points_as_measured)
{
    CHECK_OWNED(kane_contact) *c = create_or_skip(0.0);
    const double few = worst_of(c, 1e4), many = worst_of(c, 6e4);
    print_message("as measured: jumps of %.1e of the load at 10 kN, %.1e at 60 kN\n", few, many);
    check_near(few, 0.0, 1e-4);
    check_near(many, 0.0, 1e-5);
}

// Of its waves two maxima lie a millimetre apart: nodes must be closer, or the one is found or the other.
CHECK_TEST(smoothed_points)
{
    CHECK_OWNED(kane_contact) *c = create_or_skip(1e-5);
    const double few = worst_of(c, 1e4), many = worst_of(c, 6e4);
    print_message("smoothed by 10 um: jumps of %.1e of the load at 10 kN, %.1e at 60 kN\n", few, many);
    check_near(few, 0.0, 1e-5);
    check_near(many, 0.0, 1e-5);
}

// Random poses on both sides.
CHECK_TEST(random_poses_are_finite)
{
    CHECK_OWNED(kane_contact) *c = create_or_skip(0.0);
    unsigned long long seed      = 4;
    int touching                 = 0;
    for (int i = 0; i < 100000; i++) {
        const rig_pose p            = {rig_random(&seed, -0.012, 0.012), rig_random(&seed, -4e-3, 3e-3),
                                       rig_random(&seed, -0.02, 0.02), rig_random(&seed, -0.05, 0.05)};
        const kane_side side        = i % 2 ? KANE_LEFT : KANE_RIGHT;
        const kane_wheel_motion m   = rig_motion(c, 0.46, side, p, 20.0, 43.5);
        const kane_contact_result r = rig_eval(c, side, &m);
        const kane_vec3 f = r.on_wheel.force, t = r.on_wheel.torque;
        touching += r.patch_count > 0;
        if (!isfinite(f.x + f.y + f.z + t.x + t.y + t.z) || rig_normal(&r) < 0.0)
            fail_msg("y %g z %g roll %g yaw %g", p.y, p.z, p.roll, p.yaw);
    }
    assert_true(touching > 30000);
}

CHECK_MAIN(NULL, NULL)
