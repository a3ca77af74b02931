// SPDX-License-Identifier: MIT
// Nonlinear stability: the limit cycles of a vehicle on endless straight or curved track, followed over speed, and the
// speed below which there are none. docs/analyses.md explains the method, and how to read the results.

#ifndef KANE_CRITICAL_H
#define KANE_CRITICAL_H

#include <kane/base.h>
#include <kane/run.h>

KANE_C_BEGIN

// What becomes of motion at one speed.
typedef enum kane_motion {
    KANE_MOTION_OPEN,     // none of the others: it continues, but is not periodic
    KANE_MOTION_GROWING,  // still grows after the longest time that was waited
    KANE_MOTION_DECAYING, // still decays then
    KANE_MOTION_DIED,     // the vehicle comes to its equilibrium
    KANE_MOTION_SETTLED,  // a limit cycle: it repeats itself
    KANE_MOTION_DERAILED
} kane_motion;

// "not settled", "growing", "decaying", "died", "settled", "derailed"
KANE_API const char *kane_motion_name(kane_motion motion);

// Rules by which motion is judged. Amplitude: half peak to peak of a wheelset's lateral displacement.
typedef struct kane_critical_rules {
    double tolerance; // of amplitudes that are called the same, over the amplitude [1]
    double quiet;     // amplitude below which decaying motion has died [m]
    int cycles;       // in a stretch; three stretches are compared
    double sample;    // between two samples [s]
    double patience;  // longest simulated time at one speed [s] ...
    double drifting;  // ... and while motion still grows or decays from stretch to stretch [s]
} kane_critical_rules;

// 1e-3, 1e-5 m, 8 cycles, 2 ms, 60 s, 400 s
KANE_API kane_critical_rules kane_critical_rules_default(void);

typedef enum kane_sweep { KANE_SWEEP_DOWN, KANE_SWEEP_UP, KANE_SWEEPS } kane_sweep;

// "down", "up"
KANE_API const char *kane_sweep_name(kane_sweep sweep);

// Whether a fresh run at the same speed, from equilibrium and a disturbance as large as the cycle, comes to the same.
typedef enum kane_check { KANE_CHECK_NONE, KANE_CHECK_SAME, KANE_CHECK_OTHER } kane_check;

// "", "same", "other"
KANE_API const char *kane_check_name(kane_check check);

// Progress of a study; calls come one at a time, from any thread.
typedef struct kane_critical_progress {
    kane_sweep sweep;
    int is_check;     // 1: of a fresh run
    double speed;     // [m/s]
    double time;      // simulated there so far [s]
    double amplitude; // largest of all wheelsets, last stretch [m]
    double done;      // fraction of the study, roughly
} kane_critical_progress;

typedef struct kane_critical_study {
    const kane_run_definition *run; // vehicle, rails, friction, integrator; its line, speed and length are ignored
    double curvature;               // of the line, positive to the left [1/m]
    double superelevation;          // [m]
    double from, to,
        step;           // slowest and fastest speed, distance of two speeds [m/s]; to 0: a tenth beyond the linear one
    double resolution;  // of the speed at which cycles end [m/s]
    double disturbance; // lateral amplitude of the wheelset that swings most where motion begins afresh [m]
    const char *wheelset; // whose amplitude is drawn; NULL: that with the largest one
    kane_critical_rules rules;
    int keep;    // 1: the last stretch of every point stays, as SWEEP-SPEED.csv in the directory
    int threads; // 0: one for each processor
    const char
        *directory; // is created; "points.csv", "critical.json", "critical.svg" and ".png"; NULL: nothing is written
    int (*progress)(const kane_critical_progress *progress, void *data); // not 0 ends the study; NULL: none
    void *data;
} kane_critical_study;

// From 10 m/s in steps of 2 m/s to a tenth beyond the linear critical speed; 0.1 m/s; 6 mm; the default rules.
KANE_API kane_critical_study kane_critical_study_default(void);

// 1: the study can be; 0 with all errors.
KANE_API int kane_critical_check(const kane_critical_study *study, kane_errors *errors);

// Motion of one wheelset across the track.
typedef struct kane_critical_swing {
    double amplitude;   // half peak to peak, mean over the cycles of the last stretch [m]
    double least, most; // of the cycles; of motion that has not settled of the last three stretches [m]
    double level;       // in the middle between the peaks [m]
    double farthest;    // largest |y| of the stretches that least and most are of [m]
    double frequency;   // [Hz]
} kane_critical_swing;

// One speed of one sweep.
typedef struct kane_critical_point {
    double speed; // [m/s]
    kane_sweep sweep;
    kane_motion motion;
    kane_check check;
    double time;                      // simulated [s]
    int cycles;                       // gone through in this time, of the wheelset that swings most
    int largest;                      // which one that is
    const kane_critical_swing *swing; // [wheelsets]
    char subject[96];                 // what derailed, "" if nothing did
} kane_critical_point;

