// SPDX-License-Identifier: MIT
// kane cache: the tables that are kept between runs.

#include "app.h"

#include "base/arena.h"
#include "base/file.h"

#include <time.h>

typedef struct arguments {
    int clear;
} arguments;

static const app_option options[] = {
    {"clear", 'c', NULL, 0, "remove all of them", APP_FLAG(clear)},
    {0},
};

static exit_code clear_cache(const char *folder)
{
    size_t freed;
    const int removed = kane_cache_limit(folder, 0, &freed);
    (void)printf("%s: %d %s removed, %.1f MB\n", folder, removed, app_plural(removed, (app_noun){"file", "files"}),
                 1e-6 * (double)freed);
    return EXIT_DONE;
}

static exit_code list_cache(const char *folder)
{
    kane_cache_entry *entries = kane_allocate(KANE_CACHE_ENTRIES, sizeof *entries);
    const int count           = entries ? kane_cache_list(folder, entries) : 0;
    double size               = 0.0;
    for (int i = 0; i < count; i++) {
        const time_t used = (time_t)entries[i].used;
        struct tm utc;
        char when[32] = "";
        if (gmtime_r(&used, &utc))
            (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
        (void)printf("%s  %8.3f MB  used %s\n", entries[i].name, 1e-6 * (double)entries[i].size, when);
        size += 1e-6 * (double)entries[i].size;
    }
    (void)printf("%s: %d %s, %.1f MB of %.1f MB\n", folder, count, app_plural(count, (app_noun){"file", "files"}), size,
                 1e-6 * KANE_CACHE_MOST);
    kane_release(entries);
    return EXIT_DONE;
}

int command_cache(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, NULL, NULL, clear, 0, NULL,
                    "Lists the tables of wheels and rails that are kept between runs, the last used first. They lie in "
                    "the folder $KANE_CACHE, else kane in $XDG_CACHE_HOME, else ~/.cache/kane; an empty KANE_CACHE: "
                    "nothing is kept. Nothing but time is lost without them.");
    arguments a = {0};
    char folder[KANE_CACHE_PATH];
    app_parse(&command, argc, argv, &a);

    if (!kane_cache_folder(folder)) {
        (void)printf("nothing is kept: KANE_CACHE is empty, or there is no home\n");
        return EXIT_DONE;
    }
    return a.clear ? clear_cache(folder) : list_cache(folder);
}
