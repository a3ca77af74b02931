// SPDX-License-Identifier: MIT
// A recording as source: one function, straight down, in C, Python, Octave or Modelica.
//
// What has a name or is needed more than once is a variable; the rest stands where it is needed, so that formulas look
// like formulas. The operations and their order are those of the tape.

#include "record/record.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

const char *const kane_emit_targets[] = {"c", "python", "octave", "modelica", NULL};

// An operation that is needed once stands where it is needed as long as all that stands there is no more than this.
enum { INLINE_MOST = 10 };

typedef struct emitter {
    const kane_recording *r;
    kane_emit_target target;
    const kane_emit_options *how;
    FILE *file;
    int *uses; // of every node
    int *size; // operations that stand in its place, itself among them
} emitter;

static int lane_count(const emitter *e)
{
    return e->target == KANE_EMIT_C && e->how->lanes > 1 ? e->how->lanes : 1;
}

static const kane_tape_node *node_of(const emitter *e, int i)
{
    return &e->r->tape.nodes[i];
}

static int number_count(const kane_record_output *o)
{
    return o->rows * (o->columns > 0 ? o->columns : 1);
}

// --- what is a variable ---

static void count_uses(emitter *e)
{
    const kane_recording *r = e->r;
    for (int i = 0; i < r->tape.count; i++) {
        const kane_tape_node *n = node_of(e, i);
        const int operands      = kane_op_operands(n->op);
        if (!r->used[i])
            continue;
        if (operands > 0)
            e->uses[n->a]++;
        if (operands > 1)
            e->uses[n->b]++;
        if (operands > 2)
            e->uses[n->c]++;
        for (int k = 0; n->op == KANE_OP_CALL && k < r->tape.calls[n->a].inputs; k++)
            e->uses[r->tape.calls[n->a].input[k]]++;
    }
    for (int k = 0; k < r->output_count; k++)
        for (int i = 0; i < number_count(&r->output[k]); i++)
            e->uses[r->output[k].node[i]]++;
    for (int i = 0; i < r->tape.condition_count; i++)
        e->uses[r->tape.conditions[i].node]++;
}

static int is_leaf(const emitter *e, int i)
{
    const int op = node_of(e, i)->op;
    return op == KANE_OP_CONSTANT || op == KANE_OP_SYMBOL || op == KANE_OP_RESULT;
}

static int is_inline(const emitter *e, int i)
{
    return !is_leaf(e, i) && node_of(e, i)->op != KANE_OP_CALL && e->uses[i] == 1 && !e->r->label[i][0] &&
           e->size[i] <= INLINE_MOST;
}

static int size_in_place(const emitter *e, int i)
{
    return is_inline(e, i) ? e->size[i] : 0;
}

static void find_sizes(emitter *e)
{
    for (int i = 0; i < e->r->tape.count; i++) {
        const kane_tape_node *n = node_of(e, i);
        const int operands      = kane_op_operands(n->op);
        if (!e->r->used[i] || operands == 0)
            continue;
        e->size[i] = 1 + size_in_place(e, n->a) + (operands > 1 ? size_in_place(e, n->b) : 0) +
                     (operands > 2 ? size_in_place(e, n->c) : 0);
    }
}

// --- expressions ---

static void write_constant(const emitter *e, double x)
{
    static const char *const nan[] = {"NAN", "np.nan", "NaN", "(0.0/0.0)"};
    static const char *const inf[] = {"INFINITY", "np.inf", "Inf", "(1.0/0.0)"};
    if (isnan(x)) {
        fputs(nan[e->target], e->file);
    } else if (isinf(x)) {
        fprintf(e->file, "%s%s", x < 0.0 ? "-" : "", inf[e->target]);
    } else {
        char text[KANE_NUMBER_SIZE];
        kane_number_format(x, text);
        const char *point = strpbrk(text, ".e") ? "" : ".0";
        fprintf(e->file, x < 0.0 || signbit(x) ? "(%s%s)" : "%s%s", text, point);
    }
}

static void write_symbol(const emitter *e, int which)
{
    for (int g = 0; g < KANE_GROUP_COUNT; g++) {
        const kane_record_argument *a = &e->r->argument[g];
        const int i                   = which - a->first;
        if (i < 0 || i >= a->count)
            continue;
        if (g == KANE_GROUP_TIME)
            fputs(a->name, e->file);
        else if (e->target == KANE_EMIT_OCTAVE)
            fprintf(e->file, "%s(%d,:)", a->name, i + 1);
        else
            fprintf(e->file, "%s[%d]", a->name, i + (e->target == KANE_EMIT_MODELICA));
        return;
    }
}

