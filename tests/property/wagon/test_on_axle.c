// SPDX-License-Identifier: MIT
// Elements that hold an axle itself: all of their torque reaches the wheelset, and nothing else changes.

#include "runs.h"
#include "property/wagon/record.h"

// The wagon with all axle-box elements on the axles, with rotational stiffness and damping.
typedef struct rig {
    wagon w;
    kane_vehicle_definition vehicle;
    kane_element_definition elements[8];
    kane_bushing laws[8];
} rig;

static void start(rig *r, int on_axle, const char *const *settings)
{
    r->w       = wagon_read("wagon-transition", settings);
    r->vehicle = *r->w.definition.vehicle;
    for (int i = 0; i < r->vehicle.element_count; i++) {
        r->elements[i]                  = r->vehicle.elements[i];
        r->laws[i]                      = *(const kane_bushing *)r->elements[i].parameters;
        r->laws[i].rotational_stiffness = kv3(2e5, 0.0, 3e5);
        r->laws[i].rotational_damping   = kv3(1e3, 0.0, 2e3);
        r->elements[i].parameters       = &r->laws[i];
        r->elements[i].on_axle          = on_axle;
    }
    r->vehicle.elements          = r->elements;
    const kane_run_definition *d = &r->w.definition;
    r->w.model                   = CHECK_GOOD(kane_model_create, &r->vehicle, d->track, &d->drive, &d->model);
    r->w.simulation              = run_simulation(r->w.model, d);
}

// In the middle of the transition yaw torques have parts about rolled axles.
CHECK_TEST(the_axle_gets_the_torque_that_boxes_do_not_pass)
{
    rig boxes, axles;
    double y[64], a[64], b[64];
    start(&boxes, 0, NULL);
    start(&axles, 1, NULL);
    (void)wagon_go(&boxes.w, 4.0);
    const int n = kane_model_state_count(boxes.w.model);
    memcpy(y, kane_simulation_state(boxes.w.simulation), (size_t)n * sizeof *y);
    kane_work *wa = kane_work_create(boxes.w.model, NULL), *wb = kane_work_create(axles.w.model, NULL);
    kane_work_locate(boxes.w.model, wa, 4.0, y);
    kane_work_locate(axles.w.model, wb, 4.0, y);
    assert_int_equal(kane_eval(boxes.w.model, wa, 4.0, y, a), KANE_OK);
    assert_int_equal(kane_eval(axles.w.model, wb, 4.0, y, b), KANE_OK);
    for (int j = LEADING; j <= TRAILING; j++) {
        const kane_body_state *s = &wa->body[j];
        const kane_body *body    = &boxes.w.model->bodies[j];
        const double lost        = kv3_dot(s->axle, s->boxed.torque);
        kane_vec3 va, vb, ea, eb;
        kane_get_absolute(boxes.w.model, wa, j, NULL, NULL, &va, &ea);
        kane_get_absolute(axles.w.model, wb, j, NULL, NULL, &vb, &eb);
        const kane_vec3 axle = km3_tmulv(wa->transport[body->track_frame].R, s->axle);
        assert_true(fabs(lost) > 1e-3);
        check_near(kv3_norm(kv3_sub(va, vb)), 0.0, 1e-12);
        check_near(body->J.y * kv3_dot(axle, kv3_sub(eb, ea)), lost, 1e-7 * fabs(lost) + 1e-10);
    }
    kane_work_free(wa);
    kane_work_free(wb);
    wagon_free(&boxes.w);
    wagon_free(&axles.w);
}

CHECK_TEST(the_jacobian_is_the_derivative)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        const char *const settings[] = {"vehicle.patterns.wheelset.profile=cone", "track.rail.profile=round",
                                        fixed ? "formulation=fixed" : "formulation=moving", NULL};
        rig r;
        start(&r, 1, settings);
        for (int i = 0; i < 5; i++) {
            (void)wagon_go(&r.w, 1.2 * i);
            (void)run_check_jacobian(r.w.simulation, r.w.model, "on the axle", 2e-5);
        }
        wagon_free(&r.w);
    }
}

CHECK_TEST(energy_is_balanced)
{
    const char *const settings[] = {"output.work=true", "vehicle.patterns.wheelset.profile=cone",
                                    "track.rail.profile=round", TIGHT, NULL};
    kane_energy first, now;
    rig r;
    start(&r, 1, settings);
    kane_get_energy(r.w.model, kane_simulation_work(r.w.simulation), &first);
    for (int i = 1; i < 10; i++) {
        (void)wagon_go(&r.w, 0.5 * i);
        const double *work = kane_simulation_state(r.w.simulation) + kane_model_state_count(r.w.model);
        kane_get_energy(r.w.model, kane_simulation_work(r.w.simulation), &now);
        check_near(now.kinetic + now.gravity - first.kinetic - first.gravity, work[0] + work[1] + work[2],
                   1e-10 * first.kinetic);
    }
    wagon_free(&r.w);
}

CHECK_TEST(a_disc_of_a_wheelset_is_about_its_axle)
{
    const char *const settings[] = {"vehicle.constraints={\"disc\": {\"type\": \"rolling\", \"between\": [\"body\", "
                                    "\"leading\"], \"at\": [4.5, 0, 0], \"to\": [4.5, 0, 0.46], \"radius\": 0.46}}",
                                    NULL};
    wagon_check_refusal("wagon-transition", settings,
                        "'leading' has wheels on rails: its disc must have its centre on");
}

CHECK_MAIN(NULL, NULL)
