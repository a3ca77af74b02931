// SPDX-License-Identifier: MIT
// kane view: what a page holds is what was computed, bodies in joints too; what cannot be shown is told.

#include "unit/apps/program.h"
#include "unit/view/page_data.h"

#include <kane/view.h>

#define FOUR_BAR KANE_SOURCE_DIR "/data/runs/wagon-four-bar.json"

static void write_template(void)
{
    write_file("page", "<html>before " KANE_VIEW_MARK " behind</html>\n");
}

static void call_run(const char *run, const char *to, const char *until, const char *more)
{
    assert_int_equal(CALL("run", run, "-q", "-o", to, "-s", until, "-s", more), 0);
}

// A wagon, one with a mechanism on it, in both formulations, and a mechanism.
static int make_runs(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    write_template();
    call_run(RUN, "wagon", "until.distance=100", "output.interval=0.02");
    call_run(FOUR_BAR, "four", "until.distance=100", "output.interval=0.02");
    call_run(FOUR_BAR, "fixed", "until.distance=100", "formulation=fixed");
    call_run(KANE_SOURCE_DIR "/data/runs/mechanism-squeezer.json", "squeezer", "until.time=0.02",
             "output.interval=0.0005");
    return 0;
}

static page_data make_page(const char *results)
{
    const kane_view_settings settings = {.page = "page"};
    kane_view_report report;
    CHECK_ERRORS errors = {0};
    assert_int_equal(kane_view_write(1, &results, &settings, "out.html", &report, &errors), KANE_OK);
    assert_string_equal(report.missing[0], "");
    page_data page = page_read("out.html");
    assert_true(report.bytes == (long long)strlen(page.text));
    return page;
}

CHECK_TEST(channels_come_back)
{
    CHECK_ERRORS errors                = {0};
    CHECK_FREED(page_data) page        = make_page("wagon");
    CHECK_OWNED(kane_results) *results = kane_results_open("wagon", &errors);
    const kane_node *list              = page_at(page.root, "runs.0.channels");
    const int column_count             = kane_results_column_count(results);
    assert_int_equal(list->count, column_count);
    for (int c = 0; c < column_count; c++) {
        const kane_node *channel = kane_node_at(list, c);
        const double *values     = kane_results_values(results, c);
        int count;
        double *row = page_row(&page, page_at(channel, "values"), &count), least = values[0], greatest = values[0];
        assert_int_equal(count, kane_results_row_count(results));
        assert_string_equal(page_at(channel, "name")->text, kane_results_column(results, c)->name);
        assert_string_equal(page_at(channel, "unit")->text, kane_results_column(results, c)->unit);
        for (int i = 0; i < count; i++) {
            least    = fmin(least, values[i]);
            greatest = fmax(greatest, values[i]);
        }
        for (int i = 0; i < count; i++) {
            assert_true(fabs(row[i] - values[i]) <= 3.1e-8 * (greatest - least) + 1e-15 * fabs(values[i]));
            assert_true(c > 1 || row[i] == values[i]); // time, distance
        }
        free(row);
    }
    assert_true(strncmp(page.text, "<html>before <script", 20) == 0);
    assert_non_null(strstr(page.text, "</script>\n behind</html>\n"));
    assert_string_equal(page_at(page.root, "runs.0.manifest.key")->text, kane_results_key(results));
}

// Six coordinates of every body, as the page has them, and as they were recorded by the run itself: those of bodies in
// joints and loops are found again from coordinates of joints alone.
static void expect_motions(const char *results, const char *body, double tolerance)
{
    static const char *const names[]    = {"x", "y", "z", "yaw", "roll", "pitch"};
    CHECK_ERRORS errors                 = {0};
    CHECK_FREED(page_data) page         = make_page(results);
    CHECK_OWNED(kane_results) *recorded = kane_results_open(results, &errors);
    const kane_node *scene              = page_at(page.root, "runs.0.scene");
    const kane_node *found              = page_named(page_at(scene, "bodies"), body);
    for (int k = 0; k < 6; k++) {
        char name[96];
        int count;
        (void)snprintf(name, sizeof name, "%s.%s", body, names[k]);
        const int column = kane_results_find(recorded, name, &errors);
        assert_true(column >= 0);
        const double *values     = kane_results_values(recorded, column);
        CHECK_MEMORY double *row = page_row(&page, kane_node_at(page_at(found, "motion"), k), &count);
        assert_int_equal(count, kane_results_row_count(recorded));
        for (int i = 0; i < count; i++) {
            const double difference = row[i] - values[i], turn = 2.0 * acos(-1.0);
            const double left = k < 3 ? difference : difference - turn * round(difference / turn);
            if (fabs(left) > check_tolerance(tolerance))
                fail_msg("%s: %s, row %d: %.9g instead of %.9g", results, name, i, row[i], values[i]);
        }
    }
}

