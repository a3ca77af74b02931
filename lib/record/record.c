// SPDX-License-Identifier: MIT
// Recording a model: what cannot be recorded, symbols, the evaluation, names of what was computed, what is left over.

#include "record/record.h"

#include <kane/equations.h>
#include <kane/simulate.h>

#include "base/document.h"
#include "agem/bodies.h"
#include "base/text.h"
#include "record/kernels.h"
#include "tree/loops_work.h"

#include <math.h>
#include <string.h>

const char *const kane_record_whats[] = {"accelerations", "rates",        "mass-matrix", "residual",
                                         "jacobian",      "coefficients", "functions",   NULL};

kane_record_options kane_record_options_default(void)
{
    return (kane_record_options){.what = KANE_RECORD_ACCELERATIONS, .steps = 2};
}

// === Limits of recording.

static void report_not_recorded(const kane_block *block, const char *key, const char *name, const char *why,
                                kane_errors *errors)
{
    if (block)
        (void)kane_block_fault(errors, block, key, "'%s' cannot be recorded: %s", name, why);
    else
        kane_errors_add(errors, KANE_BAD_INPUT, "'%s' cannot be recorded: %s", name, why);
}

static const kane_block *body_block(const kane_record_options *o, int i)
{
    return o->definition && i < o->definition->body_count ? &o->definition->bodies[i].block : NULL;
}

static void refuse_bodies(const kane_model *model, const kane_record_options *o, kane_errors *errors)
{
    for (int i = 0; i < model->tree.link_count; i++) {
        const int j = model->link_body[i];
        if (model->tree.links[i].kind == KANE_LINK_FORMULA)
            report_not_recorded(body_block(o, j), "joint", model->bodies[j].name,
                                "its joint is a formula of the user's", errors);
    }
}

int kane_record_has_law(const void *law)
{
    for (const kane_law *const *own = kane_laws(); *own; own++)
        if (*own == law)
            return kane_kernels_have_law((*own)->name);
    return 0;
}

static void refuse_elements(const kane_model *model, const kane_record_options *o, kane_errors *errors)
{
    for (int e = 0; e < model->element_count; e++) {
        const kane_element *element = &model->elements[e];
        const kane_block *block     = o->definition ? &o->definition->elements[e].block : NULL;
        if (element->absolute && !kane_record_has_law(element->law))
            report_not_recorded(block, "law", element->name, "its law is one of the user's, and looks at the world",
                                errors);
    }
}

static int is_own_course(const kane_line_function *line_function)
{
    return line_function && line_function->function.kind == KANE_FUNCTION_USER;
}

static void refuse_functions(const kane_model *model, kane_errors *errors)
{
    const kane_tree *const trees[] = {&model->tree, &model->carried};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < trees[t]->link_count; i++)
            for (int k = 0; k < trees[t]->links[i].step_count; k++)
                if (is_own_course(trees[t]->links[i].step[k].function))
                    report_not_recorded(NULL, NULL, trees[t]->links[i].name, "it moves by a function of the user's",
                                        errors);
    for (int f = 0; f < model->frame_count; f++) {
        if (model->frames[f].motion)
            report_not_recorded(NULL, NULL, model->frames[f].name, "its frame moves by a function of the user's",
                                errors);
    }
}

static void refuse_constraints(const kane_model *model, const kane_record_options *o, kane_errors *errors)
{
    for (int c = 0; c < model->closure_count; c++) {
        const kane_block *block = o->definition ? &o->definition->constraints[c].block : NULL;
        if (model->closures[c].kind == KANE_CONSTRAINT_USER)
            report_not_recorded(block, NULL, model->closures[c].name, "its rows are the user's", errors);
        else if (model->closures[c].formula)
            report_not_recorded(block, "closed_form", model->closures[c].name,
                                "its closed form is the user's; \"none\" can be", errors);
    }
    if (kane_model_is_held(model))
        report_not_recorded(
            NULL, NULL, model->name,
            "its constraints are held by multipliers, with pivots that are sought anew; \"form\": \"coefficients\" can be",
            errors);
}

static int can_be_recorded(const kane_model *model, const kane_record_options *o, kane_errors *errors)
{
    const int before = errors->count;
    refuse_bodies(model, o, errors);
    refuse_elements(model, o, errors);
    refuse_functions(model, errors);
    refuse_constraints(model, o, errors);
    return errors->count == before;
}

// === Nodes of the tape as the bits of doubles.

static double box_node(int node)
{
    const uint64_t bits = kane_kernels_box(node);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int unbox_node(const double *x)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    return kane_kernels_unbox(bits);
}

