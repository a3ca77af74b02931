// SPDX-License-Identifier: MIT
// The example of user-defined rows, a bob and a weight on a rope through an eye, which a winch lets out: against
// Lagrange's equations of its own, from C and from a file; and what is wrong with rows is told.
//
//   r: from the eye to the bob, a: its angle; the weight hangs L(t) - r below
//   (m + M) r'' = m r a'^2 + m g cos(a) - M g + M L''        r a'' = -2 r' a' - g sin(a)        tension M (g - L'' + r'')

#include "folder.h"
#include "mechanisms.h"

int example(int argc, char **argv);
#define main example
#include "apps/examples/own_rows.c"
#undef main

#include <unistd.h>

static const double m_bob = 2.0, m_weight = 3.0;

static void rope_length(double t, double L[3])
{
    const double a = parameters.amplitude, w = parameters.frequency;
    L[0] = parameters.length + a * sin(w * t);
    L[1] = a * w * cos(w * t);
    L[2] = -a * w * w * sin(w * t);
}

static double pull(double t, const double x[4])
{
    double L[3];
    rope_length(t, L);
    return (m_bob * x[0] * x[3] * x[3] + m_bob * 9.81 * cos(x[1]) - m_weight * 9.81 + m_weight * L[2]) /
           (m_bob + m_weight);
}

// r, a, r', a'
static void rates(double t, const double x[4], double out[4])
{
    out[0] = x[2];
    out[1] = x[3];
    out[2] = pull(t, x);
    out[3] = -(2.0 * x[2] * x[3] + 9.81 * sin(x[1])) / x[0];
}

static void integrate(double end, double x[4])
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const int steps = (int)(end * 4e4);
    const double h  = end / steps;
    for (int i = 0; i < steps; i++) {
        double k[4] = {0.0}, sum[4] = {0.0}, y[4];
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < 4; j++)
                y[j] = x[j] + node[s] * h * k[j];
            rates((i + node[s]) * h, y, k);
            for (int j = 0; j < 4; j++)
                sum[j] += weight[s] / 6.0 * k[j];
        }
        for (int j = 0; j < 4; j++)
            x[j] += h * sum[j];
    }
}

static void check_run(kane_model *model, const char *name)
{
    const kane_settings settings               = mechanism_settings(1e-13);
    CHECK_END(mechanism_close_all) mechanism m = {.model = model};
    (void)name;
    mechanism_run(&m, &settings);
    double q[KANE_JOINT_COORDINATES], v[KANE_JOINT_COORDINATES], depth[KANE_JOINT_COORDINATES], L[3];
    const kane_work *work = kane_simulation_work(m.simulation);
    (void)kane_get_joint(model, work, BOB, q, v, NULL);
    const double x = bob_at.x + q[0], z = bob_at.z + q[1], r = hypot(x, z);
    double own[4] = {r, atan2(x, -z), (x * v[0] + z * v[1]) / r, (-z * v[0] + x * v[1]) / (r * r)};
    for (int i = 1; i <= 4; i++) { // pieces of a quarter of a second
        double lambda[6], from[4], drift, rate;
        memcpy(from, own, sizeof from);
        integrate(0.25 * i, from);
        work = mechanism_go(&m, 0.25 * i);
        (void)kane_get_joint(model, work, BOB, q, NULL, NULL);
        (void)kane_get_joint(model, work, WEIGHT, depth, NULL, NULL);
        rope_length(0.25 * i, L);
        check_near(bob_at.x + q[0], from[0] * sin(from[1]), 3e-9);
        check_near(bob_at.z + q[1], -from[0] * cos(from[1]), 3e-9);
        check_near(depth[0], L[0] - from[0], 3e-9);
        assert_int_equal(kane_get_constraint(model, work, 0, lambda), 1);
        check_near(-lambda[0], m_weight * (9.81 - L[2] + pull(0.25 * i, from)), 1e-6);
        kane_get_drift(model, work, &drift, &rate);
        check_near(drift, 0.0, 1e-12);
        mechanism_check_jacobian(&m, 1e-6);
    }
}

CHECK_TEST(the_example_obeys_its_equations)
{
    for (int form = 0; form < 2; form++) {
        kane_model *model = CHECK_GOOD(build, (kane_constraint_form)form);
        check_run(model, "C");
    }
}

// --- from a file ---

