// SPDX-License-Identifier: MIT
// Where kernels that record begin and end: entries for C, and functions of which all ways are recorded.
//
// A force law branches on its data: a bump stop touches or does not. Laws, functions of time and small rotations are functions of
// their arguments alone, so they can be carried out again and again: once for every way through their branches. What comes
// out is put together by selections.

#define KANE_RECORD_KERNEL "record/kernels.cc"
#include "record/scalar.h"

#include "record/kernels.h"

// What of libkane itself is asked while recording; numbers are plain.
extern "C" {
int kane_call(void *caller, int call, const kane_plain *in, kane_plain *out);
int kane_track_is_irregular(const void *track);
int kane_track_has_check_rails(const void *track);
const void *kane_track_get_definition(const void *track);
}
static int plain_is_irregular(const void *track)
{
    return kane_track_is_irregular(track);
}
static int plain_has_check_rails(const void *track)
{
    return kane_track_has_check_rails(track);
}
static const void *plain_definition(const void *track)
{
    return kane_track_get_definition(track);
}
static int plain_call(void *caller, int call, const kane_plain *in, kane_plain *out)
{
    return kane_call(caller, call, in, out);
}

namespace kane_recorded_kernels {

#include "agem/bodies.h"
#include "agem/element.h"
#include "agem/wheels.h"
#include "contact/contact.h"

#include <kane/equations.h>

// --- all ways through a function ---

enum { MOST_OUTPUTS = 48 };

typedef struct ways {
    int (*call)(const void *data, kane_recorded *out); // returns 0, or not 0 where it cannot be evaluated
    const void *data;
    int count; // of outputs
    int runs;
} ways;

static void follow_way(ways *w, kane_tape_way *way, kane_recorded *out);

// Both outcomes of the decision behind the first `depth` of a way.
static void follow_both(ways *w, const kane_tape_way *way, int depth, kane_recorded *out)
{
    kane_recorded other[MOST_OUTPUTS];
    for (int holds = 1; holds >= 0; holds--) {
        kane_tape_way next = *way;
        next.count         = depth + 1;
        next.holds[depth]  = holds;
        follow_way(w, &next, holds ? out : other);
    }
    if (kane_tape_now->lost)
        return;
    for (int i = 0; i < w->count; i++)
        out[i] = kane_recorded::of_node(kane_tape_select(way->node[depth], out[i].node(), other[i].node()));
}

// Outputs under what a way has decided so far.
static void follow_way(ways *w, kane_tape_way *way, kane_recorded *out)
{
    kane_tape *tape   = kane_tape_now;
    const int decided = way->count;
    if (++w->runs > 2 * KANE_WAYS_MOST)
        tape->lost = 1;
    if (tape->lost)
        return;
    tape->way    = *way;
    tape->forced = decided;
    for (int i = 0; i < w->count; i++)
        out[i] = 0.0;
    if (w->call(w->data, out) != 0)
        for (int i = 0; i < w->count; i++)
            out[i] = (kane_plain)NAN;
    if (tape->way.count > decided && !tape->lost) {
        const kane_tape_way seen = tape->way;
        follow_both(w, &seen, decided, out);
    }
}

// 0 where there are more ways than can be followed: then `out` is nothing.
static int try_ways(int (*call)(const void *, kane_recorded *), const void *data, int count, kane_recorded *out)
{
    kane_tape *tape = kane_tape_now;
    if (tape->exploring) { // within another one, whose ways these are
        if (call(data, out) != 0)
            for (int i = 0; i < count; i++)
                out[i] = (kane_plain)NAN;
        return 1;
    }
    ways w            = {call, data, count, 0};
    kane_tape_way way = {};
    tape->exploring   = 1;
    tape->lost        = 0;
    follow_way(&w, &way, out);
    tape->exploring = 0;
    return !tape->lost;
}

static void record_ways(int (*call)(const void *, kane_recorded *), const void *data, int count, kane_recorded *out)
{
    if (!try_ways(call, data, count, out))
        kane_tape_stop("it branches on its data in more than %d ways", KANE_WAYS_MOST);
}

// --- what is called instead of recorded ---

static __thread struct {
    kane_model *model;
    kane_work *work;
    void *caller;
} now;

static void record_call(kane_call_kind kind, int index, int side, int inputs, const kane_recorded *in, int outputs,
                        kane_recorded *out)
{
    int nodes[KANE_CALL_INPUTS];
    kane_plain values[KANE_CALL_INPUTS], results[KANE_CALL_OUTPUTS];
    const int which = kane_call_number(now.model, kind, index, side);
    for (int k = 0; k < inputs; k++) {
        nodes[k]  = in[k].node();
        values[k] = in[k].value();
    }
    if (!plain_call(now.caller, which, values, results))
        kane_tape_stop("what it calls cannot be computed at its start");
    const int first = kane_tape_call_node(which, inputs, nodes, outputs, results);
    for (int k = 0; k < outputs; k++)
        out[k] = kane_recorded::of_node(first + k);
}

// --- force laws: those of the table that has been compiled to record ---

static const kane_law *find_law(const char *name)
{
    for (const kane_law *const *law = kane_laws(); *law; law++)
        if (strcmp((*law)->name, name) == 0)
            return *law;
    return NULL;
}

typedef struct law_call {
    const kane_law *law;
    const void *data;
    const kane_relative *relative;
    int state_count;
} law_call;

static int call_law(const void *data, kane_recorded *out)
{
    const law_call *c  = (const law_call *)data;
    kane_wrench on_b   = {kv3_zero(), kv3_zero()};
    const int no_force = c->law->eval(c->data, c->relative, &on_b);
    memcpy(out, &on_b, sizeof on_b);
    if (no_force != 0 || c->state_count == 0)
        return no_force;
    return c->law->rates(c->data, c->relative, out + 6);
}

// A law with too many ways, or of the user's.
static void call_law_outside(const kane_element *element, const kane_relative *r, kane_recorded *out)
{
    kane_recorded in[KANE_CALL_INPUTS] = {r->d.x,   r->d.y, r->d.z, r->v.x, r->v.y,  r->v.z,  r->phi.x, r->phi.y,
                                          r->phi.z, r->w.x, r->w.y, r->w.z, r->d0.x, r->d0.y, r->d0.z,  r->t};
    int count                          = 16;
    if (element->absolute)
        kane_tape_stop("it branches on its data in more than %d ways, and looks at the world", KANE_WAYS_MOST);
    for (int k = 0; k < element->state_count; k++)
        in[count++] = r->state[k];
    for (int k = 0; k < element->input_count; k++)
        in[count++] = r->input[k];
    record_call(KANE_CALL_LAW, element->index, 0, count, in, 6 + element->state_count, out);
}

static void eval_law(const kane_element *element, const kane_element_motion *motion, kane_recorded *out)
{
    const law_call law     = {find_law(element->law->name), element->data, &motion->relative, element->state_count};
    kane_tape_now->subject = element->name;
    if (!::kane_record_has_law(element->law) || !try_ways(call_law, &law, 6 + element->state_count, out))
        call_law_outside(element, &motion->relative, out);
    kane_tape_now->subject = NULL;
}

kane_status kane_element_eval(const kane_element *element, const kane_element_motion *motion, kane_wrench *on_b)
{
    kane_recorded out[6 + KANE_LAW_STATES];
    eval_law(element, motion, out);
    memcpy(on_b, out, sizeof *on_b);
    return KANE_OK;
}

kane_status kane_element_rates(const kane_element *element, const kane_element_motion *motion,
                               kane_recorded rates[KANE_LAW_STATES])
{
    kane_recorded out[6 + KANE_LAW_STATES];
    eval_law(element, motion, out);
    memcpy(rates, out + 6, (size_t)element->state_count * sizeof *rates);
    return KANE_OK;
}

// --- other functions that branch ---

kane_vec3 kane_rotation_vector_by_ways(kane_mat3 R); // agem/element.c

static int call_rotation(const void *data, kane_recorded *out)
{
    const kane_vec3 phi = kane_rotation_vector_by_ways(*(const kane_mat3 *)data);
    memcpy(out, &phi, sizeof phi);
    return 0;
}

kane_vec3 kane_rotation_vector(kane_mat3 R)
{
    kane_vec3 phi;
    record_ways(call_rotation, &R, 3, (kane_recorded *)&phi);
    return phi;
}

void kane_line_function_eval_by_ways(const kane_line_function *line_function, kane_recorded x,
                                     kane_recorded f[4]); // tree/function.c

typedef struct line_function_call {
    const kane_line_function *line_function;
    kane_recorded x;
} line_function_call;

static int call_course(const void *data, kane_recorded *out)
{
    const line_function_call *c = (const line_function_call *)data;
    kane_line_function_eval_by_ways(c->line_function, c->x, out);
    return 0;
}

void kane_line_function_eval(const kane_line_function *line_function, kane_recorded x, kane_recorded f[4])
{
    const line_function_call call = {line_function, x};
    record_ways(call_course, &call, 4, f);
}

kane_recorded kane_actuator_value_by_ways(const kane_actuator *a, kane_recorded t, const kane_recorded *inputs);

typedef struct actuator_call {
    const kane_actuator *actuator;
    kane_recorded t;
    const kane_recorded *inputs;
} actuator_call;

static int call_actuator(const void *data, kane_recorded *out)
{
    const actuator_call *c = (const actuator_call *)data;
    out[0]                 = kane_actuator_value_by_ways(c->actuator, c->t, c->inputs);
    return 0;
}

kane_recorded kane_actuator_value(const kane_actuator *actuator, kane_recorded t, const kane_recorded *inputs)
{
    const actuator_call call = {actuator, t, inputs};
    kane_recorded value;
    record_ways(call_actuator, &call, 1, &value);
    return value;
}

// --- what branches on data that no equation can see through: the line, rails and contact are called ---

// In place of kane_model_travel, and of what model->travel points to.
static void travel_by_call(const void *, kane_recorded t, kane_recorded s, kane_recorded *v, kane_recorded *a)
{
    const kane_recorded in[] = {t, s};
    kane_recorded out[3];
    record_call(KANE_CALL_TRAVEL, 0, 0, 2, in, 3, out);
    *v = out[1];
    *a = out[2];
}

void kane_model_travel(const kane_model *, int, kane_recorded t, kane_recorded *s, kane_recorded *v, kane_recorded *a)
{
    const kane_recorded in[] = {t, 0.0};
    kane_recorded out[3];
    record_call(KANE_CALL_TRAVEL, 0, 0, 2, in, 3, out);
    *s = out[0];
    *v = out[1];
    *a = out[2];
}

enum { LINE_OUTPUTS = 25 };

static void line_of(int f, kane_recorded s, kane_recorded out[LINE_OUTPUTS])
{
    record_call(KANE_CALL_LINE, f, 0, 1, &s, LINE_OUTPUTS, out);
}

void kane_track_eval(const kane_track *, int, kane_recorded s, kane_track_frame *frame)
{
    const int f = (int)(frame - now.work->track_frame);
    kane_recorded out[LINE_OUTPUTS];
    line_of(f, s, out);
    memcpy(frame, out, 19 * sizeof *out);
    memcpy(&now.work->anchor[f], out + 19, 3 * sizeof *out);
}

// Only of frame 0 it is asked, when that frame is known.
kane_vec3 kane_track_anchor(const kane_track *, int)
{
    kane_recorded out[LINE_OUTPUTS];
    line_of(0, now.work->s + now.model->frames[0].offset, out);
    return kv3(out[22], out[23], out[24]);
}

// The wheelset that a member of its state belongs to.
static int wheels_of(const void *member)
{
    return (int)(((const char *)member - (const char *)now.work->wheels) / sizeof *now.work->wheels);
}

void kane_track_rail(const kane_track *, kane_side side, kane_recorded s, kane_rail_offset *o)
{
    kane_recorded out[8];
    record_call(KANE_CALL_RAIL, wheels_of(o), side, 1, &s, 8, out);
    *o = (kane_rail_offset){out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]};
}

