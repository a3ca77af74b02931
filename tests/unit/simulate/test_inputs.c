// SPDX-License-Identifier: MIT
// Numbers that are set from outside: what they do to bodies, that an integration goes on as well as if it had begun
// anew at every change, that controllers outside are those built in as far as their steps are short, and that saved
// states go on with the same bits.

#include "allocation.h"

#include "mechanisms.h"
#include "property/wagon/wagon.h"
#include "unit/run/typed.h"

#include <kane/laws.h>
#include <kane/state.h>

// Adds an input to a mechanism.
typedef struct driven {
    mechanism m;
    kane_input_definition inputs[6];
} driven;

static kane_input_definition *add_input(driven *d, const char *name, kane_input_kind kind, const char *on)
{
    kane_input_definition *in = &d->inputs[d->m.vehicle.input_count++];
    *in                       = (kane_input_definition){.block = {name, NULL}, .kind = kind, .on = on, .at_centre = 1};
    d->m.vehicle.inputs       = d->inputs;
    return in;
}

static int find(const driven *d, const char *name)
{
    return CHECK_GOOD(kane_model_find_input, d->m.model, name);
}

static void set(driven *d, const char *name, double value)
{
    assert_int_equal(kane_work_set_input(d->m.model, d->m.work, find(d, name), value), KANE_OK);
}

// --- what they are ---

// a = F/m, alpha = J^-1 (r x F); a torque with its reaction, also about the axes of no body.
CHECK_TEST(forces_and_torques_act_as_newton_says)
{
    static driven d;
    mechanism_begin(&d.m, 0.0);
    (void)mechanism_add(&d.m, "one", 2.0, kv3(0.5, 0.6, 0.7), kv3(0.0, 0.0, 1.0));
    (void)mechanism_add(&d.m, "two", 4.0, kv3(1.5, 1.6, 1.7), kv3(5.0, 0.0, 1.0));
    kane_input_definition *push  = add_input(&d, "push", KANE_INPUT_FORCE, "one");
    push->direction              = kv3(0.0, 3.0, 4.0);
    push->at                     = kv3(0.3, -0.1, 1.2);
    push->at_centre              = 0;
    kane_input_definition *twist = add_input(&d, "twist", KANE_INPUT_TORQUE, "two");
    twist->direction             = kv3(2.0, 0.0, 0.0);
    twist->reaction              = "one";
    mechanism_open(&d.m, KANE_FORM_COEFFICIENTS);
    kane_vec3 v, w, a, alpha;

    set(&d, "push", 10.0); // along (0, .6, .8)
    mechanism_eval(&d.m, 0.0);
    kane_get_absolute(d.m.model, d.m.work, 0, &v, &w, &a, &alpha);
    const kane_vec3 force = kv3(0.0, 6.0, 8.0), torque = kv3_cross(kv3(0.3, -0.1, 0.2), force);
    check_vec3(a, kv3_scale(0.5, force), 1e-14);
    check_vec3(alpha, kv3(torque.x / 0.5, torque.y / 0.6, torque.z / 0.7), 1e-13);

    set(&d, "push", 0.0);
    set(&d, "twist", 3.0);
    mechanism_eval(&d.m, 0.0);
    kane_get_absolute(d.m.model, d.m.work, 0, &v, &w, &a, &alpha);
    check_vec3(a, kv3_zero(), 1e-14);
    check_vec3(alpha, kv3(-3.0 / 0.5, 0.0, 0.0), 1e-13);
    kane_get_absolute(d.m.model, d.m.work, 1, &v, &w, &a, &alpha);
    check_vec3(alpha, kv3(3.0 / 1.5, 0.0, 0.0), 1e-13);
    mechanism_close_all(&d.m);
}

