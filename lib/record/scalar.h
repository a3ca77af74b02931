// SPDX-License-Identifier: MIT
// A number that records what is done with it, in the room of a double (C++; docs/equations.md).
//
// Kernels are compiled once more with `double` replaced by this class. It has the size, the alignment and, while it is
// constant, the very bits of a double: so a compiled model and the work of an evaluation, which C made, are read by
// these kernels unchanged. What is not constant is a NaN whose payload is the number of a node of the tape.
//
// It is no number that differentiates, as kane_scalar is: it has no derivatives, but builds the graph of expressions
// from which source is written and which lib/record/differentiate.c differentiates. Kernels with kane_scalar in them
// are recorded with it as their component, so it can be merged with none of them.

#ifndef KANE_RECORD_SCALAR_H
#define KANE_RECORD_SCALAR_H

#include <bit>
#include <math.h>
#include <float.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmath>
#include <ctype.h>
#include <assert.h>

#include "record/tape.h"

#undef isfinite
#undef isnan
#undef isinf
#undef signbit

#ifndef KANE_RECORD_POLICY
#define KANE_RECORD_POLICY KANE_BRANCH_HOLDS
#endif

typedef double kane_plain; // a double where all others are recorded

struct kane_recorded {
    uint64_t bits;

    static constexpr uint64_t mark = 0xFFFAu;

    kane_recorded() = default;
    constexpr kane_recorded(kane_plain x) : bits(std::bit_cast<uint64_t>(x))
    {
    }
    constexpr kane_recorded(float x) : kane_recorded((kane_plain)x)
    {
    }
    constexpr kane_recorded(int x) : kane_recorded((kane_plain)x)
    {
    }
    constexpr kane_recorded(unsigned x) : kane_recorded((kane_plain)x)
    {
    }
    constexpr kane_recorded(long x) : kane_recorded((kane_plain)x)
    {
    }
    constexpr kane_recorded(unsigned long x) : kane_recorded((kane_plain)x)
    {
    }
    constexpr kane_recorded(bool x) : kane_recorded((kane_plain)x)
    {
    }

    static kane_recorded of_node(int node)
    {
        kane_recorded x;
        if (kane_tape_now->nodes[node].op == KANE_OP_CONSTANT)
            return kane_recorded(kane_tape_now->nodes[node].value);
        x.bits = mark << 48 | (uint32_t)node;
        return x;
    }

    constexpr bool is_constant() const
    {
        return bits >> 48 != mark;
    }
    constexpr kane_plain constant() const
    {
        return std::bit_cast<kane_plain>(bits);
    }
    int node() const
    {
        return is_constant() ? kane_tape_constant(constant()) : (int)(uint32_t)bits;
    }

    // the value where the tape is recorded: what casts to integers go by
    kane_plain value() const
    {
        return is_constant() ? constant() : kane_tape_now->nodes[(int)(uint32_t)bits].value;
    }

    int whole() const
    {
        if (!is_constant())
            kane_tape_stop("an index depends on numbers that are not constant");
        return (int)constant();
    }
    explicit operator int() const
    {
        return whole();
    }
    explicit operator long() const
    {
        return whole();
    }
    explicit operator unsigned long() const
    {
        return (unsigned long)whole();
    }
    explicit operator bool() const;

    kane_recorded &operator+=(kane_recorded b);
    kane_recorded &operator-=(kane_recorded b);
    kane_recorded &operator*=(kane_recorded b);
    kane_recorded &operator/=(kane_recorded b);
};

static_assert(sizeof(kane_recorded) == sizeof(kane_plain) && alignof(kane_recorded) == alignof(kane_plain));

static inline kane_recorded kane_recorded_binary(int op, kane_recorded a, kane_recorded b)
{
    if (a.is_constant() && b.is_constant())
        return kane_recorded(kane_op_value(op, a.constant(), b.constant(), 0.0));
    return kane_recorded::of_node(kane_tape_binary(op, a.node(), b.node()));
}

static inline kane_recorded kane_recorded_unary(int op, kane_recorded a)
{
    if (a.is_constant())
        return kane_recorded(kane_op_value(op, a.constant(), 0.0, 0.0));
    return kane_recorded::of_node(kane_tape_unary(op, a.node()));
}

