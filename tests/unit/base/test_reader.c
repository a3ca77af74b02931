// SPDX-License-Identifier: MIT
// Documents into structs: every kind of key, defaults, variants, places.

#include "sample.h"
#include "unit/base/fixture.h"

#include "base/json.h"

static const wagon *read_text(const char *text)
{
    const wagon *w = sample_read(arena, text, NULL, errors);
    if (!w) {
        char list[4096];
        sample_list(errors, sizeof list, list);
        fail_msg("%s", list);
    }
    assert_int_equal(errors->count, 0);
    return w;
}

WITH_ARENA(every_kind_of_key_arrives_in_its_member)
{
    const wagon *w = read_text(sample_text);
    assert_string_equal(w->name, "two \xE2\x86\x92 axles");
    assert_null(w->guide);
    assert_true(w->friction == 0.3);

    assert_int_equal(w->bodies.count, 2);
    const body *b = w->bodies.items;
    assert_string_equal(b[0].block.name, "body");
    assert_string_equal(b[1].block.name, "leading");
    assert_true(b[0].mass == 34e3 && b[1].mass == 1250.0);
    check_vec3(b[0].inertia, kv3(5e4, 4.5e5, 4.5e5), 0.0);
    check_vec3(b[1].inertia, kv3(800, 100, 800), 0.0);
    check_vec3(b[0].at, kv3(0, 0, 1.6), 0.0);
    check_vec3(b[1].at, kv3(0, 0, 1), 0.0); // default with a unit in it

    assert_int_equal(w->sections.count, 2);
    const section *s = w->sections.items;
    assert_true(s[0].length == 50.0 && s[1].length == 60.0);
    assert_int_equal(s[0].shape, 1); // cosine
    assert_int_equal(s[1].shape, 2); // bloss
    assert_int_equal(s[0].coefficients.count, 0);
    assert_int_equal(s[1].coefficients.count, 2);
    assert_true(s[1].coefficients.values[0] == 1.0 && s[1].coefficients.values[1] == 0.02);
    assert_int_equal(s[1].steps, 8);
    assert_string_equal(s[1].block.name, "");

    assert_true(w->start.speed == 20.0 && w->start.at == 0.0);
    check_relative(w->start.heading, 3.14159265358979 / 60.0, 1e-14);
    assert_int_equal(w->channels.count, 1);
    assert_string_equal(w->channels.values[0], "*");
}

WITH_ARENA(a_variant_brings_the_keys_of_its_choice)
{
    const wagon *w   = read_text(sample_text);
    const element *e = w->elements.items;
    assert_int_equal(w->elements.count, 3); // the note is no element

    assert_string_equal(e[0].law.name, "spring");
    assert_ptr_equal(e[0].law.tag, &spring_tag);
    const spring *s = e[0].law.value;
    assert_true(s->stiffness == 3e6 && s->preload == 0.0); // of the nearer pattern
    assert_string_equal(s->block.name, "left box");
    assert_ptr_equal(s->block.node, e[0].block.node);
    assert_int_equal(e[0].is_mirrored, 0); // of the pattern
    assert_int_equal(e[0].between.count, 2);
    assert_string_equal(e[0].between.values[1], "leading");

    const joint *j = e[1].law.value;
    assert_ptr_equal(e[1].law.tag, &joint_tag);
    assert_true(j->bending == 2000.0 && j->damping == 20.0);
    assert_int_equal(e[1].is_mirrored, 1);

    assert_string_equal(e[2].law.name, "rigid");
    assert_null(e[2].law.value);
    assert_int_equal(e[2].between.count, 0);

    assert_string_equal(w->method.name, "bdf");
    assert_true(((const bdf *)w->method.value)->rtol == 1e-8);
    assert_null(w->brake.name);
    assert_null(w->brake.value);
}

WITH_ARENA(a_variant_that_is_not_typed_has_its_default_choice_with_defaults)
{
    const wagon *w = read_text("{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {} }");
    assert_string_equal(w->method.name, "bdf");
    assert_true(((const bdf *)w->method.value)->rtol == 1e-6);
    assert_int_equal(w->bodies.count, 0);
    assert_non_null(w->bodies.items);
    assert_null(w->elements.items);

    w = read_text("{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {}, \"rtol\": 1e-3 }");
    assert_true(((const bdf *)w->method.value)->rtol == 1e-3);
}

