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

static void *create_patch(int creep, kane_errors *errors)
{
    kane_contact_laws laws = kane_contact_laws_default();
    patch *p               = calloc(1, sizeof *p);
    laws.creep             = (kane_creep_law)creep;
    if (p)
        kane_creep_init(&p->law, &laws);
    else
        (void)kane_no_memory(errors);
    return p;
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

static void call_law(void *part, int kernel, long count)
{
    patch *p = part;
    (void)kernel;
    for (long i = 0; i < count; i++) {
        const law_input in       = input_of(p, i);
        const kane_creep_force f = kane_creep_law_eval(&p->law, &in);
        p->sum += f.T_x + f.T_y + f.M_z;
    }
}

static void call_kalker(void *part, int kernel, long count)
{
    patch *p = part;
    (void)kernel;
    for (long i = 0; i < count; i++) {
        const law_input in = input_of(p, i);
        p->sum += in.C.C11 + in.C.C22 + in.C.C23 + in.C.C33;
    }
}

static const bench_part parts[] = {
    {"creep-kalker", "Kalker's coefficients of one patch, part of each of the following", create_patch,
     KANE_CREEP_LINEAR, call_kalker, free},
    {"creep-linear", "creep forces of one patch: Kalker's linear theory", create_patch, KANE_CREEP_LINEAR, call_law,
     free},
    {"creep-she", "the same: Shen-Hedrick-Elkins", create_patch, KANE_CREEP_SHE, call_law, free},
    {"creep-polach", "the same: Polach", create_patch, KANE_CREEP_POLACH, call_law, free},
    {"creep-fastsim", "the same: FASTSIM 10 x 10, parabolic", create_patch, KANE_CREEP_FASTSIM, call_law, free},
};
const bench_list bench_creep = {.count = sizeof parts / sizeof *parts, .parts = parts};
