// SPDX-License-Identifier: MIT
// Functions of one variable: polynomials, sines, splines through tables, and those that a user brings; their integrals.

#include "tree/tree.h"

#include <string.h>

// An error at `place`, for what is given and what it should be; returns 1.
static int add_input_error(kane_errors *errors, kane_place place, const char *text)
{
    kane_errors_add_input(errors, KANE_BAD_INPUT, place, "%s", text);
    return 1;
}

// Numbers that are not finite; returns how many errors were found.
static int check_finite(const double *values, int count, const char *what, kane_place place, kane_errors *errors)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            kane_errors_add_input(errors, KANE_BAD_INPUT, place, "%s %d of %d is %g; all must be finite", what, i + 1,
                                  count, values[i]);
            return 1;
        }
    }
    return 0;
}

static int check_table(const kane_function *f, kane_place place, kane_errors *errors)
{
    if (!f->x || !f->y)
        return add_input_error(errors, place, "a table needs its points: as many x as y");
    if (f->count < 2) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, place, "a table has %d points; it needs at least two", f->count);
        return 1;
    }
    if (check_finite(f->x, f->count, "x", place, errors) || check_finite(f->y, f->count, "y", place, errors))
        return 1;
    for (int i = 1; i < f->count; i++) {
        if (!(f->x[i] > f->x[i - 1])) {
            kane_errors_add_input(errors, KANE_BAD_INPUT, place, "in a table %g follows %g: x must grow", f->x[i],
                                  f->x[i - 1]);
            return 1;
        }
    }
    return 0;
}

// Returns 0, or not 0 with errors filled.
static int check_function(const kane_function *f, kane_place place, kane_errors *errors)
{
    switch (f->kind) {
    case KANE_FUNCTION_POLYNOMIAL:
        if (!f->coefficients || f->count < 1)
            return add_input_error(errors, place,
                                   "a polynomial has no coefficients; it needs at least one, the constant first");
        return check_finite(f->coefficients, f->count, "coefficient", place, errors);
    case KANE_FUNCTION_SINE:
        if (!f->coefficients || (f->count != 4 && f->count != 5))
            return add_input_error(
                errors, place,
                "a sine needs four coefficients, mean, amplitude, angular frequency and phase, or a fifth, over "
                "which it sets in");
        if (f->count == 5 && f->coefficients[4] == 0.0)
            return add_input_error(errors, place, "the length over which a sine sets in is 0; leave it out");
        return check_finite(f->coefficients, f->count, "coefficient", place, errors);
    case KANE_FUNCTION_STEP:
        if (!f->coefficients || f->count != 4)
            return add_input_error(errors, place,
                                   "a step needs four coefficients: from, to, where it begins and its length");
        if (f->coefficients[3] == 0.0)
            return add_input_error(errors, place, "a step has the length 0; it must be smooth");
        return check_finite(f->coefficients, f->count, "coefficient", place, errors);
    case KANE_FUNCTION_TABLE: return check_table(f, place, errors);
    case KANE_FUNCTION_USER:
        return f->own ? 0
                      : add_input_error(errors, place, "a user-defined function needs a function that evaluates it");
    }
    return add_input_error(errors, place,
                           "a function must be a polynomial, a sine, a table, a step or a user-defined function");
}

// A copy of `count` numbers; NULL if there are none, or no memory.
static const double *copy_numbers(kane_arena *arena, const double *values, int count)
{
    if (!values || count < 1)
        return NULL;
    double *own = kane_arena_alloc(arena, (size_t)count, sizeof *own);
    if (own)
        memcpy(own, values, (size_t)count * sizeof *own);
    return own;
}

const kane_line_function *kane_line_function_create(const kane_function *function, kane_place place, kane_arena *arena,
                                                    kane_errors *errors)
{
    if (check_function(function, place, errors))
        return NULL;
    const int is_table        = function->kind == KANE_FUNCTION_TABLE;
    const int is_formula      = !is_table && function->kind != KANE_FUNCTION_USER;
    kane_line_function *curve = kane_arena_alloc(arena, 1, sizeof *curve);
    const double *numbers     = is_formula ? copy_numbers(arena, function->coefficients, function->count) : NULL;
    const double *x           = is_table ? copy_numbers(arena, function->x, function->count) : NULL;
    const double *y           = is_table ? copy_numbers(arena, function->y, function->count) : NULL;
    kane_cubic *spline        = is_table ? kane_arena_alloc(arena, (size_t)function->count - 1, sizeof *spline) : NULL;
    if (!curve || (is_formula && !numbers) || (is_table && (!x || !y || !spline))) {
        kane_errors_add_input(errors, KANE_NO_MEMORY, place, "%s", kane_status_text(KANE_NO_MEMORY));
        return NULL;
    }
    curve->function              = *function;
    curve->function.coefficients = numbers;
    curve->function.x            = x;
    curve->function.y            = y;
    curve->spline                = spline;
    if (is_table)
        kane_spline_fit(function->count, x, y, KANE_SPLINE_NATURAL, spline);
    return curve;
}

