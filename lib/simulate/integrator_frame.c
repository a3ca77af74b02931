// SPDX-License-Identifier: MIT
// What integrators share.

#include "simulate/integrator_frame.h"

#include "base/number.h"

#include <string.h>

// === Steps of fixed length.

void *kane_fixed_steps_create(size_t bytes, int order, kane_status (*advance)(void *self), const kane_system *system,
                              const kane_settings *settings)
{
    const size_t size   = (size_t)system->size;
    kane_arena *arena   = kane_arena_create();
    kane_fixed_steps *s = arena ? kane_arena_alloc(arena, 1, bytes) : NULL;
    if (!s) {
        kane_arena_free(arena);
        return NULL;
    }
    s->arena    = arena;
    s->system   = *system;
    s->order    = order;
    s->advance  = advance;
    s->length   = settings->step;
    s->y_before = kane_arena_alloc(arena, size, sizeof *s->y_before);
    s->y        = kane_arena_alloc(arena, size, sizeof *s->y);
    s->y_end    = kane_arena_alloc(arena, size, sizeof *s->y_end);
    return s;
}

void *kane_fixed_steps_created(void *self)
{
    if (!kane_arena_failed(((kane_fixed_steps *)self)->arena))
        return self;
    kane_fixed_steps_free(self);
    return NULL;
}

void kane_fixed_steps_free(void *self)
{
    kane_arena_free(((kane_fixed_steps *)self)->arena);
}

kane_status kane_fixed_steps_restart(void *self, double t, const double *y)
{
    kane_fixed_steps *s = self;
    s->before = s->t = s->end = s->counted_from = t;
    s->count = s->steps = s->evaluations = 0;
    s->message[0]                        = '\0';
    memcpy(s->y_end, y, (size_t)s->system.size * sizeof *y);
    return KANE_OK;
}

kane_status kane_fixed_steps_fail(kane_fixed_steps *s, double t, kane_status status)
{
    (void)kane_snprintf(s->message, sizeof s->message,
                        "the step of %g s to %.9g s leads to no state that can be evaluated%s", s->length, t,
                        status == KANE_NO_MEMORY ? "" : "; try a shorter one");
    return status < 0 ? status : KANE_INTEGRATION_FAILED;
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
    s->before                = s->steps > 0 ? s->t : s->end;
    s->t                     = s->end;
    *end                     = find_next_end(s, latest);
    const kane_status status = s->advance(self);
    if (status != KANE_OK)
        return kane_fixed_steps_fail(s, s->end, status);
    s->steps++;
    *t = s->end;
    memcpy(y, s->y_end, (size_t)s->system.size * sizeof *y);
    return KANE_OK;
}

void kane_fixed_steps_interpolate(void *self, double t, double *y)
{
    const kane_fixed_steps *s = self;
    const double h = s->end - s->t, x = h > 0.0 ? (t - s->t) / h : 1.0;
    for (int i = 0; i < s->system.size; i++)
        y[i] = s->y[i] + x * (s->y_end[i] - s->y[i]);
}

void kane_fixed_steps_count(const void *self, kane_statistics *sum)
{
    const kane_fixed_steps *s = self;
    sum->steps += s->steps;
    sum->evaluations += s->evaluations;
    if (s->steps > 0) {
        sum->last_step  = s->end - s->t;
        sum->last_order = s->order;
    }
}

const char *kane_fixed_steps_message(const void *self)
{
    return ((const kane_fixed_steps *)self)->message;
}

// === Matrix of implicit methods.

int kane_newton_matrix_create(kane_newton_matrix *m, const kane_pattern *pattern, kane_arena *arena)
{
    m->pattern  = pattern;
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

void kane_newton_matrix_free(kane_newton_matrix *m)
{
    kane_sparse_lu_free(m->lu);
}

kane_status kane_newton_matrix_factor(kane_newton_matrix *m, double g)
{
    for (int i = 0; i < m->pattern->count; i++)
        m->values[i] = -g * m->slopes[i];
    for (int i = 0; i < m->pattern->size; i++)
        m->values[m->diagonal[i]] += 1.0;
    const int good = m->has_pivots ? kane_sparse_lu_factor(m->lu, m->values) : kane_sparse_lu_pivot(m->lu, m->values);
    m->has_pivots  = 1;
    m->factored    = good ? g : 0.0;
    return good ? KANE_OK : kane_sparse_lu_lacks_memory(m->lu) ? KANE_NO_MEMORY : KANE_RETRY;
}
