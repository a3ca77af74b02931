// SPDX-License-Identifier: MIT
// Flexible bodies from model files: beams, or matrices of finite elements, reduced to modes (docs/flexible.md).

#ifndef KANE_FLEXIBLE_H
#define KANE_FLEXIBLE_H

#include <kane/base.h>
#include <kane/deformable.h>

#include <string.h>

KANE_C_BEGIN

typedef struct kane_flexible kane_flexible;

// Modal mass of a mode that follows its loads: with its own stiffness it has ten times its frequency, critically damped
// [1].
#define KANE_FLEXIBLE_QUASI_STATIC 0.01

// A file that a reduced body was made from.
typedef struct kane_flexible_source {
    const char *file; // path from here
    const char *hash; // XXH3, 128 bits, of what it was then
} kane_flexible_source;

// Name of a frame that is no interface.
#define KANE_PRINCIPAL_FRAME "principal"

// What a model came down to. Axes of the model file, which are those of the body and parallel to the vehicle's.
typedef struct kane_flexible_data {
    const char *name;
    double mass;       // [kg]
    kane_vec3 centre;  // mass centre, from the origin of the model [m]
    double inertia[6]; // about the mass centre: xx yy zz xy xz yz [kg m^2]
    // elastic modes by frequency, of unit modal mass (those that follow loads as statics has it:
    // KANE_FLEXIBLE_QUASI_STATIC). In mean axes orthogonal to rigid motion: momentum and turning vanish. In principal
    // axes of inertia: momentum and the change of products of inertia in these axes vanish. Or those of the body held
    // at an interface, in axes fixed to that.
    int mode_count;
    const char *frame;       // the interface; KANE_PRINCIPAL_FRAME: principal axes; NULL: mean axes
    const double *frequency; // [Hz]
    kane_deformable shape;   // about the mass centre; its points are the interfaces; nodes from the origin of the model
    // for checks
    const double *node_mass;            // what of the mass counts where a node is [kg]
    double mass_left;                   // the most by which the modal mass differs from E [1]
    double momentum_left, turning_left; // the most that is left of what must vanish, over sqrt(mass), sqrt(inertia) [1]
    // of a reduced body; else none
    int source_count;
    const kane_flexible_source *sources;
} kane_flexible_data;

// Reads a reduced body, or reads and reduces a model file, "kane": "flexible 1", after all settings ("PATH=VALUE",
// NULL-terminated, or NULL; a reduced body has none). NULL with all errors of the file.
KANE_API kane_flexible *kane_flexible_read(const char *file, const char *const *settings, kane_errors *errors);

// Writes what a model came down to as a reduced body, .kflex: a reader gets the same numbers. The same model
// gives the same bytes.
KANE_API kane_status kane_flexible_write(const kane_flexible *flexible, const char *file, kane_errors *errors);

// Whether a file is one of a reduced body (NULL is none): by how it begins, or by its name .kflex.
KANE_API int kane_flexible_is_reduced(const char *file);

// Whether a source is still there and not what it was when the body was reduced.
KANE_API int kane_flexible_source_changed(const kane_flexible_source *source);

KANE_API void kane_flexible_free(kane_flexible *flexible);

static inline int kane_flexible_frame_is_principal(const char *frame)
{
    return strcmp(frame, KANE_PRINCIPAL_FRAME) == 0;
}

// Modal assurance criteria of two bodies, by the nodes that they have in the same places (of their files, within 1 mm):
// (sum m a.b)^2 / (sum m a.a sum m b.b), m the geometric mean of what both have there. mac [modes of one * modes of
// other]; NaN where these nodes do not move in a mode. Returns how many nodes there are, or -1 without memory.
KANE_API int kane_flexible_compare(const kane_flexible *one, const kane_flexible *other, double *mac);

// Valid as long as the model.
KANE_API const kane_flexible_data *kane_flexible_get_data(const kane_flexible *flexible);

KANE_C_END

#endif
