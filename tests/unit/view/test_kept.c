// SPDX-License-Identifier: MIT
// Runs behind studies: what --keep of the studies of omissions, transitions and rods leaves is what their tables speak
// of, changes nothing in these, and stands in their pages.

#include "unit/apps/program.h"
#include "unit/view/page_data.h"

#include <kane/view.h>

#define SEDAN KANE_SOURCE_DIR "/data/runs/mechanism-sedan.json"

static int begin(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    write_file("page", "<html>before " KANE_VIEW_MARK " behind</html>\n");
    return 0;
}

static page_data view(const char *study)
{
    assert_int_equal(CALL("view", study, "-p", "page", "-o", "study.html"), 0);
    assert_string_equal(content("err"), "");
    return page_read("study.html");
}

static void expect_same(const char *a, const char *b)
{
    assert_true(command_works("cmp %s %s", a, b));
}

static double *numbers_of(const page_data *page, const char *name)
{
    return page_row(page, page_at(page_named(page_at(page->root, "study.columns"), name), "values"), NULL);
}

static const char *word_of(const page_data *page, const char *name, int row)
{
    const kane_node *column    = page_named(page_at(page->root, "study.columns"), name);
    CHECK_MEMORY double *which = page_row(page, page_at(column, "values"), NULL);
    const char *word           = kane_node_at(page_at(column, "words"), (int)which[row])->text;
    return word;
}

// The rows of a channel of a run in the page.
static double *rows_of(const page_data *page, int run, const char *channel, int *count)
{
    char path[64];
    (void)snprintf(path, sizeof path, "runs.%d.channels", run);
    return page_row(page, page_at(page_named(page_at(page->root, path), channel), "values"), count);
}

// What the run of a row omits, as its manifest says.
static const kane_node *omitted_in(const page_data *page, int run)
{
    char path[64];
    (void)snprintf(path, sizeof path, "runs.%d.manifest.omitted", run);
    return page_at(page->root, path);
}

// --- omissions ---

#define OMIT                                                                                                           \
    "study", "omit", RUN, "--omit", "body:torque.rotation.z", "--omit", "body:force.translation.x", "--response",      \
        "body.yaw", "--response", "body.roll", "--accelerations", "0,0.25", "--set", "until.distance=60", "--set",     \
        "output.interval=50 ms", "--strongest", "0", "-q"

// Every row lies over the complete run of its condition and differs from it by what the table says; of a term that is
// zero all along there is the complete run alone.
CHECK_TEST(rows_of_omissions_lie_over_complete_runs)
{
    assert_int_equal(CALL(OMIT, "-o", "plain"), 0);
    assert_int_equal(CALL(OMIT, "--keep", "-o", "omit"), 0);
    expect_same("plain/effects.csv", "omit/effects.csv");
    page_data page        = view("omit");
    const kane_node *kept = page_at(page.root, "study.kept");
    double *differs       = numbers_of(&page, "largest difference");
    int zero              = 0;
    assert_int_equal(page_number(page.root, "study.rows"), 12); // 2 conditions, 3 terms with accuracy, 2 responses
    assert_int_equal(kept->count, 12);
    assert_int_equal(page_at(page.root, "runs")->count,
                     2 * 4 - 1); // complete, accuracy, two terms; at constant speed one of these is zero
    for (int i = 0; i < 12; i++) {
        const kane_node *one = kane_node_at(kept, i);
        const char *term = word_of(&page, "term", i), *response = word_of(&page, "response", i);
        const int run = (int)page_number(one, "1");
        int count, same;
        assert_int_equal(page_number(one, "0"), i);
        if (one->count == 2) { // the complete run
            assert_string_equal(term, "body:force.translation.x");
            assert_int_equal(omitted_in(&page, run)->count, 0);
            assert_true(differs[i] == 0.0);
            zero++;
            continue;
        }
        const int under = (int)page_number(one, "2");
        assert_int_equal(omitted_in(&page, under)->count, 0);
        assert_int_equal(omitted_in(&page, run)->count, strcmp(term, "accuracy") != 0);
        if (omitted_in(&page, run)->count > 0)
            assert_string_equal(omitted_in(&page, run)->child->text, term);
        double *a = rows_of(&page, under, response, &count), *b = rows_of(&page, run, response, &same), most = 0.0;
        double size = 0.0;
        assert_int_equal(count, same); // the speed is prescribed: rows at the same places
        for (int k = 0; k < count; k++) {
            most = fmax(most, fabs(b[k] - a[k]));
            size = fmax(size, fabs(a[k]));
        }
        check_near(most, differs[i], 4e-7 * size); // 32 bits of both
        free(a);
        free(b);
    }
    assert_int_equal(zero, 2);
    free(differs);
    page_data_free(&page);
    // the run of one term in the place of another one's
    assert_int_equal(system("cp -r omit mixed && rm -r mixed/case-0002 && cp -r mixed/complete-0001 mixed/case-0002"),
                     0);
    assert_int_equal(CALL("view", "mixed", "-p", "page", "-o", "no.html"), 3);
    expect("err", "mixed/case-0002/manifest.json: omitted: is of another study: 'body:torque.rotation.z' of row 3");
    assert_int_equal(CALL("view", "plain", "-n", "3", "-p", "page", "-o", "no.html"), 3);
    expect("err", "of case 3 no rows were kept; --keep of the command that made the study does that");
}

