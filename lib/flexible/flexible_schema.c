// SPDX-License-Identifier: MIT
// The keys of a model file of a flexible body.

#include "flexible/model.h"

static const char *const inertias[] = {"constant", "linear", "full", NULL};

static const char *const mass_sums[] = {"consistent", "lumped", NULL};

static const kane_key beam_keys[] = {
    KANE_KEY(kane_beam_input, from, VECTOR, REQUIRED, NULL, "m", ANY, NULL, "where it begins"),
    KANE_KEY(kane_beam_input, to, VECTOR, REQUIRED, NULL, "m", ANY, NULL, "where it ends"),
    KANE_KEY(kane_beam_input, up, VECTOR, OPTIONAL, "[0, 0, 1]", "1", ANY, NULL,
             "direction to which the z axis of its section points, as far as it can"),
    KANE_KEY(kane_beam_input, count, COUNT, OPTIONAL, "8", "1", POSITIVE, NULL, "elements along it"),
    KANE_KEY_NAMED(kane_beam_input, E, "E", NUMBER, OPTIONAL, "210 GPa", "Pa", POSITIVE, NULL, "Young's modulus"),
    KANE_KEY_NAMED(kane_beam_input, G, "G", NUMBER, OPTIONAL, "81 GPa", "Pa", POSITIVE, NULL, "shear modulus"),
    KANE_KEY_NAMED(kane_beam_input, A, "A", NUMBER, REQUIRED, NULL, "m^2", POSITIVE, NULL, "area of its section"),
    KANE_KEY_NAMED(kane_beam_input, Iy, "Iy", NUMBER, REQUIRED, NULL, "m^4", POSITIVE, NULL,
                   "second moment of area about the section's y axis: bending up and down"),
    KANE_KEY_NAMED(kane_beam_input, Iz, "Iz", NUMBER, REQUIRED, NULL, "m^4", POSITIVE, NULL,
                   "second moment of area about the section's z axis: bending sideways"),
    KANE_KEY_NAMED(kane_beam_input, J, "J", NUMBER, REQUIRED, NULL, "m^4", POSITIVE, NULL, "torsion constant"),
    KANE_KEY(kane_beam_input, shear, NUMBER, OPTIONAL, "0", "1", NOT_NEGATIVE, NULL,
             "part of A that carries shear; 0: stiff in shear"),
    KANE_KEY(kane_beam_input, density, NUMBER, OPTIONAL, "7850 kg/m^3", "kg/m^3", POSITIVE, NULL, "of the material"),
    KANE_KEY(kane_beam_input, polar, NUMBER, OPTIONAL, NULL, "kg m", POSITIVE, NULL,
             "moment of inertia about its axis, a metre; density (Iy + Iz) if it is left out"),
};

static const kane_key lump_keys[] = {
    KANE_KEY(kane_lump_input, at, VECTOR, REQUIRED, NULL, "m", ANY, NULL,
             "its mass centre; it is rigidly joined to the nearest node"),
    KANE_KEY(kane_lump_input, mass, NUMBER, REQUIRED, NULL, "kg", NOT_NEGATIVE, NULL, "mass"),
    KANE_KEY(kane_lump_input, inertia, NUMBERS, OPTIONAL, NULL, "kg m^2", ANY, NULL,
             "about its mass centre: Ixx, Iyy, Izz or Ixx, Iyy, Izz, Ixy, Ixz, Iyz"),
};

static const kane_key interface_keys[] = {
    KANE_KEY(kane_interface_input, at, VECTOR, REQUIRED, NULL, "m", ANY, NULL,
             "a point that elements, joints and sensors can hold"),
    KANE_KEY(
        kane_interface_input, radius, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL,
        "it moves as the nodes within this distance do on average, as a rigid body fits them best; without it, it is rigidly joined "
        "to the nearest node, which must have rotations"),
};

