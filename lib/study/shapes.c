// SPDX-License-Identifier: MIT
// Shapes of transitions: polynomials that all have the same ends (include/kane/transition.h), shapes as a user names
// them, and the settings that give them to sections of a track.

#include "study/transitions.h"

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "track/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- families ---

enum { GROWTH_SAMPLES = 2000 };

int kane_family_degree(const kane_transition_family *family)
{
    const int ends = family->ends, unknowns = family->unknowns;
    if (ends < 0 || unknowns < 0 || ends >= KANE_POLYNOMIAL_MAX || unknowns >= KANE_POLYNOMIAL_MAX ||
        2 * ends + 1 + unknowns >= KANE_POLYNOMIAL_MAX)
        return -1;
    return 2 * ends + 1 + unknowns;
}

// Gegenbauer polynomials with lambda = m + 1/2, orthogonal under (1 - z^2)^m, divided by their value at z = 1:
//   (k + 2 lambda) G_(k+1) = 2 (k + lambda) z G_k - k G_(k-1),   G_0 = 1,   G_1 = z
typedef struct recursion {
    double ahead, behind; // G_(k+1) = ahead z G_k - behind G_(k-1)
} recursion;

static recursion recursion_of(int ends, int k)
{
    const double lambda = ends + 0.5;
    return (recursion){2.0 * (k + lambda) / (k + 2.0 * lambda), k / (k + 2.0 * lambda)};
}

static double lowest_value(int ends, double x);

int kane_family_spline_unknowns(int ends, int degree, int knots)
{
    const int unknowns = knots + degree - 1 - 2 * ends;
    return ends < 0 || degree <= ends || degree > KANE_SPLINE_DEGREE_MAX || knots < 0 || unknowns < 0 ||
                   ends > KANE_POLYNOMIAL_MAX / 2 - 1 || knots + degree + 1 > KANE_SPLINE_MAX
               ? -1
               : unknowns;
}

// Place of the mean of the knots of coefficient i.
static double mean_knot(int degree, int knots, int i)
{
    double sum = 0.0;
    for (int k = i - degree; k < i; k++)
        sum += k < 0 ? 0.0 : k >= knots ? 1.0 : (k + 1.0) / (knots + 1.0);
    return sum / degree;
}

int kane_family_spline(const kane_transition_family *family, const double *c, double knots[KANE_SPLINE_MAX],
                       double coefficients[KANE_SPLINE_MAX])
{
    const int m = family->ends, n = kane_family_spline_unknowns(m, family->degree, family->knots);
    if (n < 0)
        return 0;
    for (int i = 0; i < family->knots; i++)
        knots[i] = (i + 1.0) / (family->knots + 1.0);
    for (int i = 0; i <= m; i++) {
        coefficients[i]             = 0.0;
        coefficients[m + 1 + n + i] = 1.0;
    }
    for (int i = 0; i < n; i++)
        coefficients[m + 1 + i] =
            lowest_value(m, mean_knot(family->degree, family->knots, m + 1 + i)) + c[i] / (family->knots + 1.0);
    return n + 2 * m + 2;
}

// (2m + 1)!/m!^2 = 1/B(m + 1, m + 1)
static double weight_factor(int ends)
{
    double factor = 1.0;
    for (int i = 1; i <= ends; i++)
        factor *= (double)(ends + i) / i;
    return factor * (2 * ends + 1);
}

// f'/W of a B-spline.
static double spline_growth(const kane_transition_family *family, const double *c, double x)
{
    enum { NEAR = 1000 };
    const double at = fmin(fmax(x, 1.0 / NEAR), 1.0 - 1.0 / NEAR);
    const shape s   = shape_of_family(family, c);
    kane_spline_interval intervals[KANE_SPLINE_MAX];
    kane_spline_divide(s.degree, s.knot_count, s.knots, s.coefficients, intervals);
    const kane_shape f = kane_shape_spline(kane_spline_at(intervals, s.knot_count + 1, at), s.degree, at);
    return f.f[1] / (weight_factor(family->ends) * pow(at * (1.0 - at), family->ends));
}

double kane_family_growth(const kane_transition_family *family, const double *c, double x)
{
    if (family->degree > 0)
        return spline_growth(family, c, x);
    const double z = 2.0 * x - 1.0;
    double before = 0.0, here = 1.0, sum = 1.0;
    for (int k = 0; k < family->unknowns; k++) {
        const recursion r = recursion_of(family->ends, k);
        const double next = r.ahead * z * here - r.behind * before;
        before            = here;
        here              = next;
        sum += c[k] * here;
    }
    return sum;
}

