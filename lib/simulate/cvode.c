// SPDX-License-Identifier: MIT
// Integrators: BDF and Adams-Moulton of CVODE, Newton's method with the sparse Jacobian, factored by KLU. Of
// SUNDIALS know this file, vector.c and sundials.c only.

#include <kane/integrator.h>

#include "base/arena.h"
#include "math/sparse.h"
#include "simulate/integrators.h"
#include "simulate/sundials.h"

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

// Shortest step [s]: shorter ones only approach a singularity.
static const double shortest_step = 1e-12;

// With wheels on rails a step grows as soon as its error allows a tenth more; CVODE waits for half as much again.
// Smooth motion gains nothing by it.
static const double least_growth = 1.1;

// How many steps a Jacobian and the factors of 1 - gamma J serve at most (CVODE: 51 and 20). Where Newton's method
// converges slowly, or gamma has changed by 30 %, they are renewed before.
static const long jacobian_steps = 150, factor_steps = 40;

typedef struct multistep {
    kane_arena *arena;
    kane_system system;
    SUNContext context;
    N_Vector y, at; // their numbers are the caller's: of a step, of an interpolation
    kane_vectors *vectors;
    N_Vector own, weights, errors; // own: one of these; CVODE clones it
    double *slopes;                // the Jacobian as it was last evaluated, entries of its pattern
    int *diagonal;                 // places of the diagonal among them
    SUNMatrix matrix;              // 1 - gamma J
    SUNLinearSolver solver;
    void *cvode;
    kane_sundials_message message;
} multistep;

// --- what CVODE calls ---

// Return code of CVODE's functions: 0: success, 1: recoverable, with a shorter step, -1: fatal.
static int cvode_return_code(kane_status status)
{
    return status == KANE_OK ? 0 : status > 0 ? 1 : -1;
}

static int eval_rates(sunrealtype t, N_Vector y, N_Vector ydot, void *data)
{
    const multistep *s = data;
    return cvode_return_code(s->system.rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), s->system.data));
}

// Matrix of Newton's method, M = 1 - gamma J. J is evaluated only if CVODE asks for a new one (is_fresh = 0).
static int eval_matrix(sunrealtype t, N_Vector y, N_Vector ydot, SUNMatrix M, sunbooleantype is_fresh,
                       sunbooleantype *evaluated, sunrealtype gamma, void *data, N_Vector a, N_Vector b, N_Vector c)
{
    multistep *s       = data;
    const int count    = s->system.pattern->count;
    double *m          = SUNSparseMatrix_Data(M);
    kane_status status = KANE_OK;
    (void)ydot;
    (void)a;
    (void)b;
    (void)c;
    *evaluated = !is_fresh;
    if (!is_fresh)
        status = s->system.slopes(t, N_VGetArrayPointer(y), s->slopes, s->system.data);
    for (int i = 0; i < count; i++)
        m[i] = -gamma * s->slopes[i];
    for (int i = 0; i < s->system.size; i++)
        m[s->diagonal[i]] += 1.0;
    return cvode_return_code(status);
}

static int eval_weights(N_Vector y, N_Vector weights, void *data)
{
    const multistep *s = data;
    sunrealtype t      = 0.0;
    (void)CVodeGetCurrentTime(s->cvode, &t);
    return cvode_return_code(s->system.weigh(t, N_VGetArrayPointer(y), N_VGetArrayPointer(weights), s->system.data));
}

static int eval_roots(sunrealtype t, N_Vector y, sunrealtype *values, void *data)
{
    const multistep *s = data;
    return cvode_return_code(s->system.roots(t, N_VGetArrayPointer(y), values, s->system.data));
}

static int project_state(sunrealtype t, N_Vector y, N_Vector correction, sunrealtype tolerance, N_Vector error,
                         void *data)
{
    const multistep *s = data;
    (void)tolerance; // what is not zero is made zero
    (void)error;
    N_VScale(1.0, y, correction);
    const kane_status status = s->system.project(t, N_VGetArrayPointer(correction), s->system.data);
    N_VLinearSum(1.0, correction, -1.0, y, correction);
    return cvode_return_code(status);
}

// The pattern never changes, so that KLU's analysis of it stays good: restarts must not throw it away.
static int keep_analysis(SUNLinearSolver solver)
{
    (void)solver;
    return 0;
}

