// SPDX-License-Identifier: MIT
// Nodes of a tape: hash-consed, folded where constants allow it.

#include "record/tape.h"

#include "base/arena.h"
#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__thread kane_tape *kane_tape_now;

void kane_tape_stop(const char *format, ...)
{
    kane_tape *tape = kane_tape_now;
    va_list list;
    va_start(list, format);
    (void)kane_vsnprintf(tape->reason, sizeof tape->reason, format, list);
    va_end(list);
    longjmp(tape->out, 1);
}

// Copies `used` bytes of `old` to new memory of `size` bytes and frees `old`. NULL without memory; `old` remains.
static void *copy_larger(void *old, size_t used, size_t size)
{
    void *more = kane_allocate(size, 1);
    if (more && old) {
        memcpy(more, old, used);
        kane_release(old);
    }
    return more;
}

// An array with room for one more; of what: for the message.
static void *grow_array(void *old, int count, int *room, size_t size, const char *of_what)
{
    if (count < *room)
        return old;
    void *more = copy_larger(old, (size_t)count * size, (2 * (size_t)count + 64) * size);
    if (!more)
        kane_tape_stop("memory is short for %d %s", count + 1, of_what);
    *room = 2 * count + 64;
    return more;
}

int kane_tape_start(kane_tape *tape)
{
    memset(tape, 0, sizeof *tape);
    tape->room       = 1 << 12;
    tape->slot_count = (size_t)1 << 14;
    tape->nodes      = kane_allocate((size_t)tape->room, sizeof *tape->nodes);
    tape->slots      = kane_allocate(tape->slot_count, sizeof *tape->slots);
    if (!tape->nodes || !tape->slots) {
        kane_tape_free(tape);
        return 0;
    }
    memset(tape->slots, 0xFF, tape->slot_count * sizeof *tape->slots);
    return 1;
}

void kane_tape_free(kane_tape *tape)
{
    kane_release(tape->nodes);
    kane_release(tape->slots);
    kane_release(tape->conditions);
    kane_release(tape->calls);
    kane_release(tape->still);
    kane_release(tape->scratch[0]);
    kane_release(tape->scratch[1]);
    memset(tape, 0, sizeof *tape);
}

// === Operations.

const char *kane_op_name(int op)
{
    static const char *const names[KANE_OP_COUNT] = {
        "constant", "symbol", "call",     "add",   "subtract",      "multiply", "divide", "atan2", "pow",
        "fmin",     "fmax",   "copysign", "less",  "equal or less", "equal",    "negate", "sqrt",  "fabs",
        "sin",      "cos",    "tan",      "asin",  "acos",          "atan",     "exp",    "log",   "tanh",
        "sinh",     "cosh",   "cbrt",     "expm1", "result",        "choose"};
    return names[op];
}

int kane_op_operands(int op)
{
    return op < KANE_OP_ADD ? 0 : op < KANE_OP_NEG ? 2 : op < KANE_OP_SELECT ? 1 : 3;
}

double kane_op_value(int op, double a, double b, double c)
{
    switch (op) {
    case KANE_OP_ADD: return a + b;
    case KANE_OP_SUB: return a - b;
    case KANE_OP_MUL: return a * b;
    case KANE_OP_DIV: return a / b;
    case KANE_OP_ATAN2: return atan2(a, b);
    case KANE_OP_POW: return pow(a, b);
    case KANE_OP_MIN: return fmin(a, b);
    case KANE_OP_MAX: return fmax(a, b);
    case KANE_OP_COPYSIGN: return copysign(a, b);
    case KANE_OP_LESS: return a < b;
    case KANE_OP_LESS_EQUAL: return a <= b;
    case KANE_OP_EQUAL: return a == b;
    case KANE_OP_NEG: return -a;
    case KANE_OP_SQRT: return sqrt(a);
    case KANE_OP_ABS: return fabs(a);
    case KANE_OP_SIN: return sin(a);
    case KANE_OP_COS: return cos(a);
    case KANE_OP_TAN: return tan(a);
    case KANE_OP_ASIN: return asin(a);
    case KANE_OP_ACOS: return acos(a);
    case KANE_OP_ATAN: return atan(a);
    case KANE_OP_EXP: return exp(a);
    case KANE_OP_LOG: return log(a);
    case KANE_OP_TANH: return tanh(a);
    case KANE_OP_SINH: return sinh(a);
    case KANE_OP_COSH: return cosh(a);
    case KANE_OP_CBRT: return cbrt(a);
    case KANE_OP_EXPM1: return expm1(a);
    case KANE_OP_SELECT: return c != 0.0 ? a : b;
    default: return (double)NAN;
    }
}

// === Nodes.

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// Hash of a node's operation, operands and value: equal nodes share one number (hash consing).
static size_t hash_node(const kane_tape_node *n)
{
    uint64_t h = (uint64_t)n->op * 0x9E3779B97F4A7C15u;
    h          = (h ^ (uint32_t)n->a) * 0xBF58476D1CE4E5B9u;
    h          = (h ^ h >> 29 ^ (uint32_t)n->b) * 0x94D049BB133111EBu;
    h          = (h ^ h >> 31 ^ (uint32_t)n->c) * 0x9E3779B97F4A7C15u;
    if (n->op == KANE_OP_CONSTANT)
        h = (h ^ bits_of(n->value)) * 0xBF58476D1CE4E5B9u;
    return (size_t)(h ^ h >> 32);
}

