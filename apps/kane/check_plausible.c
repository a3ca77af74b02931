// SPDX-License-Identifier: MIT
// Whether numbers of a rail vehicle, its line and its speed can be meant: masses against each other, ends of elements
// against their bodies, speed and cant; where nothing of that is strange, static deflections and the lowest modes at
// rest. docs/formats.md#plausibility lists the ranges.

#include "check.h"

#include "wheelset.h"

#include <kane/linear.h>
#include <kane/steady.h>

#include "base/number.h"
#include "model/model.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void kane_check_warning(kane_errors *found, kane_place place, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    (void)kane_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    kane_errors_add_input(found, KANE_BAD_INPUT, place, "%s", text);
}

// " (and 3 others)", behind the name of the worst
static const char *and_others(int others, char text[32])
{
    (void)snprintf(text, 32, others == 1 ? " (and 1 other)" : " (and %d others)", others);
    return others > 0 ? text : "";
}

static const kane_body_definition *find_body(const kane_vehicle_definition *v, const char *name)
{
    for (int i = 0; name && i < v->body_count; i++)
        if (strcmp(v->bodies[i].block.name, name) == 0)
            return &v->bodies[i];
    return NULL;
}

// --- masses ---

// The reference body of a vehicle carries its load, alone or among others of an articulated one: nothing weighs far
// more, and no wheelset far less.
static const double HEAVIER_THAN_REFERENCE = 5.0, HEAVIER_THAN_WHEELSET = 300.0;
// Of a wheelset and what it carries [kg].
static const double AXLE_LIGHT = 2e3, AXLE_HEAVY = 45e3;

static void look_at_masses(const kane_vehicle_definition *v, kane_errors *found)
{
    const kane_body_definition *guide = find_body(v, v->guide), *heaviest = guide, *lightest = NULL;
    double sum    = 0.0;
    int wheelsets = 0;
    for (int i = 0; i < v->body_count; i++) {
        const kane_body_definition *body = &v->bodies[i];
        sum += body->mass;
        wheelsets += body->wheels != NULL;
        if (guide && body->mass > heaviest->mass && !body->vehicle)
            heaviest = body;
        if (body->wheels && body->mass > 0.0 && (!lightest || body->mass < lightest->mass))
            lightest = body;
    }
    if (!guide || guide->wheels || !lightest)
        return;
    const double axle = sum / wheelsets;
    if (heaviest->mass > HEAVIER_THAN_REFERENCE * guide->mass)
        kane_check_warning(
            found, kane_block_place(&guide->block, "mass", -1),
            "the mass of '%s' is %.4g kg, and '%s' has %.4g kg; usual: no body weighs more than the reference body, which carries the load, or 5 "
            "times as much in articulated vehicles",
            guide->block.name, guide->mass, heaviest->block.name, heaviest->mass);
    else if (axle < AXLE_LIGHT || axle > AXLE_HEAVY)
        kane_check_warning(found, kane_block_place(&guide->block, "mass", -1),
                           "the mass is %.4g t a wheelset; usual: 5 to 25 t (EN 15528; ore wagons 40 t)", 1e-3 * axle);
    else if (guide->mass > HEAVIER_THAN_WHEELSET * lightest->mass)
        kane_check_warning(
            found, kane_block_place(&lightest->block, "mass", -1),
            "the mass of '%s' is %.4g kg, 1/%.3g of that of '%s'; usual: 1/3 to 1/100 (vehicles after published data)",
            lightest->block.name, lightest->mass, guide->mass / lightest->mass, guide->block.name);
}

// --- ends of elements ---

// Distance of an end from its body over how far that reaches: of a wheelset from its axle, over twice the radius of its
// wheels (arms of axle boxes); of others from the mass centre, over half the length of the slender bar that has the
// largest moment of inertia, m l^2/12.
static double reach_of(const kane_body_definition *body, kane_vec3 end, double *distance, double *reach)
{
    const kane_vec3 d = kv3_sub(end, body->position);
    const double most = fmax(body->inertia[0], fmax(body->inertia[1], body->inertia[2]));
    *distance         = body->wheels ? hypot(d.x, d.z) : kv3_norm(d);
    *reach            = body->wheels ? 2.0 * body->wheels->radius[0] : sqrt(3.0 * most / body->mass);
    return *distance / *reach;
}

