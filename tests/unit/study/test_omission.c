// SPDX-License-Identifier: MIT
// Omission studies on tables made by hand: terms, differences, ranks, verdicts.

#include "check.h"

#include "results/results.h"
#include "study/omission.h"

// --- terms ---

CHECK_TEST(every_term_of_every_body_is_there_once)
{
    static const char *const bodies[] = {"car", "axle 1"};
    CHECK_OWNED(kane_arena) *arena    = kane_arena_create();
    kane_omission_terms terms         = {0, NULL};
    int singles                       = 0;
    assert_true(kane_omission_terms_all(arena, 2, bodies, &terms));
    assert_int_equal(terms.count, 2 * (21 + 10) + 10);
    for (int i = 0; i < terms.count; i++) {
        singles += !kane_omission_is_whole(terms.texts[i]);
        assert_null(strstr(terms.texts[i], "torque.translation"));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(terms.texts[i], terms.texts[k]);
    }
    assert_int_equal(singles, 42);
    assert_string_equal(terms.texts[0], "car:force.translation.x");
    assert_string_equal(terms.texts[20], "car:torque.gyroscopic.z");
    assert_string_equal(terms.texts[21], "car:force.translation.*");
    assert_string_equal(terms.texts[30], "car:*.*.*");
    assert_string_equal(terms.texts[terms.count - 1], "*:*.*.*");
    terms.count = 0;
    assert_true(kane_omission_terms_all(arena, 1, bodies, &terms));
    assert_int_equal(terms.count, 31);
}

CHECK_TEST(a_term_has_its_channels)
{
    assert_true(kane_omission_shows("imaginary", "body:torque.rotation.z", "imaginary.body.torque.rotation.z"));
    assert_true(kane_omission_shows("imaginary", "*:force.*.y", "imaginary.coach 1.force.rotation.y"));
    assert_true(kane_omission_shows("impulse", "body:*.*.*", "impulse.body.torque.rotation.z"));
    assert_false(kane_omission_shows("impulse", "body:torque.rotation.z", "imaginary.body.torque.rotation.z"));
    assert_false(kane_omission_shows("imaginary", "body:torque.rotation.z", "imaginary.body.torque.rotation.y"));
    assert_false(kane_omission_shows("imaginary", "body.torque.rotation.z", "imaginary.body.torque.rotation.z"));
    // names with dots and with characters of patterns
    assert_true(kane_omission_shows("imaginary", "car [1]:force.*.*", "imaginary.car [1].force.rotation.y"));
    assert_true(kane_omission_shows("imaginary", "a.b\\c:force.rotation.y", "imaginary.a.b\\c.force.rotation.y"));
    assert_true(kane_omission_shows("imaginary", "car [12]:force.*.*", "imaginary.car 2.force.rotation.y"));
    assert_false(kane_omission_is_whole("car [1]:force.rotation.y"));
    assert_true(kane_omission_is_whole("car [1]:force.rotation.*"));
}

// --- differences ---

enum { COLUMNS = 4 };
static const kane_column columns[COLUMNS] = {
    {"time", "s", ""}, {"distance", "m", ""}, {"left.Q", "N", ""}, {"right.Q", "N", ""}};

static kane_results *results_of(int rows, const double (*row)[COLUMNS])
{
    CHECK_ERRORS errors = {0};
    kane_results *r     = kane_results_create("", &errors);
    assert_non_null(r);
    assert_int_equal(kane_results_take_columns(r, COLUMNS, &errors), KANE_OK);
    for (int c = 0; c < COLUMNS; c++)
        assert_int_equal(kane_results_name_column(r, c, &columns[c], &errors), KANE_OK);
    for (int k = 0; k < rows; k++)
        assert_int_equal(kane_results_add_row(r, row[k], &errors), KANE_OK);
    return r;
}

static const double complete[][COLUMNS] = {{0, 0, 100, 50}, {1, 10, 140, 51}, {2, 20, 120, 53}, {3, 30, 90, 52}};

