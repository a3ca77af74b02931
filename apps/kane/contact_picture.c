// SPDX-License-Identifier: MIT
// The picture of kane contact.

#include "wheelset.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROFILE_POINTS = 1200, PROFILE_CURVES = 5, CURVES_MOST = 4, GRAPHS = 7, PANELS = GRAPHS + 2 };

static const double LIFT = 20.0; // by so much the wheel is drawn above the rail [mm]

// --- profiles with lines between the points that touch ---

typedef struct line {
    int count, room;
    double *x, *y;
} line;

static void add(line *l, double x, double y)
{
    if (l->count < l->room) {
        l->x[l->count] = x;
        l->y[l->count] = y;
        l->count++;
    }
}

// One side as it is seen by who looks along the track; heights over the rail's top [mm].
typedef struct profiles {
    double *memory;
    line lines[PROFILE_CURVES]; // rail, wheel, contacts when shifted to the left, to the right, in the middle
    kane_plot_curve curves[PROFILE_CURVES];
} profiles;

static double across(kane_side side, double outside)
{
    return (side == KANE_LEFT ? -1e3 : 1e3) * outside;
}

static void add_profiles(const kane_contact *contact, kane_side side, double offset, line *rail, line *wheel)
{
    double h[3];
    for (int i = 0; i < PROFILE_POINTS; i++) {
        const double y = -0.045 + 0.081 * i / (PROFILE_POINTS - 1);
        kane_contact_rail_profile(contact, side, y, h);
        if (h[0] > -0.025)
            add(rail, across(side, y), 1e3 * h[0]);
    }
    for (int i = 0; i < PROFILE_POINTS; i++) {
        const double y = -0.067 + 0.131 * i / (PROFILE_POINTS - 1);
        kane_contact_wheel_profile(contact, side, y, h);
        add(wheel, across(side, y + offset), LIFT + 1e3 * h[0]);
    }
}

// Every millimetre; where two places touch at once both are on the way from one row to the next.
static void add_contacts(const kane_contact *contact, kane_side side, double offset, const contact_rows *rows,
                         line lines[PROFILE_CURVES])
{
    double next = rows->count > 0 ? ceil(1e3 * rows->rows[0].rigid.y - 1e-6) : 0.0;
    for (int i = 0; i < rows->count; i++) {
        const kane_stand *s = &rows->rows[i].rigid;
        if (1e3 * s->y < next - 1e-6)
            continue;
        double rail[3], wheel[3];
        const kane_contact_point *t = &s->touch[side][0];
        line *l                     = &lines[next > 0.5 ? 2 : next < -0.5 ? 3 : 4];
        kane_contact_rail_profile(contact, side, t->rail_y, rail);
        kane_contact_wheel_profile(contact, side, t->wheel_y, wheel);
        add(l, across(side, t->wheel_y + offset), LIFT + 1e3 * wheel[0]);
        add(l, across(side, t->rail_y), 1e3 * rail[0]);
        add(l, (double)NAN, (double)NAN);
        next += 1.0;
    }
}

static int make_profiles(profiles *p, const kane_contact *contact, kane_side side, const contact_rows *rows)
{
    static const char *const labels[PROFILE_CURVES] = {NULL, NULL, "shifted to the left", "shifted to the right",
                                                       "centred"};
    static const int colours[PROFILE_CURVES]        = {6, 6, 0, 1, 2};
    p->memory = calloc((size_t)2 * PROFILE_CURVES * PROFILE_POINTS, sizeof *p->memory);
    if (!p->memory)
        return 0;
    for (int k = 0; k < PROFILE_CURVES; k++)
        p->lines[k] = (line){.room = PROFILE_POINTS,
                             .x    = p->memory + (ptrdiff_t)2 * k * PROFILE_POINTS,
                             .y    = p->memory + (ptrdiff_t)(2 * k + 1) * PROFILE_POINTS};
    const double offset = kane_contact_wheel_distance(contact, side) - kane_contact_rail_distance(contact, side);
    add_profiles(contact, side, offset, &p->lines[0], &p->lines[1]);
    add_contacts(contact, side, offset, rows, p->lines);
    for (int k = 0; k < PROFILE_CURVES; k++)
        p->curves[k] = (kane_plot_curve){.label  = p->lines[k].count > 0 ? labels[k] : NULL,
                                         .count  = p->lines[k].count,
                                         .x      = p->lines[k].x,
                                         .y      = p->lines[k].y,
                                         .colour = colours[k]};
    return 1;
}

// --- curves over the shift ---

typedef struct graph_curve {
    const char *label;
    size_t offset;
    kane_line_style style;
    int colour;
} graph_curve;

#define RIGID(label, member, style, colour)                                                                            \
    {                                                                                                                  \
        label, offsetof(contact_row, rigid.member), style, colour                                                      \
    }
#define ELASTIC(label, member, style, colour)                                                                          \
    {                                                                                                                  \
        label, offsetof(contact_row, elastic.member), style, colour                                                    \
    }

#define WHEEL(label, member, style, colour)                                                                            \
    {                                                                                                                  \
        label, offsetof(contact_row, member), style, colour                                                            \
    }

#define TABLES(label, member, style, colour)                                                                           \
    {                                                                                                                  \
        label, offsetof(contact_row, tables.member), style, colour                                                     \
    }

