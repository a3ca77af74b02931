// SPDX-License-Identifier: MIT
// Rigid contact functions of a wheelset: its height, roll and places of contact over shift and yaw, tabulated.

#include "base/arena.h"
#include "contact/contact.h"
#include "contact/gap_places.h"
#include "math/small.h"
#include "math/spline.h"

#include <math.h>

enum {
    SHIFTS = 401, // equal steps of the lateral shift, ends included
    DENSE  = 144, // and so many more around the shift at which a flange takes over
    NODES  = SHIFTS + 2 * DENSE,
    YAWS   = 25 // nodes over the yaw
};
static const double shift_step = 2.0 * KANE_WHEELSET_TABLE_SHIFT / (SHIFTS - 1),
                    yaw_step   = 2.0 * KANE_WHEELSET_TABLE_YAW / (YAWS - 1);

// Where a flange takes over from the tread, angle and height change within some hundredths of a millimetre, at a shift
// a that goes inwards with the square of the yaw. There nodes are dense: they stand at equal steps of
//   t(y, yaw) = y + (35/32) DENSE shift_step P((y - a(yaw))/dense_reach),   P' = (1 - x^2)^3, 0 beyond |x| = 1
// which has three continuous derivatives, and in which a takes the same place at all yaws. Near a they are
// shift_step/14 apart.
static const double dense_reach = 0.6e-3;

// A flange takes over where the contact angle changes by more than this from one coarse step to the next [rad], [m].
static const double corner_angle = 0.1, corner_step = 0.2e-3;

typedef struct corner {
    int exists;
    double low, high;           // of y, where t is another than y and a constant, at any yaw [m]
    kane_cubic shift[YAWS - 1]; // a over the yaw's steps [m]
} corner;

// What is tabulated: functions of the wheelset, and these of each wheel.
enum { HEIGHT, ROLL, TWIST_HEIGHT, TWIST_ROLL, WHEEL };
enum { POINT_X, POINT_Y, POINT_Z, SLOPE, LOG_A, LOG_B, RADIUS, WHEEL_Y, RAIL_Y, OF_A_WHEEL };
enum { FUNCTIONS = WHEEL + 2 * OF_A_WHEEL };

// Of all functions at a node: value, derivative by t and by yaw per step, and by both.
typedef struct table_node {
    double f[4][FUNCTIONS];
} table_node;

struct kane_wheelset_table {
    int shifts;       // nodes over t ...
    double first;     // ... and the first of them [m]
    corner corner[2]; // of both flanges
    double inner[2];  // between these shifts, on the tread, t is y and ...
    double offset;    // ... this [m]
    table_node nodes[NODES][YAWS];
};

// t and its derivatives by y and yaw (w) [m], [rad].
typedef struct table_shift {
    double t, y, w, yy, yw, ww, yyy, yyw, yww, www;
    int is_plain; // t = y + constant
} table_shift;

// a [m] and its derivatives by the yaw.
static void corner_at(const corner *c, double yaw, double a[4])
{
    const double b = fmin(fmax((yaw + KANE_WHEELSET_TABLE_YAW) / yaw_step, 0.0), YAWS - 1.0);
    const int k    = b < YAWS - 1 ? (int)b : YAWS - 2;
    double per     = 1.0;
    kane_cubic_eval(&c->shift[k], b - k, a);
    for (int i = 0; i < 4; i++, per /= yaw_step)
        a[i] *= per;
}

