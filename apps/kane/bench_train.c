// SPDX-License-Identifier: MIT
// Trains for `kane bench`: how cost and memory grow with the number of vehicles.

#include "bench.h"

#include "agem/work.h"
#include "math/sparse.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// Kernels: those of a model, and a Newton step: these, the factors of 1 - gamma J, and one solution with them.
enum { TRAIN_NEWTON = BENCH_MODEL_KERNELS, TRAIN_KERNELS };

static const int sizes[] = {1, 2, 5, 20, 100};
enum { SIZES = sizeof sizes / sizeof *sizes };

#define TRAIN(size)                                                                                                    \
    {                                                                                                                  \
        "train-" size, "train-" size "-jacobian", "train-" size "-newton"                                              \
    }

static const char *const names[SIZES][TRAIN_KERNELS] = {TRAIN("1"), TRAIN("2"), TRAIN("5"), TRAIN("20"), TRAIN("100")};

static const double gamma_of_step = 1e-3; // step times the coefficient of the method [s]

typedef struct train {
    bench_model of;
    kane_sparse_lu *lu;
    double *b;
    double opening, memory; // time to read and compile [s]; all of it [bytes]
} train;

// Bytes that are in use.
static double in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static int prepare_train(train *t, const char *folder, int size, kane_errors *errors)
{
    char count[64];
    const char *const settings[] = {count, "track.sections=[{ \"straight\": \"4 km\" }]", "start.at=3000", NULL};
    const double before = in_use(), begin = bench_now();
    bench_model *of = &t->of;
    (void)snprintf(count, sizeof count, "vehicle.vehicles.coach.count=%d", size);
    if (!bench_model_read(of, folder, "coach-train", settings, errors))
        return 0;
    t->opening = bench_now() - begin;
    if (!bench_model_prepare(of, errors))
        return 0;
    t->b  = calloc((size_t)kane_model_state_count(of->model), sizeof *t->b);
    t->lu = kane_sparse_lu_create(kane_jacobian_pattern(of->jacobian));
    if (!t->b || !t->lu || kane_initial_state(of->model, of->work, of->y, errors) != KANE_OK)
        return 0;
    t->memory = in_use() - before;
    return 1;
}

static void release_train(train *t)
{
    kane_sparse_lu_free(t->lu);
    free(t->b);
    bench_model_close(&t->of);
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
    bench_model *of = &t->of;
    bench_model_call_once(of, kernel == BENCH_EVALUATION ? BENCH_EVALUATION : BENCH_JACOBIAN);
    if (kernel != TRAIN_NEWTON)
        return;
    form_matrix(kane_jacobian_pattern(of->jacobian), of->values);
    memcpy(t->b, of->ydot, (size_t)kane_model_state_count(of->model) * sizeof *t->b);
    (void)kane_sparse_lu_factor(t->lu, of->values);
    kane_sparse_lu_solve(t->lu, t->b);
}

static void call_train(void *part, int kernel, long count)
{
    train *t        = part;
    double *y       = t->of.y + t->of.model->u_begin;
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
    const int good                                = prepare_train(&t, b->folder, sizes[i], errors);
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
    release_train(&t);
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
