// SPDX-License-Identifier: MIT
// Making a contact, and what can be asked of it at rest.

#include "contact/contact.h"
#include "base/arena.h"

#include <math.h>

// From the back of the flange to the running circle [m].
static const double flange_to_circle = 0.07;

kane_contact_definition kane_contact_definition_default(void)
{
    return (kane_contact_definition){.wheel       = KANE_WHEEL_S1002,
                                     .conicity    = 0.05,
                                     .radius      = 0.46,
                                     .flange_back = 1.36,
                                     .rail        = KANE_RAIL_60E1,
                                     .inclination = 1.0 / 40.0,
                                     .head_radius = 0.3,
                                     .gauge       = 1.435,
                                     .laws        = kane_contact_laws_default()};
}

static void check(kane_errors *errors, int *wrong, int allowed, const char *name, double value, const char *condition)
{
    if (allowed)
        return;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "contact: %s = %g is not allowed, must be %s", name, value, condition);
    (*wrong)++;
}

// Returns how many values are not allowed. Written so that NaN is not.
static int check_definition(const kane_contact_definition *d, kane_errors *errors)
{
    const int cone = d->wheel == KANE_WHEEL_CONE, round = d->rail == KANE_RAIL_ROUND;
    int wrong = 0;
    check(errors, &wrong, cone || d->wheel == KANE_WHEEL_S1002, "wheel", d->wheel, "a known profile");
    check(errors, &wrong, round || d->rail == KANE_RAIL_60E1, "rail", d->rail, "a known profile");
    check(errors, &wrong, d->radius >= 0.15 && d->radius <= 2.0, "radius", d->radius, "within 0.15 m and 2 m");
    check(errors, &wrong, !cone || fabs(d->conicity) <= 0.5, "conicity", d->conicity, "within -0.5 and 0.5");
    check(errors, &wrong, d->flange_back > 0.2 && d->flange_back < 5.0, "flange_back", d->flange_back,
          "within 0.2 m and 5 m");
    check(errors, &wrong, fabs(d->inclination) <= 0.1, "inclination", d->inclination, "within -0.1 and 0.1");
    check(errors, &wrong, !round || (d->head_radius >= 0.02 && d->head_radius <= 10.0), "head_radius", d->head_radius,
          "within 0.02 m and 10 m");
    check(errors, &wrong, d->gauge > 0.2 && d->gauge < 5.0, "gauge", d->gauge, "within 0.2 m and 5 m");
    return wrong + kane_creep_check(&d->laws, errors);
}

kane_contact *kane_contact_create(const kane_contact_definition *d, kane_errors *errors)
{
    if (check_definition(d, errors) > 0)
        return NULL;
    kane_contact *c = kane_allocate(1, sizeof *c);
    if (!c) {
        kane_errors_add(errors, KANE_NO_MEMORY, "contact: out of memory");
        return NULL;
    }
    c->definition = *d;
    c->method     = d->wheel == KANE_WHEEL_CONE && d->rail == KANE_RAIL_ROUND ? CONTACT_CONE : CONTACT_OVERLAP;
    c->E_star     = d->laws.shear_modulus / (1.0 - d->laws.poisson); // 1/E* = 2 (1 - nu^2)/E, E = 2 G (1 + nu)
    kane_creep_init(&c->creep, &d->laws);
    kane_hertz_table_init(&c->hertz);
    kane_wheel_table_init(&c->wheel, d);
    kane_rail_table_init(&c->rail, d);
    c->wheel_distance = 0.5 * d->flange_back + flange_to_circle;
    c->rail_distance  = 0.5 * d->gauge + c->rail.gauge_side;
    c->cone           = (cone_pair){
                  .radius = d->radius, .conicity = d->conicity, .half_width = c->wheel.last, .head_radius = d->head_radius};
    if (c->method == CONTACT_OVERLAP)
        kane_window_table_init(&c->windows, &c->wheel, &c->rail, c->wheel_distance - c->rail_distance);
    return c;
}

void kane_contact_free(kane_contact *contact)
{
    kane_release(contact);
}

double kane_contact_rail_distance(const kane_contact *c)
{
    return c->rail_distance;
}

double kane_contact_wheel_distance(const kane_contact *c)
{
    return c->wheel_distance;
}

void kane_contact_wheel_profile(const kane_contact *c, double y, double out[3])
{
    const wheel_table *t = &c->wheel;
    const double s       = fmin(fmax(y, t->first), t->last);
    double x;
    const double *f = wheel_cell_at(t, s, &x)->f;
    out[1]          = -(f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]));
    out[0]          = -(f[0] + x * (f[1] + x * (f[2] + x * f[3]))) + out[1] * (y - s);
    out[2]          = s == y ? -(2.0 * f[2] + 6.0 * x * f[3]) : 0.0;
}

// The head is a graph in oblique axes: the place of y there is found by Newton, kept inside by bisection.
void kane_contact_rail_profile(const kane_contact *c, double y, double out[3])
{
    const double cos_ = KANE_TILT_COS, sin_ = KANE_TILT_SIN, end = 0.075;
    double low = -end, high = end, eta = fmin(fmax(y, -end), end), zeta = 0.0, slope = 0.0, bend = 0.0;
    for (int i = 0; i < 60; i++) {
        double x;
        const rail_cell *r = rail_cell_at(&c->rail, eta, &x);
        zeta               = rail_height(r, x);
        slope              = rail_slope(r, x);
        bend               = 2.0 * r->z[2] + 6.0 * x * r->z[3];
        const double error = eta * cos_ - zeta * sin_ - y;
        if (error > 0.0)
            high = eta;
        else
            low = eta;
        double next = eta - error / (cos_ - slope * sin_);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - eta) < 1e-16)
            break;
        eta = next;
    }
    const double run = cos_ - slope * sin_; // dy/d(eta)
    out[1]           = (sin_ + slope * cos_) / run;
    out[0]           = eta * sin_ + zeta * cos_ + out[1] * (y - (eta * cos_ - zeta * sin_));
    out[2]           = bend / (run * run * run);
}
