// SPDX-License-Identifier: MIT
// Largest pressures of wheels, for readers of a work: no evaluation comes here.

#include "agem/wheels.h"

int kane_get_contact_pressures(const kane_model *model, const kane_work *work, int body, kane_side side,
                               kane_contact_result *result)
{
    const int i = model->bodies[body].wheels;
    if (i < 0)
        return 0;
    *result = work->wheels[i].result[side];
    if (model->wheels[i].way == KANE_CONTACT_ELASTIC)
        kane_contact_pressures(model->wheels[i].contact, side, &work->wheels[i].motion[side], result);
    return 1;
}
