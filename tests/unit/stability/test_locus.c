// SPDX-License-Identifier: MIT
// Root loci of systems whose branches and crossings are known.

#include "modal.h"

// Two masses that know nothing of each other, on springs of 100 N/m and p N/m, with dampers; the second one's becomes
// negative.
typedef struct pair {
    int evaluations;
    double coupling; // between them [N/m]
} pair;

static const double FIRST = 100.0, MASS = 1.0, DAMPING = 0.2, TURNS = 123.456;

// The second one's damping passes through zero at p = TURNS.
static double damping_at(double p)
{
    return 0.01 * (TURNS - p);
}

static kane_modes *modes_at(double p, void *data, kane_errors *errors)
{
    pair *of                                   = data;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    const kane_bushing first                   = {.stiffness = {0.0, 0.0, FIRST}, .damping = {0.0, 0.0, DAMPING}};
    const kane_bushing second                  = {.stiffness = {0.0, 0.0, p}, .damping = {0.0, 0.0, damping_at(p)}};
    const kane_bushing between                 = {.stiffness = {0.0, 0.0, of->coupling}};
    of->evaluations++;
    mechanism_begin(&m, 0.0);
    (void)mechanism_add(&m, "first", MASS, kv3(1.0, 1.0, 1.0), kv3_zero());
    (void)mechanism_add(&m, "second", MASS, kv3(1.0, 1.0, 1.0), kv3_zero());
    m.bodies[0].dof = m.bodies[1].dof = KANE_DOF(KANE_Z);
    (void)mechanism_element(&m, "a", &kane_law_bushing, &first, "first", kv3_zero(), NULL, kv3_zero());
    (void)mechanism_element(&m, "b", &kane_law_bushing, &second, "second", kv3_zero(), NULL, kv3_zero());
    (void)mechanism_element(&m, "c", &kane_law_bushing, &between, "first", kv3_zero(), "second", kv3_zero());
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    kane_linear *linear = kane_linear_create(m.model, m.work, 0.0, m.y, errors);
    kane_modes *modes   = kane_modes_create(linear, KANE_MODES_COMPLETE, errors);
    kane_linear_free(linear);
    return modes;
}

static kane_locus *locus_over(pair *data, int count, const double *values)
{
    const kane_locus_study study = {.count = count, .values = values, .modes = modes_at, .data = data};
    kane_locus *locus            = CHECK_GOOD(kane_locus_create, &study);
    assert_non_null(locus);
    return locus;
}

enum { COUNT = 9 };

static const double upwards[COUNT] = {20.0, 40.0, 60.0, 80.0, 98.0, 110.0, 130.0, 150.0, 170.0};

// The frequencies cross at p = 100; who was the first stays the first.
CHECK_TEST(branches_keep_their_identity_where_they_cross)
{
    pair data                      = {0};
    CHECK_OWNED(kane_locus) *locus = locus_over(&data, COUNT, upwards);
    assert_int_equal(kane_locus_count(locus), 2);
    for (int i = 0; i < COUNT; i++)
        for (int b = 0; b < 2; b++) { // at first the second mass is the slower one
            const kane_mode *m = kane_locus_get(locus, b, i);
            const double k = b ? FIRST : upwards[i], c = b ? DAMPING : damping_at(upwards[i]);
            assert_non_null(m);
            assert_string_equal(m->name, b ? "first vertical" : "second vertical");
            check_relative(m->natural * 2.0 * 3.14159265358979323846, sqrt(k / MASS), 1e-12);
            check_near(m->re, -c / (2.0 * MASS), 1e-12);
        }
}

// Where both eigenvalues are so near that each is closer to what the other one was, shapes tell who is who.
CHECK_TEST(shapes_decide_where_eigenvalues_do_not)
{
    static const double values[]   = {99.9, 100.1};
    pair data                      = {0};
    CHECK_OWNED(kane_locus) *locus = locus_over(&data, 2, values);
    assert_int_equal(kane_locus_count(locus), 2);
    for (int b = 0; b < 2; b++)
        assert_string_equal(kane_locus_get(locus, b, 0)->name, kane_locus_get(locus, b, 1)->name);
}

CHECK_TEST(the_crossing_is_found)
{
    double downwards[COUNT];
    for (int i = 0; i < COUNT; i++)
        downwards[i] = upwards[COUNT - 1 - i];
    for (int down = 0; down < 2; down++) {
        pair data                      = {0};
        CHECK_OWNED(kane_locus) *locus = locus_over(&data, COUNT, down ? downwards : upwards);
        assert_int_equal(kane_locus_crossing_count(locus), 1);
        const kane_locus_crossing *c = kane_locus_get_crossing(locus, 0);
        check_near(c->value, TURNS, 1e-6);
        assert_int_equal(c->loses, !down);
        assert_string_equal(c->mode->name, "second vertical");
        check_relative(c->mode->im, sqrt(TURNS / MASS), 1e-6);
        assert_string_equal(kane_locus_get(locus, c->branch, 0)->name, "second vertical");
    }
}

// With a weak spring between them the frequencies veer: nothing crosses, the lower branch stays the lower one and
// changes from the second mass to the first. The steps are far too long for that and are divided.
CHECK_TEST(branches_that_veer_exchange_their_shapes)
{
    static const double values[]   = {60.0, 80.0, 95.0, 105.0, 112.0};
    pair data                      = {.coupling = 3.0};
    CHECK_OWNED(kane_locus) *locus = locus_over(&data, 5, values);
    assert_int_equal(kane_locus_count(locus), 2);
    assert_string_equal(kane_locus_get(locus, 0, 0)->name, "second vertical");
    assert_string_equal(kane_locus_get(locus, 0, 4)->name, "first vertical");
    assert_true(kane_locus_get(locus, 0, 4)->im < kane_locus_get(locus, 1, 4)->im);
    assert_true(data.evaluations > 5);
}

// A damper that prevails over a spring makes a pair of eigenvalues into two real ones: one goes on, the other one
// begins.
CHECK_TEST(a_pair_becomes_two_real_eigenvalues)
{
    static const double values[]   = {2.0, 1.0, 0.5, 0.3, 0.2}; // the damper, about 1.2, prevails below p = 0.37
    pair data                      = {0};
    CHECK_OWNED(kane_locus) *locus = locus_over(&data, 5, values);
    assert_int_equal(kane_locus_count(locus), 3);
    int begins = 0;
    for (int b = 0; b < 3; b++)
        begins += kane_locus_get(locus, b, 0) == NULL && kane_locus_get(locus, b, 4) != NULL;
    assert_int_equal(begins, 1);
    assert_int_equal(kane_locus_crossing_count(locus), 0);
}

static kane_modes *no_modes(double value, void *data, kane_errors *errors)
{
    (void)data;
    kane_errors_add(errors, KANE_NOT_SOLVED, "no equilibrium at %g", value);
    return NULL;
}

CHECK_TEST(what_fails_is_told)
{
    CHECK_ERRORS errors          = {0};
    const kane_locus_study study = {.count = COUNT, .values = upwards, .modes = no_modes};
    assert_null(kane_locus_create(&study, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text, "no equilibrium at 20");
}

CHECK_MAIN(NULL, NULL)
