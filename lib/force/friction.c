// SPDX-License-Identifier: MIT
// "friction": dry friction along one axis of body a, or in a plane, under a given limit or a normal force.

#include "force/surface.h"

typedef struct friction {
    kane_friction in;
    kane_surface surface;
    kane_press press;
    int normal;  // axis of body a along which it presses, -1: the limit is given
    double side; // in which direction along it b is pushed: 1 or -1
} friction;

static const char *const directions[] = {"x", "y", "z", "xy", "xz", "yz", NULL};
static const char *const normals[]    = {"across", "x", "y", "z", NULL};

static const kane_key keys[] = {
    KANE_KEY(kane_friction, directions, CHOICE, REQUIRED, NULL, NULL, ANY, directions,
             "axis or plane of body a in which it rubs"),
    KANE_KEY(kane_friction, force, NUMBER, OPTIONAL, "0 N", "N", NOT_NEGATIVE, NULL, "limit of the friction"),
    KANE_KEY(kane_friction, coefficient, NUMBER, OPTIONAL, "0", "1", NOT_NEGATIVE, NULL,
             "instead of \"force\": limit over the normal force, which is the static load and what \"stiffness\" adds"),
    KANE_KEY(kane_friction, normal, CHOICE, OPTIONAL, "across", NULL, ANY, normals,
             "axis of body a along which the bodies press; \"across\": the one that is not in the plane"),
    KANE_KEY(kane_friction, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "normal force per compression; it cannot pull"),
    KANE_KEY(kane_friction, onset, NUMBER, OPTIONAL, "0.1 mm", "m", POSITIVE, NULL,
             "compression over which the stiffness sets in"),
    KANE_KEY(kane_friction, dissipation, NUMBER, OPTIONAL, "0 s/m", "s/m", NOT_NEGATIVE, NULL,
             "h: the normal force is that of rest times 1 + h times the speed of compression"),
    KANE_DRY_FRICTION_KEYS(kane_friction, friction),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_friction, "friction", keys,
                "Dry friction between two bodies, along an axis of body a or in a plane, at the point on b.");

// Along which axis the bodies press. Returns 0, or not 0 with errors filled.
static int choose_normal(friction *f, kane_errors *errors)
{
    static const char *const pressing[] = {"stiffness", "normal", "dissipation"};
    const kane_friction *in             = &f->in;
    const kane_vec3 rubs                = kane_direction_axes(in->directions);
    f->normal                           = -1;
    f->side                             = 1.0;
    if ((in->force > 0.0) == (in->coefficient > 0.0))
        return kane_block_fault(errors, &in->block, NULL, "needs either a \"force\" or a \"coefficient\"");
    for (size_t i = 0; in->force > 0.0 && i < sizeof pressing / sizeof *pressing; i++)
        if (kane_block_has(&in->block, pressing[i]))
            return kane_block_fault(errors, &in->block, pressing[i],
                                    "has no effect beside \"force\", a limit that nothing presses for");
    if (in->force > 0.0)
        return 0;
    f->normal = in->normal - 1;
    if (in->normal == 0 && in->directions < 3)
        return kane_block_fault(errors, &in->block, NULL,
                                "a coefficient needs \"normal\", the axis along which the bodies press");
    for (int i = 0; i < 3 && in->normal == 0; i++)
        if (kv3_get(rubs, i) == 0.0)
            f->normal = i;
    if (kv3_get(rubs, f->normal) != 0.0)
        return kane_block_fault(errors, &in->block, "normal",
                                "the bodies cannot press along an axis in which they rub");
    return 0;
}

static void *prepare_friction(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_friction *in        = parameters;
    const kane_characteristic none = {0};
    friction *f                    = kane_law_memory(memory, 1, sizeof *f);
    if (!f)
        return NULL;
    f->in = *in;
    if (choose_normal(f, errors) != 0 ||
        kane_surface_prepare(&in->block, &in->friction, kane_direction_axes(in->directions), errors, &f->surface) != 0)
        return NULL;
    if (f->normal < 0) {
        f->surface.stick.nominal = in->force;
        return f;
    }
    return kane_press_prepare(&in->block, &none, in->stiffness, in->onset, in->dissipation, memory, errors,
                              &f->press) == 0
               ? f
               : NULL;
}

static int list_friction_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    static const char *const names[] = {"stick_x", "stick_y", "stick_z"};
    return kane_surface_states(&((const friction *)law)->surface, names, info);
}

static kane_vec3 friction_preload_axes(const void *law)
{
    const friction *f = law;
    return f->normal >= 0 ? kv3_unit(f->normal) : kv3_zero();
}

static int set_friction_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    friction *f = law;
    (void)d0;
    if (f->normal < 0)
        return 0;
    const double along = kv3_get(load, f->normal), at_rest = along < 0.0 ? -along : along;
    const double nominal = f->in.friction.nominal_load > 0.0 ? f->in.friction.nominal_load : at_rest;
    f->side              = along < 0.0 ? -1.0 : 1.0;
    (void)kane_press_set_load(&f->press, at_rest);
    return kane_surface_set_limit(&f->in.block, &f->surface, f->in.coefficient * nominal, errors);
}

// Approach of the bodies along the normal [m], of a velocity its rate [m/s].
KANE_INLINE kane_scalar normal_approach(const friction *f, kane_scalar3 d)
{
    return ks3_along(d, kv3_scale(-f->side, kv3_unit(f->normal)));
}

// Friction on b up to the limit F, or up to mu N of the normal force N, which acts on b, too.
KANE_FORMULA friction_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const friction *f = law;
    kane_scalar limit = ks_constant(f->in.force);
    if (f->normal >= 0) {
        const kane_scalar N = kane_press_force(&f->press, normal_approach(f, m->d), normal_approach(f, m->v));
        out->force          = ks3_times(N, kv3_scale(f->side, kv3_unit(f->normal)));
        limit               = ks_scale(f->in.coefficient, N);
    }
    kane_surface_rub(&f->surface, limit, m, 0, out);
    return 0;
}

KANE_FORMULA_FUNCTIONS(friction_force, kane_law_never_turns)

static double eval_friction_energy(const void *law, const kane_relative *r)
{
    const friction *f  = law;
    const double layer = kane_surface_energy(&f->surface, r, 0);
    if (f->normal < 0)
        return layer;
    return layer + kane_press_energy(&f->press, ks_value(normal_approach(f, ks3_constant(r->d))));
}

const kane_law kane_law_friction = {
    .name         = "friction",
    .help         = "Dry friction along an axis of body a or in a plane.",
    .schema       = &schema,
    .preload      = KANE_PRELOAD_AXES,
    .prepare      = prepare_friction,
    .turns        = kane_law_never_turns,
    .states       = list_friction_states,
    .preload_axes = friction_preload_axes,
    .settle       = set_friction_load,
    .eval         = friction_force_eval,
    .rates        = friction_force_rates,
    .derive       = friction_force_derive,
    .energy       = eval_friction_energy,
};
