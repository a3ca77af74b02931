// SPDX-License-Identifier: MIT
// Creep laws as the evaluation uses them: their slopes, and rolling back.

#include "unit/contact/patch.h"
#include "contact/creep_laws.h"

static law_input as_rolled(const kane_creep_input *p, double k)
{
    return (law_input){.a     = p->a,
                       .b     = p->b,
                       .G     = p->shear_modulus,
                       .C     = kane_kalker_eval(p->a, p->b, p->poisson),
                       .xi_x  = p->xi_x,
                       .xi_y  = p->xi_y,
                       .phi   = p->phi,
                       .k     = k,
                       .bound = p->friction * p->N};
}

// Derivatives of the forces by each member of the input that a motion or a load can change; by the size of the ellipse.
typedef struct law_slopes {
    kane_creep_force xi_x, xi_y, phi, k, bound, size;
} law_slopes;

static kane_creep_force slope(const law_force *f, int direction)
{
    return (kane_creep_force){kane_tangents_get(f->T_x.t, direction), kane_tangents_get(f->T_y.t, direction),
                              kane_tangents_get(f->M_z.t, direction)};
}

static law_slopes slopes_of(const creep_law *law, const law_input *p)
{
    law_scalars in = law_without_slopes(p);
    law_force f;
    in.xi_x  = ks_variable(p->xi_x, 0);
    in.xi_y  = ks_variable(p->xi_y, 1);
    in.phi   = ks_variable(p->phi, 2);
    in.k     = ks_variable(p->k, 3);
    in.bound = ks_variable(p->bound, 4);
    in.a     = ks_chain(ks_variable(p->a, 5), p->a, p->a);
    in.b     = ks_chain(ks_variable(p->b, 5), p->b, p->b);
    kane_creep_law_derive(law, &in, &f);

    const kane_creep_force v = law_values(f), w = kane_creep_law_eval(law, p);
    check_near(v.T_x, w.T_x, 1e-12 * fabs(w.T_x));
    check_near(v.T_y, w.T_y, 1e-12 * fabs(w.T_y));
    check_near(v.M_z, w.M_z, 1e-12 * fabs(w.M_z));
    return (law_slopes){slope(&f, 0), slope(&f, 1), slope(&f, 2), slope(&f, 3), slope(&f, 4), slope(&f, 5)};
}

typedef struct choice {
    const char *name;
    kane_creep_law creep;
    kane_fastsim fastsim;
    kane_polach polach;
    double tolerance; // of slopes, in parts of the largest
} choice;

