// SPDX-License-Identifier: MIT
// User-defined closed forms of loops: of the example's six-bar against Newton's method, against rows that they are
// alone, and against Lagrange's equation of the one freedom by differences; of a four-bar against the form that libkane
// has.

#include "folder.h"
#include "mechanisms.h"

int example(int argc, char **argv);
#define main example
#include "apps/examples/own_loop.c"
#undef main

// --- a four-bar in three ways ---

static const kane_term_definition of_four_bar[] = {{"coupler", NULL, 1.0}, {"rocker", NULL, 1.0}, {"crank", NULL, 1.0}};
static dyad four_bar;

static void open_four_bar(mechanism *m, kane_closed_form closed)
{
    kane_constraint_definition *pin = mechanism_four_bar(m);
    four_bar =
        (dyad){.link = planar(0.0, FOUR_BAR_CRANK), .pin = pin->at[0].at, .ground = planar(FOUR_BAR_GROUND, 0.0)};
    pin->closed     = closed;
    pin->own        = &four_bar_kind;
    pin->parameters = &four_bar;
    pin->term_count = 3;
    pin->terms      = of_four_bar;
    mechanism_open(m, KANE_FORM_COEFFICIENTS);
}

// Coordinates, rates and accelerations of all joints are those of `other` at the same state.
static void check_same(const kane_model *model, const kane_work *work, mechanism *other, double tolerance)
{
    double q, rate, acceleration, other_q, other_rate, other_acceleration;
    for (int j = 0; j < kane_model_body_count(model); j++) {
        (void)kane_get_joint(model, work, j, &q, &rate, &acceleration);
        kane_put_joint(other->model, other->work, j, &q, &rate);
    }
    kane_put_joints_end(other->model, other->work, other->y);
    mechanism_eval(other, 0.0);
    for (int j = 0; j < kane_model_body_count(model); j++) {
        (void)kane_get_joint(model, work, j, &q, &rate, &acceleration);
        (void)kane_get_joint(other->model, other->work, j, &other_q, &other_rate, &other_acceleration);
        check_near(other_q, q, tolerance);
        check_near(other_rate, rate, tolerance * fmax(1.0, fabs(rate)));
        check_near(other_acceleration, acceleration, tolerance * fmax(1.0, fabs(acceleration)));
    }
}

CHECK_TEST(a_four_bar_moves_as_by_the_shipped_form)
{
    const kane_settings settings                  = mechanism_settings(1e-12);
    CHECK_END(mechanism_close_all) mechanism user = {0}, shipped = {0}, newton = {0};
    open_four_bar(&user, KANE_CLOSED_USER);
    open_four_bar(&shipped, KANE_CLOSED_FOUR_BAR);
    open_four_bar(&newton, KANE_CLOSED_NONE);
    mechanism_run(&user, &settings);
    for (int k = 1; k <= 30; k++) {
        const kane_work *work = mechanism_go(&user, 0.1 * k);
        check_same(user.model, work, &shipped, 1e-10);
        check_same(user.model, work, &newton, 1e-10);
        mechanism_check_jacobian(&user, 1e-6);
    }
}

// --- the six-bar by plain code ---

// Angles of all five bodies against the drawing by that of the crank, in the plane; of the coupler absolute, of the rod
// too.
static void find_angles(double crank, double angle[BODIES])
{
    const kane_vec3 tip = kv3(0.3 * cos(crank + atan2(1.0, 0.0)), 0.0, 0.3 * sin(crank + atan2(1.0, 0.0)));
    const kane_vec3 b   = circles_meet(tip, kv3_norm(kv3_sub(B, A)), O2, kv3_norm(kv3_sub(B, O2)));
    angle[CRANK]        = crank;
    angle[COUPLER]      = drawn_angle(tip, b) - drawn_angle(A, B);
    angle[ROCKER]       = drawn_angle(O2, b) - drawn_angle(O2, B);
    const double s = sin(angle[COUPLER]), c = cos(angle[COUPLER]);
    const kane_vec3 way = kv3_sub(P, A), p = kv3_add(tip, kv3(c * way.x - s * way.z, 0.0, s * way.x + c * way.z));
    const kane_vec3 q = circles_meet(p, kv3_norm(kv3_sub(Q, P)), O3, kv3_norm(kv3_sub(Q, O3)));
    angle[ROD]        = drawn_angle(p, q) - drawn_angle(P, Q);
    angle[OUTPUT]     = drawn_angle(O3, q) - drawn_angle(O3, Q);
}

