// SPDX-License-Identifier: MIT
// What makes the cases of a study cheap changes no bit of them: contact tables that are shared, rows for which nothing
// is evaluated since only motion was asked for.

#include "check.h"

#include <kane/kane.h>

#include <pthread.h>

#define WAY "vehicle.patterns.wheelset.contact.model="

static kane_run *read_run(const char *name, const char *const *settings, kane_tables *tables)
{
    char file[1024];
    CHECK_ERRORS errors        = {0};
    const kane_run_options how = {.settings = settings, .tables = tables};
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, name);
    kane_run *run = kane_run_read(file, &how, &errors);
    if (!run)
        print_error("%s\n", kane_errors_get(&errors, 0)->text);
    assert_non_null(run);
    return run;
}

// All rows of a run.
static kane_results *carry_out(const char *name, const char *const *settings, kane_tables *tables, int count,
                               const char *const *patterns)
{
    CHECK_ERRORS errors = {0};
    kane_outcome outcome;
    CHECK_OWNED(kane_run) *run = read_run(name, settings, tables);
    kane_results *results      = kane_run_to_memory(kane_run_get_definition(run), count, patterns, &outcome, &errors);
    if (outcome.status != KANE_OK)
        print_error("%s: %s\n", name, kane_errors_get(&errors, 0)->text);
    assert_int_equal(outcome.status, KANE_OK);
    assert_non_null(results);
    return results;
}

// Every channel of a is in b too, with the same bits. Returns their number.
static int check_same(const kane_results *a, const kane_results *b)
{
    const int rows = kane_results_row_count(a);
    assert_true(rows > 10);
    assert_int_equal(rows, kane_results_row_count(b));
    const int count = kane_results_column_count(a);
    for (int i = 0; i < count; i++) {
        const char *name = kane_results_column(a, i)->name;
        const int k      = kane_results_find(b, name, NULL);
        assert_true(k >= 0);
        if (memcmp(kane_results_values(a, i), kane_results_values(b, k), (size_t)rows * sizeof(double)) != 0)
            fail_msg("%s differs", name);
    }
    return count;
}

static const char *const everything[] = {"*"};

// One kane_tables for all ways, in turn.
CHECK_TEST(shared_tables_change_no_bit)
{
    static const char *const ways[]  = {WAY "elastic", WAY "constraint", WAY "table"};
    static const char *const gauge[] = {"track.gauge=1.435", "track.gauge=1.438"};
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(KANE_TABLES_USUAL);
    for (int i = 0; i < 6; i++) {
        const char *const settings[]     = {ways[i % 3],   gauge[i / 3], "until.distance=12",
                                            "start.at=40", "speed=[]",   NULL};
        CHECK_OWNED(kane_results) *own   = carry_out("wagon-transition", settings, NULL, 1, everything);
        CHECK_OWNED(kane_results) *first = carry_out("wagon-transition", settings, tables, 1, everything);
        const size_t size                = kane_tables_size(tables);
        CHECK_OWNED(kane_results) *again = carry_out("wagon-transition", settings, tables, 1, everything);
        assert_int_equal(kane_tables_size(tables), size);
        assert_true(check_same(own, first) > 100);
        assert_true(check_same(own, again) > 100);
    }
}

// A wheelset of other wheels than its neighbours, or another friction, has what is its own.
CHECK_TEST(other_wheels_have_their_own)
{
    static const char *const wheels[] = {"vehicle.patterns.wheelset.profile=cone",
                                         "vehicle.patterns.wheelset.profile=S1002", "track.rail.inclination=1:20",
                                         "track.rail.friction=0.2"};
    CHECK_OWNED(kane_tables) *tables  = kane_tables_create(KANE_TABLES_USUAL);
    kane_results *before              = NULL;
    for (int i = 0; i < 4; i++) {
        const char *const settings[] = {wheels[i], "until.distance=8", "start.at=40", "speed=[]", NULL};
        kane_results *own            = carry_out("wagon-transition", settings, NULL, 1, everything);
        kane_results *shared         = carry_out("wagon-transition", settings, tables, 1, everything);
        (void)check_same(own, shared);
        const int y = kane_results_find(own, "body.y", NULL);
        if (before)
            assert_memory_not_equal(kane_results_values(own, y), kane_results_values(before, y), 10 * sizeof(double));
        kane_results_free(before);
        kane_results_free(shared);
        before = own;
    }
    kane_results_free(before);
}