// t and, where it is no plain shift, its derivatives up to the third. Where it is plain no other member is set.
static void find_shift(const kane_wheelset_table *g, double y, double yaw, table_shift *s)
{
    const double more = (35.0 / 32.0) * DENSE * shift_step, density = more / dense_reach;
    s->t        = y;
    s->is_plain = 1;
    for (int side = 0; side < 2; side++) {
        const corner *c = &g->corner[side];
        if (!c->exists)
            continue;
        if (y <= c->low || y >= c->high) {
            s->t += (y < c->high ? -0.5 : 0.5) * DENSE * shift_step;
            continue;
        }
        double a[4];
        corner_at(c, yaw, a);
        const double x = fmin(fmax((y - a[0]) / dense_reach, -1.0), 1.0), x2 = x * x, r = 1.0 - x2;
        const double p1 = density * r * r * r, p2 = density * -6.0 * x * r * r / dense_reach,
                     p3 = density * r * (30.0 * x2 - 6.0) / (dense_reach * dense_reach), b = a[1];
        s->is_plain = 0;
        s->t += more * x * (1.0 - x2 * (1.0 - x2 * (0.6 - x2 / 7.0)));
        s->y   = 1.0 + p1;
        s->w   = -p1 * b;
        s->yy  = p2;
        s->yw  = -p2 * b;
        s->ww  = p2 * b * b - p1 * a[2];
        s->yyy = p3;
        s->yyw = -p3 * b;
        s->yww = p3 * b * b - p2 * a[2];
        s->www = -p3 * b * b * b + 3.0 * p2 * b * a[2] - p1 * a[3];
    }
}

// What height and roll gain per twist of the rails, each of which turns about the track's x axis. A wheel that touches
// X ahead of the wheelset's middle meets a rail that has turned by X: its gap changes by
//   -X e_x.(c x direction + twist),   c: its centre,   twist: the gap's gradient by rotation
// and the gaps are closed again by a little of both.
static void find_twist(const kane_contact *c, double y, double yaw, double z, double roll,
                       const kane_gap contact_point[2], double *by_height, double *by_roll)
{
    const kane_vec3 axle = side_axle(yaw, roll), about = kv3(cos(yaw), sin(yaw), 0.0);
    double by_z[2], turning[2], change[2];
    for (int side = 0; side < 2; side++) {
        const kane_gap *t      = &contact_point[side];
        const double outside   = side_sign((kane_side)side);
        const kane_vec3 arm    = kv3_scale(outside * kane_contact_wheel_distance(c, side), axle);
        const kane_vec3 centre = kv3_add(kv3(0.0, y, z), arm);
        by_z[side]             = t->direction.z;
        turning[side]          = kv3_dot(about, kv3_add(t->twist, kv3_cross(arm, t->direction)));
        change[side]           = -(centre.x + t->point.x) * (kv3_cross(centre, t->direction).x + t->twist.x);
    }
    const double det = by_z[0] * turning[1] - by_z[1] * turning[0];
    *by_height       = -(turning[1] * change[0] - turning[0] * change[1]) / det;
    *by_roll         = -(by_z[0] * change[1] - by_z[1] * change[0]) / det;
}

static void fill_node(const kane_contact *c, double y, double yaw, double z, double roll,
                      const kane_gap contact_point[2], table_node *node)
{
    node->f[0][HEIGHT] = z;
    node->f[0][ROLL]   = roll;
    find_twist(c, y, yaw, z, roll, contact_point, &node->f[0][TWIST_HEIGHT], &node->f[0][TWIST_ROLL]);
    for (int side = 0; side < 2; side++) {
        double *f         = node->f[0] + WHEEL + side * OF_A_WHEEL;
        const kane_gap *t = &contact_point[side];
        f[POINT_X]        = t->point.x;
        f[POINT_Y]        = t->point.y;
        f[POINT_Z]        = t->point.z;
        f[SLOPE]          = t->normal.y / t->normal.z;
        f[LOG_A]          = log(t->A);
        f[LOG_B]          = log(t->B);
        f[RADIUS]         = t->radius;
        f[WHEEL_Y]        = t->wheel_y;
        f[RAIL_Y]         = t->rail_y;
    }
}

// The node of the opposite yaw: by symmetry of fore and aft, twist and point x are odd in yaw, all others even.
static void mirror_node(const table_node *node, table_node *out)
{
    static const int odd[] = {TWIST_HEIGHT, TWIST_ROLL, WHEEL + POINT_X, WHEEL + OF_A_WHEEL + POINT_X};
    *out                   = *node;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        out->f[0][odd[i]] = -node->f[0][odd[i]];
}

