// SPDX-License-Identifier: MIT
// kane fmu: units are imported as the standard says it and do in co-simulation what the run does; what they refuse;
// that several live side by side and leave nothing. Model exchange: test_fmu_exchange.c.
//
// KANE_FMI names a folder with the standard's schemas and headers, those of FMI 2.0 in its folder 2, of FMI 3.0 in 3
// (or without the variable: ../shared/reference/fmi beside the repository); with them they are compared.

#include "runs.h"
#include "folder.h"
#include "importer.h"

#include <kane/kane.h>

#include <sys/resource.h>

#define COACH    "data/runs/coach-curve.json"
#define FEVE     "data/runs/feve-curve.json"
#define FOUR_BAR "data/runs/mechanism-four-bar.json"
#define SKYHOOK  "data/runs/coach-skyhook.json"
#define WAGON    "data/runs/wagon-transition.json"

static const char *const versions[] = {"2", "3"};

// --- what a unit does ---

// The rows of the run are what the unit shows at the same times, within ten times the tolerances of the integration.
static void check_run(const char *version, const char *run, const char *pattern, const char *setting, int steps,
                      double interval)
{
    kane_outcome outcome;
    int ended;
    assert_int_equal(CALL("fmu", run, "-f", version, "-o", "unit.fmu", "-c", pattern, "-s", setting), 0);
    const CHECK_FREED(importer) m   = import("unit.fmu", "unit");
    const char *const settings[]    = {setting, NULL};
    CHECK_OWNED(kane_run) *r        = run_read(run, settings);
    CHECK_OWNED(kane_results) *rows = CHECK_GOOD(kane_run_to_memory, kane_run_get_definition(r), 1, &pattern, &outcome);
    void *c                         = instantiate(&m, STEPS);
    begin(&m, c);
    assert_true(kane_results_row_count(rows) > steps);
    for (int row = 0; row <= steps; row++) {
        const double time = kane_results_values(rows, 0)[row];
        if (row > 0 && do_step(&m, c, kane_results_values(rows, 0)[row - 1],
                               time - kane_results_values(rows, 0)[row - 1], &ended) != fmi2OK)
            fail_msg("%s", logged);
        for (int i = 0; i < kane_results_column_count(rows); i++) {
            const kane_column *column = kane_results_column(rows, i);
            const double *values      = kane_results_values(rows, i);
            double size               = 1e-6;
            for (int k = 0; k < kane_results_row_count(rows); k++)
                size = fmax(size, fabs(values[k]));
            if (strcmp(column->name, "time") == 0 || strcmp(column->name, "distance") == 0)
                continue;         // always there in results
            if (isnan(values[0])) // not determined: left out
                continue;
            check_near(read_one(&m, c, reference(&m, column->name)), values[row], 1e-5 * size);
        }
    }
    check_near(kane_results_values(rows, 0)[1], interval, 1e-12);
    check_near(read_one(&m, c, reference(&m, "time")), kane_results_values(rows, 0)[steps], 1e-12);
    finish(&m, c);
}

CHECK_TEST(units_do_what_runs_do)
{
    check_run("2", WAGON, "body.yaw", "output.interval=0.05", 100, 0.05); // into the transition
    check_run("2", COACH, "car.y", "output.interval=0.1", 20, 0.1);
    check_run("2", FOUR_BAR, "crank.joint.*", "until.time=1", 100, 0.005);
    check_run("3", WAGON, "body.yaw", "output.interval=0.05", 60, 0.05);
    check_run("3", FOUR_BAR, "crank.joint.*", "until.time=1", 100, 0.005);
    check_run("2", FEVE, "car.y", "output.interval=0.05", 50, 0.05); // to where flanges meet their rails
    check_run("3", FEVE, "car.y", "integrator={\"method\": \"semi_implicit\", \"step\": 1e-3}", 50, 0.02);
}

