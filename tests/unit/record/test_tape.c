// SPDX-License-Identifier: MIT
// Tapes: what folds, what is shared, derivatives against differences.

#include "check.h"

#include "record/record.h"

static kane_tape tape;

static int start(void **state)
{
    (void)state;
    kane_tape_now = &tape;
    return kane_tape_start(&tape) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    kane_tape_free(&tape);
    kane_tape_now = NULL;
    return 0;
}

static int two(int op, int a, int b)
{
    return kane_tape_binary(op, a, b);
}

CHECK_TEST_IN(what_is_asked_for_again_is_there, start, end)
{
    const int x = kane_tape_symbol(0, 2.0), y = kane_tape_symbol(1, 3.0);
    assert_int_equal(kane_tape_symbol(0, 2.0), x);
    assert_int_equal(two(KANE_OP_MUL, x, y), two(KANE_OP_MUL, y, x));
    assert_int_not_equal(two(KANE_OP_SUB, x, y), two(KANE_OP_SUB, y, x));
    for (int i = 0; i < 20000; i++) // the table grows
        (void)two(KANE_OP_ADD, x, kane_tape_constant(i + 0.5));
    assert_int_equal(two(KANE_OP_ADD, x, kane_tape_constant(7.5)), two(KANE_OP_ADD, kane_tape_constant(7.5), x));
    const int count = tape.count;
    (void)two(KANE_OP_ADD, x, kane_tape_constant(123.5));
    assert_int_equal(tape.count, count);
}

CHECK_TEST_IN(only_what_is_exact_folds, start, end)
{
    const int x = kane_tape_symbol(0, 2.0), y = kane_tape_symbol(1, 3.0);
    const int zero = kane_tape_constant(0.0), one = kane_tape_constant(1.0), third = kane_tape_constant(1.0 / 3.0);
    assert_int_equal(two(KANE_OP_ADD, x, zero), x);
    assert_int_equal(two(KANE_OP_SUB, x, zero), x);
    assert_int_equal(two(KANE_OP_MUL, one, x), x);
    assert_int_equal(two(KANE_OP_MUL, zero, x), zero);
    assert_int_equal(two(KANE_OP_DIV, x, one), x);
    assert_int_equal(two(KANE_OP_DIV, zero, x), zero);
    assert_int_equal(two(KANE_OP_SUB, x, x), zero);
    const int minus_x = kane_tape_unary(KANE_OP_NEG, x), minus_y = kane_tape_unary(KANE_OP_NEG, y);
    assert_int_equal(kane_tape_unary(KANE_OP_NEG, minus_x), x);
    assert_int_equal(two(KANE_OP_SUB, y, minus_x), two(KANE_OP_ADD, y, x));
    assert_int_equal(two(KANE_OP_ADD, y, minus_x), two(KANE_OP_SUB, y, x));
    assert_int_equal(two(KANE_OP_MUL, minus_x, minus_y), two(KANE_OP_MUL, x, y));
    assert_int_equal(two(KANE_OP_SUB, zero, x), minus_x);
    // 1/3 + 1/3 as doubles have it; x + y - y is not x
    const int sum = two(KANE_OP_ADD, third, third);
    assert_true(tape.nodes[sum].op == KANE_OP_CONSTANT && tape.nodes[sum].value == 1.0 / 3.0 + 1.0 / 3.0);
    assert_int_not_equal(two(KANE_OP_SUB, two(KANE_OP_ADD, x, y), y), x);
    assert_int_equal(kane_tape_select(one, x, y), x);
    assert_int_equal(kane_tape_select(zero, x, y), y);
}

// Every operation at several places: its derivative against central differences.
CHECK_TEST_IN(derivatives_are_slopes, start, end)
{
    static const double places[][2] = {{0.3, 0.7}, {0.8, -0.4}, {0.55, 0.2}};
    for (int op = KANE_OP_ADD; op < KANE_OP_COUNT; op++) {
        if (op == KANE_OP_LESS || op == KANE_OP_LESS_EQUAL || op == KANE_OP_EQUAL || op == KANE_OP_RESULT)
            continue;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const double *at = places[i], h = 1e-5, way[2] = {0.9, -0.6};
            const int x = kane_tape_symbol(2 * (int)i, at[0]), y = kane_tape_symbol(2 * (int)i + 1, at[1]);
            const int operands  = kane_op_operands(op);
            const int condition = two(KANE_OP_LESS, y, x);
            const int node      = operands == 1   ? kane_tape_unary(op, x)
                                  : operands == 2 ? two(op, x, y)
                                                  : kane_tape_select(condition, x, y);
            int seed[6]         = {-1, -1, -1, -1, -1, -1}, slope;
            double side[2];
            seed[2 * i]     = kane_tape_constant(way[0]);
            seed[2 * i + 1] = kane_tape_constant(way[1]);
            kane_tape_differentiate(1, &node, seed, &slope);
            for (int k = 0; k < 2; k++) {
                const double step = k ? h : -h, a = at[0] + step * way[0], b = at[1] + step * way[1];
                side[k] = kane_op_value(op, a, b, b < a);
            }
            const double expected = (side[1] - side[0]) / (2.0 * h);
            if (!(fabs(tape.nodes[slope].value - expected) <= 1e-8 * (1.0 + fabs(expected))))
                fail_msg("%s at %g, %g: %.12g, differences %.12g", kane_op_name(op), at[0], at[1],
                         tape.nodes[slope].value, expected);
        }
    }
}

