// SPDX-License-Identifier: MIT
// Profiles of arcs and lines: where they are and how they touch, against the closed form of 60E1 and the circles that
// were typed; in contact the same as the shape; mistakes with their places.

#include "folder.h"
#include "models.h"
#include "unit/contact/rig.h"
#include "profile/curve.h"
#include "profile/profile.h"

enum { DRAWN = 4001 };

static double y[DRAWN], z[DRAWN];

static void draw(const kane_profile *p)
{
    assert_int_equal(kane_profile_draw(p, DRAWN, y, z), KANE_OK);
}

// --- 60E1 (EN 13674-1): 300, 80 and 13 mm, and flanks of 20:1; the standard gives where they meet ---

enum { RAIL_PIECES = 7 };

static kane_profile rail_60e1(kane_profile_piece pieces[RAIL_PIECES])
{
    const double s1 = 10.5 / 300.0, y80 = 10.5 - 80.0 * s1, z80 = -300.0 + 220.0 * sqrt(1.0 - s1 * s1);
    const double s2 = (25.988 - y80) / 80.0, y13 = 25.988 - 13.0 * s2, z13 = z80 + 67.0 * sqrt(1.0 - s2 * s2);
    const double radius[] = {0.0, 13.0, 80.0, 300.0, 80.0, 13.0, 0.0}, at[] = {0.0, -y13, -y80, 0.0, y80, y13, 0.0};
    const double height[] = {0.0, z13, z80, -300.0, z80, z13, 0.0};
    for (int i = 0; i < RAIL_PIECES; i++)
        pieces[i] = (kane_profile_piece){.radius = 1e-3 * radius[i], .y = 1e-3 * at[i], .z = 1e-3 * height[i]};
    pieces[0].angle = atan(20.0);
    pieces[6].angle = -atan(20.0);
    return (kane_profile){.kind   = KANE_PROFILE_RAIL,
                          .shape  = KANE_SHAPE_PIECES,
                          .count  = RAIL_PIECES,
                          .pieces = pieces,
                          .from   = -0.036,
                          .to     = 0.036};
}

CHECK_TEST(the_rail_60e1_is_its_closed_form)
{
    kane_profile_piece pieces[RAIL_PIECES];
    const kane_profile rail = rail_60e1(pieces);
    assert_int_equal(CHECK_GOOD(kane_profile_check, &rail, KANE_PROFILE_RAIL), KANE_OK);
    draw(&rail);
    check_near(y[0], -0.036, 1e-15);
    check_near(y[DRAWN - 1], 0.036, 1e-15);
    for (int i = 0; i < DRAWN; i++) // a flank's slope of 20 times the round-off of y
        check_near(z[i], kane_shape_60e1(y[i]).height, 1e-14);
    // slopes, at places of the curve
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    form f;
    assert_int_equal(kane_form_init(&f, &rail, arena), 1);
    for (int i = 0; i < DRAWN; i++) {
        const curve_point p = kane_form_at(&f, f.last * i / (DRAWN - 1.0));
        const double slope  = kane_shape_60e1(p.y).slope;
        check_near(hypot(p.y_t, p.z_t), 1.0, 1e-15);
        check_near(p.z_t / p.y_t, slope, 1e-10 * (1.0 + slope * slope));
    }
}

