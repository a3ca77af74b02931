// SPDX-License-Identifier: MIT
// The mechanical systems: as definitions for libkane, and by coefficients (47) of this file's own.

#include "efficiency.h"

#include "agem/work.h"
#include "math/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { TEXT = 16, VEHICLES = 10 }; // VEHICLES: bodies of a coach and a wagon

// --- bodies ---

typedef enum kind { CAR, BOGIE, FREE_SET, GUIDED_SET, LINK } kind;

// rows: on which of the body's own speeds (1: the first, 2: the second, 4 ...) v_x .. omega_z depend; copied (1: v_x,
// ...): which of these are speeds themselves
static const struct {
    double mass;
    kane_vec3 own, place;
    unsigned dof;
    int speeds;
    unsigned char rows[6], copied;
} kinds[] = {
    // v_y, v_z, omega
    {3e4, {6e4, 1.2e6, 1.15e6}, {0, 0, 1.8}, KANE_ALL_DOF & ~KANE_DOF(KANE_X), 5, {0, 1, 2, 4, 8, 16}, 0x3e},
    // v, rates of roll and yaw
    {2600, {1700, 1500, 3100}, {0, 0, 0.6}, KANE_ALL_DOF & ~KANE_DOF(KANE_PITCH), 5, {1, 2, 4, 8, 8, 16}, 0x27},
    // v, omega
    {1500, {800, 100, 800}, {0, 0, 0.46}, KANE_ALL_DOF, 6, {1, 2, 4, 8, 16, 32}, 0x3f},
    // v_x, v_y, omega_y, omega_z
    {1500, {800, 100, 800}, {0, 0, 0.46}, KANE_ALL_DOF, 4, {1, 2, 2, 2 | 4 | 8, 4, 8}, 0x33},
    // the rate of its hinge; what moves it add_rows says
    {2, {0.3, 0.4, 0.5}, {0.01, 0.02, 0.03}, KANE_ALL_DOF, 1, {0}, 0},
};

static kind kind_of(const eff_system *s, int j)
{
    static const kind vehicles[VEHICLES] = {CAR,      BOGIE,    BOGIE, FREE_SET, FREE_SET,
                                            FREE_SET, FREE_SET, CAR,   FREE_SET, FREE_SET};
    if (s->structure == EFF_CHAIN)
        return LINK;
    const kind of = vehicles[(s->n == 3 ? j + 7 : j) % VEHICLES];
    return of == FREE_SET && s->structure == EFF_GUIDED ? GUIDED_SET : of;
}

// Height and roll of a guided wheelset: z = height(y), roll = roll_y y + roll_yaw yaw
static const double height[] = {0.46, 0.05, 3.0, 40.0}, roll_y = 0.4, roll_yaw = 0.15;

// Angle of the first hinge of a chain over time: mean, amplitude, angular frequency, phase
static const double hinge_0[] = {0.2, 0.4, 3.0, 0.7};

static const kane_vec3 next_hinge = {0.0, 0.0, -0.3}; // from one hinge of a chain to the next, axes of the link

static const double speed = 45.0, acceleration = 0.8; // of all frames at time 0

// --- frames: on a transition curve, speeding up ---

static void ride(const void *data, double t, kane_transport *T)
{
    const eff_travel *on = data;
    const double s       = on->at + speed * t + 0.5 * acceleration * t * t;
    const int piece      = kane_track_find(on->track, s);
    kane_track_frame frame;
    kane_track_eval(on->track, piece, s, &frame);
    kane_track_transport(&frame, speed + acceleration * t, acceleration, T);
    T->R   = frame.R;
    T->r_o = kv3_add(frame.origin, kane_track_anchor(on->track, piece));
}

