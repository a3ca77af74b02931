// SPDX-License-Identifier: MIT
// Galileo: on a deck that moves evenly all force laws, constraints and joints do what they do on a deck at rest, to
// round-off, whether bodies are described on the deck or in A. Tyres on turntables and belts, against closed forms.

#include "runs.h"
#include "folder.h"
#include "models.h"
#include "oracle/plain_tyre.h"

#include "agem/element.h"
#include "base/arena.h"
#include "model/model.h"
#include "simulate/simulation.h"

#define TYRE KANE_SOURCE_DIR "/data/tyres/sedan.tir"

enum { TEXT = 4000, STATES = 64 };

static const double drift[3] = {23.0, -7.0, 3.0}, moment = 0.7; // of the deck [m/s], [s]

// --- models ---

typedef struct scene {
    kane_run *run;
    kane_model *model;
    kane_work *work;
    double y[STATES], ydot[STATES];
    int count;
} scene;

static kane_model *compile(const kane_run *run, kane_formulation formulation, kane_constraint_form form)
{
    const kane_run_definition *d = kane_run_get_definition(run);
    kane_model_options options   = d->model;
    options.formulation          = formulation;
    options.form                 = form;
    return CHECK_GOOD(kane_model_create, d->vehicle, NULL, &d->drive, &options);
}

// A mechanism with a frame "deck" that has these even rates, at its start.
static void open_scene(scene *s, const char *mechanism, const double rates[3], kane_formulation formulation,
                       kane_constraint_form form)
{
    static char text[TEXT];
    kane_errors errors = {0};
    *s                 = (scene){0};
    (void)snprintf(
        text, sizeof text,
        "{\"kane\": \"mechanism 1\", \"name\": \"m\", \"gravity\": 9.81, \"frames\": {\"deck\": {\"motion\": "
        "{\"rates\": {\"x\": {\"polynomial\": [%g]}, \"y\": {\"polynomial\": [%g]}, \"z\": "
        "{\"polynomial\": [%g]}}}}}, %s}",
        rates[0], rates[1], rates[2], mechanism);
    write_file("m.json", text);
    write_file("r.json", "{\"kane\": \"run 1\", \"mechanism\": \"m.json\", \"until\": {\"time\": 1}, \"output\": "
                         "{\"interval\": 1}}");
    s->run   = run_read("r.json", NULL);
    s->model = compile(s->run, formulation, form);
    assert_non_null(s->model);
    s->work  = kane_work_create(s->model, &errors);
    s->count = kane_model_state_count(s->model);
    assert_true(s->count <= STATES);
    assert_int_equal(kane_initial_state(s->model, s->work, s->y, &errors), KANE_OK);
    check_no_errors(&errors);
}

static void evaluate(scene *s, double t)
{
    assert_int_equal(kane_eval(s->model, s->work, t, s->y, s->ydot), KANE_OK);
    kane_observe(s->model, s->work);
}

