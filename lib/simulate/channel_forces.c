// SPDX-License-Identifier: MIT
// The channels of elements and of wheels.

#include "simulate/channels.h"

#include "agem/element.h"
#include "agem/rail_constraint.h"

#include <math.h>

// --- elements ---

typedef enum element_part { FORCE_X, TORQUE_X = 3, DISPLACEMENT_X = 6, SPEED_X = 9, ELEMENT_PARTS = 12 } element_part;

static double element_value(const kane_reading *r, int e, int part)
{
    kane_reading_cache *c = r->cache;
    if (c->element != e)
        kane_get_element(r->model, r->work, e, &c->on_b, &c->relative);
    c->element           = e;
    const kane_vec3 of[] = {c->on_b.force, c->on_b.torque, c->relative.d, c->relative.v};
    return kv3_get(of[part / 3], part % 3);
}

static double state_value(const kane_reading *r, int e, int part)
{
    return r->work->element[e].state[part];
}

static double quantity_value(const kane_reading *r, int e, int part)
{
    const kane_element *element = &r->model->elements[e];
    double values[KANE_LAW_QUANTITIES];
    kane_element_motion motion;
    kane_element_observe(r->model, r->work, element, &motion);
    element->law->observe(element->data, &motion.relative, values);
    return values[part];
}

static void announce_quantities(kane_channel_list *list, const kane_element *element)
{
    kane_law_quantity info[KANE_LAW_QUANTITIES];
    const int count = element->law->quantities ? element->law->quantities(element->data, info) : 0;
    for (int k = 0; k < count; k++)
        kane_channel_add(list, info[k].unit, info[k].help, quantity_value, element->index, k, "%s.%s", element->name,
                         info[k].name);
}

void kane_channels_of_elements(kane_channel_list *list, const kane_model *model)
{
    kane_channel_group_begin(list, KANE_GROUP_ELEMENTS);
    static const char *const names[] = {"force", "torque", "displacement", "velocity"};
    static const char *const units[] = {"N", "N m", "m", "m/s"};
    static const char *const about[] = {"force on the second body, law axes", "torque on the second body, law axes",
                                        "displacement of the second end against the first since rest, law axes",
                                        "its rate, law axes"};
    for (int e = 0; e < model->element_count; e++)
        for (int part = 0; part < ELEMENT_PARTS; part++)
            kane_channel_add(list, units[part / 3], about[part / 3], element_value, e, part, "%s.%s.%s",
                             model->elements[e].name, names[part / 3], kane_axis_name(part % 3));
    for (int e = 0; e < model->element_count; e++)
        announce_quantities(list, &model->elements[e]);
    for (int i = 0; i < model->stateful_count; i++) {
        const kane_element *element = &model->elements[model->stateful[i]];
        for (int k = 0; k < element->state_count; k++)
            kane_channel_add(list, element->states[k].unit, element->states[k].help, state_value, element->index, k,
                             "%s.state.%s", element->name, element->states[k].name);
    }
}

// --- wheels: which = 2 * wheelset + side ---

typedef enum wheel_part { WHEEL_N, WHEEL_Q, WHEEL_Y, WHEEL_T, WHEEL_LIFT, WHEEL_WEAR, WHEEL_PARTS } wheel_part;

// Energy that creep forces dissipate per distance run, sum of |T_x xi_x| + |T_y xi_y| over the patches [J/m]. The share
// of the spin moment, M_z phi, is not in it (T. G. Pearce, N. D. Sherratt, Wear 144, 1991, pp. 343-351).
static double wear_number(const kane_contact_result *c)
{
    double sum = 0.0;
    for (int p = 0; p < c->patch_count; p++)
        sum += fabs(c->patch[p].T_x * c->patch[p].xi_x) + fabs(c->patch[p].T_y * c->patch[p].xi_y);
    return sum;
}

static double wheel_value(const kane_reading *r, int which, int part)
{
    const kane_wheels_state *w   = &r->work->wheels[which / 2];
    const int side               = which % 2;
    const kane_contact_result *c = &w->result[side];
    const kane_vec3 on_rail      = kv3_neg(km3_mulv(w->rail[side].R, c->on_wheel.force));
    double N                     = 0.0;
    for (int p = 0; p < c->patch_count; p++)
        N += c->patch[p].N;
    double lift;
    (void)kane_get_contact(r->model, r->work, r->model->wheels[which / 2].body, (kane_side)side, &lift);
    const double values[WHEEL_PARTS] = {N, -on_rail.z, on_rail.y, -on_rail.x, lift, wear_number(c)};
    return values[part];
}

// patch quantities: part = patch * PATCH_PARTS + quantity. Two patches that grow together are three for a while.
enum { PATCHES = 3, PATCH_PARTS = 19, PATCH_PRESSURE = 17, PATCH_AREA = 18 };

// Largest pressure or area: of no evaluation, and so computed for the rows that ask for them, once a wheel.
static double pressure_value(const kane_reading *r, int which, int patch, int part)
{
    kane_reading_cache *c = r->cache;
    if (c->wheel != which)
        (void)kane_get_contact_pressures(r->model, r->work, r->model->wheels[which / 2].body, (kane_side)(which % 2),
                                         &c->contact);
    c->wheel = which;
    return part == PATCH_AREA ? c->contact.patch[patch].area : c->contact.patch[patch].pressure;
}

