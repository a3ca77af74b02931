// SPDX-License-Identifier: MIT
// How a wheelset stands at one shift after the other: what kane contact tabulates and draws.

#ifndef KANE_APPS_CONTACT_ROWS_H
#define KANE_APPS_CONTACT_ROWS_H

#include "wheelset.h"

// Of one shift. What could not be found is NaN.
typedef struct contact_row {
    kane_stand rigid, elastic;
    kane_stand tables; // by the rigid contact functions on which vehicles run with "way": "tables"
} contact_row;

typedef struct contact_rows {
    int count;
    contact_row *rows;
} contact_rows;

// Shifts are the multiples of step [m] from -reach to reach [m] at which both wheels stand on their rails; elastic under
// load [N]; guide NULL: these wheels and rails have no tables. 0 if there is no memory.
int contact_rows_fill(contact_rows *rows, const kane_contact *contact, const kane_wheelset_table *guide, double reach,
                      double step, double yaw, const double load[2]);
void contact_rows_clear(contact_rows *rows);

// The picture: profiles and where they touch, then curves over the shift.
kane_status contact_draw(const app_wheelset *wheelset, const contact_rows *rows, double yaw, const double load[2],
                         const char *file, kane_errors *errors);

#endif
