// SPDX-License-Identifier: MIT
// A wheel on crossings against CONTACT: S1002, r = 460 mm, on slices of CONTACT's test bank, which a track file names.
// The slices and CONTACT's rows lie beside the source tree (see `slices`, `rows_files`); further rows in tests/data.

#include "errors.h"
#include "folder.h"
#include "page_table.h"
#include "unit/contact/rig.h"

static const char *const rows_files[] = {KANE_SOURCE_DIR "/../shared/reference/facts/contact-crossing.csv",
                                         KANE_SOURCE_DIR "/tests/data/crossing-contact.csv"};
static const char *const slices       = KANE_SOURCE_DIR "/../shared/reference/profiles/crossing";

enum { ROWS_MOST = 100 };

static const double at = 100.0, radius = 0.46; // chainage of the slices' zero [m], [m]

// One patch as CONTACT has it: on the right wheel, y to the right, z down, forces on the rail.
typedef struct crossing_row {
    char name[24];
    double s, y, z;            // of the wheel [mm]
    double rail_y, angle;      // place of the patch on the rail [mm], [rad]
    double N, Fx, Fs;          // [N]
    double approach, pressure; // [mm], [MPa]
    double load;               // vertical, of the wheel [N]
} crossing_row;

typedef struct crossing_rows {
    int count;
    crossing_row row[ROWS_MOST];
} crossing_rows;

static int same_wheel(const crossing_row *a, const crossing_row *b)
{
    return strcmp(a->name, b->name) == 0 && a->s == b->s && a->y == b->y && a->z == b->z;
}

static void add_rows(const char *file, crossing_rows *rows)
{
    char line[512];
    FILE *f = fopen(file, "r");
    if (!f)
        check_skip("there is no %s", file);
    while (fgets(line, sizeof line, f)) {
        crossing_row r = {.name = ""};
        if (sscanf(line, "%23[^,],%lf,%lf,%lf,%*f,%*f,%lf,%*f,%lf,%*f,%*f,%*f,%lf,%lf,%lf,%*f,%*f,%lf,%lf", r.name,
                   &r.s, &r.y, &r.z, &r.rail_y, &r.angle, &r.N, &r.Fx, &r.Fs, &r.approach, &r.pressure) != 11)
            continue;
        assert_true(rows->count < ROWS_MOST);
        rows->row[rows->count++] = r;
    }
    (void)fclose(f);
}

// The vertical force on the wheel is that of all of its patches: N cos(angle) + F_s sin(angle). Where it was
// prescribed, and not all patches are among the rows, it is 10 kN.
static void read_rows_or_skip(crossing_rows *rows)
{
    if (access(slices, R_OK) != 0)
        check_skip("there is no %s", slices);
    rows->count = 0;
    for (int i = 0; i < 2; i++)
        add_rows(rows_files[i], rows);
    for (int i = 0; i < rows->count; i++) {
        crossing_row *r = &rows->row[i];
        for (int k = 0; k < rows->count; k++)
            if (same_wheel(r, &rows->row[k]))
                r->load += rows->row[k].N * cos(rows->row[k].angle) + rows->row[k].Fs * sin(rows->row[k].angle);
        if (strcmp(r->name, "mbench_locus") == 0)
            r->load = 1e4;
    }
}

// A track whose right rail has the slices of a file; its own profile is round, with its top where the slices' axes have
// their origin.
static kane_track *make_track(const char *file, const char *unit)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "{ \"kane\": \"track 1\", \"rail\": { \"profile\": \"round\", \"inclination\": 0 }, \"sections\": [ { \"straight\": 200 } "
        "],\n\"profile_changes\": [ { \"from\": %g, \"rail\": \"right\", \"slices\": \"%s/%s\"%s%s%s } ] }",
        at, slices, file, unit ? ", \"unit\": \"" : "", unit ? unit : "", unit ? "\"" : "");
    write_file("track.json", text);
    kane_track *track = CHECK_GOOD(kane_track_read, "track.json", NULL);
    assert_non_null(track);
    return track;
}

