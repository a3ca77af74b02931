// SPDX-License-Identifier: MIT
// Selection of channels by patterns, and their values.

#include "simulate/channels.h"

#include "base/number.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char DEFAULT[] = "default", ALL[] = "all"; // beside the names of groups

struct kane_channel_list {
    kane_arena *arena;
    int room, count;
    kane_channel *channels; // NULL while only counting
    kane_channel_group group;
};

struct kane_channels {
    kane_arena *arena;
    int count;
    kane_channel *channels;
    double (*coordinate)[KANE_COORDINATES];
    double (*rate)[KANE_COORDINATES];
    kane_reading_cache *cache;
    kane_knowledge need;       // the most that one of them needs
    kane_reactions *reactions; // of those channels that are reactions
    double *reaction;          // their values
};

void kane_channel_group_begin(kane_channel_list *list, kane_channel_group group)
{
    list->group = group;
}

void kane_channel_add(kane_channel_list *list, const char *unit, const char *description, kane_channel_value value,
                      int which, int part, const char *format, ...)
{
    char name[256];
    va_list arguments;
    const int index = list->count++;
    if (!list->channels || index >= list->room)
        return;
    va_start(arguments, format);
    (void)kane_vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    list->channels[index] = (kane_channel){
        .info     = {kane_arena_text(list->arena, name), unit, description, kane_channel_group_name(list->group)},
        .value    = value,
        .which    = which,
        .part     = part,
        .group    = list->group,
        .reaction = -1,
    };
}

static void announce_all(kane_channel_list *list, const kane_model *model, int with_work)
{
    kane_channels_of_travel(list, model);
    kane_channels_of_inputs(list, model);
    kane_channels_of_bodies(list, model);
    kane_channels_of_joints(list, model);
    kane_channels_of_constraints(list, model);
    kane_channels_of_frames(list, model);
    kane_channels_of_elements(list, model);
    kane_channels_of_wheels(list, model);
    kane_channels_of_sensors(list, model);
    kane_channels_of_track(list, model);
    kane_channels_of_panels(list, model);
    kane_channels_of_gauges(list, model);
    kane_channels_of_imaginary(list, model);
    kane_channels_of_impulses(list, model);
    kane_channels_of_energy(list);
    if (with_work)
        kane_channels_of_work(list);
}

// --- groups ---

// Defaults: of a vehicle the quantities of wheels and track, of a mechanism reactions and speeds.
static const struct {
    const char *name, *help;
    int on_track, on_the_ground; // whether "default" has it
} groups[KANE_CHANNEL_GROUPS] = {
    [KANE_GROUP_TRAVEL]        = {"travel", "time, place and speed of the run, and its inputs", 1, 1},
    [KANE_GROUP_MOTIONS]       = {"motions", "coordinates of bodies and joints", 1, 1},
    [KANE_GROUP_SPEEDS]        = {"speeds", "their rates", 0, 1},
    [KANE_GROUP_ACCELERATIONS] = {"accelerations", "of bodies, joints and accelerometers", 1, 1},
    [KANE_GROUP_REACTIONS]     = {"reactions", "of removed freedoms, joints and constraints, and drift", 0, 1},
    [KANE_GROUP_FRAMES]        = {"frames", "how frames move and turn", 0, 0},
    [KANE_GROUP_ELEMENTS]  = {"elements", "forces, displacements and states of elements, gauges of flexible bodies", 0,
                              0},
    [KANE_GROUP_WHEELS]    = {"wheels", "forces, lift and wear number of each wheel", 1, 1},
    [KANE_GROUP_CONTACT]   = {"contact", "contact patches", 0, 0},
    [KANE_GROUP_TRACK]     = {"track", "the line under the guide, and track that gives way", 1, 1},
    [KANE_GROUP_IMAGINARY] = {"imaginary", "imaginary terms and their impulses", 0, 0},
    [KANE_GROUP_ENERGY]    = {"energy", "energies, powers and work", 0, 0},
};

const char *kane_channel_group_name(kane_channel_group group)
{
    return groups[group].name;
}

const char *kane_channel_group_help(kane_channel_group group)
{
    return groups[group].help;
}

int kane_channel_group_is_default(kane_channel_group group, int on_the_ground)
{
    return on_the_ground ? groups[group].on_the_ground : groups[group].on_track;
}

// --- selection ---

int kane_channel_is_reaction(const kane_channel *channel, kane_reaction *reaction)
{
    return kane_channel_is_joint_reaction(channel, reaction) || kane_channel_is_body_reaction(channel, reaction);
}

