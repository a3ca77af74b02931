// SPDX-License-Identifier: MIT
// The tree of a document: values, places, paths.

#include "unit/base/fixture.h"

#include "base/json.h"
#include "base/machine.h"
#include "base/scan.h"

#include <sys/stat.h>
#include <unistd.h>

static kane_node *parse(const char *text)
{
    return kane_json_parse(arena, "f.json", text, strlen(text), errors);
}

static void check_place(const kane_node *node, int line, int column, const char *path)
{
    assert_non_null(node);
    assert_string_equal(node->place.file, "f.json");
    assert_int_equal(node->place.line, line);
    assert_int_equal(node->place.column, column);
    assert_string_equal(node->place.path, path);
}

WITH_ARENA(values_of_all_kinds_are_read)
{
    const kane_node *root =
        parse("{ \"a\": null, \"b\": true, \"c\": false, \"d\": -1.50e1, \"e\": \"x\\n\\u00e4\\ud83d\\ude83"
              "\\\"\", \"f\": [1, [], {}], \"g\": {} }");
    assert_non_null(root);
    assert_int_equal(root->kind, KANE_NODE_OBJECT);
    assert_int_equal(root->count, 7);
    assert_int_equal(kane_node_find(root, "a")->kind, KANE_NODE_NULL);
    assert_int_equal(kane_node_find(root, "b")->kind, KANE_NODE_TRUE);
    assert_int_equal(kane_node_find(root, "c")->kind, KANE_NODE_FALSE);
    assert_true(kane_node_find(root, "d")->number == -15.0);
    assert_string_equal(kane_node_find(root, "d")->text, "-1.50e1"); // as it was typed
    assert_string_equal(kane_node_find(root, "e")->text, "x\n\xC3\xA4\xF0\x9F\x9A\x83\"");
    const kane_node *list = kane_node_find(root, "f");
    assert_int_equal(list->count, 3);
    assert_int_equal(kane_node_at(list, 2)->kind, KANE_NODE_OBJECT);
    assert_null(kane_node_at(list, 3));
    assert_null(kane_node_at(list, -1));
    assert_null(kane_node_find(list, "a"));
    assert_null(kane_node_find(root, "A")); // case matters
    assert_ptr_equal(list->child->parent, list);
    assert_int_equal(list->child->depth, 2);
}

// An object with so many keys that comparing each with each would take minutes; the last one stands there twice.
WITH_ARENA(of_many_keys_each_is_found_once)
{
    enum { KEYS = 100000 };
    static char text[KEYS * 16];
    int length = sprintf(text, "{");
    for (int i = 0; i < KEYS; i++)
        length += sprintf(text + length, "\"k%d\":%d,", i, i);
    (void)sprintf(text + length, "\"k%d\":0}", KEYS / 2);
    const double begin    = kane_clock();
    const kane_node *root = parse(text);
    assert_true(kane_clock() - begin < 20.0); // two minutes, if each were compared with each
    assert_non_null(root);
    assert_int_equal(root->count, KEYS);
    assert_int_equal(errors->count, 1);
    assert_non_null(strstr(kane_errors_get(errors, 0)->text, "duplicate key, first given in line 1"));
    assert_true(kane_node_find(root, "k99999")->number == 99999.0);
}

WITH_ARENA(a_document_without_end_is_refused)
{
    const size_t length     = 2 * (size_t)KANE_VALUES_MOST + 1; // a list of one value too many
    CHECK_MEMORY char *text = malloc(length + 1);
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        text[i] = i % 2 ? '1' : ',';
    text[0]          = '[';
    text[length - 1] = ']';
    text[length]     = '\0';
    assert_null(kane_json_parse(arena, "f.json", text, length, errors));
    assert_string_equal(kane_errors_get(errors, 0)->text,
                        "too long: more than 4000000 values; long tables belong into CSV files");
}

