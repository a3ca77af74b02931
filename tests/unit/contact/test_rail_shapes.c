// SPDX-License-Identifier: MIT
// One wheel on a rail whose profile changes under it: between two equal profiles nothing changes; over a crossing of 2
// m the force is smooth; its work is that of pressing the wheel down; derivatives are those of the evaluation.

#include "unit/contact/differences.h"

CHECK_TEST(same_profile_changes_nothing)
{
    CHECK_OWNED(kane_contact) *plain = rig_create(kane_contact_definition_default());
    for (int as_drawn = 0; as_drawn < 2; as_drawn++) {
        CHECK_OWNED(kane_contact) *c = rail_create(kane_profile_60e1(), as_drawn);
        for (int side = 0; side < 2; side++)
            for (double y = -0.006; y <= 0.0061; y += 0.002) {
                kane_wheel_motion m =
                    rig_motion(plain, 0.46, (kane_side)side, rig_place(plain, 0.46, y, 0.002, 6e4), 20.0, 43.5);
                const kane_contact_result a = rig_eval(plain, (kane_side)side, &m);
                m.blend = (kane_rail_blend){.from = 0, .to = 1, .share = 0.4, .share_s = 0.9, .share_ss = 0.1};
                const kane_contact_result b = rig_eval(c, (kane_side)side, &m);
                const double scale          = kv3_norm(a.on_wheel.force);
                assert_int_equal(a.patch_count, b.patch_count);
                check_near(kv3_norm(kv3_sub(a.on_wheel.force, b.on_wheel.force)), 0.0, 1e-9 * scale);
                check_near(kv3_norm(kv3_sub(a.on_wheel.torque, b.on_wheel.torque)), 0.0, 1e-9 * scale);
            }
    }
}

// How far the middle of five values at even steps is from the cubic through the others.
static double off(const double *f)
{
    return fabs(f[2] - (4.0 * (f[1] + f[3]) - f[0] - f[4]) / 6.0);
}

// Vertical and lateral force where the wheel's centre sinks by `sink` over the crossing.
static void forces_at(const kane_contact *c, kane_wheel_motion m, double sink, double s, double F[2])
{
    m.blend = rail_blend_at(s);
    m.centre.z -= sink * m.blend.share;
    const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
    F[0]                        = r.on_wheel.force.z;
    F[1]                        = r.on_wheel.force.y;
}

// The largest distance from a smooth curve at steps h within `around` of s.
static double off_near(const kane_contact *c, const kane_wheel_motion *m, double sink, double s, double around,
                       double h)
{
    enum { MOST = 80 };
    double F[2][MOST], worst = 0.0;
    const int count = 2 * (int)(around / h + 2.5) + 1;
    assert_true(count <= MOST);
    for (int i = 0; i < count; i++) {
        double f[2];
        forces_at(c, *m, sink, s + h * (i - count / 2), f);
        F[0][i] = f[0];
        F[1][i] = f[1];
    }
    for (int i = 0; i + 4 < count; i++)
        worst = fmax(worst, fmax(off(&F[0][i]), off(&F[1][i])));
    return worst;
}

// By how much a wheel sinks that carries 80 kN before the crossing and behind it.
static double sink_of(const kane_contact *c, kane_wheel_motion m)
{
    double low = -4e-3, high = 1e-3;
    const double top = m.centre.z;
    m.blend          = (kane_rail_blend){.from = 1, .to = 1};
    for (int i = 0; i < 50; i++) {
        const double middle = 0.5 * (low + high);
        m.centre.z          = top + middle;
        if (rig_eval(c, KANE_LEFT, &m).on_wheel.force.z > 8e4)
            low = middle;
        else
            high = middle;
    }
    return -low;
}

