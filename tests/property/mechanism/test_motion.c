// SPDX-License-Identifier: MIT
// Velocities are the rates of positions: along a run, and one by one for every independent speed (partial velocities).

#include "property/mechanism/cases.h"

// Coordinates and rates of all joints, of all bodies relative to their track frames.
static int read_coordinates(const ride *a, double *values)
{
    int n = 0;
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        double q[KANE_JOINT_COORDINATES], rate[KANE_JOINT_COORDINATES], relative[6], rates[6];
        const int count = kane_get_joint(a->model, a->work, j, q, rate, NULL);
        kane_get_relative(a->model, a->work, j, relative, rates);
        for (int k = 0; k < count; k++)
            values[n++] = q[k];
        for (int k = 0; k < count; k++)
            values[n++] = rate[k];
        for (int k = 0; k < 6; k++)
            values[n++] = relative[k];
    }
    return n;
}

static void check_rates(ride *a, const char *name, int way)
{
    double values[CASE_VALUES], rates[CASE_VALUES];
    (void)case_rates(a, 3e-4, read_coordinates, values, rates);
    for (int j = 0, n = 0; j < kane_model_body_count(a->model); j++) {
        double q[KANE_JOINT_COORDINATES], rate[KANE_JOINT_COORDINATES], second[KANE_JOINT_COORDINATES], relative[6];
        double expected[2 * KANE_JOINT_COORDINATES + 6];
        const int count = kane_get_joint(a->model, a->work, j, q, rate, second);
        kane_get_relative(a->model, a->work, j, relative, expected + 2 * count);
        memcpy(expected, rate, (size_t)count * sizeof *rate);
        memcpy(expected + count, second, (size_t)count * sizeof *second);
        for (int k = 0; k < 2 * count + 6; k++, n++) {
            const int is_acceleration = k >= count && k < 2 * count;
            if (is_acceleration && a->model->bodies[j].is_free_body) // not told
                continue;
            const double tolerance = is_acceleration ? 1e-8 : 1e-9;
            if (!(fabs(rates[n] - expected[k]) <= check_tolerance(tolerance * (1.0 + fabs(expected[k]))))) {
                print_error("%s, way %d, %s: value %d of %d: rate is %.12g, differences give %.12g\n", name, way,
                            kane_model_body_name(a->model, j), k, count, expected[k], rates[n]);
                fail();
            }
        }
    }
}

// Positions, attitudes and velocities in A.
static int read_world(const ride *a, double *values)
{
    int n = 0;
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        const kane_body_state *b = &a->work->body[j];
        memcpy(values + n, &b->r_w, sizeof b->r_w);
        memcpy(values + n + 3, &b->v_w, sizeof b->v_w);
        memcpy(values + n + 6, &b->w_w, sizeof b->w_w);
        memcpy(values + n + 9, &b->R_w, sizeof b->R_w);
        n += 18;
    }
    return n;
}

static void check_world(ride *a)
{
    double values[CASE_VALUES], rates[CASE_VALUES];
    (void)case_rates(a, 3e-4, read_world, values, rates);
    for (int j = 0; j < kane_model_body_count(a->model); j++) {
        const double *rate       = rates + (size_t)18 * (size_t)j;
        const kane_body_state *b = &a->work->body[j];
        const kane_mat3 R        = a->work->transport[a->model->bodies[j].track_frame].R;
        kane_vec3 v, w, p, e;
        if (a->model->bodies[j].part == KANE_PART_MODE) // is nowhere in the world
            continue;
        kane_get_absolute(a->model, a->work, j, &v, &w, &p, &e);
        check_vec3(km3_mulv(R, v), kv3(rate[0], rate[1], rate[2]), 1e-8);
        check_vec3(km3_mulv(R, p), kv3(rate[3], rate[4], rate[5]), 1e-6);
        check_vec3(km3_mulv(R, e), kv3(rate[6], rate[7], rate[8]), 1e-6);
        if (a->model->bodies[j].kind == KANE_BODY_SPINNING) // its axes leave the spin out
            continue;
        const kane_vec3 turning = km3_mulv(R, w);
        const double small      = 1e-9 * (1.0 + kv3_norm(w));
        check_vec3(kv3_cross(turning, b->R_w.x), kv3(rate[9], rate[10], rate[11]), small);
        check_vec3(kv3_cross(turning, b->R_w.y), kv3(rate[12], rate[13], rate[14]), small);
        check_vec3(kv3_cross(turning, b->R_w.z), kv3(rate[15], rate[16], rate[17]), small);
    }
}

