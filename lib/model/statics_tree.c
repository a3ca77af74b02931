// SPDX-License-Identifier: MIT
// Statics of joints: at rest a joint transmits the wrench that it does not leave free.
//
// Six numbers for each body: force along x, y, z and torque about z, x, y at its mass centre, vehicle axes, bodies at
// rest. From the leaves to the roots, the equations of a body become those along its joint's freedoms, and its whole
// wrench is added to its parent: the free parts must vanish, the parent carries the rest. A body with all six freedoms
// transmits nothing.

#include "math/dense.h"
#include "math/small.h"

#include "model/statics.h"

#include <string.h>

// Force of the six numbers.
static kane_vec3 force_of(const double *six)
{
    return kv3(six[0], six[1], six[2]);
}

// Torque of the six numbers, whose order is z, x, y.
static kane_vec3 torque_of(const double *six)
{
    return kv3(six[4], six[5], six[3]);
}

// six += wrench
static void add_wrench(double *six, kane_vec3 force, kane_vec3 torque)
{
    const double add[6] = {force.x, force.y, force.z, torque.z, torque.x, torque.y};
    for (int k = 0; k < 6; k++)
        six[k] += add[k];
}

// Keeps coordinates and attitudes of the drawing, before wheelsets are lowered.
static int keep_drawing(kane_statics *s)
{
    kane_model *model     = s->compiler->model;
    const kane_tree *tree = &model->tree;
    const size_t links = (size_t)tree->link_count, q = (size_t)tree->q_count;
    s->drawn_q          = kane_arena_alloc(model->arena, q, sizeof *s->drawn_q);
    s->drawn_R          = kane_arena_alloc(model->arena, links, sizeof *s->drawn_R);
    s->moved            = kane_arena_alloc(model->arena, links, sizeof *s->moved);
    s->compiler->rest_q = kane_arena_alloc(model->arena, q, sizeof *s->compiler->rest_q);
    if (kane_arena_failed(model->arena))
        return 0;
    memcpy(s->drawn_q, s->work.q, q * sizeof *s->drawn_q);
    for (int i = 0; i < tree->link_count; i++)
        s->drawn_R[i] = s->work.link[i].R;
    kane_statics_place(s);
    return 1;
}

// The tree with all joint coordinates zero, as drawn.
int kane_statics_begin(kane_compiler *c, kane_statics *s)
{
    const kane_model *model = c->model;
    const kane_tree *tree   = &model->tree;
    const size_t frames     = (size_t)model->frame_count;
    *s                      = (kane_statics){.compiler = c};
    s->frames               = kane_arena_alloc(model->arena, frames, sizeof *s->frames);
    s->rest                 = kane_arena_alloc(model->arena, frames, sizeof *s->rest);
    s->values               = kane_arena_alloc(model->arena, 1, sizeof *s->values);
    s->context              = (kane_eval_context){tree, &s->work, s->frames, s->rest};
    if (!s->frames || !s->rest || !s->values || !kane_tree_work_create(tree, model->arena, &s->work))
        return 0;
    for (int f = 0; f < model->frame_count; f++)
        s->frames[f] = kane_compile_drawn_frame(model, f);
    for (int i = 0; i < tree->link_count; i++) {
        const kane_link *link = &tree->links[i];
        const int j           = model->link_body[i];
        const kane_body *body = &model->bodies[j];
        double *q             = s->work.q + link->q;
        if (link->kind == KANE_LINK_BALL)
            q[0] = 1.0;
        if (!c->hinges[j].joint) {
            q[KANE_X] = body->origin.x;
            q[KANE_Y] = body->origin.y;
            q[KANE_Z] = body->origin.z;
            if (body->frame != body->track_frame)
                for (int k = 0; k < 3; k++)
                    q[k] += kv3_get(model->frames[body->track_frame].drawn, k);
        }
    }
    kane_tree_move(tree, (kane_links){0, tree->link_count}, s->rest, &s->work);
    if (!keep_drawing(s))
        return 0;
    for (int k = 0; k < model->closure_count; k++)
        s->row_count += model->closures[k].row_count;
    return 1;
}