// Derivatives by yaw (`to` 2) of values (`from` 0), or by shift (to 1 from 0, to 3 from 2) along a line of nodes.
static void fill_slopes(table_node *first, int count, int stride, int function, int from, int to)
{
    double value[NODES] = {0.0};
    kane_cubic spline[NODES];
    for (int i = 0; i < count; i++)
        value[i] = first[(size_t)i * (size_t)stride].f[from][function];
    kane_spline_fit_uniform(count, 1.0, value, KANE_SPLINE_NOT_A_KNOT, spline);
    for (int i = 0; i < count; i++) {
        double d[4];
        kane_cubic_eval(&spline[i < count - 1 ? i : count - 2], i < count - 1 ? 0.0 : 1.0, d);
        first[(size_t)i * (size_t)stride].f[to][function] = d[1];
    }
}

static void fit_splines(kane_wheelset_table *g)
{
    for (int f = 0; f < FUNCTIONS; f++) {
        for (int i = 0; i < g->shifts; i++)
            fill_slopes(g->nodes[i], YAWS, 1, f, 0, 2);
        for (int k = 0; k < YAWS; k++) {
            fill_slopes(&g->nodes[0][k], g->shifts, YAWS, f, 0, 1);
            fill_slopes(&g->nodes[0][k], g->shifts, YAWS, f, 2, 3);
        }
    }
}

// --- where the flanges take over ---

// A wheelset moved from shift to shift: the last position is the start of the next one.
typedef struct moved_wheelset {
    const kane_contact *contact;
    kane_side side;
    double yaw, z, roll;
} moved_wheelset;

// Contact angle [rad] of the wheel on its side, shifted to that side by y [m]; NaN if there is no position on both
// rails.
static double angle_at(moved_wheelset *m, double y)
{
    kane_gap contact_point[2];
    if (kane_rigid_position(m->contact, side_sign(m->side) * y, m->yaw, &m->z, &m->roll, contact_point) != KANE_OK)
        return (double)NAN;
    return atan2(fabs(contact_point[m->side].normal.y), contact_point[m->side].normal.z);
}

// A contact angle half way between tread and flange: in the middle of the coarse step over which it changes most. 0:
// there is no flange.
static double find_angle(const kane_contact *c, kane_side side)
{
    moved_wheelset m = {.contact = c, .side = side, .z = c->definition.radius[0]};
    double most = corner_angle, angle = 0.0, before = angle_at(&m, 0.0);
    for (double y = corner_step; y < KANE_WHEELSET_TABLE_SHIFT; y += corner_step) {
        const double here = angle_at(&m, y);
        if (here - before > most) {
            most  = here - before;
            angle = 0.5 * (here + before);
        }
        before = here;
    }
    return angle;
}

// The shift to its own side at which a wheel first has this contact angle; 0: nowhere, or too near to the ends of the
// table.
static double find_corner(const kane_contact *c, kane_side side, double yaw, double angle)
{
    moved_wheelset m = {.contact = c, .side = side, .yaw = yaw, .z = c->definition.radius[0]};
    double high      = 0.0;
    while (high < KANE_WHEELSET_TABLE_SHIFT - 2.0 * dense_reach && !(angle_at(&m, high) > angle))
        high += corner_step;
    if (!(high > dense_reach && angle_at(&m, high) > angle))
        return 0.0;
    double low = high - corner_step;
    m          = (moved_wheelset){.contact = c, .side = side, .yaw = yaw, .z = c->definition.radius[0]};
    while (high - low > 1e-10) {
        const double y = 0.5 * (low + high);
        if (angle_at(&m, y) > angle)
            high = y;
        else
            low = y;
    }
    return 0.5 * (low + high);
}

