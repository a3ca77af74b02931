// SPDX-License-Identifier: MIT
// Every run that comes along, as C: the same bits as libkane's at the start, on the way, behind events. KANE_ONLY: part
// of the name of the runs that are taken.

#include "walk.h"

#include <dirent.h>

// Runs whose states pass the equations of multipliers at events: there full elimination takes the place of KLU's.
static int is_exact(const original *o)
{
    return o->model->cluster_count == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

CHECK_TEST(all_runs)
{
    const char *only = getenv("KANE_ONLY");
    char *names[256];
    int count = 0;
    if (!has_compiler("cc"))
        check_skip("there is no C compiler cc here (Debian: gcc)");
    DIR *directory = opendir(source_file("data/runs"));
    assert_non_null(directory);
    for (struct dirent *d = readdir(directory); d; d = readdir(directory))
        if (strstr(d->d_name, ".json") && (!only || strstr(d->d_name, only)))
            names[count++] = strdup(d->d_name);
    (void)closedir(directory);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 0; i < count; i++) {
        char run[512], out[64];
        (void)snprintf(run, sizeof run, "data/runs/%s", names[i]);
        (void)snprintf(out, sizeof out, "out%d", i);
        original o = open_original(run, NULL);
        export_run(run, NULL, out);
        compile(out, "libm.so"); // optimised as libkane is
        exported e     = load(out);
        const walked w = walk(&o, &e, 2e-4, 400, 50, is_exact(&o));
        print_message("%s: %d steps, %d events, %d jumps, %g s, drift %.2g\n", names[i], w.steps, w.events, w.jumps,
                      w.time, w.drift);
        assert_true(w.drift < 1e-7);
        unload(&e);
        close_original(&o);
        free(names[i]);
        (void)snprintf(run, sizeof run, "rm -rf %s", out);
        (void)system(run);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
