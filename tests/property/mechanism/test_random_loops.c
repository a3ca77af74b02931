// SPDX-License-Identifier: MIT
// The Jacobian of trees that random constraints close to loops, with spherical joints, free bodies and all others among
// them, against extrapolated differences: as drawn, on the way, and where Euler parameters have another length.

#include <kane/jacobian.h>

#include "mechanisms.h"

#include "math/small.h"

enum { SAMPLES = 60, LEVELS = 4, MOST_STATES = 160, LOOPS = 3 };

typedef struct sample {
    mechanism m;
    kane_jacobian *jacobian;
    kane_work *work;
    const kane_pattern *pattern;
    int size, stretched; // states; whether any Euler parameters have been stretched
    double y[MOST_STATES];
    double *values;
    uint64_t seed;
} sample;

static int below(sample *s, int count)
{
    const int i = (int)(0.5 * (random_number(&s->seed) + 1.0) * count);
    return i < count ? i : count - 1;
}

static kane_mat3 random_axes(sample *s)
{
    const kane_vec3 a = random_vector(&s->seed, 1.0);
    return kane_matrix_from_angles(a.x, a.y, a.z);
}

// Half of the joints are spherical; a body without one is free in the frame of the tree.
static void hang(sample *s, int body)
{
    static const kane_joint_kind others[] = {KANE_JOINT_REVOLUTE,  KANE_JOINT_PRISMATIC, KANE_JOINT_CYLINDRICAL,
                                             KANE_JOINT_UNIVERSAL, KANE_JOINT_PLANAR,    KANE_JOINT_FREE};
    static const char *const orders[]     = {"zxy", "xyz", "zyx"};
    mechanism *m                          = &s->m;
    kane_start_definition *start          = &m->starts[body];
    const int on = below(s, body + 1) - 1, count = sizeof others / sizeof *others, pick = below(s, 2 * count + 1);
    const char *parent = on < 0 ? NULL : m->bodies[on].block.name;
    const kane_vec3 at = kv3_add(m->bodies[body].position, random_vector(&s->seed, 0.4));
    const double e[4]  = {1.0, 0.4 * random_number(&s->seed), 0.4 * random_number(&s->seed), 0.4};
    if (pick == 2 * count)
        return;
    const kane_joint_kind kind   = pick < count ? others[pick] : KANE_JOINT_SPHERICAL;
    kane_joint_definition *joint = mechanism_hang(m, body, kind, parent, at, random_axes(s));
    if (kind == KANE_JOINT_FREE) {
        joint->dof      = below(s, 2) ? (unsigned)KANE_ALL_DOF : 1u + (unsigned)below(s, 62);
        joint->rotation = orders[below(s, 3)];
    }
    const int speeds = kind == KANE_JOINT_SPHERICAL ? 3 : kane_joint_coordinate_count(joint);
    for (int k = 0; k < speeds; k++)
        start->rate[k] = random_number(&s->seed);
    if (kind == KANE_JOINT_SPHERICAL && below(s, 3) > 0) // else as drawn: e = 1, 0, 0, 0
        memcpy(start->q, e, sizeof e);
}

// A loop between any two bodies, or the frame.
static void close_loop(sample *s, int i)
{
    static const char *const names[LOOPS]     = {"loop 0", "loop 1", "loop 2"};
    static const kane_constraint_kind kinds[] = {KANE_CONSTRAINT_SPHERICAL, KANE_CONSTRAINT_DISTANCE,
                                                 KANE_CONSTRAINT_UNIVERSAL, KANE_CONSTRAINT_REVOLUTE,
                                                 KANE_CONSTRAINT_PLANAR,    KANE_CONSTRAINT_CYLINDRICAL};
    mechanism *m                              = &s->m;
    const int a = below(s, m->vehicle.body_count), other = below(s, m->vehicle.body_count);
    const char *on = other == a ? NULL : m->bodies[other].block.name;
    const kane_constraint_kind kind =
        below(s, 2) ? KANE_CONSTRAINT_SPHERICAL : kinds[below(s, sizeof kinds / sizeof *kinds)];
    const kane_vec3 at            = random_vector(&s->seed, 1.0);
    kane_constraint_definition *c = mechanism_close(m, names[i], kind, on, m->bodies[a].block.name, at, random_axes(s));
    if (kind == KANE_CONSTRAINT_DISTANCE)
        c->at[1].at = kv3_add(at, kv3(0.5, 0.3, random_number(&s->seed)));
}

static void draw(sample *s)
{
    static const char *const names[] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"};
    const int bodies = 2 + below(s, 6), loops = 1 + below(s, LOOPS);
    mechanism_begin(&s->m, 9.81);
    for (int i = 0; i < bodies; i++) {
        const kane_vec3 J   = kv3_add(kv3(1.0, 1.0, 1.0), random_vector(&s->seed, 0.3));
        const kane_vec3 at  = random_vector(&s->seed, 1.0);
        const double mass   = 2.0 + random_number(&s->seed);
        const kane_vec3 own = kv3_scale(0.3, J);
        hang(s, mechanism_add(&s->m, names[i], mass, own, at));
    }
    for (int i = 0; i < loops; i++)
        close_loop(s, i);
}

