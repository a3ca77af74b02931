// SPDX-License-Identifier: MIT
// "tyre": its forces against plain code of another hand, how slip builds up, what it does at standstill, and files that
// are broken.

#include "unit/force/law_bench.h"

#include "force/magic.h"
#include "folder.h"
#include "model/model.h"
#include "math/statistics.h"
#include "oracle/plain_tyre.h"

#define TYRE KANE_SOURCE_DIR "/data/tyres/sedan.tir"

static const kane_tyre sedan = {.file = TYRE, .axle = {0, 1, 0}};

// A wheel on a level road, x along its way.
typedef struct wheel {
    kane_absolute absolute;
    double state[2];
} wheel;

static const double height = 0.33, load = 3600.0;

static wheel standing(void)
{
    const kane_marker road = {.R = km3_identity()}, centre = {.R = km3_identity(), .position = {0, 0, height}};
    return (wheel){.absolute = {.a = road, .b = centre}};
}

static kane_wrench eval(const bench *b, const wheel *w, double rates[2])
{
    const kane_relative r = {.d0 = b->d0, .state = w->state, .absolute = &w->absolute};
    kane_wrench on_b      = {kv3_zero(), kv3_zero()};
    double all[KANE_LAW_STATES];
    assert_int_equal(b->law->eval(b->data, &r, &on_b), 0);
    assert_int_equal(b->law->rates(b->data, &r, all), 0);
    for (int i = 0; i < 2 && rates; i++)
        rates[i] = all[i];
    return on_b;
}

static bench create(kane_tyre in)
{
    return bench_create(&kane_law_tyre, &in, kv3(0, 0, height), kv3(0, 0, load));
}

// --- the formula ---

CHECK_TEST(forces_are_those_of_plain_code)
{
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    kane_tir p;
    kane_random random = kane_random_start(5, 0);
    assert_int_equal(kane_tir_read(TYRE, arena, &p, &errors), 1);
    for (int i = 0; i < 4000; i++) {
        const double kappa = 0.6 * kane_random_even(&random) - 0.3, alpha = 0.6 * kane_random_even(&random) - 0.3;
        const double gamma = 0.2 * kane_random_even(&random) - 0.1, N = 300.0 + 9000.0 * kane_random_even(&random);
        const int combined = i % 2;
        const kane_slip s  = {.kappa = ks_constant(kappa),
                              .alpha = ks_constant(alpha),
                              .gamma = ks_constant(gamma),
                              .N     = ks_constant(N),
                              .rolls = ks_constant(1.0),
                              .way   = ks_constant(1.0)};
        kane_tyre_forces f;
        kane_scalar along, across;
        magic_forces(&p, &s, combined, &f);
        magic_relaxation(&p, &s, &along, &across);
        const plain_tyre_forces plain = plain_tyre(kappa, alpha, gamma, N, combined);
        check_near(f.F_x.v, plain.Fx, 1e-9 * N);
        check_near(f.F_y.v, plain.Fy, 1e-9 * N);
        check_near(f.M_z.v, plain.Mz, 1e-9 * N);
        check_near(along.v, plain.sigma_kappa, 1e-12);
        check_near(across.v, plain.sigma_alpha, 1e-12);
    }
}

// --- the wheel ---

// Driven at 20 m/s, its way turned all at once: F_y - F_y(0) rises as 1 - exp(-x/sigma), less by the bend of the
// formula.
CHECK_TEST(slip_builds_up_over_the_relaxation_length)
{
    CHECK_FREED(bench) b = create(sedan);
    wheel w              = standing();
    const double V = 20.0, small = 1e-3, dt = 1e-5;
    const double sigma    = plain_tyre(0, 0, 0, load, 1).sigma_alpha;
    w.absolute.b.velocity = kv3(V, small * V, 0.0);
    const double N        = eval(&b, &w, NULL).force.z;
    check_near(N, load, 1e-9 * load);
    const double begin = eval(&b, &w, NULL).force.y;
    double rates[2];
    wheel settled    = w;
    settled.state[1] = small * sqrt(sigma * sigma + 0.02 * 0.02);
    const double end = eval(&b, &settled, rates).force.y;
    check_near(rates[1], 0.0, 1e-12);
    for (int i = 1; i <= 12000; i++) {
        (void)eval(&b, &w, rates);
        w.state[1] += dt * rates[1];
        const double x = V * dt * i;
        if (i % 2000 == 0)
            check_near((eval(&b, &w, NULL).force.y - begin) / (end - begin), 1.0 - exp(-x / sigma), 0.01);
    }
}

