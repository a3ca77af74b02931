// SPDX-License-Identifier: MIT
// Suspension elements without dry friction in a vehicle: the same in all formulations, the Jacobian is the derivative,
// and a mirrored one is the mirror image.

#include "property/agem/in_place.h"

static const double curve_at[] = {-0.4, -0.1, 0.0, 0.1, 0.5}, curve_force[] = {-4e3, -2e3, 0.0, 1.5e3, 4e3};

static const kane_maxwell soft   = {.stiffness = 1e6, .damping = 30e3, .parallel_stiffness = 2e5};
static const kane_maxwell curved = {
    .stiffness = 4e5, .characteristic = {.at = {curve_at, 5}, .force = {curve_force, 5}, .interpolation = KANE_SPLINE}};
static const kane_yaw_damper yaw = {
    .stiffness = 2e6, .damping = 60e3, .blow_off = 3e3, .blow_off_damping = 8e3, .rounding = 0.5};
static const kane_traction_rod rod    = {.stiffness = 1e6, .damping = 5e3, .onset = 1e-3};
static const kane_traction_rod loose  = {.stiffness = 1e6, .damping = 2e3, .slack = 1e-3, .onset = 0.02};
static const kane_traction_rod series = {
    .stiffness = 1e6, .damping = 25e3, .arrangement = KANE_ROD_SERIES, .onset = 1e-3};
static const kane_anti_roll_bar bar = {.stiffness = 4e5, .damping = 2e3};
static const kane_air_spring air    = {.area              = 0.1,
                                       .area_change       = 0.2,
                                       .bag_volume        = 0.02,
                                       .reservoir_volume  = 0.03,
                                       .orifice           = 4e6,
                                       .orifice_quadratic = 2e8,
                                       .exponent          = 1.3,
                                       .atmosphere        = 1e5,
                                       .shear_stiffness   = 1e5,
                                       .shear_damping     = 2e3,
                                       .tilting_stiffness = 5e3};
static const kane_air_spring bag    = {.area = 0.1, .bag_volume = 0.02, .exponent = 1.4, .atmosphere = 1e5};

// Behind springs along x (saturating, more one way than the other), y and about z; beside one along z.
static const double level_at[] = {-0.4, -0.1, 0.0, 0.1, 0.5}, level_force[] = {-4e3, -4e3, 0.0, 3e3, 3e3};
static const kane_bushing chained = {.stiffness                   = {0.0, 2e5, 1e5},
                                     .damping                     = {0.0, 5e3, 3e3},
                                     .rotational_damping          = {0.0, 0.0, 4e3},
                                     .series_stiffness            = {6e5, 4e5, 0.0},
                                     .rotational_series_stiffness = {0.0, 0.0, 2e5},
                                     .damper[0]                   = {.at = {level_at, 5}, .force = {level_force, 5}}};

// The elements of the twin with these laws: between bodies, to the track, turned and mirrored.
static void build_suspended(parts *p)
{
    const struct {
        const kane_law *law;
        const void *parameters;
        double load;
    } laws[ELEMENTS] = {
        {&kane_law_air_spring, &air, 30e3},     {&kane_law_air_spring, &air, -20e3},
        {&kane_law_maxwell, &soft, 0.0},        {&kane_law_yaw_damper, &yaw, 0.0},
        {&kane_law_traction_rod, &series, 0.0}, {&kane_law_anti_roll_bar, &bar, 0.0},
        {&kane_law_maxwell, &curved, 0.0},      {&kane_law_air_spring, &bag, 20e3},
        {&kane_law_traction_rod, &loose, 0.0},  {&kane_law_bushing, &chained, 0.0},
    };
    build(p);
    for (int i = 0; i < ELEMENTS; i++) {
        kane_element_definition *e = &p->elements[i];
        e->law                     = laws[i].law;
        e->parameters              = laws[i].parameters;
        e->load                    = kv3(0.0, 0.0, laws[i].load);
        if (laws[i].law != &kane_law_air_spring)
            e->at[1] = kv3_add(e->at[1], kv3(0.3, -0.1, 0.2)); // a line
    }
}

