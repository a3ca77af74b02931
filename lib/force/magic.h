// SPDX-License-Identifier: MIT
// The Magic Formula in the form PAC2002: force and moments of a tyre that rolls, by slip, camber and load.
//
// Axes: x along the wheel's way, y to the left, z up; slip kappa = -V_sx/|V_x| (positive: driven), tan alpha =
// V_sy/|V_x|, camber gamma about x. A left tyre; of a right one alpha, gamma, F_y, M_x and M_z change their signs.
//
// H. B. Pacejka: Tire and Vehicle Dynamics, 2nd edition, chapter 4.3 and appendix 3; MSC Adams/Tire, PAC2002.
//
// Of the shifts S_H, S_V and of the residual torque D_r, which a tyre has by rolling, a share is left below some speed:
// at standstill it has none of them (kane_slip.rolls).

#ifndef KANE_FORCE_MAGIC_H
#define KANE_FORCE_MAGIC_H

#include <kane/base.h>
#include <kane/scalar.h>

#include "base/arena.h"

// === Tyre property files (.tir) of the PAC2002 model: numbers by name in sections.

// X(name, default, presence): REQUIRED, or what it is if the file has it not. Scale factors begin with L.
// clang-format off
#define KANE_TIR_NUMBERS(X)                                                                                            \
    X(VXLOW, 1, OPTIONAL) X(LONGVL, 16.7, OPTIONAL) X(UNLOADED_RADIUS, 0, REQUIRED)                                    \
    X(VERTICAL_STIFFNESS, 0, REQUIRED) X(VERTICAL_DAMPING, 0, OPTIONAL) X(FNOMIN, 0, REQUIRED)                         \
    X(BREFF, 0, OPTIONAL) X(DREFF, 0, OPTIONAL) X(FREFF, 0, OPTIONAL)                                                  \
    X(LFZO, 1, OPTIONAL) X(LCX, 1, OPTIONAL) X(LMUX, 1, OPTIONAL) X(LEX, 1, OPTIONAL) X(LKX, 1, OPTIONAL)              \
    X(LHX, 1, OPTIONAL) X(LVX, 1, OPTIONAL) X(LGAX, 1, OPTIONAL) X(LCY, 1, OPTIONAL) X(LMUY, 1, OPTIONAL)              \
    X(LEY, 1, OPTIONAL) X(LKY, 1, OPTIONAL) X(LHY, 1, OPTIONAL) X(LVY, 1, OPTIONAL) X(LGAY, 1, OPTIONAL)               \
    X(LTR, 1, OPTIONAL) X(LRES, 1, OPTIONAL) X(LGAZ, 1, OPTIONAL) X(LXAL, 1, OPTIONAL) X(LYKA, 1, OPTIONAL)            \
    X(LVYKA, 1, OPTIONAL) X(LS, 1, OPTIONAL) X(LSGKP, 1, OPTIONAL) X(LSGAL, 1, OPTIONAL) X(LMX, 1, OPTIONAL)           \
    X(LVMX, 1, OPTIONAL) X(LMY, 1, OPTIONAL)                                                                           \
    X(PCX1, 0, REQUIRED) X(PDX1, 0, REQUIRED) X(PDX2, 0, OPTIONAL) X(PDX3, 0, OPTIONAL) X(PEX1, 0, OPTIONAL)           \
    X(PEX2, 0, OPTIONAL) X(PEX3, 0, OPTIONAL) X(PEX4, 0, OPTIONAL) X(PKX1, 0, REQUIRED) X(PKX2, 0, OPTIONAL)           \
    X(PKX3, 0, OPTIONAL) X(PHX1, 0, OPTIONAL) X(PHX2, 0, OPTIONAL) X(PVX1, 0, OPTIONAL) X(PVX2, 0, OPTIONAL)           \
    X(RBX1, 0, OPTIONAL) X(RBX2, 0, OPTIONAL) X(RCX1, 0, OPTIONAL) X(REX1, 0, OPTIONAL) X(REX2, 0, OPTIONAL)           \
    X(RHX1, 0, OPTIONAL) X(PTX1, 0, REQUIRED) X(PTX2, 0, OPTIONAL) X(PTX3, 0, OPTIONAL)                                \
    X(QSX1, 0, OPTIONAL) X(QSX2, 0, OPTIONAL) X(QSX3, 0, OPTIONAL)                                                     \
    X(PCY1, 0, REQUIRED) X(PDY1, 0, REQUIRED) X(PDY2, 0, OPTIONAL) X(PDY3, 0, OPTIONAL) X(PEY1, 0, OPTIONAL)           \
    X(PEY2, 0, OPTIONAL) X(PEY3, 0, OPTIONAL) X(PEY4, 0, OPTIONAL) X(PKY1, 0, REQUIRED) X(PKY2, 0, REQUIRED)           \
    X(PKY3, 0, OPTIONAL) X(PHY1, 0, OPTIONAL) X(PHY2, 0, OPTIONAL) X(PHY3, 0, OPTIONAL) X(PVY1, 0, OPTIONAL)           \
    X(PVY2, 0, OPTIONAL) X(PVY3, 0, OPTIONAL) X(PVY4, 0, OPTIONAL) X(RBY1, 0, OPTIONAL) X(RBY2, 0, OPTIONAL)           \
    X(RBY3, 0, OPTIONAL) X(RCY1, 0, OPTIONAL) X(REY1, 0, OPTIONAL) X(REY2, 0, OPTIONAL) X(RHY1, 0, OPTIONAL)           \
    X(RHY2, 0, OPTIONAL) X(RVY1, 0, OPTIONAL) X(RVY2, 0, OPTIONAL) X(RVY3, 0, OPTIONAL) X(RVY4, 0, OPTIONAL)           \
    X(RVY5, 0, OPTIONAL) X(RVY6, 0, OPTIONAL) X(PTY1, 0, REQUIRED) X(PTY2, 0, REQUIRED)                                \
    X(QSY1, 0, OPTIONAL) X(QSY2, 0, OPTIONAL) X(QSY3, 0, OPTIONAL) X(QSY4, 0, OPTIONAL)                                \
    X(QBZ1, 0, OPTIONAL) X(QBZ2, 0, OPTIONAL) X(QBZ3, 0, OPTIONAL) X(QBZ4, 0, OPTIONAL) X(QBZ5, 0, OPTIONAL)           \
    X(QBZ9, 0, OPTIONAL) X(QBZ10, 0, OPTIONAL) X(QCZ1, 0, OPTIONAL) X(QDZ1, 0, OPTIONAL) X(QDZ2, 0, OPTIONAL)          \
    X(QDZ3, 0, OPTIONAL) X(QDZ4, 0, OPTIONAL) X(QDZ6, 0, OPTIONAL) X(QDZ7, 0, OPTIONAL) X(QDZ8, 0, OPTIONAL)           \
    X(QDZ9, 0, OPTIONAL) X(QEZ1, 0, OPTIONAL) X(QEZ2, 0, OPTIONAL) X(QEZ3, 0, OPTIONAL) X(QEZ4, 0, OPTIONAL)           \
    X(QEZ5, 0, OPTIONAL) X(QHZ1, 0, OPTIONAL) X(QHZ2, 0, OPTIONAL) X(QHZ3, 0, OPTIONAL) X(QHZ4, 0, OPTIONAL)           \
    X(SSZ1, 0, OPTIONAL) X(SSZ2, 0, OPTIONAL) X(SSZ3, 0, OPTIONAL) X(SSZ4, 0, OPTIONAL)