double kane_family_least_growth(const kane_transition_family *family, const double *c)
{
    double least = HUGE_VAL;
    for (int i = 0; i <= GROWTH_SAMPLES; i++)
        least = fmin(least, kane_family_growth(family, c, (double)i / GROWTH_SAMPLES));
    return least;
}

// to += factor (shift + scale x) by
static void multiply_add(double *to, double factor, double shift, double scale, const double *by, int count)
{
    for (int i = 0; i < count; i++) {
        to[i] += factor * shift * by[i];
        to[i + 1] += factor * scale * by[i];
    }
}

// The bracket as a polynomial of x.
static void expand_growth(const kane_transition_family *family, const double *c, double growth[KANE_POLYNOMIAL_MAX + 1])
{
    double before[KANE_POLYNOMIAL_MAX + 1] = {0.0}, here[KANE_POLYNOMIAL_MAX + 1] = {1.0};
    growth[0] = 1.0;
    for (int k = 0; k < family->unknowns; k++) {
        const recursion r                    = recursion_of(family->ends, k);
        double next[KANE_POLYNOMIAL_MAX + 1] = {0.0};
        multiply_add(next, r.ahead, -1.0, 2.0, here, k + 1); // z = 2 x - 1
        for (int i = 0; i <= k; i++)
            next[i] -= r.behind * before[i];
        memcpy(before, here, sizeof before);
        memcpy(here, next, sizeof here);
        for (int i = 0; i <= k + 1; i++)
            growth[i] += c[k] * here[i];
    }
}

int kane_family_coefficients(const kane_transition_family *family, const double *c,
                             double coefficients[KANE_POLYNOMIAL_MAX])
{
    const int degree                       = kane_family_degree(family);
    double growth[KANE_POLYNOMIAL_MAX + 1] = {0.0};
    memset(coefficients, 0, KANE_POLYNOMIAL_MAX * sizeof *coefficients);
    if (degree < 0)
        return 0;
    expand_growth(family, c, growth);
    for (int i = 0; i < family->ends; i++) { // times 1 - x
        double product[KANE_POLYNOMIAL_MAX + 1] = {0.0};
        multiply_add(product, 1.0, 1.0, -1.0, growth, family->unknowns + i + 1);
        memcpy(growth, product, sizeof growth);
    }
    const double factor = weight_factor(family->ends);
    double sum          = 0.0;                    // as Horner's scheme adds at x = 1
    for (int i = degree; i > family->ends; i--) { // times x^m, integrated
        coefficients[i] = factor * growth[i - family->ends - 1] / i;
        sum += coefficients[i];
    }
    coefficients[family->ends + 1] += 1.0 - sum; // what rounding has left
    return degree + 1;
}

// f of the lowest polynomial with these ends.
static double lowest_value(int ends, double x)
{
    const kane_transition_family lowest = {.ends = ends};
    double coefficients[KANE_POLYNOMIAL_MAX];
    const int count = kane_family_coefficients(&lowest, NULL, coefficients);
    return kane_shape_polynomial(coefficients, count, x).f[0];
}

shape shape_of_family(const kane_transition_family *family, const double *c)
{
    shape s = {.kind = family->degree > 0 ? KANE_BSPLINE : KANE_POLYNOMIAL, .height = NAN};
    if (family->degree > 0) {
        s.degree            = family->degree;
        s.knot_count        = family->knots;
        s.coefficient_count = kane_family_spline(family, c, s.knots, s.coefficients);
    } else {
        s.coefficient_count = kane_family_coefficients(family, c, s.coefficients);
    }
    return s;
}

// --- names ---

const char *const shape_names[] = {"clothoid", "parabola", "cosine",      "sine",        "bloss",
                                   "helmert",  "wiener",   "polynomial5", "polynomial7", NULL};

