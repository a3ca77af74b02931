// SPDX-License-Identifier: MIT
// What there is to evaluate: even rows, the section, wheelsets and accelerometers by the manifest or by their channels.

#include "evaluate/standard.h"

#include "base/json.h"
#include "base/text.h"
#include "results/results.h"

#include <string.h>

static const double least_curvature = 1e-5; // of a curve [1/m]
static const double change          = 1e-4; // of the curvature over itself in a metre: less in a full curve
static const double round_off       = 1e-9; // of the curvature between two rows, over itself
static const double ramp            = 2e-5; // change of cant in a metre: less in a full curve [1]
static const double short_curve     = 20.0; // a shorter one counts only where there is no longer one [m]

// --- rows ---

static const double *column_of(kane_examination *e, const char *name)
{
    const int column = kane_results_find(e->results, name, e->errors);
    return column >= 0 ? kane_results_values(e->results, column) : NULL;
}

static int find_rows(kane_examination *e)
{
    const int n            = kane_results_row_count(e->results);
    kane_errors unreported = {.limit = 1};
    if (kane_results_find(e->results, "distance", &unreported) < 0) {
        kane_errors_add(e->errors, KANE_BAD_ARGUMENT,
                        "there is no column 'distance': only a run along a track can be evaluated");
        return 0;
    }
    if (n < 2) {
        kane_errors_add(e->errors, KANE_BAD_ARGUMENT, "%s", n == 0 ? "there are no rows" : "there is only one row");
        return 0;
    }
    e->time             = column_of(e, "time");
    const double *place = column_of(e, "distance");
    if (!e->time || kane_sampling_find(n, e->time, &e->sampling, e->errors) != KANE_OK)
        return 0;
    double *s = kane_arena_doubles(e->kept, (size_t)e->sampling.count);
    e->failed |= !s;
    if (s)
        kane_sampling_apply(&e->sampling, n, e->time, place, s);
    for (int i = 0; s && i < e->sampling.count; i++)
        if (!isfinite(s[i]) || (i > 0 && s[i] < s[i - 1])) {
            kane_errors_add(e->errors, KANE_BAD_ARGUMENT, "the column 'distance' %s at %g s",
                            isfinite(s[i]) ? "goes back" : "is not finite", e->sampling.first + i * e->sampling.step);
            return 0;
        }
    e->s = s;
    return s != NULL;
}

// --- the section ---

static double speed_between(const kane_examination *e, int begin, int end)
{
    double most = 0.0;
    for (int i = begin + 1; i < end; i++)
        most = fmax(most, (e->s[i] - e->s[i - 1]) / e->sampling.step);
    return most;
}

static int find_section(kane_examination *e)
{
    const kane_evaluation_options *o = e->options;
    const int n                      = e->sampling.count;
    int begin = 0, end = n;
    while (begin < n && !(e->s[begin] >= o->from))
        begin++;
    while (end > begin && !(e->s[end - 1] <= o->to))
        end--;
    if (end - begin < 2) {
        kane_errors_add(e->errors, KANE_BAD_ARGUMENT,
                        "no rows lie between %g m and %g m; there are rows from %g m to %g m", o->from, o->to, e->s[0],
                        e->s[n - 1]);
        return 0;
    }
    e->begin        = begin;
    e->end          = end;
    e->out->section = (kane_evaluated_section){e->s[begin], e->s[end - 1], speed_between(e, begin, end), end - begin};
    return 1;
}

// Whether a row is in a full curve: the line is curved, as much before and behind, and its cant does not change. By the
// metre, for rows of a slow vehicle lie close to each other.
typedef enum line_part { LINE_IN_NO_CURVE, LINE_IN_FULL_CURVE, LINE_ON_RAMP_IN_CURVE } line_part;

