// SPDX-License-Identifier: MIT
// Static preload: the loads of the elements for which the vehicle rests on straight level track, and the wheels' place
// on the rails under them.
//
// Unknowns are the loads that laws can carry; equations are the wrenches on each body in its freedoms, without those
// that rails carry (vertical force and roll of a wheelset) and without a wheelset's spin. Joints transmit the parts
// that they do not leave free (statics_tree.c), and forces of constraints are unknowns too. The solution has the
// smallest sum of squares; groups of bodies that no unknown load connects are solved separately. Under a wheelset with
// less than six freedoms the vertical force of its rails and their torque about x are unknowns, too. Heights of
// wheelsets follow from the loads and, by tenths of millimetres, lever arms from the heights: a few passes settle both.

#include "base/text.h"
#include "math/dense.h"

#include "model/statics.h"

#include <string.h>

enum { NAMED = 3 }; // of the directions in which a vehicle cannot rest

// Whether equilibrium in this coordinate of a body has to come from elements.
static int is_equation(const kane_statics *s, int j, int coordinate)
{
    const kane_body *body = &s->compiler->model->bodies[j];
    if (kane_statics_is_jointed(s, j))
        return kane_statics_is_equation(s, j, coordinate);
    if (!(body->dof & KANE_DOF(coordinate)) || body->panel)
        return 0;
    if (body->wheels >= 0 && (coordinate == KANE_Z || coordinate == KANE_ROLL))
        return 0;
    return !(body->kind == KANE_BODY_SPINNING && coordinate == KANE_PITCH);
}

// Static wrenches on all bodies, and the equations of rest of one group of bodies after the other: matrix x = target
// for the loads x of elements along their directions, then for the multipliers of constraints.
typedef struct equations {
    kane_statics statics;
    kane_rest_groups groups;
    int loads;       // unknown ones in all
    double *rails;   // two per wheelset: vertical force and torque about x at its mass centre that its rails must exert
    int constraints; // 1: multipliers are unknowns too
    double *wrench;  // six per body: gravity and all loads that are known
    double *left;    // the same as far as joints leave it free
    double *column;  // six per body: what one unknown exerts
    double *matrix;  // of the group: by columns, each with six rows per body of it
    double *target;  // rows, or columns if there are more of them
} equations;

// Unknown loads of a group's elements.
static int count_loads(const kane_model *model, const kane_rest_group *group)
{
    int count = 0;
    for (int i = 0; i < group->element_count; i++) {
        kane_vec3 direction[3];
        count += kane_statics_directions(&model->elements[group->elements[i]], direction);
    }
    return count;
}

// Whether the rail forces of a wheelset are unknowns (jointed ones); otherwise its z and roll have no equation.
static int asks_rails(const equations *q, const kane_model *model, int wheels)
{
    return kane_statics_is_jointed(&q->statics, model->wheels[wheels].body);
}

// Wheelsets of a group are few: they are found among its bodies.
static int count_columns(const equations *q, const kane_model *model, const kane_rest_group *group)
{
    int count = count_loads(model, group) + (q->constraints ? group->row_count : 0);
    for (int i = 0; i < group->body_count; i++) {
        const int wheels = model->bodies[group->bodies[i]].wheels;
        count += wheels >= 0 && asks_rails(q, model, wheels) ? 2 : 0;
    }
    return count;
}

static int allocate_equations(kane_compiler *c, equations *q)
{
    const kane_model *model = c->model;
    const size_t bodies     = (size_t)model->body_count;
    size_t largest = 0, longest = 0;
    if (!kane_statics_begin(c, &q->statics) || !kane_statics_groups(&q->statics, &q->groups))
        return 0; // the arena knows
    for (int g = 0; g < q->groups.count; g++)
        q->loads += count_loads(model, &q->groups.groups[g]);
    q->constraints = q->loads > 0 || model->wheels_count > 0;
    for (int g = 0; g < q->groups.count; g++) {
        const size_t rows    = 6 * (size_t)q->groups.groups[g].body_count;
        const size_t columns = (size_t)count_columns(q, model, &q->groups.groups[g]);
        largest              = rows * columns > largest ? rows * columns : largest;
        longest              = rows + columns > longest ? rows + columns : longest;
    }
    q->matrix = kane_allocate(largest, sizeof *q->matrix);
    q->target = kane_allocate(longest, sizeof *q->target);
    q->wrench = kane_allocate(6 * bodies, sizeof *q->wrench);
    q->left   = kane_allocate(6 * bodies, sizeof *q->left);
    q->column = kane_allocate(6 * bodies, sizeof *q->column);
    q->rails  = kane_allocate(2 * (size_t)model->wheels_count, sizeof *q->rails);
    if (q->matrix && q->target && q->wrench && q->left && q->column && q->rails)
        return 1;
    (void)kane_no_memory(c->errors);
    return 0;
}