CHECK_TEST(bodies_are_where_they_were)
{
    expect_motions("wagon", "body", 1e-6); // 32 bits of 0.02 m; the spin of wheels in full
    expect_motions("wagon", "leading", 2e-5);
    expect_motions("four", "thrust rod", 1e-6);
    expect_motions("four", "upper arm", 1e-6);
    expect_motions("four", "body", 1e-6);
    expect_motions("four", "leading", 2e-5);
    expect_motions("fixed", "thrust rod", 1e-6);
    expect_motions("fixed", "trailing", 2e-5);
    expect_motions("squeezer", "K5", 1e-6);
    expect_motions("squeezer", "K3", 1e-6);
}

// Bodies in frames that are given over time are shown where they are in A, which channels of their own say.
CHECK_TEST(bodies_in_given_frames_are_where_they_were)
{
    static const char *const names[] = {"place.x", "place.y", "place.z"};
    CHECK_ERRORS errors              = {0};
    assert_int_equal(CALL("run", KANE_SOURCE_DIR "/data/runs/mechanism-ship-crane.json", "-q", "-o", "ship", "-s",
                          "until.time=8", "-c", "default,frames"),
                     0);
    CHECK_FREED(page_data) page        = make_page("ship");
    CHECK_OWNED(kane_results) *results = kane_results_open("ship", &errors);
    const kane_node *load              = page_named(page_at(page.root, "runs.0.scene.bodies"), "load");
    assert_string_equal(page_at(load, "against")->text, "world");
    for (int k = 0; k < 3; k++) {
        char name[64];
        double range = 0.0;
        (void)snprintf(name, sizeof name, "load.%s", names[k]);
        const double *values     = kane_results_values(results, kane_results_find(results, name, &errors));
        CHECK_MEMORY double *row = page_row(&page, kane_node_at(page_at(load, "motion"), k), NULL);
        for (int i = 0; i < kane_results_row_count(results); i++) {
            range = fmax(range, fabs(values[i] - values[0]));
            check_below(fabs(row[i] - values[i]), 1e-6);
        }
        assert_true(range > 0.01);
    }
}

// Points of the line as the track itself says them; the place of a wheelset ahead of the guide.
CHECK_TEST(the_line_is_the_tracks)
{
    CHECK_ERRORS errors         = {0};
    CHECK_FREED(page_data) page = make_page("wagon");
    const kane_node *line       = page_at(page.root, "runs.0.scene.line");
    CHECK_OWNED(kane_track) *track =
        kane_track_read(KANE_SOURCE_DIR "/data/tracks/short-transition.json", NULL, &errors);
    assert_non_null(track);
    const double from = page_number(line, "from"), step = page_number(line, "step");
    int count;
    CHECK_MEMORY double *x    = page_row(&page, page_at(line, "x"), &count),
                        *y    = page_row(&page, page_at(line, "y"), NULL);
    CHECK_MEMORY double *z    = page_row(&page, page_at(line, "z"), NULL),
                        *yaw  = page_row(&page, page_at(line, "yaw"), NULL);
    CHECK_MEMORY double *roll = page_row(&page, page_at(line, "roll"), NULL);
    assert_true(from < -140.0 && from + step * (count - 1) > 100.0 + 140.0);
    for (int i = 0; i < count; i++) {
        const double s  = from + i * step;
        const int piece = kane_track_find(track, s);
        kane_track_frame f;
        kane_track_eval(track, piece, s, &f);
        const kane_vec3 r = kv3_add(kane_track_anchor(track, piece), f.origin);
        check_below(fabs(x[i] - r.x) + fabs(y[i] - r.y) + fabs(z[i] - r.z), 1e-9);
        check_below(fabs(tan(yaw[i]) - f.R.x.y / f.R.x.x), 1e-6); // first column: the tangent
        check_below(fabs(sin(roll[i]) - f.R.y.z), 1e-6);          // a level line
    }
    const kane_node *bodies = page_at(page.root, "runs.0.scene.bodies");
    assert_true(page_number(page_named(bodies, "leading"), "offset") == 4.5);
    assert_true(page_number(page_named(bodies, "trailing"), "offset") == -4.5);
    assert_true(fabs(page_number(page_named(bodies, "leading"), "load.0") - 89516.25) < 0.1);
    const kane_node *spring = page_named(page_at(page.root, "runs.0.scene.elements"), "leading axlebox right");
    assert_true(page_number(spring, "b.at.1") == -1.0 && page_number(spring, "b.body") == 1.0);
}

