// SPDX-License-Identifier: MIT
// Train files: what they become, and broken ones, each with its whole message and its place. A row takes the good files
// below and exchanges one piece of text in one of them.

#include "folder.h"
#include "unit/run/typed.h"

#include "models.h"

#include <sys/stat.h>
#include <unistd.h>

static const char vehicle[] =
    "{ \"kane\": \"vehicle 1\", \"name\": \"cart\", \"reference_body\": \"body\",\n"
    "  \"bodies\": { \"body\": { \"mass\": \"34 t\", \"inertia\": [5e4, 4.5e5, 4.5e5], \"at\": [0, 0, 1.6] } },\n"
    "  \"wheelsets\": { \"leading\": { \"mass\": 1250, \"inertia\": [800, 100, 800], \"radius\": 0.46, \"at\": 4.5 },\n"
    "    \"trailing\": { \"mass\": 1250, \"inertia\": [800, 100, 800], \"radius\": 0.46, \"at\": -4.5 } },\n"
    "  \"elements\": {\n"
    "    \"front\": { \"law\": \"bushing\", \"between\": [\"body\", \"leading\"], \"at\": [4.5, 1, 0.46], \"mirror\": true,\n"
    "      \"stiffness\": [3e6, 1.5e6, 1.2e6], \"damping\": [2e4, 2e4, 2e4] },\n"
    "    \"rear\": { \"law\": \"bushing\", \"between\": [\"body\", \"trailing\"], \"at\": [-4.5, 1, 0.46], \"mirror\": true,\n"
    "      \"stiffness\": [3e6, 1.5e6, 1.2e6] } },\n"
    "  \"variants\": { \"empty\": [\"bodies.body.mass = 9 t\"] } }\n";

static const char train[] =
    "{ \"kane\": \"train 1\", \"reference_vehicle\": \"loco\",\n"
    "  \"vehicles\": {\n"
    "    \"loco\": { \"file\": \"v.json\", \"length\": 12, \"settings\": [\"bodies.body.mass = 40 t\"] },\n"
    "    \"cart\": { \"file\": \"v.json\", \"length\": 12, \"count\": 2, \"front\": \"body\" },\n"
    "    \"last\": { \"file\": \"v.json\", \"length\": 12, \"variant\": \"empty\", \"reversed\": true } },\n"
    "  \"couplers\": {\n"
    "    \"drawbar\": { \"law\": \"spring\", \"height\": 1, \"length\": 0.5, \"stiffness\": 5e6, \"between\": [\"cart\", \"cart\"] },\n"
    "    \"buffer\": { \"law\": \"bushing\", \"height\": 1, \"y\": 0.9, \"mirror\": true, \"stiffness\": [2e6, 0, 0] } },\n"
    "  \"variants\": { \"long\": [\"vehicles.cart.count = 3\"] } }\n";

static const char run[] =
    "{ \"kane\": \"run 1\", \"vehicle\": \"train.json\", \"track\": \"t.json\",\n"
    "  \"start\": { \"at\": 60, \"speed\": \"54 km/h\" }, \"until\": { \"distance\": 100 },\n"
    "  \"omit\": [\"cart 1 *:force.rotation.y\"], \"output\": { \"channels\": [\"last body.*\"] } }\n";

static const char track[] = "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 200 } ] }\n";

typedef enum document { VEHICLE, TRAIN, RUN, DOCUMENTS } document;

static const struct {
    document document;
    const char *find, *replace, *message;
} rows[] = {
#include "unit/run/broken_trains.inc"
};

static void write_good(void)
{
    write_file("v.json", vehicle);
    write_file("train.json", train);
    write_file("r.json", run);
    write_file("t.json", track);
}

