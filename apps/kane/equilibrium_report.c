// SPDX-License-Identifier: MIT
// An equilibrium as tables, and what text says besides.

#include "equilibrium.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

#define DEGREES 57.29577951308232 // a radian

// Rounding of the solution shows as 0, and so does -0.
static double tidy(double value, double largest)
{
    return fabs(value) <= 1e-9 * largest ? 0.0 : value;
}

// What cant leaves of the centrifugal acceleration c = v^2 |k| and of weight g along the track plane, which rolls by
// theta, and what cant u lacks for it to vanish by the rule of small angles. width: of the running points.
//
//   c cos(theta) - g sin(theta),  sin(theta) = u/width          width c/g - u
static void print_excess(FILE *out, const app_analysis *analysis, double g, double width)
{
    const double c    = analysis->where.speed * analysis->where.speed * fabs(analysis->where.curvature);
    const double sine = analysis->cant / width;
    (void)kane_fprintf(out, "lateral acceleration in the track plane %.4g m/s^2",
                       c * sqrt(1.0 - sine * sine) - g * sine);
    if (g > 0.0)
        (void)kane_fprintf(out, ", cant deficiency %.4g mm", 1e3 * (width * c / g - analysis->cant));
    (void)fprintf(out, "\n");
}

static void print_place(FILE *out, const void *data)
{
    char title[200], name[128];
    const equilibrium_report *r    = data;
    const equilibrium_values *v    = r->values;
    const kane_run_definition *run = kane_run_get_definition(r->analysis->run);
    app_analysis_title(r->analysis, sizeof title, title);
    (void)fprintf(out, "%s%s%s\n", run->vehicle->name, title[0] ? ": " : "", title);
    if (run->track)
        print_excess(out, r->analysis, run->vehicle->gravity, kane_track_get_definition(run->track)->running_distance);
    kane_state_name(v->model, v->found->worst, sizeof name, name);
    (void)fprintf(out, "found in %d steps; what is left is %.2g at %s\n", v->found->iterations, v->found->residual,
                  name);
    app_analysis_print_rates(out, r->steady, "");
}

// --- tables ---

// The titles of the tables, and what text writes above each.
static const char *const abouts[EQUILIBRIUM_TABLES][2] = {
    {"bodies", "bodies: displacement from the static position"},
    {"wheels",
     "wheels: on the rail Q down and Y to the left, on the wheel T forward; contact angle and pressure of the "
     "largest patch"},
    {"wheelsets",
     "wheelsets: shift to the left, angle of attack (yaw against the track, positive to the left), sum of Y"},
    {"elements", "elements: on the second body, axes of the law"},
    {"joints", "joints: on the body, at the joint, axes of the joint"},
    {"constraints", "constraints: multipliers [N], [N m]"},
    {"reactions", "reactions"}};

static void begin_table(kane_arena *arena, equilibrium_table_kind kind, const char *of, int letters, kane_table *t)
{
    *t         = kane_table_begin(arena, 0, 0);
    t->title   = abouts[kind][0];
    t->about   = abouts[kind][1];
    t->has_nan = 1;
    kane_table_add_columns(
        t, 1, &(kane_table_column){.name = of, .unit = "", .text = {.head = "", .gap = 2, .width = -letters}});
}

// Text shows `factor` times the value.
static void add_column(kane_table *t, const char *name, const char *unit, const char *head, double factor, int width,
                       int digits)
{
    kane_table_add_columns(t, 1,
                           &(kane_table_column){.name = name,
                                                .unit = unit,
                                                .text = {head, factor, 1, width, digits, .format = 'f', .none = ""}});
}

// That text leaves out.
static void add_hidden(kane_table *t, int count, const char *const *names, const char *const *units)
{
    for (int i = 0; i < count; i++)
        kane_table_add_columns(t, 1,
                               &(kane_table_column){.name = names[i], .unit = units[i], .text = {.is_hidden = 1}});
}

static void add_columns_of_six(kane_table *t, const char *const names[6], const char *const units[6],
                               const char *const heads[6])
{
    for (int i = 0; i < 6; i++)
        kane_table_add_columns(t, 1,
                               &(kane_table_column){.name = names[i],
                                                    .unit = units[i],
                                                    .text = {heads[i], 1.0, 1, 12, 6, .format = 'g', .none = ""}});
}

