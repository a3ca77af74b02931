// SPDX-License-Identifier: MIT
// Studies of removed rods: the exact form of their inertia and its approximations side by side.

#include <kane/rods.h>

#include "agem/work.h"
#include "base/machine.h"
#include "base/number.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double usual_steps[] = {1e-4, 2e-4, 5e-4, 1e-3}, usual_factors[] = {0.0, 0.5, 1.0, 2.0, 3.0};

static const double shortest_step = 1e-9; // [s]
enum { FEWEST_STEPS = 10, MOST_STEPS = 10000000 };

// Differences that are less than this of the greatest acceleration are round-off; those that are more than it have run
// away.
static const double round_off = 1e-12;

// --- methods ---

// The exact form, then partition and all, each by point, linear and quadratic.
enum { ROD_METHODS = 1 + 2 * KANE_ROD_EXTRAPOLATIONS };

// --- what a case records ---

typedef struct rods_record {
    double greatest,
        norm;  // of differences of accelerations from the exact ones: the greatest of one speed, and the greatest root
               // of the sum of squares of all [m/s^2], [rad/s^2]; NaN: it has not come to the end
    double at; // when the greatest one was [s]
    double seconds, calls; // processor time of all steps [s], evaluations
    double end;            // how far it came [s]
} rods_record;

typedef struct rods_values {
    double lambda[2][2]; // partition, all: least and greatest at the start
    double size;         // greatest acceleration of a speed by the exact form [m/s^2], [rad/s^2]
    rods_record method[ROD_METHODS];
} rods_values;

enum { ROD_VALUES = sizeof(rods_values) / sizeof(double) };

// --- the study ---

typedef struct rods_report {
    kane_study study;
    const kane_rod_study *asked;
    int step_count, factor_count; // values of the axes
    const double *steps, *factors;
    double time; // [s]
    int rod_count;
    const kane_case **record; // of every factor, step by step [factor_count * step_count]
} rods_report;

enum { FACTOR, STEP, AXES }; // axes of the cases

// Value of an axis in a case.
static double value_of(const rods_report *r, int axis, int index)
{
    int value;
    const kane_axis *is = kane_study_axis(&r->study, axis, index, &value);
    return is->numbers[value];
}

static kane_rod_settings method_of(int method)
{
    const int n = method - 1;
    if (method == 0)
        return (kane_rod_settings){KANE_RODS_EXACT, KANE_EXTRAPOLATION_POINT};
    return (kane_rod_settings){n < KANE_ROD_EXTRAPOLATIONS ? KANE_RODS_PARTITION : KANE_RODS_ALL,
                               (kane_extrapolation)(n % KANE_ROD_EXTRAPOLATIONS)};
}

// Number of the method with this inertia and extrapolation; 0 is the exact form.
static int number_of(kane_rod_inertia inertia, kane_extrapolation extrapolation)
{
    return 1 + (inertia == KANE_RODS_ALL ? KANE_ROD_EXTRAPOLATIONS : 0) + (int)extrapolation;
}

// "exact", "partition linear"
static void name_of(int method, size_t size, char *name)
{
    const kane_rod_settings is = method_of(method);
    if (is.inertia == KANE_RODS_EXACT)
        (void)snprintf(name, size, "%s", kane_rod_inertia_names[is.inertia]);
    else
        (void)snprintf(name, size, "%s %s", kane_rod_inertia_names[is.inertia],
                       kane_extrapolation_names[is.extrapolation]);
}

// --- feedback ---
//
// What the ends do depends on what was said of them as  a = c - L ahead,  with  L = S M^-1 S' m:  S partial velocities
// of the ends, M inertia that is solved for, m masses that are not. Eigenvalues of L are those of M^-1 S' m S, and
// real, for M is positive definite. Powers of L and of L shifted find the greatest one on either side.

enum { POWERS = 400 };

typedef struct feedback {
    const kane_model *model;
    kane_work *work;
    double t;
    const double *y;
    kane_rod_inertia inertia;
    int count; // of numbers
    kane_vec3 *ahead, *rest, *found;
    double *ydot;
} feedback;

static kane_status eval_rod_accelerations(feedback *f, kane_vec3 *found)
{
    const kane_status status = kane_eval_rods(f->model, f->work, f->t, f->y, f->inertia, f->ahead, f->ydot);
    if (status == KANE_OK)
        kane_get_rod_accelerations(f->model, f->work, found);
    return status;
}

static double size_of(const kane_vec3 *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += kv3_dot(x[i], x[i]);
    return sqrt(sum);
}

