// SPDX-License-Identifier: MIT
// What users of an exported stepper see. In the texts below @ is the name of the model.

#include "export/export.h"

#include "base/number.h"
#include "simulate/simulation.h"

#include <math.h>
#include <stddef.h>

static const char *const called[] = {"kane_fixed_run_step",  "kane_fixed_run_read",      "kane_fixed_run_get",
                                     "kane_fixed_run_put",   "kane_fixed_run_get_input", "kane_fixed_run_set_input",
                                     "kane_fixed_run_fault", "kane_error_format"};

int kane_export_stepper_query(kane_kernels *kernels, kane_errors *errors)
{
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (!kane_kernels_query(kernels, called[i], "", errors))
            return 0;
    return 1;
}

// --- the header ---

static const char header_begin[] =
    "//\n"
    "//   static _Alignas(64) unsigned char memory[...];       // @_size() bytes, or from aligned_alloc\n"
    "//   @ *m = @_begin(memory);                              // stands at the beginning of the run\n"
    "//   for (;;) {                                           // every @_step_length seconds\n"
    "//       (void)@_set_input(m, 0, measured);\n"
    "//       if (@_step(m) != 0) ...                          // no solution: @_fault says why\n"
    "//       (void)@_outputs(m, values);\n"
    "//   }\n"
    "//\n"
    "// A step costs the same every time but for a new Jacobian every so many steps. Nothing is allocated, and "
    "instances\n"
    "// share nothing but constants. At the end of a step frames that have passed a border of the line go on in "
    "its next\n"
    "// piece. Derailments are not looked for. SI units, angles in rad. Functions return 0, or another number "
    "and change\n"
    "// nothing.\n"
    "\n"
    "#ifndef @_STEPPER_H\n"
    "#define @_STEPPER_H\n"
    "\n"
    "#include <stddef.h>\n"
    "\n"
    "enum {\n";

static const char header_middle[] =
    "\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n"
    "typedef struct @ @; // an instance\n"
    "\n"
    "// Memory of an instance [bytes], aligned to 64. It may be copied to continue from there only to where it "
    "came from: it\n"
    "// holds addresses of itself.\n"
    "size_t @_size(void);\n"
    "@ *@_begin(void *memory);\n"
    "\n"
    "extern const double @_step_length; // [s]\n"
    "extern const char *const @_method;\n"
    "\n"
    "// One step: the state at the beginning + k @_step_length comes after k calls.\n"
    "int @_step(@ *m);\n"
    "\n"
    "// What the run records, at the state.\n"
    "int @_outputs(@ *m, double values[]);\n"
    "\n"
    "// Numbers that are set from outside, from the next step on. Not 0: there is no such input, or a number "
    "that is not\n"
    "// finite.\n"
    "int @_set_input(@ *m, int input, double value);\n"
    "double @_get_input(const @ *m, int input);\n"
    "\n"
    "// The state and its time [s]; another state to go on from.\n"
    "double @_state(const @ *m, double y[]);\n"
    "int @_put(@ *m, double t, const double y[]);\n"
    "\n"
    "typedef struct @_quantity {\n"
    "    const char *name, *unit, *help;\n"
    "} @_quantity;\n"
    "extern const @_quantity @_state_info[], @_output_info[], @_input_info[];\n"
    "\n"
    "// Why the last step had no solution, as a text.\n"
    "void @_fault(const @ *m, size_t size, char *text);\n"
    "\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n"
    "\n"
    "#endif\n";

void kane_export_stepper_write_header(FILE *file, const kane_export_interface *interface)
{
    const kane_model *model = interface->steps->model;
    kane_export_write_head(file, interface, "The steps");
    kane_export_write_template(file, interface, header_begin);
    kane_export_write_template(file, interface, "    @_states");
    (void)fprintf(file, " = %d,\n", kane_model_state_count(model));
    kane_export_write_template(file, interface, "    @_output_count");
    (void)fprintf(file, " = %d,\n", kane_channels_count(interface->channels));
    kane_export_write_template(file, interface, "    @_input_count");
    (void)fprintf(file, " = %d\n};\n", kane_model_input_count(model));
    kane_export_write_template(file, interface, header_middle);
}

// --- the functions ---

