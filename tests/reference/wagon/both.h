// SPDX-License-Identifier: MIT
// One wagon: libkane's, in moving frames and in fixed axes, and that of tests/oracle, which shares no code with it. All
// are made from the numbers below.
//
// What libkane and the oracle share: the formula of creep forces over creepages (written twice), the distance of the
// rails' tops, which libkane derives from the gauge, and the definitions that plain_wagon.h lists. Where they differ by
// definition, and by how much:
//   - At a kink of the rails the oracle's wheel changes over where it touches, libkane's where the plane of its centre passes:
//     within half a millimetre, .03 ms, in which the wheel load is off by what dissipation does to it (1.7 kN).
//   - A brake's torque is against the spin relative to the axle boxes, which stay level; the oracle's, relative to the car.

#ifndef KANE_TESTS_BOTH_H
#define KANE_TESTS_BOTH_H

#include "models.h"
#include "oracle/plain_wagon.h"

// A straight of 40 m, a transition, a curve; and what moves the wagon, whose middle starts at 10 m.
typedef struct journey {
    const char *name;
    plain_shape shape;
    plain_cant_axis cant_axis;
    double curvature, cant; // of the curve, positive to the left [1/m], [m]
    double transition;      // its length [m]
    kane_contact_model contact_model;
    double speed;        // at the start [m/s]
    int is_driven;       // 0: the speed changes at a constant rate
    double acceleration; // [m/s^2]
    int over_place;      // 1: libkane is told the same speed as a function of place
    plain_course force;  // driven: on the car's mass centre along the line [N]
    plain_course brake;  // driven: on each wheelset, against its spin [N m]
    double until;        // [s]
} journey;

#define BOTH_STRAIGHT 40.0
#define BOTH_START    10.0

enum { FORMULATIONS = 2 }; // kane_formulation

typedef struct both {
    plain_line line;
    plain_wagon plain;
    kane_track *track;
    kane_model *model[FORMULATIONS];
    kane_simulation *simulation[FORMULATIONS];
    plain_creep creep;
    journey journey; // data of the speed over place
} both;

// Largest differences of all rows, and what is needed to judge them.
typedef struct contrast {
    double way;                // of the car along the line [m]
    double x;                  // of a wheelset, relative to the car [m]
    double y, z;               // of all bodies in their track frames [m]
    double yaw, roll, pitch;   // likewise; pitch of the car alone [rad]
    double Q, Y;               // forces on wheels, normal to the track plane and across [N]
    double least_Q, largest_Q; // of the oracle [N]
    double largest_y;          // of a wheelset [m]
    double travelled;          // [m]
    double leading, trailing;  // where the axles are at the end [m]
    double end;                // [s]
    kane_stop stop;
} contrast;

// --- the numbers ---

static const double both_head = 0.08, both_spacing = 1.5; // of the rails [m]

static inline plain_wagon_definition both_numbers(const journey *j)
{
    return (plain_wagon_definition){.gravity       = 9.81,
                                    .mass          = {34e3, 1250.0},
                                    .inertia       = {{5.0e4, 4.5e5, 4.5e5}, {800.0, 100.0, 800.0}},
                                    .car_height    = 1.6,
                                    .half_base     = 4.5,
                                    .spring_side   = 1.0,
                                    .stiffness     = {8e5, 1.5e6, 1.2e6},
                                    .damping       = {20e3, 20e3, 40e3},
                                    .radius        = 0.46,
                                    .conicity      = 0.1,
                                    .wheel_side    = 0.75,
                                    .shear_modulus = 82e9,
                                    .poisson       = 0.28,
                                    .dissipation   = 1.0,
                                    .slow          = 0.5,
                                    .creep = {.f11 = 8e6, .f22 = 7e6, .f23 = 13e3, .f33 = 20.0, .friction = 0.3},
                                    .start = BOTH_START,
                                    .speed = j->speed,
                                    .is_prescribed = !j->is_driven,
                                    .acceleration  = j->acceleration,
                                    .force         = j->force,
                                    .brake         = j->brake,
                                    .brake_spin    = 0.1};
}

