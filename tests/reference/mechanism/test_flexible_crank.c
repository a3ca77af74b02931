// SPDX-License-Identifier: MIT
// The flexible slider crank of the test set for IVP solvers (B. Simeon, MBSPACK, Surv. Math. Ind. 5 (1996) 169-202;
// Mazzia, Magherini, Test Set for Initial Value Problem Solvers, release 2.4, problem "crank"): a crank turns at 150
// rad/s, a rod that bends by two sines and stretches by two quadratic shapes (nodes in the middle and at the end)
// drives a slider. Linear strain.
//
// The rod comes as a kane_deformable of the test: its frame is the problem's own, not mean axes. The published numbers
// belong to a program whose mass matrix has rho A l (8 1; 1 2) for the two shapes of stretching, fifteen times that of
// these shapes (as one sees from the published accelerations at the start: the only rows of the equations of motion
// that they do not satisfy with rho A l/15 are those two); so has this rod.

#include "mechanisms.h"

#include "deformed_body.h"
#include "extrapolation.h"

enum { CRANK, SLIDER, ROD, BODIES };
enum { MODES = 4, POINTS = 2, PANELS = 8, NODES = 5 };

static const double m1 = .36, m2 = .151104, m3 = .075552, l1 = .15, l2 = .30, J1 = .002727, J2 = .0045339259;
static const double E = .2e12, b = .008, h = .008, rho = 7870.0, omega = 150.0;
static const double heavier = 15.0; // mass of the shapes of stretching
static const double pi      = 3.14159265358979323846;

// consistent start, and the reference solution at t = 0.1 s (MEBDFI, 1e-14): q, then rates, then second derivatives
static const double start_q[MODES]        = {0.0, 0.0, .103339863e-4, .169327969e-4};
static const double start_rate[MODES]     = {.444896105, .463434311e-2, -.178591076e-5, -.268938672e-5};
static const double start_x3_rate         = -.268938672e-5;
static const double start_acceleration[3] = {-5.062194923138079e3, -4.268463211410861,
                                             2.098334687947376e-1}; // x3, q3, q4

static const double end_phi2[3]     = {-.3311734988256260, 60.25346755138369, 6488.737541276957};
static const double end_x3[3]       = {.1697373328427860, -8.753116326670527, 2167.938629509884};
static const double end_q[3][MODES] = {
    {1.893192899613509e-4, 2.375751249879174e-5, -5.323896770569702e-6, -8.363313279112129e-6},
    {-3.005541400289738e-2, -5.500431812571696e-3, 4.974111734266989e-4, 1.105560003626645e-3},
    {33.91137060286523, .1715134772216488, -1.422449408912512, 1.003946428124810}};
static const double end_lambda[3] = {-62.32935833287916, -163.7920993367306, 25.29857947066878};

// --- the rod ---

typedef struct rod {
    kane_deformable shape;
    kane_deformable_point points[POINTS];
    double M[MODES * MODES], K[MODES * MODES], none[3 * MODES], S[3 * MODES];
    kane_vec3 momentum[MODES], turning[MODES], gyration[MODES * MODES];
    double inertia[MODES][6], second[MODES * MODES][6];
} rod;

// Displacements at x = s l2, in the plane of the drawing, and what strains: slopes of stretching, curvatures of
// bending.
static void shape_at(double s, kane_vec3 S[MODES], double strain[MODES])
{
    S[0]      = planar(0.0, sin(pi * s));
    S[1]      = planar(0.0, sin(2.0 * pi * s));
    S[2]      = planar(4.0 * s * (1.0 - s), 0.0);
    S[3]      = planar(s * (2.0 * s - 1.0), 0.0);
    strain[0] = -pi * pi / (l2 * l2) * sin(pi * s);
    strain[1] = -4.0 * pi * pi / (l2 * l2) * sin(2.0 * pi * s);
    strain[2] = 4.0 * (1.0 - 2.0 * s) / l2;
    strain[3] = (4.0 * s - 1.0) / l2;
}

