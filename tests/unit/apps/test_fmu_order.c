// SPDX-License-Identifier: MIT
// Units never take their host down: a caller that calls anything at any time, with arguments of any kind, and knows
// from the standards what must become of it. Its table is copied from the text of the standards and shares nothing with
// the table that units read: FMI 2.0.5, 3.2.3 "Calling sequence" (model exchange) and 4.2.4 (co-simulation); FMI 3.0.2,
// "Allowed Function Calls" of 2.3, 3.2 and 4.2.

#include "allocation.h"

#include "importer.h"

#include "base/machine.h"

#include <locale.h>
#include <math.h>

#define FOUR_BAR "data/runs/mechanism-four-bar.json"
#define SKYHOOK  "data/runs/coach-skyhook.json"
#define MOTOR    "data/runs/motor-wagon.json"
#define WAGON    "data/runs/wagon-transition.json"

static const char *const versions[] = {"2", "3"};

static int calls_each = 2500; // of each version in each use; the first argument of the program says otherwise

// --- a caller ---

// As the standards name them; FMI 3.0 has no error: its units are then terminated. ANYWHERE: forged bytes were taken
// for a state.
typedef enum place {
    INSTANTIATED,
    INITIALIZING,
    EVENT,
    CONTINUOUS,
    STEPPING,
    FAILED_STEP,
    ENDED,
    ERROR,
    ANYWHERE
} place;

typedef struct caller {
    const importer *m;
    unit_use use;
    void *c;
    place at;
    unsigned long long random;
    double now;       // of co-simulation
    int is_wild;      // 1: the unit has been given numbers with which no motion is possible
    int has_ended;    // the run: what comes after it is not said
    void *kept[4];    // states
    place kept_at[4]; // and where the unit was when they were saved
    double kept_time[4];
    int kept_wild[4];
    unsigned parameter, input, time, output, unknown; // value references; input: of nothing where there is none
    int inputs;
    double *numbers; // scratch, as many as states and 100 more
    // of the present call
    int is_bad;                                  // 1: its arguments are none that the standard allows
    place leads;                                 // to where it leads if it succeeds
    long calls, refused, done, in[ANYWHERE + 1]; // in: each place
} caller;

static unsigned draw(caller *r, unsigned count)
{
    r->random = r->random * 6364136223846793005ull + 1442695040888963407ull; // Knuth's
    return (unsigned)(r->random >> 33) % count;
}

// A number that is one in most cases.
static double draw_number(caller *r, double good)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e18, 5e-324, -1.0};
    return draw(r, 40) ? good : odd[draw(r, 8)];
}

// An argument that is there in most cases.
static void *draw_pointer(caller *r, void *good)
{
    if (draw(r, 60))
        return good;
    r->is_bad = 1;
    return NULL;
}

static size_t draw_count(caller *r, size_t good)
{
    static const size_t odd[] = {0, 1, 1000000, (size_t)-1};
    if (draw(r, 60))
        return good;
    const size_t count = odd[draw(r, 4)];
    r->is_bad |= count != good;
    return count;
}

// --- calls: each of them is made in both versions where both have it ---

#define TWO (r->m->version == 2)

static int call_logging(caller *r)
{
    static const char *const good[] = {"logEvents"}, *const bad[] = {"logNothing"}, *const none[] = {NULL};
    const unsigned kind           = draw(r, 40);
    const char *const *categories = kind == 0 ? bad : kind == 1 ? none : kind == 2 ? NULL : good;
    r->is_bad                     = kind < 3;
    return TWO ? (int)r->m->fmi2SetDebugLogging(r->c, 0, 1, categories)
               : (int)r->m->fmi3SetDebugLogging(r->c, 0, 1, categories);
}

static int call_set_up(caller *r)
{
    const double start = draw_number(r, 0.0), tolerance = draw_number(r, 1e-6);
    const int has = (int)draw(r, 2);
    r->is_bad     = start != 0.0 || (has && !(tolerance > 0.0 && isfinite(tolerance)));
    r->is_wild |= has && tolerance != 1e-6;
    return (int)r->m->fmi2SetupExperiment(r->c, has, tolerance, start, 0, 0.0);
}

static int call_enter_initialization(caller *r)
{
    r->leads = INITIALIZING;
    if (TWO)
        return (int)r->m->fmi2EnterInitializationMode(r->c);
    const double start = draw_number(r, 0.0);
    r->is_bad          = start != 0.0;
    return (int)r->m->fmi3EnterInitializationMode(r->c, draw(r, 2), 1e-6, start, 0, 0.0);
}

static int call_exit_initialization(caller *r)
{
    r->now   = 0.0;
    r->leads = r->use == STEPS ? STEPPING : EVENT;
    return exit_initialization(r->m, r->c);
}

