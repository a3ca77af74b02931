// SPDX-License-Identifier: MIT
// Dependent coordinates in closed form. Of a planar loop: intersection of the two curves on which the unknown joints
// move the points of a hinge.

#include "tree/rows.h"

// Curve of a point of the hinge by one unknown step, with the link between both unknown steps at rest.
typedef struct path {
    kane_vec3 point;  // now
    kane_vec3 centre; // of its circle, in the plane of the point
    kane_vec3 along;  // of its line
    double sign;      // of its coordinate against the angle about n, or the way along the line
} path;

// Point of one side of the hinge, frame axes [m]; the first side's marker may move on its body.
static kane_vec3 hinge_point(const kane_constraint_row_set *closure, int which, const kane_tree_work *work)
{
    const kane_side_marker *side = &closure->side[which];
    kane_vec3 point              = side->point;
    for (int i = 0; i < 3 && which == 0 && closure->motion; i++)
        point = kv3_add_scaled(point, kane_tree_number(work, 0.0, closure->motion->line_function[i]),
                               km3_mulv(side->axes, kv3_unit(i)));
    if (side->link < 0)
        return point;
    const kane_link_state *s = &work->link[side->link];
    return kv3_add(s->r, km3_mulv(s->R, point));
}

// a - (n.a) n
static kane_vec3 project_on_plane(kane_vec3 n, kane_vec3 a)
{
    return kv3_add_scaled(a, -kv3_dot(n, a), n);
}

// near  1: the step is between the frame and the other unknown step on the same side. Then it moves the other point of
//       the hinge, in the opposite direction.
static path path_of(const kane_closed *c, const kane_closed_step *step, int near, kane_vec3 n,
                    const kane_tree_work *work)
{
    const int side = near ? 1 - step->side : step->side;
    path p         = {.point = hinge_point(c->closure, side, work), .sign = near ? -1.0 : 1.0};
    if (step->is_slide) {
        p.along = work->axis[step->v].l;
    } else {
        p.centre = work->link[step->link].r;
        p.sign *= kv3_dot(n, work->axis[step->v].e);
    }
    return p;
}

// Angle about n that takes a to b.
static double signed_angle(kane_vec3 n, kane_vec3 a, kane_vec3 b)
{
    return atan2(kv3_dot(n, kv3_cross(a, b)), kv3_dot(a, b));
}

// Two circles. With D between their centres and radii r, s the law of cosines gives a = (r^2 - s^2 + D^2)/(2 D) along
// the line of centres, and h = sqrt(r^2 - a^2) across, to the side of the present points.
static int meet_circles(kane_vec3 n, const path *p, const path *o, double change[2])
{
    const kane_vec3 x = project_on_plane(n, kv3_sub(p->point, p->centre)),
                    y = project_on_plane(n, kv3_sub(o->point, o->centre));
    const kane_vec3 d = project_on_plane(n, kv3_sub(o->centre, p->centre)), across = kv3_cross(n, d);
    const double D2 = kv3_dot(d, d), r2 = kv3_dot(x, x), s2 = kv3_dot(y, y);
    const double a  = 0.5 * (r2 - s2 + D2) / D2; // over D
    const double h2 = r2 / D2 - a * a;           // over D^2
    if (!(h2 >= 0.0))
        return 0;
    const double side    = kv3_dot(across, kv3_add(x, y)) < 0.0 ? -1.0 : 1.0;
    const kane_vec3 meet = kv3_add_scaled(kv3_scale(a, d), side * sqrt(h2), across);
    change[0]            = p->sign * signed_angle(n, x, meet);
    change[1]            = o->sign * signed_angle(n, y, kv3_sub(meet, d));
    return 1;
}

// Circle and line:  |w + s along|^2 = r^2,  the root s closer to zero,  s = -c/(b +- sqrt(b^2 - c)), without loss of
// digits.
static int meet_line(kane_vec3 n, const path *circle, const path *line, double *turn, double *slide)
{
    const kane_vec3 x = project_on_plane(n, kv3_sub(circle->point, circle->centre));
    const kane_vec3 w = project_on_plane(n, kv3_sub(line->point, circle->centre));
    const double b = kv3_dot(w, line->along), c = kv3_dot(kv3_add(w, x), kv3_sub(w, x)), root = b * b - c;
    if (!(root >= 0.0))
        return 0;
    const double below = b < 0.0 ? b - sqrt(root) : b + sqrt(root);
    const double s     = below != 0.0 ? -c / below : 0.0;
    *slide             = line->sign * s;
    *turn              = circle->sign * signed_angle(n, x, kv3_add_scaled(w, s, line->along));
    return 1;
}

