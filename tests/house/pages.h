// SPDX-License-Identifier: MIT
// Commands that pages show, carried out in a folder of their own.

#ifndef KANE_TESTS_PAGES_H
#define KANE_TESTS_PAGES_H

#include "folder.h"

// A folder that has data and vehicles.
static inline int enter_samples(void **state)
{
    return enter_folder(state) == 0 && symlink(KANE_SOURCE_DIR "/data", "data") == 0 &&
                   symlink(KANE_SOURCE_DIR "/vehicles", "vehicles") == 0
               ? 0
               : -1;
}

static inline FILE *open_script(void)
{
    FILE *script = fopen("script", "w");
    assert_non_null(script);
    (void)fprintf(script, "PATH=$(dirname '%s'):$PATH\n", KANE_PROGRAM);
    return script;
}

#endif
