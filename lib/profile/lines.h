// SPDX-License-Identifier: MIT
// A profile's file line by line, and the points that are found in it.

#ifndef KANE_PROFILE_LINES_H
#define KANE_PROFILE_LINES_H

#include <kane/profile.h>

#include "base/arena.h"

enum { KANE_LINE_NUMBERS = 16 }; // most columns of a line
enum { KANE_LINE_FAULTS = 5 };   // after so many a file is not read any further

// Points as they stand in the file.
typedef struct raw_points {
    int count;
    double *y, *z, *weight;
    int *line;
} raw_points;

typedef struct line_reader {
    const char *file;
    const char *at;         // the next line
    const char *begin;      // the present one: from the first to the last character that is no blank and no comment
    const char *end;        //
    const char *line_start; //
    int line;               // number of the present one, from 1
    kane_errors *errors;    // not NULL
    int faults;             // found so far
    raw_points points;      // room for one in each line
} line_reader;

// Starts with a text that outlives the reader. 1, or 0 without memory.
int kane_lines_start(line_reader *r, const char *file, const char *text, kane_arena *arena, kane_errors *errors);

// Moves on to the next line that is not empty, a comment of `comments` (characters that begin one) cut off. 0 at the end
// or after KANE_LINE_FAULTS.
int kane_lines_next(line_reader *r, const char *comments);

// Reads the whole line as numbers between blanks, tabs and `separators`. Returns how many there are, or -1 with an error
// for what is not a number.
int kane_lines_numbers(line_reader *r, const char *separators, double numbers[KANE_LINE_NUMBERS]);

// The number that `length` characters are, also as Fortran writes it ("1000.", "1.D-3"). 0 if they are none.
int kane_lines_number(const char *text, size_t length, double *number);

// A line KEY = VALUE: 1, the parts without blanks and quotes around, cut if they are too long; else 0.
int kane_lines_setting(const line_reader *r, size_t size, char *key, char *value);

void kane_lines_add(line_reader *r, double y, double z, double weight);

// Adds an error at `at` of the present line (NULL: at its beginning).
void kane_lines_fault(line_reader *r, const char *at, const char *format, ...) KANE_PRINTF(3, 4);

// --- formats: they fill the reader's points, in the file's own unit and axes ---

typedef struct file_says {
    double unit;      // one of its lengths [m]; 0: it does not say
    int wheel;        // 1: a wheel, 0: a rail, -1: it does not say
    double smoothing; // what it asks for, in a measure of its own
} file_says;

void kane_read_simpack(line_reader *r, file_says *says);
void kane_read_columns(line_reader *r);
void kane_read_miniprof(line_reader *r, int profile); // profile: number of the one wanted, 0: there is one

#endif
