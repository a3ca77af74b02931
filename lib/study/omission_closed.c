// SPDX-License-Identifier: MIT
// What terms do, estimated from vehicle and line alone: every body is at rest in its frame.
//
// Loads: the largest size of each component of each term along the run, by kane_imaginary_eval with
//   v = omega x r, w = omega     relative motion, which gyroscopic terms need: as fast as the frame turns;
//                                of a wheelset the spin of its wheels
//
// Closed forms of effects: what a term displaces its own body by if its largest load acts statically on the springs of
// the body while wheelsets are held.
//
//   torque.rotation.z on yaw    J_z (v^2 kappa' + a kappa)/k     eps of the frame from the line alone: v^2 Omega_s + a Omega
//   torque.rotation.x on roll   J_x eps_x/k
//   force.rotation.y on y       m h eps_x/k                      h: mass centre over the origin of its frame
//
// 1/k is the compliance of the body on all springs that hold it (simulate/linear_parts.h). At kinks of the line the
// load is an impulse, for which there is no closed form.
//
// Groups of a term, without unit:
//
//   load      sum over bodies (F + T/b)/W
//   share     the same sum over that of all terms of all bodies
//   spring    largest over bodies and axes of  F/(k b), T/k
//
//   F, T      largest force [N] and torque [N m] of the term on the body
//   W, b      load of all wheels on the rails [N], half the distance of the running circles [m]
//
// A term that has impulses at kinks has no groups: a load that lasts no time displaces nothing at rest.

#include "study/omission.h"

#include "agem/bodies.h"
#include "model/model.h"
#include "simulate/linear_parts.h"

#include <kane/steady.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is known of a body.
typedef struct closed_body {
    kane_imaginary load;                 // largest sizes of components [N], [N m]
    double compliance[KANE_COORDINATES]; // 1/k [m/N], [rad/(N m)]; NaN: no springs hold it
} closed_body;

struct kane_omission_closed {
    kane_arena *arena;
    kane_steady *steady;
    closed_body *bodies; // NULL: there are no closed forms, nor groups
    double weight;       // W [N]; 0: no wheels on rails, and no groups
    double lever;        // b [m]
};

// --- loads ---

static void take_largest(kane_imaginary *most, const kane_imaginary *terms)
{
    for (int kind = 0; kind < KANE_WRENCH_KINDS; kind++)
        for (int term = 0; term < KANE_IMAGINARY_TERMS; term++) {
            kane_vec3 *m      = &most->term[kind][term];
            const kane_vec3 t = terms->term[kind][term];
            *m                = kv3(fmax(m->x, fabs(t.x)), fmax(m->y, fabs(t.y)), fmax(m->z, fabs(t.z)));
        }
}

static int is_on_track(const kane_model *model, int body)
{
    const kane_body *b = &model->bodies[body];
    return kane_model_has_imaginary(model, body) && b->track_frame >= 0 &&
           model->frames[b->track_frame].kind == KANE_FRAME_TRACK;
}

// Largest loads of a body at rest in its frame, which moves as the rows of time and distance say.
static void find_loads(const kane_run_definition *run, const kane_model *model, const kane_results *rows, int body,
                       kane_imaginary *most)
{
    const kane_body *b   = &model->bodies[body];
    const kane_inertia J = {b->turned ? km3_mul(b->rest_R, b->principal) : b->rest_R, b->J};
    const double spin    = b->wheels >= 0 ? model->wheels[b->wheels].spin : b->rolls;
    const double *t      = kane_results_values(rows, 0);
    const double *d      = kane_results_values(rows, kane_omission_progress(rows));
    const double ahead   = run->drive.start + model->frames[b->track_frame].offset;
    for (int k = 1; k + 1 < kane_results_row_count(rows); k++) {
        const double before = t[k] - t[k - 1], behind = t[k + 1] - t[k];
        if (!(before > 0.0) || !(behind > 0.0))
            continue;
        const double v0 = (d[k] - d[k - 1]) / before, v1 = (d[k + 1] - d[k]) / behind;
        const double v = (v0 * behind + v1 * before) / (before + behind), a = 2.0 * (v1 - v0) / (before + behind);
        kane_track_frame frame;
        kane_transport T = {0};
        kane_imaginary terms;
        kane_track_eval(run->track, kane_track_find(run->track, d[k] + ahead), d[k] + ahead, &frame);
        kane_track_transport(&frame, v, a, &T);
        kane_imaginary_eval(&T, b->mass, &J, b->origin, kv3_cross(T.omega, b->origin),
                            spin != 0.0 ? kv3(0.0, spin * v, 0.0) : T.omega, &terms);
        take_largest(most, &terms);
    }
}

