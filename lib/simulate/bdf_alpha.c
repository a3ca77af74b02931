// SPDX-License-Identifier: MIT
// A multistep method whose formula depends on the step: for wheels in elastic contact, which swing with some 200 Hz,
// almost undamped.
//
// BDF of order 2 wastes its steps there, as its error is three times what order and stability ask for; orders 3 and 4
// are unstable where damping is small and a step takes more than a small part of a swing. What is stable for every step
// is the generalised-alpha formula of order 2 (Jansen, Whiting, Hulbert 2000), of which BDF is one end: rho_inf, the
// part of an infinitely fast motion that a step leaves, goes from 0 (BDF) to 1 (trapezoidal rule), and the error
// constant 1/12 + r^2/4, r = (1 - rho_inf)/(1 + rho_inf), from 1/3 to 1/12. All of them are A-stable: with zeta = (1 +
// w)/(1 - w) for the root of a step, h lambda = 2 (w + 2 r w^2)/(1 + 2 r w + r^2 w^2), whose inverse 1/(2 w) + r^2 w/(2
// (1 + 2 r w)) has a positive real part where w has: a root outside the unit circle belongs to motion that grows.
//
//   omega h <= .43         orders 3 and 4, BDF; of wheels on rails if the swing at omega has a damping ratio of .02 or
//                          more: else they are unstable, and steps become short
//   omega h <= .8          order 2, rho_inf = 1/2: swings are followed, with a third of BDF's error
//   up to omega h = 2.4    order 2, rho_inf falls with log(omega h): swings are damped away, not followed
//   beyond                 order 2, rho_inf = 0: BDF
//
// omega: the highest frequency with which the system swings, from every Jacobian (find_highest_frequency). Nordsieck's
// form, so that steps change their length and their formula by a factor; Newton's method, error test and choice of
// steps as CVODE has them (Hindmarsh et al. 2005).

#include "simulate/integrators.h"

#include "simulate/integrator_frame.h"

#include <float.h>
#include <string.h>

// Schedule of the formula over omega h.
static const double followed = 0.8, damped = 2.4, most_radius = 0.5, narrow = 0.43;

// Damping ratio of the swing at omega from which on orders 3 and 4 are stable up to omega h = narrow.
static const double least_damping = 0.02;

// As in cvode.c: steps that a Jacobian and factors of 1 - gamma J serve, a change of gamma that factors bear, growth
// that is worth a change of step with wheels and without, the shortest step [s].
static const int jacobian_steps = 150, factor_steps = 40;
static const double gamma_change = 0.3, least_growth[2] = {1.5, 1.1}, most_growth = 10.0, shortest_step = 1e-12;

// Newton's method: iterations, the part of the error that it may leave, how much of a rate of convergence lasts to the
// next iteration, growth of corrections at which it is given up.
static const int iterations_most = 3;
static const double newton_error = 0.15, rate_kept = 0.3, diverges = 2.0;

// Attempts at one step.
static const int convergence_failures_most = 10, error_failures_most = 7, error_failures_few = 3;

// Safety of a new step's length: its error shall be an eighth of what is accepted.
static const double bias = 8.0;

// Iterations for the highest frequency, of a first Jacobian and of one that follows another.
static const int power_first = 30, power_next = 3;

typedef struct alpha {
    kane_integrator_frame frame;
    int most_order;
    double longest, growth; // growth: the least
    // at time t: z_j = h^j y^(j)/j! of a polynomial of degree formula.order (Nordsieck)
    double t, h;
    double *z[KANE_BDF_ALPHA_MOST + 1]; //
    kane_bdf_alpha_formula formula;     // of the last step
    int begins;                         // 1: after a restart at (t, z[0]); z[1] and higher are not set
    double usual_h;                     // of the last step, if nothing had cut it
    double next_h;                      // of the next step
    int next_order;                     //
    int wait;                           // steps until length and order may change
    double last_h;                      // of the last step before a restart, 0: none
    double last_error;                  // of the last step, over what is accepted
    // an attempt
    double *p[KANE_BDF_ALPHA_MOST + 1]; // predicted
    double *d, *weight;                 // of the last step, too
    double *y, *rates;                  // scratch
    double size;                        // of d
    double rate;                        // of Newton's convergence
    // the highest frequency [rad/s], 0: unknown
    double omega;
    double damping;               // damping ratio of its swing; 1 without wheels, which can be exact without damping
    double *speeds, *coordinates; // scratch of [size]; speeds: those of its motion, kept
} alpha;

