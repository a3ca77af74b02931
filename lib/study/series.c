// SPDX-License-Identifier: MIT
// A run in memory.

#include "study/series.h"

#include "base/arena.h"
#include "run/rows.h"

#include <stdio.h>
#include <string.h>

typedef struct collector {
    kane_series *series;
    kane_simulation *simulation;
    kane_channels *channels;
    double *row;
    int room;
} collector;

static int grow(collector *c)
{
    const int room = c->room ? 2 * c->room : 1024;
    for (int i = 0; i < c->series->column_count; i++) {
        double *larger = kane_allocate((size_t)room, sizeof *larger);
        if (!larger)
            return 0;
        if (c->series->column[i])
            memcpy(larger, c->series->column[i], (size_t)c->series->row_count * sizeof *larger);
        kane_release(c->series->column[i]);
        c->series->column[i] = larger;
    }
    c->room = room;
    return 1;
}

static kane_status collect(void *data)
{
    collector *c   = data;
    kane_series *s = c->series;
    if (s->row_count == c->room && !grow(c))
        return KANE_NO_MEMORY;
    kane_channels_read(c->channels, c->simulation, c->row);
    for (int i = 0; i < s->column_count; i++)
        s->column[i][s->row_count] = c->row[i];
    s->row_count++;
    return KANE_OK;
}

static int name_columns(kane_series *s, const kane_channels *channels)
{
    s->column_count = kane_channels_count(channels);
    s->name         = kane_allocate((size_t)s->column_count, sizeof *s->name);
    s->unit         = kane_allocate((size_t)s->column_count, sizeof *s->unit);
    s->column       = kane_allocate((size_t)s->column_count, sizeof *s->column);
    if (!s->name || !s->unit || !s->column)
        return 0;
    for (int i = 0; i < s->column_count; i++) {
        const kane_channel_info *info = kane_channels_info(channels, i);
        (void)snprintf(s->name[i], sizeof s->name[i], "%s", info->name);
        (void)snprintf(s->unit[i], sizeof s->unit[i], "%s", info->unit);
    }
    return 1;
}

// All rows, and what became of the run. Returns 0 without memory; a run that fails keeps what it has reached.
static int go(collector *c, const kane_run_definition *run, kane_errors *errors)
{
    if (kane_rows_go(c->simulation, run->output.every, collect, c, errors) == KANE_NO_MEMORY)
        return 0;
    c->series->stop = kane_simulation_stop(c->simulation);
    (void)snprintf(c->series->subject, sizeof c->series->subject, "%s", kane_simulation_stop_subject(c->simulation));
    return 1;
}

kane_series *kane_series_create(const kane_run_definition *run, int pattern_count, const char *const *patterns,
                                kane_errors *errors)
{
    collector c       = {0};
    int complete      = 0;
    kane_model *model = kane_model_create(run->vehicle, run->track, &run->drive, &run->model, errors);
    c.simulation      = model ? kane_simulation_create(model, &run->settings, &run->conditions, errors) : NULL;
    c.channels        = c.simulation ? kane_channels_create(c.simulation, pattern_count, patterns, NULL, errors) : NULL;
    if (c.channels) {
        c.series = kane_allocate(1, sizeof *c.series);
        c.row    = kane_allocate((size_t)kane_channels_count(c.channels), sizeof *c.row);
        complete = c.series && c.row && name_columns(c.series, c.channels) && go(&c, run, errors);
        if (!complete)
            kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    }
    kane_release(c.row);
    kane_channels_free(c.channels);
    kane_simulation_free(c.simulation);
    kane_model_free(model);
    if (!complete) {
        kane_series_free(c.series);
        return NULL;
    }
    return c.series;
}

void kane_series_free(kane_series *s)
{
    if (!s)
        return;
    for (int i = 0; s->column && i < s->column_count; i++)
        kane_release(s->column[i]);
    kane_release(s->column);
    kane_release(s->name);
    kane_release(s->unit);
    kane_release(s);
}

int kane_series_find(const kane_series *s, const char *name)
{
    for (int i = 0; i < s->column_count; i++)
        if (strcmp(s->name[i], name) == 0)
            return i;
    return -1;
}

kane_status kane_series_write(const kane_series *s, const char *file, kane_errors *errors)
{
    const size_t count   = (size_t)s->column_count;
    kane_column *columns = kane_allocate(count, sizeof *columns);
    double *row          = kane_allocate(count, sizeof *row);
    kane_status status   = columns && row ? KANE_OK : KANE_NO_MEMORY;
    if (status == KANE_OK) {
        for (int i = 0; i < s->column_count; i++)
            columns[i] = (kane_column){s->name[i], s->unit[i], ""};
        kane_recorder *recorder = kane_recorder_create(file, KANE_CSV, s->column_count, columns, NULL, errors);
        status                  = recorder ? KANE_OK : KANE_NO_FILE;
        for (int k = 0; recorder && k < s->row_count && status == KANE_OK; k++) {
            for (int i = 0; i < s->column_count; i++)
                row[i] = s->column[i][k];
            status = kane_recorder_add(recorder, row, errors);
        }
        const kane_status closed = recorder ? kane_recorder_close(recorder, NULL, errors) : KANE_OK;
        status                   = status == KANE_OK ? closed : status;
    }
    kane_release(columns);
    kane_release(row);
    return status;
}
