// SPDX-License-Identifier: MIT
// Conclusions of a study with and without terms: measures, choices among conditions, optimum transitions, steady motion
// and its stability, limits. One table has all kinds.

#include "study/decision.h"

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "model/model.h"
#include "run/growing.h"
#include "simulate/linear_parts.h"

#include <kane/evaluate.h>
#include <kane/steady.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

struct kane_decision_case {
    kane_omission_setup *of;
    int condition, term;            // KANE_OMISSION_COMPLETE, KANE_OMISSION_ACCURACY, or one that is omitted
    const kane_run_definition *run; // of the case
    const kane_results *rows;       // NULL: the run has failed, or there is none
    kane_outcome outcome;           // of it
    kane_steady_definition where;   // of steady motion
    kane_errors *errors;
};

// Another search for an equilibrium begins at that of this part of the speed; of a mechanism so far from its own.
static const double OTHER_START = 0.95, OTHER_STATE = 1e-3;

// --- of a run ---

static int evaluate_measure(kane_decision_case *c, const kane_conclusion *is, kane_decision_record *r, char *words)
{
    const int before = c->errors->count;
    if (kane_stop_is_derailment(c->outcome.stop)) {
        kane_errors_add(c->errors, KANE_NOT_SOLVED, "%s", kane_stop_name(c->outcome.stop));
        return 0;
    }
    (void)words;
    r->value = kane_measure_eval(c->of->study.measures.measure[is->measure], c->rows, NULL, c->errors);
    return c->errors->count == before;
}

static int evaluate_limits(kane_decision_case *c, const kane_conclusion *is, kane_decision_record *r, char *words)
{
    kane_evaluation_options how = kane_evaluation_options_default();
    how.kind                    = c->of->asked->kind;
    how.running_distance        = kane_track_get_definition(c->run->track)->running_distance;
    kane_evaluation *evaluation = kane_evaluate(c->rows, &how, c->errors);
    const int worst             = evaluation ? kane_evaluation_worst(evaluation) : -1;
    (void)is;
    if (worst >= 0) {
        const kane_assessment *most = kane_evaluation_get(evaluation, worst);
        r->value                    = most->used;
        r->choice                   = worst;
        (void)snprintf(words, KANE_DECISION_WORDS, "%s of %s", most->quantity->name, most->of);
    } else if (evaluation) {
        kane_errors_add(c->errors, KANE_NOT_SOLVED, "no quantity of the run has a limit");
    }
    kane_evaluation_free(evaluation);
    return worst >= 0;
}

// --- the best transition ---

// Values of shapes by one model: the study with one measure, settings of the condition, and omissions.
typedef struct shape_model {
    kane_study study;
    const kane_conclusion *is;
    const kane_transition_family *family;
} shape_model;

// 0 without memory. term: that is omitted, KANE_OMISSION_COMPLETE: none.
static int make_shape_model(const kane_decision_case *c, const kane_conclusion *is, const kane_optimisation *optimum,
                            int term, const char *const *more, kane_arena *arena, shape_model *model)
{
    const kane_omission_setup *o = c->of;
    const kane_measures *m       = &o->study.measures;
    const int own                = kane_texts_count(o->study.common.omit);
    const char **omit            = kane_arena_alloc(arena, (size_t)own + 3, sizeof *omit);
    int value[KANE_OMISSION_AXES_MOST];
    const int is_pair = term > 0 && o->pairs && o->pairs[2 * term] >= 0;
    for (int i = 0; omit && i < own; i++)
        omit[i] = o->study.common.omit[i];
    for (int i = 0; omit && term > 0 && i <= is_pair; i++)
        omit[own + i] = o->is.term[is_pair ? o->pairs[2 * term + i] : term];
    kane_grid_values(&o->grid, c->condition, value);
    *model                       = (shape_model){.study = o->study, .is = is, .family = &optimum->family};
    model->study.measures        = (kane_measures){.count    = 1,
                                                   .measure  = m->measure + is->measure,
                                                   .text     = m->text + is->measure,
                                                   .patterns = m->patterns + is->measure,
                                                   .units    = m->units + is->measure,
                                                   .weight   = m->weight + is->measure};
    model->study.common.omit     = omit;
    model->study.common.settings = kane_study_settings_at(arena, o->study.common.settings, &o->grid, value, more);
    return model->study.common.settings != NULL;
}

// Value of a shape; NaN if its run fails.
static double value_of_shape(const shape_model *model, const shape *s, kane_errors *errors)
{
    double value                = (double)NAN;
    kane_arena *arena           = kane_arena_create();
    const char *const *settings = arena ? shape_settings(arena, s, &model->is->sections) : NULL;
    if (settings)
        (void)trial_run(&model->study, &model->is->sections, settings, &value, NULL, NULL, errors);
    kane_arena_free(arena);
    return value;
}

static shape polynomial_of(const kane_transition_family *family, const double *x)
{
    shape s             = {.kind = KANE_POLYNOMIAL, .height = NAN};
    s.coefficient_count = kane_family_coefficients(family, x, s.coefficients);
    return s;
}

