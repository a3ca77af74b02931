// SPDX-License-Identifier: MIT
// Mechanism files: what is typed arrives in the definition: axes, markers, functions with their units, starts; and what
// a run of a mechanism is without being told.

#include "runs.h"
#include "unit/run/typed.h"

#include "models.h"

#include "base/json.h"
#include "vehicles/mechanism_file.h"

#include <unistd.h>

static const char mechanism[] =
    "{ \"kane\": \"mechanism 1\", \"gravity\": 9.8,\n"
    "  \"bodies\": {\n"
    "    \"arm\": { \"mass\": 2, \"inertia\": [1, 2, 3, 0.1, 0.2, 0.3], \"at\": [1, 2, 3],\n"
    "      \"joint\": { \"type\": \"revolute\", \"parent\": \"ground\", \"at\": [1, 0, 0], \"axis\": [0, 3, 4], \"x_axis\": [1, 1, 1],\n"
    "        \"motion\": { \"angle\": { \"polynomial\": [\"90 deg\", \"1 rev/s\", 3] } } } },\n"
    "    \"slide\": { \"mass\": 0, \"inertia\": [0, 0, 0], \"at\": [0, 0, 0],\n"
    "      \"joint\": { \"type\": \"cylindrical\", \"to\": \"end\",\n"
    "        \"motion\": { \"angle\": { \"sine\": { \"mean\": 1, \"amplitude\": \"30 deg\", \"angular_frequency\": 4,\n"
    "                                        \"phase\": \"45 deg\" } } } },\n"
    "      \"start\": { \"travel\": \"20 mm\", \"rates\": { \"travel\": \"7.2 km/h\" }, \"fixed_rates\": [\"travel\"] } },\n"
    "    \"ball\": { \"mass\": 1, \"inertia\": [1, 1, 1], \"at\": [0, 0, 0],\n"
    "      \"joint\": { \"type\": \"spherical\", \"from\": \"pin\" },\n"
    "      \"start\": { \"orientation\": [\"90 deg\", 0, 0], \"rates\": { \"omega\": [1, 2, 3] }, \"fixed\": [\"orientation\"] } },\n"
    "    \"frame\": { \"mass\": 1, \"inertia\": [1, 1, 1], \"at\": [0, 0, 0],\n"
    "      \"joint\": { \"type\": \"free\", \"at\": [0, 0, 0], \"orientation\": [\"90 deg\", 0, 0], \"dof\": [\"z\", \"yaw\", \"pitch\"],\n"
    "        \"rotation_order\": \"yxz\", \"motion\": { \"z\": { \"table\": { \"x\": [0, 1, 2], \"y\": [0, \"5 cm\", 0.1] } } } },\n"
    "      \"start\": { \"pitch\": 0.3, \"yaw\": 0.2, \"fixed\": [\"yaw\"] } },\n"
    "    \"lone\": { \"mass\": 1, \"inertia\": [1, 1, 1], \"at\": [0, 0, 9], \"start\": { \"roll\": 0.1, \"rates\": { \"x\": 5 } } } },\n"
    "  \"markers\": {\n"
    "    \"pin\": { \"on\": \"arm\", \"at\": [1, 2, 3], \"axis\": [0, 0, -2] },\n"
    "    \"end\": { \"on\": \"slide\", \"relative_to\": \"pin\", \"at\": [0, \"1 mm\", 0], \"axis\": [-1, 0, 0] } },\n"
    "  \"elements\": {\n"
    "    \"a\": { \"law\": \"spring\", \"markers\": [\"pin\", \"end\"], \"stiffness\": 10, \"free_length\": 1 },\n"
    "    \"b\": { \"law\": \"spring\", \"between\": [\"ball\", \"ground\"], \"at\": [0, 0, 0], \"stiffness\": 10, \"preload\": \"solved\" } },\n"
    "  \"constraints\": {\n"
    "    \"rod\": { \"type\": \"distance\", \"between\": [\"ball\", \"ground\"], \"at\": [1, 0, 0], \"to\": [2, 0, 0], \"length\": \"3 m\" },\n"
    "    \"rail\": { \"type\": \"curve\", \"markers\": [\"pin\", \"end\"], \"z\": { \"polynomial\": [0, 0.5] } },\n"
    "    \"gear\": { \"type\": \"linear\", \"terms\": [{ \"body\": \"arm\" },\n"
    "      { \"body\": \"slide\", \"coordinate\": \"travel\", \"factor\": -2 }], \"offset\": 0.5, \"closed_form\": \"transmission\" },\n"
    "    \"cam\": { \"type\": \"function\", \"terms\": [{ \"body\": \"slide\", \"coordinate\": \"travel\" }, { \"body\": \"arm\" }],\n"
    "      \"function\": { \"polynomial\": [0, \"5 mm/deg\"] }},\n"
    "    \"rope\": { \"type\": \"distance\", \"between\": [\"ball\", \"ground\"], \"at\": [1, 0, 0], \"motion\": {\n"
    "      \"length\": { \"table\": { \"x\": [0, \"500 ms\"], \"y\": [1, \"120 cm\"] } },\n"
    "      \"yaw\": { \"polynomial\": [\"90 deg\", \"1 rev/s\"] } } },\n"
    "    \"drive\": { \"type\": \"rates\", \"terms\": [{ \"body\": \"arm\" },\n"
    "      { \"body\": \"slide\", \"coordinate\": \"travel\", \"varying_factor\": { \"polynomial\": [2, 0.5] } }],\n"
    "      \"motion\": { \"offset\": { \"sine\": { \"amplitude\": 3, \"angular_frequency\": 4 } } } } },\n"
    "  \"variants\": { \"moon\": [\"gravity = 1.6\"] } }\n";

