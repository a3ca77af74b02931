// SPDX-License-Identifier: MIT
// Measured irregularities from a file of columns, with libkane's own names or with names that the track file maps;
// their signs, and what wavelengths are kept of them.

#include "track/track_file.h"

#include "base/column_file.h"
#include "base/text.h"
#include "profile/curve.h"
#include "track/waves.h"

#include <math.h>
#include <string.h>

enum { CHAINAGE = -1, SKIPPED = -2 };

typedef enum lateral_sign { LATERAL_LEFT, LATERAL_RIGHT, LATERAL_OUTSIDE, LATERAL_INSIDE } lateral_sign;

typedef struct records {
    kane_reader *reader;
    const kane_record_input *in;
    kane_column_file *table;
    int kinds[KANE_COLUMN_FILE_COLUMNS]; // kane_irregularity_kind, CHAINAGE or SKIPPED
    kane_place places[KANE_COLUMN_FILE_COLUMNS];
} records;

// --- libkane's own names ---

static int is_ignored(const kane_record_input *in, const char *name)
{
    for (int i = 0; i < in->ignore.count; i++)
        if (strcmp(in->ignore.values[i], name) == 0)
            return 1;
    return 0;
}

// The meaning of a column by its name; reports one that means nothing, or what another column means.
static void name_column(records *t, int k)
{
    static const char *const names[] = {"chainage",     "lateral",       "vertical",      "cross_level",   "gauge",
                                        "left_lateral", "left_vertical", "right_lateral", "right_vertical"};
    const kane_names known           = {names, KANE_IRREGULARITY_KINDS + 1, sizeof *names};
    const char *name                 = t->table->columns[k].name;
    t->kinds[k]                      = SKIPPED;
    if (is_ignored(t->in, name))
        return;
    const int found = kane_names_find(known, name);
    if (found < 0) {
        char hint[256];
        kane_text text = kane_text_start(sizeof hint, hint);
        kane_names_hint(&text, known, name);
        kane_reader_report(t->reader, t->places[k],
                           "no kind of irregularity is called '%s'%s; other columns must be named in \"ignore\"", name,
                           hint);
        return;
    }
    for (int i = 0; i < k; i++)
        if (t->kinds[i] == found - 1)
            kane_reader_report(t->reader, t->places[k], "there are two columns '%s'", name);
    t->kinds[k] = found - 1;
    kane_column_file_want(t->table, k, "m");
}

// Every name in "ignore" must be that of a column.
static void check_ignored(const records *t)
{
    for (int i = 0; i < t->in->ignore.count; i++)
        if (kane_column_file_find(t->table, t->in->ignore.values[i]) < 0)
            kane_reader_report(t->reader, kane_block_place(&t->in->block, "ignore", i), "the file has no column '%s'",
                               t->in->ignore.values[i]);
}

static void take_own_names(records *t)
{
    int has_chainage = 0, kinds = 0;
    for (int k = 0; k < t->table->column_count; k++) {
        name_column(t, k);
        has_chainage = has_chainage || t->kinds[k] == CHAINAGE;
        kinds += t->kinds[k] >= 0;
    }
    check_ignored(t);
    if (kane_reader_status(t->reader) == KANE_OK && (!has_chainage || kinds == 0))
        kane_reader_report(t->reader, kane_lines_place(&t->table->lines, NULL),
                           "the first line must name a column 'chainage' and at least one kind of irregularity");
}

// --- names that the track file maps ---

static void map_column(records *t, const char *mapping, const char *key, int kind)
{
    if (!mapping)
        return;
    const int k = kane_column_file_map(t->table, mapping, kane_block_place(&t->in->columns.block, key, -1), "m");
    if (k < 0)
        return;
    t->kinds[k] = kind;
}

