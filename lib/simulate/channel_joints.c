// SPDX-License-Identifier: MIT
// The channels of joints and constraints.

#include "simulate/channels.h"

// --- joints: coordinates, rates, accelerations ---

typedef enum joint_part { COORDINATE, RATE, ACCELERATION, JOINT_PARTS } joint_part;

static double joint_value(const kane_reading *r, int body, int part)
{
    double values[JOINT_PARTS][KANE_JOINT_COORDINATES];
    (void)kane_get_joint(r->model, r->work, body, values[COORDINATE], values[RATE], values[ACCELERATION]);
    return values[part / KANE_JOINT_COORDINATES][part % KANE_JOINT_COORDINATES];
}

static void announce_joint(kane_channel_list *list, const kane_model *model, int j)
{
    static const char *const prefix[JOINT_PARTS]   = {"", "rate.", "acceleration."};
    static const char *const about[JOINT_PARTS]    = {"coordinate of the body's joint", "its rate",
                                                      "its second derivative"};
    static const char *const units[3][JOINT_PARTS] = {
        {"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}, {"1", "1/s", "1/s^2"}};
    const kane_body *body                               = &model->bodies[j];
    const kane_link *link                               = &model->tree.links[body->link];
    static const kane_channel_group groups[JOINT_PARTS] = {KANE_GROUP_MOTIONS, KANE_GROUP_SPEEDS,
                                                           KANE_GROUP_ACCELERATIONS};
    for (int part = 0; part < JOINT_PARTS; part++) {
        kane_channel_group_begin(list, groups[part]);
        for (int k = 0; k < link->q_count; k++) {
            const int is_pure = link->kind == KANE_LINK_BALL || body->part == KANE_PART_MODE;
            const int kind    = is_pure ? 2 : k < link->slide_count ? 0 : 1;
            kane_channel_add(list, units[kind][part], about[part], joint_value, j, part * KANE_JOINT_COORDINATES + k,
                             "%s.joint.%s%s", body->name, prefix[part], body->coordinate[k]);
        }
    }
}

static double reaction_value(const kane_reading *r, int body, int part)
{
    const kane_wrench w = kane_get_joint_reaction(r->model, r->work, body);
    return kv3_get(part < 3 ? w.force : w.torque, part % 3);
}

// One sentence for a reaction, in two forms: in general, and where redundant constraints leave it undetermined.
static const char *reaction_text(const kane_model *model, kane_reaction reaction, const char *const about[2])
{
    return about[!kane_reaction_is_determined(model, reaction)];
}

#define NOT_DETERMINED "; not determined, nan: redundant constraints share it"

static void announce_reaction(kane_channel_list *list, const kane_model *model, int j)
{
    kane_channel_group_begin(list, KANE_GROUP_REACTIONS);
    static const char *const about[2][2] = {{"force of the joint on the body, axes of the joint on it",
                                             "force of the joint on the body, axes of the joint on it" NOT_DETERMINED},
                                            {"torque of the joint on the body about the joint's point",
                                             "torque of the joint on the body about the joint's point" NOT_DETERMINED}};
    for (int part = 0; part < 6; part++)
        kane_channel_add(list, part < 3 ? "N" : "N m",
                         reaction_text(model, (kane_reaction){KANE_REACTION_JOINT, j, part}, about[part / 3]),
                         reaction_value, j, part, "%s.joint.%s.%s", model->bodies[j].name,
                         part < 3 ? "force" : "torque", kane_axis_name(part % 3));
}

void kane_channels_of_joints(kane_channel_list *list, const kane_model *model)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        if (model->bodies[model->link_body[i]].is_free_body)
            continue;
        announce_joint(list, model, model->link_body[i]);
        if (model->tree.links[i].kind != KANE_LINK_BODY)
            announce_reaction(list, model, model->link_body[i]);
    }
}

// --- constraints ---

static double multiplier_value(const kane_reading *r, int constraint, int row)
{
    double multipliers[KANE_ROWS_MOST];
    (void)kane_get_constraint(r->model, r->work, constraint, multipliers);
    return multipliers[row];
}

