// SPDX-License-Identifier: MIT
// "air spring": a bag of air, a reservoir behind an orifice, and what the rubber resists to shear and tilt.
//
//   z       compression since rest; area A = A0 + A' z, and as the volume changes by -A dz: V = V0 - A0 z - A' z^2/2
//   q       state: air gone from the bag to the reservoir, as volume at rest
//   bag     p = p0 ((V0 - q)/V)^n            reservoir  P = p0 ((R + q)/R)^n            p0 = p_a + load/A0
//   force   F = (p - p_a) A
//   flow    p - P = a q' + b |q'| q'
//
// From this: stiffness n p A^2/V + (p - p_a) A' with the orifice closed, n p A^2/(V + R) + (p - p_a) A' at rest with it
// open. Energy stored in m = V0 - q at the density s = m/V (1 at rest): p0 m (s^(n-1) - 1)/(n - 1), p0 m ln s for n =
// 1; what is lost in the orifice follows from the difference of n/(n-1) p/s on both sides and is never negative.

#include "base/document.h"

#include <kane/formula.h>
#include <kane/laws.h>

typedef struct air_spring {
    kane_air_spring in;
    double pressure; // p0 [Pa]
    double up;       // 1 if b is pushed up, -1 if it is pushed down, by more pressure
} air_spring;

static const kane_key keys[] = {
    KANE_KEY(kane_air_spring, area, NUMBER, REQUIRED, NULL, "m^2", POSITIVE, NULL,
             "effective: static load over gauge pressure"),
    KANE_KEY(kane_air_spring, area_change, NUMBER, OPTIONAL, "0 m^2/m", "m^2/m", ANY, NULL,
             "growth of the area per compression"),
    KANE_KEY(kane_air_spring, bag_volume, NUMBER, REQUIRED, NULL, "m^3", POSITIVE, NULL, "at rest"),
    KANE_KEY(kane_air_spring, reservoir_volume, NUMBER, OPTIONAL, "0 m^3", "m^3", NOT_NEGATIVE, NULL,
             "behind the orifice; 0: there is none"),
    KANE_KEY(kane_air_spring, orifice, NUMBER, OPTIONAL, "0 Pa s/m^3", "Pa s/m^3", NOT_NEGATIVE, NULL,
             "pressure lost per flow, which is counted as volume at rest; more than 0 if there is a reservoir"),
    KANE_KEY(kane_air_spring, orifice_quadratic, NUMBER, OPTIONAL, "0 Pa s^2/m^6", "Pa s^2/m^6", NOT_NEGATIVE, NULL,
             "pressure lost per flow squared, on top of it"),
    KANE_KEY(kane_air_spring, exponent, NUMBER, OPTIONAL, "1.4", "1", POSITIVE, NULL,
             "polytropic: 1 for slow motions, 1.4 for fast ones"),
    KANE_KEY(kane_air_spring, atmosphere, NUMBER, OPTIONAL, "101325 Pa", "Pa", POSITIVE, NULL, "pressure outside"),
    KANE_KEY(kane_air_spring, shear_stiffness, NUMBER, OPTIONAL, "0 N/m", "N/m", NOT_NEGATIVE, NULL,
             "along x and y of body a"),
    KANE_KEY(kane_air_spring, shear_damping, NUMBER, OPTIONAL, "0 N s/m", "N s/m", NOT_NEGATIVE, NULL,
             "along x and y of body a"),
    KANE_KEY(kane_air_spring, tilting_stiffness, NUMBER, OPTIONAL, "0 N m/rad", "N m/rad", NOT_NEGATIVE, NULL,
             "about x and y of body a"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_air_spring, "air spring", keys,
    "A bag of air with a reservoir behind an orifice, along z of body a; the static load says its pressure.");

static void *prepare_air_spring(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_air_spring *in = parameters;
    air_spring *p             = kane_law_memory(memory, 1, sizeof *p);
    if (!p)
        return NULL;
    if (in->reservoir_volume > 0.0 && !(in->orifice > 0.0)) {
        (void)kane_block_fault(
            errors, &in->block, "orifice",
            "needs \"orifice\" of more than 0 before the reservoir; without any loss give both volumes "
            "as \"bag_volume\"");
        return NULL;
    }
    p->in       = *in;
    p->pressure = in->atmosphere;
    p->up       = 1.0;
    return p;
}

static int has_reservoir(const air_spring *p)
{
    return p->in.reservoir_volume > 0.0;
}

static int has_tilting_stiffness(const void *law)
{
    return ((const air_spring *)law)->in.tilting_stiffness > 0.0;
}

static int list_air_spring_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    const air_spring *p = law;
    if (!has_reservoir(p))
        return 0;
    info[0] = (kane_law_state){.name = "air",
                               .unit = "m^3",
                               .help = "air gone from the bag to the reservoir, as volume at rest",
                               .size = p->in.area};
    return 1;
}

static kane_vec3 air_spring_preload_axes(const void *law)
{
    (void)law;
    return kv3_unit(2);
}

static int set_air_spring_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    air_spring *p = law;
    (void)errors;
    p->up       = load.z > 0.0 || (load.z == 0.0 && d0.z >= 0.0) ? 1.0 : -1.0;
    p->pressure = p->in.atmosphere + fabs(load.z) / p->in.area;
    return 0;
}

