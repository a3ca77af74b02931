// SPDX-License-Identifier: MIT
// From a file to a profile: its points in metres, to the outside and up, from the inside to the outside.

#include "profile/profile.h"

#include "base/file.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

struct owned_profile {
    kane_profile profile; // first: kane_profile_free gets its address
    kane_arena *arena;
};

static kane_profile_format format_of(const char *file, kane_profile_format wanted)
{
    static const struct {
        const char *ending;
        kane_profile_format format;
    } endings[]     = {{".prw", KANE_PROFILE_SIMPACK},
                       {".prr", KANE_PROFILE_SIMPACK},
                       {".ban", KANE_PROFILE_MINIPROF},
                       {".whl", KANE_PROFILE_MINIPROF},
                       {".mpt", KANE_PROFILE_MINIPROF}};
    const char *dot = strrchr(file, '.');
    if (wanted != KANE_PROFILE_BY_NAME)
        return wanted;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (kane_same_word(dot, endings[i].ending))
            return endings[i].format;
    return KANE_PROFILE_COLUMNS;
}

// Adds an error where the file was named.
#define FAULT(errors, options, ...) kane_errors_add_input(errors, KANE_BAD_INPUT, (options)->place, __VA_ARGS__)

// What must have been said, and what must not.
static int are_complete(const char *file, kane_profile_format format, const kane_profile_options *o,
                        const file_says *says, kane_errors *errors)
{
    const int before = errors->count, simpack = format == KANE_PROFILE_SIMPACK;
    if (!simpack && o->unit == 0.0)
        FAULT(errors, o, "%s does not say its unit: write \"unit\": \"mm\" (or \"m\", \"cm\", \"inch\")", file);
    if (!simpack && o->lateral == KANE_LATERAL_NOT_SAID)
        FAULT(errors, o,
              "%s does not say where its y is positive: write \"lateral\": \"outside\" (away from the middle of "
              "the track) or \"inside\"",
              file);
    if (!simpack && o->vertical == KANE_VERTICAL_NOT_SAID)
        FAULT(errors, o, "%s does not say where its z is positive: write \"vertical\": \"up\" or \"down\"", file);
    if (simpack && o->unit != 0.0 && says->unit != 0.0 && fabs(o->unit / says->unit - 1.0) > 1e-9)
        FAULT(errors, o, "\"unit\" is %g m, but %s says by units.len.f that it is %g m", o->unit, file, says->unit);
    if (simpack && o->unit == 0.0 && says->unit == 0.0)
        FAULT(errors, o, "%s has no positive units.len.f: write \"unit\": \"mm\" (or \"m\", \"cm\", \"inch\")", file);
    if (o->profile != 0 && format != KANE_PROFILE_MINIPROF)
        FAULT(errors, o, "only MiniProf's files have several profiles; leave \"profile\" out");
    if (says->smoothing != 0.0 && o->smoothing == 0.0)
        FAULT(errors, o,
              "%s asks for approx.smooth = %g, in a measure of its own: write \"smoothing\": \"0.01 mm\", say, "
              "the rms distance from its points that is allowed",
              file, says->smoothing);
    if (says->wheel >= 0 && says->wheel != (o->kind == KANE_PROFILE_WHEEL))
        FAULT(errors, o, "%s says that it is %s, but %s is wanted here", file, says->wheel ? "a wheel" : "a rail",
              kane_profile_noun(o->kind));
    if (!(isfinite(o->unit) && o->unit >= 0.0 && isfinite(o->origin) && isfinite(o->smoothing)))
        FAULT(errors, o, "unit, origin and smoothing must be finite");
    return errors->count == before;
}

static void reverse_points(raw_points *p)
{
    for (int i = 0, k = p->count - 1; i < k; i++, k--) {
        const double y = p->y[i], z = p->z[i], w = p->weight[i];
        const int line = p->line[i];
        p->y[i] = p->y[k], p->z[i] = p->z[k], p->weight[i] = p->weight[k], p->line[i] = p->line[k];
        p->y[k] = y, p->z[k] = z, p->weight[k] = w, p->line[k] = line;
    }
}

