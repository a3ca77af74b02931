// SPDX-License-Identifier: MIT
// Forces on one patch of a rolling wheel.
//
// The wheel's material at the patch moves over the rail with  v_P = v + omega x p,  p on the undeformed wheel: wheel
// and rail are of one material and strained alike, so that the load does not change how far the wheel rolls in a turn.
// Tangential axes x (along the rail's surface), y = n x x; normal n. Creepages refer to
//   V = sqrt(m^2 + slow^2),   m = v_x - v_Px / 2,   the mean of running speed v_x and rolling speed v_x - v_Px,
//   xi_x = v_Px / V,   xi_y = v_P.y / V,   phi = omega . n / V,   k = m/V the direction of rolling.
//
// All is written once in dual numbers (kane/scalar.h). A spot and a motion without slopes give the forces; a motion
// whose velocity and angular velocity are the six directions gives their derivatives by these, a patch with slopes by
// the pose (side.h) those by the pose.

#include "contact/creep.h"
#include "base/number.h"
#include "contact/side.h"
#include "math/dense.h"
#include "math/small.h"

#include <kane/creep_formula.h>

#include <math.h>

// --- dissipation of the normal force ---

// 1 + x, and for x near -1 smoothly to zero: no adhesion. Parabola between -1 - w and -1 + w; at rest exactly 1.
KANE_INLINE kane_scalar hunt_crossley(kane_scalar x)
{
    const double w      = 0.5;
    const kane_scalar y = ks_shift(x, 1.0), above = ks_shift(y, w);
    if (ks_value(y) >= w)
        return y;
    return ks_value(y) <= -w ? ks_constant(0.0) : ks_over(ks_scale(0.25, ks_square(above)), w);
}

// 1 where the bodies approach, the restitution e where they part; with r from 0 to 1 between, e + (1 - e)(3 r^2 - 2
// r^3) (J. Ambrosio, J. Pombo, A unified formulation for mechanical joints with and without clearances/bushings and/or
// stops in the framework of multibody systems, Multibody Syst. Dyn. 42 (2018) 317-345).
KANE_INLINE kane_scalar kelvin_voigt(double e, double transition, kane_scalar w)
{
    const kane_scalar r = ks_over(ks_scale(0.5, ks_shift(w, transition)), transition);
    if (ks_value(r) >= 1.0 || ks_value(r) <= 0.0)
        return ks_constant(ks_value(r) >= 1.0 ? 1.0 : e);
    return ks_shift(ks_mul(ks_scale(1.0 - e, ks_square(r)), ks_shift(ks_scale(-2.0, r), 3.0)), e);
}

// Normal force over the elastic one at the rate of approach w [m/s].
KANE_INLINE kane_scalar dissipation(const kane_contact_laws *laws, kane_scalar w)
{
    switch (laws->dissipation_law) {
    case KANE_DISSIPATION_HUNT_CROSSLEY: return hunt_crossley(ks_scale(laws->dissipation, w));
    case KANE_DISSIPATION_KELVIN_VOIGT: return kelvin_voigt(laws->restitution, laws->transition, w);
    case KANE_DISSIPATION_NONE: break;
    }
    return ks_constant(1.0);
}

// --- friction by side, place and speed of slip ---

// Coefficient without slip. With x = (|n_y| - sin 20)/(sin 40 - sin 20), limited to [0, 1]:
//   mu (1 + change) (1 + (flange_friction - 1) (3 x^2 - 2 x^3))
// The face begins where the contact is 20 degrees steep and is all face at 40: between them lie the gauge
// corner of the rail and the root of the flange.
KANE_INLINE kane_scalar friction_of_place(const kane_contact_laws *laws, kane_side side, double change,
                                          kane_scalar normal_y)
{
    const double sin_20 = 0.3420201433256687, sin_40 = 0.6427876096865393, mu = laws->friction[side] * (1.0 + change);
    const kane_scalar x = ks_over(ks_shift(ks_abs(normal_y), -sin_20), sin_40 - sin_20);
    if (ks_value(x) <= 0.0)
        return ks_constant(mu);
    const kane_scalar part =
        ks_value(x) < 1.0 ? ks_mul(ks_square(x), ks_shift(ks_scale(-2.0, x), 3.0)) : ks_constant(1.0);
    return ks_scale(mu, ks_shift(ks_scale(laws->flange_friction - 1.0, part), 1.0));
}

