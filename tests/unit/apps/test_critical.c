// SPDX-License-Identifier: MIT
// kane critical: what it prints and leaves behind, also when it is stopped, and what it refuses.

#include "unit/apps/program.h"
#include "unit/view/page_data.h"

#include <kane/results.h>
#include <kane/view.h>

#define BOGIE  KANE_SOURCE_DIR "/data/runs/cooperrider-bogie.json"
#define PLAIN  KANE_SOURCE_DIR "/data/runs/kaas-petersen-bogie.json"
#define LINKED KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json"
// Weak lateral dampers: a small cycle from 22.7 m/s on.
#define HUNTER                                                                                                         \
    "-s", "vehicle.patterns.axlebox.damping=[\"20 kN s/m\",\"5 kN s/m\",\"20 kN s/m\"]", "-s", "integrator.rtol=1e-5"

CHECK_TEST(a_study_tells_and_leaves_what_it_found)
{
    double linear = 0.0, frequency = 0.0;
    assert_int_equal(CALL("critical", RUN, HUNTER, "--from=22", "--to=86.4 km/h", "--step=1", "--resolution=1",
                          "--disturbance=3 mm", "--wheelset=trailing", "--keep", "-o", "found/there"),
                     0);
    const char *told = strstr(content("out"), "linear critical speed:");
    assert_non_null(told);
    assert_int_equal(sscanf(told, "linear critical speed: %lf m/s (%*f km/h), %lf Hz", &linear, &frequency), 2);
    check_near(linear, 22.6728, 2e-3);
    check_near(frequency, 2.183, 2e-3);
    expect("out", "(hunting)");
    expect("out", "\ndown       24.0000  settled              2.005");
    expect("out", "\nup         22.0000  died                 0.0000");
    expect("out", " trailing ");
    assert_null(strstr(content("out"), " leading "));
    expect("err", "are in found/there");
    expect("found/there/points.csv",
           "speed,sweep,wheelset,amplitude,least,most,level,farthest,frequency,cycles,time,motion,fresh run\n"
           "m/s,,,m,m,m,m,m,Hz,1,s,,\n24,down,\"leading\",0.0032");
    expect("found/there/critical.json", "\"state\": \"done\"");
    expect("found/there/critical.json", "\"linear\": 22.67");
    expect("found/there/critical.svg", "linear critical speed");
    assert_int_equal(access("found/there/critical.png", R_OK), 0);
}

#define SHORT(...)                                                                                                     \
    CALL("critical", RUN, HUNTER, "--from=18", "--to=24", "--step=6", "--resolution=6", "--disturbance=3 mm", "-q",    \
         __VA_ARGS__)