// Spectral radius of  shift + sign L  by power iteration.
static kane_status iterate_eigenvalue(feedback *f, double shift, double sign, double *greatest)
{
    kane_status status = KANE_OK;
    *greatest          = 0.0;
    for (int i = 0; i < f->count; i++)
        f->ahead[i] = kv3(sin(1.0 + i), sin(2.5 + 1.7 * i), sin(4.0 + 2.9 * i));
    for (int n = 0; n < POWERS && status == KANE_OK; n++) {
        const double size = size_of(f->ahead, f->count);
        if (!(size > 0.0))
            return KANE_OK;
        for (int i = 0; i < f->count; i++)
            f->ahead[i] = kv3_scale(1.0 / size, f->ahead[i]);
        status = eval_rod_accelerations(f, f->found);
        for (int i = 0; i < f->count; i++) {
            const kane_vec3 L = kv3_sub(f->rest[i], f->found[i]);
            f->ahead[i]       = kv3_add_scaled(kv3_scale(shift, f->ahead[i]), sign, L);
        }
        *greatest = size_of(f->ahead, f->count);
    }
    return status;
}

static kane_status find_feedback(feedback *f, double lambda[2])
{
    double most, up, down;
    for (int i = 0; i < f->count; i++)
        f->ahead[i] = kv3_zero();
    kane_status status = eval_rod_accelerations(f, f->rest);
    if (status == KANE_OK)
        status = iterate_eigenvalue(f, 0.0, 1.0, &most);
    if (status == KANE_OK)
        status = iterate_eigenvalue(f, most, 1.0, &up);
    if (status == KANE_OK)
        status = iterate_eigenvalue(f, most, -1.0, &down);
    if (status != KANE_OK)
        return status;
    lambda[0] = most - down;
    lambda[1] = up - most;
    return KANE_OK;
}

kane_status kane_rods_feedback(const kane_model *model, kane_work *work, double t, const double *y,
                               kane_rod_inertia inertia, double lambda[2])
{
    const int count   = 2 * kane_model_rod_count(model);
    kane_arena *arena = kane_arena_create();
    lambda[0] = lambda[1] = 0.0;
    if (!arena)
        return KANE_NO_MEMORY;
    feedback f         = {.model   = model,
                          .work    = work,
                          .t       = t,
                          .y       = y,
                          .inertia = inertia,
                          .count   = count,
                          .ahead   = kane_arena_alloc(arena, (size_t)count, sizeof *f.ahead),
                          .rest    = kane_arena_alloc(arena, (size_t)count, sizeof *f.rest),
                          .found   = kane_arena_alloc(arena, (size_t)count, sizeof *f.found),
                          .ydot    = kane_arena_doubles(arena, (size_t)kane_model_state_count(model))};
    kane_status status = KANE_NO_MEMORY;
    if (!kane_arena_failed(arena))
        status = count == 0 || inertia == KANE_RODS_EXACT ? KANE_OK : find_feedback(&f, lambda);
    kane_arena_free(arena);
    return status;
}

void kane_rods_stable(kane_extrapolation extrapolation, double bound[2])
{
    bound[0] = extrapolation == KANE_EXTRAPOLATION_QUADRATIC ? -1.0 / 2.0 : -1.0;
    bound[1] = extrapolation == KANE_EXTRAPOLATION_QUADRATIC ? 1.0 / 7.0
               : extrapolation == KANE_EXTRAPOLATION_LINEAR  ? 1.0 / 3.0
                                                             : 1.0;
}

// --- one case ---

typedef struct racer {
    kane_simulation *simulation;
    int is_out; // 1: it has failed, or its accelerations are no numbers
    rods_record record;
} racer;

// The vehicle with the masses of its rods times a factor.
static kane_model *create_model(const kane_run_definition *run, double factor, kane_errors *errors)
{
    kane_vehicle_definition vehicle   = *run->vehicle;
    const size_t count                = (size_t)vehicle.constraint_count;
    kane_constraint_definition *heavy = kane_allocate(count, sizeof *heavy);
    if (!heavy) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        heavy[i] = vehicle.constraints[i];
        heavy[i].mass *= factor;
        if (heavy[i].inertia > 0.0)
            heavy[i].inertia *= factor;
    }
    vehicle.constraints = heavy;
    kane_model *model   = kane_model_create(&vehicle, run->track, &run->drive, &run->model, errors);
    kane_release(heavy);
    return model;
}

static kane_settings settings_of(const kane_run_definition *run, double step, int method)
{
    kane_settings settings = run->settings;
    settings.method        = KANE_RK4;
    settings.integrator    = NULL;
    settings.step          = step;
    settings.rods          = method_of(method);
    settings.energy        = 0;
    settings.most_steps    = MOST_STEPS;
    return settings;
}

