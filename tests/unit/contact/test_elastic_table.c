// SPDX-License-Identifier: MIT
// Tabulated elastic contact: against the contact that is searched, which shares no number with the interpolation; its
// own slopes; its seams.

#include "unit/contact/differences.h"
#include "unit/contact/sweep.h"

#include "contact/contact.h"
#include "runs.h"

// The same pair twice.
typedef struct both {
    kane_contact *searched, *tabulated;
} both;

static both create_both(kane_contact_definition d)
{
    both b      = {.searched = rig_create(d)};
    d.geometry  = KANE_GEOMETRY_TABULATED;
    d.tables    = b.searched->tables;
    b.tabulated = rig_create(d);
    return b;
}

static void free_both(both *b)
{
    kane_contact_free(b->tabulated);
    kane_contact_free(b->searched);
}

static double weight_of(const kane_contact *c, const kane_wheel_motion *m)
{
    const wheel_pose pose = {m->centre.y, m->centre.z, m->axle};
    const contact_locus g = contact_locus_init(&c->pair[0]->wheel, &c->pair[0]->rail, &pose);
    contact_patch patch;
    return kane_elastic_table_eval(c->table[0], &g, c->E_star, &patch);
}

// What a map has found: largest and mean square difference of the forces [of the load].
typedef struct differences {
    double largest, square;
    int count, tabulated_only, mixed;
} differences;

// Of a wheel that carries `load` by the search, from `first` to `last` [m].
static void compare_places(const both *b, double load, double yaw, double roll, double first, double last,
                           differences *d)
{
    const double radius = b->searched->pair[KANE_LEFT]->wheel.radius;
    for (double y = first; y < last; y += 7.3e-5) {
        rig_pose p                  = {y, 0.0, roll, yaw};
        p.z                         = rig_height(b->searched, radius, KANE_LEFT, p, load);
        kane_wheel_motion m         = rig_motion(b->searched, radius, KANE_LEFT, p, 20.0, 20.0 / radius);
        const kane_contact_result s = rig_eval(b->searched, KANE_LEFT, &m), t = rig_eval(b->tabulated, KANE_LEFT, &m);
        const double off    = kv3_norm(kv3_sub(t.on_wheel.force, s.on_wheel.force)) / load;
        const double weight = weight_of(b->tabulated, &m);
        d->largest          = fmax(d->largest, off);
        d->square += off * off;
        d->count++;
        d->tabulated_only += weight >= 1.0;
        d->mixed += weight > 0.0 && weight < 1.0;
    }
}

static void compare_pair(const char *name, kane_contact_definition d, double largest, double mean,
                         double tabulated_only)
{
    d.shape_count     = 0;
    both b            = create_both(d);
    differences found = {0};
    for (double load = 2e4; load < 1.3e5; load *= 1.8)
        for (double yaw = 0.0; yaw < 8.6e-3; yaw += 2.1e-3)
            compare_places(&b, load, yaw, 2e-4 + 0.3 * yaw, -9e-3, 9e-3, &found);
    const double rms = sqrt(found.square / found.count), part = (double)found.tabulated_only / found.count;
    print_message("%s: of the load %.2e, rms %.2e; tabulated %.3f, passing over %.3f\n", name, found.largest, rms, part,
                  (double)found.mixed / found.count);
    check_below(found.largest, largest);
    check_below(rms, mean);
    assert_true(part > tabulated_only);
    free_both(&b);
}

// Half a micrometre of depth is 1.9 % of the force that has 40 micrometres, that of the smallest load.
CHECK_TEST(forces_are_those_of_the_search)
{
    compare_pair("S1002 on 60E1", kane_contact_definition_default(), 0.025, 2e-3, 0.7);
}

// The wheelsets of all vehicles on the rails of their runs.
CHECK_TEST(shipped_profiles_are_tabulated)
{
    static const char *const runs[] = {"feve-curve", "gz18-curve", "cooperrider-straight", "locomotive"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        CHECK_OWNED(kane_run) *run         = run_read(runs[i], NULL);
        const kane_run_definition *d       = kane_run_get_definition(run);
        const kane_vehicle_definition *car = d->vehicle;
        for (int j = 0; j < car->body_count; j++)
            if (car->bodies[j].wheels) {
                compare_pair(runs[i], kane_wheels_pair(car->bodies[j].wheels, kane_track_get_definition(d->track)),
                             0.03, 3e-3, 0.5);
                break;
            }
    }
}

// A wheel with a hollow tread and a flange that is narrower below.
CHECK_TEST(a_worn_wheel_is_tabulated)
{
    enum { POINTS = 300 };
    double y[POINTS], z[POINTS];
    assert_int_equal(kane_profile_draw(kane_profile_s1002(), POINTS, y, z), KANE_OK);
    for (int i = 0; i < POINTS; i++) {
        z[i] += 0.8e-3 * exp(-pow((y[i] - 0.005) / 0.02, 2.0)); // the wheel is up there
        if (y[i] < -0.036)
            y[i] = -0.036 + 0.7 * (y[i] + 0.036);
    }
    const kane_profile worn   = {.kind             = KANE_PROFILE_WHEEL,
                                 .shape            = KANE_SHAPE_POINTS,
                                 .name             = "worn",
                                 .count            = POINTS,
                                 .y                = y,
                                 .z                = z,
                                 .flange_to_circle = kane_profile_s1002()->flange_to_circle,
                                 .smoothing        = 1e-5};
    kane_contact_definition d = kane_contact_definition_default();
    d.wheel[0]                = &worn;
    compare_pair("worn", d, 0.03, 3e-3, 0.5);
}

