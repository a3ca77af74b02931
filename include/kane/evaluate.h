// SPDX-License-Identifier: MIT
// What standards ask of a run: forces between wheels and rails and accelerations as EN 14363 and UIC 518 have them,
// comfort by EN 12299 and Sperling, wear. docs/analyses.md defines every quantity and says where its limit comes from.

#ifndef KANE_EVALUATE_H
#define KANE_EVALUATE_H

#include <kane/base.h>
#include <kane/results.h>

KANE_C_BEGIN

// Limits differ by kind of vehicle.
typedef enum kane_vehicle_class {
    KANE_CLASS_COACH, // coaches and multiple units
    KANE_CLASS_LOCOMOTIVE,
    KANE_CLASS_BOGIE_WAGON,
    KANE_CLASS_TWO_AXLE_WAGON,
    KANE_VEHICLE_CLASSES
} kane_vehicle_class;

// "coach", "locomotive", "bogie-wagon", "two-axle-wagon"; NULL beyond.
KANE_API const char *kane_vehicle_class_name(kane_vehicle_class kind);

typedef struct kane_evaluation_options {
    kane_vehicle_class kind;
    double from, to;    // distances travelled between which rows count [m]; infinite: all
    double section;     // length of the sections that are evaluated one by one [m]; 0: all as one
    double static_load; // vertical load of each wheel at rest [N]; NaN: as the manifest of the run says
    double bogie_mass;  // with its wheelsets, for limits of accelerometers on bogie frames [kg]; NaN: they have none
    double running_distance;    // 2b, for cant deficiency [m]
    double axle_box_limit;      // of lateral accelerations on axle boxes and wheelsets [m/s^2]; NaN: they have none
    const char *const *sensors; // accelerometers that are evaluated, NULL-terminated; NULL: those of the manifest
} kane_evaluation_options;

// A coach, all rows, static loads and accelerometers of the manifest.
KANE_API kane_evaluation_options kane_evaluation_options_default(void);

typedef enum kane_assessed { KANE_ASSESSED_WHEEL, KANE_ASSESSED_WHEELSET, KANE_ASSESSED_SENSOR } kane_assessed;

// A quantity that there is a definition of.
typedef struct kane_quantity {
    const char *name;  // "Q_max"
    const char *unit;  // "N"; "1" for a pure number
    const char *about; // a few words
    kane_assessed of;
} kane_quantity;

// All of them; NULL beyond.
KANE_API const kane_quantity *kane_quantity_get(int index);

typedef struct kane_assessment {
    const kane_quantity *quantity;
    const char *of; // wheel "leading.left", wheelset "leading", sensor "floor front"
    double value;   // of several sections the estimated maximum: mean + factor deviation of the sizes
    double limit;   // of its size; NaN: none
    double used;    // size of the value, of Y/Q and unloading the value if it is positive, over limit; NaN without one
    double at;      // distance travelled where it is largest [m]; NaN: over the whole section
    int sections;   // that have it; 0: all rows were evaluated as one
    double mean, deviation, factor; // of the sections' sizes; NaN with fewer than two sections
} kane_assessment;

typedef struct kane_evaluation kane_evaluation;

// Evaluates what the results allow; remarks say what is missing and how to get it, and where a limit or a value does
// not fit. NULL with errors: results that are not of a run along a track, sensors that there are none of, a section
// without rows. What counts in sections is the estimate that EN 14363 makes of the maximum; comfort, wear and lift-offs
// are always those of all rows.
KANE_API kane_evaluation *kane_evaluate(const kane_results *results, const kane_evaluation_options *options,
                                        kane_errors *errors);
KANE_API void kane_evaluation_free(kane_evaluation *evaluation);

KANE_API int kane_evaluation_count(const kane_evaluation *evaluation);
KANE_API const kane_assessment *kane_evaluation_get(const kane_evaluation *evaluation, int index);

// Sentences, without a full stop.
KANE_API int kane_evaluation_note_count(const kane_evaluation *evaluation);
KANE_API const char *kane_evaluation_note(const kane_evaluation *evaluation, int index);

// What was evaluated: from where to where [m], the highest speed there [m/s].
typedef struct kane_evaluated_section {
    double from, to, speed;
    int rows;
} kane_evaluated_section;
KANE_API kane_evaluated_section kane_evaluation_section(const kane_evaluation *evaluation);

// Index of the assessment that uses most of its limit; -1 if none has one.
KANE_API int kane_evaluation_worst(const kane_evaluation *evaluation);

KANE_C_END

#endif