static int is_node(const double *x)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    return bits >> 48 == 0xFFFAu;
}

// === Symbols.

static int guided_wheelsets(const kane_model *model)
{
    int count = 0;
    for (int r = 0; r < model->rails_count; r++)
        count += model->rails[r].count;
    return count;
}

static void describe_arguments(const kane_model *model, kane_recording *r, const kane_record_options *o)
{
    const int n                        = model->state_count;
    int masses                         = o->symbols & KANE_SYMBOL_MASSES ? model->tree.link_count : 0;
    const int counts[KANE_GROUP_COUNT] = {1,
                                          n,
                                          model->input_count,
                                          (o->symbols & KANE_SYMBOL_GRAVITY ? 1 : 0) + masses + o->parameter_count,
                                          o->what == KANE_RECORD_RESIDUAL ? n : 0,
                                          o->what == KANE_RECORD_FUNCTIONS ? 2 * guided_wheelsets(model) : 0};
    static const char *const names[]   = {"t", "y", "w", "p", "y_dot", "N"};
    static const char *const helps[]   = {
          "time [s]", "state", "inputs", "parameters", "rates of the state", "normal forces of guided wheels [N]"};
    for (int g = 0; g < KANE_GROUP_COUNT; g++) {
        r->argument[g] = (kane_record_argument){names[g], helps[g], r->symbol_count, counts[g]};
        r->symbol_count += counts[g];
    }
}

// In the order of kane_equations_set_normal_forces.
static void name_normal_forces(const kane_model *model, kane_recording *r)
{
    int next = r->argument[KANE_GROUP_NORMAL].first;
    for (int i = 0; i < model->rails_count && r->argument[KANE_GROUP_NORMAL].count; i++)
        for (int k = 0; k < 2 * model->rails[i].count; k++)
            (void)snprintf(r->symbol[next++], sizeof *r->symbol, "of %.70s, %s",
                           model->bodies[model->wheels[model->rails[i].wheels[k / 2]].body].name,
                           k % 2 ? "right" : "left");
}

static void name_symbols(const kane_model *model, kane_recording *r, const kane_record_options *o)
{
    const kane_record_argument *a = r->argument;
    (void)snprintf(r->symbol[0], sizeof *r->symbol, "time");
    for (int i = 0; i < model->state_count; i++) {
        char name[80];
        kane_state_name(model, i, sizeof name, name);
        (void)snprintf(r->symbol[a[KANE_GROUP_STATE].first + i], sizeof *r->symbol, "%s", name);
        if (a[KANE_GROUP_RATE].count)
            (void)snprintf(r->symbol[a[KANE_GROUP_RATE].first + i], sizeof *r->symbol, "rate of %s", name);
    }
    for (int i = 0; i < model->input_count; i++)
        (void)snprintf(r->symbol[a[KANE_GROUP_INPUT].first + i], sizeof *r->symbol, "%.95s", model->inputs[i].name);
    int next = a[KANE_GROUP_SYMBOL].first;
    if (o->symbols & KANE_SYMBOL_GRAVITY)
        (void)snprintf(r->symbol[next++], sizeof *r->symbol, "gravity");
    for (int i = 0; i < model->tree.link_count && o->symbols & KANE_SYMBOL_MASSES; i++)
        (void)snprintf(r->symbol[next++], sizeof *r->symbol, "mass of %.85s", model->tree.links[i].name);
    for (int i = 0; i < o->parameter_count; i++)
        (void)snprintf(r->symbol[next++], sizeof *r->symbol, "%.95s", o->parameters[i]);
    r->parameter_count = o->parameter_count;
    name_normal_forces(model, r);
}

int kane_record_parameter(const kane_recording *r, int parameter)
{
    const kane_record_argument *a = &r->argument[KANE_GROUP_SYMBOL];
    return a->first + a->count - r->parameter_count + parameter;
}

static double symbol_value(const kane_recording *r, int which)
{
    return box_node(kane_tape_symbol(which, r->start[which]));
}

// Node of a op b, of doubles that are numbers or nodes.
static double record_binary(int op, double a, double b)
{
    const int x = unbox_node(&a), y = unbox_node(&b);
    return box_node(kane_tape_binary(op, x, y));
}

static double record_product(double a, double b)
{
    return record_binary(KANE_OP_MUL, a, b);
}