static void write_name(const emitter *e, int i)
{
    if (e->r->label[i][0])
        fprintf(e->file, "%s_%d", e->r->label[i], i);
    else
        fprintf(e->file, "x%d", i);
}

static void write_expression(const emitter *e, int i);
static void write_result(const emitter *e, const kane_tape_node *n);

static void write_operand(const emitter *e, int i)
{
    const kane_tape_node *n = node_of(e, i);
    if (n->op == KANE_OP_CONSTANT) {
        write_constant(e, n->value);
    } else if (n->op == KANE_OP_SYMBOL) {
        write_symbol(e, n->a);
    } else if (n->op == KANE_OP_RESULT) {
        write_result(e, n);
    } else if (is_inline(e, i)) {
        const int bare = n->op >= KANE_OP_SQRT && n->op < KANE_OP_SELECT;
        fputs(bare ? "" : "(", e->file);
        write_expression(e, i);
        fputs(bare ? "" : ")", e->file);
    } else {
        write_name(e, i);
    }
}

static void write_infix(const emitter *e, const char *op, const kane_tape_node *n)
{
    write_operand(e, n->a);
    fputs(op, e->file);
    write_operand(e, n->b);
}

static void write_call(const emitter *e, const char *name, const kane_tape_node *n, int operands)
{
    const int of[3] = {operands == 3 ? n->c : n->a, operands == 3 ? n->a : n->b, n->b};
    fprintf(e->file, "%s%s(", lane_count(e) > 1 ? "lanes_" : "", name);
    for (int k = 0; k < operands; k++) {
        fputs(k ? ", " : "", e->file);
        const int widen = lane_count(e) > 1 && node_of(e, of[k])->op == KANE_OP_CONSTANT;
        fputs(widen ? "lanes_all(" : "", e->file);
        write_operand(e, of[k]);
        fputs(widen ? ")" : "", e->file);
    }
    fputs(")", e->file);
}

// Operations for which Modelica has no function.
static int write_modelica(const emitter *e, const kane_tape_node *n)
{
    FILE *f = e->file;
    switch (n->op) {
    case KANE_OP_COPYSIGN:
        fputs("if ", f);
        write_operand(e, n->b);
        fputs(" >= 0.0 then abs(", f);
        write_operand(e, n->a);
        fputs(") else -abs(", f);
        write_operand(e, n->a);
        fputs(")", f);
        return 1;
    case KANE_OP_LESS:
    case KANE_OP_LESS_EQUAL:
    case KANE_OP_EQUAL:
        fputs("if ", f);
        write_infix(e, n->op == KANE_OP_LESS ? " < " : n->op == KANE_OP_EQUAL ? " == " : " <= ", n);
        fputs(" then 1.0 else 0.0", f);
        return 1;
    case KANE_OP_SELECT:
        fputs("if ", f);
        write_operand(e, n->c);
        fputs(" > 0.5 then ", f);
        write_operand(e, n->a);
        fputs(" else ", f);
        write_operand(e, n->b);
        return 1;
    case KANE_OP_CBRT:
        fputs("sign(", f);
        write_operand(e, n->a);
        fputs(")*abs(", f);
        write_operand(e, n->a);
        fputs(")^(1.0/3.0)", f);
        return 1;
    case KANE_OP_EXPM1:
        fputs("2.0*exp(0.5*", f);
        write_operand(e, n->a);
        fputs(")*sinh(0.5*", f);
        write_operand(e, n->a);
        fputs(")", f);
        return 1;
    case KANE_OP_POW: write_infix(e, "^", n); return 1;
    default: return 0;
    }
}