// clang-format on

typedef struct kane_tir {
#define KANE_TIR_MEMBER(name, otherwise, presence) double name;
    KANE_TIR_NUMBERS(KANE_TIR_MEMBER)
#undef KANE_TIR_MEMBER
    int on_right; // 1: TYRESIDE = 'RIGHT'
    int forces; // last digit of USE_MODE: 0: load, 1: F_x, M_y, 2: F_y, M_x, M_z, 3: all of pure slip, 4: of combined slip
    int is_combined; // 1: it has the factors of combined slip (RBX1, RCX1, RBY1, RCY1)
} kane_tir;

// Reads a file in SI units. Numbers that the model does not know are passed over, as other programs do; what is
// missing, given twice or no number, and words of another model are errors with line and column. Returns 1, or 0 with
// errors.
int kane_tir_read(const char *file, kane_arena *arena, kane_tir *tir, kane_errors *errors);

typedef struct kane_slip {
    kane_scalar kappa, alpha, gamma; // [1], [rad], [rad]
    kane_scalar N;                   // load, positive [N]
    kane_scalar rolls;               // 0 at standstill .. 1
    kane_scalar way;                 // speed along x over the measurement's, LONGVL
} kane_slip;

typedef struct kane_tyre_forces {
    kane_scalar F_x, F_y;      // [N]
    kane_scalar M_x, M_y, M_z; // about the point of contact [N m]
} kane_tyre_forces;

