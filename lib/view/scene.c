// SPDX-License-Identifier: MIT
// Objects of the picture of a run.

#include "view/scene.h"

#include <kane/run.h>

#include "base/file.h"
#include "base/machine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The line is drawn so far before and behind what the vehicle has seen of it, and from and to whole multiples of so
// much, that runs which do not end at the same place have the same [m].
#define BEYOND 150.0
#define WHOLE  50.0

enum {
    LINE_MOST    = 20000,  // points of the line at most, 1 m apart
    RAIL_MOST    = 100000, // points of rails at most, 0.2 m apart
    WHEEL_POINTS = 49,     // of the profile of a wheel
    RAIL_POINTS  = 33      // of that of a rail's head
};

typedef struct scene {
    kane_arena *arena;
    kane_encoder *encoder;
    const kane_results *results;
    const kane_run_definition *run;
    const kane_model *model;
    const kane_motion *motion;
} scene;

// --- the run again, from the files that its manifest names ---

// 1 if a file still has the recorded hash; else the reason in the text.
static int is_unchanged(kane_arena *arena, const kane_node *entry, const char *base, kane_text *why,
                        kane_errors *errors)
{
    char hash[KANE_HASH_SIZE];
    const char *named = kane_node_text(entry, "file", NULL), *kept = kane_node_text(entry, "xxh128", NULL);
    if (!named || !kept)
        return 1;
    const char *file = kane_file_beside(arena, base, named);
    if (!file || kane_hash_file(file, hash) == ENOMEM) {
        (void)kane_no_memory(errors);
        kane_text_add(why, "%s", kane_status_text(KANE_NO_MEMORY));
        return 0;
    }
    if (strcmp(hash, kept) == 0)
        return 1;
    kane_text_add(why,
                  hash[0] ? "%s has been changed since the run"
                          : "%s is gone: it lies neither below the present directory nor below one above the results",
                  file);
    return 0;
}

const char *kane_scene_find_base(kane_arena *arena, const kane_node *input, const char *results)
{
    enum { UP_MOST = 32 };
    const kane_node *run = kane_node_find(input, "run");
    const char *file = kane_node_text(run, "file", NULL), *kept = kane_node_text(run, "xxh128", NULL);
    char hash[KANE_HASH_SIZE];
    if (!file || !kept || file[0] == '/' || (kane_hash_file(file, hash) == 0 && strcmp(hash, kept) == 0))
        return "";
    const size_t length = strlen(results), room = length + 2 + 3 * (size_t)UP_MOST;
    char *base = kane_arena_alloc(arena, room, 1);
    if (!base)
        return "";
    for (int is_directory = 1; is_directory >= 0; is_directory--) { // results may be a directory or a file in one
        const char *slash = strrchr(results, '/');
        size_t end        = is_directory ? length : slash ? (size_t)(slash - results) : 0;
        memcpy(base, results, end);
        if (end == 0)
            base[end++] = '.';
        base[end++] = '/';
        for (int up = 0; up <= UP_MOST; up++) {
            base[end]        = '\0';
            const char *name = kane_file_beside(arena, base, file);
            if (name && kane_hash_file(name, hash) == 0 && strcmp(hash, kept) == 0)
                return base;
            if (up < UP_MOST)
                memcpy(base + end, "../", 3);
            end += 3;
        }
    }
    return "";
}

int kane_scene_are_unchanged(kane_arena *arena, const kane_node *input, const char *base, kane_text *why,
                             kane_errors *errors)
{
    for (const kane_node *entry = input->child; entry; entry = entry->next) {
        if (entry->kind == KANE_NODE_OBJECT && !is_unchanged(arena, entry, base, why, errors))
            return 0;
        for (const kane_node *one = entry->kind == KANE_NODE_LIST ? entry->child : NULL; one; one = one->next)
            if (one->kind == KANE_NODE_OBJECT && !is_unchanged(arena, one, base, why, errors))
                return 0;
    }
    return 1;
}

// Settings of --set, without those of the recording.
static const char *const *changes_of(kane_arena *arena, const kane_node *input)
{
    const kane_node *list = kane_node_find(input, "changes");
    const int count       = list && list->kind == KANE_NODE_LIST ? list->count : 0;
    const char **changes  = kane_arena_alloc(arena, (size_t)count + 1, sizeof *changes);
    int kept              = 0;
    for (const kane_node *c = count > 0 ? list->child : NULL; c && changes; c = c->next)
        if (c->kind == KANE_NODE_TEXT && strncmp(c->text, "output.", strlen("output.")) != 0)
            changes[kept++] = c->text;
    return changes;
}

