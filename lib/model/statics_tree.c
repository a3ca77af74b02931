// SPDX-License-Identifier: MIT
// Statics of joined bodies: at rest a joint hands on what it does not leave free.
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
    return model->bodies[body].link < 0 ? NULL : &model->tree.links[model->bodies[body].link];
}

// Whether the equations of a body are those of its joint's freedoms.
static int is_jointed(const kane_statics *s, int body)
{
    const kane_link *link = link_of(s, body);
    return link && link->kind != KANE_LINK_BODY && s->compiler->hinges[body].joint;
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
