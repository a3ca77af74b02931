// SPDX-License-Identifier: MIT
// Relations of coordinates: what a joint's coordinate is, how fast it changes, and whom a multiplier pushes for it.

#ifndef KANE_TREE_ROWS_TERMS_H
#define KANE_TREE_ROWS_TERMS_H

#include "tree/rows_write.h"

typedef struct row_coordinate {
    cs value, rate, acceleration;
    int v; // its speed; -1: none of its own
    // of a body with all six freedoms: rate = g . (rate of x) + m . W between seat and joint point
    int is_relative;
    kane_side_marker side[2];
    meeting meet;
    cv g, m;
} row_coordinate;

// A coordinate of a link that hangs by steps: its own speed, a function of time, or constant.
static inline void coordinate_see_step(const row_scene *scene, const kane_step *step, row_coordinate *c)
{
    c->v            = -1;
    c->is_relative  = 0;
    c->value        = cs_constant(scene->work->q[step->q]);
    c->rate         = cs_constant(0.0);
    c->acceleration = cs_constant(0.0);
    WITH_CHANGE(c->value.t = scene->dq[step->q];)
    if (step->mode == KANE_STEP_GIVEN) {
        double f[4];
        kane_course_eval(step->function, scene->work->t, f);
        c->value        = cs_constant(f[0]);
        c->rate         = cs_constant(f[1]);
        c->acceleration = cs_constant(f[2]);
    } else if (step->mode == KANE_STEP_FREE) {
        c->v            = step->v;
        c->rate         = cs_constant(scene->work->v[step->v]);
        c->acceleration = cs_constant(scene->beyond ? scene->work->v_dot[step->v] : 0.0);
        WITH_CHANGE(c->rate.t = scene->dv[step->v];)
    }
}

// Turns by angles q about moving axes a1, a2, a3 have  W = a1 q1' + a2 q2' + a3 q3';  a2 is square to
// both others, along
//   n = a3 x a1.  So   q1' = (n x a3) . W/n^2,   q3' = (a1 x n) . W/n^2,   q2' = (n or -n) . W/|n|
// first: a1, which stays with the first side; last: a3, which stays with the second, also where its axes leave the last
// turn out (a spinning wheelset). Not finite where a1 and a3 are parallel: there the angles have no rates.
static inline mv turn_row(const kane_link *link, int turn, double first_angle, const meeting *meet)
{
    const kane_step *steps = link->step + link->slide_count;
    const kane_vec3 e1 = kv3_unit(steps[0].axis), e2 = kv3_unit(steps[1].axis);
    const mv a1 = mv_constant(e1), a3 = meet->axis[steps[2].axis], n = mv_cross(a3, a1);
    const ms nn      = mv_dot(n, n);
    const double one = 1.0 / nn.v.v, root = sqrt(one);
    if (turn != 1) {
        const mv across = turn == 0 ? mv_cross(n, a3) : mv_cross(a1, n);
        return mv_scale(ms_chain(nn, one, -one * one, 2.0 * one * one * one), across);
    }
    const kane_vec3 a2 = kv3_add_scaled(kv3_scale(cos(first_angle), e2), sin(first_angle), kv3_cross(e1, e2));
    const double sign  = kv3_dot(n.v.v, a2) < 0.0 ? -1.0 : 1.0;
    return mv_scale(ms_chain(nn, sign * root, -0.5 * sign * root * one, 0.75 * sign * root * one * one), n);
}

