// SPDX-License-Identifier: MIT
// Searches for transitions by criteria of the line alone, whose best shapes the calculus of variations knows: splines,
// polynomials, worst cases, weights, limits, free lengths. f leads from 0 to 1, x = s/L;  curvature f/R, cant U f.

#include "property/study/transition_runs.h"

static const double L = 60.0, R = 600.0, U = 0.1; // of the wagon's transition

static kane_optimisation usual_search(const char *directory, const char *const *criterion)
{
    kane_optimisation o = kane_optimisation_default();
    o.file              = RUN;
    o.criterion_count   = 1;
    o.criteria          = criterion;
    o.algorithm         = KANE_ALGORITHM_USUAL;
    o.tolerance         = 1e-8;
    o.execution         = (kane_plan_execution){.directory = directory, .workers = 1};
    return o;
}

static void run_search(const kane_optimisation *o)
{
    CHECK_ERRORS errors = {0};
    int complete        = 0;
    if (kane_study_optimise(o, &complete, &errors) != KANE_OK)
        check_no_errors(&errors);
    assert_true(complete);
}

static double criterion_of(const char *directory)
{
    return number_of(directory, "result.json", "criterion");
}

static void check_algorithm(const char *directory, const char *algorithm)
{
    char wanted[64];
    size_t length;
    CHECK_MEMORY char *text = content_of(directory, "result.json", &length);
    (void)snprintf(wanted, sizeof wanted, "\"algorithm\": \"%s\"", algorithm);
    assert_non_null(strstr(text, wanted));
}

static kane_transition_family family_of_splines(int ends, int degree, int knots)
{
    return (kane_transition_family){ends, kane_family_spline_unknowns(ends, degree, knots), degree, knots};
}

// max |f''| of f'(0) = f'(1) = 0 is 4 at least, that of f'' = 4, then -4. Cubic splines have a continuous f'', linear
// between knots h apart: their best one is M but for M (1/2 - x)/h beside the middle, where f(1) = integral of
// (1 - 2 x) f'' over the first half is M (1/4 - h^2/3) = 1. Rows lie at all knots: what is left is
// rounding.
CHECK_TEST(splines_come_as_near_to_the_least_bend_as_theirs_can)
{
    static const char *const criterion[] = {"peak(line.curvature_ss)"};
    double before                        = 8.0;
    for (int knots = 3; knots <= 15; knots = 2 * knots + 1) {
        char directory[32];
        const double h = 1.0 / (knots + 1);
        (void)snprintf(directory, sizeof directory, "bend-%d", knots);
        kane_optimisation o = usual_search(directory, criterion);
        o.family            = family_of_splines(1, 3, knots);
        run_search(&o);
        check_algorithm(directory, "slsqp");
        const double bend = criterion_of(directory) * L * L * R;
        check_near(bend, 4.0 / (1.0 - 4.0 * h * h / 3.0), 1e-9);
        assert_true(bend > 4.0 && bend < before);
        before = bend;
    }
}

// Polynomials stay above, and no higher degree is worse. That of degree 5 with two unknowns: the second, odd about the
// middle, is 0 at the best; f'' = (6 - 12 x)(1 + c G) + ..., whose least peak a scan finds.
static double least_bend_of_fifth_degree(void)
{
    double least = 1e9;
    for (int i = 0; i <= 20000; i++) { // f' = 6 x y (1 + c G_2), G_2 = (5 z^2 - 1)/4, z = 2 x - 1, y = 1 - x
        const double c = -1.0 + 2.0 * i / 20000;
        double peak    = 0.0;
        for (int k = 0; k <= 1000; k++) {
            const double x = k / 1000.0, z = 2.0 * x - 1.0;
            const double bend =
                (6.0 - 12.0 * x) * (1.0 + c * (5.0 * z * z - 1.0) / 4.0) + 6.0 * x * (1.0 - x) * c * 5.0 * z;
            peak = fmax(peak, fabs(bend));
        }
        least = fmin(least, peak);
    }
    return least;
}

