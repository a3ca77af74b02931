// SPDX-License-Identifier: MIT
// The FEVE 3000: what it is made of, statics by hand, how it rests, energy, the exact Jacobian; its line, and how it
// takes the bends there while its rails hold the wheels down.

#include "property/feve/feve.h"

#include "contact/contact.h"

CHECK_TEST(it_has_the_published_mass_positions_and_freedoms)
{
    CHECK_FREED(wagon) w = wagon_with("feve-curve", ONE_SIDED);
    double mass          = 0.0;
    wagon_start(&w);
    for (int j = 0; j < w.definition.vehicle->body_count; j++)
        mass += w.definition.vehicle->bodies[j].mass;
    check_near(mass, 34250.68, 1e-9);
    assert_int_equal(kane_model_dof_count(w.model), 22);
}

// Half of the locomotive's weight, of which the car's stands .1372 m behind the middle; springs of sliders that are as
// high as their loads make them lean by 2 mrad, and turn their frames by K (.17 m)^2 a radian.
CHECK_TEST(it_rests_as_by_hand)
{
    static const double g = 9.8, car = 22608.0, slider = 461.0, frame = 1507.86, axle = 1222.0 + 2 * 67.72,
                        motors = 4 * 568.8, base = 9.5, between = 2.185, lean = (0.59026 - 0.57086) / 9.5;
    const double turn  = 4.0 * 277046.0 * 0.17 * 0.17 * lean; // on each frame, its rear axle gets more
    const double moved = 2.0 * turn / base;                   // which the car has to hand on
    const double front = g * (car * (0.5 - 0.1372 / base) + slider + frame + 2.0 * axle) - moved + 2.0 * moved,
                 rear  = g * (car * (0.5 + 0.1372 / base) + slider + frame + 2.0 * axle + motors) - moved;
    const double by_hand[FEVE_AXLES] = {0.25 * front - 0.5 * turn / between, 0.25 * front + 0.5 * turn / between,
                                        0.25 * rear - 0.5 * turn / between, 0.25 * rear + 0.5 * turn / between};
    CHECK_FREED(wagon) w             = wagon_open_with("feve-curve", ONE_SIDED);
    for (int k = 0; k < FEVE_AXLES; k++) {
        double load[2];
        assert_int_equal(kane_model_wheel_load(w.model, feve_axle(&w, k), load), KANE_OK);
        check_near(load[KANE_LEFT], by_hand[k], 1.0);
        check_near(load[KANE_RIGHT], load[KANE_LEFT], 1e-3);
        check_relative(wagon_Q(&w, feve_axle(&w, k), KANE_LEFT), load[KANE_LEFT], 2e-3);
        if (k < 2)
            check_near(load[KANE_LEFT], 38360.0, 100.0);
    }
}

// The motors' work, weight and what springs hold are in motion or have become heat; gaps stay closed; all wheels press.
static void check_energy(const char *geometry)
{
    CHECK_FREED(wagon) w = wagon_with("feve-curve", TIGHT, GENTLE, geometry, "output.work=true", "until.distance=170");
    kane_energy first, now;
    wagon_start(&w);
    const int n = kane_model_state_count(w.model);
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &first);
    for (int i = 1, more = 1; more; i++) {
        more                  = wagon_go(&w, 0.5 * i);
        const kane_work *work = kane_simulation_work(w.simulation);
        const double *done    = kane_simulation_state(w.simulation) + n;
        kane_get_energy(w.model, work, &now);
        check_near(now.kinetic + now.gravity - first.kinetic - first.gravity, done[0] + done[1] + done[2],
                   1e-8 * first.kinetic);
        for (int k = 0; k < w.model->wheels_count; k++)
            for (int side = 0; side < 2; side++) {
                check_near(work->wheels[k].guidance.gap[side], 0.0, 1e-9);
                assert_true(work->wheels[k].guidance.N[side] > 2e4);
            }
    }
    assert_true(kane_simulation_time(w.simulation) > 5.0);
}