// Neither a pipe nobody writes into nor a device that does not end holds up.
WITH_ARENA(what_is_no_file_is_refused)
{
    char name[] = "/tmp/kane_pipe_XXXXXX";
    assert_non_null(mkdtemp(name));
    char pipe[64];
    (void)snprintf(pipe, sizeof pipe, "%s/pipe", name);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_null(kane_json_read(arena, pipe, errors));
    assert_string_equal(kane_errors_get(errors, 0)->text, "is a pipe, socket or device; it must be a file");
    assert_null(kane_json_read(arena, "/dev/zero", errors));
    assert_null(kane_json_read(arena, name, errors));
    assert_string_equal(kane_errors_get(errors, 2)->text, "cannot be read: Is a directory");
    assert_int_equal(unlink(pipe), 0);
    assert_int_equal(rmdir(name), 0);
}

WITH_ARENA(every_value_knows_line_column_and_path)
{
    const kane_node *root = parse("{\n"
                                  "  \"bodies\": { \"body\": {\r\n"
                                  "\t\t\"mass\" :\n"
                                  " 5 } },\n"
                                  "  \"sections\": [ { \"shape\": \"\xC3\xA4\" }, [ 1,\n2 ] ] }");
    check_place(root, 1, 1, "");
    const kane_node *bodies = kane_node_find(root, "bodies"), *body = bodies->child, *mass = body->child;
    check_place(bodies, 2, 13, "bodies");
    check_place(body, 2, 23, "bodies.body");
    check_place(mass, 4, 2, "bodies.body.mass");
    assert_int_equal(kane_node_key_place(mass).line, 3);
    assert_int_equal(kane_node_key_place(mass).column, 3); // a tab is a byte
    const kane_node *sections = bodies->next;
    check_place(sections->child->child, 5, 28, "sections[0].shape");
    check_place(sections->child->next, 5, 36, "sections[1]"); // columns are bytes
    check_place(sections->child->next->child->next, 6, 1, "sections[1][1]");
    assert_int_equal(kane_node_key_place(sections->child).line, 5); // no key: the value
}

WITH_ARENA(names_that_could_be_misread_are_quoted_in_paths_and_read_back)
{
    static const struct {
        const char *key, *path;
    } rows[] = {
        {"mass", "r.mass"},
        {"flange_back", "r.flange_back"},
        {"R\xC3\xA4"
         "der",
         "r.R\xC3\xA4"
         "der"},
        {"$schema", "r.$schema"},
        {"leading axlebox", "r.\"leading axlebox\""},
        {"a.b", "r.\"a.b\""},
        {"a[0]", "r.\"a[0]\""},
        {"a=b", "r.\"a=b\""},
        {"say \"no\"", "r.\"say \\\"no\\\"\""},
        {"back\\slash", "r.\"back\\\\slash\""},
        {"two\nlines", "r.\"two\\u000alines\""},
        {"it's", "r.\"it's\""},
        {"", "r.\"\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *path = kane_path_join(arena, "r", rows[i].key, -1);
        assert_string_equal(path, rows[i].path);
        const char *at      = path;
        kane_path_step step = kane_path_next(path, &at);
        assert_int_equal(step.kind, KANE_PATH_KEY);
        assert_string_equal(step.key, "r");
        step = kane_path_next(path, &at);
        assert_int_equal(step.kind, KANE_PATH_KEY);
        assert_string_equal(step.key, rows[i].key);
        assert_int_equal(kane_path_next(path, &at).kind, KANE_PATH_END);
    }
    assert_string_equal(kane_path_join(arena, "", "mass", -1), "mass");
    assert_string_equal(kane_path_join(arena, "", NULL, 3), "[3]");
    assert_string_equal(kane_path_join(arena, "a b", NULL, 12), "a b[12]");
}

WITH_ARENA(paths_that_make_no_sense_are_refused)
{
    static const char *const rows[] = {"",       ".",     "a.",  "a..b", ".a",    "a[",     "a[]",   "a[x]",
                                       "a[1",    "a[-1]", "a]b", "\"a",  "\"a\\", "a\"b\"", "a[0]b", "[99999999999999]",
                                       "\"\\q\""};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *at      = rows[i];
        kane_path_step step = kane_path_next(rows[i], &at);
        while (step.kind == KANE_PATH_KEY || step.kind == KANE_PATH_INDEX)
            step = kane_path_next(rows[i], &at);
        assert_int_equal(step.kind, KANE_PATH_WRONG);
    }
}