// --- joints ---

static const kane_link *link_of(const kane_statics *s, int body)
{
    const kane_model *model = s->compiler->model;
    return &model->tree.links[model->bodies[body].link];
}

// Whether the equations of a body are those of its joint's freedoms.
static int is_jointed(const kane_statics *s, int body)
{
    return link_of(s, body)->kind != KANE_LINK_BODY && s->compiler->hinges[body].joint;
}

// A free turn of a spinning body about its axle: nothing has to balance it.
static int is_spin(const kane_statics *s, int body, const kane_axis_state *axis)
{
    const kane_link *link  = link_of(s, body);
    const kane_vec3 axle   = km3_mulv(s->work.link[s->compiler->model->bodies[body].link].R, link->body_R.y);
    const int is_a_spinner = s->compiler->model->bodies[body].kind == KANE_BODY_SPINNING;
    return is_a_spinner && fabs(kv3_dot(axis->e, axle)) > 1.0 - 1e-9;
}

int kane_statics_is_jointed(const kane_statics *s, int body)
{
    return is_jointed(s, body);
}

// Every free speed but a spin; points and modes of deformable bodies have none.
int kane_statics_is_equation(const kane_statics *s, int body, int row)
{
    const kane_link *link = link_of(s, body);
    return row < link->v_count && link->role != KANE_FLEX_NODE && link->role != KANE_FLEX_MODE &&
           !is_spin(s, body, &s->work.axis[link->v + row]);
}

const char *kane_statics_row_name(const kane_statics *s, int body, int row, int *is_turn)
{
    const kane_link *link              = link_of(s, body);
    const kane_joint_definition *joint = s->compiler->hinges[body].joint;
    *is_turn                           = 1;
    for (int k = 0; k < link->step_count; k++)
        if (link->step[k].v == link->v + row) {
            *is_turn = k >= link->slide_count;
            return kane_joint_coordinate_name(joint, k);
        }
    return "its turns";
}

// Replaces a wrench by its parts along the freedoms of a joint:  part_k = l_k.F + e_k.T about the link's origin.
// Returns the wrench that the joint transmits (a spin transmits no torque about the axle), about the link's origin.
static kane_wrench project_link(const kane_statics *s, int body, double *six)
{
    const kane_link *link = link_of(s, body);
    const kane_vec3 arm   = km3_mulv(s->work.link[s->compiler->model->bodies[body].link].R, link->c);
    kane_wrench w         = {force_of(six), kv3_add(torque_of(six), kv3_cross(arm, force_of(six)))};
    double part[6]        = {0.0};
    for (int k = 0; k < link->v_count; k++) {
        const kane_axis_state *axis = &s->work.axis[link->v + k];
        part[k]                     = kv3_dot(axis->l, w.force) + kv3_dot(axis->e, w.torque);
        if (is_spin(s, body, axis))
            w.torque = kv3_add_scaled(w.torque, -kv3_dot(axis->e, w.torque), axis->e);
    }
    for (int k = 0; k < 6; k++)
        six[k] = part[k];
    return w;
}

// Leaves first: projection of each jointed body, its wrench added to its parent about that one's mass centre.
void kane_statics_project(const kane_statics *s, int count, const int *links, double *six_per_body)
{
    const kane_model *model = s->compiler->model;
    for (int i = count - 1; i >= 0; i--) {
        const int at = links ? links[i] : i, j = model->link_body[at], parent = model->tree.links[at].parent;
        if (!is_jointed(s, j))
            continue;
        const kane_wrench w = project_link(s, j, six_per_body + 6 * j);
        if (parent < 0)
            continue;
        const kane_vec3 centre = km3_mulv(s->work.link[parent].R, model->tree.links[parent].c);
        const kane_vec3 arm    = kv3_sub(s->work.link[at].rho, centre);
        add_wrench(six_per_body + 6 * model->link_body[parent], w.force, kv3_add(w.torque, kv3_cross(arm, w.force)));
    }
}

