// SPDX-License-Identifier: MIT
// The freight wagons with dry friction as tests use them.

#ifndef KANE_TESTS_FREIGHT_H
#define KANE_TESTS_FREIGHT_H

#include "property/wagon/wagon.h"

enum { FREIGHT_BODIES_MOST = 7, FREIGHT_COORDINATES_MOST = 6 * FREIGHT_BODIES_MOST };

static inline int freight_is_wheelset(const kane_model *model, int body)
{
    double load[2];
    return kane_model_wheel_load(model, body, load) == KANE_OK;
}

static inline void freight_coordinates(wagon *w, double q[FREIGHT_COORDINATES_MOST])
{
    double rates[6];
    assert_true(kane_model_body_count(w->model) <= FREIGHT_BODIES_MOST);
    for (int j = 0; j < kane_model_body_count(w->model); j++)
        kane_get_relative(w->model, kane_simulation_work(w->simulation), j, q + 6 * j, rates);
}

// Largest |state| of the elements: 1 is where friction slips under the nominal load.
static inline double freight_stuck(wagon *w)
{
    double most = 0.0;
    for (int e = 0; e < w->model->element_count; e++) {
        const kane_element *element = &w->model->elements[e];
        for (int i = 0; i < element->state_count; i++)
            most = fmax(most, fabs(kane_simulation_state(w->simulation)[element->state + i]));
    }
    return most;
}

#endif
