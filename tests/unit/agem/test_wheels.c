// SPDX-License-Identifier: MIT
// What a wheel sees of its rail, against geometry in fixed axes: the section plane through the wheel's centre, the
// rail's own point, tangent and turn there, irregularities included. And frames that start on different pieces of the
// line.

#include "property/wagon/wagon.h"

#include "contact/contact.h"

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

// Axes of a rail at s, to A, and how many metres of rail there are per metre of line.
static kane_mat3 rail_axes_at(const kane_track *track, double outside, double distance, double s, double *length)
{
    const double h = 1e-4;
    const kane_vec3 tangent =
        kv3_sub(rail_at(track, outside, distance, s + h), rail_at(track, outside, distance, s - h));
    *length = kv3_norm(tangent) / (2.0 * h);
    return axes_of(tangent, section_at(track, s).R.y);
}

// How these axes turn per metre of rail, in themselves.
static kane_vec3 turn_at(const kane_track *track, double outside, double distance, double s)
{
    const double h = 1e-3;
    double length;
    const kane_mat3 R    = rail_axes_at(track, outside, distance, s, &length),
                    to   = rail_axes_at(track, outside, distance, s + h, &(double){0.0}),
                    from = rail_axes_at(track, outside, distance, s - h, &(double){0.0});
    const double per     = 0.5 / (h * length);
    return kv3(per * kv3_dot(kv3_sub(to.y, from.y), R.z), per * kv3_dot(kv3_sub(to.z, from.z), R.x),
               per * kv3_dot(kv3_sub(to.x, from.x), R.y));
}

static void check_wheels(const wagon *w, const kane_work *work, int i)
{
    const kane_track *track         = w->definition.track;
    const kane_wheels *wheels       = &w->model->wheels[i];
    const kane_wheels_state *result = &work->wheels[i];
    const kane_body_state *b        = &work->body[wheels->body];
    const double near               = plane_through(track, b->r_w, work->s + (wheels->body == LEADING ? 4.5 : -4.5));
    check_near(result->s, near, 1e-9);
    for (int side = 0; side < 2; side++) {
        const double outside = side == KANE_LEFT ? 1.0 : -1.0, distance = wheels->rail_distance[0];
        const kane_vec3 arm = kv3_scale(outside * wheels->wheel_distance[0], b->axle), at = kv3_add(b->r_w, arm);
        const double s = plane_through(track, at, near);
        double length;
        const kane_mat3 R          = rail_axes_at(track, outside, distance, s, &length);
        const kane_wheel_motion *m = &result->motion[side];
        const kane_vec3 centre     = kv3_sub(at, rail_at(track, outside, distance, s));
        check_near(result->s_at[side], s, 1e-9);
        check_vec3(m->turn, turn_at(track, outside, distance, s), 1e-7);
        check_vec3(m->centre, km3_tmulv(R, centre), 1e-9);
        check_vec3(m->axle, km3_tmulv(R, b->axle), 1e-9);
        check_vec3(m->velocity, km3_tmulv(R, kv3_add(b->v_w, kv3_cross(b->w_w, arm))), 1e-7);
        check_vec3(m->omega, km3_tmulv(R, b->w_w), 1e-7);
    }
}

CHECK_TEST(wheels_see_their_rails_as_geometry_does)
{
    static const double times[] = {0.3, 3.1, 4.4, 5.7, 8.0}; // straight, transition, curve
    CHECK_FREED(wagon) w        = wagon_open("wagon-transition", irregular);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        assert_true(wagon_go(&w, times[k]));
        const kane_work *work = kane_simulation_work(w.simulation);
        check_wheels(&w, work, 0);
        check_wheels(&w, work, 1);
    }
}

// A change of friction of one rail reaches the wheels over it, relative to what the track has everywhere.
CHECK_TEST(wheels_see_the_friction_of_their_rail)
{
    CHECK_FREED(wagon) w = wagon_open_with(
        "wagon-transition",
        "track.friction_changes=[{\"from\":40,\"to\":70,\"over\":10,\"friction\":0.06,\"rail\":\"left\"}]");
    int changed = 0;
    for (double t = 0.1; t < 6.0; t += 0.1) {
        assert_true(wagon_go(&w, t));
        const kane_work *work = kane_simulation_work(w.simulation);
        for (int i = 0; i < 2; i++) {
            const kane_wheels_state *wheels = &work->wheels[i];
            const double mu = kane_track_friction(w.definition.track, KANE_LEFT, wheels->s_at[KANE_LEFT]);
            check_near(wheels->motion[KANE_LEFT].friction_change, mu / 0.3 - 1.0, 1e-12);
            check_near(wheels->motion[KANE_RIGHT].friction_change, 0.0, 0.0);
            changed += wheels->motion[KANE_LEFT].friction_change < -0.7;
        }
    }
    assert_true(changed > 0);
}