// --- formulas ---

double kane_bdf_alpha_narrow(void)
{
    return narrow;
}

double kane_bdf_alpha_radius(double swing)
{
    if (!(swing > followed))
        return most_radius;
    return swing < damped ? most_radius * log(damped / swing) / log(damped / followed) : 0.0;
}

kane_bdf_alpha_formula kane_bdf_alpha_make(int order, double radius)
{
    static const kane_bdf_alpha_formula bdf[] = {
        {.order = 3, .l = {6.0 / 11.0, 1.0, 6.0 / 11.0, 1.0 / 11.0}, .error = 3.0 / 22.0 * 6.0 / 11.0},
        {.order = 4, .l = {12.0 / 25.0, 1.0, 7.0 / 10.0, 1.0 / 5.0, 1.0 / 50.0}, .error = 12.0 / 125.0 * 12.0 / 25.0}};
    if (order > 2)
        return bdf[order - 3];
    const double l0 = 1.0 / (2.0 - 0.5 * (1.0 - radius) * (1.0 - radius)),
                 l2 = 0.5 * l0 * (1.0 + radius) * (1.0 + radius);
    // steps of one length through a cubic: d = (3/l2) h^3 y'''/6, z_2 is off by -(3/l2 - 3)/2 of that, and y by one
    // step as follows
    const double off = l0 * 3.0 / l2 - 1.0 - 0.5 * (3.0 / l2 - 3.0);
    return (kane_bdf_alpha_formula){.order = 2, .l = {l0, 1.0, l2}, .error = l0 * off * l2 / 3.0};
}

// Formula of the next step: order next_order, rho_inf by omega h.
static void choose_formula(alpha *s)
{
    s->formula = kane_bdf_alpha_make(s->next_order, s->omega > 0.0 ? kane_bdf_alpha_radius(s->omega * s->h) : 0.0);
}

// --- creating ---

static void *create_bdf_alpha(const kane_system *system, const kane_settings *settings)
{
    const size_t size = (size_t)system->size;
    alpha *s          = kane_frame_create(sizeof *s, system, 1);
    if (!s)
        return NULL;
    kane_arena *arena = s->frame.arena;
    s->most_order     = settings->order;
    s->longest        = settings->longest_step > 0.0 ? settings->longest_step : HUGE_VAL;
    s->growth         = least_growth[system->on_rails != 0];
    for (int j = 0; j <= KANE_BDF_ALPHA_MOST; j++) {
        s->z[j] = kane_arena_alloc(arena, size, sizeof *s->z[j]);
        s->p[j] = kane_arena_alloc(arena, size, sizeof *s->p[j]);
    }
    s->d           = kane_arena_alloc(arena, size, sizeof *s->d);
    s->weight      = kane_arena_alloc(arena, size, sizeof *s->weight);
    s->y           = kane_arena_alloc(arena, size, sizeof *s->y);
    s->rates       = kane_arena_alloc(arena, size, sizeof *s->rates);
    s->speeds      = kane_arena_alloc(arena, size, sizeof *s->speeds);
    s->coordinates = kane_arena_alloc(arena, size, sizeof *s->coordinates);
    return kane_frame_created(s);
}

static kane_status restart_bdf_alpha(void *self, double t, const double *y)
{
    alpha *s  = self;
    s->last_h = s->frame.sum.steps > 0 ? s->usual_h : s->last_h;
    s->t      = t;
    s->begins = 1;
    kane_frame_restart(&s->frame);
    memcpy(s->z[0], y, (size_t)s->frame.system.size * sizeof *y);
    return KANE_OK;
}

