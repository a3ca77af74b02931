// SPDX-License-Identifier: MIT
// The smooth gap between a wheel and a rail of any profiles.

#include "contact/touch.h"
#include "contact/window.h"

// Nodes of the wheel so much less deep than the deepest do not count: their weight is below exp(-24).
static const double depths = 24.0;

// Places that are looked at, from each node to the next. The weights are bell curves of at least .5 mm (rail corners of
// 13 mm against a straight flank): a sum over places .5 mm apart is their integral to nine digits.
enum { places_per_node = 2 };

// A wheel farther from its rail than this does not touch it in the sense of a constraint [m].
static const double reach = 0.02;

// L of the formula, such that a gap whose relative radius of curvature is .3 m has no offset: sqrt(2 pi D .3 m) [m].
static const double unit_length = 6.139960247678931e-3;

// What the silhouette needs of a pose, with derivatives; names as in silhouette.h.
typedef struct moving_silhouette {
    jet T, c, C, S, eta, zeta;
} moving_silhouette;

static moving_silhouette silhouette_of(const pose_path *path, double radius)
{
    const wheel_pose *p = &path->pose;
    const jet y         = jet_coordinate(0, p->y, path->y_rate, path->y_bend);
    const jet z         = jet_coordinate(1, p->z, path->z_rate, path->z_bend);
    const jet ex        = jet_coordinate(2, p->axle.x, path->axle_rate.x, path->axle_bend.x);
    const jet ey        = jet_coordinate(3, p->axle.y, path->axle_rate.y, path->axle_bend.y);
    const jet ez        = jet_coordinate(4, p->axle.z, path->axle_rate.z, path->axle_bend.z);

    const jet c2 = jet_add(jet_mul(ey, ey), jet_mul(ez, ez)), c = jet_sqrt(c2), inverse = jet_inverse(c);
    const jet uy = jet_mul(ey, inverse), uz = jet_mul(ez, inverse), tau = jet_mul(ex, inverse);
    const jet C    = jet_add_scaled(jet_scale(KANE_TILT_COS, uy), KANE_TILT_SIN, uz);
    const jet S    = jet_add_scaled(jet_scale(KANE_TILT_COS, uz), -KANE_TILT_SIN, uy);
    const jet eta  = jet_add_scaled(jet_scale(KANE_TILT_COS, y), KANE_TILT_SIN, z);
    const jet zeta = jet_add_scaled(jet_scale(KANE_TILT_COS, z), -KANE_TILT_SIN, y);
    return (moving_silhouette){.T    = jet_mul(tau, tau),
                               .c    = c,
                               .C    = C,
                               .S    = S,
                               .eta  = jet_add_scaled(eta, radius, S),
                               .zeta = jet_add_scaled(zeta, -radius, C)};
}

// The overlap p = rail(eta) - zeta at one place of the wheel's profile: how it changes with what the silhouette needs, and
// along the path.
enum { BY_T, BY_c, BY_C, BY_S, BY_eta, BY_zeta, PARTS };

typedef struct place_overlap {
    double p, d, dd;
    double part[PARTS];
    double eta, slope, s;
} place_overlap;

