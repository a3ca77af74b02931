// SPDX-License-Identifier: MIT
// Constraints as rows: their values.

#include "tree/rows.h"

#include "tree/rows_find.h"

void kane_closure_count(kane_closure *closure)
{
    static const struct {
        int rows, positions, sides;
    } counts[KANE_CONSTRAINT_KINDS] = {
        [KANE_CONSTRAINT_LINEAR] = {1, 1, 0},      [KANE_CONSTRAINT_FUNCTION] = {1, 1, 0},
        [KANE_CONSTRAINT_SPHERICAL] = {3, 3, 2},   [KANE_CONSTRAINT_REVOLUTE] = {5, 5, 2},
        [KANE_CONSTRAINT_CYLINDRICAL] = {4, 4, 2}, [KANE_CONSTRAINT_PRISMATIC] = {5, 5, 2},
        [KANE_CONSTRAINT_UNIVERSAL] = {4, 4, 2},   [KANE_CONSTRAINT_PLANAR] = {3, 3, 2},
        [KANE_CONSTRAINT_WELD] = {6, 6, 2},        [KANE_CONSTRAINT_DISTANCE] = {1, 1, 2},
        [KANE_CONSTRAINT_CURVE] = {2, 2, 2},       [KANE_CONSTRAINT_RATES] = {1, 0, 0},
        [KANE_CONSTRAINT_KNIFE] = {1, 0, 2},       [KANE_CONSTRAINT_ROLLING] = {3, 1, 2},
    };
    const kane_rows_kind *own = closure->own;
    if (closure->kind == KANE_CONSTRAINT_OWN) {
        closure->row_count      = own->positions + own->rates;
        closure->position_count = own->positions;
        return;
    }
    closure->side_count     = counts[closure->kind].sides;
    const int along         = closure->along != NULL;
    closure->row_count      = counts[closure->kind].rows + along;
    closure->position_count = counts[closure->kind].positions + along;
}

int kane_closure_is_rheonomic(const kane_closure *closure)
{
    int given = closure->own || closure->length_given || closure->offset_given || closure->along || closure->motion;
    for (int k = 0; k < closure->term_count; k++)
        given = given || closure->factor_given[k];
    return given;
}

void kane_closure_eval(const kane_tree *tree, const kane_closure *closure, const kane_tree_work *work,
                       const kane_transport *frames, const kane_base *bases, int beyond, kane_closure_values *out)
{
    const row_scene s = {.tree = tree, .work = work, .frames = frames, .bases = bases, .beyond = beyond};
    rows found;
    rows_find(&s, closure, &found);
    for (int i = 0; i < closure->row_count; i++) {
        out->value[i]        = found.value[i].v;
        out->rate[i]         = found.rate[i].v;
        out->acceleration[i] = found.acceleration[i].v;
    }
    out->push_count = found.push_count;
    for (int i = 0; i < found.push_count; i++) {
        out->push[i].row         = found.push[i].row;
        out->push[i].link        = found.push[i].link;
        out->push[i].push.force  = ks3_value(found.push[i].force);
        out->push[i].push.torque = ks3_value(found.push[i].torque);
    }
    out->frame_push_count = found.frame_push_count;
    for (int i = 0; i < found.frame_push_count; i++) {
        out->frame_push[i].row   = found.frame_push[i].row;
        out->frame_push[i].frame = found.frame_push[i].frame;
        out->frame_push[i].push  = (kane_wrench){found.frame_push[i].force, found.frame_push[i].torque};
    }
    out->entry_count = found.entry_count;
    for (int i = 0; i < found.entry_count; i++)
        out->entry[i] = (kane_speed_entry){found.entry[i].row, found.entry[i].v, found.entry[i].value.v};
}
