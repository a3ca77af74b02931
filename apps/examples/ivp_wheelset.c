// SPDX-License-Identifier: MIT
// libkane as a toolkit: the railway wheelset of the IVP test set ("wheel"; B. Simeon, C. Fuehrer, P. Rentrop, The Drazin
// inverse in multibody system dynamics and: Introduction to differential-algebraic equations in vehicle system dynamics,
// Surv. Math. Ind. 1 (1991) 1-37).
//
//   ivp_wheelset                      straight track, beside the published values at t = 10 s
//   ivp_wheelset CURVATURE [CANT]     a curve to the right: curvature S [1/m] and cant a [rad] of the problem's frame
//
// The problem's frame is as high as the axle. Where it runs at V on a circle of curvature S, leaning by the cant a towards its
// middle, the track, by the axle's height h below, is on a wider circle, and its frame is faster: curvature S/(1 + S h sin a),
// speed V (1 + S h sin a).
//
// A coned wheelset runs at 30 m/s on round rails, held by springs to a frame that follows the track. Of libkane it takes
// the frame and its imaginary forces, the two contacts as constraints with their normal forces as multipliers, and the
// integration. What it brings itself are the creep law of the problem and its springs. Four steps, marked 1 to 4.

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// --- data of the problem; SI units ---

static const double m = 16.08, I1 = 0.0605, I2 = 0.366; // mass; moments of inertia: spin, yaw and roll
static const double V = 30.0, r0 = 0.1;                 // speed, radius of the running circle
static const double cx = 6400.0, cz = 6400.0, xl = 0.19;
static const double cone = 0.0262, a_R = 0.1506,
                    r_s      = 0.06; // cone angle, half the distance of the running circles, rail
static const double friction = 0.12, G = 7.92e10, sigma = 0.28;
static const double C11 = 4.72772197, C22 = 4.27526987, C23 = 1.97203505;
static const double ellipse_e = 1.3537956, ellipse_g = 0.7115218;

// x to the left, y up, z forward, yaw, roll at t = 0; at rest in the frame but for the spin V/r0
static const double start[5] = {.14941e-2, .40089e-6, .11241e-5, -.28573e-3, .26459e-3};

// --- 1: the creep law ---

// Attitude and speeds of a wheelset from what a contact knows of it. Forward f, up u and the axle e are an orthogonal
// triad; the contact point lies at p = xi e - R (cos(psi) u + sin(psi) f) from the wheelset's centre. What the motion
// changes are numbers with slopes, so that derivatives are exact.
typedef struct wheelset_motion {
    double yaw, roll;                      // [rad]
    kane_scalar yaw_rate, roll_rate, spin; // [rad/s]
    kane_scalar3 velocity;                 // of its centre [m/s]
    double along, ahead, down;             // p.e, p.f, -p.u [m]
} wheelset_motion;

static void triad(double yaw, double roll, kane_vec3 *e, kane_vec3 *f, kane_vec3 *u)
{
    *e = kv3(-sin(yaw) * cos(roll), cos(yaw) * cos(roll), sin(roll));
    *f = kv3(cos(yaw), sin(yaw), 0.0);
    *u = kv3_cross(*f, *e);
}

KANE_INLINE wheelset_motion observe(const kane_creep_formula_contact *c)
{
    const kane_creep_contact *fixed = c->fixed;
    const kane_vec3 axle            = fixed->motion->axle;
    const kane_vec3 arm =
        kv3_scale(fixed->side == KANE_LEFT ? a_R : -a_R, axle); // of the wheel from the wheelset's centre
    wheelset_motion s = {.yaw = atan2(-axle.x, axle.y), .roll = asin(axle.z)};
    kane_vec3 e, f, u;
    triad(s.yaw, s.roll, &e, &f, &u);

    // w = yaw_rate z + roll_rate f + spin e
    const kane_scalar3 w = c->wheel_omega;
    s.roll_rate          = ks3_along(w, f);
    s.spin               = ks_over(ks_sub(ks_scale(cos(s.yaw), w.y), ks_scale(sin(s.yaw), w.x)), cos(s.roll));
    s.yaw_rate           = ks_sub(w.z, ks_scale(axle.z, s.spin));
    s.velocity           = ks3_sub(c->wheel_velocity, ks3_cross_right(w, arm));

    const kane_vec3 p = kv3_add(fixed->point, arm);
    s.along           = kv3_dot(p, e);
    s.ahead           = kv3_dot(p, f);
    s.down            = -kv3_dot(p, u);
    return s;
}

