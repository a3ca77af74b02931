// SPDX-License-Identifier: MIT
// The sparse Jacobian of dy/dt.
//
// Columns of the travel s, v are differenced where they are states (everything depends on where the frames are); all
// other entries are put together from local derivatives. The frames' acceleration a of a driven vehicle depends on its
// guide, so that the guide's x' and v'_x meet every row.

#include <kane/jacobian.h>

#include "agem/derive_states.h"
#include "agem/joined_derive.h"
#include "base/arena.h"
#include "simulate/follower.h"

#include <string.h>

struct kane_jacobian {
    kane_arena *arena;
    kane_pattern *pattern;
    int size;                                  // of the matrix
    kane_derivative blocks;                    //
    int (*at)[6][KANE_BODY_STATES];            // place of each entry of `accelerations`, by pair; -1: not stored
    int (*coordinate_at)[6][KANE_BODY_STATES]; // of `coordinates`, by body
    int *joined_at;                            // place of each entry of joined bodies
    int *states_at;                            // of the states of elements
    kane_follower *follower;                   // of a driven vehicle; NULL: none
    double *y, *up, *down;                     // scratch of differences
};

// Entries of d(q_dot)/d(q, u).
static int couples_coordinates(const kane_body *body, int row, int local)
{
    const kane_freedom_map *map = &body->map;
    if (!(body->freedoms & KANE_FREEDOM(row)))
        return 0;
    if (body->follows && row >= KANE_Z)
        return kane_derive_matters(body, local);
    if (row <= KANE_Z)
        return local >= 6 && local < 6 + map->translation_count && map->translation[local - 6] == row;
    if (map->rotation_count == 3)
        return local == KANE_YAW || local == KANE_ROLL || local >= 6 + map->translation_count;
    return local >= 6 + map->translation_count && map->rotation[local - 6 - map->translation_count] + KANE_YAW == row;
}

// Pairs of bodies that both stand alone, and those bodies themselves; joined ones name their entries one by one.
static int is_alone(const kane_model *model, int body)
{
    return model->bodies[body].link < 0;
}

static int pair_is_alone(const kane_model *model, int p)
{
    return is_alone(model, model->pairs[p].row) && is_alone(model, model->pairs[p].column);
}

static void add_entries(int count, const kane_entry *entry, kane_pattern_entries *entries)
{
    for (int i = 0; i < count; i++)
        kane_pattern_add(entries, entry[i].row, entry[i].column);
}

// Columns of travel that are differenced: s, and the v of a driven vehicle.
static int differenced(const kane_model *model)
{
    return model->travel_count < 2 ? model->travel_count : 2;
}

static kane_pattern *make_pattern(const kane_model *model, const kane_derivative *blocks, const kane_follower *follower,
                                  int size)
{
    kane_pattern_entries *entries = kane_pattern_begin(size);
    if (blocks->joined)
        add_entries(kane_joined_entry_count(blocks->joined), kane_joined_entries(blocks->joined), entries);
    if (blocks->state_entries)
        add_entries(blocks->state_entries->count, blocks->state_entries->entries, entries);
    for (int p = 0; p < model->pair_count; p++) {
        const kane_body *row = &model->bodies[model->pairs[p].row], *column = &model->bodies[model->pairs[p].column];
        if (!pair_is_alone(model, p))
            continue;
        for (int c = 0; c < 6 + column->u_count; c++)
            if (kane_derive_matters(column, c))
                kane_pattern_add_block(entries, row->u, row->u_count, kane_derive_state_index(column, c), 1);
    }
    for (int j = 0; j < model->body_count; j++)
        for (int row = 0; row < KANE_COORDINATES && is_alone(model, j); row++)
            for (int c = 0; c < 6 + model->bodies[j].u_count; c++)
                if (couples_coordinates(&model->bodies[j], row, c))
                    kane_pattern_add(entries, model->bodies[j].q + row, kane_derive_state_index(&model->bodies[j], c));
    kane_pattern_add_block(entries, 0, model->state_count, 0, differenced(model));
    if (follower)
        kane_follower_name(follower, model, entries);
    return kane_pattern_finish(entries);
}