static const char file[] =
    "{ \"kane\": \"mechanism 1\",\n"
    "  \"bodies\": {\n"
    "    \"bob\": { \"mass\": 2, \"inertia\": [0.01, 0.01, 0.01], \"at\": [0.6, 0, -0.8],\n"
    "      \"joint\": { \"type\": \"free\", \"at\": [0.6, 0, -0.8], \"dof\": [\"x\", \"z\"] } },\n"
    "    \"weight\": { \"mass\": 3, \"inertia\": [0.01, 0.01, 0.01], \"at\": [0, 0, 0],\n"
    "      \"joint\": { \"type\": \"prismatic\", \"at\": [0, 0, 0], \"axis\": [0, 0, -1] }, \"start\": { \"travel\": 1.5 } } },\n"
    "  \"markers\": { \"eye\": { \"on\": \"ground\" }, \"hook\": { \"on\": \"bob\", \"at\": [0.6, 0, -0.8] } },\n"
    "  \"constraints\": {\n"
    "    \"rope\": { \"type\": \"user\", \"markers\": [\"eye\", \"hook\"], \"terms\": [{ \"body\": \"weight\" }],\n"
    "      \"rows\": { \"kind\": \"rope\", \"length\": \"250 cm\", \"amplitude\": 0.2, \"frequency\": 4 } } } }\n";

// `text` with one part of it exchanged, read and compiled; the first message goes to `message`.
static kane_model *read_file(const char *find, const char *replace, const kane_rows_kind *const *rows,
                             kane_constraint_form form, size_t size, char *message)
{
    const kane_vehicle_options how = {.kind = KANE_MECHANISM, .rows = rows};
    CHECK_ERRORS errors            = {0};
    char text[4096];
    const char *at = strstr(file, find);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - file), file, replace, at + strlen(find));
    write_file("rope.json", text);
    kane_vehicle *read          = kane_vehicle_read("rope.json", &how, &errors);
    kane_model_options options  = kane_model_options_default();
    kane_drive_definition drive = kane_drive_definition_default();
    options.form                = form;
    kane_model *model =
        read ? kane_model_create(kane_vehicle_get_definition(read), NULL, &drive, &options, &errors) : NULL;
    kane_vehicle_free(read); // parameters live on in the model
    message[0] = '\0';
    if (errors.count > 0)
        (void)kane_error_format(kane_errors_get(&errors, 0), size, message);
    return model;
}

static const kane_rows_kind *const known[] = {&rope_kind, NULL};

CHECK_TEST(a_file_says_the_same)
{
    for (int form = 0; form < 2; form++) {
        char message[400];
        kane_model *model = read_file("rope", "rope", known, (kane_constraint_form)form, sizeof message, message);
        assert_string_equal(message, "");
        assert_non_null(model);
        check_run(model, "file");
    }
}

// Rows that are wrong in some way of their own.
static void undefined(const void *data, const kane_rows_input *in, kane_number *phi)
{
    (void)data;
    phi[0] = kn_log(kn_sub(in->coordinate[0].value, kn_constant(9.0)));
}

static void bent(const void *data, const kane_rows_input *in, kane_number *psi)
{
    (void)data;
    psi[0] = kn_sub(kn_square(in->coordinate[0].rate), kn3_dot(in->marker[0].velocity, in->marker[0].velocity));
}

