// SPDX-License-Identifier: MIT
// The frame and how it turns, against differences of the frame itself, for every shape, cant axis and grade line.

#include "lines.h"

typedef struct context {
    const kane_track *track;
    int piece;
} context;

// Orientation and origin as twelve functions of s.
static void pose(const void *c, double s, double *out)
{
    const context *at          = c;
    const kane_track_frame f   = frame_at(at->track, at->piece, s);
    const kane_vec3 columns[4] = {f.R.x, f.R.y, f.R.z, f.origin};
    memcpy(out, columns, sizeof columns);
}

static void turning(const void *c, double s, double *out)
{
    const context *at        = c;
    const kane_track_frame f = frame_at(at->track, at->piece, s);
    memcpy(out, &f.Omega, sizeof f.Omega);
    memcpy(out + 3, &f.Omega_s, sizeof f.Omega_s);
}

static kane_vec3 vec3_of(const double *v)
{
    return kv3(v[0], v[1], v[2]);
}

// At several places of every piece, from some metres before its beginning to some metres behind its end.
static void for_all_places(const kane_track *track, void (*visit)(const kane_track *track, int piece, double s))
{
    for (int piece = 0; piece < kane_track_piece_count(track); piece++) {
        const double from = kane_track_piece_start(track, piece), to = kane_track_piece_start(track, piece + 1);
        for (int i = -1; i <= 11; i++) {
            const double s = i == -1 ? from - 4.0 : (i == 11 ? to + 4.0 : from + (to - from) * i / 10.0);
            visit(track, piece, s);
        }
    }
}

static void check_orthonormal(const kane_track *track, int piece, double s)
{
    const kane_mat3 R = frame_at(track, piece, s).R;
    check_mat3(km3_tmul(R, R), km3_identity(), 1e-15);
    check_vec3(kv3_cross(R.x, R.y), R.z, 1e-15);
}

// R' = R (Omega x)
static void check_turning(const kane_track *track, int piece, double s)
{
    const kane_track_frame f = frame_at(track, piece, s);
    const kane_mat3 expected = km3_mul(f.R, km3_skew(f.Omega));
    double d[12];

    differentiate(pose, &(context){track, piece}, 12, s, 0.5, d);
    check_vec3(vec3_of(d), expected.x, 1e-12);
    check_vec3(vec3_of(d + 3), expected.y, 1e-12);
    check_vec3(vec3_of(d + 6), expected.z, 1e-12);
}

// d(origin)/ds is the frame's x axis
static void check_tangent(const kane_track *track, int piece, double s)
{
    double d[12];
    differentiate(pose, &(context){track, piece}, 12, s, 0.5, d);
    check_vec3(vec3_of(d + 9), frame_at(track, piece, s).R.x, 5e-13);
}

static void check_turning_derivative(const kane_track *track, int piece, double s)
{
    double d[6];
    differentiate(turning, &(context){track, piece}, 6, s, 0.5, d);
    check_vec3(vec3_of(d), frame_at(track, piece, s).Omega_s, 2e-13);
    check_near(d[3], frame_at(track, piece, s).twist_ss, 2e-14);
}

static void visit_orthonormal(const kane_track *track, const char *name)
{
    (void)name;
    for_all_places(track, check_orthonormal);
}

static void visit_turning(const kane_track *track, const char *name)
{
    (void)name;
    for_all_places(track, check_turning);
}

static void visit_tangent(const kane_track *track, const char *name)
{
    (void)name;
    for_all_places(track, check_tangent);
}

static void visit_turning_derivative(const kane_track *track, const char *name)
{
    (void)name;
    for_all_places(track, check_turning_derivative);
}

CHECK_TEST(axes_are_orthonormal_and_right_handed)
{
    for_all_routes(visit_orthonormal);
}

CHECK_TEST(frame_turns_with_Omega)
{
    for_all_routes(visit_turning);
}

CHECK_TEST(origin_moves_along_the_x_axis)
{
    for_all_routes(visit_tangent);
}

CHECK_TEST(Omega_changes_with_Omega_s)
{
    for_all_routes(visit_turning_derivative);
}

// The signs of the conventions: left is positive, uphill is positive, a left-hand curve's right rail is raised.
CHECK_TEST(left_hand_canted_uphill_curve_has_the_conventional_signs)
{
    const kane_section_definition sections[] = {straight(10.0), transition(KANE_BLOSS, 40.0, 1.0 / 500.0, 0.12),
                                                curve(100.0, 1.0 / 500.0, 0.12)};
    kane_track_definition d                  = kane_track_definition_default();
    d.grade                                  = 0.02;
    CHECK_OWNED(kane_track) *track           = build_line(d, 3, sections);
    const int piece                          = kane_track_find(track, 100.0);
    const kane_track_frame f                 = frame_at(track, piece, 100.0);
    const kane_track_state q                 = state_at(track, piece, 100.0);

    assert_true(f.R.x.y > 0.0 && f.R.x.z > 0.0); // to the left, uphill
    assert_true(f.R.y.z < 0.0);                  // the left side of the track plane is lower
    assert_true(f.R.z.y > 0.0);                  // its normal leans to the left, into the curve
    assert_true(place_at(track, 150.0).y > 0.0 && place_at(track, 150.0).z > 0.0);
    check_near(q.curvature, 1.0 / 500.0, 1e-18);
    check_near(q.superelevation, 0.12, 1e-16);
    check_near(q.grade, 0.02, 1e-16);
    check_near(q.theta, -asin(0.12 / 1.5), 1e-16);
    check_near(f.R.y.z, -0.12 / 1.5 * cos(atan(0.02)), 1e-16);

    // constant curve on a constant grade: the closed form of Omega, and it does not change
    const double k = 1.0 / 500.0, b = atan(0.02);
    check_vec3(f.Omega, kv3(k * sin(b), k * cos(b) * sin(q.theta), k * cos(b) * cos(q.theta)), 1e-18);
    check_vec3(f.Omega_s, kv3_zero(), 0.0);
}

// Velocity and angular velocity in A at time t of a frame that starts at 85 m with 20 m/s and accelerates.
static const double start = 85.0, speed = 20.0, acceleration = 1.5;

static void motion(const void *c, double t, double *out)
{
    const context *at        = c;
    const kane_track_frame f = frame_at(at->track, at->piece, start + speed * t + 0.5 * acceleration * t * t);
    kane_transport transport;

    kane_track_transport(&f, speed + acceleration * t, acceleration, &transport);
    const kane_vec3 v[2] = {km3_mulv(f.R, transport.v_o), km3_mulv(f.R, transport.omega)};
    memcpy(out, v, sizeof v);
}

CHECK_TEST(transportation_of_an_accelerating_frame_is_its_motion)
{
    route r;
    route_init(&r, KANE_SINE, KANE_CANT_INNER_RAIL, 1);
    CHECK_OWNED(kane_track) *track = build(&r.d);
    const context at               = {track, kane_track_find(track, start)};
    const kane_track_frame f       = frame_at(track, at.piece, start);
    kane_transport transport;
    double d[6];

    kane_track_transport(&f, speed, acceleration, &transport);
    differentiate(motion, &at, 6, 0.0, 0.02, d);
    check_vec3(transport.v_o, kv3(speed, 0.0, 0.0), 0.0);
    check_vec3(transport.omega, kv3_scale(speed, f.Omega), 0.0);
    check_vec3(km3_mulv(f.R, transport.a_o), vec3_of(d), 1e-11);
    check_vec3(km3_mulv(f.R, transport.epsilon), vec3_of(d + 3), 1e-12);
}

CHECK_MAIN(NULL, NULL)