static void close_scene(scene *s)
{
    kane_work_free(s->work);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

// --- what must be the same ---

typedef struct answers {
    int count;
    double at[STATES], size; // size: of the largest
} answers;

static void put(answers *a, double x)
{
    assert_true(a->count < STATES);
    a->at[a->count++] = x;
    a->size           = fmax(a->size, fabs(x));
}

static void put3(answers *a, kane_vec3 v)
{
    for (int axis = 0; axis < 3; axis++)
        put(a, kv3_get(v, axis));
}

// Rates relative to the deck and accelerations of all bodies; wrenches of elements and rates of their states.
static answers observe(const scene *s)
{
    answers out = {0};
    for (int j = 0; j < s->model->body_count; j++) {
        double q[KANE_COORDINATES], rates[KANE_COORDINATES];
        kane_vec3 a, alpha;
        kane_get_relative(s->model, s->work, j, q, rates);
        for (int k = 0; k < KANE_COORDINATES; k++)
            put(&out, rates[k]);
        kane_get_absolute(s->model, s->work, j, NULL, NULL, &a, &alpha);
        put3(&out, a);
        put3(&out, alpha);
    }
    for (int e = 0; e < s->model->element_count; e++) {
        kane_wrench on_b;
        kane_relative relative;
        kane_get_element(s->model, s->work, e, &on_b, &relative);
        put3(&out, on_b.force);
        put3(&out, on_b.torque);
        for (int k = 0; k < s->model->elements[e].state_count; k++)
            put(&out, s->ydot[s->model->elements[e].state + k]);
    }
    return out;
}

// Round-off of places some 20 m from the origin of A, 4e-15 m where answers follow from displacements of 5 mm.
static void check_same(const char *what, const answers *rest, const answers *moving)
{
    assert_int_equal(rest->count, moving->count);
    assert_true(rest->size > 0.01);
    for (int i = 0; i < rest->count; i++)
        if (!(fabs(rest->at[i] - moving->at[i]) <= 1e-11 * rest->size))
            print_error("%s, answer %d\n", what, i);
    for (int i = 0; i < rest->count; i++)
        check_near(moving->at[i] / rest->size, rest->at[i] / rest->size, 1e-11);
}

// --- laws ---

static const struct {
    const char *name, *keys;
} laws[] = {
    {"spring", "\"stiffness\": 2e5, \"damping\": 300, \"to\": [0.1, 0.2, 0.4]"},
    {"damper", "\"damping\": 500, \"to\": [0.1, 0.2, 0.4]"},
    {"bushing",
     "\"stiffness\": [2e5, 3e5, 4e5], \"damping\": [200, 300, 400], \"rotational_stiffness\": [1e4, 2e4, 3e4], "
     "\"rotational_damping\": [100, 200, 300]"},
    {"bump stop", "\"direction\": \"z\", \"clearance\": 1e-4, \"stiffness\": 1e6, \"dissipation\": 0.3"},
    {"maxwell", "\"stiffness\": 1e6, \"damping\": 1e4, \"to\": [0.1, 0.2, 0.4]"},
    {"yaw damper",
     "\"stiffness\": 1e6, \"damping\": 1e4, \"blow_off\": 500, \"blow_off_damping\": 100, \"to\": [0.1, 0.2, "
     "0.4]"},
    {"traction rod", "\"stiffness\": 1e6, \"damping\": 1e3, \"to\": [0.5, 0.2, 0.1]"},
    {"anti-roll bar", "\"stiffness\": 1e5, \"damping\": 1e3"},
    {"air spring",
     "\"area\": 0.1, \"bag_volume\": 0.02, \"reservoir_volume\": 0.01, \"orifice\": 1e6, \"shear_stiffness\": "
     "1e5, \"shear_damping\": 1e3, \"tilting_stiffness\": 1e4, \"load\": [0, 0, 3000]"},
    {"actuator", "\"stiffness\": 1e5, \"damping\": 1e3, \"to\": [0.1, 0.2, 0.4]"},
    {"gear", "\"stiffness\": 1e8, \"damping\": 1e3, \"base_radii\": [0.12, 0.3], \"to\": [0.46, 0, 0]"},
    {"motor", "\"torque\": [300, 50], \"speed\": [-20, 20]"},
    {"friction",
     "\"directions\": \"xy\", \"coefficient\": 0.3, \"stiffness\": 1e6, \"dissipation\": 0.2, \"load\": [0, 0, "
     "3000]"},
    {"drawgear",
     "\"tension\": {\"stiffness\": 1e6, \"friction\": 0.2}, \"compression\": {\"stiffness\": 2e6, \"friction\": "
     "0.3}, \"damping\": 1e3, \"to\": [0.5, 0, 0]"},
    {"leaf spring",
     "\"stiffness\": 1e6, \"coefficient\": 0.1, \"longitudinal_stiffness\": 1e6, \"lateral_stiffness\": 1e6, "
     "\"lateral_damping\": 1e3, \"load\": [0, 0, 3000]"},
    {"link suspension",
     "\"stiffness\": 1e6, \"longitudinal_length\": 0.2, \"lateral_length\": 0.3, "
     "\"longitudinal_coefficient\": 0.1, \"lateral_coefficient\": 0.1, \"vertical_coefficient\": 0.1, "
     "\"load\": [0, 0, 3000]"},
    {"centre plate",
     "\"radius\": 0.2, \"coefficient\": 0.2, \"stiffness\": 1e7, \"dissipation\": 0.2, \"load\": [0, 0, 3000]"},
    {"side bearer", "\"bearing_load\": 2000, \"coefficient\": 0.2, \"stiffness\": 1e6, \"dissipation\": 0.2"},
    {"tyre", "\"file\": \"" TYRE "\", \"to\": [0, 0, 0.331], \"load\": [0, 0, 3900]"},
};

enum { LAWS = sizeof laws / sizeof *laws };

static void write_law(size_t size, char *text, int law, const char *on)
{
    (void)snprintf(
        text, size,
        "\"bodies\": {\"a\": {\"mass\": 30, \"inertia\": [2, 3, 4], \"at\": [0.1, 0.1, -0.2], \"frame\": \"deck\"}, "
        "\"b\": {\"mass\": 20, \"inertia\": [0.6, 1.2, 0.6], \"at\": [0, 0, 0.331], \"frame\": \"deck\"}}, "
        "\"elements\": {\"e\": {\"law\": \"%s\", \"between\": [\"%s\", \"b\"], \"at\": [0, 0, 0], \"preload\": "
        "\"given\", %s}}",
        laws[law].name, on, laws[law].keys);
}

// A motion of both bodies and states of elements that is the same on any deck; the wheel turns fast.
static void disturb(scene *s, double t, uint64_t seed)
{
    kane_frames_eval(s->model, s->work, t, s->y);
    for (int j = 0; j < 2; j++) {
        double q[KANE_COORDINATES], rates[KANE_COORDINATES];
        for (int k = 0; k < KANE_COORDINATES; k++) {
            q[k]     = (k < 3 ? kv3_get(s->model->bodies[j].origin, k) : 0.0) + 5e-3 * random_number(&seed);
            rates[k] = 0.3 * random_number(&seed) + (k == KANE_PITCH ? 12.0 * j : 0.0) + (k == KANE_X ? 4.0 * j : 0.0);
        }
        assert_int_equal(kane_put_relative(s->model, s->work, j, q, rates, s->y), KANE_OK);
    }
    const kane_element *element = &s->model->elements[0];
    for (int k = 0; k < element->state_count; k++)
        s->y[element->state + k] =
            1e-3 * (element->states[k].size > 0.0 ? element->states[k].size : 1.0) * random_number(&seed);
    evaluate(s, t);
}

CHECK_TEST(every_law_has_a_row)
{
    int count = 0;
    for (const kane_law *const *law = kane_laws(); *law; law++, count++)
        assert_string_equal((*law)->name, laws[count].name);
    assert_int_equal(count, LAWS);
}

CHECK_TEST(laws_do_not_feel_an_even_motion)
{
    static const char *const on[] = {"deck", "a"};
    static const double none[3]   = {0};
    for (int law = 0; law < LAWS; law++)
        for (int end = 0; end < 2; end++) {
            static char text[TEXT];
            write_law(sizeof text, text, law, on[end]);
            for (uint64_t seed = 1; seed <= 3; seed++) {
                static scene s;
                open_scene(&s, text, none, KANE_MOVING, KANE_FORM_MULTIPLIERS);
                disturb(&s, moment, 77 * seed);
                const answers rest = observe(&s);
                close_scene(&s);
                for (int fixed = 0; fixed < 2; fixed++) {
                    open_scene(&s, text, drift, fixed ? KANE_FIXED : KANE_MOVING, KANE_FORM_MULTIPLIERS);
                    disturb(&s, moment, 77 * seed);
                    const answers moving = observe(&s);
                    check_same(laws[law].name, &rest, &moving);
                    close_scene(&s);
                }
            }
        }
}

// A wheel on a road that is a body: d(accelerations and rates)/d(motion of both) against differences.
CHECK_TEST(jacobian_of_a_moving_road_is_right)
{
    static char text[TEXT];
    static scene s;
    kane_errors errors          = {0};
    const kane_settings tight   = kane_settings_default();
    const kane_conditions until = {.time = 100.0};
    write_law(sizeof text, text, LAWS - 1, "a");
    open_scene(&s, text, drift, KANE_MOVING, KANE_FORM_MULTIPLIERS);
    disturb(&s, moment, 5);
    kane_simulation *simulation = CHECK_GOOD(kane_simulation_create, s.model, &tight, &until);
    assert_int_equal(kane_simulation_start_from(simulation, moment, s.y, &errors), KANE_OK);
    (void)run_check_jacobian(simulation, s.model, "a moving road", 1e-6);
    kane_simulation_free(simulation);
    close_scene(&s);
}

// --- constraints and joints ---

// Between the deck or a body a and a body b, which has this joint to it or none.
typedef struct tied {
    const char *name, *keys; // NULL: the kind cannot be typed between two sides
} tied;

static const tied constraints[KANE_CONSTRAINT_KINDS] = {
    [KANE_CONSTRAINT_LINEAR]   = {"linear", "\"terms\": [{\"body\": \"a\", \"coordinate\": \"x\"}, {\"body\": \"b\", "
                                              "\"coordinate\": \"y\", \"factor\": 2}]"},
    [KANE_CONSTRAINT_FUNCTION] = {"function", "\"terms\": [{\"body\": \"a\", \"coordinate\": \"x\"}, {\"body\": \"b\", "
                                              "\"coordinate\": \"y\"}], \"function\": {\"polynomial\": [0, 1, 2]}"},
    [KANE_CONSTRAINT_RATES]    = {"rates", "\"terms\": [{\"body\": \"a\", \"coordinate\": \"x\"}, {\"body\": \"b\", "
                                              "\"coordinate\": \"y\", \"factor\": 2}]"},
    [KANE_CONSTRAINT_SPHERICAL]   = {"spherical", ""},
    [KANE_CONSTRAINT_REVOLUTE]    = {"revolute", ""},
    [KANE_CONSTRAINT_CYLINDRICAL] = {"cylindrical", ""},
    [KANE_CONSTRAINT_PRISMATIC]   = {"prismatic", ""},
    [KANE_CONSTRAINT_UNIVERSAL]   = {"universal", ""},
    [KANE_CONSTRAINT_PLANAR]      = {"planar", ""},
    [KANE_CONSTRAINT_WELD]        = {"weld", ""},
    [KANE_CONSTRAINT_DISTANCE]    = {"distance", ", \"to\": [0.1, 0.2, 0.5]"},
    [KANE_CONSTRAINT_ROD]         = {"rod", ", \"to\": [0.1, 0.2, 0.5], \"mass\": 2"},
    [KANE_CONSTRAINT_CURVE]   = {"curve", ", \"y\": {\"polynomial\": [0, 0.1, 1]}, \"z\": {\"polynomial\": [0, 0, 1]}"},
    [KANE_CONSTRAINT_KNIFE]   = {"knife", ""},
    [KANE_CONSTRAINT_ROLLING] = {"rolling", NULL}, // its markers are the floor and the hub
    [KANE_CONSTRAINT_USER]    = {"user", NULL},    // what a program says
};

static const char *const joints[] = {"revolute",  "prismatic", "cylindrical", "universal",
                                     "spherical", "planar",    "free"};

static const char *const loose = "\"start\": {\"roll\": 0.1, \"pitch\": -0.05, \"rates\": {\"x\": 0.7, \"y\": -0.2, "
                                 "\"yaw\": 0.5, \"roll\": 0.3, \"pitch\": 2}}";

static void write_constraint(size_t size, char *text, const tied *t, const char *on)
{
    const int relates = strncmp(t->keys, "\"terms\"", 7) == 0;
    char sides[100]   = "";
    if (!relates)
        (void)snprintf(sides, sizeof sides, "\"between\": [\"%s\", \"b\"], \"at\": [0, 0, 0]", on);
    (void)snprintf(
        text, size,
        "\"bodies\": {\"a\": {\"mass\": 30, \"inertia\": [2, 3, 4], \"at\": [0.1, 0.1, -0.2], \"frame\": \"deck\"}, "
        "\"b\": {\"mass\": 20, \"inertia\": [0.6, 1.2, 0.7], \"at\": [0, 0, 0.4], \"frame\": \"deck\", %s}}, "
        "\"constraints\": {\"c\": {\"type\": \"%s\", %s%s}}",
        loose, t->name, sides, t->keys);
}

static void write_rolling(size_t size, char *text, const char *on)
{
    (void)snprintf(
        text, size,
        "\"bodies\": {\"a\": {\"mass\": 30, \"inertia\": [2, 3, 4], \"at\": [0.1, 0.1, -0.2], \"frame\": \"deck\"}, "
        "\"b\": {\"mass\": 20, \"inertia\": [0.6, 1.2, 0.6], \"at\": [0, 0, 0.4], \"frame\": \"deck\", %s}}, "
        "\"markers\": {\"floor\": {\"on\": \"%s\", \"at\": [0, 0, 0]}, \"hub\": {\"on\": \"b\", \"at\": [0, 0, "
        "0.4], \"axis\": [0, 1, 0]}}, \"constraints\": {\"c\": {\"type\": \"rolling\", \"markers\": [\"floor\", "
        "\"hub\"], \"radius\": 0.4}}",
        loose, on);
}

static void write_joint(size_t size, char *text, const char *joint)
{
    static const char *const starts[] = {"\"angle\": 0.3, \"rates\": {\"angle\": 2}",
                                         "\"travel\": 0.3, \"rates\": {\"travel\": 2}",
                                         "\"angle\": 0.3, \"rates\": {\"angle\": 2, \"travel\": 1}",
                                         "\"roll\": 0.3, \"rates\": {\"roll\": 2, \"pitch\": -1}",
                                         "\"orientation\": [0.1, 0.2, 0.3], \"rates\": {\"omega\": [1, 2, 3]}",
                                         "\"angle\": 0.3, \"rates\": {\"angle\": 2, \"x\": 1}",
                                         "\"yaw\": 0.3, \"rates\": {\"yaw\": 2, \"x\": 1, \"roll\": 1}"};
    int which                         = 0;
    while (strcmp(joints[which], joint) != 0)
        which++;
    (void)snprintf(
        text, size,
        "\"bodies\": {\"a\": {\"mass\": 30, \"inertia\": [2, 3, 4], \"at\": [0.1, 0.1, -0.2], \"joint\": {\"type\": "
        "\"revolute\", \"parent\": \"deck\", \"at\": [0, 0, 0], \"axis\": [1, 0.3, 0.2]}, \"start\": {\"rates\": "
        "{\"angle\": -2}}}, \"b\": {\"mass\": 20, \"inertia\": [0.6, 1.2, 0.7], \"at\": [0.1, 0.2, 0.4], \"joint\": "
        "{\"type\": \"%s\", \"parent\": \"a\", \"at\": [0, 0, 0.1], \"axis\": [0.3, 0.2, 1]}, \"start\": {%s}}}",
        joint, starts[which]);
}

// At its start in moving and in fixed axes; in moving ones later, too, with the same state.
static void check_tied(const char *name, const char *text)
{
    static const double none[3] = {0};
    for (int form = 0; form < 2; form++) {
        static scene s;
        double y[STATES];
        open_scene(&s, text, none, KANE_MOVING, (kane_constraint_form)form);
        evaluate(&s, 0.0);
        memcpy(y, s.y, sizeof y);
        const answers rest = observe(&s);
        close_scene(&s);
        for (int fixed = 0; fixed < 2; fixed++) {
            open_scene(&s, text, drift, fixed ? KANE_FIXED : KANE_MOVING, (kane_constraint_form)form);
            evaluate(&s, 0.0);
            const answers begin = observe(&s);
            check_same(name, &rest, &begin);
            if (!fixed) {
                memcpy(s.y, y, sizeof y);
                evaluate(&s, moment);
                const answers later = observe(&s);
                check_same(name, &rest, &later);
            }
            close_scene(&s);
        }
    }
}

CHECK_TEST(constraints_and_joints_do_not_feel_an_even_motion)
{
    static const char *const on[] = {"deck", "a"};
    static char text[TEXT];
    for (int kind = 0; kind < KANE_CONSTRAINT_KINDS; kind++) {
        assert_string_equal(constraints[kind].name, kane_constraint_kind_name((kane_constraint_kind)kind));
        for (int end = 0; end < 2 && constraints[kind].keys; end++) {
            write_constraint(sizeof text, text, &constraints[kind], on[end]);
            check_tied(constraints[kind].name, text);
        }
    }
    for (int end = 0; end < 2; end++) {
        write_rolling(sizeof text, text, on[end]);
        check_tied("rolling", text);
    }
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
        write_joint(sizeof text, text, joints[i]);
        check_tied(joints[i], text);
    }
}