// Friction falling with the slip speed w [m/s], as part of that at rest:  ratio + (1 - ratio) exp(-decay w)
KANE_INLINE kane_scalar falling_curve(const kane_falling *f, kane_scalar slip_speed)
{
    return ks_shift(ks_scale(1.0 - f->ratio, ks_exp(ks_scale(-f->decay, slip_speed))), f->ratio);
}

double kane_falling_eval(const kane_falling *f, double slip_speed)
{
    return ks_value(falling_curve(f, ks_constant(slip_speed)));
}

// Factor on the friction coefficient at the slip velocity (x, y) [m/s]. The slip speed is v^2/(v^2 + slow^2)^1/2, which
// has no corner at rest.
KANE_INLINE kane_scalar falling_factor(const kane_contact_laws *laws, kane_scalar x, kane_scalar y)
{
    if (laws->falling.ratio == 1.0 || laws->falling.decay == 0.0)
        return ks_constant(1.0);
    const kane_scalar v2 = ks_add(ks_square(x), ks_square(y));
    return falling_curve(&laws->falling, ks_div(v2, ks_sqrt(ks_shift(v2, laws->slow * laws->slow))));
}

// --- creepages ---

// How the wheel moves over the rail at the patch: members as those of creepage and creep_basis.
typedef struct slip {
    kane_scalar3 velocity, y;
    kane_scalar vn, vx, vy, wn, V, k;
    kane_scalar factor, friction;
} slip;

KANE_INLINE slip slip_eval(const creep_law *law, const patch_scalars *s, const side_motion *m, kane_scalar3 velocity,
                           kane_scalar3 omega)
{
    const kane_scalar3 n = s->normal, x = s->along;
    const kane_scalar3 y = creep_across(n, x);
    const kane_scalar3 v = ks3_add(velocity, ks3_cross(omega, s->point));
    const kane_scalar vx = ks3_dot(v, x), vy = ks3_dot(v, y);
    const kane_scalar mean  = ks_sub(ks3_dot(velocity, x), ks_scale(0.5, vx));
    const kane_scalar V     = ks_sqrt(ks_shift(ks_square(mean), law->laws.slow * law->laws.slow));
    const kane_scalar vn    = ks_add(ks3_dot(velocity, n), ks3_dot(omega, s->turning));
    const kane_scalar place = friction_of_place(&law->laws, m->side, m->friction_change, n.y);
    return (slip){.velocity = v,
                  .y        = y,
                  .vn       = vn,
                  .vx       = vx,
                  .vy       = vy,
                  .wn       = ks3_dot(omega, n),
                  .V        = V,
                  .k        = ks_div(mean, V),
                  .factor   = dissipation(&law->laws, ks_neg(vn)),
                  .friction = ks_mul(place, falling_factor(&law->laws, vx, vy))};
}

creep_basis kane_creep_prepare(const creep_law *law, const contact_patch *s, const side_motion *m)
{
    const patch_scalars spot = patch_constant(s);
    const slip p             = slip_eval(law, &spot, m, ks3_constant(m->velocity), ks3_constant(m->omega));
    creep_basis b            = {.c        = {.velocity = ks3_value(p.velocity),
                                             .y        = ks3_value(p.y),
                                             .vn       = ks_value(p.vn),
                                             .vx       = ks_value(p.vx),
                                             .vy       = ks_value(p.vy),
                                             .wn       = ks_value(p.wn),
                                             .V        = ks_value(p.V),
                                             .k        = ks_value(p.k)},
                                .factor   = ks_value(p.factor),
                                .friction = ks_value(p.friction)};
    if (s->a * s->b > 0.0)
        b.C = kane_kalker_lookup(&law->kalker, s->a, s->b);
    return b;
}

