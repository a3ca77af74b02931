// SPDX-License-Identifier: MIT
// Axes of studies: values from what was typed, settings from values, and what is refused.

#include "check.h"
#include "errors.h"

// An axis has these values; its numbers are those that they say.
static void check_texts(const char *typed, const char *unit, int count, const char *const *texts)
{
    CHECK_ERRORS errors          = {0};
    CHECK_OWNED(kane_axis) *axis = kane_axis_parse(typed, &errors);
    if (!axis)
        fail_msg("%s: %s", typed, kane_errors_get(&errors, 0)->text);
    assert_int_equal(errors.count, 0);
    assert_int_equal(axis->count, count);
    assert_string_equal(axis->unit, unit);
    for (int i = 0; i < count; i++)
        assert_string_equal(axis->texts[i], texts[i]);
}

#define CHECK_TEXTS(typed, unit, ...)                                                                                  \
    do {                                                                                                               \
        const char *const texts[] = {__VA_ARGS__};                                                                     \
        check_texts(typed, unit, sizeof texts / sizeof *texts, texts);                                                 \
    } while (0)

CHECK_TEST(test_ranges)
{
    CHECK_TEXTS("speed=10:50:5", "m/s", "10", "20", "30", "40", "50");
    CHECK_TEXTS("speed=50:10:5", "m/s", "50", "40", "30", "20", "10");
    CHECK_TEXTS("x=0:1:11", "", "0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1");
    CHECK_TEXTS("x=-0.3:0.3:7", "", "-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3");
    CHECK_TEXTS("x=-0.1:0.3:5", "", "-0.1", "0", "0.1", "0.2", "0.3");
    CHECK_TEXTS("x=0:1:4", "", "0", "0.333333333333", "0.666666666667", "1");
    CHECK_TEXTS("vehicle.bodies.body.mass=8 t:12 t:3", "t", "8 t", "10 t", "12 t");
    CHECK_TEXTS(" speed = 54 : 90 km/h : 3 ", "km/h", "54 km/h", "72 km/h", "90 km/h");
    CHECK_TEXTS("x=1e-9:3e-9:3", "", "1e-9", "2e-09", "3e-9");
    CHECK_TEXTS("track.rail.inclination=1/40:1/20:3", "", "1/40", "0.0375", "1/20");
    CHECK_TEXTS("cant=0:150 mm:4", "mm", "0 mm", "50 mm", "100 mm", "150 mm");
    CHECK_TEXTS("speed=60:110:6 km/h", "km/h", "60 km/h", "70 km/h", "80 km/h", "90 km/h", "100 km/h", "110 km/h");
    CHECK_TEXTS("cant=0 mm:150 mm:4 mm", "mm", "0 mm", "50 mm", "100 mm", "150 mm");
    CHECK_TEXTS("x=(1, 2),f(3)", "", "(1, 2)", "f(3)");
}

// A, A + S, ... up to B; B itself only where whole steps lead there. The unit may stand behind B or behind the step.
CHECK_TEST(test_steps)
{
    CHECK_TEXTS("speed=10:50:step=10", "m/s", "10", "20", "30", "40", "50");
    CHECK_TEXTS("speed=10:55:step=10", "m/s", "10", "20", "30", "40", "50");
    CHECK_TEXTS("speed=50:10:step=-20", "m/s", "50", "30", "10");
    CHECK_TEXTS("x=0:0.3:step=0.1", "", "0", "0.1", "0.2", "0.3");
    CHECK_TEXTS("x=0.1:0.35:step=0.1", "", "0.1", "0.2", "0.3");
    CHECK_TEXTS("speed=36:50.4:step=7.2 km/h", "km/h", "36 km/h", "43.2 km/h", "50.4 km/h");
    CHECK_TEXTS("speed = 36 : 50.4 km/h : step = 7.2", "km/h", "36 km/h", "43.2 km/h", "50.4 km/h");
    CHECK_TEXTS("friction=0.1:0.3:step=0.1", "", "0.1", "0.2", "0.3");
    CHECK_TEXTS("x=0:90:step=100/2", "", "0", "50");
    CHECK_ERRORS errors          = {0};
    CHECK_OWNED(kane_axis) *axis = kane_axis_parse("x=0:1:step=0.001", &errors);
    assert_non_null(axis);
    assert_int_equal(axis->count, 1001);
    assert_int_equal(axis->is_range, 1);
    assert_true(axis->numbers[1000] == 1.0 && axis->numbers[7] == 0.007);
}

