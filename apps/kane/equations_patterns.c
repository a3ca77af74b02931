// SPDX-License-Identifier: MIT
// Patterns of the matrices of a run at one moment: mass matrix, equations with constraints and rails, the matrix that
// the integrator factors; entries that differ from zero, and those of its factors by KLU.

#include "analysis.h"

#include <kane/jacobian.h>

#include "math/sparse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ROUND_OFF = 1e-12; // of an entry, relative to the scale of its row and column

// A square matrix by rows with the names of its rows; NAN: an entry that is zero, or round-off.
typedef struct pattern {
    int n, filled;
    double *values, *sizes; // [n * n]; log10 of |entry| over its scale
    const char **names;     // [n]
} pattern;

// 0: memory is short.
static int begin_pattern(kane_figure *f, int n, pattern *p)
{
    *p = (pattern){.n      = n,
                   .values = kane_figure_values(f, (size_t)n * (size_t)n),
                   .sizes  = kane_figure_values(f, (size_t)n * (size_t)n),
                   .names  = kane_figure_texts(f, n)};
    return p->values && p->sizes && p->names;
}

// Counts the entries, of which scale [n] and scale [n] are the sizes by row and by column.
static void measure_entries(pattern *p, const double *by_row, const double *by_column)
{
    p->filled = 0;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->n; k++) {
            const size_t at   = (size_t)i * (size_t)p->n + (size_t)k;
            const double size = by_row[i] * by_column[k];
            const int is_set  = fabs(p->values[at]) > ROUND_OFF * size;
            p->filled += is_set;
            p->sizes[at]  = is_set ? log10(fabs(p->values[at]) / size) : (double)NAN;
            p->values[at] = is_set ? p->values[at] : 0.0;
        }
}

// Entries of L and U of the matrix, the diagonal once; -1: it is singular; -2: memory is short.
static int count_factors(const pattern *p)
{
    kane_arena *arena = kane_arena_create();
    const size_t room = (size_t)p->filled + 1;
    kane_pattern of   = {.size = p->n};
    int count         = -2;
    double *values    = arena ? kane_arena_doubles(arena, room) : NULL;
    of.row            = arena ? kane_arena_alloc(arena, room, sizeof *of.row) : NULL;
    of.column_start   = arena ? kane_arena_alloc(arena, (size_t)p->n + 1, sizeof *of.column_start) : NULL;
    if (values && of.row && of.column_start) {
        for (int k = 0; k < p->n; k++) {
            of.column_start[k] = of.count;
            for (int i = 0; i < p->n; i++)
                if (isfinite(p->sizes[(size_t)i * (size_t)p->n + (size_t)k])) {
                    values[of.count]   = p->values[(size_t)i * (size_t)p->n + (size_t)k];
                    of.row[of.count++] = i;
                }
        }
        of.column_start[p->n] = of.count;
        kane_sparse_lu *lu    = kane_sparse_lu_create(&of);
        kane_sparse_factors factors;
        count = -1;
        if (lu && kane_sparse_lu_pivot(lu, values) && kane_sparse_lu_get_factors(lu, arena, &factors))
            count = factors.Lp[p->n] + factors.Up[p->n] + factors.Fp[p->n] + p->n;
        kane_sparse_lu_free(lu);
    }
    kane_arena_free(arena);
    return count;
}

// Rows from the top.
static void draw_pattern(kane_figure *f, const pattern *p, const char *title, const char *label)
{
    const size_t n    = (size_t)p->n;
    double *values    = kane_figure_values(f, n * n);
    const char **rows = kane_figure_texts(f, p->n);
    for (size_t i = 0; values && rows && i < n; i++) {
        rows[n - 1 - i] = p->names[i];
        memcpy(values + (n - 1 - i) * n, p->sizes + i * n, n * sizeof *values);
    }
    const kane_plot_map map = {
        .columns = p->n, .rows = p->n, .x_texts = p->names, .y_texts = rows, .values = values, .label = label};
    kane_figure_map(f, kane_figure_add(f, title, "", ""), map);
}

// "TITLE: 190 of 1444 entries, 231 of L and U".
static void draw_factored(kane_figure *f, const pattern *p, const char *title)
{
    const int factors = count_factors(p);
    draw_pattern(f, p,
                 factors < 0 ? kane_figure_text(f, "%s: %d of %d entries", title, p->filled, p->n * p->n)
                             : kane_figure_text(f, "%s: %d of %d entries, %d of L and U", title, p->filled, p->n * p->n,
                                                factors),
                 "log10 of entries over their scale [1]");
}

// --- the mass matrix ---

static void name_speeds(kane_figure *f, const equations_view *v, const char **names)
{
    char name[256];
    for (int k = 0; k < kane_equations_get(v->equations)->speed_count; k++) {
        kane_speed_name(v->model, kane_equations_speed(v->equations, k), sizeof name, name);
        names[k] = kane_figure_text(f, "%s", name);
    }
}

int equations_draw_mass_matrix(kane_figure *f, const equations_view *v, const char *title, const double *Theta)
{
    const int n   = kane_equations_get(v->equations)->speed_count;
    double *scale = kane_figure_values(f, (size_t)n);
    pattern p;
    if (!begin_pattern(f, n, &p) || !scale)
        return 0;
    memcpy(p.values, Theta, (size_t)n * (size_t)n * sizeof *p.values);
    for (int i = 0; i < n; i++)
        scale[i] = sqrt(fabs(Theta[(size_t)i * (size_t)n + (size_t)i]));
    measure_entries(&p, scale, scale);
    name_speeds(f, v, p.names);
    draw_pattern(f, &p, kane_figure_text(f, "%s: %d of %d entries", title, p.filled, n * n),
                 "log10 of entries over the diagonal [1]");
    return 1;
}