// -limit tanh(T/limit)
KANE_INLINE kane_scalar saturated(kane_scalar T, kane_scalar limit)
{
    return ks_neg(ks_mul(limit, ks_tanh(ks_div(T, limit))));
}

// The problem measures creepages and directs forces with the yaw theta* = theta/cos(delta), delta the angle of the contact
// plane, instead of theta; the forces act at the true contact point. Rail axes: x forward, y left, z up.
KANE_CREEP_FORMULA creep(void *data, const kane_creep_formula_contact *c, kane_creep_formula_force *out)
{
    (void)data;
    const kane_creep_contact *fixed = c->fixed;
    const double side = fixed->side == KANE_LEFT ? 1.0 : -1.0, delta = -fixed->angle; // positive: higher outside
    const wheelset_motion s = observe(c);
    const double yaw        = s.yaw / cos(delta);
    kane_vec3 e, f, u;
    triad(yaw, s.roll, &e, &f, &u);

    // velocity of the contact point over the rail, and of the centre
    const kane_vec3 p = kv3_add(kv3_scale(s.along, e), kv3_add_scaled(kv3_scale(s.ahead, f), -s.down, u));
    const kane_scalar3 omega =
        ks3_add(ks3_add(ks3_times(s.yaw_rate, kv3_unit(2)), ks3_times(s.roll_rate, f)), ks3_times(s.spin, e));
    const kane_scalar3 w = ks3_add(s.velocity, ks3_cross_right(omega, p));
    const kane_scalar v  = ks_scale(0.5, ks3_norm(ks3_sub(w, ks3_by(2.0, s.velocity))));

    // directions of the two creep forces: along the wheel, and across it in the contact plane
    const kane_vec3 t1     = kv3(cos(yaw), sin(yaw), 0.0);
    const kane_vec3 t2     = kv3(-sin(yaw) * cos(delta), cos(yaw) * cos(delta), side * sin(delta));
    const kane_scalar nu_x = ks_div(ks3_along(w, t1), v), nu_y = ks_div(ks3_along(w, t2), v);
    const kane_scalar nu_spin =
        ks_div(ks_add(ks_scale(-side * sin(delta), s.spin), ks_scale(cos(delta), s.yaw_rate)), v);

    // Hertz' ellipse of a cone on a round rail, its ratio of axes held: its size grows as the cube root of N
    const double A = 0.5 * cos(cone) / fixed->radius, B = 0.5 / r_s;
    const double cube      = 3.0 * (1.0 - sigma) * ellipse_e / (6.283185307179586 * (A + B) * G * sqrt(ellipse_g));
    const kane_scalar size = ks_power(ks_scale(cube, c->N), 1.0 / 3.0), stiff = ks_scale(G, ks_square(size));
    const kane_scalar limit = ks_scale(friction, c->N);
    kane_scalar T1          = saturated(ks_scale(C11, ks_mul(stiff, nu_x)), limit);
    kane_scalar T2 = saturated(ks_mul(stiff, ks_add(ks_scale(C22, nu_y), ks_scale(C23, ks_mul(size, nu_spin)))), limit);
    const kane_scalar T = ks_hypot(T1, T2);
    if (ks_value(T) > ks_value(limit)) {
        const kane_scalar part = ks_div(limit, T);
        T1                     = ks_mul(part, T1);
        T2                     = ks_mul(part, T2);
    }

    // in the axes of the patch: along the rail, across it, normal
    const kane_scalar3 force = ks3_add(ks3_times(T1, t1), ks3_times(T2, t2));
    out->T_x                 = force.x;
    out->T_y                 = ks3_along(force, kv3(0.0, fixed->normal.z, -fixed->normal.y));
    out->T_n                 = ks3_along(force, fixed->normal);
    return KANE_OK;
}

// creep_eval and creep_derive
KANE_CREEP_FORMULA_FUNCTIONS(creep)

// --- 2: the springs between the frame and the wheelset ---

