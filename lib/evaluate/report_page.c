// SPDX-License-Identifier: MIT
// A report as a page for a browser: tables whose numbers lead to figures, drawn as SVG in the page itself. It needs no
// network and no script.

#include "evaluate/standard.h"

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/text.h"

#include <kane/signal.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SECTIONS_ASKED = 25, WIDTH = 460, HEIGHT = 240, LEFT = 62, RIGHT = 10, TOP = 12, BOTTOM = 38, POINTS = 300 };

typedef struct page {
    const kane_report *report;
    FILE *file;
    kane_arena *scratch;
} page;

// --- text ---

static void write_text(const page *p, const char *t)
{
    kane_write_markup(p->file, t);
}

static const char *hand_name(int hand)
{
    return hand > 0 ? ", to the left" : hand < 0 ? ", to the right" : "";
}

// Divisor of numbers of a unit, and the name of the unit after division.
static double scale_of(const kane_quantity *q, const char **unit)
{
    const int is_force = strcmp(q->unit, "N") == 0 && strncmp(q->name, "T_gamma", 7) != 0;
    *unit              = is_force ? "kN" : strcmp(q->unit, "1") == 0 ? "" : q->unit;
    return is_force ? 1e3 : 1.0;
}

static void write_number(const page *p, double value, double scale)
{
    if (isfinite(value))
        (void)kane_fprintf(p->file, "%.4g", value / scale);
    else
        (void)fputs("&ndash;", p->file);
}

// --- figures ---

typedef struct axes {
    double x0, x1, y0, y1;
} axes;

static void extend_axis(axes *a, double y)
{
    if (isfinite(y)) {
        a->y0 = fmin(a->y0, y);
        a->y1 = fmax(a->y1, y);
    }
}

static double pixel_x(const axes *a, double x)
{
    return LEFT + (x - a->x0) / (a->x1 - a->x0) * (WIDTH - LEFT - RIGHT);
}

static double pixel_y(const axes *a, double y)
{
    return HEIGHT - BOTTOM - (y - a->y0) / (a->y1 - a->y0) * (HEIGHT - TOP - BOTTOM);
}

// A round step that cuts a range into some five parts.
static double step_of(double range)
{
    const double raw = range / 5.0, ten = pow(10.0, floor(log10(raw))), part = raw / ten;
    return ten * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
}

