// SPDX-License-Identifier: MIT
// Interface nodes of flexible bodies and their modes: motion, and accelerations by articulated bodies.

#include "tree/flex_inertia.h"

#include "math/dense.h"
#include "math/small.h"
#include "tree/spatial.h"

#include <string.h>

void kane_flex_work_create(const kane_flex *flex, kane_arena *arena, kane_flex_work *work)
{
    const size_t n = (size_t)flex->count;
    work->M        = kane_arena_doubles(arena, n * n);
    work->first    = kane_arena_alloc(arena, n, sizeof *work->first);
    work->C_n      = kane_arena_alloc(arena, n, sizeof *work->C_n);
    work->C_f      = kane_arena_alloc(arena, n, sizeof *work->C_f);
    work->b        = kane_arena_doubles(arena, n);
    work->x        = kane_arena_doubles(arena, n);
    work->xy       = kane_arena_doubles(arena, 2 * n);
    work->along    = kane_arena_doubles(arena, 6 * n);
    work->need     = kane_arena_doubles(arena, n);
    work->K_n      = kane_arena_alloc(arena, n, sizeof *work->K_n);
    work->K_f      = kane_arena_alloc(arena, n, sizeof *work->K_f);
    work->W        = kane_arena_doubles(arena, n * n);
    work->W_n      = kane_arena_alloc(arena, n, sizeof *work->W_n);
    work->W_f      = kane_arena_alloc(arena, n, sizeof *work->W_f);
    work->scalars  = kane_arena_alloc(arena, 4 * n, (1 + KANE_CHANGES) * sizeof(double));
}

// M = L L', the modes' own inertia.
int kane_flex_prepare(kane_flex *flex)
{
    const size_t n = (size_t)flex->count;
    memcpy(flex->factor, flex->M, n * n * sizeof *flex->factor);
    return kane_cholesky_factor(flex->count, flex->factor, flex->first) < 0;
}

// Two doubles side by side, in one register (GCC, clang).
#ifndef KANE_SCALAR_RECORDED
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));
#else
typedef kane_double2 pair; // kane/scalar.h
#endif

// xy = (q_0, q_0', q_1, q_1', ...) of the modes.
void kane_flex_read(const kane_flex *flex, const kane_tree_work *work, kane_flex_work *own)
{
    for (int k = 0; k < flex->count; k++) {
        own->xy[2 * k]     = work->q[flex->q + k];
        own->xy[2 * k + 1] = work->v[flex->v + k];
    }
}

// z = G q,   z' = G q'   of one member, [6].
void kane_flex_move_node(const kane_tree *tree, int member, kane_tree_work *work)
{
    const kane_link *link     = &tree->links[member];
    const kane_flex *flex     = &tree->flexes[link->flex];
    const kane_flex_work *own = &work->flex[link->flex];
    const double *G           = kane_flex_row(flex, member, 0);
    const int n               = flex->count;
    pair z[6]                 = {{0.0, 0.0}};
    for (int k = 0; k < n; k++) { // a coordinate and its speed at once, all rows
        const pair one = *(const pair *)(own->xy + 2 * k);
        for (int c = 0; c < 6; c++)
            z[c] += (pair){G[c * n + k], G[c * n + k]} * one;
    }
    for (int c = 0; c < 6; c++) {
        work->q[link->q + c] = z[c][0];
        work->v[link->v + c] = z[c][1];
    }
}

// z' = G q'
void kane_flex_node_follows(const kane_flex *flex, const kane_link *links, int member, double *speeds)
{
    for (int c = 0; c < 6; c++)
        speeds[links[member].v + c] = kane_dot(flex->count, kane_flex_row(flex, member, c), speeds + flex->v);
}

void kane_flex_nodes_follow(const kane_flex *flex, const kane_link *links, double *speeds)
{
    for (int m = 0; m < flex->member_count; m++)
        kane_flex_node_follows(flex, links, flex->members[m], speeds);
}

// modes += G' along
void kane_flex_fold(const kane_flex *flex, int member, const double along[6], double *modes)
{
    for (int c = 0; c < 6; c++) {
        const double *G = kane_flex_row(flex, member, c);
        for (int k = 0; k < flex->count; k++)
            modes[k] += along[c] * G[k];
    }
}