// --- roads that move ---

// A wheel of 20 kg under a carrier of 380 kg that can move up and down, its axle turned by `steer`, at x = `out` over a
// plate that moves by a joint of this kind with an even rate.
static void write_bench(size_t size, char *text, const char *plate, double out, double steer)
{
    const double c = cos(steer), s = sin(steer), J = 0.6;
    (void)snprintf(
        text, size,
        "{\"kane\": \"mechanism 1\", \"name\": \"m\", \"gravity\": 9.81, \"frames\": {\"plate\": {%s}}, \"bodies\": "
        "{\"carrier\": {\"mass\": 380, \"inertia\": [10, 10, 10], \"at\": [%.17g, 0, 0.331], \"dof\": [\"z\"]}, "
        "\"wheel\": {\"mass\": 20, \"inertia\": [%.17g, %.17g, 0.6, %.17g, 0, 0], \"at\": [%.17g, 0, 0.331], "
        "\"joint\": {\"type\": \"revolute\", \"parent\": \"carrier\", \"at\": [%.17g, 0, 0.331], \"axis\": [%.17g, "
        "%.17g, 0]}}}, \"elements\": {\"tyre\": {\"law\": \"tyre\", \"between\": [\"plate\", \"wheel\"], \"at\": "
        "[0, 0, 0], \"to\": [%.17g, 0, 0.331], \"file\": \"" TYRE "\", \"axle\": [%.17g, %.17g, 0], \"preload\": "
        "\"solved\"}}}",
        plate, out, J * c * c + 2.0 * J * s * s, J * s * s + 2.0 * J * c * c, J * c * s, out, out, -s, c, out, -s, c);
}

