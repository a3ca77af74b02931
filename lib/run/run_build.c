// SPDX-License-Identifier: MIT
// From a run file to a definition: drive, integrator, output.

#include "run/run_file.h"

#include "simulate/integrators.h"

#include <math.h>
#include <string.h>

static const double shortest_interval = 1e-6; // between two rows [s]; shorter ones fill disks
static const double shortest_step     = 1e-9; // that an integrator may be limited to [s]; shorter ones do not arrive

// --- prescribed speed ---

// Duration of a speed segment that begins with speed v [s]: "for"; (to - v)/a; 2 d/(v + (v^2 + 2 a d)^1/2); infinite:
// without an end. Negative with an error.
static double piece_duration(kane_reader *reader, const kane_piece_input *in, double v, int is_last)
{
    const kane_place place = kane_block_place(&in->block, NULL, -1);
    const int ends =
        kane_block_has(&in->block, "for") + kane_block_has(&in->block, "over") + kane_block_has(&in->block, "to");
    if (ends > 1 || (ends == 0 && !is_last)) {
        kane_reader_report(reader, place,
                           ends > 1 ? "gives several of \"for\", \"over\" and \"to\"; one is enough"
                                    : "does not end: only the last piece may leave out \"for\", \"over\" and \"to\"");
        return -1.0;
    }
    const double a = in->acceleration;
    if (a < 0.0 && v <= 0.0) {
        kane_reader_fault(reader, &in->block, "acceleration", "the vehicle stands still there: it can brake no more");
        return -1.0;
    }
    if (kane_block_has(&in->block, "for")) {
        if (!is_last && v + a * in->time < -1e-9 * (1.0 + v)) {
            kane_reader_fault(
                reader, &in->block, "for",
                "the vehicle stands still after %g s already, and the run ends: the pieces behind are never "
                "reached; \"to\": 0 would end this one there",
                -v / a);
            return -1.0;
        }
        return in->time;
    }
    if (kane_block_has(&in->block, "to")) {
        if (!((in->speed - v) * a > 0.0)) {
            kane_reader_fault(reader, &in->block, "to",
                              "%g m/s is never reached from %g m/s with an acceleration of %g m/s^2", in->speed, v, a);
            return -1.0;
        }
        return (in->speed - v) / a;
    }
    if (kane_block_has(&in->block, "over")) {
        const double square = v * v + 2.0 * a * in->distance;
        if (square < 0.0 || v + sqrt(square) <= 0.0) {
            kane_reader_fault(reader, &in->block, "over", "the vehicle stands still before it has gone %g m",
                              in->distance);
            return -1.0;
        }
        return 2.0 * in->distance / (v + sqrt(square));
    }
    return (double)INFINITY;
}

static void prescribe_pieces(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    const kane_piece_input *in = file->speed.items;
    kane_speed_piece *pieces   = kane_arena_alloc(reader->arena, (size_t)file->speed.count + 1, sizeof *pieces);
    double t = 0.0, v = file->start.speed;
    int count = 0;
    if (!pieces) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, NULL, -1));
        return;
    }
    for (int i = 0; i < file->speed.count; i++) {
        const double dt = piece_duration(reader, &in[i], v, i == file->speed.count - 1);
        if (dt < 0.0)
            return;
        pieces[count++] = (kane_speed_piece){t, in[i].acceleration, kane_block_place(&in[i].block, NULL, -1)};
        t += dt;
        v += in[i].acceleration * dt;
    }
    if (count > 0 && isfinite(t)) // after the last one the speed stays
        pieces[count++] = (kane_speed_piece){t, 0.0, kane_block_place(&file->block, "speed", -1)};
    run->drive.pieces      = pieces;
    run->drive.piece_count = count;
}

