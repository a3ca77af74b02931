// SPDX-License-Identifier: MIT
// Height and roll of a wheelset as functions of its other coordinates: the second of the two maps of docs/theory.md,
// section 3. The classic form of rigid contact.
//
// The coordinates follow from gap_i(q) = 0, by Newton's method from the static ones: z and roll depend on x, y and yaw
// alone. Dependent speeds V_d = (v_z, w_x) follow from  push_i . V + (what moves the gaps otherwise) = 0  with coefficients
//   V_d = A u + C,   A = -P_d^-1 P_u                                                              (47)
// where P_d, P_u are the columns of both pushes by dependent and independent speeds.

#include "agem/guided_see.h"

void kane_guided_speed(const kane_model *model, kane_work *work, const kane_wheels *wheels)
{
    const kane_body *body = &model->bodies[wheels->body];
    const kane_link *link = &model->tree.links[body->link];
    double *v             = work->tree.v + link->v;
    v[2] = v[3] = 0.0;
    kane_tables_move(&work->transport[body->frame], work->tree.q + link->q, &work->wheels[body->wheels].guidance.on, v);
}

void kane_guided_place(const kane_model *model, kane_work *work, const kane_wheels *wheels)
{
    const kane_body *body = &model->bodies[wheels->body];
    // what is wrong kane_guided_eval will say
    kane_tables_stand(model, work, wheels, work->tree.q + model->tree.links[body->link].q, &work->wheels[body->wheels]);
}

void kane_guided_follow(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        if (wheels->way != KANE_CONTACT_TABLES)
            continue;
        kane_guided_place(model, work, wheels);
        kane_guided_speed(model, work, wheels);
    }
}