static kane_vehicle *read_mechanism(const char *variant)
{
    const kane_vehicle_options how = {.kind = KANE_MECHANISM, .variant = variant, .variant_place = {"", 0, 0, ""}};
    return CHECK_GOOD(kane_vehicle_read, "m.json", &how);
}

static void check_vec(kane_vec3 a, double x, double y, double z)
{
    check_near(a.x, x, 1e-15);
    check_near(a.y, y, 1e-15);
    check_near(a.z, z, 1e-15);
}

CHECK_TEST(joints_arrive)
{
    CHECK_OWNED(kane_vehicle) *vehicle = read_mechanism(NULL);
    const kane_vehicle_definition *d   = kane_vehicle_get_definition(vehicle);
    assert_null(d->guide);
    assert_int_equal(d->body_count, 5);
    check_near(d->gravity, 9.8, 0.0);

    // z along (0, .6, .8); x along what of (1, 1, 1) is square to it: (1, .16, -.12)/|...|; y = z x x
    const kane_joint_definition *arm = d->bodies[0].joint;
    const double size                = sqrt(1.0 + 0.16 * 0.16 + 0.12 * 0.12);
    assert_int_equal(arm->kind, KANE_JOINT_REVOLUTE);
    assert_null(arm->parent);
    check_vec(arm->from.at, 1.0, 0.0, 0.0);
    check_vec(arm->to.axes.z, 0.0, 0.6, 0.8);
    check_vec(arm->to.axes.x, 1.0 / size, 0.16 / size, -0.12 / size);
    check_vec(arm->from.axes.y, -0.2 / size, 0.8 / size, -0.6 / size);
    check_vec(kv3_sub(arm->to.axes.y, kv3_cross(arm->to.axes.z, arm->to.axes.x)), 0.0, 0.0, 0.0);

    // one marker on the body: the other side is its image on the ground
    const kane_joint_definition *slide = d->bodies[1].joint;
    assert_string_equal(slide->to.marker, "end");
    assert_string_equal(slide->from.marker, "end (on ground)");
    assert_int_equal(d->marker_count, 4);
    assert_string_equal(d->markers[2].block.name, "end (on ground)");
    assert_null(d->markers[2].on);
    assert_string_equal(d->markers[2].relative, "end");

    // one marker on the parent says who that is
    const kane_joint_definition *ball = d->bodies[2].joint;
    assert_string_equal(ball->parent, "arm");
    assert_string_equal(ball->from.marker, "pin");
    assert_string_equal(ball->to.marker, "pin (on ball)");
    assert_string_equal(d->markers[3].on, "ball");

    const kane_joint_definition *frame = d->bodies[3].joint;
    assert_int_equal(frame->dof, KANE_DOF(KANE_Z) | KANE_DOF(KANE_YAW) | KANE_DOF(KANE_PITCH));
    assert_string_equal(frame->rotation, "yxz");
    check_vec(frame->to.axes.x, 0.0, 1.0, 0.0);
    check_vec(frame->to.axes.y, -1.0, 0.0, 0.0);
    assert_null(d->bodies[4].joint);
}

