// SPDX-License-Identifier: MIT
// Newton and Euler for every body cut free: what joints and constraints say that they exert is what is missing.

#include "property/mechanism/cases.h"

// Force and torque about a point, axes of the world.
typedef struct load {
    kane_vec3 force, torque;
} load;

// What a body needs beyond what acts on it, about its mass centre.
static load needed(const ride *a, int j)
{
    const kane_body *body    = &a->model->bodies[j];
    const kane_body_state *b = &a->work->body[j];
    const kane_mat3 R        = a->work->transport[body->track_frame].R;
    const kane_mat3 P        = km3_mul(b->R_w, body->turned ? body->principal : km3_identity());
    kane_vec3 omega, p, alpha;
    kane_get_absolute(a->model, a->work, j, NULL, &omega, &p, &alpha);
    const kane_vec3 w  = km3_mulv(R, omega);
    const kane_vec3 Jw = km3_mulv(P, kv3_mul(body->J, km3_tmulv(P, w)));
    const kane_vec3 Ja = km3_mulv(P, kv3_mul(body->J, km3_tmulv(P, km3_mulv(R, alpha))));
    kane_vec3 acts     = b->applied.force;
    if (body->link >= 0) // trees feel weight as an acceleration
        acts = kv3_add_scaled(acts, body->mass, a->work->gravity);
    return (load){kv3_sub(kv3_scale(body->mass, km3_mulv(R, p)), acts),
                  kv3_sub(kv3_add(Ja, kv3_cross(w, Jw)), b->applied.torque)};
}

// Adds a load at a point to the loads of a body about its mass centre.
static void add_at(const ride *a, int j, kane_vec3 point, kane_vec3 force, kane_vec3 torque, load *sum)
{
    const kane_vec3 arm = kv3_sub(point, a->work->body[j].r_w);
    sum->force          = kv3_add(sum->force, force);
    sum->torque         = kv3_add(sum->torque, kv3_add(torque, kv3_cross(arm, force)));
}

// A point and axes of a body that are given in the drawing.
static kane_vec3 place_of(const ride *a, const rig *r, int j, kane_vec3 drawn)
{
    const kane_body_state *b = &a->work->body[j];
    return kv3_add(b->r_w, km3_mulv(b->R_w, kv3_sub(drawn, r->bodies[j].position)));
}

static kane_mat3 axes_of(const ride *a, int j, kane_mat3 drawn)
{
    return km3_mul(a->work->body[j].R_w, drawn);
}

static int find(const rig *r, const char *name)
{
    for (int j = 0; name && j < r->vehicle.body_count; j++)
        if (strcmp(r->bodies[j].block.name, name) == 0)
            return j;
    return -1;
}

// --- joints ---

static void add_joints(const ride *a, const rig *r, load *sum)
{
    for (int j = 0; j < r->vehicle.body_count; j++) {
        const kane_joint_definition *joint = r->bodies[j].joint;
        if (!joint)
            continue;
        const kane_wrench w   = kane_get_joint_reaction(a->model, a->work, j);
        const kane_mat3 R     = axes_of(a, j, joint->to.axes);
        const kane_vec3 point = place_of(a, r, j, joint->to.at);
        const kane_vec3 force = km3_mulv(R, w.force), torque = km3_mulv(R, w.torque);
        const int parent = find(r, joint->parent);
        add_at(a, j, point, force, torque, &sum[j]);
        if (parent >= 0)
            add_at(a, parent, point, kv3_neg(force), kv3_neg(torque), &sum[parent]);
    }
}

// Along what a joint leaves free it exerts nothing; along a motion that is given it does.
static void check_free(const ride *a, const rig *r, int j, const char *name)
{
    const kane_joint_definition *joint = r->bodies[j].joint;
    const kane_wrench w                = kane_get_joint_reaction(a->model, a->work, j);
    const double size                  = 1e-9 * (1.0 + kv3_norm(w.force) + kv3_norm(w.torque));
    double free[4]                     = {0};
    switch (joint->kind) {
    case KANE_JOINT_REVOLUTE: free[0] = w.torque.z; break;
    case KANE_JOINT_PRISMATIC: free[0] = w.force.z; break;
    case KANE_JOINT_CYLINDRICAL:
        free[0] = w.force.z;
        free[1] = joint->motion_count ? 0.0 : w.torque.z;
        break;
    case KANE_JOINT_UNIVERSAL: free[0] = w.torque.y; break;
    case KANE_JOINT_SPHERICAL: free[0] = kv3_norm(w.torque); break;
    case KANE_JOINT_PLANAR:
        free[0] = hypot(w.force.x, w.force.y);
        free[1] = w.torque.z;
        break;
    case KANE_JOINT_FREE:
        if (joint->dof == 63 && joint->motion_count == 0) {
            free[0] = kv3_norm(w.force);
            free[1] = kv3_norm(w.torque);
        }
        break;
    case KANE_JOINT_USER: // no wrench along the screw's thread
        if (joint->own == &own_screw)
            free[0] = 0.15 * w.force.z + w.torque.z;
        break;
    case KANE_JOINT_WELD:
    case KANE_JOINT_KINDS: break;
    }
    const int given = joint->motion_count > 0 && joint->kind != KANE_JOINT_CYLINDRICAL;
    for (int k = 0; k < 4 && !given; k++)
        if (!(fabs(free[k]) <= check_tolerance(size))) {
            print_error("%s: joint of '%s' exerts %.6g along what is free\n", name, r->bodies[j].block.name, free[k]);
            fail();
        }
}