// --- constraints ---

// Adds a wrench about a link's origin to its body, about the mass centre:  torque - R c x force.
static void add_link_wrench(const kane_statics *s, int link, kane_vec3 force, kane_vec3 torque, double *six_per_body)
{
    if (link < 0)
        return;
    const kane_model *model = s->compiler->model;
    const kane_vec3 c       = km3_mulv(s->work.link[link].R, model->tree.links[link].c);
    add_wrench(six_per_body + 6 * model->link_body[link], force, kv3_sub(torque, kv3_cross(c, force)));
}

// Weight of a rod at its ends: parts 1 - g and g of m g, downward.
void kane_statics_weigh_rods(const kane_statics *s, double *six_per_body)
{
    const kane_model *model = s->compiler->model;
    for (int k = 0; k < model->closure_count; k++) {
        const kane_constraint_row_set *c = &model->closures[k];
        for (int i = 0; i < 2 && c->rod.mass > 0.0; i++) {
            const double part     = i == 0 ? 1.0 - c->rod.centre : c->rod.centre;
            const kane_vec3 force = kv3(0.0, 0.0, -c->rod.mass * part * model->gravity);
            const int link        = c->side[i].link;
            if (link >= 0)
                add_link_wrench(s, link, force, kv3_cross(km3_mulv(s->work.link[link].R, c->side[i].point), force),
                                six_per_body);
        }
    }
}

// A generalised force along one speed: wrench (l, e) effort on its link, its opposite on the parent.
static void spread_effort(const kane_statics *s, int v, double effort, double *six_per_body)
{
    const kane_tree *tree = &s->compiler->model->tree;
    int i                 = 0;
    while (i < tree->link_count && v >= tree->links[i].v + tree->links[i].v_count)
        i++;
    if (i == tree->link_count)
        return;
    const kane_axis_state *axis = &s->work.axis[v];
    const kane_vec3 force = kv3_scale(effort, axis->l), torque = kv3_scale(effort, axis->e);
    add_link_wrench(s, i, force, torque, six_per_body);
    const kane_vec3 at_parent = kv3_add(torque, kv3_cross(s->work.link[i].rho, force));
    add_link_wrench(s, tree->links[i].parent, kv3_neg(force), kv3_neg(at_parent), six_per_body);
}

// Directions of a row times lambda, on links and along speeds.
void kane_statics_constrain(const kane_statics *s, int row, double lambda, double *six_per_body)
{
    const kane_model *model = s->compiler->model;
    int k                   = 0;
    for (; row >= model->closures[k].row_count; k++)
        row -= model->closures[k].row_count;
    kane_constraint_rows_values *values = s->values;
    kane_constraint_row_set_eval(&s->context, &model->closures[k], 0, values);
    for (int i = 0; i < values->direction_count; i++)
        if (values->direction[i].row == row)
            add_link_wrench(s, values->direction[i].link, kv3_scale(lambda, values->direction[i].wrench.force),
                            kv3_scale(lambda, values->direction[i].wrench.torque), six_per_body);
    for (int i = 0; i < values->entry_count; i++)
        if (values->entry[i].row == row)
            spread_effort(s, values->entry[i].v, lambda * values->entry[i].value, six_per_body);
}

// === Wheelsets are lowered to the position in which their rails carry them (docs/theory.md, section 7).
//
// A wheelset with all freedoms moves by its own coordinates. If a joint leaves it fewer, joints and bodies between it
// and the frame yield: small displacements dv with
//
//   [height, roll of every wheelset]_v dv = misses,   the least weighted sum of squares of dv
//
// Bodies without a joint have a larger weight, so that joints yield before these: also the reference body, which has
// five freedoms where its speed is prescribed.

