// SPDX-License-Identifier: MIT
// Guided wheels in single states: accelerations belong to the motion even where rails bend sharply, and states that no
// vehicle is ever in are refused by name, not answered with nonsense.

#include "property/wagon/wagon.h"

#include "agem/rail_constraint.h"

#define CONTACT    "vehicle.patterns.wheelset.contact."
#define CONSTRAINT CONTACT "model=constraint"
#define TABLES     CONTACT "model=table"

enum { STATES = 64 };

// A step of 10 mm over half a metre, of one rail upwards and of both sideways, met at 20 m/s.
#define JOGS                                                                                                           \
    "track.irregularities={\"defects\":["                                                                              \
    "{\"kind\":\"left_vertical\",\"shape\":\"jog\",\"at\":40,\"length\":0.5,\"height\":0.01},"                         \
    "{\"kind\":\"lateral\",\"shape\":\"jog\",\"at\":40,\"length\":2,\"height\":0.004}]}"

// Speeds of a guided wheelset that its rails tell, and how the equations say they change: the rates of both gaps, which
// stay zero, or what follows from the tables.
static void look(const kane_work *work, const kane_wheels *wheels, double speed[2], double change[2])
{
    const kane_guidance *g   = &work->wheels[0].guidance;
    const kane_body_state *b = &work->body[wheels->body];
    const int by_tables      = wheels->contact_model == KANE_CONTACT_TABLE;
    speed[0]                 = by_tables ? b->v.z : g->rate[0];
    speed[1]                 = by_tables ? b->w.x : g->rate[1];
    change[0]                = by_tables ? b->a.z : 0.0;
    change[1]                = by_tables ? b->e.x : 0.0;
}

// Follows the motion for 10 us to both sides.
static void check_accelerations(const char *way, const char *track, double tolerance)
{
    const double h       = 1e-5;
    CHECK_FREED(wagon) w = wagon_with("wagon-ore", way, JOGS, "variant=tare", track);
    double y[STATES], ydot[STATES], there[STATES], rates[STATES];
    wagon_start(&w);
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
    const int n                  = kane_model_state_count(w.model);
    for (double t = 1.15; t < 1.4; t += 0.004) {
        double speed[3][2], change[2], unused[2];
        (void)wagon_go(&w, t);
        memcpy(y, kane_simulation_state(w.simulation), (size_t)n * sizeof *y);
        kane_work_locate(w.model, work, t, y);
        assert_int_equal(kane_project(w.model, work, t, y), KANE_OK);
        assert_int_equal(kane_eval(w.model, work, t, y, ydot), KANE_OK);
        look(work, &w.model->wheels[0], speed[1], change);
        for (int i = 0; i < 3; i += 2) {
            for (int k = 0; k < n; k++)
                there[k] = y[k] + (i - 1) * h * ydot[k];
            assert_int_equal(kane_eval(w.model, work, t + (i - 1) * h, there, rates), KANE_OK);
            look(work, &w.model->wheels[0], speed[i], unused);
        }
        for (int k = 0; k < 2; k++)
            check_near((speed[2][k] - speed[0][k]) / (2.0 * h), change[k], tolerance);
    }
}

// [m/s^2] and [rad/s^2]; at the jog the wheelset accelerates with some 30 m/s^2.
CHECK_TEST(accelerations_belong_to_the_motion)
{
    static const char *const tracks[] = {"track.name=rigid", FLEXIBLE};
    for (int i = 0; i < 2; i++) {
        check_accelerations(CONSTRAINT, tracks[i], 1e-4);
        check_accelerations(TABLES, tracks[i], 1e-4);
    }
}

// Coordinates up to 20 mm and 50 mrad away from rest, speeds up to 5 m/s and rad/s, over three decades.
static void check_random_states(const char *way, const char *law, const char *track)
{
    CHECK_FREED(wagon) w = wagon_with("wagon-ore", way, law, "track.irregularities={}", track);
    uint64_t seed        = 88172645463325252u;
    double y[STATES], ydot[STATES];
    int refused = 0;
    wagon_start(&w);
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
    const int n                  = kane_model_state_count(w.model);
    const double *rest           = kane_simulation_state(w.simulation);
    for (int i = 0; i < 4000; i++) {
        const double size = pow(10.0, -1.5 * (1.0 + random_number(&seed)));
        memcpy(y, rest, (size_t)n * sizeof *y);
        for (int j = 0; j < w.model->body_count; j++) {
            const kane_body *body = &w.model->bodies[j];
            for (int c = 0; c < KANE_COORDINATES; c++)
                y[body->q + c] += size * (c < KANE_YAW ? 0.02 : 0.05) * random_number(&seed);
            for (int c = 0; c < body->u_count; c++)
                y[body->u + c] += size * 5.0 * random_number(&seed);
        }
        const kane_status status = kane_eval(w.model, work, 0.0, y, ydot);
        for (int k = 0; k < n && status == KANE_OK; k++)
            assert_true(isfinite(ydot[k]));
        if (status != KANE_OK) {
            refused++;
            assert_int_equal(work->fault.status, status);
            assert_true(work->fault.subject[0] != '\0' && work->fault.text[0] != '\0');
        } else if (kane_project(w.model, work, 0.0, y) == KANE_OK) {
            for (int k = 0; k < n; k++)
                assert_true(isfinite(y[k]));
        }
    }
    print_message("%s, %s: %d of 4000 refused\n", way, law, refused);
    // panels move as far as wheelsets do: twice as many leave the tables
    assert_true(refused < (w.model->panel_count ? 800 : 400));
}

CHECK_TEST(no_state_is_answered_with_nonsense)
{
    static const char *const laws[] = {CONTACT "creep=linear", CONTACT "creep=SHE", CONTACT "creep=FASTSIM",
                                       CONTACT "creep=Polach"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        check_random_states(CONSTRAINT, laws[i], i ? "track.name=rigid" : FLEXIBLE);
        check_random_states(TABLES, laws[i], i ? "track.name=rigid" : FLEXIBLE);
    }
}

// A wheelset off its tables is refused where its motion is found: nothing later has to detect numbers that are none.
CHECK_TEST(motion_off_the_tables_is_refused)
{
    double y[64];
    CHECK_FREED(wagon) w         = wagon_open_with("wagon-transition", "vehicle.patterns.wheelset.contact.model=table");
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
    assert_true(kane_model_state_count(w.model) <= 64);
    memcpy(y, kane_simulation_state(w.simulation), (size_t)kane_model_state_count(w.model) * sizeof *y);
    kane_work_locate(w.model, work, 0.0, y);
    assert_int_equal(kane_motion_eval(w.model, work, 0.0, y), KANE_OK);
    y[w.model->bodies[w.model->wheels[0].body].q + KANE_Y] += 20e-3;
    assert_int_equal(kane_motion_eval(w.model, work, 0.0, y), KANE_RETRY);
    assert_non_null(strstr(work->fault.text, "it is off the tables"));
    assert_string_equal(work->fault.subject, "leading");
}

CHECK_MAIN(NULL, NULL)
