// SPDX-License-Identifier: MIT
// An importer of units, written from the standard: an archive, modelDescription.xml, the functions of the binary. What
// FMI 2.0 and 3.0 call by different names is one function here.

#ifndef KANE_TESTS_IMPORTER_H
#define KANE_TESTS_IMPORTER_H

#include "program.h"

#include "fmi2.h"
#include "fmi3.h"

#include <dlfcn.h>
#include <zlib.h>

// --- the archive ---

static inline unsigned number(const unsigned char *at, int bytes)
{
    unsigned value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static inline void make_folders(char *path)
{
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
}

// A file as it was before it was packed: stored (method 0) or deflated (8).
static inline unsigned char *unpack(const unsigned char *packed, unsigned packed_size, unsigned size, unsigned method)
{
    unsigned char *plain = malloc(size + 1);
    z_stream z           = {.next_in = (Bytef *)(uintptr_t)packed, .avail_in = packed_size, .next_out = plain};
    assert_non_null(plain);
    if (method == 0) {
        assert_int_equal(packed_size, size);
        memcpy(plain, packed, size);
        return plain;
    }
    assert_int_equal(method, 8);
    z.avail_out = size + 1;
    assert_int_equal(inflateInit2(&z, -15), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.total_out, size);
    (void)inflateEnd(&z);
    return plain;
}

// Takes all files out of an archive by its directory; returns how many.
static inline int extract(const char *archive, const char *into)
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
        assert_memory_equal(local + 30, next + 46, length);
        assert_memory_equal(local + 8, next + 10, 18); // method, time, checksum, sizes
        unsigned char *plain = unpack(local + 30 + length, number(next + 20, 4), content_size, number(next + 10, 2));
        assert_int_equal(crc32(0, plain, content_size), number(next + 16, 4));
        (void)snprintf(name, sizeof name, "%s/%.*s", into, (int)length, (const char *)next + 46);
        make_folders(name);
        (void)remove(name); // one that is loaded is left as it is
        FILE *out = fopen(name, "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(plain, 1, content_size, out), content_size);
        (void)fclose(out);
        free(plain);
        next += 46 + length;
    }
    free(bytes);
    return count;
}

// --- a unit ---

typedef struct importer {
    int version;
    void *binary;
#define MEMBER(result, name, arguments, ...) result(*name) arguments;
    FMI2_FUNCTIONS(MEMBER)
    FMI3_FUNCTIONS(MEMBER)
    char folder[64], description[512], resources[1200], guid[64];
    int states, indicators;
    unsigned first_state, first_rate; // value references
} importer;

static char logged[4096];

static inline void keep(const char *text)
{
    const size_t length = strlen(logged);
    (void)snprintf(logged + length, sizeof logged - length, "%s\n", text);
}

static inline void log_2(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                         fmi2String category, fmi2String message, ...)
{
    char text[1200];
    va_list arguments;
    (void)environment;
    assert_true(instance && category && status <= fmi2Fatal);
    va_start(arguments, message);
    (void)vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    keep(text);
}

static inline void log_3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                         fmi3String message)
{
    (void)environment;
    assert_true(category && status <= fmi3Fatal);
    keep(message);
}

static const fmi2CallbackFunctions calls = {.logger = log_2};

// Value of the first attribute of that name behind `from`; 0: there is none.
static inline int find_attribute(const char *from, const char *name, size_t size, char *value)
{
    char pattern[64];
    (void)snprintf(pattern, sizeof pattern, " %s=\"", name);
    const char *at = strstr(from, pattern);
    if (at)
        (void)snprintf(value, size, "%.*s", (int)strcspn(at + strlen(pattern), "\""), at + strlen(pattern));
    return at != NULL;
}

static inline void attribute(const char *from, const char *name, size_t size, char *value)
{
    if (!find_attribute(from, name, size, value))
        fail_msg("there is no attribute %s", name);
}

static inline unsigned reference(const importer *m, const char *name)
{
    char pattern[256], value[32];
    (void)snprintf(pattern, sizeof pattern, "name=\"%s\" valueReference", name);
    const char *at = strstr(content(m->description), pattern);
    if (!at)
        fail_msg("there is no variable %s", name);
    attribute(at, "valueReference", sizeof value, value);
    return (unsigned)atoi(value);
}