// A link of another mass m whose inertia about its mass centre stays: J about the origin grows by (m - m_0)(c.c E - c
// c').
static void set_link_mass(kane_link *link, double mass)
{
    const double x = link->c.x, y = link->c.y, z = link->c.z, change = record_binary(KANE_OP_SUB, mass, link->mass);
    const double xx = record_product(x, x), yy = record_product(y, y), zz = record_product(z, z);
    const double by[6] = {record_binary(KANE_OP_ADD, yy, zz),         record_binary(KANE_OP_ADD, xx, zz),
                          record_binary(KANE_OP_ADD, xx, yy),         record_product(-1.0, record_product(x, y)),
                          record_product(-1.0, record_product(x, z)), record_product(-1.0, record_product(y, z))};
    for (int k = 0; k < 6; k++)
        link->J[k] = record_binary(KANE_OP_ADD, link->J[k], record_product(change, by[k]));
    link->mass = mass;
}

// What is evaluated: the model with symbols in it.
typedef struct kane_record_subject {
    const kane_model *original;
    kane_work *numbers; // of calls
    kane_model model;   // a copy, with links of its own
    kane_work *work;
    kane_equations *equations;
    double *y, *ydot;
    double *N; // normal forces by which creep forces are found
} subject;

static void free_subject(kane_recording *r)
{
    if (r->subject) {
        kane_equations_free(r->subject->equations);
        kane_work_free(r->subject->work);
        kane_work_free(r->subject->numbers);
    }
    r->subject = NULL;
}

// A number that is a symbol by its path cannot be one by its name, too.
static double only_once(double number, double by_name, const char *what)
{
    if (is_node(&number))
        kane_tape_stop("%s is a symbol by its name and by its path", what);
    return by_name;
}

static void put_symbols(subject *s, kane_recording *r, const kane_record_options *o)
{
    kane_model *model             = &s->model;
    const kane_record_argument *a = r->argument;
    int next                      = a[KANE_GROUP_SYMBOL].first;
    for (int i = 0; i < model->state_count; i++)
        s->y[i] = symbol_value(r, a[KANE_GROUP_STATE].first + i);
    for (int i = 0; i < model->input_count; i++) {
        s->work->input[i] = symbol_value(r, a[KANE_GROUP_INPUT].first + i);
        if (model->inputs[i].element >= 0)
            s->work->element[model->inputs[i].element].input[model->inputs[i].slot] = s->work->input[i];
    }
    if (o->symbols & KANE_SYMBOL_GRAVITY)
        model->gravity = only_once(model->gravity, symbol_value(r, next++), "gravity");
    for (int i = 0; i < model->tree.link_count && o->symbols & KANE_SYMBOL_MASSES; i++, next++) {
        (void)only_once(model->tree.links[i].mass, 0.0, "a mass");
        set_link_mass(&model->tree.links[i], symbol_value(r, next));
        model->bodies[model->link_body[i]].mass = symbol_value(r, next);
    }
    for (int i = 0; i < a[KANE_GROUP_NORMAL].count; i++)
        s->N[i] = symbol_value(r, a[KANE_GROUP_NORMAL].first + i);
    if (a[KANE_GROUP_NORMAL].count)
        kane_equations_set_normal_forces(s->equations, s->N);
    for (int c = 0; c < model->cluster_count; c++)
        s->work->cluster[c]->fixed_steps = o->steps;
    s->work->fixed_steps = 3 * o->steps; // from static loads and heights
}

// === Names.

static void copy_identifier(const char *name, size_t size, char *out)
{
    size_t k = 0;
    for (; *name && k + 1 < size; name++)
        out[k++] = (char)(kane_is_letter_or_digit(*name) ? *name : '_');
    out[k] = '\0';
}

// Labels a node by quantity, component and owner, "v_dot_body", if it has no label yet.
static void label_node(kane_recording *r, const double *x, const char *quantity, const char *component,
                       const char *owner)
{
    char text[24];
    if (!is_node(x))
        return;
    const int node = unbox_node(x);
    if (node >= r->label_count || r->label[node][0] || r->tape.nodes[node].op == KANE_OP_SYMBOL)
        return;
    copy_identifier(owner, sizeof text, text);
    (void)snprintf(r->label[node], sizeof *r->label, "%s%s_%s", quantity, component, text);
}

static void label_vector(kane_recording *r, const kane_vec3 *a, const char *quantity, const char *owner)
{
    label_node(r, &a->x, quantity, "_x", owner);
    label_node(r, &a->y, quantity, "_y", owner);
    label_node(r, &a->z, quantity, "_z", owner);
}

static void label_rotation(kane_recording *r, const kane_mat3 *R, const char *owner)
{
    static const char *const components[] = {"_xx", "_yx", "_zx", "_xy", "_yy", "_zy", "_xz", "_yz", "_zz"};
    const double *numbers                 = &R->x.x;
    for (int k = 0; k < 9; k++)
        label_node(r, &numbers[k], "R", components[k], owner);
}