// --- libkane's ---

// The oracle's formula: see press() of plain_wagon.c.
static inline kane_status both_creep(void *data, const kane_creep_contact *c, kane_user_force *out)
{
    const plain_creep *law = data;
    const double limit     = law->friction * c->N;
    out->T_x               = -law->f11 * c->xi_x;
    out->T_y               = -(law->f22 * c->xi_y + c->rolling * law->f23 * c->phi);
    out->M_z               = c->rolling * law->f23 * c->xi_y - law->f33 * c->phi;
    const double u         = limit > 0.0 ? hypot(out->T_x, out->T_y) / limit : 0.0;
    const double share     = !(limit > 0.0) ? 0.0 : u < 3.0 ? 1.0 - u / 3.0 + u * u / 27.0 : 1.0 / u;
    out->T_x *= share;
    out->T_y *= share;
    out->M_z *= share;
    return KANE_OK;
}

// The speed of constant acceleration over place: v^2 = v0^2 + 2 a (s - s0).
static inline void both_speed(const void *data, double t, double s, double *v, double *a)
{
    const journey *j = data;
    (void)t;
    *a = j->acceleration;
    *v = sqrt(j->speed * j->speed + 2.0 * *a * (s - BOTH_START));
}

static inline kane_track *both_track(const journey *j)
{
    static kane_profile head;
    const kane_section_definition sections[] = {
        {.kind = KANE_STRAIGHT, .length = BOTH_STRAIGHT},
        {.kind           = KANE_TRANSITION,
         .length         = j->transition,
         .curvature      = j->curvature,
         .superelevation = j->cant,
         .shape          = j->shape == PLAIN_BLOSS ? KANE_BLOSS : KANE_CLOTHOID},
        {.kind = KANE_CURVE, .length = 300.0, .curvature = j->curvature, .superelevation = j->cant},
    };
    kane_track_definition d = kane_track_definition_default();
    head                    = kane_profile_round(both_head);
    d.rail[0]               = &head;
    d.running_distance      = both_spacing;
    d.cant_axis             = j->cant_axis == PLAIN_INNER_RAIL ? KANE_CANT_INNER_RAIL : KANE_CANT_CENTRE_LINE;
    d.sections              = sections;
    d.section_count         = 3;
    return CHECK_GOOD(kane_track_create, &d);
}

