// SPDX-License-Identifier: MIT
// Modes about steady rolling: a hoop and a thin disc against closed forms, the Whipple bicycle against published
// eigenvalues; what has no steady motion, and what rests though it starts with a rate.

#include "errors.h"
#include "folder.h"

// --- runs ---

typedef struct rolling {
    kane_run *run;
    kane_steady *steady;
    kane_linear *linear;
    kane_modes *modes;
} rolling;

static void write_run(const char *mechanism, const char *form)
{
    static char text[400];
    (void)snprintf(text, sizeof text,
                   "{\"kane\": \"run 1\", \"mechanism\": \"m.json\", \"form\": \"%s\", \"until\": {\"time\": 1}, "
                   "\"output\": {\"interval\": 1}}",
                   form);
    write_file("m.json", mechanism);
    write_file("r.json", text);
}

// 0 with errors where there is no steady motion.
static int open_rolling(rolling *r, kane_errors *errors)
{
    const kane_steady_definition where = {0};
    *r                                 = (rolling){.run = kane_run_read("r.json", NULL, errors)};
    check_no_errors(errors);
    r->steady = kane_steady_create(kane_run_get_definition(r->run), &where, errors);
    if (!r->steady)
        return 0;
    r->linear = kane_linear_create(kane_steady_model(r->steady), kane_steady_work(r->steady), 0.0,
                                   kane_steady_state(r->steady), errors);
    r->modes  = r->linear ? kane_modes_create(r->linear, KANE_MODES_COMPLETE, errors) : NULL;
    check_no_errors(errors);
    return 1;
}

static void close_rolling(rolling *r)
{
    kane_modes_free(r->modes);
    kane_linear_free(r->linear);
    kane_steady_free(r->steady);
    kane_run_free(r->run);
}

// Modes that are not indifferent, in the order of the library; returns how many.
static int collect(const rolling *r, int most, kane_mode *out)
{
    int count = 0;
    for (int i = 0; i < kane_modes_count(r->modes); i++) {
        const kane_mode *m = kane_modes_get(r->modes, i);
        if (m->kind == KANE_MODE_INDIFFERENT)
            continue;
        assert_true(count < most);
        out[count++] = *m;
    }
    return count;
}

static const kane_steady_rate *find_rate(const rolling *r, const char *state)
{
    for (int i = 0; i < kane_steady_rate_count(r->steady); i++) {
        const kane_steady_rate *rate = kane_steady_get_rate(r->steady, i);
        char name[128];
        kane_state_name(kane_steady_model(r->steady), rate->state, sizeof name, name);
        if (strcmp(name, state) == 0)
            return rate;
    }
    fail_msg("%s has no rate", state);
    return NULL;
}

static const char *const forms[] = {"coefficients", "multipliers"};

// --- a body of revolution ---

// Rolls at the spin n on its radius under g; A, A, C: moments of inertia across and about its axis.
typedef struct roller {
    double m, g, r, A, C, n;
} roller;

static void write_roller(const roller *p, const char *coordinates, double heading, double excess, const char *form)
{
    static char text[2000];
    (void)snprintf(
        text, sizeof text,
        "{\"kane\": \"mechanism 1\", \"name\": \"m\", \"gravity\": %.17g, \"bodies\": {\"disc\": {\"mass\": %.17g, "
        "\"inertia\": [%.17g, %.17g, %.17g], \"at\": [0, 0, %.17g], \"start\": {%s \"rates\": {\"x\": %.17g, "
        "\"y\": %.17g, \"pitch\": %.17g}, \"fixed\": [\"x\", \"y\", \"yaw\", \"roll\"], \"fixed_rates\": [\"yaw\", "
        "\"roll\", \"pitch\"]}}}, \"markers\": {\"floor\": {\"at\": [0, 0, 0]}, \"hub\": {\"on\": \"disc\", "
        "\"at\": [0, 0, %.17g], \"axis\": [0, 1, 0]}}, \"constraints\": {\"contact\": {\"type\": \"rolling\", "
        "\"markers\": [\"floor\", \"hub\"], \"radius\": %.17g}}}",
        p->g, p->m, p->A, p->C, p->A + excess, p->r, coordinates, p->n * p->r * cos(heading),
        p->n * p->r * sin(heading), p->n, p->r, p->r);
    write_run(text, form);
}

// l^2 = (m g r - C (C + m r^2) n^2/A)/(A + m r^2), of the tilt, which yaw goes with
static double square_of(const roller *p)
{
    const double J = p->m * p->r * p->r;
    return (p->m * p->g * p->r - p->C * (p->C + J) * p->n * p->n / p->A) / (p->A + J);
}

