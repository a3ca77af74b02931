// SPDX-License-Identifier: MIT
// Removed rods at the program: what kane check counts, kane study rods, and what is refused.
//
// The source: Y. Pan, A. Callejo, J. L. Bueno, R. A. Wehage, J. Garcia de Jalon, Efficient and accurate modeling of
// rigid rods, Multibody System Dynamics 40 (2017).

#include "program.h"

#define SEDAN     KANE_SOURCE_DIR "/data/mechanisms/sedan.json"
#define SEDAN_RUN KANE_SOURCE_DIR "/data/runs/mechanism-sedan.json"
#define FOUR_BAR  KANE_SOURCE_DIR "/data/runs/mechanism-four-bar.json"
#define CORNER    KANE_SOURCE_DIR "/data/runs/mechanism-rear-corner.json"

// --- tables 1, 7 and 8 ---

CHECK_TEST(the_sedan_is_counted_as_in_its_paper)
{
    assert_int_equal(CALL("check", SEDAN, "-o", "counts.csv"), 0);
    expect("counts.csv", "34,bodies with the ground\n19,of them auxiliary\n"
                         "35,joints\n12,of them prismatic\n21,of them revolute\n2,\"of them spherical, cut\"\n"
                         "12,rods removed\n"
                         "33,relative coordinates\n14,of them independent\n1,of them driven\n18,of them dependent\n"
                         "18,constraint equations\n12,of them of rods\n6,of them of cut joints\n");
    expect("counts.csv", "33,parts,6,198\n12,prismatic joints,-5,-60\n21,revolute joints,-5,-105\n"
                         "2,\"spherical, cut\",-3,-6\n12,\"rod, removed\",-1,-12\n,all,,15\n");
    // a rod: one equation for two joints, a body and six coordinates; a spherical joint: three for one joint and three
    // coordinates
    expect("counts.csv", "2,spherical,6,2,0,6\n12,rod,12,24,12,72\n");
    // redundant equations, and what nothing joins
    assert_int_equal(CALL("check", FOUR_BAR, "-o", "counts.csv"), 0);
    expect("counts.csv", "5,constraint equations\n5,of them of cut joints\n3,of them redundant\n");
    expect("counts.csv", "1,revolute,5,1,0,1\n");
    assert_int_equal(CALL("check", KANE_SOURCE_DIR "/vehicles/bogie-wagon.json"), 0);
    assert_null(strstr(content("out"), "one freedom each"));
}

// Degrees of freedom by hand: the wagon's wheelsets have six each on elastic contact and lose two to their rails in
// both other ways; so do those of the railcar, which hang by joints; FEVE 3000 as published.
CHECK_TEST(rails_that_guide_take_freedoms)
{
#define WAGON KANE_SOURCE_DIR "/data/runs/wagon-transition.json"
#define WAY   "vehicle.patterns.wheelset.contact.model="
    assert_int_equal(CALL("check", WAGON, "--set", WAY "elastic"), 0);
    expect("out", "3 bodies, 17 degrees of freedom, 35 states\n");
    assert_int_equal(CALL("check", WAGON, "--set", WAY "constraint"), 0);
    expect("out", "3 bodies, 13 degrees of freedom, 35 states\n");
    assert_int_equal(CALL("check", WAGON, "--set", WAY "table"), 0);
    expect("out", "3 bodies, 13 degrees of freedom, 31 states\n");
    assert_int_equal(CALL("check", KANE_SOURCE_DIR "/data/runs/feve-curve.json", "-o", "counts.csv"), 0);
    expect("out", "17 bodies, 22 degrees of freedom, 65 states\n");
    expect("counts.csv", "30,relative coordinates\n22,of them independent\n8,of them dependent\n"
                         "8,constraint equations\n8,of them of rails\n");
    expect("counts.csv", "4,wheelsets on rails,-2,-8\n,all,,22\n");
    for (int tables = 0; tables < 2; tables++) {
        const char *variant = tables ? "variant=tables" : "variant=guided";
        assert_int_equal(CALL("check", KANE_SOURCE_DIR "/data/runs/railcar.json", "--set", variant, "-o", "counts.csv"),
                         0);
        expect("out", "15 bodies, 35 degrees of freedom,");
        expect("counts.csv", "7,constraint equations\n1,of them of others\n6,of them of rails\n");
    }
}

