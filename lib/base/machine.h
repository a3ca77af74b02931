// SPDX-License-Identifier: MIT
// What the last digits of a result depend on beside its input: the compiler, the C library and the instructions that it may use. They
// stand in every manifest (docs/results.md).

#ifndef KANE_BASE_MACHINE_H
#define KANE_BASE_MACHINE_H

typedef struct kane_machine {
    char compiler[64];  // that built libkane: "gcc 12.2.0"
    char libc[64];      // that runs: "glibc 2.36"
    char processor[32]; // level of the instructions that the C library uses now: "x86-64-v3", "aarch64"
} kane_machine;

// Texts that do not fit are cut.
kane_machine kane_machine_read(void);

#endif