static void take_mapped_names(records *t)
{
    const kane_record_input *in = t->in;
    const kane_place place      = kane_block_place(&in->columns.block, NULL, -1);
    int kinds                   = 0;
    for (int k = 0; k < t->table->column_count; k++)
        t->kinds[k] = SKIPPED;
    map_column(t, in->columns.chainage, "chainage", CHAINAGE);
    for (int kind = 0; kind < KANE_IRREGULARITY_KINDS; kind++) {
        map_column(t, in->columns.kinds[kind], kane_irregularity_names[kind], kind);
        kinds += in->columns.kinds[kind] != NULL;
    }
    if (kinds == 0)
        kane_reader_report(t->reader, place,
                           "names no kind of irregularity; at least one is needed, as in \"vertical\": \"z [mm]\"");
    const int counts = kane_block_has(&in->block, "from") && kane_block_has(&in->block, "step");
    if (!in->columns.chainage && !counts)
        kane_reader_report(
            t->reader, place,
            "names no \"chainage\"; a file that has none needs \"from\" and \"step\" beside \"columns\"");
    if (in->ignore.count > 0)
        kane_reader_fault(t->reader, &in->block, "ignore",
                          "with \"columns\" nothing can be ignored: what they do not name is left out");
}

static void check_keys(const records *t)
{
    const kane_record_input *in      = t->in;
    int has[KANE_IRREGULARITY_KINDS] = {0}, has_chainage = 0;
    for (int k = 0; k < t->table->column_count; k++) {
        has_chainage = has_chainage || t->kinds[k] == CHAINAGE;
        if (t->kinds[k] >= 0)
            has[t->kinds[k]] = 1;
    }
    for (int k = 0; has_chainage && k < 2; k++)
        kane_reader_forbid(t->reader, &in->block, k ? "step" : "from", "the file has a chainage; leave this out");
    if (!has[KANE_GAUGE])
        kane_reader_forbid(t->reader, &in->block, "nominal_gauge", "the file has no gauge; leave this out");
    if (!has[KANE_CROSS_LEVEL])
        kane_reader_forbid(t->reader, &in->block, "cross_level_positive",
                           "the file has no cross_level; leave this out");
    if (has[KANE_LATERAL] && in->lateral_positive >= LATERAL_OUTSIDE)
        kane_reader_forbid(t->reader, &in->block, "lateral_positive",
                           "the mean of both rails has no outside; \"left\" or \"right\"");
    if (in->shortest > 0.0 && in->longest > 0.0 && !(in->shortest < in->longest))
        kane_reader_fault(t->reader, &in->block, "min_wavelength",
                          "a shortest wavelength of %g m leaves nothing below the longest, %g m", in->shortest,
                          in->longest);
}

// --- values ---

// What a column is multiplied by to be what its kind means.
static double sign_of(const kane_record_input *in, int kind)
{
    const int left = kind == KANE_LEFT_LATERAL;
    switch (kind) {
    case KANE_LATERAL:
    case KANE_LEFT_LATERAL:
    case KANE_RIGHT_LATERAL:
        switch ((lateral_sign)in->lateral_positive) {
        case LATERAL_LEFT: return 1.0;
        case LATERAL_RIGHT: return -1.0;
        case LATERAL_OUTSIDE: return left ? 1.0 : -1.0;
        case LATERAL_INSIDE: return left ? -1.0 : 1.0;
        }
        return 1.0;
    case KANE_VERTICAL:
    case KANE_LEFT_VERTICAL:
    case KANE_RIGHT_VERTICAL: return in->vertical_positive == 0 ? 1.0 : -1.0;
    case KANE_CROSS_LEVEL: return in->cross_level_positive == 0 ? 1.0 : -1.0;
    default: return 1.0;
    }
}

// Splits values by wavelength: what is longer (half of it at this wavelength), and the rest.
static int split_wavelengths(kane_reader *reader, int count, const double *at, const double *value, double wavelength,
                             double *longer)
{
    kane_arena *scratch = kane_arena_create();
    const size_t n      = (size_t)count;
    double *h           = scratch ? kane_arena_doubles(scratch, n) : NULL;
    double *weight      = scratch ? kane_arena_doubles(scratch, n) : NULL;
    kane_smoothing s    = {.count = count, .h = h, .weight = weight, .columns = 1, .y = {value}};
    int made            = 0;
    if (scratch) {
        s.shift[0] = kane_arena_doubles(scratch, n);
        s.bend[0]  = kane_arena_doubles(scratch, n);
        s.work     = kane_arena_doubles(scratch, KANE_SMOOTHING_WORK * n);
        made       = !kane_arena_failed(scratch);
    }
    if (made) {
        for (int i = 0; i + 1 < count; i++) {
            h[i] = at[i + 1] - at[i];
            weight[i] += 0.5 * h[i];
            weight[i + 1] += 0.5 * h[i];
        }
        (void)kane_smoothing_solve(&s, kane_smoothing_strength(wavelength));
        for (int i = 0; i < count; i++)
            longer[i] = value[i] - s.shift[0][i];
    } else {
        kane_reader_no_memory(reader, (kane_place){0});
    }
    kane_arena_free(scratch);
    return made;
}

