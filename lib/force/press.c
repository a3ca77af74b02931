// SPDX-License-Identifier: MIT
// Parts that press on each other and cannot pull.

#include "force/press.h"

#include <math.h>

static const char *const interpolations[] = {"linear", "spline", NULL};

static const kane_key keys[] = {
    KANE_KEY_NAMED(kane_characteristic, at, "compression", NUMBERS, REQUIRED, NULL, "m", ANY, NULL,
                   "from where the parts begin to touch, ascending from 0"),
    KANE_KEY(kane_characteristic, force, NUMBERS, REQUIRED, NULL, "N", ANY, NULL,
             "force that resists it, growing from 0"),
    KANE_KEY(kane_characteristic, interpolation, CHOICE, OPTIONAL, "linear", NULL, ANY, interpolations,
             "straight lines between the points, or a cubic spline through them; beyond the end it goes straight on"),
};

const kane_schema kane_press_characteristic_schema =
    KANE_SCHEMA(kane_characteristic, "compression characteristic", keys, "Force over compression; it cannot pull.");

int kane_press_prepare(const kane_block *block, const kane_characteristic *input, double stiffness, double onset,
                       double dissipation, kane_arena *memory, kane_errors *errors, kane_press *p)
{
    kane_characteristic grows = *input;
    grows.from                = KANE_FROM_FREE;
    *p                        = (kane_press){.stiffness = stiffness, .onset = onset, .dissipation = dissipation};
    if (kane_curve_prepare(&grows, 0.0, memory, errors, &p->curve) != 0)
        return 1;
    if (p->curve.count > 0 && (input->at.values[0] != 0.0 || input->force.values[0] != 0.0)) {
        (void)kane_block_fault(errors, &input->block, NULL, "begins at %g m with %g N; must begin at 0 with 0",
                               input->at.values[0], input->force.values[0]);
        return 1;
    }
    if (p->curve.count > 0 && !kane_curve_grows(&p->curve)) {
        (void)kane_block_fault(errors, &input->block, "interpolation",
                               "its spline falls between points that grow; take more points, or straight lines");
        return 1;
    }
    if (p->curve.count == 0 && !(stiffness > 0.0 && onset > 0.0)) {
        (void)kane_block_fault(errors, block, NULL,
                               "'%s' needs a stiffness and an onset that are positive, or a characteristic",
                               block->name ? block->name : "");
        return 1;
    }
    return 0;
}

int kane_press_set_load(kane_press *p, double load)
{
    const double k = p->stiffness, s = p->onset;
    if (p->curve.count == 0) {
        p->start = load < 0.5 * k * s ? sqrt(2.0 * load * s / k) : load / k + 0.5 * s;
        return 0;
    }
    if (kane_curve_set_load(&p->curve, load) != 0)
        return 1;
    p->start       = p->curve.shift;
    p->curve.shift = 0.0;
    return 0;
}

// Energy [J] of the compression c from first contact on; 0 where the parts are apart.
static double energy_from_contact(const kane_press *p, double c)
{
    if (p->curve.count == 0 && p->hertz == 0.0)
        return kane_onset_energy(p->stiffness, p->onset, c);
    if (p->hertz > 0.0)
        return c > 0.0 ? 0.4 * p->hertz * c * c * sqrt(c) : 0.0;
    return c > 0.0 ? kane_curve_energy(&p->curve, c) : 0.0;
}

double kane_press_energy(const kane_press *p, double c)
{
    return energy_from_contact(p, p->start + c) - energy_from_contact(p, p->start);
}