WITH_ARENA(an_object_that_is_not_typed_has_its_defaults)
{
    const wagon *w = read_text("{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {} }");
    assert_true(w->start.speed == 15.0);
    assert_null(w->start.block.node);
    assert_int_equal(kane_block_place(&w->start.block, "speed", -1).line, 0);
    assert_string_equal(kane_block_place(&w->start.block, NULL, -1).path, "");
    assert_int_equal(kane_block_has(&w->start.block, "speed"), 0);
}

static void check_block_place(const kane_block *block, const char *key, int index, int line, int column,
                              const char *path)
{
    const kane_place place = kane_block_place(block, key, index);
    assert_string_equal(place.file, "w.json");
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
    assert_string_equal(place.path, path);
}

WITH_ARENA(a_block_can_point_at_what_was_typed)
{
    const wagon *w   = read_text(sample_text);
    const body *b    = w->bodies.items;
    const element *e = w->elements.items;
    check_block_place(&b[1].block, NULL, -1, 8, 16, "bodies.leading");
    check_block_place(&b[1].block, "mass", -1, 8, 26, "bodies.leading.mass");
    check_block_place(&b[1].block, "inertia", 2, 8, 54, "bodies.leading.inertia[2]");
    check_block_place(&b[1].block, "inertia", 3, 8, 43, "bodies.leading.inertia"); // no such element: the list
    check_block_place(&b[1].block, "at", 0, 8, 16, "bodies.leading");              // not typed: the block
    check_block_place(e[0].law.value, "stiffness", -1, 5, 57, "patterns.\"hard spring\".stiffness");
    check_block_place(&e[0].block, "between", 1, 11, 62, "elements.\"left box\".between[1]");
    check_block_place(&w->start.block, "speed", -1, 15, 23, "start.speed");
    assert_int_equal(kane_block_has(&b[1].block, "mass"), 1);
    assert_int_equal(kane_block_has(&b[1].block, "at"), 0);
    assert_int_equal(kane_block_has(&e[0].block, "mirror"), 1); // inherited counts as typed
}

WITH_ARENA(what_is_raw_can_be_read_by_who_knows_more)
{
    const wagon *w     = read_text(sample_text);
    const element *e   = w->elements.items;
    kane_reader reader = {.arena = arena, .errors = errors};
    kane_numbers n;
    double value;
    assert_null(e[1].curve);
    assert_int_equal(e[0].curve->count, 2);
    assert_true(kane_reader_numbers(&reader, e[0].curve->last, "m", KANE_ANY, &n));
    assert_int_equal(n.count, 2);
    assert_true(n.values[0] == 2.0 && n.values[1] == 3.0);
    assert_int_equal((uintptr_t)n.values % 64, 0);
    assert_false(kane_reader_number(&reader, e[0].curve, "m", KANE_ANY, &value));
    assert_false(kane_reader_number(&reader, e[0].curve->child->child, "m", KANE_POSITIVE, &value));
    assert_int_equal(errors->count, 2);
    assert_int_equal(kane_reader_status(&reader), KANE_BAD_INPUT);
    assert_string_equal(kane_errors_get(errors, 1)->text, "0 is out of range, must be positive");
    assert_string_equal(kane_errors_get(errors, 1)->path, "elements.\"left box\".curve[0][0]");
}

WITH_ARENA(one_object_can_fill_several_structs)
{
    static const char text[] = "{ \"stiffness\": 5, \"bending\": 6, \"damping\": \"7 N m s\" }";
    const kane_node *node    = kane_json_parse(arena, "x", text, strlen(text), errors);
    kane_reader reader       = {.arena = arena, .errors = errors};
    spring s                 = {0};
    joint j                  = {0};

    const kane_schema *const schemas[] = {&spring_schema, &joint_schema};
    void *const structs[]              = {&s, &j};
    assert_int_equal(kane_reader_fill(&reader, node, schemas, structs, 2), KANE_OK);
    assert_true(s.stiffness == 5.0 && j.bending == 6.0 && j.damping == 7.0);
    assert_int_equal(kane_reader_fill(&reader, node, schemas, structs, 1), KANE_BAD_INPUT); // two unknown keys
    assert_int_equal(errors->count, 2);
    assert_null(kane_reader_make(&reader, node, &spring_schema));
}

