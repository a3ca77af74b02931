// SPDX-License-Identifier: MIT
// kane flexible check: what a flexible body comes down to; kane flexible reduce: puts that into a file.

#include "app.h"
#include "modes.h"
#include "results/results.h"

#include <kane/flexible.h>

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *file, *other; // models
    app_outputs outputs;      // of kane flexible check
    int shape;                // --shape; 0: none
    const char *output;       // --output of kane flexible reduce
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
static void print_sources(const kane_flexible_data *d)
{
    for (int i = 0; i < d->source_count; i++)
        (void)printf("%s %s%s\n", i == 0 ? "reduced from" : "            ", d->sources[i].file,
                     kane_flexible_source_changed(&d->sources[i]) ? ", which has changed since: reduce it again" : "");
}

static double damping_ratio(const kane_deformable *shape, int mode)
{
    const int at = mode * (shape->mode_count + 1);
    return shape->damping[at] / (2.0 * sqrt(shape->mass[at] * shape->stiffness[at]));
}

static void print(const kane_flexible_data *d)
{
    const double *J = d->inertia;
    (void)printf("%s: %d nodes, %d modes, %d interfaces\n", d->name, d->shape.figure.node_count, d->mode_count,
                 d->shape.point_count);
    (void)printf("mass         %.8g kg\n", d->mass);
    (void)printf("mass centre  %.6g, %.6g, %.6g m\n", d->centre.x, d->centre.y, d->centre.z);
    (void)printf("inertia      %.7g, %.7g, %.7g, %.3g, %.3g, %.3g kg m^2 (xx yy zz xy xz yz)\n", J[0], J[1], J[2], J[3],
                 J[4], J[5]);
    (void)printf("axes         %s%s\n", d->frame ? "fixed to " : "mean axes", d->frame ? d->frame : "");
    (void)printf("what should be nothing: %.2g of the modal mass", d->mass_left);
    if (!d->frame)
        (void)printf(", %.2g of the modes' momentum, %.2g of their spin", d->momentum_left, d->turning_left);
    (void)printf("\n");
    print_sources(d);
    (void)printf("\nmode     f [Hz]  damping  goes farthest\n");
    for (int i = 0; i < d->mode_count; i++) {
        const int point   = largest_point(&d->shape, i);
        const kane_vec3 u = shape_at(&d->shape, point, i);
        const double size = kv3_norm(u);
        (void)printf("%4d %10.5g %8.4f  %s, along (%.2g, %.2g, %.2g)%s\n", i + 1, d->frequency[i],
                     damping_ratio(&d->shape, i), d->shape.points[point].name, u.x / size, u.y / size, u.z / size,
                     d->shape.mass[i * (d->mode_count + 1)] < 1.0 ? ", quasi-static" : "");
    }
}

static kane_table tabulate_shapes(const kane_flexible_data *d)
{
    kane_table t = kane_table_begin(kane_arena_create(), 2 + 3 * d->shape.point_count, d->mode_count);
    kane_table_add_names(&t, 2, (const char *const[]){"mode", "frequency"}, (const char *const[]){"1", "Hz"});
    for (int k = 0; k < 3 * d->shape.point_count; k++)
        kane_table_add_columns(
            &t, 1,
            &(kane_table_column){.name = kane_table_text(&t, "%s.%c", d->shape.points[k / 3].name, "xyz"[k % 3]),
                                 .unit = "kg^-1/2"});
    for (int i = 0; i < d->mode_count; i++) {
        kane_table_put(&t, kane_cell_count(i + 1));
        kane_table_put(&t, kane_cell_number(d->frequency[i]));
        for (int k = 0; k < d->shape.point_count; k++) {
            const kane_vec3 u = shape_at(&d->shape, k, i);
            kane_table_add_numbers(&t, 3, (const double[]){u.x, u.y, u.z});
        }
    }
    return t;
}

// What is drawn: one mode.
typedef struct drawn_mode {
    const kane_flexible_data *body;
    int number;
} drawn_mode;

static int draw_shape(kane_figure *f, const void *data, kane_errors *errors)
{
    const drawn_mode *mode      = data;
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

static void write_files(const arguments *a, const kane_flexible_data *d, kane_errors *errors)
{
    const drawn_mode mode          = {d, a->shape};
    const kane_table table         = tabulate_shapes(d);
    const kane_table_report report = {.table_count = 1, .tables = &table, .draw = draw_shape, .data = &mode};
    (void)app_write_report(&a->outputs, KANE_TABLE_FORMATS, &report, errors);
    kane_arena_free(table.arena);
}

// --- two bodies ---

static void print_mac(const kane_flexible_data *a, const kane_flexible_data *b, int nodes, const double *mac)
{
    (void)printf(
        "\nmodal assurance criterion by %d %s: modes of the first body below each other, of the second side by side\n%16s",
        nodes, app_plural(nodes, (app_noun){"node", "nodes"}), "f [Hz]");
    for (int k = 0; k < b->mode_count; k++)
        (void)printf(" %8.4g", b->frequency[k]);
    (void)printf("\n");
    for (int i = 0; i < a->mode_count; i++) {
        (void)printf("%4d %11.5g", i + 1, a->frequency[i]);
        for (int k = 0; k < b->mode_count; k++) {
            const double value = mac[i * b->mode_count + k];
            if (value >= 0.0)
                (void)printf(" %8.3f", value);
            else
                (void)printf(" %8s", "-");
        }
        (void)printf("\n");
    }
}

static void compare(const kane_flexible *one, const kane_flexible *other, const char *file, kane_errors *errors)
{
    const kane_flexible_data *a = kane_flexible_get_data(one), *b = kane_flexible_get_data(other);
    double *mac     = calloc((size_t)a->mode_count * (size_t)b->mode_count, sizeof *mac);
    const int nodes = mac ? kane_flexible_compare(one, other, mac) : -1;
    if (nodes < 0)
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    else if (nodes == 0)
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = file, .path = ""},
                              "has no node within 1 mm of one of the first model: their modes cannot be compared");
    else
        print_mac(a, b, nodes, mac);
    free(mac);
}

