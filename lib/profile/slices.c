// SPDX-License-Identifier: MIT
// CONTACT's files of slices (user guide, "variable profiles"). Behind % are comments; a record begins a line, and what
// stands behind its values is ignored:
//   U_OFFSET U_SCALE, NSLC, NFEAT NKINK NACCEL, U_INTPOL, NSLC times: U 'FILE', and with NFEAT > 1 NSLC times: U S_1 .. S_NFEAT
// A slice lies at U_SCALE (U_OFFSET + U) [mm]. Features are places along the slices between which CONTACT interpolates
// part by part; here heights between slices are means over one axis, so that they are read for what is wrong in them
// and not used.

#include "profile/profile.h"

#include "base/file.h"

#include <math.h>
#include <string.h>

enum { SLICES_MOST = 4999, FEATURES_MOST = 999 }; // as CONTACT has them

typedef struct slices_reader {
    kane_lines lines;
    const char *at; // in the present line
} slices_reader;

// Moves on to the next record. 0 with an error.
static int next_record(slices_reader *r, const char *what)
{
    if (!kane_lines_next(&r->lines, "%")) {
        kane_lines_fault(&r->lines, NULL, "the file ends before %s: it may have been cut off", what);
        return 0;
    }
    r->at = r->lines.begin;
    return 1;
}

// Moves on to the next word of the line, or to its end.
static const char *find_word(slices_reader *r)
{
    const char *end = r->at, *word = kane_lines_word(&r->lines, ",", &end);
    return r->at = word ? word : end;
}

// The next number of the line. 0 with an error.
static int next_number(slices_reader *r, const char *what, double least, double most, double *number)
{
    const char *begin = find_word(r);
    if (!kane_lines_word(&r->lines, ",", &r->at) || !kane_lines_number(begin, (size_t)(r->at - begin), number) ||
        !isfinite(*number)) {
        kane_lines_fault(&r->lines, begin, "expected a number, %s", what);
        return 0;
    }
    if (!(*number >= least && *number <= most)) {
        kane_lines_fault(&r->lines, begin, "%s %.10g is not allowed, must be from %.10g to %.10g", what, *number, least,
                         most);
        return 0;
    }
    return 1;
}

static int next_count(slices_reader *r, const char *what, int least, int most, int *count)
{
    double number;
    const char *begin = r->at;
    if (!next_number(r, what, least, most, &number))
        return 0;
    *count = (int)number;
    if (number != *count)
        kane_lines_fault(&r->lines, begin, "%s must be a whole number", what);
    return number == *count;
}

// A name between quotes. NULL with an error, or without memory.
static const char *next_name(slices_reader *r, kane_arena *arena)
{
    const char *quote = find_word(r);
    const char *close = quote < r->lines.end && (*quote == '\'' || *quote == '"')
                            ? memchr(quote + 1, *quote, (size_t)(r->lines.end - quote - 1))
                            : NULL;
    if (!close || close == quote + 1) {
        kane_lines_fault(&r->lines, quote, "expected the name of the slice's file between quotes");
        return NULL;
    }
    return kane_arena_text_part(arena, quote + 1, (size_t)(close - quote - 1));
}

typedef struct slices_head {
    double offset, scale; // [user's unit], [mm per unit]
    int count, features;
} slices_head;

static int read_head(slices_reader *r, slices_head *h)
{
    int kinks, accelerations, spline;
    const int good = next_record(r, "U_OFFSET and U_SCALE") && next_number(r, "U_OFFSET", -1e9, 1e9, &h->offset) &&
                     next_number(r, "U_SCALE", 1e-6, 1e6, &h->scale) && next_record(r, "NSLC") &&
                     next_count(r, "NSLC", 1, SLICES_MOST, &h->count) && next_record(r, "NFEAT, NKINK, NACCEL") &&
                     next_count(r, "NFEAT", 0, FEATURES_MOST, &h->features) &&
                     next_count(r, "NKINK", 0, FEATURES_MOST, &kinks) &&
                     next_count(r, "NACCEL", 0, FEATURES_MOST, &accelerations) && next_record(r, "U_INTPOL");
    const char *at = r->at;
    if (!good || !next_count(r, "U_INTPOL", 1, 2, &spline))
        return 0;
    if (spline == 2)
        kane_lines_fault(&r->lines, at,
                         "U_INTPOL = 2, a surface that passes its slices by, cannot be read; only 1, through them");
    if (h->features > 1 && kinks + accelerations > 0)
        kane_lines_fault(&r->lines, at,
                         "kinks and accelerations between parts (NKINK, NACCEL) cannot be read, only 0 0");
    return r->lines.faults == 0;
}

