// SPDX-License-Identifier: MIT
// kane contact: tabulates and draws how a wheelset touches its rails while it is shifted from side to side.

#include "wheelset.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_FRICTION = 256, OPTION_NORMAL, OPTION_SPEED };

enum { ROWS_MOST = 1000000, JUMPS_MOST = 64 };

static const double FARTHEST = 0.015; // shift without --reach [m]
static const double STEEPEST = 0.9;   // contact angle up to which it goes then [rad]
static const double LEAP     = 1e-3;  // shortest jump that is told [m]

typedef struct arguments {
    app_wheelset_choice choice;
    const char *picture, *table;
    double load[2], normal[2]; // NaN: not given
    double yaw, speed, reach, step;
} arguments;

static const struct argp_option options[] = {
    APP_WHEELSET_OPTIONS,
    {"csv", 'c', "FILE", 0, "table to a file instead of standard output", 0},
    {"step", 'd', "M", 0, "shift from row to row [m] (default 0.0005)", 0},
    {"friction", OPTION_FRICTION, "MU", 0, "coefficient of friction of the rails (default: the track's, else 0.3)", 0},
    {"load", 'l', "N", APP_LIST,
     "vertical load of each wheel [N] (default: static load of the vehicle, else 50000); left and right may differ", 0},
    {"normal", OPTION_NORMAL, "N", APP_LIST,
     "normal force of each wheel [N] instead of its load; left and right may differ", 0},
    {"output", 'o', "FILE", 0, "picture: FILE.svg or FILE.png", 0},
    {"reach", 'r', "M", 0, "largest shift to both sides [m] (default: to the flange, at most 0.015)", 0},
    {"speed", OPTION_SPEED, "V", 0, "at which it rolls [m/s] (default 10)", 0},
    {"yaw", 'y', "RAD", 0, "yaw of the wheelset [rad] (default 0)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'c': a->table = value; break;
    case 'd': a->step = app_take_positive(value, "step", "m", state); break;
    case 'l': app_take_side(a->load, app_take_positive(value, "load", "N", state), "load", state); break;
    case 'o': a->picture = app_take_picture(value, state); break;
    case 'r':
        a->reach = app_take_positive(value, "reach", "m", state);
        if (a->reach > 0.1)
            argp_error(state, "the reach must not be more than 0.1 m");
        break;
    case 'y':
        a->yaw = app_take_quantity(value, "rad", state);
        if (fabs(a->yaw) > 0.1)
            argp_error(state, "the yaw must be within -0.1 and 0.1");
        break;
    case OPTION_FRICTION: a->choice.friction = app_take_quantity(value, "1", state); break;
    case OPTION_NORMAL:
        app_take_side(a->normal, app_take_positive(value, "normal force", "N", state), "normal", state);
        break;
    case OPTION_SPEED: a->speed = app_take_positive(value, "speed", "m/s", state); break;
    case ARGP_KEY_END:
        if (!isnan(a->load[0]) && !isnan(a->normal[0]))
            argp_error(state, "--load or --normal, not both");
        return app_wheelset_parse(key, value, state, &a->choice);
    default: return app_wheelset_parse(key, value, state, &a->choice);
    }
    return 0;
}

// --- table ---

#define OF_ROW(name, unit, member)                                                                                     \
    {                                                                                                                  \
        name, unit, offsetof(contact_row, member)                                                                      \
    }
#define OF_WAY(name, unit, way, member) OF_ROW(name, unit, way.member)
#define OF_SIDE(prefix, side)                                                                                          \
    OF_WAY(prefix ".rail_y", "m", rigid, touch[side][0].rail_y),                                                       \
        OF_WAY(prefix ".wheel_y", "m", rigid, touch[side][0].wheel_y),                                                 \
        OF_WAY(prefix ".lead", "m", rigid, touch[side][0].lead),                                                       \
        OF_WAY(prefix ".angle", "rad", rigid, touch[side][0].angle),                                                   \
        OF_WAY(prefix ".radius", "m", rigid, touch[side][0].radius),                                                   \
        OF_WAY(prefix ".A", "1/m", rigid, touch[side][0].A), OF_WAY(prefix ".B", "1/m", rigid, touch[side][0].B),      \
        OF_WAY(prefix ".next_gap", "m", rigid, touch[side][1].gap)
