// SPDX-License-Identifier: MIT
// An omission study made ready: terms, responses, conditions.

#include "study/omission_setup.h"

#include "base/arena.h"
#include "study/omission_compare.h"

#include <stdio.h>
#include <string.h>

enum { BODIES_MOST = 6 }; // whose y, yaw and roll are responses if none is given

// What the complete run records besides responses.
static const char *const own_patterns[] = {"imaginary.*", "impulse.*"};
enum { OWN_PATTERNS = sizeof own_patterns / sizeof *own_patterns };

static const double tighter = 0.1; // tolerances of the run that tells how accurate the complete one is

static int no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return 0;
}

// --- runs ---

static int count_texts(const char *const *texts)
{
    int count = 0;
    while (texts && texts[count])
        count++;
    return count;
}

const char *const *kane_omission_settings(const kane_omission_setup *setup, int condition, kane_arena *arena)
{
    const kane_omission_grid *grid = &setup->grid;
    const char **settings          = kane_arena_alloc(arena, (size_t)grid->axis_count + 1, sizeof *settings);
    int value[KANE_OMISSION_AXES_MOST];
    kane_omission_grid_values(grid, condition, value);
    for (int a = 0; settings && a < grid->axis_count; a++) {
        const int length = kane_axis_setting(grid->axes[a], value[a], 0, NULL);
        char *text       = kane_arena_alloc(arena, (size_t)length + 1, 1);
        if (!text)
            return NULL;
        (void)kane_axis_setting(grid->axes[a], value[a], (size_t)length + 1, text);
        settings[a] = text;
    }
    return settings;
}

// `more`: a setting behind all others, NULL: none.
static kane_run *read_with(const kane_omission_setup *setup, int condition, const char *more, kane_arena *arena,
                           kane_errors *errors)
{
    const kane_run_options *common = setup->study->common;
    const char *const *own         = kane_omission_settings(setup, condition, arena);
    const int count                = count_texts(common ? common->settings : NULL);
    const char **all         = kane_arena_alloc(arena, (size_t)count + (size_t)setup->grid.axis_count + 2, sizeof *all);
    kane_run_options options = common ? *common : (kane_run_options){0};
    if (!own || !all) {
        (void)no_memory(errors);
        return NULL;
    }
    int n = 0;
    for (int i = 0; i < count; i++)
        all[n++] = common->settings[i];
    for (int a = 0; a < setup->grid.axis_count; a++)
        all[n++] = own[a];
    all[n]           = more;
    options.settings = all;
    options.tables   = setup->tables;
    return kane_run_read(setup->study->file, &options, errors);
}

kane_run *kane_omission_read(const kane_omission_setup *setup, int condition, kane_arena *arena, kane_errors *errors)
{
    return read_with(setup, condition, "separate=true", arena, errors);
}

static void tighten(kane_settings *settings)
{
    settings->relative *= tighter;
    settings->position *= tighter;
    settings->angle *= tighter;
    settings->speed *= tighter;
    settings->turning *= tighter;
}

kane_results *kane_omission_carry_out(const kane_omission_setup *setup, const kane_run *run, int term,
                                      kane_outcome *outcome, kane_errors *errors)
{
    const int patterns       = setup->response_count + (term == KANE_OMISSION_COMPLETE ? OWN_PATTERNS : 0);
    kane_run_definition own  = *kane_run_get_definition(run);
    kane_omission *omissions = kane_allocate((size_t)own.model.omission_count + 1, sizeof *omissions);
    kane_results *results    = NULL;
    if (omissions) {
        if (own.model.omission_count > 0)
            memcpy(omissions, own.model.omissions, (size_t)own.model.omission_count * sizeof *omissions);
        own.model.omissions = omissions;
        if (term == KANE_OMISSION_ACCURACY)
            tighten(&own.settings);
        else if (term > 0)
            omissions[own.model.omission_count++] =
                (kane_omission){setup->terms.texts[term], {.file = "--omit", .path = ""}};
        results = kane_run_collect(&own, patterns, setup->patterns, outcome, errors);
        if (results)
            kane_omission_unwrap(results);
    }
    if (!omissions)
        (void)no_memory(errors);
    kane_release(omissions);
    return results;
}

// --- terms ---