// Their torque about the vertical is linear in the yaw angle (that of libkane's bushing is so in the rotation vector, which
// differs by 2e-7 of itself: enough to shift the motion after 10 s in its fifth digit).
static int springs_eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    // the axle in the axes of the frame: the y axis turned by the rotation vector
    const double angle = kv3_norm(r->phi), c = angle > 0.0 ? (1.0 - cos(angle)) / (angle * angle) : 0.5;
    const double s        = angle > 0.0 ? sin(angle) / angle : 1.0;
    const kane_vec3 about = kv3_cross(r->phi, kv3_unit(1));
    const kane_vec3 axle  = kv3_add(kv3_add_scaled(kv3_unit(1), s, about), kv3_scale(c, kv3_cross(r->phi, about)));
    (void)law;
    on_b->force.x  = -2.0 * cz * r->d.x;
    on_b->force.y  = -2.0 * cx * r->d.y;
    on_b->torque.z = -2.0 * xl * xl * cz * atan2(-axle.x, axle.y);
    return 0;
}

static const kane_law springs = {.name = "springs", .help = "Springs of the IVP wheelset.", .eval = springs_eval};

// --- 3: the model: a frame that follows the track, and one wheelset in it ---

static kane_wheels_definition wheels(const kane_profile *profile)
{
    kane_wheels_definition d = kane_wheels_definition_default();
    d.contact_model          = KANE_CONTACT_CONSTRAINT;
    d.profile[0]             = profile;
    d.radius[0]              = r0;
    d.flange_back            = 2.0 * (a_R - 0.07); // the running circles lie 70 mm outside of it
    d.laws.creep             = KANE_CREEP_USER;
    d.laws.own               = (kane_user_creep){.eval = creep_eval, .derive = creep_derive};
    return d;
}

// 400 m of one curvature and cant. The rails lie where the cones' running circles meet them when the wheelset is in the
// middle; dip: so much lower than that, left and right [m].
static kane_track *lay_track(const kane_wheels_definition *w, double curvature, double cant, const double dip[2],
                             kane_errors *errors)
{
    static kane_profile rail;
    rail                    = kane_profile_round(r_s);
    kane_track_definition d = kane_track_definition_default();
    d.rail[0]               = &rail;
    d.inclination           = 0.0;
    d.curvature             = -curvature; // to the right
    d.superelevation        = -d.running_distance * sin(cant);

    const kane_section_definition section = {
        .kind = KANE_CURVE, .length = 400.0, .curvature = d.curvature, .superelevation = d.superelevation};
    d.section_count = 1;
    d.sections      = &section;

    // each rail as a ramp that has come down before the start
    const kane_defect_definition defects[2] = {
        {.kind = KANE_LEFT_VERTICAL, .shape = KANE_DEFECT_RAMP, .at = 5.0, .length = 1.0, .height = -dip[0]},
        {.kind = KANE_RIGHT_VERTICAL, .shape = KANE_DEFECT_RAMP, .at = 5.0, .length = 1.0, .height = -dip[1]}};
    d.defect_count = dip[0] != 0.0 || dip[1] != 0.0 ? 2 : 0;
    d.defects      = defects;

    // the gauge for which the rails' middles are a_R + r_s sin(cone) from the track's
    const kane_contact_definition pair = kane_wheels_pair(w, &d);
    kane_contact *contact              = kane_contact_create(&pair, errors);
    if (!contact)
        return NULL;
    d.gauge += 2.0 * (a_R + r_s * sin(cone) - kane_contact_rail_distance(contact, KANE_LEFT));
    kane_contact_free(contact);
    return kane_track_create(&d, errors);
}

