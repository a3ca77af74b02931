// SPDX-License-Identifier: MIT
// A panel of flexible track by itself, what a wheel sees of it, and what it feels of the wheels.

#include "property/wagon/flexible.h"

#include "agem/bodies.h"
#include "agem/rail_constraint.h"

#define CONSTRAINT "vehicle.patterns.wheelset.contact.model=constraint"

// A wheelset high above the track leaves three oscillators alone: m q'' = -k q - c q', and what carried the wheels
// pushes up.
CHECK_TEST(without_wheels_a_panel_is_three_oscillators)
{
    double y[64], ydot[64];
    CHECK_FREED(wagon) w         = wagon_open_with("wagon-transition", FLEXIBLE);
    CHECK_OWNED(kane_work) *work = make_work(&w);
    copy_state(&w, y);
    y[w.model->bodies[LEADING].q + KANE_Z] += 0.01;
    const double q[3] = {2e-3, -1e-3, 3e-3}, u[3] = {0.05, -0.02, 0.03};
    for (int k = 0; k < 3; k++) {
        y[state_of(&w, 0, k)] = q[k];
        y[speed_of(&w, 0, k)] = u[k];
    }
    evaluate(&w, work, y, ydot);
    for (int k = 0; k < 3; k++) {
        const double lost = k == Z_OF ? load : 0.0;
        check_relative(ydot[speed_of(&w, 0, k)], (lost - stiffness[k] * q[k] - damping[k] * u[k]) / inertia[k], 1e-9);
        check_near(ydot[state_of(&w, 0, k)], u[k], 1e-15);
        check_near(ydot[speed_of(&w, 1, k)], 0.0, 1e-8); // the other one rests
    }
}

// Slope of du/dt by one state.
static double slope(wagon *w, kane_work *work, const double *y, int row, int column, double h)
{
    double up[64], down[64], moved[64];
    memcpy(moved, y, sizeof moved);
    moved[column] = y[column] + h;
    evaluate(w, work, moved, up);
    moved[column] = y[column] - h;
    evaluate(w, work, moved, down);
    return (up[row] - down[row]) / (2.0 * h);
}

// Under a wheelset that is held the track is on its own spring and on the two of the contacts, 3 N/(2 approach) each;
// what it does to the wheelset the wheelset does to it.
CHECK_TEST(under_a_held_wheelset_it_has_the_frequency_of_both_springs)
{
    static double y[64];
    CHECK_FREED(wagon) w         = wagon_open_with("wagon-transition", FLEXIBLE, CONES);
    CHECK_OWNED(kane_work) *work = make_work(&w);
    copy_state(&w, y);
    const kane_patch *patch = &kane_simulation_work(w.simulation)->wheels[0].result[0].patch[0];
    const double contact    = 2.0 * 1.5 * patch->N / patch->approach;
    const int z = state_of(&w, 0, Z_OF), v = speed_of(&w, 0, Z_OF);
    const int z_wheels = w.model->bodies[LEADING].q + KANE_Z, v_wheels = w.model->bodies[LEADING].u + 2;
    const double held = -slope(&w, work, y, v, z, 1e-8);
    check_relative(held, (stiffness[Z_OF] + contact) / inertia[Z_OF], 5e-3);
    assert_true(sqrt(held) / 6.2831853 > 100.0);
    check_relative(inertia[Z_OF] * slope(&w, work, y, v, z_wheels, 1e-8), contact, 5e-3);
    check_relative(m_wheelset * slope(&w, work, y, v_wheels, z, 1e-8), contact, 5e-3);
    const double damper = -inertia[Z_OF] * slope(&w, work, y, v, v, 1e-6) - damping[Z_OF];
    check_relative(damper, load, 0.02); // dissipation 1 s/m of each N
    check_relative(m_wheelset * slope(&w, work, y, v_wheels, v, 1e-6), load, 0.02);
}

// A state in the middle of everything: wheels and panels displaced and moving.
static void shake(const wagon *w, double *y, uint64_t *seed)
{
    for (int j = LEADING; j <= TRAILING; j++) {
        const kane_body *b = &w->model->bodies[j], *panel = &w->model->bodies[j + 2];
        const double lift = 1e-3 * random_number(seed);
        y[b->q + KANE_Y] += 2e-3 * random_number(seed);
        y[b->q + KANE_Z] += lift;
        y[panel->q + KANE_Z] += lift;
        y[b->q + KANE_YAW] += 2e-3 * random_number(seed);
        y[panel->q + KANE_Y] += 2e-3 * random_number(seed);
        y[panel->q + KANE_ROLL] += 2e-3 * random_number(seed);
        y[b->q + KANE_ROLL] += y[panel->q + KANE_ROLL];
        for (int k = 0; k < 6; k++)
            y[b->u + k] += 0.02 * random_number(seed);
        for (int k = 0; k < 3; k++)
            y[panel->u + k] += 0.05 * random_number(seed);
    }
}