static int lacks_memory(SUNLinearSolver solver)
{
    return SUNLinSol_KLUGetCommon(solver)->status == KLU_OUT_OF_MEMORY;
}

// A matrix that cannot be factored is tried again with a shorter step, but not if it is for want of memory: the result
// would be another one. < 0: CVODE gives up.
static int factor_matrix(SUNLinearSolver solver, SUNMatrix matrix)
{
    const int flag = SUNLinSolSetup_KLU(solver, matrix);
    return flag > 0 && lacks_memory(solver) ? -1 : flag;
}

// --- creating ---

// Copies the pattern of J, which never changes, to the matrix, and finds its diagonal entries: every row has one.
static void copy_pattern(multistep *s)
{
    const kane_pattern *pattern = s->system.pattern;
    sunindextype *start = SUNSparseMatrix_IndexPointers(s->matrix), *row = SUNSparseMatrix_IndexValues(s->matrix);
    for (int i = 0; i <= pattern->size; i++)
        start[i] = pattern->column_start[i];
    for (int i = 0; i < pattern->count; i++)
        row[i] = pattern->row[i];
    for (int i = 0; i < pattern->size; i++)
        s->diagonal[i] = kane_pattern_find(pattern, i, i);
}

// CVODE's error test uses the error before the projection.
static int create_projection(const multistep *s)
{
    if (!s->system.projected)
        return 1;
    return CVodeSetProjFn(s->cvode, project_state) == CV_SUCCESS &&
           CVodeSetProjErrEst(s->cvode, SUNFALSE) == CV_SUCCESS;
}

static int set_rail_step_policy(const multistep *s)
{
    if (!s->system.on_rails)
        return 1;
    return CVodeSetEtaFixedStepBounds(s->cvode, 0.0, least_growth) == CV_SUCCESS &&
           CVodeSetJacEvalFrequency(s->cvode, jacobian_steps) == CV_SUCCESS &&
           CVodeSetLSetupFrequency(s->cvode, factor_steps) == CV_SUCCESS;
}

static int create_vectors(multistep *s)
{
    const int size = s->system.size;
    s->context     = kane_sundials_context();
    if (!s->context)
        return 0;
    s->vectors = kane_vectors_create(size, s->context, s->arena);
    if (!s->vectors)
        return 0;
    s->own     = kane_vectors_first(s->vectors);
    s->weights = N_VNew_Serial(size, s->context);
    s->errors  = N_VNew_Serial(size, s->context);
    s->y       = N_VMake_Serial(size, NULL, s->context);
    s->at      = N_VMake_Serial(size, NULL, s->context);
    if (!s->weights || !s->errors || !s->y || !s->at)
        return 0;
    kane_vector_set_operations(s->y);
    N_VConst(0.0, s->own);
    return 1;
}

static int create_solver(multistep *s)
{
    s->matrix = SUNSparseMatrix(s->system.size, s->system.size, s->system.pattern->count, CSC_MAT, s->context);
    if (!s->matrix)
        return 0;
    copy_pattern(s);
    s->solver = SUNLinSol_KLU(s->own, s->matrix, s->context);
    if (!s->solver)
        return 0;
    s->solver->ops->initialize = keep_analysis;
    s->solver->ops->setup      = factor_matrix;
    (void)SUNLinSol_KLUSetOrdering(s->solver, 0); // AMD: the pattern is nearly symmetric, and factors stay thin
    return 1;
}

static int create_cvode(multistep *s, int method, const kane_settings *settings)
{
    s->cvode = CVodeCreate(method, s->context);
    if (!s->cvode || !create_solver(s))
        return 0;
    return kane_sundials_report(s->context, s->cvode, &s->message) &&
           CVodeInit(s->cvode, eval_rates, 0.0, s->own) == CV_SUCCESS && CVodeSetUserData(s->cvode, s) == CV_SUCCESS &&
           CVodeWFtolerances(s->cvode, eval_weights) == CV_SUCCESS &&
           CVodeSetLinearSolver(s->cvode, s->solver, s->matrix) == CV_SUCCESS &&
           CVodeSetLinSysFn(s->cvode, eval_matrix) == CV_SUCCESS && set_rail_step_policy(s) &&
           CVodeSetMaxOrd(s->cvode, settings->order) == CV_SUCCESS &&
           CVodeSetMinStep(s->cvode, shortest_step) == CV_SUCCESS &&
           CVodeSetMaxStep(s->cvode, settings->longest_step) == CV_SUCCESS &&
           CVodeRootInit(s->cvode, s->system.root_count, eval_roots) == CV_SUCCESS && create_projection(s);
}