static kane_simulation *create_racer(const kane_run_definition *run, const kane_model *model, double step, int method,
                                     kane_errors *errors)
{
    const kane_settings settings = settings_of(run, step, method);
    return kane_simulation_create(model, &settings, &run->conditions, errors);
}

// One step of a method. If it fails, an approximation's record ends there; of the exact form it is an error.
static kane_status advance_method(racer *r, double t, int is_exact, kane_errors *errors)
{
    kane_errors own    = {.limit = 1};
    const double begin = kane_clock_processor();
    kane_status status = kane_simulation_advance(r->simulation, t, is_exact ? errors : &own);
    r->record.seconds += kane_clock_processor() - begin;
    if (status == KANE_OK)
        r->record.end = kane_simulation_time(r->simulation);
    else
        r->is_out = 1;
    return is_exact ? status : KANE_OK;
}

// Difference of all accelerations v_dot to those of the exact form at t: largest norm and largest component so far.
static void compare_accelerations(racer *r, const kane_model *model, const double *exact, double t)
{
    const double *v_dot = kane_simulation_work(r->simulation)->tree.v_dot;
    double sum = 0.0, greatest = 0.0;
    for (int k = 0; k < model->tree.v_count; k++) {
        const double d = fabs(v_dot[k] - exact[k]);
        sum += d * d;
        greatest = fmax(greatest, d);
    }
    if (!isfinite(sum)) {
        r->is_out = 1;
        return;
    }
    r->record.norm = fmax(r->record.norm, sqrt(sum));
    if (greatest > r->record.greatest) {
        r->record.greatest = greatest;
        r->record.at       = t;
    }
}

// All methods side by side, `count` steps; *size: largest acceleration of the exact form.
static kane_status run_methods(racer racers[ROD_METHODS], const kane_model *model, double step, long count,
                               double *size, kane_errors *errors)
{
    const size_t speeds = (size_t)model->tree.v_count;
    double *exact       = kane_allocate(speeds, sizeof *exact);
    kane_status status  = exact ? KANE_OK : kane_no_memory(errors);
    *size               = 0.0;
    for (long n = 1; n <= count && status == KANE_OK; n++) {
        const double t = (double)n * step;
        // the first method finds cold caches: they take turns
        for (int k = 0; k < ROD_METHODS && status == KANE_OK; k++) {
            const int m = (int)((n + k) % ROD_METHODS);
            if (!racers[m].is_out)
                status = advance_method(&racers[m], t, m == 0, errors);
        }
        if (status != KANE_OK)
            break;
        memcpy(exact, kane_simulation_work(racers[0].simulation)->tree.v_dot, speeds * sizeof *exact);
        for (size_t k = 0; k < speeds; k++)
            *size = fmax(*size, fabs(exact[k]));
        for (int m = 0; m < ROD_METHODS; m++)
            if (!racers[m].is_out)
                compare_accelerations(&racers[m], model, exact, t);
        if (kane_simulation_stop(racers[0].simulation) != KANE_STOP_NONE)
            break;
    }
    kane_release(exact);
    return status;
}

static void copy_records(racer racers[ROD_METHODS], rods_values *values)
{
    for (int m = 0; m < ROD_METHODS; m++) {
        rods_record *r = &values->method[m];
        kane_statistics sum;
        kane_simulation_statistics(racers[m].simulation, &sum);
        *r       = racers[m].record;
        r->calls = (double)sum.evaluations;
        if (racers[m].is_out)
            r->greatest = r->norm = r->at = (double)NAN;
    }
}

static kane_status find_lambda(const kane_model *model, rods_values *values, kane_errors *errors)
{
    kane_work *work    = kane_work_create(model, errors);
    double *y          = kane_allocate((size_t)kane_model_state_count(model), sizeof *y);
    kane_status status = work && y ? kane_initial_state(model, work, y, errors) : kane_no_memory(errors);
    for (int i = 0; i < 2 && status == KANE_OK; i++) {
        status =
            kane_rods_feedback(model, work, 0.0, y, i == 0 ? KANE_RODS_PARTITION : KANE_RODS_ALL, values->lambda[i]);
        if (status != KANE_OK)
            kane_work_fault(model, work, errors);
    }
    kane_release(y);
    kane_work_free(work);
    return status;
}

