// SPDX-License-Identifier: MIT
// Tables that contacts share: the same numbers as their own, never those of another pair, as many as were allowed, each
// freed once.

#define _GNU_SOURCE // utimensat

#include "folder.h"

#include "base/file.h"
#include "contact/gap_table.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

static const size_t plenty = KANE_TABLES_USUAL;

static kane_contact *make(kane_tables *tables, kane_contact_definition d)
{
    d.tables        = tables;
    kane_contact *c = kane_contact_create(&d, NULL);
    assert_non_null(c);
    return c;
}

static void check_same_side(const kane_contact *a, const kane_contact *b, int side)
{
    assert_memory_equal(a->pair[side], b->pair[side], sizeof *a->pair[side]);
}

CHECK_TEST(a_second_contact_takes_the_tables_of_the_first)
{
    const kane_contact_definition d = kane_contact_definition_default();
    kane_tables *tables             = kane_tables_create(plenty);
    kane_contact *own = make(NULL, d), *first = make(tables, d), *second = make(tables, d);
    assert_ptr_equal(first->pair[0], second->pair[0]);
    assert_ptr_equal(first->pair[1], first->pair[0]);
    assert_ptr_equal(first->hertz, second->hertz);
    assert_ptr_not_equal(own->pair[0], first->pair[0]);
    for (int side = 0; side < 2; side++)
        check_same_side(own, second, side);
    assert_memory_equal(own->hertz, second->hertz, sizeof *own->hertz);

    kane_wheelset_table *unshared = kane_wheelset_table_create(own, NULL), *a = kane_wheelset_table_create(first, NULL),
                        *b = kane_wheelset_table_create(second, NULL);
    assert_non_null(a);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, unshared);
    for (int i = 0; i < 50; i++) {
        kane_wheelset_values s = {0}, t = {0};
        assert_int_equal(kane_wheelset_table_eval(unshared, 1.9e-4 * i, 5e-4 * i, &s), KANE_OK);
        assert_int_equal(kane_wheelset_table_eval(a, 1.9e-4 * i, 5e-4 * i, &t), KANE_OK);
        assert_memory_equal(&s, &t, sizeof s);
    }
    kane_wheelset_table_free(a);
    kane_wheelset_table_free(unshared);
    kane_contact_free(own);
    kane_contact_free(first);
    kane_tables_free(tables); // before the last who uses them
    assert_int_equal(kane_wheelset_table_eval(b, 0.0, 0.0, &(kane_wheelset_values){0}), KANE_OK);
    kane_wheelset_table_free(b);
    kane_contact_free(second);
    kane_tables_free(NULL);
}

// Laws of the steel are no part of the tables, but of each contact.
CHECK_TEST(laws_stay_apart)
{
    kane_contact_definition d        = kane_contact_definition_default();
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(plenty);
    CHECK_OWNED(kane_contact) *dry   = make(tables, d);
    d.laws.friction[0] = d.laws.friction[1] = 0.1;
    d.laws.shear_modulus *= 0.5;
    CHECK_OWNED(kane_contact) *wet = make(tables, d), *own = make(NULL, d);
    assert_ptr_equal(dry->pair[0], wet->pair[0]);
    const kane_wheel_motion motion = {.centre   = kv3(0.0, 0.001, 0.4598),
                                      .axle     = kv3(0.0, 1.0, 0.0),
                                      .velocity = kv3(20.0, 0.01, 0.0),
                                      .omega    = kv3(0.0, 20.1 / 0.46, 0.0)};
    kane_contact_result a = {0}, b = {0}, c = {0};
    assert_int_equal(kane_contact_eval(wet, KANE_LEFT, &motion, &a), KANE_OK);
    assert_int_equal(kane_contact_eval(own, KANE_LEFT, &motion, &b), KANE_OK);
    assert_int_equal(kane_contact_eval(dry, KANE_LEFT, &motion, &c), KANE_OK);
    assert_true(a.patch_count > 0);
    assert_memory_equal(&a.on_wheel, &b.on_wheel, sizeof a.on_wheel);
    assert_true(fabs(a.on_wheel.force.x) < fabs(c.on_wheel.force.x));
}

// --- other pairs ---

enum { POINTS = 200 };
static double wheel_y[POINTS], wheel_z[POINTS];

