// SPDX-License-Identifier: MIT
// Tables and pictures of the equations of motion: which rods act on which bodies, and patterns of matrices.

#include "analysis.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

// --- rods with mass, numbered from 1 ---

typedef struct rod_list {
    const kane_vehicle_definition *vehicle;
    int count;
    const kane_constraint_definition **rods; // [count]
    int body_count;
    const char **bodies; // [body_count] that have rods, in the order of the vehicle; a frame last
} rod_list;

static const char *side_name(const kane_constraint_definition *rod, int side)
{
    return rod->between[side] ? rod->between[side] : "frame";
}

static int has_rod(const rod_list *l, const char *body)
{
    for (int i = 0; i < l->count; i++)
        for (int side = 0; side < 2; side++)
            if (strcmp(side_name(l->rods[i], side), body) == 0)
                return 1;
    return 0;
}

static rod_list list_rods(kane_arena *arena, const kane_vehicle_definition *v)
{
    rod_list l = {.vehicle = v,
                  .rods    = kane_arena_alloc(arena, (size_t)v->constraint_count + 1, sizeof *l.rods),
                  .bodies  = kane_arena_alloc(arena, (size_t)v->body_count + 1, sizeof *l.bodies)};
    for (int i = 0; l.rods && i < v->constraint_count; i++)
        if (v->constraints[i].kind == KANE_CONSTRAINT_ROD && v->constraints[i].mass > 0.0)
            l.rods[l.count++] = &v->constraints[i];
    for (int j = 0; l.bodies && j < v->body_count; j++)
        if (has_rod(&l, v->bodies[j].block.name))
            l.bodies[l.body_count++] = v->bodies[j].block.name;
    if (l.bodies && has_rod(&l, "frame"))
        l.bodies[l.body_count++] = "frame";
    return l;
}

// Numbers of the rods between two bodies, "3 + 4"; of one body and itself of all its rods; "" if there are none.
static const char *join_rods(kane_table *t, const rod_list *l, const char *a, const char *b)
{
    char text[2048];
    kane_text sum = kane_text_start(sizeof text, text);
    for (int i = 0; i < l->count; i++) {
        const char *first = side_name(l->rods[i], 0), *second = side_name(l->rods[i], 1);
        const int is_on_a = strcmp(first, a) == 0 || strcmp(second, a) == 0;
        const int is_on_b = strcmp(first, b) == 0 || strcmp(second, b) == 0;
        if (is_on_a && is_on_b)
            kane_text_add(&sum, "%s%d", sum.length ? " + " : "", i + 1);
    }
    return kane_table_text(t, "%s", text);
}

// Number, name, mass and bodies of every rod.
static kane_table tabulate_rods(kane_arena *arena, const rod_list *l)
{
    kane_table t = kane_table_begin(arena, 5, l->count);
    t.title      = "rods";
    kane_table_add_names(&t, 5, (const char *const[]){"number", "rod", "mass", "first body", "second body"},
                         (const char *const[]){"1", "", "kg", "", ""});
    for (int i = 0; i < l->count; i++)
        kane_table_add(&t, 5,
                       (const kane_cell[]){kane_cell_count(i + 1), kane_cell_word(l->rods[i]->block.name),
                                           kane_cell_number(l->rods[i]->mass), kane_cell_word(side_name(l->rods[i], 0)),
                                           kane_cell_word(side_name(l->rods[i], 1))});
    return t;
}

// Rods whose weight and inertia forces a body has.
static kane_table tabulate_rod_forces(kane_arena *arena, const rod_list *l)
{
    kane_table t = kane_table_begin(arena, 2, l->body_count);
    t.title      = "rod forces";
    t.about      = "rods whose external forces and velocity-dependent inertia forces act on a body";
    kane_table_add_names(&t, 2, (const char *const[]){"body", "rods"}, NULL);
    for (int i = 0; i < l->body_count; i++)
        kane_table_add(&t, 2,
                       (const kane_cell[]){kane_cell_word(l->bodies[i]),
                                           kane_cell_word(join_rods(&t, l, l->bodies[i], l->bodies[i]))});
    return t;
}

// Lower triangle of the mass matrix: rods that a diagonal block has, and that couple two bodies.
static kane_table tabulate_rod_inertia(kane_arena *arena, const rod_list *l)
{
    static const char first[] = "body", *const head = first;
    kane_table t = kane_table_begin(arena, l->body_count + 1, l->body_count);
    t.title      = "rod inertia";
    t.about      = "rods in blocks of the mass matrix, lower triangle";
    kane_table_add_names(&t, 1, &head, NULL);
    kane_table_add_names(&t, l->body_count, l->bodies, NULL);
    for (int i = 0; i < l->body_count; i++) {
        kane_table_put(&t, kane_cell_word(l->bodies[i]));
        for (int k = 0; k < l->body_count; k++)
            kane_table_put(&t, kane_cell_word(k <= i ? join_rods(&t, l, l->bodies[i], l->bodies[k]) : ""));
    }
    return t;
}

