// SPDX-License-Identifier: MIT
// What the analyses of steady motion share.

#include "analysis.h"

#include "base/number.h"
#include "base/unit.h"
#include "run/setup.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef app_analysis_choice arguments;

const app_option app_analysis_options[] = {
    {"set", 's', "PATH=VALUE", APP_SETS, "change a value of the run, vehicle.PATH or track.PATH", APP_TEXTS(settings)},
    {"speed", 'v', "V", 0, "speed: 30, \"108 km/h\" (default: that of the run's start)", APP_TEXT(speed)},
    {"radius", 'R', "R", 0, "of a curve, positive to the left; inf: straight (default)", APP_TEXT(radius)},
    APP_OMIT_OPTION(omit),
    {"cant", 'U', "U", 0, "height of the outer rail over the inner one (default 0)", APP_TEXT(cant)},
    {"over", 'O', "PATH=A:B:N", 0,
     "one value after another: N values from A to B, PATH=A:B:step=S or PATH=V,V,...; PATH: speed, radius, cant, friction, or as for --set",
     APP_TEXT(over)},
    {0},
};

// A quantity of an option or of --over; "inf" where that means something.
static int take(const char *text, const char *option, const char *unit, int may_be_infinite, double *value,
                kane_errors *errors)
{
    char buffer[400], place[200];
    kane_text fault = kane_text_start(sizeof buffer, buffer);
    if (may_be_infinite && kane_quantity_infinite(text, value))
        return 1;
    if (kane_quantity_parse(text, unit, value, &fault))
        return 1;
    (void)snprintf(place, sizeof place, "--%s %s", option, text);
    kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = place, .path = ""}, "%s", buffer);
    return 0;
}

int app_analysis_take(const char *text, const char *option, const char *unit, double *value, kane_errors *errors)
{
    return !text || take(text, option, unit, 0, value, errors);
}

static int take_speed(app_analysis *a, const char *text, kane_errors *errors)
{
    return take(text, "speed", "m/s", 0, &a->where.speed, errors);
}

static int take_radius(app_analysis *a, const char *text, kane_errors *errors)
{
    if (!take(text, "radius", "m", 1, &a->radius, errors))
        return 0;
    if (a->radius == 0.0)
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = "--radius 0", .path = ""},
                              "a radius of 0 is none; a straight has the radius inf");
    return a->radius != 0.0;
}

static int take_cant(app_analysis *a, const char *text, kane_errors *errors)
{
    return take(text, "cant", "m", 0, &a->cant, errors);
}

// Which of the three places --over goes over; NULL: a path of the files.
typedef int (*taker)(app_analysis *a, const char *text, kane_errors *errors);

static taker place_of(const char *path, const char **unit)
{
    static const struct {
        const char *path, *unit;
        taker take;
    } rows[] = {{"speed", "m/s", take_speed}, {"radius", "m", take_radius}, {"cant", "m", take_cant}};
    for (int i = 0; i < 3; i++) {
        if (strcmp(path, rows[i].path) != 0)
            continue;
        *unit = rows[i].unit;
        return rows[i].take;
    }
    return NULL;
}

static kane_run *read_run(const app_analysis_choice *choice, const char *further, kane_errors *errors)
{
    const char *settings[APP_TEXTS_MOST + 2] = {NULL};
    for (int i = 0; i < choice->settings.count; i++)
        settings[i] = choice->settings.texts[i];
    settings[choice->settings.count] = further;
    kane_tables *tables              = app_tables(); // for the models of all speeds
    const kane_run_options how       = {
              .settings = settings, .omit = choice->omit.texts, .tables = tables, .is_comparison = 1};
    kane_run *run = kane_run_read(choice->file, &how, errors);
    kane_tables_free(tables); // the run has its share
    return run;
}

// What a mechanism cannot hear.
static int check_mechanism(const app_analysis_choice *c, const app_analysis *a, kane_errors *errors)
{
    const char *unit;
    const int goes = a->over.path[0] && place_of(a->over.path, &unit);
    if (kane_run_get_definition(a->run)->track || !(c->speed || c->radius || c->cant || goes))
        return 1;
    kane_errors_add(errors, KANE_BAD_INPUT, "%s: a mechanism stands on no track: it has no speed, radius or cant",
                    c->file);
    return 0;
}

