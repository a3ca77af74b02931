// SPDX-License-Identifier: MIT
// Memory: a simulation of joined bodies asks for none once it is under way, in both forms, whatever it records.

#include "runs.h"
#include "allocation.h"

#include "models.h"

typedef struct sample {
    const char *run;
    double end;      // [s]
    int pivots_anew; // 1: KLU chooses its pivots anew on the way, with memory of its own, in the form of multipliers
} sample;

static void check(const sample *s, const char *form)
{
    static const char *const all[] = {"*"};
    static double values[4000];
    const char *const settings[]             = {form, "output.work=true", NULL};
    CHECK_ERRORS errors                      = {0};
    CHECK_OWNED(kane_run) *run               = run_read(s->run, settings);
    const kane_run_definition *d             = kane_run_get_definition(run);
    CHECK_OWNED(kane_model) *model           = run_model(d);
    CHECK_OWNED(kane_simulation) *simulation = run_simulation(model, d);
    CHECK_OWNED(kane_channels) *channels     = kane_channels_create(simulation, 1, all, NULL, &errors);
    assert_in_range(kane_channels_count(channels), 10, 4000);

    assert_int_equal(kane_simulation_advance(simulation, 0.1 * s->end, &errors), KANE_OK); // the first factorisations
    allocation_fail_at(0);
    for (int k = 2; k <= 10; k++) {
        assert_int_equal(kane_simulation_advance(simulation, 0.1 * k * s->end, &errors), KANE_OK);
        kane_channels_read(channels, simulation, values);
    }
    (void)allocation_stop();
    const int may = s->pivots_anew && strcmp(form, "form=multipliers") == 0;
    if (allocation_count() > 0 && !may)
        print_error("%s, %s: %d allocations\n", s->run, form, allocation_count());
    assert_true(allocation_count() == 0 || may);

    kane_statistics statistics;
    kane_simulation_statistics(simulation, &statistics);
    assert_true(statistics.jacobians > 0 && statistics.steps > 10);
}

CHECK_TEST(a_simulation_under_way_asks_for_no_memory)
{
    static const sample samples[] = {{"mechanism-l15", 1.0, 0},       {"mechanism-heavy-top", 0.2, 0},
                                     {"mechanism-squeezer", 0.03, 1}, {"mechanism-two-loops", 4.0, 0},
                                     {"mechanism-bricard", 2.0, 0},   {"mechanism-rolling-disc", 4.0, 0},
                                     {"mechanism-crane", 10.0, 0},    {"mechanism-ship-crane", 10.0, 0},
                                     {"wagon-four-bar", 4.0, 0},      {"motor-wagon", 2.0, 0}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        check(&samples[i], "form=coefficients");
        check(&samples[i], "form=multipliers");
    }
}

CHECK_MAIN(NULL, NULL)