// What contact makes of it: heights, slopes and bends of the rail, and a wheel's force.
CHECK_TEST(in_contact_it_is_the_shape)
{
    kane_profile_piece pieces[RAIL_PIECES];
    const kane_profile rail          = rail_60e1(pieces);
    kane_contact_definition d        = kane_contact_definition_default();
    CHECK_OWNED(kane_contact) *shape = kane_contact_create(&d, NULL);
    d.rail[0]                        = &rail;
    CHECK_OWNED(kane_contact) *drawn = kane_contact_create(&d, NULL);
    assert_non_null(drawn);
    check_near(kane_contact_rail_distance(drawn, KANE_LEFT), kane_contact_rail_distance(shape, KANE_LEFT), 1e-14);
    for (double s = -0.03; s < 0.02; s += 1.3e-4) {
        double a[3], b[3];
        kane_contact_rail_profile(shape, KANE_LEFT, s, a);
        kane_contact_rail_profile(drawn, KANE_LEFT, s, b);
        check_near(b[0], a[0], 1e-12);
        check_near(b[1], a[1], 1e-9);
    }
    for (int i = 0; i <= 10; i++) { // from the tread to the flange
        const kane_wheel_motion m =
            rig_motion(shape, 0.46, KANE_LEFT, rig_place(shape, 0.46, -0.001 + 0.0008 * i, 0.002, 6e4), 20.0, 43.5);
        kane_contact_result a = {0}, b = {0};
        assert_int_equal(kane_contact_eval(shape, KANE_LEFT, &m, &a), KANE_OK);
        assert_int_equal(kane_contact_eval(drawn, KANE_LEFT, &m, &b), KANE_OK);
        assert_int_equal(a.patch_count, b.patch_count);
        check_vec3(b.on_wheel.force, a.on_wheel.force, 1e-7 * (1.0 + kv3_norm(a.on_wheel.force)));
    }
}

// --- the wheel LM, as a drawing has it: centres in hundredths of a millimetre ---

#define ARC(mm, at_y, at_z)                                                                                            \
    {                                                                                                                  \
        .radius = 1e-3 * (mm), .y = 1e-3 * (at_y), .z = 1e-3 * (at_z)                                                  \
    }
static const kane_profile_piece lm[] = {
    ARC(-25.0, -44.94, -6.39), ARC(-12.0, -53.98, -15.73), ARC(-20.0, -57.83, -8.72), {.angle = 1.2217304763960306},
    ARC(14.0, -25.0, -17.915), ARC(100.0, 0.0, -100.2),    ARC(380.0, 25.0, -379.08), ARC(-150.0, 25.0, 150.92),
};
enum { LM_PIECES = sizeof lm / sizeof *lm, TREAD = 6 };

static kane_profile wheel_lm(const kane_profile_piece *pieces)
{
    return (kane_profile){.kind   = KANE_PROFILE_WHEEL,
                          .shape  = KANE_SHAPE_PIECES,
                          .count  = LM_PIECES,
                          .pieces = pieces,
                          .from   = -0.064,
                          .to     = 0.055};
}

static double off_circle(const kane_profile_piece *p, int i)
{
    return fabs(hypot(y[i] - p->y, z[i] - p->z) - fabs(p->radius));
}

CHECK_TEST(a_rounded_drawing_is_smooth)
{
    const kane_profile lmw = wheel_lm(lm);
    assert_int_equal(CHECK_GOOD(kane_profile_check, &lmw, KANE_PROFILE_WHEEL), KANE_OK);
    draw(&lmw);
    int on_tread = 0, on_flank = 0;
    for (int i = 0; i < DRAWN; i++) {
        // every place is on one of the circles as typed, but for what centres were moved; or on the flank
        double nearest = HUGE_VAL;
        for (int k = 0; k < LM_PIECES; k++)
            nearest = lm[k].radius != 0.0 ? fmin(nearest, off_circle(&lm[k], i)) : nearest;
        const int is_flank = y[i] > -0.0390 && y[i] < -0.0382;
        check_near(is_flank ? 0.0 : nearest, 0.0, 2e-5);
        on_flank += is_flank;
        if (y[i] > -0.0085 && y[i] < 0.0245) { // the arc at y = 0 stays where it was typed
            check_near(off_circle(&lm[TREAD], i), 0.0, 1e-15);
            on_tread++;
        }
        if (i == 0 || i + 1 == DRAWN)
            continue;
        // no corner: between chords it turns by no more than step/R of the sharpest arc
        const double a = y[i] - y[i - 1], b = z[i] - z[i - 1], c = y[i + 1] - y[i], e = z[i + 1] - z[i];
        check_below(fabs(atan2(a * e - b * c, a * c + b * e)), 1.0001 * hypot(c, e) / 0.012);
        if (is_flank && y[i + 1] < -0.0382)
            check_relative(e / c, tan(1.2217304763960306), 1e-9);
    }
    assert_true(on_tread > 500 && on_flank > 30);
}

