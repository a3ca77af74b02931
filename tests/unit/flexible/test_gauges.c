// SPDX-License-Identifier: MIT
// Gauges on beams: what a section carries under balanced loads is what statics says of the cut beam; the stress in a
// fibre; channels show what the modes say; broken gauges are refused.

#include "flexible_models.h"

#include "folder.h"

#define SECTION "\"A\":0.01,\"Iy\":2e-5,\"Iz\":9e-6,\"J\":3e-5,\"shear\":0.4"
#define POINTS  "\"interfaces\":{\"near\":{\"at\":[0.1,0.2,0.1]},\"far\":{\"at\":[2.2,2.5,0.9]}}"

// Askew, along (2, 2, 1), its section's z along (1, -1, 0) as far as it can; 3 m long in 4 elements.
static kane_flexible *read_beam(const char *gauges, kane_errors *errors)
{
    char text[2048];
    (void)snprintf(
        text, sizeof text,
        "{\"kane\":\"flexible 1\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":[2,2,1],\"up\":[1,-1,0],\"count\":4," SECTION
        "}}," POINTS ",\"gauges\":{%s},\"modes\":{\"kind\":\"free+attachment\",\"count\":4}}",
        gauges);
    write_file("beam.json", text);
    return kane_flexible_read("beam.json", NULL, errors);
}

static const kane_deformable_gauge *find(const kane_deformable *shape, const char *name)
{
    for (int i = 0; i < shape->gauge_count; i++)
        if (strcmp(shape->gauges[i].name, name) == 0)
            return &shape->gauges[i];
    fail_msg("there is no gauge %s", name);
    return NULL;
}

// Force and torque at the far point, which the near one balances; modes at rest.
static void deflect(const kane_deformable *shape, kane_vec3 force, kane_vec3 torque, double *q)
{
    const int n                    = shape->mode_count;
    const kane_deformable_point *p = shape->points;
    const kane_vec3 back           = kv3_neg(kv3_add(torque, kv3_cross(kv3_sub(p[1].at, p[0].at), force)));
    for (int i = 0; i < n; i++) {
        double load = 0.0;
        for (int axis = 0; axis < 3; axis++)
            load += (p[1].S[axis * n + i] - p[0].S[axis * n + i]) * kv3_get(force, axis) +
                    p[1].Psi[axis * n + i] * kv3_get(torque, axis) + p[0].Psi[axis * n + i] * kv3_get(back, axis);
        q[i] = load / shape->stiffness[i * n + i];
    }
}

static double reading(const kane_deformable *shape, const char *name, const double *q)
{
    const kane_deformable_gauge *g = find(shape, name);
    double sum                     = 0.0;
    for (int i = 0; i < shape->mode_count; i++)
        sum += g->by[i] * q[i];
    return sum;
}

CHECK_TEST(a_section_carries_what_is_beyond_it)
{
    static const char *const names[6] = {"g.force.x",  "g.force.y",  "g.force.z",
                                         "g.torque.x", "g.torque.y", "g.torque.z"};
    const double r = sqrt(0.5), y = 0.07, z = -0.04;
    const kane_vec3 x = kv3(2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0), up = kv3(r, -r, 0.0), side = kv3_cross(up, x);
    uint64_t seed = 5;
    // the far point hangs on the last node, the near one on the first; a gauge in the first element, at a node, and in
    // the last one
    for (int place = 0; place < 3; place++) {
        char gauge[128];
        const double at = place == 0 ? 0.2 : place == 1 ? 1.5 : 3.0;
        (void)snprintf(gauge, sizeof gauge, "\"g\":{\"beam\":\"b\",\"at\":%g,\"fibre\":[%g,%g]}", at, y, z);
        CHECK_OWNED(kane_flexible) *m = CHECK_GOOD(read_beam, gauge);
        const kane_flexible_data *d   = kane_flexible_get_data(m);
        for (int load = 0; load < 4; load++) {
            const kane_vec3 force = random_vector(&seed, 1000.0), torque = random_vector(&seed, 500.0);
            const kane_vec3 arm    = kv3_sub(kv3(2.2, 2.5, 0.9), kv3_scale(at, x)),
                            about  = kv3_add(torque, kv3_cross(arm, force));
            const double wanted[6] = {kv3_dot(force, x), kv3_dot(force, side), kv3_dot(force, up),
                                      kv3_dot(about, x), kv3_dot(about, side), kv3_dot(about, up)};
            double q[64], found[6];
            assert_true(d->mode_count <= 64);
            deflect(&d->shape, force, torque, q);
            for (int k = 0; k < 6; k++) {
                found[k] = reading(&d->shape, names[k], q);
                check_near(found[k], wanted[k], 1e-5);
            }
            // strain u' + z theta_y' - y theta_z'
            check_near(reading(&d->shape, "g.stress", q),
                       wanted[0] / 0.01 + wanted[4] * z / 2e-5 - wanted[5] * y / 9e-6, 1.0);
        }
    }
}

