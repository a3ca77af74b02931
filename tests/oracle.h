// SPDX-License-Identifier: MIT
// The equations of a tree a second time, straight from Kane's: over complex numbers, so that a step along the imaginary
// axis gives derivatives exact to round-off. Slow, and shares no formula with lib/tree.
//
// Each body alone has  m a_C  and  J_C al + w x J_C w;  rows of the equations are their products with the partial
// velocities, which are differences of the velocities for unit speeds. Theta comes column by column.

#ifndef KANE_TESTS_ORACLE_H
#define KANE_TESTS_ORACLE_H

#include "tree/tree.h"

#include "check.h"

#include <complex.h>
#undef I // is an inertia elsewhere: _Complex_I

typedef double complex oracle_number;

enum { ORACLE_LINKS = 40, ORACLE_FREEDOMS = 90 };

#define ORACLE_STEP      1e-30
#define ORACLE_IMAGINARY (ORACLE_STEP * (oracle_number)_Complex_I)

typedef struct oracle_vec {
    oracle_number x[3];
} oracle_vec;

typedef struct oracle_mat {
    oracle_number m[3][3]; // [row][column]
} oracle_mat;

typedef struct oracle_link {
    oracle_mat R;
    oracle_vec r, arm; // origin, and from there to the mass centre
    oracle_vec v, w;   // of the origin
    oracle_vec a, al;
} oracle_link;

typedef struct oracle {
    const kane_tree *tree;
    const kane_moving_frame *bases;
    double t;
    // wrench on a link, torque about its origin: what acts, as a function of how all links move; NULL: nothing
    void (*push)(const struct oracle *o, const oracle_link *links, int link, oracle_vec *force, oracle_vec *torque);
    const void *data; // of push
} oracle;

// --- vectors ---

static inline oracle_vec oracle_of(kane_vec3 a)
{
    return (oracle_vec){{a.x, a.y, a.z}};
}

