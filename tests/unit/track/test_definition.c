// SPDX-License-Identifier: MIT
// What is wrong with the definition of a track is said, with its place; what is unusual but possible is built.

#include "lines.h"

// A good line that each case spoils in one way.
typedef struct spoiled {
    kane_track_definition d;
    kane_section_definition sections[5];
    kane_grade_definition grades[2];
    kane_irregularity_definition waves[2];
    double at[6], k[6], u[6], grade[6];
} spoiled;

static kane_place line(int number)
{
    return (kane_place){"test.json", number, 1, ""};
}

// Lines 11 to 15 are sections, 21 and 22 grades, 31 and 32 irregularities, 1 the track itself.
static void init(spoiled *p)
{
    memset(p, 0, sizeof *p);
    p->d           = kane_track_definition_default();
    p->sections[0] = straight(50.0);
    p->sections[1] = transition(KANE_CLOTHOID, 60.0, 1.0 / 600.0, 0.1);
    p->sections[2] = curve(100.0, 1.0 / 600.0, 0.1);
    p->sections[3] = (kane_section_definition){.kind                 = KANE_TABLE,
                                               .length               = 50.0,
                                               .point_count          = 6,
                                               .at                   = p->at,
                                               .table_curvature      = p->k,
                                               .table_superelevation = p->u};
    p->sections[4] = straight(200.0);
    for (int i = 0; i < 6; i++) {
        p->at[i] = 10.0 * i;
        p->k[i]  = (1.0 - i / 5.0) / 600.0;
        p->u[i]  = (1.0 - i / 5.0) * 0.1;
    }
    p->grades[0] = (kane_grade_definition){.at = 300.0, .grade = 0.02, .rounding = 1000.0};
    p->grades[1] = (kane_grade_definition){.at = 400.0, .grade = 0.0, .rounding = 1000.0};
    p->waves[0]  = (kane_irregularity_definition){.kind = KANE_VERTICAL, .amplitude = 0.001, .wavelength = 5.0};
    p->waves[1]  = p->waves[0];
    for (int i = 0; i < 5; i++)
        p->sections[i].place = line(11 + i);
    for (int i = 0; i < 2; i++) {
        p->grades[i].place = line(21 + i);
        p->waves[i].place  = line(31 + i);
    }
    p->d.place              = line(1);
    p->d.section_count      = 5;
    p->d.sections           = p->sections;
    p->d.grade_count        = 2;
    p->d.grades             = p->grades;
    p->d.irregularity_count = 2;
    p->d.irregularities     = p->waves;
}

// Exactly one error, at this line, that contains this text.
static void check_refused_by(spoiled *p, int at_line, const char *text, const char *file, int test_line)
{
    kane_errors *errors = calloc(1, sizeof *errors);
    kane_track *track   = kane_track_create(&p->d, errors);
    const int good      = !track && errors->count == 1 && kane_errors_get(errors, 0)->status == KANE_BAD_INPUT &&
                     kane_errors_get(errors, 0)->line == at_line && strstr(kane_errors_get(errors, 0)->text, text);

    if (!good) {
        print_error("expected line %d: ... %s ...\n", at_line, text);
        for (int i = 0; i < errors->kept; i++)
            print_error("got line %d: %s\n", kane_errors_get(errors, i)->line, kane_errors_get(errors, i)->text);
    }
    kane_track_free(track);
    kane_errors_free(errors);
    free(errors);
    if (!good)
        _fail(file, test_line);
    init(p); // for the next case
}

#define check_refused(p, at_line, text) check_refused_by((p), (at_line), (text), __FILE__, __LINE__)

static const double not_a_number = (double)NAN;

CHECK_TEST(good_definition_is_built)
{
    spoiled p;
    init(&p);
    kane_track_free(build(&p.d));
    kane_track_free(kane_track_create(&p.d, NULL));
    kane_track_free(NULL);
}