static line_part part_of(const kane_line_rows *line, int i)
{
    const int before = i > 0 ? i - 1 : i, behind = i + 1 < line->count ? i + 1 : i;
    const double ds   = line->s[behind] - line->s[before];
    const double here = fabs(line->curvature[i]), most = (change * ds + round_off) * here;
    if (!(here > least_curvature && fabs(line->curvature[behind] - line->curvature[before]) <= most))
        return LINE_IN_NO_CURVE;
    if (line->superelevation &&
        fabs(line->superelevation[behind] - line->superelevation[before]) > ramp * ds + round_off)
        return LINE_ON_RAMP_IN_CURVE;
    return LINE_IN_FULL_CURVE;
}

// "500 m to the left with 90 mm of cant and 41.3 mm of cant deficiency"
static void format_curve(const kane_line_value *v, size_t size, char *text)
{
    kane_text t        = kane_text_start(size, text);
    const double outer = v->curvature > 0.0 ? v->superelevation : -v->superelevation;
    kane_text_add(&t, "%.4g m to the %s with %.4g mm of cant and %.4g mm of cant deficiency", 1.0 / fabs(v->curvature),
                  v->curvature > 0.0 ? "left" : "right", 1e3 * outer + 0.0, 1e3 * v->deficiency);
}

// Full curves that have no common quasi-static value: to the other hand outer wheels are inner ones, in another radius,
// cant or cant deficiency forces are others.
static void note_curves(kane_examination *e)
{
    char text[160];
    if (e->curve_count < 2)
        return;
    kane_examine_note(
        e,
        "quasi-static values are those of %d kinds of full curves, each by itself; the largest counts, of "
        "the curve that begins where it is",
        e->curve_count);
    for (int k = 0; k < e->curve_count && k < KANE_LEFT_OUT_TOLD; k++) {
        format_curve(&e->curves[k].value, sizeof text, text);
        kane_examine_note(e, "full curve from %.6g m on (%.4g m): %s", e->curves[k].from, e->curves[k].length, text);
    }
}

// Adds a row to the first kind of curve that fits, or makes a new kind. 0: there are too many.
static int add_to_curve(kane_examination *e, const kane_line_rows *line, int row, signed char *curve_of)
{
    const kane_line_value value = kane_line_at(line, row);
    int k                       = 0;
    while (k < e->curve_count && !kane_line_is_same(&e->curves[k].value, &value))
        k++;
    if (k == KANE_CURVES_MOST)
        return 0;
    if (k == e->curve_count)
        e->curves[e->curve_count++] = (kane_curve){.value = value, .from = e->s[row]};
    curve_of[row] = (signed char)k;
    e->curves[k].rows++;
    e->curves[k].length += row + 1 < line->count ? e->s[row + 1] - e->s[row] : 0.0;
    return 1;
}

// Leaves out curves that are too short for quasi-static values, where there is a longer one.
static void leave_out_short_curves(kane_examination *e, signed char *curve_of)
{
    signed char kept[KANE_CURVES_MOST];
    double longest = 0.0;
    int count      = 0;
    for (int k = 0; k < e->curve_count; k++)
        longest = fmax(longest, e->curves[k].length);
    if (longest < short_curve)
        return;
    for (int k = 0; k < e->curve_count; k++) {
        const kane_curve curve = e->curves[k];
        kept[k]                = (signed char)(curve.length >= short_curve ? count : -1);
        if (kept[k] < 0)
            kane_examine_note(e, "quasi-static values leave out a full curve from %.6g m on: it has only %.3g m",
                              curve.from, curve.length);
        else
            e->curves[count++] = curve;
    }
    e->curve_count = count;
    for (int i = e->begin; i < e->end; i++)
        if (curve_of[i] >= 0)
            curve_of[i] = kept[curve_of[i]];
}

