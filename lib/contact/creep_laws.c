// SPDX-License-Identifier: MIT
// Creep laws in closed form, the settings of all laws, and the laws alone.

#include "contact/creep_laws.h"

#include "base/number.h"

#include <math.h>

// --- Kalker's linear theory, alone and saturated ---
//
//   T_x = -G ab C11 xi_x,   T_y = -G (ab C22 xi_y + k (ab)^3/2 C23 phi),   M = -G (-k (ab)^3/2 C23 xi_y + (ab)^2 C33 phi)
// with the direction of rolling k, since spin pushes to the other side when the wheel rolls back.

KANE_INLINE law_force linear(const law_scalars *in)
{
    const kane_scalar ab = ks_mul(in->a, in->b), Gab = ks_scale(in->G, ab);
    const kane_scalar x = ks_mul(in->C.C11, Gab), y = ks_mul(in->C.C22, Gab),
                      couple = ks_mul(in->k, ks_mul(in->C.C23, ks_mul(Gab, ks_sqrt(ab)))),
                      spin   = ks_mul(in->C.C33, ks_mul(Gab, ab));
    return (law_force){ks_neg(ks_mul(x, in->xi_x)), ks_neg(ks_add(ks_mul(y, in->xi_y), ks_mul(couple, in->phi))),
                       ks_sub(ks_mul(couple, in->xi_y), ks_mul(spin, in->phi))};
}

// Z. Y. Shen, J. K. Hedrick, J. A. Elkins, A comparison of alternative creep force models for rail vehicle dynamic
// analysis, Veh. Syst. Dyn. 12 (1983) 79-83.
KANE_INLINE kane_scalar saturation(kane_scalar F, kane_scalar bound)
{
    if (ks_value(F) < 3.0 * ks_value(bound)) {
        const kane_scalar u = ks_div(F, bound);
        return ks_add(ks_shift(ks_neg(ks_over(u, 3.0)), 1.0), ks_over(ks_square(u), 27.0));
    }
    return ks_value(F) > 0.0 ? ks_div(bound, F) : ks_constant(1.0);
}

double kane_saturation(double F, double mu_N)
{
    return ks_value(saturation(ks_constant(F), ks_constant(mu_N)));
}

KANE_INLINE law_force saturate(law_force f, kane_scalar bound)
{
    const kane_scalar factor = saturation(ks_hypot(f.T_x, f.T_y), bound);
    return (law_force){ks_mul(factor, f.T_x), ks_mul(factor, f.T_y), ks_mul(factor, f.M_z)};
}

KANE_INLINE law_force she(const law_scalars *in)
{
    return saturate(linear(in), in->bound);
}

// The same with coefficients that are given.
KANE_INLINE law_force given(const kane_given_creep *g, const law_scalars *in)
{
    const law_force f = {ks_scale(-g->longitudinal, in->xi_x), ks_scale(-g->lateral, in->xi_y), ks_constant(0.0)};
    return saturate(f, g->limit > 0.0 ? ks_constant(g->limit) : in->bound);
}

// --- Polach's law with spin ---
//
// With psi = k phi (spin seen in the direction of rolling), syc = xi_y + psi a where that is larger than xi_y,
// otherwise xi_y, and s^2 = xi_x^2 + syc^2:
//   eps = G pi ab S/(4 mu N),   S^2 = (C11 xi_x)^2 + (C22 syc)^2
//   T_x = -F xi_x/s,   F = (2/pi) mu N (kA eps/(1 + (kA eps)^2) + atan(kS eps))
//   T_y = -F xi_y/s + (9/16) a mu N Ks Kf psi/s
//   Ks = 1 + 6.3 (1 - exp(-a/b)),   epsM = (8/3) b sqrt(ab) G C23 |syc|/(Ks mu N)
//   Kf = epsM (d^3/3 - d^2/2 + 1/6) - (1/3) (1 - d^2)^3/2,   d = (epsM^2 - 1)/(epsM^2 + 1)
//      = -(2/3) epsM/(1 + epsM^2)^2
// The last line follows with c = 1/(1 + epsM^2), d = 1 - 2 c, 1 - d^2 = (2 epsM c)^2. For small pure spin the force is
// Kalker's. With kA = kS = 1 both parts together stay within mu N. The factors reduce F alone; then spin could exceed
// mu N (by 38 % with kA = kS = .1), and the sum is shortened to it.