static inline kane_model *both_model(const journey *j, const plain_wagon_definition *n, const kane_track *track,
                                     plain_creep *creep, kane_formulation formulation)
{
    const kane_profile cone       = kane_profile_cone(n->conicity);
    kane_wheels_definition wheels = kane_wheels_definition_default();
    wheels.contact_model          = j->contact_model;
    wheels.profile[0]             = &cone;
    wheels.radius[0]              = n->radius;
    wheels.laws.creep             = KANE_CREEP_USER;
    wheels.laws.own               = (kane_user_creep){.eval = both_creep, .data = creep};
    wheels.laws.dissipation       = n->dissipation;
    wheels.laws.shear_modulus     = n->shear_modulus;
    wheels.laws.poisson           = n->poisson;
    wheels.laws.slow              = n->slow;

    const plain_vec J = n->inertia[0], I = n->inertia[1];
    const kane_body_definition bodies[] = {
        {.block    = {"car", NULL},
         .mass     = n->mass[0],
         .inertia  = {J.x, J.y, J.z},
         .position = {0.0, 0.0, n->car_height},
         .dof      = KANE_ALL_DOF},
        {.block    = {"leading", NULL},
         .kind     = KANE_BODY_SPINNING,
         .mass     = n->mass[1],
         .inertia  = {I.x, I.y, I.z},
         .position = {n->half_base, 0.0, n->radius},
         .dof      = KANE_ALL_DOF,
         .wheels   = &wheels},
        {.block    = {"trailing", NULL},
         .kind     = KANE_BODY_SPINNING,
         .mass     = n->mass[1],
         .inertia  = {I.x, I.y, I.z},
         .position = {-n->half_base, 0.0, n->radius},
         .dof      = KANE_ALL_DOF,
         .wheels   = &wheels},
    };
    const kane_bushing corner = {.stiffness = kv3(n->stiffness.x, n->stiffness.y, n->stiffness.z),
                                 .damping   = kv3(n->damping.x, n->damping.y, n->damping.z)};
    kane_element_definition elements[4];
    for (int i = 0; i < 4; i++) {
        const kane_vec3 at =
            kv3(i < 2 ? n->half_base : -n->half_base, i % 2 ? -n->spring_side : n->spring_side, n->radius);
        elements[i] = (kane_element_definition){.block      = {i < 2 ? "front" : "rear", NULL},
                                                .law        = &kane_law_bushing,
                                                .parameters = &corner,
                                                .between    = {"car", i < 2 ? "leading" : "trailing"},
                                                .at         = {at, at}};
    }
    const kane_vehicle_definition vehicle = {.name          = "wagon",
                                             .guide         = "car",
                                             .gravity       = n->gravity,
                                             .body_count    = 3,
                                             .bodies        = bodies,
                                             .element_count = 4,
                                             .elements      = elements};

    const kane_speed_piece piece         = {.acceleration = j->acceleration};
    kane_actuator_definition actuator[3] = {{.block       = {"coupling", NULL},
                                             .kind        = KANE_ACTUATOR_FORCE,
                                             .on          = "car",
                                             .at_centre   = 1,
                                             .point_count = j->force.count,
                                             .time        = j->force.time,
                                             .value       = j->force.value}};
    int count                            = j->force.count > 0;
    for (int i = 0; i < 2 && j->brake.count > 0; i++)
        actuator[count++] = (kane_actuator_definition){.block       = {"brake", NULL},
                                                       .kind        = KANE_ACTUATOR_BRAKE,
                                                       .on          = i ? "trailing" : "leading",
                                                       .reaction    = "car",
                                                       .point_count = j->brake.count,
                                                       .time        = j->brake.time,
                                                       .value       = j->brake.value};
    kane_drive_definition drive = kane_drive_definition_default();
    drive.start                 = n->start;
    drive.speed                 = n->speed;
    if (j->over_place) {
        drive.function = (kane_speed_function){both_speed, j};
    } else {
        drive.piece_count = 1;
        drive.pieces      = &piece;
    }
    if (j->is_driven) {
        drive.kind           = KANE_DRIVE_DRIVEN;
        drive.actuator_count = count;
        drive.actuators      = actuator;
    }
    kane_model_options options = kane_model_options_default();
    options.formulation        = formulation;
    return CHECK_GOOD(kane_model_create, &vehicle, track, &drive, &options);
}

// From the middle of the track to the top of a rail, as libkane has it.
static inline double both_rail_distance(const kane_track *track, const plain_wagon_definition *n)
{
    const kane_profile cone            = kane_profile_cone(n->conicity);
    kane_wheels_definition wheels      = kane_wheels_definition_default();
    wheels.profile[0]                  = &cone;
    const kane_contact_definition pair = kane_wheels_pair(&wheels, kane_track_get_definition(track));
    CHECK_OWNED(kane_contact) *contact = CHECK_GOOD(kane_contact_create, &pair);
    const double distance              = kane_contact_rail_distance(contact, KANE_LEFT);
    check_near(kane_contact_wheel_distance(contact, KANE_LEFT), n->wheel_side, 1e-15);
    check_near(distance, 0.76054, 2e-5); // docs/contact.md
    return distance;
}

// --- both ---

