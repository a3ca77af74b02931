// SPDX-License-Identifier: MIT
// Deformable bodies: the same motion in all frames, whatever is listed first; and that of ordinary bodies where these
// can do what a mode does.

#include "property/mechanism/deformed.h"

static kane_track *line(void)
{
    return model_track(1.0, KANE_CLOTHOID);
}

CHECK_TEST(accelerations_are_the_same_in_all_frames)
{
    CHECK_OWNED(kane_track) *track = line();
    for (int i = 0; i < 2 * DEFORMED_CASES; i++) {
        static rig r;
        char name[64];
        const int driven = i >= DEFORMED_CASES;
        deformed_case(&r, i % DEFORMED_CASES, name);
        rig_start(&r, RIG_CAR, 0, 0.1 * driven, 0.3 * driven);
        ride_check_frames(&r, track, (ride_options){.start = 45.0, .driven = driven}, 0.0, 1.0, 1e-10,
                          (ride_difference){1e-12, 1e-11, 1e-9}, name);
    }
}

// 1.6 s: 30 m, over the end of the transition. Steps are shorter than for rigid bodies: modes of up to 11 Hz, 10 %
// damped.
CHECK_TEST(runs_are_the_same_in_all_frames)
{
    CHECK_OWNED(kane_track) *track = line();
    for (int i = 0; i < DEFORMED_CASES; i++) {
        static rig r;
        char name[64];
        deformed_case(&r, i, name);
        ride_check_frames(&r, track, (ride_options){.start = 35.0}, 1.6, 2.5e-4, 1e-10,
                          (ride_difference){1e-10, 1e-9, 3e-8}, name);
    }
}

// All but the one whose element has states, which a copied ride does not take over.
CHECK_TEST(the_order_of_bodies_changes_nothing)
{
    CHECK_OWNED(kane_track) *track = line();
    for (int i = 0; i < DEFORMED_CASES; i++) {
        static rig r, other;
        CHECK_END(ride_free) ride a = {0}, b = {0};
        char name[64];
        deformed_case(&r, i, name);
        if (strstr(name, "frame of another"))
            continue;
        ride_create(&a, &r, track, (ride_options){.start = 35.0});
        ride_go(&a, 0.4, 1e-3);
        other                = r;
        other.vehicle.bodies = other.bodies;
        for (int j = 0; j < r.vehicle.body_count; j++)
            other.bodies[j] = r.bodies[r.vehicle.body_count - 1 - j];
        ride_create(&b, &other, track, (ride_options){.start = 35.0});
        ride_copy(&a, &b);
        ride_check_same(&a, &b, 1e-13, 1e-12, 1e-10, name);
    }
}

// In principal axes about the mass centre, sums over the masses have no products; turns of 45 degrees and more do not
// change which is which.
CHECK_TEST(principal_axes_are_those_of_the_masses)
{
    static rig r;
    static deformed beam;
    uint64_t seed                  = 11;
    CHECK_OWNED(kane_track) *track = line();
    char name[64];
    CHECK_END(ride_free) ride a = {0};
    deformed_build(&beam, 3.0);
    deformed_case(&r, 0, name);
    ride_create(&a, &r, track, (ride_options){.start = 35.0});
    const int body        = kane_model_find_body(a.model, "beam");
    const kane_flex *flex = &a.model->tree.flexes[0];
    for (int i = 0; i < 20; i++) {
        double *q = a.work->tree.q + flex->q, moments[3], J[6] = {0.0};
        q[0]                  = 2.0 * random_number(&seed);
        q[1]                  = 2.0 * random_number(&seed);
        const kane_mat3 P     = kane_get_principal_axes(a.model, a.work, body, moments);
        const kane_vec3 p[3]  = {P.x, P.y, P.z};
        const kane_mat3 begin = a.model->bodies[body].principal;
        kane_vec3 at[DEFORMED_MASSES], centre = kv3_zero();
        for (int k = 0; k < DEFORMED_MASSES; k++) {
            at[k]  = kv3_add_scaled(kv3_add_scaled(beam.x[k], q[0], beam.s[k][0]), q[1], beam.s[k][1]);
            centre = kv3_add_scaled(centre, beam.m[k] / beam.mass, at[k]);
        }
        for (int k = 0; k < DEFORMED_MASSES; k++)
            deformed_add_inertia(beam.m[k], kv3_sub(at[k], centre), kv3_sub(at[k], centre), J);
        for (int m = 0; m < 3; m++) {
            const kane_vec3 Jp =
                kv3(J[0] * p[m].x + J[3] * p[m].y + J[4] * p[m].z, J[3] * p[m].x + J[1] * p[m].y + J[5] * p[m].z,
                    J[4] * p[m].x + J[5] * p[m].y + J[2] * p[m].z);
            for (int n = 0; n < 3; n++)
                check_near(kv3_dot(p[n], Jp), n == m ? moments[m] : 0.0,
                           1e-11 * (moments[0] + moments[1] + moments[2]));
        }
        if (fabs(q[0]) + fabs(q[1]) < 0.5)
            assert_true(kv3_dot(P.x, begin.x) > 0.7 && kv3_dot(P.y, begin.y) > 0.7 && kv3_dot(P.z, begin.z) > 0.7);
    }
}