CHECK_TEST(every_broken_train_gives_its_message)
{
    static const char *const names[DOCUMENTS] = {"v.json", "train.json", "r.json"};
    const char *const good[DOCUMENTS]         = {vehicle, train, run};
    static char text[8192], all[8192];
    int bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_good();
        exchange(good[rows[i].document], rows[i].find, rows[i].replace, sizeof text, text);
        write_file(names[rows[i].document], text);
        collect_errors(NULL, 1, sizeof all, all);
        if (strcmp(all, rows[i].message) != 0) {
            print_error("--- row %zu: %s\nexpected: %s\nfound:    %s\n", i, rows[i].replace, rows[i].message, all);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
    assert_true(sizeof rows / sizeof *rows >= 20);
}

CHECK_TEST(the_good_files_are_good)
{
    static char all[8192];
    write_good();
    collect_errors(NULL, 1, sizeof all, all);
    assert_string_equal(all, "");
}

// --- what a train becomes ---

static kane_vehicle *read_train(const kane_vehicle_options *how)
{
    write_good();
    kane_vehicle *v = CHECK_GOOD(kane_vehicle_read, "train.json", how);
    assert_non_null(v);
    return v;
}

static const kane_body_definition *body_named(const kane_vehicle_definition *d, const char *name)
{
    for (int j = 0; j < d->body_count; j++)
        if (strcmp(d->bodies[j].block.name, name) == 0)
            return &d->bodies[j];
    fail_msg("there is no body '%s'", name);
    return NULL;
}

static const kane_element_definition *element_named(const kane_vehicle_definition *d, const char *name)
{
    for (int e = 0; e < d->element_count; e++)
        if (strcmp(d->elements[e].block.name, name) == 0)
            return &d->elements[e];
    fail_msg("there is no element '%s'", name);
    return NULL;
}

// Coupling face on coupling face, the first vehicle where it is drawn; settings and variants of each.
CHECK_TEST(vehicles_stand_one_behind_the_other)
{
    CHECK_OWNED(kane_vehicle) *v     = read_train(NULL);
    const kane_vehicle_definition *d = kane_vehicle_get_definition(v);
    assert_int_equal(d->body_count, 12);
    assert_int_equal(d->element_count, 4 * 4 + 1 + 3 * 2);
    assert_string_equal(d->guide, "loco body");
    check_near(body_named(d, "loco body")->position.x, 0.0, 0.0);
    check_near(body_named(d, "cart 1 body")->position.x, -12.0, 0.0);
    check_near(body_named(d, "cart 2 leading")->position.x, -24.0 + 4.5, 1e-14);
    check_near(body_named(d, "last leading")->position.x, -36.0 - 4.5, 1e-14);
    check_near(body_named(d, "loco body")->mass, 40e3, 0.0);
    check_near(body_named(d, "cart 2 body")->mass, 34e3, 0.0);
    check_near(body_named(d, "last body")->mass, 9e3, 0.0);
    const char *const *parts = kane_vehicle_get_parts(v);
    assert_string_equal(parts[0], "v.json");
    assert_null(parts[1]);
}

// Its left element is on the right, its axes are turned; its law sees it as before.
CHECK_TEST(a_turned_vehicle_is_turned_by_half)
{
    CHECK_OWNED(kane_vehicle) *v     = read_train(NULL);
    const kane_vehicle_definition *d = kane_vehicle_get_definition(v);
    const kane_element_definition *e = element_named(d, "last front left");
    check_vec3(e->at[0], kv3(-36.0 - 4.5, -1.0, 0.46), 1e-14);
    check_mat3(e->axes, km3_diag(-1.0, -1.0, 1.0), 0.0);
    assert_int_equal(e->mirrored, 0);
    assert_string_equal(e->between[1], "last leading");
    assert_int_equal(element_named(d, "last front right")->mirrored, 1);
}

// The middle between its faces is not where it is drawn, and its ends change places.
CHECK_TEST(a_turned_vehicle_has_its_rear_in_front)
{
    static const char *const settings[] = {"vehicles.last.middle=0.5", "vehicles.last.front=leading",
                                           "vehicles.last.rear=trailing", NULL};
    const kane_vehicle_options how      = {.settings = settings};
    CHECK_OWNED(kane_vehicle) *v        = read_train(&how);
    const kane_vehicle_definition *d    = kane_vehicle_get_definition(v);
    check_near(body_named(d, "last body")->position.x, -36.0 + 0.5, 1e-14);
    check_near(body_named(d, "last leading")->position.x, -36.0 + 0.5 - 4.5, 1e-14);
    assert_string_equal(element_named(d, "buffer 3 left")->between[1], "last trailing");
}

CHECK_TEST(couplers_join_neighbours)
{
    CHECK_OWNED(kane_vehicle) *v     = read_train(NULL);
    const kane_vehicle_definition *d = kane_vehicle_get_definition(v);
    const kane_element_definition *e = element_named(d, "drawbar 2");
    assert_string_equal(e->between[0], "cart 1 body");
    assert_string_equal(e->between[1], "cart 2 body");
    check_vec3(e->at[0], kv3(-18.0 + 0.25, 0.0, 1.0), 1e-14);
    check_vec3(e->at[1], kv3(-18.0 - 0.25, 0.0, 1.0), 1e-14);
    const kane_element_definition *buffer = element_named(d, "buffer 3 right");
    check_vec3(buffer->at[0], kv3(-30.0, -0.9, 1.0), 1e-14);
    assert_int_equal(buffer->mirrored, 1);
    assert_int_equal(buffer->preload, KANE_PRELOAD_GIVEN);
    assert_string_equal(buffer->between[1], "last body");
}

// From outside: into the train, and through it into the file of one of its vehicles; variants first.
CHECK_TEST(settings_reach_into_vehicles)
{
    static const char *const settings[] = {"vehicle.vehicles.cart.file.bodies.body.mass=20 t",
                                           "train.vehicles.loco.length=14", "vehicles.cart.count=4",
                                           "reference_vehicle=cart 2", NULL};
    const kane_vehicle_options how      = {.variant = "long", .settings = settings};
    CHECK_OWNED(kane_vehicle) *v        = read_train(&how);
    const kane_vehicle_definition *d    = kane_vehicle_get_definition(v);
    assert_int_equal(d->body_count, 18);
    assert_string_equal(d->guide, "cart 2 body");
    check_near(body_named(d, "cart 4 body")->mass, 20e3, 0.0);
    check_near(body_named(d, "loco body")->mass, 40e3, 0.0);
    check_near(body_named(d, "cart 1 body")->position.x, -13.0, 0.0);
}

// Variants are set before one of them is chosen, whatever the order.
CHECK_TEST(variants_can_be_set)
{
    static const char *const settings[][3] = {
        {"variants.long=[\"vehicles.cart.count=5\"]", NULL},
        {"vehicles.loco.length=14", "train.\"variants\" = {\"long\": [\"vehicles.cart.count=5\"]}", NULL},
        {"vehicles.cart.count=5", "variants.long=[\"vehicles.cart.count=4\"]", NULL}}; // the other one comes last
    for (int i = 0; i < 3; i++) {
        const kane_vehicle_options how = {.variant = "long", .settings = settings[i]};
        CHECK_OWNED(kane_vehicle) *v   = read_train(&how);
        assert_int_equal(kane_vehicle_get_definition(v)->body_count, 3 * (1 + 5 + 1));
    }
}

CHECK_TEST(broken_settings_say_what_was_typed)
{
    static const struct {
        const char *setting, *message;
    } cases[] = {
        {"vehicle.vehicles.cart.file.bodies.bodi.mass=20 t",
         "--set vehicle.vehicles.cart.file.bodies.bodi.mass=20 t: bodies: there is no 'bodi' here; did you mean 'body'? "
         "known: body"},
        {"vehicle.vehicles.card.file.bodies.body.mass=20 t",
         "--set vehicle.vehicles.card.file.bodies.body.mass=20 t: vehicles: no vehicle is called 'card'; did you mean "
         "'cart'? known: loco, cart, last"},
        {"vehicle.variants.short=5",
         "--set vehicle.variants.short=5: variants.short: found the number 5, expected a list of settings such as "
         "[\"bodies.body.mass=9 t\"]"},
        {"vehicle.vehicles.cart.cont=2", "train.json:4:13: vehicles.cart.cont: unknown key; did you mean 'count'?"},
        {"vehicle.vehicles.cart.count=-2",
         "--set vehicle.vehicles.cart.count=-2: vehicles.cart.count: -2 is out of range, must be positive"},
        {"vehicle.vehicles.cart.count=2000",
         "--set vehicle.vehicles.cart.count=2000: vehicles.cart.count: 2000 of these make the train longer than 1000 "
         "vehicles"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char all[8192];
        const char *const settings[] = {cases[i].setting, NULL};
        write_good();
        collect_errors(settings, 1, sizeof all, all);
        if (i == 3) { // the key was typed outside of the file: its place is the setting
            assert_non_null(strstr(all, "unknown key; did you mean 'count'?"));
            continue;
        }
        assert_string_equal(all, cases[i].message);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
