// SPDX-License-Identifier: MIT
// Deformable bodies: their points become bodies without mass on joints of six freedoms, their modes slides on a section
// at rest, and z = G q ties the former to the latter (tree/flex.h). Joints, elements and constraints of such a body act
// on one of its points.

#include "model/compile.h"

#include "tree/spatial.h"
#include "tree/flex.h"

#include <stdio.h>
#include <string.h>

static const double CLOSE = 1e-3; // what is no farther from a point holds it [m]

static int count_of(const kane_deformable *d)
{
    return d && d->mode_count > 0 && d->point_count > 0 ? d->mode_count + d->point_count : 0;
}

int kane_compile_count_parts(const kane_vehicle_definition *vehicle)
{
    int count = 0;
    for (int j = 0; j < vehicle->body_count; j++)
        count += count_of(vehicle->bodies[j].deformable);
    return count;
}

// --- what can be wrong ---

static int is_finite(const double *a, int count)
{
    double sum = 0.0; // not finite if any number is not
    for (int i = 0; i < count && a; i++)
        sum += 0.0 * a[i];
    return sum == 0.0;
}

static const char *check_numbers(const kane_deformable *d)
{
    const int n = d->mode_count;
    if (n < 1 || d->point_count < 1)
        return "it needs one mode and one point at least";
    if (!d->mass || !d->stiffness)
        return "its modes need a mass and a stiffness";
    int good = is_finite(d->mass, n * n) && is_finite(d->stiffness, n * n) && is_finite(d->damping, n * n);
    for (int i = 0; i < d->point_count && good; i++) {
        const kane_deformable_point *p = &d->points[i];
        if (!p->name || !p->S || !p->Psi)
            return "a point needs a name and the motion that modes give it";
        good = is_finite(p->S, 3 * n) && is_finite(p->Psi, 3 * n) && isfinite(p->at.x + p->at.y + p->at.z);
    }
    for (int i = 0; i < d->gauge_count && good; i++) {
        const kane_deformable_gauge *g = &d->gauges[i];
        if (!g->name || !g->unit || !g->description || !g->by)
            return "a gauge needs a name, a unit, a description and what modes do to it";
        good = is_finite(g->by, n);
    }
    for (int i = 0; i < n * n && good; i++) {
        const int other = i % n * n + i / n;
        if (fabs(d->mass[i] - d->mass[other]) > 1e-9 * fabs(d->mass[i]) ||
            fabs(d->stiffness[i] - d->stiffness[other]) > 1e-9 * fabs(d->stiffness[i]))
            return "mass and stiffness of its modes are symmetric";
    }
    for (int i = 0; i < n * n && good && d->momentum_second; i++) {
        const int other   = i % n * n + i / n;
        const kane_vec3 Z = d->momentum_second[i], y = d->turning_second ? d->turning_second[i] : kv3_zero();
        const kane_vec3 same = d->momentum_second[other], turned = d->turning_second ? d->turning_second[other] : y;
        if (kv3_norm(kv3_sub(Z, same)) > 1e-9 * kv3_norm(Z) || kv3_norm(kv3_sub(y, turned)) > 1e-9 * kv3_norm(y))
            return "its sums of second order are symmetric in the modes";
    }
    if (d->turning_second && !d->momentum_second)
        return "turning_second needs momentum_second";
    return good ? NULL : "its numbers are not finite";
}

static int check_body(kane_compiler *c, const kane_body_definition *body)
{
    const char *wrong = check_numbers(body->deformable);
    if (!wrong && (body->kind == KANE_BODY_SPINNING || body->wheels))
        wrong = "a body that spins cannot be flexible";
    if (wrong)
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&body->block, "flexible", -1), "'%s': %s",
                              body->block.name, wrong);
    return !wrong;
}

// --- bodies ---

static const kane_joint_definition mode_joint = {.kind = KANE_JOINT_PRISMATIC};