// Mass centres and angles of all bodies: out [3 BODIES].
static void find_places(double crank, double *out)
{
    static const kane_vec3 centre[BODIES] = {
        {0.0, 0.0, 0.15}, {0.4, 0.0, 0.5}, {0.8, 0.0, 0.3}, {0.75, 0.0, 0.8}, {1.25, 0.0, 0.45}};
    static const kane_vec3 *const pin[BODIES] = {&O1, &A, &O2, &Q, &O3}; // of a body, whose place is known
    double angle[BODIES];
    find_angles(crank, angle);
    for (int i = 0; i < BODIES; i++) {
        const int on = i == COUPLER ? CRANK : i == ROD ? OUTPUT : -1; // which of the pins moves
        kane_vec3 at = *pin[i];
        for (int k = on; k >= 0; k = -1) {
            const kane_vec3 way = kv3_sub(at, *pin[k]);
            at                  = kv3_add(*pin[k], kv3(cos(angle[k]) * way.x - sin(angle[k]) * way.z, 0.0,
                                                       sin(angle[k]) * way.x + cos(angle[k]) * way.z));
        }
        const kane_vec3 arm = kv3_sub(centre[i], *pin[i]);
        out[3 * i]          = at.x + cos(angle[i]) * arm.x - sin(angle[i]) * arm.z;
        out[3 * i + 1]      = at.z + sin(angle[i]) * arm.x + cos(angle[i]) * arm.z;
        out[3 * i + 2]      = angle[i];
    }
}

// M = sum m c'.c' + J a'^2 of the crank's angle, and V = sum m g z
static double reduced_mass(double crank, double *potential)
{
    const double h = 1e-4;
    double p[4][3 * BODIES], here[3 * BODIES], M = 0.0;
    for (int k = 0; k < 4; k++)
        find_places(crank + h * (k < 2 ? k - 2 : k - 1), p[k]);
    find_places(crank, here);
    *potential = 0.0;
    for (int i = 0; i < 3 * BODIES; i++) {
        const double slope = (p[0][i] - 8.0 * p[1][i] + 8.0 * p[2][i] - p[3][i]) / (12.0 * h);
        M += (i % 3 < 2 ? 1.0 : 0.02) * slope * slope;
        *potential += i % 3 == 1 ? 9.81 * here[i] : 0.0;
    }
    return M;
}

// M a'' + 1/2 M' a'^2 + V' = 0
static double crank_acceleration(double crank, double rate)
{
    const double h = 1e-4;
    double V[2], none;
    const double before = reduced_mass(crank - h, &V[0]), after = reduced_mass(crank + h, &V[1]);
    return -(0.5 * (after - before) * rate * rate + V[1] - V[0]) / (2.0 * h) / reduced_mass(crank, &none);
}

static void open_example(mechanism *m, kane_model *model)
{
    CHECK_ERRORS errors = {0};
    *m                  = (mechanism){.model = model, .vehicle = {.name = "six-bar"}};
    m->work             = kane_work_create(model, &errors);
    m->y                = calloc((size_t)kane_model_state_count(model), sizeof *m->y);
    m->ydot             = calloc((size_t)kane_model_state_count(model), sizeof *m->ydot);
    (void)kane_initial_state(model, m->work, m->y, &errors);
    mechanism_eval(m, 0.0);
}

