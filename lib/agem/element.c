// SPDX-License-Identifier: MIT
// Force elements: from the motion of two bodies to the relative motion for a law, and from its force to wrenches.
//
// The law's force acts on b in b's point and, reversed, on a in the same point of space: no moment is lost, whatever
// the displacement. A mirrored element shows its law the mirror image: polar vectors change their y, axial ones x and
// z.

#include "agem/element.h"

// A marker in the axes of A, mirrored if the element is.
static kane_marker on_ground(const kane_work *work, const kane_element *element, const kane_transport *world,
                             const kane_fixed_marker *at, const kane_marker *m)
{
    const kane_vec3 omega = element->is_spinning && at->body >= 0 ? work->body[at->body].w_w : m->omega;
    const kane_marker g   = {.position = kv3_add(world->r_o, km3_mulv(world->R, m->position)),
                             .R        = km3_mul(world->R, m->R),
                             .velocity = km3_mulv(world->R, m->velocity),
                             .omega    = km3_mulv(world->R, omega)};
    return element->mirrored ? kane_mirror_marker(g) : g;
}

static void evaluate_track_surface(const void *track, double s, double y, double out[6])
{
    kane_track_surface(track, s, y, out);
}

// The road at a, that of a line.
static kane_road road_of(const kane_model *model, const kane_work *work, const kane_element *element)
{
    const kane_fixed_marker *a = &element->a;
    const kane_frame *frame    = &model->frames[a->frame];
    if (!kane_element_is_on_line(model, element) || !kane_track_is_irregular(model->track))
        return (kane_road){0};
    return (kane_road){.surface = evaluate_track_surface,
                       .data    = model->track,
                       .s       = work->s + frame->offset + a->point.x,
                       .y       = frame->beside.y + a->point.y};
}

// Absolute motion of both markers in A, for laws that need it, and the road under a.
static void observe_absolute(const kane_model *model, const kane_work *work, const kane_element *element,
                             kane_element_motion *motion)
{
    const kane_transport world  = kane_work_world(model, work);
    motion->absolute.a          = on_ground(work, element, &world, &element->a, &motion->a);
    motion->absolute.b          = on_ground(work, element, &world, &element->b, &motion->b);
    motion->absolute.mirrored   = element->mirrored;
    motion->absolute.road       = road_of(model, work, element);
    motion->absolute.a_is_fixed = element->a.body < 0;
    motion->absolute.b_is_fixed = element->b.body < 0;
    if (kane_element_is_on_line(model, element))
        motion->absolute.a.velocity = motion->absolute.a.omega = kv3_zero();
    motion->relative.absolute = &motion->absolute;
}

// Motion of b relative to a, axes of a (docs/theory.md, section 6), rho = r_b - r_a:
//   d = R_a' rho - d0,   v = R_a' (v_b - v_a - w_a x rho),   phi = rotation vector of R_a' R_b,   w = R_a' (w_b - w_a)
void kane_element_observe(const kane_model *model, const kane_work *work, const kane_element *element,
                          kane_element_motion *motion)
{
    const kane_marker *a = &motion->a;
    const kane_marker *b = &motion->b;
    kane_relative *r     = &motion->relative;
    kane_marker_see(work, &element->a, &motion->a);
    kane_marker_see(work, &element->b, &motion->b);
    const kane_vec3 rho   = kv3_sub(b->position, a->position);
    const kane_vec3 rho_v = kv3_sub(kv3_sub(b->velocity, a->velocity), kv3_cross(a->omega, rho));

    r->d = kv3_sub(km3_tmulv(a->R, rho), element->axes_d0);
    r->v = km3_tmulv(a->R, rho_v);
    if (element->turns) {
        r->phi = kane_rotation_vector(km3_tmul(a->R, b->R));
        r->w   = km3_tmulv(a->R, kv3_sub(b->omega, a->omega));
    } else {
        r->phi = r->w = kv3_zero();
    }
    if (element->mirrored) {
        r->d   = kane_mirror_polar(r->d);
        r->v   = kane_mirror_polar(r->v);
        r->phi = kane_mirror_axial(r->phi);
        r->w   = kane_mirror_axial(r->w);
    }
    r->d0       = element->d0;
    r->t        = work->t;
    r->state    = element->state_count > 0 ? work->element[element->index].state : NULL;
    r->input    = element->input_count > 0 ? work->element[element->index].input : NULL;
    r->absolute = NULL;
    if (element->absolute)
        observe_absolute(model, work, element, motion);
}

// A law's status: 0 as KANE_OK, positive as KANE_RETRY, negative as KANE_NOT_SOLVED.
kane_status kane_element_eval(const kane_element *element, const kane_element_motion *motion, kane_wrench *on_b)
{
    *on_b            = (kane_wrench){kv3_zero(), kv3_zero()};
    const int status = element->law->eval(element->data, &motion->relative, on_b);
    return status == 0 ? KANE_OK : status > 0 ? KANE_RETRY : KANE_NOT_SOLVED;
}

kane_status kane_element_rates(const kane_element *element, const kane_element_motion *motion,
                               double rates[KANE_LAW_STATES])
{
    for (int i = 0; i < element->state_count; i++)
        rates[i] = 0.0;
    const int status = element->law->rates(element->data, &motion->relative, rates);
    return status == 0 ? KANE_OK : status > 0 ? KANE_RETRY : KANE_NOT_SOLVED;
}

// Without the mirror image.
void kane_get_element(const kane_model *model, const kane_work *work, int e, kane_wrench *on_b, kane_relative *relative)
{
    kane_element_motion motion;
    *on_b = work->element[e].on_b;
    kane_element_observe(model, work, &model->elements[e], &motion);
    *relative          = motion.relative;
    relative->absolute = NULL;         // it lives no longer
    if (model->elements[e].mirrored) { // not mirrored for users
        on_b->force   = kane_mirror_polar(on_b->force);
        on_b->torque  = kane_mirror_axial(on_b->torque);
        relative->d   = kane_mirror_polar(relative->d);
        relative->v   = kane_mirror_polar(relative->v);
        relative->d0  = kane_mirror_polar(relative->d0);
        relative->phi = kane_mirror_axial(relative->phi);
        relative->w   = kane_mirror_axial(relative->w);
    }
}