// What a vehicle file says of the contact is what the contact has; wheelsets with the same laws share it.
CHECK_TEST(a_file_names_the_laws)
{
    CHECK_FREED(wagon) w = wagon_open_with(
        "wagon-transition", "track.rail.friction=0.4",
        "vehicle.patterns.wheelset.contact={\"creep\":\"FASTSIM\",\"traction_bound\":\"elliptic\",\"grid\":[12,8],\"flexibility\":"
        "\"three\",\"friction\":[0.5,1.5],\"flange_friction\":0.3,\"falling_friction\":{\"ratio\":0.4,\"decay\":\"0.6 s/m\"},"
        "\"dissipation_law\":\"Kelvin-Voigt\",\"restitution\":0.7,\"transition_speed\":\"20 cm/s\",\"shear_modulus\":\"80 GPa\","
        "\"poisson\":0.25,\"min_reference_speed\":\"0.1 m/s\"}");
    const kane_contact_laws *l = &w.model->wheels[0].contact->creep.laws;
    assert_ptr_equal(w.model->wheels[0].contact, w.model->wheels[1].contact);
    assert_int_equal(l->creep, KANE_CREEP_FASTSIM);
    assert_int_equal(l->fastsim.bound, KANE_BOUND_ELLIPTIC);
    assert_int_equal(l->fastsim.flexibility, KANE_FLEXIBILITY_THREE);
    assert_int_equal(l->fastsim.strips, 12);
    assert_int_equal(l->fastsim.steps, 8);
    check_near(l->friction[KANE_LEFT], 0.2, 1e-15);
    check_near(l->friction[KANE_RIGHT], 0.6, 1e-15);
    check_near(l->flange_friction, 0.3, 0.0);
    check_near(l->falling.ratio, 0.4, 0.0);
    check_near(l->falling.decay, 0.6, 0.0);
    assert_int_equal(l->dissipation_law, KANE_DISSIPATION_KELVIN_VOIGT);
    check_near(l->restitution, 0.7, 0.0);
    check_near(l->transition, 0.2, 1e-15);
    check_near(l->shear_modulus, 80e9, 1.0);
    check_near(l->poisson, 0.25, 0.0);
    check_near(l->slow, 0.1, 0.0);
}

// The wagon runs through its transition with every law; the forces of the linear theory have no limit, the others do.
CHECK_TEST(the_wagon_runs_with_every_law)
{
    static const char *const laws[] = {"linear", "SHE", "Polach", "FASTSIM"};
    for (int i = 0; i < 4; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "vehicle.patterns.wheelset.contact={\"creep\":\"%s\"}", laws[i]);
        CHECK_FREED(wagon) w = wagon_open_with("wagon-transition", text);
        assert_true(wagon_go(&w, 8.0));
        kane_statistics s;
        kane_simulation_statistics(w.simulation, &s);
        print_message("%-8s %ld steps, %ld evaluations\n", laws[i], (long)s.steps, (long)s.evaluations);
    }
}

// The guide 2 m in the transition: the leading wheelset is too, the trailing one still on the straight.
CHECK_TEST(a_run_may_start_with_frames_on_different_pieces)
{
    static const double ahead[] = {0.0, 4.5, -4.5};
    CHECK_FREED(wagon) w        = wagon_open_with("wagon-transition", "start.at=52");
    const kane_work *work       = kane_simulation_work(w.simulation);
    for (int j = BODY; j <= TRAILING; j++) {
        const int f = w.model->bodies[j].track_frame;
        assert_int_equal(work->piece[f], kane_track_find(w.definition.track, 52.0 + ahead[j]));
        check_mat3(work->track_frame[f].R, section_at(w.definition.track, 52.0 + ahead[j]).R, 1e-15);
    }
    assert_int_equal(work->piece[w.model->bodies[TRAILING].track_frame] + 1,
                     work->piece[w.model->bodies[LEADING].track_frame]);
}

// A load beside the middle: the wagon rolls a little until its wheels carry it, and then rests.
CHECK_TEST(an_eccentric_load_rests_too)
{
    CHECK_FREED(wagon) w  = wagon_open_with("wagon-transition", "vehicle.bodies.body.at=[0, 0.05, 1.6]", "speed=[]");
    const kane_work *work = kane_simulation_work(w.simulation);
    double moment         = 0.0;
    for (int i = 0; i < 2; i++) {
        const kane_wheels_state *wheels = &work->wheels[i];
        for (int side = 0; side < 2; side++) {
            const kane_contact_result *c = &wheels->result[side];
            const kane_vec3 force        = km3_mulv(wheels->rail[side].R, c->on_wheel.force);
            const kane_vec3 torque       = km3_mulv(wheels->rail[side].R, c->on_wheel.torque);
            const kane_vec3 centre       = kv3_add(
                      km3_tmulv(wheels->R_s[side], kv3_sub(work->body[LEADING + i].r_w, work->transport[LEADING + i].r_o)),
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
}

// Without friction no rolling speed is better than another; the wheels carry what they carry with it.
CHECK_TEST(a_wagon_rests_without_friction)
{
    static const char *const ways[] = {"vehicle.patterns.wheelset.contact.model=elastic",
                                       "vehicle.patterns.wheelset.contact.model=constraint"};
    for (int i = 0; i < 2; i++) {
        const char *const with[] = {ways[i], NULL}, *const without[] = {ways[i], "track.rail.friction=0", NULL};
        CHECK_FREED(wagon)
        rough = wagon_read("wagon-transition", with), slippery = wagon_read("wagon-transition", without);
        wagon_start(&rough);
        wagon_start(&slippery);
        const kane_wheels *expected = &rough.model->wheels[0], *found = &slippery.model->wheels[0];
        for (int side = 0; side < 2; side++)
            check_relative(found->load[side], expected->load[side], 1e-6);
        check_near(found->height, expected->height, 1e-6);
        check_near(found->roll, expected->roll, 1e-9);
    }
}

CHECK_MAIN(NULL, NULL)