// The air at a moment.
typedef struct air {
    kane_scalar area, volume, mass; // of the bag; mass as volume at rest [m^2], [m^3]
    kane_scalar density;            // over that at rest
    kane_scalar behind_mass, density_behind;
} air;

// Air of bag and reservoir at a displacement and the state q. KANE_RETRY: area, volume or mass of air would not be
// positive.
KANE_INLINE int eval_air_state(const air_spring *p, const kane_formula_motion *m, air *s)
{
    const kane_air_spring *in = &p->in;
    const int behind          = has_reservoir(p);
    const kane_scalar z       = ks_scale(-p->up, m->d.z);
    const kane_scalar gone    = behind ? kane_formula_state(m, 0) : ks_constant(0.0);
    const kane_scalar mean    = ks_shift(ks_scale(0.5 * in->area_change, z), in->area);
    s->area                   = ks_shift(ks_scale(in->area_change, z), in->area);
    s->volume                 = ks_shift(ks_neg(ks_mul(z, mean)), in->bag_volume);
    s->mass                   = ks_shift(ks_neg(gone), in->bag_volume);
    s->behind_mass            = ks_shift(gone, in->reservoir_volume);
    if (!(ks_value(s->area) > 0.0 && ks_value(s->volume) > 0.0 && ks_value(s->mass) > 0.0) ||
        (behind && !(ks_value(s->behind_mass) > 0.0)))
        return KANE_RETRY;
    s->density        = ks_div(s->mass, s->volume);
    s->density_behind = behind ? ks_over(s->behind_mass, in->reservoir_volume) : ks_constant(1.0);
    return 0;
}

// Polytropic change: p = p0 s^n [Pa], s: density over that at rest.
KANE_INLINE kane_scalar air_pressure(const air_spring *p, kane_scalar density)
{
    return ks_scale(p->pressure, ks_power(density, p->in.exponent));
}

// Flow q' [m^3/s] through the orifice under a pressure difference D = a q' + b |q'| q':
//   q' = 2 D/(a + r)     r = (a^2 + 4 b |D|)^1/2     dq'/dD = 1/r
KANE_INLINE kane_scalar solve_orifice_flow(const kane_air_spring *in, kane_scalar under)
{
    const double difference = ks_value(under);
    const double root       = sqrt(in->orifice * in->orifice + 4.0 * in->orifice_quadratic * fabs(difference));
    return ks_chain(under, 2.0 * difference / (in->orifice + root), 1.0 / root);
}

KANE_FORMULA air_spring_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const air_spring *p       = law;
    const kane_air_spring *in = &p->in;
    air s;
    const int status = eval_air_state(p, m, &s);
    if (status != 0)
        return status;
    const kane_scalar inside = air_pressure(p, s.density), over = ks_scale(p->up, ks_shift(inside, -in->atmosphere));
    out->force.x  = ks_neg(ks_add(ks_scale(in->shear_stiffness, m->d.x), ks_scale(in->shear_damping, m->v.x)));
    out->force.y  = ks_neg(ks_add(ks_scale(in->shear_stiffness, m->d.y), ks_scale(in->shear_damping, m->v.y)));
    out->force.z  = ks_mul(over, s.area);
    out->torque.x = ks_scale(-in->tilting_stiffness, m->phi.x);
    out->torque.y = ks_scale(-in->tilting_stiffness, m->phi.y);
    if (has_reservoir(p))
        kane_formula_rate(out, 0, solve_orifice_flow(in, ks_sub(inside, air_pressure(p, s.density_behind))));
    return 0;
}

KANE_FORMULA_FUNCTIONS(air_spring_force, has_tilting_stiffness)

// Energy [J] of the air m (as volume at rest [m^3]) at the density s over that at rest:
//   p0 m (s^(n-1) - 1)/(n - 1),   n = 1: p0 m ln s
static double compression_energy(const air_spring *p, double mass, double density)
{
    const double over = p->in.exponent - 1.0, strain = log(density);
    return p->pressure * mass * (over != 0.0 ? expm1(over * strain) / over : strain);
}

static double eval_air_spring_energy(const void *law, const kane_relative *r)
{
    const air_spring *p       = law;
    const kane_air_spring *in = &p->in;
    const double shear = r->d.x * r->d.x + r->d.y * r->d.y, tilt = r->phi.x * r->phi.x + r->phi.y * r->phi.y;
    kane_formula_motion m;
    air s;
    double sum = 0.5 * in->shear_stiffness * shear + 0.5 * in->tilting_stiffness * tilt;
    kane_formula_see(r, &m);
    if (eval_air_state(p, &m, &s) != 0)
        return sum;
    sum += compression_energy(p, ks_value(s.mass), ks_value(s.density)) +
           in->atmosphere * (ks_value(s.volume) - in->bag_volume);
    return has_reservoir(p) ? sum + compression_energy(p, ks_value(s.behind_mass), ks_value(s.density_behind)) : sum;
}

const kane_law kane_law_air_spring = {
    .name         = "air spring",
    .help         = "A bag of air with a reservoir behind an orifice.",
    .schema       = &schema,
    .preload      = KANE_PRELOAD_AXES,
    .prepare      = prepare_air_spring,
    .turns        = has_tilting_stiffness,
    .states       = list_air_spring_states,
    .preload_axes = air_spring_preload_axes,
    .settle       = set_air_spring_load,
    .eval         = air_spring_force_eval,
    .rates        = air_spring_force_rates,
    .derive       = air_spring_force_derive,
    .energy       = eval_air_spring_energy,
};
