// SPDX-License-Identifier: MIT
// Single defects. They are evaluated by their formulas, beside the table of everything else: a short dip at a joint
// would make a fine table of the whole line. Lists of those that reach into equal parts of the line keep that cheap.

#include "track/waves.h"

#include "math/spline.h"

enum { PARTS_MOST = 4096 };

static const double two_pi = 6.283185307179586477;

typedef struct defect {
    kane_irregularity_kind kind;
    kane_defect_shape shape;
    double at, length, height; // s of its middle, ... [m]
    double from, to;           // it is zero outside [m]
} defect;

struct kane_defects {
    int count, parts;
    const defect *all;
    double inverse_part; // [1/m]
    const int *first;    // [parts + 1] into `listed`
    const int *listed;   // indices of defects
};

// (1 + cos(2 pi x/L))/2 has steps of the second derivative at its ends. Its mean over a length r around each x has
// none: with Y the integral of y, (Y(x + r/2) - Y(x - r/2))/r.
static void eval_cosine(double L, double x, double out[4])
{
    const double r = L / 50.0, k = two_pi / L;
    double end[2][4]; // Y, y, y', y''
    for (int i = 0; i < 2; i++) {
        const double e = x + (i - 0.5) * r, inside = fmin(fmax(e, -0.5 * L), 0.5 * L);
        end[i][0] = 0.5 * (inside + sin(k * inside) / k);
        end[i][1] = e == inside ? 0.5 * (1.0 + cos(k * e)) : 0.0;
        end[i][2] = e == inside ? -0.5 * k * sin(k * e) : 0.0;
        end[i][3] = e == inside ? -0.5 * k * k * cos(k * e) : 0.0;
    }
    for (int j = 0; j < 4; j++)
        out[j] = (end[1][j] - end[0][j]) / r;
}

// exp(-(sqrt(x^2 + r^2) - r)/L)
static void eval_cusp(double L, double x, double out[4])
{
    const double r = L / 20.0, root = sqrt(x * x + r * r);
    out[0]            = exp(-(root - r) / L);
    out[1]            = -out[0] * x / (root * L);
    const double bend = (x * x / L - r * r / root) / (root * root * L);
    out[2]            = out[0] * bend;
    out[3]            = out[1] * bend + out[0] * x * r * r * (2.0 / L + 3.0 / root) / (root * root * root * root * L);
}

// (1 + u/sqrt(1 + u^2))/2, u = 2 x/L
static void eval_jog(double L, double x, double out[4])
{
    const double u = 2.0 * x / L, w = 1.0 / sqrt(1.0 + u * u), w3 = w * w * w, u_x = 2.0 / L;
    out[0] = 0.5 * (1.0 + u * w);
    out[1] = 0.5 * w3 * u_x;
    out[2] = -1.5 * u * w3 * w * w * u_x * u_x;
    out[3] = -1.5 * (1.0 - 4.0 * u * u) * w3 * w3 * w * u_x * u_x * u_x;
}

void kane_defect_eval(kane_defect_shape shape, double length, double height, double x, double out[4])
{
    switch (shape) {
    case KANE_DEFECT_COSINE: eval_cosine(length, x, out); break;
    case KANE_DEFECT_RAMP:
        kane_step_eval(x / length + 0.5, out);
        out[1] /= length;
        out[2] /= length * length;
        out[3] /= length * length * length;
        break;
    case KANE_DEFECT_CUSP: eval_cusp(length, x, out); break;
    case KANE_DEFECT_JOG: eval_jog(length, x, out); break;
    }
    for (int j = 0; j < 4; j++)
        out[j] *= height;
}

// Where a shape is not zero: a cosine with its rounded ends; exp(-40) is 4e-18.
static defect place_defect(const kane_defect_definition *d, double start)
{
    const double s = d->at - start, L = d->length;
    defect out = {d->kind, d->shape, s, L, d->height, -HUGE_VAL, HUGE_VAL};
    if (d->shape == KANE_DEFECT_COSINE) {
        out.from = s - 0.51 * L;
        out.to   = s + 0.51 * L;
    } else if (d->shape == KANE_DEFECT_RAMP) {
        out.from = s - 0.5 * L;
    } else if (d->shape == KANE_DEFECT_CUSP) {
        out.from = s - 40.0 * L;
        out.to   = s + 40.0 * L;
    }
    return out;
}

// Lists for equal parts of 0 .. end; returns how many entries they have, and writes them if `listed` is there.
static int list_defects(const kane_defects *w, int *first, int *listed)
{
    int count = 0;
    for (int p = 0; p < w->parts; p++) {
        const double from = (p - 0.01) / w->inverse_part, to = (p + 1.01) / w->inverse_part;
        first[p] = count;
        for (int i = 0; i < w->count; i++)
            if (w->all[i].from <= to && w->all[i].to >= from) {
                if (listed)
                    listed[count] = i;
                count++;
            }
    }
    first[w->parts] = count;
    return count;
}

const kane_defects *kane_defects_make(const kane_track_definition *d, double end, kane_arena *memory)
{
    kane_defects *w = kane_arena_alloc(memory, 1, sizeof *w);
    defect *all     = kane_arena_alloc(memory, (size_t)d->defect_count, sizeof *all);
    const int parts = d->defect_count < PARTS_MOST ? d->defect_count : PARTS_MOST;
    int *first      = kane_arena_alloc(memory, (size_t)parts + 1, sizeof *first);
    if (!w || !all || !first)
        return NULL;
    for (int i = 0; i < d->defect_count; i++)
        all[i] = place_defect(&d->defects[i], d->start);
    *w          = (kane_defects){.count = d->defect_count, .parts = parts, .all = all, .inverse_part = parts / end};
    int *listed = kane_arena_alloc(memory, (size_t)list_defects(w, first, NULL), sizeof *listed);
    if (!listed)
        return NULL;
    (void)list_defects(w, first, listed);
    w->first  = first;
    w->listed = listed;
    return w;
}

static void add_defect(const defect *e, double s, kane_rails_point *rails)
{
    if (s < e->from || s > e->to)
        return;
    double w[4];
    kane_defect_eval(e->shape, e->length, e->height, s - e->at, w);
    kane_rails_add(rails, e->kind, w);
}

void kane_defects_add(const kane_defects *w, double s, kane_rails_point *rails)
{
    const double part = s * w->inverse_part;
    if (part >= 0.0 && part < w->parts) {
        const int p = (int)part;
        for (int i = w->first[p]; i < w->first[p + 1]; i++)
            add_defect(&w->all[w->listed[i]], s, rails);
    } else {
        for (int i = 0; i < w->count; i++)
            add_defect(&w->all[i], s, rails);
    }
}
