// SPDX-License-Identifier: MIT
// Tyre property files: lines of  NAME = VALUE $ what it is,  sections in brackets, tables without names, remarks after
// $ or !.

#include "force/magic.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

typedef enum presence { OPTIONAL, REQUIRED } presence;

typedef struct entry {
    const char *name;
    double otherwise;
    presence presence;
    size_t offset;
} entry;

static const entry entries[] = {
#define ENTRY(name, otherwise, presence) {#name, otherwise, presence, offsetof(kane_tir, name)},
    KANE_TIR_NUMBERS(ENTRY)
#undef ENTRY
};

enum { ENTRIES = sizeof entries / sizeof *entries, NAME_MOST = 64 };

typedef struct reader {
    kane_lines lines;
    const char *at; // where the value of the present line begins
    kane_tir *tir;
    int has_units;     // 1: in [UNITS], or before the first section
    int seen[ENTRIES]; // line where it was given; 0: not yet
} reader;

static double *parameter_of(kane_tir *tir, const entry *e)
{
    return (double *)(void *)((char *)tir + e->offset);
}

// The value as a text in quotes, or a word without them; what is longer than the room is cut and is then no known word.
static void read_text(const reader *r, char text[NAME_MOST])
{
    const int quoted   = *r->at == '\'' || *r->at == '"';
    const char *from   = r->at + quoted;
    const char stop[3] = {quoted ? *r->at : ' ', quoted ? '\0' : '\t', '\0'};
    int length         = 0;
    while (from + length < r->lines.end && !strchr(stop, from[length]) && length < NAME_MOST - 1) {
        text[length] = kane_lower(from[length]);
        length++;
    }
    text[length] = '\0';
}

// The value as a number; otherwise not a number.
static double read_value(const reader *r)
{
    double value;
    return kane_number_parse(r->at, (size_t)(r->lines.end - r->at), 0, &value) ? value : (double)NAN;
}

// Units other than those of the SI would be taken for these.
static void check_unit(reader *r, const char *name, const char *const *allowed)
{
    char text[NAME_MOST];
    read_text(r, text);
    for (int i = 0; allowed[i]; i++)
        if (strcmp(text, allowed[i]) == 0)
            return;
    (void)kane_lines_fault(&r->lines, r->at, "%s is '%s'; files in SI units are read: '%s'", name, text, allowed[0]);
}

// Units are those of the section [UNITS], or of a file without sections: MASS of [INERTIA] is a number.
static void read_unit(reader *r, const char *name)
{
    static const char *const lengths[] = {"meter", "m", "metre", NULL}, *const forces[] = {"newton", "n", NULL},
                             *const angles[] = {"radians", "radian", "rad", NULL},
                             *const masses[] = {"kg", "kilogram", NULL}, *const times[] = {"second", "sec", "s", NULL};
    static const struct {
        const char *name;
        const char *const *allowed;
    } units[] = {{"LENGTH", lengths}, {"FORCE", forces}, {"ANGLE", angles}, {"MASS", masses}, {"TIME", times}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0)
            check_unit(r, name, units[i].allowed);
}

// The number of the model after MF-Tyre: 5 to 52 are those that PAC2002 equals. 60 to 62 have other formulas.
static void check_fit(reader *r)
{
    static const int same[] = {5, 6, 21, 51, 52};
    const double fit        = read_value(r);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (fit == same[i])
            return;
    (void)kane_lines_fault(
        &r->lines, r->at,
        "FITTYP says a tyre of another model than PAC2002, which is read (FITTYP 5, 6, 21, 51 or 52)");
}

// Last digit: which forces; digits before it: relaxation and the road, which this law has at any number.
static void read_mode(reader *r)
{
    const double mode = read_value(r), last = fmod(mode, 10.0);
    if (mode >= 0.0 && mode < 1000.0 && (last == 0.0 || last == 1.0 || last == 2.0 || last == 3.0 || last == 4.0))
        r->tir->forces = (int)last;
    else
        (void)kane_lines_fault(&r->lines, r->at,
                               "USE_MODE must end with 0 (load alone), 1 (longitudinal), 2 (lateral), 3 (pure slip) or "
                               "4 (combined slip; turn slip is not known)");
}

