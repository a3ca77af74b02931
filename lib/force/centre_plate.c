// SPDX-License-Identifier: MIT
// "centre plate": a flat round plate under load that slides, turns and rocks, within a ring if wanted.
//
// Pressed by N it slides and turns against friction that sticks (surface.h) and whose limits are an ellipsoid,
// (F/(mu N))^2 + (M/(2/3 mu N R))^2 = 1: the limits are those of a uniform pressure over the radius R (after R. Howe,
// M. Cutkosky: Practical force-motion models for sliding manipulation. International Journal of Robotics Research 15
// (1996) 557-572). Tilted by phi, the load moves towards the edge, by R phi/sqrt(phi^2 + phi_0^2), which is what
// lifting by R (sqrt(phi^2 + phi_0^2) - phi_0) makes of it.

#include "force/surface.h"

#include "base/document.h"

#include <math.h>

typedef struct centre_plate {
    kane_centre_plate in;
    kane_press press, ring;
    kane_surface surface;
    double rocking_angle; // phi_0 [rad]
    double side;          // +1: pushes b up
} centre_plate;

static const kane_key keys[] = {
    KANE_KEY(kane_centre_plate, radius, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL, "of the plate"),
    KANE_KEY(kane_centre_plate, coefficient, NUMBER, REQUIRED, NULL, "1", POSITIVE, NULL,
             "friction over the load, which acts at 2/3 of the radius where the plate turns"),
    KANE_KEY(kane_centre_plate, stiffness, NUMBER, REQUIRED, NULL, "N/m", POSITIVE, NULL,
             "vertical; the plate cannot pull"),
    KANE_KEY(kane_centre_plate, onset, NUMBER, OPTIONAL, "0.1 mm", "m", POSITIVE, NULL,
             "compression over which a stiffness sets in"),
    KANE_KEY(kane_centre_plate, dissipation, NUMBER, OPTIONAL, "0 s/m", "s/m", NOT_NEGATIVE, NULL,
             "h: the load is that of rest times 1 + h times the speed of compression"),
    KANE_KEY(
        kane_centre_plate, rocking_angle, NUMBER, OPTIONAL, NULL, "rad", POSITIVE, NULL,
        "tilt at which the load has moved by 71 % of the radius; if it is left out, 4 N/(stiffness radius), that of "
        "an elastic layer under the load at rest"),
    KANE_KEY(kane_centre_plate, ring_stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "of a ring around the plate; 0: there is none"),
    KANE_KEY(kane_centre_plate, ring_clearance, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "free travel to the ring, in every direction"),
    KANE_DRY_FRICTION_KEYS(kane_centre_plate, friction),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_centre_plate, "centre plate", keys,
                "A flat round plate across z of body a that carries a load, slides, turns and rocks.");

static void *prepare_centre_plate(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_centre_plate *in    = parameters;
    const kane_characteristic none = {0};
    centre_plate *p                = kane_law_memory(memory, 1, sizeof *p);
    if (!p || kane_press_prepare(&in->block, &none, in->stiffness, in->onset, in->dissipation, memory, errors,
                                 &p->press) != 0)
        return NULL;
    p->in   = *in;
    p->side = 1.0;
    p->ring = (kane_press){.stiffness = in->ring_stiffness, .onset = in->onset, .start = -in->ring_clearance};
    if (kane_surface_prepare(&in->block, &in->friction, kv3(1, 1, 1), errors, &p->surface) != 0)
        return NULL;
    p->surface.along = kv3(1.0, 1.0, 0.0);
    p->surface.about = kv3(0.0, 0.0, 2.0 / 3.0 * in->radius);
    return p;
}

static int list_centre_plate_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    static const char *const names[] = {"stick_x", "stick_y", "stick_yaw"};
    return kane_surface_states(&((const centre_plate *)law)->surface, names, info);
}

static kane_vec3 centre_plate_preload_axes(const void *law)
{
    (void)law;
    return kv3_unit(2);
}