// rest, rest_R of all bodies from the coordinates. Bodies that no wheels have moved keep their drawn position exactly.
void kane_statics_place(kane_statics *s)
{
    kane_model *model     = s->compiler->model;
    const kane_tree *tree = &model->tree;
    kane_tree_place(tree, (kane_links){0, tree->link_count}, &s->work);
    for (int i = 0; i < tree->link_count; i++) {
        const kane_link *link    = &tree->links[i];
        const kane_link_state *l = &s->work.link[i];
        kane_body *body          = &model->bodies[model->link_body[i]];
        s->moved[i]              = link->kind != KANE_LINK_BODY && link->parent >= 0 && s->moved[link->parent];
        for (int k = 0; k < link->q_count; k++)
            s->moved[i] |= s->work.q[link->q + k] != s->drawn_q[link->q + k];
        body->rest   = body->position;
        body->rest_R = km3_identity();
        if (!s->moved[i])
            continue;
        body->rest_R = km3_mul(l->R, km3_transpose(s->drawn_R[i]));
        body->rest   = kv3_add(s->frames[link->frame].r_o, kv3_add(l->r, km3_mulv(l->R, link->c)));
    }
    for (int i = 0; i < model->wheels_count && !s->by_joints; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        kane_body *body           = &model->bodies[wheels->body];
        body->rest                = kv3_add(body->position, kv3(0.0, 0.0, wheels->height - body->position.z));
        body->rest_R              = km3_turn_x(km3_identity(), sin(wheels->roll), cos(wheels->roll));
    }
}

// Whether the coordinates of a link are slides along x, y, z and three turns.
static int has_six(const kane_link *link)
{
    return link->kind != KANE_LINK_BALL && link->slide_count == 3 && link->step_count == 6;
}

// Changes of the coordinates of a wheelset with all freedoms or without a joint, to its height and roll on the rails.
static void find_wheelset_shift(const kane_statics *s, const kane_wheels *wheels, double *q)
{
    const kane_body *body   = &s->compiler->model->bodies[wheels->body];
    const kane_link *link   = link_of(s, wheels->body);
    const kane_hinge *hinge = &s->compiler->hinges[wheels->body];
    const kane_mat3 rolled  = km3_turn_x(km3_identity(), sin(wheels->roll), cos(wheels->roll));
    const kane_vec3 arm     = kv3_sub(hinge->to.at, body->position);
    const kane_vec3 sunk    = kv3(0.0, 0.0, wheels->height - body->position.z);
    const kane_vec3 moved   = kv3_add(sunk, kv3_sub(km3_mulv(rolled, arm), arm));
    const kane_vec3 in_seat = km3_tmulv(hinge->from.axes, moved);
    q[KANE_X]               = in_seat.x;
    q[KANE_Y]               = in_seat.y;
    q[KANE_Z]               = in_seat.z;
    for (int k = 3; k < 6; k++)
        q[k] = link->step[k].axis == 0 ? wheels->roll : 0.0;
}

// Generalised forces of a wrench on a link along the speeds of the tree, stored in `along`.
static void spread_wrench(const kane_statics *s, int i, kane_wrench w, double *along)
{
    const kane_tree *tree = &s->compiler->model->tree;
    for (; i >= 0; i = tree->links[i].parent) {
        const kane_link *link = &tree->links[i];
        for (int k = 0; k < link->v_count; k++) {
            const kane_axis_state *axis = &s->work.axis[link->v + k];
            const kane_vec3 part        = link->kind == KANE_LINK_BODY && k < 3 ? w.force : w.torque;
            along[link->v + k]          = link->kind == KANE_LINK_BODY ? kv3_get(part, k % 3)
                                                                       : kv3_dot(axis->l, w.force) + kv3_dot(axis->e, w.torque);
        }
        if (link->kind == KANE_LINK_BODY)
            return;
        w.torque = kv3_add(w.torque, kv3_cross(s->work.link[i].rho, w.force));
    }
}

// Displacement of bodies without a joint relative to that of joints, for the same miss.
static const double RELUCTANT = 1e-2;