// a + b x
KANE_INLINE kane_scalar magic_line(double a, double b, kane_scalar x)
{
    return ks_shift(ks_scale(b, x), a);
}

// a + b x + c x^2
KANE_INLINE kane_scalar magic_bend(double a, double b, double c, kane_scalar x)
{
    return ks_add(magic_line(a, b, x), ks_scale(c, ks_square(x)));
}

KANE_INLINE kane_scalar magic_at_most_one(kane_scalar E)
{
    return ks_at_most(E, 1.0);
}

KANE_INLINE double magic_sign(kane_scalar x)
{
    return KANE_WHERE_LESS(ks_value(x), 0.0, -1.0, 1.0);
}

// C atan(B x - E (B x - atan(B x)))
KANE_INLINE kane_scalar magic_angle(kane_scalar B, double C, kane_scalar E, kane_scalar x)
{
    const kane_scalar Bx = ks_mul(B, x);
    return ks_scale(C, ks_atan(ks_sub(Bx, ks_mul(E, ks_sub(Bx, ks_atan(Bx))))));
}

// What several of the formulas share.
typedef struct kane_magic {
    kane_scalar df;       // load over the nominal one, less 1
    kane_scalar K_x, K_y; // slip stiffness [N], cornering stiffness [N/rad]
    kane_scalar mu_y, B_y, S_Hy, S_Vy;
    double F_z0, C_y;
} kane_magic;

KANE_INLINE kane_scalar magic_longitudinal(const kane_tir *p, const kane_slip *s, kane_magic *m)
{
    const kane_scalar gamma = ks_scale(p->LGAX, s->gamma);
    const double C          = p->PCX1 * p->LCX;
    const kane_scalar fall  = ks_shift(ks_scale(-p->PDX3, ks_square(gamma)), 1.0);
    const kane_scalar mu    = ks_mul(ks_scale(p->LMUX, magic_line(p->PDX1, p->PDX2, m->df)), fall);
    const kane_scalar S_H   = ks_mul(s->rolls, ks_scale(p->LHX, magic_line(p->PHX1, p->PHX2, m->df)));
    const kane_scalar S_V =
        ks_mul(ks_mul(s->rolls, s->N), ks_scale(p->LVX * p->LMUX, magic_line(p->PVX1, p->PVX2, m->df)));
    const kane_scalar x = ks_add(s->kappa, S_H);
    const kane_scalar E = magic_at_most_one(
        ks_scale((1.0 - p->PEX4 * magic_sign(x)) * p->LEX, magic_bend(p->PEX1, p->PEX2, p->PEX3, m->df)));
    const kane_scalar k =
        ks_mul(ks_scale(p->LKX, magic_line(p->PKX1, p->PKX2, m->df)), ks_exp(ks_scale(p->PKX3, m->df)));
    const kane_scalar B = ks_div(k, ks_scale(C, mu));
    m->K_x              = ks_mul(s->N, k);
    return ks_add(ks_mul(ks_mul(mu, s->N), ks_sin(magic_angle(B, C, E, x))), S_V);
}