// What a bench has come to after some time: spin and channels of the tyre.
typedef struct settled {
    double spin, N, quantity[KANE_LAW_QUANTITIES];
    kane_vec3 force;
} settled;

static settled settle_bench(const char *text, double until)
{
    kane_errors errors = {0};
    settled out;
    write_file("bench.json", text);
    write_file("bench-run.json",
               "{\"kane\": \"run 1\", \"mechanism\": \"bench.json\", \"until\": {\"time\": 100}, \"output\": "
               "{\"interval\": 1}}");
    CHECK_OWNED(kane_run) *run               = run_read("bench-run.json", NULL);
    CHECK_OWNED(kane_model) *model           = CHECK_GOOD(kane_run_create_model, run);
    CHECK_OWNED(kane_simulation) *simulation = CHECK_GOOD(kane_run_create_simulation, run, model);
    assert_int_equal(kane_simulation_advance(simulation, until, &errors), KANE_OK);
    const kane_work *work       = kane_simulation_work(simulation);
    const kane_element *element = &model->elements[0];
    kane_wrench on_b;
    kane_relative relative;
    kane_element_motion motion;
    double rate[KANE_JOINT_COORDINATES];
    kane_get_element(model, work, 0, &on_b, &relative);
    kane_element_observe(model, work, element, &motion);
    element->law->observe(element->data, &motion.relative, out.quantity);
    (void)kane_get_joint(model, work, 1, NULL, rate, NULL);
    out.spin  = rate[0];
    out.force = on_b.force;
    out.N     = on_b.force.z;
    return out;
}