// Motion and s of a call, in [16].
static void put_motion(const kane_wheel_motion *m, kane_recorded s, kane_recorded *in)
{
    memcpy(in, &m->centre, 3 * sizeof *in);
    memcpy(in + 3, &m->axle, 3 * sizeof *in);
    memcpy(in + 6, &m->velocity, 3 * sizeof *in);
    memcpy(in + 9, &m->omega, 3 * sizeof *in);
    memcpy(in + 12, &m->turn, 3 * sizeof *in);
    in[15] = s;
}

static kane_wrench wrench_of(const kane_recorded out[6])
{
    return (kane_wrench){kv3(out[0], out[1], out[2]), kv3(out[3], out[4], out[5])};
}

kane_status kane_contact_eval(const kane_contact *, kane_side side, const kane_wheel_motion *m,
                              kane_contact_result *result)
{
    const int i = wheels_of(m);
    kane_recorded in[16], out[6];
    put_motion(m, now.work->wheels[i].s_at[side], in);
    record_call(KANE_CALL_CONTACT, i, side, 16, in, 6, out);
    result->on_wheel = wrench_of(out);
    return KANE_OK;
}

// --- wheels that their rails guide ---

kane_status kane_contact_gap(const kane_contact *, kane_side side, const kane_wheel_path *path, kane_gap *gap)
{
    const int i = wheels_of(gap);
    kane_recorded in[21], out[21];
    const kane_vec3 *const parts[] = {&path->centre, &path->centre_rate, &path->centre_accel,
                                      &path->axle,   &path->axle_rate,   &path->axle_accel};
    for (int k = 0; k < 6; k++)
        memcpy(in + 3 * k, parts[k], 3 * sizeof *in);
    in[18] = now.work->wheels[i].s_at[side];
    in[19] = path->along_rate;
    in[20] = path->along_accel;
    record_call(KANE_CALL_GAP, i, side, 21, in, 21, out);
    memcpy(gap, out, sizeof out);
    return KANE_OK;
}