KANE_INLINE kane_scalar magic_lateral(const kane_tir *p, const kane_slip *s, kane_magic *m)
{
    const kane_scalar gamma = ks_scale(p->LGAY, s->gamma), size = ks_abs(gamma);
    const kane_scalar fall = ks_shift(ks_scale(-p->PDY3, ks_square(gamma)), 1.0);
    const kane_scalar over = ks_over(s->N, p->PKY2 * m->F_z0);
    m->C_y                 = p->PCY1 * p->LCY;
    m->mu_y                = ks_mul(ks_scale(p->LMUY, magic_line(p->PDY1, p->PDY2, m->df)), fall);
    m->K_y                 = ks_mul(ks_scale(p->PKY1 * m->F_z0 * p->LKY, ks_sin(ks_scale(2.0, ks_atan(over)))),
                                    ks_shift(ks_scale(-p->PKY3, size), 1.0));
    m->S_Hy = ks_mul(s->rolls, ks_add(ks_scale(p->LHY, magic_line(p->PHY1, p->PHY2, m->df)), ks_scale(p->PHY3, gamma)));
    const kane_scalar steer = ks_scale(p->LVY, magic_line(p->PVY1, p->PVY2, m->df));
    const kane_scalar lean  = ks_mul(magic_line(p->PVY3, p->PVY4, m->df), gamma);
    m->S_Vy                 = ks_scale(p->LMUY, ks_mul(ks_mul(s->rolls, s->N), ks_add(steer, lean)));
    const kane_scalar x     = ks_add(s->alpha, m->S_Hy);
    const kane_scalar turn  = ks_shift(ks_scale(-magic_sign(x), magic_line(p->PEY3, p->PEY4, gamma)), 1.0);
    const kane_scalar E     = magic_at_most_one(ks_mul(ks_scale(p->LEY, magic_line(p->PEY1, p->PEY2, m->df)), turn));
    const kane_scalar D     = ks_mul(m->mu_y, s->N);
    m->B_y                  = ks_div(m->K_y, ks_scale(m->C_y, D));
    return ks_add(ks_mul(D, ks_sin(magic_angle(m->B_y, m->C_y, E, x))), m->S_Vy);
}

// cos(... (x + S)) / cos(... S)
KANE_INLINE kane_scalar magic_weight(kane_scalar B, double C, kane_scalar E, kane_scalar S, kane_scalar x)
{
    return ks_div(ks_cos(magic_angle(B, C, E, ks_add(x, S))), ks_cos(magic_angle(B, C, E, S)));
}

// cos(atan(factor x)). Written with a root: of calls of cos and atan some compilers make one, others do not.
KANE_INLINE kane_scalar magic_cos_atan(double factor, kane_scalar x)
{
    return ks_inverse(ks_sqrt(ks_shift(ks_square(ks_scale(factor, x)), 1.0)));
}

KANE_INLINE kane_scalar magic_combine_x(const kane_tir *p, const kane_slip *s, const kane_magic *m)
{
    const kane_scalar B = ks_scale(p->RBX1 * p->LXAL, magic_cos_atan(p->RBX2, s->kappa));
    const kane_scalar E = magic_at_most_one(magic_line(p->REX1, p->REX2, m->df));
    return magic_weight(B, p->RCX1, E, ks_constant(p->RHX1), s->alpha);
}

