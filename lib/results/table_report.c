// SPDX-License-Identifier: MIT
// Tables as pictures, and reports as files of any kind.

#include "results/results.h"

#include "results/table.h"

#include <math.h>
#include <string.h>

// --- tables as pictures ---

static const double LEAST_OF_LOG = 1e-30; // on a logarithmic axis, of the largest value: less is rounding

static double *column_values(const kane_table *t, int column, kane_figure *f)
{
    const double factor = t->columns[column].curve.factor;
    double *values = kane_figure_values(f, (size_t)t->rows + 1), largest = 0.0;
    for (int row = 0; values && row < t->rows; row++) {
        values[row] = kane_table_at(t, row, column)->number * (factor != 0.0 ? factor : 1.0);
        largest     = fmax(largest, fabs(values[row]));
    }
    for (int row = 0; values && row < t->rows && t->scale == KANE_PLOT_LOG; row++)
        if (values[row] <= LEAST_OF_LOG * largest)
            values[row] = (double)NAN;
    return values;
}

// Columns of one panel have its label, or else the unit of its first one.
static int is_of_panel(const kane_table *t, int first, int column)
{
    const kane_table_column *a = &t->columns[first], *b = &t->columns[column];
    if (a->curve.panel || b->curve.panel)
        return a->curve.panel && b->curve.panel && strcmp(a->curve.panel, b->curve.panel) == 0;
    return strcmp(a->unit ? a->unit : "", b->unit ? b->unit : "") == 0;
}

static int is_drawn(const kane_table *t, int column)
{
    const char *panel = t->columns[column].curve.panel;
    return !(panel && !panel[0]) && kane_table_is_numeric(t, column);
}

// The first column of the panel that a column is of.
static int first_of_panel(const kane_table *t, int column)
{
    for (int c = 1; c < column; c++)
        if (is_drawn(t, c) && is_of_panel(t, c, column))
            return c;
    return column;
}

static const char *panel_label(const kane_table *t, int first, kane_figure *f)
{
    char label[256];
    const char *common = t->columns[first].name;
    if (t->columns[first].curve.panel)
        return t->columns[first].curve.panel;
    for (int c = first; c < t->column_count; c++)
        if (is_drawn(t, c) && is_of_panel(t, first, c))
            common = common[0] ? kane_plot_common_end(common, t->columns[c].name) : "";
    kane_plot_axis_label(common, t->columns[first].unit ? t->columns[first].unit : "1", sizeof label, label);
    return kane_figure_text(f, "%s", label);
}

static void draw_panel(const kane_table *t, int first, const char *x_label, const double *x, kane_figure *f)
{
    const int panel = kane_figure_add(f, t->title, x_label, panel_label(t, first, f));
    int curves      = 0;
    kane_figure_scale(f, panel, t->scale, t->scale);
    for (int c = first; c < t->column_count; c++) {
        const kane_table_column *column = &t->columns[c];
        if (!is_drawn(t, c) || !is_of_panel(t, first, c))
            continue;
        const char *label = column->curve.label ? column->curve.label : column->name;
        kane_figure_curve(f, panel,
                          (kane_plot_curve){.label  = label[0] ? label : NULL,
                                            .count  = t->rows,
                                            .x      = x,
                                            .y      = column_values(t, c, f),
                                            .style  = column->curve.style,
                                            .colour = column->curve.colour ? column->curve.colour - 1 : curves});
        curves++;
    }
}

void kane_table_draw(const kane_table *t, kane_figure *f)
{
    const kane_table_column *along = t->columns;
    if (t->column_count < 2 || !kane_table_is_numeric(t, 0))
        return;
    const char *x_label = along->curve.panel ? along->curve.panel
                                             : kane_figure_text(f, "%s [%s]", along->name,
                                                                along->unit && along->unit[0] ? along->unit : "1");
    const double *x     = column_values(t, 0, f);
    for (int c = 1; c < t->column_count && x; c++)
        if (is_drawn(t, c) && first_of_panel(t, c) == c)
            draw_panel(t, c, x_label, x, f);
}

// --- reports ---

