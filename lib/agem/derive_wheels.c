// SPDX-License-Identifier: MIT
// Derivatives of wheels on their rails: those of the contact (kane_contact_derive) and geometry.
//
// The rail's section moves along with the wheel's centre by r.t and turns by psi = K (r.t): relative to the rail, a
// displacement r of the centre is r less the motion of that section.
//
// Rails on a panel of flexible track move: the wheel's motion relative to the rail is its own less that of the panel,
// extended to the wheel centre (docs/theory.md, section 11).

#include "agem/gradient.h"
#include "agem/wheels.h"
#include "contact/contact.h"

// R B R': a 3x3 block of d, from rail axes to world axes.
static kane_mat3 rotate_derivative_block(double d[6][12], int row, int column, kane_mat3 R)
{
    kane_mat3 A;
    A.x = kv3(d[row][column], d[row + 1][column], d[row + 2][column]);
    A.y = kv3(d[row][column + 1], d[row + 1][column + 1], d[row + 2][column + 1]);
    A.z = kv3(d[row][column + 2], d[row + 1][column + 2], d[row + 2][column + 2]);
    return km3_mul(km3_mul(R, A), km3_transpose(R));
}

// Quantities by which the motion of the wheel centre relative to the rail depends on the motion of the body, world
// axes.
typedef struct seen {
    kane_vec3 arm;   // of the wheel centre from the mass centre
    kane_vec3 omega; // angular velocity
    kane_vec3 v;     // velocity of the wheel centre
    kane_vec3 at;    // its place against the rail
    kane_mat3 psi;   // turn of the rail's section per displacement of the wheel centre
    kane_mat3 line;  // and of the section of the line
} seen;

// Motion of a rail on a panel of flexible track, world axes.
typedef struct rail_motion {
    kane_vec3 above;  // wheel centre from the middle of the panel
    kane_vec3 centre; // ... and from the origin of the section
    kane_vec3 v, w;   // velocity carried on to the wheel centre, angular velocity
} rail_motion;

// From derivatives A by the wheel's motion relative to the rail to derivatives G by the body's motion.
//   F     force or torque
//   turn  turn of the rail's section relative to the axes of G, per displacement
static void of_body(const kane_mat3 A[KANE_MOTIONS], const seen *s, kane_vec3 F, kane_mat3 turn,
                    kane_mat3 G[KANE_MOTIONS])
{
    const kane_mat3 arm = km3_skew(s->arm), reach = kg_skew_times(s->omega, arm);
    kane_mat3 by_psi = km3_sub(kg_times_skew(A[KANE_MOVES], s->at), A[KANE_TURNS]);
    kg_add(&by_psi, kg_times_skew(A[KANE_SPEEDS], s->v));
    kg_add(&by_psi, kg_times_skew(A[KANE_SPINS], s->omega));

    G[KANE_MOVES]  = km3_add(A[KANE_MOVES], km3_sub(km3_mul(by_psi, s->psi), kg_skew_times(F, turn)));
    G[KANE_SPEEDS] = A[KANE_SPEEDS];
    G[KANE_SPINS]  = km3_sub(A[KANE_SPINS], km3_mul(A[KANE_SPEEDS], arm));
    G[KANE_TURNS]  = km3_sub(A[KANE_TURNS], km3_mul(G[KANE_MOVES], arm));
    kg_sub(&G[KANE_TURNS], km3_mul(A[KANE_SPEEDS], reach));
}

// From A to derivatives by the motion of the panel: the rail moves under the wheel, and its axes turn.
static void of_panel(const kane_mat3 A[KANE_MOTIONS], const rail_motion *rail, const kane_wheel_motion *m, kane_mat3 R,
                     kane_vec3 exerted, kane_mat3 G[KANE_MOTIONS])
{
    G[KANE_MOVES]  = km3_sub(kg_times_skew(A[KANE_SPEEDS], rail->w), A[KANE_MOVES]);
    G[KANE_SPEEDS] = km3_scale(-1.0, A[KANE_SPEEDS]);
    G[KANE_SPINS]  = km3_sub(kg_times_skew(A[KANE_SPEEDS], rail->above), A[KANE_SPINS]);
    G[KANE_TURNS]  = km3_sub(kg_times_skew(A[KANE_MOVES], rail->above), A[KANE_TURNS]);
    kg_add(&G[KANE_TURNS], kg_times_skew(A[KANE_SPEEDS], km3_mulv(R, m->velocity)));
    kg_add(&G[KANE_TURNS], kg_times_skew(A[KANE_SPINS], km3_mulv(R, m->omega)));
    kg_sub(&G[KANE_TURNS], km3_skew(exerted));
}