// The wheel follows the rail so that it stays loaded; every half millimetre. A cubic through four neighbours tells the
// value between them. Where it is off by more than 1e-6 of the load, the law has a corner or turns fast, and no jump:
// with steps of a sixteenth it is off by less, which a jump would not.
CHECK_TEST(force_over_a_crossing_is_smooth)
{
    enum { COUNT = 4001 };
    static double F[2][COUNT];
    static double y[RAIL_POINTS], z[RAIL_POINTS];
    const kane_profile profile = rail_worn(1.5e-3, y, z);
    const double h             = 2.0 / (COUNT - 1);
    int places = 0, corners = 0, smooth = 0;
    double worst                 = 0.0;
    CHECK_OWNED(kane_contact) *c = rail_create(&profile, 1);
    for (int k = 0; k < 24; k++) {
        const double shift = 1e-3 * (k % 12 - 5), yaw = k < 12 ? 0.0 : 4e-3;
        const kane_wheel_motion m =
            rig_motion(c, 0.46, KANE_LEFT, rig_place(c, 0.46, shift, yaw, 8e4), 20.0, 20.0 / 0.46);
        const double sink = sink_of(c, m);
        double load = 0.0, least = HUGE_VAL;
        for (int i = 0; i < COUNT; i++) {
            double f[2];
            forces_at(c, m, sink, h * i, f);
            F[0][i] = f[0];
            F[1][i] = f[1];
            load    = fmax(load, f[0]);
            least   = fmin(least, f[0]);
        }
        assert_true(least > 3e3);
        int here = 0;
        for (int i = 0; i + 4 < COUNT; i++) {
            const double e = fmax(off(&F[0][i]), off(&F[1][i])) / load;
            worst          = fmax(worst, e);
            if (e <= 1e-6)
                continue;
            here++;
            const double fine = off_near(c, &m, sink, h * (i + 2), 2.0 * h, h / 16.0) / load;
            // at a place beside the corner there is less of it than around
            assert_true(fine < 1e-7 || fine < 0.6 * off_near(c, &m, sink, h * (i + 2), 4.0 * h, h) / load);
        }
        smooth += here == 0;
        corners += here;
        places += COUNT;
    }
    print_message(
        "24 ways over the crossing: off a smooth curve by %.2g of the load at most, more than 1e-6 at %d of %d places; %d "
        "ways without any\n",
        worst, corners, places, smooth);
    assert_true(smooth >= 12);
    assert_true(corners <= places / 500);
    check_below(worst, 1e-4);
}

// Two patches part: the valley between them sinks below the level of the one on the tread, and cuts it no more. What
// both carry goes on without a corner: its second difference stays small at steps of 0.05 mm.
CHECK_TEST(valley_that_passes_the_level_makes_no_corner)
{
    enum { COUNT = 400 };
    static double y[RAIL_POINTS], z[RAIL_POINTS];
    const kane_profile profile = rail_worn(1.5e-3, y, z);
    double N[COUNT] = {0.0}, worst = 0.0;
    int parted                   = 0;
    CHECK_OWNED(kane_contact) *c = rail_create(&profile, 1);
    const kane_wheel_motion m = rig_motion(c, 0.46, KANE_LEFT, rig_place(c, 0.46, 5.2e-3, 0.0, 8e4), 20.0, 20.0 / 0.46);
    const double sink         = sink_of(c, m);
    for (int i = 0; i < COUNT; i++) {
        kane_wheel_motion at = m;
        at.blend             = rail_blend_at(0.53 + 0.05e-3 * i);
        at.centre.z -= sink * at.blend.share;
        const kane_contact_result r = rig_eval(c, KANE_LEFT, &at);
        for (int k = 0; k < r.patch_count; k++)
            N[i] += r.patch[k].N;
        parted += r.patch_count == 2;
    }
    assert_true(parted > 20 && parted < COUNT - 20); // three are listed until they have parted
    for (int i = 1; i + 1 < COUNT; i++)
        worst = fmax(worst, fabs(N[i + 1] - 2.0 * N[i] + N[i - 1]) / N[i]);
    check_below(worst, 1e-6);
}