#define SEARCHED  "vehicle.patterns.wheelset.contact.geometry=searched"
#define TABULATED "vehicle.patterns.wheelset.contact.geometry=tabulated"

CHECK_TEST(energy_is_balanced)
{
    check_energy(SEARCHED);
}

CHECK_TEST(energy_is_balanced_by_tabulated_gaps)
{
    check_energy(TABULATED);
}

// Through the first bend both find the same place of all bodies: gaps differ by 1e-8 m, and so do speeds over a run of
// some 170 m, by what integrators are off.
CHECK_TEST(tabulated_gaps_take_it_through_the_bend_as_searched_ones)
{
    CHECK_FREED(wagon) searched = wagon_with("feve-curve", TIGHT, GENTLE, SEARCHED, "until.distance=170"),
                       table    = wagon_with("feve-curve", TIGHT, GENTLE, TABULATED, "until.distance=170");
    double coordinates = 0.0, force = 0.0;
    wagon_start(&searched);
    wagon_start(&table);
    const int n = kane_model_state_count(searched.model);
    assert_true(searched.model->wheels[0].contact->gap[0] == NULL && table.model->wheels[0].contact->gap[0] != NULL);
    for (int i = 1; i <= 12; i++) {
        assert_true(wagon_go(&searched, 0.5 * i) && wagon_go(&table, 0.5 * i));
        const double *a = kane_simulation_state(searched.simulation), *b = kane_simulation_state(table.simulation);
        for (int k = 0; k < n; k++)
            coordinates = fmax(coordinates, fabs(a[k] - b[k]));
        for (int k = 0; k < FEVE_AXLES; k++)
            for (int side = 0; side < 2; side++)
                force = fmax(force, fabs(wagon_Q(&searched, feve_axle(&searched, k), (kane_side)side) -
                                         wagon_Q(&table, feve_axle(&table, k), (kane_side)side)));
    }
    print_message("states differ by %.2g, wheel loads by %.2g N\n", coordinates, force);
    check_below(coordinates, 2e-5);
    check_below(force, 5.0);
}

CHECK_TEST(its_jacobian_is_the_derivative)
{
    static const char *const rows[][8] = {{GENTLE}, {GENTLE, "formulation=fixed"}, {GENTLE, TABULATED}};
    for (int i = 0; i < 3; i++)
        wagon_check_jacobian("feve-curve", rows[i], 1e-4);
}

// y = 50 (10 xi^3 - 15 xi^4 + 6 xi^5) over 270 m: places at the end and in the middle, where the curvature is none.
CHECK_TEST(its_line_is_the_published_curve)
{
    static const double length = 276.473701;
    CHECK_FREED(wagon) w       = wagon_read("feve-curve", NULL);
    const kane_track *track    = w.definition.track;
    const double places[3]     = {60.0, 60.0 + 0.5 * length, 60.0 + length};
    kane_vec3 at[3], along[3];
    for (int i = 0; i < 3; i++) {
        const int piece = kane_track_find(track, places[i] + (i == 2 ? 1e-9 : 0.0));
        kane_track_frame frame;
        kane_track_eval(track, piece, places[i], &frame);
        at[i]    = kv3_add(kane_track_anchor(track, piece), frame.origin);
        along[i] = frame.R.x;
    }
    for (int i = 1; i < 3; i++) {
        check_near(at[i].x - at[0].x, i == 1 ? 135.0 : 270.0, 2e-4);
        check_near(at[i].y - at[0].y, i == 1 ? 25.0 : 50.0, 2e-4);
        check_near(along[i].y / along[i].x, i == 1 ? 50.0 / 270.0 * 1.875 : 0.0, 2e-6);
    }
}

