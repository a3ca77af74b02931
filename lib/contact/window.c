// SPDX-License-Identifier: MIT
// Windows on the wheel's profile, made once by looking at many poses.

#include "contact/window.h"

#include <math.h>
#include <string.h>

// The poses covered: y from 16 mm inside to 16 mm outside of the middle, roll to 24 mrad, yaw to 40 mrad.
static const double y_step = 0.5e-3, roll_step = 4e-3, roll_first = -24e-3;
static const double yaw_edges[KANE_WINDOW_YAW + 1] = {0.0, 10e-3, 20e-3, 40e-3};

// The wheel is let down at sampled poses until it is KANE_WINDOW_DEPTH deep, since steep faces then gain less overlap
// than flat ones. A place that is this much too high at all sampled poses around matters at none in between [m]: what it
// can gain from one sample to the next, y_step/4 apart, while wheel and rail differ in slope by up to 3.
static const double margin = 9e-5;
enum { Y_SAMPLES = 4 };

// The outline, the rail's cells below it, the rail: loops that a compiler does for several nodes at once.
void kane_window_scan(const silhouette *g, int first, int last, double *restrict p)
{
    const wheel_nodes *n   = &g->wheel->nodes;
    const rail_table *rail = g->rail;
    const double T = g->T, S = g->S, C = g->C, cC = g->c * C, cS = g->c * S, zeta = g->zeta;
    const double eta = g->eta - rail->first, per_cell = rail->per_cell, width = rail->cell;
    const double *restrict s = n->s + first, *restrict f = n->f + first;
    const double *restrict shift = n->shift + first, *restrict sink = n->sink + first;
    const int count = last - first + 1;
    double x[KANE_WHEEL_NODES];
    int cell[KANE_WHEEL_NODES];

    for (int i = 0; i < count; i++) {
        const double U = s[i] - T * shift[i], v = f[i] - T * sink[i];
        x[i] = eta + U * cC + v * S;
        p[i] = v * C - U * cS - zeta;
    }
    for (int i = 0; i < count; i++) {
        int k   = (int)(x[i] * per_cell);
        k       = k > 0 ? k : 0;
        k       = k < KANE_RAIL_CELLS - 1 ? k : KANE_RAIL_CELLS - 1;
        cell[i] = k;
        x[i] -= k * width;
    }
    for (int i = 0; i < count; i++)
        p[i] += rail_height(&rail->cells[cell[i]], x[i]);
}

// Finds the height *z of the wheel's centre, at first a guess, at which it is KANE_WINDOW_DEPTH deep, and the overlaps p
// at the nodes there.
static void let_down(const wheel_table *wheel, const rail_table *rail, double y, kane_vec3 axle, double *z, double *p)
{
    for (int i = 0; i < 20; i++) {
        const wheel_pose pose = {y, *z, axle};
        const silhouette g    = silhouette_init(wheel, rail, &pose);
        kane_window_scan(&g, 0, wheel->nodes.count - 1, p);
        const double deepest = window_largest(wheel->nodes.count, p);
        if (fabs(deepest - KANE_WINDOW_DEPTH) < 1e-5)
            break;
        *z += deepest - KANE_WINDOW_DEPTH;
    }
}

// window_depth() of all nodes at once: the second differences first, which neighbours share.
static void find_depths(int count, const double *restrict p, double *restrict depth)
{
    double bend[KANE_WHEEL_NODES] = {0.0};
    for (int i = 1; i < count - 1; i++) {
        const double here = 2.0 * p[i] - p[i - 1] - p[i + 1];
        bend[i]           = here > 0.0 ? here : 0.0;
    }
    depth[0]         = p[0] + 0.25 * bend[1];
    depth[count - 1] = p[count - 1] + 0.25 * bend[count - 2];
    for (int i = 1; i < count - 1; i++) {
        const double side = bend[i - 1] > bend[i + 1] ? bend[i - 1] : bend[i + 1];
        depth[i]          = p[i] + 0.25 * (side > bend[i] ? side : bend[i]);
    }
}

