// SPDX-License-Identifier: MIT
// As much of Modelica's grammar as functions of numbers need, and what such a function gives: written from the
// language's specification, without sight of who writes them.
//
//   function NAME { input | output  Real NAME [ '[' INTEGER {',' INTEGER} ']' ] ';' }  protected { Real NAME ';' }
//   algorithm { reference ':=' expression ';' | NAME ':=' CALLED '(' INTEGER ',' '{' expression {',' expression} '}' ',' INTEGER ')' ';' | assert '(' expression ',' STRING ')' ';' }  end NAME ';'

//
// before which the declaration of the function CALLED may stand, which is one of C:
//
//   function CALLED  input Integer which; input Real x[:]; input Integer count; output Real y[count];
//   external "C" CALLED(which, x, count, y);  end CALLED;

#ifndef KANE_TESTS_MODELICA_H
#define KANE_TESTS_MODELICA_H

#include "check.h"

#include <ctype.h>

typedef struct modelica_variable {
    char name[80];
    int count, columns; // columns 0: a vector or a scalar
    double *values;
    int is_input, is_output, is_set;
} modelica_variable;

// A function of C: which one, its inputs [inputs], outputs [outputs].
typedef void modelica_external(int which, int inputs, const double *x, int outputs, double *y);

typedef struct modelica {
    const char *at, *begin;
    char called[80]; // "": there is none
    modelica_external *external;
    modelica_variable *variables;
    int count;
    int *slots; // hash table
} modelica;

enum { MODELICA_MOST = 20000, MODELICA_SLOTS = 65536 };

static inline void modelica_fail(const modelica *m, const char *what)
{
    int line = 1;
    for (const char *c = m->begin; c < m->at; c++)
        line += *c == '\n';
    fail_msg("line %d: %s before '%.30s'", line, what, m->at);
}

static inline void modelica_space(modelica *m)
{
    while (isspace((unsigned char)*m->at) || (m->at[0] == '/' && m->at[1] == '/'))
        if (*m->at == '/')
            m->at += strcspn(m->at, "\n");
        else
            m->at++;
}

// Takes a symbol or a whole word if it comes next.
static inline int modelica_take(modelica *m, const char *text)
{
    const size_t length = strlen(text);
    modelica_space(m);
    if (strncmp(m->at, text, length) != 0)
        return 0;
    if (isalpha((unsigned char)text[0]) && (isalnum((unsigned char)m->at[length]) || m->at[length] == '_'))
        return 0;
    m->at += length;
    return 1;
}

static inline void modelica_need(modelica *m, const char *text)
{
    if (!modelica_take(m, text))
        modelica_fail(m, text);
}

