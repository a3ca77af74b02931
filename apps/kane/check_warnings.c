// SPDX-License-Identifier: MIT
// What is allowed, but what a careful engineer would ask about: a line each on standard output.

#include "check.h"

#include <kane/laws.h>

#include <math.h>

typedef struct warnings {
    kane_errors found;
} warnings;

// Heights over the rails and distances along the vehicle [m], masses [kg].
static const double HIGH = 10.0, DEEP = -2.0, WIDE = 5.0, FAR = 60.0, LIGHT = 1e-3, HEAVY = 5e5;

static void look_at_body(warnings *d, const kane_body_definition *body, int is_train)
{
    const kane_place at = kane_block_place(&body->block, "at", -1);
    const char *name    = body->block.name;
    if (body->position.z > HIGH || body->position.z < DEEP)
        kane_check_warning(
            &d->found, at,
            "the mass centre of '%s' lies %.4g m over the rails; usual: 0 to 4.7 m (gauge GC of EN 15273)", name,
            body->position.z);
    if (fabs(body->position.y) > WIDE)
        kane_check_warning(
            &d->found, at,
            "the mass centre of '%s' lies %.4g m beside the middle of the track; usual: within 1.6 m (gauge GC of EN 15273)",
            name, body->position.y);
    if (fabs(body->position.x) > FAR && !is_train)
        kane_check_warning(&d->found, at,
                           "'%s' stands %.4g m from the origin of its vehicle; usual: within 60 m (longer is a train)",
                           name, body->position.x);
    if (body->mass > HEAVY || (body->mass > 0.0 && body->mass < LIGHT))
        kane_check_warning(&d->found, kane_block_place(&body->block, "mass", -1),
                           "the mass of '%s' is %.4g kg; usual: 1 g to 500 t (a wagon for transformers)", name,
                           body->mass);
}

// What is allowed for comparison with other models, of wheels.
static void look_at_comparable_wheels(warnings *d, const kane_body_definition *body)
{
    const kane_place place = kane_block_place(&body->block, "contact", -1);
    if (body->wheels->laws.without_spin)
        kane_check_warning(&d->found, place,
                           "\"spin\": the wheels of '%s' creep without forces of spin: results are for comparison only",
                           body->block.name);
    if (body->wheels->laws.two_sided)
        kane_check_warning(
            &d->found, place,
            "\"bilateral\": the rails pull the wheels of '%s' down instead of letting them lift: results are for "
            "comparison only",
            body->block.name);
}

// What no vehicle can have, and what is allowed for comparison with models that have it.
static void look_for_impossible(warnings *d, const kane_run_definition *run)
{
    if (run->settings.normal_forces == KANE_NORMAL_FORCES_LAGGED)
        kane_check_warning(&d->found, (kane_place){.file = run->file, .path = "integrator.normal_forces"},
                           "\"lagged\": creep forces have the normal forces of the step before, with an error of first "
                           "order in the step: results are for comparison only");
    for (int i = 0; run->vehicle && i < run->vehicle->body_count; i++) {
        const kane_body_definition *body = &run->vehicle->bodies[i];
        if (body->impossible_inertia)
            kane_check_warning(&d->found, kane_block_place(&body->block, "impossible_inertia", -1),
                               "the inertia of '%s' is not checked: results are for comparison only", body->block.name);
        if (body->wheels)
            look_at_comparable_wheels(d, body);
    }
}

static void look_at_element(warnings *d, const kane_element_definition *element)
{
    if (element->law != &kane_law_yaw_damper || !element->parameters)
        return;
    const kane_yaw_damper *damper = element->parameters;
    if (damper->blow_off > 0.0 && damper->blow_off_damping > damper->damping)
        kane_check_warning(&d->found, kane_block_place(&damper->block, "blow_off_damping", -1),
                           "'%s' is damped more after it has blown off (%.4g N s/m) than before (%.4g N s/m)",
                           element->block.name, damper->blow_off_damping, damper->damping);
}

// Files that a reduced flexible body was made from, and that have been changed since.
static void look_at_reduced(warnings *d, const kane_body_definition *body)
{
    const kane_deformable *shape = body->deformable;
    const char *file             = shape && shape->files ? shape->files[0] : NULL;
    kane_errors unread           = {.limit = 1};
    kane_flexible *reduced       = kane_flexible_is_reduced(file) ? kane_flexible_read(file, NULL, &unread) : NULL;
    for (int i = 0; reduced && i < kane_flexible_get_data(reduced)->source_count; i++) {
        const kane_flexible_source *source = &kane_flexible_get_data(reduced)->sources[i];
        if (kane_flexible_source_changed(source))
            kane_check_warning(&d->found, kane_block_place(&body->block, "flexible", -1),
                               "%s has changed since %s was reduced from it", source->file, file);
    }
    kane_flexible_free(reduced);
}

