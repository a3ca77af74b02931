// SPDX-License-Identifier: MIT
// Static preload: the loads of the elements for which the vehicle rests on straight level track, and the wheels' place
// on the rails under them.
//
// Unknowns are the loads that laws can carry; equations say that each body's wrench vanishes in its freedoms, leaving
// out what rails take (vertical force and roll of a wheelset) and what nothing has to carry (its spin). Joints hand on
// what they do not leave free (statics_tree.c), and forces of constraints are unknowns too. The solution is the one
// with the smallest sum of squares. Heights of wheelsets follow from the loads and, by tenths of millimetres, the
// loads' levers from the heights: a few passes settle both.

#include "math/least_squares.h"
#include "model/statics.h"

#include <string.h>

// Displacement of a body from the place that the definition gives it, by its wheels.
static kane_vec3 sunk(const kane_model *model, const kane_body *body)
{
    if (body->wheels < 0)
        return kv3_zero();
    const kane_wheels *wheels = &model->wheels[body->wheels];
    return kv3(0.0, 0.0, wheels->height - body->position.z);
}

static kane_mat3 rolled(const kane_model *model, const kane_body *body)
{
    const double roll = body->wheels < 0 ? 0.0 : model->wheels[body->wheels].roll;
    return km3_turn_x(km3_identity(), sin(roll), cos(roll));
}

// Where an end of an element is at rest, vehicle axes.
static kane_marker rest_marker(const kane_model *model, const kane_element *element, const kane_element_end *end)
{
    kane_marker m = {.R = end->axes};
    if (end->body >= 0) {
        const kane_body *body = &model->bodies[end->body];
        const kane_mat3 R     = rolled(model, body);
        m.R                   = km3_mul(R, end->axes);
        m.position            = kv3_add(kv3_add(body->position, sunk(model, body)), km3_mulv(R, end->point));
    } else {
        const kane_element_end *other = end == &element->a ? &element->b : &element->a;
        const kane_body *body         = &model->bodies[other->body];
        m.position                    = kv3_add(kv3_sub(body->position, body->origin), end->point);
    }
    return m;
}

static kane_vec3 mirror(const kane_element *element, kane_vec3 a)
{
    return element->mirrored ? kane_mirror_polar(a) : a;
}

// Takes the element's static geometry from where its ends now are: there all its relative motion is zero.
static void measure(const kane_model *model, kane_element *element)
{
    const kane_marker a = rest_marker(model, element, &element->a);
    const kane_marker b = rest_marker(model, element, &element->b);
    element->axes_d0    = km3_tmulv(a.R, kv3_sub(b.position, a.position));
    element->d0         = mirror(element, element->axes_d0);
    const kane_mat3 R_b = km3_mul(b.R, km3_transpose(element->b.axes)); // body b to vehicle axes
    element->b.axes     = km3_tmul(R_b, a.R);
}

// Adds a wrench that an element exerts in b's point (law axes) to both its bodies: six numbers each, forces along x, y,
// z and torques about z, x, y (the order of the coordinates).
static void spread(const kane_model *model, const kane_element *element, kane_wrench on_b, double *six_per_body)
{
    const kane_marker a    = rest_marker(model, element, &element->a);
    const kane_marker b    = rest_marker(model, element, &element->b);
    const double back      = element->mirrored ? -1.0 : 1.0; // axial vectors mirror with the opposite sign
    const kane_vec3 force  = km3_mulv(a.R, mirror(element, on_b.force));
    const kane_vec3 torque = kv3_scale(back, km3_mulv(a.R, mirror(element, on_b.torque)));
    const int body[2]      = {element->b.body, element->a.body};
    for (int i = 0; i < 2; i++) {
        if (body[i] < 0)
            continue;
        const kane_body *at    = &model->bodies[body[i]];
        const kane_vec3 centre = kv3_add(at->position, sunk(model, at));
        const kane_vec3 f      = i == 0 ? force : kv3_neg(force);
        const kane_vec3 free   = i == 0 ? torque : kv3_neg(torque);
        const kane_vec3 t      = kv3_add(free, kv3_cross(kv3_sub(b.position, centre), f));
        const double add[6]    = {f.x, f.y, f.z, t.z, t.x, t.y};
        for (int k = 0; k < 6; k++)
            six_per_body[6 * body[i] + k] += add[k];
    }
}

// Whether equilibrium in this coordinate of a body has to come from elements.
static int is_equation(const kane_statics *joined, int j, int coordinate)
{
    const kane_body *body = &joined->compiler->model->bodies[j];
    if (kane_statics_is_jointed(joined, j))
        return kane_statics_is_equation(joined, j, coordinate);
    if (!(body->freedoms & KANE_FREEDOM(coordinate)) || body->panel)
        return 0;
    if (body->wheels >= 0 && (coordinate == KANE_Z || coordinate == KANE_ROLL))
        return 0;
    return !(body->kind == KANE_BODY_SPINNING && coordinate == KANE_PITCH);
}