// Inputs that change between steps: the same as a program that drives the simulation.
CHECK_TEST(inputs_are_those_of_the_run)
{
    for (int v = 0; v < 2; v++) {
        CHECK_ERRORS errors             = {0};
        CHECK_OWNED(kane_run) *r        = kane_run_read(SKYHOOK, NULL, &errors);
        CHECK_OWNED(kane_model) *model  = kane_run_create_model(r, &errors);
        CHECK_OWNED(kane_simulation) *s = kane_run_create_simulation(r, model, &errors);
        const char *name                = "car.acceleration.z";
        CHECK_OWNED(kane_channels) *one = kane_channels_create(s, 1, &name, NULL, &errors);
        check_no_errors(&errors);
        assert_int_equal(CALL("fmu", SKYHOOK, "-f", versions[v], "-o", "input.fmu", "-c", name), 0);
        expect("out", "input.fmu: 1 output, 4 inputs, 0 parameters");
        const CHECK_FREED(importer) m = import("input.fmu", "input");
        const unsigned force = reference(&m, "input.leading left"), out = reference(&m, name);
        const int input = kane_model_find_input(model, "leading left", &errors);
        void *c         = instantiate(&m, STEPS);
        begin(&m, c);
        double last = 0.0;
        for (int i = 0; i < 100; i++) {
            const double value = 5e3 * sin(0.2 * i);
            assert_int_equal(kane_simulation_set_input(s, input, value), KANE_OK);
            assert_int_equal(kane_simulation_step(s, 2e-3, &errors), KANE_OK);
            assert_int_equal(kane_channels_read(one, s, &last), KANE_OK);
            assert_int_equal(set_value(&m, c, force, value), fmi2OK);
            step(&m, c, 2e-3 * i, 2e-3);
            check_near(read_one(&m, c, force), value, 0.0);
            check_near(read_one(&m, c, out), last, 1e-6); // times differ by round-off
        }
        assert_true(fabs(last) > 1e-3); // the forces are felt
        assert_int_equal(set_value(&m, c, force, (double)NAN), fmi2Error);
        reset(&m, c);
        begin(&m, c);
        assert_int_equal(set_value(&m, c, out, 1.0), fmi2Error);
        free_instance(&m, c);
    }
}

CHECK_TEST(description_says_what_there_is)
{
    for (int v = 0; v < 2; v++) {
        assert_int_equal(CALL("fmu", WAGON, "-f", versions[v], "-o", "wagon.fmu", "-p", "vehicle.bodies.body.mass=32 t",
                              "-p", "speed=54 km/h"),
                         0);
        expect("out", "wagon.fmu: 72 outputs, 0 inputs, 2 parameters");
        const CHECK_FREED(importer) m = import("wagon.fmu", "wagon");
        expect(m.description, v == 0 ? "fmiVersion=\"2.0\"" : "fmiVersion=\"3.0\"");
        expect(m.description, "<ModelExchange modelIdentifier=\"wagon_transition\"");
        expect(m.description, "<CoSimulation modelIdentifier=\"wagon_transition\"");
        expect(m.description, "name=\"vehicle.bodies.body.mass\" valueReference=\"0\" causality=\"parameter\"");
        expect(m.description, "unit=\"kg\" start=\"32000\"");
        expect(m.description, "name=\"start.speed\" valueReference=\"1\"");
        expect(m.description, "name=\"time\" valueReference=\"2\" causality=\"independent\"");
        expect(m.description, "<Unit name=\"rad/s^2\"><BaseUnit s=\"-2\" rad=\"1\"/></Unit>");
        expect("wagon/resources/kane.json", "\"run\": \"data/runs/wagon-transition.json\"");
        assert_int_equal(access("wagon/resources/vehicles/two-axle-wagon.json", R_OK), 0);
    }
}

// Against the schemas and headers of the standard, where these are at hand.
CHECK_TEST(the_standard_agrees)
{
    const char *standard = getenv("KANE_FMI") ? getenv("KANE_FMI") : KANE_SOURCE_DIR "/../shared/reference/fmi";
    if (!command_works("test -r '%s/3/fmi3Functions.h' && xmllint --version >out 2>&1", standard))
        check_skip("no schemas and headers of the standard (KANE_FMI), or no xmllint (Debian: libxml2-utils)");
    static const char *const runs[] = {WAGON, SKYHOOK, FOUR_BAR, "data/runs/motor-wagon.json"};
    for (int v = 0; v < 2; v++) {
        for (int i = 0; i < 4; i++) {
            assert_int_equal(CALL("fmu", runs[i], "-f", versions[v], "-o", "valid.fmu"), 0);
            const CHECK_FREED(importer) m = import("valid.fmu", "valid");
            command_must("xmllint --noout --schema '%s/%s/fmi%sModelDescription.xsd' %s", standard, versions[v],
                         versions[v], m.description);
        }
    }
    write_file("same2.c",
               "#include \"fmi2Functions.h\"\n#include \"fmi2.h\"\n"
               "#define DECLARE(result, name, arguments, ...) result name arguments;\nFMI2_FUNCTIONS(DECLARE)\n");
    write_file("same3.c",
               "#include \"fmi3Functions.h\"\n#include \"fmi3.h\"\n"
               "#define DECLARE(result, name, arguments, ...) result name arguments;\nFMI3_FUNCTIONS(DECLARE)\n"
               "#define BOTH(name, type) FMI3_GETTER(name, type); FMI3_SETTER(name, type);\nFMI3_TYPES(BOTH)\n");
    for (int v = 0; v < 2; v++)
        command_must("cc -std=c11 -fsyntax-only -I '%s/%s' -I '%s/apps/fmu' same%s.c", standard, versions[v],
                     KANE_SOURCE_DIR, versions[v]);
}

