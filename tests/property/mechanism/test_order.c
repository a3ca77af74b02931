// SPDX-License-Identifier: MIT
// What must not matter: the order in which bodies and constraints are listed, how often the same is evaluated, and
// which hand is the left one.

#include "property/mechanism/constrained.h"

// Everything at once: a tree on the car, a loop on the bogie that a rod ties to the car, and cranks with a relation.
static void build(rig *r)
{
    constrained_build(r, KANE_CONSTRAINT_FUNCTION, CONSTRAINED_BY_BOGIE);
    const int arm =
        rig_link(r, "arm", 200.0, kv3(1.3, 0.2, 0.6), "car", KANE_JOINT_SPHERICAL, kv3(1.2, 0.4, 1.1), rig_turned());
    const int tail =
        rig_link(r, "tail", 80.0, kv3(1.5, 0.0, 0.3), "arm", KANE_JOINT_UNIVERSAL, kv3(1.4, 0.1, 0.4), km3_identity());
    const int rod = rig_body(r, "rod", 60.0, kv3(2.4, 0.3, 0.8));
    rig_start(r, arm, 0, 0.9, 0.3);
    rig_start(r, arm, 2, 0.3, -0.4);
    rig_start(r, tail, 1, 0.2, 0.6);
    rig_start(r, rod, 2, 0.02, 0.3);
    r->bodies[rod].frame = "bogie";
    (void)rig_close(r, "rod on bogie", KANE_CONSTRAINT_UNIVERSAL, "bogie", "rod", kv3(2.9, 0.4, 0.9), rig_turned());
    (void)rig_close(r, "rod on arm", KANE_CONSTRAINT_SPHERICAL, "tail", "rod", kv3(1.8, 0.2, 0.5), rig_turned());
    rig_bushing(r, "arm held", "car", "arm", kv3(1.1, 0.1, 0.8), 3e4, 6e3, 200.0 * 9.81);
}

// Bodies, constraints and elements in another order; joints and starts stay where they are.
static void shuffle(rig *r, uint64_t seed)
{
    for (int k = 0; k < 3; k++) {
        const int count = k == 0   ? r->vehicle.body_count
                          : k == 1 ? r->vehicle.constraint_count
                                   : r->vehicle.element_count;
        for (int i = count - 1; i > 0; i--) {
            const int j = (int)((random_number(&seed) + 1.0) / 2.0 * (i + 1)) % (i + 1);
            if (k == 0) {
                const kane_body_definition body = r->bodies[i];
                r->bodies[i]                    = r->bodies[j];
                r->bodies[j]                    = body;
            } else if (k == 1) {
                const kane_constraint_definition constraint = r->constraints[i];
                r->constraints[i]                           = r->constraints[j];
                r->constraints[j]                           = constraint;
            } else {
                const kane_element_definition element = r->elements[i];
                r->elements[i]                        = r->elements[j];
                r->elements[j]                        = element;
            }
        }
    }
}

CHECK_TEST(renumbering_changes_nothing)
{
    static rig r, other;
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    build(&r);
    for (int variant = 0; variant < 12; variant++) {
        const ride_options options = {.start       = 30.0,
                                      .formulation = variant & 1 ? KANE_FIXED : KANE_MOVING,
                                      .form        = variant & 2 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS,
                                      .imaginary_as_forces = variant == 4,
                                      .driven              = variant > 7};
        ride a, b;
        ride_create(&a, &r, track, options);
        ride_go(&a, 0.5, 1e-3);
        for (uint64_t seed = 1; seed < 4; seed++) {
            build(&other);
            shuffle(&other, 977 * seed);
            ride_create(&b, &other, track, options);
            ride_copy(&a, &b);
            char what[64];
            (void)snprintf(what, sizeof what, "variant %d, order %d", variant, (int)seed);
            ride_check_same(&a, &b, 1e-13, 1e-12, 1e-10, what);
            ride_free(&b);
        }
        ride_free(&a);
    }
}