static kane_status eval_polynomial(const double *x, double *value, void *data)
{
    const shape_model *model = data;
    kane_errors failed       = {.limit = 1}; // a run that fails is a part of a search
    const shape s            = polynomial_of(model->family, x);
    *value                   = value_of_shape(model, &s, &failed);
    return KANE_OK;
}

static const kane_optimisation *find_optimum(const kane_omission_setup *o, kane_optimisation *usual)
{
    *usual = kane_optimisation_default();
    return o->asked->optimum ? o->asked->optimum : usual;
}

// Models of one conclusion: of the case, the complete one, and that with fine tolerances.
typedef struct shape_models {
    shape_model own, complete, fine;
} shape_models;

static int make_shape_models(const kane_decision_case *c, const kane_conclusion *is, const kane_optimisation *optimum,
                             kane_arena *arena, shape_models *models)
{
    return make_shape_model(c, is, optimum, c->term, NULL, arena, &models->own) &&
           make_shape_model(c, is, optimum, KANE_OMISSION_COMPLETE, NULL, arena, &models->complete) &&
           make_shape_model(c, is, optimum, KANE_OMISSION_COMPLETE, shape_fine_settings, arena, &models->fine);
}

// Values of the standard shapes by the complete model, behind the unknowns.
static void evaluate_standards(const shape_models *models, kane_decision_record *r)
{
    for (int i = 0; shape_names[i]; i++) {
        kane_errors failed = {.limit = 1};
        shape standard;
        if (shape_parse(&models->own.study, shape_names[i], &standard))
            r->more[KANE_FAMILY_UNKNOWNS_MOST + i] = value_of_shape(&models->complete, &standard, &failed);
    }
}

// Optimum of the case's own model from the study's start (0) or a random one. 0: no shape has a value.
static int search_own_optimum(const kane_optimisation *a, shape_models *models, int start, double *x, minimum *found)
{
    memset(x, 0, KANE_FAMILY_UNKNOWNS_MOST * sizeof *x);
    if (start > 0)
        shape_choose_random(a, start, x);
    const minimisation m = shape_search(a, start, eval_polynomial, &models->own);
    return minimise(&m, x, found) == KANE_OK && isfinite(found->value);
}

// Where the own model's optimum is flat, another start chooses a shape that the complete model judges otherwise: takes
// the better choice of both. Returns the difference of their values by the complete model; NaN: there is none.
static double compare_other_start(const kane_optimisation *a, shape_models *models, minimum *found, double *x,
                                  kane_decision_record *r, kane_errors *errors)
{
    double other[KANE_FAMILY_UNKNOWNS_MOST];
    minimum second;
    if (!search_own_optimum(a, models, 1, other, &second))
        return (double)NAN;
    const shape choice      = polynomial_of(&a->family, other);
    const double judged     = value_of_shape(&models->complete, &choice, errors);
    const double difference = fabs(judged - r->judged);
    if (second.value < found->value) {
        *found    = second;
        r->judged = judged;
        memcpy(x, other, sizeof other);
    }
    return difference;
}

static void search_optimum(kane_decision_case *c, const kane_optimisation *a, shape_models *models,
                           kane_decision_record *r, char *words)
{
    double x[KANE_FAMILY_UNKNOWNS_MOST], difference = 0.0;
    minimum found;
    const int good = search_own_optimum(a, models, c->term == KANE_OMISSION_ACCURACY, x, &found);
    shape best     = polynomial_of(&a->family, x);
    if (!good) { // why?
        (void)value_of_shape(&models->own, &best, c->errors);
        return;
    }
    r->judged = c->term > 0 ? value_of_shape(&models->complete, &best, c->errors) : found.value;
    if (c->term > 0) {
        difference = compare_other_start(a, models, &found, x, r, c->errors);
        best       = polynomial_of(&a->family, x);
    }
    r->value    = found.value;
    r->accuracy = isnan(difference)
                      ? difference
                      : fmax(difference, fabs(value_of_shape(&models->fine, &best, c->errors) - r->judged));
    memcpy(r->more, x, (size_t)a->family.unknowns * sizeof *x);
    (void)kane_snprintf(words, KANE_DECISION_WORDS, "%s after %d runs", minimum_end_text(found.end), found.evaluations);
    if (c->term == KANE_OMISSION_COMPLETE)
        evaluate_standards(models, r);
}

static int evaluate_optimum(kane_decision_case *c, const kane_conclusion *is, kane_decision_record *r, char *words)
{
    kane_optimisation usual;
    const kane_optimisation *a = find_optimum(c->of, &usual);
    kane_arena *arena          = kane_arena_create();
    shape_models models;
    if (arena && make_shape_models(c, is, a, arena, &models))
        search_optimum(c, a, &models, r, words);
    else
        (void)kane_no_memory(c->errors);
    kane_arena_free(arena);
    return isfinite(r->judged);
}

// --- steady motion ---

