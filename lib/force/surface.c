// SPDX-License-Identifier: MIT
// A surface with dry friction between two bodies.

#include "force/surface.h"

const char *const kane_friction_models[] = {"stick", "smooth", NULL};

kane_vec3 kane_direction_axes(int choice)
{
    static const double axes[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    return kv3(axes[choice][0], axes[choice][1], axes[choice][2]);
}

int kane_surface_prepare(const kane_block *block, const kane_dry_friction *input, kane_vec3 axes, kane_errors *errors,
                         kane_surface *s)
{
    const int smooth = input->model == KANE_FRICTION_SMOOTH;
    *s       = (kane_surface){.stick = {.displacement = input->stick_displacement, .damping = input->stick_damping}};
    s->along = axes;
    s->slip_speed = smooth ? input->slip_speed : 0.0;
    for (int i = 0; i < 3; i++)
        s->state[i] = !smooth && kv3_get(axes, i) != 0.0 ? s->count++ : -1;
    if (smooth ? input->slip_speed > 0.0 : input->stick_displacement > 0.0)
        return 0;
    (void)kane_block_fault(errors, block, NULL, "\"%s\" must be positive",
                           smooth ? "slip_speed" : "stick_displacement");
    return 1;
}

int kane_surface_set_limit(const kane_block *block, kane_surface *s, double limit, kane_errors *errors)
{
    s->stick.nominal = limit;
    if (limit > 0.0 || s->slip_speed > 0.0)
        return 0;
    (void)kane_block_fault(
        errors, block, NULL,
        "'%s' has no friction at rest: how stiff it sticks needs \"nominal_load\", and a coefficient",
        block->name ? block->name : "");
    return 1;
}

int kane_surface_states(const kane_surface *s, const char *const names[3], kane_law_state *info)
{
    for (int i = 0; i < 3; i++)
        if (s->state[i] >= 0)
            info[s->state[i]] = (kane_law_state){.name   = names[i],
                                                 .unit   = "1",
                                                 .help   = "elastic displacement over that under the limit",
                                                 .size   = 1.0 / s->stick.displacement,
                                                 .memory = 1};
    return s->count;
}

double kane_surface_energy(const kane_surface *s, const kane_relative *r, int first)
{
    kane_formula_motion m;
    kane_formula_see(r, &m);
    return s->slip_speed > 0.0 ? 0.0 : kane_stick_energy(&s->stick, ks3_value(kane_surface_state(s, &m, first)));
}