const double *kane_flex_row_of_speed(const kane_tree *tree, int v, const kane_flex **flex)
{
    for (int t = 0; t < tree->flex_count; t++)
        for (int m = 0; m < tree->flexes[t].member_count; m++) {
            const int member = tree->flexes[t].members[m], c = v - tree->links[member].v;
            *flex = &tree->flexes[t];
            if (c >= 0 && c < 6)
                return kane_flex_row(*flex, member, c);
        }
    return NULL;
}

// --- up ---

// b = drive - need;   M and C start with the modes' own inertia and that of deformation. Needs kane_tree_move.
void kane_flex_begin(const kane_flex *flex, const kane_tree_work *work, kane_flex_work *own)
{
    const size_t n = (size_t)flex->count;
    for (size_t k = 0; k < n; k++)
        own->b[k] = work->drive[(size_t)flex->v + k] - own->need[k];
    if (flex->is_decoupled)
        return;
    memcpy(own->M, flex->M, n * n * sizeof *own->M);
    memcpy(own->C_n, own->K_n, n * sizeof *own->C_n);
    memcpy(own->C_f, own->K_f, n * sizeof *own->C_f);
}

// b -= G' part over the first `count` modes, of six rows of n.
static inline void subtract_rows(int count, int n, const double *G, const double part[6], double *restrict b)
{
    int k = 0;
    for (; k + 1 < count; k += 2) {
        pair sum = *(pair *)(b + k);
        for (int c = 0; c < 6; c++)
            sum = sum - (pair){part[c], part[c]} * *(const pair *)(G + c * n + k);
        *(pair *)(b + k) = sum;
    }
    for (int c = 0; c < 6 && k < count; c++)
        b[k] -= part[c] * G[c * n + k];
}

// Inertia I of a member, or of it and all beyond (composite), with S the axes of its steps:
//   M += G' S' I S G   (lower half),     C += T I S G     (about the carrier's origin, rho from there)
//   along  scratch [6 count]: S' I S G
static void add_inertia(const kane_flex *flex, int member, const kane_spatial *I, kane_vec3 rho,
                        const kane_axis_state *axis, double *along, double *M, kane_vec3 *C_n, kane_vec3 *C_f)
{
    const int n     = flex->count;
    const double *G = kane_flex_row(flex, member, 0);
    kane_vec3 torque[6], force[6];
    memset(along, 0, 6 * (size_t)n * sizeof *along);
    for (int c = 0; c < 6; c++) {
        const kane_vec3 U_n = ksp_torque(I, axis[c].e, axis[c].l);
        double between[6];
        force[c]  = ksp_force(I, axis[c].e, axis[c].l);
        torque[c] = kv3_add(U_n, kv3_cross(rho, force[c]));
        for (int d = 0; d < 6; d++)
            between[d] = -(kv3_dot(axis[d].e, U_n) + kv3_dot(axis[d].l, force[c]));
        subtract_rows(n, n, G, between, along + c * n);
    }
    for (int k = 0; k < n; k++) {
        double part[6];
        for (int c = 0; c < 6; c++) {
            part[c] = -G[c * n + k];
            C_n[k]  = kv3_add_scaled(C_n[k], G[c * n + k], torque[c]);
            C_f[k]  = kv3_add_scaled(C_f[k], G[c * n + k], force[c]);
        }
        subtract_rows(k + 1, n, along, part, M + k * n);
    }
}

// W, W_n, W_f start with the modes' own inertia and that of deformation.
void kane_flex_begin_composite(const kane_flex *flex, kane_flex_work *own)
{
    const size_t n = (size_t)flex->count;
    memcpy(own->W, flex->M, n * n * sizeof *own->W);
    memcpy(own->W_n, own->K_n, n * sizeof *own->W_n);
    memcpy(own->W_f, own->K_f, n * sizeof *own->W_f);
}

// Adds a member's composite inertia to W, W_n, W_f.
void kane_flex_add_composite(const kane_tree *tree, int member, const kane_tree_work *work, const kane_spatial *I)
{
    const kane_link *link = &tree->links[member];
    kane_flex_work *own   = &work->flex[link->flex];
    add_inertia(&tree->flexes[link->flex], member, I, work->link[member].rho, work->axis + link->v, own->along, own->W,
                own->W_n, own->W_f);
}

// e.n + l.f
static inline double project_on_axis(const kane_axis_state *axis, kane_vec3 n, kane_vec3 f)
{
    return kv3_dot(axis->e, n) + kv3_dot(axis->l, f);
}

