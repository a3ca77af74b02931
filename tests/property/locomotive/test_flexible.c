// SPDX-License-Identifier: MIT
// The locomotive whose front bogie frame deforms: frequencies of the frame, of the vehicle with it, and what a crack
// does to them.

#include "property/wagon/linear.h"

#include <kane/flexible.h>

#define FLEXIBLE_FILE(name) KANE_SOURCE_DIR "/data/flexible/" name ".json"

typedef struct modes {
    int count;
    double re[LINEAR_STATES_MOST], im[LINEAR_STATES_MOST];
} modes;

static void find(modes *m, const char *variant)
{
    CHECK_FREED(wagon) w = wagon_open_with("locomotive", variant);
    m->count             = linear_eigenvalues(&w, m->re, m->im);
}

static double frequency(const modes *m, int i)
{
    return m->im[i] / 6.283185307179586;
}

// How far the nearest eigenvalue of another vehicle is, as a part of this one.
static double moved(const modes *m, int i, const modes *other)
{
    double nearest = HUGE_VAL;
    for (int k = 0; k < other->count; k++)
        nearest = fmin(nearest, hypot(m->re[i] - other->re[k], m->im[i] - other->im[k]));
    return nearest / hypot(m->re[i], m->im[i]);
}

// Paper: 31.1 Hz, and 377.2 Hz the thirtieth. The crack is 40 % of one weld, and nothing else.
CHECK_TEST(the_frame_has_the_published_frequencies)
{
    CHECK_OWNED(kane_flexible) *frame   = CHECK_GOOD(kane_flexible_read, FLEXIBLE_FILE("bogie-frame"), NULL);
    CHECK_OWNED(kane_flexible) *cracked = CHECK_GOOD(kane_flexible_read, FLEXIBLE_FILE("bogie-frame-cracked"), NULL);
    const kane_flexible_data *d = kane_flexible_get_data(frame), *c = kane_flexible_get_data(cracked);
    assert_int_equal(d->mode_count, 30);
    check_relative(d->frequency[0], 31.1, 1e-3);
    check_relative(d->frequency[29], 377.2, 1e-2);
    check_relative(c->mass, d->mass, 1e-12);
    for (int i = 0; i < 30; i++) {
        assert_true(c->frequency[i] < d->frequency[i] * (1.0 + 1e-9)); // Rayleigh
        assert_true(c->frequency[i] > 0.95 * d->frequency[i]);
    }
}

// The vehicle's own modes keep their frequencies; what shakes the frame only one that deforms has.
CHECK_TEST(the_frame_deforms_above_the_modes_of_the_vehicle)
{
    static modes rigid, flexible;
    int low = 0, own = 0;
    find(&rigid, NULL);
    find(&flexible, "variant=flexible");
    for (int i = 0; i < rigid.count; i++)
        if (rigid.im[i] > 1.0 && frequency(&rigid, i) < 15.0) {
            assert_true(moved(&rigid, i, &flexible) < check_tolerance(0.1));
            low++;
        }
    for (int i = 0; i < flexible.count; i++)
        own += frequency(&flexible, i) > 25.0 && frequency(&flexible, i) < 55.0 && moved(&flexible, i, &rigid) > 0.05;
    assert_true(low >= 20);
    assert_int_equal(own, 5); // 27.9, 32.9, 39.5, 49.2 and 50.6 Hz
}

CHECK_TEST(a_crack_shows_above_35_hertz_alone)
{
    static modes whole, cracked;
    double most = 0.0;
    find(&whole, "variant=flexible");
    find(&cracked, "variant=cracked");
    for (int i = 0; i < whole.count; i++) {
        const double by = moved(&whole, i, &cracked), f = frequency(&whole, i);
        if (whole.im[i] > 1.0 && f < 20.0)
            check_below(by, 5e-3);
        if (f > 35.0 && f < 100.0)
            most = fmax(most, by);
    }
    assert_true(most > 0.005);
}

CHECK_TEST(its_jacobian_is_the_derivative)
{
    static const char *const flexible[] = {"variant=flexible", "until.distance=15", NULL};
    wagon_check_jacobian("locomotive", flexible, 2e-5);
}

// Axle boxes that touch their horn guides, stick and slip there.
CHECK_TEST(its_jacobian_is_the_derivative_in_horn_guides)
{
    static const char *const guides[] = {"variant=horn guides", "until.time=3.2", NULL};
    wagon_check_jacobian("locomotive", guides, 2e-5);
}

CHECK_TEST(horn_guides_make_no_energy)
{
    static const char *const guides[] = {"variant=horn guides", "output.work=true", "integrator.rtol=1e-8",
                                         "until.time=2", NULL};
    wagon_check_balance("locomotive", guides, 0.9);
}

CHECK_MAIN(NULL, NULL)