static const struct {
    int op;
    const char *name[4];
} functions[] = {
    {KANE_OP_ATAN2, {"atan2", "np.arctan2", "atan2", "atan2"}},
    {KANE_OP_POW, {"pow", "np.power", "power", NULL}},
    {KANE_OP_MIN, {"fmin", "np.fmin", "min", "min"}},
    {KANE_OP_MAX, {"fmax", "np.fmax", "max", "max"}},
    {KANE_OP_COPYSIGN, {"copysign", "np.copysign", "take_sign", NULL}},
    {KANE_OP_LESS, {"less", "np.less", "lt", NULL}},
    {KANE_OP_LESS_EQUAL, {"less_equal", "np.less_equal", "le", NULL}},
    {KANE_OP_EQUAL, {"equal", "np.equal", "eq", NULL}},
    {KANE_OP_SQRT, {"sqrt", "np.sqrt", "sqrt", "sqrt"}},
    {KANE_OP_ABS, {"fabs", "np.abs", "abs", "abs"}},
    {KANE_OP_SIN, {"sin", "np.sin", "sin", "sin"}},
    {KANE_OP_COS, {"cos", "np.cos", "cos", "cos"}},
    {KANE_OP_TAN, {"tan", "np.tan", "tan", "tan"}},
    {KANE_OP_ASIN, {"asin", "np.arcsin", "asin", "asin"}},
    {KANE_OP_ACOS, {"acos", "np.arccos", "acos", "acos"}},
    {KANE_OP_ATAN, {"atan", "np.arctan", "atan", "atan"}},
    {KANE_OP_EXP, {"exp", "np.exp", "exp", "exp"}},
    {KANE_OP_LOG, {"log", "np.log", "log", "log"}},
    {KANE_OP_TANH, {"tanh", "np.tanh", "tanh", "tanh"}},
    {KANE_OP_SINH, {"sinh", "np.sinh", "sinh", "sinh"}},
    {KANE_OP_COSH, {"cosh", "np.cosh", "cosh", "cosh"}},
    {KANE_OP_CBRT, {"cbrt", "np.cbrt", "cbrt", NULL}},
    {KANE_OP_EXPM1, {"expm1", "np.expm1", "expm1", NULL}},
    {KANE_OP_SELECT, {"choose", "np.where", "choose", NULL}},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void write_expression(const emitter *e, int i)
{
    const kane_tape_node *n = node_of(e, i);
    const int octave        = e->target == KANE_EMIT_OCTAVE;
    switch (n->op) {
    case KANE_OP_ADD: write_infix(e, " + ", n); return;
    case KANE_OP_SUB: write_infix(e, " - ", n); return;
    case KANE_OP_MUL: write_infix(e, octave ? ".*" : "*", n); return;
    case KANE_OP_DIV: write_infix(e, octave ? "./" : "/", n); return;
    case KANE_OP_NEG:
        fputs("-", e->file);
        write_operand(e, n->a);
        return;
    default: break;
    }
    if (e->target == KANE_EMIT_MODELICA && write_modelica(e, n))
        return;
    for (int k = 0; k < FUNCTIONS; k++)
        if (functions[k].op == n->op)
            write_call(e, functions[k].name[e->target], n, kane_op_operands(n->op));
}

// --- calls ---

// An input: in vectors of many states all have as many columns.
static void write_input(const emitter *e, int i)
{
    const int wide = lane_count(e) > 1 && node_of(e, i)->op == KANE_OP_CONSTANT;
    fputs(wide ? "lanes_all(" : "", e->file);
    write_operand(e, i);
    fputs(wide ? ")" : e->target == KANE_EMIT_OCTAVE ? ".*z" : "", e->file);
}

static void write_inputs(const emitter *e, const kane_tape_call *c, const char *between)
{
    for (int k = 0; k < c->inputs; k++) {
        fputs(k ? between : "", e->file);
        write_input(e, c->input[k]);
    }
}

static void write_tape_call(const emitter *e, int i)
{
    const int number        = node_of(e, i)->a;
    const kane_tape_call *c = &e->r->tape.calls[number];
    FILE *f                 = e->file;
    switch (e->target) {
    case KANE_EMIT_C:
        if (lane_count(e) > 1) {
            fprintf(f, "    lanes c%d[%d];\n    if (!lanes_call(call, caller, %d, %d, (const lanes[]){", number,
                    c->outputs, c->which, c->inputs);
            write_inputs(e, c, ", ");
            fprintf(f, "}, %d, c%d))\n        return 0;\n", c->outputs, number);
        } else {
            fprintf(f, "    double c%d[%d];\n    if (!call(caller, %d, (const double[]){", number, c->outputs,
                    c->which);
            write_inputs(e, c, ", ");
            fprintf(f, "}, c%d))\n        return 0;\n", number);
        }
        break;
    case KANE_EMIT_PYTHON:
        fprintf(f, "    c%d = call(%d, (", number, c->which);
        write_inputs(e, c, ", ");
        fputs(c->inputs == 1 ? ",))\n" : "))\n", f);
        break;
    case KANE_EMIT_OCTAVE:
        fprintf(f, "  c%d = call(%d, [", number, c->which);
        write_inputs(e, c, "; ");
        fputs("]);\n", f);
        break;
    case KANE_EMIT_MODELICA:
        fprintf(f, "  c%d := %s_call(%d, {", number, e->how->function, c->which);
        write_inputs(e, c, ", ");
        fprintf(f, "}, %d);\n", c->outputs);
        break;
    }
}

static void write_result(const emitter *e, const kane_tape_node *n)
{
    const int base = e->target == KANE_EMIT_OCTAVE || e->target == KANE_EMIT_MODELICA;
    fprintf(e->file, e->target == KANE_EMIT_OCTAVE ? "c%d(%d,:)" : "c%d[%d]", node_of(e, n->a)->a, n->b + base);
}

// --- variables, conditions, outputs ---

static int is_variable(const emitter *e, int i)
{
    return e->r->used[i] && !is_leaf(e, i) && !is_inline(e, i);
}

static void write_variables(const emitter *e)
{
    static const char *const begin[]  = {"    const double ", "    ", "  ", "  "};
    static const char *const equals[] = {" = ", " = ", " = ", " := "};
    static const char *const end[]    = {";\n", "\n", ";\n", ";\n"};
    for (int i = 0; i < e->r->tape.count; i++) {
        if (!is_variable(e, i))
            continue;
        if (node_of(e, i)->op == KANE_OP_CALL) {
            write_tape_call(e, i);
            continue;
        }
        fputs(lane_count(e) > 1 ? "    const lanes " : begin[e->target], e->file);
        write_name(e, i);
        fputs(equals[e->target], e->file);
        write_expression(e, i);
        fputs(end[e->target], e->file);
    }
}

static void write_number(const emitter *e, int i)
{
    if (!is_leaf(e, i) && is_inline(e, i))
        write_expression(e, i);
    else
        write_operand(e, i);
}

static void write_outputs(const emitter *e)
{
    const kane_recording *r = e->r;
    for (int k = 0; k < r->output_count; k++) {
        const kane_record_output *o = &r->output[k];
        const int columns           = o->columns > 0 ? o->columns : 1;
        if (e->target == KANE_EMIT_PYTHON)
            fprintf(e->file, "    %s = np.empty((%d,%.0d%s) + np.shape(y)[1:])\n", o->name, o->rows, o->columns,
                    o->columns > 0 ? "," : "");
        if (e->target == KANE_EMIT_OCTAVE) {
            if (o->columns > 0)
                fprintf(e->file, "  %s = zeros(%d, %d);\n", o->name, o->rows, o->columns);
            else
                fprintf(e->file, "  %s = zeros(%d, columns(y));\n", o->name, o->rows);
        }
        for (int i = 0; i < number_count(o); i++) {
            const int row = i / columns, column = i % columns;
            switch (e->target) {
            case KANE_EMIT_C: fprintf(e->file, "    %s[%d] = ", o->name, i); break;
            case KANE_EMIT_PYTHON:
                fprintf(e->file, o->columns > 0 ? "    %s[%d, %d] = " : "    %s[%d] = ", o->name, row, column);
                break;
            case KANE_EMIT_OCTAVE:
                fprintf(e->file, o->columns > 0 ? "  %s(%d,%d) = " : "  %s(%d,:) = ", o->name, row + 1, column + 1);
                break;
            case KANE_EMIT_MODELICA:
                fprintf(e->file, o->columns > 0 ? "  %s[%d,%d] := " : "  %s[%d] := ", o->name, row + 1, column + 1);
                break;
            }
            const int wide = lane_count(e) > 1 && node_of(e, o->node[i])->op == KANE_OP_CONSTANT;
            fputs(wide ? "lanes_all(" : "", e->file);
            write_number(e, o->node[i]);
            fputs(wide ? ")" : "", e->file);
            fputs(e->target == KANE_EMIT_PYTHON ? "\n" : ";\n", e->file);
        }
    }
}

// Python, Octave and Modelica end with an error; C returns 0.
static void write_conditions(const emitter *e)
{
    const kane_tape *tape = &e->r->tape;
    for (int i = 0; i < tape->condition_count && e->target != KANE_EMIT_C; i++) {
        const kane_condition *c       = &tape->conditions[i];
        const char *const before[][2] = {{"", ""},
                                         {"    if np.any(", "    if not np.all("},
                                         {"  if any(", "  if ! all("},
                                         {"  assert(", "  assert("}};
        fputs(before[e->target][c->holds], e->file);
        write_number(e, c->node);
        if (e->target == KANE_EMIT_PYTHON)
            fprintf(e->file, "):\n        raise ValueError(\"beyond where %s was recorded\")\n", c->file);
        else if (e->target == KANE_EMIT_OCTAVE)
            fprintf(e->file, ") error(\"beyond where %s was recorded\"); endif\n", c->file);
        else
            fprintf(e->file, " %s 0.5, \"beyond where %s was recorded\");\n", c->holds ? ">" : "<", c->file);
    }
    if (e->target != KANE_EMIT_C)
        return;
    fputs("    return ", e->file);
    for (int i = 0; i < tape->condition_count; i++) {
        fputs(i ? " && " : "", e->file);
        fputs(tape->conditions[i].holds ? "" : "!", e->file);
        fputs(lane_count(e) > 1 ? "lanes_hold(" : "(", e->file);
        write_number(e, tape->conditions[i].node);
        fputs(lane_count(e) > 1 ? ")" : " != 0.0)", e->file);
    }
    fputs(tape->condition_count ? ";\n" : "1;\n", e->file);
}

// --- heads ---

static const char *comment_mark(const emitter *e)
{
    static const char *const marks[] = {"//", "#", "%", "//"};
    return marks[e->target];
}

static int is_needed(const emitter *e, int symbol)
{
    for (int i = 0; i < e->r->tape.count; i++)
        if (e->r->used[i] && node_of(e, i)->op == KANE_OP_SYMBOL && node_of(e, i)->a == symbol)
            return 1;
    return 0;
}

// Comment of the functions that the user has to supply; nothing if there are none.
static void write_calls_help(const emitter *e)
{
    const kane_recording *r = e->r;
    const char *mark        = comment_mark(e);
    if (r->counts[KANE_OP_CALL] == 0)
        return;
    static const char *const who[][2] = {
        {"call  function (caller, which, in, out) that is called for what branches on its data; returns 1, or 0 where it fails;",
         "      of libkane kane_call, its caller a kane_caller with model and work (kane/calls.h). Numbers in -> out:"},
        {"call  function (which, in) that is called for what branches on its data and returns the results;",
         "      of libkane's module Model.call. Numbers in -> out:"},
        {"call  function (which, in) that is called for what branches on its data: numbers below each other, a column for each",
         "      state, both ways; libkane's kane_call (kane/calls.h) behind a function of Octave. Numbers in -> out:"},
        {"what branches on its data is called: an external function in C of the name of this one and _call, which gives out",
         "what libkane's kane_call does (kane/calls.h). Numbers in -> out:"}};
    fprintf(e->file, "%s   %s\n%s   %s\n", mark, who[e->target][0], mark, who[e->target][1]);
    for (int i = 0; i < r->tape.call_count; i++) {
        const kane_tape_call *c = &r->tape.calls[i];
        if (!r->used[c->node])
            continue;
        fprintf(e->file, "%s     %d  %d -> %d  ", mark, c->which, c->inputs, c->outputs);
        kane_write_comment(e->file, r->call[i]);
        fputs("\n", e->file);
    }
}

static void write_head(const emitter *e)
{
    const kane_recording *r = e->r;
    const char *mark        = comment_mark(e);
    fprintf(e->file, "%s %s: %s of '", mark, e->how->function, kane_record_whats[r->what]);
    kane_write_comment(e->file, r->model_name);
    fputs("', recorded by kane", e->file);
    if (e->how->origin) {
        fputs(" from ", e->file);
        kane_write_comment(e->file, e->how->origin);
    }
    fprintf(e->file, "\n%s %d operations", mark, r->operations);
    if (r->counts[KANE_OP_CALL])
        fprintf(e->file, " and %d calls", r->counts[KANE_OP_CALL]);
    fputs(":", e->file);
    static const struct {
        int op;
        const char *name;
    } named[]  = {{KANE_OP_ADD, "add"},    {KANE_OP_SUB, "subtract"}, {KANE_OP_MUL, "multiply"},
                  {KANE_OP_DIV, "divide"}, {KANE_OP_NEG, "negate"},   {KANE_OP_SELECT, "choose"}};
    int others = r->operations;
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        if (r->counts[named[k].op])
            fprintf(e->file, " %d %s,", r->counts[named[k].op], named[k].name);
        others -= r->counts[named[k].op];
    }
    for (int k = 0; k < FUNCTIONS; k++) {
        const int op = functions[k].op;
        if (r->counts[op] && op != KANE_OP_SELECT) {
            fprintf(e->file, " %d %s,", r->counts[op], functions[k].name[KANE_EMIT_C]);
            others -= r->counts[op];
        }
    }
    fprintf(e->file, "%s\n%s\n", others ? " and others" : "", mark);
    for (int g = 0; g < KANE_GROUP_COUNT; g++) {
        const kane_record_argument *a = &r->argument[g];
        if (a->count == 0)
            continue;
        fprintf(e->file, "%s   %s  %s\n", mark, a->name, a->help);
        const int base = e->target == KANE_EMIT_OCTAVE || e->target == KANE_EMIT_MODELICA;
        for (int i = 0; i < a->count && g != KANE_GROUP_TIME; i++) {
            fprintf(e->file, "%s     %d  ", mark, i + base);
            kane_write_comment(e->file, r->symbol[a->first + i]);
            if (g == KANE_GROUP_SYMBOL)
                kane_fprintf(e->file, " = %.15g in the files%s", r->start[a->first + i],
                             is_needed(e, a->first + i) ? "" : "; nothing here depends on it");
            fputs("\n", e->file);
        }
    }
    write_calls_help(e);
    for (int k = 0; k < r->output_count; k++) {
        const kane_record_output *o = &r->output[k];
        fprintf(e->file, "%s   %s [%d", mark, o->name, o->rows);
        if (o->columns > 0)
            fprintf(e->file, " x %d", o->columns);
        fprintf(e->file, "]  %s\n", o->help);
    }
}

