// SPDX-License-Identifier: MIT
// What `kane bench` measures without a vehicle.

#ifndef KANE_APPS_BENCH_H
#define KANE_APPS_BENCH_H

#include <kane/kane.h>

#include "base/writer.h"

// A part of the library in a loop. create: NULL with errors filled if it cannot be made.
typedef struct bench_part {
    const char *name, *about;
    void *(*create)(kane_errors *errors);
    void (*call)(void *part, long count); // `count` calls, each with other arguments
    void (*free)(void *part);
} bench_part;

double bench_now(void); // seconds from some moment

// Writes what a call takes [s], as a line or as JSON.
void bench_report(const char *name, const char *about, double time, kane_writer *json);

// Best time of a call of several rounds [s].
double bench_time(const bench_part *p, void *part);

// Cost over size: least squares through the logarithms. Start from zeros; nothing is reported of less than two points.
typedef struct bench_growth {
    double n, x, y, xx, xy;
} bench_growth;

void bench_growth_add(bench_growth *g, double size, double cost);
double bench_growth_exponent(const bench_growth *g);
void bench_growth_report(const bench_growth *g, const char *name, const char *about, kane_writer *json);

// A wheel on its rail (bench_contact.c).
enum { BENCH_CONTACT_PARTS = 7 };
extern const bench_part bench_contact[BENCH_CONTACT_PARTS];

// Creep forces of one patch (bench_creep.c).
enum { BENCH_CREEP_PARTS = 5 };
extern const bench_part bench_creep[BENCH_CREEP_PARTS];

// Mechanisms (bench_trees.c): measures all, or `only` one, or calls that `repeat` times. Returns 0 after an error.
int bench_trees(const char *only, long repeat, kane_writer *json, kane_errors *errors);
const char *bench_tree_name(int i); // NULL beyond

// Trains of 1 to 100 coaches (bench_train.c), with files of this folder: in the same way.
int bench_trains(const char *folder, const char *only, long repeat, kane_writer *json, kane_errors *errors);
const char *bench_train_name(int i); // NULL beyond

// Cases of studies (bench_study.c): in the same way; "study" is all of them.
int bench_studies(const char *folder, const char *only, long repeat, kane_writer *json, kane_errors *errors);
const char *bench_study_name(int i); // NULL beyond

#endif