// Factor of a link's displacements in the least squares; 0 for parts of deformable bodies, which keep their drawn
// position.
static double adjustment_weight(const kane_statics *s, const kane_link *link)
{
    const kane_model *model = s->compiler->model;
    const int body          = model->link_body[link - model->tree.links];
    if (link->role == KANE_FLEX_NODE || link->role == KANE_FLEX_MODE) // rests as drawn
        return 0.0;
    return !is_jointed(s, body) && model->bodies[body].wheels < 0 ? RELUCTANT : 1.0;
}

// miss [2 * wheels_count]: differences of height and roll of all wheelsets; returns the largest, and its wheelset.
static double observe_wheels(const kane_statics *s, double *miss, int *worst)
{
    const kane_model *model = s->compiler->model;
    double most             = 0.0;
    for (int i = 0; i < model->wheels_count; i++) {
        const kane_wheels *wheels = &model->wheels[i];
        const kane_body *body     = &model->bodies[wheels->body];
        const kane_vec3 axle      = km3_mulv(body->rest_R, kv3(0.0, 1.0, 0.0));
        miss[2 * i]               = wheels->height - body->rest.z;
        miss[2 * i + 1]           = wheels->roll - atan2(axle.z, hypot(axle.x, axle.y));
        for (int k = 0; k < 2; k++)
            if (!(fabs(miss[2 * i + k]) <= most)) {
                most   = fabs(miss[2 * i + k]);
                *worst = wheels->body;
            }
    }
    return most;
}

// One step for all wheelsets. A [2 wheels_count * v_count] by columns, along [v_count], b [v_count + 2 wheels_count].
static int step_down(kane_statics *s, double *A, double *along, double *b)
{
    const kane_model *model = s->compiler->model;
    const kane_tree *tree   = &model->tree;
    const int rows = 2 * model->wheels_count, columns = tree->v_count;
    for (int row = 0; row < rows; row++) {
        const int i       = model->bodies[model->wheels[row / 2].body].link;
        const kane_vec3 c = km3_mulv(s->work.link[i].R, tree->links[i].c), up = kv3(0.0, 0.0, 1.0);
        const kane_wrench raise = {up, kv3_cross(c, up)}, tilt = {kv3_zero(), kv3(1.0, 0.0, 0.0)};
        memset(along, 0, (size_t)columns * sizeof *along);
        spread_wrench(s, i, row % 2 ? tilt : raise, along);
        for (int k = 0; k < tree->link_count; k++)
            for (int v = tree->links[k].v; v < tree->links[k].v + tree->links[k].v_count; v++)
                A[v * rows + row] = along[v] * adjustment_weight(s, &tree->links[k]);
    }
    if (kane_least_squares(rows, columns, A, b, 1e-9) != 0)
        return 0;
    for (int k = 0; k < tree->link_count; k++)
        for (int v = tree->links[k].v; v < tree->links[k].v + tree->links[k].v_count; v++)
            b[v] *= adjustment_weight(s, &tree->links[k]);
    for (int k = 0; k < tree->link_count; k++)
        kane_tree_shift(tree, k, b, &s->work);
    kane_statics_place(s);
    return 1;
}

// Misses below NO_MISS are round-off; above GREAT_MISS the wheelset could not be lowered [m], [rad].
static const double NO_MISS = 1e-13, GREAT_MISS = 1e-4;
enum { MOST_STEPS = 12 };

static void report_miss(const kane_statics *s, int body, double miss)
{
    const kane_vehicle_definition *vehicle = s->compiler->vehicle;
    kane_errors_add_input(
        s->compiler->errors, KANE_BAD_INPUT, kane_block_place(&vehicle->bodies[body].block, NULL, -1),
        "'%s' cannot come down on its rails: its joints hold it %.3g mm or mrad off where these carry it; leave it "
        "a freedom, or draw it where it stands",
        vehicle->bodies[body].block.name, 1e3 * miss);
}

