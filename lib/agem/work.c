// SPDX-License-Identifier: MIT
// The scratch of a thread: creating it, and what it knows of where and why an evaluation failed.

#include "agem/joined.h"

static int is_watched(const kane_model *model, int link)
{
    for (int k = 0; k < model->watched_count; k++)
        if (model->watched[k] == link)
            return 1;
    return 0;
}

static void list_felt(const kane_model *model, kane_work *work)
{
    for (int j = 0; j < model->body_count; j++)
        if (model->bodies[j].link < 0 || is_watched(model, model->bodies[j].link))
            work->felt[work->felt_count++] = j;
}

kane_work *kane_work_create(const kane_model *model, kane_errors *errors)
{
    kane_arena *arena = kane_arena_create();
    if (!arena) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return NULL;
    }
    const size_t frames = (size_t)model->frame_count, bodies = (size_t)model->body_count;
    kane_work *work = kane_arena_alloc(arena, 1, sizeof *work);
    if (work) {
        work->arena       = arena;
        work->copy        = kane_arena_alloc(arena, 1, sizeof *work->copy);
        work->piece       = kane_arena_alloc(arena, frames, sizeof *work->piece);
        work->anchor      = kane_arena_alloc(arena, frames, sizeof *work->anchor);
        work->track_frame = kane_arena_alloc(arena, frames, sizeof *work->track_frame);
        work->transport   = kane_arena_alloc(arena, frames, sizeof *work->transport);
        work->crossing    = kane_arena_alloc(arena, frames, sizeof *work->crossing);
        work->felt        = kane_arena_alloc(arena, bodies, sizeof *work->felt);
        work->body        = kane_arena_alloc(arena, bodies, sizeof *work->body);
        work->impulse     = kane_arena_alloc(arena, bodies, sizeof *work->impulse);
        work->omitted     = kane_arena_alloc(arena, bodies, sizeof *work->omitted);
        work->approach    = kane_arena_alloc(arena, bodies, sizeof *work->approach);
        work->element     = kane_arena_alloc(arena, (size_t)model->element_count, sizeof *work->element);
        work->wheels      = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *work->wheels);
    }
    if (kane_arena_failed(arena) || !kane_discrete_fill(model, arena, work->copy) ||
        !kane_carried_create(model, arena, &work->carried) || !kane_joined_create(model, work)) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        if (work)
            kane_joined_free(work);
        kane_arena_free(arena);
        return NULL;
    }
    for (int f = 0; f < model->frame_count; f++)
        work->transport[f] = kane_transport_rest();
    for (int i = 0; i < model->wheels_count; i++)
        work->wheels[i].looked[0] = work->wheels[i].looked[1] = (double)NAN;
    list_felt(model, work);
    work->fault = (kane_fault){KANE_OK, "", ""};
    return work;
}

void kane_work_free(kane_work *work)
{
    if (!work)
        return;
    kane_joined_free(work);
    kane_arena_free(work->arena);
}

double kane_work_place(const kane_model *model, const kane_work *work)
{
    const double nowhere = (double)NAN;
    return model->track ? kane_track_get_definition(model->track)->start + work->s : nowhere;
}

kane_status kane_work_fail(kane_work *work, kane_status status, const char *subject, const char *text)
{
    work->fault = (kane_fault){status, subject, text};
    return status;
}

void kane_work_fault(const kane_model *model, const kane_work *work, kane_errors *errors)
{
    kane_errors_add_run(errors, work->fault.status, work->fault.subject, work->t, kane_work_place(model, work), "%s",
                        work->fault.text);
}

void kane_get_travel(const kane_work *work, double *s, double *v, double *a)
{
    *s = work->s;
    *v = work->v;
    *a = work->a;
}
