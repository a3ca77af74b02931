// SPDX-License-Identifier: MIT
// A tape: every operation that an evaluation carries out, once each.
//
// Nodes are numbered in the order in which they can be computed. A node that is asked for again is the one that is
// there (common subexpressions), operations on constants are carried out at once with the arithmetic of doubles, and of
// algebra only what is exact for finite numbers is used: x + 0, x - 0, 0 - x, x 0, x 1, 0/x, x/1. Every node has the
// value that it had where the tape was recorded; comparisons decide by it.

#ifndef KANE_RECORD_TAPE_H
#define KANE_RECORD_TAPE_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kane_op {
    KANE_OP_CONSTANT, // value
    KANE_OP_SYMBOL,   // a: which one
    KANE_OP_CALL,     // a: which of `calls`; its results are the nodes behind it
    // of two nodes
    KANE_OP_ADD,
    KANE_OP_SUB,
    KANE_OP_MUL,
    KANE_OP_DIV,
    KANE_OP_ATAN2,
    KANE_OP_POW,
    KANE_OP_MIN,
    KANE_OP_MAX,
    KANE_OP_COPYSIGN,
    KANE_OP_LESS,       // 1 or 0
    KANE_OP_LESS_EQUAL, // 1 or 0
    KANE_OP_EQUAL,      // 1 or 0
    // of one
    KANE_OP_NEG,
    KANE_OP_SQRT,
    KANE_OP_ABS,
    KANE_OP_SIN,
    KANE_OP_COS,
    KANE_OP_TAN,
    KANE_OP_ASIN,
    KANE_OP_ACOS,
    KANE_OP_ATAN,
    KANE_OP_EXP,
    KANE_OP_LOG,
    KANE_OP_TANH,
    KANE_OP_SINH,
    KANE_OP_COSH,
    KANE_OP_CBRT,
    KANE_OP_EXPM1,
    KANE_OP_RESULT, // a: the node of a call; b: which of its results, from 0 on
    // of three: a where the condition is 1, else b
    KANE_OP_SELECT,
    KANE_OP_COUNT
} kane_op;

typedef struct kane_tape_node {
    int op;       // kane_op
    int a, b, c;  // operands; of KANE_OP_SELECT c is the condition; -1: none
    double value; // where the tape was recorded
} kane_tape_node;

// What a comparison of numbers that are no constants means.
typedef enum kane_branch_policy {
    KANE_BRANCH_HOLDS, // as recorded: the equations hold as long as it comes out like that, which is noted
    KANE_BRANCH_CHOICE // a choice that does not change the result (pivots, an order of sums): nothing is noted
} kane_branch_policy;

// A comparison that has been decided by its values.
typedef struct kane_condition {
    int node;         // that is 1 or 0
    int holds;        // what it was
    const char *file; // of the kernel that asked
} kane_condition;

enum { KANE_WAYS_MOST = 256, KANE_DEPTH_MOST = 24 };

enum { KANE_TAPE_INPUTS = 29, KANE_TAPE_DERIVATIVES = 464 };

// One way through a function that branches on its data: what was decided, in this order.
typedef struct kane_tape_way {
    int count;
    int node[KANE_DEPTH_MOST];
    int holds[KANE_DEPTH_MOST];
} kane_tape_way;

// A function of numbers that is not recorded but called.
typedef struct kane_tape_call {
    int which;                   // as who answers counts them
    int node;                    //
    int inputs, outputs;         // numbers
    int input[KANE_TAPE_INPUTS]; // nodes
} kane_tape_call;

typedef struct kane_tape {
    int count, room;
    kane_tape_node *nodes;
    int *slots; // hash table of nodes, -1: free
    size_t slot_count;
    int condition_count, condition_room;
    kane_condition *conditions;
    int call_count, call_room;
    kane_tape_call *calls;
    // derivatives of calls; derive NULL: there are none. depends: 0 where one is always zero. Those of call number
    // `which` are call number derivative_calls + which.
    int (*derive)(void *caller, int which, const double *in, double *out);
    int (*depends)(void *caller, int which, int output, int input);
    void *deriver;
    int derivative_calls;
    int still_count, still_room;
    int *still; // nodes that are taken for constants where the tape is differentiated

    // inside of a function of which all ways are recorded (kernels.cc)
    int exploring;
    int lost;          // 1: there are more ways than can be followed
    int forced;        // that many of `way` are given beforehand
    kane_tape_way way; //

    void *scratch[2]; // of kane_tape_differentiate, which a stop may leave early

    // why recording has ended early, and which element it was at, NULL: none
    const char *subject;
    jmp_buf out;
    char reason[256];
} kane_tape;

// The tape on which numbers of this thread are recorded.
extern __thread kane_tape *kane_tape_now;

// Where recording stops: longjmp to tape->out with a reason.
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void kane_tape_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Starts an empty tape; 0 if memory is short.
int kane_tape_start(kane_tape *tape);
void kane_tape_free(kane_tape *tape);

int kane_tape_constant(double value);
int kane_tape_symbol(int which, double value);
int kane_tape_unary(int op, int a);
int kane_tape_binary(int op, int a, int b);
int kane_tape_select(int condition, int a, int b);

// Inputs [inputs] are nodes, values [outputs] what comes out where the tape is recorded. Returns the node of the first
// result; the others follow it.
int kane_tape_call_node(int which, int inputs, const int *input, int outputs, const double *values);

// Takes a node for a constant in derivatives: of steps of an iteration whose last one does away with it.
void kane_tape_hold_still(int node);

// Its name, as "multiply"; how many operands it has.
const char *kane_op_name(int op);
int kane_op_operands(int op);

// The value of an operation.
double kane_op_value(int op, double a, double b, double c);

// Decides a comparison by its values, or as the way that is being recorded wants it.
int kane_tape_decide(int node, int policy, const char *file);

#ifdef __cplusplus
}
#endif

#endif
