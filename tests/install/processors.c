// SPDX-License-Identifier: MIT
// The state of a run after a time, bit by bit, and behind it the library that has computed it.
//
//   processors RUN.json TIME

#include <kane/kane.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    kane_errors errors = {0};
    Dl_info library;
    if (count != 3)
        return 2;
    kane_run *run                = kane_run_read(arguments[1], NULL, &errors);
    const kane_run_definition *d = run ? kane_run_get_definition(run) : NULL;
    kane_model *model            = d ? kane_model_create(d->vehicle, d->track, &d->drive, &d->model, &errors) : NULL;
    kane_simulation *s           = model ? kane_simulation_create(model, &d->settings, &d->conditions, &errors) : NULL;
    const int is_done            = s && kane_simulation_advance(s, strtod(arguments[2], NULL), &errors) == KANE_OK;
    for (int i = 0; is_done && i < kane_model_state_count(model); i++)
        printf("%a\n", kane_simulation_state(s)[i]);
    if (is_done && dladdr(dlsym(RTLD_DEFAULT, "kane_run_read"), &library))
        (void)fprintf(stderr, "%s\n", library.dli_fname);
    kane_simulation_free(s);
    kane_model_free(model);
    kane_run_free(run);
    return !is_done;
}
