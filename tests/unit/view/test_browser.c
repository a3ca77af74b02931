// SPDX-License-Identifier: MIT
// The page in a browser, skipped where there is no Chromium or no page: it opens without an error, shows bodies
// where the run had them, the replay moves, curves and picture share their moment.

#include "unit/view/browser.h"

#include "math/small.h"

#define STEPS       KANE_SOURCE_DIR "/tests/unit/view/steps.js"
#define PART_STEPS  KANE_SOURCE_DIR "/tests/unit/view/part_steps.js"
#define CAR_STEPS   KANE_SOURCE_DIR "/tests/unit/view/car_steps.js"
#define LINK_STEPS  KANE_SOURCE_DIR "/tests/unit/view/link_steps.js"
#define OMIT_STEPS  KANE_SOURCE_DIR "/tests/unit/view/omit_steps.js"
#define STUDY_STEPS KANE_SOURCE_DIR "/tests/unit/view/study_steps.js"

// Collects errors before anything else runs.
static const char *listening_browser(void)
{
    static const char listener[] =
        DRAW_BY_TIMERS "<script>window.failures = []; addEventListener('error', (e) => failures.push(e.message)); "
                       "addEventListener('unhandledrejection', (e) => failures.push(String(e.reason)));"
                       "console.error = (...what) => failures.push(what.join(' '));</script>";
    return browser_or_skip(listener);
}

// What the steps at the end of a page have found.
static void expect_no_failures(const char *program, const char *page)
{
    open_page(program, page, "--dump-dom", 20000);
    const char *done = strstr(content("dom"), "DONE ");
    if (!done)
        fail_msg("the page did not come to its end");
    if (strncmp(done, "DONE 0 failures", 15) != 0)
        fail_msg("%s", done);
}

// Where two bodies are in some rows by the track's frames and the recorded coordinates.
static void write_places(FILE *file)
{
    static const char *const bodies[] = {"body", "leading", "trailing"};
    static const double ahead[]       = {0.0, 4.5, -4.5};
    static const int rows[]           = {0, 57, 133, 211};
    CHECK_ERRORS errors               = {0};
    CHECK_OWNED(kane_results) *r      = kane_results_open("run", &errors);
    CHECK_OWNED(kane_track) *track =
        kane_track_read(KANE_SOURCE_DIR "/data/tracks/short-transition.json", NULL, &errors);
    assert_non_null(r);
    assert_non_null(track);
    const double *distance = kane_results_values(r, kane_results_find(r, "distance", &errors));
    (void)fprintf(file, "const places = [");
    for (int i = 0; i < 12; i++) {
        const char *axes[] = {"x", "y", "z"};
        const int body = i % 3, row = rows[i / 3];
        double q[3];
        for (int k = 0; k < 3; k++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s.%s", bodies[body], axes[k]);
            q[k] = kane_results_values(r, kane_results_find(r, name, &errors))[row];
        }
        const double s  = 10.0 + distance[row] + ahead[body]; // the run starts there
        const int piece = kane_track_find(track, s);
        kane_track_frame f;
        kane_track_eval(track, piece, s, &f);
        const kane_vec3 at =
            kv3_add(kv3_add(kane_track_anchor(track, piece), f.origin), km3_mulv(f.R, kv3(q[0], q[1], q[2])));
        (void)fprintf(file, "[%d, '%s', %.9g, %.9g, %.9g], ", row, bodies[body], at.x, at.y, at.z);
    }
    (void)fprintf(file, "];\n");
}

CHECK_TEST(the_page_works)
{
    const char *program = listening_browser();
    assert_int_equal(CALL("run", RUN, "-q", "-o", "run", "-s", "until.distance=120", "-s", "output.interval=0.02", "-c",
                          "default,imaginary,contact"),
                     0);
    assert_int_equal(CALL("view", "run", "-p", "page", "-o", "run.html"), 0);
    FILE *file = fopen("run.html", "a");
    assert_non_null(file);
    (void)fputs("<script>\n", file);
    write_places(file);
    (void)fprintf(file, "%s</script>\n", content(STEPS));
    assert_int_equal(fclose(file), 0);
    expect_no_failures(program, "run.html");
}

// Opens a page with steps at its end, after what they are to know.
static void walk(const char *program, const char *page, const char *known, const char *steps)
{
    append(page, "<script>\n");
    append(page, known);
    append(page, content(steps));
    append(page, "</script>\n");
    expect_no_failures(program, page);
}

// Where the first sensor is in row 50: the body as it was recorded, on the track as it is.
static void write_sensor_place(size_t size, char *text)
{
    static const char *const names[] = {"x", "y", "z", "yaw", "roll", "pitch"};
    static const kane_vec3 arm       = {4.5, 0.0, 1.2 - 1.6}; // from the mass centre: vehicles/two-axle-wagon.json
    CHECK_ERRORS errors              = {0};
    CHECK_OWNED(kane_results) *r     = kane_results_open("run", &errors);
    CHECK_OWNED(kane_track) *track   = kane_track_read(KANE_SOURCE_DIR "/data/tracks/flexible.json", NULL, &errors);
    kane_track_frame f;
    double q[6];
    assert_non_null(r);
    assert_non_null(track);
    for (int k = 0; k < 6; k++) {
        char name[64];
        (void)snprintf(name, sizeof name, "body.%s", names[k]);
        q[k] = kane_results_values(r, kane_results_find(r, name, &errors))[50];
    }
    const double s  = 10.0 + kane_results_values(r, kane_results_find(r, "distance", &errors))[50];
    const int piece = kane_track_find(track, s);
    kane_track_eval(track, piece, s, &f);
    const kane_vec3 own = kv3_add(kv3(q[0], q[1], q[2]), km3_mulv(kane_matrix_from_angles(q[3], q[4], q[5]), arm));
    const kane_vec3 at  = kv3_add(kv3_add(kane_track_anchor(track, piece), f.origin), km3_mulv(f.R, own));
    (void)snprintf(text, size, "const sensorPlace = [%.9g, %.9g, %.9g];\n", at.x, at.y, at.z);
}

