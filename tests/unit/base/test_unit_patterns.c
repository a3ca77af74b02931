// SPDX-License-Identifier: MIT
// Units as patterns of JSON schemas against their parser: no expression that the parser takes is refused, none that is
// typed mostly and measures something else is let through.

#include "check.h"

#include "base/unit.h"

#include <regex.h>

enum { MEASURES_MOST = 64, NAMES = 20 };

static regex_t general, measures[MEASURES_MOST];

static void compile(regex_t *regex, const char *pattern)
{
    char whole[8192];
    (void)snprintf(whole, sizeof whole, "^(%s)$", pattern);
    assert_int_equal(regcomp(regex, whole, REG_EXTENDED | REG_NOSUB), 0);
}

static int compile_all(void **state)
{
    static char buffer[8000];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    (void)state;
    kane_unit_pattern(&text);
    compile(&general, buffer);
    assert_true(kane_unit_measures() <= MEASURES_MOST);
    for (int i = 0; i < kane_unit_measures(); i++) {
        text = kane_text_start(sizeof buffer, buffer);
        kane_unit_measure_pattern(&text, i);
        assert_true(text.length < sizeof buffer - 4);
        compile(&measures[i], buffer);
    }
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    regfree(&general);
    for (int i = 0; i < kane_unit_measures(); i++)
        regfree(&measures[i]);
    return 0;
}

static int parse(const char *text, kane_unit *unit)
{
    char unused[300];
    kane_text fault = kane_text_start(sizeof unused, unused);
    return kane_unit_parse(text, unit, &fault);
}

// How often an expression was refused as a measure that it is not, and as what it is.
static int wrong, recognised;

static void check_expression(const char *text)
{
    kane_unit found;
    if (!parse(text, &found))
        return;
    if (regexec(&general, text, 0, NULL, 0) != 0) {
        print_error("'%s' is a unit, but not by its pattern\n", text);
        wrong++;
    }
    for (int i = 0; i < kane_unit_measures(); i++) {
        if (regexec(&measures[i], text, 0, NULL, 0) != 0)
            continue;
        recognised++;
        // as the unit that is wanted it would have to fit itself, and the measure it
        if (!kane_unit_measure_fits(i, &found)) {
            print_error("'%s' is taken for %s\n", text, kane_unit_measure_noun(i));
            wrong++;
        }
    }
}

static const char *const names[NAMES] = {"m",  "mm",  "kg", "t",  "s",  "ms",  "min", "h", "N",   "kN",
                                         "Pa", "GPa", "J",  "kW", "Hz", "rad", "deg", "%", "mph", "lbf"};
static const char *const powers[]     = {"", "^2", "3", "\xC2\xB2", "^-1", "^1.5", "^4"};
static const char *const separators[] = {" ", "/", "*", " \xC2\xB7 ", " / "};

CHECK_TEST(no_unit_is_refused_or_taken_for_another)
{
    char text[160];
    enum { POWERS = sizeof powers / sizeof *powers, SEPARATORS = sizeof separators / sizeof *separators };
    for (int a = 0; a < NAMES; a++)
        for (int p = 0; p < POWERS; p++) {
            (void)snprintf(text, sizeof text, "%s%s", names[a], powers[p]);
            check_expression(text);
            (void)snprintf(text, sizeof text, "/%s%s", names[a], powers[p]);
            check_expression(text);
            (void)snprintf(text, sizeof text, "1/(%s%s)", names[a], powers[p]);
            check_expression(text);
            for (int b = 0; b < NAMES; b++)
                for (int q = 0; q < POWERS; q++)
                    for (int s = 0; s < SEPARATORS; s++) {
                        (void)snprintf(text, sizeof text, "%s%s%s%s%s", names[a], powers[p], separators[s], names[b],
                                       powers[q]);
                        check_expression(text);
                    }
        }
    for (int i = 0; i < NAMES * NAMES * NAMES; i++)
        for (int s = 0; s < 2; s++) {
            (void)snprintf(text, sizeof text, "%s%s %s%s%s%s", names[i % NAMES], powers[i % 3],
                           names[i / NAMES % NAMES], powers[i % 2], separators[s], names[i / NAMES / NAMES]);
            check_expression(text);
            (void)snprintf(text, sizeof text, "%s/(%s %s%s)", names[i % NAMES], names[i / NAMES % NAMES],
                           names[i / NAMES / NAMES], powers[i % 2]);
            check_expression(text);
        }
    assert_int_equal(wrong, 0);
    print_message("%d expressions recognised as what they measure\n", recognised);
    assert_true(recognised > 500);
}

// What the tables want, and what is typed for it by mistake.
CHECK_TEST(what_is_typed_by_mistake_is_recognised)
{
    static const char *const typed[] = {
        "mm",          "in",     "kg",     "t",    "lb",        "s",          "min",    "deg",         "rad",
        "kN",          "lbf",    "m^2",    "mm2",  "m\xC2\xB3", "km/h",       "m/s",    "mph",         "m/s^2",
        "m/s\xC2\xB2", "rad/s",  "rpm",    "Hz",   "1/m",       "/m",         "1/s",    "kN/m",        "MN/m",
        "kN s/m",      "kN*s/m", "N m",    "kN m", "N m/rad",   "kN m s/rad", "kg m^2", "t m\xC2\xB2", "GPa",
        "N/mm^2",      "kW",     "kN m/s", "kJ",   "%",         "permille",   "bar",    "kg/m",        "N mm/deg",
    };
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        int count = 0;
        for (int k = 0; k < kane_unit_measures(); k++)
            count += regexec(&measures[k], typed[i], 0, NULL, 0) == 0;
        if (count != 1)
            fail_msg("'%s' is recognised %d times", typed[i], count);
    }
    static const char *const unknown[] = {"kmh", "Kg", "kNm", "metre", "m//s", "furlong", "N.m", "sec"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (regexec(&general, unknown[i], 0, NULL, 0) == 0)
            fail_msg("'%s' is no unit", unknown[i]);
}

CHECK_MAIN(compile_all, free_all)