static const choice choices[] = {
    {"linear", KANE_CREEP_LINEAR, {0}, {0.0, 0.0}, 1e-7},
    {"SHE", KANE_CREEP_SHE, {0}, {0.0, 0.0}, 1e-6},
    {"FASTSIM parabolic", KANE_CREEP_FASTSIM, {KANE_BOUND_PARABOLIC, KANE_FLEXIBILITY_THREE, 10, 10}, {0.0, 0.0}, 1e-5},
    {"FASTSIM elliptic", KANE_CREEP_FASTSIM, {KANE_BOUND_ELLIPTIC, KANE_FLEXIBILITY_THREE, 9, 14}, {0.0, 0.0}, 1e-5},
    {"FASTSIM blended", KANE_CREEP_FASTSIM, {KANE_BOUND_PARABOLIC, KANE_FLEXIBILITY_BLENDED, 10, 10}, {0.0, 0.0}, 1e-5},
    {"Polach", KANE_CREEP_POLACH, {0}, {1.0, 1.0}, 1e-5},
    {"Polach wet", KANE_CREEP_POLACH, {0}, {0.3, 0.1}, 1e-5},
    {"Polach weak", KANE_CREEP_POLACH, {0}, {0.1, 0.1}, 1e-5}, // for what spin makes of it, shortened to mu N
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void prepare(creep_law *law, const choice *c)
{
    kane_contact_laws settings = kane_contact_laws_default();
    settings.creep             = c->creep;
    settings.fastsim           = c->fastsim;
    settings.polach            = c->polach;
    assert_int_equal(kane_creep_check(&settings, NULL), 0);
    kane_creep_init(law, &settings);
}

// Spin against lateral creepage, such that Polach's force with kA = kS = .1 would be 1.1 to 1.4 mu N.
static kane_creep_input against_spin(unsigned long long *seed)
{
    kane_creep_input in = random_input(seed);
    in.b                = in.a / 4.0;
    const double scale  = in.friction * in.N / (in.shear_modulus * in.a * in.b);
    in.xi_x             = scale * rig_random(seed, -0.05, 0.05);
    in.xi_y             = scale * rig_random(seed, 0.44, 0.48);
    in.phi              = -scale / sqrt(in.a * in.b) * rig_random(seed, 0.44, 0.46);
    return in;
}

// Changes variable j of slopes_of by h, the size in parts of itself.
static void change(law_input *in, int j, double h)
{
    double *const values[5] = {&in->xi_x, &in->xi_y, &in->phi, &in->k, &in->bound};
    if (j < 5) {
        *values[j] += h;
    } else {
        in->a *= exp(h);
        in->b *= exp(h);
    }
}

// Slopes against central differences. Where an element of FASTSIM reaches its bound within the step, or the larger of
// two creepages of Polach changes, there is a corner: few states may be off.
CHECK_TEST(slopes_are_those_of_the_forces)
{
    static creep_law law;
    for (int n = 0; n < CHOICES; n++) {
        unsigned long long seed = 23;
        int off = 0, count = 0, limited = 0;
        prepare(&law, &choices[n]);
        for (int i = 0; i < 300; i++) {
            const kane_creep_input p = n < CHOICES - 1 ? random_input(&seed) : against_spin(&seed);
            const law_input in = as_rolled(&p, i % 3 == 0 ? rig_random(&seed, -1.0, 1.0) : i % 3 == 1 ? 1.0 : -1.0);
            const law_slopes d = slopes_of(&law, &in);
            const kane_creep_force *slopes[6] = {&d.xi_x, &d.xi_y, &d.phi, &d.k, &d.bound, &d.size};
            const double size[6]              = {1e-3, 1e-3, 0.3, 1.0, p.friction * p.N, 1.0};
            int wrong                         = 0;
            for (int j = 0; j < 6; j++) {
                if (j == 3 && fabs(in.k) == 1.0)
                    continue;
                const double h = 1e-6 * size[j];
                law_input up = in, down = in;
                change(&up, j, h);
                change(&down, j, -h);
                const kane_creep_force u = kane_creep_law_eval(&law, &up), v = kane_creep_law_eval(&law, &down);
                const double scale = p.friction * p.N / size[j], t = check_tolerance(choices[n].tolerance) * scale;
                wrong |= !(fabs((u.T_x - v.T_x) / (2.0 * h) - slopes[j]->T_x) <= t);
                wrong |= !(fabs((u.T_y - v.T_y) / (2.0 * h) - slopes[j]->T_y) <= t);
                wrong |= !(fabs((u.M_z - v.M_z) / (2.0 * h) - slopes[j]->M_z) <= t * in.a);
            }
            const kane_creep_force f = kane_creep_law_eval(&law, &in);
            limited += fabs(hypot(f.T_x, f.T_y) / (p.friction * p.N) - 1.0) < 1e-12;
            off += wrong;
            count++;
        }
        print_message("%-18s %d of %d states have a corner within the step, %d are at mu N\n", choices[n].name, off,
                      count, limited);
        assert_true(n < CHOICES - 1 || limited > 100);
        assert_true(off <= (choices[n].creep >= KANE_CREEP_FASTSIM ? 6 : 0));
    }
}

// SHE, Polach and FASTSIM at zero creepage have the slopes of the linear theory (of the first two steps of the limit).
CHECK_TEST(slopes_at_rest_are_finite_and_linear)
{
    static creep_law law;
    kane_creep_input p = published();
    p.xi_x = p.xi_y = p.phi = 0.0;
    const law_input in      = as_rolled(&p, 1.0);
    prepare(&law, &choices[0]);
    const law_slopes expected = slopes_of(&law, &in);
    for (int n = 1; n < CHOICES; n++) {
        prepare(&law, &choices[n]);
        const law_slopes d = slopes_of(&law, &in);
        const double reduced =
            choices[n].creep == KANE_CREEP_POLACH ? 0.5 * (choices[n].polach.kA + choices[n].polach.kS) : 1.0;
        check_relative(d.xi_x.T_x, reduced * expected.xi_x.T_x, 1e-3);
        check_relative(d.xi_y.T_y, reduced * expected.xi_y.T_y, 1e-3);
        check_relative(d.phi.T_y, expected.phi.T_y, 1e-3);
        check_near(d.bound.T_x, 0.0, 1e-12);
    }
}

// Rolling back is the mirror image of rolling forward in a plane across the rail.
CHECK_TEST(rolling_back_is_a_mirror_image)
{
    static creep_law law;
    for (int n = 0; n < CHOICES; n++) {
        unsigned long long seed = 31;
        prepare(&law, &choices[n]);
        for (int i = 0; i < 100; i++) {
            const kane_creep_input p = random_input(&seed);
            const law_input on       = as_rolled(&p, 1.0);
            law_input back           = on;
            back.k                   = -1.0;
            back.xi_x                = -on.xi_x;
            back.phi                 = -on.phi;
            const kane_creep_force f = kane_creep_law_eval(&law, &on), g = kane_creep_law_eval(&law, &back);
            check_near(g.T_x, -f.T_x, 1e-9 * p.N);
            check_near(g.T_y, f.T_y, 1e-9 * p.N);
            check_near(g.M_z, -f.M_z, 1e-12 * p.N);
        }
    }
}

CHECK_MAIN(NULL, NULL)
