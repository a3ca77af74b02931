// SPDX-License-Identifier: MIT
// A prescribed speed from limits along the line: as fast as they allow, with limited acceleration and braking.

#include "run/run_file.h"

#include "base/column_file.h"

#include <math.h>

// Limits: from at[i] on speed[i] holds.
typedef struct limits {
    int count;
    const double *at, *speed; // [m], [m/s]
    kane_column_file *sheet;  // NULL: they stand in the run file
    int columns[2];
} limits;

static kane_place place_of(const kane_speed_limits_input *in, const limits *l, int i, int is_speed)
{
    if (l->sheet)
        return kane_column_file_place(l->sheet, i, l->columns[is_speed]);
    return kane_block_place(&in->block, is_speed ? "speed" : "at", i);
}

static int read_file(kane_reader *reader, const kane_speed_limits_input *in, limits *l, kane_run_definition *run)
{
    static const char *const keys[2]  = {"chainage_column", "speed_column"};
    static const char *const units[2] = {"m", "m/s"};
    const char *const columns[2]      = {in->chainage_column, in->speed_column};
    const int before                  = reader->fault_count;
    for (int i = 0; i < 2; i++)
        if (!columns[i])
            kane_reader_fault(reader, &in->block, "file", "a file needs a \"%s\", \"NAME [%s]\"", keys[i],
                              i ? "km/h" : "km");
    if (reader->fault_count != before)
        return 0;
    l->sheet =
        kane_column_file_open(reader, kane_block_place(&in->block, "file", -1), in->file, "the file of limits", "run");
    if (l->sheet)
        kane_column_file_pass_preamble(l->sheet, 2, columns);
    for (int i = 0; l->sheet && i < 2; i++)
        l->columns[i] = kane_column_file_map(l->sheet, columns[i], kane_block_place(&in->block, keys[i], -1), units[i]);
    if (!l->sheet || reader->fault_count != before)
        return 0;
    l->sheet->ascending = l->columns[0];
    if (!kane_column_file_agree_units(l->sheet) || !kane_column_file_take_rows(l->sheet))
        return 0;
    l->count        = l->sheet->row_count;
    l->at           = l->sheet->columns[l->columns[0]].values;
    l->speed        = l->sheet->columns[l->columns[1]].values;
    run->speed_file = l->sheet->lines.file;
    return 1;
}

static int read_limits(kane_reader *reader, const kane_speed_limits_input *in, limits *l, kane_run_definition *run)
{
    static const char *const of_file[] = {"chainage_column", "speed_column"};
    const int before                   = reader->fault_count;
    const int has_list                 = kane_block_has(&in->block, "at") || kane_block_has(&in->block, "speed");
    if (in->file && has_list)
        kane_reader_fault(reader, &in->block, "file",
                          "limits stand either in a \"file\" or here, in \"at\" and \"speed\"");
    for (int i = 0; !in->file && i < 2; i++)
        if (kane_block_has(&in->block, of_file[i]))
            kane_reader_fault(reader, &in->block, of_file[i], "there is no \"file\" that has columns");
    if (reader->fault_count != before)
        return 0;
    if (in->file) {
        if (!read_file(reader, in, l, run))
            return 0;
    } else {
        *l = (limits){.count = in->at.count, .at = in->at.values, .speed = in->speed.values};
        if (in->at.count != in->speed.count) {
            kane_reader_fault(reader, &in->block, NULL, "has %d places and %d speeds; needs as many of both",
                              in->at.count, in->speed.count);
            return 0;
        }
    }
    if (l->count < 1) {
        kane_reader_fault(reader, &in->block, NULL, "has no limits, needs at least one");
        return 0;
    }
    for (int i = 0; i < l->count; i++) {
        if (i > 0 && !(l->at[i] > l->at[i - 1])) {
            kane_reader_report(reader, place_of(in, l, i, 0), "%g is not after %g: places must grow", l->at[i],
                               l->at[i - 1]);
            return 0;
        }
        if (!(l->speed[i] >= 0.0 && l->speed[i] <= 300.0)) {
            kane_reader_report(reader, place_of(in, l, i, 1),
                               "a limit of %g m/s is out of range, must be from 0 to 300 m/s; is it in another unit?",
                               l->speed[i]);
            return 0;
        }
        if (l->speed[i] == 0.0 && i + 1 < l->count) {
            kane_reader_report(reader, place_of(in, l, i, 1),
                               "the vehicle stops there, and the run ends: what is behind is never reached");
            return 0;
        }
    }
    return 1;
}