// On straight track the velocity that a wheel is told is the rate of its place over the rail, and so is the axle's
// turn.
CHECK_TEST(wheels_see_the_rails_move)
{
    const double h = 1e-6;
    uint64_t seed  = 20261121;
    double rest[64], y[64], ydot[64], moved[2][64];
    CHECK_FREED(wagon) w         = wagon_open_with("wagon-transition", FLEXIBLE);
    CHECK_OWNED(kane_work) *work = make_work(&w);
    copy_state(&w, rest);
    for (int trial = 0; trial < 20; trial++) {
        kane_wheel_motion at[2][2][2];
        memcpy(y, rest, sizeof y);
        shake(&w, y, &seed);
        evaluate(&w, work, y, ydot);
        const kane_wheels_state now[2] = {work->wheels[0], work->wheels[1]};
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < kane_model_state_count(w.model); i++)
                moved[side][i] = y[i] + (side ? h : -h) * ydot[i];
            double unused[64];
            evaluate(&w, work, moved[side], unused);
            for (int i = 0; i < 2; i++)
                memcpy(at[side][i], work->wheels[i].motion, sizeof at[side][i]);
        }
        for (int i = 0; i < 2; i++)
            for (int wheel = 0; wheel < 2; wheel++) {
                const kane_wheel_motion *m = &now[i].motion[wheel];
                const kane_vec3 rate = kv3_scale(0.5 / h, kv3_sub(at[1][i][wheel].centre, at[0][i][wheel].centre));
                const kane_vec3 turn = kv3_scale(0.5 / h, kv3_sub(at[1][i][wheel].axle, at[0][i][wheel].axle));
                check_near(rate.y, m->velocity.y, 2e-7);
                check_near(rate.z, m->velocity.z, 2e-7);
                check_vec3(turn, kv3_cross(m->omega, m->axle), 2e-7);
            }
    }
}

// The track feels the opposite of what the wheelset feels, at the same place: both together obey momentum and its
// moment.
CHECK_TEST(wheels_and_track_exchange_opposite_forces)
{
    uint64_t seed = 7;
    double rest[64], y[64], ydot[64];
    CHECK_FREED(wagon) w         = wagon_open_with("wagon-transition", FLEXIBLE);
    CHECK_OWNED(kane_work) *work = make_work(&w);
    copy_state(&w, rest);
    for (int trial = 0; trial < 20; trial++) {
        memcpy(y, rest, sizeof y);
        shake(&w, y, &seed);
        evaluate(&w, work, y, ydot);
        for (int i = 0; i < 2; i++) {
            const kane_wheels_state *s = &work->wheels[i];
            const double *q = y + w.model->bodies[LEADING + i].q, *p = y + w.model->bodies[PANEL + i].q;
            double force[3] = {0.0, load, 0.0};
            for (int side = 0; side < 2; side++) {
                const kane_vec3 f      = km3_mulv(s->rail[side].R, s->result[side].on_wheel.force);
                const kane_vec3 t      = km3_mulv(s->rail[side].R, s->result[side].on_wheel.torque);
                const kane_vec3 centre = kv3_add(kv3(0.0, q[KANE_Y], q[KANE_Z]), s->arm[side]);
                const kane_vec3 moment = kv3_add(t, kv3_cross(kv3_sub(centre, kv3(0.0, p[KANE_Y], p[KANE_Z])), f));
                force[Y_OF] -= f.y;
                force[Z_OF] -= f.z;
                force[ROLL_OF] -= moment.x;
            }
            for (int k = 0; k < 3; k++) {
                const double springs = -stiffness[k] * y[state_of(&w, i, k)] - damping[k] * y[speed_of(&w, i, k)];
                check_near(inertia[k] * ydot[speed_of(&w, i, k)], force[k] + springs, 1e-5);
            }
        }
    }
}

static double mechanical(wagon *w, kane_work *work, const double *y, kane_energy *energy)
{
    double ydot[64];
    evaluate(w, work, y, ydot);
    kane_observe(w->model, work);
    kane_get_energy(w->model, work, energy);
    return energy->kinetic + energy->gravity;
}

