// SPDX-License-Identifier: MIT
// A simulation: creating, starting, freeing, asking.

#include "simulate/simulation.h"

#include "agem/wheels.h"
#include "simulate/tolerances.h"
#include "simulate/vector.h"

#include <cvode/cvode.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

// Shorter steps would only creep up to a moment that cannot be passed [s].
static const double shortest_step = 1e-12;

// With wheels on rails a step grows as soon as its error allows a tenth more; CVODE waits for half as much again. Smooth
// motion gains nothing by it.
static const double least_growth = 1.1;

// How many steps a Jacobian and the factors of 1 - gamma J serve at most (CVODE: 51 and 20). Where Newton's method converges
// slowly, or gamma has changed by 30 %, they are renewed before.
static const long jacobian_steps = 150, factor_steps = 40;

kane_settings kane_settings_default(void)
{
    return (kane_settings){
        .method     = KANE_BDF,
        .order      = 2,
        .relative   = 1e-6,
        .position   = 1e-8,
        .angle      = 1e-8,
        .speed      = 1e-6,
        .turning    = 1e-6,
        .most_steps = 1000000,
        .remap      = 1,
    };
}

// CVODE reports its errors here instead of printing them.
static void listen(int code, const char *module, const char *function, char *message, void *data)
{
    kane_simulation *s = data;
    (void)code;
    (void)module;
    (void)function;
    (void)snprintf(s->message, sizeof s->message, "%s", message);
}

static int check_settings(const kane_model *model, const kane_settings *set, kane_errors *errors)
{
    const int most   = kane_method_orders(set->method);
    const int before = errors->count;
    if (set->order < 1 || set->order > most)
        kane_errors_add(errors, KANE_BAD_INPUT, "order %d is not possible: %s has orders 1 to %d", set->order,
                        set->method == KANE_BDF ? "bdf" : "adams", most);
    (void)kane_tolerances_check(set, kane_scale_of_model(model), NULL, errors);
    return errors->count - before;
}

// The pattern never changes, so that KLU's analysis of it stays good: restarts of the integrator must not throw it away.
static int keep_analysis(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLS_SUCCESS;
}

int kane_solver_lacks_memory(const kane_simulation *s)
{
    return SUNLinSol_KLUGetCommon(s->solver)->status == KLU_OUT_OF_MEMORY;
}

// A matrix that cannot be factored is tried again with a shorter step, but not if it is for want of memory: the result would
// be another one.
static int setup(SUNLinearSolver solver, SUNMatrix matrix)
{
    const int flag = SUNLinSolSetup_KLU(solver, matrix);
    return flag > 0 && SUNLinSol_KLUGetCommon(solver)->status == KLU_OUT_OF_MEMORY ? SUNLS_PACKAGE_FAIL_UNREC : flag;
}

// Wheels that rails guide are brought back onto them after every step. The error is tested as it is.
static int create_projection(kane_simulation *s)
{
    if (!s->projects)
        return 1;
    return CVodeSetProjFn(s->cvode, kane_rhs_project) == CV_SUCCESS &&
           CVodeSetProjErrEst(s->cvode, SUNFALSE) == CV_SUCCESS;
}

// The pattern of the Jacobian, for good: every row of it has its diagonal.
static void place_entries(kane_simulation *s, const kane_pattern *pattern)
{
    sunindextype *start = SUNSparseMatrix_IndexPointers(s->matrix), *row = SUNSparseMatrix_IndexValues(s->matrix);
    for (int i = 0; i <= pattern->size; i++)
        start[i] = pattern->column_start[i];
    for (int i = 0; i < pattern->count; i++)
        row[i] = pattern->row[i];
    for (int i = 0; i < pattern->size; i++)
        s->diagonal[i] = kane_pattern_find(pattern, i, i);
}

static int set_pace(const kane_model *model, void *cvode)
{
    if (model->wheels_count == 0)
        return 1;
    return CVodeSetEtaFixedStepBounds(cvode, 0.0, least_growth) == CV_SUCCESS &&
           CVodeSetJacEvalFrequency(cvode, jacobian_steps) == CV_SUCCESS &&
           CVodeSetLSetupFrequency(cvode, factor_steps) == CV_SUCCESS;
}