static void label_inertia(kane_recording *r, const kane_spatial *I, const char *prefix, const char *owner)
{
    static const char *const components[] = {"_xx", "_yy", "_zz", "_xy", "_xz", "_yz"};
    char quantity[16];
    for (int k = 0; k < 6; k++) {
        (void)snprintf(quantity, sizeof quantity, "J%s", prefix);
        label_node(r, &I->J[k], quantity, components[k], owner);
        (void)snprintf(quantity, sizeof quantity, "M%s", prefix);
        label_node(r, &I->M[k], quantity, components[k], owner);
    }
}

// Extends the labels to the length of the tape.
static void extend_labels(kane_recording *r)
{
    char(*more)[48] = kane_allocate((size_t)r->tape.count, sizeof *more);
    if (!more)
        kane_tape_stop("memory is short for names of %d nodes", r->tape.count);
    if (r->label)
        memcpy(more, r->label, (size_t)r->label_count * sizeof *more);
    kane_release(r->label);
    r->label       = more;
    r->label_count = r->tape.count;
}

// Labels nodes of motion and wrenches; articulated: 0 before the tree is solved, 1 after it.
static void label_all(const kane_model *model, const kane_work *work, kane_recording *r, int articulated)
{
    extend_labels(r);
    for (int i = 0; i < model->tree.link_count; i++) {
        const kane_link *link    = &model->tree.links[i];
        const kane_link_state *s = &work->tree.link[i];
        label_rotation(r, &s->R, link->name);
        label_vector(r, &s->rho, "rho", link->name);
        label_vector(r, &s->r, "r", link->name);
        label_vector(r, &s->v, "v", link->name);
        label_vector(r, &s->w, "omega", link->name);
        label_vector(r, &s->a, "a", link->name);
        label_vector(r, &s->al, "alpha", link->name);
        label_vector(r, &s->f, articulated ? "f_art" : "f", link->name);
        label_vector(r, &s->n, articulated ? "n_art" : "n", link->name);
        label_inertia(r, &s->I, articulated ? "_art" : "", link->name);
        label_vector(r, &s->da, "da", link->name);
        label_vector(r, &s->dal, "dalpha", link->name);
        for (int k = 0; k < link->v_count; k++) {
            const kane_axis_state *axis = &work->tree.axis[link->v + k];
            label_vector(r, &axis->e, "axis", link->name);
            label_vector(r, &axis->l, "slide", link->name);
            if (articulated) {
                label_vector(r, &axis->U_n, "U_n", link->name);
                label_vector(r, &axis->U_f, "U_f", link->name);
                label_vector(r, &axis->D_n, "D_n", link->name);
                label_vector(r, &axis->D_f, "D_f", link->name);
                label_node(r, &axis->along, "inertia", "", link->name);
                label_node(r, &axis->u, "free", "", link->name);
            }
            if (articulated)
                label_node(r, &work->tree.v_dot[link->v + k], "v_dot", "", link->name);
        }
    }
    for (int i = 0; i < model->body_count; i++) {
        label_vector(r, &work->body[i].r_w, "centre", model->bodies[i].name);
        label_vector(r, &work->body[i].v_w, "velocity", model->bodies[i].name);
        label_vector(r, &work->body[i].applied.force, "force", model->bodies[i].name);
        label_vector(r, &work->body[i].applied.torque, "torque", model->bodies[i].name);
    }
    for (int e = 0; e < model->element_count; e++) {
        label_vector(r, &work->element[e].on_b.force, "force", model->elements[e].name);
        label_vector(r, &work->element[e].on_b.torque, "torque", model->elements[e].name);
    }
}

// === Outputs.

static kane_record_output *add_output(kane_recording *r, const char *name, const char *help, int rows, int columns)
{
    kane_record_output *o = &r->output[r->output_count];
    const int count       = rows * (columns > 0 ? columns : 1);
    *o                    = (kane_record_output){name, help, rows, columns, NULL};
    o->node               = kane_arena_alloc(r->arena, (size_t)(count > 0 ? count : 1), sizeof *o->node);
    if (!o->node)
        kane_tape_stop("memory is short for %d numbers", count);
    r->output_count++;
    return o;
}

static kane_record_output *add_values(kane_recording *r, const char *name, const char *help, int rows, int columns,
                                      const double *values)
{
    kane_record_output *o = add_output(r, name, help, rows, columns);
    for (int i = 0; i < rows * (columns > 0 ? columns : 1); i++)
        o->node[i] = unbox_node(&values[i]);
    return o;
}

