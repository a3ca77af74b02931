// SPDX-License-Identifier: MIT
// kane view of a study: what a page holds is the table of the study and the runs that its cases kept; what is torn or
// does not belong together is refused.

#include "unit/apps/program.h"
#include "unit/view/page_data.h"

#include <kane/view.h>

#define SWEEP                                                                                                          \
    "sweep", RUN, "--over", "speed=10,15", "--over", "track.rail.friction=0.2,0.4", "-m", "max(body.y)", "-s",         \
        "until.distance=60", "-q", "-j", "1"

static int make_study(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    write_file("page", "<html>before " KANE_VIEW_MARK " behind</html>\n");
    assert_int_equal(CALL(SWEEP, "--keep", "-o", "study"), 0);
    assert_int_equal(CALL(SWEEP, "-o", "bare"), 0);
    return 0;
}

static page_data make_page(const char *study, kane_view_report *report)
{
    const kane_view_settings settings = {.page = "page"};
    CHECK_ERRORS errors               = {0};
    assert_true(kane_view_is_study(study));
    assert_int_equal(kane_view_write_study(study, &settings, "out.html", report, &errors), KANE_OK);
    return page_read("out.html");
}

static double *column_of(const page_data *page, const char *name, const char *role, const char *unit)
{
    int count;
    const kane_node *column = page_named(page_at(page->root, "study.columns"), name);
    assert_string_equal(page_at(column, "role")->text, role);
    assert_string_equal(page_at(column, "unit")->text, unit);
    double *values = page_row(page, page_at(column, "values"), &count);
    assert_int_equal(count, (int)page_number(page->root, "study.rows"));
    return values;
}

static double most_of(const char *results, const char *channel)
{
    CHECK_ERRORS errors          = {0};
    CHECK_OWNED(kane_results) *r = kane_results_open(results, &errors);
    assert_non_null(r);
    const double *values = kane_results_values(r, kane_results_find(r, channel, &errors));
    double most          = values[0];
    for (int i = 1; i < kane_results_row_count(r); i++)
        most = fmax(most, values[i]);
    return most;
}

// Measures against what the test itself finds in the rows that were kept.
CHECK_TEST(cases_are_those_of_the_runs)
{
    static const double speeds[] = {10, 10, 15, 15}, frictions[] = {0.2, 0.4, 0.2, 0.4};
    kane_view_report report;
    CHECK_FREED(page_data) page = make_page("study", &report);
    double *speed = column_of(&page, "speed", "axis", "m/s"), *most = column_of(&page, "max(body.y)", "measure", "m"),
           *friction = column_of(&page, "track.rail.friction", "axis", ""),
           *number   = column_of(&page, "case", "number", "");
    assert_int_equal(report.cases, 4);
    assert_int_equal(report.runs, 4);
    assert_string_equal(report.missing[0], "");
    assert_string_equal(page_at(page.root, "study.kind")->text, "sweep");
    assert_string_equal(page_at(page.root, "study.layout")->text, "grid");
    assert_string_equal(page_at(page.root, "study.changed")->text, "");
    assert_string_equal(page_at(page.root, "study.common.0")->text, "until.distance=60");
    assert_int_equal(page_at(page.root, "runs")->count, 4);
    for (int i = 0; i < 4; i++) {
        char name[64];
        assert_true(speed[i] == speeds[i] && friction[i] == frictions[i] && number[i] == i + 1);
        (void)snprintf(name, sizeof name, "study/case-%04d", i + 1);
        check_near(most[i], most_of(name, "body.y"), 1e-15);
        (void)snprintf(name, sizeof name, "study.kept.%d.1", i);
        assert_int_equal(page_number(page.root, name), i);
        (void)snprintf(name, sizeof name, "study.settings.%d.0", i);
        assert_string_equal(page_at(page.root, name)->text, speeds[i] == 10 ? "start.speed=10" : "start.speed=15");
        (void)snprintf(name, sizeof name, "runs.%d.scene.bodies", i);
        assert_non_null(page_at(page.root, name));
    }
    assert_true(most[0] != most[1] && most[1] != most[2]);
    const kane_node *words = page_at(page_named(page_at(page.root, "study.columns"), "state"), "words");
    assert_int_equal(words->count, 1);
    assert_string_equal(words->child->text, "done");
    free(speed);
    free(most);
    free(friction);
    free(number);
}