// small_motions: 1 for modes.
static kane_steady *create_steady(const kane_decision_case *c, const kane_run_definition *run, int small_motions)
{
    kane_steady_definition where = c->where;
    where.small_motions          = small_motions;
    if (c->term != KANE_OMISSION_ACCURACY)
        return kane_steady_create(run, &where, c->errors);
    where.speed *= run->track ? OTHER_START : 1.0;
    kane_steady *other = kane_steady_create(run, &where, c->errors), *steady = NULL;
    const kane_model *model = other ? kane_steady_model(other) : NULL;
    double *y               = model ? kane_allocate((size_t)kane_model_state_count(model), sizeof *y) : NULL;
    for (int i = 0; y && i < kane_model_state_count(model); i++)
        y[i] = (run->track ? 1.0 : 1.0 + OTHER_STATE) * kane_steady_state(other)[i];
    where.speed = c->where.speed;
    if (y)
        steady = kane_steady_create_near(run, &where, &(kane_nearby){model, y}, c->errors);
    else if (other)
        (void)kane_no_memory(c->errors);
    kane_release(y);
    kane_steady_free(other);
    return steady;
}

// Sum of the channels of a pattern in a steady state; their unit, allocated in the arena unless that is NULL.
static int sum_channels(kane_steady *steady, const char *pattern, double *sum, kane_arena *arena, const char **unit,
                        kane_errors *errors)
{
    const kane_place place  = {.file = "--decides", .path = ""};
    const kane_model *model = kane_steady_model(steady);
    kane_channels *channels = kane_channels_create_model(model, 1, &pattern, &place, errors);
    const int count         = channels ? kane_channels_count(channels) : 0;
    double *values          = kane_allocate((size_t)count + 1, sizeof *values);
    int good                = channels && values;
    *sum                    = 0.0;
    if (good)
        kane_channels_read_state(channels, model, kane_steady_work(steady), kane_steady_state(steady), values);
    for (int i = 0; good && i < count; i++) {
        const char *own = kane_channels_info(channels, i)->unit;
        if (!kane_omission_matches(pattern, kane_channels_info(channels, i)->name))
            continue;
        if (arena && !*unit[0])
            *unit = kane_arena_text(arena, own);
        if (arena && *unit && strcmp(*unit, own) != 0) {
            kane_errors_add(errors, KANE_BAD_INPUT, "--decides equilibrium %s: a sum of channels in %s and %s", pattern,
                            *unit, own);
            good = 0;
        }
        *sum += values[i];
    }
    kane_release(values);
    kane_channels_free(channels);
    return good;
}

static int evaluate_equilibrium(kane_decision_case *c, const kane_conclusion *is, kane_decision_record *r, char *words)
{
    kane_steady *steady = create_steady(c, c->run, 0);
    const int good      = steady && sum_channels(steady, is->argument, &r->value, NULL, NULL, c->errors);
    (void)words;
    kane_steady_free(steady);
    return good;
}

static int evaluate_damping(kane_decision_case *c, const kane_conclusion *is, kane_decision_record *r, char *words)
{
    kane_steady *steady  = create_steady(c, c->run, 1);
    kane_linear *linear  = steady ? kane_linear_create(kane_steady_model(steady), kane_steady_work(steady), 0.0,
                                                       kane_steady_state(steady), c->errors)
                                  : NULL;
    kane_modes *modes    = linear ? kane_modes_create(linear, KANE_MODES_COMPLETE, c->errors) : NULL;
    const double highest = is->argument[0] ? kane_number_value(is->argument, strlen(is->argument), 0) : HUGE_VAL;
    for (int i = 0; modes && i < kane_modes_count(modes); i++) {
        const kane_mode *mode = kane_modes_get(modes, i);
        if (mode->kind != KANE_MODE_OSCILLATES || mode->natural > highest || mode->damping >= r->value)
            continue;
        r->value    = mode->damping;
        r->accuracy = mode->accuracy / hypot(mode->re, mode->im);
        (void)kane_snprintf(words, KANE_DECISION_WORDS, "%.3f Hz, %s", mode->frequency, mode->name);
    }
    if (modes && isnan(r->value))
        kane_errors_add(c->errors, KANE_NOT_SOLVED, "no such mode oscillates");
    const int good = modes && isfinite(r->value);
    kane_modes_free(modes);
    kane_linear_free(linear);
    kane_steady_free(steady);
    return good;
}

// Speeds of the conclusion: another raster for its accuracy.
static kane_critical_study critical_study_of(const kane_decision_case *c)
{
    kane_critical_study study = c->of->asked->critical ? *c->of->asked->critical : kane_critical_study_default();
    study.run                 = c->run;
    study.curvature           = c->where.curvature;
    study.superelevation      = c->where.superelevation;
    study.threads             = 1; // cases are carried out side by side
    study.directory           = NULL;
    study.progress            = NULL;
    if (c->term == KANE_OMISSION_ACCURACY) {
        study.step *= 0.618;
        study.resolution *= 0.1;
    }
    return study;
}

static int evaluate_critical(kane_decision_case *c, const kane_conclusion *is, kane_decision_record *r, char *words)
{
    const kane_critical_study study = critical_study_of(c);
    kane_critical_result found;
    (void)is;
    if (kane_critical_find_linear(&study, &found, c->errors) != KANE_OK)
        return 0;
    const int is_bound = found.linear <= study.from; // a slower one was not looked at
    r->fastest         = found.fastest;
    r->value           = found.linear;
    r->accuracy        = is_bound ? (double)NAN : 1e-6 * study.step;
    if (isfinite(found.linear)) {
        (void)kane_snprintf(words, KANE_DECISION_WORDS, "%s%.3f Hz, %s", is_bound ? "or less: " : "",
                            found.linear_frequency, found.linear_mode);
    } else {
        r->value    = (double)INFINITY;
        r->accuracy = 0.0;
        (void)kane_snprintf(words, KANE_DECISION_WORDS, "none up to %g m/s", found.fastest);
    }
    return 1;
}

