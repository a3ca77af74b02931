// SPDX-License-Identifier: MIT
// kane export: a run as something that others compile or read. Chooses what.

#include "app.h"

static const app_choice exports[] = {
    {"c", "the compiled model and the code that evaluates it, as C without any library", export_c},
    {"equations", "its equations as straight-line C, Python, Octave or Modelica", export_equations},
};

int command_export(int argc, char **argv)
{
    static const app_choices among = {"export",  "export", "EXPORT",
                                      "Exports", exports,  sizeof exports / sizeof *exports};
    return app_choose(&among, argc, argv);
}