// Inertias are estimates, and arms and brackets have little: warned of beyond so many times the reach.
static const double BEYOND = 2.0;

static void look_at_ends(const kane_vehicle_definition *v, kane_errors *found)
{
    double worst = 0.0, distance = 0.0, reach = 0.0;
    int count = 0, at = 0, end = 0;
    for (int i = 0; i < 2 * v->element_count; i++) {
        const kane_element_definition *e = &v->elements[i / 2];
        const kane_body_definition *body = e->marker[i % 2] ? NULL : find_body(v, e->between[i % 2]);
        double d, r;
        if (!body || body->deformable)
            continue;
        const double ratio = reach_of(body, e->at[i % 2], &d, &r);
        if (!(r > 0.0) || !(ratio > (body->wheels ? 1.0 : BEYOND)))
            continue;
        count++;
        if (!(ratio > worst))
            continue;
        worst    = ratio;
        distance = d;
        reach    = r;
        at       = i / 2;
        end      = i % 2;
    }
    if (count == 0)
        return;
    char others[32];
    const kane_element_definition *e = &v->elements[at];
    const kane_body_definition *body = find_body(v, e->between[end]);
    kane_check_warning(
        found, kane_block_place(&e->block, end && kane_block_has(&e->block, "to") ? "to" : "at", -1),
        "an end of '%s'%s lies %.4g m from %s of '%s'; usual: up to %.3g m (%s)", e->block.name,
        and_others(count - 1, others), distance, body->wheels ? "the axle" : "the mass centre", body->block.name, reach,
        body->wheels ? "the diameter of its wheels" : "half of the slender bar with its moment of inertia");
}

// --- line and speed ---

// EN 13803 on rails 1.5 m apart, other gauges by the angle: cant, and cant deficiency of tilting trains [m]; the
// fastest lines it is for [m/s].
static const double RUNNING_DISTANCE = 1.5, CANT = 0.18, DEFICIENCY = 0.306, FAST = 100.0;

static double scale_of(const kane_track_definition *track)
{
    return track->running_distance / RUNNING_DISTANCE;
}

void kane_check_cant(const kane_track *track, const char *file, kane_errors *found)
{
    const kane_track_definition *of = kane_track_get_definition(track);
    const double most               = CANT * scale_of(of);
    double largest                  = 0.0;
    int count = 0, at = 0;
    for (int i = 0; i < kane_track_section_count(track) && !of->is_road; i++) {
        const kane_track_section s = kane_track_get_section(track, i);
        const double cant          = fmax(fabs(s.superelevation[0]), fabs(s.superelevation[1]));
        count += cant > most;
        if (cant > fmax(most, largest)) {
            largest = cant;
            at      = i;
        }
    }
    char others[32], path[32];
    (void)snprintf(path, sizeof path, "sections[%d]", at);
    if (count > 0)
        kane_check_warning(found, (kane_place){.file = file, .path = path},
                           "the cant%s is %.4g mm; usual: up to %.3g mm (EN 13803)", and_others(count - 1, others),
                           1e3 * largest, 1e3 * most);
}

// Pieces of constant acceleration, one after the other: v^2 = v_0^2 + 2 a (s - s_0).
// NaN: the run has ended by then.
static double speed_by_pieces(const kane_run_definition *run, double s)
{
    const kane_drive_definition *drive = &run->drive;
    double v = drive->speed, at = drive->start, time = 0.0, a = 0.0;
    for (int i = 0; i < drive->piece_count; i++) {
        const double t = drive->pieces[i].time - time, end = at + v * t + 0.5 * a * t * t;
        if (end >= s)
            break;
        at   = end;
        v    = v + a * t;
        time = drive->pieces[i].time;
        a    = drive->pieces[i].acceleration;
    }
    const double there = sqrt(fmax(v * v + 2.0 * a * (s - at), 0.0)), until = run->conditions.time;
    return until > 0.0 && time + 2.0 * (s - at) / (v + there) > until ? (double)NAN : there;
}

