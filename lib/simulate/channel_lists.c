// SPDX-License-Identifier: MIT
// The channels of travel, bodies, frames, imaginary terms and energy.

#include "simulate/channels.h"

// --- travel ---

static double time_value(const kane_reading *r, int which, int part)
{
    (void)which;
    (void)part;
    return r->time;
}

static double travel_value(const kane_reading *r, int which, int part)
{
    double s, v, a;
    (void)which;
    kane_get_travel(r->work, &s, &v, &a);
    const double values[] = {s - r->model->start, kane_work_place(r->model, r->work), v, a};
    return values[part];
}

// Speed of a driven guide: v + x', v: speed of the frames, which follow the guide with a delay, x': its rate in its
// frame.
static double reference_speed_value(const kane_reading *r, int guide, int part)
{
    (void)part;
    double s, v, a;
    kane_get_travel(r->work, &s, &v, &a);
    return v + r->rate[guide][KANE_X];
}

static double reference_acceleration_value(const kane_reading *r, int guide, int part)
{
    (void)part;
    kane_vec3 p, alpha;
    kane_get_absolute(r->model, r->work, guide, NULL, NULL, &p, &alpha);
    return p.x;
}

void kane_channels_of_travel(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_TRAVEL);
    kane_channel_add(list, "s", "time since the start", time_value, 0, 0, "time");
    if (!model->track)
        return;
    kane_channel_add(list, "m", "distance travelled by the guide's track frame", travel_value, 0, 0, "distance");
    kane_channel_add(list, "m", "place of the guide's track frame by chainage", travel_value, 0, 1, "chainage");
    if (model->drive == KANE_DRIVE_DRIVEN) {
        kane_channel_add(list, "m/s", "speed of the guide along the line", reference_speed_value, model->guide, 0,
                         "speed");
        kane_channel_add(list, "m/s^2", "absolute acceleration of the guide along the line",
                         reference_acceleration_value, model->guide, 0, "acceleration");
        return;
    }
    kane_channel_add(list, "m/s", "speed of the track frames along the line", travel_value, 0, 2, "speed");
    kane_channel_add(list, "m/s^2", "acceleration of the track frames along the line", travel_value, 0, 3,
                     "acceleration");
}

// --- bodies ---

static double coordinate_value(const kane_reading *r, int body, int c)
{
    return r->coordinate[body][c];
}

static double rate_value(const kane_reading *r, int body, int c)
{
    return r->rate[body][c];
}

static double acceleration_value(const kane_reading *r, int body, int c)
{
    kane_vec3 p, alpha;
    kane_get_absolute(r->model, r->work, body, NULL, NULL, &p, &alpha);
    return c < 3 ? kv3_get(p, c) : kv3_get(alpha, c - 3);
}

static double reaction_value(const kane_reading *r, int body, int c)
{
    return kane_get_reaction(r->model, r->work, body, (kane_coordinate)c);
}

void kane_channels_of_bodies(kane_channel_list *list, const kane_model *model)
{
    static const char *const about[] = {
        "position of the mass centre along x of its frame (forward)",
        "the same along y (to the left)",
        "the same along z (up)",
        "turn about z, relative to the frame",
        "turn about the x axis that yaw has turned",
        "turn about the y axis that yaw and roll have turned; of a wheelset: its spin angle"};
    for (int j = 0; j < model->body_count && !model->bodies[j].panel; j++) {
        const kane_body *body = &model->bodies[j];
        if (body->part == KANE_PART_MODE) // is nowhere in the world
            continue;
        kane_channel_group_begin(list, KANE_GROUP_MOTIONS);
        for (int c = 0; c < KANE_COORDINATES; c++)
            kane_channel_add(list, c < 3 ? "m" : "rad", about[c], coordinate_value, j, c, "%s.%s", body->name,
                             kane_coordinate_name((kane_coordinate)c));
        kane_channel_group_begin(list, KANE_GROUP_SPEEDS);
        for (int c = 0; c < KANE_COORDINATES; c++)
            kane_channel_add(list, c < 3 ? "m/s" : "rad/s", "rate of the coordinate of this name", rate_value, j, c,
                             "%s.rate.%s", body->name, kane_coordinate_name((kane_coordinate)c));
        kane_channel_group_begin(list, KANE_GROUP_ACCELERATIONS);
        for (int c = 0; c < 6; c++)
            kane_channel_add(list, c < 3 ? "m/s^2" : "rad/s^2",
                             c < 3 ? "absolute acceleration of the mass centre along an axis of its frame"
                                   : "absolute angular acceleration about an axis of its frame",
                             acceleration_value, j, c, "%s.%s.%s", body->name, c < 3 ? "acceleration" : "alpha",
                             kane_axis_name(c % 3));
        kane_channel_group_begin(list, KANE_GROUP_REACTIONS);
        for (int c = 0; c < KANE_COORDINATES; c++)
            if (!(body->dof & KANE_DOF(c)))
                kane_channel_add(list, c < 3 ? "N" : "N m",
                                 j == model->guide && c == KANE_X
                                     ? "traction (positive) or braking force that keeps the prescribed speed"
                                     : "reaction of the removed freedom on the body",
                                 reaction_value, j, c, "%s.reaction.%s", body->name,
                                 kane_coordinate_name((kane_coordinate)c));
    }
}