static kane_track *lay_track(kane_errors *errors)
{
    const kane_section_definition sections[] = {
        {.kind = KANE_STRAIGHT, .length = 100.0},
        {.kind           = KANE_TRANSITION,
         .shape          = KANE_BLOSS,
         .length         = 900.0,
         .curvature      = 1.0 / 250.0,
         .superelevation = 0.15},
    };
    kane_track_definition d = kane_track_definition_default();
    d.section_count         = 2;
    d.sections              = sections;
    return kane_track_create(&d, errors);
}

// --- definition for libkane ---

typedef struct drawing {
    kane_vehicle_definition vehicle;
    kane_body_definition bodies[EFF_BODIES_MOST];
    kane_start_definition starts[EFF_BODIES_MOST];
    kane_joint_definition joints[EFF_BODIES_MOST];
    kane_motion_definition motion;
    kane_constraint_definition relations[2 * EFF_BODIES_MOST];
    kane_term_definition terms[EFF_BODIES_MOST][5];
    kane_given_frame frames[EFF_BODIES_MOST];
    char names[EFF_BODIES_MOST][TEXT], others[EFF_BODIES_MOST][TEXT]; // of bodies; of frames and rolls
} drawing;

// Evenly between -size and size.
static double any(kane_random *random, double size)
{
    return size * (2.0 * kane_random_even(random) - 1.0);
}

static void draw_hinge(drawing *d, int j, kane_vec3 at)
{
    const kane_mat3 axes[2]   = {{kv3_unit(1), kv3_unit(2), kv3_unit(0)}, {kv3_unit(2), kv3_unit(0), kv3_unit(1)}};
    const kane_attachment pin = {.at = at, .axes = axes[j % 2]};
    d->joints[j]              = (kane_joint_definition){
                     .kind = KANE_JOINT_REVOLUTE, .parent = j ? d->names[j - 1] : NULL, .from = pin, .to = pin};
    d->bodies[j].joint = &d->joints[j];
    if (j > 0)
        return;
    d->motion.function        = (kane_function){.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = hinge_0};
    d->joints[0].motions      = &d->motion;
    d->joints[0].motion_count = 1;
}

// z = height(y),   roll - roll_y y - roll_yaw yaw = 0
static void draw_relations(drawing *d, int j)
{
    const char *name                     = d->names[j];
    kane_term_definition *term           = d->terms[j];
    kane_constraint_definition *relation = d->relations + d->vehicle.constraint_count;
    term[0]                              = (kane_term_definition){name, "z", 1.0};
    term[1]                              = (kane_term_definition){name, "y", 1.0};
    term[2]                              = (kane_term_definition){name, "roll", 1.0};
    term[3]                              = (kane_term_definition){name, "y", -roll_y};
    term[4]                              = (kane_term_definition){name, "yaw", -roll_yaw};
    relation[0]                          = (kane_constraint_definition){.block      = {name, NULL},
                                                                        .kind       = KANE_CONSTRAINT_FUNCTION,
                                                                        .function   = {{.count = 4, .coefficients = height}},
                                                                        .term_count = 2,
                                                                        .terms      = term};
    relation[1]                          = (kane_constraint_definition){
                                 .block = {d->others[j], NULL}, .kind = KANE_CONSTRAINT_LINEAR, .term_count = 3, .terms = term + 2};
    d->vehicle.constraint_count += 2;
}

