// SPDX-License-Identifier: MIT
// Modes of Craig and Bampton: with all of them the body is the whole model; built-in beams have their frequencies;
// static deflection is exact; frequencies of the free body come down to those of the whole model as modes are added.

#include "flexible_models.h"

#include "math/dense.h"

#define ENDS "\"near\":{\"at\":[0,0,0]},\"far\":{\"at\":[5,0.1,0.2]}"
#define HELD "\"modes\":{\"kind\":\"craig-bampton\",\"count\":"

static void check_frequencies(kane_flexible *one, kane_flexible *other, double part)
{
    const kane_flexible_data *a = kane_flexible_get_data(one), *b = kane_flexible_get_data(other);
    assert_int_equal(a->mode_count, b->mode_count);
    for (int i = 0; i < a->mode_count; i++)
        check_near(a->frequency[i], b->frequency[i], part * b->frequency[i]);
    assert_true(a->momentum_left < 1e-11 && a->turning_left < 1e-11);
    kane_flexible_free(one);
    kane_flexible_free(other);
}

// 96 held modes of 108 unknowns of which 12 are held, and 12 static motions of which 6 are rigid.
CHECK_TEST(with_all_modes_it_is_the_whole_model)
{
    check_frequencies(read_calculix_block(HELD "96}"), read_calculix_block("\"modes\":{\"count\":102}"), 1e-9);
    check_frequencies(read_slender_beam(8, ENDS, HELD "42}"), read_slender_beam(8, ENDS, "\"modes\":{\"count\":48}"),
                      1e-9);
    check_frequencies(read_slender_beam(8, "\"near\":{\"at\":[0,0,0]}", HELD "48}"),
                      read_slender_beam(8, ENDS, "\"modes\":{\"count\":48}"), 1e-9);
}

// Frequencies of the reduced body where one of its points is held by force and torque: v + w x r + S q = 0, w + Psi q =
// 0.
static void hold_point(const kane_flexible_data *d, int point, double *frequency)
{
    enum { MOST = 64 };
    static double A[MOST * MOST], w[MOST];
    const int n                    = d->mode_count;
    const kane_deformable_point *p = &d->shape.points[point];
    const double *J                = d->inertia;
    const kane_mat3 inertia        = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    kane_vec3 v[MOST], turn[MOST];
    assert_true(n <= MOST);
    for (int i = 0; i < n; i++) {
        turn[i] = kv3_neg(kv3(p->Psi[i], p->Psi[n + i], p->Psi[2 * n + i]));
        v[i]    = kv3_sub(kv3_neg(kv3(p->S[i], p->S[n + i], p->S[2 * n + i])), kv3_cross(turn[i], p->at));
    }
    for (int i = 0; i < n; i++) // eigenvalues 1 / omega^2
        for (int j = 0; j < n; j++)
            A[i * n + j] = ((i == j) + d->mass * kv3_dot(v[i], v[j]) + kv3_dot(turn[i], km3_mulv(inertia, turn[j]))) /
                           sqrt(d->shape.stiffness[i * n + i] * d->shape.stiffness[j * n + j]);
    assert_int_equal(kane_eigen_solve_symmetric(n, A, w), 0);
    for (int i = 0; i < n; i++)
        frequency[i] = 1.0 / (6.283185307179586 * sqrt(w[n - 1 - i]));
}

CHECK_TEST(a_cantilever_has_its_frequencies)
{
    static const double beta[3] = {1.8751040687119611, 4.694091132974174, 7.854757438237613};
    const double L = 5.0, pi = 3.14159265358979323846;
    for (int elements = 24; elements <= 96; elements += 72) { // found all at once, and by Lanczos' method
        CHECK_OWNED(kane_flexible) *m = read_slender_beam(elements, "\"near\":{\"at\":[0,0,0]}", HELD "12}");
        double frequency[64];
        hold_point(kane_flexible_get_data(m), 0, frequency);
        for (int k = 0; k < 3; k++)
            for (int plane = 0; plane < 2; plane++) {
                const double I      = plane ? SLENDER_IZ : SLENDER_IY;
                const double wanted = beta[k] * beta[k] / (2.0 * pi * L * L) * sqrt(2.1e11 * I / (7850.0 * SLENDER_A));
                double nearest      = HUGE_VAL;
                for (int i = 0; i < kane_flexible_get_data(m)->mode_count; i++)
                    nearest = fmin(nearest, fabs(frequency[i] - wanted) / wanted);
                check_near(nearest, 0.0, 1e-4);
            }
    }
}

// --- static deflection ---

