// SPDX-License-Identifier: MIT
// Every kind of imaginary term matters: leaving it out changes the run far more than the choice of frames does.

#include "property/wagon/record.h"

CHECK_TEST(every_omitted_term_changes_the_run)
{
    static const struct {
        const char *omit;
        double y, Q; // body [m], wheel load [N]: half of what the term does to them
    } terms[] = {
        {"omit=[\"*:force.translation.*\"]", 5e-3, 7e3}, {"omit=[\"*:force.centrifugal.*\"]", 1e-6, 6},
        {"omit=[\"*:force.rotation.*\"]", 6e-4, 8e2},    {"omit=[\"*:force.gyroscopic.*\"]", 3e-7, 3},
        {"omit=[\"*:torque.centrifugal.*\"]", 3e-7, 8},  {"omit=[\"*:torque.rotation.*\"]", 3e-4, 4e2},
        {"omit=[\"*:torque.gyroscopic.*\"]", 1e-5, 5e1}, {"omit=[\"body:torque.rotation.z\"]", 2e-5, 1e2},
    };
    static record complete, omitting;
    const char *settings[8] = {TIGHT, "until.distance=170"};
    record_run("wagon-transition", settings, 1, &complete);
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        settings[6] = terms[i].omit;
        record_run("wagon-transition", settings, 1, &omitting);
        const contrast c = record_compare(&complete, &omitting);
        check_figure(c.q[KANE_Y], "%s y", terms[i].omit + strlen("omit="));
        check_figure(c.q[KANE_YAW], "%s yaw", terms[i].omit + strlen("omit="));
        check_figure(c.Q, "%s Q", terms[i].omit + strlen("omit="));
        if (!(c.q[KANE_Y] > terms[i].y && c.Q > terms[i].Q))
            fail_msg("%s: body y %g m, Q %g N", terms[i].omit, c.q[KANE_Y], c.Q);
    }
}

CHECK_MAIN(NULL, NULL)
