// SPDX-License-Identifier: MIT
// kane flexible: what the model of a flexible body comes down to.

#include "app.h"

#include <kane/flexible.h>

#include <argp.h>
#include <stdio.h>

typedef struct arguments {
    const char *file, *table;
} arguments;

static const struct argp_option options[] = {
    {"csv", 'c', "FILE", 0, "frequencies and shapes at the interfaces, with all digits, to a file", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'c': a->table = value; break;
    default: return app_take_file(key, value, state, "model file", &a->file);
    }
    return 0;
}

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

static void print(const kane_flexible_data *d)
{
    const double *J = d->inertia;
    (void)printf("%s: %d nodes, %d modes, %d interfaces\n", d->name, d->node_count, d->mode_count,
                 d->shape.point_count);
    (void)printf("mass         %.8g kg\n", d->mass);
    (void)printf("mass centre  %.6g, %.6g, %.6g m\n", d->centre.x, d->centre.y, d->centre.z);
    (void)printf("inertia      %.7g, %.7g, %.7g, %.3g, %.3g, %.3g kg m^2 (xx yy zz xy xz yz)\n", J[0], J[1], J[2], J[3],
                 J[4], J[5]);
    (void)printf("damping      %.4g\n", d->damping);
    (void)printf("left of what a free body cannot do: %.2g of its momentum, %.2g of its spin\n\n", d->momentum_left,
                 d->turning_left);
    (void)printf("mode     f [Hz]  goes farthest\n");
    for (int i = 0; i < d->mode_count; i++) {
        const int point   = largest_point(&d->shape, i);
        const kane_vec3 u = shape_at(&d->shape, point, i);
        const double size = kv3_norm(u);
        (void)printf("%4d %10.5g  %s, along (%.2g, %.2g, %.2g)\n", i + 1, d->frequency[i], d->shape.points[point].name,
                     u.x / size, u.y / size, u.z / size);
    }
}

static void write_rows(FILE *table, const kane_flexible_data *d)
{
    (void)fprintf(table, "mode,frequency");
    for (int k = 0; k < d->shape.point_count; k++)
        (void)fprintf(table, ",%s.x,%s.y,%s.z", d->shape.points[k].name, d->shape.points[k].name,
                      d->shape.points[k].name);
    (void)fprintf(table, "\n1,Hz");
    for (int k = 0; k < 3 * d->shape.point_count; k++)
        (void)fprintf(table, ",kg^-1/2");
    (void)fprintf(table, "\n");
    for (int i = 0; i < d->mode_count; i++) {
        (void)fprintf(table, "%d,%.17g", i + 1, d->frequency[i]);
        for (int k = 0; k < d->shape.point_count; k++) {
            const kane_vec3 u = shape_at(&d->shape, k, i);
            (void)fprintf(table, ",%.17g,%.17g,%.17g", u.x, u.y, u.z);
        }
        (void)fprintf(table, "\n");
    }
}

static int write_table(const arguments *a, const kane_flexible_data *d, kane_errors *errors)
{
    FILE *table = app_open_table(a->table, errors);
    if (!table)
        return 0;
    write_rows(table, d);
    return app_close_table(table, a->table, errors);
}

int command_flexible(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse,
        "MODEL",
        "Reads the model of a flexible body and says what it comes down to: mass, inertia, modes, "
        "and which of its interfaces goes farthest in each.",
        NULL,
        NULL,
        NULL};
    arguments a        = {0};
    kane_errors errors = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    kane_flexible *flexible = kane_flexible_read(a.file, &errors);
    int good                = flexible != NULL;
    if (good)
        print(kane_flexible_get_data(flexible));
    if (good && a.table)
        good = write_table(&a, kane_flexible_get_data(flexible), &errors);
    kane_flexible_free(flexible);
    return good ? EXIT_DONE : app_fail(&errors);
}
