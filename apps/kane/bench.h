// SPDX-License-Identifier: MIT
// What `kane bench` measures without a vehicle.

#ifndef KANE_APPS_BENCH_H
#define KANE_APPS_BENCH_H

#include <kane/kane.h>

// A part of the library in a loop. create: NULL with errors filled if it cannot be made.
typedef struct bench_part {
    const char *name, *about;
    void *(*create)(kane_errors *errors);
    void (*call)(void *part, long count); // `count` calls, each with other arguments
    void (*free)(void *part);
} bench_part;

double bench_now(void); // seconds from some moment

// Best time of a call of several rounds [s].
double bench_time(const bench_part *p, void *part);

// A wheel on its rail (bench_contact.c).
enum { BENCH_CONTACT_PARTS = 7 };
extern const bench_part bench_contact[BENCH_CONTACT_PARTS];

// Creep forces of one patch (bench_creep.c).
enum { BENCH_CREEP_PARTS = 5 };
extern const bench_part bench_creep[BENCH_CREEP_PARTS];

#endif
