// SPDX-License-Identifier: MIT
// Axes fixed to an interface: frequencies and sums of a clamped beam, its static deflection; and modes that follow
// their loads as statics has it.

#include "runs.h"
#include "flexible_models.h"

#include "folder.h"

#include "math/dense.h"

#define ENDS "\"near\":{\"at\":[0,0,0]},\"far\":{\"at\":[5,0,0]}"

static const double length = 5.0, line = 7850.0 * SLENDER_A, E = 2.1e11;

// Of both planes, whose modes stand by frequency: the one that bends along z (part 2) or along y (part 1), the k-th of
// its kind.
static int find_mode(const kane_flexible_data *d, int part, int k)
{
    const kane_deformable_point *far = &d->shape.points[1];
    const size_t n                   = (size_t)d->mode_count;
    for (size_t i = 0; i < n; i++) {
        const double size = hypot(hypot(far->S[i], far->S[n + i]), far->S[2 * n + i]);
        if (size > 0.05 && fabs(far->S[(size_t)part * n + i]) > 0.99 * size && k-- == 0) // torsion moves it little
            return (int)i;
    }
    fail_msg("there is no such mode");
    return -1;
}

// a' J b, J: xx yy zz xy xz yz
static double product_of(const double *a, const double *J, const double *b)
{
    return a[0] * (J[0] * b[0] + J[3] * b[1] + J[4] * b[2]) + a[1] * (J[3] * b[0] + J[1] * b[1] + J[5] * b[2]) +
           a[2] * (J[4] * b[0] + J[5] * b[1] + J[2] * b[2]);
}

static void the_interface_is_at_rest(const kane_flexible_data *d)
{
    const kane_deformable_point *near = &d->shape.points[0];
    for (int i = 0; i < 3 * d->mode_count; i++) {
        check_near(near->S[i], 0.0, 1e-12);
        check_near(near->Psi[i], 0.0, 1e-12);
    }
    assert_string_equal(d->frame, "near");
    check_below(d->mass_left, 1e-9);
}

// beta L of clamped beams; what of the mass goes with a mode, (2 sigma / beta)^2, and of the moment of inertia about
// the clamp, 12 / beta^4.
CHECK_TEST(a_clamped_beam)
{
    static const char *const kinds[] = {"\"free\",\"count\":10", "\"free+attachment\",\"count\":12",
                                        "\"craig-bampton\",\"count\":60"};
    static const double beta[2] = {1.8751040687119611, 4.694091132974174}, sigma[2] = {0.734095514, 1.018467319};
    const double pi = 3.14159265358979323846;
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < 4; k++) {
            char rest[128];
            (void)snprintf(rest, sizeof rest, "\"frame\":\"near\",\"modes\":{\"kind\":%s}", kinds[kind]);
            CHECK_OWNED(kane_flexible) *m = read_slender_beam(24, ENDS, rest);
            const kane_flexible_data *d   = kane_flexible_get_data(m);
            const int across = 1 + k % 2, at = find_mode(d, across, k / 2);
            const double I = across == 2 ? SLENDER_IY : SLENDER_IZ, b = beta[k / 2];
            the_interface_is_at_rest(d);
            check_relative(d->frequency[at], b * b / (2.0 * pi * length * length) * sqrt(E * I / line), 1e-4);
            // about the mass centre, from there to the clamp by the momentum: sum m (x - 0) x S
            const kane_vec3 momentum = d->shape.momentum[at], arm = kv3(0.5 * length, 0.0, 0.0);
            const kane_vec3 about = kv3_add(d->shape.turning[at], kv3_cross(arm, momentum));
            const double all      = line * length;
            check_relative(kv3_dot(momentum, momentum), pow(2.0 * sigma[k / 2] / b, 2.0) * all, 1e-3);
            check_relative(kv3_dot(about, about), 12.0 / pow(b, 4.0) * all * length * length / 3.0, 1e-3);
        }
}

// Where the far end goes under a force across: F L^3 / 3 EI.
static double deflection(const kane_flexible_data *d, int part)
{
    const double *S = d->shape.points[1].S + part * d->mode_count;
    double sum      = 0.0;
    for (int i = 0; i < d->mode_count; i++)
        sum += S[i] * S[i] / d->shape.stiffness[i * d->mode_count + i];
    return sum;
}

