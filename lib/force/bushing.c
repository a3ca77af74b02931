// SPDX-License-Identifier: MIT
// "bushing": springs and dampers in three directions and about three axes, fixed to body a.

#include "force/characteristic.h"

enum { DIRECTIONS = 6 }; // along x, y, z, about x, y, z

typedef struct bushing {
    kane_bushing in;
    kane_curve spring[DIRECTIONS], damper[DIRECTIONS];
    kane_vec3 load; // static, on b, where no characteristic holds it already [N]
    int by_points;  // 1: some of it is given by points
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
        p->by_points |= p->spring[i].count > 0 || p->damper[i].count > 0;
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

// What springs and dampers of three directions from the first on put against displacements and their rates.
KANE_INLINE kane_scalar3 resist(const bushing *p, int first, kane_scalar3 x, kane_scalar3 rate)
{
    const kane_curve *k = &p->spring[first], *c = &p->damper[first];
    if (!p->by_points)
        return ks3_add(ks3_mul(kv3(k[0].rate, k[1].rate, k[2].rate), x),
                       ks3_mul(kv3(c[0].rate, c[1].rate, c[2].rate), rate));
    return ks3(ks_add(kane_curve_at(&k[0], x.x), kane_curve_at(&c[0], rate.x)),
               ks_add(kane_curve_at(&k[1], x.y), kane_curve_at(&c[1], rate.y)),
               ks_add(kane_curve_at(&k[2], x.z), kane_curve_at(&c[2], rate.z)));
}

KANE_FORMULA hold(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const bushing *p = law;
    out->force       = ks3_shift(ks3_neg(resist(p, 0, m->d, m->v)), p->load);
    if (p->turning)
        out->torque = ks3_neg(resist(p, 3, m->phi, m->w));
    return 0;
}

KANE_FORMULA_FUNCTIONS(hold, turns)

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
    .eval         = hold_eval,
    .derive       = hold_derive,
    .energy       = energy,
};