static void draw_body(eff_system *s, drawing *d, int j, kane_random *random)
{
    const kind of    = kind_of(s, j);
    const int is_set = of == FREE_SET || of == GUIDED_SET, count = of != LINK ? 6 : j > 0; // of coordinates at random
    const kane_vec3 seat = kv3_scale(of == LINK ? j : 0.0, next_hinge);
    (void)snprintf(d->names[j], TEXT, "body %d", j);
    (void)snprintf(d->others[j], TEXT, "frame %d", j);
    d->bodies[j] = (kane_body_definition){.block    = {d->names[j], NULL},
                                          .kind     = is_set ? KANE_BODY_SPINNING : KANE_BODY_RIGID,
                                          .mass     = kinds[of].mass,
                                          .inertia  = {kinds[of].own.x, kinds[of].own.y, kinds[of].own.z},
                                          .position = kv3_add(seat, kinds[of].place),
                                          .dof      = kinds[of].dof,
                                          .frame    = of == LINK && j > 0 ? NULL : d->others[j],
                                          .start    = &d->starts[j]};
    for (int i = 0; i < count; i++) {
        d->starts[j].q[i] = any(random, of == LINK ? 0.6 : i < 3 ? 0.02 : 0.04);
        d->starts[j].rate[i] =
            any(random, of == LINK ? 1.0 : 0.5) + (is_set && i == KANE_PITCH ? speed / height[0] : 0.0);
    }
    if (d->bodies[j].frame) {
        s->travel[j] = (eff_travel){s->track, 980.0 - 4.0 * j};
        d->frames[d->vehicle.given_frame_count++] =
            (kane_given_frame){.block = {d->others[j], NULL}, .motion = ride, .data = &s->travel[j]};
    }
    if (of == LINK)
        draw_hinge(d, j, seat);
    if (of == GUIDED_SET)
        draw_relations(d, j);
}

static kane_model *compile(eff_system *s, unsigned seed, kane_errors *errors)
{
    drawing *d         = calloc(1, sizeof *d);
    kane_random random = kane_random_start(seed, 0);
    if (!d)
        return NULL;
    d->vehicle = (kane_vehicle_definition){.name         = "system",
                                           .gravity      = 9.81,
                                           .body_count   = s->n,
                                           .bodies       = d->bodies,
                                           .given_frames = d->frames,
                                           .constraints  = d->relations};
    for (int j = 0; j < s->n; j++)
        draw_body(s, d, j, &random);
    const kane_drive_definition drive = kane_drive_definition_default();
    const kane_model_options options  = kane_model_options_default();
    kane_model *model                 = kane_model_create(&d->vehicle, NULL, &drive, &options, errors);
    free(d);
    return model;
}

// --- (47) at a place, and how it changes ---

// Dependent components of a bogie: omega_x = cos(yaw) roll',   omega_y = sin(yaw) roll'
static void turn_bogie(eff_system *s, int j, double s_yaw, double c_yaw)
{
    const double yaw_rate = s->u[s->body[j].low + 4];
    const int x = s->map.start[6 * j + 3], y = s->map.start[6 * j + 4];
    s->map.A[x]     = c_yaw;
    s->map.A[y]     = s_yaw;
    s->map.A_dot[x] = -s_yaw * yaw_rate;
    s->map.A_dot[y] = c_yaw * yaw_rate;
}

// Those of a guided wheelset: v_z = height'(y) v_y, and omega_x from  roll' = roll_y v_y + roll_yaw yaw'  with
//   roll' = omega_x cos(yaw) + omega_y sin(yaw),   yaw' = omega_z - tan(roll) (omega_y cos(yaw) - omega_x sin(yaw))
static void guide_wheelset(eff_system *s, int j, double s_yaw, double c_yaw)
{
    const double y = s->q[6 * j + KANE_Y], roll = s->q[6 * j + KANE_ROLL];
    const double *u = s->u + s->body[j].low; // v_x, v_y, omega_y, omega_z
    const double t = tan(roll), D = c_yaw - roll_yaw * t * s_yaw;
    const int z = s->map.start[6 * j + 2];
    double *A = s->map.A + s->map.start[6 * j + 3], *A_dot = s->map.A_dot + s->map.start[6 * j + 3];
    A[0] = roll_y / D;
    A[1] = -(s_yaw + roll_yaw * t * c_yaw) / D;
    A[2] = roll_yaw / D;

    const double omega_x  = A[0] * u[1] + A[1] * u[2] + A[2] * u[3];
    const double t_dot    = (omega_x * c_yaw + u[2] * s_yaw) * (1.0 + t * t),
                 yaw_rate = u[3] - t * (u[2] * c_yaw - omega_x * s_yaw);
    const double D_dot    = -s_yaw * yaw_rate - roll_yaw * (t_dot * s_yaw + t * c_yaw * yaw_rate);
    A_dot[0]              = -A[0] * D_dot / D;
    A_dot[1]              = (-c_yaw * yaw_rate - roll_yaw * (t_dot * c_yaw - t * s_yaw * yaw_rate) - A[1] * D_dot) / D;
    A_dot[2]              = -A[2] * D_dot / D;

    s->map.A[z]     = height[1] + y * (2.0 * height[2] + y * 3.0 * height[3]);
    s->map.A_dot[z] = (2.0 * height[2] + y * 6.0 * height[3]) * u[1];
}

