// SPDX-License-Identifier: MIT
// JSON as it is written: escapes, numbers that come back unchanged, nesting.

#include "unit/base/fixture.h"

#include "base/json.h"

WITH_ARENA(json_is_written_as_it_was_meant)
{
    FILE *file = tmpfile();
    char text[1000];
    kane_writer w = kane_writer_start(file);
    kane_writer_open(&w, NULL, '{');
    kane_writer_text(&w, "a \"quoted\" key", "tab\t line\n \x01 \xC3\xA4 \xFF \\");
    kane_writer_number(&w, "third", 1.0 / 3.0);
    kane_writer_number(&w, "none", (double)NAN);
    kane_writer_count(&w, "count", -12345678901ll);
    kane_writer_switch(&w, "on", 1);
    kane_writer_row(&w, "row");
    kane_writer_number(&w, NULL, 1.0);
    kane_writer_number(&w, NULL, 2.5);
    kane_writer_close(&w);
    kane_writer_open(&w, "list", '[');
    kane_writer_open(&w, NULL, '{');
    kane_writer_close(&w);
    kane_writer_json(&w, NULL, "[true]");
    kane_writer_close(&w);
    kane_writer_close(&w);
    assert_int_equal(kane_writer_end(&w), KANE_OK);
    rewind(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length]        = '\0';
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, "{\n"
                              "  \"a \\\"quoted\\\" key\": \"tab\\t line\\n \\u0001 \xC3\xA4 \xEF\xBF\xBD \\\\\",\n"
                              "  \"third\": 0.3333333333333333,\n"
                              "  \"none\": null,\n"
                              "  \"count\": -12345678901,\n"
                              "  \"on\": true,\n"
                              "  \"row\": [1, 2.5],\n"
                              "  \"list\": [\n"
                              "    {},\n"
                              "    [true]\n"
                              "  ]\n"
                              "}\n");
    assert_true(kane_node_find(kane_json_parse(arena, "w", text, strlen(text), errors), "third")->number == 1.0 / 3.0);
}

CHECK_MAIN(NULL, NULL)