// b -= G' S' (n, f); M, C as add_inertia; the carrier gets the member's inertia and wrench as those of a rigid part.
void kane_flex_add_node(const kane_tree *tree, int member, kane_tree_work *work)
{
    const kane_link *link       = &tree->links[member];
    const kane_flex *flex       = &tree->flexes[link->flex];
    const kane_axis_state *axis = work->axis + link->v;
    kane_link_state *s = &work->link[member], *p = &work->link[link->parent];
    kane_flex_work *own = &work->flex[link->flex];
    double part[6];
    for (int c = 0; c < 6; c++)
        part[c] = project_on_axis(&axis[c], s->n, s->f);
    subtract_rows(flex->count, flex->count, kane_flex_row(flex, member, 0), part, own->b);
    if (!flex->is_decoupled && (link->mass > 0.0 || link->coupled)) {
        add_inertia(flex, member, &s->I, s->rho, axis, own->along, own->M, own->C_n, own->C_f);
        ksp_add_shifted(&p->I, &s->I, s->rho);
    }
    p->n = kv3_add(p->n, kv3_add(s->n, kv3_cross(s->rho, s->f)));
    p->f = kv3_add(p->f, s->f);
}

// b <- L^-1 b,   C <- C L^-T, column by column: after that C C' = C M^-1 C' of before.
static void solve_lower_triangle(const kane_flex *flex, kane_flex_work *own)
{
    const int n = flex->count;
    for (int k = 0; k < n; k++) {
        const double *L = own->M + k * n;
        const double d  = 1.0 / L[k];
        for (int j = own->first[k]; j < k; j++) {
            own->b[k] -= L[j] * own->b[j];
            own->C_n[k] = kv3_add_scaled(own->C_n[k], -L[j], own->C_n[j]);
            own->C_f[k] = kv3_add_scaled(own->C_f[k], -L[j], own->C_f[j]);
        }
        own->b[k] *= d;
        own->C_n[k] = kv3_scale(d, own->C_n[k]);
        own->C_f[k] = kv3_scale(d, own->C_f[k]);
    }
}

// M = L L', then  I - C M^-1 C'  and  (n, f) + C M^-1 b  of the carrier. Decoupled: q'' = M^-1 b at once.
int kane_flex_release(const kane_flex *flex, kane_flex_work *own, kane_link_state *carrier)
{
    if (flex->is_decoupled) {
        kane_cholesky_solve(flex->count, flex->factor, flex->first, own->b);
        return 1;
    }
    if (kane_cholesky_factor(flex->count, own->M, own->first) >= 0)
        return 0;
    solve_lower_triangle(flex, own);
    for (int k = 0; k < flex->count; k++) {
        ksym_sub_outer(carrier->I.J, own->C_n[k], own->C_n[k]);
        ksym_sub_outer(carrier->I.M, own->C_f[k], own->C_f[k]);
        ksp_sub_outer(&carrier->I.H, own->C_n[k], own->C_f[k]);
        carrier->n = kv3_add_scaled(carrier->n, own->b[k], own->C_n[k]);
        carrier->f = kv3_add_scaled(carrier->f, own->b[k], own->C_f[k]);
    }
    return 1;
}

// --- down ---

// x = L^-T (b - C' a), of C and b as they are after the elimination.
static void solve_modes(const kane_flex *flex, const kane_flex_work *own, const double *b, kane_vec3 al, kane_vec3 a,
                        double *x)
{
    const int n = flex->count;
    for (int k = 0; k < n; k++)
        x[k] = b[k] - kv3_dot(own->C_n[k], al) - kv3_dot(own->C_f[k], a);
    for (int k = n - 1; k >= 0; k--) {
        const double *L = own->M + k * n;
        x[k] /= L[k];
        for (int j = own->first[k]; j < k; j++)
            x[j] -= L[j] * x[k];
    }
}

// q'' = M^-1 (b - C' a) with the carrier's (dal, da); members with attached links follow.
void kane_flex_outward(const kane_flex *flex, const kane_link *links, kane_tree_work *work)
{
    const kane_flex_work *own = &work->flex[links[flex->mode].flex];
    const kane_link_state *s  = &work->link[flex->carrier];
    if (flex->is_decoupled)
        memcpy(work->v_dot + flex->v, own->b, (size_t)flex->count * sizeof *own->b);
    else
        solve_modes(flex, own, own->b, s->dal, s->da, work->v_dot + flex->v);
    for (int m = 0; m < flex->member_count; m++)
        if (links[flex->members[m]].coupled) // links are attached to it
            kane_flex_node_follows(flex, links, flex->members[m], work->v_dot);
}