static int call_terminate(caller *r)
{
    r->leads = ENDED;
    return TWO ? (int)r->m->fmi2Terminate(r->c) : (int)r->m->fmi3Terminate(r->c);
}

static int call_reset(caller *r)
{
    if (r->at < FAILED_STEP && draw(r, 8)) // seldom, or nothing ever happens
        return -1;
    r->leads   = INSTANTIATED;
    r->is_wild = r->has_ended = 0;
    return TWO ? (int)r->m->fmi2Reset(r->c) : (int)r->m->fmi3Reset(r->c);
}

static int call_get(caller *r)
{
    const unsigned all[] = {r->time, r->output, r->m->first_state, r->m->first_rate, r->parameter, 4000000000u};
    const int any        = (int)draw(r, 60) == 0;
    unsigned vr          = all[any ? 5 : draw(r, 5)];
    r->is_bad |= vr == 4000000000u || (r->at == INSTANTIATED && vr != r->parameter && vr != r->time);
    double value        = 0.0;
    const unsigned *one = draw_pointer(r, &vr);
    double *into        = draw_pointer(r, &value);
    return TWO ? (int)r->m->fmi2GetReal(r->c, one, 1, into) : (int)r->m->fmi3GetFloat64(r->c, one, 1, into, 1);
}

// Parameters before the unit is initialized, inputs always, states between events, nothing else.
static int call_set(caller *r)
{
    const unsigned kind  = draw(r, 6);
    const unsigned all[] = {r->time, r->output, r->m->first_state, r->parameter, r->input, r->input};
    const unsigned vr    = all[kind];
    double value         = draw_number(r, kind == 3 ? 0.4 + 0.001 * draw(r, 10) : kind == 2 ? r->numbers[0] : 10.0);
    r->is_bad |= kind < 2 || !isfinite(value) || (kind == 2 && r->at != CONTINUOUS) ||
                 (kind == 3 && r->at != INSTANTIATED && r->at != INITIALIZING) || (kind >= 4 && !r->inputs);
    r->is_wild |= kind == 2 || value == 1e300 || value == -1e300 || value == 1e18 || value == 5e-324 || value == -1.0;
    const unsigned *one = draw_pointer(r, (void *)(uintptr_t)&vr);
    const double *from  = draw_pointer(r, &value);
    return TWO ? (int)r->m->fmi2SetReal(r->c, one, 1, from) : (int)r->m->fmi3SetFloat64(r->c, one, 1, from, 1);
}

static int call_other_type(caller *r)
{
    unsigned vr      = 0;
    const size_t one = draw(r, 2);
    r->is_bad        = one > 0;
    if (TWO)
        return draw(r, 2) ? (int)r->m->fmi2GetInteger(r->c, &vr, one, NULL)
                          : (int)r->m->fmi2GetString(r->c, &vr, one, NULL);
    return (int)r->m->fmi3GetBinary(r->c, &vr, one, NULL, NULL, 0);
}

static int call_save(caller *r)
{
    const unsigned i = draw(r, 4);
    void **to        = draw_pointer(r, &r->kept[i]);
    const int status = TWO ? (int)r->m->fmi2GetFMUstate(r->c, to) : (int)r->m->fmi3GetFMUState(r->c, to);
    if (status != fmi2OK)
        return status;
    r->kept_at[i]   = r->at;
    r->kept_time[i] = r->now;
    r->kept_wild[i] = r->is_wild || r->has_ended;
    return status;
}

static int call_take_up(caller *r)
{
    const unsigned i = draw(r, 4);
    if (!r->kept[i] && draw(r, 20))
        return -1;
    r->is_bad = !r->kept[i];
    const int status =
        TWO ? (int)r->m->fmi2SetFMUstate(r->c, r->kept[i]) : (int)r->m->fmi3SetFMUState(r->c, r->kept[i]);
    r->is_wild = status != fmi2OK || r->kept_wild[i];
    if (status != fmi2OK)
        return status;
    r->leads = r->kept_at[i];
    r->now   = r->kept_time[i];
    return status;
}

static int call_free_state(caller *r)
{
    void **of = draw(r, 20) ? &r->kept[draw(r, 4)] : NULL;
    return TWO ? (int)r->m->fmi2FreeFMUstate(r->c, of) : (int)r->m->fmi3FreeFMUState(r->c, of);
}

// 0: the bytes are left as they are.
static int forge(caller *r, unsigned char *bytes, size_t size)
{
    const unsigned kind = draw(r, 4);
    if (kind == 0)
        return 0;
    for (unsigned k = 0; k < 1 + draw(r, 3); k++) {
        const size_t at = draw(r, 3) ? draw(r, (unsigned)size) : draw(r, 180) % size; // often in the head
        bytes[at]       = (unsigned char)draw(r, 256);
    }
    if (kind > 1) { // with the hash that belongs to it
        char hash[KANE_HASH_SIZE];
        kane_hash_bytes(bytes, size - sizeof hash, hash);
        memcpy(bytes + size - sizeof hash, hash, sizeof hash);
    }
    return 1;
}

