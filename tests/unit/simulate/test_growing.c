// SPDX-License-Identifier: MIT
// Modes that grow: which ones do, of which vehicle, and what methods make of them.

#include "modal.h"

#include "math/dense.h"
#include "simulate/integrators.h"

#include <kane/integrator.h>

#include <complex.h>

static const double pi = 3.14159265358979323846;

// A mass on a spring with a damper that drives it, beside one that is damped, and between both a spring.
typedef struct pair {
    double mass, stiffness, damping[2], coupling; // [kg], [N/m], [N s/m], [N/m]
} pair;

static const pair driven = {.mass = 10.0, .stiffness = 5e5, .damping = {-30.0, 20.0}, .coupling = 0.0};

static void open_pair(mechanism *m, const pair *of)
{
    static const char *const names[] = {"first", "second"};
    const kane_bushing between       = {.stiffness = {0.0, 0.0, of->coupling}};
    kane_bushing spring[2];
    mechanism_begin(m, 0.0);
    for (int i = 0; i < 2; i++) {
        spring[i] = (kane_bushing){.stiffness = {0.0, 0.0, of->stiffness}, .damping = {0.0, 0.0, of->damping[i]}};
        (void)mechanism_add(m, names[i], of->mass, kv3(1.0, 1.0, 1.0), kv3_zero());
        m->bodies[i].dof = KANE_DOF(KANE_Z);
        (void)mechanism_element(m, i ? "b" : "a", &kane_law_bushing, &spring[i], names[i], kv3_zero(), NULL,
                                kv3_zero());
    }
    (void)mechanism_element(m, "c", &kane_law_bushing, &between, names[0], kv3_zero(), names[1], kv3_zero());
    mechanism_open(m, KANE_FORM_COEFFICIENTS);
}

static kane_modes *find(mechanism *m, const int *vehicle)
{
    kane_modes *modes = CHECK_GOOD(kane_modes_create_growing, m->model, m->work, 0.0, m->y, vehicle);
    assert_non_null(modes);
    return modes;
}

// m z'' = -k z - c z': re = -c/(2 m), |lambda|^2 = k/m. 35.6 Hz, 1.5 1/s.
CHECK_TEST(only_what_is_driven_grows)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    open_pair(&m, &driven);
    CHECK_OWNED(kane_modes) *modes = find(&m, NULL);
    assert_int_equal(kane_modes_count(modes), 1);
    const kane_mode *mode = kane_modes_get(modes, 0);
    check_near(mode->re, 1.5, 1e-11);
    check_relative(hypot(mode->re, mode->im), sqrt(driven.stiffness / driven.mass), 1e-13);
    assert_string_equal(mode->name, "first vertical");
    assert_true(kane_mode_grows(mode));
    check_relative(kane_modes_highest(modes), sqrt(driven.stiffness / driven.mass - 1.0) / (2.0 * pi), 1e-13);
}

// While one moves the other stays: k + coupling. Together they swing as one and the other way, and each is driven by
// half of both.
CHECK_TEST(vehicles_are_looked_at_one_by_one)
{
    static const int vehicle[]                 = {0, 1};
    pair p                                     = driven;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    p.coupling                                 = 4e5;
    open_pair(&m, &p);
    CHECK_OWNED(kane_modes) *apart = find(&m, vehicle), *together = find(&m, NULL);
    assert_int_equal(kane_modes_count(apart), 1);
    check_near(kane_modes_get(apart, 0)->re, 1.5, 1e-11);
    check_relative(hypot(kane_modes_get(apart, 0)->re, kane_modes_get(apart, 0)->im),
                   sqrt((p.stiffness + p.coupling) / p.mass), 1e-13);
    assert_int_equal(kane_modes_count(together), 2);
    for (int i = 0; i < 2; i++) // (1.5 - 1)/2, but for what differs between both: of second order in (2.5/2)/(im - im')
        check_near(kane_modes_get(together, i)->re, 0.25, 1e-3);
}

