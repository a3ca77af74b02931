// SPDX-License-Identifier: MIT
// What is made of schemas: the JSON schema accepts what the reader accepts, and the reference page names
// everything.

#include "allocation.h"

#include "sample.h"
#include "unit/base/fixture.h"
#include "validator.h"

#include "base/json.h"
#include "base/schema.h"

// What a function writes into a file.
static const char *written(kane_status (*write)(const kane_grammar *, FILE *))
{
    static char text[250000];
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(write(&grammar, file), KANE_OK);
    rewind(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length]        = '\0';
    assert_true(length < sizeof text - 1);
    assert_int_equal(fclose(file), 0);
    return text;
}

static const kane_node *parse(const char *text)
{
    const kane_node *node = kane_json_parse(arena, "s", text, strlen(text), errors);
    assert_non_null(node);
    assert_int_equal(errors->count, 0);
    return node;
}

WITH_ARENA(the_schema_is_json_and_points_only_at_itself)
{
    const char *text      = written(kane_schema_write);
    const kane_node *root = parse(text);
    assert_string_equal(kane_node_find(root, "$schema")->text, "http://json-schema.org/draft-07/schema#");
    assert_non_null(strstr(text, "\"description\": \"mass [kg]\""));
    assert_non_null(strstr(text, "\"default\": 0.3"));
    assert_non_null(strstr(text, "\"default\": \"54 km/h\""));
    for (const char *p = strstr(text, "\"$ref\": \""); p; p = strstr(p + 1, "\"$ref\": \"")) {
        char reference[100];
        (void)snprintf(reference, sizeof reference, "%s", p + 9);
        *strchr(reference, '"') = '\0';
        assert_non_null(validator_resolve(root, reference));
    }
}

WITH_ARENA(the_schema_and_the_reader_agree)
{
    // settings on the sample document, and whether it is still right
    static const struct {
        const char *set;
        int right;
    } rows[] = {
        {"guide=body", 1},
        {"friction=1", 1},
        {"friction=\"25 %\"", 1},
        {"bodies.body.mass=\"1 t\"", 1},
        {"bodies.body.note=[\"a\", \"b\"]", 1},
        {"bodies.new={\"mass\": 1, \"inertia\": [1, 1, \"1 t m^2\"]}", 1},
        {"bodies.note={\"mass\": 1, \"inertia\": [1, 1, 1]}", 1}, // a body of that name
        {"elements.weld.law=joint", 0},                           // bending is missing
        {"elements.weld={\"law\": \"joint\", \"bending\": 1, \"between\": []}", 1},
        {"elements.weld={\"like\": \"hard spring\", \"between\": []}", 1},
        {"elements.pivot.damping=\"1 N m s\"", 1},
        {"elements.pivot.curve={\"any\": [null]}", 1},
        {"method=euler", 0}, // rtol belongs to bdf
        {"brake=disc", 0},   // brake_force is missing
        {"brake_force=5", 0},
        {"sections=[]", 1},
        {"sections[1].steps=3.0", 1},
        {"sections[1].coefficients=[\"1:40\", \"1/600\", \"+.5\", \"3 permille\"]", 1},
        {"kane=wagon 2", 0},
        {"name=[5]", 0},
        {"name=null", 0},
        {"nmae=a", 0},
        {"note=5", 0},
        {"friction=1.1", 0},
        {"friction=\"-1 %\"", 0},
        {"bodies.body.mass=0", 0},
        {"bodies.body.mass=\"-1 t\"", 0},
        {"bodies.body.mass=\"heavy\"", 0},
        {"bodies.body.mass=\"1,5 t\"", 0},
        {"bodies.body.massy=1", 0},
        {"bodies.body={\"mass\": 1}", 0},
        {"bodies.body=5", 0},
        {"bodies.body.inertia=[1, 2]", 0},
        {"bodies.body.inertia=[1, 2, 3, 4]", 0},
        {"bodies.body.inertia[1]=-1", 0},
        {"bodies={\"\": {\"mass\": 1, \"inertia\": [1, 1, 1]}}", 0},
        {"elements.pivot.stiffness=5", 0},
        {"elements.pivot.law=spring", 0},
        {"elements.pivot.law=screw", 0},
        {"elements.pivot.mirror=5", 0},
        {"elements.pivot={\"law\": \"joint\", \"between\": []}", 0},
        {"elements.weld.bending=5", 0},
        {"elements.weld={\"between\": []}", 0},
        {"sections[0].shape=round", 0},
        {"sections[0].steps=2.5", 0},
        {"sections[0].steps=0", 0},
        {"sections[0]=[]", 0},
        {"sections={}", 0},
        {"channels=[[1]]", 0},
        {"start=[]", 0},
        {"start.speed=-1", 0},
        {"patterns=5", 0},
    };
    const kane_node *schema = parse(written(kane_schema_write));
    assert_true(validator_obeys(schema, schema, parse(sample_text)));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const settings[] = {rows[i].set, NULL};
        kane_node *document          = kane_json_parse(arena, "s", sample_text, strlen(sample_text), errors);
        assert_int_equal(kane_json_assign(arena, document, rows[i].set, errors), KANE_OK);
        const int obeys = validator_obeys(schema, schema, document);
        const int reads = sample_read(arena, sample_text, settings, errors) != NULL;
        if (obeys != rows[i].right || reads != rows[i].right)
            fail_msg("%s: schema %d, reader %d", rows[i].set, obeys, reads);
        kane_errors_clear(errors);
    }
}