static void report_first(kane_text *why, const kane_errors *errors)
{
    char text[400];
    if (errors->count > 0)
        (void)kane_error_format(kane_errors_get(errors, 0), sizeof text, text);
    kane_text_add(why, "%s", errors->count > 0 ? text : kane_status_text(KANE_NO_MEMORY));
}

// NULL, and why, in errors as well if there are some.
static kane_run *read_run(kane_arena *arena, const kane_node *manifest, const char *results, kane_text *why,
                          kane_errors *errors)
{
    const kane_node *input = manifest ? kane_node_find(manifest, "input") : NULL;
    const char *file       = input ? kane_node_text(kane_node_find(input, "run"), "file", NULL) : NULL;
    if (!file) {
        kane_text_add(why, "the results do not name a run file");
        return NULL;
    }
    const char *base = kane_scene_find_base(arena, input, results);
    if (!kane_scene_are_unchanged(arena, input, base, why, errors))
        return NULL;
    file                           = kane_file_beside(arena, base, file);
    const kane_run_options options = {.settings = changes_of(arena, input)};
    kane_run *run                  = options.settings && file ? kane_run_read(file, &options, errors) : NULL;
    if (!run)
        report_first(why, errors);
    return run;
}

// --- numbers in JSON ---

static void write_vector(kane_writer *w, const char *key, kane_vec3 v)
{
    kane_write_numbers(w, key, 3, (const double[]){v.x, v.y, v.z});
}

// Ends a part that other runs may have, too: {"shared": k} as the value of the key. 0 without memory.
static int end_shared(const scene *s, const char *key, kane_encoder_part *part)
{
    const int number = kane_encoder_part_end(s->encoder, part);
    kane_writer_open(s->encoder->json, key, '{');
    kane_writer_count(s->encoder->json, "shared", number);
    kane_writer_close(s->encoder->json);
    return number >= 0;
}

// --- the line ---

// s between which the frames of the vehicle have been [m].
static void find_stretch(const scene *s, double stretch[2])
{
    double far[2] = {0.0, 0.0}, ends[2] = {0.0, 0.0};
    const int column       = kane_motion_column(s->results, "distance");
    const double *distance = column < 0 ? NULL : kane_results_values(s->results, column);
    for (int i = 0; distance && i < kane_results_row_count(s->results); i++) {
        far[0] = fmin(far[0], distance[i]);
        far[1] = fmax(far[1], distance[i]);
    }
    for (int f = 0; f < s->model->frame_count; f++) {
        ends[0] = fmin(ends[0], s->model->frames[f].kind == KANE_FRAME_TRACK ? s->model->frames[f].offset : 0.0);
        ends[1] = fmax(ends[1], s->model->frames[f].kind == KANE_FRAME_TRACK ? s->model->frames[f].offset : 0.0);
    }
    stretch[0] = WHOLE * floor((s->model->start + far[0] + ends[0] - BEYOND) / WHOLE);
    stretch[1] = WHOLE * ceil((s->model->start + far[1] + ends[1] + BEYOND) / WHOLE);
}

// Points from stretch[0] on, `step` apart: where they are, and heading, slope and roll of the frame there.
static int write_line(const scene *s, const double stretch[2])
{
    static const char *const names[6] = {"x", "y", "z", "yaw", "pitch", "roll"};
    const kane_track *track           = s->model->track;
    const double step                 = fmax(1.0, (stretch[1] - stretch[0]) / LINE_MOST);
    const int count                   = (int)ceil((stretch[1] - stretch[0]) / step) + 1;
    double *values                    = kane_arena_doubles(s->arena, 6 * (size_t)count);
    if (!values)
        return 0;
    for (int i = 0; i < count; i++) {
        const double at = stretch[0] + i * step;
        const int piece = kane_track_find(track, at);
        kane_track_frame frame;
        kane_track_state state;
        kane_track_eval(track, piece, at, &frame);
        kane_track_describe(track, piece, at, &state);
        const kane_vec3 r    = kv3_add(kane_track_anchor(track, piece), frame.origin);
        const double here[6] = {r.x, r.y, r.z, state.psi, -state.beta, state.theta};
        memcpy(values + 6 * (size_t)i, here, sizeof here);
    }
    kane_writer_number(s->encoder->json, "from", stretch[0]);
    kane_writer_number(s->encoder->json, "step", step);
    kane_writer_count(s->encoder->json, "count", count);
    for (int k = 0; k < 6; k++)
        kane_encoder_row(s->encoder, names[k], k < 3 ? KANE_ENCODE_DOUBLE : KANE_ENCODE_SINGLE, count, 6, values + k);
    return 1;
}

