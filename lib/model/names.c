// SPDX-License-Identifier: MIT
// Names of terms, axes and coordinates as they are typed and written; names of bodies while a model is compiled.

#include "model/compile.h"

const char *kane_wrench_kind_name(kane_wrench_kind kind)
{
    static const char *const names[KANE_WRENCH_KINDS] = {"force", "torque"};
    return names[kind];
}

const char *kane_imaginary_term_name(kane_imaginary_term term)
{
    static const char *const names[KANE_IMAGINARY_TERMS] = {"translation", "centrifugal", "rotation", "gyroscopic"};
    return names[term];
}

const char *kane_axis_name(int axis)
{
    static const char *const names[3] = {"x", "y", "z"};
    return names[axis];
}

const char *kane_coordinate_name(kane_coordinate coordinate)
{
    static const char *const names[KANE_COORDINATES] = {"x", "y", "z", "yaw", "roll", "pitch"};
    return names[coordinate];
}

kane_names kane_compile_body_names(const kane_compiler *c)
{
    return (kane_names){c->vehicle->bodies, c->vehicle->body_count, sizeof *c->vehicle->bodies};
}

const char *kane_compile_text(kane_compiler *c, const char *text)
{
    return kane_arena_text(c->model->arena, text ? text : "");
}