static void free_equations(equations *q)
{
    kane_release(q->matrix);
    kane_release(q->target);
    kane_release(q->wrench);
    kane_release(q->left);
    kane_release(q->column);
    kane_release(q->rails);
}

// A given load must be one that the law can carry: a part that the law drops would vanish without a message.
static void check_load(kane_compiler *c, const kane_element *element, kane_vec3 carried)
{
    const kane_vec3 load = element->load;
    if (kv3_norm(kv3_sub(carried, load)) <= 1e-6 * kv3_norm(load) || kv3_norm(load) == 0.0)
        return;
    kane_errors_add_input(
        c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->elements[element->index].block, "load", -1),
        "the law '%s' does not carry (%g, %g, %g) N; at rest it exerts (%g, %g, %g) N", element->law->name, load.x,
        load.y, load.z, carried.x + 0.0, carried.y + 0.0, carried.z + 0.0); // no -0
}

// wrench: weight, weight of rods, and elements with known loads. 0 with an error.
static int sum_known(kane_compiler *c, equations *q)
{
    const kane_model *model = c->model;
    memset(q->wrench, 0, 6 * (size_t)model->body_count * sizeof *q->wrench);
    for (int j = 0; j < model->body_count; j++)
        q->wrench[6 * j + KANE_Z] -= model->bodies[j].mass * model->gravity;
    kane_statics_weigh_rods(&q->statics, q->wrench);
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        kane_wrench on_b;
        if (element->solved)
            continue;
        if (kane_statics_exert(model, element, &on_b) != KANE_OK) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->elements[e].block, NULL, -1),
                                  "the law of '%s' cannot be evaluated at rest", element->name);
            return 0;
        }
        check_load(c, element, on_b.force);
        kane_statics_spread(model, element, on_b, q->wrench);
    }
    return 1;
}

// left: the known wrenches along the freedoms of joints.
static void project_wrench(const kane_model *model, equations *q)
{
    memcpy(q->left, q->wrench, 6 * (size_t)model->body_count * sizeof *q->left);
    kane_statics_project(&q->statics, model->tree.link_count, NULL, q->left);
}

// Projects `column` and moves it into a column of the matrix: equations of the group's bodies; `column` is zero again.
static void take_column(equations *q, const kane_rest_group *group, double *to)
{
    kane_statics_project(&q->statics, group->link_count, group->links, q->column);
    for (int i = 0; i < group->body_count; i++)
        for (int k = 0; k < KANE_COORDINATES; k++) {
            double *from  = &q->column[6 * group->bodies[i] + k];
            to[6 * i + k] = is_equation(&q->statics, group->bodies[i], k) ? *from : 0.0;
            *from         = 0.0;
        }
}

// Adds a rail force on a wheelset: vertical (which 0), or a torque about x as that of a force at one rail (1).
static void add_rails(const kane_model *model, int wheels, int which, double size, double *six_per_body)
{
    const kane_wheels *w = &model->wheels[wheels];
    six_per_body[6 * w->body + (which ? KANE_ROLL : KANE_Z)] += which ? size * w->rail_distance[0] : size;
}

// matrix x = target = -left: columns of element loads, then multipliers, then rail forces.
static void assemble_matrix(const kane_model *model, equations *q, const kane_rest_group *group)
{
    double *to = q->matrix;
    for (int i = 0; i < group->element_count; i++) {
        const kane_element *element = &model->elements[group->elements[i]];
        kane_vec3 direction[3];
        const int count = kane_statics_directions(element, direction);
        for (int k = 0; k < count; k++, to += 6 * (size_t)group->body_count) {
            kane_statics_spread(model, element, (kane_wrench){direction[k], kv3_zero()}, q->column);
            take_column(q, group, to);
        }
    }
    for (int i = 0; i < group->row_count && q->constraints; i++, to += 6 * (size_t)group->body_count) {
        kane_statics_constrain(&q->statics, group->rows[i], 1.0, q->column);
        take_column(q, group, to);
    }
    for (int i = 0; i < group->body_count; i++) {
        const int wheels = model->bodies[group->bodies[i]].wheels;
        for (int k = 0; k < 2 && wheels >= 0 && asks_rails(q, model, wheels); k++) {
            add_rails(model, wheels, k, 1.0, q->column);
            take_column(q, group, to);
            to += 6 * (size_t)group->body_count;
        }
    }
    for (int i = 0; i < group->body_count; i++)
        for (int k = 0; k < KANE_COORDINATES; k++) {
            const int row        = 6 * group->bodies[i] + k;
            q->target[6 * i + k] = is_equation(&q->statics, group->bodies[i], k) ? -q->left[row] : 0.0;
        }
}

