// SPDX-License-Identifier: MIT
// SIMPACK's files .prw and .prr, version 1: a header, settings of how points are processed, points. What is processed
// here are the points as the file's own program would, in its order: thinned, shifted, turned, cut, mirrored. Their
// order and the names of other files mean nothing here.

#include "profile/profile.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

// What a file may say of processing.
typedef struct processing {
    double dist_min, shift_y, shift_z, rotate, y_min, y_max, z_min, z_max, mirror_y, mirror_z;
    double unit_length, unit_angle; // of the user per metre, per radian
    double smooth, type, version;
} processing;

static const struct {
    const char *name;
    size_t offset;
} known[] = {{"approx.smooth", offsetof(processing, smooth)},  {"point.dist.min", offsetof(processing, dist_min)},
             {"shift.y", offsetof(processing, shift_y)},       {"shift.z", offsetof(processing, shift_z)},
             {"rotate", offsetof(processing, rotate)},         {"bound.y.min", offsetof(processing, y_min)},
             {"bound.y.max", offsetof(processing, y_max)},     {"bound.z.min", offsetof(processing, z_min)},
             {"bound.z.max", offsetof(processing, z_max)},     {"mirror.y", offsetof(processing, mirror_y)},
             {"mirror.z", offsetof(processing, mirror_z)},     {"units.len.f", offsetof(processing, unit_length)},
             {"units.ang.f", offsetof(processing, unit_angle)}};

// Keys without effect on the points.
static const char *const idle[] = {"file", "file.mtime", "comment", "type", "inversion", "units.len", "units.ang"};

static int read_number(kane_lines *r, const char *key, const char *value, double *number)
{
    if (kane_lines_number(value, strlen(value), number))
        return 1;
    kane_lines_fault(r, r->begin, "%s: '%.40s' is not a number", key, value);
    return 0;
}

static void set_processing(kane_lines *r, processing *p, const char *key, const char *value)
{
    double number = 0.0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(key, known[i].name) == 0) {
            if (read_number(r, key, value, &number))
                *(double *)(void *)((char *)p + known[i].offset) = number;
            return;
        }
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (strcmp(key, idle[i]) == 0)
            return;
    if (kane_lines_number(value, strlen(value), &number) && number == 0.0)
        return; // unknown, but zero: no effect
    char text[300];
    kane_text hint = kane_text_start(sizeof text, text);
    kane_names_hint(&hint, (kane_names){known, (int)(sizeof known / sizeof *known), sizeof *known}, key);
    kane_lines_fault(r, r->begin, "'%.40s' is not known here and could change the points%s", key, text);
}

static void read_point(kane_lines *r, raw_points *q, const processing *p)
{
    double numbers[KANE_LINE_NUMBERS];
    const int count = kane_lines_numbers(r, ",;", numbers);
    if (count < 0)
        return;
    if (count != 2 && count != 3) {
        kane_lines_fault(r, r->begin, "found %d numbers, expected y, z and perhaps a weight", count);
        return;
    }
    if (p->dist_min > 0.0 && q->count > 0 &&
        hypot(numbers[0] - q->y[q->count - 1], numbers[1] - q->z[q->count - 1]) < p->dist_min)
        return;
    kane_points_add(q, r, numbers[0], numbers[1], count == 3 ? numbers[2] : 1.0);
}

static int is_cut(double value, double least, double most)
{
    return least < most && !(value >= least && value <= most);
}

static void process_points(raw_points *q, const processing *p)
{
    const double angle = p->unit_angle > 0.0 ? p->rotate / p->unit_angle : p->rotate;
    const double c = cos(angle), s = sin(angle);
    int kept = 0;
    for (int i = 0; i < q->count; i++) {
        const double y0 = q->y[i] + p->shift_y, z0 = q->z[i] + p->shift_z;
        const double y = y0 * c - z0 * s, z = y0 * s + z0 * c;
        if (is_cut(y, p->y_min, p->y_max) || is_cut(z, p->z_min, p->z_max))
            continue;
        q->y[kept]      = p->mirror_y != 0.0 ? -y : y;
        q->z[kept]      = p->mirror_z != 0.0 ? -z : z;
        q->weight[kept] = q->weight[i];
        q->line[kept++] = q->line[i];
    }
    q->count = kept;
}

void kane_read_simpack(kane_lines *r, raw_points *points, file_says *says)
{
    enum { OUTSIDE, HEADER, SPLINE, POINTS } part = OUTSIDE;
    processing p                                  = {.y_min = 1.0, .z_min = 1.0, .type = -1.0, .version = 1.0};
    char key[128], value[128];
    while (kane_lines_next(r, "!")) {
        const size_t length = (size_t)(r->end - r->begin);
#define IS(word) (length == sizeof(word) - 1 && memcmp(r->begin, word, length) == 0)
        if (IS("header.begin"))
            part = HEADER;
        else if (IS("spline.begin"))
            part = SPLINE;
        else if (IS("point.begin"))
            part = POINTS;
        else if (IS("point.end"))
            part = SPLINE;
        else if (IS("header.end") || IS("spline.end"))
            part = OUTSIDE;
        else if (part == POINTS)
            read_point(r, points, &p);
        else if (!kane_lines_setting(r, sizeof key, key, value)) {
            kane_lines_fault(r, r->begin,
                             "expected KEY = VALUE, or point.begin and points: is this a file of SIMPACK?");
            return;
        } else if (part == SPLINE)
            set_processing(r, &p, key, value);
        else if (part == HEADER && strcmp(key, "type") == 0)
            (void)read_number(r, key, value, &p.type);
        else if (part == HEADER && strcmp(key, "version") == 0 && read_number(r, key, value, &p.version) &&
                 p.version != 1.0)
            kane_lines_fault(r, r->begin, "version %g cannot be read, only version 1", p.version);
#undef IS
    }
    if (part != OUTSIDE && r->faults == 0)
        kane_lines_fault(r, NULL, "the file ends before %s: it may have been cut off",
                         part == POINTS   ? "point.end"
                         : part == HEADER ? "header.end"
                                          : "spline.end");
    process_points(points, &p);
    says->wheel     = p.type == 1.0 ? 1 : p.type == 0.0 ? 0 : -1;
    says->unit      = p.unit_length > 0.0 ? 1.0 / p.unit_length : 0.0;
    says->smoothing = p.smooth;
}
