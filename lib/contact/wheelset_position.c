// SPDX-License-Identifier: MIT
// Position of a wheelset on its rails (docs/contact.md): height and roll for a shift and a yaw, rigid or under load,
// and how it rolls there.

#include "contact/contact.h"

#include <kane/geometry.h>

#include <math.h>

// --- what rigid and static positions share: places of the wheels, and the roll at which both sides agree ---

// One wheel over one rail.
typedef struct side_geometry {
    const wheel_table *wheel;
    const rail_table *rail;
    double wheel_distance; // from the middle of the axle to the running circle [m]
    double rail_distance;  // from the middle of the track to the rail's origin [m]
} side_geometry;

// Position of a wheelset; z of kane_wheelset_position.
typedef struct position {
    double y, yaw, roll, z;
} position;

// z at which the wheel of a side has contact (rigid) or its load (elastic), at this y, yaw and roll; z of the position
// is not read. Returns 0 if there is none.
typedef int side_height(const void *data, kane_side side, position at, double *z);

static side_geometry side_of(const kane_contact *c, kane_side side)
{
    const contact_pair *pair = c->pair[side];
    return (side_geometry){&pair->wheel, &pair->rail, pair->wheel_distance, pair->rail_distance};
}

static kane_status check_position(double y, double yaw)
{
    return fabs(y) <= 0.1 && fabs(yaw) <= 0.1 ? KANE_OK : KANE_BAD_ARGUMENT;
}

// The middle of the axle is the mean of both radii over the rails, z more. In the mirror the right wheel's shift, roll
// and yaw change their signs.
static wheel_pose pose_of_wheel(const kane_contact *contact, kane_side side, position pose)
{
    const side_geometry left = side_of(contact, KANE_LEFT), right = side_of(contact, KANE_RIGHT);
    const side_geometry *here = side == KANE_LEFT ? &left : &right;
    const double sign = side_sign(side), middle = 0.5 * (left.wheel->radius + right.wheel->radius);
    const double yaw = sign * pose.yaw, roll = sign * pose.roll, d = here->wheel_distance;
    const kane_vec3 axle = side_axle(yaw, roll);
    return (wheel_pose){sign * pose.y + d * axle.y - here->rail_distance, middle + pose.z + d * axle.z, axle};
}

// Roll and z at which both sides have the same z:  z_left(roll) - z_right(roll) = 0.  Returns 0 if there are none.
// Raising the left end lowers z of the left wheel by about the wheel's distance times the roll, and raises that of the
// right one: their difference falls with roll. Secant method, kept in the bracket by bisection.
static int find_roll(side_height *height, const void *data, position *pose)
{
    double low = -0.15, high = 0.15, before = 0.0, f_before = 0.0, slope = -1.5;
    for (int i = 0; i < 100; i++) {
        double left, right;
        if (!height(data, KANE_LEFT, *pose, &left) || !height(data, KANE_RIGHT, *pose, &right))
            return 0;
        const double f = left - right;
        pose->z        = 0.5 * (left + right);
        if (f > 0.0)
            low = pose->roll;
        else
            high = pose->roll;
        if (i > 0 && pose->roll != before)
            slope = (f - f_before) / (pose->roll - before);
        double next = pose->roll - f / (slope < -0.1 ? slope : -1.5);
        if (fabs(next - pose->roll) < 1e-14 || high - low < 1e-15)
            return 1;
        if (!(next > low && next < high) || i > 20)
            next = 0.5 * (low + high);
        before     = pose->roll;
        f_before   = f;
        pose->roll = next;
    }
    return 1;
}

// B from the change of dp/d(eta) along the oblique axis: differences see also what overlap_at leaves out of p2 under
// yaw.
static kane_contact_point point_of(const contact_locus *g, double s)
{
    const double h   = 1e-6;
    const overlap o  = overlap_at(g, s);
    const overlap in = overlap_at(g, s - h), out = overlap_at(g, s + h);
    const double cosine = 1.0 / sqrt(1.0 + o.slope * o.slope);
    double x;
    const double *f     = wheel_cell_at(g->wheel, s, &x)->f;
    const double radius = g->wheel->radius + f[0] + x * (f[1] + x * (f[2] + x * f[3]));
    const double second = (out.p1 / out.eta1 - in.p1 / in.eta1) / (out.eta - in.eta), across = 1.0 + o.R1 * o.R1;
    return (kane_contact_point){.rail_y  = o.eta * KANE_TILT_COS - o.rail * KANE_TILT_SIN,
                                .wheel_y = s,
                                .lead    = g->ex * (s + o.RR1),
                                .angle   = -(atan(o.slope) + atan2(KANE_TILT_SIN, KANE_TILT_COS)),
                                .radius  = radius,
                                .A       = (1.0 - g->ex * g->ex * across) / (2.0 * radius * sqrt(across)),
                                .B       = -0.5 * second * cosine * cosine * cosine,
                                .gap     = -o.p * cosine};
}

