// SPDX-License-Identifier: MIT
// A crane on a ship that rolls, pitches and heaves: in frames that move so it does what it does as a chain of bodies
// whose joints are prescribed, what Newton's law says in A, and what every imaginary term is for; its energy is that of
// A.

#include "mechanisms.h"
#include "property/frames/composed.h"

#include "agem/work.h"

static const double roll[4] = {0.05, 0.2, 0.9, 0.3}, pitch[4] = {0.0, 0.1, 1.1, 1.0}, heave[4] = {0.0, 0.5, 0.7, 0.2};
static const double slew[] = {0.4, 0.15}, surge[] = {0.3, 0.8, 0.05};
static const kane_vec3 deck = {0.0, 0.0, 3.0}, tip = {4.0, 0.0, 8.0}, bob = {4.0, 0.0, 5.5};

// --- by hand ---

static double sine(const double c[4], double t)
{
    return c[0] + c[1] * sin(c[2] * t + c[3]);
}

static composed_pose ship(double t)
{
    const kane_mat3 R = km3_mul(composed_turn(0, sine(roll, t)), composed_turn(1, sine(pitch, t)));
    return (composed_pose){R, kv3(surge[0] + surge[1] * t + surge[2] * t * t, 0.0, sine(heave, t))};
}

static composed_pose table(double t)
{
    const double angle = slew[0] * t + 0.5 * slew[1] * t * t;
    return composed_on(ship(t), (composed_pose){composed_turn(2, angle), deck});
}

// --- as frames ---

enum { SHIP, TABLE, FLOOR };

static void add_frames(mechanism *m)
{
    (void)mechanism_frame(m, "ship", NULL, KANE_JOINT_FREE, kv3_zero(), km3_identity());
    mechanism_frame_move(m, SHIP, 0, mechanism_polynomial(3, surge), 0);
    mechanism_frame_move(m, SHIP, 2, mechanism_sine(heave), 0);
    mechanism_frame_move(m, SHIP, 4, mechanism_sine(roll), 0);
    mechanism_frame_move(m, SHIP, 5, mechanism_sine(pitch), 0);
    (void)mechanism_frame(m, "table", "ship", KANE_JOINT_REVOLUTE, deck, axes_about(2));
    mechanism_frame_move(m, TABLE, 0, mechanism_polynomial(2, slew), 1);
    (void)mechanism_frame(m, "floor", NULL, KANE_JOINT_WELD, kv3_zero(), km3_identity());
}

// --- and as bodies on prescribed joints ---

// Its motions are those of a frame; where none is given the frame stays at 0, and so must the joint.
static void prescribe(mechanism *m, int frame, kane_joint_definition *joint)
{
    static const double zero = 0.0;
    joint->dof               = m->frame_joints[frame].dof;
    for (int c = 0; c < kane_joint_coordinate_count(joint); c++) {
        int has = 0;
        for (int i = 0; i < m->frame_joints[frame].motion_count; i++)
            has |= m->frame_motions[frame][i].coordinate == c;
        if (!has)
            mechanism_frame_move(m, frame, c, mechanism_polynomial(1, &zero), 0);
    }
    joint->motion_count = m->frame_joints[frame].motion_count;
    joint->motions      = m->frame_motions[frame];
}

static void add_carriers(mechanism *m)
{
    add_frames(m);
    const int hull = mechanism_add(m, "ship", 5e4, kv3(1e5, 3e5, 3e5), kv3(0.2, 0.1, -0.5));
    prescribe(m, SHIP, mechanism_hang(m, hull, KANE_JOINT_FREE, NULL, kv3_zero(), km3_identity()));
    const int crane = mechanism_add(m, "table", 4e3, kv3(2e3, 3e3, 4e3), kv3(1.0, 0.1, 5.0));
    prescribe(m, TABLE, mechanism_hang(m, crane, KANE_JOINT_REVOLUTE, "ship", deck, axes_about(2)));
    m->vehicle.given_frame_count = 0;
}

// --- the load ---

static const kane_bushing jib_spring = {.stiffness = {3e4, 3e4, 3e4}, .damping = {900, 900, 900}};
static const kane_bushing tugger     = {
        .stiffness = {400, 500, 600}, .damping = {60, 70, 80}, .rotational_stiffness = {90, 80, 70}};
static const kane_spring brace = {.stiffness = 700.0, .damping = 50.0};

enum { JIB, LOAD, BALL, LOADS };

