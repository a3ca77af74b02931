// SPDX-License-Identifier: MIT
// Rails whose profile changes along the line. All profiles of a rail are splines zeta(eta) on one grid in one set of
// axes, and between two of them each cubic is the mean of theirs: the rail there is exactly (1 - share) zeta_1 + share
// zeta_2.

#include "contact/contact.h"

#include "base/arena.h"
#include "profile/profile.h"

#include <math.h>
#include <string.h>

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
static int fill_rail_table(const kane_contact_definition *d, int side, const contact_pair *pair,
                           const kane_rail_shape *shape, rail_table *t)
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

// Table of a rail shape of one side: from the store, or made and kept there. NULL without memory.
static const rail_table *find_rail_table(const kane_contact_definition *d, int side, const contact_pair *pair,
                                         const kane_rail_shape *shape)
{
    table_key key       = key_of(d, side, shape);
    const rail_table *t = kane_table_find(d->tables, &key);
    if (!t) {
        rail_table *made = kane_table_create(sizeof *made, &key);
        if (made && fill_rail_table(d, side, pair, shape, made)) {
            kane_table_keep(d->tables, made);
            t = made;
        } else {
            kane_table_release(made);
        }
    }
    kane_key_free(&key);
    return t;
}

// --- slices of one rail, as a wheel that rolls over them meets them ---

// How far ahead and behind of its lowest point a wheel may touch: where a rail rises by 0.15 [m].
static double reach_of(const contact_pair *pair)
{
    return 0.15 * pair->wheel.radius;
}

enum { ROW_MOST = 200 };

// The slices around i that a wheel over it may touch, those of one rail. Returns how many; *here: which one is i.
static int slices_around(const kane_contact_definition *d, const contact_pair *pair, const rail_table *const *drawn,
                         int i, rail_slice out[ROW_MOST], int *here)
{
    int first = i, last = i, count = 0;
    double at = 0.0;
    for (double back = 0.0; d->shapes[first].behind > 0.0 && back < reach_of(pair) && i - first < ROW_MOST / 2 - 1;
         first--)
        back += d->shapes[first].behind;
    for (double on = 0.0; last + 1 < d->shape_count && d->shapes[last + 1].behind > 0.0 && on < reach_of(pair) &&
                          last - i < ROW_MOST / 2 - 1;
         last++)
        on += d->shapes[last + 1].behind;
    for (int k = first; k <= last; k++) {
        at += k > first ? d->shapes[k].behind : 0.0;
        out[count++] = (rail_slice){drawn[k], at};
    }
    *here = i - first;
    return count;
}

static const rail_table *get_rolled_rail(const kane_contact_definition *d, int side, const contact_pair *pair,
                                         const rail_table *const *drawn, int i)
{
    rail_slice slices[ROW_MOST];
    int here;
    const int count = slices_around(d, pair, drawn, i, slices, &here);
    table_key key   = key_of(d, side, &d->shapes[i]);
    kane_key_add(&key, &pair->wheel.radius, sizeof pair->wheel.radius);
    for (int k = 0; k < count; k++) {
        const double from = slices[k].at - slices[here].at;
        kane_key_add(&key, &from, sizeof from);
        kane_key_add_profile(&key, d->shapes[i - here + k].profile);
    }
    const rail_table *t = kane_table_find(d->tables, &key);
    if (!t) {
        rail_table *made    = kane_table_create(sizeof *made, &key);
        kane_arena *scratch = kane_arena_create();
        if (made && scratch && kane_rail_table_roll(made, slices, count, here, pair->wheel.radius, scratch)) {
            kane_table_keep(d->tables, made);
            t = made;
        } else {
            kane_table_release(made);
        }
        kane_arena_free(scratch);
    }
    kane_key_free(&key);
    return t;
}

static int is_slice(const kane_contact_definition *d, int i)
{
    return d->shapes[i].behind > 0.0 || (i + 1 < d->shape_count && d->shapes[i + 1].behind > 0.0);
}

// Puts rolled tables in place of drawn ones. Returns 0 without memory.
static int roll_slices(const kane_contact_definition *d, int side, const contact_pair *pair, contact_shapes *s)
{
    const rail_table *drawn[KANE_RAIL_SHAPES_MAX];
    int made = 1;
    memcpy(drawn, s->rail[side], sizeof drawn);
    for (int i = 0; made && i < d->shape_count; i++)
        if (is_slice(d, i))
            made = (s->rail[side][i] = get_rolled_rail(d, side, pair, drawn, i)) != NULL;
    for (int i = 0; i < d->shape_count; i++)
        if (s->rail[side][i] != drawn[i])
            kane_table_release(drawn[i]);
    return made;
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
            made = (s->rail[side][i] = find_rail_table(d, side, pair[side], &d->shapes[i])) != NULL;
    for (int side = 0; made && side < 2; side++)
        made = roll_slices(d, side, pair[side], s);
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

static rail_mean rail_here(const kane_contact *c, kane_side side, const kane_rail_blend *blend)
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

int kane_contact_knows_blend(const kane_contact *c, const kane_rail_blend *b)
{
    const int most = c->shapes ? c->shapes->count : 0;
    return b->from >= 0 && b->from <= most && b->to >= 0 && b->to <= most && b->share >= 0.0 && b->share <= 1.0 &&
           isfinite(b->share_s + b->share_ss);
}

contact_place kane_contact_place_at(const kane_contact *c, kane_side side, const kane_rail_blend *blend)
{
    const contact_pair *pair = c->pair[side];
    const int is_own         = !c->shapes || (blend->share == 0.0 && blend->from == 0);
    if (is_own && !(c->shapes && pair->method == CONTACT_CONE))
        return (contact_place){pair, {.from = &pair->rail}, &pair->windows, c->table[side], pair->method};
    return (contact_place){pair, rail_here(c, side, blend), &c->shapes->whole, NULL, CONTACT_OVERLAP};
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
