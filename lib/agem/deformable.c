// SPDX-License-Identifier: MIT
// Forces on the modes of deformable bodies:  load - K q - D q',  where the load holds them at rest, q = 0.

#include "agem/deformable.h"

// Row k of A times x.
static inline double row_times(const kane_deformation *d, const double *A, int k, const double *x)
{
    const double *row = A + k * d->count;
    double sum        = 0.0;
    if (d->is_diagonal)
        return row[k] * x[k];
    for (int j = 0; j < d->count; j++)
        sum += row[j] * x[j];
    return sum;
}

void kane_modes_push(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->deformation_count; i++) {
        const kane_deformation *d = &model->deformations[i];
        const kane_tie *tie       = &model->tree.ties[d->tie];
        const double *q = work->tree.q + tie->q, *v = work->tree.v + tie->v;
        double *force = work->tree.drive + tie->v;
        for (int k = 0; k < d->count; k++)
            force[k] = d->load[k] - row_times(d, d->K, k, q) - row_times(d, d->D, k, v);
    }
}

void kane_modes_add_energy(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int i = 0; i < model->deformation_count; i++) {
        const kane_deformation *d = &model->deformations[i];
        const kane_tie *tie       = &model->tree.ties[d->tie];
        const double *q = work->tree.q + tie->q, *v = work->tree.v + tie->v;
        for (int k = 0; k < d->count; k++) {
            const double *M = tie->M + k * d->count;
            double momentum = 0.0;
            for (int j = 0; j < d->count; j++)
                momentum += M[j] * v[j];
            energy->kinetic += 0.5 * v[k] * momentum;
            energy->elements += q[k] * (0.5 * row_times(d, d->K, k, q) - d->load[k]);
            energy->power_elements += v[k] * work->tree.drive[tie->v + k];
        }
    }
}

double kane_mode_power(const kane_model *model, const kane_work *work, const kane_link *mode)
{
    const kane_tie *tie = &model->tree.ties[mode->tie];
    const double *M     = tie->M + (mode->v - tie->v) * tie->count;
    double gains        = -work->tree.drive[mode->v];
    for (int j = 0; j < tie->count; j++)
        gains += M[j] * work->tree.v_dot[tie->v + j];
    return gains * work->tree.v[mode->v];
}
