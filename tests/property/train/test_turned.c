// SPDX-License-Identifier: MIT
// A turned vehicle is the vehicle turned about z by half: on straight level track at rest every velocity and
// acceleration is that of the vehicle alone, turned likewise. The vehicle here is like nothing in front and behind,
// left and right, and has something of everything: joints, markers, constraints, wheels of two sizes, elements on both
// sides, frames that move and such beside the line.

#include "property/train/train.h"

static const char bodies_of_vehicle[] =
    "{ \"kane\": \"vehicle 1\", \"reference_body\": \"car\",\n"
    "  \"patterns\": { \"axlebox\": { \"law\": \"bushing\", \"mirror\": true, \"orientation\": [0.1, 0.05, -0.02],\n"
    "    \"stiffness\": [3e6, 1.5e6, 1.2e6], \"damping\": [2e4, 1e4, 3e4], \"rotational_stiffness\": [1e4, 2e4, 3e4] } },\n"
    "  \"frames\": {\n"
    "    \"deck\": { \"relative_to\": \"car\", \"at\": [-1.2, 0.6, 2.2], \"orientation\": [0.2, 0.1, -0.3], \"motion\": {\n"
    "      \"x\": { \"sine\": { \"mean\": 0.1, \"amplitude\": 0.2, \"angular_frequency\": 2, \"phase\": 0.4 } },\n"
    "      \"yaw\": { \"polynomial\": [0.1, 0.5, 0.3] }, \"rates\": { \"roll\": { \"polynomial\": [0.4] } } } },\n"
    "    \"drum\": { \"relative_to\": \"deck\", \"type\": \"revolute\", \"at\": [-1.5, 0.4, 2.4], \"axis\": [1, 2, 3],\n"
    "      \"motion\": { \"angle\": { \"polynomial\": [0.2, -0.7] } } } },\n"
    "  \"bodies\": {\n"
    "    \"crate\": { \"mass\": 90, \"inertia\": [7, 8, 9], \"at\": [-1.6, 0.5, 2.5], \"frame\": \"drum\" },\n"
    "    \"car\": { \"mass\": 2e4, \"inertia\": [3e4, 3.4e5, 3.5e5, 2e3, 4e3, -3e3], \"at\": [0.3, 0.1, 1.7],\n"
    "      \"start\": { \"y\": 0.01, \"z\": 0.003, \"yaw\": 0.002, \"roll\": -0.01, \"pitch\": 0.004,\n"
    "        \"rates\": { \"y\": 0.1, \"z\": -0.05, \"yaw\": 0.02, \"roll\": 0.1, \"pitch\": -0.04 } } },\n"
    "    \"arm\": { \"mass\": 200, \"inertia\": [20, 60, 70, 3, 5, -2], \"at\": [2, 0.4, 2.5],\n"
    "      \"joint\": { \"type\": \"revolute\", \"parent\": \"car\", \"at\": [1.5, 0.2, 2.2], \"axis\": [1, 0.4, 0.3] },\n"
    "      \"start\": { \"angle\": 0.1, \"rates\": { \"angle\": 0.5 } } },\n"
    "    \"bell\": { \"mass\": 50, \"inertia\": [4, 5, 3], \"at\": [-1, 0.3, 1.2],\n"
    "      \"joint\": { \"type\": \"spherical\", \"parent\": \"car\", \"at\": [-1, 0.25, 1.6] },\n"
    "      \"start\": { \"orientation\": [0.1, 0.2, -0.1], \"rates\": { \"omega\": [0.3, -0.2, 0.4] } } },\n"
    "    \"slide\": { \"mass\": 80, \"inertia\": [5, 7, 9], \"at\": [-2, -0.4, 2],\n"
    "      \"joint\": { \"type\": \"free\", \"from\": \"seat\", \"dof\": [\"x\", \"y\", \"yaw\"] },\n"
    "      \"start\": { \"y\": -0.03, \"yaw\": 0.1, \"rates\": { \"y\": 0.2, \"yaw\": 0.3 } } },\n"
    "    \"crank\": { \"mass\": 30, \"inertia\": [1, 2, 2], \"at\": [0.5, -0.6, 2.1],\n"
    "      \"joint\": { \"type\": \"revolute\", \"parent\": \"car\", \"at\": [0.5, -0.5, 2.1], \"axis\": [0, 0.2, 1] },\n"
    "      \"start\": { \"angle\": 0.2, \"rates\": { \"angle\": -0.4 } } },\n"
    "    \"block\": { \"mass\": 300, \"frame_offset\": [0.4, -0.3], \"inertia\": [30, 40, 50], \"at\": [1, 0.2, 0.9],\n"
    "      \"start\": { \"roll\": 0.02, \"rates\": { \"x\": 0.1, \"roll\": 0.2 } } } },\n";

