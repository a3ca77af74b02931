// SPDX-License-Identifier: MIT
// The folder of a unit in which the binary lies that this program writes and imports.

#ifndef KANE_FMU_PLATFORM_H
#define KANE_FMU_PLATFORM_H

// FMI 3.0 names architecture and system. FMI 2.0 has names for Intel's processors alone; on others importers take the
// 64-bit one.
#ifdef __aarch64__
#define KANE_FMU_PLATFORM_3 "aarch64-linux"
#else
#define KANE_FMU_PLATFORM_3 "x86_64-linux"
#endif
#define KANE_FMU_PLATFORM_2 "linux64"

#endif
