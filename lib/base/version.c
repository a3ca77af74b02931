// SPDX-License-Identifier: MIT
// The version; CMakeLists.txt is the one place where it is written.

#include <kane/base.h>

const char *kane_version(void)
{
    return KANE_VERSION;
}

const char *kane_commit(void)
{
    return KANE_COMMIT;
}