// A table of speeds: by what (times or places), and as many speeds. 0 with an error.
static int check_table(kane_reader *reader, const kane_speed_table_input *in, const char *by, kane_numbers at)
{
    const kane_place place = kane_block_place(&in->block, NULL, -1);
    if (kane_block_has(&in->block, "time") == kane_block_has(&in->block, "at")) {
        kane_reader_report(reader, place, "needs either \"time\" or \"at\": speeds over time, or over places");
        return 0;
    }
    if (at.count < 2 || at.count != in->speed.count) {
        kane_reader_report(reader, place, "has %d %ss and %d speeds; needs as many of both, at least two", at.count, by,
                           in->speed.count);
        return 0;
    }
    for (int i = 0; i + 1 < at.count; i++) {
        if (at.values[i + 1] > at.values[i])
            continue;
        kane_reader_report(reader,
                           kane_block_place(&in->block, kane_block_has(&in->block, "at") ? "at" : "time", i + 1),
                           "%g is not after %g: %ss must grow", at.values[i + 1], at.values[i], by);
        return 0;
    }
    return 1;
}

// Constant acceleration from point to point: over time a = dv/dt, over place a = d(v^2/2)/ds.
static void prescribe_lines(kane_reader *reader, const kane_run_file *file, const kane_speed_table_input *table,
                            int over_place, kane_numbers at, kane_run_definition *run)
{
    const kane_numbers speed = table->speed;
    const kane_place place   = kane_block_place(&table->block, NULL, -1);
    kane_speed_piece *pieces = kane_arena_alloc(reader->arena, (size_t)at.count + 1, sizeof *pieces);
    double t = 0.0, s = over_place ? file->start.at : 0.0, v = file->start.speed;
    double first = speed.values[speed.count - 1]; // of the table at the start
    int count    = 0;
    if (!pieces) {
        kane_reader_no_memory(reader, place);
        return;
    }
    for (int i = 0; i + 1 < at.count; i++) {
        const double d = at.values[i + 1] - at.values[i], v0 = speed.values[i], v1 = speed.values[i + 1];
        const double a = over_place ? 0.5 * (v1 * v1 - v0 * v0) / d : (v1 - v0) / d;
        if (at.values[i + 1] <= s) // it lies behind the start
            continue;
        if (count == 0)
            first = over_place ? sqrt(fmax(v0 * v0 + 2.0 * a * (s - at.values[i]), 0.0)) : v0;
        if (over_place && v1 == 0.0 && i + 2 < at.count) {
            kane_reader_report(reader, kane_block_place(&table->block, "speed", i + 1),
                               "the vehicle stands still there, and the run ends: what is behind is never reached");
            return;
        }
        if (over_place && v + v1 <= 0.0) {
            kane_reader_report(reader, kane_block_place(&table->block, "speed", i + 1),
                               "the vehicle stands still and never gets there; give a speed");
            return;
        }
        const double rest = at.values[i + 1] - s; // from v to v1, at constant acceleration
        pieces[count++]   = (kane_speed_piece){t, a, place};
        t += over_place ? 2.0 * rest / (v + v1) : rest;
        s = at.values[i + 1];
        v = v1;
    }
    if (fabs(first - file->start.speed) > 1e-6 * (1.0 + first))
        kane_reader_fault(reader, &table->block, "speed", "begins with %.9g m/s at the start, which says %g m/s", first,
                          file->start.speed);
    pieces[count++]        = (kane_speed_piece){t, 0.0, place};
    run->drive.pieces      = pieces;
    run->drive.piece_count = count;
}

static void prescribe_table(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    const kane_speed_table_input *in = &file->speed_table;
    const int over_place             = kane_block_has(&in->block, "at");
    const kane_numbers at            = over_place ? in->at : in->time;
    if (!check_table(reader, in, over_place ? "place" : "time", at))
        return;
    if (over_place ? at.values[0] > file->start.at : at.values[0] != 0.0)
        kane_reader_report(reader, kane_block_place(&in->block, over_place ? "at" : "time", 0),
                           "begins at %g; must begin at %s", at.values[0],
                           over_place ? "the start or before it" : "time 0");
    else if (in->smooth)
        run->drive.curve = (kane_speed_curve){.over        = over_place ? KANE_SPEED_OVER_PLACE : KANE_SPEED_OVER_TIME,
                                              .point_count = at.count,
                                              .at          = at.values,
                                              .speed       = in->speed.values,
                                              .place       = kane_block_place(&in->block, NULL, -1)};
    else
        prescribe_lines(reader, file, in, over_place, at, run);
}

