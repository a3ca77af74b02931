// SPDX-License-Identifier: MIT
// What users of an exported model see. In the texts below @ is the name of the model.

#include "export/export.h"

#include <kane/outside.h>

#include "base/text.h"
#include "simulate/simulation.h"

#include <string.h>

static const char *const called[] = {
    "kane_eval",
    "kane_outside_put",
    "kane_outside_rates",
    "kane_outside_slopes",
    "kane_outside_indicators",
    "kane_outside_indicator_name",
    "kane_outside_complete",
    "kane_outside_event",
    "kane_outside_next",
    "kane_channels_read",
    "kane_simulation_state",
    "kane_simulation_time",
    "kane_simulation_stop",
    "kane_simulation_stop_subject",
    "kane_stop_name",
    "kane_simulation_get_input",
    "kane_simulation_set_input",
    "kane_work_fault",
    "kane_error_format",
};

int kane_export_interface_query(const kane_export_interface *interface, kane_kernels *kernels, kane_errors *errors)
{
    (void)interface;
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (!kane_kernels_query(kernels, called[i], "", errors))
            return 0;
    return 1;
}

void kane_export_write_template(FILE *file, const kane_export_interface *interface, const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '@' && (c == text || c[-1] != '$'))
            (void)fputs(interface->name, file);
        else
            (void)fputc(*c, file);
}

void kane_export_write_head(FILE *file, const kane_export_interface *interface, const char *what)
{
    (void)fprintf(file, "// SPDX-License-Identifier: MIT\n// %s of ", what);
    kane_write_comment(file, interface->run);
    (void)fprintf(file, ", written by \"kane export c\" of libkane %s (%s).\n", kane_version(), kane_commit());
}

// --- the header ---

static const char header_begin[] =
    "//\n"
    "//   static _Alignas(64) unsigned char memory[...];       // @_size() bytes, or from aligned_alloc\n"
    "//   @ *m = @_begin(memory);                              // stands at the beginning of the run\n"
    "//   double y[@_states], ydot[@_states];\n"
    "//   double t = @_state(m, y);\n"
    "//   if (@_derivative(m, t, y, ydot) != 0) ...            // dy/dt, a function of t, y and the discrete state\n"
    "//\n"
    "// The discrete state says on which pieces of the line and of the speed the vehicle is and which speeds are independent. It changes in\n"
    "// @_event alone, which is called once before the first step, and whenever @_accept asks for it, t comes to @_next, or an\n"
    "// indicator changes its sign; the example shows how. Nothing is allocated, and instances share nothing but constants.\n"
    "//\n"
    "// Functions return 0; a positive number: a smaller step may help; a negative one: not. SI units, angles in rad.\n"
    "\n";

static const char header_middle[] =
    "\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n"
    "typedef struct @ @; // an instance\n"
    "\n"
    "// Memory of an instance [bytes], aligned to 64. It may be copied to continue from there only to where it came from: it holds\n"
    "// addresses of itself.\n"
    "size_t @_size(void);\n"
    "@ *@_begin(void *memory);\n"
    "\n"
    "// The state where the instance stands; its time [s].\n"
    "double @_state(const @ *m, double y[]);\n"
    "\n"
    "// dy/dt at (t, y), the same bits as kane_eval.\n"
    "int @_derivative(@ *m, double t, const double y[], double ydot[]);\n"
    "\n"
    "// d(dy/dt)/dy at (t, y): values of the entries, column by column. Those of column j are values[@_column[j]] up to before\n"
    "// values[@_column[j + 1]], in the rows @_row[...].\n"
    "int @_jacobian(@ *m, double t, const double y[], double values[]);\n"
    "extern const int @_column[], @_row[];\n"
    "\n"
    "// What the run records, at (t, y).\n"
    "int @_outputs(@ *m, double t, const double y[], double values[]);\n"
    "\n"
    "typedef struct @_quantity {\n"
    "    const char *name, *unit, *help;\n"
    "} @_quantity;\n"
    "extern const @_quantity @_state_info[], @_output_info[], @_input_info[];\n"
    "\n"
    "// Numbers that are set from outside; -2: there is no such input, or the number is not finite.\n"
    "double @_get_input(const @ *m, int input);\n"
    "int @_set_input(@ *m, int input, double value);\n"
    "\n"
    "// --- for integrators ---\n"
    "\n"
    "// Between events each indicator keeps its sign.\n"
    "int @_indicators(@ *m, double t, const double y[], double values[]);\n"
    "void @_indicator_name(const @ *m, int indicator, size_t size, char *name);\n"
    "\n"
    "// Time of the next event that is known beforehand [s].\n"
    "double @_next(const @ *m);\n"
    "\n"
    "// A step has ended at (t, y). *due: an event should follow (constraints have drifted, or independent speeds are poor).\n"
    "int @_accept(@ *m, double t, const double y[], int *due);\n"
    "\n"
    "// Does what happens at (t, y), if anything; y comes back as the state that goes on. *jumped: it is another one.\n"
    "int @_event(@ *m, double t, double y[], int *jumped);\n"
    "\n"
    "// Why the run has ended; NULL: it has not.\n"
    "const char *@_stopped(const @ *m);\n"
    "\n"
    "// What went wrong in the last call that did not return 0, as a text.\n"
    "void @_fault(@ *m, size_t size, char *text);\n"
    "\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n"
    "\n"
    "#endif\n";

