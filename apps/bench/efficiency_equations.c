// SPDX-License-Identifier: MIT
// The equations of the source in several forms. e_abc a_b b_c is a vector product, kv3_cross.

#include "efficiency.h"

#include <math.h>
#include <string.h>

const eff_way eff_ways[EFF_WAYS] = {
    {"products", EFF_PRODUCTS, EFF_PRODUCTS, EFF_PRODUCTS},    // (42), (43), (46) in full
    {"checked", EFF_CHECKED, EFF_CHECKED, EFF_CHECKED},        //
    {"known", EFF_KNOWN, EFF_KNOWN, EFF_KNOWN},                //
    {"transpose", EFF_PRODUCTS, EFF_TRANSPOSE, EFF_TRANSPOSE}, //
    {"titan", EFF_PRODUCTS, EFF_PRODUCTS, EFF_REDUCED},        // the source's program (its Fig. 4)
    {"reduced", EFF_REDUCED, EFF_REDUCED, EFF_REDUCED},        // everything by (60)
};

// --- arrays with three indices ---

// Of one body: v_jrm, omega_jrm and their derivatives, three rows of `count` each, and the speeds they belong to.
// `checked` is a constant wherever the functions below are used, so that the plain form does not pay for it.
typedef struct block {
    int low, count;
    const double *v, *omega, *v_dot, *omega_dot, *u;
} block;

static inline block block_of(const eff_system *s, const eff_arrays *a, int j)
{
    const int n     = a->count[j];
    const double *P = a->P + a->begin[j], *dot = a->dot + a->begin[j];
    return (block){a->low[j], n, P, P + 3 * n, dot, dot + 3 * n, s->u + a->low[j]};
}

static inline kane_vec3 column(const double *P, int count, int k)
{
    return kv3(P[k], P[count + k], P[2 * count + k]);
}

// sum_p x_m P_pm u_p
static inline double sum_products(kane_vec3 x, const double *P, const block *b, int checked)
{
    const int n = b->count;
    double sum  = 0.0;
    if (!checked) {
        for (int p = 0; p < n; p++)
            sum += kv3_dot(x, column(P, n, p)) * b->u[p];
        return sum;
    }
    for (int m = 0; m < 3; m++) {
        const double factor = kv3_get(x, m);
        for (int p = 0; p < n && factor != 0.0; p++)
            if (P[m * n + p] != 0.0)
                sum += factor * P[m * n + p] * b->u[p];
    }
    return sum;
}

// row_p += sum_m x_m P_pm for p <= r
static inline void add_products(kane_vec3 x, const double *P, const block *b, int r, double *row, int checked)
{
    const int n = b->count;
    for (int p = 0; p <= r && !checked; p++)
        row[p] += kv3_dot(x, column(P, n, p));
    for (int m = 0; m < 3 && checked; m++) {
        const double factor = kv3_get(x, m);
        for (int p = 0; p <= r && factor != 0.0; p++)
            if (P[m * n + p] != 0.0)
                row[p] += factor * P[m * n + p];
    }
}

// (42) Theta_rp = sum_j { m_j v_jrm v_jpm + J_jsm omega_jrs omega_jpm }
static inline void matrix_of_products(eff_system *s, const eff_arrays *a, int checked)
{
    for (int j = 0; j < s->n; j++) {
        const block b      = block_of(s, a, j);
        const eff_body *on = &s->body[j];
        for (int r = 0; r < b.count; r++) {
            double *row           = s->theta + (size_t)(b.low + r) * (size_t)s->l + b.low;
            const kane_vec3 v     = kv3_scale(on->mass, column(b.v, b.count, r));
            const kane_vec3 omega = km3_mulv(on->J, column(b.omega, b.count, r));
            add_products(v, b.v, &b, r, row, checked);
            add_products(omega, b.omega, &b, r, row, checked);
        }
    }
}

