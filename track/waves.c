// SPDX-License-Identifier: MIT
// Sums of many sines, anywhere or along equidistant places.

#include "math/spline.h"
#include "math/statistics.h"
#include "track/waves.h"

static const double two_pi = 6.283185307179586477;

void kane_rails_add(kane_rails_point *rails, kane_irregularity_kind kind, const double w[4])
{
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < 2; axis++)
            for (int k = 0; k < 4; k++)
                rails->d[side][axis][k] += kane_kind_rails[kind][side][axis] * w[k];
}

// Whole waves are taken out of s without rounding, so that the angle keeps its digits far out.
static double angle_at(const kane_wave *w, double s)
{
    const double rest = fma(-floor(s / w->wavelength), w->wavelength, s);
    return two_pi * (rest / w->wavelength) + w->phase;
}

void kane_waves_add(const kane_waves *waves, double s, kane_rails_point *rails)
{
    for (int kind = 0; kind < KANE_IRREGULARITY_KINDS; kind++) {
        double sum[4] = {0.0, 0.0, 0.0, 0.0};
        for (int i = waves->first[kind]; i < waves->first[kind + 1]; i++) {
            const kane_wave *w = &waves->wave[i];
            const double k = two_pi / w->wavelength, angle = angle_at(w, s);
            const double S = w->amplitude * sin(angle), C = w->amplitude * cos(angle);
            sum[0] += S;
            sum[1] += k * C;
            sum[2] -= k * k * S;
            sum[3] -= k * k * k * C;
        }
        kane_rails_add(rails, (kane_irregularity_kind)kind, sum);
    }
}

int kane_wave_walk_start(kane_wave_walk *walk, const kane_waves *waves, double s0, double step, kane_arena *memory)
{
    const int count = waves->first[KANE_IRREGULARITY_KINDS];
    double *all     = kane_arena_doubles(memory, 7 * (size_t)count);
    if (!all)
        return 0;
    *walk = (kane_wave_walk){.waves       = waves,
                             .s0          = s0,
                             .step        = step,
                             .sine        = all,
                             .cosine      = all + count,
                             .turn_sine   = all + 2 * count,
                             .turn_cosine = all + 3 * count,
                             .value       = all + 4 * count,
                             .slope       = all + 5 * count,
                             .bend        = all + 6 * count};
    for (int i = 0; i < count; i++) {
        const kane_wave *w   = &waves->wave[i];
        const double k       = two_pi / w->wavelength;
        walk->turn_sine[i]   = sin(k * step);
        walk->turn_cosine[i] = cos(k * step);
        walk->value[i]       = w->amplitude;
        walk->slope[i]       = w->amplitude * k;
        walk->bend[i]        = -w->amplitude * k * k;
    }
    return 1;
}

// Sines and cosines of all waves at the present place, afresh: recursion loses digits.
static void restart_phasors(kane_wave_walk *walk)
{
    const double s = walk->s0 + walk->place * walk->step;
    for (int i = 0; i < walk->waves->first[KANE_IRREGULARITY_KINDS]; i++) {
        const double angle = angle_at(&walk->waves->wave[i], s);
        walk->sine[i]      = sin(angle);
        walk->cosine[i]    = cos(angle);
    }
}

// Rotates all phasors by the angle of one step.
static void turn_phasors(kane_wave_walk *walk)
{
    for (int i = 0; i < walk->waves->first[KANE_IRREGULARITY_KINDS]; i++) {
        const double S = walk->sine[i], C = walk->cosine[i];
        walk->sine[i]   = S * walk->turn_cosine[i] + C * walk->turn_sine[i];
        walk->cosine[i] = C * walk->turn_cosine[i] - S * walk->turn_sine[i];
    }
}

void kane_wave_walk_next(kane_wave_walk *walk, kane_rails_point *rails)
{
    if (walk->place % KANE_WALK_RENEWS == 0)
        restart_phasors(walk);
    else
        turn_phasors(walk);
    walk->place++;
    for (int kind = 0; kind < KANE_IRREGULARITY_KINDS; kind++) {
        double sum[4] = {0.0, 0.0, 0.0, 0.0};
        for (int i = walk->waves->first[kind]; i < walk->waves->first[kind + 1]; i++) {
            sum[0] += walk->value[i] * walk->sine[i];
            sum[1] += walk->slope[i] * walk->cosine[i];
            sum[2] += walk->bend[i] * walk->sine[i];
        }
        kane_rails_add(rails, (kane_irregularity_kind)kind, sum);
    }
}

// === What the kinds of irregularity do to the rails, and the other way round.

