// SPDX-License-Identifier: MIT
// Wheels: the contact of each wheelset with the track's rails.

#include "model/compile.h"

#include "contact/contact.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

kane_wheels_definition kane_wheels_definition_default(void)
{
    const kane_contact_definition d = kane_contact_definition_default();
    return (kane_wheels_definition){.profile     = {d.wheel[0], NULL},
                                    .radius      = {d.radius[0], 0.0},
                                    .flange_back = d.flange_back,
                                    .back_depth  = 9.5e-3,
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
    d.geometry     = wheels->contact_model == KANE_CONTACT_ELASTIC ? wheels->geometry : KANE_GEOMETRY_SEARCHED;
    d.shape_count  = wheels->contact_model == KANE_CONTACT_TABLE ? 0 : track->shape_count;
    d.shapes       = track->shapes;
    d.inclination  = track->inclination;
    d.gauge        = track->gauge;
    d.gauge_height = track->gauge_height;
    for (int side = 0; side < 2; side++)
        d.laws.friction[side] = wheels->friction[side] * track->friction;
    if (wheels->contact_model != KANE_CONTACT_ELASTIC) {
        d.laws.dissipation_law = KANE_DISSIPATION_NONE; // what does not approach does not dissipate
        d.geometry             = KANE_GEOMETRY_SEARCHED;
    }
    return d;
}

// Whether two wheelsets obey the same laws, friction apart.
static int same_laws(const kane_contact_laws *a, const kane_contact_laws *b)
{
    return a->creep == b->creep && a->fastsim.bound == b->fastsim.bound &&
           a->fastsim.flexibility == b->fastsim.flexibility && a->fastsim.strips == b->fastsim.strips &&
           a->fastsim.steps == b->fastsim.steps && a->polach.kA == b->polach.kA && a->polach.kS == b->polach.kS &&
           a->given.longitudinal == b->given.longitudinal && a->given.lateral == b->given.lateral &&
           a->given.limit == b->given.limit && a->given.conicity == b->given.conicity && a->own.eval == b->own.eval &&
           a->own.derive == b->own.derive && a->own.data == b->own.data && a->dissipation_law == b->dissipation_law &&
           a->dissipation == b->dissipation && a->restitution == b->restitution && a->transition == b->transition &&
           a->shear_modulus == b->shear_modulus && a->poisson == b->poisson &&
           a->flange_friction == b->flange_friction && a->falling.ratio == b->falling.ratio &&
           a->falling.decay == b->falling.decay && a->slow == b->slow && a->two_sided == b->two_sided &&
           a->without_spin == b->without_spin;
}

static int same_profiles(const kane_profile *a, const kane_profile *b)
{
    return a == b || (a && b && kane_profile_same(a, b));
}

static int is_same_wheelset(const kane_wheels_definition *a, const kane_wheels_definition *b)
{
    return a->contact_model == b->contact_model && a->geometry == b->geometry &&
           same_profiles(a->profile[0], b->profile[0]) && same_profiles(a->profile[1], b->profile[1]) &&
           a->radius[0] == b->radius[0] && a->radius[1] == b->radius[1] && a->flange_back == b->flange_back &&
           a->back_depth == b->back_depth && a->friction[0] == b->friction[0] && a->friction[1] == b->friction[1] &&
           same_laws(&a->laws, &b->laws);
}

// An earlier wheelset with the same wheels, NULL if there is none.
static const kane_wheels *find_same(const kane_compiler *c, const kane_wheels_definition *d)
{
    for (int i = 0; i < c->model->wheels_count; i++)
        if (is_same_wheelset(c->vehicle->bodies[c->model->wheels[i].body].wheels, d))
            return &c->model->wheels[i];
    return NULL;
}

// Whether height and roll of a wheelset on tables follow from its other coordinates: nothing of its tree has a
// constraint or rails of its own. Else its rails are constraints, whose gaps the tables give.
static int follows_tables(const kane_compiler *c, int body)
{
    int others = c->hinges[body].joint != NULL;
    for (int j = 0; j < c->vehicle->body_count && !others; j++)
        others = kane_compile_root(c, j) == body &&
                 (c->hinges[j].is_constrained || (j != body && c->vehicle->bodies[j].wheels));
    return !others;
}

// The second map: v_z and w_x of the body follow from the others.
static void let_follow(kane_body *body)
{
    static const int independent[] = {0, 1, 4, 5};
    body->is_tabulated             = 1;
    body->u_count                  = 4;
    body->u_turns                  = 2;
    for (int i = 0; i < body->u_count; i++)
        body->component[i] = independent[i];
}

// Whether the rails' distance changes along the line.
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

// How the model finds where wheels touch. Tables are those of one distance and one profile of the rails: where these
// change along the line, height and roll follow from the gaps of both wheels on their own rails (rail_constraint.c).
static kane_contact_model contact_model_of(const kane_wheels_definition *wheels, const kane_track *track)
{
    if (wheels->contact_model == KANE_CONTACT_TABLE && (kane_track_profile_changes(track) || moves_apart(track)))
        return KANE_CONTACT_CONSTRAINT;
    return wheels->contact_model;
}

// What rails cannot guide as a constraint or by tables. Returns 0 with an error.
static int check_guided(kane_compiler *c, const kane_body_definition *d, kane_place place)
{
    const kane_track *track = c->model->track;
    const char *why         = NULL;
    if (d->wheels->contact_model == KANE_CONTACT_ELASTIC)
        return 1;
    if (!d->joint && d->dof != KANE_ALL_DOF)
        why = "it must have all its freedoms, or be attached by a joint";
    else if (kane_track_profile_has_kinks(track))
        why = "rails given by slices have kinks, at which wheels without give would get a shock: \"model\": "
              "\"elastic\" follows them";
    else if (d->inertia[0] != d->inertia[2] || d->inertia[4] != 0.0)
        why = "it must be symmetric about its axle: Ixx = Izz and no product of inertia";
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
    kane_errors why            = {.limit = 1};
    kane_wheelset_table *guide = kane_wheelset_table_create(contact, &why);
    if (!guide)
        kane_errors_add_input(
            c->errors, kane_errors_get(&why, 0)->status == KANE_NO_MEMORY ? KANE_NO_MEMORY : KANE_BAD_INPUT, place,
            "'%s' cannot be guided by tables: %s", d->block.name, kane_errors_get(&why, 0)->text);
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
        const kane_track_definition *track = kane_track_get_definition(model->track);
        if (track->is_road) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                                  "'%s' needs rails, and this track is a road; there run wheels with tyres, elements "
                                  "with the law \"tyre\"",
                                  d->block.name);
            continue;
        }
        if (!check_guided(c, d, place))
            continue;
        if (track->friction == 0.0 && kane_track_friction_changes(model->track)) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, track->place,
                                  "friction changes along the line, but the rails' own friction is 0, against which "
                                  "changes count; give the rails some");
            continue;
        }
        const kane_contact_model contact_model = contact_model_of(d->wheels, model->track);
        const kane_wheels *like                = find_same(c, d->wheels);
        kane_contact_definition pair           = kane_wheels_pair(d->wheels, track);
        pair.tables                            = c->options->tables;
        if (contact_model == KANE_CONTACT_CONSTRAINT) {
            pair.shape_count = track->shape_count;
            pair.gap         = d->wheels->geometry;
        }
        kane_contact *contact      = like ? like->contact : kane_contact_create(&pair, c->errors);
        kane_wheelset_table *guide = like ? like->guide : NULL;
        if (!contact)
            continue;
        check_play(c, contact, d, place);
        if (d->wheels->contact_model == KANE_CONTACT_TABLE && follows_tables(c, j))
            let_follow(&model->bodies[j]);
        if (contact_model == KANE_CONTACT_TABLE && !guide)
            guide = make_guide(c, contact, d, place);
        model->bodies[j].wheels = model->wheels_count;
        kane_wheels *wheels     = &model->wheels[model->wheels_count++];
        *wheels                 = (kane_wheels){.body          = j,
                                                .contact_model = contact_model,
                                                .two_sided     = d->wheels->laws.two_sided,
                                                .contact       = contact,
                                                .guide         = guide,
                                                .shared        = like != NULL,
                                                .panel         = -1,
                                                .rails         = -1};
        for (int side = 0; side < 2; side++) {
            wheels->rail_distance[side]  = kane_contact_rail_distance(contact, side);
            wheels->wheel_distance[side] = kane_contact_wheel_distance(contact, side);
            wheels->radius[side] = d->wheels->radius[side] != 0.0 ? d->wheels->radius[side] : d->wheels->radius[0];
            wheels->flange[side] =
                (kane_flange_back){.inside     = wheels->wheel_distance[side] - 0.5 * d->wheels->flange_back,
                                   .reach      = wheels->radius[side] + d->wheels->back_depth,
                                   .gauge_face = wheels->rail_distance[side] - 0.5 * track->gauge};
        }
        kane_compile_rail_frame(c, model->bodies[j].wheels);
    }
}