CHECK_TEST(polynomials_stay_above_the_least_bend)
{
    static const char *const criterion[] = {"peak(line.curvature_ss)"};
    double before                        = 1e9;
    for (int degree = 5; degree <= 11; degree += 2) {
        char directory[32];
        (void)snprintf(directory, sizeof directory, "polynomial-%d", degree);
        kane_optimisation o = usual_search(directory, criterion);
        o.family            = (kane_transition_family){.ends = 1, .unknowns = degree - 3};
        run_search(&o);
        const double bend = criterion_of(directory) * L * L * R;
        assert_true(bend > 4.0 && bend <= before * (1.0 + 1e-12));
        if (degree == 5) // the scan's step is 1e-4, the slope of the peak below 6
            check_near(bend, least_bend_of_fifth_degree(), 6e-4);
        before = bend;
    }
}

// Integral of (f^(n))^2 with n - 1 derivatives that vanish at both ends: f^(2n) = 0, so that f is the lowest
// polynomial, wherever a search begins. Trapezoids of 1000 rows see the integral but for 1e-5 of it, and the shape
// by as much.
static void check_lowest(const char *directory, const char *const *criterion, int ends, const double *exact, int count)
{
    kane_optimisation o = usual_search(directory, criterion);
    size_t length;
    o.family       = (kane_transition_family){.ends = ends, .unknowns = 11 - 2 * ends - 1};
    o.starts       = 3;
    o.random_start = 1;
    run_search(&o);
    CHECK_MEMORY char *text = content_of(directory, "result.json", &length);
    const char *at          = strstr(text, "\"coefficients\": [");
    double found[12];
    assert_non_null(at);
    at = strchr(at, '[') + 1;
    for (int i = 0; i < 12; i++) {
        char *end;
        found[i] = strtod(at, &end);
        at       = end + 1;
    }
    for (int k = 0; k <= 100; k++) {
        const double x = k / 100.0;
        double f = 0.0, wanted = 0.0;
        for (int i = 11; i >= 0; i--) {
            f      = f * x + found[i];
            wanted = wanted * x + (i < count ? exact[i] : 0.0);
        }
        check_near(f, wanted, 2e-5);
    }
    assert_true(number_of(directory, "result.json", "shape") < 1e-5); // agreement of the starts
}

CHECK_TEST(the_smoothest_are_the_known_polynomials)
{
    static const char *const third[] = {"rms(line.superelevation_sss)"}, *const fourth[] = {
                                                                             "rms(line.superelevation_ssss)"};
    static const double fifth_degree[]   = {0.0, 0.0, 0.0, 10.0, -15.0, 6.0};
    static const double seventh_degree[] = {0.0, 0.0, 0.0, 0.0, 35.0, -84.0, 70.0, -20.0};
    check_lowest("fifth", third, 2, fifth_degree, 6);
    check_relative(criterion_of("fifth"), sqrt(720.0) * U / (L * L * L), 1e-5);
    check_lowest("seventh", fourth, 3, seventh_degree, 8);
    check_relative(criterion_of("seventh"), sqrt(100800.0) * U / (L * L * L * L), 2e-5);
}

// --- conditions ---

static kane_axis *three_speeds(void)
{
    kane_axis *axis = kane_axis_parse("speed=10,15,20", NULL);
    assert_non_null(axis);
    return axis;
}

static const kane_run_options level = {.settings = (const char *const[]){"track.sections[*].to.cant=0", NULL}};

// Value of the k-th condition of the best shape.
static double condition_of(const char *directory, int k)
{
    size_t length;
    CHECK_MEMORY char *text = content_of(directory, "result.json", &length);
    const char *at          = strstr(text, "\"conditions\": [");
    for (int i = 0; i <= k && at; i++)
        at = strstr(at + 1, "\"criterion\": ");
    assert_non_null(at);
    return strtod(at + strlen("\"criterion\": "), NULL);
}

