// SPDX-License-Identifier: MIT
// Derivatives of a tape: further nodes on it.

#include "record/record.h"

#include "base/arena.h"

#include <string.h>

static int unary_node(int op, int a)
{
    return kane_tape_unary(op, a);
}

static int square_node(int a)
{
    return kane_tape_binary(KANE_OP_MUL, a, a);
}

// Node of the derivative f'(a) of a function of one number, at node i = f(a) with operand a.
static int derivative_node(int i, int op, int a)
{
    switch (op) {
    case KANE_OP_SQRT: // a vector of no length has no slope, as in kane/scalar.h
        return kane_tape_select(kane_tape_binary(KANE_OP_LESS, kane_tape_constant(0.0), i),
                                kane_tape_binary(KANE_OP_DIV, kane_tape_constant(0.5), i), kane_tape_constant(0.0));
    case KANE_OP_ABS: return kane_tape_binary(KANE_OP_COPYSIGN, kane_tape_constant(1.0), a);
    case KANE_OP_SIN: return unary_node(KANE_OP_COS, a);
    case KANE_OP_COS: return unary_node(KANE_OP_NEG, unary_node(KANE_OP_SIN, a));
    case KANE_OP_TAN: return kane_tape_binary(KANE_OP_ADD, kane_tape_constant(1.0), square_node(i));
    case KANE_OP_ASIN:
        return kane_tape_binary(
            KANE_OP_DIV, kane_tape_constant(1.0),
            unary_node(KANE_OP_SQRT, kane_tape_binary(KANE_OP_SUB, kane_tape_constant(1.0), square_node(a))));
    case KANE_OP_ACOS:
        return kane_tape_binary(
            KANE_OP_DIV, kane_tape_constant(-1.0),
            unary_node(KANE_OP_SQRT, kane_tape_binary(KANE_OP_SUB, kane_tape_constant(1.0), square_node(a))));
    case KANE_OP_ATAN:
        return kane_tape_binary(KANE_OP_DIV, kane_tape_constant(1.0),
                                kane_tape_binary(KANE_OP_ADD, kane_tape_constant(1.0), square_node(a)));
    case KANE_OP_EXP: return i;
    case KANE_OP_LOG: return kane_tape_binary(KANE_OP_DIV, kane_tape_constant(1.0), a);
    case KANE_OP_TANH: return kane_tape_binary(KANE_OP_SUB, kane_tape_constant(1.0), square_node(i));
    case KANE_OP_SINH: return unary_node(KANE_OP_COSH, a);
    case KANE_OP_COSH: return unary_node(KANE_OP_SINH, a);
    case KANE_OP_CBRT: return kane_tape_binary(KANE_OP_DIV, kane_tape_constant(1.0 / 3.0), square_node(i));
    case KANE_OP_EXPM1: return kane_tape_binary(KANE_OP_ADD, i, kane_tape_constant(1.0));
    default: return kane_tape_constant(0.0);
    }
}

static int product_node(int factor, int rate)
{
    return kane_tape_binary(KANE_OP_MUL, factor, rate);
}

// Node of the rate of i = a^b: b a^(b-1) da + i log(a) db; without the second term where b is constant.
static int power_rate(int i, int a, int b, int da, int db)
{
    const int base = product_node(
        kane_tape_binary(KANE_OP_MUL, b,
                         kane_tape_binary(KANE_OP_POW, a, kane_tape_binary(KANE_OP_SUB, b, kane_tape_constant(1.0)))),
        da);
    if (kane_tape_now->nodes[b].op == KANE_OP_CONSTANT)
        return base;
    return kane_tape_binary(KANE_OP_ADD, base,
                            product_node(kane_tape_binary(KANE_OP_MUL, i, unary_node(KANE_OP_LOG, a)), db));
}

// Node of the rate of node i from the rates d of its operands, by the chain rule.
static int node_rate(int i, const int *d)
{
    const kane_tape_node n = kane_tape_now->nodes[i];
    const int operands     = kane_op_operands(n.op);
    const int da = operands > 0 ? d[n.a] : -1, db = operands > 1 ? d[n.b] : -1;
    switch (n.op) {
    case KANE_OP_ADD: return kane_tape_binary(KANE_OP_ADD, da, db);
    case KANE_OP_SUB: return kane_tape_binary(KANE_OP_SUB, da, db);
    case KANE_OP_NEG: return unary_node(KANE_OP_NEG, da);
    case KANE_OP_MUL: return kane_tape_binary(KANE_OP_ADD, product_node(n.b, da), product_node(n.a, db));
    case KANE_OP_DIV: return kane_tape_binary(KANE_OP_DIV, kane_tape_binary(KANE_OP_SUB, da, product_node(i, db)), n.b);
    case KANE_OP_ATAN2:
        return kane_tape_binary(KANE_OP_DIV,
                                kane_tape_binary(KANE_OP_SUB, product_node(n.b, da), product_node(n.a, db)),
                                kane_tape_binary(KANE_OP_ADD, square_node(n.a), square_node(n.b)));
    case KANE_OP_POW: return power_rate(i, n.a, n.b, da, db);
    case KANE_OP_MIN: return kane_tape_select(kane_tape_binary(KANE_OP_LESS_EQUAL, n.a, n.b), da, db);
    case KANE_OP_MAX: return kane_tape_select(kane_tape_binary(KANE_OP_LESS_EQUAL, n.b, n.a), da, db);
    case KANE_OP_COPYSIGN:
        return product_node(kane_tape_binary(KANE_OP_MUL,
                                             kane_tape_binary(KANE_OP_COPYSIGN, kane_tape_constant(1.0), n.a),
                                             kane_tape_binary(KANE_OP_COPYSIGN, kane_tape_constant(1.0), n.b)),
                            da);
    case KANE_OP_SELECT: return kane_tape_select(n.c, da, db);
    case KANE_OP_LESS:
    case KANE_OP_LESS_EQUAL:
    case KANE_OP_EQUAL: return kane_tape_constant(0.0);
    default: return product_node(derivative_node(i, n.op, n.a), da);
    }
}