// Derivatives of all rates by one state: central differences of halved steps, extrapolated to none (Romberg).
static int difference(sample *s, double t, int column, double h, double *out)
{
    double T[LEVELS][MOST_STATES], up[MOST_STATES], down[MOST_STATES], y[MOST_STATES];
    memcpy(y, s->y, sizeof y);
    for (int level = 0; level < LEVELS; level++, h *= 0.5) {
        y[column] = s->y[column] + h;
        if (kane_eval(s->m.model, s->work, t, y, up) != KANE_OK)
            return 0;
        y[column] = s->y[column] - h;
        if (kane_eval(s->m.model, s->work, t, y, down) != KANE_OK)
            return 0;
        for (int i = 0; i < s->size; i++)
            T[level][i] = (up[i] - down[i]) / (2.0 * h);
        double power = 4.0;
        for (int k = level; k > 0; k--, power *= 4.0)
            for (int i = 0; i < s->size; i++)
                T[k - 1][i] = T[k][i] + (T[k][i] - T[k - 1][i]) / (power - 1.0);
    }
    memcpy(out, T[0], (size_t)s->size * sizeof *out);
    return 1;
}

// Differences over h = 1e-3 keep 1e-16/h of rates that are up to a thousand times their row, and leave h^8.
static void compare(sample *s, unsigned number, const char *where, double t)
{
    double ydot[MOST_STATES], numeric[MOST_STATES], row[MOST_STATES]; // largest entries of rows
    assert_int_equal(kane_jacobian_eval(s->jacobian, s->m.model, s->work, t, s->y, ydot, s->values), KANE_OK);
    for (int i = 0; i < s->size; i++)
        row[i] = 1.0;
    for (int k = 0; k < s->pattern->count; k++)
        row[s->pattern->row[k]] = fmax(row[s->pattern->row[k]], fabs(s->values[k]));
    for (int j = 0; j < s->size; j++) {
        assert_true(difference(s, t, j, 1e-3, numeric));
        for (int i = 0; i < s->size; i++) {
            const int k        = kane_pattern_find(s->pattern, i, j);
            const double exact = k >= 0 ? s->values[k] : 0.0, off = fabs(exact - numeric[i]) / row[i];
            if (!(off <= 1e-8)) {
                char of[64], by[64];
                kane_state_name(s->m.model, i, sizeof of, of);
                kane_state_name(s->m.model, j, sizeof by, by);
                print_error("sample %u %s: d(%s)/d(%s) is %.12g\n", number, where, of, by, exact);
            }
            check_near(exact / row[i], numeric[i] / row[i], 1e-8);
        }
    }
}

// Euler parameters of another length are the same rotation.
static void stretch(sample *s)
{
    const kane_model *model = s->m.model;
    for (int i = 0; i < s->size; i++) {
        char name[64];
        kane_state_name(model, i, sizeof name, name);
        const char *end = strrchr(name, '.');
        if (!end || strlen(end) != 3 || end[1] != 'e' || end[2] < '0' || end[2] > '3')
            continue;
        s->y[i] *= 1.3;
        s->stretched = 1;
    }
}

static int open_sample(sample *s, unsigned number, kane_constraint_form form)
{
    CHECK_ERRORS errors = {0};
    *s                  = (sample){.seed = 0x9e3779b97f4a7c15u * (number + 1)};
    (void)random_number(&s->seed);
    draw(s);
    s->m.model = mechanism_compile(&s->m, form, &errors);
    if (!s->m.model)
        return 0; // more constraints than freedoms, or they do not meet
    s->size     = kane_model_state_count(s->m.model);
    s->jacobian = kane_jacobian_create(s->m.model, s->size);
    s->work     = kane_work_create(s->m.model, &errors);
    assert_true(s->size <= MOST_STATES);
    assert_non_null(s->jacobian);
    s->pattern = kane_jacobian_pattern(s->jacobian);
    s->values  = calloc((size_t)s->pattern->count + 1, sizeof *s->values);
    return kane_initial_state(s->m.model, s->work, s->y, &errors) == KANE_OK;
}

static void close_sample(sample *s)
{
    free(s->values);
    kane_jacobian_free(s->jacobian);
    kane_work_free(s->work);
    mechanism_close_all(&s->m);
}

// Goes on for some time.
static double move(sample *s)
{
    const kane_settings settings = mechanism_settings(1e-12);
    mechanism_run(&s->m, &settings);
    kane_work_copy(s->m.model, mechanism_go(&s->m, 0.2), s->work);
    memcpy(s->y, kane_simulation_state(s->m.simulation), (size_t)s->size * sizeof *s->y);
    return kane_simulation_time(s->m.simulation);
}

static void jacobian_of_random_loops(kane_constraint_form form)
{
    static sample s;
    int count = 0, stretched = 0;
    for (unsigned i = 0; i < SAMPLES; i++) {
        if (open_sample(&s, i, form)) {
            compare(&s, i, "as drawn", 0.0);
            const double t = move(&s);
            compare(&s, i, "on the way", t);
            stretch(&s);
            compare(&s, i, "stretched", t);
            count++;
            stretched += s.stretched;
        }
        close_sample(&s);
    }
    assert_true(count >= SAMPLES / 2 && stretched >= SAMPLES / 2);
}

CHECK_TEST(jacobian_of_random_loops_by_coefficients)
{
    jacobian_of_random_loops(KANE_FORM_COEFFICIENTS);
}

CHECK_TEST(jacobian_of_random_loops_by_multipliers)
{
    jacobian_of_random_loops(KANE_FORM_MULTIPLIERS);
}

CHECK_MAIN(NULL, NULL)
