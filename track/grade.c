// SPDX-License-Identifier: MIT
// The grade line from its changes.

#include "track/line_function.h"

#include <math.h>

typedef struct state {
    double grade; // tangent of the angle that holds from here on [1]
    double done;  // distance up to which the line is settled [m]
    int count;    // legs so far
    int section;  // next section to look at
} state;

static void add_leg(state *s, kane_grade_leg *legs, double from, double beta, double slope)
{
    legs[s->count++] = (kane_grade_leg){from, beta, slope};
    s->done          = from;
}

// Takes over the grades of tables that begin before `from`: a table must begin with the grade that it meets; its last
// one holds behind it.
static void pass_tables(const kane_track_definition *d, const double *ends, double from, state *s, kane_grade_leg *legs,
                        kane_check *check)
{
    for (; s->section < d->section_count && ends[s->section] < from; s->section++) {
        const kane_section_definition *t = &d->sections[s->section];

        if (t->kind != KANE_TABLE || !t->table_grade)
            continue;
        if (ends[s->section] < s->done - KANE_SAME)
            KANE_CHECK_FAULT(check, t->place, "a vertical arc reaches into this table, which has a grade of its own");
        if (!(fabs(t->table_grade[0] - s->grade) <= KANE_SAME))
            KANE_CHECK_FAULT(check, t->place,
                             "the table's grade begins with %.10g, must be %.10g, the grade where it begins",
                             t->table_grade[0], s->grade);
        s->grade = t->table_grade[t->point_count - 1];
        add_leg(s, legs, ends[s->section + 1], atan(s->grade), 0.0);
    }
}

// One change: the arc (linear in the angle) centred at its place.
static void add_change(const kane_track_definition *d, const double *ends, const kane_grade_definition *g, state *s,
                       kane_grade_leg *legs, kane_check *check)
{
    const double at = g->at - d->start, total = ends[d->section_count];

    if (!(at >= -KANE_SAME && at <= total + KANE_SAME)) {
        KANE_CHECK_FAULT(check, g->place, "at %.10g m is outside the track, must be from %.10g m to %.10g m", g->at,
                         d->start, d->start + total);
        return;
    }
    pass_tables(d, ends, at, s, legs, check);

    const double turn = atan(g->grade) - atan(s->grade), half = 0.5 * g->rounding * fabs(turn);
    if (at - half < s->done - KANE_SAME || at + half > total + KANE_SAME)
        KANE_CHECK_FAULT(
            check, g->place,
            "the vertical arc from %.10g m to %.10g m overlaps the one before, a table with a grade of its "
            "own, or an end of the track; a smaller rounding or more distance is needed",
            g->at - half, g->at + half);
    if (half > 0.0)
        add_leg(s, legs, at - half, atan(s->grade), turn / (2.0 * half));
    s->grade = g->grade;
    add_leg(s, legs, at + half, atan(s->grade), 0.0);
}

int kane_grade_prepare(const kane_track_definition *d, const double *ends, kane_grade_leg *legs, kane_check *check)
{
    state s = {.grade = d->grade};

    add_leg(&s, legs, 0.0, atan(d->grade), 0.0);
    for (int i = 0; i < d->grade_count; i++) {
        if (i > 0 && !(d->grades[i].at > d->grades[i - 1].at)) {
            KANE_CHECK_FAULT(check, d->grades[i].place,
                             "at %.10g m does not lie behind the change before it (%.10g m); changes must be in order",
                             d->grades[i].at, d->grades[i - 1].at);
            continue;
        }
        add_change(d, ends, &d->grades[i], &s, legs, check);
    }
    pass_tables(d, ends, HUGE_VAL, &s, legs, check);
    return s.count;
}
