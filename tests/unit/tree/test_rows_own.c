// SPDX-License-Identifier: MIT
// User-defined rows: built-in kinds written once more as formulas give the same numbers; formulas of several markers,
// of coordinates and of time give values, rates, accelerations, pushes and changes that belong together.

#include "motion.h"

static const double length = 0.8, radius = 0.45, bend[] = {0.1, -0.2, 0.5, 0.3}, wave[] = {0.2, 0.4, 2.0, 0.3};
static const kane_line_function curve_y = {
    .function = {.kind = KANE_FUNCTION_POLYNOMIAL, .count = 4, .coefficients = bend}};
static const kane_line_function curve_z = {.function = {.kind = KANE_FUNCTION_SINE, .count = 4, .coefficients = wave}};

// --- built-in kinds as formulas ---

static kane_number component(kane_number3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

// Slides along x, y, z, then axis i of the first square to axis j of the second.
static void points(const kane_rows_input *in, int count, kane_number *phi)
{
    for (int i = 0; i < count; i++)
        phi[i] = component(in->marker[0].position, i);
}

static kane_number square(const kane_rows_input *in, int i, int j)
{
    return component(in->marker[0].axis[j], i);
}

static void spherical(const void *data, const kane_rows_input *in, kane_number *phi)
{
    (void)data;
    points(in, 3, phi);
}

static void revolute(const void *data, const kane_rows_input *in, kane_number *phi)
{
    (void)data;
    points(in, 3, phi);
    phi[3] = square(in, 0, 2);
    phi[4] = square(in, 1, 2);
}

static void weld(const void *data, const kane_rows_input *in, kane_number *phi)
{
    revolute(data, in, phi);
    phi[5] = square(in, 0, 1);
}

static void universal(const void *data, const kane_rows_input *in, kane_number *phi)
{
    (void)data;
    points(in, 3, phi);
    phi[3] = square(in, 0, 1);
}

static void planar(const void *data, const kane_rows_input *in, kane_number *phi)
{
    (void)data;
    phi[0] = in->marker[0].position.z;
    phi[1] = square(in, 0, 2);
    phi[2] = square(in, 1, 2);
}

// (x . x - L^2)/(2 L)
static void distance(const void *data, const kane_rows_input *in, kane_number *phi)
{
    const double L       = *(const double *)data;
    const kane_number3 x = in->marker[0].position;
    phi[0]               = kn_scale(0.5 / L, kn_shift(kn3_dot(x, x), -L * L));
}

static void curve(const void *data, const kane_rows_input *in, kane_number *phi)
{
    const kane_number3 x = in->marker[0].position;
    double f[4];
    (void)data;
    kane_line_function_eval(&curve_y, kn_value(x.x), f);
    phi[0] = kn_sub(x.y, kn_chain(x.x, f));
    kane_line_function_eval(&curve_z, kn_value(x.x), f);
    phi[1] = kn_sub(x.z, kn_chain(x.x, f));
}

static void knife(const void *data, const kane_rows_input *in, kane_number *psi)
{
    (void)data;
    psi[0] = kn3_dot(in->marker[0].velocity, in->marker[0].axis[1]);
}

static void rolling_height(const void *data, const kane_rows_input *in, kane_number *phi)
{
    const kane_number s = kn_sqrt(kn_sub(kn_constant(1.0), kn_square(in->marker[0].axis[2].z)));
    phi[0]              = kn_sub(in->marker[0].position.z, kn_scale(*(const double *)data, s));
}

static void rolling_slip(const void *data, const kane_rows_input *in, kane_number *psi)
{
    const kane_number3 n = in->marker[0].axis[2], z = kn3_constant(kv3(0.0, 0.0, 1.0));
    const kane_number s     = kn_sqrt(kn_sub(kn_constant(1.0), kn_square(n.z)));
    const kane_number3 down = kn3_scale(kn_div(kn_constant(-*(const double *)data), s), kn3_sub(z, kn3_scale(n.z, n)));
    const kane_number3 v    = kn3_add(in->marker[0].velocity, kn3_cross(in->marker[0].turning, down));
    psi[0]                  = v.x;
    psi[1]                  = v.y;
}

static const struct {
    kane_constraint_kind kind;
    kane_rows_kind own;
    const void *data;
} kinds[] = {
    {KANE_CONSTRAINT_SPHERICAL, {.markers = 2, .positions = 3, .position = spherical}, NULL},
    {KANE_CONSTRAINT_REVOLUTE, {.markers = 2, .positions = 5, .position = revolute}, NULL},
    {KANE_CONSTRAINT_WELD, {.markers = 2, .positions = 6, .position = weld}, NULL},
    {KANE_CONSTRAINT_UNIVERSAL, {.markers = 2, .positions = 4, .position = universal}, NULL},
    {KANE_CONSTRAINT_PLANAR, {.markers = 2, .positions = 3, .position = planar}, NULL},
    {KANE_CONSTRAINT_DISTANCE, {.markers = 2, .positions = 1, .position = distance}, &length},
    {KANE_CONSTRAINT_CURVE, {.markers = 2, .positions = 2, .position = curve}, NULL},
    {KANE_CONSTRAINT_KNIFE, {.markers = 2, .rates = 1, .rate = knife}, NULL},
    {KANE_CONSTRAINT_ROLLING,
     {.markers = 2, .positions = 1, .rates = 2, .position = rolling_height, .rate = rolling_slip},
     &radius},
};
enum { KINDS = sizeof kinds / sizeof *kinds, PLACES = 8 };

// Who is held to whom: links, their frames, and what the bases are.
static const struct {
    int link[3], frame[3], absolute[2];
} places[PLACES] = {
    {{0, 1, 2}, {0, 0, 0}, {0, 0}},  {{0, 1, 2}, {0, 0, 1}, {1, 1}},  {{-1, 1, 2}, {0, 0, 0}, {1, 1}},
    {{0, -1, 2}, {1, 1, 1}, {0, 1}}, {{0, 1, 2}, {0, 1, 0}, {0, 0}},  {{0, 1, -1}, {0, 1, 0}, {1, 1}},
    {{0, 1, 2}, {1, 0, 0}, {1, 0}},  {{-1, 1, 2}, {0, 1, 1}, {1, 1}},
};

static void place(rig *r, kane_constraint_row_set *c, int which)
{
    for (int i = 0; i < 3; i++) {
        c->side[i].link   = places[which].link[i];
        c->side[i].frame  = places[which].frame[i];
        r->links[i].frame = places[which].frame[i];
        // the second on an axle box at every other place, level in its own frame or in the other one
        c->side[i].on_box      = i == 1 && which % 2 == 1 && c->side[i].link >= 0;
        c->side[i].level_frame = which / 2 % 2;
        r->links[i].body_R     = km3_identity();
        r->links[i].c          = kv3(0.1, 0.3, -0.2);
    }
    for (int i = 0; i < 2; i++)
        r->absolute[i] = places[which].absolute[i];
}

static kane_constraint_row_set random_closure(uint64_t *seed)
{
    kane_constraint_row_set c = {.name = "c", .length = length, .radius = radius, .curve = {&curve_y, &curve_z}};
    for (int i = 0; i < 3; i++)
        c.side[i] = rig_side(i, random_vector(seed, 0.5), random_rotation(seed));
    return c;
}

static void check_close(double a, double b, double tolerance)
{
    check_near(a, b, tolerance * (1.0 + fabs(b)));
}

static void check_wrench(kane_wrench a, kane_wrench b, double tolerance)
{
    const double size = 1.0 + kv3_norm(b.force) + kv3_norm(b.torque);
    check_vec3(a.force, b.force, tolerance * size);
    check_vec3(a.torque, b.torque, tolerance * size);
}

static void check_same_values(const rig *r, const kane_constraint_row_set *a, const kane_constraint_row_set *b)
{
    kane_constraint_rows_values x, y;
    assert_int_equal(a->row_count, b->row_count);
    assert_int_equal(a->position_count, b->position_count);
    rig_eval(r, a, 1, &x);
    rig_eval(r, b, 1, &y);
    for (int i = 0; i < b->row_count; i++) {
        if (i < b->position_count)
            check_close(x.value[i], y.value[i], 1e-14);
        check_close(x.rate[i], y.rate[i], 1e-13);
        check_close(x.acceleration[i], y.acceleration[i], 1e-13);
    }
    assert_int_equal(x.direction_count, y.direction_count);
    for (int i = 0; i < y.direction_count; i++) {
        assert_int_equal(x.direction[i].row, y.direction[i].row);
        assert_int_equal(x.direction[i].link, y.direction[i].link);
        check_wrench(x.direction[i].wrench, y.direction[i].wrench, 1e-14);
    }
    assert_int_equal(x.frame_direction_count, y.frame_direction_count);
    for (int i = 0; i < y.frame_direction_count; i++)
        check_wrench(x.frame_direction[i].wrench, y.frame_direction[i].wrench, 1e-14);
}

static void check_same_changes(const rig *r, const kane_constraint_row_set *a, const kane_constraint_row_set *b,
                               uint64_t *seed)
{
    static rig_batch batch;
    rig_batch_draw(&batch, 0.0, seed);
    kane_arena *arena                  = kane_arena_create();
    kane_constraint_row_set_room *room = kane_constraint_row_set_room_create(arena);
    const kane_row_changes changes     = rig_batch_changes(&batch, KANE_CHANGES);
    static kane_constraint_row_set_changes x, y;
    kane_tree_work work             = r->work;
    const kane_eval_context context = {&r->tree, &work, r->frames, r->bases};
    x                               = *kane_constraint_row_set_derive(&context, a, &changes, room);
    y                               = *kane_constraint_row_set_derive(&context, b, &changes, room);
    kane_arena_free(arena);
    for (int i = 0; i < b->row_count; i++)
        for (int state = 0; state < KANE_CHANGES; state++) {
            if (i < b->position_count)
                check_close(x.value[i][state], y.value[i][state], 1e-13);
            check_close(x.rate[i][state], y.rate[i][state], 1e-13);
            check_close(x.acceleration[i][state], y.acceleration[i][state], 1e-12);
        }
    assert_int_equal(x.reaction_count, y.reaction_count);
    for (int i = 0; i < y.reaction_count; i++) {
        const kane_wrench_changes *one = &x.reaction[i].wrench, *two = &y.reaction[i].wrench;
        assert_int_equal(x.reaction[i].link, y.reaction[i].link);
        for (int state = 0; state < KANE_CHANGES; state++)
            check_wrench((kane_wrench){kane_changes3_get(&one->force, state), kane_changes3_get(&one->torque, state)},
                         (kane_wrench){kane_changes3_get(&two->force, state), kane_changes3_get(&two->torque, state)},
                         1e-13);
    }
}

// Every kind in every place: the formula says all that the built-in rows say.
CHECK_TEST(test_built_in_kinds)
{
    uint64_t seed = 31;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int k = 0; k < KINDS; k++)
        for (int p = 0; p < PLACES; p++) {
            rig r;
            kane_constraint_row_set built_in = random_closure(&seed);
            rig_init(&r, &seed, 3);
            place(&r, &built_in, p);
            rig_move(&r, 0.3);
            kane_constraint_row_set own = built_in;
            built_in.kind               = kinds[k].kind;
            own.kind                    = KANE_CONSTRAINT_USER;
            own.own                     = &kinds[k].own;
            own.own_data                = kinds[k].data;
            own.side_count              = 2;
            kane_constraint_row_set_count(&built_in);
            kane_constraint_row_set_count(&own);
            check_same_values(&r, &own, &built_in);
            check_same_changes(&r, &own, &built_in, &seed);
        }
}

