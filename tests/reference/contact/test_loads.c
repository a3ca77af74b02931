// SPDX-License-Identifier: MIT
// Largest pressures at wheel loads of 20 and 60 kN against CONTACT: S1002 on 60E1 inclined 1:40, shifted by -2 to 6.5
// mm, neither yawed nor rolled. CONTACT's rows lie beside the source tree (see `file`); the wheel carries their normal
// forces.

#include "page_table.h"
#include "unit/contact/rig.h"

static const char *const file = KANE_SOURCE_DIR "/../shared/reference/contact-loads.csv";

enum { ROWS = 72 };

typedef struct load_row {
    char side;
    double load, shift, N, approach, pressure; // [N], [mm], [N], [mm], [MPa]
} load_row;

// What libkane has for a row.
typedef struct load_answer {
    double ellipse, pressure; // [MPa]
    double approach;          // of the deepest patch [mm]
} load_answer;

static void read_rows_or_skip(load_row rows[ROWS])
{
    char line[512];
    int count = 0;
    FILE *f   = fopen(file, "r");
    if (!f)
        check_skip("there is no %s", file);
    while (fgets(line, sizeof line, f)) {
        double v[18];
        char side;
        const int read = sscanf(line, "%*[^,],%c,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf",
                                &side, v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7, v + 8, v + 9, v + 10, v + 11,
                                v + 12, v + 13, v + 14, v + 15);
        if (read != 17)
            continue;
        assert_true(count < ROWS);
        rows[count++] = (load_row){side, v[0], v[1], v[10], v[14], v[15]};
    }
    (void)fclose(f);
    assert_int_equal(count, ROWS);
}

static const kane_patch *deepest(const kane_contact_result *r)
{
    const kane_patch *p = &r->patch[0];
    for (int i = 1; i < r->patch_count; i++)
        p = r->patch[i].pressure > p->pressure ? &r->patch[i] : p;
    return p;
}

static load_answer answer_of(const kane_contact *c, const load_row *row)
{
    const kane_side side      = row->side == 'L' ? KANE_LEFT : KANE_RIGHT;
    rig_pose pose             = {-1e-3 * row->shift, 0.0, 0.0, 0.0};
    pose.z                    = rig_height(c, 0.46, side, pose, row->N);
    const kane_wheel_motion m = rig_motion(c, 0.46, side, pose, 0.0, 0.0);
    kane_contact_result r     = rig_eval(c, side, &m);
    load_answer a             = {.ellipse = 1e-6 * deepest(&r)->pressure};
    kane_contact_pressures(c, side, &m, &r);
    a.pressure = 1e-6 * deepest(&r)->pressure;
    a.approach = 1e3 * deepest(&r)->approach;
    return a;
}

// Columns of tests/data/loads-rows.csv: load [kN], shift [mm]; of the right and of the left wheel CONTACT's pressure,
// by how many per cent the reported one and that of the ellipse are off.
enum { SHOWN = 8 };

static int shown(const kane_contact *c, const load_row rows[ROWS], int i, double v[SHOWN])
{
    int count  = 0;
    v[count++] = 1e-3 * rows[i].load;
    v[count++] = rows[i].shift;
    for (int left = 0; left < 2; left++) {
        const load_row *row = &rows[i + left * ROWS / 2];
        const load_answer a = answer_of(c, row);
        assert_true(row->side == "RL"[left] && row->load == rows[i].load && row->shift == rows[i].shift);
        v[count++] = row->pressure;
        v[count++] = 100.0 * (a.pressure / row->pressure - 1.0);
        v[count++] = 100.0 * (a.ellipse / row->pressure - 1.0);
    }
    return count;
}

CHECK_TEST(pressures_are_near_contact)
{
    load_row rows[ROWS];
    double worst = 0.0, sum = 0.0, ellipse = 0.0;
    read_rows_or_skip(rows);
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    for (int i = 0; i < ROWS; i++) {
        const load_answer a = answer_of(c, &rows[i]);
        const double off    = fabs(a.pressure / rows[i].pressure - 1.0);
        worst               = fmax(worst, off);
        ellipse             = fmax(ellipse, fabs(a.ellipse / rows[i].pressure - 1.0));
        sum += off;
    }
    check_figure(worst, "worst");
    check_figure(sum / ROWS, "mean");
    check_figure(ellipse, "ellipse");
    print_message("pressure off by %.1f %% at most, %.1f %% in the mean; of the ellipse %.1f %%\n", 100.0 * worst,
                  100.0 * sum / ROWS, 100.0 * ellipse);
    assert_true(worst < check_tolerance(0.08));
}

// With KANE_TOLERANCE=0 the rows are printed as they should be, instead.
CHECK_TEST(the_table_has_every_row)
{
    static page_table t;
    load_row rows[ROWS];
    read_rows_or_skip(rows);
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    t                            = page_table_read("tests/data/loads-rows.csv", "load [kN],shift [mm]");
    assert_int_equal(t.rows, ROWS / 2);
    assert_int_equal(t.columns, SHOWN);
    for (int i = 0; i < ROWS / 2; i++) {
        double v[SHOWN];
        const int count = shown(c, rows, i, v);
        if (check_tolerance(1.0) == 0.0)
            (void)printf("%g,%g,%.0f,%.1f,%.1f,%.0f,%.1f,%.1f\n", v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
        for (int k = 0; k < count && check_tolerance(1.0) > 0.0; k++)
            page_check(t.cells[i][k], v[k], "largest pressure by load and shift");
    }
    page_table_figures(&t, "", 3);
    page_table_figures(&t, "", 6);
}

CHECK_MAIN(NULL, NULL)
