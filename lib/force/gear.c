// SPDX-License-Identifier: MIT
// "gear": a pair of spur gears whose teeth give way, a on one shaft and b on the other, both about the y of the law's
// axes. Base circles r_a, r_b around shafts at the distance D have a common tangent, the line of action, at the
// pressure angle alpha:
//
//   e from a to b, t = y x e         D cos alpha = r_a + r_b
//
// What counts is how far the teeth have been turned into each other along it, x (a state, zero where they are in the
// middle of their play; angles of shafts grow without end, their rates do not):
//
//   x' = r_a w_a.y + r_b w_b.y - cos alpha t.(v_b - v_a)
//
// Flank 1 presses where a drives forward (x > 0), flank 2 where it brakes; with the backlash j the approach of each is
//
//   d_1 = x + s - j/2     d_2 = -x + s - j/2     s' = -sin alpha e.(v_b - v_a),  s = -(r_a + r_b)(inv alpha - inv alpha_0)
//
// (shafts that move apart open the play: inv alpha = tan alpha - alpha). A flank pushes b with N_1 or N_2 along its own
// line of action:
//
//   force on b     cos alpha (N_1 - N_2) t + sin alpha (N_1 + N_2) e,   in b's point;   torque on b   -r_b (N_1 - N_2) y
//
// a gets -r_a (N_1 - N_2) y, and all forces do the work -N_1 d_1' - N_2 d_2'. N = S(d)(1 + h d') as of all parts that
// press (force/press.h). Without backlash teeth never part: N_1 - N_2 = k x + c x', of which only one flank presses,
// and s does not count.

#include "force/press.h"

#include <kane/formula.h>
#include <kane/laws.h>

#include <math.h>

enum { FORCE, ANGLE, QUANTITIES };

typedef struct gear {
    kane_gear in;
    double base[2];   // radii of base circles, of a and b [m]
    double sum;       // of both [m]
    double involute;  // inv alpha at rest
    double teeth_sum; // teeth are given: their number; 0: base radii are
} gear;

static const kane_key keys[] = {
    KANE_KEY(kane_gear, stiffness, NUMBER, REQUIRED, NULL, "N/m", POSITIVE, NULL,
             "of the mesh, along the line of action"),
    KANE_KEY(kane_gear, damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL, "of the mesh, likewise"),
    KANE_KEY(kane_gear, base_radii, NUMBERS, OPTIONAL, NULL, "m", POSITIVE, NULL,
             "radii of the base circles of the first and the second wheel"),
    KANE_KEY(kane_gear, teeth, NUMBERS, OPTIONAL, NULL, "1", POSITIVE, NULL,
             "instead of \"base_radii\": numbers of teeth of both; base radii follow from the distance as drawn"),
    KANE_KEY(kane_gear, pressure_angle, NUMBER, OPTIONAL, "20 deg", "rad", POSITIVE, NULL,
             "with \"teeth\": at the distance as drawn; else it follows from the base radii"),
    KANE_KEY(kane_gear, backlash, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "play along the line of action from flank to flank, at the distance as drawn"),
    KANE_KEY(kane_gear, onset, NUMBER, OPTIONAL, "5 um", "m", POSITIVE, NULL,
             "with \"backlash\": length over which stiffness and damping set in behind it"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_gear, "gear", keys,
    "Two spur gears whose teeth give way: \"at\" is the centre of the first one, \"to\" that of the second, both turn "
    "about the law's y. Wheelsets are gears with their axles; it carries no static load.");

static kane_status check_gear(const kane_gear *in, kane_errors *errors)
{
    if ((in->base_radii.count > 0) == (in->teeth.count > 0))
        return kane_block_fault(errors, &in->block, in->teeth.count > 0 ? "teeth" : NULL,
                                "needs either \"base_radii\" or \"teeth\" of both wheels");
    if (in->base_radii.count > 0 && in->base_radii.count != 2)
        return kane_block_fault(errors, &in->block, "base_radii", "needs two radii, of the first and the second wheel");
    if (in->teeth.count > 0 && in->teeth.count != 2)
        return kane_block_fault(errors, &in->block, "teeth", "needs two numbers, of the first and the second wheel");
    if (in->teeth.count > 0 && !(in->pressure_angle > 0.0 && in->pressure_angle < 0.7854))
        return kane_block_fault(errors, &in->block, "pressure_angle", "must be between 0 and 45 deg");
    if (in->base_radii.count > 0 && kane_block_has(&in->block, "pressure_angle"))
        return kane_block_fault(
            errors, &in->block, "pressure_angle",
            "follows from the base radii and the distance as drawn; leave it out, or give \"teeth\"");
    if (in->backlash == 0.0 && kane_block_has(&in->block, "onset"))
        return kane_block_fault(errors, &in->block, "onset", "belongs to \"backlash\": without play nothing sets in");
    return KANE_OK;
}

static void *prepare_gear(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_gear *in = parameters;
    gear *p             = kane_law_memory(memory, 1, sizeof *p);
    if (!p || check_gear(in, errors) != KANE_OK)
        return NULL;
    p->in = *in;
    for (int i = 0; i < 2; i++)
        p->base[i] = in->teeth.count > 0 ? in->teeth.values[i] : in->base_radii.values[i];
    p->teeth_sum = in->teeth.count > 0 ? p->base[0] + p->base[1] : 0.0;
    p->sum       = p->base[0] + p->base[1];
    return p;
}

static int list_gear_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    (void)law;
    info[0] = (kane_law_state){"deformation", "m", "how far teeth are turned into each other along the line of action",
                               1e-2, 0};
    return 1;
}

