// SPDX-License-Identifier: MIT
// Values set from outside (--set) and objects that are like a pattern.

#include "sample.h"

#include "fixture.h"

#include "base/json.h"

static kane_node *root;

static void parse(const char *text)
{
    root = kane_json_parse(arena, "f.json", text, strlen(text), errors);
    assert_non_null(root);
    assert_int_equal(errors->count, 0);
}

// The value at a path of plain keys, e.g. "bodies.body.mass".
static const kane_node *at(const char *path)
{
    const kane_node *node = root;
    char copy[200];
    (void)snprintf(copy, sizeof copy, "%s", path);
    for (char *key = strtok(copy, "."); key && node; key = strtok(NULL, "."))
        node = kane_node_find(node, key);
    return node;
}

static double number(const char *path)
{
    const kane_node *node = at(path);
    assert_non_null(node);
    assert_int_equal(node->kind, KANE_NODE_NUMBER);
    return node->number;
}

static void set(const char *assignment)
{
    assert_int_equal(kane_json_assign(arena, root, assignment, errors), KANE_OK);
    assert_int_equal(errors->count, 0);
}

WITH_ARENA(a_value_is_replaced_where_it_stands)
{
    parse("{ \"a\": { \"b\": 1, \"c\": 2, \"d\": 3 }, \"list\": [ 1, { \"x\": 2 }, 3 ] }");
    set("a.c=5");
    set("a.d=six");
    set("list[1].x=7");
    set("list[2]=[8]");
    set("list[0]={\"y\": 9}");
    assert_true(number("a.b") == 1.0 && number("a.c") == 5.0);
    assert_string_equal(at("a.d")->text, "six");
    assert_int_equal(at("a")->count, 3);
    assert_true(kane_node_at(at("list"), 1)->child->number == 7.0);
    assert_true(kane_node_at(at("list"), 2)->child->number == 8.0);
    assert_true(at("list")->child->child->number == 9.0);
    assert_ptr_equal(at("list")->last, kane_node_at(at("list"), 2));
    set("a=5"); // an object gives way as well
    assert_true(number("a") == 5.0);
}

WITH_ARENA(a_part_of_the_document_that_was_left_out_begins_empty)
{
    parse("{ \"bodies\": {} }");
    set("integrator.rtol=1e-8");
    set("integrator.order=3");
    assert_true(number("integrator.rtol") == 1e-8);
    assert_true(number("integrator.order") == 3.0);
    assert_string_equal(at("integrator.rtol")->place.path, "integrator.rtol");
    // deeper down a name that is not there is more likely a mistake
    assert_int_equal(kane_json_assign(arena, root, "bodies.body.mass=1", errors), KANE_BAD_INPUT);
    assert_int_equal(kane_json_assign(arena, root, "output.list.deep=1", errors), KANE_BAD_INPUT);
}

WITH_ARENA(the_last_key_is_made_if_its_object_is_there)
{
    parse("{ \"a\": { } }");
    set("a.\"key with = and .\"= 5 mm");
    set("b=1");
    set("a.c={\"d\":2}");
    set("a.c.e=3");
    assert_string_equal(at("a")->child->key, "key with = and .");
    assert_string_equal(at("a")->child->text, "5 mm");
    assert_true(number("b") == 1.0 && number("a.c.e") == 3.0);
}

WITH_ARENA(a_star_means_every_element_that_has_it)
{
    parse("{ \"list\": [ { \"a\": 1, \"to\": { \"r\": 2 } }, { \"b\": 3 }, 7, { \"a\": 4, \"to\": { \"c\": 5 } } ] }");
    const kane_node *list = at("list");
    set("list[*].a=9");
    set("list[*].to.r=8");
    assert_int_equal((int)kane_node_find(kane_node_at(list, 0), "a")->number, 9);
    assert_int_equal((int)kane_node_find(kane_node_at(list, 3), "a")->number, 9);
    assert_null(kane_node_find(kane_node_at(list, 1), "a"));
    assert_int_equal((int)kane_node_find(kane_node_find(kane_node_at(list, 0), "to"), "r")->number, 8);
    assert_null(kane_node_find(kane_node_find(kane_node_at(list, 3), "to"), "r"));
}

