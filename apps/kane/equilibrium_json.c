// SPDX-License-Identifier: MIT
// An equilibrium as JSON with all digits.

#include "equilibrium.h"

#include "base/json.h"

#include <math.h>

static void write_vector(kane_writer *w, const char *key, kane_vec3 a)
{
    kane_write_numbers(w, key, 3, (const double[]){a.x, a.y, a.z});
}

static void write_place(kane_writer *w, const app_analysis *analysis, const kane_steady *steady,
                        const equilibrium_values *v)
{
    char name[128];
    kane_state_name(v->model, v->found->worst, sizeof name, name);
    kane_writer_text(w, "vehicle", v->vehicle->name);
    if (kane_run_get_definition(analysis->run)->track) {
        kane_writer_number(w, "speed", analysis->where.speed);
        kane_writer_number(w, "curvature", analysis->where.curvature);
        kane_writer_number(w, "superelevation", analysis->where.superelevation);
    }
    kane_writer_open(w, "search", '{');
    kane_writer_count(w, "iterations", v->found->iterations);
    kane_writer_number(w, "residual", v->found->residual);
    kane_writer_text(w, "worst", name);
    kane_writer_close(w);
    app_analysis_write_rates(w, steady);
}

static void write_wheels(kane_writer *w, const equilibrium_values *v, int body)
{
    static const char *const sides[] = {"left", "right"};
    for (int side = 0; side < 2; side++) {
        const equilibrium_wheel *wheel = &v->wheel[body][side];
        kane_writer_open(w, sides[side], '{');
        kane_writer_number(w, "Q", wheel->Q);
        kane_writer_number(w, "Y", wheel->Y);
        kane_writer_number(w, "T", wheel->T);
        kane_writer_number(w, "static", wheel->load);
        kane_writer_number(w, "angle", wheel->angle);
        kane_writer_number(w, "pressure", wheel->pressure);
        kane_writer_number(w, "lift", wheel->lift);
        kane_writer_count(w, "patches", wheel->patches);
        kane_writer_close(w);
    }
}

static void write_bodies(kane_writer *w, const equilibrium_values *v)
{
    kane_writer_open(w, "bodies", '{');
    for (int j = 0; j < v->body_count; j++) {
        double q[6], rates[6];
        kane_get_relative(v->model, v->work, j, q, rates);
        kane_writer_open(w, kane_model_body_name(v->model, j), '{');
        kane_write_numbers(w, "coordinates", 6, q);
        kane_write_numbers(w, "displacement", 6, v->displacement[j]);
        if (equilibrium_has_wheels(v, j))
            write_wheels(w, v, j);
        if (j < v->vehicle->body_count && v->vehicle->bodies[j].joint) {
            const kane_wrench joint = kane_get_joint_reaction(v->model, v->work, j);
            write_vector(w, "joint_force", joint.force);
            write_vector(w, "joint_torque", joint.torque);
        } else if (j < v->vehicle->body_count) {
            double reaction[6];
            for (int c = 0; c < 6; c++)
                reaction[c] = kane_get_reaction(v->model, v->work, j, (kane_coordinate)c);
            kane_write_numbers(w, "reaction", 6, reaction);
        }
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

static void write_elements(kane_writer *w, const equilibrium_values *v)
{
    kane_writer_open(w, "elements", '{');
    for (int i = 0; i < v->vehicle->element_count; i++) {
        kane_wrench on_b;
        kane_relative relative;
        kane_get_element(v->model, v->work, i, &on_b, &relative);
        kane_writer_open(w, v->vehicle->elements[i].block.name, '{');
        write_vector(w, "force", on_b.force);
        write_vector(w, "torque", on_b.torque);
        write_vector(w, "displacement", relative.d);
        write_vector(w, "rotation", relative.phi);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_open(w, "constraints", '{');
    for (int i = 0; i < v->vehicle->constraint_count; i++) {
        double multiplier[6];
        const int rows = kane_get_constraint(v->model, v->work, i, multiplier);
        kane_write_numbers(w, v->vehicle->constraints[i].block.name, rows, multiplier);
    }
    kane_writer_close(w);
}

void equilibrium_write_json(kane_writer *w, const void *report)
{
    const equilibrium_report *r = report;
    const equilibrium_values *v = r->values;
    write_place(w, r->analysis, r->steady, v);
    write_bodies(w, v);
    write_elements(w, v);
    kane_writer_open(w, "balance", '{');
    kane_writer_number(w, "mass", v->balance.mass);
    write_vector(w, "rails", v->balance.rails);
    write_vector(w, "bodies", v->balance.body);
    write_vector(w, "held", v->balance.held);
    kane_writer_close(w);
    app_analysis_write_stability(w, &r->stability);
}
