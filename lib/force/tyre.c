// SPDX-License-Identifier: MIT
// "tyre": a wheel on a road. Its plane touches the road's in a point; slip there builds up over two relaxation lengths
// and exerts what the Magic Formula says (magic.h), the load comes from how much nearer than its free radius the road
// is.
//
// With e the axle, n the road's normal, l = e x n/|e x n| along the wheel's heading, t = n x l, and the wheel's centre
// c. The road may move, with v_a, w_a in its point a; velocity and angular velocity are those that are seen on it:
//
//   v = c' - v_a - w_a x (c - a)                      w = w_wheel - w_a
//   sin gamma = e.n      r = (c - p).n/cos gamma      C = c - r (l x e)      N = N(R - r, -r')
//   V_x = v.l            V_sx = V_x - (w.e) R_e       V_sy = (v + w x (C - c)).t
//   sigma_k u' + |V_x| u = -sigma_k V_sx              kappa = u/sigma_k
//   sigma_a v' + |V_x| v =  sigma_a V_sy              tan alpha = v/sigma_a
//
// An uneven road has its plane, point p and normal n, under the wheel's centre: with x and y the place of that in the
// frame of the line there, p lies z(s + x, y) above it and n is square to both tangents.
//
// At standstill u and v are how far the tyre has been drawn along: it holds a car that stands.

#include <kane/formula.h>
#include <kane/laws.h>

#include "base/file.h"
#include "force/magic.h"
#include "force/press.h"

#include <math.h>
#include <string.h>

// Over this deflection the stiffness sets in [m]; relaxation lengths do not fall below this [m], as they would where
// the load goes.
static const double ONSET = 1e-3, SHORTEST = 0.02;

// A wheel may be drawn higher or lower than it stands by this part of its radius.
static const double DRAWN = 0.06;

typedef struct tyre {
    kane_tyre in;
    kane_tir p;
    kane_vec3 axle;
    double side;       // 1: as the file has it, -1: its mirror image
    double radius;     // free: height at rest, and the deflection there [m]
    double deflection; // at rest [m]
    double damping;    // h of the load, N (1 + h rate) [s/m]
    int combined;
} tyre;

static const char *const sides[] = {"left", "right", NULL};
static const char *const slips[] = {"file", "combined", "pure", NULL};

static const kane_key keys[] = {
    KANE_KEY(kane_tyre, file, TEXT, REQUIRED, NULL, NULL, ANY, KANE_A_FILE,
             "its properties: a file of the model PAC2002 (.tir) in SI units"),
    KANE_KEY(kane_tyre, side, CHOICE, OPTIONAL, "left", NULL, ANY, sides,
             "of the vehicle on which it is; a tyre that was measured on the other one is mirrored"),
    KANE_KEY(kane_tyre, slip, CHOICE, OPTIONAL, "file", NULL, ANY, slips,
             "\"pure\": longitudinal and lateral slip do not weaken each other's forces; \"file\": as USE_MODE says, "
             "\"combined\" without it"),
    KANE_KEY(kane_tyre, axle, VECTOR, OPTIONAL, "[0, 1, 0]", "1", ANY, NULL,
             "direction of the axle at rest, to the left, law axes; of any length"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_tyre, "tyre", keys,
    "A tyre between the road and a wheel: \"at\" is a point of the road under it, whose plane has the law's z as "
    "normal, \"to\" the wheel's centre. The wheel is a body that turns about the axle.");

static void *prepare_tyre(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_tyre *in = parameters;
    const kane_place at = kane_block_place(&in->block, "file", -1);
    const char *file    = kane_file_beside(memory, at.file ? at.file : "", in->file ? in->file : "");
    const double length = kv3_norm(in->axle);
    tyre *t             = kane_law_memory(memory, 1, sizeof *t);
    if (!t || !file || !kane_tir_read(file, memory, &t->p, errors))
        return NULL;
    if (!(length > 0.0)) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&in->block, "axle", -1),
                              "the axle has no direction");
        return NULL;
    }
    if (in->slip != KANE_SLIP_FILE)
        t->p.forces = in->slip == KANE_SLIP_PURE ? 3 : 4;
    t->combined = t->p.forces == 4;
    if (t->combined && !t->p.is_combined) {
        kane_errors_add_input(
            errors, KANE_BAD_INPUT, at,
            "'%s' has no factors of combined slip (RBX1, RCX1, RBY1, RCY1); say \"slip\": \"pure\", or "
            "add them",
            file);
        return NULL;
    }
    t->in     = *in;
    t->axle   = kv3_scale(1.0 / length, in->axle);
    t->side   = t->p.on_right == (in->side == 1) ? 1.0 : -1.0;
    t->radius = t->p.UNLOADED_RADIUS;
    return t;
}