// Where runs refer to what they share: the number that stands at the end of a path. page_at() itself would go there.
static int shared_at(const page_data *page, const char *path)
{
    const kane_node *node = page->root;
    char step[32];
    while (*path) {
        const size_t length = strcspn(path, ".");
        (void)snprintf(step, sizeof step, "%.*s", (int)length, path);
        node = node->kind == KANE_NODE_LIST ? kane_node_at(node, atoi(step)) : kane_node_find(node, step);
        assert_non_null(node);
        path += length + (path[length] == '.');
    }
    return (int)kane_node_find(node, "shared")->number;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part)) != NULL) {
        count++;
        text++;
    }
    return count;
}

// Line, bodies, profiles and what channels are stand in the page once, whatever speeds and friction the cases have; so
// do rows that are both a curve and a body's motion.
CHECK_TEST(cases_share_what_they_have_in_common)
{
    static const char *const parts[] = {"scene.line", "scene.bodies.0", "scene.bodies.1", "scene.elements",
                                        "scene.rods", "scene.sensors",  "channels.0",     "channels.9"};
    kane_view_report report;
    char path[80];
    CHECK_FREED(page_data) page = make_page("study", &report);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        (void)snprintf(path, sizeof path, "runs.0.%s", parts[k]);
        const int first = shared_at(&page, path);
        for (int i = 1; i < 4; i++) {
            (void)snprintf(path, sizeof path, "runs.%d.%s", i, parts[k]);
            assert_int_equal(shared_at(&page, path), first);
        }
    }
    assert_int_equal(count_of(page.text, "\"chainage\""), 1 + 1); // of the line, and a channel's name
    assert_int_equal(count_of(page.text, "\"running_distance\""), 1);
    // y of the body is both
    for (int i = 0; i < 4; i++) {
        (void)snprintf(path, sizeof path, "runs.%d.channels", i);
        const kane_node *y = page_named(page_at(page.root, path), "body.y");
        (void)snprintf(path, sizeof path, "runs.%d.scene.bodies.0.motion.1.block", i);
        assert_true(page_number(page.root, path) == page_number(y, "values.block"));
    }
}

CHECK_TEST(chosen_cases_come_along)
{
    assert_int_equal(CALL("view", "study", "-p", "page", "-n", "2,4", "-c", "body.y", "-o", "two.html"), 0);
    expect("out", "two.html: 4 rows, 2 runs");
    page_data page = page_read("two.html");
    assert_int_equal(page_number(page.root, "study.kept.1.0"), 3);
    assert_int_equal(page_number(page.root, "study.kept.1.1"), 1);
    assert_int_equal(page_at(page.root, "runs.0.channels")->count, 3); // with time and distance
    page_data_free(&page);
    assert_int_equal(CALL("view", "bare", "-p", "page", "-o", "bare.html"), 0);
    expect("out", "bare.html: 4 rows, 0 runs");
}