// t, y, ...
static void write_arguments(const emitter *e, const char *first, const char *others)
{
    for (int g = 0; g < KANE_GROUP_COUNT; g++)
        if (e->r->argument[g].count > 0 || g == KANE_GROUP_STATE)
            fprintf(e->file, "%s%s%s", g ? ", " : "", g ? others : first,
                    g == KANE_GROUP_TIME && lane_count(e) > 1 ? "time" : e->r->argument[g].name);
    if (e->r->counts[KANE_OP_CALL] && e->target != KANE_EMIT_MODELICA)
        fputs(e->target == KANE_EMIT_C
                  ? ", int (*call)(void *caller, int which, const double *in, double *out), void *caller"
                  : ", call",
              e->file);
}

static void write_output_names(const emitter *e, const char *before)
{
    for (int k = 0; k < e->r->output_count; k++)
        fprintf(e->file, "%s%s%s", k || before[0] ? ", " : "", before, e->r->output[k].name);
}

static void write_lane_functions(const emitter *e)
{
    FILE *f = e->file;
    fprintf(f, "\n// %d states at once: number i of lane k stands at %d i + k.\n", lane_count(e), lane_count(e));
    fprintf(f, "typedef double lanes __attribute__((vector_size(%d), aligned(8)));\n", 8 * lane_count(e));
    fprintf(
        f,
        "\nstatic inline __attribute__((unused)) lanes lanes_all(double x)\n{\n    lanes r;\n    for (int k = 0; k < %d; k++)\n        r[k] = x;\n    return r;\n}\n",
        lane_count(e));
    fprintf(
        f,
        "\nstatic inline __attribute__((unused)) int lanes_hold(lanes x)\n{\n    int holds = 1;\n    for (int k = 0; k < %d; k++)\n        holds &= x[k] != 0.0;\n    return holds;\n}\n",
        lane_count(e));
    if (e->r->counts[KANE_OP_CALL])
        fprintf(
            f,
            "\nstatic int lanes_call(int (*call)(void *caller, int which, const double *in, double *out), void *caller, int which,\n"
            "                      int inputs, const lanes *in, int outputs, lanes *out)\n{\n    for (int k = 0; k < %d; k++) {\n"
            "        double from[%d], to[%d];\n        for (int i = 0; i < inputs; i++)\n            from[i] = in[i][k];\n"
            "        if (!call(caller, which, from, to))\n            return 0;\n        for (int i = 0; i < outputs; i++)\n"
            "            out[i][k] = to[i];\n    }\n    return 1;\n}\n",
            lane_count(e), KANE_CALL_INPUTS, KANE_CALL_DERIVATIVES);
    for (int k = 0; k < FUNCTIONS; k++) {
        const int op = functions[k].op, operands = kane_op_operands(op);
        const char *name = functions[k].name[KANE_EMIT_C];
        if (!e->r->counts[op])
            continue;
        // lane by lane in so many words: then a sine and a cosine of one number are found together
        fprintf(f, "\nstatic inline lanes lanes_%s(%slanes a%s)\n{\n    const lanes r = {", name,
                operands == 3 ? "lanes c, " : "", operands > 1 ? ", lanes b" : "");
        for (int i = 0; i < lane_count(e); i++) {
            fputs(i ? ", " : "", f);
            if (op == KANE_OP_SELECT)
                fprintf(f, "c[%d] != 0.0 ? a[%d] : b[%d]", i, i, i);
            else if (op == KANE_OP_LESS || op == KANE_OP_LESS_EQUAL || op == KANE_OP_EQUAL)
                fprintf(f, "a[%d] %s b[%d] ? 1.0 : 0.0", i,
                        op == KANE_OP_LESS    ? "<"
                        : op == KANE_OP_EQUAL ? "=="
                                              : "<=",
                        i);
            else
                fprintf(f, operands == 1 ? "%s(a[%d])" : "%s(a[%d], b[%d])", name, i, i);
        }
        fputs("};\n    return r;\n}\n", f);
    }
}

