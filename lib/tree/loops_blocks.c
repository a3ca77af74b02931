// SPDX-License-Identifier: MIT
// Blocks of a cluster in the form of coefficients: loops that have no dependent speed in common are solved one by one.
//
// With the dependent speeds d and the independent ones u of the present choice, the rows are  P d' + Q u' = -b. Rows of
// a loop contain its own dependent speeds only, so that P is block-diagonal, each block with a few columns of Q. In
// every block
//
//   d = B u + ..,  B = -P^-1 Q
//
// In breadth-first order from one of its ends, P of a chain of loops is a band and is factored as one (math/dense.h):
// its cost is proportional to the number of loops.
//
// M = A' Theta A is summed column by column (loops_inertia.c). The cost of a loop on one body depends on its own rows
// and speeds only: it acts as a joint of that body with as many freedoms as it has independent speeds. M is ordered
// from the leaves to the root, so that eliminating one loop causes no fill-in in the others (docs/mechanisms.md,
// section 5).

#include "tree/loops_work.h"

#include <stdlib.h>
#include <string.h>

// === Structure, once for each choice.

// Rows of every dependent speed: rows_begin, rows_of (a transposed pattern).
static void list_rows(kane_cluster_work *s)
{
    const kane_cluster *c = s->cluster;
    int *end              = s->rows_begin + 1; // moves on to the end of each while the rows are listed
    memset(s->rows_begin, 0, ((size_t)c->row_count + 1) * sizeof *s->rows_begin);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < c->rank; i++)
            for (int k = c->coefficient_begin[s->row[i]]; k < c->coefficient_begin[s->row[i] + 1]; k++) {
                const int p = s->position[c->coefficient_speed[k]];
                if (p >= c->rank)
                    continue;
                if (pass == 1)
                    s->rows_of[end[p]++] = i;
                else if (p + 1 < c->rank)
                    end[p + 1]++;
            }
        for (int p = 0; p + 1 < c->rank && pass == 0; p++)
            end[p + 1] += end[p];
    }
}

// Breadth-first search through rows and their dependent speeds. In the order found, speeds of a row are close to each
// other, and so are the rows of a speed.
typedef struct search {
    int row_count, column_count;
    int *row, *column;              // found [rank]
    int *row_met, *column_met, now; // the last search that met each [rank]
} search;

static void add_unless_met(int i, int now, int *met, int *list, int *count)
{
    if (met[i] == now)
        return;
    met[i]           = now;
    list[(*count)++] = i;
}

// Rows and speeds connected with row `first`, in breadth-first order.
static void search_from(const kane_cluster_work *s, int first, search *a)
{
    const kane_cluster *c = s->cluster;
    a->row_count = a->column_count = 0;
    a->now++;
    add_unless_met(first, a->now, a->row_met, a->row, &a->row_count);
    for (int next = 0, done = 0; next < a->row_count;) {
        const int row = s->row[a->row[next]];
        for (int k = c->coefficient_begin[row]; k < c->coefficient_begin[row + 1]; k++)
            if (s->position[c->coefficient_speed[k]] < c->rank)
                add_unless_met(s->position[c->coefficient_speed[k]], a->now, a->column_met, a->column,
                               &a->column_count);
        for (; done < a->column_count; done++)
            for (int k = s->rows_begin[a->column[done]]; k < s->rows_begin[a->column[done] + 1]; k++)
                add_unless_met(s->rows_of[k], a->now, a->row_met, a->row, &a->row_count);
        // a row and the speed that was chosen with it stay together, though P has no entry of both
        if (++next == a->row_count) {
            for (int k = a->column_count - 1; k >= 0; k--)
                add_unless_met(a->column[k], a->now, a->row_met, a->row, &a->row_count);
            for (int k = 0; k < next; k++)
                add_unless_met(a->row[k], a->now, a->column_met, a->column, &a->column_count);
        }
    }
}

// Copies rows with values, or speeds solved for as coordinates, first; otherwise in their order.
static void copy_positions_first(const kane_cluster *c, int count, const int *from, int *to)
{
    int next = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < count; k++)
            if ((from[k] < c->position_rank) == (kind == 0))
                to[next++] = from[k];
}