// Free rolling, driven, braked: the sign of the slip, and the formula's force where it has settled.
CHECK_TEST(a_wheel_drives_and_brakes)
{
    CHECK_FREED(bench) b  = create(sedan);
    wheel w               = standing();
    w.absolute.b.velocity = kv3(20.0, 0.0, 0.0);
    double rates[2], low = 50.0, high = 70.0; // spin at which it rolls freely
    for (int i = 0; i < 60; i++) {
        w.absolute.b.omega.y = 0.5 * (low + high);
        (void)eval(&b, &w, rates);
        if (rates[0] > 0.0)
            high = w.absolute.b.omega.y;
        else
            low = w.absolute.b.omega.y;
    }
    const double R_e = 20.0 / low, sigma = hypot(plain_tyre(0, 0, 0, load, 1).sigma_kappa, 0.02);
    assert_true(R_e > height && R_e < 0.344);
    for (int sign = -1; sign <= 1; sign += 2) {
        const double kappa = 0.03 * sign, rolls = 400.0 / 401.0;
        w.absolute.b.omega.y = 20.0 / R_e * (1.0 + kappa);
        w.state[0]           = sigma * kappa;
        const kane_wrench on = eval(&b, &w, rates);
        check_near(rates[0], 0.0, 1e-9);
        const double plain = plain_tyre(kappa, 0, 0, load, 1).Fx;
        check_near(on.force.x, plain, 0.003 * fabs(plain)); // shifts are rolls times theirs
        assert_true(rolls < 1.0 && on.force.x * kappa > 0.0);
        check_near(on.torque.y, -on.force.x * height, 1e-6 * fabs(on.torque.y)); // at the point of contact
    }
}

// At standstill a tyre carries its load and nothing else, whatever the camber; drawn along, it pulls back.
CHECK_TEST(at_standstill_it_carries)
{
    CHECK_FREED(bench) b = create(sedan);
    wheel w              = standing();
    check_vec3(eval(&b, &w, NULL).force, kv3(0, 0, load), 1e-9 * load);
    w.state[0]           = 1e-3;
    w.state[1]           = -2e-3;
    const kane_vec3 back = eval(&b, &w, NULL).force;
    assert_true(back.x > 100.0 && back.y > 100.0);
    w                       = standing();
    w.absolute.b.position.z = 0.4;
    check_vec3(eval(&b, &w, NULL).force, kv3_zero(), 0.0); // in the air
}

// A right tyre is the mirror image of a left one.
CHECK_TEST(sides_are_mirror_images)
{
    kane_tyre right      = sedan;
    right.side           = 1;
    CHECK_FREED(bench) a = create(sedan), b = create(right);
    wheel w               = standing();
    w.absolute.b.R        = km3_turn_x(km3_identity(), sin(0.03), cos(0.03));
    w.absolute.b.velocity = kv3(22.0, 0.4, -0.1);
    w.absolute.b.omega    = kv3(0.2, 66.0, 0.3);
    w.state[0]            = 0.01;
    w.state[1]            = 0.02;
    wheel m               = w;
    m.absolute.b          = kane_mirror_marker(w.absolute.b);
    m.state[1]            = -w.state[1];
    double rates[2][2];
    const kane_wrench on_left = eval(&a, &w, rates[0]), on_right = eval(&b, &m, rates[1]);
    check_vec3(on_right.force, kane_mirror_polar(on_left.force), 1e-9);
    check_vec3(on_right.torque, kane_mirror_axial(on_left.torque), 1e-9);
    check_near(rates[1][0], rates[0][0], 1e-12);
    check_near(rates[1][1], -rates[0][1], 1e-12);
}