// --- constraints ---

// The load of a closure on its second side at the second's origin, from its multipliers; rows as kane_constraint_kind
// lists them: along the first's x, y, z; then square axes, x or y of the first to z of the second, x to y.
static load closure_load(kane_constraint_kind kind, const double *lambda, kane_mat3 A, kane_mat3 B, kane_vec3 apart,
                         double x, double radius)
{
    const kane_vec3 axes[3]                = {A.x, A.y, A.z};
    load w                                 = {kv3_zero(), kv3_zero()};
    const int along[KANE_CONSTRAINT_KINDS] = {
        [KANE_CONSTRAINT_SPHERICAL] = 3, [KANE_CONSTRAINT_REVOLUTE] = 3,  [KANE_CONSTRAINT_CYLINDRICAL] = 2,
        [KANE_CONSTRAINT_PRISMATIC] = 2, [KANE_CONSTRAINT_UNIVERSAL] = 3, [KANE_CONSTRAINT_WELD] = 3,
        [KANE_CONSTRAINT_ROLLING] = 0};
    int row = 0;
    for (; row < along[kind]; row++)
        w.force = kv3_add_scaled(w.force, lambda[row], axes[row]);
    if (kind == KANE_CONSTRAINT_PLANAR)
        w.force = kv3_scale(lambda[row++], A.z);
    const int parallel = kind == KANE_CONSTRAINT_REVOLUTE || kind == KANE_CONSTRAINT_CYLINDRICAL ||
                         kind == KANE_CONSTRAINT_PRISMATIC || kind == KANE_CONSTRAINT_WELD ||
                         kind == KANE_CONSTRAINT_PLANAR;
    for (int i = 0; i < 2 && parallel; i++, row++)
        w.torque = kv3_add_scaled(w.torque, lambda[row], kv3_cross(B.z, axes[i]));
    if (kind == KANE_CONSTRAINT_PRISMATIC || kind == KANE_CONSTRAINT_WELD || kind == KANE_CONSTRAINT_UNIVERSAL)
        w.torque = kv3_add_scaled(w.torque, lambda[row], kv3_cross(B.y, A.x));
    if (kind == KANE_CONSTRAINT_DISTANCE || kind == KANE_CONSTRAINT_ROD)
        w.force = kv3_scale(lambda[0] / kv3_norm(apart), apart);
    if (kind == KANE_CONSTRAINT_KNIFE)
        w.force = kv3_scale(lambda[0], B.y);
    if (kind == KANE_CONSTRAINT_CURVE) {
        const double *f = constrained_bow, *g = constrained_wave;
        const double slope = f[1] + x * (2.0 * f[2] + x * 3.0 * f[3]), rise = g[1] * g[2] * cos(g[2] * x);
        w.force = kv3_add(kv3_scale(lambda[0], A.y), kv3_scale(lambda[1], A.z));
        w.force = kv3_add_scaled(w.force, -slope * lambda[0] - rise * lambda[1], A.x);
    }
    if (kind == KANE_CONSTRAINT_ROLLING) { // at the lowest point: height, then what rubs along x and y
        const double n_z    = kv3_dot(B.z, A.z);
        const kane_vec3 low = kv3_scale(-radius / sqrt(1.0 - n_z * n_z), kv3_add_scaled(A.z, -n_z, B.z));
        w.force  = kv3_add(kv3_scale(lambda[0], A.z), kv3_add(kv3_scale(lambda[1], A.x), kv3_scale(lambda[2], A.y)));
        w.torque = kv3_cross(low, w.force);
    }
    return w;
}