// With other evaluations in between. What is chosen in a work (independent speeds) stays.
CHECK_TEST(the_same_state_gives_the_same_bits)
{
    static rig r;
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    build(&r);
    for (int variant = 0; variant < 8; variant++) {
        CHECK_END(ride_free) ride a = {0};
        double y[RIDE_STATES], first[RIDE_STATES];
        ride_create(&a, &r, track,
                    (ride_options){.start               = 30.0,
                                   .formulation         = variant & 1 ? KANE_FIXED : KANE_MOVING,
                                   .form                = variant & 2 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS,
                                   .driven              = variant & 4,
                                   .imaginary_as_forces = variant & 4});
        ride_go(&a, 0.3, 1e-3);
        memcpy(y, a.y, sizeof y);
        memcpy(first, a.ydot, sizeof first);
        for (int i = 0; i < a.model->state_count; i++)
            a.y[i] += 1e-3 * sin((double)i);
        a.t = 0.3001;
        ride_eval(&a);
        memcpy(a.y, y, sizeof y);
        a.t = 0.3;
        ride_see(&a);
        assert_memory_equal(first, a.ydot, (size_t)a.model->state_count * sizeof *first);
        assert_memory_equal(y, a.y, sizeof y);
    }
}

// --- points and axes by markers ---

typedef struct marked {
    kane_marker_definition list[32];
    char name[32][8];
    int count;
    kane_vec3 at; // of the last one
    kane_mat3 axes;
} marked;

// A marker instead of a point, its place relative to the marker before, on whatever body that is.
static void mark(marked *m, const char *on, kane_attachment *a)
{
    const int i               = m->count++;
    const kane_mat3 axes      = kv3_norm(a->axes.x) > 0.0 ? a->axes : km3_identity();
    kane_marker_definition *d = &m->list[i];
    (void)snprintf(m->name[i], sizeof m->name[i], "m%d", i);
    *d = (kane_marker_definition){.block = {m->name[i], NULL}, .on = on, .position = a->at, .axes = axes};
    if (i > 0) {
        d->relative = m->name[i - 1];
        d->position = km3_tmulv(m->axes, kv3_sub(a->at, m->at));
        d->axes     = km3_tmul(m->axes, axes);
    }
    m->at   = a->at;
    m->axes = axes;
    *a      = (kane_attachment){.marker = d->block.name};
}

static void mark_all(rig *r, marked *m)
{
    *m = (marked){.count = 0};
    for (int j = 0; j < r->vehicle.body_count; j++)
        if (r->bodies[j].joint) {
            mark(m, r->joints[j].parent, &r->joints[j].from);
            mark(m, r->bodies[j].block.name, &r->joints[j].to);
        }
    for (int c = 0; c < r->vehicle.constraint_count; c++)
        for (int i = 0; i < 2 && r->constraints[c].term_count == 0; i++)
            mark(m, r->constraints[c].between[i], &r->constraints[c].at[i]);
    for (int e = 0; e < r->vehicle.element_count; e++)
        for (int i = 0; i < 2; i++) {
            kane_attachment a = {.at = r->elements[e].at[i]};
            const int ground  = strcmp(r->elements[e].between[i], "track") == 0;
            if (ground)
                continue;
            mark(m, r->elements[e].between[i], &a);
            r->elements[e].marker[i] = a.marker;
        }
    r->vehicle.marker_count = m->count;
    r->vehicle.markers      = m->list;
}

CHECK_TEST(markers_are_points)
{
    static rig points, markers;
    static marked m;
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    for (int form = 0; form < 2; form++) {
        const ride_options options  = {.start = 30.0, .form = (kane_constraint_form)form};
        CHECK_END(ride_free) ride a = {0}, b = {0};
        build(&points);
        build(&markers);
        mark_all(&markers, &m);
        ride_create(&a, &points, track, options);
        ride_create(&b, &markers, track, options);
        ride_check_same(&a, &b, 1e-12, 1e-12, 1e-10, "markers");
        ride_go(&a, 0.5, 1e-3);
        ride_go(&b, 0.5, 1e-3);
        ride_check_same(&a, &b, 1e-12, 1e-11, 1e-9, "markers");
    }
}

// --- the mirror image ---

static kane_mat3 mirrored(kane_mat3 A)
{
    const kane_mat3 S = km3_diag(1.0, -1.0, 1.0);
    return km3_mul(S, km3_mul(A, S));
}

static void mirror_attachment(kane_attachment *a)
{
    a->at   = kane_mirror_polar(a->at);
    a->axes = mirrored(a->axes);
}