WITH_ARENA(two_choices_in_one_object_are_both_described)
{
    static const char *const rows[][2] = {
        {"{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {}, \"brake\": \"disc\", \"brake_force\": 5, \"rtol\": 1 }",
         "1"},
        {"{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {}, \"brake\": \"disc\", \"brake_force\": 5, \"method\": "
         "\"euler\" }",
         "1"},
        {"{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {}, \"brake\": \"disc\", \"brake_force\": 5, \"method\": "
         "\"euler\", \"rtol\": 1 }",
         ""},
        {"{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {}, \"brake\": \"disc\", \"rtol\": 1 }", ""},
        {"{ \"kane\": \"wagon 1\", \"name\": \"w\", \"bodies\": {}, \"brake_force\": 5, \"rtol\": 1 }", ""},
    };
    const kane_node *schema = parse(written(kane_schema_write));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(validator_obeys(schema, schema, parse(rows[i][0])), rows[i][1][0] != 0);
        assert_int_equal(sample_read(arena, rows[i][0], NULL, errors) != NULL, rows[i][1][0] != 0);
        kane_errors_clear(errors);
    }
}

WITH_ARENA(the_reference_page_has_a_table_for_everything)
{
    const char *text                  = written(kane_schema_write_reference);
    static const char *const wanted[] = {
        "# Reference: wagon files\n",
        "`\"kane\": \"wagon 1\"`",
        "| `kane` | text | *required* | kind and version of the document |\n",
        "\n## body\n\nA rigid body.\n",
        "| `mass` | number [kg], > 0 | *required* | mass |\n",
        "| `inertia` | list of 3 numbers [kg m^2], >= 0 | *required* | about the mass centre |\n",
        "| `at` | list of 3 numbers [m] | `[0, 0, \"1 m\"]` | mass centre on the vehicle |\n",
        "| `shape` | `\"clothoid\"`, `\"cosine\"`, `\"bloss\"` | `\"cosine\"` | shape of a transition |\n",
        "| `steps` | whole number, > 0 | `8` | steps of the drawing |\n",
        "| `mirror` | `true` or `false` | `true` | the same on the right |\n",
        "| `law` | `\"spring\"`: [spring](#spring), `\"joint\"`: [joint](#joint), `\"rigid\"` | *required* | what acts |\n",
        "\n## spring\n\nA linear spring.\n\nIts keys stand beside `law`.\n",
        "| `bodies` | by name: [body](#body) | *required* | bodies by name |\n",
        "| `sections` | list of [section](#section) |  | sections of the line |\n",
        "| `friction` | number, 0 .. 1 | `0.3` | coefficient of friction |\n",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!strstr(text, wanted[i]))
            fail_msg("not there: %s", wanted[i]);
}

// A tree: it holds itself, two schemas have the same name, a choice brings a choice, and a text has a bar in it.
typedef struct amount {
    kane_block block;
    double amount;
} amount;

typedef struct coloured {
    kane_block block;
    kane_variant colour;
    amount extra; // the same schema is a choice and an object
} coloured;

static const kane_schema tree_schema;