// --- frames ---

static double omega_value(const kane_reading *r, int body, int axis)
{
    return kv3_get(r->work->transport[r->model->bodies[body].track_frame].omega, axis);
}

static double epsilon_value(const kane_reading *r, int body, int axis)
{
    return kv3_get(r->work->transport[r->model->bodies[body].track_frame].epsilon, axis);
}

// Bodies of a mechanism on the ground have a frame that does not move.
static int is_at_rest(const kane_model *model, int body)
{
    return model->frames[model->bodies[body].track_frame].kind == KANE_FRAME_REST;
}

static double place_value(const kane_reading *r, int body, int axis)
{
    return kv3_get(kane_work_in_A(r->model, r->work, r->work->body[body].r_w), axis);
}

// part: what * 3 + axis
static double given_value(const kane_reading *r, int frame, int part)
{
    const kane_transport *T = &r->work->transport[frame];
    const kane_vec3 all[]   = {kane_work_in_A(r->model, r->work, T->r_o), T->v_o, T->a_o, T->omega, T->epsilon};
    return kv3_get(all[part / 3], part % 3);
}

static void announce_given(kane_channel_list *list, const kane_model *model, int f)
{
    static const struct {
        const char *name, *unit, *about;
    } rows[] = {{"origin", "m", "place of the frame's origin in A"},
                {"velocity", "m/s", "velocity of the frame's origin, axes of the frame"},
                {"acceleration", "m/s^2", "acceleration of the frame's origin, axes of the frame"},
                {"omega", "rad/s", "angular velocity of the frame, its own axes"},
                {"epsilon", "rad/s^2", "angular acceleration of the frame, its own axes"}};
    for (int i = 0; i < 5; i++)
        for (int axis = 0; axis < 3; axis++)
            kane_channel_add(list, rows[i].unit, rows[i].about, given_value, f, 3 * i + axis, "%s.%s.%s",
                             model->frames[f].name, rows[i].name, kane_axis_name(axis));
}

void kane_channels_of_frames(kane_channel_list *list, const kane_model *model)
{
    for (int j = 0; j < model->body_count && !model->bodies[j].panel; j++) {
        const char *name = model->bodies[j].name;
        if (is_at_rest(model, j) || model->bodies[j].part != KANE_PART_NONE)
            continue;
        kane_channel_group_begin(list, KANE_GROUP_FRAMES);
        for (int axis = 0; axis < 3; axis++)
            kane_channel_add(list, "rad/s", "angular velocity of the body's frame", omega_value, j, axis,
                             "%s.frame.omega.%s", name, kane_axis_name(axis));
        for (int axis = 0; axis < 3; axis++)
            kane_channel_add(list, "rad/s^2", "angular acceleration of the body's frame", epsilon_value, j, axis,
                             "%s.frame.epsilon.%s", name, kane_axis_name(axis));
        const int is_given = model->frames[model->bodies[j].track_frame].kind == KANE_FRAME_GIVEN;
        kane_channel_group_begin(list, is_given ? KANE_GROUP_MOTIONS : KANE_GROUP_FRAMES);
        for (int axis = 0; axis < 3; axis++)
            kane_channel_add(list, "m", "place of the mass centre in A", place_value, j, axis, "%s.place.%s", name,
                             kane_axis_name(axis));
    }
    kane_channel_group_begin(list, KANE_GROUP_FRAMES);
    for (int f = 0; f < model->frame_count; f++)
        if (model->frames[f].kind == KANE_FRAME_GIVEN)
            announce_given(list, model, f);
}

