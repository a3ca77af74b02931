// SPDX-License-Identifier: MIT
// Consistent states of a cluster from rough ones: first coordinates, then the rank of the rows, then speeds.
//
// Coordinates: Levenberg's method. It takes the step that leaves least of the rows, less far where the last one was of no
// use. Where it ends without all rows closed they contradict each other, or the start was a bad one: then other starts
// nearby are tried.

#include "tree/loops_assemble.h"

#include <string.h>

enum { MOST_ITERATIONS = 200, STARTS = 12 };

// No row is worth another step below this [m], [rad].
static const double round_off = 1e-15;

// Steps are cut to this [m], [rad].
static const double longest_step = 0.5;

// The last other start is so far from the given one [m], [rad].
static const double farthest = 1.5;

// Rates that are left open by less are closed [m/s], [rad/s].
static const double closed_rate = 1e-9;

// Constraints that are named have at least this part of the greatest row that is left.
static const double worth_naming = 1e-3;

// One damped step from where G was found; returns what is left then. The state stays there.
static double try_step(kane_assembler *a, double damping, double *size)
{
    const size_t bytes = (size_t)a->tree->q_count * sizeof *a->q;
    memcpy(a->q, a->work->q, bytes);
    *size = kane_assembler_step(a, damping);
    if (*size > longest_step)
        for (int k = 0; k < a->cluster->v_count; k++)
            a->dv[k] *= longest_step / *size;
    kane_assembler_shift(a);
    return kane_assembler_look(a, 0);
}

static double greatest_row(const kane_assembler *a)
{
    double most = 0.0;
    if (a->even)
        return 1.0;
    for (int i = 0; i < a->cluster->row_count * a->cluster->v_count; i++)
        most = fmax(most, fabs(a->G[i]));
    return most;
}

// The square of the damping is in proportion to what is left: near a solution, where rows that are redundant differ by
// round-off or by curvature only, directions that those alone would ask for are not taken, and convergence is quadratic.
double kane_assembler_close(kane_assembler *a)
{
    const size_t bytes = (size_t)a->tree->q_count * sizeof *a->q;
    double left = kane_assembler_look(a, 0), factor = 1.0, size;
    for (int iteration = 0; iteration < MOST_ITERATIONS && isfinite(left); iteration++) {
        if (left <= round_off)
            break;
        const double next = try_step(a, factor * sqrt(fmin(left, 1.0)) * greatest_row(a), &size);
        if (next < left) {
            const int slow = left <= KANE_CLOSED && next > 0.5 * left;
            left           = next;
            factor         = fmax(0.5 * factor, 0.1);
            if (slow || size <= round_off)
                break;
            continue;
        }
        memcpy(a->work->q, a->q, bytes);
        left = kane_assembler_look(a, 0);
        factor *= 4.0;
        if (left <= KANE_CLOSED || size <= round_off || factor > 1e8)
            break;
    }
    return left;
}

// From the given start, then from others further and further away; the best is kept.
static double search(kane_assembler *a, const double *start, double *best)
{
    const size_t bytes = (size_t)a->tree->q_count * sizeof *start;
    double least       = HUGE_VAL;
    memcpy(best, start, bytes);
    for (int i = 0; i < STARTS; i++) {
        memcpy(a->work->q, start, bytes);
        if (i > 0) {
            (void)kane_assembler_look(a, 0);
            kane_assembler_scatter(a, farthest * i / STARTS);
            kane_assembler_shift(a);
        }
        const double left = kane_assembler_close(a);
        if (left < least) {
            least = left;
            memcpy(best, a->work->q, bytes);
        }
        if (least <= KANE_CLOSED)
            break;
    }
    memcpy(a->work->q, best, bytes);
    return least;
}

