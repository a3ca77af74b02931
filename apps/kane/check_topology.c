// SPDX-License-Identifier: MIT
// How bodies hang together, counted with joints of one freedom each: a joint of n freedoms is n of them with n - 1
// auxiliary bodies without mass between. So count Y. Pan, A. Callejo, J. L. Bueno, R. A. Wehage and J. Garcia de Jalon,
// Efficient and accurate modeling of rigid rods, Multibody System Dynamics 40 (2017): tables 1, 7 and 8.

#include "check.h"

#include <string.h>

// What removing a rod or cutting a joint spares, table 1; its equations take its place.
typedef struct closing {
    int is_joint;                    // 1: a cut joint, 0: a removed rod
    int joints, bodies, coordinates; // eliminated
} closing;

static const closing *closing_of(kane_constraint_kind kind)
{
    static const closing all[KANE_CONSTRAINT_KINDS] = {
        [KANE_CONSTRAINT_ROD] = {0, 2, 1, 6},         [KANE_CONSTRAINT_DISTANCE] = {0, 2, 1, 6},
        [KANE_CONSTRAINT_SPHERICAL] = {1, 1, 0, 3},   [KANE_CONSTRAINT_REVOLUTE] = {1, 1, 0, 1},
        [KANE_CONSTRAINT_CYLINDRICAL] = {1, 1, 0, 2}, [KANE_CONSTRAINT_PRISMATIC] = {1, 1, 0, 1},
        [KANE_CONSTRAINT_UNIVERSAL] = {1, 1, 0, 2},   [KANE_CONSTRAINT_PLANAR] = {1, 1, 0, 3},
        [KANE_CONSTRAINT_WELD] = {1, 1, 0, 0}};
    return all[kind].joints > 0 ? &all[kind] : NULL;
}

typedef struct topology {
    int bodies, auxiliary, welds; // with the ground; without freedoms
    int prismatic, revolute;      // joints of the tree
    int modes;                    // of deformable bodies
    int driven;                   // coordinates whose motion is given
    int rods, cut_joints, cut_coordinates;
    int equations, of_rods, of_joints, of_others, of_rails;
    int guided; // wheelsets whose gaps the rails keep closed: two equations each
    int number[KANE_CONSTRAINT_KINDS], equations_of[KANE_CONSTRAINT_KINDS];
} topology;

static int coordinates(const topology *t)
{
    return t->prismatic + t->revolute + t->modes;
}

// --- counting ---

static void count_coordinate(topology *t, const char *name)
{
    const char *unit = kane_coordinate_unit(name);
    if (unit && strcmp(unit, "m") == 0)
        t->prismatic++;
    else
        t->revolute++;
}

static void count_body(topology *t, const kane_body_definition *body)
{
    const int is_guided                = body->wheels && body->wheels->contact_model != KANE_CONTACT_ELASTIC;
    const kane_joint_definition *joint = body->joint;
    const int before                   = coordinates(t);
    if (!joint) {
        for (int c = 0; c < KANE_COORDINATES; c++)
            if (body->dof & KANE_DOF(c))
                count_coordinate(t, kane_coordinate_name((kane_coordinate)c));
    } else if (joint->kind == KANE_JOINT_SPHERICAL) {
        t->revolute += 3; // by four Euler parameters
    } else {
        for (int c = 0; c < kane_joint_coordinate_count(joint); c++)
            count_coordinate(t, kane_joint_coordinate_name(joint, c));
    }
    const int dof = coordinates(t) - before;
    t->bodies++;
    t->welds += dof == 0;
    t->auxiliary += dof > 1 ? dof - 1 : 0;
    t->driven += joint ? joint->motion_count : 0;
    t->modes += body->deformable ? body->deformable->mode_count : 0;
    t->guided += is_guided;
    t->of_rails += 2 * is_guided;
    t->equations += 2 * is_guided;
}

static void count_constraint(topology *t, kane_constraint_kind kind, int equations)
{
    const closing *c = closing_of(kind);
    t->number[kind]++;
    t->equations_of[kind] += equations;
    t->equations += equations;
    if (!c) {
        t->of_others += equations;
    } else if (c->is_joint) {
        t->cut_joints++;
        t->cut_coordinates += c->coordinates;
        t->of_joints += equations;
    } else {
        t->rods++;
        t->of_rods += equations;
    }
}

static topology count(const kane_run_definition *run, const kane_model *model)
{
    const kane_vehicle_definition *v = run->vehicle;
    topology t                       = {.bodies = 1};
    for (int i = 0; i < v->body_count; i++) {
        count_body(&t, &v->bodies[i]);
        t.driven += v->guide && run->drive.kind == KANE_DRIVE_PRESCRIBED &&
                    strcmp(v->bodies[i].block.name, v->guide) == 0 && !v->bodies[i].joint &&
                    (v->bodies[i].dof & KANE_DOF(KANE_X));
    }
    t.bodies += t.auxiliary;
    for (int i = 0; i < v->constraint_count; i++)
        count_constraint(&t, v->constraints[i].kind, kane_model_equation_count(model, i));
    return t;
}

// --- telling ---

static const char *of_bodies(int count)
{
    return app_plural(count, (app_noun){"body", "bodies"});
}