// --- the model structure ---

static int is_listed(const char *structure, const char *element, unsigned number, char *line, size_t size)
{
    char pattern[64];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(pattern, sizeof pattern, "<%s %s=\"%u\"", element, i ? "index" : "valueReference", number);
        const char *at = strstr(structure, pattern);
        if (at) {
            (void)snprintf(line, size, "%.*s", (int)strcspn(at, ">"), at);
            return 1;
        }
    }
    return 0;
}

// FMI 3.0.2, 2.4.8: initial unknowns are outputs, states and rates that are calculated, and nothing else: event
// indicators "must not be listed". FMI 2.0.5, 2.2.8, asks for the same of outputs, states and rates. The schemas do not
// see it; importers do.
CHECK_TEST(initial_unknowns_are_those_that_must_be)
{
    static const char *const runs[] = {WAGON, FOUR_BAR, "data/runs/motor-wagon.json"};
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < 3; i++) {
            assert_int_equal(CALL("fmu", runs[i], "-f", versions[v], "-o", "known.fmu"), 0);
            const CHECK_FREED(importer) m = import("known.fmu", "known");
            const char *text = content(m.description), *variable = v ? "<Float64 " : "<ScalarVariable ";
            const char *list = strstr(text, v ? "<ModelStructure>" : "<InitialUnknowns>");
            int unknowns = 0, count = 0;
            assert_non_null(list);
            for (const char *at = strstr(text, variable); at; at = strstr(at + 1, variable), count++) {
                char causality[32], name[256], line[65536], value[32];
                attribute(at, "causality", sizeof causality, causality);
                attribute(at, "name", sizeof name, name);
                attribute(at, "valueReference", sizeof value, value);
                const int must = strcmp(causality, "output") == 0 || strncmp(name, "state.", 6) == 0 ||
                                 strncmp(name, "der(", 4) == 0;
                const int is = is_listed(list, v ? "InitialUnknown" : "Unknown", (unsigned)atoi(value) + (v == 0), line,
                                         sizeof line);
                if (is != must)
                    fail_msg("%s: %s is %san initial unknown", runs[i], name, is ? "" : "not ");
                unknowns += is;
            }
            assert_int_equal(unknowns, count_text(list, v ? "<InitialUnknown " : "<Unknown "));
            assert_true(count > unknowns);
        }
}

// What an output is said not to depend on does not change it: inputs, in the same state at the same time. Positions are
// said so, accelerations are not.
CHECK_TEST(outputs_depend_on_what_is_said)
{
    static const struct {
        const char *run, *follows, *does_not;
    } units[]   = {{SKYHOOK, "car.z", "car.acceleration.z"},
                   {"data/runs/motor-wagon-slip.json", "speed", "acceleration"},
                   {FEVE, "car.z", "car.acceleration.z"}};
    int changed = 0, kept = 0;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(CALL("fmu", units[i].run, "-f", "3", "-o", "depend.fmu", "-c", "*"), 0);
        const CHECK_FREED(importer) m = import("depend.fmu", "depend");
        const unsigned time           = reference(&m, "time");
        void *c                       = instantiate(&m, EXCHANGE);
        char line[65536], dependencies[65536];
        CHECK_MEMORY char *structure = strdup(strstr(content(m.description), "<ModelStructure>"));
        begin(&m, c);
        (void)handle_event(&m, c, 1);
        const unsigned outputs      = (unsigned)count_text(content(m.description), "causality=\"output\"");
        CHECK_MEMORY double *before = calloc(outputs, sizeof *before);
        for (unsigned k = 0; k < outputs; k++)
            before[k] = read_one(&m, c, time + 1 + k);
        for (unsigned input = 0; input < time; input++)
            assert_int_equal(set_value(&m, c, input, 1e4), fmi2OK);
        for (unsigned k = 0; k < outputs; k++) {
            assert_true(is_listed(structure, "Output", time + 1 + k, line, sizeof line));
            const int has_changed = read_one(&m, c, time + 1 + k) != before[k];
            const int is_said     = !find_attribute(line, "dependencies", sizeof dependencies, dependencies);
            if (has_changed && !is_said)
                fail_msg("%s: %s", units[i].run, line);
            changed += has_changed;
            kept += !is_said;
        }
        assert_true(is_listed(structure, "Output", reference(&m, units[i].follows), line, sizeof line));
        assert_non_null(strstr(line, "dependencies=\""));
        assert_true(is_listed(structure, "Output", reference(&m, units[i].does_not), line, sizeof line));
        assert_null(strstr(line, "dependencies=\""));
        finish(&m, c);
    }
    print_message("%d outputs follow states alone, %d others changed with inputs\n", kept, changed);
    assert_true(changed > 10 && kept > 300);
}

