// SPDX-License-Identifier: MIT
// User-defined joints against equations that share nothing with them: a nut on a spindle (the example), a bead that
// turns as it slides along a bow; a formula with all six freedoms against the built-in joint; the same from a file, and
// what is wrong is told.

#include "folder.h"
#include "mechanisms.h"
#include "property/mechanism/own_joints.h"

int example(void);
#define main example
#include "apps/examples/own_joint.c"
#undef main

#include <unistd.h>

CHECK_TEST(the_example_obeys_its_equation)
{
    assert_int_equal(example(), 0);
}

// --- a bead on a bow ---
//
// x = q, z = c q^2, turned about y by b q:  (m (1 + 4 c^2 q^2) + J b^2) q'' = -m (4 c^2 q q'^2 + 2 g c q)

static const double bow = 0.7, turning = 1.3, bead_mass = 1.5, bead_J = 0.2;

static void bow_pose(const void *data, const kane_number *q, kane_joint_pose *pose)
{
    (void)data;
    pose->position = kn3(q[0], kn_constant(0.0), kn_scale(bow, kn_square(q[0])));
    kane_joint_turn(pose, 1, kn_scale(turning, q[0]));
}

static const kane_joint_formula on_bow = {
    .name = "bow", .coordinate_count = 1, .coordinate = {"travel"}, .pose = bow_pose};

static double bow_acceleration(double q, double v)
{
    const double m = bead_mass, c = bow;
    return -m * (4.0 * c * c * q * v * v + 2.0 * 9.81 * c * q) /
           (m * (1.0 + 4.0 * c * c * q * q) + bead_J * turning * turning);
}

static double bow_energy(double q, double v)
{
    const double m = bead_mass, c = bow;
    return 0.5 * (m * (1.0 + 4.0 * c * c * q * q) + bead_J * turning * turning) * v * v + m * 9.81 * c * q * q;
}

CHECK_TEST(a_bead_on_a_bow_obeys_its_equation)
{
    static const double starts[][2] = {{0.0, 2.0}, {0.6, 0.0}, {-0.9, 3.0}, {1.4, -5.0}};
    const kane_settings settings    = mechanism_settings(1e-12);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        CHECK_END(mechanism_close_all) mechanism m = {0};
        double q[KANE_JOINT_COORDINATES], v[KANE_JOINT_COORDINATES], a[KANE_JOINT_COORDINATES];
        mechanism_begin(&m, 9.81);
        (void)mechanism_add(&m, "bead", bead_mass, kv3(bead_J, bead_J, bead_J), kv3_zero());
        mechanism_hang(&m, 0, KANE_JOINT_USER, NULL, kv3_zero(), km3_identity())->own = &on_bow;
        m.starts[0] =
            (kane_start_definition){.q = {starts[i][0]}, .rate = {starts[i][1]}, .held_q = 1u, .held_rate = 1u};
        mechanism_open(&m, KANE_FORM_COEFFICIENTS);
        (void)kane_get_joint(m.model, m.work, 0, q, v, a);
        check_near(a[0], bow_acceleration(starts[i][0], starts[i][1]), 1e-12 * (1.0 + fabs(a[0])));
        mechanism_run(&m, &settings);
        for (int k = 1; k <= 5; k++) {
            (void)kane_get_joint(m.model, mechanism_go(&m, 0.4 * k), 0, q, v, a);
            check_near(a[0], bow_acceleration(q[0], v[0]), 1e-11 * (1.0 + fabs(a[0])));
            check_near(bow_energy(q[0], v[0]), bow_energy(starts[i][0], starts[i][1]), 1e-9 * bow_energy(2.0, 3.0));
            mechanism_check_jacobian(&m, 1e-7);
        }
    }
}

// --- against a built-in joint ---

