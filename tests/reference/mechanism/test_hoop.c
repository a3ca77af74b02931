// SPDX-License-Identifier: MIT
// A bead on a hoop that is turned about its vertical diameter at a steady rate w:
//   a'' = (w^2 cos(a) - g/r) sin(a)
// a from the lowest point. Built in seven ways: the turning is a frame's motion, or the prescribed motion of a joint;
// the hoop is a hinge for a massless rod, a rod as a constraint, or a curve; or a curve on the ground turns, as the
// constraint's marker.

#include "mechanisms.h"

static const double radius = 1.3, turning = 3.2, mass = 2.0, start = 0.4;

// --- the equation by itself ---

static double acceleration(double a)
{
    return (turning * turning * cos(a) - 9.81 / radius) * sin(a);
}

// Runge and Kutta's method, far finer than it needs to be.
static void integrate(double t, double *a, double *rate)
{
    const int steps = (int)(t * 2e4);
    const double h  = t / steps;
    *a              = start;
    *rate           = 0.0;
    for (int i = 0; i < steps; i++) {
        const double k1 = acceleration(*a), v2 = *rate + 0.5 * h * k1, k2 = acceleration(*a + 0.5 * h * *rate);
        const double v3 = *rate + 0.5 * h * k2, k3 = acceleration(*a + 0.5 * h * v2);
        const double v4 = *rate + h * k3, k4 = acceleration(*a + h * v3);
        *a += h / 6.0 * (*rate + 2.0 * v2 + 2.0 * v3 + v4);
        *rate += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
}

// --- the hoop ---

// A frame that turns.
static void turn(const void *data, double t, kane_transport *T)
{
    const double w = *(const double *)data;
    *T             = kane_transport_rest();
    T->R           = km3_turn_z(km3_identity(), sin(w * t), cos(w * t));
    T->omega       = kv3(0.0, 0.0, w);
}

typedef enum support { BY_FRAME, BY_MOTION, BY_MARKER, SUPPORTS } support;
typedef enum path { BY_HINGE, BY_ROD, BY_CURVE, PATHS } path;

// The lower half of a circle: y = -sqrt(r^2 - x^2), with its derivatives.
static void circle(const void *data, double x, double f[4])
{
    const double r = *(const double *)data, s = sqrt(r * r - x * x);
    f[0] = -s;
    f[1] = x / s;
    f[2] = r * r / (s * s * s);
    f[3] = 3.0 * r * r * x / (s * s * s * s * s);
}

// What needs to last as long as the definition.
typedef struct scene {
    mechanism m;
    kane_given_frame frame;
    kane_motion_definition motion;
    kane_given_definition given;
    double angle[2]; // polynomial
} scene;

static void add_support(scene *s, support by)
{
    mechanism *m = &s->m;
    s->frame     = (kane_given_frame){.block = {"turning", NULL}, .motion = turn, .data = &turning};
    s->angle[0]  = 0.0;
    s->angle[1]  = turning;
    s->motion =
        (kane_motion_definition){.function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 2, .coefficients = s->angle}};
    if (by == BY_FRAME) {
        m->vehicle.given_frame_count = 1;
        m->vehicle.given_frames      = &s->frame;
        return;
    }
    if (by == BY_MARKER) // y of the curve is upright
        s->given = (kane_given_definition){.number = KANE_GIVEN_PITCH, .function = s->motion.function};
    if (by == BY_MARKER)
        return;
    const int hoop               = mechanism_add(m, "hoop", 1.0, kv3(0.1, 0.1, 0.1), kv3_zero());
    kane_joint_definition *joint = mechanism_hang(m, hoop, KANE_JOINT_REVOLUTE, NULL, kv3_zero(), km3_identity());
    joint->motion_count          = 1;
    joint->motions               = &s->motion;
}