static kane_model *build(const kane_wheels_definition *w, const kane_track *track, double speed,
                         kane_formulation formulation, kane_errors *errors)
{
    // the guide carries the frame along the track; nothing of it can move but forward
    const kane_body_definition bodies[]   = {{.block    = {.name = "frame"},
                                              .mass     = 1.0,
                                              .inertia  = {1.0, 1.0, 1.0},
                                              .position = {0.0, 0.0, r0},
                                              .dof      = KANE_DOF(KANE_X)},
                                             {.block    = {.name = "wheelset"},
                                              .kind     = KANE_BODY_SPINNING,
                                              .mass     = m,
                                              .inertia  = {I2, I1, I2},
                                              .position = {0.0, 0.0, r0 - r_s * (1.0 - cos(cone))},
                                              .dof      = KANE_ALL_DOF,
                                              .frame    = "frame",
                                              .wheels   = w}};
    const kane_element_definition element = {.block   = {.name = "springs"},
                                             .law     = &springs,
                                             .between = {"frame", "wheelset"},
                                             .at      = {bodies[1].position, bodies[1].position},
                                             .axes    = km3_identity(),
                                             .on_axle = 1};
    const kane_vehicle_definition vehicle = {.name          = "wheelset of the IVP test set",
                                             .guide         = "frame",
                                             .gravity       = 9.81,
                                             .body_count    = 2,
                                             .bodies        = bodies,
                                             .element_count = 1,
                                             .elements      = &element};
    kane_drive_definition drive           = kane_drive_definition_default();
    drive.start                           = 20.0;
    drive.speed                           = speed;
    kane_model_options options            = kane_model_options_default();
    options.formulation                   = formulation;
    return kane_model_create(&vehicle, track, &drive, &options, errors);
}

// --- 4: starting from given values, and integrating ---

// Coordinates of libkane (x forward, y left, z up from the rails) from those of the problem.
static void place(const kane_model *model, kane_work *work, double height, double *y)
{
    const double coordinates[6] = {start[2], start[0], height + start[1], start[3], start[4], 0.0};
    const double rates[6]       = {0.0, 0.0, 0.0, 0.0, 0.0, V / r0};
    kane_put_relative(model, work, kane_model_find_body(model, "wheelset"), coordinates, rates, y);
}

// How far the wheels would be above the rails at the start: the published digits leave nanometres, and the problem, which
// holds its constraints in velocities, keeps them.
static kane_status gaps_at_start(const kane_wheels_definition *w, const kane_track *track, double height, double gap[2],
                                 kane_errors *errors)
{
    const kane_contact_definition pair = kane_wheels_pair(w, kane_track_get_definition(track));
    kane_contact *contact              = kane_contact_create(&pair, errors);
    kane_status status                 = contact ? KANE_OK : KANE_NO_MEMORY;
    kane_vec3 e, f, u;
    triad(start[3], start[4], &e, &f, &u);
    for (int side = 0; side < 2 && status == KANE_OK; side++) {
        const double out     = side == KANE_LEFT ? 1.0 : -1.0;
        kane_wheel_path path = {.axle = e};
        kane_gap here;
        path.centre = kv3_add_scaled(kv3(0.0, start[0], height + start[1]), out * a_R, e);
        path.centre.y -= out * kane_contact_rail_distance(contact, side);
        status    = kane_contact_gap(contact, side, &path, &here);
        gap[side] = here.size / here.direction.z;
    }
    kane_contact_free(contact);
    return status;
}

// State of the wheelset in the problem's order: x y z theta phi | rates | beta | psi_R xi_R psi_L xi_L | multipliers L R.
static void read(const kane_model *model, const kane_work *work, double height, double out[17])
{
    const int wheelset = kane_model_find_body(model, "wheelset");
    double q[6], rate[6], lift;
    kane_get_relative(model, work, wheelset, q, rate);
    const double values[] = {q[1],    q[2] - height,   q[0], q[3], q[4], rate[1], rate[2], rate[0], rate[3],
                             rate[4], rate[5] - V / r0};
    for (int i = 0; i < 11; i++)
        out[i] = values[i];
    kane_vec3 e, f, u;
    triad(q[3], q[4], &e, &f, &u);
    for (int side = 0; side < 2; side++) { // right first
        const kane_contact_result *c =
            kane_get_contact(model, work, wheelset, side == 0 ? KANE_RIGHT : KANE_LEFT, &lift);
        const kane_vec3 p  = c->patch[0].point;
        out[11 + 2 * side] = -asin(kv3_dot(p, f) / c->patch[0].radius); // psi
        out[12 + 2 * side] = kv3_dot(p, e) + (side == 0 ? -a_R : a_R);  // xi
        out[16 - side]     = -1e-4 * c->patch[0].N * c->patch[0].normal.z;
    }
}