// Vectors, matrix, linear solver and integrator. Returns 0 if any is missing.
static int create_integrator(kane_simulation *s)
{
    const kane_pattern *pattern = kane_jacobian_pattern(s->jacobian);
    if (SUNContext_Create(NULL, &s->context) != 0)
        return 0;
    s->y      = N_VNew_Serial(s->size, s->context);
    s->y_out  = N_VNew_Serial(s->size, s->context);
    s->error  = N_VNew_Serial(s->size, s->context);
    s->weight = N_VNew_Serial(s->size, s->context);
    s->matrix = SUNSparseMatrix(s->size, s->size, pattern->count, CSC_MAT, s->context);
    s->cvode  = CVodeCreate(s->settings.method == KANE_BDF ? CV_BDF : CV_ADAMS, s->context);
    if (!s->y || !s->y_out || !s->error || !s->weight || !s->matrix || !s->cvode)
        return 0;
    kane_vector_speed_up(s->y);
    N_VConst(0.0, s->y);
    place_entries(s, pattern);
    s->solver = SUNLinSol_KLU(s->y, s->matrix, s->context);
    if (!s->solver)
        return 0;
    s->solver->ops->initialize = keep_analysis;
    s->solver->ops->setup      = setup;
    (void)SUNLinSol_KLUSetOrdering(s->solver, 0); // AMD: the pattern is nearly symmetric, and factors stay thin
    return CVodeSetErrHandlerFn(s->cvode, listen, s) == CV_SUCCESS &&
           CVodeInit(s->cvode, kane_rhs, 0.0, s->y) == CV_SUCCESS && CVodeSetUserData(s->cvode, s) == CV_SUCCESS &&
           CVodeWFtolerances(s->cvode, kane_rhs_weights) == CV_SUCCESS &&
           CVodeSetLinearSolver(s->cvode, s->solver, s->matrix) == CV_SUCCESS &&
           CVodeSetLinSysFn(s->cvode, kane_rhs_system) == CV_SUCCESS && set_pace(s->model, s->cvode) &&
           CVodeSetMaxOrd(s->cvode, s->settings.order) == CV_SUCCESS &&
           CVodeSetMinStep(s->cvode, shortest_step) == CV_SUCCESS &&
           CVodeSetMaxStep(s->cvode, s->settings.longest_step) == CV_SUCCESS &&
           CVodeRootInit(s->cvode, kane_rhs_root_count(s), kane_rhs_roots) == CV_SUCCESS && create_projection(s);
}