static kane_status run_rod_methods(const rods_report *report, double factor, double step, rods_values *values,
                                   kane_errors *errors)
{
    racer racers[ROD_METHODS]      = {{.simulation = NULL}};
    kane_run *run                  = kane_study_read(&report->study, NULL, errors);
    const kane_run_definition *own = run ? kane_run_get_definition(run) : NULL;
    kane_model *model              = own ? create_model(own, factor, errors) : NULL;
    kane_status status             = model ? KANE_OK : KANE_BAD_INPUT;
    for (int m = 0; m < ROD_METHODS && status == KANE_OK; m++) {
        racers[m].simulation = create_racer(own, model, step, m, errors);
        if (!racers[m].simulation)
            status = KANE_BAD_INPUT;
    }
    if (status == KANE_OK)
        status = find_lambda(model, values, errors);
    if (status == KANE_OK)
        status =
            run_methods(racers, model, step, lround(floor(report->time / step * (1.0 + 1e-12))), &values->size, errors);
    if (status == KANE_OK)
        copy_records(racers, values);
    for (int m = 0; m < ROD_METHODS; m++)
        kane_simulation_free(racers[m].simulation);
    kane_model_free(model);
    kane_run_free(run);
    return status;
}

// --- runs that are kept ---

// The masses of all rods times a factor, and how long, as --set would have them; NULL without memory.
static const char *const *write_settings(kane_arena *arena, const rods_report *r, const kane_run_definition *run,
                                         double factor)
{
    const kane_vehicle_definition *v = run->vehicle;
    const char *in                   = run->track ? "vehicle" : "mechanism";
    const char **settings            = kane_arena_alloc(arena, 2 * (size_t)v->constraint_count + 2, sizeof *settings);
    int count                        = 0;
    for (int i = 0; i < v->constraint_count && settings; i++) {
        const kane_constraint_definition *c = &v->constraints[i];
        const size_t size                   = strlen(c->block.name) + 64;
        char *mass                          = kane_arena_alloc(arena, size, 1);
        char *inertia                       = kane_arena_alloc(arena, size, 1);
        if (c->kind != KANE_CONSTRAINT_ROD || !(c->mass > 0.0) || !mass || !inertia)
            continue;
        (void)kane_snprintf(mass, size, "%s.constraints.%s.mass=%.17g", in, c->block.name, factor * c->mass);
        (void)kane_snprintf(inertia, size, "%s.constraints.%s.inertia=%.17g", in, c->block.name, factor * c->inertia);
        settings[count++] = mass;
        if (c->inertia > 0.0)
            settings[count++] = inertia;
    }
    char *time = kane_arena_alloc(arena, 64, 1);
    if (time)
        (void)kane_snprintf(time, 64, "until.time=%.17g", r->time);
    if (settings)
        settings[count] = time;
    return kane_arena_failed(arena) ? NULL : settings;
}

// "case-0001-exact", "case-0001-partition-linear"
static void name_run(int index, int method, char name[KANE_STUDY_NAME])
{
    char own[64];
    name_of(method, sizeof own, own);
    for (char *c = own; *c; c++)
        *c = (char)(*c == ' ' ? '-' : *c);
    const size_t length = strlen(kane_study_case_name(index, name));
    (void)snprintf(name + length, KANE_STUDY_NAME - length, "-%s", own);
}

// Every method once more, by itself, with the channels of the run. What keeps an approximation from its end is how its
// rows end.
static kane_status write_method_runs(const rods_report *r, int index, kane_errors *errors)
{
    kane_arena *arena  = kane_arena_create();
    kane_run *plain    = arena ? kane_study_read(&r->study, NULL, errors) : NULL;
    kane_run *run      = NULL;
    kane_status status = plain ? KANE_OK : KANE_BAD_INPUT;
    if (plain) {
        const char *const *settings =
            write_settings(arena, r, kane_run_get_definition(plain), value_of(r, FACTOR, index));
        run    = settings ? kane_study_read(&r->study, settings, errors) : NULL;
        status = run ? KANE_OK : settings ? KANE_BAD_INPUT : kane_no_memory(errors);
    }
    for (int m = 0; m < ROD_METHODS && status == KANE_OK; m++) {
        char name[KANE_STUDY_NAME];
        kane_run_definition own = *kane_run_get_definition(run);
        kane_errors unheard     = {.limit = 1};
        kane_outcome outcome;
        own.settings = settings_of(&own, value_of(r, STEP, index), m);
        name_run(index, m, name);
        kane_results_free(kane_study_rows(&r->study, name, &own, 0, NULL, &outcome, m == 0 ? errors : &unheard));
        if (m == 0 || outcome.status == KANE_NO_FILE)
            status = outcome.status;
    }
    kane_run_free(run);
    kane_run_free(plain);
    kane_arena_free(arena);
    return status;
}