CHECK_TEST(faults_of_the_track_are_found)
{
    spoiled p;
    init(&p);
    p.d.gauge = 0.0;
    check_refused(&p, 1, "gauge 0 m is out of range, must be positive");
    p.d.gauge = not_a_number;
    check_refused(&p, 1, "gauge is nan, must be a finite number");
    p.d.running_distance = 0.04;
    p.d.sections         = NULL;
    check_refused(&p, 1, "no sections");
    p.d.section_count = 0;
    check_refused(&p, 1, "no sections");
    p.d.friction = -0.1;
    check_refused(&p, 1, "friction -0.1 is out of range, must be from 0 to 2");
    const kane_profile wrong = kane_profile_round(-0.3);
    p.d.rail[0]              = &wrong;
    check_refused(&p, 1, "radius of the profile -0.3 m is not allowed");
    p.d.rail[1] = kane_profile_s1002();
    check_refused(&p, 1, "the profile is not that of a rail");
    p.d.rail[0] = NULL;
    check_refused(&p, 1, "the rails have no profile");
    p.d.gauge_height = 0.0;
    check_refused(&p, 1, "height at which gauge is measured 0 m is out of range");
    p.d.inclination = (double)INFINITY;
    check_refused(&p, 1, "inclination of the rails is inf");
    p.d.cant_axis = (kane_cant_axis)5;
    check_refused(&p, 1, "cant axis 5 does not exist");
    p.d.transportation = (kane_transportation)5;
    check_refused(&p, 1, "transportation 5 does not exist");
    p.d.start = not_a_number;
    check_refused(&p, 1, "start is nan");
    p.d.heading = not_a_number;
    check_refused(&p, 1, "heading is nan");
    p.d.grade = 1.5;
    check_refused(&p, 1, "grade 1.5 is out of range, must be from -1 to 1");
}

CHECK_TEST(faults_of_sections_are_found)
{
    spoiled p;
    init(&p);
    p.sections[0].length = 0.0;
    check_refused(&p, 11, "length 0 m is out of range, must be positive");
    p.sections[4].length = -3.0;
    check_refused(&p, 15, "length -3 m is out of range, must be positive");
    p.sections[4].length = not_a_number;
    check_refused(&p, 15, "length is nan");
    p.sections[4].kind = (kane_section_kind)9;
    check_refused(&p, 15, "section kind 9 does not exist");
    p.sections[1].shape = (kane_transition_shape)77;
    check_refused(&p, 12, "transition shape 77 does not exist");
    p.sections[4].curvature = 0.001;
    check_refused(&p, 15, "curvature 0.001 1/m of a straight section, must be 0");
    p.sections[4].superelevation = 0.02;
    check_refused(&p, 15, "superelevation 0.02 m does not follow from the section before, which ends with 0 m");
    p.d.superelevation = 0.01;
    check_refused(&p, 11, "superelevation 0 m does not follow from the section before, which ends with 0.01 m");
    p.d.section_count       = 2;
    p.d.grade_count         = 0;
    p.sections[1].curvature = 600.0; // a radius
    check_refused(&p, 12, "must be below 1 1/m (it is the inverse of the radius)");
    p.d.section_count            = 2;
    p.d.grade_count              = 0;
    p.sections[1].superelevation = 1.6;
    check_refused(&p, 12, "superelevation 1.6 m is out of range, must be below 1.425 m");
    p.d.section_count            = 2;
    p.d.grade_count              = 0;
    p.sections[1].superelevation = not_a_number;
    check_refused(&p, 12, "superelevation is nan");
    p.sections[1].shape  = KANE_WIENER;
    p.sections[1].height = not_a_number;
    check_refused(&p, 12, "height of the axis of rotation is nan");
    // 100 mm over 5 cm
    p.d.grade_count      = 0;
    p.sections[1].length = 0.05;
    check_refused(&p, 12, "too steep");
}

CHECK_TEST(faults_of_parabolas_are_found)
{
    spoiled p;
    init(&p);
    p.d.section_count   = 3;
    p.d.grade_count     = 0;
    p.sections[2]       = transition(KANE_PARABOLA_3, 40.0, 1.0 / 300.0, 0.1);
    p.sections[2].place = line(13);
    check_refused(&p, 13, "from curvature 0.001666666667 1/m to 0.003333333333 1/m, one of them must be 0");
    p.d.section_count   = 2;
    p.d.grade_count     = 0;
    p.sections[1]       = transition(KANE_PARABOLA_3, 100.0, -1.0 / 100.0, 0.0);
    p.sections[1].place = line(12);
    check_refused(&p, 12, "a parabola of length 100 m is too long for radius 100 m");
}