// Notes on stretches of curves on which the cant changes, one by one.
static void note_ramps(kane_examination *e, const kane_line_rows *line)
{
    int noted = 0;
    for (int i = e->begin; i < e->end && noted < KANE_LEFT_OUT_TOLD; i++) {
        const int first = i;
        while (i < e->end && part_of(line, i) == LINE_ON_RAMP_IN_CURVE)
            i++;
        if (i == first)
            continue;
        noted++;
        kane_examine_note(e,
                          "quasi-static values leave out %.6g m to %.6g m: the cant changes within the curve (%.4g mm "
                          "to %.4g mm)",
                          e->s[first], e->s[i - 1], 1e3 * fabs(line->superelevation[first]),
                          1e3 * fabs(line->superelevation[i - 1]));
    }
}

// Speeds of even rows [m/s].
static double *compute_speed(kane_examination *e)
{
    const int n   = e->sampling.count;
    double *speed = kane_arena_doubles(e->scratch, (size_t)n);
    e->failed |= !speed;
    for (int i = 0; speed && i < n; i++) {
        const int before = i > 0 ? i - 1 : i, behind = i + 1 < n ? i + 1 : i;
        speed[i] = (e->s[behind] - e->s[before]) / ((behind - before) * e->sampling.step);
    }
    return speed;
}

static void find_curves(kane_examination *e)
{
    double *curvature     = kane_examine_rows(e, "track.curvature");
    signed char *curve_of = curvature ? kane_arena_alloc(e->kept, (size_t)e->sampling.count, 1) : NULL;
    double *speed         = curve_of ? compute_speed(e) : NULL;
    double *cant          = speed ? kane_examine_rows(e, "track.superelevation") : NULL;
    int are_too_many      = 0;
    e->failed |= curvature && !curve_of;
    if (e->failed)
        return;
    if (!curvature) {
        kane_examine_note(e, "quasi-static values need the channel 'track.curvature'; record \"track\"");
        return;
    }
    const kane_line_rows line = {e->sampling.count, e->s, curvature, cant, speed, e->options->running_distance};
    for (int i = e->begin; i < e->end; i++) {
        curve_of[i] = -1;
        if (part_of(&line, i) == LINE_IN_FULL_CURVE)
            are_too_many |= !add_to_curve(e, &line, i, curve_of);
    }
    leave_out_short_curves(e, curve_of);
    e->curve_of = curve_of;
    if (are_too_many)
        kane_examine_note(e, "quasi-static values are those of the first %d kinds of full curves", KANE_CURVES_MOST);
    if (!cant && e->curve_count > 0)
        kane_examine_note(e, "the cant of the curve is not known, there is no channel 'track.superelevation'; record "
                             "\"track\"");
    note_ramps(e, &line);
    note_curves(e);
    if (e->curve_count == 0)
        kane_examine_note(e, "quasi-static values are those of a full curve: there is none in this section");
}

// --- wheelsets and accelerometers ---

static int has_channel(const kane_examination *e, const char *name, const char *end)
{
    const size_t length = strlen(name);
    for (int i = 0; i < kane_results_column_count(e->results); i++) {
        const char *column = kane_results_column(e->results, i)->name;
        if (strncmp(column, name, length) == 0 && strcmp(column + length, end) == 0)
            return 1;
    }
    return 0;
}

static void add_wheelset(kane_examination *e, const char *name, double left, double right)
{
    const double given                = e->options->static_load;
    const int is_given                = isfinite(given);
    e->wheelsets[e->wheelset_count++] = (kane_standing){name, {is_given ? given : left, is_given ? given : right}};
}

// Without a manifest: "NAME.left.Q", or Y, or T_gamma.
static void wheelsets_by_channels(kane_examination *e)
{
    static const char *const ends[] = {".left.Q", ".left.Y", ".left.T_gamma"};
    for (int i = 0; i < kane_results_column_count(e->results); i++) {
        const char *column  = kane_results_column(e->results, i)->name;
        const size_t length = strlen(column);
        for (int k = 0; k < 3; k++) {
            const size_t end = strlen(ends[k]);
            if (length <= end || strcmp(column + length - end, ends[k]) != 0)
                continue;
            const char *name = kane_arena_text_part(e->kept, column, length - end);
            int known        = !name;
            for (int w = 0; w < e->wheelset_count && name; w++)
                known |= strcmp(e->wheelsets[w].name, name) == 0;
            e->failed |= !name;
            if (!known)
                add_wheelset(e, name, (double)NAN, (double)NAN);
        }
    }
}