WITH_ARENA(a_key_that_stands_twice_is_an_error_and_the_first_is_kept)
{
    char text[600];
    const kane_node *root = parse("{ \"a\": 1,\n \"b\": { \"c\": 1, \"c\": 2 },\n \"a\": 3, \"A\": 4 }");
    assert_non_null(root);
    assert_int_equal(errors->count, 2);
    (void)kane_error_format(kane_errors_get(errors, 0), sizeof text, text);
    assert_string_equal(text, "f.json:2:17: b.c: duplicate key, first given in line 2, column 9");
    (void)kane_error_format(kane_errors_get(errors, 1), sizeof text, text);
    assert_string_equal(text, "f.json:3:2: a: duplicate key, first given in line 1, column 3");
    assert_int_equal(root->count, 3);
    assert_true(kane_node_find(root, "a")->number == 1.0);
}

WITH_ARENA(brackets_may_be_64_deep)
{
    char text[200] = "";
    memset(text, '[', KANE_DEPTH_MOST);
    memset(text + KANE_DEPTH_MOST, ']', KANE_DEPTH_MOST);
    assert_non_null(parse(text));
    memset(text, '[', KANE_DEPTH_MOST + 1);
    memset(text + KANE_DEPTH_MOST + 1, ']', KANE_DEPTH_MOST + 1);
    assert_null(parse(text));
}

WITH_ARENA(a_large_list_is_read_quickly)
{
    enum { N = 200000 };
    char *text = test_malloc(8 * N + 16);
    size_t n   = (size_t)sprintf(text, "[");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "%s%d", i ? "," : "", i);
    (void)sprintf(text + n, "]");
    const kane_node *list = parse(text);
    assert_non_null(list);
    assert_int_equal(list->count, N);
    assert_true(list->last->number == N - 1);
    assert_string_equal(list->last->place.path, "[199999]");
    test_free(text);
}

WITH_ARENA(a_file_is_read_like_a_text)
{
    static const char text[] = "{ \"mass\": 5 }";
    char name[]              = "/tmp/kane_test_json_XXXXXX";
    const int descriptor     = mkstemp(name);
    FILE *file               = fdopen(descriptor, "w");
    assert_non_null(file);
    for (int i = 0; i < 40000; i++) // longer than one piece of reading
        assert_true(fputs("                 \n", file) >= 0);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    const kane_node *root = kane_json_read(arena, name, errors);
    assert_int_equal(remove(name), 0);
    assert_non_null(root);
    assert_string_equal(root->place.file, name);
    assert_int_equal(root->child->place.line, 40001);
    assert_int_equal(root->child->place.column, 11);
}

WITH_ARENA(a_value_from_outside_is_json_or_a_text)
{
    const kane_place place = {.file = "--set a=...", .path = "a"};
    kane_node *node;
    assert_int_equal(kane_json_value(arena, "5e3", place, "a", 1, &node, errors), KANE_OK);
    assert_int_equal(node->kind, KANE_NODE_NUMBER);
    assert_int_equal(kane_json_value(arena, "25 mm", place, "a", 1, &node, errors), KANE_OK);
    assert_int_equal(node->kind, KANE_NODE_TEXT);
    assert_string_equal(node->text, "25 mm");
    assert_int_equal(kane_json_value(arena, "", place, "a", 1, &node, errors), KANE_OK);
    assert_string_equal(node->text, "");
    assert_int_equal(kane_json_value(arena, "\"5\"", place, "a", 1, &node, errors), KANE_OK);
    assert_int_equal(node->kind, KANE_NODE_TEXT);
    assert_int_equal(kane_json_value(arena, " [1, {\"b\": 2}]", place, "a", 1, &node, errors), KANE_OK);
    assert_int_equal(node->kind, KANE_NODE_LIST);
    assert_string_equal(node->last->child->place.path, "a[1].b");
    assert_string_equal(node->last->child->place.file, "--set a=...");
    assert_int_equal(node->last->child->place.line, 0);
    assert_int_equal(node->last->child->depth, 3);
    assert_int_equal(errors->count, 0);
    assert_int_equal(kane_json_value(arena, "{\"b\": }", place, "a", 1, &node, errors), KANE_BAD_INPUT);
    assert_null(node);
    assert_int_equal(errors->count, 1);
}

CHECK_MAIN(NULL, NULL)
