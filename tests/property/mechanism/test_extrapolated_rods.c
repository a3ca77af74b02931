// SPDX-License-Identifier: MIT
// Rods whose inertia is extrapolated from earlier steps: what the equations do with accelerations that are known
// beforehand, and what an integrator makes of them.

#include "property/mechanism/removed_rods.h"

static const double gravity = 9.81;

static void scale_rods(mechanism *m, double factor)
{
    for (int i = 0; i < m->vehicle.constraint_count; i++) {
        m->constraints[i].mass *= factor;
        if (m->constraints[i].inertia > 0.0)
            m->constraints[i].inertia *= factor;
    }
}

// Without mass, as a distance. The third rod has an end on the frame, which does not fall with the others.
static void empty(kane_constraint_definition *rod)
{
    rod->mass = rod->inertia = 0.0;
}

static void open_rods(mechanism *m, double factor, kane_constraint_form form)
{
    rods_build(m, 0);
    scale_rods(m, factor);
    mechanism_open(m, form);
}

static double apart(const double *a, const double *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// --- the equations ---

// Who knows beforehand what the ends do gets what the exact form says, in all its parts.
CHECK_TEST(what_is_known_is_what_is_solved)
{
    for (int form = 0; form < 2; form++) {
        CHECK_END(mechanism_close_all) mechanism m = {0};
        double exact[64], force[RODS][2], own[2], ydot[64];
        kane_vec3 ends[2 * RODS], again[2 * RODS];
        open_rods(&m, 1.0, (kane_constraint_form)form);
        const int states = kane_model_state_count(m.model);
        assert_true(states <= 64);
        memcpy(exact, m.ydot, (size_t)states * sizeof *exact);
        assert_int_equal(kane_model_rod_count(m.model), RODS);
        for (int i = 0; i < RODS; i++) {
            assert_string_equal(kane_model_rod_name(m.model, i), rod_names[i]);
            kane_get_rod_force(m.model, m.work, i, force[i]);
        }
        assert_null(kane_model_rod_name(m.model, RODS));
        kane_get_rod_accelerations(m.model, m.work, ends);
        for (int inertia = KANE_RODS_EXACT; inertia <= KANE_RODS_ALL; inertia++) {
            assert_int_equal(kane_eval_rods(m.model, m.work, 0.0, m.y, (kane_rod_inertia)inertia, ends, ydot), KANE_OK);
            check_near(apart(ydot, exact, states), 0.0, 1e-11);
            kane_observe(m.model, m.work);
            kane_get_rod_accelerations(m.model, m.work, again);
            for (int i = 0; i < 2 * RODS; i++)
                check_vec3(again[i], ends[i], 1e-11);
            for (int i = 0; i < RODS; i++) {
                kane_get_rod_force(m.model, m.work, i, own);
                check_near(own[0], force[i][0], 1e-9);
                check_near(own[1], force[i][1], 1e-9);
            }
        }
        // nothing stays behind: the exact form has the same bits as before
        assert_int_equal(kane_eval(m.model, m.work, 0.0, m.y, ydot), KANE_OK);
        assert_memory_equal(ydot, exact, (size_t)states * sizeof *exact);
    }
}

// Ends move as the bodies that hold them; those on the frame stand still.
CHECK_TEST(ends_move_with_their_bodies)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    kane_vec3 ends[2 * RODS];
    open_rods(&m, 1.0, KANE_FORM_COEFFICIENTS);
    kane_get_rod_accelerations(m.model, m.work, ends);
    for (int i = 0; i < RODS; i++)
        for (int end = 0; end < 2; end++) {
            const char *on = end == 0 ? rod_list[i].from : rod_list[i].to;
            if (!on) {
                check_vec3(ends[2 * i + end], kv3_zero(), 1e-14);
                continue;
            }
            const int body = kane_model_find_body(m.model, on);
            kane_vec3 w, a, e;
            kane_get_absolute(m.model, m.work, body, NULL, &w, &a, &e);
            const kane_vec3 arm = kv3_sub(end == 0 ? rod_list[i].at : rod_list[i].on, m.bodies[body].position);
            const kane_vec3 is  = kv3_add(kv3_add(a, kv3_cross(e, arm)), kv3_cross(w, kv3_cross(w, arm)));
            check_vec3(ends[2 * i + end], is, 1e-10);
        }
}

