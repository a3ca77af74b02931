// SPDX-License-Identifier: MIT
// The wagon: contact, suspension, drive, equations, integration.

#include "plain_wagon.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const double radius_span = 2e-3; // Hertz' factor is joined over wheel radii within this of the running circle's

static double line_function_at(const plain_course *c, double t)
{
    if (c->count == 0 || t <= c->time[0])
        return c->count ? c->value[0] : 0.0;
    for (int i = 1; i < c->count; i++)
        if (t <= c->time[i])
            return c->value[i - 1] +
                   (c->value[i] - c->value[i - 1]) * (t - c->time[i - 1]) / (c->time[i] - c->time[i - 1]);
    return c->value[c->count - 1];
}

// --- attitude ---

// Columns: the body's axes.
typedef struct axes {
    plain_vec a[3];
} axes;

static axes axes_of(const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    return (axes){{{w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
                   {2.0 * (x * y - w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z + w * x)},
                   {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z}}};
}

static plain_vec out_of(const axes *R, plain_vec a)
{
    return plain_add(plain_scale(a.x, R->a[0]), plain_add(plain_scale(a.y, R->a[1]), plain_scale(a.z, R->a[2])));
}

static plain_vec into(const axes *R, plain_vec a)
{
    return (plain_vec){plain_dot(R->a[0], a), plain_dot(R->a[1], a), plain_dot(R->a[2], a)};
}

static plain_vec times(plain_vec a, plain_vec b)
{
    return (plain_vec){a.x * b.x, a.y * b.y, a.z * b.z};
}

// --- Hertz ---

// An ellipse with semi-axes a >= b, e^2 = 1 - b^2/a^2, in a gap A x^2 + B y^2 with A <= B (K. L. Johnson, Contact
// Mechanics, 4.26):  A = p0 b/(E* e^2 a^2) (K - E),  B = p0 b/(E* e^2 a^2) (a^2/b^2 E - K),  d = p0 b K/E*,  N = 2/3 pi
// a b p0
double plain_hertz(double A, double B, double E_star)
{
    enum { POINTS = 400 };
    double low = 1e-3, high = 1.0, K = 0.0, E = 0.0;
    if (A > B)
        return plain_hertz(B, A, E_star);
    for (int i = 0; i < 60; i++) {
        const double ratio = 0.5 * (low + high), e2 = 1.0 - ratio * ratio; // b/a
        K = E = 0.0;
        for (int k = 0; k < POINTS; k++) { // rectangles: exact to round-off for what is periodic
            const double sine = sin(0.5 * pi * (k + 0.5) / POINTS), root = sqrt(1.0 - e2 * sine * sine);
            K += 0.5 * pi / POINTS / root;
            E += 0.5 * pi / POINTS * root;
        }
        if (E / (ratio * ratio) - K > B / A * (K - E))
            low = ratio;
        else
            high = ratio;
    }
    const double ratio = 0.5 * (low + high), e2 = 1.0 - ratio * ratio;
    const double a =
        e2 > 1e-9 ? sqrt((K - E) / (A * e2 * K)) : sqrt(0.5 / A); // for d = 1; the limit is that of spheres
    return 2.0 / 3.0 * pi * E_star * a / K;
}

// At a radius of the wheel: the parabola through three.
static double hertz_factor(const plain_wagon *w, double radius)
{
    const double x = (radius - w->hertz_radius) / radius_span;
    return w->hertz[1] + 0.5 * x * (w->hertz[2] - w->hertz[0]) +
           0.5 * x * x * (w->hertz[2] - 2.0 * w->hertz[1] + w->hertz[0]);
}

// --- wheel and rail ---

// A cone: middle of its running circle, unit vector along its axis to the outside.
typedef struct cone {
    plain_vec centre, axis;
    double radius, conicity;
} cone;

// How far a point is outside of the cone, and how that changes along a curve through the point.
//   D = (rho - (r - l x)) / sqrt(1 + l^2),   x along the axis, rho from it
static double outside(const cone *c, const plain_vec d[4], double *slope, double *bend, plain_vec *down)
{
    const plain_vec p    = plain_sub(d[0], c->centre);
    const double x       = plain_dot(p, c->axis);
    const plain_vec from = plain_sub(p, plain_scale(x, c->axis));
    const double rho = sqrt(plain_dot(from, from)), per = 1.0 / sqrt(1.0 + c->conicity * c->conicity);
    *down             = plain_scale(1.0 / rho, from);
    const double away = plain_dot(*down, d[1]), along = plain_dot(c->axis, d[1]);
    const double turn = (plain_dot(d[1], d[1]) - along * along - away * away) / rho;
    *slope            = per * (away + c->conicity * along);
    *bend             = per * (turn + plain_dot(*down, d[2]) + c->conicity * plain_dot(c->axis, d[2]));
    return per * (rho - (c->radius - c->conicity * x));
}

// Nearest point of a curve within a section, from s on by Newton's method.
static double nearest(const plain_line *line, int section, int curve, const cone *c, double *s)
{
    const double first = line->border[section], last = line->border[section + 1];
    plain_vec d[4], down;
    double D = 0.0, slope, bend;
    *s       = fmin(fmax(*s, first), last);
    for (int i = 0; i < 30; i++) {
        plain_line_at(line, section, curve, *s, d);
        D                 = outside(c, d, &slope, &bend, &down);
        const double next = fmin(fmax(*s - slope / bend, first), last), step = fabs(next - *s);
        if (step < 1e-12)
            break;
        *s = next;
        if (step < 1e-8) { // what is left is its square
            plain_line_at(line, section, curve, *s, d);
            D = outside(c, d, &slope, &bend, &down);
            break;
        }
    }
    return D;
}

// The deepest contact: near a border the sections on both sides are looked at, each as far as it goes.
static double find(const plain_line *line, int curve, const cone *c, int *section, double *s)
{
    const double near = 0.05;
    int home          = plain_line_section(line, *s);
    double at = *s, D = nearest(line, home, curve, c, &at);
    *section = home;
    *s       = at;
    for (int side = -1; side <= 1; side += 2) {
        const int other     = home + side;
        const double border = line->border[side < 0 ? home : home + 1];
        if (other < 0 || other >= line->section_count || fabs(at - border) > near)
            continue;
        double there      = border;
        const double here = nearest(line, other, curve, c, &there);
        if (here < D) {
            D        = here;
            *section = other;
            *s       = there;
        }
    }
    return D;
}

// --- forces ---

// Force and torque about the mass centre on each body, axes at rest; powers of what takes or gives energy.
typedef struct forces {
    axes R[PLAIN_BODIES];
    plain_vec w[PLAIN_BODIES]; // angular velocity
    plain_vec F[PLAIN_BODIES], T[PLAIN_BODIES];
    double power[3];          // supplied, damped, slipped [W]
    double springs, contacts; // energy [J]
} forces;

static void push(forces *f, const plain_body *b, int body, plain_vec point, plain_vec force)
{
    f->F[body] = plain_add(f->F[body], force);
    f->T[body] = plain_add(f->T[body], plain_cross(plain_sub(point, b[body].r), force));
}

static plain_vec velocity(const forces *f, const plain_body *b, int body, plain_vec point)
{
    return plain_add(b[body].v, plain_cross(f->w[body], plain_sub(point, b[body].r)));
}

// N (1 + d w) without adhesion: from a half down the factor goes to zero by a parabola.
static double dissipate(double x)
{
    return x >= -0.5 ? 1.0 + x : x > -1.5 ? 0.5 * (x + 1.5) * (x + 1.5) : 0.0;
}

static double saturation(double F, double limit)
{
    const double u = limit > 0.0 ? F / limit : 0.0;
    return limit > 0.0 ? u < 3.0 ? 1.0 - u / 3.0 + u * u / 27.0 : 1.0 / u : 0.0;
}

// One wheel of axle 0 (leading) or 1, side 0 (left) or 1.
static void press(const plain_wagon *w, const plain_body *b, forces *f, int axle, int side, plain_contact *k)
{
    const plain_wagon_definition *d = &w->d;
    const int body = PLAIN_LEADING + axle, curve = side == 0 ? PLAIN_LEFT : PLAIN_RIGHT;
    const double outward = side == 0 ? 1.0 : -1.0;
    const plain_vec axis = plain_scale(outward, f->R[body].a[1]);
    const cone c         = {plain_add(b[body].r, plain_scale(d->wheel_side, axis)), axis, d->radius, d->conicity};
    const double D       = find(d->line, curve, &c, &k->section, &k->s);
    k->approach          = d->line->head_radius - D;
    k->force             = (plain_vec){0.0, 0.0, 0.0};
    k->N = k->Q = k->Y = 0.0;
    if (k->approach <= 0.0)
        return;

    // the normal from the rail into the wheel, and the foot of it on the cone, where forces act
    plain_vec at[4], down, origin, track[3];
    double slope, bend;
    plain_line_at(d->line, k->section, curve, k->s, at);
    (void)outside(&c, at, &slope, &bend, &down);
    const double per  = 1.0 / sqrt(1.0 + c.conicity * c.conicity);
    const plain_vec n = plain_scale(-per, plain_add(down, plain_scale(c.conicity, axis)));
    k->point          = plain_add(at[0], plain_scale(D, n));
    const double x = plain_dot(plain_sub(k->point, c.centre), axis), radius = c.radius - c.conicity * x;

    // N = factor approach^3/2, the factor of half the curvatures 1/(2 R) cos along and 1/(2 R_head) across
    const double elastic = hertz_factor(w, radius) * k->approach * sqrt(k->approach);
    const plain_vec v    = velocity(f, b, body, k->point);
    k->N                 = elastic * dissipate(-d->dissipation * plain_dot(v, n));
    f->contacts += 0.4 * elastic * k->approach;

    // creepages: along the rail and across it, over the mean of running and rolling speed
    const plain_vec t = plain_unit(plain_sub(at[1], plain_scale(plain_dot(at[1], n), n))), y = plain_cross(n, t);
    const double vx = plain_dot(v, t), vy = plain_dot(v, y);
    const double m = plain_dot(velocity(f, b, body, c.centre), t) - 0.5 * vx, V = sqrt(m * m + d->slow * d->slow);
    const double xi_x = vx / V, xi_y = vy / V, phi = plain_dot(f->w[body], n) / V, way = m / V;
    const plain_creep *law = &d->creep;
    double Tx = -law->f11 * xi_x, Ty = -(law->f22 * xi_y + way * law->f23 * phi);
    double M           = way * law->f23 * xi_y - law->f33 * phi;
    const double share = saturation(sqrt(Tx * Tx + Ty * Ty), law->friction * k->N);
    Tx *= share;
    Ty *= share;
    M *= share;

    k->force = plain_add(plain_scale(k->N, n), plain_add(plain_scale(Tx, t), plain_scale(Ty, y)));
    push(f, b, body, k->point, k->force);
    f->T[body] = plain_add(f->T[body], plain_scale(M, n));
    f->power[2] -= Tx * vx + Ty * vy + M * plain_dot(f->w[body], n) + (k->N - elastic) * plain_dot(v, n);

    // normal to the track plane: at right angles to the rail and to what joins the rails
    plain_line_axes(d->line, k->section, k->s, &origin, track);
    const plain_vec rail = plain_unit(at[1]);
    const plain_vec left = plain_unit(plain_sub(track[1], plain_scale(plain_dot(track[1], rail), rail)));
    k->Q                 = plain_dot(k->force, plain_cross(rail, left));
    k->Y                 = plain_dot(k->force, left);
}

// One spring with its damper, along the car's axes; acts at the axle's point, on the car reversed at the same place.
static void spring(const plain_wagon *w, const plain_body *b, forces *f, int axle, double side)
{
    const plain_wagon_definition *d = &w->d;
    const int body                  = PLAIN_LEADING + axle;
    const double forward            = axle == 0 ? d->half_base : -d->half_base;
    const axes *car                 = &f->R[PLAIN_CAR];
    const plain_vec load            = {0.0, 0.0, -0.25 * d->mass[0] * d->gravity}; // on the axle: a quarter of the car
    const plain_vec seat            = {forward, side, d->radius - d->car_height};
    const plain_vec still           = {0.0, 0.0, w->rest[body] - d->radius}; // from seat to axle, at rest
    const plain_vec from            = plain_add(b[PLAIN_CAR].r, out_of(car, seat));
    const plain_vec to              = plain_add(b[body].r, plain_scale(side, f->R[body].a[1]));
    const plain_vec way             = plain_sub(to, from);
    const plain_vec e               = plain_sub(into(car, way), still);
    const plain_vec rate    = plain_sub(velocity(f, b, body, to), velocity(f, b, PLAIN_CAR, to)); // seen from the car
    const plain_vec e_rate  = into(car, rate);
    const plain_vec damped  = times(d->damping, e_rate);
    const plain_vec on_axle = plain_sub(load, plain_add(times(d->stiffness, e), damped));
    const plain_vec force   = out_of(car, on_axle);
    push(f, b, body, to, force);
    push(f, b, PLAIN_CAR, to, plain_scale(-1.0, force));
    f->power[1] += plain_dot(damped, e_rate);
    f->springs += 0.5 * plain_dot(times(d->stiffness, e), e) - plain_dot(load, e);
}

static double place_of(const plain_line *line, plain_vec r, double s, int *section)
{
    plain_vec d[4];
    for (int i = 0; i < 30; i++) {
        *section = plain_line_section(line, s);
        plain_line_at(line, *section, PLAIN_CENTRE, s, d);
        const plain_vec rest = plain_sub(r, d[0]);
        const double step    = plain_dot(rest, d[1]) / (plain_dot(d[1], d[1]) - plain_dot(rest, d[2]));
        s += step;
        if (fabs(step) < 1e-13)
            break;
    }
    return s;
}

// Distance, speed and acceleration along the line of a prescribed motion.
static double travel(const plain_wagon_definition *d, double t, double *v)
{
    *v = d->speed + d->acceleration * t;
    return d->start + (d->speed + 0.5 * d->acceleration * t) * t;
}

// The force along the line's tangent t that keeps the car's mass centre in its plane, ((r - O).t)'' = 0:
//   r''.t = O''.t - 2 (r' - O').t' - (r - O).t''
static double hold(const plain_wagon *w, const plain_body *car, plain_vec F, double time, plain_vec *tangent)
{
    double v;
    plain_vec d[4];
    const double a = w->d.acceleration, s = travel(&w->d, time, &v);
    plain_line_at(w->d.line, w->plane, PLAIN_CENTRE, s, d);
    *tangent           = d[1];
    const plain_vec O1 = plain_scale(v, d[1]);
    const plain_vec O2 = plain_add(plain_scale(a, d[1]), plain_scale(v * v, d[2]));
    const plain_vec t1 = plain_scale(v, d[2]);
    const plain_vec t2 = plain_add(plain_scale(a, d[2]), plain_scale(v * v, d[3]));
    const double wanted =
        plain_dot(O2, d[1]) - 2.0 * plain_dot(plain_sub(car->v, O1), t1) - plain_dot(plain_sub(car->r, d[0]), t2);
    return w->d.mass[0] * wanted - plain_dot(F, d[1]);
}

static void drive(const plain_wagon *w, const plain_body *b, forces *f, double t, double *pull)
{
    const plain_wagon_definition *d = &w->d;
    const double torque             = line_function_at(&d->brake, t);
    for (int body = PLAIN_LEADING; body < PLAIN_BODIES && torque != 0.0; body++) {
        const plain_vec axle = f->R[body].a[1];
        const double spin    = plain_dot(axle, plain_sub(f->w[body], f->w[PLAIN_CAR]));
        const double brake   = -torque * tanh(spin / d->brake_spin);
        f->T[body]           = plain_add(f->T[body], plain_scale(brake, axle));
        f->T[PLAIN_CAR]      = plain_sub(f->T[PLAIN_CAR], plain_scale(brake, axle));
        f->power[0] += brake * spin;
    }
    plain_vec tangent, d1[4];
    double force = line_function_at(&d->force, t);
    if (d->is_prescribed) {
        force = hold(w, &b[PLAIN_CAR], f->F[PLAIN_CAR], t, &tangent);
        *pull = force;
    } else {
        int section;
        const double s = place_of(d->line, b[PLAIN_CAR].r, 0.5 * (w->contact[0][0].s + w->contact[1][0].s), &section);
        plain_line_at(d->line, section, PLAIN_CENTRE, s, d1);
        tangent = d1[1];
    }
    f->F[PLAIN_CAR] = plain_add(f->F[PLAIN_CAR], plain_scale(force, tangent));
    f->power[0] += force * plain_dot(tangent, b[PLAIN_CAR].v);
}

static void apply(const plain_wagon *w, const plain_body *b, double t, plain_contact contact[2][2], forces *f,
                  double *pull)
{
    memset(f, 0, sizeof *f);
    for (int body = 0; body < PLAIN_BODIES; body++) {
        f->R[body]   = axes_of(b[body].q);
        f->w[body]   = out_of(&f->R[body], b[body].w);
        f->F[body].z = -w->d.gravity * w->d.mass[body > 0];
    }
    for (int axle = 0; axle < 2; axle++)
        for (int side = 0; side < 2; side++) {
            press(w, b, f, axle, side, &contact[axle][side]);
            spring(w, b, f, axle, side == 0 ? w->d.spring_side : -w->d.spring_side);
        }
    drive(w, b, f, t, pull);
}

// --- integration ---

typedef struct rates {
    plain_body body[PLAIN_BODIES];
    double power[3];
} rates;

static void evaluate(plain_wagon *w, const plain_body *b, double t, rates *out)
{
    forces f;
    apply(w, b, t, w->contact, &f, &w->pull);
    for (int body = 0; body < PLAIN_BODIES; body++) {
        const plain_vec J = w->d.inertia[body > 0], W = b[body].w, T = into(&f.R[body], f.T[body]);
        const plain_vec gyro = plain_cross(W, times(J, W));
        const double *q      = b[body].q;
        plain_body *rate     = &out->body[body];
        rate->r              = b[body].v;
        rate->v              = plain_scale(1.0 / w->d.mass[body > 0], f.F[body]);
        rate->w              = (plain_vec){(T.x - gyro.x) / J.x, (T.y - gyro.y) / J.y, (T.z - gyro.z) / J.z};
        rate->q[0]           = -0.5 * (q[1] * W.x + q[2] * W.y + q[3] * W.z);
        rate->q[1]           = 0.5 * (q[0] * W.x + q[2] * W.z - q[3] * W.y);
        rate->q[2]           = 0.5 * (q[0] * W.y + q[3] * W.x - q[1] * W.z);
        rate->q[3]           = 0.5 * (q[0] * W.z + q[1] * W.y - q[2] * W.x);
    }
    memcpy(out->power, f.power, sizeof out->power);
}

static plain_body moved(const plain_body *b, double h, const plain_body *rate)
{
    plain_body c = {.r = plain_add(b->r, plain_scale(h, rate->r)),
                    .v = plain_add(b->v, plain_scale(h, rate->v)),
                    .w = plain_add(b->w, plain_scale(h, rate->w))};
    for (int i = 0; i < 4; i++)
        c.q[i] = b->q[i] + h * rate->q[i];
    return c;
}

// Onto its plane's speed, which jumps where the line's curvature does: what that takes or gives is the drive's.
static void project(plain_wagon *w)
{
    double v;
    plain_vec d[4];
    const double s = travel(&w->d, w->t, &v);
    w->plane       = plain_line_section(w->d.line, s);
    plain_line_at(w->d.line, w->plane, PLAIN_CENTRE, s, d);
    plain_body *car       = &w->body[PLAIN_CAR];
    const plain_vec miss  = plain_sub(car->v, plain_scale(v, d[1]));
    const double too_fast = plain_dot(miss, d[1]) + v * plain_dot(plain_sub(car->r, d[0]), d[2]);
    const double before   = plain_dot(car->v, car->v);
    car->v                = plain_sub(car->v, plain_scale(too_fast, d[1]));
    w->work[0] += 0.5 * w->d.mass[0] * (plain_dot(car->v, car->v) - before);
}

void plain_wagon_go(plain_wagon *w, double h, int count)
{
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    for (int i = 0; i < count; i++) {
        plain_body next[PLAIN_BODIES], stage[PLAIN_BODIES];
        rates k = {0};
        memcpy(next, w->body, sizeof next);
        for (int j = 0; j < 4; j++) {
            for (int body = 0; body < PLAIN_BODIES; body++)
                stage[body] = moved(&w->body[body], part[j] * h, &k.body[body]);
            evaluate(w, stage, w->t + part[j] * h, &k);
            for (int body = 0; body < PLAIN_BODIES; body++)
                next[body] = moved(&next[body], weight[j] * h / 6.0, &k.body[body]);
            for (int p = 0; p < 3; p++)
                w->work[p] += weight[j] * h / 6.0 * k.power[p];
        }
        memcpy(w->body, next, sizeof next);
        for (int body = 0; body < PLAIN_BODIES; body++) {
            double *q         = w->body[body].q;
            const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (int c = 0; c < 4; c++)
                q[c] /= norm;
        }
        w->t += h;
        if (w->d.is_prescribed)
            project(w);
    }
    rates k;
    evaluate(w, w->body, w->t, &k);
}

// --- start ---

// Height of an axle whose wheels together bear `load` on straight level track, rolling at the speed of the start (spin
// pushes both to the outside, and a little up); *rolling gets the height over the contact, which is its rolling radius.
static double stand(plain_wagon *w, double load, double *rolling)
{
    const plain_wagon_definition *d = &w->d;
    double low = d->radius - 2e-3, high = d->radius + 2e-3;
    *rolling = d->radius;
    for (int i = 0; i < 60; i++) {
        const double z             = 0.5 * (low + high);
        plain_body b[PLAIN_BODIES] = {{.q = {1.0}}, {.q = {1.0}}, {.q = {1.0}}};
        forces f;
        memset(&f, 0, sizeof f);
        for (int body = 0; body < PLAIN_BODIES; body++)
            f.R[body] = axes_of(b[body].q);
        b[PLAIN_LEADING].r = (plain_vec){d->start, 0.0, z};
        b[PLAIN_LEADING].v = (plain_vec){d->speed, 0.0, 0.0};
        f.w[PLAIN_LEADING] = (plain_vec){0.0, d->speed / *rolling, 0.0};
        for (int side = 0; side < 2; side++) {
            w->contact[0][side].s = d->start;
            press(w, b, &f, 0, side, &w->contact[0][side]);
        }
        if (w->contact[0][0].approach > 0.0)
            *rolling = z - w->contact[0][0].point.z;
        if (f.F[PLAIN_LEADING].z > load)
            low = z;
        else
            high = z;
    }
    return 0.5 * (low + high);
}

void plain_wagon_start(plain_wagon *w, const plain_wagon_definition *d)
{
    const double per = 1.0 / sqrt(1.0 + d->conicity * d->conicity), E_star = d->shear_modulus / (1.0 - d->poisson);
    double rolling;
    *w = (plain_wagon){.d = *d, .hertz_radius = d->radius};
    for (int i = 0; i < 3; i++)
        w->hertz[i] = plain_hertz(0.5 * per / (d->radius + (i - 1) * radius_span), 0.5 / d->line->head_radius, E_star);

    const double axle  = stand(w, (0.5 * d->mass[0] + d->mass[1]) * d->gravity, &rolling);
    w->rest[PLAIN_CAR] = d->car_height;
    for (int body = 0; body < PLAIN_BODIES; body++) {
        if (body > 0)
            w->rest[body] = axle;
        const double x = body == PLAIN_CAR ? 0.0 : body == PLAIN_LEADING ? d->half_base : -d->half_base;
        w->body[body]  = (plain_body){.r = {d->start + x, 0.0, w->rest[body]},
                                      .q = {1.0, 0.0, 0.0, 0.0},
                                      .v = {d->speed, 0.0, 0.0},
                                      .w = {0.0, body > 0 ? d->speed / rolling : 0.0, 0.0}};
        for (int side = 0; side < 2 && body > 0; side++)
            w->contact[body - PLAIN_LEADING][side].s = d->start + x;
    }
    w->plane = plain_line_section(d->line, d->start);
    rates k;
    evaluate(w, w->body, 0.0, &k);
}

// --- what it tells ---

void plain_wagon_relative(const plain_wagon *w, int body, int section, double s, double q[6])
{
    plain_vec origin, e[3];
    plain_line_axes(w->d.line, section, s, &origin, e);
    const axes R      = axes_of(w->body[body].q);
    const plain_vec r = plain_sub(w->body[body].r, origin), x = R.a[0], y = R.a[1], z = R.a[2];
    for (int i = 0; i < 3; i++)
        q[i] = plain_dot(r, e[i]);
    // y = (-sin(yaw) cos(roll), cos(yaw) cos(roll), sin(roll));  third components of x and z are cos(roll) (-sin,
    // cos)(pitch)
    q[3] = atan2(-plain_dot(y, e[0]), plain_dot(y, e[1]));
    q[4] = asin(plain_dot(y, e[2]));
    q[5] = atan2(-plain_dot(x, e[2]), plain_dot(z, e[2]));
}

double plain_wagon_place(const plain_wagon *w, int body)
{
    int section;
    const int axle = body == PLAIN_TRAILING;
    const double s = body == PLAIN_CAR ? 0.5 * (w->contact[0][0].s + w->contact[1][0].s) : w->contact[axle][0].s;
    return place_of(w->d.line, w->body[body].r, s, &section);
}

plain_energy plain_wagon_energy(const plain_wagon *w)
{
    plain_energy e = {.supplied = w->work[0], .damped = w->work[1], .slipped = w->work[2]};
    plain_contact contact[2][2];
    forces f;
    double pull;
    memcpy(contact, w->contact, sizeof contact);
    apply(w, w->body, w->t, contact, &f, &pull);
    for (int body = 0; body < PLAIN_BODIES; body++) {
        const plain_body *b = &w->body[body];
        const double m      = w->d.mass[body > 0];
        e.kinetic += 0.5 * (m * plain_dot(b->v, b->v) + plain_dot(b->w, times(w->d.inertia[body > 0], b->w)));
        e.gravity += m * w->d.gravity * b->r.z;
    }
    e.springs  = f.springs;
    e.contacts = f.contacts;
    return e;
}
