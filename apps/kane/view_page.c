// SPDX-License-Identifier: MIT
// The page that came with kane.

#include "view_page.h"

#include <string.h>
#include <unistd.h>

// share/kane/view/page.html beside the directory that the program is in, where it was built as where it is installed.
int app_find_page(size_t size, char *file, kane_errors *errors)
{
    char program[4096];
    const ssize_t length             = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (slash)
            *slash = '\0';
    }
    if (length > 0 && snprintf(file, size, "%s/share/kane/view/page.html", program) < (int)size &&
        access(file, R_OK) == 0)
        return 1;
    kane_errors_add(errors, KANE_NO_FILE,
                    "the page for runs is not there: kane was built without it, because npm was missing or could not "
                    "reach its registry; with both, build again (docs/view.md), or name a page by --page");
    return 0;
}

const char *app_write_size(long long bytes, size_t size, char *text)
{
    const int is_small = bytes < 1000000;
    (void)snprintf(text, size, is_small ? "%.0f kB" : "%.1f MB", (is_small ? 1e-3 : 1e-6) * (double)bytes);
    return text;
}
