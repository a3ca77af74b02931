// SPDX-License-Identifier: MIT
// Creating the scratch of a thread, and reading results from it.

#include "agem/work.h"

#include "agem/element.h"
#include "agem/wheels.h"

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
        work->piece       = kane_arena_alloc(arena, frames, sizeof *work->piece);
        work->anchor      = kane_arena_alloc(arena, frames, sizeof *work->anchor);
        work->track_frame = kane_arena_alloc(arena, frames, sizeof *work->track_frame);
        work->transport   = kane_arena_alloc(arena, frames, sizeof *work->transport);
        work->body        = kane_arena_alloc(arena, bodies, sizeof *work->body);
        work->element     = kane_arena_alloc(arena, (size_t)model->element_count, sizeof *work->element);
        work->wheels      = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *work->wheels);
    }
    if (kane_arena_failed(arena)) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        kane_arena_free(arena);
        return NULL;
    }
    for (int f = 0; f < model->frame_count; f++)
        work->transport[f] = kane_transport_rest();
    work->fault = (kane_fault){KANE_OK, "", ""};
    return work;
}

void kane_work_free(kane_work *work)
{
    if (work)
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

void kane_get_element(const kane_model *model, const kane_work *work, int e, kane_wrench *on_b, kane_relative *relative)
{
    kane_element_motion motion;
    *on_b = work->element[e].on_b;
    kane_element_observe(work, &model->elements[e], &motion);
    *relative   = motion.relative;
    relative->a = relative->b = NULL;  // they live no longer
    if (model->elements[e].mirrored) { // as it is, not as the law sees it
        on_b->force   = kane_mirror_polar(on_b->force);
        on_b->torque  = kane_mirror_axial(on_b->torque);
        relative->d   = kane_mirror_polar(relative->d);
        relative->v   = kane_mirror_polar(relative->v);
        relative->d0  = kane_mirror_polar(relative->d0);
        relative->phi = kane_mirror_axial(relative->phi);
        relative->w   = kane_mirror_axial(relative->w);
    }
}

const kane_contact_result *kane_get_contact(const kane_model *model, const kane_work *work, int body, kane_side side,
                                            double *lift)
{
    const int i = model->bodies[body].wheels;
    if (i < 0)
        return NULL;
    *lift = kane_wheels_lift(&model->wheels[i], &work->wheels[i], side);
    return &work->wheels[i].result[side];
}
