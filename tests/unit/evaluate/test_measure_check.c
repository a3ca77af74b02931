// SPDX-License-Identifier: MIT
// Measures before there are rows, and those of their page.

#include "check.h"

// --- docs/results.md ---

// Lines that are set in by four blanks and begin as a measure does are one, up to two blanks.
static int parse_line(const char *line)
{
    char text[256];
    const char *end = strstr(line + 4, "  ");
    (void)snprintf(text, sizeof text, "%.*s", (int)(end ? end - line - 4 : (long)strcspn(line + 4, "\n")), line + 4);
    if (strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789.") != strcspn(text, "(") || text[0] == '(' ||
        !strchr(text, '('))
        return 0;
    static kane_errors errors;
    kane_errors_clear(&errors);
    CHECK_OWNED(kane_measure) *m = kane_measure_parse(text, &errors);
    if (!m)
        print_error("docs/results.md: %s\n", kane_errors_get(&errors, 0)->text);
    assert_non_null(m);
    return 1;
}

CHECK_TEST(measures_of_the_page_are_read)
{
    FILE *page = fopen(KANE_SOURCE_DIR "/docs/results.md", "r");
    char line[512];
    int count = 0;
    assert_non_null(page);
    while (fgets(line, sizeof line, page) && strcmp(line, "## Measures\n") != 0)
        continue;
    while (fgets(line, sizeof line, page))
        if (strncmp(line, "    ", 4) == 0 && line[4] != ' ')
            count += parse_line(line);
    (void)fclose(page);
    assert_int_equal(count, 7);
}

// --- before there are rows ---

static void check_before(const char *text, double every, const char *expected_unit, const char *reason)
{
    static const kane_column columns[] = {{"time", "s", ""},
                                          {"distance", "m", ""},
                                          {"w.Y", "N", ""},
                                          {"car.acceleration.x", "m/s^2", ""},
                                          {"car.acceleration.y", "m/s^2", ""},
                                          {"car.acceleration.z", "m/s^2", ""}};
    static kane_errors errors;
    const char *unit             = "none";
    CHECK_OWNED(kane_measure) *m = kane_measure_parse(text, NULL);
    assert_non_null(m);
    kane_errors_clear(&errors);
    const kane_status status = kane_measure_check(m, 6, columns, every, &unit, &errors);
    assert_int_equal(status, reason ? KANE_BAD_ARGUMENT : KANE_OK);
    assert_int_equal(errors.count, reason != NULL);
    if (reason && !strstr(kane_errors_get(&errors, 0)->text, reason))
        print_error("%s: %s\n   lacks: %s\n", text, kane_errors_get(&errors, 0)->text, reason);
    assert_true(!reason || strstr(kane_errors_get(&errors, 0)->text, reason));
    if (!reason)
        assert_string_equal(unit, expected_unit);
}

CHECK_TEST(units_and_rates_are_known_before_there_are_rows)
{
    check_before("max(w.Y, 20 Hz, mean 100 m, 5 km..)", 0.005, "N", NULL);
    check_before("at_max(w.Y)", 0.005, "m", NULL);
    check_before("comfort_y(car.acceleration.y)", 0.01, "m/s^2", NULL);
    check_before("nmv(car.acceleration.*)", 0.01, "1", NULL);
    check_before("sperling_z(*.z)", 0.01, "1", NULL);
    check_before("max(w.Y, 20 Hz)", 0.0, "N", NULL); // nothing is known of the rows
    check_before("max(w.Y, 20 Hz)", 0.025, NULL,
                 "max(w.Y, 20 Hz): a corner of 20 Hz is not below half the rate of the rows");
    check_before("rms(w.Y, Wb)", 0.02, NULL, "rows 0.02 s apart are too few to weight vibrations");
    check_before("nmv(car.*)", 0.02, NULL, "rows 0.02 s apart are too few");
    check_before("comfort_y(car.acceleration.y)", 0.02, NULL, "rows 0.02 s apart are too few");
    check_before("max(w.Q)", 0.01, NULL, "no channel is called 'w.Q'; did you mean 'w.Y'?");
    check_before("comfort_y(w.Y)", 0.01, NULL, "'w.Y' [N] is no acceleration");
    check_before("max(*)", 0.01, NULL, "several units, s and m");
    CHECK_OWNED(kane_measure) *m = kane_measure_parse("max(body.y)", NULL);
    assert_int_equal(kane_measure_check(m, 0, NULL, 0.0, NULL, NULL), KANE_BAD_ARGUMENT); // nor is there a time
}

CHECK_MAIN(NULL, NULL)