// Without damping nothing decays and nothing grows, nor do bodies that nothing holds: double zeros.
CHECK_TEST(what_keeps_its_energy_does_not_grow)
{
    pair p = driven;
    mechanism m;
    p.damping[0] = p.damping[1] = 0.0;
    for (int held = 0; held < 2; held++) {
        p.stiffness = held ? driven.stiffness : 0.0;
        p.coupling  = 3e5;
        open_pair(&m, &p);
        kane_modes *modes = find(&m, NULL);
        assert_int_equal(kane_modes_count(modes), 0);
        kane_modes_free(modes);
        mechanism_close_all(&m);
    }
}

// The upper limit of what an eigenvalue is off holds, of single ones and of those that are alike: a chain of ones above
// a diagonal has the eigenvalue 1 `size` times, of which rounding makes the size-th root of itself.
CHECK_TEST(accuracies_hold)
{
    enum { MOST = 6 };
    uint64_t seed = 3;
    for (int size = 1; size <= MOST; size++) {
        double A[MOST * MOST] = {0.0}, B[MOST * MOST], C[MOST * MOST];
        double re[MOST], im[MOST], V[MOST * MOST], accuracy[MOST], scratch[MOST];
        double Q[MOST * MOST];
        for (int i = 0; i < size; i++) {
            A[i * size + i] = 1.0;
            if (i > 0)
                A[i * size + i - 1] = 1.0;
        }
        // turned by the reflection 1 - 2 v v'/(v'v), so that it is no triangle any more
        double v[MOST], square = 0.0;
        for (int i = 0; i < size; i++) {
            v[i] = random_number(&seed) + 2.0;
            square += v[i] * v[i];
        }
        for (int j = 0; j < size; j++)
            for (int i = 0; i < size; i++)
                Q[j * size + i] = (i == j) - 2.0 * v[i] * v[j] / square;
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < size; j++)
                for (int i = 0; i < size; i++) {
                    double sum = 0.0;
                    for (int k = 0; k < size; k++)
                        sum += pass ? B[k * size + i] * Q[j * size + k] : Q[k * size + i] * A[j * size + k];
                    (pass ? C : B)[j * size + i] = sum;
                }
        assert_int_equal(kane_eigen_solve(size, C, re, im, V, accuracy, scratch), 0);
        for (int i = 0; i < size; i++) // two products have rounded C already, each by as much as its reduction does
            assert_true(hypot(re[i] - 1.0, im[i]) <= 3.0 * accuracy[i]);
    }
}

// --- methods ---

static double complex number(double re, double im)
{
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

enum { STEPS = 4000, BEFORE = 8 };

// log|y_n/y_m|/((n - m) h) of the recursion y_n = sum past[k] y_(n-k), after it has forgotten all but its largest root.
static double grow_by(const double complex *past, int count, double h)
{
    double complex y[BEFORE] = {0.0}; // the latest one first
    double sum               = 0.0;
    y[0]                     = 1.0;
    y[1]                     = number(0.4, 0.7);
    for (int n = 0; n < STEPS; n++) {
        double complex next = 0.0;
        for (int k = 0; k < count; k++)
            next += past[k] * y[k];
        const double size = cabs(next);
        for (int k = BEFORE - 1; k > 0; k--)
            y[k] = y[k - 1] / size;
        y[0] = next / size;
        if (n >= STEPS / 2)
            sum += log(size);
    }
    return sum / (STEPS - STEPS / 2) / h;
}

static const double orders[] = {0.0, 0.01, 0.2, 1.0, 5.0, 30.0}; // of steps, |h lambda|

// Formulas as they are printed: Hairer, Norsett, Wanner I, III.1.
CHECK_TEST(methods_do_as_their_recursions)
{
    const double re = 1.5, im = 225.0;
    for (int i = 1; i < 6; i++) {
        const double h               = orders[i] / hypot(re, im);
        const double complex z       = h * number(re, im);
        const double complex euler[] = {1.0 / (1.0 - z)}, trapezoid[] = {(1.0 + 0.5 * z) / (1.0 - 0.5 * z)};
        const double complex two[] = {4.0 / (3.0 - 2.0 * z), -1.0 / (3.0 - 2.0 * z)};
        const double complex b3 = 11.0 - 6.0 * z, b4 = 25.0 - 12.0 * z, b5 = 137.0 - 60.0 * z, a4 = 24.0 - 9.0 * z;
        const double complex three[] = {18.0 / b3, -9.0 / b3, 2.0 / b3};
        const double complex four[]  = {48.0 / b4, -36.0 / b4, 16.0 / b4, -3.0 / b4};
        const double complex five[]  = {300.0 / b5, -300.0 / b5, 200.0 / b5, -75.0 / b5, 12.0 / b5};
        const double complex adams[] = {(24.0 + 19.0 * z) / a4, -5.0 * z / a4, z / a4};
        const struct {
            kane_method method;
            int order;
            const double complex *past;
            int count;
        } rows[] = {{KANE_BDF, 1, euler, 1},  {KANE_BDF, 2, two, 2},     {KANE_BDF, 3, three, 3},
                    {KANE_BDF, 4, four, 4},   {KANE_BDF, 5, five, 5},    {KANE_IMEX, 1, euler, 1},
                    {KANE_BDF2, 1, two, 2},   {KANE_ADAMS, 1, euler, 1}, {KANE_ADAMS, 2, trapezoid, 1},
                    {KANE_ADAMS, 4, adams, 3}};
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            const double expected = grow_by(rows[k].past, rows[k].count, h);
            check_near(kane_method_growth(rows[k].method, rows[k].order, h, 100.0, re, im), expected,
                       1e-9 * hypot(re, im) + 1e-3 / (h * STEPS)); // roots of nearly one size part in as many steps
        }
        const double complex runge[] = {1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0};
        check_near(kane_method_growth(KANE_RK4, 4, h, 0.0, re, im), grow_by(runge, 1, h), 1e-9 * hypot(re, im));
    }
}