// Where point 0 goes under a force and torque at point 1 that point 0 balances.
static void deflect(const kane_flexible_data *d, kane_vec3 force, kane_vec3 torque, double u[6])
{
    const int n                    = d->mode_count;
    const kane_deformable_point *p = d->shape.points;
    const kane_vec3 arm            = kv3_sub(p[1].at, p[0].at);
    const kane_vec3 back           = kv3_neg(kv3_add(torque, kv3_cross(arm, force)));
    for (int k = 0; k < 6; k++)
        u[k] = 0.0;
    for (int i = 0; i < n; i++) {
        double load = 0.0;
        for (int axis = 0; axis < 3; axis++)
            load += (p[1].S[axis * n + i] - p[0].S[axis * n + i]) * kv3_get(force, axis) +
                    p[1].Psi[axis * n + i] * kv3_get(torque, axis) + p[0].Psi[axis * n + i] * kv3_get(back, axis);
        for (int k = 0; k < 6; k++)
            u[k] += (k < 3 ? p[0].S[k * n + i] : p[0].Psi[(k - 3) * n + i]) * load / d->shape.stiffness[i * n + i];
    }
}

static void check_deflection(kane_flexible *few, kane_flexible *all, kane_flexible *without)
{
    double most_missed = 0.0;
    for (int load = 0; load < 6; load++) {
        const kane_vec3 force  = load < 3 ? kv3_unit(load) : kv3_zero(),
                        torque = load < 3 ? kv3_zero() : kv3_unit(load - 3);
        double u[6], whole[6], free_modes[6], size = 0.0;
        deflect(kane_flexible_get_data(few), force, torque, u);
        deflect(kane_flexible_get_data(all), force, torque, whole);
        deflect(kane_flexible_get_data(without), force, torque, free_modes);
        for (int k = 0; k < 6; k++)
            size = fmax(size, fabs(whole[k])); // arms are about a metre
        for (int k = 0; k < 6; k++) {
            check_near(u[k], whole[k], 1e-10 * size);
            most_missed = fmax(most_missed, fabs(free_modes[k] - whole[k]) / size);
        }
    }
    assert_true(most_missed > 1e-3); // or else static motions would not be needed
    kane_flexible_free(few);
    kane_flexible_free(all);
    kane_flexible_free(without);
}

CHECK_TEST(static_deflection_is_exact)
{
    check_deflection(read_calculix_block(HELD "2}"), read_calculix_block("\"modes\":{\"count\":102}"),
                     read_calculix_block("\"modes\":{\"count\":8}"));
    check_deflection(read_slender_beam(8, ENDS, HELD "2}"), read_slender_beam(8, ENDS, "\"modes\":{\"count\":48}"),
                     read_slender_beam(8, ENDS, "\"modes\":{\"count\":8}"));
}

// --- free modes from held ones ---

CHECK_TEST(frequencies_of_the_free_body_come_from_above)
{
    CHECK_OWNED(kane_flexible) *whole = read_calculix_block("\"modes\":{\"count\":102}");
    const kane_flexible_data *w       = kane_flexible_get_data(whole);
    double before[6]                  = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int count = 2; count <= 32; count *= 4) {
        char rest[128];
        (void)snprintf(rest, sizeof rest, HELD "%d}", count);
        CHECK_OWNED(kane_flexible) *m = read_calculix_block(rest);
        const kane_flexible_data *d   = kane_flexible_get_data(m);
        assert_int_equal(d->mode_count, count + 6);
        for (int i = 0; i < 6; i++) {
            assert_true(d->frequency[i] >= w->frequency[i] * (1.0 - 1e-10));
            assert_true(d->frequency[i] <= before[i] * (1.0 + 1e-10));
            before[i] = d->frequency[i];
        }
    }
    for (int i = 0; i < 6; i++)
        check_near(before[i], w->frequency[i], 1e-3 * w->frequency[i]);
}

// Two points of one node are held once, so that 28 held modes and 6 motions are left; found by Lanczos' method.
CHECK_TEST(large_models_and_points_of_one_node)
{
    static const char *const points   = ENDS ",\"same\":{\"at\":[5,-0.3,0]}";
    CHECK_OWNED(kane_flexible) *m     = read_slender_beam(80, points, HELD "28}");
    CHECK_OWNED(kane_flexible) *whole = read_slender_beam(80, points, "\"modes\":{\"count\":8}");
    const kane_flexible_data *d = kane_flexible_get_data(m), *w = kane_flexible_get_data(whole);
    assert_int_equal(d->mode_count, 34);
    for (int i = 0; i < 8; i++) {
        assert_true(d->frequency[i] >= w->frequency[i] * (1.0 - 1e-8));
        check_near(d->frequency[i], w->frequency[i], 1e-3 * w->frequency[i]);
    }
    assert_true(d->momentum_left < 1e-11 && d->turning_left < 1e-11);
}

CHECK_MAIN(NULL, NULL)