// Displacements of both rails from their places.
static int write_irregularity(const scene *s, const double stretch[2])
{
    static const char *const names[2][2] = {{"left_y", "left_z"}, {"right_y", "right_z"}};
    const double step                    = fmax(0.2, (stretch[1] - stretch[0]) / RAIL_MOST);
    const int count                      = (int)ceil((stretch[1] - stretch[0]) / step) + 1;
    double *values                       = kane_arena_doubles(s->arena, 2 * (size_t)count);
    if (!values)
        return 0;
    kane_writer_open(s->encoder->json, "irregularity", '{');
    kane_writer_number(s->encoder->json, "from", stretch[0]);
    kane_writer_number(s->encoder->json, "step", step);
    kane_writer_count(s->encoder->json, "count", count);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < count; i++) {
            kane_rail_offset offset;
            kane_track_rail(s->model->track, (kane_side)side, stretch[0] + i * step, &offset);
            values[2 * (size_t)i]     = offset.y;
            values[2 * (size_t)i + 1] = offset.z;
        }
        for (int k = 0; k < 2; k++)
            kane_encoder_row(s->encoder, names[side][k], KANE_ENCODE_SINGLE, count, 2, values + k);
    }
    kane_writer_close(s->encoder->json);
    return 1;
}

// A profile as {"y": [...], "z": [...]}; null if it has none.
static int write_profile(const scene *s, const char *key, const kane_profile *profile, int count)
{
    double y[WHEEL_POINTS], z[WHEEL_POINTS];
    if (!profile) {
        kane_writer_json(s->encoder->json, key, "null");
        return 1;
    }
    if (kane_profile_draw(profile, count, y, z) != KANE_OK)
        return 0;
    kane_writer_open(s->encoder->json, key, '{');
    kane_writer_text(s->encoder->json, "name", profile->name ? profile->name : "");
    kane_write_numbers(s->encoder->json, "y", count, y);
    kane_write_numbers(s->encoder->json, "z", count, z);
    kane_writer_close(s->encoder->json);
    return 1;
}

// Those that reach into what is drawn; there is room between two of them.
static void write_check_rails(const scene *s, const double stretch[2])
{
    kane_writer_open(s->encoder->json, "check_rails", '[');
    for (int side = 0; side < 2 && kane_track_has_check_rails(s->model->track); side++) {
        const kane_check_rail *before = NULL;
        for (double at = stretch[0]; at < stretch[1] + KANE_CHECK_RAIL_REACH; at += KANE_CHECK_RAIL_REACH) {
            const kane_check_rail *rail = kane_track_check_rail(s->model->track, (kane_side)side, at);
            if (rail && rail != before) {
                kane_writer_open(s->encoder->json, NULL, '{');
                kane_writer_count(s->encoder->json, "side", side);
                kane_writer_number(s->encoder->json, "from", rail->from);
                kane_writer_number(s->encoder->json, "to", rail->to);
                kane_writer_number(s->encoder->json, "flare", rail->flare);
                kane_writer_number(s->encoder->json, "flangeway", rail->flangeway);
                kane_writer_number(s->encoder->json, "opening", rail->opening);
                kane_writer_number(s->encoder->json, "height", rail->height);
                kane_writer_close(s->encoder->json);
            }
            before = rail ? rail : before;
        }
    }
    kane_writer_close(s->encoder->json);
}

