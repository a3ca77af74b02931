// SPDX-License-Identifier: MIT
// The rope of PyMbs's benchmark, recorded: 3 m, 500 kg/m^3, radius .1 m, in n equal parts on planar hinges with a
// damping of .2 N m s. All moves in a plane, which the tape finds: what is zero out of it folds away. Operations grow
// with n, not with its square as those of PyMbs's recursive scheme do, 3.5 n^2 + 71.5 n + 35.

#include "check.h"

#include <kane/kane.h>
#include <kane/laws.h>

#include "record/record.h"

enum { PARTS_MOST = 200 };

typedef struct rope {
    kane_vehicle_definition vehicle;
    kane_body_definition bodies[PARTS_MOST];
    kane_joint_definition joints[PARTS_MOST];
    kane_element_definition dampers[PARTS_MOST];
    char name[PARTS_MOST][16], damper[PARTS_MOST][16];
    kane_bushing damping;
} rope;

static void build(rope *r, int parts)
{
    const double length = 3.0 / parts, radius = 0.1, pi = 3.14159265358979323846;
    const double mass  = 500.0 * pi * radius * radius * length;
    const double along = 0.5 * mass * radius * radius, across = mass * (3.0 * radius * radius + length * length) / 12.0;
    *r         = (rope){.damping = {.rotational_damping = {0.0, 0.2, 0.0}}};
    r->vehicle = (kane_vehicle_definition){.name          = "rope",
                                           .gravity       = 9.81,
                                           .body_count    = parts,
                                           .bodies        = r->bodies,
                                           .element_count = parts,
                                           .elements      = r->dampers};
    for (int i = 0; i < parts; i++) {
        const kane_vec3 at = kv3(length * i, 0.0, 0.0);
        const char *before = i ? r->name[i - 1] : NULL;
        (void)snprintf(r->name[i], sizeof r->name[i], "part %d", i + 1);
        (void)snprintf(r->damper[i], sizeof r->damper[i], "damper %d", i + 1);
        r->joints[i] = (kane_joint_definition){
            .block  = {r->name[i], NULL},
            .kind   = KANE_JOINT_REVOLUTE,
            .parent = before,
            .from   = {.at = at, .axes = {{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}}}, // about y
            .to     = {.at = at, .axes = {{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}}}};
        r->bodies[i]  = (kane_body_definition){.block    = {r->name[i], NULL},
                                               .mass     = mass,
                                               .inertia  = {along, across, across},
                                               .position = kv3(length * (i + 0.5), 0.0, 0.0),
                                               .dof      = KANE_ALL_DOF,
                                               .joint    = &r->joints[i]};
        r->dampers[i] = (kane_element_definition){.block      = {r->damper[i], NULL},
                                                  .law        = &kane_law_bushing,
                                                  .parameters = &r->damping,
                                                  .between    = {before, r->name[i]},
                                                  .at         = {at, at},
                                                  .preload    = KANE_PRELOAD_GIVEN};
    }
}

// A chain of hinges about x and y in turn, whose links are symmetric about nothing.
static void build_chain(rope *r, int parts)
{
    build(r, parts);
    r->vehicle.element_count = 0;
    for (int i = 0; i < parts; i++) {
        const kane_vec3 at   = kv3(0.0, 0.0, -0.3 * i);
        const kane_mat3 axes = i % 2 == 0 ? (kane_mat3){{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}}
                                          : (kane_mat3){{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
        r->joints[i].from = r->joints[i].to = (kane_attachment){.at = at, .axes = axes};
        r->bodies[i].position               = kv3_add(at, kv3(0.1, 0.2, 0.3));
        r->bodies[i].mass                   = 1.0 + 0.1 * i;
        r->bodies[i].inertia[0]             = 0.01;
        r->bodies[i].inertia[1]             = 0.02;
        r->bodies[i].inertia[2]             = 0.025;
    }
}

static kane_recording *record(void (*make)(rope *, int), int parts)
{
    static rope r;
    char text[900];
    CHECK_ERRORS errors         = {0};
    kane_drive_definition drive = kane_drive_definition_default();
    kane_model_options options  = kane_model_options_default();
    kane_record_options how     = kane_record_options_default();
    make(&r, parts);
    CHECK_OWNED(kane_model) *model = kane_model_create(&r.vehicle, NULL, &drive, &options, &errors);
    kane_recording *recording      = model ? kane_record_create(model, &how, &errors) : NULL;
    if (!recording) {
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
        fail_msg("%s", text);
    }
    return recording;
}

// Bytes of its source; KANE_ROPE names a folder that keeps it.
static long bytes(const kane_recording *r, kane_emit_target target, int parts)
{
    const char *folder          = getenv("KANE_ROPE");
    const kane_emit_options how = {.function = "rope", .lanes = 1};
    char name[300];
    (void)snprintf(name, sizeof name, "%s/rope%d.%s", folder ? folder : "", parts, kane_emit_targets[target]);
    FILE *f = folder ? fopen(name, "w+") : tmpfile();
    assert_non_null(f);
    kane_record_emit(r, target, &how, f);
    const long size = ftell(f);
    (void)fclose(f);
    return size;
}

CHECK_TEST(operations_grow_with_the_number_of_parts)
{
    static const int counts[] = {2, 4, 8, 20, 40, 60, 100, 200};
    int before = 0, parts = 0;
    double slope = 0.0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const int n       = counts[i];
        kane_recording *r = record(build, n);
        print_message("%3d parts: %6d operations, PyMbs %8.0f; bytes of C %ld, of Python %ld\n", n, r->operations,
                      3.5 * n * n + 71.5 * n + 35.0, bytes(r, KANE_EMIT_C, n), bytes(r, KANE_EMIT_PYTHON, n));
        assert_int_equal(r->tape.condition_count, 0);
        if (n >= 40)
            assert_true(r->operations < 3.5 * n * n + 71.5 * n + 35.0);
        if (n > 8) { // a part costs what a part costs
            const double now = (r->operations - before) / (double)(n - parts);
            if (slope > 0.0)
                assert_true(fabs(now - slope) <= 0.01 * slope); // places of joints are rounded
            slope = now;
        }
        before = r->operations;
        parts  = n;
        kane_record_free(r);
    }
}

CHECK_TEST(a_chain_of_20_hinges_takes_few_operations)
{
    kane_recording *r = record(build_chain, 20);
    print_message("chain of 20: %d operations\n", r->operations);
    assert_true(r->operations <= 9500);
    assert_true(r->operations > 5000);
    kane_record_free(r);
}

CHECK_MAIN(NULL, NULL)
