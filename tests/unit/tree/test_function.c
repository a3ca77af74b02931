// SPDX-License-Identifier: MIT
// Functions of one variable: closed forms, derivatives against differences, tables, and what is refused.

#include "allocation.h"

#include "models.h"
#include "tree/tree.h"

static const kane_place place = {"m.json", 3, 7, "motions.crank"};

static const kane_line_function *create(const kane_function *f, kane_arena *arena)
{
    const kane_line_function *curve = CHECK_GOOD(kane_line_function_create, f, place, arena);
    assert_non_null(curve);
    return curve;
}

// Every derivative is that of the one before.
static void check_derivatives(const kane_line_function *curve, double x, double tolerance)
{
    const double h = 1e-4;
    double before[4], here[4], after[4];
    kane_line_function_eval(curve, x - h, before);
    kane_line_function_eval(curve, x, here);
    kane_line_function_eval(curve, x + h, after);
    for (int i = 0; i < 3; i++)
        check_near(here[i + 1], (after[i] - before[i]) / (2.0 * h), tolerance);
}

CHECK_TEST(test_polynomial)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    double coefficients[]          = {1.0, -2.0, 0.5, 3.0, -1.0};
    const kane_line_function *c =
        create(&(kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = 5, .coefficients = coefficients}, arena);
    double out[4];
    coefficients[0] = 99.0; // the curve has its own
    kane_line_function_eval(c, 2.0, out);
    check_near(out[0], 1.0 - 4.0 + 2.0 + 24.0 - 16.0, 1e-13);
    check_near(out[1], -2.0 + 2.0 + 36.0 - 32.0, 1e-13);
    check_near(out[2], 1.0 + 36.0 - 48.0, 1e-13);
    check_near(out[3], 18.0 - 48.0, 1e-13);
    check_derivatives(c, -0.7, 1e-6);
}

CHECK_TEST(test_sine)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    const double coefficients[]    = {0.5, 2.0, 3.0, 0.4};
    const kane_line_function *c =
        create(&(kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = coefficients}, arena);
    double out[4];
    kane_line_function_eval(c, 0.2, out);
    check_near(out[0], 0.5 + 2.0 * sin(1.0), 1e-15);
    check_near(out[1], 6.0 * cos(1.0), 1e-14);
    check_near(out[2], -18.0 * sin(1.0), 1e-14);
    check_near(out[3], -54.0 * cos(1.0), 1e-13);
    check_derivatives(c, 1.1, 1e-5);
}

// From one value to another, and a sine that sets in; t = 1/2: f = 1/2, f' = 15/8, f'' = 0.
CHECK_TEST(test_step)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    static const double c[] = {2.0, -1.0, 0.5, 0.8}, wave[] = {0.5, 2.0, 3.0, 0.4, 2.0};
    const kane_line_function *step =
        create(&(kane_function){.kind = KANE_FUNCTION_STEP, .count = 4, .coefficients = c}, arena);
    const kane_line_function *grows =
        create(&(kane_function){.kind = KANE_FUNCTION_SINE, .count = 5, .coefficients = wave}, arena);
    double out[4];
    kane_line_function_eval(step, 0.4, out);
    check_near(out[0], 2.0, 0.0);
    check_near(out[1], 0.0, 0.0);
    kane_line_function_eval(step, 0.9, out);
    check_near(out[0], 0.5, 1e-15);
    check_near(out[1], -3.0 * 15.0 / 8.0 / 0.8, 1e-13);
    check_near(out[2], 0.0, 1e-12);
    kane_line_function_eval(step, 1.4, out);
    check_near(out[0], -1.0, 0.0);
    kane_line_function_eval(grows, -0.3, out);
    check_near(out[0], 0.5, 0.0);
    kane_line_function_eval(grows, 1.0, out);
    check_near(out[0], 0.5 + 0.5 * 2.0 * sin(3.4), 1e-15);
    kane_line_function_eval(grows, 2.7, out);
    check_near(out[0], 0.5 + 2.0 * sin(3.0 * 2.7 + 0.4), 1e-14);
    for (double x = 0.55; x < 1.3; x += 0.1)
        check_derivatives(step, x, 1e-4);
    for (double x = 0.1; x < 2.9; x += 0.2)
        check_derivatives(grows, x, 1e-4);
}