CHECK_TEST(test_lists)
{
    CHECK_TEXTS("speed=10,30 , 20", "m/s", "10", "30", "20");
    CHECK_TEXTS("speed=36,72 km/h", "km/h", "36 km/h", "72 km/h");
    CHECK_TEXTS("radius=300 m,600 m", "m", "300 m", "600 m");
    CHECK_TEXTS("shape=bloss,cosine", "", "bloss", "cosine");
    CHECK_TEXTS("track.sections[1].shape=bloss", "", "bloss");
    CHECK_TEXTS("x=[1,2],[3:4,5]", "", "[1,2]", "[3:4,5]");
    CHECK_TEXTS("run.speed=[{\"acceleration\": 1, \"to\": 3}],[]", "", "[{\"acceleration\": 1, \"to\": 3}]", "[]");
    CHECK_TEXTS("vehicle.\"a=b\".x=\"p,q\",\"r\\\",s\"", "", "\"p,q\"", "\"r\\\",s\"");
    CHECK_TEXTS("track.rail.inclination=1:20,1:40", "", "1:20", "1:40");
    CHECK_TEXTS("track.rail.profile=\"60E1\",round", "", "\"60E1\"", "round");
}

CHECK_TEST(test_numbers)
{
    CHECK_ERRORS errors = {0};
    kane_axis *axis     = kane_axis_parse("track.rail.inclination=1:20,1/40,none", &errors);
    assert_non_null(axis);
    assert_true(axis->numbers[0] == 0.05 && axis->numbers[1] == 0.025 && isnan(axis->numbers[2]));
    assert_int_equal(axis->is_range, 0);
    kane_axis_free(axis);
    axis = kane_axis_parse("x=0:1:100000", &errors);
    assert_non_null(axis);
    assert_int_equal(axis->is_range, 1);
    for (int i = 0; i < axis->count; i++) {
        check_near(axis->numbers[i], i / 99999.0, 2e-12);
        assert_true(axis->numbers[i] == strtod(axis->texts[i], NULL));
    }
    assert_true(axis->numbers[99999] == 1.0);
    kane_axis_free(axis);
}

static void check_distribution(const char *typed, const char *unit, kane_distribution expected)
{
    CHECK_OWNED(kane_axis) *axis = CHECK_GOOD(kane_axis_parse, typed);
    assert_string_equal(axis->unit, unit);
    assert_int_equal(axis->count, 1);
    assert_true(isnan(axis->numbers[0]));
    assert_int_equal(axis->distribution.kind, expected.kind);
    assert_true(axis->distribution.mean == expected.mean && axis->distribution.deviation == expected.deviation);
    assert_true(axis->distribution.least == expected.least && axis->distribution.greatest == expected.greatest);
}

CHECK_TEST(test_distributions)
{
    const kane_distribution_kind normal = KANE_DISTRIBUTION_NORMAL, uniform = KANE_DISTRIBUTION_UNIFORM;
    const double inf = (double)INFINITY;
    check_distribution("speed=normal(20,0.5)", "m/s", (kane_distribution){normal, 20.0, 0.5, -inf, inf});
    check_distribution(" speed = normal( 72 , 3.6 km/h ) ", "km/h", (kane_distribution){normal, 72.0, 3.6, -inf, inf});
    check_distribution("mass=normal(8 t,1 t)", "t", (kane_distribution){normal, 8.0, 1.0, -inf, inf});
    check_distribution("mass=normal(8,1,6,9 t)", "t", (kane_distribution){normal, 8.0, 1.0, 6.0, 9.0});
    check_distribution("x=uniform(-1,2)", "", (kane_distribution){uniform, 0.0, 0.0, -1.0, 2.0});
    check_distribution("track.rail.inclination=uniform(1/40,1:20)", "",
                       (kane_distribution){uniform, 0.0, 0.0, 0.025, 0.05});
}

