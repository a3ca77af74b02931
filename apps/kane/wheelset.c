// SPDX-License-Identifier: MIT
// A wheelset on a track, as the commands that look at their contact choose it.

#include "wheelset.h"

#include "base/arena.h"
#include "base/text.h"
#include "run/setup.h"

#include <string.h>

static const double DEFAULT_LOAD = 50e3; // of a wheel [N]

app_wheelset_choice app_wheelset_choice_default(void)
{
    const double none = (double)NAN;
    return (app_wheelset_choice){
        .radius = {none, none}, .flange_back = none, .gauge = none, .inclination = none, .friction = none};
}

static void take_profile(const app_option *o, char *text, void *member, struct argp_state *state)
{
    const char **sides = member;
    if (sides[KANE_RIGHT])
        argp_error(state, "--%s at most twice: left and right", o->name);
    sides[sides[KANE_LEFT] ? KANE_RIGHT : KANE_LEFT] = text;
}

typedef app_wheelset_choice arguments;

const app_option app_wheelset_options[] = {
    {"set", 's', "PATH=VALUE", APP_SETS,
     "change a value of the vehicle, or of the track if PATH begins with \"track.\"", APP_TEXTS(settings)},
    {"track", 't', "FILE", 0, "track whose rails are taken", APP_TEXT(track)},
    {"variant", 'v', "NAME", 0, "variant of the vehicle", APP_TEXT(variant)},
    {"wheelset", 'w', "NAME", 0, "wheelset of the vehicle (default: the first one)", APP_TEXT(wheelset)},
    {"wheel", 0, "PROFILE", APP_ADDS,
     "without a vehicle: profile of the wheels, S1002 (default), a file, or KEY=VALUE,... as in a file's \"profiles\" (cone=1:40); left and right may differ",
     APP_INTO(take_profile, wheel)},
    {"radius", 0, "M", APP_LIST,
     "without a vehicle: of the running circles [m] (default 0.46); left and right may differ",
     APP_SIDES(radius, "radius", "m")},
    {"flange-back", 0, "M", 0, "without a vehicle: distance of the flange backs [m] (default 1.36)",
     APP_POSITIVE(flange_back, "distance of the flange backs", "m")},
    {"rail", 0, "PROFILE", APP_ADDS,
     "without a track: profile of the rails as --wheel (default 60E1; round=0.3 under wheels that are cones)",
     APP_INTO(take_profile, rail)},
    {"gauge", 0, "M", 0, "without a track: gauge [m] (default 1.435)", APP_POSITIVE(gauge, "gauge", "m")},
    {"inclination", 0, "X", 0, "without a track: of the rails (default 1:40)", APP_QUANTITY(inclination, "1")},
    {0},
};

static int has_wheels(const app_wheelset_choice *c)
{
    return c->wheel[0] || !isnan(c->radius[0]) || !isnan(c->flange_back);
}

static int has_rails(const app_wheelset_choice *c)
{
    return c->rail[0] || !isnan(c->gauge) || !isnan(c->inclination);
}

void app_wheelset_check(const app_wheelset_choice *c, struct argp_state *state)
{
    if (!c->file && (c->wheelset || c->variant))
        argp_error(state, "a wheelset or a variant of which vehicle?");
    if (c->file && has_wheels(c))
        argp_error(state,
                   "--wheel, --radius and --flange-back describe a wheelset without a vehicle; what %s has is "
                   "changed by --set",
                   c->file);
    if (c->track && has_rails(c))
        argp_error(state,
                   "--rail, --gauge and --inclination describe rails without a track; what %s has is changed by "
                   "--set track.PATH=VALUE",
                   c->track);
}

// --- rails ---

kane_track_definition app_usual_rails(const kane_profile *wheel, kane_profile *round)
{
    kane_track_definition rails = kane_track_definition_default();
    rails.name                  = "straight level track";
    *round                      = kane_profile_round(0.3);
    if (wheel && wheel->shape == KANE_SHAPE_CONE)
        rails.rail[0] = round;
    return rails;
}