// Shortest turns: onto -z, onto -x.
CHECK_TEST(markers_arrive)
{
    CHECK_OWNED(kane_vehicle) *vehicle = read_mechanism(NULL);
    const kane_vehicle_definition *d   = kane_vehicle_get_definition(vehicle);
    const kane_marker_definition *m    = d->markers;
    assert_string_equal(m[0].on, "arm");
    assert_null(m[0].relative);
    check_vec(m[0].position, 1.0, 2.0, 3.0);
    check_vec(m[0].axes.x, 1.0, 0.0, 0.0);
    check_vec(m[0].axes.z, 0.0, 0.0, -1.0);
    assert_string_equal(m[1].relative, "pin");
    check_vec(m[1].position, 0.0, 0.001, 0.0);
    check_vec(m[1].axes.x, 0.0, 0.0, 1.0);
    check_vec(m[1].axes.y, 0.0, 1.0, 0.0);
    check_vec(m[1].axes.z, -1.0, 0.0, 0.0);

    assert_string_equal(d->elements[0].marker[0], "pin");
    assert_string_equal(d->elements[0].between[1], "slide");
    assert_int_equal(d->elements[0].preload, KANE_PRELOAD_GIVEN);
    assert_string_equal(d->elements[1].between[1], "track");
    assert_null(d->elements[1].marker[0]);
    assert_int_equal(d->elements[1].preload, KANE_PRELOAD_SOLVED);
}

CHECK_TEST(motions_arrive_in_si_units)
{
    const double pi                    = acos(-1.0);
    CHECK_OWNED(kane_vehicle) *vehicle = read_mechanism(NULL);
    const kane_vehicle_definition *d   = kane_vehicle_get_definition(vehicle);

    const kane_motion_definition *arm = d->bodies[0].joint->motions;
    assert_int_equal(d->bodies[0].joint->motion_count, 1);
    assert_int_equal(arm->coordinate, 0);
    assert_int_equal(arm->function.kind, KANE_FUNCTION_POLYNOMIAL);
    assert_int_equal(arm->function.count, 3);
    check_vec(kv3(arm->function.coefficients[0], arm->function.coefficients[1], arm->function.coefficients[2]),
              0.5 * pi, 2.0 * pi, 3.0);
    assert_int_equal(arm->place.line, 5);

    const kane_motion_definition *slide = d->bodies[1].joint->motions;
    assert_int_equal(slide->coordinate, 1); // travel, angle
    assert_int_equal(slide->function.kind, KANE_FUNCTION_SINE);
    check_vec(kv3(slide->function.coefficients[0], slide->function.coefficients[1], slide->function.coefficients[2]),
              1.0, pi / 6.0, 4.0);
    check_near(slide->function.coefficients[3], 0.25 * pi, 1e-15);

    const kane_motion_definition *frame = d->bodies[3].joint->motions;
    assert_int_equal(frame->coordinate, 0); // z, then pitch, yaw
    assert_int_equal(frame->function.kind, KANE_FUNCTION_TABLE);
    assert_int_equal(frame->function.count, 3);
    check_vec(kv3(frame->function.x[0], frame->function.x[1], frame->function.x[2]), 0.0, 1.0, 2.0);
    check_vec(kv3(frame->function.y[0], frame->function.y[1], frame->function.y[2]), 0.0, 0.05, 0.1);
}

CHECK_TEST(starts_arrive)
{
    CHECK_OWNED(kane_vehicle) *vehicle = read_mechanism(NULL);
    const kane_vehicle_definition *d   = kane_vehicle_get_definition(vehicle);
    assert_null(d->bodies[0].start);

    const kane_start_definition *slide = d->bodies[1].start;
    check_near(slide->q[0], 0.02, 1e-17);
    check_near(slide->rate[0], 2.0, 1e-15);
    assert_int_equal(slide->held_q, 0);
    assert_int_equal(slide->held_rate, 1);

    // a quarter turn about z: cos and sin of 45 degrees
    const kane_start_definition *ball = d->bodies[2].start;
    check_near(ball->q[0], sqrt(0.5), 1e-15);
    check_vec(kv3(ball->q[1], ball->q[2], ball->q[3]), 0.0, 0.0, sqrt(0.5));
    check_vec(kv3(ball->rate[0], ball->rate[1], ball->rate[2]), 1.0, 2.0, 3.0);
    assert_int_equal(ball->held_q, 15);
    assert_int_equal(ball->held_rate, 0);

    const kane_start_definition *frame = d->bodies[3].start; // z, pitch, yaw: in the order of the turns
    check_vec(kv3(frame->q[0], frame->q[1], frame->q[2]), 0.0, 0.3, 0.2);
    assert_int_equal(frame->held_q, 4);

    const kane_start_definition *lone = d->bodies[4].start;
    check_near(lone->q[KANE_ROLL], 0.1, 0.0);
    check_near(lone->rate[KANE_X], 5.0, 0.0);
}