// --- user-defined law: its input in rail axes, its forces in side axes ---

// Input of a user-defined law in rail axes: contact, creepages and friction; *motion: the wheel's motion, to which it
// points.
static kane_creep_contact describe_contact(const creep_law *law, const contact_patch *s, const side_motion *m,
                                           const creep_basis *p, kane_wheel_motion *motion)
{
    const double sign = side_sign(m->side);
    const creepage *c = &p->c;
    *motion           = (kane_wheel_motion){.centre          = kv3(m->x, sign * m->pose.y, m->pose.z),
                                            .axle            = side_mirror_axial(sign, m->pose.axle),
                                            .velocity        = side_mirror(sign, m->velocity),
                                            .omega           = side_mirror_axial(sign, m->omega),
                                            .friction_change = m->friction_change,
                                            .turn            = side_mirror_axial(sign, m->turn),
                                            .blend           = m->blend};
    return (kane_creep_contact){.side          = m->side,
                                .N             = p->factor * s->N,
                                .a             = s->a,
                                .b             = s->b,
                                .xi_x          = c->vx / c->V,
                                .xi_y          = sign * c->vy / c->V,
                                .phi           = sign * c->wn / c->V,
                                .rolling       = c->k,
                                .reference     = c->V,
                                .friction      = p->friction,
                                .shear_modulus = law->laws.shear_modulus,
                                .poisson       = law->laws.poisson,
                                .angle         = kane_small_angle(s->normal.y, s->normal.z),
                                .radius        = s->radius,
                                .point         = side_mirror(sign, s->point),
                                .normal        = side_mirror(sign, s->normal),
                                .velocity      = side_mirror(sign, c->velocity),
                                .motion        = motion};
}

static kane_status eval_user_law(const creep_law *law, const contact_patch *s, const side_motion *m,
                                 const creep_basis *p, kane_user_force *out)
{
    kane_wheel_motion motion;
    const kane_creep_contact contact = describe_contact(law, s, m, p, &motion);
    *out                             = (kane_user_force){0};
    const kane_status status         = law->laws.own.eval(law->laws.own.data, &contact, out);
    if (m->side == KANE_RIGHT) {
        out->T_y = -out->T_y;
        out->M_z = -out->M_z;
    }
    return status;
}

// The same with derivatives; the law must have `derive`.
static kane_status derive_user_law(const creep_law *law, kane_side side, const kane_creep_formula_contact *c,
                                   kane_creep_formula_force *f)
{
    *f                       = kane_creep_formula_nothing();
    const kane_status status = law->laws.own.derive(law->laws.own.data, c, f);
    if (side == KANE_RIGHT) {
        f->T_y = ks_neg(f->T_y);
        f->M_z = ks_neg(f->M_z);
    }
    return status;
}

// --- forces ---

// Longitudinal creepage of a wheel that rolls on a radius greater by conicity y:  -k conicity y/r,  y outward over the
// rail.
KANE_INLINE kane_scalar conicity_creepage(const creep_law *law, kane_scalar k, kane_scalar y, kane_scalar r)
{
    const double conicity = law->laws.creep == KANE_CREEP_GIVEN ? law->laws.given.conicity : 0.0;
    return ks_scale(-conicity, ks_div(ks_mul(k, y), r));
}

static law_input input_of(const creep_law *law, const contact_patch *s, const side_motion *m, const creep_basis *p)
{
    const creepage *c = &p->c;
    const kane_scalar conical =
        conicity_creepage(law, ks_constant(c->k), ks_constant(m->pose.y), ks_constant(s->radius));
    return (law_input){.a     = s->a,
                       .b     = s->b,
                       .G     = law->laws.shear_modulus,
                       .C     = p->C,
                       .xi_x  = c->vx / c->V + ks_value(conical),
                       .xi_y  = c->vy / c->V,
                       .phi   = c->wn / c->V,
                       .k     = c->k,
                       .bound = p->friction * (p->factor * s->N)};
}