kane_knowledge kane_channel_needs(const kane_model *model, const kane_channel *c)
{
    kane_reaction reaction;
    if (kane_channel_is_energy(c))
        return KANE_KNOWS_ALL;
    if (kane_channel_is_travel(c))
        return KANE_KNOWS_MOTION;
    if (kane_channel_is_joint(c) && model->bodies[c->which].part == KANE_PART_POINT)
        return KANE_KNOWS_BODIES; // an evaluation leaves points out that nothing holds
    if (kane_channel_is_joint(c) || kane_channel_is_reaction(c, &reaction))
        return KANE_KNOWS_EVALUATION;
    if (kane_channel_is_coordinate(c))
        return !model->bodies[c->which].is_free_body ? KANE_KNOWS_BODIES : KANE_KNOWS_MOTION;
    return model->joined_count > 0 ? KANE_KNOWS_BODIES : KANE_KNOWS_EVALUATION;
}

// Reactions among the channels; 0 if memory is short.
static int choose_reactions(kane_channels *c, const kane_model *model, kane_errors *errors)
{
    // one more than there are channels: scratch of the loop
    kane_reaction *chosen = kane_arena_alloc(c->arena, (size_t)c->count + 1, sizeof *chosen);
    int count             = 0;
    c->reaction           = kane_arena_alloc(c->arena, (size_t)c->count, sizeof *c->reaction);
    if (!chosen || !c->reaction) {
        (void)kane_no_memory(errors);
        return 0;
    }
    for (int i = 0; i < c->count; i++)
        if (kane_channel_is_reaction(&c->channels[i], &chosen[count]))
            c->channels[i].reaction = count++;
    c->reactions = kane_reactions_create(model, count, chosen, errors);
    return c->reactions != NULL;
}

// 1: the pattern is the group of the channel, "default", "all", or matches its name. No channel is named as a group.
static int matches_pattern(const kane_model *model, const kane_channel *channel, const char *pattern)
{
    if (strcmp(pattern, DEFAULT) == 0)
        return kane_channel_group_is_default(channel->group, !model->track);
    return strcmp(pattern, channel->info.group) == 0 || strcmp(pattern, ALL) == 0 ||
           kane_name_matches(pattern, channel->info.name);
}

static int matches_any(const kane_model *model, const kane_channel *channel, int count, const char *const *patterns)
{
    for (int i = 0; i < count; i++)
        if (matches_pattern(model, channel, patterns[i]))
            return 1;
    return 0;
}

// An undetermined reaction is an error if it is named; if only a pattern matches it, its values are NaN.
static void check_determined(const kane_model *model, const kane_channel *channel, kane_place place,
                             kane_errors *errors)
{
    kane_reaction reaction;
    char names[320];
    if (!kane_channel_is_reaction(channel, &reaction) || kane_reaction_is_determined(model, reaction))
        return;
    kane_reaction_name_redundant(model, reaction, sizeof names, names);
    kane_errors_add_input(
        errors, KANE_BAD_INPUT, place,
        "'%s' is not determined: %s and joints hold the same more than once, and rigid bodies do not say how "
        "they share that load; give one of them the stiffness that it has, or leave out what is redundant",
        channel->info.name, names);
}