KANE_INLINE kane_scalar magic_combine_y(const kane_tir *p, const kane_slip *s, const kane_magic *m, kane_scalar *S_V)
{
    const kane_scalar B    = ks_scale(p->RBY1 * p->LYKA, magic_cos_atan(p->RBY2, ks_shift(s->alpha, -p->RBY3)));
    const kane_scalar E    = magic_at_most_one(magic_line(p->REY1, p->REY2, m->df));
    const kane_scalar grow = ks_add(magic_line(p->RVY1, p->RVY2, m->df), ks_scale(p->RVY3, s->gamma));
    const kane_scalar D    = ks_mul(ks_mul(ks_mul(m->mu_y, s->N), grow), magic_cos_atan(p->RVY4, s->alpha));
    *S_V = ks_mul(D, ks_scale(p->LVYKA, ks_sin(ks_scale(p->RVY5, ks_atan(ks_scale(p->RVY6, s->kappa))))));
    return magic_weight(B, p->RCY1, E, magic_line(p->RHY1, p->RHY2, m->df), s->kappa);
}

// The slip angle that a trail or a residual torque feels beside longitudinal slip.
KANE_INLINE kane_scalar magic_equivalent(kane_scalar alpha, kane_scalar drive)
{
    if (ks_value(drive) == 0.0)
        return alpha;
    const kane_scalar size = ks_atan(ks_hypot(ks_tan(alpha), drive));
    return ks_scale(magic_sign(alpha), size);
}

// Without s F_x, and F_y without what longitudinal slip adds.
KANE_INLINE kane_scalar magic_aligning(const kane_tir *p, const kane_slip *s, const kane_magic *m, kane_scalar drive,
                                       kane_scalar F_y)
{
    const double R_0        = p->UNLOADED_RADIUS;
    const kane_scalar gamma = ks_scale(p->LGAZ, s->gamma), size = ks_abs(gamma);
    const kane_scalar lean = ks_mul(magic_line(p->QHZ3, p->QHZ4, m->df), gamma);
    const kane_scalar S_Ht = ks_mul(s->rolls, ks_add(magic_line(p->QHZ1, p->QHZ2, m->df), lean));
    const kane_scalar a_t  = magic_equivalent(ks_add(s->alpha, S_Ht), drive);
    const kane_scalar S_Hf = ks_add(m->S_Hy, ks_div(m->S_Vy, m->K_y));
    const kane_scalar a_r  = magic_equivalent(ks_add(s->alpha, S_Hf), drive);
    const kane_scalar soft = ks_shift(ks_add(ks_scale(p->QBZ4, gamma), ks_scale(p->QBZ5, size)), 1.0);
    const kane_scalar B_t  = ks_mul(ks_scale(p->LKY / p->LMUY, magic_bend(p->QBZ1, p->QBZ2, p->QBZ3, m->df)), soft);
    const double C_t       = p->QCZ1;
    const kane_scalar D_t  = ks_mul(ks_mul(ks_scale(R_0 / m->F_z0 * p->LTR, s->N), magic_line(p->QDZ1, p->QDZ2, m->df)),
                                    magic_bend(1.0, p->QDZ3, p->QDZ4, gamma));
    const kane_scalar tilt = ks_mul(magic_line(p->QEZ4, p->QEZ5, gamma),
                                    ks_scale(2.0 / 3.14159265358979323846, ks_atan(ks_scale(C_t, ks_mul(B_t, a_t)))));
    const kane_scalar E_t =
        magic_at_most_one(ks_mul(magic_bend(p->QEZ1, p->QEZ2, p->QEZ3, m->df), ks_shift(tilt, 1.0)));
    const kane_scalar B_r      = ks_shift(ks_scale(p->QBZ10 * m->C_y, m->B_y), p->QBZ9 * p->LKY / p->LMUY);
    const kane_scalar twist    = ks_mul(magic_line(p->QDZ8, p->QDZ9, m->df), gamma);
    const kane_scalar D_r      = ks_mul(ks_scale(R_0 * p->LMUY, ks_mul(s->rolls, s->N)),
                                        ks_add(ks_scale(p->LRES, magic_line(p->QDZ6, p->QDZ7, m->df)), twist));
    const kane_scalar straight = ks_cos(s->alpha);
    const kane_scalar trail    = ks_mul(ks_mul(D_t, ks_cos(magic_angle(B_t, C_t, E_t, a_t))), straight);
    const kane_scalar residual = ks_mul(ks_mul(D_r, magic_cos_atan(1.0, ks_mul(B_r, a_r))), straight);
    return ks_sub(residual, ks_mul(trail, F_y));
}