static int list_tyre_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    (void)law;
    info[0] = (kane_law_state){"along", "m", "how far the tread is drawn along the wheel's way", 1e-2, 2};
    info[1] = (kane_law_state){"across", "m", "how far it is drawn to the left", 1e-2, 2};
    return 2;
}

static kane_vec3 tyre_preload_axes(const void *law)
{
    (void)law;
    return kv3(0.0, 0.0, 1.0);
}

// Deflection under a load.
static double deflection_under(const tyre *t, double load)
{
    const double k = t->p.VERTICAL_STIFFNESS;
    return load < 0.5 * k * ONSET ? sqrt(2.0 * ONSET * load / k) : load / k + 0.5 * ONSET;
}

static int set_tyre_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    tyre *t          = law;
    const double R_0 = t->p.UNLOADED_RADIUS;
    if (load.z < 0.0) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&t->in.block, NULL, -1),
                              "a tyre cannot pull its wheel down with %g N, as this vehicle needs to be at rest",
                              -load.z);
        return 1;
    }
    t->deflection = deflection_under(t, load.z);
    t->radius     = d0.z + t->deflection;
    t->damping    = t->p.VERTICAL_DAMPING / (load.z > 0.0 ? load.z : t->p.FNOMIN);
    if (!(fabs(t->radius - R_0) <= DRAWN * R_0)) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&t->in.block, NULL, -1),
                              "its wheel is drawn %g m above the road; a tyre of %g m stands at %g m under %g N", d0.z,
                              R_0, R_0 - t->deflection, load.z);
        return 1;
    }
    return 0;
}

// Contact of the wheel with the road.
typedef struct contact {
    kane_scalar3 l, t, n;   // along its heading, to the left, normal
    kane_scalar3 arm;       // from its centre to the point of contact [m]
    kane_scalar N;          // load [N]
    kane_scalar gamma;      // camber [rad]
    kane_scalar V_x;        // over the road [m/s]
    kane_scalar V_sx, V_sy; // slip [m/s]
} contact;

KANE_INLINE kane_scalar rolling_radius(const tyre *t, kane_scalar N)
{
    const kane_tir *p = &t->p;
    const double F_z0 = p->FNOMIN * p->LFZO, at_nominal = F_z0 / p->VERTICAL_STIFFNESS;
    const kane_scalar depth = ks_over(N, F_z0);
    if (p->DREFF == 0.0 && p->FREFF == 0.0)
        return ks_shift(ks_scale(-at_nominal / 3.0, depth), t->radius); // a third of the deflection
    const kane_scalar ratio = ks_add(ks_scale(p->DREFF, ks_atan(ks_scale(p->BREFF, depth))), ks_scale(p->FREFF, depth));
    return ks_shift(ks_scale(-at_nominal, ratio), t->radius);
}

static double free_rolling_radius(const void *law, kane_vec3 *axle)
{
    const tyre *t  = law;
    const double N = kane_onset_force(t->p.VERTICAL_STIFFNESS, ONSET, ks_constant(t->deflection)).v;
    *axle          = t->axle;
    return rolling_radius(t, ks_constant(N)).v;
}

// The road's plane under the wheel.
typedef struct ground {
    kane_scalar3 point, normal;
} ground;

// Tangent plane of the surface z(x, y) over the point c of the wheel's centre, in the axes R of the road's point: to
// first order
//   p = a + x R_x + y R_y + z R_z     n ~ R_z - z_x R_x - z_y R_y
// Both have tangents by x and y, with the second derivatives of the surface.
KANE_INLINE ground road_tangent_plane(const kane_formula_motion *m)
{
    const kane_scalar3 *R  = m->a.axis;
    const kane_scalar3 arm = ks3_sub(m->b.position, m->a.position);
    const kane_scalar x = ks3_dot(arm, R[0]), y = ks3_dot(arm, R[1]);
    const double side = m->mirrored ? -1.0 : 1.0;
    double h[6];
    m->road.surface(m->road.data, m->road.s + ks_value(x), m->road.y + side * ks_value(y), h);
    const kane_scalar dx = ks_shift(x, -ks_value(x)), dy = ks_scale(side, ks_shift(y, -ks_value(y)));
    const kane_scalar z   = ks_shift(ks_add(ks_scale(h[1], dx), ks_scale(h[2], dy)), h[0]);
    const kane_scalar z_x = ks_shift(ks_add(ks_scale(h[3], dx), ks_scale(h[4], dy)), h[1]);
    const kane_scalar z_y = ks_scale(side, ks_shift(ks_add(ks_scale(h[4], dx), ks_scale(h[5], dy)), h[2]));
    const kane_scalar3 n  = ks3_sub(R[2], ks3_add(ks3_scale(z_x, R[0]), ks3_scale(z_y, R[1])));
    const kane_scalar3 on = ks3_add(ks3_scale(x, R[0]), ks3_scale(y, R[1]));
    return (ground){ks3_add(m->a.position, ks3_add_scaled(on, z, R[2])), ks3_scale(ks_inverse(ks3_norm(n)), n)};
}