// A number of critical.json behind its key.
static double find_number(const char *file, const char *key)
{
    const char *at = strstr(content(file), key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

// Critical speeds over a parameter are those of a study for each of its values, to the last bit; a study that was
// stopped after a shard goes on.
CHECK_TEST(speeds_over_a_parameter_are_those_of_each_value)
{
    static const char *const keys[] = {"\"linear\": ", "\"linear_frequency\": ", "\"nonlinear\": "};
    assert_int_equal(SHORT("--over=friction=0.3,0.4", "--keep", "-o", "over", "--shard=2/2"), 0);
    assert_int_equal(access("over/sweep.csv", F_OK), -1);
    assert_int_equal(SHORT("--over=friction=0.3,0.4", "--keep", "-o", "over", "-o", "speeds.csv"), 0);
    for (int i = 0; i < 2; i++) {
        double row[5];
        char text[64];
        assert_int_equal(SHORT("-o", "value", "-s", i == 0 ? "track.rail.friction=0.3" : "track.rail.friction=0.4"), 0);
        (void)snprintf(text, sizeof text, "\n%d,0.%d,done,", i + 1, i + 3);
        const char *line = strstr(content("speeds.csv"), text);
        assert_non_null(line);
        assert_int_equal(sscanf(line, "%lf,%lf,done,%lf,%lf,%lf", &row[0], &row[1], &row[2], &row[3], &row[4]), 5);
        for (int k = 0; k < 3; k++)
            assert_true(row[2 + k] == find_number("value/critical.json", keys[k]));
    }
    expect("speeds.csv", "case,friction,state,linear critical speed [m/s],linear frequency [Hz],nonlinear critical");
    expect("over/sweep.svg", "linear critical speed [m/s]");
    expect("over/sweep.svg", ">points derailed<"); // a number has no unit
}

// Nothing is said of speeds that were not looked at.
CHECK_TEST(no_critical_speed_up_to_the_fastest)
{
    assert_int_equal(CALL("critical", RUN, HUNTER, "--from=14", "--to=18", "--step=4", "--resolution=4",
                          "--disturbance=3 mm", "-q", "--over=friction=0.3", "-o", "none"),
                     0);
    expect("none/sweep.csv", "linear: none up to 18 m/s; nonlinear: none up to 18 m/s, all motion dies");
}

// The numbers of a column of a file that was kept, between least and greatest.
static void find_range(const char *file, const char *name, double range[2])
{
    CHECK_ERRORS errors   = {0};
    kane_results *results = kane_results_open(file, &errors);
    assert_non_null(results);
    const int column = kane_results_find(results, name, &errors), rows = kane_results_row_count(results);
    assert_true(column >= 0 && rows > 500);
    const double *values = kane_results_values(results, column);
    range[0] = range[1] = values[0];
    for (int i = 1; i < rows; i++) {
        range[0] = fmin(range[0], values[i]);
        range[1] = fmax(range[1], values[i]);
    }
    kane_results_free(results);
}

// A page of such a study has the motion at the slowest speed with a cycle, 24 m/s, of each case.
CHECK_TEST(slowest_cycles_of_all_cases_are_seen)
{
    write_file("page", "<html>before " KANE_VIEW_MARK " behind</html>\n");
    assert_int_equal(CALL("view", "over", "-p", "page", "-o", "over.html"), 0);
    assert_string_equal(content("err"), "");
    page_data page = page_read("over.html");
    assert_int_equal(page_at(page.root, "study.kept")->count, 2);
    assert_int_equal(page_at(page.root, "runs")->count, 2);
    for (int i = 0; i < 2; i++) {
        char file[64], path[32];
        double range[2], least = 1.0, most = -1.0;
        int count;
        (void)snprintf(file, sizeof file, "over/case-000%d/down-24.csv", i + 1);
        (void)snprintf(path, sizeof path, "runs.%d.channels", i);
        find_range(file, "leading.y", range);
        double *shown = page_row(&page, page_at(page_named(page_at(page.root, path), "leading.y"), "values"), &count);
        for (int k = 0; k < count; k++) {
            least = fmin(least, shown[k]);
            most  = fmax(most, shown[k]);
        }
        check_near(least, range[0], 1e-7 * (range[1] - range[0]));
        check_near(most, range[1], 1e-7 * (range[1] - range[0]));
        free(shown);
    }
    kane_arena_free(page.arena);
}

// The same over radii, which are options of a single study; points of all cases are in one table, failed ones too.
CHECK_TEST(radii_are_parameters_of_the_search)
{
    double row[3];
    assert_int_equal(SHORT("--over=radius=inf,20 km", "--cant=20 mm", "-o", "radii", "--shard=1/2"), 0);
    assert_int_equal(access("radii/points.csv", F_OK), -1);
    assert_int_equal(SHORT("--over=radius=inf,20 km", "--cant=20 mm", "-o", "radii"), 0);
    assert_int_equal(SHORT("--radius=20000", "--cant=20 mm", "-o", "value"), 0);
    const char *line = strstr(content("radii/sweep.csv"), "\n2,20 km,done,");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "\n2,20 km,done,%lf,%lf,%lf", &row[0], &row[1], &row[2]), 3);
    assert_true(row[0] == find_number("value/critical.json", "\"linear\": "));
    assert_true(row[2] == find_number("value/critical.json", "\"nonlinear\": "));
    expect("radii/points.csv", "case,radius,speed [m/s],sweep,wheelset,amplitude [m],largest displacement [m]");
    expect("radii/points.csv", "\n1,inf,24,\"down\",\"leading\",");
    expect("radii/points.csv", "\n2,20 km,24,\"down\",\"trailing\",");
    assert_int_equal(access("radii/points.svg", R_OK), 0);
    assert_int_equal(access("radii/case-0002/critical.svg", R_OK), 0);
    assert_int_equal(SHORT("--over=curvature=5e-5", "--over=superelevation=0.02", "-o", "curvatures"), 0);
    line = strstr(content("curvatures/sweep.csv"), "\n1,");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "\n1,%*[^,],%*[^,],done,%lf", &row[1]), 1);
    assert_true(row[1] == row[0]);
}