static inline void modelica_name(modelica *m, char name[80])
{
    static const char *const words[] = {"if",  "then",      "else",     "end",  "and",      "or",
                                        "not", "algorithm", "function", "Real", "external", "Integer"};
    size_t length                    = 0;
    modelica_space(m);
    if (!isalpha((unsigned char)*m->at) && *m->at != '_')
        modelica_fail(m, "a name is missing");
    while (isalnum((unsigned char)m->at[length]) || m->at[length] == '_')
        length++;
    if (length >= 80)
        modelica_fail(m, "a name is too long");
    (void)snprintf(name, 80, "%.*s", (int)length, m->at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            modelica_fail(m, "a word of the language is no name");
    m->at += length;
}

static inline int modelica_slot(const modelica *m, const char *name)
{
    unsigned h = 5381;
    for (const char *c = name; *c; c++)
        h = h * 33u + (unsigned char)*c;
    h %= MODELICA_SLOTS;
    while (m->slots[h] >= 0 && strcmp(m->variables[m->slots[h]].name, name) != 0)
        h = (h + 1) % MODELICA_SLOTS;
    return (int)h;
}

static inline modelica_variable *modelica_find(modelica *m, const char *name)
{
    const int slot = modelica_slot(m, name);
    if (m->slots[slot] < 0)
        modelica_fail(m, "a variable that is not declared");
    return &m->variables[m->slots[slot]];
}

static inline int modelica_whole(modelica *m)
{
    char *end;
    modelica_space(m);
    const long number = strtol(m->at, &end, 10);
    if (end == m->at)
        modelica_fail(m, "a whole number is missing");
    m->at = end;
    return (int)number;
}

static inline void modelica_declare(modelica *m, int is_input, int is_output)
{
    modelica_variable v = {.count = 1, .is_input = is_input, .is_output = is_output, .is_set = is_input};
    modelica_need(m, "Real");
    modelica_name(m, v.name);
    if (modelica_take(m, "[")) {
        v.count = modelica_whole(m);
        if (modelica_take(m, ",")) {
            v.columns = modelica_whole(m);
            v.count *= v.columns;
        }
        modelica_need(m, "]");
    }
    modelica_need(m, ";");
    const int slot = modelica_slot(m, v.name);
    if (m->slots[slot] >= 0)
        modelica_fail(m, "a variable is declared twice");
    assert_true(m->count < MODELICA_MOST);
    v.values                 = calloc((size_t)v.count, sizeof *v.values);
    m->slots[slot]           = m->count;
    m->variables[m->count++] = v;
}

// The number that a reference means; beginning with 1.
static inline double *modelica_reference(modelica *m, const char *name, int sets)
{
    modelica_variable *v = modelica_find(m, name);
    int i                = 0;
    if (modelica_take(m, "[")) {
        i = modelica_whole(m) - 1;
        if (modelica_take(m, ","))
            i = i * v->columns + modelica_whole(m) - 1;
        modelica_need(m, "]");
    }
    if (i < 0 || i >= v->count)
        modelica_fail(m, "an index is out of range");
    if (sets && v->is_input)
        modelica_fail(m, "an input is set");
    if (!sets && !v->is_set)
        modelica_fail(m, "a variable is used before it is set");
    v->is_set |= sets;
    return &v->values[i];
}

static inline double modelica_expression(modelica *m);

static inline double modelica_call(modelica *m, const char *name)
{
    double a[2] = {0.0, 0.0};
    int count   = 0;
    modelica_need(m, "(");
    do {
        assert_true(count < 2);
        a[count++] = modelica_expression(m);
    } while (modelica_take(m, ","));
    modelica_need(m, ")");
    static const struct {
        const char *name;
        double (*f)(double);
    } one[] = {{"sqrt", sqrt}, {"abs", fabs},  {"sin", sin},   {"cos", cos}, {"tan", tan},
               {"asin", asin}, {"acos", acos}, {"atan", atan}, {"exp", exp}, {"log", log},
               {"tanh", tanh}, {"sinh", sinh}, {"cosh", cosh}};
    for (size_t i = 0; i < sizeof one / sizeof *one && count == 1; i++)
        if (strcmp(one[i].name, name) == 0)
            return one[i].f(a[0]);
    if (count == 1 && strcmp(name, "sign") == 0)
        return a[0] > 0.0 ? 1.0 : a[0] < 0.0 ? -1.0 : 0.0;
    if (count == 2 && strcmp(name, "atan2") == 0)
        return atan2(a[0], a[1]);
    if (count == 2 && strcmp(name, "min") == 0)
        return fmin(a[0], a[1]);
    if (count == 2 && strcmp(name, "max") == 0)
        return fmax(a[0], a[1]);
    modelica_fail(m, "there is no such function");
    return 0.0;
}

static inline double modelica_primary(modelica *m)
{
    char name[80], *end;
    modelica_space(m);
    if (modelica_take(m, "(")) {
        const double x = modelica_expression(m);
        modelica_need(m, ")");
        return x;
    }
    if (isdigit((unsigned char)*m->at)) {
        const double x = strtod(m->at, &end);
        m->at          = end;
        return x;
    }
    modelica_name(m, name);
    modelica_space(m);
    return *m->at == '(' ? modelica_call(m, name) : *modelica_reference(m, name, 0);
}

static inline double modelica_factor(modelica *m)
{
    const double x = modelica_primary(m);
    return modelica_take(m, "^") ? pow(x, modelica_primary(m)) : x;
}

static inline double modelica_term(modelica *m)
{
    double x = modelica_factor(m);
    for (;;) {
        if (modelica_take(m, "*"))
            x *= modelica_factor(m);
        else if (modelica_take(m, "/"))
            x /= modelica_factor(m);
        else
            return x;
    }
}

static inline double modelica_sum(modelica *m)
{
    const double sign = modelica_take(m, "-") ? -1.0 : 1.0;
    double x          = sign * modelica_term(m);
    for (;;) {
        if (modelica_take(m, "+"))
            x += modelica_term(m);
        else if (modelica_take(m, "-"))
            x -= modelica_term(m);
        else
            return x;
    }
}

static inline int modelica_relation(modelica *m)
{
    const double x = modelica_sum(m);
    if (modelica_take(m, "<="))
        return x <= modelica_sum(m);
    if (modelica_take(m, ">="))
        return x >= modelica_sum(m);
    if (modelica_take(m, "=="))
        return x == modelica_sum(m);
    if (modelica_take(m, "<"))
        return x < modelica_sum(m);
    if (modelica_take(m, ">"))
        return x > modelica_sum(m);
    modelica_fail(m, "a comparison is missing");
    return 0;
}

static inline double modelica_expression(modelica *m)
{
    if (!modelica_take(m, "if"))
        return modelica_sum(m);
    const int holds = modelica_relation(m);
    modelica_need(m, "then");
    const double x = modelica_expression(m);
    modelica_need(m, "else");
    const double y = modelica_expression(m);
    return holds ? x : y;
}

// Behind its name.
static inline void modelica_external_call(modelica *m, const char *to)
{
    modelica_variable *v = modelica_find(m, to);
    double x[32];
    int count = 0;
    modelica_need(m, "(");
    const int which = modelica_whole(m);
    modelica_need(m, ",");
    modelica_need(m, "{");
    do {
        assert_true(count < 32);
        x[count++] = modelica_expression(m);
    } while (modelica_take(m, ","));
    modelica_need(m, "}");
    modelica_need(m, ",");
    if (modelica_whole(m) != v->count || v->is_input)
        modelica_fail(m, "what is called does not fit its variable");
    modelica_need(m, ")");
    modelica_need(m, ";");
    assert_non_null(m->external);
    m->external(which, count, x, v->count, v->values);
    v->is_set = 1;
}

// The declaration of a function of C, if one comes first.
static inline void modelica_take_external(modelica *m)
{
    static const char *const words[]     = {"input", "Integer", "which", ";",     "input",   "Real",  "x",        "[",
                                            ":",     "]",       ";",     "input", "Integer", "count", ";",        "output",
                                            "Real",  "y",       "[",     "count", "]",       ";",     "external", "\"C\""};
    static const char *const arguments[] = {"(", "which", ",", "x", ",", "count", ",", "y", ")", ";", "end"};
    if (!strstr(m->at, "external"))
        return;
    modelica_need(m, "function");
    modelica_name(m, m->called);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        modelica_need(m, words[i]);
    modelica_need(m, m->called);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        modelica_need(m, arguments[i]);
    modelica_need(m, m->called);
    modelica_need(m, ";");
}

static inline void modelica_statement(modelica *m)
{
    char name[80];
    if (modelica_take(m, "assert")) {
        modelica_need(m, "(");
        assert_true(modelica_relation(m));
        modelica_need(m, ",");
        modelica_need(m, "\"");
        m->at += strcspn(m->at, "\"");
        modelica_need(m, "\"");
        modelica_need(m, ")");
        modelica_need(m, ";");
        return;
    }
    modelica_name(m, name);
    double *to            = NULL;
    const char *reference = m->at;
    // the right side is evaluated before its variable counts as set
    if (modelica_take(m, "[")) {
        m->at += strcspn(m->at, "]");
        modelica_need(m, "]");
    }
    modelica_need(m, ":=");
    if (m->called[0] && modelica_take(m, m->called)) {
        modelica_external_call(m, name);
        return;
    }
    const double x    = modelica_expression(m);
    const char *after = m->at;
    m->at             = reference;
    to                = modelica_reference(m, name, 1);
    *to               = x;
    m->at             = after;
    modelica_need(m, ";");
}

// Evaluates a function: t and y go in, its outputs come out one after the other.
static inline void modelica_evaluate_with(const char *text, double t, const double *y, modelica_external *external,
                                          double *outputs)
{
    modelica m = {.at = text, .begin = text, .external = external};
    char name[80], last[80];
    m.variables = calloc(MODELICA_MOST, sizeof *m.variables);
    m.slots     = malloc(MODELICA_SLOTS * sizeof *m.slots);
    memset(m.slots, 0xFF, MODELICA_SLOTS * sizeof *m.slots);
    modelica_take_external(&m);
    modelica_need(&m, "function");
    modelica_name(&m, name);
    while (!modelica_take(&m, "protected")) {
        const int is_input = modelica_take(&m, "input");
        if (!is_input)
            modelica_need(&m, "output");
        modelica_declare(&m, is_input, !is_input);
    }
    while (!modelica_take(&m, "algorithm"))
        modelica_declare(&m, 0, 0);
    *modelica_find(&m, "t")->values = t;
    memcpy(modelica_find(&m, "y")->values, y, (size_t)modelica_find(&m, "y")->count * sizeof *y);
    while (!modelica_take(&m, "end"))
        modelica_statement(&m);
    modelica_name(&m, last);
    assert_string_equal(last, name);
    modelica_need(&m, ";");
    modelica_space(&m);
    assert_int_equal(*m.at, '\0');
    for (int i = 0; i < m.count; i++) {
        if (m.variables[i].is_output) {
            assert_true(m.variables[i].is_set);
            memcpy(outputs, m.variables[i].values, (size_t)m.variables[i].count * sizeof *outputs);
            outputs += m.variables[i].count;
        }
        free(m.variables[i].values);
    }
    free(m.slots);
    free(m.variables);
}

static inline void modelica_evaluate(const char *text, double t, const double *y, double *outputs)
{
    modelica_evaluate_with(text, t, y, NULL, outputs);
}

#endif