static int *all_nodes(kane_recording *r, const double *values, int count)
{
    int *nodes = kane_arena_alloc(r->arena, (size_t)count, sizeof *nodes);
    if (count > 0 && !nodes)
        kane_tape_stop("memory is short for %d numbers", count);
    for (int i = 0; i < count; i++)
        nodes[i] = unbox_node(&values[i]);
    return nodes;
}

static int *make_seed(kane_recording *r)
{
    int *seed = kane_arena_alloc(r->arena, (size_t)r->symbol_count, sizeof *seed);
    if (!seed)
        kane_tape_stop("memory is short for %d numbers", r->symbol_count);
    for (int i = 0; i < r->symbol_count; i++)
        seed[i] = -1;
    return seed;
}

static void record_jacobian(subject *s, kane_recording *r)
{
    const int n = s->model.state_count, first = r->argument[KANE_GROUP_STATE].first;
    const int *rates = all_nodes(r, s->ydot, n);
    int *seed = make_seed(r), *column = make_seed(r);
    kane_record_output *o = add_output(r, "J", "rates of the state by the state, by rows", n, n);
    column                = kane_arena_alloc(r->arena, (size_t)n, sizeof *column);
    if (!column)
        kane_tape_stop("memory is short for %d numbers", n);
    for (int k = 0; k < n; k++) {
        seed[first + k] = kane_tape_constant(1.0);
        kane_tape_differentiate(n, rates, seed, column);
        seed[first + k] = -1;
        for (int i = 0; i < n; i++)
            o->node[i * n + k] = column[i];
    }
}

static void record_coefficients(subject *s, kane_recording *r)
{
    const kane_equation_values *e = kane_equations_get(s->equations);
    const int n = e->speed_count, m = e->independent_count, states = s->model.state_count;
    kane_record_output *A      = add_values(r, "A", "of v = A u + C, by rows", n, m, e->A);
    kane_record_output *C      = add_values(r, "C", "of v = A u + C", n, 0, e->C);
    kane_record_output *A_rate = add_output(r, "A_rate", "the rate of A along the motion", n, m);
    kane_record_output *C_rate = add_output(r, "C_rate", "the rate of C along the motion", n, 0);
    int *seed                  = make_seed(r);
    const int *rates           = all_nodes(r, s->ydot, states);
    seed[0]                    = kane_tape_constant(1.0);
    for (int i = 0; i < states; i++)
        seed[r->argument[KANE_GROUP_STATE].first + i] = rates[i];
    kane_tape_differentiate(n * m, A->node, seed, A_rate->node);
    kane_tape_differentiate(n, C->node, seed, C_rate->node);
}

static void record_residual(subject *s, kane_recording *r)
{
    const kane_model *model       = &s->model;
    const kane_equation_values *e = kane_equations_get(s->equations);
    const int n = model->state_count, m = e->independent_count, first = r->argument[KANE_GROUP_RATE].first;
    kane_record_output *o = add_output(r, "r", "of coordinates y_dot less their rates, of speeds M u_dot - F", n, 0);
    for (int i = 0; i < n; i++) {
        const int rate = kane_tape_symbol(first + i, r->start[first + i]);
        o->node[i]     = kane_tape_binary(KANE_OP_SUB, rate, unbox_node(&s->ydot[i]));
    }
    for (int i = 0; i < m; i++) {
        int row = kane_tape_constant(0.0);
        for (int k = 0; k < m; k++) {
            const int j = first + model->u_begin + k;
            const int term =
                kane_tape_binary(KANE_OP_MUL, unbox_node(&e->M[i * m + k]), kane_tape_symbol(j, r->start[j]));
            row = kane_tape_binary(KANE_OP_ADD, row, term);
        }
        o->node[model->u_begin + i] = kane_tape_binary(KANE_OP_SUB, row, unbox_node(&e->F[i]));
    }
}

// The dependent form: all speeds v, with rows of constraints and of rails.
static void record_functions(subject *s, kane_recording *r)
{
    const kane_equation_values *e = kane_equations_get(s->equations);
    const int n = e->speed_count, rows = e->row_count;
    const double *gap;
    const int gaps      = kane_equations_gaps(s->equations, &gap);
    double *const delta = kane_arena_doubles(r->arena, (size_t)n);
    if (!delta)
        kane_tape_stop("memory is short for %d numbers", n);
    for (int i = 0; i < n; i++)
        delta[i] = record_binary(KANE_OP_SUB, e->Q[i], e->h[i]);
    add_values(r, "M", "of M v_dot = delta + Phi' lambda, by rows", n, n, e->Theta);
    add_values(r, "delta", "of M v_dot = delta + Phi' lambda", n, 0, delta);
    add_values(r, "Phi", "of Phi v_dot + gamma = 0, by rows", rows, n, e->Phi);
    add_values(r, "gamma", "of Phi v_dot + gamma = 0", rows, 0, e->gamma);
    if (gaps)
        add_values(r, "gap", "of guided wheels, whose rows are the last of Phi [m]", gaps, 0, gap);
}