// S1002 by points, one of them moved.
static kane_profile measured(int moved, double by, double smoothing)
{
    const kane_status drawn = kane_profile_draw(kane_profile_s1002(), POINTS, wheel_y, wheel_z);
    assert_int_equal(drawn, KANE_OK);
    wheel_z[moved] += by;
    return (kane_profile){.kind      = KANE_PROFILE_WHEEL,
                          .shape     = KANE_SHAPE_POINTS,
                          .count     = POINTS,
                          .y         = wheel_y,
                          .z         = wheel_z,
                          .smoothing = smoothing,
                          .place     = {"", 0, 0, ""}};
}

static double weight[POINTS];

// A round head with flanks of 80 degrees, its top at y.
static kane_profile round_pieces(double y, double half)
{
    static kane_profile_piece pieces[3];
    pieces[0] = (kane_profile_piece){.angle = 1.4};
    pieces[1] = (kane_profile_piece){.radius = 0.03, .y = y, .z = -0.03};
    pieces[2] = (kane_profile_piece){.angle = -1.4};
    return (kane_profile){.kind   = KANE_PROFILE_RAIL,
                          .shape  = KANE_SHAPE_PIECES,
                          .count  = 3,
                          .pieces = pieces,
                          .from   = -half,
                          .to     = half,
                          .place  = {"", 0, 0, ""}};
}

// A definition that differs from all others in one value; 0 when there are no more.
static int differing(int number, kane_profile *profile, kane_contact_definition *d)
{
    *d = kane_contact_definition_default();
    for (int i = 0; i < POINTS; i++)
        weight[i] = i == 90 ? 1.0 + number : 1.0;
    switch (number) {
    case 0: return 1;
    case 1: d->gauge += 1e-6; return 1;
    case 2: d->gauge_height += 1e-5; return 1;
    case 3: d->inclination = 1.0 / 20.0; return 1;
    case 4: d->flange_back += 1e-6; return 1;
    case 5: d->radius[0] += 1e-6; return 1;
    case 6: *profile = kane_profile_round(0.3); break;
    case 7: *profile = kane_profile_round(0.301); break;
    case 8: *profile = kane_profile_cone(0.025); break;
    case 9: *profile = kane_profile_arc(0.4, 0.025); break;
    case 10: *profile = kane_profile_arc(0.4, 0.026); break;
    case 11: *profile = kane_profile_arc(0.41, 0.026); break;
    case 12: *profile = measured(100, 0.0, 2e-5); break;
    case 13: *profile = measured(100, 1e-7, 2e-5); break;
    case 14: *profile = measured(100, 0.0, 3e-5); break;
    case 15:
    case 16:
        *profile        = measured(100, 0.0, 2e-5);
        profile->weight = weight;
        break;
    case 17:
        *profile                  = *kane_profile_s1002();
        profile->flange_to_circle = 0.0701;
        break;
    case 18: *profile = round_pieces(0.0, 0.036); break;
    case 19: *profile = round_pieces(1e-7, 0.036); break;
    case 20: *profile = round_pieces(0.0, 0.0361); break;
    default: return 0;
    }
    *(profile->kind == KANE_PROFILE_WHEEL ? &d->wheel[0] : &d->rail[0]) = profile;
    return 1;
}

CHECK_TEST(what_differs_is_not_mixed_up)
{
    enum { MOST = 32 };
    kane_contact *kept[MOST];
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(plenty);
    int count                        = 0;
    for (int round = 0; round < 2; round++) {
        kane_contact_definition d;
        kane_profile profile;
        for (int i = 0; differing(i, &profile, &d); i++) {
            kane_contact *c = make(tables, d);
            for (int k = 0; k < count; k++)
                assert_int_equal(c->pair[0] == kept[k]->pair[0], k == i);
            if (round == 0) {
                kane_contact *own = make(NULL, d);
                check_same_side(own, c, KANE_LEFT);
                kane_contact_free(own);
                kept[count++] = c;
            } else {
                kane_contact_free(c);
            }
        }
    }
    assert_int_equal(count, 21);
    while (count > 0)
        kane_contact_free(kept[--count]);
}

