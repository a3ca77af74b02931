// SPDX-License-Identifier: MIT
// Creep laws for `kane bench`.

#include "bench.h"

#include "contact/creep_laws.h"

#include <stdlib.h>

// One law, prepared as a contact prepares it.
typedef struct patch {
    creep_law law;
    double sum; // of forces, so that they are not left out
} patch;

static void *create(kane_creep_law creep)
{
    kane_contact_laws laws = kane_contact_laws_default();
    patch *p               = calloc(1, sizeof *p);
    laws.creep             = creep;
    if (p)
        kane_creep_init(&p->law, &laws);
    return p;
}

static void *create_linear(kane_errors *errors)
{
    (void)errors;
    return create(KANE_CREEP_LINEAR);
}

static void *create_she(kane_errors *errors)
{
    (void)errors;
    return create(KANE_CREEP_SHE);
}

static void *create_polach(kane_errors *errors)
{
    (void)errors;
    return create(KANE_CREEP_POLACH);
}

static void *create_fastsim(kane_errors *errors)
{
    (void)errors;
    return create(KANE_CREEP_FASTSIM);
}

// A loaded tread: half of the limit, so that part of the patch slips. Every call has another patch and creepage.
static inline law_input input_of(const patch *p, long call)
{
    const double x = 1e-3 * (double)(call % 1000), a = 6e-3 + 1e-3 * x, b = 5e-3 - 1e-3 * x;
    return (law_input){.a     = a,
                       .b     = b,
                       .G     = 82e9,
                       .C     = kane_kalker_lookup(&p->law.kalker, a, b),
                       .xi_x  = 5e-4 * x,
                       .xi_y  = 4e-4,
                       .phi   = 0.1 + x,
                       .k     = 1.0,
                       .bound = 2.4e4};
}

static void call_kalker(void *part, long count)
{
    patch *p = part;
    for (long i = 0; i < count; i++) {
        const law_input in = input_of(p, i);
        p->sum += in.C.C11 + in.C.C22 + in.C.C23 + in.C.C33;
    }
}

static void call_law(void *part, long count)
{
    patch *p = part;
    for (long i = 0; i < count; i++) {
        const law_input in       = input_of(p, i);
        const kane_creep_force f = kane_creep_law_eval(&p->law, &in);
        p->sum += f.T_x + f.T_y + f.M_z;
    }
}

const bench_part bench_creep[BENCH_CREEP_PARTS] = {
    {"creep-kalker", "Kalker's coefficients of one patch, part of each of the following", create_linear, call_kalker,
     free},
    {"creep-linear", "creep forces of one patch: Kalker's linear theory", create_linear, call_law, free},
    {"creep-she", "the same: Shen-Hedrick-Elkins", create_she, call_law, free},
    {"creep-polach", "the same: Polach", create_polach, call_law, free},
    {"creep-fastsim", "the same: FASTSIM 10 x 10, parabolic", create_fastsim, call_law, free},
};