static const char rest_of_vehicle[] =
    "  \"wheelsets\": {\n"
    "    \"leading\": { \"mass\": 1250, \"inertia\": [800, 100, 800], \"radius\": 0.46, \"at\": 4.5, \"frame_offset\": [-0.2, 0.1],\n"
    "      \"right\": { \"radius\": 0.459, \"profile\": \"cone\" }, \"conicity\": \"1:15\", \"contact\": { \"friction\": [1, 0.7] },\n"
    "      \"start\": { \"y\": 0.001, \"yaw\": 0.001, \"rates\": { \"y\": 0.02, \"yaw\": -0.01, \"roll\": 0.01, \"pitch\": 0.05 } } },\n"
    "    \"trailing\": { \"mass\": 1150, \"inertia\": [700, 90, 700], \"radius\": 0.45, \"at\": -4.2 } },\n"
    "  \"markers\": {\n"
    "    \"seat\": { \"on\": \"car\", \"at\": [-2, -0.3, 1.9], \"orientation\": [0.3, 0.1, 0.2] },\n"
    "    \"tip\": { \"on\": \"arm\", \"relative_to\": \"seat\", \"at\": [4.1, 0.5, 0.4], \"orientation\": [0.2, 0, 0.1] },\n"
    "    \"eye\": { \"on\": \"car\", \"at\": [2.4, 0.9, 1.9] },\n"
    "    \"knob\": { \"on\": \"bell\", \"at\": [-1, 0.35, 1.3] } },\n"
    "  \"elements\": {\n"
    "    \"front\": { \"like\": \"axlebox\", \"between\": [\"car\", \"leading\"], \"at\": [4.5, 1, 0.46] },\n"
    "    \"rear\": { \"like\": \"axlebox\", \"between\": [\"car\", \"trailing\"], \"at\": [-4.2, 1.1, 0.45] },\n"
    "    \"mount\": { \"law\": \"bushing\", \"between\": [\"car\", \"block\"], \"at\": [0.9, 0.3, 1],\n"
    "      \"stiffness\": [3e5, 2e5, 5e5], \"damping\": [2e3, 1e3, 3e3],\n"
    "      \"rotational_stiffness\": [4e5, 3e5, 2e5], \"rotational_damping\": [1e3, 1e3, 1e3] },\n"
    "    \"mount 2\": { \"law\": \"bushing\", \"between\": [\"car\", \"block\"], \"at\": [1.4, -0.3, 1], \"stiffness\": [3e5, 2e5, 5e5] },\n"
    "    \"mount 3\": { \"law\": \"bushing\", \"between\": [\"car\", \"block\"], \"at\": [0.6, -0.2, 0.8], \"stiffness\": [3e5, 2e5, 5e5] },\n"
    "    \"strut\": { \"law\": \"spring\", \"markers\": [\"eye\", \"tip\"], \"stiffness\": 4e5, \"damping\": 3e3 },\n"
    "    \"bell rubber\": { \"law\": \"bushing\", \"between\": [\"car\", \"bell\"], \"at\": [-1, 0.25, 1.2], \"stiffness\": [2e4, 3e4, 4e4] },\n"
    "    \"slide rubber\": { \"law\": \"bushing\", \"between\": [\"car\", \"slide\"], \"at\": [-2.1, -0.3, 2],\n"
    "      \"stiffness\": [2e5, 3e5, 4e5], \"rotational_stiffness\": [1e4, 2e4, 3e4] },\n"
    "    \"slide rubber 2\": { \"law\": \"bushing\", \"between\": [\"car\", \"slide\"], \"at\": [-1.6, -0.7, 2], \"stiffness\": [2e5, 3e5, 4e5] },\n"
    "    \"crank rubber\": { \"law\": \"bushing\", \"between\": [\"car\", \"crank\"], \"at\": [0.5, -0.9, 2.1], \"stiffness\": [2e5, 3e5, 4e5] },\n"
    "    \"stop\": { \"law\": \"bump stop\", \"between\": [\"car\", \"block\"], \"at\": [1, 0.4, 1], \"direction\": \"x\",\n"
    "      \"clearance\": [\"2 mm\", \"8 mm\"], \"stiffness\": 1e6, \"onset\": \"1 mm\" },\n"
    "    \"side stop\": { \"law\": \"bump stop\", \"mirror\": true, \"between\": [\"car\", \"leading\"], \"at\": [4.5, 0.8, 0.5],\n"
    "      \"direction\": \"y\", \"clearance\": [\"3 mm\", \"50 mm\"], \"stiffness\": 2e6, \"onset\": \"1 mm\" },\n"
    "    \"lash\": { \"law\": \"bushing\", \"between\": [\"deck\", \"crate\"], \"at\": [-1.6, 0.5, 2.5], \"stiffness\": [2e4, 3e4, 4e4],\n"
    "      \"damping\": [2e2, 1e2, 3e2] },\n"
    "    \"tie\": { \"law\": \"bushing\", \"between\": [\"car\", \"crate\"], \"at\": [-1.4, 0.3, 2.5], \"stiffness\": [2e3, 3e3, 4e3],\n"
    "      \"preload\": \"given\" },\n"
    "    \"weight\": { \"law\": \"bushing\", \"between\": [\"track\", \"car\"], \"at\": [1, 0.5, 2], \"stiffness\": [1e4, 2e4, 3e4],\n"
    "      \"preload\": \"given\", \"load\": [0, 0, -900] } },\n";

