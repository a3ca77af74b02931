// SPDX-License-Identifier: MIT
// Wheel and rail alone, with neither track nor vehicle: a wheelset with S1002 wheels on 60E1 rails is shifted to the left,
// its left wheel let down until it carries 50 kN and rolled at 20 m/s; where does it touch, and what holds it?
//
//   contact_alone

#include <kane/contact.h>

#include <math.h>
#include <stdio.h>

// The left wheel of a wheelset y to the left of the track's middle, its running circle z over the top of the rail,
// yawed, rolling without slip on its running circle. Rail axes: x forward, y left, z up from the rail's highest point.
static kane_wheel_motion left_wheel(const kane_contact *contact, double y, double z, double yaw, double speed)
{
    const double radius  = kane_contact_definition_default().radius[0];
    const kane_vec3 axle = kv3(-sin(yaw), cos(yaw), 0.0), middle = kv3(0.0, y, radius + z);
    kane_wheel_motion m = {.axle     = axle,
                           .centre   = kv3_add_scaled(middle, kane_contact_wheel_distance(contact, KANE_LEFT), axle),
                           .velocity = kv3(speed, 0.0, 0.0),
                           .omega    = kv3_scale(speed / radius, axle)};
    m.centre.y -= kane_contact_rail_distance(contact, KANE_LEFT);
    return m;
}

// How high it stands, at rest, when the rail pushes it up with a force: Newton's method, from any z a little higher.
static kane_status let_down(const kane_contact *contact, double y, double yaw, double force, double *z)
{
    for (int i = 0; i < 200; i++) {
        const kane_wheel_motion m = left_wheel(contact, y, *z, yaw, 0.0);
        kane_contact_result result;
        double d[6][12];
        if (kane_contact_eval(contact, KANE_LEFT, &m, &result) != KANE_OK ||
            kane_contact_derive(contact, KANE_LEFT, &m, d) != KANE_OK)
            return KANE_RETRY;
        const double missing = force - result.on_wheel.force.z, slope = d[2][2]; // by z: negative, zero in the air
        if (fabs(missing) < 1e-6 * force)
            return KANE_OK;
        *z += slope < 0.0 ? fmax(fmin(missing / slope, 1e-4), -1e-4) : -1e-5;
    }
    return KANE_RETRY;
}

int main(void)
{
    const kane_contact_definition definition = kane_contact_definition_default();
    kane_errors errors                       = {.limit = 1};
    kane_contact *contact                    = kane_contact_create(&definition, &errors);
    if (!contact) {
        (void)fprintf(stderr, "%s\n", kane_errors_get(&errors, 0)->text);
        return 1;
    }

    (void)printf("   y mm    z mm | rail mm   angle      N kN  a x b mm      MPa   xi_x %%   T_x kN   T_y kN\n");
    double z           = 0.0;
    kane_status status = KANE_OK;
    for (int i = 0; i <= 6 && status == KANE_OK; i++) {
        const double y = 1e-3 * i, yaw = 1e-3;
        kane_contact_result result;
        status                    = let_down(contact, y, yaw, 50e3, &z);
        const kane_wheel_motion m = left_wheel(contact, y, z, yaw, 20.0);
        if (status == KANE_OK)
            status = kane_contact_eval(contact, KANE_LEFT, &m, &result);
        if (status == KANE_OK)
            kane_contact_pressures(contact, KANE_LEFT, &m, &result);
        for (int k = 0; status == KANE_OK && k < result.patch_count; k++) {
            const kane_patch *p = &result.patch[k];
            (void)printf("%7.1f %7.3f | %7.2f %7.4f %9.3f %4.1f x%4.1f %8.0f %8.4f %8.3f %8.3f\n", 1e3 * y, 1e3 * z,
                         1e3 * p->rail_y, p->angle, 1e-3 * p->N, 1e3 * p->a, 1e3 * p->b, 1e-6 * p->pressure,
                         100.0 * p->xi_x, 1e-3 * p->T_x, 1e-3 * p->T_y);
        }
    }
    kane_contact_free(contact);
    return status == KANE_OK ? 0 : 1;
}