// A jib on the table, a load on its tip, a ball that a rod ties to the ship; springs between them, to the ship and to
// the table.
static void add_load(mechanism *m, int first, int in_frames)
{
    const kane_vec3 hook = kv3(2.5, 1.5, 5.0);
    (void)mechanism_add(m, "jib", 300.0, kv3(150, 200, 220), kv3(2.0, 0.1, 6.0));
    (void)mechanism_hang(m, first + JIB, KANE_JOINT_REVOLUTE, "table", kv3(0.5, 0.0, 4.0), axes_about(1));
    (void)mechanism_add(m, "load", 200.0, kv3(30, 40, 25), bob);
    (void)mechanism_hang(m, first + LOAD, KANE_JOINT_UNIVERSAL, "jib", tip, km3_identity());
    // the same about all axes: speeds at the start are made consistent in the scales of the axes that it is described
    // in
    (void)mechanism_add(m, "ball", 80.0, kv3(5, 5, 5), hook);
    if (in_frames)
        m->bodies[first + BALL].frame = "table";
    else
        mechanism_hang(m, first + BALL, KANE_JOINT_FREE, "table", hook, km3_identity())->dof = KANE_ALL_DOF;
    m->starts[first + JIB].rate[0]  = 0.1;
    m->starts[first + LOAD].q[0]    = 0.3;
    m->starts[first + LOAD].rate[1] = -0.2;
    (void)mechanism_element(m, "topping lift", &kane_law_bushing, &jib_spring, "table", tip, "jib", tip);
    (void)mechanism_element(m, "tugger", &kane_law_bushing, &tugger, "ship", kv3(3.0, 0.0, 3.2), "load",
                            kv3(4.0, 0.1, 5.2));
    (void)mechanism_element(m, "brace", &kane_law_spring, &brace, "load", kv3(4.0, 0.2, 5.5), "ball", hook);
    (void)mechanism_element(m, "back", &kane_law_bushing, &tugger, "ball", hook, "table", kv3(2.0, 1.5, 5.0));
    (void)mechanism_close_at(m, "rod", KANE_CONSTRAINT_DISTANCE, "ship", kv3(2.0, 2.0, 3.0), "ball", kv3(2.6, 1.5, 4.9),
                             km3_identity());
}

static void check_body(const mechanism *a, const mechanism *b, int i, int k, double place, double speed)
{
    const kane_body_state *one   = &kane_simulation_work(a->simulation)->body[i];
    const kane_body_state *other = &kane_simulation_work(b->simulation)->body[k];
    check_vec3(one->r_w, other->r_w, place);
    check_vec3(one->R_w.x, other->R_w.x, place);
    check_vec3(one->R_w.y, other->R_w.y, place);
    check_vec3(one->v_w, other->v_w, speed);
    check_vec3(one->w_w, other->w_w, speed);
}

CHECK_TEST(frames_do_what_carriers_on_prescribed_joints_do)
{
    const kane_settings settings = mechanism_settings(1e-12);
    static mechanism a, b;
    for (int form = 0; form < 2; form++)
        for (int way = 0; way < 3; way++) {
            mechanism_begin(&a, 9.81);
            add_frames(&a);
            add_load(&a, 0, 1);
            a.options.formulation         = way == 2 ? KANE_FIXED : KANE_MOVING;
            a.options.imaginary_as_forces = way == 1;
            mechanism_open(&a, (kane_constraint_form)form);
            mechanism_begin(&b, 9.81);
            add_carriers(&b);
            add_load(&b, 2, 0);
            mechanism_open(&b, (kane_constraint_form)form);
            // bodies that hang on carriers and those in frames begin alike: as they are drawn, and consistent
            mechanism_run(&a, &settings);
            mechanism_run(&b, &settings);
            for (int i = 0; i < 5; i++) {
                const double t = 0.8 * i;
                if (i > 0) {
                    (void)mechanism_go(&a, t);
                    (void)mechanism_go(&b, t);
                }
                const kane_work *in_frames = kane_simulation_work(a.simulation),
                                *on_bodies = kane_simulation_work(b.simulation);
                for (int k = 0; k < LOADS; k++)
                    check_body(&a, &b, k, 2 + k, 2e-8, 1e-7);
                for (int k = 0; k < BALL; k++) {
                    const kane_wrench one = kane_get_joint_reaction(a.model, in_frames, k);
                    const kane_wrench two = kane_get_joint_reaction(b.model, on_bodies, 2 + k);
                    check_vec3(one.force, two.force, 1e-4);
                    check_vec3(one.torque, two.torque, 1e-4);
                }
                double rod[2][6];
                (void)kane_get_constraint(a.model, in_frames, 0, rod[0]);
                (void)kane_get_constraint(b.model, on_bodies, 0, rod[1]);
                check_near(rod[0][0], rod[1][0], 1e-4);
                mechanism_check_jacobian(&a, 2e-6);
            }
            mechanism_close_all(&a);
            mechanism_close_all(&b);
        }
}

