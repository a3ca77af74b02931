// SPDX-License-Identifier: MIT
// Wheels for `kane bench`: S1002 on 60E1 at 50 kN, from the field side to the flange, those with one patch or with two.

#include "bench.h"

#include "contact/contact.h"
#include "contact/overlap.h"

#include <stdlib.h>

enum { WHEELS_MOST = 64 };
static const double load = 50e3, speed = 20.0;

// Wheels that all touch alike, their motions and their poses as the room of the contact sees them.
typedef struct wheels {
    kane_contact *contact;
    kane_wheelset_table *guide; // or NULL
    int count;
    kane_wheel_motion motion[WHEELS_MOST];
    wheel_pose pose[WHEELS_MOST];
    kane_wheel_path path[WHEELS_MOST];
    double sum; // of results, so that they are not left out
} wheels;

// A left wheel, shifted by y and yawed, z over the height at which its running circle is level with the rail's top.
static kane_wheel_motion wheel_at(const kane_contact *c, double y, double z, double yaw)
{
    const double radius = kane_contact_definition_default().radius[0];
    kane_wheel_motion m = {.axle     = kv3(-sin(yaw), cos(yaw), 0.0),
                           .velocity = kv3(speed, 0.01, 0.0),
                           .omega    = kv3(0.0, speed / radius, 0.0)};
    m.centre            = kv3_add_scaled(kv3(0.0, y, radius + z), kane_contact_wheel_distance(c, KANE_LEFT), m.axle);
    m.centre.y -= kane_contact_rail_distance(c, KANE_LEFT);
    return m;
}

// Number of patches, *force upward.
static int look(const kane_contact *c, const kane_wheel_motion *m, double *force)
{
    kane_contact_result r;
    if (kane_contact_eval(c, KANE_LEFT, m, &r) != KANE_OK)
        return 0;
    *force = r.on_wheel.force.z;
    return r.patch_count;
}

// Lets the wheel of a path up or down until its gap is closed.
static void close_gap(const kane_contact *c, kane_wheel_path *path)
{
    kane_gap gap;
    for (int k = 0; k < 10 && kane_contact_gap(c, KANE_LEFT, path, &gap) == KANE_OK; k++)
        path->centre.z -= gap.size / gap.direction.z;
}

// All wheels with the wanted number of patches, at shifts a quarter of a millimetre apart.
static void *create_wheels_with(int patches, kane_contact_geometry gap, kane_errors *errors)
{
    kane_contact_definition definition = kane_contact_definition_default();
    wheels *w                          = calloc(1, sizeof *w);
    definition.gap                     = gap;
    if (w)
        w->contact = kane_contact_create(&definition, errors);
    if (!w || !w->contact) {
        free(w);
        return NULL;
    }
    for (int i = -24; i <= 34 && w->count < WHEELS_MOST; i++) {
        const double y = 0.25e-3 * i, yaw = 1.5 * y;
        double low = -10e-3, high = 10e-3, force = 0.0;
        for (int k = 0; k < 50; k++) {
            const double z            = 0.5 * (low + high);
            const kane_wheel_motion m = wheel_at(w->contact, y, z, yaw);
            if (look(w->contact, &m, &force) > 0 && force > load)
                low = z;
            else
                high = z;
        }
        const kane_wheel_motion m = wheel_at(w->contact, y, low, yaw);
        if (look(w->contact, &m, &force) != patches)
            continue;
        w->motion[w->count] = m;
        w->path[w->count]   = (kane_wheel_path){
              .centre = m.centre, .centre_rate = {speed, 0.01, 0.002}, .axle = m.axle, .axle_rate = {0.01, 0.0, 0.02}};
        close_gap(w->contact, &w->path[w->count]);
        w->pose[w->count++] = (wheel_pose){m.centre.y, m.centre.z, m.axle};
    }
    return w;
}

static void *create_wheels(int patches, kane_errors *errors)
{
    return create_wheels_with(patches, KANE_GEOMETRY_SEARCHED, errors);
}

static void *create_tabulated(int patches, kane_errors *errors)
{
    return create_wheels_with(patches, KANE_GEOMETRY_TABULATED, errors);
}

static void free_wheels(void *part)
{
    wheels *w = part;
    if (w) {
        kane_wheelset_table_free(w->guide);
        kane_contact_free(w->contact);
    }
    free(w);
}

static void *create_guide(int patches, kane_errors *errors)
{
    wheels *w = create_wheels(patches, errors);
    if (w)
        w->guide = kane_wheelset_table_create(w->contact, errors);
    if (w && !w->guide) {
        free_wheels(w);
        return NULL;
    }
    return w;
}

static void call_whole(void *part, int kernel, long count)
{
    (void)kernel;
    const wheels *w = part;
    for (long i = 0; i < count; i++) {
        kane_contact_result result;
        (void)kane_contact_eval(w->contact, KANE_LEFT, &w->motion[i % w->count], &result);
    }
}

static void call_normal(void *part, int kernel, long count)
{
    (void)kernel;
    const wheels *w          = part;
    const kane_contact *c    = w->contact;
    const contact_pair *pair = c->pair[KANE_LEFT];
    for (long i = 0; i < count; i++) {
        const contact_locus g = contact_locus_init(&pair->wheel, &pair->rail, &w->pose[i % w->count]);
        penetrations found;
        contact_patch spots[KANE_PATCHES_MAX];
        kane_penetrations_search(&g, &pair->windows, &found);
        (void)kane_overlap_patches(&g, &found, c->hertz, c->E_star, spots);
    }
}

static void call_gap(void *part, int kernel, long count)
{
    (void)kernel;
    wheels *w = part;
    for (long i = 0; i < count; i++) {
        kane_gap gap;
        (void)kane_contact_gap(w->contact, KANE_LEFT, &w->path[i % w->count], &gap);
        w->sum += gap.size;
    }
}

static void call_guide(void *part, int kernel, long count)
{
    (void)kernel;
    wheels *w = part;
    for (long i = 0; i < count; i++) {
        kane_wheelset_values stand;
        const double x = 1e-3 * (double)(i % 1000) - 0.5;
        (void)kane_wheelset_table_eval(w->guide, 10e-3 * x, 5e-3 * x, &stand);
        w->sum += stand.height.value;
    }
}

static const bench_part parts[] = {
    {"contact-one", "one wheel, S1002 on 60E1, one patch: forces", create_wheels, 1, call_whole, free_wheels},
    {"contact-two", "the same with two patches", create_wheels, 2, call_whole, free_wheels},
    {"normal-one", "its normal part alone, one patch", create_wheels, 1, call_normal, free_wheels},
    {"normal-two", "the same with two patches", create_wheels, 2, call_normal, free_wheels},
    {"gap-one", "rigid contact: the gap of such a wheel, where one patch would be", create_wheels, 1, call_gap,
     free_wheels},
    {"gap-two", "the same where two would be", create_wheels, 2, call_gap, free_wheels},
    {"gap-table-one", "the first of them, tabulated", create_tabulated, 1, call_gap, free_wheels},
    {"gap-table-two", "the second", create_tabulated, 2, call_gap, free_wheels},
    {"guide", "rigid contact functions of a wheelset from the table", create_guide, 1, call_guide, free_wheels},
};
const bench_list bench_contact = {.count = sizeof parts / sizeof *parts, .parts = parts};