// --- an uneven road ---

// z = h0 + h1 s + h2 y + (h3 s^2 + 2 h4 s y + h5 y^2)/2
static void curved_surface(const void *data, double s, double y, double out[6])
{
    const double *h = data;
    out[0]          = h[0] + h[1] * s + h[2] * y + 0.5 * (h[3] * s * s + 2.0 * h[4] * s * y + h[5] * y * y);
    out[1]          = h[1] + h[3] * s + h[4] * y;
    out[2]          = h[2] + h[4] * s + h[5] * y;
    out[3]          = h[3];
    out[4]          = h[4];
    out[5]          = h[5];
}

static wheel leaning(void)
{
    wheel w                 = standing();
    w.absolute.b.R          = km3_turn_x(km3_turn_z(km3_identity(), sin(0.04), cos(0.04)), sin(0.03), cos(0.03));
    w.absolute.b.velocity   = kv3(22.0, 0.4, -0.1);
    w.absolute.b.omega      = kv3(0.2, 66.0, 0.3);
    w.absolute.b.position.x = 0.02;
    w.absolute.b.position.y = -0.03;
    w.state[0]              = 0.01;
    w.state[1]              = 0.02;
    return w;
}

// A surface that is a plane is the same as a marker that lies in that plane.
CHECK_TEST(a_sloping_surface_is_a_sloping_plane)
{
    const double h[6] = {0.004, 0.05, -0.03, 0.0, 0.0, 0.0}, s = 120.0, y = 0.8;
    CHECK_FREED(bench) b = create(sedan);
    wheel w = leaning(), on_plane = w;
    const double here[6] = {h[0] - h[1] * s - h[2] * y, h[1], h[2], 0.0, 0.0, 0.0}; // h[0] at the marker
    w.absolute.road      = (kane_road){.surface = curved_surface, .data = here, .s = s, .y = y};
    const kane_vec3 up = kv3(-h[1], -h[2], 1.0), n = kv3_scale(1.0 / kv3_norm(up), up);
    const kane_vec3 x = kv3(n.z, 0.0, -n.x), along = kv3_scale(1.0 / kv3_norm(x), x);
    on_plane.absolute.a.position = kv3(0.0, 0.0, h[0]);
    on_plane.absolute.a.R        = (kane_mat3){along, kv3_cross(n, along), n};
    double rates[2][2];
    const kane_wrench on_surface = eval(&b, &w, rates[0]), turned = eval(&b, &on_plane, rates[1]);
    check_vec3(on_surface.force, km3_mulv(on_plane.absolute.a.R, turned.force), 1e-9 * load);
    check_vec3(on_surface.torque, km3_mulv(on_plane.absolute.a.R, turned.torque), 1e-9 * load);
    check_near(rates[0][0], rates[1][0], 1e-11);
    check_near(rates[0][1], rates[1][1], 1e-11);
    assert_true(fabs(on_surface.force.x - eval(&b, &on_plane, NULL).force.x) > 1.0);
}

// A mirrored element on the mirror image of the road.
CHECK_TEST(a_mirrored_road_is_seen_from_the_other_side)
{
    const double h[6] = {0.0, 0.01, 0.02, 0.03, -0.02, 0.04}, m[6] = {0.0, 0.01, -0.02, 0.03, 0.02, 0.04};
    CHECK_FREED(bench) b = create(sedan);
    wheel w              = leaning();
    wheel of             = w;
    w.absolute.road      = (kane_road){.surface = curved_surface, .data = h, .s = 0.4, .y = 0.7};
    of.absolute.road     = (kane_road){.surface = curved_surface, .data = m, .s = 0.4, .y = -0.7};
    of.absolute.mirrored = 1;
    const kane_wrench a = eval(&b, &w, NULL), c = eval(&b, &of, NULL);
    check_vec3(c.force, a.force, 1e-9 * load);
    check_vec3(c.torque, a.torque, 1e-9 * load);
}

