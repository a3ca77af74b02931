// SPDX-License-Identifier: MIT
// Sensitivities S = dy/dp along a simulation.
//
//   dS/dt = J S + df/dp        by the Radau IIA method of order 5, three stages (L-stable, its last stage is the end):
//   S_i - h sum_j a_ij J_j S_j = S_0 + h sum_j a_ij (df/dp)_j,   J_j at (t + c_j h, y(t + c_j h))
//
// The equation is linear: one sparse factorisation of 3 n equations a step serves all parameters. It is integrated
// beside each step of the simulation, whose polynomial gives y inside it. Steps are halved until that changes nothing
// that matters.
//
// Neighbours p - e, p + e at y - e S, y + e S go through what is no differential equation: projections and events.
// An event that neighbours have at another time t + dt is crossed there:
//   y* = y + f dt,   map at t + dt,   y = y* - f+ dt      f, f+: rates before and after it

#include <kane/sensitivity.h>

#include "agem/bodies.h"
#include "simulate/simulation.h"

#include <string.h>

enum { STAGES = 3, MOST_PIECES = 1 << 14 };

#define ROOT_6 2.449489742783178098197284

static const double node[STAGES]           = {(4.0 - ROOT_6) / 10.0, (4.0 + ROOT_6) / 10.0, 1.0};
static const double weight[STAGES][STAGES] = {
    {(88.0 - 7.0 * ROOT_6) / 360.0, (296.0 - 169.0 * ROOT_6) / 1800.0, (-2.0 + 3.0 * ROOT_6) / 225.0},
    {(296.0 + 169.0 * ROOT_6) / 1800.0, (88.0 + 7.0 * ROOT_6) / 360.0, (-2.0 - 3.0 * ROOT_6) / 225.0},
    {(16.0 - ROOT_6) / 36.0, (16.0 + ROOT_6) / 36.0, 1.0 / 9.0},
};

// The simulation with p - e or p + e: its model and work.
typedef struct neighbour {
    const char *name; // of p
    const kane_model *model;
    kane_work *work;
    double *y, *rates;       // scratch [n]
    kane_channels *channels; // NULL: not chosen yet
    double *values;          // of the channels
} neighbour;

struct kane_sensitivity {
    kane_arena *arena;
    kane_simulation *simulation;
    const kane_model *model;
    kane_work *work; // of derivatives
    int n, count;    // states, parameters
    double accuracy;
    long rough_steps;
    double *size;                   // e [count]
    neighbour (*neighbour)[2];      // [count]
    kane_channels *channels;        // chosen ones
    kane_discrete *discrete, *next; // at the end of the last step; scratch
    double *y;                      // there [n]
    double begin;                   // of the last step [s]
    double *S_begin, *S_out;        // at the beginning of the last step, at the output time [count][n]
    double *S, *S_coarse, *S_fine;  // [count][n]; S_coarse, S_fine: scratch
    double *inside;                 // scratch: y inside a step [size of the simulation]
    double *weights;                // scratch [size of the simulation]
    kane_jacobian *jacobian;        //
    double *slopes;                 // scratch: J at the stages [STAGES][entries]
    double *forcing;                // scratch: df/dp at the stages [count][STAGES][n]
    double *rates;                  // scratch [n]
    double *right;                  // scratch: right side [STAGES * n]
    kane_pattern *pattern;          // of the stages' equations
    kane_sparse_lu *lu;
    double *values; // scratch: of the pattern
    int has_pivots;
};

// === Neighbours.

static kane_status report_neighbour(const neighbour *of, kane_errors *errors)
{
    const int before = errors ? errors->count : 0;
    kane_work_fault(of->model, of->work, errors);
    if (errors && errors->count > before)
        kane_errors_add(errors, KANE_INTEGRATION_FAILED, "that was beside the run, for its sensitivity to '%s'",
                        of->name);
    return KANE_INTEGRATION_FAILED;
}

// y + f dt
static kane_status shift_state(const neighbour *of, double t, double dt, double *y)
{
    if (dt == 0.0)
        return KANE_OK;
    const kane_status status = kane_eval(of->model, of->work, t, y, of->rates);
    for (int i = 0; i < of->model->state_count && status == KANE_OK; i++)
        y[i] += of->rates[i] * dt;
    return status;
}