static void read_side(reader *r)
{
    char text[NAME_MOST];
    read_text(r, text);
    r->tir->on_right = strcmp(text, "right") == 0;
    if (!r->tir->on_right && strcmp(text, "left") != 0)
        (void)kane_lines_fault(&r->lines, r->at,
                               "TYRESIDE is '%s'; must be 'LEFT' or 'RIGHT', the side on which the tyre was measured",
                               text);
}

static void read_word(reader *r, const char *name)
{
    char text[NAME_MOST];
    if (r->has_units)
        read_unit(r, name);
    if (strcmp(name, "FITTYP") == 0)
        check_fit(r);
    if (strcmp(name, "USE_MODE") == 0)
        read_mode(r);
    if (strcmp(name, "TYRESIDE") == 0)
        read_side(r);
    if (strcmp(name, "PROPERTY_FILE_FORMAT") != 0)
        return;
    read_text(r, text);
    if (strcmp(text, "pac2002") != 0)
        (void)kane_lines_fault(&r->lines, r->at, "is a tyre of the model '%s'; the one that is read is 'PAC2002'",
                               text);
}

static void read_number(reader *r, int which)
{
    const entry *e = &entries[which];
    if (r->seen[which]) {
        (void)kane_lines_fault(&r->lines, r->at, "%s is given twice, first in line %d", e->name, r->seen[which]);
        return;
    }
    r->seen[which]     = r->lines.line;
    const double value = read_value(r);
    if (!isfinite(value)) {
        (void)kane_lines_fault(&r->lines, r->at, "%s needs a number", e->name);
        return;
    }
    *parameter_of(r->tir, e) = value;
}

// NAME = VALUE; lines of tables and sections have no "=". Of sections only [UNITS] is read.
static void read_line(reader *r)
{
    char name[NAME_MOST];
    if (*r->lines.begin == '[')
        r->has_units = strncmp(r->lines.begin, "[UNITS]", 7) == 0;
    r->at = kane_lines_setting(&r->lines, sizeof name, name, NULL);
    for (int i = 0; r->at && i < ENTRIES; i++)
        if (strcmp(name, entries[i].name) == 0) {
            read_number(r, i);
            return;
        }
    if (r->at)
        read_word(r, name);
}

// Errors for required parameters that are missing, and for those with a sign that the model does not allow.
static void check_parameters(reader *r)
{
    static const char *const positive[] = {
        "UNLOADED_RADIUS", "VERTICAL_STIFFNESS", "FNOMIN", "LFZO", "VXLOW", "PTX1", "PTY1", "PTY2", "PCX1", "PCY1"};
    for (int i = 0; i < ENTRIES; i++) {
        const kane_place whole = {r->lines.file, r->seen[i], 0, ""};
        const double value     = *parameter_of(r->tir, &entries[i]);
        if (!r->seen[i] && entries[i].presence == REQUIRED)
            kane_errors_add_input(r->lines.errors, KANE_BAD_INPUT, (kane_place){r->lines.file, 0, 0, ""},
                                  "has no %s, which a tyre of the model PAC2002 needs", entries[i].name);
        for (size_t k = 0; k < sizeof positive / sizeof *positive && r->seen[i]; k++)
            if (strcmp(entries[i].name, positive[k]) == 0 && !(value > 0.0))
                kane_errors_add_input(r->lines.errors, KANE_BAD_INPUT, whole, "%s is %g; must be positive",
                                      entries[i].name, value);
        if (strcmp(entries[i].name, "VERTICAL_DAMPING") == 0 && value < 0.0)
            kane_errors_add_input(r->lines.errors, KANE_BAD_INPUT, whole, "%s is %g; must not be negative",
                                  entries[i].name, value);
    }
}

int kane_tir_read(const char *file, kane_arena *arena, kane_tir *tir, kane_errors *errors)
{
    const int before = errors->count;
    const char *text = kane_file_read(arena, file, NULL, errors);
    reader r         = {.lines = {.file = file, .at = text, .errors = errors}, .tir = tir, .has_units = 1};
    *tir             = (kane_tir){.forces = 4};
    for (int i = 0; i < ENTRIES; i++)
        *parameter_of(tir, &entries[i]) = entries[i].otherwise;
    if (!text)
        return 0;
    while (kane_lines_next(&r.lines, "$!"))
        read_line(&r);
    check_parameters(&r);
    tir->is_combined = tir->RBX1 != 0.0 && tir->RCX1 != 0.0 && tir->RBY1 != 0.0 && tir->RCY1 != 0.0;
    return errors->count == before;
}