static void discard_history(void *self)
{
    alpha *s  = self;
    s->last_h = s->omega = s->frame.matrix.factored = 0.0;
    s->frame.sum.steps                              = 0;
    s->frame.matrix.has_slopes = s->frame.matrix.has_pivots = 0;
}

// --- arithmetic ---

// ((x_1 w_1)^2 + ... + (x_n w_n)^2)/n)^1/2, w: error weights; 1: the tolerances.
static double weighted_norm(const alpha *s, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < s->frame.system.size; i++)
        sum += (x[i] * s->weight[i]) * (x[i] * s->weight[i]);
    return sqrt(sum / (double)s->frame.system.size);
}

// Change of step length: z_j *= (h_new/h)^j, j = 1 .. order.
static void rescale_nordsieck(alpha *s, int order, double h)
{
    const double ratio = h / s->h;
    double factor      = ratio;
    for (int j = 1; j <= order; j++, factor *= ratio)
        for (int i = 0; i < s->frame.system.size; i++)
            s->z[j][i] *= factor;
    s->h = h;
}

// p = P z: Taylor's polynomial at t + h, P: Pascal's triangle, p_j = sum over k >= j of binomial(k, j) z_k.
static void predict_nordsieck(alpha *s, int order)
{
    const size_t bytes = (size_t)s->frame.system.size * sizeof *s->p[0];
    for (int j = 0; j <= order; j++)
        memcpy(s->p[j], s->z[j], bytes);
    for (int k = 1; k <= order; k++)
        for (int j = order; j >= k; j--)
            for (int i = 0; i < s->frame.system.size; i++)
                s->p[j - 1][i] += s->p[j][i];
}

// --- the Jacobian, its factors, the highest frequency ---

// to[begin .. end) = J[begin .. end)[first .. last) from[first .. last)
static void multiply_block(const alpha *s, int first, int last, int begin, int end, const double *from, double *to)
{
    const kane_pattern *pattern = s->frame.system.pattern;
    for (int i = begin; i < end; i++)
        to[i] = 0.0;
    for (int column = first; column < last; column++)
        for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
            if (pattern->row[k] >= begin && pattern->row[k] < end)
                to[pattern->row[k]] += s->frame.matrix.slopes[k] * from[column];
}

// Of the swing with speeds v, |v| = 1, at omega:  zeta = -v' J_uu v/(2 omega).
static double find_damping_ratio(const alpha *s)
{
    const int u = s->frame.system.speeds, end = s->frame.system.speeds_end;
    double product = 0.0;
    multiply_block(s, u, end, u, end, s->speeds, s->coordinates);
    for (int i = u; i < end; i++)
        product += s->speeds[i] * s->coordinates[i];
    return -0.5 * product / fmax(s->omega, DBL_MIN);
}

// Highest undamped frequency omega [rad/s]. Coordinates q and speeds u: q' = J_qu u, u' = J_uq q + ...; omega^2 are the
// eigenvalues of -J_uq J_qu. The largest by the power method, started from the eigenvector of the last Jacobian.
static void find_highest_frequency(alpha *s)
{
    const int q = s->frame.system.coordinates, u = s->frame.system.speeds, end = s->frame.system.speeds_end;
    const int count = s->omega > 0.0 ? power_next : power_first;
    double size     = 0.0;
    for (int i = u; i < end && !(s->omega > 0.0); i++)
        s->speeds[i] = 1.0 + 0.5 * sin((double)(i * i)); // a start vector that is orthogonal to no mode
    for (int k = 0; k < count; k++) {
        double before = 0.0, after = 0.0;
        for (int i = u; i < end; i++)
            before += s->speeds[i] * s->speeds[i];
        multiply_block(s, u, end, q, u, s->speeds, s->coordinates);
        multiply_block(s, q, u, u, end, s->coordinates, s->speeds);
        for (int i = u; i < end; i++)
            after += s->speeds[i] * s->speeds[i];
        size = before > 0.0 ? sqrt(after / before) : 0.0;
        for (int i = u; i < end && after > 0.0; i++)
            s->speeds[i] /= sqrt(after);
    }
    s->omega   = sqrt(size);
    s->damping = s->frame.system.on_rails ? find_damping_ratio(s) : 1.0;
}