// Fore and aft are alike, and of alike wheels and rails left and right. A corner counts that every yaw has, near to
// those beside it.
static void find_corners(kane_wheelset_table *g, const kane_contact *c)
{
    for (int side = 0; side < 2; side++) {
        corner *of = &g->corner[side];
        double shift[YAWS], least = HUGE_VAL, most = 0.0;
        if (side == 1 && c->pair[0] == c->pair[1]) {
            *of = (corner){.exists = g->corner[0].exists, .low = -g->corner[0].high, .high = -g->corner[0].low};
            for (int k = 0; k < YAWS - 1; k++)
                for (int i = 0; i < 4; i++)
                    of->shift[k].c[i] = -g->corner[0].shift[k].c[i];
            continue;
        }
        const double angle = find_angle(c, (kane_side)side);
        for (int k = 0; k <= YAWS / 2; k++)
            shift[k] = shift[YAWS - 1 - k] =
                angle > 0.0 ? find_corner(c, (kane_side)side, -KANE_WHEELSET_TABLE_YAW + k * yaw_step, angle) : 0.0;
        of->exists = 1;
        for (int k = 0; k < YAWS; k++) {
            of->exists = of->exists && shift[k] > 0.0 && (k == 0 || fabs(shift[k] - shift[k - 1]) < 0.5 * dense_reach);
            least      = fmin(least, shift[k]);
            most       = fmax(most, shift[k]);
            shift[k] *= side_sign((kane_side)side);
        }
        kane_spline_fit_uniform(YAWS, 1.0, shift, KANE_SPLINE_NOT_A_KNOT, of->shift);
        // the spline leaves the nodes by little
        of->low  = side == 0 ? least - 1.1 * dense_reach : -(most + 1.1 * dense_reach);
        of->high = side == 0 ? most + 1.1 * dense_reach : -(least - 1.1 * dense_reach);
    }
    g->shifts = SHIFTS + (g->corner[0].exists + g->corner[1].exists) * DENSE;
    table_shift end;
    find_shift(g, -KANE_WHEELSET_TABLE_SHIFT, 0.0, &end);
    g->first    = end.t;
    g->inner[0] = g->corner[1].exists ? g->corner[1].high : -HUGE_VAL;
    g->inner[1] = g->corner[0].exists ? g->corner[0].low : HUGE_VAL;
    g->offset   = 0.5 * DENSE * shift_step * (g->corner[1].exists - g->corner[0].exists);
}

// Shift y of node i: root of t(y, yaw) = first + i shift_step, by bisection [m].
static double shift_of_node(const kane_wheelset_table *g, int i, double yaw)
{
    const double t = g->first + i * shift_step;
    double low = -KANE_WHEELSET_TABLE_SHIFT, high = KANE_WHEELSET_TABLE_SHIFT;
    for (int k = 0; k < 50; k++) {
        const double y = 0.5 * (low + high);
        table_shift at;
        find_shift(g, y, yaw, &at);
        if (at.t < t)
            low = y;
        else
            high = y;
    }
    return 0.5 * (low + high);
}

// Positions at all nodes, from the middle of the track to both sides, each from the one before; the yaw's other half by
// symmetry. Leaves the last shift and yaw, which are those of the failure if there is one.
static kane_status tabulate_nodes(kane_wheelset_table *g, const kane_contact *c, double *y_end, double *yaw_end)
{
    kane_gap contact_point[2];
    find_corners(g, c);
    for (int k = YAWS / 2; k < YAWS; k++) {
        const double yaw = -KANE_WHEELSET_TABLE_YAW + k * yaw_step;
        for (int direction = -1; direction <= 1; direction += 2) {
            double z = c->definition.radius[0], roll = 0.0;
            for (int i = g->shifts / 2; i >= 0 && i < g->shifts; i += direction) {
                const double y           = shift_of_node(g, i, yaw);
                const kane_status status = kane_rigid_position(c, y, yaw, &z, &roll, contact_point);
                *y_end                   = y;
                *yaw_end                 = yaw;
                if (status != KANE_OK)
                    return status;
                fill_node(c, y, yaw, z, roll, contact_point, &g->nodes[i][k]);
                mirror_node(&g->nodes[i][k], &g->nodes[i][YAWS - 1 - k]);
            }
        }
    }
    fit_splines(g);
    return KANE_OK;
}