// Quotes, wheelsets that share a run, speeds that are marked.
CHECK_TEST(cycles_share_their_rows)
{
    static const char table[] =
        "speed,sweep,wheelset,amplitude,motion\nm/s,,,m,\n20,down,\"a,\"\"b\"\"\",0.004,settled\n"
        "20,down,\"c\",0.003,settled\n10,up,\"c\",nan,died\n";
    kane_view_report report;
    assert_int_equal(system("mkdir -p cycles"), 0);
    write_file("cycles/critical.json",
               "{\"kane\": \"critical 1\", \"run\": \"r.json\", \"linear\": 18.5, \"none\": null}");
    write_file("cycles/points.csv", table);
    write_file("cycles/down-20.csv", "time,a.y\ns,m\n0,0.001\n0.1,-0.002\n");
    CHECK_FREED(page_data) page = make_page("cycles", &report);
    double *amplitude           = column_of(&page, "amplitude", "measure", "m"),
           *speed               = column_of(&page, "speed", "axis", "m/s");
    const kane_node *wheelset   = page_named(page_at(page.root, "study.columns"), "wheelset");
    assert_int_equal(report.runs, 1);
    assert_string_equal(page_at(wheelset, "words.0")->text, "a,\"b\"");
    assert_true(amplitude[0] == 0.004 && amplitude[1] == 0.003 && isnan(amplitude[2]) && speed[2] == 10.0);
    assert_int_equal(page_at(page.root, "study.kept")->count, 2);
    assert_int_equal(page_number(page.root, "study.kept.1.0"), 1);
    assert_int_equal(page_number(page.root, "study.kept.1.1"), 0);
    assert_int_equal(page_at(page.root, "study.marks")->count, 1);
    check_near(page_number(page.root, "study.marks.0.value"), 18.5, 0.0);
    free(amplitude);
    free(speed);
}

static void refuse(const char *study, const char *cases, const char *why)
{
    const char *with[] = {"view", study, "-p", "page", "-o", "no.html", cases ? "-n" : NULL, cases, NULL};
    assert_int_not_equal(wait_for(start(with)), 0);
    expect("err", why);
    assert_int_not_equal(access("no.html", F_OK), 0);
}

CHECK_TEST(what_does_not_belong_is_refused)
{
    refuse("study", "9", "study/sweep.csv: there is no case 9, only 1 to 4");
    refuse("study", "0", "'0' is no list of cases");
    refuse("study", "3-1", "'3-1' is no list of cases");
    refuse("bare", "2", "of case 2 no rows were kept");
    assert_int_equal(CALL("view", "study", "bare", "-p", "page", "-o", "no.html"), 3);
    expect("err", "a study has a page of its own");
    assert_int_equal(CALL("view", "study/case-0001", "-n", "1", "-p", "page", "-o", "no.html"), 3);
    expect("err", "--cases is of a study");

    assert_int_equal(system("cp -r study torn && sed -i '3s/,done/,done,more/' torn/sweep.csv"), 0);
    refuse("torn", NULL, "torn/sweep.csv:3:1: the line has other columns than the first one");
    assert_int_equal(system("cp study/sweep.csv torn && sed -i '4d' torn/sweep.csv"), 0);
    refuse("torn", NULL, "torn/sweep.csv: has not as many cases as plan.json");
    assert_int_equal(system("rm torn/sweep.csv"), 0);
    refuse("torn", NULL, "the study is not complete: there is no sweep.csv yet");
    assert_int_equal(system("cp -r study mixed && rm -r mixed/case-0002 && cp -r mixed/case-0003 mixed/case-0002"), 0);
    refuse("mixed", NULL,
           "mixed/case-0002/manifest.json: input.changes: is of another study: 'start.speed=10' of case 2");
    assert_int_equal(system("mkdir -p other && echo '{\"content\": {\"kind\": \"squares\"}}' >other/plan.json"), 0);
    refuse("other", NULL, "not 'squares'");
}

// Its numbers stand, but that the run has changed since is said.
CHECK_TEST(changed_files_are_told)
{
    kane_view_report report;
    assert_int_equal(system("cp -r bare moved && sed -i 's/\"xxh128\": \"./\"xxh128\": \"x/' moved/plan.json"), 0);
    CHECK_FREED(page_data) page = make_page("moved", &report);
    assert_non_null(strstr(page_at(page.root, "study.changed")->text, "wagon-transition.json has been changed since"));
}

CHECK_MAIN(make_study, leave_folder)
