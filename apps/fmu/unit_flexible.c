// SPDX-License-Identifier: MIT
// Flexible bodies of units: they have been reduced when the unit was written. The linker takes this function in place
// of the library's, and leaves out what it takes to reduce a body (finite elements, ARPACK, CHOLMOD, LAPACK).

#include "flexible/model.h"

const kane_flexible_data *kane_flexible_load(kane_arena *arena, const char *file, const char *const *settings,
                                             kane_errors *errors)
{
    (void)settings; // vehicles have none
    if (kane_flexible_is_reduced(file))
        return kane_flexible_load_reduced(arena, file, errors);
    kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = file, .path = ""},
                          "is no reduced body; units hold flexible bodies as kane fmu has reduced them");
    return NULL;
}
