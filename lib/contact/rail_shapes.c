// SPDX-License-Identifier: MIT
// Rails whose profile changes along the line. All profiles of a rail are splines zeta(eta) on one grid in one set of axes, and
// between two of them each cubic is the mean of theirs: the rail there is exactly (1 - share) zeta_1 + share zeta_2.

#include "contact/contact.h"

#include "base/arena.h"
#include "profile/profile.h"

#include <math.h>

static const kane_profile *own_rail(const kane_contact_definition *d, int side)
{
    return d->rail[side] ? d->rail[side] : d->rail[0];
}

// All that a shape's table is made from.
static table_key key_of(const kane_contact_definition *d, int side, const kane_rail_shape *shape)
{
    const double numbers[] = {d->inclination, d->gauge_height, shape->as_drawn};
    table_key key          = {0};
    kane_key_add(&key, "shape", 5);
    kane_key_add(&key, numbers, sizeof numbers);
    kane_key_add_profile(&key, own_rail(d, side));
    kane_key_add_profile(&key, shape->profile);
    return key;
}

// Returns 0 without memory.
static int fill(const kane_contact_definition *d, int side, const contact_pair *pair, const kane_rail_shape *shape,
                rail_table *t)
{
    form own, other;
    kane_arena *scratch = kane_arena_create();
    int made =
        scratch && kane_form_init(&own, own_rail(d, side), scratch) && kane_form_init(&other, shape->profile, scratch);
    if (made && shape->as_drawn) {
        const rail_origin origin = kane_rail_top(&own, d->inclination);
        made                     = kane_rail_table_init(t, &other, d->inclination, d->gauge_height, &origin, scratch);
    } else if (made) {
        rail_origin origin = kane_rail_top(&other, d->inclination);
        made               = kane_rail_table_init(t, &other, d->inclination, d->gauge_height, NULL, scratch);
        origin.y += pair->rail.gauge_side - t->gauge_side;
        made = made && kane_rail_table_init(t, &other, d->inclination, d->gauge_height, &origin, scratch);
    }
    kane_arena_free(scratch);
    return made;
}

static const rail_table *take(const kane_contact_definition *d, int side, const contact_pair *pair,
                              const kane_rail_shape *shape)
{
    table_key key       = key_of(d, side, shape);
    const rail_table *t = kane_table_find(d->tables, &key);
    if (!t) {
        rail_table *made = kane_table_create(sizeof *made, &key);
        if (made && fill(d, side, pair, shape, made)) {
            kane_table_keep(d->tables, made);
            t = made;
        } else {
            kane_table_release(made);
        }
    }
    kane_key_free(&key);
    return t;
}

contact_shapes *kane_contact_shapes_create(const kane_contact_definition *d, const contact_pair *const pair[2],
                                           kane_errors *errors)
{
    contact_shapes *s = kane_allocate(1, sizeof *s);
    int made          = s != NULL;
    if (made) {
        s->count     = d->shape_count;
        s->whole.y   = HUGE_VAL; // no pose lies in its ranges
        s->whole.all = (window){.count = 1, .first = {0}, .last = {(unsigned short)(pair[0]->wheel.nodes.count - 1)}};
        if (pair[1]->wheel.nodes.count > pair[0]->wheel.nodes.count)
            s->whole.all.last[0] = (unsigned short)(pair[1]->wheel.nodes.count - 1);
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; made && i < d->shape_count; i++)
            made = (s->rail[side][i] = take(d, side, pair[side], &d->shapes[i])) != NULL;
    if (made)
        return s;
    kane_contact_shapes_free(s);
    kane_errors_add(errors, KANE_NO_MEMORY, "contact: out of memory");
    return NULL;
}

void kane_contact_shapes_free(contact_shapes *s)
{
    for (int side = 0; s && side < 2; side++)
        for (int i = 0; i < s->count; i++)
            kane_table_release(s->rail[side][i]);
    kane_release(s);
}

static const rail_table *rail_of(const kane_contact *c, kane_side side, int profile)
{
    return profile == 0 ? &c->pair[side]->rail : c->shapes->rail[side][profile - 1];
}

rail_mean kane_contact_rail_here(const kane_contact *c, kane_side side, const kane_rail_blend *blend)
{
    if (!c->shapes)
        return (rail_mean){.from = &c->pair[side]->rail};
    const rail_table *a = rail_of(c, side, blend->from), *b = rail_of(c, side, blend->to);
    if (blend->share == 0.0 || a == b)
        return (rail_mean){.from = a};
    if (blend->share == 1.0)
        return (rail_mean){.from = b};
    return (rail_mean){.from = a, .to = b, .share = blend->share};
}

void kane_contact_climb(const kane_contact *c, kane_side side, const kane_rail_blend *blend, double eta,
                        double climb[2])
{
    climb[0] = climb[1] = 0.0;
    if (!c->shapes || blend->share_s == 0.0 || blend->from == blend->to)
        return;
    double x, y;
    const rail_cell *a = rail_cell_at(rail_of(c, side, blend->from), eta, &x),
                    *b = rail_cell_at(rail_of(c, side, blend->to), eta, &y);
    climb[0]           = blend->share_s * (rail_height(b, y) - rail_height(a, x));
    climb[1]           = blend->share_s * (rail_slope(b, y) - rail_slope(a, x));
}
