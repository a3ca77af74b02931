// SPDX-License-Identifier: MIT
// Mechanisms at the edges of what numbers can say: directions that nearly oppose z, numbers of any size, and what a run
// says where it comes to an end.

#include "runs.h"
#include "folder.h"
#include "models.h"
#include "unit/run/typed.h"

#include <sys/stat.h>
#include <unistd.h>

static const char run[] = "{ \"kane\": \"run 1\", \"mechanism\": \"m.json\", \"until\": { \"time\": 1 } }\n";

// A body on one joint; `joint` and `start` are written as in a file.
static void write_files(const char *gravity, const char *joint, const char *start)
{
    FILE *file = fopen("m.json", "w");
    assert_non_null(file);
    assert_true(fprintf(file,
                        "{ \"kane\": \"mechanism 1\", \"gravity\": %s, \"bodies\": { \"bob\": { \"mass\": 1,\n"
                        "  \"inertia\": [0.1, 0.2, 0.25], \"at\": [0.3, 0, -1],\n"
                        "  \"joint\": { \"at\": [0, 0, 0], %s },\n  \"start\": { %s } } } }\n",
                        gravity, joint, start) > 0);
    assert_int_equal(fclose(file), 0);
    file = fopen("r.json", "w");
    assert_non_null(file);
    assert_true(fputs(run, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// The axes are a rotation whose z axis is the direction, to all digits, and the turn there is the shortest: what is
// square to both z and the direction stays.
static void check_axis(double x, double y, double z)
{
    char joint[160];
    (void)snprintf(joint, sizeof joint, "\"type\": \"revolute\", \"axis\": [%.17g, %.17g, %.17g]", x, y, z);
    write_files("9.81", joint, "");
    CHECK_OWNED(kane_vehicle) *vehicle =
        CHECK_GOOD(kane_vehicle_read, "m.json", &(kane_vehicle_options){.kind = KANE_MECHANISM});
    const kane_mat3 A   = kane_vehicle_get_definition(vehicle)->bodies[0].joint->to.axes;
    const double most   = fmax(fabs(x), fmax(fabs(y), fabs(z)));
    const kane_vec3 n   = kv3(x / most, y / most, z / most);
    const kane_mat3 d   = km3_sub(km3_tmul(A, A), km3_identity());
    const kane_vec3 off = kv3_sub(kv3_scale(1.0 / kv3_norm(n), n), A.z);
    check_near(kv3_norm(d.x) + kv3_norm(d.y) + kv3_norm(d.z), 0.0, 4e-15);
    check_near(kv3_dot(A.x, kv3_cross(A.y, A.z)), 1.0, 4e-15);
    check_near(kv3_norm(off), 0.0, 4e-16);
    const kane_vec3 across = kv3(-n.y, n.x, 0.0);
    if (kv3_norm(across) > 0.0) {
        const kane_vec3 c = kv3_scale(1.0 / kv3_norm(across), across);
        check_near(kv3_norm(kv3_sub(km3_mulv(A, c), c)), 0.0, 1e-15);
    }
}

CHECK_TEST(axes_are_a_rotation_whatever_the_direction)
{
    static const double tilts[] = {0.0, 1e-300, 1e-16, 1e-12, 1e-9, 2e-8, 1e-7, 1e-6, 1e-4, 1e-2, 1.0, 100.0};
    for (size_t i = 0; i < sizeof tilts / sizeof *tilts; i++) {
        check_axis(tilts[i], 0.0, -1.0);
        check_axis(0.6 * tilts[i], -0.8 * tilts[i], -1.0);
        check_axis(0.6 * tilts[i], 0.8 * tilts[i], 1.0);
    }
    check_axis(0.0, 1e59, -1e59);
    check_axis(0.0, -1e-300, 1e-300);
}

static int has_text(const kane_errors *errors, const char *text)
{
    for (int i = 0; i < errors->kept; i++) {
        char line[1200];
        (void)kane_error_format(kane_errors_get(errors, i), sizeof line, line);
        if (strstr(line, text))
            return 1;
    }
    return 0;
}

// A run that comes to an end early says why. Files take no gravity as large as C does.
static void check_end(double gravity, const char *joint, const char *start, const char *why)
{
    CHECK_ERRORS errors = {0};
    write_files("9.81", joint, start);
    CHECK_OWNED(kane_run) *r          = run_read("r.json", NULL);
    const kane_run_definition *d      = kane_run_get_definition(r);
    kane_vehicle_definition mechanism = *d->vehicle;
    mechanism.gravity                 = gravity;
    CHECK_OWNED(kane_model) *model    = CHECK_GOOD(kane_model_create, &mechanism, NULL, &d->drive, &d->model);
    CHECK_OWNED(kane_simulation) *s   = kane_simulation_create(model, &d->settings, &d->conditions, &errors);
    while (s && errors.count == 0 && kane_simulation_time(s) < 1.0)
        (void)kane_simulation_advance(s, 1.0, &errors);
    if (!has_text(&errors, why)) {
        char text[1200] = "";
        if (errors.count > 0)
            (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
        fail_msg("expected: %s\nfound:    %s", why, text);
    }
}

CHECK_TEST(turns_that_are_locked_are_named)
{
    check_end(9.81, "\"type\": \"free\", \"dof\": [\"yaw\", \"roll\", \"pitch\"]", "\"roll\": \"90 deg\"",
              "the middle one of its three turns is a right angle");
}

// Infinite values are no singular inertia.
CHECK_TEST(what_is_not_finite_is_called_so)
{
    check_end(1e308, "\"type\": \"revolute\", \"axis\": [0, 1, 0]", "", "bob: its motion is not finite");
}

CHECK_TEST(a_track_is_not_set_for_a_mechanism)
{
    write_files("9.81", "\"type\": \"revolute\"", "");
    check_run_refused("r.json", (const char *const[]){"track.gauge=1", NULL},
                      "--set track.gauge=1: track: a mechanism stands on no track; what runs on one is a vehicle");
}

// Two bodies of 10^5 kg and levers down to nothing, coupled: what is held decides where all of them are.
CHECK_TEST(light_levers_on_heavy_bodies_are_assembled)
{
    static const char *const inertia[] = {"1e3", "1", "1e-2", "1e-4", "1e-6", "1e-9", "1e-12"};
    for (size_t i = 0; i < sizeof inertia / sizeof *inertia; i++) {
        CHECK_ERRORS errors = {0};
        FILE *file          = fopen("m.json", "w");
        double q[3];
        assert_non_null(file);
        assert_true(
            fprintf(
                file,
                "{ \"kane\": \"mechanism 1\", \"patterns\": {\n"
                "  \"heavy\": { \"mass\": 1e5, \"inertia\": [1e6, 1e6, 1e6] },\n"
                "  \"hinge\": { \"type\": \"revolute\", \"at\": [0, 0, 0], \"axis\": [0, 1, 0] } },\n"
                "  \"bodies\": {\n"
                "  \"a\": { \"like\": \"heavy\", \"at\": [0, 0, -1], \"joint\": { \"like\": \"hinge\" },\n"
                "    \"start\": { \"angle\": 0.3, \"fixed\": [\"angle\"] } },\n"
                "  \"b\": { \"like\": \"heavy\", \"at\": [0, 0, -1], \"joint\": { \"like\": \"hinge\" } },\n"
                "  \"lever\": { \"mass\": 0, \"inertia\": [%s, %s, %s], \"at\": [0, 0, 0],\n"
                "    \"joint\": { \"like\": \"hinge\" } } },\n"
                "  \"constraints\": {\n"
                "  \"rod\": { \"type\": \"linear\", \"terms\": [{ \"body\": \"a\" }, { \"body\": \"b\", \"factor\": -1 }] },\n"
                "  \"gear\": { \"type\": \"linear\", \"terms\": [{ \"body\": \"a\" }, { \"body\": \"lever\", \"factor\": 0.01 "
                "}] } } }\n",
                inertia[i], inertia[i], inertia[i]) > 0);
        assert_int_equal(fclose(file), 0);
        CHECK_OWNED(kane_vehicle) *v =
            kane_vehicle_read("m.json", &(kane_vehicle_options){.kind = KANE_MECHANISM}, &errors);
        const kane_drive_definition drive = kane_drive_definition_default();
        const kane_model_options options  = kane_model_options_default();
        check_no_errors(&errors);
        CHECK_OWNED(kane_model) *model =
            CHECK_GOOD(kane_model_create, kane_vehicle_get_definition(v), NULL, &drive, &options);
        CHECK_OWNED(kane_work) *work = kane_work_create(model, &errors);
        CHECK_MEMORY double *y       = calloc((size_t)kane_model_state_count(model), sizeof *y);
        assert_non_null(y);
        assert_int_equal(kane_initial_state(model, work, y, &errors), KANE_OK);
        for (int j = 0; j < 3; j++)
            (void)kane_get_joint(model, work, j, &q[j], NULL, NULL);
        check_near(q[0], 0.3, 1e-15); // projected once more at the start
        check_near(q[1], 0.3, 1e-10);
        check_near(q[2], -30.0, 1e-8);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