// Least squares of least norm (docs/theory.md, section 7). Stores the loads in the elements, and adds their wrenches to
// `wrench`.
static int solve_group(kane_compiler *c, equations *q, const kane_rest_group *group)
{
    kane_model *model = c->model;
    const int columns = count_columns(q, model, group);
    int next          = 0;
    assemble_matrix(model, q, group);
    const int failed =
        columns > 0 ? kane_least_squares(6 * group->body_count, columns, q->matrix, q->target, 1e-11) : 0;
    if (failed < 0)
        (void)kane_no_memory(c->errors);
    else if (failed)
        kane_errors_add(c->errors, KANE_NOT_SOLVED, "the static loads of the elements cannot be solved for");
    if (failed)
        return 0;
    for (int i = 0; i < group->element_count; i++) {
        kane_element *element = &model->elements[group->elements[i]];
        kane_vec3 direction[3];
        const int count = kane_statics_directions(element, direction);
        element->load   = kv3_zero();
        for (int k = 0; k < count; k++)
            element->load = kv3_add_scaled(element->load, q->target[next++], direction[k]);
        kane_statics_spread(model, element, (kane_wrench){element->load, kv3_zero()}, q->wrench);
    }
    for (int i = 0; i < group->row_count && q->constraints; i++)
        kane_statics_constrain(&q->statics, group->rows[i], q->target[next++], q->wrench);
    for (int i = 0; i < group->body_count; i++) {
        const int wheels = model->bodies[group->bodies[i]].wheels;
        for (int k = 0; k < 2 && wheels >= 0 && asks_rails(q, model, wheels); k++) {
            q->rails[2 * wheels + k] = q->target[next] * (k ? model->wheels[wheels].rail_distance[0] : 1.0);
            add_rails(model, wheels, k, q->target[next++], q->wrench);
        }
    }
    return 1;
}

static int solve_groups(kane_compiler *c, equations *q)
{
    project_wrench(c->model, q);
    for (int g = 0; g < q->groups.count; g++)
        if (!solve_group(c, q, &q->groups.groups[g]))
            return 0;
    return 1;
}

// Static loads into the laws: given ones (solved 0), or those of the solution (1).
static int settle_laws(kane_compiler *c, int solved)
{
    for (int e = 0; e < c->model->element_count; e++) {
        kane_element *element = &c->model->elements[e];
        if (element->law->settle && element->solved == solved &&
            element->law->settle(element->data, element->d0, element->load, c->errors) != 0)
            return 0;
    }
    return 1;
}

static void report_no_rest(kane_compiler *c, int body, double vertical)
{
    const kane_place place = kane_block_place(&c->vehicle->bodies[body].block, NULL, -1);
    const char *name       = c->model->bodies[body].name;
    if (vertical > 0.0)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "'%s' finds no rest on the rails under %g N: check masses, gauge, wheels and rails", name,
                              vertical);
    else
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, place,
                              "'%s' is not pressed onto the rails: %g N are left for them; check gravity, masses and "
                              "points of the elements",
                              name, vertical + 0.0); // no -0
}

// Vertical force [N] and torque about x [N m] of the rails on a wheelset: the solution's, or the opposite of the wrench
// left on it.
static void carry_by_rails(const equations *q, const kane_model *model, int wheels, double out[2])
{
    const double *left = q->left + 6 * model->wheels[wheels].body;
    out[0]             = asks_rails(q, model, wheels) ? q->rails[2 * wheels] : -left[KANE_Z];
    out[1]             = asks_rails(q, model, wheels) ? q->rails[2 * wheels + 1] : -left[KANE_ROLL];
}

