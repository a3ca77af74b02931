// SPDX-License-Identifier: MIT
// Fresh runs check points of the downward sweep: from equilibrium, disturbed by the amplitude of the cycle, motion must
// reach the same cycle. If it does not, the point may depend on the history of the sweep.

#include "stability/critical.h"

#include <math.h>

enum { AT_THE_END = 4, ELSEWHERE = 3 }; // points at the slow end of the branch; one of so many elsewhere

// How a fresh run begins, one after the other until it comes to the cycle: along the mode that is damped least, by the
// amplitude of the cycle and by more; the whole vehicle set aside. None of them has the shape of the cycle: some of it
// dies at once, and what is left may be too little. So at last in the shape of the cycle, but larger (at the flanges
// not much).
static const struct {
    double part; // of the deviation that the cycle has from equilibrium
    kane_perturbation way;
    double amount; // over the amplitude of the cycle
} tries[] = {{0.0, KANE_PERTURB_MODE, 1.0},
             {0.0, KANE_PERTURB_MODE, 1.25},
             {0.0, KANE_PERTURB_WHOLE, 1.0},
             {1.2, KANE_PERTURB_MODE, 0.0},
             {1.05, KANE_PERTURB_MODE, 0.0}};
enum { TRIES = sizeof tries / sizeof *tries };

typedef struct checks {
    search *search;
    int count;
    int *point;        // indices of points of the downward sweep
    double *amplitude; // to begin with [m]
} checks;

// 1: both runs have ended in the same way: rest, derailment, or amplitudes whose ranges overlap within 10 tolerance
// amplitude.
static int is_same(const kane_critical_point *a, const kane_critical_point *b, double tolerance)
{
    if (!point_lives(a) || !point_lives(b))
        return a->motion == b->motion;
    const kane_critical_swing *sa = &a->swing[a->largest], *sb = &b->swing[b->largest];
    const double margin = 10.0 * tolerance * sa->amplitude;
    return sa->least - margin <= sb->most && sb->least - margin <= sa->most;
}

// One fresh run at the speed of a point, with the disturbance of tries[attempt]. KANE_CHECK_NONE: it could not start.
static kane_check run_fresh(search *s, const kane_critical_point *point, int attempt, double amplitude, visit *fresh)
{
    const kane_beginning begin = {.from   = branch_deviation(s, &s->report->branch[KANE_SWEEP_DOWN], point),
                                  .part   = tries[attempt].part,
                                  .way    = tries[attempt].way,
                                  .amount = tries[attempt].amount * amplitude};
    if (!search_run_speed(s, point->speed, KANE_SWEEP_DOWN, 1, &begin, fresh))
        return KANE_CHECK_NONE;
    return is_same(point, &fresh->point, s->study->rules.tolerance) ? KANE_CHECK_SAME : KANE_CHECK_OTHER;
}

static void check_point(int index, void *data)
{
    const checks *c            = data;
    search *s                  = c->search;
    kane_critical_point *point = &s->report->branch[KANE_SWEEP_DOWN].points[c->point[index]];
    kane_check found           = KANE_CHECK_NONE;
    visit fresh;
    const int has_room = visit_create(s, &fresh);
    for (int i = 0; has_room && i < (point_lives(point) ? TRIES : 1) && found != KANE_CHECK_SAME; i++) {
        const kane_check now = run_fresh(s, point, i, c->amplitude[index], &fresh);
        found                = now != KANE_CHECK_NONE ? now : found;
    }
    visit_clear(&fresh);
    kane_lock_take(&s->lock);
    point->check = found;
    kane_lock_give(&s->lock);
}

static void add_check(checks *c, int point, double amplitude)
{
    c->point[c->count]       = point;
    c->amplitude[c->count++] = amplitude;
}

// Points to check, from slow to fast; and the fastest one below the branch, where motion of that amplitude must come to
// rest.
static void choose_points(checks *c, const branch *b)
{
    int alive = 0;
    for (int i = b->count - 1; i >= 0; i--) {
        if (!point_lives(&b->points[i]) || point_fades(&b->points[i]))
            continue;
        if (alive == 0 && i + 1 < b->count && b->points[i + 1].motion == KANE_MOTION_DIED)
            add_check(c, i + 1, point_amplitude(&b->points[i]));
        if (alive < AT_THE_END || (alive - AT_THE_END) % ELSEWHERE == ELSEWHERE - 1)
            add_check(c, i, point_amplitude(&b->points[i]));
        alive++;
    }
}

void check_branch(search *s)
{
    const branch *b = &s->report->branch[KANE_SWEEP_DOWN];
    checks c        = {.search = s};
    c.point         = kane_allocate((size_t)b->count + 1, sizeof *c.point);
    c.amplitude     = kane_allocate((size_t)b->count + 1, sizeof *c.amplitude);
    if (c.point && c.amplitude) {
        choose_points(&c, b);
        s->expected = s->done + c.count;
        kane_pool_run(s->study->threads, c.count, check_point, &c);
    } else {
        kane_errors errors = {.limit = 1};
        (void)kane_no_memory(&errors);
        search_fail(s, &errors);
    }
    kane_release(c.point);
    kane_release(c.amplitude);
}
