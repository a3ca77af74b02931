// SPDX-License-Identifier: MIT
// The tabulated gap: of a cone on a round head against its closed form, and how it passes from cell to cell.

#include "contact/gap_table.h"

#include "unit/contact/rig.h"

static const double COS = 0.90630778703664996, SIN = 0.42261826174069943; // of the oblique axes: 25 degrees
static const double D = 2e-5, L = 6.139960247678931e-3;

static gap_table *create_table(const contact_pair *p)
{
    table_key key = {0};
    kane_key_add(&key, "test", 4);
    gap_table *t = kane_gap_table_create(&p->wheel, &p->rail, (p->wheel_distance - p->rail_distance) * COS, &key);
    kane_key_free(&key);
    assert_non_null(t);
    return t;
}

// A place within the table.
static void random_place(const contact_pair *p, unsigned long long *seed, double at[GAP_VARIABLES])
{
    at[GAP_E] = (p->wheel_distance - p->rail_distance) * COS + rig_random(seed, -11e-3, 11e-3);
    at[GAP_U] = rig_random(seed, -13e-3, 13e-3);
    at[GAP_T] = rig_random(seed, 0.0, 3.4e-4);
}

// --- a cone on a round head ---
//
// The outline of a cone R = R0 - k s is a straight line at any yaw,  U = c (s + T k R),  V - R0 = R q - R0,
// q = sqrt(1 - T k^2). With its slope m over the oblique axis and the head's circle of radius r around (a, b), the
// overlap along zeta is p = b + sqrt(r^2 - (eta - a)^2) - zeta(eta), largest where the circle has the slope m:
//   p = b + r sqrt(1 + m^2) - zeta(a),   p'' = -(1 + m^2)^(3/2)/r
//   integral of exp(p/D) d(eta) = exp(p/D) sqrt(2 pi D/-p'')
// but for a part of D/r. The mean place lies (3/2) D m/(1 + m^2) beside the deepest, by the third derivative there.
static const double conicity = 0.05, head = 0.3, radius = 0.46;

typedef struct closed_form {
    double Z, slope, spread, s;
} closed_form;

static closed_form cone_at(const double at[GAP_VARIABLES])
{
    const double k = conicity, T = at[GAP_T], c = 1.0 / sqrt(1.0 + T), q = sqrt(1.0 - T * k * k), u = at[GAP_U],
                 uy = sqrt(1.0 - u * u), C = uy * COS + u * SIN, S = u * COS - uy * SIN;
    // U and V - R0 at s = 0, and what they grow by
    const double U0 = c * T * k * radius, V0 = radius * (q - 1.0), U1 = c * (1.0 - T * k * k), V1 = -k * q;
    const double eta0 = at[GAP_E] + U0 * C + V0 * S, zeta0 = U0 * S - V0 * C, eta1 = U1 * C + V1 * S,
                 zeta1 = U1 * S - V1 * C, m = zeta1 / eta1, stretch = sqrt(1.0 + m * m);
    const double a = -head * SIN, b = -head * COS, bend = stretch * stretch * stretch / head;
    return (closed_form){.Z = b + head * stretch - (zeta0 + m * (a - eta0)) +
                              D * log(sqrt(2.0 * acos(-1.0) * D / bend) / eta1 / L),
                         .slope  = m,
                         .spread = D / bend,
                         .s      = (a - head * m / stretch + 1.5 * D * m / (1.0 + m * m) - eta0) / eta1};
}

CHECK_TEST(a_cone_on_a_round_head_has_its_closed_form)
{
    CHECK_OWNED(kane_contact) *c = rig_create(rig_cone_on_round());
    const contact_pair *p        = c->pair[KANE_LEFT];
    gap_table *t                 = create_table(p);
    unsigned long long seed      = 3;
    double most[4]               = {0.0};
    for (int i = 0; i < 20000; i++) {
        double at[GAP_VARIABLES];
        gap_surface z;
        random_place(p, &seed, at);
        assert_int_equal(kane_gap_table_eval(t, at, &z), 1);
        const closed_form should = cone_at(at);
        most[0]                  = fmax(most[0], fabs(z.Z - should.Z));
        most[1]                  = fmax(most[1], fabs(z.by[GAP_E] - should.slope));
        most[2]                  = fmax(most[2], fabs(z.spread / should.spread - 1.0));
        most[3]                  = fmax(most[3], fabs(z.s - should.s));
    }
    kane_table_release(t);
    print_message("off by %.2g m, slope %.2g, spread %.2g of itself, place %.2g m\n", most[0], most[1], most[2],
                  most[3]);
    check_below(most[0], 2e-9);
    check_below(most[1], 1e-6);
    check_below(most[2], 1e-3);
    check_below(most[3], 1e-6);
}

// --- from cell to cell ---

// From a place of the table to the border of its cell in one direction, and a hair beyond: a zone that ends to count
// there weighs exp(-14): 2e-11 m of the gap.
CHECK_TEST(borders_of_cells_show_in_nothing)
{
    enum { NUMBERS = 6 };
    static const double bounds[NUMBERS] = {2e-11, 1e-6, 0.1, 1e-6, 1e-3, 1e-6};
    CHECK_OWNED(kane_contact) *c        = rig_create(kane_contact_definition_default());
    const contact_pair *p               = c->pair[KANE_LEFT];
    gap_table *t                        = create_table(p);
    unsigned long long seed             = 7;
    double most[NUMBERS]                = {0.0};
    for (int i = 0; i < 30000; i++) {
        double at[GAP_VARIABLES];
        random_place(p, &seed, at);
        const int k       = i % GAP_VARIABLES;
        const double edge = t->first[k] + t->step[k] * round((at[k] - t->first[k]) / t->step[k]),
                     hair = 1e-9 * t->step[k];
        gap_surface z[2];
        for (int side = 0; side < 2; side++) {
            at[k] = edge + (side ? hair : -hair);
            if (!(at[GAP_T] >= 0.0))
                at[GAP_T] = 0.0;
            assert_int_equal(kane_gap_table_eval(t, at, &z[side]), 1);
        }
        const double jump[NUMBERS] = {fabs(z[1].Z - z[0].Z),
                                      fabs(z[1].by[GAP_E] - z[0].by[GAP_E]),
                                      fabs(z[1].by_both[GAP_E][GAP_E] - z[0].by_both[GAP_E][GAP_E]),
                                      fabs(z[1].s - z[0].s),
                                      fabs(log(z[1].spread / z[0].spread)),
                                      fabs(z[1].by[GAP_U] - z[0].by[GAP_U])};
        for (int n = 0; n < NUMBERS; n++)
            most[n] = fmax(most[n], jump[n]);
    }
    kane_table_release(t);
    for (int n = 0; n < NUMBERS; n++) {
        print_message("%d: %.2g\n", n, most[n]);
        check_below(most[n], bounds[n]);
    }
}

CHECK_TEST(places_beyond_the_table_are_not_answered)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    const contact_pair *p        = c->pair[KANE_LEFT];
    gap_table *t                 = create_table(p);
    const double middle          = (p->wheel_distance - p->rail_distance) * COS;
    const double beyond[][3]     = {{middle + 13e-3, 0.0, 0.0}, {middle - 13e-3, 0.0, 0.0}, {middle, 17e-3, 0.0},
                                    {middle, -17e-3, 0.0},      {middle, 0.0, 4.7e-4},      {(double)NAN, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        gap_surface z;
        assert_int_equal(kane_gap_table_eval(t, beyond[i], &z), 0);
    }
    kane_table_release(t);
}

CHECK_MAIN(NULL, NULL)
