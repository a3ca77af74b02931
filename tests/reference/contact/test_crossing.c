// SPDX-License-Identifier: MIT
// A wheel on crossings against CONTACT: S1002, r = 460 mm, on slices of CONTACT's test bank, which a track file names. Its rows and the
// slices lie beside the source tree (see `rows_file`, `slices`).

#include "errors.h"
#include "folder.h"
#include "page_table.h"
#include "unit/contact/rig.h"

#include <kane/track.h>

static const char *const rows_file = KANE_SOURCE_DIR "/../shared/reference/facts/contact-crossing.csv";
static const char *const slices    = KANE_SOURCE_DIR "/../shared/reference/profiles/crossing";

enum { ROWS_MOST = 100 };

static const double at = 100.0, radius = 0.46; // chainage of the slices' zero [m], [m]

// One patch as CONTACT has it: on the right wheel, y to the right, z down, forces on the rail.
typedef struct crossing_row {
    char name[24];
    double s, y, z;               // of the wheel [mm]
    double rail_y, angle;         // place of the patch on the rail [mm], [rad]
    double N, Fx, Fs;             // [N]
    double xi, eta, phi;          // creepages [1], spin [rad/mm]
    double approach, pressure;    // [mm], [MPa]
    double load;                  // vertical, of the wheel [N]
} crossing_row;

typedef struct crossing_rows {
    int count;
    crossing_row row[ROWS_MOST];
} crossing_rows;

static int same_wheel(const crossing_row *a, const crossing_row *b)
{
    return strcmp(a->name, b->name) == 0 && a->s == b->s && a->y == b->y && a->z == b->z;
}

// The vertical force on the wheel is that of all of its patches: N cos(angle) + F_s sin(angle). That of "mbench_locus" was prescribed.
static void read_rows_or_skip(crossing_rows *rows)
{
    char line[512];
    FILE *f = fopen(rows_file, "r");
    if (!f || access(slices, R_OK) != 0)
        check_skip("there is no %s or no %s", rows_file, slices);
    rows->count = 0;
    while (fgets(line, sizeof line, f)) {
        crossing_row r = {.name = ""};
        if (sscanf(line, "%23[^,],%lf,%lf,%lf,%*f,%*f,%lf,%*f,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%*f,%*f,%lf,%lf", r.name, &r.s, &r.y,
                   &r.z, &r.rail_y, &r.angle, &r.xi, &r.eta, &r.phi, &r.N, &r.Fx, &r.Fs, &r.approach, &r.pressure) != 14)
            continue;
        assert_true(rows->count < ROWS_MOST);
        rows->row[rows->count++] = r;
    }
    (void)fclose(f);
    for (int i = 0; i < rows->count; i++) {
        crossing_row *r = &rows->row[i];
        for (int k = 0; k < rows->count; k++)
            if (same_wheel(r, &rows->row[k]))
                r->load += rows->row[k].N * cos(rows->row[k].angle) + rows->row[k].Fs * sin(rows->row[k].angle);
        if (strcmp(r->name, "mbench_locus") == 0)
            r->load = 1e4;
    }
    assert_true(rows->count > 0);
}

// A track whose right rail has the slices of a file; its own profile is round, with its top where the slices' axes have their origin.
static kane_track *make_track(const char *file, const char *unit)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "{ \"kane\": \"track 1\", \"rail\": { \"profile\": \"round\", \"inclination\": 0 }, \"sections\": [ { \"straight\": 200 } "
                   "],\n\"profile_changes\": [ { \"from\": %g, \"rail\": \"right\", \"slices\": \"%s/%s\"%s%s%s } ] }",
                   at, slices, file, unit ? ", \"unit\": \"" : "", unit ? unit : "", unit ? "\"" : "");
    write_file("track.json", text);
    CHECK_ERRORS errors = {0};
    kane_track *track   = kane_track_read("track.json", NULL, &errors);
    check_no_errors(&errors);
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
    kane_wheel_motion m = {.centre = kv3(0.0, -1e-3 * r->y, radius - down), .axle = kv3(0.0, 1.0, 0.0), .velocity = kv3(2.0, 0.0, 0.0)};
    m.omega             = kv3(0.0, 4.3481181, 0.0);
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

static const char *file_of(const char *name, const char **unit)
{
    static const char *const files[][3] = {{"mbench_locus", "uk_crossing.slcs", "m"},
                                           {"mbench_intrup", "uk_interrupt_v2.slcs", "m"},
                                           {"two_patches", "uk_interrupt_v2.slcs", "m"},
                                           {"cross_locus", "cross_nose.slcs", NULL},
                                           {"wing_locus", "wing_rail.slcs", NULL},
                                           {"cross+wing", "cross+wing.slcs", NULL}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i][0], name) == 0) {
            *unit = files[i][2];
            return files[i][1];
        }
    return NULL;
}

static void rows_are_near_contact(void **state)
{
    static crossing_rows rows;
    const char *before  = "";
    kane_track *track   = NULL;
    kane_contact *c = NULL;
    (void)state;
    read_rows_or_skip(&rows);
    for (int i = 0; i < rows.count; i++) {
        const crossing_row *r = &rows.row[i];
        const char *unit, *file = file_of(r->name, &unit);
        if (!file)
            continue;
        if (strcmp(file, before) != 0) {
            kane_contact_free(c);
            kane_track_free(track);
            track  = make_track(file, unit);
            c      = make_contact(track);
            before = file;
        }
        const double depth          = depth_of(c, track, r);
        const kane_wheel_motion m   = motion_of(track, r, depth);
        kane_contact_result result  = rig_eval(c, KANE_RIGHT, &m);
        kane_contact_pressures(c, KANE_RIGHT, &m, &result);
        const kane_patch *p = patch_at(&result, r);
        if (!p) { print_message("%s no patch\n", r->name); continue; }
        print_message("%s s %g y %g n %d | y %.3f %.3f | angle %.4f %.4f | N %.0f %.0f | dz %.4f mm | app %.5f %.5f | p %.0f %.0f | Fx %.0f %.0f Fs %.0f %.0f | xi %.3e %.3e eta %.3e %.3e phi %.3e %.3e | share %g\n", r->name, r->s, r->y,
            result.patch_count, r->rail_y, 1e3 * p->rail_y, r->angle, p->angle, r->N, p->N, 1e3 * depth - r->z, r->approach, 1e3*p->approach, r->pressure,
            1e-6 * p->pressure, r->Fx, -p->T_x, r->Fs, p->T_y, r->xi, p->xi_x, r->eta, p->xi_y, r->phi, 1e-3*p->phi, p->share);
    }
    kane_contact_free(c);
    kane_track_free(track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_near_contact),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