kane_table_format kane_table_format_of(const char *file)
{
    static const struct {
        const char *end;
        kane_table_format format;
    } ends[]            = {{".txt", KANE_TABLE_TEXT}, {".csv", KANE_TABLE_CSV},     {".json", KANE_TABLE_JSON},
                           {".h5", KANE_TABLE_HDF5},  {".svg", KANE_TABLE_PICTURE}, {".png", KANE_TABLE_PICTURE}};
    const size_t length = strlen(file);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t own = strlen(ends[i].end);
        if (length > own && strcmp(file + length - own, ends[i].end) == 0)
            return ends[i].format;
    }
    return KANE_TABLE_FORMATS;
}

// The title, what is above, the tables that have rows, what is below; between them an empty line.
static void write_text(const kane_table_report *r, FILE *out)
{
    const kane_table *tables = r->text_tables ? r->text_tables : r->tables;
    const int count          = r->text_tables ? r->text_count : r->table_count;
    int parts                = r->title || r->above;
    if (r->title)
        (void)fprintf(out, "%s\n", r->title);
    if (r->above)
        r->above(out, r->data);
    for (int i = 0; i < count; i++) {
        const kane_table *t = &tables[i];
        const char *about   = t->about ? t->about : t->title;
        if (t->rows == 0 && count > 1)
            continue;
        if (parts++ > 0)
            (void)fputc('\n', out);
        if (about && about[0])
            (void)fprintf(out, "%s\n", about);
        kane_table_print(t, t->rows, t->column_count, out);
    }
    if (r->below)
        r->below(out, r->data);
}

static void write_csv(const kane_table_report *r, FILE *out)
{
    for (int i = 0; i < r->table_count; i++) {
        if (r->table_count > 1)
            (void)fprintf(out, "%s# %s\n", i > 0 ? "\n" : "", r->tables[i].title ? r->tables[i].title : "");
        kane_table_write_csv(&r->tables[i], out);
    }
}

static void write_json(const kane_table_report *r, FILE *out)
{
    kane_writer w = kane_writer_start(out);
    if (r->json)
        kane_writer_open(&w, NULL, '{');
    else
        kane_writer_document(&w, r->table_count == 1 ? "table 1" : "tables 1");
    if (r->json || r->json_above)
        (r->json ? r->json : r->json_above)(&w, r->data);
    for (int i = 0; i < r->table_count && !r->json; i++) {
        if (r->table_count > 1)
            kane_writer_open(&w, r->tables[i].title, '{');
        kane_table_write_json(&r->tables[i], &w);
        if (r->table_count > 1)
            kane_writer_close(&w);
    }
    kane_writer_close(&w);
    (void)kane_writer_end(&w); // what cannot be written the file itself remembers
}

static kane_status draw_picture(const kane_table_report *r, const char *file, kane_errors *errors)
{
    kane_figure figure = kane_figure_begin();
    if (!figure.arena)
        return kane_no_memory(errors);
    figure.plot.title = r->title;
    int good          = r->draw ? r->draw(&figure, r->data, errors) : 1;
    for (int i = 0; i < r->table_count && !r->draw; i++)
        kane_table_draw(&r->tables[i], &figure);
    if (good && !kane_arena_failed(figure.arena) && figure.plot.panel_count == 0) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "there is nothing to draw");
        good = 0;
    }
    const kane_status status = good ? kane_figure_draw(&figure, file, errors) : KANE_BAD_ARGUMENT;
    kane_figure_drop(&figure);
    return status;
}

static int has_memory(const kane_table_report *r)
{
    for (int i = 0; i < r->table_count + r->text_count; i++) {
        const kane_table *t = i < r->table_count ? &r->tables[i] : &r->text_tables[i - r->table_count];
        if (!t->arena || kane_arena_failed(t->arena))
            return 0;
    }
    return 1;
}

kane_status kane_table_report_write(const kane_table_report *r, kane_table_format format, const char *file, FILE *out,
                                    kane_errors *errors)
{
    if (!has_memory(r))
        return kane_no_memory(errors);
    switch (format) {
    case KANE_TABLE_TEXT: write_text(r, out); break;
    case KANE_TABLE_CSV: write_csv(r, out); break;
    case KANE_TABLE_JSON: write_json(r, out); break;
    case KANE_TABLE_HDF5: return kane_table_write_hdf(r->table_count, r->tables, file, errors);
    default: return draw_picture(r, file, errors);
    }
    return has_memory(r) ? KANE_OK : kane_no_memory(errors);
}
