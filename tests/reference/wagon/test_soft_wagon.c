// SPDX-License-Identifier: MIT
// The wagon that is soft in yaw, vehicles/soft-wagon.md: its loads, modes and critical speed, and with it Figures 5 and
// 6 of the source: the imaginary torque about the vertical against a closed form, and what its omission does to the yaw
// of the body.

#include "runs.h"
#include "property/wagon/linear.h"

#define RUN KANE_SOURCE_DIR "/data/runs/soft-wagon-transition.json"

static const char page[] = "soft-wagon";
static const double pi   = 3.14159265358979323846;

static wagon resting(void)
{
    wagon w = wagon_with("soft-wagon-transition", "speed=[]");
    wagon_start(&w);
    return w;
}

CHECK_TEST(static_loads_are_those_of_the_page)
{
    double mass, wheel, box, load[2];
    page_row(page, "mass of the body [kg]", 1, &mass);
    page_row(page, "wheel on rail", 1, &wheel);
    page_row(page, "axle box", 1, &box);
    CHECK_FREED(wagon) w = resting();
    check_relative(w.definition.vehicle->bodies[BODY].mass, mass, 0.0);
    for (int j = LEADING; j <= TRAILING; j++) {
        assert_int_equal(kane_model_wheel_load(w.model, j, load), KANE_OK);
        check_relative(load[KANE_LEFT], wheel, 1e-9);
        check_relative(load[KANE_RIGHT], wheel, 1e-9);
    }
    for (int e = 0; e < 4; e++)
        check_relative(-kane_model_static_load(w.model, e).z, box, 1e-9);
}

CHECK_TEST(modes_are_those_of_the_page)
{
    static const char *const modes[] = {"lateral swing",
                                        "yaw of the body",
                                        "roll of the body",
                                        "bounce",
                                        "pitch",
                                        "hunting in phase",
                                        "hunting a quarter apart",
                                        "wheelsets along the track, opposed",
                                        "wheelsets along the track, together",
                                        "wheelset rolls on its contacts",
                                        "wheelset bounces on its contacts"};
    double re[LINEAR_STATES_MOST], im[LINEAR_STATES_MOST], row[2];
    CHECK_FREED(wagon) w = resting();
    const int n          = linear_eigenvalues(&w, re, im);
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        page_row(page, modes[k], 2, row);
        if (!linear_has_mode(n, re, im, row[0], row[1]))
            fail_msg("%s: no eigenvalue of %g Hz and damping ratio %g", modes[k], row[0], row[1]);
    }
    for (int i = 0; i < n; i++)
        check_below(re[i], 1e-6); // nothing grows
}

// On its axle boxes at a = 4.5 m and b = 1 m; the wheelsets below give way a little.
CHECK_TEST(the_body_yaws_as_by_hand)
{
    const double a = 4.5, b = 1.0, J = 4.5e5;
    const double k = 4.0 * (0.15e6 * a * a + 0.5e6 * b * b), c = 4.0 * (10e3 * a * a + 10e3 * b * b);
    double row[2];
    page_row(page, "yaw of the body", 2, row);
    check_relative(row[0], sqrt(k / J) / (2.0 * pi), 3e-3);
    check_relative(row[1], c / (2.0 * sqrt(k * J)), 4e-2);
}

CHECK_TEST(its_critical_speed_is_that_of_the_page)
{
    linear_check_critical(page, "linear", "soft-wagon-transition", "speed=[]");
}

// --- Figures 5 and 6 ---

enum { TIME, DISTANCE, YAW, ROLL, PITCH, TORQUE, CHANNELS };

static const double accelerations[] = {0.0, 0.5, 1.0};
enum { ACCELERATIONS = 3 };

