// SPDX-License-Identifier: MIT
// Wheelsets of four speeds on rails whose distance changes along the line: height and roll against plain geometry of
// cones on round rails, against tables of a track of that gauge, and accelerations against those of the constraint.

#include "property/wagon/record.h"

#include "agem/work.h"

#define CONTACT    "vehicle.patterns.wheelset.contact."
#define CONSTRAINT CONTACT "model=constraint"
#define TABLES     CONTACT "model=table"
#define STRAIGHT   "track.sections=[{\"straight\":400}]"

enum { STATES = 64 };

// A gauge that grows by `wider` [m] at 10 m and stays so.
typedef struct jog {
    char text[200];
} jog;

static jog gauge_jog(double wider)
{
    jog j;
    (void)snprintf(j.text, sizeof j.text,
                   "track.irregularities={\"defects\":[{\"kind\":\"gauge\",\"shape\":\"jog\",\"at\":10,\"length\":1,"
                   "\"height\":%.17g}]}",
                   wider);
    return j;
}

static double gauge_change(const kane_model *model, double s)
{
    kane_rail_offset left, right;
    kane_track_rail(model->track, KANE_LEFT, s, &left);
    kane_track_rail(model->track, KANE_RIGHT, s, &right);
    return left.y - right.y;
}

// The leading wheelset at rest, but shifted by y [m] and yawed [rad].
static kane_status shift_wheelset(const wagon *w, kane_work *work, double y, double yaw, double *state, double *rates)
{
    const kane_body *body = &w->model->bodies[LEADING];
    memcpy(state, kane_simulation_state(w->simulation), (size_t)kane_model_state_count(w->model) * sizeof *state);
    state[body->q + KANE_Y]   = y;
    state[body->q + KANE_YAW] = yaw;
    kane_work_locate(w->model, work, 0.0, state);
    return kane_eval(w->model, work, 0.0, state, rates);
}

// --- cones on round rails, in a plane across the track ---

typedef struct cones {
    double slope, radius, wheel; // conicity, radius of the running circle, half distance of the circles
    double head, rail[2];        // of the rail heads: radius, places
} cones;

// Gaps of both wheels of a rolled axle at (y, z): distance of each head's centre to the wheel's line, less its radius.
static void find_cone_gaps(const cones *c, double y, double z, double roll, double gap[2])
{
    for (int side = 0; side < 2; side++) {
        const double dy = c->rail[side] - y, dz = -c->head - z;
        const double v = cos(roll) * dy + sin(roll) * dz, u = cos(roll) * dz - sin(roll) * dy;
        const double line = -c->radius + c->slope * ((side ? -v : v) - c->wheel);
        gap[side]         = (line - u) / sqrt(1.0 + c->slope * c->slope) - c->head;
    }
}

static void stand_on_round_rails(const cones *c, double y, double *z, double *roll)
{
    const double h = 1e-6;
    *z             = c->radius;
    *roll          = 0.0;
    for (int i = 0; i < 20; i++) {
        double gap[2], up[2], turned[2], m[2][2];
        find_cone_gaps(c, y, *z, *roll, gap);
        find_cone_gaps(c, y, *z + h, *roll, up);
        find_cone_gaps(c, y, *z, *roll + h, turned);
        for (int k = 0; k < 2; k++) {
            m[k][0] = (up[k] - gap[k]) / h;
            m[k][1] = (turned[k] - gap[k]) / h;
        }
        const double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        *z -= (m[1][1] * gap[0] - m[0][1] * gap[1]) / det;
        *roll -= (m[0][0] * gap[1] - m[1][0] * gap[0]) / det;
    }
}

// Without shift the wheelset sinks by half of the gauge's change times the slope; with it, it rolls.
CHECK_TEST(cones_on_round_rails_stand_as_drawn)
{
    static const double wider[] = {-8e-3, 5e-3, 10e-3};
    for (int n = 0; n < 3; n++) {
        const jog j          = gauge_jog(wider[n]);
        CHECK_FREED(wagon) w = wagon_with("wagon-driven", TABLES, STRAIGHT, j.text, "track.rail.profile=round",
                                          "vehicle.profiles={\"steep\":{\"cone\":0.1}}",
                                          "vehicle.patterns.wheelset.profile=steep", "start.at=100", "drive={}");
        wagon_start(&w);
        double y[STATES], rates[STATES];
        CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
        const kane_wheels *wheels    = &w.model->wheels[0];
        const double distance[2]     = {wheels->rail_distance[0], -wheels->rail_distance[1]};
        double z, roll, level = 0.0;
        cones c = {.slope = 0.1, .radius = wheels->radius[0], .wheel = wheels->wheel_distance[0], .head = 0.3};
        check_near(gauge_change(w.model, 100.0), wider[n], 1e-6);
        for (int i = -4; i <= 4; i++) {
            assert_int_equal(shift_wheelset(&w, work, 2e-3 * i, 0.0, y, rates), KANE_OK);
            for (int side = 0; side < 2; side++)
                c.rail[side] = distance[side] + work->wheels[0].offset[side].y;
            stand_on_round_rails(&c, 2e-3 * i, &z, &roll);
            const double *q = work->tree.q + w.model->tree.links[w.model->bodies[LEADING].link].q;
            check_near(q[KANE_Z], z, 1e-12);
            check_near(q[KANE_ROLL], roll, 1e-12);
            level = i == 0 ? z : level;
        }
        c.rail[0] = distance[0];
        c.rail[1] = distance[1];
        stand_on_round_rails(&c, 0.0, &z, &roll);
        check_near(level - z, -0.5 * wider[n] * c.slope, 1e-7); // the jog ends slowly
    }
}

