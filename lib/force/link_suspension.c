// SPDX-License-Identifier: MIT
// "link suspension": links that a body hangs from, with friction in their joints (UIC double link).
//
// A link of the effective length l under the load N is a pendulum of the stiffness N/l; it lifts the suspended body by
// d^2/(2 l). Joints roll before they slide: parallel to the pendulum acts friction in proportion to the load, which
// sticks with its own stiffness before it slips (surface.h). Along and across the links swing in different joints,
// each with its length, friction and displacement.
// After J. Piotrowski: Model of the UIC link suspension for freight wagons. Archive of Applied Mechanics 73 (2003)
// 517-532, whose hysteresis is given by corners; here corners are rounded off. Stops are elements of their own.

#include "force/surface.h"

enum { ALONG, ACROSS, UP, DIRECTIONS };

typedef struct link_suspension {
    kane_link_suspension in;
    kane_press press;
    kane_surface joint[DIRECTIONS];
    double coefficient[DIRECTIONS];
    double inverse_length[DIRECTIONS]; // 1/length [1/m]
    int first[DIRECTIONS];             // of its states
    double side;                       // +1: b hangs from a or its load rests on a, so that b is pushed up
} link_suspension;

static const kane_key keys[] = {
    KANE_KEY(kane_link_suspension, stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "vertical, with the spring in the links; it cannot push"),
    KANE_KEY(kane_link_suspension, characteristic, OBJECT, OPTIONAL, NULL, NULL, ANY, &kane_press_characteristic_schema,
             "instead of \"stiffness\": load over compression, half-way between loading and unloading"),
    KANE_KEY(kane_link_suspension, onset, NUMBER, OPTIONAL, "1 mm", "m", POSITIVE, NULL,
             "compression over which the stiffness sets in"),
    KANE_KEY(kane_link_suspension, longitudinal_length, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL,
             "effective length of the pendulum along x of body a: load over stiffness"),
    KANE_KEY(kane_link_suspension, lateral_length, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL,
             "effective length of the pendulum along y of body a"),
    KANE_KEY(kane_link_suspension, longitudinal_coefficient, NUMBER, OPTIONAL, "0", "1", NOT_NEGATIVE, NULL,
             "friction of the joints along x over the load"),
    KANE_KEY(kane_link_suspension, lateral_coefficient, NUMBER, OPTIONAL, "0", "1", NOT_NEGATIVE, NULL,
             "friction of the joints along y over the load"),
    KANE_KEY(kane_link_suspension, vertical_coefficient, NUMBER, OPTIONAL, "0", "1", FRACTION, NULL,
             "friction between the leaves of the spring over the load"),
    KANE_KEY(kane_link_suspension, longitudinal_displacement, NUMBER, OPTIONAL, "2 mm", "m", POSITIVE, NULL,
             "elastic displacement along x at which the joints slide"),
    KANE_KEY(kane_link_suspension, lateral_displacement, NUMBER, OPTIONAL, "2 mm", "m", POSITIVE, NULL,
             "elastic displacement along y at which the joints slide"),
    KANE_KEY(kane_link_suspension, vertical_displacement, NUMBER, OPTIONAL, "0.5 mm", "m", POSITIVE, NULL,
             "elastic displacement along z at which the leaves slide"),
    KANE_KEY(kane_link_suspension, stick_damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL,
             "in each direction while it sticks; friction and damping stay within the limit"),
    KANE_KEY(kane_link_suspension, nominal_load, NUMBER, OPTIONAL, NULL, "N", POSITIVE, NULL,
             "load for which the displacements are meant; if it is left out, that at rest"),
};

static const kane_schema schema =
    KANE_SCHEMA(kane_link_suspension, "link suspension", keys,
                "Links that suspend a body: pendulums along x and y of body a, with friction in their joints.");

// What rubs in one direction; without friction it has no state.
static int prepare_direction(link_suspension *s, int i, double coefficient, double displacement, kane_errors *errors)
{
    const kane_dry_friction friction = {.stick_displacement = displacement, .stick_damping = s->in.stick_damping};
    s->coefficient[i]                = coefficient;
    s->first[i]                      = i == ALONG ? 0 : s->first[i - 1] + s->joint[i - 1].count;
    return coefficient > 0.0 ? kane_surface_prepare(&s->in.block, &friction, kv3_unit(i), errors, &s->joint[i]) : 0;
}