static inline oracle_vec oracle_add(oracle_vec a, oracle_vec b)
{
    return (oracle_vec){{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
}

static inline oracle_vec oracle_scale(oracle_number s, oracle_vec a)
{
    return (oracle_vec){{s * a.x[0], s * a.x[1], s * a.x[2]}};
}

static inline oracle_vec oracle_sub(oracle_vec a, oracle_vec b)
{
    return oracle_add(a, oracle_scale(-1.0, b));
}

static inline oracle_number oracle_dot(oracle_vec a, oracle_vec b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static inline oracle_vec oracle_cross(oracle_vec a, oracle_vec b)
{
    return (oracle_vec){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static inline oracle_mat oracle_matrix(kane_mat3 A)
{
    return (oracle_mat){{{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}}};
}

static inline oracle_vec oracle_mulv(const oracle_mat *A, oracle_vec x)
{
    oracle_vec y;
    for (int i = 0; i < 3; i++)
        y.x[i] = A->m[i][0] * x.x[0] + A->m[i][1] * x.x[1] + A->m[i][2] * x.x[2];
    return y;
}

static inline oracle_vec oracle_tmulv(const oracle_mat *A, oracle_vec x)
{
    oracle_vec y;
    for (int i = 0; i < 3; i++)
        y.x[i] = A->m[0][i] * x.x[0] + A->m[1][i] * x.x[1] + A->m[2][i] * x.x[2];
    return y;
}

static inline oracle_mat oracle_mul(const oracle_mat *A, const oracle_mat *B)
{
    oracle_mat C;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C.m[i][j] = A->m[i][0] * B->m[0][j] + A->m[i][1] * B->m[1][j] + A->m[i][2] * B->m[2][j];
    return C;
}

static inline oracle_vec oracle_column(const oracle_mat *A, int axis)
{
    return (oracle_vec){{A->m[0][axis], A->m[1][axis], A->m[2][axis]}};
}

// A turned about its own axis: A Rx, A Ry or A Rz.
static inline oracle_mat oracle_turn(const oracle_mat *A, int axis, oracle_number angle)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    oracle_mat T    = {{{0}}};
    T.m[axis][axis] = 1.0;
    T.m[j][j] = T.m[k][k] = ccos(angle);
    T.m[j][k]             = -csin(angle);
    T.m[k][j]             = csin(angle);
    return oracle_mul(A, &T);
}

// --- motion ---

// How the parent of a link moves, or its frame.
static inline oracle_link oracle_parent(const oracle *o, const oracle_link *links, const kane_link *link)
{
    if (link->parent >= 0)
        return links[link->parent];
    const kane_moving_frame *base = &o->bases[link->frame];
    oracle_link p                 = {.R = oracle_matrix(km3_identity())};
    p.v                           = oracle_of(base->v);
    p.w                           = oracle_of(base->w);
    p.a                           = oracle_of(base->a);
    p.al                          = oracle_of(base->al);
    return p;
}

static inline oracle_mat oracle_parameters(const oracle_number e[4])
{
    const oracle_number n2 = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    oracle_mat R;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R.m[i][i] = (e[0] * e[0] + e[i + 1] * e[i + 1] - e[j + 1] * e[j + 1] - e[k + 1] * e[k + 1]) / n2;
        R.m[i][j] = 2.0 * (e[i + 1] * e[j + 1] - e[0] * e[k + 1]) / n2;
        R.m[j][i] = 2.0 * (e[i + 1] * e[j + 1] + e[0] * e[k + 1]) / n2;
    }
    return R;
}

// Coordinate of a step with two rates; speeds or accelerations may be missing.
static inline void oracle_step(const oracle *o, const kane_step *step, const oracle_number *q, const oracle_number *v,
                               const oracle_number *v_dot, oracle_number out[3])
{
    out[0] = step->mode == KANE_STEP_GIVEN ? 0.0 : q[step->q];
    out[1] = out[2] = 0.0;
    if (step->mode == KANE_STEP_FREE) {
        out[1] = v[step->v];
        out[2] = v_dot[step->v];
    } else if (step->mode == KANE_STEP_GIVEN) {
        double f[4];
        kane_line_function_eval(step->function, o->t, f);
        for (int i = 0; i < 3; i++)
            out[i] = f[i];
    }
}

static inline void oracle_move_body(const oracle *o, const kane_link *link, const oracle_link *p,
                                    const oracle_number *q, const oracle_number *v, const oracle_number *v_dot,
                                    oracle_link *s)
{
    const kane_moving_frame *base = &o->bases[link->frame];
    const oracle_vec wb = oracle_of(base->w), alb = oracle_of(base->al);
    const oracle_mat seat_R = oracle_matrix(link->seat_R), A = oracle_mul(&p->R, &seat_R);
    const oracle_vec slid = {{q[link->q], q[link->q + 1], q[link->q + 2]}};
    s->R                  = A;
    for (int k = 3; k < (link->is_spinning ? 5 : 6); k++)
        s->R = oracle_turn(&s->R, link->step[k].axis, q[link->q + k]);
    s->r = oracle_add(p->r, oracle_mulv(&p->R, oracle_of(link->seat)));
    s->r = oracle_add(s->r, oracle_mulv(&A, slid));
    s->r = oracle_sub(s->r, oracle_mulv(&s->R, oracle_of(link->at)));

    const oracle_number *u = v + link->v, *du = v_dot + link->v;
    const oracle_vec v1 = {{u[0], u[1], u[2]}}, w1 = {{u[3], u[4], u[5]}};
    const oracle_vec a1 = {{du[0], du[1], du[2]}}, al1 = {{du[3], du[4], du[5]}};
    const oracle_vec carried = oracle_cross(wb, s->r);
    s->v                     = oracle_add(oracle_add(oracle_of(base->v), carried), v1);
    s->w                     = oracle_add(wb, w1);
    s->al                    = oracle_add(oracle_add(alb, oracle_cross(wb, w1)), al1);
    s->a                     = oracle_add(oracle_of(base->a), oracle_cross(alb, s->r));
    s->a                     = oracle_add(s->a, oracle_cross(wb, carried));
    s->a                     = oracle_add(s->a, oracle_scale(2.0, oracle_cross(wb, v1)));
    s->a                     = oracle_add(s->a, a1);
}

static inline void oracle_move_joint(const oracle *o, const kane_link *link, const oracle_link *p,
                                     const oracle_number *q, const oracle_number *v, const oracle_number *v_dot,
                                     oracle_link *s)
{
    const oracle_mat seat_R = oracle_matrix(link->seat_R), A = oracle_mul(&p->R, &seat_R);
    oracle_vec rho = oracle_mulv(&p->R, oracle_of(link->seat)), slides = {{0}}, slides2 = {{0}};
    s->R  = A;
    s->w  = p->w;
    s->al = p->al;
    for (int k = 0; k < link->step_count; k++) {
        const oracle_vec axis = oracle_column(&s->R, link->step[k].axis);
        oracle_number c[3];
        oracle_step(o, &link->step[k], q, v, v_dot, c);
        if (k < link->slide_count) {
            rho     = oracle_add(rho, oracle_scale(c[0], axis));
            slides  = oracle_add(slides, oracle_scale(c[1], axis));
            slides2 = oracle_add(slides2, oracle_scale(c[2], axis));
            continue;
        }
        s->al = oracle_add(s->al, oracle_cross(s->w, oracle_scale(c[1], axis)));
        s->al = oracle_add(s->al, oracle_scale(c[2], axis));
        s->w  = oracle_add(s->w, oracle_scale(c[1], axis));
        if (!link->is_spinning || k + 1 < link->step_count)
            s->R = oracle_turn(&s->R, link->step[k].axis, c[0]);
    }
    if (link->kind == KANE_LINK_BALL) {
        const oracle_number *u = v + link->v, *du = v_dot + link->v;
        const oracle_mat T = oracle_parameters(q + link->q);
        s->R               = oracle_mul(&A, &T);
        const oracle_vec w = oracle_mulv(&s->R, (oracle_vec){{u[0], u[1], u[2]}});
        s->al              = oracle_add(oracle_add(p->al, oracle_cross(p->w, w)),
                                        oracle_mulv(&s->R, (oracle_vec){{du[0], du[1], du[2]}}));
        s->w               = oracle_add(p->w, w);
    }
    s->r = oracle_add(p->r, rho);
    s->v = oracle_add(oracle_add(p->v, oracle_cross(p->w, rho)), slides);
    s->a = oracle_add(p->a, oracle_cross(p->al, rho));
    s->a = oracle_add(s->a, oracle_cross(p->w, oracle_cross(p->w, rho)));
    s->a = oracle_add(s->a, oracle_scale(2.0, oracle_cross(p->w, slides)));
    s->a = oracle_add(s->a, slides2);
}

static inline void oracle_move(const oracle *o, const oracle_number *q, const oracle_number *v,
                               const oracle_number *v_dot, oracle_link *links)
{
    for (int i = 0; i < o->tree->link_count; i++) {
        const kane_link *link = &o->tree->links[i];
        const oracle_link p   = oracle_parent(o, links, link);
        if (link->kind == KANE_LINK_BODY)
            oracle_move_body(o, link, &p, q, v, v_dot, &links[i]);
        else
            oracle_move_joint(o, link, &p, q, v, v_dot, &links[i]);
        links[i].arm = oracle_mulv(&links[i].R, oracle_of(link->c));
    }
}

static inline oracle_vec oracle_centre(const oracle_link *s)
{
    return oracle_add(s->v, oracle_cross(s->w, s->arm));
}

// --- equations ---

// Inertia about the mass centre, times x (link axes).
static inline oracle_vec oracle_inertia(const kane_link *link, const oracle_link *s, oracle_vec x)
{
    const double *J = link->J, m = link->mass;
    const oracle_mat O = {{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}};
    const oracle_vec c = oracle_of(link->c), y = oracle_tmulv(&s->R, x);
    oracle_vec h = oracle_mulv(&O, y); // less m (c.c 1 - c c')
    h            = oracle_sub(h, oracle_scale(m * oracle_dot(c, c), y));
    h            = oracle_add(h, oracle_scale(m * oracle_dot(c, y), c));
    return oracle_mulv(&s->R, h);
}

// Wrench at the mass centre that a link needs beyond what acts on it.
static inline void oracle_need(const oracle *o, const oracle_link *links, int i, oracle_vec *force, oracle_vec *torque)
{
    const kane_link *link = &o->tree->links[i];
    const oracle_link *s  = &links[i];
    oracle_vec a          = oracle_add(s->a, oracle_cross(s->al, s->arm));
    a                     = oracle_add(a, oracle_cross(s->w, oracle_cross(s->w, s->arm)));
    *force                = oracle_scale(link->mass, a);
    *torque = oracle_add(oracle_inertia(link, s, s->al), oracle_cross(s->w, oracle_inertia(link, s, s->w)));
    if (o->push) {
        oracle_vec F, T;
        o->push(o, links, i, &F, &T);
        *force  = oracle_sub(*force, F);
        *torque = oracle_sub(*torque, oracle_sub(T, oracle_cross(s->arm, F)));
    }
}

// Partial velocities: of the mass centres and angular, one speed after the other.
typedef struct oracle_partial {
    oracle_vec v, w;
} oracle_partial;

static inline void oracle_partials(const oracle *o, const oracle_number *q, oracle_partial (*partial)[ORACLE_LINKS])
{
    static const oracle_number none[ORACLE_FREEDOMS];
    static oracle_link still[ORACLE_LINKS], unit[ORACLE_LINKS];
    oracle_number speed[ORACLE_FREEDOMS] = {0};
    oracle_move(o, q, speed, none, still);
    for (int r = 0; r < o->tree->v_count; r++) {
        speed[r] = 1.0;
        oracle_move(o, q, speed, none, unit);
        speed[r] = 0.0;
        for (int i = 0; i < o->tree->link_count; i++) {
            partial[r][i].v = oracle_sub(oracle_centre(&unit[i]), oracle_centre(&still[i]));
            partial[r][i].w = oracle_sub(unit[i].w, still[i].w);
        }
    }
}

// What Theta v_dot - f is for any v_dot.
static inline void oracle_resist(const oracle *o, oracle_partial (*partial)[ORACLE_LINKS], const oracle_number *q,
                                 const oracle_number *v, const oracle_number *v_dot, oracle_number *out)
{
    static oracle_link now[ORACLE_LINKS];
    oracle_move(o, q, v, v_dot, now);
    for (int r = 0; r < o->tree->v_count; r++)
        out[r] = 0.0;
    for (int i = 0; i < o->tree->link_count; i++) {
        oracle_vec force, torque;
        oracle_need(o, now, i, &force, &torque);
        for (int r = 0; r < o->tree->v_count; r++)
            out[r] += oracle_dot(force, partial[r][i].v) + oracle_dot(torque, partial[r][i].w);
    }
}

// A x = b by elimination; b becomes x.
static inline void oracle_eliminate(int n, oracle_number (*A)[ORACLE_FREEDOMS], oracle_number *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(creal(A[i][k])) > fabs(creal(A[best][k])))
                best = i;
        for (int j = 0; j < n; j++) {
            const oracle_number swap = A[k][j];
            A[k][j]                  = A[best][j];
            A[best][j]               = swap;
        }
        const oracle_number swap = b[k];
        b[k]                     = b[best];
        b[best]                  = swap;
        for (int i = k + 1; i < n; i++) {
            const oracle_number factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++)
                A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

// v_dot of all speeds.
static inline void oracle_solve(const oracle *o, const oracle_number *q, const oracle_number *v, oracle_number *v_dot)
{
    static oracle_number Theta[ORACLE_FREEDOMS][ORACLE_FREEDOMS];
    oracle_number unit[ORACLE_FREEDOMS] = {0}, zero[ORACLE_FREEDOMS], column[ORACLE_FREEDOMS];
    static oracle_partial partial[ORACLE_FREEDOMS][ORACLE_LINKS];
    const int n = o->tree->v_count;
    oracle_partials(o, q, partial);
    oracle_resist(o, partial, q, v, unit, zero);
    for (int k = 0; k < n; k++) {
        unit[k] = 1.0;
        oracle_resist(o, partial, q, v, unit, column);
        unit[k] = 0.0;
        for (int i = 0; i < n; i++)
            Theta[i][k] = column[i] - zero[i];
    }
    for (int i = 0; i < n; i++)
        v_dot[i] = -zero[i];
    oracle_eliminate(n, Theta, v_dot);
}

// --- rates of coordinates ---

static inline void oracle_rates(const oracle *o, const oracle_number *q, const oracle_number *v, oracle_number *q_dot)
{
    static oracle_link links[ORACLE_LINKS];
    static const oracle_number none[ORACLE_FREEDOMS];
    oracle_move(o, q, v, none, links);
    for (int i = 0; i < o->tree->link_count; i++) {
        const kane_link *link = &o->tree->links[i];
        const oracle_link *s = &links[i], p = oracle_parent(o, links, link);
        oracle_number *out     = q_dot + link->q;
        const oracle_number *e = q + link->q, *u = v + link->v;
        if (link->kind == KANE_LINK_STEPS) {
            for (int k = 0; k < link->step_count; k++) {
                oracle_number c[3];
                oracle_step(o, &link->step[k], q, v, none, c);
                out[k] = c[1];
            }
            if (link->on_axle) { // against axes that do not spin
                const kane_link *carrier = &o->tree->links[link->parent];
                out[link->slide_count] += link->on_axle * q_dot[carrier->q + carrier->q_count - 1];
            }
        } else if (link->kind == KANE_LINK_BALL) {
            for (int k = 0; k < 3; k++) {
                const int a = (k + 1) % 3, b = (k + 2) % 3;
                out[1 + k] = 0.5 * (e[0] * u[k] + e[1 + a] * u[b] - e[1 + b] * u[a]);
            }
            out[0] = -0.5 * (e[1] * u[0] + e[2] * u[1] + e[3] * u[2]);
        } else {
            const oracle_mat seat_R = oracle_matrix(link->seat_R), A = oracle_mul(&p.R, &seat_R);
            const oracle_vec at = oracle_mulv(&s->R, oracle_of(link->at));
            oracle_vec point    = oracle_add(s->v, oracle_cross(s->w, at));
            point               = oracle_sub(point, p.v);
            point               = oracle_sub(point, oracle_cross(p.w, oracle_sub(oracle_add(s->r, at), p.r)));
            point               = oracle_tmulv(&A, point);
            oracle_number E[ORACLE_FREEDOMS][ORACLE_FREEDOMS], w[3];
            oracle_mat R = A;
            for (int k = 0; k < 3; k++) { // sum of axis times rate is the relative angular velocity
                out[k] = point.x[k];
                w[k]   = s->w.x[k] - p.w.x[k];
                for (int row = 0; row < 3; row++)
                    E[row][k] = R.m[row][link->step[3 + k].axis];
                R = oracle_turn(&R, link->step[3 + k].axis, e[3 + k]);
            }
            oracle_eliminate(3, E, w);
            for (int k = 0; k < 3; k++)
                out[3 + k] = w[k];
        }
    }
}

#endif
