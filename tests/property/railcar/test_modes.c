// SPDX-License-Identifier: MIT
// Which body hangs on which is a matter of description: an axle that hangs on one of its boxes, and carries the other,
// makes the same vehicle as one that carries both; it stands the same in a curve, and has the same eigenvalues. So has
// one that rails guide, whose rails then answer to a tree instead of to what hangs on the axle, and whose height and
// roll do not follow from tables any more.

#include "property/railcar/railcar.h"
#include "property/wagon/linear.h"
#include "property/wagon/stand.h"

#define BOX_IN_FRAME                                                                                                    \
    "vehicle.bodies.box 2 left.joint={\"type\": \"free\", \"at\": [4.8, 1, 0.46]}",                                     \
        "vehicle.wheelsets.wheelset 2.joint={\"type\": \"revolute\", \"axis\": [0, 1, 0], \"parent\": \"box 2 left\", " \
        "\"at\": [4.8, 1, 0.46]}"

// Every eigenvalue of one is there in the other; of two that are zero rounding may make a pair.
static void check_found(int count, const double *re, const double *im, int other, const double *other_re,
                        const double *other_im)
{
    for (int k = 0; k < count; k++) { // in the order of frequency; what is stiff comes about where it was
        double nearest = HUGE_VAL;
        for (int i = 0; i < other; i++)
            nearest = fmin(nearest, hypot(re[k] - other_re[i], im[k] - other_im[i]));
        assert_true(nearest <= check_tolerance(2e-4) * (1.0 + hypot(re[k], im[k])));
    }
}

static void has_the_same_eigenvalues(const char *variant)
{
    const char *const carries[] = {"start.speed=20", variant, NULL};
    const char *const hangs[]   = {"start.speed=20", BOX_IN_FRAME, variant, NULL};
    double re[2][LINEAR_STATES_MOST], im[2][LINEAR_STATES_MOST];
    int count[2];
    for (int i = 0; i < 2; i++) {
        CHECK_FREED(wagon) w = wagon_open("railcar", i == 0 ? carries : hangs);
        count[i]             = linear_eigenvalues(&w, re[i], im[i]);
    }
    check_found(count[0], re[0], im[0], count[1], re[1], im[1]);
    check_found(count[1], re[1], im[1], count[0], re[0], im[0]);
}

static const char *const variants[] = {"variant=guided", "variant=tables", NULL};

CHECK_TEST(an_axle_may_hang_on_its_box)
{
    for (int i = 0; i < 3; i++)
        has_the_same_eigenvalues(variants[i]);
}

CHECK_TEST(it_runs_alike)
{
    for (int i = 0; i < 3; i++) {
        const char *const carries[] = {TIGHT, "until.distance=80", variants[i], NULL};
        const char *const hangs[]   = {TIGHT, "until.distance=80", BOX_IN_FRAME, variants[i], NULL};
        railcar_check_alike(carries, hangs, 0, "box 2 left, box 2 right, wheelset 2", 1e-5, 20.0);
    }
}

// In steady curves boxes and motor stand while the axles turn in them; in the tightest the search has to stop what gets
// too fast.
CHECK_TEST(it_stands_in_curves)
{
    static const char *const none[] = {NULL}, *const multipliers[] = {"form=multipliers", NULL};
    static const char *const guided[] = {"variant=guided", NULL}, *const tables[] = {"variant=tables", NULL};
    static const struct {
        const char *const *settings;
        double speed, radius, cant;
    } rows[] = {{none, 15.0, 600.0, 0.1},     {multipliers, 15.0, 600.0, 0.1}, {guided, 15.0, 600.0, 0.1},
                {tables, 20.0, -300.0, 0.15}, {none, 20.0, 300.0, 0.15},       {none, 20.0, -300.0, 0.15},
                {none, 15.0, 150.0, 0.15}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_FREED(stand) s = stand_at("railcar", rows[i].settings, rows[i].speed, rows[i].radius, rows[i].cant);
        check_below(kane_steady_equilibrium(s.steady)->residual, 1e-7);
        const int box      = kane_model_find_body(s.model, "box 1 left");
        const int wheelset = kane_model_find_body(s.model, "wheelset 1");
        double angle, rate, q[6], rates[6];
        kane_get_joint(s.model, kane_steady_work(s.steady), box, &angle, &rate, NULL);
        kane_get_relative(s.model, kane_steady_work(s.steady), wheelset, q, rates);
        check_near(rate, 0.0, 1e-9);
        assert_true(rates[KANE_PITCH] > 30.0 && fabs(angle) > 1e-5);
    }
}

CHECK_MAIN(NULL, NULL)
