// SPDX-License-Identifier: MIT
// Derivatives of laws that are written as formulas: which directions a pass has, and where their slopes belong.

#include <kane/formula.h>

#include <string.h>

// Two vectors a pass, or the states.
enum { TRANSLATION, ROTATION, STATES, A_TRANSLATION, A_ROTATION, B_TRANSLATION, B_ROTATION, PASSES };

#define UNIT(a0, a1, b0, b1, c0, c1)                                                                                   \
    {                                                                                                                  \
        {a0, a1}, {b0, b1},                                                                                            \
        {                                                                                                              \
            c0, c1                                                                                                     \
        }                                                                                                              \
    }

static const kane_tangents unit[6] = {UNIT(1, 0, 0, 0, 0, 0), UNIT(0, 1, 0, 0, 0, 0), UNIT(0, 0, 1, 0, 0, 0),
                                      UNIT(0, 0, 0, 1, 0, 0), UNIT(0, 0, 0, 0, 1, 0), UNIT(0, 0, 0, 0, 0, 1)};

// The next pass, from this one on, that the law looks at.
static int next_pass(const kane_relative *r, int turns, int pass)
{
    if (pass == ROTATION && !turns)
        pass++;
    if (pass == STATES && !r->state)
        pass++;
    if (pass >= A_TRANSLATION && !r->absolute)
        return PASSES;
    if (pass >= A_TRANSLATION && pass < B_TRANSLATION && r->absolute->a_is_fixed)
        pass = B_TRANSLATION;
    return pass >= B_TRANSLATION && r->absolute->b_is_fixed ? PASSES : pass;
}

// Seeds the tangents of x: its components are the directions first, first + 1, first + 2.
static void seed_tangents(kane_scalar3 *x, int first)
{
    x->x.t = unit[first];
    x->y.t = unit[first + 1];
    x->z.t = unit[first + 2];
}

// An axis e of a point that turns by phi changes by phi x e, in directions 0 to 2.
static void seed_axis(kane_scalar3 *axis)
{
    const kane_vec3 e = ks3_value(*axis);
    axis->x.t         = (kane_tangents)UNIT(0, e.z, -e.y, 0, 0, 0);
    axis->y.t         = (kane_tangents)UNIT(-e.z, 0, e.x, 0, 0, 0);
    axis->z.t         = (kane_tangents)UNIT(e.y, -e.x, 0, 0, 0, 0);
}

static void seed_point(kane_formula_marker *p, int turns)
{
    if (!turns) {
        seed_tangents(&p->position, 0);
        seed_tangents(&p->velocity, 3);
        return;
    }
    for (int i = 0; i < 3; i++)
        seed_axis(&p->axis[i]);
    seed_tangents(&p->omega, 3);
}

int kane_formula_seed(const kane_relative *r, int turns, int *pass, kane_formula_motion *m)
{
    *pass = next_pass(r, turns, *pass);
    if (*pass >= PASSES)
        return 0;
    kane_formula_see(r, m);
    switch (*pass) {
    case TRANSLATION:
        seed_tangents(&m->d, 0);
        seed_tangents(&m->v, 3);
        break;
    case ROTATION:
        seed_tangents(&m->phi, 0);
        seed_tangents(&m->w, 3);
        break;
    case STATES: m->state_t = unit; break;
    default: seed_point(*pass < B_TRANSLATION ? &m->a : &m->b, *pass == A_ROTATION || *pass == B_ROTATION); break;
    }
    return 1;
}

// Rows of d(vector)/d(directions 0 to 2), and of d(vector)/d(directions 3 to 5).
static kane_mat3 first_block(const kane_scalar3 *a)
{
    return km3_transpose(
        (kane_mat3){kane_tangents_first(a->x.t), kane_tangents_first(a->y.t), kane_tangents_first(a->z.t)});
}

static kane_mat3 last_block(const kane_scalar3 *a)
{
    return km3_transpose(
        (kane_mat3){kane_tangents_last(a->x.t), kane_tangents_last(a->y.t), kane_tangents_last(a->z.t)});
}

// Where the slopes of a pass over two vectors belong.
typedef struct places {
    kane_mat3 *force[2], *torque[2]; // by the first vector, by the second
    kane_vec3 *rate[2];              // of state 0; NULL: members of `state`
} places;

static places of_point(kane_law_point_derivative *p, int turns)
{
    if (turns)
        return (places){
            {&p->force_turn, &p->force_omega}, {&p->torque_turn, &p->torque_omega}, {p->rate_turn, p->rate_omega}};
    return (places){{&p->force_position, &p->force_velocity},
                    {&p->torque_position, &p->torque_velocity},
                    {p->rate_position, p->rate_velocity}};
}

static places of_pass(int pass, kane_law_derivative *out)
{
    switch (pass) {
    case TRANSLATION: return (places){{&out->force_d, &out->force_v}, {&out->torque_d, &out->torque_v}, {NULL}};
    case ROTATION: return (places){{&out->force_phi, &out->force_w}, {&out->torque_phi, &out->torque_w}, {NULL}};
    default:
        return of_point(pass < B_TRANSLATION ? &out->absolute->a : &out->absolute->b,
                        pass == A_ROTATION || pass == B_ROTATION);
    }
}

// Column k of d(force, torque, rates)/d(states).
static void add_state_derivatives(const kane_formula_answer *answer, kane_law_derivative *out)
{
    const kane_scalar *from[6] = {&answer->force.x,  &answer->force.y,  &answer->force.z,
                                  &answer->torque.x, &answer->torque.y, &answer->torque.z};
    double slope[6][KANE_LAW_STATES];
    for (int i = 0; i < 6; i++)
        memcpy(slope[i], &from[i]->t, sizeof slope[i]);
    for (int k = 0; k < KANE_LAW_STATES; k++) {
        out->state[k].force  = kv3(slope[0][k], slope[1][k], slope[2][k]);
        out->state[k].torque = kv3(slope[3][k], slope[4][k], slope[5][k]);
        memcpy(out->state[k].rate_state, &answer->rates_t[k], sizeof out->state[k].rate_state);
    }
}

void kane_formula_take(const kane_relative *r, int pass, const kane_formula_answer *answer, kane_law_derivative *out)
{
    if (pass == STATES) {
        add_state_derivatives(answer, out);
        return;
    }
    const places to = of_pass(pass, out);
    *to.force[0]    = first_block(&answer->force);
    *to.force[1]    = last_block(&answer->force);
    *to.torque[0]   = first_block(&answer->torque);
    *to.torque[1]   = last_block(&answer->torque);
    for (int i = 0; i < KANE_LAW_STATES && r->state; i++) {
        kane_law_state_derivative *s = &out->state[i];
        const kane_vec3 first = kane_tangents_first(answer->rates_t[i]), last = kane_tangents_last(answer->rates_t[i]);
        *(to.rate[0] ? &to.rate[0][i] : pass == TRANSLATION ? &s->rate_d : &s->rate_phi) = first;
        *(to.rate[1] ? &to.rate[1][i] : pass == TRANSLATION ? &s->rate_v : &s->rate_w)   = last;
    }
}