// Envelope of the first `count` rows and columns of a block: least and greatest column of every row (scratch [count]).
static kane_envelope find_envelope(const kane_cluster_work *s, const kane_loop_block *b, int count, int *least,
                                   int *greatest, int *room)
{
    const kane_cluster *c = s->cluster;
    for (int m = 0; m < count; m++) {
        const int row = s->row[b->row[m]];
        least[m]      = count;
        greatest[m]   = -1;
        for (int k = c->coefficient_begin[row]; k < c->coefficient_begin[row + 1]; k++) {
            const int p = s->position[c->coefficient_speed[k]], to = p < c->rank ? s->place_in_block[p] : count;
            if (to >= count)
                continue;
            least[m]    = to < least[m] ? to : least[m];
            greatest[m] = to > greatest[m] ? to : greatest[m];
        }
    }
    return kane_envelope_create(count, least, greatest, room);
}

// Envelope of a block whose rows and members are in order.
static kane_envelope place_members(kane_cluster_work *s, const kane_loop_block *b, int *room)
{
    for (int m = 0; m < b->count; m++)
        s->place_in_block[b->member[m]] = m;
    return find_envelope(s, b, b->count, s->order, s->order + b->count, room);
}

static int compare_numbers(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Rows and members of a block in the order of the search.
static void put_as_found(const kane_cluster *c, const search *a, const kane_loop_block *b)
{
    copy_positions_first(c, b->count, a->row, b->row);
    copy_positions_first(c, b->count, a->column, b->member);
}

// Order of rows and members of a block: by their numbers, or breadth-first from one of the farthest rows, whichever
// needs fewer products to factor.
static void order_block(kane_cluster_work *s, search *a, kane_loop_block *b, int *room)
{
    search_from(s, a->row[a->row_count - 1], a);
    put_as_found(s->cluster, a, b);
    const kane_envelope found = place_members(s, b, room);
    const double products     = kane_envelope_products(&found);
    qsort(b->row, (size_t)b->count, sizeof *b->row, compare_numbers);
    memcpy(b->member, b->row, (size_t)b->count * sizeof *b->member);
    b->P = place_members(s, b, room);
    if (products < kane_envelope_products(&b->P)) {
        put_as_found(s->cluster, a, b);
        b->P = place_members(s, b, room);
    }
}

// Blocks: connected sets of rows and dependent speeds, with their envelopes.
static void list_members(kane_cluster_work *s)
{
    const kane_cluster *c = s->cluster;
    const int rows        = c->row_count;
    search a              = {.row        = s->order + 2 * rows,
                             .column     = s->order + 3 * rows,
                             .row_met    = s->order + 4 * rows,
                             .column_met = s->order + 5 * rows};
    int next              = 0;
    memset(a.row_met, 0, 2 * (size_t)rows * sizeof *a.row_met);
    list_rows(s);
    s->block_count = 0;
    for (int first = 0; first < c->rank; first++) {
        if (a.row_met[first])
            continue;
        search_from(s, first, &a);
        kane_loop_block *b = &s->blocks[s->block_count++];
        *b = (kane_loop_block){.count = a.row_count, .row = s->block_row + next, .member = s->member + next};
        order_block(s, &a, b, s->envelope + 3 * next);
        for (int m = 0; m < b->count; m++) {
            b->position_count += b->row[m] < c->position_rank;
            s->block_of[b->member[m]] = s->block_count - 1;
        }
        b->P_position = b->P;
        if (b->position_count < b->count)
            b->P_position =
                find_envelope(s, b, b->position_count, s->order, s->order + b->count, s->envelope + 3 * (rows + next));
        next += b->count;
    }
}

// Ascending list of those of `count` that are marked; returns their number.
static int list_marked(int count, const int *marked, int *list)
{
    int next = 0;
    for (int j = 0; j < count; j++)
        if (marked[j])
            list[next++] = j;
    return next;
}

// Index of j in an ascending list that contains it.
static int find_in_ascending(const int *list, int count, int j)
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

// Independent speeds in the rows of a block, and the destination of its coefficients: P (>= 0), or B as one's
// complement; for the rows with values their own P, or any negative number.
static void list_free(kane_cluster_work *s, kane_loop_block *b)
{
    const kane_cluster *c = s->cluster;
    const int rank = c->rank, u = c->v_count - rank;
    memset(s->marked, 0, (size_t)u * sizeof *s->marked);
    for (int m = 0; m < b->count; m++) {
        const int row = s->row[b->row[m]];
        for (int k = c->coefficient_begin[row]; k < c->coefficient_begin[row + 1]; k++)
            if (s->position[c->coefficient_speed[k]] >= rank)
                s->marked[s->position[c->coefficient_speed[k]] - rank] = 1;
    }
    b->free_count = list_marked(u, s->marked, b->free);
    for (int m = 0; m < b->count; m++) {
        const int row = s->row[b->row[m]];
        for (int k = c->coefficient_begin[row]; k < c->coefficient_begin[row + 1]; k++) {
            const int p = s->position[c->coefficient_speed[k]], column = p < rank ? s->place_in_block[p] : b->count;
            s->coefficient_to[k] = p < rank
                                       ? b->P.at[m] + column
                                       : ~(m * b->free_count + find_in_ascending(b->free, b->free_count, p - rank));
            s->position_to[k] = m < b->position_count && column < b->position_count ? b->P_position.at[m] + column : ~0;
        }
    }
}

static void add_load(kane_cluster_work *s, int entry, int dependent, int on)
{
    s->load[s->load_count++] = (kane_block_load){entry, dependent, s->column[on]};
}

// Entries of Theta in the columns of dependent speeds, for kane_blocks_subtract_inertia.
static void list_loads(kane_cluster_work *s)
{
    const kane_cluster *c = s->cluster;
    s->load_count         = 0;
    for (int e = 0; e < c->theta_count; e++) {
        const int p = s->position[c->theta_place[e].row], q = s->position[c->theta_place[e].column];
        if (c->theta_counts[e] && p < c->rank)
            add_load(s, e, p, q);
        if (c->theta_counts[e] && q < c->rank && p != q)
            add_load(s, e, q, p);
    }
}

// The next `count` numbers of a common array.
static double *reserve_numbers(double **next, int count)
{
    double *own = *next;
    *next += count;
    return own;
}

// Arrays of a block. Rows with values have their own factors if the block has rows of speeds as well.
static void give_room(kane_cluster_work *s, kane_loop_block *b, double **LU, double **LU_position, double **B)
{
    const int all_have_values = b->position_count == b->count;
    b->LU                     = reserve_numbers(LU, b->P.size);
    b->pivot                  = s->pivot + (b->member - s->member);
    b->LU_position            = all_have_values ? b->LU : reserve_numbers(LU_position, b->P_position.size);
    b->pivot_position         = all_have_values ? b->pivot : s->pivot_position + (b->member - s->member);
    b->B                      = reserve_numbers(B, b->count * b->free_count);
}

// Members, patterns and memory of all blocks, after a choice.
void kane_blocks_arrange(kane_cluster_work *s)
{
    const int u = s->cluster->v_count - s->cluster->rank;
    int *list   = s->block_lists;
    double *LU = s->LU, *LU_position = s->LU_position, *B = s->B;
    list_members(s);
    for (int k = 0; k < s->block_count; k++, list += u) {
        s->blocks[k].free = list;
        list_free(s, &s->blocks[k]);
        give_room(s, &s->blocks[k], &LU, &LU_position, &B);
    }
    list_loads(s);
    kane_blocks_arrange_inertia(s);
    s->factored = s->solved = 0;
}

// === Rows.

// Coefficients of the first `count` rows of a block into P (to A) and -Q (to B); NULL: not wanted.
static inline void fill_block_matrices(const kane_cluster_work *s, const kane_loop_block *b, int count, const int *to,
                                       double *A, double *B)
{
    for (int m = 0; m < count; m++) {
        const int row = s->row[b->row[m]];
        for (int j = s->cluster->coefficient_begin[row]; j < s->cluster->coefficient_begin[row + 1]; j++)
            if (to[j] < 0 && B)
                B[~to[j]] = -s->J[j];
            else if (to[j] >= 0 && A)
                A[to[j]] = s->J[j];
    }
}

// P = L U, block by block, rows with values only.
int kane_blocks_factor_positions(kane_cluster_work *s)
{
    const int done = s->factored;
    if (done & KANE_FACTORED_POSITIONS)
        return 1;
    s->factored = 0;
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        if (done && b->LU_position == b->LU)
            continue;
        memset(b->LU_position, 0, (size_t)b->P_position.size * sizeof *b->LU_position);
        fill_block_matrices(s, b, b->position_count, s->position_to, b->LU_position, NULL);
        if (!kane_envelope_factor(&b->P_position, b->LU_position, b->pivot_position))
            return 0;
    }
    s->factored = done | KANE_FACTORED_POSITIONS;
    return 1;
}