static void write_c(const emitter *e)
{
    FILE *f            = e->file;
    const char *number = lane_count(e) > 1 ? "lanes" : "double";
    char array[64];
    fprintf(
        f,
        "%s Returns 1; 0 where the equations do not hold, for they were recorded with a branch that is not taken here.\n",
        comment_mark(e));
    fputs("\n#include <math.h>\n\n#ifdef __cplusplus // C++ has no word for it, and other names of functions\n"
          "#define restrict __restrict__\nextern \"C\" {\n#endif\n",
          f);
    if (lane_count(e) > 1) {
        write_lane_functions(e);
    } else {
        static const struct {
            int op;
            const char *text;
        } own[] = {
            {KANE_OP_SELECT,
             "\nstatic inline double choose(double c, double a, double b)\n{\n    return c != 0.0 ? a : b;\n}\n"},
            {KANE_OP_LESS, "\nstatic inline double less(double a, double b)\n{\n    return a < b;\n}\n"},
            {KANE_OP_LESS_EQUAL, "\nstatic inline double less_equal(double a, double b)\n{\n    return a <= b;\n}\n"},
            {KANE_OP_EQUAL, "\nstatic inline double equal(double a, double b)\n{\n    return a == b;\n}\n"}};
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (e->r->counts[own[k].op])
                fputs(own[k].text, f);
    }
    (void)snprintf(array, sizeof array, "const %s *restrict ", number);
    fprintf(f, "\nint %s(", e->how->function);
    write_arguments(e, "double ", array);
    (void)snprintf(array, sizeof array, "%s *restrict ", number);
    write_output_names(e, array);
    fputs(");\n", f);
    fprintf(f, "\nint %s(", e->how->function);
    (void)snprintf(array, sizeof array, "const %s *restrict ", number);
    write_arguments(e, "double ", array);
    (void)snprintf(array, sizeof array, "%s *restrict ", number);
    write_output_names(e, array);
    fputs(lane_count(e) > 1 ? ")\n{\n    const lanes t = lanes_all(time);\n" : ")\n{\n", f);
    fputs("    (void)t;\n    (void)y;\n", f);
    for (int g = KANE_GROUP_INPUT; g < KANE_GROUP_COUNT; g++)
        if (e->r->argument[g].count > 0)
            fprintf(f, "    (void)%s;\n", e->r->argument[g].name);
    for (int k = 0; k < e->r->output_count; k++) // where nothing moves there is nothing to say
        if (e->r->output[k].rows == 0)
            fprintf(f, "    (void)%s;\n", e->r->output[k].name);
    write_variables(e);
    write_outputs(e);
    write_conditions(e);
    fputs("}\n\n#ifdef __cplusplus\n}\n#undef restrict\n#endif\n", f);
}

