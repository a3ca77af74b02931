// SPDX-License-Identifier: MIT
// Axes have short labels and do not zoom into round-off; thinning leaves out only what cannot be seen.

#include "check.h"

#include "results/plot.h"

static const char *ticks_of(double least, double greatest, int ticks)
{
    static char text[1024];
    char label[KANE_TICK_SIZE], factor[KANE_NUMBER_SIZE];
    const kane_plot_axis axis = kane_plot_axis_make(least, greatest, 0.0, ticks);
    long first, last;
    kane_plot_axis_ticks(&axis, &first, &last);
    kane_plot_axis_factor(&axis, factor);
    assert_true(last - first <= ticks);
    text[0] = '\0';
    for (long k = first; k <= last; k++) {
        const double at = kane_plot_axis_tick(&axis, k, label);
        check_near(at, strtod(label, NULL), 1e-12 * fabs(at));
        (void)strcat(strcat(text, label), k < last ? " " : "");
    }
    return strcat(text, factor);
}

CHECK_TEST(labels_are_short)
{
    assert_string_equal(ticks_of(0, 1, 5), "0.0 0.2 0.4 0.6 0.8 1.0");
    assert_string_equal(ticks_of(-0.3, 0.3, 6), "-0.3 -0.2 -0.1 0.0 0.1 0.2 0.3");
    assert_string_equal(ticks_of(0, 410, 9), "0 50 100 150 200 250 300 350 400");
    assert_string_equal(ticks_of(0, 0.0017, 4), "0.0 0.5 1.0 1.5×10⁻³");
    assert_string_equal(ticks_of(-2.5e-8, 0, 5), "-25 -20 -15 -10 -5 0×10⁻⁹");
    assert_string_equal(ticks_of(40000, 60000, 4), "40000 45000 50000 55000 60000");
    assert_string_equal(ticks_of(0, 2e5, 4), "0 50 100 150 200×10³");
    assert_string_equal(ticks_of(1000.01, 1000.04, 3), "1000.01 1000.02 1000.03 1000.04");
    assert_string_equal(ticks_of(-1e308, 1e308, 4), "-100 -50 0 50 100×10³⁰⁶");
    assert_string_equal(ticks_of(-1.7e308, 1.7e308, 2), "0×10³⁰⁶");
}

