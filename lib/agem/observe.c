// SPDX-License-Identifier: MIT
// From the tree to bodies: coordinates, accelerations, reactions of joints and constraints.

#include "agem/bodies.h"

#include <string.h>

// Relative accelerations of the mass centre, frame axes, from those of the link; a and a_base less gravity:
//   a' = a + al x arm + w x (w x arm) - a_base - epsilon x r - omega x (omega x r + 2 v')
//   eps' = al - epsilon - omega x w'
void kane_body_kinematics_accelerations(const kane_model *model, kane_work *work, int i)
{
    const kane_link *link         = &model->tree.links[i];
    const kane_link_state *s      = &work->tree.link[i];
    const kane_moving_frame *base = &work->base[link->frame];
    kane_body_state *b            = &work->body[model->link_body[i]];
    if (link->is_free_body) { // its speeds are relative
        b->a = s->da;
        b->e = s->dal;
        return;
    }
    const kane_vec3 arm = km3_mulv(s->R, link->c), al = kv3_add(s->al, s->dal);
    const kane_vec3 turns   = kv3_add(kv3_cross(al, arm), kv3_cross(s->w, kv3_cross(s->w, arm)));
    const kane_vec3 a       = kv3_add(kv3_add(s->a, s->da), turns);
    const kane_vec3 carried = kv3_cross(base->w, kv3_add_scaled(kv3_cross(base->w, b->r), 2.0, b->v));
    b->a                    = kv3_sub(kv3_sub(a, base->a), kv3_add(kv3_cross(base->al, b->r), carried));
    b->e                    = kv3_sub(kv3_sub(al, base->al), kv3_cross(base->w, b->w));
}

// x, y, z, yaw, roll, pitch of any body, and the axes of its turns: z, (cos(yaw), sin(yaw), 0), y of the body.
void kane_body_kinematics_coordinates(const kane_model *model, kane_work *work, int i)
{
    const kane_link *link = &model->tree.links[i];
    kane_body_state *b    = &work->body[model->link_body[i]];
    if (link->is_free_body) { // its coordinates are shown by kane_body_kinematics
        for (int k = 0; k < 3; k++)
            b->turn[k] = work->tree.axis[link->v + 3 + k].e;
        return;
    }
    b->q[KANE_X] = b->r.x;
    b->q[KANE_Y] = b->r.y;
    b->q[KANE_Z] = b->r.z;
    kane_angles_from_matrix(b->R, &b->q[KANE_YAW]);
    if (link->in_frame)
        for (int k = KANE_YAW; k < KANE_COORDINATES; k++) // many turns may be counted there
            b->q[k] = work->tree.q[link->q + k];
    else if (link->is_spinning) // its axes leave the spin out
        b->q[KANE_PITCH] += work->tree.q[link->q + kane_link_spin(link)];
    b->turn[0] = kv3(0.0, 0.0, 1.0);
    b->turn[1] = kv3(cos(b->q[KANE_YAW]), sin(b->q[KANE_YAW]), 0.0);
    b->turn[2] = b->R.y;
}

// Absolute velocity of a link's origin and angular velocity, frame axes; relative link states plus v_o + omega x r,
// omega.
static void absolute_link_velocity(const kane_model *model, const kane_work *work, int i, kane_vec3 *v, kane_vec3 *w)
{
    const kane_link_state *s = &work->tree.link[i];
    const kane_transport *T  = &work->transport[model->tree.links[i].frame];
    *v                       = s->v;
    *w                       = s->w;
    if (model->imaginary_as_forces) {
        *v = kv3_add(*v, kv3_add(T->v_o, kv3_cross(T->omega, s->r)));
        *w = kv3_add(*w, T->omega);
    }
}

// Rows are released one by one if they are at most this many, and at most a quarter of all; else one solution for all
// costs less.
enum { FEW_ROWS = 16 };

// Multiplier of a row of a cluster, in the model's list.
static double *multiplier_of(const kane_model *model, kane_work *work, const kane_cluster *cluster, int row)
{
    int k = 0;
    while (row >= cluster->row_begin[k + 1])
        k++;
    return &work->multiplier[cluster->closures[k] - model->closures][row - cluster->row_begin[k]];
}