// A state as bytes, damaged or forged, back into the unit: anything may be refused, what is taken up is wild.
static int call_bytes(caller *r)
{
    const unsigned i = draw(r, 4);
    size_t size      = 0;
    void *back       = NULL;
    if (!r->kept[i] || draw(r, 4))
        return -1;
    int status = TWO ? (int)r->m->fmi2SerializedFMUstateSize(r->c, r->kept[i], &size)
                     : (int)r->m->fmi3SerializedFMUStateSize(r->c, r->kept[i], &size);
    assert_int_equal(status, fmi2OK);
    unsigned char *bytes = malloc(size);
    status               = TWO ? (int)r->m->fmi2SerializeFMUstate(r->c, r->kept[i], (char *)bytes, size)
                               : (int)r->m->fmi3SerializeFMUState(r->c, r->kept[i], bytes, size);
    assert_int_equal(status, fmi2OK);
    const int is_forged = forge(r, bytes, size);
    const size_t said   = draw(r, 20) ? size : draw(r, (unsigned)size);
    status              = TWO ? (int)r->m->fmi2DeSerializeFMUstate(r->c, (char *)bytes, said, &back)
                              : (int)r->m->fmi3DeserializeFMUState(r->c, bytes, said, &back);
    if (status == fmi2OK) {
        status = TWO ? (int)r->m->fmi2SetFMUstate(r->c, back) : (int)r->m->fmi3SetFMUState(r->c, back);
        DO(TWO ? (int)r->m->fmi2FreeFMUstate(r->c, &back) : (int)r->m->fmi3FreeFMUState(r->c, &back));
    }
    free(bytes);
    r->is_bad  = status != fmi2OK;
    r->is_wild = is_forged || r->kept_wild[i];
    r->leads   = is_forged ? ANYWHERE : r->kept_at[i];
    r->now     = r->kept_time[i];
    return status;
}

static int call_derive(caller *r)
{
    const unsigned unknown = r->unknown, known = r->m->first_state;
    double seed = draw_number(r, 1.0), out = 0.0;
    r->is_bad = r->use == STEPS || !isfinite(seed);
    r->is_wild |= seed != 1.0;
    const unsigned *one = draw_pointer(r, (void *)(uintptr_t)&unknown);
    return derive(r->m, r->c, 1, one, 1, &known, &seed, &out);
}

static int call_enter_event(caller *r)
{
    r->leads = EVENT;
    return TWO ? (int)r->m->fmi2EnterEventMode(r->c) : (int)r->m->fmi3EnterEventMode(r->c);
}

static int call_update(caller *r)
{
    fmi2EventInfo info = {0};
    fmi3Boolean flag[5];
    double next;
    if (TWO) {
        const int status = (int)r->m->fmi2NewDiscreteStates(r->c, draw_pointer(r, &info));
        r->has_ended |= info.terminateSimulation;
        return status;
    }
    flag[1]          = 0;
    const int status = (int)r->m->fmi3UpdateDiscreteStates(r->c, draw_pointer(r, &flag[0]), &flag[1], &flag[2],
                                                           &flag[3], draw_pointer(r, &flag[4]), draw_pointer(r, &next));
    r->has_ended |= flag[1];
    return status;
}

static int call_enter_continuous(caller *r)
{
    r->leads = CONTINUOUS;
    return TWO ? (int)r->m->fmi2EnterContinuousTimeMode(r->c) : (int)r->m->fmi3EnterContinuousTimeMode(r->c);
}

static int call_complete(caller *r)
{
    fmi2Boolean two[2];
    fmi3Boolean three[2];
    return TWO ? (int)r->m->fmi2CompletedIntegratorStep(r->c, 1, draw_pointer(r, &two[0]), draw_pointer(r, &two[1]))
               : (int)r->m->fmi3CompletedIntegratorStep(r->c, 1, draw_pointer(r, &three[0]),
                                                        draw_pointer(r, &three[1]));
}

static int call_set_time(caller *r)
{
    const double t = draw_number(r, 1e-3 * draw(r, 100));
    r->is_bad      = !(t >= 0.0) || !isfinite(t);
    r->is_wild |= t > 1.0;
    return TWO ? (int)r->m->fmi2SetTime(r->c, t) : (int)r->m->fmi3SetTime(r->c, t);
}

