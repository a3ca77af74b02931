// SPDX-License-Identifier: MIT
// Trains for `kane bench`: how cost and memory grow with the number of vehicles.

#include "bench.h"

#include <kane/jacobian.h>

#include "agem/work.h"
#include "math/sparse.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

typedef enum train_kernel {
    TRAIN_EVALUATION, // kane_eval
    TRAIN_JACOBIAN,   // evaluation and Jacobian
    TRAIN_NEWTON,     // these, the factors of 1 - gamma J, and one solution with them
    TRAIN_KERNELS
} train_kernel;

static const int sizes[] = {1, 2, 5, 20, 100};
enum { SIZES = sizeof sizes / sizeof *sizes };

#define TRAIN(size)                                                                                                    \
    {                                                                                                                  \
        "train-" size, "train-" size "-jacobian", "train-" size "-newton"                                              \
    }

static const char *const names[SIZES][TRAIN_KERNELS] = {TRAIN("1"), TRAIN("2"), TRAIN("5"), TRAIN("20"), TRAIN("100")};

static const double gamma_of_step = 1e-3; // step times the coefficient of the method [s]

typedef struct train {
    kane_run *run;
    kane_model *model;
    kane_work *work;
    kane_jacobian *jacobian;
    kane_sparse_lu *lu;
    double *y, *ydot, *values, *b;
    double opening, memory; // time to read and compile [s]; all of it [bytes]
} train;

// Bytes that are in use.
static double in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static int open_files(train *t, const char *folder, int size, kane_errors *errors)
{
    char file[4096], count[64];
    const char *const settings[] = {count, "track.sections=[{ \"straight\": \"4 km\" }]", "start.at=3000", NULL};
    const kane_run_options how   = {.settings = settings};
    const double begin           = bench_now();
    (void)snprintf(file, sizeof file, "%s/data/runs/coach-train.json", folder);
    (void)snprintf(count, sizeof count, "vehicle.vehicles.coach.count=%d", size);
    t->run = kane_run_read(file, &how, errors);
    if (!t->run)
        return 0;
    const kane_run_definition *d = kane_run_get_definition(t->run);
    t->model                     = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, errors);
    t->opening                   = bench_now() - begin;
    return t->model != NULL;
}

static int prepare(train *t, const char *folder, int size, kane_errors *errors)
{
    const double before = in_use();
    if (!open_files(t, folder, size, errors))
        return 0;
    const size_t n = (size_t)kane_model_state_count(t->model);
    t->work        = kane_work_create(t->model, errors);
    t->jacobian    = kane_jacobian_create(t->model, (int)n);
    t->y           = calloc(n, sizeof *t->y);
    t->ydot        = calloc(n, sizeof *t->ydot);
    t->b           = calloc(n, sizeof *t->b);
    t->values      = t->jacobian ? calloc((size_t)kane_jacobian_pattern(t->jacobian)->count, sizeof *t->values) : NULL;
    t->lu          = t->jacobian ? kane_sparse_lu_create(kane_jacobian_pattern(t->jacobian)) : NULL;
    if (!t->work || !t->y || !t->ydot || !t->b || !t->values || !t->lu ||
        kane_initial_state(t->model, t->work, t->y, errors) != KANE_OK)
        return 0;
    t->memory = in_use() - before;
    return 1;
}

static void release(train *t)
{
    kane_sparse_lu_free(t->lu);
    kane_jacobian_free(t->jacobian);
    kane_work_free(t->work);
    kane_model_free(t->model);
    kane_run_free(t->run);
    free(t->y);
    free(t->ydot);
    free(t->b);
    free(t->values);
}

// 1 - gamma J
static void form_matrix(const kane_pattern *pattern, double *values)
{
    for (int column = 0; column < pattern->size; column++)
        for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
            values[k] = (pattern->row[k] == column ? 1.0 : 0.0) - gamma_of_step * values[k];
}

static void call_once(train *t, int kernel)
{
    if (kernel == TRAIN_EVALUATION) {
        (void)kane_eval(t->model, t->work, 0.0, t->y, t->ydot);
        return;
    }
    (void)kane_jacobian_eval(t->jacobian, t->model, t->work, 0.0, t->y, t->ydot, t->values);
    if (kernel != TRAIN_NEWTON)
        return;
    form_matrix(kane_jacobian_pattern(t->jacobian), t->values);
    memcpy(t->b, t->ydot, (size_t)kane_model_state_count(t->model) * sizeof *t->b);
    (void)kane_sparse_lu_factor(t->lu, t->values);
    kane_sparse_lu_solve(t->lu, t->b);
}

static void call_train(void *part, int kernel, long count)
{
    train *t        = part;
    double *y       = t->y + t->model->u_begin;
    const double at = *y;
    for (long i = 0; i < count; i++) {
        *y = at + 1e-12 * (double)(i % 1000);
        call_once(t, kernel);
    }
    *y = at;
}

// "trains" is all of them, with what their files and their memory cost.
static int is_whole(const bench *b)
{
    return !b->only || strcmp(b->only, "trains") == 0;
}

static int is_wanted(const bench *b, const char *name)
{
    return is_whole(b) || bench_wants(b, name);
}

// What is wanted of one train. Returns 0 after an error.
static int measure_train(bench *b, int i, bench_growth growth[TRAIN_KERNELS + 1], kane_errors *errors)
{
    static const char *const about[TRAIN_KERNELS] = {"one evaluation of a train of so many coaches",
                                                     "its evaluation and Jacobian",
                                                     "these, factors and one solution: a Newton step"};
    train t                                       = {0};
    const int good                                = prepare(&t, b->folder, sizes[i], errors);
    for (int k = 0; k < TRAIN_KERNELS && good; k++) {
        const double time =
            is_wanted(b, names[i][k]) ? bench_measure(b, names[i][k], about[k], call_train, &t, k) : 0.0;
        if (time > 0.0)
            bench_growth_add(&growth[k], sizes[i], time);
    }
    if (good && b->repeat == 0 && is_whole(b)) {
        bench_put(b, kane_table_text(&b->table, "train-%d-open", sizes[i]), 1e3 * t.opening, "ms",
                  "reading its files and making the model");
        bench_put(b, kane_table_text(&b->table, "train-%d-memory", sizes[i]), 1e-3 * t.memory / sizes[i], "kB",
                  "per vehicle, of files, model, work, Jacobian and factors");
        bench_growth_add(&growth[TRAIN_KERNELS], sizes[i], t.opening);
    }
    release(&t);
    return good;
}

static int measure_trains(bench *b, kane_errors *errors)
{
    static const char *const exponents[TRAIN_KERNELS + 1] = {"train-exponent", "train-exponent-jacobian",
                                                             "train-exponent-newton", "train-exponent-open"};
    bench_growth growth[TRAIN_KERNELS + 1]                = {{0.0, 0.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < SIZES; i++) {
        int wanted = 0;
        for (int k = 0; k < TRAIN_KERNELS; k++)
            wanted += is_wanted(b, names[i][k]);
        if (wanted && !measure_train(b, i, growth, errors))
            return 0;
    }
    for (int k = 0; k <= TRAIN_KERNELS; k++)
        bench_growth_put(b, &growth[k], exponents[k], "cost ~ number of vehicles^this, 1 to 100");
    return 1;
}

static const char *train_name(int i)
{
    if (i == SIZES * TRAIN_KERNELS)
        return "trains";
    return i < SIZES * TRAIN_KERNELS ? names[i / TRAIN_KERNELS][i % TRAIN_KERNELS] : NULL;
}

const bench_list bench_trains = {.name = train_name, .measure = measure_trains};
