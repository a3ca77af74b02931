// SPDX-License-Identifier: MIT
// Flexible models on their way: the file as typed, finite elements, modes.

#ifndef KANE_FLEXIBLE_MODEL_H
#define KANE_FLEXIBLE_MODEL_H

#include <kane/flexible.h>

#include "base/document.h"
#include "math/sparse.h"

enum { KANE_FLEXIBLE_UNKNOWNS = 1500 }; // of beams, at most: their matrices are dense [1]

// --- the file ---

typedef struct kane_beam_input {
    kane_block block;
    kane_vec3 from, to; // [m]
    kane_vec3 up;       // about which side its section's z axis is
    int count;          // elements along it
    double E, G;        // [N/m^2]
    double A;           // [m^2]
    double Iy, Iz, J;   // second moments about y, z; for torsion [m^4]
    double shear;       // factor of A in shear; 0: stiff [1]
    double density;     // [kg/m^3]
    double polar;       // moment of inertia about its axis, over length [kg m]
} kane_beam_input;

typedef struct kane_lump_input {
    kane_block block;
    kane_vec3 at;
    double mass;
    kane_numbers inertia; // 3 or 6, or none
} kane_lump_input;

typedef struct kane_interface_input {
    kane_block block;
    kane_vec3 at;
    double radius; // of the patch of nodes around it; 0: the nearest node alone [m]
} kane_interface_input;

typedef struct kane_gauge_input {
    kane_block block;
    const char *beam;   // NULL: a strain gauge
    double at;          // from where the beam begins [m]
    kane_numbers fibre; // y, z of the section, or none
    kane_vec3 from, to; // of a strain gauge [m]
} kane_gauge_input;

typedef enum kane_matrix_format { KANE_MATRIX_CALCULIX, KANE_MATRIX_MARKET, KANE_MATRIX_ABAQUS } kane_matrix_format;

enum { KANE_MATRIX_FILES = 6 };

typedef struct kane_matrices_input {
    kane_block block;
    int format;                                      // kane_matrix_format
    const char *nodes, *unknowns, *stiffness, *mass; // files
    const char *shapes, *eigenvalues;                // modes in place of the stiffness
    double unit_length, unit_mass;                   // of the files [m], [kg]
} kane_matrices_input;

typedef enum kane_reduction { KANE_REDUCE_FREE, KANE_REDUCE_ATTACHMENT, KANE_REDUCE_CRAIG_BAMPTON } kane_reduction;

typedef struct kane_modes_input {
    kane_block block;
    int kind; // kane_reduction
    int count;
    double up_to;        // [Hz]
    double quasi_static; // modes above follow loads without swinging [Hz]
} kane_modes_input;

typedef enum kane_flexible_inertia {
    KANE_INERTIA_CONSTANT,
    KANE_INERTIA_LINEAR,
    KANE_INERTIA_FULL
} kane_flexible_inertia;

typedef enum kane_mass_sums { KANE_MASS_CONSISTENT, KANE_MASS_LUMPED } kane_mass_sums;

typedef struct kane_flexible_file {
    kane_block block;
    const char *name;
    kane_items beams, masses, interfaces, gauges; // by name
    kane_matrices_input matrices;
    kane_modes_input modes;
    int inertia; // kane_flexible_inertia
    int mass;    // kane_mass_sums
    double damping;
    kane_numbers rayleigh;  // a [1/s], b [s], or none
    const char *stiffening; // interface that holds the body against its inertia; NULL: loads do not stiffen it
    const char *frame;      // interface that the body's axes are fixed to, or KANE_PRINCIPAL_FRAME; NULL: mean axes
} kane_flexible_file;

extern const kane_schema kane_flexible_schema;
extern const kane_formats kane_flexible_formats;

// --- finite elements: six unknowns a node, displacement and rotation, axes of the model ---

enum { KANE_BEAM_POINTS = 4, KANE_BEAM_UNKNOWNS = 12 };

// Mass that moves with one or two nodes as a rigid piece: a mass on its arm, or what stands for a beam at a point of
// integration.
typedef struct kane_mass_place {
    kane_vec3 x; // its mass centre [m]
    double mass;
    kane_mat3 spread; // sum m s s' about it
    int node[2];      // that move it; the second -1: one alone
    // displacement and rotation by each unknown of its nodes
    kane_vec3 u[KANE_BEAM_UNKNOWNS], turn[KANE_BEAM_UNKNOWNS];
} kane_mass_place;

typedef struct kane_elements {
    int node_count;
    kane_vec3 *x;  // [node_count] [m]
    double *M, *K; // symmetric [(6 node_count)^2]
    int place_count;
    kane_mass_place
        *places; // where the masses are, room for KANE_BEAM_POINTS a beam and one a mass; NULL: they are not asked for
} kane_elements;