// --- a block on which a mass slides: as two bodies, or as a body with one mode ---

static const kane_vec3 block_at = {3.0, 0.3, 1.0}, slider_at = {3.5, -0.1, 1.3}, along = {0.6, 0.0, 0.8};
enum { BLOCK_MASS = 120, SLIDER_MASS = 40, SLIDER_STIFFNESS = 9000, SLIDER_DAMPING = 150 };

static void hold_block(rig *r, const char *root, const char *tip)
{
    rig_bushing(r, "block held", "bogie", root, block_at, 3e4, 6e3, 110.0 * 9.81);
    rig_bushing(r, "slider held", "track", tip, slider_at, 4e3, 0.0, 30.0 * 9.81);
}

static void build_two_bodies(rig *r)
{
    const kane_vec3 y     = kv3(0.0, 1.0, 0.0);
    const kane_mat3 slide = {y, kv3_cross(along, y), along};
    rig_begin_vehicle(r);
    const int block        = rig_body(r, "block", BLOCK_MASS, block_at);
    r->bodies[block].frame = "bogie";
    rig_start(r, block, 3, 0.05, 0.4);
    rig_start(r, block, 4, -0.04, -0.7);
    const int slider = rig_link(r, "slider", SLIDER_MASS, slider_at, "block", KANE_JOINT_PRISMATIC, slider_at, slide);
    memset(r->bodies[slider].inertia, 0, sizeof r->bodies[slider].inertia);
    rig_start(r, slider, 0, 0.03, 0.5);
    hold_block(r, "block", "slider");
    rig_bushing(r, "spring", "block", "slider", slider_at, 0.0, 0.0, 0.0);
    const int e         = r->vehicle.element_count - 1;
    r->bushings[e]      = (kane_bushing){.stiffness = {0, 0, SLIDER_STIFFNESS}, .damping = {0, 0, SLIDER_DAMPING}};
    r->elements[e].axes = slide;
    r->elements[e].load = kv3(0.0, 0.0, (SLIDER_MASS - 30.0) * 9.81 * along.z); // as it rests
}

typedef struct sliding {
    kane_deformable shape;
    kane_deformable_point points[2];
    double none[3], S[3], M, K, D, J[1][6], J2[1][6];
    kane_vec3 momentum, turning, gyration;
} sliding;

static void build_one_body(rig *r, sliding *s)
{
    const double m         = SLIDER_MASS + BLOCK_MASS;
    const kane_vec3 arm    = kv3_sub(slider_at, block_at);
    const kane_vec3 centre = kv3_add_scaled(block_at, SLIDER_MASS / m, arm);
    const kane_vec3 x = kv3_sub(slider_at, centre), b = kv3_sub(block_at, centre);
    rig_begin_vehicle(r);
    const int block        = rig_body(r, "block", BLOCK_MASS, centre);
    r->bodies[block].frame = "bogie";
    r->bodies[block].mass  = m;
    deformed_add_inertia(SLIDER_MASS, x, x, r->bodies[block].inertia);
    deformed_add_inertia(BLOCK_MASS, b, b, r->bodies[block].inertia);
    *s = (sliding){.S        = {along.x, along.y, along.z},
                   .M        = SLIDER_MASS,
                   .K        = SLIDER_STIFFNESS,
                   .D        = SLIDER_DAMPING,
                   .momentum = kv3_scale(SLIDER_MASS, along),
                   .turning  = kv3_scale(SLIDER_MASS, kv3_cross(x, along))};
    deformed_add_inertia(2.0 * SLIDER_MASS, x, along, s->J[0]);
    deformed_add_inertia(SLIDER_MASS, along, along, s->J2[0]);
    s->points[0]                = (kane_deformable_point){"root", b, s->none, s->none};
    s->points[1]                = (kane_deformable_point){"tip", x, s->S, s->none};
    s->shape                    = (kane_deformable){.mode_count  = 1,
                                                    .mass        = &s->M,
                                                    .stiffness   = &s->K,
                                                    .damping     = &s->D,
                                                    .momentum    = &s->momentum,
                                                    .turning     = &s->turning,
                                                    .gyration    = &s->gyration,
                                                    .inertia     = (const double(*)[6])s->J,
                                                    .second      = (const double(*)[6])s->J2,
                                                    .point_count = 2,
                                                    .points      = s->points};
    r->bodies[block].deformable = &s->shape;
    hold_block(r, "block.root", "block.tip");
}