static void check_setting(const char *typed, const char *setting)
{
    char text[200];
    CHECK_ERRORS errors          = {0};
    CHECK_OWNED(kane_axis) *axis = kane_axis_parse(typed, &errors);
    assert_non_null(axis);
    assert_int_equal(kane_axis_setting(axis, axis->count - 1, sizeof text, text), strlen(setting));
    assert_string_equal(text, setting);
}

CHECK_TEST(test_settings)
{
    check_setting("speed=10:30 m/s:3", "start.speed=30 m/s");
    check_setting("acceleration=-1:0.5:4", "speed=[{\"acceleration\": 0.5}]");
    check_setting("acceleration=0,.5", "speed=[{\"acceleration\": \".5\"}]");
    check_setting("acceleration=0.5 m/s^2", "speed=[{\"acceleration\": \"0.5 m/s^2\"}]");
    check_setting("radius=300:600:4", "track.sections[*].to.radius=600");
    check_setting("cant=100 mm", "track.sections[*].to.cant=100 mm");
    check_setting("shape=bloss,sine", "track.sections[*].shape=sine");
    check_setting("friction=0.1:0.3:3", "track.rail.friction=0.3");
    check_setting("vehicle.bodies.body.mass=8 t,9 t", "vehicle.bodies.body.mass=9 t");
}

static void check_refused(const char *typed, const char *why)
{
    CHECK_ERRORS errors = {0};
    char text[1200];
    kane_axis *axis = kane_axis_parse(typed, &errors);
    if (axis)
        fail_msg("%s is taken", typed);
    assert_int_equal(errors.count, 1);
    assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_INPUT);
    assert_string_equal(kane_errors_get(&errors, 0)->text, why);
    (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
    assert_non_null(strstr(text, "--over "));
}

#define COUNT(third)                                                                                                   \
    "'" third "' is not a count of values from 2 to 100000: A:B:N stands for N values from A to B, such as 10:50:5 "   \
    "for 10, 20, 30, 40, 50; steps are written A:B:step=S, here 10:50:step=" third
#define REFUSE_COUNT(third) check_refused("speed=10:50:" third, COUNT(third))

#define DISTRIBUTIONS "normal(MEAN,DEVIATION), normal(MEAN,DEVIATION,A,B) and uniform(A,B)"
#define NORMAL                                                                                                         \
    "expected normal(MEAN,DEVIATION) or normal(MEAN,DEVIATION,A,B), numbers of which the last one may have a unit"