CHECK_TEST(sides_find_each_others_tables)
{
    const kane_profile cone          = kane_profile_cone(0.05);
    kane_contact_definition d        = kane_contact_definition_default();
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(plenty);
    d.wheel[1]                       = &cone;
    CHECK_OWNED(kane_contact) *a     = make(tables, d);
    d.wheel[0]                       = &cone;
    d.wheel[1]                       = kane_profile_s1002();
    CHECK_OWNED(kane_contact) *b     = make(tables, d);
    assert_ptr_not_equal(a->pair[0], a->pair[1]);
    assert_ptr_equal(a->pair[0], b->pair[1]);
    assert_ptr_equal(a->pair[1], b->pair[0]);
}

CHECK_TEST(a_guide_knows_both_sides)
{
    const kane_profile cone = kane_profile_cone(0.05), round = kane_profile_round(0.3);
    kane_contact_definition d        = kane_contact_definition_default();
    d.wheel[0]                       = &cone;
    d.rail[0]                        = &round;
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(plenty);
    kane_wheelset_table *g[2];
    for (int i = 0; i < 2; i++) {
        d.radius[1]                  = 0.4601 + 1e-4 * i;
        CHECK_OWNED(kane_contact) *c = make(tables, d);
        g[i]                         = kane_wheelset_table_create(c, NULL);
        assert_non_null(g[i]);
    }
    kane_wheelset_values a, b;
    assert_int_equal(kane_wheelset_table_eval(g[0], 0.0, 0.0, &a), KANE_OK);
    assert_int_equal(kane_wheelset_table_eval(g[1], 0.0, 0.0, &b), KANE_OK);
    assert_true(b.roll.value < a.roll.value - 3e-5); // 0.1 mm over 1.5 m
    kane_wheelset_table_free(g[0]);
    kane_wheelset_table_free(g[1]);
}

// --- room ---

CHECK_TEST(what_was_not_asked_for_is_forgotten_first)
{
    const double gauges[]            = {1.435, 1.436, 1.437};
    const size_t room                = 2 * sizeof(contact_pair) + sizeof(hertz_table) + sizeof(strip_kernels) + 4000;
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(room);
    kane_contact *c[3];
    kane_contact_definition d = kane_contact_definition_default();
    for (int i = 0; i < 3; i++) {
        if (i == 2) { // the first one is asked for again
            d.gauge                        = gauges[0];
            CHECK_OWNED(kane_contact) *too = make(tables, d);
            assert_ptr_equal(too->pair[0], c[0]->pair[0]);
        }
        d.gauge = gauges[i];
        c[i]    = make(tables, d);
        assert_true(kane_tables_size(tables) <= room);
    }
    assert_true(kane_tables_size(tables) > 2 * sizeof(contact_pair));
    static const int is_there[] = {1, 0, 1};
    const int order[]           = {0, 2, 1};
    for (int k = 0; k < 3; k++) {
        const int i                    = order[k];
        d.gauge                        = gauges[i];
        CHECK_OWNED(kane_contact) *now = make(tables, d);
        assert_int_equal(now->pair[0] == c[i]->pair[0], is_there[i]);
        check_same_side(now, c[i], KANE_LEFT);
    }
    for (int i = 0; i < 3; i++)
        kane_contact_free(c[i]);
}

CHECK_TEST(what_is_too_large_is_not_kept)
{
    const kane_contact_definition d = kane_contact_definition_default();
    kane_tables *tables             = kane_tables_create(sizeof(hertz_table) + sizeof(strip_kernels) + 1000);
    kane_contact *a = make(tables, d), *b = make(tables, d);
    assert_ptr_not_equal(a->pair[0], b->pair[0]);
    assert_ptr_equal(a->hertz, b->hertz);
    assert_true(kane_tables_size(tables) >= sizeof(hertz_table) + sizeof(strip_kernels));
    kane_contact_free(a);
    kane_contact_free(b);
    kane_tables_free(tables);
    tables = kane_tables_create(0);
    a      = make(tables, d);
    assert_int_equal(kane_tables_size(tables), 0);
    kane_contact_free(a);
    kane_tables_free(tables);
}

CHECK_TEST(what_cannot_be_made_leaves_nothing)
{
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(plenty);
    kane_contact_definition d        = kane_contact_definition_default();
    kane_profile round               = kane_profile_round(0.012); // its side ends above the gauge height
    d.rail[0]                        = &round;
    d.gauge_height                   = 0.03;
    d.tables                         = tables;
    for (int i = 0; i < 2; i++) {
        CHECK_ERRORS errors = {0};
        kane_contact *c     = kane_contact_create(&d, &errors);
        assert_null(c);
        assert_true(errors.count > 0);
    }
    assert_true(kane_tables_size(tables) < sizeof(contact_pair));
}