static inline kane_recorded operator+(kane_recorded a, kane_recorded b)
{
    return kane_recorded_binary(KANE_OP_ADD, a, b);
}
static inline kane_recorded operator-(kane_recorded a, kane_recorded b)
{
    return kane_recorded_binary(KANE_OP_SUB, a, b);
}
static inline kane_recorded operator*(kane_recorded a, kane_recorded b)
{
    return kane_recorded_binary(KANE_OP_MUL, a, b);
}
static inline kane_recorded operator/(kane_recorded a, kane_recorded b)
{
    return kane_recorded_binary(KANE_OP_DIV, a, b);
}
static inline kane_recorded operator-(kane_recorded a)
{
    return kane_recorded_unary(KANE_OP_NEG, a);
}
static inline kane_recorded operator+(kane_recorded a)
{
    return a;
}

inline kane_recorded &kane_recorded::operator+=(kane_recorded b)
{
    return *this = *this + b;
}
inline kane_recorded &kane_recorded::operator-=(kane_recorded b)
{
    return *this = *this - b;
}
inline kane_recorded &kane_recorded::operator*=(kane_recorded b)
{
    return *this = *this * b;
}
inline kane_recorded &kane_recorded::operator/=(kane_recorded b)
{
    return *this = *this / b;
}

// A comparison; policy and file are those of the kernel that is compiled.
static inline bool kane_recorded_compare(int op, kane_recorded a, kane_recorded b)
{
    if (a.is_constant() && b.is_constant())
        return kane_op_value(op, a.constant(), b.constant(), 0.0) != 0.0;
    // a pivot that may be anything but happens to be zero is better than none
    if (KANE_RECORD_POLICY == KANE_BRANCH_CHOICE && op == KANE_OP_LESS && a.is_constant() && a.constant() == 0.0 &&
        b.value() == 0.0)
        return true;
    return kane_tape_decide(kane_tape_binary(op, a.node(), b.node()), KANE_RECORD_POLICY, KANE_RECORD_KERNEL) != 0;
}

static inline bool operator<(kane_recorded a, kane_recorded b)
{
    return kane_recorded_compare(KANE_OP_LESS, a, b);
}
static inline bool operator>(kane_recorded a, kane_recorded b)
{
    return kane_recorded_compare(KANE_OP_LESS, b, a);
}
static inline bool operator<=(kane_recorded a, kane_recorded b)
{
    return kane_recorded_compare(KANE_OP_LESS_EQUAL, a, b);
}
static inline bool operator>=(kane_recorded a, kane_recorded b)
{
    return kane_recorded_compare(KANE_OP_LESS_EQUAL, b, a);
}

// What is not constant equals no constant that a kernel looks for to save work: zero, or a NaN that says "not known".
static inline bool operator==(kane_recorded a, kane_recorded b)
{
    if (a.is_constant() && b.is_constant())
        return a.constant() == b.constant();
    return a.bits == b.bits;
}
static inline bool operator!=(kane_recorded a, kane_recorded b)
{
    return !(a == b);
}
inline kane_recorded::operator bool() const
{
    return *this != kane_recorded(0.0);
}

#define KANE_RECORDED_1(name, op)                                                                                      \
    static inline kane_recorded name(kane_recorded a)                                                                  \
    {                                                                                                                  \
        return kane_recorded_unary(op, a);                                                                             \
    }
KANE_RECORDED_1(sin, KANE_OP_SIN)
KANE_RECORDED_1(cos, KANE_OP_COS)
KANE_RECORDED_1(tan, KANE_OP_TAN)
KANE_RECORDED_1(asin, KANE_OP_ASIN)
KANE_RECORDED_1(acos, KANE_OP_ACOS)
KANE_RECORDED_1(atan, KANE_OP_ATAN)
KANE_RECORDED_1(exp, KANE_OP_EXP)
KANE_RECORDED_1(log, KANE_OP_LOG)
KANE_RECORDED_1(tanh, KANE_OP_TANH)
KANE_RECORDED_1(sinh, KANE_OP_SINH)
KANE_RECORDED_1(cosh, KANE_OP_COSH)
KANE_RECORDED_1(cbrt, KANE_OP_CBRT)
KANE_RECORDED_1(expm1, KANE_OP_EXPM1)
KANE_RECORDED_1(sqrt, KANE_OP_SQRT)
KANE_RECORDED_1(fabs, KANE_OP_ABS)
#define KANE_RECORDED_2(name, op)                                                                                      \
    static inline kane_recorded name(kane_recorded a, kane_recorded b)                                                 \
    {                                                                                                                  \
        return kane_recorded_binary(op, a, b);                                                                         \
    }