// A wheel that keeps its height loses the rail: the force ends as Hertz' does, as the 3/2nd power of the depth, so that
// its 2/3rd power is a straight line down to zero. That is the corner of a patch that goes.
CHECK_TEST(rail_is_lost_as_hertz_says)
{
    static double y[RAIL_POINTS], z[RAIL_POINTS];
    const kane_profile profile   = rail_worn(1.5e-3, y, z);
    CHECK_OWNED(kane_contact) *c = rail_create(&profile, 1);
    for (int k = 0; k < 4; k++) {
        const double shift = -2e-3 * (k - 1);
        const kane_wheel_motion m =
            rig_motion(c, 0.46, KANE_LEFT, rig_place(c, 0.46, shift, 0.001, 8e4), 20.0, 20.0 / 0.46);
        double in = 0.0, out = 2.0, N[6];
        for (int i = 0; i < 60; i++) { // where it is lost
            double f[2];
            const double middle = 0.5 * (in + out);
            forces_at(c, m, 0.0, middle, f);
            if (f[0] > 0.0)
                in = middle;
            else
                out = middle;
        }
        for (int i = 0; i < 6; i++) {
            kane_wheel_motion at        = m;
            at.blend                    = rail_blend_at(in - 0.2e-3 * (i + 1));
            const kane_contact_result r = rig_eval(c, KANE_LEFT, &at);
            assert_int_equal(r.patch_count, 1);
            N[i] = pow(r.patch[0].N, 2.0 / 3.0);
        }
        for (int i = 1; i < 6; i++)
            check_relative(N[i] / (i + 1.0), N[0], 3e-3);
    }
}

// A wheel that neither dissipates nor rubs and goes along at a fixed place over a rail that becomes 0.05 mm higher:
// what it is pushed back by is the work of pressing it down by 0.05 mm onto the rail as it was. The normal is that of
// the mean slope over the patch, the climb that at its centre: where arcs of 300 mm and 80 mm meet within a patch they
// differ by some parts in a thousand.
CHECK_TEST(work_is_that_of_pressing_down)
{
    enum { STEPS = 4000 };
    static double y[RAIL_POINTS], z[RAIL_POINTS];
    const double higher = 0.05e-3;
    assert_int_equal(kane_profile_draw(kane_profile_60e1(), RAIL_POINTS, y, z), KANE_OK);
    kane_contact_definition d = kane_contact_definition_default();
    kane_profile own = {.kind = KANE_PROFILE_RAIL, .shape = KANE_SHAPE_POINTS, .name = "own", .count = RAIL_POINTS};
    static double lower[RAIL_POINTS];
    for (int i = 0; i < RAIL_POINTS; i++)
        lower[i] = z[i] - higher;
    own.y                     = y;
    own.z                     = lower;
    const kane_profile raised = {
        .kind = KANE_PROFILE_RAIL, .shape = KANE_SHAPE_POINTS, .name = "higher", .count = RAIL_POINTS, .y = y, .z = z};
    const kane_rail_shape shape = {.profile = &raised, .as_drawn = 1};
    d.rail[0]                   = &own;
    d.shape_count               = 1;
    d.shapes                    = &shape;
    d.laws.friction[0] = d.laws.friction[1] = 0.0;
    d.laws.dissipation_law                  = KANE_DISSIPATION_NONE;
    CHECK_OWNED(kane_contact) *c            = rig_create(d);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) { // on the tread, and at the gauge corner
            const double shift = rig_outside((kane_side)side) * (0.002 - 0.003 * k);
            kane_wheel_motion m =
                rig_motion(c, 0.46, (kane_side)side, rig_place(c, 0.46, shift, 0.0, 2e4), 10.0, 10.0 / 0.46);
            double along = 0.0, down = 0.0;
            for (int i = 0; i <= STEPS; i++) {
                const double w         = (i == 0 || i == STEPS ? 0.5 : 1.0) / STEPS;
                kane_wheel_motion high = m, low = m;
                high.blend = rail_blend_at(2.0 * i / STEPS);
                low.centre.z -= higher * i / STEPS;
                const kane_contact_result a = rig_eval(c, (kane_side)side, &high),
                                          b = rig_eval(c, (kane_side)side, &low);
                along -= 2.0 * w * a.on_wheel.force.x;
                down += higher * w * b.on_wheel.force.z;
                check_near(a.on_wheel.torque.y, 0.0,
                           1e-4 * 0.46 * fabs(a.on_wheel.force.x) + 1e-9); // it does not spin it
            }
            print_message("work along %.6f J, down %.6f J\n", along, down);
            assert_true(down > 1.0);
            check_near(along, down, 6e-3 * down);
        }
}