static void index_entries(kane_jacobian *jacobian, const kane_model *model)
{
    for (int p = 0; p < model->pair_count; p++) {
        const kane_body *row = &model->bodies[model->pairs[p].row], *column = &model->bodies[model->pairs[p].column];
        for (int i = 0; i < 6; i++)
            for (int c = 0; c < KANE_BODY_STATES; c++)
                jacobian->at[p][i][c] =
                    pair_is_alone(model, p) && i < row->u_count && c < 6 + column->u_count &&
                            kane_derive_matters(column, c)
                        ? kane_pattern_find(jacobian->pattern, row->u + i, kane_derive_state_index(column, c))
                        : -1;
    }
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *body = &model->bodies[j];
        for (int i = 0; i < KANE_COORDINATES; i++)
            for (int c = 0; c < KANE_BODY_STATES; c++)
                jacobian->coordinate_at[j][i][c] =
                    body->link < 0 && c < 6 + body->u_count && couples_coordinates(body, i, c)
                        ? kane_pattern_find(jacobian->pattern, body->q + i, kane_derive_state_index(body, c))
                        : -1;
    }
}

// Places of entries that are listed one by one.
static void index_listed(const kane_jacobian *jacobian, int count, const kane_entry *entry, int *at)
{
    for (int i = 0; i < count; i++)
        at[i] = kane_pattern_find(jacobian->pattern, entry[i].row, entry[i].column);
}

static int create_joined(kane_jacobian *jacobian, const kane_model *model)
{
    if (model->tree.link_count == 0)
        return 1;
    jacobian->blocks.joined = kane_joined_derivative_create(model, jacobian->arena);
    if (!jacobian->blocks.joined)
        return 0;
    const size_t count             = (size_t)kane_joined_entry_count(jacobian->blocks.joined);
    jacobian->blocks.joined_values = kane_arena_alloc(jacobian->arena, count, sizeof(double));
    jacobian->joined_at            = kane_arena_alloc(jacobian->arena, count, sizeof(int));
    return !kane_arena_failed(jacobian->arena);
}

static int create_states(kane_jacobian *jacobian, const kane_model *model)
{
    const size_t elements = (size_t)model->remembering_count;
    if (elements == 0)
        return 1;
    jacobian->blocks.states        = kane_arena_alloc(jacobian->arena, elements, sizeof *jacobian->blocks.states);
    jacobian->blocks.state_entries = kane_state_entries_create(model, jacobian->arena);
    if (!jacobian->blocks.state_entries)
        return 0;
    jacobian->states_at = kane_arena_alloc(jacobian->arena, (size_t)jacobian->blocks.state_entries->count, sizeof(int));
    return !kane_arena_failed(jacobian->arena);
}

static int create_follower(kane_jacobian *jacobian, const kane_model *model)
{
    if (!kane_model_is_driven(model))
        return 1;
    jacobian->follower = kane_follower_create(model, jacobian->blocks.joined, jacobian->arena);
    return jacobian->follower != NULL;
}

kane_jacobian *kane_jacobian_create(const kane_model *model, int size)
{
    kane_arena *arena       = kane_arena_create();
    kane_jacobian *jacobian = arena ? kane_arena_alloc(arena, 1, sizeof *jacobian) : NULL;
    if (!jacobian) {
        kane_arena_free(arena);
        return NULL;
    }
    const size_t pairs = (size_t)model->pair_count, bodies = (size_t)model->body_count;
    const size_t states            = (size_t)model->state_count;
    jacobian->arena                = arena;
    jacobian->size                 = size;
    jacobian->blocks.wrench        = kane_arena_alloc(arena, pairs, sizeof *jacobian->blocks.wrench);
    jacobian->blocks.accelerations = kane_arena_alloc(arena, pairs, sizeof *jacobian->blocks.accelerations);
    jacobian->blocks.coordinates   = kane_arena_alloc(arena, bodies, sizeof *jacobian->blocks.coordinates);
    jacobian->blocks.guided = kane_arena_alloc(arena, (size_t)model->wheels_count, sizeof *jacobian->blocks.guided);
    jacobian->blocks.travel = kane_arena_alloc(arena, bodies, sizeof *jacobian->blocks.travel);
    jacobian->at            = kane_arena_alloc(arena, pairs, sizeof *jacobian->at);
    jacobian->coordinate_at = kane_arena_alloc(arena, bodies, sizeof *jacobian->coordinate_at);
    jacobian->y             = kane_arena_alloc(arena, states, sizeof *jacobian->y);
    jacobian->up            = kane_arena_alloc(arena, states, sizeof *jacobian->up);
    jacobian->down          = kane_arena_alloc(arena, states, sizeof *jacobian->down);
    const int good =
        create_joined(jacobian, model) && create_states(jacobian, model) && create_follower(jacobian, model);
    if (good)
        jacobian->pattern = make_pattern(model, &jacobian->blocks, jacobian->follower, size);
    if (kane_arena_failed(arena) || !jacobian->pattern) {
        kane_jacobian_free(jacobian);
        return NULL;
    }
    index_entries(jacobian, model);
    const kane_derivative *blocks = &jacobian->blocks;
    if (blocks->joined)
        index_listed(jacobian, kane_joined_entry_count(blocks->joined), kane_joined_entries(blocks->joined),
                     jacobian->joined_at);
    if (blocks->state_entries)
        index_listed(jacobian, blocks->state_entries->count, blocks->state_entries->entries, jacobian->states_at);
    return jacobian;
}