// lambda of a few rows by kane_cluster_release, or of all.
void kane_find_multipliers(const kane_model *model, kane_work *work, int c, int count, const int *rows)
{
    const kane_cluster *cluster = &model->clusters[c];
    kane_cluster_find_theta(work->cluster[c]);
    if (rows && count <= FEW_ROWS && 4 * count <= cluster->rank) {
        double few[FEW_ROWS];
        kane_cluster_release(work->cluster[c], count, rows, few);
        for (int k = 0; k < count; k++)
            *multiplier_of(model, work, cluster, rows[k]) = few[k];
        return;
    }
    const double *lambda = kane_cluster_multipliers(work->cluster[c]);
    for (int k = 0; k < cluster->closure_count; k++) {
        const kane_constraint_row_set *closure = cluster->closures[k];
        memcpy(work->multiplier[closure - model->closures], lambda + cluster->row_begin[k],
               (size_t)closure->row_count * sizeof *lambda);
    }
}

// Adds the wrenches lambda times direction of one constraint to its links, each about the link's origin; returns their
// power. Forces along coordinates are part of the wrench of that joint.
static double add_constraint(const kane_model *model, const kane_work *work, const kane_constraint_rows_values *values,
                             const double *lambda, kane_wrench *sum)
{
    double power = 0.0;
    for (int p = 0; p < values->direction_count; p++) {
        const int i              = values->direction[p].link;
        const double size        = lambda[values->direction[p].row];
        const kane_wrench wrench = {kv3_scale(size, values->direction[p].wrench.force),
                                    kv3_scale(size, values->direction[p].wrench.torque)};
        kane_vec3 v, w;
        absolute_link_velocity(model, work, i, &v, &w);
        sum[i] = kw_add(sum[i], wrench);
        power += kw_power(wrench, v, w);
    }
    return power;
}

// Wrenches of rods with mass, then of all constraints.
double kane_constraints_apply(const kane_model *model, kane_work *work, kane_wrench *acting)
{
    double power = 0.0;
    kane_rods_apply(model, work, acting);
    for (int c = 0; c < model->cluster_count; c++) {
        const kane_cluster *cluster = &model->clusters[c];
        kane_find_multipliers(model, work, c, cluster->row_count, NULL);
        for (int k = 0; k < cluster->closure_count; k++)
            power += add_constraint(model, work, kane_cluster_values(work->cluster[c], k),
                                    work->multiplier[cluster->closures[k] - model->closures], acting);
    }
    return power;
}

// Power of a joint on its body and its parent:  W.(v, w) - W.(v, w of the parent at the joint), zero unless a motion is
// prescribed; with the power of armatures, which is the change of their kinetic energy.
static double joint_power(const kane_model *model, const kane_work *work, int i)
{
    const int parent = model->tree.links[i].parent;
    kane_vec3 v, w, carried, turning;
    absolute_link_velocity(model, work, i, &v, &w);
    double power          = kw_power(work->joint[i], v, w);
    const kane_link *link = &model->tree.links[i];
    if (link->role == KANE_FLEX_MODE) // what drives it is an element's
        return kane_mode_power(model, work, link);
    for (int k = 0; k < link->v_count && kane_link_has_steps(link); k++)
        power += kane_link_armature(link, k) * work->tree.v[link->v + k] * work->tree.v_dot[link->v + k];
    if (parent >= 0) {
        absolute_link_velocity(model, work, parent, &carried, &turning);
        carried = kv3_add(carried, kv3_cross(turning, work->tree.link[i].rho));
        power -= kw_power(work->joint[i], carried, turning);
    }
    return power;
}

// Motion, accelerations, coordinates and turn axes of one body.
static void evaluate_body_motion(const kane_model *model, kane_work *work, int i)
{
    kane_body_kinematics(model, work, i);
    kane_body_kinematics_accelerations(model, work, i);
    kane_body_kinematics_coordinates(model, work, i);
}

void kane_observe_motion(const kane_model *model, kane_work *work)
{
    kane_modes_kinematics(model, work);
    for (int i = 0; i < model->tree.link_count; i++)
        evaluate_body_motion(model, work, i);
}

// Components along (R joint_R).
kane_wrench kane_wrench_in_joint(const kane_model *model, const kane_work *work, int i, kane_wrench w)
{
    const kane_mat3 R = km3_mul(work->tree.link[i].R, model->tree.links[i].joint_R);
    return (kane_wrench){km3_tmulv(R, w.force), km3_tmulv(R, w.torque)};
}

// The joint's wrench on its body, at the mass centre:  torque - arm x force.
static void put_reaction(const kane_model *model, kane_work *work, int i, kane_wrench w)
{
    const kane_vec3 arm                      = km3_mulv(work->tree.link[i].R, model->tree.links[i].c);
    work->body[model->link_body[i]].reaction = (kane_wrench){w.force, kv3_sub(w.torque, kv3_cross(arm, w.force))};
}

void kane_body_kinematics_reaction(const kane_model *model, kane_work *work, int i, kane_wrench w)
{
    evaluate_body_motion(model, work, i);
    put_reaction(model, work, i, w);
}