// To metres, to the outside and up.
static void turn_round(raw_points *p, kane_profile_format format, const kane_profile_options *o, const file_says *says)
{
    const int simpack    = format == KANE_PROFILE_SIMPACK;
    const int down       = o->vertical == KANE_VERTICAL_DOWN || (o->vertical == KANE_VERTICAL_NOT_SAID && simpack);
    const double unit    = o->unit > 0.0 ? o->unit : says->unit;
    const double lateral = o->lateral == KANE_LATERAL_INSIDE ? -1.0 : 1.0, vertical = down ? -1.0 : 1.0;
    for (int i = 0; i < p->count; i++) {
        p->y[i] = lateral * (unit * p->y[i] - o->origin);
        p->z[i] = vertical * unit * p->z[i];
    }
    if (p->count > 1 && p->y[0] > p->y[p->count - 1])
        reverse_points(p);
}

// Distance of a point from the chord between points i - 1 and i.
static double distance_from_chord(const raw_points *p, int i, double y, double z)
{
    const double dy = p->y[i] - p->y[i - 1], dz = p->z[i] - p->z[i - 1], square = dy * dy + dz * dz;
    const double part = square > 0.0 ? ((y - p->y[i - 1]) * dy + (z - p->z[i - 1]) * dz) / square : 0.0;
    const double at   = fmin(fmax(part, 0.0), 1.0);
    return hypot(y - p->y[i - 1] - at * dy, z - p->z[i - 1] - at * dz);
}

// Does a point lie behind the last one kept (its chord turns back) by no more than REACH along the points that are
// kept, and no farther from these than `noise`?
static int is_measured_again(const raw_points *p, double y, double z, double noise)
{
    static const double reach = 1e-3; // overlap of two scans [m]
    const int last            = p->count - 1;
    double along              = 0.0;
    if (last < 1 ||
        (y - p->y[last]) * (p->y[last] - p->y[last - 1]) + (z - p->z[last]) * (p->z[last] - p->z[last - 1]) > 0.0)
        return 0;
    if (hypot(y - p->y[last], z - p->z[last]) > reach)
        return 0;
    for (int i = last; i >= 1 && along <= reach; i--) {
        if (distance_from_chord(p, i, y, z) <= noise)
            return 1;
        along += hypot(p->y[i] - p->y[i - 1], p->z[i] - p->z[i - 1]);
    }
    return 0;
}

// Leaves out points that step back by measuring noise: a tenth of the mean distance of points, or the smoothing if that
// is more. What goes back farther is left to the inspection. Returns how many, and the file's first such line.
static int leave_out_noise(raw_points *p, double smoothing, int *first_line)
{
    const int count = p->count;
    double length   = 0.0;
    int left_out    = 0;
    *first_line     = 0;
    for (int i = 1; i < count; i++)
        length += hypot(p->y[i] - p->y[i - 1], p->z[i] - p->z[i - 1]);
    const double noise = count > 1 ? fmax(0.1 * length / (count - 1), smoothing) : 0.0;
    p->count           = 0;
    for (int i = 0; i < count; i++) {
        if (is_measured_again(p, p->y[i], p->z[i], noise)) {
            *first_line = left_out == 0 || p->line[i] < *first_line ? p->line[i] : *first_line;
            left_out++;
            continue;
        }
        p->y[p->count]      = p->y[i];
        p->z[p->count]      = p->z[i];
        p->weight[p->count] = p->weight[i];
        p->line[p->count++] = p->line[i];
    }
    return left_out;
}

void kane_points_add(raw_points *p, const kane_lines *r, double y, double z, double weight)
{
    if (p->count > 0 && p->y[p->count - 1] == y && p->z[p->count - 1] == z)
        return;
    p->y[p->count]      = y;
    p->z[p->count]      = z;
    p->weight[p->count] = weight;
    p->line[p->count++] = r->line;
}

static int all_one(const raw_points *p)
{
    for (int i = 0; i < p->count; i++)
        if (p->weight[i] != 1.0)
            return 0;
    return 1;
}

