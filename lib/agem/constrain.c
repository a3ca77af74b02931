// SPDX-License-Identifier: MIT
// Reactions of removed freedoms: what is missing between inertia and the forces of the free body.

#include "agem/joined.h"

void kane_observe(const kane_model *model, kane_work *work)
{
    kane_joined_observe_motion(model, work);
    kane_joined_observe_reactions(model, work);
}

void kane_observe_motion(const kane_model *model, kane_work *work)
{
    kane_joined_observe_motion(model, work);
}

double kane_get_reaction(const kane_model *model, const kane_work *work, int body, kane_coordinate freedom)
{
    const kane_body_state *b = &work->body[body];
    if (model->bodies[body].freedoms & KANE_FREEDOM(freedom))
        return 0.0;
    if (!kane_reaction_is_determined(model, (kane_reaction){KANE_REACTION_FREEDOM, body, (int)freedom}))
        return (double)NAN;
    switch (freedom) {
    case KANE_X: return b->reaction.force.x;
    case KANE_Y: return b->reaction.force.y;
    case KANE_Z: return b->reaction.force.z;
    case KANE_YAW: return kv3_dot(b->turn[0], b->reaction.torque);
    case KANE_ROLL: return kv3_dot(b->turn[1], b->reaction.torque);
    case KANE_PITCH: return kv3_dot(b->turn[2], b->reaction.torque);
    case KANE_COORDINATES: break;
    }
    return 0.0;
}
