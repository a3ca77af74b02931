// SPDX-License-Identifier: MIT
// Lagged normal forces: creep forces under the normal forces of the step before.

#include "property/feve/feve.h"

#include "folder.h"

#include <kane/state.h>

#define LAGGED "integrator.normal_forces=lagged"
#define STEPS  "integrator.method=semi_implicit"
// A curve that wheels take on their treads, with creep forces limited by friction: there coupled normal forces exist.
#define TREAD ONE_SIDED, GENTLE_BY("4000"), "vehicle.bodies.car.start={\"y\": 0.001}"

// --- one wheelset in plain C ---

// Cones on round heads on straight track, without yaw, in the plane across the track: y to the left, z up, roll phi.
//   gap = n . (p - C) + n0 . P0 - R,   n = Q(phi) n0      C, R: centre [m] and radius [m] of the head; p: axle's middle
// n is the normal of the cone's lowest line, through P0 of the wheelset.
typedef struct plain_axle {
    double y, z, phi;   // [m], [rad]
    double vy, vz, w;   // their rates [m/s], [rad/s]
    double ahead, spin; // [m/s], about the axle [rad/s]
    double rail;        // distance of the rails from the middle [m]
} plain_axle;

static const double mass = 1500.0, inertia = 800.0, gravity = 9.81, friction = 0.3, creep = 8e6;
static const double cone = 0.1, head = 0.3;

typedef struct plain_wheel {
    double n[2], by_phi;     // normal; of the gap by roll [m]
    double base;             // acceleration of the gap without rails [m/s^2]
    double force[2], moment; // of creep, and its moment about the axle's middle [N], [N m]
} plain_wheel;

// creep_load: normal force by which it creeps [N]
static plain_wheel plain_wheel_of(const plain_axle *a, double sign, double creep_load)
{
    const double long_way = hypot(cone, 1.0), n0[2] = {-sign * cone / long_way, 1.0 / long_way};
    const double c = cos(a->phi), s = sin(a->phi);
    const double n[2] = {n0[0] * c - n0[1] * s, n0[0] * s + n0[1] * c}, turned[2] = {-n[1], n[0]};
    const double d[2] = {a->y - sign * a->rail, a->z + head}, r[2] = {head * n[0] - d[0], head * n[1] - d[1]};
    const double t[2]   = {n[1], -n[0]}; // n x (1, 0, 0)
    plain_wheel k       = {.n      = {n[0], n[1]},
                           .by_phi = turned[0] * d[0] + turned[1] * d[1],
                           .base   = -a->w * a->w * (n[0] * d[0] + n[1] * d[1]) +
                                   2.0 * a->w * (turned[0] * a->vy + turned[1] * a->vz) - gravity * n[1]};
    const double slip_y = t[0] * (a->vy - a->w * r[1]) + t[1] * (a->vz + a->w * r[0]);
    const double slip_x = a->ahead + a->spin * (c * r[1] - s * r[0]), slip = hypot(slip_x, slip_y);
    assert_true(creep * slip / a->ahead > 3.3 * friction * creep_load); // it slides
    const double T = -friction * creep_load * slip_y / slip;
    k.force[0]     = T * t[0];
    k.force[1]     = T * t[1];
    k.moment       = r[0] * k.force[1] - r[1] * k.force[0];
    return k;
}

// base_i + sum over j of (n_i . n_j/m + b_i b_j/J) N_j + n_i . T_j/m + b_i M_j/J = 0
static void plain_normal_forces(const plain_axle *a, const double creep_load[2], double N[2])
{
    plain_wheel k[2];
    double A[2][2], rest[2];
    for (int i = 0; i < 2; i++)
        k[i] = plain_wheel_of(a, i == 0 ? 1.0 : -1.0, creep_load[i]);
    for (int i = 0; i < 2; i++) {
        rest[i] = -k[i].base;
        for (int j = 0; j < 2; j++) {
            A[i][j] = (k[i].n[0] * k[j].n[0] + k[i].n[1] * k[j].n[1]) / mass + k[i].by_phi * k[j].by_phi / inertia;
            rest[i] -=
                (k[i].n[0] * k[j].force[0] + k[i].n[1] * k[j].force[1]) / mass + k[i].by_phi * k[j].moment / inertia;
        }
    }
    const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    N[0]             = (A[1][1] * rest[0] - A[0][1] * rest[1]) / det;
    N[1]             = (A[0][0] * rest[1] - A[1][0] * rest[0]) / det;
}

