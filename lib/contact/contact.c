// SPDX-License-Identifier: MIT
// Creation of a contact, and its properties at rest.

#include "contact/contact.h"
#include "base/arena.h"
#include "contact/creep_laws.h"
#include "contact/gap_table.h"
#include "profile/profile.h"

#include <math.h>
#include <string.h>

kane_contact_definition kane_contact_definition_default(void)
{
    return (kane_contact_definition){.wheel        = {kane_profile_s1002(), NULL},
                                     .radius       = {0.46, 0.0},
                                     .flange_back  = 1.36,
                                     .rail         = {kane_profile_60e1(), NULL},
                                     .inclination  = 1.0 / 40.0,
                                     .gauge        = 1.435,
                                     .gauge_height = 0.014,
                                     .laws         = kane_contact_laws_default()};
}

// Returns how many values are not allowed. Written so that NaN is not.
static int check_definition(const kane_contact_definition *d, kane_errors *errors)
{
    int wrong = 0;
    for (int side = 0; side < 2; side++) {
        wrong += d->wheel[side] && kane_profile_check(d->wheel[side], KANE_PROFILE_WHEEL, errors) != KANE_OK;
        wrong += d->rail[side] && kane_profile_check(d->rail[side], KANE_PROFILE_RAIL, errors) != KANE_OK;
        kane_contact_check(errors, &wrong,
                           (side == KANE_RIGHT && d->radius[side] == 0.0) ||
                               (d->radius[side] >= 0.05 && d->radius[side] <= 2.0),
                           "radius", d->radius[side], "within 0.05 m and 2 m");
    }
    if (!d->wheel[KANE_LEFT] || !d->rail[KANE_LEFT]) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "contact: the left %s has no profile",
                        d->wheel[KANE_LEFT] ? "rail" : "wheel");
        wrong++;
    }
    kane_contact_check(errors, &wrong, d->flange_back > 0.1 && d->flange_back < 5.0, "flange_back", d->flange_back,
                       "within 0.1 m and 5 m");
    kane_contact_check(errors, &wrong, fabs(d->inclination) <= 0.1, "inclination", d->inclination,
                       "within -0.1 and 0.1");
    kane_contact_check(errors, &wrong, d->gauge > 0.2 && d->gauge < 5.0, "gauge", d->gauge, "within 0.2 m and 5 m");
    kane_contact_check(errors, &wrong, d->gauge_height >= 0.005 && d->gauge_height <= 0.03, "gauge_height",
                       d->gauge_height, "within 0.005 m and 0.03 m");
    if (d->shape_count < 0 || d->shape_count > KANE_RAIL_SHAPES_MAX) {
        kane_errors_add(errors, KANE_BAD_ARGUMENT, "contact: %d further profiles of the rails, must be 0 to %d",
                        d->shape_count, KANE_RAIL_SHAPES_MAX);
        return wrong + 1;
    }
    for (int i = 0; i < d->shape_count; i++)
        kane_contact_check(errors, &wrong, d->shapes[i].behind >= 0.0 && d->shapes[i].behind < 1e4,
                           "distance of a slice behind the one before", d->shapes[i].behind, "0 or more, below 10 km");
    for (int i = 0; i < d->shape_count; i++)
        wrong += kane_profile_check(d->shapes[i].profile, KANE_PROFILE_RAIL, errors) != KANE_OK;
    return wrong + kane_creep_check(&d->laws, errors);
}

// --- one side ---

// Profiles and radius of a side; on the right they may be left out.
static const kane_profile *wheel_of(const kane_contact_definition *d, int side)
{
    return d->wheel[side] ? d->wheel[side] : d->wheel[0];
}

static const kane_profile *rail_of(const kane_contact_definition *d, int side)
{
    return d->rail[side] ? d->rail[side] : d->rail[0];
}

static double radius_of(const kane_contact_definition *d, int side)
{
    return side == KANE_LEFT || d->radius[side] == 0.0 ? d->radius[0] : d->radius[side];
}

static int sides_are_alike(const kane_contact_definition *d)
{
    return radius_of(d, KANE_LEFT) == radius_of(d, KANE_RIGHT) &&
           kane_profile_same(wheel_of(d, KANE_LEFT), wheel_of(d, KANE_RIGHT)) &&
           kane_profile_same(rail_of(d, KANE_LEFT), rail_of(d, KANE_RIGHT));
}

static void *no_memory(kane_errors *errors)
{
    kane_errors_add(errors, KANE_NO_MEMORY, "contact: out of memory");
    return NULL;
}