// --- patterns ---

// The model of a run whose rods have no mass; NULL with errors.
static kane_model *create_bare_model(const kane_run_definition *run, kane_errors *errors)
{
    kane_vehicle_definition bare    = *run->vehicle;
    kane_constraint_definition *all = kane_allocate((size_t)bare.constraint_count, sizeof *all);
    if (!all) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    for (int i = 0; i < bare.constraint_count; i++) {
        all[i]      = bare.constraints[i];
        all[i].mass = 0.0;
    }
    bare.constraints  = all;
    kane_model *model = kane_model_create(&bare, run->track, &run->drive, &run->model, errors);
    kane_release(all);
    return model;
}

// Evaluates the equations of a model at its start. 0 with errors.
static int evaluate_start(const kane_model *model, kane_equations *equations, kane_errors *errors)
{
    kane_work *work = kane_work_create(model, errors);
    double *y       = work ? kane_allocate((size_t)kane_model_state_count(model), sizeof *y) : NULL;
    int good        = y && kane_initial_state(model, work, y, errors) == KANE_OK;
    if (good && kane_equations_eval(equations, work, 0.0, y) != KANE_OK) {
        kane_work_fault(model, work, errors);
        good = 0;
    }
    if (!good && errors->count == 0)
        (void)kane_no_memory(errors);
    kane_release(y);
    kane_work_free(work);
    return good;
}

// Theta of the model whose rods have no mass, at the start of the run, into `matrix` [n * n]. 0 with errors.
static int find_bare_matrix(const kane_run_definition *run, int n, double *matrix, kane_errors *errors)
{
    kane_model *model         = create_bare_model(run, errors);
    kane_equations *equations = model ? kane_equations_create(model, errors) : NULL;
    const int good            = equations && evaluate_start(model, equations, errors);
    if (good) // rods have no speeds
        memcpy(matrix, kane_equations_get(equations)->Theta, (size_t)n * (size_t)n * sizeof *matrix);
    kane_equations_free(equations);
    kane_model_free(model);
    return good;
}

static int draw_patterns(kane_figure *f, const equations_view *v, kane_errors *errors)
{
    enum { CELL = 16, TEXTS = 260, CELLS_OF_TITLES = 32 };
    const kane_equation_values *e  = kane_equations_get(v->equations);
    const kane_run_definition *run = v->run;
    const int n                    = e->speed_count;
    int most                       = n;
    const int has_rods             = kane_model_rod_count(v->model) > 0;
    double *bare                   = kane_figure_values(f, (size_t)n * (size_t)n);
    f->plot.title                  = kane_figure_text(f, "Equations of motion: %s", run->vehicle->name);
    if (!bare || !equations_draw_mass_matrix(f, v, has_rods ? "Theta with rods" : "Theta", e->Theta))
        return kane_no_memory(errors) == KANE_OK;
    if (has_rods && !find_bare_matrix(run, n, bare, errors))
        return 0;
    if (has_rods && !equations_draw_mass_matrix(f, v, "Theta without the inertia of rods", bare))
        return kane_no_memory(errors) == KANE_OK;
    if (!equations_draw_factored(f, v, &most, errors))
        return 0;
    f->plot.width  = TEXTS + (most < CELLS_OF_TITLES ? CELLS_OF_TITLES : most) * CELL + TEXTS;
    f->plot.height = f->plot.panel_count * (most * CELL + TEXTS);
    return 1;
}

static int draw_view(kane_figure *figure, const void *data, kane_errors *errors)
{
    return draw_patterns(figure, data, errors);
}

int equations_write_report(const equations_view *v, kane_table_format format, const char *file, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    if (!arena)
        return kane_no_memory(errors) == KANE_OK;
    const rod_list rods            = list_rods(arena, v->run->vehicle);
    const kane_table tables[]      = {tabulate_rods(arena, &rods), tabulate_rod_forces(arena, &rods),
                                      tabulate_rod_inertia(arena, &rods)};
    const kane_table_report report = {
        .title = v->run->vehicle->name, .table_count = 3, .tables = tables, .draw = draw_view, .data = v};
    int good = 0;
    if (format != KANE_TABLE_PICTURE && rods.count == 0) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s: '%s' has no rod with mass; these tables are of rods", file,
                        v->run->vehicle->name);
    } else if (format == KANE_TABLE_PICTURE || format == KANE_TABLE_HDF5) {
        good = kane_table_report_write(&report, format, file, NULL, errors) == KANE_OK;
    } else {
        FILE *out = app_open_table(file, errors);
        if (out)
            (void)kane_table_report_write(&report, format, file, out, errors);
        good = out && app_close_table(out, file, errors);
    }
    kane_arena_free(arena);
    return good;
}