// Over the borders of cells, and where the search takes over, the vertical force is as continuous as the search itself:
// the largest jump, in parts of the load.
CHECK_TEST(no_seam_jumps)
{
    both b       = create_both(kane_contact_definition_default());
    double worst = 0.0;
    for (double yaw = 0.0; yaw < 1.3e-2; yaw += 4.1e-3)
        for (double y = -6e-3; y < 8e-3; y += 0.5e-3)
            for (int variable = Y; variable <= YAW; variable++) {
                rig_pose from = {y, 0.0, 0.0, yaw}, to;
                sweep_ends(b.tabulated, variable, 5e4, &from, &to);
                const double stays = true_jump(b.tabulated, &from, &to) / 5e4;
                if (stays > 2e-7)
                    print_message("y %g mm, yaw %g mrad, %d: %.1e\n", 1e3 * y, 1e3 * yaw, variable, stays);
                worst = fmax(worst, stays);
            }
    print_message("the vertical force jumps by %.1e of the load at most\n", worst);
    check_below(worst, 2e-7);
    free_both(&b);
}

// Slopes are those of the splines, where only the table counts, where only the search does, and in between.
CHECK_TEST(slopes_are_those_of_the_table)
{
    both b       = create_both(kane_contact_definition_default());
    double worst = 0.0;
    int mixed    = 0;
    for (double yaw = 2e-3; yaw < 1.2e-2; yaw += 2.3e-3)
        for (double y = -6.03e-3; y < 7e-3; y += 0.23e-3) {
            rig_pose p          = {y, 0.0, 1e-3, yaw};
            p.z                 = rig_height(b.tabulated, 0.46, KANE_LEFT, p, 5e4);
            kane_wheel_motion m = rig_motion(b.tabulated, 0.46, KANE_LEFT, p, 20.0, 20.0 / 0.4598);
            m.velocity.y        = 0.01;
            const double weight = weight_of(b.tabulated, &m);
            const double error  = weight > 0.0 ? worst_error(b.tabulated, KANE_LEFT, &m, 6e-5, 1e-4) : 0.0;
            mixed += weight > 0.0 && weight < 1.0;
            worst = fmax(worst, error);
        }
    print_message("slopes are off by %.1e of their column, %d places between table and search\n", worst, mixed);
    check_below(worst, 1e-5);
    assert_true(mixed > 3);
    free_both(&b);
}

// Beyond the table and on rails that change, contact is that of the search to the last bit.
CHECK_TEST(the_search_has_the_rest)
{
    double y[RAIL_POINTS], z[RAIL_POINTS];
    const kane_profile profile  = rail_worn(1.5e-3, y, z);
    const kane_rail_shape shape = {.profile = &profile};
    kane_contact_definition d   = kane_contact_definition_default();
    d.shape_count               = 1;
    d.shapes                    = &shape;
    both b                      = create_both(d);
    for (int i = 0; i < 60; i++) {
        const int beyond    = i % 3;
        rig_pose p          = {(i - 30) * 2e-4, 0.0, beyond == 1 ? 9e-3 : 0.0, beyond == 2 ? 15e-3 : 0.0};
        p.z                 = rig_height(b.searched, 0.46, KANE_LEFT, p, 4e4);
        kane_wheel_motion m = rig_motion(b.searched, 0.46, KANE_LEFT, p, 20.0, 20.0 / 0.4598);
        if (beyond == 0)
            m.blend = rail_blend_at(1.1);
        const kane_contact_result s = rig_eval(b.searched, KANE_LEFT, &m), t = rig_eval(b.tabulated, KANE_LEFT, &m);
        assert_memory_equal(&s.on_wheel, &t.on_wheel, sizeof s.on_wheel);
    }
    free_both(&b);
}

// What is reported of a tabulated patch: pressure and area of those that are searched.
CHECK_TEST(pressures_are_those_of_the_search)
{
    both b = create_both(kane_contact_definition_default());
    for (double y = -5e-3; y < 4e-3; y += 0.3e-3) {
        rig_pose p            = {y, 0.0, 0.0, 1e-3};
        p.z                   = rig_height(b.searched, 0.46, KANE_LEFT, p, 5e4);
        kane_wheel_motion m   = rig_motion(b.searched, 0.46, KANE_LEFT, p, 20.0, 20.0 / 0.4598);
        kane_contact_result s = rig_eval(b.searched, KANE_LEFT, &m), t = rig_eval(b.tabulated, KANE_LEFT, &m);
        kane_contact_pressures(b.searched, KANE_LEFT, &m, &s);
        kane_contact_pressures(b.tabulated, KANE_LEFT, &m, &t);
        double most[2] = {0.0}, area[2] = {0.0};
        for (int k = 0; k < 2; k++) {
            const kane_contact_result *r = k == 0 ? &s : &t;
            for (int i = 0; i < r->patch_count; i++) {
                most[k] = fmax(most[k], r->patch[i].pressure);
                area[k] += r->patch[i].share * r->patch[i].area;
            }
        }
        check_relative(most[1], most[0], 0.01);
        check_relative(area[1], area[0], 0.01);
    }
    free_both(&b);
}

CHECK_MAIN(NULL, NULL)