static double patch_value(const kane_reading *r, int which, int part)
{
    const kane_contact_result *c = &r->work->wheels[which / 2].result[which % 2];
    if (part / PATCH_PARTS >= c->patch_count)
        return 0.0;
    if (part % PATCH_PARTS >= PATCH_PRESSURE)
        return pressure_value(r, which, part / PATCH_PARTS, part % PATCH_PARTS);
    const kane_patch *p                 = &c->patch[part / PATCH_PARTS];
    const double values[PATCH_PRESSURE] = {p->N,      p->T_x,    p->T_y,   p->M_z,       p->xi_x,  p->xi_y,
                                           p->phi,    p->a,      p->b,     p->approach,  p->angle, p->wheel_y,
                                           p->rail_y, p->radius, p->share, p->conformal, p->minor};
    return values[part % PATCH_PARTS];
}

// check rails
enum { CHECK_PARTS = 4 };

static double check_value(const kane_reading *r, int which, int part)
{
    const kane_check_rail_force *c   = &r->work->wheels[which / 2].check[which % 2];
    const double values[CHECK_PARTS] = {c->N, c->T_x, c->T_z, c->lead};
    return values[part];
}

static void announce_check(kane_channel_list *list, const char *name, const char *side, int which)
{
    static const char *const names[CHECK_PARTS] = {"N", "T_x", "T_z", "lead"};
    static const char *const units[CHECK_PARTS] = {"N", "N", "N", "m"};
    static const char *const about[CHECK_PARTS] = {"force of the check rail on the back of the flange, to the outside",
                                                   "friction of the check rail on the wheel along the rail",
                                                   "friction of the check rail on the wheel, up",
                                                   "how far ahead of the wheel's centre the check rail touches"};
    for (int part = 0; part < CHECK_PARTS; part++)
        kane_channel_add(list, units[part], about[part], check_value, which, part, "%s.%s.check_rail.%s", name, side,
                         names[part]);
}

static void announce_wheel(kane_channel_list *list, const kane_model *model, const char *name, const char *side,
                           int which)
{
    static const char *const names[]                  = {"N", "Q", "Y", "T_x", "lift", "T_gamma"};
    static const char *const units[]                  = {"N", "N", "N", "N", "m", "N"};
    static const char *const about[]                  = {"sum of the normal forces",
                                                         "vertical force on the rail, positive down",
                                                         "lateral force on the rail, positive to the left, track plane",
                                                         "longitudinal force on the wheel",
                                                         "height of the running circle over the rail",
                                                         "wear number: |T_x xi_x| + |T_y xi_y|, all patches"};
    static const char *const patch_names[PATCH_PARTS] = {
        "N",     "T_x",     "T_y",    "M_z",    "xi_x",  "xi_y",      "phi",   "a",        "b",   "approach",
        "angle", "wheel_y", "rail_y", "radius", "share", "conformal", "minor", "pressure", "area"};
    static const char *const patch_units[PATCH_PARTS] = {"N",   "N", "N", "N m", "1", "1", "1/m", "m",  "m",  "m",
                                                         "rad", "m", "m", "m",   "1", "1", "1",   "Pa", "m^2"};
    static const char *const patch_about[PATCH_PARTS] = {
        "normal force",
        "tangential force on the wheel along the rail",
        "tangential force on the wheel across the rail",
        "spin moment on the wheel",
        "longitudinal creepage",
        "lateral creepage",
        "spin creepage",
        "semi-axis along the rail",
        "semi-axis across the rail",
        "approach of wheel and rail",
        "contact angle",
        "place on the wheel, outwards from the running circle",
        "place on the rail, outwards from its highest point",
        "rolling radius",
        "part of this patch's forces that counts: 1 if it is by itself",
        "1 if wheel or rail turn so far over its width that Hertz and Kalker are in doubt",
        "1 if it carries less than a tenth of the wheel's normal force: its pressure is then a rough one",
        "largest pressure",
        "area"};
    kane_channel_group_begin(list, KANE_GROUP_WHEELS);
    for (int part = 0; part < WHEEL_PARTS; part++)
        kane_channel_add(list, units[part], about[part], wheel_value, which, part, "%s.%s.%s", name, side, names[part]);
    if (kane_track_has_check_rails(model->track))
        announce_check(list, name, side, which);
    kane_channel_group_begin(list, KANE_GROUP_CONTACT);
    for (int patch = 0; patch < PATCHES; patch++)
        for (int part = 0; part < PATCH_PARTS; part++)
            kane_channel_add(list, patch_units[part], patch_about[part], patch_value, which, patch * PATCH_PARTS + part,
                             "%s.%s.patch%d.%s", name, side, patch + 1, patch_names[part]);
}

// part 0: of the search for normal forces, 1: of the projection
static double iterations_value(const kane_reading *r, int which, int part)
{
    int count[2];
    (void)which;
    kane_rail_groups_count_iterations(r->model, r->work, &count[0], &count[1]);
    return count[part];
}

static void announce_iterations(kane_channel_list *list)
{
    kane_channel_group_begin(list, KANE_GROUP_CONTACT);
    kane_channel_add(list, "1", "iterations of the last search for normal forces of guided wheels", iterations_value, 0,
                     0, "iterations.normal_forces");
    kane_channel_add(list, "1", "corrections of places in the last projection of guided wheels onto their rails",
                     iterations_value, 0, 1, "iterations.projection");
}

void kane_channels_of_wheels(kane_channel_list *list, const kane_model *model)
{
    for (int i = 0; i < model->wheels_count; i++) {
        const char *name = model->bodies[model->wheels[i].body].name;
        announce_wheel(list, model, name, "left", 2 * i + KANE_LEFT);
        announce_wheel(list, model, name, "right", 2 * i + KANE_RIGHT);
    }
    if (kane_model_is_guided(model))
        announce_iterations(list);
}