// --- S1002 on 60E1: a track of that gauge, by tables ---

// Height, roll and directions of normal forces of the leading wheelset of both tracks: they differ by what tables
// interpolate.
CHECK_TEST(an_irregularity_that_stays_is_a_gauge)
{
    static const double wider[] = {-4e-3, 3e-3, 8e-3};
    double most[3]              = {0.0};
    for (int n = 0; n < 3; n++) {
        char gauge[64];
        const jog j          = gauge_jog(wider[n]);
        CHECK_FREED(wagon) w = wagon_open_with("wagon-driven", TABLES, STRAIGHT, j.text, "start.at=100", "drive={}");
        (void)snprintf(gauge, sizeof gauge, "track.gauge=%.17g",
                       kane_track_get_definition(w.model->track)->gauge + gauge_change(w.model, 100.0));
        CHECK_FREED(wagon) plain = wagon_open_with("wagon-driven", TABLES, STRAIGHT, gauge, "track.irregularities={}",
                                                   "start.at=100", "drive={}");
        CHECK_OWNED(kane_work) *work  = kane_work_create(w.model, NULL);
        CHECK_OWNED(kane_work) *other = kane_work_create(plain.model, NULL);
        assert_int_equal(w.model->wheels[0].contact_model, KANE_CONTACT_CONSTRAINT);
        assert_int_equal(plain.model->wheels[0].contact_model, KANE_CONTACT_TABLE);
        assert_int_equal(kane_model_state_count(w.model), kane_model_state_count(plain.model));
        const int at     = w.model->tree.links[w.model->bodies[LEADING].link].q;
        const double far = 3e-3 + 0.5 * wider[n]; // on the tread and in its root
        for (int i = -8; i <= 8; i++) {
            double y[STATES], rates[STATES];
            assert_int_equal(shift_wheelset(&w, work, far * i / 8.0, 5e-3, y, rates), KANE_OK);
            assert_int_equal(shift_wheelset(&plain, other, far * i / 8.0, 5e-3, y, rates), KANE_OK);
            const double *q = work->tree.q + at, *p = other->tree.q + at;
            most[0] = fmax(most[0], fabs(q[KANE_Z] - p[KANE_Z]));
            most[1] = fmax(most[1], fabs(q[KANE_ROLL] - p[KANE_ROLL]));
            for (int side = 0; side < 2; side++) {
                const kane_wrench *a = &work->wheels[0].guidance.direction[side];
                const kane_wrench *b = &other->wheels[0].guidance.direction[side];
                most[2]              = fmax(most[2], kv3_norm(kv3_sub(a->force, b->force)));
                most[2]              = fmax(most[2], kv3_norm(kv3_sub(a->torque, b->torque)));
            }
        }
    }
    check_figure(most[0], "height");
    check_figure(most[1], "roll");
    check_figure(most[2], "directions of normal forces");
    check_near(most[0], 0.0, 1e-9); // nodes 50 um apart; the root's curvature grows by 1e7 /m^3
    check_near(most[1], 0.0, 1e-9);
    check_near(most[2], 0.0, 1e-4); // tables push at the mean of contact points, gaps along their gradient
}

// --- the constraint, in the same state ---

// The same state in the coordinates of a model that has all six speeds of a wheelset.
static void copy_state(const kane_model *model, const kane_work *work, const double *y, const kane_model *full,
                       double *out)
{
    memcpy(out, y, (size_t)(model->travel_count) * sizeof *y);
    for (int j = 0; j < model->body_count; j++) {
        const kane_body *from = &model->bodies[j], *to = &full->bodies[j];
        const kane_link *link = &model->tree.links[from->link];
        memcpy(out + to->q, work->tree.q + link->q, (size_t)to->q_count * sizeof *out);
        for (int k = 0; k < to->u_count; k++)
            out[to->u + k] = work->tree.v[link->v + to->component[k]];
    }
}

