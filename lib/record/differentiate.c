// SPDX-License-Identifier: MIT
// Derivatives of a tape: further nodes on it.

#include "record/record.h"

#include "base/arena.h"

#include <string.h>

static int number(double x)
{
    return kane_tape_constant(x);
}

static int two(int op, int a, int b)
{
    return kane_tape_binary(op, a, b);
}

static int one(int op, int a)
{
    return kane_tape_unary(op, a);
}

static int square(int a)
{
    return two(KANE_OP_MUL, a, a);
}

// The slope of a function of one number, at node i with operand a.
static int slope(int i, int op, int a)
{
    switch (op) {
    case KANE_OP_SQRT: // a vector of no length has no slope, as in kane/scalar.h
        return kane_tape_select(two(KANE_OP_LESS, number(0.0), i), two(KANE_OP_DIV, number(0.5), i), number(0.0));
    case KANE_OP_ABS: return two(KANE_OP_COPYSIGN, number(1.0), a);
    case KANE_OP_SIN: return one(KANE_OP_COS, a);
    case KANE_OP_COS: return one(KANE_OP_NEG, one(KANE_OP_SIN, a));
    case KANE_OP_TAN: return two(KANE_OP_ADD, number(1.0), square(i));
    case KANE_OP_ASIN:
        return two(KANE_OP_DIV, number(1.0), one(KANE_OP_SQRT, two(KANE_OP_SUB, number(1.0), square(a))));
    case KANE_OP_ACOS:
        return two(KANE_OP_DIV, number(-1.0), one(KANE_OP_SQRT, two(KANE_OP_SUB, number(1.0), square(a))));
    case KANE_OP_ATAN: return two(KANE_OP_DIV, number(1.0), two(KANE_OP_ADD, number(1.0), square(a)));
    case KANE_OP_EXP: return i;
    case KANE_OP_LOG: return two(KANE_OP_DIV, number(1.0), a);
    case KANE_OP_TANH: return two(KANE_OP_SUB, number(1.0), square(i));
    case KANE_OP_SINH: return one(KANE_OP_COSH, a);
    case KANE_OP_COSH: return one(KANE_OP_SINH, a);
    case KANE_OP_CBRT: return two(KANE_OP_DIV, number(1.0 / 3.0), square(i));
    case KANE_OP_EXPM1: return two(KANE_OP_ADD, i, number(1.0));
    default: return number(0.0);
    }
}

static int times(int factor, int rate)
{
    return two(KANE_OP_MUL, factor, rate);
}

// The rate of a^b.
static int power(int i, int a, int b, int da, int db)
{
    const int base = times(two(KANE_OP_MUL, b, two(KANE_OP_POW, a, two(KANE_OP_SUB, b, number(1.0)))), da);
    if (kane_tape_now->nodes[b].op == KANE_OP_CONSTANT)
        return base;
    return two(KANE_OP_ADD, base, times(two(KANE_OP_MUL, i, one(KANE_OP_LOG, a)), db));
}

// The rate of node i from those of its operands.
static int rate(int i, const int *d)
{
    const kane_tape_node n = kane_tape_now->nodes[i];
    const int operands     = kane_op_operands(n.op);
    const int da = operands > 0 ? d[n.a] : -1, db = operands > 1 ? d[n.b] : -1;
    switch (n.op) {
    case KANE_OP_ADD: return two(KANE_OP_ADD, da, db);
    case KANE_OP_SUB: return two(KANE_OP_SUB, da, db);
    case KANE_OP_NEG: return one(KANE_OP_NEG, da);
    case KANE_OP_MUL: return two(KANE_OP_ADD, times(n.b, da), times(n.a, db));
    case KANE_OP_DIV: return two(KANE_OP_DIV, two(KANE_OP_SUB, da, times(i, db)), n.b);
    case KANE_OP_ATAN2:
        return two(KANE_OP_DIV, two(KANE_OP_SUB, times(n.b, da), times(n.a, db)),
                   two(KANE_OP_ADD, square(n.a), square(n.b)));
    case KANE_OP_POW: return power(i, n.a, n.b, da, db);
    case KANE_OP_MIN: return kane_tape_select(two(KANE_OP_LESS_EQUAL, n.a, n.b), da, db);
    case KANE_OP_MAX: return kane_tape_select(two(KANE_OP_LESS_EQUAL, n.b, n.a), da, db);
    case KANE_OP_COPYSIGN:
        return times(two(KANE_OP_MUL, two(KANE_OP_COPYSIGN, number(1.0), n.a), two(KANE_OP_COPYSIGN, number(1.0), n.b)),
                     da);
    case KANE_OP_SELECT: return kane_tape_select(n.c, da, db);
    case KANE_OP_LESS:
    case KANE_OP_LESS_EQUAL:
    case KANE_OP_EQUAL: return number(0.0);
    default: return times(slope(i, n.op, n.a), da);
    }
}

static void mark(int count, const int *nodes, unsigned char *needed)
{
    int last = -1;
    for (int i = 0; i < count; i++) {
        needed[nodes[i]] = 1;
        last             = nodes[i] > last ? nodes[i] : last;
    }
    for (int i = last; i >= 0; i--) {
        const kane_tape_node *n = &kane_tape_now->nodes[i];
        const int operands      = kane_op_operands(n->op);
        if (!needed[i])
            continue;
        if (operands > 0)
            needed[n->a] = 1;
        if (operands > 1)
            needed[n->b] = 1;
    }
}

void kane_tape_differentiate(int count, const int *nodes, const int *seed, int *derivative)
{
    kane_tape *tape       = kane_tape_now;
    const int end         = tape->count;
    const int zero        = number(0.0);
    unsigned char *needed = tape->scratch[0] = kane_allocate((size_t)end, 1);
    int *d = tape->scratch[1] = kane_allocate((size_t)end, sizeof *d);
    if (!needed || !d)
        kane_tape_stop("memory is short for derivatives of %d nodes", end);
    mark(count, nodes, needed);
    for (int i = 0; i < end; i++) {
        const kane_tape_node n = tape->nodes[i];
        const int operands     = kane_op_operands(n.op);
        d[i]                   = zero;
        if (!needed[i] || n.op == KANE_OP_CONSTANT)
            continue;
        if (n.op == KANE_OP_SYMBOL)
            d[i] = seed[n.a] >= 0 ? seed[n.a] : zero;
        else if (n.op == KANE_OP_CALL || n.op == KANE_OP_RESULT)
            kane_tape_stop("what is called has no derivative on a tape");
        else if (d[n.a] != zero || (operands > 1 && d[n.b] != zero))
            d[i] = rate(i, d);
    }
    for (int i = 0; i < count; i++)
        derivative[i] = d[nodes[i]];
    kane_release(needed);
    kane_release(d);
    tape->scratch[0] = tape->scratch[1] = NULL;
}
