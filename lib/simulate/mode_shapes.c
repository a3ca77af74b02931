// SPDX-License-Identifier: MIT
// Shapes of modes: their scale, their kinetic energy, how alike two of them are.

#include "simulate/linear_parts.h"

#include <math.h>

// Row i of the mass matrix of body j.
static const double *mass_row(const kane_modes *modes, int j, int i)
{
    return modes->mass + ((size_t)j * KANE_SHAPE + (size_t)i) * KANE_SHAPE;
}

double kane_mode_lever(const kane_modes *modes, int body, int freedom)
{
    const double inertia = mass_row(modes, body, freedom)[freedom], mass = mass_row(modes, body, KANE_Z)[KANE_Z];
    if (modes->model->bodies[body].part == KANE_PART_MODE) // its points have the displacements
        return 0.0;
    if (freedom < KANE_YAW)
        return 1.0;
    return inertia > 0.0 && mass > 0.0 ? sqrt(inertia / mass) : 1.0;
}

// Times the complex number (re, im).
static void multiply_by_complex(int count, double *const parts[2], size_t first, double re, double im)
{
    for (size_t i = first; i < first + (size_t)count; i++) {
        const double a = parts[0][i], b = parts[1][i];
        parts[0][i] = a * re - b * im;
        parts[1][i] = a * im + b * re;
    }
}

static void fill_shares(kane_modes *modes, int mode)
{
    const size_t first = (size_t)mode * (size_t)modes->rows;
    double sum         = 0.0;
    for (int k = 0; k < modes->rows; k++) {
        const int j       = k / KANE_SHAPE;
        const double *row = mass_row(modes, j, k % KANE_SHAPE);
        double energy     = 0.0;
        for (int part = 0; part < 2; part++) {
            const double *shape = modes->shape[part] + first;
            for (int i = 0; i < KANE_SHAPE; i++)
                energy += shape[k] * row[i] * shape[j * KANE_SHAPE + i];
        }
        modes->share[first + (size_t)k] = energy;
        sum += energy;
    }
    for (int k = 0; k < modes->rows && sum > 0.0; k++)
        modes->share[first + (size_t)k] /= sum;
}

void kane_mode_scale(kane_modes *modes, int mode)
{
    const size_t first = (size_t)mode * (size_t)modes->rows;
    const int n        = modes->states;
    double largest = 0.0, re = 1.0, im = 0.0;
    for (int k = 0; k < modes->rows; k++) {
        const double a = modes->shape[0][first + (size_t)k], b = modes->shape[1][first + (size_t)k];
        const double lever = kane_mode_lever(modes, k / KANE_SHAPE, k % KANE_SHAPE), size = hypot(a, b) * lever;
        if (size > largest * (1.0 + 1e-6)) { // the first one of those that are equal
            largest = size;
            re      = lever * a / (size * size);
            im      = -lever * b / (size * size);
        }
    }
    multiply_by_complex(modes->rows, modes->shape, first, re, im);
    multiply_by_complex(n, modes->state, (size_t)mode * (size_t)n, re, im);
    fill_shares(modes, mode);
}

void kane_modes_shape(const kane_modes *modes, int mode, int body, double re[KANE_COORDINATES],
                      double im[KANE_COORDINATES])
{
    const size_t first = (size_t)mode * (size_t)modes->rows + (size_t)body * KANE_SHAPE;
    for (size_t i = 0; i < KANE_SHAPE; i++) {
        re[i] = modes->shape[0][first + i];
        im[i] = modes->shape[1][first + i];
    }
}

double kane_modes_share(const kane_modes *modes, int mode, int body, kane_coordinate freedom)
{
    return modes->share[(size_t)mode * (size_t)modes->rows + (size_t)body * KANE_SHAPE + (size_t)freedom];
}

// Sum of conj(a) M b.
static void mass_product(const kane_modes *a, int mode_a, const kane_modes *b, int mode_b, double *re, double *im)
{
    const double *const pa[2] = {a->shape[0] + (size_t)mode_a * (size_t)a->rows,
                                 a->shape[1] + (size_t)mode_a * (size_t)a->rows};
    const double *const pb[2] = {b->shape[0] + (size_t)mode_b * (size_t)b->rows,
                                 b->shape[1] + (size_t)mode_b * (size_t)b->rows};
    *re = *im = 0.0;
    for (int k = 0; k < a->rows; k++) {
        const int j       = k / KANE_SHAPE;
        const double *row = mass_row(a, j, k % KANE_SHAPE);
        for (int i = 0; i < KANE_SHAPE; i++) {
            const int l = j * KANE_SHAPE + i;
            *re += row[i] * (pa[0][k] * pb[0][l] + pa[1][k] * pb[1][l]);
            *im += row[i] * (pa[0][k] * pb[1][l] - pa[1][k] * pb[0][l]);
        }
    }
}

double kane_modes_likeness(const kane_modes *a, int mode_a, const kane_modes *b, int mode_b)
{
    double re, im, aa, bb, zero;
    if (a->rows != b->rows)
        return 0.0;
    mass_product(a, mode_a, b, mode_b, &re, &im);
    mass_product(a, mode_a, a, mode_a, &aa, &zero);
    mass_product(b, mode_b, b, mode_b, &bb, &zero);
    return aa > 0.0 && bb > 0.0 ? (re * re + im * im) / (aa * bb) : 0.0;
}
