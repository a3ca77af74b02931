// SPDX-License-Identifier: MIT
// Reports of synthetic signals against plain code that knows nothing of libkane: zones, sections, every quantity of
// forces, estimates and regressions; what is refused; the page.

#include "errors.h"
#include "folder.h"
#include "oracle/plain_report.h"
#include "unit/evaluate/rows.h"

#include "math/statistics.h"

#include <unistd.h>

static const double pi = 3.14159265358979323846, every = 0.005, radii[3] = {500.0, -700.0, 300.0};
static double speed; // of the run that is being made [m/s]

enum { RUNS = 4, LENGTH = 2300 };
enum { DISTANCE, SPEED, CURVATURE, CANT, LEFT_Q, RIGHT_Q, LEFT_Y, RIGHT_Y, LEFT_T, COLUMNS };

static const kane_column columns[COLUMNS] = {{"distance", "m", ""},          {"speed", "m/s", ""},
                                             {"track.curvature", "1/m", ""}, {"track.superelevation", "m", ""},
                                             {"axle.left.Q", "N", ""},       {"axle.right.Q", "N", ""},
                                             {"axle.left.Y", "N", ""},       {"axle.right.Y", "N", ""},
                                             {"axle.left.T_gamma", "N", ""}};

static double ramp(double t)
{
    t = fmin(fmax(t, 0.0), 1.0);
    return t * t * t * (10.0 + t * (-15.0 + 6.0 * t));
}

// Tangent, 500 m to the left, 700 m to the right, 300 m to the left, with 60 m between.
static double share(int curve, double s)
{
    static const double from[3] = {620.0, 1200.0, 1800.0}, to[3] = {1090.0, 1690.0, 2100.0};
    return ramp((s - from[curve]) / 60.0) * ramp((to[curve] + 60.0 - s) / 60.0);
}

static double value(int column, double t)
{
    const double s = speed * t;
    double k = 0.0, u = 0.0;
    for (int i = 0; i < 3; i++) {
        k += share(i, s) / radii[i];
        u += share(i, s) * (radii[i] > 0.0 ? 0.09 : -0.06);
    }
    const double free = speed * speed * k - 9.81 * u / 1.5; // lateral acceleration in the track plane
    switch (column) {
    case DISTANCE: return s;
    case SPEED: return speed;
    case CURVATURE: return k;
    case CANT: return u;
    case LEFT_Q: return 55e3 - 9e3 * free + 4e3 * sin(2.0 * pi * s / 37.0) + 1e3 * sin(2.0 * pi * s / 311.0);
    case RIGHT_Q: return 52e3 + 9e3 * free + 3e3 * sin(2.0 * pi * s / 41.0 + 1.0);
    case LEFT_Y: return 6e3 * free + 5e3 * sin(2.0 * pi * s / 29.0);
    case RIGHT_Y: return 4e3 * free + 4e3 * sin(2.0 * pi * s / 23.0 + 2.0);
    default: return 90.0;
    }
}

static const char manifest[] =
    "{\"kane\": \"manifest 1\", \"input\": {\"vehicle\": {\"file\": \"v.json\", \"xxh128\": \"00ff\"}, \"track\": "
    "{\"file\": \"<line>.json\", \"xxh128\": \"0123\"}}, \"wheelsets\": [{\"name\": \"axle\", "
    "\"static_load\": [55e3, 52e3]}], \"sensors\": []}";
static const char other_vehicle[] =
    "{\"kane\": \"manifest 1\", \"input\": {\"vehicle\": {\"file\": \"w.json\", \"xxh128\": \"11ff\"}}, "
    "\"wheelsets\": [{\"name\": \"axle\", \"static_load\": [55e3, 52e3]}], \"sensors\": []}";

static kane_results *make(double v)
{
    speed           = v;
    kane_results *r = rows_make((int)(LENGTH / (v * every)), every, 0, COLUMNS, columns, value);
    r->manifest     = manifest;
    return r;
}

static const double *rows_of(const kane_results *r, int column)
{
    return kane_results_values(r, column + 1);
}

