// SPDX-License-Identifier: MIT
// The constraints of a coned wheelset on two round edges, by hand. A cone of half-angle alpha (tan alpha = conicity)
// and an edge of radius R along x touch where the edge's centre line is tangent to the cone whose apex lies R/sin alpha
// further out: with w from that apex to the line, e along the axle, k = cos^2 alpha
//   F = (w.e e_x - k w_x)^2 - (e_x^2 - k) ((w.e)^2 - k w.w) = 0
// exactly, whatever roll and yaw. Time series of second order of this polynomial are phi, phi_q and gamma; the library
// and its recorded functions have the same, but for a factor. No code is shared.

#include "models.h"

#include "agem/bodies.h"
#include "model/model.h"
#include "record/record.h"

#define CONICITY 0.05
#define RADIUS   0.46

static const double ANY = 1e-11; // agreement, relative to the size of rows and of their terms

// --- numbers with two derivatives by time ---

typedef struct series {
    double at, rate, accel;
} series;

static series series_constant(double a)
{
    return (series){a, 0.0, 0.0};
}

static series series_sum(series a, double factor, series b)
{
    return (series){a.at + factor * b.at, a.rate + factor * b.rate, a.accel + factor * b.accel};
}

static series series_product(series a, series b)
{
    return (series){a.at * b.at, a.rate * b.at + a.at * b.rate,
                    a.accel * b.at + 2.0 * a.rate * b.rate + a.at * b.accel};
}

static series series_sine(series a)
{
    const double s = sin(a.at), c = cos(a.at);
    return (series){s, c * a.rate, c * a.accel - s * a.rate * a.rate};
}

static series series_cosine(series a)
{
    return series_sine(series_sum(series_constant(1.57079632679489661923), -1.0, a));
}

static series series_dot(const series a[3], const series b[3])
{
    return series_sum(series_sum(series_product(a[0], b[0]), 1.0, series_product(a[1], b[1])), 1.0,
                      series_product(a[2], b[2]));
}

// --- by hand ---

enum { Y, Z, YAW, ROLL, PLACES };

typedef struct geometry {
    double wheel, rail, edge; // half distances of running circles and of edges; the edges' radius [m]
} geometry;

// F of one side; out +1: left.
static series contact_by_hand(const geometry *g, double out, const series q[PLACES])
{
    const double alpha = atan(CONICITY), k = cos(alpha) * cos(alpha);
    const double apex  = out * (g->wheel + RADIUS / CONICITY + g->edge / sin(alpha));
    const series level = series_cosine(q[ROLL]);
    const series e[3]  = {series_product(series_constant(-1.0), series_product(series_sine(q[YAW]), level)),
                          series_product(series_cosine(q[YAW]), level), series_sine(q[ROLL])};
    const series w[3]  = {series_product(series_constant(-apex), e[0]),
                          series_sum(series_sum(series_constant(out * g->rail), -1.0, q[Y]), -apex, e[1]),
                          series_sum(series_sum(series_constant(-g->edge), -1.0, q[Z]), -apex, e[2])};
    const series along = series_dot(w, e);
    const series A     = series_sum(series_product(e[0], e[0]), -1.0, series_constant(k));
    const series B     = series_sum(series_product(along, e[0]), -k, w[0]);
    const series C     = series_sum(series_product(along, along), -k, series_dot(w, w));
    return series_sum(series_product(B, B), -1.0, series_product(A, C));
}

// Rates of y, z, yaw, roll, and their rates if the speeds do not change, from v_y, v_z, w_x, w_y, w_z.
static void places_by_speeds(const double at[PLACES], const double v[5], series q[PLACES])
{
    const double sy = sin(at[YAW]), cy = cos(at[YAW]), sr = sin(at[ROLL]), cr = cos(at[ROLL]);
    const double pitch = (v[3] * cy - v[2] * sy) / cr, roll = v[2] * cy + v[3] * sy, yaw = v[4] - pitch * sr;
    const double roll_accel  = (v[3] * cy - v[2] * sy) * yaw;
    const double pitch_accel = (-v[3] * sy - v[2] * cy) * yaw / cr + pitch * sr / cr * roll;
    q[Y]                     = (series){at[Y], v[0], 0.0};
    q[Z]                     = (series){at[Z], v[1], 0.0};
    q[YAW]                   = (series){at[YAW], yaw, -pitch_accel * sr - pitch * cr * roll};
    q[ROLL]                  = (series){at[ROLL], roll, roll_accel};
}