// --- formulas that nothing built in has ---

// Something of everything: three markers, two coordinates, time; smooth, and linear in velocities.
static kane_number far(kane_number3 x)
{
    return kn_sqrt(kn_shift(kn3_dot(x, x), 0.5));
}

static void mixed_position(const void *data, const kane_rows_input *in, kane_number *phi)
{
    const kane_rows_marker *a = &in->marker[0], *b = &in->marker[1];
    const kane_number q = in->coordinate[0].value, p = in->coordinate[1].value;
    const kane_number3 apart = kn3_sub(b->position, a->position);
    const kane_number rope   = kn_add(far(a->position), far(apart));
    (void)data;
    phi[0] = kn_sub(rope, kn_add(kn_constant(1.5), kn_sin(kn_scale(2.0, in->time))));
    phi[1] = kn_sub(kn_atan2(a->axis[0].y, kn_shift(a->axis[0].x, 1.5)),
                    kn_mul(kn_exp(kn_neg(kn_square(q))), kn_tan(kn_scale(0.3, p))));
    phi[2] = kn_add(kn3_dot(a->axis[1], b->axis[2]), kn_mul(in->time, kn_cos(kn_mul(q, p))));
}

static void mixed_rate(const void *data, const kane_rows_input *in, kane_number *psi)
{
    const kane_rows_marker *a = &in->marker[0], *b = &in->marker[1];
    const kane_rows_coordinate *q = &in->coordinate[0], *p = &in->coordinate[1];
    (void)data;
    psi[0] = kn_add(kn3_dot(a->velocity, b->axis[0]), kn_mul(p->rate, kn_log(kn_shift(kn_square(q->value), 2.0))));
    psi[1] = kn_sub(
        kn3_dot(b->turning, kn3_cross(a->position, b->position)),
        kn_mul(kn_power(kn_shift(kn3_dot(b->position, b->position), 1.0), -0.7), kn_add(q->rate, kn_sin(in->time))));
}