typedef enum need { NOT_NEEDED, NEEDED, HELD_STILL } need;

static void mark_node(int node, unsigned char *needed)
{
    if (needed[node] == NOT_NEEDED)
        needed[node] = NEEDED;
}

// Marks the nodes that an output needs: itself and, from the last one down, all operands; not those of nodes that are
// held still.
static void mark_needed(int count, const int *nodes, unsigned char *needed)
{
    const kane_tape *tape = kane_tape_now;
    int last              = -1;
    for (int i = 0; i < tape->still_count; i++)
        needed[tape->still[i]] = HELD_STILL;
    for (int i = 0; i < count; i++) {
        mark_node(nodes[i], needed);
        last = nodes[i] > last ? nodes[i] : last;
    }
    for (int i = last; i >= 0; i--) {
        const kane_tape_node *n = &tape->nodes[i];
        const int operands      = kane_op_operands(n->op);
        if (needed[i] != NEEDED)
            continue;
        if (operands > 0)
            mark_node(n->a, needed);
        if (operands > 1)
            mark_node(n->b, needed);
        for (int k = 0; n->op == KANE_OP_CALL && k < tape->calls[n->a].inputs; k++)
            mark_node(tape->calls[n->a].input[k], needed);
    }
}

// Node of the first derivative of a call, d(out)/d(in) by rows: a further call with the same inputs.
static int call_derivatives(const kane_tape_call *of)
{
    const kane_tape *tape     = kane_tape_now;
    const kane_tape_call call = *of;
    double in[KANE_TAPE_INPUTS], out[KANE_TAPE_DERIVATIVES];
    if (!tape->derive || call.which >= tape->derivative_calls)
        kane_tape_stop("what is called has no %s on a tape", tape->derive ? "second derivatives" : "derivative");
    for (int k = 0; k < call.inputs; k++)
        in[k] = tape->nodes[call.input[k]].value;
    if (!tape->derive(tape->deriver, tape->derivative_calls + call.which, in, out))
        kane_tape_stop("derivatives of what it calls cannot be computed at its start");
    return kane_tape_call_node(tape->derivative_calls + call.which, call.inputs, call.input, call.outputs * call.inputs,
                               out);
}

// Node of the rate of result `row` of a call:  sum over its inputs of d(out)/d(in) d(in).
static int result_rate(const kane_tape_call *of, int row, const int *d, int zero)
{
    const kane_tape *tape     = kane_tape_now;
    const kane_tape_call call = *of; // the tape may move
    int rate = zero, first = -1;
    for (int k = 0; k < call.inputs; k++) {
        if (d[call.input[k]] == zero || (tape->derive && !tape->depends(tape->deriver, call.which, row, k)))
            continue;
        if (first < 0)
            first = call_derivatives(&call);
        rate = kane_tape_binary(KANE_OP_ADD, rate, product_node(first + row * call.inputs + k, d[call.input[k]]));
    }
    return rate;
}

void kane_tape_differentiate(int count, const int *nodes, const int *seed, int *derivative)
{
    kane_tape *tape       = kane_tape_now;
    const int end         = tape->count;
    const int zero        = kane_tape_constant(0.0);
    unsigned char *needed = tape->scratch[0] = kane_allocate((size_t)end, 1);
    int *d = tape->scratch[1] = kane_allocate((size_t)end, sizeof *d);
    if (!needed || !d)
        kane_tape_stop("memory is short for derivatives of %d nodes", end);
    mark_needed(count, nodes, needed);
    for (int i = 0; i < end; i++) {
        const kane_tape_node n = tape->nodes[i];
        const int operands     = kane_op_operands(n.op);
        d[i]                   = zero;
        if (needed[i] != NEEDED || n.op == KANE_OP_CONSTANT)
            continue;
        if (n.op == KANE_OP_SYMBOL)
            d[i] = seed[n.a] >= 0 ? seed[n.a] : zero;
        else if (n.op == KANE_OP_RESULT)
            d[i] = result_rate(&tape->calls[tape->nodes[n.a].a], n.b, d, zero);
        else if (n.op == KANE_OP_CALL)
            continue;
        else if (d[n.a] != zero || (operands > 1 && d[n.b] != zero))
            d[i] = node_rate(i, d);
    }
    for (int i = 0; i < count; i++)
        derivative[i] = d[nodes[i]];
    kane_release(needed);
    kane_release(d);
    tape->scratch[0] = tape->scratch[1] = NULL;
}
