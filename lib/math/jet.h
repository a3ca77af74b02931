// SPDX-License-Identifier: MIT
// Jets: numbers and vectors in motion, with their value v and its derivative d in time or along a path. Both have
// slopes (kane/scalar.h), as many as the including file has chosen: a slope of d is a mixed derivative, and the slope
// of d in a direction that is time is the second one.
//
//   (a b)' = a' b + a b'    f(a)' = f'(a) a'
//
// Constraint rows (lib/tree/change.h) and gaps of wheels (lib/contact/gap_places.h) are written in them. The numbers
// that differentiate:
//
//   kane_scalar   value and first derivatives in 0, 4 or 6 directions, as each file chooses
//   jet           v and d, each a kane_scalar
//   kane_number   of user-defined rows and joints (kane/number.h): v, d, dd, six slopes, and how all of these change
//                 with one state: third derivatives. User functions get it by pointer, so its size is one for all
//                 files, and it cannot consist of kane_scalar

#ifndef KANE_MATH_JET_H
#define KANE_MATH_JET_H

#include <kane/scalar.h>

typedef struct jet {
    kane_scalar v, d;
} jet;

typedef struct jet3 {
    kane_scalar3 v, d;
} jet3;

// --- numbers ---

// What changes with time only, at this rate.
KANE_INLINE jet jet_given(double a, double rate)
{
    return (jet){ks_constant(a), ks_constant(rate)};
}

KANE_INLINE jet jet_add(jet a, jet b)
{
    return (jet){ks_add(a.v, b.v), ks_add(a.d, b.d)};
}

// a + s b
KANE_INLINE jet jet_add_scaled(jet a, double s, jet b)
{
    return (jet){ks_add(a.v, ks_scale(s, b.v)), ks_add(a.d, ks_scale(s, b.d))};
}

KANE_INLINE jet jet_scale(double s, jet a)
{
    return (jet){ks_scale(s, a.v), ks_scale(s, a.d)};
}

KANE_INLINE jet jet_mul(jet a, jet b)
{
    return (jet){ks_mul(a.v, b.v), ks_add(ks_mul(a.d, b.v), ks_mul(a.v, b.d))};
}

KANE_INLINE jet jet_inverse(jet a)
{
    const kane_scalar y = ks_inverse(a.v);
    return (jet){y, ks_neg(ks_mul(ks_square(y), a.d))};
}

KANE_INLINE jet jet_sqrt(jet a)
{
    const kane_scalar s = ks_sqrt(a.v);
    return (jet){s, ks_div(ks_scale(0.5, a.d), s)};
}

// f(a) from f and its first two derivatives there.
KANE_INLINE jet jet_chain(jet a, double f, double slope, double bend)
{
    return (jet){ks_chain(a.v, f, slope), ks_mul(ks_chain(a.v, slope, bend), a.d)};
}

// --- vectors ---

KANE_INLINE jet3 jet3_constant(kane_vec3 a)
{
    return (jet3){.v = ks3_constant(a)};
}

KANE_INLINE jet3 jet3_sub(jet3 a, jet3 b)
{
    return (jet3){ks3_sub(a.v, b.v), ks3_sub(a.d, b.d)};
}

KANE_INLINE jet3 jet3_scale(jet s, jet3 a)
{
    return (jet3){ks3_scale(s.v, a.v), ks3_add(ks3_scale(s.d, a.v), ks3_scale(s.v, a.d))};
}

KANE_INLINE jet jet3_dot(jet3 a, jet3 b)
{
    return (jet){ks3_dot(a.v, b.v), ks_add(ks3_dot(a.d, b.v), ks3_dot(a.v, b.d))};
}

KANE_INLINE jet3 jet3_cross(jet3 a, jet3 b)
{
    return (jet3){ks3_cross(a.v, b.v), ks3_add(ks3_cross(a.d, b.v), ks3_cross(a.v, b.d))};
}

KANE_INLINE jet jet3_get(jet3 a, int axis)
{
    return (jet){ks3_get(a.v, axis), ks3_get(a.d, axis)};
}

#endif