kane_status kane_creep_under(const creep_law *law, const contact_patch *s, const side_motion *m, const creep_basis *p,
                             kane_user_force *out)
{
    if (law->laws.creep == KANE_CREEP_USER)
        return eval_user_law(law, s, m, p, out);
    *out = (kane_user_force){0};
    if (s->a * s->b > 0.0) {
        const law_input in       = input_of(law, s, m, p);
        const kane_creep_force f = kane_creep_law_eval(law, &in);
        *out                     = (kane_user_force){f.T_x, f.T_y, f.M_z, 0.0};
    }
    return KANE_OK;
}

void kane_creep_report(const contact_patch *s, const creepage *c, double N, const kane_user_force *f, kane_patch *patch)
{
    patch->share     = s->share;
    patch->point     = s->point;
    patch->normal    = s->normal;
    patch->angle     = kane_small_angle(s->normal.y, s->normal.z);
    patch->wheel_y   = s->wheel_y;
    patch->rail_y    = s->rail_y;
    patch->radius    = s->radius;
    patch->approach  = s->approach;
    patch->N         = s->share * N;
    patch->a         = s->a;
    patch->b         = s->b;
    patch->area      = KANE_PI * s->a * s->b;
    patch->pressure  = patch->area > 0.0 ? 1.5 * N / patch->area : 0.0;
    patch->minor     = 0;
    patch->conformal = 0;
    patch->xi_x      = c->vx / c->V;
    patch->xi_y      = c->vy / c->V;
    patch->phi       = c->wn / c->V;
    patch->T_x       = s->share * f->T_x;
    patch->T_y       = s->share * f->T_y;
    patch->M_z       = s->share * f->M_z;
    patch->T_n       = s->share * f->T_n;
    patch->energy    = 0.4 * s->share * s->N * s->approach;
}

kane_wrench kane_creep_wrench(const contact_patch *s, const creepage *c, double N, const kane_user_force *f)
{
    const kane_creep_formula_force constant = {ks_constant(f->T_x), ks_constant(f->T_y), ks_constant(f->M_z),
                                               ks_constant(f->T_n)};
    const patch_scalars spot                = patch_constant(s);
    kane_scalar3 force, torque;
    creep_wrench_of(&spot, ks3_constant(c->y), ks_constant(N), &constant, &force, &torque);
    return (kane_wrench){ks3_value(force), ks3_value(torque)};
}

kane_status kane_creep_eval(const creep_law *law, const contact_patch *s, const side_motion *m, kane_wrench *sum,
                            kane_patch *patch)
{
    const creep_basis p = kane_creep_prepare(law, s, m);
    const double N      = p.factor * s->N;
    kane_user_force f;
    const kane_status status = kane_creep_under(law, s, m, &p, &f);
    if (status != KANE_OK)
        return status;
    *sum = kw_add(*sum, kane_creep_wrench(s, &p.c, N, &f));
    if (patch)
        kane_creep_report(s, &p.c, N, &f, patch);
    return KANE_OK;
}

// --- derivatives by velocity, angular velocity and pose ---

static kane_scalar3 seed_vector(kane_vec3 a, int first)
{
    return ks3(ks_variable(a.x, first), ks_variable(a.y, first + 1), ks_variable(a.z, first + 2));
}

// Side axes to rail axes and back, as side_mirror.
static kane_scalar3 mirror_vector(double sign, kane_scalar3 v)
{
    return ks3_mul(kv3(1.0, sign, 1.0), v);
}

static kane_scalar3 mirror_axial_vector(double sign, kane_scalar3 v)
{
    return ks3_mul(kv3(sign, 1.0, sign), v);
}