// Returns the bead's index.
static int build(scene *s, support by, path along)
{
    const char *carrier = by == BY_MOTION ? "hoop" : NULL;
    mechanism *m        = &s->m;
    mechanism_begin(m, 9.81);
    add_support(s, by);
    const kane_vec3 lowest = planar(0.0, -radius), drawn = planar(radius * sin(start), -radius * cos(start));
    const int bead        = mechanism_add(m, "bead", mass, kv3_zero(), along == BY_HINGE ? lowest : drawn);
    m->bodies[bead].frame = by == BY_FRAME ? "turning" : NULL;
    if (along == BY_HINGE) {
        (void)mechanism_hang(m, bead, KANE_JOINT_REVOLUTE, carrier, kv3_zero(), planar_axes());
        m->starts[bead].q[0] = start;
        return bead;
    }
    mechanism_hang(m, bead, KANE_JOINT_FREE, carrier, drawn, km3_identity())->dof =
        KANE_DOF(KANE_X) | KANE_DOF(KANE_Z) | (by == BY_MARKER ? KANE_DOF(KANE_Y) : 0u);
    kane_constraint_definition *d =
        mechanism_close_at(m, "path", along == BY_ROD ? KANE_CONSTRAINT_DISTANCE : KANE_CONSTRAINT_CURVE, carrier,
                           kv3_zero(), "bead", drawn, planar_axes());
    if (along == BY_CURVE)
        d->function[0] = (kane_function){.kind = KANE_FUNCTION_USER, .own = circle, .data = &radius};
    d->given_count = by == BY_MARKER;
    d->given       = &s->given;
    return bead;
}

static void check_way(support by, path along, kane_constraint_form form)
{
    const kane_settings settings = mechanism_settings(1e-13);
    scene s;
    const int bead = build(&s, by, along);
    mechanism_open(&s.m, form);
    mechanism_run(&s.m, &settings);
    for (int i = 1; i <= 6; i++) {
        const double t = 0.5 * i;
        double a, rate, q[6], rates[6];
        kane_vec3 velocity;
        integrate(t, &a, &rate);
        const kane_work *work = mechanism_go(&s.m, t);
        kane_get_relative(s.m.model, work, bead, q, rates);
        kane_get_absolute(s.m.model, work, bead, &velocity, NULL, NULL, NULL);
        const kane_vec3 place = kv3(radius * sin(a), 0.0, -radius * cos(a));
        const double angle    = by == BY_FRAME ? 0.0 : turning * t;
        check_vec3(kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]),
                   km3_mulv(km3_turn_z(km3_identity(), sin(angle), cos(angle)), place), 1e-8);
        const kane_vec3 absolute = kv3(radius * cos(a) * rate, radius * sin(a) * turning, radius * sin(a) * rate);
        check_vec3(velocity, km3_mulv(km3_turn_z(km3_identity(), sin(angle), cos(angle)), absolute), 1e-7);
        const double torque = 2.0 * mass * radius * radius * turning * sin(a) * cos(a) * rate; // d(m r^2 sin^2(a) w)/dt
        if (by == BY_MOTION)
            check_near(kane_get_joint_reaction(s.m.model, work, 0).torque.z, torque, 1e-6);
        if (by != BY_FRAME) {
            kane_energy energy;
            kane_get_energy(s.m.model, work, &energy);
            check_near(energy.power_drive, torque * turning, 3e-6);
        }
        mechanism_check_jacobian(&s.m, 1e-5);
    }
    mechanism_close_all(&s.m);
}

CHECK_TEST(test_ways)
{
    for (int by = BY_FRAME; by < SUPPORTS; by++)
        for (int along = by == BY_MARKER ? BY_CURVE : BY_HINGE; along < PATHS; along++) {
            check_way((support)by, (path)along, KANE_FORM_COEFFICIENTS);
            check_way((support)by, (path)along, KANE_FORM_MULTIPLIERS);
        }
}

CHECK_MAIN(NULL, NULL)
