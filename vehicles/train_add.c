// SPDX-License-Identifier: MIT
// A vehicle at its place in a train: everything it has once more, with the vehicle's name in front, as far back as it
// stands and turned about z by half if it runs rear end first.
//
// Turned, a point (x, y, z) goes to (-x, -y, z), and axes with it. What refers to axes that turn along is unchanged:
// laws, joints, loads. Coordinates of a body without a joint refer to the track: x, y, roll and pitch change their
// signs. Left wheels become right ones.

#include "vehicles/train_file.h"

#include <string.h>

typedef struct placing {
    kane_arena *arena;
    const kane_train_place *place;
    const kane_vehicle_definition *vehicle;
    int failed; // 1: memory is short
} placing;

const char *kane_train_join(kane_arena *arena, const char *front, const char *rear)
{
    const size_t length = strlen(front), size = strlen(rear) + 1;
    char *text = kane_arena_alloc(arena, length + 1 + size, 1);
    if (!text)
        return NULL;
    memcpy(text, front, length);
    text[length] = ' ';
    memcpy(text + length + 1, rear, size);
    return text;
}

// --- pieces ---

// The name of something of this vehicle in the train; NULL stays NULL.
static const char *name_of(placing *p, const char *name)
{
    const char *text = name ? kane_train_join(p->arena, p->place->name, name) : NULL;
    p->failed |= name && !text;
    return text ? text : name;
}

// The same of a body; "track" and "ground" are no bodies.
static const char *body_of(placing *p, const char *name)
{
    return name && kane_word_is_frame(name) ? name : name_of(p, name);
}

static kane_block block_of(placing *p, kane_block block)
{
    return (kane_block){name_of(p, block.name), block.node};
}

static int is_turned(const placing *p)
{
    return p->place->sign < 0.0;
}

static kane_vec3 point_of(const placing *p, kane_vec3 a)
{
    const double sign = p->place->sign;
    return kv3(sign * a.x + p->place->shift, sign * a.y, a.z);
}

// Axes to vehicle axes; all zero: parallel to these.
static kane_mat3 axes_of(const placing *p, kane_mat3 A)
{
    const kane_mat3 by_half = km3_diag(-1.0, -1.0, 1.0);
    const int is_parallel   = kv3_norm(A.x) == 0.0 && kv3_norm(A.y) == 0.0 && kv3_norm(A.z) == 0.0;
    if (!is_turned(p))
        return A;
    return is_parallel ? by_half : km3_mul(by_half, A);
}

static kane_attachment attachment_of(placing *p, const kane_attachment *in)
{
    return (kane_attachment){name_of(p, in->marker), point_of(p, in->at), axes_of(p, in->axes)};
}

// Whether a coordinate changes its sign: one that refers to the track.
static int changes_sign(const placing *p, const kane_joint_definition *joint, int coordinate)
{
    return is_turned(p) && !joint &&
           (coordinate == KANE_X || coordinate == KANE_Y || coordinate == KANE_ROLL || coordinate == KANE_PITCH);
}

// --- bodies ---

static const kane_joint_definition *joint_of(placing *p, const kane_joint_definition *in)
{
    kane_joint_definition *joint = in ? kane_arena_alloc(p->arena, 1, sizeof *joint) : NULL;
    p->failed |= in && !joint;
    if (!joint)
        return NULL;
    *joint        = *in;
    joint->block  = block_of(p, in->block);
    joint->parent = body_of(p, in->parent);
    joint->from   = attachment_of(p, &in->from);
    joint->to     = attachment_of(p, &in->to);
    return joint;
}

// Coordinates of joints turn along. Those of bodies without one refer to the track, and so do the body's own axes, in
// which a spherical joint has its angular velocity.
static const kane_start_definition *start_of(placing *p, const kane_start_definition *in,
                                             const kane_joint_definition *joint)
{
    const int is_ball = joint && joint->kind == KANE_JOINT_SPHERICAL;
    if (!in || !is_turned(p) || (joint && !is_ball))
        return in;
    kane_start_definition *start = kane_arena_alloc(p->arena, 1, sizeof *start);
    p->failed |= !start;
    if (!start)
        return NULL;
    *start = *in;
    for (int k = 0; k < KANE_COORDINATES && !is_ball; k++)
        if (changes_sign(p, joint, k)) {
            start->q[k]    = -in->q[k];
            start->rate[k] = -in->rate[k];
        }
    for (int axis = 0; axis < 2 && is_ball; axis++)
        start->rate[axis] = -in->rate[axis];
    return start;
}

// Wheels that are not alike change places.
static const kane_wheels_definition *wheels_of(placing *p, const kane_wheels_definition *in)
{
    if (!in || !is_turned(p) || (!in->profile[1] && in->radius[1] == 0.0 && in->friction[0] == in->friction[1]))
        return in;
    kane_wheels_definition *wheels = kane_arena_alloc(p->arena, 1, sizeof *wheels);
    p->failed |= !wheels;
    if (!wheels)
        return NULL;
    *wheels             = *in;
    wheels->profile[0]  = in->profile[1] ? in->profile[1] : in->profile[0];
    wheels->profile[1]  = in->profile[0];
    wheels->radius[0]   = in->radius[1] != 0.0 ? in->radius[1] : in->radius[0];
    wheels->radius[1]   = in->radius[0];
    wheels->friction[0] = in->friction[1];
    wheels->friction[1] = in->friction[0];
    return wheels;
}

