// SPDX-License-Identifier: MIT
// Units by name, what units measure, and both as patterns. Expressions of units are in unit_parse.c.

#include "base/unit.h"

#include "base/text.h"

#include <string.h>

#define PI 3.14159265358979323846

// up/down * 10^ten of the SI unit with these powers of metre, kilogram, second, radian, cycle.
typedef struct entry {
    const char *name;
    int prefixes; // does it take SI prefixes?
    double up, down;
    int ten;
    signed char power[KANE_DIMENSIONS];
} entry;

static const entry entries[] = {
    {"m", 1, 1, 1, 0, {1}},
    {"g", 1, 1, 1, -3, {0, 1}},
    {"s", 1, 1, 1, 0, {0, 0, 1}},
    {"N", 1, 1, 1, 0, {1, 1, -2}},
    {"Pa", 1, 1, 1, 0, {-1, 1, -2}},
    {"J", 1, 1, 1, 0, {2, 1, -2}},
    {"W", 1, 1, 1, 0, {2, 1, -3}},
    {"Hz", 1, 1, 1, 0, {0, 0, -1, 0, 1}},
    {"bar", 1, 1, 1, 5, {-1, 1, -2}},
    {"t", 0, 1, 1, 3, {0, 1}},
    {"l", 1, 1, 1, -3, {3}},
    {"L", 1, 1, 1, -3, {3}},
    {"min", 0, 60, 1, 0, {0, 0, 1}},
    {"h", 0, 3600, 1, 0, {0, 0, 1}},
    // angles
    {"rad", 1, 1, 1, 0, {0, 0, 0, 1}},
    {"deg", 0, PI, 180, 0, {0, 0, 0, 1}},
    {"\xC2\xB0", 0, PI, 180, 0, {0, 0, 0, 1}}, // degree sign
    {"gon", 0, PI, 200, 0, {0, 0, 0, 1}},
    {"rev", 0, 2 * PI, 1, 0, {0, 0, 0, 1}},
    {"rpm", 0, PI, 30, 0, {0, 0, -1, 1}},
    // pure numbers
    {"1", 0, 1, 1, 0, {0}},
    {"%", 0, 1, 1, -2, {0}},
    {"permille", 0, 1, 1, -3, {0}},
    {"\xE2\x80\xB0", 0, 1, 1, -3, {0}}, // per mille sign
    // elsewhere
    {"in", 0, 254, 1, -4, {1}},
    {"ft", 0, 3048, 1, -4, {1}},
    {"mi", 0, 1609344, 1, -3, {1}},
    {"mph", 0, 44704, 1, -5, {1, 0, -1}},
    {"lb", 0, 45359237, 1, -8, {0, 1}},
    {"lbf", 0, 44482216152605, 1, -13, {1, 1, -2}},
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

static const struct {
    const char *name;
    int ten;
} prefixes[] = {{"k", 3},         {"m", -3}, {"M", 6},  {"c", -2}, {"G", 9},  {"u", -6}, {"\xC2\xB5", -6},
                {"\xCE\xBC", -6}, {"d", -1}, {"da", 1}, {"h", 2},  {"n", -9}, {"T", 12}, {"p", -12}};
enum { PREFIXES = sizeof prefixes / sizeof prefixes[0] };

static const entry *find_entry(const char *name, size_t length)
{
    for (int i = 0; i < ENTRIES; i++)
        if (strlen(entries[i].name) == length && memcmp(entries[i].name, name, length) == 0)
            return &entries[i];
    return NULL;
}

static void set_unit(const entry *e, int ten, kane_unit *unit)
{
    *unit = (kane_unit){.up = e->up, .down = e->down, .ten = e->ten + ten};
    for (int i = 0; i < KANE_DIMENSIONS; i++)
        unit->power[i] = e->power[i];
}

int kane_unit_named(const char *name, size_t length, kane_unit *unit)
{
    const entry *e = find_entry(name, length);
    if (e) {
        set_unit(e, 0, unit);
        return 1;
    }
    for (int i = 0; i < PREFIXES; i++) {
        const size_t n = strlen(prefixes[i].name);
        if (length <= n || memcmp(name, prefixes[i].name, n) != 0)
            continue;
        e = find_entry(name + n, length - n);
        if (e && e->prefixes) {
            set_unit(e, prefixes[i].ten, unit);
            return 1;
        }
    }
    return 0;
}

int kane_unit_fits(const kane_unit *found, const kane_unit *expected)
{
    const double *f = found->power, *e = expected->power;
    int only_angle = 1;
    for (int i = KANE_METRE; i <= KANE_SECOND; i++) {
        if (f[i] != e[i])
            return 0;
        only_angle = only_angle && e[i] == 0.0;
    }
    if (f[KANE_RADIAN] != e[KANE_RADIAN] && (f[KANE_RADIAN] != 0.0 || only_angle))
        return 0;
    return f[KANE_CYCLE] == e[KANE_CYCLE] || f[KANE_CYCLE] == 0.0 || e[KANE_RADIAN] == 0.0;
}

// --- what units measure ---

static const struct {
    signed char power[KANE_DIMENSIONS];
    const char *noun, *example;
} measures[] = {
    {{0}, "a pure number", "1:40"},
    {{1}, "a length", "25 mm"},
    {{2}, "an area", "12 mm^2"},
    {{3}, "a volume", "30 l"},
    {{-1}, "a curvature", "1/600 1/m"},
    {{0, 1}, "a mass", "1.5 t"},
    {{-1, 1}, "a mass per length", "60 kg/m"},
    {{2, 1}, "a moment of inertia", "800 kg m^2"},
    {{0, 0, 1}, "a time", "5 ms"},
    {{0, 0, -1}, "a rate", "2 1/s"},
    {{0, 0, -1, 0, 1}, "a frequency", "10 Hz"},
    {{0, 0, 0, 1}, "an angle", "3 deg"},
    {{0, 0, -1, 1}, "an angular velocity", "0.5 rad/s"},
    {{0, 0, -2, 1}, "an angular acceleration", "0.5 rad/s^2"},
    {{1, 0, -1}, "a speed", "70 km/h"},
    {{1, 0, -2}, "an acceleration", "0.5 m/s^2"},
    {{1, 0, -3}, "a jerk", "0.5 m/s^3"},
    {{1, 1, -2}, "a force", "10 kN"},
    {{2, 1, -2}, "a torque or an energy", "2 kN m"},
    {{2, 1, -3}, "a power", "200 kW"},
    {{-1, 1, -2}, "a pressure", "210 GPa"},
    {{0, 1, -2}, "a stiffness", "1.22 MN/m"},
    {{0, 1, -1}, "a damping", "20 kN s/m"},
    {{2, 1, -2, -1}, "a rotational stiffness", "2 kN m/rad"},
    {{2, 1, -1, -1}, "a rotational damping", "2 kN m s/rad"},
    {{2, 1, -1}, "a rotational damping", "2 kN m s"},
};
enum { MEASURES = sizeof measures / sizeof measures[0] };

static int measure_of(const kane_unit *unit)
{
    for (int i = 0; i < MEASURES; i++) {
        int same = 1;
        for (int k = 0; k < KANE_DIMENSIONS; k++)
            same = same && unit->power[k] == measures[i].power[k];
        if (same)
            return i;
    }
    return -1;
}

const char *kane_unit_example(const kane_unit *unit)
{
    const int i = measure_of(unit);
    return i >= 0 ? measures[i].example : NULL;
}

void kane_unit_describe(kane_text *text, const kane_unit *unit)
{
    static const char *const base[KANE_DIMENSIONS] = {"m", "kg", "s", "rad", "cycle"};
    static const int order[KANE_DIMENSIONS]        = {KANE_KILOGRAM, KANE_METRE, KANE_SECOND, KANE_RADIAN, KANE_CYCLE};

    const int known = measure_of(unit);
    if (known >= 0) {
        kane_text_add(text, "%s", measures[known].noun);
        return;
    }
    kane_text_add(text, "a quantity in");
    for (int i = 0; i < KANE_DIMENSIONS; i++) {
        const double power = unit->power[order[i]];
        if (power == 1.0)
            kane_text_add(text, " %s", base[order[i]]);
        else if (power != 0.0)
            kane_text_add(text, " %s^%g", base[order[i]], power);
    }
}

// --- names that are not known ---

// What people call units.
static const char *const words[][2] = {
    {"kmh", "km/h"},    {"kph", "km/h"},          {"kmph", "km/h"},   {"mps", "m/s"},     {"metre", "m"},
    {"metres", "m"},    {"meter", "m"},           {"meters", "m"},    {"ton", "t"},       {"tons", "t"},
    {"tonne", "t"},     {"tonnes", "t"},          {"kilo", "kg"},     {"kilogram", "kg"}, {"degree", "deg"},
    {"degrees", "deg"}, {"radian", "rad"},        {"radians", "rad"}, {"sec", "s"},       {"second", "s"},
    {"seconds", "s"},   {"msec", "ms"},           {"minute", "min"},  {"minutes", "min"}, {"hr", "h"},
    {"hour", "h"},      {"hours", "h"},           {"newton", "N"},    {"newtons", "N"},   {"hertz", "Hz"},
    {"percent", "%"},   {"promille", "permille"}, {"inch", "in"},     {"inches", "in"},   {"foot", "ft"},
    {"feet", "ft"},     {"mile", "mi"},           {"miles", "mi"},
};

// Two names that were written together, such as kNm.
static int hint_split(kane_text *text, const char *name, size_t length)
{
    kane_unit unused;
    for (size_t i = length - 1; i > 0; i--)
        if (kane_unit_named(name, i, &unused) && kane_unit_named(name + i, length - i, &unused)) {
            kane_text_add(text, "; did you mean '%.*s %s'?", (int)i, name, name + i);
            return 1;
        }
    return 0;
}

// The nearest of all names with all prefixes; several if they differ in upper and lower case alone.
static void hint_near(kane_text *text, const char *name)
{
    char one[32], list[128];
    kane_text names = kane_text_start(sizeof list, list);
    int best = (int)strlen(name) / 3, count = 0;
    for (int e = 0; e < ENTRIES; e++)
        for (int p = -1; p < (entries[e].prefixes ? PREFIXES : 0); p++) {
            kane_text n = kane_text_start(sizeof one, one);
            kane_text_add(&n, "%s%s", p >= 0 ? prefixes[p].name : "", entries[e].name);
            const int distance = kane_names_distance(name, one);
            if (distance > best || (distance == best && distance > 0 && count > 0))
                continue;
            if (distance < best || count == 0) {
                names = kane_text_start(sizeof list, list);
                count = 0;
            }
            best = distance;
            kane_text_add(&names, "%s'%s'", count++ ? " or " : "", one);
        }
    if (count) {
        kane_text_add(text, "; did you mean %s?", list);
        return;
    }
    kane_text_add(text, "; known:");
    for (int e = 0; e < ENTRIES; e++)
        kane_text_add(text, " %s", entries[e].name);
}

void kane_unit_hint(kane_text *text, const char *name, size_t length)
{
    char copy[32];
    if (length == 0 || length >= sizeof copy)
        return;
    memcpy(copy, name, length);
    copy[length] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (kane_names_distance(copy, words[i][0]) <= (length >= 5)) { // a slip in a long word is forgiven
            kane_text_add(text, "; did you mean '%s'?", words[i][1]);
            return;
        }
    if (!hint_split(text, copy, length))
        hint_near(text, copy);
}

// --- as regular expressions ---

#define PRODUCT  "( *(\\*|\xC2\xB7|\xE2\x8B\x85) *| +)"
#define QUOTIENT " */ *"

static int same_dimensions(const double *a, const signed char *b)
{
    for (int k = 0; k < KANE_DIMENSIONS; k++)
        if (a[k] != b[k])
            return 0;
    return 1;
}

// Adds the names of all entries (power NULL), or of those with these dimensions, with their prefixes.
static void add_names(kane_text *text, const signed char *power)
{
    int count = 0;
    for (int prefixed = 1; prefixed >= 0; prefixed--) {
        int of_kind = 0;
        for (int i = 0; i < ENTRIES; i++) {
            if (entries[i].prefixes != prefixed || (power && memcmp(entries[i].power, power, KANE_DIMENSIONS) != 0))
                continue;
            kane_text_add(text, "%s", count++ > 0 && (of_kind > 0 || !prefixed) ? "|" : "(");
            for (int p = 0; prefixed && of_kind == 0 && p < PREFIXES; p++)
                kane_text_add(text, "%s%s%s", p ? "|" : "(", prefixes[p].name, p + 1 == PREFIXES ? ")?(" : "");
            kane_text_add(text, "%s", entries[i].name);
            of_kind++;
        }
        if (prefixed && of_kind > 0)
            kane_text_add(text, ")");
    }
    kane_text_add(text, ")");
}

void kane_unit_pattern(kane_text *text)
{
    static const char power[] = "(\\^[-+0-9.eE]+|[2-9]|\xC2\xB2|\xC2\xB3)?";
    char buffer[1024];
    kane_text factor = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&factor, "(\\( *)*");
    add_names(&factor, NULL);
    kane_text_add(&factor, "%s( *\\)%s)*", power, power);
    kane_text_add(text, "(/ *)?%s((" PRODUCT "|" QUOTIENT ")%s)*", buffer, buffer);
}