// "leading 9.36 mm, 3.8 Hz" at the slowest speed with a cycle, and what is doubtful about it.
static void describe_cycle(const kane_critical_report *report, char *words)
{
    const kane_critical_result *found = kane_critical_report_result(report);
    kane_text text                    = kane_text_start(KANE_DECISION_WORDS, words);
    for (int i = 0; i < kane_critical_report_count(report); i++) {
        const kane_critical_point *p = kane_critical_report_point(report, i);
        if (p->sweep == KANE_SWEEP_DOWN && p->speed == found->nonlinear)
            kane_text_add(&text, "%s %.4g mm, %.4g Hz", kane_critical_report_wheelset(report, p->largest),
                          1e3 * p->swing[p->largest].amplitude, p->swing[p->largest].frequency);
    }
    if (isnan(found->none))
        kane_text_add(&text, "; or less: motion comes to rest at no speed");
    if (found->unconfirmed > 0)
        kane_text_add(&text, "; %d fresh runs contradict", found->unconfirmed);
}

static int evaluate_cycle(kane_decision_case *c, const kane_conclusion *is, kane_decision_record *r, char *words)
{
    const kane_critical_study study = critical_study_of(c);
    const int before                = c->errors->count;
    kane_critical_report *report    = kane_critical_find(&study, c->errors);
    if (report && c->errors->count == before) {
        const kane_critical_result *found = kane_critical_report_result(report);
        const int has_cycle               = isfinite(found->nonlinear);
        r->value                          = has_cycle ? found->nonlinear : (double)INFINITY;
        r->accuracy                       = has_cycle ? found->nonlinear - found->none : 0.0; // NaN: no lower bound
        r->fastest                        = found->fastest;
        if (has_cycle)
            describe_cycle(report, words);
        else
            (void)kane_snprintf(words, KANE_DECISION_WORDS, "none up to %g m/s", found->fastest);
    }
    (void)is;
    kane_critical_report_free(report);
    return !isnan(r->value);
}

// --- kinds ---

static const kane_conclusion_kind kinds[] = {
    {"order", "a measure", "", NULL, NULL, 1, 0, 0, evaluate_measure},
    {"optimum", "a measure", "", NULL, NULL, 1, 1, 0, evaluate_optimum},
    {"comfort", "a body, accelerometer or channel", "comfort", NULL, NULL, 1, 0, 0, evaluate_measure},
    {"limits", NULL, NULL, "1", "default", 1, 1, 0, evaluate_limits},
    {"equilibrium", "a channel", NULL, NULL, NULL, 0, 0, 0, evaluate_equilibrium},
    {"damping", "", NULL, "1", NULL, 0, 0, 0, evaluate_damping},
    {"critical", NULL, NULL, "m/s", NULL, 0, 1, 1, evaluate_critical},
    {"cycle", NULL, NULL, "m/s", NULL, 0, 1, 1, evaluate_cycle},
    {NULL, "a measure", "", NULL, NULL, 1, 0, 0, evaluate_measure},
};
enum { KINDS = sizeof kinds / sizeof *kinds, ORDER = 0, OPTIMUM = 1, LIMITS = 3 };

int kane_conclusion_is_of_all(const kane_conclusion *is)
{
    return is->kind == &kinds[ORDER];
}

int kane_conclusion_is_optimum(const kane_conclusion *is)
{
    return is->kind == &kinds[OPTIMUM];
}

int kane_conclusion_is_limit(const kane_conclusion *is)
{
    return is->kind == &kinds[LIMITS];
}

size_t kane_decision_size(const kane_omission_setup *o)
{
    size_t size = sizeof(kane_decision_record) / sizeof(double);
    for (int i = 0; i < o->asked->conclusion_count; i++)
        if (kane_conclusion_is_optimum(&o->conclusions[i]))
            return size + KANE_FAMILY_UNKNOWNS_MOST + KANE_DECISION_SHAPES;
    return size;
}

// --- input ---

// Kind and argument of a text. 0 with an error.
static int parse_conclusion(const kane_omission_setup *o, const char *text, kane_conclusion *is)
{
    const size_t length = strcspn(text, " ");
    const char *rest    = text + length + strspn(text + length, " ");
    int k               = 0;
    while (kinds[k].word && (strlen(kinds[k].word) != length || strncmp(kinds[k].word, text, length) != 0))
        k++;
    *is = (kane_conclusion){text, &kinds[k], kinds[k].word ? rest : text, -1, kinds[k].unit, {0, NULL, NULL}, NULL};
    const size_t digits = kane_number_length(is->argument);
    if (kinds[k].argument && !kinds[k].argument[0] && is->argument[0] &&
        (is->argument[digits] || !(kane_number_value(is->argument, digits, 0) > 0.0)))
        kane_errors_add(o->study.errors, KANE_BAD_INPUT, "--decides %s: '%s' is no highest frequency in Hz, such as 20",
                        text, is->argument);
    else if (kinds[k].argument && kinds[k].argument[0] && !is->argument[0])
        kane_errors_add(o->study.errors, KANE_BAD_INPUT, "--decides %s: %s is missing behind it", text,
                        kinds[k].argument);
    else if (!kinds[k].argument && is->argument[0])
        kane_errors_add(o->study.errors, KANE_BAD_INPUT, "--decides %s: nothing may follow '%s'", text, kinds[k].word);
    else
        return 1;
    return 0;
}