// combined: 0: forces of pure slip.
KANE_INLINE void magic_forces(const kane_tir *p, const kane_slip *s, int combined, kane_tyre_forces *out)
{
    kane_magic m      = {.F_z0 = p->FNOMIN * p->LFZO};
    const double R_0  = p->UNLOADED_RADIUS;
    m.df              = ks_shift(ks_over(s->N, m.F_z0), -1.0);
    kane_scalar F_x   = magic_longitudinal(p, s, &m);
    kane_scalar F_y   = magic_lateral(p, s, &m);
    kane_scalar drive = ks_constant(0.0), S_V = ks_constant(0.0);
    if (combined) {
        F_x   = ks_mul(F_x, magic_combine_x(p, s, &m));
        F_y   = ks_mul(F_y, magic_combine_y(p, s, &m, &S_V));
        drive = ks_mul(ks_div(m.K_x, m.K_y), s->kappa);
    }
    out->F_x = F_x;
    out->F_y = ks_add(F_y, S_V);

    const kane_scalar over = ks_over(out->F_y, m.F_z0);
    const kane_scalar lever =
        ks_add(magic_line(p->SSZ1, p->SSZ2, over), ks_mul(magic_line(p->SSZ3, p->SSZ4, m.df), s->gamma));
    out->M_z = magic_aligning(p, s, &m, drive, F_y);
    if (combined)
        out->M_z = ks_add(out->M_z, ks_scale(R_0 * p->LS, ks_mul(lever, F_x)));
    const kane_scalar lean   = ks_add(ks_scale(-p->QSX2, s->gamma), ks_scale(p->QSX3, over));
    out->M_x                 = ks_scale(R_0, ks_mul(s->N, ks_shift(ks_scale(p->LMX, lean), p->QSX1 * p->LVMX)));
    const kane_scalar way4   = ks_square(ks_square(s->way));
    const kane_scalar resist = ks_add(magic_line(p->QSY1, p->QSY2, ks_over(F_x, m.F_z0)),
                                      ks_add(ks_scale(p->QSY3, ks_abs(s->way)), ks_scale(p->QSY4, way4)));
    out->M_y = ks_scale(-R_0 * p->LMY, ks_mul(ks_mul(s->N, resist), ks_scale(magic_sign(s->way), s->rolls)));
}

// Lengths over which longitudinal and lateral slip build up [m].
KANE_INLINE void magic_relaxation(const kane_tir *p, const kane_slip *s, kane_scalar *along, kane_scalar *across)
{
    const double R_0 = p->UNLOADED_RADIUS, F_z0 = p->FNOMIN * p->LFZO;
    const kane_scalar df   = ks_shift(ks_over(s->N, F_z0), -1.0);
    const kane_scalar over = ks_over(s->N, p->PTY2 * F_z0);
    *along                 = ks_mul(ks_mul(ks_scale(R_0 / F_z0 * p->LSGKP, s->N), magic_line(p->PTX1, p->PTX2, df)),
                                    ks_exp(ks_scale(-p->PTX3, df)));
    *across                = ks_mul(ks_scale(p->PTY1 * R_0 * p->LFZO * p->LSGAL, ks_sin(ks_scale(2.0, ks_atan(over)))),
                                    ks_shift(ks_scale(-p->PKY3, ks_abs(s->gamma)), 1.0));
}

#endif
