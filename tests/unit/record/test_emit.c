// SPDX-License-Identifier: MIT
// Emitted source gives what the tape gives: C compiled and loaded, with lanes too; Python and Octave run by their
// interpreters; Modelica by a parser of its own. Python needs numpy; who lacks an interpreter is told.

#include "folder.h"
#include "modelica.h"

#include <kane/kane.h>

#include "record/record.h"

#include <dlfcn.h>
#include <float.h>

enum { STATES = 4 };

typedef struct subject {
    kane_run *run;
    kane_model *model;
    kane_recording *recording;
    int n, count;                    // numbers of a state, of all outputs
    double *y[STATES], *out[STATES]; // states, and what the tape gives there
    double *found[STATES];           // what emitted source gives
} subject;

static const double when = 0.125;

static void subject_open(subject *s, const char *name, kane_record_what what)
{
    char file[512], text[900];
    CHECK_ERRORS errors        = {0};
    kane_record_options o      = kane_record_options_default();
    const kane_run_options how = {0};
    (void)snprintf(file, sizeof file, "%s/data/runs/mechanism-%s.json", KANE_SOURCE_DIR, name);
    *s           = (subject){.run = kane_run_read(file, &how, &errors)};
    s->model     = s->run ? kane_run_create_model(s->run, &errors) : NULL;
    o.what       = what;
    s->recording = s->model ? kane_record_create(s->model, &o, &errors) : NULL;
    if (!s->recording) {
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
        fail_msg("%s", text);
    }
    s->n                         = kane_model_state_count(s->model);
    s->count                     = kane_record_output_count(s->recording);
    CHECK_MEMORY double *symbols = calloc((size_t)s->recording->symbol_count, sizeof *symbols);
    CHECK_MEMORY double *values  = calloc((size_t)s->recording->tape.count, sizeof *values);
    for (int k = 0; k < STATES; k++) {
        s->y[k]     = calloc((size_t)s->n, sizeof *s->y[k]);
        s->out[k]   = calloc((size_t)s->count, sizeof *s->out[k]);
        s->found[k] = calloc((size_t)s->count, sizeof *s->found[k]);
        for (int i = 0; i < s->n; i++)
            s->y[k][i] = s->recording->start[1 + i] + 1e-3 * ((7 * i + 3 * k) % 11 - 5);
        symbols[0] = when;
        memcpy(symbols + 1, s->y[k], (size_t)s->n * sizeof *symbols);
        assert_true(kane_record_play(s->recording, symbols, values, s->out[k]));
    }
}

