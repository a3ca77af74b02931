// SPDX-License-Identifier: MIT
// Test zones of a run, and the sections in them.
//
// From the first row on: if all rows over a section's length lie in one zone, to one hand, and their curvatures spread by no more
// than a part of their mean (of tangents: all are tangent), that is a section, and the next one begins behind it; else the next try
// begins a metre on. So transitions lie in no section, whatever their shape, and noise of a measured line does no harm.

#include "evaluate/report.h"

#include <math.h>
#include <string.h>

static const double GRAVITY = 9.81;   // [m/s^2]
static const double SAME    = 0.04;   // of curvatures in a section
static const double STEP    = 1.0;    // between tries [m]
static const double TANGENT = 5000.0; // radius above which a line is tangent [m]

const char *kane_zone_name(kane_zone zone)
{
    static const char *const names[KANE_ZONES] = {"tangent", "large radii", "small radii", "very small radii"};
    return (int)zone >= 0 && zone < KANE_ZONES ? names[zone] : "none";
}

kane_zone kane_zone_of(double curvature)
{
    const double k = fabs(curvature);
    if (k * TANGENT < 1.0)
        return KANE_ZONE_TANGENT;
    if (k * 600.0 <= 1.0)
        return KANE_ZONE_LARGE;
    if (k * 400.0 <= 1.0)
        return KANE_ZONE_SMALL;
    return k * 250.0 <= 1.0 ? KANE_ZONE_VERY_SMALL : KANE_ZONES;
}

double kane_zone_length(kane_zone zone, double speed)
{
    const double kmh = 3.6 * speed * (1.0 - 1e-9);
    switch (zone) {
    case KANE_ZONE_TANGENT: return kmh <= 220.0 ? 250.0 : 500.0;
    case KANE_ZONE_LARGE: return kmh <= 140.0 ? 100.0 : kmh <= 200.0 ? 200.0 : 250.0;
    case KANE_ZONE_SMALL: return 100.0;
    default: return 70.0;
    }
}

// The section that begins at row `first`; 0 if there is none.
static int take(const kane_report *report, int run, int first, kane_report_section *section, int *last)
{
    const kane_report_run *r = &report->runs[run];
    const double k0          = r->curvature[first];
    const kane_zone zone     = kane_zone_of(k0);
    const int hand           = zone == KANE_ZONE_TANGENT ? 0 : k0 > 0.0 ? 1 : -1;
    const double length =
        report->options.section > 0.0 ? report->options.section : kane_zone_length(zone, r->speed[first]);
    double least = k0, most = k0, k = 0.0, u = 0.0, v = 0.0;
    int i = first;
    if (zone == KANE_ZONES)
        return 0;
    for (; i < r->rows && r->s[i] <= r->s[first] + length * (1.0 + 1e-12); i++) {
        if (r->s[i] > report->options.to || kane_zone_of(r->curvature[i]) != zone ||
            (hand != 0 && hand * r->curvature[i] <= 0.0))
            return 0;
        least = fmin(least, r->curvature[i]);
        most  = fmax(most, r->curvature[i]);
        k += r->curvature[i];
        u += r->superelevation[i];
        v += r->speed[i];
    }
    const int n = i - first;
    if (i >= r->rows || n < 2) // the run ends before the section does
        return 0;
    k /= n;
    if (hand != 0 && most - least > SAME * fabs(k))
        return 0;
    *last    = i - 1;
    *section = (kane_report_section){.run            = run,
                                     .zone           = zone,
                                     .hand           = hand,
                                     .from           = r->s[first],
                                     .to             = r->s[i - 1],
                                     .curvature      = k,
                                     .superelevation = u / n,
                                     .speed          = v / n};
    if (hand != 0)
        section->deficiency = report->options.running_distance * section->speed * section->speed * fabs(k) / GRAVITY -
                              hand * section->superelevation;
    return 1;
}

static int add(kane_report *report, const kane_report_section *section)
{
    if (report->section_count == report->section_room) {
        const int room             = report->section_room ? 2 * report->section_room : 64;
        kane_report_section *wider = kane_arena_alloc(report->arena, (size_t)room, sizeof *wider);
        if (!wider)
            return 0;
        if (report->section_count > 0)
            memcpy(wider, report->sections, (size_t)report->section_count * sizeof *wider);
        report->sections     = wider;
        report->section_room = room;
    }
    report->sections[report->section_count++] = *section;
    return 1;
}

int kane_report_find_sections(kane_report *report, int run)
{
    const kane_report_run *r = &report->runs[run];
    for (int i = 0; i < r->rows;) {
        kane_report_section section;
        int last = i;
        if (r->s[i] >= report->options.from && take(report, run, i, &section, &last)) {
            if (!add(report, &section))
                return 0;
            i = last;
            continue;
        }
        const double next = r->s[i] + STEP;
        while (i < r->rows && r->s[i] < next)
            i++;
    }
    return 1;
}