static int check_conclusion(const kane_omission_setup *o, const kane_conclusion *is, const kane_run_definition *run)
{
    kane_errors *errors = o->study.errors;
    const int before    = errors->count;
    if (is->kind->on_rails && !run->track)
        kane_errors_add(errors, KANE_BAD_INPUT, "--decides %s: a mechanism runs along no track", is->text);
    else if (kane_conclusion_is_of_all(is) && o->is.conditions < 2)
        kane_errors_add(errors, KANE_BAD_INPUT,
                        "--decides %s: an order needs several conditions, for instance --shapes bloss,cosine,sine",
                        is->text);
    return errors->count == before;
}

// What kane critical refuses, before any case is carried out.
static int check_speeds(const kane_omission_setup *o, const kane_conclusion *is, const kane_run_definition *run,
                        const kane_model *model)
{
    kane_critical_study speeds = o->asked->critical ? *o->asked->critical : kane_critical_study_default();
    speeds.run                 = run;
    if (model->wheels_count > 0)
        return kane_critical_check(&speeds, o->study.errors);
    kane_errors_add(o->study.errors, KANE_BAD_INPUT, "--decides %s: '%s' has no wheelset", is->text,
                    run->vehicle->name);
    return 0;
}

// Unit of channels in the equilibrium of the first condition.
static int check_equilibrium(const kane_omission_setup *o, kane_conclusion *is, const kane_run_definition *run)
{
    kane_decision_case c = {.of = (kane_omission_setup *)(uintptr_t)o, .run = run, .errors = o->study.errors};
    double sum;
    c.where             = (kane_steady_definition){run->drive.speed, 0.0, 0.0, 0};
    c.term              = KANE_OMISSION_COMPLETE;
    kane_steady *steady = create_steady(&c, run, 0);
    is->unit            = "";
    const int good = steady && sum_channels(steady, is->argument, &sum, o->study.arena, &is->unit, o->study.errors);
    kane_steady_free(steady);
    return good;
}

static int check_optimum(const kane_omission_setup *o, kane_conclusion *is, const kane_run_definition *run)
{
    kane_optimisation usual;
    const kane_optimisation *a = find_optimum(o, &usual);
    return shape_check_search(a, o->study.errors) &&
           shape_find_sections(&o->study, run->track, 1, &a->section, &is->sections);
}

// Patterns that runs record: of measures and kinds.
static int choose_channels(kane_omission_setup *o)
{
    const kane_measures *m = &o->study.measures;
    const char **patterns =
        kane_arena_alloc(o->study.arena, (size_t)(m->count + o->asked->conclusion_count) + 2, sizeof *patterns);
    int count = 0;
    for (int i = 0; patterns && i < m->count; i++)
        patterns[count++] = m->patterns[i];
    for (int i = 0; patterns && i < o->asked->conclusion_count; i++)
        if (o->conclusions[i].kind->channels)
            patterns[count++] = o->conclusions[i].kind->channels;
    if (!patterns)
        return kane_study_no_memory(&o->study);
    o->is.responses     = count;
    o->is.response      = patterns;
    patterns[count]     = "imaginary.*";
    patterns[count + 1] = "impulse.*";
    o->patterns         = patterns;
    return 1;
}

// The measure of a conclusion. Comfort: of one direction its 95th percentile, of all three of them N_MV.
static void write_measure(const kane_conclusion *is, kane_text *text)
{
    static const char acceleration[] = ".acceleration.";
    const char *channel              = strstr(is->argument, acceleration);
    const char *axis                 = channel ? channel + sizeof acceleration - 1 : "";
    if (strcmp(is->kind->measure, "comfort") != 0)
        kane_text_add(text, "%s", is->argument);
    else if (axis[0] >= 'x' && axis[0] <= 'z' && axis[1] == '\0')
        kane_text_add(text, "comfort_%s(%s)", axis, is->argument);
    else
        kane_text_add(text, "nmv(%s%s)", is->argument, channel ? "" : ".acceleration.*");
}

// Number of the measure of a conclusion among those of the study, which it may be added to.
static int add_measure(const kane_omission_setup *o, const kane_conclusion *is, const char **measures, int *count)
{
    char text[1024];
    kane_text measure = kane_text_start(sizeof text, text);
    int i             = 0;
    write_measure(is, &measure);
    while (i < *count && strcmp(measures[i], text) != 0)
        i++;
    if (i == *count)
        measures[(*count)++] = kane_arena_text(o->study.arena, text);
    return i;
}