kane_simulation *kane_simulation_create(const kane_model *model, const kane_settings *settings,
                                        const kane_conditions *conditions, kane_errors *errors)
{
    kane_errors nobody = {0};
    kane_errors *kept  = errors ? errors : &nobody;
    if (check_settings(model, settings, kept) > 0)
        return NULL;

    const int projects = kane_model_is_projected(model);
    if (projects && settings->method != KANE_BDF) {
        kane_errors_add(kept, KANE_BAD_INPUT,
                        "%s are projected after every step, which the method adams cannot do; choose bdf%s",
                        kane_model_is_held(model) ? "constraints in the form of multipliers"
                                                  : "wheels with contact as a constraint",
                        kane_model_is_held(model) ? ", or the form of coefficients" : "");
        return NULL;
    }
    kane_arena *arena  = kane_arena_create();
    kane_simulation *s = arena ? kane_arena_alloc(arena, 1, sizeof *s) : NULL;
    if (!s) {
        kane_arena_free(arena);
        kane_errors_add(kept, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        return NULL;
    }
    s->arena      = arena;
    s->model      = model;
    s->settings   = *settings;
    s->projects   = projects;
    s->conditions = *conditions;
    s->size       = model->state_count + (settings->energy ? KANE_WORK_INTEGRALS : 0);
    if (!(s->conditions.lift > 0.0))
        s->conditions.lift = 0.015;
    s->work     = kane_work_create(model, kept);
    s->jacobian = kane_jacobian_create(model, s->size);
    s->ydot     = kane_arena_alloc(arena, (size_t)s->size, sizeof *s->ydot);
    s->roots    = kane_arena_alloc(arena, (size_t)kane_rhs_root_count(s), sizeof *s->roots);
    s->diagonal = kane_arena_alloc(arena, (size_t)s->size, sizeof *s->diagonal);
    if (s->jacobian)
        s->slopes = kane_arena_alloc(arena, (size_t)kane_jacobian_pattern(s->jacobian)->count, sizeof *s->slopes);
    if (!s->ydot || !s->roots || !s->diagonal || !s->slopes || !s->work || !s->jacobian || !create_integrator(s)) {
        kane_errors_add(kept, KANE_NO_MEMORY, "the integrator cannot be created%s%s", s->message[0] ? ": " : "",
                        s->message);
        kane_simulation_free(s);
        return NULL;
    }
    if (kane_simulation_start(s, kept) != KANE_OK) {
        kane_simulation_free(s);
        return NULL;
    }
    return s;
}

void kane_simulation_free(kane_simulation *s)
{
    if (!s)
        return;
    if (s->cvode)
        CVodeFree(&s->cvode);
    if (s->solver)
        SUNLinSolFree(s->solver);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    if (s->y)
        N_VDestroy(s->y);
    if (s->y_out)
        N_VDestroy(s->y_out);
    if (s->error)
        N_VDestroy(s->error);
    if (s->weight)
        N_VDestroy(s->weight);
    if (s->context)
        SUNContext_Free(&s->context);
    kane_jacobian_free(s->jacobian);
    kane_work_free(s->work);
    kane_arena_free(s->arena);
}

// Whether the line is the same under all frames, and regular: there a vehicle can be in equilibrium.
static int line_is_steady(const kane_simulation *s)
{
    const kane_model *model = s->model;
    if (!model->track || kane_track_is_irregular(model->track) || model->guide < 0)
        return 0;
    for (int f = 0; f < model->frame_count; f++) {
        const kane_track_frame *g = &s->work->track_frame[f], *first = &s->work->track_frame[0];
        if (model->frames[f].kind != KANE_FRAME_TRACK)
            continue;
        if (kv3_norm(g->Omega_s) > 0.0 ||
            kv3_norm(kv3_sub(g->Omega, first->Omega)) > 1e-12 * (1.0 + kv3_norm(g->Omega)))
            return 0;
    }
    return 1;
}

static int is_straight_and_level(const kane_simulation *s)
{
    return kv3_norm(s->work->track_frame[0].Omega) == 0.0 && s->work->track_frame[0].R.z.z == 1.0;
}

// Equilibrium where nobody has asked for it. A vehicle may have none: a driven one whose drive does not balance what resists it.
// Then it starts as it stands, and says so. Whatever else keeps it from being found is an error.
static kane_status balance(kane_simulation *s, double *y, kane_start_kind *how, kane_errors *errors)
{
    kane_errors own   = {0};
    kane_errors *said = errors ? errors : &own;
    const int before  = said->count;
    kane_equilibrium found;
    const kane_status status = kane_equilibrium_solve(s->model, s->work, y, &found, said);
    *how                     = status == KANE_OK ? KANE_START_EQUILIBRIUM : KANE_START_UNBALANCED;
    if (status != KANE_NOT_SOLVED)
        return status;
    if (before < KANE_ERRORS_KEPT)
        (void)snprintf(s->began_why, sizeof s->began_why, "%s", said->kept[before].text);
    said->count = before;
    return kane_initial_state(s->model, s->work, y, errors);
}

kane_status kane_simulation_start(kane_simulation *s, kane_errors *errors)
{
    double *y          = N_VGetArrayPointer(s->y_out);
    kane_status status = kane_initial_state(s->model, s->work, y, errors);
    kane_equilibrium found;
    if (status != KANE_OK)
        return status;
    const int is_steady = line_is_steady(s);
    kane_start_kind how = KANE_START_STATIC;
    s->began_why[0]     = '\0';
    if (s->settings.settle && !is_steady) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "there is no equilibrium to start in: the line changes under the vehicle, or its rails are "
                        "irregular; start on a straight or in a curve");
        return KANE_BAD_INPUT;
    }
    if (s->settings.settle && s->model->formulation == KANE_FIXED && !is_straight_and_level(s)) {
        kane_errors_add(
            errors, KANE_BAD_INPUT,
            "there is no equilibrium to start in: in fixed axes nothing rests in a curve or on cant; choose "
            "the moving formulation");
        return KANE_BAD_INPUT;
    }
    if (s->settings.settle) {
        how    = KANE_START_EQUILIBRIUM;
        status = kane_equilibrium_solve(s->model, s->work, y, &found, errors);
    } else if (is_steady && is_straight_and_level(s) && !s->model->departs) {
        status = balance(s, y, &how, errors);
    }
    if (status == KANE_OK)
        status = kane_simulation_start_from(s, 0.0, y, errors);
    s->began = how;
    return status;
}