static const kane_rows_kind mixed = {
    .markers = 3, .coordinates = 2, .positions = 3, .rates = 2, .position = mixed_position, .rate = mixed_rate};

// Links 0 .. 2 carry the markers, 3 is free in its frame, 4 hangs by steps.
enum { FREE = 3, STEPS = 4 };

static void coordinate_swing(double t, double out[3])
{
    const swing s = {0.3, 0.4, 2.2, 0.1};
    swing_eval(&s, t, out);
}

static void mixed_move(rig *r, double t)
{
    double q[3];
    rig_move(r, t);
    coordinate_swing(t, q);
    r->q[30]     = q[0];
    r->v[30]     = q[1];
    r->v_dot[30] = q[2];
    for (int i = 0; i < 6; i++) { // x .. pitch of the free link are its swings
        double f[3];
        swing_eval(&r->link_swing[FREE][i], t, f);
        r->q[i] = f[0];
    }
}

static void mixed_init(rig *r, uint64_t *seed)
{
    rig_init(r, seed, 5);
    r->links[FREE] = (kane_link){.parent      = -1,
                                 .kind        = KANE_LINK_BODY,
                                 .slide_count = 3,
                                 .step_count  = 6,
                                 .seat_R      = km3_identity(),
                                 .q           = 0,
                                 .q_count     = 6};
    for (int i = 0; i < 6; i++)
        r->links[FREE].step[i] = (kane_step){.axis = i < 3 ? i : rig_turns[i - 3], .q = i, .v = i};
    r->links[STEPS] = (kane_link){
        .parent = -1, .kind = KANE_LINK_STEPS, .step_count = 1, .q = 30, .q_count = 1, .v = 30, .v_count = 1};
    r->links[STEPS].step[0] = (kane_step){.axis = 2, .q = 30, .v = 30};
}