// Contact point, load and slip velocities by the formulas at the top of the file.
KANE_INLINE void eval_contact(const tyre *t, const kane_formula_motion *m, contact *c)
{
    const kane_scalar3 *R = m->b.axis;
    const kane_scalar3 e  = ks3_add(ks3_add(ks3_by(t->axle.x, R[0]), ks3_by(t->axle.y, R[1])), ks3_by(t->axle.z, R[2]));
    const kane_scalar3 on_road = ks3_cross(m->a.omega, ks3_sub(m->b.position, m->a.position));
    const kane_scalar3 v       = ks3_sub(ks3_sub(m->b.velocity, m->a.velocity), on_road);
    const kane_scalar3 w       = ks3_sub(m->b.omega, m->a.omega);
    const ground road          = m->road.surface ? road_tangent_plane(m) : (ground){m->a.position, m->a.axis[2]};
    c->n                       = road.normal;
    const kane_scalar sine = ks3_dot(e, c->n), cosine = ks_sqrt(ks_shift(ks_neg(ks_square(sine)), 1.0));
    const kane_scalar over = ks_inverse(cosine);
    c->gamma               = ks_asin(sine);
    c->l                   = ks3_scale(over, ks3_cross(e, c->n));
    c->t                   = ks3_cross(c->n, c->l);

    const kane_scalar h     = ks3_dot(ks3_sub(m->b.position, road.point), c->n);
    const kane_scalar leans = ks3_dot(ks3_cross(w, e), c->n); // rate of the sine
    const kane_scalar r     = ks_mul(h, over);
    const kane_scalar rate  = ks_mul(over, ks_add(ks3_dot(v, c->n), ks_mul(ks_mul(r, ks_mul(sine, over)), leans)));
    const kane_scalar N     = kane_onset_force(t->p.VERTICAL_STIFFNESS, ONSET, ks_shift(ks_neg(r), t->radius));
    c->N                    = ks_mul(N, kane_onset_dissipate(ks_scale(-t->damping, rate)));
    c->arm                  = ks3_scale(ks_neg(r), ks3_cross(c->l, e));
    c->V_x                  = ks3_dot(v, c->l);
    c->V_sx                 = ks_sub(c->V_x, ks_mul(ks3_dot(w, e), rolling_radius(t, c->N)));
    c->V_sy                 = ks3_dot(ks3_add(v, ks3_cross(w, c->arm)), c->t);
}

KANE_INLINE kane_scalar not_below(kane_scalar length)
{
    return ks_hypot(length, ks_constant(SHORTEST));
}

// What the tread's forces depend on.
typedef struct tread_motion {
    kane_scalar u, v;  // how far it is drawn along [m], across [m]
    kane_scalar gamma; // camber [rad]
    kane_scalar N;     // load [N]
    kane_scalar V_x;   // over the road [m/s]
} tread_motion;

typedef struct tread_forces {
    kane_tyre_forces f;        // none where it is off the road
    kane_scalar along, across; // |V_x| kappa, |V_x| tan alpha [m/s]
} tread_forces;

KANE_INLINE tread_motion tread_of(const kane_formula_motion *m, const contact *c)
{
    return (tread_motion){kane_formula_state(m, 0), kane_formula_state(m, 1), c->gamma, c->N, c->V_x};
}

// kappa = u/sigma_k      tan alpha = v/sigma_a
KANE_INLINE kane_slip slip_of(const tyre *t, const tread_motion *x, tread_forces *out)
{
    const kane_tir *p       = &t->p;
    const kane_scalar speed = ks_abs(x->V_x), square = ks_square(x->V_x);
    kane_slip s = {.gamma = ks_scale(t->side, x->gamma),
                   .N     = x->N,
                   .rolls = ks_div(square, ks_shift(square, p->VXLOW * p->VXLOW)),
                   .way   = ks_over(x->V_x, p->LONGVL)};
    kane_scalar along, across;
    magic_relaxation(p, &s, &along, &across);
    const kane_scalar tan_alpha = ks_div(x->v, not_below(across));
    s.kappa                     = ks_div(x->u, not_below(along));
    s.alpha                     = ks_scale(t->side, ks_atan(tan_alpha));
    out->along                  = ks_mul(speed, s.kappa);
    out->across                 = ks_mul(speed, tan_alpha);
    return s;
}