CHECK_TEST(what_is_wrong_is_told)
{
    static const kane_rows_kind
        no_number =
            {.name = "rope", .schema = &schema, .markers = 2, .coordinates = 1, .positions = 1, .position = undefined},
        not_linear = {.name = "rope", .schema = &schema, .markers = 2, .coordinates = 1, .rates = 1, .rate = bent},
        no_rows    = {.name = "rope", .schema = &schema, .markers = 2, .coordinates = 1},
        one_marker =
            {.name = "rope", .schema = &schema, .markers = 1, .coordinates = 1, .positions = 1, .position = rope_row},
        no_function = {.name = "rope", .schema = &schema, .markers = 2, .coordinates = 1, .positions = 1},
        nothing     = {.name = "rope", .schema = &schema, .positions = 1, .position = rope_row};
    static const struct {
        const char *find, *replace;
        const kane_rows_kind *kind;
        const char *message;
    } rows[] = {
        {"\"kind\": \"rope\"", "\"kind\": \"robe\"", &rope_kind,
         "rope.json:10:25: constraints.rope.rows.kind: 'robe' is not known; did you mean 'rope'? known: rope"},
        {"\"kind\": \"rope\", ", "", &rope_kind,
         "rope.json:10:15: constraints.rope.rows: 'kind' is missing: which rows, by the name that the program gives them; their "
         "parameters stand beside it"},
        {"\"rows\"", "\"note\": \"x\", \"row\"", &rope_kind,
         "rope.json:10:20: constraints.rope.row: unknown key; did you mean 'rows'?"},
        {"\"length\": \"250 cm\", ", "", &rope_kind,
         "rope.json:10:15: constraints.rope.rows: 'length' is missing: of the rope, from the bob to the weight [m]"},
        {"250 cm", "250 s", &rope_kind,
         "rope.json:10:43: constraints.rope.rows.length: '250 s' is a time, expected a length [m] such as 0.025 or \"25 mm\""},
        {"\"type\": \"user\"", "\"type\": \"weld\"", &rope_kind,
         "rope.json:9:68: constraints.rope.terms: is only used by \"linear\", \"function\", \"rates\" and \"user\""},
        {"\"type\": \"user\"", "\"type\": \"user\", \"offset\": 1", &rope_kind,
         "rope.json:9:41: constraints.rope.offset: is only used by \"linear\", \"function\" and \"rates\""},
        {"\"type\": \"user\"", "\"type\": \"user\", \"motion\": { \"x\": { \"polynomial\": [1] } }", &rope_kind,
         "rope.json:9:41: constraints.rope.motion: is only used by constraints other than \"user\", whose rows know the time"},
        {"[\"eye\", \"hook\"]", "[\"eye\", \"hock\"]", &rope_kind,
         "rope.json:9:50: constraints.rope.markers[1]: no marker is called 'hock'; did you mean 'hook'? known: eye, hook"},
        {"[\"eye\", \"hook\"]", "[\"eye\"]", &rope_kind,
         "rope.json:9:42: constraints.rope.markers: rows 'rope' take 2 markers, found 1"},
        {"[\"eye\", \"hook\"]", "[\"hook\", \"hook\"]", &rope_kind,
         "rope.json:9:42: constraints.rope.markers: all markers are on 'bob'; a constraint acts between two bodies, or a body and "
         "the frame"},
        {"[\"eye\", \"hook\"]", "[\"eye\", \"eye\"]", &rope_kind,
         "rope.json:9:42: constraints.rope.markers: all markers are held by frames: there is nothing to constrain"},
        {", \"terms\": [{ \"body\": \"weight\" }]", "", &rope_kind,
         "rope.json:9:13: constraints.rope: rows 'rope' take 1 coordinates in \"terms\", found 0"},
        {"rope", "rope", &no_number, "rope.json:9:13: constraints.rope: row 1 of 'rope' is not finite at the start"},
        {"rope", "rope", &not_linear,
         "rope.json:9:13: constraints.rope: the rows of speeds of 'rope' are not linear in velocities and rates"},
        {"rope", "rope", &no_rows,
         "rope.json:10:15: constraints.rope.rows: user-defined rows 'rope': holonomic and non-holonomic rows must be 1 to 6 in all"},
        {"rope", "rope", &one_marker,
         "rope.json:10:15: constraints.rope.rows: user-defined rows 'rope': markers must be 0, or 2 to 5"},
        {"rope", "rope", &no_function,
         "rope.json:10:15: constraints.rope.rows: user-defined rows 'rope': rows need a function that evaluates them"},
        {"rope", "rope", &nothing,
         "rope.json:10:15: constraints.rope.rows: user-defined rows 'rope': coordinates must be 0 to 8, and at least 1 where there "
         "are no markers"},
        {"rope", "rope", NULL, "rope.json:10:25: constraints.rope.rows.kind: 'rope' is not known; there is none"},
    };
    int bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const kane_rows_kind *const list[] = {rows[i].kind, NULL};
        char message[600];
        CHECK_OWNED(kane_model) *model =
            read_file(rows[i].find, rows[i].replace, list, KANE_FORM_COEFFICIENTS, sizeof message, message);
        if (model || strcmp(message, rows[i].message) != 0) {
            print_error("--- row %zu\nexpected: %s\nfound:    %s\n", i, rows[i].message, message);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

CHECK_MAIN(enter_folder, leave_folder)
