// SPDX-License-Identifier: MIT
// A run as C that needs no library (docs/export.md).

#ifndef KANE_EXPORT_EXPORT_H
#define KANE_EXPORT_EXPORT_H

#include <kane/run.h>

typedef struct kane_export_c_options {
    const char *directory; // is made; files of these names are replaced
    const char *name;      // what all names in C begin with
    const char *kernels;   // folder with the sources of libkane that this program was built from
    const char
        *symbols; // file with names of this program's functions, should it have been stripped; NULL: there is none
    const char *const *settings; // "PATH=VALUE", NULL-terminated; NULL: none
    const char *const *omit;     // further omissions, NULL-terminated; NULL: none
    int pattern_count;           // of channels that become outputs; 0: those that the run records
    const char *const *patterns;
} kane_export_c_options;

// Whether a model may be called so: a name of C that is neither reserved (base/identifier.h) nor in use in the files that are written.
int kane_export_c_allows(const char *name);

// Writes a header, the functions behind it, tables, kernels, a makefile and an example (docs/export.md).
kane_status kane_export_c(const char *run_file, const kane_export_c_options *options, kane_errors *errors);

#endif
