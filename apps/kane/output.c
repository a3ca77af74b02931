// SPDX-License-Identifier: MIT
// What commands tabulate, written to the files that their options name.

#include "app.h"

void app_take_output(const app_option *option, char *file, void *member, struct argp_state *state)
{
    app_outputs *o                 = member;
    const kane_table_format format = kane_table_format_of(file);
    (void)option;
    if (format == KANE_TABLE_FORMATS)
        argp_error(state, "%s: a picture's name ends in .svg or .png, a table's in .csv, .json, .h5 or .txt", file);
    if (o->count >= APP_OUTPUTS_MOST)
        argp_error(state, "more than %d files", (int)APP_OUTPUTS_MOST);
    o->files[o->count++] = (struct app_output){file, format};
    o->tables += format != KANE_TABLE_PICTURE;
}

// file NULL: standard output.
static int write_text_file(const kane_table_report *report, kane_table_format format, const char *file,
                           kane_errors *errors)
{
    FILE *out = app_open_table(file, errors);
    if (!out)
        return 0;
    const int good = kane_table_report_write(report, format, file, out, errors) == KANE_OK;
    return app_close_table(out, file, errors) && good;
}

int app_write_report(const app_outputs *o, kane_table_format usual, const kane_table_report *report,
                     kane_errors *errors)
{
    int good = o->tables > 0 || usual == KANE_TABLE_FORMATS || write_text_file(report, usual, NULL, errors);
    for (int i = 0; i < o->count && good; i++)
        good = o->files[i].format < KANE_TABLE_HDF5
                   ? write_text_file(report, o->files[i].format, o->files[i].file, errors)
                   : kane_table_report_write(report, o->files[i].format, o->files[i].file, NULL, errors) == KANE_OK;
    return good;
}
