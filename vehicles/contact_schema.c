// SPDX-License-Identifier: MIT
// The laws of a wheelset's contact, as they are typed.

#include "vehicles/vehicle_file.h"

#include <math.h>

static const char *const contact_models[] = {"elastic", "constraint", "table", NULL}; // as kane_contact_model
static const char *const geometries[]     = {"searched", "tabulated", NULL};          // as kane_contact_geometry
static const char *const creeps[]         = {"SHE", "linear", "FASTSIM", "Polach", "given", NULL}; // as kane_creep_law
static const char *const bounds[]         = {"parabolic", "elliptic", NULL}; // as kane_traction_bound
static const char *const flexibilities[]  = {"three", "blended", NULL};      // as kane_flexibility
static const char *const dissipations[]   = {"Hunt-Crossley", "Kelvin-Voigt", "none", NULL};

static const kane_key falling_keys[] = {
    KANE_KEY(kane_falling_input, ratio, NUMBER, REQUIRED, NULL, "1", NOT_NEGATIVE, NULL,
             "A: friction at very fast slip over that at no slip, up to 1"),
    KANE_KEY(kane_falling_input, decay, NUMBER, REQUIRED, NULL, "s/m", NOT_NEGATIVE, NULL, "B: how soon it falls"),
};

static const kane_schema falling_schema =
    KANE_SCHEMA(kane_falling_input, "falling friction", falling_keys,
                "Friction that falls with the speed of slip w: mu ((1 - A) exp(-B w) + A).");

static const kane_key contact_keys[] = {
    KANE_KEY_NAMED(
        kane_contact_input, contact_model, "model", CHOICE, OPTIONAL, "elastic", NULL, ANY, contact_models,
        "how rails hold the wheels (contact.md): by elastic contact, as a constraint, or by tables of rigid contact "
        "functions"),
    KANE_KEY(kane_contact_input, geometry, CHOICE, OPTIONAL, "searched", NULL, ANY, geometries,
             "where wheel and rail touch is searched on their profiles in every evaluation, or interpolated "
             "in tables of that search (contact.md)"),
    KANE_KEY(
        kane_contact_input, creep, CHOICE, OPTIONAL, "SHE", NULL, ANY, creeps,
        "law of the creep forces (contact.md): Shen-Hedrick-Elkins, Kalker's linear theory without a limit, FASTSIM, "
        "Polach's, or \"given\": with coefficients that are given"),
    KANE_KEY(
        kane_contact_input, spin, SWITCH, OPTIONAL, "true", NULL, ANY, NULL,
        "of \"linear\"; false: without C23 and C33, neither forces by spin nor moments: for comparison with models "
        "that leave them out"),
    KANE_KEY_NAMED(kane_contact_input, bound, "traction_bound", CHOICE, OPTIONAL, "parabolic", NULL, ANY, bounds,
                   "of FASTSIM: how the limit of the traction is spread over the patch"),
    KANE_KEY(kane_contact_input, grid, NUMBERS, OPTIONAL, NULL, "1", POSITIVE, NULL,
             "of FASTSIM: number of strips and of steps along each, 2 to 100; [10, 10] if it is left out"),
    KANE_KEY(kane_contact_input, flexibility, CHOICE, OPTIONAL, "blended", NULL, ANY, flexibilities,
             "of FASTSIM: one for each creepage, or blended into one alone as creepages grow"),
    KANE_KEY(kane_contact_input, kA, NUMBER, OPTIONAL, "1", "1", POSITIVE, NULL,
             "of Polach's law: reduction in the area of adhesion, up to 1"),
    KANE_KEY(kane_contact_input, kS, NUMBER, OPTIONAL, "1", "1", POSITIVE, NULL,
             "of Polach's law: reduction in the area of slip, up to kA"),
    KANE_KEY(kane_contact_input, coefficients, NUMBERS, OPTIONAL, NULL, "N", POSITIVE, NULL,
             "of \"given\": [longitudinal, lateral], the force of one wheel per creepage; needed there"),
    KANE_KEY(kane_contact_input, limit, NUMBER, OPTIONAL, NULL, "N", POSITIVE, NULL,
             "of \"given\": most that the force of a wheel can be; friction times its load if it is left out"),
    KANE_KEY(
        kane_contact_input, equivalent_conicity, NUMBER, OPTIONAL, "0", "1", NOT_NEGATIVE, NULL,
        "of \"given\": by how much the rolling radius grows with the lateral displacement, beyond what the profile does"),
    KANE_KEY(kane_contact_input, dissipation_law, CHOICE, OPTIONAL, "Hunt-Crossley", NULL, ANY, dissipations,
             "how the normal force depends on the rate of approach"),
    KANE_KEY(kane_contact_input, dissipation, NUMBER, OPTIONAL, "1 s/m", "s/m", NOT_NEGATIVE, NULL,
             "d of Hunt and Crossley: N = N_elastic (1 + d approach rate)"),
    KANE_KEY(kane_contact_input, restitution, NUMBER, OPTIONAL, "0.8", "1", NOT_NEGATIVE, NULL,
             "of Kelvin-Voigt: force in parting over that in approaching, up to 1"),
    KANE_KEY_NAMED(kane_contact_input, transition, "transition_speed", NUMBER, OPTIONAL, "0.1 m/s", "m/s", POSITIVE,
                   NULL,
                   "of Kelvin-Voigt: rate of approach and of parting between which the one passes into the other"),
    KANE_KEY(kane_contact_input, shear_modulus, NUMBER, OPTIONAL, "82 GPa", "Pa", POSITIVE, NULL,
             "of wheels and rails"),
    KANE_KEY(kane_contact_input, poisson, NUMBER, OPTIONAL, "0.28", "1", NOT_NEGATIVE, NULL,
             "Poisson's ratio of wheels and rails, up to 0.5"),
    KANE_KEY(kane_contact_input, friction, NUMBERS, OPTIONAL, NULL, "1", NOT_NEGATIVE, KANE_OR_ONE,
             "factor on the rail's coefficient of friction, or two, [left, right]; 1 if it is left out"),
    KANE_KEY(kane_contact_input, flange_friction, NUMBER, OPTIONAL, "1", "1", NOT_NEGATIVE, NULL,
             "factor on friction where the contact is steep: flange on gauge face"),
    KANE_KEY_NAMED(kane_contact_input, falling, "falling_friction", OBJECT, OPTIONAL, NULL, NULL, ANY, &falling_schema,
                   "friction that falls with the speed of slip; constant if it is left out"),
    KANE_KEY_NAMED(kane_contact_input, slow, "min_reference_speed", NUMBER, OPTIONAL, "0.05 m/s", "m/s", POSITIVE, NULL,
                   "running speed below which creepages refer to it"),
    KANE_KEY_NAMED(
        kane_contact_input, two_sided, "bilateral", SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
        "of \"constraint\" and \"table\"; true: no wheel lifts, the rails pull it down instead, which no rail does: "
        "for comparison with models that do not look at the sign of the normal force"),
};