static place_overlap overlap_of(const moving_silhouette *g, const wheel_table *wheel, const rail_table *rail, double s)
{
    double x, xr;
    const wheel_cell *w = wheel_cell_at(wheel, s, &x);
    const double f      = (w->f[0] + x * w->f[1]) + (x * x) * (w->f[2] + x * w->f[3]);
    const double R1     = (w->f[1] + x * (2.0 * w->f[2])) + (x * x) * (3.0 * w->f[3]);
    const double R = wheel->radius + f, RR1 = R * R1, R2 = R1 * R1;
    const jet *T = &g->T, *c = &g->c, *C = &g->C, *S = &g->S;

    // U = c (s - T R R'),  v = f - R (q/2 + q^2/8 + q^3/16),  q = T R'^2
    const double q = T->v * R2, U_c = s - T->v * RR1, U_T = -c->v * RR1, U = c->v * U_c;
    const double v = f - R * q * (0.5 + q * (0.125 + q * 0.0625)), v_T = -R * R2 * (0.5 + q * (0.25 + q * 0.1875));
    const double v_TT = -R * R2 * R2 * (0.25 + 0.375 * q);
    const double U_d = c->d * U_c + U_T * T->d, U_dd = c->dd * U_c - 2.0 * c->d * T->d * RR1 + U_T * T->dd;
    const double v_d = v_T * T->d, v_dd = v_T * T->dd + v_TT * T->d * T->d;

    // eta = eta0 + U C + v S,  zeta = zeta0 + U S - v C
    const double eta = g->eta.v + U * C->v + v * S->v, zeta = g->zeta.v + U * S->v - v * C->v;
    const double eta_d  = g->eta.d + U_d * C->v + U * C->d + v_d * S->v + v * S->d;
    const double zeta_d = g->zeta.d + U_d * S->v + U * S->d - v_d * C->v - v * C->d;
    const double eta_dd =
        g->eta.dd + U_dd * C->v + 2.0 * U_d * C->d + U * C->dd + v_dd * S->v + 2.0 * v_d * S->d + v * S->dd;
    const double zeta_dd =
        g->zeta.dd + U_dd * S->v + 2.0 * U_d * S->d + U * S->dd - v_dd * C->v - 2.0 * v_d * C->d - v * C->dd;

    const rail_cell *r = rail_cell_at(rail, eta, &xr);
    const double slope = rail_slope(r, xr), bend = 2.0 * r->z[2] + 6.0 * xr * r->z[3];
    return (place_overlap){.p     = rail_height(r, xr) - zeta,
                           .d     = slope * eta_d - zeta_d,
                           .dd    = slope * eta_dd + bend * eta_d * eta_d - zeta_dd,
                           .part  = {[BY_T]    = slope * (U_T * C->v + v_T * S->v) - (U_T * S->v - v_T * C->v),
                                     [BY_c]    = U_c * (slope * C->v - S->v),
                                     [BY_C]    = slope * U + v,
                                     [BY_S]    = slope * v - U,
                                     [BY_eta]  = slope,
                                     [BY_zeta] = -1.0},
                           .eta   = eta,
                           .slope = slope,
                           .s     = s};
}

// Weighted sums over the places.
typedef struct sums {
    double weight, eta, eta2, slope, s;
    double part[PARTS], d, dd; // of p; dd: second derivative + first^2/D
} sums;

static void add_place(const place_overlap *o, double top, sums *m)
{
    const double w = exp((o->p - top) / KANE_TOUCH_DEPTH);
    m->weight += w;
    m->eta += w * o->eta;
    m->eta2 += w * o->eta * o->eta;
    m->slope += w * o->slope;
    m->s += w * o->s;
    m->d += w * o->d;
    m->dd += w * (o->dd + o->d * o->d / KANE_TOUCH_DEPTH);
    for (int i = 0; i < PARTS; i++)
        m->part[i] += w * o->part[i];
}

static void fill_gap(const moving_silhouette *g, const sums *m, double top, double spacing, jet *gap)
{
    const jet *parts[PARTS] = {&g->T, &g->c, &g->C, &g->S, &g->eta, &g->zeta};
    const double per_weight = 1.0 / m->weight, d = m->d * per_weight;
    gap->v  = -top - KANE_TOUCH_DEPTH * log(m->weight * spacing / unit_length);
    gap->d  = -d;
    gap->dd = -(m->dd * per_weight - d * d / KANE_TOUCH_DEPTH);
    for (int i = 0; i < KANE_POSE; i++) {
        gap->g[i] = 0.0;
        for (int k = 0; k < PARTS; k++)
            gap->g[i] -= m->part[k] * per_weight * parts[k]->g[i];
    }
}

// The contact point at the mean place, its normal by the mean slope; B from how far the places spread: for a parabola of
// curvature k their variance is D/k.
static void fill_place(const silhouette *g, const sums *m, touch_place *place)
{
    const double s = m->s / m->weight, eta = m->eta / m->weight, slope = m->slope / m->weight;
    const double spread = m->eta2 / m->weight - eta * eta;
    const overlap o     = overlap_at(g, s);
    double x;
    const wheel_cell *w = wheel_cell_at(g->wheel, s, &x);
    const double V      = g->wheel->radius + o.v,
                 R      = g->wheel->radius + w->f[0] + x * (w->f[1] + x * (w->f[2] + x * w->f[3]));
    const double cosine = 1.0 / sqrt(1.0 + slope * slope), meridian = 1.0 + o.R1 * o.R1;

    place->point = kv3(g->ex * (s + o.RR1), o.U * g->uy + V * g->uz, o.U * g->uz - V * g->uy);
    place->normal =
        kv3(0.0, -cosine * (slope * KANE_TILT_COS + KANE_TILT_SIN), cosine * (KANE_TILT_COS - slope * KANE_TILT_SIN));
    place->radius  = R;
    place->wheel_y = s;
    place->rail_y  = o.eta * KANE_TILT_COS - o.rail * KANE_TILT_SIN;
    place->A       = 0.5 * (1.0 - g->ex * g->ex * meridian) / (R * sqrt(meridian));
    place->B       = 0.5 * KANE_TOUCH_DEPTH / spread * cosine * cosine * cosine;
}