// One point is a speed that stays.
static void prescribe_limits(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    kane_numbers at, speed;
    if (!kane_run_limits(reader, file, run, &at, &speed))
        return;
    const kane_speed_table_input table = {.block = file->speed_limits.block, .at = at, .speed = speed};
    prescribe_lines(reader, file, &table, 1, at, run);
}

// --- the rest ---

// What every run of a vehicle needs.
static void check_needed(kane_reader *reader, const kane_run_file *file)
{
    static const char *const keys[] = {"track", "start"};
    static const char *const help[] = {"track file, relative to this file", "where and how fast it begins"};
    for (int i = 0; i < 2; i++)
        if (!kane_block_has(&file->block, keys[i]))
            kane_reader_fault(reader, &file->block, NULL, "'%s' is missing: %s", keys[i], help[i]);
}

static void fill_drive(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    const kane_block *block          = &file->block;
    static const char *const kinds[] = {"speed", "speed_table", "speed_limits", "drive"};
    const char *last                 = NULL;
    int ways                         = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kane_block_has(block, kinds[i])) {
            last = kinds[i];
            ways++;
        }
    run->drive       = kane_drive_definition_default();
    run->drive.start = file->start.at;
    run->drive.speed = file->start.speed;
    run->drive.place = kane_block_place(&file->start.block, "at", -1);
    if (ways > 1)
        kane_reader_fault(
            reader, block, last,
            "only one of \"speed\", \"speed_table\", \"speed_limits\" and \"drive\" can say how fast it goes; %d are given",
            ways);
    if (kane_block_has(block, "follower") && !kane_block_has(block, "drive"))
        kane_reader_fault(reader, block, "follower", "is only used with \"drive\"");
    if (kane_block_has(block, "drive"))
        kane_run_actuators(reader, file, run);
    else if (kane_block_has(block, "speed_table"))
        prescribe_table(reader, file, run);
    else if (kane_block_has(block, "speed_limits"))
        prescribe_limits(reader, file, run);
    else
        prescribe_pieces(reader, file, run);
}

// A vehicle whose speed is zero comes to none of the ends but that of time; one that is driven from rest may
// not.
static void check_end(kane_reader *reader, const kane_run_file *file, const kane_run_definition *run)
{
    const int driven               = run->drive.kind == KANE_DRIVE_DRIVEN;
    int moves                      = run->drive.speed > 0.0 || file->until.time > 0.0;
    const kane_piece_input *pieces = file->speed.items;
    for (int i = 0; i < file->speed.count; i++)
        moves = moves || pieces[i].acceleration != 0.0;
    moves = moves || (kane_block_has(&file->block, "speed_limits") && run->drive.piece_count > 1);
    for (int i = 0; i < file->speed_table.speed.count; i++)
        moves = moves || file->speed_table.speed.values[i] > 0.0;
    if (!moves)
        kane_reader_fault(reader, &file->start.block, "speed",
                          driven ? "a vehicle that is driven from rest may stand still for ever: give an end by "
                                   "\"until\": { \"time\": ... } too"
                                 : "the vehicle stands still for ever: give a speed, or an end by "
                                   "\"until\": { \"time\": ... }");
}

