// SPDX-License-Identifier: MIT
// Laws of one contact patch: creep forces, friction, dissipation. Part of kane/contact.h; usable alone.
//
// Axes of a patch: x along the rail, y to the left in the contact plane, z along the normal from the rail into the
// wheel. Creepages are those of the wheel's material over the rail, forces those on the wheel. docs/contact.md explains
// the laws.

#ifndef KANE_CREEP_H
#define KANE_CREEP_H

#include <kane/base.h>
#include <kane/math.h>
#include <kane/rail.h>

KANE_C_BEGIN

// --- creep forces of an ellipse that rolls forward ---

typedef struct kane_creep_input {
    double N;                      // normal force [N]
    double a, b;                   // semi-axes along and across the rail [m]
    double xi_x, xi_y;             // creepages [1]
    double phi;                    // spin creepage [1/m]
    double friction;               // coefficient [1]
    double shear_modulus, poisson; // of both bodies [Pa], [1]
} kane_creep_input;

typedef struct kane_creep_force {
    double T_x, T_y; // [N]
    double M_z;      // [N m]
} kane_creep_force;

// Kalker's linear theory: no limit. Zero for an ellipse without area, as all the others.
KANE_API kane_creep_force kane_creep_linear(const kane_creep_input *in);

// The linear theory's forces and moment, all multiplied by kane_saturation() of the force.
KANE_API kane_creep_force kane_creep_she(const kane_creep_input *in);

// FASTSIM: J. J. Kalker, A fast algorithm for the simplified theory of rolling contact, Veh. Syst. Dyn. 11 (1982) 1-13.
typedef enum kane_traction_bound { KANE_BOUND_PARABOLIC, KANE_BOUND_ELLIPTIC } kane_traction_bound;

// Three flexibilities, one for each creepage; or, as creepages grow, one alone: then traction in full slip is against
// the slip (docs/contact.md).
typedef enum kane_flexibility { KANE_FLEXIBILITY_THREE, KANE_FLEXIBILITY_BLENDED } kane_flexibility;

enum { KANE_FASTSIM_MOST = 100 }; // strips or steps

typedef struct kane_fastsim {
    kane_traction_bound bound;
    kane_flexibility flexibility;
    int strips; // across, 2 to KANE_FASTSIM_MOST
    int steps;  // along each, 2 to KANE_FASTSIM_MOST
} kane_fastsim;

// Parabolic, blended flexibilities, 10 x 10: what comes nearest to solutions of the half-space.
KANE_API kane_fastsim kane_fastsim_default(void);

// Settings that are not allowed give no force.
KANE_API kane_creep_force kane_creep_fastsim(const kane_creep_input *in, const kane_fastsim *settings);

// Polach: O. Polach, A fast wheel-rail forces calculation computer code, Veh. Syst. Dyn. Suppl. 33 (1999) 728-739, with
// spin; the factors are those of Creep forces in simulations of traction vehicles running on adhesion limit, Wear 258
// (2005) 992-1000. It gives no moment.
typedef struct kane_polach {
    double kA; // reduction of the linear part in the area of adhesion [1]
    double kS; // and in the area of slip, kS <= kA <= 1 [1]
} kane_polach;

KANE_API kane_creep_force kane_creep_polach(const kane_creep_input *in, const kane_polach *settings);

// Given coefficients, as simple models of bogies have them: the linear part is T_x = -longitudinal xi_x, T_y = -lateral
// xi_y without spin, saturated as by Shen, Hedrick and Elkins (which without spin is J. K. Vermeulen and K. L.
// Johnson's cubic). Nothing depends on the load but the limit, where none is given. Wheels creep along as if their
// radius r grew by conicity times what their centre is displaced outward over the rail: what an equivalent conicity
// does, of cylinders too, without the heights, angles and weight that go with a true one.
typedef struct kane_given_creep {
    double longitudinal, lateral; // of one wheel [N], positive
    double limit;                 // of the force [N]; 0: friction times load
    double conicity;              // in addition to that of the profile [1]
} kane_given_creep;

// Shen-Hedrick-Elkins: factor that saturates a linear creep force F against mu N; 1 for small F, mu N/F for large.
KANE_API double kane_saturation(double F, double mu_N);

// --- friction ---

// Friction that falls with the speed of slip w [m/s]: mu ((1 - ratio) exp(-decay w) + ratio).
typedef struct kane_falling {
    double ratio; // friction at infinite over that at no slip, 0 to 1; 1: constant
    double decay; // [s/m]
} kane_falling;

KANE_API double kane_falling_eval(const kane_falling *falling, double slip_speed);

// --- a user-defined law ---

struct kane_wheel_motion; // kane/contact.h