// dF/d(speeds) of both sides.
static void rows_by_hand(const geometry *g, const double at[PLACES], double rows[2][5])
{
    for (int k = 0; k < 5; k++) {
        double v[5] = {0.0};
        series q[PLACES];
        v[k] = 1.0;
        places_by_speeds(at, v, q);
        rows[0][k] = contact_by_hand(g, 1.0, q).rate;
        rows[1][k] = contact_by_hand(g, -1.0, q).rate;
    }
}

static void solve_two(double a[2][2], const double b[2], double x[2])
{
    const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    x[0]             = (b[0] * a[1][1] - b[1] * a[0][1]) / det;
    x[1]             = (a[0][0] * b[1] - a[1][0] * b[0]) / det;
}

// Height and roll at which both sides touch, by Newton's method; then v_z and w_x with which they go on touching.
static void touch_by_hand(const geometry *g, double at[PLACES], double v[5])
{
    double rows[2][5], x[2];
    for (int i = 0; i < 12; i++) {
        series q[PLACES];
        places_by_speeds(at, (const double[5]){0.0}, q);
        const double b[2] = {-contact_by_hand(g, 1.0, q).at, -contact_by_hand(g, -1.0, q).at};
        rows_by_hand(g, at, rows);
        double by_roll[2][2];
        for (int side = 0; side < 2; side++) {
            series turned[PLACES];
            memcpy(turned, q, sizeof turned);
            turned[ROLL].rate = 1.0;
            by_roll[side][0]  = rows[side][1];
            by_roll[side][1]  = contact_by_hand(g, side ? -1.0 : 1.0, turned).rate;
        }
        solve_two(by_roll, b, x);
        at[Z] += x[0];
        at[ROLL] += x[1];
    }
    rows_by_hand(g, at, rows);
    double matrix[2][2], b[2];
    for (int side = 0; side < 2; side++) {
        matrix[side][0] = rows[side][1];
        matrix[side][1] = rows[side][2];
        b[side]         = -rows[side][0] * v[0] - rows[side][3] * v[3] - rows[side][4] * v[4];
    }
    solve_two(matrix, b, x);
    v[1] = x[0];
    v[2] = x[1];
}

// --- of the library ---

typedef struct wheelset {
    kane_profile cone, edge;
    kane_track *track;
    kane_wheels_definition wheels;
    kane_body_definition body;
    kane_vehicle_definition vehicle;
    kane_model *model;
    kane_work *work;
    kane_equations *equations;
    geometry by_hand;
} wheelset;

static void build_wheelset(wheelset *w, double edge)
{
    const kane_section_definition straight = {.kind = KANE_STRAIGHT, .length = 40.0};
    kane_track_definition line             = kane_track_definition_default();
    kane_drive_definition drive            = kane_drive_definition_default();
    const kane_model_options options       = kane_model_options_default();
    CHECK_ERRORS errors                    = {0};
    w->cone                                = kane_profile_cone(CONICITY);
    w->edge                                = kane_profile_round(edge);
    line.sections                          = &straight;
    line.section_count                     = 1;
    line.inclination                       = 0.0;
    line.rail[0]                           = &w->edge;
    w->track                               = kane_track_create(&line, &errors);
    w->wheels                              = kane_wheels_definition_default();
    w->wheels.profile[0]                   = &w->cone;
    w->wheels.contact_model                = KANE_CONTACT_CONSTRAINT;
    w->body                                = (kane_body_definition){.block    = {"wheelset", NULL},
                                                                    .kind     = KANE_BODY_SPINNING,
                                                                    .mass     = 1250.0,
                                                                    .inertia  = {800.0, 100.0, 800.0},
                                                                    .position = {0.0, 0.0, RADIUS},
                                                                    .dof      = 63,
                                                                    .wheels   = &w->wheels};
    w->vehicle                             = (kane_vehicle_definition){
                                    .name       = "wheelset",
                                    .guide      = "wheelset",
                                    .gravity    = 9.81,
                                    .body_count = 1,
                                    .bodies     = &w->body,
    };
    drive.start = 5.0;
    drive.speed = 10.0;
    w->model    = kane_model_create(&w->vehicle, w->track, &drive, &options, &errors);
    check_no_errors(&errors);
    w->work      = CHECK_GOOD(kane_work_create, w->model);
    w->equations = CHECK_GOOD(kane_equations_create, w->model);
    w->by_hand   = (geometry){.wheel = kane_contact_wheel_distance(w->model->wheels[0].contact, KANE_LEFT),
                              .rail  = kane_contact_rail_distance(w->model->wheels[0].contact, KANE_LEFT),
                              .edge  = edge};
}