static const char constraints_of_vehicle[] =
    "  \"constraints\": {\n"
    "    \"gear\": { \"type\": \"linear\", \"offset\": 0.03,\n"
    "      \"terms\": [ { \"body\": \"arm\" }, { \"body\": \"block\", \"coordinate\": \"roll\",\n"
    "        \"varying_factor\": { \"polynomial\": [2, 0.7, 1.3] } },\n"
    "        { \"body\": \"car\", \"coordinate\": \"yaw\", \"factor\": 3 } ] },\n"
    "    \"cam\": { \"type\": \"function\", \"motion\": { \"offset\": { \"polynomial\": [0.01, 0.05, 0.2] } },\n"
    "      \"function\": { \"polynomial\": [0.02, 0.5, 3] },\n"
    "      \"terms\": [ { \"body\": \"slide\", \"coordinate\": \"x\" }, { \"body\": \"car\", \"coordinate\": \"pitch\",\n"
    "        \"varying_factor\": { \"sine\": { \"mean\": 1.5, \"amplitude\": 0.3, \"angular_frequency\": 2, \"phase\": 0.4 } } } ] },\n"
    "    \"wedge\": { \"type\": \"function\",\n"
    "      \"motion\": { \"offset\": { \"sine\": { \"mean\": 0.005, \"amplitude\": 0.02, \"angular_frequency\": 3 } } },\n"
    "      \"function\": { \"step\": { \"from\": -0.02, \"to\": 0.04, \"at\": -0.03, \"over\": 0.1 } },\n"
    "      \"terms\": [ { \"body\": \"block\", \"coordinate\": \"y\" }, { \"body\": \"block\", \"coordinate\": \"pitch\",\n"
    "        \"varying_factor\": { \"table\": { \"x\": [-1, 0, 1, 2], \"y\": [0.4, 0.7, 0.9, 1.4] } } } ] },\n"
    "    \"ramp\": { \"type\": \"function\", \"function\": { \"table\": { \"x\": [-0.1, 0, 0.03, 0.1], \"y\": [0, 0.002, 0.007, 0.02] } },\n"
    "      \"terms\": [ { \"body\": \"block\", \"coordinate\": \"z\" }, { \"body\": \"car\", \"coordinate\": \"roll\", \"factor\": 0.5 } ] },\n"
    "    \"rod\": { \"type\": \"distance\", \"between\": [\"crank\", \"bell\"], \"at\": [0.5, -0.9, 2.1], \"to\": [-1, 0.4, 1.1],\n"
    "      \"motion\": { \"length\": { \"polynomial\": [2.2226, 0.1, 0.4] }, \"x\": { \"polynomial\": [0, 0.2, 0.3] },\n"
    "        \"y\": { \"polynomial\": [0, 0.1, -0.6] }, \"yaw\": { \"polynomial\": [0.1, 0.3] } } },\n"
    "    \"own\": { \"type\": \"user\", \"markers\": [\"eye\", \"knob\"], \"rows\": { \"kind\": \"slope\" },\n"
    "      \"terms\": [ { \"body\": \"slide\", \"coordinate\": \"yaw\", \"factor\": 0.2 },\n"
    "        { \"body\": \"block\", \"coordinate\": \"x\", \"factor\": -0.3 } ] } } }\n";

