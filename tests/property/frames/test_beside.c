// SPDX-License-Identifier: MIT
// A wagon runs the same wherever beside the line its frames go: along trajectories parallel to it, the wheelsets'
// others than the body's. Coordinates count from the frames; nothing else changes, neither in moving frames nor in A.

#include "property/wagon/record.h"

// Of the body and of the wheelsets, to the left and up [m].
static const double body_aside[2] = {-1.5, 0.7}, wheelset_aside[2] = {0.8, -0.3};

#define ASIDE "vehicle.bodies.body.frame_offset=[-1.5, 0.7]", "vehicle.patterns.wheelset.frame_offset=[0.8, -0.3]"

// The line, at whose ramps about the inner rail the attitude and angular velocity of frames jump.
#define RAMP "track.cant_axis=inner_rail", "track.sections[1].shape=clothoid"

#define WAY(way) "vehicle.patterns.wheelset.contact.model=" way

static void add_offsets(record *r)
{
    for (int i = 0; i < r->rows; i++)
        for (int body = BODY; body <= TRAILING; body++) {
            const double *aside = body == BODY ? body_aside : wheelset_aside;
            r->at[i][6 * body + KANE_Y] += aside[0];
            r->at[i][6 * body + KANE_Z] += aside[1];
        }
}

// A run as it is, and with its frames beside the line. settings has `count` of them and room for four more.
static contrast contrast_of_offsets(const char *run, int count, const char **settings, const char *formulation)
{
    static record on_line, beside;
    static const char *const aside[] = {ASIDE};
    settings[count]                  = NULL;
    record_run(run, settings, 1, &on_line);
    settings[count]     = aside[0];
    settings[count + 1] = aside[1];
    settings[count + 2] = formulation;
    settings[count + 3] = NULL;
    record_run(run, settings, 1, &beside);
    add_offsets(&beside);
    return record_compare(&on_line, &beside);
}

static void check_same(const char *run, int count, const char **settings, int formulation_count, double place,
                       double load)
{
    static const char *const formulations[] = {"formulation=moving", "formulation=fixed"};
    for (int i = 0; i < formulation_count; i++) {
        const contrast c = contrast_of_offsets(run, count, settings, formulations[i]);
        check_figure(contrast_largest(&c), "%s, %s: coordinates", run, formulations[i] + strlen("formulation="));
        check_figure(c.Q, "%s, %s: Q", run, formulations[i] + strlen("formulation="));
        if (!(contrast_largest(&c) <= check_tolerance(place) && c.Q <= check_tolerance(load)))
            fail_msg("%s, %s, %s: coordinates differ by %.3g, loads by %.3g N", run, settings[count - 1],
                     formulations[i], contrast_largest(&c), c.Q);
    }
}

CHECK_TEST(an_accelerating_wagon_runs_the_same)
{
    const char *settings[14] = {TIGHT, "until.distance=150", "track.sections[1].shape=bloss"};
    check_same("wagon-transition", 7, settings, 1, 1e-6, 1.0);
}

// Without the shift of the border's map the frames' jumps of attitude would move the bodies by what their origins are
// aside.
CHECK_TEST(jumps_of_the_line_do_not_show)
{
    const char *settings[14] = {TIGHT, "until.distance=150", RAMP};
    check_same("wagon-transition", 8, settings, 2, 1e-6, 2.0);
}

CHECK_TEST(a_driven_wagon_runs_the_same)
{
    const char *settings[14] = {TIGHT, "until.distance=150", RAMP};
    check_same("wagon-driven", 8, settings, 1, 1e-6, 2.0);
}

CHECK_TEST(guided_wheels_run_the_same)
{
    const char *held[14]   = {TIGHT, "until.distance=150", RAMP, WAY("constraint")};
    const char *tables[14] = {TIGHT, "until.distance=150", RAMP, WAY("table")};
    check_same("wagon-transition", 9, held, 2, 1e-6, 2.0);
    check_same("wagon-transition", 9, tables, 2, 1e-6, 2.0);
    check_same("wagon-driven", 9, tables, 1, 1e-6, 2.0);
}

CHECK_TEST(flexible_track_gives_way_the_same)
{
    const char *settings[14] = {TIGHT, "until.distance=150", "track.flexibility={}"};
    check_same("wagon-transition", 7, settings, 1, 1e-6, 2.0);
}

CHECK_MAIN(NULL, NULL)