// Slip, and its forces and moments, of those that USE_MODE or "slip" leaves.
KANE_INLINE kane_slip eval_tread(const tyre *t, const tread_motion *x, tread_forces *out)
{
    const kane_slip s   = slip_of(t, x, out);
    kane_tyre_forces *f = &out->f;
    f->F_x = f->F_y = f->M_x = f->M_y = f->M_z = ks_constant(0.0);
    if (ks_value(s.N) <= 0.0)
        return s; // in the air
    magic_forces(&t->p, &s, t->combined, f);
    if (t->p.forces == 0 || t->p.forces == 2)
        f->F_x = f->M_y = ks_constant(0.0);
    if (t->p.forces == 0 || t->p.forces == 1)
        f->F_y = f->M_x = f->M_z = ks_constant(0.0);
    return s;
}

// Force and torque on the wheel in its contact point, moved to its centre, and the rates of u and v:
//   u' = -V_sx - |V_x| kappa      v' = V_sy - |V_x| tan alpha
KANE_INLINE void put_wrench(const tyre *t, const kane_formula_motion *m, const contact *c, const tread_forces *tread,
                            kane_formula_answer *out)
{
    const kane_tyre_forces *f = &tread->f;
    kane_formula_rate(out, 0, ks_neg(ks_add(c->V_sx, tread->along)));
    kane_formula_rate(out, 1, ks_sub(c->V_sy, tread->across));
    if (ks_value(c->N) <= 0.0)
        return;
    const kane_scalar3 force =
        ks3_add(ks3_scale(f->F_x, c->l), ks3_add(ks3_scale(ks_scale(t->side, f->F_y), c->t), ks3_scale(c->N, c->n)));
    const kane_scalar3 torque = ks3_add(ks3_scale(ks_scale(t->side, f->M_x), c->l),
                                        ks3_add(ks3_scale(f->M_y, c->t), ks3_scale(ks_scale(t->side, f->M_z), c->n)));
    const kane_scalar3 about  = ks3_add(torque, ks3_cross(c->arm, force));
    const kane_scalar3 *A     = m->a.axis;
    out->force                = (kane_scalar3){ks3_dot(A[0], force), ks3_dot(A[1], force), ks3_dot(A[2], force)};
    out->torque               = (kane_scalar3){ks3_dot(A[0], about), ks3_dot(A[1], about), ks3_dot(A[2], about)};
}

KANE_INLINE kane_formula_answer tyre_wrench(const tyre *t, const kane_relative *r, double *rates)
{
    kane_formula_answer answer = kane_formula_nothing(rates, 0);
    kane_formula_motion m;
    contact c;
    tread_forces tread;
    kane_formula_see(r, &m);
    eval_contact(t, &m, &c);
    const tread_motion x = tread_of(&m, &c);
    (void)eval_tread(t, &x, &tread);
    put_wrench(t, &m, &c, &tread, &answer);
    return answer;
}

static int tyre_wrench_eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    const kane_formula_answer answer = tyre_wrench(law, r, 0);
    *on_b                            = (kane_wrench){ks3_value(answer.force), ks3_value(answer.torque)};
    return 0;
}

static int tyre_wrench_rates(const void *law, const kane_relative *r, double *rates)
{
    (void)tyre_wrench(law, r, rates);
    return 0;
}

// f(x) from its value and slopes by the five members of x: df = f_u du + f_v dv + f_gamma dgamma + f_N dN + f_V dV_x
KANE_INLINE kane_scalar tread_chain(kane_scalar f, const tread_motion *x)
{
    kane_scalar out = ks_chain2(x->u, x->v, f.v, kane_tangents_get(f.t, 0), kane_tangents_get(f.t, 1));
    out             = ks_chain2(out, x->gamma, f.v, 1.0, kane_tangents_get(f.t, 2));
    out             = ks_chain2(out, x->N, f.v, 1.0, kane_tangents_get(f.t, 3));
    return ks_chain2(out, x->V_x, f.v, 1.0, kane_tangents_get(f.t, 4));
}