static void write_python(const emitter *e)
{
    FILE *f = e->file;
    fputs("# Of many states at once: y[i, k], for number i of state k.\n\nimport numpy as np\n\n\n", f);
    fprintf(f, "def %s(", e->how->function);
    write_arguments(e, "", "");
    fputs("):\n", f);
    write_variables(e);
    write_conditions(e);
    write_outputs(e);
    fputs("    return ", f);
    write_output_names(e, "");
    fputs("\n", f);
}

static void write_octave(const emitter *e)
{
    FILE *f = e->file;
    fputs("% Vectors of many states at once: y(i, k), for number i of state k.\n\n", f);
    fputs("function [", f);
    write_output_names(e, "");
    fprintf(f, "] = %s(", e->how->function);
    write_arguments(e, "", "");
    fputs(")\n", f);
    if (e->r->counts[KANE_OP_CALL])
        fputs("  z = ones(1, columns(y));\n", f);
    write_variables(e);
    write_conditions(e);
    write_outputs(e);
    fputs("endfunction\n", f);
    if (e->r->counts[KANE_OP_SELECT])
        fputs(
            "\nfunction r = choose(c, a, b)\n  z = zeros(size(a + b + c));\n  r = b + z;\n  a = a + z;\n  c = c + z != 0;\n  r(c) = a(c);\nendfunction\n",
            f);
    if (e->r->counts[KANE_OP_COPYSIGN])
        fputs("\nfunction r = take_sign(a, b)\n  r = abs(a) .* ((b >= 0) - (b < 0));\nendfunction\n", f);
}