// P = L U and B = -P^-1 Q, block by block. least, most: smallest and largest pivot.
int kane_blocks_factor(kane_cluster_work *s, double *least, double *most)
{
    const int done = s->factored;
    *least         = HUGE_VAL;
    *most          = 0.0;
    s->factored    = 0;
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        memset(b->B, 0, (size_t)(b->count * b->free_count) * sizeof *b->B);
        if ((done & KANE_FACTORED_ALL) || (done && b->LU_position == b->LU)) {
            fill_block_matrices(s, b, b->count, s->coefficient_to, NULL, b->B);
        } else {
            memset(b->LU, 0, (size_t)b->P.size * sizeof *b->LU);
            fill_block_matrices(s, b, b->count, s->coefficient_to, b->LU, b->B);
            if (!kane_envelope_factor(&b->P, b->LU, b->pivot))
                return 0;
        }
        for (int m = 0; m < b->count; m++) {
            *least = fmin(*least, fabs(b->LU[b->P.at[m] + m]));
            *most  = fmax(*most, fabs(b->LU[b->P.at[m] + m]));
        }
        kane_envelope_solve(&b->P, b->LU, b->pivot, b->free_count, b->B);
    }
    s->factored = done | KANE_FACTORED_ALL;
    return 1;
}

// own_m = x[list_m]
static inline void copy_listed(int count, const int *list, const double *x, double *own)
{
    for (int m = 0; m < count; m++)
        own[m] = x[list[m]];
}