// (47), (49), (50): v and omega of body j
static void add_up(eff_system *s, int j)
{
    const eff_map *map = &s->map;
    double V[6];
    for (int m = 0; m < 6; m++) {
        V[m] = map->C[6 * j + m];
        for (int e = map->start[6 * j + m]; e < map->start[6 * j + m + 1]; e++)
            V[m] += map->A[e] * s->u[map->r[e]];
    }
    s->body[j].v     = kv3(V[0], V[1], V[2]);
    s->body[j].omega = kv3(V[3], V[4], V[5]);
}

// R J R'
static kane_mat3 turned(kane_mat3 R, kane_vec3 own)
{
    return km3_mul((kane_mat3){kv3_scale(own.x, R.x), kv3_scale(own.y, R.y), kv3_scale(own.z, R.z)}, km3_transpose(R));
}

static void move_train(eff_system *s)
{
    for (int j = 0; j < s->n; j++) {
        const kind of = kind_of(s, j);
        eff_body *b   = &s->body[j];
        double *q     = s->q + 6 * j;
        if (of == GUIDED_SET) {
            const double y = q[KANE_Y];
            q[KANE_Z]      = height[0] + y * (height[1] + y * (height[2] + y * height[3]));
            q[KANE_ROLL]   = roll_y * y + roll_yaw * q[KANE_YAW];
        }
        const double s_yaw = sin(q[KANE_YAW]), c_yaw = cos(q[KANE_YAW]);
        kane_mat3 R = km3_turn_x(km3_turn_z(km3_identity(), s_yaw, c_yaw), sin(q[KANE_ROLL]), cos(q[KANE_ROLL]));
        if (of == CAR || of == BOGIE) // a wheelset's pitch, its spin, changes nothing
            R = km3_turn_y(R, sin(q[KANE_PITCH]), cos(q[KANE_PITCH]));
        b->r = kv3(q[KANE_X], q[KANE_Y], q[KANE_Z]);
        b->J = turned(R, b->own);
        if (of == BOGIE)
            turn_bogie(s, j, s_yaw, c_yaw);
        if (of == GUIDED_SET)
            guide_wheelset(s, j, s_yaw, c_yaw);
        add_up(s, j);
    }
}

// Sets six numbers that are so far apart.
static void put(double *to, int stride, kane_vec3 v, kane_vec3 omega)
{
    const double six[6] = {v.x, v.y, v.z, omega.x, omega.y, omega.z};
    for (int m = 0; m < 6; m++)
        to[m * stride] = six[m];
}