static int parse_conclusions(kane_omission_setup *o, const kane_run_definition *run)
{
    const size_t count    = (size_t)o->asked->conclusion_count;
    const char **measures = kane_arena_alloc(o->study.arena, count, sizeof *measures);
    int measure_count = 0, good = 1;
    o->conclusions = kane_arena_alloc(o->study.arena, count, sizeof *o->conclusions);
    o->has_no_rows = 1;
    if (!measures || !o->conclusions)
        return kane_study_no_memory(&o->study);
    for (int i = 0; i < (int)count; i++) {
        kane_conclusion *is = &o->conclusions[i];
        good                = parse_conclusion(o, o->asked->conclusions[i], is) && check_conclusion(o, is, run) && good;
        o->has_no_rows &= !is->kind->is_of_run;
        if (is->kind->measure && good)
            is->measure = add_measure(o, is, measures, &measure_count);
    }
    if (good && kane_arena_failed(o->study.arena))
        return kane_study_no_memory(&o->study);
    return good && kane_measures_parse(&o->study, measure_count, measures, 0, "conclusion") &&
           kane_measures_check(&o->study, run, "--decides ");
}

int kane_decision_choose(kane_omission_setup *o, int number, const kane_run_definition *run, const kane_model *model)
{
    int good = parse_conclusions(o, run);
    (void)number; // of the only run
    for (int i = 0; i < o->asked->conclusion_count && good; i++) {
        kane_conclusion *is = &o->conclusions[i];
        if (is->measure >= 0)
            is->unit = o->study.measures.units[is->measure];
        if (kane_conclusion_is_optimum(is))
            good = check_optimum(o, is, run);
        else if (is->kind->is_speed)
            good = check_speeds(o, is, run, model);
        else if (!is->unit)
            good = check_equilibrium(o, is, run);
    }
    if (good)
        o->study.value_count = (int)kane_decision_size(o) * o->asked->conclusion_count;
    return good && choose_channels(o);
}

void kane_decision_describe(kane_writer *w, const kane_omission_setup *o)
{
    const kane_omission_study *a = o->asked;
    kane_optimisation usual;
    const kane_optimisation *best    = find_optimum(o, &usual);
    const kane_critical_study speeds = a->critical ? *a->critical : kane_critical_study_default();
    int has_optimum = 0, has_steady = 0;
    kane_writer_open(w, "conclusions", '[');
    for (int i = 0; i < a->conclusion_count; i++) {
        const kane_conclusion *is = &o->conclusions[i];
        has_optimum |= kane_conclusion_is_optimum(is);
        has_steady |= !is->kind->is_of_run;
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "conclusion", is->text);
        kane_writer_text(w, "unit", is->unit);
        if (kane_conclusion_is_limit(is))
            kane_writer_text(w, "class", kane_vehicle_class_name(a->kind));
        kane_writer_close(w);
    }
    kane_writer_close(w);
    if (has_optimum) {
        const double numbers[] = {best->section, best->family.ends, best->family.unknowns,  best->algorithm,
                                  best->bound,   best->tolerance,   best->evaluations_most, best->seed};
        kane_write_numbers(w, "optimum", sizeof numbers / sizeof *numbers, numbers);
    }
    if (has_steady) {
        const double numbers[] = {a->curvature, a->superelevation, speeds.from,       speeds.to,
                                  speeds.step,  speeds.resolution, speeds.disturbance};
        kane_write_numbers(w, "steady", sizeof numbers / sizeof *numbers, numbers);
    }
}

// --- closed forms ---

// Which coordinate a load of an imaginary term moves: force x, y, z; torque x, y, z.
static const kane_coordinate moved_by[KANE_WRENCH_KINDS][3] = {{KANE_X, KANE_Y, KANE_Z},
                                                               {KANE_ROLL, KANE_PITCH, KANE_YAW}};

// Loads of an omitted term in the equilibrium of the complete model: displacement of a place by springs under them,
// wheelsets held, and lateral inertia of all bodies that it leaves out [N].
typedef struct term_loads {
    double displacement; // NaN: springs do not hold the body
    double lateral;      // sum of m v^2 kappa cos(cant) of bodies whose lateral force of translation is omitted
    int is_zero;         // 1: all loads are exactly zero
} term_loads;

// What loads are summed for.
typedef struct load_sum {
    const kane_decision_case *of;
    const kane_model *model;
    const kane_compliance *compliance; // NULL: there are no springs
    kane_compliance_place moved;       // body -1: none
    kane_arena *arena;
} load_sum;

// Displacement of the moved place by a load; 0 where the loaded one is held.
static double displacement_by(const load_sum *s, kane_compliance_place at, double value)
{
    if (value == 0.0 || !s->compliance || s->moved.body < 0)
        return 0.0;
    const double unit = kane_compliance_of(s->compliance, at, s->moved, s->arena);
    return isnan(unit) ? 0.0 : value * unit;
}