// x[list_m] = own_m
static inline void store_listed(int count, const int *list, const double *own, double *x)
{
    for (int m = 0; m < count; m++)
        x[list[m]] = own[m];
}

// P x = b, block by block; b by rows, x by dependent speeds.
void kane_blocks_solve(kane_cluster_work *s, double *x)
{
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        copy_listed(b->count, b->row, x, s->of_block);
        kane_envelope_solve(&b->P, b->LU, b->pivot, 1, s->of_block);
        store_listed(b->count, b->member, s->of_block, x);
    }
}

// P x = b of the rows with values.
void kane_blocks_solve_positions(kane_cluster_work *s, double *x)
{
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        copy_listed(b->position_count, b->row, x, s->of_block);
        kane_envelope_solve(&b->P_position, b->LU_position, b->pivot_position, 1, s->of_block);
        store_listed(b->position_count, b->member, s->of_block, x);
    }
}

// P' x = b; b by dependent speeds, x by rows.
void kane_blocks_solve_transposed(kane_cluster_work *s, double *x)
{
    for (int k = 0; k < s->block_count; k++) {
        const kane_loop_block *b = &s->blocks[k];
        copy_listed(b->count, b->member, x, s->of_block);
        kane_envelope_solve_transposed(&b->P, b->LU, b->pivot, s->of_block);
        store_listed(b->count, b->row, s->of_block, x);
    }
}

// P x = e, in the block of row `one` only: x is zero elsewhere.
const kane_loop_block *kane_blocks_solve_unit(kane_cluster_work *s, int one)
{
    const kane_loop_block *b = &s->blocks[s->block_of[one]];
    for (int m = 0; m < b->count; m++)
        s->of_block[m] = b->row[m] == one ? 1.0 : 0.0;
    kane_envelope_solve(&b->P, b->LU, b->pivot, 1, s->of_block);
    return b;
}

// === Speeds.

// v_d += B u,   v_u += u
void kane_blocks_solve_position(const kane_cluster_work *s, const double *u, double *v)
{
    const kane_cluster *c = s->cluster;
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

// u = f_u + B' f_d: the transposed map, (60).
void kane_blocks_inward_forces(const kane_cluster_work *s, const double *f, double *u)
{
    const kane_cluster *c = s->cluster;
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

// M = L L', in reversed order of the speeds.
int kane_blocks_factor_inertia(kane_cluster_work *s)
{
    return kane_cholesky_factor(s->cluster->v_count - s->cluster->rank, s->M, s->first) < 0;
}

// u_dot <- M^-1 u_dot
void kane_blocks_accelerate(kane_cluster_work *s, double *u_dot)
{
    const int u = s->cluster->v_count - s->cluster->rank;
    for (int j = 0; j < u; j++)
        s->reversed[j] = u_dot[u - 1 - j];
    kane_cholesky_solve(u, s->M, s->first, s->reversed);
    for (int j = 0; j < u; j++)
        u_dot[j] = s->reversed[u - 1 - j];
}

// f -= Theta_d v_dot_d, all entries of the columns of dependent speeds.
void kane_blocks_subtract_inertia(const kane_cluster_work *s, const double *dependent, double *f)
{
    for (int k = 0; k < s->load_count; k++)
        f[s->load[k].speed] -= s->theta[s->load[k].entry] * dependent[s->load[k].dependent];
}
