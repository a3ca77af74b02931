// SPDX-License-Identifier: MIT
// The tables of vehicle, mechanism, track and run files: they are right in themselves, and the JSON schemas made from
// them accept what libkane ships and what its pages show, and refuse what is broken.

#include "models.h"

#include "base/json.h"
#include "base/schema.h"
#include "run/run_file.h"
#include "track/track_file.h"
#include "unit/base/validator.h"
#include "unit/run/documents.h"
#include "vehicles/vehicle_file.h"

#include <dirent.h>
#include <unistd.h>

enum { VEHICLE, MECHANISM, TRAIN, TRACK, RUN, KINDS };
static const char *const kinds[KINDS] = {"vehicle", "mechanism", "train", "track", "run"};

static kane_arena *arena;
static kane_grammar grammars[KINDS];
static const kane_node *schemas[KINDS];
static kane_errors errors;

CHECK_TEST(the_tables_are_right)
{
    for (int k = 0; k < KINDS; k++)
        assert_int_equal(kane_schema_check(&grammars[k], &errors), KANE_OK);
    check_no_errors(&errors);
}

// Every value below a schema: its keywords are known and its references lead somewhere.
static void check_keywords(const kane_node *root, const kane_node *schema)
{
    static const char *const of_schemas[] = {"items", "not", "if", "then", "additionalProperties"};
    for (const kane_node *k = schema->child; k; k = k->next) {
        const int is_map  = strcmp(k->key, "properties") == 0 || strcmp(k->key, "definitions") == 0;
        const int is_list = strcmp(k->key, "anyOf") == 0 || strcmp(k->key, "allOf") == 0;
        if (!validator_knows(k->key))
            fail_msg("%s is no keyword of a JSON schema", k->key);
        if (strcmp(k->key, "$ref") == 0)
            assert_non_null(validator_resolve(root, k->text));
        for (const kane_node *c = is_map || is_list ? k->child : NULL; c; c = c->next)
            check_keywords(root, c);
        for (size_t i = 0; i < sizeof of_schemas / sizeof *of_schemas; i++)
            if (strcmp(k->key, of_schemas[i]) == 0)
                check_keywords(root, k);
    }
}

CHECK_TEST(the_schemas_are_of_draft_7)
{
    for (int k = 0; k < KINDS; k++) {
        assert_string_equal(kane_node_find(schemas[k], "$schema")->text, "http://json-schema.org/draft-07/schema#");
        check_keywords(schemas[k], schemas[k]);
    }
}

static const kane_node *open_file(const char *name)
{
    return CHECK_GOOD(kane_json_read, arena, name);
}

// Does a document obey the schema of the kind that it says it is of?
static int obeys(const kane_node *document)
{
    const char *kane = kane_node_find(document, "kane")->text;
    for (int k = 0; k < KINDS; k++)
        if (strncmp(kane, kinds[k], strlen(kinds[k])) == 0)
            return validator_obeys(schemas[k], schemas[k], document);
    fail_msg("'%s' is no kind of file", kane);
    return 0;
}

// "$schema" of a file that libkane ships leads to the schema of its kind, in the source tree and where it is installed:
// vehicles and data stand beside each other in both.
static void check_link(const char *place, const char *name, const kane_node *root)
{
    const kane_node *link = kane_node_find(root, "$schema");
    const char *kane      = kane_node_find(root, "kane")->text;
    char target[1024], kind[32];
    if (!link)
        fail_msg("%s/%s does not name its schema, such as \"$schema\": \"../schemas/track-1.json\"", place, name);
    (void)snprintf(kind, sizeof kind, "/%.*s-%s.json", (int)strcspn(kane, " "), kane, kane + strcspn(kane, " ") + 1);
    (void)snprintf(target, sizeof target, "%s/%s/%s", KANE_SOURCE_DIR, place, link->text);
    if (access(target, R_OK) != 0 || !strstr(link->text, kind) || strncmp(link->text, "../", 3) != 0)
        fail_msg("%s/%s: \"$schema\": '%s' does not lead to the schema of its kind", place, name, link->text);
}