static void multistep_free(void *self)
{
    multistep *s = self;
    if (s->cvode)
        CVodeFree(&s->cvode);
    if (s->solver)
        SUNLinSolFree(s->solver);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    if (s->weights)
        N_VDestroy(s->weights);
    if (s->errors)
        N_VDestroy(s->errors);
    if (s->y)
        N_VDestroy(s->y);
    if (s->at)
        N_VDestroy(s->at);
    kane_vectors_free(s->vectors);
    if (s->context)
        SUNContext_Free(&s->context);
    kane_arena_free(s->arena);
}

static void *create_multistep(int method, const kane_system *system, const kane_settings *settings)
{
    kane_arena *arena;
    multistep *s = kane_arena_object(&arena, sizeof *s, NULL);
    if (!s)
        return NULL;
    s->arena    = arena;
    s->system   = *system;
    s->slopes   = kane_arena_alloc(arena, (size_t)system->pattern->count, sizeof *s->slopes);
    s->diagonal = kane_arena_alloc(arena, (size_t)system->size, sizeof *s->diagonal);
    if (kane_arena_failed(arena) || !create_vectors(s) || !create_cvode(s, method, settings)) {
        multistep_free(s);
        return NULL;
    }
    return s;
}

static void *bdf_create(const kane_system *system, const kane_settings *settings)
{
    return create_multistep(CV_BDF, system, settings);
}

static void *adams_create(const kane_system *system, const kane_settings *settings)
{
    return create_multistep(CV_ADAMS, system, settings);
}

// --- integrating ---

static kane_status multistep_restart(void *self, double t, const double *y)
{
    multistep *s       = self;
    double *own        = N_VGetArrayPointer(s->own);
    s->message.text[0] = '\0';
    for (int i = 0; i < s->system.size; i++)
        own[i] = y[i];
    return CVodeReInit(s->cvode, t, s->own) == CV_SUCCESS ? KANE_OK : KANE_INTEGRATION_FAILED;
}

// KLU uses the pivots of its first factorisation for all others: they are chosen anew.
static void multistep_forget(void *self)
{
    const multistep *s = self;
    (void)SUNLinSol_KLUReInit(s->solver, s->matrix, s->system.pattern->count, SUNKLU_REINIT_PARTIAL);
}

static kane_status multistep_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                                  int *roots)
{
    multistep *s        = self;
    sunrealtype reached = *t;
    N_VSetArrayPointer(y, s->y);
    (void)CVodeSetStopTime(s->cvode, latest);
    const int flag = CVode(s->cvode, goal, s->y, &reached, CV_ONE_STEP);
    *t             = reached;
    if (flag < 0)
        return lacks_memory(s->solver) ? KANE_NO_MEMORY : KANE_INTEGRATION_FAILED;
    *end = flag == CV_ROOT_RETURN ? KANE_STEP_ROOT : flag == CV_TSTOP_RETURN ? KANE_STEP_LATEST : KANE_STEP_TAKEN;
    if (flag == CV_ROOT_RETURN && CVodeGetRootInfo(s->cvode, roots) != CV_SUCCESS)
        return KANE_INTEGRATION_FAILED;
    return KANE_OK;
}

static void multistep_interpolate(void *self, double t, double *y)
{
    multistep *s = self;
    N_VSetArrayPointer(y, s->at);
    (void)CVodeGetDky(s->cvode, t, 0, s->at);
}

// In Nordsieck's form the rates at the end of a step are those that the equations had there.
static int multistep_rates(void *self, double *ydot)
{
    multistep *s  = self;
    long steps    = 0;
    sunrealtype t = 0.0;
    (void)CVodeGetNumSteps(s->cvode, &steps);
    if (steps == 0 || CVodeGetCurrentTime(s->cvode, &t) != CV_SUCCESS)
        return 0;
    N_VSetArrayPointer(ydot, s->at);
    return CVodeGetDky(s->cvode, t, 1, s->at) == CV_SUCCESS;
}