CHECK_TEST(static_deflection_is_exact)
{
    static const char *const kinds[] = {"free+attachment", "craig-bampton"};
    for (int kind = 0; kind < 2; kind++) {
        char rest[128];
        (void)snprintf(rest, sizeof rest, "\"frame\":\"near\",\"modes\":{\"kind\":\"%s\",\"count\":2}", kinds[kind]);
        CHECK_OWNED(kane_flexible) *m = read_slender_beam(8, ENDS, rest);
        const kane_flexible_data *d   = kane_flexible_get_data(m);
        check_relative(deflection(d, 2), length * length * length / (3.0 * E * SLENDER_IY), 1e-8);
        check_relative(deflection(d, 1), length * length * length / (3.0 * E * SLENDER_IZ), 1e-8);
        check_relative(deflection(d, 0), length / (E * SLENDER_A), 1e-8);
    }
}

// A beam with a lump beside it, so that its moments differ and bending, torsion and stretching are coupled.
#define BESIDE "\"masses\":{\"lump\":{\"mass\":60,\"at\":[3.5,0.4,0.2]}},"

// Products of inertia in the body's own principal axes, to first order by every mode [kg m^2 per modal coordinate].
CHECK_TEST(principal_axes_keep_products_of_inertia)
{
    CHECK_OWNED(kane_flexible) *m =
        read_slender_beam(12, ENDS, BESIDE "\"frame\":\"principal\",\"modes\":{\"count\":8}");
    CHECK_OWNED(kane_flexible) *in_mean = read_slender_beam(12, ENDS, BESIDE "\"modes\":{\"count\":8}");
    const kane_flexible_data *d = kane_flexible_get_data(m), *mean = kane_flexible_get_data(in_mean);
    const double *J = d->inertia;
    double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]}, w[3], most = 0.0, before = 0.0;
    assert_int_equal(kane_principal_axes(full, w), 0);
    for (int k = 0; k < d->mode_count; k++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < a; b++) {
                most   = fmax(most, fabs(product_of(full + 3 * a, d->shape.inertia[k], full + 3 * b)));
                before = fmax(before, fabs(product_of(full + 3 * a, mean->shape.inertia[k], full + 3 * b)));
            }
    check_below(most, 1e-9 * w[2]);
    assert_true(before > 1e-3 * w[2]);
    check_below(d->mass_left, 1e-9);
    for (int k = 0; k < d->mode_count; k++)
        check_below(kv3_norm(d->shape.momentum[k]), 1e-9 * sqrt(d->mass));
}

// A rod that is as stiff and as heavy to all sides has no principal axes across.
CHECK_TEST(principal_axes_need_different_moments)
{
    CHECK_ERRORS errors = {0};
    char text[1200];
    assert_null(read_model_text(
        "{\"kane\":\"flexible 1\",\"beams\":{\"rod\":{\"from\":[0,0,0],\"to\":[1,0,0],\"A\":1e-3,\"Iy\":1e-7,"
        "\"Iz\":1e-7,\"J\":2e-7,\"density\":7850,\"E\":2.1e11,\"G\":8e10}},\"interfaces\":{\"end\":{\"at\":[0,0,0]}},"
        "\"frame\":\"principal\",\"modes\":{\"count\":2}}",
        &errors));
    errors_text(&errors, sizeof text, text);
    if (!strstr(text, "principal axes need three different moments of inertia"))
        fail_msg("%s", text);
}

CHECK_TEST(an_interface_is_not_called_principal)
{
    CHECK_ERRORS errors = {0};
    char text[1200];
    assert_null(read_model_text(
        "{\"kane\":\"flexible 1\",\"beams\":{\"rod\":{\"from\":[0,0,0],\"to\":[1,0,0],\"A\":1e-3,\"Iy\":1e-7,"
        "\"Iz\":2e-7,\"J\":2e-7,\"density\":7850,\"E\":2.1e11,\"G\":8e10}},"
        "\"interfaces\":{\"principal\":{\"at\":[0,0,0]}},"
        "\"frame\":\"principal\",\"modes\":{\"count\":2}}",
        &errors));
    errors_text(&errors, sizeof text, text);
    if (!strstr(text, "give the interface of this name another one"))
        fail_msg("%s", text);
}