// What does not depend on the normal force, in side axes. Of the rest only what it is prepared from is kept.
kane_status kane_rigid_prepare(const kane_contact *, kane_side side, const kane_gap *gap,
                               const kane_wheel_motion *motion, rigid_contact *r)
{
    memset(r, 0, sizeof *r);
    r->gap    = gap;
    r->sign   = side == KANE_LEFT ? 1.0 : -1.0;
    r->motion = side_motion_of(side, motion);
    r->spot   = (contact_patch){.point  = side_mirror(r->sign, gap->point),
                                .normal = side_mirror(r->sign, gap->normal),
                                .share  = 1.0,
                                .climb  = -gap->along};
    place_patch_value_on_rail(&r->spot, &r->motion);
    r->basis.c.y = kane_creep_across(&r->spot);
    return KANE_OK;
}

static void call_creep(const rigid_contact *r, kane_recorded N, kane_recorded out[8])
{
    const int i          = wheels_of(r->gap);
    const kane_side side = r->sign.value() > 0.0 ? KANE_LEFT : KANE_RIGHT;
    const kane_gap *gap  = r->gap;
    kane_recorded in[29];
    memcpy(in, &gap->point, 3 * sizeof *in);
    memcpy(in + 3, &gap->normal, 3 * sizeof *in);
    const kane_recorded others[] = {gap->along, gap->A, gap->B, gap->radius, gap->wheel_y, gap->rail_y};
    memcpy(in + 6, others, sizeof others);
    put_motion(&now.work->wheels[i].motion[side], now.work->wheels[i].s_at[side], in + 12);
    in[28] = N;
    record_call(KANE_CALL_CREEP, i, side, 29, in, 8, out);
}