// Coordinates in mirrored axes: shifts along y and turns about x and z change their sign.
static void mirror_start(const kane_joint_definition *joint, kane_start_definition *start)
{
    for (int k = 0; k < kane_joint_coordinate_count(joint); k++) {
        const char *name = kane_joint_coordinate_name(joint, k);
        const int flips  = strcmp(name, "y") == 0 || strcmp(name, "yaw") == 0 || strcmp(name, "roll") == 0 ||
                          strcmp(name, "angle") == 0 || strcmp(name, "e1") == 0 || strcmp(name, "e3") == 0;
        if (flips)
            start->q[k] = -start->q[k];
        if (flips && k < KANE_JOINT_SPEEDS && name[0] != 'e')
            start->rate[k] = -start->rate[k];
    }
    if (joint && joint->kind == KANE_JOINT_SPHERICAL) { // angular velocity
        start->rate[0] = -start->rate[0];
        start->rate[2] = -start->rate[2];
    }
}

static void mirror(rig *r)
{
    for (int j = 0; j < r->vehicle.body_count; j++) {
        kane_body_definition *body = &r->bodies[j];
        body->position             = kane_mirror_polar(body->position);
        body->inertia[3]           = -body->inertia[3];
        body->inertia[5]           = -body->inertia[5];
        mirror_attachment(&r->joints[j].from);
        mirror_attachment(&r->joints[j].to);
        mirror_start(body->joint, &r->starts[j]);
    }
    for (int e = 0; e < r->vehicle.element_count; e++)
        for (int i = 0; i < 2; i++)
            r->elements[e].at[i] = kane_mirror_polar(r->elements[e].at[i]);
    for (int c = 0; c < r->vehicle.constraint_count; c++)
        for (int i = 0; i < 2; i++)
            mirror_attachment(&r->constraints[c].at[i]);
}

static void check_mirrored(const ride *a, const ride *b, double tolerance)
{
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        kane_vec3 v[2], w[2], p[2], e[2];
        double q[2][6], rate[2][6];
        kane_get_absolute(a->model, a->work, j, &v[0], &w[0], &p[0], &e[0]);
        kane_get_absolute(b->model, b->work, j, &v[1], &w[1], &p[1], &e[1]);
        kane_get_relative(a->model, a->work, j, q[0], rate[0]);
        kane_get_relative(b->model, b->work, j, q[1], rate[1]);
        check_near(q[1][0], q[0][0], tolerance);
        check_near(q[1][1], -q[0][1], tolerance);
        check_near(q[1][2], q[0][2], tolerance);
        check_vec3(v[1], kane_mirror_polar(v[0]), 10.0 * tolerance);
        check_vec3(w[1], kane_mirror_axial(w[0]), 10.0 * tolerance);
        check_vec3(p[1], kane_mirror_polar(p[0]), 1000.0 * tolerance);
        check_vec3(e[1], kane_mirror_axial(e[0]), 1000.0 * tolerance);
    }
}

CHECK_TEST(the_mirror_image_moves_as_the_mirror_image)
{
    static const double odd[] = {0.0, 0.5, 0.0, 0.05};
    static rig right, left;
    kane_track *tracks[2] = {model_track(1.0, KANE_SINE), model_track(-1.0, KANE_SINE)};
    for (int variant = 0; variant < 4; variant++) {
        const ride_options options  = {.start       = 30.0,
                                       .formulation = variant & 1 ? KANE_FIXED : KANE_MOVING,
                                       .form        = variant & 2 ? KANE_FORM_MULTIPLIERS : KANE_FORM_COEFFICIENTS};
        CHECK_END(ride_free) ride a = {0}, b = {0};
        build(&right);
        right.constraints[0].function[0].coefficients = odd;
        build(&left);
        left.constraints[0].function[0].coefficients = odd;
        mirror(&left);
        ride_create(&a, &right, tracks[0], options);
        ride_create(&b, &left, tracks[1], options);
        check_mirrored(&a, &b, 1e-11); // assembled by least squares
        ride_go(&a, 1.0, 1e-3);
        ride_go(&b, 1.0, 1e-3);
        check_mirrored(&a, &b, 1e-10);
    }
    kane_track_free(tracks[0]);
    kane_track_free(tracks[1]);
}

CHECK_MAIN(NULL, NULL)
