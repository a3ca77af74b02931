// SPDX-License-Identifier: MIT
// A run in steps of fixed cost ("kane export c --stepper") on another processor: cross-compiled for 64-bit ARM and run
// by qemu, beside libkane on this one.

#include "steps.h"

#define ARM_TOOLS "CC=aarch64-linux-gnu-gcc OBJCOPY=aarch64-linux-gnu-objcopy"

enum { UNITS_MOST = 64 };

// The largest number of each unit.
typedef struct sizes {
    int count;
    const char *unit[UNITS_MOST];
    double size[UNITS_MOST];
} sizes;

static double *size_of(sizes *all, const char *unit)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->unit[i], unit) == 0)
            return &all->size[i];
    assert_true(all->count < UNITS_MOST);
    all->unit[all->count] = unit;
    all->size[all->count] = 0.0;
    return &all->size[all->count++];
}

// Reads the next number of a row behind a comma.
static double next_number(const char **at)
{
    char *end;
    *at += strcspn(*at, ",\n");
    assert_true(**at == ',');
    const double value = strtod(*at + 1, &end);
    *at                = end;
    return value;
}

// The largest difference of two runs in parts of the largest number of its unit; `rows` rows in rows.txt, every `every`
// steps.
static double compare_rows(by_libkane *k, int rows, int every)
{
    const char *at = content("rows.txt");
    double *values = numbers(k->outputs), *most = numbers(k->outputs);
    sizes all = {.count = 0};
    for (int row = 0; row <= rows; row++) {
        at = strchr(at, '\n') + 1;
        assert_int_equal(kane_fixed_run_read(k->steps, values), KANE_OK);
        const char *number = at;
        for (int i = 0; i < k->outputs; i++) {
            double *size = size_of(&all, kane_channels_info(k->channels, i)->unit);
            *size        = fmax(*size, fabs(values[i]));
            most[i]      = fmax(most[i], fabs(next_number(&number) - values[i]));
        }
        assert_true(*number == '\n');
        for (int i = 0; i < every && row < rows; i++)
            assert_int_equal(kane_fixed_run_step(k->steps), KANE_OK);
    }
    double worst = 0.0;
    for (int i = 0; i < k->outputs; i++) {
        const double size = *size_of(&all, kane_channels_info(k->channels, i)->unit);
        worst             = fmax(worst, size > 0.0 ? most[i] / size : most[i]);
    }
    free(values);
    free(most);
    return worst;
}

// Both processors do the same operations in the same order; only functions of the mathematical library may differ, by a
// rounding (1.1e-16). A contact of 1e9 N/m at .5 m makes 6e-8 N of one, 6e-11 m/s^2 of a wheelset of 1 t, beside
// accelerations of .03 m/s^2: 2e-9. Some dozens of them: 1e-7.
static void check_arm(const char *run, const char *const *settings, int rows, int every)
{
    if (!has_compiler("aarch64-linux-gnu-gcc") || !has_compiler("qemu-aarch64"))
        check_skip(
            "there is no aarch64-linux-gnu-gcc or no qemu-aarch64 here (Debian: gcc-aarch64-linux-gnu, qemu-user)");
    export_steps(run, settings, "m");
    compile("m", "example " ARM_TOOLS " CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror'");
    command_must("qemu-aarch64 -L /usr/aarch64-linux-gnu m/example %d %d > rows.txt 2> lengths.txt", rows * every,
                 every);
    by_libkane k       = open_run(run, settings);
    const double worst = compare_rows(&k, rows, every);
    assert_true(worst < 1e-7);
    close_run(&k);
}

// Rails as constraints: a locomotive where its line begins to bend.
CHECK_TEST(semi_implicit_of_a_locomotive)
{
    static const char *const settings[] = {"integrator.method=semi_implicit", "integrator.step=1ms", "start.at=52",
                                           NULL};
    check_arm("data/runs/feve-curve.json", settings, 10, 30);
}

// Elastic contact, on the way into a transition curve.
CHECK_TEST(bdf2_of_a_wagon)
{
    static const char *const settings[] = {"integrator.method=bdf2", "integrator.step=1ms", "start.at=48", NULL};
    check_arm("data/runs/wagon-transition.json", settings, 10, 40);
}

CHECK_MAIN(enter_folder, leave_folder)