static kane_contact *make_contact(const kane_track *track)
{
    const kane_track_definition *t = kane_track_get_definition(track);
    kane_contact_definition d      = kane_contact_definition_default();
    d.rail[0]                      = t->rail[0];
    d.inclination                  = t->inclination;
    d.shape_count                  = t->shape_count;
    d.shapes                       = t->shapes;
    d.laws.shear_modulus           = 82e9;
    d.laws.poisson                 = 0.28;
    d.laws.dissipation_law         = KANE_DISSIPATION_NONE;
    d.laws.creep                   = KANE_CREEP_FASTSIM;
    d.laws.friction[0] = d.laws.friction[1] = 0.3;
    return rig_create(d);
}

// The wheel, `down` below where its running circle stands level with the origin.
static kane_wheel_motion motion_of(const kane_track *track, const crossing_row *r, double down)
{
    kane_wheel_motion m = {
        .centre = kv3(0.0, -1e-3 * r->y, radius - down), .axle = kv3(0.0, 1.0, 0.0), .velocity = kv3(2.0, 0.0, 0.0)};
    m.omega = kv3(0.0, 4.3481181, 0.0);
    kane_track_profile(track, KANE_RIGHT, at + 1e-3 * r->s, &m.blend);
    return m;
}

// As deep as the wheel is when it carries the row's load [m].
static double depth_of(const kane_contact *c, const kane_track *track, const crossing_row *r)
{
    double high = -3e-3, low = 3e-3;
    for (int i = 0; i < 60; i++) {
        const double middle       = 0.5 * (high + low);
        const kane_wheel_motion m = motion_of(track, r, middle + 1e-3 * r->z);
        if (rig_eval(c, KANE_RIGHT, &m).on_wheel.force.z < r->load)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (high + low) + 1e-3 * r->z;
}

static const kane_patch *patch_at(const kane_contact_result *result, const crossing_row *r)
{
    const kane_patch *found = NULL;
    for (int i = 0; i < result->patch_count; i++) {
        const kane_patch *p = &result->patch[i];
        if (!found || fabs(1e3 * p->rail_y - r->rail_y) < fabs(1e3 * found->rail_y - r->rail_y))
            found = p;
    }
    return found;
}

// Of a row: the file of its slices and their unit (NULL: the files say it), and with which others it is judged.
typedef enum crossing_kind { LEVEL, TWO_HEADS, SLICES, BETWEEN, SLOPES, KINDS } crossing_kind;

static const char *const kinds[KINDS] = {"level", "two heads", "on slices", "between slices", "slopes"};

typedef struct crossing_source {
    const char *name, *file, *unit;
    crossing_kind kind;
} crossing_source;

static const crossing_source *source_of(const char *name)
{
    static const crossing_source sources[] = {
        {"mbench_intrup", "uk_interrupt_v2.slcs", "m", LEVEL}, {"two_patches", "uk_interrupt_v2.slcs", "m", TWO_HEADS},
        {"slice60", "uk_crossing.slcs", "m", SLICES},          {"slice70", "uk_crossing.slcs", "m", SLICES},
        {"mbench_locus", "uk_crossing.slcs", "m", BETWEEN},    {"cross+wing", "cross+wing.slcs", NULL, LEVEL},
        {"cross_locus", "cross_nose.slcs", NULL, SLOPES},      {"wing_locus", "wing_rail.slcs", NULL, SLOPES}};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(sources[i].name, name) == 0)
            return &sources[i];
    return NULL; // "cw_interrupt": its slices are not there
}

// What libkane has for a row, off CONTACT. Place and all behind only where it has the patch.
typedef struct crossing_off {
    double N;                  // in parts of the load
    double height;             // of the wheel, upward [mm]
    int has_patch;             //
    double rail_y, angle;      // [mm], [rad]
    double approach, pressure; // [mm], in parts
    double creep;              // force, in parts of mu times the load
} crossing_off;

