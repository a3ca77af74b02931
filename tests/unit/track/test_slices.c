// SPDX-License-Identifier: MIT
// Rails by slices of CONTACT's files: what is wrong gives a message with file, line and column; between slices the rail
// is straight; a wheel meets a head that climbs where its circle touches it; of two heads beside each other it meets
// either.

#include "errors.h"
#include "folder.h"
#include "unit/contact/rig.h"

#define HEAD "0 1000 U_OFFSET, U_SCALE\n2 NSLC\n0 0 0\n1\n"
#define TWO  "0 'a.txt'\n0.5 'b.txt'\n"

// A round head of 300 mm with straight faces, its top at y = `perturb`, z = `up`, as CONTACT draws: mm, y to the
// outside, z down.
static void add_head(FILE *f, double aside, double up)
{
    const double radius = 300.0, edge = 30.0, drop = radius - sqrt(radius * radius - edge * edge);
    for (int i = 0; i < 40; i++)
        (void)fprintf(f, "%.12g %.12g\n", aside - edge - 0.1 * (40 - i), drop + 0.5 * (40 - i) - up);
    for (int i = -60; i <= 60; i++)
        (void)fprintf(f, "%.12g %.12g\n", aside + 0.5 * i, radius - sqrt(radius * radius - 0.25 * i * i) - up);
    for (int i = 1; i <= 40; i++)
        (void)fprintf(f, "%.12g %.12g\n", aside + edge + 0.1 * i, drop + 0.5 * i - up);
}

static void write_head(const char *name, double up)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    add_head(f, 0.0, up);
    assert_int_equal(fclose(f), 0);
}

static kane_track *read_track(const char *change, kane_errors *errors)
{
    char text[512];
    (void)snprintf(
        text, sizeof text,
        "{ \"kane\": \"track 1\", \"rail\": { \"profile\": \"round\", \"inclination\": 0 }, \"sections\": [ { \"straight\": 200 } ],\n"
        "\"profile_changes\": [ { \"from\": 100, %s } ] }",
        change);
    write_file("t.json", text);
    return kane_track_read("t.json", NULL, errors);
}

#define SLICED "\"slices\": \"r.slcs\", \"unit\": \"mm\""

