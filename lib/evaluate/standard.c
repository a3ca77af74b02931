// SPDX-License-Identifier: MIT
// Evaluations to the standards: one wheelset and one accelerometer after the other.

#include "evaluate/standard.h"

kane_evaluation_options kane_evaluation_options_default(void)
{
    return (kane_evaluation_options){.from             = -(double)INFINITY,
                                     .to               = (double)INFINITY,
                                     .running_distance = 1.5,
                                     .static_load      = (double)NAN,
                                     .bogie_mass       = (double)NAN,
                                     .axle_box_limit   = (double)NAN};
}

static kane_evaluation *create_evaluation(const kane_results *results)
{
    const int columns    = kane_results_column_count(results);
    kane_arena *arena    = kane_arena_create();
    kane_evaluation *out = arena ? kane_arena_alloc(arena, 1, sizeof *out) : NULL;
    if (out) {
        out->arena       = arena;
        out->room        = KANE_QUANTITIES * (columns + 1);
        out->remark_room = 8 * (columns + 8) + 2 * KANE_CURVES_MOST + 3 * KANE_LEFT_OUT_TOLD;
        out->rows        = kane_arena_alloc(arena, (size_t)out->room, sizeof *out->rows);
        out->remarks     = kane_arena_alloc(arena, (size_t)out->remark_room, sizeof *out->remarks);
    }
    if (out && !kane_arena_failed(arena))
        return out;
    kane_arena_free(arena);
    return NULL;
}

static void examine_all(kane_examination *e)
{
    for (int i = 0; i < e->wheelset_count + e->sensor_count && !e->failed; i++) {
        e->scratch = kane_arena_create();
        e->failed |= !e->scratch;
        if (e->scratch && i < e->wheelset_count)
            kane_examine_wheelset(e, &e->wheelsets[i]);
        else if (e->scratch)
            kane_examine_sensor(e, e->sensors[i - e->wheelset_count],
                                (kane_sensor_place)e->place[i - e->wheelset_count]);
        kane_arena_free(e->scratch);
        e->scratch = NULL;
    }
}

// Notes on channels and loads that wheels lack.
static void note_missing(kane_examination *e)
{
    static const char *const names[KANE_WHEEL_CHANNELS] = {"Q", "Y", "T_gamma"};
    for (int i = 0; i < KANE_WHEEL_CHANNELS; i++)
        if (e->missing[i] > 0)
            kane_examine_note(e, "%d of %d wheels have no channel %s; record \"*.%s\"", e->missing[i],
                              2 * e->wheelset_count, names[i], names[i]);
    if (e->unknown_loads > 0)
        kane_examine_note(e,
                          "static loads of %d wheels are not known: there are limits without them for few "
                          "quantities; --static-load gives them",
                          e->unknown_loads);
}

kane_evaluation *kane_examine_all(const kane_results *results, const kane_evaluation_options *options,
                                  kane_filtered *filtered, int is_section, kane_errors *errors)
{
    kane_examination e = {.results    = results,
                          .options    = options,
                          .out        = create_evaluation(results),
                          .kept       = kane_arena_create(),
                          .scratch    = kane_arena_create(),
                          .filtered   = filtered,
                          .is_section = is_section,
                          .errors     = errors};
    e.failed           = !e.out || !e.kept || !e.scratch;
    const int found    = !e.failed && kane_examine_find(&e);
    kane_arena_free(e.scratch);
    if (found) {
        examine_all(&e);
        note_missing(&e);
    }
    kane_arena_free(e.kept);
    if (e.failed)
        (void)kane_no_memory(e.errors);
    if (found && !e.failed)
        return e.out;
    kane_evaluation_free(e.out);
    return NULL;
}

kane_evaluation *kane_evaluate(const kane_results *results, const kane_evaluation_options *options, kane_errors *errors)
{
    const kane_evaluation_options usual = kane_evaluation_options_default();
    const kane_evaluation_options *how  = options ? options : &usual;
    kane_errors unreported              = {.limit = 1};
    kane_errors *kept                   = errors ? errors : &unreported;
    kane_filtered filtered              = {.arena = kane_arena_create()};
    kane_evaluation *all = kane_examine_all(results, how, how->section > 0.0 ? &filtered : NULL, 0, kept);
    const int good       = all && (!(how->section > 0.0) || kane_examine_sections(all, results, how, &filtered, kept));
    kane_arena_free(filtered.arena);
    if (good)
        return all;
    kane_evaluation_free(all);
    return NULL;
}

void kane_evaluation_free(kane_evaluation *evaluation)
{
    if (evaluation)
        kane_arena_free(evaluation->arena);
}

int kane_evaluation_count(const kane_evaluation *evaluation)
{
    return evaluation->count;
}

const kane_assessment *kane_evaluation_get(const kane_evaluation *evaluation, int index)
{
    return index >= 0 && index < evaluation->count ? &evaluation->rows[index] : NULL;
}

int kane_evaluation_note_count(const kane_evaluation *evaluation)
{
    return evaluation->remark_count;
}

const char *kane_evaluation_note(const kane_evaluation *evaluation, int index)
{
    return index >= 0 && index < evaluation->remark_count ? evaluation->remarks[index] : NULL;
}

kane_evaluated_section kane_evaluation_section(const kane_evaluation *evaluation)
{
    return evaluation->section;
}

int kane_evaluation_worst(const kane_evaluation *evaluation)
{
    int worst = -1;
    for (int i = 0; i < evaluation->count; i++)
        if (isfinite(evaluation->rows[i].used) &&
            (worst < 0 || evaluation->rows[i].used > evaluation->rows[worst].used))
            worst = i;
    return worst;
}