// Every term of the bodies that feel any.
static int list_all(const kane_omission_setup *setup, const kane_model *model, kane_omission_terms *terms)
{
    const char **bodies = kane_arena_alloc(setup->arena, (size_t)kane_model_body_count(model), sizeof *bodies);
    int count           = 0;
    for (int j = 0; bodies && j < kane_model_body_count(model); j++)
        if (kane_model_has_imaginary(model, j))
            bodies[count++] = kane_arena_text(setup->arena, kane_model_body_name(model, j));
    return bodies && kane_omission_terms_all(setup->arena, count, bodies, terms);
}

static int choose_terms(kane_omission_setup *setup, const kane_model *model, kane_errors *errors)
{
    const kane_omission_study *study = setup->study;
    kane_omission_terms own          = {study->omission_count, study->omissions};
    if (study->all && !list_all(setup, model, &own))
        return no_memory(errors);
    const char **texts = kane_arena_alloc(setup->arena, (size_t)own.count + 1, sizeof *texts);
    if (!texts)
        return no_memory(errors);
    texts[0] = "";
    for (int i = 0; i < own.count; i++)
        texts[i + 1] = own.texts[i];
    setup->terms = (kane_omission_terms){own.count + 1, texts};
    return kane_omission_check_size(kane_omission_grid_size(&setup->grid), setup->terms.count, errors);
}

// --- responses ---

// Whether a coordinate of a body is one that can respond: free, and not prescribed.
static int responds(const kane_body_definition *body, int coordinate)
{
    if (!body->joint)
        return (body->freedoms & KANE_FREEDOM(coordinate)) != 0;
    for (int i = 0; i < body->joint->motion_count; i++)
        if (body->joint->motions[i].coordinate == coordinate)
            return 0;
    return 1;
}

// What a body of a vehicle, or of a mechanism, moves by: names of channels behind "BODY."; returns how many.
static int list_moves(const kane_body_definition *body, int on_track, const char *moves[KANE_COORDINATES])
{
    static const char *const across[] = {"y", "yaw", "roll"}, *const turns[] = {"yaw", "roll", "pitch"};
    const int is_ball = body->joint && body->joint->kind == KANE_JOINT_SPHERICAL;
    int count         = 0;
    if (on_track || is_ball) {
        for (int i = 0; i < 3; i++)
            moves[count++] = on_track ? across[i] : turns[i];
        return count;
    }
    for (int c = 0; c < kane_joint_coordinate_count(body->joint); c++)
        if (responds(body, c))
            moves[count++] = kane_joint_coordinate_name(body->joint, c);
    return count;
}

// Patterns of the responses, own or default, and behind them what the complete run records besides.
static const char **choose_patterns(const kane_omission_setup *setup, const kane_run_definition *run, int *count)
{
    const kane_omission_study *study       = setup->study;
    const kane_vehicle_definition *vehicle = run->vehicle;
    const size_t room     = (size_t)study->response_count + KANE_COORDINATES * BODIES_MOST + 2 + OWN_PATTERNS;
    const char **patterns = kane_arena_alloc(setup->arena, room, sizeof *patterns);
    *count                = 0;
    for (int i = 0; patterns && i < study->response_count; i++)
        patterns[(*count)++] = study->responses[i];
    for (int j = 0, bodies = 0; patterns && study->response_count == 0 && j < vehicle->body_count; j++) {
        const kane_body_definition *body = &vehicle->bodies[j];
        const size_t size                = strlen(body->block.name) + 16;
        const char *moves[KANE_COORDINATES];
        const int of_joint = !run->track && body->joint && body->joint->kind != KANE_JOINT_SPHERICAL;
        if (body->wheels || bodies == BODIES_MOST)
            continue;
        const int move_count = list_moves(body, run->track != NULL, moves);
        bodies += move_count > 0;
        for (int i = 0; i < move_count; i++) {
            char *text = kane_arena_alloc(setup->arena, size, 1);
            if (!text)
                return NULL;
            (void)snprintf(text, size, "%s.%s%s", body->block.name, of_joint ? "joint." : "", moves[i]);
            patterns[(*count)++] = text;
        }
    }
    if (patterns && study->response_count == 0 && run->track) {
        patterns[(*count)++] = "*.Y";
        patterns[(*count)++] = "*.Q";
    }
    for (int i = 0; patterns && i < OWN_PATTERNS; i++)
        patterns[*count + i] = own_patterns[i];
    return patterns;
}