// Rods of which all inertia acts with the acceleration of free fall weigh nothing and hold nothing back: as without
// mass.
CHECK_TEST(falling_rods_weigh_nothing)
{
    for (int form = 0; form < 2; form++) {
        CHECK_END(mechanism_close_all) mechanism m = {0}, massless = {0};
        kane_vec3 ends[2 * RODS];
        double ydot[64];
        rods_build(&m, 0);
        empty(&m.constraints[2]);
        mechanism_open(&m, (kane_constraint_form)form);
        rods_build(&massless, 0);
        for (int i = 0; i < RODS; i++)
            empty(&massless.constraints[i]);
        mechanism_open(&massless, (kane_constraint_form)form);
        assert_int_equal(kane_model_rod_count(massless.model), 0);
        for (int i = 0; i < 2 * RODS; i++)
            ends[i] = kv3(0.0, 0.0, -gravity);
        const int states = kane_model_state_count(m.model);
        assert_int_equal(states, kane_model_state_count(massless.model));
        assert_int_equal(kane_eval_rods(m.model, m.work, 0.0, m.y, KANE_RODS_ALL, ends, ydot), KANE_OK);
        check_near(apart(ydot, massless.ydot, states), 0.0, 1e-10);
        assert_true(apart(ydot, m.ydot, states) > 0.1); // and they do weigh something
    }
}

// A mass in a point of a body.
static void add_point(kane_body_definition *b, double mass, kane_vec3 at)
{
    const kane_vec3 centre =
        kv3_scale(1.0 / (b->mass + mass), kv3_add_scaled(kv3_scale(b->mass, b->position), mass, at));
    const kane_vec3 arms[2] = {kv3_sub(b->position, centre), kv3_sub(at, centre)};
    const double masses[2]  = {b->mass, mass};
    for (int i = 0; i < 2; i++) {
        const kane_vec3 d = arms[i];
        b->inertia[0] += masses[i] * (d.y * d.y + d.z * d.z);
        b->inertia[1] += masses[i] * (d.x * d.x + d.z * d.z);
        b->inertia[2] += masses[i] * (d.x * d.x + d.y * d.y);
        b->inertia[3] -= masses[i] * d.x * d.y;
        b->inertia[4] -= masses[i] * d.x * d.z;
        b->inertia[5] -= masses[i] * d.y * d.z;
    }
    b->mass += mass;
    b->position = centre;
}

// A rod whose coupling falls freely is two masses at its ends.
CHECK_TEST(partition_is_masses_at_the_ends)
{
    for (int form = 0; form < 2; form++) {
        CHECK_END(mechanism_close_all) mechanism m = {0}, points = {0};
        kane_vec3 ends[2 * RODS];
        double ydot[64];
        rods_build(&m, 0);
        empty(&m.constraints[2]);
        mechanism_open(&m, (kane_constraint_form)form);
        const kane_constraint_row_set *rods = m.model->closures;
        rods_build(&points, 0);
        for (int i = 0; i < RODS; i++)
            empty(&points.constraints[i]);
        for (int i = 0; i < 2; i++) {
            add_point(&points.bodies[0], rods[i].rod.first, rod_list[i].at);
            add_point(&points.bodies[1], rods[i].rod.second, rod_list[i].on);
            ends[2 * i] = ends[2 * i + 1] = kv3(0.0, 0.0, -gravity);
        }
        kane_vec3 v[2], w[2], a[2], e[2], p[2];
        mechanism_open(&points, (kane_constraint_form)form);
        assert_int_equal(kane_eval_rods(m.model, m.work, 0.0, m.y, KANE_RODS_PARTITION, ends, ydot), KANE_OK);
        kane_observe(m.model, m.work);
        for (int j = 0; j < 2; j++) {
            mechanism *both[2] = {&m, &points};
            for (int i = 0; i < 2; i++) {
                kane_get_absolute(both[i]->model, both[i]->work, j, &v[i], &w[i], &a[i], &e[i]);
                const kane_vec3 arm = kv3_sub(m.bodies[j].position, both[i]->bodies[j].position);
                p[i] = kv3_add(kv3_add(a[i], kv3_cross(e[i], arm)), kv3_cross(w[i], kv3_cross(w[i], arm)));
            }
            check_vec3(w[0], w[1], 1e-11);
            check_vec3(e[0], e[1], 1e-9);
            check_vec3(p[0], p[1], 1e-9);
        }
    }
}

