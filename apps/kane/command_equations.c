// SPDX-License-Identifier: MIT
// kane equations: the equations of motion of a run at one moment, as matrices in JSON.

#include "analysis.h"

#include "base/json.h"

#include <string.h>

typedef struct arguments {
    const char *file;
    app_texts outputs;
    double at;
    app_texts settings;
} arguments;

static const app_option options[] = {
    {"at", 't', "T", 0, "time of the run, which goes on up to there [s] (default 0: its start)", APP_QUANTITY(at, "s")},
    {"output", 'o', "FILE", APP_ADDS,
     "to a file instead of standard output; by its ending .txt, .csv, .h5: which rods act on which bodies; .svg, .png: "
     "patterns of the mass matrix, with rods and without, of all equations and of the integrator's matrix",
     APP_TEXTS(outputs)},
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value, as in \"kane run\"", APP_TEXTS(settings)},
    {0},
};

static void check_arguments(void *all, struct argp_state *state)
{
    if (((const arguments *)all)->at < 0.0)
        argp_error(state, "--at: a run begins at time 0");
}

// What is evaluated.
typedef struct scene {
    kane_run *run;
    kane_model *model;
    kane_simulation *simulation;
    kane_work *work;
    kane_equations *equations;
    kane_coefficients coefficients;
} scene;

static void close_scene(scene *s)
{
    kane_equations_free(s->equations);
    kane_work_free(s->work);
    kane_simulation_free(s->simulation);
    kane_model_free(s->model);
    kane_run_free(s->run);
}

// The run at the time that was asked for, unless it has ended before. 0 with errors.
static int go_there(const arguments *a, scene *s, kane_errors *errors)
{
    if (kane_simulation_advance(s->simulation, a->at, errors) != KANE_OK)
        return 0;
    if (kane_simulation_time(s->simulation) >= a->at)
        return 1;
    kane_errors_add(errors, KANE_BAD_ARGUMENT, "%s: the run ends at %g s (%s), before --at %g s", a->file,
                    kane_simulation_time(s->simulation), kane_stop_name(kane_simulation_stop(s->simulation)), a->at);
    return 0;
}

static int evaluate(scene *s, kane_errors *errors)
{
    const double t  = kane_simulation_time(s->simulation);
    const double *y = kane_simulation_state(s->simulation);
    kane_work_copy(s->model, kane_simulation_work(s->simulation), s->work);
    if (kane_equations_eval(s->equations, s->work, t, y) != KANE_OK) {
        kane_work_fault(s->model, s->work, errors);
        return 0;
    }
    if (kane_get_coefficients(s->equations, &s->coefficients) == KANE_OK)
        return 1;
    kane_errors_add(errors, KANE_NOT_SOLVED,
                    "rates of coefficients: the equations cannot be evaluated on both sides of %g s", t);
    return 0;
}

static int open_scene(const arguments *a, scene *s, kane_errors *errors)
{
    const kane_run_options how = {.settings = a->settings.texts};
    *s                         = (scene){.run = kane_run_read(a->file, &how, errors)};
    s->model                   = s->run ? kane_run_create_model(s->run, errors) : NULL;
    s->equations               = s->model ? kane_equations_create(s->model, errors) : NULL;
    s->work                    = s->equations ? kane_work_create(s->model, errors) : NULL;
    s->simulation              = s->work ? kane_run_create_simulation(s->run, s->model, errors) : NULL;
    return s->simulation && go_there(a, s, errors) && evaluate(s, errors);
}

// --- JSON ---

// A list of rows.
static void write_matrix(kane_writer *w, const char *key, int rows, int columns, const double *values)
{
    kane_writer_open(w, key, '[');
    for (int i = 0; i < rows; i++)
        kane_write_numbers(w, NULL, columns, values + (size_t)i * (size_t)columns);
    kane_writer_close(w);
}

static void write_names(kane_writer *w, const scene *s)
{
    const kane_equation_values *e = kane_equations_get(s->equations);
    char name[256];
    kane_writer_row(w, "speeds");
    for (int k = 0; k < e->speed_count; k++) {
        kane_speed_name(s->model, kane_equations_speed(s->equations, k), sizeof name, name);
        kane_writer_text(w, NULL, name);
    }
    kane_writer_close(w);
    kane_writer_row(w, "independent");
    for (int i = 0; i < e->independent_count; i++) {
        const int speed = kane_equations_independent(s->equations, i);
        kane_speed_name(s->model, kane_equations_speed(s->equations, speed), sizeof name, name);
        kane_writer_text(w, NULL, name);
    }
    kane_writer_close(w);
    kane_writer_row(w, "rows");
    for (int i = 0; i < e->row_count; i++) {
        kane_equations_row_name(s->equations, i, sizeof name, name);
        kane_writer_text(w, NULL, name);
    }
    kane_writer_close(w);
}