CHECK_TEST(what_is_shipped_obeys_and_finds_its_schema)
{
    static const char *const folders[] = {"vehicles", "data/mechanisms", "data/tracks", "data/runs"};
    for (int i = 0; i < 4; i++) {
        char name[1024];
        int count = 0;
        (void)snprintf(name, sizeof name, "%s/%s", KANE_SOURCE_DIR, folders[i]);
        DIR *place = opendir(name);
        assert_non_null(place);
        for (const struct dirent *entry; (entry = readdir(place)) != NULL;) {
            if (!strstr(entry->d_name, ".json"))
                continue;
            (void)snprintf(name, sizeof name, "%s/%s/%.200s", KANE_SOURCE_DIR, folders[i], entry->d_name);
            const kane_node *root = open_file(name);
            if (!obeys(root))
                fail_msg("%s does not obey its schema", name);
            check_link(folders[i], entry->d_name, root);
            count++;
        }
        (void)closedir(place);
        assert_true(count > 0);
    }
}

CHECK_TEST(what_the_pages_show_obeys_and_mistakes_do_not)
{
    documents shown;
    int good = 0;
    assert_int_equal(documents_enter(&shown, "docs/formats.md"), 0);
    for (int i = 0; i < shown.count; i++) {
        if (!strstr(shown.names[i], ".json"))
            continue;
        const int wanted = strcmp(shown.names[i], "mistakes.json") != 0;
        if (obeys(open_file(shown.names[i])) != wanted)
            fail_msg("the schema is wrong about %s", shown.names[i]);
        good += wanted;
    }
    assert_true(good >= 3);
    assert_int_equal(leave_folder(state), 0);
}