static void look_at_vehicle(warnings *d, const kane_run_definition *run, const kane_model *model, kane_errors *errors)
{
    for (int i = 0; i < run->vehicle->body_count && run->track; i++)
        look_at_body(d, &run->vehicle->bodies[i], run->vehicle_parts != NULL);
    if (run->track && d->found.count == 0)
        kane_check_vehicle(run, model, &d->found, errors);
    for (int i = 0; i < run->vehicle->body_count; i++)
        look_at_reduced(d, &run->vehicle->bodies[i]);
    for (int i = 0; i < run->vehicle->element_count; i++)
        look_at_element(d, &run->vehicle->elements[i]);
}

// Rails are laid level to a few millimetres: less is no cant [m].
static const double LEVEL = 5e-3;

static int raises_inner_rail(const kane_track_section *s)
{
    return s->curvature[1] * s->superelevation[1] < 0.0 && fabs(s->superelevation[1]) > LEVEL;
}

// Cant raises the outer rail: the right one in a curve to the left. Where it turns about the inner rail, the line kinks
// between two hands of curves. Sections count from 0, as in the file.
static void look_at_track(warnings *d, const kane_track *track)
{
    const kane_track_definition *of = kane_track_get_definition(track);
    int raised = 0, first = 0;
    for (int i = 0; i < kane_track_section_count(track); i++) {
        const kane_track_section s = kane_track_get_section(track, i);
        if (raises_inner_rail(&s) && raised++ == 0)
            first = i;
        if (of->cant_axis == KANE_CANT_INNER_RAIL && s.curvature[0] * s.curvature[1] < 0.0)
            kane_check_warning(
                &d->found, of->place,
                "sections[%d]: the curve changes its hand, and cant turns about the inner rail, which is another one then: "
                "the line kinks; \"cant_axis\": \"centre_line\" keeps it smooth",
                i);
    }
    if (raised > 0)
        kane_check_warning(
            &d->found, of->place,
            "sections[%d]: the cant of %.4g mm raises the inner rail, the first of %d sections; usual: it raises the outer one, or "
            "is below %g mm, as rails are laid",
            first, 1e3 * fabs(kane_track_get_section(track, first).superelevation[1]), raised, 1e3 * LEVEL);
}

// A run that its line is too short for.
static void look_at_end(warnings *d, const kane_run_definition *run)
{
    const double begin = kane_track_get_definition(run->track)->start, end = begin + kane_track_length(run->track),
                 wanted = begin + run->drive.start + run->conditions.distance;
    if (run->conditions.distance > 0.0 && isfinite(run->conditions.distance) && wanted > end)
        kane_check_warning(&d->found, (kane_place){.file = run->file, .path = "until.distance"},
                           "the line ends at %.6g m, before the %.6g m where this run is to end", end, wanted);
}

static void say(const warnings *d, FILE *to, const char *before)
{
    for (int i = 0; i < d->found.kept; i++) {
        char text[1200];
        (void)kane_error_format(kane_errors_get(&d->found, i), sizeof text, text);
        (void)fprintf(to, "%sdoubtful: %s\n", i ? "" : before, text);
    }
}

void kane_check_warnings(const kane_run_definition *run, const kane_model *model, kane_errors *errors)
{
    warnings d = {{0}};
    look_at_vehicle(&d, run, model, errors);
    look_for_impossible(&d, run);
    if (run->track) {
        kane_check_speed(run, &d.found);
        look_at_track(&d, run->track);
        look_at_end(&d, run);
    }
    say(&d, stdout, "\n");
    kane_errors_free(&d.found);
}

void kane_check_line_warnings(const kane_track *track, const char *file)
{
    warnings d = {{0}};
    kane_check_cant(track, file, &d.found);
    look_at_track(&d, track);
    say(&d, stdout, "");
    kane_errors_free(&d.found);
}

void kane_check_impossible(const kane_run_definition *run)
{
    warnings d = {{0}};
    look_for_impossible(&d, run);
    say(&d, stderr, "");
    kane_errors_free(&d.found);
}