static int write_track(const scene *s)
{
    if (!s->model->track) {
        kane_writer_json(s->encoder->json, "line", "null");
        return 1;
    }
    const kane_track_definition *d = kane_track_get_definition(s->model->track);
    kane_encoder_part part;
    double stretch[2];
    if (!kane_encoder_part_begin(s->encoder, &part))
        return 0;
    find_stretch(s, stretch);
    kane_writer_open(s->encoder->json, NULL, '{');
    kane_writer_text(s->encoder->json, "name", d->name ? d->name : "");
    kane_writer_number(s->encoder->json, "start", s->model->start);
    kane_writer_number(s->encoder->json, "chainage", d->start);
    kane_writer_number(s->encoder->json, "gauge", d->gauge);
    kane_writer_number(s->encoder->json, "running_distance", d->running_distance);
    kane_writer_switch(s->encoder->json, "road", d->is_road);
    kane_writer_number(s->encoder->json, "inclination", d->inclination);
    write_check_rails(s, stretch);
    int good = write_line(s, stretch);
    if (good && kane_track_is_irregular(s->model->track))
        good = write_irregularity(s, stretch);
    for (int side = 0; side < 2 && good && !d->is_road; side++)
        good = write_profile(s, side == 0 ? "rail_left" : "rail_right", d->rail[side] ? d->rail[side] : d->rail[0],
                             RAIL_POINTS);
    kane_writer_close(s->encoder->json);
    return end_shared(s, "line", &part) && good;
}

// --- bodies ---

static int write_wheels(const scene *s, int j)
{
    const kane_wheels *wheels       = &s->model->wheels[s->model->bodies[j].wheels];
    const kane_wheels_definition *d = s->run->vehicle->bodies[j].wheels;
    kane_writer_open(s->encoder->json, "wheels", '{');
    kane_write_numbers(s->encoder->json, "radius", 2, wheels->radius);
    kane_write_numbers(s->encoder->json, "distance", 2, wheels->wheel_distance);
    kane_write_numbers(s->encoder->json, "rail_distance", 2, wheels->rail_distance);
    const int good = write_profile(s, "left", d->profile[0], WHEEL_POINTS) &&
                     write_profile(s, "right", d->profile[1] ? d->profile[1] : d->profile[0], WHEEL_POINTS);
    kane_writer_close(s->encoder->json);
    return good;
}

// Nodes of a deformable body, lines between them, and where modes take them.
static void write_figure(const scene *s, int j, const kane_deformation *deformation)
{
    const kane_deformable_figure *figure = &deformation->figure;
    kane_writer_open(s->encoder->json, "figure", '{');
    kane_writer_row(s->encoder->json, "nodes");
    for (int i = 0; i < figure->node_count; i++) {
        const kane_vec3 at = kv3_sub(figure->nodes[i], figure->centre);
        const double x[3]  = {at.x, at.y, at.z};
        for (int k = 0; k < 3; k++)
            kane_writer_number(s->encoder->json, NULL, x[k]);
    }
    kane_writer_close(s->encoder->json);
    kane_writer_row(s->encoder->json, "lines");
    for (int i = 0; i < figure->line_count; i++) {
        kane_writer_count(s->encoder->json, NULL, figure->lines[i][0]);
        kane_writer_count(s->encoder->json, NULL, figure->lines[i][1]);
    }
    kane_writer_close(s->encoder->json);
    kane_writer_open(s->encoder->json, "modes", '[');
    for (int k = 0, mode = 0; k < s->model->body_count && mode < deformation->count; k++) {
        const kane_body *body = &s->model->bodies[k];
        if (body->part != KANE_PART_MODE || body->part_of != j)
            continue;
        kane_writer_open(s->encoder->json, NULL, '{');
        kane_writer_text(s->encoder->json, "channel", body->name);
        kane_writer_text(s->encoder->json, "coordinate", body->coordinate[0]);
        kane_writer_row(s->encoder->json, "shape");
        for (int i = 0; i < figure->node_count; i++) {
            const kane_vec3 u = figure->shapes[i * deformation->count + mode];
            const double x[3] = {u.x, u.y, u.z};
            for (int axis = 0; axis < 3; axis++)
                kane_writer_number(s->encoder->json, NULL, x[axis]);
        }
        kane_writer_close(s->encoder->json);
        kane_writer_close(s->encoder->json);
        mode++;
    }
    kane_writer_close(s->encoder->json);
    kane_writer_close(s->encoder->json);
}

// A body's deformation; NULL: it is rigid, or its shape is not known.
static const kane_deformation *deformation_of(const scene *s, int j)
{
    const kane_model *m = s->model;
    for (int i = 0; i < m->deformation_count; i++) {
        const kane_deformation *d = &m->deformations[i];
        if (m->link_body[m->tree.flexes[d->flex].carrier] == j && d->figure.node_count > 0)
            return d;
    }
    return NULL;
}