// Without cant the jerk is v^3 k': that of 20 m/s is the worst whatever the shape, so that its best shape is that of
// all, and all others' jerks are known.
CHECK_TEST(the_worst_of_several_speeds_is_the_largest)
{
    static const char *const criterion[] = {"peak(line.jerk)"};
    static const char *const alone[]     = {"track.sections[*].to.cant=0", "start.speed=20", NULL};
    const kane_run_options fast          = {.settings = alone};
    CHECK_OWNED(kane_axis) *axis         = three_speeds();
    const kane_axis *const axes[]        = {axis};
    kane_optimisation o                  = usual_search("worst", criterion);
    o.common                             = &level;
    o.axis_count                         = 1;
    o.axes                               = axes;
    run_search(&o);
    check_relative(condition_of("worst", 0), condition_of("worst", 2) / 8.0, 1e-12);
    check_relative(condition_of("worst", 1), condition_of("worst", 2) * 27.0 / 64.0, 1e-12);
    check_near(criterion_of("worst"), condition_of("worst", 2), 0.0);
    o        = usual_search("fast", criterion);
    o.common = &fast;
    run_search(&o);
    check_relative(criterion_of("worst"), criterion_of("fast"), 1e-9);
    static const double weights[]  = {1.0, 2.0, 5.0};
    static const char *const rms[] = {"rms(line.jerk)"};
    o                              = usual_search("weighted", rms);
    o.common                       = &level;
    o.axis_count                   = 1;
    o.axes                         = axes;
    o.family                       = (kane_transition_family){.ends = 0, .unknowns = 3};
    o.random_start                 = 1;
    o.weight_count                 = 3;
    o.weights                      = weights;
    run_search(&o);
    check_relative(
        criterion_of("weighted"),
        (condition_of("weighted", 0) + 2.0 * condition_of("weighted", 1) + 5.0 * condition_of("weighted", 2)) / 8.0,
        1e-12);
    // the mean of f' is 1, so that its rms is not below: f' = 1
    check_relative(condition_of("weighted", 2), 8000.0 / (R * L), 1e-9);
}

// --- limits ---

// Integral of f''^2 with f' <= M: f' rises as a parabola to M at t and stays there, M (1 - 2 t/3) = 1, and the integral
// is 8 M^2/(3 t). Splines of 24 intervals come as near as the knot beside t allows.
CHECK_TEST(a_limit_that_binds_has_the_known_price)
{
    static const char *const criterion[] = {"rms(line.curvature_ss)"};
    static const char *const limits[]    = {"peak(line.superelevation_s) <= 2.083333333333333 permille"}; // 1.25 U/L
    const double M = 1.25, t = 1.5 * (1.0 - 1.0 / M), least = sqrt(8.0 * M * M / (3.0 * t));
    kane_optimisation o = usual_search("limit", criterion);
    o.family            = family_of_splines(1, 3, 23);
    o.limit_count       = 1;
    o.limits            = limits;
    run_search(&o);
    const double value = criterion_of("limit") * L * L * R;
    assert_true(value > least * (1.0 - 1e-6) && value < least * (1.0 + 2e-4));
    static const char *const beyond[] = {"peak(line.superelevation_s) <= 1.6 permille"}; // below U/L
    CHECK_ERRORS errors               = {0};
    int complete                      = 1;
    o                                 = usual_search("beyond", criterion);
    o.limit_count                     = 1;
    o.limits                          = beyond;
    assert_int_equal(kane_study_optimise(&o, &complete, &errors), KANE_NOT_SOLVED);
    assert_false(complete);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "no shape that was tried holds all limits"));
}

// --- the front of two criteria ---

static int stop_at_fifty(const kane_plan_progress *progress, void *data)
{
    (void)data;
    return progress->done >= 50;
}