CHECK_TEST(the_largest_difference_is_found_where_it_is)
{
    const double omitting[][COLUMNS] = {{0, 0, 100, 50}, {1, 10, 143, 45}, {2, 20, 120, 54}, {3, 30, 91, 52}};
    CHECK_OWNED(kane_results) *a = results_of(4, complete), *b = results_of(4, omitting);
    const kane_omission_difference left = kane_omission_compare(a, b, "left.Q");
    assert_int_equal((int)left.channel, 2);
    assert_true(left.difference == 3.0 && left.at == 10.0 && left.range == 50.0);
    check_near(left.rms, sqrt((9.0 + 1.0) / 4.0), 1e-15);
    const kane_omission_difference any = kane_omission_compare(a, b, "*.Q"); // right changes more, left moves more
    assert_int_equal((int)any.channel, 3);
    assert_true(any.difference == 6.0 && any.at == 10.0 && any.range == 50.0);
    check_near(any.rms, sqrt((36.0 + 1.0) / 4.0), 1e-15);
    assert_int_equal((int)kane_omission_compare(a, b, "*.Y").channel, -1);
}

CHECK_TEST(a_run_that_ends_sooner_is_compared_as_far_as_it_goes)
{
    const double omitting[][COLUMNS] = {{0, 0, 100, 50}, {1, 10, 142, 51}, {1.5, 15, 999, 99}};
    CHECK_OWNED(kane_results) *a = results_of(4, complete), *b = results_of(3, omitting);
    const kane_omission_difference d = kane_omission_compare(a, b, "left.Q");
    assert_true(d.difference == 2.0 && d.at == 10.0 && d.range == 50.0);
    check_near(d.rms, sqrt(4.0 / 2.0), 1e-15);
}

CHECK_TEST(driven_runs_are_compared_at_the_same_places)
{
    // at 10 m a fifth of the way from 8 to 18 m: 114, at 20 m so from 18 to 28 m: 134; it does not come to 30 m
    const double omitting[][COLUMNS] = {{0, 0, 100, 50}, {1, 8, 110, 51}, {2, 18, 130, 53}, {3, 28, 150, 52}};
    CHECK_OWNED(kane_results) *a = results_of(4, complete), *b = results_of(4, omitting);
    const kane_omission_difference d = kane_omission_compare(a, b, "left.Q");
    check_near(d.difference, 26.0, 1e-12);
    assert_true(d.at == 10.0);
    check_near(d.rms, sqrt((676.0 + 196.0) / 3.0), 1e-12);
}

CHECK_TEST(imaginary_terms_are_no_responses_by_accident)
{
    assert_true(kane_omission_matches("*.y", "body.y"));
    assert_false(kane_omission_matches("*.y", "imaginary.body.force.rotation.y"));
    assert_true(kane_omission_matches("imaginary.*.y", "imaginary.body.force.rotation.y"));
    assert_false(kane_omission_matches("*.x", "impulse.body.torque.rotation.x"));
    assert_true(kane_omission_matches("impulse.*", "impulse.body.torque.rotation.x"));
}

// --- a table of 2 speeds x 3 accelerations x 2 shapes ---

enum { CONDITIONS = 12, TERMS = 4, RESPONSES = 2 };
static const char *const names[TERMS]      = {"", "a:force.rotation.x", "b:force.rotation.x", "c:force.rotation.x"};
static const char *const speeds[]          = {"20", "10"}; // not in order
static const char *const accelerations[]   = {"-0.5", "0", "0.5"};
static const char *const shapes[]          = {"bloss", "cosine"};
static const double speed_numbers[]        = {20, 10};
static const double acceleration_numbers[] = {-0.5, 0, 0.5};
static const double shape_numbers[]        = {NAN, NAN};
static const kane_axis speed = {.path = "speed", .count = 2, .texts = speeds, .numbers = speed_numbers, .unit = "m/s"};
static const kane_axis acceleration = {
    .path = "acceleration", .count = 3, .texts = accelerations, .numbers = acceleration_numbers, .unit = "m/s^2"};
static const kane_axis shape = {.path = "shape", .count = 2, .texts = shapes, .numbers = shape_numbers, .unit = ""};
static const kane_axis *const axes[]      = {&speed, &acceleration, &shape};
static const kane_grid grid               = {3, axes};
static const char *const units[RESPONSES] = {"m", "N"};
static kane_omission_effect effects[CONDITIONS * TERMS * RESPONSES];
static kane_omission_case cases[CONDITIONS * TERMS];
static const kane_omission_report table = {.conditions = CONDITIONS,
                                           .terms      = TERMS,
                                           .responses  = RESPONSES,
                                           .term       = names,
                                           .unit       = units,
                                           .effect     = effects,
                                           .run        = cases};