// A post that turns about z carries an arm by six freedoms, and on that hangs a bob. by_formula: the arm's joint is
// one.
static void open_arm(mechanism *m, int by_formula)
{
    static const double q[] = {0.3, -0.2, 0.1, 0.5, -0.4, 0.7}, v[] = {1.0, 0.5, -0.7, 2.0, -1.5, 0.8};
    const kane_vec3 at = kv3(0.4, 0.1, 0.3);
    mechanism_begin(m, 9.81);
    (void)mechanism_add(m, "post", 3.0, kv3(0.1, 0.2, 0.3), kv3(0.1, 0.0, 0.0));
    (void)mechanism_hang(m, 0, KANE_JOINT_REVOLUTE, NULL, kv3_zero(), axes_about(2));
    (void)mechanism_add(m, "arm", 1.0, kv3(0.02, 0.05, 0.04), kv3(0.5, 0.2, 0.1));
    kane_joint_definition *joint =
        mechanism_hang(m, 1, by_formula ? KANE_JOINT_USER : KANE_JOINT_FREE, "post", at, km3_identity());
    joint->own = by_formula ? &own_free : NULL;
    joint->dof = by_formula ? 0u : KANE_ALL_DOF;
    (void)mechanism_add(m, "bob", 0.5, kv3(0.01, 0.02, 0.01), kv3(0.7, 0.1, -0.2));
    (void)mechanism_hang(m, 2, KANE_JOINT_UNIVERSAL, "arm", kv3(0.6, 0.1, 0.0), km3_identity());
    memcpy(m->starts[1].q, q, sizeof q);
    memcpy(m->starts[1].rate, v, sizeof v);
    m->starts[0].rate[0] = 1.7;
    m->starts[2].rate[1] = -0.9;
    mechanism_open(m, KANE_FORM_COEFFICIENTS);
}

CHECK_TEST(six_freedoms_by_formula_are_a_free_joint)
{
    CHECK_END(mechanism_close_all) mechanism ours = {0}, built_in = {0};
    open_arm(&ours, 1);
    open_arm(&built_in, 0);
    for (int j = 0; j < 3; j++) {
        double a[3][KANE_JOINT_COORDINATES], b[3][KANE_JOINT_COORDINATES];
        const int count = kane_joint_coordinate_count(ours.bodies[j].joint);
        (void)kane_get_joint(ours.model, ours.work, j, a[0], a[1], a[2]);
        (void)kane_get_joint(built_in.model, built_in.work, j, b[0], b[1], b[2]);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < count; k++)
                check_near(a[i][k], b[i][k], 1e-12 * (1.0 + fabs(b[i][k])));
    }
}

// --- from a file, and what is wrong ---

static const char file[] =
    "{ \"kane\": \"mechanism 1\",\n"
    "  \"bodies\": {\n"
    "    \"nut\": { \"mass\": 2, \"inertia\": [0.03, 0.03, 0.03], \"at\": [0, 0, 0],\n"
    "      \"joint\": { \"type\": \"user\", \"at\": [0, 0, 0], \"formula\": { \"kind\": \"screw\", \"lead\": \"5 cm\" } },\n"
    "      \"start\": { \"angle\": 0.5, \"rates\": { \"angle\": -3 } } } } }\n";

// `file` with one part of it exchanged, read and compiled; the first message goes to `message`.
static kane_model *read_file(const char *find, const char *replace, const kane_joint_formula *joint, size_t size,
                             char *message)
{
    const kane_joint_formula *const known[] = {joint, NULL};
    const kane_vehicle_options how          = {.kind = KANE_MECHANISM, .joints = known};
    CHECK_ERRORS errors                     = {0};
    const char *at                          = strstr(file, find);
    FILE *out                               = fopen("nut.json", "w");
    assert_non_null(at);
    assert_non_null(out);
    (void)fprintf(out, "%.*s%s%s", (int)(at - file), file, replace, at + strlen(find));
    assert_int_equal(fclose(out), 0);
    kane_vehicle *read          = kane_vehicle_read("nut.json", &how, &errors);
    kane_model_options options  = kane_model_options_default();
    kane_drive_definition drive = kane_drive_definition_default();
    kane_model *model =
        read ? kane_model_create(kane_vehicle_get_definition(read), NULL, &drive, &options, &errors) : NULL;
    kane_vehicle_free(read); // parameters live on in the model
    message[0] = '\0';
    if (errors.count > 0)
        (void)kane_error_format(kane_errors_get(&errors, 0), size, message);
    return model;
}