// --- with constraints and rails ---

// [Theta + h C, Phi'; Phi, 0], with the largest entry of each row of Phi as its scale.
//   creep  h C [n * n]; NULL: 0
static int draw_equations(kane_figure *f, const equations_view *v, const char *title, const double *creep)
{
    const kane_equation_values *e = kane_equations_get(v->equations);
    const int n = e->speed_count, size = n + e->row_count;
    double *scale = kane_figure_values(f, (size_t)size);
    char name[256];
    pattern p;
    if (!begin_pattern(f, size, &p) || !scale)
        return 0;
    for (int i = 0; i < n; i++) {
        scale[i] = sqrt(fabs(e->Theta[(size_t)i * (size_t)n + (size_t)i]));
        for (int k = 0; k < n; k++)
            p.values[(size_t)i * (size_t)size + (size_t)k] =
                e->Theta[(size_t)i * (size_t)n + (size_t)k] + (creep ? creep[(size_t)i * (size_t)n + (size_t)k] : 0.0);
    }
    for (int r = 0; r < e->row_count; r++) {
        for (int k = 0; k < n; k++) {
            const double entry = e->Phi[(size_t)r * (size_t)n + (size_t)k];
            p.values[(size_t)(n + r) * (size_t)size + (size_t)k] =
                p.values[(size_t)k * (size_t)size + (size_t)(n + r)] = entry;
            scale[n + r]                                             = fmax(scale[n + r], fabs(entry) / scale[k]);
        }
        kane_equations_row_name(v->equations, r, sizeof name, name);
        p.names[n + r] = kane_figure_text(f, "%s", name);
    }
    name_speeds(f, v, p.names);
    measure_entries(&p, scale, scale);
    draw_factored(f, &p, title);
    return 1;
}

// What a step factors that is implicit in creep alone. 0 with errors.
static int draw_creep_step(kane_figure *f, const equations_view *v, kane_errors *errors)
{
    const int n    = kane_equations_get(v->equations)->speed_count;
    const double h = v->run->settings.step;
    double *C      = kane_figure_values(f, (size_t)n * (size_t)n);
    if (!C)
        return kane_no_memory(errors) == KANE_OK;
    const kane_status status = kane_equations_creep_damping(v->model, v->equations, v->work, C);
    if (status != KANE_OK) {
        kane_errors_add(errors, status, "the forces of creepage have no derivatives by speeds here");
        return 0;
    }
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        C[i] *= h;
    return draw_equations(f, v, kane_figure_text(f, "with creep at the end of a step of %g s", h), C) ||
           kane_no_memory(errors) == KANE_OK;
}

// --- the matrix of an implicit integrator ---

// 1 - h J, h a tenth of what the largest entry allows. 0 with errors.
static int draw_jacobian(kane_figure *f, const equations_view *v, const char *title, kane_errors *errors)
{
    const int n               = kane_model_state_count(v->model);
    kane_jacobian *jacobian   = kane_jacobian_create(v->model, n);
    const kane_pattern *where = jacobian ? kane_jacobian_pattern(jacobian) : NULL;
    double *J = where ? kane_figure_values(f, (size_t)where->count) : NULL, *ydot = kane_figure_values(f, (size_t)n);
    double *scale = kane_figure_values(f, (size_t)n), greatest = 0.0;
    char name[256];
    pattern p;
    if (!J || !ydot || !scale || !begin_pattern(f, n, &p)) {
        kane_jacobian_free(jacobian);
        return kane_no_memory(errors) == KANE_OK;
    }
    const kane_status status = kane_jacobian_eval(jacobian, v->model, v->work, v->time, v->state, ydot, J);
    for (int k = 0; k < where->count; k++)
        greatest = fmax(greatest, fabs(J[k]));
    for (int k = 0; k < n; k++) {
        scale[k] = 1.0;
        kane_state_name(v->model, k, sizeof name, name);
        p.names[k] = kane_figure_text(f, "%s", name);
        for (int at = where->column_start[k]; at < where->column_start[k + 1]; at++)
            p.values[(size_t)where->row[at] * (size_t)n + (size_t)k] = greatest > 0.0 ? -0.1 * J[at] / greatest : 0.0;
        p.values[(size_t)k * (size_t)n + (size_t)k] += 1.0;
    }
    kane_jacobian_free(jacobian);
    if (status != KANE_OK) {
        kane_work_fault(v->model, v->work, errors);
        return 0;
    }
    measure_entries(&p, scale, scale);
    draw_factored(f, &p, title);
    return 1;
}

// Whether a matrix has no more entries than a map, and the largest that is drawn; says so where it is not.
static int fits_map(int n, const char *title, int *most)
{
    if ((double)n * n <= KANE_PLOT_CELLS_MOST) {
        *most = n > *most ? n : *most;
        return 1;
    }
    (void)fprintf(stderr, "left out: %s: a map has at most %d cells, not %d x %d\n", title, KANE_PLOT_CELLS_MOST, n, n);
    return 0;
}

int equations_draw_factored(kane_figure *f, const equations_view *v, int *most, kane_errors *errors)
{
    static const char all[] = "with constraints and rails", implicit[] = "1 - h J of an implicit integrator";
    const kane_equation_values *e = kane_equations_get(v->equations);
    const int size = e->speed_count + e->row_count, is_creep_step = v->run->settings.method == KANE_SEMI_IMPLICIT;
    if (e->row_count > 0 && fits_map(size, all, most) && !draw_equations(f, v, all, NULL))
        return kane_no_memory(errors) == KANE_OK;
    if (is_creep_step)
        return !fits_map(size, "with creep", most) || draw_creep_step(f, v, errors);
    return !fits_map(kane_model_state_count(v->model), implicit, most) || draw_jacobian(f, v, implicit, errors);
}
