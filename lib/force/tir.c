// SPDX-License-Identifier: MIT
// Tyre property files: lines of  NAME = VALUE $ what it is,  sections in brackets, tables without names, remarks after $ or !.

#include "force/tir.h"

#include "base/file.h"
#include "base/letter.h"
#include "base/number.h"

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
    const char *file;
    const char *line, *at; // of the text: where the line begins, where reading is
    int number;            // of the line, from 1 on
    kane_tir *tir;
    int seen[ENTRIES]; // line where it was given; 0: not yet
    kane_errors *errors;
} reader;

static kane_place place_of(const reader *r)
{
    return (kane_place){r->file, r->number, (int)(r->at - r->line) + 1, ""};
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static int ends(const reader *r)
{
    return *r->at == '\0' || *r->at == '\n' || *r->at == '\r' || *r->at == '$' || *r->at == '!';
}

static double *member(kane_tir *tir, const entry *e)
{
    return (double *)(void *)((char *)tir + e->offset);
}

// A text in quotes; what is longer than the room is none that anybody knows.
static void read_text(reader *r, char text[NAME_MOST])
{
    int length = 0;
    text[0]    = '\0';
    if (*r->at != '\'' && *r->at != '"')
        return;
    const char quote = *r->at;
    for (const char *c = r->at + 1; *c && *c != '\n' && *c != quote && length < NAME_MOST - 1; c++)
        text[length++] = kane_lower(*c);
    text[length] = '\0';
}

// Units other than those of the SI would be taken for these.
static void check_unit(reader *r, const char *name, const char *const *allowed)
{
    char text[NAME_MOST];
    read_text(r, text);
    for (int i = 0; allowed[i]; i++)
        if (strcmp(text, allowed[i]) == 0)
            return;
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, place_of(r), "%s is '%s'; files in SI units are read: '%s'", name,
                          text, allowed[0]);
}

static void read_word(reader *r, const char *name)
{
    static const char *const lengths[] = {"meter", "m", "metre", NULL}, *const forces[] = {"newton", "n", NULL},
                             *const angles[] = {"radians", "radian", "rad", NULL},
                             *const masses[] = {"kg", "kilogram", NULL}, *const times[] = {"second", "sec", "s", NULL},
                             *const models[] = {"pac2002", NULL};
    static const struct {
        const char *name;
        const char *const *allowed;
    } units[] = {{"LENGTH", lengths}, {"FORCE", forces}, {"ANGLE", angles}, {"MASS", masses}, {"TIME", times}};
    char text[NAME_MOST];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0)
            check_unit(r, name, units[i].allowed);
    read_text(r, text);
    if (strcmp(name, "TYRESIDE") == 0)
        r->tir->on_right = strcmp(text, "right") == 0;
    if (strcmp(name, "PROPERTY_FILE_FORMAT") == 0 && strcmp(text, models[0]) != 0)
        kane_errors_add_input(r->errors, KANE_BAD_INPUT, place_of(r),
                              "is a tyre of the model '%s'; the one that is read is 'PAC2002'", text);
}

static void read_number(reader *r, int which)
{
    const entry *e      = &entries[which];
    const size_t length = kane_number_length(r->at);
    if (r->seen[which]) {
        kane_errors_add_input(r->errors, KANE_BAD_INPUT, place_of(r), "%s is given twice, first in line %d", e->name,
                              r->seen[which]);
        return;
    }
    r->seen[which]     = r->number;
    const double value = length > 0 && length <= KANE_NUMBER_LENGTH ? kane_number_value(r->at, length, 0) : (double)NAN;
    const char *begin  = r->at;
    r->at += length;
    skip_blanks(r);
    if (!isfinite(value) || !ends(r)) {
        r->at = begin;
        kane_errors_add_input(r->errors, KANE_BAD_INPUT, place_of(r), "%s needs a number", e->name);
        return;
    }
    *member(r->tir, e) = value;
}

// NAME = VALUE; lines of tables and sections have no "=".
static void read_line(reader *r)
{
    char name[NAME_MOST];
    int length = 0;
    skip_blanks(r);
    for (; (kane_is_letter_or_digit(*r->at) || *r->at == '_') && length < NAME_MOST - 1; r->at++)
        name[length++] = *r->at;
    name[length] = '\0';
    skip_blanks(r);
    if (length == 0 || *r->at != '=')
        return;
    r->at++;
    skip_blanks(r);
    for (int i = 0; i < ENTRIES; i++)
        if (strcmp(name, entries[i].name) == 0) {
            read_number(r, i);
            return;
        }
    read_word(r, name);
}

static void check(reader *r)
{
    static const char *const positive[] = {
        "UNLOADED_RADIUS", "VERTICAL_STIFFNESS", "FNOMIN", "LFZO", "VXLOW", "PTX1", "PTY1", "PTY2", "PCX1", "PCY1"};
    for (int i = 0; i < ENTRIES; i++) {
        const kane_place whole = {r->file, r->seen[i], 0, ""};
        const double value     = *member(r->tir, &entries[i]);
        if (!r->seen[i] && entries[i].presence == REQUIRED)
            kane_errors_add_input(r->errors, KANE_BAD_INPUT, (kane_place){r->file, 0, 0, ""},
                                  "has no %s, which a tyre of the model PAC2002 needs", entries[i].name);
        for (size_t k = 0; k < sizeof positive / sizeof *positive && r->seen[i]; k++)
            if (strcmp(entries[i].name, positive[k]) == 0 && !(value > 0.0))
                kane_errors_add_input(r->errors, KANE_BAD_INPUT, whole, "%s is %g; must be positive", entries[i].name,
                                      value);
        if (strcmp(entries[i].name, "VERTICAL_DAMPING") == 0 && value < 0.0)
            kane_errors_add_input(r->errors, KANE_BAD_INPUT, whole, "%s is %g; must not be negative", entries[i].name,
                                  value);
    }
}

int kane_tir_read(const char *file, kane_arena *arena, kane_tir *tir, kane_errors *errors)
{
    const int before = errors->count;
    const char *text = kane_file_read(arena, file, NULL, errors);
    reader r         = {.file = file, .line = text, .tir = tir, .errors = errors};
    *tir             = (kane_tir){0};
    for (int i = 0; i < ENTRIES; i++)
        *member(tir, &entries[i]) = entries[i].otherwise;
    if (!text)
        return 0;
    while (r.line) {
        r.number++;
        r.at = r.line;
        read_line(&r);
        const char *end = strchr(r.line, '\n');
        r.line          = end ? end + 1 : NULL;
    }
    check(&r);
    tir->is_combined = tir->RBX1 != 0.0 && tir->RCX1 != 0.0 && tir->RBY1 != 0.0 && tir->RCY1 != 0.0;
    return errors->count == before;
}