// The value of a quantity in a section by plain code: its size. Signals are so slow that the filter of 20 Hz leaves
// them.
static double plain_value(const char *quantity, const char *of, const kane_results *r, const plain_stretch *p)
{
    static double ratio[200000], means[20000];
    const int n = p->last - p->first + 1, right = strcmp(of, "axle.right") == 0;
    const double *s = rows_of(r, DISTANCE) + p->first, *Q = rows_of(r, right ? RIGHT_Q : LEFT_Q) + p->first;
    const double *Yl = rows_of(r, LEFT_Y) + p->first, *Yr = rows_of(r, RIGHT_Y) + p->first, *Y = right ? Yr : Yl;
    const double out = right ? -1.0 : 1.0, load = right ? 52e3 : 55e3;
    if (strcmp(quantity, "Q_max") == 0)
        return plain_percentile(n, Q, 99.85);
    if (strstr(quantity, "_qst")) { // of the full curve: a section may begin with the last metres of a transition
        const double *k = rows_of(r, CURVATURE) + p->first, *x = quantity[0] == 'Q' ? Q : Y;
        int count = 0;
        for (int i = 0; i < n; i++) // it changes by no more than 1e-4 of itself in a metre
            if (fabs(k[i + 1] - k[i - 1]) <= 1e-4 * (s[i + 1] - s[i - 1]) * fabs(k[i]) * (1.0 + 1e-6) + 1e-15)
                ratio[count++] = x[i];
        return fabs(plain_percentile(count, ratio, 50.0));
    }
    if (strcmp(quantity, "unloading") == 0)
        return 1.0 - plain_percentile(n, Q, 0.15) / load;
    if (strcmp(quantity, "sum_Y") == 0) {
        for (int i = 0; i < n; i++)
            ratio[i] = Yl[i] + Yr[i];
        const int count = plain_means(n, s, ratio, means);
        return fmax(fabs(plain_percentile(count, means, 0.15)), fabs(plain_percentile(count, means, 99.85)));
    }
    for (int i = 0; i < n; i++)
        ratio[i] = out * Y[i] / (strcmp(quantity, "Y/Q") == 0 ? Q[i] : 1.0);
    if (strcmp(quantity, "Y/Q") == 0)
        return plain_percentile(plain_means(n, s, ratio, means), means, 99.85);
    if (strcmp(quantity, "Y_max") == 0)
        return fabs(plain_percentile(n, ratio, 99.85));
    return NAN;
}

static const char *const known[] = {"Q_max", "Q_qst", "unloading", "Y_max", "Y_qst", "Y/Q", "sum_Y"};

static double factor_of(const char *quantity)
{
    static const double k[] = {2.2, 0.0, 3.0, 2.2, 0.0, 3.0, 3.0};
    for (int i = 0; i < 7; i++)
        if (strcmp(quantity, known[i]) == 0)
            return k[i];
    return NAN;
}

static const double speeds[RUNS] = {20.0, 23.0, 26.0, 30.0};

static kane_report *report_of(kane_results *results[RUNS])
{
    static const char *const names[RUNS] = {"a", "b & c", "d", "e"};
    kane_report_options options          = kane_report_options_default();
    options.view                         = "runs & all.html";
    for (int i = 0; i < RUNS; i++)
        results[i] = make(speeds[i]);
    kane_report *report = CHECK_GOOD(kane_report_create, RUNS, (const kane_results *const *)results, names, &options);
    assert_non_null(report);
    return report;
}