CHECK_TEST(test_mixed)
{
    uint64_t seed = 32;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int p = 0; p < PLACES; p++)
        for (int which = 0; which < 4; which++) {
            rig r;
            kane_constraint_row_set c = random_closure(&seed);
            mixed_init(&r, &seed);
            place(&r, &c, p);
            c.kind       = KANE_CONSTRAINT_USER;
            c.own        = &mixed;
            c.side_count = 3;
            c.term_count = 2;
            c.term[0]    = (kane_term){FREE, 1 + which, 0.8};
            c.term[1]    = (kane_term){STEPS, 0, -1.3};
            kane_constraint_row_set_count(&c);
            assert_true(kane_constraint_row_set_is_rheonomic(&c));
            mixed_move(&r, 0.3);
            rig_check_in_time(&r, mixed_move, &c, 0.3);
            rig_check_pushes(&r, &c, &seed);
            rig_check_derivatives(&r, &c, &seed);
        }
}

// Many coordinates need more than one pass: a sum of eight is the built-in relation.
static void sum_of_eight(const void *data, const kane_rows_input *in, kane_number *phi)
{
    (void)data;
    phi[0] = kn_constant(-0.7);
    for (int i = 0; i < in->coordinate_count; i++)
        phi[0] = kn_add(phi[0], in->coordinate[i].value);
}