void kane_export_interface_write_header(FILE *file, const kane_export_interface *interface)
{
    const kane_simulation *s = interface->simulation;
    kane_export_write_head(file, interface, "The model");
    kane_export_write_template(file, interface, header_begin);
    kane_export_write_template(file, interface,
                               "#ifndef @_MODEL_H\n#define @_MODEL_H\n\n#include <stddef.h>\n\nenum {\n");
    kane_export_write_template(file, interface, "    @_states");
    (void)fprintf(file, " = %d,\n", s->size);
    kane_export_write_template(file, interface, "    @_entries");
    (void)fprintf(file, " = %d, // of the Jacobian\n", kane_outside_pattern(s)->count);
    kane_export_write_template(file, interface, "    @_output_count");
    (void)fprintf(file, " = %d,\n", kane_channels_count(interface->channels));
    kane_export_write_template(file, interface, "    @_input_count");
    (void)fprintf(file, " = %d,\n", kane_model_input_count(s->model));
    kane_export_write_template(file, interface, "    @_indicator_count");
    (void)fprintf(file, " = %d\n};\n", kane_outside_indicator_count(s));
    kane_export_write_template(file, interface, header_middle);
}

// --- the functions ---

// The functions of libkane as they are called here: what they point to is opaque.
static const char source_begin[] =
    "\n#include \"@.h\"\n"
    "\n"
    "#include <string.h>\n"
    "\n"
    "int kane_eval(const void *model, void *work, double t, const double *y, double *ydot);\n"
    "int kane_outside_put(void *s, double t, const double *y);\n"
    "int kane_outside_rates(void *s, double *ydot, void *errors);\n"
    "int kane_outside_slopes(void *s, double *values, void *errors);\n"
    "int kane_outside_indicators(void *s, double *values, void *errors);\n"
    "void kane_outside_indicator_name(const void *s, int indicator, size_t size, char *name);\n"
    "int kane_outside_complete(void *s, int *due, void *errors);\n"
    "int kane_outside_event(void *s, int *jumped, void *errors);\n"
    "double kane_outside_next(const void *s);\n"
    "int kane_channels_read(const void *channels, void *s, double *values);\n"
    "const double *kane_simulation_state(const void *s);\n"
    "double kane_simulation_time(const void *s);\n"
    "int kane_simulation_stop(const void *s);\n"
    "const char *kane_stop_name(int stop);\n"
    "double kane_simulation_get_input(const void *s, int input);\n"
    "int kane_simulation_set_input(void *s, int input, double value);\n"
    "void @_fill(void *memory);\n"
    "void kane_work_fault(const void *model, const void *work, void *errors);\n"
    "int kane_error_format(const void *error, size_t size, char *text);\n"
    "extern const unsigned char *const @_fixed;\n"
    "\n"
    "static void *at(const @ *m, size_t place)\n"
    "{\n"
    "    return (unsigned char *)(size_t)m + place;\n"
    "}\n"
    "\n";