CHECK_TEST(every_quantity_is_what_plain_code_says)
{
    static plain_stretch p[RUNS][64];
    kane_results *results[RUNS];
    int counts[RUNS], seen = 0, sections = 0;
    CHECK_OWNED(kane_report) *report = report_of(results);

    // zones and sections
    for (int i = 0; i < RUNS; i++) {
        const plain_rows w = {kane_results_row_count(results[i]), rows_of(results[i], DISTANCE),
                              rows_of(results[i], CURVATURE), rows_of(results[i], CANT), rows_of(results[i], SPEED)};
        counts[i]          = plain_stretches(&w, p[i], 64);
        for (int k = 0; k < counts[i]; k++, sections++) {
            const kane_report_section *s = kane_report_get_section(report, sections);
            assert_non_null(s);
            assert_int_equal(s->run, i);
            assert_int_equal((int)s->zone, p[i][k].zone);
            assert_int_equal(s->hand, p[i][k].hand);
            check_near(s->from, w.s[p[i][k].first], 1e-9);
            check_near(s->to, w.s[p[i][k].last], 1e-9);
            check_near(s->deficiency, p[i][k].deficiency, 1e-9);
        }
    }
    assert_int_equal(kane_report_section_count(report), sections);
    int zones[KANE_ZONES] = {0};
    for (int k = 0; k < counts[0]; k++)
        zones[p[0][k].zone]++;
    assert_true(zones[0] == 2 && zones[1] >= 4 && zones[2] >= 4 && zones[3] >= 3);

    // values, estimates, regressions
    for (int i = 0; i < kane_report_row_count(report); i++) {
        const kane_report_row *row = kane_report_get_row(report, i);
        double x[256], y[256], most = 0.0;
        int n = 0;
        if (isnan(factor_of(row->quantity->name)))
            continue; // the instability, which has a test of its own
        for (int r = 0; r < RUNS; r++)
            for (int k = 0; k < counts[r]; k++)
                if (p[r][k].zone == (int)row->zone && p[r][k].hand == row->hand) {
                    x[n]   = p[r][k].deficiency;
                    y[n++] = plain_value(row->quantity->name, row->of, results[r], &p[r][k]);
                    most   = fmax(most, x[n - 1]);
                }
        assert_int_equal(row->count, n);
        double scale = 0.0;
        for (int k = 0; k < n; k++)
            scale = fmax(scale, fabs(y[k]));
        for (int k = 0; k < n; k++)
            if (!(fabs(row->values[k].value - y[k]) <= 1e-3 * scale))
                fail_msg("%s of %s, zone %d: %.9g, plain code says %.9g", row->quantity->name, row->of, (int)row->zone,
                         row->values[k].value, y[k]);
        check_near(row->factor, factor_of(row->quantity->name), 0.0);
        check_near(row->estimate, plain_estimate(n, y, row->factor), 1e-3 * scale);
        if (row->hand) {
            const double part = row->factor == 3.0 ? 0.99 : row->factor > 0.0 ? 0.95 : 0.0;
            check_near(row->deficiency, most, 1e-9);
            check_near(row->predicted, plain_prediction(n, x, y, most, part), 1e-3 * scale);
        } else {
            assert_true(isnan(row->predicted));
        }
        seen++;
    }
    assert_true(seen >= 4 * 10); // four zones and hands, two wheels with five or six quantities
    for (int i = 0; i < RUNS; i++)
        kane_results_free(results[i]);
}

// The least limit counts: that of Q_max falls with speed and is 90 kN + Q_0 here; that of Y/Q is 0.8.
// What rows have of a section, against an evaluation of it; how many there are.
static int compare_section(const kane_report *report, int section, const kane_evaluation *single)
{
    int compared = 0;
    for (int i = 0; i < kane_report_row_count(report); i++) {
        const kane_report_row *row = kane_report_get_row(report, i);
        for (int k = 0; k < row->count; k++) {
            int found = row->values[k].section != section;
            compared += !found;
            for (int j = 0; j < kane_evaluation_count(single) && !found; j++) {
                const kane_assessment *a = kane_evaluation_get(single, j);
                found                    = a->quantity == row->quantity && strcmp(a->of, row->of) == 0 &&
                        (row->values[k].value == a->value || row->values[k].value == -a->value);
            }
            assert_true(found);
        }
    }
    return compared;
}

// Filters that all sections share: each section evaluated alone, as kane evaluate does, has the same bits.
CHECK_TEST(sharing_changes_nothing)
{
    kane_results *results[RUNS];
    int compared                     = 0;
    CHECK_OWNED(kane_report) *report = report_of(results);
    for (int i = 0; i < kane_report_section_count(report); i++) {
        const kane_report_section *s         = kane_report_get_section(report, i);
        kane_evaluation_options how          = kane_evaluation_options_default();
        CHECK_ERRORS errors                  = {0};
        how.from                             = s->from;
        how.to                               = s->to;
        CHECK_OWNED(kane_evaluation) *single = kane_evaluate(results[s->run], &how, &errors);
        assert_non_null(single);
        compared += compare_section(report, i, single);
    }
    assert_true(compared > 500);
    for (int i = 0; i < RUNS; i++)
        kane_results_free(results[i]);
}