// 1/(1 + x^2)
KANE_INLINE kane_scalar bell(kane_scalar x)
{
    return ks_inverse(ks_shift(ks_square(x), 1.0));
}

KANE_INLINE law_force polach(const kane_polach *p, const law_scalars *in)
{
    const kane_scalar psi = ks_mul(in->k, in->phi), with = ks_add(in->xi_y, ks_mul(psi, in->a));
    const kane_scalar syc = fabs(ks_value(with)) > fabs(ks_value(in->xi_y)) ? with : in->xi_y;
    const kane_scalar s   = ks_hypot(in->xi_x, syc);

    // no friction: below 1e-60 N, where powers of eps could leave the range of numbers, it is none
    if (!(ks_value(in->bound) > 1e-60))
        return law_no_force();
    const double G       = in->G;
    const kane_scalar ab = ks_mul(in->a, in->b), rest = ks_exp(ks_neg(ks_div(in->a, in->b)));
    const kane_scalar Ks    = ks_shift(ks_scale(6.3, ks_shift(ks_neg(rest), 1.0)), 1.0);
    const kane_scalar scale = ks_div(ks_scale(0.25 * KANE_PI * G, ab), in->bound); // eps = scale S
    const kane_scalar spin  = ks_mul(ks_scale(9.0 / 16.0, Ks), ks_mul(in->a, in->bound));
    const kane_scalar moment =
        ks_div(ks_mul(ks_div(ks_scale(8.0 / 3.0 * G, in->C.C23), Ks), ks_mul(in->b, ks_sqrt(ab))),
               in->bound);      // epsM = moment |syc|
    if (!(ks_value(s) > 0.0)) { // at rest: the linear part, which has no direction of its own
        const kane_scalar each = ks_scale(-2.0 / KANE_PI * (p->kA + p->kS), ks_mul(in->bound, scale));
        const kane_scalar turn = ks_scale(-2.0 / 3.0, ks_mul(spin, moment));
        return (law_force){
            ks_mul(in->C.C11, ks_mul(each, in->xi_x)),
            ks_add(ks_mul(in->C.C22, ks_mul(each, in->xi_y)), ks_mul(turn, psi)),
            ks_constant(0.0),
        };
    }
    const kane_scalar eps  = ks_mul(scale, ks_hypot(ks_mul(in->C.C11, in->xi_x), ks_mul(in->C.C22, syc)));
    const kane_scalar epsM = ks_mul(moment, ks_abs(syc));
    const kane_scalar Kf   = ks_scale(-2.0 / 3.0, ks_mul(epsM, ks_square(bell(epsM))));
    const kane_scalar A = ks_scale(p->kA, eps), adhesion = ks_add(ks_mul(A, bell(A)), ks_atan(ks_scale(p->kS, eps)));
    const kane_scalar F = ks_mul(in->bound, ks_scale(2.0 / KANE_PI, adhesion)), per_s = ks_inverse(s);
    const kane_scalar turned = ks_mul(ks_mul(spin, Kf), psi);
    const kane_scalar T_x    = ks_neg(ks_mul(ks_mul(F, in->xi_x), per_s)),
                      T_y    = ks_mul(ks_sub(turned, ks_mul(F, in->xi_y)), per_s);
    if (p->kS < 1.0 && hypot(ks_value(T_x), ks_value(T_y)) > ks_value(in->bound)) {
        const kane_scalar part = ks_div(in->bound, ks_hypot(T_x, T_y));
        return (law_force){ks_mul(part, T_x), ks_mul(part, T_y), ks_constant(0.0)};
    }
    return (law_force){T_x, T_y, ks_constant(0.0)};
}

// --- the laws by name ---

kane_creep_force kane_creep_law_eval(const creep_law *law, const law_input *in)
{
    if (law->laws.creep == KANE_CREEP_FASTSIM)
        return kane_fastsim_eval(&law->fastsim, in);
    const law_scalars s = law_without_slopes(in);
    return law_values(law->laws.creep == KANE_CREEP_LINEAR   ? linear(&s)
                      : law->laws.creep == KANE_CREEP_POLACH ? polach(&law->laws.polach, &s)
                      : law->laws.creep == KANE_CREEP_GIVEN  ? given(&law->laws.given, &s)
                                                             : she(&s));
}