// The least integral of f''^2 for each largest f' is that of the limit above: a curve that all points of the front lie
// on, as near as the knots allow. An interrupted search and two workers have the same bytes.
CHECK_TEST(the_front_of_bend_and_gradient_is_the_known_curve)
{
    static const char *const criterion[] = {"rms(line.curvature_ss)"};
    static const char *const files[]     = {"pareto.csv", "pareto.svg", "result.json", "convergence.csv", NULL};
    kane_optimisation o                  = usual_search("front", criterion);
    CHECK_ERRORS errors                  = {0};
    int complete = 1, points = 0;
    size_t length;
    o.family = family_of_splines(1, 3, 23);
    o.pareto = "peak(line.curvature_s)";
    o.points = 5;
    run_search(&o);
    CHECK_MEMORY char *text = content_of("front", "result.json", &length);
    double before           = 0.0;
    for (const char *at = strstr(text, "\"front\""); (at = strstr(at, "\"values\": [")) != NULL; points++) {
        char *next;
        at += strlen("\"values\": [");
        const double value = strtod(at, &next) * L * L * R, M = strtod(next + 1, NULL) * L * R;
        const double t = 1.5 * (1.0 - 1.0 / M), least = sqrt(8.0 * M * M / (3.0 * t));
        assert_true(value > least * (1.0 - 1e-6) && value < least * (1.0 + 6e-4));
        assert_true(value > before);
        before = value;
    }
    assert_int_equal(points, 5);
    assert_null(strstr(text, "\"dominated\": true"));
    o.execution = (kane_plan_execution){.directory = "front again", .workers = 2, .progress = stop_at_fifty};
    assert_int_equal(kane_study_optimise(&o, &complete, &errors), KANE_INTERRUPTED);
    assert_false(complete);
    o.execution.progress = NULL;
    run_search(&o);
    check_same_files("front", "front again", files);
}

// --- the length ---

// The shortest transition of a cant gradient of 2 permille at most is straight: U/0.002.
CHECK_TEST(the_shortest_ramp_is_straight)
{
    static const char *const criterion[] = {"end(line.length)"};
    static const char *const limits[]    = {"peak(line.superelevation_s) <= 2 permille"};
    kane_optimisation o                  = usual_search("short", criterion);
    o.family                             = (kane_transition_family){.ends = 0, .unknowns = 2};
    o.length_from                        = 40.0;
    o.length_to                          = 80.0;
    o.limit_count                        = 1;
    o.limits                             = limits;
    o.tolerance                          = 1e-6;
    o.starts                             = 2;
    o.evaluations_most                   = 1000;
    run_search(&o);
    check_near(number_of("short", "result.json", "length"), U / 0.002, 50.0 * 2e-6); // by which the limit may be passed
}

// The longest transition bends least: sqrt(12)/(R L^2) of Bloss, also with the tolerance of a search where none is
// named. Trapezoids of 1000 rows see the integral but for 1e-6 of it.
CHECK_TEST(the_usual_tolerance_finds_the_longest)
{
    static const char *const criterion[] = {"rms(line.curvature_ss)"};
    kane_optimisation o                  = usual_search("long", criterion);
    o.tolerance                          = kane_optimisation_default().tolerance;
    o.length_from                        = 30.0;
    o.length_to                          = 120.0;
    run_search(&o);
    check_algorithm("long", "slsqp");
    check_near(number_of("long", "result.json", "length"), 120.0, 1e-6);
    check_relative(criterion_of("long"), sqrt(12.0) / (R * 120.0 * 120.0), 1e-5);
}

