// SPDX-License-Identifier: MIT
// Files as somebody types them: written, and with one piece of text exchanged for another.

#ifndef KANE_TESTS_TYPED_H
#define KANE_TESTS_TYPED_H

#include <kane/kane.h>

#include "errors.h"
#include "folder.h"

static inline void exchange(const char *text, const char *find, const char *replace, size_t size, char *out)
{
    const char *at = strstr(text, find);
    if (!at)
        fail_msg("'%s' is not in the good file", find);
    (void)snprintf(out, size, "%.*s%s%s", (int)(at - text), text, replace, at + strlen(find));
}

// Reads a run with what it names and goes as far as a simulation and its channels, or as a model alone; all errors, a
// line each.
static inline void collect_errors_of(const char *file, const char *const *settings, int simulates, size_t size,
                                     char *all)
{
    CHECK_ERRORS errors            = {0};
    const kane_run_options how     = {.settings = settings};
    CHECK_OWNED(kane_run) *r       = kane_run_read(file, &how, &errors);
    const kane_run_definition *d   = r ? kane_run_get_definition(r) : NULL;
    CHECK_OWNED(kane_model) *model = d ? kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors) : NULL;
    CHECK_OWNED(kane_simulation) *s =
        model && simulates ? kane_simulation_create(model, &d->settings, &d->conditions, &errors) : NULL;
    if (s)
        kane_channels_free(
            kane_channels_create(s, d->output.pattern_count, d->output.patterns, d->output.places, &errors));
    errors_text(&errors, size, all);
}

// The same of r.json.
static inline void collect_errors(const char *const *settings, int simulates, size_t size, char *all)
{
    collect_errors_of("r.json", settings, simulates, size, all);
}

// A file, or data/runs/NAME.json, with settings (NULL-terminated) is refused, and this is among its errors.
static inline void check_run_refused(const char *name, const char *const *settings, const char *says)
{
    char file[1024], all[8192];
    (void)snprintf(file, sizeof file, "%s/data/runs/%s.json", KANE_SOURCE_DIR, name);
    collect_errors_of(strstr(name, ".json") ? name : file, settings, 1, sizeof all, all);
    if (!all[0] || !strstr(all, says))
        fail_msg("%s, %s: \"%s\" is not in \"%s\"", name, settings[0], says, all);
}

#endif
