// SPDX-License-Identifier: MIT
// The mechanisms that libkane ships: their freedoms and what of them is redundant, how their loops close at the start,
// and the accelerations of L15.

#include "runs.h"
#include "models.h"

#include "model/model.h"
#include "tree_samples.h"

#include <dirent.h>

static kane_model *open_mechanism(const char *name, const char *variant)
{
    char file[1024];
    const kane_vehicle_options how    = {.kind = KANE_MECHANISM, .variant = variant, .variant_place = {"", 0, 0, ""}};
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    (void)snprintf(file, sizeof file, "%s/data/mechanisms/%s.json", KANE_SOURCE_DIR, name);
    CHECK_OWNED(kane_vehicle) *mechanism = CHECK_GOOD(kane_vehicle_read, file, &how);
    kane_model *model = CHECK_GOOD(kane_model_create, kane_vehicle_get_definition(mechanism), NULL, &drive, &options);
    return model;
}

// Coordinate and speed of the only freedom of a body's joint at the start.
static double angle_of(const kane_model *model, const char *body)
{
    return model->start_q[model->tree.links[model->bodies[kane_model_find_body(model, body)].link].q];
}

static double rate_of(const kane_model *model, const char *body)
{
    return model->start_v[model->tree.links[model->bodies[kane_model_find_body(model, body)].link].v];
}

CHECK_TEST(their_freedoms_are_counted)
{
    static const struct {
        const char *name;
        int bodies, dof, redundant; // redundant: constraints
    } rows[] = {
        {"bench", 1, 0, 0},        {"bricard", 5, 1, 1},         {"crane", 2, 2, 0},       {"four-bar", 3, 1, 1},
        {"heavy-top", 1, 3, 0},    {"knife-edge", 1, 2, 0},      {"l15", 15, 60, 0},       {"pendulum", 1, 1, 0},
        {"rolling-disc", 1, 3, 0}, {"slider-crank", 3, 1, 1},    {"squeezer", 7, 1, 3},    {"two-loops", 5, 1, 2},
        {"foucault", 1, 3, 0},     {"ship-crane", 1, 3, 0},      {"turntable", 1, 6, 0},   {"block", 13, 16, 0},
        {"blade", 23, 20, 0},      {"flexible-crank", 14, 7, 0}, {"rear-corner", 1, 1, 0}, {"sedan", 14, 14, 0},
        {"three-bar", 3, 1, 1},    {"steering", 3, 1, 1},        {"hexapod", 13, 6, 0},    {"centrifuge", 1, 1, 0},
    };
    int files = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_OWNED(kane_model) *model = open_mechanism(rows[i].name, NULL);
        if (kane_model_body_count(model) != rows[i].bodies || kane_model_dof_count(model) != rows[i].dof ||
            kane_model_redundant_count(model) != rows[i].redundant)
            fail_msg("%s: %d bodies, %d freedoms, %d redundant constraints", rows[i].name, kane_model_body_count(model),
                     kane_model_dof_count(model), kane_model_redundant_count(model));
    }
    DIR *folder = opendir(KANE_SOURCE_DIR "/data/mechanisms");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        files += strstr(entry->d_name, ".json") != NULL;
    (void)closedir(folder);
    assert_int_equal(files, sizeof rows / sizeof *rows);
}

// What is on a wagon does not change what it is: one freedom more than the wagon alone has, and its weight on the
// wheels.
CHECK_TEST(a_four_bar_rides_on_the_wagon)
{
    double load[2], sum = 0.0, mass = 0.0;
    CHECK_OWNED(kane_run) *run     = run_read("wagon-four-bar", NULL);
    const kane_run_definition *d   = kane_run_get_definition(run);
    CHECK_OWNED(kane_model) *model = run_model(d);
    assert_int_equal(kane_model_dof_count(model), 18);
    for (int j = 0; j < d->vehicle->body_count; j++) {
        mass += d->vehicle->bodies[j].mass;
        if (kane_model_wheel_load(model, j, load) == KANE_OK)
            sum += load[0] + load[1];
    }
    check_relative(sum, 9.81 * mass, 1e-9);
}