// The angle of a point that goes round: all four quadrants, of nodes and of constants, and how fast it turns.
CHECK_TEST_IN(angles_are_those_of_points, start, end)
{
    for (int k = 0; k < 24; k++) {
        const double angle = -3.0 + 0.26 * k, radius = 0.3 + 0.1 * k, rate = 0.7;
        const double at[2] = {radius * sin(angle), radius * cos(angle)};
        const int y = kane_tape_symbol(0, at[0]), x = kane_tape_symbol(1, at[1]);
        const int nodes[2] = {two(KANE_OP_ATAN2, y, x),
                              two(KANE_OP_ATAN2, kane_tape_constant(at[0]), kane_tape_constant(at[1]))};
        const int seed[2]  = {kane_tape_constant(rate * at[1]), kane_tape_constant(-rate * at[0])};
        int slope;
        assert_int_equal(tape.nodes[nodes[0]].op, KANE_OP_ATAN2);
        assert_int_equal(tape.nodes[nodes[1]].op, KANE_OP_CONSTANT);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(tape.nodes[nodes[i]].value - angle) <= check_tolerance(1e-15));
        kane_tape_differentiate(1, nodes, seed, &slope);
        assert_true(fabs(tape.nodes[slope].value - rate) <= check_tolerance(1e-15));
        kane_tape_free(&tape); // symbols have other values next time
        assert_true(kane_tape_start(&tape));
    }
}

// A call is made once for the same inputs; its results follow it, and have no derivatives.
CHECK_TEST_IN(calls_are_made_once, start, end)
{
    const int x = kane_tape_symbol(0, 2.0), y = kane_tape_symbol(1, 3.0), seed[2] = {kane_tape_constant(1.0), -1};
    const int in[2] = {x, y}, other[2] = {y, x};
    const double out[3] = {4.0, 5.0, 6.0};
    const int first     = kane_tape_call_node(7, 2, in, 3, out);
    assert_int_equal(tape.nodes[first - 1].op, KANE_OP_CALL);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(tape.nodes[first + k].op, KANE_OP_RESULT);
        assert_true(tape.nodes[first + k].value == out[k]);
    }
    assert_int_equal(kane_tape_call_node(7, 2, in, 3, out), first);
    assert_int_not_equal(kane_tape_call_node(7, 2, other, 3, out), first);
    assert_int_not_equal(kane_tape_call_node(8, 2, in, 3, out), first);
    assert_int_equal(tape.call_count, 3);
    const int sum = two(KANE_OP_ADD, first + 1, x);
    int slope, stopped = 1;
    if (setjmp(tape.out) == 0) {
        kane_tape_differentiate(1, &sum, seed, &slope);
        stopped = 0;
    }
    assert_int_equal(stopped, 1);
    assert_non_null(strstr(tape.reason, "no derivative"));
}

// Where a vector has no length its length has no slope.
CHECK_TEST_IN(the_root_of_nothing_has_no_slope, start, end)
{
    int slope;
    const int x = kane_tape_symbol(0, 0.0), root = kane_tape_unary(KANE_OP_SQRT, two(KANE_OP_MUL, x, x));
    const int seed = kane_tape_constant(1.0);
    kane_tape_differentiate(1, &root, &seed, &slope);
    assert_true(tape.nodes[slope].value == 0.0);
}

CHECK_TEST_IN(conditions_are_noted, start, end)
{
    const int x = kane_tape_symbol(0, 2.0), y = kane_tape_symbol(1, 3.0);
    const int less = two(KANE_OP_LESS, x, y);
    assert_int_equal(kane_tape_decide(less, KANE_BRANCH_CHOICE, "here"), 1);
    assert_int_equal(tape.condition_count, 0);
    assert_int_equal(kane_tape_decide(less, KANE_BRANCH_HOLDS, "here"), 1);
    assert_int_equal(kane_tape_decide(less, KANE_BRANCH_HOLDS, "here"), 1);
    assert_int_equal(tape.condition_count, 1);
    assert_int_equal(tape.conditions[0].holds, 1);
}

CHECK_MAIN(NULL, NULL)