// What the masses dm = rho A dx have in the sums of kane/deformable.h.
static void add_mass(rod *r, double dm, double dx, double s)
{
    const double EA = E * b * h, EI = EA * h * h / 12.0;
    kane_vec3 S[MODES];
    double strain[MODES];
    const kane_vec3 x = planar((s - 0.5) * l2, 0.0);
    shape_at(s, S, strain);
    for (int i = 0; i < MODES; i++) {
        r->momentum[i] = kv3_add_scaled(r->momentum[i], dm, S[i]);
        r->turning[i]  = kv3_add_scaled(r->turning[i], dm, kv3_cross(x, S[i]));
        deformed_add_inertia(2.0 * dm, x, S[i], r->inertia[i]);
        for (int j = 0; j < MODES; j++) {
            const int at    = j * MODES + i;
            const double of = i >= 2 && j >= 2 ? heavier : 1.0;
            r->gyration[at] = kv3_add_scaled(r->gyration[at], dm, kv3_cross(S[j], S[i]));
            r->M[at] += of * dm * kv3_dot(S[j], S[i]);
            r->K[at] += i / 2 == j / 2 ? strain[i] * strain[j] * (i < 2 ? EI : EA) * dx : 0.0;
            deformed_add_inertia(of * dm, S[j], S[i], r->second[at]);
        }
    }
}

// Gauss' rule of five nodes on each of the panels.
static void build_rod(rod *r)
{
    static const double node[NODES]   = {0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                         -0.9061798459386640};
    static const double weight[NODES] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                                         0.2369268850561891};
    *r                                = (rod){.shape = {.mode_count = MODES, .point_count = POINTS}};
    for (int p = 0; p < PANELS; p++)
        for (int k = 0; k < NODES; k++) {
            const double dx = 0.5 * weight[k] * l2 / PANELS;
            add_mass(r, rho * b * h * dx, dx, (p + 0.5 + 0.5 * node[k]) / PANELS);
        }
    r->S[0 * MODES + 3] = 1.0; // of the end
    r->points[0]        = (kane_deformable_point){"pin", planar(-0.5 * l2, 0.0), r->none, r->none};
    r->points[1]        = (kane_deformable_point){"end", planar(0.5 * l2, 0.0), r->S, r->none};
    r->shape.mass       = r->M;
    r->shape.stiffness  = r->K;
    r->shape.momentum   = r->momentum;
    r->shape.turning    = r->turning;
    r->shape.gyration   = r->gyration;
    r->shape.inertia    = (const double(*)[6])r->inertia;
    r->shape.second     = (const double(*)[6])r->second;
    r->shape.points     = r->points;
}

// --- the mechanism, drawn stretched ---

static kane_motion_definition turning;

static void build(mechanism *m, rod *r)
{
    static const double turns[2] = {0.0, omega};
    const kane_vec3 pin = planar(l1, 0.0), end = planar(l1 + l2, 0.0);
    const kane_mat3 along = axes_about(0);
    const double J        = J2 - m2 * l2 * l2 / 4.0;
    mechanism_begin(m, 0.0);
    build_rod(r);
    (void)mechanism_bar(m, "crank", NULL, m1, J1 - m1 * l1 * l1 / 4.0, kv3_zero(), pin);
    turning                       = (kane_motion_definition){.function = mechanism_polynomial(2, turns)};
    m->joints[CRANK].motion_count = 1;
    m->joints[CRANK].motions      = &turning;
    (void)mechanism_add(m, "slider", m3, kv3_zero(), end);
    (void)mechanism_hang(m, SLIDER, KANE_JOINT_PRISMATIC, NULL, end, along);
    (void)mechanism_add(m, "rod", m2, kv3(J, J, J), planar(l1 + 0.5 * l2, 0.0));
    m->bodies[ROD].deformable = &r->shape;
    (void)mechanism_close(m, "pin", KANE_CONSTRAINT_REVOLUTE, "crank", "rod", pin, planar_axes());
    (void)mechanism_close(m, "end", KANE_CONSTRAINT_SPHERICAL, NULL, "rod", end, planar_axes());
    m->constraints[1].between[0] = "slider";
}

static int mode(const mechanism *m, int k)
{
    char name[32];
    (void)snprintf(name, sizeof name, "rod.mode %d", k + 1);
    return kane_model_find_body(m->model, name);
}

// The start of the problem: parents before children, then all at once. How the rod turns, and where the slider is,
// follow from the rest: the published nine digits, phi2' = -74.9957670 and x3 = .450016933, leave the constraints open
// by 1e-8 of their terms.
static void put_start(mechanism *m)
{
    const double phi2_rate = -l1 * omega / (l2 + start_q[3]);
    double q[KANE_JOINT_COORDINATES], rate[KANE_JOINT_COORDINATES] = {0.0};
    for (int k = 0; k < MODES; k++)
        assert_int_equal(kane_put_joint(m->model, m->work, mode(m, k), &start_q[k], &start_rate[k]), KANE_OK);
    q[0]    = start_q[3];
    rate[0] = start_x3_rate;
    assert_int_equal(kane_put_joint(m->model, m->work, SLIDER, q, rate), KANE_OK);
    (void)kane_get_joint(m->model, m->work, ROD, q, NULL, NULL);
    rate[KANE_X]     = 0.0;
    rate[KANE_Z]     = l1 * omega + 0.5 * l2 * phi2_rate;
    rate[KANE_PITCH] = -phi2_rate;
    assert_int_equal(kane_put_joint(m->model, m->work, ROD, q, rate), KANE_OK);
    kane_put_joints_end(m->model, m->work, m->y);
}

