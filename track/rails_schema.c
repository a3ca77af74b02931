// SPDX-License-Identifier: MIT
// The keys of a track file that say how the rails are: irregularities and changes of friction.

#include "track/track_file.h"

#define KINDS                                                                                                          \
    "lateral", "vertical", "cross_level", "gauge", "left_lateral", "left_vertical", "right_lateral", "right_vertical"

const char *const kane_irregularity_names[] = {KINDS, NULL};

static const char *const kinds_of_spectra[] = {"all", KINDS, NULL};
static const char *const standards[]        = {"user",  "ore_low", "ore_high", "fra_1", "fra_2",
                                               "fra_3", "fra_4",   "fra_5",    "fra_6", NULL};
static const char *const shapes[]           = {"cosine", "ramp", "cusp", "jog", NULL};
static const char *const rails[]            = {"left", "right", "both", NULL};

static const char *const lateral_signs[]     = {"left", "right", "outside", "inside", NULL};
static const char *const vertical_signs[]    = {"up", "down", NULL};
static const char *const cross_level_signs[] = {"left_rail", "right_rail", NULL};

static const kane_key sine_keys[] = {
    KANE_KEY(
        kane_sine_input, kind, CHOICE, REQUIRED, NULL, NULL, ANY, kane_irregularity_names,
        "lateral, vertical: both rails alike; cross_level: one up, one down; gauge: apart; others: one rail alone"),
    KANE_KEY(kane_sine_input, amplitude, NUMBER, REQUIRED, NULL, "m", ANY, NULL,
             "largest displacement; of cross_level and gauge: largest change of the difference"),
    KANE_KEY(kane_sine_input, wavelength, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL,
             "length of one wave along the line"),
    KANE_KEY(kane_sine_input, phase, NUMBER, OPTIONAL, "0 rad", "rad", ANY, NULL, "phase at chainage 0"),
};

static const kane_key spectrum_keys[] = {
    KANE_KEY(kane_spectrum_input, standard, CHOICE, OPTIONAL, "user", NULL, ANY, standards,
             "ORE B176 low or high, FRA line classes 1 to 6; \"user\": by roughness and corners (formats.md)"),
    KANE_KEY(kane_spectrum_input, kind, CHOICE, OPTIONAL, "all", NULL, ANY, kinds_of_spectra,
             "what is random; \"all\": lateral, vertical, cross_level and gauge of the standard"),
    KANE_KEY(kane_spectrum_input, roughness, NUMBER, OPTIONAL, NULL, "m^2 rad/m", POSITIVE, NULL,
             "A of a user-defined spectrum"),
    KANE_KEY(kane_spectrum_input, corner, NUMBER, OPTIONAL, NULL, "rad/m", POSITIVE, NULL,
             "Oc of a user-defined spectrum"),
    KANE_KEY(kane_spectrum_input, low_corner, NUMBER, OPTIONAL, "0 rad/m", "rad/m", NOT_NEGATIVE, NULL,
             "Or of a user-defined spectrum"),
    KANE_KEY(kane_spectrum_input, cross_corner, NUMBER, OPTIONAL, "0 rad/m", "rad/m", NOT_NEGATIVE, NULL,
             "Os of a user-defined spectrum"),
    KANE_KEY_NAMED(kane_spectrum_input, shortest, "min_wavelength", NUMBER, OPTIONAL, "3 m", "m", POSITIVE, NULL,
                   "shortest wavelength"),
    KANE_KEY_NAMED(kane_spectrum_input, longest, "max_wavelength", NUMBER, OPTIONAL, "100 m", "m", POSITIVE, NULL,
                   "longest wavelength"),
    KANE_KEY(kane_spectrum_input, scale, NUMBER, OPTIONAL, "1", "1", POSITIVE, NULL, "factor of all displacements"),
    KANE_KEY(kane_spectrum_input, waves, COUNT, OPTIONAL, "1000", NULL, POSITIVE, NULL,
             "sines of which each kind is made"),
    KANE_KEY(kane_spectrum_input, seed, COUNT, REQUIRED, NULL, NULL, NOT_NEGATIVE, NULL,
             "another number gives other rails, the same one the same"),
};