static const char *const kinds[] = {"clothoid", "parabola", "cosine", "sine", "bloss", "helmert", "wiener"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int report_bad_shape(const kane_study *study, const char *text, const char *why)
{
    kane_errors_add(
        study->errors, KANE_BAD_INPUT,
        "the shape '%s' %s; there are clothoid, parabola, cosine, sine, bloss, helmert, wiener (wiener:HEIGHT), "
        "polynomial1, polynomial3, ... polynomial15, and files such as DIR/result.json",
        text, why);
    return 0;
}

// "polynomial7": the lowest one with its ends.
static int parse_lowest(const kane_study *study, const char *text, shape *s)
{
    char *end;
    const long degree = strtol(text + strlen("polynomial"), &end, 10);
    if (end == text + strlen("polynomial") || *end || degree < 1 || degree > 15 || degree % 2 == 0)
        return report_bad_shape(study, text, "has no odd degree from 1 to 15");
    const kane_transition_family family = {.ends = ((int)degree - 1) / 2};
    s->kind                             = KANE_POLYNOMIAL;
    s->coefficient_count                = kane_family_coefficients(&family, NULL, s->coefficients);
    return 1;
}

// "wiener:1.8 m"
static int parse_wiener_height(const kane_study *study, const char *text, shape *s)
{
    const char *at      = text + strlen("wiener:");
    const size_t length = kane_number_length(at);
    const char *unit    = at + length + strspn(at + length, " ");
    if (length == 0 || length > KANE_NUMBER_LENGTH || (*unit && strcmp(unit, "m") != 0 && strcmp(unit, "mm") != 0))
        return report_bad_shape(study, text, "has no height in m or mm behind its colon");
    s->kind   = KANE_WIENER;
    s->height = kane_number_value(at, length, 0) * (strcmp(unit, "mm") == 0 ? 1e-3 : 1.0);
    return 1;
}

// A list of numbers of a shape's file. 0 with an error.
static int read_numbers(const kane_study *study, const kane_node *list, int least, int most, int *count, double *values)
{
    if (list->kind != KANE_NODE_LIST || list->count < least || list->count > most) {
        kane_errors_add_input(study->errors, KANE_BAD_INPUT, list->place, "must be a list of %d to %d numbers", least,
                              most);
        return 0;
    }
    for (const kane_node *n = list->child; n; n = n->next) {
        if (n->kind != KANE_NODE_NUMBER) {
            kane_errors_add_input(study->errors, KANE_BAD_INPUT, n->place, "a coefficient must be a number");
            return 0;
        }
        values[(*count)++] = n->number;
    }
    return 1;
}

static int read_degree(const kane_study *study, const kane_node *root, shape *s)
{
    const kane_node *n = kane_node_find(root, "degree");
    if (n && n->kind == KANE_NODE_NUMBER && n->number >= 1.0 && n->number <= KANE_SPLINE_DEGREE_MAX &&
        floor(n->number) == n->number) {
        s->degree = (int)n->number;
        return 1;
    }
    kane_errors_add_input(study->errors, KANE_BAD_INPUT, n ? n->place : root->place,
                          "a B-spline needs a \"degree\" from 1 to %d", KANE_SPLINE_DEGREE_MAX);
    return 0;
}

// Lengths of a shape's file, of the answer to a search and of a section; 0 where it has none. 0 with an error.
static int read_lengths(const kane_study *study, const kane_node *root, shape *s)
{
    const kane_node *own = kane_node_find(root, "length"), *section = kane_node_find(root, "transition");
    s->length  = own && own->kind == KANE_NODE_NUMBER ? own->number : 0.0;
    s->of_file = section && section->kind == KANE_NODE_NUMBER ? section->number : 0.0;
    if (!own || (s->length > 0.0 && isfinite(s->length)))
        return 1;
    kane_errors_add_input(study->errors, KANE_BAD_INPUT, own->place, "the length must be a positive number of m");
    return 0;
}

// A file that has a list "coefficients" and, of a B-spline, its "degree" and "knots", as result.json and section.json.
// A length that was free is used, too; that of a section is known only.
static int read_shape_file(const kane_study *study, const char *file, shape *s)
{
    const kane_node *root = kane_json_read(study->arena, file, study->errors);
    if (!root)
        return 0;
    const kane_node *list = kane_node_find(root, "coefficients"), *knots = kane_node_find(root, "knots");
    const int most = knots ? KANE_SPLINE_MAX : KANE_POLYNOMIAL_MAX;
    if (!list || list->kind != KANE_NODE_LIST || list->count < 2 || list->count > most) {
        kane_errors_add_input(study->errors, KANE_BAD_INPUT, list ? list->place : root->place,
                              "a shape's file has a list \"coefficients\" of 2 to %d numbers, as result.json of "
                              "\"kane study optimise\" has",
                              most);
        return 0;
    }
    s->kind = knots ? KANE_BSPLINE : KANE_POLYNOMIAL;
    if (knots &&
        (!read_degree(study, root, s) || !read_numbers(study, knots, 0, KANE_SPLINE_MAX, &s->knot_count, s->knots)))
        return 0;
    return read_lengths(study, root, s) && read_numbers(study, list, 2, most, &s->coefficient_count, s->coefficients);
}

double shape_value(const shape *s, double x)
{
    kane_spline_interval intervals[KANE_SPLINE_MAX];
    if (s->kind == KANE_BSPLINE) {
        kane_spline_divide(s->degree, s->knot_count, s->knots, s->coefficients, intervals);
        return kane_shape_spline(kane_spline_at(intervals, s->knot_count + 1, x), s->degree, x).f[0];
    }
    return kane_shape_polynomial(s->coefficients, s->coefficient_count, x).f[0];
}

static int is_file(const char *name)
{
    const size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

int shape_parse(const kane_study *study, const char *text, shape *s)
{
    *s = (shape){.name = kane_arena_text(study->arena, text), .height = NAN};
    if (!s->name)
        return kane_study_no_memory(study);
    for (int i = 0; i < KINDS; i++)
        if (strcmp(text, kinds[i]) == 0) {
            s->kind = (kane_transition_shape)i;
            return 1;
        }
    if (is_file(text))
        return read_shape_file(study, text, s);
    if (strncmp(text, "polynomial", strlen("polynomial")) == 0)
        return parse_lowest(study, text, s);
    if (strncmp(text, "wiener:", strlen("wiener:")) == 0)
        return parse_wiener_height(study, text, s);
    return report_bad_shape(study, text, "does not exist");
}

// --- sections ---

// Whether it is a transition of the track that is not given twice. known: those of the track, "1, 3".
static int check_section(const kane_study *study, const kane_track *track, const int *asked, int i, const char *known)
{
    const int section = asked[i], before = study->errors->count;
    for (int k = 0; k < i; k++)
        if (asked[k] == section)
            kane_errors_add(study->errors, KANE_BAD_INPUT, "section %d is named twice", section);
    if (section < 0 || section >= kane_track_section_count(track) ||
        kane_track_get_section(track, section).kind != KANE_TRANSITION)
        kane_errors_add(study->errors, KANE_BAD_INPUT,
                        "section %d of the track is no transition; of its sections, counting from 0, these are: %s",
                        section, known);
    return study->errors->count == before;
}

int shape_find_sections(const kane_study *study, const kane_track *track, int count, const int *asked,
                        shape_sections *sections)
{
    const int only_one = count == 1 && asked[0] == -1, of_track = kane_track_section_count(track);
    const size_t most = (size_t)(count > of_track ? count : of_track);
    int *index = kane_arena_alloc(study->arena, most, sizeof *index), all = 0, good = 1;
    kane_track_section *kept = kane_arena_alloc(study->arena, most, sizeof *kept);
    char known[160];
    kane_text t = kane_text_start(sizeof known, known);
    if (!index || !kept)
        return kane_study_no_memory(study);
    for (int i = 0; i < of_track; i++)
        if (kane_track_get_section(track, i).kind == KANE_TRANSITION) {
            kane_text_add(&t, "%s%d", all ? ", " : "", i);
            index[all++] = i;
        }
    if (count > 0 && !only_one) {
        all = count;
        for (int i = 0; i < count && good; i++) {
            index[i] = asked[i];
            good     = check_section(study, track, asked, i, known);
        }
    } else if (all == 0 || (only_one && all > 1)) {
        kane_errors_add(study->errors, KANE_BAD_INPUT,
                        all == 0
                            ? "the track has no transition: one of its \"sections\" must be "
                              "{\"transition\": LENGTH, \"to\": {...}}"
                            : "the track has %d transitions, sections %s (counting from 0): say by --section which one",
                        all, known);
        good = 0;
    }
    *sections = (shape_sections){all, index, kept};
    for (int i = 0; good && i < all; i++)
        kept[i] = kane_track_get_section(track, index[i]);
    return good;
}

// --- settings ---

static void add_number(kane_text *t, const char *before, double value)
{
    char number[KANE_NUMBER_SIZE];
    kane_number_format(value, number);
    kane_text_add(t, "%s%s", before, number);
}

static void add_numbers(kane_text *t, const char *before, int count, const double *values)
{
    kane_text_add(t, "%s", before);
    for (int i = 0; i < count; i++)
        add_number(t, i == 0 ? "" : ", ", values[i]);
    kane_text_add(t, "]");
}

// The radius whose inverse is this curvature, to the last bit if there is one.
static double radius_of(double curvature)
{
    const double radius = 1.0 / curvature;
    const double near[] = {radius, nextafter(radius, 0.0), nextafter(radius, 2.0 * radius)};
    for (int i = 0; i < 3; i++)
        if (1.0 / near[i] == curvature)
            return near[i];
    return radius;
}

static void add_end(kane_text *t, const kane_track_section *section)
{
    const double k = section->curvature[1], before = section->curvature[0], u = section->superelevation[1];
    if (k == 0.0 && u == 0.0)
        return;
    kane_text_add(t, ", \"to\": {");
    if (k != 0.0)
        add_number(t, "\"radius\": ", radius_of(k));
    if (u != 0.0) // in the file that of the outer rail over the inner one
        add_number(t, k != 0.0 ? ", \"cant\": " : "\"cant\": ", (k != 0.0 ? k : before) < 0.0 ? -u : u);
    kane_text_add(t, "}");
}

const char *shape_section(kane_arena *arena, const shape *s, const kane_track_section *section)
{
    char text[2 * KANE_SPLINE_MAX * KANE_NUMBER_SIZE + 512];
    kane_text t = kane_text_start(sizeof text, text);
    add_number(&t, "{\"transition\": ", s->length > 0.0 ? s->length : section->length);
    kane_text_add(&t, ", \"shape\": \"%s\"",
                  s->kind == KANE_POLYNOMIAL ? "polynomial"
                  : s->kind == KANE_BSPLINE  ? "spline"
                                             : kinds[s->kind]);
    if (s->kind == KANE_WIENER && !isnan(s->height))
        add_number(&t, ", \"height\": ", s->height);
    if (s->kind == KANE_BSPLINE) {
        kane_text_add(&t, ", \"degree\": %d", s->degree);
        add_numbers(&t, ", \"knots\": [", s->knot_count, s->knots);
    }
    if (s->coefficient_count > 0)
        add_numbers(&t, ", \"coefficients\": [", s->coefficient_count, s->coefficients);
    add_end(&t, section);
    kane_text_add(&t, "}");
    return kane_arena_text(arena, text);
}

const char *const *shape_settings(kane_arena *arena, const shape *s, const shape_sections *sections)
{
    const char **settings = kane_arena_alloc(arena, (size_t)sections->count + 1, sizeof *settings);
    for (int i = 0; settings && i < sections->count; i++) {
        const char *section = shape_section(arena, s, &sections->section[i]);
        char *text          = section ? kane_arena_alloc(arena, strlen(section) + 64, 1) : NULL;
        if (!text)
            return NULL;
        (void)snprintf(text, strlen(section) + 64, "track.sections[%d]=%s", sections->index[i], section);
        settings[i] = text;
    }
    return settings;
}

// --- values of axes ---

int shape_is_made(const kane_axis *axis, int value)
{
    const char *name = axis->texts[value];
    if (strcmp(kane_axis_path(axis->path), "track.sections[*].shape") != 0)
        return 0;
    return is_file(name) || strncmp(name, "wiener:", strlen("wiener:")) == 0 ||
           (strncmp(name, "polynomial", strlen("polynomial")) == 0 && name[strlen("polynomial")] != '\0');
}

const char *const *shape_settings_of(const kane_study *study, const kane_track *track, const char *name)
{
    shape s;
    shape_sections all;
    if (!track) {
        kane_errors_add(study->errors, KANE_BAD_INPUT, "a mechanism has no track, and so no transitions of shape '%s'",
                        name);
        return NULL;
    }
    if (!shape_parse(study, name, &s) || !shape_find_sections(study, track, 0, NULL, &all))
        return NULL;
    const char *const *settings = shape_settings(study->arena, &s, &all);
    if (!settings)
        (void)kane_study_no_memory(study);
    return settings;
}

void shape_describe_files(kane_writer *w, const kane_axis *axis)
{
    int is_open = 0;
    for (int i = 0; i < axis->count; i++) {
        char *text = NULL;
        size_t length;
        if (!shape_is_made(axis, i) || !is_file(axis->texts[i]) ||
            kane_file_load(axis->texts[i], SIZE_MAX, &text, &length, NULL) != KANE_OK)
            continue;
        if (!is_open)
            kane_writer_open(w, "files", '[');
        is_open = 1;
        kane_writer_text(w, NULL, text);
        kane_release(text);
    }
    if (is_open)
        kane_writer_close(w);
}
