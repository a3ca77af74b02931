// SPDX-License-Identifier: MIT
// Wheels: the contact of each wheelset with the track's rails.

#include "model/compile.h"

kane_wheels_definition kane_wheels_definition_default(void)
{
    const kane_contact_definition d = kane_contact_definition_default();
    return (kane_wheels_definition){.profile     = {d.wheel[0], NULL},
                                    .radius      = {d.radius[0], 0.0},
                                    .flange_back = d.flange_back,
                                    .friction    = {1.0, 1.0},
                                    .laws        = d.laws};
}

kane_contact_definition kane_wheels_pair(const kane_wheels_definition *wheels, const kane_track_definition *track)
{
    kane_contact_definition d = kane_contact_definition_default();
    for (int side = 0; side < 2; side++) {
        d.wheel[side]  = wheels->profile[side];
        d.radius[side] = wheels->radius[side];
        d.rail[side]   = track->rail[side];
    }
    d.flange_back  = wheels->flange_back;
    d.laws         = wheels->laws;
    d.inclination  = track->inclination;
    d.gauge        = track->gauge;
    d.gauge_height = track->gauge_height;
    for (int side = 0; side < 2; side++)
        d.laws.friction[side] = wheels->friction[side] * track->friction;
    if (wheels->way != KANE_CONTACT_ELASTIC) // what does not approach does not dissipate
        d.laws.dissipation_law = KANE_DISSIPATION_NONE;
    return d;
}

// Whether two wheelsets obey the same laws, friction apart.
static int same_laws(const kane_contact_laws *a, const kane_contact_laws *b)
{
    return a->creep == b->creep && a->fastsim.bound == b->fastsim.bound &&
           a->fastsim.flexibility == b->fastsim.flexibility && a->fastsim.strips == b->fastsim.strips &&
           a->fastsim.steps == b->fastsim.steps && a->polach.kA == b->polach.kA && a->polach.kS == b->polach.kS &&
           a->own.eval == b->own.eval && a->own.derive == b->own.derive && a->own.data == b->own.data &&
           a->dissipation_law == b->dissipation_law && a->dissipation == b->dissipation &&
           a->restitution == b->restitution && a->transition == b->transition && a->shear_modulus == b->shear_modulus &&
           a->poisson == b->poisson && a->flange_friction == b->flange_friction &&
           a->falling.ratio == b->falling.ratio && a->falling.decay == b->falling.decay && a->slow == b->slow;
}

static int same_profiles(const kane_profile *a, const kane_profile *b)
{
    return a == b || (a && b && kane_profile_same(a, b));
}

static int same(const kane_wheels_definition *a, const kane_wheels_definition *b)
{
    return a->way == b->way && same_profiles(a->profile[0], b->profile[0]) &&
           same_profiles(a->profile[1], b->profile[1]) && a->radius[0] == b->radius[0] &&
           a->radius[1] == b->radius[1] && a->flange_back == b->flange_back && a->friction[0] == b->friction[0] &&
           a->friction[1] == b->friction[1] && same_laws(&a->laws, &b->laws);
}

// An earlier wheelset with the same wheels, NULL if there is none.
static const kane_wheels *find_same(const kane_compiler *c, const kane_wheels_definition *d)
{
    for (int i = 0; i < c->model->wheels_count; i++)
        if (same(c->vehicle->bodies[c->model->wheels[i].body].wheels, d))
            return &c->model->wheels[i];
    return NULL;
}

// The second map: v_z and w_x of the body follow from the others.
static void let_follow(kane_body *body)
{
    static const int independent[] = {0, 1, 4, 5};
    body->follows                  = 1;
    body->u_count                  = 4;
    body->u_turns                  = 2;
    for (int i = 0; i < body->u_count; i++)
        body->component[i] = independent[i];
}

// Whether the rails' distance changes along the line: then rigid contact functions of one distance do not hold.
static int moves_apart(const kane_track *track)
{
    const double length = kane_track_length(track);
    if (!kane_track_is_irregular(track))
        return 0;
    for (double s = 0.0; s <= length; s += 0.05) {
        kane_rail_offset left, right;
        kane_track_rail(track, KANE_LEFT, s, &left);
        kane_track_rail(track, KANE_RIGHT, s, &right);
        if (fabs(left.y - right.y) > 1e-6)
            return 1;
    }
    return 0;
}