static int is_same_node(const kane_tape_node *n, const kane_tape_node *o)
{
    return n->op == o->op && n->a == o->a && n->b == o->b && n->c == o->c &&
           (n->op != KANE_OP_CONSTANT || bits_of(n->value) == bits_of(o->value));
}

static void insert_slot(kane_tape *tape, int node)
{
    size_t i = hash_node(&tape->nodes[node]) & (tape->slot_count - 1);
    while (tape->slots[i] >= 0)
        i = (i + 1) & (tape->slot_count - 1);
    tape->slots[i] = node;
}

static void grow_tape(kane_tape *tape)
{
    const size_t slots = 2 * tape->slot_count;
    kane_tape_node *more =
        copy_larger(tape->nodes, (size_t)tape->room * sizeof *more, 2 * (size_t)tape->room * sizeof *more);
    if (more)
        tape->nodes = more;
    int *wide = more ? kane_allocate(slots, sizeof *wide) : NULL;
    if (!wide || tape->room > 1 << 26)
        kane_tape_stop("memory is short for a tape of %d operations", tape->count);
    kane_release(tape->slots);
    tape->room *= 2;
    tape->slots      = wide;
    tape->slot_count = slots;
    memset(wide, 0xFF, slots * sizeof *wide);
    for (int i = 0; i < tape->count; i++)
        insert_slot(tape, i);
}

static int find_or_add_node(kane_tape_node n)
{
    kane_tape *tape = kane_tape_now;
    size_t i        = hash_node(&n) & (tape->slot_count - 1);
    for (; tape->slots[i] >= 0; i = (i + 1) & (tape->slot_count - 1))
        if (is_same_node(&tape->nodes[tape->slots[i]], &n))
            return tape->slots[i];
    if (tape->count == tape->room) {
        grow_tape(tape);
        i = hash_node(&n) & (tape->slot_count - 1);
        while (tape->slots[i] >= 0)
            i = (i + 1) & (tape->slot_count - 1);
    }
    tape->slots[i]           = tape->count;
    tape->nodes[tape->count] = n;
    return tape->count++;
}

int kane_tape_constant(double value)
{
    return find_or_add_node((kane_tape_node){.op = KANE_OP_CONSTANT, .a = -1, .b = -1, .c = -1, .value = value});
}

int kane_tape_symbol(int which, double value)
{
    return find_or_add_node((kane_tape_node){.op = KANE_OP_SYMBOL, .a = which, .b = -1, .c = -1, .value = value});
}

static int is_constant(int node)
{
    return kane_tape_now->nodes[node].op == KANE_OP_CONSTANT;
}

static int is_number(int node, double value)
{
    return is_constant(node) && kane_tape_now->nodes[node].value == value;
}

static double value_of(int node)
{
    return kane_tape_now->nodes[node].value;
}

int kane_tape_unary(int op, int a)
{
    const double value = kane_op_value(op, value_of(a), 0.0, 0.0);
    if (is_constant(a))
        return kane_tape_constant(value);
    if (op == KANE_OP_NEG && kane_tape_now->nodes[a].op == KANE_OP_NEG)
        return kane_tape_now->nodes[a].a;
    return find_or_add_node((kane_tape_node){.op = op, .a = a, .b = -1, .c = -1, .value = value});
}

// Node of a op b by an identity (x + 0, x - x, 1 x, x + (-y), ...), without a new operation or with a simpler one; -1:
// none applies.
static int simplify_binary(int op, int a, int b)
{
    const kane_tape_node *n = kane_tape_now->nodes;
    switch (op) {
    case KANE_OP_ADD:
        if (is_number(a, 0.0))
            return b;
        if (is_number(b, 0.0))
            return a;
        if (n[b].op == KANE_OP_NEG)
            return kane_tape_binary(KANE_OP_SUB, a, n[b].a);
        if (n[a].op == KANE_OP_NEG)
            return kane_tape_binary(KANE_OP_SUB, b, n[a].a);
        break;
    case KANE_OP_SUB:
        if (is_number(b, 0.0))
            return a;
        if (is_number(a, 0.0))
            return kane_tape_unary(KANE_OP_NEG, b);
        if (a == b)
            return kane_tape_constant(0.0);
        if (n[b].op == KANE_OP_NEG)
            return kane_tape_binary(KANE_OP_ADD, a, n[b].a);
        break;
    case KANE_OP_MUL:
        if (is_number(a, 0.0) || is_number(b, 0.0))
            return kane_tape_constant(0.0);
        if (is_number(a, 1.0))
            return b;
        if (is_number(b, 1.0))
            return a;
        if (is_number(a, -1.0))
            return kane_tape_unary(KANE_OP_NEG, b);
        if (is_number(b, -1.0))
            return kane_tape_unary(KANE_OP_NEG, a);
        if (n[a].op == KANE_OP_NEG && n[b].op == KANE_OP_NEG)
            return kane_tape_binary(KANE_OP_MUL, n[a].a, n[b].a);
        if (n[a].op == KANE_OP_NEG) // signs go outward, where sums take them
            return kane_tape_unary(KANE_OP_NEG, kane_tape_binary(KANE_OP_MUL, n[a].a, b));
        if (n[b].op == KANE_OP_NEG)
            return kane_tape_unary(KANE_OP_NEG, kane_tape_binary(KANE_OP_MUL, a, n[b].a));
        break;
    case KANE_OP_DIV:
        if (is_number(a, 0.0))
            return a;
        if (is_number(b, 1.0))
            return a;
        if (n[a].op == KANE_OP_NEG)
            return kane_tape_unary(KANE_OP_NEG, kane_tape_binary(KANE_OP_DIV, n[a].a, b));
        break;
    case KANE_OP_EQUAL:
        if (a == b)
            return kane_tape_constant(1.0);
        break;
    case KANE_OP_MIN:
    case KANE_OP_MAX:
        if (a == b)
            return a;
        break;
    default: break;
    }
    return -1;
}