static void fill_table(void)
{
    memset(effects, 0, sizeof effects);
    memset(cases, 0, sizeof cases);
    for (int i = 0; i < CONDITIONS * TERMS; i++)
        cases[i].is_known = 1;
    for (int i = 0; i < CONDITIONS * TERMS; i++)
        for (int r = 0; r < RESPONSES; r++)
            effects[i * RESPONSES + r].range = r ? 1000.0 : 0.1;
}

static void set(int condition, int term, int response, double difference)
{
    kane_omission_report_effect(&table, condition, term, response)->difference = difference;
    kane_omission_scale(&table, 0);
}

CHECK_TEST(effects_are_measured_by_the_range)
{
    fill_table();
    kane_omission_report_effect(&table, 3, 1, 0)->range =
        1e-9; // hardly moves: a hundredth of the largest range takes over
    kane_omission_report_effect(&table, 3, 1, 1)->range = 5.0; // moves less than what counts as nothing
    kane_omission_report_effect(&table, 3, 1, 0)->rms   = 2e-4;
    set(3, 1, 0, 5e-4);
    set(3, 1, 1, 1.0);
    set(4, 1, 1, 1.0);
    check_near(kane_omission_report_effect(&table, 3, 1, 0)->relative, 0.5, 1e-15);
    check_near(kane_omission_report_effect(&table, 3, 1, 1)->relative, 0.1, 1e-15);
    check_near(kane_omission_report_effect(&table, 4, 1, 1)->relative, 0.001, 1e-15);
    kane_omission_scale(&table, 1);
    check_near(kane_omission_report_effect(&table, 3, 1, 0)->relative, 0.2, 1e-15);
    for (int i = 0; i < CONDITIONS * TERMS; i++) // where nothing moves, 1e-5 m and 10 N are the measure
        effects[i * RESPONSES].range = effects[i * RESPONSES + 1].range = 0.0;
    kane_omission_scale(&table, 0);
    check_near(kane_omission_report_effect(&table, 3, 1, 0)->scale, 1e-5, 1e-20);
    check_near(kane_omission_report_effect(&table, 3, 1, 1)->scale, 10.0, 1e-15);
}

CHECK_TEST(terms_are_ranked_and_equal_ones_by_name)
{
    int order[TERMS], condition, where;
    fill_table();
    set(2, 3, 0, 5e-3); // c: 5 %
    set(7, 2, 0, 5e-3); // b: 5 %
    set(8, 1, 0, 1e-3); // a: 1 %
    set(5, 0, 0, 0.1);  // accuracy is no term
    assert_true(kane_omission_rank(&table, -1, order));
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 3);
    assert_int_equal(order[2], 1);
    check_near(kane_omission_report_largest(&table, 2, -1, &condition, &where), 0.05, 1e-15);
    assert_true(condition == 7 && where == 0);
    set(9, 1, 1, 60.0); // a: 6 % of another response
    assert_true(kane_omission_rank(&table, -1, order));
    assert_int_equal(order[0], 1);
    assert_true(kane_omission_rank(&table, 0, order));
    assert_int_equal(order[0], 2);
    assert_int_equal(order[2], 1);
    kane_omission_report_case(&table, 4, 3)->ends_otherwise = 1; // worse than any number
    assert_true(kane_omission_rank(&table, -1, order));
    assert_int_equal(order[0], 3);
    assert_true(isinf(kane_omission_report_largest(&table, 3, -1, &condition, &where)));
    assert_int_equal(condition, 4);
}

// Verdict on term 1 at 1 %; big: conditions at which its effect is 2 %.
static const char *judged(unsigned big, kane_omission_verdict *verdict)
{
    static char words[1024];
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    for (int c = 0; c < CONDITIONS; c++)
        kane_omission_report_effect(&table, c, 1, 0)->difference = big >> c & 1 ? 2e-3 : 0.5e-3;
    kane_omission_scale(&table, 0);
    assert_true(kane_omission_judge(&table, &grid, 1, 0.01, arena, verdict));
    (void)snprintf(words, sizeof words, "%s", verdict->words);
    return words;
}