// What places of contact depend on: wheels and rails of both sides, not the laws.
static table_key key_of(const kane_contact *c)
{
    table_key key = {0};
    kane_key_add(&key, "wheelset", 8);
    for (int side = 0; side < 2; side++) {
        const table_key pair = kane_table_key(c->pair[side]);
        kane_key_add(&key, pair.bytes, pair.size);
    }
    return key;
}

static kane_wheelset_table *create_table(const kane_contact *contact, const table_key *key, kane_errors *errors)
{
    kane_wheelset_table *g = kane_table_create(sizeof *g, key);
    if (!g) {
        kane_errors_add(errors, KANE_NO_MEMORY, "rigid contact functions: out of memory");
        return NULL;
    }
    double y, yaw;
    if (tabulate_nodes(g, contact, &y, &yaw) != KANE_OK) {
        kane_errors_add(errors, KANE_NOT_SOLVED,
                        "rigid contact functions: with these wheels and rails a wheelset cannot rest on both rails, "
                        "shifted by %.4g mm and yawed by %.4g mrad; it must up to %g mm and %g mrad",
                        1e3 * y, 1e3 * yaw, 1e3 * KANE_WHEELSET_TABLE_SHIFT, 1e3 * KANE_WHEELSET_TABLE_YAW);
        kane_table_release(g);
        return NULL;
    }
    kane_table_keep(contact->tables, g);
    return g;
}

kane_wheelset_table *kane_wheelset_table_create(const kane_contact *contact, kane_errors *errors)
{
    table_key key          = key_of(contact);
    kane_wheelset_table *g = kane_table_find(contact->tables, &key);
    if (!g)
        g = create_table(contact, &key, errors);
    kane_key_free(&key);
    return g;
}

void kane_wheelset_table_free(kane_wheelset_table *table)
{
    kane_table_release(table);
}

// Hermite's cubics at t in [0, 1], their d-th derivative:
//   h[0] = (1-t)^2 (1+2t),  h[1] = t (1-t)^2,  h[2] = t^2 (3-2t),  h[3] = -t^2 (1-t)
// weights of value and slope at t = 0, of value and slope at t = 1.
static void hermite_weights(double t, int d, double h[4])
{
    const double r = 1.0 - t;
    if (d == 0) {
        h[0] = r * r * (1.0 + 2.0 * t);
        h[1] = t * r * r;
        h[2] = t * t * (3.0 - 2.0 * t);
        h[3] = -t * t * r;
    } else if (d == 1) {
        h[0] = -6.0 * t * r;
        h[1] = r * (1.0 - 3.0 * t);
        h[2] = 6.0 * t * r;
        h[3] = t * (3.0 * t - 2.0);
    } else if (d == 2) {
        h[0] = 12.0 * t - 6.0;
        h[1] = 6.0 * t - 4.0;
        h[2] = 6.0 - 12.0 * t;
        h[3] = 6.0 * t - 2.0;
    } else {
        h[0] = 12.0;
        h[1] = 6.0;
        h[2] = -12.0;
        h[3] = 6.0;
    }
}

// out[f] = sum over the four nodes n and j of w[n][j] nodes[n].f[j][f], f < count: bicubic Hermite interpolation with
// the weights of shift and yaw. The functions are the inner loop's vector.
static inline void interpolate_functions(const table_node *const nodes[4], const double shift[4], const double yaw[4],
                                         int count, double *restrict out)
{
    double w[4][4];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < 4; j++)
                w[2 * i + k][j] = shift[2 * i + j % 2] * yaw[2 * k + j / 2];
    for (int f = 0; f < count; f++) {
        double s = 0.0;
        for (int n = 0; n < 4; n++)
            for (int j = 0; j < 4; j++)
                s += w[n][j] * nodes[n]->f[j][f];
        out[f] = s;
    }
}

