// SPDX-License-Identifier: MIT
// Status texts, errors and how they read.

#include "allocation.h"
#include "check.h"

#include <kane/base.h>

static const char *format(const kane_error *error)
{
    static char buffer[2048];
    const int length = kane_error_format(error, sizeof buffer, buffer);
    assert_int_equal(length, strlen(buffer));
    return buffer;
}

CHECK_TEST(every_status_has_its_own_text)
{
    static const kane_status all[] = {
#define NAME(name, number, text) name,
        KANE_STATUS_LIST(NAME)
#undef NAME
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(kane_status_text(all[i]), kane_status_text(all[j]));
    assert_string_equal(kane_status_text(KANE_NO_MEMORY), "out of memory");
    assert_string_equal(kane_status_text((kane_status)12345), "unknown status");
}

CHECK_TEST(success_is_zero_and_what_is_final_is_negative)
{
    assert_int_equal(KANE_OK, 0);
    assert_true(KANE_RETRY > 0);
#define FINAL(name, number, text) assert_true((name) == KANE_OK || (name) == KANE_RETRY || (name) < 0);
    KANE_STATUS_LIST(FINAL)
#undef FINAL
}

CHECK_TEST(an_input_error_gives_file_line_column_and_path)
{
    CHECK_ERRORS errors    = {0};
    const kane_place place = {"wagon.json", 12, 18, "bodies.body.mass"};
    kane_errors_add_input(&errors, KANE_BAD_INPUT, place, "%g is out of range, must be positive", 0.0);
    assert_int_equal(errors.count, 1);
    assert_int_equal(kane_errors_get(&errors, 0)->status, KANE_BAD_INPUT);
    assert_string_equal(format(kane_errors_get(&errors, 0)),
                        "wagon.json:12:18: bodies.body.mass: 0 is out of range, must be positive");
    assert_true(isnan(kane_errors_get(&errors, 0)->time) && isnan(kane_errors_get(&errors, 0)->distance));
}

CHECK_TEST(what_is_not_known_of_a_place_is_left_out)
{
    CHECK_ERRORS errors       = {0};
    const kane_place no_line  = {"wagon.json", 0, 0, ""};
    const kane_place no_file  = {"", 0, 0, "mass"};
    const kane_place no_texts = {NULL, 3, 4, NULL};
    kane_errors_add_input(&errors, KANE_NO_FILE, no_line, "cannot be read");
    kane_errors_add_input(&errors, KANE_BAD_INPUT, no_file, "is wrong");
    kane_errors_add_input(&errors, KANE_BAD_INPUT, no_texts, "is wrong");
    kane_errors_add(&errors, KANE_NO_MEMORY, "out of memory");
    assert_string_equal(format(kane_errors_get(&errors, 0)), "wagon.json: cannot be read");
    assert_string_equal(format(kane_errors_get(&errors, 1)), "mass: is wrong");
    assert_string_equal(format(kane_errors_get(&errors, 2)), "is wrong");
    assert_string_equal(format(kane_errors_get(&errors, 3)), "out of memory");
    kane_errors_free(&errors);
}

CHECK_TEST(a_run_error_gives_subject_time_and_distance)
{
    CHECK_ERRORS errors = {0};
    kane_errors_add_run(&errors, KANE_NOT_FINITE, "leading", 3.21, 64.2, "the contact force is not finite");
    kane_errors_add_run(&errors, KANE_NOT_FINITE, "leading", 3.21, (double)NAN, "stop");
    kane_errors_add_run(&errors, KANE_NOT_FINITE, "", (double)NAN, 64.2, "stop");
    kane_errors_add_run(&errors, KANE_NOT_FINITE, NULL, (double)NAN, (double)NAN, "stop");
    assert_string_equal(format(kane_errors_get(&errors, 0)),
                        "leading: at 3.21 s, 64.2 m: the contact force is not finite");
    assert_string_equal(format(kane_errors_get(&errors, 1)), "leading: at 3.21 s: stop");
    assert_string_equal(format(kane_errors_get(&errors, 2)), "at 64.2 m: stop");
    assert_string_equal(format(kane_errors_get(&errors, 3)), "stop");
    kane_errors_free(&errors);
}

CHECK_TEST(all_errors_are_counted_and_the_first_ones_kept)
{
    CHECK_ERRORS errors = {0};
    for (int i = 0; i < KANE_ERRORS_KEPT + 10; i++)
        kane_errors_add(&errors, KANE_BAD_INPUT, "error %d", i);
    assert_int_equal(errors.count, KANE_ERRORS_KEPT + 10);
    assert_int_equal(errors.kept, KANE_ERRORS_KEPT);
    assert_string_equal(kane_errors_get(&errors, 0)->text, "error 0");
    assert_string_equal(kane_errors_get(&errors, KANE_ERRORS_KEPT - 1)->text, "error 63");
    for (int i = -1; i <= KANE_ERRORS_KEPT; i += KANE_ERRORS_KEPT + 1) {
        assert_int_equal(kane_errors_get(&errors, i)->status, KANE_OK);
        assert_string_equal(kane_errors_get(&errors, i)->text, "");
    }
    kane_errors_free(&errors);
    assert_int_equal(errors.count + errors.kept, 0);
    kane_errors_free(NULL);
}

CHECK_TEST(errors_are_small)
{
    assert_true(sizeof(kane_errors) <= 1152);
}

CHECK_TEST(the_first_error_alone_needs_no_memory)
{
    CHECK_ERRORS errors = {.limit = 1};
    allocation_fail_at(1);
    for (int i = 0; i < 3; i++)
        kane_errors_add(&errors, i < 2 ? KANE_BAD_INPUT : KANE_NO_FILE, "error %d", i);
    assert_false(allocation_stop());
    assert_int_equal(allocation_count(), 0);
    assert_int_equal(errors.count, 3);
    assert_int_equal(errors.kept, 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text, "error 0");
    assert_int_equal(kane_errors_status(&errors, 0), KANE_BAD_INPUT);
    assert_int_equal(kane_errors_status(&errors, 2), KANE_NO_FILE);
    assert_int_equal(kane_errors_status(&errors, 3), KANE_NO_MEMORY);
}

// Whichever allocation fails: all errors are counted, those before it can be read, and those behind it are not read as
// others.
CHECK_TEST(without_memory_errors_are_counted_and_the_first_is_kept)
{
    int failed = 1;
    for (int k = 1; failed; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        for (int i = 0; i < 5; i++)
            kane_errors_add_input(&errors, KANE_BAD_INPUT, (kane_place){"f", i, 1, "p"}, "error %d", i);
        failed = allocation_stop();
        assert_int_equal(errors.count, 5);
        assert_int_equal(errors.kept, failed ? (k < 3 ? 1 : k - 1) : 5);
        for (int i = 0; i < errors.kept; i++)
            assert_int_equal(kane_errors_get(&errors, i)->line, i);
        assert_int_equal(kane_errors_status(&errors, 4), KANE_BAD_INPUT);
        kane_errors_free(&errors);
    }
}

CHECK_TEST(errors_are_forgotten_from_the_last_one)
{
    CHECK_ERRORS errors = {0};
    for (int round = 0; round < 3; round++) {
        for (int i = errors.count; i < 5; i++)
            kane_errors_add(&errors, KANE_BAD_INPUT, "error %d of round %d", i, round);
        kane_errors_truncate(&errors, 9);
        assert_int_equal(errors.count, 5);
        kane_errors_truncate(&errors, 2);
        assert_int_equal(errors.count, 2);
        assert_int_equal(errors.kept, 2);
        assert_string_equal(kane_errors_get(&errors, 1)->text, "error 1 of round 0");
    }
    kane_errors_clear(&errors);
    assert_int_equal(errors.count, 0);
    kane_errors_add(&errors, KANE_NO_FILE, "new");
    assert_string_equal(kane_errors_get(&errors, 0)->text, "new");
    kane_errors_free(&errors);
}

CHECK_TEST(errors_of_another_call_are_appended)
{
    CHECK_ERRORS errors = {0}, others = {0}, first = {.limit = 1};
    kane_errors_add(&errors, KANE_BAD_INPUT, "error 0");
    for (int i = 1; i <= KANE_ERRORS_KEPT + 2; i++)
        kane_errors_add(&others, KANE_NO_FILE, "error %d", i);
    kane_errors_append(&errors, &others);
    kane_errors_append(&first, &others);
    kane_errors_append(NULL, &others);
    assert_int_equal(errors.count, KANE_ERRORS_KEPT + 3);
    assert_int_equal(errors.kept, KANE_ERRORS_KEPT);
    for (int i = 0; i < errors.kept; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "error %d", i);
        assert_string_equal(kane_errors_get(&errors, i)->text, text);
    }
    assert_int_equal(first.count, KANE_ERRORS_KEPT + 2);
    assert_int_equal(first.kept, 1);
    kane_errors_free(&errors);
    kane_errors_free(&others);
}

