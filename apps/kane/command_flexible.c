// SPDX-License-Identifier: MIT
// kane flexible check: what a flexible body comes down to; kane flexible reduce: puts that into a file.

#include "modes.h"
#include "results/results.h"

#include <kane/flexible.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    app_texts files;     // models of kane flexible check
    const char *file;    // of kane flexible reduce
    app_outputs outputs; // of kane flexible check
    int shape;           // --shape; 0: none
    const char *output;  // --output of kane flexible reduce
    app_texts settings;
} arguments;

// How far a point goes in a mode of unit modal mass.
static kane_vec3 shape_at(const kane_deformable *shape, int point, int mode)
{
    const double *S = shape->points[point].S;
    const int n     = shape->mode_count;
    return kv3(S[mode], S[n + mode], S[2 * n + mode]);
}

// The point that goes farthest.
static int largest_point(const kane_deformable *shape, int mode)
{
    int largest = 0;
    for (int i = 1; i < shape->point_count; i++)
        if (kv3_norm(shape_at(shape, i, mode)) > kv3_norm(shape_at(shape, largest, mode)) * (1.0 + 1e-9))
            largest = i;
    return largest;
}

// What a reduced body was made from, and what has become of that.
static void print_sources(FILE *out, const kane_flexible_data *d)
{
    for (int i = 0; i < d->source_count; i++)
        (void)fprintf(out, "%s %s%s\n", i == 0 ? "reduced from" : "            ", d->sources[i].file,
                      kane_flexible_source_changed(&d->sources[i]) ? ", which has changed since: reduce it again" : "");
}

static double damping_ratio(const kane_deformable *shape, int mode)
{
    const int at = mode * (shape->mode_count + 1);
    return shape->damping[at] / (2.0 * sqrt(shape->mass[at] * shape->stiffness[at]));
}

static void print_body(FILE *out, const kane_flexible_data *d)
{
    const double *J = d->inertia;
    (void)fprintf(out, "%s: %d nodes, %d modes, %d interfaces\n", d->name, d->shape.figure.node_count, d->mode_count,
                  d->shape.point_count);
    (void)fprintf(out, "mass         %.8g kg\n", d->mass);
    (void)fprintf(out, "mass centre  %.6g, %.6g, %.6g m\n", d->centre.x, d->centre.y, d->centre.z);
    (void)fprintf(out, "inertia      %.7g, %.7g, %.7g, %.3g, %.3g, %.3g kg m^2 (xx yy zz xy xz yz)\n", J[0], J[1], J[2],
                  J[3], J[4], J[5]);
    const int is_principal = d->frame && kane_flexible_frame_is_principal(d->frame);
    (void)fprintf(out, "axes         %s%s\n",
                  is_principal ? "principal axes of inertia"
                  : d->frame   ? "fixed to "
                               : "mean axes",
                  d->frame && !is_principal ? d->frame : "");
    (void)fprintf(out, "what should be nothing: %.2g of the modal mass", d->mass_left);
    if (!d->frame)
        (void)fprintf(out, ", %.2g of the modes' momentum, %.2g of their spin", d->momentum_left, d->turning_left);
    (void)fprintf(out, "\n");
    print_sources(out, d);
}

