// SPDX-License-Identifier: MIT
// A program that links libkane: runs the two-axle wagon of a run file with one more force element, whose law is its own.
//
//   own_law RUN.json        e.g. data/runs/wagon-transition.json
//
// The law is a hardening spring across the track, F_y = -c y^3, as of a rubber buffer. The program adds it between the
// body and the leading wheelset in C; because it hands its law to kane_run_read, it could as well stand in the vehicle
// file: "law": "hardening spring", "coefficient": "5e12 N/m^3".

#include "print_errors.h"

#include <kane/kane.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- the law ---

typedef struct hardening_spring {
    kane_block block;   // always first
    double coefficient; // c [N/m^3]
} hardening_spring;

static const kane_key keys[] = {
    KANE_KEY(hardening_spring, coefficient, NUMBER, REQUIRED, NULL, "N/m^3", NOT_NEGATIVE, NULL,
             "force per cube of the displacement"),
};
static const kane_schema schema =
    KANE_SCHEMA(hardening_spring, "hardening spring", keys, "Resists lateral displacement with its cube.");

// Force on b in the axes of a, from the relative motion and nothing else; in numbers that know their slopes, so that the
// Jacobian is exact.
KANE_FORMULA harden(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    const hardening_spring *spring = law;
    out->force.y                   = ks_scale(-spring->coefficient, ks_power(m->d.y, 3.0));
    return 0;
}

// harden_eval and harden_derive. The law does not look at rotations, which need then not be computed.
KANE_FORMULA_FUNCTIONS(harden, kane_law_never_turns)

// What it stores, for the balance of energy.
static double energy(const void *law, const kane_relative *r)
{
    const hardening_spring *spring = law;
    return 0.25 * spring->coefficient * r->d.y * r->d.y * r->d.y * r->d.y;
}

static const kane_law hardening = {
    .name   = "hardening spring",
    .help   = "Resists lateral displacement with its cube.",
    .schema = &schema,
    .turns  = kane_law_never_turns,
    .eval   = harden_eval,
    .derive = harden_derive,
    .energy = energy,
};

// --- the run ---

static int fail(kane_errors *errors)
{
    (void)print_errors(errors);
    return 1;
}

// Carries out a run; *largest: how far the body moves across its leading wheelset [m].
static int run(const kane_vehicle_definition *vehicle, const kane_run_definition *d, double *largest,
               kane_errors *errors)
{
    kane_model *model           = kane_model_create(vehicle, d->track, &d->drive, &d->model, errors);
    kane_simulation *simulation = model ? kane_simulation_create(model, &d->settings, &d->conditions, errors) : NULL;
    kane_status status          = simulation ? KANE_OK : KANE_BAD_INPUT;

    *largest = 0.0;
    for (int i = 1; status == KANE_OK && kane_simulation_stop(simulation) == KANE_STOP_NONE; i++) {
        kane_wrench on_b;
        kane_relative relative;
        status = kane_simulation_advance(simulation, 0.01 * i, errors);
        kane_get_element(model, kane_simulation_work(simulation), 0, &on_b, &relative);
        *largest = fmax(*largest, fabs(relative.d.y));
    }
    if (status == KANE_OK)
        (void)printf("%-24s ends by %s at %.3f s, moves %.4f mm across its leading wheelset\n", vehicle->name,
                     kane_stop_name(kane_simulation_stop(simulation)), kane_simulation_time(simulation),
                     1e3 * *largest);
    kane_simulation_free(simulation);
    kane_model_free(model);
    return status == KANE_OK;
}

int main(int argc, char **argv)
{
    static const kane_law *const laws[] = {&hardening, NULL};
    const kane_run_options options      = {.laws = laws};
    kane_errors errors                  = {0};
    if (argc != 2) {
        (void)fprintf(stderr, "usage: own_law RUN.json\n");
        return 2;
    }
    kane_run *file = kane_run_read(argv[1], &options, &errors);
    if (!file)
        return fail(&errors);
    const kane_run_definition *d = kane_run_get_definition(file);

    // a copy of the vehicle with one element more
    enum { MOST = 64 };
    kane_element_definition elements[MOST];
    kane_vehicle_definition vehicle = *d->vehicle;
    const hardening_spring spring   = {.coefficient = 5e12};
    if (vehicle.element_count >= MOST) {
        (void)fprintf(stderr, "%s has %d elements, this program takes less than %d\n", vehicle.name,
                      vehicle.element_count, MOST);
        kane_run_free(file);
        return 1;
    }
    memcpy(elements, vehicle.elements, (size_t)vehicle.element_count * sizeof *elements);
    elements[vehicle.element_count++] = (kane_element_definition){
        .block      = {.name = "buffer"},
        .law        = &hardening,
        .parameters = &spring,
        .between    = {"body", "leading"},
        .at         = {{4.5, 0.0, 0.46}, {4.5, 0.0, 0.46}},
        .axes       = km3_identity(),
    };
    vehicle.elements = elements;
    vehicle.name     = "with a buffer";

    double without, with;
    const int good = run(d->vehicle, d, &without, &errors) && run(&vehicle, d, &with, &errors);
    kane_run_free(file);
    if (!good)
        return fail(&errors);
    if (!(with < without)) {
        (void)fprintf(stderr, "the buffer holds nothing\n");
        return 1;
    }
    return 0;
}