CHECK_TEST(axes_do_not_zoom_into_round_off)
{
    static const struct {
        double least, greatest, low, high;
    } cases[] = {
        {0, 0, -1, 1},                   // nothing
        {-1e-17, 2e-17, -1, 1},          // round-off about nothing
        {5e-324, 1e-310, -1, 1},         //
        {7, 7, 6.3, 7.7},                // a constant
        {-7, -7, -7.7, -6.3},            //
        {5e4, 5e4 + 1e-8, 4.5e4, 5.5e4}, // a constant and round-off
        {2, 3, 1.95, 3.05},              // a signal and 5 %
        {1, 1 + 1e-6, 1 - 5e-8, 1 + 1.05e-6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const kane_plot_axis axis = kane_plot_axis_make(cases[i].least, cases[i].greatest, 0.05, 5);
        assert_int_equal(axis.ten, 0);
        check_near(axis.low, cases[i].low, 1e-8 * fabs(cases[i].low));
        check_near(axis.high, cases[i].high, 1e-8 * fabs(cases[i].high));
    }
    const kane_plot_axis small = kane_plot_axis_make(0, 2e-9, 0.0, 5); // small, but no round-off
    check_near(small.high, 2.0, 1e-12);
    assert_int_equal(small.ten, -9);
}

// --- thinning ---

enum { MANY = 20000, PIXELS = 100 };

static double x[MANY], y[MANY];
static int kept[MANY];

static int thin(int count, kane_line_style style)
{
    const kane_plot_curve curve = {.count = count, .x = x, .y = y, .style = style};
    const kane_plot_axis ax = kane_plot_axis_make(0, MANY, 0, 5), ay = kane_plot_axis_make(-10, 10, 0, 5);
    return kane_plot_thin(&curve, &ax, &ay, PIXELS, PIXELS, kept);
}

CHECK_TEST(extremes_of_every_column_are_kept)
{
    for (int i = 0; i < MANY; i++) {
        x[i] = i + 0.5;
        y[i] = sin(0.1 * i) + sin(0.0313 * i * i);
    }
    y[7777]         = 9.0; // one sample among 200 of its column
    y[7801]         = -9.0;
    const int count = thin(MANY, KANE_SOLID);
    assert_in_range(count, PIXELS * 3, PIXELS * 4);
    for (int k = 1; k < count; k++)
        assert_true(kept[k] > kept[k - 1]);
    assert_int_equal(kept[0], 0);
    assert_int_equal(kept[count - 1], MANY - 1);
    const int column = MANY / PIXELS;
    for (int c = 0, k = 0; c < PIXELS; c++) {
        double low = (double)INFINITY, high = -low, kept_low = low, kept_high = high;
        for (int i = c * column; i < (c + 1) * column; i++) {
            low  = fmin(low, y[i]);
            high = fmax(high, y[i]);
        }
        assert_int_equal(kept[k], c * column); // the first
        for (; k < count && kept[k] < (c + 1) * column; k++) {
            kept_low  = fmin(kept_low, y[kept[k]]);
            kept_high = fmax(kept_high, y[kept[k]]);
        }
        assert_int_equal(kept[k - 1], (c + 1) * column - 1); // the last
        assert_true(kept_low == low && kept_high == high);
    }
}

CHECK_TEST(few_points_stay_as_they_are)
{
    for (int i = 0; i < PIXELS; i++) {
        x[i] = 200.0 * i + 1.0;
        y[i] = i % 3;
    }
    assert_int_equal(thin(PIXELS, KANE_DASHED), PIXELS);
    for (int i = 0; i < PIXELS; i++)
        assert_int_equal(kept[i], i);
    x[0] = x[1] = x[2] = x[3] = 5.0; // a column of four: all of them if they are the four
    y[0] = 1, y[1] = 5, y[2] = -5, y[3] = 2;
    assert_int_equal(thin(4, KANE_SOLID), 4);
    assert_int_equal(thin(0, KANE_SOLID), 0);
}

CHECK_TEST(gaps_stay_and_backward_lines_too)
{
    for (int i = 0; i < 1000; i++) {
        x[i] = 10.0 * (1000 - i); // backwards: five columns of 20 points ... in order
        y[i] = i % 2;
    }
    y[300] = y[301] = (double)NAN;
    x[500]          = (double)INFINITY;
    int gaps        = 0;
    const int count = thin(1000, KANE_SOLID);
    assert_true(count < 300);
    for (int k = 0; k < count; k++) {
        gaps += kept[k] == KANE_PLOT_GAP;
        if (kept[k] == KANE_PLOT_GAP) {
            assert_true(kept[k - 1] == (gaps == 1 ? 299 : 499));
            assert_true(kept[k + 1] == (gaps == 1 ? 302 : 501));
        }
    }
    assert_int_equal(gaps, 2);
}

CHECK_TEST(one_point_of_each_pixel_is_kept)
{
    for (int i = 0; i < MANY; i++) {
        x[i] = (i * 7919) % MANY;
        y[i] = -10.0 + 20.0 * ((i * 104729L) % MANY) / MANY;
    }
    y[5]            = (double)NAN;
    const int count = thin(MANY, KANE_POINTS);
    static char full[PIXELS][PIXELS];
    memset(full, 0, sizeof full);
    for (int k = 0; k < count; k++) {
        char *at = &full[(int)(x[kept[k]] / MANY * PIXELS)][(int)((y[kept[k]] + 10) / 20 * PIXELS)];
        assert_int_equal(*at, 0);
        *at = 1;
    }
    for (int i = 0; i < MANY; i++)
        if (i != 5)
            assert_int_equal(full[(int)(x[i] / MANY * PIXELS)][(int)((y[i] + 10) / 20 * PIXELS)], 1);
}

CHECK_MAIN(NULL, NULL)
