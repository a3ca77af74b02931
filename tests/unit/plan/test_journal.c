// SPDX-License-Identifier: MIT
// Journals: what is written is read again to the last bit; torn, garbled and foreign lines cost nothing but themselves;
// a full disk ends the work, and what was recorded stays.

#include "plans.h"

#include "base/machine.h"
#include "plan/journal.h"

#include <float.h>
#include <sys/resource.h>

enum { COUNT = 9, FEW = 3 };

static const uint64_t KEY = 0x1234567890abcdefu;

static char *read_whole(const char *name, size_t *length)
{
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    char *text    = malloc(1 << 16);
    *length       = fread(text, 1, (1 << 16) - 1, file);
    text[*length] = '\0';
    (void)fclose(file);
    return text;
}

static void write_whole(const char *name, const char *text, size_t length)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    (void)fclose(file);
}

// --- lines ---

CHECK_TEST(every_number_survives)
{
    double values[] = {
        0.0,   -0.0,    1.0 / 3.0,           DBL_MAX,     DBL_MIN,          DBL_TRUE_MIN,     -DBL_EPSILON, 0.1 + 0.2,
        1e300, -1e-300, 123456789.123456789, (double)NAN, (double)INFINITY, -(double)INFINITY};
    enum { N = sizeof values / sizeof *values };
    double back[N];
    const kane_case c = {.state = KANE_CASE_DONE, .values = values};
    kane_case found   = {.values = back};
    kane_claimant none;
    size_t length;
    int index;
    CHECK_MEMORY char *line = kane_line_of_case(KEY, 41, &c, N, &length);
    assert_non_null(line);
    assert_int_equal(line[length - 1], '\n');
    assert_null(memchr(line, '\n', length - 1));
    assert_int_equal(kane_line_read(KEY, line, length - 1, 42, N, &index, &found, &none), KANE_LINE_CASE);
    assert_int_equal(index, 41);
    for (int i = 0; i < N; i++)
        assert_true(isnan(values[i]) ? isnan(back[i]) : memcmp(&values[i], &back[i], sizeof(double)) == 0);
    assert_int_equal(kane_line_read(KEY, line, length - 1, 41, N, &index, &found, &none), KANE_LINE_TORN);
    assert_int_equal(kane_line_read(KEY + 1, line, length - 1, 42, N, &index, &found, &none), KANE_LINE_TORN);
}

CHECK_TEST(every_reason_survives)
{
    static char longest[2 * KANE_CASE_WHY];
    const char *const reasons[] = {"", "plain", "\"quoted\" \\ and\nbroken\tlines \x01", "Räder über 20 °", longest};
    memset(longest, 'x', KANE_CASE_WHY - 1);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        kane_case c = {.state = KANE_CASE_FAILED}, found;
        kane_claimant none;
        size_t length;
        int index;
        (void)snprintf(c.why, sizeof c.why, "%s", reasons[i]);
        CHECK_MEMORY char *line = kane_line_of_case(KEY, 0, &c, 0, &length);
        assert_int_equal(kane_line_read(KEY, line, length - 1, 1, 0, &index, &found, &none), KANE_LINE_CASE);
        assert_int_equal(found.state, KANE_CASE_FAILED);
        assert_string_equal(found.why, reasons[i]);
    }
}

// Whatever stands in the place of a reason in a line whose checksum is right: what is no text is no reason.
CHECK_TEST(a_reason_is_a_text)
{
    static const char *const reasons[] = {"null",   "null\"",     "true\"",  "12\"", "12",
                                          "\"open", "{\"a\": 1}", "[\"a\"]", "",     "a\""};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        char line[256];
        kane_case found = {.state = KANE_CASE_OPEN};
        kane_claimant none;
        int index;
        int length =
            snprintf(line, sizeof line, "{\"case\": 1, \"state\": \"failed\", \"values\": [], \"why\": %s", reasons[i]);
        const uint64_t hash = kane_hash_text(line, (size_t)length, KEY);
        length += snprintf(line + length, sizeof line - (size_t)length, ", \"check\": \"%016llx\"}",
                           (unsigned long long)hash);
        if (kane_line_read(KEY, line, (size_t)length, 1, 0, &index, &found, &none) != KANE_LINE_TORN)
            fail_msg("%s is read as a reason: '%s'", reasons[i], found.why);
    }
}