static void record_outputs(subject *s, kane_recording *r)
{
    const kane_model *model       = &s->model;
    const int m                   = model->u_end - model->u_begin;
    const kane_equation_values *e = s->equations ? kane_equations_get(s->equations) : NULL;
    switch (r->what) {
    case KANE_RECORD_ACCELERATIONS:
        add_values(r, "u_dot", "accelerations: rates of the speeds in y", m, 0, s->ydot + model->u_begin);
        break;
    case KANE_RECORD_RATES: add_values(r, "rates", "rates of the state", model->state_count, 0, s->ydot); break;
    case KANE_RECORD_MASS_MATRIX:
        add_values(r, "M", "of M u_dot = F, by rows", m, m, e->M);
        add_values(r, "F", "of M u_dot = F", m, 0, e->F);
        break;
    case KANE_RECORD_RESIDUAL: record_residual(s, r); break;
    case KANE_RECORD_JACOBIAN: record_jacobian(s, r); break;
    case KANE_RECORD_COEFFICIENTS: record_coefficients(s, r); break;
    case KANE_RECORD_FUNCTIONS: record_functions(s, r); break;
    }
}

// === Nodes that outputs or conditions need.

static void mark_used(kane_recording *r)
{
    const kane_tape *tape = &r->tape;
    for (int k = 0; k < r->output_count; k++) {
        const kane_record_output *o = &r->output[k];
        for (int i = 0; i < o->rows * (o->columns > 0 ? o->columns : 1); i++)
            r->used[o->node[i]] = 1;
    }
    for (int i = 0; i < tape->condition_count; i++)
        r->used[tape->conditions[i].node] = 1;
    for (int i = tape->count - 1; i >= 0; i--) {
        const kane_tape_node *n = &tape->nodes[i];
        if (!r->used[i])
            continue;
        if (kane_op_operands(n->op) > 0)
            r->used[n->a] = 1;
        if (kane_op_operands(n->op) > 1)
            r->used[n->b] = 1;
        if (kane_op_operands(n->op) > 2)
            r->used[n->c] = 1;
        for (int k = 0; n->op == KANE_OP_CALL && k < tape->calls[n->a].inputs; k++)
            r->used[tape->calls[n->a].input[k]] = 1;
        r->counts[n->op]++;
        r->operations +=
            n->op != KANE_OP_CONSTANT && n->op != KANE_OP_SYMBOL && n->op != KANE_OP_CALL && n->op != KANE_OP_RESULT;
    }
}

// === Recording of a model.

static int call_depends(void *caller, int which, int output, int input)
{
    return kane_call_depends(((const kane_caller *)caller)->model, which, output, input);
}

static int record_model(subject *s, kane_recording *r, const kane_record_options *o)
{
    kane_tape_now = &r->tape;
    if (setjmp(r->tape.out) != 0) {
        kane_tape_now = NULL;
        return 0;
    }
    r->tape.derive           = kane_call;
    r->tape.depends          = call_depends;
    r->tape.deriver          = &r->given;
    r->tape.derivative_calls = kane_model_call_count(r->given.model);
    put_symbols(s, r, o);
    const double t = symbol_value(r, 0);
    uint64_t time;
    memcpy(&time, &t, sizeof time);
    kane_kernels_begin(&s->model, s->work, &r->given);
    kane_kernels_load(&s->model, s->work, time, s->y);
    label_all(&s->model, s->work, r, 0);
    const int conditions = r->tape.condition_count;
    kane_kernels_accelerate(&s->model, s->work, s->ydot);
    label_all(&s->model, s->work, r, 1);
    if (s->equations)
        kane_kernels_equations(s->equations, s->work, time, s->y);
    if (r->what == KANE_RECORD_FUNCTIONS)
        r->tape.condition_count = conditions; // those of the solution are none of theirs
    record_outputs(s, r);
    extend_labels(r);
    kane_tape_now = NULL;
    return 1;
}

static int needs_equations(kane_record_what what)
{
    return what == KANE_RECORD_MASS_MATRIX || what == KANE_RECORD_RESIDUAL || what == KANE_RECORD_COEFFICIENTS ||
           what == KANE_RECORD_FUNCTIONS;
}