// The next piece of the prescribed speed, at its own time.
static kane_status pass_speed(const neighbour *of, double t, double *y)
{
    const int next     = of->work->speed_piece + 1;
    const double dt    = next < of->model->piece_count ? of->model->pieces[next].time - t : 0.0;
    kane_status status = shift_state(of, t, dt, y);
    kane_work_pass_speed(of->work);
    return status == KANE_OK ? shift_state(of, t + dt, -dt, y) : status;
}

// The next piece of the line under a frame, where it passes the joint: distance beyond it over speed.
static kane_status cross_joint(const neighbour *of, int frame, double t, double *y)
{
    double s, v, a;
    kane_status status = kane_eval(of->model, of->work, t, y, of->rates);
    if (status != KANE_OK)
        return status;
    kane_get_travel(of->work, &s, &v, &a);
    const double dt = v > KANE_CREEPING ? -kane_work_beyond(of->model, of->work, frame) / v : 0.0;
    status          = shift_state(of, t, dt, y);
    if (status != KANE_OK)
        return status;
    kane_work_cross_joint(of->model, of->work, frame, t + dt, y);
    return shift_state(of, t + dt, -dt, y);
}

// y written for the independent speeds of `to`.
static kane_status renew_speeds(const neighbour *of, const kane_discrete *to, double t, double *y)
{
    kane_frames_eval(of->model, of->work, t, y);
    const kane_status status = kane_bodies_move(of->model, of->work, y);
    if (status != KANE_OK)
        return status;
    const kane_status set = kane_work_set_discrete(of->model, of->work, to);
    if (set == KANE_OK)
        kane_state_put(of->model, of->work, y);
    return set;
}

static int has_same_speeds(const kane_discrete *a, const kane_discrete *b)
{
    return memcmp(a->row, b->row, (size_t)a->row_count * sizeof *a->row) == 0 &&
           memcmp(a->tree_speed, b->tree_speed, (size_t)a->tree_speed_count * sizeof *a->tree_speed) == 0;
}

// All joints of the line between the present pieces of a neighbour and those of `to`.
static kane_status pass_joints(const kane_sensitivity *s, const neighbour *of, const kane_discrete *to, double t,
                               double *y)
{
    kane_status status = KANE_OK;
    for (int f = 0; f < to->frame_count; f++)
        while (status == KANE_OK && of->work->piece[f] < to->piece[f]) {
            if (s->simulation->settings.remap)
                status = cross_joint(of, f, t, y);
            else
                kane_work_skip_joint(of->model, of->work, f);
        }
    return status;
}

// A neighbour's state in the discrete state `from` taken to that of `to`: what lies between them happens to it, too.
static kane_status take_to_discrete(const kane_sensitivity *s, const neighbour *of, const kane_discrete *from,
                                    const kane_discrete *to, double t, double *y)
{
    kane_status status = kane_work_set_discrete(of->model, of->work, from);
    while (status == KANE_OK && of->work->speed_piece < to->speed_piece)
        status = pass_speed(of, t, y);
    if (status == KANE_OK)
        status = pass_joints(s, of, to, t, y);
    if (status == KANE_OK && !has_same_speeds(from, to))
        status = renew_speeds(of, to, t, y);
    if (status == KANE_OK)
        status = kane_work_set_discrete(of->model, of->work, to);
    if (status == KANE_OK && s->simulation->system.projected)
        status = kane_project(of->model, of->work, t, y);
    return status;
}

// y -+ e S
static const double *place_neighbour(const kane_sensitivity *s, int p, int side, const double *y, const double *S)
{
    const neighbour *of = &s->neighbour[p][side];
    const double e      = side ? s->size[p] : -s->size[p];
    for (int i = 0; i < s->n; i++)
        of->y[i] = y[i] + e * S[(size_t)p * (size_t)s->n + (size_t)i];
    return of->y;
}

