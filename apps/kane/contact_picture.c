// SPDX-License-Identifier: MIT
// The picture of kane contact.

#include "wheelset.h"

enum { PROFILE_POINTS = 1200, PROFILE_CURVES = 5 };

static const double LIFT = 20.0; // by so much the wheel is drawn above the rail [mm]

typedef struct line {
    int count, room;
    double *x, *y;
} line;

static void add_point(line *l, double x, double y)
{
    if (l->count < l->room) {
        l->x[l->count] = x;
        l->y[l->count] = y;
        l->count++;
    }
}

// One side as seen along the track; heights over the rail's top [mm].
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
            add_point(rail, across(side, y), 1e3 * h[0]);
    }
    for (int i = 0; i < PROFILE_POINTS; i++) {
        const double y = -0.067 + 0.131 * i / (PROFILE_POINTS - 1);
        kane_contact_wheel_profile(contact, side, y, h);
        add_point(wheel, across(side, y + offset), LIFT + 1e3 * h[0]);
    }
}

// Every millimetre; where two places touch at once both are on the way from one row to the next.
static void add_contacts(const kane_contact *contact, kane_side side, double offset, const contact_rows *rows,
                         line lines[PROFILE_CURVES])
{
    double next = rows->count > 0 ? ceil(1e3 * rows->rows[0].rigid.y - 1e-6) : 0.0;
    for (int i = 0; i < rows->count; i++) {
        const kane_wheelset_position *s = &rows->rows[i].rigid;
        if (1e3 * s->y < next - 1e-6)
            continue;
        double rail[3], wheel[3];
        const kane_contact_point *t = &s->contact_point[side][0];
        line *l                     = &lines[next > 0.5 ? 2 : next < -0.5 ? 3 : 4];
        kane_contact_rail_profile(contact, side, t->rail_y, rail);
        kane_contact_wheel_profile(contact, side, t->wheel_y, wheel);
        add_point(l, across(side, t->wheel_y + offset), LIFT + 1e3 * wheel[0]);
        add_point(l, across(side, t->rail_y), 1e3 * rail[0]);
        add_point(l, (double)NAN, (double)NAN);
        next += 1.0;
    }
}

static void draw_profiles(kane_figure *f, const contact_picture *p, kane_side side)
{
    static const char *const titles[2]              = {"left, seen along the track", "right, seen along the track"};
    static const char *const labels[PROFILE_CURVES] = {NULL, NULL, "shifted to the left", "shifted to the right",
                                                       "centred"};
    static const int colours[PROFILE_CURVES]        = {6, 6, 0, 1, 2};
    const kane_contact *contact                     = p->wheelset->contact;
    const double offset = kane_contact_wheel_distance(contact, side) - kane_contact_rail_distance(contact, side);
    double *memory      = kane_figure_values(f, (size_t)2 * PROFILE_CURVES * PROFILE_POINTS);
    const int panel     = kane_figure_add(f, titles[side], "from the rail's top to the right [mm]", "height [mm]");
    kane_plot_panel *is = kane_figure_panel(f, panel);
    line lines[PROFILE_CURVES]; // rail, wheel, contacts when shifted to the left, to the right, in the middle
    if (!memory || !is)
        return;
    is->same_scale = 1;
    for (int k = 0; k < PROFILE_CURVES; k++, memory += 2L * PROFILE_POINTS)
        lines[k] = (line){.room = PROFILE_POINTS, .x = memory, .y = memory + PROFILE_POINTS};
    add_profiles(contact, side, offset, &lines[0], &lines[1]);
    add_contacts(contact, side, offset, p->rows, lines);
    for (int k = 0; k < PROFILE_CURVES; k++)
        kane_figure_curve(f, panel,
                          (kane_plot_curve){.label  = lines[k].count > 0 ? labels[k] : NULL,
                                            .count  = lines[k].count,
                                            .x      = lines[k].x,
                                            .y      = lines[k].y,
                                            .colour = colours[k]});
}

int contact_draw(kane_figure *f, const void *picture, kane_errors *errors)
{
    const contact_picture *p = picture;
    const contact_hold *hold = p->hold;
    (void)errors;
    draw_profiles(f, p, KANE_LEFT);
    draw_profiles(f, p, KANE_RIGHT);
    kane_table_draw(p->table, f);
    f->plot.title =
        kane_figure_text(f, "%s; %g and %g kN%s, yaw %g mrad", p->wheelset->title, round(1e-1 * hold->load[0]) * 1e-2,
                         round(1e-1 * hold->load[1]) * 1e-2, hold->is_normal ? " normal" : "", 1e3 * hold->yaw);
    f->plot.width  = 1000;
    f->plot.height = 2450;
    return 1;
}