static void write_values(kane_writer *w, const scene *s)
{
    const kane_equation_values *e = kane_equations_get(s->equations);
    const int n = e->speed_count, m = e->independent_count, r = e->row_count;
    kane_write_numbers(w, "v", n, e->v);
    kane_write_numbers(w, "v_dot", n, e->v_dot);
    kane_write_numbers(w, "u", m, e->u);
    kane_write_numbers(w, "u_dot", m, e->u_dot);
    write_matrix(w, "Theta", n, n, e->Theta);
    kane_write_numbers(w, "Q", n, e->Q);
    kane_write_numbers(w, "h", n, e->h);
    write_matrix(w, "Phi", r, n, e->Phi);
    kane_write_numbers(w, "phi", r, e->phi);
    kane_write_numbers(w, "gamma", r, e->gamma);
    kane_write_numbers(w, "lambda", r, e->lambda);
    write_matrix(w, "A", n, m, e->A);
    kane_write_numbers(w, "C", n, e->C);
    kane_write_numbers(w, "G", n, e->G);
    write_matrix(w, "A_rate", n, m, s->coefficients.A_rate);
    kane_write_numbers(w, "C_rate", n, s->coefficients.C_rate);
    write_matrix(w, "M", m, m, e->M);
    kane_write_numbers(w, "F", m, e->F);
}

static kane_status write_all(const arguments *a, const scene *s, FILE *file)
{
    const kane_run_definition *d = kane_run_get_definition(s->run);
    kane_writer w                = kane_writer_start(file);
    kane_writer_document(&w, "equations 1");
    kane_writer_text(&w, "run", a->file);
    kane_writer_text(&w, "name", d->vehicle->name);
    kane_writer_text(&w, "form", d->model.form == KANE_FORM_MULTIPLIERS ? "multipliers" : "coefficients");
    kane_writer_number(&w, "time", kane_simulation_time(s->simulation));
    write_names(&w, s);
    write_values(&w, s);
    kane_writer_close(&w);
    return kane_writer_end(&w);
}

// name NULL: standard output.
static int write_document(const arguments *a, const scene *s, const char *name, kane_errors *errors)
{
    FILE *file = app_open_table(name, errors);
    if (!file)
        return 0;
    (void)write_all(a, s, file); // failures are reported when it is closed
    return app_close_table(file, name, errors);
}

static int write_out(const arguments *a, const scene *s, kane_errors *errors)
{
    const equations_view view = {.run       = kane_run_get_definition(s->run),
                                 .model     = s->model,
                                 .equations = s->equations,
                                 .work      = s->work,
                                 .time      = kane_simulation_time(s->simulation),
                                 .state     = kane_simulation_state(s->simulation)};
    int good                  = a->outputs.count > 0 || write_document(a, s, NULL, errors);
    for (int i = 0; good && i < a->outputs.count; i++) {
        const char *file               = a->outputs.texts[i];
        const kane_table_format format = kane_table_format_of(file);
        good                           = format == KANE_TABLE_FORMATS || format == KANE_TABLE_JSON
                                             ? write_document(a, s, file, errors)
                                             : equations_write_report(&view, format, file, errors);
    }
    return good;
}

int command_equations(int argc, char **argv)
{
    static const app_command command =
        APP_COMMAND(options, "RUN.json", "run file", file, 0, check_arguments,
                    "Writes the equations of motion of a run at one moment as JSON: names of speeds and of rows of "
                    "constraints, mass matrix Theta, forces Q and h, constraints Phi, phi, gamma with multipliers, "
                    "coefficients A, C of v = A u + C and their rates, and M u_dot = F of the independent speeds. What "
                    "they are stands in docs/mechanisms.md.");
    arguments a        = {0};
    kane_errors errors = {0};
    scene s;
    app_parse(&command, argc, argv, &a);
    const int good = open_scene(&a, &s, &errors) && write_out(&a, &s, &errors);
    close_scene(&s);
    return good ? EXIT_DONE : app_fail(&errors);
}