static int set_gear_distance(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    gear *p               = law;
    const double distance = hypot(d0.x, d0.z);
    (void)load;
    for (int i = 0; i < 2 && p->teeth_sum > 0.0; i++)
        p->base[i] = distance * cos(p->in.pressure_angle) * p->in.teeth.values[i] / p->teeth_sum;
    p->sum = p->base[0] + p->base[1];
    if (!(distance > p->sum)) {
        (void)kane_block_fault(
            errors, &p->in.block, NULL,
            "its shafts are drawn %g m apart across their axes, less than both base radii, %g m: there is no "
            "line of action",
            distance, p->sum);
        return 1;
    }
    const double angle = acos(p->sum / distance);
    p->involute        = tan(angle) - angle;
    return 0;
}

// What the teeth do, axes of A.
typedef struct mesh {
    kane_scalar3 y, e, t;
    kane_scalar cosine, sine; // of the pressure angle
    kane_scalar rate;         // of the state [m/s]
    kane_scalar drive, press; // N_1 - N_2, N_1 + N_2 [N]
} mesh;

// Force of a flank N = S(d) (1 + h d') [N], 0 where it is apart (d <= 0).
KANE_INLINE kane_scalar flank_force(const kane_gear *in, kane_scalar d, kane_scalar rate)
{
    if (ks_value(d) <= 0.0)
        return ks_constant(0.0);
    const kane_scalar loss = kane_onset_loss(in->stiffness, in->damping, in->onset, d);
    return ks_mul(kane_onset_force(in->stiffness, in->onset, d), kane_onset_dissipate(ks_mul(loss, rate)));
}

KANE_INLINE int eval_mesh(const gear *p, const kane_formula_motion *m, mesh *out)
{
    const kane_gear *in      = &p->in;
    const kane_scalar3 y     = m->a.axis[1];
    const kane_scalar3 c     = ks3_sub(m->b.position, m->a.position);
    const kane_scalar3 flat  = ks3_add_scaled(c, ks_neg(ks3_dot(c, y)), y);
    const kane_scalar length = ks3_norm(flat);
    if (!(ks_value(length) > p->sum))
        return KANE_RETRY;
    const kane_scalar3 v = ks3_sub(m->b.velocity, m->a.velocity);
    const kane_scalar x  = kane_formula_state(m, 0);
    out->y               = y;
    out->e               = ks3_scale(ks_inverse(length), flat);
    out->t               = ks3_cross(y, out->e);
    out->cosine          = ks_scale(p->sum, ks_inverse(length));
    out->sine            = ks_sqrt(ks_shift(ks_neg(ks_square(out->cosine)), 1.0));
    out->rate =
        ks_sub(ks_add(ks_scale(p->base[0], ks3_dot(y, m->a.omega)), ks_scale(p->base[1], ks3_dot(y, m->b.omega))),
               ks_mul(out->cosine, ks3_dot(out->t, v)));
    if (in->backlash == 0.0) {
        out->drive = ks_add(ks_scale(in->stiffness, x), ks_scale(in->damping, out->rate));
        out->press = ks_value(out->drive) < 0.0 ? ks_neg(out->drive) : out->drive;
        return 0;
    }
    const kane_scalar angle = ks_acos(out->cosine);
    const kane_scalar s     = ks_scale(-p->sum, ks_shift(ks_sub(ks_div(out->sine, out->cosine), angle), -p->involute));
    const kane_scalar s_t   = ks_neg(ks_mul(out->sine, ks3_dot(out->e, v)));
    const kane_scalar open  = ks_shift(s, -0.5 * in->backlash);
    const kane_scalar one   = flank_force(in, ks_add(open, x), ks_add(s_t, out->rate));
    const kane_scalar two   = flank_force(in, ks_sub(open, x), ks_sub(s_t, out->rate));
    out->drive              = ks_sub(one, two);
    out->press              = ks_add(one, two);
    return 0;
}

