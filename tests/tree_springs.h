// SPDX-License-Identifier: MIT
// Forces between links for tests of derivatives: nonlinear springs and dampers between points of two links, or of one
// and the frame, with their wrenches' exact gradients.

#ifndef KANE_TESTS_TREE_SPRINGS_H
#define KANE_TESTS_TREE_SPRINGS_H

#include "oracle.h"

#include "tree/derive.h"

enum { SPRINGS_MOST = 12 };

typedef struct springs {
    int count;
    struct {
        int link[2]; // second -1: the frame
        kane_vec3 point[2];
        double stiffness, hardening, damping, turning, spinning;
    } spring[SPRINGS_MOST];
    int pair_count;
    kane_link_pair pairs[4 * SPRINGS_MOST];
    kane_gradient gradients[4 * SPRINGS_MOST];
} springs;

// End of a spring: position, velocity; of the frame at rest.
static inline void spring_end(const springs *s, int n, int end, const oracle_link *links, oracle_link *out)
{
    const int i = s->spring[n].link[end];
    if (i < 0) {
        *out   = (oracle_link){.R = oracle_matrix(km3_identity())};
        out->r = oracle_of(s->spring[n].point[end]);
        return;
    }
    *out     = links[i];
    out->arm = oracle_mulv(&links[i].R, oracle_of(s->spring[n].point[end]));
    out->r   = oracle_add(links[i].r, out->arm);
    out->v   = oracle_add(links[i].v, oracle_cross(links[i].w, out->arm));
}

// Wrench on one end.
static inline void spring_push(const springs *s, int n, int end, const oracle_link *links, oracle_vec *force,
                               oracle_vec *torque)
{
    oracle_link a, b;
    spring_end(s, n, end, links, &a);
    spring_end(s, n, 1 - end, links, &b);
    const oracle_vec d    = oracle_sub(b.r, a.r);
    const oracle_number k = s->spring[n].stiffness + s->spring[n].hardening * oracle_dot(d, d);
    *force                = oracle_add(oracle_scale(k, d), oracle_scale(s->spring[n].damping, oracle_sub(b.v, a.v)));
    *torque               = oracle_scale(s->spring[n].spinning, oracle_sub(b.w, a.w));
    for (int c = 0; c < 3; c++) { // axes want to be parallel
        const oracle_vec turned = oracle_cross(oracle_column(&a.R, c), oracle_column(&b.R, c));
        *torque                 = oracle_add(*torque, oracle_scale(s->spring[n].turning, turned));
    }
    *torque = oracle_add(*torque, oracle_cross(a.arm, *force));
}

static inline void springs_push(const oracle *o, const oracle_link *links, int link, oracle_vec *force,
                                oracle_vec *torque)
{
    const springs *s = o->data;
    *force = *torque = (oracle_vec){{0}};
    for (int n = 0; n < s->count; n++)
        for (int end = 0; end < 2; end++) {
            oracle_vec F, T;
            if (s->spring[n].link[end] != link)
                continue;
            spring_push(s, n, end, links, &F, &T);
            *force  = oracle_add(*force, F);
            *torque = oracle_add(*torque, T);
        }
}

// A link moved a little along the imaginary axis.
static inline oracle_link spring_moved(oracle_link s, int motion, int axis)
{
    const oracle_number h = ORACLE_IMAGINARY;
    if (motion == KANE_MOVES)
        s.r.x[axis] += h;
    else if (motion == KANE_SPEEDS)
        s.v.x[axis] += h;
    else if (motion == KANE_SPINS)
        s.w.x[axis] += h;
    else
        for (int c = 0; c < 3; c++) {
            const oracle_vec old = oracle_column(&s.R, c);
            oracle_vec e         = {{0}};
            e.x[axis]            = h;
            e                    = oracle_add(old, oracle_cross(e, old));
            for (int k = 0; k < 3; k++)
                s.R.m[k][c] = e.x[k];
        }
    return s;
}

static inline kane_vec3 spring_part(oracle_vec a)
{
    return kv3(cimag(a.x[0]) / ORACLE_STEP, cimag(a.x[1]) / ORACLE_STEP, cimag(a.x[2]) / ORACLE_STEP);
}

// Pairs that a spring's wrenches make.
static inline void springs_list(springs *s)
{
    s->pair_count = 0;
    for (int n = 0; n < s->count; n++)
        for (int row = 0; row < 2; row++)
            for (int column = 0; column < 2; column++)
                if (s->spring[n].link[row] >= 0 && s->spring[n].link[column] >= 0)
                    s->pairs[s->pair_count++] = (kane_link_pair){s->spring[n].link[row], s->spring[n].link[column]};
}

// Gradients for links that move so, in the order of the pairs.
static inline void springs_derive(springs *s, oracle_link *links)
{
    int p = 0;
    for (int n = 0; n < s->count; n++)
        for (int row = 0; row < 2; row++)
            for (int column = 0; column < 2; column++) {
                const int moved = s->spring[n].link[column];
                if (s->spring[n].link[row] < 0 || moved < 0)
                    continue;
                const oracle_link kept = links[moved];
                kane_gradient *g       = &s->gradients[p++];
                for (int k = 0; k < KANE_MOTIONS; k++)
                    for (int axis = 0; axis < 3; axis++) {
                        oracle_vec F, T;
                        links[moved] = spring_moved(kept, k, axis);
                        spring_push(s, n, row, links, &F, &T);
                        km3_set_column(&g->force[k], axis, spring_part(F));
                        km3_set_column(&g->torque[k], axis, spring_part(T));
                    }
                links[moved] = kept;
            }
}

#endif
