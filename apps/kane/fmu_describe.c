// SPDX-License-Identifier: MIT
// modelDescription.xml. FMI 2.0 counts variables by their place in the list, from 1; FMI 3.0 by their value references,
// which here are places from 0.

#include "fmu.h"

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int fmu_first(const fmu_description *d, fmu_kind kind)
{
    int first = 0;
    for (int k = 0; k < (int)kind; k++)
        first += d->count[k];
    return first;
}

int fmu_count_all(const fmu_description *d)
{
    return fmu_first(d, FMU_KINDS);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *fmu_find_twin(const fmu_description *d)
{
    const int count    = fmu_count_all(d);
    const char *twin   = NULL;
    const char **names = calloc((size_t)count, sizeof *names);
    for (int i = 0; names && i < count; i++)
        names[i] = d->variables[i].name;
    if (names)
        qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 1; names && i < count && !twin; i++)
        twin = strcmp(names[i - 1], names[i]) == 0 ? names[i] : NULL;
    free(names);
    return twin;
}

// --- XML ---

static void put_text(FILE *out, const char *name, const char *value)
{
    (void)fprintf(out, " %s=\"", name);
    kane_write_markup(out, value);
    (void)fputc('"', out);
}

static void put_number(FILE *out, const char *name, double value)
{
    char number[KANE_NUMBER_SIZE];
    kane_number_format(value, number);
    (void)fprintf(out, " %s=\"%s\"", name, number);
}

// --- units ---

static int is_pure(const char *unit)
{
    return strcmp(unit, "1") == 0 || unit[0] == '\0';
}

// Whole powers of metre, kilogram, second and radian, where the unit is made of these alone.
static int take_powers(const char *name, kane_unit *unit)
{
    char reason[160];
    kane_text fault = kane_text_start(sizeof reason, reason);
    if (!kane_unit_parse(name, unit, &fault) || unit->power[KANE_CYCLE] != 0.0)
        return 0;
    for (int i = 0; i < KANE_DIMENSIONS; i++)
        if (unit->power[i] != floor(unit->power[i]))
            return 0;
    return 1;
}

static void put_unit(FILE *out, const char *name)
{
    static const char *const bases[] = {"m", "kg", "s", "rad"}; // as KANE_METRE, ...
    kane_unit unit;
    (void)fputs("    <Unit", out);
    put_text(out, "name", name);
    if (!take_powers(name, &unit)) {
        (void)fputs("/>\n", out);
        return;
    }
    (void)fputs("><BaseUnit", out);
    for (int i = 0; i < KANE_CYCLE; i++)
        if (unit.power[i] != 0.0)
            (void)fprintf(out, " %s=\"%d\"", bases[i], (int)unit.power[i]);
    const double factor = unit.up / unit.down * pow(10.0, unit.ten);
    if (factor != 1.0)
        put_number(out, "factor", factor);
    (void)fputs("/></Unit>\n", out);
}

// Each unit once.
static void put_units(FILE *out, const fmu_description *d)
{
    int open = 0;
    for (int i = 0; i < fmu_count_all(d); i++) {
        const char *unit = d->variables[i].unit;
        int known        = is_pure(unit);
        for (int k = 0; k < i && !known; k++)
            known = strcmp(d->variables[k].unit, unit) == 0;
        if (known)
            continue;
        (void)fputs(open ? "" : "  <UnitDefinitions>\n", out);
        open = 1;
        put_unit(out, unit);
    }
    (void)fputs(open ? "  </UnitDefinitions>\n" : "", out);
}

// --- variables ---

static const struct {
    const char *causality, *variability, *initial;
} traits[FMU_KINDS] = {
    {"parameter", "fixed", "exact"},       {"input", "continuous", NULL},
    {"independent", "continuous", NULL},   {"output", "continuous", "calculated"},
    {"local", "continuous", "calculated"}, {"local", "continuous", "calculated"},
    {"local", "continuous", "calculated"},
};