const kane_schema kane_contact_schema = KANE_SCHEMA(kane_contact_input, "contact", contact_keys,
                                                    "Laws of the contact between a wheelset's wheels and the rails.");

// Keys that the chosen laws do not hear.
static void check_use(kane_reader *reader, const kane_contact_input *in)
{
    const kane_block *block = &in->block;
    if (in->creep != KANE_CREEP_FASTSIM) {
        kane_reader_forbid(reader, block, "traction_bound", "is only used by \"creep\": \"FASTSIM\"");
        kane_reader_forbid(reader, block, "grid", "is only used by \"creep\": \"FASTSIM\"");
        kane_reader_forbid(reader, block, "flexibility", "is only used by \"creep\": \"FASTSIM\"");
    }
    if (in->creep != KANE_CREEP_POLACH) {
        kane_reader_forbid(reader, block, "kA", "is only used by \"creep\": \"Polach\"");
        kane_reader_forbid(reader, block, "kS", "is only used by \"creep\": \"Polach\"");
    }
    if (in->creep != KANE_CREEP_GIVEN) {
        kane_reader_forbid(reader, block, "coefficients", "is only used by \"creep\": \"given\"");
        kane_reader_forbid(reader, block, "limit", "is only used by \"creep\": \"given\"");
        kane_reader_forbid(reader, block, "equivalent_conicity", "is only used by \"creep\": \"given\"");
    } else if (kane_block_has(block, "limit")) {
        kane_reader_forbid(reader, block, "friction",
                           "is only used by laws whose limit is not given; here \"limit\" is");
        kane_reader_forbid(reader, block, "flange_friction",
                           "is only used by laws whose limit is not given; here \"limit\" is");
        kane_reader_forbid(reader, block, "falling_friction",
                           "is only used by laws whose limit is not given; here \"limit\" is");
    }
    if (in->creep != KANE_CREEP_LINEAR)
        kane_reader_forbid(reader, block, "spin", "is only used by \"creep\": \"linear\"");
    if (in->creep == KANE_CREEP_LINEAR) {
        kane_reader_forbid(reader, block, "friction",
                           "is only used by laws with a limit, not by \"creep\": \"linear\"");
        kane_reader_forbid(reader, block, "flange_friction",
                           "is only used by laws with a limit, not by \"creep\": \"linear\"");
        kane_reader_forbid(reader, block, "falling_friction",
                           "is only used by laws with a limit, not by \"creep\": \"linear\"");
    }
    if (in->contact_model == KANE_CONTACT_ELASTIC)
        kane_reader_forbid(reader, block, "bilateral", "is only used by \"model\": \"constraint\" and \"table\"");
    if (in->contact_model != KANE_CONTACT_ELASTIC) {
        kane_reader_forbid(reader, block, "dissipation_law", "is only used by \"model\": \"elastic\"");
        kane_reader_forbid(reader, block, "dissipation", "is only used by \"model\": \"elastic\"");
    }
    if (in->dissipation_law != KANE_DISSIPATION_HUNT_CROSSLEY)
        kane_reader_forbid(reader, block, "dissipation", "is only used by \"dissipation_law\": \"Hunt-Crossley\"");
    if (in->dissipation_law != KANE_DISSIPATION_KELVIN_VOIGT) {
        kane_reader_forbid(reader, block, "restitution", "is only used by \"dissipation_law\": \"Kelvin-Voigt\"");
        kane_reader_forbid(reader, block, "transition_speed", "is only used by \"dissipation_law\": \"Kelvin-Voigt\"");
    }
}