// The states that it has, now and then one that is odd.
static int call_set_states(caller *r)
{
    const size_t n     = draw_count(r, (size_t)r->m->states);
    double *x          = draw_pointer(r, r->numbers);
    const unsigned one = draw(r, (unsigned)r->m->states);
    const double was = r->numbers[one], is = draw_number(r, was);
    r->numbers[one] = is;
    r->is_bad |= !isfinite(is);
    r->is_wild |= is != was;
    const int status =
        TWO ? (int)r->m->fmi2SetContinuousStates(r->c, x, n) : (int)r->m->fmi3SetContinuousStates(r->c, x, n);
    r->numbers[one] = was;
    return status;
}

static int call_get_states(caller *r)
{
    const size_t n = draw_count(r, (size_t)r->m->states);
    double *x      = draw_pointer(r, r->is_wild ? r->numbers + r->m->states : r->numbers);
    return TWO ? (int)r->m->fmi2GetContinuousStates(r->c, x, n) : (int)r->m->fmi3GetContinuousStates(r->c, x, n);
}

#define SCRATCH (r->numbers + r->m->states)

static int call_get_rates(caller *r)
{
    const size_t n = draw_count(r, (size_t)r->m->states);
    double *x      = draw_pointer(r, SCRATCH);
    return TWO ? (int)r->m->fmi2GetDerivatives(r->c, x, n) : (int)r->m->fmi3GetContinuousStateDerivatives(r->c, x, n);
}

static int call_get_indicators(caller *r)
{
    const size_t n = draw_count(r, (size_t)r->m->indicators);
    double *x      = r->m->indicators > 0 ? draw_pointer(r, SCRATCH) : NULL;
    return TWO ? (int)r->m->fmi2GetEventIndicators(r->c, x, n) : (int)r->m->fmi3GetEventIndicators(r->c, x, n);
}

static int call_get_nominals(caller *r)
{
    const size_t n = draw_count(r, (size_t)r->m->states);
    double *x      = draw_pointer(r, SCRATCH);
    return TWO ? (int)r->m->fmi2GetNominalsOfContinuousStates(r->c, x, n)
               : (int)r->m->fmi3GetNominalsOfContinuousStates(r->c, x, n);
}

static int call_get_sizes(caller *r)
{
    size_t size;
    return draw(r, 2) ? (int)r->m->fmi3GetNumberOfContinuousStates(r->c, draw_pointer(r, &size))
                      : (int)r->m->fmi3GetNumberOfEventIndicators(r->c, draw_pointer(r, &size));
}

static int call_step(caller *r)
{
    const double from = draw_number(r, r->now), step = draw_number(r, 1e-4 * draw(r, 10));
    r->is_bad = !(fabs(from - r->now) <= 1e-9) || !(step >= 0.0) || !(from + step <= 1e12);
    if (!r->is_bad && step > 1.0)
        return -1; // it would be carried out
    fmi3Boolean flag[3] = {0};
    double last;
    const int status = TWO ? (int)r->m->fmi2DoStep(r->c, from, step, 1)
                           : (int)r->m->fmi3DoStep(r->c, from, step, 1, draw_pointer(r, &flag[0]), &flag[1], &flag[2],
                                                   draw_pointer(r, &last));
    r->now           = status == fmi2OK ? from + step : r->now;
    if (TWO && status == fmi2Discard)
        r->leads = FAILED_STEP;
    return status;
}

static int call_cancel(caller *r)
{
    return (int)r->m->fmi2CancelStep(r->c);
}

// What was never pending is not known: discarded.
static int call_status(caller *r)
{
    double time         = 0.0;
    fmi2Boolean flag    = 0;
    fmi2String text     = NULL;
    const unsigned kind = draw(r, 3);
    return kind == 0   ? (int)r->m->fmi2GetRealStatus(r->c, fmi2LastSuccessfulTime, draw_pointer(r, &time))
           : kind == 1 ? (int)r->m->fmi2GetBooleanStatus(r->c, fmi2Terminated, draw_pointer(r, &flag))
                       : (int)r->m->fmi2GetStringStatus(r->c, fmi2PendingStatus, &text);
}

static int call_input_rates(caller *r)
{
    return (int)r->m->fmi2SetRealInputDerivatives(r->c, NULL, 0, NULL, NULL);
}

static int call_output_rates(caller *r)
{
    return TWO ? (int)r->m->fmi2GetRealOutputDerivatives(r->c, NULL, 0, NULL, NULL)
               : (int)r->m->fmi3GetOutputDerivatives(r->c, NULL, 0, NULL, NULL, 0);
}

static int call_clocks(caller *r)
{
    return (int)r->m->fmi3GetShiftDecimal(r->c, NULL, 0, NULL);
}

static int call_configuration(caller *r)
{
    return draw(r, 2) ? (int)r->m->fmi3EnterConfigurationMode(r->c) : (int)r->m->fmi3EnterStepMode(r->c);
}

// --- what the standards say ---

