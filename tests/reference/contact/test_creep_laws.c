// SPDX-License-Identifier: MIT
// All creep laws against CONTACT's half-space: sixty elliptical patches, creepages and spin from Kalker's theory to
// full slip (tests/data/creep-contact.csv), forces and moments. tests/data/creep-rows.csv has every row.

#include "page_table.h"

enum { CASES = 60, LAWS = 4, SHOWN = 12 };

typedef struct patch_case {
    kane_creep_input in;
    kane_creep_force contact; // CONTACT's
} patch_case;

static const char *const names[LAWS] = {"FASTSIM", "SHE", "Polach", "linear"};

// elements: of FASTSIM, along and across.
static kane_creep_force force_on(int elements, int law, const kane_creep_input *in)
{
    const kane_polach polach = {1.0, 1.0};
    kane_fastsim fastsim     = kane_fastsim_default();
    fastsim.strips = fastsim.steps = elements;
    return law == 0   ? kane_creep_fastsim(in, &fastsim)
           : law == 1 ? kane_creep_she(in)
           : law == 2 ? kane_creep_polach(in, &polach)
                      : kane_creep_linear(in);
}

static kane_creep_force force_of(int law, const kane_creep_input *in)
{
    return force_on(10, law, in);
}

static void read_cases(patch_case cases[CASES])
{
    FILE *file = fopen(KANE_SOURCE_DIR "/tests/data/creep-contact.csv", "r");
    char line[512];
    int count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double v[9];
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7,
                   v + 8) != 9)
            continue;
        assert_true(count < CASES);
        cases[count++] = (patch_case){.in      = {.a             = 1e-3 * v[0],
                                                  .b             = 1e-3 * v[1],
                                                  .N             = 1e3 * v[2],
                                                  .xi_x          = v[3],
                                                  .xi_y          = v[4],
                                                  .phi           = v[5],
                                                  .friction      = 0.3,
                                                  .shear_modulus = 82e9,
                                                  .poisson       = 0.28},
                                      .contact = {v[6], v[7], 1e-3 * v[8]}};
    }
    (void)fclose(file);
    assert_int_equal(count, CASES);
}

static double limit(const patch_case *c)
{
    return c->in.friction * c->in.N;
}

static double arm(const patch_case *c)
{
    return sqrt(c->in.a * c->in.b);
}

// Difference from CONTACT of the force in parts of mu N, of the moment in parts of mu N sqrt(ab).
typedef struct difference {
    double force, moment;
} difference;

static difference difference_of(int law, const patch_case *c)
{
    const kane_creep_force f = force_of(law, &c->in);
    return (difference){hypot(f.T_x - c->contact.T_x, f.T_y - c->contact.T_y) / limit(c),
                        fabs(f.M_z - c->contact.M_z) / (limit(c) * arm(c))};
}

CHECK_TEST(forces_and_moments_are_near_contact)
{
    static const struct {
        difference mean, worst;                   // at most
    } most[LAWS] = {{{0.04, 0.06}, {0.12, 0.14}}, // FASTSIM
                    {{0.20, 0.65}, {0.75, 15.0}}, // SHE
                    {{0.18, 0.36}, {0.72, 0.95}}, // Polach: no moment
                    {{1.70, 1.30}, {12.0, 17.0}}};
    patch_case cases[CASES];
    read_cases(cases);
    for (int law = 0; law < LAWS; law++) {
        difference mean = {0.0, 0.0}, worst = {0.0, 0.0};
        for (int i = 0; i < CASES; i++) {
            const difference d = difference_of(law, &cases[i]);
            mean               = (difference){mean.force + d.force / CASES, mean.moment + d.moment / CASES};
            worst              = (difference){fmax(worst.force, d.force), fmax(worst.moment, d.moment)};
        }
        check_figure(mean.force, "%s: force, mean", names[law]);
        check_figure(worst.force, "%s: force, worst", names[law]);
        check_figure(mean.moment, "%s: moment, mean", names[law]);
        check_figure(worst.moment, "%s: moment, worst", names[law]);
        print_message("%-8s force: mean %.3f, worst %.3f mu N; moment: mean %.3f, worst %.3f mu N sqrt(ab)\n",
                      names[law], mean.force, worst.force, mean.moment, worst.moment);
        assert_true(mean.force < check_tolerance(most[law].mean.force));
        assert_true(worst.force < check_tolerance(most[law].worst.force));
        assert_true(mean.moment < check_tolerance(most[law].mean.moment));
        assert_true(worst.moment < check_tolerance(most[law].worst.moment));
    }
}