static void fill_omissions(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    kane_omission *omissions = kane_arena_alloc(reader->arena, (size_t)file->omit.count, sizeof *omissions);
    if (!omissions) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, "omit", -1));
        return;
    }
    for (int i = 0; i < file->omit.count; i++)
        omissions[i] = (kane_omission){file->omit.values[i], kane_block_place(&file->block, "omit", i)};
    run->model                     = kane_model_options_default();
    run->model.formulation         = (kane_formulation)file->formulation;
    run->model.form                = (kane_constraint_form)file->form;
    run->model.imaginary_as_forces = file->imaginary_as_forces;
    run->model.omissions           = omissions;
    run->model.omission_count      = file->omit.count;
}

// Rods can be extrapolated from step to step by some integrators alone.
static void check_rods(kane_reader *reader, const kane_rods_input *in, const kane_integrator *integrator)
{
    if (in->inertia != KANE_RODS_EXACT && !integrator->extrapolates)
        kane_reader_fault(reader, &in->block, "inertia",
                          "rods with \"%s\" inertia are extrapolated from one step of fixed length to the next, which "
                          "\"%s\" does not do; choose \"rk4\", or \"exact\"",
                          kane_rod_inertia_names[in->inertia], integrator->name);
    if (in->inertia == KANE_RODS_EXACT && kane_block_has(&in->block, "extrapolation"))
        kane_reader_fault(
            reader, &in->block, "extrapolation",
            "nothing is extrapolated where \"inertia\" is \"exact\"; choose \"partition\" or \"all\", or leave "
            "this out");
}

// Normal forces of a step before need steps of one length, and wheels with contact as a constraint.
static void check_normal_forces(kane_reader *reader, const kane_integrator_input *in, const kane_integrator *integrator)
{
    if (in->normal_forces == KANE_NORMAL_FORCES_LAGGED && !integrator->fixed_step)
        kane_reader_fault(reader, &in->block, "normal_forces",
                          "\"lagged\" normal forces are those of the step before, of fixed length, which \"%s\" does "
                          "not have; choose the method \"semi_implicit\", \"imex\" or \"bdf2\", or \"coupled\"",
                          integrator->name);
}

// What one kind of integrator takes and the other does not.
static void check_integrator(kane_reader *reader, const kane_integrator_input *in, const kane_integrator *integrator,
                             int order)
{
    static const char *const adaptive[] = {
        "order", "rtol", "atol_position", "atol_angle", "atol_velocity", "atol_angular_velocity", "max_step"};
    const kane_block *block = &in->block;
    if (!integrator->keeps_jacobian && kane_block_has(block, "jacobian_interval"))
        kane_reader_fault(reader, block, "jacobian_interval", "does not belong to \"%s\"", integrator->name);
    if (!integrator->fixed_step) {
        if (kane_block_has(block, "step"))
            kane_reader_fault(reader, block, "step",
                              "\"%s\" chooses its steps by the tolerances; \"max_step\" limits them", integrator->name);
        if (order > integrator->orders)
            kane_reader_fault(reader, block, "order", "order %d is not possible: up to %d with \"%s\"", order,
                              integrator->orders, integrator->name);
        if (in->longest_step > 0.0 && in->longest_step < shortest_step)
            kane_reader_fault(reader, block, "max_step", "%g s is out of range, must be at least %g s",
                              in->longest_step, shortest_step);
        return;
    }
    for (size_t i = 0; i < sizeof adaptive / sizeof *adaptive; i++)
        if (kane_block_has(block, adaptive[i]))
            kane_reader_fault(reader, block, adaptive[i],
                              "\"%s\" takes steps of fixed length and estimates no error; it takes \"step\" %s",
                              integrator->name, integrator->keeps_jacobian ? "and \"jacobian_interval\"" : "alone");
    if (!kane_block_has(block, "step"))
        kane_reader_fault(reader, block, "method", "\"%s\" needs the length of its steps, \"step\"", integrator->name);
    else if (in->step < shortest_step)
        kane_reader_fault(reader, block, "step", "%g s is out of range, must be at least %g s", in->step,
                          shortest_step);
}