// Factors of 1 - gamma J for a step to t: those that are there if J is not too old and gamma has changed by less than
// gamma_change.
static kane_status prepare_newton_factors(alpha *s, double t, double gamma)
{
    int is_new;
    kane_status status = kane_frame_renew_slopes(&s->frame, t, s->p[0], jacobian_steps, &is_new);
    if (status == KANE_OK && is_new)
        find_highest_frequency(s);
    if (status == KANE_OK)
        status = kane_frame_renew_factors(&s->frame, gamma, gamma_change, factor_steps, &is_new);
    if (status == KANE_OK && is_new)
        s->rate = 1.0;
    return status;
}

// --- one attempt at a step ---

// Newton's iteration for d [size]:  h f(t, p_0 + l_0 d) = p_1 + d
//   (1 - gamma J) change = h f - p_1 - d,   d += change 2/(1 + gamma/gamma_of_factors)
// KANE_RETRY: it does not converge.
static kane_status iterate_newton(alpha *s, double t, double gamma)
{
    const double l0 = s->formula.l[0], scale = 2.0 / (1.0 + gamma / s->frame.matrix.factored);
    double *const change = s->rates;
    double before        = 0.0;
    memset(s->d, 0, (size_t)s->frame.system.size * sizeof *s->d);
    for (int m = 0; m < iterations_most; m++) {
        for (int i = 0; i < s->frame.system.size; i++)
            s->y[i] = s->p[0][i] + l0 * s->d[i];
        const kane_status status = kane_frame_rates(&s->frame, t, s->y, s->rates);
        if (status != KANE_OK)
            return status;
        s->frame.sum.newton_iterations++;
        for (int i = 0; i < s->frame.system.size; i++)
            change[i] = s->h * s->rates[i] - s->p[1][i] - s->d[i];
        kane_sparse_lu_solve(s->frame.matrix.lu, change);
        for (int i = 0; i < s->frame.system.size; i++) {
            change[i] *= scale; // for the gamma that the factors are of
            s->d[i] += change[i];
        }
        const double size = weighted_norm(s, change);
        if (m > 0)
            s->rate = fmax(rate_kept * s->rate, size / before);
        if (size * fmin(1.0, s->rate) * s->formula.error <= newton_error) {
            s->size = m == 0 ? size : weighted_norm(s, s->d);
            return KANE_OK;
        }
        if (!isfinite(size) || (m > 0 && size > diverges * before))
            break;
        before = size;
    }
    return KANE_RETRY;
}

// Solves the step to t; if the iteration fails with an old Jacobian, again with a new one.
static kane_status solve_step_equations(alpha *s, double t)
{
    const double gamma = s->h * s->formula.l[0];
    for (;;) {
        kane_status status = prepare_newton_factors(s, t, gamma);
        if (status == KANE_OK)
            status = iterate_newton(s, t, gamma);
        if (status != KANE_RETRY || s->frame.matrix.age == 0)
            return status;
        s->frame.matrix.has_slopes = s->frame.matrix.age = 0;
    }
}

// --- start ---