// Columns: instantiated, initialization mode, event mode, continuous-time mode, between steps, step failed, terminated,
// error. 'x': allowed; '?': the standard says nothing, or that the value is of no use; '-': not allowed, in that use or
// at all. Columns of the other use are not read.
static const struct rule {
    int (*call)(caller *r);
    const char *two, *three; // NULL: that version does not have it
} rules[] = {
    //                              INECSFTX    INECSFTX
    {call_logging, "xxxxxxxx", "xxxxx-xx"},
    {call_set_up, "x-------", NULL},
    {call_enter_initialization, "x-------", "x-------"},
    {call_exit_initialization, "-x------", "-x------"},
    {call_terminate, "--xxxx--", "--xxx---"},
    {call_reset, "xxxxxxxx", "xxxxx-xx"},
    {call_get, "-xxxxxx?", "xxxxx-x?"},
    {call_set, "xxxxx---", "xxxxx---"},
    {call_other_type, "-xxxxxxx", "xxxxx-xx"},
    {call_save, "xxxxxxx?", "xxxxx-x?"},
    {call_take_up, "xxxxxxxx", "xxxxx-xx"},
    {call_free_state, "xxxxxxxx", "xxxxx-xx"},
    {call_bytes, "xxxxxxxx", "xxxxx-xx"},
    {call_derive, "-xxxxxx?", "-xxxx-x?"},
    {call_enter_event, "--xx----", "---x----"},
    {call_update, "--x-----", "--x-----"},
    {call_enter_continuous, "--x-----", "--x-----"},
    {call_complete, "---x----", "---x----"},
    {call_set_time, "--?x----", "---x----"}, // 2.0: in event mode of its first edition alone
    {call_set_states, "---x----", "---x----"},
    {call_get_states, "-xxx--x?", "-xxx--x?"},
    {call_get_rates, "-xxx--x?", "-xxx--x?"},
    {call_get_indicators, "-xxx--x?", "-xxx--x?"},
    {call_get_nominals, "xxxx--x?", "-xxx--x?"},
    {call_get_sizes, NULL, "x?x?--??"},
    {call_step, "----x---", "----x---"},
    {call_cancel, "--------", NULL},
    {call_status, "----xxx-", NULL},
    {call_input_rates, "xx--x---", NULL},
    {call_output_rates, "----xxx?", "----x-x?"},
    {call_clocks, NULL, "-x------"},
    {call_configuration, NULL, "--------"},
};

enum { RULES = sizeof rules / sizeof *rules };

// Calls of model exchange alone, and those of co-simulation alone.
static int belongs_to(int (*call)(caller *r), unit_use use)
{
    static int (*const exchange[])(caller * r) = {
        call_enter_event, call_update,    call_enter_continuous, call_complete,     call_set_time, call_set_states,
        call_get_states,  call_get_rates, call_get_indicators,   call_get_nominals, call_get_sizes};
    static int (*const steps[])(caller * r) = {call_step, call_status, call_input_rates, call_output_rates};
    for (size_t i = 0; i < sizeof exchange / sizeof *exchange; i++)
        if (call == exchange[i] && use == STEPS)
            return 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (call == steps[i] && use == EXCHANGE)
            return 0;
    return 1;
}

// Any call; in most cases one that is allowed, often one that leads on, or nothing would happen after the first error.
static unsigned draw_rule(caller *r)
{
    static int (*const on[])(caller * r) = {call_enter_initialization,
                                            call_exit_initialization,
                                            call_enter_continuous,
                                            call_set_states,
                                            call_step,
                                            call_reset,
                                            call_reset,
                                            call_reset,
                                            call_reset};
    unsigned n                           = draw(r, RULES);
    if (draw(r, 5) == 0)
        for (n = 0; rules[n].call != on[r->at]; n++)
            ;
    for (int tries = 0; tries < 20 && draw(r, 12); tries++, n = draw(r, RULES)) {
        const char *said = TWO ? rules[n].two : rules[n].three;
        if (said && (r->at == ANYWHERE || said[r->at] != '-') && belongs_to(rules[n].call, r->use))
            break;
    }
    return n;
}