// The state of the one body as the two bodies have it: they meet in the block, its attitude and the mass on it.
static void copy_motion(const ride *two, ride *one)
{
    one->t = two->t;
    (void)kane_eval(one->model, one->work, one->t, one->y, one->ydot);
    const char *const same[] = {"car", "bogie"};
    for (int i = 0; i < 2; i++) {
        double q[6], rate[6];
        kane_get_relative(two->model, two->work, kane_model_find_body(two->model, same[i]), q, rate);
        kane_put_relative(one->model, one->work, kane_model_find_body(one->model, same[i]), q, rate, one->y);
    }
    const kane_body_state *block = &two->work->body[kane_model_find_body(two->model, "block")];
    double slid, rate;
    (void)kane_get_joint(two->model, two->work, kane_model_find_body(two->model, "slider"), &slid, &rate, NULL);
    const int whole     = kane_model_find_body(one->model, "block");
    const kane_vec3 arm = kv3_scale(SLIDER_MASS / (double)(SLIDER_MASS + BLOCK_MASS), kv3_sub(slider_at, block_at));
    const kane_vec3 out = km3_mulv(block->R, arm), r = kv3_add(block->r, out);
    const kane_vec3 v = kv3_add(block->v, kv3_cross(block->w, out));
    double q[6]       = {r.x, r.y, r.z}, q_dot[6];
    kane_angles_from_matrix(block->R, q + 3);
    kane_rates_from_velocity(q, v, block->w, q_dot);
    kane_put_joint(one->model, one->work, kane_model_find_body(one->model, "block.mode 1"), &slid, &rate);
    kane_put_joint(one->model, one->work, whole, q, q_dot);
    kane_put_joints_end(one->model, one->work, one->y);
    for (int i = 0; i < 2; i++) { // what stands alone is in y itself
        double own[6], own_rate[6];
        kane_get_relative(two->model, two->work, kane_model_find_body(two->model, same[i]), own, own_rate);
        kane_put_relative(one->model, one->work, kane_model_find_body(one->model, same[i]), own, own_rate, one->y);
    }
    ride_see(one);
}

static void check_point(const ride *two, const char *a, const ride *one, const char *b, const char *what)
{
    const kane_body_state *p = &two->work->body[kane_model_find_body(two->model, a)];
    const kane_body_state *q = &one->work->body[kane_model_find_body(one->model, b)];
    kane_vec3 g, h;
    kane_get_absolute(two->model, two->work, kane_model_find_body(two->model, a), NULL, NULL, &g, NULL);
    kane_get_absolute(one->model, one->work, kane_model_find_body(one->model, b), NULL, NULL, &h, NULL);
    if (getenv("RIDE_SHOW"))
        print_message("%s, %s: %.2g m, %.2g m/s, %.2g m/s^2\n", what, a, ride_apart(p->r_w, q->r_w),
                      ride_apart(p->v_w, q->v_w), ride_apart(g, h));
    check_vec3(q->r_w, p->r_w, 1e-10);
    check_vec3(q->v_w, p->v_w, 1e-9);
    check_vec3(h, g, 1e-8);
}

// Swinging with some degrees in a vehicle that speeds up into a curve, the spring bent by centimetres.
CHECK_TEST(a_mode_does_what_a_sliding_mass_does)
{
    CHECK_OWNED(kane_track) *track = line();
    for (int way = 0; way < 6; way++) {
        static rig r, other;
        static sliding shape;
        const ride_options o          = {.start               = 35.0,
                                         .driven              = way >= 3,
                                         .imaginary_as_forces = way % 3 == 1,
                                         .formulation         = way % 3 == 2 ? KANE_FIXED : KANE_MOVING};
        CHECK_END(ride_free) ride two = {0}, one = {0};
        char what[32];
        (void)snprintf(what, sizeof what, "way %d", way);
        build_two_bodies(&r);
        build_one_body(&other, &shape);
        ride_create(&two, &r, track, o);
        ride_create(&one, &other, track, o);
        copy_motion(&two, &one);
        check_point(&two, "slider", &one, "block.tip", what);
        check_point(&two, "block", &one, "block.root", what);
        ride_go(&two, 0.8, 1e-3);
        ride_go(&one, 0.8, 1e-3);
        check_point(&two, "slider", &one, "block.tip", what);
        check_point(&two, "block", &one, "block.root", what);
    }
}

// What a table of numbers says wrongly of the second order.
CHECK_TEST(sums_that_cannot_be_are_refused)
{
    static const char *const says[] = {"'beam': turning_second needs momentum_second",
                                       "'beam': its sums of second order are symmetric in the modes"};
    CHECK_OWNED(kane_track) *track  = line();
    for (int i = 0; i < 2; i++) {
        static rig r;
        char name[64];
        CHECK_ERRORS errors = {0};
        kane_vec3 other[DEFORMED_MODES * DEFORMED_MODES];
        const kane_drive_definition drive = {.start = 35.0, .speed = 18.0};
        const kane_model_options options  = kane_model_options_default();
        deformed_case(&r, 1, name);
        const int beam        = r.vehicle.body_count - 1;
        kane_deformable wrong = *r.bodies[beam].deformable;
        memcpy(other, wrong.momentum_second, sizeof other);
        other[1].y += 0.1;
        wrong.momentum_second     = i == 0 ? NULL : other;
        r.bodies[beam].deformable = &wrong;
        kane_model *model         = kane_model_create(&r.vehicle, track, &drive, &options, &errors);
        assert_null(model);
        assert_string_equal(kane_errors_get(&errors, 0)->text, says[i]);
    }
}

CHECK_MAIN(NULL, NULL)