// A run that ends by its distance: stopTime is when it has covered it. At 10 m/s, and 0.5 m/s^2 from 2 s on, 100 m are
// 2 s and (-10 + sqrt(100 + 80)) / 0.5 s.
CHECK_TEST(a_distance_has_its_time)
{
    char stop[32];
    for (int v = 0; v < 2; v++) {
        assert_int_equal(CALL("fmu", WAGON, "-f", versions[v], "-o", "far.fmu", "-c", "body.y", "-s",
                              "until={\"distance\": 100}", "-s", "start.speed=10", "-s",
                              "speed=[{\"for\": 2, \"acceleration\": 0}, {\"acceleration\": 0.5}]"),
                         0);
        const CHECK_FREED(importer) m = import("far.fmu", "far");
        attribute(strstr(content(m.description), "<DefaultExperiment"), "stopTime", sizeof stop, stop);
        check_near(atof(stop), 2.0 + (-10.0 + sqrt(180.0)) / 0.5, 1e-9);
    }
}

// In whatever form a parameter is typed: the unit names it by its whole path.
CHECK_TEST(parameters_have_their_whole_path)
{
    assert_int_equal(CALL("fmu", WAGON, "-o", "path.fmu", "-c", "body.y", "-p", "bodies.body.mass=32 t", "-p",
                          "speed=15", "-p", "start.at=100"),
                     0);
    const importer m = import("path.fmu", "path");
    assert_int_equal(reference(&m, "vehicle.bodies.body.mass"), 0);
    assert_int_equal(reference(&m, "start.speed"), 1);
    assert_int_equal(reference(&m, "start.at"), 2);
    importer_free(&m);
    assert_int_equal(CALL("fmu", FOUR_BAR, "-o", "path.fmu", "-c", "crank.joint.angle", "-p", "bodies.crank.mass=0.4"),
                     0);
    const CHECK_FREED(importer) n = import("path.fmu", "path");
    assert_int_equal(reference(&n, "mechanism.bodies.crank.mass"), 0);
}

// What is in an archive is deflated: the binary alone would be more.
CHECK_TEST(archives_are_deflated)
{
    struct stat unit, binary;
    assert_int_equal(CALL("fmu", WAGON, "-o", "small.fmu", "-c", "body.y"), 0);
    const CHECK_FREED(importer) m = import("small.fmu", "small");
    assert_non_null(m.binary);
    assert_int_equal(stat("small.fmu", &unit), 0);
    assert_int_equal(stat("small/binaries/linux64/wagon_transition.so", &binary), 0);
    print_message("unit %ld kB, its binary %ld kB\n", (long)unit.st_size / 1000, (long)binary.st_size / 1000);
    assert_true(unit.st_size < 0.6 * (double)binary.st_size);
}

