// SPDX-License-Identifier: MIT
// The page that came with kane.

#include "view_page.h"

#include <string.h>

int app_find_page(size_t size, char *file, kane_errors *errors)
{
    if (app_find_shared("view/page.html", size, file))
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
