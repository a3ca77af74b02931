// SPDX-License-Identifier: MIT
// Entries of the Jacobian that states of elements make: in their rows and columns, as far as bodies that stand alone and they
// themselves are concerned. Those of joined bodies are among kane_joined_entries.

#ifndef KANE_AGEM_DERIVE_STATES_H
#define KANE_AGEM_DERIVE_STATES_H

#include "agem/derive.h"

typedef struct kane_state_entries {
    int count;
    kane_entry *entries;
    double *values;
} kane_state_entries;

// NULL if memory is short.
kane_state_entries *kane_state_entries_create(const kane_model *model, kane_arena *arena);

// Fills all values after kane_element_derive. states: by element with states; guided: as in kane_derivative. out may be NULL where
// no element has states.
void kane_states_derive(const kane_model *model, const kane_work *work, const kane_state_gradient *states,
                        kane_guided_column (*guided)[KANE_BODY_STATES], kane_state_entries *out);

#endif