// Lowers the wheelsets on the rails under their loads, with their carriers and the bodies on them; returns the largest
// movement [m], or -1 with an error.
static double lower_wheels(kane_compiler *c, equations *q)
{
    kane_model *model  = c->model;
    const double speed = model->speed > 1.0 ? model->speed : 1.0;
    double moved       = 0.0;
    project_wrench(model, q);
    for (int i = 0; i < model->wheels_count; i++) {
        kane_wheels *wheels = &model->wheels[i];
        const double before = wheels->height;
        double rails[2];
        carry_by_rails(q, model, i, rails);
        if (!(rails[0] > 0.0) || kane_wheels_rest(wheels, speed, rails[0], rails[1]) != 0) {
            report_no_rest(c, wheels->body, rails[0]);
            return -1.0;
        }
        moved = fmax(moved, fabs(wheels->height - before));
    }
    return kane_statics_let_down(&q->statics) ? moved : -1.0;
}

// Remainder in a direction of a body that no element carries.
typedef struct left_over {
    int body, is_turn;
    double left;      // [N] or [N m]
    const char *name; // of the direction
} left_over;

// 1: coordinate k of body j is left with more than round-off.
static int is_left(const equations *q, double weight, int j, int k, left_over *r)
{
    *r = (left_over){j, k >= KANE_YAW, q->left[6 * j + k], kane_coordinate_name((kane_coordinate)k)};
    if (!is_equation(&q->statics, j, k) || fabs(r->left) <= 1e-8 * weight)
        return 0;
    if (kane_statics_is_jointed(&q->statics, j))
        r->name = kane_statics_row_name(&q->statics, j, k, &r->is_turn);
    return 1;
}

// The remainder must vanish: it would be an acceleration of a vehicle at rest. Least squares spread the remainder of
// one wrong support over all connected bodies: the largest one (1 N as 1 N m) is the error, which names others.
static void check_rest(kane_compiler *c, equations *q)
{
    const kane_model *model = c->model;
    double weight           = 0.0;
    left_over worst         = {.body = -1}, r;
    char more[200]          = "";
    kane_text names         = kane_text_start(sizeof more, more);
    int count               = 0;
    project_wrench(model, q);
    for (int j = 0; j < model->body_count; j++)
        weight += model->bodies[j].mass * model->gravity;
    for (int i = 0; i < KANE_COORDINATES * model->body_count; i++)
        if (is_left(q, weight, i / KANE_COORDINATES, i % KANE_COORDINATES, &r) &&
            (worst.body < 0 || fabs(r.left) > fabs(worst.left)))
            worst = r;
    for (int i = 0; i < KANE_COORDINATES * model->body_count && worst.body >= 0; i++) {
        if (!is_left(q, weight, i / KANE_COORDINATES, i % KANE_COORDINATES, &r) ||
            (r.body == worst.body && r.name == worst.name))
            continue;
        if (count++ < NAMED)
            kane_text_add(&names, "%s'%s' (%s)", count == 1 ? "; nor can " : ", ", model->bodies[r.body].name, r.name);
    }
    if (count > NAMED)
        kane_text_add(&names, " and %d more", count - NAMED);
    if (worst.body >= 0)
        kane_errors_add_input(
            c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->bodies[worst.body].block, NULL, -1),
            "'%s' cannot rest: %g %s is left in the direction of %s that no element carries; "
            "check masses, points and static loads of the elements at this body%s",
            model->bodies[worst.body].name, worst.left, worst.is_turn ? "N m" : "N", worst.name, more);
}

// turned 0: axes equal the body's to round-off and need no multiplication.
static void note_turned(kane_fixed_marker *end)
{
    const kane_mat3 d = km3_sub(end->axes, km3_identity());
    end->turned       = kv3_norm(d.x) + kv3_norm(d.y) + kv3_norm(d.z) > 1e-15;
}

// Loads depend on heights through lever arms, and heights on loads: passes until both are settled.
void kane_compile_statics(kane_compiler *c)
{
    kane_model *model = c->model;
    equations q       = {0};
    for (int i = 0; i < model->wheels_count; i++)
        model->wheels[i].height = model->bodies[model->wheels[i].body].position.z;

    if (allocate_equations(c, &q)) {
        double moved = 1.0;
        for (int pass = 0; pass < 20 && moved > 1e-14; pass++) {
            for (int e = 0; e < model->element_count; e++)
                kane_statics_measure(model, &model->elements[e]);
            if (!settle_laws(c, 0) || !sum_known(c, &q) || !solve_groups(c, &q) || !settle_laws(c, 1))
                break;
            moved = lower_wheels(c, &q);
        }
        if (moved >= 0.0 && moved <= 1e-12 && (model->wheels_count > 0 || q.loads > 0))
            check_rest(c, &q);
        project_wrench(model, &q);
        kane_compile_mode_loads(c, q.left);
    }
    free_equations(&q);
    for (int e = 0; e < model->element_count; e++) {
        note_turned(&model->elements[e].a);
        note_turned(&model->elements[e].b);
    }
}