// Crank at 60 degrees: where circles of 0.6 m about its end and of 0.5 m about the rocker's joint meet.
CHECK_TEST(the_four_bar_closes)
{
    static const char *const variants[] = {NULL, "closed form"};
    const double pi                     = acos(-1.0);
    for (int i = 0; i < 2; i++) {
        CHECK_OWNED(kane_model) *model = open_mechanism("four-bar", variants[i]);
        const double crank = angle_of(model, "crank"), coupler = crank + angle_of(model, "coupler"),
                     rocker = angle_of(model, "rocker");
        check_near(crank, pi / 3.0, 1e-15);
        check_near(coupler, 0.559317137783222, 1e-12); // 32.0465 degrees
        check_near(rocker, 1.754689856597079, 1e-12);  // 100.5363 degrees
        check_near(0.2 * cos(crank) + 0.6 * cos(coupler), 0.7 + 0.5 * cos(rocker), 1e-12);
        check_near(0.2 * sin(crank) + 0.6 * sin(coupler), 0.5 * sin(rocker), 1e-12);
        const double w = rate_of(model, "crank"), w_coupler = w + rate_of(model, "coupler"),
                     w_rocker = rate_of(model, "rocker");
        check_near(w, 6.0, 1e-15);
        check_near(0.2 * sin(crank) * w + 0.6 * sin(coupler) * w_coupler, 0.5 * sin(rocker) * w_rocker, 1e-12);
        check_near(0.2 * cos(crank) * w + 0.6 * cos(coupler) * w_coupler, 0.5 * cos(rocker) * w_rocker, 1e-12);
    }
}

// In the dead centre the slider stands still and the rod turns back, half as fast as the crank.
CHECK_TEST(the_slider_crank_begins_in_its_dead_centre)
{
    CHECK_OWNED(kane_model) *model = open_mechanism("slider-crank", NULL);
    check_near(rate_of(model, "crank"), 150.0, 1e-12);
    check_near(rate_of(model, "rod"), -225.0, 1e-9);
    check_near(rate_of(model, "slider"), 0.0, 1e-9);
    check_near(angle_of(model, "rod"), 0.0, 1e-12);
}

// The published angles close its three loops; what is found stays with them.
CHECK_TEST(the_squeezer_begins_where_it_should)
{
    static const double published[7] = {-0.0617138900142764496, 0.0,
                                        0.455279819163070380,   0.222668390165885885,
                                        0.487364979543842550,   -0.222668390165885885,
                                        1.23054744454982120};
    CHECK_OWNED(kane_model) *model   = open_mechanism("squeezer", NULL);
    for (int i = 0; i < 7; i++) {
        char name[3] = {'K', (char)('1' + i), '\0'};
        check_near(angle_of(model, name), published[i], 1e-14);
        check_near(rate_of(model, name), 0.0, 0.0);
    }
}

// Rockers stay parallel, couplers level.
CHECK_TEST(both_loops_begin_parallel)
{
    static const char *const names[] = {"rocker 0", "rocker 1", "rocker 2", "coupler 1", "coupler 2"};
    CHECK_OWNED(kane_model) *model   = open_mechanism("two-loops", NULL);
    for (int i = 0; i < 5; i++) {
        check_near(angle_of(model, names[i]), 0.0, 1e-14);
        check_near(rate_of(model, names[i]), i < 3 ? 1.0 : -1.0, 1e-13);
    }
}

// From the file and from a tree made by hand (which tests/unit/tree compares with three other programs).
CHECK_TEST(l15_accelerates_as_the_tree_made_by_hand)
{
    static sample_tree s;
    double by_hand[L15_FREEDOMS], sum = 0.0;
    kane_tree_work work;
    sample_l15(&s);
    sample_start(&s);
    assert_int_equal(kane_tree_solve(&s.tree, sample_all(&s), &s.work), -1);
    for (int i = 0; i < s.tree.link_count; i++)
        kane_tree_accelerations(&s.tree, i, &s.base, &s.work, by_hand + s.links[i].q);

    kane_model *model            = open_mechanism("l15", NULL);
    const kane_tree *tree        = &model->tree;
    const kane_links all         = {0, tree->link_count};
    const kane_moving_frame base = {.a = kv3(0.0, 0.0, model->gravity)};
    const kane_body *bodies      = model->bodies;
    assert_int_equal(tree->q_count, L15_FREEDOMS);
    assert_int_equal(kane_tree_work_create(tree, model->arena, &work), 1);
    memcpy(work.q, model->start_q, (size_t)tree->q_count * sizeof *work.q);
    memcpy(work.v, model->start_v, (size_t)tree->v_count * sizeof *work.v);
    kane_tree_place(tree, all, &work);
    kane_tree_move(tree, all, &base, &work);
    assert_int_equal(kane_tree_solve(tree, all, &work), -1);
    for (int j = 0, k = 0; j < model->body_count; j++) { // bodies are in the order of the tree made by hand
        double q_ddot[6];
        kane_tree_accelerations(tree, bodies[j].link, &base, &work, q_ddot);
        for (int i = 0; i < tree->links[bodies[j].link].q_count; i++, k++) {
            check_near(q_ddot[i], by_hand[k], 1e-12);
            sum += q_ddot[i] * q_ddot[i];
        }
    }
    check_near(sum, 96.2394682954682, 1e-11);
    kane_model_free(model);
    sample_free(&s);
}

CHECK_MAIN(NULL, NULL)
