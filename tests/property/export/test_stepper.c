// SPDX-License-Identifier: MIT
// A run in steps of fixed cost as C ("kane export c --stepper"): the same bits as "kane run" with the same method and
// step, and as libkane's stepper behind events; nothing is allocated, the system is not called; deadlines.

#include "steps.h"

typedef struct steps {
    void *library, *memory, *m;
    size_t (*size)(void);
    void *(*begin)(void *memory);
    int (*step)(void *m);
    int (*outputs)(void *m, double *values);
    int (*set_input)(void *m, int input, double value);
    double (*get_input)(const void *m, int input);
    double (*state)(const void *m, double *y);
    int (*put)(void *m, double t, const double *y);
    void (*fault)(const void *m, size_t size, char *text);
} steps;

static steps load_steps(const char *folder_name)
{
    char path[512];
    steps e = {.library = NULL};
    (void)snprintf(path, sizeof path, "./%s/libm.so", folder_name);
    e.library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!e.library)
        fail_msg("%s", dlerror());
#define FIND(name)                                                                                                     \
    do {                                                                                                               \
        void *found = dlsym(e.library, "m_" #name);                                                                    \
        assert_non_null(found);                                                                                        \
        memcpy(&e.name, &found, sizeof found);                                                                         \
    } while (0)
    FIND(size);
    FIND(begin);
    FIND(step);
    FIND(outputs);
    FIND(set_input);
    FIND(get_input);
    FIND(state);
    FIND(put);
    FIND(fault);
#undef FIND
    e.memory = aligned_alloc(64, e.size());
    e.m      = e.begin(e.memory);
    return e;
}

static void unload_steps(steps *e)
{
    free(e->memory);
    (void)dlclose(e->library);
}

// Takes `count` steps with the exported model and by both ways of libkane. All bits are those of the stepper, and until
// the simulation has come to an event also its own: returns how many steps that were.
static int compare_steps(by_libkane *k, steps *e, int count, int every)
{
    CHECK_ERRORS errors = {0};
    double *own = numbers(k->size), *other = numbers(k->size), *rows = numbers(k->outputs), *same = numbers(k->outputs);
    int equal = 0;
    for (int i = 1; i <= count; i++) {
        assert_int_equal(kane_fixed_run_step(k->steps), KANE_OK);
        assert_int_equal(e->step(e->m), 0);
        const double t = kane_fixed_run_get(k->steps, own);
        assert_true(e->state(e->m, other) == t);
        same_bits("state", i, k->size, own, other);
        if (i % every == 0) {
            assert_int_equal(kane_fixed_run_read(k->steps, rows), KANE_OK);
            assert_int_equal(e->outputs(e->m, same), 0);
            same_bits("output", i, k->outputs, rows, same);
        }
        if (equal == i - 1 && kane_simulation_advance(k->simulation, t, &errors) == KANE_OK &&
            kane_simulation_time(k->simulation) == t &&
            memcmp(kane_simulation_state(k->simulation), own, (size_t)k->size * sizeof *own) == 0)
            equal = i;
    }
    free(own);
    free(other);
    free(rows);
    free(same);
    return equal;
}

// Goes on with inputs that change.
static void compare_with_inputs(by_libkane *k, steps *e, int count)
{
    double *own = numbers(k->size), *other = numbers(k->size);
    const int inputs = kane_model_input_count(k->model);
    for (int i = 1; i <= count; i++) {
        for (int input = 0; input < inputs && i % 5 == 0; input++) {
            const double value = kane_fixed_run_get_input(k->steps, input) + 10.0 * (i % 4 - 1);
            assert_true(e->get_input(e->m, input) == kane_fixed_run_get_input(k->steps, input));
            assert_int_equal(kane_fixed_run_set_input(k->steps, input, value), KANE_OK);
            assert_int_equal(e->set_input(e->m, input, value), KANE_OK);
        }
        assert_int_equal(kane_fixed_run_step(k->steps), KANE_OK);
        assert_int_equal(e->step(e->m), 0);
        (void)kane_fixed_run_get(k->steps, own);
        (void)e->state(e->m, other);
        same_bits("state with inputs", i, k->size, own, other);
    }
    assert_true(e->set_input(e->m, inputs, 0.0) != 0);
    free(own);
    free(other);
}

// A state that is no state of the model has no step, and says so; a good one goes on.
static void check_failures(by_libkane *k, steps *e)
{
    char text[512];
    double *y = numbers(k->size), *kept = numbers(k->size), *wrong = numbers(k->size);
    const double t = e->state(e->m, kept);
    memcpy(wrong, kept, (size_t)k->size * sizeof *wrong);
    wrong[0] = (double)NAN;
    assert_true(e->put(e->m, t, wrong) != 0);
    for (int i = 0; i < k->size; i++)
        wrong[i] = 1e3 * (i % 7 + 1);
    assert_int_equal(e->put(e->m, t, wrong), 0);
    assert_true(e->step(e->m) != 0);
    e->fault(e->m, sizeof text, text);
    assert_true(text[0] != '\0');
    assert_true(e->state(e->m, y) == t);
    same_bits("state that has no step", 0, k->size, wrong, y);
    assert_int_equal(e->put(e->m, t, kept), 0);
    assert_int_equal(e->step(e->m), 0);
    free(y);
    free(kept);
    free(wrong);
}

// Until "kane run" cuts a step at an event: so many steps have its bits.
static void check_run(const char *run, const char *const *settings, int count, int least)
{
    by_libkane k = open_run(run, settings);
    steps e      = load_steps("m");
    assert_true(compare_steps(&k, &e, count, 50) >= least);
    compare_with_inputs(&k, &e, 100);
    check_failures(&k, &e);
    unload_steps(&e);
    close_run(&k);
}