// Wagons of a train are wrong in the same way; other words or another place are another error.
CHECK_TEST(what_was_said_of_a_place_is_said_once)
{
    const kane_place here = {"v.json", 3, 7, "bodies.body"}, there = {"v.json", 4, 7, "bodies.body"};
    CHECK_ERRORS errors = {0};
    kane_errors_add_input(&errors, KANE_BAD_INPUT, here, "'wagon 9 body' cannot rest: -353.5 N");
    kane_errors_add_input(&errors, KANE_BAD_INPUT, here, "'wagon 10 body' cannot rest: -62.25 N");
    kane_errors_add_input(&errors, KANE_BAD_INPUT, here, "'wagon 9 body' cannot rest: -353.5 N m");
    kane_errors_add_input(&errors, KANE_BAD_INPUT, there, "'wagon 9 body' cannot rest: -353.5 N");
    kane_errors_add_input(&errors, KANE_BAD_INPUT, here, "'last body' cannot rest: -353.5 N");
    kane_errors_drop_repeated(&errors);
    assert_int_equal(errors.count, 4);
    assert_string_equal(kane_errors_get(&errors, 0)->text, "'wagon 9 body' cannot rest: -353.5 N");
    assert_string_equal(kane_errors_get(&errors, 1)->text, "'wagon 9 body' cannot rest: -353.5 N m");
    assert_int_equal(kane_errors_get(&errors, 2)->line, 4);
    assert_string_equal(kane_errors_get(&errors, 3)->text, "'last body' cannot rest: -353.5 N");
    kane_errors_free(&errors);
}

