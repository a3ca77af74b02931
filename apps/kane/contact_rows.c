// SPDX-License-Identifier: MIT
// How a wheelset stands at one shift after the other.

#include "contact_rows.h"

#include <stdlib.h>

static void forget(kane_touch *t)
{
    const double none = (double)NAN;
    *t                = (kane_touch){none, none, none, none, none, none, none, none, none, none, none, none, none, 0};
}

// Patches and places that are not there.
static void complete(kane_stand *s, kane_status status)
{
    if (status != KANE_OK)
        s->z = s->roll = s->radius_difference = (double)NAN;
    for (int side = 0; side < 2; side++)
        for (int k = status == KANE_OK ? s->count[side] : 0; k < KANE_PATCHES_MAX; k++)
            forget(&s->touch[side][k]);
}

int contact_rows_fill(contact_rows *rows, const kane_contact *contact, double reach, double step, double yaw,
                      const double load[2])
{
    const int half = (int)floor(reach / step + 1e-9);
    rows->count    = 0;
    rows->rows     = calloc(2 * (size_t)half + 1, sizeof *rows->rows);
    for (int i = -half; rows->rows && i <= half; i++) {
        contact_row *row         = &rows->rows[rows->count];
        const kane_status status = kane_stand_rigid(contact, i * step, yaw, &row->rigid);
        if (status != KANE_OK)
            continue;
        complete(&row->rigid, status);
        complete(&row->elastic, kane_stand_elastic(contact, i * step, yaw, load, &row->elastic));
        rows->count++;
    }
    return rows->rows != NULL;
}

void contact_rows_clear(contact_rows *rows)
{
    free(rows->rows);
    *rows = (contact_rows){0};
}