// --- wheelsets whose rails answer together ---

// The link that inertia couples a link to.
static int root_of(const kane_tree *tree, int i)
{
    if (tree->links[i].role == KANE_FLEX_MODE)
        i = tree->flexes[tree->links[i].flex].carrier;
    while (tree->links[i].parent >= 0 && tree->links[i].kind != KANE_LINK_BODY)
        i = tree->links[i].parent;
    return i;
}

// Whether inertia couples a link to a group.
static int is_coupled(const kane_model *model, const kane_rail_group *rails, int link)
{
    const int cluster = kane_compile_cluster_of(model, link);
    return cluster == rails->cluster && (cluster >= 0 || root_of(&model->tree, link) == rails->root);
}

// All links that inertia couples to a group, and what lies between them.
static kane_links tree_of(const kane_model *model, const kane_rail_group *rails)
{
    kane_links run = {rails->root, rails->root + 1};
    for (int i = 0; i < model->tree.link_count; i++)
        if (is_coupled(model, rails, i)) {
            run.first = i < run.first ? i : run.first;
            run.end   = i + 1 > run.end ? i + 1 : run.end;
        }
    return run;
}

// All guided wheelsets that inertia couples to one.
static void gather_rails(kane_compiler *c, int link)
{
    kane_model *model      = c->model;
    kane_rail_group *rails = &model->rails[model->rails_count];
    *rails = (kane_rail_group){.cluster = kane_compile_cluster_of(model, link), .root = root_of(&model->tree, link)};
    rails->run    = tree_of(model, rails);
    rails->wheels = kane_arena_alloc(model->arena, (size_t)model->wheels_count, sizeof *rails->wheels);
    for (int i = 0; i < model->wheels_count && rails->wheels; i++)
        if (kane_wheels_are_guided(&model->wheels[i]) && is_coupled(model, rails, kane_wheels_link(model, i))) {
            model->wheels[i].rails        = model->rails_count;
            rails->wheels[rails->count++] = i;
            rails->is_tabulated |= model->bodies[model->wheels[i].body].is_tabulated;
        }
    model->rails_count += rails->wheels != NULL;
}