CHECK_TEST(limits_and_wholes)
{
    kane_results *results[RUNS];
    CHECK_OWNED(kane_report) *report = report_of(results);
    for (int i = 0; i < kane_report_row_count(report); i++) {
        const kane_report_row *row = kane_report_get_row(report, i);
        if (strcmp(row->quantity->name, "Q_max") == 0)
            check_near(row->limit, strcmp(row->of, "axle.left") == 0 ? 145e3 : 142e3, 1e-6);
        if (strcmp(row->quantity->name, "Y/Q") == 0)
            check_near(row->used, fmax(fmax(row->estimate, row->predicted), 0.0) / 0.8, 1e-12);
        if (strcmp(row->quantity->name, "Y_max") == 0)
            assert_true(isnan(row->limit) && isnan(row->used));
    }
    int wear = 0;
    for (int k = 0; k < kane_report_whole_count(report, 1); k++) {
        const kane_assessment *a = kane_report_get_whole(report, 1, k);
        if (strcmp(a->quantity->name, "T_gamma") == 0) {
            check_near(a->value, 90.0, 1e-9);
            wear++;
        }
    }
    assert_int_equal(wear, 1);
    for (int i = 0; i < RUNS; i++)
        kane_results_free(results[i]);
}

CHECK_TEST(student_is_that_of_the_tables)
{
    static const double table[][3] = {{1, 12.7062, 63.6567},  {2, 4.30265, 9.92484},  {5, 2.57058, 4.03214},
                                      {10, 2.22814, 3.16927}, {30, 2.04227, 2.75000}, {120, 1.97993, 2.61742}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        check_near(kane_student_quantile(0.95, table[i][0]), table[i][1], 1e-5 * table[i][1]);
        check_near(kane_student_quantile(0.99, table[i][0]), table[i][2], 1e-5 * table[i][2]);
        check_near(plain_student(0.95, (int)table[i][0]), table[i][1], 1e-5 * table[i][1]);
    }
}

static void refused(kane_results *a, kane_results *b, const kane_report_options *options, const char *why)
{
    const kane_results *results[2]   = {a, b};
    static const char *const names[] = {"first", "second"};
    CHECK_ERRORS errors              = {0};
    assert_null(kane_report_create(b ? 2 : 1, results, names, options, &errors));
    assert_true(errors.count > 0);
    if (!strstr(kane_errors_get(&errors, 0)->text, why))
        fail_msg("'%s' does not say '%s'", kane_errors_get(&errors, 0)->text, why);
}

// --- sections have one cant and one cant deficiency ---

static double ramp_from, ramp_to, cant_behind, slower; // of a curve of 500 m: a cant ramp, and a change of speed there

// 90.6 kN before the ramp and 80.5 kN behind it.
static double ramp_value(int column, double t)
{
    const double s = 20.0 * t, part = fmin(fmax((s - ramp_from) / (ramp_to - ramp_from), 0.0), 1.0);
    switch (column) {
    case DISTANCE: return s;
    case SPEED: return 20.0 - slower * part;
    case CURVATURE: return 1.0 / 500.0;
    case CANT: return 0.03 + (cant_behind - 0.03) * part;
    case RIGHT_Q: return 90.6e3 - 10.1e3 * part;
    case LEFT_Q: return 50e3;
    default: return 0.0;
    }
}

// Sections of the curve, none of which meets the ramp, and what is said of it.
static void check_ramp(kane_section_fault fault, int expected)
{
    static const char *const name[]  = {"ramp"};
    kane_errors errors               = {0};
    CHECK_OWNED(kane_results) *r     = rows_make(6001, every, 0, COLUMNS, columns, ramp_value);
    r->manifest                      = manifest;
    const kane_results *all[]        = {r};
    CHECK_OWNED(kane_report) *report = kane_report_create(1, all, name, NULL, &errors);
    int left_out                     = 0;
    check_no_errors(&errors);
    assert_int_equal(kane_report_section_count(report), expected);
    for (int i = 0; i < expected; i++) {
        const kane_report_section *s = kane_report_get_section(report, i);
        assert_true(s->to <= ramp_from || s->from >= ramp_to - 30.0 || fault == KANE_SECTION_WHOLE);
    }
    for (int i = 0; i < kane_report_left_out_count(report); i++) {
        const kane_left_out_stretch *l = kane_report_get_left_out(report, i);
        if (l->fault != fault)
            continue;
        left_out++;
        assert_true(l->from < ramp_from + 10.0 && l->to > ramp_to - 30.0);
    }
    assert_int_equal(left_out, fault != KANE_SECTION_WHOLE);
    for (int i = 0; i < kane_report_row_count(report); i++) {
        const kane_report_row *row = kane_report_get_row(report, i);
        for (int k = 0;
             strcmp(row->quantity->name, "Q_qst") == 0 && strcmp(row->of, "axle.right") == 0 && k < row->count; k++)
            assert_true(row->values[k].value > 90.3e3 || row->values[k].value < 80.8e3 || fault == KANE_SECTION_WHOLE);
    }
}

