// SPDX-License-Identifier: MIT
// 3-vectors, 3x3 matrices and rotations, all inline and by value.

#ifndef KANE_MATH_H
#define KANE_MATH_H

#include <kane/base.h>
#include <math.h>

typedef struct kane_vec3 {
    double x, y, z;
} kane_vec3;

// A 3x3 matrix by its columns. A rotation matrix R_ab holds the axes of b in components of a.
typedef struct kane_mat3 {
    kane_vec3 x, y, z;
} kane_mat3;

// A force and a torque, or any pair of a polar and an axial vector.
typedef struct kane_wrench {
    kane_vec3 force;  // [N]
    kane_vec3 torque; // [N m]
} kane_wrench;

static inline kane_vec3 kv3(double x, double y, double z)
{
    return KANE_LITERAL(kane_vec3){x, y, z};
}

static inline kane_vec3 kv3_zero(void)
{
    return KANE_LITERAL(kane_vec3){0.0, 0.0, 0.0};
}

// unit vector along x, y or z (axis 0, 1, 2)
static inline kane_vec3 kv3_unit(int axis)
{
    return KANE_LITERAL(kane_vec3){axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

static inline double kv3_get(kane_vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static inline kane_vec3 kv3_add(kane_vec3 a, kane_vec3 b)
{
    return KANE_LITERAL(kane_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline kane_vec3 kv3_sub(kane_vec3 a, kane_vec3 b)
{
    return KANE_LITERAL(kane_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline kane_vec3 kv3_neg(kane_vec3 a)
{
    return KANE_LITERAL(kane_vec3){-a.x, -a.y, -a.z};
}

static inline kane_vec3 kv3_scale(double s, kane_vec3 a)
{
    return KANE_LITERAL(kane_vec3){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline kane_vec3 kv3_add_scaled(kane_vec3 a, double s, kane_vec3 b)
{
    return KANE_LITERAL(kane_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

// component by component
static inline kane_vec3 kv3_mul(kane_vec3 a, kane_vec3 b)
{
    return KANE_LITERAL(kane_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline double kv3_dot(kane_vec3 a, kane_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline kane_vec3 kv3_cross(kane_vec3 a, kane_vec3 b)
{
    return KANE_LITERAL(kane_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double kv3_norm(kane_vec3 a)
{
    return sqrt(kv3_dot(a, a));
}

static inline kane_mat3 km3_identity(void)
{
    return KANE_LITERAL(kane_mat3){{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
}

static inline kane_mat3 km3_zero(void)
{
    return KANE_LITERAL(kane_mat3){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}

static inline kane_mat3 km3_diag(double a, double b, double c)
{
    return KANE_LITERAL(kane_mat3){{a, 0.0, 0.0}, {0.0, b, 0.0}, {0.0, 0.0, c}};
}

static inline kane_vec3 km3_column(kane_mat3 A, int column)
{
    return column == 0 ? A.x : column == 1 ? A.y : A.z;
}

static inline void km3_set_column(kane_mat3 *A, int column, kane_vec3 a)
{
    if (column == 0)
        A->x = a;
    else if (column == 1)
        A->y = a;
    else
        A->z = a;
}

// the matrix of a x (...)
static inline kane_mat3 km3_skew(kane_vec3 a)
{
    return KANE_LITERAL(kane_mat3){{0.0, a.z, -a.y}, {-a.z, 0.0, a.x}, {a.y, -a.x, 0.0}};
}

// a b'
static inline kane_mat3 km3_outer(kane_vec3 a, kane_vec3 b)
{
    return KANE_LITERAL(kane_mat3){kv3_scale(b.x, a), kv3_scale(b.y, a), kv3_scale(b.z, a)};
}

static inline kane_mat3 km3_add(kane_mat3 A, kane_mat3 B)
{
    return KANE_LITERAL(kane_mat3){kv3_add(A.x, B.x), kv3_add(A.y, B.y), kv3_add(A.z, B.z)};
}

static inline kane_mat3 km3_sub(kane_mat3 A, kane_mat3 B)
{
    return KANE_LITERAL(kane_mat3){kv3_sub(A.x, B.x), kv3_sub(A.y, B.y), kv3_sub(A.z, B.z)};
}

static inline kane_mat3 km3_scale(double s, kane_mat3 A)
{
    return KANE_LITERAL(kane_mat3){kv3_scale(s, A.x), kv3_scale(s, A.y), kv3_scale(s, A.z)};
}

static inline kane_mat3 km3_transpose(kane_mat3 A)
{
    return KANE_LITERAL(kane_mat3){{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}

static inline double km3_trace(kane_mat3 A)
{
    return A.x.x + A.y.y + A.z.z;
}

// A v
static inline kane_vec3 km3_mulv(kane_mat3 A, kane_vec3 v)
{
    return KANE_LITERAL(kane_vec3){A.x.x * v.x + A.y.x * v.y + A.z.x * v.z, A.x.y * v.x + A.y.y * v.y + A.z.y * v.z,
                                   A.x.z * v.x + A.y.z * v.y + A.z.z * v.z};
}

// A' v
static inline kane_vec3 km3_tmulv(kane_mat3 A, kane_vec3 v)
{
    return KANE_LITERAL(kane_vec3){kv3_dot(A.x, v), kv3_dot(A.y, v), kv3_dot(A.z, v)};
}

// A B
static inline kane_mat3 km3_mul(kane_mat3 A, kane_mat3 B)
{
    return KANE_LITERAL(kane_mat3){km3_mulv(A, B.x), km3_mulv(A, B.y), km3_mulv(A, B.z)};
}

// A' B
static inline kane_mat3 km3_tmul(kane_mat3 A, kane_mat3 B)
{
    return KANE_LITERAL(kane_mat3){km3_tmulv(A, B.x), km3_tmulv(A, B.y), km3_tmulv(A, B.z)};
}

// x of A x = b by Cramer's rule; not finite if A is singular
static inline kane_vec3 km3_solve(kane_mat3 A, kane_vec3 b)
{
    const kane_vec3 yz       = kv3_cross(A.y, A.z);
    const double determinant = kv3_dot(A.x, yz);
    return KANE_LITERAL(kane_vec3){kv3_dot(b, yz) / determinant, kv3_dot(A.x, kv3_cross(b, A.z)) / determinant,
                                   kv3_dot(A.x, kv3_cross(A.y, b)) / determinant};
}

// A turned about its own axis x, y or z (A Rx, A Ry, A Rz): only two columns change. s, c: sine and cosine.
static inline kane_mat3 km3_turn_x(kane_mat3 A, double s, double c)
{
    return KANE_LITERAL(kane_mat3){A.x, kv3_add_scaled(kv3_scale(c, A.y), s, A.z),
                                   kv3_add_scaled(kv3_scale(c, A.z), -s, A.y)};
}

static inline kane_mat3 km3_turn_y(kane_mat3 A, double s, double c)
{
    return KANE_LITERAL(kane_mat3){kv3_add_scaled(kv3_scale(c, A.x), -s, A.z), A.y,
                                   kv3_add_scaled(kv3_scale(c, A.z), s, A.x)};
}

static inline kane_mat3 km3_turn_z(kane_mat3 A, double s, double c)
{
    return KANE_LITERAL(kane_mat3){kv3_add_scaled(kv3_scale(c, A.x), s, A.y),
                                   kv3_add_scaled(kv3_scale(c, A.y), -s, A.x), A.z};
}

static inline kane_wrench kw_add(kane_wrench a, kane_wrench b)
{
    return KANE_LITERAL(kane_wrench){kv3_add(a.force, b.force), kv3_add(a.torque, b.torque)};
}

// a + s b
static inline kane_wrench kw_add_scaled(kane_wrench a, double s, kane_wrench b)
{
    return KANE_LITERAL(kane_wrench){kv3_add_scaled(a.force, s, b.force), kv3_add_scaled(a.torque, s, b.torque)};
}

// Power of a wrench on a motion: F.v + T.w
static inline double kw_power(kane_wrench a, kane_vec3 v, kane_vec3 w)
{
    return kv3_dot(a.force, v) + kv3_dot(a.torque, w);
}

#endif
