// SPDX-License-Identifier: MIT
// Forces on the modes of deformable bodies:  load - K q - D q',  where the load holds them at rest, q = 0.

#include "tree/flex_inertia.h"

#include "agem/bodies.h"
#include "tree/spatial.h"

#include <math.h>

// How the origin of a carrier moves, frame axes: against its frame, and absolutely.
typedef struct kane_frame_motion {
    const kane_transport *T;
    kane_vec3 v, w, v_absolute, w_absolute;
} kane_frame_motion;

// Velocities of a carrier's origin, relative to its frame and absolute:
//   v_abs = v' + v_o + omega x r,   w_abs = w' + omega
static kane_frame_motion frame_motion(const kane_model *model, const kane_work *work, const kane_flex *flex)
{
    const kane_link_state *s = &work->tree.link[flex->carrier];
    kane_frame_motion m      = {.T = &work->transport[model->tree.links[flex->carrier].frame]};
    const kane_vec3 carried  = kv3_add(m.T->v_o, kv3_cross(m.T->omega, s->r));
    m.v_absolute = m.v = s->v;
    m.w_absolute = m.w = s->w;
    if (model->imaginary_as_forces) {
        m.v_absolute = kv3_add(s->v, carried);
        m.w_absolute = kv3_add(s->w, m.T->omega);
    } else {
        m.v = kv3_sub(s->v, carried);
        m.w = kv3_sub(s->w, m.T->omega);
    }
    return m;
}

// The terms of deformation in a frame with motion T (flex_imaginary): on the carrier, frame axes, and on the modes. 0:
// none.
static int imaginary_in(const kane_model *model, const kane_work *work, int i, const kane_transport *T,
                        kane_imaginary *terms, double *mode[KANE_IMAGINARY_TERMS])
{
    const kane_deformation *d = &model->deformations[i];
    const kane_flex *flex     = &model->tree.flexes[d->flex];
    const kane_flex_work *own = &work->tree.flex[d->flex];
    const kane_link_state *s  = &work->tree.link[flex->carrier];
    const int n               = d->count;
    kane_scalar *mode_terms   = own->scalars;
    flex_wrench out[KANE_IMAGINARY_TERMS];
    if (!flex->momentum)
        return 0;
    const kane_frame_motion m = frame_motion(model, work, flex);
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
        out[term].mode = mode_terms + term * n;
    flex_imaginary(flex, ks3_constant(km3_tmulv(s->R, T->a_o)), ks3_constant(km3_tmulv(s->R, T->omega)),
                   ks3_constant(km3_tmulv(s->R, T->epsilon)), ks3_constant(km3_tmulv(s->R, s->r)),
                   ks3_constant(km3_tmulv(s->R, m.v)), ks3_constant(km3_tmulv(s->R, m.w)), work->tree.q + flex->q,
                   work->tree.v + flex->v, out);
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
        terms->term[KANE_FORCE][term]  = km3_mulv(s->R, ks3_value(out[term].f));
        terms->term[KANE_TORQUE][term] = km3_mulv(s->R, ks3_value(out[term].n));
        mode[term]                     = (double *)out[term].mode; // numbers without change
    }
    return 1;
}

int kane_modes_imaginary(const kane_model *model, const kane_work *work, int i, kane_imaginary *terms,
                         double *mode[KANE_IMAGINARY_TERMS])
{
    const int carrier = model->tree.flexes[model->deformations[i].flex].carrier;
    if (model->bodies[model->link_body[carrier]].absolute)
        return 0;
    return imaginary_in(model, work, i, &work->transport[model->tree.links[carrier].frame], terms, mode);
}