const double kane_kind_rails[KANE_IRREGULARITY_KINDS][2][2] = {
    [KANE_LATERAL] = {{1.0, 0.0}, {1.0, 0.0}},       [KANE_VERTICAL] = {{0.0, 1.0}, {0.0, 1.0}},
    [KANE_CROSS_LEVEL] = {{0.0, 0.5}, {0.0, -0.5}},  [KANE_GAUGE] = {{0.5, 0.0}, {-0.5, 0.0}},
    [KANE_LEFT_LATERAL] = {{1.0, 0.0}, {0.0, 0.0}},  [KANE_LEFT_VERTICAL] = {{0.0, 1.0}, {0.0, 0.0}},
    [KANE_RIGHT_LATERAL] = {{0.0, 0.0}, {1.0, 0.0}}, [KANE_RIGHT_VERTICAL] = {{0.0, 0.0}, {0.0, 1.0}},
};

const double kane_kind_measure[KANE_IRREGULARITY_KINDS][2][2] = {
    [KANE_LATERAL] = {{0.5, 0.0}, {0.5, 0.0}},       [KANE_VERTICAL] = {{0.0, 0.5}, {0.0, 0.5}},
    [KANE_CROSS_LEVEL] = {{0.0, 1.0}, {0.0, -1.0}},  [KANE_GAUGE] = {{1.0, 0.0}, {-1.0, 0.0}},
    [KANE_LEFT_LATERAL] = {{1.0, 0.0}, {0.0, 0.0}},  [KANE_LEFT_VERTICAL] = {{0.0, 1.0}, {0.0, 0.0}},
    [KANE_RIGHT_LATERAL] = {{0.0, 0.0}, {1.0, 0.0}}, [KANE_RIGHT_VERTICAL] = {{0.0, 0.0}, {0.0, 1.0}},
};

double kane_irregularity_measure(kane_irregularity_kind kind, const kane_rail_offset *left,
                                 const kane_rail_offset *right)
{
    const double(*m)[2] = kane_kind_measure[kind];
    return m[KANE_LEFT][KANE_OFFSET_Y] * left->y + m[KANE_LEFT][KANE_OFFSET_Z] * left->z +
           m[KANE_RIGHT][KANE_OFFSET_Y] * right->y + m[KANE_RIGHT][KANE_OFFSET_Z] * right->z;
}

// === Spectra of track irregularities and signals that have them.

double kane_spectrum_density(const kane_spectrum *s, double O)
{
    const double O2 = O * O, Oc2 = s->Oc * s->Oc;
    return s->A * Oc2 * O2 / ((O2 + s->Or * s->Or) * (O2 + Oc2) * (O2 + s->Os * s->Os));
}

// ORE B176. Its cross level is the spectrum A_v/b^2 Oc^2 O^2/(...) of an angle; the height over the distance 2b is
// 2b times the angle, so that its spectrum has 4 A_v.
static kane_spectrum ore_spectrum(int high, kane_irregularity_kind kind)
{
    static const double lateral[2] = {2.119e-7, 6.125e-7}, vertical[2] = {4.032e-7, 1.08e-6};
    static const double gauge[2] = {5.32e-8, 1.032e-7}; // m^2 rad/m
    const double Oc = 0.8246, Or = 0.0206, Os = 0.438;  // rad/m

    switch (kind) {
    case KANE_LATERAL: return (kane_spectrum){lateral[high], Oc, Or, 0.0};
    case KANE_VERTICAL: return (kane_spectrum){vertical[high], Oc, Or, 0.0};
    case KANE_CROSS_LEVEL: return (kane_spectrum){4.0 * vertical[high], Oc, Or, Os};
    case KANE_GAUGE: return (kane_spectrum){gauge[high], Oc, Or, Os};
    default: return (kane_spectrum){0.0, Oc, 0.0, 0.0};
    }
}

// FRA line classes: k A Oc^2/(O^2 (O^2 + Oc^2)), k = 1/4; cross level and gauge 4 k A_v Oc^2/((O^2 + Oc^2)(O^2 +
// Os^2)). A in cm^2 rad/m.
static kane_spectrum fra_spectrum(int class, kane_irregularity_kind kind)
{
    static const double vertical[6] = {1.2107, 1.0181, 0.6816, 0.5376, 0.2095, 0.0339};
    static const double lateral[6]  = {3.3634, 1.2107, 0.4128, 0.3027, 0.0762, 0.0339};
    static const double Os[6]       = {0.6046, 0.9308, 0.8520, 1.1312, 0.8209, 0.4380}; // rad/m
    const double Oc = 0.8245, cm2 = 1e-4, k = 0.25;

    switch (kind) {
    case KANE_LATERAL: return (kane_spectrum){k * cm2 * lateral[class - 1], Oc, 0.0, 0.0};
    case KANE_VERTICAL: return (kane_spectrum){k * cm2 * vertical[class - 1], Oc, 0.0, 0.0};
    case KANE_CROSS_LEVEL:
    case KANE_GAUGE: return (kane_spectrum){4.0 * k * cm2 * vertical[class - 1], Oc, 0.0, Os[class - 1]};
    default: return (kane_spectrum){0.0, Oc, 0.0, 0.0};
    }
}