int kane_unit_measures(void)
{
    return MEASURES;
}

const char *kane_unit_measure_noun(int measure)
{
    return measures[measure].noun;
}

int kane_unit_measure_fits(int measure, const kane_unit *expected)
{
    kane_unit unit = {.up = 1.0, .down = 1.0};
    for (int k = 0; k < KANE_DIMENSIONS; k++)
        unit.power[k] = measures[measure].power[k];
    return kane_unit_fits(&unit, expected);
}

// One unit of an expression: the first entry with these dimensions.
typedef struct pattern_factor {
    int entry, power; // 1 .. 4; negative: below the line
} pattern_factor;

// The highest power in expressions of so many factors.
static const int highest_powers[] = {0, 4, 3, 2, 1};
enum { FACTORS_TYPED = 4 };

// Index of the first entry with the same dimensions.
static int first_alike(int index)
{
    int i = 0;
    while (memcmp(entries[i].power, entries[index].power, KANE_DIMENSIONS) != 0)
        i++;
    return i;
}

static int is_pure(int index)
{
    static const signed char none[KANE_DIMENSIONS] = {0};
    return memcmp(entries[index].power, none, KANE_DIMENSIONS) == 0;
}

// Metre, gram, second, newton, radian: what expressions of three are made of.
static int is_basic(int index)
{
    static const char *const names[] = {"m", "g", "s", "N", "rad"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(entries[index].name, names[i]) == 0)
            return 1;
    return 0;
}

