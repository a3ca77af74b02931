// SPDX-License-Identifier: MIT
// A blade on a hub, as it comes along, which its own inertia stiffens: frequencies of a beam of Euler and Bernoulli
// that turns, hub radius 0, across its plane (Wright, Smith, Thresher, Wang, J. Appl. Mech. 49 (1982) 197-202, and many
// others); what it stretches; and its spin-up, which without stiffening ends in a beam that folds.

#include "runs.h"
#include "models.h"

#include "folder.h"
#include "unit/run/typed.h"

static const double length = 10.0, line = 2608.13 * 4.601e-4, EI = 6.0857e10 * 2.3004e-9, EA = 6.0857e10 * 4.601e-4;

// Clamped by a joint, in axes fixed to its root; or by a constraint, in mean axes.
static const char *const clamps[] = {KANE_SOURCE_DIR "/data/runs/mechanism-blade.json", "constrained.json"};

enum { CLAMPS = 2 };

static kane_run *read_run(int clamp, const char *const *settings)
{
    return run_read(clamps[clamp], settings);
}

// At rest on a hub that turns evenly [rad/s].
static kane_steady *turn_evenly(int clamp, double speed, kane_run **run)
{
    char turns[96];
    const char *const settings[] = {turns, NULL};
    (void)snprintf(turns, sizeof turns, "mechanism.frames.hub.motion.rates.angle.polynomial=[%.15g]", speed);
    *run = read_run(clamp, settings);
    return CHECK_GOOD(kane_steady_create, kane_run_get_definition(*run), &(kane_steady_definition){0});
}

static void check_frequencies(int clamp)
{
    static const struct {
        double speed, expected[3];
    } rows[] = {{1.0, {3.6816, 22.181, 61.842}}, {4.0, {5.5850, 24.273, 63.967}}, {12.0, {13.1702, 37.6031, 79.6145}}};
    const double unit = sqrt(EI / (line * length * length * length * length));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        kane_run *run;
        kane_steady *steady = turn_evenly(clamp, rows[r].speed * unit, &run);
        kane_linear *linear = CHECK_GOOD(kane_linear_create, kane_steady_model(steady), kane_steady_work(steady), 0.0,
                                         kane_steady_state(steady));
        kane_modes *modes   = CHECK_GOOD(kane_modes_create, linear, KANE_MODES_COMPLETE);
        for (int k = 0; k < 3; k++) {
            double nearest = HUGE_VAL;
            for (int i = 0; i < kane_modes_count(modes); i++) {
                const double found = fabs(kane_modes_get(modes, i)->im) / unit;
                if (fabs(found - rows[r].expected[k]) < fabs(nearest - rows[r].expected[k]))
                    nearest = found;
            }
            check_relative(nearest, rows[r].expected[k], 1e-3);
        }
        kane_modes_free(modes);
        kane_linear_free(linear);
        kane_steady_free(steady);
        kane_run_free(run);
    }
}

CHECK_TEST(frequencies_are_those_of_a_beam_that_turns)
{
    for (int clamp = 0; clamp < CLAMPS; clamp++)
        check_frequencies(clamp);
}

static double joint(const kane_model *model, const kane_work *work, const char *body, int coordinate)
{
    double q[KANE_JOINT_COORDINATES];
    (void)kane_get_joint(model, work, kane_model_find_body(model, body), q, NULL, NULL);
    return q[coordinate];
}

// rho A w^2 L^3/(3 EA)
CHECK_TEST(it_stretches_as_a_rod_that_turns)
{
    const double speed = 6.0, expected = line * speed * speed * length * length * length / (3.0 * EA);
    check_near(expected, 5.143e-4, 1e-7);
    for (int clamp = 0; clamp < CLAMPS; clamp++) {
        kane_run *run;
        kane_steady *steady     = turn_evenly(clamp, speed, &run);
        const kane_model *model = kane_steady_model(steady);
        const kane_work *work   = kane_steady_work(steady);
        const double stretched  = joint(model, work, "blade.tip", 0) - joint(model, work, "blade.root", 0);
        check_relative(stretched, expected, 1e-3);
        kane_steady_free(steady);
        kane_run_free(run);
    }
}