CHECK_TEST(faults_of_polynomials_are_found)
{
    spoiled p;
    init(&p);
    p.sections[1].shape           = KANE_POLYNOMIAL;
    p.sections[1].coefficients[1] = 1.3;
    check_refused(&p, 12, "have the sum 1.05, must be 1");
    p.sections[1].shape           = KANE_POLYNOMIAL;
    p.sections[1].coefficients[0] = 0.25;
    p.sections[1].coefficients[1] = 1.0;
    check_refused(&p, 12, "the constant term of the polynomial is 0.25, must be 0");
    p.sections[1].shape             = KANE_POLYNOMIAL;
    p.sections[1].coefficient_count = 17;
    check_refused(&p, 12, "17 coefficients of a polynomial, must be 2 to 16");
    p.sections[1].shape             = KANE_POLYNOMIAL;
    p.sections[1].coefficient_count = 1;
    check_refused(&p, 12, "1 coefficients of a polynomial");
    p.sections[1].shape           = KANE_POLYNOMIAL;
    p.sections[1].coefficients[3] = not_a_number;
    check_refused(&p, 12, "a coefficient of the polynomial is nan");
}

CHECK_TEST(faults_of_tables_are_found)
{
    spoiled p;
    init(&p);
    p.at[3] = 20.0;
    check_refused(&p, 14, "points of the table must be in order: 20 m comes after 20 m");
    p.at[5] = 49.0;
    check_refused(&p, 14, "the table covers 0 m to 49 m, must cover 0 m to 50 m");
    p.at[0] = 1.0;
    check_refused(&p, 14, "the table covers 1 m to 50 m");
    p.sections[3].point_count = 3;
    p.d.section_count         = 4;
    p.d.grade_count           = 0;
    check_refused(&p, 14, "the table has 3 points, must have at least 4");
    p.k[0] = 0.0;
    check_refused(&p, 14, "the table's curvature begins with 0 1/m, must be 0.001666666667 1/m");
    p.u[0] = 0.05;
    check_refused(&p, 14, "the table's superelevation begins with 0.05 m, must be 0.1 m");
    p.k[2] = not_a_number;
    check_refused(&p, 14, "curvature is nan");
    p.u[2] = 3.0;
    check_refused(&p, 14, "superelevation 3 m is out of range");
    p.sections[3].table_grade = p.grade;
    p.grade[2]                = not_a_number;
    check_refused(&p, 14, "grade is nan");
    p.sections[3].table_grade = p.grade;
    p.grade[0]                = 0.01;
    check_refused(&p, 14, "the table's grade begins with 0.01, must be 0");
    p.sections[3].table_curvature = NULL;
    p.d.section_count             = 4;
    p.d.grade_count               = 0;
    check_refused(&p, 14, "needs distances, curvatures and superelevations");
    // points that are good in themselves, and a curve through them that is not
    for (int i = 1; i < 6; i++)
        p.u[i] = i % 2 ? -1.4 : 1.4;
    p.u[5]                       = 0.0;
    p.sections[4].superelevation = 0.0;
    p.d.cant_axis                = KANE_CANT_CENTRE_LINE;
    check_refused(&p, 14, "too steep");
}

CHECK_TEST(faults_of_grades_are_found)
{
    spoiled p;
    init(&p);
    p.grades[1].at = 250.0;
    check_refused(&p, 22, "at 250 m does not lie behind the change before it (300 m)");
    p.grades[1].at = 470.0;
    check_refused(&p, 22, "at 470 m is outside the track, must be from 0 m to 460 m");
    p.grades[0].at = -5.0;
    check_refused(&p, 21, "at -5 m is outside the track");
    p.grades[1].at = 315.0;
    check_refused(&p, 22, "the vertical arc from 305.0");
    p.grades[1].at = 455.0;
    check_refused(&p, 22, "overlaps the one before, a table with a grade of its own, or an end of the track");
    p.grades[0].rounding = -1.0;
    check_refused(&p, 21, "radius of the vertical arc -1 m is out of range, must not be negative");
    p.grades[0].grade = not_a_number;
    check_refused(&p, 21, "grade is nan");
    p.grades[0].at = not_a_number;
    check_refused(&p, 21, "place of a change of grade is nan");
    p.d.grades = NULL;
    check_refused(&p, 1, "2 changes of grade are announced, but not given");
    // the table from 210 m to 260 m has a grade of its own
    p.sections[3].table_grade = p.grade;
    p.grades[0].at            = 230.0;
    check_refused(&p, 21, "overlaps");
    p.sections[3].table_grade = p.grade;
    p.grades[0].at            = 205.0;
    for (int i = 0; i < 6; i++)
        p.grade[i] = 0.02;
    check_refused(&p, 14, "a vertical arc reaches into this table");
}

