// SPDX-License-Identifier: MIT
// Whether modes of two bodies have the same shapes.

#include "flexible/model.h"

static const double SAME = 1e-3; // nodes that are nearer than this stand in one place [m]

typedef struct sum {
    double ab, aa, bb;
} sum;

static void add_node(const kane_flexible_data *a, int i, const kane_flexible_data *b, int k, sum *sums)
{
    const double m = sqrt(a->node_mass[i] * b->node_mass[k]);
    for (int p = 0; p < a->mode_count; p++)
        for (int q = 0; q < b->mode_count; q++) {
            const kane_vec3 u = a->shape.figure.shapes[(size_t)i * (size_t)a->mode_count + (size_t)p];
            const kane_vec3 v = b->shape.figure.shapes[(size_t)k * (size_t)b->mode_count + (size_t)q];
            sum *s            = &sums[p * b->mode_count + q];
            s->ab += m * kv3_dot(u, v);
            s->aa += m * kv3_dot(u, u);
            s->bb += m * kv3_dot(v, v);
        }
}

int kane_flexible_compare(const kane_flexible *one, const kane_flexible *other, double *mac)
{
    static const double NOTHING = 1e-12; // of a unit modal mass is round-off
    const kane_flexible_data *a = kane_flexible_get_data(one), *b = kane_flexible_get_data(other);
    const size_t pairs = (size_t)a->mode_count * (size_t)b->mode_count;
    sum *sums          = kane_allocate(pairs, sizeof *sums);
    int count          = 0;
    if (!sums)
        return -1;
    for (int i = 0; i < a->shape.figure.node_count; i++) {
        const int k = kane_nearest(b->shape.figure.node_count, b->shape.figure.nodes, a->shape.figure.nodes[i]);
        if (!(kv3_norm(kv3_sub(a->shape.figure.nodes[i], b->shape.figure.nodes[k])) <= SAME))
            continue;
        add_node(a, i, b, k, sums);
        count++;
    }
    for (size_t i = 0; i < pairs; i++) {
        const sum *s = &sums[i];
        mac[i]       = s->aa > NOTHING && s->bb > NOTHING ? s->ab * s->ab / (s->aa * s->bb) : (double)NAN;
    }
    kane_release(sums);
    return count;
}
