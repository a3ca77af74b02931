// SPDX-License-Identifier: MIT
// Limit cycles: settling onto one, its oscillation, one speed after another.

#ifndef KANE_STABILITY_CYCLE_H
#define KANE_STABILITY_CYCLE_H

#include <kane/critical.h>
#include <kane/steady.h>

// === A vehicle set aside from its equilibrium, so that it begins to swing.

// How a vehicle is set aside.
typedef enum kane_perturbation {
    KANE_PERTURB_MODE, // along the mode with the largest growth rate of those with lateral motion of wheelsets
    KANE_PERTURB_WHOLE // the whole vehicle to the left: no spring is strained
} kane_perturbation;

// Adds it to a state y of the steady motion's model. amount [m]: lateral amplitude of the wheelset that swings most; or
// how far. Wheelsets take the height and the roll that they then have on rigid rails over those at y. KANE_BAD_INPUT
// with an error where one does not stand so far aside.
kane_status kane_set_perturbed(kane_steady *steady, kane_perturbation way, double amount, double *y,
                               kane_errors *errors);

// === What a stretch of an oscillation is like: amplitude, level and frequency of its cycles.

typedef struct kane_oscillation {
    int cycles;         // complete ones; without any, amplitude, least and most are half of what the stretch spans
    double amplitude;   // half peak to peak, mean over the cycles, as of the unit of the samples
    double least, most; // of the cycles
    double level;       // in the middle between the peaks, mean over the cycles
    double farthest;    // largest magnitude of all samples
    double frequency;   // [Hz]; 0 without a cycle
} kane_oscillation;

// Measures count samples that are `step` [s] apart. A cycle goes from one upward crossing of the middle of all samples
// to the next; swings about it that are smaller than a fifth of what the stretch spans begin none. Peaks are those of
// parabolas through three samples.
kane_oscillation kane_oscillation_measure(int count, const double *samples, double step);

static inline kane_critical_swing kane_oscillation_swing(const kane_oscillation *o)
{
    return (kane_critical_swing){o->amplitude, o->least, o->most, o->level, o->farthest, o->frequency};
}

// === Has an oscillation become periodic, has it died, or neither? Judged stretch by stretch.

enum { KANE_SETTLING_STRETCHES = 3 }; // that are compared

// What has been seen of the oscillations of several coordinates: the last stretches, the latest first.
typedef struct kane_settling {
    int coordinates; // that are judged
    int watched;     // these and further ones, which only must not move when the others have died
    int stretches;   // so far
    kane_oscillation *stretch[KANE_SETTLING_STRETCHES]; // [watched]
} kane_settling;

// Forgets everything.
void kane_settling_start(kane_settling *settling);

// Where to measure the next stretch, [watched]; it then is the latest.
kane_oscillation *kane_settling_next(kane_settling *settling);

// What the stretches so far say; KANE_MOTION_OPEN: nothing yet.
//   died     everything that is watched swings by less than `quiet`, and by less than in the stretch before
//   settled  of every coordinate that takes part: stretches differ by less than `tolerance` of their amplitude, the cycles of
//            the latest one by less than five times that; and if changes go on as they do, each by a constant factor of the
//            one before, all of them together come to less than `tolerance`
kane_motion kane_settling_judge(const kane_settling *settling, const kane_critical_rules *rules);

// GROWING or DECAYING if the largest oscillation has done so twice, by more than a hundredth of `tolerance`, or if that
// is not known yet: there is something to wait for. Else OPEN.
kane_motion kane_settling_drift(const kane_settling *settling, double tolerance);

// The coordinate that swings most in the latest stretch.
int kane_settling_largest(const kane_settling *settling);

// Widens least and most amplitude and the largest magnitude of one coordinate, those of its latest stretch, to all
// stretches that are kept.
void kane_settling_widen(const kane_settling *settling, int coordinate, kane_oscillation *latest);

// === A vehicle at one constant speed, set in motion and watched until it repeats itself, comes to rest or derails.

typedef struct kane_cycle kane_cycle; // of one thread

// The study's vehicle at a speed, in equilibrium. NULL with errors.
kane_cycle *kane_cycle_create(const kane_critical_study *study, double speed, kane_errors *errors);
void kane_cycle_free(kane_cycle *cycle);

// The study's vehicle where its run starts, on the run's own line and with its own drive and end.
kane_cycle *kane_cycle_create_on_line(const kane_critical_study *study, const kane_settings *settings,
                                      kane_errors *errors);

// Where motion begins: at equilibrium, or where it was at another speed, ...
typedef struct kane_beginning {
    const double *from;    // deviation from equilibrium that it had there (kane_cycle_deviation); NULL: none
    double part;           // of it
    kane_perturbation way; // ... and set aside
    double amount;         // so far [m]
    kane_cycle *cycle;     // on the run's line instead: the motion that this one has come to; NULL: none
} kane_beginning;

kane_status kane_cycle_start(kane_cycle *cycle, const kane_beginning *begin, kane_errors *errors);

// Called after every stretch: simulated time [s], amplitude of the wheelset that swings most [m]; not 0 ends it.
typedef int kane_cycle_watch(double time, double amplitude, void *data);

// Goes on until it is clear what becomes of it, or patience is at an end. Fills motion, time, cycles, subject, and
// swing with its numbers ([wheelsets], which the caller provides).
kane_status kane_cycle_run(kane_cycle *cycle, kane_critical_point *point, kane_critical_swing *swing,
                           kane_cycle_watch *watch, void *data, kane_errors *errors);

// The same stretch by stretch, on the run's line until the run ends: from the beginning; one more stretch, measured
// into the settling; whether the last one was whole, so that the motion goes on.
void kane_cycle_begin(kane_cycle *cycle);
kane_status kane_cycle_sample(kane_cycle *cycle, kane_errors *errors);
int kane_cycle_is_whole(const kane_cycle *cycle);
const kane_settling *kane_cycle_settling(const kane_cycle *cycle);

// One of the equally long parts of the last stretch, of one wheelset.
kane_oscillation kane_cycle_part(const kane_cycle *cycle, int wheelset, int part, int parts);
kane_simulation *kane_cycle_simulation(kane_cycle *cycle);

// The last stretch that was watched, as rows of results (CSV): time since it began [s] and lateral displacements NAME.y
// [m] of all bodies but panels of track.
kane_status kane_cycle_write(const kane_cycle *cycle, const char *file, kane_errors *errors);

int kane_cycle_wheelset_count(const kane_cycle *cycle);
const char *kane_cycle_wheelset(const kane_cycle *cycle, int wheelset);
const kane_model *kane_cycle_model(const kane_cycle *cycle);

// How far its state is from equilibrium, [state count]. At another speed the same deviation is the same relative
// motion: spin and travel differ as those of the equilibria do.
void kane_cycle_deviation(const kane_cycle *cycle, double *deviation);

#endif