static void fail_silently(int index, kane_case *result, void *data)
{
    (void)index, (void)data;
    result->state = KANE_CASE_FAILED;
}

CHECK_TEST(a_failure_has_a_reason)
{
    CHECK_OWNED(kane_plan) *plan = plans_open("no_reason", 1, NULL);
    plans_carry_out(plan, fail_silently, NULL);
    assert_string_equal(kane_plan_case(plan, 0)->why, "no reason was given");
}

// What is no UTF-8 is replaced; the record in memory is the one that will be read.
CHECK_TEST(a_record_is_what_will_be_read)
{
    double values[PLAN_VALUES] = {1.0, 2.0, 3.0};
    kane_case c                = {.state = KANE_CASE_FAILED, .values = values};
    CHECK_ERRORS errors        = {0};
    kane_plan *plan            = plans_open("utf8", 2, NULL);
    char first[KANE_CASE_WHY];
    memset(c.why, '\xFF', KANE_CASE_WHY - 1);
    assert_int_equal(kane_plan_record(plan, 1, &c, &errors), KANE_OK);
    memcpy(first, kane_plan_case(plan, 1)->why, sizeof first);
    assert_true(strncmp(first, "\xEF\xBF\xBD\xEF\xBF\xBD", 6) == 0);
    kane_plan_close(plan);
    plan = plans_open("utf8", 2, NULL);
    assert_string_equal(kane_plan_case(plan, 1)->why, first);
    kane_plan_close(plan);
}

// --- torn and garbled ---

// A plan whose journal is `text`; goes on with it. Returns how many cases were found in it. Lines that were ignored at
// first are ignored ever after, but for an end that was torn: it is taken away.
static int go_on_with(const char *name, const char *text, size_t length, int ignored)
{
    char journal[64];
    CHECK_ERRORS errors = {0};
    (void)snprintf(journal, sizeof journal, "%s/journal.jsonl", name);
    write_whole(journal, text, length);
    const kane_plan_execution how = {.workers = 1};
    kane_plan *plan               = plans_open(name, FEW, &how);
    const int found               = FEW - kane_plan_count(plan, KANE_CASE_OPEN);
    for (int i = 0; i < FEW; i++)
        if (!kane_plan_case(plan, i)->state)
            continue;
        else
            plans_check_case(plan, i);
    for (int i = 0; i < FEW; i++) {
        double values[PLAN_VALUES] = {(double)NAN, (double)NAN, (double)NAN};
        kane_case c                = {.values = values};
        plans_work(i, &c, NULL);
        if (!kane_plan_case(plan, i)->state)
            assert_int_equal(kane_plan_record(plan, i, &c, &errors), KANE_OK);
    }
    kane_plan_close(plan);
    plan = kane_plan_inspect(name, NULL);
    plans_check_all(plan, FEW);
    assert_int_equal(kane_plan_get_journal(plan, 0)->ignored, ignored);
    kane_plan_close(plan);
    return found;
}