// A wheelset finds its height and roll on the rails: whatever it hangs by must leave it free. Returns 0 with an error.
static int check_joined(kane_compiler *c, int j, kane_place place)
{
    const kane_body_definition *d = &c->vehicle->bodies[j];
    const unsigned freedoms = d->joint ? (d->joint->kind == KANE_JOINT_FREE ? d->joint->freedoms : 0) : d->freedoms;
    if (c->model->bodies[j].alone)
        return 1;
    if (d->wheels->way != KANE_CONTACT_ELASTIC)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, place,
            "rails guide '%s' without giving way, which joints and constraints of it are not made for; "
            "its wheels need the elastic contact",
            d->block.name);
    else if (d->joint && (freedoms != KANE_ALL_FREEDOMS || d->joint->motion_count > 0))
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, place,
            "'%s' has wheels, which find their place on the rails by themselves: its joint must be free "
            "in all six freedoms, with stiff elements or constraints for what is to be held",
            d->block.name);
    else
        return 1;
    return 0;
}

// What rails cannot guide without giving way. Returns 0 with an error.
static int check_guided(kane_compiler *c, const kane_body_definition *d, kane_place place)
{
    const kane_track *track = c->model->track;
    const char *why         = NULL;
    if (d->wheels->way == KANE_CONTACT_ELASTIC)
        return 1;
    if (d->freedoms != KANE_ALL_FREEDOMS)
        why = "it must have all its freedoms";
    else if (kane_track_get_definition(track)->is_flexible)
        why = "the track must not be flexible";
    else if (d->wheels->way == KANE_CONTACT_TABLES && moves_apart(track))
        why = "the tables know one distance of the rails: irregularities must not change the gauge";
    if (why)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place, "rails guide '%s' without giving way, but then %s",
                              d->block.name, why);
    return why == NULL;
}

// A wheelset that would ride on its flanges was not meant.
static void check_play(kane_compiler *c, const kane_contact *contact, const kane_body_definition *d, kane_place place)
{
    const double play = kane_contact_play(contact);
    if (play < 0.0)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "the flanges of '%s' do not go between the rails, %.4g mm are missing: check flange_back "
                              "and the track's gauge",
                              d->block.name, -1e3 * play);
}

// NULL with an error at the place of the wheelset.
static kane_wheelset_table *make_guide(kane_compiler *c, const kane_contact *contact, const kane_body_definition *d,
                                       kane_place place)
{
    kane_errors why            = {0};
    kane_wheelset_table *guide = kane_wheelset_table_create(contact, &why);
    if (!guide)
        kane_errors_add_input(c->errors, why.kept[0].status == KANE_NO_MEMORY ? KANE_NO_MEMORY : KANE_BAD_INPUT, place,
                              "'%s' cannot be guided by tables: %s", d->block.name, why.kept[0].text);
    return guide;
}

void kane_compile_wheels(kane_compiler *c)
{
    kane_model *model = c->model;
    for (int j = 0; j < c->vehicle->body_count; j++) {
        const kane_body_definition *d = &c->vehicle->bodies[j];
        if (!d->wheels)
            continue;
        const kane_place place = kane_block_place(&d->block, NULL, -1);
        if (!model->track || d->kind != KANE_BODY_SPINNING) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                                  model->track ? "'%s' has wheels but does not spin"
                                               : "'%s' has wheels but there is no track",
                                  d->block.name);
            continue;
        }
        if (!check_joined(c, j, place) || !check_guided(c, d, place))
            continue;
        const kane_track_definition *track = kane_track_get_definition(model->track);
        if (track->friction == 0.0 && kane_track_friction_changes(model->track)) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, track->place,
                                  "friction changes along the line, but the rails' own friction is 0, against which "
                                  "changes count; give the rails some");
            continue;
        }
        const kane_wheels *like      = find_same(c, d->wheels);
        kane_contact_definition pair = kane_wheels_pair(d->wheels, track);
        pair.tables                  = c->options->tables;
        kane_contact *contact        = like ? like->contact : kane_contact_create(&pair, c->errors);
        kane_wheelset_table *guide   = like ? like->guide : NULL;
        if (!contact)
            continue;
        check_play(c, contact, d, place);
        if (d->wheels->way == KANE_CONTACT_TABLES) {
            let_follow(&model->bodies[j]);
            if (!guide)
                guide = make_guide(c, contact, d, place);
        }
        model->bodies[j].wheels = model->wheels_count;
        kane_wheels *wheels     = &model->wheels[model->wheels_count++];
        *wheels                 = (kane_wheels){
                            .body = j, .way = d->wheels->way, .contact = contact, .guide = guide, .shared = like != NULL, .panel = -1};
        for (int side = 0; side < 2; side++) {
            wheels->rail_distance[side]  = kane_contact_rail_distance(contact, side);
            wheels->wheel_distance[side] = kane_contact_wheel_distance(contact, side);
            wheels->radius[side] = d->wheels->radius[side] != 0.0 ? d->wheels->radius[side] : d->wheels->radius[0];
        }
        kane_compile_rail_frame(c, model->bodies[j].wheels);
    }
}