// Creepages as dual numbers.
typedef struct creepages {
    kane_scalar xi_x, xi_y, phi;
} creepages;

// Forces of a user-defined law with `derive`, with derivatives by the motion.
static kane_status user_law_forces(const creep_law *law, const contact_patch *s, const side_motion *m, const slip *p,
                                   const creepages *xi, kane_scalar N, kane_creep_formula_force *f)
{
    const double sign     = side_sign(m->side);
    const creep_basis now = kane_creep_prepare(law, s, m);
    kane_wheel_motion motion;
    const kane_creep_contact contact = describe_contact(law, s, m, &now, &motion);
    kane_creep_formula_contact c     = kane_creep_formula_see(&contact);
    c.N                              = N;
    c.xi_x                           = xi->xi_x;
    c.xi_y                           = ks_scale(sign, xi->xi_y);
    c.phi                            = ks_scale(sign, xi->phi);
    c.rolling                        = p->k;
    c.reference                      = p->V;
    c.friction                       = p->friction;
    c.velocity                       = mirror_vector(sign, p->velocity);
    c.wheel_velocity                 = mirror_vector(sign, seed_vector(m->velocity, 0));
    c.wheel_omega                    = mirror_axial_vector(sign, seed_vector(m->omega, 3));
    return derive_user_law(law, m->side, &c, f);
}

// --- differences of a user-defined law ---

// a + h da/d(direction)
static double displace_scalar(kane_scalar a, int direction, double h)
{
    return a.v + h * kane_tangents_get(a.t, direction);
}

static kane_vec3 displace_vector(kane_scalar3 a, int direction, double h)
{
    return kv3(displace_scalar(a.x, direction, h), displace_scalar(a.y, direction, h),
               displace_scalar(a.z, direction, h));
}

static contact_patch displace_patch(const patch_scalars *s, int k, double h)
{
    return (contact_patch){.point    = displace_vector(s->point, k, h),
                           .normal   = displace_vector(s->normal, k, h),
                           .along    = displace_vector(s->along, k, h),
                           .turning  = displace_vector(s->turning, k, h),
                           .share    = displace_scalar(s->share, k, h),
                           .N        = displace_scalar(s->N, k, h),
                           .approach = displace_scalar(s->approach, k, h),
                           .a        = displace_scalar(s->a, k, h),
                           .b        = displace_scalar(s->b, k, h),
                           .radius   = displace_scalar(s->radius, k, h),
                           .wheel_y  = displace_scalar(s->wheel_y, k, h),
                           .rail_y   = displace_scalar(s->rail_y, k, h)};
}

static side_motion displace_motion(const side_motion *m, const side_scalars *slopes, int k, double h)
{
    side_motion to     = *m;
    to.x               = displace_scalar(slopes->pose.x, k, h);
    to.pose            = (wheel_pose){displace_scalar(slopes->pose.y, k, h), displace_scalar(slopes->pose.z, k, h),
                                      displace_vector(slopes->pose.axle, k, h)};
    to.turn            = displace_vector(slopes->turn, k, h);
    to.velocity        = displace_vector(slopes->velocity, k, h);
    to.omega           = displace_vector(slopes->omega, k, h);
    to.friction_change = fmax(displace_scalar(slopes->friction_change, k, h), -1.0);
    return to;
}