// "body.part"
static const char *join_part_name(kane_compiler *c, const char *body, const char *part)
{
    const size_t size = strlen(body) + strlen(part) + 2;
    char *name        = kane_arena_alloc(c->model->arena, size, 1);
    if (name)
        (void)snprintf(name, size, "%s.%s", body, part);
    return name ? name : "";
}

static void add_point(kane_compiler *c, const kane_body_definition *body, const kane_deformable_point *point,
                      kane_body_definition *out)
{
    kane_joint_definition *joint = kane_arena_alloc(c->model->arena, 1, sizeof *joint);
    if (!joint)
        return;
    *out            = (kane_body_definition){.block = body->block, .dof = KANE_ALL_DOF, .joint = joint};
    out->block.name = join_part_name(c, body->block.name, point->name);
    out->position   = kv3_add(body->position, point->at);
    *joint          = (kane_joint_definition){.block  = body->block,
                                              .kind   = KANE_JOINT_FREE,
                                              .parent = body->block.name,
                                              .from   = {.at = out->position},
                                              .to     = {.at = out->position},
                                              .dof    = KANE_ALL_DOF};
}

static void add_mode(kane_compiler *c, const kane_body_definition *body, int k, kane_body_definition *out)
{
    char name[32];
    (void)snprintf(name, sizeof name, "mode %d", k + 1);
    *out            = (kane_body_definition){.block    = body->block,
                                             .position = body->position,
                                             .dof      = KANE_ALL_DOF,
                                             .frame    = body->block.name,
                                             .joint    = &mode_joint};
    out->block.name = join_part_name(c, body->block.name, name);
}

// --- parts of definitions that name it ---

// Name of the point's body for a marker on a deformable body; `name` itself for a rigid one. NULL with an error.
static const char *find_point(kane_compiler *c, const char *name, kane_vec3 at, kane_place place)
{
    const kane_vehicle_definition *v = c->vehicle;
    const int j                      = name ? kane_names_find(kane_compile_body_names(c), name) : -1;
    const kane_deformable *d         = j >= 0 ? v->bodies[j].deformable : NULL;
    int nearest                      = 0;
    if (!d)
        return name;
    for (int i = 0; i < d->point_count; i++)
        if (kv3_norm(kv3_sub(at, kv3_add(v->bodies[j].position, d->points[i].at))) <
            kv3_norm(kv3_sub(at, kv3_add(v->bodies[j].position, d->points[nearest].at))))
            nearest = i;
    const kane_vec3 found = kv3_add(v->bodies[j].position, d->points[nearest].at);
    if (kv3_norm(kv3_sub(at, found)) <= CLOSE)
        return join_part_name(c, name, d->points[nearest].name);
    kane_errors_add_input(
        c->errors, KANE_BAD_INPUT, place,
        "'%s' is flexible and held at its interfaces alone; the nearest one to (%g, %g, %g) is '%s' at "
        "(%g, %g, %g): name an interface of its model there, or '%s.%s' as the body",
        name, at.x, at.y, at.z, d->points[nearest].name, found.x, found.y, found.z, name, d->points[nearest].name);
    return NULL;
}

static void *copy_array(kane_compiler *c, const void *from, int count, size_t size)
{
    void *to = kane_arena_alloc(c->model->arena, (size_t)count, size);
    if (to && count > 0)
        memcpy(to, from, (size_t)count * size);
    return to;
}

static void hand_elements(kane_compiler *c, kane_vehicle_definition *v)
{
    kane_element_definition *list = copy_array(c, v->elements, v->element_count, sizeof *list);
    for (int e = 0; e < v->element_count && list; e++)
        for (int i = 0; i < 2; i++)
            if (!list[e].marker[i])
                list[e].between[i] =
                    find_point(c, list[e].between[i], list[e].at[i], kane_block_place(&list[e].block, "at", i));
    v->elements = list;
}