// One call, and whether what came of it is what the standard says.
static void call_any(caller *r)
{
    const place was  = r->at;
    const unsigned n = draw_rule(r);
    const char *said = TWO ? rules[n].two : rules[n].three;
    if (!said)
        return;
    const char rule = was == ANYWHERE ? '?' : belongs_to(rules[n].call, r->use) ? said[was] : '-';
    r->is_bad       = 0;
    r->leads        = was;
    logged[0]       = '\0';
    const int wild = r->is_wild || r->has_ended, status = rules[n].call(r);
    if (status < 0)
        return;
    r->calls++;
    r->in[was]++;
    if (status == fmi2Error) {
        r->refused++;
        if (rule == 'x' && !r->is_bad && !wild && !r->is_wild)
            fail_msg("rule %u fails in state %d: %s", n, (int)was, logged);
        if (!logged[0])
            fail_msg("rule %u fails in state %d without a word", n, (int)was);
        r->at = ERROR;
        return;
    }
    r->done += status == fmi2OK;
    if (rule == '-' || (rule == 'x' && r->is_bad))
        fail_msg("rule %u gives %d in state %d%s", n, status, (int)was, r->is_bad ? " with bad arguments" : "");
    assert_true(status == fmi2OK || status == fmi2Discard);
    if (status == fmi2OK || r->leads == FAILED_STEP)
        r->at = r->leads;
}

static caller create_caller(const importer *m, unit_use use)
{
    caller r    = {.m = m, .use = use, .random = 17 + (unsigned)use, .c = instantiate(m, use)};
    r.numbers   = calloc((size_t)m->states * 2 + 100, sizeof *r.numbers);
    r.time      = reference(m, "time");
    r.output    = r.time + 1;
    r.unknown   = m->first_rate;
    r.inputs    = count_text(content(m->description), "causality=\"input\"");
    r.input     = r.inputs ? r.time - 1 : 4000000000u;
    r.parameter = 0;
    return r;
}

static void free_caller(caller *r)
{
    for (int i = 0; i < 4; i++)
        if (r->kept[i])
            free_state(r->m, r->c, &r->kept[i]);
    free_instance(r->m, r->c);
    free(r->numbers);
}

// It has been everywhere, and many calls were carried out.
static void check_places(const caller *r)
{
    static const char *const places[] = {"INSFTXA", "INECTXA"}; // of co-simulation; of model exchange
    static const char letters[]       = "INECSFTXA";
    if (r->calls < 1000) // too few to say
        return;
    assert_true(r->done > r->calls / 5);
    for (const char *at = places[r->use == EXCHANGE]; *at; at++)
        if (*at != 'F' && r->in[strchr(letters, *at) - letters] < r->calls / (*at == 'A' ? 4000 : 200))
            fail_msg("%ld of %ld calls in state %c", r->in[strchr(letters, *at) - letters], r->calls, *at);
}

CHECK_TEST(nothing_that_is_called_takes_the_host_down)
{
    static const struct {
        const char *run, *parameter, *channel;
        int share; // of the calls
    } units[] = {{FOUR_BAR, "mechanism.bodies.crank.mass=0.4", "crank.joint.angle", 1},
                 {SKYHOOK, "vehicle.bodies.car.mass=32000", "car.acceleration.z", 20}};
    for (int i = 0; i < 2; i++)
        for (int v = 0; v < 2; v++) {
            assert_int_equal(CALL("fmu", units[i].run, "-f", versions[v], "-o", "any.fmu", "-c", units[i].channel, "-p",
                                  units[i].parameter),
                             0);
            const CHECK_FREED(importer) m = import("any.fmu", "any");
            for (int use = STEPS; use <= EXCHANGE; use++) {
                caller r = create_caller(&m, (unit_use)use);
                for (int k = 0; k < calls_each / units[i].share; k++)
                    call_any(&r);
                print_message("FMI %s, %s: %ld calls, %ld done, %ld refused\n", versions[v],
                              use == STEPS ? "co-simulation" : "model exchange", r.calls, r.done, r.refused);
                check_places(&r);
                free_caller(&r);
            }
        }
}

// --- what took hosts down ---

static importer make_unit(const char *run, const char *version, const char *channel, const char *parameter)
{
    assert_int_equal(parameter ? CALL("fmu", run, "-f", version, "-o", "one.fmu", "-c", channel, "-p", parameter)
                               : CALL("fmu", run, "-f", version, "-o", "one.fmu", "-c", channel),
                     0);
    return import("one.fmu", "one");
}

// Terminated before it was ever initialized: nothing is there that could be evaluated.
CHECK_TEST(termination_comes_after_initialization)
{
    for (int v = 0; v < 2; v++) {
        const CHECK_FREED(importer) m = make_unit(FOUR_BAR, versions[v], "crank.joint.angle", NULL);
        CHECK_MEMORY double *x        = calloc((size_t)m.states, sizeof *x);
        void *c                       = instantiate(&m, EXCHANGE);
        assert_int_equal(v ? (int)m.fmi3Terminate(c) : (int)m.fmi2Terminate(c), fmi2Error);
        assert_non_null(strstr(logged, "Terminate is not allowed before initialization"));
        assert_int_equal(v ? (int)m.fmi3SetTime(c, 0.1) : (int)m.fmi2SetTime(c, 0.1), fmi2Error);
        assert_non_null(strstr(logged, "SetTime is not allowed after an error"));
        assert_int_equal(try_rates(&m, c, x), fmi2Error);
        assert_non_null(strstr(logged, "an earlier call has failed"));
        reset(&m, c);
        begin(&m, c);
        (void)handle_event(&m, c, 1);
        DO(try_rates(&m, c, x));
        finish(&m, c);
    }
}

