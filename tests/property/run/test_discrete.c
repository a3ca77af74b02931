// SPDX-License-Identifier: MIT
// (model, discrete state, t, y) gives the same bits in any work: one that is new, one that has been through other
// states, and the one of the simulation that the state comes from. All vehicles and mechanisms that come along, over
// borders of the track and changes of independent speeds.

#include "property/wagon/wagon.h"
#include "simulate/simulation.h"

enum { MOST = 4000 };

typedef struct counts {
    int borders, choices; // passed and made on the way
} counts;

// Rates in a work that is given the discrete state; then the work is spoilt by evaluations elsewhere.
static void eval_in(const kane_model *model, kane_work *work, const kane_discrete *discrete, double t, const double *y,
                    double *ydot)
{
    assert_int_equal(kane_work_set_discrete(model, work, discrete), KANE_OK);
    assert_int_equal(kane_eval(model, work, t, y, ydot), KANE_OK);
}

static void check_same(const kane_model *model, const double *a, const double *b, const char *run, double t,
                       const char *which)
{
    char name[96];
    for (int i = 0; i < kane_model_state_count(model); i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) == 0)
            continue;
        kane_state_name(model, i, sizeof name, name);
        fail_msg("%s at %g s: the rate of '%s' is %.17g, in a %s work %.17g", run, t, name, a[i], which, b[i]);
    }
}

static int differs(const kane_discrete *a, const kane_discrete *b)
{
    return memcmp(a->tree_speed, b->tree_speed, (size_t)a->tree_speed_count * sizeof *a->tree_speed) != 0;
}

// At some times of a run.
static counts check_run(const char *run, const char *const *settings, double end, int times)
{
    static double y[MOST], mine[MOST], other[MOST], spoilt[MOST];
    CHECK_ERRORS errors  = {0};
    counts c             = {0, 0};
    CHECK_FREED(wagon) w = wagon_read(run, settings);
    wagon_start(&w);
    const int n                       = kane_model_state_count(w.model);
    const size_t size                 = (size_t)n * sizeof *y;
    CHECK_OWNED(kane_work) *used      = CHECK_GOOD(kane_work_create, w.model);
    CHECK_OWNED(kane_discrete) *now   = CHECK_GOOD(kane_discrete_create, w.model);
    CHECK_OWNED(kane_discrete) *first = CHECK_GOOD(kane_discrete_create, w.model);
    assert_true(n <= MOST);
    kane_work_get_discrete(w.model, kane_simulation_work(w.simulation), first);
    for (int k = 0; k <= times; k++) {
        (void)wagon_go(&w, end * k / times);
        const double t = kane_simulation_time(w.simulation);
        kane_work_get_discrete(w.model, kane_simulation_work(w.simulation), now);
        memcpy(y, kane_simulation_state(w.simulation), size);
        kane_work *work = w.simulation->work;
        assert_int_equal(kane_eval(w.model, work, t, y, mine), KANE_OK);

        kane_work *fresh = kane_work_create(w.model, &errors);
        assert_non_null(fresh);
        eval_in(w.model, fresh, now, t, y, other);
        check_same(w.model, mine, other, run, t, "new");
        kane_work_free(fresh);
        eval_in(w.model, used, now, t, y, other);
        check_same(w.model, mine, other, run, t, "used");
        for (int i = 0; i < n; i++)
            spoilt[i] = y[i] + 1e-4 * sin(3.0 * i + k);
        (void)kane_eval(w.model, used, t + 0.3, spoilt, other);
        (void)kane_project(w.model, used, t + 0.3, spoilt);
        for (int f = 0; f < now->frame_count; f++)
            c.borders = now->piece[f] > first->piece[f] ? 1 : c.borders;
        c.choices |= differs(now, first);
    }
    return c;
}

CHECK_TEST(vehicles_give_the_same_bits_in_any_work)
{
    static const char *const runs[]     = {"soft-wagon-transition",  "wagon-driven",    "wagon-four-bar", "motor-wagon",
                                           "link-wagon-transition",  "wagon-flexible",  "coach-curve",    "wagon-train",
                                           "bogie-wagon-transition", "wagon-irregular", "wagon-ore",      "coach-irregular",
                                           "cooperrider-bogie",      "coach-train"};
    static const char *const forms[][2] = {{NULL}, {"formulation=fixed", NULL}, {"form=multipliers", NULL}};
    int borders                         = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int k = 0; k < 3; k++)
            if (k == 0 || i < 4)
                borders += check_run(runs[i], forms[k], i < 4 ? 4.0 : 1.0, 8).borders;
    assert_true(borders >= 8);
}

CHECK_TEST(mechanisms_give_the_same_bits_in_any_work)
{
    static const struct {
        const char *run;
        double end;
    } rows[] = {
        {"mechanism-bench", 1.0},      {"mechanism-blade", 0.1},           {"mechanism-bricard", 10.0},
        {"mechanism-crane", 20.0},     {"mechanism-flexible-crank", 0.02}, {"mechanism-foucault", 10.0},
        {"mechanism-four-bar", 5.0},   {"mechanism-heavy-top", 0.5},       {"mechanism-knife-edge", 5.0},
        {"mechanism-l15", 1.0},        {"mechanism-pendulum", 3.0},        {"mechanism-rolling-disc", 3.0},
        {"mechanism-ship-crane", 5.0}, {"mechanism-slider-crank", 5.0},    {"mechanism-squeezer", 0.03},
        {"mechanism-turntable", 5.0},  {"mechanism-two-loops", 5.0},
    };
    static const char *const forms[][2] = {{NULL}, {"form=multipliers", NULL}};
    int choices                         = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 2; k++)
            choices += check_run(rows[i].run, forms[k], rows[i].end, 10).choices;
    assert_true(choices > 0);
}

// What cannot be the discrete state of a model is refused, and changes nothing.
CHECK_TEST(another_discrete_state_is_refused)
{
    CHECK_FREED(wagon) w            = wagon_open("wagon-four-bar", NULL);
    CHECK_OWNED(kane_work) *work    = CHECK_GOOD(kane_work_create, w.model);
    CHECK_OWNED(kane_discrete) *own = CHECK_GOOD(kane_discrete_create, w.model);
    kane_work_get_discrete(w.model, kane_simulation_work(w.simulation), own);
    assert_int_equal(kane_work_set_discrete(w.model, work, own), KANE_OK);
    kane_discrete wrong = *own;
    wrong.frame_count++;
    assert_int_equal(kane_work_set_discrete(w.model, work, &wrong), KANE_BAD_ARGUMENT);
    wrong             = *own;
    wrong.speed_piece = -1;
    assert_int_equal(kane_work_set_discrete(w.model, work, &wrong), KANE_BAD_ARGUMENT);
    own->piece[0] += 1000;
    assert_int_equal(kane_work_set_discrete(w.model, work, own), KANE_BAD_ARGUMENT);
    own->piece[0] -= 1000;
    own->tree_speed[0] = own->tree_speed[1];
    assert_int_equal(kane_work_set_discrete(w.model, work, own), KANE_BAD_ARGUMENT);
}

CHECK_MAIN(NULL, NULL)
