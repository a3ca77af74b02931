// SPDX-License-Identifier: MIT
// Tabulated lines: they pass through what was measured, are smooth between, and follow the shape they were taken from.

#include "lines.h"

enum { POINTS_MAX = 512 };

// A table by points, filled from a transition of 80 m to 1/500 1/m, 120 mm and a grade of 2 %.
typedef struct table {
    double at[POINTS_MAX], k[POINTS_MAX], u[POINTS_MAX], grade[POINTS_MAX];
} table;

typedef double (*shape)(double x);

static double bloss(double x)
{
    return x * x * (3.0 - 2.0 * x);
}

static double linear(double x)
{
    return x;
}

static kane_section_definition fill(table *t, int count, shape f, int uneven)
{
    for (int i = 0; i < count; i++) {
        const double x = (double)i / (count - 1);
        t->at[i]       = 80.0 * (uneven ? x + 0.1 * sin(2.0 * pi * x) / pi : x);
        t->k[i]        = f(t->at[i] / 80.0) / 500.0;
        t->u[i]        = f(t->at[i] / 80.0) * 0.12;
        t->grade[i]    = f(t->at[i] / 80.0) * 0.02;
    }
    t->at[count - 1] = 80.0;
    return (kane_section_definition){.kind                 = KANE_TABLE,
                                     .length               = 80.0,
                                     .point_count          = count,
                                     .at                   = t->at,
                                     .table_curvature      = t->k,
                                     .table_superelevation = t->u};
}

static kane_track *build_table(const table *t, kane_section_definition section, int with_grade, kane_cant_axis axis)
{
    const kane_section_definition sections[] = {straight(40.0), section, curve(60.0, 1.0 / 500.0, 0.12)};
    kane_section_definition all[3];
    memcpy(all, sections, sizeof all);
    all[1].table_grade      = with_grade ? t->grade : NULL;
    kane_track_definition d = kane_track_definition_default();
    d.cant_axis             = axis;
    return build_line(d, 3, all);
}

CHECK_TEST(table_of_a_clothoid_is_the_clothoid)
{
    for (int uneven = 0; uneven < 2; uneven++)
        for (int axis = 0; axis < 2; axis++) {
            static table t;
            const kane_section_definition section  = fill(&t, 9, linear, uneven);
            const kane_section_definition known[3] = {straight(40.0), transition(KANE_CLOTHOID, 80.0, 0.002, 0.12),
                                                      curve(60.0, 0.002, 0.12)};
            kane_track_definition d                = kane_track_definition_default();
            d.cant_axis                            = (kane_cant_axis)axis;
            CHECK_OWNED(kane_track) *a             = build_table(&t, section, 0, (kane_cant_axis)axis),
                                    *b             = build_line(d, 3, known);

            assert_int_equal(kane_track_piece_count(a), 3);
            for (int i = 0; i <= 360; i++) {
                const double s           = 0.5 * i;
                const int piece          = kane_track_find(a, s);
                const kane_track_frame f = frame_at(a, piece, s), g = frame_at(b, piece, s);
                check_mat3(f.R, g.R, 1e-15);
                check_vec3(f.origin, g.origin, 1e-13);
                check_vec3(f.Omega, g.Omega, 1e-17);
                check_vec3(f.Omega_s, g.Omega_s, 1e-18);
            }
        }
}

CHECK_TEST(line_passes_through_the_points_of_its_table)
{
    static table t;
    const kane_section_definition section = fill(&t, 33, bloss, 1);
    CHECK_OWNED(kane_track) *track        = build_table(&t, section, 1, KANE_CANT_CENTRE_LINE);

    for (int i = 0; i < 33; i++) {
        const kane_track_state q = state_at(track, 1, 40.0 + t.at[i]);
        check_near(q.curvature, t.k[i], 1e-16);
        check_near(q.superelevation, t.u[i], 1e-15);
        check_near(q.grade, t.grade[i], 1e-16);
    }
}

// Curvature, roll and grade with two derivatives have no step at a point of the table, also where it begins and ends.
CHECK_TEST(table_is_twice_continuously_differentiable)
{
    static table t;
    const kane_section_definition section = fill(&t, 17, bloss, 1);
    CHECK_OWNED(kane_track) *track        = build_table(&t, section, 1, KANE_CANT_CENTRE_LINE);
    const double h                        = 1e-7;

    for (int i = 0; i < 17; i++) {
        const double s           = 40.0 + t.at[i];
        const kane_track_state a = state_at(track, 1, s - h), b = state_at(track, 1, s + h);
        for (int j = 0; j < 3; j++)
            check_near(a.psi_s[j], b.psi_s[j], 1e-11);
        for (int j = 0; j < 2; j++) {
            check_near(a.theta_s[j], b.theta_s[j], 1e-10);
            check_near(a.beta_s[j], b.beta_s[j], 1e-10);
        }
        check_near(a.psi, b.psi, 1e-9);
    }
}