// All that the tables of a side are made from.
static table_key key_of_pair(const kane_contact_definition *d, int side)
{
    const double numbers[] = {radius_of(d, side), d->flange_back, d->inclination, d->gauge, d->gauge_height};
    table_key key          = {0};
    kane_key_add(&key, "pair", 4);
    kane_key_add(&key, numbers, sizeof numbers);
    kane_key_add_profile(&key, wheel_of(d, side));
    kane_key_add_profile(&key, rail_of(d, side));
    return key;
}

// Returns 0 with an error.
static int fill_pair(const kane_contact_definition *d, int side, contact_pair *p, kane_errors *errors)
{
    form wheel, rail;
    const kane_profile *w = wheel_of(d, side), *r = rail_of(d, side);
    kane_arena *scratch = kane_arena_create();
    const int made      = scratch && kane_form_init(&wheel, w, scratch) && kane_form_init(&rail, r, scratch) &&
                     kane_wheel_table_init(&p->wheel, &wheel, radius_of(d, side), scratch) &&
                     kane_rail_table_init(&p->rail, &rail, d->inclination, d->gauge_height, NULL, scratch);
    kane_arena_free(scratch);
    if (!made)
        return no_memory(errors) != NULL;
    if (p->rail.depth < d->gauge_height) {
        kane_errors_add_input(errors, r->place.line > 0 ? KANE_BAD_INPUT : KANE_BAD_ARGUMENT, r->place,
                              "the rail's gauge face ends %.4g mm below the top, too high for gauge, which is measured "
                              "%.4g mm below it",
                              1e3 * p->rail.depth, 1e3 * d->gauge_height);
        return 0;
    }
    p->method         = w->shape == KANE_SHAPE_CONE && r->shape == KANE_SHAPE_ROUND ? CONTACT_CONE : CONTACT_OVERLAP;
    p->wheel_distance = 0.5 * d->flange_back + kane_profile_flange_to_circle(w);
    p->rail_distance  = 0.5 * d->gauge + p->rail.gauge_side;
    p->cone           = (cone_pair){
                  .radius = p->wheel.radius, .conicity = w->conicity, .half_width = p->wheel.last, .head_radius = r->radius};
    if (p->method == CONTACT_OVERLAP)
        kane_window_table_init(&p->windows, &p->wheel, &p->rail, p->wheel_distance - p->rail_distance);
    return 1;
}

static const contact_pair *make_pair(const kane_contact_definition *d, int side, const table_key *key,
                                     kane_errors *errors)
{
    contact_pair *p = kane_table_create(sizeof *p, key);
    if (!p)
        return no_memory(errors);
    if (!kane_table_load(d->tables, p)) {
        if (!fill_pair(d, side, p, errors)) {
            kane_table_release(p);
            return NULL;
        }
        kane_table_save(d->tables, p);
    }
    kane_table_keep(d->tables, p);
    return p;
}

// The tables of a side, found or made; NULL with an error.
static const contact_pair *get_pair_tables(const kane_contact_definition *d, int side, kane_errors *errors)
{
    table_key key         = key_of_pair(d, side);
    const contact_pair *p = kane_table_find(d->tables, &key);
    if (!p)
        p = make_pair(d, side, &key, errors);
    kane_key_free(&key);
    return p;
}

// What is the same for all contacts, Hertz' numbers and the kernels of strips; NULL with an error.
static const void *get_common_table(kane_tables *tables, const char *name, size_t size, void (*fill)(void *),
                                    kane_errors *errors)
{
    table_key key = {0};
    kane_key_add(&key, name, strlen(name));
    void *found = kane_table_find(tables, &key);
    if (!found && (found = kane_table_create(size, &key))) {
        fill(found);
        kane_table_keep(tables, found);
    }
    kane_key_free(&key);
    return found ? found : no_memory(errors);
}

static void fill_hertz(void *table)
{
    kane_hertz_table_init(table);
}

static void fill_strips(void *table)
{
    kane_strip_kernels_init(table);
}

// The table of a pair that is not solved in closed form, found or made; NULL with an error.
static const elastic_table *get_elastic_table(const kane_contact_definition *d, const contact_pair *pair,
                                              const hertz_table *hertz, kane_errors *errors)
{
    const table_key of_pair = kane_table_key(pair);
    const double y          = pair->wheel_distance - pair->rail_distance;
    table_key key           = {0};
    kane_key_add(&key, "elastic", 7);
    kane_key_add(&key, of_pair.bytes, of_pair.size);
    const elastic_table *found = kane_table_find(d->tables, &key);
    if (!found) {
        elastic_table *made = kane_table_create(sizeof *made, &key);
        const int is_known  = made && kane_table_load(d->tables, made);
        if (is_known || (made && kane_elastic_table_init(made, &pair->wheel, &pair->rail, y, hertz))) {
            if (!is_known)
                kane_table_save(d->tables, made);
            kane_table_keep(d->tables, made);
            found = made;
        } else {
            kane_table_release(made);
        }
    }
    kane_key_free(&key);
    return found ? found : no_memory(errors);
}