static const char source_end[] =
    "\n"
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
    "double @_state(const @ *m, double y[])\n"
    "{\n"
    "    memcpy(y, kane_simulation_state(at(m, simulation)), @_states * sizeof *y);\n"
    "    return kane_simulation_time(at(m, simulation));\n"
    "}\n"
    "\n"
    "int @_jacobian(@ *m, double t, const double y[], double values[])\n"
    "{\n"
    "    const int status = kane_outside_put(at(m, simulation), t, y);\n"
    "    return status ? status : kane_outside_slopes(at(m, simulation), values, 0);\n"
    "}\n"
    "\n"
    "int @_outputs(@ *m, double t, const double y[], double values[])\n"
    "{\n"
    "    const int status = kane_outside_put(at(m, simulation), t, y);\n"
    "    return status ? status : kane_channels_read(at(m, channels), at(m, simulation), values);\n"
    "}\n"
    "\n"
    "double @_get_input(const @ *m, int input)\n"
    "{\n"
    "    return kane_simulation_get_input(at(m, simulation), input);\n"
    "}\n"
    "\n"
    "int @_set_input(@ *m, int input, double value)\n"
    "{\n"
    "    return kane_simulation_set_input(at(m, simulation), input, value);\n"
    "}\n"
    "\n"
    "int @_indicators(@ *m, double t, const double y[], double values[])\n"
    "{\n"
    "    const int status = kane_outside_put(at(m, simulation), t, y);\n"
    "    return status ? status : kane_outside_indicators(at(m, simulation), values, 0);\n"
    "}\n"
    "\n"
    "void @_indicator_name(const @ *m, int indicator, size_t size, char *name)\n"
    "{\n"
    "    kane_outside_indicator_name(at(m, simulation), indicator, size, name);\n"
    "}\n"
    "\n"
    "double @_next(const @ *m)\n"
    "{\n"
    "    return kane_outside_next(at(m, simulation));\n"
    "}\n"
    "\n"
    "int @_accept(@ *m, double t, const double y[], int *due)\n"
    "{\n"
    "    const int status = kane_outside_put(at(m, simulation), t, y);\n"
    "    *due             = 0;\n"
    "    return status ? status : kane_outside_complete(at(m, simulation), due, 0);\n"
    "}\n"
    "\n"
    "int @_event(@ *m, double t, double y[], int *jumped)\n"
    "{\n"
    "    int status = kane_outside_put(at(m, simulation), t, y);\n"
    "    *jumped    = 0;\n"
    "    if (status == 0)\n"
    "        status = kane_outside_event(at(m, simulation), jumped, 0);\n"
    "    if (status == 0)\n"
    "        memcpy(y, kane_simulation_state(at(m, simulation)), @_states * sizeof *y);\n"
    "    return status;\n"
    "}\n"
    "\n"
    "const char *@_stopped(const @ *m)\n"
    "{\n"
    "    const int stop = kane_simulation_stop(at(m, simulation));\n"
    "    return stop ? kane_stop_name(stop) : 0;\n"
    "}\n"
    "\n"
    "void @_fault(@ *m, size_t size, char *text)\n"
    "{\n"
    "    union {\n        double d;\n        unsigned char bytes[errors_size];\n    } errors;\n"
    "    const int one = 1;\n"
    "    memset(&errors, 0, sizeof errors);\n"
    "    memcpy(errors.bytes + errors_limit, &one, sizeof one);\n"
    "    kane_work_fault(@_fixed + model, at(m, work), &errors);\n"
    "    (void)kane_error_format(errors.bytes + first_error, size, text);\n"
    "}\n";

static void write_numbers(FILE *file, const kane_export_interface *interface, const char *name, int count,
                          const int *numbers)
{
    kane_export_write_template(file, interface, name);
    for (int i = 0; i < count; i++)
        (void)fprintf(file, "%s%d", i == 0 ? "" : i % 20 ? ", " : ",\n    ", numbers[i]);
    (void)fprintf(file, "%s};\n", count ? "" : "0");
}

static void write_quantity(FILE *file, const char *name, const char *unit, const char *help)
{
    (void)fputs("    {", file);
    kane_export_text(file, name);
    (void)fputs(", ", file);
    kane_export_text(file, unit);
    (void)fputs(", ", file);
    kane_export_text(file, help);
    (void)fputs("},\n", file);
}