static void write_reference(const scene *s, int j)
{
    const kane_motion_of *of = &s->motion->body[j];
    kane_writer_text(s->encoder->json, "against", of->reference == KANE_AGAINST_LINE ? "line" : "world");
    if (of->reference == KANE_AGAINST_LINE) {
        kane_writer_number(s->encoder->json, "offset", of->offset);
        write_vector(s->encoder->json, "beside", of->beside);
    }
}

// What differs from run to run: static loads by their last digits, where the body rests, how it moves.
static void write_motion(const scene *s, int j)
{
    const kane_motion_of *of = &s->motion->body[j];
    const int wheels         = s->model->bodies[j].wheels;
    if (wheels >= 0)
        kane_write_numbers(s->encoder->json, "load", 2, s->model->wheels[wheels].load);
    kane_write_numbers(s->encoder->json, "rest", KANE_COORDINATES, of->rest);
    if (!of->values[0])
        return;
    kane_writer_open(s->encoder->json, "motion", '[');
    for (int k = 0; k < KANE_COORDINATES; k++)
        kane_encoder_row(s->encoder, NULL, KANE_ENCODE_SINGLE, s->motion->count, of->step[k], of->values[k]);
    kane_writer_close(s->encoder->json);
}

// A point of a link as one of its body: from the mass centre, body axes.
static kane_vec3 on_body(const kane_link *link, kane_vec3 at)
{
    return km3_tmulv(link->body_R, kv3_sub(at, link->c));
}

// Points of a body that joints and constraints hold: what a part of a mechanism is drawn between.
static void write_holds(const scene *s, int j)
{
    const kane_model *m = s->model;
    const int own       = m->bodies[j].link;
    kane_writer_open(s->encoder->json, "holds", '[');
    for (int i = 0; i < m->tree.link_count; i++) {
        const kane_link *link = &m->tree.links[i];
        const int is_joint    = !m->bodies[m->link_body[i]].is_free_body &&
                             !kane_body_is_in_section(&m->bodies[m->link_body[i]]) &&
                             m->bodies[m->link_body[i]].part == KANE_PART_NONE;
        if (is_joint && i == own && link->kind != KANE_LINK_BODY)
            write_vector(s->encoder->json, NULL, on_body(link, link->at));
        if (is_joint && link->parent == own)
            write_vector(s->encoder->json, NULL, on_body(&m->tree.links[own], link->seat));
    }
    for (int c = 0; c < m->closure_count; c++)
        for (int side = 0; side < m->closures[c].side_count; side++)
            if (m->closures[c].side[side].link == own)
                write_vector(s->encoder->json, NULL, on_body(&m->tree.links[own], m->closures[c].side[side].point));
    kane_writer_close(s->encoder->json);
}

// Of a body that a tyre carries: where it is on the body, along which axle, how large, and whose channels say its
// forces.
static void write_tyres(const scene *s, int j)
{
    kane_writer_open(s->encoder->json, "tyres", '[');
    for (int i = 0; i < s->model->element_count; i++) {
        const kane_element *e = &s->model->elements[i];
        kane_vec3 axle;
        if (!e->law->rolls || e->b.body != j)
            continue;
        const double radius = e->law->rolls(e->data, &axle);
        const kane_vec3 own =
            e->a.turned ? km3_mulv(e->a.axes, axle) : axle; // axes of the road, which are the body's at rest
        kane_writer_open(s->encoder->json, NULL, '{');
        kane_writer_text(s->encoder->json, "name", e->name);
        kane_writer_number(s->encoder->json, "radius", radius);
        write_vector(s->encoder->json, "at", e->b.point);
        write_vector(s->encoder->json, "axle", e->mirrored ? kane_mirror_polar(own) : own);
        kane_writer_close(s->encoder->json);
    }
    kane_writer_close(s->encoder->json);
}

// What a body is.
static int write_body(const scene *s, int j)
{
    const kane_body *body         = &s->model->bodies[j];
    const kane_body_definition *d = j < s->run->vehicle->body_count ? &s->run->vehicle->bodies[j] : NULL;
    int good                      = 1;
    kane_writer_open(s->encoder->json, NULL, '{');
    kane_writer_text(s->encoder->json, "name", body->name);
    kane_writer_text(s->encoder->json, "kind",
                     body->wheels >= 0                  ? "wheelset"
                     : body->part == KANE_PART_POINT    ? "point"
                     : body->kind == KANE_BODY_SPINNING ? "rotor"
                                                        : "body");
    kane_writer_number(s->encoder->json, "mass", body->mass);
    if (d) {
        kane_write_numbers(s->encoder->json, "inertia", 6, d->inertia);
        if (d->vehicle)
            kane_writer_text(s->encoder->json, "vehicle", d->vehicle);
    }
    write_vector(s->encoder->json, "position", body->position);
    write_reference(s, j);
    write_holds(s, j);
    write_tyres(s, j);
    if (d && body->wheels >= 0)
        good = write_wheels(s, j);
    const kane_deformation *deformation = deformation_of(s, j);
    if (deformation)
        write_figure(s, j, deformation);
    kane_writer_close(s->encoder->json);
    return good;
}