// The resources are gone when a state asks for another model; once they are back a reset helps.
CHECK_TEST(a_state_that_cannot_be_taken_up_ends_the_unit)
{
    for (int v = 0; v < 2; v++) {
        void *kept = NULL;
        int ended  = 0;
        const CHECK_FREED(importer) m =
            make_unit(FOUR_BAR, versions[v], "crank.joint.angle", "mechanism.bodies.crank.mass=0.4");
        void *a = instantiate(&m, STEPS), *b = instantiate(&m, STEPS);
        assert_int_equal(set_value(&m, a, 0, 0.5), fmi2OK);
        begin(&m, a);
        begin(&m, b);
        get_state(&m, a, &kept);
        assert_int_equal(rename("one/resources", "one/elsewhere"), 0);
        assert_int_equal(v ? (int)m.fmi3SetFMUState(b, kept) : (int)m.fmi2SetFMUstate(b, kept), fmi2Error);
        assert_non_null(strstr(logged, "one/resources"));
        assert_int_equal(do_step(&m, b, 0.0, 0.01, &ended), fmi2Error);
        assert_non_null(strstr(logged, "DoStep is not allowed after an error"));
        assert_int_equal(rename("one/elsewhere", "one/resources"), 0);
        reset(&m, b);
        begin(&m, b);
        step(&m, b, 0.0, 0.01);
        set_state(&m, b, kept);
        check_near(read_one(&m, b, 0), 0.5, 0.0);
        free_state(&m, a, &kept);
        finish(&m, a);
        finish(&m, b);
    }
}

// However late it is: an event ends.
CHECK_TEST(events_far_away_end)
{
    static const struct {
        const char *run, *channel;
    } units[] = {{FOUR_BAR, "crank.joint.angle"}, {SKYHOOK, "car.y"}, {WAGON, "body.y"}, {MOTOR, "body.y"}};
    static const double times[] = {1e3, 1e12, 1e18, 1e300};
    for (int i = 0; i < 4; i++)
        for (int v = 0; v < 2; v++) {
            const CHECK_FREED(importer) m = make_unit(units[i].run, versions[v], units[i].channel, NULL);
            void *c                       = instantiate(&m, EXCHANGE);
            for (int k = 0; k < 4; k++) {
                fmi2EventInfo info;
                fmi3Boolean flag[5];
                double next;
                begin(&m, c);
                (void)handle_event(&m, c, 1);
                set_time(&m, c, times[k]);
                DO(v ? (int)m.fmi3EnterEventMode(c) : (int)m.fmi2EnterEventMode(c));
                (void)alarm(20);
                const int status =
                    v ? (int)m.fmi3UpdateDiscreteStates(c, &flag[0], &flag[1], &flag[2], &flag[3], &flag[4], &next)
                      : (int)m.fmi2NewDiscreteStates(c, &info);
                (void)alarm(0);
                assert_true(status == fmi2OK || logged[0]);
                reset(&m, c);
            }
            free_instance(&m, c);
        }
}

// A host with a decimal comma sets fractional parameters and tolerances. The locale is made here where the machine has
// none.
CHECK_TEST(a_decimal_comma_of_the_host_changes_nothing)
{
    const CHECK_FREED(importer) m = make_unit(FOUR_BAR, "2", "crank.joint.angle", "mechanism.bodies.crank.mass=0.4");
    double value[2]               = {0.0};
    (void)system("mkdir -p locales && localedef -i de_DE -f UTF-8 ./locales/de_DE.UTF-8 >out 2>&1");
    (void)setenv("LOCPATH", "locales", 1);
    for (int i = 0; i < 2; i++) {
        if (i && !setlocale(LC_ALL, "de_DE.UTF-8")) {
            check_skip_part("no locale with a decimal comma (Debian: locales)");
            break;
        }
        void *c = instantiate(&m, STEPS);
        assert_int_equal(set_value(&m, c, 0, 0.4375), fmi2OK);
        enter_initialization(&m, c, 1.5e-7);
        DO(exit_initialization(&m, c));
        step(&m, c, 0.0, 0.01);
        value[i] = read_one(&m, c, reference(&m, "crank.joint.angle"));
        finish(&m, c);
        (void)check_set_locale();
        if (i)
            check_near(value[1], value[0], 0.0);
    }
    (void)unsetenv("LOCPATH");
}