static void check_most(kane_reader *reader, const kane_block *block, const char *key, double value, double most)
{
    if (!(value <= most))
        kane_reader_fault(reader, block, key, "%g is out of range, must be at most %g", value, most);
}

static void check_ranges(kane_reader *reader, const kane_contact_input *in)
{
    if (in->creep == KANE_CREEP_POLACH)
        check_most(reader, &in->block, "kA", in->kA, 1.0);
    if (in->creep == KANE_CREEP_POLACH && !(in->kS <= in->kA))
        kane_reader_report(reader, kane_block_place(&in->block, kane_block_has(&in->block, "kS") ? "kS" : "kA", -1),
                           "kS = %g must not be larger than kA = %g", in->kS, in->kA);
    check_most(reader, &in->block, "restitution", in->restitution, 1.0);
    check_most(reader, &in->block, "poisson", in->poisson, 0.5);
    if (kane_block_has(&in->block, "falling_friction"))
        check_most(reader, &in->falling.block, "ratio", in->falling.ratio, 1.0);
}

static void read_grid(kane_reader *reader, const kane_contact_input *in, kane_fastsim *fastsim)
{
    int *const counts[2] = {&fastsim->strips, &fastsim->steps};
    if (!kane_block_has(&in->block, "grid"))
        return;
    if (in->grid.count != 2) {
        kane_reader_fault(reader, &in->block, "grid", "has %d numbers; needs 2: strips and steps", in->grid.count);
        return;
    }
    for (int i = 0; i < 2; i++) {
        const double n = in->grid.values[i];
        if (n >= 2.0 && n <= KANE_FASTSIM_MOST && n == floor(n))
            *counts[i] = (int)n;
        else
            kane_reader_report(reader, kane_block_place(&in->block, "grid", i),
                               "%g is not a number of strips or steps, must be whole and from 2 to %d", n,
                               KANE_FASTSIM_MOST);
    }
}

static void read_coefficients(kane_reader *reader, const kane_contact_input *in, kane_given_creep *given)
{
    const kane_numbers c = in->coefficients;
    given->limit         = kane_block_has(&in->block, "limit") ? in->limit : 0.0;
    given->conicity      = in->equivalent_conicity;
    if (in->creep != KANE_CREEP_GIVEN)
        return;
    if (!kane_block_has(&in->block, "coefficients")) {
        kane_reader_fault(reader, &in->block, "creep", "\"given\" needs \"coefficients\": [longitudinal, lateral]");
    } else if (c.count != 2) {
        kane_reader_fault(reader, &in->block, "coefficients", "has %d numbers; needs two: longitudinal and lateral",
                          c.count);
    } else {
        given->longitudinal = c.values[0];
        given->lateral      = c.values[1];
    }
}

void kane_vehicle_read_contact(kane_reader *reader, const kane_contact_input *in, kane_wheels_definition *wheels)
{
    kane_contact_laws *laws   = &wheels->laws;
    wheels->contact_model     = (kane_contact_model)in->contact_model;
    wheels->geometry          = (kane_contact_geometry)in->geometry;
    *laws                     = kane_contact_laws_default();
    laws->creep               = (kane_creep_law)in->creep;
    laws->fastsim.bound       = (kane_traction_bound)in->bound;
    laws->fastsim.flexibility = (kane_flexibility)in->flexibility;
    laws->polach              = (kane_polach){in->kA, in->kS};
    laws->dissipation_law     = (kane_dissipation_law)in->dissipation_law;
    laws->dissipation         = in->dissipation;
    laws->restitution         = in->restitution;
    laws->transition          = in->transition;
    laws->shear_modulus       = in->shear_modulus;
    laws->poisson             = in->poisson;
    laws->flange_friction     = in->flange_friction;
    laws->slow                = in->slow;
    laws->two_sided           = in->two_sided;
    laws->without_spin        = !in->spin;
    if (kane_block_has(&in->block, "falling_friction"))
        laws->falling = (kane_falling){in->falling.ratio, in->falling.decay};
    read_grid(reader, in, &laws->fastsim);
    read_coefficients(reader, in, &laws->given);

    const kane_numbers friction = in->friction;
    const int given             = kane_block_has(&in->block, "friction");
    wheels->friction[0] = wheels->friction[1] = 1.0;
    if (given && friction.count != 1 && friction.count != 2)
        kane_reader_fault(reader, &in->block, "friction", "has %d numbers; needs one factor, or two: left and right",
                          friction.count);
    else if (given)
        for (int side = 0; side < 2; side++)
            wheels->friction[side] = friction.values[side < friction.count ? side : 0];
    check_use(reader, in);
    check_ranges(reader, in);
}
