// SPDX-License-Identifier: MIT
// "bushing": springs and dampers in three directions and about three axes, fixed to body a; a damper may be in series
// with a spring.

#include "force/series.h"

#include "base/document.h"

enum { DIRECTIONS = 6 }; // along x, y, z, about x, y, z

typedef struct bushing {
    kane_bushing in;
    kane_curve spring[DIRECTIONS], damper[DIRECTIONS]; // dampers without a series spring
    kane_chain chain[DIRECTIONS];                      // and those behind springs
    int chain_count;                                   // of the latter; each has a state
    int chained[DIRECTIONS];                           // which directions have them, ascending
    kane_vec3 load;                                    // static, on b, where no characteristic holds it already [N]
    int by_points;                                     // 1: some of it is given by points
    int turning;                                       // 1: it resists rotation
} bushing;

static const kane_law_state chain_states[DIRECTIONS] = {
    {.name = "damper_x", .unit = "m", .help = "way of the damper along x behind its spring"},
    {.name = "damper_y", .unit = "m", .help = "way of the damper along y behind its spring"},
    {.name = "damper_z", .unit = "m", .help = "way of the damper along z behind its spring"},
    {.name = "damper_roll", .unit = "rad", .help = "turn of the damper about x behind its spring"},
    {.name = "damper_pitch", .unit = "rad", .help = "turn of the damper about y behind its spring"},
    {.name = "damper_yaw", .unit = "rad", .help = "turn of the damper about z behind its spring"},
};

#define CHARACTERISTIC(name, member, schema, help)                                                                     \
    KANE_KEY_NAMED(kane_bushing, member, name, OBJECT, OPTIONAL, NULL, NULL, ANY, &(schema), help)

static const kane_key keys[] = {
    KANE_KEY(kane_bushing, stiffness, VECTOR, OPTIONAL, NULL, "N/m", NOT_NEGATIVE, NULL, "along x, y, z of body a"),
    KANE_KEY(kane_bushing, damping, VECTOR, OPTIONAL, NULL, "N s/m", NOT_NEGATIVE, NULL, "along x, y, z of body a"),
    KANE_KEY(kane_bushing, rotational_stiffness, VECTOR, OPTIONAL, NULL, "N m/rad", NOT_NEGATIVE, NULL,
             "about x, y, z of body a"),
    KANE_KEY(kane_bushing, rotational_damping, VECTOR, OPTIONAL, NULL, "N m s/rad", NOT_NEGATIVE, NULL,
             "about x, y, z of body a"),
    KANE_KEY(kane_bushing, series_stiffness, VECTOR, OPTIONAL, NULL, "N/m", NOT_NEGATIVE, NULL,
             "of springs in front of the dampers along x, y, z; 0: the damper has none"),
    KANE_KEY(kane_bushing, rotational_series_stiffness, VECTOR, OPTIONAL, NULL, "N m/rad", NOT_NEGATIVE, NULL,
             "of springs in front of the dampers about x, y, z; 0: the damper has none"),
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

// Puts the damper of a direction behind a spring. Returns 0, or not 0 with an error.
static int put_behind_spring(bushing *p, int i, double stiffness, kane_errors *errors)
{
    const kane_bushing *in       = &p->in;
    kane_chain *chain            = &p->chain[i];
    const char *key              = i < 3 ? "series_stiffness" : "rotational_series_stiffness";
    const kane_place at          = p->damper[i].count > 0 ? kane_block_place(&in->damper[i].block, NULL, -1)
                                                          : kane_block_place(&in->block, key, i % 3);
    *chain                       = (kane_chain){.stiffness = stiffness, .damper = p->damper[i]};
    p->damper[i]                 = (kane_curve){0};
    p->chained[p->chain_count++] = i;
    return kane_chain_prepare(chain, at, errors);
}

static void *prepare_bushing(const void *parameters, kane_arena *memory, kane_errors *errors)
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
        const double series = kv3_get(i < 3 ? in->series_stiffness : in->rotational_series_stiffness, i % 3);
        bad |= kane_curve_prepare(&in->damper[i], c, memory, errors, &p->damper[i]);
        if (i >= 3 && !(kane_curve_is_zero(&p->spring[i]) && kane_curve_is_zero(&p->damper[i])))
            p->turning = 1;
        if (!bad && series > 0.0)
            bad |= put_behind_spring(p, i, series, errors);
        p->by_points |= p->spring[i].count > 0 || p->damper[i].count > 0;
    }
    return bad ? NULL : p;
}

static int has_bushing_moment(const void *law)
{
    return ((const bushing *)law)->turning;
}