// v_dot, da, dal of members without attached links, and da of mode links.
void kane_flex_accelerations(const kane_flex *flex, const kane_link *links, kane_tree_work *work)
{
    for (int k = 0; k < flex->count; k++) {
        kane_link_state *mode = &work->link[flex->mode + k];
        mode->dal             = kv3_zero();
        mode->da              = kv3_scale(work->v_dot[flex->v + k], work->axis[flex->v + k].l);
    }
    for (int m = 0; m < flex->member_count; m++) {
        const kane_link *link    = &links[flex->members[m]];
        const kane_link_state *p = &work->link[link->parent];
        kane_link_state *s       = &work->link[flex->members[m]];
        if (link->coupled)
            continue;
        kane_flex_node_follows(flex, links, flex->members[m], work->v_dot);
        s->dal = p->dal;
        s->da  = kv3_add(p->da, kv3_cross(p->dal, s->rho));
        for (int c = 0; c < 6; c++) {
            const kane_axis_state *x = &work->axis[link->v + c];
            s->dal                   = kv3_add_scaled(s->dal, work->v_dot[link->v + c], x->e);
            s->da                    = kv3_add_scaled(s->da, work->v_dot[link->v + c], x->l);
        }
    }
}

// --- other wrenches ---

// x += G' S' w
void kane_flex_respond_node(const kane_tree *tree, int member, const kane_tree_work *work, kane_wrench w)
{
    const kane_link *link = &tree->links[member];
    const kane_flex *flex = &tree->flexes[link->flex];
    double part[6];
    for (int c = 0; c < 6; c++)
        part[c] = project_on_axis(&work->axis[link->v + c], w.torque, w.force);
    kane_flex_fold(flex, member, part, work->flex[link->flex].x);
}

// x <- L^-1 x; returns -C M^-1 x, the wrench on the carrier. Needs kane_flex_release.
kane_wrench kane_flex_respond_frame(const kane_flex *flex, kane_flex_work *own)
{
    const int n   = flex->count;
    kane_wrench w = {kv3_zero(), kv3_zero()};
    if (flex->is_decoupled) {
        kane_cholesky_solve(n, flex->factor, flex->first, own->x);
        return w;
    }
    for (int k = 0; k < n; k++) {
        const double *L = own->M + k * n;
        for (int j = own->first[k]; j < k; j++)
            own->x[k] -= L[j] * own->x[j];
        own->x[k] /= L[k];
        w.torque = kv3_add_scaled(w.torque, -own->x[k], own->C_n[k]);
        w.force  = kv3_add_scaled(w.force, -own->x[k], own->C_f[k]);
    }
    return w;
}

kane_wrench kane_flex_apply_frame(const kane_flex *flex, kane_flex_work *own)
{
    const kane_wrench w = kane_flex_respond_frame(flex, own);
    for (int k = 0; k < flex->count; k++) {
        own->b[k] += own->x[k];
        own->x[k] = 0.0;
    }
    return w;
}

void kane_flex_respond_modes(const kane_flex *flex, const kane_link *links, const kane_tree_work *work,
                             kane_wrench carrier, double *v_dot)
{
    kane_flex_work *own = &work->flex[links[flex->mode].flex];
    if (flex->is_decoupled)
        memcpy(v_dot + flex->v, own->x, (size_t)flex->count * sizeof *own->x);
    else
        solve_modes(flex, own, own->x, carrier.torque, carrier.force, v_dot + flex->v);
    kane_flex_nodes_follow(flex, links, v_dot);
    memset(own->x, 0, (size_t)flex->count * sizeof *own->x); // for the next
}

// --- inertia of the deformed body ---

// A frame vector in axes R of the carrier.
static kane_scalar3 in_axes(kane_mat3 R, kane_vec3 a)
{
    return ks3_constant(km3_tmulv(R, a));
}

