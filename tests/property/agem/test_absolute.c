// SPDX-License-Identifier: MIT
// What force laws see of absolute motion: places, attitudes and velocities in the axes of A, whatever is moving them.

#include "property/agem/twin.h"

#include "grounded.h"
#include "modal.h"

// --- what is seen ---

// What the last evaluation of each element has shown; `load` tells elements apart and holds their index.
static kane_absolute seen[ELEMENTS];
static kane_relative seen_relative[ELEMENTS];

typedef struct witness {
    kane_block block;
    double index;
} witness;

static const kane_key witness_keys[] = {
    KANE_KEY(witness, index, NUMBER, REQUIRED, NULL, "1", ANY, NULL, "which one it is"),
};
static const kane_schema witness_schema = KANE_SCHEMA(witness, "witness", witness_keys, "Remembers what it sees.");

static int witness_eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    const int i      = (int)((const witness *)law)->index;
    seen[i]          = *r->absolute;
    seen_relative[i] = *r;
    (void)on_b;
    return 0;
}

static const kane_law witness_law = {.name     = "witness",
                                     .help     = "A law of tests.",
                                     .schema   = &witness_schema,
                                     .absolute = kane_law_is_absolute,
                                     .eval     = witness_eval};

// The parts with elements that do nothing but see.
static void build_witnesses(parts *p, witness w[ELEMENTS])
{
    build(p);
    for (int i = 0; i < ELEMENTS; i++) {
        w[i]                      = (witness){.index = i};
        p->elements[i].law        = &witness_law;
        p->elements[i].parameters = &w[i];
    }
}

// d(seen)/dt along the motion, by differences of fourth order.
typedef struct seen_rate {
    kane_vec3 position;
    kane_mat3 R;
} seen_rate;

