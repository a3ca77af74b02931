// SPDX-License-Identifier: MIT
// kane contact: tabulates and draws how a wheelset touches its rails while it is shifted from side to side.

#include "wheelset.h"

#include <string.h>

enum { ROWS_MOST = 1000000, JUMPS_MOST = 64 };

static const double FARTHEST = 0.015; // shift without --reach [m]
static const double STEEPEST = 0.9;   // contact angle up to which it goes then [rad]
static const double LEAP     = 1e-3;  // shortest jump that is reported [m]

typedef struct arguments {
    app_wheelset_choice choice;
    app_outputs outputs;
    double load[2], normal[2]; // NaN: not given
    double yaw, speed, reach, step;
} arguments;

static const app_option options[] = {
    {"step", 'd', "M", 0, "shift from row to row [m] (default 0.0005)", APP_POSITIVE(step, "step", "m")},
    {"friction", 0, "MU", 0, "coefficient of friction of the rails (default: the track's, else 0.3)",
     APP_QUANTITY(choice.friction, "1")},
    {"load", 'l', "N", APP_LIST,
     "vertical load of each wheel [N] (default: static load of the vehicle, else 50000); left and right may differ",
     APP_SIDES(load, "load", "N")},
    {"normal", 0, "N", APP_LIST, "normal force of each wheel [N] instead of its load; left and right may differ",
     APP_SIDES(normal, "normal force", "N")},
    APP_OUTPUT_OPTION("", outputs),
    {"reach", 'r', "M", 0, "largest shift to both sides [m] (default: to the flange, at most 0.015)",
     APP_POSITIVE(reach, "reach", "m")},
    {"speed", 0, "V", 0, "at which it rolls [m/s] (default 10)", APP_POSITIVE(speed, "speed", "m/s")},
    {"yaw", 'y', "RAD", 0, "yaw of the wheelset [rad] (default 0)", APP_QUANTITY(yaw, "rad")},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->reach > 0.1)
        argp_error(state, "the reach must not be more than 0.1 m");
    if (fabs(a->yaw) > 0.1)
        argp_error(state, "the yaw must be within -0.1 and 0.1");
    if (!isnan(a->load[0]) && !isnan(a->normal[0]))
        argp_error(state, "--load or --normal, not both");
    app_wheelset_check(&a->choice, state);
}

// --- table ---

// A column, or one for each side: left columns of what follows each other, then right ones.
typedef struct quantity {
    const char *name, *unit;
    size_t offset, stride;    // in a contact_row; from the left to the right side, 0: it has no sides
    const char *panel, *what; // of the picture; NULL: not drawn
    kane_line_style style;
    int colour;    // without sides
    double factor; // of the picture
} quantity;

#define OF_ROW(member)   offsetof(contact_row, member), 0
#define OF_WHEEL(member) offsetof(contact_row, wheel[0].member), sizeof(contact_wheel)
#define OF_TOUCH(way, patch, member)                                                                                   \
    offsetof(contact_row, way.contact_point[0][patch].member), sizeof((contact_row *)0)->way.contact_point[0]
#define DRAWN(panel, what, style, colour, factor) panel, what, style, colour, factor
#define NOT_DRAWN                                 NULL, NULL, KANE_SOLID, 0, 0.0

static const char DIFFERENCE[] = "radius difference [m]", ANGLE[] = "contact angle [deg]", AXES[] = "semi-axes [m]",
                  FORCE[] = "force, rolling [N]", HEIGHT[] = "height z [m]", ROLL[] = "roll [rad]";
#define DEGREES (-57.29577951308232)

