// SPDX-License-Identifier: MIT
// What redundant constraints leave undetermined says so, and the rest is as if nothing were redundant: a four-bar whose
// last hinge holds all three axes, a parallelogram with two rods, Bricard's mechanism; beside them what is determined.

#include "mechanisms.h"

#include "agem/bodies.h"
#include "simulate/channels.h"

enum { CRANK, COUPLER, ROCKER };

// --- a planar four-bar: the closing hinge by all five equations, or by the two that are in the plane ---

static void in_plane(const void *data, const kane_rows_input *in, kane_number *phi)
{
    (void)data;
    phi[0] = in->marker[0].position.x;
    phi[1] = in->marker[0].position.y;
}
static const kane_rows_kind plane_rows = {.name = "plane", .markers = 2, .positions = 2, .position = in_plane};

// Another four-bar stands beside it, closed in the plane alone, and a pendulum by itself.
static void build_four_bars(mechanism *m, kane_side_definition sides[2][2], int is_redundant)
{
    const kane_vec3 tip = planar(0.0, FOUR_BAR_CRANK), pivot = planar(FOUR_BAR_GROUND, 0.0), beside = planar(3.0, 0.0);
    const kane_vec3 pin                 = circles_meet(tip, FOUR_BAR_COUPLER, pivot, FOUR_BAR_ROCKER);
    kane_constraint_definition *closing = mechanism_four_bar(m);
    closing->kind                       = KANE_CONSTRAINT_REVOLUTE;
    const char *const names[2][2]       = {{"coupler", "rocker"}, {"other coupler", "other rocker"}};
    (void)mechanism_bar(m, "other crank", NULL, 2.0, 0.02, beside, kv3_add(beside, tip));
    (void)mechanism_bar(m, "other coupler", "other crank", 1.0, 0.05, kv3_add(beside, tip), kv3_add(beside, pin));
    (void)mechanism_bar(m, "other rocker", NULL, 1.5, 0.04, kv3_add(beside, pivot), kv3_add(beside, pin));
    (void)mechanism_bar(m, "pendulum", NULL, 1.0, 0.02, planar(6.0, 0.0), planar(6.4, 0.0));
    m->starts[3] = m->starts[0];
    (void)mechanism_close(m, "other pin", KANE_CONSTRAINT_USER, NULL, NULL, kv3_zero(), km3_identity());
    for (int i = is_redundant; i < 2; i++) {
        for (int k = 0; k < 2; k++)
            sides[i][k] = (kane_side_definition){.body = names[i][k],
                                                 .at   = {.at = i ? kv3_add(beside, pin) : pin, .axes = planar_axes()}};
        m->constraints[i].kind       = KANE_CONSTRAINT_USER;
        m->constraints[i].own        = &plane_rows;
        m->constraints[i].side_count = 2;
        m->constraints[i].sides      = sides[i];
    }
}