#define OF_LOADED_SIDE(prefix, side)                                                                                   \
    OF_WAY(prefix ".N", "N", elastic, touch[side][0].N),                                                               \
        OF_WAY(prefix ".elastic.rail_y", "m", elastic, touch[side][0].rail_y),                                         \
        OF_WAY(prefix ".elastic.angle", "rad", elastic, touch[side][0].angle),                                         \
        OF_WAY(prefix ".approach", "m", elastic, touch[side][0].approach),                                             \
        OF_WAY(prefix ".a", "m", elastic, touch[side][0].a), OF_WAY(prefix ".b", "m", elastic, touch[side][0].b),      \
        OF_WAY(prefix ".pressure", "Pa", elastic, touch[side][0].pressure),                                            \
        OF_WAY(prefix ".next_N", "N", elastic, touch[side][1].N)

#define OF_ROLLING_SIDE(prefix, side)                                                                                  \
    OF_ROW(prefix ".xi_x", "1", wheel[side].xi_x), OF_ROW(prefix ".xi_y", "1", wheel[side].xi_y),                      \
        OF_ROW(prefix ".phi", "1/m", wheel[side].phi), OF_ROW(prefix ".patch.T_x", "N", wheel[side].T_x),              \
        OF_ROW(prefix ".patch.T_y", "N", wheel[side].T_y), OF_ROW(prefix ".patch.M_z", "N m", wheel[side].M_z),        \
        OF_ROW(prefix ".T_x", "N", wheel[side].along), OF_ROW(prefix ".Y", "N", wheel[side].Y),                        \
        OF_ROW(prefix ".Q", "N", wheel[side].Q)

#define OF_TABLES_SIDE(prefix, side)                                                                                   \
    OF_WAY(prefix ".tables.rail_y", "m", tables, touch[side][0].rail_y),                                               \
        OF_WAY(prefix ".tables.wheel_y", "m", tables, touch[side][0].wheel_y),                                         \
        OF_WAY(prefix ".tables.lead", "m", tables, touch[side][0].lead),                                               \
        OF_WAY(prefix ".tables.angle", "rad", tables, touch[side][0].angle),                                           \
        OF_WAY(prefix ".tables.radius", "m", tables, touch[side][0].radius),                                           \
        OF_WAY(prefix ".tables.A", "1/m", tables, touch[side][0].A),                                                   \
        OF_WAY(prefix ".tables.B", "1/m", tables, touch[side][0].B)