static void fill_settings(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    const kane_integrator_input *in = &file->integrator;
    run->settings                   = kane_settings_default();
    run->settings.method            = (kane_method)in->method;
    run->settings.step              = in->step;
    run->settings.jacobian_every    = kane_block_has(&in->block, "jacobian_interval") ? in->jacobian_every : 0;
    run->settings.order             = in->order;
    run->settings.relative          = in->rtol;
    run->settings.position          = in->position;
    run->settings.angle             = in->angle;
    run->settings.speed             = in->speed;
    run->settings.turning           = in->turning;
    run->settings.longest_step      = in->longest_step;
    run->settings.energy            = file->output.work;
    run->settings.settle            = file->start.equilibrium;
    run->settings.rods =
        (kane_rod_settings){(kane_rod_inertia)in->rods.inertia, (kane_extrapolation)in->rods.extrapolation};
    check_integrator(reader, in, kane_settings_integrator(&run->settings), run->settings.order);
    run->settings.normal_forces = (kane_normal_forces)in->normal_forces;
    check_rods(reader, &in->rods, kane_settings_integrator(&run->settings));
    check_normal_forces(reader, in, kane_settings_integrator(&run->settings));
    run->conditions = (kane_conditions){file->until.time, file->until.distance, file->until.lift};
}

static int has_rods(const kane_vehicle_definition *vehicle)
{
    for (int i = 0; i < vehicle->constraint_count; i++)
        if (vehicle->constraints[i].kind == KANE_CONSTRAINT_ROD)
            return 1;
    return 0;
}

static int has_guided_wheels(const kane_vehicle_definition *vehicle)
{
    for (int i = 0; i < vehicle->body_count; i++)
        if (vehicle->bodies[i].wheels && vehicle->bodies[i].wheels->contact_model != KANE_CONTACT_ELASTIC)
            return 1;
    return 0;
}

// What is not typed is as usual for such a vehicle (unless runs are compared: on such a track), and so is how coarse
// tolerances may be.
void kane_run_check_settings(const kane_run_file *file, int is_comparison, kane_run_definition *run,
                             kane_errors *errors)
{
    const kane_block *block = &file->integrator.block;
    kane_settings usual     = kane_settings_usual(run->vehicle, run->settings.method);
    if (!is_comparison && !kane_block_has(block, "method") && !kane_block_has(block, "order")) {
        usual                = kane_settings_on_track(run->vehicle, run->track, &run->method_reason);
        run->settings.method = usual.method;
    }
    kane_settings_complete(&run->settings, usual, block);
    (void)kane_tolerances_check(&run->settings, kane_scale_of_vehicle(run->vehicle), &file->integrator.block, errors);
    if (file->integrator.rods.inertia != KANE_RODS_EXACT && !has_rods(run->vehicle))
        (void)kane_block_fault(
            errors, &file->integrator.rods.block, "inertia",
            "'%s' has no constraint of type \"rod\", so that there is no inertia to approximate; leave "
            "this out",
            run->vehicle->name);
    if (file->integrator.normal_forces == KANE_NORMAL_FORCES_LAGGED && !has_guided_wheels(run->vehicle))
        (void)kane_block_fault(errors, &file->integrator.block, "normal_forces",
                               "'%s' has no wheels with contact as a constraint, whose normal forces could be "
                               "\"lagged\"; leave this out",
                               run->vehicle->name);
}