// Coordinates of a frame count along axes that turn along.
static kane_given_frame frame_definition(placing *p, const kane_given_frame *in)
{
    kane_given_frame d = *in;
    d.block            = block_of(p, in->block);
    d.relative         = name_of(p, in->relative);
    d.joint            = joint_of(p, in->joint);
    return d;
}

static kane_body_definition body_definition(placing *p, const kane_body_definition *in)
{
    kane_body_definition d = *in;
    d.block                = block_of(p, in->block);
    d.vehicle              = p->place->name;
    d.position             = point_of(p, in->position);
    d.inertia[4]           = p->place->sign * in->inertia[4]; // xz
    d.inertia[5]           = p->place->sign * in->inertia[5]; // yz
    d.frame                = name_of(p, in->frame);
    d.frame_offset[0]      = p->place->sign * in->frame_offset[0];
    d.wheels               = wheels_of(p, in->wheels);
    d.joint                = joint_of(p, in->joint);
    d.start                = start_of(p, in->start, in->joint);
    return d;
}

// --- markers, elements, sensors ---

static kane_marker_definition marker_definition(placing *p, const kane_marker_definition *in)
{
    kane_marker_definition d = *in;
    d.block                  = block_of(p, in->block);
    d.on                     = body_of(p, in->on);
    d.relative               = name_of(p, in->relative);
    if (!in->relative) { // else in axes that turn along
        d.position = point_of(p, in->position);
        d.axes     = axes_of(p, in->axes);
    }
    return d;
}

static kane_element_definition element_definition(placing *p, const kane_element_definition *in)
{
    kane_element_definition d = *in;
    d.block                   = block_of(p, in->block);
    d.axes                    = axes_of(p, in->axes);
    for (int i = 0; i < 2; i++) {
        d.between[i] = body_of(p, in->between[i]);
        d.marker[i]  = name_of(p, in->marker[i]);
        d.at[i]      = point_of(p, in->at[i]);
    }
    return d;
}

static kane_sensor_definition sensor_definition(placing *p, const kane_sensor_definition *in)
{
    return (kane_sensor_definition){block_of(p, in->block), name_of(p, in->on), point_of(p, in->at)};
}

// Along axes of track frames, which do not turn along; torques about axles drive forward as ever.
static kane_input_definition input_definition(placing *p, const kane_input_definition *in)
{
    kane_input_definition d = *in;
    const int is_along      = in->kind == KANE_INPUT_FORCE && kv3_norm(in->direction) == 0.0;
    const kane_vec3 u       = is_along ? kv3(1.0, 0.0, 0.0) : in->direction;
    d.block                 = block_of(p, in->block);
    d.on                    = name_of(p, in->on);
    d.reaction              = name_of(p, in->reaction);
    d.at                    = point_of(p, in->at);
    d.direction             = kv3(p->place->sign * u.x, p->place->sign * u.y, u.z);
    return d;
}

// --- constraints ---

static const kane_joint_definition *joint_named(const kane_vehicle_definition *vehicle, const char *body)
{
    for (int j = 0; j < vehicle->body_count; j++)
        if (strcmp(vehicle->bodies[j].block.name, body) == 0)
            return vehicle->bodies[j].joint;
    return NULL;
}

// Whether the coordinate that a term names changes its sign.
static int term_changes(const placing *p, const kane_term_definition *term)
{
    const kane_joint_definition *joint = joint_named(p->vehicle, term->body);
    for (int k = 0; k < KANE_COORDINATES && term->coordinate; k++)
        if (strcmp(term->coordinate, kane_coordinate_name((kane_coordinate)k)) == 0)
            return changes_sign(p, joint, k);
    return 0;
}

static double *copy_numbers(placing *p, const double *in, int count)
{
    double *copy = kane_arena_doubles(p->arena, (size_t)count);
    p->failed |= !copy;
    if (copy)
        memcpy(copy, in, (size_t)count * sizeof *copy);
    return copy;
}

// f(-x)
static kane_function function_of_opposite(placing *p, const kane_function *in)
{
    kane_function f      = *in;
    const int has_points = in->kind == KANE_FUNCTION_TABLE;
    double *x            = has_points ? copy_numbers(p, in->x, in->count) : NULL;
    double *y            = has_points ? copy_numbers(p, in->y, in->count) : NULL;
    double *c            = has_points ? NULL : copy_numbers(p, in->coefficients, in->count);
    for (int i = 0; i < in->count && x && y; i++) {
        x[i] = -in->x[in->count - 1 - i];
        y[i] = in->y[in->count - 1 - i];
    }
    for (int i = 1; i < in->count && c && in->kind == KANE_FUNCTION_POLYNOMIAL; i += 2)
        c[i] = -c[i];
    if (c && in->kind == KANE_FUNCTION_SINE)
        c[2] = -c[2];
    if (c && in->kind == KANE_FUNCTION_SINE && in->count == 5)
        c[4] = -c[4];
    for (int i = 2; i < in->count && c && in->kind == KANE_FUNCTION_STEP; i++) // the other way along x
        c[i] = -c[i];
    f.x            = x;
    f.y            = y;
    f.coefficients = c;
    return f;
}

