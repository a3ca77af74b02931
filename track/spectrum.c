// SPDX-License-Identifier: MIT
// Spectra of track irregularities and signals that have them.

#include "track/spectrum.h"

#include "math/random.h"
#include "track/kinds.h"

static const double two_pi = 6.283185307179586477;

double kane_spectrum_density(const kane_spectrum *s, double O)
{
    const double O2 = O * O, Oc2 = s->Oc * s->Oc;
    return s->A * Oc2 * O2 / ((O2 + s->Or * s->Or) * (O2 + Oc2) * (O2 + s->Os * s->Os));
}

// ORE B176. Its cross level is the spectrum A_v/b^2 Oc^2 O^2/(...) of an angle; the height over the distance 2b is
// 2b times the angle, so that its spectrum has 4 A_v.
static kane_spectrum ore(int high, kane_irregularity_kind kind)
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

// FRA line classes: k A Oc^2/(O^2 (O^2 + Oc^2)), k = 1/4; cross level and gauge 4 k A_v Oc^2/((O^2 + Oc^2)(O^2 + Os^2)).
// A in cm^2 rad/m.
static kane_spectrum fra(int class, kane_irregularity_kind kind)
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
        return ore(standard == KANE_ORE_HIGH, kind);
    return fra(1 + (int)standard - (int)KANE_FRA_1, kind);
}

// The band is cut into equal parts dO. Each gets a sine of the variance that belongs to it, amplitude sqrt(2 S dO), at a
// place in the part and with a phase that are both random: sines that are not multiples of one wave number never repeat.
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