CHECK_TEST(parameters_are_set_before_initialization)
{
    for (int v = 0; v < 2; v++) {
        assert_int_equal(CALL("fmu", WAGON, "-f", versions[v], "-o", "mass.fmu", "-c", "*.Q", "-c", "speed", "-p",
                              "vehicle.bodies.body.mass=32000", "-p", "speed=15"),
                         0);
        const CHECK_FREED(importer) m = import("mass.fmu", "mass");
        const unsigned mass = reference(&m, "vehicle.bodies.body.mass"), Q = reference(&m, "leading.left.Q");
        void *c = instantiate(&m, STEPS);
        if (v == 1) // 2.0 does not show start values
            check_near(read_one(&m, c, mass), 32000.0, 0.0);
        begin(&m, c);
        const double heavy = read_one(&m, c, Q);
        assert_int_equal(set_value(&m, c, mass, 22000.0), fmi2Error);
        assert_non_null(strstr(logged, "fixed"));
        reset(&m, c);
        assert_int_equal(set_value(&m, c, mass, 22000.0), fmi2OK);
        assert_int_equal(set_value(&m, c, reference(&m, "start.speed"), 12.5), fmi2OK);
        begin(&m, c);
        check_near(heavy - read_one(&m, c, Q), 1e4 * 9.81 / 4.0, 30.0); // four wheels carry it
        check_near(read_one(&m, c, reference(&m, "speed")), 12.5, 1e-9);
        assert_int_equal(set_value(&m, c, Q, 1.0), fmi2Error);
        reset(&m, c);
        begin(&m, c);
        check_near(read_one(&m, c, Q), heavy, 0.0);
        reset(&m, c);
        assert_int_equal(set_value(&m, c, mass, -1.0), fmi2OK);
        enter_initialization(&m, c, 1e-7);
        assert_int_equal(exit_initialization(&m, c), fmi2Error);
        assert_non_null(strstr(logged, "bodies.body.mass: -1 is out of range"));
        free_instance(&m, c);
    }
}

// --- states ---

static void check_serialized(const importer *m, void *c, void *kept)
{
    size_t size = 0;
    void *other = NULL;
    DO(m->version == 2 ? (int)m->fmi2SerializedFMUstateSize(c, kept, &size)
                       : (int)m->fmi3SerializedFMUStateSize(c, kept, &size));
    char *bytes = malloc(size);
    DO(m->version == 2 ? (int)m->fmi2SerializeFMUstate(c, kept, bytes, size)
                       : (int)m->fmi3SerializeFMUState(c, kept, (fmi3Byte *)bytes, size));
    DO(m->version == 2 ? (int)m->fmi2DeSerializeFMUstate(c, bytes, size, &other)
                       : (int)m->fmi3DeserializeFMUState(c, (fmi3Byte *)bytes, size, &other));
    void *none = NULL;
    bytes[size / 2] ^= 1;
    logged[0]        = '\0';
    const int broken = m->version == 2 ? (int)m->fmi2DeSerializeFMUstate(c, bytes, size, &none)
                                       : (int)m->fmi3DeserializeFMUState(c, (fmi3Byte *)bytes, size, &none);
    assert_int_equal(broken, fmi2Error);
    assert_non_null(strstr(logged, "not what it was when it was saved"));
    free(bytes);
    set_state(m, c, other); // which leads out of the error, too
    free_state(m, c, &other);
}

// Who has saved a state and who takes it up go on with the same bits, from memory and from bytes; another instance sees
// nothing of it.
static void check_states(const char *version, const char *run, const char *channel, const char *input)
{
    void *kept = NULL;
    double first[6], again[6];
    assert_int_equal(CALL("fmu", run, "-f", version, "-o", "state.fmu", "-c", channel), 0);
    const CHECK_FREED(importer) m = import("state.fmu", "state");
    const unsigned out            = reference(&m, channel);
    void *a = instantiate(&m, STEPS), *b = instantiate(&m, STEPS);
    begin(&m, a);
    begin(&m, b);
    for (int i = 0; i < 4; i++) {
        if (input)
            assert_int_equal(set_value(&m, a, reference(&m, input), 1e3 * i), fmi2OK);
        step(&m, a, 0.01 * i, 0.01);
    }
    get_state(&m, a, &kept);
    for (int round = 0; round < 3; round++) { // going on, from memory, from bytes
        if (round == 1)
            set_state(&m, a, kept);
        if (round == 2)
            check_serialized(&m, a, kept);
        check_near(read_one(&m, a, reference(&m, "time")), 0.04, 1e-12);
        for (int i = 0; i < 6; i++) {
            step(&m, a, 0.04 + 0.01 * i, 0.01);
            (round ? again : first)[i] = read_one(&m, a, out);
        }
        if (round)
            assert_memory_equal(first, again, sizeof first);
    }
    // in another instance, not begun or on its way
    void *fresh = instantiate(&m, STEPS);
    step(&m, b, 0.0, 0.01);
    for (int i = 0; i < 2; i++) {
        void *c = i ? fresh : b;
        set_state(&m, c, kept);
        for (int k = 0; k < 6; k++) {
            step(&m, c, 0.04 + 0.01 * k, 0.01);
            again[k] = read_one(&m, c, out);
        }
        assert_memory_equal(first, again, sizeof first);
    }
    free_state(&m, a, &kept);
    finish(&m, a);
    finish(&m, b);
    finish(&m, fresh);
}