void kane_creep_law_derive(const creep_law *law, const law_scalars *in, law_force *out)
{
    if (law->laws.creep == KANE_CREEP_FASTSIM)
        kane_fastsim_derive(&law->fastsim, in, out);
    else
        *out = law->laws.creep == KANE_CREEP_LINEAR   ? linear(in)
               : law->laws.creep == KANE_CREEP_POLACH ? polach(&law->laws.polach, in)
               : law->laws.creep == KANE_CREEP_GIVEN  ? given(&law->laws.given, in)
                                                      : she(in);
}

// --- settings ---

kane_fastsim kane_fastsim_default(void)
{
    return (kane_fastsim){
        .bound = KANE_BOUND_PARABOLIC, .flexibility = KANE_FLEXIBILITY_BLENDED, .strips = 10, .steps = 10};
}

kane_contact_laws kane_contact_laws_default(void)
{
    return (kane_contact_laws){.creep           = KANE_CREEP_SHE,
                               .fastsim         = kane_fastsim_default(),
                               .polach          = {1.0, 1.0},
                               .dissipation_law = KANE_DISSIPATION_HUNT_CROSSLEY,
                               .dissipation     = 1.0,
                               .restitution     = 0.8,
                               .transition      = 0.1,
                               .shear_modulus   = 82e9,
                               .poisson         = 0.28,
                               .friction        = {0.3, 0.3},
                               .flange_friction = 1.0,
                               .falling         = {1.0, 0.0},
                               .slow            = 0.05};
}

void kane_creep_init(creep_law *law, const kane_contact_laws *laws)
{
    law->laws = *laws;
    kane_kalker_table_init(&law->kalker, laws->poisson);
    if (laws->without_spin)
        kane_kalker_table_omit_spin(&law->kalker);
    if (laws->creep == KANE_CREEP_FASTSIM)
        kane_fastsim_init(&law->fastsim, &laws->fastsim);
}

void kane_contact_check(kane_errors *errors, int *wrong, int allowed, const char *name, double value,
                        const char *condition)
{
    if (allowed)
        return;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "contact: %s = %g is not allowed, must be %s", name, value, condition);
    (*wrong)++;
}

// Without errors to fill it only counts.
static void check_fastsim(const kane_fastsim *f, kane_errors *errors, int *wrong)
{
    static const char *const number = "within 2 and 100", *const known = "a known one";
    kane_contact_check(errors, wrong, f->strips >= 2 && f->strips <= KANE_FASTSIM_MOST, "fastsim.strips", f->strips,
                       number);
    kane_contact_check(errors, wrong, f->steps >= 2 && f->steps <= KANE_FASTSIM_MOST, "fastsim.steps", f->steps,
                       number);
    kane_contact_check(errors, wrong, f->bound == KANE_BOUND_PARABOLIC || f->bound == KANE_BOUND_ELLIPTIC,
                       "fastsim.bound", f->bound, known);
    kane_contact_check(errors, wrong,
                       f->flexibility == KANE_FLEXIBILITY_THREE || f->flexibility == KANE_FLEXIBILITY_BLENDED,
                       "fastsim.flexibility", f->flexibility, known);
}

static int not_negative(double x)
{
    return x >= 0.0 && isfinite(x);
}