// Hinge r has the axis k_r through o_r and moves every body j >= r:
//   omega_jr = k_r, v_jr = k_r x (c_j - o_r);   k_r' = omega_r x k_r, v_jr' = k_r' x (c_j - o_r) + k_r x (v_j - v_or)
// Hinge 0 is prescribed and goes into C with its rate; hinge r > 0 is speed r - 1.
static void move_chain(eff_system *s)
{
    kane_vec3 k[EFF_BODIES_MOST], o[EFF_BODIES_MOST], k_dot[EFF_BODIES_MOST], o_dot[EFF_BODIES_MOST];
    const double turn = hinge_0[2], rate = hinge_0[1] * turn * cos(hinge_0[3]),
                 rate_dot = -hinge_0[1] * turn * turn * sin(hinge_0[3]);
    kane_mat3 R           = km3_identity();
    s->q[0]               = hinge_0[0] + hinge_0[1] * sin(hinge_0[3]);
    o[0] = o_dot[0] = kv3_zero();
    for (int j = 0; j < s->n; j++) {
        eff_body *b       = &s->body[j];
        const double sine = sin(s->q[j]), cosine = cos(s->q[j]);
        double *A = s->map.A + s->map.start[6 * j], *A_dot = s->map.A_dot + s->map.start[6 * j];
        if (j > 0) {
            const kane_vec3 step = km3_mulv(R, next_hinge);
            o[j]                 = kv3_add(o[j - 1], step);
            o_dot[j]             = kv3_add(o_dot[j - 1], kv3_cross(s->body[j - 1].omega, step));
        }
        k[j] = j % 2 ? R.y : R.x;
        R    = j % 2 ? km3_turn_y(R, sine, cosine) : km3_turn_x(R, sine, cosine);
        b->r = kv3_add(o[j], km3_mulv(R, kinds[LINK].place));
        b->J = turned(R, b->own);
        for (int r = 1; r <= j; r++)
            put(A + r - 1, j, kv3_cross(k[r], kv3_sub(b->r, o[r])), k[r]);
        const kane_vec3 v_0 = kv3_cross(k[0], kv3_sub(b->r, o[0]));
        put(s->map.C + 6 * j, 1, kv3_scale(rate, v_0), kv3_scale(rate, k[0]));
        add_up(s, j);
        k_dot[j] = kv3_cross(b->omega, k[j]);
        for (int r = 0; r <= j; r++) {
            const kane_vec3 v =
                kv3_add(kv3_cross(k_dot[r], kv3_sub(b->r, o[r])), kv3_cross(k[r], kv3_sub(b->v, o_dot[r])));
            if (r > 0)
                put(A_dot + r - 1, j, v, k_dot[r]);
            else
                put(s->map.C_dot + 6 * j, 1, kv3_add_scaled(kv3_scale(rate, v), rate_dot, v_0),
                    kv3_add_scaled(kv3_scale(rate, k_dot[0]), rate_dot, k[0]));
        }
    }
}

void eff_move(eff_system *s)
{
    for (int j = 0; j < (s->structure == EFF_CHAIN ? 1 : s->n); j++)
        ride(&s->travel[j], 0.0, &s->T[j]);
    if (s->structure == EFF_CHAIN)
        move_chain(s);
    else
        move_train(s);
    for (int j = 0; j < s->n; j++)
        s->body[j].weight = km3_tmulv(s->T[s->body[j].frame].R, kv3(0.0, 0.0, -9.81 * s->body[j].mass));
}

// --- the same in libkane ---

void eff_kane(eff_system *s, int state)
{
    (void)kane_eval(s->model, s->work, 0.0, s->y[state], s->y_dot);
}

void eff_kane_get(eff_system *s, double *u_dot)
{
    double rate[KANE_JOINT_COORDINATES], second[KANE_JOINT_COORDINATES], V[6], V_dot[6];
    kane_observe(s->model, s->work);
    for (int j = 0; j < s->n; j++) {
        const kane_body_state *b = &s->work->body[j];
        if (s->structure == EFF_CHAIN) {
            (void)kane_get_joint(s->model, s->work, j, &s->q[j], rate, second);
            if (j > 0) {
                s->u[j - 1]  = rate[0];
                u_dot[j - 1] = second[0];
            }
            continue;
        }
        for (int i = 0; i < 6; i++)
            s->q[6 * j + i] = b->q[i];
        put(V, 1, b->v, b->w);
        put(V_dot, 1, b->a, b->e);
        for (int m = 0; m < 6; m++)
            if (s->map.copied[6 * j + m]) {
                const int r = s->map.r[s->map.start[6 * j + m]];
                s->u[r]     = V[m];
                u_dot[r]    = V_dot[m];
            }
        if (kind_of(s, j) == BOGIE) {
            // roll' is the part of omega along the axis of roll, and roll'' that of eps, since the axis turns about z
            // alone
            const kane_vec3 axis      = kv3(cos(b->q[KANE_YAW]), sin(b->q[KANE_YAW]), 0.0);
            s->u[s->body[j].low + 3]  = kv3_dot(axis, b->w);
            u_dot[s->body[j].low + 3] = kv3_dot(axis, b->e);
        }
    }
}