CHECK_TEST(nobody_needs_to_ask_for_errors)
{
    kane_errors_add(NULL, KANE_BAD_INPUT, "x");
    kane_errors_add_input(NULL, KANE_BAD_INPUT, (kane_place){"f", 1, 1, "p"}, "x");
    kane_errors_add_run(NULL, KANE_BAD_INPUT, "s", 0.0, 0.0, "x");
}

CHECK_TEST(what_is_too_long_is_cut_between_characters)
{
    char long_text[2000];
    for (size_t i = 0; i + 1 < sizeof long_text; i += 2) {
        long_text[i]     = '\xC3'; // a umlaut
        long_text[i + 1] = '\xA4';
    }
    long_text[sizeof long_text - 2] = '\0';
    CHECK_ERRORS errors             = {0};
    kane_errors_add_input(&errors, KANE_BAD_INPUT, (kane_place){long_text, 1, 1, long_text}, "%s", long_text);
    const kane_error *e       = kane_errors_get(&errors, 0);
    const char *const texts[] = {e->text, e->file, e->path};
    const size_t sizes[]      = {sizeof e->text, sizeof e->file, sizeof e->path};
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(texts[i]);
        assert_true(length < sizes[i] && length > sizes[i] - 8);
        assert_string_equal(texts[i] + length - 3, "...");
        assert_int_equal((length - 3) % 2, 0);
    }
    char small[8];
    assert_true(kane_error_format(e, sizeof small, small) > 900); // the whole length, as snprintf
    assert_int_equal(strlen(small), 7);
}

CHECK_TEST(the_version_is_three_numbers)
{
    int a = -1, b = -1, c = -1;
    assert_int_equal(sscanf(kane_version(), "%d.%d.%d", &a, &b, &c), 3);
}

CHECK_MAIN(NULL, NULL)