static int set_centre_plate_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    centre_plate *p      = law;
    const double at_rest = load.z < 0.0 ? -load.z : load.z;
    const double nominal = p->in.friction.nominal_load > 0.0 ? p->in.friction.nominal_load : at_rest;
    const double elastic = 4.0 * nominal / (p->in.stiffness * p->in.radius);
    (void)d0;
    p->side          = load.z < 0.0 ? -1.0 : 1.0;
    p->rocking_angle = p->in.rocking_angle > 0.0 ? p->in.rocking_angle : elastic;
    (void)kane_press_set_load(&p->press, at_rest);
    if (kane_surface_set_limit(&p->in.block, &p->surface, p->in.coefficient * nominal, errors) != 0)
        return 1;
    if (p->rocking_angle > 0.0)
        return 0;
    (void)kane_block_fault(errors, &p->in.block, NULL,
                           "'%s' carries nothing at rest: how stiff it rocks needs \"rocking_angle\"",
                           p->in.block.name ? p->in.block.name : "");
    return 1;
}

// sqrt(phi^2 + phi_0^2) of the tilt
KANE_INLINE kane_scalar smooth_tilt(const centre_plate *p, kane_scalar3 phi)
{
    return ks_sqrt(ks_shift(ks_add(ks_square(phi.x), ks_square(phi.y)), p->rocking_angle * p->rocking_angle));
}

// Compression of the plate [m]: what b sinks, and the lift of its edge by tilt: -side z + R ((phi^2 + phi_0^2)^1/2 -
// phi_0).
KANE_INLINE kane_scalar plate_compression(const centre_plate *p, kane_scalar z, kane_scalar root)
{
    return ks_add(ks_scale(-p->side, z), ks_scale(p->in.radius, ks_shift(root, -p->rocking_angle)));
}

// Adds the force of the ring against the horizontal displacement.
KANE_INLINE void add_ring_force(const centre_plate *p, const kane_formula_motion *m, kane_formula_answer *out)
{
    if (!(p->in.ring_stiffness > 0.0))
        return;
    const kane_vec3 level         = kv3(1.0, 1.0, 0.0);
    const kane_press_contact ring = kane_press_around(&p->ring, ks3_mul(level, m->d), ks3_mul(level, m->v));
    out->force                    = ks3_sub(out->force, ks3_scale(ring.force, ring.n));
}

// Load N of the plate, its torque -N R phi/(phi^2 + phi_0^2)^1/2 against tilt, friction up to mu N, and the ring's
// force.
KANE_FORMULA centre_plate_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const centre_plate *p  = law;
    const double R         = p->in.radius;
    const kane_scalar root = smooth_tilt(p, m->phi), scale = ks_inverse(root);
    const kane_scalar arm_x = ks_scale(R, ks_mul(scale, m->phi.x)), arm_y = ks_scale(R, ks_mul(scale, m->phi.y));
    const kane_scalar rocks = ks_add(ks_mul(arm_x, m->w.x), ks_mul(arm_y, m->w.y));
    const kane_scalar rate  = ks_add(ks_scale(-p->side, m->v.z), rocks);
    const kane_scalar N     = kane_press_force(&p->press, plate_compression(p, m->d.z, root), rate);
    out->force.z            = ks_scale(p->side, N);
    out->torque.x           = ks_mul(ks_neg(N), arm_x);
    out->torque.y           = ks_mul(ks_neg(N), arm_y);
    kane_surface_rub(&p->surface, ks_scale(p->in.coefficient, N), m, 0, out);
    add_ring_force(p, m, out);
    return 0;
}

KANE_FORMULA_FUNCTIONS(centre_plate_force, kane_law_always_turns)

static double eval_centre_plate_energy(const void *law, const kane_relative *r)
{
    const centre_plate *p = law;
    const kane_scalar z = ks_constant(r->d.z), root = smooth_tilt(p, ks3_constant(r->phi));
    const double out  = sqrt(r->d.x * r->d.x + r->d.y * r->d.y);
    const double ring = p->in.ring_stiffness > 0.0 ? kane_press_energy(&p->ring, out) : 0.0;
    return kane_press_energy(&p->press, ks_value(plate_compression(p, z, root))) +
           kane_surface_energy(&p->surface, r, 0) + ring;
}

const kane_law kane_law_centre_plate = {
    .name         = "centre plate",
    .help         = "A flat round plate that carries a load, slides, turns and rocks.",
    .schema       = &schema,
    .preload      = KANE_PRELOAD_AXES,
    .prepare      = prepare_centre_plate,
    .states       = list_centre_plate_states,
    .preload_axes = centre_plate_preload_axes,
    .settle       = set_centre_plate_load,
    .eval         = centre_plate_force_eval,
    .rates        = centre_plate_force_rates,
    .derive       = centre_plate_force_derive,
    .energy       = eval_centre_plate_energy,
};