// v^2/2 [J/kg].
static double specific_energy(double speed)
{
    return 0.5 * speed * speed;
}

// The points of the speed over place, at most three a stretch; between them v^2/2 is linear. Backward: how fast it may
// be at each end so as to come down to what follows; forward: how fast it can be there.
static int find_points(const limits *l, const kane_speed_limits_input *in, double start, double speed, double *most,
                       double *at, double *v)
{
    const double gain = in->acceleration, loss = in->braking;
    int first = 0, count = 0;
    while (first + 1 < l->count && l->at[first + 1] <= start)
        first++;
    for (int i = l->count - 1; i > first; i--) { // at the beginning of stretch i
        most[i] = specific_energy(fmin(l->speed[i], l->speed[i - 1]));
        if (i + 1 < l->count)
            most[i] = fmin(most[i], most[i + 1] + loss * (l->at[i + 1] - l->at[i]));
    }
    double e = specific_energy(speed), s = start;
    at[count]  = s;
    v[count++] = speed;
    for (int i = first; i < l->count; i++) {
        const double limit = specific_energy(l->speed[i]);
        const double d     = i + 1 < l->count ? l->at[i + 1] - s : HUGE_VAL;
        const double end   = i + 1 < l->count ? fmin(most[i + 1], e + gain * d) : limit;
        const double up = (limit - e) / gain, down = (limit - end) / loss;
        if (up + down <= d) { // up to the limit, along it, and down
            if (up > 0.0) {
                at[count]  = s + up;
                v[count++] = l->speed[i];
            }
            if (down > 0.0) {
                at[count]  = s + d - down;
                v[count++] = l->speed[i];
            }
        } else { // it has to brake before it has come to the limit
            const double peak = (gain * loss * d + loss * e + gain * end) / (gain + loss), way = (peak - e) / gain;
            if (way > 0.0 && way < d) {
                at[count]  = s + way;
                v[count++] = sqrt(2.0 * peak);
            }
        }
        if (i + 1 == l->count)
            break;
        s += d;
        s          = l->at[i + 1];
        e          = end;
        at[count]  = s;
        v[count++] = sqrt(2.0 * end);
    }
    int kept = 1;
    for (int i = 1; i < count; i++) // stretches of no length
        if (at[i] > at[kept - 1] + 1e-9) {
            at[kept]  = at[i];
            v[kept++] = v[i];
        }
    return kept;
}

// Where it starts: on the line of limits, not above what they allow there.
static int check_start(kane_reader *reader, const kane_run_file *file, const limits *l, double *most)
{
    const kane_speed_limits_input *in = &file->speed_limits;
    const double s = file->start.at, v = file->start.speed;
    if (l->at[0] > s) {
        kane_reader_report(reader, place_of(in, l, 0, 0),
                           "the first limit begins at %g m, must begin at the start, %g m, or before it", l->at[0], s);
        return 0;
    }
    int first = 0;
    while (first + 1 < l->count && l->at[first + 1] <= s)
        first++;
    double allowed = specific_energy(l->speed[first]);
    if (first + 1 < l->count)
        allowed = fmin(allowed, most[first + 1] + in->braking * (l->at[first + 1] - s));
    if (specific_energy(v) > allowed * (1.0 + 1e-9)) {
        kane_reader_fault(reader, &file->start.block, "speed",
                          "%g m/s is more than the limits and the way to brake allow here, %.6g m/s", v,
                          sqrt(2.0 * allowed));
        return 0;
    }
    return 1;
}

int kane_run_limits(kane_reader *reader, const kane_run_file *file, kane_run_definition *run, kane_numbers *places,
                    kane_numbers *speeds)
{
    const kane_speed_limits_input *in = &file->speed_limits;
    limits l                          = {0};
    if (!read_limits(reader, in, &l, run))
        return 0;
    const size_t room = 3 * (size_t)l.count + 2;
    double *most = kane_arena_doubles(reader->arena, room), *at = kane_arena_doubles(reader->arena, room),
           *v = kane_arena_doubles(reader->arena, room);
    if (!most || !at || !v) {
        kane_reader_no_memory(reader, kane_block_place(&in->block, NULL, -1));
        return 0;
    }
    const int count = find_points(&l, in, file->start.at, file->start.speed, most, at, v);
    if (!check_start(reader, file, &l, most))
        return 0;
    *places = (kane_numbers){at, count};
    *speeds = (kane_numbers){v, count};
    return 1;
}