void kane_export_write_quantities(FILE *file, const kane_export_interface *interface)
{
    const kane_model *model = interface->simulation->model;
    char name[256];
    kane_export_write_template(file, interface, "\nconst @_quantity @_state_info[] = {\n");
    for (int i = 0; i < model->state_count; i++) {
        kane_state_name(model, i, sizeof name, name);
        write_quantity(file, name, kane_state_unit(model, i), "");
    }
    for (int i = model->state_count; i < interface->simulation->size; i++)
        write_quantity(file, "work", "J", "");
    kane_export_write_template(file, interface, "    {0, 0, 0}};\n\nconst @_quantity @_output_info[] = {\n");
    for (int i = 0; i < kane_channels_count(interface->channels); i++) {
        const kane_channel_info *info = kane_channels_info(interface->channels, i);
        write_quantity(file, info->name, info->unit, info->description);
    }
    kane_export_write_template(file, interface, "    {0, 0, 0}};\n\nconst @_quantity @_input_info[] = {\n");
    for (int i = 0; i < kane_model_input_count(model); i++) {
        const kane_input_info info = kane_model_input_info(model, i);
        write_quantity(file, info.name, info.unit, info.help);
    }
    kane_export_write_template(file, interface, "    {0, 0, 0}};\n");
}

void kane_export_write_errors_enum(FILE *file)
{
    (void)fprintf(file,
                  "// Room for one error, where it begins, and where their greatest number is [byte].\n"
                  "enum { errors_size = %zu, first_error = %zu, errors_limit = %zu };\n\n",
                  sizeof(kane_errors), offsetof(kane_errors, first), offsetof(kane_errors, limit));
}

void kane_export_interface_write_source(FILE *file, const kane_export_interface *interface)
{
    const kane_simulation *s    = interface->simulation;
    const kane_pattern *pattern = kane_outside_pattern(s);
    kane_export_write_head(file, interface, "The functions of the model");
    kane_export_write_template(file, interface, source_begin);
    (void)fprintf(file,
                  "// In the memory of an instance, and in the constants [byte].\n"
                  "enum { simulation = %zu, channels = %zu, work = %zu, model = %zu, memory_size = %zu };\n\n",
                  interface->simulation_at, interface->channels_at, interface->work_at, interface->model_at,
                  interface->memory);
    kane_export_write_errors_enum(file);
    write_numbers(file, interface, "const int @_column[] = {", pattern->size + 1, pattern->column_start);
    write_numbers(file, interface, "const int @_row[] = {", pattern->count, pattern->row);
    kane_export_write_quantities(file, interface);
    kane_export_write_template(file, interface,
                               "\nint @_derivative(@ *m, double t, const double y[], double ydot[])\n{\n");
    if (s->size == s->model->state_count)
        kane_export_write_template(file, interface,
                                   "    return kane_eval(@_fixed + model, at(m, work), t, y, ydot);\n}\n");
    else
        kane_export_write_template(file, interface,
                                   "    const int status = kane_outside_put(at(m, simulation), t, y);\n"
                                   "    return status ? status : kane_outside_rates(at(m, simulation), ydot, 0);\n}\n");
    kane_export_write_template(file, interface, source_end);
}

// --- the example ---