kane_status kane_rigid_forces(const rigid_contact *r, kane_recorded N, kane_user_force *f)
{
    kane_recorded out[8];
    call_creep(r, N, out);
    *f = (kane_user_force){out[0], out[1], out[2], out[3]};
    return KANE_OK;
}

kane_status kane_rigid_slope(const rigid_contact *r, kane_recorded N, kane_user_force *slope)
{
    kane_recorded out[8];
    call_creep(r, N, out);
    *slope = (kane_user_force){out[4], out[5], out[6], out[7]};
    return KANE_OK;
}

// No guided wheel's normal force dissipates.
kane_wrench kane_rigid_wrench(const rigid_contact *r, kane_recorded, const kane_user_force *f)
{
    const kane_wrench w = kane_creep_force_wrench(&r->spot, r->basis.c.y, f);
    return (kane_wrench){side_mirror(r->sign, w.force), side_mirror_axial(r->sign, w.torque)};
}

int kane_rigid_report(const rigid_contact *, kane_recorded, const kane_user_force *, kane_patch *)
{
    return 0;
}

kane_status kane_contact_creep(const kane_contact *contact, kane_side side, const kane_gap *gap,
                               const kane_wheel_motion *motion, kane_recorded N, kane_wrench *creep, kane_patch *)
{
    rigid_contact r;
    kane_user_force f;
    (void)kane_rigid_prepare(contact, side, gap, motion, &r);
    (void)kane_rigid_forces(&r, N, &f);
    *creep = kane_rigid_wrench(&r, N, &f);
    return KANE_OK;
}

static void call_table(int i, kane_recorded y, kane_recorded yaw, kane_recorded out[KANE_CALL_OUTPUTS])
{
    const kane_recorded in[] = {y, yaw};
    record_call(KANE_CALL_TABLE, i, 0, 2, in, KANE_CALL_OUTPUTS, out);
}