static int count_lines(const char *text, size_t length)
{
    int lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

// A journal that ends anywhere: all whole lines count, and those that come later are not spoiled by the rest.
CHECK_TEST(a_journal_may_be_torn_at_every_byte)
{
    size_t length;
    kane_plan *plan = plans_open("torn", FEW, NULL);
    plans_carry_out(plan, plans_work, NULL);
    kane_plan_close(plan);
    CHECK_MEMORY char *text = read_whole("torn/journal.jsonl", &length);
    for (size_t n = 0; n <= length; n++) {
        const int lines = count_lines(text, n);
        assert_int_equal(go_on_with("torn", text, n, 0), lines > 1 ? lines - 1 : 0);
    }
}

CHECK_TEST(a_garbled_byte_costs_its_line)
{
    size_t length;
    kane_plan *plan = plans_open("garbled", FEW, NULL);
    plans_carry_out(plan, plans_work, NULL);
    kane_plan_close(plan);
    CHECK_MEMORY char *text = read_whole("garbled/journal.jsonl", &length);
    const size_t first      = (size_t)(strchr(text, '\n') - text) + 1;
    for (size_t n = first; n < length; n++) {
        const char was = text[n];
        text[n]        = (char)(was == '7' ? '8' : '7');
        // a line break that is gone costs the line behind it, too; the last one only itself
        const int ignored = was != '\n' || n < length - 1;
        assert_int_equal(go_on_with("garbled", text, length, ignored),
                         was == '\n' && n < length - 1 ? FEW - 2 : FEW - 1);
        text[n] = was;
    }
}

CHECK_TEST(ignored_lines_are_counted)
{
    kane_plan *plan = plans_open("counted", COUNT, NULL);
    plans_carry_out(plan, plans_work, NULL);
    kane_plan_close(plan);
    FILE *file = fopen("counted/journal.jsonl", "a");
    (void)fprintf(file, "{\"case\": 1}\nnonsense\n\ntorn");
    (void)fclose(file);
    plan = kane_plan_inspect("counted", NULL);
    assert_int_equal(kane_plan_get_journal(plan, 0)->ignored, 3); // the last one has no end yet
    plans_check_all(plan, COUNT);
    kane_plan_close(plan);
}

// A journal of another plan that was copied here.
CHECK_TEST(lines_of_another_plan_do_not_count)
{
    size_t length;
    kane_plan *plan = plans_open("mine", FEW, NULL);
    kane_plan_close(plan);
    plan = plans_open("other", FEW + 1, NULL);
    plans_carry_out(plan, plans_work, NULL);
    kane_plan_close(plan);
    CHECK_MEMORY char *text = read_whole("other/journal.jsonl", &length);
    assert_int_equal(go_on_with("mine", text, length, FEW + 2), 0);
}

// Line ends of another system, or another layout: the same plan, whose journals count.
CHECK_TEST(a_plan_may_be_laid_out_otherwise)
{
    size_t length, n = 0;
    kane_plan *plan = plans_open("layout", FEW, NULL);
    plans_carry_out(plan, plans_work, NULL);
    kane_plan_close(plan);
    char *text = read_whole("layout/plan.json", &length), more[4096];
    assert_true(2 * length + 2 < sizeof more);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            more[n++] = '\r';
        more[n++] = text[i];
    }
    more[n++] = '\n';
    write_whole("layout/plan.json", more, n);
    plan = plans_open("layout", FEW, NULL);
    plans_check_all(plan, FEW);
    kane_plan_close(plan);
    plan = kane_plan_inspect("layout", NULL);
    assert_non_null(plan);
    assert_int_equal(kane_plan_get_journal(plan, 0)->ignored, 0);
    plans_check_all(plan, FEW);
    kane_plan_close(plan);
    free(text);
}

// --- two records of a case ---

static void add_line(const char *name, int index, kane_case_state state, double value, const char *why)
{
    char path[64];
    double values[PLAN_VALUES] = {value, value, value};
    kane_case c                = {.state = state, .values = values};
    CHECK_ERRORS errors        = {0};
    (void)snprintf(c.why, sizeof c.why, "%s", why);
    (void)snprintf(path, sizeof path, "twice-%s", name);
    kane_plan *plan = plans_open(path, 3, NULL);
    assert_int_equal(kane_plan_record(plan, index, &c, &errors), KANE_OK);
    kane_plan_close(plan);
    (void)snprintf(path, sizeof path, "cat twice-%s/journal.jsonl >>twice/journal-%s.jsonl", name, name);
    assert_int_equal(system(path), 0);
}