// Modes and panels of track are no bodies to look at; counts of the others in `shown` [body_count], -1 of these.
static int write_bodies(const scene *s, int *shown)
{
    int good = 1, count = 0;
    kane_writer_open(s->encoder->json, "bodies", '[');
    for (int j = 0; j < s->model->body_count && good; j++) {
        shown[j] = -1;
        if (s->model->bodies[j].panel || s->model->bodies[j].part == KANE_PART_MODE)
            continue;
        shown[j] = count++;
        kane_encoder_part part;
        good = kane_encoder_part_begin(s->encoder, &part);
        if (!good)
            break;
        good             = write_body(s, j);
        const int number = kane_encoder_part_end(s->encoder, &part);
        good             = good && number >= 0;
        kane_writer_open(s->encoder->json, NULL, '{'); // what it is, and what it does in this run
        kane_writer_count(s->encoder->json, "shared", number);
        write_motion(s, j);
        kane_writer_close(s->encoder->json);
    }
    kane_writer_close(s->encoder->json);
    return good;
}

// --- what acts between them ---

// An end: a point of a body, or of a frame of the line; nothing of a frame that moves in other ways.
static void write_end(const scene *s, const char *key, const kane_fixed_marker *marker, const int *shown)
{
    kane_writer_open(s->encoder->json, key, '{');
    if (marker->body >= 0 && shown[marker->body] >= 0) {
        kane_writer_count(s->encoder->json, "body", shown[marker->body]);
        write_vector(s->encoder->json, "at", marker->point);
    } else if (marker->body < 0 && s->model->frames[marker->frame].kind == KANE_FRAME_TRACK) {
        kane_writer_number(s->encoder->json, "offset", s->model->frames[marker->frame].offset);
        write_vector(s->encoder->json, "at", kv3_add(s->model->frames[marker->frame].beside, marker->point));
    } else if (marker->body < 0 && s->model->frames[marker->frame].kind == KANE_FRAME_REST) {
        write_vector(s->encoder->json, "at", marker->point);
    }
    kane_writer_close(s->encoder->json);
}

static void write_elements(const scene *s, const int *shown)
{
    kane_writer_open(s->encoder->json, NULL, '[');
    for (int i = 0; i < s->model->element_count; i++) {
        const kane_element *e = &s->model->elements[i];
        kane_writer_open(s->encoder->json, NULL, '{');
        kane_writer_text(s->encoder->json, "name", e->name);
        kane_writer_text(s->encoder->json, "law", e->law->name);
        if (e->law->rolls)
            kane_writer_switch(s->encoder->json, "rolls", 1);
        write_end(s, "a", &e->a, shown);
        write_end(s, "b", &e->b, shown);
        kane_writer_close(s->encoder->json);
    }
    kane_writer_close(s->encoder->json);
}

// Where accelerometers are.
static void write_sensors(const scene *s, const int *shown)
{
    kane_writer_open(s->encoder->json, NULL, '[');
    for (int i = 0; i < s->model->sensor_count; i++) {
        kane_writer_open(s->encoder->json, NULL, '{');
        kane_writer_text(s->encoder->json, "name", s->model->sensors[i].name);
        write_end(s, "at", &s->model->sensors[i].at, shown);
        kane_writer_close(s->encoder->json);
    }
    kane_writer_close(s->encoder->json);
}

