// SPDX-License-Identifier: MIT
// Check rails on the flanges of wheelsets that rails guide, free or in loops: they press as on wheelsets in elastic
// contact; moving and fixed frames and both forms of constraints tell the same; the Jacobian is the derivative; energy
// stays.

#include "property/wagon/guided_loops.h"

#define CONTACT "vehicle.patterns.wheelset.contact.model="
#define ELASTIC CONTACT "elastic"
#define TABLE   CONTACT "table"
#define MOVING  "formulation=moving"
#define FIXED   "formulation=fixed"
#define HELD                                                                                                           \
    "track.check_rails=[{\"from\":22,\"to\":90,\"rail\":\"left\",\"damping\":0.2,\"flare\":15,\"flangeway\":\"39 "     \
    "mm\"}]"
#define CURVE                                                                                                          \
    "track.sections=[{\"straight\":10},{\"transition\":30,\"shape\":\"bloss\",\"to\":{\"radius\":300,\"cant\":\"20 "   \
    "mm\"}},{\"curve\":100}]",                                                                                         \
        "start.at=5", "start.speed=15"
#define EVEN "speed=[]"

enum { TIMES = 4, CHANNELS = 4 };
static const double times[TIMES] = {1.3, 1.8, 2.3, 3.2};

// What the check rail does to the leading wheelset, and how far that is aside [mm].
static void read_pushes(const char *const *settings, double out[TIMES][CHANNELS])
{
    CHECK_FREED(wagon) w = wagon_open("wagon-transition", settings);
    for (int i = 0; i < TIMES; i++) {
        double q[6], rates[6];
        if (!wagon_go(&w, times[i]))
            fail_msg("%s stops at %g s", settings[0], kane_simulation_time(w.simulation));
        const kane_work *work             = kane_simulation_work(w.simulation);
        const kane_check_rail_force *push = &work->wheels[0].check[KANE_LEFT];
        const double now[CHANNELS - 1]    = {push->N, push->T_x, push->T_z};
        kane_get_relative(w.model, work, w.model->wheels[0].body, q, rates);
        memcpy(out[i], now, sizeof now);
        out[i][CHANNELS - 1] = 1e3 * q[KANE_Y];
        assert_true(work->wheels[0].check[KANE_RIGHT].N == 0.0);
    }
}

static void check_alike(const char *const *a, const char *const *b, double tolerance)
{
    double first[TIMES][CHANNELS], other[TIMES][CHANNELS];
    read_pushes(a, first);
    read_pushes(b, other);
    assert_true(first[TIMES - 1][0] > 1e4);
    for (int i = 0; i < TIMES; i++)
        for (int k = 0; k < CHANNELS; k++) {
            const double size = k < CHANNELS - 1 ? first[i][0] + 1e4 : 1.0;
            check_figure(fabs(other[i][k] - first[i][k]) / size, "alike");
            check_near(other[i][k], first[i][k], tolerance * size);
        }
}

// Rigid wheels and rails leave the flange as much way but for what elastic ones give in.
CHECK_TEST(they_press_as_in_elastic_contact)
{
    const char *const elastic[]       = {ELASTIC, CURVE, HELD, EVEN, NULL},
                      *const guided[] = {GUIDED, CURVE, HELD, EVEN, NULL},
                      *const table[]  = {TABLE, CURVE, HELD, EVEN, NULL};
    check_alike(elastic, guided, 0.05);
    check_alike(elastic, table, 0.05);
    check_alike(guided, table, 0.01);
}

