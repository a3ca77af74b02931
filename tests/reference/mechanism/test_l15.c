// SPDX-License-Identifier: MIT
// L15, a tree of 15 bodies and 60 freedoms like a locomotive's, through the public interface: accelerations on which
// RBDL, MuJoCo and Pinocchio agree (shown to 15 digits; they differ by 3e-13 from each other).
//
// A car hangs by six freedoms (x, y, z, then turns about z, y, x), two bogies on it and three wheelsets on each bogie
// likewise; a motor beside each wheelset swings about y on the bogie. All mass centres are off their joints.

#include "l15.h"
#include "mechanisms.h"

enum { BODIES = 15 };

// At its joint in the drawing, mass centre (.01, .02, .03) from there.
static int add(mechanism *m, const char *name, double mass, kane_vec3 J, kane_joint_kind kind, const char *parent,
               kane_vec3 at)
{
    const int body               = mechanism_add(m, name, mass, J, kv3_add(at, kv3(0.01, 0.02, 0.03)));
    const int is_free            = kind == KANE_JOINT_FREE;
    kane_joint_definition *joint = mechanism_hang(m, body, kind, parent, at, is_free ? km3_identity() : axes_about(1));
    if (is_free) {
        joint->dof      = KANE_ALL_DOF;
        joint->rotation = "zyx";
    }
    return body;
}

static void build(mechanism *m)
{
    static const char *const bogie[2]    = {"bogie 0", "bogie 1"};
    static const char *const wheelset[6] = {"wheelset 0", "wheelset 1", "wheelset 2",
                                            "wheelset 3", "wheelset 4", "wheelset 5"};
    static const char *const motor[6]    = {"motor 0", "motor 1", "motor 2", "motor 3", "motor 4", "motor 5"};
    mechanism_begin(m, 9.81);
    (void)add(m, "car", 5e4, kv3(5e4, 1e6, 1e6), KANE_JOINT_FREE, NULL, kv3_zero());
    for (int b = 0; b < 2; b++) {
        const kane_vec3 centre = kv3(b ? 6.0 : -6.0, 0.0, -1.0);
        (void)add(m, bogie[b], 8000.0, kv3(5e3, 1e4, 1e4), KANE_JOINT_FREE, "car", centre);
        for (int w = 0; w < 3; w++) {
            const double x = 1.8 * (w - 1);
            const int i    = 3 * b + w;
            (void)add(m, wheelset[i], 2500.0, kv3(1000.0, 200.0, 1000.0), KANE_JOINT_FREE, bogie[b],
                      kv3_add(centre, kv3(x, 0.0, -0.5)));
            (void)add(m, motor[i], 1000.0, kv3(100.0, 100.0, 100.0), KANE_JOINT_REVOLUTE, bogie[b],
                      kv3_add(centre, kv3(x + 0.5, 0.0, -0.3)));
        }
    }
}

CHECK_TEST(test_accelerations)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    double q[L15_FREEDOMS], rate[L15_FREEDOMS], acceleration[L15_FREEDOMS], sum = 0.0, largest = 0.0;
    build(&m);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    assert_int_equal(kane_model_body_count(m.model), BODIES);
    assert_int_equal(kane_model_dof_count(m.model), L15_FREEDOMS);

    for (int i = 0; i < L15_FREEDOMS; i++) {
        q[i]    = 0.1 * ((7 * i) % 11 - 5) / 5.0;
        rate[i] = 0.1 * ((5 * i) % 13 - 6) / 6.0;
    }
    for (int j = 0, k = 0; j < BODIES; j++) {
        kane_put_joint(m.model, m.work, j, q + k, rate + k);
        k += m.bodies[j].joint->kind == KANE_JOINT_FREE ? 6 : 1;
    }
    kane_put_joints_end(m.model, m.work, m.y);
    mechanism_eval(&m, 0.0);

    int count = 0;
    for (int j = 0; j < BODIES; j++) {
        double q_back[KANE_JOINT_COORDINATES], rate_back[KANE_JOINT_COORDINATES];
        const int n = kane_get_joint(m.model, m.work, j, q_back, rate_back, acceleration + count);
        for (int k = 0; k < n; k++) {
            check_near(q_back[k], q[count + k], 1e-15);
            check_near(rate_back[k], rate[count + k], 1e-15);
        }
        count += n;
    }
    assert_int_equal(count, L15_FREEDOMS);
    for (int i = 0; i < L15_FREEDOMS; i++) {
        largest = fmax(largest, fabs(acceleration[i] - l15[i]));
        sum += acceleration[i] * acceleration[i];
    }
    check_near(largest, 0.0, 1e-12);
    check_relative(sum, 96.2394682954682, 1e-13);
}

CHECK_MAIN(NULL, NULL)