// S of where both neighbours are.
static void difference_neighbours(const kane_sensitivity *s, int p, double *S)
{
    const neighbour *of = s->neighbour[p];
    for (int i = 0; i < s->n; i++)
        S[(size_t)p * (size_t)s->n + (size_t)i] = (of[1].y[i] - of[0].y[i]) / (2.0 * s->size[p]);
}

// S across what has happened to y at t.
static kane_status map_sensitivities(kane_sensitivity *s, const kane_discrete *from, const kane_discrete *to, double t,
                                     const double *y, double *S, kane_errors *errors)
{
    for (int p = 0; p < s->count; p++) {
        for (int side = 0; side < 2; side++) {
            const neighbour *of = &s->neighbour[p][side];
            (void)place_neighbour(s, p, side, y, S);
            if (take_to_discrete(s, of, from, to, t, of->y) != KANE_OK)
                return report_neighbour(of, errors);
        }
        difference_neighbours(s, p, S);
    }
    return KANE_OK;
}

// === The variational equation.

// y of the simulation at a time inside its last step.
static const double *read_inside(const kane_sensitivity *s, double t)
{
    kane_simulation *simulation = s->simulation;
    if (t >= simulation->t)
        return simulation->y;
    simulation->integrator->interpolate(simulation->integration, t, s->inside);
    kane_input_jump_unshift(simulation, t, s->inside);
    return s->inside;
}

// J and df/dp of a stage.
static kane_status evaluate_stage(kane_sensitivity *s, int stage, double t, kane_errors *errors)
{
    const double *y          = read_inside(s, t);
    const size_t n           = (size_t)s->n;
    double *slopes           = s->slopes + (size_t)stage * (size_t)kane_jacobian_pattern(s->jacobian)->count;
    const kane_status status = kane_jacobian_eval(s->jacobian, s->model, s->work, t, y, s->rates, slopes);
    if (status != KANE_OK) {
        kane_work_fault(s->model, s->work, errors);
        return KANE_INTEGRATION_FAILED;
    }
    for (int p = 0; p < s->count; p++) {
        const neighbour *of = s->neighbour[p];
        double *forcing     = s->forcing + ((size_t)p * STAGES + (size_t)stage) * n;
        for (int side = 0; side < 2; side++)
            if (kane_eval(of[side].model, of[side].work, t, y, of[side].rates) != KANE_OK)
                return report_neighbour(&of[side], errors);
        for (size_t i = 0; i < n; i++)
            forcing[i] = (of[1].rates[i] - of[0].rates[i]) / (2.0 * s->size[p]);
    }
    return KANE_OK;
}

// 1 - h a_ij J_j of all stages. Its columns have those of J one below the other, once for each stage.
static int factor_stages(kane_sensitivity *s, double h)
{
    const kane_pattern *J = kane_jacobian_pattern(s->jacobian);
    for (int j = 0; j < STAGES; j++)
        for (int column = 0; column < s->n; column++) {
            const int start = J->column_start[column], length = J->column_start[column + 1] - start;
            double *values = s->values + s->pattern->column_start[j * s->n + column];
            for (int i = 0; i < STAGES; i++)
                for (int k = 0; k < length; k++)
                    values[i * length + k] =
                        (i == j && J->row[start + k] == column) -
                        h * weight[i][j] * s->slopes[(size_t)j * (size_t)J->count + (size_t)(start + k)];
        }
    const int good = s->has_pivots ? kane_sparse_lu_factor(s->lu, s->values) : kane_sparse_lu_pivot(s->lu, s->values);
    s->has_pivots  = good;
    return good;
}