WITH_ARENA(what_was_set_says_so_as_its_place)
{
    parse("{ \"a\": { \"b\": 1 }, \"list\": [ { \"x\": 2 } ] }");
    set("a.b = -5");
    set("list[0].x={\"y\": [1, 2]}");
    assert_string_equal(at("a.b")->place.file, "--set a.b = -5");
    assert_string_equal(at("a.b")->place.path, "a.b");
    assert_int_equal(at("a.b")->place.line, 0);
    assert_string_equal(at("list")->child->child->child->last->place.path, "list[0].x.y[1]");
}

WITH_ARENA(what_cannot_be_set_is_told_why)
{
    static const char *const rows[][2] = {
        {"bodis.body.mass=3",
         "--set bodis.body.mass=3: there is no 'bodis' here; did you mean 'bodies'? known: bodies, "
         "list"},
        {"bodies.bdy.mass=3",
         "--set bodies.bdy.mass=3: bodies: there is no 'bdy' here; did you mean 'body'? known: body"},
        {"bodies.body.mass.x=3", "--set bodies.body.mass.x=3: bodies.body.mass: found the number 1, it has no key 'x'"},
        {"bodies.body[0]=3", "--set bodies.body[0]=3: bodies.body: found an object, it has no element [0]"},
        {"list[2]=3", "--set list[2]=3: list: found a list of 2, it has no element [2]; the first one is [0]"},
        {"list.x=3", "--set list.x=3: list: found a list, it has no key 'x'"},
        {"bodies..x=3",
         "--set bodies..x=3: a path looks like bodies.body.mass, sections[2].shape, sections[*].shape or "
         "elements.\"a name\".law; this one cannot be read at '..x'"},
        {"=3", "--set =3: a path looks like bodies.body.mass, sections[2].shape, sections[*].shape or "
               "elements.\"a name\".law; this one cannot be read at ''"},
        {"list[*]=3", "--set list[*]=3: list: a path looks like bodies.body.mass, sections[2].shape, sections[*].shape "
                      "or elements.\"a name\".law; this one cannot be read at '[*]'"},
        {"list[*].x=3", "--set list[*].x=3: list: no element of this list of 2 has 'x'"},
        {"bodies[*].x=3", "--set bodies[*].x=3: bodies: found an object, it has no elements [*]"},
        {"bodies", "--set bodies: expected PATH=VALUE, such as bodies.body.mass=9 t or speed=[]"},
        {"bodies.\"a=3", "--set bodies.\"a=3: expected PATH=VALUE, such as bodies.body.mass=9 t or speed=[]"},
        {"bodies={\"a\" 3}", "--set bodies={\"a\" 3}: bodies: found '3', expected ':' after the key"},
        {"bodies={\"a\": 3, \"a\": 4}", "--set bodies={\"a\": 3, \"a\": 4}: bodies.a: duplicate key"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        kane_errors_clear(errors);
        parse("{ \"bodies\": { \"body\": { \"mass\": 1 } }, \"list\": [1, 2] }");
        (void)kane_json_assign(arena, root, rows[i][0], errors);
        assert_int_equal(errors->count, 1);
        (void)kane_error_format(kane_errors_get(errors, 0), sizeof text, text);
        assert_string_equal(text, rows[i][1]);
        if (i + 1 < sizeof rows / sizeof rows[0])
            assert_true(number("bodies.body.mass") == 1.0);
    }
}

static const char patterns[] =
    "{ \"patterns\": {\n"
    "    \"base\":  { \"mass\": 1, \"note\": \"n\", \"in\": { \"note\": \"m\", \"x\": 1, \"y\": 2 }, \"row\": [1, 2] },\n"
    "    \"heavy\": { \"like\": \"base\", \"mass\": 9, \"in\": { \"y\": 3, \"z\": 4 } } },\n"
    "  \"a\": { \"like\": \"heavy\", \"in\": { \"z\": 5 } },\n"
    "  \"b\": { \"like\": \"base\", \"row\": [7], \"in\": 8 },\n"
    "  \"list\": [ { \"like\": \"base\" } ] }";

static void inherit(void)
{
    assert_int_equal(kane_inherit(arena, root, errors), KANE_OK);
    assert_int_equal(errors->count, 0);
}

WITH_ARENA(an_object_takes_what_it_has_not_from_its_pattern)
{
    parse(patterns);
    inherit();
    assert_true(number("a.mass") == 9.0); // of the nearer pattern
    assert_true(number("a.in.x") == 1.0 && number("a.in.y") == 3.0 && number("a.in.z") == 5.0);
    assert_int_equal(at("a.row")->count, 2);
    assert_true(number("b.mass") == 1.0 && number("b.in") == 8.0); // a value of its own replaces an object
    assert_int_equal(at("b.row")->count, 1);                       // and a list
    assert_null(at("a.note"));                                     // a note belongs to where it stands
    assert_null(at("a.in.note"));
    assert_true(kane_node_find(at("list")->child, "mass")->number == 1.0);
    assert_true(number("patterns.heavy.in.x") == 1.0);
}

WITH_ARENA(what_is_inherited_keeps_its_place_in_the_pattern)
{
    parse(patterns);
    inherit();
    assert_int_equal(at("a.in.x")->place.line, 2);
    assert_string_equal(at("a.in.x")->place.path, "patterns.base.in.x");
    assert_string_equal(at("a.in.z")->place.path, "a.in.z");
    assert_int_equal(at("a")->place.line, 4);
    assert_ptr_equal(at("a.in.x")->parent, at("a.in"));
    assert_int_equal(at("a.in.x")->depth, 3);
}

WITH_ARENA(inheriting_twice_changes_nothing)
{
    parse(patterns);
    inherit();
    const int count = at("a")->count;
    inherit();
    assert_int_equal(at("a")->count, count);
}

WITH_ARENA(a_pattern_that_is_set_reaches_all_that_are_like_it)
{
    parse(patterns);
    set("patterns.base.in.x=100");
    set("patterns.base.mass=2");
    inherit();
    assert_true(number("a.in.x") == 100.0 && number("b.mass") == 2.0 && number("a.mass") == 9.0);
}

WITH_ARENA(a_part_of_what_is_inherited_can_be_set)
{
    parse(patterns);
    set("a.in.y=30");
    set("a.row[1]=20");
    set("patterns.base.in.x=100"); // still reaches a
    inherit();
    assert_true(number("a.in.y") == 30.0 && number("a.in.x") == 100.0 && number("a.in.z") == 5.0);
    assert_true(at("a.row")->child->number == 1.0 && at("a.row")->last->number == 20.0);
    assert_true(at("patterns.base.row")->last->number == 2.0); // the pattern stays as it is
    assert_string_equal(at("a.row")->last->place.path, "a.row[1]");
}

WITH_ARENA(a_part_deep_inside_of_what_is_inherited_can_be_set)
{
    parse(
        "{ \"patterns\": { \"p\": { \"one\": { \"two\": { \"three\": { \"x\": 1, \"y\": 2 } } } }, \"q\": { \"like\": \"p\" } }, "
        "\"a\": { \"like\": \"q\" } }");
    set("a.one.two.three.x=5");
    inherit();
    assert_true(number("a.one.two.three.x") == 5.0 && number("a.one.two.three.y") == 2.0);
    assert_true(number("patterns.p.one.two.three.x") == 1.0);
}

WITH_ARENA(setting_ends_where_patterns_run_in_circles)
{
    parse("{ \"patterns\": { \"p\": { \"like\": \"q\" }, \"q\": { \"like\": \"p\", \"in\": { \"like\": \"p\" } } }, "
          "\"a\": { \"like\": \"p\" } }");
    assert_int_equal(kane_json_assign(arena, root, "a.in.x.y.z=5", errors), KANE_BAD_INPUT);
    assert_int_equal(errors->count, 1);
    assert_int_equal(kane_inherit(arena, root, errors), KANE_BAD_INPUT);
}

WITH_ARENA(patterns_cannot_grow_without_end)
{
    // each pattern holds the one before it ten times: 10^12 values
    static char text[20000];
    size_t n = (size_t)sprintf(text, "{ \"patterns\": { \"p0\": { \"x\": 1 }");
    for (int i = 1; i <= 12; i++) {
        n += (size_t)sprintf(text + n, ", \"p%d\": {", i);
        for (int k = 0; k < 10; k++)
            n += (size_t)sprintf(text + n, "%s\"k%d\": { \"like\": \"p%d\" }", k ? ", " : "", k, i - 1);
        n += (size_t)sprintf(text + n, "}");
    }
    (void)sprintf(text + n, "} }");
    parse(text);
    assert_int_equal(kane_inherit(arena, root, errors), KANE_BAD_INPUT);
    assert_string_equal(kane_errors_get(errors, 0)->text, "what is inherited here is too deep or too large");

    kane_errors_clear(errors); // each pattern holds the one before it one level deeper
    n = (size_t)sprintf(text, "{ \"patterns\": { \"p0\": { \"x\": 1 }");
    for (int i = 1; i <= 100; i++)
        n += (size_t)sprintf(text + n, ", \"p%d\": { \"k\": { \"like\": \"p%d\" } }", i, i - 1);
    (void)sprintf(text + n, "} }");
    parse(text);
    assert_int_equal(kane_inherit(arena, root, errors), KANE_BAD_INPUT);
    assert_string_equal(kane_errors_get(errors, 0)->text, "what is inherited here is too deep or too large");
}

// Numbers and quantities by the paths that set them, in SI units.
WITH_ARENA(the_number_at_a_path_is_told)
{
    static const struct {
        const char *path;
        double value;
    } numbers[] = {{"bodies.body.mass", 34000.0},  {"vehicle.bodies.body.mass", 34000.0},
                   {"bodies.body.at[2]", 1.6},     {"grade", 0.025},
                   {"angle", 0.05235987755982988}, {"sections[1].length", 0.2},
                   {"sections[*].length", 0.2},    {"elements.\"a.b\".stiffness", 1.2e6}};
    static const struct {
        const char *path, *message;
    } wrong[] = {{"bodies.body.mess", "'bodies.body.mess' is not in the file"},
                 {"bodies.body.at[3]", "is not in the file"},
                 {"bodies.body", "is no number or quantity (found an object)"},
                 {"name", "is no number or quantity (found the text 'abc')"},
                 {"sections[*].radius", "are numbers that are not the same"},
                 {"none[*].length", "leads to no number"},
                 {"bodies..mass", "is no path"}};
    parse("{\"kane\": \"vehicle 1\", \"name\": \"abc\", \"grade\": \"1:40\", \"angle\": \"3 deg\", \"none\": [],"
          "\"bodies\": {\"body\": {\"mass\": \"34 t\", \"at\": [0, 0, 1.6]}},"
          "\"elements\": {\"a.b\": {\"stiffness\": \"1.2 MN/m\"}},"
          "\"sections\": [{\"length\": 0.2, \"radius\": 1}, {\"length\": \"200 mm\", \"radius\": 2}]}");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value = 0.0;
        assert_int_equal(kane_json_number(root, numbers[i].path, (kane_place){.file = "--symbols"}, &value, errors),
                         KANE_OK);
        if (!(value == numbers[i].value))
            fail_msg("%s: %.17g", numbers[i].path, value);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value = 0.0;
        kane_errors_clear(errors);
        assert_int_equal(kane_json_number(root, wrong[i].path, (kane_place){.file = "--symbols"}, &value, errors),
                         KANE_BAD_INPUT);
        assert_int_equal(errors->count, 1);
        if (!strstr(kane_errors_get(errors, 0)->text, wrong[i].message))
            fail_msg("%s: %s", wrong[i].path, kane_errors_get(errors, 0)->text);
    }
}

CHECK_MAIN(NULL, NULL)