kane_spectrum kane_spectrum_of(kane_spectrum_standard standard, kane_irregularity_kind kind)
{
    if (standard == KANE_ORE_LOW || standard == KANE_ORE_HIGH)
        return ore_spectrum(standard == KANE_ORE_HIGH, kind);
    return fra_spectrum(1 + (int)standard - (int)KANE_FRA_1, kind);
}

// The band is cut into equal parts dO. Each gets a sine of the variance that belongs to it, amplitude sqrt(2 S dO), at
// a place in the part and with a phase that are both random: sines that are not multiples of one wave number never
// repeat.
void kane_spectrum_waves(const kane_spectrum_definition *d, int twin, kane_wave *waves)
{
    const double first = two_pi / d->longest, dO = (two_pi / d->shortest - first) / d->wave_count;
    kane_random r = kane_random_start((uint64_t)d->seed, (uint64_t)d->kind + KANE_IRREGULARITY_KINDS * (uint64_t)twin);

    for (int i = 0; i < d->wave_count; i++) {
        const double O      = first + (i + kane_random_even(&r)) * dO;
        waves[i].wavelength = two_pi / O;
        waves[i].amplitude  = sqrt(2.0 * kane_spectrum_density(&d->spectrum, O) * dO);
        waves[i].phase      = two_pi * kane_random_even(&r);
    }
}

double kane_spectrum_share(const kane_spectrum_definition *d, kane_irregularity_kind kind, double O)
{
    if (!(O >= two_pi / d->longest && O <= two_pi / d->shortest))
        return 0.0;
    double weight = 0.0;
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < 2; axis++)
            weight += kane_kind_measure[kind][side][axis] * kane_kind_rails[d->kind][side][axis];
    return weight * weight * kane_spectrum_density(&d->spectrum, O);
}

// === Measured irregularities: natural cubic splines. Behind an end, where the second derivative is zero, the slope
// goes to zero over `runout` by 1 - 10 t^3 + 15 t^4 - 6 t^5: two continuous derivatives there, too.

static const double runout = 10.0; // [m]

double kane_record_spacing(const kane_record_definition *d)
{
    double least = HUGE_VAL;
    for (int i = 1; i < d->point_count; i++)
        least = fmin(least, d->at[i] - d->at[i - 1]);
    return fmax(least, 0.1 * (d->at[d->point_count - 1] - d->at[0]) / (d->point_count - 1));
}

int kane_record_make(const kane_record_definition *d, double start, kane_record *record, kane_arena *memory)
{
    double *at         = kane_arena_doubles(memory, (size_t)d->point_count);
    kane_cubic *spline = kane_arena_alloc(memory, (size_t)d->point_count, sizeof *spline);
    int *bucket        = kane_arena_alloc(memory, (size_t)d->point_count, sizeof *bucket);
    const int last     = d->point_count - 1;
    if (!at || !spline || !bucket)
        return 0;
    for (int i = 0; i <= last; i++)
        at[i] = d->at[i] - start;
    kane_spline_fit(d->point_count, at, d->value, KANE_SPLINE_NATURAL, spline);
    for (int k = 0, i = 0; k <= last; k++) {
        while (i < last - 1 && at[0] + (at[last] - at[0]) * k / last >= at[i + 1])
            i++;
        bucket[k] = i;
    }
    *record = (kane_record){d->kind, d->point_count, at, spline, last / (at[last] - at[0]), bucket};
    return 1;
}

// The interval that holds s of at[0] .. at[count - 1]. Rounding may name the part beside that of s: one interval more
// on either side is searched.
static int find_interval(const kane_record *r, double s)
{
    const int last = r->count - 1, part = (int)fmin((s - r->at[0]) * r->buckets, last - 1);
    const int low  = r->bucket[part] > 0 ? r->bucket[part] - 1 : 0;
    const int high = r->bucket[part + 1] < last - 1 ? r->bucket[part + 1] + 1 : last - 1;
    return low + kane_spline_find(high - low + 2, r->at + low, s);
}

void kane_record_add(const kane_record *r, double s, kane_rails_point *rails)
{
    const double first = r->at[0], last = r->at[r->count - 1];
    const double inside = s < first ? first : s > last ? last : s, beyond = s - inside;
    const int i = find_interval(r, inside);
    double w[4];
    kane_cubic_eval(&r->spline[i], inside - r->at[i], w);
    if (beyond != 0.0) {
        double step[4];
        const double signed_runout = copysign(runout, beyond), t = fmin(beyond / signed_runout, 1.0), slope = w[1];
        kane_step_eval(t, step);
        w[0] += slope * signed_runout * (t - t * t * t * t * (2.5 + t * (-3.0 + t))); // integral of the slope
        w[1] = slope * (1.0 - step[0]);
        w[2] = -slope * step[1] / signed_runout;
        w[3] = -slope * step[2] / (signed_runout * signed_runout);
    }
    kane_rails_add(rails, r->kind, w);
}
