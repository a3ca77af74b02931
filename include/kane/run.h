// SPDX-License-Identifier: MIT
// Runs: which vehicle on which track, how fast, or which mechanism; for how long, what is recorded. From a run file or
// from C.

#ifndef KANE_RUN_H
#define KANE_RUN_H

#include <kane/base.h>
#include <kane/model.h>
#include <kane/results.h>
#include <kane/simulate.h>
#include <kane/track.h>

KANE_C_BEGIN

// What is recorded.
typedef struct kane_output_definition {
    double every; // between two rows [s]
    int pattern_count;
    const char *const *patterns; // of channels, e.g. "body.*"
    const kane_place *places;    // where they were typed; NULL: nowhere
    kane_file_format format;
    int is_plain; // 1: HDF5 is not compressed
} kane_output_definition;

// A run in full; plain data. From a file it can be copied and changed before it is used.
typedef struct kane_run_definition {
    const char *file, *vehicle_file, *track_file; // as they were opened, "" if there is none
    const char *const *vehicle_parts;             // of a train the files of its vehicles, NULL-terminated; NULL: none
    const char *speed_file;                       // of speed limits, NULL: none
    const char *variant;                          // of the vehicle, train or mechanism, NULL: none
    const char *const *changes;                   // settings "PATH=VALUE" that the files were read with; NULL: none
    const kane_vehicle_definition *vehicle;       // or a mechanism
    const kane_track *track;                      // NULL: of a mechanism
    kane_drive_definition drive;
    kane_model_options model;
    kane_settings settings;
    kane_conditions conditions;
    kane_output_definition output;
    const char *method_reason; // why the method is not that of smooth rails, without a choice in the file; NULL: it is
    int check_modes;           // 1: kane_run_to_files looks for modes that grow
    const char
        *from_state; // state file from which it continues instead of its start (kane/state.h), as opened; NULL: none
    const char *save_state; // file that its last state is written to, however it ends but by a failure; NULL: none
} kane_run_definition;

typedef struct kane_run kane_run; // a run file in memory

typedef struct kane_run_options {
    // "PATH=VALUE", NULL-terminated; NULL: none. Paths into the vehicle or train begin with "vehicle." (into a train
    // with "train." too, and into the file of one of its vehicles with "vehicle.vehicles.NAME.file."), into a mechanism
    // with "mechanism.", into the track with "track."; all others are of the run file.
    const char *const *settings;
    const char *const *omit;                 // further omissions BODY:KIND.TERM.AXIS, NULL-terminated; NULL: none
    const kane_law *const *laws;             // force laws beside libkane's own, NULL-terminated; NULL: none
    const kane_rows_kind *const *rows;       // kinds of rows for user-defined constraints, NULL-terminated; NULL: none
    const kane_joint_formula *const *joints; // user-defined joints, NULL-terminated; NULL: none
    kane_tables *tables;                     // for the definition's model.tables, shared by many models; NULL: none
    int is_comparison; // 1: the default method and tolerances are those of smooth rails on rough ones, too, so that the
                       // integration does not cover differences of runs
} kane_run_options;

// Reads a run file with its vehicle (or train) and track, or its mechanism. NULL with all errors of all files.
KANE_API kane_run *kane_run_read(const char *file, const kane_run_options *options, kane_errors *errors);
KANE_API void kane_run_free(kane_run *run);

// Valid as long as the run.
KANE_API const kane_run_definition *kane_run_get_definition(const kane_run *run);

// Model and simulation of a run's definition without changes: kane_model_create and kane_simulation_create in one call,
// for bindings of other languages. The run must outlive the model, the model the simulation. NULL with errors filled.
KANE_API kane_model *kane_run_create_model(const kane_run *run, kane_errors *errors);
KANE_API kane_simulation *kane_run_create_simulation(const kane_run *run, const kane_model *model, kane_errors *errors);

// How far a run is.
typedef struct kane_progress {
    double time;     // [s]
    double distance; // [m]; 0 without a track
    double done;     // fraction, 0 .. 1; NaN if the end is not known
} kane_progress;

// How late the rows of a run were that holds the wall clock, each against the moment when its time has gone by.
typedef struct kane_lateness {
    long rows;            // that were waited for; 0: the run did not hold the clock
    double median, worst; // [s]
    long missed;          // rows that were late by more than the time between two rows
} kane_lateness;

