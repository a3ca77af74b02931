// SPDX-License-Identifier: MIT
// Each case is a search of its own and leaves its points in DIR/case-N. At the end they are joined into one table and
// one picture.

#include "analysis.h"

#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "study/sweep_study.h"

#include <math.h>
#include <string.h>

// --- the numbers of a search ---

enum parameter { RADIUS, CANT, CURVATURE, SUPERELEVATION, FROM, TO, STEP, RESOLUTION, DISTURBANCE, PARAMETERS };
static const char *const parameters[]      = {"radius", "cant", "curvature",  "superelevation", "from",
                                              "to",     "step", "resolution", "disturbance"};
static const char *const parameter_units[] = {"m", "m", "1/m", "m", "m/s", "m/s", "m/s", "m/s", "m"};

// The search with the values of all axes. 0 with errors.
static int set_parameters(const critical_map *map, const double *values, kane_critical_study *study,
                          kane_errors *errors)
{
    const int before = errors->count;
    double radius = map->radius, cant = map->cant;
    double *const places[PARAMETERS] = {
        &radius,    &cant,        &study->curvature,  &study->superelevation, &study->from,
        &study->to, &study->step, &study->resolution, &study->disturbance};
    *study = map->study;
    for (int p = 0; p < PARAMETERS; p++)
        if (!isnan(values[p]))
            *places[p] = values[p];
    if (radius == 0.0)
        kane_errors_add(errors, KANE_BAD_INPUT, "a radius of 0 is none; a straight has the radius inf");
    const int twice[] = {!isnan(values[RADIUS]) + !isnan(values[CURVATURE]) + (map->choice->radius != NULL),
                         !isnan(values[CANT]) + !isnan(values[SUPERELEVATION]) + (map->choice->cant != NULL)};
    for (int i = 0; i < 2; i++)
        if (twice[i] > 1)
            kane_errors_add(errors, KANE_BAD_INPUT, "%s and %s, as axis or option, contradict each other",
                            parameters[RADIUS + i], parameters[CURVATURE + i]);
    if (isnan(values[CURVATURE]))
        study->curvature = 1.0 / radius; // of a straight 0
    if (isnan(values[SUPERELEVATION]))
        study->superelevation = copysign(1.0, study->curvature) * cant;
    return errors->count == before && kane_critical_check(study, errors);
}

static int check_parameters(const double *values, const void *data, kane_errors *errors)
{
    kane_critical_study study;
    return set_parameters(data, values, &study, errors);
}

// --- one case ---

static const char *const names[] = {
    "linear critical speed",   "linear frequency",       "nonlinear critical speed",   "comes to rest at",
    "small disturbance grows", "small disturbance dies", "fresh runs that contradict", "largest displacement",
    "largest peak to peak",    "points derailed",        "points not settled"};
static const char *const units[] = {"m/s", "Hz", "m/s", "m/s", "m/s", "m/s", "", "m", "m", "", ""};
enum { NUMBERS = sizeof names / sizeof *names };
enum { LINEAR = 0, NONLINEAR = 2, AT_REST = 3 };

// What the numbers leave open, and the linear mode.
static void describe_result(const kane_critical_study *study, const kane_critical_result *r, kane_text *text)
{
    if (isnan(r->linear))
        kane_text_add(text, "linear: none up to %g m/s", r->fastest);
    else
        kane_text_add(text, "linear: %s%s", r->linear > study->from ? "" : "this speed or less, ", r->linear_mode);
    if (isnan(r->nonlinear))
        kane_text_add(text, "; nonlinear: none up to %g m/s, %s", r->fastest,
                      r->derailed > 0 ? "no motion goes on" : "all motion dies");
    else if (isnan(r->none))
        kane_text_add(text, "; nonlinear: this speed or less");
    else if (r->nonlinear - r->none > study->resolution * (1.0 + 1e-9))
        kane_text_add(text, "; nonlinear: not resolved above %g m/s", r->none);
    if (r->derailed > 0)
        kane_text_add(text, "; derailed: %d", r->derailed);
    if (r->unsettled > 0)
        kane_text_add(text, "; not settled: %d", r->unsettled);
    if (r->unconfirmed > 0)
        kane_text_add(text, "; fresh runs contradict: %d", r->unconfirmed);
}

