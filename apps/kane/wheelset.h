// SPDX-License-Identifier: MIT
// A wheelset on a track, as the commands that look at their contact choose it.

#ifndef KANE_APPS_WHEELSET_H
#define KANE_APPS_WHEELSET_H

#include "app.h"

// A profile by points that turns by more than this from point to point has a kink there [rad].
#define APP_KINK (10.0 * 3.14159265358979323846 / 180.0)

// What the commands are asked for.
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

// Of commands whose arguments have an app_wheelset_choice `choice`; their check calls app_wheelset_check.
extern const app_option app_wheelset_options[];
void app_wheelset_check(const app_wheelset_choice *choice, struct argp_state *state);

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
