// SPDX-License-Identifier: MIT
// A key or a value with its name before the first release: an error with the new name, at its place, where the object
// knows that name.

#include "sample.h"
#include "unit/base/fixture.h"

typedef struct settings {
    kane_block block;
    double atol_velocity;
} settings;

typedef struct wheels {
    kane_block block;
    kane_vec3 orientation;
    int model;
    settings part;
} wheels;

static const char *const models[] = {"elastic", "table", NULL};

static const kane_key settings_keys[] = {
    KANE_KEY(settings, atol_velocity, NUMBER, OPTIONAL, NULL, "m/s", POSITIVE, NULL, "tolerance"),
};
static const kane_schema settings_schema = KANE_SCHEMA(settings, "settings", settings_keys, "Settings.");

static const kane_key wheels_keys[] = {
    KANE_KEY(wheels, orientation, VECTOR, OPTIONAL, NULL, "rad", ANY, NULL, "of its axes"),
    KANE_KEY(wheels, model, CHOICE, OPTIONAL, NULL, NULL, ANY, models, "model of contact"),
    KANE_KEY_NAMED(wheels, part, "integrator", OBJECT, OPTIONAL, NULL, NULL, ANY, &settings_schema, "settings"),
};
static const kane_schema wheels_schema = KANE_SCHEMA(wheels, "wheels", wheels_keys, "Wheels.");

static const kane_format wheels_format   = {"wheels", 1, 1, &wheels_schema};
static const kane_formats wheels_formats = {&wheels_format, 1};

// Reads a text after settings; all messages must be these.
static void check_messages(const char *text, const char *const *set, const char *expected)
{
    char list[2048];
    kane_reader reader = {.arena = arena, .errors = errors};
    kane_node *root    = kane_document_parse(arena, "w.json", text, strlen(text), set, errors);
    const void *read   = root ? kane_document_read(&reader, root, wheels_formats, "wheels", NULL) : NULL;
    assert_int_equal(read == NULL, expected[0] != '\0');
    sample_list(errors, sizeof list, list);
    assert_string_equal(list, expected);
}

WITH_ARENA(an_old_key_is_an_error_with_the_new_one)
{
    check_messages("{ \"kane\": \"wheels 1\",\n  \"way\": \"elastic\",\n  \"integrator\": { \"speed\": 1 } }", NULL,
                   "w.json:2:3: way: is called 'model' now\n"
                   "w.json:3:19: integrator.speed: is called 'atol_velocity' now");
}

WITH_ARENA(of_two_new_names_the_object_says_which_is_meant)
{
    check_messages("{ \"kane\": \"wheels 1\", \"turned\": [0, 0, 1] }", NULL,
                   "w.json:1:23: turned: is called 'orientation' now");
}

WITH_ARENA(an_old_value_is_an_error_with_the_new_one)
{
    check_messages("{ \"kane\": \"wheels 1\", \"model\": \"tables\" }", NULL,
                   "w.json:1:32: model: 'tables' is called 'table' now");
}

WITH_ARENA(a_setting_with_an_old_key_is_an_error_at_the_setting)
{
    static const char *const set[] = {"integrator.speed=1", NULL};
    check_messages("{ \"kane\": \"wheels 1\" }", set,
                   "--set integrator.speed=1: integrator.speed: is called 'atol_velocity' now");
}

WITH_ARENA(an_old_name_is_unknown_where_the_new_one_is)
{
    check_messages(
        "{ \"kane\": \"wheels 1\", \"longest_step\": 1, \"model\": \"own\" }", NULL,
        "w.json:1:23: longest_step: unknown key; known: orientation, model, integrator, kane, $schema, patterns\n"
        "w.json:1:51: model: 'own' is not known; known: elastic, table");
}

WITH_ARENA(new_names_are_read)
{
    check_messages("{ \"kane\": \"wheels 1\", \"model\": \"table\", \"orientation\": [0, 0, 1],"
                   " \"integrator\": { \"atol_velocity\": 1 } }",
                   NULL, "");
}

CHECK_MAIN(NULL, NULL)