// From the wheel centre to the mass centre of the wheelset, arm constant: torque += arm x force.
static kane_gradient on_wheelset(const kane_gradient *g, kane_vec3 arm)
{
    kane_gradient sum = *g;
    for (int k = 0; k < KANE_MOTIONS; k++)
        kg_add(&sum.torque[k], kg_skew_times(arm, g->force[k]));
    return sum;
}

// The opposite, about the middle of the panel.
static kane_gradient on_panel(const kane_gradient *g, kane_vec3 above)
{
    kane_gradient sum = on_wheelset(g, above);
    for (int k = 0; k < KANE_MOTIONS; k++) {
        sum.force[k]  = km3_scale(-1.0, sum.force[k]);
        sum.torque[k] = km3_scale(-1.0, sum.torque[k]);
    }
    return sum;
}

// The panel is described in the axes of the wheel's section (wheels.c): to_panel takes world components there, for rows
// (the panel's wrench) and columns (its motion).
static void turn_rows(kane_mat3 to_panel, kane_gradient *g)
{
    for (int k = 0; k < KANE_MOTIONS; k++) {
        g->force[k]  = km3_mul(to_panel, g->force[k]);
        g->torque[k] = km3_mul(to_panel, g->torque[k]);
    }
}

// The same for columns.
static void turn_columns(kane_mat3 to_panel, kane_gradient *g)
{
    const kane_mat3 back = km3_transpose(to_panel);
    for (int k = 0; k < KANE_MOTIONS; k++) {
        g->force[k]  = km3_mul(g->force[k], back);
        g->torque[k] = km3_mul(g->torque[k], back);
    }
}

// The three blocks of a panel: wheelset by panel, panel by wheelset, panel by itself.
//   A, g  derivatives by the wheel's motion relative to the rail; by the wheelset's motion, axes of the section
//   F, T  force and torque on the wheel
// The arm of F on the panel changes with both ends: the wheel centre moves by  r - t (r.t) - psi x c,  c: the centre
// from the section's origin.
static void add_panel(const kane_wheels *wheels, kane_mat3 to_panel, const rail_motion *rail,
                      const kane_wheel_motion *m, kane_mat3 R, const kane_gradient *A, const kane_gradient *g,
                      const seen *s, kane_vec3 F, kane_vec3 T, kane_gradient *pairs)
{
    kane_gradient p;
    of_panel(A->force, rail, m, R, F, p.force);
    of_panel(A->torque, rail, m, R, T, p.torque);

    const kane_mat3 lever  = km3_skew(F);
    kane_gradient wheelset = on_wheelset(&p, s->arm), by_wheelset = on_panel(g, rail->above),
                  own      = on_panel(&p, rail->above);
    const kane_mat3 centre = km3_add(km3_identity(), kg_skew_times(rail->centre, s->line));
    kg_add(&by_wheelset.torque[KANE_MOVES], km3_mul(lever, centre));
    kg_sub(&by_wheelset.torque[KANE_TURNS], kg_times_skew(km3_mul(lever, centre), s->arm));
    kg_sub(&own.torque[KANE_MOVES], lever);
    turn_columns(to_panel, &wheelset);
    turn_rows(to_panel, &by_wheelset);
    turn_rows(to_panel, &own);
    turn_columns(to_panel, &own);
    kg_add_all(&pairs[wheels->pair[0]], &wheelset);
    kg_add_all(&pairs[wheels->pair[1]], &by_wheelset);
    kg_add_all(&pairs[wheels->panel], &own);
}

// Motion of the rail under a wheel, world axes.
static rail_motion rail_under(const kane_work *work, const kane_wheels *wheels, const kane_wheels_state *w,
                              kane_side side)
{
    const kane_mat3 R_s    = w->R_s[side];
    const kane_vec3 middle = work->body[wheels->panel].r;
    return (rail_motion){.above  = km3_mulv(R_s, w->above[side]),
                         .centre = km3_mulv(R_s, kv3_add(middle, w->above[side])),
                         .v      = km3_mulv(R_s, w->rail_v[side]),
                         .w      = km3_mulv(R_s, w->rail_w)};
}