// --- tables 2, 3 and 9, figures 4 and 5 ---

// How many entries of the matrix the panel of a picture says that it draws.
static int count_drawn(const char *file, const char *panel)
{
    int count      = 0;
    const char *at = strstr(content(file), panel);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(panel), ": %d of 1024 entries", &count), 1);
    return count;
}

// Rods as in the paper's table 9: five a rear knuckle, one a front knuckle, all of them on chassis or rack, of 24 kg.
CHECK_TEST(rods_act_on_the_bodies_of_their_paper)
{
    assert_int_equal(CALL("equations", SEDAN_RUN, "-o", "rods.csv", "-o", "pattern.svg"), 0);
    expect("rods.csv",
           "\n1,front left tie rod,2,rack,front left knuckle\n2,rear left upper front rod,2,chassis,rear left "
           "knuckle\n");
    expect("rods.csv", "body,rods\nchassis,2 + 3 + 4 + 5 + 6 + 8 + 9 + 10 + 11 + 12\nrack,1 + 7\nfront left knuckle,1\n"
                       "rear left knuckle,2 + 3 + 4 + 5 + 6\nfront right knuckle,7\n"
                       "rear right knuckle,8 + 9 + 10 + 11 + 12\n");
    // rows of the lower triangle: what couples, then the diagonal
    expect("rods.csv", "\nfront left knuckle,,1,1,,,\nrear left knuckle,2 + 3 + 4 + 5 + 6,,,2 + 3 + 4 + 5 + 6,,\n"
                       "front right knuckle,,7,,,7,\n");
    // The rear knuckles on the ground, as in the paper: rods alone couple the chassis with them. So without rods fewer
    // entries are left than with knuckles on the chassis, which their masses load.
    assert_int_equal(CALL("equations", SEDAN_RUN, "-o", "published.svg", "-s",
                          "mechanism.bodies.rear left knuckle.joint={\"type\":\"free\",\"at\":[-1.388,0.74,0.33]}",
                          "-s",
                          "mechanism.bodies.rear right knuckle.joint={\"type\":\"free\",\"at\":[-1.388,-0.74,0.33]}"),
                     0);
    const int own       = count_drawn("pattern.svg", "without the inertia of rods"),
              published = count_drawn("published.svg", "without the inertia of rods"),
              with_rods = count_drawn("published.svg", "with rods");
    assert_true(published < own && published < with_rods);
    assert_int_equal(CALL("equations", FOUR_BAR, "-o", "none.csv"), 3);
    expect("err", "has no rod with mass; these tables are of rods");
    assert_int_equal(CALL("equations", FOUR_BAR, "-o", "four.svg"), 0);
    assert_null(strstr(content("four.svg"), "without the inertia of rods"));
}

// --- tables 4 and 5 ---

enum { METHODS = 7, COLUMNS = 14 };
typedef enum column { FACTOR, STEP, MAX = 4, NORM, ORDER = 7, CALLS = 9, LEAST = 12, GREATEST } column;

// A number of the table: case by case, method by method (exact, partition and all by point, linear, quadratic).
static double table(const char *file, int which, int method, column c)
{
    const char *at = content(file);
    for (int line = 0; line < 2 + which * METHODS + method; line++)
        at = strchr(at, '\n') + 1;
    for (int k = 0; k < (int)c; k++)
        at = strchr(at, ',') + 1;
    return strtod(at, NULL);
}