static void put_traits(FILE *out, const fmu_variable *v, fmu_kind kind, int reference)
{
    put_text(out, "name", v->name);
    (void)fprintf(out, " valueReference=\"%d\"", reference);
    put_text(out, "causality", traits[kind].causality);
    put_text(out, "variability", traits[kind].variability);
    if (traits[kind].initial)
        put_text(out, "initial", traits[kind].initial);
    put_text(out, "description", v->description);
}

// What Real (2.0) or Float64 (3.0) says; `state` is what a rate is the rate of.
static void put_value(FILE *out, const fmu_variable *v, fmu_kind kind, int state)
{
    if (!is_pure(v->unit))
        put_text(out, "unit", v->unit);
    if (kind == FMU_PARAMETER || kind == FMU_INPUT)
        put_number(out, "start", v->start);
    if (kind == FMU_STATE)
        put_number(out, "nominal", v->nominal);
    if (kind == FMU_STATE)
        put_text(out, "reinit", "true");
    if (kind == FMU_RATE)
        (void)fprintf(out, " derivative=\"%d\"", state);
}

static void put_variables(FILE *out, const fmu_description *d)
{
    const int kinds = d->version == 2 ? FMU_INDICATOR : FMU_KINDS; // of 2.0 indicators are no variables
    (void)fputs("  <ModelVariables>\n", out);
    for (int kind = 0, reference = 0; kind < kinds; kind++)
        for (int i = 0; i < d->count[kind]; i++, reference++) {
            const fmu_variable *v = &d->variables[reference];
            const int state       = fmu_first(d, FMU_STATE) + i + (d->version == 2);
            (void)fputs(d->version == 2 ? "    <ScalarVariable" : "    <Float64", out);
            put_traits(out, v, (fmu_kind)kind, reference);
            (void)fputs(d->version == 2 ? "><Real" : "", out);
            put_value(out, v, (fmu_kind)kind, state);
            (void)fputs(d->version == 2 ? "/></ScalarVariable>\n" : "/>\n", out);
        }
    (void)fputs("  </ModelVariables>\n", out);
}

// --- what depends on what ---

// An output that follows the state depends on all states and on the time, and on no input; of others nothing is said,
// which is: on all.
static void put_output_dependencies(FILE *out, const fmu_description *d, int output)
{
    const int base = d->version == 2, state = fmu_first(d, FMU_STATE) + base;
    if (!d->variables[fmu_first(d, FMU_OUTPUT) + output].follows_state)
        return;
    (void)fprintf(out, " dependencies=\"%d", fmu_first(d, FMU_TIME) + base);
    for (int i = 0; i < d->count[FMU_STATE]; i++)
        (void)fprintf(out, " %d", state + i);
    (void)fputc('"', out);
}

// A rate depends on the states that its row of the Jacobian has, on all inputs and on the time.
static void put_rate_dependencies(FILE *out, const fmu_description *d, int rate)
{
    const int base = d->version == 2, state = fmu_first(d, FMU_STATE) + base;
    if (rate >= d->jacobian_size)
        return;
    (void)fprintf(out, " dependencies=\"");
    for (int i = 0; i < d->count[FMU_INPUT]; i++)
        (void)fprintf(out, "%d ", fmu_first(d, FMU_INPUT) + i + base);
    (void)fprintf(out, "%d", fmu_first(d, FMU_TIME) + base);
    for (int column = 0; column < d->jacobian_size; column++)
        if (kane_pattern_find(d->jacobian, rate, column) >= 0)
            (void)fprintf(out, " %d", state + column);
    (void)fputc('"', out);
}

static void put_unknowns(FILE *out, const fmu_description *d, const char *element, fmu_kind kind, int is_initial)
{
    const int base = d->version == 2, first = fmu_first(d, kind) + base;
    for (int i = 0; i < d->count[kind]; i++) {
        (void)fprintf(out, "    <%s %s=\"%d\"", element, d->version == 2 ? "index" : "valueReference", first + i);
        if (kind == FMU_RATE && !is_initial)
            put_rate_dependencies(out, d, i);
        if (kind == FMU_OUTPUT && !is_initial)
            put_output_dependencies(out, d, i);
        (void)fputs("/>\n", out);
    }
}