CHECK_TEST(derivatives_are_those_of_the_evaluation)
{
    static double y[RAIL_POINTS], z[RAIL_POINTS];
    const kane_profile profile   = rail_worn(0.8e-3, y, z);
    CHECK_OWNED(kane_contact) *c = rail_create(&profile, 1);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            const double out    = rig_outside((kane_side)side);
            kane_wheel_motion m = rig_motion(c, 0.46, (kane_side)side,
                                             rig_place(c, 0.46, out * (0.0017 - 2e-3 * k), 0.002, 6e4), 20.0, 43.4);
            const double s      = 0.6 + 0.3 * k;
            m.blend             = rail_blend_at(s);
            m.centre.z -= 0.3e-3 * m.blend.share;
            double d[6][12], along[2][6];
            const double scale = kv3_norm(rig_eval(c, (kane_side)side, &m).on_wheel.force);
            assert_true(scale > 1e3);
            check_below(worst_error(c, (kane_side)side, &m, 1e-4, 1e-3), 1e-3);
            assert_int_equal(kane_contact_derive(c, (kane_side)side, &m, d), KANE_OK);
            for (int up = 0; up < 2; up++) { // along the rail: the blend as it is 20 um farther on
                kane_wheel_motion there     = m;
                there.blend                 = rail_blend_at(s + (up ? 2e-5 : -2e-5));
                const kane_contact_result r = rig_eval(c, (kane_side)side, &there);
                memcpy(along[up], &r.on_wheel, sizeof along[up]);
            }
            for (int i = 0; i < 6; i++)
                check_near(d[i][0], (along[1][i] - along[0][i]) / 4e-5, 1e-4 * scale);
            for (int k2 = 6; k2 < 12; k2++) {
                double up[6], down[6];
                rows_at(c, (kane_side)side, m, k2, 1e-4, up);
                rows_at(c, (kane_side)side, m, k2, -1e-4, down);
                for (int i = 0; i < 6; i++)
                    check_near(d[i][k2], (up[i] - down[i]) / 2e-4, 1e-5 * (norm(d[0]) + scale));
            }
        }
}

CHECK_TEST(unknown_profiles_are_refused)
{
    CHECK_OWNED(kane_contact) *c     = rail_create(kane_profile_60e1(), 0),
                              *plain = rig_create(kane_contact_definition_default());
    kane_contact_result r;
    kane_wheel_motion m = rig_motion(c, 0.46, KANE_LEFT, rig_place(c, 0.46, 0.0, 0.0, 6e4), 20.0, 43.5);
    m.blend.to          = 2;
    assert_int_equal(kane_contact_eval(c, KANE_LEFT, &m, &r), KANE_RETRY);
    m.blend.to = 1;
    assert_int_equal(kane_contact_eval(c, KANE_LEFT, &m, &r), KANE_OK);
    assert_int_equal(kane_contact_eval(plain, KANE_LEFT, &m, &r), KANE_RETRY);
    m.blend.share = 1.5;
    assert_int_equal(kane_contact_eval(c, KANE_LEFT, &m, &r), KANE_RETRY);
}

CHECK_MAIN(NULL, NULL)