// S at t + h from S at t, in place.
static kane_status take_radau_step(kane_sensitivity *s, double t, double h, double *S, kane_errors *errors)
{
    const size_t n = (size_t)s->n;
    for (int i = 0; i < STAGES; i++) {
        const kane_status status = evaluate_stage(s, i, t + node[i] * h, errors);
        if (status != KANE_OK)
            return status;
    }
    if (!factor_stages(s, h)) {
        kane_errors_add_run(errors, KANE_INTEGRATION_FAILED, "", t, NAN, "%s",
                            kane_sparse_lu_lacks_memory(s->lu) ? kane_status_text(KANE_NO_MEMORY)
                                                               : "equations of sensitivities are singular");
        return KANE_INTEGRATION_FAILED;
    }
    for (int p = 0; p < s->count; p++) {
        const double *forcing = s->forcing + (size_t)p * STAGES * n;
        for (int i = 0; i < STAGES; i++)
            for (size_t k = 0; k < n; k++) {
                double sum = 0.0;
                for (int j = 0; j < STAGES; j++)
                    sum += weight[i][j] * forcing[(size_t)j * n + k];
                s->right[(size_t)i * n + k] = S[(size_t)p * n + k] + h * sum;
            }
        kane_sparse_lu_solve(s->lu, s->right);
        memcpy(S + (size_t)p * n, s->right + (STAGES - 1) * n, n * sizeof *S);
    }
    return KANE_OK;
}

// A change of e S in parts of the tolerances that is round-off of rates.
static const double negligible = 1e-9;

// Largest |S_fine - S_coarse| / |S_fine| of all parameters, in the norm of the tolerances.
static double compare_steps(const kane_sensitivity *s)
{
    double worst = 0.0;
    for (int p = 0; p < s->count; p++) {
        const double *fine = s->S_fine + (size_t)p * (size_t)s->n, *coarse = s->S_coarse + (size_t)p * (size_t)s->n;
        double sum = 0.0, change = 0.0;
        for (int i = 0; i < s->n; i++) {
            sum += fine[i] * s->weights[i] * fine[i] * s->weights[i];
            change += (fine[i] - coarse[i]) * s->weights[i] * (fine[i] - coarse[i]) * s->weights[i];
        }
        if (s->size[p] * sqrt(change / s->n) > negligible)
            worst = fmax(worst, sqrt(change / sum));
    }
    return worst;
}

// A step of h, and two of h/2 instead. *ratio: by how much they differ
static kane_status take_both_steps(kane_sensitivity *s, double t, double h, const double *S, double *ratio,
                                   kane_errors *errors)
{
    const size_t bytes = (size_t)s->count * (size_t)s->n * sizeof *S;
    memcpy(s->S_coarse, S, bytes);
    memcpy(s->S_fine, S, bytes);
    kane_status status = take_radau_step(s, t, h, s->S_coarse, errors);
    if (status == KANE_OK)
        status = take_radau_step(s, t, .5 * h, s->S_fine, errors);
    if (status == KANE_OK)
        status = take_radau_step(s, t + .5 * h, .5 * h, s->S_fine, errors);
    *ratio = compare_steps(s);
    return status;
}

// S from `begin` to `end` inside the last step of the simulation, in place. *rough: 1 if steps became too short
static kane_status integrate_interval(kane_sensitivity *s, double begin, double end, double *S, int *rough,
                                      kane_errors *errors)
{
    const double allowed = .01 * s->accuracy, shortest = (end - begin) / MOST_PIECES;
    double t = begin, h = end - begin, ratio;
    *rough = 0;
    while (t < end) {
        const int is_last        = h >= (end - t) * (1.0 - 1e-9);
        const kane_status status = take_both_steps(s, t, is_last ? end - t : h, S, &ratio, errors);
        if (status != KANE_OK)
            return status;
        if (ratio > allowed && h > 1.5 * shortest) {
            h = .5 * (is_last ? end - t : h);
            continue;
        }
        *rough = *rough || ratio > allowed;
        memcpy(S, s->S_fine, (size_t)s->count * (size_t)s->n * sizeof *S);
        t = is_last ? end : t + h;
        h *= ratio < .02 * allowed ? 2.0 : 1.0; // the method is of order 5
    }
    return KANE_OK;
}

// After a step of the simulation.
static kane_status integrate_step(double begin, void *data, kane_errors *errors)
{
    kane_sensitivity *s = data;
    kane_simulation *of = s->simulation;
    int rough           = 0;
    s->begin            = begin;
    memcpy(s->S_begin, s->S, (size_t)s->count * (size_t)s->n * sizeof *s->S);
    kane_status status = of->system.weigh(of->t, of->y, s->weights, of->system.data);
    if (status == KANE_OK)
        status = integrate_interval(s, begin, of->t, s->S, &rough, errors);
    if (status != KANE_OK)
        return status;
    s->rough_steps += rough;
    memcpy(s->y, of->y, (size_t)s->n * sizeof *s->y);
    return of->system.projected ? map_sensitivities(s, s->discrete, s->discrete, of->t, s->y, s->S, errors) : KANE_OK;
}