int kane_line_function_is_even(const kane_line_function *curve)
{
    const kane_function *f = &curve->function;
    if (f->kind != KANE_FUNCTION_POLYNOMIAL)
        return f->kind == KANE_FUNCTION_TABLE && f->count == 2 && !curve->is_integral;
    for (int i = 2; i < f->count; i++)
        if (f->coefficients[i] != 0.0)
            return 0;
    return 1;
}

// Horner's rule for the value and the derivatives over their factorials.
static void eval_polynomial(int count, const double *c, double x, double out[4])
{
    out[0] = out[1] = out[2] = out[3] = 0.0;
    for (int i = count - 1; i >= 0; i--) {
        out[3] = out[3] * x + out[2];
        out[2] = out[2] * x + out[1];
        out[1] = out[1] * x + out[0];
        out[0] = out[0] * x + c[i];
    }
    out[2] *= 2.0;
    out[3] *= 6.0;
}

// mean + amplitude sin(w x + phase), three derivatives.
static void eval_sine(const double *c, double x, double out[4])
{
    const double w = c[2], s = c[1] * sin(w * x + c[3]), t = c[1] * cos(w * x + c[3]);
    out[0] = c[0] + s;
    out[1] = w * t;
    out[2] = -w * w * s;
    out[3] = -w * w * w * t;
}

// The smooth step f of length `length`, with three derivatives by x: for  from + (to - from) f,  or a sine times f.
static void set_in(double x, double length, double f[4])
{
    kane_step_eval(x / length, f);
    f[1] /= length;
    f[2] /= length * length;
    f[3] /= length * length * length;
}

// mean + f(x) (sine - mean): product rule.
static void growing_sine(const double *c, double x, double out[4])
{
    double f[4], s[4];
    set_in(x, c[4], f);
    eval_sine(c, x, s);
    s[0] -= c[0];
    out[0] = c[0] + f[0] * s[0];
    out[1] = f[1] * s[0] + f[0] * s[1];
    out[2] = f[2] * s[0] + 2.0 * f[1] * s[1] + f[0] * s[2];
    out[3] = f[3] * s[0] + 3.0 * (f[2] * s[1] + f[1] * s[2]) + f[0] * s[3];
}

// from + (to - from) f((x - begin)/length).
static void eval_step(const double *c, double x, double out[4])
{
    set_in(x - c[2], c[3], out);
    for (int i = 0; i < 4; i++)
        out[i] *= c[1] - c[0];
    out[0] += c[0];
}

// --- integrals from 0 ---

// sum c_i x^(i+1)/(i+1)
static const kane_line_function *integrate_polynomial(const kane_function *f, kane_place place, kane_arena *arena,
                                                      kane_errors *errors)
{
    kane_function integral = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = f->count + 1};
    double *coefficients   = kane_arena_alloc(arena, (size_t)integral.count, sizeof *coefficients);
    if (!coefficients) {
        kane_errors_add_input(errors, KANE_NO_MEMORY, place, "%s", kane_status_text(KANE_NO_MEMORY));
        return NULL;
    }
    coefficients[0] = 0.0;
    for (int i = 0; i < f->count; i++)
        coefficients[i + 1] = f->coefficients[i] / (i + 1);
    integral.coefficients = coefficients;
    return kane_line_function_create(&integral, place, arena, errors);
}

// int_0^x a sin(w x + p) = a x sin(p + w x/2) sin(w x/2)/(w x/2), which loses no digits where w x is small
static double sine_area(const double *c, double x)
{
    const double half = 0.5 * c[2] * x, share = half != 0.0 ? sin(half) / half : 1.0;
    return x * (c[0] + c[1] * share * sin(c[3] + half));
}