enum { SLIP, SLIP_ANGLE, CAMBER, LOAD, F_X, F_Y, M_X, M_Y, M_Z };

static double free_radius(void)
{
    const kane_tyre in             = {.file = TYRE, .axle = {0, 1, 0}};
    CHECK_OWNED(kane_arena) *arena = kane_arena_create();
    kane_errors errors             = {0};
    kane_vec3 axle;
    void *law = CHECK_GOOD(kane_law_tyre.prepare, &in, arena);
    assert_int_equal(kane_law_tyre.settle(law, kv3(0, 0, 0.331), kv3(0, 0, 400.0 * 9.81), &errors), 0);
    const double R_e = kane_law_tyre.rolls(law, &axle);
    return R_e;
}

// A belt that runs backward at 8 m/s turns the wheel, whose spin is V (1 + kappa)/R_e; about the axle the force
// balances the rolling resistance, F_x r = M_y.
CHECK_TEST(a_belt_turns_the_wheel)
{
    static char text[TEXT];
    write_bench(sizeof text, text, "\"motion\": {\"rates\": {\"x\": {\"polynomial\": [-8]}}}", 0.0, 0.0);
    const settled s = settle_bench(text, 20.0);
    check_near(s.spin, 8.0 * (1.0 + s.quantity[SLIP]) / free_radius(), 1e-6);
    check_near(s.quantity[LOAD], 400.0 * 9.81, 1e-4);
    check_near(s.quantity[F_X] * 0.331, s.quantity[M_Y], 1e-4);
}