// Values at time t [s]; 0 if something went wrong.
static int simulate(double curvature, double cant, kane_formulation formulation, double t, double out[17],
                    kane_statistics *statistics, kane_errors *errors)
{
    const double height        = r0 - r_s * (1.0 - cos(cone)); // of the centre over the rails in the middle
    const double wider         = 1.0 + curvature * height * sin(cant);
    const kane_profile profile = kane_profile_cone(tan(cone));
    kane_wheels_definition w   = wheels(&profile);
    double dip[2]              = {0.0, 0.0};
    kane_settings settings     = kane_settings_default();
    kane_conditions conditions = {0.0, 0.0, 0.0};
    settings.order             = 5;
    settings.relative          = 1e-11; // there rounding decides on the seventh digit after a second
    settings.position          = 1e-13;
    settings.angle             = 1e-13;
    settings.speed             = 1e-11;
    settings.turning           = 1e-11;

    kane_track *level           = lay_track(&w, curvature / wider, cant, dip, errors);
    const int found             = level && gaps_at_start(&w, level, height, dip, errors) == KANE_OK;
    dip[0]                      = -dip[0];
    dip[1]                      = -dip[1];
    kane_track *track           = found ? lay_track(&w, curvature / wider, cant, dip, errors) : NULL;
    kane_model *model           = track ? build(&w, track, V * wider, formulation, errors) : NULL;
    kane_simulation *simulation = model ? kane_simulation_create(model, &settings, &conditions, errors) : NULL;
    kane_work *work             = simulation ? kane_work_create(model, errors) : NULL;
    double *y                   = work ? malloc((size_t)kane_model_state_count(model) * sizeof *y) : NULL;
    kane_status status          = y ? kane_initial_state(model, work, y, errors) : KANE_NO_MEMORY;
    if (status == KANE_OK) {
        place(model, work, height, y);
        status = kane_simulation_start_from(simulation, 0.0, y, errors);
    }
    if (status == KANE_OK)
        status = kane_simulation_advance(simulation, t, errors);
    if (status == KANE_OK) {
        read(model, kane_simulation_work(simulation), height, out);
        kane_simulation_statistics(simulation, statistics);
    }
    free(y);
    kane_work_free(work);
    kane_simulation_free(simulation);
    kane_model_free(model);
    kane_track_free(track);
    kane_track_free(level);
    return status == KANE_OK;
}

static const char *const names[17] = {"x",    "y",     "z",      "theta",    "phi",     "x'",
                                      "y'",   "z'",    "theta'", "phi'",     "beta",    "psi_R",
                                      "xi_R", "psi_L", "xi_L",   "lambda_L", "lambda_R"};

// at t = 10 on straight track
static const double published[17] = {.86355386965811e-2, .13038281022727e-4,  -.93635784016818e-4, -.13642299804033e-1,
                                     .15292895005422e-2, -.76985374142666e-1, -.25151106429207e-3, .20541188079539e-2,
                                     -.23904837703692,   -.13633468454173e-1, -.24421377661131,    -.33666751972196e-3,
                                     -.15949425684022,   .37839614386969e-3,  .14173214964613,     -.10124044903201e-1,
                                     -.56285630573753e-2};

int main(int argc, char **argv)
{
    const double curvature = argc > 1 ? strtod(argv[1], NULL) : 0.0, cant = argc > 2 ? strtod(argv[2], NULL) : 0.0;
    const int straight = curvature == 0.0 && cant == 0.0;
    kane_errors errors = {.limit = 1}; // the first one is enough
    kane_statistics statistics;
    double moving[17], fixed[17];
    const clock_t before = clock();
    const int good       = simulate(curvature, cant, KANE_MOVING, 10.0, moving, &statistics, &errors);
    const double wall    = (double)(clock() - before) / CLOCKS_PER_SEC;
    if (!good || (!straight && !simulate(curvature, cant, KANE_FIXED, 10.0, fixed, &statistics, &errors))) {
        char text[1200];
        if (errors.count > 0)
            (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
        (void)fprintf(stderr, "%s\n", errors.count > 0 ? text : "it does not run");
        return 1;
    }
    (void)printf("t = 10 s            %22s %22s   relative difference\n", "moving frame",
                 straight ? "published" : "fixed frame");
    for (int i = 0; i < 17; i++) {
        const double other = straight ? published[i] : fixed[i];
        (void)printf("%-10s %30.14e %22.14e   %9.1e\n", names[i], moving[i], other, fabs(moving[i] / other - 1.0));
    }
    (void)printf("%ld steps, %.2f s\n", statistics.steps, wall);
    return 0;
}