// A pattern without any channel is an error, which proposes the most similar name.
static void check_patterns(const kane_model *model, const kane_channels *c, int count, const char *const *patterns,
                           const kane_place *places, kane_errors *errors)
{
    const kane_names names = {c->channels, c->count, sizeof *c->channels};
    for (int i = 0; i < count; i++) {
        const kane_place nowhere = {"", 0, 0, ""}, place = places ? places[i] : nowhere;
        const int named = kane_names_find(names, patterns[i]);
        int found       = named >= 0;
        if (named >= 0)
            check_determined(model, &c->channels[named], place, errors);
        for (int k = 0; k < c->count && !found; k++)
            found = matches_pattern(model, &c->channels[k], patterns[i]);
        if (found)
            continue;
        kane_near near = kane_near_start(patterns[i]);
        for (int k = 0; k < c->count; k++)
            kane_near_offer(&near, kane_names_get(names, k));
        for (int group = 0; group < KANE_CHANNEL_GROUPS; group++)
            kane_near_offer(&near, kane_channel_group_name((kane_channel_group)group));
        kane_errors_add_input(errors, KANE_BAD_INPUT, place,
                              "no channel is called '%s'%s%s%s; \"kane check --channels RUN\" lists them", patterns[i],
                              near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
    }
}

static kane_channels *create_channels(const kane_model *model, int with_work, int pattern_count,
                                      const char *const *patterns, const kane_place *places, kane_errors *errors)
{
    kane_arena *arena;
    kane_channels *c = kane_arena_object(&arena, sizeof *c, errors);
    if (!c)
        return NULL;
    const size_t bodies    = (size_t)model->body_count;
    kane_channel_list list = {.arena = arena};
    announce_all(&list, model, with_work);
    list.room     = list.count;
    list.count    = 0;
    c->arena      = arena;
    c->channels   = kane_arena_alloc(arena, (size_t)list.room, sizeof *c->channels);
    c->coordinate = kane_arena_alloc(arena, bodies, sizeof *c->coordinate);
    c->rate       = kane_arena_alloc(arena, bodies, sizeof *c->rate);
    c->cache      = kane_arena_alloc(arena, 1, sizeof *c->cache);
    list.channels = c->channels;
    if (c->channels)
        announce_all(&list, model, with_work);
    if (kane_arena_failed(arena)) {
        (void)kane_no_memory(errors);
        kane_arena_free(arena);
        return NULL;
    }

    const int before = errors ? errors->count : 0;
    c->count         = list.count;
    check_patterns(model, c, pattern_count, patterns, places, errors);
    if (errors && errors->count > before) {
        kane_arena_free(arena);
        return NULL;
    }
    c->count = 0;
    for (int i = 0; i < list.count; i++)
        if (matches_any(model, &c->channels[i], pattern_count, patterns))
            c->channels[c->count++] = c->channels[i];
    memset(c->channels + c->count, 0,
           (size_t)(list.count - c->count) * sizeof *c->channels); // channels that are not selected
    c->need = KANE_KNOWS_MOTION;
    for (int i = 0; i < c->count; i++) {
        const kane_knowledge need = kane_channel_needs(model, &c->channels[i]);
        c->need                   = need > c->need ? need : c->need;
    }
    if (choose_reactions(c, model, errors))
        return c;
    kane_arena_free(arena);
    return NULL;
}

kane_channels *kane_channels_create(const kane_simulation *s, int pattern_count, const char *const *patterns,
                                    const kane_place *places, kane_errors *errors)
{
    return create_channels(s->model, s->settings.energy, pattern_count, patterns, places, errors);
}

kane_channels *kane_channels_create_model(const kane_model *model, int pattern_count, const char *const *patterns,
                                          const kane_place *places, kane_errors *errors)
{
    return create_channels(model, 0, pattern_count, patterns, places, errors);
}

void kane_channels_free(kane_channels *c)
{
    if (!c)
        return;
    kane_reactions_free(c->reactions);
    kane_arena_free(c->arena);
}

int kane_channels_count(const kane_channels *c)
{
    return c->count;
}

const kane_channel_info *kane_channels_info(const kane_channels *c, int index)
{
    return &c->channels[index].info;
}

int kane_channels_find(const kane_channels *c, const char *name)
{
    return kane_names_find((kane_names){c->channels, c->count, sizeof *c->channels}, name);
}

// known: what r->work holds. If it holds no reactions of all bodies, those selected are evaluated by themselves, with
// `work`.
static void read_channels(const kane_channels *c, kane_reading *r, kane_knowledge known, kane_work *work,
                          double *values)
{
    const int eval_reactions = known == KANE_KNOWS_EVALUATION || known == KANE_KNOWS_BODIES;
    r->coordinate            = c->coordinate;
    r->rate                  = c->rate;
    r->cache                 = c->cache;
    *c->cache                = (kane_reading_cache){.element = -1, .body = -1, .wheel = -1};
    for (int j = 0; j < r->model->body_count; j++)
        if (r->model->bodies[j].is_free_body || known >= KANE_KNOWS_BODIES)
            kane_get_relative(r->model, r->work, j, c->coordinate[j], c->rate[j]);
    if (c->need == KANE_KNOWS_ALL)
        kane_get_energy(r->model, r->work, &r->energy);
    if (eval_reactions)
        kane_reactions_eval(c->reactions, r->model, work, c->reaction);
    for (int i = 0; i < c->count; i++) {
        const kane_channel *channel = &c->channels[i];
        values[i]                   = eval_reactions && channel->reaction >= 0 ? c->reaction[channel->reaction]
                                                                               : channel->value(r, channel->which, channel->part);
    }
}

// 1: the value depends on t and y only, not on inputs: forces, torques and numbers of laws (kane_input_kind) change
// accelerations.
int kane_channels_follow_state(const kane_channels *channels, const kane_model *model, int index)
{
    const kane_channel *c = &channels->channels[index];
    return c->group == KANE_GROUP_MOTIONS || c->group == KANE_GROUP_SPEEDS ||
           kane_channel_is_travel_state(c, kane_model_is_driven(model));
}

kane_status kane_channels_read(const kane_channels *c, kane_simulation *s, double *values)
{
    const kane_status status = kane_simulation_evaluate(s, c->need);
    kane_reading r           = {
                  .model = s->model, .work = s->work, .state = kane_simulation_state(s), .time = kane_simulation_time(s)};
    if (status == KANE_OK)
        read_channels(c, &r, s->evaluated, s->work, values);
    for (int i = 0; i < c->count && status != KANE_OK; i++)
        values[i] = (double)NAN;
    return status;
}

void kane_channels_read_state(const kane_channels *c, const kane_model *model, const kane_work *work, const double *y,
                              double *values)
{
    kane_reading r = {.model = model, .work = work, .state = y, .time = work->t};
    read_channels(c, &r, KANE_KNOWS_ALL, NULL, values);
}