// --- threads ---

static void *make_many(void *data)
{
    kane_contact_definition d = kane_contact_definition_default();
    const kane_profile cone = kane_profile_cone(0.05), round = kane_profile_round(0.3); // these are made fast
    d.rail[0]  = &round;
    d.wheel[0] = &cone;
    d.tables   = data;
    kane_contact *own[3];
    for (int i = 0; i < 3; i++) {
        d.gauge = 1.435 + 0.001 * i;
        own[i]  = make(NULL, d);
    }
    for (int i = 0; i < 60; i++) {
        const int k                  = (i * 7) % 3;
        d.gauge                      = 1.435 + 0.001 * k;
        CHECK_OWNED(kane_contact) *c = make(data, d);
        check_same_side(c, own[k], KANE_LEFT);
    }
    for (int i = 0; i < 3; i++)
        kane_contact_free(own[i]);
    return NULL;
}

// There is room for two of three pairs: they come and go while others take them.
CHECK_TEST(threads_may_share_them)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    CHECK_OWNED(kane_tables) *tables =
        kane_tables_create(2 * sizeof(contact_pair) + sizeof(hertz_table) + sizeof(strip_kernels) + 4000);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_many, tables), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

// Tables of a store with files, tabulated contact and gaps too.
static kane_contact *make_with_files(const char *cache)
{
    kane_contact_definition d        = kane_contact_definition_default();
    CHECK_OWNED(kane_tables) *tables = kane_tables_create(plenty);
    kane_tables_use_files(tables, cache);
    d.geometry = d.gap = KANE_GEOMETRY_TABULATED;
    return make(tables, d);
}

static void check_same_tables(const kane_contact *a, const kane_contact *b)
{
    check_same_side(a, b, 0);
    assert_memory_equal(a->table[0], b->table[0], sizeof *a->table[0]);
    assert_int_equal(kane_gap_table_size(a->gap[0]), kane_gap_table_size(b->gap[0]));
    assert_memory_equal(a->gap[0], b->gap[0], kane_gap_table_size(a->gap[0]));
}

// Gives all files of the cache a time long ago, or counts those that have been used or made since.
static int count_used(const char *cache, int is_reset)
{
    static kane_cache_entry entries[KANE_CACHE_ENTRIES];
    const int count = kane_cache_list(cache, entries);
    int used        = 0;
    for (int i = 0; i < count; i++) {
        const struct timespec old[2] = {{1000, 0}, {1000, 0}};
        char name[100];
        (void)snprintf(name, sizeof name, "%s/%s", cache, entries[i].name);
        used += entries[i].used > 2000.0;
        if (is_reset)
            assert_int_equal(utimensat(AT_FDCWD, name, old, 0), 0);
    }
    return used;
}

// Equal bits whether they were made, were read, or were damaged and made again; also where no file can be.
CHECK_TEST(tables_of_files_are_those_that_are_made)
{
    static const char cache[]      = "cache";
    CHECK_OWNED(kane_contact) *own = make_with_files(""), *made = make_with_files(cache);
    assert_int_equal(count_used(cache, 1), 4); // the pair, its patches, its gap and the size of that
    CHECK_OWNED(kane_contact) *read = make_with_files(cache);
    assert_int_equal(count_used(cache, 1), 4);
    check_same_tables(own, made);
    check_same_tables(own, read);

    static kane_cache_entry entries[KANE_CACHE_ENTRIES];
    assert_int_equal(kane_cache_list(cache, entries), 4);
    for (int i = 0; i < 4; i++) {
        char name[100];
        (void)snprintf(name, sizeof name, "%s/%s", cache, entries[i].name);
        FILE *file = fopen(name, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, -7, SEEK_END), 0);
        assert_int_equal(fwrite("damaged", 7, 1, file), 1);
        assert_int_equal(fclose(file), 0);
    }
    (void)count_used(cache, 1);
    CHECK_OWNED(kane_contact) *again = make_with_files(cache);
    assert_int_equal(count_used(cache, 0), 4); // made again
    check_same_tables(own, again);
    CHECK_OWNED(kane_contact) *without = make_with_files("/dev/null/no/folder");
    check_same_tables(own, without);
}

CHECK_MAIN(enter_folder, leave_folder)