int kane_touch_profiles(const wheel_table *wheel, const rail_table *rail, const pose_path *path, touch_place *place)
{
    const silhouette g        = silhouette_init(wheel, rail, &path->pose);
    const moving_silhouette m = silhouette_of(path, wheel->radius);
    const wheel_nodes *nodes  = &wheel->nodes;
    double p[KANE_WHEEL_NODES], top = -1.0;
    kane_window_scan(&g, 0, nodes->count - 1, p);
    for (int i = 0; i < nodes->count; i++)
        top = fmax(top, p[i]);
    if (!(top > -reach))
        return 0;

    sums sum = {0};
    for (int i = 0; i < nodes->count; i++) {
        if (p[i] < top - depths * KANE_TOUCH_DEPTH)
            continue;
        for (int k = 0; k < places_per_node; k++) {
            const place_overlap o = overlap_of(&m, wheel, rail, nodes->s[i] + k * nodes->distance / places_per_node);
            add_place(&o, top, &sum);
        }
    }
    fill_gap(&m, &sum, top, nodes->distance / places_per_node, &place->gap);
    fill_place(&g, &sum, place);
    return 1;
}

int kane_touch_cone(const cone_pair *pair, const pose_path *path, touch_place *place)
{
    const wheel_pose *p = &path->pose;
    const double l = pair->conicity, r = pair->radius, length = 1.0 / sqrt(1.0 + l * l);
    const jet y  = jet_coordinate(0, p->y, path->y_rate, path->y_bend);
    const jet z  = jet_coordinate(1, p->z + pair->head_radius, path->z_rate, path->z_bend);
    const jet ex = jet_coordinate(2, p->axle.x, path->axle_rate.x, path->axle_bend.x);
    const jet ey = jet_coordinate(3, p->axle.y, path->axle_rate.y, path->axle_bend.y);
    const jet ez = jet_coordinate(4, p->axle.z, path->axle_rate.z, path->axle_bend.z);

    // as in cone.c
    const jet c2 = jet_add(jet_mul(ey, ey), jet_mul(ez, ez)), per_c2 = jet_inverse(c2);
    const jet sine = jet_scale(-l, jet_mul(ex, per_c2)), square = jet_mul(sine, sine);
    const jet cosine = jet_sqrt(jet_sub(per_c2, square));
    const jet dy     = jet_sub(jet_mul(cosine, ez), jet_mul(sine, jet_mul(ex, ey)));
    const jet dz     = jet_scale(-1.0, jet_add(jet_mul(cosine, ey), jet_mul(sine, jet_mul(ex, ez))));
    const jet ny = jet_scale(length, jet_add_scaled(dy, l, ey)), nz = jet_scale(length, jet_add_scaled(dz, l, ez));
    const jet distance =
        jet_scale(-1.0, jet_add(jet_mul(ny, jet_add_scaled(y, r, dy)), jet_mul(nz, jet_add_scaled(z, r, dz))));

    const kane_vec3 e = p->axle, d = kv3(-l * e.x, dy.v, dz.v);
    const double along = ny.v * (e.z - l * d.z) - nz.v * (e.y - l * d.y);
    const double s     = -(ny.v * (z.v + r * d.z) - nz.v * (y.v + r * d.y)) / along;
    const double R = r - l * s, gx = e.x * length * (1.0 + l * l);
    if (!(fabs(s) <= pair->half_width && R > 0.0))
        return 0;
    *place = (touch_place){.gap     = jet_sub(distance, jet_constant(pair->head_radius)),
                           .point   = kv3(s * e.x + R * d.x, s * e.y + R * d.y, s * e.z + R * d.z),
                           .normal  = kv3(0.0, -ny.v, -nz.v),
                           .A       = 0.5 * length * (1.0 - gx * gx) / R,
                           .B       = 0.5 / pair->head_radius,
                           .radius  = R,
                           .wheel_y = s,
                           .rail_y  = -pair->head_radius * ny.v};
    return 1;
}