static const char example[] =
    "//\n"
    "// Integrates the run by the classical method of Runge and Kutta in steps of fixed length and prints the outputs:\n"
    "//   example STEP [ROWS [END]]        step [s], steps from row to row, end [s]\n"
    "\n"
    "#include \"@.h\"\n"
    "\n"
    "#include <math.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "\n"
    "static double y[@_states + 1], trial[@_states + 1], z[@_states + 1], k[4][@_states + 1];\n"
    "static double before[@_indicator_count + 1], after[@_indicator_count + 1];\n"
    "static double values[@_output_count + 1];\n"
    "\n"
    "static int fail(@ *m, int status)\n"
    "{\n"
    "    char text[512];\n"
    "    @_fault(m, sizeof text, text);\n"
    "    fprintf(stderr, \"error %d: %s\\n\", status, text);\n"
    "    return 1;\n"
    "}\n"
    "\n"
    "// A step of length h from y at t, to trial.\n"
    "static int step(@ *m, double t, double h)\n"
    "{\n"
    "    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};\n"
    "    for (int i = 0; i < 4; i++) {\n"
    "        for (int j = 0; j < @_states; j++)\n"
    "            z[j] = i == 0 ? y[j] : y[j] + at[i] * h * k[i - 1][j];\n"
    "        const int status = @_derivative(m, t + at[i] * h, z, k[i]);\n"
    "        if (status != 0)\n"
    "            return status;\n"
    "    }\n"
    "    memcpy(trial, y, sizeof trial);\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        for (int j = 0; j < @_states; j++)\n"
    "            trial[j] += weight[i] * h / 6.0 * k[i][j];\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "// Whether an indicator has another sign at the end of a step.\n"
    "static int has_crossed(@ *m, double t)\n"
    "{\n"
    "    int crossed = 0;\n"
    "    if (@_indicators(m, t, trial, after) != 0)\n"
    "        return 1;\n"
    "    for (int i = 0; i < @_indicator_count; i++)\n"
    "        crossed |= (before[i] > 0.0) != (after[i] > 0.0);\n"
    "    return crossed;\n"
    "}\n"
    "\n"
    "// The step that ends just behind the first crossing within h.\n"
    "static double find_crossing(@ *m, double t, double h)\n"
    "{\n"
    "    double low = 0.0, high = h;\n"
    "    while (high - low > 1e-12 * (1.0 + t)) {\n"
    "        const double middle = 0.5 * (low + high);\n"
    "        if (step(m, t, middle) != 0 || has_crossed(m, t + middle))\n"
    "            high = middle;\n"
    "        else\n"
    "            low = middle;\n"
    "    }\n"
    "    return high;\n"
    "}\n"
    "\n"
    "static void print_row(@ *m, double t)\n"
    "{\n"
    "    if (@_outputs(m, t, y, values) != 0)\n"
    "        return;\n"
    "    printf(\"%.17g\", t);\n"
    "    for (int i = 0; i < @_output_count; i++)\n"
    "        printf(\",%.17g\", values[i]);\n"
    "    printf(\"\\n\");\n"
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
    "int main(int argc, char **argv)\n"
    "{\n"
    "    const double length = argc > 1 ? atof(argv[1]) : 1e-3, end = argc > 3 ? atof(argv[3]) : HUGE_VAL;\n"
    "    const int every = argc > 2 ? atoi(argv[2]) : 10;\n"
    "    void *memory    = aligned_alloc(64, @_size());\n"
    "    if (!memory || !(length > 0.0) || every < 1)\n"
    "        return 2;\n"
    "    @ *m     = @_begin(memory);\n"
    "    double t = @_state(m, y);\n"
    "    int due = 0, jumped = 0, status = @_event(m, t, y, &jumped);\n"
    "    print_head();\n"
    "    print_row(m, t);\n"
    "    for (long row = 1; status == 0 && !@_stopped(m) && t < end; row++) {\n"
    "        double h  = fmin(length, fmin(end, @_next(m)) - t);\n"
    "        int event = 0;\n"
    "        (void)@_indicators(m, t, y, before);\n"
    "        status = step(m, t, h);\n"
    "        if (status == 0 && has_crossed(m, t + h)) {\n"
    "            h      = find_crossing(m, t, h);\n"
    "            event  = 1;\n"
    "            status = step(m, t, h);\n"
    "        }\n"
    "        if (status != 0)\n"
    "            break;\n"
    "        t = h < length && !event ? fmin(end, @_next(m)) : t + h;\n"
    "        memcpy(y, trial, sizeof y);\n"
    "        status = @_accept(m, t, y, &due);\n"
    "        if (status == 0 && (event || due || t >= @_next(m)))\n"
    "            status = @_event(m, t, y, &jumped);\n"
    "        if (status == 0 && row % every == 0)\n"
    "            print_row(m, t);\n"
    "    }\n"
    "    if (status != 0)\n"
    "        status = fail(m, status);\n"
    "    else if (@_stopped(m))\n"
    "        fprintf(stderr, \"%s at %g s\\n\", @_stopped(m), t);\n"
    "    free(memory);\n"
    "    return status;\n"
    "}\n";

void kane_export_interface_write_example(FILE *file, const kane_export_interface *interface)
{
    kane_export_write_head(file, interface, "An example that integrates the model");
    kane_export_write_template(file, interface, example);
}

// --- the makefile ---