void kane_compile_rails(kane_compiler *c)
{
    kane_model *model = c->model;
    model->rails      = kane_arena_alloc(model->arena, (size_t)model->wheels_count, sizeof *model->rails);
    for (int i = 0; i < model->wheels_count && model->rails; i++)
        if (kane_wheels_are_guided(&model->wheels[i]) && model->wheels[i].rails < 0)
            gather_rails(c, kane_wheels_link(model, i));
}

// === How a wheelset rests on its rails, rolling straight ahead: by Newton's method where wheels give way, by the rigid contact
// functions where they do not.

// Where wheels slide, the torque hardly depends on the spin, and its slope would lead far beyond rolling: no step is
// longer than this part of the spin.
static const double SLIDE = 1e-3;

// Forces of rigid rails at the mass centre of a wheelset that rolls straight ahead on straight level track, turned
// about x by `roll` [rad], `height` [m] over the running surface, with spin [rad/m] per speed [m/s]: wrench and
// vertical loads.
static kane_status press_on_rails(const kane_wheels *wheels, double speed, double height, double roll, double spin,
                                  kane_wrench *sum, double load[2])
{
    const kane_vec3 axle = kv3(0.0, cos(roll), sin(roll));
    *sum                 = (kane_wrench){kv3_zero(), kv3_zero()};
    for (int side = 0; side < 2; side++) {
        const double outside = side == KANE_LEFT ? 1.0 : -1.0;
        const kane_vec3 arm  = kv3_scale(outside * wheels->wheel_distance[side], axle);
        kane_wheel_motion m  = {.axle = axle, .velocity = kv3(speed, 0.0, 0.0), .omega = kv3_scale(spin * speed, axle)};
        kane_contact_result result;
        m.centre = kv3_sub(kv3_add(kv3(0.0, 0.0, height), arm), kv3(0.0, outside * wheels->rail_distance[side], 0.0));
        const kane_status status = kane_contact_eval(wheels->contact, side, &m, &result);
        if (status != KANE_OK)
            return status;
        const kane_vec3 torque = kv3_add(result.on_wheel.torque, kv3_cross(arm, result.on_wheel.force));
        load[side]             = result.on_wheel.force.z;
        *sum                   = kw_add(*sum, (kane_wrench){result.on_wheel.force, torque});
    }
    return KANE_OK;
}