#define COLUMN(kind, name, what)                                                                                       \
    KANE_KEY_NAMED(kane_record_columns_input, kinds[kind], name, TEXT, OPTIONAL, NULL, NULL, ANY, NULL, what)

static const kane_key record_columns_keys[] = {
    KANE_KEY(kane_record_columns_input, chainage, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "name of its column and its unit, \"km [km]\"; the unit may stand in the file instead"),
    COLUMN(KANE_LATERAL, "lateral", "mean of both rails' alignment, likewise"),
    COLUMN(KANE_VERTICAL, "vertical", "mean of both rails' height"),
    COLUMN(KANE_CROSS_LEVEL, "cross_level", "one rail over the other"),
    COLUMN(KANE_GAUGE, "gauge", "widening, or the gauge itself with \"nominal_gauge\""),
    COLUMN(KANE_LEFT_LATERAL, "left_lateral", "alignment of the left rail"),
    COLUMN(KANE_LEFT_VERTICAL, "left_vertical", "height of the left rail"),
    COLUMN(KANE_RIGHT_LATERAL, "right_lateral", "alignment of the right rail"),
    COLUMN(KANE_RIGHT_VERTICAL, "right_vertical", "height of the right rail"),
};

static const kane_schema record_columns_schema =
    KANE_SCHEMA(kane_record_columns_input, "columns of irregularities", record_columns_keys,
                "Which columns of a file are what; others are left out.");

static const kane_key record_keys[] = {
    KANE_KEY(kane_record_input, file, TEXT, REQUIRED, NULL, NULL, ANY, NULL,
             "columns with a line of names (chainage, and kinds of irregularity), one of units, then numbers; relative "
             "to this file"),
    KANE_KEY(kane_record_input, scale, NUMBER, OPTIONAL, "1", "1", ANY, NULL, "factor of all displacements"),
    KANE_KEY(kane_record_input, ignore, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL, "names of columns that are left out"),
    KANE_KEY(kane_record_input, columns, OBJECT, OPTIONAL, NULL, NULL, ANY, &record_columns_schema,
             "of a file with other names than libkane's: which columns are what"),
    KANE_KEY(kane_record_input, from, NUMBER, OPTIONAL, NULL, "m", ANY, NULL,
             "of a file without chainage: that of its first point"),
    KANE_KEY(kane_record_input, step, NUMBER, OPTIONAL, NULL, "m", POSITIVE, NULL, "likewise: from point to point"),
    KANE_KEY(kane_record_input, lateral_positive, CHOICE, OPTIONAL, "left", NULL, ANY, lateral_signs,
             "where alignment counts to; outside, inside: of rails one by one"),
    KANE_KEY(kane_record_input, vertical_positive, CHOICE, OPTIONAL, "up", NULL, ANY, vertical_signs,
             "where heights count to"),
    KANE_KEY(kane_record_input, cross_level_positive, CHOICE, OPTIONAL, "left_rail", NULL, ANY, cross_level_signs,
             "the rail that is higher where it is positive"),
    KANE_KEY(kane_record_input, nominal_gauge, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "what is taken off the gauge"),
    KANE_KEY_NAMED(kane_record_input, shortest, "min_wavelength", NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
                   "wavelength of which half is kept, shorter waves are taken off; 0: none (formats.md)"),
    KANE_KEY_NAMED(kane_record_input, longest, "max_wavelength", NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
                   "wavelength of which half is kept, longer waves are taken off; 0: none"),
};