// Speed at a place, where it is known without integrating; of a vehicle that forces drive that of its start. Else NaN.
static double speed_at(const kane_run_definition *run, double s)
{
    const kane_drive_definition *drive = &run->drive;
    const kane_speed_curve *c          = &drive->curve;
    if (drive->kind != KANE_DRIVE_PRESCRIBED)
        return drive->speed;
    if (drive->function.eval)
        return (double)NAN;
    if (c->point_count == 0)
        return speed_by_pieces(run, s);
    if (c->over != KANE_SPEED_OVER_PLACE)
        return (double)NAN;
    int i = 1;
    while (i < c->point_count - 1 && c->at[i] < s)
        i++;
    const double x = fmin(fmax((s - c->at[i - 1]) / (c->at[i] - c->at[i - 1]), 0.0), 1.0);
    return sqrt((1.0 - x) * c->speed[i - 1] * c->speed[i - 1] + x * c->speed[i] * c->speed[i]);
}

// The largest cant deficiency b v^2 k/g - u of the sections that the run goes through [m].
static double find_deficiency(const kane_run_definition *run, int *section, double *speed)
{
    const kane_track_definition *of = kane_track_get_definition(run->track);
    const double way                = run->conditions.distance > 0.0 ? run->conditions.distance : (double)INFINITY;
    double most                     = 0.0;
    for (int i = 0; i < 2 * kane_track_section_count(run->track); i++) {
        const kane_track_section s = kane_track_get_section(run->track, i / 2);
        const double place         = s.start + (i % 2 ? s.length : 0.0),
                     v             = speed_at(run, fmin(fmax(place, run->drive.start), run->drive.start + way)),
                     k             = s.curvature[i % 2],
                     need          = of->running_distance * v * v * k / run->vehicle->gravity - s.superelevation[i % 2],
                     lack          = k < 0.0 ? -need : need;
        const int passes           = s.start + s.length >= run->drive.start && s.start <= run->drive.start + way;
        if (k == 0.0 || !passes || !(lack > most))
            continue;
        most     = lack;
        *section = i / 2;
        *speed   = v;
    }
    return most;
}

static void look_at_speed(const kane_run_definition *run, kane_errors *found)
{
    const kane_track_definition *of = kane_track_get_definition(run->track);
    const kane_place place          = {.file = run->file, .path = "start.speed"};
    int section                     = 0;
    double speed                    = run->drive.speed;
    if (speed > FAST) {
        kane_check_warning(found, place,
                           "the run starts at %.4g m/s (%.4g km/h); usual: up to %g m/s (360 km/h, EN 13803)", speed,
                           3.6 * speed, FAST);
        return;
    }
    const double most = DEFICIENCY * scale_of(of), lack = of->is_road ? 0.0 : find_deficiency(run, &section, &speed);
    if (lack > most)
        kane_check_warning(
            found, place,
            "at %.4g m/s the cant deficiency in sections[%d] is %.4g mm; usual: up to %.3g mm, of tilting trains %.3g "
            "mm (EN 13803)",
            speed, section, 1e3 * lack, 1e3 * CANT * scale_of(of), 1e3 * most);
}

// --- at rest ---

// How far a law would give way along `direction` under the size of its static load, by its slope there: |F|/k [m]. 0:
// it carries none, or does not give way.
static double deflection_of(const kane_element *e, kane_vec3 direction)
{
    const double load = kv3_norm(e->load), step = 1e-5;
    const double rest[KANE_LAW_STATES] = {0};
    double force[2];
    if (!(load > 0.0) || e->absolute)
        return 0.0;
    for (int i = 0; i < 2; i++) {
        kane_wrench on_b      = {0};
        const kane_relative r = {.d = kv3_scale(i ? step : -step, direction), .d0 = e->d0, .state = rest};
        if (e->law->eval(e->data, &r, &on_b) != 0)
            return 0.0;
        force[i] = kv3_dot(on_b.force, direction);
    }
    const double stiffness = (force[0] - force[1]) / (2.0 * step);
    return stiffness > 1e-9 * load ? load / stiffness : 0.0;
}