// CVODE gives no next step if it was stopped: its formula at constant order, from the error of the last step,
//   h_new = h/((6 error)^(1/(order + 1)) + 1e-6), at most 10 h
static double multistep_wish(const void *self)
{
    const multistep *s = self;
    long steps         = 0;
    sunrealtype last   = 0.0;
    int order          = 1;
    (void)CVodeGetNumSteps(s->cvode, &steps);
    if (steps == 0 || CVodeGetErrWeights(s->cvode, s->weights) != CV_SUCCESS ||
        CVodeGetEstLocalErrors(s->cvode, s->errors) != CV_SUCCESS)
        return 0.0;
    (void)CVodeGetLastStep(s->cvode, &last);
    (void)CVodeGetLastOrder(s->cvode, &order);
    const double error  = N_VWrmsNorm(s->errors, s->weights);
    const double growth = fmin(1.0 / (pow(6.0 * error, 1.0 / (order + 1.0)) + 1e-6), 10.0);
    return growth < (s->system.on_rails ? least_growth : 1.5) ? last : growth * last;
}

static void multistep_count(const void *self, kane_statistics *sum)
{
    const multistep *s = self;
    long steps = 0, evaluations = 0, jacobians = 0, factorisations = 0, iterations = 0, tests = 0, newton = 0;
    sunrealtype step = 0.0;
    int order        = 0;
    (void)CVodeGetNumSteps(s->cvode, &steps);
    (void)CVodeGetNumRhsEvals(s->cvode, &evaluations);
    (void)CVodeGetNumJacEvals(s->cvode, &jacobians);
    (void)CVodeGetNumLinSolvSetups(s->cvode, &factorisations);
    (void)CVodeGetNumNonlinSolvIters(s->cvode, &iterations);
    (void)CVodeGetNumErrTestFails(s->cvode, &tests);
    (void)CVodeGetNumNonlinSolvConvFails(s->cvode, &newton);
    (void)CVodeGetLastStep(s->cvode, &step);
    (void)CVodeGetLastOrder(s->cvode, &order);
    sum->steps += steps;
    sum->evaluations += evaluations;
    sum->jacobians += jacobians;
    sum->factorisations += factorisations;
    sum->newton_iterations += iterations;
    sum->error_test_failures += tests;
    sum->newton_failures += newton;
    if (steps > 0) {
        sum->last_step  = step;
        sum->last_order = order;
    }
}

static int multistep_estimate(const void *self, double *error, double *weight)
{
    const multistep *s = self;
    const int size     = s->system.size;
    const double *now  = N_VGetArrayPointer(s->weights);
    long steps         = 0;
    (void)CVodeGetNumSteps(s->cvode, &steps);
    if (steps == 0 || CVodeGetErrWeights(s->cvode, s->weights) != CV_SUCCESS)
        return 0;
    for (int i = 0; i < size; i++)
        weight[i] = now[i];
    if (CVodeGetEstLocalErrors(s->cvode, s->weights) != CV_SUCCESS)
        return 0;
    for (int i = 0; i < size; i++)
        error[i] = now[i];
    return 1;
}

static const char *multistep_message(const void *self)
{
    const multistep *s = self;
    return s->message.text;
}

static void check_order(const kane_settings *settings, kane_errors *errors)
{
    const kane_integrator *own = kane_settings_integrator(settings);
    if (settings->order < 1 || settings->order > own->orders)
        kane_errors_add(errors, KANE_BAD_INPUT, "order %d is not possible: %s has orders 1 to %d", settings->order,
                        own->name, own->orders);
}

// What both have.
// clang-format off
#define MULTISTEP_FUNCTIONS                                                                                            \
    .multistep = 1, .finds_roots = 1, .check = check_order, .free = multistep_free, .restart = multistep_restart,      \
    .forget = multistep_forget, .step = multistep_step, .interpolate = multistep_interpolate,                          \
    .rates = multistep_rates, .wish = multistep_wish, .count = multistep_count, .estimate = multistep_estimate,        \
    .message = multistep_message
// clang-format on

const kane_integrator kane_integrator_bdf = {
    .name     = "bdf",
    .help     = "backward differentiation formulas",
    .orders   = 5,
    .serves   = {2, 4, 5},
    .projects = 1,
    .create   = bdf_create,
    MULTISTEP_FUNCTIONS,
};

const kane_integrator kane_integrator_adams = {
    .name   = "adams",
    .help   = "Adams-Moulton formulas",
    .orders = 12,
    .serves = {2, 2, 12},
    .create = adams_create,
    MULTISTEP_FUNCTIONS,
};
