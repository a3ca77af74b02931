// SPDX-License-Identifier: MIT
// kane cache: the tables that are kept between runs.

#include "app.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <time.h>

static const char nothing[] = "nothing is kept: KANE_CACHE is empty, or there is no home\n";

typedef struct arguments {
    int clear;
    app_outputs outputs;
} arguments;

static const app_option options[] = {
    {"clear", 'c', NULL, 0, "remove all of them", APP_FLAG(clear)},
    {APP_JSON(outputs)},
    APP_TABLE_OPTION("", outputs),
    {0},
};

// 0 with an error. There may be no such folder (yet).
static int can_be_read(const char *folder, kane_errors *errors)
{
    DIR *open        = opendir(folder);
    const int reason = open ? 0 : errno;
    if (open)
        (void)closedir(open);
    if (reason == 0 || reason == ENOENT)
        return 1;
    kane_errors_add(errors, KANE_NO_FILE, "nothing can be kept in %s: %s", folder, kane_system_text(reason));
    return 0;
}

static int clear_cache(const char *folder, kane_cache_entry *entries, kane_errors *errors)
{
    size_t freed;
    if (!folder[0])
        return fputs(nothing, stdout) >= 0;
    const int removed = kane_cache_limit(folder, 0, &freed), rest = kane_cache_list(folder, entries);
    (void)printf("%s: %d %s removed, %.1f MB\n", folder, removed, app_plural(removed, (app_noun){"file", "files"}),
                 1e-6 * (double)freed);
    if (rest > 0)
        kane_errors_add(errors, KANE_NO_FILE, "%s: %d %s cannot be removed", folder, rest,
                        app_plural(rest, (app_noun){"file", "files"}));
    return rest == 0;
}

static kane_table tabulate_cache(kane_arena *arena, const char *folder, int count, const kane_cache_entry *entries)
{
    static const kane_table_column columns[] = {
        {.name = "file", .unit = "", .text = {.width = -1}},
        {.name = "size", .unit = "byte", .text = {"size [MB]", 1e-6, .digits = 4}},
        {.name = "used", .unit = "", .text = {.width = -1}},
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    kane_table table = kane_table_begin(arena, COLUMNS, count);
    double size      = 0.0;
    table.title      = "files of tables";
    kane_table_add_columns(&table, COLUMNS, columns);
    for (int i = 0; i < count; i++) {
        const time_t used = (time_t)entries[i].used;
        struct tm utc;
        char when[32] = "";
        if (gmtime_r(&used, &utc))
            (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
        kane_table_put(&table, kane_cell_word(entries[i].name));
        kane_table_put(&table, kane_cell_number((double)entries[i].size));
        kane_table_put(&table, kane_cell_word(kane_table_text(&table, "%s", when)));
        size += 1e-6 * (double)entries[i].size;
    }
    table.about = nothing;
    if (folder[0])
        table.about = kane_table_text(&table, "%s: %d %s, %.1f MB of %.0f MB\n", folder, count,
                                      app_plural(count, (app_noun){"file", "files"}), size, 1e-6 * KANE_CACHE_MOST);
    return table;
}

static int list_cache(const char *folder, kane_cache_entry *entries, const app_outputs *outputs, kane_errors *errors)
{
    kane_arena *arena              = kane_arena_create();
    const int count                = folder[0] ? kane_cache_list(folder, entries) : 0;
    const kane_table table         = tabulate_cache(arena, folder, count, entries);
    const kane_table_report report = {.title = "cache", .table_count = 1, .tables = &table};
    const int good                 = app_write_report(outputs, KANE_TABLE_TEXT, &report, errors);
    kane_arena_free(arena);
    return good;
}

static void check_arguments(void *all, struct argp_state *state)
{
    const arguments *a = all;
    if (a->clear && (a->outputs.is_json || a->outputs.count > 0))
        argp_error(state, "--clear writes no table");
}

int command_cache(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, NULL, NULL, clear, 0, check_arguments,
                    "Lists the tables of wheels and rails that are kept between runs, the last used first. They lie in "
                    "the folder $KANE_CACHE, else kane in $XDG_CACHE_HOME, else ~/.cache/kane; an empty KANE_CACHE: "
                    "nothing is kept. Nothing but time is lost without them.");
    arguments a        = {0};
    kane_errors errors = {0};
    char folder[KANE_CACHE_PATH];
    app_parse(&command, argc, argv, &a);

    if (!kane_cache_folder(folder))
        folder[0] = 0;
    kane_cache_entry *entries = kane_allocate(KANE_CACHE_ENTRIES, sizeof *entries);
    const int good =
        entries && can_be_read(folder, &errors) &&
        (a.clear ? clear_cache(folder, entries, &errors) : list_cache(folder, entries, &a.outputs, &errors));
    kane_release(entries);
    return good ? EXIT_DONE : app_fail(&errors);
}
