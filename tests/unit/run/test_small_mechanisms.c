// SPDX-License-Identifier: MIT
// Mechanisms at the edge of what there is to be integrated: one whose bodies all follow from the time, and a body that
// cannot turn.

#include "runs.h"
#include "folder.h"

static kane_results *collect(const char *mechanism, int count, const char *const *patterns, kane_outcome *outcome)
{
    write_file("m.json", mechanism);
    write_file("r.json",
               "{\"kane\":\"run 1\",\"mechanism\":\"m.json\",\"until\":{\"time\":1},\"output\":{\"interval\":0.25}}");
    CHECK_OWNED(kane_run) *run = run_read("r.json", NULL);
    assert_non_null(run);
    kane_results *rows = CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(run), count, patterns, outcome);
    assert_non_null(rows);
    assert_int_equal(outcome->status, KANE_OK);
    assert_int_equal(kane_results_row_count(rows), 5);
    return rows;
}

// A box of m = 1.5 kg welded on a table that turns with w = 2 t + 0.5 t^2 rad: m w'^2 r inwards, m w'' r along, m g up.
CHECK_TEST(a_model_without_states_has_reactions)
{
    static const char *const patterns[] = {"time", "box.joint.force.*"};
    kane_outcome outcome;
    CHECK_OWNED(kane_results) *rows =
        collect("{ \"kane\": \"mechanism 1\", \"frames\": { \"table\": { \"type\": \"revolute\", \"axis\": [0, 0, 1],"
                " \"motion\": { \"rates\": { \"angle\": { \"polynomial\": [2, 1] } } } } },"
                " \"bodies\": { \"box\": { \"mass\": 1.5, \"inertia\": [0.1, 0.1, 0.1], \"at\": [0.8, 0, 0.2],"
                " \"joint\": { \"type\": \"weld\", \"parent\": \"table\", \"at\": [0.8, 0, 0] } } } }",
                2, patterns, &outcome);
    const int columns = kane_results_column_count(rows);
    assert_int_equal(columns, 4);
    for (int i = 0; i < 5; i++) {
        const double t = kane_results_values(rows, 0)[i], rate = 2.0 + t;
        check_near(t, 0.25 * i, 1e-15);
        check_near(kane_results_values(rows, 1)[i], -1.5 * rate * rate * 0.8, 1e-12);
        check_near(kane_results_values(rows, 2)[i], 1.5 * 1.0 * 0.8, 1e-12);
        check_near(kane_results_values(rows, 3)[i], 1.5 * 9.81, 1e-12);
    }
}

// A point mass is thrown: x = v t, z = -g t^2/2.
CHECK_TEST(a_body_that_cannot_turn_needs_no_inertia)
{
    static const char *const patterns[] = {"bead.x", "bead.z"};
    kane_outcome outcome;
    CHECK_OWNED(kane_results) *rows =
        collect("{ \"kane\": \"mechanism 1\", \"bodies\": { \"bead\": { \"mass\": 1, \"inertia\": [0, 0, 0],"
                " \"at\": [0, 0, 0], \"dof\": [\"x\", \"z\"], \"start\": { \"rates\": { \"x\": 1 } } } } }",
                2, patterns, &outcome);
    const int x = kane_results_column_count(rows) - 2;
    for (int i = 0; i < 5; i++) {
        const double t = 0.25 * i;
        check_near(kane_results_values(rows, x)[i], t, 1e-9);
        check_near(kane_results_values(rows, x + 1)[i], -0.5 * 9.81 * t * t, 1e-6);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
