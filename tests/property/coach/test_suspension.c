// SPDX-License-Identifier: MIT
// The coach with suspension elements that remember: air springs, dampers in rubber, yaw dampers, traction rods. What
// they do in a steady curve, and that the motion is the same in all frames.

#include "property/wagon/wagon.h"

#define DAMPER(name, law, at, to, on)                                                                                  \
    "vehicle.elements." name "={\"law\": \"" law "\", \"mirror\": true, \"between\": [\"car\", \"" on                  \
    "\"], \"at\": " at ", \"to\": " to ", "
#define LATERAL "\"stiffness\": \"6 MN/m\", \"damping\": \"16 kN s/m\"}"
#define YAW                                                                                                            \
    "\"stiffness\": \"8 MN/m\", \"damping\": \"300 kN s/m\", \"blow_off\": \"6 kN\", \"blow_off_damping\": \"8 kN s/m\"}"
#define ROD                                                                                                            \
    "={\"law\": \"traction rod\", \"stiffness\": \"5 MN/m\", \"damping\": \"25 kN s/m\", \"slack\": \"0.1 mm\", "
#define AIR_SPRUNG                                                                                                     \
    "vehicle.patterns.secondary={\"law\": \"air spring\", \"mirror\": true, \"area\": \"0.2 m^2\", "                   \
    "\"area_change\": \"0.05 m^2/m\", \"bag_volume\": 0.03, \"reservoir_volume\": 0.04, \"orifice\": 1.5e6, "          \
    "\"orifice_quadratic\": 1e7, \"shear_stiffness\": \"160 kN/m\", \"tilting_stiffness\": 10500}",                    \
        "vehicle.patterns.anti-roll bar={\"law\": \"anti-roll bar\", \"stiffness\": \"940 kN m/rad\"}",                \
        "vehicle.elements.leading traction rod" ROD                                                                    \
        "\"between\": [\"car\", \"leading bogie\"], \"at\": [9.5, 0, 0.6], \"to\": [8.6, 0, 0.6]}",                    \
        "vehicle.elements.trailing traction rod" ROD                                                                   \
        "\"between\": [\"car\", \"trailing bogie\"], \"at\": [-9.5, 0, 0.6], \"to\": [-8.6, 0, 0.6]}",                 \
        DAMPER("lateral 1", "maxwell", "[9.8, 0.2, 0.8]", "[9.8, 0.8, 0.7]", "leading bogie") LATERAL,                 \
        DAMPER("lateral 2", "maxwell", "[-9.8, 0.2, 0.8]", "[-9.8, 0.8, 0.7]", "trailing bogie") LATERAL,              \
        DAMPER("yaw 1", "yaw damper", "[8.3, 1.3, 0.7]", "[9.2, 1.3, 0.7]", "leading bogie") YAW,                      \
        DAMPER("yaw 2", "yaw damper", "[-8.3, 1.3, 0.7]", "[-9.2, 1.3, 0.7]", "trailing bogie") YAW

static const char *const moving[] = {TIGHT, AIR_SPRUNG, "until.distance=170", NULL};
static const char *const fixed[]  = {TIGHT, AIR_SPRUNG, "until.distance=170", "formulation=fixed", NULL};

// Law of an element, by its name.
static int is_law(const kane_model *model, int e, const kane_law *law)
{
    return model->elements[e].law == law;
}

// Pressures are equal on both sides of the orifice: one gas in both volumes.
static double air_at_rest(double load, double z)
{
    const double volume = 0.03 - z * (0.2 + 0.025 * z), pressure = 101325.0 + load / 0.2;
    return (pressure * pow(0.07 / (volume + 0.04), 1.4) - 101325.0) * (0.2 + 0.05 * z);
}

// In a curve that goes on for ever dampers carry nothing, and air springs what their air carries.
CHECK_TEST(in_a_steady_curve_dampers_rest)
{
    CHECK_FREED(wagon) w              = wagon_read("coach-curve", moving);
    const kane_steady_definition tilt = {.speed = 25.0, .curvature = 1.0 / 500.0, .superelevation = 0.05};
    CHECK_OWNED(kane_steady) *steady  = CHECK_GOOD(kane_steady_create, &w.definition, &tilt);
    const kane_model *model           = kane_steady_model(steady);
    double outer = 0.0, inner = 0.0;
    int dampers = 0, springs = 0;
    for (int e = 0; e < model->element_count; e++) {
        kane_wrench on_b;
        kane_relative r;
        kane_get_element(model, kane_steady_work(steady), e, &on_b, &r);
        if (is_law(model, e, &kane_law_maxwell) || is_law(model, e, &kane_law_yaw_damper)) {
            dampers++;
            assert_true(fabs(r.state[0]) > 1e-6); // they have given way
            check_vec3(on_b.force, kv3_zero(), 1e-2);
        }
        if (is_law(model, e, &kane_law_air_spring)) {
            springs++;
            check_near(on_b.force.z, -air_at_rest(32000.0 * 9.81 / 4.0, r.d.z), 1e-2);
            *(r.d0.y < 0.0 || model->elements[e].mirrored ? &outer : &inner) -= on_b.force.z; // a left curve
        }
    }
    assert_int_equal(dampers, 8);
    assert_int_equal(springs, 4);
    assert_true(outer > 1.05 * inner); // 0.9 m/s^2 are left over by the cant
}

CHECK_TEST(it_runs_the_same_in_moving_and_fixed_frames)
{
    CHECK_FREED(wagon) a = wagon_open("coach-curve", moving), b = wagon_read("coach-curve", fixed);
    wagon_start(&b);
    for (int i = 1;; i++) {
        if (!wagon_go(&a, 0.25 * i) || !wagon_go(&b, 0.25 * i))
            break;
        for (int j = 0; j < a.model->body_count; j++) {
            double qa[6], qb[6], rates[6];
            kane_get_relative(a.model, kane_simulation_work(a.simulation), j, qa, rates);
            kane_get_relative(b.model, kane_simulation_work(b.simulation), j, qb, rates);
            for (int k = 0; k < 5; k++) // not the spin
                check_near(qb[k], qa[k], 1e-7);
        }
        for (int e = 0; e < a.model->element_count; e++) {
            kane_wrench on_a, on_b;
            kane_relative ra, rb;
            kane_get_element(a.model, kane_simulation_work(a.simulation), e, &on_a, &ra);
            kane_get_element(b.model, kane_simulation_work(b.simulation), e, &on_b, &rb);
            if (ra.state)
                check_near(rb.state[0], ra.state[0], 1e-7);
        }
    }
    assert_true(kane_simulation_time(a.simulation) > 4.5);
}

CHECK_TEST(its_jacobian_is_the_derivative)
{
    wagon_check_jacobian("coach-curve", moving, 5e-5);
    wagon_check_jacobian("coach-curve", fixed, 5e-5);
}

CHECK_MAIN(NULL, NULL)
