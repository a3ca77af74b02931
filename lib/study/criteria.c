// SPDX-License-Identifier: MIT
// Criteria of a study, and a run that answers them.

#include "study/criteria.h"

#include "base/arena.h"
#include "base/number.h"
#include "run/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The weight before a star, 1 without one; *rest: what follows.
static double take_weight(const char *text, const char **rest)
{
    const char *at      = text + strspn(text, " ");
    const size_t length = kane_number_length(at);
    const char *behind  = at + length + strspn(at + length, " ");
    *rest               = text;
    if (length == 0 || length > KANE_NUMBER_LENGTH || *behind != '*')
        return 1.0;
    *rest = behind + 1 + strspn(behind + 1, " ");
    return kane_number_value(at, length, 0);
}

kane_status criteria_parse(criteria *c, int count, const char *const *texts, int with_weights, kane_errors *errors)
{
    const int before = errors->count;
    if (count < 1 || count > KANE_CRITERIA_MOST) {
        kane_errors_add(errors, KANE_BAD_INPUT,
                        count < 1 ? "a criterion is missing, such as --criterion 'rms(body.acceleration.y)'"
                                  : "%d criteria; there may be %d",
                        count, KANE_CRITERIA_MOST);
        return KANE_BAD_INPUT;
    }
    for (int i = 0; i < count; i++) {
        const char *rest = texts[i];
        c->weight[i]     = with_weights ? take_weight(texts[i], &rest) : 1.0;
        c->text[i]       = texts[i];
        for (int k = 0; k < i; k++)
            if (strcmp(texts[k], texts[i]) == 0)
                kane_errors_add(errors, KANE_BAD_INPUT, "the criterion %s is given twice", texts[i]);
        if (!isfinite(c->weight[i]) || c->weight[i] == 0.0)
            kane_errors_add(errors, KANE_BAD_INPUT, "%s: the weight of a criterion must be a number that is not 0",
                            texts[i]);
        c->measure[i] = kane_measure_parse(rest, errors);
        c->count++;
        if (c->measure[i])
            c->channels[i] = kane_measure_channels(c->measure[i]);
    }
    return errors->count == before ? KANE_OK : KANE_BAD_INPUT;
}

kane_status criteria_check(const criteria *c, const kane_run_definition *run, kane_errors *errors)
{
    kane_place places[KANE_CRITERIA_MOST];
    kane_stage stage;
    for (int i = 0; i < c->count; i++)
        places[i] = (kane_place){.file = c->text[i], .path = ""};
    const int good = kane_stage_open(&stage, run, c->count, c->channels, places, errors);
    kane_stage_close(&stage);
    return good ? KANE_OK : KANE_BAD_INPUT;
}

void criteria_free(criteria *c)
{
    for (int i = 0; i < c->count; i++)
        kane_measure_free(c->measure[i]);
    c->count = 0;
}

kane_status criteria_eval(const criteria *c, const kane_results *results, double *values, const char **units,
                          kane_errors *errors)
{
    const int before = errors->count;
    for (int i = 0; i < c->count; i++)
        values[i] = kane_measure_eval(c->measure[i], results, units ? &units[i] : NULL, errors);
    return errors->count == before ? KANE_OK : errors->kept[before < KANE_ERRORS_KEPT ? before : 0].status;
}

double criteria_sum(const criteria *c, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < c->count; i++)
        sum += c->weight[i] * values[i];
    return sum;
}

kane_run *trial_read(const trial *t, kane_errors *errors)
{
    const char *settings[TRIAL_SETTINGS_MOST + 1];
    kane_run_options options = t->common ? *t->common : (kane_run_options){0};
    int count                = 0;
    for (; options.settings && options.settings[count]; count++) {
        if (count + t->setting_count >= TRIAL_SETTINGS_MOST) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "more than %d settings", TRIAL_SETTINGS_MOST);
            return NULL;
        }
        settings[count] = options.settings[count];
    }
    for (int i = 0; i < t->setting_count; i++)
        settings[count++] = t->settings[i];
    settings[count]  = NULL;
    options.settings = settings;
    return kane_run_read(t->file, &options, errors);
}

// Did the run go where it was to go?
static kane_status check_end(const kane_outcome *outcome, kane_errors *errors)
{
    if (outcome->status != KANE_OK)
        return outcome->status;
    if (!kane_stop_is_derailment(outcome->stop))
        return KANE_OK;
    kane_errors_add_run(errors, KANE_NOT_SOLVED, outcome->subject, outcome->time, outcome->distance, "%s",
                        kane_stop_name(outcome->stop));
    return KANE_NOT_SOLVED;
}

kane_status trial_run(const trial *t, double *values, const char *keep, kane_errors *errors)
{
    kane_outcome outcome;
    kane_run *run         = trial_read(t, errors);
    kane_results *results = run ? kane_run_collect(kane_run_get_definition(run), t->criteria->count,
                                                   t->criteria->channels, &outcome, errors)
                                : NULL;
    kane_status status    = !run ? KANE_BAD_INPUT : !results ? outcome.status : check_end(&outcome, errors);
    if (status == KANE_OK)
        status = criteria_eval(t->criteria, results, values, NULL, errors);
    if (results && keep) {
        const kane_status kept = kane_results_write(results, keep, KANE_CSV, errors);
        status                 = status == KANE_OK ? kept : status;
    }
    if (status != KANE_OK)
        for (int i = 0; i < t->criteria->count; i++)
            values[i] = NAN;
    kane_results_free(results);
    kane_run_free(run);
    return status;
}