static void begin_tables(kane_arena *arena, kane_table tables[EQUILIBRIUM_TABLES])
{
    static const char *const wrench[] = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
    static const char *const units[] = {"N", "N", "N", "N m", "N m", "N m"}, *const none[] = {"", "", "", "", "", ""};
    static const char *const heads[]       = {"x [N]", "y", "z", "x [N m]", "y", "z"};
    static const char *const multipliers[] = {"multiplier_1", "multiplier_2", "multiplier_3",
                                              "multiplier_4", "multiplier_5", "multiplier_6"};
    static const char *const coordinates[] = {"at_x", "at_y", "at_z", "at_yaw", "at_roll", "at_pitch"};
    static const char *const motions[] = {"d_x", "d_y", "d_z", "phi_x", "phi_y", "phi_z"}, *const contact[] = {
                                                                                               "static", "pressure"};
    static const char *const motion_units[] = {"m", "m", "m", "rad", "rad", "rad"}, *const contact_units[] = {"N",
                                                                                                              "Pa"};
    kane_table *t = tables;
    begin_table(arena, EQUILIBRIUM_BODIES, "body", 28, t);
    add_column(t, "x", "m", "x [mm]", 1e3, 10, 4);
    add_column(t, "y", "m", "y [mm]", 1e3, 10, 4);
    add_column(t, "z", "m", "z [mm]", 1e3, 10, 4);
    add_column(t, "yaw", "rad", "yaw [mrad]", 1e3, 10, 4);
    add_column(t, "roll", "rad", "roll", 1e3, 10, 4);
    add_column(t, "pitch", "rad", "pitch", 1e3, 10, 4);
    add_hidden(t, 6, coordinates, motion_units);
    begin_table(arena, EQUILIBRIUM_WHEELS, "wheel", 28, ++t);
    add_column(t, "Q", "N", "Q [kN]", 1e-3, 9, 3);
    add_column(t, "Y", "N", "Y [kN]", 1e-3, 9, 3);
    add_column(t, "T", "N", "T [kN]", 1e-3, 9, 3);
    add_column(t, "Y_by_Q", "1", "Y/Q", 1.0, 8, 4);
    add_column(t, "Q_by_static", "1", "Q/static", 1.0, 8, 4);
    add_column(t, "angle", "rad", "angle [deg]", DEGREES, 10, 3);
    add_column(t, "lift", "m", "lift [mm]", 1e3, 10, 4);
    add_column(t, "patches", "1", "patches", 1.0, 8, 0);
    add_hidden(t, 2, contact, contact_units);
    begin_table(arena, EQUILIBRIUM_WHEELSETS, "wheelset", 28, ++t);
    add_column(t, "y", "m", "y [mm]", 1e3, 10, 4);
    add_column(t, "attack", "rad", "[mrad]", 1e3, 10, 4);
    add_column(t, "Y", "N", "Y [kN]", 1e-3, 10, 3);
    begin_table(arena, EQUILIBRIUM_ELEMENTS, "element", 28, ++t);
    add_columns_of_six(t, wrench, units, heads);
    add_hidden(t, 6, motions, motion_units);
    begin_table(arena, EQUILIBRIUM_JOINTS, "joint", 28, ++t);
    add_columns_of_six(t, wrench, units, heads);
    begin_table(arena, EQUILIBRIUM_CONSTRAINTS, "constraint", 28, ++t);
    add_columns_of_six(t, multipliers, none, none);
    begin_table(arena, EQUILIBRIUM_REACTIONS, "coordinate", 40, ++t);
    kane_table_add_columns(
        t, 2,
        (const kane_table_column[]){
            {.name = "reaction", .unit = "", .text = {.head = "", .gap = 1, .width = 14, .digits = 6, .format = 'g'}},
            {.name = "unit", .unit = "", .text = {.head = "", .gap = 1, .width = -1}}});
}

static void add_body_rows(const equilibrium_values *v, kane_table *t)
{
    for (int j = 0; j < v->body_count; j++) {
        double q[6], rates[6];
        kane_get_relative(v->model, v->work, j, q, rates);
        kane_table_put(t, kane_cell_word(kane_model_body_name(v->model, j)));
        for (int c = 0; c < 6; c++)
            kane_table_put(t, kane_cell_number(tidy(v->displacement[j][c], 1.0)));
        kane_table_add_numbers(t, 6, q);
    }
}

