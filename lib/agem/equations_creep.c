// SPDX-License-Identifier: MIT
// How creep forces of wheels that rails guide resist the speeds (kane/equations.h):
//   C = - J' T J   J [6 * n]: velocity and angular velocity of a wheelset at its mass centre by the speeds
//                  T [6 * 6]: its creep wrench by these

#include <kane/equations.h>

#include "agem/bodies.h"
#include "agem/rail_constraint.h"
#include "tree/spatial.h"

#include <string.h>

enum { SIX = 6 };

// J by rows of all speeds of the tree.
static void find_motion_by_speeds(const kane_model *model, const kane_work *work, int link, const int *place, double *J)
{
    const int n = model->tree.v_count;
    memset(J, 0, (size_t)SIX * (size_t)n * sizeof *J);
    for (int k = 0; k < SIX; k++) {
        const kane_wrench unit      = {k < 3 ? kv3_unit(k) : kv3_zero(), k < 3 ? kv3_zero() : kv3_unit(k - 3)};
        const kane_wrench at_origin = kane_link_about_origin(&model->tree.links[link], &work->tree.link[link], unit);
        kane_tree_spread_wrench(&model->tree, place, &work->tree, link, -1, at_origin, J + k * n);
    }
}

static void subtract_damping(const kane_equations *e, int n, const double tangents[SIX][SIX], const double *J,
                             int all_speeds, double *C)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int a = 0; a < SIX; a++)
                for (int b = 0; b < SIX; b++)
                    C[i * n + k] -= J[a * all_speeds + kane_equations_speed(e, i)] * tangents[a][b] *
                                    J[b * all_speeds + kane_equations_speed(e, k)];
}

kane_status kane_equations_creep_damping(const kane_model *model, const kane_equations *e, const kane_work *work,
                                         double *C)
{
    const int n = kane_equations_get(e)->speed_count, all_speeds = model->tree.v_count;
    double *J          = kane_allocate((size_t)SIX * (size_t)all_speeds, sizeof *J);
    int *place         = kane_allocate((size_t)all_speeds, sizeof *place);
    kane_status status = J && place ? KANE_OK : KANE_NO_MEMORY;
    memset(C, 0, (size_t)n * (size_t)n * sizeof *C);
    for (int v = 0; v < all_speeds && status == KANE_OK; v++)
        place[v] = v;
    for (int r = 0; r < model->rails_count; r++)
        for (int k = 0; k < model->rails[r].count && status == KANE_OK; k++) {
            const int wheels          = model->rails[r].wheels[k];
            const kane_wheels *of     = &model->wheels[wheels];
            double tangents[SIX][SIX] = {{0.0}};
            status                    = KANE_BAD_ARGUMENT;
            if (of->panel < 0)
                status = kane_rail_constraint_derive_creep(of, &work->wheels[wheels], tangents);
            find_motion_by_speeds(model, work, model->bodies[of->body].link, place, J);
            subtract_damping(e, n, (const double(*)[SIX])tangents, J, all_speeds, C);
        }
    kane_release(place);
    kane_release(J);
    return status;
}