// The section moves along with the wheel's centre, which does not move ahead of it:  G_shift (1 - t t').
static void hold_section(kane_vec3 ahead, kane_gradient *A)
{
    kg_sub(&A->force[KANE_MOVES], km3_outer(km3_mulv(A->force[KANE_MOVES], ahead), ahead));
    kg_sub(&A->torque[KANE_MOVES], km3_outer(km3_mulv(A->torque[KANE_MOVES], ahead), ahead));
}

// d: of the contact's force and torque by the motion of the wheel. Not inlined: of two large functions one is on the
// stack.
__attribute__((noinline)) static void derive_wheel(const kane_model *model, const kane_work *work,
                                                   const kane_wheels *wheels, const kane_wheels_state *w,
                                                   kane_side side, double d[6][12], kane_gradient *pairs)
{
    const kane_mat3 R_s = w->R_s[side], R = km3_mul(R_s, w->rail[side].R); // rail to world
    const kane_wheel_motion *m = &w->motion[side];
    seen s                     = {.arm   = km3_mulv(R_s, w->arm[side]),
                                  .omega = km3_mulv(R, m->omega),
                                  .v     = km3_mulv(R, m->velocity),
                                  .at    = km3_mulv(R, m->centre),
                                  .psi   = km3_outer(km3_mulv(R, w->rail[side].K), R_s.x),
                                  .line  = km3_outer(km3_mulv(R_s, w->section[side].Omega), R_s.x)};
    kane_wrench on_wheel       = w->result[side].on_wheel;
    if (kane_track_has_check_rails(model->track)) {
        const kane_section_goes goes = wheels->panel >= 0 ? KANE_SECTION_STAYS : KANE_SECTION_GOES_ALONG;
        kane_check_rail_derive(model, wheels, side, w, goes, d);
        on_wheel = kw_add(on_wheel, w->check[side].on_wheel);
    }

    kane_gradient A, g;
    for (int k = 0; k < KANE_MOTIONS; k++) {
        A.force[k]  = rotate_derivative_block(d, 0, 3 * k, R);
        A.torque[k] = rotate_derivative_block(d, 3, 3 * k, R);
    }
    const kane_vec3 F = km3_mulv(R, on_wheel.force), T = km3_mulv(R, on_wheel.torque);
    if (wheels->panel >= 0) {
        const rail_motion rail           = rail_under(work, wheels, w, side);
        const kane_gradient seen_by_rail = A;
        hold_section(R.x, &A);
        s.omega = kv3_add(s.omega, rail.w);
        s.v     = kv3_add(s.v, rail.v);
        // a rail that rolls is faster under a wheel centre farther away
        kg_sub(&A.force[KANE_MOVES], kg_times_skew(A.force[KANE_SPEEDS], rail.w));
        kg_sub(&A.torque[KANE_MOVES], kg_times_skew(A.torque[KANE_SPEEDS], rail.w));
        of_body(A.force, &s, F, km3_sub(s.psi, s.line), g.force);
        of_body(A.torque, &s, T, km3_sub(s.psi, s.line), g.torque);
        add_panel(wheels, km3_transpose(R_s), &rail, m, R, &seen_by_rail, &g, &s, F, T, pairs);
    }
    of_body(A.force, &s, F, s.psi, g.force);
    of_body(A.torque, &s, T, s.psi, g.torque);

    // the arm turns with the body
    g = on_wheelset(&g, s.arm);
    kg_add(&g.torque[KANE_TURNS], kg_times_skew(km3_skew(F), s.arm));
    kg_add_all(&pairs[wheels->body], &g);
}

// Adds the derivatives of all elastic contacts to those of the wheelsets' wrenches (and panels), world axes.
kane_status kane_wheels_derive(const kane_model *model, const kane_work *work, kane_gradient *pairs)
{
    for (int i = 0; i < model->wheels_count; i++) {
        if (!kane_wheel_models[model->wheels[i].contact_model].press)
            continue;
        for (int side = 0; side < 2; side++) {
            const kane_wheels *wheels  = &model->wheels[i];
            const kane_wheels_state *w = &work->wheels[i];
            double d[6][12];
            const kane_status status = (wheels->panel >= 0 ? kane_contact_derive_apart : kane_contact_derive)(
                wheels->contact, side, &w->motion[side], d);
            if (status != KANE_OK)
                return status;
            derive_wheel(model, work, wheels, w, side, d, pairs);
        }
    }
    return KANE_OK;
}