// Vertical force [N] and torque about x and about the axle [N m] of the rails on a wheelset in this position.
static kane_status find_rail_forces(const kane_wheels *wheels, double speed, const double x[3], double f[3],
                                    double load[2])
{
    kane_wrench sum;
    const kane_status status = press_on_rails(wheels, speed, x[0], x[1], x[2], &sum, load);
    f[0]                     = sum.force.z;
    f[1]                     = sum.torque.x;
    f[2]                     = kv3_dot(sum.torque, kv3(0.0, cos(x[1]), sin(x[1])));
    return status;
}

// One Newton step for find_rail_forces() = target by differences. Returns the size of the step in units of `scale`, or
// -1.
static double solve_newton_step(const kane_wheels *wheels, double speed, const double target[3], double x[3],
                                double load[2])
{
    const double scale[3] = {1e-7, 1e-7, 1e-5}; // m, rad, rad/m: far below the elastic approach
    double f[3], column[3][3];
    if (find_rail_forces(wheels, speed, x, f, load) != KANE_OK)
        return -1.0;
    for (int k = 0; k < 3; k++) {
        double up[3], down[3], moved[3] = {x[0], x[1], x[2]};
        moved[k] = x[k] + scale[k];
        if (find_rail_forces(wheels, speed, moved, up, load) != KANE_OK)
            return -1.0;
        moved[k] = x[k] - scale[k];
        if (find_rail_forces(wheels, speed, moved, down, load) != KANE_OK)
            return -1.0;
        for (int i = 0; i < 3; i++)
            column[k][i] = (up[i] - down[i]) / (2.0 * scale[k]);
    }
    if (fabs(column[2][2]) < 1e-6 * fabs(f[0])) { // no friction holds the wheels: any spin will do
        column[2][2] = 1.0;
        f[2]         = target[2];
    }
    const kane_mat3 K    = {{column[0][0], column[0][1], column[0][2]},
                            {column[1][0], column[1][1], column[1][2]},
                            {column[2][0], column[2][1], column[2][2]}};
    const kane_vec3 miss = kv3(target[0] - f[0], target[1] - f[1], target[2] - f[2]);
    const kane_vec3 step = km3_solve(K, miss);
    const double limit   = fmin(1.0, 1e-3 / (fabs(step.x) + 1e-300)); // a millimetre at a time
    x[0] += limit * step.x;
    x[1] += limit * step.y;
    x[2] += fmax(-SLIDE, fmin(SLIDE, step.z / x[2])) * x[2];
    return fabs(step.x) / scale[0] + fabs(step.y) / scale[1] + fabs(step.z) / scale[2];
}

// The same for wheels that touch without giving way: height and roll such that both gaps are closed.
//   lift, tilt  vertical force [1] and torque about x [m] per normal force
static kane_status close_rigid_gaps(kane_wheels *wheels, kane_gap contact_point[2], double lift[2], double tilt[2])
{
    const kane_status status =
        kane_rigid_position(wheels->contact, 0.0, 0.0, &wheels->height, &wheels->roll, contact_point);
    const kane_vec3 axle = kv3(0.0, cos(wheels->roll), sin(wheels->roll));
    for (int side = 0; side < 2 && status == KANE_OK; side++) {
        const double outside = side == KANE_LEFT ? 1.0 : -1.0;
        const kane_vec3 arm  = kv3_scale(outside * wheels->wheel_distance[side], axle);
        lift[side]           = contact_point[side].direction.z;
        tilt[side]           = kv3_add(contact_point[side].twist, kv3_cross(arm, contact_point[side].direction)).x;
    }
    return status;
}