static inline void both_start(both *b, const journey *j)
{
    plain_wagon_definition n       = both_numbers(j);
    const plain_section sections[] = {
        {.length = BOTH_STRAIGHT},
        {j->transition, {0.0, j->curvature}, {0.0, j->cant}, j->shape},
        {300.0, {j->curvature, j->curvature}, {j->cant, j->cant}, PLAIN_CLOTHOID},
    };
    kane_settings settings      = kane_settings_default();
    const kane_conditions until = {.time = j->until};
    settings.relative           = 1e-9;
    settings.position           = 1e-11;
    settings.angle              = 1e-11;
    settings.speed              = 1e-10;
    settings.turning            = 1e-10;
    b->creep                    = n.creep;
    b->journey                  = *j;
    b->track                    = both_track(j);
    for (int f = 0; f < FORMULATIONS; f++) {
        b->model[f]      = both_model(&b->journey, &n, b->track, &b->creep, (kane_formulation)f);
        b->simulation[f] = CHECK_GOOD(kane_simulation_create, b->model[f], &settings, &until);
    }

    const plain_line_definition line = {.section_count    = 3,
                                        .sections         = sections,
                                        .cant_axis        = j->cant_axis,
                                        .running_distance = both_spacing,
                                        .rail_distance    = both_rail_distance(b->track, &n),
                                        .head_radius      = both_head};
    plain_line_init(&b->line, &line);
    n.line = &b->line;
    plain_wagon_start(&b->plain, &n);
}

static inline void both_free(both *b)
{
    for (int f = 0; f < FORMULATIONS; f++) {
        kane_simulation_free(b->simulation[f]);
        kane_model_free(b->model[f]);
    }
    kane_track_free(b->track);
}

static inline void widen(double *most, double difference)
{
    *most = fmax(*most, fabs(difference));
}

// Frames have kinks where an attitude jumps; which side of it a frame is on that is about to pass is libkane's affair.
static inline int near_border(const both *b, double s)
{
    for (int k = 1; k <= b->line.section_count; k++)
        if (fabs(s - b->line.border[k]) < 0.05)
            return 1;
    return 0;
}

// One moment: coordinates are those relative to the track frames that libkane has.
static inline void both_look(both *b, int f, contrast *c)
{
    static const double side[PLAIN_BODIES] = {0.0, 1.0, -1.0};
    const kane_work *work                  = kane_simulation_work(b->simulation[f]);
    double s, v, a, car_x = 0.0;
    kane_get_travel(work, &s, &v, &a);
    for (int body = 0; body < PLAIN_BODIES; body++) {
        const double at = s + side[body] * b->plain.d.half_base;
        double q[6], p[6], rates[6];
        kane_get_relative(b->model[f], work, body, q, rates);
        plain_wagon_relative(&b->plain, body, plain_line_section(&b->line, at), at, p);
        if (body == PLAIN_CAR)
            car_x = q[0] - p[0];
        if (!near_border(b, at)) {
            widen(body == PLAIN_CAR ? &c->way : &c->x, q[0] - p[0] - (body == PLAIN_CAR ? 0.0 : car_x));
            widen(&c->y, q[1] - p[1]);
            widen(&c->z, q[2] - p[2]);
            widen(&c->yaw, q[3] - p[3]);
            widen(&c->roll, q[4] - p[4]);
            widen(&c->pitch, body == PLAIN_CAR ? q[5] - p[5] : 0.0);
        }
        for (int wheel = 0; wheel < 2 && body != PLAIN_CAR; wheel++) {
            double lift;
            const kane_vec3 F      = kane_get_contact(b->model[f], work, body, wheel, &lift)->on_wheel.force;
            const plain_contact *k = &b->plain.contact[body - PLAIN_LEADING][wheel];
            widen(&c->Q, F.z - k->Q);
            widen(&c->Y, F.y - k->Y);
            c->largest_Q = fmax(c->largest_Q, k->Q);
            c->least_Q   = fmin(c->least_Q, k->Q);
            widen(&c->largest_y, p[1]);
        }
    }
}

// Goes on to time t; 0 if the run has ended before.
static inline int both_advance(both *b, int f, double t)
{
    const kane_status status = CHECK_GOOD(kane_simulation_advance, b->simulation[f], t);
    assert_int_equal(status, KANE_OK);
    return kane_simulation_time(b->simulation[f]) == t;
}