CHECK_TEST(faults_of_irregularities_are_found)
{
    spoiled p;
    init(&p);
    p.waves[1].wavelength = -2.0;
    check_refused(&p, 32, "wavelength -2 m is out of range, must be positive");
    p.waves[1].wavelength = 0.0;
    check_refused(&p, 32, "wavelength 0 m is out of range, must be positive");
    p.waves[0].amplitude = not_a_number;
    check_refused(&p, 31, "amplitude is nan");
    p.waves[0].phase = not_a_number;
    check_refused(&p, 31, "phase is nan");
    p.waves[0].kind = (kane_irregularity_kind)8;
    check_refused(&p, 31, "irregularity kind 8 does not exist");
    p.d.fade_in_length = -1.0;
    check_refused(&p, 1, "length of the fade-in -1 m is out of range");
    p.d.fade_in_from = not_a_number;
    check_refused(&p, 1, "beginning of the fade-in is nan");
    p.d.irregularities = NULL;
    check_refused(&p, 1, "2 irregularities are announced, but not given");
}

CHECK_TEST(all_faults_are_reported_together)
{
    spoiled p;
    kane_errors *errors = calloc(1, sizeof *errors);
    init(&p);
    p.d.gauge             = -1.0;
    p.sections[0].length  = 0.0;
    p.grades[1].rounding  = -1.0;
    p.waves[1].wavelength = 0.0;
    assert_null(kane_track_create(&p.d, errors));
    assert_int_equal(errors->count, 4);
    assert_null(kane_track_create(&p.d, NULL));
    assert_null(kane_track_create(NULL, errors));
    assert_int_equal(kane_errors_get(errors, 4)->status, KANE_BAD_ARGUMENT);
    kane_errors_free(errors);
    free(errors);
}

// A jump of curvature without transition is a jump of Omega; yards have it.
CHECK_TEST(curves_may_follow_without_transition)
{
    const kane_section_definition sections[] = {straight(20.0), curve(30.0, 1.0 / 190.0, 0.0),
                                                curve(30.0, -1.0 / 190.0, 0.0), straight(20.0)};
    CHECK_OWNED(kane_track) *track           = build_line(kane_track_definition_default(), 4, sections);
    assert_int_equal(kane_track_piece_count(track), 4);
    check_near(frame_at(track, 1, 20.0).Omega.z, 1.0 / 190.0, 0.0);
    check_near(frame_at(track, 2, 50.0).Omega.z, -1.0 / 190.0, 0.0);
    check_near(state_at(track, 3, 100.0).psi, 0.0, 1e-17);
}

// What follows a parabola has the nominal curvature, 1/R, the parabola itself has less.
CHECK_TEST(curve_after_a_parabola_has_the_nominal_curvature)
{
    const kane_section_definition sections[] = {straight(20.0), transition(KANE_PARABOLA_3, 60.0, 1.0 / 300.0, 0.1),
                                                curve(30.0, 1.0 / 300.0, 0.1)};
    CHECK_OWNED(kane_track) *track           = build_line(kane_track_definition_default(), 3, sections);
    assert_true(state_at(track, 1, 80.0).curvature < 0.995 / 300.0);
    check_near(state_at(track, 2, 80.0).curvature, 1.0 / 300.0, 0.0);
}

CHECK_TEST(track_keeps_its_definition)
{
    spoiled p;
    init(&p);
    char name[] = "a line";
    p.d.name    = name;
    p.d.start   = 12.0;
    for (int i = 0; i < 2; i++)
        p.grades[i].at += 12.0;
    CHECK_OWNED(kane_track) *track = build(&p.d);
    memset(name, 'x', 3);
    const kane_track_definition *kept = kane_track_get_definition(track);
    assert_string_equal(kept->name, "a line");
    assert_null(kept->sections);
    assert_int_equal(kept->section_count, 0);
    check_near(kept->gauge, 1.435, 0.0);
    check_near(kept->running_distance, 1.5, 0.0);
    check_near(kept->inclination, 0.025, 0.0);
    check_near(kept->friction, 0.3, 0.0);

    check_near(kane_track_length(track), 460.0, 0.0);
}

CHECK_MAIN(NULL, NULL)