// ... and the normal forces that carry the load.
static int rest_guided(kane_wheels *wheels, double vertical, double torque)
{
    kane_gap contact_point[2];
    double lift[2], tilt[2];
    if (close_rigid_gaps(wheels, contact_point, lift, tilt) != KANE_OK)
        return 1;
    const double determinant = lift[0] * tilt[1] - lift[1] * tilt[0];
    const double left        = (tilt[1] * vertical - lift[1] * torque) / determinant,
                 right       = (lift[0] * torque - tilt[0] * vertical) / determinant;
    wheels->load[0]          = lift[0] * left;
    wheels->load[1]          = lift[1] * right;
    wheels->spin             = 2.0 / (contact_point[0].radius + contact_point[1].radius);
    return !(left > 0.0 && right > 0.0);
}

// How a wheelset comes down: in steps, a stride of which is gone at once where nothing happens.
enum { STRIDE = 40, STRIDES = 100 };
static const double down = 5e-6; // a step [m]

// Which wheels have come to stand.
typedef struct landing {
    const kane_wheels *wheels;
    double speed, quarter; // of the load [N]
    double stands[2];      // height at which each wheel takes it [m]
    int standing;          // bits: wheels that do
} landing;

// Looks at one height, x[0]. Returns 0 if there are no forces.
static int evaluate_height(landing *l, const double x[3], double load[2])
{
    double f[3];
    if (find_rail_forces(l->wheels, l->speed, x, f, load) != KANE_OK)
        return 0;
    for (int side = 0; side < 2; side++)
        if (!(l->standing & (1 << side)) && load[side] >= l->quarter) {
            l->stands[side] = x[0];
            l->standing |= 1 << side;
        }
    return 1;
}

// One stride down: if a wheel stands at its end, which deeper wheels do more firmly, step by step from its beginning.
static int go_down(landing *l, double x[3], double load[2])
{
    const landing before = *l;
    const double above   = x[0];
    for (int i = 0; i < STRIDE; i++)
        x[0] -= down;
    if (!evaluate_height(l, x, load))
        return 0;
    if (l->standing == before.standing)
        return 1;
    *l   = before;
    x[0] = above;
    for (int i = 0; i < STRIDE && l->standing < 3; i++) {
        x[0] -= down;
        if (!evaluate_height(l, x, load))
            return 0;
    }
    return 1;
}

// Lets a wheelset down onto the rails, first so that its running circles are level, until each wheel has taken a
// quarter of the load; height and roll are then those at which each does. 1, or 0 if it never stands.
static int come_down(const kane_wheels *wheels, double speed, double vertical, double x[3], double load[2])
{
    const double *r = wheels->radius, span = wheels->wheel_distance[0] + wheels->wheel_distance[1];
    const double level = (r[0] - r[1]) / span;
    landing l          = {.wheels = wheels, .speed = speed, .quarter = 0.25 * vertical};
    x[0]               = 0.5 * (r[0] + r[1]) + 0.01;
    x[1]               = level;
    x[2]               = 2.0 / (r[0] + r[1]);
    for (int i = 0; i < STRIDES && l.standing < 3; i++)
        if (!go_down(&l, x, load))
            return 0;
    x[0] = 0.5 * (l.stands[0] + l.stands[1]);
    x[1] = level + (l.stands[0] - l.stands[1]) / span;
    return l.standing == 3;
}

int kane_wheels_rest(kane_wheels *wheels, double speed, double vertical, double torque)
{
    if (kane_wheels_are_guided(wheels))
        return rest_guided(wheels, vertical, torque);
    const double rolling   = wheels->spin > 0.0 ? wheels->spin : 2.0 / (wheels->radius[0] + wheels->radius[1]);
    double x[3]            = {wheels->height, wheels->roll, rolling}, f[3];
    const double target[3] = {vertical, torque, 0.0};

    // not touching yet: come down to the rail
    if (find_rail_forces(wheels, speed, x, f, wheels->load) != KANE_OK || !(f[0] > 0.0))
        if (!come_down(wheels, speed, vertical, x, wheels->load))
            return 1;
    double size = 1.0;
    for (int i = 0; i < 40 && size > 1e-8; i++) {
        size = solve_newton_step(wheels, speed, target, x, wheels->load);
        if (!(size >= 0.0))
            return 1;
    }
    if (find_rail_forces(wheels, speed, x, f, wheels->load) != KANE_OK ||
        !(fabs(f[0] - vertical) <= 1e-6 * fabs(vertical)) || !(fabs(f[2]) * x[2] <= 1e-6 * fabs(vertical)))
        return 1;
    wheels->height = x[0];
    wheels->roll   = x[1];
    wheels->spin   = x[2];
    return 0;
}

