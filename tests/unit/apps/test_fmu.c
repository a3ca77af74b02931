// SPDX-License-Identifier: MIT
// kane fmu: units are imported as the standard says it (an archive, modelDescription.xml, the functions of the binary) and do what
// the run does; what they refuse; that several live side by side and leave nothing.
//
// KANE_FMI names a folder with the standard's schemas and headers of FMI 2.0; with it they are compared.

#include "program.h"

#include "fmi2.h"

#include <kane/kane.h>

#include <dlfcn.h>
#include <sys/resource.h>

#define COACH    "data/runs/coach-curve.json"
#define FOUR_BAR "data/runs/mechanism-four-bar.json"
#define WAGON    "data/runs/wagon-transition.json"

// --- the archive ---

static unsigned number(const unsigned char *at, int bytes)
{
    unsigned value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static void make_folders(char *path)
{
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
}

// Takes all files out of an archive by its directory; returns how many.
static int extract(const char *archive, const char *into)
{
    FILE *file = fopen(archive, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(size);
    assert_int_equal(fread(bytes, 1, size, file), size);
    (void)fclose(file);
    const unsigned char *end = bytes + size - 22;
    assert_int_equal(number(end, 4), 0x06054b50);
    const int count           = (int)number(end + 10, 2);
    const unsigned char *next = bytes + number(end + 16, 4);
    assert_int_equal(next + number(end + 12, 4) - end, 0);
    for (int i = 0; i < count; i++) {
        char name[1400];
        const unsigned length = number(next + 28, 2), content_size = number(next + 24, 4);
        const unsigned char *local = bytes + number(next + 42, 4);
        assert_int_equal(number(next, 4), 0x02014b50);
        assert_int_equal(number(local, 4), 0x04034b50);
        assert_int_equal(number(next + 10, 2), 0); // stored
        assert_memory_equal(local + 30, next + 46, length);
        assert_memory_equal(local + 14, next + 16, 12);
        (void)snprintf(name, sizeof name, "%s/%.*s", into, (int)length, (const char *)next + 46);
        make_folders(name);
        FILE *out = fopen(name, "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(local + 30 + length, 1, content_size, out), content_size);
        (void)fclose(out);
        next += 46 + length;
    }
    free(bytes);
    return count;
}

// --- an importer ---

typedef struct importer {
    void *binary;
#define MEMBER(result, name, arguments) result(*name) arguments;
    FMI2_FUNCTIONS(MEMBER)
    char folder[64], description[512], resources[1200], guid[64];
} importer;

static char logged[4096];

static void log_message(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                        fmi2String category, fmi2String message, ...)
{
    va_list arguments;
    const size_t length = strlen(logged);
    (void)environment;
    assert_true(instance && category && status >= fmi2Warning);
    va_start(arguments, message);
    (void)vsnprintf(logged + length, sizeof logged - length, message, arguments);
    va_end(arguments);
}

static const fmi2CallbackFunctions calls = {.logger = log_message};

// Value of the first attribute of that name behind `from`.
static void attribute(const char *from, const char *name, size_t size, char *value)
{
    char pattern[64];
    (void)snprintf(pattern, sizeof pattern, " %s=\"", name);
    const char *at = strstr(from, pattern);
    assert_non_null(at);
    at += strlen(pattern);
    (void)snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
}

static importer import(const char *archive, const char *into)
{
    importer m = {.binary = NULL};
    char identifier[64], binary[256], here[512];
    (void)snprintf(m.folder, sizeof m.folder, "%s", into);
    (void)extract(archive, into);
    (void)snprintf(m.description, sizeof m.description, "%s/modelDescription.xml", into);
    attribute(content(m.description), "guid", sizeof m.guid, m.guid);
    attribute(content(m.description), "modelIdentifier", sizeof identifier, identifier);
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(binary, sizeof binary, "./%s/binaries/linux64/%s.so", into, identifier);
    (void)snprintf(m.resources, sizeof m.resources, "file://%s/%s/resources", here, into);
    m.binary = dlopen(binary, RTLD_NOW | RTLD_LOCAL);
    if (!m.binary)
        fail_msg("%s", dlerror());
#define FIND(result, name, arguments)                                                                                  \
    *(void **)&m.name = dlsym(m.binary, #name);                                                                        \
    assert_non_null(*(void **)&m.name);
    FMI2_FUNCTIONS(FIND)
    assert_string_equal(m.fmi2GetVersion(), "2.0");
    assert_string_equal(m.fmi2GetTypesPlatform(), "default");
    return m;
}

static fmi2ValueReference reference(const importer *m, const char *name)
{
    char pattern[256], value[32];
    (void)snprintf(pattern, sizeof pattern, "name=\"%s\" valueReference", name);
    const char *at = strstr(content(m->description), pattern);
    if (!at)
        fail_msg("there is no variable %s", name);
    attribute(at, "valueReference", sizeof value, value);
    return (fmi2ValueReference)atoi(value);
}

static fmi2Component instantiate(const importer *m)
{
    logged[0]       = '\0';
    fmi2Component c = m->fmi2Instantiate("one", fmi2CoSimulation, m->guid, m->resources, &calls, 0, 0);
    if (!c)
        fail_msg("%s", logged);
    return c;
}

static void begin(const importer *m, fmi2Component c)
{
    assert_int_equal(m->fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0), fmi2OK);
    assert_int_equal(m->fmi2EnterInitializationMode(c), fmi2OK);
    if (m->fmi2ExitInitializationMode(c) != fmi2OK)
        fail_msg("%s", logged);
}

static double read_one(const importer *m, fmi2Component c, fmi2ValueReference vr)
{
    double value;
    assert_int_equal(m->fmi2GetReal(c, &vr, 1, &value), fmi2OK);
    return value;
}

static void finish(const importer *m, fmi2Component c)
{
    assert_int_equal(m->fmi2Terminate(c), fmi2OK);
    m->fmi2FreeInstance(c);
}

// --- what a unit does ---

// The rows of the run are what the unit shows at the same times.
static void check_run(const char *run, const char *pattern, const char *setting, int steps, double step)
{
    kane_errors errors = {0};
    kane_outcome outcome;
    assert_int_equal(CALL("fmu", run, "-o", "unit.fmu", "-c", pattern, "-s", setting), 0);
    const importer m               = import("unit.fmu", "unit");
    const char *const settings[]   = {setting, NULL};
    const kane_run_options options = {.settings = settings};
    kane_run *r                    = kane_run_read(run, &options, &errors);
    kane_results *rows = r ? kane_run_collect(kane_run_get_definition(r), 1, &pattern, &outcome, &errors) : NULL;
    check_no_errors(&errors);
    fmi2Component c = instantiate(&m);
    begin(&m, c);
    assert_true(kane_results_row_count(rows) > steps);
    for (int row = 0; row <= steps; row++) {
        const double time = kane_results_values(rows, 0)[row];
        if (row > 0 && m.fmi2DoStep(c, kane_results_values(rows, 0)[row - 1],
                                    time - kane_results_values(rows, 0)[row - 1], 1) != fmi2OK)
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
    check_near(kane_results_values(rows, 0)[1], step, 1e-12);
    finish(&m, c);
    (void)dlclose(m.binary);
    kane_results_free(rows);
    kane_run_free(r);
}

static void units_do_what_runs_do(void **state)
{
    (void)state;
    check_run(WAGON, "body.yaw", "output.every=0.05", 100, 0.05); // into the transition
    check_run(COACH, "car.y", "output.every=0.1", 20, 0.1);
    check_run(FOUR_BAR, "crank.joint.*", "until.time=1", 100, 0.005);
}

static void description_says_what_there_is(void **state)
{
    (void)state;
    assert_int_equal(CALL("fmu", WAGON, "-o", "wagon.fmu", "-p", "vehicle.bodies.body.mass=32000"), 0);
    expect("out", "wagon.fmu: 73 outputs, 1 parameter");
    const importer m = import("wagon.fmu", "wagon");
    expect(m.description, "fmiVersion=\"2.0\"");
    expect(m.description, "modelIdentifier=\"wagon_transition\"");
    expect(m.description, "name=\"vehicle.bodies.body.mass\" valueReference=\"0\" causality=\"parameter\"");
    expect(m.description, "<Real start=\"32000\"/>");
    expect(m.description, "name=\"time\" valueReference=\"1\" causality=\"independent\"");
    expect(m.description, "<Unit name=\"rad/s^2\"/>");
    expect("wagon/resources/kane.json", "\"run\": \"data/runs/wagon-transition.json\"");
    assert_int_equal(access("wagon/resources/vehicles/two-axle-wagon.json", R_OK), 0);
    (void)dlclose(m.binary);
    if (!getenv("KANE_FMI")) {
        print_message("SKIPPED: KANE_FMI names no folder with the standard's schemas and headers\n");
        return;
    }
    char command[2048];
    (void)snprintf(command, sizeof command, "xmllint --noout --schema %s/fmi2ModelDescription.xsd %s >out 2>&1",
                   getenv("KANE_FMI"), m.description);
    if (system(command) != 0)
        fail_msg("%s", content("out"));
    write_file("same.c", "#include \"fmi2Functions.h\"\n#include \"fmi2.h\"\n"
                         "#define DECLARE(result, name, arguments) result name arguments;\nFMI2_FUNCTIONS(DECLARE)\n");
    (void)snprintf(command, sizeof command, "cc -std=c11 -fsyntax-only -I %s -I %s/apps/fmu same.c >out 2>&1",
                   getenv("KANE_FMI"), KANE_SOURCE_DIR);
    if (system(command) != 0)
        fail_msg("%s", content("out"));
}

static void parameters_are_set_before_initialization(void **state)
{
    (void)state;
    assert_int_equal(CALL("fmu", WAGON, "-o", "mass.fmu", "-c", "*.Q", "-p", "vehicle.bodies.body.mass=32000"), 0);
    const importer m              = import("mass.fmu", "mass");
    const fmi2ValueReference mass = reference(&m, "vehicle.bodies.body.mass"), Q = reference(&m, "leading.left.Q");
    const double lighter = 22000.0;
    fmi2Component c      = instantiate(&m);
    check_near(read_one(&m, c, mass), 32000.0, 0.0);
    begin(&m, c);
    const double heavy = read_one(&m, c, Q);
    assert_int_equal(m.fmi2SetReal(c, &mass, 1, &lighter), fmi2Error);
    assert_non_null(strstr(logged, "fixed"));
    assert_int_equal(m.fmi2Reset(c), fmi2OK);
    assert_int_equal(m.fmi2SetReal(c, &mass, 1, &lighter), fmi2OK);
    begin(&m, c);
    check_near(heavy - read_one(&m, c, Q), 1e4 * 9.81 / 4.0, 30.0); // four wheels carry it
    assert_int_equal(m.fmi2SetReal(c, &Q, 1, &lighter), fmi2Error);
    assert_int_equal(m.fmi2Reset(c), fmi2OK);
    begin(&m, c);
    check_near(read_one(&m, c, Q), heavy, 0.0);
    const double none = -1.0;
    assert_int_equal(m.fmi2Reset(c), fmi2OK);
    assert_int_equal(m.fmi2SetReal(c, &mass, 1, &none), fmi2OK);
    assert_int_equal(m.fmi2SetupExperiment(c, 1, 1e-7, 0.0, 0, 0.0), fmi2OK);
    assert_int_equal(m.fmi2EnterInitializationMode(c), fmi2OK);
    assert_int_equal(m.fmi2ExitInitializationMode(c), fmi2Error);
    assert_non_null(strstr(logged, "bodies.body.mass: -1 is out of range"));
    m.fmi2FreeInstance(c);
    (void)dlclose(m.binary);
}

// Both see only themselves; a state that is put back is gone on from with the same bits each time.
static void instances_and_states(void **state)
{
    fmi2FMUstate kept = NULL;
    double first[4], again[4];
    (void)state;
    assert_int_equal(CALL("fmu", FOUR_BAR, "-o", "bar.fmu", "-c", "crank.joint.*"), 0);
    expect("err", "left out: crank.joint.force.z is not determined");
    const importer m               = import("bar.fmu", "bar");
    const fmi2ValueReference angle = reference(&m, "crank.joint.angle");
    fmi2Component a = instantiate(&m), b = instantiate(&m);
    begin(&m, a);
    begin(&m, b);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(m.fmi2DoStep(a, 0.1 * i, 0.1, 0), fmi2OK);
        if (i == 4)
            assert_int_equal(m.fmi2GetFMUstate(a, &kept), fmi2OK);
    }
    for (int i = 0; i < 10; i++)
        assert_int_equal(m.fmi2DoStep(b, 0.1 * i, 0.1, 0), fmi2OK);
    check_near(read_one(&m, a, angle), read_one(&m, b, angle), 0.0);
    for (int round = 0; round < 2; round++) {
        double time;
        assert_int_equal(m.fmi2SetFMUstate(a, kept), fmi2OK);
        assert_int_equal(m.fmi2GetRealStatus(a, fmi2LastSuccessfulTime, &time), fmi2OK);
        check_near(time, 0.5, 1e-12);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(m.fmi2DoStep(a, time + 0.1 * i, 0.1, 0), fmi2OK);
            (round ? again : first)[i] = read_one(&m, a, angle);
        }
    }
    assert_memory_equal(first, again, sizeof first);
    assert_int_equal(m.fmi2DoStep(a, 17.0, 0.1, 0), fmi2Error);
    assert_int_equal(m.fmi2FreeFMUstate(a, &kept), fmi2OK);
    assert_null(kept);
    finish(&m, a);
    finish(&m, b);
    (void)dlclose(m.binary);
}

static void a_run_that_ends_says_so(void **state)
{
    fmi2Status status = fmi2OK;
    fmi2Boolean ended = 0;
    double time       = 0.0;
    (void)state;
    assert_int_equal(CALL("fmu", WAGON, "-o", "end.fmu", "-c", "body.y", "-s", "start.at=395"), 0); // of 410 m
    const importer m = import("end.fmu", "end");
    fmi2Component c  = instantiate(&m);
    begin(&m, c);
    for (int i = 0; i < 20 && status == fmi2OK; i++)
        status = m.fmi2DoStep(c, 0.1 * i, 0.1, 1);
    assert_int_equal(status, fmi2Discard);
    assert_int_equal(m.fmi2GetBooleanStatus(c, fmi2Terminated, &ended), fmi2OK);
    assert_int_equal(m.fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &time), fmi2OK);
    assert_true(ended && time > 0.2 && time < 1.0);
    assert_non_null(strstr(logged, "end of track"));
    finish(&m, c);
    (void)dlclose(m.binary);
}

// --- what is refused ---

static void broken_units_say_what_is_broken(void **state)
{
    (void)state;
    assert_int_equal(CALL("fmu", FOUR_BAR, "-o", "broken.fmu"), 0);
    const importer m = import("broken.fmu", "broken");
    logged[0]        = '\0';
    assert_null(m.fmi2Instantiate("one", fmi2ModelExchange, m.guid, m.resources, &calls, 0, 0));
    assert_non_null(strstr(logged, "co-simulation"));
    assert_null(m.fmi2Instantiate("one", fmi2CoSimulation, "another", m.resources, &calls, 0, 0));
    assert_non_null(strstr(logged, "GUID"));
    assert_null(m.fmi2Instantiate("one", fmi2CoSimulation, m.guid, "file:///nowhere", &calls, 0, 0));
    assert_non_null(strstr(logged, "/nowhere/kane.json"));
    FILE *file = fopen("broken/resources/mechanisms/four-bar.json", "a");
    if (!file)
        file = fopen("broken/resources/data/mechanisms/four-bar.json", "a");
    assert_non_null(file);
    (void)fputs(" ", file);
    (void)fclose(file);
    assert_null(m.fmi2Instantiate("one", fmi2CoSimulation, m.guid, m.resources, &calls, 0, 0));
    assert_non_null(strstr(logged, "four-bar.json: the file is not what it was"));
    (void)dlclose(m.binary);
}

static void the_command_refuses(void **state)
{
    (void)state;
    assert_int_equal(CALL("fmu", WAGON), 2);
    expect("err", "which unit?");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.zip"), 2);
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-p", "vehicle.bodies.body.mass=heavy"), 2);
    expect("err", "'heavy' is not a number");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-p", "vehicle.bodies.body.weight=3"), 3);
    expect("err", "bodies.body.weight: unknown key");
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-c", "bodi.y"), 3);
    assert_int_equal(CALL("fmu", WAGON, "-o", "unit.fmu", "-b", "nothing.so"), 6);
    expect("err", "nothing.so is not here");
    assert_int_equal(CALL("fmu", WAGON, "-o", "nowhere/unit.fmu"), 6);
}

static void instances_leave_nothing(void **state)
{
    struct rusage before, after;
    (void)state;
    assert_int_equal(CALL("fmu", FOUR_BAR, "-o", "many.fmu", "-c", "crank.joint.angle"), 0);
    const importer m = import("many.fmu", "many");
    for (int i = 0; i < 1000; i++) {
        if (i == 100)
            (void)getrusage(RUSAGE_SELF, &before);
        fmi2Component c = instantiate(&m);
        if (i % 10 == 0) {
            begin(&m, c);
            assert_int_equal(m.fmi2DoStep(c, 0.0, 1e-3, 1), fmi2OK);
        }
        m.fmi2FreeInstance(c);
    }
    (void)getrusage(RUSAGE_SELF, &after);
#ifndef KANE_SANITIZED                                      // it keeps what has been freed, and looks for leaks itself
    assert_true(after.ru_maxrss - before.ru_maxrss < 2000); // kB: 2 of each
#endif
    m.fmi2FreeInstance(NULL);
    (void)dlclose(m.binary);
}

static int enter(void **state)
{
    return enter_folder(state) == 0 && symlink(KANE_SOURCE_DIR "/data", "data") == 0 &&
                   symlink(KANE_SOURCE_DIR "/vehicles", "vehicles") == 0
               ? 0
               : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(description_says_what_there_is),
        cmocka_unit_test(units_do_what_runs_do),
        cmocka_unit_test(parameters_are_set_before_initialization),
        cmocka_unit_test(instances_and_states),
        cmocka_unit_test(a_run_that_ends_says_so),
        cmocka_unit_test(broken_units_say_what_is_broken),
        cmocka_unit_test(the_command_refuses),
        cmocka_unit_test(instances_leave_nothing),
    };
    return cmocka_run_group_tests(tests, enter, leave_folder);
}