// Slalom of the sedan; the greatest errors come at its beginning.
CHECK_TEST(errors_of_the_sedan_have_their_orders)
{
    static const double tolerance[3] = {0.1, 0.15, 0.4}, paper[3] = {1.60e-3, 6.56e-5, 5.29e-6};
    assert_int_equal(
        CALL("study", "rods", SEDAN_RUN, "--time", "0.06", "--factors", "1", "-q", "-j", "1", "-o", "orders"), 0);
    for (int e = 0; e < 3; e++) {
        const double partition = table("orders/rods.csv", 3, 1 + e, MAX), all = table("orders/rods.csv", 3, 4 + e, MAX);
        check_near(table("orders/rods.csv", 3, 1 + e, STEP), 1e-3, 1e-15);
        for (int inertia = 0; inertia < 2; inertia++)
            check_near(table("orders/rods.csv", 0, 1 + 3 * inertia + e, ORDER), e + 1.0, tolerance[e]);
        assert_true(partition < 3.0 * paper[e] && 3.0 * partition > paper[e]);
        assert_true(all > 2.0 * partition); // without partition: 3.7, 2.3 and 6.8 times as large
    }
    for (int i = 0; i < 4; i++)
        assert_true(table("orders/rods.csv", i, 0, MAX) == 0.0);
    expect("out", "inertia \"partition\"");
    expect("orders/rods.json", "\"rods 1\"");
    expect("orders/errors.svg", "linear: slope");
    assert_int_not_equal(access("orders/masses.svg", F_OK), 0);
}

CHECK_TEST(errors_of_the_sedan_grow_with_the_masses)
{
    assert_int_equal(CALL("study", "rods", SEDAN_RUN, "--time", "0.06", "--steps", "1 ms", "--factors", "0,0.5,1,2",
                          "-q", "-o", "masses"),
                     0);
    for (int m = 0; m < METHODS; m++)
        assert_true(table("masses/rods.csv", 0, m, MAX) == 0.0);
    const double one = table("masses/rods.csv", 2, 1, MAX);
    check_near(table("masses/rods.csv", 1, 1, MAX), 0.5 * one, 0.3 * 0.5 * one);
    check_near(table("masses/rods.csv", 3, 1, MAX), 2.0 * one, 0.3 * 2.0 * one);
    // twice the masses: lambda is beyond 1/7, and the parabola through three accelerations runs away; nothing else does
    const double lambda = table("masses/rods.csv", 3, 4, GREATEST);
    assert_true(lambda > 1.0 / 7.0 && lambda < 1.0 / 3.0);
    assert_true(table("masses/rods.csv", 2, 4, GREATEST) < 1.0 / 7.0);
    const double away = table("masses/rods.csv", 3, 6, MAX);
    assert_true(!(away < 1.0)); // also where it is no number any more
    assert_true(table("masses/rods.csv", 2, 6, MAX) < 1e-3 && table("masses/rods.csv", 3, 5, MAX) < 1e-2);
    assert_int_equal(access("masses/masses.svg", F_OK), 0);
}

// What couples with the ground is known: of a corner on the stand partition has no error at all.
CHECK_TEST(partition_is_exact_on_the_ground)
{
    assert_int_equal(
        CALL("study", "rods", CORNER, "--time", "0.05", "--steps", "5e-4,1e-3", "--factors", "1", "-q", "-o", "corner"),
        0);
    for (int i = 0; i < 2; i++)
        for (int e = 0; e < 3; e++) {
            assert_true(table("corner/rods.csv", i, 1 + e, MAX) < 1e-10);
            assert_true(table("corner/rods.csv", i, 4 + e, MAX) > 1e-8);
        }
    // who does the same again is told that all is done, and with other steps that it is another study
    assert_int_equal(
        CALL("study", "rods", CORNER, "--time", "0.05", "--steps", "5e-4,1e-3", "--factors", "1", "-q", "-o", "corner"),
        0);
    assert_int_not_equal(CALL("study", "rods", CORNER, "--time", "0.05", "--steps", "5e-4", "-q", "-o", "corner"), 0);
}

// --- what is refused ---