int kane_tape_binary(int op, int a, int b)
{
    const double value = kane_op_value(op, value_of(a), value_of(b), 0.0);
    if (is_constant(a) && is_constant(b))
        return kane_tape_constant(value);
    const int simple = simplify_binary(op, a, b);
    if (simple >= 0)
        return simple;
    const int commutes = op == KANE_OP_ADD || op == KANE_OP_MUL || op == KANE_OP_EQUAL;
    const int swapped  = commutes && a > b;
    return find_or_add_node(
        (kane_tape_node){.op = op, .a = swapped ? b : a, .b = swapped ? a : b, .c = -1, .value = value});
}

int kane_tape_select(int condition, int a, int b)
{
    if (a == b)
        return a;
    if (is_constant(condition))
        return value_of(condition) != 0.0 ? a : b;
    return find_or_add_node((kane_tape_node){.op    = KANE_OP_SELECT,
                                             .a     = a,
                                             .b     = b,
                                             .c     = condition,
                                             .value = value_of(condition) != 0.0 ? value_of(a) : value_of(b)});
}

// === Calls.

static int same_call(const kane_tape_call *a, const kane_tape_call *b)
{
    return a->which == b->which && a->inputs == b->inputs &&
           memcmp(a->input, b->input, (size_t)a->inputs * sizeof *a->input) == 0;
}

int kane_tape_call_node(int which, int inputs, const int *input, int outputs, const double *values)
{
    kane_tape *tape     = kane_tape_now;
    kane_tape_call call = {.which = which, .inputs = inputs, .outputs = outputs};
    memcpy(call.input, input, (size_t)inputs * sizeof *input);
    for (int i = 0; i < tape->call_count; i++)
        if (same_call(&tape->calls[i], &call))
            return tape->calls[i].node + 1;
    tape->calls = grow_array(tape->calls, tape->call_count, &tape->call_room, sizeof *tape->calls, "calls");
    call.node   = find_or_add_node((kane_tape_node){.op = KANE_OP_CALL, .a = tape->call_count, .b = -1, .c = -1});
    tape->calls[tape->call_count++] = call;
    for (int k = 0; k < outputs; k++)
        (void)find_or_add_node(
            (kane_tape_node){.op = KANE_OP_RESULT, .a = call.node, .b = k, .c = -1, .value = values[k]});
    return call.node + 1;
}

void kane_tape_hold_still(int node)
{
    kane_tape *tape = kane_tape_now;
    tape->still     = grow_array(tape->still, tape->still_count, &tape->still_room, sizeof *tape->still, "nodes");
    tape->still[tape->still_count++] = node;
}

// === Comparisons.

static void add_condition(kane_tape *tape, int node, int holds, const char *file)
{
    for (int i = 0; i < tape->condition_count; i++)
        if (tape->conditions[i].node == node)
            return;
    tape->conditions = grow_array(tape->conditions, tape->condition_count, &tape->condition_room,
                                  sizeof *tape->conditions, "conditions");
    tape->conditions[tape->condition_count++] = (kane_condition){node, holds, file};
}

int kane_tape_decide(int node, int policy, const char *file)
{
    kane_tape *tape     = kane_tape_now;
    kane_tape_way *way  = &tape->way;
    const int as_it_was = value_of(node) != 0.0;
    if (is_constant(node) || policy == KANE_BRANCH_CHOICE)
        return as_it_was;
    if (!tape->exploring) {
        add_condition(tape, node, as_it_was, file);
        return as_it_was;
    }
    for (int i = 0; i < way->count && i < tape->forced; i++)
        if (way->node[i] == node)
            return way->holds[i];
    for (int i = tape->forced; i < way->count; i++)
        if (way->node[i] == node)
            return way->holds[i];
    if (way->count == KANE_DEPTH_MOST) {
        tape->lost = 1;
        return as_it_was;
    }
    way->node[way->count]  = node;
    way->holds[way->count] = as_it_was;
    way->count++;
    return as_it_was;
}
