// SPDX-License-Identifier: MIT
// Axes fixed to an interface: frequencies and sums of a clamped beam, its static deflection; and modes that follow
// their loads as statics has it.

#include "runs.h"
#include "flexible_models.h"

#include "folder.h"

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

CHECK_MAIN(enter_folder, leave_folder)