// --- Newton's law in A ---

// A mass between springs and dampers: to a point of the table, and to one at rest. Its place and velocity, then their
// rates.
static const double mass = 120.0, table_k = 900.0, table_c = 70.0, floor_k = 300.0;
static const kane_vec3 on_table = {3.0, 0.5, 6.0}, on_floor = {2.0, 1.0, 5.0};

static void newton(double t, const kane_vec3 y[2], kane_vec3 rate[2])
{
    const kane_transport T = composed_transport(table, t);
    const kane_vec3 arm    = kv3_sub(on_table, deck);
    const kane_vec3 hook   = kv3_add(T.r_o, km3_mulv(T.R, arm));
    const kane_vec3 moves  = km3_mulv(T.R, kv3_add(T.v_o, kv3_cross(T.omega, arm)));
    kane_vec3 force        = kv3(0.0, 0.0, -9.81 * mass);
    force                  = kv3_add_scaled(force, -table_k, kv3_sub(y[0], hook));
    // the damper is fixed to the table: it sees the velocity against its axes, which turn
    const kane_vec3 swept = kv3_cross(km3_mulv(T.R, T.omega), kv3_sub(y[0], hook));
    force                 = kv3_add_scaled(force, -table_c, kv3_sub(kv3_sub(y[1], moves), swept));
    // no force where both ends are as they are drawn: the mass at `on_table` in A
    force   = kv3_add_scaled(force, -floor_k, kv3_sub(y[0], on_table));
    rate[0] = y[1];
    rate[1] = kv3_scale(1.0 / mass, force);
}

static void integrate(double from, double until, kane_vec3 y[2])
{
    const int steps = (int)ceil((until - from) / 2e-3);
    const double h  = (until - from) / steps;
    for (int i = 0; i < steps; i++) {
        const double t = from + i * h;
        kane_vec3 k[4][2], at[2];
        for (int n = 0; n < 4; n++) {
            const double step = n == 0 ? 0.0 : n == 3 ? h : 0.5 * h;
            for (int c = 0; c < 2; c++)
                at[c] = n == 0 ? y[c] : kv3_add_scaled(y[c], step, k[n - 1][c]);
            newton(t + step, at, k[n]);
        }
        for (int c = 0; c < 2; c++) {
            const kane_vec3 sum = kv3_add(kv3_add(k[0][c], k[3][c]), kv3_scale(2.0, kv3_add(k[1][c], k[2][c])));
            y[c]                = kv3_add_scaled(y[c], h / 6.0, sum);
        }
    }
}

CHECK_TEST(a_mass_in_a_frame_obeys_newtons_law_in_A)
{
    const kane_bushing to_table  = {.stiffness = {table_k, table_k, table_k}, .damping = {table_c, table_c, table_c}};
    const kane_bushing to_floor  = {.stiffness = {floor_k, floor_k, floor_k}};
    const kane_settings settings = mechanism_settings(1e-12);
    static mechanism m;
    for (int imaginary_as_forces = 0; imaginary_as_forces < 2; imaginary_as_forces++) {
        mechanism_begin(&m, 9.81);
        add_frames(&m);
        const int load         = mechanism_add(&m, "load", mass, kv3(3, 4, 5), on_table);
        m.bodies[load].frame   = "table";
        m.starts[load].rate[1] = 0.4;
        (void)mechanism_element(&m, "sling", &kane_law_bushing, &to_table, "track", on_table, "load", on_table);
        (void)mechanism_element(&m, "tether", &kane_law_bushing, &to_floor, "floor", on_floor, "load", on_table);
        m.elements[1].preload         = KANE_PRELOAD_GIVEN;
        m.options.imaginary_as_forces = imaginary_as_forces;
        mechanism_open(&m, KANE_FORM_COEFFICIENTS);
        mechanism_run(&m, &settings);
        // at the start it is where it is drawn in its frame; the tether has no force where it is drawn
        const composed_pose at = table(0.0);
        const kane_transport T = composed_transport(table, 0.0);
        const kane_vec3 r      = kv3_sub(on_table, deck);
        kane_vec3 y[2]         = {kv3_add(at.r, km3_mulv(at.R, r)),
                                  km3_mulv(at.R, kv3_add(kv3_add(T.v_o, kv3_cross(T.omega, r)), kv3(0.0, 0.4, 0.0)))};
        for (int i = 1; i <= 6; i++) {
            integrate(0.7 * (i - 1), 0.7 * i, y);
            const kane_body_state *b = &mechanism_go(&m, 0.7 * i)->body[load];
            check_vec3(b->r_w, y[0], 1e-7);
            check_vec3(b->v_w, y[1], 1e-7);
        }
        mechanism_close_all(&m);
    }
}

