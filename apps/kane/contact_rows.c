// SPDX-License-Identifier: MIT
// How a wheelset stands at one shift after the other.

#include "wheelset.h"

#include <stdlib.h>

static void forget(kane_contact_point *t)
{
    const double none = (double)NAN;
    *t = (kane_contact_point){none, none, none, none, none, none, none, none, none, none, none, none, none, none, 0, 0};
}

// Patches and places that are not there.
static void clear_missing(kane_wheelset_position *s, kane_status status)
{
    if (status != KANE_OK)
        s->z = s->roll = s->radius_difference = (double)NAN;
    for (int side = 0; side < 2; side++)
        for (int k = status == KANE_OK ? s->count[side] : 0; k < KANE_PATCHES_MAX; k++)
            forget(&s->contact_point[side][k]);
}

// The tables count their heights from the tops of the rails.
static kane_status from_tables(const kane_wheelset_table *guide, double y, double yaw, double circles,
                               kane_wheelset_position *s)
{
    kane_wheelset_values g;
    const kane_status status = guide ? kane_wheelset_table_eval(guide, y, yaw, &g) : KANE_RETRY;
    *s                       = (kane_wheelset_position){.y = y, .yaw = yaw};
    if (status != KANE_OK)
        return status;
    s->z                 = g.height.value - circles;
    s->roll              = g.roll.value;
    s->radius_difference = g.contact_point[KANE_LEFT].radius - g.contact_point[KANE_RIGHT].radius;
    for (int side = 0; side < 2; side++) {
        const kane_gap *t         = &g.contact_point[side];
        const double out          = side == KANE_LEFT ? 1.0 : -1.0;
        s->count[side]            = 1;
        s->contact_point[side][0] = (kane_contact_point){.rail_y  = t->rail_y,
                                                         .wheel_y = t->wheel_y,
                                                         .lead    = t->point.x,
                                                         .angle   = atan2(out * t->normal.y, t->normal.z),
                                                         .radius  = t->radius,
                                                         .A       = t->A,
                                                         .B       = t->B};
    }
    return KANE_OK;
}

// Mean height of the middle of the axle over the tops of the rails when both running circles are level with them.
static double level_height(const kane_contact *contact, double y, double yaw, const kane_wheelset_table *guide)
{
    kane_wheelset_values g;
    double wheel[2][3];
    if (!guide || kane_wheelset_table_eval(guide, y, yaw, &g) != KANE_OK)
        return 0.0;
    for (int side = 0; side < 2; side++)
        kane_contact_wheel_profile(contact, side, g.contact_point[side].wheel_y, wheel[side]);
    // radius = radius of the running circle - height of the profile over it
    return 0.5 * (g.contact_point[0].radius + wheel[0][0] + g.contact_point[1].radius + wheel[1][0]);
}

static contact_wheel wheel_of(const kane_contact_result *r)
{
    const kane_patch *p = &r->patch[0];
    for (int i = 1; i < r->patch_count; i++)
        p = r->patch[i].N > p->N ? &r->patch[i] : p;
    const kane_vec3 f = r->on_wheel.force;
    return (contact_wheel){p->xi_x, p->xi_y, p->phi, p->T_x, p->T_y, p->M_z, f.x, -f.y, f.z};
}

// Under load: at rest, and rolling.
static void fill_elastic(contact_row *row, const kane_contact *contact, double y, const contact_hold *hold)
{
    const double none        = (double)NAN;
    const kane_status status = hold->is_normal
                                   ? kane_wheelset_position_pressed(contact, y, hold->yaw, hold->load, &row->elastic)
                                   : kane_wheelset_position_elastic(contact, y, hold->yaw, hold->load, &row->elastic);
    kane_wheelset_rolling rolling;
    const int rolls =
        status == KANE_OK && kane_wheelset_position_roll(contact, &row->elastic, hold->speed, &rolling) == KANE_OK;
    row->omega = rolls ? rolling.omega : none;
    for (int side = 0; side < 2; side++)
        row->wheel[side] = rolls ? wheel_of(&rolling.wheel[side])
                                 : (contact_wheel){none, none, none, none, none, none, none, none, none};
    clear_missing(&row->elastic, status);
}

int contact_rows_fill(contact_rows *rows, const kane_contact *contact, const kane_wheelset_table *guide, double reach,
                      double step, const contact_hold *hold)
{
    const int half       = (int)floor(reach / step + 1e-9);
    const double circles = level_height(contact, 0.0, hold->yaw, guide);
    rows->count          = 0;
    rows->rows           = calloc(2 * (size_t)half + 1, sizeof *rows->rows);
    for (int i = -half; rows->rows && i <= half; i++) {
        contact_row *row         = &rows->rows[rows->count];
        const kane_status status = kane_wheelset_position_rigid(contact, i * step, hold->yaw, &row->rigid);
        if (status != KANE_OK)
            continue;
        clear_missing(&row->rigid, status);
        fill_elastic(row, contact, i * step, hold);
        clear_missing(&row->tables, from_tables(guide, i * step, hold->yaw, circles, &row->tables));
        rows->count++;
    }
    return rows->rows != NULL;
}

void contact_rows_clear(contact_rows *rows)
{
    free(rows->rows);
    *rows = (contact_rows){0};
}
