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

// --- tables ---

static kane_table begin_counts(kane_arena *arena, const char *title, const char *about, int more,
                               const kane_table_column *columns)
{
    kane_table t = kane_table_begin(arena, 2 + more, 24);
    t.title      = title;
    t.about      = about;
    kane_table_add_columns(
        &t, 2,
        (const kane_table_column[]){{.name = "number", .unit = "1", .text = {"", .gap = 2, .none = ""}},
                                    {.name = "what", .unit = "", .text = {"", .width = -1}}});
    kane_table_add_columns(&t, more, columns);
    return t;
}

// What there is none of is no row.
static void add_count(kane_table *t, int number, const char *what)
{
    if (number > 0)
        kane_table_add(t, 2, (const kane_cell[]){kane_cell_count(number), kane_cell_word(what)});
}

static kane_table tabulate_items(kane_arena *arena, const topology *c, int dof)
{
    kane_table t        = begin_counts(arena, "topology", "with joints of one freedom each", 0, NULL);
    const int dependent = coordinates(c) - c->driven - dof;
    add_count(&t, c->bodies, "bodies with the ground");
    add_count(&t, c->auxiliary, "of them auxiliary");
    add_count(&t, c->prismatic + c->revolute + c->welds + c->cut_joints, "joints");
    add_count(&t, c->prismatic, "of them prismatic");
    add_count(&t, c->revolute, "of them revolute");
    add_count(&t, c->welds, "of them without freedoms");
    for (int k = 0; k < KANE_CONSTRAINT_KINDS; k++) {
        const closing *closes = closing_of((kane_constraint_kind)k);
        if (closes && closes->is_joint)
            add_count(&t, c->number[k],
                      kane_table_text(&t, "of them %s, cut", kane_constraint_kind_name((kane_constraint_kind)k)));
    }
    add_count(&t, c->rods, "rods removed");
    add_count(&t, coordinates(c), "relative coordinates");
    add_count(&t, dof, "of them independent");
    add_count(&t, c->driven, "of them driven");
    add_count(&t, dependent, "of them dependent");
    add_count(&t, c->modes, "of them modes");
    add_count(&t, c->equations, "constraint equations");
    add_count(&t, c->of_rods, "of them of rods");
    add_count(&t, c->of_joints, "of them of cut joints");
    add_count(&t, c->of_others, "of them of others");
    add_count(&t, c->of_rails, "of them of rails");
    add_count(&t, c->equations - dependent, "of them redundant");
    return t;
}

// Returns how many freedoms all of them have.
static int add_freedoms(kane_table *t, int number, const char *what, int each)
{
    if (number > 0)
        kane_table_add(t, 4,
                       (const kane_cell[]){kane_cell_count(number), kane_cell_word(what), kane_cell_count(each),
                                           kane_cell_count(number * each)});
    return number * each;
}

// Freedoms of bodies less what joints and equations take.
static kane_table tabulate_freedoms(kane_arena *arena, const topology *c, int dof)
{
    static const kane_table_column columns[] = {{.name = "each", .unit = "1", .text = {.head = "each", .none = ""}},
                                                {.name = "freedoms", .unit = "1", .text = {.head = "freedoms"}}};
    kane_table t    = begin_counts(arena, "freedoms", "freedoms, those of driven coordinates among them", 2, columns);
    const int found = dof + c->driven;
    int sum         = add_freedoms(&t, c->bodies - 1, "parts", 6);
    sum += add_freedoms(&t, c->prismatic, "prismatic joints", -5);
    sum += add_freedoms(&t, c->revolute, "revolute joints", -5);
    sum += add_freedoms(&t, c->welds, "joints without any", -6);
    sum += add_freedoms(&t, c->modes, "modes", 1);
    for (int k = 0; k < KANE_CONSTRAINT_KINDS; k++) {
        const closing *closes = closing_of((kane_constraint_kind)k);
        const char *name      = kane_constraint_kind_name((kane_constraint_kind)k);
        if (c->number[k] > 0)
            sum += add_freedoms(&t, c->number[k],
                                kane_table_text(&t, "%s%s", name,
                                                !closes            ? ""
                                                : closes->is_joint ? ", cut"
                                                                   : ", removed"),
                                -c->equations_of[k] / c->number[k]);
    }
    sum += add_freedoms(&t, c->guided, "wheelsets on rails", -2);
    for (int all = sum == found; all < 2; all++)
        kane_table_add(&t, 4,
                       (const kane_cell[]){kane_cell_word(""), kane_cell_word(all ? "all" : "redundant equations"),
                                           kane_cell_word(""), kane_cell_count(all ? found : found - sum)});
    return t;
}

// What is spared where loops are opened, kind by kind.
static kane_table tabulate_closings(kane_arena *arena, const topology *c)
{
    static const kane_table_column columns[] = {{.name = "equations", .unit = "1", .text = {.head = "equations"}},
                                                {.name = "joints", .unit = "1", .text = {.head = "joints"}},
                                                {.name = "bodies", .unit = "1", .text = {.head = "bodies"}},
                                                {.name = "coordinates", .unit = "1", .text = {.head = "coordinates"}}};
    kane_table t                             = begin_counts(
                                    arena, "opened loops",
                                    "opened loops: equations, and the joints, bodies and relative coordinates that they eliminate", 4, columns);
    for (int k = 0; k < KANE_CONSTRAINT_KINDS; k++) {
        const closing *closes = closing_of((kane_constraint_kind)k);
        const int n           = c->number[k];
        if (n > 0 && closes)
            kane_table_add(&t, 6,
                           (const kane_cell[]){
                               kane_cell_count(n), kane_cell_word(kane_constraint_kind_name((kane_constraint_kind)k)),
                               kane_cell_count(c->equations_of[k]), kane_cell_count(n * closes->joints),
                               kane_cell_count(n * closes->bodies), kane_cell_count(n * closes->coordinates)});
    }
    return t;
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

int kane_check_topology(kane_arena *arena, const kane_run_definition *run, const kane_model *model,
                        kane_table tables[CHECK_TOPOLOGY_TABLES])
{
    const kane_vehicle_definition *v = run->vehicle;
    int holds                        = v->constraint_count > 0;
    for (int i = 0; i < v->body_count; i++)
        holds = holds || v->bodies[i].joint != NULL;
    if (!holds)
        return 0;
    const topology t = count(run, model);
    const int dof    = dof_of_bodies(run, model);
    tables[0]        = tabulate_items(arena, &t, dof);
    tables[1]        = tabulate_freedoms(arena, &t, dof);
    tables[2]        = tabulate_closings(arena, &t);
    return CHECK_TOPOLOGY_TABLES;
}