static const kane_key defect_keys[] = {
    KANE_KEY(kane_defect_input, kind, CHOICE, REQUIRED, NULL, NULL, ANY, kane_irregularity_names, "as of a sine"),
    KANE_KEY(kane_defect_input, shape, CHOICE, REQUIRED, NULL, NULL, ANY, shapes,
             "cosine: a bump or dip (1 - cos); ramp, jog: a step; cusp: a dipped joint (formats.md)"),
    KANE_KEY(kane_defect_input, at, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "chainage of its middle"),
    KANE_KEY(kane_defect_input, length, NUMBER, REQUIRED, NULL, "m", POSITIVE, NULL,
             "of the whole cosine or ramp; over which a cusp falls to 1/e; of the middle part of a jog"),
    KANE_KEY(kane_defect_input, height, NUMBER, REQUIRED, NULL, "m", ANY, NULL,
             "negative: a dip, to the right, closer"),
};

static const kane_key fade_keys[] = {
    KANE_KEY(kane_fade_input, from, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "up to this chainage the rails are smooth"),
    KANE_KEY(kane_fade_input, length, NUMBER, REQUIRED, NULL, "m", NOT_NEGATIVE, NULL,
             "over this length irregularities grow to their full size"),
};

static const kane_schema sine_schema = KANE_SCHEMA(kane_sine_input, "sine", sine_keys, "A sinusoidal irregularity.");
static const kane_schema spectrum_schema = KANE_SCHEMA(kane_spectrum_input, "spectrum", spectrum_keys,
                                                       "Random irregularities by their power spectral density.");
static const kane_schema record_schema =
    KANE_SCHEMA(kane_record_input, "measured irregularities", record_keys, "Irregularities from a file.");
static const kane_schema defect_schema = KANE_SCHEMA(kane_defect_input, "defect", defect_keys, "A single defect.");
static const kane_schema fade_schema =
    KANE_SCHEMA(kane_fade_input, "fade-in", fade_keys, "Where irregularities begin, so that a run starts smoothly.");

static const kane_key irregularities_keys[] = {
    KANE_KEY(kane_irregularities_input, sines, LIST, OPTIONAL, NULL, NULL, ANY, &sine_schema,
             "all irregularities are added up"),
    KANE_KEY(kane_irregularities_input, spectra, LIST, OPTIONAL, NULL, NULL, ANY, &spectrum_schema, "random ones"),
    KANE_KEY(kane_irregularities_input, files, LIST, OPTIONAL, NULL, NULL, ANY, &record_schema, "measured ones"),
    KANE_KEY(kane_irregularities_input, defects, LIST, OPTIONAL, NULL, NULL, ANY, &defect_schema, "single ones"),
    KANE_KEY(kane_irregularities_input, fade_in, OBJECT, OPTIONAL, NULL, NULL, ANY, &fade_schema, "where they begin"),
};

const kane_schema kane_irregularities_schema = KANE_SCHEMA(
    kane_irregularities_input, "irregularities", irregularities_keys, "How far the rails are from their ideal place.");

static const kane_key friction_keys[] = {
    KANE_KEY(kane_friction_input, from, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "chainage where it begins"),
    KANE_KEY(kane_friction_input, to, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "chainage where it ends"),
    KANE_KEY(kane_friction_input, rail, CHOICE, OPTIONAL, "both", NULL, ANY, rails, "the rail"),
    KANE_KEY(kane_friction_input, friction, NUMBER, REQUIRED, NULL, "1", NOT_NEGATIVE, NULL,
             "coefficient of friction between these places"),
    KANE_KEY(kane_friction_input, over, NUMBER, OPTIONAL, "1 m", "m", POSITIVE, NULL,
             "length of the transition around either place"),
};

static const char *const lies[] = {"at_gauge", "as_drawn", NULL};