CHECK_TEST(a_six_bar_moves_as_plain_code_and_newton_say)
{
    const kane_settings settings                  = mechanism_settings(1e-12);
    CHECK_END(mechanism_close_all) mechanism user = {0}, newton = {0};
    open_example(&user, CHECK_GOOD(build_loop, KANE_CLOSED_USER));
    open_example(&newton, CHECK_GOOD(build_loop, KANE_CLOSED_NONE));
    mechanism_run(&user, &settings);
    for (int k = 1; k <= 20; k++) {
        const kane_work *work = mechanism_go(&user, 0.1 * k);
        double angle[BODIES], q[BODIES], rate[BODIES], acceleration[BODIES];
        for (int i = 0; i < BODIES; i++)
            (void)kane_get_joint(user.model, work, i, &q[i], &rate[i], &acceleration[i]);
        find_angles(q[CRANK], angle);
        check_near(remainder(q[CRANK] + q[COUPLER] - angle[COUPLER], 8.0 * atan(1.0)), 0.0, 1e-12);
        check_near(remainder(q[CRANK] + q[COUPLER] + q[ROD] - angle[ROD], 8.0 * atan(1.0)), 0.0, 1e-12);
        check_near(q[OUTPUT], angle[OUTPUT], 1e-12);
        check_relative(acceleration[CRANK], crank_acceleration(q[CRANK], rate[CRANK]), 1e-5);
        check_same(user.model, work, &newton, 1e-10);
        mechanism_check_jacobian(&user, 1e-6);
    }
}

// --- rows that follow from a closed form alone ---

CHECK_TEST(its_formula_alone_closes_a_loop)
{
    const kane_settings settings = mechanism_settings(1e-12);
    for (int form = 0; form < 2; form++) {
        CHECK_END(mechanism_close_all) mechanism pinned = {0}, alone = {0};
        open_four_bar(&pinned, KANE_CLOSED_NONE);
        (void)mechanism_four_bar(&alone);
        alone.constraints[0] = (kane_constraint_definition){.block      = {"loop", NULL},
                                                            .kind       = KANE_CONSTRAINT_USER,
                                                            .own        = &four_bar_kind,
                                                            .parameters = &four_bar,
                                                            .term_count = 3,
                                                            .terms      = of_four_bar};
        mechanism_open(&alone, (kane_constraint_form)form);
        mechanism_run(&alone, &settings);
        for (int k = 1; k <= 10; k++) {
            const kane_work *work = mechanism_go(&alone, 0.1 * k);
            check_same(alone.model, work, &pinned, 1e-9);
            mechanism_check_jacobian(&alone, 1e-6);
        }
    }
}

// --- evaluations use it, where libkane's choice of dependent coordinates is its own ---

static int calls;

static void count_calls(const void *data, kane_number time, const kane_number *u, kane_number *v)
{
    calls++;
    close_four_bar(data, time, u, v);
}

CHECK_TEST(an_evaluation_asks_it_once)
{
    kane_rows_kind counted                     = four_bar_kind;
    CHECK_END(mechanism_close_all) mechanism m = {0};
    kane_constraint_definition *pin            = mechanism_four_bar(&m);
    counted.closed                             = count_calls;
    pin->closed                                = KANE_CLOSED_USER;
    pin->own                                   = &counted;
    pin->parameters                            = &four_bar;
    pin->term_count                            = 3;
    pin->terms                                 = of_four_bar;
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    calls = 0;
    mechanism_eval(&m, 0.0);
    assert_int_equal(calls, 1);
}

// --- from a file, and what is wrong with it ---

static const char file[] =
    "{ \"kane\": \"mechanism 1\",\n"
    "  \"patterns\": { \"bar\": { \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1],\n"
    "    \"joint\": { \"type\": \"revolute\", \"axis\": [0, -1, 0], \"x_axis\": [1, 0, 0] } } },\n"
    "  \"bodies\": {\n"
    "    \"crank\": { \"like\": \"bar\", \"at\": [0, 0, 0.1], \"joint\": { \"at\": [0, 0, 0] } },\n"
    "    \"coupler\": { \"like\": \"bar\", \"at\": [0.4, 0, 0.4],"
    " \"joint\": { \"parent\": \"crank\", \"at\": [0, 0, 0.3] } },\n"
    "    \"rocker\": { \"like\": \"bar\", \"at\": [0.85, 0, 0.2], \"joint\": { \"at\": [0.9, 0, 0] } },\n"
    "    \"other\": { \"like\": \"bar\", \"at\": [2, 0, 0], \"joint\": { \"at\": [2.5, 0, 0] } } },\n"
    "  \"constraints\": {\n"
    "    \"pin\": { \"type\": \"spherical\", \"between\": [\"coupler\", \"rocker\"], \"at\": [0.8, 0, 0.5],\n"
    "      \"closed_form\": \"user\",\n"
    "      \"terms\": [{ \"body\": \"coupler\" }, { \"body\": \"rocker\" }, { \"body\": \"crank\" }],\n"
    "      \"rows\": { \"kind\": \"four-bar\", \"crank\": [0, 0, 0], \"link\": [0, 0, 0.3], \"pin\": [0.8, 0, 0.5],\n"
    "        \"ground\": [0.9, 0, 0] } } } }\n";

