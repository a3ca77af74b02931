// SPDX-License-Identifier: MIT
// Reactions one by one are what they are among all of them: in every case of joint and constraint, in every mechanism
// and vehicle that comes along, in both forms; undetermined ones alike; without memory, and without what was observed
// before.

#include "runs.h"
#include "allocation.h"

#include "property/mechanism/cases.h"

#include <kane/run.h>

enum { MOST = 2000 };

// All reactions of a model.
static int list_all(const kane_model *model, kane_reaction list[MOST])
{
    int count = 0;
    for (int c = 0; c < model->closure_count; c++)
        for (int row = 0; row < model->closures[c].row_count; row++)
            list[count++] = (kane_reaction){KANE_REACTION_CONSTRAINT, c, row};
    for (int c = 0; c < model->closure_count; c++)
        for (int part = 0; part < 2 && model->closures[c].kind == KANE_CONSTRAINT_ROD; part++)
            list[count++] = (kane_reaction){KANE_REACTION_ROD, c, part};
    for (int j = 0; j < model->body_count; j++)
        for (int part = 0; part < 6; part++) {
            list[count++] = (kane_reaction){KANE_REACTION_JOINT, j, part};
            list[count++] = (kane_reaction){KANE_REACTION_FREEDOM, j, part};
        }
    assert_true(count <= MOST);
    return count;
}

// The same among all, after kane_observe.
static double among_all(const kane_model *model, const kane_work *work, kane_reaction r)
{
    double multipliers[6];
    kane_wrench w;
    switch (r.kind) {
    case KANE_REACTION_CONSTRAINT:
        (void)kane_get_constraint(model, work, r.of, multipliers);
        return multipliers[r.part];
    case KANE_REACTION_ROD: kane_get_rod_force(model, work, r.of, multipliers); return multipliers[r.part];
    case KANE_REACTION_JOINT:
        w = kane_get_joint_reaction(model, work, r.of);
        return kv3_get(r.part < 3 ? w.force : w.torque, r.part % 3);
    case KANE_REACTION_FREEDOM: return kane_get_reaction(model, work, r.of, (kane_coordinate)r.part);
    }
    return 0.0;
}

static void check_one(const char *name, kane_reaction r, double one, double all, double size)
{
    const int is_same = isnan(all) ? isnan(one) : fabs(one - all) <= check_tolerance(1e-10 * size);
    if (!is_same) {
        print_error("%s: reaction %d, %d of %d: alone %.15g, among all %.15g\n", name, r.kind, r.part, r.of, one, all);
        fail();
    }
}

// Evaluated in a work that has never seen more of this state than kane_eval.
static void check_choices(const kane_model *model, const kane_work *seen, double t, const double *y, const char *name)
{
    static kane_reaction list[MOST];
    static double all[MOST], values[MOST];
    CHECK_ERRORS errors = {0};
    const int count     = list_all(model, list);
    kane_work *work     = kane_work_create(model, &errors);
    double *ydot = calloc((size_t)model->state_count, sizeof *ydot), size = 1.0; // weights are no less
    for (int k = 0; k < count; k++) {
        all[k] = among_all(model, seen, list[k]);
        size   = isnan(all[k]) ? size : fmax(size, fabs(all[k]));
        assert_int_equal(isnan(all[k]) != 0, !kane_reaction_is_determined(model, list[k]));
    }
    double *from = calloc((size_t)model->state_count, sizeof *from);
    assert_int_equal(kane_initial_state(model, work, from, &errors), KANE_OK); // leaves something else in the work
    kane_work_copy(model, seen, work);
    assert_int_equal(kane_eval(model, work, t, y, ydot), KANE_OK);
    for (int step = 0; step < 3; step++) // each alone, every seventh of them, all at once
        for (int first = 0; first < (step == 0 ? count : step == 1 ? 7 : 1); first++) {
            static kane_reaction chosen[MOST];
            int n = 0;
            for (int k = first; k < (step == 0 ? first + 1 : count); k += step == 1 ? 7 : 1)
                chosen[n++] = list[k];
            kane_reactions *r = kane_reactions_create(model, n, chosen, &errors);
            assert_non_null(r);
            allocation_fail_at(0);
            kane_reactions_eval(r, model, work, values);
            (void)allocation_stop();
            assert_int_equal(allocation_count(), 0);
            for (int k = 0; k < n; k++)
                check_one(name, chosen[k], values[k], all[step == 0 ? first : first + k * (step == 1 ? 7 : 1)], size);
            kane_reactions_free(r);
        }
    free(from);
    free(ydot);
    kane_work_free(work);
    assert_int_equal(errors.count, 0);
}

static void choose(ride *a, const test_case *c, int way)
{
    (void)way;
    ride_see(a);
    check_choices(a->model, a->work, a->t, a->y, c->name);
}

CHECK_TEST(in_every_case)
{
    check_every_ride(CASES, 0.02, choose);
}