// (43) without F and F**: f_r = -sum_j { m_j v_jrm (v_dot_jpm u_p + v_dot_jtm) + J_jsm omega_jrs (omega_dot_jpm u_p +
// omega_dot_jtm)
//              + e_abc omega_jra (omega_jpb u_p + omega_jtb) J_jcw omega_jw }
// omega_jw = omega_jqw u_q + omega_jtw is summed first: the products of three partial velocities that are written there
// would be n l^3. v_dot_jt and omega_dot_jt are C_dot, omega_jt is C of (47).
static inline void inertia_of_products(eff_system *s, const eff_arrays *a, int checked)
{
    for (int j = 0; j < s->n; j++) {
        const block b      = block_of(s, a, j);
        const eff_body *on = &s->body[j];
        const double *C = s->map.C + 6 * j, *C_dot = s->map.C_dot + 6 * j;
        const kane_vec3 J_omega = km3_mulv(on->J, on->omega);
        for (int r = 0; r < b.count; r++) {
            const kane_vec3 omega_r = column(b.omega, b.count, r);
            const kane_vec3 v = kv3_scale(on->mass, column(b.v, b.count, r)), omega = km3_mulv(on->J, omega_r);
            const kane_vec3 turn = kv3_cross(J_omega, omega_r);
            double sum =
                kv3_dot(v, column(C_dot, 1, 0)) + kv3_dot(omega, column(C_dot, 1, 3)) + kv3_dot(turn, column(C, 1, 3));
            sum += sum_products(v, b.v_dot, &b, checked);
            sum += sum_products(omega, b.omega_dot, &b, checked);
            sum += sum_products(turn, b.omega, &b, checked);
            s->f[b.low + r] -= sum;
        }
    }
}

// -m a_o - m w x (w x r) - m e x r and -w x J w - J e: the imaginary forces that do not depend on speeds, and the
// external ones
static inline kane_wrench forces_of_place(const eff_body *on, const kane_transport *T)
{
    const kane_vec3 w = T->omega, e = T->epsilon;
    const kane_vec3 p = kv3_add(T->a_o, kv3_add(kv3_cross(w, kv3_cross(w, on->r)), kv3_cross(e, on->r)));
    return (kane_wrench){kv3_add_scaled(on->weight, -on->mass, p),
                         kv3_neg(kv3_add(kv3_cross(w, km3_mulv(on->J, w)), km3_mulv(on->J, e)))};
}

// (tr J E - 2 J) w
static inline kane_vec3 gyroscopic(const eff_body *on, kane_vec3 w)
{
    return kv3_add_scaled(kv3_scale(km3_trace(on->J), w), -2.0, km3_mulv(on->J, w));
}

// (39) and (46):
// F_r   = sum_j { R_jm v_jrm + T_jm omega_jrm }
// F**_r = -sum_j { m_j v_jra [ a_oja + e_abc w_b e_cde w_d r_je + e_abc eps_b r_jc + 2 e_abc w_b (v_jpc u_p + v_jtc) ]
//                + omega_jra [ e_abc w_b J_jcs w_s + J_jas eps_s + e_abc G_jb (omega_jpc u_p + omega_jtc) ] },
//         G_j = (tr J_j E - 2 J_j) w
static inline void forces_of_products(eff_system *s, const eff_arrays *a, int checked)
{
    for (int j = 0; j < s->n; j++) {
        const block b           = block_of(s, a, j);
        const eff_body *on      = &s->body[j];
        const kane_transport *T = &s->T[on->frame];
        const double *C         = s->map.C + 6 * j;
        const kane_wrench at    = forces_of_place(on, T);
        const kane_vec3 G       = gyroscopic(on, T->omega);
        for (int r = 0; r < b.count; r++) {
            const kane_vec3 v = column(b.v, b.count, r), omega = column(b.omega, b.count, r);
            const kane_vec3 coriolis = kv3_scale(2.0 * on->mass, kv3_cross(v, T->omega)), spin = kv3_cross(omega, G);
            double sum = kv3_dot(v, at.force) + kv3_dot(omega, at.torque);
            sum -= kv3_dot(coriolis, column(C, 1, 0)) + kv3_dot(spin, column(C, 1, 3));
            sum -= sum_products(coriolis, b.v, &b, checked);
            sum -= sum_products(spin, b.omega, &b, checked);
            s->f[b.low + r] += sum;
        }
    }
}

// --- free bodies ---