static void check_message(const char *find, const char *replace, const kane_rows_kind *kind, const char *expected)
{
    const kane_rows_kind *const rows[] = {kind, NULL};
    const kane_vehicle_options how     = {.kind = KANE_MECHANISM, .rows = rows};
    const kane_model_options options   = kane_model_options_default();
    const kane_drive_definition drive  = kane_drive_definition_default();
    CHECK_ERRORS errors                = {0};
    char text[4096], message[600] = "";
    const char *at = strstr(file, find);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - file), file, replace, at + strlen(find));
    write_file("loop.json", text);
    CHECK_OWNED(kane_vehicle) *read = kane_vehicle_read("loop.json", &how, &errors);
    CHECK_OWNED(kane_model) *model =
        read ? kane_model_create(kane_vehicle_get_definition(read), NULL, &drive, &options, &errors) : NULL;
    if (errors.count > 0)
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof message, message);
    assert_string_equal(message, expected);
    assert_int_equal(model != NULL, expected[0] == '\0');
}

CHECK_TEST(what_is_wrong_with_it_is_told)
{
    kane_rows_kind none = four_bar_kind, many = four_bar_kind;
    none.closed     = NULL;
    many.dependents = 4;
    check_message("user", "user", &four_bar_kind, "");
    check_message(
        "\"pin\": [0.8, 0, 0.5]", "\"pin\": [0.8, 0, 0.51]", &four_bar_kind,
        "loop.json:10:12: constraints.pin: beside the start the closed form of 'pin' leaves 0.000189 of its loop open");
    check_message( // stretched at the start: a solution on one side alone
        "\"link\": [0, 0, 0.3]", "\"link\": [0, 0, 3]", &four_bar_kind,
        "loop.json:10:12: constraints.pin: beside the start the closed form of 'pin' leaves 0.116 of its loop open");
    check_message("{ \"body\": \"crank\" }", "{ \"body\": \"other\" }", &four_bar_kind,
                  "loop.json:10:12: constraints.pin: "
                  "the closed form of 'pin' takes a coordinate of 'other', which its loops do not move");
    check_message("{ \"body\": \"crank\" }", "{ \"body\": \"coupler\" }", &four_bar_kind,
                  "loop.json:11:22: constraints.pin.closed_form: "
                  "the loop of 'pin' names a coordinate twice, so it has not this closed form; leave it out");
    check_message(", { \"body\": \"crank\" }", "", &four_bar_kind,
                  "loop.json:12:16: constraints.pin.terms: rows 'four-bar' take 3 coordinates in \"terms\", found 2");
    check_message(
        "\"user\"", "\"none\"", &four_bar_kind,
        "loop.json:12:16: constraints.pin.terms: is only used by \"linear\", \"function\", \"rates\" and \"user\"");
    check_message("\"rows\"", "\"note\": \"x\", \"row\"", &four_bar_kind,
                  "loop.json:13:20: constraints.pin.row: unknown key; did you mean 'rows'?");
    check_message("\"at\": [0.9, 0, 0] }",
                  "\"at\": [0.9, 0, 0], \"motion\": { \"angle\": { \"polynomial\": [0, 1] } } }", &four_bar_kind,
                  "loop.json:11:22: constraints.pin.closed_form: "
                  "the loop of 'pin' has a dependent coordinate that is prescribed, "
                  "so it has not this closed form; leave it out");
    check_message("user", "user", &none,
                  "loop.json:13:15: constraints.pin.rows: "
                  "user-defined rows 'four-bar': they have no closed form");
    check_message("user", "user", &many,
                  "loop.json:13:15: constraints.pin.rows: "
                  "user-defined rows 'four-bar': a closed form has 1 dependent coordinate at least, and at most all");
}

CHECK_MAIN(enter_folder, leave_folder)