// Derivatives of height and roll, first along the shift on both lines of nodes, then along the yaw: out[i][k] is the
// i-th by shift, the k-th by yaw, per step; i + k <= 2, the values themselves left out.
static void interpolate_derivatives(const table_node *const nodes[4], double shift[3][4], double yaw[3][4],
                                    double out[3][3][WHEEL])
{
    double line[3][4][WHEEL];
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < 2; j++)
                for (int f = 0; f < WHEEL; f++)
                    line[d][2 * k + j][f] =
                        shift[d][0] * nodes[k]->f[2 * j][f] + shift[d][1] * nodes[k]->f[2 * j + 1][f] +
                        (shift[d][2] * nodes[2 + k]->f[2 * j][f] + shift[d][3] * nodes[2 + k]->f[2 * j + 1][f]);
    for (int i = 0; i < 3; i++)
        for (int k = i ? 0 : 1; i + k < 3; k++)
            for (int f = 0; f < WHEEL; f++)
                out[i][k][f] = yaw[k][0] * line[i][0][f] + yaw[k][1] * line[i][1][f] +
                               (yaw[k][2] * line[i][2][f] + yaw[k][3] * line[i][3][f]);
}

// The cell of a place: its nodes, and how far in it is [1].
typedef struct table_cell {
    const table_node *nodes[4];
    double shift, yaw;
    table_shift by; // t at the place
} table_cell;

static kane_status find_cell(const kane_wheelset_table *g, double y, double yaw, table_cell *c)
{
    if (!(fabs(y) <= KANE_WHEELSET_TABLE_SHIFT && fabs(yaw) <= KANE_WHEELSET_TABLE_YAW))
        return KANE_RETRY;
    c->by.t        = y + g->offset;
    c->by.is_plain = 1;
    if (!(y > g->inner[0] && y < g->inner[1]))
        find_shift(g, y, yaw, &c->by);
    const double a = (c->by.t - g->first) / shift_step, b = (yaw + KANE_WHEELSET_TABLE_YAW) / yaw_step;
    const int i = a < g->shifts - 1 ? (int)a : g->shifts - 2, k = b < YAWS - 1 ? (int)b : YAWS - 2;
    c->nodes[0] = &g->nodes[i][k];
    c->nodes[1] = &g->nodes[i][k + 1];
    c->nodes[2] = &g->nodes[i + 1][k];
    c->nodes[3] = &g->nodes[i + 1][k + 1];
    c->shift    = a - i;
    c->yaw      = b - k;
    return KANE_OK;
}

// d[i][k], the i-th derivative by t and the k-th by yaw while t stays, becomes that by y and by yaw while y stays;
// i + k <= order.
static void turn_to_shift(const table_shift *s, int order, double d[4][4])
{
    const double f10 = d[1][0], f20 = d[2][0], f11 = d[1][1];
    const double by_w = f11 + f20 * s->w; // of f10, while y stays
    d[1][0]           = f10 * s->y;
    d[0][1] += f10 * s->w;
    if (order < 2)
        return;
    d[2][0] = f20 * s->y * s->y + f10 * s->yy;
    d[1][1] = by_w * s->y + f10 * s->yw;
    d[0][2] += (f11 + by_w) * s->w + f10 * s->ww;
    if (order < 3)
        return;
    const double f30 = d[3][0], f21 = d[2][1], f12 = d[1][2];
    const double f20_w = f21 + f30 * s->w, f11_w = f12 + f21 * s->w, by_ww = f11_w + f20_w * s->w + f20 * s->ww;
    d[3][0] = f30 * s->y * s->y * s->y + 3.0 * f20 * s->y * s->yy + f10 * s->yyy;
    d[2][1] = f20_w * s->y * s->y + 2.0 * f20 * s->y * s->yw + by_w * s->yy + f10 * s->yyw;
    d[1][2] = by_ww * s->y + 2.0 * by_w * s->yw + f10 * s->yww;
    d[0][3] += (f12 + f11_w + by_ww) * s->w + (f11 + 2.0 * by_w) * s->ww + f10 * s->www;
}