static void rates_of(const twin *t, double time, seen_rate rate[2 * ELEMENTS])
{
    static const double node[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const double h = 1e-4;
    double y[128], ydot[128], second[128];
    // y(t + x) = y + x y' + x^2/2 y'': the second derivative by differences of the first
    for (int i = 0; i < t->model->state_count; i++)
        y[i] = t->y[i] + 1e-6 * t->ydot[i];
    assert_int_equal(kane_eval(t->model, t->work, time + 1e-6, y, second), KANE_OK);
    for (int i = 0; i < t->model->state_count; i++)
        second[i] = (second[i] - t->ydot[i]) / 1e-6;
    for (int i = 0; i < 2 * ELEMENTS; i++)
        rate[i] = (seen_rate){kv3_zero(), km3_zero()};
    for (int k = 0; k < 4; k++) {
        const double x = node[k] * h, factor = weight[k] / (12.0 * h);
        for (int i = 0; i < t->model->state_count; i++)
            y[i] = t->y[i] + x * t->ydot[i] + 0.5 * x * x * second[i];
        assert_int_equal(kane_eval(t->model, t->work, time + x, y, ydot), KANE_OK);
        for (int i = 0; i < 2 * ELEMENTS; i++) {
            const kane_marker *m = i % 2 ? &seen[i / 2].b : &seen[i / 2].a;
            rate[i].position     = kv3_add_scaled(rate[i].position, factor, m->position);
            rate[i].R            = km3_add(rate[i].R, km3_scale(factor, m->R));
        }
    }
    assert_int_equal(kane_eval(t->model, t->work, time, t->y, ydot), KANE_OK);
}

// In a transition, accelerating, on plain bodies, axle boxes and the track: the velocity is the rate of the position,
// the angular velocity that of the attitude, and what law and marker say of each other agrees. Also in the mirror.
CHECK_TEST(velocities_are_rates_of_what_is_seen)
{
    parts p;
    witness w[ELEMENTS];
    build_witnesses(&p, w);
    CHECK_OWNED(kane_track) *track = model_track(1.0, KANE_BLOSS);
    for (int way = 0; way < 4; way++) {
        CHECK_END(destroy) twin t = {0};
        create(&t, &p, track, way % 2 ? KANE_FIXED : KANE_MOVING, 0, way / 2);
        for (uint64_t seed = 1; seed < 5; seed++) {
            seen_rate rate[2 * ELEMENTS];
            scatter(&t, seed, 0.1 * (double)seed);
            rates_of(&t, 0.1 * (double)seed, rate);
            for (int i = 0; i < 2 * ELEMENTS; i++) {
                const kane_marker *m = i % 2 ? &seen[i / 2].b : &seen[i / 2].a;
                check_vec3(rate[i].position, m->velocity, 1e-7);
                check_mat3(rate[i].R, km3_mul(km3_skew(m->omega), m->R), 1e-7);
                assert_int_equal(seen[i / 2].mirrored, p.elements[i / 2].mirrored);
            }
            for (int i = 0; i < ELEMENTS; i++) {
                const kane_marker *a = &seen[i].a, *b = &seen[i].b;
                const kane_vec3 d      = kv3_sub(b->position, a->position);
                const kane_relative *r = &seen_relative[i];
                check_vec3(km3_tmulv(a->R, d), kv3_add(r->d0, r->d), 1e-12);
                check_vec3(km3_tmulv(a->R, kv3_sub(b->omega, a->omega)), r->w, 1e-11);
                check_vec3(km3_tmulv(a->R, kv3_sub(kv3_sub(b->velocity, a->velocity), kv3_cross(a->omega, d))), r->v,
                           1e-11);
            }
        }
    }
}

// --- places, by hand ---

// One body on a straight that heads by `heading` and climbs: its point in A, and its speed.
CHECK_TEST(places_count_from_the_beginning_of_the_line)
{
    const double heading = 0.7, grade = 0.02, start = 180.0, speed = 30.0, time = 1.5, y = 0.013;
    const kane_section_definition straight = {.kind = KANE_STRAIGHT, .length = 400.0};
    const kane_body_definition body        = {
               .block = {"body", NULL}, .mass = 1000.0, .inertia = {1e3, 1e3, 1e3}, .position = {0.0, 0.0, 1.5}, .dof = 63};
    witness w                             = {.index = 0};
    const kane_element_definition element = {.block      = {"eye", NULL},
                                             .law        = &witness_law,
                                             .parameters = &w,
                                             .between    = {"track", "body"},
                                             .at         = {{0.0, 0.0, 0.5}, {2.0, 0.4, 1.0}},
                                             .axes       = km3_identity(),
                                             .preload    = KANE_PRELOAD_GIVEN};
    const kane_vehicle_definition vehicle = {
        .name = "body", .guide = "body", .body_count = 1, .bodies = &body, .element_count = 1, .elements = &element};
    kane_track_definition line     = kane_track_definition_default();
    line.heading                   = heading;
    line.grade                     = grade;
    line.section_count             = 1;
    line.sections                  = &straight;
    CHECK_ERRORS errors            = {0};
    CHECK_OWNED(kane_track) *track = CHECK_GOOD(kane_track_create, &line);
    for (int formulation = 0; formulation < 2; formulation++) {
        kane_drive_definition drive = kane_drive_definition_default();
        kane_model_options options  = kane_model_options_default();
        double state_of[16], ydot[16];
        drive.start                    = start;
        drive.speed                    = speed;
        options.formulation            = formulation ? KANE_FIXED : KANE_MOVING;
        CHECK_OWNED(kane_model) *model = CHECK_GOOD(kane_model_create, &vehicle, track, &drive, &options);
        CHECK_OWNED(kane_work) *work   = CHECK_GOOD(kane_work_create, model);
        // while static loads are found it stands at the origin
        check_vec3(seen[0].b.position, kv3(2.0, 0.4, 1.0), 1e-12);
        check_vec3(seen[0].b.velocity, kv3_zero(), 0.0);
        assert_int_equal(kane_initial_state(model, work, state_of, &errors), KANE_OK);
        const double q[6] = {0.0, y, 1.5}, rates[6] = {0.0, 0.2, 0.0};
        kane_work_locate(model, work, time, state_of);
        kane_frames_eval(model, work, time, state_of);
        assert_int_equal(kane_put_relative(model, work, 0, q, rates, state_of), KANE_OK);
        assert_int_equal(kane_eval(model, work, time, state_of, ydot), KANE_OK);
        const double s = start + speed * time, up = 1.0 / hypot(1.0, grade);
        const kane_vec3 ahead  = kv3(up * cos(heading), up * sin(heading), up * grade);
        const kane_vec3 left   = kv3(-sin(heading), cos(heading), 0.0);
        const kane_vec3 upward = kv3_cross(ahead, left);
        const kane_vec3 at =
            kv3_add(kv3_scale(s + 2.0, ahead), kv3_add(kv3_scale(y + 0.4, left), kv3_scale(1.0, upward)));
        check_vec3(seen[0].b.position, at, 1e-10);
        check_vec3(seen[0].b.velocity, kv3_add(kv3_scale(speed, ahead), kv3_scale(0.2, left)), 1e-11);
        check_vec3(seen[0].b.R.x, ahead, 1e-14);
        check_vec3(seen[0].b.R.y, left, 1e-14);
        check_vec3(seen[0].a.position, kv3_add(kv3_scale(s, ahead), kv3_scale(0.5, upward)), 1e-10);
    }
}

// --- the mirror ---

static kane_vec3 polar(kane_vec3 a)
{
    return kv3(a.x, -a.y, a.z);
}

static kane_vec3 axial(kane_vec3 a)
{
    return kv3(-a.x, a.y, -a.z);
}

// The vehicle and what happens to it in a mirror, on the mirror image of the line: elements that were not mirrored are,
// and accelerations are the mirror image.
CHECK_TEST(a_mirrored_element_sees_the_mirror_image)
{
    parts p, image;
    build(&p);
    build(&image);
    for (int i = 0; i < ELEMENTS; i++) {
        const kane_mat3 axes = i % 3 ? km3_identity() : kane_matrix_from_angles(0.3, -0.2, 0.1);
        p.elements[i].law = image.elements[i].law = &grounded_law;
        p.elements[i].parameters = image.elements[i].parameters = NULL;
        p.elements[i].mirrored                                  = i % 2;
        p.elements[i].axes                                      = axes;
        image.elements[i].mirrored                              = !p.elements[i].mirrored;
        image.elements[i].axes = (kane_mat3){polar(axes.x), kv3_neg(polar(axes.y)), polar(axes.z)};
        for (int end = 0; end < 2; end++)
            image.elements[i].at[end] = polar(p.elements[i].at[end]);
    }
    for (int j = 0; j < 6; j++) {
        image.bodies[j].position = polar(p.bodies[j].position);
        image.bodies[j].inertia[3] *= -1.0; // xy, yz
        image.bodies[j].inertia[5] *= -1.0;
    }
    image.hook           = -p.hook;
    kane_track *lines[2] = {model_track(1.0, KANE_BLOSS), model_track(-1.0, KANE_BLOSS)};
    for (uint64_t seed = 1; seed < 5; seed++) {
        const double time         = 0.1 * (double)seed;
        CHECK_END(destroy) twin a = {0}, b = {0};
        create(&a, &p, lines[0], KANE_MOVING, 0, 0);
        create(&b, &image, lines[1], KANE_MOVING, 0, 0);
        scatter(&a, seed, time);
        kane_work_locate(b.model, b.work, time, b.y);
        kane_frames_eval(b.model, b.work, time, b.y);
        for (int j = 0; j < 6; j++) {
            kane_relative_motion m;
            kane_relative_get(a.model, a.work, j, &m);
            m.q[KANE_Y] *= -1.0;
            m.q[KANE_YAW] *= -1.0;
            m.q[KANE_ROLL] *= -1.0;
            m.v = polar(m.v);
            m.w = axial(m.w);
            kane_relative_put(b.model, b.work, j, &m, b.y);
        }
        for (int i = a.model->u_end; i < a.model->state_count; i++)
            b.y[i] = a.y[i];
        assert_int_equal(kane_eval(b.model, b.work, time, b.y, b.ydot), KANE_OK);
        for (int j = 0; j < 6; j++) {
            kane_vec3 acceleration[2], alpha[2];
            kane_get_absolute(a.model, a.work, j, NULL, NULL, &acceleration[0], &alpha[0]);
            kane_get_absolute(b.model, b.work, j, NULL, NULL, &acceleration[1], &alpha[1]);
            check_vec3(acceleration[1], polar(acceleration[0]), 1e-9 * (1.0 + kv3_norm(acceleration[0])));
            check_vec3(alpha[1], axial(alpha[0]), 1e-9 * (1.0 + kv3_norm(alpha[0])));
        }
        for (int i = a.model->u_end; i < a.model->state_count; i++)
            check_near(b.ydot[i], a.ydot[i], 1e-10);
    }
    kane_track_free(lines[0]);
    kane_track_free(lines[1]);
}

// --- modes ---

static const double STIFFNESS = 3200.0, DAMPING = 12.0, MASS = 50.0;

// Draws b to a plane of the ground through the origin with normal (-sin .7, cos .7, 0), against its velocity; in A.
static kane_vec3 tether(const kane_marker *b)
{
    const kane_vec3 normal = kv3(-sin(0.7), cos(0.7), 0.0);
    return kv3_scale(-kv3_dot(normal, kv3_add_scaled(kv3_scale(STIFFNESS, b->position), DAMPING, b->velocity)), normal);
}

static int tether_eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    (void)law;
    on_b->force = km3_tmulv(r->absolute->a.R, tether(&r->absolute->b));
    return 0;
}