// Largest difference of curvature between a table of the Bloss shape and the shape, away from its ends.
static double difference(int count)
{
    static table t;
    const kane_section_definition section = fill(&t, count, bloss, 0);
    CHECK_OWNED(kane_track) *track        = build_table(&t, section, 0, KANE_CANT_CENTRE_LINE);
    double largest                        = 0.0;
    for (int i = 200; i <= 600; i++) {
        const double l = 0.1 * i;
        largest        = fmax(largest, fabs(state_at(track, 1, 40.0 + l).curvature * 500.0 - bloss(l / 80.0)));
    }
    return largest;
}

CHECK_TEST(denser_table_comes_closer_to_its_shape)
{
    check_below(difference(17), 1e-4);
    check_below(difference(81), 1e-9);
    check_below(difference(321), 1e-13);
}

// --- the frame of a table against differences of itself ---

typedef struct context {
    const kane_track *track;
    int piece;
} context;

static void pose(const void *c, double s, double *out)
{
    const context *at          = c;
    const kane_track_frame f   = frame_at(at->track, at->piece, s);
    const kane_vec3 columns[5] = {f.R.x, f.R.y, f.R.z, f.origin, f.Omega};
    memcpy(out, columns, sizeof columns);
}

static void check_frame_of(const kane_track *track, int piece, double s)
{
    const kane_track_frame f = frame_at(track, piece, s);
    const kane_mat3 expected = km3_mul(f.R, km3_skew(f.Omega));
    double d[15];

    differentiate(pose, &(context){track, piece}, 15, s, 0.05, d);
    check_vec3(kv3(d[0], d[1], d[2]), expected.x, 1e-13);
    check_vec3(kv3(d[3], d[4], d[5]), expected.y, 1e-13);
    check_vec3(kv3(d[6], d[7], d[8]), expected.z, 1e-13);
    check_vec3(kv3(d[9], d[10], d[11]), f.R.x, 5e-12); // rounding of 80 m over the smallest step of 1/80 m
    check_vec3(kv3(d[12], d[13], d[14]), f.Omega_s, 1e-15);
}

static void check_frame(const kane_track *track, double s)
{
    check_frame_of(track, kane_track_find(track, s), s);
}

// Rough values, as measured ones are: every interval has its own cubic, the intervals differ in length.
CHECK_TEST(frame_of_a_rough_table_turns_with_Omega)
{
    for (int axis = 0; axis < 2; axis++) {
        static table t;
        const kane_section_definition section = fill(&t, 41, bloss, 1);
        for (int i = 2; i < 39; i++) {
            t.k[i] += 1e-4 * sin(7.0 * i);
            t.u[i] += 2e-3 * cos(5.0 * i) + 0.003;
            t.grade[i] += 1e-3 * sin(3.0 * i);
        }
        CHECK_OWNED(kane_track) *track = build_table(&t, section, 1, (kane_cant_axis)axis);
        for (int i = 0; i < 40; i++)
            for (int j = 1; j < 4; j++)
                check_frame(track, 40.0 + t.at[i] + (t.at[i + 1] - t.at[i]) * j / 4.0);
        for (int i = 1; i < 8; i++)
            check_frame(track, 40.0 - i + 0.5); // before the table, by the table's formula or the straight's
    }
}

// A change of grade cuts a table between two of its points, or, but for half a nanometre, at one of them: place and
// frame are those of the table, also beyond the cut.
CHECK_TEST(table_may_be_cut_anywhere)
{
    for (int i = 0; i < 2; i++) {
        static table t;
        kane_section_definition section = fill(&t, 41, bloss, 0);
        for (int j = 2; j < 39; j++)
            t.k[j] += 1e-4 * sin(7.0 * j);
        const kane_grade_definition grade = {.at = i ? t.at[20] + 5e-10 : 41.3, .grade = 0.01};
        kane_track_definition d           = kane_track_definition_default();
        d.cant_axis                       = KANE_CANT_CENTRE_LINE;
        CHECK_OWNED(kane_track) *whole    = build_line(d, 1, &section);
        d.grade_count                     = 1;
        d.grades                          = &grade;
        CHECK_OWNED(kane_track) *cut      = build_line(d, 1, &section);

        assert_int_equal(kane_track_piece_count(cut), 2);
        check_vec3(frame_at(cut, 1, grade.at).origin, kv3_zero(), 1e-14);
        check_vec3(place_at(cut, grade.at), place_at(whole, grade.at), 1e-13);
        for (double s = grade.at - 9.7; s < grade.at + 9.7; s += 0.5) {
            check_frame_of(cut, 0, s);
            check_frame_of(cut, 1, s);
            check_near(state_at(cut, 0, s).curvature, state_at(whole, 0, s).curvature, 0.0);
        }
    }
}

static void bends(const void *c, double s, double *out)
{
    const context *at        = c;
    const kane_track_state q = state_at(at->track, at->piece, s);
    out[0]                   = q.psi_s[1];
    out[1]                   = q.beta_s[1];
    out[2]                   = q.theta_s[1];
}