// Conditions are speed (20, 10) x acceleration (-.5, 0, .5) x shape (bloss, cosine), the last one fastest.
CHECK_TEST(verdicts_say_when)
{
    kane_omission_verdict v;
    fill_table();
    assert_string_equal(judged(0x000, &v), "may be neglected");
    assert_int_equal(v.verdict, KANE_VERDICT_ALWAYS);
    assert_string_equal(judged(0xfff, &v), "may not be neglected");
    assert_int_equal(v.verdict, KANE_VERDICT_NEVER);
    assert_string_equal(judged(0x03f, &v), "may be neglected when speed <= 10 m/s (6 of 12 conditions)");
    assert_int_equal(v.verdict, KANE_VERDICT_WHEN);
    assert_true(v.values[0] == 2 && v.values[1] == 0 && v.values[2] == 0);
    assert_string_equal(judged(0xfc0, &v), "may be neglected when speed >= 20 m/s (6 of 12 conditions)");
    assert_string_equal(judged(0xaaa, &v), "may be neglected when shape = bloss (6 of 12 conditions)");
    assert_true(v.values[2] == 1);
    assert_string_equal(judged(0xcf3, &v), "may be neglected when acceleration = 0 m/s^2 (4 of 12 conditions)");
    assert_string_equal(judged(0xc30, &v), "may be neglected when acceleration <= 0 m/s^2 (8 of 12 conditions)");
    assert_string_equal(judged(0xc3f, &v),
                        "may be neglected when speed <= 10 m/s and acceleration <= 0 m/s^2 (4 of 12 conditions)");
    assert_string_equal(judged(0x001, &v),
                        "may be neglected when acceleration >= 0 m/s^2 (8 of 12 conditions; 3 more here and "
                        "there)");
    assert_int_equal(v.negligible, 11);
}

CHECK_TEST(what_is_not_known_or_ends_otherwise_is_said)
{
    kane_omission_verdict v;
    fill_table();
    kane_omission_report_case(&table, 11, 1)->is_known = 0;
    assert_string_equal(judged(0x03f, &v), "may be neglected when speed <= 10 m/s and acceleration <= 0 m/s^2 (4 of 12 "
                                           "conditions; 1 more here and there); 1 not known");
    assert_string_equal(judged(0x000, &v), "may be neglected; 1 not known");
    kane_omission_report_case(&table, 11, 1)->is_known       = 1;
    kane_omission_report_case(&table, 11, 1)->ends_otherwise = 1;
    assert_string_equal(judged(0x7ff, &v), "may not be neglected; the run ends otherwise under 1");
    for (int c = 0; c < CONDITIONS; c++)
        kane_omission_report_case(&table, c, 1)->is_known = 0;
    assert_string_equal(judged(0x000, &v), "is not known");
    assert_int_equal(v.verdict, KANE_VERDICT_UNKNOWN);
}

// Effects of 2 % under the conditions `big`, and an accuracy of as much under those of `coarse`.
CHECK_TEST(effects_below_twice_the_accuracy_are_not_resolved)
{
    static const struct {
        unsigned big, coarse;
        double accuracy;
        const char *words;
        kane_verdict verdict;
        int unresolved;
    } examples[] = {
        {0xfff, 0xfff, 0.9e-3, "may not be neglected", KANE_VERDICT_NEVER, 0},
        {0xfff, 0xfff, 1.1e-3, "is not resolved", KANE_VERDICT_UNRESOLVED, 12},
        {0xfff, 0x03f, 1.1e-3, "may not be neglected; not resolved under 6", KANE_VERDICT_NEVER, 6},
        {0x03f, 0x001, 1.1e-3, "may be neglected when speed <= 10 m/s (6 of 12 conditions); not resolved under 1",
         KANE_VERDICT_WHEN, 1},
        {0x000, 0x000, 1.1e-3, "may be neglected", KANE_VERDICT_ALWAYS, 0},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        kane_omission_verdict v;
        fill_table();
        for (int c = 0; c < CONDITIONS; c++)
            kane_omission_report_effect(&table, c, KANE_OMISSION_ACCURACY, 0)->difference =
                examples[i].coarse >> c & 1 ? examples[i].accuracy : 1e-6;
        assert_string_equal(judged(examples[i].big, &v), examples[i].words);
        assert_int_equal(v.verdict, examples[i].verdict);
        assert_int_equal(v.unresolved, examples[i].unresolved);
    }
    assert_string_equal(kane_verdict_name(KANE_VERDICT_UNRESOLVED), "not resolved");
}