static void hand_markers(kane_compiler *c, kane_vehicle_definition *v)
{
    kane_marker_definition *list = copy_array(c, v->markers, v->marker_count, sizeof *list);
    for (int i = 0; i < v->marker_count && list; i++)
        if (!list[i].relative)
            list[i].on = find_point(c, list[i].on, list[i].position, kane_block_place(&list[i].block, "position", -1));
    v->markers = list;
}

static void hand_sensors(kane_compiler *c, kane_vehicle_definition *v)
{
    kane_sensor_definition *list = copy_array(c, v->sensors, v->sensor_count, sizeof *list);
    for (int i = 0; i < v->sensor_count && list; i++)
        list[i].on = find_point(c, list[i].on, list[i].at, kane_block_place(&list[i].block, "at", -1));
    v->sensors = list;
}

// Bodies attached to it.
static void hand_joints(kane_compiler *c, const kane_vehicle_definition *v, kane_body_definition *bodies)
{
    for (int j = 0; j < v->body_count; j++) {
        const kane_joint_definition *joint = bodies[j].joint;
        if (!joint || !joint->parent || joint->from.marker)
            continue;
        kane_joint_definition *own = copy_array(c, joint, 1, sizeof *own);
        if (!own)
            return;
        own->parent     = find_point(c, joint->parent, joint->from.at, kane_block_place(&joint->block, "at", -1));
        bodies[j].joint = own;
    }
}

// The sides of constraints; a marker has been handed on itself.
static const char *find_side(kane_compiler *c, const kane_block *block, const char *key, int i, const char *body,
                             const kane_attachment *at)
{
    return at->marker ? body : find_point(c, body, at->at, kane_block_place(block, key, i));
}

static void hand_constraints(kane_compiler *c, kane_vehicle_definition *v)
{
    kane_constraint_definition *list = copy_array(c, v->constraints, v->constraint_count, sizeof *list);
    for (int k = 0; k < v->constraint_count && list; k++) {
        kane_constraint_definition *d = &list[k];
        kane_side_definition *sides   = copy_array(c, d->sides, d->side_count, sizeof *sides);
        for (int i = 0; i < 2; i++)
            d->between[i] = find_side(c, &d->block, "between", i, d->between[i], &d->at[i]);
        for (int i = 0; i < d->side_count && sides; i++)
            sides[i].body = find_side(c, &d->block, "markers", i, sides[i].body, &sides[i].at);
        d->sides = sides;
    }
    v->constraints = list;
}

static void hand_actuators(kane_compiler *c, kane_drive_definition *drive)
{
    kane_actuator_definition *list = copy_array(c, drive->actuators, drive->actuator_count, sizeof *list);
    for (int i = 0; i < drive->actuator_count && list; i++) {
        kane_actuator_definition *a = &list[i];
        const int j                 = kane_names_find(kane_compile_body_names(c), a->on);
        const int is_deformable     = j >= 0 && c->vehicle->bodies[j].deformable && a->kind != KANE_ACTUATOR_JOINT;
        if (is_deformable && (a->kind != KANE_ACTUATOR_FORCE || a->at_centre))
            kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&a->block, "on", -1),
                                  "'%s' is flexible: what acts on it does so at one of its interfaces", a->on);
        else if (is_deformable)
            a->on = find_point(c, a->on, a->at, kane_block_place(&a->block, "at", -1));
    }
    drive->actuators = list;
}