// Bends come after some 4 and 11 s; without rails that hold it down the locomotive would lift a wheel where the first
// flange reaches its rail.
CHECK_TEST(it_leans_in_both_bends)
{
    static const char *const held[] = {"integrator.rtol=1e-5", NULL}, *const free_[] = {ONE_SIDED, NULL};
    CHECK_FREED(wagon) w = wagon_read("feve-curve", held), lifts = wagon_read("feve-curve", free_);
    double q[6], rates[6], out[3];
    wagon_start(&w);
    wagon_start(&lifts);
    const int car = kane_model_find_body(w.model, "car");
    for (int i = 0; i < 3; i++) {
        static const double times[3] = {4.5, 7.5, 10.8};
        assert_true(wagon_go(&w, times[i]));
        kane_get_relative(w.model, kane_simulation_work(w.simulation), car, q, rates);
        out[i] = q[KANE_ROLL];
        for (int k = 0; k < FEVE_AXLES; k++)
            for (int side = 0; side < 2; side++)
                check_near(kane_simulation_work(w.simulation)->wheels[k].guidance.gap[side], 0.0, 1e-8);
    }
    assert_true(out[0] > 0.05 && out[2] < -0.05 && fabs(out[1]) < 0.05);
    assert_false(wagon_go(&lifts, 4.0));
    assert_int_equal(kane_simulation_stop(lifts.simulation), KANE_STOP_WHEEL_LIFT);
}

// What pulls is told: normal forces of rails that hold wheels down may be negative, and creep forces go on through
// zero.
CHECK_TEST(rails_may_hold_wheels_down)
{
    CHECK_FREED(wagon) w = wagon_with("feve-curve", "until.distance=170", "track.sections=[{\"straight\":200}]",
                                      "vehicle.bodies.car.start={\"rates\": {\"roll\": 0.5}}");
    double least         = 0.0;
    wagon_start(&w);
    for (int i = 1; i < 100 && wagon_go(&w, 0.02 * i); i++)
        for (int k = 0; k < FEVE_AXLES; k++)
            for (int side = 0; side < 2; side++) {
                double lift;
                const kane_work *work = kane_simulation_work(w.simulation);
                const kane_patch *p =
                    &kane_get_contact(w.model, work, feve_axle(&w, k), (kane_side)side, &lift)->patch[0];
                check_near(p->N, work->wheels[k].guidance.N[side], 1e-9);
                least = fmin(least, p->N);
            }
    assert_true(least < -1e3);
}

// As it was published it rests the same, and rolls on straight track; its inertias are refused unless somebody says
// that they may be impossible, and rails that give way hold nothing down.
CHECK_TEST(what_is_for_comparison_has_to_be_asked_for)
{
    static const char *const elastic[] = {"vehicle.patterns.wheelset.contact.model=elastic", NULL};
    CHECK_ERRORS errors                = {0};
    wagon w = wagon_with("feve-curve", "variant=as-published", "track.sections=[{\"straight\":200}]");
    double load[2];
    wagon_start(&w);
    assert_int_equal(kane_model_wheel_load(w.model, feve_axle(&w, 0), load), KANE_OK);
    check_near(load[KANE_LEFT], 38360.0, 100.0);
    assert_true(wagon_go(&w, 2.0));
    const kane_steady_definition straight = {.speed = 23.7};
    CHECK_OWNED(kane_steady) *steady      = CHECK_GOOD(kane_steady_create, &w.definition, &straight);
    double same[2];
    assert_int_equal(kane_model_wheel_load(kane_steady_model(steady), feve_axle(&w, 0), same), KANE_OK);
    check_near(same[KANE_LEFT], load[KANE_LEFT], 1e-6);
    wagon_free(&w);

    w = wagon_with("feve-curve", "variant=as-published", "vehicle.bodies.car.impossible_inertia=false",
                   "vehicle.patterns.housing.impossible_inertia=false");
    const kane_run_definition *d = &w.definition;
    assert_null(kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors));
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "no body has these moments of inertia"));
    wagon_free(&w);

    const kane_run_options how = {.settings = elastic};
    kane_errors_free(&errors);
    assert_null(kane_run_read(KANE_SOURCE_DIR "/data/runs/feve-curve.json", &how, &errors));
    assert_string_equal(kane_errors_get(&errors, 0)->text, "is only used by \"model\": \"constraint\" and \"table\"");
}

CHECK_MAIN(NULL, NULL)