CHECK_TEST(sensors_and_panels_of_track_are_shown)
{
    const char *program = listening_browser();
    char known[160];
    assert_int_equal(CALL("run", KANE_SOURCE_DIR "/data/runs/wagon-flexible.json", "-q", "-o", "run", "-s",
                          "until.distance=80", "-s", "output.interval=0.02", "-c", "default,track", "-s",
                          "track.check_rails=[{\"from\":40,\"to\":60,\"rail\":\"right\",\"flangeway\":0.045,"
                          "\"flare\":5,\"opening\":0.08,\"height\":0.02}]"),
                     0);
    assert_int_equal(CALL("view", "run", "-p", "page", "-o", "parts.html"), 0);
    write_sensor_place(sizeof known, known);
    walk(program, "parts.html", known, PART_STEPS);
}

CHECK_TEST(a_car_is_shown)
{
    const char *program = listening_browser();
    assert_int_equal(CALL("run", KANE_SOURCE_DIR "/data/runs/sedan-slalom.json", "-q", "-o", "car", "-s",
                          "until.time=3", "-c", "default,elements"),
                     0);
    assert_int_equal(CALL("view", "car", "-p", "page", "-o", "car.html"), 0);
    walk(program, "car.html", "", CAR_STEPS);
}

// The last link of a report to a curve, as a browser reads it: the page with what it asks for.
static void find_link(size_t size, char *link)
{
    const char *text = content("report.html"), *last = NULL;
    for (const char *at = text; (at = strstr(at, "href=\"both.html#")) != NULL; at++)
        last = at + strlen("href=\"");
    assert_non_null(last);
    size_t put = 0;
    for (; *last != '"' && put + 1 < size; put++) {
        link[put] = *last;
        last += strncmp(last, "&amp;", 5) == 0 ? 5 : 1;
    }
    link[put] = '\0';
}

// What a report says of a section leads to the curves of that section, of the run that it is of; other addresses do
// alike.
CHECK_TEST(an_address_leads_to_curves)
{
    const char *program = listening_browser();
    char link[200], known[400], name[100];
    double from, to;
    int run;
    for (int i = 0; i < 2; i++)
        assert_int_equal(CALL("run", RUN, "-q", "-o", i == 0 ? "slow" : "fast", "-s", "until.distance=120", "-s",
                              i == 0 ? "start.speed=15" : "start.speed=20", "-s", "output.interval=0.02", "-c",
                              "default,track"),
                         0);
    assert_int_equal(CALL("view", "slow", "fast", "-p", "page", "-o", "both.html"), 0);
    assert_int_equal(CALL("report", "slow", "fast", "--section=15", "--view", "both.html", "-o", "report.html"), 0);
    find_link(sizeof link, link);
    assert_int_equal(sscanf(link, "both.html#run=%d&from=%lf&to=%lf&curves=%99s", &run, &from, &to, name), 4);
    (void)snprintf(known, sizeof known, "const linked = { run: %d, from: %.17g, to: %.17g, curves: '%s' };\n", run,
                   from, to, name);
    append("both.html", "<script>\n");
    append("both.html", known);
    append("both.html", content(LINK_STEPS));
    append("both.html", "</script>\n");
    expect_no_failures(program, link);
}

CHECK_TEST(a_study_works)
{
    const char *program = listening_browser();
    assert_int_equal(CALL("sweep", RUN, "--over", "speed=10,15,20", "--over", "track.rail.friction=0.2,0.3,0.4", "-m",
                          "max(body.y)", "-m", "max(leading.left.Y)", "-s", "until.distance=40", "-s",
                          "output.interval=0.05", "--keep", "-q", "-o", "study"),
                     0);
    assert_int_equal(CALL("view", "study", "-p", "page", "-n", "1-8", "-o", "study.html"), 0);
    walk(program, "study.html", "", STUDY_STEPS);
}

// A row of an omission shows the run without the term over the complete one; where the term is zero all along there is
// that one alone.
CHECK_TEST(omissions_lie_over_complete_runs)
{
    const char *program = listening_browser();
    assert_int_equal(CALL("study", "omit", RUN, "--omit", "body:torque.rotation.z", "--omit",
                          "body:force.translation.x", "--response", "body.yaw", "--accelerations", "0,0.25", "-s",
                          "until.distance=40", "-s", "output.interval=50 ms", "--strongest", "0", "--keep", "-q", "-o",
                          "omit"),
                     0);
    assert_int_equal(CALL("view", "omit", "-p", "page", "-o", "omit.html"), 0);
    walk(program, "omit.html", "", OMIT_STEPS);
}

CHECK_MAIN(enter_folder, leave_folder)