// A coordinate of a body with all six freedoms: its speeds are others, so that its rate is a matter of the body and of
// what it hangs on. Between the joint's axes on the parent and the joint point with the body's axes.
static inline void coordinate_see_relative(const row_scene *scene, const kane_link *link, const kane_term *term,
                                           row_coordinate *c)
{
    const kane_step *step = &link->step[term->coordinate];
    const double *q       = scene->work->q;
    mv g = mv_constant(kv3_zero()), m = g;

    c->v           = -1;
    c->is_relative = 1;
    c->side[0] =
        (kane_side_marker){.link = link->parent, .frame = link->frame, .point = link->seat, .axes = link->seat_R};
    c->side[1] =
        (kane_side_marker){.link = term->link, .frame = link->frame, .point = link->at, .axes = km3_identity()};
    meeting_see(scene, &c->side[0], &c->side[1], &c->meet);
    if (term->coordinate < link->slide_count)
        g = mv_constant(kv3_unit(step->axis));
    else
        m = turn_row(link, term->coordinate - link->slide_count, q[link->step[link->slide_count].q], &c->meet);

    const ms rate   = rows_rate(&c->meet, g, m);
    c->value        = cs_constant(q[step->q]);
    c->rate         = rate.v;
    c->acceleration = rate.d;
    c->g            = g.v;
    c->m            = m.v;
    WITH_CHANGE(c->value.t = scene->dq[step->q];)
}

static inline void coordinate_see(const row_scene *scene, const kane_term *term, row_coordinate *c)
{
    const kane_link *link = &scene->tree->links[term->link];
    if (link->kind == KANE_LINK_BODY)
        coordinate_see_relative(scene, link, term, c);
    else
        coordinate_see_step(scene, &link->step[term->coordinate], c);
}

// A multiplier of the first row pushes for `scale` times a coordinate.
static inline void coordinate_put(rows *out, const row_coordinate *c, cs scale)
{
    if (c->is_relative) {
        rows_push_both(out, 0, c->side, &c->meet, cv_scale(scale, c->g), cv_scale(scale, c->m));
    } else if (c->v >= 0) {
        const int i         = out->entry_count++;
        out->entry[i].row   = 0;
        out->entry[i].v     = c->v;
        out->entry[i].value = scale;
    }
}

// sum factor coordinate = offset, or the same of rates
static inline void put_linear(const row_scene *scene, const kane_closure *closure, rows *out)
{
    const int of_rates   = closure->kind == KANE_CONSTRAINT_RATES;
    out->value[0]        = cs_constant(of_rates ? 0.0 : -closure->offset);
    out->rate[0]         = cs_constant(of_rates ? -closure->offset : 0.0);
    out->acceleration[0] = cs_constant(0.0);
    for (int i = 0; i < closure->term_count; i++) {
        const cs factor = cs_constant(closure->term[i].factor);
        row_coordinate c;
        coordinate_see(scene, &closure->term[i], &c);
        if (!of_rates)
            out->value[0] = cs_add(out->value[0], cs_mul(factor, c.value));
        out->rate[0]         = cs_add(out->rate[0], cs_mul(factor, c.rate));
        out->acceleration[0] = cs_add(out->acceleration[0], cs_mul(factor, c.acceleration));
        coordinate_put(out, &c, factor);
    }
}

// p - k f(q) - offset:  rate p' - k f' q',  acceleration p'' - k (f'' q'^2 + f' q'')
static inline void put_function(const row_scene *scene, const kane_closure *closure, rows *out)
{
    const cs k = cs_constant(closure->term[1].factor);
    row_coordinate p, q;
    double f[4];
    coordinate_see(scene, &closure->term[0], &p);
    coordinate_see(scene, &closure->term[1], &q);
    kane_course_eval(closure->curve[0], q.value.v, f);

    const cs kf = cs_mul(k, cs_chain(q.value, f[0], f[1])), slope = cs_mul(k, cs_chain(q.value, f[1], f[2]));
    const cs bend        = cs_mul(k, cs_chain(q.value, f[2], f[3]));
    const cs curved      = cs_add(cs_mul(bend, cs_mul(q.rate, q.rate)), cs_mul(slope, q.acceleration));
    out->value[0]        = cs_sub(cs_sub(p.value, kf), cs_constant(closure->offset));
    out->rate[0]         = cs_sub(p.rate, cs_mul(slope, q.rate));
    out->acceleration[0] = cs_sub(p.acceleration, curved);
    coordinate_put(out, &p, cs_constant(1.0));
    coordinate_put(out, &q, cs_mul(cs_constant(-1.0), slope));
}

#endif