static const kane_key gauge_keys[] = {
    KANE_KEY(kane_gauge_input, beam, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "name of the beam whose section loads are wanted"),
    KANE_KEY(kane_gauge_input, at, NUMBER, OPTIONAL, NULL, "m", NOT_NEGATIVE, NULL,
             "distance of the section from where the beam begins"),
    KANE_KEY(kane_gauge_input, fibre, NUMBERS, OPTIONAL, NULL, "m", ANY, NULL,
             "y and z of a point of the section, from its centre, where the stress along the beam is wanted, too"),
    KANE_KEY(kane_gauge_input, from, VECTOR, OPTIONAL, NULL, "m", ANY, NULL,
             "without a beam: where a strain gauge begins, at the nearest node"),
    KANE_KEY(kane_gauge_input, to, VECTOR, OPTIONAL, NULL, "m", ANY, NULL, "where it ends"),
};

static const char *const matrix_formats[] = {"calculix", "matrixmarket", "abaqus", NULL};

static const kane_key matrices_keys[] = {
    KANE_KEY(
        kane_matrices_input, format, CHOICE, REQUIRED, NULL, NULL, ANY, matrix_formats,
        "what wrote the matrices: CalculiX (.sti, .mas), anything that knows Matrix Market, Abaqus (.mtx, matrix input)"),
    KANE_KEY(kane_matrices_input, nodes, TEXT, REQUIRED, NULL, NULL, ANY, NULL,
             "file with the places of the nodes: lines \"number, x, y, z\" after a line *NODE (.inp)"),
    KANE_KEY(kane_matrices_input, unknowns, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "file with a line node.direction for each row of the matrices (.dof); not for abaqus, whose rows say it"),
    KANE_KEY(kane_matrices_input, stiffness, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, "file of the stiffness matrix"),
    KANE_KEY(kane_matrices_input, shapes, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "in place of the stiffness: file of its free modes, a dense matrix of Matrix Market, a column for each"),
    KANE_KEY(kane_matrices_input, eigenvalues, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "with shapes: file of their eigenvalues, squares of angular frequencies [1/s^2], likewise one column"),
    KANE_KEY(kane_matrices_input, mass, TEXT, REQUIRED, NULL, NULL, ANY, NULL, "file of the mass matrix"),
    KANE_KEY(kane_matrices_input, unit_length, NUMBER, OPTIONAL, "1 m", "m", POSITIVE, NULL,
             "length that the files count in; times are in seconds"),
    KANE_KEY(kane_matrices_input, unit_mass, NUMBER, OPTIONAL, "1 kg", "kg", POSITIVE, NULL,
             "mass that the files count in: 1 t where lengths are in mm and forces in N"),
};

static const char *const modes_kinds[] = {"free", "free+attachment", "craig-bampton", NULL};

static const kane_key modes_keys[] = {
    KANE_KEY(
        kane_modes_input, kind, CHOICE, OPTIONAL, "free", NULL, ANY, modes_kinds,
        "free modes alone; free modes and what forces and torques at its interfaces do to it; or modes of the body held at its "
        "interfaces and what moving these does to it. The last two add up to six modes for each interface, high ones, with which its "
        "static deflection is exact"),
    KANE_KEY(kane_modes_input, count, COUNT, OPTIONAL, NULL, "1", POSITIVE, NULL, "how many"),
    KANE_KEY(kane_modes_input, up_to, NUMBER, OPTIONAL, NULL, "Hz", POSITIVE, NULL, "all up to this frequency"),
    KANE_KEY(
        kane_modes_input, quasi_static, NUMBER, OPTIONAL, NULL, "Hz", POSITIVE, NULL,
        "modes above this frequency follow their loads as statics has it and do not swing; without it all modes swing"),
};

static const kane_schema beam_schema =
    KANE_SCHEMA(kane_beam_input, "beam", beam_keys,
                "A straight beam of Timoshenko. Beams that begin or end in one place are welded together there.");
static const kane_schema lump_schema = KANE_SCHEMA(kane_lump_input, "mass", lump_keys, "A rigid mass on the body.");
static const kane_schema interface_schema =
    KANE_SCHEMA(kane_interface_input, "interface", interface_keys, "A point that others hold.");
