// SPDX-License-Identifier: MIT
// Checks of a profile from its values and points, with messages that say how to correct it.

#include "profile/profile.h"
#include "profile/curve.h"

#include <math.h>

// What wheels and rails of the world have, with room to spare [m].
static const double wheel_least = 0.06, wheel_most = 0.2, rail_least = 0.03, rail_most = 0.12, slice_most = 0.3;
static const double flange_least = 0.01, circle_reach = 0.01, steepest_face = 12.0;
enum { POINTS_LEAST = 8, POINTS_MOST = 100000 };

typedef struct inspector {
    const kane_profile *profile;
    const kane_profile *drawn_from; // the pieces that the profile's points are drawn from; NULL: it is as it was given
    const kane_profile_options *read_as; // NULL: not from a file
    kane_errors *errors;
    kane_status status;
} inspector;

static kane_place place_of(const inspector *s, int point)
{
    const kane_profile *p = s->profile;
    kane_place place      = p->place;
    if (point >= 0 && p->line) {
        place.line   = p->line[point];
        place.column = 1;
    }
    return place;
}

#define FAULT(s, point, ...)                                                                                           \
    do {                                                                                                               \
        (s)->status = (s)->profile->place.line > 0 ? KANE_BAD_INPUT : KANE_BAD_ARGUMENT;                               \
        kane_errors_add_input((s)->errors, (s)->status, place_of(s, point), __VA_ARGS__);                              \
    } while (0)

// --- the shape ---

static void check_value(inspector *s, const char *name, double value, double least, double most, const char *unit)
{
    if (!(value >= least && value <= most))
        FAULT(s, -1, "%s of the profile %g%s is not allowed, must be within %g%s and %g%s", name, value, unit, least,
              unit, most, unit);
}

static void check_shape(inspector *s)
{
    const kane_profile *p = s->profile;
    switch (p->shape) {
    case KANE_SHAPE_S1002:
    case KANE_SHAPE_60E1:
    case KANE_SHAPE_POINTS:
    case KANE_SHAPE_PIECES: break;
    case KANE_SHAPE_CONE: check_value(s, "conicity", p->conicity, -0.5, 0.5, ""); break;
    case KANE_SHAPE_ARC:
        check_value(s, "conicity", p->conicity, -0.5, 0.5, "");
        check_value(s, "radius", fabs(p->radius), 0.1, 1e3, " m");
        break;
    case KANE_SHAPE_ROUND: check_value(s, "radius", p->radius, 0.02, 10.0, " m"); break;
    }
    if (p->kind == KANE_PROFILE_WHEEL)
        check_value(s, "flange_to_circle", kane_profile_flange_to_circle(p), 0.02, 0.15, " m");
}

static int is_of_kind(kane_profile_shape shape, kane_profile_kind kind)
{
    switch (shape) {
    case KANE_SHAPE_S1002:
    case KANE_SHAPE_CONE:
    case KANE_SHAPE_ARC: return kind == KANE_PROFILE_WHEEL;
    case KANE_SHAPE_60E1:
    case KANE_SHAPE_ROUND: return kind == KANE_PROFILE_RAIL;
    case KANE_SHAPE_POINTS:
    case KANE_SHAPE_PIECES: return 1;
    }
    return 0;
}

// --- points, one by one ---

static int are_finite(inspector *s)
{
    const kane_profile *p = s->profile;
    int wrong             = 0;
    for (int i = 0; i < p->count; i++)
        if (!isfinite(p->y[i]) || !isfinite(p->z[i])) {
            FAULT(s, i, "point %d is not finite: y = %g, z = %g", i + 1, p->y[i], p->z[i]);
            wrong++;
        } else if (p->weight && !(p->weight[i] > 0.0 && isfinite(p->weight[i]))) {
            FAULT(s, i, "weight %g of point %d is not allowed, must be positive", p->weight[i], i + 1);
            wrong++;
        }
    return wrong == 0;
}

// Extent of the points.
typedef struct extent {
    double y_least, y_most, z_least, z_most, middle; // [m]; middle: half of the points are lower
    double y_lowest, y_highest;                      // where z is least and most
} extent;