static void run_rod_case(int index, kane_case *result, void *data)
{
    const rods_report *r = data;
    kane_errors errors   = {.limit = 1};
    rods_values values;
    kane_status status = run_rod_methods(r, value_of(r, FACTOR, index), value_of(r, STEP, index), &values, &errors);
    if (status == KANE_OK && r->study.keep)
        status = write_method_runs(r, index, &errors);
    if (status == KANE_OK)
        memcpy(result->values, &values, sizeof values);
    kane_study_print(result, status, &errors);
}

// --- results ---

// Values of a case, NULL: it failed.
static const rods_values *case_values(const rods_report *r, int index)
{
    const kane_case *record = r->record[index];
    return record->state == KANE_CASE_DONE ? (const rods_values *)(const void *)record->values : NULL;
}

static const rods_values *values_of(const rods_report *r, int factor, int step)
{
    return case_values(r, kane_grid_index(&r->study.cases, (const int[AXES]){factor, step}));
}

// Slope of the greatest difference over the step in logarithms, by least squares over all steps that it came to the end
// with and where it is more than round-off and has not run away; NaN: there are fewer than two.
static double order_of(const rods_report *r, int factor, int method)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < r->step_count; i++) {
        const rods_values *v = values_of(r, factor, i);
        const double error   = v ? v->method[method].greatest : (double)NAN;
        if (!(error > round_off * v->size && error < v->size))
            continue;
        const double h = log(r->steps[i]), e = log(error);
        n += 1.0;
        x += h;
        y += e;
        xx += h * h;
        xy += h * e;
    }
    return n > 1.0 ? (n * xy - x * y) / (n * xx - x * x) : (double)NAN;
}

// Processor time of an evaluation, of all cases with a step (-1: with all of them) [s].
static double call_of(const rods_report *r, int step, int method)
{
    double seconds = 0.0, calls = 0.0;
    for (int f = 0; f < r->factor_count; f++)
        for (int i = step < 0 ? 0 : step; i < (step < 0 ? r->step_count : step + 1); i++) {
            const rods_values *v = values_of(r, f, i);
            if (!v || r->factors[f] == 0.0) // rods without mass have nothing to approximate
                continue;
            seconds += v->method[method].seconds;
            calls += v->method[method].calls;
        }
    return seconds / calls;
}

// --- tables ---

enum { COLUMNS = 14 };

typedef struct rods_tables {
    const rods_report *report;
    kane_table table;
} rods_tables;

// A row for every factor, step and method.
static kane_table tabulate_rods(const rods_report *r)
{
    static const char *const heads[2][COLUMNS] = {
        {"factor", "step", "inertia", "extrapolation", "max", "norm", "at", "order", "end", "calls", "processor time",
         "a call", "lambda least", "lambda greatest"},
        {"1", "s", "", "", "m/s^2", "m/s^2", "s", "1", "s", "1", "s", "us", "1", "1"}};
    static const rods_values unknown = {.size = NAN};
    const int rows                   = r->study.case_count * ROD_METHODS;
    kane_table t                     = kane_table_begin(r->study.arena, COLUMNS, rows);
    t.has_nan                        = 1;
    kane_table_add_names(&t, COLUMNS, heads[0], heads[1]);
    for (int row = 0; row < rows; row++) {
        const int method = row % ROD_METHODS, index = row / ROD_METHODS;
        const kane_rod_settings kind = method_of(method);
        const rods_values *v         = case_values(r, index);
        const rods_record *m         = v ? &v->method[method] : &unknown.method[0];
        const double *lambda         = (v ? v : &unknown)->lambda[kind.inertia == KANE_RODS_ALL];
        const double known = v ? 0.0 : (double)NAN, approximate = method ? known : (double)NAN; // added: NaN: nothing
        kane_table_add(&t, COLUMNS,
                       (const kane_cell[]){
                           kane_cell_number(value_of(r, FACTOR, index)), kane_cell_number(value_of(r, STEP, index)),
                           kane_cell_word(kane_rod_inertia_names[kind.inertia]),
                           kane_cell_word(method ? kane_extrapolation_names[kind.extrapolation] : ""),
                           kane_cell_number(m->greatest + known), kane_cell_number(m->norm + known),
                           kane_cell_number(m->at + known),
                           kane_cell_number(order_of(r, index / r->step_count, method) + approximate),
                           kane_cell_number(m->end + known), kane_cell_number(m->calls + known),
                           kane_cell_number(m->seconds + known), kane_cell_number(1e6 * m->seconds / m->calls),
                           kane_cell_number(lambda[0] + approximate), kane_cell_number(lambda[1] + approximate)});
    }
    return t;
}

// A number in words, "" of NaN.
static kane_cell format_finite(kane_table *t, const char *format, double value)
{
    return kane_cell_word(isfinite(value) ? kane_table_text(t, format, value) : "");
}