static kane_status find_speeds(const kane_run_definition *run, const double *values, const char *directory,
                               double *found, char remark[KANE_CASE_WHY], const void *data, kane_errors *errors)
{
    const int before = errors->count;
    kane_critical_study study;
    if (!set_parameters(data, values, &study, errors))
        return kane_errors_status(errors, before);
    study.run                    = run;
    study.directory              = directory;
    study.threads                = 1; // cases are carried out side by side
    kane_critical_report *report = kane_critical_find(&study, errors);
    if (report) {
        const kane_critical_result *r = kane_critical_report_result(report);
        const double all[NUMBERS]     = {r->linear,   r->linear_frequency, r->nonlinear, r->none,         r->jump,
                                         r->rest,     r->unconfirmed,      r->farthest,  r->peak_to_peak, r->derailed,
                                         r->unsettled};
        kane_text text                = kane_text_start(KANE_CASE_WHY, remark);
        memcpy(found, all, sizeof all);
        describe_result(&study, r, &text);
    }
    kane_critical_report_free(report);
    return errors->count > before ? kane_errors_status(errors, before) : KANE_OK;
}

// --- the points of all cases: table and picture ---

enum { LINES_MOST = 14, PANELS = 2 };

// Columns of points, behind those of the case: what they are called in the file of the case, times a factor (0: a text).
static const struct {
    const char *name, *unit;
    int is_of_wheelset;
    const char *key; // NULL: the wheelset's own
    double factor;
} point_columns[] = {{"speed", "m/s", 0, "speed", 1.0},
                     {"sweep", "", 0, "sweep", 0.0},
                     {"wheelset", "", 1, NULL, 0.0},
                     {"amplitude", "m", 1, "amplitude", 1.0},
                     {"largest displacement", "m", 1, "farthest", 1.0},
                     {"peak to peak", "m", 1, "most", 2.0},
                     {"level", "m", 1, "level", 1.0},
                     {"frequency", "Hz", 1, "frequency", 1.0},
                     {"motion", "", 0, "motion", 0.0},
                     {"fresh run", "", 0, "fresh run", 0.0}};
enum { COLUMNS = sizeof point_columns / sizeof *point_columns };

typedef struct joint {
    const kane_sweep_study *sweep;
    const char *wheelset; // drawn; NULL: the largest value of all of them
    kane_table table;
    kane_figure figure;
    int panel[PANELS]; // of the largest displacement, of peak to peak; -1: not drawn
} joint;

static double number_of(const kane_node *object, const char *key)
{
    const kane_node *n = kane_node_find(object, key);
    return n && n->kind == KANE_NODE_NUMBER ? n->number : (double)NAN;
}

// A row of a case; of one that has failed there is no point.
static void put_row(joint *j, int index, const kane_node *point, const kane_node *wheelset)
{
    kane_table *t = &j->table;
    kane_table_put(t, kane_cell_count(index + 1));
    for (int a = 0; a < j->sweep->is.axis_count; a++)
        kane_axis_put_value(t, &j->sweep->columns[a], index);
    for (int c = 0; c < COLUMNS; c++) {
        const char *key       = point_columns[c].key;
        const kane_node *from = point_columns[c].is_of_wheelset ? wheelset : point;
        if (point_columns[c].factor != 0.0)
            kane_table_put(t, kane_cell_number(from ? point_columns[c].factor * number_of(from, key) : (double)NAN));
        else if (!from)
            kane_table_put(t, kane_cell_word(key && strcmp(key, "motion") == 0 ? "failed" : ""));
        else
            kane_table_put(t,
                           kane_cell_text(kane_table_text(t, "%s", key ? kane_node_text(from, key, "") : from->key)));
    }
}