// Runs all, compared every 5 ms. The oracle's steps are .1 ms, below 3 m/s, where creep is stiff, .02 ms.
static inline void both_run(const journey *j, contrast c[FORMULATIONS])
{
    static both b;
    const double row = 0.005;
    both_start(&b, j);
    for (int f = 0; f < FORMULATIONS; f++) {
        c[f] = (contrast){.least_Q = HUGE_VAL};
        both_look(&b, f, &c[f]);
    }
    for (int i = 1, running = FORMULATIONS; running > 0; i++) {
        const int steps = b.plain.body[PLAIN_LEADING].v.x > 3.0 ? 50 : 250;
        plain_wagon_go(&b.plain, row / steps, steps);
        running = 0;
        for (int f = 0; f < FORMULATIONS; f++)
            if (kane_simulation_stop(b.simulation[f]) == KANE_STOP_NONE && both_advance(&b, f, row * i)) {
                both_look(&b, f, &c[f]);
                running++;
            }
    }
    for (int f = 0; f < FORMULATIONS; f++) {
        c[f].stop      = kane_simulation_stop(b.simulation[f]);
        c[f].end       = kane_simulation_time(b.simulation[f]);
        c[f].leading   = b.plain.contact[0][0].s;
        c[f].trailing  = b.plain.contact[1][0].s;
        c[f].travelled = plain_wagon_place(&b.plain, PLAIN_CAR) - b.plain.d.start;
    }
    check_near(c[KANE_FIXED].end, c[KANE_MOVING].end, 1e-4);
    both_free(&b);
}

// What a comparison must keep to: along the line, across it and in height [m], angles [rad], wheel loads [N].
typedef struct bounds {
    double along, across, angle, Q;
} bounds;

// Returns how many differences are beyond their bounds.
static inline int both_judge(const journey *j, int f, bounds most, const contrast *c)
{
    const char *in = f == KANE_MOVING ? "moving frames" : "fixed axes";
    print_message("%-31s %-13s way %.1e x %.1e y %.1e z %.1e m, yaw %.1e roll %.1e pitch %.1e, Q %.1f Y %.1f N of %.0f "
                  ".. %.0f kN\n",
                  j->name, in, c->way, c->x, c->y, c->z, c->yaw, c->roll, c->pitch, c->Q, c->Y, 1e-3 * c->least_Q,
                  1e-3 * c->largest_Q);
    const struct {
        const char *what;
        double difference, bound;
    } rows[] = {
        // nothing holds a driven wagon along the line: what drives it adds up
        {"way", c->way, j->is_driven ? fmax(most.along, 1e-7 * c->travelled) : most.along},
        {"x", c->x, most.along},
        {"y", c->y, most.across},
        {"z", c->z, most.across},
        {"yaw", c->yaw, most.angle},
        {"roll", c->roll, most.angle},
        {"pitch", c->pitch, most.angle},
        {"Q", c->Q, most.Q},
        {"Y", c->Y, most.Q},
    };
    const char *const shape = j->shape == PLAIN_BLOSS ? "Bloss" : "clothoid";
    check_figure(fmax(c->y, c->z), "y and z, %s", shape);
    check_figure(c->x, "x, %s", shape);
    check_figure(fmax(c->yaw, fmax(c->roll, c->pitch)), "angles, %s", shape);
    check_figure(c->Q, "Q, %s", shape);
    check_figure(c->way, "way, %s", shape);
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(rows[i].difference <= check_tolerance(rows[i].bound))) {
            print_error("%s, %s: %s differs from the oracle by %.3g, allowed are %.3g\n", j->name, in, rows[i].what,
                        rows[i].difference, check_tolerance(rows[i].bound));
            wrong++;
        }
    return wrong;
}

// Fails unless a journey is the same in all; c: both formulations against the oracle.
static inline void both_compare(const journey *j, bounds most, contrast c[FORMULATIONS])
{
    both_run(j, c);
    int wrong = 0;
    for (int f = 0; f < FORMULATIONS; f++)
        wrong += both_judge(j, f, most, &c[f]);
    assert_int_equal(wrong, 0);
}

#endif