static crossing_off off_of(const kane_contact *c, const kane_track *track, const crossing_row *r)
{
    const double near          = 5.0; // [mm]
    const double depth         = depth_of(c, track, r);
    const kane_wheel_motion m  = motion_of(track, r, depth);
    kane_contact_result result = rig_eval(c, KANE_RIGHT, &m);
    kane_contact_pressures(c, KANE_RIGHT, &m, &result);
    const kane_patch *p = patch_at(&result, r);
    crossing_off off    = {.N = -r->N / r->load, .height = r->z - 1e3 * depth};
    if (!p || fabs(1e3 * p->rail_y - r->rail_y) > near)
        return off;
    return (crossing_off){.N         = (p->N - r->N) / r->load,
                          .height    = off.height,
                          .has_patch = 1,
                          .rail_y    = 1e3 * p->rail_y - r->rail_y,
                          .angle     = p->angle - r->angle,
                          .approach  = 1e3 * p->approach - r->approach,
                          .pressure  = 1e-6 * p->pressure / r->pressure - 1.0,
                          .creep     = hypot(-p->T_x - r->Fx, p->T_y - r->Fs) / (0.3 * r->load)};
}

// All rows, and what is off; contacts are made once a file.
typedef struct crossing_answers {
    crossing_rows rows;
    crossing_off off[ROWS_MOST];
} crossing_answers;

static const crossing_answers *answers_or_skip(void)
{
    static crossing_answers a;
    if (a.rows.count > 0)
        return &a;
    read_rows_or_skip(&a.rows);
    const char *before = "";
    kane_track *track  = NULL;
    kane_contact *c    = NULL;
    for (int i = 0; i < a.rows.count; i++) {
        const crossing_source *source = source_of(a.rows.row[i].name);
        if (!source)
            continue;
        if (strcmp(source->file, before) != 0) {
            kane_contact_free(c);
            kane_track_free(track);
            track  = make_track(source->file, source->unit);
            c      = make_contact(track);
            before = source->file;
        }
        a.off[i] = off_of(c, track, &a.rows.row[i]);
    }
    kane_contact_free(c);
    kane_track_free(track);
    return &a;
}

typedef struct crossing_worst {
    double N, height, rail_y, angle, approach, pressure, creep;
} crossing_worst;

// What rows may be off. Level: CONTACT's four digits and its elements of .2 mm; its full theory of creep forces against
// FASTSIM (5 %). Two heads: 1 um of height of the one over the other moves some 2 % of the load. On slices: what lies
// ahead and behind is straight between slices here and a cubic there, which is h^2/8 of its bend off: 5 um on the nose,
// whose slices lie 20 mm apart. Between slices 20 mm apart: the same, and the wing's edge, which stands 1.07 mm farther
// out in the next slice, is a mean of two edges: it moves by as much, and is lower by 20 um. CONTACT's angle is that of
// the rail at its reference place, here it is that of wheel and rail together: .1 and .067 on an edge that goes aslant,
// which also bends patches and raises pressures. Slopes: at 1:10 (nose) and 1:10 to the side (wing) CONTACT leaves
// forces upright; its wheel moves along the slope, so that creepages are others.
static const crossing_worst bounds[KINDS] = {{5e-4, 1e-3, 0.05, 1e-3, 1e-3, 0.03, 0.05},
                                             {0.02, 1e-3, 0.05, 0.015, 3e-3, 0.12, 0.05},
                                             {0.15, 0.01, 0.05, 0.04, 5e-3, 0.30, 0.30},
                                             {0.25, 0.025, 1.1, 0.04, 0.01, 0.70, 0.25},
                                             {0.03, 0.015, 1.2, 0.03, 3e-3, 0.20, HUGE_VAL}};

