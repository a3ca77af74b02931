// SPDX-License-Identifier: MIT
// The ledger of imaginary terms against what they must be, and what a state means.

#include "property/wagon/wagon.h"

static const double Iz = 4.5e5, mass = 34000.0; // of the body, vehicles/two-axle-wagon.json

static kane_vec3 term(wagon *w, int body, kane_wrench_kind kind, kane_imaginary_term t)
{
    return kane_get_imaginary(w->model, kane_simulation_work(w->simulation), body, kind, t);
}

// On uncanted level track the imaginary torque of rotation about the vertical is -I_z (a kappa + v^2 kappa'): the
// torque of the source's Figure 5. All its axes are the body's, which is turned by a milliradian against the frame at
// most.
CHECK_TEST(rotation_torque_of_the_body_is_the_sources)
{
    const double a = 0.5, kappa_s = 1.0 / 600.0 / 60.0;
    CHECK_FREED(wagon) w =
        wagon_with("wagon-transition", "track.sections[1].to.cant=0", "track.sections[1].shape=clothoid",
                   "until.distance=170", "vehicle.bodies.body.dof=[\"x\",\"y\",\"z\",\"yaw\"]");
    int seen = 0;
    wagon_start(&w);
    for (int i = 1; wagon_go(&w, 0.1 * i); i++) {
        double s, v, now;
        kane_get_travel(kane_simulation_work(w.simulation), &s, &v, &now);
        const double inside   = s < 50.0 ? 0.0 : s > 110.0 ? 60.0 : s - 50.0;
        const double kappa    = kappa_s * inside;
        const int transition  = s > 50.0 && s < 110.0;
        const double expected = -Iz * (a * kappa + v * v * (transition ? kappa_s : 0.0));
        check_near(term(&w, BODY, KANE_TORQUE, KANE_ROTATION).z, expected, 1e-12 * fabs(expected));
        check_near(now, a, 0.0);
        seen += transition;
    }
    assert_true(seen > 10);
}

// Centrifugal acceleration, tangential acceleration: -m a_o of the exact frame.
CHECK_TEST(translation_force_holds_centrifugal_force)
{
    CHECK_FREED(wagon) w = wagon_with("wagon-transition", "track.sections[1].to.cant=0");
    double s, v, a;
    wagon_start(&w);
    assert_true(wagon_go(&w, 10.0)); // in the curve
    kane_get_travel(kane_simulation_work(w.simulation), &s, &v, &a);
    assert_true(s > 115.0);
    check_vec3(term(&w, BODY, KANE_FORCE, KANE_TRANSLATION), kv3(-mass * 0.5, -mass * v * v / 600.0, 0.0), 1e-7);
    // and the wheelset's gyroscopic torque about x: -(tr J - 2 J) w x w' with the spin: +I_y psi' v spin
    kane_vec3 omega;
    kane_get_absolute(w.model, kane_simulation_work(w.simulation), LEADING, NULL, &omega, NULL, NULL);
    const double turning = v / 600.0, I = 800.0, Iy = 100.0, spin = omega.y;
    const kane_vec3 torque = term(&w, LEADING, KANE_TORQUE, KANE_GYROSCOPIC);
    check_relative(torque.x, (2.0 * I + Iy - 2.0 * I) * turning * spin, 1e-3);
}

// The seven terms and the relative inertia make up the absolute motion: m p = F + reaction.
CHECK_TEST(terms_add_up_to_absolute_motion)
{
    CHECK_FREED(wagon) w = wagon_open_with("wagon-transition", "imaginary_as_forces=true");
    for (int i = 1; i < 12; i++) {
        assert_true(wagon_go(&w, (double)i));
        const kane_work *work = kane_simulation_work(w.simulation);
        for (int j = BODY; j <= TRAILING; j++) {
            const kane_body_state *b = &work->body[j];
            const kane_body *body    = &w.model->bodies[j];
            const kane_transport *T  = &work->transport[body->frame];
            kane_vec3 p, alpha, omega;
            kane_get_absolute(w.model, work, j, NULL, &omega, &p, &alpha);
            const kane_vec3 weight = kv3_scale(body->mass, work->gravity); // comes in by the frames' acceleration
            kane_vec3 force        = kv3_add(km3_tmulv(T->R, kv3_add(b->applied.force, weight)), b->reaction.force);
            check_vec3(kv3_scale(body->mass, p), force, 1e-8 * body->mass);
            kane_vec3 sum = kv3_zero();
            for (int t = 0; t < KANE_IMAGINARY_TERMS; t++)
                sum = kv3_add(sum, term(&w, j, KANE_FORCE, (kane_imaginary_term)t));
            check_vec3(kv3_sub(kv3_scale(body->mass, b->a), sum), force, 1e-8 * body->mass);
        }
    }
}

CHECK_MAIN(NULL, NULL)