// Terms with  a_o, epsilon  of kane_frame_gain. The kept part on the modes is added to their response x.
kane_wrench kane_modes_gain(const kane_model *model, kane_work *work, int i)
{
    const kane_deformation *d    = &model->deformations[i];
    const kane_flex *flex        = &model->tree.flexes[d->flex];
    const kane_body *body        = &model->bodies[model->link_body[flex->carrier]];
    const kane_wrench gain       = kane_frame_gain(model, work, body->frame);
    const kane_transport gaining = {.a_o = gain.force, .epsilon = gain.torque};
    kane_imaginary terms;
    double *mode[KANE_IMAGINARY_TERMS];
    if (!imaginary_in(model, work, i, &gaining, &terms, mode))
        return (kane_wrench){kv3_zero(), kv3_zero()};
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
        for (int k = 0; k < d->count; k++)
            work->tree.flex[d->flex].x[k] += d->keep[term][k] * mode[term][k];
    return kane_imaginary_sum(body, &terms, KANE_INCLUDED);
}

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

// force_k = load_k - (K q)_k - (D q')_k, and the kept imaginary terms if they are separate.
void kane_modes_apply(const kane_model *model, kane_work *work)
{
    for (int i = 0; i < model->deformation_count; i++) {
        const kane_deformation *d = &model->deformations[i];
        const kane_flex *flex     = &model->tree.flexes[d->flex];
        const double *q = work->tree.q + flex->q, *v = work->tree.v + flex->v;
        double *force = work->tree.drive + flex->v;
        kane_imaginary terms;
        double *mode[KANE_IMAGINARY_TERMS];
        const int is_moved = model->imaginary_as_forces && kane_modes_imaginary(model, work, i, &terms, mode);
        for (int k = 0; k < d->count; k++)
            force[k] = d->load[k] - row_times(d, d->K, k, q) - row_times(d, d->D, k, v);
        for (int term = 0; term < KANE_IMAGINARY_TERMS && is_moved; term++)
            for (int k = 0; k < d->count; k++)
                force[k] += d->keep[term][k] * mode[term][k];
    }
}

// sum (1 - keep) term, of mode k.
static double sum_omitted_terms(const kane_deformation *d, double *const mode[KANE_IMAGINARY_TERMS], int k)
{
    double sum = 0.0;
    for (int term = 0; term < KANE_IMAGINARY_TERMS; term++)
        sum += (1.0 - d->keep[term][k]) * mode[term][k];
    return sum;
}

double kane_get_modal_imaginary(const kane_model *model, const kane_work *work, int body, int k,
                                kane_imaginary_term term)
{
    kane_imaginary terms;
    double *mode[KANE_IMAGINARY_TERMS];
    const kane_link *link = &model->tree.links[model->bodies[body].link];
    if (link->role != KANE_FLEX_FRAME || k < 0 || k >= model->tree.flexes[link->flex].count ||
        !kane_modes_imaginary(model, work, link->flex, &terms, mode))
        return 0.0;
    return mode[term][k];
}

// Jacobi's method: rotations of axes p, q about each other, by at most 45 degrees, so that the axes stay close, until A
// is diagonal. Columns of R turn along. Without allocation, unlike LAPACK.
static void make_diagonal(double A[3][3], kane_mat3 *R)
{
    enum { SWEEPS = 12 };
    kane_vec3 *axis[3] = {&R->x, &R->y, &R->z};
    for (int step = 0; step < 3 * SWEEPS; step++) {
        const int p = step % 3 == 2, q = step % 3 == 0 ? 1 : 2, r = 3 - p - q;
        if (A[p][q] == 0.0)
            continue;
        const double ratio = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
        const double t     = (ratio < 0.0 ? -1.0 : 1.0) / (fabs(ratio) + hypot(ratio, 1.0));
        const double c = 1.0 / hypot(t, 1.0), s = t * c, pr = A[p][r], qr = A[q][r];
        const kane_vec3 a = *axis[p], b = *axis[q];
        A[p][p] -= t * A[p][q];
        A[q][q] += t * A[p][q];
        A[p][q] = A[q][p] = 0.0;
        A[p][r] = A[r][p] = c * pr - s * qr;
        A[q][r] = A[r][q] = s * pr + c * qr;
        *axis[p]          = kv3_add_scaled(kv3_scale(c, a), -s, b);
        *axis[q]          = kv3_add_scaled(kv3_scale(c, b), s, a);
    }
}