// Along the motion, energy grows as the powers say, and what the track's springs do not store its dampers have made
// heat.
CHECK_TEST(energy_grows_by_the_powers)
{
    const double h = 1e-6;
    uint64_t seed  = 3;
    double rest[64], y[64], ydot[64], moved[64];
    CHECK_FREED(wagon) w         = wagon_open_with("wagon-transition", FLEXIBLE, "speed=[]");
    CHECK_OWNED(kane_work) *work = make_work(&w);
    copy_state(&w, rest);
    for (int trial = 0; trial < 20; trial++) {
        const int lifted = trial % 2; // then suspension and panels are alone
        kane_energy now, up, down;
        double heat = 0.0;
        memcpy(y, rest, sizeof y);
        if (!lifted)
            shake(&w, y, &seed);
        for (int i = 0; i < 2; i++)
            y[w.model->bodies[LEADING + i].q + KANE_Z] += lifted ? 0.01 : 0.0;
        for (int k = 0; k < 6; k++) {
            y[state_of(&w, k / 3, k % 3)] += 1e-4 * random_number(&seed);
            y[speed_of(&w, k / 3, k % 3)] += 0.1 * random_number(&seed);
            heat += damping[k % 3] * pow(y[speed_of(&w, k / 3, k % 3)], 2.0);
        }
        evaluate(&w, work, y, ydot);
        for (int i = 0; i < 64; i++)
            moved[i] = y[i] + h * ydot[i];
        double rate = mechanical(&w, work, moved, &up);
        for (int i = 0; i < 64; i++)
            moved[i] = y[i] - h * ydot[i];
        rate = 0.5 / h * (rate - mechanical(&w, work, moved, &down));
        (void)mechanical(&w, work, y, &now);
        const double power = now.power_drive + now.power_elements + now.power_contact;
        check_near(rate, power, 5e-3);
        if (lifted)
            check_near(0.5 / h * (up.elements - down.elements), -now.power_elements - heat, 5e-3);
    }
}

// All terms of the derivative count in a state far from any rest: one side nearly unloaded, panels rolling fast.
CHECK_TEST(in_a_wild_state_the_jacobian_is_the_derivative)
{
    uint64_t seed = 11;
    double rest[64], y[64];
    CHECK_FREED(wagon) w = wagon_open_with("wagon-transition", FLEXIBLE, CONES, "start.at=80");
    copy_state(&w, rest);
    for (int trial = 0; trial < 10; trial++) {
        CHECK_ERRORS errors = {0};
        memcpy(y, rest, sizeof y);
        shake(&w, y, &seed);
        for (int i = 0; i < 2; i++) {
            y[w.model->bodies[LEADING + i].q + KANE_ROLL] += (trial % 2 ? 1.0 : -1.0) * 4e-5;
            y[speed_of(&w, i, ROLL_OF)] = 5.0 * random_number(&seed);
        }
        assert_int_equal(kane_simulation_start_from(w.simulation, 0.0, y, &errors), KANE_OK);
        (void)run_check_jacobian(w.simulation, w.model, "panels", 1.6e-5);
    }
}

// A panel knows only its section: where the frame turns by a jump it does not.
CHECK_TEST(at_a_border_panels_stay_as_they_are)
{
    const double t = 2.28; // the leading wheelset comes to the ramp at 50 m
    uint64_t seed  = 5;
    double y[64], before[64];
    CHECK_FREED(wagon) w =
        wagon_open_with("wagon-transition", FLEXIBLE, "track.cant_axis=inner_rail", "track.sections[1].shape=clothoid");
    CHECK_OWNED(kane_work) *work = make_work(&w);
    copy_state(&w, y);
    shake(&w, y, &seed);
    memcpy(before, y, sizeof y);
    kane_work_locate(w.model, work, 0.0, y);
    kane_work_cross_joint(w.model, work, w.model->bodies[LEADING].frame, t, y);
    for (int k = 0; k < 6; k++) {
        check_near(y[state_of(&w, k / 3, k % 3)], before[state_of(&w, k / 3, k % 3)], 0.0);
        check_near(y[speed_of(&w, k / 3, k % 3)], before[speed_of(&w, k / 3, k % 3)], 0.0);
    }
    const int roll = w.model->bodies[LEADING].u + 3;
    assert_true(fabs(y[roll] - before[roll]) > 1e-3);
}

// Accelerations of the gaps of the leading wheelset in a state, under given accelerations of wheelset and panel.
static void gap_accelerations(wagon *w, kane_work *work, const double *y, kane_wrench of_body, kane_wrench of_panel,
                              double out[2])
{
    const kane_wheels *wheels = &w->model->wheels[0];
    kane_wheels_state *s      = &work->wheels[0];
    assert_int_equal(kane_motion_eval(w->model, work, 0.0, y), KANE_OK);
    assert_int_equal(kane_rail_constraint_find_contact(w->model, work, wheels, &work->body[wheels->body], s), KANE_OK);
    for (int side = 0; side < 2; side++) {
        const kane_wrench against = kane_rail_relative(s, side, of_body, of_panel), p = s->guidance.direction[side];
        out[side] = s->guidance.bias[side] + kv3_dot(p.force, against.force) + kv3_dot(p.torque, against.torque);
    }
}