static int list_bushing_states(const void *law, kane_law_state info[KANE_LAW_STATES])
{
    const bushing *p = law;
    for (int k = 0; k < p->chain_count; k++)
        info[k] = chain_states[p->chained[k]];
    return p->chain_count;
}

static kane_vec3 bushing_preload_axes(const void *law)
{
    const bushing *p = law;
    return kv3(!kane_curve_is_zero(&p->spring[0]), !kane_curve_is_zero(&p->spring[1]),
               !kane_curve_is_zero(&p->spring[2]));
}

static int set_bushing_load(void *law, kane_vec3 d0, kane_vec3 load, kane_errors *errors)
{
    bushing *p      = law;
    double *held[3] = {&p->load.x, &p->load.y, &p->load.z};
    (void)d0;
    p->load = load;
    for (int i = 0; i < 3; i++) {
        if (p->in.spring[i].from != KANE_FROM_FREE)
            continue;
        if (kane_curve_set_load(&p->spring[i], -kv3_get(load, i)) != 0) {
            (void)kane_block_fault(errors, &p->in.spring[i].block, NULL, "reaches the static load of %g N nowhere",
                                   -kv3_get(load, i));
            return 1;
        }
        *held[i] = 0.0;
    }
    return 0;
}

// Force [N] or torque [N m] that resists x and its rate in three directions, in each k(x) + c(x').
//   first  0: displacements, 3: rotations
KANE_INLINE kane_scalar3 spring_damper_force(const bushing *p, int first, kane_scalar3 x, kane_scalar3 rate)
{
    const kane_curve *k = &p->spring[first], *c = &p->damper[first];
    if (!p->by_points)
        return ks3_add(ks3_mul(kv3(k[0].rate, k[1].rate, k[2].rate), x),
                       ks3_mul(kv3(c[0].rate, c[1].rate, c[2].rate), rate));
    return ks3(ks_add(kane_curve_at(&k[0], x.x), kane_curve_at(&c[0], rate.x)),
               ks_add(kane_curve_at(&k[1], x.y), kane_curve_at(&c[1], rate.y)),
               ks_add(kane_curve_at(&k[2], x.z), kane_curve_at(&c[2], rate.z)));
}

// Adds the forces of dampers in series with springs, and gives the rates of their states (force/series.h).
KANE_INLINE void add_chain_forces(const bushing *p, const kane_formula_motion *m, kane_formula_answer *out)
{
    for (int k = 0; k < p->chain_count; k++) {
        const int i = p->chained[k], axis = i % 3;
        const kane_chain *chain = &p->chain[i];
        const kane_scalar tension =
            kane_chain_tension(chain, ks3_get(i < 3 ? m->d : m->phi, axis), kane_formula_state(m, k));
        kane_scalar3 *on_b = i < 3 ? &out->force : &out->torque;
        *on_b              = ks3_sub(*on_b, ks3_times(tension, kv3_unit(axis)));
        kane_formula_rate(out, k, kane_chain_rate(chain, tension, ks3_get(i < 3 ? m->v : m->w, axis)));
    }
}

// Force on b: static load - k(d) - c(d'); torque: -k(phi) - c(w); and those of dampers in series with springs.
KANE_FORMULA bushing_force(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const bushing *p = law;
    out->force       = ks3_shift(ks3_neg(spring_damper_force(p, 0, m->d, m->v)), p->load);
    if (p->turning)
        out->torque = ks3_neg(spring_damper_force(p, 3, m->phi, m->w));
    add_chain_forces(p, m, out);
    return 0;
}

KANE_FORMULA_FUNCTIONS(bushing_force, has_bushing_moment)

static double eval_bushing_energy(const void *law, const kane_relative *r)
{
    const bushing *p  = law;
    const double x[6] = {r->d.x, r->d.y, r->d.z, r->phi.x, r->phi.y, r->phi.z};
    double sum        = -kv3_dot(p->load, r->d);
    for (int i = 0; i < DIRECTIONS; i++)
        sum += kane_curve_energy(&p->spring[i], x[i]);
    for (int k = 0; k < p->chain_count; k++)
        sum += kane_chain_energy(&p->chain[p->chained[k]], x[p->chained[k]], r->state[k]);
    return sum;
}

const kane_law kane_law_bushing = {
    .name         = "bushing",
    .help         = "Springs and dampers in three directions and about three axes of body a.",
    .schema       = &schema,
    .preload      = KANE_PRELOAD_AXES,
    .prepare      = prepare_bushing,
    .turns        = has_bushing_moment,
    .states       = list_bushing_states,
    .preload_axes = bushing_preload_axes,
    .settle       = set_bushing_load,
    .eval         = bushing_force_eval,
    .rates        = bushing_force_rates,
    .derive       = bushing_force_derive,
    .energy       = eval_bushing_energy,
};