// Principal moments about the mass centre of the deformed body:  J + dJ(q) - (sigma.sigma E - sigma sigma')/m.
kane_mat3 kane_get_principal_axes(const kane_model *model, const kane_work *work, int body, double moments[3])
{
    const kane_body *b    = &model->bodies[body];
    const kane_link *link = b->link >= 0 ? &model->tree.links[b->link] : NULL;
    kane_mat3 R           = b->principal;
    double A[3][3]        = {{b->J.x, 0.0, 0.0}, {0.0, b->J.y, 0.0}, {0.0, 0.0, b->J.z}};
    if (link && link->role == KANE_FLEX_FRAME) {
        const kane_flex *flex   = &model->tree.flexes[link->flex];
        const kane_vec3 axes[3] = {R.x, R.y, R.z};
        double J[6];
        const kane_vec3 sigma = kane_flex_inertia(flex, work->tree.q + flex->q, J);
        const double m = b->mass, far = kv3_dot(sigma, sigma) / m;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const kane_vec3 column = ksym_mulv(J, axes[j]);
                A[i][j] += kv3_dot(axes[i], column) - (i == j ? far : 0.0) +
                           kv3_dot(axes[i], sigma) * kv3_dot(axes[j], sigma) / m;
            }
        make_diagonal(A, &R);
    }
    for (int i = 0; i < 3; i++)
        moments[i] = A[i][i];
    return R;
}

// kinetic 1/2 q'.M q' and that of deformation; elements q.(K q/2 - load); power q'.(load - K q - D q').
void kane_modes_add_energy(const kane_model *model, const kane_work *work, kane_energy *energy)
{
    for (int i = 0; i < model->deformation_count; i++) {
        const kane_deformation *d = &model->deformations[i];
        const kane_flex *flex     = &model->tree.flexes[d->flex];
        const double *q = work->tree.q + flex->q, *v = work->tree.v + flex->v;
        const kane_frame_motion m = frame_motion(model, work, flex);
        kane_vec3 moment;
        energy->kinetic += kane_flex_energy(flex, &work->tree, m.v_absolute, m.w_absolute, &moment);
        energy->gravity -= kv3_dot(work->gravity, km3_mulv(m.T->R, moment));
        kane_imaginary terms;
        double *mode[KANE_IMAGINARY_TERMS];
        const int is_moved = model->imaginary_as_forces && kane_modes_imaginary(model, work, i, &terms, mode);
        for (int k = 0; k < d->count; k++) {
            const double *M = flex->M + k * d->count;
            double momentum = 0.0;
            for (int j = 0; j < d->count; j++)
                momentum += M[j] * v[j];
            energy->kinetic += 0.5 * v[k] * momentum;
            energy->elements += q[k] * (0.5 * row_times(d, d->K, k, q) - d->load[k]);
            energy->power_omitted -= is_moved ? v[k] * sum_omitted_terms(d, mode, k) : 0.0;
            energy->power_elements += v[k] * (d->load[k] - row_times(d, d->K, k, q) - row_times(d, d->D, k, v));
        }
    }
}

// (need + M q'' - drive) q' of one mode.
double kane_mode_power(const kane_model *model, const kane_work *work, const kane_link *mode)
{
    const kane_flex *flex     = &model->tree.flexes[mode->flex];
    const kane_flex_work *own = &work->tree.flex[mode->flex];
    const double *M           = flex->M + (mode->v - flex->v) * flex->count;
    (void)kane_flex_needed(flex, own, &work->tree, own->x);
    double gains = own->x[mode->v - flex->v] - work->tree.drive[mode->v];
    for (int j = 0; j < flex->count; j++) {
        gains += M[j] * work->tree.v_dot[flex->v + j];
        own->x[j] = 0.0;
    }
    return gains * work->tree.v[mode->v];
}

// Idle members and mode links: kane_tree_move_idle, kane_flex_accelerations.
void kane_modes_kinematics(const kane_model *model, kane_work *work)
{
    for (int t = 0; t < model->tree.flex_count; t++) {
        kane_tree_move_idle(&model->tree, &model->tree.flexes[t], work->base, &work->tree);
        kane_flex_accelerations(&model->tree.flexes[t], model->tree.links, &work->tree);
    }
}