static void write_wheelset(void)
{
    write_file("v.json", "{\"kane\": \"vehicle 1\", \"name\": \"wheelset\", \"reference_body\": \"axle\", "
                         "\"gravity\": 9.81, \"wheelsets\": {\"axle\": {\"at\": 0, \"mass\": 1500, "
                         "\"inertia\": [800, 100, 800], \"radius\": 0.5, \"profile\": \"cone\", \"conicity\": 0.1, "
                         "\"back_to_back\": 1.36, \"contact\": {\"model\": \"constraint\", \"creep\": \"given\", "
                         "\"coefficients\": [8e6, 8e6]}}}}");
    write_file("t.json", "{\"kane\": \"track 1\", \"name\": \"straight\", \"running_distance\": 1.5, \"rail\": "
                         "{\"profile\": \"round\", \"head_radius\": 0.3, \"inclination\": 0}, "
                         "\"sections\": [{\"straight\": 200}]}");
    write_file("r.json", "{\"kane\": \"run 1\", \"vehicle\": \"v.json\", \"track\": \"t.json\", "
                         "\"start\": {\"at\": 20, \"speed\": 20}, \"until\": {\"time\": 1}, \"integrator\": "
                         "{\"method\": \"semi_implicit\", \"step\": \"1 ms\", \"normal_forces\": \"lagged\"}}");
}

// One step's normal forces are the next one's in creep forces: ten rows of this, as plain code has them.
CHECK_TEST(one_wheelset_is_as_plain_code_has_it)
{
    double y[32], N[2], loads[2] = {9000.0, 5000.0};
    double q[6], rates[6];
    write_wheelset();
    CHECK_FREED(wagon) w              = wagon_open("r.json", NULL);
    CHECK_OWNED(kane_work) *work      = CHECK_GOOD(kane_work_create, w.model);
    CHECK_OWNED(kane_discrete) *given = CHECK_GOOD(kane_discrete_create, w.model);
    CHECK_MEMORY double *ydot         = calloc((size_t)kane_model_state_count(w.model), sizeof *ydot);
    memcpy(y, kane_simulation_state(w.simulation), (size_t)kane_model_state_count(w.model) * sizeof *y);
    kane_work_get_discrete(w.model, kane_simulation_work(w.simulation), given);
    kane_work_copy(w.model, kane_simulation_work(w.simulation), work);
    kane_get_relative(w.model, kane_simulation_work(w.simulation), 0, q, rates);
    q[KANE_Y] = 0.002;
    rates[KANE_PITCH] += 0.05;
    for (int pass = 0; pass < 2; pass++) { // the first finds height and roll, in which the axle spins without yaw
        rates[KANE_Y]   = 0.06;
        rates[KANE_YAW] = 0.0;
        assert_int_equal(kane_put_relative(w.model, work, 0, q, rates, y), KANE_OK);
        assert_int_equal(kane_project(w.model, work, 0.0, y), KANE_OK);
        assert_int_equal(kane_motion_eval(w.model, work, 0.0, y), KANE_OK);
        kane_get_relative(w.model, work, 0, q, rates);
    }
    const plain_axle a = {q[KANE_Y],     q[KANE_Z],         q[KANE_ROLL],
                          rates[KANE_Y], rates[KANE_Z],     rates[KANE_ROLL],
                          20.0,          rates[KANE_PITCH], w.model->wheels[0].rail_distance[0]};
    check_near(q[KANE_YAW], 0.0, 1e-14);
    check_near(rates[KANE_YAW], 0.0, 1e-8);
    given->is_lagged = 1;
    for (int step = 0; step < 10; step++) {
        memcpy(given->creep_load, loads, sizeof loads);
        assert_int_equal(kane_work_set_discrete(w.model, work, given), KANE_OK);
        assert_int_equal(kane_eval(w.model, work, 0.0, y, ydot), KANE_OK);
        plain_normal_forces(&a, loads, N);
        for (int side = 0; side < 2; side++) // the search for N ends within 1e-10 of the load at rest
            check_near(work->wheels[0].guidance.N[side] / N[side], 1.0, 1e-9);
        if (getenv("KANE_SHOW"))
            print_message("%d: %.6f %.6f of %.6f %.6f\n", step, N[0], N[1], work->wheels[0].guidance.N[0],
                          work->wheels[0].guidance.N[1]);
        memcpy(loads, N, sizeof loads);
    }
    given->is_lagged = 0; // where that leads, coupled ones are
    assert_int_equal(kane_work_set_discrete(w.model, work, given), KANE_OK);
    assert_int_equal(kane_eval(w.model, work, 0.0, y, ydot), KANE_OK);
    for (int side = 0; side < 2; side++)
        check_relative(work->wheels[0].guidance.N[side], N[side], 1e-6);
}

