// SPDX-License-Identifier: MIT
// Tables of keys that are wrong in themselves are found.

#include "sample.h"
#include "unit/base/fixture.h"

static kane_status check_one(const kane_key *keys, int count, size_t size)
{
    const kane_schema schema  = {"thing", "A thing.", size, keys, count};
    const kane_format format  = {"thing", 1, 1, &schema};
    const kane_grammar of_one = {&format, variants, 3};
    kane_errors_clear(errors);
    return kane_schema_check(&of_one, errors);
}

WITH_ARENA(tables_that_are_wrong_are_found)
{
    typedef struct thing {
        kane_block block;
        double a;
        kane_variant law;
    } thing;
    static const struct {
        kane_key key;
        const char *text;
    } rows[] = {
        {KANE_KEY(thing, a, NUMBER, OPTIONAL, NULL, "mm", ANY, NULL, "h"),
         "schema 'thing', key 'a': its unit is no SI unit"},
        {KANE_KEY(thing, a, NUMBER, OPTIONAL, NULL, "foot", ANY, NULL, "h"),
         "schema 'thing', key 'a': unknown unit 'foot'; did you mean 'ft'?"},
        {KANE_KEY(thing, a, NUMBER, OPTIONAL, "3 kg", "m", ANY, NULL, "h"),
         "thing: a: '3 kg' is a mass, expected a length [m] such as 0.025 or \"25 mm\""},
        {KANE_KEY(thing, a, NUMBER, OPTIONAL, "0", "m", POSITIVE, NULL, "h"),
         "thing: a: 0 is out of range, must be positive"},
        {KANE_KEY(thing, a, VECTOR, OPTIONAL, "[0, 0", "m", ANY, NULL, "h"),
         "thing: a: the text ends here, but the '[' of line 1, column 1 is not closed"},
        {KANE_KEY(thing, a, CHOICE, OPTIONAL, NULL, NULL, ANY, NULL, "h"), "schema 'thing', key 'a': has no detail"},
        {KANE_KEY(thing, a, CHOICE, OPTIONAL, "round", NULL, ANY, shapes, "h"),
         "thing: a: 'round' is not known; known: clothoid, cosine, bloss"},
        {KANE_KEY(thing, a, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, NULL),
         "schema 'thing', key 'a': has no name or no help"},
        {KANE_KEY(thing, block, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "h"),
         "schema 'thing', key 'block': does not lie in its struct, after a kane_block"},
        {KANE_KEY(thing, law, VARIANT, OPTIONAL, NULL, NULL, ANY, "nothing", "h"),
         "schema 'thing', key 'law': has no choices"},
        {KANE_KEY(thing, law, VARIANT, OPTIONAL, "screw", NULL, ANY, NULL, "h"),
         "schema 'thing', key 'law': its default is none of its choices"},
        {KANE_KEY(thing, a, NUMBER, REQUIRED, "1", "m", ANY, NULL, "h"),
         "schema 'thing', key 'a': is required and has a default"},
        {KANE_KEY_NAMED(thing, a, "note", NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "h"),
         "schema 'thing', key 'note': this name belongs to every object"},
    };
    assert_int_equal(kane_schema_check(&grammar, errors), KANE_OK);
    assert_int_equal(errors->count, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[600];
        assert_int_equal(check_one(&rows[i].key, 1, sizeof(thing)), KANE_BAD_ARGUMENT);
        assert_int_equal(errors->count, 1);
        (void)kane_error_format(kane_errors_get(errors, 0), sizeof text, text);
        assert_string_equal(text, rows[i].text);
    }
    const kane_key twice[] = {KANE_KEY(thing, a, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "h"),
                              KANE_KEY(thing, a, NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "h")};
    assert_int_equal(check_one(twice, 2, sizeof(thing)), KANE_BAD_ARGUMENT);
    assert_string_equal(kane_errors_get(errors, 0)->text, "schema 'thing', key 'a': stands in the table twice");
    const kane_key same[] = {KANE_KEY_NAMED(thing, a, "stiffness", NUMBER, OPTIONAL, NULL, "m", ANY, NULL, "h"),
                             KANE_KEY(thing, law, VARIANT, OPTIONAL, NULL, NULL, ANY, NULL, "h")};
    assert_int_equal(check_one(same, 2, sizeof(thing)), KANE_BAD_ARGUMENT);
    assert_string_equal(kane_errors_get(errors, 0)->text,
                        "schema 'thing', key 'stiffness': one of its choices has a key of that name too");
    assert_int_equal(check_one(twice, 1, sizeof(kane_block)), KANE_BAD_ARGUMENT); // beyond the end of the struct
}

CHECK_MAIN(NULL, NULL)
