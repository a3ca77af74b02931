// SPDX-License-Identifier: MIT
// Pictures of studies: labels of their axes, files in their directory.

#include "study/study.h"

#include <stdio.h>

const char *kane_figure_axis(kane_figure *f, const kane_axis *axis, int has_unit)
{
    char label[512];
    kane_axis_label(axis, has_unit, sizeof label, label);
    return kane_figure_text(f, "%s", label);
}

int kane_figure_end(kane_figure *f, const kane_study *study, const char *name)
{
    static const char *const formats[] = {"svg", "png"};
    int good                           = f->arena && !kane_arena_failed(f->arena);
    if (!good)
        (void)kane_no_memory(study->errors);
    for (int i = 0; i < 2 && good && f->plot.panel_count > 0; i++) {
        char file[4200];
        (void)snprintf(file, sizeof file, "%s/%s.%s", study->directory, name, formats[i]);
        good = kane_figure_draw(f, file, study->errors) == KANE_OK;
    }
    if (good && study->files && f->plot.panel_count > 0 && ++*study->pictures == 1)
        for (const char *const *file = study->files; good && file && *file; file++)
            if (kane_table_format_of(*file) == KANE_TABLE_PICTURE)
                good = kane_figure_draw(f, *file, study->errors) == KANE_OK;
    kane_figure_drop(f);
    return good;
}
