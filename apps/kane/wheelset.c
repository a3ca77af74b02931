// SPDX-License-Identifier: MIT
// A wheelset on a track, as the commands that look at their contact choose it.

#include "wheelset.h"

#include "base/arena.h"
#include "base/names.h"
#include "run/parameter.h"

#include <stdio.h>
#include <string.h>

static const double DEFAULT_LOAD = 50e3; // of a wheel [N]

error_t app_wheelset_parse(int key, char *value, struct argp_state *state, app_wheelset_choice *c)
{
    switch (key) {
    case 's': app_collect(&c->settings, value, state); break;
    case 't': c->track = value; break;
    case 'v': c->variant = value; break;
    case 'w': c->wheelset = value; break;
    case ARGP_KEY_ARG:
        if (c->file)
            argp_error(state, "one vehicle file at a time");
        c->file = value;
        break;
    case ARGP_KEY_END:
        if (!c->file && (c->wheelset || c->variant))
            argp_error(state, "a wheelset or a variant of which vehicle?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

kane_track *app_straight_track(const kane_vehicle_definition *vehicle, const kane_track_definition *like,
                               kane_errors *errors)
{
    const kane_section_definition straight = {.kind = KANE_STRAIGHT, .length = 2.0 * APP_STRAIGHT_MIDDLE};
    const kane_profile round               = kane_profile_round(0.3);
    kane_track_definition track            = kane_track_definition_default();
    track.name                             = like ? like->name : "straight level track";
    if (like) {
        track.gauge        = like->gauge;
        track.gauge_height = like->gauge_height;
        track.rail[0]      = like->rail[0];
        track.rail[1]      = like->rail[1];
        track.inclination  = like->inclination;
        track.friction     = like->friction;
    }
    for (int i = 0; vehicle && !like && i < vehicle->body_count; i++)
        if (vehicle->bodies[i].wheels && vehicle->bodies[i].wheels->profile[0]->shape == KANE_SHAPE_CONE)
            track.rail[0] = &round;
    track.section_count = 1;
    track.sections      = &straight;
    return kane_track_create(&track, errors);
}

// Settings of the track begin with "track." (also of short names), all others are of the vehicle.
static int sort_settings(kane_arena *arena, const app_texts *all, app_texts *vehicle, app_texts *track)
{
    for (int i = 0; i < all->count; i++) {
        const size_t size = (size_t)kane_parameter_setting(all->texts[i], "vehicle.", 0, NULL) + 1;
        char *text        = kane_arena_alloc(arena, size, 1);
        if (!text)
            return 0;
        (void)kane_parameter_setting(all->texts[i], "vehicle.", size, text);
        const int is_track = strncmp(text, "track.", 6) == 0;
        app_texts *list    = is_track ? track : vehicle;

        list->texts[list->count++] = is_track ? text + 6 : all->texts[i];
    }
    return 1;
}

static int find_wheelset(const app_wheelset_choice *choice, const kane_vehicle_definition *d, kane_errors *errors)
{
    const kane_place place = {.file = choice->file, .path = ""};
    const kane_names names = {d->bodies, d->body_count, sizeof *d->bodies};
    const int body         = choice->wheelset ? kane_names_resolve(names, "body", choice->wheelset, place, errors) : 0;
    if (choice->wheelset && body < 0)
        return -1;
    for (int i = body; i < d->body_count; i++) {
        if (d->bodies[i].wheels)
            return i;
        if (choice->wheelset) {
            kane_errors_add_input(errors, KANE_BAD_INPUT, place, "'%s' has no wheels", choice->wheelset);
            return -1;
        }
    }
    kane_errors_add_input(errors, KANE_BAD_INPUT, place, "the vehicle has no wheelset");
    return -1;
}

static void find_remarks(const kane_contact_definition *d, kane_errors *remarks)
{
    for (int side = 0; side < 2; side++) {
        const kane_profile *const profiles[2] = {d->wheel[side], d->rail[side]};
        for (int k = 0; k < 2; k++)
            if (profiles[k]) {
                (void)kane_profile_leans(profiles[k], remarks);
                (void)kane_profile_kinks(profiles[k], APP_KINK, remarks);
            }
    }
}

// The vehicle at rest says what its wheels carry. 0 with an error.
static int take_wheelset(const kane_vehicle_definition *vehicle, int body, const kane_track_definition *like,
                         app_wheelset *w, kane_errors *errors)
{
    kane_drive_definition drive      = kane_drive_definition_default();
    const kane_model_options options = kane_model_options_default();
    drive.start                      = APP_STRAIGHT_MIDDLE;
    kane_track *track                = app_straight_track(vehicle, like, errors);
    kane_model *model                = track ? kane_model_create(vehicle, track, &drive, &options, errors) : NULL;
    if (model && kane_model_wheel_load(model, body, w->load) == KANE_OK) {
        const kane_contact_definition pair =
            kane_wheels_pair(vehicle->bodies[body].wheels, kane_track_get_definition(track));
        w->contact = kane_contact_create(&pair, errors);
        find_remarks(&pair, &w->remarks);
    }
    kane_model_free(model);
    kane_track_free(track);
    return w->contact != NULL;
}

static void open_vehicle(const app_wheelset_choice *choice, const app_texts *settings,
                         const kane_track_definition *like, const char *rails, app_wheelset *w, kane_errors *errors)
{
    const kane_vehicle_options how = {
        .variant = choice->variant, .variant_place = {"--variant", 0, 0, ""}, .settings = settings->texts};
    kane_vehicle *vehicle            = kane_vehicle_read(choice->file, &how, errors);
    const kane_vehicle_definition *d = vehicle ? kane_vehicle_get_definition(vehicle) : NULL;
    const int body                   = d ? find_wheelset(choice, d, errors) : -1;
    if (body >= 0 && take_wheelset(d, body, like, w, errors))
        (void)snprintf(w->title, sizeof w->title, "%s of %s%s%s on %s", d->bodies[body].block.name, d->name,
                       choice->variant ? ", " : "", choice->variant ? choice->variant : "", rails);
    kane_vehicle_free(vehicle);
}

static void open_wheelset(const app_wheelset_choice *choice, const app_texts *of_vehicle, const app_texts *of_track,
                          app_wheelset *w, kane_errors *errors)
{
    kane_track *track                 = choice->track ? kane_track_read(choice->track, of_track->texts, errors) : NULL;
    const kane_track_definition *like = track ? kane_track_get_definition(track) : NULL;
    const int good                    = track || !choice->track;
    if (good && choice->file) {
        open_vehicle(choice, of_vehicle, like, like ? like->name : "straight level track", w, errors);
    } else if (good) {
        const kane_wheels_definition wheels  = kane_wheels_definition_default();
        const kane_track_definition standard = kane_track_definition_default();
        const kane_contact_definition pair   = kane_wheels_pair(&wheels, like ? like : &standard);
        w->contact                           = kane_contact_create(&pair, errors);
        find_remarks(&pair, &w->remarks);
        (void)snprintf(w->title, sizeof w->title, "S1002 on %s", like ? like->name : "60E1 1:40, gauge 1435 mm");
    }
    kane_track_free(track);
}

int app_wheelset_open(const app_wheelset_choice *choice, app_wheelset *w, kane_errors *errors)
{
    app_texts of_vehicle = {0}, of_track = {0};
    kane_arena *arena = kane_arena_create();
    *w                = (app_wheelset){.load = {DEFAULT_LOAD, DEFAULT_LOAD}};
    if (!arena || !sort_settings(arena, &choice->settings, &of_vehicle, &of_track))
        kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    else if ((of_track.count > 0 && !choice->track) || (of_vehicle.count > 0 && !choice->file))
        kane_errors_add(errors, KANE_BAD_INPUT, "--set changes a value of a %s file, but none is given",
                        of_track.count > 0 && !choice->track ? "track" : "vehicle");
    else
        open_wheelset(choice, &of_vehicle, &of_track, w, errors);
    kane_arena_free(arena);
    return w->contact != NULL;
}

void app_wheelset_close(app_wheelset *w)
{
    kane_contact_free(w->contact);
    w->contact = NULL;
}