CHECK_TEST(states_go_on_with_the_same_bits)
{
    for (int v = 0; v < 2; v++) {
        check_states(versions[v], FOUR_BAR, "crank.joint.angle", NULL);
        check_states(versions[v], SKYHOOK, "car.acceleration.z", "input.leading left");
    }
}

// What was chosen before initialization is part of the state, too.
CHECK_TEST(states_hold_parameters)
{
    void *kept = NULL;
    assert_int_equal(
        CALL("fmu", WAGON, "-o", "hold.fmu", "-c", "leading.left.Q", "-p", "vehicle.bodies.body.mass=32 t"), 0);
    const CHECK_FREED(importer) m = import("hold.fmu", "hold");
    const unsigned mass = reference(&m, "vehicle.bodies.body.mass"), Q = reference(&m, "leading.left.Q");
    void *a = instantiate(&m, STEPS), *b = instantiate(&m, STEPS);
    assert_int_equal(set_value(&m, a, mass, 22000.0), fmi2OK);
    begin(&m, a);
    begin(&m, b);
    get_state(&m, a, &kept);
    const double light = read_one(&m, a, Q);
    assert_true(read_one(&m, b, Q) > light + 1e4);
    set_state(&m, b, kept);
    check_near(read_one(&m, b, mass), 22000.0, 0.0);
    check_near(read_one(&m, b, Q), light, 0.0);
    void *exchange = instantiate(&m, EXCHANGE);
    assert_int_equal(m.fmi2SetFMUstate(exchange, kept), fmi2Error);
    assert_non_null(strstr(logged, "a state of model exchange is none of co-simulation"));
    free_instance(&m, exchange);
    DO(m.fmi2Reset(a));
    free_state(&m, a, &kept);
    get_state(&m, a, &kept); // before it has begun
    begin(&m, a);
    assert_true(read_one(&m, a, Q) > light + 1e4);
    set_state(&m, a, kept);
    begin(&m, a); // it can begin again
    free_state(&m, a, &kept);
    finish(&m, a);
    finish(&m, b);
}

CHECK_TEST(a_run_that_ends_says_so)
{
    for (int v = 0; v < 2; v++) {
        int ended   = 0;
        double time = 0.0;
        assert_int_equal(CALL("fmu", WAGON, "-f", versions[v], "-o", "end.fmu", "-c", "body.y", "-s", "start.at=395"),
                         0); // of 410 m
        const CHECK_FREED(importer) m = import("end.fmu", "end");
        void *c                       = instantiate(&m, STEPS);
        begin(&m, c);
        assert_int_equal(do_step(&m, c, 17.0, 0.1, &ended), fmi2Error);
        assert_non_null(strstr(logged, "cannot be"));
        reset(&m, c);
        begin(&m, c);
        for (int i = 0; i < 20 && !ended; i++)
            (void)do_step(&m, c, 0.1 * i, 0.1, &ended);
        time = read_one(&m, c, reference(&m, "time"));
        assert_true(ended && time > 0.2 && time < 1.0);
        assert_non_null(strstr(logged, "end of track"));
        finish(&m, c);
    }
}

// --- what is refused ---

CHECK_TEST(broken_units_say_what_is_broken)
{
    for (int v = 0; v < 2; v++) {
        assert_int_equal(CALL("fmu", FOUR_BAR, "-f", versions[v], "-o", "broken.fmu"), 0);
        const importer m = import("broken.fmu", "broken");
        assert_null(try_instantiate(&m, STEPS, "another", m.resources));
        assert_non_null(strstr(logged, "GUID"));
        assert_null(try_instantiate(&m, STEPS, m.guid, v == 0 ? "file:///nowhere" : "/nowhere"));
        assert_non_null(strstr(logged, "/nowhere/kane.json"));
        FILE *file = fopen("broken/resources/mechanisms/four-bar.json", "a");
        if (!file)
            file = fopen("broken/resources/data/mechanisms/four-bar.json", "a");
        assert_non_null(file);
        (void)fputs(" ", file);
        (void)fclose(file);
        assert_null(try_instantiate(&m, EXCHANGE, m.guid, m.resources));
        assert_non_null(strstr(logged, "four-bar.json: the file is not what it was"));
        importer_free(&m);
    }
    assert_int_equal(CALL("fmu", FOUR_BAR, "-f", "3", "-o", "broken.fmu"), 0);
    const importer m = import("broken.fmu", "broken");
    logged[0]        = '\0';
    assert_null(m.fmi3InstantiateScheduledExecution("one", m.guid, m.resources, 0, 0, NULL, log_3, NULL, NULL, NULL));
    assert_non_null(strstr(logged, "scheduled"));
    assert_null(m.fmi3InstantiateCoSimulation("one", m.guid, m.resources, 0, 0, 1, 0, NULL, 0, NULL, log_3, NULL));
    assert_non_null(strstr(logged, "event mode"));
    importer_free(&m);
}