// Errors of one kind of inertia, as the source's tables 4 and 5 have them.
static void print_errors(FILE *out, const rods_report *r, kane_rod_inertia inertia)
{
    kane_table t = kane_table_begin(r->study.arena, 2 + 2 * KANE_ROD_EXTRAPOLATIONS, r->study.case_count);
    kane_table_add_names(&t, 2, (const char *const[]){"masses", "step [s]"}, NULL);
    for (int e = 0; e < KANE_ROD_EXTRAPOLATIONS; e++)
        kane_table_add_names(&t, 2, (const char *const[]){kane_extrapolation_names[e], "norm"}, NULL);
    for (int i = 0; i < r->study.case_count; i++) {
        const rods_values *v = case_values(r, i);
        for (int a = 0; a < AXES; a++)
            kane_table_put(&t, kane_cell_number(value_of(r, a, i)));
        for (int e = 0; e < KANE_ROD_EXTRAPOLATIONS; e++) {
            const rods_record *m = v ? &v->method[number_of(inertia, (kane_extrapolation)e)] : NULL;
            const int is_out     = m && !isfinite(m->greatest);
            kane_table_put(&t, is_out ? format_finite(&t, "diverges after %.3g s", m->end)
                                      : kane_cell_word(m ? kane_table_text(&t, "%.3g", m->greatest) : "failed"));
            kane_table_put(&t, format_finite(&t, "%.3g", m ? m->norm : (double)NAN));
        }
    }
    (void)fprintf(out, "\nerrors of accelerations, inertia \"%s\": greatest of one speed, greatest norm of all\n",
                  kane_rod_inertia_names[inertia]);
    kane_table_print(&t, t.rows, t.column_count, out);
    for (int i = 0; i < r->study.case_count; i++)
        if (r->record[i]->why[0])
            (void)fprintf(out, "case %d: %s\n", i + 1, r->record[i]->why);
}

static void add_method_names(kane_table *t, const char *first, int from)
{
    kane_table_add_names(t, 1, &first, NULL);
    for (int m = from; m < ROD_METHODS; m++) {
        char name[64];
        name_of(m, sizeof name, name);
        kane_table_add_columns(t, 1, &(kane_table_column){.name = kane_table_text(t, "%s", name)});
    }
}

static void print_orders(FILE *out, const rods_report *r)
{
    kane_table t = kane_table_begin(r->study.arena, ROD_METHODS + 2, r->factor_count);
    add_method_names(&t, "masses", 1);
    kane_table_add_names(&t, 2, (const char *const[]){"lambda of partition", "lambda of all"}, NULL);
    for (int f = 0; f < r->factor_count; f++) {
        const rods_values *v = values_of(r, f, 0);
        kane_table_put(&t, kane_cell_number(r->factors[f]));
        for (int m = 1; m < ROD_METHODS; m++)
            kane_table_put(&t, format_finite(&t, "%.2f", order_of(r, f, m)));
        for (int i = 0; i < 2; i++)
            kane_table_put(
                &t, kane_cell_word(v ? kane_table_text(&t, "%.4f .. %.4f", v->lambda[i][0], v->lambda[i][1]) : ""));
    }
    (void)fprintf(out, "\norder in the step, of the greatest error over all steps, and feedback at the start\n");
    kane_table_print(&t, t.rows, t.column_count, out);
    (void)fprintf(out, "stable between -1 and 1 (point), -1 and 1/3 (linear), -1/2 and 1/7 (quadratic)\n");
}

static void print_times(FILE *out, const rods_report *r)
{
    kane_table t = kane_table_begin(r->study.arena, 1 + ROD_METHODS, 1 + r->step_count);
    add_method_names(&t, "step [s]", 0);
    for (int i = -1; i < r->step_count; i++) {
        kane_table_put(&t, i < 0 ? kane_cell_word("all") : kane_cell_number(r->steps[i]));
        for (int m = 0; m < ROD_METHODS; m++) {
            const double own = call_of(r, i, m), saved = 100.0 * (1.0 - own / call_of(r, i, 0));
            kane_table_put(&t, m == 0 ? format_finite(&t, "%.2f us", 1e6 * own)
                               : isfinite(own)
                                   ? kane_cell_word(kane_table_text(&t, "%.2f us %.1f %%", 1e6 * own, saved))
                                   : kane_cell_word(""));
        }
    }
    (void)fprintf(out, "\nprocessor time of an evaluation, integration included, and what it is less than that of the "
                       "exact form\n");
    kane_table_print(&t, t.rows, t.column_count, out);
}

