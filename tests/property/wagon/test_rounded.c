// SPDX-License-Identifier: MIT
// Where a frame's velocity or attitude jumps, imaginary terms have impulses. What it does to leave out a term there is
// the limit of what it does on ever shorter roundings of the kink, on which nothing jumps and no impulse is counted.

#include "property/wagon/wagon.h"
#include "rounded.h"

enum { ROWS = 96, ROUNDINGS = 3 };
static const double step = 0.04, speed = 25.0, start = 10.0; // of rows [s], of the run [m/s], [m]
static const double longest = 4.0;                           // rounding [m]

typedef struct motion {
    double q[ROWS][18];
} motion;

// Vertical dampers are weak: where attitudes jump they would have impulses of their own. 25 m/s over a straight of 50
// m, a ramp of 60 m (or none), a curve.
static void ride_over(const kane_track *track, const char *omit, motion *m)
{
    const kane_omission omission = {.text = omit};
    CHECK_FREED(wagon) w =
        wagon_with("wagon-transition", TIGHT, "start.speed=25", "speed=[]", "imaginary_as_forces=true",
                   "until.distance=140", "vehicle.patterns.axlebox.damping=[2e4, 2e4, 200]");
    w.definition.track                = track;
    w.definition.model.omissions      = &omission;
    w.definition.model.omission_count = omit != NULL;
    wagon_start(&w);
    for (int k = 0; k < ROWS; k++) {
        assert_true(wagon_go(&w, step * (k + 1)));
        wagon_coordinates(&w, m->q[k]);
    }
}

static kane_track *line(const rounded_ramp *ramp, kane_cant_axis axis)
{
    wagon w           = wagon_read("wagon-transition", NULL);
    kane_track *track = rounded_track(kane_track_get_definition(w.definition.track), ramp, axis);
    kane_run_free(w.run);
    return track;
}

// What an omission changes in a coordinate of the body over time.
static void effect_on(const kane_track *track, const char *omit, kane_coordinate c, double effect[ROWS])
{
    static motion complete, omitting;
    ride_over(track, NULL, &complete);
    ride_over(track, omit, &omitting);
    for (int k = 0; k < ROWS; k++)
        effect[k] = omitting.q[k][6 * BODY + c] - complete.q[k][6 * BODY + c];
}

// Rows at which the body is on a rounding aside: there an impulse takes its time.
static double largest(const rounded_ramp *ramp, const double *a, const double *b)
{
    double most = 0.0;
    for (int k = 0; k < ROWS; k++) {
        const double s = start + speed * step * (k + 1) - ramp->straight;
        if (fabs(s) > 0.5 * longest && fabs(s - ramp->length) > 0.5 * longest)
            most = fmax(most, fabs(a[k] - (b ? b[k] : 0.0)));
    }
    return most;
}

typedef struct sample {
    const char *omit;
    kane_coordinate c;
    double size; // of the effect at least [m], [rad]
    double left; // of the effect, on a rounding of 1 m
} sample;

// Roundings of 4, 2, 1 m come nearer and nearer to the kink: half as long, a quarter as far from it.
static void check(const sample *s, rounded_ramp ramp, kane_cant_axis axis)
{
    static const double roundings[ROUNDINGS] = {longest, 2.0, 1.0};
    double kinked[ROWS], rounded[ROWS], apart[ROUNDINGS];
    kane_track *track = line(&ramp, axis);
    effect_on(track, s->omit, s->c, kinked);
    kane_track_free(track);
    const double size = largest(&ramp, kinked, NULL);
    for (int i = 0; i < ROUNDINGS; i++) {
        ramp.rounding = roundings[i];
        track         = line(&ramp, axis);
        effect_on(track, s->omit, s->c, rounded);
        kane_track_free(track);
        apart[i] = largest(&ramp, kinked, rounded) / size;
    }
    if (getenv("KANE_SHOW"))
        print_message("%s: %s by %.3g at the kink; roundings differ by %.3g %.3g %.3g\n", s->omit,
                      kane_coordinate_name(s->c), size, apart[0], apart[1], apart[2]);
    if (!(size > s->size && apart[1] < 0.35 * apart[0] && apart[2] < 0.35 * apart[1] && apart[2] < s->left))
        fail_msg("%s: %s by %.3g at the kink; roundings of 4, 2, 1 m differ from it by %.3g, %.3g, %.3g of that",
                 s->omit, kane_coordinate_name(s->c), size, apart[0], apart[1], apart[2]);
}

// The angular velocity about the track jumps.
CHECK_TEST(at_the_kinks_of_a_ramp_omitted_terms_omit_their_impulses)
{
    static const sample samples[] = {{"body:torque.rotation.x", KANE_ROLL, 1e-3, 0.01},
                                     {"body:force.rotation.y", KANE_Y, 1e-3, 0.01}};
    const rounded_ramp ramp       = {50.0, 60.0, 300.0, 1.0 / 600.0, 0.1, 0.0};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check(&samples[i], ramp, KANE_CANT_CENTRE_LINE);
}

// About the vertical it does where a curve begins without a transition.
CHECK_TEST(where_curvature_jumps_omitted_terms_omit_their_impulses)
{
    static const sample samples[] = {{"body:torque.rotation.z", KANE_YAW, 1e-4, 0.02}};
    const rounded_ramp ramp       = {50.0, 0.0, 300.0, 1.0 / 3000.0, 0.0, 0.0};
    check(&samples[0], ramp, KANE_CANT_CENTRE_LINE);
}

// So does the attitude, and with it the velocity, where the ramp turns about the inner rail.
CHECK_TEST(where_attitudes_jump_bodies_are_displaced)
{
    static const sample samples[] = {{"body:torque.rotation.y", KANE_PITCH, 5e-4, 0.01},
                                     {"body:force.translation.z", KANE_Z, 1e-3, 0.01},
                                     {"body:torque.rotation.x", KANE_ROLL, 1e-3, 0.01}};
    const rounded_ramp ramp       = {50.0, 60.0, 300.0, 1.0 / 600.0, 0.1, 0.0};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check(&samples[i], ramp, KANE_CANT_INNER_RAIL);
}

CHECK_MAIN(NULL, NULL)