static void find_compliance(const kane_compliance *compliance, int body, kane_arena *scratch, double *own)
{
    for (int c = 0; c < KANE_COORDINATES; c++) {
        const kane_compliance_place place = {body, (kane_coordinate)c};
        own[c]                            = kane_compliance_of(compliance, place, place, scratch);
    }
}

// Fills all bodies. 0: nothing holds them, or memory is short.
static int find_bodies(kane_omission_closed *form, const kane_run_definition *run, const kane_results *rows,
                       kane_arena *arena, kane_errors *unreported)
{
    const kane_model *model = kane_steady_model(form->steady);
    kane_linear *linear =
        kane_linear_create(model, kane_steady_work(form->steady), 0.0, kane_steady_state(form->steady), unreported);
    const kane_compliance *compliance = linear ? kane_compliance_create(linear, arena) : NULL;
    kane_linear_free(linear);
    if (!compliance)
        return 0;
    form->bodies = kane_arena_alloc(form->arena, (size_t)model->body_count, sizeof *form->bodies);
    for (int j = 0; form->bodies && j < model->body_count; j++) {
        if (!is_on_track(model, j))
            continue;
        find_loads(run, model, rows, j, &form->bodies[j].load);
        find_compliance(compliance, j, form->arena, form->bodies[j].compliance);
    }
    for (int w = 0; w < model->wheels_count; w++) {
        form->weight += model->wheels[w].load[0] + model->wheels[w].load[1];
        form->lever = model->wheels[w].wheel_distance[0];
    }
    return form->bodies && !kane_arena_failed(form->arena);
}

kane_omission_closed *kane_omission_closed_create(const kane_run_definition *run, const kane_results *rows)
{
    kane_errors unreported = {.limit = 1}; // without an equilibrium there are no closed forms, and no error
    kane_arena *arena;
    kane_omission_closed *form = kane_arena_object(&arena, sizeof *form, NULL);
    if (!form)
        return NULL;
    form->arena = arena;
    if (run->track)
        form->steady = kane_steady_create(run, &(kane_steady_definition){.speed = run->drive.speed}, &unreported);
    if (form->steady && !find_bodies(form, run, rows, arena, &unreported))
        form->bodies = NULL;
    kane_errors_free(&unreported);
    return form;
}

void kane_omission_closed_free(kane_omission_closed *form)
{
    if (!form)
        return;
    kane_steady_free(form->steady);
    kane_arena_free(form->arena);
}

// --- closed forms ---

typedef struct closed_term {
    const char *term;     // behind "BODY:"
    const char *response; // behind "BODY."
    kane_wrench_kind kind;
    int axis; // of the load
    kane_coordinate coordinate;
} closed_term;

static const closed_term known[] = {
    {"torque.rotation.z", "yaw", KANE_TORQUE, 2, KANE_YAW},
    {"torque.rotation.x", "roll", KANE_TORQUE, 0, KANE_ROLL},
    {"force.rotation.y", "y", KANE_FORCE, 1, KANE_Y},
};
enum { KNOWN = sizeof known / sizeof *known };