// The functions of libkane as they are called here: what they point to is opaque.
static const char source_begin[] = "\n"
                                   "#include \"@.h\"\n"
                                   "\n"
                                   "#include <string.h>\n"
                                   "\n"
                                   "int kane_fixed_run_step(void *run);\n"
                                   "int kane_fixed_run_read(void *run, double *values);\n"
                                   "double kane_fixed_run_get(const void *run, double *y);\n"
                                   "int kane_fixed_run_put(void *run, double t, const double *y);\n"
                                   "double kane_fixed_run_get_input(const void *run, int input);\n"
                                   "int kane_fixed_run_set_input(void *run, int input, double value);\n"
                                   "void kane_fixed_run_fault(const void *run, void *errors);\n"
                                   "int kane_error_format(const void *error, size_t size, char *text);\n"
                                   "void @_fill(void *memory);\n"
                                   "\n"
                                   "static void *at(const @ *m, size_t place)\n"
                                   "{\n"
                                   "    return (unsigned char *)(size_t)m + place;\n"
                                   "}\n"
                                   "\n";

static const char source_end[] = "\n"
                                 "size_t @_size(void)\n"
                                 "{\n"
                                 "    return memory_size;\n"
                                 "}\n"
                                 "\n"
                                 "@ *@_begin(void *memory)\n"
                                 "{\n"
                                 "    @_fill(memory);\n"
                                 "    return memory;\n"
                                 "}\n"
                                 "\n"
                                 "int @_step(@ *m)\n"
                                 "{\n"
                                 "    return kane_fixed_run_step(at(m, run));\n"
                                 "}\n"
                                 "\n"
                                 "int @_outputs(@ *m, double values[])\n"
                                 "{\n"
                                 "    return kane_fixed_run_read(at(m, run), values);\n"
                                 "}\n"
                                 "\n"
                                 "int @_set_input(@ *m, int input, double value)\n"
                                 "{\n"
                                 "    return kane_fixed_run_set_input(at(m, run), input, value);\n"
                                 "}\n"
                                 "\n"
                                 "double @_get_input(const @ *m, int input)\n"
                                 "{\n"
                                 "    return kane_fixed_run_get_input(at(m, run), input);\n"
                                 "}\n"
                                 "\n"
                                 "double @_state(const @ *m, double y[])\n"
                                 "{\n"
                                 "    return kane_fixed_run_get(at(m, run), y);\n"
                                 "}\n"
                                 "\n"
                                 "int @_put(@ *m, double t, const double y[])\n"
                                 "{\n"
                                 "    return kane_fixed_run_put(at(m, run), t, y);\n"
                                 "}\n"
                                 "\n"
                                 "void @_fault(const @ *m, size_t size, char *text)\n"
                                 "{\n"
                                 "    union {\n"
                                 "        double d;\n"
                                 "        unsigned char bytes[errors_size];\n"
                                 "    } errors;\n"
                                 "    const int one = 1;\n"
                                 "    memset(&errors, 0, sizeof errors);\n"
                                 "    memcpy(errors.bytes + errors_limit, &one, sizeof one);\n"
                                 "    kane_fixed_run_fault(at(m, run), &errors);\n"
                                 "    (void)kane_error_format(errors.bytes + first_error, size, text);\n"
                                 "}\n";

void kane_export_stepper_write_source(FILE *file, const kane_export_interface *interface)
{
    char length[KANE_NUMBER_SIZE];
    kane_export_write_head(file, interface, "The steps");
    kane_export_write_template(file, interface, source_begin);
    (void)fprintf(file, "// In the memory of an instance [byte].\nenum { run = %zu, memory_size = %zu };\n\n",
                  interface->steps_at, interface->memory);
    kane_export_write_errors_enum(file);
    kane_export_write_template(file, interface, "const double @_step_length");
    kane_number_format(interface->steps->length, length);
    (void)fprintf(file, " = %s;\n", length);
    kane_export_write_template(file, interface, "const char *const @_method");
    (void)fprintf(file, " = \"%s\";\n", interface->method);
    kane_export_write_quantities(file, interface);
    kane_export_write_template(file, interface, source_end);
}

// --- the example and the loop ---

