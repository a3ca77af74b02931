// SPDX-License-Identifier: MIT
// What a wheel sees of its rail, against geometry in fixed axes: the section plane through the wheelset's mass centre,
// the rail's own point and tangent there, irregularities included. And frames that start on different pieces of the line.

#include "property/wagon/wagon.h"

static const char *const irregular[] = {
    "formulation=fixed",
    "track.irregularities={\"sines\":[{\"kind\":\"lateral\",\"amplitude\":\"3 mm\",\"wavelength\":7},"
    "{\"kind\":\"vertical\",\"amplitude\":\"2 mm\",\"wavelength\":9,\"phase\":1},"
    "{\"kind\":\"gauge\",\"amplitude\":\"1 mm\",\"wavelength\":6,\"phase\":2},"
    "{\"kind\":\"cross_level\",\"amplitude\":\"2 mm\",\"wavelength\":11,\"phase\":3}],"
    "\"fade_in\":{\"from\":0,\"length\":8}}",
    NULL};

typedef struct section {
    kane_mat3 R;      // to A
    kane_vec3 origin; // in A [m]
} section;

static section section_at(const kane_track *track, double s)
{
    kane_track_frame frame;
    const int piece = kane_track_find(track, s);
    kane_track_eval(track, piece, s, &frame);
    return (section){frame.R, kv3_add(kane_track_anchor(track, piece), frame.origin)};
}

static kane_vec3 rail_at(const kane_track *track, double outside, double distance, double s)
{
    const section at = section_at(track, s);
    kane_rail_offset offset;
    kane_track_rail(track, outside > 0.0 ? KANE_LEFT : KANE_RIGHT, s, &offset);
    return kv3_add(at.origin, km3_mulv(at.R, kv3(0.0, outside * distance + offset.y, offset.z)));
}

// s of the plane normal to the line through r, by fixed-point iteration.
static double plane_through(const kane_track *track, kane_vec3 r, double s)
{
    for (int i = 0; i < 50; i++) {
        const section at = section_at(track, s);
        s += kv3_dot(at.R.x, kv3_sub(r, at.origin));
    }
    return s;
}

// x along the rail, y as near to the section's y as can be.
static kane_mat3 axes_of(kane_vec3 tangent, kane_vec3 left)
{
    const kane_vec3 x = kv3_scale(1.0 / kv3_norm(tangent), tangent);
    const kane_vec3 y = kv3_add_scaled(left, -kv3_dot(left, x), x), unit = kv3_scale(1.0 / kv3_norm(y), y);
    return (kane_mat3){x, unit, kv3_cross(x, unit)};
}

static void check_wheels(const wagon *w, const kane_work *work, int i)
{
    const kane_track *track         = w->definition.track;
    const kane_wheels *wheels       = &w->model->wheels[i];
    const kane_wheels_state *result = &work->wheels[i];
    const kane_body_state *b        = &work->body[wheels->body];
    const double s = plane_through(track, b->r_w, work->s + (wheels->body == LEADING ? 4.5 : -4.5)), h = 1e-4;
    check_near(result->s, s, 1e-9);
    for (int side = 0; side < 2; side++) {
        const double outside = side == KANE_LEFT ? 1.0 : -1.0, distance = wheels->rail_distance[0];
        const kane_vec3 ahead      = rail_at(track, outside, distance, s + h),
                        back       = rail_at(track, outside, distance, s - h);
        const kane_mat3 R          = axes_of(kv3_sub(ahead, back), section_at(track, s).R.y);
        const kane_vec3 arm        = kv3_scale(outside * wheels->wheel_distance[0], b->axle);
        const kane_wheel_motion *m = &result->motion[side];
        const kane_vec3 centre     = kv3_sub(kv3_add(b->r_w, arm), rail_at(track, outside, distance, s));
        check_vec3(m->centre, km3_tmulv(R, centre), 1e-9);
        check_vec3(m->axle, km3_tmulv(R, b->axle), 1e-9);
        check_vec3(m->velocity, km3_tmulv(R, kv3_add(b->v_w, kv3_cross(b->w_w, arm))), 1e-7);
        check_vec3(m->omega, km3_tmulv(R, b->w_w), 1e-7);
    }
}

