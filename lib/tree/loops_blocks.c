// SPDX-License-Identifier: MIT
// Blocks of a cluster in the form of coefficients: loops that have no dependent speed in common are solved one by one.
//
// With the dependent speeds d and the independent ones u of the present choice, rows say  P d' + Q u' = -b. Rows of a loop know its
// own dependent speeds only, so that P is a diagonal of blocks, each with a few columns of Q. In every block
//
//   d = B u + ..,  B = -P^-1 Q
//
// and M = A' Theta A is summed column by column (loops_inertia.c). A loop that hangs on one body costs what its own rows
// and speeds do, however many loops there are: it is a joint of that body with as many freedoms as it has independent speeds.
// M is ordered from the leaves to the root, so that eliminating one loop leaves nothing behind in the others
// (docs/mechanisms.md, section 5).

#include "tree/loops_work.h"

#include <string.h>

// === Structure, once a choice.

static int leader(int *group, int i)
{
    while (group[i] != i)
        i = group[i] = group[group[i]];
    return i;
}

// Which dependent speeds rows tie to each other: group [rank].
static void find_groups(const kane_cluster *c, const kane_cluster_work *s, int *group)
{
    for (int i = 0; i < c->rank; i++)
        group[i] = i;
    for (int i = 0; i < c->rank; i++)
        for (int k = c->coefficient_begin[s->row[i]]; k < c->coefficient_begin[s->row[i] + 1]; k++) {
            const int other = s->position[c->coefficient_speed[k]];
            if (other >= c->rank)
                continue;
            const int a = leader(group, i), b = leader(group, other);
            group[a > b ? a : b] = a > b ? b : a;
        }
    for (int i = 0; i < c->rank; i++)
        group[i] = leader(group, i);
}

// Members of every block, ascending: those with coordinates come first.
static void list_members(const kane_cluster *c, kane_cluster_work *s)
{
    int next = 0, *group = s->block_of;
    find_groups(c, s, group);
    s->block_count = 0;
    for (int first = 0; first < c->rank; first++) {
        if (group[first] != first)
            continue;
        kane_loop_block *b = &s->blocks[s->block_count++];
        *b                 = (kane_loop_block){.member = s->member + next};
        for (int i = first; i < c->rank; i++)
            if (group[i] == first) {
                b->position_count += i < c->position_rank;
                s->place_in_block[i] = b->count++;
                s->member[next++]    = i;
            }
    }
    for (int k = 0; k < s->block_count; k++)
        for (int m = 0; m < s->blocks[k].count; m++)
            s->block_of[s->blocks[k].member[m]] = k;
}

// Those of `count` that are marked, ascending; returns how many there are.
static int list_marked(int count, const int *marked, int *list)
{
    int next = 0;
    for (int j = 0; j < count; j++)
        if (marked[j])
            list[next++] = j;
    return next;
}

// Where j stands in an ascending list that has it.
static int find(const int *list, int count, int j)
{
    int low = 0, high = count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (list[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Independent speeds in the rows of a block, and where its coefficients go: to column t of P, or to column ~t of B.
static void list_free(const kane_cluster *c, kane_cluster_work *s, kane_loop_block *b)
{
    const int rank = c->rank, u = c->v_count - rank;
    memset(s->marked, 0, (size_t)u * sizeof *s->marked);
    for (int m = 0; m < b->count; m++) {
        const int row = s->row[b->member[m]];
        for (int k = c->coefficient_begin[row]; k < c->coefficient_begin[row + 1]; k++)
            if (s->position[c->coefficient_speed[k]] >= rank)
                s->marked[s->position[c->coefficient_speed[k]] - rank] = 1;
    }
    b->free_count = list_marked(u, s->marked, b->free);
    for (int m = 0; m < b->count; m++) {
        const int row = s->row[b->member[m]];
        for (int k = c->coefficient_begin[row]; k < c->coefficient_begin[row + 1]; k++) {
            const int p          = s->position[c->coefficient_speed[k]];
            s->coefficient_to[k] = p < rank ? s->place_in_block[p] : ~find(b->free, b->free_count, p - rank);
        }
    }
}

static void add_load(kane_cluster_work *s, int entry, int dependent, int on)
{
    s->load[s->load_count++] = (kane_block_load){entry, dependent, s->column[on]};
}

static void list_loads(const kane_cluster *c, kane_cluster_work *s)
{
    s->load_count = 0;
    for (int e = 0; e < c->theta_count; e++) {
        const int p = s->position[c->theta_place[e].row], q = s->position[c->theta_place[e].column];
        if (c->theta_counts[e] && p < c->rank)
            add_load(s, e, p, q);
        if (c->theta_counts[e] && q < c->rank && p != q)
            add_load(s, e, q, p);
    }
}

static double *take(double **next, int count)
{
    double *own = *next;
    *next += count;
    return own;
}

void kane_blocks_arrange(const kane_tree *tree, const kane_cluster *c, kane_cluster_work *s)
{
    const int u = c->v_count - c->rank;
    int *list   = s->block_lists;
    double *LU = s->LU, *LU_position = s->LU_position, *B = s->B;
    list_members(c, s);
    for (int k = 0; k < s->block_count; k++, list += u) {
        kane_loop_block *b = &s->blocks[k];
        b->free            = list;
        b->pivot           = s->pivot + (b->member - s->member);
        b->pivot_position  = s->pivot_position + (b->member - s->member);
        list_free(c, s, b);
        b->LU          = take(&LU, b->count * b->count);
        b->LU_position = take(&LU_position, b->position_count * b->position_count);
        b->B           = take(&B, b->count * b->free_count);
    }
    list_loads(c, s);
    kane_blocks_arrange_inertia(tree, c, s);
}

// === Rows.

int kane_blocks_factor_positions(const kane_cluster *c, kane_cluster_work *s)
{
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        const int n              = b->position_count;
        memset(b->LU_position, 0, (size_t)(n * n) * sizeof *b->LU_position);
        for (int m = 0; m < n; m++) {
            const int row = s->row[b->member[m]];
            for (int j = c->coefficient_begin[row]; j < c->coefficient_begin[row + 1]; j++)
                if (s->coefficient_to[j] >= 0 && s->coefficient_to[j] < n)
                    b->LU_position[m * n + s->coefficient_to[j]] = s->J[j];
        }
        if (!kane_lu_factor(n, b->LU_position, b->pivot_position))
            return 0;
    }
    return 1;
}

static void fill(const kane_cluster *c, kane_cluster_work *s, const kane_loop_block *b)
{
    memset(b->LU, 0, (size_t)(b->count * b->count) * sizeof *b->LU);
    memset(b->B, 0, (size_t)(b->count * b->free_count) * sizeof *b->B);
    for (int m = 0; m < b->count; m++) {
        const int row = s->row[b->member[m]];
        for (int j = c->coefficient_begin[row]; j < c->coefficient_begin[row + 1]; j++) {
            const int to = s->coefficient_to[j];
            if (to >= 0)
                b->LU[m * b->count + to] = s->J[j];
            else
                b->B[m * b->free_count + ~to] = -s->J[j];
        }
    }
}

int kane_blocks_factor(const kane_cluster *c, kane_cluster_work *s, double *least, double *most)
{
    *least = HUGE_VAL;
    *most  = 0.0;
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        fill(c, s, b);
        if (!kane_lu_factor(b->count, b->LU, b->pivot))
            return 0;
        for (int m = 0; m < b->count; m++) {
            *least = fmin(*least, fabs(b->LU[m * b->count + m]));
            *most  = fmax(*most, fabs(b->LU[m * b->count + m]));
        }
        kane_lu_solve(b->count, b->LU, b->pivot, b->free_count, b->B);
    }
    return 1;
}

// Of x those numbers that belong to the first `count` members of a block.
static inline const double *gather(const kane_loop_block *b, int count, const double *x, double *own)
{
    for (int m = 0; m < count; m++)
        own[m] = x[b->member[m]];
    return own;
}

static inline void scatter(const kane_loop_block *b, int count, const double *own, double *x)
{
    for (int m = 0; m < count; m++)
        x[b->member[m]] = own[m];
}

void kane_blocks_solve(kane_cluster_work *s, double *x)
{
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        (void)gather(b, b->count, x, s->of_block);
        kane_lu_solve(b->count, b->LU, b->pivot, 1, s->of_block);
        scatter(b, b->count, s->of_block, x);
    }
}

