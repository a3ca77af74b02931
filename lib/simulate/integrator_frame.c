// SPDX-License-Identifier: MIT
// What integrators share.

#include "simulate/integrator_frame.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int create_matrix(kane_newton_matrix *m, const kane_pattern *pattern, kane_arena *arena)
{
    m->slopes   = kane_arena_alloc(arena, (size_t)pattern->count, sizeof *m->slopes);
    m->values   = kane_arena_alloc(arena, (size_t)pattern->count, sizeof *m->values);
    m->diagonal = kane_arena_alloc(arena, (size_t)pattern->size, sizeof *m->diagonal);
    m->lu       = kane_sparse_lu_create(pattern);
    if (!m->lu || kane_arena_failed(arena))
        return 0;
    for (int i = 0; i < pattern->size; i++)
        m->diagonal[i] = kane_pattern_find(pattern, i, i);
    return 1;
}

void *kane_frame_create(size_t bytes, const kane_system *system, int is_implicit)
{
    kane_arena *arena;
    kane_integrator_frame *f = kane_arena_object(&arena, bytes, NULL);
    if (!f)
        return NULL;
    f->arena  = arena;
    f->system = *system;
    if (!is_implicit || create_matrix(&f->matrix, system->pattern, arena))
        return f;
    kane_frame_free(f);
    return NULL;
}

void *kane_frame_created(void *self)
{
    if (!kane_arena_failed(((kane_integrator_frame *)self)->arena))
        return self;
    kane_frame_free(self);
    return NULL;
}

void kane_frame_free(void *self)
{
    kane_integrator_frame *f = self;
    kane_sparse_lu_free(f->matrix.lu);
    kane_arena_free(f->arena);
}

void kane_frame_restart(kane_integrator_frame *f)
{
    f->sum        = (kane_statistics){0};
    f->message[0] = '\0';
}

kane_status kane_frame_rates(kane_integrator_frame *f, double t, const double *y, double *rates)
{
    f->sum.evaluations++;
    return f->system.rates(t, y, rates, f->system.data);
}

kane_status kane_frame_renew_slopes(kane_integrator_frame *f, double t, const double *y, int most_age, int *is_new)
{
    kane_newton_matrix *m = &f->matrix;
    *is_new               = !m->has_slopes || m->age >= most_age;
    if (!*is_new)
        return KANE_OK;
    const kane_status status = f->system.slopes(t, y, m->slopes, f->system.data);
    f->sum.jacobians++;
    if (status != KANE_OK)
        return status;
    m->has_slopes = 1;
    m->age        = 0;
    m->factored   = 0.0;
    return KANE_OK;
}

kane_status kane_frame_renew_factors(kane_integrator_frame *f, double g, double g_change, int most_age, int *is_new)
{
    const kane_pattern *pattern = f->system.pattern;
    kane_newton_matrix *m       = &f->matrix;
    *is_new = !(m->factored > 0.0 && m->factor_age < most_age && fabs(g / m->factored - 1.0) <= g_change);
    if (!*is_new)
        return KANE_OK;
    f->sum.factorisations++;
    for (int i = 0; i < pattern->count; i++)
        m->values[i] = -g * m->slopes[i];
    for (int i = 0; i < pattern->size; i++)
        m->values[m->diagonal[i]] += 1.0;
    const int good = m->has_pivots ? kane_sparse_lu_factor(m->lu, m->values) : kane_sparse_lu_pivot(m->lu, m->values);
    m->has_pivots  = 1;
    m->factored    = good ? g : 0.0;
    m->factor_age  = 0;
    return good ? KANE_OK : kane_sparse_lu_lacks_memory(m->lu) ? KANE_NO_MEMORY : KANE_RETRY;
}

void kane_frame_count_step(kane_integrator_frame *f, double length, int order)
{
    f->sum.steps++;
    f->sum.last_step  = length;
    f->sum.last_order = order;
    f->matrix.age++;
    f->matrix.factor_age++;
}