kane_status kane_wheelset_table_pose(const kane_wheelset_table *g, double y, double yaw, double twist, double *height,
                                     double *roll)
{
    table_cell c;
    double shift[4], turn[4], out[WHEEL];
    if (find_cell(g, y, yaw, &c) != KANE_OK)
        return KANE_RETRY;
    hermite_weights(c.shift, 0, shift);
    hermite_weights(c.yaw, 0, turn);
    interpolate_functions(c.nodes, shift, turn, WHEEL, out);
    *height = out[HEIGHT] + twist * out[TWIST_HEIGHT];
    *roll   = out[ROLL] + twist * out[TWIST_ROLL];
    return KANE_OK;
}

kane_status kane_wheelset_table_eval(const kane_wheelset_table *g, double y, double yaw, kane_wheelset_values *out)
{
    table_cell c;
    if (find_cell(g, y, yaw, &c) != KANE_OK)
        return KANE_RETRY;
    double shift[3][4], turn[3][4];
    for (int d = 0; d < 3; d++) {
        hermite_weights(c.shift, d, shift[d]);
        hermite_weights(c.yaw, d, turn[d]);
    }

    double all[FUNCTIONS], d[3][3][WHEEL];
    interpolate_functions(c.nodes, shift[0], turn[0], FUNCTIONS, all);
    interpolate_derivatives(c.nodes, shift, turn, d);
    const double per_y = 1.0 / shift_step, per_yaw = 1.0 / yaw_step;
    kane_wheelset_function *const wheelset[WHEEL] = {&out->height, &out->roll, &out->twist_height, &out->twist_roll};
    for (int f = 0; f < WHEEL; f++) {
        double by[4][4] = {{all[f], d[0][1][f] * per_yaw, d[0][2][f] * (per_yaw * per_yaw)},
                           {d[1][0][f] * per_y, d[1][1][f] * (per_y * per_yaw)},
                           {d[2][0][f] * (per_y * per_y)}};
        if (!c.by.is_plain)
            turn_to_shift(&c.by, 2, by);
        *wheelset[f] = (kane_wheelset_function){.value      = by[0][0],
                                                .by_y       = by[1][0],
                                                .by_yaw     = by[0][1],
                                                .by_y_y     = by[2][0],
                                                .by_y_yaw   = by[1][1],
                                                .by_yaw_yaw = by[0][2]};
    }
    const double *wheel[2] = {all + WHEEL, all + WHEEL + OF_A_WHEEL};
    double curvature[4]    = {wheel[0][LOG_A], wheel[0][LOG_B], wheel[1][LOG_A], wheel[1][LOG_B]};
    kane_exp_block(4, curvature);
    for (int side = 0; side < 2; side++) {
        const double *f        = wheel[side];
        const double length    = 1.0 / sqrt(1.0 + f[SLOPE] * f[SLOPE]);
        const kane_vec3 normal = kv3(0.0, f[SLOPE] * length, length), point = kv3(f[POINT_X], f[POINT_Y], f[POINT_Z]);
        out->contact_point[side] = (kane_gap){.direction = normal,
                                              .twist     = kv3_cross(point, normal),
                                              .point     = point,
                                              .normal    = normal,
                                              .A         = curvature[2 * side],
                                              .B         = curvature[2 * side + 1],
                                              .radius    = f[RADIUS],
                                              .wheel_y   = f[WHEEL_Y],
                                              .rail_y    = f[RAIL_Y]};
    }
    return KANE_OK;
}

// --- with slopes ---

// f(y, yaw) with its derivatives by both.
static kane_scalar function_of(kane_scalar y, kane_scalar yaw, double f, double by_y, double by_yaw)
{
    return ks_chain2(y, yaw, f, by_y, by_yaw);
}