// Written so that NaN is not allowed.
int kane_creep_check(const kane_contact_laws *l, kane_errors *errors)
{
    const int voigt = l->dissipation_law == KANE_DISSIPATION_KELVIN_VOIGT;
    int wrong       = 0;
    kane_contact_check(errors, &wrong, l->creep >= KANE_CREEP_SHE && l->creep <= KANE_CREEP_USER, "creep", l->creep,
                       "a known law");
    kane_contact_check(errors, &wrong, l->creep != KANE_CREEP_USER || l->own.eval, "own.eval", 0.0, "a function");
    if (l->creep == KANE_CREEP_FASTSIM)
        check_fastsim(&l->fastsim, errors, &wrong);
    if (l->creep == KANE_CREEP_POLACH) {
        kane_contact_check(errors, &wrong, l->polach.kA > 0.0 && l->polach.kA <= 1.0, "polach.kA", l->polach.kA,
                           "within 0 and 1");
        kane_contact_check(errors, &wrong, l->polach.kS > 0.0 && l->polach.kS <= l->polach.kA, "polach.kS",
                           l->polach.kS, "within 0 and kA");
    }
    if (l->creep == KANE_CREEP_GIVEN) {
        const kane_given_creep *g = &l->given;
        kane_contact_check(errors, &wrong, g->longitudinal > 0.0 && isfinite(g->longitudinal), "given.longitudinal",
                           g->longitudinal, "positive");
        kane_contact_check(errors, &wrong, g->lateral > 0.0 && isfinite(g->lateral), "given.lateral", g->lateral,
                           "positive");
        kane_contact_check(errors, &wrong, not_negative(g->limit), "given.limit", g->limit, "zero or positive");
        kane_contact_check(errors, &wrong, not_negative(g->conicity), "given.conicity", g->conicity,
                           "zero or positive");
    }
    kane_contact_check(errors, &wrong,
                       l->dissipation_law >= KANE_DISSIPATION_HUNT_CROSSLEY &&
                           l->dissipation_law <= KANE_DISSIPATION_NONE,
                       "dissipation_law", l->dissipation_law, "a known law");
    kane_contact_check(errors, &wrong, not_negative(l->dissipation), "dissipation", l->dissipation, "zero or positive");
    kane_contact_check(errors, &wrong, !voigt || (l->restitution >= 0.0 && l->restitution <= 1.0), "restitution",
                       l->restitution, "within 0 and 1");
    kane_contact_check(errors, &wrong, !voigt || (l->transition > 0.0 && isfinite(l->transition)), "transition",
                       l->transition, "positive");
    kane_contact_check(errors, &wrong, l->shear_modulus > 0.0 && isfinite(l->shear_modulus), "shear_modulus",
                       l->shear_modulus, "positive");
    kane_contact_check(errors, &wrong, l->poisson >= 0.0 && l->poisson <= 0.5, "poisson", l->poisson,
                       "within 0 and 0.5");
    for (int side = 0; side < 2; side++)
        kane_contact_check(errors, &wrong, not_negative(l->friction[side]), "friction", l->friction[side],
                           "zero or positive");
    kane_contact_check(errors, &wrong, not_negative(l->flange_friction), "flange_friction", l->flange_friction,
                       "zero or positive");
    kane_contact_check(errors, &wrong, l->falling.ratio >= 0.0 && l->falling.ratio <= 1.0, "falling.ratio",
                       l->falling.ratio, "within 0 and 1");
    kane_contact_check(errors, &wrong, not_negative(l->falling.decay), "falling.decay", l->falling.decay,
                       "zero or positive");
    kane_contact_check(errors, &wrong, l->slow > 0.0 && isfinite(l->slow), "slow", l->slow, "positive");
    return wrong;
}

// --- the laws alone, rolling forward ---

// Returns whether there is a patch at all.
static int set_law_input(const kane_creep_input *p, law_input *in)
{
    if (!(p->a > 0.0 && p->b > 0.0))
        return 0;
    *in = (law_input){.a     = p->a,
                      .b     = p->b,
                      .G     = p->shear_modulus,
                      .C     = kane_kalker_eval(p->a, p->b, p->poisson),
                      .xi_x  = p->xi_x,
                      .xi_y  = p->xi_y,
                      .phi   = p->phi,
                      .k     = 1.0,
                      .bound = p->friction * p->N};
    return 1;
}

static const kane_creep_force none = {0.0, 0.0, 0.0};

kane_creep_force kane_creep_linear(const kane_creep_input *p)
{
    law_input in;
    if (!set_law_input(p, &in))
        return none;
    const law_scalars s = law_without_slopes(&in);
    return law_values(linear(&s));
}

kane_creep_force kane_creep_she(const kane_creep_input *p)
{
    law_input in;
    if (!set_law_input(p, &in))
        return none;
    const law_scalars s = law_without_slopes(&in);
    return law_values(she(&s));
}

kane_creep_force kane_creep_fastsim(const kane_creep_input *p, const kane_fastsim *settings)
{
    law_input in;
    fastsim_table table;
    int wrong = 0;
    check_fastsim(settings, NULL, &wrong);
    if (wrong > 0 || !set_law_input(p, &in))
        return none;
    kane_fastsim_init(&table, settings);
    return kane_fastsim_eval(&table, &in);
}

kane_creep_force kane_creep_polach(const kane_creep_input *p, const kane_polach *settings)
{
    law_input in;
    if (!set_law_input(p, &in))
        return none;
    const law_scalars s = law_without_slopes(&in);
    return law_values(polach(settings, &s));
}
