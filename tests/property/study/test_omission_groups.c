// SPDX-License-Identifier: MIT
// Dimensionless groups of imaginary terms of the two-axle wagon on a level Bloss transition, against formulas by hand:
//   kappa' = 1.5/(R L) at most, kappa = 1/R, weight W = (m + 2 m_w) g, b = 0.75 m,
//   k = 4 (k_x 1^2 + k_y 4.5^2) of yaw on four axle boxes.

#include "runs.h"

#include "study/omission.h"

enum { GROUPS = KANE_OMISSION_GROUPS };
static const double v = 20.0, R = 500.0, L = 60.0;
static const double m = 34e3, m_w = 1250.0, J_z = 4.5e5, J_y = 100.0, r_0 = 0.46, b = 0.75;

// Rows are 0.1 m apart: a maximum between two of them is missed by (0.05/30)^2 of it; the running circles of the
// profiles are 0.75 m from the middle within 1 mm.
static const double bound = 2e-3;

static kane_omission_closed *closed_form(const kane_run_definition *d)
{
    static const char *const pattern[] = {"body.y"};
    CHECK_OWNED(kane_results) *rows    = run_rows(d, 1, pattern);
    kane_omission_closed *form         = kane_omission_closed_create(d, rows);
    assert_non_null(form);
    return form;
}

static kane_run *level_run(void)
{
    static const char *const settings[] = {"start.speed=20",
                                           "speed=[{\"acceleration\": 0}]",
                                           "until.distance=130",
                                           "output.interval=5 ms",
                                           "track.sections[*].to.radius=500",
                                           "track.sections[*].to.cant=0",
                                           "track.sections[*].shape=bloss",
                                           NULL};
    return run_read("wagon-transition", settings);
}

CHECK_TEST(groups_are_those_of_formulas)
{
    CHECK_OWNED(kane_run) *run   = level_run();
    const kane_run_definition *d = kane_run_get_definition(run);
    const double g = d->vehicle->gravity, W = (m + 2.0 * m_w) * g, turning = v * v * 1.5 / (R * L);
    const double k             = 4.0 * (3e6 * 1.0 + 1.5e6 * 4.5 * 4.5);
    kane_omission_closed *form = closed_form(d);
    const struct {
        const char *term;
        double load, spring; // NaN: no formula
    } rows[] = {
        {"*:force.translation.y", v * v / (R * g), (double)NAN},
        {"body:torque.rotation.z", J_z * turning / (b * W), J_z * turning / k},
        {"leading:torque.gyroscopic.x", J_y * v / r_0 * v / R / (b * W), (double)NAN},
        {"body:force.centrifugal.*", 0.0, 0.0}, // the mass centre is over the origin: a vertical axis has no lever
    };
    double all[GROUPS];
    kane_omission_closed_groups(form, "*:*.*.*", 0, all);
    check_near(all[KANE_GROUP_SHARE], 1.0, 1e-15);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double group[GROUPS];
        kane_omission_closed_groups(form, rows[i].term, 0, group);
        print_message("%s: load %.6g (%.6g), spring %.6g (%.6g)\n", rows[i].term, group[KANE_GROUP_LOAD], rows[i].load,
                      group[KANE_GROUP_SPRING], rows[i].spring);
        check_near(group[KANE_GROUP_LOAD], rows[i].load, bound * rows[i].load + 1e-12);
        check_near(group[KANE_GROUP_SHARE], group[KANE_GROUP_LOAD] / all[KANE_GROUP_LOAD], 1e-15);
        if (isfinite(rows[i].spring)) // gravity changes yaw stiffness by m g/(4 k_z) of a metre, less than 1 %
            check_near(group[KANE_GROUP_SPRING], rows[i].spring, 1e-2 * rows[i].spring + 1e-12);
    }
    kane_omission_closed_free(form);
}

// At a kink a load lasts no time: no displacement at rest belongs to it.
CHECK_TEST(a_term_with_impulses_has_no_groups)
{
    CHECK_OWNED(kane_run) *run = level_run();
    kane_omission_closed *form = closed_form(kane_run_get_definition(run));
    double group[GROUPS];
    kane_omission_closed_groups(form, "body:torque.rotation.z", 1, group);
    for (int i = 0; i < GROUPS; i++)
        assert_true(isnan(group[i]));
    kane_omission_closed_groups(NULL, "body:torque.rotation.z", 0, group);
    assert_true(isnan(group[0]));
    kane_omission_closed_free(form);
}

CHECK_MAIN(NULL, NULL)