// A mass of 2 kg on a slide along x, and beside it an actuator of 100 N/m with 3 N s/m to the ground.
static void begin_slider(driven *d, const kane_actuator_law *law)
{
    *d = (driven){.inputs = {{.block = {NULL, NULL}}}};
    mechanism_begin(&d->m, 0.0);
    const int body = mechanism_add(&d->m, "mass", 2.0, kv3(1.0, 1.0, 1.0), kv3(1.0, 0.0, 0.0));
    (void)mechanism_hang(&d->m, body, KANE_JOINT_PRISMATIC, NULL, kv3(1.0, 0.0, 0.0), axes_about(0));
    (void)mechanism_element(&d->m, "cylinder", &kane_law_actuator, law, NULL, kv3_zero(), "mass", kv3(1.0, 0.0, 0.0));
}

static const kane_actuator_law cylinder = {.block = {"cylinder", NULL}, .stiffness = 100.0, .damping = 3.0};

// Its second derivative of place: (F + k (e_s - e) - c v + motor)/m
CHECK_TEST(actuators_push_as_they_are_told)
{
    static driven d;
    begin_slider(&d, &cylinder);
    add_input(&d, "force", KANE_INPUT_ELEMENT, "cylinder")->parameter  = "force";
    add_input(&d, "length", KANE_INPUT_ELEMENT, "cylinder")->parameter = "elongation";
    (void)add_input(&d, "motor", KANE_INPUT_JOINT, "mass");
    mechanism_open(&d.m, KANE_FORM_COEFFICIENTS);
    set(&d, "force", 7.0);
    set(&d, "length", 0.2);
    set(&d, "motor", -4.0);
    d.m.y[0] = 0.05;
    d.m.y[1] = 0.3;
    mechanism_eval(&d.m, 0.0);
    check_near(d.m.ydot[1], (7.0 + 100.0 * (0.2 - 0.05) - 3.0 * 0.3 - 4.0) / 2.0, 1e-13);
    check_near(kane_work_get_input(d.m.work, find(&d, "length")), 0.2, 0.0);
    assert_string_equal(kane_model_input_info(d.m.model, find(&d, "force")).unit, "N");
    assert_string_equal(kane_model_input_info(d.m.model, find(&d, "length")).unit, "m");
    assert_string_equal(kane_model_input_info(d.m.model, find(&d, "motor")).unit, "N");

    kane_energy energy;
    kane_get_energy(d.m.model, d.m.work, &energy);
    check_near(energy.elements, 0.5 * 100.0 * 0.15 * 0.15, 1e-13);
    check_near(energy.power_drive, -4.0 * 0.3, 1e-13);
    check_near(energy.power_elements, (7.0 + 100.0 * 0.15 - 3.0 * 0.3) * 0.3, 1e-13);
    mechanism_close_all(&d.m);
}

// The discrete state carries them: another work gives the same bits.
CHECK_TEST(works_share_them)
{
    static driven d;
    CHECK_ERRORS errors = {0};
    double other[2];
    begin_slider(&d, &cylinder);
    add_input(&d, "force", KANE_INPUT_ELEMENT, "cylinder")->parameter = "force";
    mechanism_open(&d.m, KANE_FORM_COEFFICIENTS);
    set(&d, "force", 1.0 / 3.0);
    mechanism_eval(&d.m, 0.0);
    kane_work *work = kane_work_create(d.m.model, &errors);
    kane_work_copy(d.m.model, d.m.work, work);
    assert_int_equal(kane_eval(d.m.model, work, 0.0, d.m.y, other), KANE_OK);
    assert_memory_equal(other, d.m.ydot, sizeof other);
    assert_true(other[1] != 0.0);

    kane_discrete *discrete = kane_discrete_create(d.m.model, &errors);
    kane_work_get_discrete(d.m.model, d.m.work, discrete);
    check_near(discrete->input[0], 1.0 / 3.0, 0.0);
    discrete->input[0] = (double)INFINITY;
    assert_int_equal(kane_work_set_discrete(d.m.model, work, discrete), KANE_BAD_ARGUMENT);
    kane_discrete_free(discrete);
    kane_work_free(work);
    mechanism_close_all(&d.m);
}

// --- integrating over changes ---