// After an event and the restart behind it.
static kane_status follow_event(void *data, kane_errors *errors)
{
    kane_sensitivity *s = data;
    kane_simulation *of = s->simulation;
    kane_work_get_discrete(s->model, of->work, s->next);
    const kane_status status = map_sensitivities(s, s->discrete, s->next, of->t, s->y, s->S, errors);
    kane_work_get_discrete(s->model, of->work, s->discrete);
    kane_work_copy(s->model, of->work, s->work);
    memcpy(s->y, of->y, (size_t)s->n * sizeof *s->y);
    return status;
}

// === Creation.

static kane_status report_structure(const kane_variation *variation, const char *what, kane_errors *errors)
{
    kane_errors_add(errors, KANE_BAD_INPUT,
                    "no derivative by '%s': with a change of %g %s, so that states do not correspond", variation->name,
                    variation->size, what);
    return KANE_BAD_INPUT;
}

static int has_same_line(const kane_track *a, const kane_track *b)
{
    return a == b || (a && b && kane_track_piece_count(a) == kane_track_piece_count(b));
}

static int has_same_structure(const kane_model *a, const kane_model *b)
{
    return has_same_line(a->track, b->track) && a->state_count == b->state_count && a->frame_count == b->frame_count &&
           a->cluster_count == b->cluster_count && a->piece_count == b->piece_count &&
           a->wheels_count == b->wheels_count && a->body_count == b->body_count;
}

// Whether what has happened in `a` has happened in `b`, too: b's pieces are no earlier ones.
static int is_no_later(const kane_discrete *a, const kane_discrete *b)
{
    int good =
        a->speed_piece <= b->speed_piece && a->tree_speed_count == b->tree_speed_count && a->row_count == b->row_count;
    for (int f = 0; f < a->frame_count; f++)
        good = good && a->piece[f] <= b->piece[f];
    return good;
}

// A neighbour's start, in the discrete state of the simulation.
static kane_status start_neighbour(kane_sensitivity *s, const kane_variation *variation, neighbour *of,
                                   const kane_simulation *from, kane_errors *errors)
{
    if (!has_same_structure(s->model, from->model))
        return report_structure(variation, "the model has another structure", errors);
    if (from->began != s->simulation->began)
        return report_structure(variation, "the run starts otherwise", errors);
    kane_discrete *own = kane_discrete_create(from->model, errors);
    if (!own)
        return KANE_NO_MEMORY;
    memcpy(of->y, from->y, (size_t)s->n * sizeof *of->y);
    kane_work_get_discrete(from->model, of->work, own);
    kane_status status = KANE_OK;
    if (!is_no_later(own, s->discrete))
        status = report_structure(variation, "the run starts on another piece of line or speed", errors);
    else if (take_to_discrete(s, of, own, s->discrete, s->simulation->t, of->y) != KANE_OK)
        status = report_neighbour(of, errors);
    kane_discrete_free(own);
    return status;
}

static kane_status start_sensitivities(kane_sensitivity *s, const kane_variation *variations, kane_errors *errors)
{
    for (int p = 0; p < s->count; p++) {
        for (int side = 0; side < 2; side++) {
            const kane_simulation *from = variations[p].neighbour[side];
            neighbour *of               = &s->neighbour[p][side];
            of->name                    = variations[p].name;
            of->model                   = from->model;
            of->work                    = from->work;
            of->y                       = kane_arena_alloc(s->arena, (size_t)s->n, sizeof *of->y);
            of->rates                   = kane_arena_alloc(s->arena, (size_t)s->n, sizeof *of->rates);
            if (!of->y || !of->rates)
                return kane_no_memory(errors);
            const kane_status status = start_neighbour(s, &variations[p], of, from, errors);
            if (status != KANE_OK)
                return status;
        }
        difference_neighbours(s, p, s->S);
    }
    memcpy(s->S_out, s->S, (size_t)s->count * (size_t)s->n * sizeof *s->S);
    return KANE_OK;
}

