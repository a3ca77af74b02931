// SPDX-License-Identifier: MIT
// An evaluation to the standards while it goes on.

#ifndef KANE_EVALUATE_STANDARD_H
#define KANE_EVALUATE_STANDARD_H

#include <kane/evaluate.h>
#include <kane/report.h>
#include <kane/signal.h>

#include "base/arena.h"
#include "base/json.h"

#include <math.h>

// === Sections of a line: stretches with one radius, one cant and one cant deficiency, each within a tolerance.

// Rows of a run along a line. NULL: not recorded, the line counts as straight or level.
typedef struct kane_line_rows {
    int count;
    const double *s;              // distance travelled [m], does not go back
    const double *curvature;      // positive to the left [1/m]
    const double *superelevation; // right rail over left one [m]
    const double *speed;          // [m/s]
    double running_distance;      // 2b [m]
} kane_line_rows;

// What a row, or the mean of a section, has of the line.
typedef struct kane_line_value {
    double curvature, superelevation; // [1/m], [m]
    double deficiency;                // 2b v^2 |k|/g less the cant of the outer rail; 0: tangent [m]
} kane_line_value;

// 1: a curve to the left, -1: to the right, 0: tangent (radius above 5000 m).
int kane_line_hand(double curvature);

kane_line_value kane_line_at(const kane_line_rows *rows, int row);

// Whether two values are of one kind of curve: to one hand, differing by no more than kane_section_tolerance_get
// allows.
int kane_line_is_same(const kane_line_value *a, const kane_line_value *b);

// The spread of a stretch grows by a value.
kane_line_range kane_line_range_start(void);
void kane_line_range_add(kane_line_range *range, const kane_line_value *value);

// A section that begins at row `first`, `length` [m] long and not beyond `to` [m].
typedef struct kane_section {
    int first, last; // rows
    int hand;
    kane_line_value mean;
    kane_line_range range;
    double speed; // mean [m/s]
} kane_section;

// KANE_SECTION_WHOLE, or why no section begins there; then *section is not set.
kane_section_fault kane_section_find(const kane_line_rows *rows, int first, double length, double to,
                                     kane_section *section);

// The next row at which a section may begin: a metre on.
int kane_section_next(const kane_line_rows *rows, int row);

// Adds the stretch from row to row `next` to a list, or to its last one if that is its beginning. Its rows are in the
// arena, `room` of them. 0 without memory.
typedef struct kane_left_out_list {
    kane_arena *arena;
    int count, room;
    kane_left_out_stretch *stretches;
} kane_left_out_list;
int kane_left_out_add(kane_left_out_list *list, const kane_line_rows *rows, int run, kane_section_fault fault, int row,
                      int next);

// "the cant changes (60 mm to 120 mm)"
void kane_left_out_format(const kane_left_out_stretch *stretch, size_t size, char *text);

// "curvatures spread by no more than 4 % of their mean, ..."
void kane_section_tolerance_format(double running_distance, size_t size, char *text);

struct kane_evaluation {
    kane_arena *arena;
    int count, room;
    kane_assessment *rows;
    int remark_count, remark_room;
    const char **remarks;
    kane_evaluated_section section;
};

typedef enum kane_quantity_id {
    KANE_Q_MAX,
    KANE_Q_QST,
    KANE_UNLOADING,
    KANE_LIFT_OFFS,
    KANE_Y_MAX,
    KANE_Y_QST,
    KANE_Y_OVER_Q,
    KANE_WEAR_MEAN,
    KANE_WEAR_MAX,
    KANE_WEAR_SHARE,
    KANE_SUM_Y,
    KANE_INSTABILITY,
    KANE_ACC_Y_MAX,
    KANE_ACC_Z_MAX,
    KANE_ACC_Y_RMS,
    KANE_ACC_Z_RMS,
    KANE_ACC_Y_QST,
    KANE_COMFORT,
    KANE_SPERLING_Y,
    KANE_SPERLING_Z,
    KANE_FRAME_Y_MAX,
    KANE_FRAME_Y_RMS,
    KANE_BOX_Y_MAX,
    KANE_BOX_Y_RMS,
    KANE_QUANTITIES
} kane_quantity_id;

// Channels that many wheels may lack; wheels that lack them are reported once.
typedef enum kane_wheel_channel { KANE_WHEEL_Q, KANE_WHEEL_Y, KANE_WHEEL_WEAR, KANE_WHEEL_CHANNELS } kane_wheel_channel;

// Where an accelerometer is.
typedef enum kane_sensor_place { KANE_SENSOR_ON_CAR, KANE_SENSOR_ON_FRAME, KANE_SENSOR_ON_BOX } kane_sensor_place;

typedef struct kane_standing {
    const char *name;
    double load[2]; // static vertical loads of the wheels, left and right [N]; NaN: not known
} kane_standing;

// Rows behind filters, which sections of the same results share: each channel goes once through each filter.
typedef struct kane_filtered_rows {
    const char *channel;
    double low, high; // corners [Hz]; low 0: a low-pass
    const double *x;
    struct kane_filtered_rows *next;
} kane_filtered_rows;

typedef struct kane_filtered {
    kane_arena *arena;
    int count;        // of each; 0: nothing is kept yet
    int is_resampled; // 1: they are not the rows of the results
    kane_filtered_rows *first;
} kane_filtered;

enum { KANE_CURVES_MOST = 32, KANE_LEFT_OUT_TOLD = 12 };

// Rows in full curves of one kind: one radius, one cant, one cant deficiency.
typedef struct kane_curve {
    kane_line_value value; // of its first row
    double from;           // distance travelled of that [m]
    double length;         // of all its rows [m]
    int rows;
} kane_curve;

