// SPDX-License-Identifier: MIT
// Quantities: numbers with units, their dimensions, and what is said of wrong ones.

#include "check.h"

#include "base/unit.h"

static const double pi = 3.14159265358979323846;

static char message[600];

static int parse(const char *text, const char *unit, double *value)
{
    kane_text t = kane_text_start(sizeof message, message);
    *value      = (double)NAN;
    return kane_quantity_parse(text, unit, value, &t);
}

CHECK_TEST(quantities_have_their_value_in_si_units)
{
    const struct {
        const char *text, *unit;
        double value;
    } rows[] = {
        // as JSON would have it
        {"0.025", "m", 0.025},
        {"-3", "N", -3.0},
        {" 7 ", "kg", 7.0},
        {"1e-3", NULL, 1e-3},
        {"+.5", "1", 0.5},
        // one name
        {"25 mm", "m", 0.025},
        {"25mm", "m", 0.025},
        {"3 um", "m", 3e-6},
        {"3 \xC2\xB5m", "m", 3e-6},
        {"3 \xCE\xBCm", "m", 3e-6},
        {"12.5 km", "m", 12500.0},
        {"5 cm", "m", 0.05},
        {"1.5 t", "kg", 1500.0},
        {"250 g", "kg", 0.25},
        {"2 Mg", "kg", 2000.0},
        {"5 ms", "s", 0.005},
        {"2 min", "s", 120.0},
        {"1.5 h", "s", 5400.0},
        {"1.22 MN", "N", 1.22e6},
        {"50 daN", "N", 500.0},
        {"210 GPa", "Pa", 210e9},
        {"3 bar", "Pa", 3e5},
        {"250 mbar", "Pa", 25000.0},
        {"10 Hz", "Hz", 10.0},
        {"1.2 kHz", "1/s", 1200.0},
        {"200 kW", "W", 200e3},
        {"3 kJ", "N m", 3000.0},
        // angles
        {"3 deg", "rad", pi / 60.0},
        {"180 deg", "rad", pi},
        {"90\xC2\xB0", "rad", pi / 2.0},
        {"100 gon", "rad", pi / 2.0},
        {"5 mrad", "rad", 0.005},
        {"1e-3 rad", "rad", 1e-3},
        {"1 rev", "rad", 2.0 * pi},
        {"60 rpm", "rad/s", 2.0 * pi},
        {"90 deg/s", "rad/s", pi / 2.0},
        // pure numbers
        {"1:40", "1", 0.025},
        {"1 : 40", "1", 0.025},
        {"1/20", "1", 0.05},
        {"3 permille", "1", 0.003},
        {"3 \xE2\x80\xB0", "1", 0.003},
        {"2 %", "1", 0.02},
        {"25 mm/m", "1", 0.025},
        // products, quotients, powers
        {"1.22 MN/m", "N/m", 1.22e6},
        {"20 kN s/m", "N s/m", 20e3},
        {"20 kN*s/m", "N s/m", 20e3},
        {"20 kN\xC2\xB7s/m", "N s/m", 20e3},
        {"5 N/mm", "N/m", 5000.0},
        {"70 km/h", "m/s", 70.0 / 3.6},
        {"54 km / h", "m/s", 15.0},
        {"0.5 m/s^2", "m/s^2", 0.5},
        {"0.5 m/s/s", "m/s^2", 0.5},
        {"0.5 m s^-2", "m/s^2", 0.5},
        {"0.5 m/s2", "m/s^2", 0.5},
        {"0.5 m/s\xC2\xB2", "m/s^2", 0.5},
        {"2 dm\xC2\xB3", "m^3", 0.002},
        {"30 l", "m^3", 0.03},
        {"1.5 hL", "m^3", 0.15},
        {"2 l/min", "m^3/s", 2e-3 / 60.0},
        {"800 kg m^2", "kg m^2", 800.0},
        {"3 t m^2", "kg m^2", 3000.0},
        {"2 kN m/rad", "N m/rad", 2000.0},
        {"2 kN m", "N m/rad", 2000.0},
        {"1 kN m/deg", "N m/rad", 180e3 / pi},
        {"2 kN m s/rad", "N m s/rad", 2000.0},
        {"5 kN/(m/s)", "N s/m", 5000.0},
        {"5 (kN)/(mm)", "N/m", 5e6},
        {"7 N/(m s)", "kg/s^3", 7.0},
        {"1e9 N/m^1.5", "N/m^1.5", 1e9},
        {"1 N/mm^1.5", "N/m^1.5", 31622.776601683792},
        {"1/600 1/m", "1/m", 1.0 / 600.0},
        {"0.5/m", "1/m", 0.5},
        {"2 1/km", "1/m", 0.002},
        {"1/s", "rad/s", 1.0}, // the angle left out
        {"2 h^2", "s^2", 2.0 * 3600.0 * 3600.0},
        {"1 (km/h)^2", "m^2/s^2", 1.0 / 12.96},
        // elsewhere
        {"1 in", "m", 0.0254},
        {"3 ft", "m", 0.9144},
        {"60 mph", "m/s", 26.8224},
        {"1 mi", "m", 1609.344},
        {"1 lb", "kg", 0.45359237},
        {"1 lbf", "N", 4.4482216152605},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value;
        if (!parse(rows[i].text, rows[i].unit, &value))
            fail_msg("%s: %s", rows[i].text, message);
        check_near(value, rows[i].value, 4e-16 * fabs(rows[i].value));
    }
}