// The pattern of J in all blocks of the stages.
static kane_pattern *make_stage_pattern(const kane_pattern *J, int n)
{
    kane_pattern_entries *entries = kane_pattern_begin(STAGES * n);
    for (int column = 0; column < STAGES * n; column++)
        for (int k = J->column_start[column % n]; k < J->column_start[column % n + 1]; k++)
            for (int i = 0; i < STAGES; i++)
                kane_pattern_add(entries, i * n + J->row[k], column);
    return kane_pattern_finish(entries);
}

static int allocate_scratch(kane_sensitivity *s)
{
    const size_t n = (size_t)s->n, all = (size_t)s->simulation->size, count = (size_t)s->count;
    s->size      = kane_arena_alloc(s->arena, count, sizeof *s->size);
    s->neighbour = kane_arena_alloc(s->arena, count, sizeof *s->neighbour);
    s->y         = kane_arena_alloc(s->arena, n, sizeof *s->y);
    s->S         = kane_arena_alloc(s->arena, count * n, sizeof *s->S);
    s->S_begin   = kane_arena_alloc(s->arena, count * n, sizeof *s->S);
    s->S_out     = kane_arena_alloc(s->arena, count * n, sizeof *s->S);
    s->S_coarse  = kane_arena_alloc(s->arena, count * n, sizeof *s->S);
    s->S_fine    = kane_arena_alloc(s->arena, count * n, sizeof *s->S);
    s->inside    = kane_arena_alloc(s->arena, all, sizeof *s->inside);
    s->weights   = kane_arena_alloc(s->arena, all, sizeof *s->weights);
    s->forcing   = kane_arena_alloc(s->arena, count * STAGES * n, sizeof *s->forcing);
    s->rates     = kane_arena_alloc(s->arena, n, sizeof *s->rates);
    s->right     = kane_arena_alloc(s->arena, STAGES * n, sizeof *s->right);
    s->jacobian  = kane_jacobian_create(s->model, s->n);
    if (!s->jacobian)
        return 0;
    const kane_pattern *J = kane_jacobian_pattern(s->jacobian);
    s->pattern            = make_stage_pattern(J, s->n);
    s->lu                 = s->pattern ? kane_sparse_lu_create(s->pattern) : NULL;
    s->slopes             = kane_arena_alloc(s->arena, STAGES * (size_t)J->count, sizeof *s->slopes);
    s->values             = kane_arena_alloc(s->arena, STAGES * STAGES * (size_t)J->count, sizeof *s->values);
    return s->lu && !kane_arena_failed(s->arena);
}

kane_sensitivity *kane_sensitivity_create(kane_simulation *simulation, int count, const kane_variation *variations,
                                          double accuracy, kane_errors *errors)
{
    kane_arena *arena;
    kane_sensitivity *s = kane_arena_object(&arena, sizeof *s, errors);
    if (!s)
        return NULL;
    *s                 = (kane_sensitivity){.arena      = arena,
                                            .simulation = simulation,
                                            .model      = simulation->model,
                                            .n          = simulation->model->state_count,
                                            .count      = count,
                                            .accuracy   = accuracy};
    s->work            = kane_work_create(s->model, errors);
    s->discrete        = s->work ? kane_discrete_create(s->model, errors) : NULL;
    s->next            = s->discrete ? kane_discrete_create(s->model, errors) : NULL;
    kane_status status = s->next ? KANE_OK : KANE_NO_MEMORY;
    if (status == KANE_OK && !allocate_scratch(s))
        status = kane_no_memory(errors);
    if (status == KANE_OK) {
        kane_work_copy(s->model, simulation->work, s->work);
        kane_work_get_discrete(s->model, simulation->work, s->discrete);
        memcpy(s->y, simulation->y, (size_t)s->n * sizeof *s->y);
        for (int p = 0; p < count; p++)
            s->size[p] = variations[p].size;
        status = start_sensitivities(s, variations, errors);
    }
    if (status != KANE_OK) {
        kane_sensitivity_free(s);
        return NULL;
    }
    simulation->beside = (kane_beside){integrate_step, follow_event, s};
    return s;
}