CHECK_TEST(test_refused)
{
    static const char shape[] =
        "expected PATH=A:B:N, PATH=A:B:step=S or PATH=V,V,..., such as speed=10:50:5 or shape=bloss,cosine";
    check_refused("speed", shape);
    check_refused("=1:2:3", shape);
    check_refused("", shape);
    check_refused("speed=", "no value is given");
    check_refused("speed=10,,20", "a value is missing between commas");
    check_refused("speed=10,", "a value is missing between commas");
    check_refused("x=[1,2", "a quote or a bracket has no partner");
    check_refused("x=1]", "a quote or a bracket has no partner");
    check_refused("x=\"a,b", "a quote or a bracket has no partner");
    REFUSE_COUNT("2.5");
    REFUSE_COUNT("1");
    REFUSE_COUNT("0");
    REFUSE_COUNT("-5");
    REFUSE_COUNT("2.5 m/s");
    check_refused("speed=10 km/h:50:5 m/s", "'10 km/h' and '5 m/s' have different units, both need the same");
    REFUSE_COUNT("100001");
    REFUSE_COUNT("99999999999999999999");
    check_refused("speed=10:50", "'10:50' has no number of values; expected A:B:N, such as 10:50:5 for 10, 20, 30, 40, "
                                 "50, A:B:step=S, or V,V,...");
    check_refused("speed=10::5", "expected A:B:N, such as 10:50:5 for 10, 20, 30, 40, 50, or A:B:step=S");
    check_refused("speed=10:50:5:1", "expected A:B:N, such as 10:50:5 for 10, 20, 30, 40, 50, or A:B:step=S");
    check_refused("speed=a:50:5", "'a' is not a number with a unit; A:B:N stands for N values from A to B");
    check_refused("speed=10:1e999:5", "'1e999' is not a number with a unit; A:B:N stands for N values from A to B");
    check_refused("speed=10:50 furlong:5",
                  "'50 furlong' is not a number with a unit; A:B:N stands for N values from A to B");
    check_refused("mass=8 t:9000 kg:5", "'8 t' and '9000 kg' have different units, both need the same");
    check_refused("mass=8 t:9:5", "'8 t' and '9' have different units, both need the same");
    check_refused("mass=8 t,9000 kg", "'8 t' and '9000 kg' have different units, all values need the same");
    check_refused("mass=8 t,9", "'8 t' and '9' have different units, all values need the same");
    check_refused("mass=8,9 t,10 t", "'8' and '10 t' have different units, all values need the same");
    check_refused("speed=10:50:step=0", "'0' is not a step; A:B:step=S stands for A, A + S, A + 2 S, ... up to B");
    check_refused("speed=10:50:step=a", "'a' is not a step; A:B:step=S stands for A, A + S, A + 2 S, ... up to B");
    check_refused("speed=10:50:step=-2", "no step of -2 leads from 10 to 50");
    check_refused("speed=50:10:step=2", "no step of 2 leads from 50 to 10");
    check_refused("speed=10:50:step=50", "a step of 50 is longer than from 10 to 50");
    check_refused("x=0:1:step=1e-6", "more than 100000 values");
    check_refused("speed=a:50:step=2", "'a' is not a number with a unit; A:B:step=S stands for steps of S from A to B");
    check_refused("speed=36 m/s:50:step=7 km/h", "'36 m/s' and '7 km/h' have different units, both need the same");
    check_refused("speed=10:50:step", COUNT("step"));
    check_refused("speed=normal(1)", NORMAL);
    check_refused("speed=normal(1,2,3)", NORMAL);
    check_refused("speed=normal(1,a)", NORMAL);
    check_refused("speed=normal(1,2) m/s", NORMAL);
    check_refused("speed=uniform(1,2,3)", "expected uniform(A,B), numbers of which the last one may have a unit");
    check_refused("speed=gauss(1,2)", "'gauss' is no distribution; there are " DISTRIBUTIONS);
    check_refused("speed=normal(1,0)", "the deviation must be above 0; a value that does not vary is written PATH=1");
    check_refused("speed=uniform(3,3)", "A must be below B, such as uniform(15,25)");
    check_refused("speed=normal(1,1,3,2)", "A must be below B, such as normal(20,2,15,25)");
    check_refused("speed=normal(1,1,8,9)",
                  "less than 1e-6 of the normal distribution lies between A and B; its mean belongs between them");
    check_refused("speed=normal(1 m/s,2 km/h)", "'1 m/s' and '2 km/h' have different units, all values need the same");
    check_refused("speed=3,normal(1,2)", "a distribution is the only value of its axis: 'normal(1,2)'");
    check_refused("speed=normal(1,2", "a quote or a bracket has no partner");
    check_refused("speed=10:10:3", "both ends are '10'; a single value needs no N");
}

CHECK_MAIN(NULL, NULL)