// The same record twice is one; a case that was done beats its failure; two that contradict each other are an error.
CHECK_TEST(a_case_may_be_recorded_twice)
{
    CHECK_ERRORS errors = {0};
    char text[1200];
    kane_plan *plan = plans_open("twice", 3, NULL);
    kane_plan_close(plan);
    add_line("a", 0, KANE_CASE_DONE, 1.5, "");
    add_line("b", 0, KANE_CASE_DONE, 1.5, "");
    add_line("c", 1, KANE_CASE_FAILED, 0.0, "z");
    add_line("d", 1, KANE_CASE_FAILED, 0.0, "a");
    add_line("e", 2, KANE_CASE_FAILED, 0.0, "lost");
    add_line("f", 2, KANE_CASE_DONE, 2.5, "");
    plan = CHECK_GOOD(kane_plan_inspect, "twice");
    assert_int_equal(kane_plan_count(plan, KANE_CASE_DONE), 2);
    assert_int_equal(kane_plan_count(plan, KANE_CASE_FAILED), 1);
    assert_string_equal(kane_plan_case(plan, 1)->why, "a");
    assert_true(kane_plan_case(plan, 2)->values[0] == 2.5);
    kane_plan_close(plan);

    add_line("g", 2, KANE_CASE_DONE, 2.5000000000000004, "");
    assert_null(kane_plan_inspect("twice", &errors));
    (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
    assert_string_equal(text,
                        "twice/journal-g.jsonl:2: case 3 has other values than in another line: computed by different "
                        "programs or on different machines; remove one of the journals");
}

// --- full disks ---

static void limit_files(rlim_t size)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// A file that may not grow, at every size: the message names file and reason, what is there is whole, and the plan goes
// on when there is room again.
CHECK_TEST(a_full_disk_ends_the_work_and_loses_nothing)
{
    (void)signal(SIGXFSZ, SIG_IGN);
    for (rlim_t size = 300; size < 1000; size += 37) {
        char name[32], journal[64], text[1200], expected[128];
        CHECK_ERRORS errors = {0};
        size_t length;
        (void)snprintf(name, sizeof name, "disk/%d", (int)size);
        (void)snprintf(journal, sizeof journal, "%s/journal.jsonl", name);
        kane_plan *plan = plans_open(name, COUNT, NULL);
        limit_files(size);
        const kane_status status = kane_plan_run_cases(plan, plans_work, NULL, &errors);
        limit_files(RLIM_INFINITY);
        const int done = COUNT - kane_plan_count(plan, KANE_CASE_OPEN);
        kane_plan_close(plan);

        assert_int_equal(status, KANE_NO_FILE);
        assert_int_equal(errors.count, 1);
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
        (void)snprintf(expected, sizeof expected, "%s cannot be written: File too large", journal);
        assert_string_equal(text, expected);
        char *whole = read_whole(journal, &length);
        assert_true(length > 0 && whole[length - 1] == '\n');
        assert_int_equal(count_lines(whole, length), 1 + done);
        free(whole);

        plan = plans_open(name, COUNT, NULL);
        assert_int_equal(COUNT - kane_plan_count(plan, KANE_CASE_OPEN), done);
        plans_carry_out(plan, plans_work, NULL);
        plans_check_all(plan, COUNT);
        kane_plan_close(plan);
    }
}

// plan.json does not fit: nothing is begun, nothing is left over.
CHECK_TEST(a_plan_that_cannot_be_written_is_not_begun)
{
    CHECK_ERRORS errors           = {0};
    const kane_plan_definition d  = {.content = PLANS_CONTENT, .case_count = 1};
    const kane_plan_execution how = {.directory = "none"};
    (void)signal(SIGXFSZ, SIG_IGN);
    limit_files(50);
    assert_null(kane_plan_open(&d, &how, &errors));
    limit_files(RLIM_INFINITY);
    assert_string_equal(kane_errors_get(&errors, 0)->text, "none/plan.json cannot be written: File too large");
    assert_int_equal(rmdir("none"), 0);
}

CHECK_MAIN(enter_folder, leave_folder)