static void subject_close(subject *s)
{
    for (int k = 0; k < STATES; k++) {
        free(s->y[k]);
        free(s->out[k]);
        free(s->found[k]);
    }
    kane_record_free(s->recording);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

static void compare(subject *s, double tolerance)
{
    for (int k = 0; k < STATES; k++) {
        double size = 1.0;
        for (int i = 0; i < s->count; i++)
            size = fmax(size, fabs(s->out[k][i]));
        for (int i = 0; i < s->count; i++)
            if (!(fabs(s->found[k][i] - s->out[k][i]) <= check_tolerance(tolerance) * size))
                fail_msg("state %d, number %d: %.17g is %.17g on the tape", k, i, s->found[k][i], s->out[k][i]);
    }
}

// Rates that two mathematical libraries give, one by one. Functions of both are right to 4 units in the last place; all
// other operations are the same. A sine that is wrong by e displaces what it turns as a state would that is wrong by e
// (1 + |y|) (levers up to a metre, angles of one): rates differ by at most e |J| (1 + |y|), J the exact Jacobian.
static void compare_libraries(subject *s)
{
    kane_errors errors                   = {0};
    CHECK_OWNED(kane_work) *work         = kane_work_create(s->model, &errors);
    CHECK_OWNED(kane_jacobian) *jacobian = kane_jacobian_create(s->model, s->n);
    const kane_pattern *pattern          = kane_jacobian_pattern(jacobian);
    CHECK_MEMORY double *J               = calloc((size_t)pattern->count, sizeof *J);
    CHECK_MEMORY double *rate = calloc((size_t)s->n, sizeof *rate), *bound = calloc((size_t)s->n, sizeof *bound);
    assert_non_null(work);
    assert_int_equal(s->count, s->n);
    assert_int_equal(kane_initial_state(s->model, work, rate, &errors), KANE_OK);
    for (int k = 0; k < STATES; k++) {
        assert_int_equal(kane_jacobian_eval(jacobian, s->model, work, when, s->y[k], rate, J), KANE_OK);
        for (int i = 0; i < s->n; i++)
            bound[i] = 4.0 * DBL_EPSILON * fabs(s->out[k][i]);
        for (int j = 0; j < s->n; j++)
            for (int at = pattern->column_start[j]; at < pattern->column_start[j + 1]; at++)
                bound[pattern->row[at]] += 4.0 * DBL_EPSILON * fabs(J[at]) * (1.0 + fabs(s->y[k][j]));
        for (int i = 0; i < s->n; i++) {
            const double gap = fabs(s->found[k][i] - s->out[k][i]);
            if (!(gap <= check_tolerance(bound[i])))
                fail_msg("state %d, rate %d: %.17g is %.17g on the tape, bound %g", k, i, s->found[k][i], s->out[k][i],
                         bound[i]);
            if (bound[i] > 0.0)
                check_figure(gap / bound[i], "of the bound");
        }
    }
}

static void emit(const subject *s, kane_emit_target target, const char *file, int lanes)
{
    const kane_emit_options how = {.function = "recorded", .origin = "a run", .lanes = lanes};
    FILE *f                     = fopen(file, "w");
    assert_non_null(f);
    kane_record_emit(s->recording, target, &how, f);
    assert_int_equal(fclose(f), 0);
}

// --- C ---

static void *load(const char *options, const char *name)
{
    char library[300];
    command_must("cc -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off %s -shared -fPIC -o %s.so recorded.c -lm",
                 options, name);
    (void)snprintf(library, sizeof library, "./%s.so", name);
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(handle);
    return handle;
}

typedef int function(double t, const double *y, double *out);

static function *find(void *handle)
{
    function *f;
    void *symbol = dlsym(handle, "recorded");
    assert_non_null(symbol);
    memcpy(&f, &symbol, sizeof f);
    return f;
}

// The same operations in the same order: the same bits.
CHECK_TEST(c_gives_the_same_bits)
{
    static const char *const names[] = {"four-bar", "rear-corner", "bench", "block"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_END(subject_close) subject s = {0};
        subject_open(&s, names[i], KANE_RECORD_RATES);
        emit(&s, KANE_EMIT_C, "recorded.c", 1);
        void *handle = load("", names[i]);
        for (int k = 0; k < STATES; k++)
            assert_int_equal(find(handle)(when, s.y[k], s.found[k]), 1);
        compare(&s, 0.0);
        (void)dlclose(handle);
    }
}

CHECK_TEST(c_has_jacobians)
{
    CHECK_END(subject_close) subject s = {0};
    subject_open(&s, "four-bar", KANE_RECORD_JACOBIAN);
    emit(&s, KANE_EMIT_C, "recorded.c", 1);
    void *handle = load("", "jacobian");
    for (int k = 0; k < STATES; k++)
        assert_int_equal(find(handle)(when, s.y[k], s.found[k]), 1);
    compare(&s, 0.0);
    (void)dlclose(handle);
}

CHECK_TEST(lanes_are_states_side_by_side)
{
    static const char *const names[] = {"rear-corner", "bench"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_END(subject_close) subject s = {0};
        char name[64];
        subject_open(&s, names[i], KANE_RECORD_RATES);
        emit(&s, KANE_EMIT_C, "recorded.c", STATES);
        (void)snprintf(name, sizeof name, "%s-lanes", names[i]);
        void *handle = load("-Wno-psabi", name);
        double *y    = calloc((size_t)s.n * STATES, sizeof *y);
        double *out  = calloc((size_t)s.count * STATES, sizeof *out);
        for (int k = 0; k < STATES; k++)
            for (int j = 0; j < s.n; j++)
                y[j * STATES + k] = s.y[k][j];
        assert_int_equal(find(handle)(when, y, out), 1);
        for (int k = 0; k < STATES; k++)
            for (int j = 0; j < s.count; j++)
                s.found[k][j] = out[j * STATES + k];
        compare(&s, 0.0);
        free(out);
        free(y);
        (void)dlclose(handle);
    }
}

// --- interpreters ---

// Whatever an interpreter has written, number by number: states one after the other, first one by one and then all at
// once.
static void compare_numbers(subject *s)
{
    const char *text = content("numbers");
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < STATES; k++)
            for (int i = 0; i < s->count; i++) {
                char *end;
                s->found[k][i] = strtod(text, &end);
                if (end == text)
                    fail_msg("numbers are missing");
                text = end;
            }
        compare_libraries(s);
    }
}