static void add_load(const load_sum *s, const kane_channel_info *info, double value, term_loads *loads)
{
    static const char lead[]            = "imaginary.";
    const kane_steady_definition *where = &s->of->where;
    const kane_track *track             = s->of->run->track;
    const char *name                    = info->name + sizeof lead - 1;
    const char *axis                    = strrchr(name, '.');
    const int kind                      = strcmp(info->unit, "N") == 0 ? KANE_FORCE : KANE_TORQUE;
    loads->is_zero &= value == 0.0;
    for (int j = 0; axis && axis[1] >= 'x' && axis[1] <= 'z' && j < s->model->body_count; j++) {
        const kane_body *body = &s->model->bodies[j];
        const size_t length   = strlen(body->name);
        if (strncmp(name, body->name, length) != 0 || name[length] != '.')
            continue;
        if (track && strcmp(name + length, ".force.translation.y") == 0)
            loads->lateral += body->mass * where->speed * where->speed * where->curvature *
                              cos(asin(where->superelevation / kane_track_get_definition(track)->running_distance));
        loads->displacement += displacement_by(s, (kane_compliance_place){j, moved_by[kind][axis[1] - 'x']}, value);
        return;
    }
}

// Body and coordinate of a channel "BODY.roll"; body -1: it is none.
static kane_compliance_place place_of_channel(const kane_model *model, const char *channel)
{
    for (int j = 0; j < model->body_count; j++) {
        const size_t length = strlen(model->bodies[j].name);
        for (int q = 0; q < KANE_COORDINATES; q++)
            if (strncmp(channel, model->bodies[j].name, length) == 0 && channel[length] == '.' &&
                strcmp(channel + length + 1, kane_coordinate_name((kane_coordinate)q)) == 0)
                return (kane_compliance_place){j, (kane_coordinate)q};
    }
    return (kane_compliance_place){-1, KANE_X};
}

static int is_omitted(const kane_omission_setup *o, int term, const char *channel)
{
    const int *pair = o->pairs && o->pairs[2 * term] >= 0 ? o->pairs + 2 * term : NULL;
    return pair ? is_omitted(o, pair[0], channel) || is_omitted(o, pair[1], channel)
                : kane_omission_shows("imaginary", o->is.term[term], channel);
}

// Springs of the steady motion, and the place whose displacement is asked for, if they hold it.
static void find_springs(load_sum *s, kane_steady *steady, const char *channel, kane_errors *errors)
{
    kane_linear *linear =
        kane_linear_create(s->model, kane_steady_work(steady), 0.0, kane_steady_state(steady), errors);
    s->compliance = linear ? kane_compliance_create(linear, s->arena) : NULL;
    if (s->compliance)
        s->moved = place_of_channel(s->model, channel);
    if (s->moved.body >= 0 && isnan(kane_compliance_of(s->compliance, s->moved, s->moved, s->arena)))
        s->moved.body = -1;
    kane_linear_free(linear);
}

// channel: whose displacement is asked for; NULL: none. 0: there are no loads (no equilibrium, no memory).
static int find_loads(const kane_decision_case *c, const char *channel, term_loads *loads)
{
    static const char *const all   = "imaginary.*";
    kane_errors nobody             = {.limit = 1};
    kane_decision_case quiet       = *c;
    const kane_run_definition *run = kane_run_get_definition(c->of->run);
    load_sum s                     = {.of = c, .moved = {-1, KANE_X}, .arena = kane_arena_create()};
    quiet.errors                   = &nobody;
    kane_steady *steady            = s.arena ? create_steady(&quiet, run, 0) : NULL;
    s.model                        = steady ? kane_steady_model(steady) : NULL;
    kane_channels *channels        = steady ? kane_channels_create_model(s.model, 1, &all, NULL, &nobody) : NULL;
    const int count                = channels ? kane_channels_count(channels) : 0;
    double *values                 = channels ? kane_arena_doubles(s.arena, (size_t)count) : NULL;
    if (values) {
        kane_channels_read_state(channels, s.model, kane_steady_work(steady), kane_steady_state(steady), values);
        if (channel && run->track)
            find_springs(&s, steady, channel, &nobody);
    }
    *loads = (term_loads){s.moved.body >= 0 ? 0.0 : (double)NAN, 0.0, 1};
    for (int i = 0; values && i < count; i++)
        if (is_omitted(c->of, c->term, kane_channels_info(channels, i)->name))
            add_load(&s, kane_channels_info(channels, i), values[i], loads);
    kane_channels_free(channels);
    kane_steady_free(steady);
    kane_arena_free(s.arena);
    return values != NULL;
}

// Steady motion: on a straight frames neither turn nor accelerate, so that nothing is omitted. In a curve
//   equilibrium BODY.y, .yaw, .roll ...   sum of C loads: C springs, wheelsets held; loads of the complete equilibrium
//   equilibrium *.Y   sum of m v^2 kappa cos(cant) of the bodies whose force of translation is omitted
static void close_steady(const kane_decision_case *c, const kane_conclusion *is, kane_decision_record *r)
{
    term_loads loads;
    const int is_straight = c->run->track && c->where.curvature == 0.0;
    const int is_channel  = !is->kind->unit;
    if (!find_loads(c, is_channel ? is->argument : NULL, &loads))
        return;
    r->is_zero = loads.is_zero;
    if (is_straight)
        r->closed = 0.0;
    else if (is_channel && strcmp(is->argument, "*.Y") != 0)
        r->closed = fabs(loads.displacement);
    else if (is_channel && (loads.lateral != 0.0 || loads.is_zero))
        r->closed = fabs(loads.lateral);
}