CHECK_TEST(rows_are_near_contact)
{
    const crossing_answers *a   = answers_or_skip();
    crossing_worst worst[KINDS] = {{0}};
    for (int i = 0; i < a->rows.count; i++) {
        const crossing_source *source = source_of(a->rows.row[i].name);
        if (!source)
            continue;
        const crossing_off *o = &a->off[i];
        crossing_worst *w     = &worst[source->kind];
        w->N                  = fmax(w->N, fabs(o->N));
        w->height             = fmax(w->height, fabs(o->height));
        if (!o->has_patch || a->rows.row[i].N < 0.2 * a->rows.row[i].load)
            continue;
        w->rail_y   = fmax(w->rail_y, fabs(o->rail_y));
        w->angle    = fmax(w->angle, fabs(o->angle));
        w->approach = fmax(w->approach, fabs(o->approach));
        w->pressure = fmax(w->pressure, fabs(o->pressure));
        w->creep    = fmax(w->creep, fabs(o->creep));
    }
    for (int k = 0; k < KINDS; k++) {
        const crossing_worst *w = &worst[k], *b = &bounds[k];
        print_message(
            "%s: normal force off by %.2g of the load, height by %.2g mm, place %.2g mm, angle %.2g, approach %.2g mm, "
            "pressure %.2g, creep force %.2g of mu times the load\n",
            kinds[k], w->N, w->height, w->rail_y, w->angle, w->approach, w->pressure, w->creep);
        assert_true(w->N < check_tolerance(b->N));
        assert_true(w->height < check_tolerance(b->height));
        assert_true(w->rail_y < check_tolerance(b->rail_y));
        assert_true(w->angle < check_tolerance(b->angle));
        assert_true(w->approach < check_tolerance(b->approach));
        assert_true(w->pressure < check_tolerance(b->pressure));
        assert_true(w->creep < check_tolerance(b->creep));
    }
}

// Columns of tests/data/crossing-rows.csv.
enum { SHOWN = 11 };

static int is_shown(const crossing_row *r)
{
    if (!source_of(r->name))
        return 0;
    if (strcmp(r->name, "mbench_intrup") == 0)
        return r->s == 111.0 || r->s == 119.0 || r->s == 129.0;
    return strcmp(r->name, "mbench_locus") != 0 || (r->y > 0.82 && r->y < 0.92) ||
           fabs(10.0 * r->y - round(10.0 * r->y)) < 1e-9 || r->y > 1.105;
}

static const int digits[SHOWN] = {0, 2, 2, 2, 0, 1, 1, 2, 0, 0, 0}; // behind the point

// Numbers behind the name; those of a patch that libkane has not are left out. Returns how many there are.
static int shown(const crossing_row *r, const crossing_off *o, double v[SHOWN])
{
    const double all[SHOWN] = {0.0,
                               r->s,
                               r->y,
                               r->rail_y,
                               r->N,
                               1e2 * o->N,
                               1e3 * o->height,
                               o->rail_y,
                               1e3 * o->angle,
                               1e2 * o->pressure,
                               1e2 * o->creep};
    memcpy(v, all, sizeof all);
    return o->has_patch ? SHOWN : 7;
}

// With KANE_TOLERANCE=0 the rows are printed as they should be.
CHECK_TEST(the_table_has_rows)
{
    static page_table t;
    const crossing_answers *a = answers_or_skip();
    double v[SHOWN];
    int row = 0;
    for (int i = 0; i < a->rows.count && check_tolerance(1.0) == 0.0; i++) {
        if (!is_shown(&a->rows.row[i]))
            continue;
        const int count = shown(&a->rows.row[i], &a->off[i], v);
        (void)printf("%s", a->rows.row[i].name);
        for (int k = 1; k < SHOWN; k++)
            (void)(k < count ? printf(",%.*f", digits[k], v[k]) : printf(",none"));
        (void)printf("\n");
    }
    t = page_table_read("tests/data/crossing-rows.csv", "case,s [mm]");
    assert_int_equal(t.columns, SHOWN);
    for (int i = 0; i < a->rows.count; i++) {
        if (!is_shown(&a->rows.row[i]))
            continue;
        assert_true(row < t.rows);
        const int count = shown(&a->rows.row[i], &a->off[i], v);
        assert_string_equal(t.cells[row][0], a->rows.row[i].name);
        for (int k = 1; k < count; k++)
            page_check(t.cells[row][k], v[k], "crossings");
        for (int k = count; k < SHOWN; k++)
            assert_string_equal(t.cells[row][k], "none");
        row++;
    }
    assert_int_equal(t.rows, row);
    page_table_figures(&t, "", 5);
}

CHECK_MAIN(enter_folder, leave_folder)
