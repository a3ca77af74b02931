// SPDX-License-Identifier: MIT
// A wheelset on a track, as the commands that look at their contact choose it.

#ifndef KANE_APPS_WHEELSET_H
#define KANE_APPS_WHEELSET_H

#include "app.h"

// A profile by points that turns by more than this from point to point has a kink there [rad].
#define APP_KINK (10.0 * 3.14159265358979323846 / 180.0)

// What the commands are asked for. Options of a command contain APP_WHEELSET_OPTIONS and hand over what they do not know.
typedef struct app_wheelset_choice {
    const char *file;     // vehicle; NULL: the default wheelset
    const char *wheelset; // by name; NULL: the first one
    const char *variant;  // of the vehicle; NULL: none
    const char *track;    // file; NULL: standard gauge with the default rails
    app_texts settings;
} app_wheelset_choice;

#define APP_WHEELSET_OPTIONS                                                                                           \
    {"set", 's', "PATH=VALUE", 0, "change a value of the vehicle, or of the track if PATH begins with track.", 0},     \
        {"track", 't', "FILE", 0, "track whose rails are taken (default: gauge 1435 mm, 60E1 inclined 1:40)", 0},      \
        {"variant", 'v', "NAME", 0, "variant of the vehicle", 0},                                                      \
    {                                                                                                                  \
        "wheelset", 'w', "NAME", 0, "wheelset of the vehicle (default: the first one)", 0                              \
    }

error_t app_wheelset_parse(int key, char *value, struct argp_state *state, app_wheelset_choice *choice);

typedef struct app_wheelset {
    char title[512]; // who it is and on what it stands
    kane_contact *contact;
    kane_errors remarks; // on profiles by points, with their places
    double load[2];      // static load of its wheels [N]; of the default wheelset 50 kN
} app_wheelset;

// Reads and prepares. 0 with errors filled.
int app_wheelset_open(const app_wheelset_choice *choice, app_wheelset *wheelset, kane_errors *errors);
void app_wheelset_close(app_wheelset *wheelset);

// Straight level track, long enough for every train, with the rails of `like`; start in its middle. Where `like` is NULL
// they are the default rails, round for wheels that are cones.
kane_track *app_straight_track(const kane_vehicle_definition *vehicle, const kane_track_definition *like,
                               kane_errors *errors);
#define APP_STRAIGHT_MIDDLE 1e4 // [m]

#endif
