// SPDX-License-Identifier: MIT
// S1002 on 60E1 against the half-space, solved by plain code (oracle/plain_half_space.h): pressure, approach and place
// where two crowns have become one uneven patch, at the end of that zone and on the tread.

#include "oracle/plain_half_space.h"
#include "unit/contact/rig.h"

static const double N = 9870.0, mm = 1e-3, element = 0.4e-3;
enum { PLACES_MOST = 120 };

static kane_contact *create(void)
{
    kane_contact_definition d = kane_contact_definition_default();
    return rig_create(d);
}

// How far the left wheel that stands so overlaps its rail, from elements beside the patch on; places along the rail's
// surface.
static int overlap_of(const kane_contact *c, const kane_wheelset_position *s, double overlap[PLACES_MOST])
{
    const double out = kane_contact_wheel_distance(c, KANE_LEFT), rail = kane_contact_rail_distance(c, KANE_LEFT);
    int count = 0;
    for (double y = -0.024; y < 0.012 && count < PLACES_MOST; y += element) {
        double r[3], w[3], wheel_y = y;
        for (int i = 0; i < 5; i++) { // where along its axle, which rolls, the wheel is above y
            kane_contact_wheel_profile(c, KANE_LEFT, wheel_y, w);
            wheel_y = (y + rail - s->y + s->roll * (w[0] - 0.46)) - out;
        }
        kane_contact_rail_profile(c, KANE_LEFT, y, r);
        overlap[count++] = r[0] - (w[0] + s->z + s->roll * (out + wheel_y));
    }
    return count;
}

static const kane_patch *largest(const kane_contact_result *r)
{
    const kane_patch *p = &r->patch[0];
    for (int i = 1; i < r->patch_count; i++)
        p = r->patch[i].N > p->N ? &r->patch[i] : p;
    return p;
}

// Parts by which pressure and approach are off [1], and the place [m].
typedef struct difference {
    double pressure, approach, place;
} difference;

static difference compare(const kane_contact *c, double y)
{
    static double overlap[PLACES_MOST], A[PLACES_MOST];
    const double normal[2] = {N, N};
    kane_wheelset_position s;
    kane_wheelset_rolling rolling;
    plain_contact solved = {0};
    assert_int_equal(kane_wheelset_position_pressed(c, y, 0.0, normal, &s), KANE_OK);
    assert_int_equal(kane_wheelset_position_roll(c, &s, 2.0, &rolling), KANE_OK); // pressures are those of the strips
    const int count = overlap_of(c, &s, overlap);
    for (int j = 0; j < count; j++)
        A[j] = 0.5 / 0.46;
    const plain_gap gap = {count, overlap, A, element, 82e9 / (1.0 - 0.28)};
    assert_true(plain_half_space(&gap, N, &solved));
    const kane_patch *p = largest(&rolling.wheel[KANE_LEFT]);
    return (difference){p->pressure / solved.pressure - 1.0, p->approach / solved.approach - 1.0,
                        p->rail_y - (solved.place - 0.024)};
}

CHECK_TEST(it_is_hertz_for_parabolas)
{
    double overlap[41], A[41];
    for (int j = 0; j < 41; j++) {
        A[j]       = 1.0;
        overlap[j] = 2e-5 - 2.0 * (j - 20) * (j - 20) * element * element;
    }
    const plain_gap gap  = {41, overlap, A, element, 1.1e11};
    const kane_hertz h   = kane_hertz_eval(1.0, 2.0, 1.1e11, 9000.0);
    plain_contact solved = {0};
    assert_true(plain_half_space(&gap, 9000.0, &solved));
    check_relative(solved.pressure, h.pressure, 0.01);
    check_relative(solved.approach, h.approach, 0.005);
    check_near(solved.place, 20.0 * element, 1e-9);
}

CHECK_TEST(pressures_are_those_of_the_half_space)
{
    static const struct {
        double y;        // shift [mm]
        difference most; // pressure, approach, place [mm]
    } rows[] = {{0.4, {0.02, 0.05, 0.5}}, {0.5, {0.02, 0.05, 0.5}}, {0.6, {0.02, 0.05, 0.5}}, {0.7, {0.02, 0.05, 0.5}},
                {0.9, {0.02, 0.02, 0.2}}, {1.5, {0.02, 0.01, 0.1}}, {3.0, {0.02, 0.01, 0.1}}};
    CHECK_OWNED(kane_contact) *c = create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const difference d = compare(c, rows[i].y * mm), *most = &rows[i].most;
        check_figure(d.pressure, "%.1f mm: pressure", rows[i].y);
        check_figure(d.approach, "%.1f mm: approach", rows[i].y);
        check_figure(d.place, "%.1f mm: place", rows[i].y);
        print_message("%.1f mm: pressure %+.1f %%, approach %+.1f %%, place %+.2f mm\n", rows[i].y, 100.0 * d.pressure,
                      100.0 * d.approach, d.place / mm);
        assert_true(fabs(d.pressure) <= check_tolerance(most->pressure) &&
                    fabs(d.approach) <= check_tolerance(most->approach) &&
                    fabs(d.place) <= check_tolerance(most->place * mm));
    }
}

CHECK_MAIN(NULL, NULL)