CHECK_TEST(formulations_and_forms_tell_the_same)
{
    const char *const rows[][2][20] = {
        {{GUIDED, CURVE, HELD, EVEN, TIGHT, MOVING}, {GUIDED, CURVE, HELD, EVEN, TIGHT, FIXED}},
        {{TABLE, CURVE, HELD, EVEN, TIGHT, MOVING}, {TABLE, CURVE, HELD, EVEN, TIGHT, FIXED}},
        {{YOKE, LINKS, CURVE, HELD, EVEN, TIGHT, COEFFICIENTS},
         {YOKE, LINKS, CURVE, HELD, EVEN, TIGHT, MULTIPLIERS, FIXED}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_alike(rows[i][0], rows[i][1], 1e-5);
}

// Also between flares, and on the rail on the other side.
CHECK_TEST(the_jacobian_is_the_derivative)
{
#define FLARED(rail)                                                                                                   \
    "track.check_rails=[{\"from\":-20,\"to\":80,\"rail\":\"" rail                                                      \
    "\",\"flare\":45,\"opening\":\"40 mm\",\"flangeway\":\"34 mm\"}]"
    const char *const rows[][20] = {{GUIDED, CURVE, FLARED("left")},
                                    {GUIDED, CURVE, FLARED("right"), FIXED},
                                    {TABLE, CURVE, FLARED("left")},
                                    {TABLE, CURVE, FLARED("right")},
                                    {YOKE, LINKS, CURVE, FLARED("left"), COEFFICIENTS},
                                    {YOKE, LINKS, CURVE, FLARED("right"), MULTIPLIERS},
                                    {GUIDED, CURVE, FLARED("left"), FLEXIBLE},
                                    {TABLE, CURVE, FLARED("right"), FLEXIBLE},
                                    {YOKE, LINKS, CURVE, FLARED("left"), MULTIPLIERS, FLEXIBLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int pressed                  = 0;
        CHECK_FREED(wagon) w         = wagon_open("wagon-transition", rows[i]);
        CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
        for (double t = 0.31; t < 1.9; t += 0.7) {
            double y[STATES];
            assert_true(wagon_go(&w, t));
            memcpy(y, kane_simulation_state(w.simulation), (size_t)kane_model_state_count(w.model) * sizeof *y);
            kane_work_copy(w.model, kane_simulation_work(w.simulation), work);
            assert_int_equal(kane_project(w.model, work, t, y), KANE_OK);
            check_derivative(&w, work, t, y, w.model->bodies[w.model->wheels[0].body].is_tabulated ? 5e-6 : 3e-7);
            for (int k = 0; k < 4; k++)
                pressed += work->wheels[k / 2].check[k % 2].N > 1e3;
        }
        assert_true(pressed >= 2);
    }
}

// A check rail that leaves the flange too little room pushes the wagon aside over its flare and lets it go, without
// friction and damping.
CHECK_TEST(energy_stays)
{
#define SMOOTH                                                                                                         \
    "track.sections=[{\"straight\":200}]", "track.rail={\"profile\":\"round\",\"friction\":0}",                        \
        "vehicle.profiles={\"steep\":{\"cone\":0.1}}", "vehicle.patterns.wheelset.profile=steep",                      \
        "vehicle.patterns.axlebox.damping=[0,0,0]", "drive={}", "start.at=12", "start.speed=15", TIGHT,                \
        "track.check_rails=[{\"from\":14,\"to\":40,\"rail\":\"left\",\"flare\":3,\"flangeway\":\"35 "                  \
        "mm\",\"friction\":0,\"damping\":0}]"
    const char *const rows[][28] = {{GUIDED, SMOOTH}, {YOKE, LINKS, SMOOTH}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double first = 0.0, most = 0.0, N = 0.0, stored = 0.0;
        CHECK_FREED(wagon) w = wagon_open("wagon-driven", rows[i]);
        for (int k = 0; k <= 400; k++) {
            kane_energy e;
            if (k)
                assert_true(wagon_go(&w, 0.005 * k));
            kane_get_energy(w.model, kane_simulation_work(w.simulation), &e);
            const double total = e.kinetic + e.gravity + e.elements + e.contact;
            first              = k ? first : total;
            most               = fmax(most, fabs(total - first));
            for (int n = 0; n < 2; n++) {
                const kane_check_rail_force *push = &kane_simulation_work(w.simulation)->wheels[n].check[KANE_LEFT];
                N                                 = fmax(N, push->N);
                stored                            = fmax(stored, push->energy);
            }
        }
        print_message("energy changes by %.2g J; the check rail stores up to %.3g J, presses with up to %.3g kN\n",
                      most, stored, 1e-3 * N);
        assert_true(N > 5e3);
        check_near(most, 0.0, 0.02);
    }
}

CHECK_MAIN(NULL, NULL)