// What is known of a patch. Rail axes for both sides; a law that is the same to the left and to the right obeys
// (xi_x, -xi_y, -phi) -> (T_x, -T_y, -M_z).
typedef struct kane_creep_contact {
    kane_side side;
    double N;                               // normal force, dissipation included [N]
    double a, b;                            // semi-axes along and across the rail [m]
    double xi_x, xi_y;                      // creepages [1]
    double phi;                             // spin creepage [1/m]
    double rolling;                         // direction of rolling: 1 forward, -1 back, between near standstill [1]
    double reference;                       // speed that creepages refer to [m/s]
    double friction;                        // coefficient here and now, all changes included [1]
    double shear_modulus, poisson;          // [Pa], [1]
    double angle;                           // contact angle, positive where the outside is lower [rad]
    double radius;                          // of the undeformed wheel at the point [m]
    kane_vec3 point;                        // from the wheel's centre [m]
    kane_vec3 normal;                       // unit vector out of the rail into the wheel
    kane_vec3 velocity;                     // of the wheel's material at the point over the rail [m/s]
    const struct kane_wheel_motion *motion; // of the wheel
} kane_creep_contact;

typedef struct kane_user_force {
    double T_x, T_y; // tangential force on the wheel [N]
    double M_z;      // spin moment [N m]
    double T_n;      // further force along the normal [N]
} kane_user_force;

// out is zero before the call. Returns KANE_OK; another status ends the evaluation with it (KANE_RETRY: with a smaller
// step). Must be a function of its arguments alone, and safe to be called by several threads.
typedef kane_status kane_creep_function(void *data, const kane_creep_contact *contact, kane_user_force *out);

// The same with slopes of all that the motion and the load change: what KANE_CREEP_FORMULA_FUNCTIONS makes of a formula
// (kane/creep_formula.h). out is zero before the call.
struct kane_creep_formula_contact;
struct kane_creep_formula_force;
typedef kane_status kane_creep_derivative(void *data, const struct kane_creep_formula_contact *contact,
                                          struct kane_creep_formula_force *out);

typedef struct kane_user_creep {
    kane_creep_function *eval;
    kane_creep_derivative *derive; // NULL: differences in all that a motion or a load changes
    void *data;                    // handed to both; must live as long as the contact
} kane_user_creep;

// --- all laws of a contact ---

typedef enum kane_creep_law {
    KANE_CREEP_SHE,
    KANE_CREEP_LINEAR,
    KANE_CREEP_FASTSIM,
    KANE_CREEP_POLACH,
    KANE_CREEP_GIVEN,
    KANE_CREEP_USER,
} kane_creep_law;

// How the normal force depends on the rate of approach w [m/s].
typedef enum kane_dissipation_law {
    KANE_DISSIPATION_HUNT_CROSSLEY, // N_elastic (1 + dissipation w), smoothly zero where that would pull
    KANE_DISSIPATION_KELVIN_VOIGT, // N_elastic from w = transition on, restitution N_elastic below -transition, a cubic
                                   // between (modified Kelvin-Voigt)
    KANE_DISSIPATION_NONE,
} kane_dissipation_law;

typedef struct kane_contact_laws {
    kane_creep_law creep;
    kane_fastsim fastsim;   // of KANE_CREEP_FASTSIM
    kane_polach polach;     // of KANE_CREEP_POLACH
    kane_given_creep given; // of KANE_CREEP_GIVEN
    kane_user_creep own;    // of KANE_CREEP_USER

    kane_dissipation_law dissipation_law;
    double dissipation; // of Hunt and Crossley [s/m]
    double restitution; // of Kelvin and Voigt: 0 to 1 [1]
    double transition;  // and where it is reached [m/s]

    double shear_modulus, poisson; // of both bodies [Pa], [1]
    double friction[2];            // coefficient of the left and the right wheel on the tread [1]
    double flange_friction;        // that of flange and gauge face over that of the tread [1]
    kane_falling falling;          // ignored by the linear law
    double slow;                   // speed below which creepages refer to it instead of to the running speed [m/s]
    int two_sided; // 1: rails that guide without giving way hold wheels down, too, and wheels creep as if pressed by as
                   // much as they are pulled; no rail does so: for comparison with models that do not look at the sign
    int without_spin; // 1: of the linear law: C23 = C33 = 0, for comparison with models that leave them out
} kane_contact_laws;

// Shen-Hedrick-Elkins, Hunt-Crossley with 1 s/m; steel: G = 82 GPa, nu = .28; friction .3 everywhere, not falling; slow
// .05 m/s. If asked for: FASTSIM's default, kA = kS = 1, restitution .8 reached at .1 m/s.
KANE_API kane_contact_laws kane_contact_laws_default(void);

KANE_C_END

#endif