static void fill_output(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    static const char *const usual[] = {"default"};
    const kane_output_input *in      = &file->output;
    kane_place *places               = kane_arena_alloc(reader->arena, (size_t)in->channels.count, sizeof *places);
    if (!places) {
        kane_reader_no_memory(reader, kane_block_place(&file->block, "output", -1));
        return;
    }
    for (int i = 0; i < in->channels.count; i++)
        places[i] = kane_block_place(&in->block, "channels", i);
    const int chosen          = in->channels.count > 0;
    run->output.every         = in->every;
    run->output.patterns      = chosen ? in->channels.values : usual;
    run->output.places        = chosen ? places : NULL;
    run->output.pattern_count = chosen ? in->channels.count : 1;
    run->output.format        = kane_results_have_hdf5() ? KANE_HDF5 : KANE_CSV;
    if (in->every < shortest_interval)
        kane_reader_fault(reader, &in->block, "interval",
                          "%g s between two rows is out of range, must be at least %g s", in->every, shortest_interval);
    if (kane_block_has(&in->block, "format"))
        run->output.format = (kane_file_format)in->format;
    if (run->output.format == KANE_HDF5 && !kane_results_have_hdf5())
        kane_reader_fault(reader, &in->block, "format", "this libkane was built without HDF5; use \"csv\"");
    run->output.is_plain = !in->compress;
    if (run->output.format == KANE_CSV && in->compress && kane_block_has(&in->block, "compress"))
        kane_reader_fault(reader, &in->block, "compress",
                          "CSV cannot be compressed; leave this out, or take \"format\": \"hdf5\"");
}

void kane_run_build(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    if (!file->vehicle == !file->mechanism)
        kane_reader_fault(reader, &file->block, file->vehicle ? "mechanism" : NULL,
                          file->vehicle ? "there is a vehicle already: a run has one or the other"
                                        : "'vehicle' is missing: vehicle file, relative to this file; or 'mechanism'");
    if (file->mechanism) {
        kane_run_mechanism(reader, file, run);
    } else if (file->vehicle) {
        check_needed(reader, file);
        fill_drive(reader, file, run);
        check_end(reader, file, run);
    }
    run->drive.input_count = file->inputs.count;
    run->drive.inputs      = kane_inputs_define(reader, &file->inputs);
    fill_omissions(reader, file, run);
    fill_settings(reader, file, run);
    fill_output(reader, file, run);
    run->check_modes = file->check_modes;
}

// === Runs of a mechanism: no track, no speed along it; an end in time.

// Error for a key that only a vehicle on a track has.
static void refuse_key(kane_reader *reader, const kane_block *block, const char *key, const char *why)
{
    if (kane_block_has(block, key))
        kane_reader_fault(reader, block, key, "a mechanism %s", why);
}

void kane_run_mechanism(kane_reader *reader, const kane_run_file *file, kane_run_definition *run)
{
    static const struct {
        const char *key, *why;
    } rows[] = {
        {"track", "stands on no track; what runs on one is a vehicle"},
        {"start", "stands on no track; its bodies say where they \"start\""},
        {"speed", "does not run along a track"},
        {"speed_table", "does not run along a track"},
        {"speed_limits", "does not run along a track"},
        {"follower", "has no track frame that could follow it"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refuse_key(reader, &file->block, rows[i].key, rows[i].why);
    refuse_key(reader, &file->until.block, "distance", "does not run along a track: give an end in time");
    refuse_key(reader, &file->until.block, "lift", "has no wheels");
    if (!kane_block_has(&file->until.block, "time"))
        kane_reader_fault(reader, &file->block, "until",
                          "nothing ends the run of a mechanism: give \"until\": { \"time\": ... }");
    run->drive = kane_drive_definition_default();
    if (kane_block_has(&file->block, "drive"))
        kane_run_actuators(reader, file, run);
}

void kane_run_check_frames(const kane_run_definition *run, const kane_run_file *file, kane_errors *errors)
{
    static const char why[] = "the mechanism has no moving frame (no \"frames\"), and so no imaginary forces";
    if (run->vehicle->given_frame_count > 0)
        return;
    if (kane_block_has(&file->block, "formulation"))
        (void)kane_block_fault(errors, &file->block, "formulation",
                               "the mechanism has no moving frame (no \"frames\"): both formulations are the same");
    if (kane_block_has(&file->block, "imaginary_as_forces"))
        (void)kane_block_fault(errors, &file->block, "imaginary_as_forces", "%s", why);
    for (int i = 0; i < run->model.omission_count; i++)
        kane_errors_add_input(errors, KANE_BAD_INPUT, run->model.omissions[i].place, "%s", why);
}