CHECK_TEST(suspension_is_the_same_in_all_frames)
{
    parts p;
    build_suspended(&p);
    check_frames_in_place(&p, 0.004);
}

CHECK_TEST(its_jacobian_is_the_derivative)
{
    parts p;
    build_suspended(&p);
    check_jacobian_in_place(&p, 0.004, 3e-7);
}

// A motion of two bodies and its mirror image: a mirrored element on the other side does the mirror image of what it
// does on this one, and remembers the same.
CHECK_TEST(mirrored_elements_are_mirror_images)
{
    static const struct {
        const kane_law *law;
        const void *parameters;
        double load;
    } laws[] = {{&kane_law_maxwell, &soft, 0.0},      {&kane_law_yaw_damper, &yaw, 0.0},
                {&kane_law_traction_rod, &rod, 0.0},  {&kane_law_traction_rod, &loose, 0.0},
                {&kane_law_anti_roll_bar, &bar, 0.0}, {&kane_law_air_spring, &air, -20e3},
                {&kane_law_bushing, &chained, 0.0}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        parts p;
        twin t[2];
        CHECK_OWNED(kane_track) *track = model_track(0.0, KANE_CLOTHOID);
        build(&p);
        p.vehicle.element_count = 1;
        for (int side = 0; side < 2; side++) {
            const double y = side ? -1.0 : 1.0;
            p.elements[0]  = (kane_element_definition){.block      = {"one", NULL},
                                                       .law        = laws[i].law,
                                                       .parameters = laws[i].parameters,
                                                       .between    = {"car", "axle"},
                                                       .at         = {{4, 0.9 * y, 1.0}, {4.2, 0.8 * y, 0.5}},
                                                       .axes       = km3_identity(),
                                                       .preload    = KANE_PRELOAD_GIVEN,
                                                       .load       = {0.0, 0.0, laws[i].load},
                                                       .mirrored   = side};
            create(&t[side], &p, track, KANE_MOVING, 0, 0);
            t[side].states = 0.003;
        }
        uint64_t seed = 7;
        for (int side = 0; side < 2; side++)
            scatter(&t[side], seed, 0.1);
        for (int j = 0; j < 6; j++) { // the second twin goes as the image of the first
            kane_relative_motion m;
            kane_relative_get(t[0].model, t[0].work, j, &m);
            m.q[KANE_Y] *= -1.0;
            m.q[KANE_YAW] *= -1.0;
            m.q[KANE_ROLL] *= -1.0;
            m.v = kane_mirror_polar(m.v);
            m.w = kane_mirror_axial(m.w);
            kane_relative_put(t[1].model, t[1].work, j, &m, t[1].y);
        }
        const int first = t[0].model->u_end, count = t[0].model->state_count - first;
        for (int k = 0; k < count; k++)
            t[0].y[first + k] = t[1].y[first + k] = 0.003;
        kane_wrench w[2];
        for (int side = 0; side < 2; side++) {
            kane_relative r;
            assert_int_equal(kane_eval(t[side].model, t[side].work, 0.1, t[side].y, t[side].ydot), KANE_OK);
            kane_get_element(t[side].model, t[side].work, 0, &w[side], &r);
        }
        assert_true(kv3_norm(w[0].force) + kv3_norm(w[0].torque) > 100.0);
        const double size = 1e-11 * (kv3_norm(w[0].force) + 1e5);
        check_vec3(w[1].force, kane_mirror_polar(w[0].force), size);
        check_vec3(w[1].torque, kane_mirror_axial(w[0].torque), size);
        for (int k = 0; k < count; k++)
            check_near(t[1].ydot[first + k], t[0].ydot[first + k], 1e-11);
        destroy(&t[0]);
        destroy(&t[1]);
    }
}

CHECK_MAIN(NULL, NULL)
