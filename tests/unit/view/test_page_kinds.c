// SPDX-License-Identifier: MIT
// Every kind of page in a browser, skipped where there is no Chromium or no page: runs, modes, and studies of all kinds
// of which no run was kept. Each has its title, its table, and a picture where there are bodies.

#include "unit/view/browser.h"

#define STEPS KANE_SOURCE_DIR "/tests/unit/view/kind_steps.js"
#define SEDAN KANE_SOURCE_DIR "/data/runs/mechanism-sedan.json"
#define SHORT "-s", "until.distance=20", "-s", "output.interval=20 ms", "-q"

static const char *program;

// A page with its steps at the end. rows: of a study; 0: it is none, -1: some.
static void expect_page(const char *page, const char *words, int rows, int stage)
{
    char wanted[300];
    (void)snprintf(wanted, sizeof wanted, "<script>\nconst wanted = { words: [%s], rows: %d, stage: %s };\n", words,
                   rows, stage ? "true" : "false");
    append(page, wanted);
    append(page, content(STEPS));
    append(page, "</script>\n");
    open_page(program, page, "--dump-dom", 2500);
    const char *done = strstr(content("dom"), "DONE ");
    if (!done)
        fail_msg("%s did not come to its end", page);
    if (strncmp(done, "DONE 0 failures", 15) != 0)
        fail_msg("%s: %.600s", page, done);
}

static void enter_browser(void)
{
    static const char ear[] =
        "<script>window.failures = []; addEventListener('error', (e) => failures.push(e.message)); "
        "addEventListener('unhandledrejection', (e) => failures.push(String(e.reason)));"
        "window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);"
        "console.error = (...what) => failures.push(what.join(' '));</script>";
    program = browser_or_skip(ear);
}

static void view(const char *of, const char *page)
{
    assert_int_equal(CALL("view", of, "-p", "page", "-o", page), 0);
}

CHECK_TEST(pages_of_runs_and_modes_show_bodies)
{
    enter_browser();
    assert_int_equal(CALL("run", RUN, SHORT, "-o", "slow"), 0);
    assert_int_equal(CALL("run", RUN, SHORT, "-s", "start.speed=12", "-o", "fast"), 0);
    view("slow", "run.html");
    expect_page("run.html", "'two-axle-wagon', 'wagon-transition'", 0, 1);
    assert_int_equal(CALL("view", "slow", "fast", "-p", "page", "-o", "both.html"), 0);
    expect_page("both.html", "'two-axle-wagon', 'wagon-transition', 'start.speed=12'", 0, 1);
    assert_int_equal(CALL("modes", RUN, "--view", "modes.html", "--page", "page"), 0);
    expect_page("modes.html", "'wagon', 'wagon-transition'", 0, 1);
}

CHECK_TEST(pages_of_studies_without_runs_show_their_tables)
{
    enter_browser();
    assert_int_equal(CALL("sweep", RUN, "--over", "speed=10,15,20", "-m", "max(body.y)", SHORT, "-o", "sweep"), 0);
    view("sweep", "sweep.html");
    expect_page("sweep.html", "'two-axle-wagon', 'wagon-transition', 'sweep'", 3, 0);
    assert_int_equal(CALL("study", "omit", RUN, "--omit", "body:torque.rotation.z", "--response", "body.yaw",
                          "--accelerations", "0", "--strongest", "0", SHORT, "-o", "omit"),
                     0);
    view("omit", "omit.html");
    expect_page("omit.html", "'two-axle-wagon', 'wagon-transition', 'omission'", 2, 0);
    assert_int_equal(CALL("study", "transitions", RUN, "-f", "clothoid,bloss", "-c", "peak(body.y)", "-s",
                          "start.at=35", SHORT, "-o", "transitions"),
                     0);
    view("transitions", "transitions.html");
    expect_page("transitions.html", "'two-axle-wagon', 'wagon-transition', 'transitions'", 2, 0);
    assert_int_equal(
        CALL("critical", RUN, "--from=22", "--to=24", "--step=1", "--resolution=1", "-q", "-o", "critical"), 0);
    view("critical", "critical.html");
    expect_page("critical.html", "'freight wagon', 'wagon-transition', 'limit cycles'", -1, 0);
    assert_int_equal(
        CALL("study", "rods", SEDAN, "--time", "0.05", "--factors", "1,2", "--steps", "1e-3", "-q", "-o", "rods"), 0);
    view("rods", "rods.html");
    expect_page("rods.html", "'sedan', 'mechanism-sedan', 'rods'", 14, 0);
    assert_int_equal(CALL("study", "optimise", RUN, "-s", "start.at=35", SHORT, "-u", "1", "-E", "4", "-c",
                          "peak(body.yaw)", "-o", "found"),
                     0);
    view("found", "found.html");
    expect_page("found.html", "'two-axle-wagon', 'wagon-transition', 'optimise'", -1, 0);
}

CHECK_MAIN(enter_folder, leave_folder)