// === Panels of flexible track: one under each wheelset, a body of the model behind those of the vehicle.

// "leading.track"; no body of the vehicle may be called so.
static const char *name_panel(kane_compiler *c, const char *wheelset)
{
    char name[256];
    (void)snprintf(name, sizeof name, "%.240s.track", wheelset);
    const int taken = kane_names_find(kane_compile_body_names(c), name);
    if (taken >= 0)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->bodies[taken].block, NULL, -1),
                              "on flexible track '%s' is what moves under '%s'; no body can be called so", name,
                              wheelset);
    return kane_compile_text(c, name);
}

// A panel is a link that slides and rolls against its section, with inertia in these directions alone.
static void attach_panel(kane_compiler *c, int body)
{
    kane_model *model                          = c->model;
    model->bodies[body].link                   = model->tree.link_count;
    model->link_body[model->tree.link_count++] = body;
    c->hinges[body] =
        (kane_hinge){.parent = -1, .from = {-1, kv3_zero(), km3_identity()}, .to = {body, kv3_zero(), km3_identity()}};
}

void kane_compile_panels(kane_compiler *c)
{
    kane_model *model = c->model;
    if (!model->track || !kane_track_get_definition(model->track)->is_flexible)
        return;
    const kane_flexibility_definition *d = &kane_track_get_definition(model->track)->flexibility;
    (void)kane_compile_section(model);
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_body *wheelset = &model->bodies[model->wheels[i].body];
        kane_panel *panel         = &model->panels[model->panel_count++];
        kane_body *body           = &model->bodies[model->body_count];

        panel->wheels = i;
        memcpy(panel->inertia, d->inertia, sizeof panel->inertia);
        memcpy(panel->stiffness, d->stiffness, sizeof panel->stiffness);
        memcpy(panel->damping, d->damping, sizeof panel->damping);
        *body = (kane_body){.name         = name_panel(c, wheelset->name),
                            .kind         = KANE_BODY_RIGID,
                            .panel        = panel,
                            .principal    = km3_identity(),
                            .frame        = model->wheels[i].frame,
                            .track_frame  = model->wheels[i].frame,
                            .level_frame  = model->wheels[i].frame,
                            .wheels       = -1,
                            .is_free_body = 1};
        kane_compile_dof(body, KANE_DOF(KANE_Y) | KANE_DOF(KANE_Z) | KANE_DOF(KANE_ROLL));
        attach_panel(c, model->body_count);
        model->wheels[i].panel = model->body_count++;
    }
}

// What the wheels press on the track at rest: there the springs' displacements are zero, so that everything stands
// where it stands on rigid track. Statics asks the rails for a vertical force and a moment, not for a lateral force:
// what little wheels turned by an eccentric load exert there is gone when they have found their equilibrium.
void kane_compile_panel_loads(kane_compiler *c)
{
    const kane_model *model = c->model;
    const double speed      = model->speed > 1.0 ? model->speed : 1.0;
    for (int i = 0; i < model->panel_count; i++) {
        kane_panel *panel   = &model->panels[i];
        kane_wheels *wheels = &model->wheels[panel->wheels];
        kane_gap contact_point[2];
        kane_wrench on_wheels;
        double load[2], lift[2], tilt[2];
        if (kane_wheels_are_guided(wheels)) {
            if (close_rigid_gaps(wheels, contact_point, lift, tilt) != KANE_OK)
                continue;
            panel->load[1] = -(wheels->load[0] + wheels->load[1]);
            panel->load[2] = -(tilt[0] * wheels->load[0] / lift[0] + tilt[1] * wheels->load[1] / lift[1]);
            continue;
        }
        if (press_on_rails(wheels, speed, wheels->height, wheels->roll, wheels->spin, &on_wheels, load) != KANE_OK)
            continue; // reported when the wheelset found no rest
        panel->load[1] = -on_wheels.force.z;
        panel->load[2] = -on_wheels.torque.x;
    }
}