// A part of a mechanism is held where its neighbours are: both say the same point of the world.
CHECK_TEST(parts_are_drawn_between_their_joints)
{
    CHECK_FREED(page_data) page = make_page("squeezer");
    const kane_node *bodies     = page_at(page.root, "runs.0.scene.bodies");
    const kane_node *crank = page_named(bodies, "K1"), *next = page_named(bodies, "K2");
    double reach = 0.0;
    assert_true(page_at(crank, "holds")->count >= 2);
    // K1 is 7 mm long (the crank of Andrews' squeezer): from its bearing to where K2 hangs
    for (int axis = 0; axis < 3; axis++) {
        char a[32], b[32];
        (void)snprintf(a, sizeof a, "holds.0.%d", axis);
        (void)snprintf(b, sizeof b, "holds.1.%d", axis);
        reach += pow(page_number(crank, a) - page_number(crank, b), 2.0);
    }
    check_below(fabs(sqrt(reach) - 0.007), 1e-9);
    assert_non_null(next);
}

// Points of an end at rest, as the vehicle's file draws them.
static void expect_end(const kane_node *bodies, const kane_node *end, const char *body, const double at[3])
{
    const kane_node *of = kane_node_at(bodies, (int)page_number(end, "body"));
    assert_string_equal(page_at(of, "name")->text, body);
    for (int axis = 0; axis < 3; axis++) {
        char own[16], position[16];
        (void)snprintf(own, sizeof own, "at.%d", axis);
        (void)snprintf(position, sizeof position, "position.%d", axis);
        check_below(fabs(page_number(of, position) + page_number(end, own) - at[axis]), 1e-9);
    }
}

// A car has a road, wheels on tyres, and rods that are no bodies.
CHECK_TEST(a_car_has_what_it_stands_on)
{
    static const double flex[2][3] = {{1.088, 0.27, 0.271}, {1.1506, 0.645, 0.3139}}; // vehicles/sedan.json
    call_run(KANE_SOURCE_DIR "/data/runs/sedan-curve.json", "sedan", "until.time=1", "output.interval=0.05");
    CHECK_FREED(page_data) page = make_page("sedan");
    const kane_node *scene = page_at(page.root, "runs.0.scene"), *bodies = page_at(scene, "bodies");
    const kane_node *rods = page_at(scene, "rods"), *rod = page_named(rods, "front left tie rod");
    assert_int_equal(page_at(scene, "line.road")->kind, KANE_NODE_TRUE);
    assert_null(page_at(scene, "line.rail_left"));
    assert_int_equal(rods->count, 12);
    assert_true(page_number(rod, "mass") == 2.0);
    expect_end(bodies, page_at(rod, "a"), "rack", flex[0]);
    expect_end(bodies, page_at(rod, "b"), "front left knuckle", flex[1]);
    // a tyre rolls on less than its free radius, 0.344 m, and more than it stands on, which is drawn as 0.33 m
    for (const kane_node *body = bodies->child; body; body = body->next) {
        const kane_node *tyres = page_at(body, "tyres");
        assert_int_equal(tyres->count, strstr(page_at(body, "name")->text, "wheel") != NULL);
        if (tyres->count > 0) {
            assert_true(page_number(tyres, "0.radius") > 0.33 && page_number(tyres, "0.radius") < 0.344);
            assert_true(fabs(page_number(tyres, "0.axle.1")) == 1.0);
        }
    }
}