// Height of a point in a panel [m]: 0 at rest, NaN where it derailed.
static double height_of(const joint *j, const kane_node *point, int panel)
{
    const char *motion = kane_node_text(point, "motion", "");
    double most        = (double)NAN;
    if (strcmp(motion, kane_motion_name(KANE_MOTION_DIED)) == 0)
        return 0.0;
    if (strcmp(motion, kane_motion_name(KANE_MOTION_DERAILED)) == 0)
        return most;
    for (const kane_node *w = kane_node_find(point, "wheelsets")->child; w; w = w->next)
        if (!j->wheelset || strcmp(j->wheelset, w->key) == 0)
            most = fmax(most, panel == 0 ? number_of(w, "farthest") : 2.0 * number_of(w, "most"));
    return most;
}

// A line through the points of one sweep of a case; dots where motion has settled or died.
static void draw_sweep(joint *j, int index, int line, const kane_node *points, kane_sweep sweep)
{
    const size_t count = (size_t)points->count;
    char text[256]     = "";
    kane_text label    = kane_text_start(sizeof text, text);
    for (int a = 0; a < j->sweep->is.axis_count && sweep == KANE_SWEEP_DOWN; a++) {
        char setting[256];
        (void)kane_sweep_setting(j->sweep, index, a, sizeof setting, setting);
        kane_text_add(&label, "%s%s", a > 0 ? ", " : "", setting);
    }
    for (int p = 0; p < PANELS; p++) {
        double *x = kane_figure_values(&j->figure, count), *y = kane_figure_values(&j->figure, count);
        double *settled = kane_figure_values(&j->figure, count);
        int n           = 0;
        for (const kane_node *point = points->child; x && y && settled && point; point = point->next) {
            if (strcmp(kane_node_text(point, "sweep", ""), kane_sweep_name(sweep)) != 0)
                continue;
            const char *motion = kane_node_text(point, "motion", "");
            const int is_clear = strcmp(motion, kane_motion_name(KANE_MOTION_SETTLED)) == 0 ||
                                 strcmp(motion, kane_motion_name(KANE_MOTION_DIED)) == 0;
            x[n]       = number_of(point, "speed");
            y[n]       = height_of(j, point, p);
            settled[n] = is_clear ? y[n] : (double)NAN;
            n++;
        }
        kane_plot_curve curve = {.label  = text[0] ? kane_figure_text(&j->figure, "%s", text) : NULL,
                                 .count  = n,
                                 .x      = x,
                                 .y      = y,
                                 .style  = sweep == KANE_SWEEP_DOWN ? KANE_SOLID : KANE_DASHED,
                                 .colour = line};
        kane_figure_curve(&j->figure, j->panel[p], curve);
        curve = (kane_plot_curve){.count = n, .x = x, .y = settled, .style = KANE_POINTS, .colour = line};
        kane_figure_curve(&j->figure, j->panel[p], curve);
    }
}

// The number of the line of a case: all, or so many of them with the first and the last one; -1: none.
static int line_of(int index, int count)
{
    const int lines = count < LINES_MOST ? count : LINES_MOST;
    for (int k = 0; k < lines; k++)
        if (index == (lines == count ? k : (int)((long long)k * (count - 1) / (lines - 1))))
            return k;
    return -1;
}

// Points of a case, in the table and in the picture. 0 with an error.
static int join_case(joint *j, int index, const char *directory, kane_errors *errors)
{
    char name[KANE_STUDY_NAME], file[4200];
    const int line = line_of(index, j->sweep->study.case_count);
    (void)snprintf(file, sizeof file, "%s/%s/critical.json", directory, kane_study_case_name(index, name));
    if (strcmp(kane_table_at(&j->sweep->table, index, 1 + j->sweep->is.axis_count)->text, "failed") == 0) {
        put_row(j, index, NULL, NULL);
        return 1;
    }
    kane_arena *arena       = kane_arena_create();
    const kane_node *root   = arena ? kane_json_read(arena, file, errors) : NULL;
    const kane_node *points = root ? kane_node_find(root, "points") : NULL;
    for (const kane_node *point = points ? points->child : NULL; point; point = point->next)
        for (const kane_node *w = kane_node_find(point, "wheelsets")->child; w; w = w->next)
            put_row(j, index, point, w);
    for (int sweep = 0; points && line >= 0 && sweep < KANE_SWEEPS; sweep++)
        draw_sweep(j, index, line, points, (kane_sweep)sweep);
    if (!arena)
        (void)kane_no_memory(errors);
    else if (root && !points)
        kane_errors_add(errors, KANE_BAD_INPUT, "%s has no points", file);
    kane_arena_free(arena);
    return points != NULL;
}