static void add_wheel_rows(const equilibrium_values *v, int body, kane_table *wheels, kane_table *wheelsets)
{
    static const char *const sides[] = {"left", "right"};
    const equilibrium_wheel *both    = v->wheel[body];
    double q[6], rates[6];
    for (int side = 0; side < 2; side++) {
        const equilibrium_wheel *w = &both[side];
        kane_table_put(wheels, kane_cell_word(kane_table_text(wheels, "%s.%s", kane_model_body_name(v->model, body),
                                                              sides[side])));
        kane_table_add_numbers(wheels, 7,
                               (const double[]){w->Q, tidy(w->Y, w->Q), tidy(w->T, w->Q), tidy(w->Y / w->Q, 1.0),
                                                w->Q / w->load, w->angle, w->lift});
        kane_table_put(wheels, kane_cell_count(w->patches));
        kane_table_add_numbers(wheels, 2, (const double[]){w->load, w->pressure});
    }
    kane_get_relative(v->model, v->work, body, q, rates);
    kane_table_put(wheelsets, kane_cell_word(kane_model_body_name(v->model, body)));
    kane_table_add_numbers(
        wheelsets, 3, (const double[]){tidy(q[KANE_Y], 1.0), tidy(q[KANE_YAW], 1.0), tidy(both[0].Y + both[1].Y, 1e5)});
}

static void add_wrench_row(kane_table *t, const char *name, kane_wrench w, double largest)
{
    const double values[] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
    kane_table_put(t, kane_cell_word(name));
    for (int i = 0; i < 6; i++)
        kane_table_put(t, kane_cell_number(tidy(values[i], largest)));
}

static void add_element_rows(const equilibrium_values *v, kane_table *t)
{
    double largest = 0.0;
    kane_wrench w;
    kane_relative relative;
    for (int i = 0; i < v->vehicle->element_count; i++) {
        kane_get_element(v->model, v->work, i, &w, &relative);
        largest = fmax(largest, kv3_norm(w.force));
    }
    for (int i = 0; i < v->vehicle->element_count; i++) {
        kane_get_element(v->model, v->work, i, &w, &relative);
        add_wrench_row(t, v->vehicle->elements[i].block.name, w, largest);
        kane_table_add_numbers(
            t, 6,
            (const double[]){relative.d.x, relative.d.y, relative.d.z, relative.phi.x, relative.phi.y, relative.phi.z});
    }
}

static void add_constraint_rows(const equilibrium_values *v, kane_table *t)
{
    for (int i = 0; i < v->vehicle->constraint_count; i++) {
        double multiplier[6];
        const int rows = kane_get_constraint(v->model, v->work, i, multiplier);
        kane_table_put(t, kane_cell_word(v->vehicle->constraints[i].block.name));
        for (int k = 0; k < 6; k++)
            kane_table_put(t, k < rows ? kane_cell_number(multiplier[k]) : kane_cell_word(""));
    }
}

// Reactions of removed freedoms; the guide's along the track is the traction.
static void add_reaction_rows(const equilibrium_values *v, int body, kane_table *t)
{
    for (int c = 0; c < 6; c++) {
        const int guides =
            c == KANE_X && v->vehicle->guide && kane_model_find_body(v->model, v->vehicle->guide) == body;
        if (v->vehicle->bodies[body].dof & KANE_DOF(c) && !guides)
            continue;
        kane_table_put(
            t, kane_cell_word(kane_table_text(t, "%s.%s%s", kane_model_body_name(v->model, body),
                                              kane_coordinate_name((kane_coordinate)c), guides ? " (traction)" : "")));
        kane_table_put(t, kane_cell_number(kane_get_reaction(v->model, v->work, body, (kane_coordinate)c)));
        kane_table_put(t, kane_cell_word(c < 3 ? "N" : "N m"));
    }
}

static void fill_tables(const equilibrium_values *v, kane_arena *arena, kane_table tables[EQUILIBRIUM_TABLES])
{
    begin_tables(arena, tables);
    add_body_rows(v, &tables[EQUILIBRIUM_BODIES]);
    add_element_rows(v, &tables[EQUILIBRIUM_ELEMENTS]);
    add_constraint_rows(v, &tables[EQUILIBRIUM_CONSTRAINTS]);
    for (int j = 0; j < v->vehicle->body_count; j++) {
        if (equilibrium_has_wheels(v, j))
            add_wheel_rows(v, j, &tables[EQUILIBRIUM_WHEELS], &tables[EQUILIBRIUM_WHEELSETS]);
        if (v->vehicle->bodies[j].joint) {
            const kane_wrench w = kane_get_joint_reaction(v->model, v->work, j);
            add_wrench_row(&tables[EQUILIBRIUM_JOINTS], kane_model_body_name(v->model, j), w,
                           fmax(kv3_norm(w.force), kv3_norm(w.torque)));
        } else {
            add_reaction_rows(v, j, &tables[EQUILIBRIUM_REACTIONS]);
        }
    }
}