static const struct {
    const char *name, *unit;
    size_t offset;
} columns[] = {
    OF_WAY("y", "m", rigid, y),
    OF_WAY("z", "m", rigid, z),
    OF_WAY("roll", "rad", rigid, roll),
    OF_WAY("radius_difference", "m", rigid, radius_difference),
    OF_SIDE("left", 0),
    OF_SIDE("right", 1),
    OF_WAY("elastic.z", "m", elastic, z),
    OF_WAY("elastic.roll", "rad", elastic, roll),
    OF_WAY("elastic.radius_difference", "m", elastic, radius_difference),
    OF_LOADED_SIDE("left", 0),
    OF_LOADED_SIDE("right", 1),
    OF_WAY("tables.z", "m", tables, z),
    OF_WAY("tables.roll", "rad", tables, roll),
    OF_WAY("tables.radius_difference", "m", tables, radius_difference),
    OF_TABLES_SIDE("left", 0),
    OF_TABLES_SIDE("right", 1),
    OF_ROW("omega", "rad/s", omega),
    OF_ROLLING_SIDE("left", 0),
    OF_ROLLING_SIDE("right", 1),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void print(FILE *out, const contact_rows *rows)
{
    for (int k = 0; k < COLUMNS; k++)
        (void)fprintf(out, "%s%s", k ? "," : "", columns[k].name);
    (void)fprintf(out, "\n");
    for (int k = 0; k < COLUMNS; k++)
        (void)fprintf(out, "%s%s", k ? "," : "", columns[k].unit);
    (void)fprintf(out, "\n");
    for (int i = 0; i < rows->count; i++) {
        double row[COLUMNS];
        for (int k = 0; k < COLUMNS; k++)
            row[k] = *(const double *)(const void *)((const char *)&rows->rows[i] + columns[k].offset);
        app_print_row(out, COLUMNS, row);
    }
}

// --- notes ---

static const char *side_name(int side)
{
    return side == KANE_LEFT ? "left" : "right";
}

static void tell_jumps(const kane_contact *contact, const contact_rows *rows, double yaw)
{
    kane_jump jumps[JUMPS_MOST];
    int count = 0;
    if (rows->count > 1)
        (void)kane_stand_jumps(contact, yaw, rows->rows[0].rigid.y, rows->rows[rows->count - 1].rigid.y, LEAP,
                               JUMPS_MOST, jumps, &count);
    for (int i = 0; i < count && i < JUMPS_MOST; i++)
        (void)fprintf(stderr,
                      "note: at y = %.3f mm the %s wheel touches in two places, at %.2f and %.2f mm from the running "
                      "circle; rolling radii %.3f and %.3f mm\n",
                      1e3 * jumps[i].y, side_name(jumps[i].side), 1e3 * jumps[i].before.wheel_y,
                      1e3 * jumps[i].after.wheel_y, 1e3 * jumps[i].before.radius, 1e3 * jumps[i].after.radius);
    if (count > JUMPS_MOST)
        (void)fprintf(stderr, "note: ... and in %d more places\n", count - JUMPS_MOST);
}

// From which shift to which there are bent patches, once a side.
static void tell_conformal(const contact_rows *rows)
{
    for (int side = 0; side < 2; side++) {
        double from = (double)NAN, to = (double)NAN;
        for (int i = 0; i < rows->count; i++) {
            if (!rows->rows[i].elastic.touch[side][0].conformal)
                continue;
            from = isfinite(from) ? from : rows->rows[i].elastic.y;
            to   = rows->rows[i].elastic.y;
        }
        if (isfinite(from))
            (void)fprintf(stderr,
                          "note: between y = %.2f and %.2f mm contact on the %s is conformal: the patch is bent, and a "
                          "plane ellipse is a rough picture of it\n",
                          1e3 * from, 1e3 * to, side_name(side));
    }
}

static void tell_remarks(const kane_errors *remarks)
{
    for (int i = 0; i < remarks->kept; i++) {
        char text[1200];
        (void)kane_error_format(kane_errors_get(remarks, i), sizeof text, text);
        (void)fprintf(stderr, "note: %s\n", text);
    }
    if (remarks->count > remarks->kept)
        (void)fprintf(stderr, "note: ... and %d more of the profiles\n", remarks->count - remarks->kept);
}

static void tell_range(const arguments *a, const contact_rows *rows)
{
    int unsolved = 0;
    for (int i = 0; i < rows->count; i++)
        unsolved += !isfinite(rows->rows[i].elastic.z);
    if (rows->count == 0)
        (void)fprintf(stderr, "note: at no shift both wheels stand on their rails\n");
    else if (rows->rows[rows->count - 1].rigid.y < 0.99 * a->reach || rows->rows[0].rigid.y > -0.99 * a->reach)
        (void)fprintf(stderr, "note: both wheels stand on their rails from y = %.2f to %.2f mm only\n",
                      1e3 * rows->rows[0].rigid.y, 1e3 * rows->rows[rows->count - 1].rigid.y);
    if (unsolved > 0)
        (void)fprintf(stderr, "note: at %d of %d shifts a wheel cannot carry its load\n", unsolved, rows->count);
}

// --- command ---

// Up to where a wheel stands on its flange on either side.
static double reach_of(const kane_contact *contact, double yaw)
{
    kane_stand s;
    double reach = 5e-4;
    for (; reach < FARTHEST; reach += 1e-4)
        for (int sign = -1; sign <= 1; sign += 2)
            if (kane_stand_rigid(contact, sign * reach, yaw, &s) != KANE_OK ||
                fabs(s.touch[KANE_LEFT][0].angle) > STEEPEST || fabs(s.touch[KANE_RIGHT][0].angle) > STEEPEST)
                return reach;
    return reach;
}

static int write_table(const arguments *a, const contact_rows *rows, kane_errors *errors)
{
    FILE *table = app_open_table(a->table, errors);
    if (!table)
        return 0;
    print(table, rows);
    return app_close_table(table, a->table, errors);
}

static int look(const arguments *a, const app_wheelset *w, const contact_hold *hold, kane_errors *errors)
{
    contact_rows rows          = {0};
    kane_errors none           = {.limit = 1};
    kane_wheelset_table *guide = kane_wheelset_table_create(w->contact, &none);
    if (!guide)
        (void)fprintf(stderr, "note: no tables: %s\n", kane_errors_get(&none, 0)->text);
    int good = contact_rows_fill(&rows, w->contact, guide, a->reach, a->step, hold);
    if (good)
        good = write_table(a, &rows, errors);
    else
        kane_errors_add(errors, KANE_NO_MEMORY, "out of memory");
    contact_rows_clear(&rows);

    // notes and picture have their own steps: a table with few rows would make lines of corners
    good = good && contact_rows_fill(&rows, w->contact, guide, a->reach, a->reach / 200.0, hold);
    if (good) {
        tell_remarks(&w->remarks);
        tell_range(a, &rows);
        tell_jumps(w->contact, &rows, a->yaw);
        tell_conformal(&rows);
        good = !a->picture || contact_draw(w, &rows, hold, a->picture, errors) == KANE_OK;
    }
    contact_rows_clear(&rows);
    kane_wheelset_table_free(guide);
    return good;
}

// Loads as typed, else those of the vehicle.
static contact_hold hold_of(const arguments *a, const app_wheelset *w)
{
    contact_hold hold   = {.yaw = a->yaw, .is_normal = !isnan(a->normal[0]), .speed = a->speed};
    const double *typed = hold.is_normal ? a->normal : a->load;
    for (int side = 0; side < 2; side++)
        hold.load[side] = isnan(typed[0]) ? w->load[side] : isnan(typed[side]) ? typed[0] : typed[side];
    return hold;
}

int command_contact(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        "[VEHICLE.json]",
        "Lets a wheelset, of a vehicle or as options describe it, stand and roll on the rails of a track, shifted from "
        "side to side, rigid and under load, and prints a table (CSV: names, units, rows) of height, roll, contact "
        "points, angles, rolling radii, curvatures, patches, creepages and forces; draws it with --output.",
        NULL,
        NULL,
        NULL};
    const double none  = (double)NAN;
    arguments a        = {.choice = app_wheelset_choice_default(),
                          .load   = {none, none},
                          .normal = {none, none},
                          .speed  = 10.0,
                          .step   = 5e-4};
    kane_errors errors = {0};
    app_wheelset wheelset;
    app_parse(&argp, argc, argv, &a);
    if (!app_wheelset_open(&a.choice, &wheelset, &errors))
        return app_fail(&errors);
    if (!(a.reach > 0.0))
        a.reach = reach_of(wheelset.contact, a.yaw);
    if (a.reach / a.step > ROWS_MOST / 2.0) {
        (void)fprintf(stderr, "kane contact: a step of %g m makes more than %d rows\n", a.step, ROWS_MOST);
        app_wheelset_close(&wheelset);
        return EXIT_USAGE;
    }
    const contact_hold hold = hold_of(&a, &wheelset);
    const int good          = look(&a, &wheelset, &hold, &errors);
    app_wheelset_close(&wheelset);
    return good ? EXIT_DONE : app_fail(&errors);
}