// Returns 0 with an error.
static int get_elastic_tables(const kane_contact_definition *d, kane_contact *c, kane_errors *errors)
{
    int made = 1;
    for (int side = 0; side < 2 && d->geometry == KANE_GEOMETRY_TABULATED; side++)
        if (side == KANE_RIGHT && c->pair[KANE_RIGHT] == c->pair[KANE_LEFT])
            c->table[side] = c->table[KANE_LEFT];
        else if (c->pair[side]->method == CONTACT_OVERLAP)
            made = made && (c->table[side] = get_elastic_table(d, c->pair[side], c->hertz, errors)) != NULL;
    return made;
}

// The gaps of a pair from a file of the store, or made and written there. Their size is a table of its own. NULL
// without memory.
static gap_table *load_gap_table(kane_tables *tables, const contact_pair *p, const table_key *key)
{
    table_key of_size = {0};
    kane_key_add(&of_size, "size", 4);
    kane_key_add(&of_size, key->bytes, key->size);
    size_t *size = kane_table_create(sizeof *size, &of_size);
    kane_key_free(&of_size);
    gap_table *t = size && kane_table_load(tables, size) ? kane_table_create(*size, key) : NULL;
    if (t && !kane_table_load(tables, t)) {
        kane_table_release(t);
        t = NULL;
    }
    if (size && !t) {
        t = kane_gap_table_create(&p->wheel, &p->rail, (p->wheel_distance - p->rail_distance) * KANE_TILT_COS, key);
        if (t) {
            *size = kane_gap_table_size(t);
            kane_table_save(tables, t);
            kane_table_save(tables, size);
        }
    }
    kane_table_release(size);
    return t;
}

// The gaps of a pair, found or made; NULL with an error.
static const gap_table *get_gap_table(const kane_contact_definition *d, const contact_pair *p, kane_errors *errors)
{
    const table_key pair = kane_table_key(p);
    table_key key        = {0};
    kane_key_add(&key, "gap", 3);
    kane_key_add(&key, pair.bytes, pair.size);
    gap_table *found = kane_table_find(d->tables, &key);
    if (!found) {
        found = load_gap_table(d->tables, p, &key);
        if (found)
            kane_table_keep(d->tables, found);
    }
    kane_key_free(&key);
    return found ? found : no_memory(errors);
}

// Those of both sides, of pairs that are not solved in closed form and of rails that are the same all along. Returns 0
// with an error.
static int get_gap_tables(const kane_contact_definition *d, kane_contact *c, kane_errors *errors)
{
    int made = 1;
    for (int side = 0; side < 2 && made && d->gap == KANE_GEOMETRY_TABULATED && d->shape_count == 0; side++) {
        if (c->pair[side]->method == CONTACT_CONE)
            continue;
        c->gap[side] = side == KANE_RIGHT && c->pair[KANE_RIGHT] == c->pair[KANE_LEFT]
                           ? c->gap[KANE_LEFT]
                           : get_gap_table(d, c->pair[side], errors);
        made         = c->gap[side] != NULL;
    }
    return made;
}

// --- both ---

kane_contact *kane_contact_create(const kane_contact_definition *d, kane_errors *errors)
{
    if (check_definition(d, errors) > 0)
        return NULL;
    kane_contact *c = kane_allocate(1, sizeof *c);
    if (!c)
        return no_memory(errors);
    c->definition = *d;
    for (int side = 0; side < 2; side++)
        c->definition.wheel[side] = c->definition.rail[side] = NULL; // owned by the caller
    c->tables = kane_tables_share(d->tables);
    c->E_star = d->laws.shear_modulus / (1.0 - d->laws.poisson); // 1/E* = 2 (1 - nu^2)/E, E = 2 G (1 + nu)
    kane_creep_init(&c->creep, &d->laws);
    c->hertz = get_common_table(d->tables, "hertz", sizeof *c->hertz, fill_hertz, errors);
    if (c->hertz)
        c->strips = get_common_table(d->tables, "strips", sizeof *c->strips, fill_strips, errors);
    if (c->strips)
        c->pair[KANE_LEFT] = get_pair_tables(d, KANE_LEFT, errors);
    if (c->pair[KANE_LEFT])
        c->pair[KANE_RIGHT] = sides_are_alike(d) ? c->pair[KANE_LEFT] : get_pair_tables(d, KANE_RIGHT, errors);
    const int tabulated = c->pair[KANE_RIGHT] && get_elastic_tables(d, c, errors) && get_gap_tables(d, c, errors);
    if (tabulated && d->shape_count > 0)
        c->shapes = kane_contact_shapes_create(d, c->pair, errors);
    c->definition.shapes = NULL; // owned by the caller
    if (tabulated && (c->shapes || d->shape_count == 0))
        return c;
    kane_contact_free(c);
    return NULL;
}