const kane_profile *app_cone_of(const kane_vehicle_definition *vehicle)
{
    for (int i = 0; i < vehicle->body_count; i++)
        if (vehicle->bodies[i].wheels && vehicle->bodies[i].wheels->profile[0]->shape == KANE_SHAPE_CONE)
            return vehicle->bodies[i].wheels->profile[0];
    return NULL;
}

kane_track *app_straight_track(const kane_track_definition *rails, kane_errors *errors)
{
    const kane_section_definition straight = {.kind = KANE_STRAIGHT, .length = 2.0 * APP_STRAIGHT_MIDDLE};
    kane_track_definition track            = kane_track_definition_default();
    track.name                             = rails->name;
    track.gauge                            = rails->gauge;
    track.running_distance                 = rails->running_distance;
    track.gauge_height                     = rails->gauge_height;
    track.rail[0]                          = rails->rail[0];
    track.rail[1]                          = rails->rail[1];
    track.inclination                      = rails->inclination;
    track.friction                         = rails->friction;
    track.section_count                    = 1;
    track.sections                         = &straight;
    return kane_track_create(&track, errors);
}

// What was read and what for; profiles that were typed live in the arena.
typedef struct opening {
    const app_wheelset_choice *choice;
    kane_arena *arena;
    kane_track *track;   // of the file; NULL: there is none
    kane_profile round;  //
    kane_errors *errors; //
} opening;

// Profiles that were typed, into those of both sides, of which the left one has a default. 0 with errors.
static int take_profiles(const opening *o, const char *option, const char *const typed[2], kane_profile_kind kind,
                         const kane_profile *sides[2])
{
    for (int side = 0; side < 2; side++)
        if (typed[side])
            sides[side] = app_profile_take(o->arena, option, typed[side], kind, o->errors);
    return sides[0] && (sides[1] || !typed[1]);
}

// Rails of the file, or as the options say, under such wheels. 0 with errors.
static int take_rails(opening *o, const kane_profile *wheel, kane_track_definition *rails)
{
    const app_wheelset_choice *c = o->choice;
    *rails                       = o->track ? *kane_track_get_definition(o->track) : app_usual_rails(wheel, &o->round);
    int good                     = 1;
    if (c->rail[0]) {
        rails->rail[1] = NULL;
        good           = take_profiles(o, "rail", c->rail, KANE_PROFILE_RAIL, rails->rail);
    }
    if (!isnan(c->gauge)) { // the running circles are as far outside of it as usual
        rails->running_distance += c->gauge - rails->gauge;
        rails->gauge = c->gauge;
    }
    if (!isnan(c->inclination))
        rails->inclination = c->inclination;
    if (!isnan(c->friction))
        rails->friction = c->friction;
    return good;
}

// --- wheelset ---

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
                (void)kane_profile_left_out(profiles[k], remarks);
                (void)kane_profile_leans(profiles[k], remarks);
                (void)kane_profile_kinks(profiles[k], APP_KINK, remarks);
            }
    }
}

static void take_contact(const opening *o, const kane_wheels_definition *wheels, const kane_track_definition *rails,
                         app_wheelset *w)
{
    kane_contact_definition pair = kane_wheels_pair(wheels, rails);
    kane_tables *tables = pair.tables = app_tables();
    w->contact                        = kane_contact_create(&pair, o->errors);
    kane_tables_free(tables); // the contact has its share
    find_remarks(&pair, &w->remarks);
}

// The vehicle at rest says what its wheels carry. 0 with an error.
static int take_load(const kane_vehicle_definition *vehicle, int body, const kane_track_definition *rails,
                     double load[2], kane_errors *errors)
{
    kane_drive_definition drive      = kane_drive_definition_default();
    const kane_model_options options = kane_model_options_default();
    drive.start                      = APP_STRAIGHT_MIDDLE;
    kane_track *track                = app_straight_track(rails, errors);
    kane_model *model                = track ? kane_model_create(vehicle, track, &drive, &options, errors) : NULL;
    const int good                   = model && kane_model_wheel_load(model, body, load) == KANE_OK;
    kane_model_free(model);
    kane_track_free(track);
    return good;
}