// On steep grades and much cant, where every term counts.
CHECK_TEST(described_third_derivatives_of_a_table_are_those_of_the_second)
{
    static table t;
    const kane_section_definition section = fill(&t, 21, bloss, 1);
    for (int i = 2; i < 19; i++) {
        t.u[i] += 0.3 * cos(0.8 * i);
        t.grade[i] += 0.3 * sin(0.7 * i);
    }
    CHECK_OWNED(kane_track) *track = build_table(&t, section, 1, KANE_CANT_CENTRE_LINE);
    for (int i = 0; i < 20; i++) {
        const double s           = 40.0 + 0.5 * (t.at[i] + t.at[i + 1]);
        const kane_track_state q = state_at(track, 1, s);
        double d[3];
        differentiate(bends, &(context){track, 1}, 3, s, 0.1, d);
        check_near(q.psi_s[2], d[0], 1e-15);
        check_near(q.beta_s[2], d[1], 1e-11);
        check_near(q.theta_s[2], d[2], 1e-11);
    }
}

// Long intervals are divided, so that the position is as exact as anywhere.
CHECK_TEST(sparse_table_has_an_exact_position)
{
    static const double at[] = {0.0, 400.0, 500.0, 900.0}, k[] = {0.01, 0.01, 0.01, 0.01}, u[] = {0.0, 0.0, 0.0, 0.0};
    const kane_section_definition section = {.kind                 = KANE_TABLE,
                                             .length               = 900.0,
                                             .point_count          = 4,
                                             .at                   = at,
                                             .table_curvature      = k,
                                             .table_superelevation = u};
    kane_track_definition d               = kane_track_definition_default();
    d.curvature                           = 0.01;
    CHECK_OWNED(kane_track) *track        = build_line(d, 1, &section);
    for (int s = 0; s <= 900; s += 10)
        check_vec3(place_at(track, s), kv3(100.0 * sin(0.01 * s), 100.0 * (1.0 - cos(0.01 * s)), 0.0), 1e-12);
}

CHECK_TEST(grade_of_a_table_holds_behind_it)
{
    static table t;
    const kane_section_definition section = fill(&t, 33, bloss, 0);
    CHECK_OWNED(kane_track) *track        = build_table(&t, section, 1, KANE_CANT_CENTRE_LINE);

    check_near(state_at(track, 0, 40.0).grade, 0.0, 0.0);
    check_near(state_at(track, 2, 120.0).grade, 0.02, 1e-17);
    check_near(place_at(track, 180.0).z - place_at(track, 120.0).z, 60.0 * sin(atan(0.02)), 1e-13);
}

// Beyond its table a piece goes straight on in curvature and cant: no step, and nothing runs away.
CHECK_TEST(table_goes_on_beyond_its_ends)
{
    static table t;
    const kane_section_definition section = fill(&t, 81, bloss, 0);
    CHECK_OWNED(kane_track) *track        = build_table(&t, section, 0, KANE_CANT_CENTRE_LINE);
    const kane_track_state end            = state_at(track, 1, 120.0);

    for (int i = 1; i < 10; i++) {
        const kane_track_state q = state_at(track, 1, 120.0 + i);
        check_near(q.curvature, end.curvature + i * end.psi_s[1], 1e-17);
        check_near(q.psi_s[2], 0.0, 0.0);
        check_near(sin(q.theta), sin(end.theta) + i * end.theta_s[0] * cos(end.theta), 1e-15);
    }
}

// Stretches without cant between two signs are cut once, where the second sign begins.
CHECK_TEST(table_is_cut_where_its_cant_changes_its_sign)
{
    static const double u[9]        = {0.0, 0.05, 0.1, 0.0, 0.0, 0.0, -0.1, -0.05, 0.0};
    static const double k[9]        = {0.0};
    static const double other[9]    = {0.0, 0.05, 0.1, 0.05, 0.02, -0.04, -0.1, -0.05, 0.0};
    static const double at[9]       = {0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0};
    kane_section_definition section = {.kind                 = KANE_TABLE,
                                       .length               = 80.0,
                                       .point_count          = 9,
                                       .at                   = at,
                                       .table_curvature      = k,
                                       .table_superelevation = u};
    kane_track *track               = build_line(kane_track_definition_default(), 1, &section);
    assert_int_equal(kane_track_piece_count(track), 2);
    check_near(kane_track_piece_start(track, 1), 50.0, 1e-12);
    assert_true(state_at(track, 0, 15.0).beta > 0.0 && state_at(track, 1, 55.0).beta > 0.0);
    kane_track_free(track);

    section.table_superelevation = other;
    track                        = build_line(kane_track_definition_default(), 1, &section);
    assert_int_equal(kane_track_piece_count(track), 2);
    const double cut = kane_track_piece_start(track, 1);
    assert_true(cut > 40.0 && cut < 50.0);
    check_near(state_at(track, 1, cut).superelevation, 0.0, 1e-15);
    kane_track_free(track);
}

CHECK_MAIN(NULL, NULL)