static const kane_key profile_change_keys[] = {
    KANE_KEY(kane_profile_change_input, from, NUMBER, REQUIRED, NULL, "m", ANY, NULL,
             "chainage where it begins; of \"slices\" that of the position 0 of their file"),
    KANE_KEY(
        kane_profile_change_input, over, NUMBER, OPTIONAL, "1 m", "m", POSITIVE, NULL,
        "length over which the rail goes over to this profile, which it keeps behind; of \"slices\" the length before the "
        "first"),
    KANE_KEY(kane_profile_change_input, rail, CHOICE, OPTIONAL, "both", NULL, ANY, rails, "the rail"),
    KANE_KEY(kane_profile_change_input, profile, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
             "\"60E1\", \"round\", or a name in \"profiles\""),
    KANE_KEY(
        kane_profile_change_input, slices, TEXT, OPTIONAL, NULL, NULL, ANY, NULL,
        "instead: a file of CONTACT's with slices of a switch or crossing (.slcs), relative to this file (formats.md)"),
    KANE_KEY(kane_profile_change_input, unit, CHOICE, OPTIONAL, NULL, NULL, ANY, kane_profile_units,
             "of \"slices\": of the lengths in their files; a SIMPACK file says it itself"),
    KANE_KEY(kane_profile_change_input, smoothing, NUMBER, OPTIONAL, "0 m", "m", NOT_NEGATIVE, NULL,
             "of \"slices\": rms distance of the smooth curves from their points that is allowed"),
    KANE_KEY(
        kane_profile_change_input, lies, CHOICE, OPTIONAL, "at_gauge", NULL, ANY, lies,
        "at_gauge: its top and its gauge face lie where those of the rail's own profile do; as_drawn: its drawing lies on that "
        "of the rail's own profile"),
};

const kane_schema kane_profile_change_schema =
    KANE_SCHEMA(kane_profile_change_input, "change of profile", profile_change_keys,
                "From here on a rail has another profile: switches, crossings, worn rails. Tables refuse it.");

static const kane_key check_rail_keys[] = {
    KANE_KEY(kane_check_rail_input, from, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "chainage where it begins"),
    KANE_KEY(kane_check_rail_input, to, NUMBER, REQUIRED, NULL, "m", ANY, NULL, "chainage where it ends"),
    KANE_KEY(kane_check_rail_input, rail, CHOICE, OPTIONAL, "both", NULL, ANY, rails,
             "the running rail beside which it lies"),
    KANE_KEY(kane_check_rail_input, flangeway, NUMBER, OPTIONAL, "41 mm", "m", POSITIVE, NULL,
             "distance of its face from the gauge face of the rail's own profile"),
    KANE_KEY(kane_check_rail_input, opening, NUMBER, OPTIONAL, "80 mm", "m", POSITIVE, NULL, "the same at its ends"),
    KANE_KEY(kane_check_rail_input, flare, NUMBER, OPTIONAL, "1 m", "m", POSITIVE, NULL,
             "length over which it opens at either end"),
    KANE_KEY(kane_check_rail_input, height, NUMBER, OPTIONAL, "20 mm", "m", NOT_NEGATIVE, NULL,
             "of its top over that of the running rail"),
    KANE_KEY(kane_check_rail_input, stiffness, NUMBER, OPTIONAL, "50 MN/m", "N/m", POSITIVE, NULL, "lateral"),
    KANE_KEY(kane_check_rail_input, onset, NUMBER, OPTIONAL, "0.1 mm", "m", POSITIVE, NULL,
             "penetration over which the stiffness sets in"),
    KANE_KEY(kane_check_rail_input, damping, NUMBER, OPTIONAL, "50 kN s/m", "N s/m", NOT_NEGATIVE, NULL,
             "lateral; it sets in with the stiffness and never makes it pull"),
    KANE_KEY(kane_check_rail_input, friction, NUMBER, OPTIONAL, "0.3", "1", NOT_NEGATIVE, NULL,
             "coefficient of friction of flange backs on its face"),
};

const kane_schema kane_check_rail_schema = KANE_SCHEMA(
    kane_check_rail_input, "check rail", check_rail_keys,
    "A rail beside a running rail that guides the backs of flanges. It acts on wheels in elastic contact only.");

const kane_schema kane_friction_schema =
    KANE_SCHEMA(kane_friction_input, "change of friction", friction_keys, "A part of the line with another friction.");