#define CARRY(...)                                                                                                     \
    CALL("critical", PLAIN, "-s", "integrator.rtol=1e-5", "-s", "until.distance=900", "--through", "--to=70",          \
         "--step=2", "--disturbance=9 mm", __VA_ARGS__)

// Cycles along the run's line, one and over speeds: where there is no cycle the row says so.
CHECK_TEST(cycles_are_carried_over_a_parameter)
{
    double row[5];
    assert_int_equal(CARRY("-s", "start.speed=68", "-o", "carried"), 0);
    expect("out", "the cycle goes on, 9.74");
    expect("out", ": the end depends on the start\n");
    expect("carried/passage.csv", "start,from,to,speed,curvature,cant,wheelset,amplitude,peak to peak,farthest,level");
    expect("carried/passage.csv", "\nrest,0,");
    assert_int_equal(access("carried/passage.png", R_OK), 0);
    assert_int_equal(CARRY("--over=speed=60,68", "-o", "carried-over", "-q"), 0);
    expect("carried-over/sweep.csv", "\n1,60,done,,,,,,,no limit cycle to carry: at the start motion has died");
    const char *line = strstr(content("carried-over/sweep.csv"), "\n2,68,done,");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "\n2,68,done,%lf,%lf,%lf,%lf,%lf", &row[0], &row[1], &row[2], &row[3], &row[4]), 5);
    check_near(row[0], row[1], 1e-5);
    check_near(row[4], row[1], 1e-5);
    assert_true(row[2] < 1e-5 && row[3] < 1e-4);
    expect("carried-over/case-0002/passage.csv", "\nfiner,");
    assert_int_equal(CARRY("--over=from=60,68", "-o", "refused"), 3);
    expect("err", "the axis 'from' changes nothing: cycles along the line do not depend on it");
}

// What --keep leaves at every speed is the motion that the table speaks of, and a page of the directory shows it: at
// each point its own rows, which both wheelsets of a point share.
CHECK_TEST(motion_that_was_kept_is_seen)
{
    static const char *const sweeps[] = {"down", "up"};
    assert_int_equal(CALL("view", "found/there", "-p", "page", "-o", "cycles.html"), 0);
    assert_string_equal(content("err"), "");
    page_data page           = page_read("cycles.html");
    const kane_node *columns = page_at(page.root, "study.columns"), *kept = page_at(page.root, "study.kept");
    int rows;
    double *speed          = page_row(&page, page_at(page_named(columns, "speed"), "values"), &rows);
    double *farthest       = page_row(&page, page_at(page_named(columns, "farthest"), "values"), NULL);
    double *amplitude      = page_row(&page, page_at(page_named(columns, "amplitude"), "values"), NULL);
    double *sweep          = page_row(&page, page_at(page_named(columns, "sweep"), "values"), NULL);
    double *wheelset       = page_row(&page, page_at(page_named(columns, "wheelset"), "values"), NULL);
    const kane_node *names = page_at(page_named(columns, "wheelset"), "words");
    const kane_node *ways  = page_at(page_named(columns, "sweep"), "words");
    int settled            = 0;
    assert_int_equal(rows, 12);
    assert_int_equal(kept->count, rows);
    assert_int_equal(page_at(page.root, "runs")->count, rows / 2);
    for (int i = 0; i < rows; i++) {
        char file[80], channel[64], path[80];
        double range[2], least = 1.0, most = -1.0;
        const char *way = kane_node_at(ways, (int)sweep[i])->text;
        assert_true(strcmp(way, sweeps[0]) == 0 || strcmp(way, sweeps[1]) == 0);
        (void)snprintf(file, sizeof file, "found/there/%s-%g.csv", way, speed[i]);
        (void)snprintf(channel, sizeof channel, "%s.y", kane_node_at(names, (int)wheelset[i])->text);
        find_range(file, channel, range);
        if (amplitude[i] > 1e-3) { // settled: half the way from peak to peak
            check_near(0.5 * (range[1] - range[0]), amplitude[i], 1e-3 * amplitude[i]);
            check_near(fmax(range[1], -range[0]), farthest[i], 1e-12);
            settled++;
        }
        // the page has these rows, at this point
        const kane_node *one = kane_node_at(kept, i);
        assert_int_equal(page_number(one, "0"), i);
        (void)snprintf(path, sizeof path, "runs.%d.channels", (int)page_number(one, "1"));
        int count;
        double *shown = page_row(&page, page_at(page_named(page_at(page.root, path), channel), "values"), &count);
        for (int k = 0; k < count; k++) {
            least = fmin(least, shown[k]);
            most  = fmax(most, shown[k]);
        }
        check_near(least, range[0], 1e-7 * (range[1] - range[0]));
        check_near(most, range[1], 1e-7 * (range[1] - range[0]));
        free(shown);
    }
    assert_int_equal(settled, 10);
    free(speed);
    free(farthest);
    free(amplitude);
    free(sweep);
    free(wheelset);
    kane_arena_free(page.arena);
}

