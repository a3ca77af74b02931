// SPDX-License-Identifier: MIT
// The laws' settings, and the laws alone.

#include "contact/creep.h"

#include <math.h>

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
    if (laws->creep == KANE_CREEP_FASTSIM)
        kane_fastsim_init(&law->fastsim, &laws->fastsim);
}

static void check(kane_errors *errors, int *wrong, int allowed, const char *name, double value, const char *condition)
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
    check(errors, wrong, f->strips >= 2 && f->strips <= KANE_FASTSIM_MOST, "fastsim.strips", f->strips, number);
    check(errors, wrong, f->steps >= 2 && f->steps <= KANE_FASTSIM_MOST, "fastsim.steps", f->steps, number);
    check(errors, wrong, f->bound == KANE_BOUND_PARABOLIC || f->bound == KANE_BOUND_ELLIPTIC, "fastsim.bound", f->bound,
          known);
    check(errors, wrong, f->flexibility == KANE_FLEXIBILITY_THREE || f->flexibility == KANE_FLEXIBILITY_BLENDED,
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
    check(errors, &wrong, l->creep >= KANE_CREEP_SHE && l->creep <= KANE_CREEP_OWN, "creep", l->creep, "a known law");
    check(errors, &wrong, l->creep != KANE_CREEP_OWN || l->own.eval, "own.eval", 0.0, "a function");
    if (l->creep == KANE_CREEP_FASTSIM)
        check_fastsim(&l->fastsim, errors, &wrong);
    if (l->creep == KANE_CREEP_POLACH) {
        check(errors, &wrong, l->polach.kA > 0.0 && l->polach.kA <= 1.0, "polach.kA", l->polach.kA, "within 0 and 1");
        check(errors, &wrong, l->polach.kS > 0.0 && l->polach.kS <= l->polach.kA, "polach.kS", l->polach.kS,
              "within 0 and kA");
    }
    check(errors, &wrong,
          l->dissipation_law >= KANE_DISSIPATION_HUNT_CROSSLEY && l->dissipation_law <= KANE_DISSIPATION_NONE,
          "dissipation_law", l->dissipation_law, "a known law");
    check(errors, &wrong, not_negative(l->dissipation), "dissipation", l->dissipation, "zero or positive");
    check(errors, &wrong, !voigt || (l->restitution >= 0.0 && l->restitution <= 1.0), "restitution", l->restitution,
          "within 0 and 1");
    check(errors, &wrong, !voigt || (l->transition > 0.0 && isfinite(l->transition)), "transition", l->transition,
          "positive");
    check(errors, &wrong, l->shear_modulus > 0.0 && isfinite(l->shear_modulus), "shear_modulus", l->shear_modulus,
          "positive");
    check(errors, &wrong, l->poisson >= 0.0 && l->poisson <= 0.5, "poisson", l->poisson, "within 0 and 0.5");
    for (int side = 0; side < 2; side++)
        check(errors, &wrong, not_negative(l->friction[side]), "friction", l->friction[side], "zero or positive");
    check(errors, &wrong, not_negative(l->flange_friction), "flange_friction", l->flange_friction, "zero or positive");
    check(errors, &wrong, l->falling.ratio >= 0.0 && l->falling.ratio <= 1.0, "falling.ratio", l->falling.ratio,
          "within 0 and 1");
    check(errors, &wrong, not_negative(l->falling.decay), "falling.decay", l->falling.decay, "zero or positive");
    check(errors, &wrong, l->slow > 0.0 && isfinite(l->slow), "slow", l->slow, "positive");
    return wrong;
}

// --- the laws alone, rolling forward ---

// Returns whether there is a patch at all.
static int prepare(const kane_creep_input *p, law_input *in)
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
    return prepare(p, &in) ? kane_law_linear(&in, NULL) : none;
}

kane_creep_force kane_creep_she(const kane_creep_input *p)
{
    law_input in;
    return prepare(p, &in) ? kane_law_she(&in, NULL) : none;
}

kane_creep_force kane_creep_fastsim(const kane_creep_input *p, const kane_fastsim *settings)
{
    law_input in;
    fastsim_table table;
    int wrong = 0;
    check_fastsim(settings, NULL, &wrong);
    if (wrong > 0 || !prepare(p, &in))
        return none;
    kane_fastsim_init(&table, settings);
    return kane_law_fastsim(&table, &in, NULL);
}

kane_creep_force kane_creep_polach(const kane_creep_input *p, const kane_polach *settings)
{
    law_input in;
    return prepare(p, &in) ? kane_law_polach(settings, &in, NULL) : none;
}