// z of order 2 at (t, z_0), for steps of length h:  z_1 = h f(t, y),  z_2 = h^2/2 (f(t + e, y + e f) - f)/e,  e = h/10.
// z_2 = 0 if the second evaluation fails.
static kane_status start_nordsieck(alpha *s, double h)
{
    const double small = 0.1 * h;
    kane_status status = kane_frame_rates(&s->frame, s->t, s->z[0], s->z[1]);
    for (int i = 0; i < s->frame.system.size; i++)
        s->y[i] = s->z[0][i] + small * s->z[1][i];
    if (status != KANE_OK)
        return status;
    status = kane_frame_rates(&s->frame, s->t + small, s->y, s->z[2]);
    if (status < 0)
        return status;
    for (int i = 0; i < s->frame.system.size; i++) {
        s->z[2][i] = status == KANE_OK ? 0.5 * h * h * (s->z[2][i] - s->z[1][i]) / small : 0.0;
        s->z[1][i] *= h;
    }
    s->h          = h;
    s->next_h     = h;
    s->next_order = 2;
    s->wait       = 1;
    return KANE_OK;
}

// Length of the first step: 0.8 of the last step before a restart; without one, such that z_2 has the weighted norm 1.
static kane_status choose_first_step(alpha *s, double latest)
{
    const double most  = fmin(s->longest, latest - s->t);
    double h           = 0.8 * s->last_h;
    kane_status status = KANE_OK;
    if (!(h > 0.0)) {
        status = kane_frame_rates(&s->frame, s->t, s->z[0], s->z[1]);
        h      = fmin(10.0 / fmax(weighted_norm(s, s->z[1]), DBL_MIN), 1e-3 * fmin(most, 1.0));
        for (int k = 0; k < 2 && status == KANE_OK; k++) {
            h      = fmax(h, shortest_step);
            status = start_nordsieck(s, h);
            h      = fmin(h / sqrt(fmax(weighted_norm(s, s->z[2]), 1e-4)), most);
        }
    }
    if (status == KANE_OK)
        status = start_nordsieck(s, fmin(fmax(h, shortest_step), most));
    s->begins = status != KANE_OK;
    return status;
}

// --- choosing steps ---

// h_new/h for an error over the accepted one:  (bias error)^(-1/(order + 1)).
static double step_growth(double error, int order)
{
    return 1.0 / (pow(bias * error, 1.0 / (order + 1)) + 1e-6);
}

// Whether order 3 is stable with steps that order 2 would take, wish [s]. narrow_h: its longest [s].
static int may_raise_order(const alpha *s, double wish, double narrow_h)
{
    return s->most_order > 2 && s->frame.sum.steps > 2 && s->damping >= least_damping && wish < narrow_h &&
           s->h < 1.3 * narrow_h;
}

// Order and length of the step after this one. Steps of one length come at least three at a time: what makes it stable
// where the formula changes with the step (unit.simulate.bdf_alpha).
static void choose_next_step(alpha *s)
{
    const int q           = s->formula.order;
    const double *const l = s->formula.l;
    const double narrow_h = s->omega > 0.0 ? narrow / s->omega : 0.0;
    s->next_order         = q;
    s->next_h             = s->h;
    if (--s->wait > 0)
        return;
    s->wait       = 1;
    double growth = step_growth(s->last_error, q);
    if (q == 2 && may_raise_order(s, s->h * growth, narrow_h)) {
        s->next_order = 3;
    } else if (q > 2) { // z_3 says how wrong order 2 would be
        const kane_bdf_alpha_formula lower = kane_bdf_alpha_make(2, most_radius);
        const double two                   = step_growth(lower.error * 3.0 / lower.l[2] * weighted_norm(s, s->z[3]), 2);
        if (s->damping < least_damping || (s->h * two > 1.3 * narrow_h && s->h > 0.69 * narrow_h))
            s->next_order = 2;
        else if (q < s->most_order)
            s->next_order = q + 1;
    }
    if (s->next_order > q)
        for (int i = 0; i < s->frame.system.size; i++)
            s->z[q + 1][i] = s->d[i] * l[q] / (q + 1);
    if (s->next_order != q) {
        s->wait = s->next_order + 2;
        return;
    }
    const double most = q > 2 ? fmin(s->longest, narrow_h) : s->longest;
    growth            = fmin(fmin(growth, most_growth), most / s->h);
    if (growth < s->growth)
        return;
    s->next_h = growth * s->h;
    s->wait   = q + 1;
}