// Components of a wrench that are numbers, by bits.
static unsigned numbers(kane_wrench w)
{
    const double parts[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
    unsigned bits         = 0;
    for (int k = 0; k < 6; k++)
        bits |= isnan(parts[k]) ? 0u : 1u << k;
    return bits;
}

CHECK_TEST(a_hinge_that_closes_a_plane)
{
    for (int form = 0; form < 2; form++) {
        const kane_settings settings                  = mechanism_settings(1e-11);
        CHECK_END(mechanism_close_all) mechanism five = {0}, two = {0};
        kane_side_definition sides[2][2][2];
        build_four_bars(&five, sides[0], 1);
        build_four_bars(&two, sides[1], 0);
        mechanism_open(&five, (kane_constraint_form)form);
        mechanism_open(&two, (kane_constraint_form)form);
        assert_int_equal(kane_model_redundant_count(five.model), 1);
        assert_int_equal(kane_model_redundant_count(two.model), 0);
        mechanism_run(&five, &settings);
        mechanism_run(&two, &settings);
        for (int step = 0; step <= 4; step++) {
            double a[6], b[6], c[6];
            const kane_work *first = mechanism_go(&five, 0.1 * step), *second = mechanism_go(&two, 0.1 * step);
            assert_int_equal(kane_get_constraint(five.model, first, 0, a), 5);
            assert_int_equal(kane_get_constraint(two.model, second, 0, b), 2);
            assert_int_equal(kane_get_constraint(five.model, first, 1, c), 2);
            assert_true(hypot(b[0], b[1]) > 1.0);
            for (int k = 0; k < 2; k++) { // in the plane all is as it was
                check_near(a[k], b[k], 1e-8 * (1.0 + fabs(b[k])));
                check_near(c[k], b[k], 1e-8 * (1.0 + fabs(b[k])));
            }
            for (int k = 2; k < 5; k++) // across it the other hinges hold the same
                assert_true(isnan(a[k]));
            for (int body = 0; body < 3; body++) {
                const kane_wrench w = kane_get_joint_reaction(five.model, first, body);
                const kane_wrench v = kane_get_joint_reaction(two.model, second, body);
                assert_int_equal(numbers(w), 1u << 0 | 1u << 1 | 1u << 5); // x, y; torque about z
                assert_int_equal(numbers(v), 63);
                assert_int_equal(numbers(kane_get_joint_reaction(five.model, first, 3 + body)), 63);
                check_near(w.force.x, v.force.x, 1e-8 * (1.0 + fabs(v.force.x)));
                check_near(w.force.y, v.force.y, 1e-8 * (1.0 + fabs(v.force.y)));
                check_near(w.torque.z, 0.0, 1e-9);
            }
            assert_int_equal(numbers(kane_get_joint_reaction(five.model, first, 6)), 63);
            kane_energy energy; // what is computed with them is not spoilt
            kane_get_energy(five.model, first, &energy);
            check_near(energy.power_drive, 0.0, 1e-7);
        }
    }
}

// --- two rods where one is enough ---
// Cranks of 1 m, rods at their ends and at their middles. Rods z along e, at 1 and 1/2: z_1 + z_2/2 = 0 turns no crank.
// So both rods and what the hinges hold along them are undetermined; of a third crank, that a rod of its own holds,
// nothing is.
CHECK_TEST(a_parallelogram_with_two_rods)
{
    static const double place[4]      = {0.0, 1.0, 3.0, 4.0};
    static const char *const names[4] = {"a", "b", "c", "d"}, *const rods[3] = {"rod", "other rod", "single rod"};
    for (int form = 0; form < 2; form++) {
        CHECK_END(mechanism_close_all) mechanism m = {0};
        mechanism_begin(&m, 9.81);
        for (int i = 0; i < 4; i++)
            (void)mechanism_bar(&m, names[i], NULL, 1.0, 0.1, planar(place[i], 0.0), planar(place[i], -1.0));
        for (int i = 0; i < 3; i++) {
            const int pair = i < 2 ? 0 : 2;
            const double z = i == 1 ? -0.5 : -1.0;
            (void)mechanism_close_at(&m, rods[i], KANE_CONSTRAINT_DISTANCE, names[pair], planar(place[pair], z),
                                     names[pair + 1], planar(place[pair + 1], z), km3_identity());
        }
        m.starts[0]      = (kane_start_definition){.q = {0.4}, .held_q = 1};
        m.starts[1].q[0] = m.starts[2].q[0] = m.starts[3].q[0] = 0.4;
        mechanism_open(&m, (kane_constraint_form)form);
        double lambda[6];
        for (int i = 0; i < 3; i++) {
            assert_int_equal(kane_get_constraint(m.model, m.work, i, lambda), 1);
            assert_int_equal(isnan(lambda[0]) != 0, i < 2);
        }
        for (int i = 0; i < 4; i++)
            assert_int_equal(numbers(kane_get_joint_reaction(m.model, m.work, i)), i < 2 ? 63 & ~3 : 63);
        char text[64];
        kane_reaction_name_redundant(m.model, (kane_reaction){KANE_REACTION_JOINT, 0, 0}, sizeof text, text);
        assert_string_equal(text, "'rod' and 'other rod'");
    }
}

// --- a coupler on three parallel cranks ---
// Pushes along the cranks that balance each other accelerate nothing, all else is determined. The first crank stands on
// a post that is welded to the ground beside it, which feels them as a force and a torque. Which crank's pin is left
// out as redundant depends on the order of the constraints: two orders give two solutions that share what is
// determined.

enum { POST, FIRST, COUPLER_3, SECOND, THIRD };

static void build_three_cranks(mechanism *m, kane_side_definition sides[2][2], int is_swapped)
{
    static const char *const cranks[2] = {"second", "third"};
    const kane_vec3 foot[3] = {planar(0.0, 0.0), planar(1.0, 0.0), planar(2.5, 0.0)}, up = planar(0.0, 0.7);
    mechanism_begin(m, 9.81);
    const int post = mechanism_add(m, "post", 1.0, kv3(0.1, 0.1, 0.1), planar(-0.3, 0.0));
    (void)mechanism_hang(m, post, KANE_JOINT_WELD, NULL, planar(-0.6, 0.0), planar_axes());
    (void)mechanism_bar(m, "first", "post", 1.0, 0.1, foot[0], kv3_add(foot[0], up));
    (void)mechanism_bar(m, "coupler", "first", 3.0, 0.5, kv3_add(foot[0], up), kv3_add(foot[2], up));
    for (int i = 0; i < 2; i++) {
        const kane_vec3 pin = kv3_add(foot[1 + i], up);
        const int which     = is_swapped ? 1 - i : i;
        (void)mechanism_bar(m, cranks[i], NULL, 1.0, 0.1, foot[1 + i], pin);
        (void)mechanism_close(m, which ? "pin 2" : "pin 1", KANE_CONSTRAINT_USER, NULL, NULL, kv3_zero(),
                              km3_identity());
        sides[which][0] = (kane_side_definition){.body = "coupler", .at = {.at = pin, .axes = planar_axes()}};
        sides[which][1] = (kane_side_definition){.body = cranks[i], .at = {.at = pin, .axes = planar_axes()}};
    }
    for (int k = 0; k < 2; k++) {
        m->constraints[k].own        = &plane_rows;
        m->constraints[k].side_count = 2;
        m->constraints[k].sides      = sides[k];
    }
    m->starts[FIRST]       = (kane_start_definition){.q = {0.5}, .rate = {1.0}, .held_q = 1, .held_rate = 1};
    m->starts[SECOND].q[0] = m->starts[THIRD].q[0] = 0.5;
    m->starts[COUPLER_3].q[0]                      = -0.5;
}

CHECK_TEST(a_coupler_on_three_cranks)
{
    // of the drawing's plane: x to the right, y up; bits 0 to 2 force, 3 to 5 torque
    static const unsigned determined[5] = {
        63 & ~(1u << 0 | 1u << 1 | 1u << 5), // the post: force in the plane, and the torque that it has at the weld
        63 & ~(1u << 1),                     // the first crank: along itself
        63 & ~(1u << 0 | 1u << 1),           // the coupler, which does not turn with it
        63 & ~(1u << 1),
        63 & ~(1u << 1),
    };
    for (int form = 0; form < 2; form++) {
        static mechanism m[2];
        kane_side_definition sides[2][2][2];
        int different = 0;
        for (int i = 0; i < 2; i++) {
            build_three_cranks(&m[i], sides[i], i);
            mechanism_open(&m[i], (kane_constraint_form)form);
            assert_int_equal(kane_model_redundant_count(m[i].model), 1);
        }
        for (int body = 0; body < 5; body++) {
            kane_wrench internal[2], w[2];
            for (int i = 0; i < 2; i++) {
                const int link = m[i].model->bodies[body].link;
                w[i]           = kane_get_joint_reaction(m[i].model, m[i].work, body);
                internal[i]    = kane_wrench_in_joint(m[i].model, m[i].work, link, m[i].work->joint[link]);
                assert_int_equal(numbers(w[i]), determined[body]);
            }
            for (int k = 0; k < 6; k++) {
                const double a = kv3_get(k < 3 ? internal[0].force : internal[0].torque, k % 3);
                const double b = kv3_get(k < 3 ? internal[1].force : internal[1].torque, k % 3);
                if (determined[body] >> k & 1u)
                    check_near(a, b, 1e-9);
                different += fabs(a - b) > 0.1;
            }
        }
        assert_int_equal(different, 8); // all that is undetermined differs
        for (int i = 0; i < 2; i++)
            mechanism_close_all(&m[i]);
    }
}

// --- channels ---

static kane_channels *channels_of(mechanism *m, const char *pattern, kane_errors *errors)
{
    return kane_channels_create(m->simulation, 1, &pattern, NULL, errors);
}

// What is not determined is told by its description, reads nan where a pattern asks for it, and is refused by its name.
CHECK_TEST(channels_say_so)
{
    const kane_settings settings               = mechanism_settings(1e-9);
    CHECK_END(mechanism_close_all) mechanism m = {0};
    kane_side_definition sides[2][2];
    CHECK_ERRORS errors = {0};
    double values[16];
    build_four_bars(&m, sides, 1);
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    mechanism_run(&m, &settings);
    kane_channels *c = CHECK_GOOD(channels_of, &m, "pin.reaction.*");
    assert_int_equal(kane_channels_count(c), 5);
    kane_channels_read(c, m.simulation, values);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(isnan(values[i]) != 0, i >= 2);
        assert_int_equal(strstr(kane_channels_info(c, i)->description, "not determined") != NULL, i >= 2);
    }
    kane_channels_free(c);
    c = CHECK_GOOD(channels_of, &m, "pin.reaction.2");
    kane_channels_free(c);
    assert_null(channels_of(&m, "pin.reaction.3", &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(
        kane_errors_get(&errors, 0)->text,
        "'pin.reaction.3' is not determined: 'pin' and joints hold the same more than once, and rigid bodies do "
        "not say how they share that load; give one of them the stiffness that it has, or leave out what is "
        "redundant");
    kane_errors_clear(&errors);
    assert_null(channels_of(&m, "rocker.joint.torque.x", &errors));
    assert_int_equal(errors.count, 1);
}

// Reactions alone need no more than an evaluation, coordinates of bodies how these move, energy everything; the values
// are the same whatever else is read.
CHECK_TEST(channels_compute_no_more_than_they_need)
{
    static const struct {
        const char *pattern;
        kane_knowledge needs;
    } rows[] = {
        {"*pin.reaction.[12]", KANE_KNOWS_EVALUATION},
        {"rocker.joint.force.x", KANE_KNOWS_EVALUATION},
        {"*.joint.angle", KANE_KNOWS_EVALUATION},
        {"constraints.drift", KANE_KNOWS_EVALUATION},
        {"crank.x", KANE_KNOWS_BODIES},
        {"crank.acceleration.z", KANE_KNOWS_BODIES},
        {"power.drive", KANE_KNOWS_ALL},
        {"time", KANE_KNOWS_EVALUATION},
    };
    for (int form = 0; form < 2; form++) {
        const kane_settings settings               = mechanism_settings(1e-9);
        CHECK_END(mechanism_close_all) mechanism m = {0};
        kane_side_definition sides[2][2];
        build_four_bars(&m, sides, 1);
        mechanism_open(&m, (kane_constraint_form)form);
        mechanism_run(&m, &settings);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            static double one[64], all[64];
            assert_int_equal(CHECK_GOOD(kane_simulation_advance, m.simulation, 0.01 * (double)(i + 1)), KANE_OK);
            CHECK_OWNED(kane_channels) *c = CHECK_GOOD(channels_of, &m, rows[i].pattern);
            const int count               = kane_channels_count(c);
            assert_true(count > 0 && count <= 64);
            kane_channels_read(c, m.simulation, one);
            if (m.simulation->evaluated != rows[i].needs)
                fail_msg("%s needs %d", rows[i].pattern, (int)m.simulation->evaluated);
            (void)kane_simulation_work(m.simulation);
            kane_channels_read(c, m.simulation, all);
            for (int k = 0; k < count; k++)
                check_near(one[k], all[k], 1e-12 * (1.0 + fabs(all[k])));
        }
    }
}

CHECK_MAIN(NULL, NULL)
