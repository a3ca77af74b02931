// SPDX-License-Identifier: MIT
// Times of `kane bench`: the clock, the best time of a call, how cost grows with size; models and their kernels.

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double bench_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_best(bench_call call, void *part, int kernel)
{
    enum { ROUNDS = 25, LEAST = 4 };
    const double round = 1e-2; // [s]
    double best        = 1e9;
    long count         = LEAST;
    for (int i = 0; i < ROUNDS; i++) {
        const double begin = bench_now();
        call(part, kernel, count);
        best  = fmin(best, (bench_now() - begin) / (double)count);
        count = (long)fmax(LEAST, round / best);
    }
    return best;
}

void bench_growth_add(bench_growth *g, double size, double cost)
{
    const double x = log(size), y = log(cost);
    g->n += 1.0;
    g->x += x;
    g->y += y;
    g->xx += x * x;
    g->xy += x * y;
}

double bench_growth_exponent(const bench_growth *g)
{
    return (g->n * g->xy - g->x * g->y) / (g->n * g->xx - g->x * g->x);
}

// --- models ---

int bench_model_read(bench_model *b, const char *folder, const char *run, const char *const *settings,
                     kane_errors *errors)
{
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", folder, run);
    const kane_run_options how = {.settings = settings};
    b->run                     = kane_run_read(file, &how, errors);
    b->model                   = b->run ? kane_run_create_model(b->run, errors) : NULL;
    return b->model != NULL;
}

int bench_model_prepare(bench_model *b, kane_errors *errors)
{
    const size_t n = (size_t)kane_model_state_count(b->model);
    b->work        = kane_work_create(b->model, errors);
    b->jacobian    = kane_jacobian_create(b->model, (int)n);
    b->y           = calloc(n, sizeof *b->y);
    b->ydot        = calloc(n, sizeof *b->ydot);
    b->values      = b->jacobian ? calloc((size_t)kane_jacobian_pattern(b->jacobian)->count, sizeof *b->values) : NULL;
    const int good = b->work && b->y && b->ydot && b->values;
    if (!good && errors->count == 0)
        (void)kane_no_memory(errors);
    return good;
}

void bench_model_close(bench_model *b)
{
    free(b->y);
    free(b->ydot);
    free(b->values);
    kane_jacobian_free(b->jacobian);
    kane_work_free(b->work);
    kane_model_free(b->model);
    kane_run_free(b->run);
}

void bench_model_call_once(bench_model *b, int kernel)
{
    if (kernel == BENCH_EVALUATION)
        (void)kane_eval(b->model, b->work, b->time, b->y, b->ydot);
    else
        (void)kane_jacobian_eval(b->jacobian, b->model, b->work, b->time, b->y, b->ydot, b->values);
}