// The Magic Formula has five variables: its slopes by these are found once, and the chain rule makes those by motion.
static void tyre_wrench_derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    const tyre *t = law;
    kane_formula_motion m;
    contact c;
    tread_forces tread;
    double rates[KANE_LAW_STATES];
    kane_tangents rates_t[KANE_LAW_STATES] = {{{0.0}, {0.0}, {0.0}}};
    kane_formula_see(r, &m);
    eval_contact(t, &m, &c);
    tread_motion x = tread_of(&m, &c);
    x = (tread_motion){ks_variable(x.u.v, 0), ks_variable(x.v.v, 1), ks_variable(x.gamma.v, 2), ks_variable(x.N.v, 3),
                       ks_variable(x.V_x.v, 4)};
    (void)eval_tread(t, &x, &tread);
    for (int pass = 0; kane_formula_seed(r, 0, &pass, &m); pass++) {
        kane_formula_answer answer = kane_formula_nothing(rates, rates_t);
        eval_contact(t, &m, &c);
        x                            = tread_of(&m, &c);
        const kane_tyre_forces f     = {tread_chain(tread.f.F_x, &x), tread_chain(tread.f.F_y, &x),
                                        tread_chain(tread.f.M_x, &x), tread_chain(tread.f.M_y, &x),
                                        tread_chain(tread.f.M_z, &x)};
        const tread_forces by_motion = {f, tread_chain(tread.along, &x), tread_chain(tread.across, &x)};
        put_wrench(t, &m, &c, &by_motion, &answer);
        kane_formula_take(r, pass, &answer, out);
    }
}

static int list_tyre_quantities(const void *law, kane_law_quantity info[KANE_LAW_QUANTITIES])
{
    static const kane_law_quantity all[] = {
        {"slip", "1", "longitudinal slip, positive where the wheel drives"},
        {"slip_angle", "rad", "slip angle: the wheel moves to its left where it is positive"},
        {"camber", "rad", "inclination of the wheel about its way, the top to the right where it is positive"},
        {"load", "N", "force along the road's normal"},
        {"F_x", "N", "force on the wheel along its way"},
        {"F_y", "N", "force on the wheel to its left"},
        {"M_x", "N m", "overturning moment on the wheel about the point of contact"},
        {"M_y", "N m", "moment of rolling resistance"},
        {"M_z", "N m", "aligning moment on the wheel about the point of contact"},
    };
    (void)law;
    memcpy(info, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void eval_tyre_quantities(const void *law, const kane_relative *r, double *values)
{
    const tyre *t = law;
    contact c;
    kane_formula_motion m = {.mirrored = 0};
    tread_forces tread;
    kane_formula_see(r, &m);
    eval_contact(t, &m, &c);
    const tread_motion x     = tread_of(&m, &c);
    const kane_slip s        = eval_tread(t, &x, &tread);
    const kane_tyre_forces f = tread.f;
    const double seen[]      = {s.kappa.v,        t->side * s.alpha.v, c.gamma.v,         c.N.v,
                                f.F_x.v,          t->side * f.F_y.v,   t->side * f.M_x.v, f.M_y.v,
                                t->side * f.M_z.v};
    memcpy(values, seen, sizeof seen);
}

// Work done on the tyre from the static position, of its load alone.
static double eval_tyre_energy(const void *law, const kane_relative *r)
{
    const tyre *t = law;
    contact c;
    kane_formula_motion m = {.mirrored = 0};
    kane_formula_see(r, &m);
    eval_contact(t, &m, &c);
    const double depth = t->radius - kv3_norm(ks3_value(c.arm));
    return kane_onset_energy(t->p.VERTICAL_STIFFNESS, ONSET, depth) -
           kane_onset_energy(t->p.VERTICAL_STIFFNESS, ONSET, t->deflection);
}

const kane_law kane_law_tyre = {.name         = "tyre",
                                .help         = "a tyre on a road, by the Magic Formula (PAC2002)",
                                .schema       = &schema,
                                .preload      = KANE_PRELOAD_AXES,
                                .prepare      = prepare_tyre,
                                .turns        = kane_law_never_turns,
                                .absolute     = kane_law_is_absolute,
                                .states       = list_tyre_states,
                                .preload_axes = tyre_preload_axes,
                                .settle       = set_tyre_load,
                                .eval         = tyre_wrench_eval,
                                .rates        = tyre_wrench_rates,
                                .derive       = tyre_wrench_derive,
                                .energy       = eval_tyre_energy,
                                .quantities   = list_tyre_quantities,
                                .observe      = eval_tyre_quantities,
                                .rolls        = free_rolling_radius};