static const struct {
    const char *label;
    double factor;
    graph_curve curves[CURVES_MOST];
} graphs[GRAPHS] = {
    {"radius difference [mm]",
     1e3,
     {RIGID("rigid", radius_difference, KANE_SOLID, 0), ELASTIC("under load", radius_difference, KANE_DASHED, 1),
      TABLES("tables", radius_difference, KANE_SOLID, 2)}},
    {"contact angle [deg]",
     -57.29577951308232,
     {RIGID("left, rigid", touch[0][0].angle, KANE_SOLID, 0), RIGID("right, rigid", touch[1][0].angle, KANE_SOLID, 1),
      ELASTIC("left, under load", touch[0][0].angle, KANE_DASHED, 0),
      ELASTIC("right, under load", touch[1][0].angle, KANE_DASHED, 1)}},
    {"semi-axes [mm]",
     1e3,
     {ELASTIC("left, a along", touch[0][0].a, KANE_SOLID, 0), ELASTIC("left, b across", touch[0][0].b, KANE_DASHED, 0),
      ELASTIC("right, a along", touch[1][0].a, KANE_SOLID, 1),
      ELASTIC("right, b across", touch[1][0].b, KANE_DASHED, 1)}},
    {"pressure [MPa]",
     1e-6,
     {ELASTIC("left", touch[0][0].pressure, KANE_SOLID, 0), ELASTIC("right", touch[1][0].pressure, KANE_SOLID, 1)}},
    {"force, rolling [kN]",
     1e-3,
     {WHEEL("left, along", wheel[0].along, KANE_SOLID, 0), WHEEL("right, along", wheel[1].along, KANE_SOLID, 1),
      WHEEL("left, Y on the rail", wheel[0].Y, KANE_DASHED, 0),
      WHEEL("right, Y on the rail", wheel[1].Y, KANE_DASHED, 1)}},
    {"height z [mm]",
     1e3,
     {RIGID("rigid", z, KANE_SOLID, 0), ELASTIC("under load", z, KANE_DASHED, 1), TABLES("tables", z, KANE_SOLID, 2)}},
    {"roll [mrad]",
     1e3,
     {RIGID("rigid", roll, KANE_SOLID, 0), ELASTIC("under load", roll, KANE_DASHED, 1),
      TABLES("tables", roll, KANE_SOLID, 2)}},
};

// Points and curves of all graphs; the first column is the shift.
typedef struct curves {
    double *memory;
    kane_plot_curve of[GRAPHS][CURVES_MOST];
    int count[GRAPHS];
} curves;

static int make_curves(curves *c, const contact_rows *rows)
{
    const size_t n = (size_t)rows->count;
    c->memory      = calloc((1 + GRAPHS * CURVES_MOST) * n + 1, sizeof *c->memory);
    if (!c->memory)
        return 0;
    double *at = c->memory + n;
    for (size_t i = 0; i < n; i++)
        c->memory[i] = 1e3 * rows->rows[i].rigid.y;
    for (int g = 0; g < GRAPHS; g++) {
        c->count[g] = 0;
        for (int k = 0; k < CURVES_MOST && graphs[g].curves[k].label; k++, at += n) {
            const graph_curve *curve = &graphs[g].curves[k];
            for (size_t i = 0; i < n; i++)
                at[i] =
                    graphs[g].factor * *(const double *)(const void *)((const char *)&rows->rows[i] + curve->offset);
            c->of[g][c->count[g]++] = (kane_plot_curve){.label  = curve->label,
                                                        .count  = rows->count,
                                                        .x      = c->memory,
                                                        .y      = at,
                                                        .style  = curve->style,
                                                        .colour = curve->colour};
        }
    }
    return 1;
}

kane_status contact_draw(const app_wheelset *wheelset, const contact_rows *rows, const contact_hold *hold,
                         const char *file, kane_errors *errors)
{
    static const char *const titles[2] = {"left, seen along the track", "right, seen along the track"};
    profiles sides[2]                  = {{0}};
    curves c                           = {0};
    kane_plot_panel panels[PANELS];
    char title[700];
    const int good = make_profiles(&sides[0], wheelset->contact, KANE_LEFT, rows) &&
                     make_profiles(&sides[1], wheelset->contact, KANE_RIGHT, rows) && make_curves(&c, rows);
    kane_status status = KANE_NO_MEMORY;
    if (good) {
        for (int side = 0; side < 2; side++)
            panels[side] = (kane_plot_panel){.title       = titles[side],
                                             .x_label     = "from the rail's top to the right [mm]",
                                             .y_label     = "height [mm]",
                                             .curve_count = PROFILE_CURVES,
                                             .curves      = sides[side].curves,
                                             .same_scale  = 1};
        for (int g = 0; g < GRAPHS; g++)
            panels[2 + g] = (kane_plot_panel){.x_label     = "shift y of the wheelset to the left [mm]",
                                              .y_label     = graphs[g].label,
                                              .curve_count = c.count[g],
                                              .curves      = c.of[g]};
        (void)snprintf(title, sizeof title, "%s; %g and %g kN%s, yaw %g mrad", wheelset->title,
                       round(1e-1 * hold->load[0]) * 1e-2, round(1e-1 * hold->load[1]) * 1e-2,
                       hold->is_normal ? " normal" : "", 1e3 * hold->yaw);
        const kane_plot plot = {.title = title, .width = 1000, .height = 2450, .panel_count = PANELS, .panels = panels};
        status               = kane_plot_draw(&plot, file, errors);
    } else {
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
    }
    free(sides[0].memory);
    free(sides[1].memory);
    free(c.memory);
    return status;
}
