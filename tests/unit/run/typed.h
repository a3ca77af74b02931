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

// Reads r.json with what it names and goes as far as a simulation and its channels, or as a model alone; all errors, a
// line each.
static inline void collect_errors(const char *const *settings, int simulates, size_t size, char *all)
{
    CHECK_ERRORS errors        = {0};
    const kane_run_options how = {.settings = settings};
    CHECK_OWNED(kane_run) *r   = kane_run_read("r.json", &how, &errors);
    kane_model *model          = NULL;
    kane_simulation *s         = NULL;
    if (r) {
        const kane_run_definition *d = kane_run_get_definition(r);
        model                        = kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors);
        s = model && simulates ? kane_simulation_create(model, &d->settings, &d->conditions, &errors) : NULL;
        if (s)
            kane_channels_free(
                kane_channels_create(s, d->output.pattern_count, d->output.patterns, d->output.places, &errors));
    }
    errors_text(&errors, size, all);
    kane_simulation_free(s);
    kane_model_free(model);
}

#endif
