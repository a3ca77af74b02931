// SPDX-License-Identifier: MIT
// Lines of a journal. A line ends with a checksum of what stands before it and of the plan; a line whose checksum is right
// was written as a whole by one of the functions here, so that it is read as they write it.

#include "plan/line.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/text.h"
#include "base/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char CHECK[] = ", \"check\": \"";
enum { CHECK_LENGTH = sizeof CHECK - 1, HASH_LENGTH = 16, TAIL_LENGTH = CHECK_LENGTH + HASH_LENGTH + 2 };

// --- writing ---

static void write_value(FILE *out, double value)
{
    char text[KANE_NUMBER_SIZE];
    kane_number_format(value, text);
    (void)fprintf(out, isfinite(value) ? "%s" : "\"%s\"", text);
}

static void write_literal(FILE *out, const char *text)
{
    kane_writer w = kane_writer_start(out);
    kane_writer_text(&w, NULL, text);
}

// Adds the checksum to a line that stands in a memory stream, and closes it.
static char *seal(FILE *out, uint64_t key, char **text, size_t *length)
{
    if (fflush(out) == 0)
        (void)fprintf(out, "%s%016" PRIx64 "\"}\n", CHECK, kane_hash_text(*text, *length, key));
    const int failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return *text;
    free(*text);
    return NULL;
}

char *kane_line_of_case(uint64_t key, int index, const kane_case *c, int value_count, size_t *length)
{
    char *text = NULL;
    FILE *out  = open_memstream(&text, length);
    if (!out)
        return NULL;
    (void)fprintf(out, "{\"case\": %d, \"state\": \"%s\", \"values\": [", index + 1,
                  c->state == KANE_CASE_DONE ? "done" : "failed");
    for (int i = 0; i < value_count; i++) {
        (void)fputs(i > 0 ? ", " : "", out);
        write_value(out, c->values[i]);
    }
    (void)fputs("], \"why\": ", out);
    write_literal(out, c->why);
    return seal(out, key, &text, length);
}

char *kane_line_of_beginning(uint64_t key, const kane_claimant *writing, size_t *length)
{
    char *text = NULL;
    FILE *out  = open_memstream(&text, length);
    if (!out)
        return NULL;
    (void)fprintf(out, "{\"begin\": \"%s\", \"host\": \"%s\", \"process\": %ld", writing->when, writing->host,
                  writing->process);
    return seal(out, key, &text, length);
}

// --- reading ---

static int is_whole(uint64_t key, const char *line, size_t length)
{
    char hash[HASH_LENGTH + 1];
    if (length <= TAIL_LENGTH)
        return 0;
    const char *tail = line + length - TAIL_LENGTH;
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, kane_hash_text(line, length - TAIL_LENGTH, key));
    return memcmp(tail, CHECK, CHECK_LENGTH) == 0 && memcmp(tail + CHECK_LENGTH, hash, HASH_LENGTH) == 0 &&
           memcmp(tail + CHECK_LENGTH + HASH_LENGTH, "\"}", 2) == 0;
}

// Goes on behind what must stand here; NULL if it does not.
static const char *pass(const char *at, const char *expected)
{
    const size_t length = strlen(expected);
    return at && strncmp(at, expected, length) == 0 ? at + length : NULL;
}

static const char *read_value(const char *at, double *value)
{
    static const struct {
        const char *text;
        double value;
    } words[] = {{"\"nan\"", (double)NAN}, {"\"inf\"", (double)INFINITY}, {"\"-inf\"", -(double)INFINITY}};
    for (int i = 0; at && i < 3; i++) {
        *value = words[i].value;
        if (pass(at, words[i].text))
            return pass(at, words[i].text);
    }
    const size_t length = at ? kane_number_length(at) : 0;
    if (length == 0 || length > KANE_NUMBER_LENGTH)
        return NULL;
    *value = kane_number_value(at, length, 0);
    return at + length;
}

static const char *read_why(const char *at, const char *end, char why[KANE_CASE_WHY])
{
    char text[4 * KANE_CASE_WHY]; // what is not UTF-8 has become longer
    const size_t length = at ? kane_scan_literal(at, (size_t)(end - at)) : 0;
    if (length == 0 || kane_json_literal(at, length, sizeof text, text) != KANE_OK)
        return NULL;
    kane_text_copy(KANE_CASE_WHY, why, text);
    return at + length;
}

static kane_line_kind read_case(const char *at, const char *line_end, int case_count, int value_count, int *index,
                                kane_case *c)
{
    char *end;
    const long number = strtol(at, &end, 10);
    if (end == at || number < 1 || number > case_count)
        return KANE_LINE_TORN;
    *index           = (int)number - 1;
    at               = pass(end, ", \"state\": ");
    const char *done = pass(at, "\"done\"");
    c->state         = done ? KANE_CASE_DONE : KANE_CASE_FAILED;
    at               = pass(done ? done : pass(at, "\"failed\""), ", \"values\": [");
    for (int i = 0; i < value_count; i++)
        at = read_value(i > 0 ? pass(at, ", ") : at, &c->values[i]);
    at = read_why(pass(at, "], \"why\": "), line_end, c->why);
    return pass(at, CHECK) ? KANE_LINE_CASE : KANE_LINE_TORN;
}

static kane_line_kind read_beginning(const char *at, kane_claimant *w)
{
    *w = (kane_claimant){.process = 0};
    if (sscanf(at, "\"%31[^\"]\"", w->when) != 1 || !(at = strstr(at, "\"host\": ")))
        return KANE_LINE_TORN;
    if (sscanf(at, "\"host\": \"%63[^\"]\"", w->host) != 1)
        w->host[0] = '\0';
    at = strstr(at, "\"process\": ");
    return at && sscanf(at, "\"process\": %ld", &w->process) == 1 ? KANE_LINE_BEGIN : KANE_LINE_TORN;
}

kane_line_kind kane_line_read(uint64_t key, const char *line, size_t length, int case_count, int value_count,
                              int *index, kane_case *c, kane_claimant *writing)
{
    if (!is_whole(key, line, length))
        return KANE_LINE_TORN;
    const char *at = pass(line, "{\"case\": ");
    if (at)
        return read_case(at, line + length, case_count, value_count, index, c);
    at = pass(line, "{\"begin\": ");
    return at ? read_beginning(at, writing) : KANE_LINE_TORN;
}