kane_status kane_wheelset_table_eval(const kane_wheelset_table *, kane_recorded y, kane_recorded yaw,
                                     kane_wheelset_values *v)
{
    kane_recorded out[KANE_CALL_OUTPUTS];
    call_table(wheels_of(v), y, yaw, out);
    kane_wheelset_function *const functions[] = {&v->height, &v->roll, &v->twist_height, &v->twist_roll};
    for (int k = 0; k < 4; k++)
        memcpy(functions[k], out + 6 * k, sizeof *functions[k]);
    for (int side = 0; side < 2; side++) {
        const kane_recorded *p = out + 24 + 11 * side;
        const kane_vec3 point = kv3(p[0], p[1], p[2]), normal = kv3(p[3], p[4], p[5]);
        v->contact_point[side] = (kane_gap){.direction = normal,
                                            .twist     = kv3_cross(point, normal),
                                            .point     = point,
                                            .normal    = normal,
                                            .A         = p[6],
                                            .B         = p[7],
                                            .radius    = p[8],
                                            .wheel_y   = p[9],
                                            .rail_y    = p[10]};
    }
    return KANE_OK;
}

// Wheelsets that share tables share their calls.
kane_status kane_wheelset_table_pose(const kane_wheelset_table *table, kane_recorded y, kane_recorded yaw,
                                     kane_recorded twist, kane_recorded *height, kane_recorded *roll)
{
    kane_recorded out[KANE_CALL_OUTPUTS];
    int i = 0;
    while (now.model->wheels[i].guide != table)
        i++;
    call_table(i, y, yaw, out);
    *height = out[0] + twist * out[12];
    *roll   = out[6] + twist * out[18];
    return KANE_OK;
}

void kane_check_rail_eval(const kane_model *, const kane_wheels *wheels, kane_side side, kane_wheels_state *w)
{
    kane_recorded in[17], out[6];
    put_motion(&w->motion[side], w->s_at[side], in);
    in[16] = w->rail[side].length;
    record_call(KANE_CALL_CHECK_RAIL, wheels_of(w), side, 17, in, 6, out);
    w->check[side].on_wheel = wrench_of(out);
}

int kane_track_has_check_rails(const kane_track *track)
{
    return plain_has_check_rails(track);
}

void kane_track_surface(const kane_track *, kane_recorded s, kane_recorded y, kane_recorded out[6])
{
    const kane_recorded in[] = {s, y};
    record_call(KANE_CALL_ROAD, 0, 0, 2, in, 6, out);
}

// Contacts look up friction and profile by themselves.
int kane_track_profile_changes(const kane_track *)
{
    return 0;
}
int kane_track_friction_changes(const kane_track *)
{
    return 0;
}
void kane_track_profile(const kane_track *, kane_side, kane_recorded, kane_rail_blend *)
{
}
kane_recorded kane_track_friction(const kane_track *, kane_side, kane_recorded)
{
    return 0.0;
}

int kane_track_is_irregular(const kane_track *track)
{
    return plain_is_irregular(track);
}
const kane_track_definition *kane_track_get_definition(const kane_track *track)
{
    return (const kane_track_definition *)plain_definition(track);
}

// --- what an evaluation fails by ---

kane_status kane_work_fail(kane_work *work, kane_status status, const char *subject, const char *text)
{
    (void)work;
    (void)status;
    kane_tape_stop("%s%s%s", subject, subject[0] ? ": " : "", text);
}

} // namespace kane_recorded_kernels

// --- entries ---

using namespace kane_recorded_kernels;

static kane_recorded number_of_bits(uint64_t bits)
{
    kane_recorded x;
    x.bits = bits;
    return x;
}

void kane_kernels_begin(void *model, void *work, void *caller)
{
    now.model  = (kane_model *)model;
    now.work   = (kane_work *)work;
    now.caller = caller;
    if (now.model->travel_count == 1)
        now.model->travel.eval = travel_by_call;
}

void kane_kernels_load(const void *model, void *work, uint64_t t, const void *y)
{
    (void)kane_load_eval((const kane_model *)model, (kane_work *)work, number_of_bits(t), (const kane_recorded *)y);
}

void kane_kernels_accelerate(const void *model, void *work, void *ydot)
{
    (void)kane_accelerate_eval((const kane_model *)model, (kane_work *)work, (kane_recorded *)ydot);
}

void kane_kernels_equations(void *equations, void *work, uint64_t t, const void *y)
{
    (void)kane_equations_eval((kane_equations *)equations, (kane_work *)work, number_of_bits(t),
                              (const kane_recorded *)y);
}

int kane_kernels_have_law(const char *name)
{
    return find_law(name) != NULL;
}

uint64_t kane_kernels_box(int node)
{
    return kane_recorded::of_node(node).bits;
}

int kane_kernels_unbox(uint64_t bits)
{
    return number_of_bits(bits).node();
}