static const char example_begin[] =
    "//\n"
    "// Takes the steps of the run, prints outputs and states what a step takes:\n"
    "//   example [STEPS [ROWS [REPEATS]]]\n"
    "//           steps (-1: of the run); steps from row to row (0: no rows); how often the run is repeated: of "
    "each step\n"
    "//           the shortest time counts, so that what the system does meanwhile does not\n"
    "\n"
    "#define _POSIX_C_SOURCE 200809L\n"
    "\n"
    "#include \"@.h\"\n"
    "\n"
    "#include <math.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <time.h>\n"
    "\n"
    "\n";

static const char example[] =
    "static double values[@_output_count + 1], y[@_states + 1];\n"
    "\n"
    "static double now(void)\n"
    "{\n"
    "    struct timespec t;\n"
    "    clock_gettime(CLOCK_MONOTONIC, &t);\n"
    "    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n"
    "}\n"
    "\n"
    "static int print_row(@ *m)\n"
    "{\n"
    "    const int status = @_outputs(m, values);\n"
    "    printf(\"%.17g\", @_state(m, y));\n"
    "    for (int i = 0; i < @_output_count; i++)\n"
    "        printf(\",%.17g\", values[i]);\n"
    "    printf(\"\\n\");\n"
    "    return status;\n"
    "}\n"
    "\n"
    "static void print_head(void)\n"
    "{\n"
    "    printf(\"time [s]\");\n"
    "    for (int i = 0; i < @_output_count; i++)\n"
    "        printf(\",%s [%s]\", @_output_info[i].name, @_output_info[i].unit);\n"
    "    printf(\"\\n\");\n"
    "}\n"
    "\n"
    "// Takes steps and notes their lengths where they are shorter than before [s]. Returns how many have been "
    "taken.\n"
    "static long take_steps(@ *m, long steps, long every, double *lengths)\n"
    "{\n"
    "    for (long taken = 0; taken < steps; taken++) {\n"
    "        const double begin = now();\n"
    "        const int status   = @_step(m);\n"
    "        lengths[taken]     = fmin(lengths[taken], now() - begin);\n"
    "        if (status != 0) {\n"
    "            char text[512];\n"
    "            @_fault(m, sizeof text, text);\n"
    "            fprintf(stderr, \"error %d after %ld steps: %s\\n\", status, taken, text);\n"
    "            return taken;\n"
    "        }\n"
    "        if (every > 0 && (taken + 1) % every == 0)\n"
    "            (void)print_row(m);\n"
    "    }\n"
    "    return steps;\n"
    "}\n"
    "\n"
    "static int compare_lengths(const void *a, const void *b)\n"
    "{\n"
    "    const double *x = a, *z = b;\n"
    "    return (*x > *z) - (*x < *z);\n"
    "}\n"
    "\n"
    "static void print_lengths(long count, double *lengths)\n"
    "{\n"
    "    long longest = 0;\n"
    "    for (long i = 0; i < count; i++)\n"
    "        longest = lengths[i] > lengths[longest] ? i : longest;\n"
    "    const double most = lengths[longest];\n"
    "    qsort(lengths, (size_t)count, sizeof *lengths, compare_lengths);\n"
    "    fprintf(stderr, \"%ld steps of %g s by %s: \", count, @_step_length, @_method);\n"
    "    fprintf(stderr, \"median %.1f us, 99.9 %% within %.1f us, longest %.1f us (step %ld)\\n\", 1e6 * "
    "lengths[count / 2],\n"
    "            1e6 * lengths[count * 999 / 1000], 1e6 * most, longest + 1);\n"
    "}\n"
    "\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    const long asked = argc > 1 ? atol(argv[1]) : -1, every = argc > 2 ? atol(argv[2]) : 0;\n"
    "    const long repeats = argc > 3 ? atol(argv[3]) : 1, steps = asked < 0 ? run_steps : asked;\n"
    "    double *lengths    = aligned_alloc(64, ((size_t)steps / 8 + 1) * 64);\n"
    "    void *memory       = aligned_alloc(64, @_size());\n"
    "    long taken         = steps;\n"
    "    if (!memory || !lengths)\n"
    "        return 2;\n"
    "    for (long i = 0; i <= steps; i++)\n"
    "        lengths[i] = HUGE_VAL;\n"
    "    for (long run = 0; run < repeats && taken == steps; run++) {\n"
    "        @ *m = @_begin(memory);\n"
    "        if (every > 0 && run == 0) {\n"
    "            print_head();\n"
    "            (void)print_row(m);\n"
    "        }\n"
    "        taken = take_steps(m, steps, run == 0 ? every : 0, lengths);\n"
    "    }\n"
    "    if (taken > 0)\n"
    "        print_lengths(taken, lengths);\n"
    "    free(lengths);\n"
    "    free(memory);\n"
    "    return taken < steps;\n"
    "}\n";