// --- imaginary terms ---

// In a state like any other: relative place, velocity, attitude and angular velocity of the body.
static const double state_q[6] = {2.2, -0.7, 1.4, 0.5, -0.3, 0.8}, state_rate[6] = {0.6, -0.9, 0.4, 0.7, -1.1, 0.5};
static const double inertia[6] = {3.0, 4.0, 5.0, 0.4, -0.3, 0.2};
static const double instant    = 1.3;

static kane_mat3 tensor(void)
{
    return (kane_mat3){{inertia[0], inertia[3], inertia[4]},
                       {inertia[3], inertia[1], inertia[5]},
                       {inertia[4], inertia[5], inertia[2]}};
}

static void evaluate(mechanism *m, const char *omit, kane_vec3 *a, kane_vec3 *e)
{
    const kane_omission omission = {.text = omit};
    mechanism_begin(m, 9.81);
    add_frames(m);
    const int body        = mechanism_add(m, "body", 20.0, kv3(3, 4, 5), kv3_zero());
    m->bodies[body].frame = "table";
    memcpy(m->bodies[body].inertia, inertia, sizeof inertia);
    m->options.omission_count = omit != NULL;
    m->options.omissions      = &omission;
    mechanism_open(m, KANE_FORM_COEFFICIENTS);
    mechanism_eval(m, instant);
    assert_int_equal(kane_put_relative(m->model, m->work, body, state_q, state_rate, m->y), KANE_OK);
    mechanism_eval(m, instant);
    *a = m->work->body[body].a;
    *e = m->work->body[body].e;
}

// What each of the seven terms is, from the frame's motion by differences and products that are written out here.
CHECK_TEST(every_term_is_missed_by_as_much_as_it_is)
{
    const kane_transport T = composed_transport(table, instant);
    const kane_mat3 R =
        km3_mul(composed_turn(2, state_q[3]), km3_mul(composed_turn(0, state_q[4]), composed_turn(1, state_q[5])));
    const kane_mat3 J = km3_mul(R, km3_mul(tensor(), km3_transpose(R)));
    const kane_vec3 r = kv3(state_q[0], state_q[1], state_q[2]), v = kv3(state_rate[0], state_rate[1], state_rate[2]);
    const kane_mat3 rolled = km3_mul(composed_turn(2, state_q[3]), composed_turn(0, state_q[4]));
    const kane_vec3 w_rel =
        kv3_add(kv3(0.0, 0.0, state_rate[3]),
                kv3_add(kv3_scale(state_rate[4], composed_turn(2, state_q[3]).x), kv3_scale(state_rate[5], rolled.y)));
    const kane_vec3 w = T.omega, eps = T.epsilon;
    const double m_20 = 20.0, trace = J.x.x + J.y.y + J.z.z;
    const kane_vec3 gyro = kv3_add_scaled(kv3_scale(trace, w), -2.0, km3_mulv(J, w));
    const kane_vec3 terms[KANE_WRENCH_KINDS][KANE_IMAGINARY_TERMS] = {
        {kv3_scale(-m_20, T.a_o), kv3_scale(-m_20, kv3_cross(w, kv3_cross(w, r))), kv3_scale(-m_20, kv3_cross(eps, r)),
         kv3_scale(-2.0 * m_20, kv3_cross(w, v))},
        {kv3_zero(), kv3_scale(-1.0, kv3_cross(w, km3_mulv(J, w))), kv3_scale(-1.0, km3_mulv(J, eps)),
         kv3_scale(-1.0, kv3_cross(gyro, w_rel))}};
    static mechanism m;
    kane_vec3 a, e, less_a, less_e;
    evaluate(&m, NULL, &a, &e);
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
            check_vec3(kane_get_imaginary(m.model, m.work, 0, (kane_wrench_kind)kind, (kane_imaginary_term)term),
                       terms[kind][term], 2e-7);
    mechanism_close_all(&m);
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
            for (int axis = 0; axis < 3; axis++) {
                char text[64];
                if (kind == KANE_TORQUE && term == KANE_TRANSLATION)
                    continue;
                (void)snprintf(text, sizeof text, "body:%s.%s.%s", kane_wrench_kind_name((kane_wrench_kind)kind),
                               kane_imaginary_term_name((kane_imaginary_term)term), kane_axis_name(axis));
                evaluate(&m, text, &less_a, &less_e);
                const double size       = kv3_get(terms[kind][term], axis);
                const kane_vec3 missed  = kv3_scale(size, kv3_unit(axis));
                const kane_vec3 by_term = kind == KANE_FORCE ? kv3_scale(1.0 / m_20, missed) : km3_solve(J, missed);
                assert_true(fabs(size) > 1e-3);
                check_vec3(kv3_sub(a, less_a), kind == KANE_FORCE ? by_term : kv3_zero(), 1e-8);
                check_vec3(kv3_sub(e, less_e), kind == KANE_TORQUE ? by_term : kv3_zero(), 1e-7);
                mechanism_close_all(&m);
            }
}