// Directions in which an element can carry a static load; returns how many.
static int directions(const kane_element *element, kane_vec3 direction[3])
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

// What an element exerts on b at rest.
static kane_status exert_at_rest(const kane_model *model, const kane_element *element, kane_wrench *on_b)
{
    static const double resting[KANE_LAW_STATES] = {0.0};
    const kane_marker a                          = rest_marker(model, element, &element->a);
    const kane_marker b                          = rest_marker(model, element, &element->b);
    const kane_relative r                        = {.d0 = element->d0, .a = &a, .b = &b, .state = resting};
    *on_b                                        = (kane_wrench){kv3_zero(), kv3_zero()};
    return element->law->eval(element->data, &r, on_b) == 0 ? KANE_OK : KANE_NOT_SOLVED;
}

// The equations of rest: matrix x = target for the loads x of elements along their directions.
typedef struct equations {
    int rows, columns;
    int loads;      // columns of elements; those of constraints follow
    double *matrix; // by columns, each of `rows`
    double *target; // rows, or columns if there are more of them
    double *wrench; // six per body: gravity and all loads that are known
    double *left;   // the same as far as joints leave it free
    kane_statics joined;
} equations;

static int count_columns(const kane_model *model)
{
    int columns = 0;
    for (int e = 0; e < model->element_count; e++) {
        kane_vec3 direction[3];
        columns += directions(&model->elements[e], direction);
    }
    return columns;
}

static int allocate(kane_compiler *c, equations *q)
{
    const kane_model *model = c->model;
    if (!kane_statics_begin(c, &q->joined))
        return 0; // the arena knows
    q->rows           = 6 * model->body_count;
    q->loads          = count_columns(model);
    q->columns        = q->loads + (q->loads > 0 || model->wheels_count > 0 ? q->joined.row_count : 0);
    const size_t rows = (size_t)q->rows, columns = (size_t)q->columns;
    q->matrix = kane_allocate(rows * columns, sizeof *q->matrix);
    q->target = kane_allocate(rows + columns, sizeof *q->target);
    q->wrench = kane_allocate(rows, sizeof *q->wrench);
    q->left   = kane_allocate(rows, sizeof *q->left);
    if (q->matrix && q->target && q->wrench && q->left)
        return 1;
    kane_errors_add(c->errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return 0;
}

static void release(equations *q)
{
    kane_release(q->matrix);
    kane_release(q->target);
    kane_release(q->wrench);
    kane_release(q->left);
}

// Gravity and everything that is known without solving.
static int sum_known(kane_compiler *c, equations *q)
{
    const kane_model *model = c->model;
    memset(q->wrench, 0, (size_t)q->rows * sizeof *q->wrench);
    for (int j = 0; j < model->body_count; j++)
        q->wrench[6 * j + KANE_Z] -= model->bodies[j].mass * model->gravity;
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        kane_wrench on_b;
        if (element->solved)
            continue;
        if (exert_at_rest(model, element, &on_b) != KANE_OK) {
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->elements[e].block, NULL, -1),
                                  "the law of '%s' cannot be evaluated at rest", element->name);
            return 0;
        }
        spread(model, element, on_b, q->wrench);
    }
    return 1;
}

// What is left for the equations.
static void project_wrench(equations *q)
{
    memcpy(q->left, q->wrench, (size_t)q->rows * sizeof *q->left);
    kane_statics_project(&q->joined, q->left);
}

static void assemble(const kane_model *model, equations *q)
{
    const size_t rows = (size_t)q->rows;
    memset(q->matrix, 0, rows * (size_t)q->columns * sizeof *q->matrix);
    double *column = q->matrix;
    for (int e = 0; e < model->element_count; e++) {
        kane_vec3 direction[3];
        const int count = directions(&model->elements[e], direction);
        for (int k = 0; k < count; k++, column += rows)
            spread(model, &model->elements[e], (kane_wrench){direction[k], kv3_zero()}, column);
    }
    for (int i = q->loads; i < q->columns; i++, column += rows)
        kane_statics_constrain(&q->joined, i - q->loads, 1.0, column);
    for (int i = 0; i < q->columns; i++)
        kane_statics_project(&q->joined, q->matrix + (size_t)i * rows);
    project_wrench(q);
    for (int j = 0; j < model->body_count; j++) {
        for (int k = 0; k < KANE_COORDINATES; k++) {
            const int row   = 6 * j + k;
            const int holds = is_equation(&q->joined, j, k);
            q->target[row]  = holds ? -q->left[row] : 0.0;
            for (int i = 0; i < q->columns && !holds; i++)
                q->matrix[(size_t)i * rows + (size_t)row] = 0.0;
        }
    }
}

