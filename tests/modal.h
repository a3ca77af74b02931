// SPDX-License-Identifier: MIT
// Modes of mechanisms in tests.

#ifndef KANE_TESTS_MODAL_H
#define KANE_TESTS_MODAL_H

#include "mechanisms.h"

typedef struct modal {
    kane_linear *linear;
    kane_modes *modes;
} modal;

// Modes of a mechanism where it has been opened.
static inline modal modal_find(mechanism *m, kane_modes_kind kind)
{
    modal found = {.linear = CHECK_GOOD(kane_linear_create, m->model, m->work, 0.0, m->y)};
    found.modes = CHECK_GOOD(kane_modes_create, found.linear, kind);
    return found;
}

static inline void modal_free(modal *found)
{
    kane_modes_free(found->modes);
    kane_linear_free(found->linear);
}

// Oscillating modes must be the given eigenvalues, in the order of frequency.
static inline void modal_check(const kane_modes *modes, int count, const double *re, const double *im, double tolerance)
{
    int found = 0;
    for (int i = 0; i < kane_modes_count(modes); i++) {
        const kane_mode *m = kane_modes_get(modes, i);
        if (m->kind != KANE_MODE_OSCILLATES)
            continue;
        assert_true(found < count);
        const double size = hypot(re[found], im[found]);
        check_near(m->re, re[found], tolerance * size);
        check_near(m->im, im[found], tolerance * size);
        found++;
    }
    assert_int_equal(found, count);
}

#endif