// Before the first attempt: chosen order and length, at most to `latest`. Returns how the step will end.
static kane_step_end begin_attempt(alpha *s, double latest)
{
    double h = s->next_h;
    if (s->next_order > 2 && s->omega > 0.0)
        h = fmin(h, narrow / s->omega);
    s->usual_h        = h;
    const int is_last = s->t + h * (1.0 + 1e-3) >= latest;
    if (is_last)
        h = latest - s->t;
    if (h != s->h)
        rescale_nordsieck(s, s->next_order, h);
    choose_formula(s);
    return is_last ? KANE_STEP_LATEST : KANE_STEP_TAKEN;
}

static kane_status report_step_failure(alpha *s, kane_status status, const char *why)
{
    return kane_frame_fail(&s->frame, status, "at t = %.9g s with a step of %.3g s %s", s->t, s->h, why);
}

// Sets up another attempt with h *= factor.
static kane_status shorten_step(alpha *s, double factor, kane_step_end *end, const char *why)
{
    if (s->h * factor < shortest_step)
        return report_step_failure(s, KANE_RETRY, why);
    rescale_nordsieck(s, s->formula.order, factor * s->h);
    s->next_order = s->formula.order;
    s->wait       = s->formula.order + 1;
    choose_formula(s);
    *end = KANE_STEP_TAKEN;
    return KANE_OK;
}

// After a failed error test: a shorter step; after error_failures_few of them z is started anew with a tenth of h.
static kane_status handle_error_failure(alpha *s, int failures, kane_step_end *end)
{
    static const char why[] = "its error test failed too often, or with the shortest step";
    const double factor     = fmin(fmax(step_growth(s->last_error, s->formula.order), 0.2), failures > 1 ? 0.2 : 0.9);
    s->frame.sum.error_test_failures++;
    if (failures >= error_failures_most)
        return report_step_failure(s, KANE_RETRY, why);
    if (failures < error_failures_few)
        return shorten_step(s, factor, end, why);
    const kane_status status = start_nordsieck(s, fmax(0.1 * s->h, shortest_step));
    if (status != KANE_OK)
        return report_step_failure(s, status, why);
    choose_formula(s);
    *end = KANE_STEP_TAKEN;
    return KANE_OK;
}

static kane_status handle_newton_failure(alpha *s, kane_status status, int failures, kane_step_end *end)
{
    static const char why[] = "the equations of the step could not be solved, or its state not be evaluated";
    s->frame.sum.newton_failures++;
    if (status < 0 || failures >= convergence_failures_most)
        return report_step_failure(s, status, why);
    s->frame.matrix.has_slopes = 0;
    return shorten_step(s, 0.25, end, why);
}

// y = p_0 + l_0 d at the end of the attempt, projected onto its constraints.
static kane_status project_step_end(alpha *s, double t)
{
    for (int i = 0; i < s->frame.system.size; i++)
        s->y[i] = s->p[0][i] + s->formula.l[0] * s->d[i];
    return s->frame.system.projected ? s->frame.system.project(t, s->y, s->frame.system.data) : KANE_OK;
}

// z_j = p_j + l_j d, j >= 1; z_0 = y, the projected state.
static void accept_step(alpha *s, double t)
{
    for (int j = 1; j <= s->formula.order; j++)
        for (int i = 0; i < s->frame.system.size; i++)
            s->z[j][i] = s->p[j][i] + s->formula.l[j] * s->d[i];
    memcpy(s->z[0], s->y, (size_t)s->frame.system.size * sizeof *s->y);
    s->t = t;
    kane_frame_count_step(&s->frame, s->h, s->formula.order);
}