// Least squares of least norm; the loads go to the elements, their wrenches to the bodies.
static int solve(kane_compiler *c, equations *q)
{
    kane_model *model = c->model;
    assemble(model, q);
    if (q->columns > 0 && kane_least_squares(q->rows, q->columns, q->matrix, q->target, 1e-11) != 0) {
        kane_errors_add(c->errors, KANE_NOT_SOLVED, "the static loads of the elements cannot be solved for");
        return 0;
    }
    int next = 0;
    for (int e = 0; e < model->element_count; e++) {
        kane_element *element = &model->elements[e];
        kane_vec3 direction[3];
        const int count = directions(element, direction);
        if (!element->solved)
            continue;
        element->load = kv3_zero();
        for (int k = 0; k < count; k++)
            element->load = kv3_add_scaled(element->load, q->target[next++], direction[k]);
        spread(model, element, (kane_wrench){element->load, kv3_zero()}, q->wrench);
    }
    for (int i = q->loads; i < q->columns; i++)
        kane_statics_constrain(&q->joined, i - q->loads, q->target[next++], q->wrench);
    return 1;
}

// Hands their loads to the laws: those that are given, or those that have been solved for.
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

// Lets the wheelsets down on the rails under their loads; returns the largest movement [m], or -1 with an error.
static double lower_wheels(kane_compiler *c, const equations *q)
{
    kane_model *model  = c->model;
    const double speed = model->speed > 1.0 ? model->speed : 1.0;
    double moved       = 0.0;
    for (int i = 0; i < model->wheels_count; i++) {
        kane_wheels *wheels   = &model->wheels[i];
        const double *wrench  = q->wrench + 6 * wheels->body;
        const double before   = wheels->height;
        const double vertical = -wrench[KANE_Z];
        if (!(vertical > 0.0) || kane_wheels_rest(wheels, speed, vertical, -wrench[KANE_ROLL]) != 0) {
            report_no_rest(c, wheels->body, vertical);
            return -1.0;
        }
        moved = fmax(moved, fabs(wheels->height - before));
    }
    return moved;
}

// What is left over must vanish: it would be an acceleration of a vehicle that is said to rest.
static void check_rest(kane_compiler *c, equations *q)
{
    const kane_model *model = c->model;
    double weight           = 0.0;
    project_wrench(q);
    for (int j = 0; j < model->body_count; j++)
        weight += model->bodies[j].mass * model->gravity;
    for (int j = 0; j < model->body_count; j++) {
        for (int k = 0; k < KANE_COORDINATES; k++) {
            const double left = q->left[6 * j + k];
            int is_turn       = k >= KANE_YAW;
            if (!is_equation(&q->joined, j, k) || fabs(left) <= 1e-8 * weight)
                continue;
            const char *name = kane_coordinate_name((kane_coordinate)k);
            if (kane_statics_is_jointed(&q->joined, j))
                name = kane_statics_row_name(&q->joined, j, k, &is_turn);
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->bodies[j].block, NULL, -1),
                                  "'%s' cannot rest: %g %s is left in the direction of %s that no element carries; "
                                  "check masses, points and static loads of the elements at this body",
                                  model->bodies[j].name, left, is_turn ? "N m" : "N", name);
        }
    }
}

// Axes that are the body's own to round-off need no multiplication.
static void note_turned(kane_element_end *end)
{
    const kane_mat3 d = km3_sub(end->axes, km3_identity());
    end->turned       = kv3_norm(d.x) + kv3_norm(d.y) + kv3_norm(d.z) > 1e-15;
}

void kane_compile_statics(kane_compiler *c)
{
    kane_model *model = c->model;
    equations q       = {0};
    for (int i = 0; i < model->wheels_count; i++)
        model->wheels[i].height = model->bodies[model->wheels[i].body].position.z;

    if (allocate(c, &q)) {
        double moved = 1.0;
        for (int pass = 0; pass < 20 && moved > 1e-14; pass++) {
            for (int e = 0; e < model->element_count; e++)
                measure(model, &model->elements[e]);
            if (!settle_laws(c, 0) || !sum_known(c, &q) || !solve(c, &q) || !settle_laws(c, 1))
                break;
            moved = lower_wheels(c, &q);
        }
        if (moved >= 0.0 && moved <= 1e-12 && (model->wheels_count > 0 || q.loads > 0))
            check_rest(c, &q);
    }
    release(&q);
    for (int e = 0; e < model->element_count; e++) {
        note_turned(&model->elements[e].a);
        note_turned(&model->elements[e].b);
    }
}
