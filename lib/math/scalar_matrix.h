// SPDX-License-Identifier: MIT
// Matrices of numbers with slopes (kane/scalar.h): as many slopes as the including file has chosen.

#ifndef KANE_MATH_SCALAR_MATRIX_H
#define KANE_MATH_SCALAR_MATRIX_H

#include <kane/scalar.h>

typedef struct cm { // by columns
    kane_scalar3 x, y, z;
} cm;

KANE_INLINE cm cm_constant(kane_mat3 R)
{
    return (cm){ks3_constant(R.x), ks3_constant(R.y), ks3_constant(R.z)};
}

// A a
KANE_INLINE kane_scalar3 cm_mulv(const cm *A, kane_scalar3 a)
{
    return ks3_add(ks3_add(ks3_scale(a.x, A->x), ks3_scale(a.y, A->y)), ks3_scale(a.z, A->z));
}

// A' a
KANE_INLINE kane_scalar3 cm_tmulv(const cm *A, kane_scalar3 a)
{
    return (kane_scalar3){ks3_dot(A->x, a), ks3_dot(A->y, a), ks3_dot(A->z, a)};
}

// === A kane_wheelset_function in numbers with slopes: as many as the including file has chosen.

typedef struct table_scalars {
    kane_scalar value, by_y, by_yaw, by_y_y, by_y_yaw, by_yaw_yaw;
} table_scalars;

#endif