// What the gaps of guided wheels accelerate by displacements of wheelset and panel, with all accelerations held, among
// which those of a shaken panel are large.
CHECK_TEST(gaps_have_slopes_under_an_accelerated_panel)
{
    const double h = 1e-6;
    uint64_t seed  = 13;
    double y[64], ydot[64], moved[64], up[2], down[2];
    kane_rail_constraint_slopes slopes;
    CHECK_FREED(wagon) w         = wagon_open_with("wagon-transition", FLEXIBLE, CONES, CONSTRAINT);
    CHECK_OWNED(kane_work) *work = make_work(&w);
    copy_state(&w, y);
    shake(&w, y, &seed);
    evaluate(&w, work, y, ydot);
    assert_int_equal(kane_rail_constraint_derive(w.model, work, 0, &slopes), KANE_OK);
    const kane_body_state *b = &work->body[LEADING], *p = &work->body[PANEL];
    const kane_wrench of_body = {b->a, b->e}, of_panel = {p->a, p->e};
    assert_true(kv3_norm(p->a) > 50.0 && kv3_norm(p->e) > 5.0);
    for (int k = 0; k < 5; k++) { // y, z of the wheelset; y, z, roll of the panel
        const int end   = k < 2 ? KANE_RAIL_WHEELSET : KANE_RAIL_PANEL;
        const int place = k < 2 ? w.model->bodies[LEADING].q + KANE_Y + k : state_of(&w, 0, k - 2);
        for (int side = 0; side < 2; side++) {
            memcpy(moved, y, sizeof moved);
            moved[place] = y[place] + h;
            gap_accelerations(&w, work, moved, of_body, of_panel, up);
            moved[place] = y[place] - h;
            gap_accelerations(&w, work, moved, of_body, of_panel, down);
            const kane_vec3 *by = slopes.bias[end][side];
            const double slope  = k < 4 ? kv3_get(by[KANE_MOVES], k % 2 + 1) : by[KANE_TURNS].x;
            check_near(slope, (up[side] - down[side]) / (2.0 * h), 1e-6); // of some 0.1 to 10: round-off over h
        }
    }
}

// A step that is implicit in creep alone adds forces between wheels and track: momentum of both together is that of the
// step's explicit part.
CHECK_TEST(wheels_and_track_share_what_a_creep_step_adds)
{
    const double h = 1e-3;
    uint64_t seed  = 17;
    double y[64], rates[64], there[64], plain[64], step[64];
    CHECK_FREED(wagon) w           = wagon_open_with("wagon-transition", FLEXIBLE, CONSTRAINT);
    CHECK_OWNED(kane_work) *work   = make_work(&w);
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    kane_relaxation *relaxation    = kane_relaxation_create(w.model, arena);
    copy_state(&w, y);
    shake(&w, y, &seed);
    evaluate(&w, work, y, rates);
    memcpy(there, y, sizeof there);
    for (int i = 0; i < w.model->u_begin; i++)
        there[i] = y[i] + h * rates[i];
    work->gap_horizon = h;
    assert_int_equal(kane_eval(w.model, work, h, there, plain), KANE_OK);
    work->gap_horizon = 0.0;
    assert_int_equal(kane_motion_eval(w.model, work, 0.0, y), KANE_OK);
    assert_int_equal(kane_creep_step(relaxation, w.model, work, 0.0, h, 1, y, step), KANE_OK);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) { // y, z
            const int u = w.model->bodies[LEADING + i].u + 1 + k, v = speed_of(&w, i, k);
            const double on_wheels = m_wheelset * (step[u] - plain[u]), on_track = inertia[k] * (step[v] - plain[v]);
            check_near(on_wheels + on_track, 0.0, 1e-8 * load);
            assert_true(fabs(on_track) > 1.0);
        }
}

CHECK_TEST(no_body_is_called_as_a_panel)
{
    CHECK_ERRORS errors = {0};
    kane_body_definition bodies[3];
    wagon w                         = wagon_with("wagon-transition", FLEXIBLE);
    kane_vehicle_definition vehicle = *w.definition.vehicle;
    memcpy(bodies, vehicle.bodies, sizeof bodies);
    bodies[0].block.name  = "leading.track";
    vehicle.bodies        = bodies;
    vehicle.guide         = "leading";
    vehicle.element_count = 0;
    vehicle.sensor_count  = 0;
    assert_null(kane_model_create(&vehicle, w.definition.track, &w.definition.drive, &w.definition.model, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(kane_errors_get(&errors, 0)->text,
                        "on flexible track 'leading.track' is what moves under 'leading'; no body can be called so");
    assert_true(kane_errors_get(&errors, 0)->line > 0);
    kane_run_free(w.run);
}

CHECK_MAIN(NULL, NULL)