static kane_status take_alpha_step(void *self, double goal, double latest, double *t, double *y, kane_step_end *end,
                                   int *roots)
{
    alpha *s  = self;
    int wrong = 0, unsolved = 0;
    kane_status status = s->frame.system.weigh(s->t, s->z[0], s->weight, s->frame.system.data);
    (void)goal;
    (void)roots;
    if (status == KANE_OK && s->begins)
        status = choose_first_step(s, latest);
    if (status != KANE_OK)
        return report_step_failure(s, status, "it could not begin");
    *end = begin_attempt(s, latest);
    for (;;) {
        const double after = *end == KANE_STEP_LATEST ? latest : s->t + s->h;
        predict_nordsieck(s, s->formula.order);
        status        = solve_step_equations(s, after);
        s->last_error = s->formula.error * s->size;
        if (status == KANE_OK && s->last_error > 1.0) {
            status = handle_error_failure(s, ++wrong, end);
        } else {
            if (status == KANE_OK)
                status = project_step_end(s, after);
            if (status == KANE_OK) {
                accept_step(s, after);
                break;
            }
            status = handle_newton_failure(s, status, ++unsolved, end);
        }
        if (status != KANE_OK)
            break;
    }
    if (status == KANE_OK)
        choose_next_step(s);
    *t = s->t;
    memcpy(y, s->z[0], (size_t)s->frame.system.size * sizeof *y);
    return status;
}

// --- queries ---

// y(t) = sum of z_j ((t - t_n)/h)^j.
static void interpolate_nordsieck(void *self, double t, double *y)
{
    const alpha *s = self;
    const double x = s->h > 0.0 ? (t - s->t) / s->h : 0.0;
    for (int i = 0; i < s->frame.system.size; i++) {
        double value = 0.0;
        for (int j = s->formula.order; j >= 0; j--)
            value = value * x + s->z[j][i];
        y[i] = value;
    }
}

static int get_step_end_rates(void *self, double *ydot)
{
    const alpha *s = self;
    for (int i = 0; i < s->frame.system.size && s->frame.sum.steps > 0; i++)
        ydot[i] = s->z[1][i] / s->h;
    return s->frame.sum.steps > 0;
}

// Length that the next step would have if no event limited it [s]; 0: unknown.
static double desired_step(const void *self)
{
    const alpha *s = self;
    if (s->frame.sum.steps == 0)
        return 0.0;
    const double growth = fmin(step_growth(s->last_error, s->formula.order), most_growth);
    const double h      = growth < s->growth ? s->h : growth * s->h;
    return fmin(h, s->formula.order > 2 && s->omega > 0.0 ? fmin(s->longest, narrow / s->omega) : s->longest);
}

static int get_error_estimate(const void *self, double *error, double *weight)
{
    const alpha *s = self;
    for (int i = 0; i < s->frame.system.size && s->frame.sum.steps > 0; i++) {
        error[i]  = s->formula.error * s->d[i];
        weight[i] = s->weight[i];
    }
    return s->frame.sum.steps > 0;
}

static void check_order(const kane_settings *settings, kane_errors *errors)
{
    if (settings->order < 2 || settings->order > KANE_BDF_ALPHA_MOST)
        kane_errors_add(errors, KANE_BAD_INPUT, "order %d is not possible: bdf_alpha has orders 2 to %d",
                        settings->order, KANE_BDF_ALPHA_MOST);
}

const kane_integrator kane_integrator_bdf_alpha = {
    .name        = "bdf_alpha",
    .help        = "BDF with generalised-alpha formulas of order 2, by the step",
    .orders      = KANE_BDF_ALPHA_MOST,
    .serves      = {4, 4, 4},
    .projects    = 1,
    .multistep   = 1,
    .check       = check_order,
    .create      = create_bdf_alpha,
    .free        = kane_frame_free,
    .restart     = restart_bdf_alpha,
    .forget      = discard_history,
    .step        = take_alpha_step,
    .interpolate = interpolate_nordsieck,
    .rates       = get_step_end_rates,
    .wish        = desired_step,
    .count       = kane_frame_count,
    .estimate    = get_error_estimate,
    .message     = kane_frame_message,
};