// Of the eye's axes, of a coordinate that does not turn along with the vehicle and of one that does, and of time.
static void slope(const void *data, const kane_rows_input *in, kane_number *phi)
{
    const kane_number3 p = in->marker[0].position;
    const kane_number a  = kn_add(in->coordinate[0].value, kn_sin(in->coordinate[1].value));
    (void)data;
    phi[0] = kn_shift(kn_add(p.z, kn_add(kn_scale(0.4, p.x), kn_mul(p.y, kn_add(a, kn_sin(in->time))))), 1.96);
}

static const kane_rows_kind slope_kind = {
    .name = "slope", .help = "A slope.", .markers = 2, .coordinates = 2, .positions = 1, .position = slope};

static rake open_vehicle(const char *name, const char *const *settings)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "{ \"kane\": \"run 1\", \"vehicle\": \"%s\", \"track\": \"track.json\","
                   " \"start\": { \"at\": 100, \"speed\": 0 }, \"until\": { \"time\": 1 } }",
                   name);
    write_file("run.json", text);
    static const kane_rows_kind *const rows[] = {&slope_kind, NULL};
    rake r                                    = rake_read_with(settings, rows);
    rake_start(&r);
    rake_evaluate(&r);
    return r;
}

static void write_all(void)
{
    char vehicle[8192];
    (void)snprintf(vehicle, sizeof vehicle, "%s%s%s", bodies_of_vehicle, rest_of_vehicle, constraints_of_vehicle);
    rake_write("cart.json", vehicle);
    rake_write("track.json", "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 200 } ] }");
    rake_write("train.json",
               "{ \"kane\": \"train 1\", \"vehicles\": { \"cart\": { \"file\": \"cart.json\", \"length\": 12,"
               " \"middle\": 0.4, \"reversed\": true } } }");
}

static kane_vec3 turned(kane_vec3 a)
{
    return kv3(-a.x, -a.y, a.z);
}

static double compare(const rake *single, const rake *train, int body)
{
    kane_vec3 a[4], b[4];
    kane_get_absolute(single->model, single->work, body, &a[0], &a[1], &a[2], &a[3]);
    kane_get_absolute(train->model, train->work, body, &b[0], &b[1], &b[2], &b[3]);
    for (int k = 0; k < 2; k++)
        check_vec3(b[k], turned(a[k]), 1e-12);
    for (int k = 2; k < 4; k++) {
        const kane_vec3 acceleration = b[k];
        check_vec3(acceleration, turned(a[k]), 1e-8);
    }
    return kv3_norm(a[2]) + kv3_norm(a[3]);
}

CHECK_TEST(everything_moves_as_in_the_vehicle_alone)
{
    write_all();
    CHECK_FREED(rake) single = open_vehicle("cart.json", NULL), train = open_vehicle("train.json", NULL);
    for (int j = 0; j < kane_model_body_count(single.model); j++)
        assert_true(compare(&single, &train, j) > 0.1);
}

CHECK_TEST(loads_are_those_of_the_vehicle_alone)
{
    write_all();
    CHECK_FREED(rake) single = open_vehicle("cart.json", NULL), train = open_vehicle("train.json", NULL);
    for (int e = 0; e < single.definition.vehicle->element_count; e++)
        check_vec3(kane_model_static_load(train.model, e), kane_model_static_load(single.model, e), 1e-4);
    for (int j = 0; j < kane_model_body_count(single.model); j++) {
        double a[2], b[2];
        if (kane_model_wheel_load(single.model, j, a) != KANE_OK)
            continue;
        assert_int_equal(kane_model_wheel_load(train.model, j, b), KANE_OK);
        check_near(b[KANE_LEFT], a[KANE_RIGHT], 1e-4);
        check_near(b[KANE_RIGHT], a[KANE_LEFT], 1e-4);
        assert_true(fabs(a[KANE_LEFT] - a[KANE_RIGHT]) > 100.0);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