CHECK_TEST(a_file_says_the_same)
{
    char message[400];
    double q[KANE_JOINT_COORDINATES], v[KANE_JOINT_COORDINATES], a[KANE_JOINT_COORDINATES];
    CHECK_END(mechanism_close_all)
    mechanism m         = {.model = read_file("screw", "screw", &screw_joint, sizeof message, message)};
    CHECK_ERRORS errors = {0};
    assert_string_equal(message, "");
    m.work = kane_work_create(m.model, &errors);
    m.y    = calloc((size_t)kane_model_state_count(m.model), sizeof *m.y);
    m.ydot = calloc((size_t)kane_model_state_count(m.model), sizeof *m.ydot);
    (void)kane_initial_state(m.model, m.work, m.y, &errors);
    check_no_errors(&errors);
    mechanism_eval(&m, 0.0);
    (void)kane_get_joint(m.model, m.work, 0, q, v, a);
    check_near(q[0], 0.5, 1e-15);
    check_near(v[0], -3.0, 1e-15);
    check_near(a[0], -2.0 * 9.81 * 0.05 / (2.0 * 0.05 * 0.05 + 0.03), 1e-12);
}

// Formulas that are wrong in some way of their own.
static void no_number(const void *data, const kane_number *q, kane_joint_pose *pose)
{
    (void)data;
    pose->position.x = kn_log(kn_sub(q[0], kn_constant(9.0)));
}

static void stretched(const void *data, const kane_number *q, kane_joint_pose *pose)
{
    (void)data;
    pose->axis[0] = kn3_scale(kn_shift(q[0], 1.0), pose->axis[0]);
}

CHECK_TEST(what_is_wrong_is_told)
{
    static const kane_joint_formula undefined = {.name             = "screw",
                                                 .schema           = &schema,
                                                 .coordinate_count = 1,
                                                 .coordinate       = {"angle"},
                                                 .pose             = no_number},
                                    no_axes   = {.name             = "screw",
                                                 .schema           = &schema,
                                                 .coordinate_count = 1,
                                                 .coordinate       = {"angle"},
                                                 .pose             = stretched},
                                    no_pose   = {.name             = "screw",
                                                 .schema           = &schema,
                                                 .coordinate_count = 1,
                                                 .coordinate       = {"angle"}},
                                    none      = {.name = "screw", .schema = &schema, .pose = screw_pose},
                                    odd       = {.name             = "screw",
                                                 .schema           = &schema,
                                                 .coordinate_count = 2,
                                                 .coordinate       = {"angle", "twist"},
                                                 .pose             = screw_pose},
                                    order     = {.name             = "screw",
                                                 .schema           = &schema,
                                                 .coordinate_count = 2,
                                                 .coordinate       = {"angle", "x"},
                                                 .pose             = screw_pose},
                                    twice     = {.name             = "screw",
                                                 .schema           = &schema,
                                                 .coordinate_count = 2,
                                                 .coordinate       = {"angle", "angle"},
                                                 .pose             = screw_pose};
    static const struct {
        const char *find, *replace;
        const kane_joint_formula *joint;
        const char *message;
    } rows[] = {
        {"\"kind\": \"screw\"", "\"kind\": \"scrow\"", &screw_joint, "'scrow' is not known; did you mean 'screw'?"},
        {", \"formula\": { \"kind\": \"screw\", \"lead\": \"5 cm\" }", "", &screw_joint,
         "nut.json:4:16: bodies.nut.joint: 'formula' is missing: the joint's kind"},
        {"\"type\": \"user\"", "\"type\": \"revolute\"", &screw_joint, "only a joint of type \"user\" has a formula"},
        {"\"lead\": \"5 cm\"", "\"lead\": \"5 kg\"", &screw_joint, "nut.json:4:"},
        {"\"start\": { \"angle\"", "\"start\": { \"x\"", &screw_joint,
         "nut.json:5:23: bodies.nut.start.x: no coordinate of this joint is called 'x'; known: angle"},
        {"screw", "screw", &undefined, "gives no finite pose where it begins"},
        {"screw", "screw", &no_axes, "are not unit vectors square to each other: off by 1.2"},
        {"screw", "screw", &no_pose, "there is no formula of its pose"},
        {",\n      \"start\": { \"angle\": 0.5, \"rates\": { \"angle\": -3 } }", "", &none,
         "a joint has one to six coordinates"},
        {"screw", "screw", &odd, "its coordinates are named x, y, z, travel, yaw, roll, pitch or angle"},
        {"screw", "screw", &order, "lengths (x, y, z, travel) stand before angles"},
        {"screw", "screw", &twice, "two of its coordinates have the same name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char message[400];
        kane_model *model = read_file(rows[i].find, rows[i].replace, rows[i].joint, sizeof message, message);
        assert_null(model);
        if (!strstr(message, rows[i].message))
            fail_msg("expected '%s', found '%s'", rows[i].message, message);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