// Panels of track are where their channels say; without these they are there, and rest.
CHECK_TEST(panels_of_track_move)
{
    static const char *const coordinates[3] = {"y", "z", "roll"};
    static const char run[]                 = KANE_SOURCE_DIR "/data/runs/wagon-flexible.json";
    CHECK_ERRORS errors                     = {0};
    assert_int_equal(CALL("run", run, "-q", "-o", "panels", "-s", "until.distance=60", "-c", "default,track"), 0);
    page_data page          = make_page("panels");
    kane_results *results   = kane_results_open("panels", &errors);
    const kane_node *bodies = page_at(page.root, "runs.0.scene.bodies");
    const kane_node *panels = page_at(page.root, "runs.0.scene.panels");
    const kane_node *panel  = page_named(panels, "trailing.track");
    assert_int_equal(panels->count, 2);
    assert_true(page_number(panel, "offset") == -4.5);
    assert_string_equal(page_at(kane_node_at(bodies, (int)page_number(panel, "wheelset")), "name")->text, "trailing");
    for (int k = 0; k < 3; k++) {
        char name[64];
        int count;
        double range = 0.0;
        (void)snprintf(name, sizeof name, "trailing.track.%s", coordinates[k]);
        const double *values     = kane_results_values(results, kane_results_find(results, name, &errors));
        CHECK_MEMORY double *row = page_row(&page, kane_node_at(page_at(panel, "motion"), k), &count);
        assert_int_equal(count, kane_results_row_count(results));
        for (int i = 0; i < count; i++) {
            range = fmax(range, fabs(values[i]));
            check_below(fabs(row[i] - values[i]), 1e-10);
        }
        assert_true(range > 1e-6);
    }
    kane_results_free(results);
    page_data_free(&page);
    assert_int_equal(CALL("run", run, "-q", "-o", "panels", "-s", "until.distance=10", "-c", "motions"), 0);
    page = make_page("panels");
    assert_int_equal(page_at(page.root, "runs.0.scene.panels")->count, 2);
    assert_null(page_at(page.root, "runs.0.scene.panels.0.motion"));
    page_data_free(&page);
}

// Names of files are relative to where a run was carried out: that is the nearest directory above the results that has
// them.
CHECK_TEST(a_run_is_found_from_another_directory)
{
    assert_int_equal(
        system("mkdir -p there/out && cp -r '" KANE_SOURCE_DIR "/data' '" KANE_SOURCE_DIR "/vehicles' there"), 0);
    assert_int_equal(chdir("there"), 0);
    call_run("data/runs/wagon-transition.json", "out/one", "until.distance=10", "output.interval=0.05");
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(CALL("view", "there/out/one", "-p", "page", "-o", "out.html"), 0);
    assert_string_equal(content("err"), "");
    page_data page = page_read("out.html");
    assert_true(page_at(page.root, "runs.0.scene.bodies")->count >= 3);
    page_data_free(&page);
    assert_int_equal(system("rm -r there"), 0);
}

CHECK_TEST(a_run_that_cannot_be_read_again_has_curves_alone)
{
    assert_int_equal(system("mkdir -p moved && cp -r '" KANE_SOURCE_DIR "/data' '" KANE_SOURCE_DIR "/vehicles' moved"),
                     0);
    call_run("moved/data/runs/wagon-transition.json", "changed", "until.distance=40", "output.interval=0.05");
    assert_int_equal(CALL("view", "changed", "-p", "page", "-o", "out.html"), 0);
    assert_string_equal(content("err"), "");
    expect("out", "out.html: ");
    assert_int_equal(system("echo >> moved/vehicles/two-axle-wagon.json"), 0);
    assert_int_equal(CALL("view", "changed", "-p", "page", "-o", "out.html"), 0);
    expect("err", "changed: curves alone, nothing in 3-D: ");
    expect("err", "two-axle-wagon.json has been changed since the run");
    page_data page = page_read("out.html");
    assert_non_null(strstr(page_at(page.root, "runs.0.scene.missing")->text, "has been changed"));
    assert_true(page_at(page.root, "runs.0.channels")->count > 40);
    page_data_free(&page);
    assert_int_equal(system("rm -r moved"), 0);
    assert_int_equal(CALL("view", "changed", "-p", "page", "-o", "out.html"), 0);
    expect("err", "is gone: it lies neither below the present directory nor below one above the results");
    write_file("table.csv", "time,a\ns,m\n0,1\n1,2\n"); // somebody else's
    assert_int_equal(CALL("view", "table.csv", "-p", "page", "-o", "out.html"), 0);
    expect("err", "the results do not name a run file");
}