// -m (a' - v_p u_dot_p), -J (eps' - omega_p u_dot_p) - omega x J omega: (43) for one free body
static kane_wrench free_inertia(const eff_system *s, int j)
{
    const eff_body *on      = &s->body[j];
    const double *bias      = s->map.bias + 6 * j;
    const kane_vec3 J_omega = km3_mulv(on->J, on->omega);
    return (kane_wrench){kv3_scale(-on->mass, column(bias, 1, 0)),
                         kv3_neg(kv3_add(km3_mulv(on->J, column(bias, 1, 3)), kv3_cross(on->omega, J_omega)))};
}

// (46) for one free body, and its external force
static kane_wrench free_forces(const eff_system *s, int j)
{
    const eff_body *on      = &s->body[j];
    const kane_transport *T = &s->T[on->frame];
    const kane_wrench at    = forces_of_place(on, T);
    return (kane_wrench){kv3_add_scaled(at.force, -2.0 * on->mass, kv3_cross(T->omega, on->v)),
                         kv3_sub(at.torque, kv3_cross(gyroscopic(on, T->omega), on->omega))};
}

// What V_dot of the free bodies has besides A u_dot
static void find_bias(eff_system *s)
{
    eff_map *map = &s->map;
    for (int i = 0; i < 6 * s->n; i++) {
        map->bias[i] = map->C_dot[i];
        for (int e = map->start[i]; e < map->start[i + 1] && !map->copied[i]; e++)
            map->bias[i] += map->A_dot[e] * s->u[map->r[e]];
    }
}