// What --over goes over is given neither by its own option nor by a setting, and the speed not by both.
static int check_once(const app_analysis_choice *c, const char *path, kane_errors *errors)
{
    const int twice = (c->speed && strcmp(path, "speed") == 0) || (c->radius && strcmp(path, "radius") == 0) ||
                      (c->cant && strcmp(path, "cant") == 0);
    const int before = errors->count;
    if (twice)
        kane_errors_add(errors, KANE_BAD_INPUT, "--over goes over the %s, which --%s gives, too: leave one of them out",
                        path, path);
    for (int i = 0; path[0] && i < c->settings.count; i++)
        if (kane_parameter_is_same(kane_axis_path(path), c->settings.texts[i]))
            kane_errors_add(errors, KANE_BAD_INPUT,
                            "--over goes over '%s', which --set %s gives, too: leave one of them out", path,
                            c->settings.texts[i]);
    for (int i = 0; c->speed && i < c->settings.count; i++)
        if (kane_parameter_is_same(kane_axis_path("speed"), c->settings.texts[i]))
            kane_errors_add(errors, KANE_BAD_INPUT,
                            "--speed gives the speed, which --set %s gives, too: leave one of them out",
                            c->settings.texts[i]);
    return errors->count == before;
}

int app_analysis_open(const app_analysis_choice *choice, app_analysis *a, kane_errors *errors)
{
    const char *unit;
    *a = (app_analysis){.choice = choice, .read = -1, .radius = (double)INFINITY};
    if (choice->over) {
        if (!app_over_read(choice->over, &a->over, errors))
            return 0;
    } else {
        a->over.count = 1;
    }
    if (place_of(a->over.path, &unit) && !a->over.unit[0])
        (void)snprintf(a->over.unit, sizeof a->over.unit, "%s", unit);
    int good = check_once(choice, a->over.path, errors); // all faults of what was typed together
    good     = (!choice->speed || take_speed(a, choice->speed, errors)) && good;
    good     = (!choice->radius || take_radius(a, choice->radius, errors)) && good;
    good     = (!choice->cant || take_cant(a, choice->cant, errors)) && good;
    good     = good && app_analysis_set(a, 0, errors) && check_mechanism(choice, a, errors);
    if (!good)
        app_analysis_close(a);
    return good;
}

void app_analysis_close(app_analysis *a)
{
    kane_run_free(a->run);
    app_over_free(&a->over);
    *a = (app_analysis){.run = NULL};
}

// The value of --over as one would type it.
static void write_value(const app_analysis *a, int index, size_t size, char *text)
{
    char number[KANE_NUMBER_SIZE];
    kane_number_format(a->over.value[index], number);
    (void)snprintf(text, size, "%s%s%s", number, a->over.unit[0] && isfinite(a->over.value[index]) ? " " : "",
                   isfinite(a->over.value[index]) ? a->over.unit : "");
}

int app_analysis_set(app_analysis *a, int index, kane_errors *errors)
{
    char value[KANE_NUMBER_SIZE + APP_OVER_UNIT + 2], setting[APP_OVER_PATH + sizeof value + 2];
    const char *unit;
    const taker goes   = place_of(a->over.path, &unit);
    const int is_typed = a->over.path[0] && !goes; // read from the files
    if (a->over.path[0])
        write_value(a, index, sizeof value, value);
    if (!a->run || (is_typed && a->read != index)) {
        (void)snprintf(setting, sizeof setting, "%s=%s", a->over.path, is_typed ? value : "");
        kane_run *run = read_run(a->choice, is_typed ? setting : NULL, errors);
        if (!run)
            return 0;
        kane_run_free(a->run);
        a->run  = run;
        a->read = is_typed ? index : -1;
    }
    if (!a->choice->speed)
        a->where.speed = kane_run_get_definition(a->run)->drive.speed;
    if (goes && !goes(a, value, errors))
        return 0;
    a->where.curvature      = 1.0 / a->radius; // of a straight 0
    a->where.superelevation = copysign(1.0, a->radius) * a->cant;
    return 1;
}

kane_steady *app_analysis_steady(app_analysis *a, int index, kane_errors *errors)
{
    return app_analysis_set(a, index, errors) ? kane_steady_create(kane_run_get_definition(a->run), &a->where, errors)
                                              : NULL;
}

void app_analysis_name(const app_analysis *a, size_t size, char *name)
{
    char stem[200];
    app_file_stem(a->choice->file, sizeof stem, stem);
    (void)snprintf(name, size, "%s, run %s", kane_run_get_definition(a->run)->vehicle->name, stem);
}

void app_analysis_title(const app_analysis *a, size_t size, char *title)
{
    kane_text text        = kane_text_start(size, title);
    const int is_on_track = kane_run_get_definition(a->run)->track != NULL;
    if (is_on_track && isfinite(a->radius))
        kane_text_add(&text, "%g m/s, radius %g m, cant %g m", a->where.speed, a->radius, a->cant);
    else if (is_on_track)
        kane_text_add(&text, "%g m/s, straight, cant %g m", a->where.speed, a->cant);
    for (int i = 0; i < a->choice->omit.count; i++)
        kane_text_add(&text, "%s%s", i > 0 ? ", " : is_on_track ? ", without " : "without ", a->choice->omit.texts[i]);
}