kane_start_kind kane_simulation_began(const kane_simulation *s, const char **why)
{
    if (why)
        *why = s->began == KANE_START_UNBALANCED ? s->began_why : "";
    return s->began;
}

// Wheels that have left their rails before anything moves: their stop is found by crossings, and would never be.
static kane_status check_wheels(const kane_simulation *s, kane_errors *errors)
{
    static const char *const sides[] = {"left", "right"};
    kane_status status               = KANE_OK;
    for (int i = 0; i < s->model->wheels_count; i++) {
        const kane_wheels *wheels = &s->model->wheels[i];
        for (int side = 0; side < 2 && wheels->way == KANE_CONTACT_ELASTIC; side++) {
            const double lift = kane_wheels_lift(wheels, &s->work->wheels[i], side);
            if (!(fabs(lift) > s->conditions.lift))
                continue;
            status = KANE_BAD_INPUT;
            kane_errors_add(errors, status,
                            "at the start the %s wheel of '%s' is %g m %s its rail; %g m is a derailment", sides[side],
                            s->model->bodies[wheels->body].name, fabs(lift), lift > 0.0 ? "over" : "below",
                            s->conditions.lift);
        }
    }
    return status;
}

kane_status kane_simulation_start_from(kane_simulation *s, double t, const double *from, kane_errors *errors)
{
    double *y = N_VGetArrayPointer(s->y);
    for (int i = 0; i < s->size; i++)
        y[i] = i < s->model->state_count ? from[i] : 0.0;
    kane_work_locate(s->model, s->work, t, y);
    s->t = s->t_out    = t;
    s->evaluated       = KANE_KNOWS_NOTHING;
    s->began           = KANE_START_GIVEN;
    s->stop            = KANE_STOP_NONE;
    s->stop_subject[0] = '\0';
    s->message[0]      = '\0';
    s->moving          = kane_model_is_driven(s->model) && y[1] > 0.0;
    s->at_root         = 0;
    s->restarts        = 0;
    s->before          = (kane_statistics){0};

    kane_status status = s->projects ? kane_project(s->model, s->work, t, y) : KANE_OK;
    N_VScale(1.0, s->y, s->y_out);
    if (status == KANE_OK)
        status = kane_eval(s->model, s->work, t, y, s->ydot);
    if (status != KANE_OK) {
        kane_work_fault(s->model, s->work, errors);
        return status;
    }
    status = check_wheels(s, errors);
    if (status != KANE_OK)
        return status;
    if (CVodeReInit(s->cvode, t, s->y) != CV_SUCCESS) {
        kane_errors_add(errors, KANE_INTEGRATION_FAILED, "the integrator cannot start: %s", s->message);
        return KANE_INTEGRATION_FAILED;
    }
    kane_events_plan(s);
    return KANE_OK;
}

double kane_simulation_time(const kane_simulation *s)
{
    return s->t_out;
}

kane_stop kane_simulation_stop(const kane_simulation *s)
{
    return s->stop;
}

const char *kane_simulation_stop_subject(const kane_simulation *s)
{
    return s->stop_subject;
}

const double *kane_simulation_state(const kane_simulation *s)
{
    return N_VGetArrayPointer(s->y_out);
}

const char *kane_stop_name(kane_stop stop)
{
    static const char *const names[] = {"none",         "end of time", "distance",     "end of track", "standstill",
                                        "rolling back", "wheel lift",  "flange climb", "wheel drop",   "failed"};
    return names[stop];
}
