// SPDX-License-Identifier: MIT
// A program in C++ that links libkane: runs a vehicle from its file with one more force element, whose law is its own.
//
//   own_law_cxx RUN.json        e.g. data/runs/wagon-transition.json
//
// Objects of libkane are freed by their owners, errors become an exception; libkane itself throws none, and none may pass through it.
// The law is a hardening spring across the track, F_y = -c y^3, as in own_law.c, the same in C.

#include <kane/kane.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// --- ownership, errors ---

template <typename T, void (*release)(T *)> struct releaser {
    void operator()(T *object) const
    {
        release(object);
    }
};
template <typename T, void (*release)(T *)> using owner = std::unique_ptr<T, releaser<T, release>>;

// Errors that free their memory, also where an exception leaves.
struct error_list : kane_errors {
    error_list() : kane_errors()
    {
    }
    error_list(const error_list &) = delete;
    error_list &operator=(const error_list &) = delete;
    ~error_list()
    {
        kane_errors_free(this);
    }
};

[[noreturn]] void fail(const kane_errors &errors)
{
    char text[1200] = "out of memory";
    if (errors.count > 0)
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof text, text);
    throw std::runtime_error(text);
}

// --- the law ---

struct buffer {
    kane_block block;   // always first
    double coefficient; // c [N/m^3]
};

const kane_key keys[] = {
    KANE_KEY(buffer, coefficient, NUMBER, REQUIRED, nullptr, "N/m^3", NOT_NEGATIVE, nullptr,
             "force per cube of the displacement"),
};
const kane_schema schema = KANE_SCHEMA(buffer, "hardening spring", keys, "Resists lateral displacement with its cube.");

// Force on b in the axes of a, F_y = -c y^3, in numbers that know their slopes.
KANE_FORMULA harden(const void *law, const kane_formula_motion *m, kane_formula_answer *out)
{
    out->force.y = ks_scale(-static_cast<const buffer *>(law)->coefficient, ks_power(m->d.y, 3.0));
    return 0;
}

KANE_FORMULA_FUNCTIONS(harden, kane_law_never_turns)

kane_law make_law()
{
    kane_law law = {};
    law.name     = "hardening spring";
    law.help     = schema.help;
    law.schema   = &schema;
    law.turns    = kane_law_never_turns;
    law.eval     = harden_eval;
    law.derive   = harden_derive;
    return law;
}

// --- the run ---

// How far the first body moves across the track at most [m].
double largest_displacement(const kane_vehicle_definition &vehicle, const kane_run_definition &d)
{
    error_list errors;
    const owner<kane_model, kane_model_free> model(kane_model_create(&vehicle, d.track, &d.drive, &d.model, &errors));
    if (!model)
        fail(errors);
    const owner<kane_simulation, kane_simulation_free> simulation(
        kane_simulation_create(model.get(), &d.settings, &d.conditions, &errors));
    if (!simulation)
        fail(errors);
    double largest = 0.0;
    for (int i = 1; kane_simulation_stop(simulation.get()) == KANE_STOP_NONE; i++) {
        double q[KANE_COORDINATES], rate[KANE_COORDINATES];
        if (kane_simulation_advance(simulation.get(), 0.01 * i, &errors) != KANE_OK)
            fail(errors);
        kane_get_relative(model.get(), kane_simulation_work(simulation.get()), 0, q, rate);
        largest = std::fmax(largest, std::fabs(q[KANE_Y]));
    }
    return largest;
}

void run(const std::string &name)
{
    const kane_law law           = make_law();
    const kane_law *const laws[] = {&law, nullptr};
    kane_run_options options     = {};
    options.laws                 = laws;
    error_list errors;
    const owner<kane_run, kane_run_free> file(kane_run_read(name.c_str(), &options, &errors));
    if (!file)
        fail(errors);
    const kane_run_definition &d = *kane_run_get_definition(file.get());

    // a copy of the vehicle with one element more
    buffer parameters             = {};
    parameters.coefficient        = 5e12;
    kane_element_definition added = {};
    added.block.name              = "buffer";
    added.law                     = &law;
    added.parameters              = &parameters;
    added.between[0]              = "body";
    added.between[1]              = "leading";
    added.at[0] = added.at[1]        = kv3(4.5, 0.0, 0.46);
    added.axes                       = km3_identity();
    kane_vehicle_definition buffered = *d.vehicle;
    std::vector<kane_element_definition> elements(buffered.elements, buffered.elements + buffered.element_count);
    elements.push_back(added);
    buffered.elements      = elements.data();
    buffered.element_count = static_cast<int>(elements.size());

    const double without = largest_displacement(*d.vehicle, d), with = largest_displacement(buffered, d);
    (void)std::printf("libkane %s: the body moves up to %.4f mm aside, with the buffer %.4f mm\n", kane_version(),
                      1e3 * without, 1e3 * with);
    if (!(with != without))
        throw std::runtime_error("the buffer does nothing");
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)std::fprintf(stderr, "usage: own_law_cxx RUN.json\n");
        return 2;
    }
    try {
        run(argv[1]);
    } catch (const std::exception &e) {
        (void)std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