static void check_roller(const roller *p, const char *coordinates, double heading, const char *form, double tolerance)
{
    kane_errors errors  = {0};
    const double square = square_of(p), size = sqrt(fabs(square));
    kane_mode mode[4];
    rolling r;
    write_roller(p, coordinates, heading, 0.0, form);
    assert_true(open_rolling(&r, &errors));
    const int count = collect(&r, 4, mode);
    assert_int_equal(count, square < 0.0 ? 1 : 2);
    for (int i = 0; i < count; i++) {
        check_near(fabs(mode[i].re), square < 0.0 ? 0.0 : size, tolerance);
        check_near(mode[i].im, square < 0.0 ? size : 0.0, tolerance);
    }
    assert_int_equal(kane_mode_grows(&mode[0]) || (count == 2 && kane_mode_grows(&mode[1])), square > 0.0);
    check_near(find_rate(&r, "disc.pitch")->found, p->n, tolerance);
    close_rolling(&r);
}

static const roller hoop = {3.0, 9.81, 0.4, 0.24, 0.48, 5.0};

CHECK_TEST(a_hoop_rolls_steadily_in_any_direction)
{
    for (int form = 0; form < 2; form++) {
        check_roller(&hoop, "", 0.0, forms[form], 1e-9);
        check_roller(&hoop, "\"yaw\": 0.6,", 0.6, forms[form], 1e-9);
    }
}

// Tilted by 1e-3 the height falls, and with it the spin of the nearest steady motion is off by 1e-6.
CHECK_TEST(a_tilted_start_finds_the_nearest_steady_motion)
{
    for (int form = 0; form < 2; form++)
        check_roller(&hoop, "\"roll\": 0.001,", 0.0, forms[form], 1e-4);
}

// A thin disc rolls upright above n = sqrt(g/(3 r)). Nearer to it the zeros of heading and spin, known to 1e-7, are no
// longer small beside l.
CHECK_TEST(a_thin_disc_has_its_critical_speed)
{
    const double n[] = {0.2, 0.4, 0.5, 0.55, 0.65, 0.8, 1.0, 2.0};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        const roller p = {1.0, 1.0, 1.0, 0.25, 0.5, n[i]};
        assert_int_equal(square_of(&p) > 0.0, n[i] < 1.0 / sqrt(3.0));
        check_roller(&p, "", 0.0, forms[0], 1e-9);
    }
}

CHECK_TEST(what_is_not_round_has_no_steady_motion)
{
    kane_errors errors = {.limit = 1};
    rolling r;
    write_roller(&hoop, "", 0.0, 0.05, forms[0]);
    assert_false(open_rolling(&r, &errors));
    assert_int_equal(errors.first.status, KANE_NOT_SOLVED);
    assert_non_null(strstr(errors.first.text, "no steady motion"));
    close_rolling(&r);
}

// --- a bicycle ---

// J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab: Linearized dynamics equations for the balance and steer
// of a bicycle: a benchmark and review. Proc. R. Soc. A 463 (2007) 1955-1982, tables 1 and 2. There z points down and y
// to the right.
static void write_bicycle(double v)
{
    static char text[3000];
    const double tilt = 3.14159265358979323846 / 10.0;
    (void)snprintf(
        text, sizeof text,
        "{\"kane\": \"mechanism 1\", \"name\": \"Whipple bicycle\", \"gravity\": 9.81, \"bodies\": {"
        "\"frame\": {\"mass\": 85, \"inertia\": [9.2, 11, 2.8, 0, -2.4, 0], \"at\": [0.3, 0, 0.9], \"start\": {\"rates\": "
        "{\"x\": %.17g}, \"fixed_rates\": [\"x\"]}}, "
        "\"rear wheel\": {\"mass\": 2, \"inertia\": [0.0603, 0.12, 0.0603], \"at\": [0, 0, 0.3], \"joint\": {\"type\": "
        "\"revolute\", \"parent\": \"frame\", \"at\": [0, 0, 0.3], \"axis\": [0, 1, 0]}, \"start\": {\"rates\": {\"angle\": "
        "%.17g}}}, "
        "\"fork\": {\"mass\": 4, \"inertia\": [0.05892, 0.06, 0.00708, 0, 0.00756, 0], \"at\": [0.9, 0, 0.7], \"joint\": "
        "{\"type\": \"revolute\", \"parent\": \"frame\", \"at\": [1.1, 0, 0], \"axis\": [%.17g, 0, %.17g]}}, "
        "\"front wheel\": {\"mass\": 3, \"inertia\": [0.1405, 0.28, 0.1405], \"at\": [1.02, 0, 0.35], \"joint\": {\"type\": "
        "\"revolute\", \"parent\": \"fork\", \"at\": [1.02, 0, 0.35], \"axis\": [0, 1, 0]}, \"start\": {\"rates\": "
        "{\"angle\": %.17g}}}}, "
        "\"markers\": {\"rear floor\": {\"at\": [0, 0, 0]}, \"front floor\": {\"at\": [1.02, 0, 0]}, \"rear hub\": {\"on\": "
        "\"rear wheel\", \"at\": [0, 0, 0.3], \"axis\": [0, 1, 0]}, \"front hub\": {\"on\": \"front wheel\", \"at\": [1.02, "
        "0, 0.35], \"axis\": [0, 1, 0]}}, "
        "\"constraints\": {\"rear\": {\"type\": \"rolling\", \"markers\": [\"rear floor\", \"rear hub\"], \"radius\": 0.3}, "
        "\"front\": {\"type\": \"rolling\", \"markers\": [\"front floor\", \"front hub\"], \"radius\": 0.35}}}",
        v, v / 0.3, -sin(tilt), cos(tilt), v / 0.35);
    write_run(text, forms[0]);
}