// int f dx from where a step begins
static double step_rise(double x, double length)
{
    const double t = x / length, inside = t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t;
    return length * (inside * inside * inside * inside * (2.5 + inside * (-3.0 + inside)) + (t > 1.0 ? t - 1.0 : 0.0));
}

// from x + (to - from) (F(x) - F(0)), F: integral of the smooth step.
static double step_area(const double *c, double x)
{
    return c[0] * x + (c[1] - c[0]) * (step_rise(x - c[2], c[3]) - step_rise(-c[2], c[3]));
}

// Integral of a table from its first point to x; straight beyond the ends.
static double table_area(const kane_line_function *curve, double x)
{
    const kane_function *f = &curve->function;
    const int i            = kane_spline_find(f->count, f->x, x);
    const double t = x - f->x[i], h = f->x[i + 1] - f->x[i], inside = t > 0.0 ? (t < h ? t : h) : 0.0, on = t - inside;
    double end[4];
    kane_cubic_eval(&curve->spline[i], inside, end);
    return curve->area[i] + kane_cubic_integral(&curve->spline[i], inside) + on * (end[0] + 0.5 * on * end[1]);
}

// Integral of the function from 0 to x.
static double area_of(const kane_line_function *curve, double x)
{
    if (curve->function.kind == KANE_FUNCTION_SINE)
        return sine_area(curve->function.coefficients, x);
    if (curve->function.kind == KANE_FUNCTION_STEP)
        return step_area(curve->function.coefficients, x);
    return table_area(curve, x) - table_area(curve, 0.0);
}

const kane_line_function *kane_line_function_create_integral(const kane_function *function, kane_place place,
                                                             kane_arena *arena, kane_errors *errors)
{
    if (function->kind == KANE_FUNCTION_USER) {
        (void)add_input_error(errors, place, "a rate cannot be a user-defined function: give what it is the rate of");
        return NULL;
    }
    if (function->kind == KANE_FUNCTION_SINE && function->count == 5) {
        (void)add_input_error(errors, place, "a rate cannot be a sine that sets in: give what it is the rate of");
        return NULL;
    }
    if (function->kind == KANE_FUNCTION_POLYNOMIAL)
        return check_function(function, place, errors) ? NULL : integrate_polynomial(function, place, arena, errors);
    const kane_line_function *rate = kane_line_function_create(function, place, arena, errors);
    kane_line_function *curve      = rate ? kane_arena_alloc(arena, 1, sizeof *curve) : NULL;
    const size_t points            = rate && rate->spline ? (size_t)rate->function.count : 0;
    double *area                   = curve ? kane_arena_alloc(arena, points, sizeof *area) : NULL;
    if (rate && !area)
        kane_errors_add_input(errors, KANE_NO_MEMORY, place, "%s", kane_status_text(KANE_NO_MEMORY));
    if (!area)
        return NULL;
    *curve             = *rate;
    curve->is_integral = 1;
    curve->area        = area;
    for (size_t i = 0; i + 1 < points; i++)
        area[i + 1] = area[i] + kane_cubic_integral(&curve->spline[i], curve->function.x[i + 1] - curve->function.x[i]);
    return curve;
}

// --- evaluation ---

static void eval_function(const kane_line_function *curve, double x, double out[4])
{
    const kane_function *f = &curve->function;
    switch (f->kind) {
    case KANE_FUNCTION_POLYNOMIAL: eval_polynomial(f->count, f->coefficients, x, out); break;
    case KANE_FUNCTION_SINE:
        if (f->count == 5)
            growing_sine(f->coefficients, x, out);
        else
            eval_sine(f->coefficients, x, out);
        break;
    case KANE_FUNCTION_STEP: eval_step(f->coefficients, x, out); break;
    case KANE_FUNCTION_TABLE: kane_spline_eval(f->count, f->x, curve->spline, x, out); break;
    case KANE_FUNCTION_USER: f->own(f->data, x, out); break;
    }
}

// An integral: out[1 .. 3] are the function and two derivatives.
void kane_line_function_eval(const kane_line_function *curve, double x, double out[4])
{
    eval_function(curve, x, out);
    if (!curve->is_integral)
        return;
    out[3] = out[2];
    out[2] = out[1];
    out[1] = out[0];
    out[0] = area_of(curve, x);
}