static void open_vehicle(opening *o, const app_texts *settings, app_wheelset *w)
{
    const app_wheelset_choice *c   = o->choice;
    const kane_vehicle_options how = {
        .variant = c->variant, .variant_place = {"--variant", 0, 0, ""}, .settings = settings->texts};
    kane_vehicle *vehicle            = kane_vehicle_read(c->file, &how, o->errors);
    const kane_vehicle_definition *d = vehicle ? kane_vehicle_get_definition(vehicle) : NULL;
    const int body                   = d ? find_wheelset(c, d, o->errors) : -1;
    kane_track_definition rails;
    if (body >= 0 && take_rails(o, app_cone_of(d), &rails) && take_load(d, body, &rails, w->load, o->errors)) {
        take_contact(o, d->bodies[body].wheels, &rails, w);
        (void)snprintf(w->title, sizeof w->title, "%s of %s%s%s on %s", d->bodies[body].block.name, d->name,
                       c->variant ? ", " : "", c->variant ? c->variant : "", rails.name);
    }
    kane_vehicle_free(vehicle);
}

static void open_wheels(opening *o, app_wheelset *w)
{
    const app_wheelset_choice *c  = o->choice;
    kane_wheels_definition wheels = kane_wheels_definition_default();
    kane_track_definition rails;
    char on[256];
    for (int side = 0; side < 2; side++)
        if (!isnan(c->radius[side]))
            wheels.radius[side] = c->radius[side];
    if (!isnan(c->flange_back))
        wheels.flange_back = c->flange_back;
    const int good = take_profiles(o, "wheel", c->wheel, KANE_PROFILE_WHEEL, wheels.profile);
    if (!take_rails(o, wheels.profile[0], &rails) || !good)
        return;
    kane_track *checked = app_straight_track(&rails, o->errors);
    kane_track_free(checked);
    if (!checked)
        return;
    take_contact(o, &wheels, &rails, w);
    if (o->track)
        (void)snprintf(on, sizeof on, "%s", rails.name);
    else
        (void)snprintf(on, sizeof on, "%s, inclination %g, gauge %g mm", rails.rail[0]->name, rails.inclination,
                       1e3 * rails.gauge);
    (void)snprintf(w->title, sizeof w->title, "%s on %s", wheels.profile[0]->name, on);
}

static void open_both(opening *o, const app_texts *of_vehicle, const app_texts *of_track, app_wheelset *w)
{
    if (o->choice->track) {
        o->track = kane_track_read(o->choice->track, of_track->texts, o->errors);
        if (!o->track)
            return;
    }
    if (o->choice->file)
        open_vehicle(o, of_vehicle, w);
    else
        open_wheels(o, w);
}

int app_wheelset_open(const app_wheelset_choice *choice, app_wheelset *w, kane_errors *errors)
{
    app_texts of_vehicle = {0}, of_track = {0};
    kane_arena *arena = kane_arena_create();
    opening o         = {.choice = choice, .arena = arena, .errors = errors};
    *w                = (app_wheelset){.load = {DEFAULT_LOAD, DEFAULT_LOAD}};
    if (!arena || !sort_settings(arena, &choice->settings, &of_vehicle, &of_track))
        (void)kane_no_memory(errors);
    else if ((of_track.count > 0 && !choice->track) || (of_vehicle.count > 0 && !choice->file))
        kane_errors_add(errors, KANE_BAD_INPUT, "--set changes a value of a %s file, but none is given",
                        of_track.count > 0 && !choice->track ? "track" : "vehicle");
    else
        open_both(&o, &of_vehicle, &of_track, w);
    kane_track_free(o.track);
    kane_arena_free(arena);
    return w->contact != NULL;
}

void app_wheelset_close(app_wheelset *w)
{
    kane_contact_free(w->contact);
    kane_errors_free(&w->remarks);
    w->contact = NULL;
}