// === Elements of a vehicle at rest: where their ends are, what they carry, and what they exert on their bodies.

// Where an end of an element is at rest, vehicle axes.
static kane_marker rest_marker(const kane_model *model, const kane_fixed_marker *end)
{
    kane_marker m = {.R = end->axes};
    if (end->body >= 0) {
        const kane_body *body = &model->bodies[end->body];
        m.R                   = km3_mul(body->rest_R, end->axes);
        m.position            = kv3_add(body->rest, km3_mulv(body->rest_R, end->point));
    } else {
        m.position = kv3_add(model->frames[end->frame].drawn, end->point);
    }
    return m;
}

// A polar vector of an element, mirrored if the element is.
static kane_vec3 mirror_element_vector(const kane_element *element, kane_vec3 a)
{
    return element->mirrored ? kane_mirror_polar(a) : a;
}

void kane_statics_measure(const kane_model *model, kane_element *element)
{
    const kane_marker a = rest_marker(model, &element->a);
    const kane_marker b = rest_marker(model, &element->b);
    element->axes_d0    = km3_tmulv(a.R, kv3_sub(b.position, a.position));
    element->d0         = mirror_element_vector(element, element->axes_d0);
    const kane_mat3 R_b = km3_mul(b.R, km3_transpose(element->b.axes)); // body b to vehicle axes
    element->b.axes     = km3_tmul(R_b, a.R);
}

void kane_statics_spread(const kane_model *model, const kane_element *element, kane_wrench on_b, double *six_per_body)
{
    const kane_marker a    = rest_marker(model, &element->a);
    const kane_marker b    = rest_marker(model, &element->b);
    const double back      = element->mirrored ? -1.0 : 1.0; // axial vectors mirror with the opposite sign
    const kane_vec3 force  = km3_mulv(a.R, mirror_element_vector(element, on_b.force));
    const kane_vec3 torque = kv3_scale(back, km3_mulv(a.R, mirror_element_vector(element, on_b.torque)));
    const int body[2]      = {element->b.body, element->a.body};
    for (int i = 0; i < 2; i++) {
        if (body[i] < 0)
            continue;
        const kane_vec3 centre = model->bodies[body[i]].rest;
        const kane_vec3 f      = i == 0 ? force : kv3_neg(force);
        const kane_vec3 free   = i == 0 ? torque : kv3_neg(torque);
        const kane_vec3 t      = kv3_add(free, kv3_cross(kv3_sub(b.position, centre), f));
        const double add[6]    = {f.x, f.y, f.z, t.z, t.x, t.y};
        for (int k = 0; k < 6; k++)
            six_per_body[6 * body[i] + k] += add[k];
    }
}

int kane_statics_directions(const kane_element *element, kane_vec3 direction[3])
{
    if (!element->solved)
        return 0;
    if (element->law->preload == KANE_PRELOAD_LINE) {
        direction[0] = kv3_scale(1.0 / kv3_norm(element->d0), element->d0);
        return 1;
    }
    const kane_vec3 carries =
        element->law->preload_axes ? element->law->preload_axes(element->data) : kv3(1.0, 1.0, 1.0);
    int count = 0;
    for (int axis = 0; axis < 3; axis++)
        if (kv3_get(carries, axis) != 0.0)
            direction[count++] = kv3_unit(axis);
    return count;
}

kane_status kane_statics_exert(const kane_model *model, const kane_element *element, kane_wrench *on_b)
{
    static const double resting[KANE_LAW_STATES] = {0.0};
    const kane_marker a                          = rest_marker(model, &element->a);
    const kane_marker b                          = rest_marker(model, &element->b);
    const kane_absolute absolute                 = {.a        = element->mirrored ? kane_mirror_marker(a) : a,
                                                    .b        = element->mirrored ? kane_mirror_marker(b) : b,
                                                    .mirrored = element->mirrored};
    const kane_relative r = {.d0 = element->d0, .state = resting, .absolute = element->absolute ? &absolute : NULL};
    *on_b                 = (kane_wrench){kv3_zero(), kv3_zero()};
    return element->law->eval(element->data, &r, on_b) == 0 ? KANE_OK : KANE_NOT_SOLVED;
}