// Largest relative rate of a law's input along direction k: N, a, b and share relative to their values; creepages,
// points and angles relative to 1e-2. It scales the steps of differences.
static double rate_of_change(const patch_scalars *s, const side_motion *m, const side_scalars *slopes, double V, int k)
{
    const contact_patch to = displace_patch(s, k, 1.0), here = patch_value(s);
    const side_motion with = displace_motion(m, slopes, k, 1.0);
    const double sizes = fmax(fmax(fabs(to.N / here.N - 1.0), fabs(to.a / here.a - 1.0)), fabs(to.b / here.b - 1.0));
    const double angles =
        kv3_norm(kv3_sub(to.normal, here.normal)) + kv3_norm(kv3_sub(to.point, here.point)) / here.radius;
    const double speed =
        kv3_norm(kv3_sub(with.velocity, m->velocity)) + here.radius * kv3_norm(kv3_sub(with.omega, m->omega));
    return fmax(fmax(sizes, fabs(to.share / here.share - 1.0)),
                1e2 * (angles + speed / V + fabs(kane_tangents_get(slopes->friction_change.t, k))));
}

// A user-defined law along the six directions of patch and motion.
typedef struct user_law_point {
    const creep_law *law;
    const patch_scalars *s;
    const side_motion *m;
    const side_scalars *slopes;
} user_law_point;

static int eval_varied_user_law(const void *data, int k, double h, double *moved, double *f)
{
    const user_law_point *at = data;
    const contact_patch spot = displace_patch(at->s, k, h);
    const side_motion to     = displace_motion(at->m, at->slopes, k, h);
    const creep_basis p      = kane_creep_prepare(at->law, &spot, &to);
    kane_user_force force;
    const kane_status status = eval_user_law(at->law, &spot, &to, &p, &force);
    (void)moved;
    f[0] = force.T_x;
    f[1] = force.T_y;
    f[2] = force.M_z;
    f[3] = force.T_n;
    return status;
}

// Its forces with derivatives by central differences: for a law without `derive`, and for directions of which `derive`
// does not have all inputs. A step changes sizes by 1e-5 of their value and creepages by 1e-7: small against the 1e-3
// over which forces saturate, large against the rounding of speeds.
static kane_status difference_user_law(const creep_law *law, const patch_scalars *s, const side_motion *m,
                                       const side_scalars *slopes, kane_creep_formula_force *f)
{
    const user_law_point at    = {law, s, m, slopes};
    const contact_patch here   = patch_value(s);
    const creep_basis now      = kane_creep_prepare(law, &here, m);
    kane_scalar *const with[4] = {&f->T_x, &f->T_y, &f->M_z, &f->T_n};
    kane_varied list[6];
    double slope[6][4];
    kane_user_force value;
    kane_status status = eval_user_law(law, &here, m, &now, &value);
    if (status != KANE_OK)
        return status;
    for (int k = 0; k < 6; k++)
        list[k] = (kane_varied){k, 1e-5 / fmax(rate_of_change(s, m, slopes, now.c.V, k), 1.0)};
    status                 = kane_central_difference(6, list, eval_varied_user_law, &at, 4, slope[0]);
    const double values[4] = {value.T_x, value.T_y, value.M_z, value.T_n};
    for (int i = 0; i < 4 && status == KANE_OK; i++)
        *with[i] = (kane_scalar){{{slope[0][i], slope[1][i]}, {slope[2][i], slope[3][i]}, {slope[4][i], slope[5][i]}},
                                 values[i]};
    return status;
}

// --- forces with slopes ---

// Meaning of the six directions.
typedef enum creep_directions {
    DIRECTIONS_SPEEDS, // of the motion's velocity and angular velocity, and nothing else
    DIRECTIONS_ANY
} creep_directions;