// How far the tip leaves the tangent of the root, in the plane in which the hub turns, at most; 1: the run came to its
// end.
static int spin_up(int clamp, const char *const *settings, double *most)
{
    CHECK_ERRORS errors             = {0};
    CHECK_OWNED(kane_run) *run      = read_run(clamp, settings);
    const kane_run_definition *d    = kane_run_get_definition(run);
    const kane_conditions forever   = {.time = 100.0};
    CHECK_OWNED(kane_model) *model  = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors);
    CHECK_OWNED(kane_simulation) *s = kane_simulation_create(model, &d->settings, &forever, &errors);
    kane_status status              = KANE_OK;
    check_no_errors(&errors);
    *most = 0.0;
    for (int k = 1; k <= 150 && status == KANE_OK; k++) {
        status                = kane_simulation_advance(s, 0.1 * k, &errors);
        const kane_work *work = kane_simulation_work(s);
        const double root     = joint(model, work, "blade.root", 1) + length * joint(model, work, "blade.root", 3);
        if (status == KANE_OK)
            *most = fmax(*most, fabs(joint(model, work, "blade.tip", 1) - root));
    }
    return status == KANE_OK;
}

CHECK_TEST(a_spin_up_bends_it_a_little)
{
    static const char *const none[] = {NULL};
    double most;
    for (int clamp = 0; clamp < CLAMPS; clamp++) {
        assert_true(spin_up(clamp, none, &most));
        check_near(most, 0.58, 0.07);
    }
}

CHECK_TEST(without_stiffening_a_spin_up_folds_it)
{
    char text[2048], soft[256];
    const char *const settings[] = {soft, NULL};
    double most;
    assert_true(strlen(content(KANE_SOURCE_DIR "/data/flexible/blade.json")) < sizeof text);
    (void)strcpy(text, content(KANE_SOURCE_DIR "/data/flexible/blade.json"));
    char *key = strstr(text, "\"stiffening\": \"root\"");
    assert_non_null(key);
    memcpy(key, "\"inertia\":    \"full\"", strlen("\"inertia\":    \"full\""));
    write_file("soft.json", text);
    (void)snprintf(soft, sizeof soft, "mechanism.bodies.blade.flexible=%s/soft.json", folder);
    assert_true(!spin_up(0, settings, &most) || most > 2.0);
}

// It hangs by its root, or not at all.
CHECK_TEST(joints_elsewhere_are_refused)
{
    static const char *const rows[][2] = {
        {"mechanism.bodies.blade.joint.at=[1, 0, 0]", "'root' at (0, 0, 0)"},
        {"mechanism.bodies.blade.joint={\"type\":\"weld\",\"to\":\"m\"}",
         "give the joint's place by \"at\": [0, 0, 0]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_run_refused(
            clamps[0],
            (const char *const[]){rows[i][0], "mechanism.markers={\"m\":{\"on\":\"blade\",\"at\":[0,0,0]}}", NULL},
            rows[i][1]);
}

// As the data has it, but for its clamp.
static int write_constrained(void **state)
{
    char text[2048];
    if (enter_folder(state) != 0)
        return -1;
    write_file("constrained.json", "{\"kane\":\"run 1\",\"mechanism\":\"mechanism.json\",\"until\":{\"time\":15},"
                                   "\"integrator\":{\"order\":2}}");
    write_file("mechanism.json",
               "{\"kane\":\"mechanism 1\",\"gravity\":0,\"frames\":{\"hub\":{\"type\":\"revolute\",\"at\":[0,0,0],"
               "\"axis\":[0,0,1],\"motion\":{\"rates\":{\"angle\":{\"polynomial\":[0,0.4]}}}}},\"bodies\":{\"blade\":{"
               "\"mass\":12,\"inertia\":[0.01,100,100],\"at\":[5,0,0],\"frame\":\"hub\",\"flexible\":\"blade.json\"}},"
               "\"constraints\":{\"clamp\":{\"type\":\"weld\",\"between\":[\"hub\",\"blade\"],\"at\":[0,0,0]}}}");
    (void)strcpy(text, content(KANE_SOURCE_DIR "/data/flexible/blade.json"));
    char *key = strstr(text, "\"frame\": \"root\",");
    if (!key)
        return -1;
    memset(key, ' ', strlen("\"frame\": \"root\","));
    write_file("blade.json", text);
    return 0;
}

CHECK_MAIN(write_constrained, leave_folder)