// Functions and constants of NAME.h: what is not reached from them is not in the model.
static const char *const public_names[] = {"size",       "begin",     "state",     "derivative", "jacobian",
                                           "column",     "row",       "outputs",   "state_info", "output_info",
                                           "input_info", "get_input", "set_input", "accept",     "event",
                                           "next",       "stopped",   "fault",     "indicators", "indicator_name"};

static const char makefile_begin[] =
    "CC = cc\n"
    "OBJCOPY = objcopy\n"
    "CFLAGS = -std=c11 -O3 -DNDEBUG -Wall -Wextra -Werror\n"
    "NEEDED = -ffp-contract=off -fno-math-errno -fPIC -ffunction-sections -fdata-sections\n"
    "INSIDE = -DKANE_STATIC -D_POSIX_C_SOURCE=200809L -Ilibkane -Ilibkane/lib -Ilibkane/include\n";

static const char makefile_end[] =
    "# One object of the functions that are reached; its names outside are those of @.h.\n"
    "@_model.o: @.o @_tables.o $(KERNELS)\n"
    "\t$(CC) -r -nostdlib -Wl,--gc-sections $(PUBLIC:%=-Wl,-u,%) -o $@ @.o @_tables.o $(KERNELS)\n"
    "\t$(OBJCOPY) --wildcard --keep-global-symbol='@_*' --strip-unneeded $@\n\n"
    "lib@.a: @_model.o\n\trm -f $@\n\t$(AR) rcs $@ @_model.o\n\n"
    "lib@.so: @_model.o\n\t$(CC) -shared $(LDFLAGS) -o $@ @_model.o -lm\n\n"
    "libkane/%.o: libkane/%.c\n\t$(CC) $(CFLAGS) $(NEEDED) $(INSIDE) $(EXTRA) -c -o $@ $<\n\n"
    "%.o: %.c @.h\n\t$(CC) $(CFLAGS) $(NEEDED) -c -o $@ $<\n\n";

static void put_object(FILE *file, const kane_kernel_file *kernel, const char *behind)
{
    (void)fprintf(file, "libkane/%.*s.o%s", (int)(strlen(kernel->name) - 2), kernel->name, behind);
}

void kane_export_write_makefile(FILE *file, const kane_export_interface *interface, const kane_export_makefile *how)
{
    (void)fprintf(file, "# SPDX-License-Identifier: MIT\n%s", how->head);
    (void)fputs(makefile_begin, file);
    (void)fprintf(file, "INSIDE += -DKANE_VERSION='\"%s\"' -DKANE_COMMIT='\"%s\"'\n\nPUBLIC =", kane_version(),
                  kane_commit());
    for (int i = 0; i < how->name_count; i++)
        (void)fprintf(file, " %s_%s", interface->name, how->names[i]);
    (void)fputs("\nKERNELS =", file);
    for (int i = 0; i < interface->kernel_count; i++) {
        (void)fputs(" \\\n\t", file);
        put_object(file, &interface->kernels[i], "");
    }
    (void)fprintf(file, "\n\nall: %s", how->programs);
    kane_export_write_template(file, interface, " lib@.a lib@.so\n\n");
    kane_export_write_template(file, interface, how->rules);
    kane_export_write_template(file, interface, makefile_end);
    for (int i = 0; i < interface->kernel_count; i++)
        if (interface->kernels[i].flags[0]) {
            put_object(file, &interface->kernels[i], ": EXTRA = ");
            (void)fprintf(file, "%s\n", interface->kernels[i].flags);
        }
    (void)fprintf(file, "\nclean:\n\trm -f %s", how->programs);
    kane_export_write_template(file, interface, " lib@.a lib@.so *.o $(KERNELS)\n\n.PHONY: all clean\n");
}

void kane_export_interface_write_makefile(FILE *file, const kane_export_interface *interface)
{
    static const kane_export_makefile how = {
        .head       = "# make: the example, and the model as a library. With -ffp-contract=off results are those of "
                      "libkane to the last bit.\n",
        .programs   = "example",
        .rules      = "example: example.o @_model.o\n\t$(CC) $(LDFLAGS) -o $@ example.o @_model.o -lm\n\n",
        .name_count = sizeof public_names / sizeof *public_names,
        .names      = public_names};
    kane_export_write_makefile(file, interface, &how);
}