// Changes of the two unknown coordinates; 0: the curves do not meet.
static int solve_loop(const kane_closed *c, const kane_closed_step *const *open, int count, kane_tree_work *work)
{
    const kane_closed_step *a = open[0], *b = open[count - 1];
    const kane_vec3 n   = work->axis[a->is_slide ? b->v : a->v].e;
    const int same_side = a->side == b->side;
    const path p        = path_of(c, a, same_side && a->order < b->order, n, work);
    const path o        = path_of(c, b, same_side && b->order < a->order, n, work);
    double change[2]    = {0.0, 0.0};
    const int is_solved = a->is_slide   ? meet_line(n, &o, &p, &change[1], &change[0])
                          : b->is_slide ? meet_line(n, &p, &o, &change[0], &change[1])
                                        : meet_circles(n, &p, &o, change);
    if (!is_solved || !isfinite(change[0]) || !isfinite(change[1]))
        return 0;
    work->q[a->q] += change[0];
    work->q[b->q] += change[1];
    return 1;
}

// q = (offset - factor' q')/factor, primes: of the known coordinate.
static int solve_gear(const kane_closed *c, const kane_closed_step *const *open, int count, kane_tree_work *work)
{
    const kane_closed_step *unknown = open[count - 1], *known = &c->step[1 - unknown->side];
    const double offset = kane_tree_number(work, c->closure->offset, c->closure->offset_given);
    double factor[2];
    for (int i = 0; i < 2; i++)
        factor[i] = kane_tree_number(work, c->closure->term[i].factor, c->closure->factor_given[i]);
    work->q[unknown->q] = (offset - factor[known->side] * work->q[known->q]) / factor[unknown->side];
    return 1;
}

void kane_closed_formula_eval(const kane_closed *c, const kane_tree_work *work, double *q)
{
    const kane_closed_formula *formula = c->closure->formula;
    const int dependents               = formula->kind->dependents;
    kane_number value[KANE_CLOSED_STEPS];
    for (int i = 0; i < c->step_count; i++)
        value[i] = kn_constant(formula->term[i].factor * work->q[c->step[i].q]);
    formula->kind->closed(formula->data, kn_constant(work->t), value + dependents, value);
    for (int i = 0; i < dependents; i++)
        q[i] = kn_value(value[i]) / formula->term[i].factor;
}

static int solve_formula(const kane_closed *c, const kane_closed_step *const *open, int count, kane_tree_work *work)
{
    double q[KANE_CLOSED_STEPS];
    kane_closed_formula_eval(c, work, q);
    for (int i = 0; i < count; i++)
        if (!isfinite(q[open[i]->side]))
            return 0;
    for (int i = 0; i < count; i++)
        work->q[open[i]->q] = q[open[i]->side];
    return 1;
}

// In the order of kane_closed_form.
static const struct {
    int unknowns; // how many coordinates it finds; of a formula any of the first ones
    int (*solve)(const kane_closed *c, const kane_closed_step *const *open, int count, kane_tree_work *work);
} forms[] = {{0, NULL}, {2, solve_loop}, {2, solve_loop}, {2, solve_loop}, {1, solve_gear}, {0, solve_formula}};

int kane_closed_solve(const kane_closed *closed, int *unknown, kane_tree_work *work)
{
    const kane_closed_form form = closed->closure->closed;
    const kane_closed_step *open[KANE_CLOSED_STEPS];
    int count = 0;
    for (int i = 0; i < closed->step_count; i++)
        if (closed->step[i].v >= 0 && unknown[closed->step[i].v])
            open[count++] = &closed->step[i];
    const int is_open = form != KANE_CLOSED_USER
                            ? count == forms[form].unknowns
                            : count > 0 && open[count - 1]->side < closed->closure->formula->kind->dependents;
    if (!is_open || !forms[form].solve(closed, open, count, work))
        return 0;
    for (int i = 0; i < count; i++)
        unknown[open[i]->v] = 0;
    return 1;
}