CHECK_TEST(test_table)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    double x[] = {0.0, 1.0, 1.5, 3.0}, y[] = {0.0, 1.0, -1.0, 2.0};
    const kane_line_function *c =
        create(&(kane_function){.kind = KANE_FUNCTION_TABLE, .count = 4, .x = x, .y = y}, arena);
    double out[4], end[4];
    x[1] = y[1]           = 77.0; // the curve has its own
    const double points[] = {0.0, 1.0, 1.5, 3.0}, values[] = {0.0, 1.0, -1.0, 2.0};
    for (int i = 0; i < 4; i++) {
        kane_line_function_eval(c, points[i], out);
        check_near(out[0], values[i], 1e-14);
    }
    for (double at = 0.13; at < 3.0; at += 0.31)
        check_derivatives(c, at, 1e-5);
    kane_line_function_eval(c, 3.0, end);
    check_near(end[2], 0.0, 1e-13);       // natural
    kane_line_function_eval(c, 5.0, out); // and straight on
    check_near(out[0], 2.0 + 2.0 * end[1], 1e-13);
    check_near(out[1], end[1], 1e-14);
    check_near(out[2], 0.0, 0.0);
    kane_line_function_eval(c, 0.0, end);
    kane_line_function_eval(c, -1.0, out);
    check_near(out[0], -end[1], 1e-13);
}

static void exponential(const void *data, double x, double derivatives[4])
{
    const double k = *(const double *)data;
    for (int i = 0; i < 4; i++)
        derivatives[i] = pow(k, i) * exp(k * x);
}

CHECK_TEST(test_own)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    const double k                 = 1.5;
    const kane_line_function *c =
        create(&(kane_function){.kind = KANE_FUNCTION_USER, .own = exponential, .data = &k}, arena);
    double out[4];
    kane_line_function_eval(c, 0.4, out);
    check_near(out[0], exp(0.6), 1e-15);
    check_near(out[3], 1.5 * 1.5 * 1.5 * exp(0.6), 1e-14);
}

// What grows with the function, from 0: derivatives are those of the function, and the value is its quadrature.
static void check_integral(const kane_function *f, double x)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    CHECK_ERRORS errors            = {0};
    const kane_line_function *rate = create(f, arena),
                             *sum  = kane_line_function_create_integral(f, place, arena, &errors);
    double here[4], out[4], area = 0.0;
    const int n    = 4000;
    const double h = x / n;
    check_no_errors(&errors);
    assert_non_null(sum);
    for (int i = 0; i < n; i++) { // two Gauss points a step
        for (int k = -1; k <= 1; k += 2) {
            kane_line_function_eval(rate, (i + 0.5 + k * 0.5 / sqrt(3.0)) * h, here);
            area += 0.5 * h * here[0];
        }
    }
    kane_line_function_eval(sum, x, out);
    kane_line_function_eval(rate, x, here);
    check_near(out[0], area, 1e-9);
    for (int i = 0; i < 3; i++)
        check_near(out[i + 1], here[i], 1e-14 * (1.0 + fabs(here[i])));
    kane_line_function_eval(sum, 0.0, out);
    check_near(out[0], 0.0, 1e-15);
}

CHECK_TEST(test_integral)
{
    static const double c[] = {1.0, -2.0, 0.5, 3.0}, wave[] = {0.5, 2.0, 3.0, 0.4}, rise[] = {1.0, 3.0, -0.1, 0.7};
    static const double x[] = {-0.5, 0.3, 1.5, 2.0}, y[] = {1.0, 1.5, -1.0, 2.0};
    const kane_function f[] = {{.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = c},
                               {.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = wave},
                               {.kind = KANE_FUNCTION_STEP, .count = 4, .coefficients = rise},
                               {.kind = KANE_FUNCTION_TABLE, .count = 4, .x = x, .y = y},
                               {.kind = KANE_FUNCTION_TABLE, .count = 3, .x = x + 1, .y = y + 1}}; // 0 is before it
    const double places[]   = {0.2, 0.3, 1.1, 1.5, 2.0, 3.5, -0.3, -2.0};
    for (size_t k = 0; k < sizeof f / sizeof *f; k++)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            check_integral(&f[k], places[i]);
}