// A row for each mode: the point that goes farthest, where to, and in files the shape at all points.
static kane_table tabulate_modes(kane_arena *arena, const kane_flexible_data *d)
{
    static const char *const unit = "kg^-1/2"; // of displacements for a unit modal coordinate
    kane_table t                  = kane_table_begin(arena, 8 + 3 * d->shape.point_count, d->mode_count);
    t.title                       = "modes";
    t.about                       = "";
    kane_table_add_columns(&t, 8,
                           (const kane_table_column[]){
                               {.name = "mode", .unit = "1", .text = {.head = "mode"}},
                               {.name = "frequency", .unit = "Hz", .text = {"f [Hz]", 1.0, .digits = 5}},
                               {.name = "damping", .unit = "1", .text = {"damping", 1.0, .digits = 4, .format = 'f'}},
                               {.name = "farthest", .unit = "", .text = {"goes farthest", .width = -1}},
                               {.name = "along x", .unit = "1", .text = {"along x", 1.0, .digits = 2}},
                               {.name = "y", .unit = "1", .text = {"y", 1.0, .digits = 2}},
                               {.name = "z", .unit = "1", .text = {"z", 1.0, .digits = 2}},
                               {.name = "kind", .unit = "", .text = {.head = "", .width = -1, .none = ""}}});
    for (int k = 0; k < 3 * d->shape.point_count; k++)
        kane_table_add_columns(
            &t, 1,
            &(kane_table_column){.name = kane_table_text(&t, "%s.%c", d->shape.points[k / 3].name, "xyz"[k % 3]),
                                 .unit = unit,
                                 .text = {.is_hidden = 1}});
    for (int i = 0; i < d->mode_count; i++) {
        const int point     = largest_point(&d->shape, i);
        const kane_vec3 u   = shape_at(&d->shape, point, i);
        const double size   = kv3_norm(u);
        const int is_static = d->shape.mass[i * (d->mode_count + 1)] < 1.0;
        kane_table_add(&t, 8,
                       (const kane_cell[]){kane_cell_count(i + 1), kane_cell_number(d->frequency[i]),
                                           kane_cell_number(damping_ratio(&d->shape, i)),
                                           kane_cell_word(d->shape.points[point].name), kane_cell_number(u.x / size),
                                           kane_cell_number(u.y / size), kane_cell_number(u.z / size),
                                           kane_cell_word(is_static ? "quasi-static" : "")});
        for (int k = 0; k < d->shape.point_count; k++) {
            const kane_vec3 at = shape_at(&d->shape, k, i);
            kane_table_add_numbers(&t, 3, (const double[]){at.x, at.y, at.z});
        }
    }
    return t;
}

// What is printed and drawn.
typedef struct checked_body {
    const kane_flexible_data *body;
    int number; // of the mode that is drawn
} checked_body;

static void print_above(FILE *out, const void *data)
{
    print_body(out, ((const checked_body *)data)->body);
}

static int draw_shape(kane_figure *f, const void *data, kane_errors *errors)
{
    const checked_body *mode    = data;
    const kane_flexible_data *d = mode->body;
    modes_figure figure;
    if (mode->number > d->mode_count) {
        kane_errors_add(errors, KANE_BAD_INPUT, "there is no mode %d; modes are 1 to %d", mode->number, d->mode_count);
        return 0;
    }
    f->plot.title = kane_figure_text(f, "%s: mode %d, %.4g Hz", d->name, mode->number, d->frequency[mode->number - 1]);
    if (!modes_figure_make_alone(&d->shape, mode->number - 1, &figure, errors))
        return 0;
    modes_figure_draw(&figure, f);
    modes_figure_free(&figure);
    return 1;
}

// --- two bodies ---

// Modal assurance criterion: modes of the first body below each other, of the second side by side. 0 with errors.
static int tabulate_mac(kane_arena *arena, const kane_flexible *one, const kane_flexible *other, const char *file,
                        kane_table *t, kane_errors *errors)
{
    const kane_flexible_data *a = kane_flexible_get_data(one), *b = kane_flexible_get_data(other);
    double *mac     = kane_arena_doubles(arena, (size_t)a->mode_count * (size_t)b->mode_count);
    const int nodes = mac ? kane_flexible_compare(one, other, mac) : -1;
    if (nodes < 0)
        return kane_no_memory(errors) == KANE_OK;
    if (nodes == 0) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = file, .path = ""},
                              "has no node within 1 mm of one of the first model: their modes cannot be compared");
        return 0;
    }
    *t       = kane_table_begin(arena, 2 + b->mode_count, a->mode_count);
    t->title = "modal assurance criterion";
    t->about = kane_table_text(t,
                               "modal assurance criterion by %d %s: modes of the first body below each other, of the "
                               "second side by side",
                               nodes, app_plural(nodes, (app_noun){"node", "nodes"}));
    kane_table_add_columns(
        t, 2,
        (const kane_table_column[]){{.name = "mode", .unit = "1", .text = {.head = "mode"}},
                                    {.name = "frequency", .unit = "Hz", .text = {"f [Hz]", 1.0, .digits = 5}}});
    for (int k = 0; k < b->mode_count; k++)
        kane_table_add_columns(t, 1,
                               &(kane_table_column){.name = kane_table_text(t, "mode %d of the other", k + 1),
                                                    .unit = "1",
                                                    .text = {kane_table_text(t, "%.4g", b->frequency[k]), 1.0,
                                                             .digits = 3, .format = 'f'}});
    for (int i = 0; i < a->mode_count; i++) {
        kane_table_add(t, 2, (const kane_cell[]){kane_cell_count(i + 1), kane_cell_number(a->frequency[i])});
        for (int k = 0; k < b->mode_count; k++) {
            const double value = mac[i * b->mode_count + k];
            kane_table_put(t, value >= 0.0 ? kane_cell_number(value) : kane_cell_word(""));
        }
    }
    return 1;
}