CHECK_TEST(constraints_arrive)
{
    CHECK_OWNED(kane_vehicle) *vehicle  = read_mechanism("moon");
    const kane_vehicle_definition *d    = kane_vehicle_get_definition(vehicle);
    const kane_constraint_definition *c = d->constraints;
    check_near(d->gravity, 1.6, 0.0);
    assert_int_equal(d->constraint_count, 6);

    assert_int_equal(c[0].kind, KANE_CONSTRAINT_DISTANCE);
    assert_string_equal(c[0].between[0], "ball");
    assert_null(c[0].between[1]);
    check_vec(c[0].at[0].at, 1.0, 0.0, 0.0);
    check_vec(c[0].at[1].at, 2.0, 0.0, 0.0);
    check_near(c[0].length, 3.0, 0.0);

    assert_string_equal(c[1].between[0], "arm");
    assert_string_equal(c[1].at[1].marker, "end");
    check_near(c[1].function[0].coefficients[0], 0.0, 0.0); // y = 0
    check_near(c[1].function[1].coefficients[1], 0.5, 0.0);

    assert_int_equal(c[2].term_count, 2);
    check_near(c[2].terms[0].factor, 1.0, 0.0);
    assert_null(c[2].terms[0].coordinate);
    check_near(c[2].terms[1].factor, -2.0, 0.0);
    assert_string_equal(c[2].terms[1].coordinate, "travel");
    check_near(c[2].offset, 0.5, 0.0);
    assert_int_equal(c[2].closed, KANE_CLOSED_TRANSMISSION);

    // 5 mm per degree
    check_near(c[3].function[0].coefficients[1], 0.9 / acos(-1.0), 1e-15);

    // numbers over time
    const kane_given_definition *given = c[4].given;
    assert_int_equal(c[4].given_count, 2);
    assert_int_equal(given[0].number, KANE_GIVEN_YAW);
    check_near(given[0].function.coefficients[0], 0.5 * acos(-1.0), 1e-15);
    check_near(given[0].function.coefficients[1], 2.0 * acos(-1.0), 1e-15);
    assert_int_equal(given[1].number, KANE_GIVEN_LENGTH);
    check_near(given[1].function.x[1], 0.5, 0.0);
    check_near(given[1].function.y[1], 1.2, 1e-15);
    given = c[5].given;
    assert_int_equal(c[5].given_count, 2);
    assert_int_equal(given[0].number, KANE_GIVEN_OFFSET);
    check_near(given[0].function.coefficients[1], 3.0, 0.0);
    assert_int_equal(given[1].number, KANE_GIVEN_FACTOR);
    assert_int_equal(given[1].term, 1);
    check_near(given[1].function.coefficients[1], 0.5, 0.0);
    check_near(c[5].terms[1].factor, 0.0, 0.0);
}

// Euler parameters of three turns, whatever of them is largest: they turn as the matrix does.
CHECK_TEST(turned_starts_turn_as_axes_do)
{
    const double angles[][3] = {
        {0.3, -0.2, 0.5}, {3.0, 0.1, -0.2}, {0.2, 3.1, 0.1}, {-0.1, 0.2, 3.0}, {2.0, 1.5, -2.5}};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        static const kane_joint_definition spherical = {.kind = KANE_JOINT_SPHERICAL};
        char text[200];
        CHECK_ERRORS errors = {0};
        (void)snprintf(text, sizeof text, "{ \"orientation\": [%g, %g, %g] }", angles[i][0], angles[i][1],
                       angles[i][2]);
        CHECK_OWNED(kane_arena) *arena = kane_arena_create();
        kane_reader reader             = {.arena = arena, .errors = &errors};
        const kane_node *at            = kane_json_parse(arena, "start", text, strlen(text), &errors);
        kane_begin_input *in           = kane_reader_make(&reader, at, &kane_begin_schema);
        assert_non_null(in);
        const kane_start_definition *d = kane_begin_build(&reader, in, &spherical);
        const double *e                = d->q;
        const kane_mat3 R              = kane_turned(kv3(angles[i][0], angles[i][1], angles[i][2]));
        check_near(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3], 1.0, 1e-15);
        // first column: e0 e0 + e1 e1 - e2 e2 - e3 e3, 2 (e1 e2 + e0 e3), 2 (e1 e3 - e0 e2); third one: likewise
        check_vec(R.x, e[0] * e[0] + e[1] * e[1] - e[2] * e[2] - e[3] * e[3], 2.0 * (e[1] * e[2] + e[0] * e[3]),
                  2.0 * (e[1] * e[3] - e[0] * e[2]));
        check_vec(R.z, 2.0 * (e[1] * e[3] + e[0] * e[2]), 2.0 * (e[2] * e[3] - e[0] * e[1]),
                  e[0] * e[0] - e[1] * e[1] - e[2] * e[2] + e[3] * e[3]);
    }
}

