// SPDX-License-Identifier: MIT
// Test zones of a run, the sections in them, and what lies in none.

#include "evaluate/standard.h"

#include <math.h>
#include <string.h>

const char *kane_zone_name(kane_zone zone)
{
    static const char *const names[KANE_ZONES] = {"tangent", "large radii", "small radii", "very small radii"};
    return (int)zone >= 0 && zone < KANE_ZONES ? names[zone] : "none";
}

kane_zone kane_zone_of(double curvature)
{
    const double k = fabs(curvature);
    if (kane_line_hand(curvature) == 0)
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

// A section lies in one zone.
static kane_section_fault find_section(const kane_report *report, int run, const kane_line_rows *line, int first,
                                       kane_report_section *section, int *last)
{
    const kane_zone zone = kane_zone_of(line->curvature[first]);
    const double length =
        report->options.each.section > 0.0 ? report->options.each.section : kane_zone_length(zone, line->speed[first]);
    kane_section one;
    if (zone == KANE_ZONES)
        return KANE_SECTION_NARROW;
    const kane_section_fault fault = kane_section_find(line, first, length, report->options.each.to, &one);
    if (fault != KANE_SECTION_WHOLE)
        return fault;
    if (kane_zone_of(one.range.curvature[0]) != zone || kane_zone_of(one.range.curvature[1]) != zone)
        return KANE_SECTION_RADIUS;
    *last    = one.last;
    *section = (kane_report_section){.run            = run,
                                     .zone           = zone,
                                     .hand           = one.hand,
                                     .from           = line->s[first],
                                     .to             = line->s[one.last],
                                     .curvature      = one.mean.curvature,
                                     .superelevation = one.mean.superelevation,
                                     .speed          = one.speed,
                                     .deficiency     = one.mean.deficiency};
    return KANE_SECTION_WHOLE;
}

static int add_section(kane_report *report, const kane_report_section *section)
{
    kane_report_section *sections = kane_arena_grow(report->arena, report->sections, report->section_count,
                                                    &report->section_room, sizeof *sections);
    if (!sections)
        return 0;
    report->sections                          = sections;
    report->sections[report->section_count++] = *section;
    return 1;
}

int kane_report_find_sections(kane_report *report, int run)
{
    const kane_report_run *r  = &report->runs[run];
    const kane_line_rows line = {r->rows,           r->s,     r->curvature,
                                 r->superelevation, r->speed, report->options.each.running_distance};
    int i                     = 0;
    report->left_out.arena    = report->arena;
    while (i < line.count && line.s[i] < report->options.each.from)
        i++;
    while (i < line.count - 1 && line.s[i] < report->options.each.to) {
        kane_report_section section;
        int last                       = i;
        const kane_section_fault fault = find_section(report, run, &line, i, &section, &last);
        const int next                 = kane_section_next(&line, i);
        if (fault == KANE_SECTION_WHOLE ? !add_section(report, &section)
                                        : !kane_left_out_add(&report->left_out, &line, run, fault, i, next))
            return 0;
        i = fault == KANE_SECTION_WHOLE ? last : next;
    }
    return 1;
}