// The block's interface is a patch of nodes.
CHECK_TEST(a_patch_is_held)
{
    CHECK_OWNED(kane_flexible) *m = read_calculix_block("\"frame\":\"left\",\"modes\":{\"count\":6}");
    const kane_flexible_data *d   = kane_flexible_get_data(m);
    for (int i = 0; i < 3 * d->mode_count; i++) {
        check_near(d->shape.points[0].S[i], 0.0, 1e-12);
        check_near(d->shape.points[0].Psi[i], 0.0, 1e-11);
    }
    check_below(d->frequency[0], 300.0); // 749 Hz free
}

CHECK_TEST(modes_above_a_limit_are_quasi_static)
{
    CHECK_OWNED(kane_flexible) *whole = read_slender_beam(8, ENDS, "\"modes\":{\"count\":8}");
    kane_flexible *m            = read_slender_beam(8, ENDS, "\"modes\":{\"count\":8,\"quasi_static\":\"10 Hz\"}");
    const kane_flexible_data *a = kane_flexible_get_data(whole), *b = kane_flexible_get_data(m);
    int count = 0;
    for (int i = 0; i < 8; i++) {
        const int at = 9 * i, follows = a->frequency[i] > 10.0;
        const double mass = b->shape.mass[at], K = b->shape.stiffness[at];
        const double swings = sqrt(K / mass), ratio = b->shape.damping[at] / (2.0 * mass * swings);
        count += follows;
        check_relative(K, a->shape.stiffness[at], 1e-12);
        check_relative(mass, follows ? KANE_FLEXIBLE_QUASI_STATIC : 1.0, 1e-12);
        check_relative(ratio, follows ? 1.0 : 0.02, 1e-12);
    }
    assert_in_range(count, 1, 7);
    check_relative(deflection(b, 2), deflection(a, 2), 1e-12);
    kane_flexible_free(m);
}

CHECK_TEST(damping_after_rayleigh)
{
    CHECK_OWNED(kane_flexible) *m = read_slender_beam(8, ENDS, "\"modes\":{\"count\":8},\"rayleigh\":[0.5,0.002]");
    const kane_flexible_data *d   = kane_flexible_get_data(m);
    for (int i = 0; i < 64; i++)
        check_near(d->shape.damping[i], 0.5 * d->shape.mass[i] + 0.002 * d->shape.stiffness[i], 1e-12);
}

enum { TIMES = 200 };

// The block that bounces on its feet: where it is every millisecond [m]. Returns the steps that it took.
static long bounce(const char *rest, double *z)
{
    char text[2048], flexible[FOLDER_SIZE + 60];
    const char *const settings[] = {flexible, NULL};
    CHECK_ERRORS errors          = {0};
    kane_statistics statistics;
    write_calculix_block(rest, sizeof text, text);
    write_file("block.json", text);
    (void)snprintf(flexible, sizeof flexible, "mechanism.bodies.block.flexible=%s/block.json", folder);
    CHECK_OWNED(kane_run) *run      = run_read("mechanism-block", settings);
    const kane_run_definition *d    = kane_run_get_definition(run);
    const kane_conditions forever   = {.time = 100.0};
    CHECK_OWNED(kane_model) *model  = run_model(d);
    CHECK_OWNED(kane_simulation) *s = CHECK_GOOD(kane_simulation_create, model, &d->settings, &forever);
    for (int k = 0; k < TIMES; k++) {
        double q[KANE_JOINT_COORDINATES];
        assert_int_equal(kane_simulation_advance(s, 1e-3 * (k + 1), &errors), KANE_OK);
        (void)kane_get_joint(model, kane_simulation_work(s), kane_model_find_body(model, "block"), q, NULL, NULL);
        z[k] = q[2];
    }
    kane_simulation_statistics(s, &statistics);
    return statistics.steps;
}

// It bounces by a millimetre at 51 Hz, and rings at 756 Hz by a hundredth of that; beyond a limit that is above the one
// and below the other nothing rings.
CHECK_TEST(it_bounces_as_before_and_does_not_ring)
{
    double whole[TIMES], few[TIMES];
    const long steps = bounce("\"damping\":0.01,\"modes\":{\"count\":10}", whole);
    const long less  = bounce("\"damping\":0.01,\"modes\":{\"count\":10,\"quasi_static\":500}", few);
    for (int k = 0; k < TIMES; k++)
        check_near(few[k], whole[k], 5e-6);
    assert_true(5 * less < steps);
}