// --- the locomotive ---

enum { ROWS = 14 };

typedef struct record {
    double place[ROWS][FEVE_AXLES], N[ROWS][FEVE_AXLES][2];
} record;

static record carry_out(const char *const *settings)
{
    CHECK_FREED(wagon) w = wagon_read("feve-curve", settings);
    record r;
    wagon_start(&w);
    for (int i = 0; i < ROWS; i++) {
        double q[6], rates[6];
        assert_true(wagon_go(&w, 0.2 * (i + 1)));
        const kane_work *work = kane_simulation_work(w.simulation);
        for (int k = 0; k < FEVE_AXLES; k++) {
            const int body = feve_axle(&w, k);
            kane_get_relative(w.model, work, body, q, rates);
            r.place[i][k] = q[KANE_Y];
            memcpy(r.N[i][k], work->wheels[w.model->bodies[body].wheels].guidance.N, sizeof r.N[i][k]);
        }
    }
    return r;
}

// Differences of normal forces over the forces [1], and of places [m]: roots of mean squares.
static void compare_records(const record *a, const record *b, double *N, double *place)
{
    *N = *place = 0.0;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < FEVE_AXLES; k++) {
            const double off = a->place[i][k] - b->place[i][k];
            *place += off * off / (ROWS * FEVE_AXLES);
            for (int side = 0; side < 2; side++) {
                const double part = a->N[i][k][side] / b->N[i][k][side] - 1.0;
                *N += part * part / (2.0 * ROWS * FEVE_AXLES);
            }
        }
    *N     = sqrt(*N);
    *place = sqrt(*place);
}

// Kalker's linear theory, where coupled forces do not exist on flanges: the run goes on. Without spin creep forces have
// no moment about the normal.
CHECK_TEST(on_flanges_it_goes_where_coupled_forces_do_not_exist)
{
    static const char *const common[] = {STEPS, "integrator.step=1 ms", "variant=as-published"};
    CHECK_ERRORS errors               = {0};
    CHECK_FREED(wagon) coupled        = wagon_open_with("feve-curve", common[0], common[1], common[2]);
    CHECK_FREED(wagon) lagged         = wagon_open_with("feve-curve", common[0], common[1], common[2], LAGGED);
    assert_int_equal(kane_simulation_advance(coupled.simulation, 4.0, &errors), KANE_INTEGRATION_FAILED);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "no normal forces keep its wheels on the rails"));
    assert_true(wagon_go(&lagged, 4.0));
    const kane_work *work = kane_simulation_work(lagged.simulation);
    for (int i = 0; i < lagged.model->wheels_count; i++)
        for (int side = 0; side < 2; side++)
            assert_true(work->wheels[i].result[side].patch[0].M_z == 0.0);
}

// What the lag adds to the error of the method itself.
CHECK_TEST(it_converges_to_coupled_forces_at_first_order)
{
    static const char *const steps[] = {"integrator.step=2e-3", "integrator.step=1e-3", "integrator.step=0.5e-3"};
    double N[3], place[3];
    for (int i = 0; i < 3; i++) {
        const record coupled = carry_out((const char *const[]){STEPS, steps[i], TREAD, NULL});
        const record lagged  = carry_out((const char *const[]){STEPS, steps[i], TREAD, LAGGED, NULL});
        compare_records(&lagged, &coupled, &N[i], &place[i]);
        check_figure(N[i], "%s: forces", steps[i]);
        check_figure(place[i], "%s: places", steps[i]);
        if (getenv("KANE_SHOW"))
            print_message("%s: normal forces %.3g, places %.3g m\n", steps[i], N[i], place[i]);
    }
    for (int i = 0; i < 2; i++) { // what is left of second order falls with the step
        check_near(N[i] / N[i + 1], 2.0, i == 0 ? 0.3 : 0.15);
        check_near(place[i] / place[i + 1], 2.0, i == 0 ? 0.3 : 0.15);
    }
}

CHECK_TEST(without_creep_forces_the_bits_are_the_same)
{
#define SMOOTH "vehicle.patterns.wheelset.contact.friction=[0, 0]"
    const record coupled = carry_out((const char *const[]){STEPS, "integrator.step=1e-3", TREAD, SMOOTH, NULL});
    const record lagged  = carry_out((const char *const[]){STEPS, "integrator.step=1e-3", TREAD, SMOOTH, LAGGED, NULL});
    assert_memory_equal(&coupled, &lagged, sizeof lagged);
}

