// SPDX-License-Identifier: MIT
// Keys and values of files that had other names before the first release. What has an old name is an error that says
// the new one. The table is the only place where old names are written; apps/rename_keys.py reads it, too.

#include "base/text.h"

#include <string.h>

typedef struct renamed {
    const char *old, *now;
    const char
        *within; // for apps/rename_keys.py, where an old name has another meaning elsewhere: key of the object that has
                 // the key, or key of the value; "*": everywhere
} renamed;

// clang-format off
static const renamed keys[] = {
    {"guide",          "reference_body",      "vehicle 1"},
    {"guide",          "reference_vehicle",   "train 1"},
    {"spins",          "rotating",            "*"},
    {"freedoms",       "dof",                 "*"},
    {"hold",           "fixed",               "start"},
    {"hold_rates",     "fixed_rates",         "*"},
    {"rotation",       "rotation_order",      "*"},
    {"turned",         "orientation",         "*"},
    {"turned",         "reversed",            "train 1"},
    {"flange_back",    "back_to_back",        "*"},
    {"way",            "model",               "*"},
    {"bound",          "traction_bound",      "*"},
    {"falling",        "falling_friction",    "contact"},
    {"slow",           "min_reference_speed", "*"},
    {"two_sided",      "bilateral",           "*"},
    {"transition",     "transition_speed",    "contact"},
    {"separate",       "imaginary_as_forces", "*"},
    {"position",       "atol_position",       "integrator"},
    {"angle",          "atol_angle",          "integrator"},
    {"speed",          "atol_velocity",       "integrator"},
    {"turning",        "atol_angular_velocity", "integrator"},
    {"longest_step",   "max_step",            "*"},
    {"jacobian_every", "jacobian_interval",   "*"},
    {"every",          "interval",            "output"},
    {"shortest",       "min_wavelength",      "*"},
    {"longest",        "max_wavelength",      "*"},
};

static const renamed values[] = {
    {"tables", "table",    "model"},
    {"own",    "user",     "type"},
    {"own",    "user",     "standard"},
    {"point",  "constant", "extrapolation"},
};
// clang-format on

static const char *next_name(const renamed *rows, int count, const char *old, int *next)
{
    for (int i = *next; i < count; i++)
        if (strcmp(rows[i].old, old) == 0) {
            *next = i + 1;
            return rows[i].now;
        }
    return NULL;
}

const char *kane_names_renamed_key(const char *old, int *next)
{
    return next_name(keys, (int)(sizeof keys / sizeof keys[0]), old, next);
}

const char *kane_names_renamed_value(const char *old, int *next)
{
    return next_name(values, (int)(sizeof values / sizeof values[0]), old, next);
}