static const char deadline[] =
    "//\n"
    "// The model in real time: a step begins every @_step_length seconds and must have ended, outputs and all, "
    "when the\n"
    "// next begins.\n"
    "//   deadline [SECONDS]            prints how many did not, and the worst of everything; 1: a step had no "
    "solution\n"
    "//\n"
    "// In place of `exchange` comes what reads sensors and writes to actuators. To keep deadlines the thread "
    "needs priority\n"
    "// (SCHED_FIFO) and memory that stays (mlockall), which the system grants to some users alone; without them "
    "overruns\n"
    "// are the system's.\n"
    "\n"
    "#define _DEFAULT_SOURCE\n"
    "\n"
    "#include \"@.h\"\n"
    "\n"
    "#include <errno.h>\n"
    "#include <math.h>\n"
    "#include <sched.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <sys/mman.h>\n"
    "#include <time.h>\n"
    "\n"
    "static double values[@_output_count + 1];\n"
    "\n"
    "static long long nanoseconds(struct timespec t)\n"
    "{\n"
    "    return 1000000000ll * t.tv_sec + t.tv_nsec;\n"
    "}\n"
    "\n"
    "static long long now(void)\n"
    "{\n"
    "    struct timespec t;\n"
    "    clock_gettime(CLOCK_MONOTONIC, &t);\n"
    "    return nanoseconds(t);\n"
    "}\n"
    "\n"
    "static void sleep_until(long long time)\n"
    "{\n"
    "    const struct timespec t = {.tv_sec = time / 1000000000ll, .tv_nsec = time % 1000000000ll};\n"
    "    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)\n"
    "        continue;\n"
    "}\n"
    "\n"
    "// Inputs of the next step from outputs of the last one: here they stay as they are.\n"
    "static int exchange(@ *m)\n"
    "{\n"
    "    int status = 0;\n"
    "    for (int i = 0; i < @_input_count && status == 0; i++)\n"
    "        status = @_set_input(m, i, @_get_input(m, i));\n"
    "    return status;\n"
    "}\n"
    "\n"
    "static void ask_for_priority(void)\n"
    "{\n"
    "    const struct sched_param highest = {.sched_priority = sched_get_priority_max(SCHED_FIFO) - 1};\n"
    "    const int has_priority = sched_setscheduler(0, SCHED_FIFO, &highest) == 0;\n"
    "    const int stays        = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;\n"
    "    printf(\"priority: %s, memory: %s\\n\", has_priority ? \"SCHED_FIFO\" : \"as others\", stays ? "
    "\"locked\" : \"not locked\");\n"
    "}\n"
    "\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    const long steps       = lround((argc > 1 ? atof(argv[1]) : 2.0) / @_step_length);\n"
    "    const long long period = llround(1e9 * @_step_length);\n"
    "    long long late = 0, longest = 0, longest_step = 0;\n"
    "    long overruns = 0, taken = 0;\n"
    "    void *memory = aligned_alloc(64, @_size());\n"
    "    if (!memory)\n"
    "        return 2;\n"
    "    @ *m       = @_begin(memory);\n"
    "    int status = 0;\n"
    "    ask_for_priority();\n"
    "    for (long long begin = now() + period; status == 0 && taken < steps; begin += period) {\n"
    "        sleep_until(begin);\n"
    "        const long long woken = now();\n"
    "        status                = exchange(m);\n"
    "        const long long start = now();\n"
    "        if (status == 0)\n"
    "            status = @_step(m);\n"
    "        const long long end = now();\n"
    "        if (status == 0)\n"
    "            status = @_outputs(m, values);\n"
    "        const long long finished = now();\n"
    "        late                     = woken - begin > late ? woken - begin : late;\n"
    "        longest_step             = end - start > longest_step ? end - start : longest_step;\n"
    "        longest                  = finished - woken > longest ? finished - woken : longest;\n"
    "        overruns += finished > begin + period;\n"
    "        taken += status == 0;\n"
    "    }\n"
    "    printf(\"%ld steps of %g s, %ld overruns\\n\", taken, @_step_length, overruns);\n"
    "    printf(\"latest wake-up %.1f us, longest step %.1f us, with inputs and outputs %.1f us\\n\", 1e-3 * "
    "(double)late,\n"
    "           1e-3 * (double)longest_step, 1e-3 * (double)longest);\n"
    "    if (status != 0) {\n"
    "        char text[512];\n"
    "        @_fault(m, sizeof text, text);\n"
    "        printf(\"error %d: %s\\n\", status, text);\n"
    "    }\n"
    "    free(memory);\n"
    "    return status != 0;\n"
    "}\n";

