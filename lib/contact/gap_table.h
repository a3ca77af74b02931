// SPDX-License-Identifier: MIT
// The gap of rigid contact, tabulated for one pair of wheel and rail (docs/contact.md, "The gap, tabulated").
//
// A pose enters the gap by four numbers only: the place E, zeta over the oblique axes of the point one radius of the
// running circle below the wheel's centre, u = the axle's climb in the section, and T = tan^2 of its angle toward the
// rail (search.h: eta, zeta, uz, T of a contact_locus). zeta lifts all places by the same, so that
//
//   gap = zeta - Z(E, u, T),   Z = D ln( (1/L) integral of exp(p(s)/D) ds )   at zeta = 0,   D = KANE_GAP_DEPTH
//
// Z is nearly as sharp as the largest overlap where the contact leaps from one part of the wheel to another, too sharp
// for a spline. So the wheel is cut into zones, by weights w_k(s) whose sum is 1. Each zone has a Z_k of its own, which
// is smooth, and
//
//   Z = D ln( sum of exp(Z_k/D) )
//
// Of each zone four functions are cubic splines of three variables: Z_k, the mean place s_k on the wheel, the mean
// place over the oblique axis less E, and the logarithm of that place's variance.

#ifndef KANE_CONTACT_GAP_TABLE_H
#define KANE_CONTACT_GAP_TABLE_H

#include "contact/contact.h"
#include "contact/gap_places.h"

#include <stdint.h>

// The variables, and the zones at most.
enum { GAP_E, GAP_U, GAP_T, GAP_VARIABLES, GAP_ZONES = 16 };

// The functions of a zone.
enum { GAP_Z, GAP_S, GAP_ETA, GAP_LOG_SPREAD, GAP_FUNCTIONS };

// What a zone has: spline coefficients at nodes `first` to before `end` of the variable E and all nodes of the others,
// in the order E, u, function, T.
typedef struct gap_zone {
    int first, end;
    size_t at; // of the first one among the numbers
} gap_zone;

// One flat block of memory without pointers.
struct gap_table {
    double first[GAP_VARIABLES], step[GAP_VARIABLES]; // nodes of each variable [m], [1], [1]
    int count[GAP_VARIABLES];
    int zone_count;
    gap_zone zone[GAP_ZONES];
    size_t size;     // of all numbers
    double number[]; // [size] coefficients, behind them the zones of each cell, a bit each (uint16_t [cells])
};

// Z at a place of the table with first and second derivatives by E, u and T; the mean place s on the wheel and the
// variance of the place over the oblique axis with first ones.
typedef struct gap_surface {
    double Z, by[GAP_VARIABLES], by_both[GAP_VARIABLES][GAP_VARIABLES];
    double by_path[GAP_VARIABLES]; // third derivatives, twice along given rates of E, u, T
    double s, s_by[GAP_VARIABLES];
    double spread, spread_by[GAP_VARIABLES]; // [m^2]
} gap_surface;

// Tabulates the gap of a wheel over a rail around the place E of a wheel in the middle of the track [m]. One block of
// the store (contact.h) under the key; NULL without memory.
gap_table *kane_gap_table_create(const wheel_table *wheel, const rail_table *rail, double middle, const table_key *key);

// Bytes of a table.
size_t kane_gap_table_size(const gap_table *table);

// Returns 0, and nothing else, outside of the table.
int kane_gap_table_eval(const gap_table *table, const double at[GAP_VARIABLES], gap_surface *out);

// The same with by_path and the derivatives of s and spread. rate: of E, u, T [m/s], [1/s], [1/s].
int kane_gap_table_derive(const gap_table *table, const double at[GAP_VARIABLES], const double rate[GAP_VARIABLES],
                          gap_surface *out);

// --- the gap by the coordinates of a pose ---
//
// With C, S, uy, uz of the locus, R the radius of the running circle, and T a function of ex (side.h), the variables
// and the height change by
//                eta  zeta   roll       ex     roll roll  ex ex  ex ex ex
//   of E          1    0    R C                 -R S
//   of u          0    0    uy                  -uz
//   of T          0    0                T_1               T_2     T_3
//   of zeta       0    1    R S                  R C

// Derivatives of T = ex^2/(1 - ex^2).
KANE_INLINE void gap_slopes_of_T(const contact_locus *g, double T[4])
{
    const double e = g->ex, k = 1.0 / (g->c * g->c), k2 = k * k, k3 = k2 * k;
    T[0] = g->T;
    T[1] = 2.0 * e * k2;
    T[2] = 2.0 * k2 + 8.0 * e * e * k3;
    T[3] = 24.0 * e * k3 + 48.0 * e * e * e * k2 * k2;
}

// The variables of a pose, and their rates from those of its coordinates.
KANE_INLINE void gap_variables(const contact_locus *g, double at[GAP_VARIABLES])
{
    at[GAP_E] = g->eta;
    at[GAP_U] = g->uz;
    at[GAP_T] = g->T;
}

KANE_INLINE void gap_variable_rates(const contact_locus *g, const double by_time[GAP_COORDINATES],
                                    double rate[GAP_VARIABLES])
{
    double T[4];
    gap_slopes_of_T(g, T);
    rate[GAP_E] = by_time[BY_ETA] + g->wheel->radius * g->C * by_time[BY_ROLL];
    rate[GAP_U] = g->uy * by_time[BY_ROLL];
    rate[GAP_T] = T[1] * by_time[BY_EX];
}

// First and second derivatives of the gap by the coordinates.
KANE_INLINE void gap_curve_of_surface(const contact_locus *g, const gap_surface *z, gap_curve *c)
{
    const double R = g->wheel->radius, E_roll = R * g->C, u_roll = g->uy, E = z->by[GAP_E], u = z->by[GAP_U];
    const double(*zz)[GAP_VARIABLES] = z->by_both;
    double T[4], by_roll[GAP_VARIABLES]; // of Z_E, Z_u and Z_T
    gap_slopes_of_T(g, T);
    for (int i = 0; i < GAP_VARIABLES; i++)
        by_roll[i] = zz[i][GAP_E] * E_roll + zz[i][GAP_U] * u_roll;
    c->by[BY_ETA]  = -E;
    c->by[BY_ZETA] = 1.0;
    c->by[BY_ROLL] = R * g->S - E * E_roll - u * u_roll;
    c->by[BY_EX]   = -z->by[GAP_T] * T[1];
    for (int i = 0; i < GAP_COORDINATES; i++)
        c->by_both[BY_ZETA][i] = c->by_both[i][BY_ZETA] = 0.0;
    c->by_both[BY_ETA][BY_ETA]  = -zz[GAP_E][GAP_E];
    c->by_both[BY_ETA][BY_ROLL] = c->by_both[BY_ROLL][BY_ETA] = -by_roll[GAP_E];
    c->by_both[BY_ETA][BY_EX] = c->by_both[BY_EX][BY_ETA] = -zz[GAP_E][GAP_T] * T[1];
    c->by_both[BY_ROLL][BY_ROLL] =
        E_roll + E * R * g->S + u * g->uz - by_roll[GAP_E] * E_roll - by_roll[GAP_U] * u_roll;
    c->by_both[BY_ROLL][BY_EX] = c->by_both[BY_EX][BY_ROLL] = -by_roll[GAP_T] * T[1];
    c->by_both[BY_EX][BY_EX]                                = -z->by[GAP_T] * T[2] - zz[GAP_T][GAP_T] * T[1] * T[1];
}

#endif
