// SPDX-License-Identifier: MIT
// The slider crank with a rod that bends, as it comes along: the middle of the rod leaves the line between its ends by
// 0.0105 of its length at most, which is published for a rod of solid elements with four pairs of bending modes, linear
// strain and no damping.

#include "runs.h"
#include "models.h"

#include "results/results.h"

enum { CRANK_PIN, MIDDLE, SLIDER_PIN, ENDS };

static const char *const channels[ENDS] = {"rod.crank pin.joint.z", "rod.middle.joint.z", "rod.slider pin.joint.z"};

static const double *column(const kane_results *results, const char *name)
{
    for (int c = 0; c < kane_results_column_count(results); c++)
        if (strcmp(kane_results_column(results, c)->name, name) == 0)
            return kane_results_values(results, c);
    fail_msg("there is no column %s", name);
    return NULL;
}

// Greatest deflection of the middle against the line between the ends, in parts of the length; upwards and downwards.
static void find_deflection(const char *const *settings, double most[2])
{
    kane_outcome outcome;
    CHECK_OWNED(kane_run) *run = run_read("mechanism-flexible-crank", settings);
    CHECK_OWNED(kane_results) *results =
        CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(run), ENDS, channels, &outcome);
    most[0] = most[1] = 0.0;
    for (int k = 0; k < kane_results_row_count(results); k++) {
        const double line = 0.5 * (column(results, channels[CRANK_PIN])[k] + column(results, channels[SLIDER_PIN])[k]);
        const double off  = (column(results, channels[MIDDLE])[k] - line) / 0.3048;
        most[0]           = fmax(most[0], off);
        most[1]           = fmax(most[1], -off);
    }
}

// Four pairs of free modes give 0.01044, as another program has it.
CHECK_TEST(the_rod_bends_as_published)
{
    static const char *const forms[2][2] = {{NULL}, {"form=multipliers", NULL}};
    for (int form = 0; form < 2; form++) {
        double most[2];
        find_deflection(forms[form], most);
        check_relative(fmax(most[0], most[1]), 0.0105, 0.01);
        check_relative(most[0], 0.01044, 0.002);
    }
}

// A rod with mass between both ends of the rod that bends: the same modes move both of its ends. Nothing drives the
// crank, so that whatever inertia lacked would show in the energy of motion and modes.
CHECK_TEST(a_rod_along_it_keeps_energy)
{
    static const char *const settings[] = {
        "mechanism.constraints.tie={\"type\": \"rod\", \"between\": [\"rod.crank pin\", \"rod.slider pin\"], "
        "\"at\": [0.1524, 0, 0], \"to\": [0.4572, 0, 0], \"mass\": 0.05}",
        "mechanism.bodies.crank.joint={\"like\": \"hinge\", \"at\": [0, 0, 0]}",
        "mechanism.bodies.crank.start={\"rates\": {\"angle\": 124.8}, \"fixed_rates\": [\"angle\"]}", "until.time=0.02",
        NULL};
    static const char *const patterns[2] = {"energy.kinetic", "energy.elements"};
    kane_outcome outcome;
    double bent                = 0.0;
    CHECK_OWNED(kane_run) *run = run_read("mechanism-flexible-crank", settings);
    CHECK_OWNED(kane_results) *results =
        CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(run), 2, patterns, &outcome);
    const double *kinetic = column(results, patterns[0]), *strain = column(results, patterns[1]);
    for (int k = 0; k < kane_results_row_count(results); k++) {
        check_near(kinetic[k] + strain[k], kinetic[0], 1e-8 * kinetic[0]);
        bent = fmax(bent, strain[k]);
    }
    assert_true(bent > 1e-3 * kinetic[0]);
}

CHECK_MAIN(NULL, NULL)