static void wheelsets_of(kane_examination *e, const kane_node *list)
{
    for (const kane_node *w = list->child; w && e->wheelset_count < kane_results_column_count(e->results);
         w                  = w->next) {
        const kane_node *name = kane_node_find(w, "name"), *load = kane_node_find(w, "static_load");
        if (name && name->kind == KANE_NODE_TEXT && load && load->kind == KANE_NODE_LIST && load->count == 2)
            add_wheelset(e, name->text, load->child->number, load->last->number);
    }
}

static void sensors_of(kane_examination *e, const kane_node *list)
{
    for (const kane_node *s = list->child; s && e->sensor_count < kane_results_column_count(e->results); s = s->next) {
        const char *name =
            s->kind == KANE_NODE_TEXT ? s->text : kane_node_text(s, "name", NULL); // names alone: an older manifest
        if (name)
            e->sensors[e->sensor_count++] = name;
    }
}

// Wheelsets and accelerometers of the manifest, if it has them.
static void read_manifest(kane_examination *e)
{
    const char *text      = kane_results_manifest(e->results);
    kane_errors why       = {.limit = 1};
    const kane_node *root = text ? kane_json_parse(e->kept, "manifest", text, strlen(text), &why) : NULL;
    e->failed |= kane_arena_failed(e->kept) || (why.count > 0 && kane_errors_get(&why, 0)->status == KANE_NO_MEMORY);
    const kane_node *lists = e->manifest = root && why.count == 0 ? root : NULL;
    const kane_node *wheelsets           = lists ? kane_node_find(lists, "wheelsets") : NULL;
    const kane_node *sensors             = lists ? kane_node_find(lists, "sensors") : NULL;
    char state[200];
    if (lists && kane_origin_format(lists, sizeof state, state))
        kane_examine_note(e, "%s", state);
    else if (text && !lists)
        kane_examine_note(e, "the manifest of these results cannot be read");
    if (wheelsets)
        wheelsets_of(e, wheelsets);
    if (sensors)
        sensors_of(e, sensors);
    if (!wheelsets) {
        wheelsets_by_channels(e);
        if (!e->options->sensors)
            kane_examine_note(e,
                              "%s which bodies' channels are those of accelerometers: name them, as in "
                              "--sensor=\"floor front\"",
                              text ? "the manifest of these results does not say" : "there is no manifest that says");
    }
}

static int no_sensor(kane_examination *e, const char *name)
{
    const kane_names known = {e->sensors, e->sensor_count, sizeof *e->sensors};
    char what[512];
    kane_text text = kane_text_start(sizeof what, what);
    kane_text_add(&text, "there are no channels '%s.acceleration.y' and '.z'", name);
    if (e->sensor_count > 0)
        kane_names_hint(&text, known, name);
    kane_errors_add(e->errors, KANE_BAD_ARGUMENT, "%s", what);
    return 0;
}

// Accelerometers that the caller names must exist, as such or as bodies.
static int set_sensors(kane_examination *e)
{
    int count = 0;
    for (int i = 0; e->options->sensors && e->options->sensors[i]; i++) {
        const char *name = e->options->sensors[i];
        if (!has_channel(e, name, ".acceleration.y") && !has_channel(e, name, ".acceleration.z"))
            return no_sensor(e, name);
        count++;
    }
    if (!e->options->sensors)
        return 1;
    e->sensor_count = count;
    e->sensors      = kane_arena_alloc(e->kept, (size_t)count, sizeof *e->sensors);
    e->failed |= !e->sensors;
    for (int i = 0; i < count && e->sensors; i++)
        e->sensors[i] = e->options->sensors[i];
    return !e->failed;
}