// A vector in the axes of a.
KANE_INLINE kane_scalar3 in_a(const kane_formula_motion *m, kane_scalar3 v)
{
    return (kane_scalar3){ks3_dot(m->a.axis[0], v), ks3_dot(m->a.axis[1], v), ks3_dot(m->a.axis[2], v)};
}

// Force and torque on b, and x' of the state, by the formulas at the top of the file.
KANE_FORMULA gear_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const gear *p = law;
    mesh teeth;
    const int status = eval_mesh(p, m, &teeth);
    if (status != 0)
        return status;
    const kane_scalar3 along = ks3_scale(ks_mul(teeth.cosine, teeth.drive), teeth.t);
    out->force               = in_a(m, ks3_add_scaled(along, ks_mul(teeth.sine, teeth.press), teeth.e));
    out->torque              = in_a(m, ks3_scale(ks_scale(-p->base[1], teeth.drive), teeth.y));
    kane_formula_rate(out, 0, teeth.rate);
    return 0;
}

KANE_FORMULA_FUNCTIONS(gear_force, kane_law_never_turns)

static double eval_gear_energy(const void *law, const kane_relative *r)
{
    const gear *p       = law;
    const kane_gear *in = &p->in;
    const double x      = r->state ? r->state[0] : 0.0;
    if (in->backlash == 0.0)
        return 0.5 * in->stiffness * x * x;
    const kane_vec3 c = kv3_sub(r->absolute->b.position, r->absolute->a.position), y = r->absolute->a.R.y;
    const double angle = acos(p->sum / kv3_norm(kv3_add_scaled(c, -kv3_dot(c, y), y)));
    const double open  = -p->sum * (tan(angle) - angle - p->involute) - 0.5 * in->backlash;
    return kane_onset_energy(in->stiffness, in->onset, open + x) +
           kane_onset_energy(in->stiffness, in->onset, open - x);
}

static int list_gear_quantities(const void *law, kane_law_quantity info[KANE_LAW_QUANTITIES])
{
    (void)law;
    info[FORCE] = (kane_law_quantity){"tooth_force", "N",
                                      "along the line of action, positive where the first wheel drives forward"};
    info[ANGLE] = (kane_law_quantity){"pressure_angle", "rad", "of the line of action"};
    return QUANTITIES;
}

static void eval_gear_quantities(const void *law, const kane_relative *r, double *values)
{
    const gear *p = law;
    kane_formula_motion m;
    mesh teeth;
    kane_formula_see(r, &m);
    values[FORCE] = values[ANGLE] = (double)NAN;
    if (eval_mesh(p, &m, &teeth) != 0)
        return;
    values[FORCE] = ks_value(teeth.drive);
    values[ANGLE] = acos(ks_value(teeth.cosine));
}

const kane_law kane_law_gear = {
    .name       = "gear",
    .help       = "Two spur gears whose teeth give way.",
    .schema     = &schema,
    .preload    = KANE_PRELOAD_NONE,
    .prepare    = prepare_gear,
    .turns      = kane_law_never_turns,
    .absolute   = kane_law_is_absolute,
    .spins      = kane_law_is_absolute,
    .states     = list_gear_states,
    .settle     = set_gear_distance,
    .eval       = gear_force_eval,
    .rates      = gear_force_rates,
    .derive     = gear_force_derive,
    .energy     = eval_gear_energy,
    .quantities = list_gear_quantities,
    .observe    = eval_gear_quantities,
};