// The same body with modes that are `unit` times as large, and so coordinates that are as much smaller.
static kane_deformable *rescale_modes(const kane_deformable *of, double unit, kane_arena *arena)
{
    const size_t n = (size_t)of->mode_count, points = (size_t)of->point_count;
    kane_deformable *d           = kane_arena_alloc(arena, 1, sizeof *d);
    double *M                    = kane_arena_doubles(arena, 3 * n * n);
    kane_deformable_point *point = kane_arena_alloc(arena, points, sizeof *point);
    double *S                    = kane_arena_doubles(arena, points * 6 * n);
    assert_true(d && M && point && S);
    for (size_t i = 0; i < n * n; i++) {
        M[i]             = unit * unit * of->mass[i];
        M[n * n + i]     = unit * unit * of->stiffness[i];
        M[2 * n * n + i] = unit * unit * of->damping[i];
    }
    for (size_t p = 0; p < points; p++, S += 6 * n) {
        for (size_t i = 0; i < 3 * n; i++) {
            S[i]         = unit * of->points[p].S[i];
            S[3 * n + i] = unit * of->points[p].Psi[i];
        }
        point[p]     = of->points[p];
        point[p].S   = S;
        point[p].Psi = S + 3 * n;
    }
    *d = (kane_deformable){.mode_count  = of->mode_count,
                           .mass        = M,
                           .stiffness   = M + n * n,
                           .damping     = M + 2 * n * n,
                           .point_count = of->point_count,
                           .points      = point};
    return d;
}

// Steps of a run of a flexible body with modes in another unit, and where the body is then.
static long run_in_unit(const char *name, const char *flexible_body, double unit, double end, double *at)
{
    CHECK_ERRORS errors = {0};
    kane_statistics statistics;
    double rates[6];
    CHECK_OWNED(kane_arena) *arena  = kane_arena_create();
    CHECK_OWNED(kane_run) *run      = run_read(name, NULL);
    const kane_run_definition *d    = kane_run_get_definition(run);
    const kane_conditions forever   = {.time = 100.0};
    const kane_settings usual       = kane_settings_usual(d->vehicle, KANE_BDF);
    kane_vehicle_definition vehicle = *d->vehicle;
    kane_body_definition *bodies    = kane_arena_alloc(arena, (size_t)vehicle.body_count, sizeof *bodies);
    assert_non_null(bodies);
    memcpy(bodies, vehicle.bodies, (size_t)vehicle.body_count * sizeof *bodies);
    for (int i = 0; i < vehicle.body_count; i++)
        if (bodies[i].deformable)
            bodies[i].deformable = rescale_modes(bodies[i].deformable, unit, arena);
    vehicle.bodies                  = bodies;
    CHECK_OWNED(kane_model) *model  = CHECK_GOOD(kane_model_create, &vehicle, d->track, &d->drive, &d->model);
    CHECK_OWNED(kane_simulation) *s = CHECK_GOOD(kane_simulation_create, model, &usual, &forever);
    assert_int_equal(kane_simulation_advance(s, end, &errors), KANE_OK);
    kane_get_relative(model, kane_simulation_work(s), kane_model_find_body(model, flexible_body), at, rates);
    kane_simulation_statistics(s, &statistics);
    return statistics.steps;
}

// Tolerances are of what modes move, not of their coordinates, whose unit is that of the modes: in axes of its own or
// in a loop.
CHECK_TEST(the_unit_of_modes_changes_no_step)
{
    static const struct {
        const char *run, *body;
        double end;
    } cases[] = {{"mechanism-block", "block", 0.02}, {"mechanism-flexible-crank", "rod", 0.02}};
    for (int i = 0; i < 2; i++) {
        double usual[6], other[6];
        const long steps = run_in_unit(cases[i].run, cases[i].body, 1.0, cases[i].end, usual);
        const long small = run_in_unit(cases[i].run, cases[i].body, 1.0 / 1024.0, cases[i].end, other);
        assert_true(steps > 50);
        check_near((double)small, (double)steps, 0.02 * (double)steps);
        for (int axis = 0; axis < 6; axis++)
            check_near(other[axis], usual[axis], 1e-9);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