void kane_compile_parts(kane_compiler *c)
{
    const kane_vehicle_definition *before = c->vehicle;
    const int count                       = before->body_count;
    const int parts                       = kane_compile_count_parts(before);
    kane_vehicle_definition *v;
    kane_drive_definition *drive;
    int next = count, good = 1;
    c->part_first = count;
    for (int j = 0; j < count; j++)
        good = (!before->bodies[j].deformable || check_body(c, &before->bodies[j])) && good;
    if (parts == 0 || !good)
        return;
    v                            = copy_array(c, before, 1, sizeof *v);
    drive                        = copy_array(c, c->drive, 1, sizeof *drive);
    kane_body_definition *bodies = kane_arena_alloc(c->model->arena, (size_t)(count + parts), sizeof *bodies);
    if (!v || !drive || !bodies)
        return;
    memcpy(bodies, before->bodies, (size_t)count * sizeof *bodies);
    hand_joints(c, before, bodies);
    hand_elements(c, v);
    hand_markers(c, v);
    hand_sensors(c, v);
    hand_constraints(c, v);
    hand_actuators(c, drive);
    for (int j = 0; j < count; j++) {
        const kane_deformable *d = bodies[j].deformable;
        for (int i = 0; d && i < d->point_count; i++)
            add_point(c, &bodies[j], &d->points[i], &bodies[next++]);
        for (int k = 0; d && k < d->mode_count; k++)
            add_mode(c, &bodies[j], k, &bodies[next++]);
    }
    v->bodies     = bodies;
    v->body_count = next;
    c->vehicle    = v;
    c->drive      = drive;
}

static void set_body_part(kane_model *model, int body, kane_body_part part, int of)
{
    model->bodies[body].part    = part;
    model->bodies[body].part_of = of;
}

void kane_compile_mark_parts(kane_compiler *c)
{
    int next = c->part_first;
    for (int j = 0; j < c->part_first; j++) {
        const kane_deformable *d = c->vehicle->bodies[j].deformable;
        for (int i = 0; d && i < d->point_count; i++)
            set_body_part(c->model, next++, KANE_PART_POINT, j);
        for (int k = 0; d && k < d->mode_count; k++)
            set_body_part(c->model, next++, KANE_PART_MODE, j);
        if (d)
            (void)kane_compile_section(c->model);
    }
}

// Frame of kind KANE_FRAME_SECTION; one for the model.
int kane_compile_section(kane_model *model)
{
    if (model->section == 0) {
        model->section = model->frame_count++;
        model->frames[model->section] =
            (kane_frame){.kind = KANE_FRAME_SECTION, .carrier = -1, .wheels = -1, .link = -1};
    }
    return model->section;
}

// --- flexible bodies ---

// Six rows of G of a point: coordinates x, y, z, yaw, roll, pitch of its joint by modes, from S and Psi (x, y, z).
static void fill_rows(const kane_deformable *d, const kane_deformable_point *point, double *G)
{
    static const int about[3] = {2, 0, 1};
    const size_t n            = (size_t)d->mode_count;
    memcpy(G, point->S, 3 * n * sizeof *G);
    for (int c = 0; c < 3; c++)
        memcpy(G + (size_t)(3 + c) * n, point->Psi + (size_t)about[c] * n, n * sizeof *G);
}

// Whether A [n * n] has no entries off the diagonal.
static int is_diagonal(int n, const double *A)
{
    for (int i = 0; A && i < n * n; i++)
        if (i / n != i % n && A[i] != 0.0)
            return 0;
    return 1;
}

// Second-order terms (flex_inertia.h), from mass centre and body axes to the link's origin and axes:
//   Z = R Z_C,   y = c x Z + R y_C,   J2 += c.Z E - (c Z' + Z c')/2
static void set_shortening(kane_compiler *c, const kane_deformable *d, const kane_link *link, double (*second)[6],
                           kane_flex *flex)
{
    const size_t n = (size_t)(d->mode_count * d->mode_count);
    kane_vec3 *Z   = kane_arena_alloc(c->model->arena, n, sizeof *Z),
              *y   = kane_arena_alloc(c->model->arena, n, sizeof *y);
    for (size_t i = 0; i < n && Z && y && second; i++) {
        Z[i] = km3_mulv(link->body_R, d->momentum_second[i]);
        y[i] = kv3_cross(link->c, Z[i]);
        if (d->turning_second)
            y[i] = kv3_add(y[i], km3_mulv(link->body_R, d->turning_second[i]));
        const double along = kv3_dot(link->c, Z[i]);
        second[i][0] += along - link->c.x * Z[i].x;
        second[i][1] += along - link->c.y * Z[i].y;
        second[i][2] += along - link->c.z * Z[i].z;
        second[i][3] -= 0.5 * (link->c.x * Z[i].y + link->c.y * Z[i].x);
        second[i][4] -= 0.5 * (link->c.x * Z[i].z + link->c.z * Z[i].x);
        second[i][5] -= 0.5 * (link->c.y * Z[i].z + link->c.z * Z[i].y);
    }
    flex->momentum_second = Z;
    flex->turning_second  = y;
}

