// SPDX-License-Identifier: MIT
// The imaginary terms that a study leaves out one after the other.

#ifndef KANE_STUDY_OMISSION_TERMS_H
#define KANE_STUDY_OMISSION_TERMS_H

#include <kane/model.h>

#include "base/arena.h"

typedef struct kane_omission_terms {
    int count;
    const char *const *texts; // as they are typed behind --omit
} kane_omission_terms;

// Of bodies by their names, one by one, all its terms axis by axis (force: translation, centrifugal, rotation, gyroscopic; torque: the last three)
// and its wholes: each term with all axes, all forces, all torques, everything. Then the wholes of all bodies together;
// those of the only body are left out. 0 without memory.
int kane_omission_terms_all(kane_arena *arena, int body_count, const char *const *bodies, kane_omission_terms *terms);

// Pattern of the channels that show a term, "imaginary" or "impulse": body:torque.rotation.z ->
// imaginary.body.torque.rotation.z. 0 if the text is no term or longer than the pattern has room.
int kane_omission_channels(const char *what, const char *term, size_t size, char *pattern);

#endif
