// SPDX-License-Identifier: MIT
// The examples of docs/frames.md: the carousel's chair hangs out as far as the page says, and what has no equilibrium is told as
// it stands there.

#include "models.h"

#include "unit/run/documents.h"

#include <kane/steady.h>

#include <unistd.h>

static documents shown;

static kane_steady *seek(const char *file, kane_errors *errors)
{
    kane_run *run = kane_run_read(file, NULL, errors);
    check_no_errors(errors);
    kane_steady *steady = kane_steady_create(kane_run_get_definition(run), &(kane_steady_definition){0}, errors);
    kane_run_free(run);
    return steady;
}

static void the_chair_hangs_out(void **state)
{
    const double W     = 12.0 * acos(-1.0) / 30.0;
    kane_errors errors = {0};
    double lean        = 0.5, q[KANE_JOINT_COORDINATES];
    (void)state;
    for (int i = 0; i < 200; i++)
        lean = atan(W * W * (4.0 + 3.0 * sin(lean)) / 9.81);
    check_near(lean, 0.776, 5e-4); // as printed
    kane_steady *steady = seek("carousel-run.json", &errors);
    check_no_errors(&errors);
    (void)kane_get_joint(kane_steady_model(steady), kane_steady_work(steady), 0, q, NULL, NULL);
    check_near(q[0], 0.0, 1e-12);
    check_near(q[1], -lean, 1e-9);
    kane_steady_free(steady);
}

static void the_crane_has_no_equilibrium(void **state)
{
    char printed[512];
    kane_errors errors = {0};
    (void)state;
    assert_null(seek(KANE_SOURCE_DIR "/data/runs/mechanism-ship-crane.json", &errors));
    documents_read("no-equilibrium.txt", sizeof printed, printed);
    printed[strcspn(printed, "\n")] = '\0';
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.kept[0].text, printed);
}

static int begin(void **state)
{
    (void)state;
    return documents_enter(&shown, "docs/frames.md");
}

static int end(void **state)
{
    (void)state;
    return documents_leave(&shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chair_hangs_out),
        cmocka_unit_test(the_crane_has_no_equilibrium),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