// A bar that is pulled is longer by F L / (E A); between nodes askew to it, beside it: solid elements, whose Poisson's
// ratio narrows them.
CHECK_TEST(a_strain_is_the_force_over_stiffness_and_section)
{
    const double F = 1e5;
    double q[64];
    kane_flexible *m            = CHECK_GOOD(read_beam, "\"g\":{\"from\":[0.5,0.5,0.25],\"to\":[1.5,1.5,0.75]}");
    const kane_flexible_data *d = kane_flexible_get_data(m);
    const kane_vec3 x           = kv3(2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0);
    deflect(&d->shape, kv3_scale(F, x), kv3_zero(), q);
    // the far point is off the axis: what it adds in bending leaves the axis as long as it is
    check_near(reading(&d->shape, "g.strain", q), F / (210e9 * 0.01), 1e-9 * F / (210e9 * 0.01));
    kane_flexible_free(m);

    char text[1024];
    const char *const folder_of = KANE_SOURCE_DIR "/data/flexible/block";
    (void)snprintf(
        text, sizeof text,
        "{\"kane\":\"flexible 1\",\"matrices\":{\"format\":\"calculix\",\"nodes\":\"%s.inp\",\"unknowns\":\"%s.dof\","
        "\"stiffness\":\"%s.sti\",\"mass\":\"%s.mas\"},\"interfaces\":{\"near\":{\"at\":[0,0.05,0.03],\"radius\":0.06},"
        "\"far\":{\"at\":[0.8,0.05,0.03],\"radius\":0.06}},\"gauges\":{\"g\":{\"from\":[0.3,0,0],\"to\":[0.5,0,0]},"
        "\"across\":{\"from\":[0.4,0,0],\"to\":[0.4,0.1,0]}},\"modes\":{\"kind\":\"free+attachment\",\"count\":10}}",
        folder_of, folder_of, folder_of, folder_of);
    write_file("block.json", text);
    m = CHECK_GOOD(kane_flexible_read, "block.json", NULL);
    d = kane_flexible_get_data(m);
    assert_true(d->mode_count <= 64);
    deflect(&d->shape, kv3(F, 0.0, 0.0), kv3_zero(), q);
    const double strain = F / (210e9 * 0.1 * 0.06);
    check_near(reading(&d->shape, "g.strain", q), strain, 1e-6 * strain);
    check_near(reading(&d->shape, "across.strain", q), -0.3 * strain, 1e-6 * strain);
    kane_flexible_free(m);
}