static void see_rates(ride *a, const test_case *c, int way)
{
    check_rates(a, c->name, way);
    if (case_way(way).formulation == KANE_FIXED) // the world does not travel
        check_world(a);
}

CHECK_TEST(velocities_and_accelerations_are_rates)
{
    check_every_ride(CASES, 0.1, see_rates);
}

// From the mass centre to a point that is fixed to a body, in the world; of one that spins a point of its axle.
static kane_vec3 arm_of(const ride *a, int j)
{
    const double off = a->model->bodies[j].kind == KANE_BODY_SPINNING ? 0.0 : 1.0;
    return km3_mulv(a->work->body[j].R_w, kv3(0.3 * off, -0.5, 0.7 * off));
}

static kane_vec3 point_of(const ride *a, int j)
{
    return kv3_add(a->work->body[j].r_w, arm_of(a, j));
}

static kane_vec3 velocity_of(const ride *a, int j)
{
    const kane_body_state *b = &a->work->body[j];
    return kv3_add(b->v_w, kv3_cross(b->w_w, arm_of(a, j)));
}

// What one more unit of speed u[r] adds to the velocity of a point is where the point goes as the coordinates follow
// u[r].
static void check_partial(const ride *at, int r, const char *name)
{
    static const double h = 1e-5;
    const int n           = at->model->state_count;
    ride more = *at, moved = *at;
    kane_vec3 partial[RIG_MOST], up[RIG_MOST];
    more.y[r] += 1.0;
    ride_see(&more);
    for (int j = 0; j < kane_model_body_count(at->model); j++)
        partial[j] = velocity_of(&more, j);
    moved = *at;
    ride_see(&moved);
    for (int j = 0; j < kane_model_body_count(at->model); j++)
        partial[j] = kv3_sub(partial[j], velocity_of(&moved, j));
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < at->model->u_begin; i++)
            moved.y[i] = at->y[i] + sign * h * (more.ydot[i] - at->ydot[i]);
        ride_see(&moved);
        for (int j = 0; j < kane_model_body_count(at->model); j++) {
            if (sign > 0)
                up[j] = point_of(&moved, j);
            else
                up[j] = kv3_scale(0.5 / h, kv3_sub(up[j], point_of(&moved, j)));
        }
    }
    for (int j = 0; j < kane_model_body_count(at->model); j++)
        if (!(ride_apart(up[j], partial[j]) <= check_tolerance(2e-9))) {
            print_error("%s: partial velocity of '%s' by state %d of %d: apart by %.3g\n", name,
                        kane_model_body_name(at->model, j), r, n, ride_apart(up[j], partial[j]));
            fail();
        }
}

CHECK_TEST(partial_velocities_are_where_points_go)
{
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    for (int i = 0; i < CASES; i++) {
        static test_case c;
        if (!case_build(&c, i))
            continue;
        for (int way = 0; way < case_ways(&c); way += 2) {
            CHECK_END(ride_free) ride a = {0};
            ride_create(&a, &c.rig, track, case_way(way));
            if (case_way(way).form == KANE_FORM_COEFFICIENTS)
                for (int r = a.model->u_begin; r < a.model->state_count; r++)
                    check_partial(&a, r, c.name);
        }
    }
}

CHECK_MAIN(NULL, NULL)