static void begin_diagram(const page *p, axes *a, const char *x_label, const char *y_label)
{
    if (!(a->x1 > a->x0)) {
        a->x0 -= 1.0;
        a->x1 += 1.0;
    }
    const double room = a->y1 > a->y0 ? 0.06 * (a->y1 - a->y0) : fmax(fabs(a->y1), 1e-6);
    a->y0 -= room;
    a->y1 += room;
    (void)fprintf(p->file, "<svg viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, HEIGHT);
    const double dx = step_of(a->x1 - a->x0), dy = step_of(a->y1 - a->y0);
    for (double x = ceil(a->x0 / dx) * dx; x <= a->x1; x += dx)
        (void)kane_fprintf(
            p->file, "<path class=\"g\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" class=\"m\">%.5g</text>",
            pixel_x(a, x), TOP, HEIGHT - BOTTOM, pixel_x(a, x), HEIGHT - BOTTOM + 14, fabs(x) < 1e-9 * dx ? 0.0 : x);
    for (double y = ceil(a->y0 / dy) * dy; y <= a->y1; y += dy)
        (void)kane_fprintf(
            p->file, "<path class=\"g\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"e\">%.5g</text>", LEFT,
            pixel_y(a, y), WIDTH - RIGHT, LEFT - 5, pixel_y(a, y) + 4.0, fabs(y) < 1e-9 * dy ? 0.0 : y);
    (void)fprintf(
        p->file,
        "<text x=\"%d\" y=\"%d\" class=\"m\">%s</text><text transform=\"translate(13 %d) rotate(-90)\" class=\"m\">",
        (WIDTH + LEFT) / 2, HEIGHT - 6, x_label, (HEIGHT - BOTTOM + TOP) / 2);
    write_text(p, y_label);
    (void)fputs("</text>", p->file);
}

static void draw_level(const page *p, const axes *a, double y, const char *kind)
{
    if (isfinite(y))
        (void)kane_fprintf(p->file, "<path class=\"%s\" d=\"M%d %.1fH%d\"/>", kind, LEFT, pixel_y(a, y), WIDTH - RIGHT);
}

// Values of the sections over cant deficiency, of tangents over the place; with limit, estimate and regression.
static void draw_sections(const page *p, const kane_report_row *row)
{
    const char *unit;
    const double scale = scale_of(row->quantity, &unit);
    axes a             = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    char label[80];
    for (int i = 0; i < row->count; i++) {
        const kane_report_section *s = &p->report->sections[row->values[i].section];
        const double x               = row->hand ? 1e3 * s->deficiency : 0.5 * (s->from + s->to);
        a.x0                         = fmin(a.x0, x);
        a.x1                         = fmax(a.x1, x);
        extend_axis(&a, row->values[i].value / scale);
    }
    if (isfinite(row->deficiency)) {
        a.x0 = fmin(a.x0, 1e3 * row->deficiency);
        a.x1 = fmax(a.x1, 1e3 * row->deficiency);
    }
    extend_axis(&a, row->limit / scale);
    extend_axis(&a, row->estimate / scale);
    extend_axis(&a, row->predicted / scale);
    (void)snprintf(label, sizeof label, "%s%s%s%s", row->quantity->name, unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
    begin_diagram(p, &a, row->hand ? "cant deficiency [mm]" : "distance travelled [m]", label);
    draw_level(p, &a, row->limit / scale, "l");
    draw_level(p, &a, row->estimate / scale, "d");
    if (isfinite(row->b))
        (void)kane_fprintf(
            p->file,
            "<path class=\"r\" d=\"M%.1f %.1fL%.1f %.1f\"/><circle class=\"q\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>",
            pixel_x(&a, a.x0), pixel_y(&a, (row->a + 1e-3 * row->b * a.x0) / scale), pixel_x(&a, a.x1),
            pixel_y(&a, (row->a + 1e-3 * row->b * a.x1) / scale), pixel_x(&a, 1e3 * row->deficiency),
            pixel_y(&a, row->predicted / scale));
    for (int i = 0; i < row->count; i++) {
        const kane_report_section *s = &p->report->sections[row->values[i].section];
        (void)kane_fprintf(
            p->file,
            "<a href=\"#s%d\"><circle class=\"p\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%.5g m to %.5g m</title></circle></a>",
            row->values[i].section, pixel_x(&a, row->hand ? 1e3 * s->deficiency : 0.5 * (s->from + s->to)),
            pixel_y(&a, row->values[i].value / scale), s->from, s->to);
    }
    (void)fputs("</svg>", p->file);
}

// Channels whose sum with these factors is the quantity.
static int channels_of(const kane_report_row *row, char names[2][200])
{
    switch ((kane_quantity_id)(row->quantity - kane_quantity_get(0))) {
    case KANE_Q_MAX:
    case KANE_Q_QST:
    case KANE_UNLOADING: (void)snprintf(names[0], 200, "%.190s.Q", row->of); return 1;
    case KANE_Y_MAX:
    case KANE_Y_QST:
    case KANE_Y_OVER_Q: (void)snprintf(names[0], 200, "%.190s.Y", row->of); return 1;
    case KANE_SUM_Y:
    case KANE_INSTABILITY:
        (void)snprintf(names[0], 200, "%.185s.left.Y", row->of);
        (void)snprintf(names[1], 200, "%.185s.right.Y", row->of);
        return 2;
    case KANE_FRAME_Y_MAX:
    case KANE_FRAME_Y_RMS:
    case KANE_BOX_Y_MAX:
    case KANE_BOX_Y_RMS:
    case KANE_ACC_Y_MAX:
    case KANE_ACC_Y_RMS:
    case KANE_ACC_Y_QST: (void)snprintf(names[0], 200, "%.180s.acceleration.y", row->of); return 1;
    case KANE_ACC_Z_MAX:
    case KANE_ACC_Z_RMS: (void)snprintf(names[0], 200, "%.180s.acceleration.z", row->of); return 1;
    default: return 0;
    }
}

// The signal behind the filter of a quantity, where its rows are those of the results; NULL: there is none. Filtered
// forces of right wheels count outward: `sign` takes them back.
static const double *filtered_of(const kane_report_run *run, kane_quantity_id id, const char *name, double *sign)
{
    const int is_force = id < KANE_INSTABILITY, is_vibration = id >= KANE_ACC_Y_MAX && id <= KANE_ACC_Z_RMS;
    const double low = is_vibration ? 0.4 : 0.0, high = is_force || id == KANE_ACC_Y_QST ? 20.0 : 10.0;
    const size_t length = strlen(name);
    if (id == KANE_INSTABILITY || id == KANE_FRAME_Y_RMS || id == KANE_BOX_Y_RMS || run->filtered.is_resampled)
        return NULL; // of a band that depends on the section
    *sign = length > 8 && strcmp(name + length - 8, ".right.Y") == 0 ? -1.0 : 1.0;
    for (const kane_filtered_rows *r = run->filtered.first; r; r = r->next)
        if (r->low == low && r->high == high && strcmp(r->channel, name) == 0)
            return r->x;
    return NULL;
}

// What a quantity was found from, in the section with its largest value.
typedef struct signal {
    const kane_report_section *section;
    const kane_report_run *run;
    int channels;
    char names[2][200];
    const double *recorded[2], *filtered[2]; // [rows]; filtered NULL: none
    double sign[2];
    int first, last; // rows of the section
} signal;

// 0: there is none to be drawn.
static int find_signal(const page *p, const kane_report_row *row, signal *g)
{
    int worst = 0;
    for (int i = 1; i < row->count; i++)
        worst = row->values[i].value > row->values[worst].value ? i : worst;
    const kane_report_section *s = &p->report->sections[row->values[worst].section];
    *g          = (signal){.section = s, .run = &p->report->runs[s->run], .last = p->report->runs[s->run].rows};
    g->channels = channels_of(row, g->names);
    for (int k = 0; k < g->channels; k++) {
        kane_errors unreported = {.limit = 1};
        const int column       = kane_results_find(g->run->results, g->names[k], &unreported);
        if (column < 0)
            return 0;
        g->recorded[k] = kane_results_values(g->run->results, column);
        g->filtered[k] =
            filtered_of(g->run, (kane_quantity_id)(row->quantity - kane_quantity_get(0)), g->names[k], &g->sign[k]);
    }
    while (g->first < g->run->rows && g->run->s[g->first] < s->from)
        g->first++;
    while (g->last > g->first && g->run->s[g->last - 1] > s->to)
        g->last--;
    const int is_filtered = g->channels > 0 && g->filtered[0] && (g->channels == 1 || g->filtered[1]);
    if (!is_filtered || g->last > g->run->filtered.count)
        g->filtered[0] = g->filtered[1] = NULL;
    return g->channels > 0 && g->last - g->first >= 2;
}

static double signal_at(const signal *g, int is_filtered, int i)
{
    double sum = 0.0;
    for (int k = 0; k < g->channels; k++)
        sum += is_filtered ? g->sign[k] * g->filtered[k][i] : g->recorded[k][i];
    return sum;
}

// Each part of the picture shows its least and its largest row.
static void draw_curve(const page *p, const axes *a, const signal *g, int is_filtered, double scale, const char *class)
{
    (void)fprintf(p->file, "<path class=\"%s\" d=\"", class);
    const int bin = (g->last - g->first) / POINTS + 1;
    for (int i = g->first; i < g->last; i += bin) {
        int low = i, high = i;
        for (int k = i; k < g->last && k < i + bin; k++) {
            low  = signal_at(g, is_filtered, k) < signal_at(g, is_filtered, low) ? k : low;
            high = signal_at(g, is_filtered, k) > signal_at(g, is_filtered, high) ? k : high;
        }
        const int pair[2] = {low < high ? low : high, low < high ? high : low};
        for (int k = 0; k < 2; k++)
            (void)kane_fprintf(p->file, "%s%.1f %.1f", i == g->first && k == 0 ? "M" : "L",
                               pixel_x(a, g->run->s[pair[k]]), pixel_y(a, signal_at(g, is_filtered, pair[k]) / scale));
    }
    (void)fputs("\"/>", p->file);
}

// The recorded signal, thin, and the filtered one.
static void draw_signal(const page *p, const kane_report_row *row)
{
    char label[240];
    signal g;
    if (!find_signal(p, row, &g))
        return;
    const char *unit   = strstr(g.names[0], "acceleration") ? "m/s&sup2;" : "kN";
    const double scale = unit[0] == 'k' ? 1e3 : 1.0;
    axes a             = {g.section->from, g.section->to, HUGE_VAL, -HUGE_VAL};
    for (int i = g.first; i < g.last; i++)
        extend_axis(&a, signal_at(&g, 0, i) / scale);
    (void)snprintf(label, sizeof label, "%.60s%s", g.names[0], g.channels > 1 ? " + right" : "");
    begin_diagram(p, &a, "distance travelled [m]", label);
    draw_curve(p, &a, &g, 0, scale, g.filtered[0] ? "w" : "c");
    if (g.filtered[0])
        draw_curve(p, &a, &g, 1, scale, "c");
    (void)fputs("</svg>", p->file);
}

// Into the page of kane view, whose window the section is.
static void link_signal(const page *p, const kane_report_row *row)
{
    signal g;
    if (!p->report->options.view || !find_signal(p, row, &g))
        return;
    (void)fputs(", <a href=\"", p->file);
    write_text(p, p->report->options.view);
    (void)kane_fprintf(p->file, "#run=%d&amp;from=%.9g&amp;to=%.9g&amp;curves=", (int)(g.run - p->report->runs) + 1,
                       g.section->from, g.section->to);
    for (int k = 0; k < g.channels; k++) {
        (void)fputs(k ? "," : "", p->file);
        for (const char *c = g.names[k]; *c; c++) // what may stand in an address stays
            if (strchr("-_.~", *c) || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'))
                (void)fputc(*c, p->file);
            else
                (void)fprintf(p->file, "%%%02X", (unsigned)(unsigned char)*c);
    }
    (void)fputs("\">curve</a>", p->file);
}

// --- parts of the page ---

static void write_head(const page *p, const char *title)
{
    (void)fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                "content=\"width=device-width\"><title>",
                p->file);
    write_text(p, title);
    (void)fputs(
        "</title><style>:root{color-scheme:light dark;--i:#1a1a1a;--b:#fff;--g:#ddd;--p:#0072b2;--l:#d55e00;--d:#555}"
        "@media(prefers-color-scheme:dark){:root{--i:#ddd;--b:#161616;--g:#3a3a3a;--p:#56b4e9;--l:#e69f00;--d:#aaa}}"
        "body{font:15px/1.4 sans-serif;color:var(--i);background:var(--b);max-width:1000px;margin:1em auto;padding:0 1em}"
        "table{border-collapse:collapse;margin:.5em 0;display:block;overflow-x:auto}th,td{padding:.15em .6em;text-align:right;"
        "border-bottom:1px solid var(--g)}th{font-weight:600}td:first-child,th:first-child,.t{text-align:left!important}a{color:var(--p)}"
        ".over{color:var(--l);font-weight:700}figure{display:inline-block;margin:.6em 0;width:100%;break-inside:avoid}"
        "svg{width:49%;min-width:300px}svg text{font-size:11px;fill:var(--i)}.m{text-anchor:middle}.e{text-anchor:end}.g{stroke:var(--g)}"
        ".l{stroke:var(--l);stroke-dasharray:6 3;stroke-width:1.5}.d{stroke:var(--d);stroke-dasharray:2 3}.r{stroke:var(--p);"
        "stroke-width:1.5}.w{stroke:var(--d);fill:none;stroke-width:.5;opacity:.6}.c{stroke:var(--p);fill:none;stroke-width:1}.p{fill:var(--p)}.q{fill:none;stroke:var(--p);stroke-width:1.5}"
        "code{font-size:.85em;word-break:break-all}figure:target,tr:target{outline:2px solid var(--l)}</style></head><body><h1>",
        p->file);
    write_text(p, title);
    (void)fprintf(
        p->file,
        "</h1><p>Quantities, filters and percentiles after EN 14363 and UIC 518, comfort after EN 12299; limits of a "
        "%s. Made by libkane %s.</p>\n",
        kane_vehicle_class_name(p->report->options.each.kind), kane_version());
}

static void write_files(const page *p, const kane_node *input)
{
    for (const kane_node *item = input ? input->child : NULL; item; item = item->next) {
        const int is_list = item->kind == KANE_NODE_LIST;
        for (const kane_node *f = is_list ? item->child : item; f; f = is_list ? f->next : NULL) {
            const kane_node *file = kane_node_find(f, "file"), *hash = kane_node_find(f, "xxh128");
            if (!file || !hash)
                continue;
            (void)fputs("<tr><td>", p->file);
            write_text(p, item->key);
            (void)fputs("</td><td class=\"t\"><code>", p->file);
            write_text(p, file->text);
            (void)fputs("</code></td><td class=\"t\"><code>", p->file);
            write_text(p, hash->text);
            (void)fputs("</code></td></tr>\n", p->file);
        }
    }
}

static void write_runs(const page *p)
{
    (void)fputs("<h2>Runs</h2>\n", p->file);
    for (int i = 0; i < p->report->run_count; i++) {
        const kane_report_run *run = &p->report->runs[i];
        const char *manifest       = kane_results_manifest(run->results);
        kane_errors unreported     = {.limit = 1};
        const kane_node *root =
            manifest ? kane_json_parse(p->scratch, "manifest", manifest, strlen(manifest), &unreported) : NULL;
        const kane_evaluated_section all = kane_evaluation_section(run->whole);
        const kane_node *commit          = root ? kane_node_find(root, "commit") : NULL;
        const kane_node *input           = root ? kane_node_find(root, "input") : NULL;
        const kane_node *changes         = input ? kane_node_find(input, "changes") : NULL;
        (void)fputs("<h3>", p->file);
        write_text(p, run->name);
        (void)kane_fprintf(p->file, "</h3><p>%.6g m to %.6g m, up to %.4g km/h", all.from, all.to, 3.6 * all.speed);
        if (commit && commit->kind == KANE_NODE_TEXT) {
            (void)fputs("; commit <code>", p->file);
            write_text(p, commit->text);
            (void)fputs("</code>", p->file);
        }
        (void)fputs("</p><table><tr><th>input</th><th>file</th><th>XXH128</th></tr>\n", p->file);
        write_files(p, input);
        (void)fputs("</table>", p->file);
        for (const kane_node *c = changes ? changes->child : NULL; c; c = c->next) {
            (void)fputs("<p>changed: <code>", p->file);
            write_text(p, c->text);
            (void)fputs("</code></p>", p->file);
        }
        for (int k = 0; k < kane_evaluation_note_count(run->whole); k++) {
            const char *remark = kane_evaluation_note(run->whole, k);
            if (strstr(remark, "kinds of full curves") || strstr(remark, "full curve from")) // here they are apart
                continue;
            (void)fputs("<p>", p->file);
            write_text(p, remark);
            (void)fputs("</p>\n", p->file);
        }
    }
}

// Calls `part` for every zone and hand that there are sections of.
static void for_all_zones(const page *p, void (*part)(const page *, kane_zone, int))
{
    for (int zone = 0; zone < KANE_ZONES; zone++)
        for (int hand = 1; hand >= -1; hand--) {
            int count = 0;
            for (int i = 0; i < p->report->section_count; i++)
                count += (int)p->report->sections[i].zone == zone && p->report->sections[i].hand == hand;
            if (count > 0)
                part(p, (kane_zone)zone, hand);
        }
}

static void write_zone(const page *p, kane_zone zone, int hand)
{
    int count   = 0;
    double r[2] = {HUGE_VAL, 0.0}, v[2] = {HUGE_VAL, 0.0}, d[2] = {HUGE_VAL, -HUGE_VAL}, length = 0.0;
    for (int i = 0; i < p->report->section_count; i++) {
        const kane_report_section *s = &p->report->sections[i];
        if (s->zone != zone || s->hand != hand)
            continue;
        count++;
        length += s->to - s->from;
        r[0] = fmin(r[0], 1.0 / fabs(s->curvature));
        r[1] = fmax(r[1], 1.0 / fabs(s->curvature));
        v[0] = fmin(v[0], 3.6 * s->speed);
        v[1] = fmax(v[1], 3.6 * s->speed);
        d[0] = fmin(d[0], 1e3 * s->deficiency);
        d[1] = fmax(d[1], 1e3 * s->deficiency);
    }
    (void)kane_fprintf(p->file, "<tr><td><a href=\"#z%d%d\">%s%s</a></td><td%s>%d</td><td>%.5g</td>", (int)zone,
                       hand + 1, kane_zone_name(zone), hand_name(hand), count < SECTIONS_ASKED ? " class=\"over\"" : "",
                       count, length);
    if (hand)
        (void)kane_fprintf(p->file, "<td>%.4g to %.4g</td>", r[0], r[1]);
    else
        (void)fputs("<td>&ndash;</td>", p->file);
    (void)kane_fprintf(p->file, "<td>%.4g to %.4g</td>", v[0], v[1]);
    if (hand)
        (void)kane_fprintf(p->file, "<td>%.4g to %.4g</td></tr>\n", d[0], d[1]);
    else
        (void)fputs("<td>&ndash;</td></tr>\n", p->file);
}

static void write_values(const page *p, kane_zone zone, int hand)
{
    (void)fprintf(
        p->file,
        "<h3 id=\"z%d%d\">%s%s</h3><table><tr><th>quantity</th><th class=\"t\">of</th><th>sections</th><th>mean</th><th>s</th>"
        "<th>k</th><th>estimate</th><th>at cant deficiency</th><th>limit</th><th>used</th></tr>\n",
        (int)zone, hand + 1, kane_zone_name(zone), hand_name(hand));
    for (int q = 0; q < KANE_QUANTITIES; q++)
        for (int i = 0; i < p->report->row_count; i++) {
            const kane_report_row *row = &p->report->rows[i];
            const char *unit;
            if (row->zone != zone || row->hand != hand || row->quantity != kane_quantity_get(q))
                continue;
            const double scale = scale_of(row->quantity, &unit);
            (void)fprintf(p->file, "<tr><td>%s%s%s%s</td><td class=\"t\">", row->quantity->name, unit[0] ? " [" : "",
                          unit, unit[0] ? "]" : "");
            write_text(p, row->of);
            (void)fprintf(p->file, "</td><td>%d</td><td>", row->count);
            write_number(p, row->mean, scale);
            (void)fputs("</td><td>", p->file);
            write_number(p, row->deviation, scale);
            (void)kane_fprintf(p->file, "</td><td>%.2g</td><td><a href=\"#f%d\">", row->factor, i);
            write_number(p, row->estimate, scale);
            (void)fprintf(p->file, "</a></td><td><a href=\"#f%d\">", i);
            write_number(p, row->predicted, scale);
            if (isfinite(row->predicted))
                (void)kane_fprintf(p->file, " (%.4g mm)", 1e3 * row->deficiency);
            (void)fputs("</a></td><td>", p->file);
            write_number(p, row->limit, scale);
            if (isfinite(row->used))
                (void)kane_fprintf(p->file, "</td><td%s>%.1f %%</td></tr>\n", row->used > 1.0 ? " class=\"over\"" : "",
                                   100.0 * row->used);
            else
                (void)fputs("</td><td>&ndash;</td></tr>\n", p->file);
        }
    (void)fputs("</table>\n", p->file);
}

static void write_whole(const page *p)
{
    (void)fputs(
        "<h2>Comfort, wear, lift-offs: whole runs</h2><table><tr><th>quantity</th><th>of</th><th>run</th><th>value</th><th></th></tr>\n",
        p->file);
    for (int i = 0; i < p->report->run_count; i++)
        for (int k = 0; k < kane_report_whole_count(p->report, i); k++) {
            const kane_assessment *a = kane_report_get_whole(p->report, i, k);
            (void)fprintf(p->file, "<tr><td>%s</td><td class=\"t\">", a->quantity->name);
            write_text(p, a->of);
            (void)fputs("</td><td class=\"t\">", p->file);
            write_text(p, p->report->runs[i].name);
            (void)fputs("</td><td>", p->file);
            write_number(p, a->value, 1.0);
            (void)fputs("</td><td class=\"t\">", p->file);
            write_text(p, a->quantity->about);
            (void)fputs("</td></tr>\n", p->file);
        }
    (void)fputs("</table>\n", p->file);
}

static void write_sections(const page *p)
{
    (void)fputs(
        "<h2>Sections</h2><table><tr><th>zone</th><th>run</th><th>from [m]</th><th>to [m]</th><th>radius [m]</th><th>cant [mm]</th>"
        "<th>speed [km/h]</th><th>cant deficiency [mm]</th></tr>\n",
        p->file);
    for (int i = 0; i < p->report->section_count; i++) {
        const kane_report_section *s = &p->report->sections[i];
        (void)fprintf(p->file, "<tr id=\"s%d\"><td>%s%s</td><td class=\"t\">", i, kane_zone_name(s->zone),
                      hand_name(s->hand));
        write_text(p, p->report->runs[s->run].name);
        (void)kane_fprintf(p->file, "</td><td>%.6g</td><td>%.6g</td><td>", s->from, s->to);
        write_number(p, s->hand ? 1.0 / fabs(s->curvature) : (double)NAN, 1.0);
        (void)kane_fprintf(p->file, "</td><td>%.4g</td><td>%.4g</td><td>",
                           1e3 * (s->hand ? s->hand * s->superelevation : s->superelevation), 3.6 * s->speed);
        write_number(p, s->hand ? s->deficiency : (double)NAN, 1e-3);
        (void)fputs("</td></tr>\n", p->file);
    }
    (void)fputs("</table>\n", p->file);
}

static void range_of(const page *p, double least, double most)
{
    (void)kane_fprintf(p->file, "<td>%.4g .. %.4g</td>", 1e3 * least, 1e3 * most);
}

// Stretches without section, and why.
static void write_left_out(const page *p)
{
    char tolerance[256];
    kane_section_tolerance_format(p->report->options.each.running_distance, sizeof tolerance, tolerance);
    (void)fprintf(
        p->file,
        "<h3>Left out</h3><p>A section has one radius, one cant and one cant deficiency: %s. No section begins "
        "here:</p><table><tr><th class=\"t\">because</th><th>run</th><th>from [m]</th><th>to [m]</th>"
        "<th>curvature [1/km]</th><th>right rail higher by [mm]</th><th>cant deficiency [mm]</th></tr>\n",
        tolerance);
    for (int i = 0; i < p->report->left_out.count; i++) {
        const kane_left_out_stretch *l = &p->report->left_out.stretches[i];
        (void)fprintf(p->file, "<tr><td class=\"t\">%s</td><td class=\"t\">", kane_section_fault_name(l->fault));
        write_text(p, p->report->runs[l->run].name);
        (void)kane_fprintf(p->file, "</td><td>%.6g</td><td>%.6g</td>", l->from, l->to);
        range_of(p, l->range.curvature[0], l->range.curvature[1]);
        range_of(p, l->range.superelevation[0], l->range.superelevation[1]);
        range_of(p, l->range.deficiency[0], l->range.deficiency[1]);
        (void)fputs("</tr>\n", p->file);
    }
    (void)fputs("</table>\n", p->file);
}

static void write_figures(const page *p)
{
    (void)fputs(
        "<h2>Figures</h2><p>Left: values of the sections, the limit (dashes), the estimate (dots), the regression, and a ring where it "
        "is read with its margin. Right: the signal of the section with the largest value, behind the filter of the quantity, and as it "
        "was recorded (thin). Quantities of a band that depends on the section show what was recorded.</p>\n",
        p->file);
    for (int i = 0; i < p->report->row_count; i++) {
        const kane_report_row *row = &p->report->rows[i];
        (void)fprintf(p->file, "<figure id=\"f%d\"><figcaption>%s, ", i, row->quantity->name);
        write_text(p, row->of);
        (void)fprintf(p->file, ": %s%s (<a href=\"#z%d%d\">table</a>", kane_zone_name(row->zone), hand_name(row->hand),
                      (int)row->zone, row->hand + 1);
        link_signal(p, row);
        (void)fputs(")</figcaption>", p->file);
        draw_sections(p, row);
        draw_signal(p, row);
        (void)fputs("</figure>\n", p->file);
    }
}

kane_status kane_report_write(const kane_report *report, const char *title, const char *file, kane_errors *errors)
{
    kane_replacement out;
    page p             = {.report = report, .scratch = kane_arena_create()};
    kane_status status = p.scratch ? kane_replacement_open(&out, file, errors) : KANE_NO_MEMORY;
    if (!p.scratch)
        (void)kane_no_memory(errors);
    if (status == KANE_OK) {
        p.file = out.file;
        write_head(&p, title);
        write_runs(&p);
        (void)fprintf(
            p.file,
            "<h2>Test zones</h2><p>EN 14363 asks for at least %d sections in each zone.</p><table><tr><th>zone</th>"
            "<th>sections</th><th>length [m]</th><th>radii [m]</th><th>speed [km/h]</th><th>cant deficiency [mm]</th></tr>\n",
            (int)SECTIONS_ASKED);
        for_all_zones(&p, write_zone);
        (void)fputs("</table><h2>Values</h2>\n", p.file);
        for_all_zones(&p, write_values);
        write_whole(&p);
        write_sections(&p);
        write_left_out(&p);
        write_figures(&p);
        (void)fputs("</body></html>\n", p.file);
        status = kane_replacement_close(&out, errors);
    }
    kane_arena_free(p.scratch);
    return status;
}