static void free_channels(kane_sensitivity *s)
{
    kane_channels_free(s->channels);
    s->channels = NULL;
    for (int p = 0; p < s->count && s->neighbour; p++)
        for (int side = 0; side < 2; side++) {
            kane_channels_free(s->neighbour[p][side].channels);
            s->neighbour[p][side].channels = NULL;
        }
}

void kane_sensitivity_free(kane_sensitivity *s)
{
    if (!s)
        return;
    if (s->simulation->beside.data == s)
        s->simulation->beside = (kane_beside){0};
    free_channels(s);
    kane_sparse_lu_free(s->lu);
    kane_pattern_free(s->pattern);
    kane_jacobian_free(s->jacobian);
    kane_discrete_free(s->discrete);
    kane_discrete_free(s->next);
    kane_work_free(s->work);
    kane_arena_free(s->arena);
}

// === Use.

kane_status kane_sensitivity_advance(kane_sensitivity *s, double t, kane_errors *errors)
{
    const kane_simulation *of = s->simulation;
    int rough;
    kane_status status = kane_simulation_advance(s->simulation, t, errors);
    if (status != KANE_OK)
        return status;
    if (of->t_out >= of->t) {
        memcpy(s->S_out, s->S, (size_t)s->count * (size_t)s->n * sizeof *s->S);
        return KANE_OK;
    }
    status   = integrate_interval(s, s->begin, of->t_out, s->S_begin, &rough, errors);
    s->begin = of->t_out; // the next time may be in the same step
    memcpy(s->S_out, s->S_begin, (size_t)s->count * (size_t)s->n * sizeof *s->S);
    if (status != KANE_OK || !of->system.projected)
        return status;
    return map_sensitivities(s, s->discrete, s->discrete, of->t_out, of->y_out, s->S_out, errors);
}

const double *kane_sensitivity_state(const kane_sensitivity *s, int parameter)
{
    return s->S_out + (size_t)parameter * (size_t)s->n;
}

long kane_sensitivity_rough_steps(const kane_sensitivity *s)
{
    return s->rough_steps;
}

const kane_channels *kane_sensitivity_choose(kane_sensitivity *s, int pattern_count, const char *const *patterns,
                                             kane_errors *errors)
{
    free_channels(s);
    s->channels = kane_channels_create_model(s->model, pattern_count, patterns, NULL, errors);
    if (!s->channels)
        return NULL;
    const int count = kane_channels_count(s->channels);
    for (int p = 0; p < s->count; p++)
        for (int side = 0; side < 2; side++) {
            neighbour *of = &s->neighbour[p][side];
            of->channels  = kane_channels_create_model(of->model, pattern_count, patterns, NULL, errors);
            of->values    = kane_arena_alloc(s->arena, (size_t)count, sizeof *of->values);
            if (!of->channels || !of->values || kane_channels_count(of->channels) != count)
                return NULL;
        }
    return s->channels;
}

kane_status kane_sensitivity_read(kane_sensitivity *s, double *values, kane_errors *errors)
{
    const int count = kane_channels_count(s->channels);
    const double t  = s->simulation->t_out;
    for (int p = 0; p < s->count; p++) {
        const neighbour *of = s->neighbour[p];
        for (int side = 0; side < 2; side++) {
            const double *y = place_neighbour(s, p, side, s->simulation->y_out, s->S_out);
            if (kane_eval(of[side].model, of[side].work, t, y, of[side].rates) != KANE_OK)
                return report_neighbour(&of[side], errors);
            kane_observe(of[side].model, of[side].work);
            kane_channels_read_state(of[side].channels, of[side].model, of[side].work, y, of[side].values);
        }
        for (int c = 0; c < count; c++)
            values[p * count + c] = (of[1].values[c] - of[0].values[c]) / (2.0 * s->size[p]);
    }
    return KANE_OK;
}