// d[i][k]: the i-th derivative by y, the k-th by yaw.
static void functions_with_slopes(kane_scalar y, kane_scalar yaw, double d[4][4][FUNCTIONS], int f, table_scalars *out)
{
    out->value      = function_of(y, yaw, d[0][0][f], d[1][0][f], d[0][1][f]);
    out->by_y       = function_of(y, yaw, d[1][0][f], d[2][0][f], d[1][1][f]);
    out->by_yaw     = function_of(y, yaw, d[0][1][f], d[1][1][f], d[0][2][f]);
    out->by_y_y     = function_of(y, yaw, d[2][0][f], d[3][0][f], d[2][1][f]);
    out->by_y_yaw   = function_of(y, yaw, d[1][1][f], d[2][1][f], d[1][2][f]);
    out->by_yaw_yaw = function_of(y, yaw, d[0][2][f], d[1][2][f], d[0][3][f]);
}

kane_status kane_wheelset_table_follow(const kane_wheelset_table *g, kane_scalar y, kane_scalar yaw,
                                       wheelset_scalars *out)
{
    table_cell c;
    double shift[4][4], turn[4][4], d[4][4][FUNCTIONS];
    if (find_cell(g, ks_value(y), ks_value(yaw), &c) != KANE_OK)
        return KANE_RETRY;
    for (int i = 0; i < 4; i++) {
        hermite_weights(c.shift, i, shift[i]);
        hermite_weights(c.yaw, i, turn[i]);
    }
    double per_y = 1.0;
    for (int i = 0; i < 4; i++, per_y /= shift_step) {
        double per = per_y;
        for (int k = 0; i + k < 4; k++, per /= yaw_step) {
            const int count = i + k < 2 ? FUNCTIONS : WHEEL;
            interpolate_functions(c.nodes, shift[i], turn[k], count, d[i][k]);
            for (int f = 0; f < count; f++)
                d[i][k][f] *= per;
        }
    }
    for (int f = 0; f < FUNCTIONS && !c.by.is_plain; f++) {
        const int order = f < WHEEL ? 3 : 1;
        double by[4][4] = {{0.0}};
        for (int i = 0; i <= order; i++)
            for (int k = 0; i + k <= order; k++)
                by[i][k] = d[i][k][f];
        turn_to_shift(&c.by, order, by);
        for (int i = 0; i <= order; i++)
            for (int k = 0; i + k <= order; k++)
                d[i][k][f] = by[i][k];
    }
    for (int f = 0; f < WHEEL; f++)
        functions_with_slopes(y, yaw, d, f, &out->function[f]);
    for (int side = 0; side < 2; side++) {
        const int first = WHEEL + side * OF_A_WHEEL;
        kane_scalar f[OF_A_WHEEL];
        for (int k = 0; k < OF_A_WHEEL; k++)
            f[k] = function_of(y, yaw, d[0][0][first + k], d[1][0][first + k], d[0][1][first + k]);
        const kane_scalar length = ks_inverse(ks_sqrt(ks_shift(ks_square(f[SLOPE]), 1.0)));
        out->point[side]         = ks3(f[POINT_X], f[POINT_Y], f[POINT_Z]);
        out->normal[side]        = ks3(ks_constant(0.0), ks_mul(f[SLOPE], length), length);
        const kane_vec3 polar    = kv3(1.0, side_sign((kane_side)side), 1.0);
        out->spot[side]          = (gap_point){.point   = ks3_mul(polar, out->point[side]),
                                               .normal  = ks3_mul(polar, out->normal[side]),
                                               .A       = ks_exp(f[LOG_A]),
                                               .B       = ks_exp(f[LOG_B]),
                                               .radius  = f[RADIUS],
                                               .wheel_y = f[WHEEL_Y],
                                               .rail_y  = f[RAIL_Y]};
    }
    return KANE_OK;
}