static const kane_key amount_keys[] = {
    KANE_KEY(amount, amount, NUMBER, REQUIRED, NULL, "1", POSITIVE, NULL, "some | much"),
};
static const kane_schema amount_schema = KANE_SCHEMA(amount, "amount", amount_keys, "How much.");

static const kane_key coloured_keys[] = {
    KANE_KEY(coloured, colour, VARIANT, OPTIONAL, NULL, NULL, ANY, NULL, "which colour"),
    KANE_KEY(coloured, extra, OBJECT, OPTIONAL, NULL, NULL, ANY, &amount_schema, "more of it"),
};
static const kane_schema coloured_schema = KANE_SCHEMA(coloured, "Fancy Tree", coloured_keys, "A tree with a colour.");

static const kane_schema leaf_schema = KANE_SCHEMA(amount, "part", amount_keys, "A leaf.");
static const kane_schema twig_schema = KANE_SCHEMA(amount, "part", amount_keys, "A twig.");

typedef struct tree {
    kane_block block;
    kane_items trees;
    kane_items more;
    amount leaf;
    amount twig;
    kane_variant style;
} tree;

static const kane_key tree_keys[] = {
    KANE_KEY(tree, trees, LIST, OPTIONAL, NULL, NULL, ANY, &tree_schema, "trees in trees"),
    KANE_KEY(tree, more, MAP, OPTIONAL, NULL, NULL, ANY, &tree_schema, "more of them"),
    KANE_KEY(tree, leaf, OBJECT, OPTIONAL, NULL, NULL, ANY, &leaf_schema, "a leaf"),
    KANE_KEY(tree, twig, OBJECT, OPTIONAL, NULL, NULL, ANY, &twig_schema, "a twig"),
    KANE_KEY(tree, style, VARIANT, REQUIRED, NULL, NULL, ANY, NULL, "how it looks"),
};
static const kane_schema tree_schema = KANE_SCHEMA(tree, "tree", tree_keys, "A tree.");

static const kane_option styles[]        = {{"plain", NULL, NULL}, {"fancy", &coloured_schema, NULL}};
static const kane_option colours[]       = {{"red", &amount_schema, NULL}, {"blue", NULL, NULL}};
static const kane_options tree_choices[] = {{"style", styles, 2}, {"colour", colours, 2}};
static const kane_format tree_format     = {"tree", 1, 2, &tree_schema};
static const kane_grammar tree_grammar   = {&tree_format, tree_choices, 2};

static const tree *read_tree(const char *text)
{
    kane_reader reader = {.arena = arena, .errors = errors, .variants = tree_choices, .variant_count = 2};
    kane_node *root    = kane_document_parse(arena, "t", text, strlen(text), NULL, errors);
    return kane_document_read(&reader, root, (kane_formats){&tree_format, 1}, "tree", NULL);
}