// --- text ---

static int is_undetermined(const kane_table *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->cells[i].kind == KANE_CELL_NUMBER && !isfinite(t->cells[i].number))
            return 1;
    return 0;
}

static void print_balance(FILE *out, const equilibrium_values *v)
{
    const equilibrium_balance *b = &v->balance;
    const kane_vec3 left         = kv3_add(kv3_add(b->rails, b->body), b->held);
    double Q = 0.0, Y = 0.0;
    for (int j = 0; j < v->vehicle->body_count; j++)
        for (int side = 0; side < 2 && equilibrium_has_wheels(v, j); side++) {
            Q += v->wheel[j][side].Q;
            Y += v->wheel[j][side].Y;
        }
    if (!kv3_norm(b->rails))
        return;
    (void)fprintf(out, "\nsums: Q %.6g kN, Y %.6g kN, %.6g t\n", 1e-3 * Q, tidy(1e-3 * Y, 1e-3 * Q), 1e-3 * b->mass);
    if (b->elements > 0)
        (void)fprintf(out, "%d %s the track\n", b->elements,
                      app_plural(b->elements, (app_noun){"element holds on to", "elements hold on to"}));
    else
        (void)fprintf(out, "rails, gravity, motion and traction leave %.2g N of %.6g kN\n", kv3_norm(left),
                      1e-3 * kv3_norm(b->rails));
}

static void print_notes(FILE *out, const void *data)
{
    const equilibrium_report *r = data;
    if (is_undetermined(&r->tables[EQUILIBRIUM_JOINTS]) || is_undetermined(&r->tables[EQUILIBRIUM_CONSTRAINTS]))
        (void)fprintf(out, "\nnan: not determined, redundant constraints and joints share that load\n");
    print_balance(out, r->values);
    app_analysis_print_stability(out, "\n", r->steady, &r->stability);
}

// --- JSON, before the tables ---

static void write_vector(kane_writer *w, const char *key, kane_vec3 a)
{
    kane_write_numbers(w, key, 3, (const double[]){a.x, a.y, a.z});
}

static void write_summary(kane_writer *w, const void *data)
{
    const equilibrium_report *r = data;
    const equilibrium_values *v = r->values;
    char name[128];
    kane_state_name(v->model, v->found->worst, sizeof name, name);
    app_analysis_write_place(w, r->analysis);
    kane_writer_open(w, "search", '{');
    kane_writer_count(w, "iterations", v->found->iterations);
    kane_writer_number(w, "residual", v->found->residual);
    kane_writer_text(w, "worst", name);
    kane_writer_close(w);
    app_analysis_write_rates(w, r->steady);
    kane_writer_open(w, "balance", '{');
    kane_writer_number(w, "mass", v->balance.mass);
    write_vector(w, "rails", v->balance.rails);
    write_vector(w, "bodies", v->balance.body);
    write_vector(w, "held", v->balance.held);
    kane_writer_close(w);
    app_analysis_write_stability(w, &r->stability);
}

int equilibrium_write(const app_analysis *analysis, kane_steady *steady, const app_outputs *outputs,
                      kane_errors *errors)
{
    equilibrium_values v;
    kane_table tables[EQUILIBRIUM_TABLES];
    equilibrium_report r = {.analysis = analysis, .steady = steady, .values = &v, .tables = tables};
    if (!equilibrium_values_get(analysis, steady, &v, errors))
        return 0;
    kane_arena *arena              = kane_arena_create();
    const kane_table_report report = {.table_count = EQUILIBRIUM_TABLES,
                                      .tables      = tables,
                                      .above       = print_place,
                                      .below       = print_notes,
                                      .json_above  = write_summary,
                                      .data        = &r};
    fill_tables(&v, arena, tables);
    const int good = app_analysis_stability(steady, &r.stability, errors) &&
                     app_write_report(outputs, KANE_TABLE_TEXT, &report, errors);
    kane_modes_free(r.stability.growing);
    kane_arena_free(arena);
    equilibrium_values_clear(&v);
    return good;
}