// --- imaginary terms: part = (kind * terms + term) * 3 + axis ---

static double imaginary_value(const kane_reading *r, int body, int part)
{
    const int axis = part % 3, term = part / 3 % KANE_IMAGINARY_TERMS, kind = part / 3 / KANE_IMAGINARY_TERMS;
    if (r->cache->body != body)
        kane_imaginary_get(r->model, r->work, body, &r->cache->terms);
    r->cache->body = body;
    return kv3_get(r->cache->terms.term[kind][term], axis);
}

// On modes: part = mode * terms + term.
static double modal_value(const kane_reading *r, int body, int part)
{
    return kane_get_modal_imaginary(r->model, r->work, body, part / KANE_IMAGINARY_TERMS,
                                    (kane_imaginary_term)(part % KANE_IMAGINARY_TERMS));
}

static void announce_modal(kane_channel_list *list, const kane_model *model, int j)
{
    const kane_link *link = &model->tree.links[model->bodies[j].link];
    const int count       = link->role == KANE_FLEX_FRAME ? model->tree.flexes[link->flex].count : 0;
    for (int part = 0; part < count * KANE_IMAGINARY_TERMS; part++)
        kane_channel_add(list, "1", "imaginary term as it acts on a mode if it is not omitted", modal_value, j, part,
                         "imaginary.%s.mode.%s.%d", model->bodies[j].name,
                         kane_imaginary_term_name((kane_imaginary_term)(part % KANE_IMAGINARY_TERMS)),
                         1 + part / KANE_IMAGINARY_TERMS);
}

// Terms of rods with mass stand behind those of all bodies.
static double rod_imaginary_value(const kane_reading *r, int rod, int part)
{
    const int axis = part % 3, term = part / 3 % KANE_IMAGINARY_TERMS, kind = part / 3 / KANE_IMAGINARY_TERMS;
    const int which = r->model->body_count + rod;
    if (r->cache->body != which)
        kane_rod_get_imaginary(r->model, r->work, &r->model->closures[rod], &r->cache->terms);
    r->cache->body = which;
    return kv3_get(r->cache->terms.term[kind][term], axis);
}

static void announce_terms(kane_channel_list *list, kane_channel_value value, int which, const char *name)
{
    for (int part = 0; part < KANE_WRENCH_KINDS * KANE_IMAGINARY_TERMS * 3; part++) {
        const int axis = part % 3, term = part / 3 % KANE_IMAGINARY_TERMS, kind = part / 3 / KANE_IMAGINARY_TERMS;
        if (kind == KANE_TORQUE && term == KANE_TRANSLATION)
            continue; // there is no such term
        kane_channel_add(list, kind == KANE_FORCE ? "N" : "N m",
                         "imaginary term as it acts on the body if it is not omitted", value, which, part,
                         "imaginary.%s.%s.%s.%s", name, kane_wrench_kind_name((kane_wrench_kind)kind),
                         kane_imaginary_term_name((kane_imaginary_term)term), kane_axis_name(axis));
    }
}

void kane_channels_of_imaginary(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_IMAGINARY);
    for (int j = 0; j < model->body_count && !model->bodies[j].panel; j++) {
        if (is_at_rest(model, j) || model->bodies[j].part != KANE_PART_NONE)
            continue;
        announce_terms(list, imaginary_value, j, model->bodies[j].name);
        announce_modal(list, model, j);
    }
    for (int k = 0; k < model->closure_count; k++)
        if (kane_rod_is_moving(model, &model->closures[k]))
            announce_terms(list, rod_imaginary_value, k, model->closures[k].name);
}

// --- their impulses, numbered likewise ---

// Where the line turns all at once; the other terms have none.
static int has_impulse(kane_wrench_kind kind, kane_imaginary_term term)
{
    return term == KANE_ROTATION || term == KANE_GYROSCOPIC || (term == KANE_TRANSLATION && kind == KANE_FORCE);
}

static double impulse_value(const kane_reading *r, int body, int part)
{
    const int axis = part % 3, term = part / 3 % KANE_IMAGINARY_TERMS, kind = part / 3 / KANE_IMAGINARY_TERMS;
    return kv3_get(kane_get_impulse(r->model, r->work, body, (kane_wrench_kind)kind, (kane_imaginary_term)term), axis);
}