CHECK_TEST(what_is_wrong_gives_its_message)
{
    static const struct {
        const char *change, *content, *message;
    } wrong[] = {
        {SLICED, "0 1000\n2 NSLC\n", "r.slcs:2:1: the file ends before NFEAT, NKINK, NACCEL: it may have been cut off"},
        {SLICED, "0 x\n", "r.slcs:1:3: expected a number, U_SCALE"},
        {SLICED, "0 0 % scale\n", "r.slcs:1:3: U_SCALE 0 is not allowed, must be from 1e-06 to 1000000"},
        {SLICED, "0 1\n2.5\n", "r.slcs:2:1: NSLC must be a whole number"},
        {SLICED, "0 1\n2\n3 1 0\n1\n",
         "r.slcs:4:1: kinks and accelerations between parts (NKINK, NACCEL) cannot be read, only 0 0"},
        {SLICED, "0 1\n2\n0 0 0\n2\n",
         "r.slcs:4:1: U_INTPOL = 2, a surface that passes its slices by, cannot be read; only 1, through them"},
        {SLICED, HEAD "0 a.txt\n", "r.slcs:5:3: expected the name of the slice's file between quotes"},
        {SLICED, HEAD "0 'a.txt'\n\n0 'b.txt'\n",
         "r.slcs:7:1: this slice lies at 0 m, the one before at 0 m: they must ascend by more than 0.9 mm"},
        {SLICED, HEAD "0 'a.txt'\n0.0005 'b.txt'\n",
         "r.slcs:6:1: this slice lies at 0.0005 m, the one before at 0 m: they must ascend by more than 0.9 mm"},
        {SLICED, HEAD "0 'a.txt'\n",
         "r.slcs:5:1: the file ends before the last of NSLC slices: it may have been cut off"},
        {SLICED, HEAD "0 'a.txt'\n1 'c.txt'\n", "r.slcs:6:3: c.txt: cannot be read: No such file or directory"},
        {SLICED, "0 1000\n2\n3 0 0\n1\n" TWO "0 0 3 2\n",
         "r.slcs:7:7: feature 3 lies at 2 mm, the one before at 3 mm: they must ascend"},
        {SLICED, "0 1000\n2\n2 0 0\n1\n" TWO "0 0 3\n1 0 3\n",
         "r.slcs:8:1: features of a slice at 1 m, expected those of slice 2, at 0.5 m"},
        {"\"slices\": \"q.slcs\"", NULL,
         "t.json:2:47: profile_changes[0].slices: q.slcs: cannot be read: No such file or directory"},
        {"\"slices\": \"r.slcs\", \"profile\": \"60E1\"", HEAD TWO,
         "t.json:2:22: profile_changes[0]: needs either \"profile\" or \"slices\""},
        {"\"lies\": \"as_drawn\"", HEAD TWO, "t.json:2:22: profile_changes[0]: needs either \"profile\" or \"slices\""},
        {SLICED ", \"lies\": \"as_drawn\"", HEAD TWO,
         "t.json:2:79: profile_changes[0].lies: only a change with \"profile\" has \"lies\""},
        {"\"profile\": \"60E1\", \"unit\": \"mm\"", HEAD TWO,
         "t.json:2:64: profile_changes[0].unit: only a change with \"slices\" has \"unit\""},
    };
    int bad = 0;
    write_head("a.txt", 0.0);
    write_head("b.txt", 1.0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        static char all[8192];
        CHECK_ERRORS errors = {0};
        if (wrong[i].content)
            write_file("r.slcs", wrong[i].content);
        CHECK_OWNED(kane_track) *track = read_track(wrong[i].change, &errors);
        errors_text(&errors, sizeof all, all);
        if (track || strcmp(all, wrong[i].message) != 0) {
            print_error("--- row %zu\nexpected: %s\nfound:    %s\n", i, wrong[i].message, all);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

// Slices every 20 mm from -0.2 to 0.2 m; heads that rise by `slope`. Features say that a first part begins at slice 4.
static kane_track *rising(double slope)
{
    FILE *f = fopen("r.slcs", "w");
    char name[32];
    assert_non_null(f);
    (void)fprintf(f, "%% rising\n 10. 1.0 U_OFFSET [usr], U_SCALE [mm/usr]\n 21 NSLC\n 3 0 0 NFEAT\n 1 U_INTPOL\n");
    for (int i = 0; i <= 20; i++) {
        (void)snprintf(name, sizeof name, "%d.txt", i);
        write_head(name, slope * (20.0 * i - 200.0));
        (void)fprintf(f, "%d. '%s' %% a slice\n", 20 * i - 210, name);
    }
    for (int i = 0; i <= 20; i++)
        (void)fprintf(f, "%d. %d.\n  10. 999.\n", 20 * i - 210, i < 4 ? -1 : 0);
    assert_int_equal(fclose(f), 0);
    kane_track *track = CHECK_GOOD(read_track, SLICED);
    assert_non_null(track);
    return track;
}

CHECK_TEST(between_slices_it_is_straight)
{
    CHECK_OWNED(kane_track) *track = rising(0.01);
    assert_int_equal(kane_track_get_definition(track)->shape_count, 21);
    kane_rail_blend b;
    kane_track_profile(track, KANE_LEFT, 100.013, &b);
    assert_int_equal(b.from, 11);
    assert_int_equal(b.to, 12);
    check_near(b.share, 13.0 / 20.0, 1e-9);
    check_near(b.share_s, 50.0, 1e-6);
    check_near(b.share_ss, 0.0, 0.0);
    kane_track_profile(track, KANE_LEFT, 99.3, &b); // it goes over from its own one within 1 m before the first
    assert_int_equal(b.from, 0);
    assert_int_equal(b.to, 1);
    check_near(b.share, 0.5, 1e-9);
    kane_track_profile(track, KANE_LEFT, 101.0, &b); // and keeps the last
    assert_int_equal(b.from, 21);
    assert_int_equal(b.to, 21);
}

static kane_contact *contact_on(const kane_track *track)
{
    const kane_track_definition *t = kane_track_get_definition(track);
    kane_contact_definition d      = kane_contact_definition_default();
    d.wheel[0]                     = rig_cone();
    d.rail[0]                      = t->rail[0];
    d.inclination                  = t->inclination;
    d.shape_count                  = t->shape_count;
    d.shapes                       = t->shapes;
    d.laws.dissipation_law         = KANE_DISSIPATION_NONE;
    d.laws.friction[0] = d.laws.friction[1] = 0.0;
    return rig_create(d);
}

// The height at which a wheel carries 50 kN [m]; *y: where on the rail.
static double height_at(const kane_contact *c, const kane_track *track, double s, double aside, double *y)
{
    kane_wheel_motion m = {.axle = kv3(0.0, 1.0, 0.0)};
    double low = -0.02, high = 0.02;
    kane_track_profile(track, KANE_LEFT, s, &m.blend);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        m.centre            = kv3(0.0, aside, 0.46 + middle);
        if (rig_eval(c, KANE_LEFT, &m).on_wheel.force.z > 5e4)
            low = middle;
        else
            high = middle;
    }
    const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
    *y                          = r.patch[0].rail_y;
    return low;
}

// A wheel of radius R on a head of slope c touches it R c ahead and stands R c^2/2 higher than it would on the section
// below it.
CHECK_TEST(wheel_stands_where_its_circle_touches)
{
    static const double slopes[] = {0.01, -0.02, 0.1};
    double y, level;
    kane_track *track = rising(0.0);
    kane_contact *c   = contact_on(track);
    level             = height_at(c, track, 100.0, 0.0, &y);
    kane_contact_free(c);
    kane_track_free(track);
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        track                 = rising(slopes[i]);
        c                     = contact_on(track);
        const double expected = level + 0.5 * 0.46 * slopes[i] * slopes[i];
        for (double s = -0.03; s < 0.031; s += 0.015)
            // of the third order: the load along the normal, the curvature of the circle on the slope
            check_near(height_at(c, track, 100.0 + s, 0.0, &y) - slopes[i] * s, expected,
                       2e-7 + 0.7 * fabs(expected - level) * fabs(slopes[i]));
        kane_contact_free(c);
        kane_track_free(track);
    }
}

// Two heads 90 mm apart under a cone 1:20, whose radius falls by 4.5 mm from the one to the other: the outer one
// carries if it is higher by more than that, and each stands in its place.
CHECK_TEST(either_head_carries)
{
    double y[2], z[2];
    for (int outer = 0; outer < 2; outer++) {
        FILE *f = fopen("both.txt", "w");
        assert_non_null(f);
        add_head(f, -40.0, 0.0);
        (void)fputs("5 24\n", f);
        add_head(f, 50.0, outer ? 6.0 : 3.0);
        assert_int_equal(fclose(f), 0);
        write_file("r.slcs", "0 1\n2\n0 0 0\n1\n-50 'both.txt'\n50 'both.txt'\n");
        CHECK_OWNED(kane_track) *track = CHECK_GOOD(read_track, SLICED);
        assert_non_null(track);
        CHECK_OWNED(kane_contact) *c = contact_on(track);
        z[outer]                     = height_at(c, track, 100.0, 0.0, &y[outer]);
    }
    // where the head is as steep as the cone: 300 mm sin(atan(.05)) inside of its top
    const double off = 0.3 * 0.05 / sqrt(1.0 + 0.0025);
    check_near(y[0], -0.040 - off, 1e-4);
    check_near(y[1], 0.050 - off, 1e-4);
    check_near(z[1] - z[0], 6e-3 - 4.5e-3, 2e-6); // radii of the wheel there differ by 1 %, and with them the depth
}

CHECK_MAIN(enter_folder, leave_folder)