// flex_need at v_dot = 0 (flex_inertia.h) in the carrier's axes: adds n, f and inertia to it; leaves need, K_n, K_f.
void kane_flex_weigh(const kane_flex *flex, kane_flex_work *own, const kane_tree_work *work, kane_link_state *s)
{
    if (!flex->momentum)
        return;
    flex_wrench out = {.mode = own->scalars, .turning = own->K_n, .momentum = own->K_f};
    flex_need(flex, in_axes(s->R, s->w), in_axes(s->R, s->a), in_axes(s->R, s->al), work->q + flex->q,
              work->v + flex->v, NULL, &out);
    s->n = kv3_add(s->n, km3_mulv(s->R, ks3_value(out.n)));
    s->f = kv3_add(s->f, km3_mulv(s->R, ks3_value(out.f)));
    for (int k = 0; k < flex->count; k++) {
        own->need[k] = ks_value(out.mode[k]);
        own->K_n[k]  = km3_mulv(s->R, own->K_n[k]);
        own->K_f[k]  = km3_mulv(s->R, own->K_f[k]);
    }
    kane_flex_add_inertia(flex, work, &s->I);
}

// J = sum q_i (J1_i + sum J2_ij q_j),   sigma = sum C_i q_i + 1/2 sum Z_ij q_i q_j       (flex_inertia.h)
kane_vec3 kane_flex_inertia(const kane_flex *flex, const double *q, double J[6])
{
    kane_vec3 sigma = kv3_zero();
    for (int k = 0; k < 6; k++)
        J[k] = 0.0;
    for (int i = 0; i < flex->count && flex->momentum; i++) {
        sigma = kv3_add_scaled(sigma, q[i], flex->momentum[i]);
        for (int j = 0; j < flex->count && flex->momentum_second; j++)
            sigma = kv3_add_scaled(sigma, 0.5 * q[i] * q[j], flex->momentum_second[i * flex->count + j]);
        for (int k = 0; k < 6; k++) {
            double by = flex->inertia[i][k];
            for (int j = 0; j < flex->count && flex->second; j++)
                by += q[j] * flex->second[i * flex->count + j][k];
            J[k] += q[i] * by;
        }
    }
    return sigma;
}

// J += R J(q) R',   H += [R sigma]
void kane_flex_add_inertia(const kane_flex *flex, const kane_tree_work *work, kane_spatial *I)
{
    const kane_mat3 R = work->link[flex->carrier].R;
    double J[6], turned[6];
    if (!flex->momentum)
        return;
    const kane_vec3 sigma = kane_flex_inertia(flex, work->q + flex->q, J);
    ksym_turn(R, J, turned);
    for (int k = 0; k < 6; k++)
        I->J[k] += turned[k];
    I->H = km3_add(I->H, km3_skew(km3_mulv(R, sigma)));
}

// flex_need with a + da, al + dal and q''.
kane_wrench kane_flex_needed(const kane_flex *flex, const kane_flex_work *own, const kane_tree_work *work, double *mode)
{
    const kane_link_state *s = &work->link[flex->carrier];
    for (int k = 0; k < flex->count && mode; k++)
        mode[k] = 0.0;
    if (!flex->momentum)
        return (kane_wrench){kv3_zero(), kv3_zero()};
    flex_wrench out = {.mode = own->scalars};
    flex_need(flex, in_axes(s->R, s->w), in_axes(s->R, kv3_add(s->a, s->da)), in_axes(s->R, kv3_add(s->al, s->dal)),
              work->q + flex->q, work->v + flex->v, work->v_dot + flex->v, &out);
    for (int k = 0; k < flex->count && mode; k++)
        mode[k] = ks_value(out.mode[k]);
    return (kane_wrench){km3_mulv(s->R, ks3_value(out.f)), km3_mulv(s->R, ks3_value(out.n))};
}

// T = w.(J w/2 + h) + v.(w x sigma + sigma'), carrier axes (flex_inertia.h). moment = R sigma.
double kane_flex_energy(const kane_flex *flex, const kane_tree_work *work, kane_vec3 v, kane_vec3 w, kane_vec3 *moment)
{
    const kane_mat3 R = work->link[flex->carrier].R;
    *moment           = kv3_zero();
    if (!flex->momentum)
        return 0.0;
    const flex_sums s       = flex_sum(flex, work->q + flex->q, work->v + flex->v);
    const kane_scalar3 turn = in_axes(R, w), moves = ks3_add(ks3_cross(turn, s.sigma), s.sigma_dot);
    const kane_scalar3 spin = ks3_add(ks3_by(0.5, flex_sym_mulv(s.J, turn)), s.h);
    *moment                 = km3_mulv(R, ks3_value(s.sigma));
    return ks_value(ks3_dot(turn, spin)) + ks_value(ks3_dot(in_axes(R, v), moves));
}
