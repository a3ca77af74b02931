// SPDX-License-Identifier: MIT
// Pictures that grow panel by panel: all that was added is drawn, and what cannot be had is told at the end.

#include "../../allocation.h"

#include "check.h"
#include "study/study.h"

#include <unistd.h>

enum { PANELS = 7, CURVES = 9 }; // more than there is room for at first

static kane_errors told;
static const kane_study here = {.directory = ".", .errors = &told};

static kane_figure compose(void)
{
    static const char *const columns[] = {"left", "right"}, *const rows[] = {"below"};
    kane_figure f = kane_figure_begin();
    double *x     = kane_figure_values(&f, 2);
    double *map   = kane_figure_values(&f, 2);
    if (x)
        x[1] = 1.0;
    for (int p = 0; p < PANELS; p++) {
        const int panel = kane_figure_add(&f, kane_figure_text(&f, "panel %d", p), "time [s]", "way [m]");
        for (int c = 0; x && p % 2 == 0 && c < CURVES; c++) {
            const char *label = kane_figure_text(&f, "curve %d of %d", c, p);
            kane_figure_curve(&f, panel, (kane_plot_curve){.label = label, .count = 2, .x = x, .y = x, .colour = c});
        }
        if (p % 2 == 1)
            kane_figure_map(
                &f, panel,
                (kane_plot_map){
                    .columns = 2, .rows = 1, .x_texts = columns, .y_texts = rows, .values = map, .label = "heat"});
    }
    f.plot.title  = kane_figure_text(&f, "%s", "all of it");
    f.plot.height = 2800;
    return f;
}

static int is_in(const char *file, const char *text)
{
    static char content[1 << 20];
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    content[fread(content, 1, sizeof content - 1, in)] = '\0';
    (void)fclose(in);
    return strstr(content, text) != NULL;
}

CHECK_TEST(all_that_was_added_is_drawn)
{
    kane_figure f = compose();
    assert_true(kane_figure_end(&f, &here, "all"));
    assert_int_equal(told.count, 0);
    assert_true(is_in("all.svg", "all of it"));
    for (int p = 0; p < PANELS; p++) {
        char text[64];
        (void)snprintf(text, sizeof text, "panel %d", p);
        assert_true(is_in("all.svg", text));
        for (int c = 0; c < CURVES && p % 2 == 0; c++) {
            (void)snprintf(text, sizeof text, "curve %d of %d", c, p);
            assert_true(is_in("all.svg", text));
        }
    }
    assert_true(is_in("all.svg", "right"));
    assert_false(is_in("all.svg", "curve 0 of 1"));
    assert_int_equal(access("all.png", F_OK), 0);
}

CHECK_TEST(nothing_and_what_is_dropped_are_not_drawn)
{
    kane_figure f = kane_figure_begin();
    assert_true(kane_figure_end(&f, &here, "nothing"));
    f = compose();
    kane_figure_drop(&f);
    assert_int_equal(kane_figure_add(&f, NULL, "x", "y"), -1);
    assert_false(kane_figure_end(&f, &here, "nothing"));
    assert_int_equal(kane_errors_get(&told, 0)->status, KANE_NO_MEMORY);
    assert_int_equal(access("nothing.svg", F_OK), -1);
}

CHECK_TEST(without_memory_the_end_says_so)
{
    int refused = 0;
    for (int k = 1;; k++) {
        kane_errors_clear(&told);
        allocation_fail_at(k);
        kane_figure f = compose();
        if (!allocation_stop()) {
            kane_figure_drop(&f);
            break;
        }
        assert_false(kane_figure_end(&f, &here, "refused"));
        assert_int_equal(told.count, 1);
        refused++;
    }
    assert_true(refused > 0);
    assert_int_equal(access("refused.svg", F_OK), -1);
}

CHECK_MAIN(NULL, NULL)
