// SPDX-License-Identifier: MIT
// How a wheelset stands at one shift after the other: what kane contact tabulates and draws.

#ifndef KANE_APPS_CONTACT_ROWS_H
#define KANE_APPS_CONTACT_ROWS_H

#include "wheelset.h"

// What rails do to a wheel that rolls.
typedef struct contact_wheel {
    double xi_x, xi_y, phi; // creepages of the patch that carries most [1], [1], [1/m]
    double T_x, T_y, M_z;   // its creep forces on the wheel [N], [N], [N m]
    double along, Y, Q;     // of all patches: along the track on the wheel, and on the rail to the left and down [N]
} contact_wheel;

// Of one shift. What could not be found is NaN.
typedef struct contact_row {
    kane_stand rigid, elastic;
    double omega;           // of the wheelset that rolls under load [rad/s]
    contact_wheel wheel[2]; //
    kane_stand tables;      // by the rigid contact functions on which vehicles run with "way": "tables"
} contact_row;

// How the wheelset is held in all rows.
typedef struct contact_hold {
    double yaw;     // [rad]
    double load[2]; // of the wheels [N]
    int is_normal;  // 1: load is their normal force, 0: it is vertical
    double speed;   // [m/s]
} contact_hold;

typedef struct contact_rows {
    int count;
    contact_row *rows;
} contact_rows;

// Shifts are the multiples of step [m] from -reach to reach [m] at which both wheels stand on their rails; guide NULL: these
// wheels and rails have no tables. 0 if there is no memory.
int contact_rows_fill(contact_rows *rows, const kane_contact *contact, const kane_wheelset_table *guide, double reach,
                      double step, const contact_hold *hold);
void contact_rows_clear(contact_rows *rows);

// The picture: profiles and where they touch, then curves over the shift.
kane_status contact_draw(const app_wheelset *wheelset, const contact_rows *rows, const contact_hold *hold,
                         const char *file, kane_errors *errors);

#endif