static void write_states(const subject *s, FILE *f, const char *begin, const char *next, const char *end)
{
    (void)fputs(begin, f);
    for (int k = 0; k < STATES; k++) {
        (void)fputs(k ? next : "", f);
        for (int i = 0; i < s->n; i++)
            (void)fprintf(f, "%s%.17g", i ? ", " : "", s->y[k][i]);
    }
    (void)fputs(end, f);
}

CHECK_TEST(python_gives_the_same)
{
    static const char *const names[] = {"four-bar", "rear-corner", "bench", "block"};
    const char *python               = command_python_needed("numpy", "python3-numpy");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_END(subject_close) subject s = {0};
        subject_open(&s, names[i], KANE_RECORD_RATES);
        emit(&s, KANE_EMIT_PYTHON, "recorded.py", 1);
        FILE *f = fopen("drive.py", "w");
        (void)fputs("import numpy as np\nfrom recorded import recorded\n", f);
        write_states(&s, f, "Y = np.array([[", "], [", "]]).T\n");
        // one by one, and all at once
        (void)fprintf(f, "one = [recorded(%g, Y[:, k]) for k in range(%d)]\nall = recorded(%g, Y)\n", when, STATES,
                      when);
        (void)fputs("assert all.shape == (len(one[0]), len(one))\n", f);
        (void)fputs("print('\\n'.join('%.17g' % x for x in np.ravel([one, all.T])))\n", f);
        assert_int_equal(fclose(f), 0);
        command_must("PYTHONDONTWRITEBYTECODE=1 %s drive.py >numbers", python);
        compare_numbers(&s);
    }
}

CHECK_TEST(octave_gives_the_same)
{
    static const char *const names[] = {"four-bar", "rear-corner", "bench", "block"};
    if (!command_works("octave-cli --version >/dev/null 2>&1"))
        check_skip("there is no octave-cli here (Debian: octave)");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_END(subject_close) subject s = {0};
        subject_open(&s, names[i], KANE_RECORD_RATES);
        emit(&s, KANE_EMIT_OCTAVE, "recorded.m", 1);
        FILE *f = fopen("drive.m", "w");
        write_states(&s, f, "Y = [", "; ", "]';\n");
        (void)fprintf(f, "one = [];\nfor k = 1:%d\n  one = [one, recorded(%g, Y(:, k))];\nendfor\n", STATES, when);
        (void)fprintf(f, "printf('%%.17g\\n', one);\nprintf('%%.17g\\n', recorded(%g, Y));\n", when);
        assert_int_equal(fclose(f), 0);
        if (!command_works("octave-cli --no-init-file --quiet drive.m >numbers 2>log"))
            fail_msg("%s: %s", names[i], content("log"));
        compare_numbers(&s);
    }
}

CHECK_TEST(modelica_is_well_formed_and_gives_the_same)
{
    static const char *const names[] = {"four-bar", "rear-corner", "bench", "block"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_END(subject_close) subject s = {0};
        subject_open(&s, names[i], i == 0 ? KANE_RECORD_JACOBIAN : KANE_RECORD_RATES);
        emit(&s, KANE_EMIT_MODELICA, "recorded.mo", 1);
        for (int k = 0; k < STATES; k++)
            modelica_evaluate(content("recorded.mo"), when, s.y[k], s.found[k]);
        compare(&s, 1e-12);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
