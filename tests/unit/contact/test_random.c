// SPDX-License-Identifier: MIT
// A million random poses of S1002 on 60E1: every one has finite forces that only push, and is found in finite time.

#include "unit/contact/rig.h"
#include "contact/contact.h"

// Sanitizers are some twenty times slower: a part will do there.
#ifdef KANE_SANITIZED
enum { POSES = 100000 };
#else
enum { POSES = 1000000 };
#endif

static void check_result(int i, const rig_pose *p, const kane_contact_result *r)
{
    const kane_vec3 f = r->on_wheel.force, t = r->on_wheel.torque;
    int good = isfinite(f.x + f.y + f.z + t.x + t.y + t.z) && r->patch_count >= 0 && r->patch_count <= KANE_PATCHES_MAX;
    for (int k = 0; good && k < r->patch_count; k++) {
        const kane_patch *s = &r->patch[k];
        good = s->N >= 0.0 && isfinite(s->N) && s->a >= 0.0 && isfinite(s->a) && s->b >= 0.0 && isfinite(s->b) &&
               s->approach >= 0.0 && isfinite(s->approach) && s->share > 0.0 && s->share <= 1.0 &&
               isfinite(s->pressure + s->T_x + s->T_y + s->M_z + s->energy + s->angle + s->rail_y + s->wheel_y) &&
               fabs(kv3_norm(s->normal) - 1.0) < 1e-12;
    }
    if (!good)
        fail_msg("pose %d: y %.17g z %.17g roll %.17g yaw %.17g", i, p->y, p->z, p->roll, p->yaw);
}

// How deep the deepest node of the wheel is in the rail.
static double depth(const kane_contact *c, const kane_wheel_motion *m)
{
    const wheel_pose pose    = {m->centre.y, m->centre.z, m->axle};
    const contact_pair *pair = c->pair[KANE_LEFT];
    const contact_locus g    = contact_locus_init(&pair->wheel, &pair->rail, &pose);
    double p[KANE_WHEEL_NODES], deepest = -1.0;
    kane_window_scan(&g, 0, pair->wheel.nodes.count - 1, p);
    for (int k = 0; k < pair->wheel.nodes.count; k++)
        deepest = fmax(deepest, p[k]);
    return deepest;
}

// Half of them anywhere, the others where wheelsets run, with overlaps from none to those of some hundred kilonewtons.
CHECK_TEST(a_million_poses_have_finite_forces)
{
    CHECK_OWNED(kane_contact) *c = rig_create(kane_contact_definition_default());
    unsigned long long seed      = 2026;
    int touching = 0, patches[KANE_PATCHES_MAX + 1] = {0};
    for (int i = 0; i < POSES; i++) {
        const double usual  = i % 2 ? 0.3 : 1.0;
        rig_pose p          = {usual * rig_random(&seed, -0.03, 0.03), rig_random(&seed, -0.01, 0.008),
                               usual * rig_random(&seed, -0.03, 0.03), usual * rig_random(&seed, -0.1, 0.1)};
        kane_wheel_motion m = rig_motion(c, 0.46, KANE_LEFT, p, 20.0, 43.5);
        if (i % 2) {
            const double lift = depth(c, &m) - rig_random(&seed, -1e-5, 3e-4);
            p.z += lift;
            m.centre.z += lift;
        }
        const kane_contact_result r = rig_eval(c, KANE_LEFT, &m);
        check_result(i, &p, &r);
        touching += r.patch_count > 0;
        patches[r.patch_count]++;
    }
    print_message("%d poses, %d touch; with 1 to 6 patches: %d %d %d %d %d %d\n", POSES, touching, patches[1],
                  patches[2], patches[3], patches[4], patches[5], patches[6]);
    assert_true(touching > POSES / 2 && patches[1] > POSES / 5 && patches[2] > POSES / 200 &&
                patches[3] > POSES / 200 && patches[4] > 0);
}

CHECK_MAIN(NULL, NULL)