void kane_channels_of_impulses(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_IMAGINARY);
    for (int j = 0; j < model->body_count && !model->bodies[j].panel; j++) {
        if (is_at_rest(model, j) || model->bodies[j].part != KANE_PART_NONE)
            continue;
        for (int part = 0; part < KANE_WRENCH_KINDS * KANE_IMAGINARY_TERMS * 3; part++) {
            const kane_imaginary_term term = (kane_imaginary_term)(part / 3 % KANE_IMAGINARY_TERMS);
            const kane_wrench_kind kind    = (kane_wrench_kind)(part / 3 / KANE_IMAGINARY_TERMS);
            if (has_impulse(kind, term))
                kane_channel_add(list, kind == KANE_FORCE ? "N s" : "N m s",
                                 "impulses of the imaginary term at places where the line turns all at once, summed "
                                 "since the start, as they act if it is not omitted",
                                 impulse_value, j, part, "impulse.%s.%s.%s.%s", model->bodies[j].name,
                                 kane_wrench_kind_name(kind), kane_imaginary_term_name(term), kane_axis_name(part % 3));
        }
    }
}

// --- inputs ---

static double input_value(const kane_reading *r, int which, int part)
{
    (void)part;
    return r->work->input[which];
}

void kane_channels_of_inputs(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_TRAVEL);
    for (int i = 0; i < model->input_count; i++)
        kane_channel_add(list, model->inputs[i].unit, model->inputs[i].help, input_value, i, 0, "input.%s",
                         model->inputs[i].name);
}

// --- what channels need ---

int kane_channel_is_travel(const kane_channel *c)
{
    return c->value == time_value || c->value == travel_value || c->value == omega_value || c->value == epsilon_value ||
           c->value == given_value || c->value == input_value;
}

int kane_channel_is_travel_state(const kane_channel *c, int is_driven)
{
    return c->value == time_value || c->value == reference_speed_value ||
           (c->value == travel_value && (c->part < 3 || !is_driven));
}

int kane_channel_is_coordinate(const kane_channel *c)
{
    return c->value == coordinate_value || c->value == rate_value || c->value == place_value ||
           c->value == reference_speed_value;
}

int kane_channel_is_body_reaction(const kane_channel *c, kane_reaction *reaction)
{
    *reaction = (kane_reaction){KANE_REACTION_FREEDOM, c->which, c->part};
    return c->value == reaction_value;
}

// --- energy ---

static double energy_value(const kane_reading *r, int which, int part)
{
    const kane_energy *e  = &r->energy;
    const double values[] = {e->kinetic,     e->gravity,        e->elements,      e->contact,
                             e->power_drive, e->power_elements, e->power_contact, e->power_omitted};
    (void)which;
    return values[part];
}

static double work_value(const kane_reading *r, int which, int part)
{
    (void)which;
    return r->state[r->model->state_count + part];
}

int kane_channel_is_energy(const kane_channel *c)
{
    return c->value == energy_value;
}

void kane_channels_of_energy(kane_channel_list *list)
{
    kane_channel_group_begin(list, KANE_GROUP_ENERGY);
    static const char *const names[] = {"energy.kinetic", "energy.gravity", "energy.elements", "energy.contact",
                                        "power.drive",    "power.elements", "power.contact",   "power.omitted"};
    static const char *const about[] = {
        "kinetic energy of absolute motion",
        "energy in the field of gravity, zero at the level of A's origin",
        "stored in elements, zero at rest",
        "stored in the contacts of wheels and rails",
        "power of reactions of removed freedoms, of actuators, of points that frames carry along",
        "power of the forces of elements",
        "power of the forces of rails on wheels",
        "power that omitting imaginary terms adds: that of the omitted ones with opposite sign"};
    for (int i = 0; i < 8; i++)
        kane_channel_add(list, i < 4 ? "J" : "W", about[i], energy_value, 0, i, "%s", names[i]);
}

void kane_channels_of_work(kane_channel_list *list)
{
    kane_channel_group_begin(list, KANE_GROUP_ENERGY);
    static const char *const names[] = {"work.drive", "work.elements", "work.contact", "work.omitted"};
    for (int i = 0; i < KANE_WORK_INTEGRALS; i++)
        kane_channel_add(list, "J", "the power of this name, integrated since the start", work_value, 0, i, "%s",
                         names[i]);
}
