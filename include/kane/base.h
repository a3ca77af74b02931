// SPDX-License-Identifier: MIT
// Status codes and errors: how every function of libkane says what went wrong, and where.

#ifndef KANE_BASE_H
#define KANE_BASE_H

#include <stddef.h>

// Around declarations of functions: C++ gives them the names that they have in C. Recorded kernels (lib/record) are C++
// throughout.
#if defined(__cplusplus) && !defined(KANE_SCALAR_RECORDED)
#define KANE_C_BEGIN extern "C" {
#define KANE_C_END   }
#else
#define KANE_C_BEGIN
#define KANE_C_END
#endif

// KANE_LITERAL(kane_vec3){x, y, z}: a value of a structure in an expression, in C and in C++.
#ifdef __cplusplus
#define KANE_LITERAL(type) type
#else
#define KANE_LITERAL(type) (type)
#endif

#if defined(KANE_STATIC)
#define KANE_API
#elif defined(__GNUC__)
#define KANE_API __attribute__((visibility("default")))
#else
#define KANE_API
#endif

#if defined(__GNUC__)
#define KANE_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define KANE_PRINTF(format_index, first_argument)
#endif

KANE_C_BEGIN

typedef struct kane_arena kane_arena; // memory that is freed all at once (kane_law_memory takes from it)

// Zero is success, a positive status can be tried again with a smaller step, a negative one is final
// (the convention of SUNDIALS' callbacks).
//   X(name, number, text)
#define KANE_STATUS_LIST(X)                                                                                            \
    X(KANE_OK, 0, "success")                                                                                           \
    X(KANE_RETRY, 1, "not possible with this step size")                                                               \
    X(KANE_NO_MEMORY, -1, "out of memory")                                                                             \
    X(KANE_BAD_ARGUMENT, -2, "an argument is not allowed")                                                             \
    X(KANE_BAD_INPUT, -3, "the input is not valid")                                                                    \
    X(KANE_NO_FILE, -4, "a file cannot be read or written")                                                            \
    X(KANE_NOT_FINITE, -5, "a value is not finite")                                                                    \
    X(KANE_NOT_SOLVED, -6, "no solution was found")                                                                    \
    X(KANE_INTEGRATION_FAILED, -7, "the integrator gave up")                                                           \
    X(KANE_INTERRUPTED, -8, "interrupted")                                                                             \
    X(KANE_IN_USE, -9, "another process is writing there")

typedef enum kane_status {
#define KANE_STATUS_ENUM(name, number, text) name = (number),
    KANE_STATUS_LIST(KANE_STATUS_ENUM)
#undef KANE_STATUS_ENUM
} kane_status;

// One sentence for a status, e.g. "out of memory".
KANE_API const char *kane_status_text(kane_status status);

// Place in an input file. line and column count from 1; line 0: no place is known.
typedef struct kane_place {
    const char *file; // name of the file as it was opened, "" if none
    int line;         // [1]
    int column;       // [1], in bytes
    const char *path; // path inside the file, e.g. "bodies.body.mass"; "" if none
} kane_place;

// One error, complete in itself: it points to nothing.
typedef struct kane_error {
    kane_status status;
    char text[512];   // what was found, what is allowed, a hint
    char file[256];   // input: name of the file, "" if none
    int line, column; // input: place in the file, 0 if none
    char path[192];   // input: path inside the file, "" if none
    char subject[96]; // run: body, wheel or element by name, "" if none
    double time;      // run: time [s], NaN if none
    double distance;  // run: place on the track [m], NaN if none
} kane_error;

enum { KANE_ERRORS_KEPT = 64 };

// The errors of one call, in the order they were found. Begin with `kane_errors errors = {0}`, end with
// kane_errors_free. All errors are counted. The first KANE_ERRORS_KEPT can be read, fewer where memory is lacking; the
// first error always can, because its place is in the struct. A copy of the struct shares the memory of the others with
// it.
//
// With `kane_errors errors = {.limit = 1}` the first error alone is kept: nothing is allocated, nothing has to be
// freed.
typedef struct kane_errors {
    int count;         // errors found
    int kept;          // errors that kane_errors_get returns
    int limit;         // errors to keep at most; 0: KANE_ERRORS_KEPT
    kane_status last;  // status of the last error found
    kane_error first;  // error 0
    kane_error **more; // private: errors 1, 2, ...
} kane_errors;

// Error `index`, valid until errors are forgotten; an empty one (KANE_OK, no text) if 0 <= index < errors->kept does
// not hold.
KANE_API const kane_error *kane_errors_get(const kane_errors *errors, int index);

// Gives back the memory and forgets all errors: errors can be used again. NULL is allowed.
KANE_API void kane_errors_free(kane_errors *errors);

// Forgets all errors and keeps the memory for the next ones.
KANE_API void kane_errors_clear(kane_errors *errors);

// Forgets all errors but the first `count`.
KANE_API void kane_errors_truncate(kane_errors *errors, int count);

// Adds all errors of another call. errors may be NULL.
KANE_API void kane_errors_append(kane_errors *errors, const kane_errors *others);

// Adds an error that belongs to a place in an input file. The first error allocates nothing. errors may be NULL.
KANE_API void kane_errors_add_input(kane_errors *errors, kane_status status, kane_place place, const char *format, ...)
    KANE_PRINTF(4, 5);

// Adds an error that belongs to a moment of a run: subject names a body, wheel or element ("" if none), time [s] and
// distance along the track [m] (NaN where unknown). errors may be NULL.
KANE_API void kane_errors_add_run(kane_errors *errors, kane_status status, const char *subject, double time,
                                  double distance, const char *format, ...) KANE_PRINTF(6, 7);

// Adds an error that belongs to no place. errors may be NULL.
KANE_API void kane_errors_add(kane_errors *errors, kane_status status, const char *format, ...) KANE_PRINTF(3, 4);

// Status of the first error since there were `from` of them (of the last one where that one is not kept);
// KANE_NO_MEMORY if there is none: what fails without an error lacks memory.
KANE_API kane_status kane_errors_status(const kane_errors *errors, int from);

// Leaves out what has been said before of the same place, numbers apart: both sides of a mirrored element are wrong in
// the same way, and so are all wagons of a train.
KANE_API void kane_errors_drop_repeated(kane_errors *errors);

// Writes an error as people read it, always terminated:
//   wagon.json:12:18: bodies.body.mass: 0 is out of range, must be positive
//   leading: at 3.21 s, 64.2 m: the contact force is not finite
// Returns the length that the whole text has, as snprintf does.
KANE_API int kane_error_format(const kane_error *error, size_t size, char *buffer);

// Version of the library as it was built, e.g. "0.1.0".
KANE_API const char *kane_version(void);

// The commit that it was built from, "unknown" if it was not built from a repository.
KANE_API const char *kane_commit(void);

KANE_C_END

#endif