// Capsize and castering modes, which creep, and the weave mode; [1/s]
static const struct {
    double speed, weave_re, weave_im, capsize, castering;
} published[] = {
    {1, 3.52696170990070, 0.80774027519930, -3.13423125066578, -7.11008014637442},
    {2, 2.68234517512745, 1.68066296590675, -3.07158645641514, -8.67387984831735},
    {3, 1.70675605663975, 2.31582447384325, -2.63366137253667, -10.35101467245920},
    {4, 0.41325331521125, 3.07910818603206, -1.42944427361326, -12.15861426576447},
    {5, -0.77534188219585, 4.46486771378823, -0.32286642900409, -14.07838969279822},
    {6, -1.52644486584142, 5.87673060598709, -0.00406690076970, -16.08537123098026},
    {7, -2.13875644258362, 7.19525913329805, 0.10268170574766, -18.15788466125262},
    {8, -2.69348683581097, 8.46037971396931, 0.14327879765713, -20.27940894394569},
    {9, -3.21675402252485, 9.69377351531791, 0.15790184030917, -22.43788559040858},
    {10, -3.72016840437287, 10.90681139476287, 0.16105338653172, -24.62459635017404},
};

CHECK_TEST(the_whipple_bicycle_has_the_published_modes)
{
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        kane_errors errors = {0};
        kane_mode mode[3];
        rolling r;
        write_bicycle(published[i].speed);
        assert_true(open_rolling(&r, &errors));
        assert_int_equal(collect(&r, 3, mode), 3);
        const int slow = fabs(mode[0].re) < fabs(mode[1].re) ? 0 : 1;
        check_near(mode[slow].re, published[i].capsize, 1e-10);
        check_near(mode[1 - slow].re, published[i].castering, 1e-10);
        check_near(mode[2].re, published[i].weave_re, 1e-10);
        check_near(mode[2].im, published[i].weave_im, 1e-10);
        check_near(find_rate(&r, "frame.x")->found, published[i].speed, 1e-12);
        close_rolling(&r);
    }
}

// --- rates that are no part of it ---

CHECK_TEST(a_pendulum_rests_and_its_rate_is_told)
{
    kane_errors errors = {0};
    kane_mode mode[1];
    rolling r;
    write_run(
        "{\"kane\": \"mechanism 1\", \"name\": \"m\", \"gravity\": 9.81, \"bodies\": {\"bob\": {\"mass\": 2, "
        "\"inertia\": [0, 0, 0], \"at\": [0, 0, -1], \"joint\": {\"type\": \"revolute\", \"at\": [0, 0, 0], \"axis\": "
        "[0, 1, 0]}, \"start\": {\"rates\": {\"angle\": 0.4}}}}}",
        forms[0]);
    assert_true(open_rolling(&r, &errors));
    assert_int_equal(collect(&r, 1, mode), 1);
    check_near(mode[0].im, sqrt(9.81), 1e-9);
    const kane_steady_rate *rate = find_rate(&r, "bob.angle");
    check_near(rate->start, 0.4, 1e-12);
    check_near(rate->found, 0.0, 1e-9);
    assert_false(rate->is_length);
    close_rolling(&r);
}

CHECK_MAIN(enter_folder, leave_folder)