CHECK_TEST(channels_show_what_modes_say)
{
    static const char mechanism[] =
        "{\"kane\":\"mechanism 1\",\"bodies\":{\"rod\":{\"mass\":235.5,\"inertia\":[100,100,100],\"at\":[1,1,0.5],\"flexible\":"
        "\"beam.json\",\"start\":{\"rates\":{\"z\":0.3}}}},\"elements\":{\"s\":{\"law\":\"bushing\",\"between\":[\"ground\",\"rod\"],"
        "\"at\":[0.1,0.2,0.1],\"stiffness\":[1e6,1e6,1e6],\"rotational_stiffness\":[1e5,1e5,1e5]}}}";
    static char text[1024];
    CHECK_OWNED(kane_flexible) *m = CHECK_GOOD(read_beam, "\"g\":{\"beam\":\"b\",\"at\":1.1}");
    const kane_flexible_data *d   = kane_flexible_get_data(m);
    const double *J               = d->inertia;
    (void)snprintf(text, sizeof text, "bodies.rod.inertia=[%.17g,%.17g,%.17g,%.17g,%.17g,%.17g]", J[0], J[1], J[2],
                   J[3], J[4], J[5]);
    write_file("mechanism.json", mechanism);
    const kane_vehicle_options how    = {.kind = KANE_MECHANISM, .settings = (const char *const[]){text, NULL}};
    CHECK_OWNED(kane_vehicle) *v      = CHECK_GOOD(kane_vehicle_read, "mechanism.json", &how);
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    const kane_settings settings      = kane_settings_default();
    const kane_conditions conditions  = {.time = 0.1};
    CHECK_OWNED(kane_model) *model =
        CHECK_GOOD(kane_model_create, kane_vehicle_get_definition(v), NULL, &drive, &options);
    CHECK_OWNED(kane_simulation) *s      = CHECK_GOOD(kane_simulation_create, model, &settings, &conditions);
    static const char *const patterns[]  = {"rod.g.torque.y", "rod.mode *.joint.travel"};
    CHECK_OWNED(kane_channels) *channels = CHECK_GOOD(kane_channels_create, s, 2, patterns, NULL);
    (void)CHECK_GOOD(kane_simulation_advance, s, 0.03);
    double values[64], sum = 0.0;
    const int count = kane_channels_count(channels);
    assert_int_equal(kane_channels_read(channels, s, values), KANE_OK);
    int at = -1;
    for (int i = 0; i < count; i++)
        at = strcmp(kane_channels_info(channels, i)->name, "rod.g.torque.y") == 0 ? i : at;
    assert_true(at >= 0 && count == d->mode_count + 1);
    for (int i = 0, k = 0; i < count; i++)
        sum += i == at ? 0.0 : find(&d->shape, "g.torque.y")->by[k++] * values[i];
    assert_true(fabs(sum) > 0.1);
    check_near(values[at], sum, 1e-9 * fabs(sum));
}

CHECK_TEST(broken_gauges_are_refused)
{
    static const char *const rows[][2] = {
        {"\"g\":{\"beam\":\"c\",\"at\":1}", "gauges.g.beam: there is no beam 'c'"},
        {"\"g\":{\"beam\":\"b\",\"at\":3.1}", "gauges.g.at: 3.1 is beyond the end of the beam, which is 3 m long"},
        {"\"g\":{\"beam\":\"b\",\"at\":1,\"fibre\":[1,2,3]}", "gauges.g.fibre: has 3 numbers; needs 2"},
        {"\"g\":{\"beam\":\"b\",\"at\":-1}", "must not be negative"},
        {"\"g\":{\"at\":1}", "gauges.g.at: is for a gauge with a \"beam\""},
        {"\"g\":{\"beam\":\"b\"}", "gauges.g: needs \"beam\" and \"at\", or \"from\" and \"to\""},
        {"\"g\":{\"from\":[0,0,0]}", "gauges.g: needs \"beam\" and \"at\", or \"from\" and \"to\""},
        {"\"g\":{\"beam\":\"b\",\"at\":1,\"to\":[0,0,0]}", "gauges.g.to: is for a gauge without a \"beam\""},
        {"\"g\":{\"from\":[0,0,0],\"to\":[0.1,0,0]}", "gauges.g.to: ends at the node where it begins, (0, 0, 0)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_ERRORS errors = {0};
        char said[1024]     = "";
        kane_flexible *m    = read_beam(rows[i][0], &errors);
        if (errors.count > 0)
            (void)kane_error_format(kane_errors_get(&errors, 0), sizeof said, said);
        if (m || !strstr(said, rows[i][1]))
            fail_msg("\"%s\" instead of \"%s\"", said, rows[i][1]);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