// Rows of all channels at even moments; those of the section are begin .. end - 1.
typedef struct kane_examination {
    const kane_results *results;
    const kane_evaluation_options *options;
    kane_evaluation *out;
    kane_errors *errors;
    kane_arena *kept;        // as long as the examination
    kane_arena *scratch;     // of one wheelset or sensor
    int failed;              // 1: memory is short
    kane_filtered *filtered; // NULL: nothing is kept
    int is_section;          // 1: what is of whole runs is left out

    int wheelset_count;
    kane_standing *wheelsets;
    const kane_node *manifest; // NULL: none that can be read
    int sensor_count;
    const char **sensors;
    char *place; // [sensor_count] kane_sensor_place: whose limits count

    const double *time; // of the rows as they are [s]
    kane_sampling sampling;
    const double *s; // distance travelled [m]
    int begin, end;
    const signed char
        *curve_of;   // [count] index of a row's kind of full curve, -1: in none; NULL: the line is not known
    int curve_count; // kinds of full curves in the section
    kane_curve curves[KANE_CURVES_MOST];
    int missing[KANE_WHEEL_CHANNELS], unknown_loads;
} kane_examination;

// --- what there is to evaluate (standard_find.c); 0 with errors ---

int kane_examine_find(kane_examination *e);

// --- rows (standard_rows.c) ---

// Samples of a channel, in scratch memory; NULL if there is none of that name (nothing is said) or memory is short.
double *kane_examine_rows(kane_examination *e, const char *channel);

// Filters of the standards, both ways, so that nothing is shifted: those that measures call "zero phase". channel:
// whose rows x are, always the same ones (NULL: of none, nothing is kept). 0 with a remark about `what`.
int kane_examine_low_pass(kane_examination *e, double corner, const char *channel, double *x, const char *what);
int kane_examine_band_pass(kane_examination *e, double low, double high, const char *channel, double *x,
                           const char *what);

// Percentile of n values, which stay in their order; NaN of none.
double kane_examine_percentile(kane_examination *e, int n, const double *x, double percent);

// Adds the quasi-static value of all rows x: their median in that kind of full curve in which its size is largest, and
// where this curve begins if there are several. Nothing without a full curve.
void kane_examine_add_quasi_static(kane_examination *e, kane_quantity_id id, const char *of, const double *x,
                                   double limit);

int kane_examine_largest(int n, const double *x);      // index of the largest value
int kane_examine_largest_size(int n, const double *x); // of the largest size

void kane_examine_add(kane_examination *e, kane_quantity_id id, const char *of, double value, double limit, double at);
void kane_examine_note(kane_examination *e, const char *format, ...) KANE_PRINTF(2, 3);

// What an error of a signal says, as a remark about `what`.
void kane_examine_format(kane_examination *e, const char *what, const kane_errors *why);

// --- what is evaluated ---

void kane_examine_wheelset(kane_examination *e, const kane_standing *wheelset);             // standard_wheels.c
void kane_examine_sensor(kane_examination *e, const char *sensor, kane_sensor_place place); // standard_sensors.c

// Instability of x [rows], which is overwritten: the largest rms over 100 m in the band around its strongest frequency.
void kane_examine_instability(kane_examination *e, kane_quantity_id id, const char *of, double *x, double limit);

// Section by section (standard_sections.c): `all` is the evaluation of all rows as one, whose values become estimates.
// 0 with errors.
int kane_examine_sections(kane_evaluation *all, const kane_results *results, const kane_evaluation_options *options,
                          kane_filtered *filtered, kane_errors *errors);

// All rows as one; as a section of results that `filtered` knows, or not (is_section 0). filtered: NULL, or empty
// before the first call; it must see the same results and options but for `from` and `to`.
kane_evaluation *kane_examine_all(const kane_results *results, const kane_evaluation_options *options,
                                  kane_filtered *filtered, int is_section, kane_errors *errors);

// Adds a remark that is not there yet; *failed becomes 1 where memory is short.
void kane_evaluation_note_add(kane_evaluation *evaluation, const char *remark, int *failed);

// --- limits (standard_limits.c) ---

// What counts of a value against its limit: its size, of Y/Q (outward) and unloading the value.
double kane_limit_size(kane_quantity_id id, double value);

// The factor k of the estimate x + k s of the maximum from sections; NaN of what is not evaluated by sections.
double kane_limit_factor(kane_quantity_id id);

double kane_limit_Q(double static_load, double speed);                     // [N] of [N], [m/s]
double kane_limit_frame(double bogie_mass);                                // [m/s^2] of [kg]
double kane_limit_sum_Y(kane_vehicle_class kind, double static_axle_load); // [N] of [N]
double kane_limit_of(kane_quantity_id id, kane_vehicle_class kind); // those that depend on nothing else; NaN: none

// === A report while it is made.

enum { KANE_REPORT_RUNS_MOST = 64 };

typedef struct kane_report_run {
    const kane_results *results;
    const char *name;
    kane_evaluation *whole;
    kane_filtered filtered;
    const double *s, *curvature, *superelevation, *speed; // columns of the results
    int rows;
} kane_report_run;

struct kane_report {
    kane_arena *arena;
    kane_report_options options;
    int run_count;
    kane_report_run runs[KANE_REPORT_RUNS_MOST];
    int section_count, section_room;
    kane_report_section *sections;
    kane_left_out_list left_out;
    int row_count;
    kane_report_row *rows;
    int remark_count, remark_room;
    const char **remarks;
};

// Adds the sections of one run (report_sections.c). 0 without memory.
int kane_report_find_sections(kane_report *report, int run);

#endif