CHECK_TEST(a_decimal_unit_costs_no_digit)
{
    // "x mm" is the double of x with its exponent less by three, for every x
    for (int i = 1; i < 100000; i += 7) {
        char text[64], shifted[64];
        double value;
        (void)snprintf(text, sizeof text, "%d.%d mm", i / 100, i % 100);
        (void)snprintf(shifted, sizeof shifted, "%d.%de-3", i / 100, i % 100);
        assert_true(parse(text, "m", &value));
        assert_true(value == strtod(shifted, NULL));
        (void)snprintf(text, sizeof text, "%d.%d MN/mm", i / 100, i % 100);
        (void)snprintf(shifted, sizeof shifted, "%d.%de9", i / 100, i % 100);
        assert_true(parse(text, "N/m", &value));
        assert_true(value == strtod(shifted, NULL));
    }
}

CHECK_TEST(what_is_no_such_quantity_is_told_why)
{
    static const struct {
        const char *text, *unit, *message;
    } rows[] = {
        {"25 kg", "m", "'25 kg' is a mass, expected a length [m] such as 0.025 or \"25 mm\""},
        {"3 deg", "m", "'3 deg' is an angle, expected a length [m] such as 0.025 or \"25 mm\""},
        {"3 deg", "1", "'3 deg' is an angle, expected a pure number such as 0.025 or \"1:40\""},
        {"2 %", "rad", "'2 %' is a pure number, expected an angle [rad] such as 0.0524 or \"3 deg\""},
        {"1:40", "m", "'1:40' is a pure number, expected a length [m] such as 0.025 or \"25 mm\""},
        {"2 N m/rad", "N m",
         "'2 N m/rad' is a rotational stiffness, expected a torque or an energy [N m] such as 2000 or \"2 kN m\""},
        {"2 rad/m", "1/m",
         "'2 rad/m' is a quantity in m^-1 rad, expected a curvature [1/m] such as 0.00167 or \"1/600 1/m\""},
        {"10 Hz", "rad/s", "'10 Hz' is a frequency, expected an angular velocity [rad/s] such as 0.5 or \"0.5 rad/s\""},
        {"10 rad/s", "Hz", "'10 rad/s' is an angular velocity, expected a frequency [Hz] such as 10 or \"10 Hz\""},
        {"3 rad^2", "rad", "'3 rad^2' is a quantity in rad^2, expected an angle [rad] such as 0.0524 or \"3 deg\""},
        {"5 kg", "kg m/s^3", "'5 kg' is a mass, expected a number [kg m/s^3]"},
        {"5 N/m^1.5", "N/m",
         "'5 N/m^1.5' is a quantity in kg m^-0.5 s^-2, expected a stiffness [N/m] such as 1220000 or "
         "\"1.22 MN/m\""},
        {"5 kNm", "N m", "'5 kNm': unknown unit 'kNm'; did you mean 'kN m'?"},
        {"5 kNs/m", "N s/m", "'5 kNs/m': unknown unit 'kNs'; did you mean 'kN s'?"},
        {"70 kmh", "m/s", "'70 kmh': unknown unit 'kmh'; did you mean 'km/h'?"},
        {"70 KPH", "m/s", "'70 KPH': unknown unit 'KPH'; did you mean 'km/h'?"},
        {"5 Kg", "kg", "'5 Kg': unknown unit 'Kg'; did you mean 'kg'?"},
        {"5 MM", "m", "'5 MM': unknown unit 'MM'; did you mean 'mm' or 'Mm'?"},
        {"5 hz", "Hz", "'5 hz': unknown unit 'hz'; did you mean 'Hz'?"},
        {"5 degre", "rad", "'5 degre': unknown unit 'degre'; did you mean 'deg'?"},
        {"5 tons", "kg", "'5 tons': unknown unit 'tons'; did you mean 't'?"},
        {"5 promille", "1", "'5 promille': unknown unit 'promille'; did you mean 'permille'?"},
        {"5 parsec", "m",
         "'5 parsec': unknown unit 'parsec'; known: m g s N Pa J W Hz bar t l L min h rad deg \xC2\xB0 gon rev rpm 1 % permille "
         "\xE2\x80\xB0 in ft mi mph lb lbf"},
        {"5 kt", "kg",
         "'5 kt': unknown unit 'kt'; known: m g s N Pa J W Hz bar t l L min h rad deg \xC2\xB0 gon rev rpm 1 % permille "
         "\xE2\x80\xB0 in ft mi mph lb lbf"},
        {"5 N/m s", "N s/m", "'5 N/m s': a product after '/' is ambiguous, write N/(m s) or N s/m"},
        {"5 N/m*s", "N s/m", "'5 N/m*s': a product after '/' is ambiguous, write N/(m s) or N s/m"},
        {"5 m/", "m", "'5 m/': a unit is missing at the end"},
        {"5 m^", "m", "'5 m^': a power after '^' is a number between -9 and 9"},
        {"5 m^99", "m", "'5 m^99': a power after '^' is a number between -9 and 9"},
        {"5 (m", "m", "'5 (m': a ')' is missing in the unit"},
        {"5 m)", "m", "'5 m)': a '(' is missing in the unit"},
        {"5 ((((((((((m))))))))))", "m", "'5 ((((((((((m))))))))))': too many parentheses in the unit"},
        {"5 mm 3", "m", "'5 mm 3': a unit should stand at '3'"},
        {"5 m+m", "m", "'5 m+m': a unit should stand at '+m'"},
        {"1,5 mm", "m", "'1,5 mm' has a comma in its number, decimals stand after a point"},
        {"", "m", "'' does not begin with a number, expected a length [m] such as 0.025 or \"25 mm\""},
        {"mm", "m", "'mm' does not begin with a number, expected a length [m] such as 0.025 or \"25 mm\""},
        {"nan", "m", "'nan' does not begin with a number, expected a length [m] such as 0.025 or \"25 mm\""},
        {"1:0", "1", "'1:0' is not a finite number"},
        {"0:0", "1", "'0:0' is not a finite number"},
        {"1e308 km", "m", "'1e308 km' is not a finite number"},
        {"1e999", "m", "'1e999' is not a finite number"},
        {"1.00000000000000000000000000000000000000000000000000000000000000", "m",
         "a number of more than 60 characters"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value;
        assert_false(parse(rows[i].text, rows[i].unit, &value));
        assert_string_equal(message, rows[i].message);
    }
}

CHECK_TEST(every_measure_accepts_its_own_example)
{
    static const char *const units[] = {"1",  "m",   "m^2",   "1/m",     "kg",      "kg/m",      "kg m^2", "s", "1/s",
                                        "Hz", "rad", "rad/s", "rad/s^2", "m/s",     "m/s^2",     "m/s^3",  "N", "N m",
                                        "W",  "Pa",  "N/m",   "N s/m",   "N m/rad", "N m s/rad", "N m s",  "J"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char expected[200];
        kane_text t = kane_text_start(sizeof expected, expected);
        kane_quantity_expect(&t, units[i]);
        const char *number = strstr(expected, " such as ");
        assert_non_null(number);
        const char *example = strstr(number, " or \"");
        assert_non_null(example);
        // number and example say the same
        char text[64];
        double value, same;
        (void)snprintf(text, sizeof text, "%s", example + 5);
        *strchr(text, '"') = '\0';
        assert_true(parse(text, units[i], &value));
        same = atof(number + 9);
        check_near(same, value, 5e-3 * fabs(value));
    }
}

CHECK_MAIN(NULL, NULL)