void kane_contact_free(kane_contact *c)
{
    if (!c)
        return;
    kane_contact_shapes_free(c->shapes);
    if (c->gap[KANE_RIGHT] != c->gap[KANE_LEFT])
        kane_table_release(c->gap[KANE_RIGHT]);
    kane_table_release(c->gap[KANE_LEFT]);
    if (c->table[KANE_RIGHT] != c->table[KANE_LEFT])
        kane_table_release(c->table[KANE_RIGHT]);
    kane_table_release(c->table[KANE_LEFT]);
    if (c->pair[KANE_RIGHT] != c->pair[KANE_LEFT])
        kane_table_release(c->pair[KANE_RIGHT]);
    kane_table_release(c->pair[KANE_LEFT]);
    kane_table_release(c->strips);
    kane_table_release(c->hertz);
    kane_tables_free(c->tables);
    kane_release(c);
}

double kane_contact_rail_distance(const kane_contact *c, kane_side side)
{
    return c->pair[side]->rail_distance;
}

double kane_contact_wheel_distance(const kane_contact *c, kane_side side)
{
    return c->pair[side]->wheel_distance;
}

// From the running circle inwards to where the flange is so deep; infinite if it never is.
static double flange_face(const kane_contact *c, kane_side side, double depth)
{
    const double step = 1e-4, end = c->pair[side]->wheel.first;
    double at[3], s               = 0.0;
    do {
        kane_contact_wheel_profile(c, side, s, at);
        if (at[0] <= -depth)
            return (at[0] + depth) / at[1] - s; // the step went a little too far
        s -= step;
    } while (s >= end);
    return HUGE_VAL;
}

double kane_contact_play(const kane_contact *c)
{
    double play = c->definition.gauge;
    for (int side = 0; side < 2; side++)
        play -= c->pair[side]->wheel_distance - flange_face(c, side, c->definition.gauge_height);
    return play;
}

void kane_contact_wheel_profile(const kane_contact *c, kane_side side, double y, double out[3])
{
    const wheel_table *t = &c->pair[side]->wheel;
    const double s       = fmin(fmax(y, t->first), t->last);
    double x;
    const double *f = wheel_cell_at(t, s, &x)->f;
    out[1]          = -(f[1] + x * (2.0 * f[2] + 3.0 * x * f[3]));
    out[0]          = -(f[0] + x * (f[1] + x * (f[2] + x * f[3]))) + out[1] * (y - s);
    out[2]          = s == y ? -(2.0 * f[2] + 6.0 * x * f[3]) : 0.0;
}

// The head is a graph in oblique axes: the place of y there is found by Newton, kept inside by bisection.
void kane_contact_rail_profile(const kane_contact *c, kane_side side, double y, double out[3])
{
    const double cos_ = KANE_TILT_COS, sin_ = KANE_TILT_SIN, end = 0.075;
    double low = -end, high = end, eta = fmin(fmax(y, -end), end), zeta = 0.0, slope = 0.0, second = 0.0;
    for (int i = 0; i < 60; i++) {
        double x;
        const rail_cell *r = rail_cell_at(&c->pair[side]->rail, eta, &x);
        zeta               = rail_height(r, x);
        slope              = rail_slope(r, x);
        second             = 2.0 * r->z[2] + 6.0 * x * r->z[3];
        const double error = eta * cos_ - zeta * sin_ - y;
        if (error > 0.0)
            high = eta;
        else
            low = eta;
        double next = eta - error / (cos_ - slope * sin_);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - eta) < 1e-16)
            break;
        eta = next;
    }
    const double run = cos_ - slope * sin_; // dy/d(eta)
    out[1]           = (sin_ + slope * cos_) / run;
    out[0]           = eta * sin_ + zeta * cos_ + out[1] * (y - (eta * cos_ - zeta * sin_));
    out[2]           = second / (run * run * run);
}