// On a turntable, W about the vertical, the road under a wheel 3 m out moves with V = 3 W along y. With its axle along
// the arm the wheel spins with V (1 - kappa)/R_e and has no slip angle; turned by delta it has the slip angle delta and
// the force of the formula.
CHECK_TEST(a_turntable_turns_the_wheel)
{
    static char text[TEXT];
    const double W = 4.0, out = 3.0, V = W * out, turned = 1.57079632679489661923;
    for (int i = 0; i < 2; i++) {
        const double delta = 0.04 * i;
        write_bench(
            sizeof text, text,
            "\"type\": \"revolute\", \"axis\": [0, 0, 1], \"motion\": {\"rates\": {\"angle\": {\"polynomial\": [4]}}}",
            out, turned + delta);
        const settled s = settle_bench(text, 30.0);
        // l = e x n = (c, s) with the axle (-s, c); the road moves along +y, so that the wheel goes backward over it
        const double V_x = -V * sin(turned + delta), V_y = -V * cos(turned + delta);
        check_near(tan(s.quantity[SLIP_ANGLE]), V_y / fabs(V_x), 1e-6);
        check_near(s.spin, V_x / free_radius() * (1.0 - s.quantity[SLIP]), 1e-5);
        const double rolls   = V_x * V_x / (V_x * V_x + 1.0);
        const double F_y     = plain_tyre(s.quantity[SLIP], s.quantity[SLIP_ANGLE], 0.0, s.quantity[LOAD], 1).Fy;
        const double shifted = plain_tyre(s.quantity[SLIP], 0.0, 0.0, s.quantity[LOAD], 1).Fy;
        // the oracle's shifts are whole, those of the law `rolls` times as large; S_H and S_V cancel in part without
        // slip
        check_near(s.quantity[F_Y], F_y, 2.0 * (1.0 - rolls) * fabs(shifted));
        assert_true(i == 0 || fabs(F_y) > 1000.0);
    }
}