static const kane_law tether_law = {.name     = "tether",
                                    .help     = "A law of tests.",
                                    .turns    = kane_law_never_turns,
                                    .absolute = kane_law_is_absolute,
                                    .eval     = tether_eval};

static void check_mode(kane_modes *modes)
{
    const double delta = 0.5 * DAMPING / MASS, omega = sqrt(STIFFNESS / MASS);
    const double re = -delta, im = sqrt(omega * omega - delta * delta);
    assert_non_null(modes);
    modal_check(modes, 1, &re, &im, 1e-8);
    kane_modes_free(modes);
}

// A mass that nothing but a place on the ground holds swings with sqrt(k/m): a mechanism, and a vehicle under way.
CHECK_TEST(what_hangs_on_a_place_swings_as_it_must)
{
    mechanism m;
    mechanism_begin(&m, 0.0);
    const int body     = mechanism_add(&m, "mass", MASS, kv3(1.0, 1.0, 1.0), kv3_zero());
    m.bodies[body].dof = KANE_DOF(KANE_X) | KANE_DOF(KANE_Y);
    (void)mechanism_element(&m, "tether", &tether_law, NULL, NULL, kv3_zero(), "mass", kv3_zero());
    mechanism_open(&m, KANE_FORM_COEFFICIENTS);
    modal found = modal_find(&m, KANE_MODES_COMPLETE);
    check_mode(found.modes);
    kane_linear_free(found.linear);
    mechanism_close_all(&m);

    const kane_section_definition straight = {.kind = KANE_STRAIGHT, .length = 400.0};
    const kane_body_definition bodies[]    = {
           {.block = {"mass", NULL}, .mass = MASS, .inertia = {1.0, 1.0, 1.0}, .dof = KANE_DOF(KANE_Y)}};
    const kane_element_definition elements[] = {{.block   = {"tether", NULL},
                                                 .law     = &tether_law,
                                                 .between = {"track", "mass"},
                                                 .axes    = km3_identity(),
                                                 .preload = KANE_PRELOAD_GIVEN}};
    const kane_vehicle_definition vehicle    = {
           .name = "mass", .guide = "mass", .body_count = 1, .bodies = bodies, .element_count = 1, .elements = elements};
    kane_track_definition line       = kane_track_definition_default();
    line.heading                     = 0.7;
    line.section_count               = 1;
    line.sections                    = &straight;
    CHECK_ERRORS errors              = {0};
    kane_drive_definition drive      = kane_drive_definition_default();
    const kane_model_options options = kane_model_options_default();
    drive.start                      = 120.0;
    drive.speed                      = 20.0;
    double y[16];
    CHECK_OWNED(kane_track) *track = CHECK_GOOD(kane_track_create, &line);
    CHECK_OWNED(kane_model) *model = CHECK_GOOD(kane_model_create, &vehicle, track, &drive, &options);
    CHECK_OWNED(kane_work) *work   = CHECK_GOOD(kane_work_create, model);
    assert_int_equal(CHECK_GOOD(kane_initial_state, model, work, y), KANE_OK);
    CHECK_OWNED(kane_linear) *linear = CHECK_GOOD(kane_linear_create, model, work, 0.0, y);
    check_mode(kane_modes_create(linear, KANE_MODES_COMPLETE, &errors));
}

CHECK_MAIN(NULL, NULL)