// A coordinate that changes less rests [m/s], [rad/s].
static const double STILL = 1e-3;

static int rests(const kane_steady_rate *rate)
{
    return fabs(rate->found) <= STILL;
}

// So many of them are printed by name.
enum { RATES_PRINTED = 6 };

// A line of those that rest, or of those that go on; nothing if there are none.
static void print_rates(FILE *out, const kane_steady *steady, int that_rest, const char *heading)
{
    int printed = 0;
    for (int i = 0; i < kane_steady_rate_count(steady); i++) {
        const kane_steady_rate *rate = kane_steady_get_rate(steady, i);
        char name[128];
        if (rests(rate) != that_rest || printed++ >= RATES_PRINTED)
            continue;
        kane_state_name(kane_steady_model(steady), rate->state, sizeof name, name);
        (void)kane_fprintf(out, "%s %s %.6g %s", printed > 1 ? "," : heading, name,
                           that_rest ? rate->start : rate->found, rate->is_length ? "m/s" : "rad/s");
    }
    if (printed > RATES_PRINTED)
        (void)fprintf(out, " and %d more", printed - RATES_PRINTED);
    if (printed > 0)
        (void)fprintf(out, "\n");
}

void app_analysis_print_rates(FILE *out, const kane_steady *steady, const char *before)
{
    if (kane_steady_rate_count(steady) > 0)
        (void)fprintf(out, "%s", before);
    print_rates(out, steady, 0, "steady motion in which these go on:");
    print_rates(out, steady, 1, "at rest, without these rates of the start:");
}

int app_analysis_goes_on(const kane_steady *steady)
{
    int any = 0;
    for (int i = 0; i < kane_steady_rate_count(steady); i++)
        any |= !rests(kane_steady_get_rate(steady, i));
    return any;
}

void app_analysis_write_rates(kane_writer *w, const kane_steady *steady)
{
    if (kane_steady_rate_count(steady) == 0)
        return;
    kane_writer_open(w, "rates", '{');
    for (int i = 0; i < kane_steady_rate_count(steady); i++) {
        const kane_steady_rate *rate = kane_steady_get_rate(steady, i);
        char name[128];
        kane_state_name(kane_steady_model(steady), rate->state, sizeof name, name);
        kane_writer_open(w, name, '{');
        kane_writer_number(w, "start", rate->start);
        kane_writer_number(w, "found", rate->found);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

void app_analysis_write_place(kane_writer *w, const app_analysis *a)
{
    const kane_run_definition *run = kane_run_get_definition(a->run);
    kane_writer_text(w, "vehicle", run->vehicle->name);
    if (!run->track)
        return;
    kane_writer_number(w, "speed", a->where.speed);
    kane_writer_number(w, "curvature", a->where.curvature);
    kane_writer_number(w, "superelevation", a->where.superelevation);
}

// --- stability ---

int app_analysis_stability(kane_steady *steady, app_stability *stability, kane_errors *errors)
{
    kane_errors why = {.limit = 1};
    *stability      = (app_stability){.growing = kane_steady_find_growing(steady, &why)};
    const int good  = stability->growing || kane_errors_status(&why, 0) != KANE_NO_MEMORY;
    if (!good)
        kane_errors_append(errors, &why);
    else if (!stability->growing)
        (void)kane_snprintf(stability->why, sizeof stability->why, "%s", kane_errors_get(&why, 0)->text);
    kane_errors_free(&why);
    return good;
}

void app_analysis_print_stability(FILE *out, const char *before, kane_steady *steady, const app_stability *stability)
{
    const char *what = app_analysis_goes_on(steady) ? "steady motion" : "equilibrium";
    const int count  = stability->growing ? kane_modes_count(stability->growing) : 0;
    if (!stability->growing)
        (void)fprintf(out, "%swhether the %s is stable is not known: %s\n", before, what, stability->why);
    for (int i = 0; i < count; i++) {
        const kane_mode *m = kane_modes_get(stability->growing, i);
        if (i == 0)
            (void)fprintf(out, "%s%d %s: the %s is not stable\n", before, count,
                          app_plural(count, (app_noun){"mode grows", "modes grow"}), what);
        (void)kane_fprintf(out, "  %s, %.4g Hz, growing by %.3g 1/s\n", m->name, m->frequency, m->re);
    }
}

void app_analysis_write_stability(kane_writer *w, const app_stability *stability)
{
    if (!stability->growing)
        return;
    kane_writer_switch(w, "stable", kane_modes_count(stability->growing) == 0);
    kane_writer_open(w, "growing", '[');
    for (int i = 0; i < kane_modes_count(stability->growing); i++) {
        const kane_mode *m = kane_modes_get(stability->growing, i);
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "name", m->name);
        kane_writer_number(w, "frequency", m->frequency);
        kane_writer_number(w, "growth", m->re);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}
