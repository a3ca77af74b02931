// SPDX-License-Identifier: MIT
// A wheelset on a track, as the commands that look at their contact choose it.

#ifndef KANE_APPS_WHEELSET_H
#define KANE_APPS_WHEELSET_H

#include "app.h"

// A profile by points that turns by more than this from point to point has a kink there [rad].
#define APP_KINK (10.0 * 3.14159265358979323846 / 180.0)

// What the commands are asked for. Options of a command contain APP_WHEELSET_OPTIONS and hand over what they do not
// know.
typedef struct app_wheelset_choice {
    const char *file;     // vehicle; NULL: the wheelset that options describe
    const char *wheelset; // by name; NULL: the first one
    const char *variant;  // of the vehicle; NULL: none
    const char *track;    // file; NULL: the rails that options describe
    app_texts settings;

    // as typed, left and right; NULL: not given, on the right: as on the left
    const char *wheel[2], *rail[2];

    // [m], [1]; NaN: not given
    double radius[2], flange_back, gauge, inclination, friction;
} app_wheelset_choice;

app_wheelset_choice app_wheelset_choice_default(void);

enum {
    APP_WHEELSET_WHEEL = 1000,
    APP_WHEELSET_RAIL,
    APP_WHEELSET_RADIUS,
    APP_WHEELSET_FLANGE_BACK,
    APP_WHEELSET_GAUGE,
    APP_WHEELSET_INCLINATION
};

#define APP_WHEELSET_OPTIONS                                                                                           \
    {"set",                                                                                                            \
     's',                                                                                                              \
     "PATH=VALUE",                                                                                                     \
     APP_SETS,                                                                                                         \
     "change a value of the vehicle, or of the track if PATH begins with \"track.\"",                                  \
     0},                                                                                                               \
        {"track", 't', "FILE", 0, "track whose rails are taken", 0},                                                   \
        {"variant", 'v', "NAME", 0, "variant of the vehicle", 0},                                                      \
        {"wheelset", 'w', "NAME", 0, "wheelset of the vehicle (default: the first one)", 0},                           \
        {"wheel",                                                                                                      \
         APP_WHEELSET_WHEEL,                                                                                           \
         "PROFILE",                                                                                                    \
         APP_ADDS,                                                                                                     \
         "without a vehicle: profile of the wheels, S1002 (default), a file, or KEY=VALUE,... as in a file's "         \
         "\"profiles\" (cone=1:40); left and right may differ",                                                        \
         0},                                                                                                           \
        {"radius",                                                                                                     \
         APP_WHEELSET_RADIUS,                                                                                          \
         "M",                                                                                                          \
         APP_LIST,                                                                                                     \
         "without a vehicle: of the running circles [m] (default 0.46); left and right may differ",                    \
         0},                                                                                                           \
        {"flange-back",                                                                                                \
         APP_WHEELSET_FLANGE_BACK,                                                                                     \
         "M",                                                                                                          \
         0,                                                                                                            \
         "without a vehicle: distance of the flange backs [m] (default 1.36)",                                         \
         0},                                                                                                           \
        {"rail",                                                                                                       \
         APP_WHEELSET_RAIL,                                                                                            \
         "PROFILE",                                                                                                    \
         APP_ADDS,                                                                                                     \
         "without a track: profile of the rails as --wheel (default 60E1; round=0.3 under wheels that are cones)",     \
         0},                                                                                                           \
        {"gauge", APP_WHEELSET_GAUGE, "M", 0, "without a track: gauge [m] (default 1.435)", 0},                        \
    {                                                                                                                  \
        "inclination", APP_WHEELSET_INCLINATION, "X", 0, "without a track: of the rails (default 1:40)", 0             \
    }

error_t app_wheelset_parse(int key, char *value, struct argp_state *state, app_wheelset_choice *choice);

// Fills the left value that an option gives, or the right one where it is given again.
void app_take_side(double sides[2], double value, const char *option, struct argp_state *state);

typedef struct app_wheelset {
    char title[512]; // who it is and on what it stands
    kane_contact *contact;
    kane_errors remarks; // on profiles by points, with their places
    double load[2];      // static load of its wheels [N]; without a vehicle 50 kN
} app_wheelset;

// Reads and prepares. 0 with errors filled.
int app_wheelset_open(const app_wheelset_choice *choice, app_wheelset *wheelset, kane_errors *errors);
void app_wheelset_close(app_wheelset *wheelset);

// Straight level track, long enough for every train, with rails like these; start in its middle.
kane_track *app_straight_track(const kane_track_definition *rails, kane_errors *errors);
#define APP_STRAIGHT_MIDDLE 1e4 // [m]

// Default rails: 60E1, round under wheels that are cones. *round is used then.
kane_track_definition app_usual_rails(const kane_profile *wheel, kane_profile *round);

// A wheel of the vehicle that is a cone; NULL if none is.
const kane_profile *app_cone_of(const kane_vehicle_definition *vehicle);

// === How a wheelset stands at one shift after the other: what kane contact tabulates and draws.

// What rails do to a wheel that rolls.
typedef struct contact_wheel {
    double xi_x, xi_y, phi; // creepages of the patch that carries most [1], [1], [1/m]
    double T_x, T_y, M_z;   // its creep forces on the wheel [N], [N], [N m]
    double along, Y, Q;     // of all patches: along the track on the wheel, and on the rail to the left and down [N]
} contact_wheel;

// Of one shift. What could not be found is NaN.
typedef struct contact_row {
    kane_wheelset_position rigid, elastic;
    double omega;                  // of the wheelset that rolls under load [rad/s]
    contact_wheel wheel[2];        //
    kane_wheelset_position tables; // by the rigid contact functions on which vehicles run with "model": "table"
} contact_row;

// How the wheelset is held in all rows.
typedef struct contact_hold {
    double yaw;     // [rad]
    double load[2]; // of the wheels [N]
    int is_normal;  // 1: load is their normal force, 0: it is vertical
    double speed;   // [m/s]
} contact_hold;

typedef struct contact_rows {
    int count;
    contact_row *rows;
} contact_rows;

// Shifts are the multiples of step [m] from -reach to reach [m] at which both wheels stand on their rails; guide NULL:
// these wheels and rails have no tables. 0 if there is no memory.
int contact_rows_fill(contact_rows *rows, const kane_contact *contact, const kane_wheelset_table *guide, double reach,
                      double step, const contact_hold *hold);
void contact_rows_clear(contact_rows *rows);

// The picture: profiles and where they touch, then curves over the shift.
typedef struct contact_picture {
    const app_wheelset *wheelset;
    const contact_rows *rows;
    const contact_hold *hold;
    const kane_table *table; // of the rows
} contact_picture;
int contact_draw(kane_figure *figure, const void *picture, kane_errors *errors);

#endif