// A run of either shape at an acceleration; omit NULL: the complete one.
static kane_results *carry_out(const char *shape, double acceleration, const char *omit)
{
    static const char *const patterns[] = {"body.yaw", "body.roll", "body.pitch", "imaginary.body.torque.rotation.z"};
    char speed[64], form[64];
    const char *const settings[] = {speed, form, "imaginary_as_forces=true", NULL}, *const omissions[] = {omit, NULL};
    kane_outcome outcome;
    (void)snprintf(speed, sizeof speed, "speed=[{\"acceleration\": %g}]", acceleration);
    (void)snprintf(form, sizeof form, "track.sections[*].shape=%s", shape);
    CHECK_OWNED(kane_run) *run = run_read(RUN, settings, .omit = omit ? omissions : NULL);
    kane_results *results =
        CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(run), CHANNELS - YAW, patterns, &outcome);
    assert_int_equal(outcome.stop, KANE_STOP_DISTANCE); // nothing has derailed
    assert_int_equal(kane_results_column_count(results), CHANNELS);
    assert_string_equal(kane_results_column(results, YAW)->name, "body.yaw");
    assert_string_equal(kane_results_column(results, TORQUE)->name, patterns[CHANNELS - YAW - 1]);
    return results;
}

// The line of data/tracks/short-parabola.json, from its numbers alone: 50 m, then a transition of 30 m to 1000 m of
// radius and 60 mm of cant over 1.5 m between the rails' running points.
static const double begin = 50.0, length = 30.0, radius = 1000.0, cant = 0.06, gauge = 1.5;

// Curvature (heading per metre), sine of the roll angle, and their derivatives by the arc length.
typedef struct bend {
    double k, k_s, q, q_s, q_ss;
} bend;

// Arc length of y = x^3/(6 R X) from 0 to x, by Simpson's rule.
static double arc_of(double x, double X)
{
    enum { PARTS = 200 };
    double sum = 0.0;
    for (int i = 0; i <= PARTS; i++) {
        const double at = x * i / PARTS, slope = at * at / (2.0 * radius * X);
        sum += (i == 0 || i == PARTS ? 1.0 : i % 2 ? 4.0 : 2.0) * sqrt(1.0 + slope * slope);
    }
    return sum * x / (3.0 * PARTS);
}