// Values of all symbols where the model is recorded.
static void fill_start(const kane_model *model, const kane_record_options *o, const subject *s, kane_recording *r)
{
    const kane_record_argument *a = r->argument;
    memcpy(r->start + a[KANE_GROUP_STATE].first, s->y, (size_t)model->state_count * sizeof *s->y);
    for (int i = 0; i < model->input_count; i++)
        r->start[a[KANE_GROUP_INPUT].first + i] = s->work->input[i];
    for (int i = 0; i < a[KANE_GROUP_RATE].count; i++)
        r->start[a[KANE_GROUP_RATE].first + i] = s->ydot[i];
    int next = a[KANE_GROUP_SYMBOL].first;
    if (o->symbols & KANE_SYMBOL_GRAVITY)
        r->start[next++] = model->gravity;
    for (int i = 0; i < model->tree.link_count && o->symbols & KANE_SYMBOL_MASSES; i++)
        r->start[next++] = model->tree.links[i].mass;
    next = 0;
    for (int i = 0; i < model->rails_count && a[KANE_GROUP_NORMAL].count; i++)
        for (int k = 0; k < 2 * model->rails[i].count; k++)
            r->start[a[KANE_GROUP_NORMAL].first + next++] =
                s->work->wheels[model->rails[i].wheels[k / 2]].guidance.N[k % 2];
}

// Copies the model at its start, with its own links and bodies, in which symbols replace numbers. 0 with errors.
static int prepare_subject(const kane_model *model, const kane_record_options *o, kane_recording *r, subject *s,
                           kane_errors *errors)
{
    const size_t n = (size_t)model->state_count, links = (size_t)model->tree.link_count,
                 bodies = (size_t)model->body_count;
    s->original         = model;
    s->model            = *model;
    s->work             = kane_work_create(&s->model, errors);
    s->numbers          = kane_work_create(model, errors);
    describe_arguments(model, r, o);
    r->symbol           = kane_arena_alloc(r->arena, (size_t)r->symbol_count, sizeof *r->symbol);
    r->start            = kane_arena_doubles(r->arena, (size_t)r->symbol_count);
    s->y                = kane_arena_doubles(r->arena, n);
    s->ydot             = kane_arena_doubles(r->arena, n);
    s->N                = kane_arena_doubles(r->arena, (size_t)r->argument[KANE_GROUP_NORMAL].count + 1);
    s->model.tree.links = kane_arena_alloc(r->arena, links, sizeof *s->model.tree.links);
    s->model.bodies     = kane_arena_alloc(r->arena, bodies, sizeof *s->model.bodies);
    if (!s->work || !s->numbers)
        return 0;
    if (kane_arena_failed(r->arena)) {
        (void)kane_no_memory(errors);
        return 0;
    }
    memcpy(s->model.tree.links, model->tree.links, links * sizeof *model->tree.links);
    memcpy(s->model.bodies, model->bodies, bodies * sizeof *model->bodies);
    if (kane_initial_state(model, s->work, s->y, errors) != KANE_OK)
        return 0;
    if (kane_eval(model, s->work, 0.0, s->y, s->ydot) != KANE_OK) {
        kane_work_fault(model, s->work, errors);
        return 0;
    }
    kane_work_copy(model, s->work, s->numbers);
    r->given = (kane_caller){model, s->numbers};
    name_symbols(model, r, o);
    fill_start(model, o, s, r);
    if (needs_equations(o->what))
        s->equations = kane_equations_create(&s->model, errors);
    return s->equations || !needs_equations(o->what);
}

// Reports the element at which recording stopped, and the reason.
static void report_stop(const kane_model *model, const kane_record_options *o, const kane_recording *r,
                        kane_errors *errors)
{
    const char *name = r->tape.subject;
    for (int e = 0; e < model->element_count && name; e++)
        if (model->elements[e].name == name) {
            report_not_recorded(o->definition ? &o->definition->elements[e].block : NULL, "law", name, r->tape.reason,
                                errors);
            return;
        }
    report_not_recorded(NULL, NULL, r->model_name, r->tape.reason, errors);
}

kane_recording *kane_record_begin(const kane_model *model, const kane_record_options *options, kane_errors *errors)
{
    if (!can_be_recorded(model, options, errors))
        return NULL;
    kane_arena *arena = kane_arena_create();
    kane_recording *r = arena ? kane_arena_alloc(arena, 1, sizeof *r) : NULL;
    if (r)
        r->subject = kane_arena_alloc(arena, 1, sizeof *r->subject);
    if (!r || !r->subject || !kane_tape_start(&r->tape)) {
        (void)kane_no_memory(errors);
        kane_arena_free(arena);
        return NULL;
    }
    r->arena      = arena;
    r->model_name = kane_arena_text(arena, model->name ? model->name : "model");
    r->what       = options->what;
    if (prepare_subject(model, options, r, r->subject, errors))
        return r;
    kane_record_free(r);
    return NULL;
}