// Calls of malloc, calloc and realloc by a model are counted; free(NULL) is none.
static const char counting[] =
    "#include \"m.h\"\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "void *__real_malloc(size_t size);\n"
    "void *__real_calloc(size_t count, size_t size);\n"
    "void *__real_realloc(void *memory, size_t size);\n"
    "static long calls;\n"
    "void *__wrap_malloc(size_t size) { calls++; return __real_malloc(size); }\n"
    "void *__wrap_calloc(size_t count, size_t size) { calls++; return __real_calloc(count, size); }\n"
    "void *__wrap_realloc(void *memory, size_t size) { calls++; return __real_realloc(memory, size); }\n"
    "static _Alignas(64) unsigned char memory[1 << 24];\n"
    "static double y[m_states + 1], values[m_output_count + 1];\n"
    "int main(void)\n"
    "{\n"
    "    void *volatile own = malloc(1);\n"
    "    const long before  = calls;\n"
    "    free(own);\n"
    "    if (m_size() > sizeof memory)\n"
    "        return 2;\n"
    "    m *one = m_begin(memory);\n"
    "    for (int i = 0; i < 500; i++) {\n"
    "        for (int k = 0; k < m_input_count; k++)\n"
    "            m_set_input(one, k, m_get_input(one, k) + 1.0);\n"
    "        if (m_step(one) != 0 || m_outputs(one, values) != 0)\n"
    "            return 3;\n"
    "    }\n"
    "    m_put(one, m_state(one, y), y);\n"
    "    printf(\"%ld seen, %ld by the model\\n\", before, calls - before);\n"
    "    return m_step(one);\n"
    "}\n";

static void check_allocations(void)
{
    write_file("m/counting.c", counting);
    command_must("make -s -C m libm.a CFLAGS='-std=c11 -O0' && cc -std=c11 -o counting m/counting.c m/libm.a -lm "
                 "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc && ./counting > counted.txt");
    assert_string_equal(content("counted.txt"), "1 seen, 0 by the model\n");
    // what a machine without a system lacks
    command_must("nm -u m/m_model.o > undefined.txt && ! grep -E ' (f?open|f?printf|puts|f?write|f?read|exit|abort|"
                 "pthread_.*|clock_?.*|time|mmap)$' undefined.txt");
}

// The loop of 2 s: whether deadlines are met is up to what else this machine does.
static void check_deadlines(void)
{
    command_must("./m/deadline 2 > deadline.txt");
    assert_non_null(strstr(content("deadline.txt"), "2000 steps of 0.001 s, "));
    assert_non_null(strstr(content("deadline.txt"), "latest wake-up "));
    command_must("./m/example 100 50 2 > rows.txt 2> lengths.txt");
    assert_non_null(strstr(content("lengths.txt"), "100 steps of 0.001 s by semi_implicit: median "));
}

static void skip_without_compiler(void)
{
    if (!has_compiler("cc"))
        check_skip("there is no C compiler cc here (Debian: gcc)");
}

// Rails as constraints: a locomotive into its bends, 1.432 s before the first border of the line.
CHECK_TEST(semi_implicit_of_a_locomotive)
{
    static const char *const settings[] = {"integrator.method=semi_implicit", "integrator.step=1ms", NULL};
    skip_without_compiler();
    export_steps("data/runs/feve-curve.json", settings, "m");
    compile("m", "example deadline libm.so CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror'");
    check_run("data/runs/feve-curve.json", settings, 2000, 1400);
    check_allocations();
    check_deadlines();
}

// Loops, and tyres: no event comes.
CHECK_TEST(imex_of_a_sedan)
{
    static const char *const settings[] = {"integrator.method=imex", "integrator.step=1ms", NULL};
    skip_without_compiler();
    export_steps("data/runs/mechanism-sedan.json", settings, "m");
    compile("m", "example deadline libm.so CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror'");
    check_run("data/runs/mechanism-sedan.json", settings, 1000, 1000);
}

// Memory of its Jacobian is the same whenever it is made.
CHECK_TEST(imex_of_a_tree)
{
    static const char *const settings[] = {"integrator.method=imex", "integrator.step=1ms", NULL};
    export_steps("data/runs/mechanism-l15.json", settings, "m");
}

// Elastic contact: 2.281 s before the first border of the line.
CHECK_TEST(bdf2_of_a_wagon)
{
    static const char *const settings[] = {"integrator.method=bdf2", "integrator.step=1ms", NULL};
    skip_without_compiler();
    export_steps("data/runs/wagon-transition.json", settings, "m");
    compile("m", "example deadline libm.so CFLAGS='-std=c11 -O0 -Wall -Wextra -Werror'");
    check_run("data/runs/wagon-transition.json", settings, 3000, 2200);
    check_allocations();
}

CHECK_TEST(refused)
{
    CHECK_ERRORS errors                 = {0};
    static const char *const no_step[]  = {"integrator.method=bdf", NULL};
    const kane_export_c_options options = {
        .directory = "nothing", .name = "n", .kernels = KANE_SOURCE_DIR, .settings = no_step, .stepper = 1};
    assert_int_equal(kane_export_c(source_file("data/runs/mechanism-pendulum.json"), &options, &errors),
                     KANE_BAD_INPUT);
    assert_non_null(strstr(kane_errors_get(&errors, 0)->text, "the run's method is bdf; steps of fixed cost have"));
}

CHECK_MAIN(enter_folder, leave_folder)