// Steps of the run; 10 s of them, where its end is not a time.
static long count_steps(const kane_export_interface *interface)
{
    const double end = interface->simulation->next_event, time = end > 0.0 && end < KANE_NO_EVENT ? end : 10.0;
    return (long)ceil((time - interface->steps->begin) / interface->steps->length * (1.0 - 1e-9));
}

void kane_export_stepper_write_example(FILE *file, const kane_export_interface *interface)
{
    kane_export_write_head(file, interface, "An example that takes the steps");
    kane_export_write_template(file, interface, example_begin);
    (void)fprintf(file, "enum { run_steps = %ld }; // from the beginning to the end of the run\n",
                  count_steps(interface));
    kane_export_write_template(file, interface, example);
}

void kane_export_stepper_write_deadline(FILE *file, const kane_export_interface *interface)
{
    kane_export_write_head(file, interface, "A loop with deadlines");
    kane_export_write_template(file, interface, deadline);
}

// --- the makefile ---

static const char rules[] =
    "example: example.o @_model.o\n"
    "\t$(CC) $(LDFLAGS) -o $@ example.o @_model.o -lm\n"
    "\n"
    "deadline: deadline.o @_model.o\n"
    "\t$(CC) $(LDFLAGS) -o $@ deadline.o @_model.o -lm\n"
    "\n"
    "# The longest step in time, each the shortest of some repeats; RUN: what runs programs of another processor,\n"
    "# \"qemu-aarch64 -L /usr/aarch64-linux-gnu\".\n"
    "STEPS = -1\n"
    "REPEATS = 5\n"
    "time: example\n"
    "\t$(RUN) ./example $(STEPS) 0 $(REPEATS)\n"
    "\n"
    "# In instructions, by valgrind: totals of each step.\n"
    "STEPS_COUNTED = 200\n"
    "count: example\n"
    "\trm -f counted counted.*\n"
    "\tvalgrind -q --tool=callgrind --callgrind-out-file=counted --dump-before=@_step --dump-after=@_step \\\n"
    "\t    ./example $(STEPS_COUNTED)\n"
    "\tawk '/^desc: Trigger:/ {of = /dump-after/} /^summary:/ && of {print $$2}' counted.* | sort -n | \\\n"
    "\t    awk '{n[NR] = $$1} END {print NR \" steps: median \" n[int((NR + 1) / 2)] \", most \" n[NR] \" "
    "instructions\"}'\n"
    "\trm -f counted counted.*\n"
    "\n"
    ".PHONY: time count\n"
    "\n";

void kane_export_stepper_write_makefile(FILE *file, const kane_export_interface *interface)
{
    static const char *const names[]      = {"size",       "begin",       "step_length", "method", "step",
                                             "outputs",    "set_input",   "get_input",   "state",  "put",
                                             "state_info", "output_info", "input_info",  "fault"};
    static const kane_export_makefile how = {
        .head = "# make: an example, a loop with deadlines, and the steps as a library; make time, make count: what "
                "a step takes.\n# With -ffp-contract=off results are those of libkane to the last bit.\n",
        .programs   = "example deadline",
        .rules      = rules,
        .name_count = sizeof names / sizeof *names,
        .names      = names};
    kane_export_write_makefile(file, interface, &how);
}
