// SPDX-License-Identifier: MIT
// Statics of joints: at rest a joint hands on what it does not leave free.
//
// Six numbers a body: force along x, y, z and torque about z, x, y at its mass centre, vehicle axes, all as drawn. From
// the leaves to the roots the equations of a body become those of its joint's freedoms, and its whole wrench goes on to
// the parent: what is free vanishes, the rest is carried there. A body that hangs by all six freedoms hands on nothing.

#include "model/statics.h"

static kane_vec3 force_of(const double *six)
{
    return kv3(six[0], six[1], six[2]);
}

static kane_vec3 torque_of(const double *six)
{
    return kv3(six[4], six[5], six[3]);
}

static void add_wrench(double *six, kane_vec3 force, kane_vec3 torque)
{
    const double add[6] = {force.x, force.y, force.z, torque.z, torque.x, torque.y};
    for (int k = 0; k < 6; k++)
        six[k] += add[k];
}

// The tree with all coordinates zero: links where they are drawn.
int kane_statics_begin(kane_compiler *c, kane_statics *s)
{
    const kane_model *model = c->model;
    const kane_tree *tree   = &model->tree;
    const size_t frames     = (size_t)model->frame_count;
    *s                      = (kane_statics){.compiler = c};
    s->frames               = kane_arena_alloc(model->arena, frames, sizeof *s->frames);
    s->rest                 = kane_arena_alloc(model->arena, frames, sizeof *s->rest);
    if (!s->frames || !s->rest || !kane_tree_work_create(tree, model->arena, &s->work))
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

int kane_statics_is_equation(const kane_statics *s, int body, int row)
{
    const kane_link *link = link_of(s, body);
    return row < link->v_count && !is_spin(s, body, &s->work.axis[link->v + row]);
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

// Parts of a wrench along the freedoms of a joint, in place of it; returns what goes on to the parent, at the joint's
// point.
static kane_wrench project_link(const kane_statics *s, int body, double *six)
{
    const kane_link *link   = link_of(s, body);
    const kane_hinge *hinge = &s->compiler->hinges[body];
    const kane_vec3 arm     = kv3_sub(s->compiler->model->bodies[body].position, hinge->to.at);
    kane_wrench w           = {force_of(six), kv3_add(torque_of(six), kv3_cross(arm, force_of(six)))};
    double part[6]          = {0.0};
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

void kane_statics_project(const kane_statics *s, int count, const int *links, double *six_per_body)
{
    const kane_model *model = s->compiler->model;
    for (int i = count - 1; i >= 0; i--) {
        const int j = model->link_body[links ? links[i] : i];
        if (!is_jointed(s, j))
            continue;
        const kane_hinge *hinge = &s->compiler->hinges[j];
        const kane_wrench w     = project_link(s, j, six_per_body + 6 * j);
        if (hinge->parent < 0)
            continue;
        const kane_vec3 arm = kv3_sub(hinge->to.at, model->bodies[hinge->parent].position);
        add_wrench(six_per_body + 6 * hinge->parent, w.force, kv3_add(w.torque, kv3_cross(arm, w.force)));
    }
}

// --- constraints ---

// A wrench with its torque about a link's origin.
static void push(const kane_statics *s, int link, kane_vec3 force, kane_vec3 torque, double *six_per_body)
{
    if (link < 0)
        return;
    const kane_model *model = s->compiler->model;
    const kane_vec3 c       = km3_mulv(s->work.link[link].R, model->tree.links[link].c);
    add_wrench(six_per_body + 6 * model->link_body[link], force, kv3_sub(torque, kv3_cross(c, force)));
}

// An effort in one speed: on its link, and back on the parent.
static void push_speed(const kane_statics *s, int v, double effort, double *six_per_body)
{
    const kane_tree *tree = &s->compiler->model->tree;
    int i                 = 0;
    while (i < tree->link_count && v >= tree->links[i].v + tree->links[i].v_count)
        i++;
    if (i == tree->link_count)
        return;
    const kane_axis_state *axis = &s->work.axis[v];
    const kane_vec3 force = kv3_scale(effort, axis->l), torque = kv3_scale(effort, axis->e);
    push(s, i, force, torque, six_per_body);
    const kane_vec3 at_parent = kv3_add(torque, kv3_cross(s->work.link[i].rho, force));
    push(s, tree->links[i].parent, kv3_neg(force), kv3_neg(at_parent), six_per_body);
}

void kane_statics_constrain(const kane_statics *s, int row, double lambda, double *six_per_body)
{
    const kane_model *model = s->compiler->model;
    int k                   = 0;
    for (; row >= model->closures[k].row_count; k++)
        row -= model->closures[k].row_count;
    kane_closure_values values;
    kane_closure_eval(&model->tree, &model->closures[k], &s->work, s->frames, s->rest, 0, &values);
    for (int i = 0; i < values.push_count; i++)
        if (values.push[i].row == row)
            push(s, values.push[i].link, kv3_scale(lambda, values.push[i].push.force),
                 kv3_scale(lambda, values.push[i].push.torque), six_per_body);
    for (int i = 0; i < values.entry_count; i++)
        if (values.entry[i].row == row)
            push_speed(s, values.entry[i].v, lambda * values.entry[i].value, six_per_body);
}

// === Bodies that rest on each other.

typedef struct finder {
    const kane_statics *statics;
    int *leader;   // of every body: one of its group; itself at the root
    int *group;    // of every body
    int *row_body; // a body of every constraint row, -1: none
} finder;

static int leader_of(int *leader, int body)
{
    while (leader[body] != body) {
        leader[body] = leader[leader[body]];
        body         = leader[body];
    }
    return body;
}

// The smaller index leads, so that groups count in the order of their first bodies.
static void join(int *leader, int a, int b)
{
    const int i = leader_of(leader, a), k = leader_of(leader, b);
    leader[i > k ? i : k] = i < k ? i : k;
}

// The bodies that a constraint holds, through its efforts. Returns one of them, -1: none.
static int join_closure(finder *f, int closure)
{
    const kane_statics *s   = f->statics;
    const kane_model *model = s->compiler->model;
    const kane_closure *c   = &model->closures[closure];
    int first               = -1;
    for (int i = 0; i < c->side_count + c->term_count; i++) {
        const int link = i < c->side_count ? c->side[i].link : c->term[i - c->side_count].link;
        if (link < 0)
            continue;
        const int body = model->link_body[link];
        first          = first < 0 ? body : first;
        join(f->leader, first, body);
    }
    return first;
}

static void connect(finder *f)
{
    const kane_model *model = f->statics->compiler->model;
    const kane_hinge *hinge = f->statics->compiler->hinges;
    int row                 = 0;
    for (int j = 0; j < model->body_count; j++)
        f->leader[j] = j;
    for (int i = 0; i < model->tree.link_count; i++) {
        const int j = model->link_body[i];
        if (hinge[j].parent >= 0)
            join(f->leader, j, hinge[j].parent);
    }
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        if (element->solved && element->a.body >= 0 && element->b.body >= 0)
            join(f->leader, element->a.body, element->b.body);
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
static int sort(const sorting *s, int count, const int *body, int **lists, int *counts)
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
static int number(finder *f, int body_count)
{
    int count = 0;
    for (int j = 0; j < body_count; j++) {
        const int leader = leader_of(f->leader, j);
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
    connect(&f);
    find_bodies(model, of_elements, of_bodies);
    groups->count          = number(&f, model->body_count);
    const sorting by_group = {f.group, groups->count, arena};
    const size_t count     = (size_t)groups->count;
    groups->groups         = kane_arena_alloc(arena, count, sizeof *groups->groups);
    int **lists            = kane_arena_alloc(arena, LISTS * count, sizeof *lists);
    int *counts            = kane_arena_alloc(arena, LISTS * count, sizeof *counts);
    if (!groups->groups || !lists || !counts || !sort(&by_group, model->body_count, of_bodies, lists, counts) ||
        !sort(&by_group, model->tree.link_count, model->link_body, lists + count, counts + count) ||
        !sort(&by_group, model->element_count, of_elements, lists + 2 * count, counts + 2 * count) ||
        !sort(&by_group, s->row_count, f.row_body, lists + 3 * count, counts + 3 * count))
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