// Held by the turntable itself the same wheel rests, whatever the table does.
CHECK_TEST(a_wheel_rests_on_a_turntable)
{
    static char text[TEXT];
    (void)snprintf(
        text, sizeof text,
        "{\"kane\": \"mechanism 1\", \"name\": \"m\", \"gravity\": 9.81, \"frames\": {\"plate\": {\"type\": "
        "\"revolute\", \"axis\": [0, 0, 1], \"motion\": {\"rates\": {\"angle\": {\"polynomial\": [4]}}}}}, "
        "\"bodies\": {\"carrier\": {\"mass\": 380, \"inertia\": [10, 10, 10], \"at\": [3, 0, 0.331], \"frame\": "
        "\"plate\", \"dof\": [\"z\"]}, \"wheel\": {\"mass\": 20, \"inertia\": [0.6, 1.2, 0.6], \"at\": [3, 0, "
        "0.331], \"joint\": {\"type\": \"revolute\", \"parent\": \"carrier\", \"at\": [3, 0, 0.331], \"axis\": [0, "
        "1, 0]}}}, \"elements\": {\"tyre\": {\"law\": \"tyre\", \"between\": [\"plate\", \"wheel\"], \"at\": [0, 0, "
        "0], \"to\": [3, 0, 0.331], \"file\": \"" TYRE "\", \"preload\": \"solved\"}}}");
    const settled s = settle_bench(text, 2.0);
    check_near(s.spin, 0.0, 1e-9);
    check_near(s.quantity[SLIP], 0.0, 1e-9);
    check_near(s.quantity[SLIP_ANGLE], 0.0, 1e-9);
    check_near(s.quantity[F_X], 0.0, 1e-6);
    check_near(s.quantity[F_Y], 0.0, 1e-6);
    check_near(s.quantity[LOAD], 400.0 * 9.81, 1e-6);
}

CHECK_MAIN(enter_folder, leave_folder)