// Critical speeds over the only axis of numbers, in one panel.
static void draw_speeds(joint *j)
{
    static const int drawn[]  = {LINEAR, NONLINEAR, AT_REST};
    const kane_sweep_study *s = j->sweep;
    const kane_axis *axis     = &s->columns[0];
    const int first           = s->table.column_count - 1 - NUMBERS;
    if (s->is.axis_count > 1 || !kane_axis_is_numeric(axis) || s->study.case_count < 2)
        return;
    const int panel = kane_figure_add(&j->figure, NULL, kane_figure_axis(&j->figure, axis, 1), "critical speed [m/s]");
    for (int k = 0; k < 3; k++) {
        double *y = kane_figure_values(&j->figure, (size_t)axis->count);
        for (int i = 0; y && i < axis->count; i++)
            y[i] = kane_table_at(&s->table, i, first + drawn[k])->number;
        kane_figure_marked(&j->figure, panel,
                           (kane_plot_curve){names[drawn[k]], axis->count, axis->numbers, y, KANE_SOLID, k});
    }
}

static int join_points(const kane_sweep_study *sweep, const char *directory, const void *data, kane_errors *errors)
{
    joint j = {.sweep = sweep, .wheelset = ((const critical_map *)data)->study.wheelset, .figure = kane_figure_begin()};
    int good          = 1;
    j.table           = kane_table_begin(kane_arena_create(), 1 + sweep->is.axis_count + COLUMNS, 0);
    j.table.is_joined = 1;
    kane_table_add_columns(&j.table, 1, &(kane_table_column){.name = "case"});
    for (int a = 0; a < sweep->is.axis_count; a++)
        kane_axis_put_name(&j.table, &sweep->columns[a]);
    for (int c = 0; c < COLUMNS; c++)
        kane_table_add_names(&j.table, 1, &point_columns[c].name, &point_columns[c].unit);
    draw_speeds(&j);
    j.panel[0] = kane_figure_add(&j.figure, "lines: down, dashed: up; dots: settled or at rest", "speed [m/s]",
                                 "largest |y| [m]");
    j.panel[1] = kane_figure_add(&j.figure, NULL, "speed [m/s]", "peak to peak of y [m]");
    for (int i = 0; i < sweep->study.case_count && good; i++)
        good = join_case(&j, i, directory, errors);
    j.figure.plot.height = 60 + 340 * j.figure.plot.panel_count;
    if (good && (!j.table.arena || kane_arena_failed(j.table.arena)))
        good = kane_no_memory(errors) == KANE_OK;
    kane_study alone = sweep->study;
    alone.files      = NULL; // they have the table of the cases
    good = good && kane_study_write(&alone, 1, &(kane_study_output){.name = "points.csv", .table = &j.table}, NULL);
    if (!good)
        j.figure.plot.panel_count = 0;
    good = kane_figure_end(&j.figure, &sweep->study, "points") && good;
    kane_arena_free(j.table.arena);
    return good;
}

// --- cycles along the run's line ---

static const char *const passage_names[] = {"cycle at the start",  "amplitude at the end", "its accuracy",
                                            "amplitude from rest", "largest displacement", "end at"};
static const char *const passage_units[] = {"m", "m", "m", "m", "m", "m"};
enum { PASSAGE_NUMBERS = sizeof passage_names / sizeof *passage_names };