// --- creation ---

// Rows of body j from entry e on; its own speeds begin with `low`. Returns the entry behind them.
static int add_rows(eff_system *s, int j, int low, int e)
{
    const kind of = kind_of(s, j);
    eff_body *b   = &s->body[j];
    *b = (eff_body){.mass = kinds[of].mass, .own = kinds[of].own, .frame = j, .low = low, .count = kinds[of].speeds};
    if (of == LINK) {
        b->frame = b->low = 0;
        b->count          = j;
    }
    for (int m = 0; m < 6; m++) {
        s->map.start[6 * j + m]  = e;
        s->map.copied[6 * j + m] = kinds[of].copied >> m & 1;
        for (int r = 0; r < b->count; r++)
            if (of == LINK || kinds[of].rows[m] >> r & 1) {
                s->map.A[e]   = 1.0;
                s->map.r[e++] = b->low + r;
            }
    }
    for (int r = b->low; r < b->low + b->count; r++)
        s->first[r] = b->low;
    return s->map.start[6 * j + 6] = e;
}

static void add_arrays(const eff_system *s, eff_arrays *a, int is_full)
{
    size_t size = 0;
    for (int j = 0; j < s->n; j++) {
        a->low[j]   = is_full ? 0 : s->body[j].low;
        a->count[j] = is_full ? s->l : s->body[j].count;
        a->begin[j] = size;
        size += 6 * (size_t)a->count[j];
    }
}

static int create(eff_system *s, unsigned seed, kane_errors *errors)
{
    for (int j = 0, e = 0; j < s->n; j++) {
        e = add_rows(s, j, s->l, e);
        s->l += s->structure == EFF_CHAIN && j == 0 ? 0 : kinds[kind_of(s, j)].speeds;
    }
    add_arrays(s, &s->full, 1);
    add_arrays(s, &s->known, 0);
    s->track = lay_track(errors);
    s->model = s->track ? compile(s, seed, errors) : NULL;
    s->work  = s->model ? kane_work_create(s->model, errors) : NULL;
    if (!s->work || kane_initial_state(s->model, s->work, s->y[0], errors) != KANE_OK)
        return 0;
    for (int i = 0; i < kane_model_state_count(s->model); i++)
        s->y[1][i] = s->y[0][i] + 1e-6 * sin(i);
    eff_kane(s, 0);
    eff_kane_get(s, s->u_dot);
    return 1;
}

eff_system *eff_create(eff_structure structure, int bodies, unsigned seed, kane_errors *errors)
{
    eff_system *s = NULL;
    if (bodies < 2 || bodies > EFF_BODIES_MOST)
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "%d bodies; must be 2 to %d", bodies, (int)EFF_BODIES_MOST);
    else
        s = calloc(1, sizeof *s);
    if (s) {
        s->structure = structure;
        s->n         = bodies;
        if (create(s, seed, errors))
            return s;
    }
    if (errors->count == 0)
        kane_errors_add(errors, KANE_NO_MEMORY, "no memory for a system of %d bodies", bodies);
    eff_free(s);
    return NULL;
}

void eff_free(eff_system *s)
{
    if (!s)
        return;
    kane_work_free(s->work);
    kane_model_free(s->model);
    kane_track_free(s->track);
    free(s);
}