// Inertia of deformation (flex_inertia.h), from mass centre and body axes to the link's origin (c: mass centre from
// there) and axes:
//   C = R C_C,   c0 = c x C + R c0_C,   g = R g_C,   J1 = R J1_C R' + 2 c.C E - c C' - C c',   J2 = R J2_C R'
static void set_inertia(kane_compiler *c, const kane_deformable *d, const kane_link *link, kane_flex *flex)
{
    kane_arena *arena = c->model->arena;
    const size_t n    = (size_t)d->mode_count;
    const kane_mat3 R = link->body_R;
    if (!d->momentum && !d->turning && !d->gyration && !d->inertia && !d->second && !d->momentum_second)
        return;
    kane_vec3 *C = kane_arena_alloc(arena, n, sizeof *C), *turning = kane_arena_alloc(arena, n, sizeof *turning);
    kane_vec3 *g        = kane_arena_alloc(arena, n * n, sizeof *g);
    double(*inertia)[6] = kane_arena_alloc(arena, n, sizeof *inertia);
    if (!C || !turning || !g || !inertia)
        return;
    for (size_t i = 0; i < n; i++) {
        C[i]       = d->momentum ? km3_mulv(R, d->momentum[i]) : kv3_zero();
        turning[i] = kv3_cross(link->c, C[i]);
        if (d->turning)
            turning[i] = kv3_add(turning[i], km3_mulv(R, d->turning[i]));
        for (size_t j = 0; d->gyration && j < n; j++)
            g[j * n + i] = km3_mulv(R, d->gyration[j * n + i]);
        if (d->inertia)
            ksym_turn(R, d->inertia[i], inertia[i]);
        const double along = 2.0 * kv3_dot(link->c, C[i]);
        inertia[i][0] += along - 2.0 * link->c.x * C[i].x;
        inertia[i][1] += along - 2.0 * link->c.y * C[i].y;
        inertia[i][2] += along - 2.0 * link->c.z * C[i].z;
        inertia[i][3] -= link->c.x * C[i].y + link->c.y * C[i].x;
        inertia[i][4] -= link->c.x * C[i].z + link->c.z * C[i].x;
        inertia[i][5] -= link->c.y * C[i].z + link->c.z * C[i].y;
    }
    double(*second)[6] = d->second || d->momentum_second ? kane_arena_alloc(arena, n * n, sizeof *second) : NULL;
    for (size_t i = 0; i < n * n && second && d->second; i++)
        ksym_turn(R, d->second[i], second[i]);
    if (d->momentum_second)
        set_shortening(c, d, link, second, flex);
    flex->second       = (const double(*)[6])second;
    flex->momentum     = C;
    flex->turning      = turning;
    flex->gyration     = g;
    flex->inertia      = (const double(*)[6])inertia;
    flex->is_decoupled = 0;
}

static void allocate_flex(kane_compiler *c, const kane_deformable *d, kane_flex *flex, double **G)
{
    kane_arena *arena = c->model->arena;
    const size_t n = (size_t)d->mode_count, m = (size_t)d->point_count;
    flex->count        = d->mode_count;
    flex->member_count = d->point_count;
    flex->members      = kane_arena_alloc(arena, m, sizeof *flex->members);
    flex->place        = kane_arena_alloc(arena, (size_t)c->model->tree.link_count, sizeof *flex->place);
    *G                 = kane_arena_doubles(arena, 6 * m * n);
    flex->G            = *G;
    flex->M            = copy_array(c, d->mass, (int)(n * n), sizeof *flex->M);
    flex->factor       = kane_arena_doubles(arena, n * n);
    flex->first        = kane_arena_alloc(arena, n, sizeof *flex->first);
}