// A car body that bounces does little else; what stands on the page is what is printed.
CHECK_TEST(modes_are_those_that_are_printed)
{
    static const char run[] = KANE_SOURCE_DIR "/data/runs/coach-straight.json";
    CHECK_ERRORS errors     = {0};
    assert_int_equal(CALL("modes", run, "--json", "--view", "out.html", "--page", "page"), 0);
    page_data page           = page_read("out.html");
    const char *text         = content("out");
    const kane_node *json    = kane_json_parse(page.arena, "out", text, strlen(text), &errors);
    const kane_node *printed = page_at(json, "modes"), *modes = page_at(page.root, "runs.0.modes");
    const kane_node *bodies = page_at(page.root, "runs.0.scene.bodies");
    int seen                = 0;
    assert_non_null(printed);
    for (const kane_node *m = modes->child; m; m = m->next) {
        const kane_node *same = kane_node_at(printed, seen++);
        const char *name      = page_at(m, "name")->text;
        while (same && strcmp(page_at(same, "name")->text, name) != 0) // rigid modes are printed, and do not move here
            same = kane_node_at(printed, seen++);
        assert_non_null(same);
        assert_true(fabs(page_number(m, "frequency") - page_number(same, "frequency")) <
                    1e-5 * (1.0 + page_number(m, "frequency")));
        assert_int_equal(page_at(m, "shape_re")->count, bodies->count);
        if (strcmp(name, "car bounce") == 0) {
            const double z = page_number(page_at(m, "shape_re"), "0.2");
            assert_string_equal(page_at(kane_node_at(bodies, 0), "name")->text, "car");
            check_below(fabs(fabs(z) - 1.0), 0.05);
            assert_true(fabs(page_number(page_at(m, "shape_re"), "0.1")) < 1e-6);
        }
    }
    assert_true(modes->count > 10);
    page_data_free(&page);
    assert_int_equal(CALL("modes", run, "--over", "speed=10:20:2", "--view", "out.html"), 2);
    assert_int_equal(CALL("modes", run, "--page", "page"), 2);
}

CHECK_TEST(channels_can_be_chosen)
{
    assert_int_equal(
        CALL("view", "wagon", "-c", "body.?,*.Q", "-t", "</script> & more", "-p", "page", "-o", "out.html"), 0);
    page_data page = page_read("out.html"); // the title ends no element
    assert_int_equal(page_at(page.root, "runs.0.channels")->count, 2 + 3 + 4);
    assert_string_equal(page_at(page.root, "title")->text, "</script> & more");
    page_data_free(&page);
    assert_int_equal(CALL("view", "wagon", "four", "-p", "page", "-o", "out.html"), 0);
    page = page_read("out.html");
    assert_int_equal(page_at(page.root, "runs")->count, 2);
    page_data_free(&page);
}

CHECK_TEST(mistakes_are_told)
{
    write_file("kept.html", "kept");
    assert_int_equal(CALL("view", "wagon", "-c", "bodi.y", "-p", "page", "-o", "kept.html"), 3);
    expect("err", "wagon: no channel is called 'bodi.y'; did you mean 'body.y'?");
    assert_int_equal(CALL("view", "nowhere", "-p", "page", "-o", "kept.html"), 6);
    expect("err", "nowhere");
    assert_int_equal(CALL("view", "wagon", "four", "nowhere", "-p", "page", "-o", "kept.html"), 6);
    write_file("empty", "<html></html>");
    assert_int_equal(CALL("view", "wagon", "-p", "empty", "-o", "kept.html"), 3);
    expect("err", "empty: is no page for runs: it has no <!-- kane:data -->");
    assert_int_equal(CALL("view", "wagon", "-p", "absent", "-o", "kept.html"), 6);
    assert_string_equal(content("kept.html"), "kept");
    assert_int_equal(system("ls | grep -c kept > count"), 0);
    assert_string_equal(content("count"), "1\n");
    assert_int_equal(CALL("view", "wagon", "-p", "page", "-o", "no/such/page.html"), 6);
    assert_int_equal(CALL("view", "wagon"), 2);
    expect("err", "which page? --output=FILE.html");
    assert_int_equal(CALL("view", "-o", "out.html"), 2);
    assert_int_equal(CALL("view", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-o", "out.html"), 2);
    write_file("rows.csv", "time,a\ns,m\n"); // none
    assert_int_equal(CALL("view", "rows.csv", "-p", "page", "-o", "kept.html"), 3);
    expect("err", "rows.csv: ");
}

CHECK_TEST(the_library_checks_how_many)
{
    const kane_view_settings settings = {.page = "page"};
    CHECK_ERRORS errors               = {0};
    assert_int_equal(kane_view_write(0, NULL, &settings, "out.html", NULL, &errors), KANE_BAD_ARGUMENT);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "1 to 8 runs"));
    assert_int_equal(kane_view_write(9, NULL, &settings, "out.html", NULL, NULL), KANE_BAD_ARGUMENT);
}

CHECK_MAIN(make_runs, leave_folder)
