// SPDX-License-Identifier: MIT
// A surface with dry friction between two bodies: which motions rub, and under what limit.

#ifndef KANE_FORCE_SURFACE_H
#define KANE_FORCE_SURFACE_H

#include "force/press.h"
#include "force/stick.h"

// Keys of a kane_dry_friction that is a member of a law's struct.
#define KANE_DRY_FRICTION_KEYS(type, member)                                                                           \
    KANE_KEY_NAMED(type, member.model, "model", CHOICE, OPTIONAL, "stick", NULL, ANY, kane_friction_models,            \
                   "\"stick\" holds still below the limit; \"smooth\" creeps there, and has no states"),               \
        KANE_KEY_NAMED(type, member.stick_displacement, "stick_displacement", NUMBER, OPTIONAL, "0.5 mm", "m",         \
                       POSITIVE, NULL, "elastic displacement under the limit, before it slips"),                       \
        KANE_KEY_NAMED(type, member.stick_damping, "stick_damping", NUMBER, OPTIONAL, "0 N s/m", "N s/m",              \
                       NOT_NEGATIVE, NULL, "while it sticks; friction and damping stay within the limit"),             \
        KANE_KEY_NAMED(type, member.slip_speed, "slip_speed", NUMBER, OPTIONAL, "1 mm/s", "m/s", POSITIVE, NULL,       \
                       "of the smooth model: at this speed it has 71 % of the limit"),                                 \
        KANE_KEY_NAMED(type, member.nominal_load, "nominal_load", NUMBER, OPTIONAL, NULL, "N", POSITIVE, NULL,         \
                       "normal force for which \"stick_displacement\" is meant; if it is left out, that at rest")

extern const char *const kane_friction_models[];

typedef struct kane_surface {
    kane_stick stick;
    double slip_speed;       // > 0: smooth, without states [m/s]
    kane_mat3 along, about;  // velocity that rubs = along v + about w; rows of directions that do not rub are zero
    int count, component[3]; // its states: which components of that velocity they belong to
} kane_surface;

// A surface that rubs along those axes of a for which `axes` says 1. Returns 0, or not 0 with errors filled.
int kane_surface_prepare(const kane_block *block, const kane_dry_friction *input, kane_vec3 axes, kane_errors *errors,
                         kane_surface *s);

// Takes over the limit for which the displacement of sticking is meant. Returns 0, or not 0 with errors filled where
// it is zero.
int kane_surface_settle(const kane_block *block, kane_surface *s, double limit, kane_errors *errors);

// Names its states; returns how many. names: of its three components.
int kane_surface_states(const kane_surface *s, const char *const names[3], kane_law_state *info);

// limit: with what it depends on. first: which of the law's states are its own.
void kane_surface_eval(const kane_surface *s, double limit, const kane_relative *r, int first, kane_wrench *on_b);
void kane_surface_rates(const kane_surface *s, double limit, const kane_relative *r, int first, double *rates);
void kane_surface_derive(const kane_surface *s, const kane_normal *limit, const kane_relative *r, int first,
                         kane_law_derivative *out);
double kane_surface_energy(const kane_surface *s, const kane_relative *r, int first);

// The limit of friction under a normal force.
static inline kane_normal kane_normal_scale(double coefficient, const kane_normal *N)
{
    return (kane_normal){coefficient * N->force, kv3_scale(coefficient, N->d), kv3_scale(coefficient, N->v),
                         kv3_scale(coefficient, N->phi), kv3_scale(coefficient, N->w)};
}

#endif
