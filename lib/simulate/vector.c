// SPDX-License-Identifier: MIT
// The arithmetic of the integrator's vectors.
//
// A state has some hundred numbers, and a step goes through them some thirty times. SUNDIALS' own loops are as fast as
// its distributor has compiled them, which may be without any optimisation; these are compiled like the rest of the
// library. Numbers are taken four at a time, all read before one is written: a result may stand where an argument
// stood.

#include "simulate/sundials.h"

#include <math.h>

static double *vector_data(N_Vector v)
{
    return NV_DATA_S(v);
}

// z = a x + b y
static void linear_sum(sunrealtype a, N_Vector x_vector, sunrealtype b, N_Vector y_vector, N_Vector z_vector)
{
    const double *x = vector_data(x_vector), *y = vector_data(y_vector);
    double *z               = vector_data(z_vector);
    const sunindextype size = NV_LENGTH_S(z_vector);
    sunindextype i          = 0;
    for (; i + 4 <= size; i += 4) {
        const double z0 = a * x[i] + b * y[i], z1 = a * x[i + 1] + b * y[i + 1];
        const double z2 = a * x[i + 2] + b * y[i + 2], z3 = a * x[i + 3] + b * y[i + 3];
        z[i]     = z0;
        z[i + 1] = z1;
        z[i + 2] = z2;
        z[i + 3] = z3;
    }
    for (; i < size; i++)
        z[i] = a * x[i] + b * y[i];
}

// z = a x
static void scale_vector(sunrealtype a, N_Vector x_vector, N_Vector z_vector)
{
    const double *x         = vector_data(x_vector);
    double *z               = vector_data(z_vector);
    const sunindextype size = NV_LENGTH_S(z_vector);
    sunindextype i          = 0;
    for (; i + 4 <= size; i += 4) {
        const double z0 = a * x[i], z1 = a * x[i + 1], z2 = a * x[i + 2], z3 = a * x[i + 3];
        z[i]     = z0;
        z[i + 1] = z1;
        z[i + 2] = z2;
        z[i + 3] = z3;
    }
    for (; i < size; i++)
        z[i] = a * x[i];
}

// z = a everywhere
static void fill_vector(sunrealtype a, N_Vector z_vector)
{
    double *z               = vector_data(z_vector);
    const sunindextype size = NV_LENGTH_S(z_vector);
    for (sunindextype i = 0; i < size; i++)
        z[i] = a;
}

// The root of the mean of (x w)^2: four sums, so that one need not wait for the other.
static sunrealtype weighted_mean(N_Vector x_vector, N_Vector w_vector)
{
    const double *x = vector_data(x_vector), *w = vector_data(w_vector);
    const sunindextype size = NV_LENGTH_S(x_vector);
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    sunindextype i = 0;
    for (; i + 4 <= size; i += 4) {
        const double p0 = x[i] * w[i], p1 = x[i + 1] * w[i + 1], p2 = x[i + 2] * w[i + 2], p3 = x[i + 3] * w[i + 3];
        s0 += p0 * p0;
        s1 += p1 * p1;
        s2 += p2 * p2;
        s3 += p3 * p3;
    }
    for (; i < size; i++)
        s0 += (x[i] * w[i]) * (x[i] * w[i]);
    return sqrt(((s0 + s1) + (s2 + s3)) / (double)size);
}

void kane_vector_set_operations(N_Vector v)
{
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscale     = scale_vector;
    v->ops->nvconst     = fill_vector;
    v->ops->nvwrmsnorm  = weighted_mean;
}

// --- vectors made beforehand ---

// CVODE clones 13 of a vector for Adams-Moulton's orders, 7 to work with, its Newton's method and KLU 3 more.
enum { MOST = 32 };

struct kane_vectors {
    N_Vector vector[MOST];
    int is_taken[MOST];
};

// What the serial vector's operations see, and where it comes from.
typedef struct content {
    struct _N_VectorContent_Serial serial;
    kane_vectors *all;
    int place;
} content;

static N_Vector clone_vector(N_Vector like)
{
    kane_vectors *all = ((const content *)like->content)->all;
    for (int i = 0; i < MOST; i++)
        if (!all->is_taken[i]) {
            all->is_taken[i] = 1;
            return all->vector[i];
        }
    return NULL;
}

static void release_vector(N_Vector v)
{
    const content *own             = v->content;
    own->all->is_taken[own->place] = 0;
}

static N_Vector make_vector(kane_vectors *all, int place, sunindextype size, N_Vector serial, kane_arena *arena)
{
    content *own = kane_arena_alloc(arena, 1, sizeof *own);
    double *data = kane_arena_doubles(arena, (size_t)size);
    N_Vector v   = own && data ? N_VNewEmpty(serial->sunctx) : NULL;
    if (!v)
        return NULL;
    all->vector[place] = v;
    v->content         = own;
    *own = (content){.serial = {.length = size, .own_data = SUNFALSE, .data = data}, .all = all, .place = place};
    if (N_VCopyOps(serial, v) != 0)
        return NULL;
    kane_vector_set_operations(v);
    v->ops->nvclone   = clone_vector;
    v->ops->nvdestroy = release_vector;
    return v;
}

kane_vectors *kane_vectors_create(int size, SUNContext context, kane_arena *arena)
{
    kane_vectors *all = kane_arena_alloc(arena, 1, sizeof *all);
    N_Vector serial   = all ? N_VNewEmpty_Serial(size, context) : NULL;
    int good          = serial != NULL;
    for (int i = 0; i < MOST && good; i++)
        good = make_vector(all, i, size, serial, arena) != NULL;
    if (serial)
        N_VDestroy(serial);
    if (good)
        return all;
    kane_vectors_free(all);
    return NULL;
}

N_Vector kane_vectors_first(kane_vectors *all)
{
    return clone_vector(all->vector[0]);
}

void kane_vectors_free(kane_vectors *all)
{
    for (int i = 0; all && i < MOST; i++)
        if (all->vector[i]) {
            all->vector[i]->content = NULL;
            N_VFreeEmpty(all->vector[i]);
        }
}