// A run that names files by paths of this machine does not leave the unit without saying so.
CHECK_TEST(nothing_outside_is_read)
{
    char here[512], run[2048];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(
        run, sizeof run,
        "{ \"kane\": \"run 1\", \"mechanism\": \"%s/data/mechanisms/four-bar.json\", \"until\": { \"time\": 1 } }\n",
        here);
    write_file("absolute.json", run);
    assert_int_equal(CALL("fmu", "absolute.json", "-o", "absolute.fmu"), 3);
    expect("err", "names its files by");
}

// A unit holds flexible bodies reduced, be they named as models or as stores in HDF5: it does what the run does. Of
// results it writes none, in whatever format.
CHECK_TEST(flexible_bodies_come_reduced)
{
    double value[2] = {0.0};
    assert_int_equal(CALL("flexible", "reduce", "data/flexible/connecting-rod.json", "-o", "rod.flexible"), 0);
    (void)system("mkdir -p own/mechanisms own/runs && sed 's#\"[^\"]*connecting-rod.json\"#\"../../rod.flexible\"#' "
                 "data/mechanisms/flexible-crank.json >own/mechanisms/crank.json");
    write_file("own/runs/crank.json",
               "{ \"kane\": \"run 1\", \"mechanism\": \"../mechanisms/crank.json\", \"until\": { \"time\": 1 } }");
    (void)system(
        "mkdir -p model/mechanisms model/runs && cp own/runs/crank.json model/runs && cp -r data/flexible model && "
        "sed 's#\"[^\"]*connecting-rod.json\"#\"../flexible/connecting-rod.json\"#' "
        "data/mechanisms/flexible-crank.json >model/mechanisms/crank.json");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(CALL("fmu", i ? "own/runs/crank.json" : "model/runs/crank.json", "-o", "flexible.fmu", "-s",
                              "output.format=hdf5", "-c", "*.joint.*"),
                         0);
        const CHECK_FREED(importer) m = import("flexible.fmu", i ? "store" : "modelled");
        void *c                       = instantiate(&m, STEPS);
        begin(&m, c);
        step(&m, c, 0.0, 0.01);
        value[i] = read_one(&m, c, reference(&m, "crank.joint.angle"));
        finish(&m, c);
    }
    check_near(value[0], value[1], 0.0);
    kane_errors errors              = {0};
    CHECK_OWNED(kane_run) *r        = kane_run_read("own/runs/crank.json", NULL, &errors);
    CHECK_OWNED(kane_model) *model  = kane_run_create_model(r, &errors);
    CHECK_OWNED(kane_simulation) *s = kane_run_create_simulation(r, model, &errors);
    const char *name                = "crank.joint.angle";
    CHECK_OWNED(kane_channels) *one = kane_channels_create(s, 1, &name, NULL, &errors);
    check_no_errors(&errors);
    double said = 0.0;
    assert_int_equal(kane_simulation_advance(s, 0.01, &errors), KANE_OK);
    assert_int_equal(kane_channels_read(one, s, &said), KANE_OK);
    check_near(value[0], said, 1e-9);
}

CHECK_TEST(logging_can_be_chosen)
{
    assert_int_equal(CALL("fmu", FOUR_BAR, "-f", "3", "-o", "log.fmu", "-c", "crank.joint.angle"), 0);
    const CHECK_FREED(importer) m = import("log.fmu", "log");
    void *c                       = instantiate(&m, EXCHANGE);
    const char *const events[] = {"logEvents"}, *const nothing[] = {"logNothing"};
    begin(&m, c);
    (void)handle_event(&m, c, 1);
    assert_null(strstr(logged, "event at"));
    DO(m.fmi3SetDebugLogging(c, 1, 1, events));
    (void)handle_event(&m, c, 0);
    assert_non_null(strstr(logged, "event at 0 s"));
    assert_int_equal(m.fmi3SetDebugLogging(c, 1, 1, nothing), fmi3Error);
    assert_non_null(strstr(logged, "there is no category 'logNothing'"));
    free_instance(&m, c);
}