static void write_check(const arguments *a, const kane_flexible *one, const kane_flexible *other, kane_errors *errors)
{
    const checked_body body = {kane_flexible_get_data(one), a->shape};
    kane_arena *arena       = kane_arena_create();
    kane_table tables[2]    = {tabulate_modes(arena, body.body)};
    const int good          = arena && other && tabulate_mac(arena, one, other, a->files.texts[1], &tables[1], errors);
    const kane_table_report report = {
        .table_count = good ? 2 : 1, .tables = tables, .above = print_above, .draw = draw_shape, .data = &body};
    (void)app_write_report(&a->outputs, KANE_TABLE_TEXT, &report, errors);
    kane_arena_free(arena);
}

// --- commands ---

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->files.count == 0)
        argp_error(state, "which model file?");
    if ((a->shape > 0) != app_draws(&a->outputs))
        argp_error(state, "--shape needs --output, and that --shape");
}

static int flexible_check(int argc, char **argv)
{
    static const app_option options[] = {
        APP_OUTPUT_OPTION("", outputs),
        {"shape", 'n', "N", 0, "draw the shape of mode number N with --output", APP_MODE(shape)},
        {"set", 's', "PATH=VALUE", APP_SETS, "change a value of the (first) model", APP_TEXTS(settings)},
        {0},
    };
    static const app_command command = APP_COMMAND(
        options, "BODY [OTHER]", NULL, files, 2, check_arguments,
        "Says what a flexible body comes down to, a model or a reduced one: mass, inertia, modes, which of "
        "its interfaces goes farthest in each, and whether what it was reduced from has changed. With OTHER "
        "also whether their modes have the same shapes.");
    arguments a        = {0};
    kane_errors errors = {0};
    app_parse(&command, argc, argv, &a);
    kane_flexible *one   = kane_flexible_read(a.files.texts[0], a.settings.texts, &errors);
    kane_flexible *other = one && a.files.count > 1 ? kane_flexible_read(a.files.texts[1], NULL, &errors) : NULL;
    if (one && errors.count == 0)
        write_check(&a, one, other, &errors);
    kane_flexible_free(one);
    kane_flexible_free(other);
    return errors.count > 0 ? app_fail(&errors) : EXIT_DONE;
}

static void check_output(void *all, struct argp_state *state)
{
    if (!((const arguments *)all)->output)
        argp_error(state, "needs --output, the file of the reduced body");
}

static int flexible_reduce(int argc, char **argv)
{
    static const app_option options[] = {
        {"output", 'o', "FILE", 0, "file of the reduced body, .kflex", APP_TEXT(output)},
        {"set", 's', "PATH=VALUE", APP_SETS, "change a value of the model", APP_TEXTS(settings)},
        {0},
    };
    static const app_command command = APP_COMMAND(
        options, "MODEL", "model file", file, 0, check_output,
        "Reduces the model of a flexible body to its modes and writes all that vehicles need of it into one "
        "file (HDF5), with the hashes of the files it was made from. Vehicles take it as they take the model.");
    arguments a        = {0};
    kane_errors errors = {0};
    app_parse(&command, argc, argv, &a);
    kane_flexible *body = kane_flexible_read(a.file, a.settings.texts, &errors);
    if (body && kane_flexible_write(body, a.output, &errors) == KANE_OK)
        (void)printf("%s: %d modes, %d interfaces\n", a.output, kane_flexible_get_data(body)->mode_count,
                     kane_flexible_get_data(body)->shape.point_count);
    kane_flexible_free(body);
    return errors.count > 0 ? app_fail(&errors) : EXIT_DONE;
}

int command_flexible(int argc, char **argv)
{
    static const app_choice choices[] = {
        {"check", "what a flexible body comes down to; are the modes of two bodies the same?", flexible_check},
        {"reduce", "write what a model comes down to into one file", flexible_reduce}};
    static const app_choices among = {"flexible", "command", "COMMAND", "Commands", choices, 2};
    return app_choose(&among, argc, argv);
}