// Rods that are constraints, with mass or without: bars between two points.
static void write_rods(const scene *s, const int *shown)
{
    const kane_model *m = s->model;
    kane_writer_open(s->encoder->json, NULL, '[');
    for (int i = 0; i < m->closure_count; i++) {
        const kane_constraint_row_set *c = &m->closures[i];
        kane_fixed_marker end[2];
        if (c->kind != KANE_CONSTRAINT_ROD && c->kind != KANE_CONSTRAINT_DISTANCE)
            continue;
        for (int k = 0; k < 2; k++) {
            const kane_side_marker *side = &c->side[k];
            const int body               = side->link < 0 ? -1 : m->link_body[side->link];
            end[k] =
                (kane_fixed_marker){.body  = body,
                                    .frame = side->frame,
                                    .point = body < 0 ? side->point : on_body(&m->tree.links[side->link], side->point)};
        }
        kane_writer_open(s->encoder->json, NULL, '{');
        kane_writer_text(s->encoder->json, "name", c->name);
        kane_writer_number(s->encoder->json, "mass", c->rod.mass);
        write_end(s, "a", &end[0], shown);
        write_end(s, "b", &end[1], shown);
        kane_writer_close(s->encoder->json);
    }
    kane_writer_close(s->encoder->json);
}

// --- what gives way below the wheels ---

// Panels of flexible track: under which wheelset, and how they have moved and turned: y, z, roll in the axes of the
// line, from rest. No motion where the channels "track" were not recorded.
static void write_panels(const scene *s, const int *shown)
{
    static const char *const coordinates[3] = {"y", "z", "roll"};
    kane_writer_open(s->encoder->json, "panels", '[');
    for (int i = 0; i < s->model->panel_count; i++) {
        const kane_wheels *wheels = &s->model->wheels[s->model->panels[i].wheels];
        const char *name          = s->model->bodies[wheels->panel].name;
        const kane_frame *frame   = &s->model->frames[wheels->frame];
        int column[3], recorded = 1;
        for (int k = 0; k < 3; k++) {
            char channel[256];
            (void)snprintf(channel, sizeof channel, "%s.%s", name, coordinates[k]);
            column[k] = kane_motion_column(s->results, channel);
            recorded  = recorded && column[k] >= 0;
        }
        kane_writer_open(s->encoder->json, NULL, '{');
        kane_writer_text(s->encoder->json, "name", name);
        kane_writer_count(s->encoder->json, "wheelset", shown[wheels->body]);
        kane_writer_number(s->encoder->json, "offset", frame->offset);
        if (recorded) {
            kane_writer_open(s->encoder->json, "motion", '[');
            for (int k = 0; k < 3; k++)
                kane_encoder_row(s->encoder, NULL, KANE_ENCODE_SINGLE, s->motion->count, s->motion->stride,
                                 kane_results_values(s->results, column[k]));
            kane_writer_close(s->encoder->json);
        }
        kane_writer_close(s->encoder->json);
    }
    kane_writer_close(s->encoder->json);
}

// What `write` writes, as a part that other runs may have, too.
static int write_part(const scene *s, const char *key, void (*write)(const scene *, const int *), const int *shown)
{
    kane_encoder_part part;
    if (!kane_encoder_part_begin(s->encoder, &part))
        return 0;
    write(s, shown);
    return end_shared(s, key, &part);
}

static int write_all(const scene *s)
{
    int *shown = kane_arena_alloc(s->arena, (size_t)s->model->body_count + 1, sizeof *shown);
    if (!shown)
        return 0;
    kane_writer_text(s->encoder->json, "vehicle", s->model->name ? s->model->name : "");
    kane_writer_number(s->encoder->json, "gravity", s->model->gravity);
    kane_writer_count(s->encoder->json, "stride", s->motion->stride);
    kane_writer_count(s->encoder->json, "rows", s->motion->count);
    kane_writer_count(s->encoder->json, "still", s->motion->still);
    const int good = write_track(s) && write_bodies(s, shown) && write_part(s, "elements", write_elements, shown) &&
                     write_part(s, "rods", write_rods, shown) && write_part(s, "sensors", write_sensors, shown);
    write_panels(s, shown);
    return good;
}

kane_status kane_scene_write(kane_encoder *encoder, const kane_results *results, const char *name,
                             const kane_node *manifest, size_t size, char *missing, kane_errors *errors)
{
    kane_errors why   = {.limit = 1};
    kane_text text    = kane_text_start(size, missing);
    scene s           = {.arena = kane_arena_create(), .encoder = encoder, .results = results};
    kane_run *run     = s.arena ? read_run(s.arena, manifest, name, &text, &why) : NULL;
    kane_model *model = NULL;
    if (run) {
        s.run   = kane_run_get_definition(run);
        model   = kane_model_create(s.run->vehicle, s.run->track, &s.run->drive, &s.run->model, &why);
        s.model = model;
        if (model)
            s.motion = kane_motion_find(s.arena, model, results, &why);
        if (!s.motion)
            report_first(&text, &why);
    }
    kane_writer_open(encoder->json, "scene", '{');
    const int good = !s.motion || write_all(&s);
    if (!s.motion)
        kane_writer_text(encoder->json, "missing", missing);
    kane_writer_close(encoder->json);
    kane_model_free(model);
    kane_run_free(run);
    const int failed = !s.arena || kane_arena_failed(s.arena) || !good || (why.count > 0 && why.last == KANE_NO_MEMORY);
    kane_arena_free(s.arena);
    if (failed)
        (void)kane_no_memory(errors);
    return failed ? KANE_NO_MEMORY : KANE_OK;
}