CHECK_TEST(euler_and_coriolis_are_names_of_two_forces)
{
    const kane_transport T = composed_transport(table, instant);
    const kane_vec3 r = kv3(state_q[0], state_q[1], state_q[2]), v = kv3(state_rate[0], state_rate[1], state_rate[2]);
    const kane_vec3 by[2]      = {kv3_scale(-1.0, kv3_cross(T.epsilon, r)), kv3_scale(-2.0, kv3_cross(T.omega, v))};
    const char *const names[2] = {"body:force.euler.*", "body:force.coriolis.*"};
    static mechanism m;
    kane_vec3 a, e, less_a, less_e;
    evaluate(&m, NULL, &a, &e);
    mechanism_close_all(&m);
    for (int i = 0; i < 2; i++) {
        evaluate(&m, names[i], &less_a, &less_e);
        check_vec3(kv3_sub(a, less_a), by[i], 1e-8);
        check_vec3(less_e, e, 1e-7);
        mechanism_close_all(&m);
    }
}

// --- energy ---

// In A: kinetic energy and gravity change by what joints, frames and elements do; imaginary forces do no work there.
CHECK_TEST(the_energy_of_A_is_balanced)
{
    kane_settings settings = mechanism_settings(1e-11);
    static mechanism m;
    settings.energy = 1;
    for (int imaginary_as_forces = 0; imaginary_as_forces < 2; imaginary_as_forces++) {
        kane_energy first, last;
        mechanism_begin(&m, 9.81);
        add_frames(&m);
        add_load(&m, 0, 1);
        m.options.imaginary_as_forces = imaginary_as_forces;
        mechanism_open(&m, KANE_FORM_COEFFICIENTS);
        mechanism_run(&m, &settings);
        kane_get_energy(m.model, kane_simulation_work(m.simulation), &first);
        kane_get_energy(m.model, mechanism_go(&m, 4.0), &last);
        const double *work  = kane_simulation_state(m.simulation) + kane_model_state_count(m.model);
        const double gained = last.kinetic + last.gravity - first.kinetic - first.gravity;
        assert_true(fabs(work[0]) > 100.0);
        check_near(work[0] + work[1] + work[2], gained, 1e-5);
        // by hand, of one body: m g z and m v^2/2 in A
        double by_hand = 0.0;
        for (int j = 0; j < LOADS; j++) {
            const kane_body_state *b = &kane_simulation_work(m.simulation)->body[j];
            by_hand += m.bodies[j].mass * (9.81 * b->r_w.z + 0.5 * kv3_dot(b->v_w, b->v_w));
            const kane_vec3 w = km3_tmulv(b->R_w, b->w_w);
            by_hand += 0.5 * (m.bodies[j].inertia[0] * w.x * w.x + m.bodies[j].inertia[1] * w.y * w.y +
                              m.bodies[j].inertia[2] * w.z * w.z);
        }
        check_relative(last.kinetic + last.gravity, by_hand, 1e-12);
        mechanism_close_all(&m);
    }
}

CHECK_MAIN(NULL, NULL)
