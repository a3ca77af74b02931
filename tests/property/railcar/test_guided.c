// SPDX-License-Identifier: MIT
// Rails that guide wheelsets without giving way, as a constraint and by tables: they answer to the inertia of what
// hangs on the axles of those that are free, and all together to the tree of those that hang by joints.

#include "property/railcar/railcar.h"

// All wheelsets; wheelset 1 carries the motor, which then turns nothing.
#define ALL(way)                                                                                                       \
    "vehicle.constraints={}", "vehicle.wheelsets.wheelset 1.contact={\"model\": \"" way "\"}",                         \
        "vehicle.wheelsets.wheelset 2.contact={\"model\": \"" way "\"}",                                               \
        "vehicle.wheelsets.wheelset 3.contact={\"model\": \"" way "\"}",                                               \
        "vehicle.wheelsets.wheelset 4.contact={\"model\": \"" way "\"}",                                               \
        "drive.motor={\"kind\": \"torque\", \"on\": \"wheelset 1\", \"time\": [0, 2], \"torque\": [0, 4000]}"

// The driven wheelset with its motor and the gear between both, in a loop.
#define GEARED(way) "vehicle.wheelsets.wheelset 1.contact={\"model\": \"" way "\"}"

// Wheelset 3, on a joint, in the tree of wheelset 2, which has none; from a place that no search for rest changes.
#define HUNG "vehicle.bodies.yoke 3.joint.parent=box 2 left", "vehicle.bodies.body.start={\"y\": 1e-4}"

CHECK_TEST(it_runs_the_same_in_moving_and_fixed_frames)
{
    static const char *const rows[][2][12] = {
        {{TIGHT, "until.distance=80", "variant=guided"},
         {TIGHT, "until.distance=80", "variant=guided", "formulation=fixed"}},
        {{TIGHT, "until.distance=80", "variant=tables"},
         {TIGHT, "until.distance=80", "variant=tables", "formulation=fixed"}},
        {{TIGHT, "until.distance=80", "variant=tables", HUNG},
         {TIGHT, "until.distance=80", "variant=tables", HUNG, "formulation=fixed"}},
        {{TIGHT, "until.distance=80", GEARED("constraint")},
         {TIGHT, "until.distance=80", GEARED("constraint"), "formulation=fixed"}},
        {{TIGHT, "until.distance=80", GEARED("constraint")},
         {TIGHT, "until.distance=80", GEARED("constraint"), "run.form=multipliers"}},
        {{TIGHT, "until.distance=80", GEARED("table")},
         {TIGHT, "until.distance=80", GEARED("table"), "run.form=multipliers", "formulation=fixed"}},
        {{TIGHT, "until.distance=80", "variant=guided", FLEXIBLE},
         {TIGHT, "until.distance=80", "variant=guided", FLEXIBLE, "formulation=fixed"}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        railcar_check_alike(rows[i][0], rows[i][1], 0, NULL, 1e-6, 1.0);
}

CHECK_TEST(left_and_right_curves_mirror_each_other)
{
    static const char *const rows[][2][14] = {
        {{TIGHT, "until.distance=80", ALL("constraint")},
         {TIGHT, "until.distance=80", ALL("constraint"), "track.sections[1].to.radius=-600"}},
        {{TIGHT, "until.distance=80", ALL("table")},
         {TIGHT, "until.distance=80", ALL("table"), "track.sections[1].to.radius=-600"}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        railcar_check_alike(rows[i][0], rows[i][1], 1, NULL, 1e-7, 1.0);
}

// Normal forces of rails that do not move take no power, whatever hangs on the axle; and the gaps stay closed.
CHECK_TEST(energy_is_balanced)
{
    static const char *const rows[][16] = {
        {TIGHT, "output.work=true", "until.distance=80", ALL("constraint")},
        {TIGHT, "output.work=true", "until.distance=80", ALL("table")},
        {TIGHT, "output.work=true", "until.distance=80", ALL("constraint"), FLEXIBLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_FREED(wagon) w = wagon_read("railcar", rows[i]);
        kane_energy first, now;
        wagon_start(&w);
        const int n = kane_model_state_count(w.model);
        kane_get_energy(w.model, kane_simulation_work(w.simulation), &first);
        for (int k = 1, more = 1; more; k++) {
            more                  = wagon_go(&w, 0.5 * k);
            const kane_work *work = kane_simulation_work(w.simulation);
            const double *done    = kane_simulation_state(w.simulation) + n;
            kane_get_energy(w.model, work, &now);
            check_near(now.kinetic + now.gravity - first.kinetic - first.gravity, done[0] + done[1] + done[2],
                       1e-8 * first.kinetic);
            for (int axle = 0; axle < RAILCAR_AXLES; axle++)
                for (int side = 0; side < 2; side++) {
                    check_near(work->wheels[axle].guidance.gap[side], 0.0, 1e-9);
                    assert_true(work->wheels[axle].guidance.N[side] > 1e4);
                }
        }
        assert_true(kane_simulation_time(w.simulation) > 5.0);
    }
}

CHECK_TEST(its_jacobian_is_the_derivative)
{
    static const char *const rows[][8] = {{"variant=guided"},
                                          {"variant=tables"},
                                          {ALL("constraint")},
                                          {ALL("table")},
                                          {ALL("constraint"), "formulation=fixed"},
                                          {ALL("table"), "formulation=fixed"},
                                          {GEARED("table")},
                                          {"variant=tables", HUNG, "formulation=fixed"},
                                          {ALL("constraint"), FLEXIBLE},
                                          {ALL("table"), FLEXIBLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        wagon_check_jacobian("railcar", rows[i],
                             i < 2 ? 2e-4 : 5e-5); // elastic wheels of the others have the more of kinks
}

// Static loads and the forces of rails that do not give way are those of elastic ones, where both stand.
CHECK_TEST(it_stands_as_on_elastic_rails)
{
    static const char *const rows[][3] = {
        {"start.speed=20"}, {"start.speed=20", "variant=guided"}, {"start.speed=20", "variant=tables"}};
    static const char *const seen[2] = {"box 2 left", "yoke 3"};
    double load[3][2][2], q[3][2][6], rates[6];
    for (int i = 0; i < 3; i++) {
        CHECK_FREED(wagon) w = wagon_open("railcar", rows[i]);
        for (int k = 0; k < 2; k++) {
            const int axle = railcar_axle(&w, 1 + k);
            assert_int_equal(kane_model_wheel_load(w.model, axle, load[i][k]), KANE_OK);
            check_relative(wagon_Q(&w, axle, KANE_LEFT), load[i][k][0], 1e-4);
            kane_get_relative(w.model, kane_simulation_work(w.simulation), kane_model_find_body(w.model, seen[k]),
                              q[i][k], rates);
        }
    }
    for (int i = 1; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            check_near(load[i][k][0], load[0][k][0], 1e-3);
            check_near(q[i][k][KANE_Z], q[0][k][KANE_Z], 2e-4); // the approach of wheel and rail
        }
}

CHECK_MAIN(NULL, NULL)