// A relation of a coordinate that counts against a jointed parent, of a body with all six freedoms: it pushes both.
CHECK_TEST(where_a_free_body_is_related_to_what_it_hangs_on)
{
    static rig r;
    const kane_mat3 across = {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
    rig_begin_vehicle(&r);
    const int crank =
        rig_link(&r, "crank", 120.0, kv3(3.2, 0.5, 0.5), "bogie", KANE_JOINT_REVOLUTE, kv3(3.2, 0.4, 0.9), across);
    (void)rig_link(&r, "block", 50.0, kv3(3.3, 0.6, 0.2), "crank", KANE_JOINT_FREE, kv3(3.3, 0.6, 0.3), rig_turned());
    (void)rig_link(&r, "wheel", 90.0, kv3(4.6, 0.3, 0.7), "bogie", KANE_JOINT_REVOLUTE, kv3(4.6, 0.2, 0.8),
                   rig_turned());
    rig_start(&r, crank, 0, 0.2, 0.8);
    rig_bushing(&r, "block held", "crank", "block", kv3(3.3, 0.6, 0.25), 3e4, 6e3, 50.0 * 9.81);
    (void)rig_relate(&r, "relation", KANE_CONSTRAINT_LINEAR, "block", 1.0, "wheel", 0.4);
    r.terms[0][0].coordinate       = "x";
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    for (int form = 0; form < 2; form++) {
        CHECK_END(ride_free) ride a = {0};
        ride_create(&a, &r, track, (ride_options){.start = 40.0, .form = (kane_constraint_form)form});
        check_choices(a.model, a.work, a.t, a.y, "free body");
        assert_true(fabs(a.work->multiplier[0][0]) > 0.1);
    }
}

CHECK_TEST(in_all_that_comes_along)
{
    static const char *const names[] = {"mechanism-bench",        "mechanism-bricard",
                                        "mechanism-crane",        "mechanism-flexible-crank",
                                        "mechanism-four-bar",     "mechanism-heavy-top",
                                        "mechanism-l15",          "mechanism-knife-edge",
                                        "mechanism-pendulum",     "mechanism-rolling-disc",
                                        "mechanism-slider-crank", "mechanism-squeezer",
                                        "mechanism-two-loops",    "motor-wagon",
                                        "wagon-four-bar"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int form = 0; form < 2; form++) {
            CHECK_ERRORS errors             = {0};
            CHECK_OWNED(kane_run) *run      = run_read(names[i], NULL);
            kane_run_definition d           = *kane_run_get_definition(run);
            const kane_conditions forever   = {.time = 100.0};
            d.model.form                    = (kane_constraint_form)form;
            CHECK_OWNED(kane_model) *model  = CHECK_GOOD(kane_model_create, d.vehicle, d.track, &d.drive, &d.model);
            CHECK_OWNED(kane_simulation) *s = CHECK_GOOD(kane_simulation_create, model, &d.settings, &forever);
            for (int step = 0; step < 3; step++) {
                assert_int_equal(kane_simulation_advance(s, 0.01 * step, &errors), KANE_OK);
                const kane_work *work = kane_simulation_work(s);
                check_choices(model, work, kane_simulation_time(s), kane_simulation_state(s), names[i]);
            }
        }
}

// What is none of a model's reactions is refused; nothing can be chosen, too.
CHECK_TEST(what_there_is_not)
{
    static rig r;
    static const kane_reaction wrong[] = {{KANE_REACTION_CONSTRAINT, 1, 0},  {KANE_REACTION_CONSTRAINT, 0, 5},
                                          {KANE_REACTION_CONSTRAINT, -1, 0}, {KANE_REACTION_JOINT, 99, 0},
                                          {KANE_REACTION_JOINT, 0, 6},       {KANE_REACTION_FREEDOM, 0, -1}};
    assert_true(constrained_build(&r, KANE_CONSTRAINT_REVOLUTE, CONSTRAINED_BY_BOGIE));
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_SINE);
    CHECK_END(ride_free) ride a    = {0};
    ride_create(&a, &r, track, (ride_options){.start = 40.0});
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_ERRORS errors = {0};
        assert_null(kane_reactions_create(a.model, 1, &wrong[i], &errors));
        assert_int_equal(errors.count, 1);
        assert_string_equal(kane_errors_get(&errors, 0)->text, "reaction 1 of 1 is none of this model's");
    }
    CHECK_ERRORS errors  = {0};
    kane_reactions *none = kane_reactions_create(a.model, 0, NULL, &errors);
    assert_non_null(none);
    kane_reactions_eval(none, a.model, a.work, NULL);
    kane_reactions_free(none);
    for (int k = 1;; k++) { // memory that is short is told
        const kane_reaction one = {KANE_REACTION_CONSTRAINT, 0, 0};
        allocation_fail_at(k);
        kane_reactions *chosen = kane_reactions_create(a.model, 1, &one, &errors);
        const int failed       = allocation_stop();
        assert_int_equal(failed, chosen == NULL);
        kane_reactions_free(chosen);
        if (!failed)
            break;
    }
}

CHECK_MAIN(NULL, NULL)