static void finish_record(const records *t, const double *at, kane_record_definition *d, double *value)
{
    const kane_record_input *in = t->in;
    const int count             = t->table->row_count;
    const double sign           = sign_of(in, d->kind);
    const double off            = d->kind == KANE_GAUGE ? in->nominal_gauge : 0.0;
    for (int i = 0; i < count; i++)
        value[i] = sign * (value[i] - off) * in->scale;
    double *other = kane_arena_doubles(t->reader->arena, (size_t)count);
    if (!other || count < 2)
        return;
    if (in->longest > 0.0 && split_wavelengths(t->reader, count, at, value, in->longest, other))
        for (int i = 0; i < count; i++)
            value[i] -= other[i];
    if (in->longest > 0.0)
        for (int i = 0; i < count; i++)
            d->longer = fmax(d->longer, fabs(other[i]));
    if (in->shortest > 0.0 && split_wavelengths(t->reader, count, at, value, in->shortest, other))
        for (int i = 0; i < count; i++) {
            d->shorter = fmax(d->shorter, fabs(value[i] - other[i]));
            value[i]   = other[i];
        }
}

static int make_records(const records *t, kane_record_definition *out)
{
    const kane_record_input *in   = t->in;
    const kane_column_file *table = t->table;
    const int rows                = table->row_count;
    const double *at              = NULL;
    int count                     = 0;
    for (int k = 0; k < table->column_count; k++)
        if (t->kinds[k] == CHAINAGE)
            at = table->columns[k].values;
    if (!at) {
        double *places = kane_arena_doubles(t->reader->arena, (size_t)rows + 1);
        for (int i = 0; places && i < rows; i++)
            places[i] = in->from + i * in->step;
        at = places;
    }
    for (int k = 0; at && k < table->column_count; k++) {
        if (t->kinds[k] < 0)
            continue;
        out[count] = (kane_record_definition){.kind        = (kane_irregularity_kind)t->kinds[k],
                                              .point_count = rows,
                                              .at          = at,
                                              .value       = table->columns[k].values,
                                              .shortest    = in->shortest,
                                              .longest     = in->longest,
                                              .place       = t->places[k]};
        finish_record(t, at, &out[count++], table->columns[k].values);
    }
    return count;
}

// Recording cars write lines of their own before the names.
static void pass_preamble(const records *t, int is_mapped)
{
    const char *names[KANE_IRREGULARITY_KINDS + 1] = {is_mapped ? t->in->columns.chainage : "chainage"};
    for (int kind = 0; is_mapped && kind < KANE_IRREGULARITY_KINDS; kind++)
        names[kind + 1] = t->in->columns.kinds[kind];
    kane_column_file_pass_preamble(t->table, KANE_IRREGULARITY_KINDS + 1, names);
}

int kane_record_read(kane_reader *reader, const kane_record_input *in, kane_record_definition *out)
{
    const kane_place place = kane_block_place(&in->block, "file", -1);
    const int before       = reader->fault_count;
    records *t             = kane_arena_alloc(reader->arena, 1, sizeof *t);
    if (!t) {
        kane_reader_no_memory(reader, place);
        return 0;
    }
    *t       = (records){.reader = reader, .in = in};
    t->table = kane_column_file_open(reader, place, in->file, "the file of irregularities", "track");
    if (!t->table)
        return 0;
    const int is_mapped = in->columns.block.node != NULL;
    pass_preamble(t, is_mapped);
    for (int k = 0; k < t->table->column_count; k++)
        t->places[k] = t->table->columns[k].place;
    if (is_mapped)
        take_mapped_names(t);
    else
        take_own_names(t);
    if (reader->fault_count == before)
        check_keys(t);
    for (int k = 0; k < t->table->column_count; k++)
        if (t->kinds[k] == CHAINAGE)
            t->table->ascending = k;
    if (reader->fault_count != before ||
        !(is_mapped ? kane_column_file_agree_units(t->table) : kane_column_file_take_units(t->table)) ||
        !kane_column_file_take_rows(t->table))
        return 0;
    return make_records(t, out);
}