// -f(x)
static kane_function function_negated(placing *p, const kane_function *in)
{
    kane_function f = *in;
    double *y       = in->kind == KANE_FUNCTION_TABLE ? copy_numbers(p, in->y, in->count) : NULL;
    double *c       = in->kind == KANE_FUNCTION_TABLE ? NULL : copy_numbers(p, in->coefficients, in->count);
    const int two   = in->kind == KANE_FUNCTION_SINE || in->kind == KANE_FUNCTION_STEP; // the first: mean and amplitude
    const int signs = two ? 2 : in->count;
    for (int i = 0; i < in->count && y; i++)
        y[i] = -y[i];
    for (int i = 0; i < signs && c; i++)
        c[i] = -c[i];
    f.y            = y;
    f.coefficients = c;
    return f;
}

// Functions of time that stand for the factor of a term, or for the offset.
static void negate_given(placing *p, kane_given_number number, int term, kane_constraint_definition *d)
{
    kane_given_definition *list = kane_arena_alloc(p->arena, (size_t)d->given_count, sizeof *list);
    p->failed |= !list;
    for (int i = 0; i < d->given_count && list; i++) {
        list[i] = d->given[i];
        if (list[i].number == number && list[i].term == term)
            list[i].function = function_negated(p, &d->given[i].function);
    }
    d->given = list;
}

static void place_terms(placing *p, const kane_constraint_definition *in, kane_constraint_definition *d)
{
    kane_term_definition *terms = kane_arena_alloc(p->arena, (size_t)in->term_count, sizeof *terms);
    p->failed |= !terms;
    for (int i = 0; i < in->term_count && terms; i++) {
        terms[i]      = in->terms[i];
        terms[i].body = name_of(p, in->terms[i].body);
        if (!term_changes(p, &in->terms[i]) || in->kind == KANE_CONSTRAINT_FUNCTION)
            continue;
        terms[i].factor = -terms[i].factor;
        negate_given(p, KANE_GIVEN_FACTOR, i, d);
    }
    d->terms = terms;
    if (in->kind != KANE_CONSTRAINT_FUNCTION || in->term_count != 2 || !terms)
        return;
    // first = factor function(second) + offset
    if (term_changes(p, &in->terms[1]))
        d->function[0] = function_of_opposite(p, &in->function[0]);
    if (term_changes(p, &in->terms[0])) {
        terms[1].factor = -terms[1].factor;
        d->offset       = -in->offset;
        negate_given(p, KANE_GIVEN_FACTOR, 1, d);
        negate_given(p, KANE_GIVEN_OFFSET, 0, d);
    }
}

static kane_constraint_definition constraint_definition(placing *p, const kane_constraint_definition *in)
{
    kane_constraint_definition d = *in;
    d.block                      = block_of(p, in->block);
    for (int i = 0; i < 2; i++) {
        d.between[i] = body_of(p, in->between[i]);
        d.at[i]      = attachment_of(p, &in->at[i]);
    }
    kane_side_definition *sides = kane_arena_alloc(p->arena, (size_t)in->side_count, sizeof *sides);
    p->failed |= !sides;
    for (int i = 0; i < in->side_count && sides; i++)
        sides[i] = (kane_side_definition){body_of(p, in->sides[i].body), attachment_of(p, &in->sides[i].at),
                                          in->sides[i].place};
    d.sides = sides;
    if (in->term_count > 0)
        place_terms(p, in, &d);
    return d;
}

int kane_train_add(kane_arena *arena, const kane_train_place *place, const kane_vehicle_definition *vehicle,
                   kane_train_parts *train)
{
    placing p = {.arena = arena, .place = place, .vehicle = vehicle};
    for (int i = 0; i < vehicle->given_frame_count; i++)
        train->frames[train->frame_count++] = frame_definition(&p, &vehicle->given_frames[i]);
    for (int i = 0; i < vehicle->body_count; i++)
        train->bodies[train->body_count++] = body_definition(&p, &vehicle->bodies[i]);
    for (int i = 0; i < vehicle->marker_count; i++)
        train->markers[train->marker_count++] = marker_definition(&p, &vehicle->markers[i]);
    for (int i = 0; i < vehicle->element_count; i++)
        train->elements[train->element_count++] = element_definition(&p, &vehicle->elements[i]);
    for (int i = 0; i < vehicle->constraint_count; i++)
        train->constraints[train->constraint_count++] = constraint_definition(&p, &vehicle->constraints[i]);
    for (int i = 0; i < vehicle->sensor_count; i++)
        train->sensors[train->sensor_count++] = sensor_definition(&p, &vehicle->sensors[i]);
    for (int i = 0; i < vehicle->input_count; i++)
        train->inputs[train->input_count++] = input_definition(&p, &vehicle->inputs[i]);
    return !p.failed;
}