// Heavy bodies hardly move in kinetic scales where light ones could: what cannot be closed so is tried with even rows.
static double find_position(kane_assembler *a, const int *held_q, double *start)
{
    const size_t count = (size_t)a->tree->q_count, bytes = count * sizeof *start;
    double *best = start + count, *other = best + count;
    memcpy(start, a->work->q, bytes);
    kane_assembler_hold_coordinates(a, held_q);
    const double left = search(a, start, best);
    if (left <= KANE_CLOSED)
        return left;
    a->even           = 1;
    const double even = search(a, start, other);
    if (even <= KANE_CLOSED)
        return even;
    a->even = 0;
    memcpy(a->work->q, best, bytes);
    return left;
}

static void find_speeds(kane_assembler *a, const int *held_v)
{
    kane_assembler_hold_speeds(a, held_v);
    for (int pass = 0; pass < 2; pass++) {
        (void)kane_assembler_look(a, 1);
        (void)kane_assembler_step(a, 0.0);
        for (int k = 0; k < a->cluster->v_count; k++)
            a->work->v[a->cluster->speeds[k]] += a->dv[k];
    }
    (void)kane_assembler_look(a, 1);
}

static int is_named(const kane_assembly *assembly, const char *name)
{
    for (int i = 0; i < assembly->conflict_count; i++)
        if (assembly->conflict[i] == name)
            return 1;
    return 0;
}

// The constraints whose rows are open most.
static void name_conflict(const kane_assembler *a, kane_assembly *assembly)
{
    const kane_cluster *c = a->cluster;
    const int room        = (int)(sizeof assembly->conflict / sizeof *assembly->conflict);
    for (int i = 0; i < c->row_count; i++)
        assembly->left = fmax(assembly->left, fabs(a->left[i]));
    for (int n = 0; n < room; n++) {
        const char *name = NULL;
        double most      = worth_naming * assembly->left;
        for (int i = 0; i < c->closure_count; i++)
            for (int row = c->row_begin[i]; row < c->row_begin[i + 1]; row++)
                if (fabs(a->left[row]) > most && !is_named(assembly, c->closures[i]->name)) {
                    most = fabs(a->left[row]);
                    name = c->closures[i]->name;
                }
        if (!name)
            break;
        assembly->conflict[assembly->conflict_count++] = name;
    }
}

static void assemble(kane_assembler *a, const int *held_q, const int *held_v, double *start, kane_assembly *assembly)
{
    kane_cluster *c       = a->cluster;
    const size_t bytes    = (size_t)a->tree->q_count * sizeof *start;
    const double open     = find_position(a, held_q, start);
    const int is_possible = open <= KANE_CLOSED;
    const int is_finite   = isfinite(kane_assembler_look(a, 0));
    if (!is_possible) {
        if (is_finite)
            name_conflict(a, assembly);
        else
            assembly->left = HUGE_VAL;
        return;
    }
    memcpy(start, a->work->q, bytes);
    kane_assembler_rank(a);
    memcpy(a->work->q, start, bytes);
    c->u_count = c->form == KANE_FORM_MULTIPLIERS ? c->v_count : c->v_count - c->rank;
    find_speeds(a, held_v);
    for (int i = 0; i < c->row_count; i++)
        assembly->left = fmax(assembly->left, fabs(a->left[i]));
    assembly->solved = assembly->left <= closed_rate && c->rank >= 0;
    if (!assembly->solved)
        name_conflict(a, assembly);
}

void kane_cluster_assemble(const kane_tree *tree, kane_cluster *cluster, kane_cluster_work *scratch,
                           const kane_transport *frames, const kane_base *bases, const int *held_q, const int *held_v,
                           kane_tree_work *work, kane_assembly *assembly)
{
    kane_assembler a = {.tree    = tree,
                        .cluster = cluster,
                        .s       = scratch,
                        .frames  = frames,
                        .bases   = bases,
                        .work    = work,
                        .arena   = kane_arena_create()};
    *assembly        = (kane_assembly){.no_memory = !a.arena};
    if (a.arena) {
        double *start = kane_arena_doubles(a.arena, 3 * (size_t)tree->q_count);
        if (start && kane_assembler_create(&a))
            assemble(&a, held_q, held_v, start, assembly);
        else
            assembly->no_memory = 1;
        assembly->no_memory = assembly->no_memory || a.no_memory;
    }
    kane_arena_free(a.arena);
}