// The same accelerations of the ends are the same for bodies, whatever frames and formulation describe them.
CHECK_TEST(frames_see_the_same)
{
    static const ride_options kinds[] = {{.formulation = KANE_MOVING},
                                         {.formulation = KANE_MOVING, .imaginary_as_forces = 1},
                                         {.formulation = KANE_MOVING, .form = KANE_FORM_MULTIPLIERS},
                                         {.formulation = KANE_FIXED},
                                         {.formulation = KANE_FIXED, .form = KANE_FORM_MULTIPLIERS}};
    CHECK_OWNED(kane_track) *track    = model_track(1.0, KANE_SINE);
    static rig r;
    rods_build_ride(&r, 0);
    for (int inertia = KANE_RODS_PARTITION; inertia <= KANE_RODS_ALL; inertia++) {
        static ride rides[5];
        kane_vec3 ends[2], first[2];
        for (int k = 0; k < 5; k++) {
            ride *b        = &rides[k];
            ride_options o = kinds[k];
            o.start        = 40.0;
            ride_create(b, &r, track, o);
            if (k == 0)
                ride_go(b, 0.2, 1e-3);
            else
                ride_copy(&rides[0], b);
            kane_get_rod_accelerations(b->model, b->work, ends);
            if (k == 0)
                memcpy(first, ends, sizeof first);
            check_vec3(ends[0], first[0], 1e-9);
            check_vec3(ends[1], first[1], 1e-9);
        }
        // others than those that they have
        const double exact = rides[0].ydot[rides[0].model->bodies[2].u + 1];
        first[0]           = kv3_add(first[0], kv3(7.0, -4.0, 9.0));
        first[1]           = kv3_add(first[1], kv3(-5.0, 8.0, 3.0));
        for (int k = 0; k < 5; k++) {
            ride *b = &rides[k];
            assert_int_equal(kane_eval_rods(b->model, b->work, b->t, b->y, (kane_rod_inertia)inertia, first, b->ydot),
                             KANE_OK);
            kane_observe(b->model, b->work);
            ride_check_difference(ride_compare_what(&rides[0], b, 0), 1e-11, 1e-11, 1e-9, "formulation");
        }
        assert_true(fabs(rides[0].ydot[rides[0].model->bodies[2].u + 1] - exact) > 1e-2);
        for (int k = 0; k < 5; k++)
            ride_free(&rides[k]);
    }
}

// --- the integrator ---

static kane_settings fixed_steps(double step, kane_rod_inertia inertia, kane_extrapolation extrapolation)
{
    kane_settings settings = kane_settings_default();
    settings.method        = KANE_RK4;
    settings.step          = step;
    settings.rods          = (kane_rod_settings){inertia, extrapolation};
    return settings;
}

// Greatest difference of accelerations from the exact form at the ends of `count` steps.
static double error_of(double factor, double step, int count, kane_rod_inertia inertia,
                       kane_extrapolation extrapolation)
{
    CHECK_END(mechanism_close_all) mechanism exact = {0}, own = {0};
    double most                = 0.0;
    mechanism *both[2]         = {&exact, &own};
    const kane_settings set[2] = {fixed_steps(step, KANE_RODS_EXACT, extrapolation),
                                  fixed_steps(step, inertia, extrapolation)};
    for (int i = 0; i < 2; i++) {
        rods_build(both[i], 0);
        scale_rods(both[i], factor);
        mechanism_open(both[i], KANE_FORM_COEFFICIENTS);
        mechanism_run(both[i], &set[i]);
    }
    for (int n = 1; n <= count; n++) {
        const double t     = n * step;
        const kane_work *a = mechanism_go(&exact, t), *b = mechanism_go(&own, t);
        most = fmax(most, apart(a->tree.v_dot, b->tree.v_dot, exact.model->tree.v_count));
    }
    return most;
}

// Errors are of the order of h, h^2, h^3, and of the rods' mass; nothing at all without mass.
CHECK_TEST(errors_have_their_orders)
{
    static const double tolerance[] = {0.1, 0.15, 0.4};
    for (int inertia = KANE_RODS_PARTITION; inertia <= KANE_RODS_ALL; inertia++)
        for (int e = 0; e < 3; e++) {
            const double coarse = error_of(0.1, 1e-3, 200, (kane_rod_inertia)inertia, (kane_extrapolation)e);
            const double fine   = error_of(0.1, 2.5e-4, 800, (kane_rod_inertia)inertia, (kane_extrapolation)e);
            check_near(log(coarse / fine) / log(4.0), e + 1.0, tolerance[e]);
        }
    const double one = error_of(0.1, 1e-3, 100, KANE_RODS_PARTITION, KANE_EXTRAPOLATION_POINT);
    const double two = error_of(0.2, 1e-3, 100, KANE_RODS_PARTITION, KANE_EXTRAPOLATION_POINT);
    check_near(two / one, 2.0, 0.3 * 2.0);
    assert_true(error_of(0.0, 1e-3, 100, KANE_RODS_ALL, KANE_EXTRAPOLATION_QUADRATIC) == 0.0);
    assert_true(error_of(0.1, 1e-3, 2, KANE_RODS_ALL, KANE_EXTRAPOLATION_QUADRATIC) == 0.0); // no history yet
    assert_true(error_of(0.1, 1e-3, 3, KANE_RODS_ALL, KANE_EXTRAPOLATION_QUADRATIC) > 0.0);
}

