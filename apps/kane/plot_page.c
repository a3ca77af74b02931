// SPDX-License-Identifier: MIT
// The page that is drawn of results when no channels are asked for.

#include "app.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

// Which columns share a panel: by name, with so many points in it (what stands before the first one is a name of the
// vehicle's).
typedef struct kind {
    const char *pattern;
    int points;
    int (*is_wanted)(const kane_results *results, const char *name); // NULL: all of them
} kind;

static int has(const kane_results *results, const char *body, size_t length, const char *rest)
{
    char name[256];
    kane_errors unreported = {.limit = 1};
    (void)snprintf(name, sizeof name, "%.*s%s", (int)length, body, rest);
    return kane_results_find(results, name, &unreported) >= 0;
}

// Accelerations of a sensor: a name that is no body's.
static int is_of_sensor(const kane_results *results, const char *name)
{
    return !has(results, name, strcspn(name, "."), ".y");
}

// Accelerations of a body that rides on springs, where there is no sensor.
static int is_of_car(const kane_results *results, const char *name)
{
    for (int i = 0; i < kane_results_column_count(results); i++) {
        const char *other = kane_results_column(results, i)->name;
        if (kane_name_matches("*.acceleration.[yz]", other) && is_of_sensor(results, other))
            return 0;
    }
    return !has(results, name, strcspn(name, "."), ".left.Q");
}

// Of each row the panels; what several of a vehicle's have matched is no mechanism.
static const kind vehicle_kinds[]   = {{"*.y", 1, NULL},
                                       {"*.Y", 2, NULL},
                                       {"*.Q", 2, NULL},
                                       {"*.acceleration.[yz]", 2, is_of_sensor},
                                       {"*.acceleration.[yz]", 2, is_of_car}};
static const kind mechanism_kinds[] = {{"*.joint.angle", 2, NULL}, {"*.joint.[!a]*", 2, NULL}, {"*.[xyz]", 1, NULL},
                                       {"*.force.[xyz]", 2, NULL}, {"*.[1-9]", 2, NULL},       {"energy.*", 1, NULL}};

static int is_constant(const kane_results *results, int column)
{
    const double *x = kane_results_values(results, column);
    const int count = kane_results_row_count(results);
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    for (int i = 0; i < count; i++)
        if (isfinite(x[i])) {
            least    = fmin(least, x[i]);
            greatest = fmax(greatest, x[i]);
        }
    return !(greatest - least > 1e-9 * fmax(fabs(least), fabs(greatest)));
}

static int is_of(const kane_results *results, int column, const kind *of)
{
    const char *name = kane_results_column(results, column)->name;
    int points       = 0;
    for (const char *p = name; *p; p++)
        points += *p == '.';
    return points == of->points && kane_name_matches(of->pattern, name) &&
           (!of->is_wanted || of->is_wanted(results, name)) && !is_constant(results, column);
}

static void add_kinds(const kane_results *results, int count, const kind *kinds, plot_page *page)
{
    for (int k = 0; k < count && page->count < PLOT_PAGE_PANELS; k++) {
        plot_page_panel *panel = &page->panels[page->count];
        *panel                 = (plot_page_panel){.count = 0};
        for (int i = 0; i < kane_results_column_count(results); i++) {
            if (!is_of(results, i, &kinds[k]))
                continue;
            if (panel->count < PLOT_PAGE_CURVES)
                panel->columns[panel->count++] = i;
            else
                panel->left_out++;
        }
        page->count += panel->count > 0;
    }
}

void plot_page_choose(const kane_results *results, plot_page *page)
{
    int is_vehicle = 0;
    *page          = (plot_page){.count = 0};
    for (int i = 0; i < kane_results_column_count(results); i++)
        is_vehicle |= is_of(results, i, &vehicle_kinds[1]) || is_of(results, i, &vehicle_kinds[2]);
    if (is_vehicle)
        add_kinds(results, sizeof vehicle_kinds / sizeof *vehicle_kinds, vehicle_kinds, page);
    else
        add_kinds(results, sizeof mechanism_kinds / sizeof *mechanism_kinds, mechanism_kinds, page);
}