// --- modes ---

// What bodies do in a mode: x, y, z, yaw, roll, pitch, for 1 m of the largest displacement, as re and im.
static void write_shapes(const scene *s, const char *key, const kane_modes *modes, int mode, int part)
{
    kane_writer_open(s->encoder->json, key, '[');
    for (int j = 0; j < s->model->body_count; j++) {
        double value[2][KANE_COORDINATES];
        if (s->model->bodies[j].panel || s->model->bodies[j].part == KANE_PART_MODE)
            continue;
        kane_modes_shape(modes, mode, j, value[0], value[1]);
        kane_write_numbers(s->encoder->json, NULL, KANE_COORDINATES, value[part]);
    }
    kane_writer_close(s->encoder->json);
}

// Coordinates of deformable bodies, by the names of their channels.
static void write_modal(const scene *s, const kane_modes *modes, int mode)
{
    kane_writer_open(s->encoder->json, "modal", '{');
    for (int j = 0; j < s->model->body_count; j++) {
        double value[2][KANE_COORDINATES];
        char name[256];
        const kane_body *body = &s->model->bodies[j];
        if (body->part != KANE_PART_MODE)
            continue;
        kane_modes_shape(modes, mode, j, value[0], value[1]);
        (void)snprintf(name, sizeof name, "%s.joint.%s", body->name, body->coordinate[0]);
        const double both[2] = {value[0][KANE_Z], value[1][KANE_Z]}; // it slides along z of its section
        kane_write_numbers(s->encoder->json, name, 2, both);
    }
    kane_writer_close(s->encoder->json);
}

static void write_mode(const scene *s, const kane_modes *modes, int mode)
{
    static const char *const kinds[] = {
        [KANE_MODE_OSCILLATES] = "oscillates", [KANE_MODE_CREEPS] = "creeps", [KANE_MODE_INDIFFERENT] = "indifferent"};
    const kane_mode *m = kane_modes_get(modes, mode);
    kane_writer_open(s->encoder->json, NULL, '{');
    kane_writer_count(s->encoder->json, "number", mode + 1);
    kane_writer_text(s->encoder->json, "name", m->name);
    kane_writer_text(s->encoder->json, "kind", kinds[m->kind]);
    kane_writer_number(s->encoder->json, "re", m->re);
    kane_writer_number(s->encoder->json, "im", m->im);
    kane_writer_number(s->encoder->json, "frequency", m->frequency);
    kane_writer_number(s->encoder->json, "damping", m->damping);
    kane_writer_switch(s->encoder->json, "grows", kane_mode_grows(m));
    write_shapes(s, "shape_re", modes, mode, 0);
    write_shapes(s, "shape_im", modes, mode, 1);
    write_modal(s, modes, mode);
    kane_writer_close(s->encoder->json);
}

kane_status kane_scene_write_modes(kane_encoder *encoder, const kane_run_definition *run, const kane_model *model,
                                   kane_work *work, const kane_modes *modes, int count, const int *shown,
                                   kane_errors *errors)
{
    scene s  = {.arena = kane_arena_create(), .encoder = encoder, .run = run, .model = model};
    s.motion = s.arena ? kane_motion_at_rest(s.arena, model, work) : NULL;
    kane_writer_open(encoder->json, "scene", '{');
    const int good = s.motion && write_all(&s);
    kane_writer_close(encoder->json);
    kane_writer_open(encoder->json, "modes", '[');
    for (int i = 0; i < count && good; i++)
        write_mode(&s, modes, shown[i]);
    kane_writer_close(encoder->json);
    kane_arena_free(s.arena);
    if (!good)
        (void)kane_no_memory(errors);
    return good ? KANE_OK : KANE_NO_MEMORY;
}