// Adds a beam of Timoshenko between two nodes: consistent mass, bending and shear as its own differential equation has
// them.
void kane_elements_add_beam(kane_elements *e, int a, int b, const kane_beam_input *section);

// Where node k of a beam is, from 0.
kane_vec3 kane_beam_along(const kane_beam_input *in, int k);

// What a beam carries at the part s of an element, by the unknowns of its two nodes in axes of the model: force along
// the beam's x, y, z and torque about them that the part beyond the section exerts on the part before it.
void kane_beam_loads(const kane_beam_input *section, kane_vec3 from, kane_vec3 to, double s,
                     double loads[6][KANE_BEAM_UNKNOWNS]);

// Adds a mass at r from a node, rigidly joined to it; J: about its own centre, xx yy zz xy xz yz.
void kane_elements_add_lump(kane_elements *e, int node, kane_vec3 r, double mass, const double J[6]);

// Index of the point nearest to a place.
int kane_nearest(int count, const kane_vec3 *points, kane_vec3 at);

// --- any model: nodes with up to six unknowns ---

// One element of a beam.
typedef struct kane_mesh_beam {
    int node[2];
    const kane_beam_input *section;
} kane_mesh_beam;

typedef struct kane_mesh {
    int node_count;
    kane_vec3 *x; // [node_count] [m]
    int *number;  // what its files call a node [node_count]; NULL: beams, which have no numbers
    int *unknown; // index of displacement x y z and rotation x y z of every node, -1: it has none [6 node_count]
    int *node;    // of every unknown [M.n]
    int *part;    // 0 .. 5, of every unknown
    kane_symmetric M, K;
    int shape_count;          // modes that a file gives in place of K, orthogonal to rigid motion; 0: K is known
    double *shapes, *squares; // of unit modal mass [shape_count * M.n]; omega^2 [shape_count]
    int beam_count;           // 0: it comes from files
    kane_mesh_beam *beams;    // [beam_count]
    int place_count;          // of beams and their masses; 0: M alone is known
    const kane_mass_place *places;
} kane_mesh;

// Room for all unknowns of a mesh whose nodes, and which of them have what (`unknown`: -1 or anything else), are known:
// numbers them. Returns their number, or -1 without memory.
int kane_mesh_number(kane_mesh *mesh, kane_arena *arena);

// The same model with its zeros left out. 0 without memory.
int kane_mesh_from_elements(kane_mesh *mesh, kane_elements *e, kane_arena *arena);

// Files of nodes, unknowns, stiffness, mass, shapes and eigenvalues, as they are found from here; NULL: not given, or
// without memory.
void kane_matrices_find(const kane_matrices_input *in, kane_arena *arena, const char *names[KANE_MATRIX_FILES]);

// The model of matrix files, in SI units; adds to the reader's errors what is wrong in them, and whether it is a free
// body in one piece. 0 then. All memory is the arena's.
int kane_mesh_from_files(kane_mesh *mesh, kane_reader *reader, const kane_matrices_input *in, kane_arena *arena);

// Motion of an unknown as a rigid body moves: displacement along x, y, z, then rotation about the axes through a point.
double kane_mesh_rigid(const kane_mesh *mesh, kane_vec3 centre, int motion, int unknown);

// Displacement of a node in a motion of all unknowns.
kane_vec3 kane_mesh_displacement(const kane_mesh *mesh, const double *motion, int node);

// What a file comes down to, a model after settings (kane_flexible_read) or a reduced body, in the arena; NULL with
// errors.
const kane_flexible_data *kane_flexible_load(kane_arena *arena, const char *file, const char *const *settings,
                                             kane_errors *errors);

// Reduced bodies, .kflex (lib/flexible/reduced.c), of this kind of store. NULL with errors.
#define KANE_REDUCED_KIND "flexible body 1"
const kane_flexible_data *kane_flexible_load_reduced(kane_arena *arena, const char *file, kane_errors *errors);

// Fills `data` but for its name and damping: rigid body, elastic modes (input: how many), sums, and points of the
// interfaces. Adds to the reader's errors what is wrong.
void kane_flexible_reduce(kane_reader *reader, const kane_flexible_file *file, const kane_mesh *mesh,
                          kane_flexible_data *data);

// A body as the bytes of a reduced one that is read without HDF5, for units of FMI; to be released with kane_release.
// NULL with an error.
unsigned char *kane_flexible_flatten(const kane_flexible *flexible, size_t *length, kane_errors *errors);

#endif