// --- a case ---

// Curve of the steady motion: of the condition's radius and cant, else of the study.
static kane_steady_definition choose_curve(const kane_omission_setup *o, int condition, const kane_run_definition *run)
{
    kane_steady_definition where = {run->drive.speed, o->asked->curvature, o->asked->superelevation, 0};
    int value[KANE_OMISSION_AXES_MOST];
    double cant = (double)NAN;
    char nothing[64];
    kane_text fault = kane_text_start(sizeof nothing, nothing);
    kane_grid_values(&o->grid, condition, value);
    for (int a = 0; a < o->grid.axis_count; a++) {
        const char *path = kane_axis_path(o->grid.axes[a]->path), *text = o->grid.axes[a]->texts[value[a]];
        double number;
        if (strcmp(path, kane_axis_path("radius")) == 0)
            where.curvature = kane_quantity_parse(text, "m", &number, &fault) ? 1.0 / number : 0.0;
        else if (strcmp(path, kane_axis_path("cant")) == 0 && kane_quantity_parse(text, "m", &number, &fault))
            cant = number;
    }
    if (isfinite(cant)) // of the outer rail
        where.superelevation = copysign(cant, where.curvature);
    return where;
}

// Runs a case, or takes the rows of the complete run where nothing is omitted. Their owner is *own.
static void find_rows(kane_decision_case *c, int is_zero, int index, kane_results **own)
{
    char name[KANE_STUDY_NAME];
    *own = NULL;
    if (c->term == KANE_OMISSION_COMPLETE || is_zero) {
        c->rows    = c->of->complete;
        c->outcome = c->of->outcome;
        return;
    }
    c->rows = *own = kane_omission_run_cases(c->of, c->condition, c->of->run, c->term,
                                             kane_study_case_name(index, name), &c->outcome, c->errors);
    if (c->outcome.status != KANE_OK)
        c->rows = NULL;
}

static void evaluate_conclusion(kane_decision_case *c, const kane_conclusion *is, const kane_omission_record *term,
                                kane_decision_record *r, kane_text *remark)
{
    char words[KANE_DECISION_WORDS] = "";
    const int before                = c->errors->count;
    int good                        = 0;
    r->accuracy                     = 0.0; // unless the kind knows better; NaN: not known
    if (!is->kind->is_of_run || c->rows)
        good = is->kind->evaluate(c, is, r, words);
    if (!good) {
        r->value = (double)NAN;
        kane_text_copy(sizeof words, words,
                       c->errors->count > before ? kane_errors_get(c->errors, before)->text
                       : c->errors->count > 0    ? kane_errors_get(c->errors, 0)->text
                                                 : "has failed");
    } else if (!kane_conclusion_is_optimum(is)) {
        r->judged = r->value;
    }
    if (c->term > 0 && !is->kind->is_of_run)
        close_steady(c, is, r);
    else if (c->term > 0)
        r->is_zero = term->is_zero;
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        r->impulse[kind] = is->kind->is_of_run ? term->impulse[kind] : (double)NAN;
    for (char *p = words; *p; p++)
        *p = *p == '\n' ? ' ' : *p;
    kane_text_add(remark, "%s\n", words);
}

void kane_decision_work(int index, kane_case *result, void *data)
{
    kane_omission_setup *o    = data;
    const size_t size         = kane_decision_size(o);
    const int variant         = index % (o->is.terms + 1);
    kane_errors errors        = {0};
    kane_omission_record term = {.is_zero = 0.0, .impulse = {NAN, NAN}};
    kane_decision_case c      = {.of = o, .condition = index / (o->is.terms + 1), .errors = &errors};
    kane_run_definition own;
    kane_results *rows = NULL;
    c.term             = variant < o->is.terms ? variant : KANE_OMISSION_COMPLETE;
    kane_omission_run_complete(o, c.condition);
    result->state = KANE_CASE_FAILED;
    if (!o->run) {
        kane_text_copy(sizeof result->why, result->why, o->why);
        return;
    }
    kane_omission *omissions = kane_omission_define(o, 0, kane_run_get_definition(o->run), c.term, &own, &errors);
    if (omissions && kane_study_check_inputs(&o->study, &errors) == KANE_OK) {
        kane_text remark = kane_text_start(sizeof result->why, result->why);
        c.run            = &own;
        c.where          = choose_curve(o, c.condition, &own);
        if (!o->has_no_rows) {
            term.is_zero = c.term > 0 ? kane_omission_measure_term(o, c.term, &term) : 0.0;
            find_rows(&c, term.is_zero == 1.0, index, &rows);
        }
        for (int i = 0; i < o->asked->conclusion_count; i++)
            evaluate_conclusion(&c, &o->conclusions[i], &term,
                                (kane_decision_record *)(void *)(result->values + (size_t)i * size), &remark);
        result->state = KANE_CASE_DONE;
    } else {
        kane_text_copy(sizeof result->why, result->why,
                       errors.count > 0 ? kane_errors_get(&errors, 0)->text : "out of memory");
    }
    kane_results_free(rows);
    kane_release(omissions);
    kane_errors_free(&errors);
}