// The second derivative of a clothoid's curvature is two impulses, which have no rms; all other standard shapes of 60 m
// are steeper than 2.2 permille (U/L = 1.67, times the largest f', 1.5 at least). So none is the best one.
CHECK_TEST(kinks_and_passed_limits_are_seen)
{
    static const char *const criterion[] = {"rms(line.curvature_ss)"};
    static const char *const limits[]    = {"peak(line.superelevation_s) <= 2.2 permille"};
    static const char *const shapes[]    = {"clothoid", "bloss", "limited/result.json", "limited/section.json"};
    kane_optimisation o                  = usual_search("limited", criterion);
    CHECK_ERRORS errors                  = {0};
    int complete                         = 0;
    size_t size;
    o.length_from = 30.0;
    o.length_to   = 120.0;
    o.limit_count = 1;
    o.limits      = limits;
    run_search(&o);
    CHECK_MEMORY char *result = content_of("limited", "result.json", &size);
    CHECK_MEMORY char *table  = content_of("limited", "transitions.txt", &size);
    assert_null(strstr(result, "best_standard_shape"));
    assert_non_null(strstr(table, "rms(line.curvature_ss) is not defined: the shape has kinks\nparabola"));
    assert_non_null(strstr(table, "beyond the limit peak(line.superelevation_s) <= 2.2 permille\nhelmert"));
    assert_null(strstr(table, "nan"));
    assert_null(strstr(table, "inf"));
    const kane_transition_study study = {.file            = RUN,
                                         .shape_count     = 4,
                                         .shapes          = shapes,
                                         .criterion_count = 1,
                                         .criteria        = criterion,
                                         .execution       = {.directory = "lengths", .workers = 1}};
    if (kane_study_transitions(&study, &complete, &errors) != KANE_OK)
        check_no_errors(&errors);
    CHECK_MEMORY char *rows = content_of("lengths", "transitions.csv", &size);
    CHECK_MEMORY char *text = content_of("lengths", "transitions.txt", &size);
    const char *at          = strstr(rows, "\"limited/result.json\",done,");
    assert_non_null(strstr(rows, "\"clothoid\",done,nan,nan,\"rms(line.curvature_ss) is not defined: the shape has"));
    assert_non_null(at);
    check_relative(strtod(at + strlen("\"limited/result.json\",done,"), NULL), criterion_of("limited"), 1e-12);
    assert_non_null(strstr(text, "relative to bloss"));
    assert_non_null(strstr(text, "  120 m long\n"));
    assert_non_null(strstr(text, "  the shape alone: its file has a length of 120 m\n"));
}

// With two derivatives that vanish the third one jumps at both ends, and the fourth has impulses, but not between.
CHECK_TEST(a_family_with_kinks_is_refused)
{
    static const char *const whole[]        = {"rms(line.superelevation_ssss)"},
                             *const inner[] = {"rms(line.superelevation_ssss, 45 m..60 m)"};
    kane_optimisation o                     = usual_search("kinks", whole);
    CHECK_ERRORS errors                     = {0};
    int complete                            = 1;
    o.family                                = (kane_transition_family){.ends = 2, .unknowns = 2};
    assert_int_equal(kane_study_optimise(&o, &complete, &errors), KANE_NOT_SOLVED);
    assert_non_null(
        strstr(kane_errors_get(&errors, 0)->text, "rms(line.superelevation_ssss) is not defined: the shape has kinks"));
    o        = usual_search("no kinks", inner);
    o.family = (kane_transition_family){.ends = 2, .unknowns = 2};
    run_search(&o);
}

// Radii are conditions; the section that is written is that of the track.
CHECK_TEST(a_section_has_the_end_of_the_track)
{
    static const char *const criterion[] = {"rms(line.curvature_s)"};
    static const char *const names[]     = {"section.json", "transitions.json", "optimise.txt"};
    CHECK_OWNED(kane_axis) *axis         = kane_axis_parse("radius=300,600", NULL);
    const kane_axis *const axes[]        = {axis};
    kane_optimisation o                  = usual_search("radii", criterion);
    assert_non_null(axis);
    o.axis_count = 1;
    o.axes       = axes;
    run_search(&o);
    for (int i = 0; i < 3; i++) {
        size_t length;
        CHECK_MEMORY char *text = content_of("radii", names[i], &length);
        assert_non_null(strstr(text, "\"radius\": 600"));
        assert_null(strstr(text, "\"radius\": 300"));
    }
}

CHECK_MAIN(enter_folder, leave_folder)