// Newton's method for all wheelsets, if any has a joint. 0: not lowered, or memory is short.
static int come_down(kane_statics *s)
{
    const kane_model *model = s->compiler->model;
    const size_t rows = 2 * (size_t)model->wheels_count, columns = (size_t)model->tree.v_count;
    double *A = kane_allocate(rows * columns, sizeof *A), *along = kane_allocate(columns, sizeof *along);
    double *b   = kane_allocate(rows + columns, sizeof *b);
    double miss = HUGE_VAL;
    int worst   = 0;
    for (int i = 0; i <= MOST_STEPS && A && along && b; i++) {
        miss = observe_wheels(s, b, &worst);
        if (miss <= NO_MISS || i == MOST_STEPS || !step_down(s, A, along, b))
            break;
    }
    if (!A || !along || !b)
        (void)kane_no_memory(s->compiler->errors);
    else if (miss > GREAT_MISS)
        report_miss(s, worst, miss);
    kane_release(A);
    kane_release(along);
    kane_release(b);
    return miss <= GREAT_MISS;
}

// Leaves rest_q: the changes of all coordinates from the drawing.
int kane_statics_let_down(kane_statics *s)
{
    const kane_model *model = s->compiler->model;
    double *rest_q          = s->compiler->rest_q;
    for (int i = 0; i < model->wheels_count; i++)
        s->by_joints |= is_jointed(s, model->wheels[i].body);
    for (int i = 0; i < model->wheels_count && !s->by_joints; i++) {
        const kane_link *link = link_of(s, model->wheels[i].body);
        if (has_six(link) && !(model->bodies[model->wheels[i].body].is_free_body && link->kind == KANE_LINK_BODY))
            find_wheelset_shift(s, &model->wheels[i], rest_q + link->q);
    }
    if (s->by_joints && !come_down(s))
        return 0;
    for (int k = 0; k < model->tree.q_count; k++)
        if (s->by_joints)
            rest_q[k] = s->work.q[k] - s->drawn_q[k];
        else
            s->work.q[k] = s->drawn_q[k] + rest_q[k];
    if (!s->by_joints)
        kane_statics_place(s);
    return 1;
}

// === Bodies that rest on each other.

typedef struct finder {
    const kane_statics *statics;
    int *leader;   // of every body: one of its group; itself at the root
    int *group;    // of every body
    int *row_body; // a body of every constraint row, -1: none
} finder;

// The bodies that a constraint holds, through its efforts. Returns one of them, -1: none.
static int join_closure(finder *f, int closure)
{
    const kane_statics *s            = f->statics;
    const kane_model *model          = s->compiler->model;
    const kane_constraint_row_set *c = &model->closures[closure];
    int first                        = -1;
    for (int i = 0; i < c->side_count + c->term_count; i++) {
        const int link = i < c->side_count ? c->side[i].link : c->term[i - c->side_count].link;
        if (link < 0)
            continue;
        const int body = model->link_body[link];
        first          = first < 0 ? body : first;
        kane_set_join(f->leader, first, body);
    }
    return first;
}

// Groups: bodies connected by joints, by elements with unknown loads, or by constraints.
static void connect_bodies(finder *f)
{
    const kane_model *model = f->statics->compiler->model;
    const kane_hinge *hinge = f->statics->compiler->hinges;
    int row                 = 0;
    for (int j = 0; j < model->body_count; j++)
        f->leader[j] = j;
    for (int i = 0; i < model->tree.link_count; i++) {
        const int j = model->link_body[i];
        if (hinge[j].parent >= 0)
            kane_set_join(f->leader, j, hinge[j].parent);
    }
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        if (element->solved && element->a.body >= 0 && element->b.body >= 0)
            kane_set_join(f->leader, element->a.body, element->b.body);
    }
    for (int k = 0; k < model->closure_count; k++) {
        const int body = join_closure(f, k);
        for (int i = 0; i < model->closures[k].row_count; i++)
            f->row_body[row++] = body;
    }
}

// Index of the group of each of `count` things, whose bodies `body` gives (-1: left out), sorted into lists.
typedef struct sorting {
    const int *group; // of bodies
    int groups;
    kane_arena *arena;
} sorting;