CHECK_TEST(a_section_has_one_cant_and_one_deficiency)
{
    ramp_from   = 220.0;
    ramp_to     = 320.0;
    cant_behind = 0.11;
    slower      = 0.0;
    check_ramp(KANE_SECTION_CANT, 2 + 2);
    cant_behind = 0.03;
    slower      = 4.0;                          // 122 mm of v^2 k become 78 mm
    check_ramp(KANE_SECTION_DEFICIENCY, 2 + 3); // within 10 mm of the last 78 mm from 295 m on
    slower = 0.0;
    check_ramp(KANE_SECTION_WHOLE, 6);
}

CHECK_TEST(what_has_nothing_in_common_is_refused)
{
    CHECK_OWNED(kane_results) *a = make(20.0), *b = make(25.0);
    b->manifest = other_vehicle;
    refused(a, b, NULL, "first and second are runs of different vehicles");
    kane_report_options far = kane_report_options_default();
    far.each.section        = 700.0;
    refused(a, NULL, &far, "no stretch with one radius, one cant and one cant deficiency is long enough");
    speed                        = 20.0;
    CHECK_OWNED(kane_results) *c = rows_make(1000, every, 0, 2, columns, value);
    c->manifest                  = manifest;
    refused(c, NULL, NULL, "there is no column 'track.curvature'; test zones need it, record \"track\"");
}

// Every number leads to a figure that is there; nothing is loaded from elsewhere; names are text.
CHECK_TEST(page_is_whole)
{
    kane_results *results[RUNS];
    CHECK_OWNED(kane_report) *report = report_of(results);
    assert_int_equal(CHECK_GOOD(kane_report_write, report, "a <title>", "report.html"), KANE_OK);
    FILE *file = fopen("report.html", "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = '\0';
    (void)fclose(file);
    assert_non_null(strstr(text, "<h1>a &lt;title&gt;</h1>"));
    assert_non_null(strstr(text, "b &amp; c"));
    assert_non_null(strstr(text, "&lt;line&gt;.json"));
    assert_null(strstr(text, "http"));
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "nan"));
    assert_non_null(strstr(text, "</html>"));
    int links = 0;
    for (const char *at = text; (at = strstr(at, "href=\"#")) != NULL; links++) {
        char id[40];
        at += strlen("href=\"#");
        (void)snprintf(id, sizeof id, "id=\"%.*s\"", (int)strcspn(at, "\""), at);
        if (!strstr(text, id))
            fail_msg("a link leads to %s, which is not there", id);
    }
    assert_true(links > 200);
    // and to the page of kane view: run, section and channels
    const char *curve = "href=\"runs &amp; all.html#run=";
    int curves        = 0;
    for (const char *at = text; (at = strstr(at, curve)) != NULL; curves++) {
        double from, to;
        int run;
        char rest[64];
        at += strlen(curve);
        assert_int_equal(sscanf(at, "%d&amp;from=%lf&amp;to=%lf&amp;curves=axle.%60[^\"]", &run, &from, &to, rest), 4);
        assert_true(run >= 1 && run <= RUNS && from < to && (strstr(rest, ".Q") || strstr(rest, ".Y")));
    }
    assert_true(curves > 50);
    assert_non_null(strstr(text, "<path class=\"w\""));
    free(text);
    for (int i = 0; i < RUNS; i++)
        kane_results_free(results[i]);
}

CHECK_MAIN(enter_folder, leave_folder)