void kane_frame_count(const void *self, kane_statistics *sum)
{
    const kane_statistics *own = &((const kane_integrator_frame *)self)->sum;
    sum->steps += own->steps;
    sum->evaluations += own->evaluations;
    sum->jacobians += own->jacobians;
    sum->factorisations += own->factorisations;
    sum->newton_iterations += own->newton_iterations;
    sum->error_test_failures += own->error_test_failures;
    sum->newton_failures += own->newton_failures;
    if (own->steps > 0) {
        sum->last_step  = own->last_step;
        sum->last_order = own->last_order;
    }
}

const char *kane_frame_message(const void *self)
{
    return ((const kane_integrator_frame *)self)->message;
}

kane_status kane_frame_fail(kane_integrator_frame *f, kane_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)kane_vsnprintf(f->message, sizeof f->message, format, list);
    va_end(list);
    return status < 0 ? status : KANE_INTEGRATION_FAILED;
}

// === Steps of fixed length.

void *kane_fixed_steps_create(size_t bytes, int order, int is_implicit, kane_status (*advance)(void *self),
                              const kane_system *system, const kane_settings *settings)
{
    const size_t size   = (size_t)system->size;
    kane_fixed_steps *s = kane_frame_create(bytes, system, is_implicit);
    if (!s)
        return NULL;
    s->order    = order;
    s->advance  = advance;
    s->length   = settings->step;
    s->y_before = kane_arena_alloc(s->frame.arena, size, sizeof *s->y_before);
    s->y        = kane_arena_alloc(s->frame.arena, size, sizeof *s->y);
    s->y_end    = kane_arena_alloc(s->frame.arena, size, sizeof *s->y_end);
    return s;
}

kane_status kane_fixed_steps_restart(void *self, double t, const double *y)
{
    kane_fixed_steps *s = self;
    s->before = s->t = s->end = s->counted_from = t;
    s->count                                    = 0;
    s->frame.matrix.has_slopes                  = 0;
    kane_frame_restart(&s->frame);
    memcpy(s->y_end, y, (size_t)s->frame.system.size * sizeof *y);
    return KANE_OK;
}

kane_status kane_fixed_steps_fail(kane_fixed_steps *s, double t, kane_status status)
{
    return kane_frame_fail(&s->frame, status, "the step of %g s to %.9g s leads to no state that can be evaluated%s",
                           s->length, t, status == KANE_NO_MEMORY ? "" : "; try a shorter one");
}

// Where the step after `end` ends, at most `latest`, where counting begins anew.
static kane_step_end find_next_end(kane_fixed_steps *s, double latest)
{
    s->end = s->counted_from + (double)(s->count + 1) * s->length;
    if (s->end < latest - 1e-6 * s->length) {
        s->count++;
        return KANE_STEP_TAKEN;
    }
    s->end = s->counted_from = latest;
    s->count                 = 0;
    return KANE_STEP_LATEST;
}

kane_status kane_fixed_steps_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                                  int *roots)
{
    kane_fixed_steps *s = self;
    double *free        = s->y_before;
    (void)goal;
    (void)roots;
    s->y_before              = s->y;
    s->y                     = s->y_end;
    s->y_end                 = free;
    s->before                = s->frame.sum.steps > 0 ? s->t : s->end;
    s->t                     = s->end;
    *end                     = find_next_end(s, latest);
    const kane_status status = s->advance(self);
    if (status != KANE_OK)
        return kane_fixed_steps_fail(s, s->end, status);
    kane_frame_count_step(&s->frame, s->end - s->t, s->order);
    *t = s->end;
    memcpy(y, s->y_end, (size_t)s->frame.system.size * sizeof *y);
    return KANE_OK;
}

void kane_fixed_steps_interpolate(void *self, double t, double *y)
{
    const kane_fixed_steps *s = self;
    const double h = s->end - s->t, x = h > 0.0 ? (t - s->t) / h : 1.0;
    for (int i = 0; i < s->frame.system.size; i++)
        y[i] = s->y[i] + x * (s->y_end[i] - s->y[i]);
}
