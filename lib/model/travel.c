// SPDX-License-Identifier: MIT
// The drive in an evaluation: prescribed travel in pieces of constant acceleration or along a smooth curve, values of
// actuators over time, and frames with prescribed motion.

#include "math/spline.h"
#include "model/model.h"

int kane_model_speed_piece(const kane_model *model, double t)
{
    int piece = 0;
    while (piece + 1 < model->piece_count && t >= model->pieces[piece + 1].time)
        piece++;
    return piece;
}

// Constant acceleration:  s = s_0 + travelled + dt (v + a dt/2),   v + a dt,  a. Curve over time: cubic v, s its
// integral.
void kane_model_travel(const kane_model *model, int piece, double t, double *s, double *v, double *a)
{
    const kane_speed_state *p = &model->pieces[piece];
    const double dt           = t - p->time;
    if (model->spline && piece == 0) {
        const kane_speed_spline *spline = model->spline;
        const int i                     = kane_spline_find(spline->point_count, spline->at, t);
        const double from               = t - spline->at[i];
        double out[4];
        kane_cubic_eval(&spline->cubic[i], from, out);
        *s = model->start + (spline->travelled[i] + kane_cubic_integral(&spline->cubic[i], from));
        *v = out[0];
        *a = out[1];
        return;
    }

    *s = model->start + (p->travelled + dt * (p->speed + 0.5 * p->acceleration * dt));
    *v = p->speed + p->acceleration * dt;
    *a = p->acceleration;
}

// Time at which a distance is covered on a curve: by bisection, because the speed may vanish in between.
static double time_on_curve(const kane_speed_spline *spline, double distance)
{
    const int last = spline->point_count - 1;
    const int i    = kane_spline_find(spline->point_count, spline->travelled, distance);
    double low = 0.0, high = spline->at[i + 1] - spline->at[i];
    if (distance > spline->travelled[last])
        return HUGE_VAL;
    while (1) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            return spline->at[i] + high;
        if (spline->travelled[i] + kane_cubic_integral(&spline->cubic[i], middle) < distance)
            low = middle;
        else
            high = middle;
    }
}

// Smaller positive root of  v dt + a dt^2/2 = left:  dt = 2 left/(v + sqrt(v^2 + 2 a left)).
double kane_model_time_of(const kane_model *model, int piece, double distance)
{
    const kane_speed_state *p = &model->pieces[piece];
    const double left         = distance - p->travelled;
    const double square       = p->speed * p->speed + 2.0 * p->acceleration * left;
    if (left <= 0.0)
        return p->time;
    if (model->spline && piece == 0)
        return time_on_curve(model->spline, distance);
    if (square < 0.0)
        return HUGE_VAL;
    const double denominator = p->speed + sqrt(square); // of the root that loses no digits
    if (!(denominator > 0.0))
        return HUGE_VAL;
    return p->time + 2.0 * left / denominator;
}

double kane_model_speed(const kane_model *model, int piece, double t, const double *y)
{
    double s, v = 0.0, a;
    if (kane_model_is_driven(model))
        return y[1];
    if (model->travel_count)
        model->travel.eval(model->travel.data, t, y[0], &v, &a);
    else if (model->piece_count)
        kane_model_travel(model, piece, t, &s, &v, &a);
    return v;
}

// The input, or the value over time, linear between points, constant beyond them.
double kane_actuator_value(const kane_actuator *actuator, double t, const double *inputs)
{
    const int n = actuator->point_count;
    if (actuator->input >= 0)
        return inputs[actuator->input];
    if (t <= actuator->time[0])
        return actuator->value[0];
    for (int i = 1; i < n; i++) {
        if (t < actuator->time[i]) {
            const double x = (t - actuator->time[i - 1]) / (actuator->time[i] - actuator->time[i - 1]);
            return actuator->value[i - 1] + x * (actuator->value[i] - actuator->value[i - 1]);
        }
    }
    return actuator->value[n - 1];
}

// --- given frames ---

int kane_carried_create(const kane_model *model, kane_arena *arena, kane_carried *work)
{
    work->base = kane_arena_alloc(arena, (size_t)model->frame_count, sizeof *work->base);
    return kane_tree_work_create(&model->carried, arena, &work->tree) && work->base;
}

// Transportation of a given frame from its link: R = R_root R_link, r_o in the root's axes; v_o, a_o, omega, epsilon in
// its own axes.
static kane_transport transport_of(const kane_link *link, const kane_link_state *s, const kane_transport *root)
{
    const kane_mat3 R = link->body_turned ? km3_mul(s->R, link->body_R) : s->R;
    return (kane_transport){.R       = km3_mul(root->R, R),
                            .r_o     = kv3_add(root->r_o, km3_mulv(root->R, s->r)),
                            .v_o     = km3_tmulv(R, s->v),
                            .a_o     = km3_tmulv(R, s->a),
                            .omega   = km3_tmulv(R, s->w),
                            .epsilon = km3_tmulv(R, s->al)};
}

// Given frames as links without mass, all coordinates prescribed (docs/mechanisms.md, frames): kane_tree_move with the
// frames of their roots as bases, without weight.
void kane_carried_move(const kane_model *model, double t, kane_transport *frames, kane_carried *work)
{
    const kane_tree *tree = &model->carried;
    for (int i = 0; i < tree->link_count; i++) {
        const kane_transport *T          = &frames[tree->links[i].frame];
        work->base[tree->links[i].frame] = (kane_moving_frame){T->v_o, T->omega, T->a_o, T->epsilon};
    }
    work->tree.t = t;
    kane_tree_move(tree, (kane_links){0, tree->link_count}, work->base, &work->tree);
    for (int i = 0; i < tree->link_count; i++)
        frames[model->carried_frame[i]] =
            transport_of(&tree->links[i], &work->tree.link[i], &frames[tree->links[i].frame]);
}