static const quantity quantities[] = {
    {"y", "m", OF_ROW(rigid.y), NOT_DRAWN},
    {"z", "m", OF_ROW(rigid.z), DRAWN(HEIGHT, "rigid", KANE_SOLID, 1, 0.0)},
    {"roll", "rad", OF_ROW(rigid.roll), DRAWN(ROLL, "rigid", KANE_SOLID, 1, 0.0)},
    {"radius_difference", "m", OF_ROW(rigid.radius_difference), DRAWN(DIFFERENCE, "rigid", KANE_SOLID, 1, 0.0)},
    {"rail_y", "m", OF_TOUCH(rigid, 0, rail_y), NOT_DRAWN},
    {"wheel_y", "m", OF_TOUCH(rigid, 0, wheel_y), NOT_DRAWN},
    {"lead", "m", OF_TOUCH(rigid, 0, lead), NOT_DRAWN},
    {"angle", "rad", OF_TOUCH(rigid, 0, angle), DRAWN(ANGLE, "rigid", KANE_SOLID, 0, DEGREES)},
    {"radius", "m", OF_TOUCH(rigid, 0, radius), NOT_DRAWN},
    {"A", "1/m", OF_TOUCH(rigid, 0, A), NOT_DRAWN},
    {"B", "1/m", OF_TOUCH(rigid, 0, B), NOT_DRAWN},
    {"next_gap", "m", OF_TOUCH(rigid, 1, gap), NOT_DRAWN},
    {"elastic.z", "m", OF_ROW(elastic.z), DRAWN(HEIGHT, "under load", KANE_DASHED, 2, 0.0)},
    {"elastic.roll", "rad", OF_ROW(elastic.roll), DRAWN(ROLL, "under load", KANE_DASHED, 2, 0.0)},
    {"elastic.radius_difference", "m", OF_ROW(elastic.radius_difference),
     DRAWN(DIFFERENCE, "under load", KANE_DASHED, 2, 0.0)},
    {"N", "N", OF_TOUCH(elastic, 0, N), NOT_DRAWN},
    {"elastic.rail_y", "m", OF_TOUCH(elastic, 0, rail_y), NOT_DRAWN},
    {"elastic.angle", "rad", OF_TOUCH(elastic, 0, angle), DRAWN(ANGLE, "under load", KANE_DASHED, 0, DEGREES)},
    {"approach", "m", OF_TOUCH(elastic, 0, approach), NOT_DRAWN},
    {"a", "m", OF_TOUCH(elastic, 0, a), DRAWN(AXES, "a along", KANE_SOLID, 0, 0.0)},
    {"b", "m", OF_TOUCH(elastic, 0, b), DRAWN(AXES, "b across", KANE_DASHED, 0, 0.0)},
    {"pressure", "Pa", OF_TOUCH(elastic, 0, pressure), DRAWN("pressure [Pa]", "", KANE_SOLID, 0, 0.0)},
    {"next_N", "N", OF_TOUCH(elastic, 1, N), NOT_DRAWN},
    {"tables.z", "m", OF_ROW(tables.z), DRAWN(HEIGHT, "tables", KANE_SOLID, 3, 0.0)},
    {"tables.roll", "rad", OF_ROW(tables.roll), DRAWN(ROLL, "tables", KANE_SOLID, 3, 0.0)},
    {"tables.radius_difference", "m", OF_ROW(tables.radius_difference),
     DRAWN(DIFFERENCE, "tables", KANE_SOLID, 3, 0.0)},
    {"tables.rail_y", "m", OF_TOUCH(tables, 0, rail_y), NOT_DRAWN},
    {"tables.wheel_y", "m", OF_TOUCH(tables, 0, wheel_y), NOT_DRAWN},
    {"tables.lead", "m", OF_TOUCH(tables, 0, lead), NOT_DRAWN},
    {"tables.angle", "rad", OF_TOUCH(tables, 0, angle), NOT_DRAWN},
    {"tables.radius", "m", OF_TOUCH(tables, 0, radius), NOT_DRAWN},
    {"tables.A", "1/m", OF_TOUCH(tables, 0, A), NOT_DRAWN},
    {"tables.B", "1/m", OF_TOUCH(tables, 0, B), NOT_DRAWN},
    {"omega", "rad/s", OF_ROW(omega), NOT_DRAWN},
    {"xi_x", "1", OF_WHEEL(xi_x), NOT_DRAWN},
    {"xi_y", "1", OF_WHEEL(xi_y), NOT_DRAWN},
    {"phi", "1/m", OF_WHEEL(phi), NOT_DRAWN},
    {"patch.T_x", "N", OF_WHEEL(T_x), NOT_DRAWN},
    {"patch.T_y", "N", OF_WHEEL(T_y), NOT_DRAWN},
    {"patch.M_z", "N m", OF_WHEEL(M_z), NOT_DRAWN},
    {"T_x", "N", OF_WHEEL(along), DRAWN(FORCE, "along", KANE_SOLID, 0, 0.0)},
    {"Y", "N", OF_WHEEL(Y), DRAWN(FORCE, "Y on the rail", KANE_DASHED, 0, 0.0)},
    {"Q", "N", OF_WHEEL(Q), NOT_DRAWN},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities, COLUMNS_MOST = 2 * QUANTITIES };

static const char *side_name(int side)
{
    return side == KANE_LEFT ? "left" : "right";
}

static void add_column(kane_table *t, const quantity *q, int side)
{
    const int has_sides = q->stride > 0;
    const char *of = has_sides ? side_name(side) : "", *what = q->what ? q->what : "";
    kane_table_column is = {.name  = has_sides ? kane_table_text(t, "%s.%s", of, q->name) : q->name,
                            .unit  = q->unit,
                            .curve = {.panel  = q->panel ? q->panel : "",
                                      .style  = q->style,
                                      .colour = has_sides ? side + 1 : q->colour,
                                      .factor = q->factor}};
    is.curve.label       = kane_table_text(t, "%s%s%s", of, has_sides && what[0] ? ", " : "", what);
    if (t->column_count == 0)
        is.curve.panel = "shift y of the wheelset to the left [m]";
    kane_table_add_columns(t, 1, &is);
}