static void check_same_accelerations(const char *track)
{
    CHECK_FREED(wagon) w          = wagon_open_with("wagon-transition", TABLES, GAUGE, track);
    CHECK_FREED(wagon) full       = wagon_open_with("wagon-transition", CONSTRAINT, GAUGE, track);
    CHECK_OWNED(kane_work) *work  = kane_work_create(w.model, NULL);
    CHECK_OWNED(kane_work) *other = kane_work_create(full.model, NULL);
    double y[STATES], rates[STATES], most = 0.0;
    assert_true(kane_model_state_count(full.model) <= STATES);
    assert_int_equal(kane_model_state_count(full.model), kane_model_state_count(w.model) + 4);
    for (int i = 0; i < 30; i++) {
        const double t = 0.17 * i;
        double ydot[STATES];
        (void)wagon_go(&w, t);
        kane_work_locate(w.model, work, t, kane_simulation_state(w.simulation));
        assert_int_equal(kane_eval(w.model, work, t, kane_simulation_state(w.simulation), ydot), KANE_OK);
        copy_state(w.model, work, kane_simulation_state(w.simulation), full.model, y);
        kane_work_locate(full.model, other, t, y);
        assert_int_equal(kane_eval(full.model, other, t, y, rates), KANE_OK);
        for (int j = 0; j < 2; j++)
            for (int side = 0; side < 2; side++) {
                const kane_guidance *a = &work->wheels[j].guidance, *b = &other->wheels[j].guidance;
                check_near(b->gap[side], 0.0, 1e-12);
                check_near(b->rate[side], 0.0, 1e-11);
                check_near(a->N[side], b->N[side], 1e-6 * fabs(b->N[side]));
            }
        for (int j = 0; j < w.model->body_count; j++) {
            const kane_body *from = &w.model->bodies[j], *to = &full.model->bodies[j];
            for (int k = 0; k < from->u_count; k++)
                for (int c = 0; c < to->u_count; c++)
                    if (to->component[c] == from->component[k]) {
                        check_near(ydot[from->u + k], rates[to->u + c], 1e-8);
                        most = fmax(most, fabs(ydot[from->u + k]));
                    }
        }
    }
    assert_true(most > 0.1);
}

CHECK_TEST(accelerations_are_those_of_the_constraint)
{
    check_same_accelerations("track.name=rigid");
    check_same_accelerations(FLEXIBLE);
}

// A wheelset that no rail is near is refused by name.
CHECK_TEST(a_wheel_off_its_rail_is_refused)
{
    const jog j = gauge_jog(5e-3);
    double y[STATES], rates[STATES];
    CHECK_FREED(wagon) w = wagon_open_with("wagon-driven", TABLES, STRAIGHT, j.text, "start.at=100", "drive={}");
    CHECK_OWNED(kane_work) *work = kane_work_create(w.model, NULL);
    assert_int_equal(shift_wheelset(&w, work, 0.1, 0.0, y, rates), KANE_RETRY);
    assert_string_equal(work->fault.subject, "leading");
    assert_true(work->fault.text[0] != '\0');
}

// --- runs ---

// Both follow from the same gaps: what differs are errors of the integrator.
CHECK_TEST(runs_are_those_of_the_constraint)
{
    static record constraint, tables;
    const char *const a[] = {CONSTRAINT, GAUGE, "until.distance=110", TIGHT, NULL};
    const char *const b[] = {TABLES, GAUGE, "until.distance=110", TIGHT, NULL};
    record_run("wagon-transition", a, 1, &constraint);
    record_run("wagon-transition", b, 1, &tables);
    const contrast c = record_compare(&constraint, &tables);
    check_near(contrast_largest(&c), 0.0, 1e-8);
    check_near(c.Q, 0.0, 0.1);
}

CHECK_TEST(moving_and_fixed_frames_agree)
{
    const char *settings[10] = {TABLES, GAUGE, "until.distance=110", TIGHT};
    const contrast c         = contrast_of_formulations("wagon-transition", 8, settings);
    check_near(contrast_largest(&c), 0.0, 1e-7);
    check_near(c.Q, 0.0, 0.2);
}

// Normal forces of rails that keep to their places do no work.
CHECK_TEST(energy_is_balanced)
{
    CHECK_FREED(wagon) w =
        wagon_with("wagon-transition", "output.work=true", "until.distance=60", TIGHTER, TABLES, GAUGE);
    kane_energy first, now;
    wagon_start(&w);
    kane_get_energy(w.model, kane_simulation_work(w.simulation), &first);
    const int n = kane_model_state_count(w.model);
    for (int i = 1, more = 1; more; i++) {
        more               = wagon_go(&w, 0.5 * i);
        const double *work = kane_simulation_state(w.simulation) + n;
        kane_get_energy(w.model, kane_simulation_work(w.simulation), &now);
        check_near(now.kinetic + now.gravity - first.kinetic - first.gravity, work[0] + work[1] + work[2],
                   1e-10 * first.kinetic);
    }
}

CHECK_MAIN(NULL, NULL)
