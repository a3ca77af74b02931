// SPDX-License-Identifier: MIT
// "bushing": springs and dampers in three directions and about three axes, fixed to body a.

#include "force/characteristic.h"

enum { DIRECTIONS = 6 }; // along x, y, z, about x, y, z

typedef struct bushing {
    kane_bushing in;
    kane_curve spring[DIRECTIONS], damper[DIRECTIONS];
    kane_vec3 load; // static, on b, where no characteristic holds it already [N]
    int turning;    // 1: it resists rotation
} bushing;

#define CHARACTERISTIC(name, member, schema, help)                                                                     \
    KANE_KEY_NAMED(kane_bushing, member, name, OBJECT, OPTIONAL, NULL, NULL, ANY, &(schema), help)

static const kane_key keys[] = {
    KANE_KEY(kane_bushing, stiffness, VECTOR, OPTIONAL, NULL, "N/m", NOT_NEGATIVE, NULL, "along x, y, z of body a"),
    KANE_KEY(kane_bushing, damping, VECTOR, OPTIONAL, NULL, "N s/m", NOT_NEGATIVE, NULL, "along x, y, z of body a"),
    KANE_KEY(kane_bushing, rotational_stiffness, VECTOR, OPTIONAL, NULL, "N m/rad", NOT_NEGATIVE, NULL,
             "about x, y, z of body a"),
    KANE_KEY(kane_bushing, rotational_damping, VECTOR, OPTIONAL, NULL, "N m s/rad", NOT_NEGATIVE, NULL,
             "about x, y, z of body a"),
    CHARACTERISTIC("spring_x", spring[0], kane_spring_characteristic_schema, "instead of the stiffness along x"),
    CHARACTERISTIC("spring_y", spring[1], kane_spring_characteristic_schema, "instead of the stiffness along y"),
    CHARACTERISTIC("spring_z", spring[2], kane_spring_characteristic_schema, "instead of the stiffness along z"),
    CHARACTERISTIC("spring_roll", spring[3], kane_turning_characteristic_schema, "instead of the stiffness about x"),
    CHARACTERISTIC("spring_pitch", spring[4], kane_turning_characteristic_schema, "instead of the stiffness about y"),
    CHARACTERISTIC("spring_yaw", spring[5], kane_turning_characteristic_schema, "instead of the stiffness about z"),
    CHARACTERISTIC("damper_x", damper[0], kane_damper_characteristic_schema, "instead of the damping along x"),
    CHARACTERISTIC("damper_y", damper[1], kane_damper_characteristic_schema, "instead of the damping along y"),
    CHARACTERISTIC("damper_z", damper[2], kane_damper_characteristic_schema, "instead of the damping along z"),
    CHARACTERISTIC("damper_roll", damper[3], kane_turning_damper_schema, "instead of the damping about x"),
    CHARACTERISTIC("damper_pitch", damper[4], kane_turning_damper_schema, "instead of the damping about y"),
    CHARACTERISTIC("damper_yaw", damper[5], kane_turning_damper_schema, "instead of the damping about z"),
};

static const kane_schema schema = KANE_SCHEMA(
    kane_bushing, "bushing", keys,
    "Springs and dampers in three directions and about three axes of body a, at the point on b. Rotations are meant to "
    "be small.");

static void *prepare(const void *parameters, kane_arena *memory, kane_errors *errors)
{
    const kane_bushing *in = parameters;
    bushing *p             = kane_law_memory(memory, 1, sizeof *p);
    int bad                = 0;
    if (!p)
        return NULL;
    p->in = *in;
    for (int i = 0; i < DIRECTIONS; i++) {
        const double k = kv3_get(i < 3 ? in->stiffness : in->rotational_stiffness, i % 3);
        const double c = kv3_get(i < 3 ? in->damping : in->rotational_damping, i % 3);
        bad |= kane_curve_prepare(&in->spring[i], k, memory, errors, &p->spring[i]);
        bad |= kane_curve_prepare(&in->damper[i], c, memory, errors, &p->damper[i]);
        if (i >= 3 && !(kane_curve_is_zero(&p->spring[i]) && kane_curve_is_zero(&p->damper[i])))
            p->turning = 1;
    }
    return bad ? NULL : p;
}