// (60) F_r = F~_r + sum_s F~_s A_sr: independent components are copied, zeros of A are not there
static void reduce(eff_system *s, kane_wrench (*of)(const eff_system *s, int j))
{
    const eff_map *map = &s->map;
    for (int j = 0; j < s->n; j++) {
        const kane_wrench w  = of(s, j);
        const double free[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
        for (int m = 0; m < 6; m++) {
            const int begin = map->start[6 * j + m], end = map->start[6 * j + m + 1];
            if (map->copied[6 * j + m])
                s->f[map->r[begin]] += free[m];
            else
                for (int e = begin; e < end; e++)
                    s->f[map->r[e]] += free[m] * map->A[e];
        }
    }
}

// The same as a plain product of the transposed matrix [6 n][l] and the vector of forces
static void transpose(eff_system *s, kane_wrench (*of)(const eff_system *s, int j))
{
    for (int j = 0; j < s->n; j++) {
        const block b       = block_of(s, &s->full, j);
        const kane_wrench w = of(s, j);
        for (int r = 0; r < s->l; r++)
            s->f[r] += kv3_dot(w.force, column(b.v, s->l, r)) + kv3_dot(w.torque, column(b.omega, s->l, r));
    }
}

// (42) of free bodies, m_j and J_j, reduced on both sides: Theta = sum_j A_j' M_j A_j, row by row of A
static void matrix_reduced(eff_system *s)
{
    const eff_map *map = &s->map;
    const size_t l     = (size_t)s->l;
    for (int j = 0; j < s->n; j++) {
        const eff_body *on   = &s->body[j];
        const int *start     = map->start + 6 * j;
        const kane_vec3 J[3] = {on->J.x, on->J.y, on->J.z};
        for (int m = 0; m < 3; m++)
            for (int e = start[m]; e < start[m + 1]; e++)
                for (int i = start[m]; i <= e; i++)
                    s->theta[(size_t)map->r[e] * l + (size_t)map->r[i]] += on->mass * map->A[e] * map->A[i];
        double(*H)[EFF_SPEEDS_MOST] = s->scratch; // J_jms A_sp
        for (int p = on->low; p < on->low + on->count; p++)
            H[0][p] = H[1][p] = H[2][p] = 0.0;
        for (int m = 0; m < 3; m++)
            for (int e = start[3 + m]; e < start[4 + m]; e++) {
                H[0][map->r[e]] += J[m].x * map->A[e];
                H[1][map->r[e]] += J[m].y * map->A[e];
                H[2][map->r[e]] += J[m].z * map->A[e];
            }
        for (int m = 0; m < 3; m++)
            for (int e = start[3 + m]; e < start[4 + m]; e++)
                for (int p = on->low; p <= map->r[e]; p++)
                    s->theta[(size_t)map->r[e] * l + (size_t)p] += map->A[e] * H[m][p];
    }
}

// --- parts and ways ---

// One of the three functions "of products" in the form that is wanted.
#define BY_PRODUCTS(of_products, s, form)                                                                              \
    do {                                                                                                               \
        if ((form) == EFF_KNOWN)                                                                                       \
            of_products(s, &(s)->known, 0);                                                                            \
        else if ((form) == EFF_CHECKED)                                                                                \
            of_products(s, &(s)->full, 1);                                                                             \
        else                                                                                                           \
            of_products(s, &(s)->full, 0);                                                                             \
    } while (0)

static void add_matrix(eff_system *s, eff_form form)
{
    if (form == EFF_REDUCED)
        matrix_reduced(s);
    else
        BY_PRODUCTS(matrix_of_products, s, form);
}

static void add_inertia(eff_system *s, eff_form form)
{
    if (form == EFF_TRANSPOSE || form == EFF_REDUCED) {
        find_bias(s);
        if (form == EFF_REDUCED)
            reduce(s, free_inertia);
        else
            transpose(s, free_inertia);
    } else {
        BY_PRODUCTS(inertia_of_products, s, form);
    }
}

static void add_others(eff_system *s, eff_form form)
{
    if (form == EFF_REDUCED)
        reduce(s, free_forces);
    else if (form == EFF_TRANSPOSE)
        transpose(s, free_forces);
    else
        BY_PRODUCTS(forces_of_products, s, form);
}

static inline double dot(const double *a, const double *b, int count)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int i         = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// (41) Theta u_dot = f by Cholesky's method; rows of the factor begin where those of Theta do, at first[r] (0:
// everywhere full)
static void solve(eff_system *s, const int *first)
{
    const size_t l = (size_t)s->l;
    for (int r = 0; r < s->l; r++) {
        double *row     = s->theta + (size_t)r * l;
        const int begin = first ? first[r] : 0;
        for (int p = begin; p <= r; p++) {
            const double *other = s->theta + (size_t)p * l;
            const int from      = first && first[p] > begin ? first[p] : begin;
            const double rest   = row[p] - dot(row + from, other + from, p - from);
            row[p]              = p < r ? rest / other[p] : sqrt(rest);
        }
        s->u_dot[r] = (s->f[r] - dot(row + begin, s->u_dot + begin, r - begin)) / row[r];
    }
    for (int r = s->l - 1; r >= 0; r--) {
        const double *row = s->theta + (size_t)r * l;
        s->u_dot[r] /= row[r];
        for (int p = first ? first[r] : 0; p < r; p++)
            s->u_dot[p] -= row[p] * s->u_dot[r];
    }
}

void eff_fill(eff_system *s, eff_form form)
{
    eff_arrays *a      = form == EFF_KNOWN ? &s->known : &s->full;
    const eff_map *map = &s->map;
    for (int i = 0; i < 6 * s->n && form != EFF_REDUCED; i++) {
        const size_t row = a->begin[i / 6] + (size_t)(i % 6 * a->count[i / 6] - a->low[i / 6]); // of speed 0
        for (int e = map->start[i]; e < map->start[i + 1]; e++) {
            a->P[row + (size_t)map->r[e]]   = map->A[e];
            a->dot[row + (size_t)map->r[e]] = map->A_dot[e];
        }
    }
}

void eff_forces(eff_system *s, eff_form form)
{
    memset(s->f, 0, (size_t)s->l * sizeof *s->f);
    add_others(s, form);
}

void eff_eval(eff_system *s, const eff_way *way)
{
    const int knows  = way->matrix == EFF_KNOWN || way->matrix == EFF_REDUCED; // what couples, too
    const int *first = knows ? s->first : NULL;
    eff_move(s);
    eff_fill(s, way->matrix);
    for (int r = 0; r < s->l; r++) {
        const int begin = first ? first[r] : 0;
        memset(s->theta + (size_t)r * (size_t)s->l + begin, 0, (size_t)(r - begin + 1) * sizeof *s->theta);
    }
    memset(s->f, 0, (size_t)s->l * sizeof *s->f);
    add_matrix(s, way->matrix);
    add_inertia(s, way->inertia);
    add_others(s, way->others);
    solve(s, first);
}
