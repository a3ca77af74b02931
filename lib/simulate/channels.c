// SPDX-License-Identifier: MIT
// Choosing channels by patterns, and reading them.

#include "simulate/channels.h"

#include "base/names.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct kane_channel_list {
    kane_arena *arena;
    int room, count;
    kane_channel *channels; // NULL while only counting
};

struct kane_channels {
    kane_arena *arena;
    int count;
    kane_channel *channels;
    double (*coordinate)[KANE_COORDINATES];
    double (*rate)[KANE_COORDINATES];
    kane_reading_cache *cache;
    int with_energy; // 1: some channel looks at it
    int only_motion; // 1: nothing is asked for but how bodies move
};

void kane_channel_announce(kane_channel_list *list, const char *unit, const char *description, kane_channel_value value,
                           int which, int part, const char *format, ...)
{
    char name[256];
    va_list arguments;
    const int index = list->count++;
    if (!list->channels || index >= list->room)
        return;
    va_start(arguments, format);
    (void)vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    list->channels[index] = (kane_channel){
        .info  = {.name = kane_arena_text(list->arena, name), .unit = unit, .description = description},
        .value = value,
        .which = which,
        .part  = part,
    };
}

static void announce_all(kane_channel_list *list, const kane_model *model, int with_work)
{
    kane_channels_of_travel(list, model);
    kane_channels_of_bodies(list, model);
    kane_channels_of_joints(list, model);
    kane_channels_of_constraints(list, model);
    kane_channels_of_frames(list, model);
    kane_channels_of_elements(list, model);
    kane_channels_of_wheels(list, model);
    kane_channels_of_sensors(list, model);
    kane_channels_of_track(list, model);
    kane_channels_of_panels(list, model);
    kane_channels_of_imaginary(list, model);
    kane_channels_of_impulses(list, model);
    kane_channels_of_energy(list);
    if (with_work)
        kane_channels_of_work(list);
}

static int matches(const kane_channel *channel, int count, const char *const *patterns)
{
    for (int i = 0; i < count; i++)
        if (fnmatch(patterns[i], channel->info.name, 0) == 0)
            return 1;
    return 0;
}

// A pattern without any channel is a mistake; says which names are near.
static void check_patterns(const kane_channels *c, int count, const char *const *patterns, const kane_place *places,
                           kane_errors *errors)
{
    const kane_names names = {c->channels, c->count, sizeof *c->channels};
    for (int i = 0; i < count; i++) {
        int found = 0;
        for (int k = 0; k < c->count && !found; k++)
            found = fnmatch(patterns[i], c->channels[k].info.name, 0) == 0;
        if (found)
            continue;
        kane_near near = kane_near_start(patterns[i]);
        for (int k = 0; k < c->count; k++)
            kane_near_offer(&near, kane_names_get(names, k));
        const kane_place nowhere = {"", 0, 0, ""};
        kane_errors_add_input(errors, KANE_BAD_INPUT, places ? places[i] : nowhere,
                              "no channel is called '%s'%s%s%s; \"kane check --channels RUN\" lists them", patterns[i],
                              near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
    }
}

static kane_channels *create(const kane_model *model, int with_work, int pattern_count, const char *const *patterns,
                             const kane_place *places, kane_errors *errors)
{
    kane_arena *arena      = kane_arena_create();
    kane_channels *c       = arena ? kane_arena_alloc(arena, 1, sizeof *c) : NULL;
    kane_channel_list list = {.arena = arena};
    if (c) {
        const size_t bodies = (size_t)model->body_count;
        announce_all(&list, model, with_work);
        list.room     = list.count;
        list.count    = 0;
        c->arena      = arena;
        c->channels   = kane_arena_alloc(arena, (size_t)list.room, sizeof *c->channels);
        c->coordinate = kane_arena_alloc(arena, bodies, sizeof *c->coordinate);
        c->rate       = kane_arena_alloc(arena, bodies, sizeof *c->rate);
        c->cache      = kane_arena_alloc(arena, 1, sizeof *c->cache);
        list.channels = c->channels;
    }
    if (c && c->channels)
        announce_all(&list, model, with_work);
    if (!c || kane_arena_failed(arena)) {
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
        kane_arena_free(arena);
        return NULL;
    }

    const int before = errors ? errors->count : 0;
    c->count         = list.count;
    check_patterns(c, pattern_count, patterns, places, errors);
    if (errors && errors->count > before) {
        kane_arena_free(arena);
        return NULL;
    }
    c->count = 0;
    for (int i = 0; i < list.count; i++)
        if (matches(&c->channels[i], pattern_count, patterns))
            c->channels[c->count++] = c->channels[i];
    c->only_motion = 1;
    for (int i = 0; i < c->count; i++) {
        if (strncmp(c->channels[i].info.name, "energy.", 7) == 0 || strncmp(c->channels[i].info.name, "power.", 6) == 0)
            c->with_energy = 1;
        c->only_motion = c->only_motion && kane_channel_is_motion(&c->channels[i]);
    }
    return c;
}

kane_channels *kane_channels_create(const kane_simulation *s, int pattern_count, const char *const *patterns,
                                    const kane_place *places, kane_errors *errors)
{
    return create(s->model, s->settings.energy, pattern_count, patterns, places, errors);
}

kane_channels *kane_channels_create_model(const kane_model *model, int pattern_count, const char *const *patterns,
                                          const kane_place *places, kane_errors *errors)
{
    return create(model, 0, pattern_count, patterns, places, errors);
}

void kane_channels_free(kane_channels *c)
{
    if (c)
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

static void read(const kane_channels *c, kane_reading *r, double *values)
{
    r->coordinate = c->coordinate;
    r->rate       = c->rate;
    r->cache      = c->cache;
    *c->cache     = (kane_reading_cache){.element = -1, .body = -1};
    for (int j = 0; j < r->model->body_count; j++)
        kane_get_relative(r->model, r->work, j, c->coordinate[j], c->rate[j]);
    if (c->with_energy)
        kane_get_energy(r->model, r->work, &r->energy);
    for (int i = 0; i < c->count; i++)
        values[i] = c->channels[i].value(r, c->channels[i].which, c->channels[i].part);
}

kane_status kane_channels_read(const kane_channels *c, kane_simulation *s, double *values)
{
    const kane_status status = c->only_motion ? kane_simulation_move(s) : kane_simulation_look(s);
    kane_reading r           = {
                  .model = s->model, .work = s->work, .state = kane_simulation_state(s), .time = kane_simulation_time(s)};
    if (status == KANE_OK)
        read(c, &r, values);
    for (int i = 0; i < c->count && status != KANE_OK; i++)
        values[i] = (double)NAN;
    return status;
}

void kane_channels_read_state(const kane_channels *c, const kane_model *model, const kane_work *work, const double *y,
                              double *values)
{
    kane_reading r = {.model = model, .work = work, .state = y, .time = work->t};
    read(c, &r, values);
}
