// SPDX-License-Identifier: MIT
// What "kane export" writes.

#ifndef KANE_APPS_EXPORTS_H
#define KANE_APPS_EXPORTS_H

// argv[0] is "kane export WHAT".
int export_c(int argc, char **argv);
int export_equations(int argc, char **argv);

#endif