// Channels of a response; 0 with an error if they have different units.
static int fill_response(const kane_omission_setup *setup, const kane_channels *channels,
                         kane_omission_response *response, kane_errors *errors)
{
    const char **names = kane_arena_alloc(setup->arena, (size_t)kane_channels_count(channels), sizeof *names);
    if (!names)
        return no_memory(errors);
    response->channels = names;
    for (int i = 0; i < kane_channels_count(channels); i++) {
        const kane_channel_info *info = kane_channels_info(channels, i);
        if (!kane_omission_matches(response->pattern, info->name))
            continue;
        if (response->channel_count == 0)
            response->unit = kane_arena_text(setup->arena, info->unit);
        names[response->channel_count++] = kane_arena_text(setup->arena, info->name);
        if (response->unit && strcmp(response->unit, info->unit) != 0) {
            kane_errors_add(errors, KANE_BAD_INPUT,
                            "--response %s: %s is in %s, %s in %s; the channels of a response have one unit",
                            response->pattern, names[0], response->unit, info->name, info->unit);
            return 0;
        }
    }
    if (response->channel_count == 0)
        kane_errors_add(errors, KANE_BAD_INPUT, "--response %s: only imaginary terms match; type \"imaginary.%s\"",
                        response->pattern, response->pattern);
    return response->channel_count > 0 && (!kane_arena_failed(setup->arena) || no_memory(errors));
}

static int choose_responses(kane_omission_setup *setup, const kane_run_definition *run, const kane_model *model,
                            kane_errors *errors)
{
    const char **patterns = choose_patterns(setup, run, &setup->response_count);
    const int count       = setup->response_count;
    if (!patterns)
        return no_memory(errors);
    kane_omission_response *responses = kane_arena_alloc(setup->arena, (size_t)count, sizeof *responses);
    kane_place *places                = kane_arena_alloc(setup->arena, (size_t)count, sizeof *places);
    if (!responses || !places)
        return no_memory(errors);
    for (int r = 0; r < count; r++)
        places[r] = (kane_place){.file = "--response", .path = ""};
    kane_channels *channels = kane_channels_create_model(model, count, patterns, places, errors);
    int good                = channels != NULL;
    for (int r = 0; good && r < count; r++) {
        responses[r].pattern = patterns[r];
        good                 = fill_response(setup, channels, &responses[r], errors);
    }
    kane_channels_free(channels);
    setup->responses = responses;
    setup->patterns  = patterns;
    return good;
}

static int prepare(kane_omission_setup *setup, const kane_run_definition *run, kane_errors *errors)
{
    if (!kane_omission_check_run(setup, run, errors))
        return 0;
    kane_model *model = kane_model_create(run->vehicle, run->track, &run->drive, &run->model, errors);
    const int good    = model && choose_terms(setup, model, errors) && choose_responses(setup, run, model, errors);
    kane_model_free(model);
    if (!good)
        return 0;
    setup->travels = run->track != NULL;
    setup->vehicle = kane_arena_text(setup->arena, run->vehicle->name);
    setup->inputs  = kane_inputs_take(run, errors);
    return setup->inputs && (!kane_arena_failed(setup->arena) || no_memory(errors));
}

int kane_omission_setup_open(kane_omission_setup *setup, const kane_omission_study *study, kane_errors *errors)
{
    *setup = (kane_omission_setup){.study = study, .grid = {study->axis_count, study->axes}};
    if (!kane_omission_check_study(study, errors))
        return 0;
    setup->arena   = kane_arena_create();
    setup->tables  = kane_tables_create(KANE_TABLES_USUAL);
    kane_run *run  = setup->arena ? read_with(setup, 0, NULL, setup->arena, errors) : NULL;
    const int good = run && prepare(setup, kane_run_get_definition(run), errors);
    kane_run_free(run);
    return good;
}

void kane_omission_setup_close(kane_omission_setup *setup)
{
    kane_inputs_free(setup->inputs);
    kane_tables_free(setup->tables);
    kane_arena_free(setup->arena);
}