static inline int count_text(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

// States are what rates are the rates of; both stand side by side in the units of libkane, which a general importer
// must not think.
static inline void find_states(importer *m)
{
    char value[64];
    const char *text = content(m->description);
    m->states        = count_text(text, " derivative=\"");
    if (m->version == 2) {
        attribute(text, "numberOfEventIndicators", sizeof value, value);
        m->indicators = atoi(value);
    } else {
        m->indicators = count_text(text, "<EventIndicator ");
    }
    for (int i = 0; i < m->states; i++) {
        const char *rate = strstr(text, " derivative=\""), *begin = rate;
        while (*begin != '<' || (strncmp(begin, "<ScalarVariable", 15) != 0 && strncmp(begin, "<Float64", 8) != 0))
            begin--;
        attribute(begin, "valueReference", sizeof value, value);
        const unsigned vr = (unsigned)atoi(value);
        attribute(begin, "derivative", sizeof value, value);
        const unsigned state =
            (unsigned)(atoi(value) - (m->version == 2)); // 2.0: by place, which here is the reference
        if (i == 0) {
            m->first_rate  = vr;
            m->first_state = state;
        }
        assert_int_equal(vr, m->first_rate + (unsigned)i);
        assert_int_equal(state, m->first_state + (unsigned)i);
        text = rate + 1;
    }
}

static inline void importer_free(const importer *m)
{
    (void)dlclose(m->binary);
}

static inline importer import(const char *archive, const char *into)
{
    importer m = {.binary = NULL};
    char identifier[64], binary[256], here[512], version[16];
    (void)snprintf(m.folder, sizeof m.folder, "%s", into);
    (void)extract(archive, into);
    (void)snprintf(m.description, sizeof m.description, "%s/modelDescription.xml", into);
    attribute(content(m.description), "fmiVersion", sizeof version, version);
    m.version = atoi(version);
    attribute(content(m.description), m.version == 2 ? "guid" : "instantiationToken", sizeof m.guid, m.guid);
    attribute(content(m.description), "modelIdentifier", sizeof identifier, identifier);
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(binary, sizeof binary, "./%s/binaries/%s/%s.so", into,
                   m.version == 2 ? KANE_FMU_PLATFORM_2 : KANE_FMU_PLATFORM_3, identifier);
    (void)snprintf(m.resources, sizeof m.resources, m.version == 2 ? "file://%s/%s/resources" : "%s/%s/resources/",
                   here, into);
    m.binary = dlopen(binary, RTLD_NOW | RTLD_LOCAL);
    if (!m.binary)
        fail_msg("%s", dlerror());
#define FIND(result, name, arguments, ...)                                                                             \
    *(void **)&m.name = dlsym(m.binary, #name);                                                                        \
    assert_non_null(*(void **)&m.name);
    FMI2_FUNCTIONS(FIND)
    FMI3_FUNCTIONS(FIND)
#define FIND_TYPE(name, type)                                                                                          \
    assert_non_null(dlsym(m.binary, "fmi3Get" #name));                                                                 \
    assert_non_null(dlsym(m.binary, "fmi3Set" #name));
    FMI3_TYPES(FIND_TYPE)
    assert_string_equal(m.fmi2GetVersion(), "2.0");
    assert_string_equal(m.fmi2GetTypesPlatform(), "default");
    assert_string_equal(m.fmi3GetVersion(), "3.0");
    find_states(&m);
    return m;
}

// --- what both versions say ---

#define DO(call)                                                                                                       \
    do {                                                                                                               \
        const int status_ = (int)(call);                                                                               \
        if (status_ != fmi2OK)                                                                                         \
            fail_msg("%s gives %d: %s", #call, status_, logged);                                                       \
    } while (0)

typedef enum unit_use { STEPS, EXCHANGE } unit_use;

static inline void *try_instantiate(const importer *m, unit_use use, const char *guid, const char *resources)
{
    logged[0] = '\0';
    if (m->version == 2)
        return m->fmi2Instantiate("one", use == STEPS ? fmi2CoSimulation : fmi2ModelExchange, guid, resources, &calls,
                                  0, 0);
    return use == STEPS ? m->fmi3InstantiateCoSimulation("one", guid, resources, 0, 0, 0, 0, NULL, 0, NULL, log_3, NULL)
                        : m->fmi3InstantiateModelExchange("one", guid, resources, 0, 0, NULL, log_3);
}

static inline void *instantiate(const importer *m, unit_use use)
{
    void *c = try_instantiate(m, use, m->guid, m->resources);
    if (!c)
        fail_msg("%s", logged);
    return c;
}

static inline void free_instance(const importer *m, void *c)
{
    if (m->version == 2)
        m->fmi2FreeInstance(c);
    else
        m->fmi3FreeInstance(c);
}

static inline void enter_initialization(const importer *m, void *c, double tolerance)
{
    if (m->version == 3) {
        DO(m->fmi3EnterInitializationMode(c, tolerance > 0.0, tolerance, 0.0, 0, 0.0));
        return;
    }
    DO(m->fmi2SetupExperiment(c, tolerance > 0.0, tolerance, 0.0, 0, 0.0));
    DO(m->fmi2EnterInitializationMode(c));
}

// After an error nothing else helps.
static inline void reset(const importer *m, void *c)
{
    DO(m->version == 2 ? (int)m->fmi2Reset(c) : (int)m->fmi3Reset(c));
}

static inline int exit_initialization(const importer *m, void *c)
{
    return m->version == 2 ? (int)m->fmi2ExitInitializationMode(c) : (int)m->fmi3ExitInitializationMode(c);
}

static inline void begin(const importer *m, void *c)
{
    enter_initialization(m, c, 0.0);
    DO(exit_initialization(m, c));
}

static inline int get_values(const importer *m, void *c, size_t count, const unsigned *vr, double *values)
{
    return m->version == 2 ? (int)m->fmi2GetReal(c, vr, count, values)
                           : (int)m->fmi3GetFloat64(c, vr, count, values, count);
}

static inline int set_value(const importer *m, void *c, unsigned vr, double value)
{
    return m->version == 2 ? (int)m->fmi2SetReal(c, &vr, 1, &value) : (int)m->fmi3SetFloat64(c, &vr, 1, &value, 1);
}

static inline double read_one(const importer *m, void *c, unsigned vr)
{
    double value;
    DO(get_values(m, c, 1, &vr, &value));
    return value;
}

// *ended: the run has come to its end.
static inline int do_step(const importer *m, void *c, double time, double step, int *ended)
{
    *ended = 0;
    if (m->version == 2) {
        const fmi2Status status = m->fmi2DoStep(c, time, step, 1);
        *ended                  = status == fmi2Discard;
        return (int)status;
    }
    fmi3Boolean event = false, terminate = false, early = false; // a call that is refused sets none of them
    double last             = time;
    const fmi3Status status = m->fmi3DoStep(c, time, step, 1, &event, &terminate, &early, &last);
    *ended                  = terminate;
    return (int)status;
}

static inline void step(const importer *m, void *c, double time, double size)
{
    int ended;
    DO(do_step(m, c, time, size, &ended));
    assert_false(ended);
}

static inline void get_state(const importer *m, void *c, void **state)
{
    DO(m->version == 2 ? (int)m->fmi2GetFMUstate(c, state) : (int)m->fmi3GetFMUState(c, state));
}

static inline void set_state(const importer *m, void *c, void *state)
{
    DO(m->version == 2 ? (int)m->fmi2SetFMUstate(c, state) : (int)m->fmi3SetFMUState(c, state));
}

static inline void free_state(const importer *m, void *c, void **state)
{
    DO(m->version == 2 ? (int)m->fmi2FreeFMUstate(c, state) : (int)m->fmi3FreeFMUState(c, state));
    assert_null(*state);
}

// --- model exchange ---

static inline void set_time(const importer *m, void *c, double t)
{
    DO(m->version == 2 ? (int)m->fmi2SetTime(c, t) : (int)m->fmi3SetTime(c, t));
}

static inline void set_continuous(const importer *m, void *c, const double *x)
{
    const size_t n = (size_t)m->states;
    DO(m->version == 2 ? (int)m->fmi2SetContinuousStates(c, x, n) : (int)m->fmi3SetContinuousStates(c, x, n));
}

static inline void get_continuous(const importer *m, void *c, double *x)
{
    const size_t n = (size_t)m->states;
    DO(m->version == 2 ? (int)m->fmi2GetContinuousStates(c, x, n) : (int)m->fmi3GetContinuousStates(c, x, n));
}

static inline int try_rates(const importer *m, void *c, double *rates)
{
    const size_t n = (size_t)m->states;
    return m->version == 2 ? (int)m->fmi2GetDerivatives(c, rates, n)
                           : (int)m->fmi3GetContinuousStateDerivatives(c, rates, n);
}

static inline int try_indicators(const importer *m, void *c, double *values)
{
    const size_t n = (size_t)m->indicators;
    return m->version == 2 ? (int)m->fmi2GetEventIndicators(c, values, n)
                           : (int)m->fmi3GetEventIndicators(c, values, n);
}

static inline void get_nominals(const importer *m, void *c, double *values)
{
    const size_t n = (size_t)m->states;
    DO(m->version == 2 ? (int)m->fmi2GetNominalsOfContinuousStates(c, values, n)
                       : (int)m->fmi3GetNominalsOfContinuousStates(c, values, n));
}

static inline int derive(const importer *m, void *c, size_t unknowns, const unsigned *unknown, size_t knowns,
                         const unsigned *known, const double *seed, double *out)
{
    return m->version == 2
               ? (int)m->fmi2GetDirectionalDerivative(c, unknown, unknowns, known, knowns, seed, out)
               : (int)m->fmi3GetDirectionalDerivative(c, unknown, unknowns, known, knowns, seed, knowns, out, unknowns);
}

typedef struct event {
    int ends, has_jumped;
    double next; // HUGE_VAL: none
} event;

// From continuous time (or initialization: `first`) through an event and back.
static inline event handle_event(const importer *m, void *c, int first)
{
    event e = {.next = HUGE_VAL};
    if (!first)
        DO(m->version == 2 ? (int)m->fmi2EnterEventMode(c) : (int)m->fmi3EnterEventMode(c));
    for (int again = 1; again && !e.ends;) {
        if (m->version == 2) {
            fmi2EventInfo info;
            DO(m->fmi2NewDiscreteStates(c, &info));
            again  = info.newDiscreteStatesNeeded;
            e.ends = info.terminateSimulation;
            e.has_jumped |= info.valuesOfContinuousStatesChanged;
            e.next = info.nextEventTimeDefined ? info.nextEventTime : HUGE_VAL;
        } else {
            fmi3Boolean needed, ends, nominals, jumped, has_next;
            double next;
            DO(m->fmi3UpdateDiscreteStates(c, &needed, &ends, &nominals, &jumped, &has_next, &next));
            again  = needed;
            e.ends = ends;
            e.has_jumped |= jumped;
            e.next = has_next ? next : HUGE_VAL;
        }
    }
    if (!e.ends)
        DO(m->version == 2 ? (int)m->fmi2EnterContinuousTimeMode(c) : (int)m->fmi3EnterContinuousTimeMode(c));
    return e;
}

// A step has been taken: does the unit want an event?
static inline int complete(const importer *m, void *c)
{
    if (m->version == 2) {
        fmi2Boolean wants = 0, ends = 0;
        DO(m->fmi2CompletedIntegratorStep(c, 1, &wants, &ends));
        return wants;
    }
    fmi3Boolean wants = 0, ends = 0;
    DO(m->fmi3CompletedIntegratorStep(c, 1, &wants, &ends));
    return wants;
}

static inline void finish(const importer *m, void *c)
{
    DO(m->version == 2 ? (int)m->fmi2Terminate(c) : (int)m->fmi3Terminate(c));
    free_instance(m, c);
}

// Data and vehicles of the repository beside the test.
static inline int enter_with_data(void **state)
{
    return enter_folder(state) == 0 && symlink(KANE_SOURCE_DIR "/data", "data") == 0 &&
                   symlink(KANE_SOURCE_DIR "/vehicles", "vehicles") == 0
               ? 0
               : -1;
}

#endif