// Derivatives by place and attitude of the wheel, where the road bends under it.
CHECK_TEST(derivatives_know_how_the_road_bends)
{
    const double h[6] = {0.002, 0.03, -0.02, 0.2, -0.15, 0.1}, step = 1e-6;
    CHECK_FREED(bench) b                  = create(sedan);
    wheel w                               = leaning();
    w.absolute.road                       = (kane_road){.surface = curved_surface, .data = h, .s = 0.1, .y = -0.2};
    kane_law_absolute_derivative absolute = {0};
    kane_law_derivative d                 = {.absolute = &absolute};
    const kane_relative r                 = {.d0 = b.d0, .state = w.state, .absolute = &w.absolute};
    b.law->derive(b.data, &r, &d);
    for (int axis = 0; axis < 3; axis++) {
        wheel up = w, down = w;
        up.absolute.b.position   = kv3_add_scaled(w.absolute.b.position, step, kv3_unit(axis));
        down.absolute.b.position = kv3_add_scaled(w.absolute.b.position, -step, kv3_unit(axis));
        double more[2], less[2];
        const kane_wrench a = eval(&b, &up, more), c = eval(&b, &down, less);
        const kane_vec3 e = kv3_unit(axis);
        check_vec3(km3_mulv(absolute.b.force_position, e), kv3_scale(0.5 / step, kv3_sub(a.force, c.force)), 0.1);
        check_vec3(km3_mulv(absolute.b.torque_position, e), kv3_scale(0.5 / step, kv3_sub(a.torque, c.torque)), 0.1);
        for (int i = 0; i < 2; i++)
            check_near(kv3_get(absolute.b.rate_position[i], axis), 0.5 * (more[i] - less[i]) / step, 1e-5);
    }
    assert_true(fabs(absolute.b.force_position.x.y) > 10.0 || fabs(absolute.b.force_position.y.x) > 10.0);
}

// --- files ---

CHECK_TEST(broken_files_are_refused)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"[MODEL]\nPROPERTY_FILE_FORMAT = 'MF61'\n",
         "is a tyre of the model 'mf61'; the one that is read is 'PAC2002'"},
        {"[UNITS]\nLENGTH = 'mm'\n", "LENGTH is 'mm'; files in SI units are read: 'meter'"},
        {"[UNITS]\nLENGTH = mm $ no quotes\n", "LENGTH is 'mm'; files in SI units are read: 'meter'"},
        {"FITTYP = 61\n",
         "FITTYP says a tyre of another model than PAC2002, which is read (FITTYP 5, 6, 21, 51 or 52)"},
        {"TYRESIDE = SYMMETRIC\n",
         "TYRESIDE is 'symmetric'; must be 'LEFT' or 'RIGHT', the side on which the tyre was measured"},
        {"USE_MODE = 15\n",
         "USE_MODE must end with 0 (load alone), 1 (longitudinal), 2 (lateral), 3 (pure slip) or 4 (combined slip; "
         "turn slip is not known)"},
        {"UNLOADED_RADIUS = 0.3x\n", "UNLOADED_RADIUS needs a number"},
        {"UNLOADED_RADIUS = \n", "UNLOADED_RADIUS needs a number"},
        {"PCX1 = 1e999\n", "PCX1 needs a number"},
        {"PCX1 = 1.6\nPCX1 = 1.7\n", "PCX1 is given twice, first in line 1"},
        {"FNOMIN = -4000\n", "FNOMIN is -4000; must be positive"},
        {"VERTICAL_DAMPING = -1\n", "VERTICAL_DAMPING is -1; must not be negative"},
        {"$ nothing\n", "has no UNLOADED_RADIUS, which a tyre of the model PAC2002 needs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_ERRORS errors            = {0};
        CHECK_OWNED(kane_arena) *arena = kane_arena_create();
        kane_tir p;
        int found = 0;
        write_file("broken.tir", rows[i].text);
        assert_int_equal(kane_tir_read("broken.tir", arena, &p, &errors), 0);
        for (int k = 0; k < errors.kept; k++)
            found |= strcmp(kane_errors_get(&errors, k)->text, rows[i].error) == 0;
        if (!found)
            print_error("not told: %s\n", rows[i].error);
        assert_true(found);
    }
}