// The radius at the running circle is what the wheel's radius says, heights count from there: r = 0 at y = 0.
CHECK_TEST(contact_takes_radii_and_places_exactly)
{
    const kane_profile wheel     = wheel_lm(lm);
    kane_contact_definition d    = kane_contact_definition_default();
    d.wheel[0]                   = &wheel;
    CHECK_OWNED(kane_contact) *c = kane_contact_create(&d, NULL);
    assert_non_null(c);
    for (double s = -0.008; s < 0.024; s += 1e-3) {
        double out[3];
        const double x = s - 0.025, root = sqrt(0.38 * 0.38 - x * x), root0 = sqrt(0.38 * 0.38 - 0.025 * 0.025);
        kane_contact_wheel_profile(c, KANE_LEFT, s, out); // radius over that of the running circle: -z
        check_near(fabs(out[0]), fabs(root - root0), 1e-13);
        check_near(fabs(out[1]), fabs(x / root), 1e-9);
        check_relative(fabs(out[2]), 0.38 * 0.38 / (root * root * root), 1e-5);
    }
}

CHECK_TEST(equal_pieces_are_alike)
{
    kane_profile_piece other[LM_PIECES];
    const kane_profile a = wheel_lm(lm);
    memcpy(other, lm, sizeof other);
    kane_profile b = wheel_lm(other);
    b.place.line   = 7;
    assert_int_equal(kane_profile_same(&a, &b), 1);
    kane_arena *arena        = kane_arena_create();
    const kane_profile *copy = kane_profile_copy(arena, &b);
    assert_non_null(copy);
    other[2].y += 1e-9;
    assert_int_equal(kane_profile_same(&a, &b), 0);
    assert_int_equal(kane_profile_same(&a, copy), 1);
    kane_arena_free(arena);
    memcpy(other, lm, sizeof other);
    b.to = 0.056;
    assert_int_equal(kane_profile_same(&a, &b), 0);
}

// --- mistakes ---

static void refused_by(const kane_profile_piece *pieces, int count, double from, double to, const char *text, int line)
{
    CHECK_ERRORS errors = {0};
    kane_profile p      = wheel_lm(pieces);
    p.count             = count;
    p.from              = from;
    p.to                = to;
    const kane_status s = kane_profile_check(&p, KANE_PROFILE_WHEEL, &errors);
    if (s == KANE_BAD_ARGUMENT && errors.count >= 1 && strcmp(kane_errors_get(&errors, 0)->text, text) == 0)
        return;
    for (int i = 0; i < errors.count && i < 3; i++)
        print_error("found:    %s\n", kane_errors_get(&errors, i)->text);
    print_error("expected: %s\n", text);
    _fail(__FILE__, line);
}
#define REFUSED(pieces, count, from, to, text) refused_by((pieces), (count), (from), (to), (text), __LINE__)