// A wheel may touch 0.15 of its radius ahead and behind, and has room for 99 slices on either side
// (lib/contact/rail_shapes.c): enough for slices that are further apart, up to a radius of 0.59 m [m].
static const double closest = 0.9e-3;

static int read_slices(slices_reader *r, const slices_head *h, kane_arena *arena, kane_slice *slices,
                       const char **names)
{
    for (int i = 0; i < h->count; i++) {
        double u;
        if (!next_record(r, "the last of NSLC slices"))
            return 0;
        slices[i].place = (kane_place){r->lines.file, r->lines.line, 0, ""};
        if (!next_number(r, "the place of a slice", -1e9, 1e9, &u) || !(names[i] = next_name(r, arena)))
            return 0;
        slices[i].place.column = (int)(r->at - r->lines.line_start) + 1;
        slices[i].at           = 1e-3 * h->scale * (h->offset + u);
        if (i > 0 && !(slices[i].at - slices[i - 1].at > closest)) {
            kane_lines_fault(&r->lines, r->lines.begin,
                             "this slice lies at %.10g m, the one before at %.10g m: they must ascend by more than "
                             "0.9 mm",
                             slices[i].at, slices[i - 1].at);
            return 0;
        }
    }
    return 1;
}

// Features that a slice has not are -1, the others ascend.
static int check_features(slices_reader *r, const slices_head *h, const kane_slice *slices)
{
    for (int i = 0; h->features > 1 && i < h->count; i++) {
        double u, s, before = -1.0;
        if (!next_record(r, "the features of the last slice") || !next_number(r, "the place of a slice", -1e9, 1e9, &u))
            return 0;
        const double at = 1e-3 * h->scale * (h->offset + u);
        if (!(fabs(at - slices[i].at) < 1e-6)) {
            kane_lines_fault(&r->lines, r->lines.begin,
                             "features of a slice at %.10g m, expected those of slice %d, at %.10g m", at, i + 1,
                             slices[i].at);
            return 0;
        }
        for (int k = 0; k < h->features; k++) {
            if (find_word(r) == r->lines.end && !next_record(r, "the last feature"))
                return 0;
            const char *begin = r->at;
            if (!next_number(r, "the place of a feature (-1: the slice has it not)", -1.0, 1e9, &s))
                return 0;
            if (!(s > before) && s >= 0.0) {
                kane_lines_fault(&r->lines, begin,
                                 "feature %d lies at %.10g mm, the one before at %.10g mm: they must ascend", k + 1, s,
                                 before);
                return 0;
            }
            before = fmax(s, before);
        }
    }
    return 1;
}

static int read_profiles(const slices_head *h, const kane_profile_options *options, kane_arena *arena,
                         const char *const *names, kane_slice *slices, kane_errors *errors)
{
    int wrong = 0;
    for (int i = 0; i < h->count && wrong < KANE_LINE_FAULTS; i++) {
        kane_profile_options o = *options;
        const char *name       = kane_file_beside(arena, slices[i].place.file, names[i]);
        o.place                = slices[i].place;
        slices[i].profile      = name ? kane_profile_load(arena, name, &o, errors) : NULL;
        wrong += slices[i].profile == NULL;
    }
    return wrong == 0;
}

const kane_slice *kane_slices_load(kane_arena *arena, const char *file, const kane_profile_options *options, int *count,
                                   kane_errors *errors)
{
    kane_errors unread = {.limit = 1};
    const int before   = errors->count;
    size_t length      = 0;
    slices_head head   = {0};
    const char *kept   = kane_arena_text(arena, file);
    const char *text   = kept ? kane_file_read(arena, file, &length, &unread) : NULL;
    slices_reader r    = {.lines = {.file = kept, .at = text, .errors = errors, .faults_most = KANE_LINE_FAULTS}};
    *count             = 0;
    if (unread.count > 0)
        kane_errors_add_input(errors, kane_errors_get(&unread, 0)->status, options->place, "%s: %s", file,
                              kane_errors_get(&unread, 0)->text);
    else if (text && read_head(&r, &head)) {
        kane_slice *slices = kane_arena_alloc(arena, (size_t)head.count, sizeof *slices);
        const char **names = kane_arena_alloc(arena, (size_t)head.count, sizeof *names);
        if (slices && names && read_slices(&r, &head, arena, slices, names) && check_features(&r, &head, slices) &&
            read_profiles(&head, options, arena, names, slices, errors)) {
            *count = head.count;
            return slices;
        }
    }
    if (errors->count == before)
        kane_errors_add_input(errors, KANE_NO_MEMORY, options->place, "%s", kane_status_text(KANE_NO_MEMORY));
    return NULL;
}