// x at which the arc is so long; X 0: that of the end itself.
static double x_of(double arc, double X)
{
    double low = 0.0, high = arc;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (arc_of(middle, X > 0.0 ? X : middle) < arc)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// k = y''/(1 + y'^2)^(3/2), and dx/ds = 1/sqrt(1 + y'^2)
static bend parabola(double l)
{
    const double X = x_of(length, 0.0), x = x_of(l, X), m = 1.0 / (2.0 * radius * X), slope = m * x * x;
    const double D = 1.0 + slope * slope;
    return (bend){2.0 * m * x * pow(D, -1.5), 2.0 * m * (1.0 - 5.0 * slope * slope) * pow(D, -3.0),
                  -cant / gauge * l / length, -cant / gauge / length, 0.0};
}

static bend cosine(double l)
{
    const double n = pi / length, f = 0.5 * (1.0 - cos(n * l)), f_s = 0.5 * n * sin(n * l),
                 f_ss = 0.5 * n * n * cos(n * l), q = -cant / gauge;
    return (bend){f / radius, f_s / radius, q * f, q * f_s, q * f_ss};
}

static bend line_at(double s, int is_parabola)
{
    if (s <= begin)
        return (bend){0.0, 0.0, 0.0, 0.0, 0.0};
    if (s >= begin + length)
        return (bend){1.0 / radius, 0.0, -cant / gauge, 0.0, 0.0};
    return is_parabola ? parabola(s - begin) : cosine(s - begin);
}

// -J epsilon about the vertical of the frame, with the angles of the body in it. About its x axis e the body has the
// inertia 5e4, about all others 4.5e5:  J epsilon = 4.5e5 epsilon - 4e5 e (e . epsilon).
static double torque_of(bend at, double v, double a, double yaw, double roll, double pitch)
{
    const double c = sqrt(1.0 - at.q * at.q), turn = at.q_s / c, bow = (at.q_ss + at.q * turn * turn) / c;
    const double Ox = turn, Oy = at.k * at.q, Oz = at.k * c; // of a level line
    const double x    = a * Ox + v * v * bow;
    const double y    = a * Oy + v * v * (at.k_s * at.q + turn * Oz);
    const double z    = a * Oz + v * v * (at.k_s * c - turn * Oy);
    const double e[3] = {cos(yaw) * cos(pitch) - sin(yaw) * sin(roll) * sin(pitch),
                         sin(yaw) * cos(pitch) + cos(yaw) * sin(roll) * sin(pitch), -cos(roll) * sin(pitch)};
    return -(4.5e5 * z - 4e5 * e[2] * (e[0] * x + e[1] * y + e[2] * z));
}

// Figure 5: -J_z (v^2 k' + a k). What cant and the body's own angles add is less than 0.3 % of the largest torque, and
// with them the closed form is met to round-off.
static void check_torque(const char *shape, double a)
{
    const int is_parabola          = strcmp(shape, "parabola") == 0;
    CHECK_OWNED(kane_results) *run = carry_out(shape, a, NULL);
    const double *t = kane_results_values(run, TIME), *d = kane_results_values(run, DISTANCE);
    const double *found = kane_results_values(run, TORQUE);
    double most = 0.0, plain = 0.0, whole = 0.0;
    for (int i = 0; i < kane_results_row_count(run); i++) {
        const double way = 25.0 * t[i] + 0.5 * a * t[i] * t[i], s = 20.0 + way, v = sqrt(625.0 + 2.0 * a * way);
        const bend at = line_at(s, is_parabola);
        check_near(d[i], way, 1e-9);
        if (fabs(s - begin) < 1e-6 || fabs(s - begin - length) < 1e-6)
            continue; // it jumps there
        const double exact = torque_of(at, v, a, kane_results_values(run, YAW)[i], kane_results_values(run, ROLL)[i],
                                       kane_results_values(run, PITCH)[i]);
        most               = fmax(most, fabs(found[i]));
        plain              = fmax(plain, fabs(found[i] + 4.5e5 * (v * v * at.k_s + a * at.k)));
        whole              = fmax(whole, fabs(found[i] - exact));
    }
    if (getenv("KANE_SHOW"))
        print_message("%s, %g m/s^2: %.1f N m, plain form within %.2g, with all angles within %.2g\n", shape, a, most,
                      plain / most, whole / most);
    check_near(plain / most, 0.0, 3e-3);
    check_near(whole / most, 0.0, 1e-9);
}

CHECK_TEST(the_torque_is_that_of_the_closed_form)
{
    for (int i = 0; i < ACCELERATIONS; i++) {
        check_torque("parabola", accelerations[i]);
        check_torque("cosine", accelerations[i]);
    }
}

// Figure 6: the numbers of the page, and that the effect is spectacular.
static void check_yaw(const char *shape, double a)
{
    CHECK_OWNED(kane_results) *complete = carry_out(shape, a, NULL),
                              *without  = carry_out(shape, a, "body:torque.rotation.z");
    const double *x = kane_results_values(complete, YAW), *y = kane_results_values(without, YAW);
    const double *torque = kane_results_values(complete, TORQUE);
    double low = 0.0, high = 0.0, difference = 0.0, least = 0.0, peak = 0.0, row[5];
    char name[64];
    assert_int_equal(kane_results_row_count(complete), kane_results_row_count(without));
    for (int i = 0; i < kane_results_row_count(complete); i++) {
        low        = fmin(low, x[i]);
        high       = fmax(high, x[i]);
        least      = fmin(least, torque[i]);
        peak       = fmax(peak, fabs(y[i]));
        difference = fmax(difference, fabs(y[i] - x[i]));
    }
    (void)snprintf(name, sizeof name, "%s, %g m/s²", shape, a);
    page_row(page, name, 5, row);
    check_relative(1e-3 * least, row[0], 1e-3);
    check_relative(1e3 * (high - low), row[1], 3e-3);
    check_relative(1e3 * difference, row[2], 3e-3);
    check_relative(100.0 * difference / (high - low), row[3], 3e-3);
    check_relative(peak / fmax(high, -low), row[4], 4e-3);
    assert_true(difference > 0.5 * (high - low) && peak > 1.5 * fmax(high, -low));
}

CHECK_TEST(without_it_the_body_yaws_as_the_page_says)
{
    for (int i = 0; i < ACCELERATIONS; i++) {
        check_yaw("parabola", accelerations[i]);
        check_yaw("cosine", accelerations[i]);
    }
}

CHECK_MAIN(NULL, NULL)