// --- what comes out: phi2, x3, the modes; each with its rate and second derivative ---

enum { QUANTITIES = 2 + MODES };

static void read(const mechanism *m, double out[QUANTITIES][3])
{
    const int bodies[QUANTITIES] = {ROD, SLIDER, mode(m, 0), mode(m, 1), mode(m, 2), mode(m, 3)};
    double q[3][KANE_JOINT_COORDINATES];
    for (int i = 0; i < QUANTITIES; i++) {
        (void)kane_get_joint(m->model, m->work, bodies[i], q[0], q[1], q[2]);
        for (int d = 0; d < 3; d++)
            out[i][d] = i == 0 ? -q[d][KANE_PITCH] : q[d][0];
    }
    out[1][0] += l1 + l2;
}

static void rhs(void *user, double t, const double *y, double *ydot)
{
    mechanism *m = (mechanism *)user;
    assert_int_equal(kane_eval(m->model, m->work, t, y, ydot), KANE_OK);
}

// Goes through 0.1 s; most: greatest size of each quantity on the way.
static void run(mechanism *m, double most[QUANTITIES][3])
{
    enum { STEPS = 5000, LOOKS = 5 };
    const double H = 0.1 / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double now[QUANTITIES][3];
        extrapolation_step(rhs, m, kane_model_state_count(m->model), i * H, H, m->y);
        assert_int_equal(kane_project(m->model, m->work, (i + 1) * H, m->y), KANE_OK);
        (void)kane_choose(m->model, m->work, (i + 1) * H, m->y);
        if (i % LOOKS != LOOKS - 1)
            continue;
        mechanism_eval(m, (i + 1) * H);
        read(m, now);
        for (int k = 0; k < QUANTITIES; k++)
            for (int d = 0; d < 3; d++)
                most[k][d] = fmax(most[k][d], fabs(now[k][d]));
    }
}

// Along x and upwards on the slider (its constraint is the first side's), and what turns the crank.
static void check_loads(const mechanism *m)
{
    double l[6];
    assert_int_equal(kane_get_constraint(m->model, m->work, 1, l), 3);
    check_relative(l[0], end_lambda[1], 1e-6);
    check_relative(-l[1], end_lambda[0], 1e-6);
    assert_true(isnan(l[2])); // across the plane the hinge holds as well
    check_relative(-kane_get_joint_reaction(m->model, m->work, CRANK).torque.z, end_lambda[2], 1e-6);
}

static void check_form(kane_constraint_form form)
{
    CHECK_END(mechanism_close_all) mechanism m = {0};
    static rod r;
    double now[QUANTITIES][3], most[QUANTITIES][3] = {{0.0}};
    build(&m, &r);
    mechanism_open(&m, form);
    put_start(&m);
    mechanism_eval(&m, 0.0);
    read(&m, now);
    check_relative(now[1][2], start_acceleration[0], 1e-9);
    check_relative(now[4][2], start_acceleration[1], 1e-7);
    check_relative(now[5][2], start_acceleration[2], 1e-5); // of nine digits of x3 and q4
    run(&m, most);
    read(&m, now);
    // parts of the greatest; 1e-8 of the rates at the start is more of second derivatives, whose modes swing at 200 and
    // 810 Hz
    static const double near[3] = {1e-6, 1e-6, 5e-6};
    for (int d = 0; d < 3; d++) {
        check_near(now[0][d], end_phi2[d], 1e-8 * most[0][d]);
        check_near(now[1][d], end_x3[d], 1e-8 * most[1][d]);
        for (int k = 0; k < MODES; k++)
            check_near(now[2 + k][d], end_q[d][k], near[d] * most[2 + k][d]);
    }
    check_loads(&m);
}

CHECK_TEST(by_coefficients)
{
    check_form(KANE_FORM_COEFFICIENTS);
}

CHECK_TEST(by_multipliers)
{
    check_form(KANE_FORM_MULTIPLIERS);
}

CHECK_MAIN(NULL, NULL)