// The body of an accelerometer; one that is not the vehicle's is a body itself. NULL: the manifest lists it without its
// body.
static const char *body_of(const kane_node *sensors, const char *name)
{
    for (const kane_node *s = sensors ? sensors->child : NULL; s; s = s->next) {
        const char *other = s->kind == KANE_NODE_TEXT ? s->text : kane_node_text(s, "name", NULL);
        if (other && strcmp(other, name) == 0)
            return kane_node_text(s, "on", NULL);
    }
    return name;
}

// Whether a body has this name, or is a point of one that is flexible, "BODY.POINT".
static int is_body(const char *name, const char *body)
{
    const size_t length = strlen(name);
    return length > 0 && strncmp(body, name, length) == 0 && (body[length] == '\0' || body[length] == '.');
}

static int is_among(const kane_node *list, const char *body)
{
    for (const kane_node *item = list ? list->child : NULL; item; item = item->next)
        if (item->kind == KANE_NODE_TEXT && is_body(item->text, body))
            return 1;
    return 0;
}

static int is_wheelset(const kane_examination *e, const char *body)
{
    for (int k = 0; k < e->wheelset_count; k++)
        if (is_body(e->wheelsets[k].name, body))
            return 1;
    return 0;
}

// Where an accelerometer is decides by which limits it is judged; where they are not known it is not judged, and a
// remark says so.
static kane_sensor_place find_place(kane_examination *e, const char *sensor)
{
    const kane_node *car_bodies = e->manifest ? kane_node_find(e->manifest, "car_bodies") : NULL;
    const kane_node *boxes      = e->manifest ? kane_node_find(e->manifest, "axle_boxes") : NULL;
    const kane_node *sensors    = e->manifest ? kane_node_find(e->manifest, "sensors") : NULL;
    const char *body            = body_of(sensors, sensor);
    if (body && (is_wheelset(e, body) || is_among(boxes, body))) {
        if (!isfinite(e->options->axle_box_limit))
            kane_examine_note(e,
                              "accelerometer '%s' is not judged: it is on '%s', a wheelset or an axle box, whose limit "
                              "--axle-box-limit gives",
                              sensor, body);
        return KANE_SENSOR_ON_BOX;
    }
    if (!body || !car_bodies) {
        kane_examine_note(e, "it is not known on which body accelerometer '%s' is: its limits are those of car bodies",
                          sensor);
        return KANE_SENSOR_ON_CAR;
    }
    if (is_among(car_bodies, body))
        return KANE_SENSOR_ON_CAR;
    if (!isfinite(e->options->bogie_mass))
        kane_examine_note(e,
                          "accelerometer '%s' is not judged: it is on '%s', which is no car body; limits of bogie "
                          "frames follow from --bogie-mass",
                          sensor, body);
    return KANE_SENSOR_ON_FRAME;
}

static void find_places(kane_examination *e)
{
    e->place = kane_arena_alloc(e->kept, (size_t)e->sensor_count + 1, 1);
    e->failed |= !e->place;
    for (int i = 0; e->place && i < e->sensor_count; i++)
        e->place[i] = (char)find_place(e, e->sensors[i]);
}

int kane_examine_find(kane_examination *e)
{
    const size_t columns = (size_t)kane_results_column_count(e->results);
    e->wheelsets         = kane_arena_alloc(e->kept, columns, sizeof *e->wheelsets);
    e->sensors           = kane_arena_alloc(e->kept, columns, sizeof *e->sensors);
    e->failed |= !e->wheelsets || !e->sensors;
    if (e->failed || !find_rows(e) || !find_section(e))
        return 0;
    read_manifest(e);
    if (!set_sensors(e))
        return 0;
    find_places(e);
    find_curves(e);
    if (e->wheelset_count == 0 && e->sensor_count == 0) {
        kane_errors_add(
            e->errors, KANE_BAD_ARGUMENT,
            "there is nothing to evaluate: neither channels of wheels (\"*.Q\", \"*.Y\") nor accelerometers");
        return 0;
    }
    return !e->failed;
}