WITH_ARENA(schemas_may_hold_themselves_and_choices_may_bring_choices)
{
    static const struct {
        const char *text;
        int right;
    } rows[] = {
        {"{ \"kane\": \"tree 1\", \"style\": \"plain\" }", 1},
        {"{ \"kane\": \"tree 2\", \"style\": \"fancy\" }", 1},
        {"{ \"kane\": \"tree 2\", \"style\": \"fancy\", \"extra\": { \"amount\": 5 } }", 1},
        {"{ \"kane\": \"tree 2\", \"style\": \"fancy\", \"extra\": { \"amount\": 0 } }", 0},
        {"{ \"kane\": \"tree 3\", \"style\": \"fancy\" }", 0},
        {"{ \"kane\": \"tree 1\", \"style\": \"fancy\", \"colour\": \"blue\" }", 1},
        {"{ \"kane\": \"tree 1\", \"style\": \"fancy\", \"colour\": \"blue\", \"amount\": 1 }", 0},
        {"{ \"kane\": \"tree 1\", \"style\": \"fancy\", \"colour\": \"red\", \"amount\": 1 }", 1},
        {"{ \"kane\": \"tree 1\", \"style\": \"fancy\", \"colour\": \"red\" }", 0},
        {"{ \"kane\": \"tree 1\", \"style\": \"fancy\", \"amount\": 1 }", 0},
        {"{ \"kane\": \"tree 1\", \"style\": \"plain\", \"colour\": \"red\", \"amount\": 1 }", 0},
        {"{ \"kane\": \"tree 1\", \"style\": \"plain\", \"leaf\": { \"amount\": 1 }, \"twig\": { \"amount\": 1 } }", 1},
        {"{ \"kane\": \"tree 1\", \"style\": \"plain\", \"twig\": { \"amount\": 0 } }", 0},
    };
    FILE *file = tmpfile();
    static char text[200000];
    assert_int_equal(kane_schema_check(&tree_grammar, errors), KANE_OK);
    assert_int_equal(kane_schema_write(&tree_grammar, file), KANE_OK);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(text, "\"part\": {"));
    assert_non_null(strstr(text, "\"part_2\": {"));
    assert_non_null(strstr(text, "\"$ref\": \"#\""));

    const kane_node *schema = parse(text);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int obeys = validator_obeys(schema, schema, parse(rows[i].text));
        const int reads = read_tree(rows[i].text) != NULL;
        if (obeys != rows[i].right || reads != rows[i].right)
            fail_msg("%s: schema %d, reader %d", rows[i].text, obeys, reads);
        kane_errors_clear(errors);
    }
    const tree *p =
        read_tree("{ \"kane\": \"tree 1\", \"style\": \"plain\", \"trees\": [ { \"style\": \"plain\", \"trees\": "
                  "[ { \"style\": \"fancy\", \"colour\": \"red\", \"amount\": 7 } ] } ] }");
    assert_non_null(p);
    const tree *inner      = ((const tree *)p->trees.items)->trees.items;
    const coloured *look   = inner->style.value;
    const amount *how_much = look->colour.value;
    assert_true(how_much->amount == 7.0);
}

WITH_ARENA(the_reference_page_keeps_its_tables_in_order)
{
    FILE *file = tmpfile();
    static char text[200000];
    assert_int_equal(kane_schema_write_reference(&tree_grammar, file), KANE_OK);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(text, "some \\| much"));
    assert_non_null(strstr(text, "[Fancy Tree](#fancy-tree)"));
    assert_non_null(strstr(text, "[part 2](#part-2)"));
    assert_non_null(strstr(text, "list of [tree](#tree)"));
}

// A choice that brings itself again and again.
static const kane_schema endless_schema;
static const kane_key endless_keys[] = {
    KANE_KEY(coloured, colour, VARIANT, REQUIRED, NULL, NULL, ANY, NULL, "which colour"),
};
static const kane_schema endless_schema = KANE_SCHEMA(coloured, "endless", endless_keys, "Without end.");

WITH_ARENA(choices_within_choices_have_an_end)
{
    static const kane_option red[]     = {{"red", &endless_schema, NULL}};
    static const kane_options choice[] = {{"colour", red, 1}};
    static const char text[]           = "{ \"colour\": \"red\" }";
    kane_reader reader                 = {.arena = arena, .errors = errors, .variants = choice, .variant_count = 1};
    assert_null(kane_reader_make(&reader, parse(text), &endless_schema));
    assert_string_equal(kane_errors_get(errors, 0)->text, "more than 8 choices within each other");

    const kane_format format     = {"endless", 1, 1, &endless_schema};
    const kane_grammar of_itself = {&format, choice, 1};
    FILE *file                   = tmpfile();
    assert_int_equal(kane_schema_write(&of_itself, file), KANE_OK);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(kane_schema_check(&of_itself, errors), KANE_BAD_ARGUMENT);
}

WITH_ARENA(the_list_of_schemas_survives_the_loss_of_any_allocation)
{
    for (int k = 1;; k++) {
        allocation_fail_at(k);
        kane_arena *small             = kane_arena_create_sized(1);
        const kane_schema_entry *list = small ? kane_schema_list(small, &tree_grammar) : NULL;
        kane_arena_free(small);
        if (!allocation_stop())
            break;
        assert_null(list);
    }
}

WITH_ARENA(a_file_that_cannot_be_written_is_noticed)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        check_skip("there is no /dev/full here");
    assert_int_equal(kane_schema_write(&grammar, full), KANE_NO_FILE);
    (void)fclose(full);
    full = fopen("/dev/full", "w");
    assert_int_equal(kane_schema_write_reference(&grammar, full), KANE_NO_FILE);
    (void)fclose(full);
}

CHECK_MAIN(NULL, NULL)