// Every step leaves the normal forces at its end, found under those that it had.
CHECK_TEST(every_step_leaves_its_normal_forces)
{
    CHECK_FREED(wagon) w            = wagon_open_with("feve-curve", STEPS, "integrator.step=1 ms", TREAD, LAGGED);
    CHECK_OWNED(kane_work) *work    = CHECK_GOOD(kane_work_create, w.model);
    CHECK_OWNED(kane_discrete) *had = CHECK_GOOD(kane_discrete_create, w.model);
    CHECK_OWNED(kane_discrete) *has = CHECK_GOOD(kane_discrete_create, w.model);
    CHECK_MEMORY double *ydot       = calloc((size_t)kane_model_state_count(w.model), sizeof *ydot);
    kane_work_get_discrete(w.model, kane_simulation_work(w.simulation), had);
    for (int i = 1; i <= 20; i++) {
        assert_true(wagon_go(&w, 1e-3 * i));
        kane_work_get_discrete(w.model, kane_simulation_work(w.simulation), has);
        assert_int_equal(kane_work_set_discrete(w.model, work, had), KANE_OK);
        assert_int_equal(kane_eval(w.model, work, 1e-3 * i, kane_simulation_state(w.simulation), ydot), KANE_OK);
        assert_int_equal(has->is_lagged, 1);
        for (int k = 0; k < has->creep_load_count; k++)
            assert_true(has->creep_load[k] == work->wheels[k / 2].guidance.N[k % 2]);
        kane_work_get_discrete(w.model, kane_simulation_work(w.simulation), had);
    }
}

// A saved state has them: the run that goes on from a file gives the bits of the one that went through. Times of steps
// are exact in binary; responses of wheelsets are found in each step, or a restart would find them anew.
CHECK_TEST(a_saved_state_goes_on_with_the_same_bits)
{
    static const char *const settings[] = {
        STEPS, "integrator.step=0.0009765625 s", "integrator.jacobian_interval=1", TREAD, LAGGED, NULL};
    CHECK_ERRORS errors        = {0};
    CHECK_FREED(wagon) through = wagon_open("feve-curve", settings);
    CHECK_FREED(wagon) again   = wagon_open("feve-curve", settings);
    const size_t size          = (size_t)kane_model_state_count(through.model) * sizeof(double);
    assert_true(wagon_go(&through, 0.5));
    CHECK_OWNED(kane_state) *saved = CHECK_GOOD(kane_simulation_get_state, through.simulation);
    assert_int_equal(kane_state_write("state.json", through.model, saved, &errors), KANE_OK);
    CHECK_OWNED(kane_state) *read = CHECK_GOOD(kane_state_read, "state.json", again.model);
    assert_int_equal(kane_simulation_resume(again.simulation, read, &errors), KANE_OK);
    assert_true(wagon_go(&through, 0.75));
    assert_true(wagon_go(&again, 0.75));
    assert_memory_equal(kane_simulation_state(through.simulation), kane_simulation_state(again.simulation), size);
}

CHECK_TEST(the_jacobian_is_the_derivative)
{
    CHECK_FREED(wagon) w =
        wagon_open_with("feve-curve", "integrator.method=imex", "integrator.step=1 ms", TREAD, LAGGED);
    assert_true(wagon_go(&w, 0.4));
    assert_true(run_check_jacobian(w.simulation, w.model, "lagged", 5e-5) > 0);
}

static void check_refused(const char *run, const char *const *settings, const char *text)
{
    CHECK_ERRORS errors = {0};
    char file[1024], said[4096];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, run);
    assert_null(kane_run_read(file, &(kane_run_options){.settings = settings}, &errors));
    errors_text(&errors, sizeof said, said);
    if (!strstr(said, text))
        fail_msg("%s", said);
}

CHECK_TEST(other_integrators_and_elastic_wheels_are_refused)
{
    check_refused("feve-curve", (const char *const[]){LAGGED, NULL},
                  "integrator.normal_forces: \"lagged\" normal forces are those of the step before, of fixed length, "
                  "which \"bdf\" does not have");
    check_refused("wagon-transition",
                  (const char *const[]){LAGGED, "integrator.method=bdf2", "integrator.step=1 ms", NULL},
                  "'two-axle freight wagon' has no wheels with contact as a constraint");
}

CHECK_MAIN(enter_folder, leave_folder)