static int turns(const void *law)
{
    return ((const bushing *)law)->turning;
}

static kane_vec3 preload_axes(const void *law)
{
    const bushing *p = law;
    return kv3(!kane_curve_is_zero(&p->spring[0]), !kane_curve_is_zero(&p->spring[1]),
               !kane_curve_is_zero(&p->spring[2]));
}

static int settle(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    bushing *p      = law;
    double *held[3] = {&p->load.x, &p->load.y, &p->load.z};
    (void)d0;
    p->load = load;
    for (int i = 0; i < 3; i++) {
        if (p->in.spring[i].from != KANE_FROM_FREE)
            continue;
        if (kane_curve_settle(&p->spring[i], -kv3_get(load, i)) != 0) {
            kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(&p->in.spring[i].block, NULL, -1),
                                  "reaches the static load of %g N nowhere", -kv3_get(load, i));
            return 1;
        }
        *held[i] = 0.0;
    }
    return 0;
}

// What spring and damper of one direction put against a displacement and its rate.
static double resist(const bushing *p, int i, double x, double rate)
{
    return kane_curve_value(&p->spring[i], x) + kane_curve_value(&p->damper[i], rate);
}

static int eval(const void *law, const kane_relative *r, kane_wrench *on_b)
{
    const bushing *p = law;
    on_b->force.x    = p->load.x - resist(p, 0, r->d.x, r->v.x);
    on_b->force.y    = p->load.y - resist(p, 1, r->d.y, r->v.y);
    on_b->force.z    = p->load.z - resist(p, 2, r->d.z, r->v.z);
    if (p->turning) {
        on_b->torque.x = -resist(p, 3, r->phi.x, r->w.x);
        on_b->torque.y = -resist(p, 4, r->phi.y, r->w.y);
        on_b->torque.z = -resist(p, 5, r->phi.z, r->w.z);
    }
    return 0;
}

static void derive(const void *law, const kane_relative *r, kane_law_derivative *out)
{
    const bushing *p  = law;
    const double x[6] = {r->d.x, r->d.y, r->d.z, r->phi.x, r->phi.y, r->phi.z};
    const double v[6] = {r->v.x, r->v.y, r->v.z, r->w.x, r->w.y, r->w.z};
    double k[6], c[6];
    for (int i = 0; i < DIRECTIONS; i++) {
        k[i] = -kane_curve_slope(&p->spring[i], x[i]);
        c[i] = -kane_curve_slope(&p->damper[i], v[i]);
    }
    out->force_d    = km3_diag(k[0], k[1], k[2]);
    out->force_v    = km3_diag(c[0], c[1], c[2]);
    out->torque_phi = km3_diag(k[3], k[4], k[5]);
    out->torque_w   = km3_diag(c[3], c[4], c[5]);
}

static double energy(const void *law, const kane_relative *r)
{
    const bushing *p  = law;
    const double x[6] = {r->d.x, r->d.y, r->d.z, r->phi.x, r->phi.y, r->phi.z};
    double sum        = -kv3_dot(p->load, r->d);
    for (int i = 0; i < DIRECTIONS; i++)
        sum += kane_curve_energy(&p->spring[i], x[i]);
    return sum;
}

const kane_law kane_law_bushing = {
    .name         = "bushing",
    .help         = "Springs and dampers in three directions and about three axes of body a.",
    .schema       = &schema,
    .preload      = KANE_PRELOAD_AXES,
    .prepare      = prepare,
    .turns        = turns,
    .preload_axes = preload_axes,
    .settle       = settle,
    .eval         = eval,
    .derive       = derive,
    .energy       = energy,
};