CHECK_TEST(pieces_that_do_not_touch_are_refused)
{
    kane_profile_piece p[LM_PIECES];
    memcpy(p, lm, sizeof p);
    // 0.1 mm: the tread's arc of 100 mm has its centre at (-0.0002, -100.1983) mm, which is 86.0264 mm away, not 86
    p[4].y -= 1e-4;
    REFUSED(p, LM_PIECES, -0.064, 0.055,
            "this arc misses the piece behind by 0.0264 mm: to touch it, its centre must be at y = -25.0923 mm, z = "
            "-17.9403 mm (0.02 mm are allowed for rounding)");
    memcpy(p, lm, sizeof p);
    p[7].z += 1e-4;
    REFUSED(p, LM_PIECES, -0.064, 0.055,
            "this arc misses the piece before by 0.1 mm: to touch it, its centre must be at y = 25 mm, z = 150.92 mm "
            "(0.02 mm are allowed for rounding)");
    memcpy(p, lm, sizeof p);
    p[5].radius = p[6].radius;
    REFUSED(p, LM_PIECES, -0.064, 0.055,
            "this arc has the radius of the one before, so that both cannot touch; make one of them");
    memcpy(p, lm, sizeof p);
    p[2] = p[3];
    REFUSED(p, LM_PIECES, -0.064, 0.055, "a line beside a line makes a corner; put an arc between them");
    REFUSED(&lm[3], 1, -0.064, 0.055, "no piece is an arc, and a line has its place from an arc that it touches");
    REFUSED(lm, 0, -0.064, 0.055, "the profile has 0 pieces, must have 1 to 100");
    REFUSED(lm, LM_PIECES, 0.055, -0.064, "the profile goes from y = 55 mm to -64 mm; must go to the outside");
    REFUSED(lm, LM_PIECES, -0.090, 0.055,
            "this arc does not reach to \"from\", y = -90 mm: it ends at y = -69.9383 mm");
    REFUSED(lm, LM_PIECES, -0.064, 0.024,
            "this piece ends 1 mm before it begins: its neighbours, \"from\" and \"to\" do not meet it in the order in "
            "which they are listed, from the inside to the outside");
    REFUSED(
        &lm[TREAD], 2, -0.008, 0.055,
        "this wheel has no flange: it is 4.466 mm high, must be at least 10 mm (of a wheel without a flange take a \"cone\" or "
        "an \"arc\")");
}

CHECK_TEST(mistakes_in_files_have_their_places)
{
    static const struct {
        const char *pieces, *text;
        int column;
    } rows[] = {
        {"{ \"radius\": 0.38, \"centre\": [0.025] }", "must have 2 values, y and z", 31},
        {"{ \"radius\": 0, \"centre\": [0.025, -0.38] }", "must not be 0; a line has an \"angle\"", 15},
        {"{ \"radius\": 0.38 }", "needs \"radius\" and \"centre\" of an arc, or \"angle\" or \"slope\" of a line", 3},
        {"{ \"radius\": 0.38, \"centre\": [0.025, -0.38], \"angle\": 0.1 }",
         "needs \"radius\" and \"centre\" of an arc, or \"angle\" or \"slope\" of a line", 3},
        {"{ \"angle\": 1.0, \"slope\": 0.05 }",
         "needs \"radius\" and \"centre\" of an arc, or \"angle\" or \"slope\" of a line", 3},
        {"{ \"slope\": 0.05 }", "no piece is an arc, and a line has its place from an arc that it touches", 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        CHECK_ERRORS errors = {0};
        (void)snprintf(
            text, sizeof text,
            "{ \"kane\": \"vehicle 1\", \"reference_body\": \"set\",\n\"profiles\": { \"W\": { \"from\": -0.06, \"to\": 0.05,\n"
            "  \"pieces\": [\n  %s ] } },\n\"wheelsets\": { \"set\": { \"mass\": 1e3, \"inertia\": [900, 120, 900], "
            "\"radius\": 0.46, \"at\": 0, \"profile\": \"W\" } } }\n",
            rows[i].pieces);
        write_file("w.json", text);
        const kane_vehicle_options how = {0};
        assert_null(kane_vehicle_read("w.json", &how, &errors));
        assert_true(errors.count >= 1);
        const kane_error *e = kane_errors_get(&errors, 0);
        assert_string_equal(e->text, rows[i].text);
        assert_string_equal(e->file, "w.json");
        assert_int_equal(e->line, 4);
        assert_int_equal(e->column, rows[i].column);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