// Of all kinds from one to another; nothing of none.
static void put_list(FILE *out, const fmu_description *d, const char *name, fmu_kind from, fmu_kind to, int is_initial)
{
    if (fmu_first(d, (fmu_kind)(to + 1)) == fmu_first(d, from))
        return;
    (void)fprintf(out, "    <%s>\n", name);
    for (int kind = (int)from; kind <= (int)to; kind++)
        put_unknowns(out, d, "Unknown", (fmu_kind)kind, is_initial);
    (void)fprintf(out, "    </%s>\n", name);
}

// In FMI 3.0 event indicators must not be listed as initial unknowns (3.0.2, 2.4.8); the schema does not see it,
// importers do.
static void put_structure(FILE *out, const fmu_description *d)
{
    (void)fputs("  <ModelStructure>\n", out);
    if (d->version == 2) {
        put_list(out, d, "Outputs", FMU_OUTPUT, FMU_OUTPUT, 0);
        put_list(out, d, "Derivatives", FMU_RATE, FMU_RATE, 0);
        put_list(out, d, "InitialUnknowns", FMU_OUTPUT, FMU_RATE, 1);
    } else {
        put_unknowns(out, d, "Output", FMU_OUTPUT, 0);
        put_unknowns(out, d, "ContinuousStateDerivative", FMU_RATE, 0);
        put_unknowns(out, d, "InitialUnknown", FMU_OUTPUT, 1);
        put_unknowns(out, d, "InitialUnknown", FMU_STATE, 1);
        put_unknowns(out, d, "InitialUnknown", FMU_RATE, 1);
        put_unknowns(out, d, "EventIndicator", FMU_INDICATOR, 0);
    }
    (void)fputs("  </ModelStructure>\n", out);
}

// --- all of it ---

// What units can do, by version.
static void put_kinds(FILE *out, const fmu_description *d)
{
    static const char *const elements[]         = {"ModelExchange", "CoSimulation"};
    static const char *const abilities[2][2][2] = {
        {{" canNotUseMemoryManagementFunctions=\"true\"", " providesDirectionalDerivative=\"true\""},
         {" canNotUseMemoryManagementFunctions=\"true\" canHandleVariableCommunicationStepSize=\"true\"", ""}},
        {{" needsCompletedIntegratorStep=\"true\"", " providesDirectionalDerivatives=\"true\""},
         {" canHandleVariableCommunicationStepSize=\"true\"", ""}}};
    const char *state = d->version == 2 ? "state" : "State";
    for (int i = 0; i < 2; i++) {
        const char *const *own = abilities[d->version != 2][i];
        (void)fprintf(out, "  <%s", elements[i]);
        put_text(out, "modelIdentifier", d->identifier);
        (void)fprintf(out, "%s canGetAndSetFMU%s=\"true\" canSerializeFMU%s=\"true\"%s/>\n", own[0], state, state,
                      own[1]);
    }
}

void fmu_describe(FILE *out, const fmu_description *d)
{
    (void)fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\"",
                  d->version);
    put_text(out, "modelName", d->model);
    put_text(out, d->version == 2 ? "guid" : "instantiationToken", d->guid);
    put_text(out, "generationTool", "libkane");
    put_text(out, "version", d->tool_version);
    (void)fputs(" variableNamingConvention=\"flat\"", out);
    if (d->version == 2)
        (void)fprintf(out, " numberOfEventIndicators=\"%d\"", d->count[FMU_INDICATOR]);
    (void)fputs(">\n", out);
    put_kinds(out, d);
    put_units(out, d);
    (void)fputs(
        "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n    <Category name=\"logStatusDiscard\"/>\n"
        "    <Category name=\"logStatusWarning\"/>\n    <Category name=\"logEvents\"/>\n  </LogCategories>\n",
        out);
    (void)fputs("  <DefaultExperiment startTime=\"0\"", out);
    if (d->stop > 0.0)
        put_number(out, "stopTime", d->stop);
    put_number(out, "tolerance", d->tolerance);
    put_number(out, "stepSize", d->every);
    (void)fputs("/>\n", out);
    put_variables(out, d);
    put_structure(out, d);
    (void)fputs("</fmiModelDescription>\n", out);
}
