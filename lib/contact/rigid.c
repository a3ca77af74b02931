// SPDX-License-Identifier: MIT
// A rigid wheelset on rigid rails: the largest overlap along each silhouette is zero.

#include "contact/stand.h"

#include <math.h>

// A place counts as a second one if it is so far from the first one [m].
static const double apart = 1e-4;

// Heights that are looked at [m].
static const double highest = 0.06;

// The deepest places of one wheel: the deepest of all and the next one that is a place of its own.
typedef struct deepest {
    int count; // 0: where the profile ends it is deeper than anywhere else
    overlap at[2];
} deepest;

// The place between two nodes where p is largest: Newton's method on dp/ds, kept inside by bisection.
static overlap peak(const silhouette *g, double low, double high)
{
    overlap o = overlap_at(g, 0.5 * (low + high));
    for (int i = 0; i < 60 && high - low > 1e-15; i++) {
        if (o.p1 > 0.0)
            low = o.s;
        else
            high = o.s;
        double next = o.s - o.p1 / o.p2;
        if (!(o.p2 < 0.0 && next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - o.s) < 1e-15)
            break;
        o = overlap_at(g, next);
    }
    return o;
}

static void take(deepest *d, const overlap *o)
{
    const int same = d->count > 0 && fabs(d->at[0].s - o->s) < apart;
    if (d->count == 0 || o->p > d->at[0].p) {
        if (d->count > 0 && !same)
            d->at[1] = d->at[0];
        d->count = same || d->count == 0 ? (d->count > 0 ? d->count : 1) : 2;
        d->at[0] = *o;
    } else if (!same && (d->count == 1 || o->p > d->at[1].p)) {
        d->at[1] = *o;
        d->count = 2;
    }
}

// All nodes are looked at with the exact outline; around every one that is no lower than its neighbours is a place. Of
// those that cannot be among the deepest two only the node's height is known; they lie lower by `window_depth`.
static deepest find_deepest(const silhouette *g, int wants_second)
{
    double p[KANE_WHEEL_NODES];
    const wheel_nodes *nodes = &g->wheel->nodes;
    const int last           = nodes->count - 1;
    int top                  = 0;
    deepest d                = {.count = 0};
    for (int i = 0; i <= last; i++) {
        p[i] = overlap_at(g, nodes->s[i]).p;
        top  = p[i] > p[top] ? i : top;
    }
    if (top == 0 || top == last)
        return d;
    for (int i = 1; i < last; i++) {
        if (p[i] < p[i - 1] || p[i] < p[i + 1])
            continue;
        if (!wants_second && p[i] + 1e-3 < p[top])
            continue;
        const overlap o = peak(g, nodes->s[i - 1], nodes->s[i + 1]);
        take(&d, &o);
    }
    return d;
}

// Raising the wheel by dz lowers the overlap at a place by (cos - slope sin) dz.
int kane_stand_rigid_height(const void *data, kane_side side, stand_pose pose, double *z)
{
    const kane_contact *contact = data;
    const stand_side here       = kane_stand_side(contact, side);
    double low = -highest, high = highest;
    pose.z = 0.0;
    for (int i = 0; i < 100; i++) {
        const wheel_pose wheel = kane_stand_wheel_pose(contact, side, pose);
        const silhouette g     = silhouette_init(here.wheel, here.rail, &wheel);
        const deepest d        = find_deepest(&g, 0);
        if (d.count == 0)
            return 0;
        const overlap *o = &d.at[0];
        if (o->p > 0.0)
            low = pose.z;
        else
            high = pose.z;
        double next = pose.z + o->p / (KANE_TILT_COS - o->slope * KANE_TILT_SIN);
        if (fabs(next - pose.z) < 1e-15 || high - low < 1e-15)
            break;
        if (!(next > low && next < high) || i > 30)
            next = 0.5 * (low + high);
        pose.z = next;
    }
    *z = pose.z;
    return fabs(pose.z) < 0.99 * highest;
}

// Where the wheel of one side touches, which stands as `pose` says.
static kane_status list_places(const kane_contact *contact, kane_side side, stand_pose pose, kane_stand *stand)
{
    const stand_side here  = kane_stand_side(contact, side);
    const wheel_pose wheel = kane_stand_wheel_pose(contact, side, pose);
    const silhouette g     = silhouette_init(here.wheel, here.rail, &wheel);
    const deepest d        = find_deepest(&g, 1);
    stand->count[side]     = d.count;
    for (int k = 0; k < d.count; k++)
        stand->touch[side][k] = kane_stand_touch(&g, d.at[k].s);
    return d.count > 0 ? KANE_OK : KANE_NOT_SOLVED;
}

kane_status kane_stand_rigid(const kane_contact *contact, double y, double yaw, kane_stand *stand)
{
    stand_pose pose    = {.y = y, .yaw = yaw};
    kane_status status = kane_stand_check(y, yaw);
    *stand             = (kane_stand){.y = y, .yaw = yaw};
    if (status == KANE_OK && !kane_stand_roll(kane_stand_rigid_height, contact, &pose))
        status = KANE_NOT_SOLVED;
    stand->z    = pose.z;
    stand->roll = pose.roll;
    for (int side = 0; side < 2 && status == KANE_OK; side++)
        status = list_places(contact, side, pose, stand);
    if (status == KANE_OK)
        stand->radius_difference = stand->touch[KANE_LEFT][0].radius - stand->touch[KANE_RIGHT][0].radius;
    return status;
}

kane_status kane_stand_level(const kane_contact *contact, double y, double yaw, kane_stand *stand)
{
    kane_status status = kane_stand_check(y, yaw);
    *stand             = (kane_stand){.y = y, .yaw = yaw};
    for (int side = 0; side < 2 && status == KANE_OK; side++) {
        stand_pose pose = {.y = y, .yaw = yaw};
        if (!kane_stand_rigid_height(contact, side, pose, &pose.z))
            return KANE_NOT_SOLVED;
        stand->z += 0.5 * pose.z;
        status = list_places(contact, side, pose, stand);
    }
    if (status == KANE_OK)
        stand->radius_difference = stand->touch[KANE_LEFT][0].radius - stand->touch[KANE_RIGHT][0].radius;
    return status;
}