CHECK_TEST(test_many_coordinates)
{
    static const kane_rows_kind eight = {.coordinates = 8, .positions = 1, .position = sum_of_eight};
    uint64_t seed                     = 33;
    rig r;
    mixed_init(&r, &seed);
    mixed_move(&r, 0.4);
    kane_constraint_row_set built_in = {.kind = KANE_CONSTRAINT_LINEAR, .term_count = 8, .offset = 0.7};
    for (int i = 0; i < 8; i++)
        built_in.term[i] = (kane_term){i < 6 ? FREE : STEPS, i < 6 ? i : 0, random_number(&seed)};
    kane_constraint_row_set own = built_in;
    own.kind                    = KANE_CONSTRAINT_USER;
    own.own                     = &eight;
    kane_constraint_row_set_count(&built_in);
    kane_constraint_row_set_count(&own);
    check_same_values(&r, &own, &built_in);
    kane_constraint_rows_values a, b;
    rig_eval(&r, &own, 1, &a);
    rig_eval(&r, &built_in, 1, &b);
    assert_int_equal(a.entry_count, b.entry_count);
    for (int i = 0; i < b.entry_count; i++)
        check_near(a.entry[i].value, b.entry[i].value, 1e-15);
    rig_check_derivatives(&r, &own, &seed);
}

// Velocities are not there where positions are asked for.
static void asks_too_much(const void *data, const kane_rows_input *in, kane_number *phi)
{
    (void)data;
    phi[0] = in->marker[0].velocity.x;
    phi[1] = in->marker[0].turning.y;
    phi[2] = in->coordinate[0].rate;
}

CHECK_TEST(test_no_velocities_in_positions)
{
    static const kane_rows_kind asking = {.markers = 2, .coordinates = 1, .positions = 3, .position = asks_too_much};
    uint64_t seed                      = 34;
    rig r;
    kane_constraint_row_set c = random_closure(&seed);
    kane_constraint_rows_values out;
    mixed_init(&r, &seed);
    mixed_move(&r, 0.4);
    c.kind       = KANE_CONSTRAINT_USER;
    c.own        = &asking;
    c.side_count = 2;
    c.term_count = 1;
    c.term[0]    = (kane_term){STEPS, 0, 1.0};
    kane_constraint_row_set_count(&c);
    rig_eval(&r, &c, 1, &out);
    for (int i = 0; i < 3; i++)
        assert_true(isnan(out.value[i]));
}

CHECK_MAIN(NULL, NULL)
