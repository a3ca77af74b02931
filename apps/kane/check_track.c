// SPDX-License-Identifier: MIT
// What kane check says of a line: what was done to points of files, and where it has kinks.

#include "check.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

// --- files ---

// Ends that differ by less are one [m].
static const double SAME_PLACE = 1e-6;

static void print_difference(FILE *out, const char *what, const kane_difference *d, double factor, const char *unit)
{
    if (d->largest > 0.0)
        (void)fprintf(out, "    %s: at most %.3g %s, at %.10g m; rms %.3g %s\n", what, factor * d->largest, unit, d->at,
                      factor * d->rms, unit);
}

static void report_section(const kane_track_section *section, FILE *out)
{
    const kane_smoothing_report *r = &section->smoothed;
    (void)fprintf(out, "  %s: %d points over %.10g m, on average %.3g m apart\n", r->file, r->point_count,
                  section->length, section->length / (r->point_count - 1));
    if (r->wavelength > 0.0)
        (void)fprintf(
            out,
            "    smoothed: waves of %g m keep half of their height, shorter ones less; so far the line is from "
            "the points\n",
            r->wavelength);
    else
        (void)fprintf(out, "    not smoothed: %s\n",
                      r->position.largest > 0.0
                          ? "the curvature is that of the chords, and the line lies beside the points"
                          : "the line has the values of all points");
    print_difference(out, "curvature", &r->curvature, 1e3, "1/km");
    print_difference(out, "superelevation", &r->superelevation, 1e3, "mm");
    print_difference(out, "grade", &r->grade, 1e3, "permille");
    print_difference(out, "place", &r->position, 1.0, "m");
    print_difference(out, "chainage against length", &r->length, 1.0, "m");
}

static double length_of(const kane_track *track)
{
    double length = 0.0;
    for (int i = 0; i < kane_track_section_count(track); i++)
        length += kane_track_get_section(track, i).length;
    return length;
}

static void report_record(const kane_track *track, const kane_record_definition *r, FILE *out)
{
    const kane_track_definition *d = kane_track_get_definition(track);
    const double first = r->first, last = r->last, end = d->start + length_of(track);
    static const char *const kinds[] = {"lateral",      "vertical",      "cross level",   "gauge",
                                        "left lateral", "left vertical", "right lateral", "right vertical"};
    (void)fprintf(out, "  %s, %s: %d points\n", r->place.file, kinds[r->kind], r->point_count);
    if (first > d->start + SAME_PLACE)
        (void)kane_fprintf(out,
                           "    begins at %.10g m: before it the rails run level to the line's beginning at %.10g m\n",
                           first, d->start);
    if (last < end - SAME_PLACE)
        (void)kane_fprintf(out, "    ends at %.10g m: behind it the rails run level to the line's end at %.10g m\n",
                           last, end);
    if (r->longest > 0.0)
        (void)fprintf(out, "    waves longer than %g m are taken off: at most %.3g mm\n", r->longest, 1e3 * r->longer);
    if (r->shortest > 0.0)
        (void)fprintf(out, "    waves shorter than %g m are taken off: at most %.3g mm\n", r->shortest,
                      1e3 * r->shorter);
}

void kane_report_files(const kane_track *track, FILE *out)
{
    const kane_track_definition *d = kane_track_get_definition(track);
    int said                       = 0;
    for (int i = 0; i < kane_track_section_count(track); i++) {
        const kane_track_section section = kane_track_get_section(track, i);
        if (section.smoothed.file && said++ == 0)
            (void)fprintf(out, "line from files\n");
        if (section.smoothed.file)
            report_section(&section, out);
    }
    said = 0;
    for (int i = 0; i < d->record_count; i++) {
        if (d->records[i].place.file && said++ == 0)
            (void)fprintf(out, "irregularities from files\n");
        if (d->records[i].place.file)
            report_record(track, &d->records[i], out);
    }
}

// --- kinks ---

// A jump of curvature throws a body sideways, one of the ramp's slope makes it roll, one of the grade throws it up.
// Smaller ones have no effect: at 50 m/s .25 mm/s^2, 5 urad/s and .5 mm/s.
static const double SHARP[3] = {1e-7, 1e-7, 1e-5};

typedef struct kink {
    double at;
    double jump[3]; // of psi', theta', beta [1/m], [rad/m], [rad]
} kink;

static int find_kink(const kane_track *track, int piece, kink *found)
{
    kane_track_state before, behind;
    const double s = kane_track_piece_start(track, piece);
    kane_track_describe(track, piece - 1, s, &before);
    kane_track_describe(track, piece, s, &behind);
    *found = (kink){
        .at   = kane_track_get_definition(track)->start + s,
        .jump = {behind.psi_s[0] - before.psi_s[0], behind.theta_s[0] - before.theta_s[0], behind.beta - before.beta}};
    int is_kink = 0;
    for (int i = 0; i < 3; i++)
        is_kink = is_kink || fabs(found->jump[i]) > SHARP[i];
    return is_kink;
}

kane_table kane_check_kinks(kane_arena *arena, const kane_track *track)
{
    kane_table t = kane_table_begin(arena, 4, 16);
    t.title      = "kinks";
    t.about =
        "kinks of the line, each an impulse to whatever has mass: jumps of curvature, of the ramp of cant and of the "
        "grade;\n\"rounding\" of transitions and of changes of grade, other shapes of transitions, or the cant axis "
        "\"centre_line\" take them off";
    kane_table_add_columns(&t, 4,
                           (const kane_table_column[]){
                               {.name = "at", .unit = "m", .text = {"at [m]", .gap = 2, .digits = 10}},
                               {.name = "curvature", .unit = "1/m", .text = {"curvature [1/km]", 1e3, .digits = 3}},
                               {.name = "ramp", .unit = "rad/m", .text = {"ramp [mrad/m]", 1e3, .digits = 3}},
                               {.name = "grade", .unit = "1", .text = {"grade [permille]", 1e3, .digits = 3}}});
    for (int piece = 1; piece < kane_track_piece_count(track); piece++) {
        kink k;
        if (find_kink(track, piece, &k))
            kane_table_put(&t, kane_cell_number(k.at));
        for (int i = 0; i < 3 && t.count % 4 != 0; i++)
            kane_table_put(&t, fabs(k.jump[i]) > SHARP[i] ? kane_cell_number(k.jump[i]) : kane_cell_word(""));
    }
    return t;
}