// A ball of mass M on a rod of mass m that turns about a point of the frame: all that is extrapolated is m/3 in the
// ball, so that lambda = m/(3 M). Just below the bounds 1, 1/3, 1/7 the extrapolation follows, just above it runs away.
CHECK_TEST(bounds_are_where_they_are)
{
    static const double bounds[] = {1.0, 1.0 / 3.0, 1.0 / 7.0}, M = 2.0;
    static const double runs_away = 100.0; // [m/s^2], ten times what there is
    for (int e = 0; e < 3; e++)
        for (int side = -1; side <= 1; side += 2) {
            static mechanism m[2];
            double lambda[2], greatest = 0.0;
            const double wanted = bounds[e] * (1.0 + 0.08 * side);
            for (int i = 0; i < 2; i++) {
                const kane_settings set =
                    fixed_steps(1e-3, i == 0 ? KANE_RODS_EXACT : KANE_RODS_ALL, (kane_extrapolation)e);
                mechanism_begin(&m[i], gravity);
                (void)mechanism_add(&m[i], "ball", M, kv3(0.1, 0.1, 0.1), kv3(1.0, 0.0, 0.0));
                mechanism_close_at(&m[i], "rod", KANE_CONSTRAINT_ROD, NULL, kv3_zero(), "ball", kv3(1.0, 0.0, 0.0),
                                   km3_identity())
                    ->mass                  = 3.0 * M * wanted;
                m[i].constraints[0].centre  = 0.5;
                m[i].constraints[0].inertia = -1.0;
                mechanism_open(&m[i], KANE_FORM_COEFFICIENTS);
                mechanism_run(&m[i], &set);
            }
            assert_int_equal(kane_rods_feedback(m[1].model, m[1].work, 0.0, m[1].y, KANE_RODS_ALL, lambda), KANE_OK);
            check_near(lambda[1], wanted, 1e-6);
            check_near(lambda[0], 0.0, 1e-6);
            assert_int_equal(kane_rods_feedback(m[1].model, m[1].work, 0.0, m[1].y, KANE_RODS_PARTITION, lambda),
                             KANE_OK);
            check_near(lambda[1], 0.0, 1e-12); // what couples with the frame is known
            for (int n = 1; n <= 1500 && greatest < runs_away; n++) {
                CHECK_ERRORS errors = {0};
                (void)mechanism_go(&m[0], n * 1e-3);
                if (kane_simulation_advance(m[1].simulation, n * 1e-3, &errors) != KANE_OK)
                    greatest = HUGE_VAL;
                else
                    greatest = fmax(greatest,
                                    apart(kane_simulation_work(m[0].simulation)->tree.v_dot,
                                          kane_simulation_work(m[1].simulation)->tree.v_dot, m[0].model->tree.v_count));
            }
            double stable[2];
            kane_rods_stable((kane_extrapolation)e, stable);
            check_near(stable[1], bounds[e], 1e-15);
            assert_true(side < 0 ? greatest < 1.0 : greatest >= runs_away);
            mechanism_close_all(&m[0]);
            mechanism_close_all(&m[1]);
        }
}

CHECK_TEST(refused_where_nobody_extrapolates)
{
    static mechanism m;
    const kane_conditions until = {.time = 1.0};
    open_rods(&m, 1.0, KANE_FORM_COEFFICIENTS);
    kane_settings set   = fixed_steps(1e-3, KANE_RODS_ALL, KANE_EXTRAPOLATION_LINEAR);
    set.method          = KANE_BDF;
    CHECK_ERRORS errors = {0};
    assert_null(kane_simulation_create(m.model, &set, &until, &errors));
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "\"all\""));
    mechanism_close_all(&m);

    kane_errors_free(&errors);
    mechanism_four_bar(&m);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    set.method = KANE_RK4;
    assert_null(kane_simulation_create(m.model, &set, &until, &errors));
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "no rod"));
    mechanism_close_all(&m);
}

CHECK_MAIN(NULL, NULL)