// The rope pulls its ends together and slips over the arm's point; the slide pushes that point along the carrier's y,
// with a torque about its z.
static void add_own(const ride *a, const test_case *c, load *sum)
{
    const kane_constraint_definition *d = &c->rig.constraints[0];
    const int carrier = find(&c->rig, d->sides[0].body), arm = find(&c->rig, "arm"), car = find(&c->rig, "car");
    const kane_transport *T = &a->work->transport[a->model->bodies[arm].track_frame]; // of a side on the frame
    double lambda[6];
    assert_int_equal(kane_get_constraint(a->model, a->work, 0, lambda), 2);
    const kane_vec3 *drawn = constrained_ends;
    const kane_vec3 seat   = kv3_sub(drawn[0], kv3(c->rig.bodies[arm].position.x, 0.0, 0.0));
    const kane_mat3 A      = carrier >= 0 ? axes_of(a, carrier, rig_turned()) : km3_mul(T->R, rig_turned());
    const kane_vec3 from =
        carrier >= 0 ? place_of(a, &c->rig, carrier, drawn[0]) : kv3_add(T->r_o, km3_mulv(T->R, seat));
    const kane_vec3 over = place_of(a, &c->rig, arm, drawn[1]), to = place_of(a, &c->rig, car, drawn[2]);
    const kane_vec3 first = kv3_sub(over, from), second = kv3_sub(over, to);
    const kane_vec3 one   = kv3_scale(lambda[0] / kv3_norm(first), first),
                    two   = kv3_scale(lambda[0] / kv3_norm(second), second);
    const kane_vec3 slide = kv3_scale(lambda[1], A.y), turn = kv3_scale(lambda[1] * constrained_slip[2], A.z);
    add_at(a, arm, over, kv3_add(kv3_add(one, two), slide), turn, &sum[arm]);
    add_at(a, car, to, kv3_neg(two), kv3_zero(), &sum[car]);
    if (carrier < 0)
        return;
    add_at(a, carrier, from, kv3_neg(one), kv3_zero(), &sum[carrier]);
    add_at(a, carrier, over, kv3_neg(slide), kv3_neg(turn), &sum[carrier]);
}

// Acceleration of a point of a body, less that of gravity; j -1: of the frame.
static kane_vec3 acceleration_at(const ride *a, int j, const kane_transport *T, kane_vec3 point)
{
    kane_vec3 w = T->omega, p = T->a_o, alpha = T->epsilon, from = T->r_o;
    if (j >= 0) {
        kane_get_absolute(a->model, a->work, j, NULL, &w, &p, &alpha);
        T    = &a->work->transport[a->model->bodies[j].track_frame];
        from = a->work->body[j].r_w;
    }
    const kane_vec3 arm = km3_tmulv(T->R, kv3_sub(point, from));
    const kane_vec3 all = kv3_add(p, kv3_add(kv3_cross(alpha, arm), kv3_cross(w, kv3_cross(w, arm))));
    return kv3_sub(km3_mulv(T->R, all), a->work->gravity);
}

// A rod's inertia, uniform or not: what its ends need is what they lack.
static void add_rod(const ride *a, const kane_constraint_definition *d, int first, kane_vec3 from, int second,
                    kane_vec3 to, const kane_transport *T, load *sum)
{
    const double L2 = kv3_dot(kv3_sub(to, from), kv3_sub(to, from)), g = d->centre, m = d->mass;
    const double both = m * g * (1.0 - g) - d->inertia / L2;
    const kane_vec3 p = acceleration_at(a, first, T, from), q = acceleration_at(a, second, T, to);
    const kane_vec3 on_first  = kv3_add_scaled(kv3_scale(m * (1.0 - g) * (1.0 - g) + d->inertia / L2, p), both, q);
    const kane_vec3 on_second = kv3_add_scaled(kv3_scale(m * g * g + d->inertia / L2, q), both, p);
    add_at(a, second, to, kv3_neg(on_second), kv3_zero(), &sum[second]);
    if (first >= 0)
        add_at(a, first, from, kv3_neg(on_first), kv3_zero(), &sum[first]);
}