// Each with what the message must say.
CHECK_TEST(test_refused)
{
    static const double numbers[] = {0.0, 1.0, 1.0, 2.0}, falling[] = {0.0, 2.0, 1.0}, still[5] = {1.0, 2.0},
                        odd[] = {0.0, (double)NAN, 1.0};
    const struct {
        kane_function function;
        const char *says;
    } wrong[] = {
        {{.kind = KANE_FUNCTION_POLYNOMIAL}, "at least one"},
        {{.kind = KANE_FUNCTION_POLYNOMIAL, .count = 2}, "at least one"},
        {{.kind = KANE_FUNCTION_POLYNOMIAL, .count = 3, .coefficients = odd}, "coefficient 2 of 3"},
        {{.kind = KANE_FUNCTION_SINE, .count = 3, .coefficients = numbers}, "four coefficients"},
        {{.kind = KANE_FUNCTION_SINE, .count = 4}, "four coefficients"},
        {{.kind = KANE_FUNCTION_TABLE, .count = 4, .x = numbers}, "as many x as y"},
        {{.kind = KANE_FUNCTION_TABLE, .count = 4, .y = numbers}, "as many x as y"},
        {{.kind = KANE_FUNCTION_TABLE, .count = 1, .x = numbers, .y = numbers}, "at least two"},
        {{.kind = KANE_FUNCTION_TABLE, .count = 4, .x = numbers, .y = numbers}, "1 follows 1: x must grow"},
        {{.kind = KANE_FUNCTION_TABLE, .count = 3, .x = falling, .y = numbers}, "1 follows 2: x must grow"},
        {{.kind = KANE_FUNCTION_TABLE, .count = 3, .x = odd, .y = numbers}, "x 2 of 3"},
        {{.kind = KANE_FUNCTION_TABLE, .count = 3, .x = numbers, .y = odd}, "y 2 of 3"},
        {{.kind = KANE_FUNCTION_SINE, .count = 5, .coefficients = still}, "over which a sine sets in is 0"},
        {{.kind = KANE_FUNCTION_STEP, .count = 3, .coefficients = numbers}, "four coefficients"},
        {{.kind = KANE_FUNCTION_STEP, .count = 4, .coefficients = still}, "length 0"},
        {{.kind = KANE_FUNCTION_USER}, "user-defined"},
        {{.kind = (kane_function_kind)17}, "a polynomial, a sine, a table"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_OWNED(kane_arena) *arena = kane_arena_create();
        CHECK_ERRORS errors            = {0};
        assert_null(kane_line_function_create(&wrong[i].function, place, arena, &errors));
        assert_int_equal(errors.count, 1);
        assert_int_equal(kane_errors_get(&errors, 0)->line, 3);
        assert_string_equal(kane_errors_get(&errors, 0)->path, "motions.crank");
        if (!strstr(kane_errors_get(&errors, 0)->text, wrong[i].says))
            fail_msg("\"%s\" does not say \"%s\"", kane_errors_get(&errors, 0)->text, wrong[i].says);
    }
}

// Whatever allocation fails: no curve, and an error that says so.
CHECK_TEST(test_memory)
{
    static const double x[]     = {0.0, 1.0, 2.0};
    const kane_function kinds[] = {
        {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 3, .coefficients = x},
        {.kind = KANE_FUNCTION_TABLE, .count = 3, .x = x, .y = x},
        {.kind = KANE_FUNCTION_USER, .own = exponential},
        {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 3, .coefficients = x},
        {.kind = KANE_FUNCTION_TABLE, .count = 3, .x = x, .y = x},
    };
    const int pieces[] = {2, 4, 1, 3, 6};
    for (int i = 0; i < 5; i++) {
        int failures = 0;
        for (int k = 1;; k++, failures++) {
            kane_arena *arena   = kane_arena_create_sized(1);
            CHECK_ERRORS errors = {0};
            allocation_fail_at(k);
            const kane_line_function *curve =
                i < 3 ? kane_line_function_create(&kinds[i], place, arena, &errors)
                      : kane_line_function_create_integral(&kinds[i], place, arena, &errors);
            if (!allocation_stop()) {
                assert_non_null(curve);
                kane_arena_free(arena);
                break;
            }
            assert_null(curve);
            assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_NO_MEMORY);
            kane_arena_free(arena);
        }
        assert_int_equal(failures, pieces[i]);
    }
}

CHECK_MAIN(NULL, NULL)