static const kane_schema gauge_schema = KANE_SCHEMA(
    kane_gauge_input, "gauge", gauge_keys,
    "A place of a beam where forces and torques that it carries are wanted: channels BODY.GAUGE.force.x and so on. Or two nodes of any "
    "model: BODY.GAUGE.strain, by which their distance grows.");
static const kane_schema matrices_schema =
    KANE_SCHEMA(kane_matrices_input, "matrices", matrices_keys,
                "Mass and stiffness matrix of a free body from a finite element program, as one triangle or in full.");
static const kane_schema modes_schema =
    KANE_SCHEMA(kane_modes_input, "modes", modes_keys,
                "Which modes of the free body, or of the held one, are kept: a number, or all up to a frequency.");

static const kane_key flexible_keys[] = {
    KANE_KEY(kane_flexible_file, name, TEXT, OPTIONAL, "flexible body", NULL, ANY, NULL, "what it is"),
    KANE_KEY(kane_flexible_file, beams, MAP, OPTIONAL, NULL, NULL, ANY, &beam_schema, "its beams by name"),
    KANE_KEY(kane_flexible_file, masses, MAP, OPTIONAL, NULL, NULL, ANY, &lump_schema, "masses on it by name"),
    KANE_KEY(kane_flexible_file, matrices, OBJECT, OPTIONAL, NULL, NULL, ANY, &matrices_schema,
             "its matrices, where it is not made of beams"),
    KANE_KEY(kane_flexible_file, interfaces, MAP, REQUIRED, NULL, NULL, ANY, &interface_schema,
             "points that others hold, by name: they are bodies BODY.NAME of the vehicle"),
    KANE_KEY(kane_flexible_file, gauges, MAP, OPTIONAL, NULL, NULL, ANY, &gauge_schema,
             "places where loads of beams or strains are wanted, by name"),
    KANE_KEY(kane_flexible_file, modes, OBJECT, REQUIRED, NULL, NULL, ANY, &modes_schema, "its modes"),
    KANE_KEY(kane_flexible_file, inertia, CHOICE, OPTIONAL, "linear", NULL, ANY, inertias,
             "how its inertia changes as it deforms: not at all, in proportion, or by all terms"),
    KANE_KEY(
        kane_flexible_file, frame, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "the interface that its axes are fixed to, as of a beam on a hub: there it can have a joint; \"principal\": principal "
        "axes of its inertia, whose moments must differ; without it they are mean axes, which no point of it holds"),
    KANE_KEY(
        kane_flexible_file, stiffening, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "the interface that holds it against its own inertia: axial forces that come of this change its stiffness, as in a "
        "blade on a hub or a rod that spins (beams only; contains inertia full); without it loads do not stiffen it"),
    KANE_KEY(
        kane_flexible_file, mass, CHOICE, OPTIONAL, "consistent", NULL, ANY, mass_sums,
        "which masses that change of inertia takes: those of the mass matrix, as it joins nodes, or its sums by rows, at nodes"),
    KANE_KEY(kane_flexible_file, damping, NUMBER, OPTIONAL, "0.02", "1", NOT_NEGATIVE, NULL, "ratio of all modes"),
    KANE_KEY(kane_flexible_file, rayleigh, NUMBERS, OPTIONAL, NULL, NULL, NOT_NEGATIVE, NULL,
             "in place of it: a [1/s] and b [s], by which the damping of the body is a M + b K"),
};

const kane_schema kane_flexible_schema =
    KANE_SCHEMA(kane_flexible_file, "flexible", flexible_keys,
                "A flexible body: finite elements that are reduced to modes. Axes are parallel to the vehicle's.");

static const kane_format formats[]       = {{"flexible", 1, 1, &kane_flexible_schema},
                                            {"vehicle", 1, 1, NULL},
                                            {"train", 1, 1, NULL},
                                            {"mechanism", 1, 1, NULL},
                                            {"track", 1, 1, NULL},
                                            {"run", 1, 1, NULL}};
const kane_formats kane_flexible_formats = {formats, 6};
