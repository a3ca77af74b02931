// SPDX-License-Identifier: MIT
// How a consistent state is projected onto its constraints: the exact derivative against differences of the projection.

#include "runs.h"
#include "models.h"

#include <kane/kane.h>

typedef struct held {
    kane_run *run;
    kane_model *model;
    kane_work *work;
    kane_jacobian *jacobian;
    int n;
    double t, *y, *ydot, *values, *P, *up, *down;
} held;

// A mechanism held by multipliers, in motion: after a while, projected.
static void begin(held *h, const char *file, double t)
{
    static const char *const settings[] = {"run.form=\"multipliers\"", NULL};
    CHECK_ERRORS errors                 = {0};
    h->run                              = run_read(file, settings);
    const kane_run_definition *d        = kane_run_get_definition(h->run);
    h->model                            = run_model(d);
    h->n                                = kane_model_state_count(h->model);
    const size_t n                      = (size_t)h->n;
    h->work                             = kane_work_create(h->model, &errors);
    h->jacobian                         = kane_jacobian_create(h->model, h->n);
    h->y                                = calloc(n, sizeof(double));
    h->ydot                             = calloc(n, sizeof(double));
    h->up                               = calloc(n, sizeof(double));
    h->down                             = calloc(n, sizeof(double));
    h->P                                = calloc(n * n, sizeof(double));
    h->values                           = calloc((size_t)kane_jacobian_pattern(h->jacobian)->count, sizeof(double));

    kane_simulation *simulation = kane_simulation_create(h->model, &d->settings, &d->conditions, &errors);
    check_no_errors(&errors);
    assert_int_equal(kane_simulation_advance(simulation, t, &errors), KANE_OK);
    h->t = kane_simulation_time(simulation);
    memcpy(h->y, kane_simulation_state(simulation), n * sizeof *h->y);
    kane_simulation_free(simulation);
    assert_int_equal(kane_project(h->model, h->work, h->t, h->y), KANE_OK);
}

static void end(held *h)
{
    double *const arrays[] = {h->y, h->ydot, h->up, h->down, h->P, h->values};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    kane_jacobian_free(h->jacobian);
    kane_work_free(h->work);
    kane_model_free(h->model);
    kane_run_free(h->run);
}

CHECK_TEST(the_projection_has_its_derivative)
{
    static const char *const files[] = {"mechanism-four-bar", "mechanism-two-loops", "mechanism-slider-crank",
                                        "mechanism-bricard",  "mechanism-squeezer",  "mechanism-rolling-disc"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        const double step     = 1e-5;
        double largest        = 0.0;
        CHECK_END(end) held h = {0};
        begin(&h, files[f], 0.005);
        const size_t n = (size_t)h.n;
        for (size_t j = 0; j < n; j++)
            h.P[j * n + j] = 1.0;
        assert_int_equal(kane_jacobian_eval(h.jacobian, h.model, h.work, h.t, h.y, h.ydot, h.values), KANE_OK);
        assert_int_equal(kane_eval(h.model, h.work, h.t, h.y, h.ydot), KANE_OK);
        assert_int_equal(kane_jacobian_project(h.jacobian, h.P), KANE_OK);
        for (size_t j = 0; j < n; j++) {
            double size = 1.0;
            memcpy(h.up, h.y, n * sizeof *h.y);
            memcpy(h.down, h.y, n * sizeof *h.y);
            h.up[j] += step;
            h.down[j] -= step;
            assert_int_equal(kane_project(h.model, h.work, h.t, h.up), KANE_OK);
            assert_int_equal(kane_project(h.model, h.work, h.t, h.down), KANE_OK);
            for (size_t i = 0; i < n; i++)
                size = fmax(size, fabs(h.P[j * n + i]));
            for (size_t i = 0; i < n; i++) {
                check_near(h.P[j * n + i], (h.up[i] - h.down[i]) / (2.0 * step), 1e-5 * size);
                largest = fmax(largest, i == j ? 0.0 : fabs(h.P[j * n + i]));
            }
        }
        assert_true(largest > 0.1);
    }
}

CHECK_MAIN(NULL, NULL)