void kane_blocks_solve_positions(kane_cluster_work *s, double *x)
{
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        (void)gather(b, b->position_count, x, s->of_block);
        kane_lu_solve(b->position_count, b->LU_position, b->pivot_position, 1, s->of_block);
        scatter(b, b->position_count, s->of_block, x);
    }
}

void kane_blocks_solve_transposed(kane_cluster_work *s, double *x)
{
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        (void)gather(b, b->count, x, s->of_block);
        kane_lu_solve_transposed(b->count, b->LU, b->pivot, s->of_block);
        scatter(b, b->count, s->of_block, x);
    }
}

const kane_loop_block *kane_blocks_solve_unit(kane_cluster_work *s, int one)
{
    const kane_loop_block *b = &s->blocks[s->block_of[one]];
    kane_lu_solve_unit(b->count, b->LU, b->pivot, s->place_in_block[one], s->of_block);
    return b;
}

// === Speeds.

void kane_blocks_follow(const kane_cluster *c, const kane_cluster_work *s, const double *u, double *v)
{
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        for (int m = 0; m < b->count; m++) {
            const double *B = b->B + m * b->free_count;
            double sum      = 0.0;
            for (int f = 0; f < b->free_count; f++)
                sum += B[f] * u[b->free[f]];
            v[s->column[b->member[m]]] += sum;
        }
    }
    for (int j = c->rank; j < c->v_count; j++)
        v[s->column[j]] += u[j - c->rank];
}

void kane_blocks_gather_forces(const kane_cluster *c, const kane_cluster_work *s, const double *f, double *u)
{
    for (int j = c->rank; j < c->v_count; j++)
        u[j - c->rank] = f[s->column[j]];
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        for (int m = 0; m < b->count; m++) {
            const double *B    = b->B + m * b->free_count;
            const double force = f[s->column[b->member[m]]];
            for (int i = 0; i < b->free_count; i++)
                u[b->free[i]] += B[i] * force;
        }
    }
}

// === Inertia.

int kane_blocks_factor_inertia(const kane_cluster *c, kane_cluster_work *s)
{
    return kane_cholesky_factor(c->v_count - c->rank, s->M, s->first) < 0;
}

void kane_blocks_accelerate(const kane_cluster *c, kane_cluster_work *s, double *u_dot)
{
    const int u = c->v_count - c->rank;
    for (int j = 0; j < u; j++)
        s->reversed[j] = u_dot[u - 1 - j];
    kane_cholesky_solve(u, s->M, s->first, s->reversed);
    for (int j = 0; j < u; j++)
        u_dot[j] = s->reversed[u - 1 - j];
}

void kane_blocks_take_inertia(const kane_cluster_work *s, const double *dependent, double *f)
{
    for (int k = 0; k < s->load_count; k++)
        f[s->load[k].speed] -= s->theta[s->load[k].entry] * dependent[s->load[k].dependent];
}