CHECK_TEST(what_is_broken_is_refused)
{
    static const struct {
        const char *file, *set;
        int good; // a change that must be accepted, so that a refusal is one of the change
    } rows[] = {
        {"vehicles/two-axle-wagon.json", "gravity=9.8", 1},
        {"vehicles/two-axle-wagon.json", "gravity=\"9.8 m/s^2\"", 1},
        {"vehicles/two-axle-wagon.json", "gravity=-1", 0},
        {"vehicles/two-axle-wagon.json", "gravity=\"-9.8 m/s^2\"", 0},
        {"vehicles/two-axle-wagon.json", "gravity=\"fast\"", 0},
        {"vehicles/two-axle-wagon.json", "gravty=9.8", 0},
        {"vehicles/two-axle-wagon.json", "kane=\"vehicle 2\"", 0},
        {"vehicles/two-axle-wagon.json", "bodies.body.mass=[1]", 0},
        {"vehicles/two-axle-wagon.json", "bodies.body.at=[0, 0]", 0},
        {"vehicles/two-axle-wagon.json", "bodies.body={ \"mass\": 1, \"at\": [0, 0, 1] }", 0},
        {"vehicles/two-axle-wagon.json", "wheelsets.leading.profile=1003", 0},
        {"vehicles/two-axle-wagon.json", "elements.\"leading axlebox\".law=\"spring\"", 1}, // its keys come from "like"
        {"vehicles/two-axle-wagon.json", "elements.x={ \"law\": \"bump stop\" }", 0},
        {"vehicles/two-axle-wagon.json", "elements.\"leading axlebox\".mirror=\"yes\"", 0},
        {"vehicles/two-axle-wagon.json", "variants.light=[\"bodies.body.mass=1\"]", 1},
        {"data/mechanisms/four-bar.json", "gravity=\"9.8 m/s^2\"", 1},
        {"data/mechanisms/four-bar.json", "guide=\"crank\"", 0},
        {"data/mechanisms/four-bar.json", "wheelsets={}", 0},
        {"data/mechanisms/four-bar.json", "bodies.crank.joint.type=\"prismatic\"", 1},
        {"data/mechanisms/four-bar.json", "bodies.crank.joint.type=\"hinge\"", 0},
        {"data/mechanisms/four-bar.json", "bodies.crank.joint={}", 0},
        {"data/mechanisms/four-bar.json", "bodies.crank.joint.axis=[0, 1]", 0},
        {"data/mechanisms/four-bar.json", "bodies.crank.joint.motion={ \"angle\": { \"polynomial\": [1] } }", 1},
        {"data/mechanisms/four-bar.json", "bodies.crank.joint.motion={ \"angel\": { \"polynomial\": [1] } }", 0},
        {"data/mechanisms/four-bar.json", "bodies.crank.start={ \"angle\": \"30 deg\", \"rates\": { \"angle\": 1 } }",
         1},
        {"data/mechanisms/four-bar.json", "bodies.crank.start.rates.angel=1", 0},
        {"data/mechanisms/four-bar.json",
         "constraints.x={ \"type\": \"linear\", \"terms\": [{ \"body\": \"crank\" }] }", 1},
        {"data/mechanisms/four-bar.json", "constraints.x={ \"type\": \"linear\", \"terms\": [{ \"factor\": 1 }] }", 0},
        {"data/tracks/short-transition.json", "sections[1].shape=\"cosine\"", 1},
        {"data/tracks/short-transition.json", "sections[1].shape=\"cosinus\"", 0},
        {"data/tracks/short-transition.json", "sections[1].to.radius=\"straight\"", 0},
        {"data/tracks/short-transition.json", "sections[0].straight=0", 0},
        {"data/tracks/short-transition.json", "sections={}", 0},
        {"data/tracks/short-transition.json", "rail.inclination=\"1:20\"", 1},
        {"data/tracks/short-transition.json", "rail.inclination=null", 0},
        {"data/runs/wagon-driven.json", "form=\"multipliers\"", 1},
        {"data/runs/wagon-driven.json", "form=\"lagrange\"", 0},
        {"data/runs/wagon-driven.json", "integrator={ \"order\": 3 }", 1},
        {"data/runs/wagon-driven.json", "integrator={ \"order\": 2.5 }", 0},
        {"data/runs/wagon-driven.json", "integrator={ \"method\": \"euler\" }", 0},
        {"data/runs/wagon-driven.json", "output.channels=\"*\"", 0},
        {"data/runs/wagon-driven.json", "output.channels=[\"*\", 1]", 0},
        {"data/runs/wagon-driven.json", "drive.coupling.kind=\"push\"", 0},
        {"data/runs/wagon-driven.json", "track=1", 0},
        {"data/runs/wagon-driven.json", "start={}", 0},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[1024];
        (void)snprintf(name, sizeof name, "%s/%s", KANE_SOURCE_DIR, rows[i].file);
        kane_node *root = kane_json_read(arena, name, &errors);
        assert_int_equal(kane_json_assign(arena, root, rows[i].set, &errors), KANE_OK);
        if (obeys(root) != rows[i].good) {
            print_error("%s with %s is %s by the schema\n", rows[i].file, rows[i].set,
                        rows[i].good ? "refused" : "accepted");
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static int begin(void **state)
{
    const kane_format *const formats[KINDS] = {&kane_vehicle_formats.formats[0], &kane_vehicle_formats.formats[1],
                                               &kane_vehicle_formats.formats[2], &kane_track_formats.formats[0],
                                               &kane_run_formats.formats[0]};
    (void)state;
    arena                       = kane_arena_create();
    const kane_options *choices = arena ? kane_vehicle_choices(arena, NULL, NULL, NULL) : NULL;
    for (int k = 0; choices && k < KINDS; k++) {
        char *text  = NULL;
        size_t size = 0;
        FILE *file  = open_memstream(&text, &size);
        grammars[k] = (kane_grammar){formats[k], choices, k <= TRAIN ? KANE_VEHICLE_CHOICES : 0};
        if (!file || kane_schema_write(&grammars[k], file) != KANE_OK || fclose(file) != 0)
            return -1;
        schemas[k] = kane_json_parse(arena, kinds[k], text, size, &errors);
        free(text);
        if (!schemas[k])
            return -1;
    }
    return choices ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    kane_arena_free(arena);
    return 0;
}

CHECK_MAIN(begin, end)