static const kane_run_definition *read_run(const char *more, const char *setting, kane_run **run)
{
    char text[1000];
    const char *const settings[] = {setting, NULL};
    (void)snprintf(text, sizeof text,
                   "{ \"kane\": \"run 1\", \"mechanism\": \"m.json\", \"until\": { \"time\": 2 }%s }", more);
    write_file("r.json", text);
    *run = run_read("r.json", settings);
    return kane_run_get_definition(*run);
}

CHECK_TEST(a_run_of_a_mechanism_is_precise_and_has_no_track)
{
    kane_run *run;
    const kane_run_definition *d = read_run("", NULL, &run);
    assert_null(d->track);
    check_near(d->conditions.time, 2.0, 0.0);
    assert_int_equal(d->settings.method, KANE_BDF);
    assert_int_equal(d->settings.order, 5);
    check_near(d->settings.relative, 1e-8, 0.0);
    check_near(d->settings.position, 1e-10, 1e-25);
    check_near(d->settings.turning, 1e-8, 1e-23);
    assert_int_equal(d->model.form, KANE_FORM_COEFFICIENTS);
    kane_run_free(run);

    d = read_run(
        ", \"form\": \"multipliers\", \"integrator\": { \"method\": \"adams\", \"rtol\": 1e-5, \"atol_angle\": 1e-3 }",
        NULL, &run);
    assert_int_equal(d->model.form, KANE_FORM_MULTIPLIERS);
    assert_int_equal(d->settings.order, 12);
    check_near(d->settings.relative, 1e-5, 0.0);
    check_near(d->settings.angle, 1e-3, 0.0);
    kane_run_free(run);
}

CHECK_TEST(settings_lead_into_the_mechanism)
{
    kane_run *run;
    const kane_run_definition *d = read_run("", "mechanism.bodies.arm.mass=7 kg", &run);
    check_near(d->vehicle->bodies[0].mass, 7.0, 0.0);
    kane_run_free(run);
}

CHECK_TEST(actuators_of_joints_arrive)
{
    kane_run *run;
    const kane_run_definition *d = read_run(
        ", \"drive\": { \"push\": { \"kind\": \"joint\", \"on\": \"slide\", \"coordinate\": \"travel\", \"time\": [0, 1],\n"
        "  \"force\": [0, \"2 kN\"] } }",
        NULL, &run);
    const kane_actuator_definition *a = d->drive.actuators;
    assert_int_equal(d->drive.actuator_count, 1);
    assert_int_equal(a->kind, KANE_ACTUATOR_JOINT);
    assert_string_equal(a->coordinate, "travel");
    assert_int_equal(a->point_count, 2);
    check_near(a->value[1], 2000.0, 0.0);
    kane_run_free(run);
}

// The tables of what can be typed and the names in messages and results are the same.
CHECK_TEST(types_are_called_as_the_library_calls_them)
{
    const char *const *joints      = kane_joint_schema.keys[0].detail;
    const char *const *constraints = kane_constraint_schema.keys[0].detail;
    for (int i = 0; i < KANE_JOINT_KINDS; i++)
        assert_string_equal(joints[i], kane_joint_kind_name((kane_joint_kind)i));
    for (int i = 0; i < KANE_CONSTRAINT_KINDS; i++)
        assert_string_equal(constraints[i], kane_constraint_kind_name((kane_constraint_kind)i));
    assert_null(joints[KANE_JOINT_KINDS]);
    assert_null(constraints[KANE_CONSTRAINT_KINDS]);
}

static int begin(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    write_file("m.json", mechanism);
    return 0;
}

CHECK_MAIN(begin, leave_folder)
