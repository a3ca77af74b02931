// SPDX-License-Identifier: MIT
// Reports of runs as EN 14363 and UIC 518 want them: test zones by the radius of the line, sections within them, curves
// to the left and to the right apart, and of the sections' values the estimate of the maximum: by mean and deviation,
// and by regression over the cant deficiency. docs/analyses.md defines all of it.

#ifndef KANE_REPORT_H
#define KANE_REPORT_H

#include <kane/base.h>
#include <kane/evaluate.h>

KANE_C_BEGIN

// Test zones. Full curves with radii between those of a zone; narrower ones belong to none.
typedef enum kane_zone {
    KANE_ZONE_TANGENT,    // straight, and radii above 5000 m
    KANE_ZONE_LARGE,      // 600 m and more
    KANE_ZONE_SMALL,      // 400 m to 600 m
    KANE_ZONE_VERY_SMALL, // 250 m to 400 m
    KANE_ZONES
} kane_zone;

// "tangent", "large radii", "small radii", "very small radii".
KANE_API const char *kane_zone_name(kane_zone zone);

// The zone of a curvature [1/m]; KANE_ZONES: none.
KANE_API kane_zone kane_zone_of(double curvature);

// Length of its sections at a speed [m/s] [m].
KANE_API double kane_zone_length(kane_zone zone, double speed);

// What a section may spread by: of the mean of its curvatures [1], of its cants and cant deficiencies [m].
typedef struct kane_section_tolerance {
    double curvature, superelevation, deficiency;
} kane_section_tolerance;
KANE_API kane_section_tolerance kane_section_tolerance_get(void);

// Why a stretch of a line is in no section.
typedef enum kane_section_fault {
    KANE_SECTION_WHOLE,      // it is a section
    KANE_SECTION_RADIUS,     // the radius changes: transitions, ends of zones
    KANE_SECTION_CANT,       // the cant changes
    KANE_SECTION_DEFICIENCY, // the cant deficiency changes: with the speed, or with little of both others
    KANE_SECTION_NARROW,     // narrower than any zone
    KANE_SECTION_SHORT,      // what is evaluated ends before a section does
    KANE_SECTION_FAULTS
} kane_section_fault;

// "the cant changes"; "" of a section.
KANE_API const char *kane_section_fault_name(kane_section_fault fault);

// Least and largest values over a stretch [1/m], [m], [m].
typedef struct kane_line_range {
    double curvature[2], superelevation[2], deficiency[2];
} kane_line_range;

// A stretch in which no section begins.
typedef struct kane_left_out_stretch {
    int run; // which of the results
    kane_section_fault fault;
    double from, to; // distance travelled [m]
    kane_line_range range;
} kane_left_out_stretch;

typedef struct kane_report_options {
    kane_evaluation_options each; // of each run; section: length of all sections [m], 0: as kane_zone_length has it
    const char *view;  // address of a page of kane view with the same results, to which figures lead; NULL: none
    double deficiency; // cant deficiency at which the regression is read [m]; NaN: the largest of a zone's sections
} kane_report_options;

// A coach, all rows, 2b = 1.5 m.
KANE_API kane_report_options kane_report_options_default(void);

typedef struct kane_report_section {
    int run; // which of the results
    kane_zone zone;
    int hand;                         // 1: a curve to the left, -1: to the right, 0: tangent
    double from, to;                  // distance travelled [m]
    double curvature, superelevation; // means [1/m], [m]
    double speed;                     // mean [m/s]
    double deficiency;                // cant deficiency, 2b v^2 |k|/g less the cant of the outer rail; 0: tangent [m]
} kane_report_section;

typedef struct kane_report_value {
    int section;
    double value; // its size, as it counts against the limit
    double limit; // in this section; NaN: none
    double at;    // distance travelled where it is largest [m]; NaN: all over the section
} kane_report_value;

// One quantity of one wheel, wheelset or sensor in one zone, to one hand.
typedef struct kane_report_row {
    const kane_quantity *quantity;
    const char *of;
    kane_zone zone;
    int hand;
    int count;                      // sections
    kane_report_value *values;      // [count]
    double mean, deviation, factor; // deviation NaN of one section
    double estimate;                // mean + factor deviation; NaN where there is one section and a factor
    double limit, used;             // the least limit of the sections; larger estimate over it; NaN: none
    // y = a + b deficiency through the sections, if there are four of them that differ by 10 mm; else NaN
    double a, b;
    double deficiency, predicted; // where it is read; y there + t s sqrt(1 + 1/n + (x - mean x)^2/Sxx)
} kane_report_row;

typedef struct kane_report kane_report;

// Evaluates the runs. NULL with errors: no runs, runs of different vehicles, without track.curvature or
// track.superelevation, or no section at all.
KANE_API kane_report *kane_report_create(int count, const kane_results *const *results, const char *const *names,
                                         const kane_report_options *options, kane_errors *errors);
KANE_API void kane_report_free(kane_report *report);

KANE_API int kane_report_section_count(const kane_report *report);
KANE_API const kane_report_section *kane_report_get_section(const kane_report *report, int index);
// What lies in no section, one behind the other.
KANE_API int kane_report_left_out_count(const kane_report *report);
KANE_API const kane_left_out_stretch *kane_report_get_left_out(const kane_report *report, int index);

KANE_API int kane_report_row_count(const kane_report *report);
KANE_API const kane_report_row *kane_report_get_row(const kane_report *report, int index);

// What is of a whole run, comfort, wear and lift-offs: an assessment of kane_evaluate.
KANE_API int kane_report_whole_count(const kane_report *report, int run);
KANE_API const kane_assessment *kane_report_get_whole(const kane_report *report, int run, int index);

// Writes it as one page for a browser, without network. The results must still be there.
KANE_API kane_status kane_report_write(const kane_report *report, const char *title, const char *file,
                                       kane_errors *errors);

KANE_C_END

#endif