// lists[g] gets the things of group g, counts[g] how many. 0 where memory is short.
static int sort_by_group(const sorting *s, int count, const int *body, int **lists, int *counts)
{
    int *all = kane_arena_alloc(s->arena, (size_t)count, sizeof *all);
    if (!all)
        return 0;
    for (int g = 0; g < s->groups; g++)
        counts[g] = 0;
    for (int i = 0; i < count; i++)
        if (body[i] >= 0)
            counts[s->group[body[i]]]++;
    for (int g = 0; g < s->groups; g++) {
        lists[g] = all;
        all += counts[g];
        counts[g] = 0;
    }
    for (int i = 0; i < count; i++)
        if (body[i] >= 0)
            lists[s->group[body[i]]][counts[s->group[body[i]]]++] = i;
    return 1;
}

// A body of every element that is solved for, -1 of the others; and every body itself.
static void find_bodies(const kane_model *model, int *of_elements, int *of_bodies)
{
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        const int body              = element->a.body >= 0 ? element->a.body : element->b.body;
        of_elements[e]              = element->solved ? body : -1;
    }
    for (int j = 0; j < model->body_count; j++)
        of_bodies[j] = j;
}

// Numbers the groups in the order of their first bodies; returns how many there are.
static int number_groups(finder *f, int body_count)
{
    int count = 0;
    for (int j = 0; j < body_count; j++) {
        const int leader = kane_set_leader(f->leader, j);
        f->group[j]      = leader == j ? count++ : f->group[leader];
    }
    return count;
}

enum { LISTS = 4 };

int kane_statics_groups(const kane_statics *s, kane_rest_groups *groups)
{
    const kane_model *model = s->compiler->model;
    kane_arena *arena       = model->arena;
    const size_t bodies     = (size_t)model->body_count;
    finder f                = {.statics = s};
    f.leader                = kane_arena_alloc(arena, bodies, sizeof *f.leader);
    f.group                 = kane_arena_alloc(arena, bodies, sizeof *f.group);
    f.row_body              = kane_arena_alloc(arena, (size_t)s->row_count, sizeof *f.row_body);
    int *of_elements        = kane_arena_alloc(arena, (size_t)model->element_count, sizeof *of_elements);
    int *of_bodies          = kane_arena_alloc(arena, bodies, sizeof *of_bodies);
    if (!f.leader || !f.group || !f.row_body || !of_elements || !of_bodies)
        return 0;
    connect_bodies(&f);
    find_bodies(model, of_elements, of_bodies);
    groups->count          = number_groups(&f, model->body_count);
    const sorting by_group = {f.group, groups->count, arena};
    const size_t count     = (size_t)groups->count;
    groups->groups         = kane_arena_alloc(arena, count, sizeof *groups->groups);
    int **lists            = kane_arena_alloc(arena, LISTS * count, sizeof *lists);
    int *counts            = kane_arena_alloc(arena, LISTS * count, sizeof *counts);
    if (!groups->groups || !lists || !counts ||
        !sort_by_group(&by_group, model->body_count, of_bodies, lists, counts) ||
        !sort_by_group(&by_group, model->tree.link_count, model->link_body, lists + count, counts + count) ||
        !sort_by_group(&by_group, model->element_count, of_elements, lists + 2 * count, counts + 2 * count) ||
        !sort_by_group(&by_group, s->row_count, f.row_body, lists + 3 * count, counts + 3 * count))
        return 0;
    for (size_t g = 0; g < count; g++)
        groups->groups[g] = (kane_rest_group){.bodies        = lists[g],
                                              .links         = lists[count + g],
                                              .elements      = lists[2 * count + g],
                                              .rows          = lists[3 * count + g],
                                              .body_count    = counts[g],
                                              .link_count    = counts[count + g],
                                              .element_count = counts[2 * count + g],
                                              .row_count     = counts[3 * count + g]};
    return 1;
}