// Nothing where something should be: no instance, nobody who listens, no name.
CHECK_TEST(what_is_null_is_refused)
{
    static const fmi2CallbackFunctions deaf = {.logger = NULL};
    const CHECK_FREED(importer) m           = make_unit(FOUR_BAR, "2", "crank.joint.angle", NULL);
    double value                            = 0.0;
    unsigned vr                             = 0;
    assert_int_equal(m.fmi2GetReal(NULL, &vr, 1, &value), fmi2Error);
    assert_int_equal(m.fmi2DoStep(NULL, 0.0, 0.1, 1), fmi2Error);
    assert_int_equal(m.fmi3GetFloat64(NULL, &vr, 1, &value, 1), fmi3Error);
    assert_int_equal(m.fmi3UpdateDiscreteStates(NULL, NULL, NULL, NULL, NULL, NULL, NULL), fmi3Error);
    assert_null(m.fmi2Instantiate(NULL, fmi2CoSimulation, NULL, NULL, NULL, 0, 0));
    assert_null(m.fmi2Instantiate("one", (fmi2Type)7, m.guid, m.resources, &calls, 0, 0));
    assert_null(m.fmi3InstantiateModelExchange(NULL, NULL, NULL, 0, 0, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        void *c = m.fmi2Instantiate(NULL, fmi2CoSimulation, m.guid, m.resources, i ? &deaf : NULL, 0, 1);
        assert_non_null(c);
        assert_int_equal(m.fmi2DoStep(c, 0.0, 0.1, 1), fmi2Error);
        m.fmi2FreeInstance(c);
    }
}

// One attempt: a unit is made, initialized, moved on, saved, put into a saved state of another model, moved on.
static int try_all(const importer *m, void **c, unit_use use, void *kept, void **own)
{
    fmi2EventInfo info;
    *c = m->fmi2Instantiate("one", use == STEPS ? fmi2CoSimulation : fmi2ModelExchange, m->guid, m->resources, &calls,
                            0, 0);
    int status = *c ? fmi2OK : fmi2Error;
    if (status == fmi2OK)
        status = (int)m->fmi2EnterInitializationMode(*c);
    if (status == fmi2OK)
        status = (int)m->fmi2ExitInitializationMode(*c);
    for (int i = 0; i < 2 && status == fmi2OK; i++) {
        status = use == STEPS ? (int)m->fmi2DoStep(*c, 0.0, 1e-3, 1) : (int)m->fmi2NewDiscreteStates(*c, &info);
        if (status == fmi2OK && i == 0)
            status = (int)m->fmi2GetFMUstate(*c, own);
        if (status == fmi2OK && i == 0)
            status = (int)m->fmi2SetFMUstate(*c, kept);
    }
    return status;
}

// Each allocation, or one of `stride`, fails once; CVODE's own are left out, for SUNDIALS 6.4 itself does not survive
// the loss of its logger.
static void check_memory(unit_use use, const char *setting, int stride)
{
    assert_int_equal(CALL("fmu", FOUR_BAR, "-o", "one.fmu", "-c", "crank.joint.angle", "-p",
                          "mechanism.bodies.crank.mass=0.4", "-s", setting),
                     0);
    const CHECK_FREED(importer) m = import("one.fmu", "one");
    void *kept = NULL, *a = instantiate(&m, use);
    const unsigned mass = 0;
    int failed = 1, refused = 0;
    double value = 0.0;
    assert_int_equal(set_value(&m, a, mass, 0.5), fmi2OK);
    begin(&m, a);
    get_state(&m, a, &kept);
    for (int k = 1; failed; k += stride) {
        void *c = NULL, *own = NULL;
        allocation_fail_at(k);
        const int status = try_all(&m, &c, use, kept, &own);
        failed           = allocation_stop();
        refused += status != fmi2OK;
        assert_true(status == fmi2OK || status == fmi2Error);
        if (c && status != fmi2OK && k % 10 == 0) { // what it can do after that
            assert_int_equal(m.fmi2DoStep(c, 0.0, 1e-3, 1), fmi2Error);
            (void)m.fmi2GetReal(c, &mass, 1, &value);
            reset(&m, c);
            begin(&m, c);
            set_state(&m, c, kept);
        }
        if (own)
            free_state(&m, c, &own);
        if (c)
            free_instance(&m, c);
        logged[0] = '\0';
    }
    print_message("%d allocations refused with an error\n", refused);
    assert_true(refused > 100);
    free_state(&m, a, &kept);
    finish(&m, a);
}

CHECK_TEST(memory_may_be_short_anywhere)
{
    check_memory(EXCHANGE, "until.time=1", 1);
    check_memory(STEPS, "integrator={\"method\": \"rk4\", \"step\": 1e-3}", 7); // most of them are the same
}

int main(int argc, char **argv)
{
    calls_each = argc > 1 ? atoi(argv[1]) : calls_each;
    return check_run_tests(enter_with_data, leave_folder);
}