static void free_wheelset(wheelset *w)
{
    kane_equations_free(w->equations);
    kane_work_free(w->work);
    kane_model_free(w->model);
    kane_track_free(w->track);
}

// A state of the motion by hand: x, y, z, yaw, roll, pitch, then the five speeds.
static void fill_state(const double at[PLACES], const double v[5], double *y)
{
    const double state[11] = {0.0, at[Y], at[Z], at[YAW], at[ROLL], 0.3, v[0], v[1], v[2], v[3], v[4]};
    memcpy(y, state, sizeof state);
}

typedef struct rows {
    const double *gap, *Phi, *gamma; // [2], [2 * 5], [2]
} rows;

// Rows of the library against those by hand: both are the same but for a factor of each row.
static void compare_rows(const geometry *g, const double at[PLACES], const double v[5], rows found)
{
    series q[PLACES];
    double by_hand[2][5];
    rows_by_hand(g, at, by_hand);
    places_by_speeds(at, v, q);
    for (int side = 0; side < 2; side++) {
        const double *Phi = found.Phi + 5 * side;
        const series F    = contact_by_hand(g, side ? -1.0 : 1.0, q);
        double square = 0.0, both = 0.0, rate = 0.0;
        for (int k = 0; k < 5; k++) {
            square += by_hand[side][k] * by_hand[side][k];
            both += by_hand[side][k] * Phi[k];
            rate += fabs(Phi[k] * v[k]);
        }
        const double factor = both / square; // Phi = factor dF/dv
        for (int k = 0; k < 5; k++)
            check_near(Phi[k], factor * by_hand[side][k], ANY * fabs(Phi[1]));
        check_near(F.rate, 0.0, ANY * rate / fabs(factor));
        check_near(found.gap[side], 0.0, ANY);
        check_near(found.gamma[side], factor * F.accel, ANY * (1.0 + fabs(found.gamma[side])));
    }
}

// Speeds of a wheelset that yaws, sways and rolls; v_z and w_x follow.
static const struct {
    double y, yaw, v[5];
} motions[] = {
    {0.0, 0.0, {0.0, 0.0, 0.0, 20.0, 0.0}},        {0.002, 0.003, {0.05, 0.0, 0.0, 21.0, 0.02}},
    {-0.006, 0.02, {-0.3, 0.0, 0.0, 22.0, 0.5}},   {0.009, -0.04, {0.8, 0.0, 0.0, 30.0, -1.5}},
    {-0.012, -0.08, {-1.2, 0.0, 0.0, -15.0, 3.0}},
};
enum { MOTIONS = sizeof motions / sizeof *motions };

static const double edges[] = {0.3, 0.02, 0.08};

static void touch_motion(const wheelset *w, int i, double at[PLACES], double v[5])
{
    at[Y]    = motions[i].y;
    at[YAW]  = motions[i].yaw;
    at[Z]    = RADIUS;
    at[ROLL] = 0.0;
    memcpy(v, motions[i].v, sizeof motions[i].v);
    touch_by_hand(&w->by_hand, at, v);
}