static void add_closure(const ride *a, const test_case *c, load *sum)
{
    if (c->kind == KANE_CONSTRAINT_USER) {
        add_own(a, c, sum);
        return;
    }
    const kane_constraint_definition *d = &c->rig.constraints[0];
    const int first = find(&c->rig, d->between[0]), second = find(&c->rig, d->between[1]);
    const kane_transport *T = &a->work->transport[a->model->bodies[second].track_frame]; // of a side on the frame
    double lambda[6];
    (void)kane_get_constraint(a->model, a->work, 0, lambda);
    const kane_vec3 drawn = kv3_sub(d->at[0].at, kv3(c->rig.bodies[second].position.x, 0.0, 0.0));
    const kane_vec3 at = first >= 0 ? place_of(a, &c->rig, first, d->at[0].at) : kv3_add(T->r_o, km3_mulv(T->R, drawn));
    const kane_mat3 seat = first >= 0 ? axes_of(a, first, d->at[0].axes) : km3_mul(T->R, d->at[0].axes);
    double g[6]; // motion of the first side's marker
    for (int i = 0; i < 6; i++)
        g[i] = constrained_value(d, (kane_given_number)i, a->t);
    const kane_mat3 A     = km3_mul(seat, kane_matrix_from_angles(g[3], g[4], g[5]));
    const kane_vec3 to    = place_of(a, &c->rig, second, d->at[1].at);
    const kane_mat3 B     = axes_of(a, second, d->at[1].axes);
    const kane_vec3 from  = kv3_add(at, km3_mulv(seat, kv3(g[0], g[1], g[2])));
    const kane_vec3 apart = kv3_sub(to, from);
    load w                = closure_load(c->kind, lambda, A, B, apart, kv3_dot(A.x, apart), d->radius);
    if (c->kind == KANE_CONSTRAINT_ROD)
        add_rod(a, d, first, from, second, to, T, sum);
    if (c->kind == KANE_CONSTRAINT_CURVE && d->given_count > 0) // the place along it is given, too
        w.force = kv3_add_scaled(w.force, lambda[2], A.x);
    add_at(a, second, to, w.force, w.torque, &sum[second]);
    if (first >= 0)
        add_at(a, first, to, kv3_neg(w.force), kv3_neg(w.torque), &sum[first]);
}

// What a relation exerts along its coordinates is in the joints; its multiplier times the factor is what it is there.
static void check_relation(const ride *a, const test_case *c)
{
    const kane_constraint_definition *d = &c->rig.constraints[0];
    double lambda[6], q[KANE_JOINT_COORDINATES];
    (void)kane_get_constraint(a->model, a->work, 0, lambda);
    const int crank = find(&c->rig, "crank"), wheel = find(&c->rig, "wheel");
    (void)kane_get_joint(a->model, a->work, wheel, q, NULL, NULL);
    const double x = q[0], *f = constrained_bow;
    double factor[2] = {d->terms[0].factor, d->terms[1].factor + constrained_value(d, KANE_GIVEN_FACTOR, a->t)};
    if (c->kind == KANE_CONSTRAINT_FUNCTION) {
        factor[0] = 1.0;
        factor[1] *= -(f[1] + x * (2.0 * f[2] + x * 3.0 * f[3]));
    }
    const double on_crank = kane_get_joint_reaction(a->model, a->work, crank).torque.z;
    const double on_wheel = kane_get_joint_reaction(a->model, a->work, wheel).torque.z;
    check_near(on_crank, lambda[0] * factor[0], 1e-9 * (1.0 + fabs(on_crank)));
    check_near(on_wheel, lambda[0] * factor[1], 1e-9 * (1.0 + fabs(on_wheel)));
    assert_true(fabs(on_crank) > 1e-3);
}

// --- both ---

static void check_loads(ride *a, const test_case *c, int way)
{
    load sum[RIG_MOST] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    const int relation = c->is_constrained && c->rig.constraints[0].term_count > 0;
    add_joints(a, &c->rig, sum);
    if (c->is_constrained && !relation)
        add_closure(a, c, sum);
    if (relation)
        check_relation(a, c);
    for (int j = 0; j < c->rig.vehicle.body_count; j++) {
        const load w            = needed(a, j);
        const double size       = 1.0 + kv3_norm(a->work->body[j].applied.force) + kv3_norm(w.force);
        const kane_vec3 missing = kv3_sub(w.force, sum[j].force), turning = kv3_sub(w.torque, sum[j].torque);
        if (j == RIG_CAR) { // nothing but the traction, at the mass centre
            const kane_vec3 along    = a->work->transport[a->model->bodies[j].track_frame].R.x;
            const kane_vec3 traction = kv3_scale(kane_get_reaction(a->model, a->work, j, KANE_X), along);
            check_vec3(missing, traction, 1e-9 * size);
            assert_true(kv3_norm(traction) > 1.0);
        } else if (!(kv3_norm(missing) <= check_tolerance(1e-9 * size))) {
            print_error("%s, way %d: '%s' lacks a force of %.6g %.6g %.6g N\n", c->name, way,
                        c->rig.bodies[j].block.name, missing.x, missing.y, missing.z);
            fail();
        }
        if (!(kv3_norm(turning) <= check_tolerance(1e-9 * size))) {
            print_error("%s, way %d: '%s' lacks a torque of %.6g %.6g %.6g N m\n", c->name, way,
                        c->rig.bodies[j].block.name, turning.x, turning.y, turning.z);
            fail();
        }
        if (c->rig.bodies[j].joint && !relation)
            check_free(a, &c->rig, j, c->name);
    }
}

CHECK_TEST(reactions_are_what_bodies_lack)
{
    check_every_ride(CASES_SIMPLE, 0.1, check_loads);
}

CHECK_MAIN(NULL, NULL)