void kane_jacobian_free(kane_jacobian *jacobian)
{
    if (!jacobian)
        return;
    kane_pattern_free(jacobian->pattern);
    kane_arena_free(jacobian->arena);
}

const kane_pattern *kane_jacobian_pattern(const kane_jacobian *jacobian)
{
    return jacobian->pattern;
}

// Columns of s and v by central differences.
static kane_status fill_travel(kane_jacobian *jacobian, const kane_model *model, kane_work *work, double t,
                               const double *y, double *values)
{
    static const double step[2] = {1e-3, 1e-7}; // m, m/s: creepage grows fast when wheels are slow
    memcpy(jacobian->y, y, (size_t)model->state_count * sizeof *y);
    for (int column = 0; column < differenced(model); column++) {
        jacobian->y[column] = y[column] + step[column];
        kane_status status  = kane_eval(model, work, t, jacobian->y, jacobian->up);
        jacobian->y[column] = y[column] - step[column];
        if (status == KANE_OK)
            status = kane_eval(model, work, t, jacobian->y, jacobian->down);
        if (status != KANE_OK)
            return status;
        jacobian->y[column] = y[column];
        double *entries     = values + jacobian->pattern->column_start[column]; // holds every row of the model
        for (int row = 0; row < model->state_count; row++)
            entries[row] += (jacobian->up[row] - jacobian->down[row]) / (2.0 * step[column]);
    }
    return KANE_OK;
}

static void add_block(int (*at)[KANE_BODY_STATES], double (*block)[KANE_BODY_STATES], double *values)
{
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < KANE_BODY_STATES; c++)
            if (at[i][c] >= 0)
                values[at[i][c]] += block[i][c];
}

kane_status kane_jacobian_eval(kane_jacobian *jacobian, const kane_model *model, kane_work *work, double t,
                               const double *y, double *ydot, double *values)
{
    kane_status status = kane_eval(model, work, t, y, ydot);
    if (status == KANE_OK)
        status = kane_derive(model, work, &jacobian->blocks);
    if (status != KANE_OK)
        return status;

    memset(values, 0, (size_t)jacobian->pattern->count * sizeof *values);
    for (int p = 0; p < model->pair_count; p++)
        if (pair_is_alone(model, p))
            add_block(jacobian->at[p], jacobian->blocks.accelerations[p], values);
    for (int j = 0; j < model->body_count; j++)
        if (is_alone(model, j))
            add_block(jacobian->coordinate_at[j], jacobian->blocks.coordinates[j], values);
    const int joined = jacobian->blocks.joined ? kane_joined_entry_count(jacobian->blocks.joined) : 0;
    for (int i = 0; i < joined; i++)
        values[jacobian->joined_at[i]] += jacobian->blocks.joined_values[i];
    const kane_state_entries *states = jacobian->blocks.state_entries;
    for (int i = 0; states && i < states->count; i++)
        values[jacobian->states_at[i]] += states->values[i];
    if (!model->travel_count || work->steady) // where frames do not accelerate nobody asks for s and v
        return KANE_OK;
    if (jacobian->follower)
        kane_follower_fill(jacobian->follower, model, work, &jacobian->blocks, jacobian->pattern, values);
    return fill_travel(jacobian, model, work, t, y, values);
}

kane_status kane_jacobian_project(const kane_jacobian *jacobian, double *P)
{
    return jacobian->blocks.joined ? kane_joined_derive_projection(jacobian->blocks.joined, P) : KANE_OK;
}