static void copy_gauges(kane_compiler *c, const kane_deformable *d, kane_deformation *own)
{
    kane_arena *arena = c->model->arena;
    own->gauge_count  = d->gauge_count;
    own->gauges       = kane_arena_alloc(arena, (size_t)d->gauge_count + 1, sizeof *own->gauges);
    for (int i = 0; i < d->gauge_count && own->gauges; i++) {
        const kane_deformable_gauge *g = &d->gauges[i];
        own->gauges[i] = (kane_deformable_gauge){kane_arena_text(arena, g->name), kane_arena_text(arena, g->unit),
                                                 kane_arena_text(arena, g->description),
                                                 copy_array(c, g->by, d->mode_count, sizeof *g->by)};
    }
}

static void copy_figure(kane_compiler *c, const kane_deformable_figure *figure, int modes, kane_deformation *own)
{
    own->figure = *figure;
    if (figure->node_count == 0)
        return;
    own->figure.nodes  = copy_array(c, figure->nodes, figure->node_count, sizeof *figure->nodes);
    own->figure.shapes = copy_array(c, figure->shapes, figure->node_count * modes, sizeof *figure->shapes);
    own->figure.lines  = copy_array(c, figure->lines, figure->line_count, sizeof *figure->lines);
}

// Largest displacement and rotation of the points by a unit of each mode. A displacement is at least the root of the mean
// square over the mass, (M_kk/m)^1/2: what swings between the points. Where nothing is known to move, the coordinate
// itself counts as metres.
static void find_mode_sizes(const kane_deformable *d, double mass, kane_deformation *own)
{
    const int n = d->mode_count;
    for (int k = 0; k < n; k++) {
        own->shift[k] = mass > 0.0 ? sqrt(d->mass[k * n + k] / mass) : 0.0;
        own->turn[k]  = 0.0;
        for (int i = 0; i < d->point_count; i++) {
            const double *S = d->points[i].S + k, *Psi = d->points[i].Psi + k;
            own->shift[k] = fmax(own->shift[k], kv3_norm(kv3(S[0], S[n], S[2 * n])));
            own->turn[k]  = fmax(own->turn[k], kv3_norm(kv3(Psi[0], Psi[n], Psi[2 * n])));
        }
        if (own->shift[k] == 0.0 && own->turn[k] == 0.0)
            own->shift[k] = 1.0;
    }
}

