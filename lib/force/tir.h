// SPDX-License-Identifier: MIT
// Tyre property files (.tir) of the PAC2002 model: numbers by name in sections.

#ifndef KANE_FORCE_TIR_H
#define KANE_FORCE_TIR_H

#include <kane/base.h>

#include "base/arena.h"

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

// Reads a file in SI units. Numbers that the model does not know are passed over, as other programs do; what is missing, given
// twice or no number, and words of another model are errors with line and column. Returns 1, or 0 with errors.
int kane_tir_read(const char *file, kane_arena *arena, kane_tir *tir, kane_errors *errors);

#endif