// Reactions: wrenches on links, constraints, then kane_tree_transmit. Leaves joint, reaction, constraint_power.
static void observe_reactions(const kane_model *model, kane_work *work)
{
    const kane_links all = {0, model->tree.link_count};
    for (int i = 0; i < all.end; i++)
        work->acting[i] = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int k = 0; k < model->loaded_count; k++)
        work->acting[model->loaded[k]] = kane_body_acting(model, work, model->loaded[k]);
    work->constraint_power = kane_constraints_apply(model, work, work->acting);
    kane_tree_transmit(&model->tree, all, &work->tree, work->acting, work->joint);
    for (int i = 0; i < all.end; i++) {
        put_reaction(model, work, i, work->joint[i]);
        work->constraint_power += joint_power(model, work, i);
    }
}

// === After an evaluation: motion, then reactions of joints, constraints and removed freedoms

void kane_observe(const kane_model *model, kane_work *work)
{
    kane_observe_motion(model, work);
    observe_reactions(model, work);
}

// Force along a removed translation, or torque about the axis of a removed turn.
double kane_get_reaction(const kane_model *model, const kane_work *work, int body, kane_coordinate freedom)
{
    const kane_body_state *b = &work->body[body];
    if (model->bodies[body].dof & KANE_DOF(freedom))
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

// === Joints and constraints as users see them: coordinates, rates, reactions.

// Second derivatives of x .. pitch: Q(q) of a and of the angular acceleration without the turning of the axes,
//   e - yaw' z x roll' x1 - (yaw' z + roll' x1) x pitch' y2
static void get_accelerations(const double *q, const double *rate, kane_vec3 a, kane_vec3 e, double *out)
{
    const kane_mat3 R        = kane_matrix_from_angles(q[KANE_YAW], q[KANE_ROLL], 0.0);
    const kane_vec3 yawing   = kv3(0.0, 0.0, rate[KANE_YAW]);
    const kane_vec3 rolling  = kv3_scale(rate[KANE_ROLL], R.x);
    const kane_vec3 pitching = kv3_scale(rate[KANE_PITCH], R.y);
    const kane_vec3 turned   = kv3_add(kv3_cross(yawing, rolling), kv3_cross(kv3_add(yawing, rolling), pitching));
    kane_rates_from_velocity(q, a, kv3_sub(e, turned), out);
}

// A body without a joint, relative to the frame that it is described in.
static void get_free(const kane_model *model, const kane_work *work, int body, double *coordinates, double *rates,
                     double *accelerations)
{
    double q[KANE_COORDINATES], rate[KANE_COORDINATES];
    kane_get_relative(model, work, body, q, rate);
    if (coordinates)
        memcpy(coordinates, q, sizeof q);
    if (rates)
        memcpy(rates, rate, sizeof rate);
    if (!accelerations)
        return;
    get_accelerations(q, rate, work->body[body].a, work->body[body].e, accelerations);
    for (int k = 0; k < KANE_COORDINATES && model->bodies[body].frame != model->bodies[body].track_frame; k++)
        accelerations[k] = (double)NAN; // described in A: those of its track frame are not known
}

// The first turn of a link on the axle of a body described in A is reported relative to axes that are level in its
// track frame, as in the moving formulation: the difference of that angle, and the rate of the spin relative to the
// track frame with its derivative.
typedef struct level {
    double angle, spin_rate, spin_rate_rate;
} level;

// 0: the coordinates of link i are reported without change.
static int find_level(const kane_model *model, const kane_work *work, int i, level *out)
{
    const kane_link *link = &model->tree.links[i];
    if (!link->on_axle)
        return 0;
    const kane_link *carrier = &model->tree.links[link->parent];
    const int j              = model->link_body[link->parent];
    const kane_transport *T  = &work->transport[model->bodies[j].track_frame];
    kane_relative_motion m;
    double rate[KANE_COORDINATES], second[KANE_COORDINATES];
    if (model->bodies[j].frame == model->bodies[j].track_frame || !carrier->in_frame)
        return 0;
    kane_relative_get(model, work, j, &m);
    kane_rates_from_velocity(m.q, m.v, m.w, rate);
    const kane_vec3 e = kv3_sub(kv3_sub(km3_tmulv(T->R, work->body[j].e), T->epsilon), kv3_cross(T->omega, m.w));
    get_accelerations(m.q, rate, kv3_zero(), e, second);
    out->angle          = link->on_axle * (m.q[KANE_PITCH] - work->tree.q[carrier->q + KANE_PITCH]);
    out->spin_rate      = link->on_axle * rate[KANE_PITCH];
    out->spin_rate_rate = link->on_axle * second[KANE_PITCH];
    return 1;
}

// Coordinates, rates (kane_tree_rates) and second derivatives (kane_tree_accelerations) of the joint of a body.
int kane_get_joint(const kane_model *model, const kane_work *work, int body, double *coordinates, double *rates,
                   double *accelerations)
{
    const int i = model->bodies[body].link;
    if (model->bodies[body].is_free_body) {
        get_free(model, work, body, coordinates, rates, accelerations);
        return KANE_COORDINATES;
    }
    const kane_link *link         = &model->tree.links[i];
    const kane_moving_frame *base = &work->base[link->frame];
    level axes;
    for (int k = 0; k < link->q_count && coordinates; k++)
        coordinates[k] = work->tree.q[link->q + k];
    if (rates)
        kane_tree_rates(&model->tree, i, base, &work->tree, rates);
    if (accelerations)
        kane_tree_accelerations(&model->tree, i, base, &work->tree, accelerations);
    if (!find_level(model, work, i, &axes))
        return link->q_count;
    const int turn = link->slide_count, v = link->step[turn].v;
    if (coordinates)
        coordinates[turn] += axes.angle;
    if (rates)
        rates[turn] = work->tree.v[v] + axes.spin_rate;
    if (accelerations)
        accelerations[turn] = work->tree.v_dot[v] + axes.spin_rate_rate;
    return link->q_count;
}

// Inverse: coordinates, then speeds from rates (kane_tree_speeds). Parents first; kane_put_joints_end writes the state.
kane_status kane_put_joint(const kane_model *model, kane_work *work, int body, const double *coordinates,
                           const double *rates)
{
    const int i = model->bodies[body].link;
    if (model->bodies[body].is_free_body)
        return KANE_BAD_ARGUMENT;
    const kane_link *link = &model->tree.links[i];
    const kane_links one  = {i, i + 1};
    level axes;
    if (link->on_axle)
        kane_body_kinematics(model, work, link->parent);
    const int is_level = find_level(model, work, i, &axes);
    for (int k = 0; k < link->q_count; k++)
        work->tree.q[link->q + k] = coordinates[k];
    if (is_level)
        work->tree.q[link->q + link->slide_count] -= axes.angle;
    kane_tree_place(&model->tree, one, &work->tree);
    kane_tree_speeds(&model->tree, i, &work->base[link->frame], &work->tree, rates);
    if (is_level)
        work->tree.v[link->step[link->slide_count].v] = rates[link->slide_count] - axes.spin_rate;
    kane_tree_move(&model->tree, one, work->base, &work->tree);
    return KANE_OK;
}

void kane_put_joints_end(const kane_model *model, const kane_work *work, double *y)
{
    kane_state_put(model, work, y);
}

// NaN for undetermined components (bits).
static void leave_out(kane_vec3 *a, unsigned bits)
{
    a->x = bits & 1u ? (double)NAN : a->x;
    a->y = bits & 2u ? (double)NAN : a->y;
    a->z = bits & 4u ? (double)NAN : a->z;
}

// Wrench about the joint's point, its axes on the body; undetermined components are NaN.
kane_wrench kane_get_joint_reaction(const kane_model *model, const kane_work *work, int body)
{
    const int i   = model->bodies[body].link;
    kane_wrench w = kane_wrench_in_joint(model, work, i, work->joint[i]);
    leave_out(&w.force, model->joint_undetermined[i]);
    leave_out(&w.torque, model->joint_undetermined[i] >> 3);
    return w;
}

int kane_get_constraint(const kane_model *model, const kane_work *work, int constraint, double multipliers[6])
{
    const int count = model->closures[constraint].row_count;
    for (int k = 0; k < count; k++)
        multipliers[k] = model->undetermined[constraint] >> k & 1u ? (double)NAN : work->multiplier[constraint][k];
    return count;
}

int kane_reaction_is_determined(const kane_model *model, kane_reaction r)
{
    if (r.kind == KANE_REACTION_ROD)
        return !(model->undetermined[r.of] & 1);
    if (r.kind == KANE_REACTION_CONSTRAINT)
        return !(model->undetermined[r.of] >> r.part & 1u);
    const int link = model->bodies[r.of].link;
    if (r.kind == KANE_REACTION_FREEDOM && model->bodies[r.of].dof & KANE_DOF(r.part))
        return 1; // there is none: 0
    return !(model->joint_undetermined[link] >> (r.kind == KANE_REACTION_JOINT ? r.part : 6 + r.part) & 1u);
}