static void print_kinds(const topology *t)
{
    const char *before = " (";
    for (int k = 0; k < KANE_CONSTRAINT_KINDS; k++) {
        const closing *c = closing_of((kane_constraint_kind)k);
        if (t->number[k] == 0 || !c || !c->is_joint)
            continue;
        (void)printf("%s%d %s", before, t->number[k], kane_constraint_kind_name((kane_constraint_kind)k));
        before = ", ";
    }
    (void)printf("%s", t->cut_joints > 0 ? ")" : "");
}

static void print_items(const topology *t, int dof)
{
    const int dependent = coordinates(t) - t->driven - dof;
    (void)printf("\nwith joints of one freedom each\n");
    (void)printf("  %3d %s with the ground, %d of them auxiliary\n", t->bodies, of_bodies(t->bodies), t->auxiliary);
    (void)printf("  %3d joints: %d prismatic, %d revolute, ", t->prismatic + t->revolute + t->welds + t->cut_joints,
                 t->prismatic, t->revolute);
    if (t->welds > 0)
        (void)printf("%d without freedoms, ", t->welds);
    (void)printf("%d cut", t->cut_joints);
    print_kinds(t);
    (void)printf("\n  %3d %s removed\n", t->rods, app_plural(t->rods, (app_noun){"rod", "rods"}));
    (void)printf("  %3d relative coordinates: %d independent, %d driven, %d dependent", coordinates(t), dof, t->driven,
                 dependent);
    if (t->modes > 0)
        (void)printf("; %d of them are modes", t->modes);
    (void)printf("\n  %3d constraint equations: %d of rods, %d of cut joints", t->equations, t->of_rods, t->of_joints);
    if (t->of_others > 0)
        (void)printf(", %d others", t->of_others);
    if (t->of_rails > 0)
        (void)printf(", %d of rails", t->of_rails);
    if (t->equations > dependent)
        (void)printf("; %d of them redundant", t->equations - dependent);
    (void)printf("\n");
}

static void print_term(app_noun what, int number, int each)
{
    if (number > 0)
        (void)printf("  %3d %-18s %+3d  %+5d\n", number, app_plural(number, what), each, number * each);
}

// Freedoms of bodies less what joints and equations take.
static void print_dof(const topology *t, int dof)
{
    const int parts = t->bodies - 1, found = dof + t->driven;
    int sum = 6 * parts - 5 * (t->prismatic + t->revolute) - 6 * t->welds + t->modes;
    (void)printf("freedoms, those of driven coordinates among them\n");
    print_term((app_noun){"part", "parts"}, parts, 6);
    print_term((app_noun){"prismatic joint", "prismatic joints"}, t->prismatic, -5);
    print_term((app_noun){"revolute joint", "revolute joints"}, t->revolute, -5);
    print_term((app_noun){"joint without any", "joints without any"}, t->welds, -6);
    print_term((app_noun){"mode", "modes"}, t->modes, 1);
    for (int k = 0; k < KANE_CONSTRAINT_KINDS; k++) {
        char what[64];
        const closing *c = closing_of((kane_constraint_kind)k);
        (void)snprintf(what, sizeof what, "%s %s", kane_constraint_kind_name((kane_constraint_kind)k),
                       c ? (c->is_joint ? "cut" : "removed") : "");
        if (t->number[k] > 0)
            (void)printf("  %3d %-18s %+3d  %+5d\n", t->number[k], what, -t->equations_of[k] / t->number[k],
                         -t->equations_of[k]);
        sum -= t->equations_of[k];
    }
    print_term((app_noun){"wheelset on rails", "wheelsets on rails"}, t->guided, -2);
    sum -= t->of_rails;
    if (sum != found)
        (void)printf("      %-23s %+5d\n", "redundant equations", found - sum);
    (void)printf("      %-23s %5d\n", "freedoms", found);
}

// What is spared where loops are opened, kind by kind.
static void print_closings(const topology *t)
{
    int head = 0;
    for (int k = 0; k < KANE_CONSTRAINT_KINDS; k++) {
        const closing *c = closing_of((kane_constraint_kind)k);
        const int n      = t->number[k];
        if (n == 0 || !c)
            continue;
        if (!head++)
            (void)printf("opened loops: equations, and what they eliminate: joints, bodies, relative coordinates\n");
        (void)printf("  %3d %-18s %3d  %5d %5d %5d\n", n, kane_constraint_kind_name((kane_constraint_kind)k),
                     t->equations_of[k], n * c->joints, n * c->bodies, n * c->coordinates);
    }
}

// Freedoms without those of panels of track.
static int dof_of_bodies(const kane_run_definition *run, const kane_model *model)
{
    int wheelsets = 0;
    for (int i = 0; i < run->vehicle->body_count; i++)
        wheelsets += run->vehicle->bodies[i].wheels != NULL;
    const int is_flexible = run->track && kane_track_get_definition(run->track)->is_flexible;
    return kane_model_dof_count(model) - (is_flexible ? 3 * wheelsets : 0);
}

void kane_check_topology(const kane_run_definition *run, const kane_model *model)
{
    const kane_vehicle_definition *v = run->vehicle;
    int holds                        = v->constraint_count > 0;
    for (int i = 0; i < v->body_count; i++)
        holds = holds || v->bodies[i].joint != NULL;
    if (!holds)
        return;
    const topology t = count(run, model);
    const int dof    = dof_of_bodies(run, model);
    print_items(&t, dof);
    print_dof(&t, dof);
    print_closings(&t);
}