// Under the load itself: of a body that bounces at 0.5 Hz, g/(2 pi f)^2. Across it: at 0.16 Hz; a pendulum as long as
// that holds as well [m].
static const double DEEP = 0.994, ASIDE = 10.0;

static int look_at_deflections(const kane_vehicle_definition *v, const kane_model *model, kane_errors *found)
{
    double worst = 1.0, deflection = 0.0; // the first over its limit
    int count = 0, at = 0, axis = 0;
    for (int i = 0; i < model->element_count; i++) {
        const kane_element *e        = &model->elements[i];
        const double load            = kv3_norm(e->load);
        const kane_vec3 along        = load > 0.0 ? kv3_scale(1.0 / load, e->load) : kv3_zero(),
                        directions[] = {along, kv3(1, 0, 0), kv3(0, 1, 0), kv3(0, 0, 1)};
        double most                  = 0.0;
        for (int k = 0; k < 4; k++) {
            const double d = deflection_of(e, directions[k]), ratio = d / (k == 0 ? DEEP : ASIDE);
            most = fmax(most, ratio);
            if (!(ratio > worst))
                continue;
            worst      = ratio;
            deflection = d;
            at         = i;
            axis       = k;
        }
        count += most > 1.0;
    }
    char others[32];
    if (count == 0)
        return 0;
    const double load      = 1e-3 * kv3_norm(model->elements[at].load);
    const kane_place place = kane_block_place(&v->elements[at].block, "stiffness", -1);
    if (axis == 0)
        kane_check_warning(
            found, place,
            "the static deflection of '%s'%s is %.4g m under %.4g kN; usual: up to 0.3 m, bounce at 0.9 Hz (ISO 2631-1 has motion "
            "sickness below 0.5 Hz, %.3g m)",
            model->elements[at].name, and_others(count - 1, others), deflection, load, DEEP);
    else
        kane_check_warning(
            found, place,
            "'%s'%s would give way along %s by %.4g m under its own static load of %.4g kN; usual: up to 1 m (softer than a pendulum of "
            "%g m it holds nothing)",
            model->elements[at].name, and_others(count - 1, others), kane_axis_name(axis - 1), deflection, load, ASIDE);
    return count;
}

// Shipped vehicles have their lowest mode at 0.15 to 2.05 Hz, and their reference body bounces at 0.85 to 7.9 Hz.
// Warned of are modes that swing more slowly, and bodies that bounce faster (a bogie without its car: 11.5) [Hz].
static const double SLOW = 0.1, STIFF = 20.0;

// Part of a mode's kinetic energy in one freedom of all bodies but one (NULL: of all).
static double share_of_all(const kane_modes *modes, int mode, const kane_model *model, kane_coordinate freedom,
                           const char *but)
{
    double share = 0.0;
    for (int j = 0; j < kane_model_body_count(model); j++)
        if (!but || strcmp(kane_model_body_name(model, j), but) != 0)
            share += kane_modes_share(modes, mode, j, freedom);
    return share;
}

static double lateral_motion(const kane_modes *modes, int mode, int body)
{
    double re[KANE_COORDINATES], im[KANE_COORDINATES];
    kane_modes_shape(modes, mode, body, re, im);
    return hypot(re[KANE_Y], im[KANE_Y]);
}

// Modes that springs do not hold: along the line couplers swing, bogies and wheelsets may turn freely, and on the rails
// the vehicle slides with its wheelsets.
static int is_of_rails(const kane_vehicle_definition *v, const kane_modes *modes, int mode, const kane_model *model)
{
    const double guide = lateral_motion(modes, mode, kane_model_find_body(model, v->guide));
    if (share_of_all(modes, mode, model, KANE_X, NULL) > 0.5 ||
        share_of_all(modes, mode, model, KANE_YAW, v->guide) > 0.5)
        return 1;
    for (int i = 0; i < v->body_count; i++)
        if (v->bodies[i].wheels &&
            lateral_motion(modes, mode, kane_model_find_body(model, v->bodies[i].block.name)) > fmax(0.5 * guide, 0.1))
            return 1;
    return 0;
}

