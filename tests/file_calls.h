// SPDX-License-Identifier: MIT
// The calls by which a process changes or opens files, stopped at one by one: the test says what happens before each.
// To be included first. Calls inside of the C library (what fflush writes) are not seen.

#ifndef KANE_TESTS_FILE_CALLS_H
#define KANE_TESTS_FILE_CALLS_H

#define _GNU_SOURCE // RTLD_NEXT

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum file_call {
    FILE_CALL_CHANGES, // a file or a directory
    FILE_CALL_READS    // opens a file to read it
} file_call;

static void before_file_call(file_call call);

static inline void *file_call_find(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

// The function of that name that comes next, as a pointer of the right type.
#define FILE_CALL_NEXT(type, name)                                                                                     \
    static type *next;                                                                                                 \
    if (!next) {                                                                                                       \
        void *found = file_call_find(name);                                                                            \
        memcpy(&next, &found, sizeof next);                                                                            \
    }

// Seen by the shared libraries too, whatever the default visibility.
#define FILE_CALL_EXPORT __attribute__((visibility("default")))

FILE_CALL_EXPORT int open(const char *path, int flags, ...)
{
    typedef int function(const char *, int, ...);
    FILE_CALL_NEXT(function, "open")
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    before_file_call(flags & (O_CREAT | O_TRUNC) ? FILE_CALL_CHANGES : FILE_CALL_READS);
    return next(path, flags, mode);
}

FILE_CALL_EXPORT int rename(const char *from, const char *to)
{
    typedef int function(const char *, const char *);
    FILE_CALL_NEXT(function, "rename")
    before_file_call(FILE_CALL_CHANGES);
    return next(from, to);
}

FILE_CALL_EXPORT int link(const char *from, const char *to)
{
    typedef int function(const char *, const char *);
    FILE_CALL_NEXT(function, "link")
    before_file_call(FILE_CALL_CHANGES);
    return next(from, to);
}

FILE_CALL_EXPORT int remove(const char *path)
{
    typedef int function(const char *);
    FILE_CALL_NEXT(function, "remove")
    before_file_call(FILE_CALL_CHANGES);
    return next(path);
}

FILE_CALL_EXPORT int unlink(const char *path)
{
    typedef int function(const char *);
    FILE_CALL_NEXT(function, "unlink")
    before_file_call(FILE_CALL_CHANGES);
    return next(path);
}

FILE_CALL_EXPORT int mkdir(const char *path, mode_t mode)
{
    typedef int function(const char *, mode_t);
    FILE_CALL_NEXT(function, "mkdir")
    before_file_call(FILE_CALL_CHANGES);
    return next(path, mode);
}

FILE_CALL_EXPORT int fsync(int file)
{
    typedef int function(int);
    FILE_CALL_NEXT(function, "fsync")
    before_file_call(FILE_CALL_CHANGES);
    return next(file);
}

FILE_CALL_EXPORT ssize_t write(int file, const void *bytes, size_t size)
{
    typedef ssize_t function(int, const void *, size_t);
    FILE_CALL_NEXT(function, "write")
    before_file_call(FILE_CALL_CHANGES);
    return next(file, bytes, size);
}

FILE_CALL_EXPORT ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    typedef ssize_t function(int, const void *, size_t, off_t);
    FILE_CALL_NEXT(function, "pwrite")
    before_file_call(FILE_CALL_CHANGES);
    return next(file, bytes, size, at);
}

FILE_CALL_EXPORT int ftruncate(int file, off_t size)
{
    typedef int function(int, off_t);
    FILE_CALL_NEXT(function, "ftruncate")
    before_file_call(FILE_CALL_CHANGES);
    return next(file, size);
}

#endif
