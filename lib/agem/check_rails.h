// SPDX-License-Identifier: MIT
// Check rails: what they do to the backs of the flanges (docs/contact.md).

#ifndef KANE_AGEM_CHECK_RAILS_H
#define KANE_AGEM_CHECK_RAILS_H

#include "agem/work.h"

// Finds what a check rail, if there is one, does to a wheel that has been observed: w->check[side].
void kane_check_rail_eval(const kane_model *model, const kane_wheels *wheels, kane_side side, kane_wheels_state *w);

// Where kane_wheel_motion comes from when a wheel is displaced along the rail: its section goes along, or stays (on a panel of
// track that moves back, kane_contact_derive_apart).
typedef enum kane_section_goes { KANE_SECTION_STAYS, KANE_SECTION_GOES_ALONG } kane_section_goes;

// Adds its derivatives to those of a wheel's contact: 6 rows, 12 columns as of kane_contact_derive.
void kane_check_rail_derive(const kane_model *model, const kane_wheels *wheels, kane_side side,
                            const kane_wheels_state *w, kane_section_goes goes, double d[6][12]);

#endif
