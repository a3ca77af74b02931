// SPDX-License-Identifier: MIT
// Flexible bodies from model files: beams, or matrices of finite elements, reduced to modes (docs/flexible.md).

#ifndef KANE_FLEXIBLE_H
#define KANE_FLEXIBLE_H

#include <kane/base.h>
#include <kane/deformable.h>

typedef struct kane_flexible kane_flexible;

// What a model came down to. Axes of the model file, which are those of the body and parallel to the vehicle's.
typedef struct kane_flexible_data {
    const char *name;
    double mass;       // [kg]
    kane_vec3 centre;  // mass centre, from the origin of the model [m]
    double inertia[6]; // about the mass centre: xx yy zz xy xz yz [kg m^2]
    // elastic modes by frequency, of unit modal mass, orthogonal to rigid motion: momentum and turning vanish
    int mode_count;
    const double *frequency; // [Hz]
    double damping;          // ratio of all modes [1]
    kane_deformable shape;   // about the mass centre; its points are the interfaces
    // for pictures and checks
    int node_count;
    const kane_vec3 *nodes;             // from the origin of the model [m]
    const kane_vec3 *shapes;            // displacement of node k by mode i at k mode_count + i
    double momentum_left, turning_left; // the most that is left of what must vanish, over sqrt(mass), sqrt(inertia) [1]
} kane_flexible_data;

// Reads and reduces a model file, "kane": "flexible 1". NULL with all errors of the file.
KANE_API kane_flexible *kane_flexible_read(const char *file, kane_errors *errors);
KANE_API void kane_flexible_free(kane_flexible *flexible);

// Valid as long as the model.
KANE_API const kane_flexible_data *kane_flexible_get_data(const kane_flexible *flexible);

#endif
