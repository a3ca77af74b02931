// SPDX-License-Identifier: MIT
// A force element between two bodies: its two markers in the world, and what its law makes of them.

#ifndef KANE_AGEM_ELEMENT_H
#define KANE_AGEM_ELEMENT_H

#include "agem/work.h"

// The two points, and what a law sees of them. `relative` points to `absolute` of the same struct, or to nothing.
typedef struct kane_element_motion {
    kane_marker a, b; // world axes
    kane_relative relative;
    kane_absolute absolute; // filled for laws that look at it
} kane_element_motion;

// Whether its first end is the road of a line. That rests in A; the track frame which carries its axes travels over it.
static inline int kane_element_is_on_line(const kane_model *model, const kane_element *element)
{
    return element->law->rolls && element->a.body < 0 && model->frames[element->a.frame].kind == KANE_FRAME_TRACK;
}

// Where the two markers of an element are, and how the law sees them.
void kane_element_observe(const kane_model *model, const kane_work *work, const kane_element *element,
                          kane_element_motion *motion);

// Force and torque of its law on b, axes of a.
kane_status kane_element_eval(const kane_element *element, const kane_element_motion *motion, kane_wrench *on_b);

// Rates of its law's states.
kane_status kane_element_rates(const kane_element *element, const kane_element_motion *motion,
                               double rates[KANE_LAW_STATES]);

// Derivative of force, torque and rates by what the law sees, axes of a. out->absolute: room for that by absolute motion, of
// laws that look at it.
kane_status kane_element_derive_law(const kane_element *element, const kane_element_motion *motion,
                                    kane_law_derivative *out);

// The law's force and torque, axes of a, as a wrench in world axes that acts on b in b's point.
static inline kane_wrench kane_element_to_world(const kane_element *element, const kane_marker *a, kane_wrench on_b)
{
    if (element->mirrored) {
        on_b.force  = kane_mirror_polar(on_b.force);
        on_b.torque = kane_mirror_axial(on_b.torque);
    }
    return (kane_wrench){km3_mulv(a->R, on_b.force), km3_mulv(a->R, on_b.torque)};
}

#endif
