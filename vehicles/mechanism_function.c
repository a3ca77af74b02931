// SPDX-License-Identifier: MIT
// Functions of one variable from what was typed, in the units of the two quantities that they relate.

#include "vehicles/mechanism_file.h"

#include "base/json.h"

#include <stdio.h>
#include <string.h>

// A function under construction: its value is in `unit`, its argument in `of`.
typedef struct builder {
    kane_reader *reader;
    const char *of, *unit;
} builder;

enum { UNIT_SIZE = 48 };

// "rad" over "s" to the power -> "rad/s^2"; pure numbers do not show.
static void derived_unit(const builder *b, int power, char text[UNIT_SIZE])
{
    char below[UNIT_SIZE] = "";
    if (power > 0 && strcmp(b->of, "1") != 0)
        (void)snprintf(below, sizeof below, power == 1 ? "/%s" : "/%s^%d", b->of, power);
    (void)snprintf(text, UNIT_SIZE, "%s%s", b->unit, below);
}

// Coefficients, the constant first.
static int read_polynomial(const builder *b, const kane_node *node, kane_function *function)
{
    if (node->kind != KANE_NODE_LIST || node->count < 1) {
        kane_reader_wrong_kind(b->reader, node, "a list of coefficients, the constant first");
        return 0;
    }
    double *values = kane_arena_doubles(b->reader->arena, (size_t)node->count);
    int count = 0, good = 1;
    if (!values) {
        kane_reader_no_memory(b->reader, node->place);
        return 0;
    }
    for (const kane_node *c = node->child; c; c = c->next, count++) {
        char unit[UNIT_SIZE];
        derived_unit(b, count, unit);
        good &= kane_reader_number(b->reader, c, unit, KANE_ANY, &values[count]);
    }
    *function = (kane_function){.kind = KANE_FUNCTION_POLYNOMIAL, .count = count, .coefficients = values};
    return good;
}

// Coefficients in their units, 0 where nothing was typed. 0 with an error.
static int read_coefficients(const builder *b, const kane_block *block, int count, const kane_node *const *nodes,
                             char (*units)[UNIT_SIZE], double *values)
{
    int good = 1;
    if (!values) {
        kane_reader_no_memory(b->reader, kane_block_place(block, NULL, -1));
        return 0;
    }
    for (int i = 0; i < count; i++) {
        values[i] = 0.0;
        if (nodes[i])
            good &= kane_reader_number(b->reader, nodes[i], units[i], KANE_ANY, &values[i]);
    }
    return good;
}

static int check_length(const builder *b, const kane_block *block, const char *key, double value)
{
    if (value > 0.0)
        return 1;
    kane_reader_fault(b->reader, block, key, "%g is out of range, must be positive", value);
    return 0;
}

// mean, amplitude, angular frequency, phase, length of the fade-in
static int read_sine(const builder *b, const kane_harmonic_input *in, kane_function *function)
{
    const kane_node *const nodes[5] = {in->mean, in->amplitude, in->angular_frequency, in->phase, in->fade_in};
    const builder turning           = {b->reader, b->of, "rad"};
    double *values                  = kane_arena_doubles(b->reader->arena, 5);
    const int count                 = in->fade_in ? 5 : 4;
    char units[5][UNIT_SIZE];
    derived_unit(b, 0, units[0]);
    derived_unit(b, 0, units[1]);
    derived_unit(&turning, 1, units[2]);
    derived_unit(&turning, 0, units[3]);
    (void)snprintf(units[4], UNIT_SIZE, "%s", b->of);
    *function = (kane_function){.kind = KANE_FUNCTION_SINE, .count = count, .coefficients = values};
    return read_coefficients(b, &in->block, count, nodes, units, values) &&
           (count == 4 || check_length(b, &in->block, "fade_in", values[4]));
}

// from, to, where it begins, its length
static int read_step(const builder *b, const kane_step_input *in, kane_function *function)
{
    const kane_node *const nodes[4] = {in->from, in->to, in->at, in->over};
    double *values                  = kane_arena_doubles(b->reader->arena, 4);
    char units[4][UNIT_SIZE];
    for (int i = 0; i < 4; i++)
        (void)snprintf(units[i], UNIT_SIZE, "%s", i < 2 ? b->unit : b->of);
    *function = (kane_function){.kind = KANE_FUNCTION_STEP, .count = 4, .coefficients = values};
    return in->to && in->over && // reported
           read_coefficients(b, &in->block, 4, nodes, units, values) && check_length(b, &in->block, "over", values[3]);
}

static int read_table(const builder *b, const kane_points_input *in, kane_function *function)
{
    const kane_place place = kane_block_place(&in->block, NULL, -1);
    kane_numbers x, y;
    if (!in->x || !in->y) // reported
        return 0;
    const int have_x = kane_reader_numbers(b->reader, in->x, b->of, KANE_ANY, &x);
    if (!kane_reader_numbers(b->reader, in->y, b->unit, KANE_ANY, &y) || !have_x)
        return 0;
    if (x.count < 2 || x.count != y.count) {
        kane_reader_report(b->reader, place, "has %d arguments and %d values; needs as many of both, at least two",
                           x.count, y.count);
        return 0;
    }
    for (int i = 1; i < x.count; i++)
        if (!(x.values[i] > x.values[i - 1])) {
            kane_reader_report(b->reader, kane_block_place(&in->block, "x", i),
                               "%g is not after %g: arguments must grow", x.values[i], x.values[i - 1]);
            return 0;
        }
    *function = (kane_function){.kind = KANE_FUNCTION_TABLE, .count = x.count, .x = x.values, .y = y.values};
    return 1;
}

int kane_function_build(kane_reader *reader, const kane_function_input *in, const char *of, const char *unit,
                        kane_function *function)
{
    const builder b = {reader, of, unit};
    const int sine = kane_block_has(&in->block, "sine"), table = kane_block_has(&in->block, "table");
    const int step = kane_block_has(&in->block, "step"), ways = (in->polynomial != NULL) + sine + table + step;
    if (ways != 1) {
        kane_reader_fault(reader, &in->block, NULL,
                          ways == 0
                              ? "is no function: give one of \"polynomial\", \"sine\", \"table\" and \"step\""
                              : "gives several of \"polynomial\", \"sine\", \"table\" and \"step\"; one is enough");
        return 0;
    }
    if (sine)
        return read_sine(&b, &in->sine, function);
    if (step)
        return read_step(&b, &in->step, function);
    return table ? read_table(&b, &in->table, function) : read_polynomial(&b, in->polynomial, function);
}