// Drops the outputs that are not wanted. 0 with errors: one is none of them.
static int select_outputs(kane_recording *r, const char *const *only, kane_errors *errors)
{
    int kept = 0;
    for (int i = 0; only && only[i]; i++) {
        char all[200] = "";
        int k         = kept;
        for (int n = 0; n < r->output_count; n++)
            (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", n ? ", " : "", r->output[n].name);
        while (k < r->output_count && strcmp(r->output[k].name, only[i]) != 0)
            k++;
        if (k == r->output_count) {
            kane_errors_add(errors, KANE_BAD_ARGUMENT, "--only %s: %s are what '%s' gives, once each", only[i], all,
                            kane_record_whats[r->what]);
            return 0;
        }
        const kane_record_output output = r->output[k];
        r->output[k]                    = r->output[kept];
        r->output[kept++]               = output;
    }
    r->output_count = kept > 0 ? kept : r->output_count;
    return 1;
}

int kane_record_finish(kane_recording *r, const kane_record_options *options, kane_errors *errors)
{
    const kane_model *model = r->given.model;
    const int good          = record_model(r->subject, r, options);
    if (!good)
        report_stop(r->subject->original, options, r, errors);
    free_subject(r);
    r->call = good ? kane_arena_alloc(r->arena, (size_t)r->tape.call_count, sizeof *r->call) : NULL;
    for (int i = 0; r->call && i < r->tape.call_count; i++)
        memcpy(r->call[i], kane_model_call(model, r->tape.calls[i].which).name, sizeof *r->call);
    if (r->call && !select_outputs(r, options->only, errors))
        return 0;
    r->used = r->call ? kane_arena_alloc(r->arena, (size_t)r->tape.count, sizeof *r->used) : NULL;
    if (r->used)
        mark_used(r);
    else if (good)
        (void)kane_no_memory(errors);
    return r->used != NULL;
}

kane_recording *kane_record_create(const kane_model *model, const kane_record_options *options, kane_errors *errors)
{
    kane_recording *r = kane_record_begin(model, options, errors);
    if (r && kane_record_finish(r, options, errors))
        return r;
    kane_record_free(r);
    return NULL;
}

void kane_record_free(kane_recording *r)
{
    if (!r)
        return;
    free_subject(r);
    kane_tape_free(&r->tape);
    kane_release(r->label);
    kane_arena_free(r->arena);
}

int kane_record_output_count(const kane_recording *r)
{
    int count = 0;
    for (int k = 0; k < r->output_count; k++)
        count += r->output[k].rows * (r->output[k].columns > 0 ? r->output[k].columns : 1);
    return count;
}

// Results go where their nodes are, behind that of the call.
static int play_call(const kane_recording *r, int call, double *values)
{
    const kane_tape_call *c = &r->tape.calls[call];
    double in[KANE_TAPE_INPUTS];
    for (int k = 0; k < c->inputs; k++)
        in[k] = values[c->input[k]];
    return r->answer && r->answer(r->caller, c->which, in, &values[c->node + 1]);
}

int kane_record_play(const kane_recording *r, const double *symbols, double *values, double *outputs)
{
    int holds = 1;
    for (int i = 0; i < r->tape.count; i++) {
        const kane_tape_node *n = &r->tape.nodes[i];
        const int operands      = kane_op_operands(n->op);
        if (!r->used[i])
            continue;
        if (n->op == KANE_OP_CONSTANT)
            values[i] = n->value;
        else if (n->op == KANE_OP_SYMBOL)
            values[i] = symbols[n->a];
        else if (n->op == KANE_OP_CALL)
            holds &= play_call(r, n->a, values);
        else if (n->op != KANE_OP_RESULT)
            values[i] = kane_op_value(n->op, values[n->a], operands > 1 ? values[n->b] : 0.0,
                                      operands > 2 ? values[n->c] : 0.0);
    }
    for (int i = 0; i < r->tape.condition_count; i++)
        holds &= (values[r->tape.conditions[i].node] != 0.0) == r->tape.conditions[i].holds;
    for (int k = 0, next = 0; k < r->output_count; k++) {
        const kane_record_output *o = &r->output[k];
        for (int i = 0; i < o->rows * (o->columns > 0 ? o->columns : 1); i++)
            outputs[next++] = values[o->node[i]];
    }
    return holds;
}
