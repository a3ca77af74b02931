// SPDX-License-Identifier: MIT
// The examples of docs/formats.md: the good ones run, the bad one gives the messages that stand there.

#include "runs.h"
#include "models.h"

#include "base/unit.h"
#include "unit/run/documents.h"

#include <sys/stat.h>
#include <unistd.h>

static documents shown;

CHECK_TEST(the_run_can_be_integrated)
{
    CHECK_OWNED(kane_run) *run      = run_read("run.json", NULL);
    const kane_run_definition *d    = kane_run_get_definition(run);
    CHECK_OWNED(kane_model) *model  = run_model(d);
    CHECK_OWNED(kane_simulation) *s = run_simulation(model, d);
    CHECK_OWNED(kane_channels) *channels =
        CHECK_GOOD(kane_channels_create, s, d->output.pattern_count, d->output.patterns, d->output.places);
    assert_true(kane_channels_count(channels) > 0);
    assert_int_equal(CHECK_GOOD(kane_simulation_advance, s, 1000.0), KANE_OK);
    assert_int_equal(kane_simulation_stop(s), KANE_STOP_DISTANCE);

    // what the page says of the variant, of mirrored elements and of the speed
    check_near(d->vehicle->bodies[0].mass, 30000.0, 0.0);
    check_near(d->vehicle->bodies[0].position.z, 1.7, 0.0);
    assert_string_equal(d->vehicle->elements[0].block.name, "front left");
    assert_string_equal(d->vehicle->elements[1].block.name, "front right");
    double at, speed, acceleration;
    kane_get_travel(kane_simulation_work(s), &at, &speed, &acceleration);
    check_near(speed, 40.0 / 3.6, 1e-9);
}

CHECK_TEST(the_mistakes_are_reported_as_shown)
{
    static char found[4096];
    CHECK_ERRORS errors = {0};
    assert_null(kane_vehicle_read("mistakes.json", NULL, &errors));
    errors_text(&errors, sizeof found - 1, found);
    (void)strcat(found, "\n");
    assert_string_equal(found, content("mistakes.txt"));
}

// The train, with the vehicle file that it names.
CHECK_TEST(the_train_is_a_train)
{
    write_file("two-axle-wagon.json", content(KANE_SOURCE_DIR "/vehicles/two-axle-wagon.json"));
    CHECK_OWNED(kane_vehicle) *v = CHECK_GOOD(kane_vehicle_read, "hundred.json", NULL);
    assert_int_equal(kane_vehicle_get_definition(v)->body_count, 300);
    assert_int_equal(kane_vehicle_get_definition(v)->element_count, 400 + 99);
}

// Every text in quotes in the table of quantities is one; so is every unit in the list below it.
CHECK_TEST(the_units_are_units)
{
    char reason[200];
    int count        = 0;
    const char *page = content(KANE_SOURCE_DIR "/docs/formats.md");
    const char *at = strstr(page, "| a | such as |"), *end = strstr(page, "\n\nUnits are");
    assert_true(at && end && at < end);
    for (; (at = strstr(at, "`\"")) != NULL && at < end; at += 2) {
        char text[32];
        kane_unit unit;
        (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(at + 2, "\""), at + 2);
        const size_t number = strspn(text, "0123456789./:");
        kane_text fault     = kane_text_start(sizeof reason, reason);
        if (text[number] && !kane_unit_parse(text + number + strspn(text + number, " "), &unit, &fault))
            fail_msg("docs/formats.md: '%s': %s", text, reason);
        count++;
    }
    assert_true(count > 15);
    count = 0;
    for (const char *p = strstr(end, "powers of ") + 10; *p != '.'; p += strcspn(p, " ,.\n"), p += strspn(p, " ,\n")) {
        kane_unit unit;
        if (strncmp(p, "with", 4) == 0) // "with the prefixes of SI, and of"
            p = strstr(p, "and of ") + 7;
        if (!kane_unit_named(p, strcspn(p, " ,.\n"), &unit))
            fail_msg("docs/formats.md: '%.*s' is no unit", (int)strcspn(p, " ,.\n"), p);
        count++;
    }
    assert_int_equal(count, 27);
}

static int begin(void **state)
{
    (void)state;
    return documents_enter(&shown, "docs/formats.md");
}

CHECK_MAIN(begin, leave_folder)