// Whether a derailment is one of the vehicle, not of the integration: the last seconds again with tolerances of a
// tenth, or steps of half the length where there are none.
typedef enum kane_confirmation {
    KANE_NOT_TRIED,     // no derailment, not requested, or it was interrupted
    KANE_CONFIRMED,     // it derails then, too
    KANE_NOT_CONFIRMED, // it does not, or fails: what ended the run may be numerical
} kane_confirmation;

// A steady stretch of the line, straight or with one curvature and one cant, without irregularities, in which a vehicle
// that stands still in its equilibrium would not stay there: a mode grows; or in which no equilibrium was found.
typedef struct kane_growing {
    double from, to;                         // chainage of the guide while a whole vehicle is in it [m]
    double speed, curvature, superelevation; // the highest speed there [m/s], [1/m], [m]
    int modes;                               // that grow; 0: no equilibrium was found. Of the one that grows fastest:
    double frequency, growth;                // [Hz], real part of its eigenvalue [1/s]
    double step;                             // of the integrator there, on average [s]
    double integrated;                       // growth that its method leaves in such steps (kane_method_growth) [1/s]
    double longest;                          // step up to which it leaves half of the growth (kane_method_step) [s]
    char body[96];                           // has most of its kinetic energy; "" without an equilibrium
    char name[160];                          // of the mode
    char text[600];                          // all that in words, what shows it, or why there is no equilibrium
} kane_growing;

// In all stretches that a run was in for a second or longer. Of several with the same curvature, cant and speed the
// first one is analysed.
enum { KANE_GROWING_MOST = 2 };
typedef struct kane_growth {
    int checked,
        count; // stretches that were examined, and those where something was found: here where modes grow fastest
    // The lowest frequency of what swings in one of them and decays, less by itself than by the method in the steps
    // that it took there; 0: none. Swings as fast as that are damped away, not followed [Hz]
    double damped_from;
    kane_growing stretch[KANE_GROWING_MOST]; // [count or KANE_GROWING_MOST, which is less]
} kane_growth;

// What became of a run.
typedef struct kane_outcome {
    kane_status status; // KANE_OK: it ended by a condition
    kane_stop stop;
    char subject[96]; // what stopped it, "" if nothing in particular
    char detail
        [400]; // of a derailment: how large the last step was, how wrong it may have been, whether it was confirmed; else ""
    kane_confirmation confirmed;
    kane_start_kind start;
    char unbalanced[512]; // of KANE_START_UNBALANCED: why there is no equilibrium, else ""
    char rough
        [256]; // of a start that hits irregular rails: which wheel, and how (kane_simulation_start_is_rough), else ""
    double time, distance;
    long rows;   // written
    double wall; // [s]
    kane_lateness lateness;
    kane_statistics statistics;
    // largest impulses that omissions have left out at kinks of the line [N s], [N m s], and their terms; 0, "": none
    double omitted_impulse[KANE_WRENCH_KINDS];
    char omitted_term[KANE_WRENCH_KINDS][128];
    kane_growth growth; // modes that grow, of a run whose definition wants them checked
} kane_outcome;

typedef struct kane_execution {
    const char *directory; // results.h5 (or .csv), manifest.json and status.json are written here; it is created, and
                           // what an earlier run has left in it is replaced
    // called now and then; returning not 0 ends the run with KANE_INTERRUPTED. NULL: none
    int (*progress)(const kane_progress *progress, void *data);
    void *data;
    int real_time; // 1: holds the wall clock: no row comes before its time has gone by since the run began (kane_lateness)
    int confirm; // 1: a derailment is confirmed before it is reported; a state is kept every 10 s for that
} kane_execution;

// Carries out a run and writes its results. A run that fails keeps what it has reached; status.json says so. Returns
// the status that is in the outcome too; KANE_IN_USE if another run is writing into the directory.
KANE_API kane_status kane_run_to_files(const kane_run_definition *run, const kane_execution *execution,
                                       kane_outcome *outcome, kane_errors *errors);

// Carries out a run in memory: time, distance (on a track) and the channels that match the patterns, whatever the run's
// own output says but for its interval, with the manifest. A run that fails keeps what it has reached; then
// outcome->status and errors say why. NULL if there is nothing at all.
KANE_API kane_results *kane_run_to_memory(const kane_run_definition *run, int pattern_count,
                                          const char *const *patterns, kane_outcome *outcome, kane_errors *errors);

KANE_C_END

#endif