// Marks the nodes that matter at one pose in all windows to which it belongs.
static void mark(window_table *t, int count, const double *p, int yaw, int roll, int sample)
{
    uint64_t marked[(KANE_WHEEL_NODES + 63) / 64] = {0};
    double depth[KANE_WHEEL_NODES];
    find_depths(count, p, depth);
    for (int first = 0; first < count; first += 64) {
        uint64_t bits = 0;
        for (int i = first; i < count && i < first + 64; i++)
            bits |= (uint64_t)(depth[i] > -margin) << (i - first);
        marked[first / 64] = bits;
    }
    for (int a = yaw - 1; a <= yaw; a++)
        for (int b = roll - 1; b <= roll; b++)
            for (int c = (sample + Y_SAMPLES - 1) / Y_SAMPLES - 1; c <= sample / Y_SAMPLES; c++)
                if (a >= 0 && a < KANE_WINDOW_YAW && b >= 0 && b < KANE_WINDOW_ROLL && c >= 0 && c < KANE_WINDOW_Y)
                    for (size_t k = 0; k < sizeof marked / sizeof *marked; k++)
                        t->at[a][b][c].marked[k] |= marked[k];
}

// The marked nodes with two neighbours on each side, as few ranges as fit.
static void collect(int count, window *w)
{
    w->count = 0;
    for (int i = 0; i < count; i++) {
        if (!(w->marked[i / 64] >> (i % 64) & 1))
            continue;
        const int first = i > 2 ? i - 2 : 0, last = i < count - 2 ? i + 2 : count - 1;
        if (w->count == 0 || (first > w->last[w->count - 1] + 2 && w->count < KANE_WINDOW_PARTS)) {
            w->first[w->count] = (unsigned short)first;
            w->count++;
        }
        w->last[w->count - 1] = (unsigned short)last;
    }
}

void kane_window_table_init(window_table *t, const wheel_table *wheel, const rail_table *rail, double y)
{
    double p[KANE_WHEEL_NODES];
    const int count = wheel->nodes.count;

    t->y   = y - 0.5 * KANE_WINDOW_Y * y_step;
    t->all = (window){.count = 1, .first = {0}, .last = {(unsigned short)(count - 1)}};
    memset(t->at, 0, sizeof t->at);
    for (int a = 0; a <= KANE_WINDOW_YAW; a++)
        for (int b = 0; b <= KANE_WINDOW_ROLL; b++) {
            const double roll = roll_first + b * roll_step, yaw = yaw_edges[a];
            const kane_vec3 axle = kv3(-sin(yaw) * cos(roll), cos(yaw) * cos(roll), sin(roll));
            double z             = wheel->radius;
            for (int k = 0; k <= KANE_WINDOW_Y * Y_SAMPLES; k++) {
                let_down(wheel, rail, t->y + k * y_step / Y_SAMPLES, axle, &z, p);
                mark(t, count, p, a, b, k);
            }
        }
    for (int a = 0; a < KANE_WINDOW_YAW; a++)
        for (int b = 0; b < KANE_WINDOW_ROLL; b++)
            for (int c = 0; c < KANE_WINDOW_Y; c++)
                collect(count, &t->at[a][b][c]);
}

const window *kane_window_at(const window_table *t, const silhouette *g)
{
    const double y = (g->y - t->y) / y_step, roll = (g->uz - roll_first) / roll_step;
    if (!(y >= 0.0 && y < KANE_WINDOW_Y && roll >= 0.0 && roll < KANE_WINDOW_ROLL))
        return &t->all;
    for (int a = 0; a < KANE_WINDOW_YAW; a++)
        if (g->T <= yaw_edges[a + 1] * yaw_edges[a + 1])
            return &t->at[a][(int)roll][(int)y];
    return &t->all;
}