static void write_modelica_function(const emitter *e)
{
    FILE *f = e->file;
    if (e->r->counts[KANE_OP_CALL])
        fprintf(
            f,
            "\nfunction %s_call\n  input Integer which;\n  input Real x[:];\n  input Integer count;\n  output Real y[count];\n"
            "external \"C\" %s_call(which, x, count, y);\nend %s_call;\n",
            e->how->function, e->how->function, e->how->function);
    fprintf(f, "\nfunction %s\n  input Real t;\n", e->how->function);
    for (int g = KANE_GROUP_STATE; g < KANE_GROUP_COUNT; g++)
        if (e->r->argument[g].count > 0)
            fprintf(f, "  input Real %s[%d];\n", e->r->argument[g].name, e->r->argument[g].count);
    for (int k = 0; k < e->r->output_count; k++) {
        const kane_record_output *o = &e->r->output[k];
        fprintf(f, o->columns > 0 ? "  output Real %s[%d,%d];\n" : "  output Real %s[%d];\n", o->name, o->rows,
                o->columns);
    }
    fputs("protected\n", f);
    for (int i = 0; i < e->r->tape.count; i++)
        if (is_variable(e, i) && node_of(e, i)->op == KANE_OP_CALL) {
            fprintf(f, "  Real c%d[%d];\n", node_of(e, i)->a, e->r->tape.calls[node_of(e, i)->a].outputs);
        } else if (is_variable(e, i)) {
            fputs("  Real ", f);
            write_name(e, i);
            fputs(";\n", f);
        }
    fputs("algorithm\n", f);
    write_variables(e);
    write_conditions(e);
    write_outputs(e);
    fprintf(f, "end %s;\n", e->how->function);
}

void kane_record_emit(const kane_recording *r, kane_emit_target target, const kane_emit_options *options, FILE *file)
{
    kane_arena *arena = kane_arena_create();
    emitter e         = {.r = r, .target = target, .how = options, .file = file};
    e.uses            = arena ? kane_arena_alloc(arena, (size_t)r->tape.count, sizeof *e.uses) : NULL;
    e.size            = arena ? kane_arena_alloc(arena, (size_t)r->tape.count, sizeof *e.size) : NULL;
    if (e.uses && e.size) {
        count_uses(&e);
        find_sizes(&e);
        write_head(&e);
        switch (target) {
        case KANE_EMIT_C: write_c(&e); break;
        case KANE_EMIT_PYTHON: write_python(&e); break;
        case KANE_EMIT_OCTAVE: write_octave(&e); break;
        case KANE_EMIT_MODELICA: write_modelica_function(&e); break;
        }
    }
    kane_arena_free(arena);
}