static double axis_component(kane_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// The closed form of a term's effect on a channel and the body of both; NULL: there is none.
static const closed_term *find_term(const kane_model *model, const char *term, const char *channel, int *body)
{
    const char *colon   = strrchr(term, ':');
    const size_t length = colon ? (size_t)(colon - term) : 0;
    *body               = -1;
    for (int j = 0; j < model->body_count; j++)
        if (strlen(model->bodies[j].name) == length && strncmp(model->bodies[j].name, term, length) == 0)
            *body = j;
    if (*body < 0 || strncmp(channel, term, length) != 0 || channel[length] != '.')
        return NULL;
    for (int i = 0; i < KNOWN; i++)
        if (strcmp(colon + 1, known[i].term) == 0 && strcmp(channel + length + 1, known[i].response) == 0)
            return &known[i];
    return NULL;
}

double kane_omission_closed_get(const kane_omission_closed *form, const char *term, const char *channel,
                                const double impulse[KANE_WRENCH_KINDS])
{
    int body;
    if (!form || !form->bodies)
        return (double)NAN;
    const kane_model *model  = kane_steady_model(form->steady);
    const closed_term *which = find_term(model, term, channel, &body);
    if (!which || impulse[which->kind] > 0.0 || !is_on_track(model, body))
        return (double)NAN;
    const closed_body *b = &form->bodies[body];
    return b->compliance[which->coordinate] * axis_component(b->load.term[which->kind][KANE_ROTATION], which->axis);
}

// --- groups ---

// Largest load of a body by those terms that have the name: [kind][axis].
static void sum_loads(const kane_body *body, const closed_body *b, const char *term, double load[KANE_WRENCH_KINDS][3])
{
    char name[256];
    for (int i = 0; i < KANE_WRENCH_KINDS * 3; i++)
        load[i / 3][i % 3] = 0.0;
    for (int i = 0; i < KANE_WRENCH_KINDS * KANE_IMAGINARY_TERMS * 3; i++) {
        const int kind = i / (3 * KANE_IMAGINARY_TERMS), k = i / 3 % KANE_IMAGINARY_TERMS, axis = i % 3;
        (void)snprintf(name, sizeof name, "imaginary.%s.%s.%s.%s", body->name,
                       kane_wrench_kind_name((kane_wrench_kind)kind), kane_imaginary_term_name((kane_imaginary_term)k),
                       kane_axis_name(axis));
        if (kane_omission_shows("imaginary", term, name))
            load[kind][axis] += axis_component(b->load.term[kind][k], axis);
    }
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Sum of F + T/b over all bodies [N], and the largest F/(k b) or T/k.
static double sum_bodies(const kane_omission_closed *form, const char *term, double *spring)
{
    static const kane_coordinate moved[KANE_WRENCH_KINDS][3] = {{KANE_X, KANE_Y, KANE_Z},
                                                                {KANE_ROLL, KANE_PITCH, KANE_YAW}};
    const kane_model *model                                  = kane_steady_model(form->steady);
    double load                                              = 0.0;
    *spring                                                  = 0.0;
    for (int j = 0; j < model->body_count; j++) {
        double own[KANE_WRENCH_KINDS][3];
        if (!is_on_track(model, j))
            continue;
        sum_loads(&model->bodies[j], &form->bodies[j], term, own);
        load += length_of(own[KANE_FORCE]) + length_of(own[KANE_TORQUE]) / form->lever;
        for (int i = 0; i < KANE_WRENCH_KINDS * 3; i++) {
            const double moves = own[i / 3][i % 3] * form->bodies[j].compliance[moved[i / 3][i % 3]];
            *spring            = fmax(*spring, i / 3 == KANE_FORCE ? moves / form->lever : moves); // leaves out NaN
        }
    }
    return load;
}

void kane_omission_closed_groups(const kane_omission_closed *form, const char *term, int is_kinked,
                                 double group[KANE_OMISSION_GROUPS])
{
    double unread;
    for (int i = 0; i < KANE_OMISSION_GROUPS; i++)
        group[i] = (double)NAN;
    if (!form || !form->bodies || !(form->weight > 0.0) || is_kinked)
        return;
    const double load       = sum_bodies(form, term, &group[KANE_GROUP_SPRING]);
    const double all        = sum_bodies(form, "*:*.*.*", &unread);
    group[KANE_GROUP_LOAD]  = load / form->weight;
    group[KANE_GROUP_SHARE] = all > 0.0 ? load / all : (double)NAN;
}