static void add_factor(kane_text *text, pattern_factor f)
{
    const int n = f.power < 0 ? -f.power : f.power;
    add_names(text, entries[f.entry].power);
    if (n == 2 || n == 3)
        kane_text_add(text, "(\\^%d|%d|\xC2%c)", n, n, n == 2 ? '\xB2' : '\xB3');
    else if (n > 3)
        kane_text_add(text, "\\^?%d", n);
}

static void add_expression(kane_text *text, const pattern_factor *factors, int count, int *expressions)
{
    kane_text_add(text, "%s", (*expressions)++ ? "|" : "(");
    for (int i = 0; i < count; i++) {
        if (factors[i].power < 0)
            kane_text_add(text, "%s", i > 0 ? QUOTIENT : "(1 *)?/ *");
        else if (i > 0)
            kane_text_add(text, "%s", PRODUCT);
        add_factor(text, factors[i]);
    }
}

// Adds all expressions with these factors and up to `more` others behind them: no unit twice, quotients last, one of
// them.
static void add_expressions(kane_text *text, int measure, pattern_factor *factors, int count, int most,
                            int *expressions)
{
    double power[KANE_DIMENSIONS] = {0.0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < KANE_DIMENSIONS; k++)
            power[k] += factors[i].power * entries[factors[i].entry].power[k];
    if (count == most) {
        if (same_dimensions(power, measures[measure].power))
            add_expression(text, factors, count, expressions);
        return;
    }
    if (count > 0 && factors[count - 1].power < 0)
        return;
    const int highest = highest_powers[most];
    for (int e = 0; e < ENTRIES; e++) {
        int fresh = first_alike(e) == e && (most == 1 || !is_pure(e)) && (most < 3 || is_basic(e));
        for (int i = 0; i < count; i++)
            fresh = fresh && factors[i].entry != e;
        for (int p = -highest; fresh && p <= highest; p++) {
            if (p == 0 || (is_pure(e) && p != 1) || (p < 0 && count == 0 && most > 1))
                continue;
            factors[count] = (pattern_factor){e, p};
            add_expressions(text, measure, factors, count + 1, most, expressions);
        }
    }
}

void kane_unit_measure_pattern(kane_text *text, int measure)
{
    pattern_factor factors[FACTORS_TYPED];
    int expressions = 0;
    for (int most = 1; most <= FACTORS_TYPED; most++)
        add_expressions(text, measure, factors, 0, most, &expressions);
    kane_text_add(text, ")");
}