// m x'' + c x' + k x = F, from x, v over h: closed form, under-damped.
static void oscillate(double F, double h, double *x, double *v)
{
    const double m = 2.0, c = 3.0, k = 100.0, a = 0.5 * c / m, w = sqrt(k / m - a * a), e = exp(-a * h);
    const double x0 = *x - F / k, v0 = *v, s = sin(w * h), co = cos(w * h);
    *x = F / k + e * (x0 * co + (v0 + a * x0) / w * s);
    *v = e * (v0 * co - (a * v0 + k / m * x0) / w * s);
}

// A force that jumps every 20 ms: whatever the method, it goes on over the jumps within its tolerance, at few steps
// more than a force that stays.
CHECK_TEST(jumps_cost_no_accuracy)
{
    static const struct {
        kane_method method;
        double tolerance, step, error;
        int multistep;
    } ways[] = {{KANE_BDF, 1e-9, 0.0, 3e-7, 1},
                {KANE_ADAMS, 1e-10, 0.0, 3e-7, 1},
                {KANE_RK4, 1e-9, 1e-3, 1e-8, 0},
                {KANE_BDF_ALPHA, 1e-9, 0.0, 3e-7, 1}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        static driven d;
        uint64_t seed       = 7;
        CHECK_ERRORS errors = {0};
        double x = 0.0, v = 0.0, worst = 0.0;
        begin_slider(&d, &cylinder);
        add_input(&d, "force", KANE_INPUT_ELEMENT, "cylinder")->parameter = "force";
        mechanism_open(&d.m, KANE_FORM_COEFFICIENTS);
        kane_settings settings = mechanism_settings(ways[i].tolerance);
        settings.method        = ways[i].method;
        settings.order         = ways[i].method == KANE_BDF_ALPHA ? 4 : settings.order;
        settings.step          = ways[i].step;
        mechanism_run(&d.m, &settings);
        for (int k = 0; k < 100; k++) {
            const double force = 20.0 * random_number(&seed);
            assert_int_equal(kane_simulation_set_input(d.m.simulation, 0, force), KANE_OK);
            assert_int_equal(kane_simulation_step(d.m.simulation, 0.02, &errors), KANE_OK);
            oscillate(force, 0.02, &x, &v);
            worst = fmax(worst, fabs(kane_simulation_state(d.m.simulation)[0] - x));
            worst = fmax(worst, 0.1 * fabs(kane_simulation_state(d.m.simulation)[1] - v));
        }
        check_no_errors(&errors);
        check_near(kane_simulation_time(d.m.simulation), 2.0, 1e-12);
        check_near(worst, 0.0, ways[i].error);
        kane_statistics now;
        kane_simulation_statistics(d.m.simulation, &now);
        assert_true(ways[i].multistep ? now.restarts == 0 : now.restarts == 100);
        mechanism_close_all(&d.m);
    }
}