// --- commands ---

static error_t parse_check(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    if (key == 'n')
        a->shape = app_take_mode(value, state);
    else if (key == 'o')
        app_add_output(&a->outputs, value, state);
    else if (key == ARGP_KEY_ARG && a->file && !a->other)
        a->other = value;
    else if (key == ARGP_KEY_SUCCESS && (a->shape > 0) != app_draws(&a->outputs))
        argp_error(state, "--shape needs --output, and that --shape");
    else
        return app_take_file(key, value, state, "model file", &a->file);
    return 0;
}

static int flexible_check(int argc, char **argv)
{
    static const struct argp_option options[] = {
        APP_OUTPUT_OPTION(""),
        {"shape", 'n', "N", 0, "draw the shape of mode number N with --output", 0},
        {0},
    };
    const struct argp argp = {
        options,
        parse_check,
        "BODY [OTHER]",
        "Says what a flexible body comes down to, a model or a reduced one: mass, inertia, modes, which of its interfaces goes "
        "farthest in each, and whether what it was reduced from has changed. With OTHER also whether their modes have the same "
        "shapes.",
        NULL,
        NULL,
        NULL};
    arguments a        = {0};
    kane_errors errors = {0};
    app_parse(&argp, argc, argv, &a);
    kane_flexible *one   = kane_flexible_read(a.file, &errors);
    kane_flexible *other = one && a.other ? kane_flexible_read(a.other, &errors) : NULL;
    if (one && errors.count == 0) {
        print(kane_flexible_get_data(one));
        write_files(&a, kane_flexible_get_data(one), &errors);
    }
    if (other)
        compare(one, other, a.other, &errors);
    kane_flexible_free(one);
    kane_flexible_free(other);
    return errors.count > 0 ? app_fail(&errors) : EXIT_DONE;
}

static error_t parse_reduce(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    if (key == 'o') {
        a->output = value;
        return 0;
    }
    if (key == ARGP_KEY_END && a->file && !a->output)
        argp_error(state, "needs --output, the file of the reduced body");
    return app_take_file(key, value, state, "model file", &a->file);
}

static int flexible_reduce(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"output", 'o', "FILE", 0, "file of the reduced body, .kflex", 0},
        {0},
    };
    const struct argp argp = {
        options,
        parse_reduce,
        "MODEL",
        "Reduces the model of a flexible body to its modes and writes all that vehicles need of it into one "
        "file (HDF5), with the hashes of the files it was made from. Vehicles take it as they take the model.",
        NULL,
        NULL,
        NULL};
    arguments a        = {0};
    kane_errors errors = {0};
    app_parse(&argp, argc, argv, &a);
    kane_flexible *body = kane_flexible_read(a.file, &errors);
    if (body && kane_flexible_write(body, a.output, &errors) == KANE_OK)
        (void)printf("%s: %d modes, %d interfaces\n", a.output, kane_flexible_get_data(body)->mode_count,
                     kane_flexible_get_data(body)->shape.point_count);
    kane_flexible_free(body);
    return errors.count > 0 ? app_fail(&errors) : EXIT_DONE;
}

static void print_help(FILE *to)
{
    (void)fprintf(to, "Usage: kane flexible check BODY [OTHER]\n       kane flexible reduce MODEL -o FILE\n\n"
                      "  check   what a flexible body comes down to; are the modes of two bodies the same?\n"
                      "  reduce  write what a model comes down to into one file\n\n"
                      "\"kane flexible check --help\" explains them.\n");
}

int command_flexible(int argc, char **argv)
{
    const char *chosen = argc > 1 ? argv[1] : "";
    const int checks = strcmp(chosen, "check") == 0, reduces = strcmp(chosen, "reduce") == 0;
    char name[32];
    if (checks || reduces) {
        (void)snprintf(name, sizeof name, "kane flexible %s", chosen);
        argv[1] = name;
        return checks ? flexible_check(argc - 1, argv + 1) : flexible_reduce(argc - 1, argv + 1);
    }
    if (strcmp(chosen, "--help") == 0 || strcmp(chosen, "-?") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (chosen[0])
        (void)fprintf(stderr, "kane flexible: '%s' is neither check nor reduce\n\n", chosen);
    print_help(stderr);
    return EXIT_USAGE;
}
