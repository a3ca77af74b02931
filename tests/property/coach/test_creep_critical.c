// SPDX-License-Identifier: MIT
// Linear critical speeds of the benchmark's coach by creep law: what kane/steady.h finds for small motions does not
// depend on the grid of FASTSIM that is typed, where on that grid itself it does.

#include "property/wagon/wagon.h"

enum { SETTINGS = 3 };

static const char *const fastsim = "vehicle.patterns.wheelset.contact.creep=FASTSIM";

// Largest growth [1/s] of what swings on straight track at a speed [m/s].
static double growth_at(const kane_run_definition *run, double speed, int small_motions)
{
    const kane_steady_definition where = {.speed = speed, .small_motions = small_motions};
    double most                        = -HUGE_VAL;
    CHECK_OWNED(kane_steady) *steady   = CHECK_GOOD(kane_steady_create, run, &where);
    CHECK_OWNED(kane_linear) *linear   = CHECK_GOOD(kane_linear_create, kane_steady_model(steady),
                                                    kane_steady_work(steady), 0.0, kane_steady_state(steady));
    CHECK_OWNED(kane_modes) *modes     = CHECK_GOOD(kane_modes_create, linear, KANE_MODES_COMPLETE);
    for (int i = 0; i < kane_modes_count(modes); i++)
        if (kane_modes_get(modes, i)->kind == KANE_MODE_OSCILLATES)
            most = fmax(most, kane_modes_get(modes, i)->re);
    return most;
}

// The speed [m/s] between 70 and 95 m/s from which a mode grows, to 1 mm/s. settings: of the run, NULL after the last.
static double critical_speed(const char *const settings[SETTINGS], int small_motions)
{
    wagon w    = wagon_read("coach-straight", settings);
    double low = 70.0, high = 95.0,
           growth[2] = {growth_at(&w.definition, low, small_motions), growth_at(&w.definition, high, small_motions)};
    assert_true(growth[0] < 0.0 && growth[1] > 0.0);
    for (int side = 0; high - low > 1e-3;) { // false position, and halves where one side stays (Illinois)
        const double middle     = low - growth[0] * (high - low) / (growth[1] - growth[0]),
                     found      = growth_at(&w.definition, middle, small_motions);
        const int above         = found > 0.0;
        *(above ? &high : &low) = middle;
        growth[above]           = found;
        growth[!above] *= side == (above ? 1 : -1) ? 0.5 : 1.0;
        side = above ? 1 : -1;
        if (fabs(found) < 1e-6)
            low = high = middle;
    }
    kane_run_free(w.run);
    return 0.5 * (low + high);
}

CHECK_TEST(fastsim_has_one_critical_speed_on_all_grids)
{
    static const char *const grids[]          = {"[5,5]", "[10,10]", "[12,12]", "[20,20]", "[40,40]"};
    static const char *const finest[SETTINGS] = {"vehicle.patterns.wheelset.contact.creep=FASTSIM",
                                                 "vehicle.patterns.wheelset.contact.grid=[97,89]"};
    const double converged                    = critical_speed(finest, 0);
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        char grid[96];
        const char *const settings[SETTINGS] = {fastsim, grid};
        (void)snprintf(grid, sizeof grid, "vehicle.patterns.wheelset.contact.grid=%s", grids[i]);
        const double typed = critical_speed(settings, 0), small = critical_speed(settings, 1);
        check_figure(typed, "%s: as typed", grids[i]);
        check_figure(small, "%s: for small motions", grids[i]);
        print_message("FASTSIM %s: %.2f m/s as typed, %.2f m/s for small motions; %.2f m/s on 97 x 89\n", grids[i],
                      typed, small, converged);
        check_relative(small, converged, 2e-3); // finest grids scatter by 1e-3
        if (i < 2)
            assert_true(fabs(typed / converged - 1.0) > 0.02); // or nothing is shown
    }
}

// The friction of the track is .3; with much of it all laws but Polach's have the slopes of Kalker's theory.
CHECK_TEST(laws_have_these_critical_speeds)
{
    static const char *const laws[] = {"linear", "SHE", "FASTSIM", "Polach"};
    double speed[4][2];
    for (int law = 0; law < 4; law++)
        for (int much = 0; much < 2; much++) {
            char creep[96];
            const char *const settings[SETTINGS] = {creep, much ? "track.rail.friction=2" : NULL};
            (void)snprintf(creep, sizeof creep, "vehicle.patterns.wheelset.contact.creep=%s", laws[law]);
            speed[law][much] = critical_speed(settings, 1);
            check_figure(speed[law][much], "%s: friction %s", laws[law], much ? "2" : ".3");
            print_message("%s, friction %s: %.2f m/s\n", laws[law], much ? "2" : ".3", speed[law][much]);
        }
    for (int law = 1; law < 3; law++)
        check_relative(speed[law][1], speed[0][1], 0.01);
    // one slope for both directions: Kalker's across, which is that along the rail for none but Polach
    assert_true(speed[3][1] > 1.08 * speed[0][1]);
}

CHECK_MAIN(NULL, NULL)
