// SPDX-License-Identifier: MIT
// The equations of motion built in other ways than libkane's (apps/bench/efficiency.h) give the same accelerations: by
// products of partial velocities as the source writes them (42), (43), (46), and by free bodies that coefficients
// reduce (47), (60). Coefficients, their derivatives and all equations are the bench's own; with kane_eval it shares
// definition, state and the motion of the frames.

#include "check.h"

#include "apps/bench/efficiency.h"

static eff_system *system_of(eff_structure structure, int bodies, unsigned seed)
{
    CHECK_ERRORS errors = {0};
    eff_system *s       = eff_create(structure, bodies, seed, &errors);
    if (!s)
        print_error("%s\n", kane_errors_get(&errors, 0)->text);
    assert_non_null(s);
    return s;
}

static double largest(const double *a, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

static void check_all(const double *a, const double *expected, int count, const char *what, const eff_system *s)
{
    const double tolerance = 1e-10 * largest(expected, count);
    for (int i = 0; i < count; i++)
        if (!(fabs(a[i] - expected[i]) <= check_tolerance(tolerance))) {
            print_error("structure %d, %d bodies, %s, speed %d: %.17g instead of %.17g\n", s->structure, s->n, what, i,
                        a[i], expected[i]);
            fail();
        }
}

static const int sizes[] = {3, 7, 10, 20, 50};
enum { SIZES = sizeof sizes / sizeof *sizes, SEEDS = 3 };

CHECK_TEST(all_ways_agree_with_kane_eval)
{
    static double expected[EFF_SPEEDS_MOST];
    for (int t = 0; t < EFF_STRUCTURES; t++)
        for (int k = 0; k < SIZES; k++)
            for (unsigned seed = 1; seed <= SEEDS; seed++) {
                eff_system *s = system_of((eff_structure)t, sizes[k], seed);
                eff_kane(s, 0);
                eff_kane_get(s, expected);
                for (int i = 0; i < EFF_WAYS; i++) {
                    eff_eval(s, &eff_ways[i]);
                    check_all(s->u_dot, expected, s->l, eff_ways[i].name, s);
                }
                eff_free(s);
            }
}

CHECK_TEST(forms_of_the_forces_agree)
{
    static double expected[EFF_SPEEDS_MOST];
    static const char *const names[EFF_FORMS] = {"products", "checked", "known", "transpose", "reduced"};
    for (int t = 0; t < EFF_STRUCTURES; t++)
        for (int k = 0; k < SIZES; k++) {
            eff_system *s = system_of((eff_structure)t, sizes[k], 4);
            eff_move(s);
            eff_forces(s, EFF_REDUCED);
            memcpy(expected, s->f, sizeof expected);
            for (int form = 0; form < EFF_FORMS; form++) {
                eff_fill(s, (eff_form)form);
                eff_forces(s, (eff_form)form);
                check_all(s->f, expected, s->l, names[form], s);
            }
            eff_free(s);
        }
}

// All frames are in a transition and speed up: no imaginary force vanishes, and C of (47) does not in the chain.
CHECK_TEST(nothing_vanishes)
{
    for (int t = 0; t < EFF_STRUCTURES; t++) {
        eff_system *s = system_of((eff_structure)t, EFF_BODIES_MOST, 5);
        eff_move(s);
        for (int j = 0; j < (t == EFF_CHAIN ? 1 : s->n); j++) {
            const kane_transport *T = &s->T[j];
            assert_true(T->a_o.x > 0.5 && fabs(T->a_o.y) > 0.01 && fabs(T->omega.z) > 1e-3 && fabs(T->omega.x) > 1e-5);
            assert_true(fabs(T->epsilon.x) > 1e-7 && fabs(T->epsilon.z) > 1e-5);
        }
        assert_int_equal(largest(s->map.C, 6 * s->n) > 0.1, t == EFF_CHAIN);
        eff_free(s);
    }
}

CHECK_MAIN(NULL, NULL)