static void look_at_modes(const kane_run_definition *run, const kane_modes *modes, const kane_model *model,
                          kane_errors *found)
{
    const char *guide       = run->vehicle->guide;
    const int body          = kane_model_find_body(model, guide);
    const kane_place place  = kane_block_place(&find_body(run->vehicle, guide)->block, NULL, -1);
    const kane_mode *lowest = NULL, *tips = NULL, *bounce = NULL;
    double most = 0.0;
    for (int i = 0; i < kane_modes_count(modes); i++) {
        const kane_mode *m = kane_modes_get(modes, i);
        if (m->kind == KANE_MODE_INDIFFERENT || is_of_rails(run->vehicle, modes, i, model))
            continue;
        if (m->kind == KANE_MODE_CREEPS && m->re > 0.0)
            tips = m;
        if (m->kind != KANE_MODE_OSCILLATES)
            continue;
        if (!lowest || m->natural < lowest->natural)
            lowest = m;
        if (kane_modes_share(modes, i, body, KANE_Z) > most) {
            most   = kane_modes_share(modes, i, body, KANE_Z);
            bounce = m;
        }
    }
    if (tips)
        kane_check_warning(found, place,
                           "it is not at rest: '%s' grows by %.3g 1/s; usual: the lowest mode swings at 0.3 to 3 Hz",
                           tips->name, tips->re);
    else if (lowest && lowest->natural < SLOW)
        kane_check_warning(
            found, place,
            "the lowest mode, '%s', is at %.3g Hz; usual: 0.3 to 3 Hz (shipped vehicles after published data: 0.15 to 2 Hz)",
            lowest->name, lowest->natural);
    else if (bounce && bounce->natural > STIFF)
        kane_check_warning(
            found, place,
            "'%s' bounces at %.3g Hz; usual: 0.3 to 3 Hz, freight wagons up to 8 Hz (shipped vehicles after published data)",
            guide, bounce->natural);
}

// Modes at rest on straight level rails without friction. A vehicle without equilibrium there raises no doubt of this
// kind.
static void look_at_rest(const kane_run_definition *run, kane_errors *found, kane_errors *errors)
{
    kane_errors unsaid                 = {.limit = 1};
    kane_track_definition rails        = *kane_track_get_definition(run->track);
    rails.friction                     = 0.0;
    kane_track *straight               = app_straight_track(&rails, &unsaid);
    kane_run_definition there          = *run;
    there.track                        = straight;
    const kane_steady_definition where = {.speed = run->drive.speed};
    kane_steady *steady                = straight ? kane_steady_create(&there, &where, &unsaid) : NULL;
    kane_linear *linear = steady ? kane_linear_create(kane_steady_model(steady), kane_steady_work(steady), 0.0,
                                                      kane_steady_state(steady), &unsaid)
                                 : NULL;
    kane_modes *modes   = linear ? kane_modes_create(linear, KANE_MODES_UNDAMPED, &unsaid) : NULL;
    if (modes)
        look_at_modes(run, modes, kane_steady_model(steady), found);
    if (!modes && kane_errors_get(&unsaid, 0)->status == KANE_NO_MEMORY)
        (void)kane_no_memory(errors);
    kane_modes_free(modes);
    kane_linear_free(linear);
    kane_steady_free(steady);
    kane_track_free(straight);
}

void kane_check_speed(const kane_run_definition *run, kane_errors *found)
{
    kane_check_cant(run->track, run->track_file ? run->track_file : "", found);
    look_at_speed(run, found);
}

void kane_check_vehicle(const kane_run_definition *run, const kane_model *model, kane_errors *found,
                        kane_errors *errors)
{
    const kane_vehicle_definition *v = run->vehicle;
    const int before                 = found->count;
    int is_on_rails                  = 0;
    for (int i = 0; i < v->body_count; i++)
        is_on_rails |= v->bodies[i].wheels != NULL;
    if (!is_on_rails)
        return;
    look_at_masses(v, found);
    if (found->count == before)
        look_at_ends(v, found);
    if (found->count > before || look_at_deflections(v, model, found) > 0)
        return;
    const kane_body_definition *guide = find_body(v, v->guide);
    if (guide && !guide->wheels && !run->vehicle_parts)
        look_at_rest(run, found, errors);
}