static void *prepare_link_suspension(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_link_suspension *in = parameters;
    link_suspension *s             = kane_law_memory(memory, 1, sizeof *s);
    if (!s || kane_press_prepare(&in->block, &in->characteristic, in->stiffness, in->onset, 0.0, memory, errors,
                                 &s->press) != 0)
        return NULL;
    s->in   = *in;
    s->side = 1.0;
    if (!(in->longitudinal_length > 0.0 && in->lateral_length > 0.0)) {
        (void)kane_block_fault(errors, &in->block, NULL, "lengths of the pendulum must be positive");
        return NULL;
    }
    s->inverse_length[ALONG]  = 1.0 / in->longitudinal_length;
    s->inverse_length[ACROSS] = 1.0 / in->lateral_length;
    if (prepare_direction(s, ALONG, in->longitudinal_coefficient, in->longitudinal_displacement, errors) != 0 ||
        prepare_direction(s, ACROSS, in->lateral_coefficient, in->lateral_displacement, errors) != 0 ||
        prepare_direction(s, UP, in->vertical_coefficient, in->vertical_displacement, errors) != 0)
        return NULL;
    return s;
}

static int list_link_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    static const char *const names[] = {"stick_x", "stick_y", "stick_z"};
    const link_suspension *s         = law;
    int count                        = 0;
    for (int i = 0; i < DIRECTIONS; i++)
        count += kane_surface_states(&s->joint[i], names, info + count);
    return count;
}

static kane_vec3 link_suspension_preload_axes(const void *law)
{
    (void)law;
    return kv3_unit(2);
}

static int set_link_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    link_suspension *s   = law;
    const double at_rest = load.z < 0.0 ? -load.z : load.z;
    const double nominal = s->in.nominal_load > 0.0 ? s->in.nominal_load : at_rest;
    (void)d0;
    s->side = load.z < 0.0 ? -1.0 : 1.0;
    if (kane_press_set_load(&s->press, at_rest) != 0) {
        (void)kane_block_fault(errors, &s->in.characteristic.block, NULL, "reaches the static load of %g N nowhere",
                               at_rest);
        return 1;
    }
    for (int i = 0; i < DIRECTIONS; i++)
        if (s->joint[i].count > 0 &&
            kane_surface_set_limit(&s->in.block, &s->joint[i], s->coefficient[i] * nominal, errors) != 0)
            return 1;
    return 0;
}

// Slopes d_x/l_x, d_y/l_y of the links; they are the derivatives of the lift by d_x and d_y.
KANE_INLINE kane_scalar3 link_slopes(const link_suspension *s, kane_scalar3 d)
{
    return ks3(ks_scale(s->inverse_length[ALONG], d.x), ks_scale(s->inverse_length[ACROSS], d.y), ks_constant(0.0));
}

// Compression of the spring [m]: what b sinks, and the lift of the links: -side d_z + (d_x^2/l_x + d_y^2/l_y)/2.
KANE_INLINE kane_scalar spring_compression(const link_suspension *s, kane_scalar3 d)
{
    const kane_scalar3 out  = link_slopes(s, d);
    const kane_scalar lifts = ks_add(ks_mul(out.x, d.x), ks_mul(out.y, d.y));
    return ks_add(ks_scale(-s->side, d.z), ks_scale(0.5, lifts));
}

// Force on b: N (-d_x/l_x, -d_y/l_y, side), and friction of each joint up to mu_i N.
KANE_FORMULA link_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const link_suspension *s = law;
    const kane_scalar3 slope = link_slopes(s, m->d); // of the compression along x and y
    const kane_scalar sways  = ks_add(ks_mul(slope.x, m->v.x), ks_mul(slope.y, m->v.y));
    const kane_scalar rate   = ks_add(sways, ks_scale(-s->side, m->v.z));
    const kane_scalar N      = kane_press_force(&s->press, spring_compression(s, m->d), rate);
    out->force               = ks3(ks_mul(ks_neg(N), slope.x), ks_mul(ks_neg(N), slope.y), ks_scale(s->side, N));
    for (int i = 0; i < DIRECTIONS; i++)
        if (s->joint[i].count > 0)
            kane_surface_rub(&s->joint[i], ks_scale(s->coefficient[i], N), m, s->first[i], out);
    return 0;
}

KANE_FORMULA_FUNCTIONS(link_force, kane_law_never_turns)

static double eval_link_energy(const void *law, const kane_relative *r)
{
    const link_suspension *s = law;
    double sum               = kane_press_energy(&s->press, ks_value(spring_compression(s, ks3_constant(r->d))));
    for (int i = 0; i < DIRECTIONS; i++)
        sum += kane_surface_energy(&s->joint[i], r, s->first[i]);
    return sum;
}

const kane_law kane_law_link_suspension = {
    .name         = "link suspension",
    .help         = "Links that suspend a body, with friction in their joints.",
    .schema       = &schema,
    .preload      = KANE_PRELOAD_AXES,
    .prepare      = prepare_link_suspension,
    .turns        = kane_law_never_turns,
    .states       = list_link_states,
    .preload_axes = link_suspension_preload_axes,
    .settle       = set_link_load,
    .eval         = link_force_eval,
    .rates        = link_force_rates,
    .derive       = link_force_derive,
    .energy       = eval_link_energy,
};