// T_x, T_y, M_z (and T_n of a user-defined law) as dual numbers, from patch s, motion m with its tangents `slopes`,
// slip p and normal force N of both. Status: that of a user-defined law.
static kane_status forces_of(const creep_law *law, const patch_scalars *s, const side_motion *m,
                             const side_scalars *slopes, creep_directions directions, const slip *p, kane_scalar N,
                             kane_creep_formula_force *f)
{
    if (law->laws.creep == KANE_CREEP_USER && (directions == DIRECTIONS_ANY || !law->laws.own.derive))
        return difference_user_law(law, s, m, slopes, f);
    const kane_scalar per_V = ks_inverse(p->V);
    const creepages xi      = {ks_add(ks_mul(p->vx, per_V), conicity_creepage(law, p->k, slopes->pose.y, s->radius)),
                               ks_mul(p->vy, per_V), ks_mul(p->wn, per_V)};
    if (law->laws.creep == KANE_CREEP_USER) {
        const contact_patch spot = patch_value(s);
        return user_law_forces(law, &spot, m, p, &xi, N, f);
    }
    *f = kane_creep_formula_nothing();
    if (!(ks_value(s->a) * ks_value(s->b) > 0.0))
        return KANE_OK;
    const law_scalars in = {.a     = s->a,
                            .b     = s->b,
                            .xi_x  = xi.xi_x,
                            .xi_y  = xi.xi_y,
                            .phi   = xi.phi,
                            .k     = p->k,
                            .bound = ks_mul(p->friction, N),
                            .G     = law->laws.shear_modulus,
                            .C     = kane_kalker_scalars(&law->kalker, s->a, s->b)};
    law_force out;
    kane_creep_law_derive(law, &in, &out);
    f->T_x = out.T_x;
    f->T_y = out.T_y;
    f->M_z = out.M_z;
    return KANE_OK;
}

// d[i][j] += derivative of wrench component i (force, torque about the wheel's centre) by direction j.
static kane_status add_slopes(const creep_law *law, const patch_scalars *s, const side_motion *m,
                              const side_scalars *slopes, creep_directions directions, double d[6][6])
{
    const slip p        = slip_eval(law, s, m, slopes->velocity, slopes->omega);
    const kane_scalar N = ks_mul(s->N, p.factor);
    kane_scalar3 rows[2];
    kane_creep_formula_force f;
    const kane_status status = forces_of(law, s, m, slopes, directions, &p, N, &f);
    if (status != KANE_OK)
        return status;
    creep_wrench_of(s, p.y, N, &f, &rows[0], &rows[1]);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            d[i][j] += kane_tangents_get(ks3_get(rows[i / 3], i % 3).t, j);
    return KANE_OK;
}

// A motion as dual numbers without tangents.
static side_scalars motion_constant(const side_motion *m)
{
    return (side_scalars){pose_constant(m->x, &m->pose), ks3_constant(m->turn), ks3_constant(m->velocity),
                          ks3_constant(m->omega), ks_constant(m->friction_change)};
}

kane_status kane_creep_derive(const creep_law *law, const patch_scalars *s, const side_motion *m,
                              const pose_scalars *pose, double by_pose[6][6], double by_speed[6][6])
{
    const contact_patch here = patch_value(s);
    const patch_scalars spot = patch_constant(&here);
    side_scalars speeds = motion_constant(m), places = speeds;
    speeds.velocity          = seed_vector(m->velocity, 0);
    speeds.omega             = seed_vector(m->omega, 3);
    places.pose              = *pose;
    const kane_status status = add_slopes(law, &spot, m, &speeds, DIRECTIONS_SPEEDS, by_speed);
    return status == KANE_OK ? add_slopes(law, s, m, &places, DIRECTIONS_ANY, by_pose) : status;
}

// Slip whose friction changes along the rail, too.
static slip slip_with_friction(const creep_law *law, const patch_scalars *s, const side_motion *m,
                               const side_scalars *slopes)
{
    slip p                      = slip_eval(law, s, m, slopes->velocity, slopes->omega);
    const double friction_ratio = 1.0 + m->friction_change; // friction is in proportion to it
    if (friction_ratio > 0.0)
        p.friction.t = kane_tangents_sum(1.0, p.friction.t, p.friction.v / friction_ratio, slopes->friction_change.t);
    return p;
}