// Height below which half of the points are [m].
static double median_height(const kane_profile *p, double low, double high)
{
    for (int i = 0; i < 50; i++) {
        const double middle = 0.5 * (low + high);
        int below           = 0;
        for (int k = 0; k < p->count; k++)
            below += p->z[k] < middle;
        if (2 * below > p->count)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

static extent measure_extent(const kane_profile *p)
{
    extent e = {p->y[0], p->y[0], p->z[0], p->z[0], 0.0, p->y[0], p->y[0]};
    for (int i = 0; i < p->count; i++) {
        e.y_least   = fmin(e.y_least, p->y[i]);
        e.y_most    = fmax(e.y_most, p->y[i]);
        e.y_lowest  = p->z[i] < e.z_least ? p->y[i] : e.y_lowest;
        e.y_highest = p->z[i] > e.z_most ? p->y[i] : e.y_highest;
        e.z_least   = fmin(e.z_least, p->z[i]);
        e.z_most    = fmax(e.z_most, p->z[i]);
    }
    e.middle = median_height(p, e.z_least, e.z_most);
    return e;
}

// The unit that would give a width within limits, and the one that was taken; NULL if there is none.
static const char *other_unit(const inspector *s, double width, double least, double most, const char **taken)
{
    static const struct {
        double metres;
        const char *name;
    } units[]         = {{1e-3, "mm"}, {1.0, "m"}, {1e-2, "cm"}, {0.0254, "inch"}};
    const double unit = s->read_as ? s->read_as->unit : 1.0;
    const char *other = NULL;
    *taken            = NULL;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const double would_be = width / unit * units[i].metres;
        if (fabs(unit - units[i].metres) <= 1e-9 * unit)
            *taken = units[i].name;
        else if (!other && would_be >= least && would_be <= most)
            other = units[i].name;
    }
    return *taken ? other : NULL;
}

static int has_size(inspector *s, const extent *e)
{
    const int wheel    = s->profile->kind == KANE_PROFILE_WHEEL;
    const double least = wheel ? wheel_least : rail_least, high = wheel ? wheel_most : rail_most;
    const double most  = s->profile->slice ? slice_most : high;
    const double width = e->y_most - e->y_least, height = e->z_most - e->z_least;
    const char *noun = wheel ? "wheel" : "rail";
    if (width >= least && width <= most && height <= high)
        return 1;
    if (width >= least && width <= most) {
        FAULT(s, -1, "this %s is %.4g mm high, must not be more than %g mm", noun, 1e3 * height, 1e3 * high);
        return 0;
    }
    const char *taken, *other = other_unit(s, width, least, most, &taken);
    const char *hint = !wheel && !other && width <= wheel_most ? "; it may be a wheel" : "";
    FAULT(s, -1, "this %s is %.4g %s wide, must be from %g mm to %g mm%s%s%s%s%s", noun,
          width < 1.0 ? 1e3 * width : width, width < 1.0 ? "mm" : "m", 1e3 * least, 1e3 * most, hint,
          other ? "; its unit is " : "", other ? other : "", other ? ", not " : "", other ? taken : "");
    return 0;
}

// From the inside to the outside; neighbouring chords must not go back.
static int is_in_order(inspector *s)
{
    const kane_profile *p = s->profile;
    int wrong             = 0;
    if (!(p->y[0] < p->y[p->count - 1])) {
        FAULT(
            s, -1,
            "the profile ends at y = %.4g mm where it begins at %.4g mm: points must run from the inside to the outside",
            1e3 * p->y[p->count - 1], 1e3 * p->y[0]);
        return 0;
    }
    for (int i = 1; i + 1 < p->count; i++) {
        const double y0 = p->y[i] - p->y[i - 1], z0 = p->z[i] - p->z[i - 1], y1 = p->y[i + 1] - p->y[i],
                     z1 = p->z[i + 1] - p->z[i];
        if (y0 * y1 + z0 * z1 > 0.0)
            continue;
        if (wrong == 0)
            FAULT(s, i,
                  "the profile turns back at point %d (y = %.4g mm, z = %.4g mm): points must be in order along "
                  "the surface, each once",
                  i + 1, 1e3 * p->y[i], 1e3 * p->z[i]);
        wrong++;
    }
    return wrong == 0;
}

// --- which way it lies ---

static const char *other_lateral(const inspector *s)
{
    return s->read_as && s->read_as->lateral == KANE_LATERAL_INSIDE ? "write \"lateral\": \"outside\""
           : s->read_as                                             ? "write \"lateral\": \"inside\""
                                                                    : "y must be positive to the outside";
}

static const char *other_vertical(const inspector *s)
{
    if (!s->read_as)
        return "z must be positive upward";
    const int down = s->read_as->vertical == KANE_VERTICAL_DOWN ||
                     (s->read_as->vertical == KANE_VERTICAL_NOT_SAID && s->read_as->format == KANE_PROFILE_SIMPACK);
    return down ? "write \"vertical\": \"up\"" : "write \"vertical\": \"down\"";
}

static const char *shift_hint(const inspector *s)
{
    return s->read_as ? "write \"origin\": the y that the running circle has in the file"
                      : "y counts from the running circle";
}

// The tip of the flange, the lowest point of all, is not at the end of the profile, and it lies inside.
static void check_wheel(inspector *s, const extent *e)
{
    const double down = e->middle - e->z_least, up = e->z_most - e->middle;
    const double centre     = 0.5 * (e->y_least + e->y_most);
    const double ends       = 0.02 * (e->y_most - e->y_least);
    const int falls_at_both = down > flange_least && s->profile->z[0] < e->middle - 0.5 * down &&
                              s->profile->z[s->profile->count - 1] < e->middle - 0.5 * down;

    if (falls_at_both) {
        FAULT(s, -1, "this is no wheel: it falls on both sides, like a rail");
        return;
    }
    if (down < flange_least && up < flange_least) {
        FAULT(s, -1,
              "this wheel has no flange: it is %.4g mm high, must be at least %g mm (of a wheel without a flange "
              "take a \"cone\" or an \"arc\")",
              1e3 * (down + up), 1e3 * flange_least);
        return;
    }
    if (down < flange_least ||
        (up > down && fabs(e->y_highest - e->y_least) > ends && fabs(e->y_most - e->y_highest) > ends)) {
        FAULT(s, -1, "this wheel is upside down: its flange points up; %s", other_vertical(s));
        return;
    }
    if (e->y_lowest > centre) {
        FAULT(s, -1, "this wheel's flange lies at positive y, on the outside; %s", other_lateral(s));
        return;
    }
    if (!(e->y_lowest > -0.1 && e->y_lowest < -0.02)) {
        FAULT(s, -1,
              "the tip of this wheel's flange lies at y = %.4g mm, must be from -100 mm to -20 mm: y = 0 is not "
              "the running circle; %s",
              1e3 * e->y_lowest, shift_hint(s));
        return;
    }
    if (e->y_most < circle_reach)
        FAULT(s, -1,
              "this wheel's tread is missing: it ends at y = %.4g mm, must reach %g mm beyond the running circle",
              1e3 * e->y_most, 1e3 * circle_reach);
}

// Distance from the highest point at which the head is `depth` lower, to the inside (-1) or outside (1); 0: it ends
// before.
static double half_width(const kane_profile *p, int side, double depth)
{
    int top = 0;
    for (int i = 1; i < p->count; i++)
        top = p->z[i] > p->z[top] ? i : top;
    for (int i = top; i >= 0 && i < p->count; i += side)
        if (p->z[i] <= p->z[top] - depth)
            return fabs(p->y[i] - p->y[top]);
    return 0.0;
}

// Is the head hollow, seen from above: highest at an end of the drawing, and below the chord between its ends? Area
// between curve and chord: sum of (y - y0) dz - (z - z0) dy over the points, by 2.
static int is_hollow(const kane_profile *p, const extent *e)
{
    const int last    = p->count - 1;
    const double near = 0.02 * (e->y_most - e->y_least);
    double area       = 0.0;
    if (fabs(e->y_highest - p->y[0]) > near && fabs(e->y_highest - p->y[last]) > near)
        return 0;
    for (int i = 1; i <= last; i++)
        area += (p->y[i] - p->y[0]) * (p->z[i - 1] - p->z[0]) - (p->y[i - 1] - p->y[0]) * (p->z[i] - p->z[0]);
    return area < 0.0;
}

static void check_rail(inspector *s, const extent *e)
{
    const kane_profile *p = s->profile;
    const double first = p->z[0], last = p->z[p->count - 1], enough = 0.01;
    const double inside = half_width(p, -1, enough), outside = half_width(p, 1, enough);

    const int falls_inside =
        first - e->z_least > enough && last - e->z_least > enough && e->z_most - e->middle > e->middle - e->z_least;
    if (falls_inside || is_hollow(p, e)) {
        FAULT(s, -1, "this rail is upside down: its head is lower than its sides; %s", other_vertical(s));
        return;
    }
    if (inside == 0.0 && outside > 0.0) {
        FAULT(s, -1,
              "this rail's gauge face lies at positive y, on the outside, or is missing: the inside ends %.4g mm "
              "below the top, must reach %g mm; %s",
              1e3 * (e->z_most - first), 1e3 * enough, other_lateral(s));
        return;
    }
    if (inside == 0.0) {
        FAULT(s, -1, "this rail's gauge face is missing: the inside ends %.4g mm below the top, must reach %g mm",
              1e3 * (e->z_most - first), 1e3 * enough);
        return;
    }
    if (p->inclined && outside > inside + 2e-3)
        FAULT(s, -1,
              "this rail leans to the outside: 10 mm below its top it is %.4g mm wide to the inside and %.4g mm to "
              "the outside; %s, or leave \"inclined\" out if it stands upright",
              1e3 * inside, 1e3 * outside, other_lateral(s));
}

int kane_profile_left_out(const kane_profile *p, kane_errors *remarks)
{
    if (p->left_out > 0)
        kane_errors_add_input(remarks, KANE_OK, (kane_place){p->place.file, p->left_out_line, 1, ""},
                              "%d point%s left out, behind %s by as little as measuring devices err", p->left_out,
                              p->left_out == 1 ? "" : "s",
                              p->left_out == 1 ? "its neighbour" : "their neighbours (the first is in this line)");
    return p->left_out > 0;
}

// The sides of 60E1 turned by 1:40 differ by 13 mm.
int kane_profile_leans(const kane_profile *p, kane_errors *remarks)
{
    const double depth = 0.01, much = 0.01;
    if (p->kind != KANE_PROFILE_RAIL || p->shape != KANE_SHAPE_POINTS || p->inclined)
        return 0;
    const double inside = half_width(p, -1, depth), outside = half_width(p, 1, depth);
    if (outside == 0.0 || inside < outside + much)
        return 0;
    kane_errors_add_input(
        remarks, KANE_OK, p->place,
        "10 mm below its top this rail is %.4g mm wide to the inside and %.4g mm to the outside; if it "
        "is drawn as it lies in the track, write \"inclined\": true",
        1e3 * inside, 1e3 * outside);
    return 1;
}

// What contact needs of a wheel's curve: a face that is seen from below, a tread.
static void check_curve(inspector *s, kane_arena *arena)
{
    form f;
    if (!kane_form_init(&f, s->drawn_from ? s->drawn_from : s->profile, arena))
        return;
    if (s->profile->kind != KANE_PROFILE_WHEEL)
        return;
    const form_range r = kane_form_wheel_range(&f);
    if (!(r.steepest < steepest_face)) {
        const curve_point at = kane_form_at(&f, r.steepest_at);
        FAULT(s, -1,
              "the face of this wheel's flange is undercut or too steep at y = %.4g mm, z = %.4g mm: must be less "
              "than %.0f degrees steep",
              1e3 * at.y, 1e3 * at.z, atan(steepest_face) * 57.295779513082323);
    } else if (!(r.last >= circle_reach && r.first <= -0.02))
        FAULT(s, -1,
              "of this wheel only y = %.4g mm to %.4g mm can touch a rail: must reach from the flange to %g mm beyond "
              "the running circle",
              1e3 * r.first, 1e3 * r.last, 1e3 * circle_reach);
}

// Which way it lies, and what contact needs.
static void check_drawing(inspector *s, kane_arena *arena)
{
    const extent e = measure_extent(s->profile);
    if (!has_size(s, &e) || !is_in_order(s))
        return;
    if (s->profile->kind == KANE_PROFILE_WHEEL)
        check_wheel(s, &e);
    else if (!s->profile->slice) // its heads may lie anyhow
        check_rail(s, &e);
    if (s->status == KANE_OK)
        check_curve(s, arena);
}

// Joins the pieces, then checks their curve like points.
static void check_pieces(inspector *s, kane_arena *arena)
{
    enum { MOST = 100, DRAWN = 2000 };
    const kane_profile *p = s->profile;
    if (p->count < 1 || p->count > MOST || !p->pieces) {
        FAULT(s, -1, "the profile has %d pieces, must have 1 to %d", p->count, MOST);
        return;
    }
    if (!(isfinite(p->from) && isfinite(p->to) && p->from < p->to)) {
        FAULT(s, -1, "the profile goes from y = %g mm to %g mm; must go to the outside", 1e3 * p->from, 1e3 * p->to);
        return;
    }
    joined_piece *joined = kane_arena_alloc(arena, (size_t)p->count, sizeof *joined);
    double *y = kane_arena_doubles(arena, DRAWN), *z = kane_arena_doubles(arena, DRAWN);
    if (kane_arena_failed(arena))
        return;
    if (!kane_pieces_join(p, joined, s->errors)) {
        s->status = p->place.line > 0 ? KANE_BAD_INPUT : KANE_BAD_ARGUMENT;
        return;
    }
    for (int i = 0; i < DRAWN; i++) {
        const curve_point at = kane_pieces_point_at(p->count, joined, joined[p->count - 1].end * i / (DRAWN - 1.0));
        y[i]                 = at.y;
        z[i]                 = at.z;
    }
    kane_profile drawn  = *p;
    drawn.count         = DRAWN;
    drawn.y             = y;
    drawn.z             = z;
    inspector as_drawn  = *s;
    as_drawn.profile    = &drawn;
    as_drawn.drawn_from = p;
    check_drawing(&as_drawn, arena);
    s->status = as_drawn.status;
}

static void check_points(inspector *s, kane_arena *arena)
{
    const kane_profile *p = s->profile;
    if (p->count < POINTS_LEAST || p->count > POINTS_MOST || !p->y || !p->z) {
        FAULT(s, -1, "the profile has %d points, must have %d to %d", p->count, POINTS_LEAST, POINTS_MOST);
        return;
    }
    if (!(p->smoothing >= 0.0 && p->smoothing <= 1e-3))
        FAULT(s, -1, "smoothing by %g mm is not allowed, must be from 0 mm to 1 mm", 1e3 * p->smoothing);
    if (are_finite(s))
        check_drawing(s, arena);
}

kane_status kane_profile_inspect(const kane_profile *p, kane_profile_kind kind, const kane_profile_options *read_as,
                                 kane_errors *errors)
{
    inspector s = {.profile = p, .read_as = read_as, .errors = errors, .status = KANE_OK};
    if (p->kind != kind || !is_of_kind(p->shape, kind)) {
        FAULT(&s, -1, "the profile is not that of %s", kane_profile_noun(kind));
        return s.status;
    }
    check_shape(&s);
    if ((p->shape != KANE_SHAPE_POINTS && p->shape != KANE_SHAPE_PIECES) || s.status != KANE_OK)
        return s.status;
    kane_arena *arena = kane_arena_create();
    if (arena && p->shape == KANE_SHAPE_POINTS)
        check_points(&s, arena);
    else if (arena)
        check_pieces(&s, arena);
    if (!arena || kane_arena_failed(arena)) {
        s.status = KANE_NO_MEMORY;
        (void)kane_no_memory(errors);
    }
    kane_arena_free(arena);
    return s.status;
}

kane_status kane_profile_check(const kane_profile *p, kane_profile_kind kind, kane_errors *errors)
{
    return kane_profile_inspect(p, kind, NULL, errors);
}
