// SPDX-License-Identifier: MIT
// D, how coordinates and speeds of a cluster follow from those that are integrated, against differences.

#include "mechanism_samples.h"

#include "tree/loops_derive.h"
#include "tree/loops_work.h"

typedef void builder(mechanism *m, kane_constraint_form form);

static void four_bar_ball(mechanism *m, kane_constraint_form form)
{
    sample_four_bar(m, form, KANE_CONSTRAINT_SPHERICAL);
}

// D of the state that was evaluated last.
static const kane_cluster_derivative *derive(mechanism *m)
{
    kane_arena *arena    = m->s.arena;
    kane_derive_map *map = kane_derive_map_create(&m->s.tree, NULL, 0, NULL, 0, arena);
    assert_non_null(map);
    kane_derive_work *work          = kane_derive_work_create(map, arena);
    kane_rates_map *rates           = kane_rates_map_create(map, arena);
    double *values                  = kane_arena_doubles(arena, kane_derive_map_values(map) + 1);
    double *rates_values            = kane_arena_doubles(arena, kane_rates_map_values(rates) + 1);
    kane_cluster_derivative *d      = kane_cluster_derivative_create(&m->s.tree, &m->cluster, map, rates, arena);
    kane_derived_group *groups      = kane_arena_alloc(arena, (size_t)kane_derive_map_count(map), sizeof *groups);
    const kane_tree_derived derived = {map, work, groups, rates, rates_values};
    for (int g = 0; groups && g < kane_derive_map_count(map); g++)
        groups[g] = kane_derive_map_rows(map, g, values);
    assert_non_null(d);
    (void)mechanism_multipliers(m);
    kane_tree_derive(map, work, &m->s.work, &m->s.base, NULL, NULL, values);
    kane_tree_derive_rates(rates, work, &m->s.work, &m->s.base, rates_values);
    kane_cluster_derive(m->scratch, &derived, d);
    return d;
}

// How a state or follower changes by a column of y.
static double slope_of(const kane_cluster_derivative *d, int state, int column)
{
    const int at = d->active_of[column] - d->direction[state].first; // below 0 where it is not active
    return at < 0 || at >= d->direction[state].count ? 0.0 : d->direction[state].slope[at];
}

// Coordinates, then speeds, of a state y moved by h along one of its entries.
static void follow_from(mechanism *m, const double *y, int entry, double h, double *states)
{
    double moved[MECHANISM_STATES];
    memcpy(moved, y, sizeof moved);
    moved[entry] += h;
    mechanism_set(m, moved);
    assert_true(mechanism_follow(m));
    memcpy(states, m->s.work.q, (size_t)m->s.tree.q_count * sizeof *states);
    memcpy(states + m->s.tree.q_count, m->s.work.v, (size_t)m->s.tree.v_count * sizeof *states);
}

static void check_directions(mechanism *m, const char *name)
{
    static const double h = 1e-5;
    double y[MECHANISM_STATES], up[2 * MECHANISM_STATES], down[2 * MECHANISM_STATES];
    kane_cluster_get_speeds(m->scratch, m->u);
    assert_true(mechanism_eval(m));
    mechanism_get(m, y);
    const kane_cluster_derivative *d = derive(m);
    for (int column = 0; column < d->column_count; column++) {
        const int entry = column < d->q_count ? d->states[column] : m->s.tree.q_count + column - d->q_count;
        follow_from(m, y, entry, h, up);
        follow_from(m, y, entry, -h, down);
        for (int i = 0; i < d->state_count; i++) {
            const double expected = (up[d->states[i]] - down[d->states[i]]) / (2.0 * h);
            const double found    = slope_of(d, i, column);
            if (!(fabs(found - expected) <= 1e-7 * (1.0 + fabs(expected))))
                fail_msg("%s: state %d by column %d: %.10g, not %.10g", name, i, column, found, expected);
        }
    }
    mechanism_set(m, y);
    assert_true(mechanism_follow(m));
}

CHECK_TEST(all_that_follows_has_its_directions)
{
    static const struct {
        const char *name;
        builder *build;
    } samples[] = {{"four-bar", four_bar_ball},   {"slider-crank", sample_slider_crank},
                   {"cylinder", sample_cylinder}, {"gear and rod", sample_gear},
                   {"rates", sample_rates},       {"pinned body", sample_pinned_body}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        CHECK_END(mechanism_free) mechanism m = {0};
        samples[i].build(&m, KANE_FORM_COEFFICIENTS);
        assert_true(mechanism_assemble(&m));
        check_directions(&m, samples[i].name);
    }
}

// A body's place is counted against the crank that carries it, so its rate depends on the crank's speed. The crank's
// angle moves both alike and opens no joint: it stays a column that counts, although the crank's speed is dependent.
CHECK_TEST(a_coordinate_counts_whose_speed_moves_others)
{
    static const int partition[7]         = {0, 1, 2, 3, 4, 5, 6}; // the crank, x, y; then the independent ones
    CHECK_END(mechanism_free) mechanism m = {0};
    double moves                          = 0.0;
    sample_pinned_body(&m, KANE_FORM_COEFFICIENTS);
    assert_true(mechanism_assemble(&m));
    kane_cluster_set_partition(m.scratch, m.scratch->row, partition, m.scratch->scale);
    check_directions(&m, "pinned body, its crank dependent");
    const kane_cluster_derivative *d = derive(&m);
    for (int i = 0; i < d->state_count; i++)
        moves += fabs(slope_of(d, i, 0));
    assert_true(moves > 0.1);
}

CHECK_MAIN(NULL, NULL)