// What was found.
typedef struct kane_critical_result {
    double fastest;          // fastest speed that was examined [m/s]
    double linear;           // speed from which the equilibrium is not stable [m/s]; NaN: none up to `fastest`
    double linear_frequency; // of the mode that is not [Hz]
    char linear_mode[256];   // and its name; empty: none
    double nonlinear;        // slowest speed with a cycle [m/s]; NaN: none up to `fastest`
    double none;             // fastest speed below it from which the sweep came to rest [m/s]; NaN: none
    double jump;             // slowest speed at which a small disturbance does not die away [m/s]; NaN: none
    double rest;             // fastest speed below it at which it does [m/s]; NaN: none
    int unconfirmed;         // points whose fresh run came to something else
    int derailed, unsettled; // points that derailed; that were neither periodic nor at rest when time was up
    double farthest;         // largest |y| of a wheelset at all points with lasting motion [m]; NaN: there are none
    double peak_to_peak;     // largest one of a wheelset, twice `most` [m]; NaN likewise
} kane_critical_result;

// Linear critical speed, its frequency and mode alone: the slowest speed from `from` on, to `step`/1e6, with a mode
// that grows. The rest of the result means nothing.
KANE_API kane_status kane_critical_find_linear(const kane_critical_study *study, kane_critical_result *result,
                                               kane_errors *errors);

typedef struct kane_critical_report kane_critical_report;

// Finds the limit cycles: down from the fastest speed, where the vehicle is disturbed, each speed going on from where
// motion came at the one before, until it dies; then between the last two speeds. Up from the slowest one, each speed
// with a hundredth of the disturbance until the vehicle does not come to rest any more. Fresh runs at the end of the
// branch, and at every third point elsewhere, confirm what was followed. The same input gives the same bits on any
// number of threads. Points are written as they are found. NULL with errors filled if there is nothing to report;
// KANE_INTERRUPTED among the errors of a report whose study was ended by `progress`.
KANE_API kane_critical_report *kane_critical_find(const kane_critical_study *study, kane_errors *errors);
KANE_API void kane_critical_report_free(kane_critical_report *report);

KANE_API const kane_critical_result *kane_critical_report_result(const kane_critical_report *report);
KANE_API const char *kane_critical_report_wheelset(const kane_critical_report *report,
                                                   int wheelset); // NULL behind the last one
KANE_API int kane_critical_report_find_wheelset(const kane_critical_report *report,
                                                const char *name); // -1: none; or NULL

// Points of the downward sweep from fast to slow, then those of the upward one from slow to fast.
KANE_API int kane_critical_report_count(const kane_critical_report *report);
KANE_API const kane_critical_point *kane_critical_report_point(const kane_critical_report *report, int index);

// === A limit cycle that is carried along the run's own line: through transitions, into curves, at changing speed.

// What becomes of one start.
typedef struct kane_passage_end {
    kane_motion motion;        // of the last three whole stretches before the run ends
    double distance;           // where the run ended [m]
    kane_critical_swing swing; // of the wheelset that swings most there, last whole stretch; NaN: none was whole
    double farthest;           // largest |y| of a wheelset on the way [m]
    char wheelset[96];         // which one swings most at the end
    char subject[96];          // what derailed, "" if nothing did
} kane_passage_end;

typedef enum kane_passage_start {
    KANE_PASSAGE_CYCLE, // from the limit cycle of the straight or curve where the run starts, at the speed of its start
    KANE_PASSAGE_FINER, // the same with ten times tighter tolerances
    KANE_PASSAGE_REST,  // from equilibrium with a hundredth of the disturbance
    KANE_PASSAGE_STARTS
} kane_passage_start;

// "cycle", "finer", "rest"
KANE_API const char *kane_passage_start_name(kane_passage_start start);

typedef struct kane_passage {
    kane_motion motion;        // where the run starts; other than KANE_MOTION_SETTLED: there is no cycle to carry
    kane_critical_swing cycle; // of the wheelset that swings most
    kane_passage_end end[KANE_PASSAGE_STARTS]; // known if there is a cycle
    int is_resolved;                           // 1: with finer tolerances the motion comes to the same
    int is_finished;                           // 1: both have ended, or part from each other
    int has_hysteresis;                        // 1: finished, and from rest it comes to something else
} kane_passage;

// Finds the cycle at the run's first speed, coming down from the study's `to` in its steps if that is faster, and
// carries it to the end of the run, judged by the study's rules; rows are of three cycles. The study's curvature,
// superelevation and `from` are ignored. Writes "passage.csv", "passage.svg" and ".png" to the study's directory.
// KANE_OK also without a cycle.
KANE_API kane_status kane_critical_pass(const kane_critical_study *study, kane_passage *passage, kane_errors *errors);

// "the cycle goes on, 9.93 mm +- 0.002 mm at 1200 m; from rest motion dies: the end depends on the start"
KANE_API void kane_passage_describe(const kane_passage *passage, size_t size, char *text);

KANE_C_END

#endif