static double rod_value(const kane_reading *r, int constraint, int end)
{
    double force[2];
    kane_get_rod_force(r->model, r->work, constraint, force);
    return force[end];
}

static double drift_value(const kane_reading *r, int which, int part)
{
    double value, rate;
    (void)which;
    kane_get_drift(r->model, r->work, &value, &rate);
    return part == 0 ? value : rate;
}

// Unit of a multiplier: rows that hold points push with forces, those that hold axes with torques.
static const char *unit_of(const kane_constraint_row_set *closure, int row)
{
    static const int points[KANE_CONSTRAINT_KINDS] = {
        [KANE_CONSTRAINT_SPHERICAL] = 3, [KANE_CONSTRAINT_REVOLUTE] = 3,  [KANE_CONSTRAINT_CYLINDRICAL] = 2,
        [KANE_CONSTRAINT_PRISMATIC] = 2, [KANE_CONSTRAINT_UNIVERSAL] = 3, [KANE_CONSTRAINT_PLANAR] = 1,
        [KANE_CONSTRAINT_WELD] = 3,      [KANE_CONSTRAINT_DISTANCE] = 1,  [KANE_CONSTRAINT_KNIFE] = 1,
        [KANE_CONSTRAINT_ROLLING] = 3,   [KANE_CONSTRAINT_ROD] = 1,
    };
    if (closure->term_count > 0 || closure->kind == KANE_CONSTRAINT_USER)
        return "N or N m";
    if (closure->kind == KANE_CONSTRAINT_CURVE)
        return "N";
    return row < points[closure->kind] ? "N" : "N m";
}

static void announce_rod(kane_channel_list *list, const kane_model *model, int c)
{
    static const char *const about[2][2] = {
        {"force of the rod along it on its first side, positive where it pushes its ends apart",
         "force of the rod along it on its first side, positive where it pushes its ends apart" NOT_DETERMINED},
        {"force of the rod along it on its second side, positive where it pushes its ends apart",
         "force of the rod along it on its second side, positive where it pushes its ends apart" NOT_DETERMINED}};
    for (int end = 0; end < 2; end++)
        kane_channel_add(list, "N", reaction_text(model, (kane_reaction){KANE_REACTION_ROD, c, end}, about[end]),
                         rod_value, c, end, "%s.force.%s", model->closures[c].name, end == 0 ? "first" : "second");
}

void kane_channels_of_constraints(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_REACTIONS);
    static const char *const about[2] = {
        "multiplier of one of its equations: reaction on the second side",
        "multiplier of one of its equations: reaction on the second side" NOT_DETERMINED};
    for (int c = 0; c < model->closure_count; c++)
        for (int row = 0; row < model->closures[c].row_count; row++)
            kane_channel_add(list, unit_of(&model->closures[c], row),
                             reaction_text(model, (kane_reaction){KANE_REACTION_CONSTRAINT, c, row}, about),
                             multiplier_value, c, row, "%s.reaction.%d", model->closures[c].name, row + 1);
    for (int c = 0; c < model->closure_count; c++)
        if (model->closures[c].kind == KANE_CONSTRAINT_ROD)
            announce_rod(list, model, c);
    if (model->cluster_count == 0)
        return;
    kane_channel_add(list, "m or rad", "largest value that any constraint has", drift_value, 0, 0, "constraints.drift");
    kane_channel_add(list, "m/s or rad/s", "largest rate that any constraint has", drift_value, 0, 1,
                     "constraints.drift.rate");
}

// --- what they need ---

int kane_channel_is_joint(const kane_channel *c)
{
    return c->value == joint_value || c->value == drift_value;
}

int kane_channel_is_joint_reaction(const kane_channel *c, kane_reaction *reaction)
{
    const int is_joint = c->value == reaction_value, is_rod = c->value == rod_value;
    *reaction = (kane_reaction){is_joint ? KANE_REACTION_JOINT
                                : is_rod ? KANE_REACTION_ROD
                                         : KANE_REACTION_CONSTRAINT,
                                c->which, c->part};
    return is_joint || is_rod || c->value == multiplier_value;
}