// Fills the profile, whose text is at hand. 1, or 0 with errors.
static int fill_profile(kane_profile *profile, const char *file, const char *text, size_t length,
                        const kane_profile_options *o, kane_arena *arena, kane_errors *errors)
{
    const kane_profile_format format = format_of(file, o->format);
    file_says says                   = {.wheel = -1};
    kane_lines r                     = {.file = file, .at = text, .errors = errors, .faults_most = KANE_LINE_FAULTS};
    const size_t lines               = kane_lines_count(r) + 1;
    raw_points points                = {.y      = kane_arena_doubles(arena, lines),
                                        .z      = kane_arena_doubles(arena, lines),
                                        .weight = kane_arena_doubles(arena, lines),
                                        .line   = kane_arena_alloc(arena, lines, sizeof *points.line)};
    if (kane_arena_failed(arena))
        return 0;
    if (strlen(text) != length) {
        FAULT(errors, o, "%s holds bytes of value 0: it is no text", file);
        return 0;
    }
    switch (format) {
    case KANE_PROFILE_BY_NAME:
    case KANE_PROFILE_COLUMNS: kane_read_columns(&r, &points); break;
    case KANE_PROFILE_MINIPROF: kane_read_miniprof(&r, &points, o->profile); break;
    case KANE_PROFILE_SIMPACK: kane_read_simpack(&r, &points, &says); break;
    }
    const int complete = are_complete(file, format, o, &says, errors);
    if (r.faults > 0 || !complete)
        return 0;
    turn_round(&points, format, o, &says);
    int first_line;
    const int left_out = leave_out_noise(&points, o->smoothing, &first_line);
    *profile           = (kane_profile){.kind             = o->kind,
                                        .shape            = KANE_SHAPE_POINTS,
                                        .flange_to_circle = o->flange_to_circle,
                                        .inclined         = o->inclined,
                                        .slice            = o->slice,
                                        .count            = points.count,
                                        .y                = points.y,
                                        .z                = points.z,
                                        .weight           = all_one(&points) ? NULL : points.weight,
                                        .line             = points.line,
                                        .smoothing        = o->smoothing,
                                        .left_out         = left_out,
                                        .left_out_line    = first_line,
                                        .name             = kane_arena_text(arena, file)};
    profile->place     = (kane_place){profile->name, points.count > 0 ? points.line[0] : 1, 1, ""};
    if (!profile->name)
        return 0;
    kane_profile_options read_as = *o;
    read_as.format               = format;
    read_as.unit                 = o->unit > 0.0 ? o->unit : says.unit;
    return kane_profile_inspect(profile, o->kind, &read_as, errors) == KANE_OK;
}

const kane_profile *kane_profile_load(kane_arena *arena, const char *file, const kane_profile_options *o,
                                      kane_errors *errors)
{
    kane_errors unread     = {.limit = 1};
    size_t length          = 0;
    const kane_place place = o->place.file && o->place.file[0] ? o->place : (kane_place){file, 0, 0, ""};
    kane_profile *profile  = kane_arena_alloc(arena, 1, sizeof *profile);
    const int before       = errors->count;
    const char *text       = profile ? kane_file_read(arena, file, &length, &unread) : NULL;
    if (text) {
        kane_profile_options options = *o;
        options.place                = place;
        if (fill_profile(profile, file, text, length, &options, arena, errors))
            return profile;
    } else if (unread.count > 0) // said where the file was named
        kane_errors_add_input(errors, kane_errors_get(&unread, 0)->status, place, "%s: %s", file,
                              kane_errors_get(&unread, 0)->text);
    if (errors->count == before)
        kane_errors_add_input(errors, KANE_NO_MEMORY, place, "%s", kane_status_text(KANE_NO_MEMORY));
    return NULL;
}

kane_profile *kane_profile_read(const char *file, const kane_profile_options *options, kane_errors *errors)
{
    kane_errors unreported      = {.limit = 1};
    kane_errors *kept           = errors ? errors : &unreported;
    kane_arena *arena           = kane_arena_create();
    struct owned_profile *owned = arena ? kane_arena_alloc(arena, 1, sizeof *owned) : NULL;
    if (!owned)
        (void)kane_no_memory(kept);
    const kane_profile *made = owned ? kane_profile_load(arena, file, options, kept) : NULL;
    if (!made) {
        kane_arena_free(arena);
        return NULL;
    }
    owned->profile = *made;
    owned->arena   = arena;
    return &owned->profile;
}

void kane_profile_free(kane_profile *profile)
{
    if (profile)
        kane_arena_free(((struct owned_profile *)(void *)profile)->arena);
}