static kane_table tabulate_contact(kane_arena *arena, const contact_rows *rows)
{
    kane_table t                = kane_table_begin(arena, COLUMNS_MOST, rows->count);
    size_t offset[COLUMNS_MOST] = {0};
    t.has_nan                   = 1;
    for (int i = 0, end; i < QUANTITIES; i = end) {
        for (end = i + 1; end < QUANTITIES && quantities[i].stride && quantities[end].stride;)
            end++;
        for (int side = 0; side < (quantities[i].stride ? 2 : 1); side++)
            for (int k = i; k < end; k++) {
                offset[t.column_count] = quantities[k].offset + (size_t)side * quantities[k].stride;
                add_column(&t, &quantities[k], side);
            }
    }
    for (int i = 0; i < rows->count; i++)
        for (int k = 0; k < t.column_count; k++)
            kane_table_put(&t,
                           kane_cell_number(*(const double *)(const void *)((const char *)&rows->rows[i] + offset[k])));
    return t;
}

// --- notes ---

static void tell_jumps(const kane_contact *contact, const contact_rows *rows, double yaw)
{
    kane_jump jumps[JUMPS_MOST];
    int count = 0;
    if (rows->count > 1)
        (void)kane_wheelset_position_jumps(contact, yaw, rows->rows[0].rigid.y, rows->rows[rows->count - 1].rigid.y,
                                           LEAP, JUMPS_MOST, jumps, &count);
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
            if (!rows->rows[i].elastic.contact_point[side][0].conformal)
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
        (void)fprintf(stderr, "note: at no shift both wheels touch their rails\n");
    else if (rows->rows[rows->count - 1].rigid.y < 0.99 * a->reach || rows->rows[0].rigid.y > -0.99 * a->reach)
        (void)fprintf(stderr, "note: both wheels touch their rails from y = %.2f to %.2f mm only\n",
                      1e3 * rows->rows[0].rigid.y, 1e3 * rows->rows[rows->count - 1].rigid.y);
    if (unsolved > 0)
        (void)fprintf(stderr, "note: at %d of %d shifts a wheel cannot carry its load\n", unsolved, rows->count);
}

// --- command ---

// Up to where a wheel stands on its flange on either side.
static double reach_of(const kane_contact *contact, double yaw)
{
    kane_wheelset_position s;
    double reach = 5e-4;
    for (; reach < FARTHEST; reach += 1e-4)
        for (int sign = -1; sign <= 1; sign += 2)
            if (kane_wheelset_position_rigid(contact, sign * reach, yaw, &s) != KANE_OK ||
                fabs(s.contact_point[KANE_LEFT][0].angle) > STEEPEST ||
                fabs(s.contact_point[KANE_RIGHT][0].angle) > STEEPEST)
                return reach;
    return reach;
}

// Notes and picture have their own steps: a table with few rows would make lines of corners.
static int report_contact(const arguments *a, const app_wheelset *w, const contact_hold *hold, kane_errors *errors)
{
    contact_rows rows = {0}, fine = {0};
    kane_errors none           = {.limit = 1};
    kane_wheelset_table *guide = kane_wheelset_table_create(w->contact, &none);
    kane_arena *arena          = kane_arena_create();
    if (!guide)
        (void)fprintf(stderr, "note: no tables: %s\n", kane_errors_get(&none, 0)->text);
    int good = contact_rows_fill(&rows, w->contact, guide, a->reach, a->step, hold) &&
               contact_rows_fill(&fine, w->contact, guide, a->reach, a->reach / 200.0, hold);
    if (good) {
        const kane_table tables[]      = {tabulate_contact(arena, &rows), tabulate_contact(arena, &fine)};
        const contact_picture picture  = {w, &fine, hold, &tables[1]};
        const kane_table_report report = {.table_count = 1, .tables = tables, .draw = contact_draw, .data = &picture};
        tell_remarks(&w->remarks);
        tell_range(a, &fine);
        tell_jumps(w->contact, &fine, a->yaw);
        tell_conformal(&fine);
        good = app_write_report(&a->outputs, KANE_TABLE_CSV, &report, errors);
    } else {
        (void)kane_no_memory(errors);
    }
    kane_arena_free(arena);
    contact_rows_clear(&rows);
    contact_rows_clear(&fine);
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
    static const app_command command = APP_COMMAND_WITH(
        options, app_wheelset_options, choice, "[VEHICLE.json]", "vehicle file", choice.file, 1, check_arguments,
        "Lets a wheelset, of a vehicle or as options describe it, stand and roll on the rails of a track, "
        "shifted from side to side, rigid and under load, and prints a table (CSV: names, units, rows) of "
        "height, roll, contact points, angles, rolling radii, curvatures, patches, creepages and forces; "
        "draws it with --output.");
    const double none  = (double)NAN;
    arguments a        = {.choice = app_wheelset_choice_default(),
                          .load   = {none, none},
                          .normal = {none, none},
                          .speed  = 10.0,
                          .step   = 5e-4};
    kane_errors errors = {0};
    app_wheelset wheelset;
    app_parse(&command, argc, argv, &a);
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
    const int good          = report_contact(&a, &wheelset, &hold, &errors);
    app_wheelset_close(&wheelset);
    return good ? EXIT_DONE : app_fail(&errors);
}