static void write_text(FILE *out, const void *data)
{
    const rods_report *r = ((const rods_tables *)data)->report;
    (void)kane_fprintf(out, "%d %s over %g s by rk4, exact and approximated\n", r->rod_count,
                       r->rod_count == 1 ? "rod" : "rods", r->time);
    print_errors(out, r, KANE_RODS_PARTITION);
    print_errors(out, r, KANE_RODS_ALL);
    print_orders(out, r);
    print_times(out, r);
}

static void describe_rods(kane_writer *w, const void *self)
{
    const rods_report *r = self;
    kane_write_numbers(w, "steps", r->step_count, r->steps);
    kane_write_numbers(w, "factors", r->factor_count, r->factors);
    kane_writer_number(w, "time", r->time);
}

static void write_json(kane_writer *w, const void *data)
{
    const rods_tables *t = data;
    kane_writer_text(w, "run", t->report->study.file);
    kane_writer_count(w, "rods", t->report->rod_count);
    describe_rods(w, t->report);
    kane_table_write_json(&t->table, w);
}

enum { PANEL_HEIGHT = 340 };

// The step or factor that a picture is of where it shows the other one: the masses as they are, or the heaviest; the
// longest step.
static int greatest_of(int count, const double *values, double rather)
{
    int chosen = 0;
    for (int i = 0; i < count; i++)
        if (values[chosen] != rather && (values[i] == rather || values[i] > values[chosen]))
            chosen = i;
    return chosen;
}

static int choose_factor(const rods_report *r)
{
    return greatest_of(r->factor_count, r->factors, 1.0);
}

static int longest_step(const rods_report *r)
{
    return greatest_of(r->step_count, r->steps, (double)NAN);
}

static double error_at(const rods_report *r, int factor, int step, int method)
{
    const rods_values *v = values_of(r, factor, step);
    return v ? v->method[method].greatest : (double)NAN;
}

// A curve and its points; over: 0 the step, with all else fixed, 1 the factor.
static void add_curve(kane_figure *f, int panel, const rods_report *r, int over, int method, int e)
{
    const int factor = choose_factor(r), step = longest_step(r);
    const int count    = over ? r->factor_count : r->step_count;
    const double order = order_of(r, factor, method);
    double *x = kane_figure_values(f, (size_t)count), *y = kane_figure_values(f, (size_t)count);
    for (int i = 0; x && y && i < count; i++) {
        x[i] = over ? r->factors[i] : r->steps[i];
        y[i] = over ? error_at(r, i, step, method) : error_at(r, factor, i, method);
    }
    const char *label = over || !isfinite(order)
                            ? kane_extrapolation_names[e]
                            : kane_figure_text(f, "%s: slope %.2f", kane_extrapolation_names[e], order);
    kane_figure_marked(f, panel, (kane_plot_curve){.label = label, .count = count, .x = x, .y = y, .colour = e});
}

static int draw_errors(const rods_report *r, int over, const char *name)
{
    kane_figure f = kane_figure_begin();
    for (int inertia = KANE_RODS_PARTITION; inertia <= KANE_RODS_ALL; inertia++) {
        const char *kind  = kane_rod_inertia_names[inertia];
        const char *title = over ? kane_figure_text(&f, "%s, steps of %g s", kind, r->steps[longest_step(r)])
                                 : kane_figure_text(&f, "%s, %g times the masses", kind, r->factors[choose_factor(r)]);
        const int panel   = kane_figure_add(&f, title, over ? "masses of the rods over theirs [1]" : "step [s]",
                                            "greatest error of accelerations [m/s^2]");
        for (int e = 0; e < KANE_ROD_EXTRAPOLATIONS; e++)
            add_curve(&f, panel, r, over, number_of((kane_rod_inertia)inertia, (kane_extrapolation)e), e);
        kane_figure_scale(&f, panel, KANE_PLOT_LOG, KANE_PLOT_LOG);
    }
    f.plot.height = 60 + f.plot.panel_count * PANEL_HEIGHT;
    return kane_figure_end(&f, &r->study, name);
}

static int draw_all(const rods_report *r)
{
    return (r->step_count < 2 || draw_errors(r, 0, "errors")) && (r->factor_count < 2 || draw_errors(r, 1, "masses"));
}

static int write_rods(void *self, const kane_plan *plan)
{
    rods_report *r = self;
    for (int i = 0; i < r->study.case_count; i++)
        r->record[i] = kane_plan_case(plan, i);
    const rods_tables t               = {r, tabulate_rods(r)};
    const kane_study_output outputs[] = {{.name = "rods.csv", .table = &t.table},
                                         {.name = "rods.txt", .text = write_text},
                                         {.name = "rods.json", .json = write_json, .kind = "rods 1"}};
    return kane_study_write(&r->study, 3, outputs, &t) && draw_all(r);
}