// Of the parameters those from FROM on.
static int set_passage(const critical_map *map, const double *values, kane_critical_study *study, kane_errors *errors)
{
    double all[PARAMETERS];
    for (int p = 0; p < PARAMETERS; p++)
        all[p] = p < FROM ? (double)NAN : values[p - FROM];
    return set_parameters(map, all, study, errors);
}

static int check_passage(const double *values, const void *data, kane_errors *errors)
{
    kane_critical_study study;
    return set_passage(data, values, &study, errors);
}

// 0 of motion that has died, NaN of a derailment.
static double end_amplitude(const kane_passage_end *end)
{
    return end->motion == KANE_MOTION_DIED       ? 0.0
           : end->motion == KANE_MOTION_DERAILED ? (double)NAN
                                                 : end->swing.amplitude;
}

static kane_status find_passage(const kane_run_definition *run, const double *values, const char *directory,
                                double *found, char remark[KANE_CASE_WHY], const void *data, kane_errors *errors)
{
    const int before = errors->count;
    kane_critical_study study;
    kane_passage passage;
    if (!set_passage(data, values, &study, errors))
        return kane_errors_status(errors, before);
    study.run                = run;
    study.directory          = directory;
    const kane_status status = kane_critical_pass(&study, &passage, errors);
    const int has_cycle      = status == KANE_OK && passage.motion == KANE_MOTION_SETTLED;
    const double cycle       = has_cycle ? end_amplitude(&passage.end[KANE_PASSAGE_CYCLE]) : (double)NAN;
    for (int i = 0; i < PASSAGE_NUMBERS; i++)
        found[i] = (double)NAN;
    if (has_cycle) {
        found[0] = passage.cycle.amplitude;
        found[1] = cycle;
        found[2] = fabs(cycle - end_amplitude(&passage.end[KANE_PASSAGE_FINER]));
        found[3] = end_amplitude(&passage.end[KANE_PASSAGE_REST]);
        found[4] = passage.end[KANE_PASSAGE_CYCLE].farthest;
        found[5] = passage.end[KANE_PASSAGE_CYCLE].distance;
    }
    if (status == KANE_OK)
        kane_passage_describe(&passage, KANE_CASE_WHY, remark);
    return status;
}

// --- all cases ---

exit_code critical_map_carry_out(critical_map *map, int through, const sweep_options *sweep, plan_options *plan,
                                 kane_errors *errors)
{
    static const char *const off_line[]   = {"speed", "acceleration", "shape", NULL};
    static const char *const off_search[] = {"from", "resolution", NULL};
    const kane_critical_study *study      = &map->study;
    const double numbers[PARAMETERS] = {0.0,       0.0,         study->curvature,  study->superelevation, study->from,
                                        study->to, study->step, study->resolution, study->disturbance};
    char texts[PARAMETERS][64];
    const char *settings[PARAMETERS + 1] = {NULL};
    for (int i = CURVATURE, n = 0; i < PARAMETERS; i++) { // radius and cant are in the first two
        (void)kane_snprintf(texts[i], sizeof texts[i], "%s=%.17g", parameters[i], numbers[i]);
        settings[n++] = texts[i];
    }
    const int first                = through ? FROM : 0;
    const kane_sweep_finder finder = {.name            = through ? "cycles along the line" : "critical speeds",
                                      .count           = through ? (int)PASSAGE_NUMBERS : (int)NUMBERS,
                                      .names           = through ? passage_names : names,
                                      .units           = through ? passage_units : units,
                                      .settings        = settings,
                                      .ignored         = through ? off_search : off_line,
                                      .parameter_count = PARAMETERS - first,
                                      .parameters      = parameters + first,
                                      .parameter_units = parameter_units + first,
                                      .check           = through ? check_passage : check_parameters,
                                      .find            = through ? find_passage : find_speeds,
                                      .finish          = through ? NULL : join_points,
                                      .data            = map};
    return sweep_options_carry_out(sweep, plan, &finder, 0, errors);
}