kane_status kane_creep_follow(const creep_law *law, const patch_scalars *s, const side_motion *m,
                              const side_scalars *slopes, kane_scalar3 wrench[2])
{
    const slip p = slip_with_friction(law, s, m, slopes);
    kane_creep_formula_force f;
    const kane_status status = forces_of(law, s, m, slopes, DIRECTIONS_ANY, &p, ks_mul(s->N, p.factor), &f);
    if (status == KANE_OK)
        creep_wrench_of(s, p.y, ks_mul(s->N, ks_shift(p.factor, -1.0)), &f, &wrench[0], &wrench[1]);
    return status;
}

kane_status kane_creep_follow_forces(const creep_law *law, const patch_scalars *s, const side_motion *m,
                                     const side_scalars *slopes, kane_creep_formula_force *f)
{
    const slip p = slip_with_friction(law, s, m, slopes);
    *f           = kane_creep_formula_nothing();
    return forces_of(law, s, m, slopes, DIRECTIONS_ANY, &p, ks_mul(s->N, p.factor), f);
}

// --- derivatives by the load ---

// Semi-axis with its derivative by N in direction 0. Hertz: a ~ N^1/3, so da/dN = a/(3 N).
static kane_scalar semi_axis_by_load(double a, double N)
{
    return ks_chain(ks_variable(N, 0), a, a / (3.0 * N));
}

static kane_user_force slope_of(const kane_creep_formula_force *f)
{
    return (kane_user_force){kane_tangents_get(f->T_x.t, 0), kane_tangents_get(f->T_y.t, 0),
                             kane_tangents_get(f->M_z.t, 0), kane_tangents_get(f->T_n.t, 0)};
}

// The same for a user-defined law without `derive`: differences by ln N (direction 0), divided by N.
static kane_status difference_by_load(const creep_law *law, const contact_patch *s, const side_motion *m,
                                      kane_creep_formula_force *f)
{
    const side_scalars constant = motion_constant(m);
    patch_scalars loaded        = patch_constant(s);
    loaded.N                    = ks_scale(s->N, ks_variable(1.0, 0));
    loaded.a                    = semi_axis_by_load(s->a, 1.0);
    loaded.b                    = semi_axis_by_load(s->b, 1.0);
    loaded.approach             = ks_chain(ks_variable(1.0, 0), s->approach, 2.0 / 3.0 * s->approach);
    const kane_status status    = difference_user_law(law, &loaded, m, &constant, f);
    f->T_x                      = ks_scale(1.0 / s->N, f->T_x);
    f->T_y                      = ks_scale(1.0 / s->N, f->T_y);
    f->M_z                      = ks_scale(1.0 / s->N, f->M_z);
    f->T_n                      = ks_scale(1.0 / s->N, f->T_n);
    return status;
}

kane_status kane_creep_under_slope(const creep_law *law, const contact_patch *s, const side_motion *m,
                                   const creep_basis *p, kane_user_force *slope)
{
    const kane_scalar N = ks_scale(p->factor, ks_variable(s->N, 0)), a = semi_axis_by_load(s->a, s->N),
                      b        = semi_axis_by_load(s->b, s->N);
    kane_creep_formula_force f = kane_creep_formula_nothing();
    kane_status status         = KANE_OK;
    if (law->laws.creep != KANE_CREEP_USER) {
        const law_input in = input_of(law, s, m, p);
        law_scalars with   = law_without_slopes(&in);
        law_force out;
        with.a     = a;
        with.b     = b;
        with.bound = ks_scale(p->friction, N);
        kane_creep_law_derive(law, &with, &out);
        f.T_x = out.T_x;
        f.T_y = out.T_y;
        f.M_z = out.M_z;
    } else if (law->laws.own.derive) {
        kane_wheel_motion motion;
        const kane_creep_contact contact = describe_contact(law, s, m, p, &motion);
        kane_creep_formula_contact c     = kane_creep_formula_see(&contact);
        c.N                              = N;
        c.a                              = a;
        c.b                              = b;
        status                           = derive_user_law(law, m->side, &c, &f);
    } else {
        status = difference_by_load(law, s, m, &f);
    }
    *slope = slope_of(&f);
    return status;
}