// --- checks of the input ---

static void check_list(const char *what, int count, const double *values, int most, double least, kane_errors *errors)
{
    if (count > most)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d %ss; there may be %d", count, what, most);
    for (int i = 0; i < count && i < most; i++) {
        if (!(values[i] >= least) || !isfinite(values[i]))
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "a %s of %g is not possible: it must be at least %g", what,
                            values[i], least);
        for (int k = 0; k < i; k++)
            if (values[k] == values[i])
                kane_errors_add(errors, KANE_BAD_ARGUMENT, "the %s %g is given twice", what, values[i]);
    }
}

static void check_time(const rods_report *r, kane_errors *errors)
{
    if (!(r->time > 0.0) || !isfinite(r->time)) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT,
                        "%s does not say how long it lasts: give a positive --time, or \"until\": { \"time\": ... }",
                        r->study.file);
        return;
    }
    for (int i = 0; i < r->step_count; i++) {
        const double count = r->time / r->steps[i];
        if (count * (1.0 + 1e-12) < FEWEST_STEPS)
            kane_errors_add(errors, KANE_BAD_ARGUMENT,
                            "steps of %g s are too long for %g s: there must be %d of them at least", r->steps[i],
                            r->time, FEWEST_STEPS);
        if (count > MOST_STEPS)
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "steps of %g s are too short for %g s: there may be %d of them",
                            r->steps[i], r->time, MOST_STEPS);
    }
}

static int count_rods(const kane_vehicle_definition *vehicle)
{
    int count = 0;
    for (int i = 0; i < vehicle->constraint_count; i++)
        count += vehicle->constraints[i].kind == KANE_CONSTRAINT_ROD && vehicle->constraints[i].mass > 0.0;
    return count;
}

// Every factor with every step.
static int set_cases(rods_report *r)
{
    kane_arena *arena           = r->study.arena;
    const kane_axis *axes[AXES] = {[FACTOR] = kane_axis_of_numbers(arena, "factor", "1", r->factor_count, r->factors),
                                   [STEP]   = kane_axis_of_numbers(arena, "step", "s", r->step_count, r->steps)};
    if (!axes[FACTOR] || !axes[STEP])
        return kane_study_no_memory(&r->study);
    if (!kane_study_set_cases(&r->study, AXES, axes))
        return 0;
    r->record = kane_arena_alloc(arena, (size_t)r->study.case_count, sizeof *r->record);
    return r->record || kane_study_no_memory(&r->study);
}

static int prepare_rods(void *self)
{
    rods_report *r                = self;
    const kane_rod_study *a       = r->asked;
    kane_errors *errors           = r->study.errors;
    const int before              = errors->count;
    kane_run *run                 = kane_study_read(&r->study, NULL, errors);
    const kane_run_definition *is = run ? kane_run_get_definition(run) : NULL;
    r->step_count                 = a->step_count > 0 ? a->step_count : (int)(sizeof usual_steps / sizeof *usual_steps);
    r->steps                      = a->step_count > 0 ? a->steps : usual_steps;
    r->factor_count = a->factor_count > 0 ? a->factor_count : (int)(sizeof usual_factors / sizeof *usual_factors);
    r->factors      = a->factor_count > 0 ? a->factors : usual_factors;
    check_list("step", r->step_count, r->steps, KANE_ROD_STEPS_MOST, shortest_step, errors);
    check_list("factor", r->factor_count, r->factors, KANE_ROD_FACTORS_MOST, 0.0, errors);
    if (is && errors->count == before) {
        r->time      = a->time != 0.0 ? a->time : is->conditions.time;
        r->rod_count = count_rods(is->vehicle);
        check_time(r, errors);
        if (r->rod_count == 0)
            kane_errors_add(errors, KANE_BAD_INPUT,
                            "%s: '%s' has no rod with mass, whose inertia could be approximated", r->study.file,
                            is->vehicle->name);
    }
    if (is && errors->count == before)
        (void)kane_study_take_inputs(&r->study, is);
    kane_run_free(run);
    r->study.value_count = ROD_VALUES;
    return errors->count == before && set_cases(r);
}

kane_status kane_study_rods(const kane_rod_study *asked, int *complete, kane_errors *errors)
{
    static const kane_study_kind kind = {
        .name = "rods", .prepare = prepare_rods, .describe = describe_rods, .work = run_rod_case, .finish = write_rods};
    rods_report r = {.study = {.keep = asked->keep}, .asked = asked};
    return kane_study_run_cases(&kind, &r, asked->file, asked->common, &asked->execution, complete, errors);
}