// The modes of body j: their kane_flex and kane_deformation. part: index of its first part.
static void build_flex(kane_compiler *c, int j, int part)
{
    kane_model *model        = c->model;
    kane_tree *tree          = &model->tree;
    const kane_deformable *d = c->vehicle->bodies[j].deformable;
    const int n              = d->mode_count;
    const int index          = tree->flex_count++;
    kane_flex *flex          = &tree->flexes[index];
    kane_deformation *own    = &model->deformations[model->deformation_count++];
    double *G;
    allocate_flex(c, d, flex, &G);
    *own = (kane_deformation){.flex        = index,
                              .count       = n,
                              .is_diagonal = is_diagonal(n, d->stiffness) && is_diagonal(n, d->damping),
                              .K           = copy_array(c, d->stiffness, n * n, sizeof(double)),
                              .D           = d->damping ? copy_array(c, d->damping, n * n, sizeof(double))
                                                        : kane_arena_doubles(model->arena, (size_t)(n * n)),
                              .load        = kane_arena_doubles(model->arena, (size_t)n),
                              .shift       = kane_arena_doubles(model->arena, (size_t)n),
                              .turn        = kane_arena_doubles(model->arena, (size_t)n)};
    copy_gauges(c, d, own);
    copy_figure(c, &d->figure, n, own);
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
        own->keep[term] = kane_arena_doubles(model->arena, (size_t)n);
        for (int k = 0; k < n && own->keep[term]; k++)
            own->keep[term][k] = model->bodies[part + d->point_count + k].keep[KANE_FORCE][term].x;
    }
    if (kane_arena_failed(model->arena))
        return;
    find_mode_sizes(d, model->bodies[j].mass, own);
    flex->name         = model->bodies[j].name;
    flex->carrier      = model->bodies[j].link;
    flex->mode         = model->bodies[part + d->point_count].link;
    flex->q            = tree->links[flex->mode].q;
    flex->v            = tree->links[flex->mode].v;
    flex->is_decoupled = 1;
    for (int i = 0; i < tree->link_count; i++)
        flex->place[i] = -1;
    for (int i = 0; i < d->point_count; i++) {
        const int member         = model->bodies[part + i].link;
        flex->members[i]         = member;
        flex->place[member]      = i;
        tree->links[member].role = KANE_FLEX_NODE;
        tree->links[member].flex = index;
        flex->is_decoupled &= !tree->links[member].coupled;
        fill_rows(d, &d->points[i], G + (size_t)(6 * i * n));
    }
    set_inertia(c, d, &tree->links[flex->carrier], flex);
    for (int k = 0; k < n; k++) {
        kane_link *mode        = &tree->links[flex->mode + k];
        mode->role             = KANE_FLEX_MODE;
        mode->flex             = index;
        mode->step[0].armature = d->mass[k * n + k];
    }
    tree->links[flex->carrier].role = KANE_FLEX_FRAME;
    tree->links[flex->carrier].flex = index;
    if (!kane_flex_prepare(flex))
        kane_errors_add_input(c->errors, KANE_BAD_INPUT, kane_block_place(&c->vehicle->bodies[j].block, "flexible", -1),
                              "'%s': the mass of its modes is not positive definite", flex->name);
}

// Deformable bodies in the order of the definition; parts are consecutive.
void kane_compile_flexes(kane_compiler *c)
{
    int part              = c->part_first;
    c->model->tree.flexes = kane_arena_alloc(c->model->arena, (size_t)c->part_first, sizeof *c->model->tree.flexes);
    for (int j = 0; j < c->part_first && c->model->tree.flexes; j++) {
        if (!c->vehicle->bodies[j].deformable)
            continue;
        build_flex(c, j, part);
        part += count_of(c->vehicle->bodies[j].deformable);
    }
}

// Component of a vector (axes of the carrier) along z of the drawing.
static double vertical_component(const kane_model *model, const kane_flex *flex, kane_vec3 a)
{
    const kane_link *link = &model->tree.links[flex->carrier];
    return km3_mulv(model->bodies[model->link_body[flex->carrier]].rest_R, km3_tmulv(link->body_R, a)).z;
}

// load = g C_z - G' (forces of joints on the points): holds the modes of a vehicle at rest at q = 0. Flexible bodies of
// a mechanism are drawn without load.
void kane_compile_mode_loads(kane_compiler *c, const double *six_per_body)
{
    kane_model *model = c->model;
    if (!c->vehicle->guide)
        return;
    for (int i = 0; i < model->deformation_count; i++) {
        const kane_deformation *own = &model->deformations[i];
        const kane_flex *flex       = &model->tree.flexes[own->flex];
        for (int k = 0; k < own->count; k++) // weight is an acceleration upwards of all masses
            own->load[k] = flex->momentum ? model->gravity * vertical_component(model, flex, flex->momentum[k]) : 0.0;
        for (int m = 0; m < flex->member_count; m++)
            for (int row = 0; row < 6; row++) {
                const double *G   = kane_flex_row(flex, flex->members[m], row);
                const double part = six_per_body[6 * model->link_body[flex->members[m]] + row];
                for (int k = 0; k < own->count; k++)
                    own->load[k] -= part * G[k];
            }
    }
}