WITH_ARENA(settings_are_read_like_what_is_typed)
{
    static const char *const settings[] = {"bodies.body.mass=40 t",
                                           "elements.\"left box\".stiffness=2 MN/m",
                                           "elements.left box.preload=-3 kN",
                                           "friction=0.25",
                                           "sections[1].coefficients=[1, \"3 %\"]",
                                           "elements.weld.law=joint",
                                           "elements.weld.bending=7",
                                           NULL};
    const wagon *w                      = sample_read(arena, sample_text, settings, errors);
    assert_non_null(w);
    const element *e = w->elements.items;
    assert_true(((const body *)w->bodies.items)[0].mass == 40e3);
    assert_true(((const spring *)e[0].law.value)->stiffness == 2e6);
    assert_true(((const spring *)e[0].law.value)->preload == -3e3);
    assert_true(((const joint *)e[2].law.value)->bending == 7.0);
    assert_true(w->friction == 0.25);
    assert_true(((const section *)w->sections.items)[1].coefficients.values[1] == 0.03);
    assert_string_equal(kane_block_place(&((const body *)w->bodies.items)[0].block, "mass", -1).file,
                        "--set bodies.body.mass=40 t");
}

WITH_ARENA(errors_of_settings_and_of_the_file_come_together)
{
    static const char *const settings[] = {"bodies.body.mass=-1", "nothing.here.at_all=5", NULL};
    char list[2048];
    assert_null(sample_read(arena,
                            "{ \"kane\": \"wagon 1\", \"name\": 5, \"bodies\": { \"body\": { \"mass\": 1, \"mass\": 2, "
                            "\"inertia\": [1, 1, 1] } } }",
                            settings, errors));
    sample_list(errors, sizeof list, list);
    assert_string_equal(list, "w.json:1:66: bodies.body.mass: duplicate key, first given in line 1, column 55\n"
                              "--set nothing.here.at_all=5: there is no 'nothing' here; known: kane, name, bodies\n"
                              "w.json:1:30: name: found the number 5, expected a text\n"
                              "--set bodies.body.mass=-1: bodies.body.mass: -1 is out of range, must be positive");
}

WITH_ARENA(a_document_with_a_fault_in_its_tree_is_never_given)
{
    // all values are right; only the key stands twice
    assert_null(sample_read(arena, "{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {}, \"name\": \"w\" }", NULL,
                            errors));
    assert_int_equal(errors->count, 1);
}

WITH_ARENA(more_errors_than_are_kept_are_counted)
{
    static char text[20000];
    size_t n = (size_t)sprintf(text, "{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {}, \"channels\": [0");
    for (int i = 1; i < 100; i++)
        n += (size_t)sprintf(text + n, ", %d", i);
    (void)sprintf(text + n, "] }");
    assert_null(sample_read(arena, text, NULL, errors));
    assert_int_equal(errors->count, 100);
}

WITH_ARENA(the_version_of_the_document_is_told)
{
    static const char text[] = "{ \"kane\": \"line 2\", \"length\": \"1 km\" }";
    kane_reader reader       = {.arena = arena, .errors = errors};
    const kane_node *root    = kane_document_parse(arena, "l", text, strlen(text), NULL, errors);
    int version              = 0;
    const section *s         = kane_document_read(&reader, root, all_formats, "line", &version);
    assert_non_null(s);
    assert_int_equal(version, 2);
    assert_true(s->length == 1000.0);

    static const char newer[] = "{ \"kane\": \"line 4\" }";
    root                      = kane_document_parse(arena, "l", newer, strlen(newer), NULL, errors);
    assert_null(kane_document_read(&reader, root, all_formats, "line", &version));
    assert_string_equal(kane_errors_get(errors, 0)->text, "version 4 of line files is not known; known: 1 to 3");
}

CHECK_MAIN(NULL, NULL)
