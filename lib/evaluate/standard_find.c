// SPDX-License-Identifier: MIT
// What there is to evaluate: even rows, the section, wheelsets and accelerometers by the manifest or by their channels.

#include "evaluate/standard.h"

#include "base/json.h"
#include "base/names.h"
#include "results/origin.h"

#include <string.h>

static const double least_curvature = 1e-5; // of a curve [1/m]
static const double change          = 1e-4; // of the curvature over itself in a metre: less in a full curve
static const double round_off       = 1e-9; // of the curvature between two rows, over itself
static const double same_curve      = 0.1;  // of the curvature: more makes it another curve

// --- rows ---

static const double *column_of(kane_examination *e, const char *name)
{
    const int column = kane_results_find(e->results, name, e->errors);
    return column >= 0 ? kane_results_values(e->results, column) : NULL;
}

static int find_rows(kane_examination *e)
{
    const int n        = kane_results_row_count(e->results);
    kane_errors nobody = {.limit = 1};
    if (kane_results_find(e->results, "distance", &nobody) < 0) {
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
        kane_sampling_take(&e->sampling, n, e->time, place, s);
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

// Whether a row is in a full curve: the line is curved, and as much before and behind. By the metre, for rows of a slow
// vehicle lie close to each other.
static int is_in_curve(const double *curvature, const double *s, int i, int n)
{
    const int before = i > 0 ? i - 1 : i, behind = i + 1 < n ? i + 1 : i;
    const double here = fabs(curvature[i]), most = (change * (s[behind] - s[before]) + round_off) * here;
    return here > least_curvature && fabs(curvature[behind] - curvature[before]) <= most;
}

static const char *hand(double curvature)
{
    return curvature > 0.0 ? "left" : "right";
}

// Full curves that have no common quasi-static value: to the other hand outer wheels are inner ones, in another radius
// forces are others.
static void tell_curves(kane_examination *e, const double *curvature)
{
    int first = -1;
    for (int i = e->begin; i < e->end; i++) {
        if (!e->in_curve[i])
            continue;
        first           = first < 0 ? i : first;
        const double c0 = curvature[first], c = curvature[i];
        if (fabs(c - c0) <= same_curve * fabs(c0))
            continue;
        kane_examine_remark(e,
                            "quasi-static values mix full curves, %.4g m to the %s at %.6g m with %.4g m to the %s at "
                            "%.6g m: take them apart by --from and --to",
                            1.0 / fabs(c0), hand(c0), e->s[first], 1.0 / fabs(c), hand(c), e->s[i]);
        return;
    }
}

static void find_curve(kane_examination *e)
{
    const int n       = e->sampling.count;
    double *curvature = kane_examine_take(e, "track.curvature");
    char *in_curve    = curvature ? kane_arena_alloc(e->kept, (size_t)n, 1) : NULL;
    e->failed |= curvature && !in_curve;
    if (!in_curve) {
        if (!e->failed)
            kane_examine_remark(e, "quasi-static values need the channel 'track.curvature'; record \"track\"");
        return;
    }
    for (int i = e->begin; i < e->end; i++) {
        in_curve[i] = (char)is_in_curve(curvature, e->s, i, n);
        e->curve_rows += in_curve[i];
    }
    e->in_curve = in_curve;
    tell_curves(e, curvature);
    if (e->curve_rows == 0)
        kane_examine_remark(e, "quasi-static values are those of a full curve: there is none in this section");
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

// Text of a key; NULL: there is none.
static const char *text_of(const kane_node *object, const char *key)
{
    const kane_node *text = kane_node_find(object, key);
    return text && text->kind == KANE_NODE_TEXT ? text->text : NULL;
}

static void sensors_of(kane_examination *e, const kane_node *list)
{
    for (const kane_node *s = list->child; s && e->sensor_count < kane_results_column_count(e->results); s = s->next) {
        const char *name = s->kind == KANE_NODE_TEXT ? s->text : text_of(s, "name"); // names alone: an older manifest
        if (name)
            e->sensors[e->sensor_count++] = name;
    }
}

// What the manifest says, if there is one that says it.
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
    if (lists && kane_origin_tell(lists, sizeof state, state))
        kane_examine_remark(e, "%s", state);
    else if (text && !lists)
        kane_examine_remark(e, "the manifest of these results cannot be read");
    if (wheelsets)
        wheelsets_of(e, wheelsets);
    if (sensors)
        sensors_of(e, sensors);
    if (!wheelsets) {
        wheelsets_by_channels(e);
        if (!e->options->sensors)
            kane_examine_remark(e,
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

// Accelerometers that the caller names must be there; bodies will do.
static int take_sensors(kane_examination *e)
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

// The body of an accelerometer; one that is not the vehicle's is a body itself.
static const char *body_of(const kane_node *sensors, const char *name)
{
    for (const kane_node *s = sensors ? sensors->child : NULL; s; s = s->next) {
        const char *other = text_of(s, "name"), *body = text_of(s, "on");
        if (other && body && strcmp(other, name) == 0)
            return body;
    }
    return name;
}

// Whether a body is among those of a list, or a point of one that is flexible, "BODY.POINT".
static int is_among(const kane_node *list, const char *body)
{
    for (const kane_node *item = list->child; item; item = item->next) {
        const size_t length = item->kind == KANE_NODE_TEXT ? strlen(item->text) : 0;
        if (length > 0 && strncmp(body, item->text, length) == 0 && (body[length] == '\0' || body[length] == '.'))
            return 1;
    }
    return 0;
}

// Accelerometers whose values limits are not for, and those on frames of bogies and on axle boxes.
static void tell_bodies(kane_examination *e)
{
    const kane_node *car_bodies = e->manifest ? kane_node_find(e->manifest, "car_bodies") : NULL;
    e->place                    = kane_arena_alloc(e->kept, (size_t)e->sensor_count + 1, 1);
    e->failed |= !e->place;
    for (int i = 0; car_bodies && e->place && i < e->sensor_count; i++) {
        const char *body = body_of(kane_node_find(e->manifest, "sensors"), e->sensors[i]);
        int is_wheelset  = 0;
        for (int k = 0; k < e->wheelset_count; k++)
            is_wheelset |= strcmp(e->wheelsets[k].name, body) == 0;
        if (!is_among(car_bodies, body) && !is_wheelset && isfinite(e->options->bogie_mass))
            e->place[i] = KANE_SENSOR_ON_FRAME;
        else if (is_wheelset && isfinite(e->options->axle_box_limit))
            e->place[i] = KANE_SENSOR_ON_BOX;
        else if (!is_among(car_bodies, body))
            kane_examine_remark(e,
                                "accelerometer '%s': the limits are those of car bodies, but it is on '%s', which is "
                                "none; EN 14363 has others for bogie frames and axle boxes",
                                e->sensors[i], body);
    }
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
    if (!take_sensors(e))
        return 0;
    tell_bodies(e);
    find_curve(e);
    if (e->wheelset_count == 0 && e->sensor_count == 0) {
        kane_errors_add(
            e->errors, KANE_BAD_ARGUMENT,
            "there is nothing to evaluate: neither channels of wheels (\"*.Q\", \"*.Y\") nor accelerometers");
        return 0;
    }
    return !e->failed;
}