CHECK_TEST(the_command_refuses)
{
    assert_int_equal(CALL("fmu", WAGON), 2);
    expect("err", "which unit?");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.zip"), 2);
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-f", "1"), 2);
    expect("err", "'1' is not a version of FMI");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-p", "vehicle.bodies.body.mass=heavy"), 2);
    expect("err", "'heavy' is not a number");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-p", "vehicle.bodies.body.mass=3 stones"), 2);
    expect("err", "stones");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-p", "vehicle.bodies.body.mass=3 m"), 3);
    expect("err", "vehicle.bodies.body.mass=3 m");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-p", "vehicle.bodies.body.weight=3"), 3);
    expect("err", "bodies.body.weight: unknown key");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-c", "bodi.y"), 3);
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-b", "nothing.so"), 6);
    expect("err", "nothing.so is not here");
    assert_int_equal(CALL("fmu", WAGON, "-o", "nowhere/unit.fmu"), 6);
    assert_int_equal(system("cp '" KANE_SOURCE_DIR "/data/tracks/feve-waves.txt' waves.txt"), 0);
    assert_int_equal(CALL("fmu", KANE_SOURCE_DIR "/data/runs/feve-waves.json", "-o", "unit.fmu", "-s",
                          "track.irregularities.files[0].file=waves.txt"),
                     3);
    expect("err", "file=waves.txt: a unit cannot find a file that a setting names");
}

// --- what is inside ---

// Only functions of the standard can be seen, and no library is asked for but those of C: a unit runs where nothing is
// installed.
CHECK_TEST(the_binary_holds_what_it_needs)
{
    static const char *const known[] = {
        "libc.so",    "libm.so",     "ld-linux",
#ifdef KANE_SANITIZED
        "libasan.so", "libubsan.so", "libclang_rt", "libgcc_s.so", "libpthread.so",
#endif
    };
    char line[512];
    assert_int_equal(CALL("fmu", FOUR_BAR, "-o", "inside.fmu", "-c", "crank.joint.angle"), 0);
    const importer m = import("inside.fmu", "inside");
    if (system(
            "readelf -d inside/binaries/linux64/*.so >needed 2>err && nm -D --defined-only inside/binaries/linux64/*.so "
            ">names 2>err") != 0) {
        importer_free(&m);
        check_skip("there is no readelf or nm here (Debian: binutils)");
    }
    FILE *needed = fopen("needed", "r");
    int count    = 0;
    while (fgets(line, sizeof line, needed)) {
        int is_known = !strstr(line, "(NEEDED)");
        count += !is_known;
        for (size_t i = 0; i < sizeof known / sizeof *known && !is_known; i++)
            is_known = strstr(line, known[i]) != NULL;
        if (!is_known)
            fail_msg("%s", line);
    }
    (void)fclose(needed);
    assert_true(count >= 2);
    FILE *names = fopen("names", "r");
    count       = 0;
    while (fgets(line, sizeof line, names)) {
        char *name = strrchr(line, ' ');
        count++;
        if (!name || (strncmp(name, " fmi2", 5) != 0 && strncmp(name, " fmi3", 5) != 0))
#ifndef KANE_SANITIZED // it has names of its own
            fail_msg("%s can be seen", line);
#else
            continue;
#endif
    }
    (void)fclose(names);
    assert_true(count > 100);
    importer_free(&m);
}

CHECK_TEST(instances_leave_nothing)
{
    struct rusage before, after;
    assert_int_equal(CALL("fmu", FOUR_BAR, "-o", "many.fmu", "-c", "crank.joint.angle"), 0);
    const CHECK_FREED(importer) m = import("many.fmu", "many");
    for (int i = 0; i < 1000; i++) {
        if (i == 100)
            (void)getrusage(RUSAGE_SELF, &before);
        void *c = instantiate(&m, i % 20 ? STEPS : EXCHANGE);
        if (i % 10 == 0) {
            begin(&m, c);
            if (i % 20)
                step(&m, c, 0.0, 1e-3);
            else
                (void)handle_event(&m, c, 1);
            void *kept = NULL;
            get_state(&m, c, &kept);
            set_state(&m, c, kept);
            free_state(&m, c, &kept);
        }
        free_instance(&m, c);
    }
    (void)getrusage(RUSAGE_SELF, &after);
#ifndef KANE_SANITIZED                                      // it keeps what has been freed, and looks for leaks itself
    assert_true(after.ru_maxrss - before.ru_maxrss < 2000); // kB: 2 of each
#endif
    m.fmi2FreeInstance(NULL);
    m.fmi3FreeInstance(NULL);
}

CHECK_MAIN(enter_with_data, leave_folder)