// --- rigid contact: the largest overlap along each contact_locus is zero ---

// A place counts as a second one if it is so far from the first one [m].
static const double second_point_distance = 1e-4;

// Range of z that is searched: within +- this [m].
static const double highest = 0.06;

// The deepest places of one wheel: the deepest of all and the next one that is a place of its own.
typedef struct deepest {
    int count; // 0: where the profile ends it is deeper than anywhere else
    overlap at[2];
} deepest;

// The place between two nodes where p is largest: Newton's method on dp/ds, kept inside by bisection.
static overlap find_peak(const contact_locus *g, double low, double high)
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

static void keep_deepest(deepest *d, const overlap *o)
{
    const int same = d->count > 0 && fabs(d->at[0].s - o->s) < second_point_distance;
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

// Deepest places of a wheel: overlaps at all nodes with the exact outline, then the peak around every node that is no
// lower than its neighbours. Without a second place, nodes more than 1 mm below the top are left out.
static deepest find_deepest(const contact_locus *g, int wants_second)
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
        const overlap o = find_peak(g, nodes->s[i - 1], nodes->s[i + 1]);
        keep_deepest(&d, &o);
    }
    return d;
}

// Raising the wheel by dz lowers the overlap at a place by (cos - slope sin) dz.
static int rigid_height(const void *data, kane_side side, position pose, double *z)
{
    const kane_contact *contact = data;
    const side_geometry here    = side_of(contact, side);
    double low = -highest, high = highest;
    pose.z = 0.0;
    for (int i = 0; i < 100; i++) {
        const wheel_pose wheel = pose_of_wheel(contact, side, pose);
        const contact_locus g  = contact_locus_init(here.wheel, here.rail, &wheel);
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

// Contact points of the wheel of one side at `pose`.
static kane_status list_contact_points(const kane_contact *contact, kane_side side, position pose,
                                       kane_wheelset_position *found)
{
    const side_geometry here = side_of(contact, side);
    const wheel_pose wheel   = pose_of_wheel(contact, side, pose);
    const contact_locus g    = contact_locus_init(here.wheel, here.rail, &wheel);
    const deepest d          = find_deepest(&g, 1);
    found->count[side]       = d.count;
    for (int k = 0; k < d.count; k++)
        found->contact_point[side][k] = point_of(&g, d.at[k].s);
    return d.count > 0 ? KANE_OK : KANE_NOT_SOLVED;
}

kane_status kane_wheelset_position_rigid(const kane_contact *contact, double y, double yaw,
                                         kane_wheelset_position *found)
{
    position pose      = {.y = y, .yaw = yaw};
    kane_status status = check_position(y, yaw);
    *found             = (kane_wheelset_position){.y = y, .yaw = yaw};
    if (status == KANE_OK && !find_roll(rigid_height, contact, &pose))
        status = KANE_NOT_SOLVED;
    found->z    = pose.z;
    found->roll = pose.roll;
    for (int side = 0; side < 2 && status == KANE_OK; side++)
        status = list_contact_points(contact, side, pose, found);
    if (status == KANE_OK)
        found->radius_difference =
            found->contact_point[KANE_LEFT][0].radius - found->contact_point[KANE_RIGHT][0].radius;
    return status;
}

kane_status kane_wheelset_position_level(const kane_contact *contact, double y, double yaw,
                                         kane_wheelset_position *found)
{
    kane_status status = check_position(y, yaw);
    *found             = (kane_wheelset_position){.y = y, .yaw = yaw};
    for (int side = 0; side < 2 && status == KANE_OK; side++) {
        position pose = {.y = y, .yaw = yaw};
        if (!rigid_height(contact, side, pose, &pose.z))
            return KANE_NOT_SOLVED;
        found->z += 0.5 * pose.z;
        status = list_contact_points(contact, side, pose, found);
    }
    if (status == KANE_OK)
        found->radius_difference =
            found->contact_point[KANE_LEFT][0].radius - found->contact_point[KANE_RIGHT][0].radius;
    return status;
}

// --- static position: a wheelset on elastic contacts, at rest under its load ---

// Data of elastic_height().
typedef struct loaded {
    const kane_contact *contact;
    const double *load; // of the wheels, left and right [N]
    int is_normal;      // 1: their normal forces, 0: vertical
} loaded;

// Motion of a wheel whose wheelset runs at `speed` [m/s] and turns at `omega` [rad/s] about its axle.
static kane_wheel_motion move_wheel(const kane_contact *contact, kane_side side, position pose, double speed,
                                    double omega)
{
    const double sign    = side_sign(side);
    const wheel_pose p   = pose_of_wheel(contact, side, pose);
    const kane_vec3 axle = side_mirror_axial(sign, p.axle);
    return (kane_wheel_motion){.centre   = kv3(0.0, sign * p.y, p.z),
                               .axle     = axle,
                               .velocity = kv3(speed, 0.0, 0.0),
                               .omega    = kv3_scale(omega, axle)};
}

// Its forces. At rest there is no slip and no rate of approach, so that all force is normal and elastic.
static kane_status eval_moving(const kane_contact *contact, kane_side side, position pose, double speed, double omega,
                               kane_contact_result *result)
{
    const kane_wheel_motion m = move_wheel(contact, side, pose, speed, omega);
    return kane_contact_eval(contact, side, &m, result);
}

// The pressures of its patches.
static void eval_pressures(const kane_contact *contact, kane_side side, position pose, double speed, double omega,
                           kane_contact_result *result)
{
    const kane_wheel_motion m = move_wheel(contact, side, pose, speed, omega);
    kane_contact_pressures(contact, side, &m, result);
}

static double normal_force(const kane_contact_result *result)
{
    double N = 0.0;
    for (int i = 0; i < result->patch_count; i++)
        N += result->patch[i].N;
    return N;
}

// N^2/3 - load^2/3: by Hertz nearly linear in the height, which suits secants. NaN if the contact cannot be evaluated.
static double force_residual(const loaded *l, kane_side side, position pose, double z)
{
    kane_contact_result result;
    pose.z = z;
    if (eval_moving(l->contact, side, pose, 0.0, 0.0, &result) != KANE_OK)
        return (double)NAN;
    const double force = l->is_normal ? normal_force(&result) : result.on_wheel.force.z;
    return cbrt(force * force) - cbrt(l->load[side] * l->load[side]);
}

// Height at which the force is the load: bracketed from the rigid contact downwards, then secants with every third step
// a bisection.
static int elastic_height(const void *data, kane_side side, position pose, double *z)
{
    const loaded *l = data;
    double high, low, f_high, f_low = -1.0;
    if (!rigid_height(l->contact, side, pose, &high))
        return 0;
    f_high = force_residual(l, side, pose, high);
    low    = high;
    for (double depth = 2e-5; f_low < 0.0 && depth < 5e-3; depth *= 2.0) {
        low   = high - depth;
        f_low = force_residual(l, side, pose, low);
    }
    if (!(f_low >= 0.0 && f_high < 0.0))
        return 0;
    for (int i = 0; i < 100 && high - low > 1e-15; i++) {
        // a secant; every third step bisects, so that the interval shrinks from both ends
        double next = high - f_high * (high - low) / (f_high - f_low);
        if (i % 3 == 2 || !(next > low && next < high))
            next = 0.5 * (low + high);
        const double f = force_residual(l, side, pose, next);
        if (!isfinite(f))
            return 0;
        if (f >= 0.0) {
            low   = next;
            f_low = f;
        } else {
            high   = next;
            f_high = f;
        }
    }
    *z = 0.5 * (low + high);
    return 1;
}

static kane_contact_point point_of_patch(const contact_locus *g, const kane_patch *p)
{
    kane_contact_point t = point_of(g, p->wheel_y); // lead and curvatures of the profiles there
    t.rail_y             = p->rail_y;
    t.angle              = p->angle;
    t.radius             = p->radius;
    t.gap                = 0.0;
    t.N                  = p->N;
    t.approach           = p->approach;
    t.a                  = p->a;
    t.b                  = p->b;
    t.pressure           = p->pressure;
    t.area               = p->area;
    t.minor              = p->minor;
    t.conformal          = p->conformal;
    return t;
}

// Patches of one side by their forces, and the mean of their rolling radii.
static double list_patches(const kane_contact *contact, kane_side side, position pose, kane_wheelset_position *found)
{
    const side_geometry here = side_of(contact, side);
    const wheel_pose wheel   = pose_of_wheel(contact, side, pose);
    const contact_locus g    = contact_locus_init(here.wheel, here.rail, &wheel);
    kane_contact_result result;
    double sum = 0.0, radius = 0.0;
    if (eval_moving(contact, side, pose, 0.0, 0.0, &result) != KANE_OK)
        return (double)NAN;
    eval_pressures(contact, side, pose, 0.0, 0.0, &result);
    for (int i = 0; i < result.patch_count; i++) {
        const kane_contact_point t = point_of_patch(&g, &result.patch[i]);
        int k                      = i;
        for (; k > 0 && found->contact_point[side][k - 1].N < t.N; k--)
            found->contact_point[side][k] = found->contact_point[side][k - 1];
        found->contact_point[side][k] = t;
        sum += t.N;
        radius += t.N * t.radius;
    }
    found->count[side] = result.patch_count;
    return radius / sum;
}

static kane_status find_loaded_position(const kane_contact *contact, double y, double yaw, const double load[2],
                                        int is_normal, kane_wheelset_position *found)
{
    const loaded l     = {contact, load, is_normal};
    position pose      = {.y = y, .yaw = yaw};
    kane_status status = check_position(y, yaw);
    *found             = (kane_wheelset_position){.y = y, .yaw = yaw};
    if (status != KANE_OK || !(load[KANE_LEFT] > 0.0 && load[KANE_RIGHT] > 0.0) ||
        !isfinite(load[KANE_LEFT] + load[KANE_RIGHT]))
        return KANE_BAD_ARGUMENT;
    if (!find_roll(elastic_height, &l, &pose))
        return KANE_NOT_SOLVED;
    found->z                 = pose.z;
    found->roll              = pose.roll;
    found->radius_difference = list_patches(contact, KANE_LEFT, pose, found);
    found->radius_difference -= list_patches(contact, KANE_RIGHT, pose, found);
    return found->count[KANE_LEFT] > 0 && found->count[KANE_RIGHT] > 0 ? KANE_OK : KANE_NOT_SOLVED;
}

kane_status kane_wheelset_position_elastic(const kane_contact *contact, double y, double yaw, const double load[2],
                                           kane_wheelset_position *found)
{
    return find_loaded_position(contact, y, yaw, load, 0, found);
}

kane_status kane_wheelset_position_pressed(const kane_contact *contact, double y, double yaw, const double normal[2],
                                           kane_wheelset_position *found)
{
    return find_loaded_position(contact, y, yaw, normal, 1, found);
}

// --- a wheelset that rolls in such a position ---

// Torque of the rails about the axle: positive where they turn the wheelset forward. It falls with omega.
static double driving_torque(const kane_contact *contact, const kane_wheelset_position *found, double speed,
                             double omega, kane_wheelset_rolling *out)
{
    const position pose = {found->y, found->yaw, found->roll, found->z};
    double torque       = 0.0;
    out->omega          = omega;
    for (int side = 0; side < 2; side++) {
        if (eval_moving(contact, side, pose, speed, omega, &out->wheel[side]) != KANE_OK)
            return (double)NAN;
        torque += kv3_dot(out->wheel[side].on_wheel.torque, side_axle(found->yaw, found->roll));
    }
    return torque;
}

// The range of omega around that of the running circles is widened until it holds the root, then divided by secants;
// every third step bisects. Normal forces have a torque about the axle as far as the outline is a series (search.h):
// 2e-10 m.
kane_status kane_wheelset_position_roll(const kane_contact *contact, const kane_wheelset_position *found, double speed,
                                        kane_wheelset_rolling *out)
{
    const double radius = 0.5 * (contact->pair[KANE_LEFT]->wheel.radius + contact->pair[KANE_RIGHT]->wheel.radius);
    *out                = (kane_wheelset_rolling){0};
    if (!(speed > 0.0 && isfinite(speed)) || check_position(found->y, found->yaw) != KANE_OK)
        return KANE_BAD_ARGUMENT;
    double low = speed / radius, high = low;
    double f_low = driving_torque(contact, found, speed, low, out), f_high = f_low, f = f_low;
    const double nothing = 1e-9 * radius * (normal_force(&out->wheel[0]) + normal_force(&out->wheel[1]));
    for (double part = 1e-3; f_low * f_high > 0.0 && fabs(f) > nothing && part < 1.0; part *= 2.0) {
        low    = (1.0 - part) * speed / radius;
        high   = (1.0 + part) * speed / radius;
        f_low  = driving_torque(contact, found, speed, low, out);
        f_high = driving_torque(contact, found, speed, high, out);
    }
    if (!(fabs(f) <= nothing || (f_low >= 0.0 && f_high <= 0.0)))
        return KANE_NOT_SOLVED;
    for (int i = 0; i < 100 && fabs(f) > nothing; i++) {
        double next = high - f_high * (high - low) / (f_high - f_low);
        if (i % 3 == 2 || !(next > low && next < high))
            next = 0.5 * (low + high);
        f = driving_torque(contact, found, speed, next, out);
        if (f > 0.0) {
            low   = next;
            f_low = f;
        } else {
            high   = next;
            f_high = f;
        }
    }
    for (int side = 0; side < 2; side++)
        eval_pressures(contact, side, (position){found->y, found->yaw, found->roll, found->z}, speed, out->omega,
                       &out->wheel[side]);
    return isfinite(f) ? KANE_OK : KANE_NOT_SOLVED;
}

// --- shifts at which the rigid contact point jumps ---

// Step of the shifts that are compared, and accuracy of a jump [m].
static const double stride = 1e-4, found = 1e-9;

typedef struct jumps {
    const kane_contact *contact;
    double least;
    int most, count;
    kane_jump *kept;
} jumps;

static int is_apart(const jumps *j, const kane_wheelset_position *a, const kane_wheelset_position *b, kane_side side)
{
    return fabs(a->contact_point[side][0].wheel_y - b->contact_point[side][0].wheel_y) > j->least;
}

// Halves the interval while a wheel's contact points at its ends are more than `least` apart. A point that moves fast
// but continuously gets below that; a jump does not, and is listed at an interval of 1e-9 m.
static kane_status bisect_jump(jumps *j, const kane_wheelset_position *a, const kane_wheelset_position *b)
{
    if (!is_apart(j, a, b, KANE_LEFT) && !is_apart(j, a, b, KANE_RIGHT))
        return KANE_OK;
    if (b->y - a->y > found) {
        kane_wheelset_position middle;
        kane_status status = kane_wheelset_position_rigid(j->contact, 0.5 * (a->y + b->y), a->yaw, &middle);
        if (status == KANE_OK)
            status = bisect_jump(j, a, &middle);
        return status == KANE_OK ? bisect_jump(j, &middle, b) : status;
    }
    for (int side = 0; side < 2; side++) {
        if (!is_apart(j, a, b, side))
            continue;
        if (j->count < j->most)
            j->kept[j->count] = (kane_jump){.side   = side,
                                            .y      = 0.5 * (a->y + b->y),
                                            .before = a->contact_point[side][0],
                                            .after  = b->contact_point[side][0]};
        j->count++;
    }
    return KANE_OK;
}

kane_status kane_wheelset_position_jumps(const kane_contact *contact, double yaw, double from, double to, double least,
                                         int most, kane_jump *kept, int *count)
{
    jumps j = {.contact = contact, .least = least, .most = most, .kept = kept};
    *count  = 0;
    if (!(from < to && least > 0.0))
        return KANE_BAD_ARGUMENT;
    const int steps = (int)ceil(fmin((to - from) / stride, 1e4));
    kane_wheelset_position a, b;
    kane_status status = kane_wheelset_position_rigid(contact, from, yaw, &a);
    for (int i = 1; i <= steps && status == KANE_OK; i++) {
        status = kane_wheelset_position_rigid(contact, from + (to - from) * i / steps, yaw, &b);
        if (status == KANE_OK)
            status = bisect_jump(&j, &a, &b);
        a = b;
    }
    *count = j.count;
    return status;
}