// Rows of coordinates and rates alone come without evaluations; they are the rows of who asked for everything.
CHECK_TEST(rows_of_motion_are_those_of_everything)
{
    static const struct {
        const char *run, *setting;
    } cases[]                         = {{"wagon-transition", WAY "elastic"},
                                         {"wagon-transition", WAY "constraint"},
                                         {"wagon-transition", WAY "table"},
                                         {"wagon-transition", "formulation=fixed"},
                                         {"wagon-driven", NULL},
                                         {"wagon-flexible", NULL},
                                         {"wagon-four-bar", NULL},
                                         {"link-wagon-transition", NULL},
                                         {"mechanism-slider-crank", NULL}};
    static const char *const motion[] = {"*.rate.*", "speed", "chainage", "acceleration", "*.frame.*"};
    // reactions alone are found on a way of their own (property.mechanism.chosen_reactions)
    static const char *const joints[] = {"*.joint.angle", "*.joint.travel", "*.joint.rate.*", "*.joint.acceleration.*"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int mechanism             = strncmp(cases[i].run, "mechanism", 9) == 0;
        const char *const settings[]    = {mechanism ? "until.time=0.2" : "until.distance=6", cases[i].setting, NULL};
        CHECK_OWNED(kane_results) *all  = carry_out(cases[i].run, settings, NULL, 1, everything);
        CHECK_OWNED(kane_results) *some = mechanism ? carry_out(cases[i].run, settings, NULL, 4, joints)
                                                    : carry_out(cases[i].run, settings, NULL, 5, motion);
        assert_true(check_same(some, all) > 3);
    }
}

CHECK_TEST(rows_of_one_body_alone)
{
    static const char *const motion[] = {"body.y", "body.yaw", "body.rate.z"};
    static const char *const ways[]   = {WAY "elastic", WAY "constraint", WAY "table"};
    for (int i = 0; i < 6; i++) {
        const char *const settings[]    = {ways[i % 3], i < 3 ? "formulation=moving" : "formulation=fixed",
                                           "until.distance=15", "start.at=40", NULL};
        CHECK_OWNED(kane_results) *all  = carry_out("wagon-transition", settings, NULL, 1, everything);
        CHECK_OWNED(kane_results) *some = carry_out("wagon-transition", settings, NULL, 3, motion);
        assert_int_equal(check_same(some, all), 5);
    }
}

// Bodies on joints are known only behind an evaluation.
CHECK_TEST(what_motion_does_not_say_is_evaluated)
{
    static const char *const joined[] = {"lower arm.rate.y", "thrust rod.x"};
    const char *const settings[]      = {"until.distance=6", NULL};
    CHECK_OWNED(kane_results) *all    = carry_out("wagon-four-bar", settings, NULL, 1, everything);
    CHECK_OWNED(kane_results) *some   = carry_out("wagon-four-bar", settings, NULL, 2, joined);
    assert_int_equal(check_same(some, all), 4);
}

// --- threads ---

typedef struct threaded {
    kane_tables *tables;
    const kane_run_definition *run;
    kane_results *results;
} threaded;

static void *collect(void *data)
{
    threaded *t           = data;
    kane_run_definition d = *t->run;
    CHECK_ERRORS errors   = {0};
    kane_outcome outcome;
    d.model.tables = t->tables;
    t->results     = kane_run_to_memory(&d, 1, everything, &outcome, &errors);
    return NULL;
}

CHECK_TEST(models_of_threads_share_tables)
{
    enum { THREADS = 4 };
    const char *const settings[] = {WAY "table", "until.distance=5", "start.at=40", "speed=[]", NULL};
    kane_tables *tables          = kane_tables_create(KANE_TABLES_USUAL);
    CHECK_OWNED(kane_run) *run   = read_run("wagon-transition", settings, NULL);
    pthread_t thread[THREADS];
    threaded part[THREADS];
    for (int i = 0; i < THREADS; i++) {
        part[i] = (threaded){.tables = tables, .run = kane_run_get_definition(run)};
        assert_int_equal(pthread_create(&thread[i], NULL, collect, &part[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    kane_tables_free(tables);
    CHECK_OWNED(kane_results) *own = carry_out("wagon-transition", settings, NULL, 1, everything);
    for (int i = 0; i < THREADS; i++) {
        assert_non_null(part[i].results);
        (void)check_same(own, part[i].results);
        kane_results_free(part[i].results);
    }
}

CHECK_MAIN(NULL, NULL)