KANE_RECORDED_2(atan2, KANE_OP_ATAN2)
KANE_RECORDED_2(pow, KANE_OP_POW)
KANE_RECORDED_2(fmin, KANE_OP_MIN)
KANE_RECORDED_2(fmax, KANE_OP_MAX)
KANE_RECORDED_2(copysign, KANE_OP_COPYSIGN)
static inline kane_recorded hypot(kane_recorded a, kane_recorded b)
{
    return sqrt(a * a + b * b);
}

static inline kane_recorded ldexp(kane_recorded a, int e)
{
    return a * kane_recorded(std::ldexp(1.0, e));
}

// Values that are not finite end an evaluation; on a tape they are what they are.
static inline bool isfinite(kane_recorded a)
{
    return !a.is_constant() || std::isfinite(a.constant());
}
static inline bool isnan(kane_recorded a)
{
    return a.is_constant() && std::isnan(a.constant());
}
static inline bool isinf(kane_recorded a)
{
    return a.is_constant() && std::isinf(a.constant());
}

// What numbers that no kernel may look into would need.
static inline kane_recorded kane_recorded_refuse(const char *name, kane_recorded a, kane_plain constant)
{
    if (!a.is_constant())
        kane_tape_stop("%s takes %s of a number that is not constant", KANE_RECORD_KERNEL, name);
    return kane_recorded(constant);
}
static inline kane_recorded floor(kane_recorded a)
{
    return kane_recorded_refuse("floor", a, std::floor(a.constant()));
}
static inline kane_recorded ceil(kane_recorded a)
{
    return kane_recorded_refuse("ceil", a, std::ceil(a.constant()));
}
static inline kane_recorded round(kane_recorded a)
{
    return kane_recorded_refuse("round", a, std::round(a.constant()));
}
static inline kane_recorded fmod(kane_recorded a, kane_recorded b)
{
    if (!b.is_constant())
        kane_tape_stop("%s takes fmod by a number that is not constant", KANE_RECORD_KERNEL);
    return kane_recorded_refuse("fmod", a, std::fmod(a.constant(), b.constant()));
}

// Pairs of numbers for kane/scalar.h, in place of a vector of the machine.
#define KANE_INLINE static inline // not always: kernels must compile fast
#define KANE_SCALAR_RECORDED
struct kane_double2 {
    kane_recorded at[2];
    kane_recorded operator[](int i) const
    {
        return at[i];
    }
    kane_recorded &operator[](int i)
    {
        return at[i];
    }
};
static inline kane_double2 operator+(kane_double2 a, kane_double2 b)
{
    return {a[0] + b[0], a[1] + b[1]};
}
static inline kane_double2 operator-(kane_double2 a, kane_double2 b)
{
    return {a[0] - b[0], a[1] - b[1]};
}
static inline kane_double2 operator*(kane_double2 a, kane_double2 b)
{
    return {a[0] * b[0], a[1] * b[1]};
}
static inline kane_double2 &operator+=(kane_double2 &a, kane_double2 b)
{
    return a = a + b;
}
static inline kane_double2 operator*(kane_recorded a, kane_double2 b)
{
    return {a * b[0], a * b[1]};
}

// x where a < b, else y
static inline kane_recorded KANE_WHERE_LESS(kane_recorded a, kane_recorded b, kane_recorded x, kane_recorded y)
{
    if (a.is_constant() && b.is_constant())
        return a.constant() < b.constant() ? x : y;
    return kane_recorded::of_node(
        kane_tape_select(kane_tape_binary(KANE_OP_LESS, a.node(), b.node()), x.node(), y.node()));
}

// x, without rates where the tape is differentiated
static inline kane_recorded KANE_WITHOUT_RATE(kane_recorded x)
{
    if (!x.is_constant())
        kane_tape_hold_still(x.node());
    return x;
}

// words of C that C++ has otherwise
#define restrict __restrict__
#define try kane_try
#define _Static_assert static_assert
#define double kane_recorded

#endif