CHECK_TEST(an_interrupted_study_keeps_its_points)
{
    const pid_t child =
        start((const char *const[]){"critical", BOGIE, "--from=2", "--to=70", "--step=0.1", "-o", "stopped", NULL});
    for (int i = 0; i < 3000 && access("stopped/points.csv", R_OK) != 0; i++) {
        const struct timespec pause = {0, 10000000};
        (void)nanosleep(&pause, NULL);
    }
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(wait_for(child), 130);
    expect("stopped/points.csv", "\n2,up,\"leading\",");
    expect("stopped/critical.json", "\"state\": \"ended\"");
    expect("err", "interrupted");
    expect("out", "sweep");
    expect("out", "a small disturbance grows from not known, as the study was ended");
}

CHECK_TEST(what_makes_no_sense_is_refused)
{
    assert_int_equal(CALL("critical"), 2);
    assert_int_equal(CALL("critical", RUN, "--over=speed=1:2:2"), 2);
    expect("err", "need a directory: -o DIR");
    assert_int_equal(CALL("critical", RUN, "--over=shape=bloss,cosine", "-o", "refused"), 3);
    expect("err", "the axis 'shape' changes nothing: critical speeds do not depend on it");
    assert_int_equal(CALL("critical", RUN, "--over=radius=0,600", "-o", "refused"), 3);
    expect("err", "a radius of 0 is none");
    assert_int_equal(CALL("critical", RUN, "--over=radius=300,600", "--radius=500", "-o", "refused"), 3);
    expect("err", "radius and curvature, as axis or option, contradict each other");
    assert_int_equal(CALL("critical", RUN, "--over=radius=wide", "-o", "refused"), 3);
    expect("err", "--over radius: 'wide'");
    assert_int_equal(CALL("critical", RUN, "--through", "--radius=500"), 2);
    assert_int_equal(CALL("critical", RUN, "--over=friction=0.2,0.3", "--from=30", "--to=20", "-o", "refused"), 3);
    expect("err", "speeds from 30 to 20 m/s are none to sweep over");
    assert_int_equal(CALL("critical", RUN, "--samples=4"), 2);
    assert_int_equal(CALL("critical", RUN, "--shard=1/2"), 2);
    assert_int_equal(access("refused", F_OK), -1);
    assert_int_equal(CALL("critical", RUN, "-j", "0"), 2);
    assert_int_equal(CALL("critical", "nothing.json"), 6);
    assert_int_equal(CALL("critical", RUN, "--from=fast", "--step=3 m"), 3);
    expect("err", "--from fast");
    expect("err", "--step 3 m");
    assert_int_equal(CALL("critical", RUN, "--to=0"), 3);
    assert_int_equal(CALL("critical", RUN, "--from=30", "--to=20"), 3);
    expect("err", "30 to 20 m/s");
    assert_int_equal(CALL("critical", RUN, "--step=1e-9"), 3); // up to a speed that is still to be found
    expect("err", "a step of 1e-09 m/s is out of range");
    assert_int_equal(CALL("critical", RUN, "--resolution=1e-9"), 3); // halvings would not come to an end
    expect("err", "at least a millionth of the step");
    assert_int_equal(CALL("critical", RUN, "--from=200"), 3);
    expect("err", "speeds from 200 to 150 m/s");
    assert_int_equal(CALL("critical", RUN, "--to=20", "--wheelset=middle"), 3);
    expect("err", "there is no wheelset 'middle'");
    assert_int_equal(CALL("critical", LINKED, "--to=20"), 3);
    expect("err", "a mechanism has no limit cycles");
}

CHECK_MAIN(enter_folder, leave_folder)