// Its formula in the form in which the integrator has it: z_j = h^j y^(j)/j!, p = predicted, d = (z p_0 - p_1)/(1 - l_0
// z), z_j = p_j + l_j d.
CHECK_TEST(bdf_alpha_does_as_its_formula)
{
    const double re = -2.0, im = 225.0, highest = 100.0;
    enum { MANY = 100 * STEPS }; // what the start leaves fades as 1/MANY
    for (int i = 1; i < 6; i++) {
        const double h = orders[i] / hypot(re, im), swing = 2.0 * pi * highest * h;
        const double complex z         = h * number(re, im);
        const kane_bdf_alpha_formula f = kane_bdf_alpha_make(2, kane_bdf_alpha_radius(swing));
        double complex y[3]            = {1.0, number(0.2, 0.5), 0.3};
        double sum                     = 0.0;
        for (int n = 0; n < MANY; n++) {
            const double complex p[3] = {y[0] + y[1] + y[2], y[1] + 2.0 * y[2], y[2]};
            const double complex d    = (z * p[0] - p[1]) / (1.0 - f.l[0] * z);
            double size               = 0.0;
            for (int j = 0; j < 3; j++) {
                y[j] = p[j] + f.l[j] * d;
                size = fmax(size, cabs(y[j]));
            }
            for (int j = 0; j < 3; j++)
                y[j] /= size;
            if (n >= MANY / 2)
                sum += log(size);
        }
        check_near(kane_method_growth(KANE_BDF_ALPHA, 2, h, highest, re, im), sum / (MANY - MANY / 2) / h,
                   1e-9 * hypot(re, im) + 2.0 / (h * MANY));
    }
}

// BDF of order 2 adds -(1/4) im^4 h^3 to the real part, up to terms with h^5: half of re is left at h = (2
// re/im^4)^(1/3).
CHECK_TEST(the_longest_step_leaves_half)
{
    const double re = 1.5, im = 225.0, longest = kane_method_step(KANE_BDF, 2, 0.0, re, im);
    check_near(kane_method_growth(KANE_BDF, 2, longest, 0.0, re, im), 0.5 * re, 1e-4);
    check_relative(longest, cbrt(2.0 * re / pow(im, 4.0)), 0.05); // (h im)^2 = 0.06
    assert_true(kane_method_step(KANE_ADAMS, 2, 0.0, re, im) > 5.0 * longest);
}

CHECK_MAIN(NULL, NULL)