// The shipped tyre with other words behind it, in a section of their own.
static void write_tyre(const char *file, const char *words)
{
    char text[16384];
    FILE *in            = fopen(TYRE, "r");
    const size_t length = in ? fread(text, 1, sizeof text - 512, in) : 0;
    assert_true(length > 0);
    (void)fclose(in);
    text[length] = '\0';
    for (int i = 0; i < 2; i++) { // what is said anew goes
        char *old = strstr(text, i ? "TYRESIDE" : "USE_MODE");
        assert_non_null(old);
        *old = '$';
    }
    (void)strcat(text, words);
    write_file(file, text);
}

static kane_wrench forces_of_file(const char *words, int slip, const wheel *w)
{
    write_tyre("words.tir", words);
    CHECK_FREED(bench) b     = create((kane_tyre){.file = "words.tir", .axle = {0, 1, 0}, .slip = slip});
    const kane_wrench result = eval(&b, w, NULL);
    return result;
}

static void equal_wrenches(kane_wrench a, kane_wrench b)
{
    check_vec3(a.force, b.force, 0.0);
    check_vec3(a.torque, b.torque, 0.0);
}

CHECK_TEST(words_of_files_are_obeyed)
{
    wheel w             = leaning();
    w.state[0]          = 0.02;
    const kane_wrench x = forces_of_file("", KANE_SLIP_FILE, &w);
    equal_wrenches(forces_of_file("", KANE_SLIP_COMBINED, &w), x);
    equal_wrenches(forces_of_file("[MODEL]\nUSE_MODE = 4\n", KANE_SLIP_FILE, &w), x);

    // MASS is a unit in [UNITS] alone; old models of MF-Tyre have the formulas of PAC2002
    equal_wrenches(forces_of_file("[INERTIA]\nMASS = 9.6 $mass of the tyre\nIXX = 0.4\n", 0, &w), x);
    equal_wrenches(forces_of_file("[MODEL]\nFITTYP = 52\n", 0, &w), x);

    const kane_wrench right = forces_of_file("TYRESIDE = 'RIGHT'\n", 0, &w);
    assert_true(fabs(right.force.y - x.force.y) > 10.0);
    equal_wrenches(forces_of_file("TYRESIDE = RIGHT $ without quotes\r\n", 0, &w), right);

    const kane_wrench pure = forces_of_file("USE_MODE = 3\n", KANE_SLIP_FILE, &w);
    assert_true(kv3_norm(kv3_sub(pure.force, x.force)) > 10.0);
    equal_wrenches(forces_of_file("", KANE_SLIP_PURE, &w), pure);
    equal_wrenches(forces_of_file("USE_MODE = 13\n", KANE_SLIP_FILE, &w), pure);
    equal_wrenches(forces_of_file("USE_MODE = 13\n", KANE_SLIP_COMBINED, &w), x);

    // forces along and across add up to those of pure slip, beside the load that all have
    const kane_wrench none = forces_of_file("USE_MODE = 0\n", 0, &w), along = forces_of_file("USE_MODE = 11\n", 0, &w),
                      across = forces_of_file("USE_MODE = 2\n", 0, &w);
    check_vec3(kv3_add(along.force, across.force), kv3_add(pure.force, none.force), 1e-9 * load);
    check_vec3(kv3_add(along.torque, across.torque), kv3_add(pure.torque, none.torque), 1e-9 * load);
    assert_true(fabs(along.force.x - none.force.x) > 10.0 && fabs(across.force.y - none.force.y) > 10.0);
}

CHECK_TEST(what_does_not_fit_is_refused)
{
    bench_expect_error(&kane_law_tyre, &(kane_tyre){.file = TYRE}, 0.0, "the axle has no direction");
}

CHECK_MAIN(enter_folder, leave_folder)