CHECK_TEST(run_files_are_refused)
{
    static const struct {
        const char *run, *integrator, *message;
    } wrong[] = {
        {SEDAN_RUN, "{\"rods\": {\"inertia\": \"partition\"}}",
         "integrator.rods.inertia: rods with \"partition\" inertia are extrapolated from one step of fixed length to the "
         "next, which \"bdf\" does not do; choose \"rk4\", or \"exact\""},
        {SEDAN_RUN, "{\"method\": \"adams\", \"rods\": {\"inertia\": \"all\"}}", "which \"adams\" does not do"},
        {SEDAN_RUN, "{\"method\": \"rk4\", \"step\": 1e-3, \"rods\": {\"inertia\": \"exactly\"}}",
         "integrator.rods.inertia: 'exactly' is not known; did you mean 'exact'? known: exact, partition, all"},
        {SEDAN_RUN,
         "{\"method\": \"rk4\", \"step\": 1e-3, \"rods\": {\"inertia\": \"all\", \"extrapolation\": \"cubic\"}}",
         "integrator.rods.extrapolation: 'cubic' is not known"},
        {SEDAN_RUN, "{\"method\": \"rk4\", \"step\": 1e-3, \"rods\": {\"extrapolation\": \"linear\"}}",
         "integrator.rods.extrapolation: nothing is extrapolated where \"inertia\" is \"exact\""},
        {SEDAN_RUN, "{\"method\": \"rk4\", \"step\": 1e-3, \"rods\": \"all\"}", "integrator.rods"},
        {SEDAN_RUN, "{\"method\": \"rk4\", \"step\": 1e-3, \"rods\": {\"inertias\": \"all\"}}", "inertias"},
        {SEDAN_RUN, "{\"method\": \"rk4\", \"rods\": {\"inertia\": \"all\"}}", "needs the length of its steps"},
        {FOUR_BAR, "{\"method\": \"rk4\", \"step\": 1e-3, \"rods\": {\"inertia\": \"all\"}}",
         "integrator.rods.inertia: 'four-bar linkage' has no constraint of type \"rod\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char setting[256];
        (void)snprintf(setting, sizeof setting, "integrator=%s", wrong[i].integrator);
        assert_int_equal(CALL("run", wrong[i].run, "--set", setting, "-o", "refused"), 3);
        expect("err", wrong[i].message);
    }
    // the place in a file
    write_file("run.json", "{\n  \"kane\": \"run 1\",\n  \"mechanism\": \"" SEDAN "\",\n  \"until\": { \"time\": 1 },\n"
                           "  \"integrator\": { \"method\": \"bdf\",\n    \"rods\": { \"inertia\": \"all\" } }\n}\n");
    assert_int_equal(CALL("check", "run.json"), 3);
    expect("err", "run.json:6:");
}

CHECK_TEST(studies_are_refused)
{
    static const struct {
        int code;
        const char *run, *option, *value, *message;
    } wrong[] = {
        {3, FOUR_BAR, "--factors", "1", "has no rod with mass, whose inertia could be approximated"},
        {3, SEDAN_RUN, "--steps", "0.1", "steps of 0.1 s are too long for 0.05 s: there must be 10 of them at least"},
        {3, SEDAN_RUN, "--steps", "1e-3,1 ms", "the step 0.001 is given twice"},
        {3, SEDAN_RUN, "--steps", "0", "a step of 0 is not possible: it must be at least 1e-09"},
        {3, SEDAN_RUN, "--steps", "2e-9", "steps of 2e-09 s are too short for 0.05 s"},
        {3, SEDAN_RUN, "--factors", "1,-2", "a factor of -2 is not possible: it must be at least 0"},
        {3, SEDAN_RUN, "--factors", "1,1.0", "the factor 1 is given twice"},
        {2, SEDAN_RUN, "--factors", "many", "many"},
        {2, SEDAN_RUN, "--steps", "1 kg", "kg"},
        {2, SEDAN_RUN, "--time", "-1", "time"},
        {3, SEDAN_RUN, "--set", "until.tim=3", "tim"},
        {6, "nothing.json", "--factors", "1", "nothing.json"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int code = CALL("study", "rods", wrong[i].run, "--time", "0.05", wrong[i].option, wrong[i].value, "-q",
                              "-o", "refused");
        if (code != wrong[i].code)
            fail_msg("%s %s: %d\n%s", wrong[i].option, wrong[i].value, code, content("err"));
        expect("err", wrong[i].message);
    }
    assert_int_equal(CALL("study", "rods", SEDAN_RUN, "--time", "0.05"), 2);
    assert_int_equal(CALL("study", "rods", "-o", "refused"), 2);
    expect("err", "run file");
}

CHECK_MAIN(enter_folder, leave_folder)