// Under some conditions it is zero: there it may be neglected; under all of them that says nothing.
CHECK_TEST(what_is_zero_throughout_is_no_verdict)
{
    kane_omission_verdict v;
    fill_table();
    for (int c = 0; c < 6; c++)
        kane_omission_report_case(&table, c, 1)->is_empty = 1;
    assert_string_equal(judged(0x000, &v), "may be neglected");
    assert_int_equal(v.zero, 6);
    for (int c = 6; c < CONDITIONS; c++)
        kane_omission_report_case(&table, c, 1)->is_empty = 1;
    assert_string_equal(judged(0x000, &v), "is zero throughout, no statement");
    assert_int_equal(v.verdict, KANE_VERDICT_ZERO);
}

// --- boxes ---

static const char *const texts[] = {"-1", "-0.5", "0", "0.5", "1"};
static const double numbers[]    = {-1, -0.5, 0, 0.5, 1};
static const kane_axis five = {.path = "acceleration", .count = 5, .texts = texts, .numbers = numbers, .unit = "m/s^2"};
static const char *const words[] = {"bloss", "cosine", "sine"};
static const double none[]       = {NAN, NAN, NAN};
static const kane_axis three     = {.path = "shape", .count = 3, .texts = words, .numbers = none, .unit = ""};

static const char *said(const kane_grid *g, const unsigned char *good, int *size)
{
    static char text[256];
    kane_omission_box box;
    assert_true(kane_omission_find_box(g, good, &box));
    *size = box.size;
    kane_omission_format_box(g, &box, sizeof text, text);
    return text;
}

CHECK_TEST(boxes_of_numbers_are_neighbours_and_of_words_any)
{
    const kane_axis *const number[] = {&five}, *const word[] = {&three};
    const kane_grid by_number = {1, number}, by_word = {1, word};
    int size;
    assert_string_equal(said(&by_number, (const unsigned char[]){0, 1, 1, 1, 0}, &size), "|acceleration| <= 0.5 m/s^2");
    assert_int_equal(size, 3);
    assert_string_equal(said(&by_number, (const unsigned char[]){0, 0, 1, 1, 0}, &size),
                        "0 m/s^2 <= acceleration <= 0.5 m/s^2");
    assert_string_equal(said(&by_number, (const unsigned char[]){1, 0, 1, 1, 1}, &size), "acceleration >= 0 m/s^2");
    assert_string_equal(said(&by_number, (const unsigned char[]){1, 0, 1, 0, 0}, &size), "acceleration <= -1 m/s^2");
    assert_string_equal(said(&by_word, (const unsigned char[]){1, 0, 1}, &size), "shape = bloss or sine");
    assert_int_equal(size, 2);
    assert_string_equal(said(&by_word, (const unsigned char[]){0, 0, 0}, &size), "shape");
    assert_int_equal(size, 0);
}

// Every box by brute force on random grids: none is larger than the one that was found, and that one is good.
CHECK_TEST(no_box_is_larger)
{
    const kane_axis *const both[] = {&five, &three};
    const kane_grid g             = {2, both};
    unsigned seed                 = 12345;
    for (int trial = 0; trial < 200; trial++) {
        unsigned char good[15];
        int best = 0, size;
        for (int c = 0; c < 15; c++) {
            seed    = seed * 1103515245u + 12345u;
            good[c] = (seed >> 16 & 7) < 5;
        }
        for (int i = 0; i < 5; i++)
            for (int j = i; j < 5; j++)
                for (unsigned w = 1; w < 8; w++) {
                    int all = 1, count = 0;
                    for (int a = i; a <= j; a++)
                        for (int b = 0; b < 3; b++)
                            if (w >> b & 1) {
                                all &= good[a * 3 + b];
                                count++;
                            }
                    best = all && count > best ? count : best;
                }
        (void)said(&g, good, &size);
        assert_int_equal(size, best);
    }
}

CHECK_TEST(conditions_have_names)
{
    const kane_grid nothing = {0, NULL};
    char text[128];
    kane_omission_say_condition(&grid, 7, sizeof text, text);
    assert_string_equal(text, "speed 10 m/s, acceleration -0.5 m/s^2, shape cosine");
    kane_omission_say_condition(&nothing, 0, sizeof text, text);
    assert_string_equal(text, "the run as it is");
    kane_omission_file_name("effects-", "*.Q", sizeof text, text);
    assert_string_equal(text, "effects-all.Q");
    kane_omission_file_name("", "a/b?", sizeof text, text);
    assert_string_equal(text, "a_b_");
}

CHECK_MAIN(NULL, NULL)