// --- transitions ---

#define OPTIMISE                                                                                                       \
    "study", "optimise", RUN, "--section", "1", "-c", "max(body.y)", "-u", "2", "-E", "4", "--starts", "2", "-j", "2", \
        "-s", "until.distance=40", "-s", "output.interval=50 ms", "-q"

static void expect_evaluations(const char *study, int rows)
{
    CHECK_FREED(page_data) page = view(study);
    const kane_node *kept       = page_at(page.root, "study.kept");
    CHECK_MEMORY double *most   = numbers_of(&page, "max(body.y)");
    assert_int_equal(kept->count, rows);
    assert_int_equal(page_at(page.root, "runs")->count, rows);
    for (int i = 0; i < rows; i++) {
        int count;
        double *y = rows_of(&page, (int)page_number(kane_node_at(kept, i), "1"), "body.y", &count), greatest = y[0];
        double least = y[0];
        for (int k = 1; k < count; k++) {
            greatest = fmax(greatest, y[k]);
            least    = fmin(least, y[k]);
        }
        check_near(greatest, most[i], 1e-7 * (greatest - least));
        free(y);
    }
    assert_true(most[0] != most[1]);
}

// Of two searches beside each other, which write text.
CHECK_TEST(every_evaluation_of_a_search_is_kept)
{
    assert_int_equal(CALL(OPTIMISE, "-o", "search"), 0);
    assert_int_equal(CALL(OPTIMISE, "--keep", "-o", "kept"), 0);
    expect_same("search/convergence.csv", "kept/convergence.csv");
    expect_same("search/transitions.csv", "kept/transitions.csv");
    assert_int_equal(access("kept/case-0005/results.csv", R_OK), 0);
    expect_evaluations("kept", 8);
}

// --- rods ---

static void expect_equal_rows(const char *a, const char *b, const char *channel, int are_equal)
{
    CHECK_ERRORS errors = {0};
    kane_results *r[]   = {kane_results_open(a, &errors), kane_results_open(b, &errors)};
    assert_true(r[0] && r[1]);
    const double *x = kane_results_values(r[0], kane_results_find(r[0], channel, &errors));
    const double *y = kane_results_values(r[1], kane_results_find(r[1], channel, &errors));
    int same        = kane_results_row_count(r[0]) == kane_results_row_count(r[1]);
    for (int i = 0; same && i < kane_results_row_count(r[0]); i++)
        same = x[i] == y[i];
    assert_true(kane_results_row_count(r[0]) > 5);
    assert_int_equal(same, are_equal);
    kane_results_free(r[0]);
    kane_results_free(r[1]);
}

// Every method's run is what kane run makes of the same settings; masses are in their manifests.
CHECK_TEST(every_method_for_rods_is_kept)
{
    assert_int_equal(CALL("study", "rods", SEDAN, "--time", "0.05", "--factors", "1,2", "--steps", "1e-3", "--keep",
                          "-q", "-o", "rods"),
                     0);
    assert_int_equal(CALL("run", SEDAN, "-q", "-o", "exact", "-s", "until.time=0.05", "-s", "integrator.method=rk4",
                          "-s", "integrator.step=1e-3"),
                     0);
    assert_int_equal(CALL("run", SEDAN, "-q", "-o", "linear", "-s", "until.time=0.05", "-s", "integrator.method=rk4",
                          "-s", "integrator.step=1e-3", "-s",
                          "integrator.rods={\"inertia\": \"all\", \"extrapolation\": \"linear\"}"),
                     0);
    expect_equal_rows("exact", "rods/case-0001-exact", "chassis.yaw", 1);
    expect_equal_rows("linear", "rods/case-0001-all-linear", "chassis.yaw", 1);
    expect_equal_rows("exact", "rods/case-0001-all-linear", "chassis.yaw", 0);
    expect_equal_rows("exact", "rods/case-0002-exact", "chassis.yaw", 0);
    expect("rods/case-0002-exact/manifest.json", "mechanism.constraints.front left tie rod.mass=4");
    CHECK_FREED(page_data) page = view("rods");
    const kane_node *kept       = page_at(page.root, "study.kept");
    assert_int_equal(kept->count, 14);
    assert_int_equal(page_at(page.root, "runs")->count, 14);
    for (int i = 0; i < 14; i++) {
        char path[80];
        const int run_of = (int)page_number(kane_node_at(kept, i), "1");
        (void)snprintf(path, sizeof path, "runs.%d.manifest.integrator.rods", run_of);
        const kane_node *is = page_at(page.root, path);
        assert_string_equal(is ? page_at(is, "inertia")->text : "exact", word_of(&page, "inertia", i));
        if (is && page_at(is, "extrapolation") && strcmp(page_at(is, "inertia")->text, "exact") != 0)
            assert_string_equal(page_at(is, "extrapolation")->text, word_of(&page, "extrapolation", i));
    }
}

CHECK_MAIN(begin, leave_folder)