CHECK_TEST(rows_of_rails_are_those_by_hand)
{
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) {
        CHECK_END(free_wheelset) wheelset w = {0};
        build_wheelset(&w, edges[k]);
        for (int i = 0; i < MOTIONS; i++) {
            double at[PLACES], v[5], y[11];
            touch_motion(&w, i, at, v);
            fill_state(at, v, y);
            assert_int_equal(kane_equations_eval(w.equations, w.work, 0.0, y), KANE_OK);
            const kane_equation_values *e = kane_equations_get(w.equations);
            const double *gap;
            assert_int_equal(kane_equations_gaps(w.equations, &gap), 2);
            compare_rows(&w.by_hand, at, v, (rows){gap, e->Phi, e->gamma});
            for (int side = 0; side < 2; side++)
                check_near(e->phi[side], 0.0, ANY);
        }
    }
}

// Nothing but creep forces acts on it: they change with the speeds as C says, normal forces held.
CHECK_TEST(creep_forces_resist_speeds_as_they_say)
{
    const double h                      = 1e-6;
    CHECK_END(free_wheelset) wheelset w = {0};
    build_wheelset(&w, edges[0]);
    for (int i = 0; i < 3; i++) {
        double at[PLACES], v[5], y[11], C[25], Q[2][5], N[2], largest = 0.0;
        touch_motion(&w, i, at, v);
        fill_state(at, v, y);
        kane_equations_set_normal_forces(w.equations, NULL);
        assert_int_equal(kane_equations_eval(w.equations, w.work, 0.0, y), KANE_OK);
        assert_int_equal(kane_equations_creep_damping(w.model, w.equations, w.work, C), KANE_OK);
        const double *found = kane_equations_get(w.equations)->Q;
        memcpy(N, kane_equations_get(w.equations)->lambda, sizeof N);
        kane_equations_set_normal_forces(w.equations, N);
        for (int k = 0; k < 25; k++)
            largest = fmax(largest, fabs(C[k]));
        for (int k = 0; k < 5; k++) {
            for (int way = 0; way < 2; way++) {
                y[6 + k] = v[k] + (way ? h : -h);
                assert_int_equal(kane_equations_eval(w.equations, w.work, 0.0, y), KANE_OK);
                memcpy(Q[way], found, sizeof Q[way]);
            }
            y[6 + k] = v[k];
            for (int j = 0; j < 5; j++)
                check_near((Q[0][j] - Q[1][j]) / (2.0 * h), C[5 * j + k], 1e-6 * largest);
        }
    }
}

CHECK_TEST(recorded_rows_are_those_by_hand)
{
    CHECK_ERRORS errors                 = {0};
    static const char *const only[]     = {"gap", "Phi", "gamma", NULL};
    CHECK_END(free_wheelset) wheelset w = {0};
    build_wheelset(&w, edges[1]);
    kane_record_options o = kane_record_options_default();
    o.what                = KANE_RECORD_FUNCTIONS;
    o.only                = only;
    kane_recording *r     = kane_record_create(w.model, &o, &errors);
    check_no_errors(&errors);
    CHECK_MEMORY double *symbols = calloc((size_t)r->symbol_count, sizeof *symbols);
    CHECK_MEMORY double *tape    = calloc((size_t)r->tape.count, sizeof *tape);
    kane_caller caller           = {w.model, w.work};
    r->answer                    = kane_call;
    r->caller                    = &caller;
    for (int i = 0; i < MOTIONS; i++) {
        double at[PLACES], v[5], out[2 + 10 + 2];
        touch_motion(&w, i, at, v);
        fill_state(at, v, symbols + r->argument[KANE_GROUP_STATE].first);
        for (int k = 0; k < 2; k++)
            symbols[r->argument[KANE_GROUP_NORMAL].first + k] = 5e3;
        assert_true(kane_record_play(r, symbols, tape, out));
        compare_rows(&w.by_hand, at, v, (rows){out, out + 2, out + 12});
    }
    kane_record_free(r);
}

CHECK_MAIN(NULL, NULL)