static void wheels_see_their_rails_as_geometry_does(void **state)
{
    static const double times[] = {0.3, 3.1, 4.4, 5.7, 8.0}; // straight, transition, curve
    (void)state;
    wagon w = wagon_read("wagon-transition", irregular);
    wagon_start(&w);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        assert_true(wagon_go(&w, times[k]));
        const kane_work *work = kane_simulation_work(w.simulation);
        check_wheels(&w, work, 0);
        check_wheels(&w, work, 1);
    }
    wagon_free(&w);
}

// The guide 2 m in the transition: the leading wheelset is too, the trailing one still on the straight.
static void a_run_may_start_with_frames_on_different_pieces(void **state)
{
    const char *const settings[] = {"start.at=52", NULL};
    static const double ahead[]  = {0.0, 4.5, -4.5};
    (void)state;
    wagon w = wagon_read("wagon-transition", settings);
    wagon_start(&w);
    const kane_work *work = kane_simulation_work(w.simulation);
    for (int j = BODY; j <= TRAILING; j++) {
        const int f = w.model->bodies[j].track_frame;
        assert_int_equal(work->piece[f], kane_track_find(w.definition.track, 52.0 + ahead[j]));
        check_mat3(work->track_frame[f].R, section_at(w.definition.track, 52.0 + ahead[j]).R, 1e-15);
    }
    assert_int_equal(work->piece[w.model->bodies[TRAILING].track_frame] + 1,
                     work->piece[w.model->bodies[LEADING].track_frame]);
    wagon_free(&w);
}

// A load beside the middle: the wagon rolls a little until its wheels carry it, and then rests.
static void an_eccentric_load_rests_too(void **state)
{
    const char *const settings[] = {"vehicle.bodies.body.at=[0, 0.05, 1.6]", "speed=[]", NULL};
    (void)state;
    wagon w = wagon_read("wagon-transition", settings);
    wagon_start(&w);
    const kane_work *work = kane_simulation_work(w.simulation);
    double moment         = 0.0;
    for (int i = 0; i < 2; i++) {
        const kane_wheels_state *wheels = &work->wheels[i];
        for (int side = 0; side < 2; side++) {
            const kane_contact_result *c = &wheels->result[side];
            const kane_vec3 force        = km3_mulv(wheels->R_rail[side], c->on_wheel.force);
            const kane_vec3 torque       = km3_mulv(wheels->R_rail[side], c->on_wheel.torque);
            const kane_vec3 centre =
                kv3_add(km3_tmulv(wheels->R_s, kv3_sub(work->body[LEADING + i].r_w, work->transport[LEADING + i].r_o)),
                        wheels->arm[side]);
            moment += kv3_add(torque, kv3_cross(centre, force)).x;
        }
        double load[2];
        assert_int_equal(kane_model_wheel_load(w.model, LEADING + i, load), KANE_OK);
        check_relative(load[0] + load[1], 36500.0 * 9.81 / 2.0, 1e-6);
        check_relative(load[0] - load[1], 34000.0 * 9.81 * 0.05 / 0.75 / 2.0, 0.02);
    }
    double q[18];
    wagon_coordinates(&w, q);
    check_relative(moment, 9.81 * (34000.0 * q[KANE_Y] + 1250.0 * (q[6 + KANE_Y] + q[12 + KANE_Y])), 1e-9);
    for (int j = BODY; j <= TRAILING; j++) {
        kane_vec3 p, alpha;
        kane_get_absolute(w.model, work, j, NULL, NULL, &p, &alpha);
        check_vec3(p, kv3_zero(), 1e-8);
        check_vec3(alpha, kv3_zero(), 1e-8);
    }
    wagon_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheels_see_their_rails_as_geometry_does),
        cmocka_unit_test(a_run_may_start_with_frames_on_different_pieces),
        cmocka_unit_test(an_eccentric_load_rests_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