// Slopes of the forces beside the spin of a contact angle, as small motions see them, over Kalker's: the coach's wheel
// that rolls straight ahead, a = 4.193, b = 11.08 mm, 54.526 kN, phi = -.07603/m. CONTACT's, as in the file of cases,
// 55 x 55 elements, central differences of 6e-5. FASTSIM on the grid that linear analyses take.
CHECK_TEST(slopes_beside_spin_are_near_contact)
{
    static const struct {
        double friction, along, across;
    } contact[2]   = {{0.3, 0.817, 0.918}, {2.0, 0.982, 1.001}};
    const double h = 6e-5;
    for (int i = 0; i < 2; i++) {
        check_figure(contact[i].along, "CONTACT, %g: along", contact[i].friction);
        check_figure(contact[i].across, "CONTACT, %g: across", contact[i].friction);
        for (int law = 0; law < LAWS; law++) {
            double slope[2], kalker[2];
            for (int way = 0; way < 2; way++) {
                kane_creep_input in          = {.a             = 4.193e-3,
                                                .b             = 11.08e-3,
                                                .N             = 54526.0,
                                                .phi           = -0.07603,
                                                .friction      = contact[i].friction,
                                                .shear_modulus = 82e9,
                                                .poisson       = 0.28};
                const kane_creep_force k     = kane_creep_linear(&in);
                *(way ? &in.xi_y : &in.xi_x) = h;
                const kane_creep_force q = force_on(KANE_FASTSIM_MOST, law, &in), m = kane_creep_linear(&in);
                *(way ? &in.xi_y : &in.xi_x) = -h;
                const kane_creep_force o     = force_on(KANE_FASTSIM_MOST, law, &in);
                slope[way]                   = way ? q.T_y - o.T_y : q.T_x - o.T_x;
                kalker[way]                  = 2.0 * (way ? m.T_y - k.T_y : m.T_x - k.T_x);
                slope[way] /= kalker[way];
            }
            check_figure(slope[0], "%s, %g: along", names[law], contact[i].friction);
            check_figure(slope[1], "%s, %g: across", names[law], contact[i].friction);
            print_message("friction %g, %s: %.3f along, %.3f across; CONTACT %.3f, %.3f\n", contact[i].friction,
                          names[law], slope[0], slope[1], contact[i].along, contact[i].across);
            if (law == 0) {
                check_near(slope[0], contact[i].along, 0.05);
                check_near(slope[1], contact[i].across, 0.04);
            }
        }
    }
}

// Columns of tests/data/creep-rows.csv: patch, creepages, CONTACT's forces and moment, differences of every law in per
// cent.
static int shown(const patch_case *c, double v[SHOWN + LAWS])
{
    const double all[] = {1e3 * c->in.a,
                          1e3 * c->in.b,
                          1e-3 * c->in.N,
                          c->in.xi_x,
                          c->in.xi_y,
                          c->in.phi,
                          c->contact.T_x / limit(c),
                          c->contact.T_y / limit(c),
                          c->contact.M_z / (limit(c) * arm(c))};
    int count          = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        v[count++] = all[k];
    for (int law = 0; law < LAWS; law++) {
        const difference d = difference_of(law, c);
        v[count++]         = 100.0 * d.force;
        if (law < 2) // moments of all others: none, none that is worth a column
            v[count++] = 100.0 * d.moment;
    }
    return count;
}

// With KANE_TOLERANCE=0 the rows are printed as they should be, instead.
CHECK_TEST(the_table_has_every_row)
{
    static const char *const formats[] = {"%g",   "%g",   "%g",   "%.4g", "%.4g", "%.4g", "%.3f", "%.3f",
                                          "%.3f", "%.1f", "%.0f", "%.1f", "%.0f", "%.1f", "%.0f"};
    static page_table t;
    patch_case cases[CASES];
    read_cases(cases);
    t = page_table_read("tests/data/creep-rows.csv", "a [mm],b [mm]");
    for (int i = 0; i < CASES; i++) {
        double v[SHOWN + LAWS];
        const int count = shown(&cases[i], v);
        for (int k = 0; k < count; k++)
            if (check_tolerance(1.0) == 0.0) {
                (void)printf(formats[k], v[k]);
                (void)printf(k < count - 1 ? "," : "\n");
            } else
                page_check(t.cells[i][k], v[k], "creep forces by case");
        assert_int_equal(count, t.columns);
    }
    assert_int_equal(t.rows, CASES);
    page_table_figures(&t, "", 9);
}

CHECK_MAIN(NULL, NULL)