// Set where the integrator has gone on already, it goes back: the same as steps that end there.
CHECK_TEST(an_integrator_that_is_ahead_goes_back)
{
    static driven d;
    CHECK_ERRORS errors = {0};
    double x = 0.0, v = 0.0;
    begin_slider(&d, &cylinder);
    add_input(&d, "force", KANE_INPUT_ELEMENT, "cylinder")->parameter = "force";
    mechanism_open(&d.m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = mechanism_settings(1e-10);
    mechanism_run(&d.m, &settings);
    for (int k = 0; k < 10; k++) {
        const double force = k % 2 ? -30.0 : 30.0;
        assert_int_equal(kane_simulation_set_input(d.m.simulation, 0, force), KANE_OK);
        (void)mechanism_go(&d.m, 0.0313 * (k + 1));
        oscillate(force, 0.0313, &x, &v);
    }
    check_near(kane_simulation_state(d.m.simulation)[0], x, 1e-8);
    check_near(kane_simulation_get_input(d.m.simulation, 0), -30.0, 0.0);
    assert_int_equal(kane_simulation_start(d.m.simulation, &errors), KANE_OK);
    check_near(kane_simulation_get_input(d.m.simulation, 0), 0.0, 0.0); // as it began
    mechanism_close_all(&d.m);
}

// A damper outside, that sees the speed at the beginning of every step, against one inside.
static double co_simulated(double h)
{
    static driven d;
    CHECK_ERRORS errors          = {0};
    const kane_actuator_law soft = {.block = {"cylinder", NULL}, .stiffness = 100.0};
    begin_slider(&d, &soft);
    add_input(&d, "force", KANE_INPUT_ELEMENT, "cylinder")->parameter = "force";
    d.m.starts[0].q[0]                                                = 0.1;
    mechanism_open(&d.m, KANE_FORM_COEFFICIENTS);
    const kane_settings settings = mechanism_settings(1e-11);
    mechanism_run(&d.m, &settings);
    double x = kane_simulation_state(d.m.simulation)[0], v = 0.0, worst = 0.0;
    check_near(x, 0.1, 1e-15);
    for (int k = 0; k < (int)(1.0 / h + 0.5); k++) {
        (void)kane_simulation_set_input(d.m.simulation, 0, -3.0 * kane_simulation_state(d.m.simulation)[1]);
        assert_int_equal(kane_simulation_step(d.m.simulation, h, &errors), KANE_OK);
        oscillate(0.0, h, &x, &v);
        worst = fmax(worst, fabs(kane_simulation_state(d.m.simulation)[0] - x));
    }
    mechanism_close_all(&d.m);
    return worst;
}

CHECK_TEST(a_controller_outside_is_one_inside_to_the_order_of_its_step)
{
    const double coarse = co_simulated(4e-3), middle = co_simulated(2e-3), fine = co_simulated(1e-3);
    assert_true(fine > 1e-6 && coarse < 1e-2);
    check_near(coarse / middle, 2.0, 0.1);
    check_near(middle / fine, 2.0, 0.05);
}

// A factor of a damper that is set once is a damper with that damping.
CHECK_TEST(a_factor_is_another_damper)
{
    double end[2];
    for (int i = 0; i < 2; i++) {
        static driven d;
        const kane_damper damper = {.block = {"damper", NULL}, .damping = i ? 8.0 : 4.0};
        begin_slider(&d, &cylinder);
        (void)mechanism_element(&d.m, "damper", &kane_law_damper, &damper, NULL, kv3_zero(), "mass",
                                kv3(1.0, 0.0, 0.0));
        (void)add_input(&d, "valve", KANE_INPUT_ELEMENT, "damper");
        d.m.starts[0].q[0] = 0.1;
        mechanism_open(&d.m, KANE_FORM_COEFFICIENTS);
        const kane_settings settings = mechanism_settings(1e-10);
        mechanism_run(&d.m, &settings);
        check_near(kane_simulation_get_input(d.m.simulation, 0), 1.0, 0.0);
        (void)kane_simulation_set_input(d.m.simulation, 0, i ? 1.0 : 2.0);
        (void)mechanism_go(&d.m, 1.0);
        mechanism_check_jacobian(&d.m, 1e-7);
        end[i] = kane_simulation_state(d.m.simulation)[0];
        mechanism_close_all(&d.m);
    }
    check_near(end[0], end[1], 1e-10);
}

// --- a vehicle with a controller ---

// A skyhook of the coach, as an outside program would have it.
typedef struct controller {
    kane_channels *channels;
    int input[4];
} controller;

static controller control(const wagon *w)
{
    static const char *const speeds[] = {"car.rate.z", "car.rate.roll", "car.rate.pitch"};
    static const char *const names[]  = {"leading left", "leading right", "trailing left", "trailing right"};
    CHECK_ERRORS errors               = {0};
    controller c                      = {.channels = kane_channels_create(w->simulation, 3, speeds, NULL, &errors)};
    for (int i = 0; i < 4; i++)
        c.input[i] = kane_model_find_input(w->model, names[i], &errors);
    check_no_errors(&errors);
    assert_int_equal(kane_channels_find(c.channels, "car.rate.roll"), 1);
    assert_int_equal(kane_channels_find(c.channels, "car.rate.yaw"), -1);
    return c;
}

static void go_controlled(wagon *w, const controller *c, int steps)
{
    static const double x[] = {9.5, 9.5, -9.5, -9.5}, y[] = {1.0, -1.0, 1.0, -1.0};
    CHECK_ERRORS errors = {0};
    double v[3];
    for (int k = 0; k < steps; k++) {
        assert_int_equal(kane_channels_read(c->channels, w->simulation, v), KANE_OK);
        for (int i = 0; i < 4; i++)
            assert_int_equal(
                kane_simulation_set_input(w->simulation, c->input[i], -20e3 * (v[0] + y[i] * v[1] - x[i] * v[2])),
                KANE_OK);
        assert_int_equal(kane_simulation_step(w->simulation, 1e-3, &errors), KANE_OK);
    }
    check_no_errors(&errors);
}

// Who saves and who takes up what was saved, from memory or from a file, in the same simulation or another one: the
// same bits.
CHECK_TEST(saved_states_go_on_with_the_same_bits)
{
    CHECK_ERRORS errors      = {0};
    CHECK_FREED(wagon) w     = wagon_open("coach-skyhook", NULL);
    const size_t size        = (size_t)kane_model_state_count(w.model) * sizeof(double);
    CHECK_MEMORY double *end = malloc(size);
    controller c             = control(&w);
    go_controlled(&w, &c, 700); // past the first roughness
    kane_state *saved = CHECK_GOOD(kane_simulation_save, w.simulation, NULL);
    assert_int_equal(kane_state_write("coach.state", w.model, saved, &errors), KANE_OK);
    go_controlled(&w, &c, 300);
    memcpy(end, kane_simulation_state(w.simulation), size);
    check_near(fabs(kane_simulation_get_input(w.simulation, 0)) > 1.0, 1.0, 0.0);

    assert_int_equal(kane_simulation_resume(w.simulation, saved, &errors), KANE_OK);
    go_controlled(&w, &c, 300);
    assert_memory_equal(kane_simulation_state(w.simulation), end, size);

    CHECK_FREED(wagon) other = wagon_open("coach-skyhook", NULL);
    controller d             = control(&other);
    kane_state *read         = kane_state_read("coach.state", other.model, &errors);
    check_no_errors(&errors);
    assert_int_equal(kane_simulation_resume(other.simulation, read, &errors), KANE_OK);
    check_near(kane_simulation_get_input(other.simulation, 2), saved->discrete->input[2], 0.0);
    go_controlled(&other, &d, 300);
    assert_memory_equal(kane_simulation_state(other.simulation), end, size);

    kane_state_free(read);
    kane_state_free(saved);
    kane_channels_free(d.channels);
    kane_channels_free(c.channels);
}

CHECK_TEST(steps_allocate_nothing)
{
    CHECK_FREED(wagon) w = wagon_open("coach-skyhook", NULL);
    controller c         = control(&w);
    go_controlled(&w, &c, 20);
    allocation_fail_at(0);
    go_controlled(&w, &c, 200);
    (void)allocation_stop();
    assert_int_equal(allocation_count(), 0);
    kane_channels_free(c.channels);
}

// Steps of a millisecond and new inputs in each of them: less than twice the evaluations of running through by BDF,
// whose own steps are as long.
CHECK_TEST(control_costs_less_than_twice)
{
    long evaluations[2];
    for (int i = 0; i < 2; i++) {
        CHECK_ERRORS errors = {0};
        kane_statistics now;
        CHECK_FREED(wagon) w = wagon_open_with("coach-skyhook", "integrator.method=bdf");
        controller c         = control(&w);
        if (i)
            go_controlled(&w, &c, 2000);
        else
            assert_int_equal(kane_simulation_advance(w.simulation, 2.0, &errors), KANE_OK);
        kane_simulation_statistics(w.simulation, &now);
        evaluations[i] = now.evaluations + (i ? 2000 : 0); // one at every change
        kane_channels_free(c.channels);
    }
    assert_true(evaluations[1] < 2 * evaluations[0]);
}

// --- what is refused ---

CHECK_TEST(names_that_there_are_none_of_are_told)
{
    CHECK_FREED(wagon) w = wagon_read("coach-skyhook", NULL);
    CHECK_ERRORS errors  = {0};
    char text[1200];
    wagon_start(&w);
    assert_int_equal(kane_model_input_count(w.model), 4);
    assert_int_equal(kane_model_find_input(w.model, "leading lfet", &errors), -1);
    errors_text(&errors, sizeof text, text);
    assert_string_equal(text,
                        "no input is called 'leading lfet'; did you mean 'leading left'? known: leading left, leading "
                        "right, trailing left, trailing right");
    assert_int_equal(kane_simulation_set_input(w.simulation, 4, 1.0), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_simulation_set_input(w.simulation, -1, 1.0), KANE_BAD_ARGUMENT);
    assert_int_equal(kane_simulation_set_input(w.simulation, 0, (double)NAN), KANE_BAD_ARGUMENT);
    check_near(kane_simulation_get_input(w.simulation, 0), 0.0, 0.0);
    kane_errors_free(&errors);
    assert_int_equal(kane_simulation_step(w.simulation, 0.0, &errors), KANE_BAD_ARGUMENT);
    errors_text(&errors, sizeof text, text);
    assert_string_equal(text, "a step of 0 s from 0 s leads nowhere; steps are positive");
}

static const char mechanism_file[] =
    "{ \"kane\": \"mechanism 1\", \"bodies\": {\n"
    "  \"mass\": { \"mass\": 2, \"inertia\": [1, 1, 1], \"at\": [1, 0, 0] } },\n"
    "\"elements\": {\n"
    "  \"rod\": { \"law\": \"spring\", \"between\": [\"ground\", \"mass\"], \"at\": [0, 0, 0], "
    "\"to\": [1, 0, 0], \"stiffness\": 10 },\n"
    "  \"ram\": { \"law\": \"actuator\", \"between\": [\"ground\", \"mass\"], \"at\": [0, 0, 0], "
    "\"to\": [1, 0, 0] } },\n"
    "\"inputs\": { \"a\": INPUT } }\n";
static const char run_file[] =
    "{ \"kane\": \"run 1\", \"mechanism\": \"m.json\", \"until\": { \"time\": 1 }, \"inputs\": { RUN } }\n";

CHECK_TEST(mistakes_in_files_are_told)
{
    static const struct {
        const char *input, *run, *error;
    } rows[] = {
        {"{ \"kind\": \"force\", \"on\": \"mass\" }", "", ""},
        {"{ \"kind\": \"force\", \"on\": \"mas\" }", "",
         "m.json:6:43: inputs.a.on: no body is called 'mas'; did you mean 'mass'? known: mass"},
        {"{ \"kind\": \"element\", \"on\": \"rum\" }", "",
         "m.json:6:45: inputs.a.on: no element is called 'rum'; did you mean 'ram'? known: rod, ram"},
        {"{ \"kind\": \"element\", \"on\": \"rod\" }", "",
         "m.json:6:45: inputs.a.on: 'rod' is a spring, which has no number that may be changed from outside"},
        {"{ \"kind\": \"element\", \"on\": \"ram\" }", "",
         "m.json:6:45: inputs.a.on: 'ram' has several numbers that may be changed: give \"parameter\": \"force\" or another"},
        {"{ \"kind\": \"element\", \"on\": \"ram\", \"parameter\": \"length\" }", "",
         "m.json:6:65: inputs.a.parameter: no input of this law is called 'length'; known: force, elongation"},
        {"{ \"kind\": \"element\", \"on\": \"ram\", \"parameter\": \"force\", \"at\": [0, 0, 0] }", "",
         "m.json:6:80: inputs.a.at: does not belong to a number of an element"},
        {"{ \"kind\": \"torque\", \"on\": \"mass\" }", "",
         "m.json:6:44: inputs.a.on: 'mass' does not spin: torques and brakes act on wheelsets, or need a \"direction\""},
        {"{ \"kind\": \"torque\", \"on\": \"mass\", \"direction\": [0, 0, 0] }", "",
         "m.json:6:65: inputs.a.direction: [0, 0, 0] is no direction"},
        {"{ \"kind\": \"torque\", \"on\": \"mass\", \"direction\": [0, 0, 1], \"reaction\": \"mass\" }", "",
         "m.json:6:88: inputs.a.reaction: 'mass' cannot take the reaction to its own torque; leave it out, or name another "
         "body"},
        {"{ \"kind\": \"force\", \"on\": \"mass\" }", "\"a\": { \"kind\": \"force\", \"on\": \"mass\" }",
         "r.json:1:84: inputs.a: there are two inputs called 'a'"},
        {"{ \"kind\": \"element\", \"on\": \"ram\", \"parameter\": \"force\" }",
         "\"b\": { \"kind\": \"element\", \"on\": \"ram\", \"parameter\": \"force\" }",
         "r.json:1:84: inputs.b: 'a' sets the same number of 'ram' already"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2000], all[2000];
        exchange(mechanism_file, "INPUT", rows[i].input, sizeof text, text);
        write_file("m.json", text);
        exchange(run_file, "RUN", rows[i].run, sizeof text, text);
        write_file("r.json", text);
        collect_errors(NULL, 1, sizeof all, all);
        if (strcmp(all, rows[i].error) != 0)
            print_error("%s | %s\n", rows[i].input, rows[i].run);
        assert_string_equal(all, rows[i].error);
    }
}

// A state of a model with other inputs is none of this model's.
CHECK_TEST(states_know_their_inputs)
{
    CHECK_ERRORS errors = {0};
    char text[1200];
    CHECK_FREED(wagon) with        = wagon_open("coach-skyhook", NULL);
    CHECK_OWNED(kane_state) *saved = kane_simulation_save(with.simulation, NULL, &errors);
    saved->discrete->input[1]      = 0.5;
    assert_int_equal(kane_state_write("with.state", with.model, saved, &errors), KANE_OK);
    kane_state *again = kane_state_read("with.state", with.model, &errors);
    check_no_errors(&errors);
    check_near(again->discrete->input[1], 0.5, 0.0);
    kane_state_free(again);
    with.definition.drive.input_count = 1;
    const kane_input_definition more  = {
         .block = {"gust", NULL}, .kind = KANE_INPUT_FORCE, .on = "car", .direction = {0.0, 1.0, 0.0}};
    with.definition.drive.inputs   = &more;
    CHECK_OWNED(kane_model) *other = CHECK_GOOD(kane_model_create, with.definition.vehicle, with.definition.track,
                                                &with.definition.drive, &with.definition.model);
    assert_null(kane_state_read("with.state", other, &errors));
    errors_text(&errors, sizeof text, text);
    assert_non_null(strstr(text, "is a state of another model: it has 4 inputs, the model has 5"));
}

// The first steps are 1e-12 s long: divided evenly into steps that long the way would end within roundings behind each.
CHECK_TEST(a_long_step_begins_with_short_ones)
{
    static const char *const tight[] = {"integrator.rtol=1e-10", NULL};
    kane_statistics statistics;
    CHECK_OWNED(kane_run) *run      = run_read("mechanism-pendulum", tight);
    CHECK_OWNED(kane_model) *model  = run_model(kane_run_get_definition(run));
    CHECK_OWNED(kane_simulation) *s = run_simulation(model, kane_run_get_definition(run));
    for (int k = 0; k < 4; k++)
        assert_int_equal(CHECK_GOOD(kane_simulation_step, s, 0.25), KANE_OK);
    kane_simulation_statistics(s, &statistics);
    assert_true(statistics.steps < 2000);
}

CHECK_MAIN(enter_folder, leave_folder)
