// SPDX-License-Identifier: MIT
// Single values of a key.

#include "base/document.h"

#include "base/unit.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MESSAGE = sizeof((kane_error *)0)->text };

// --- errors ---

static int same_error(const kane_error *a, const kane_error *b)
{
    return a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0 &&
           strcmp(a->path, b->path) == 0 && strcmp(a->text, b->text) == 0;
}

static void report_list(kane_reader *reader, kane_place place, const char *format, va_list arguments)
{
    kane_errors *errors = reader->errors;
    char buffer[MESSAGE];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add_list(&text, format, arguments);

    reader->fault_count++;
    kane_errors_add_input(errors, KANE_BAD_INPUT, place, "%s", buffer);
    const int last = errors->count - 1;
    for (int i = 0; i < last && last < errors->kept; i++)
        if (same_error(kane_errors_get(errors, i), kane_errors_get(errors, last))) {
            kane_errors_truncate(errors, last);
            return;
        }
}

void kane_reader_report(kane_reader *reader, kane_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_list(reader, place, format, arguments);
    va_end(arguments);
}

void kane_reader_fault(kane_reader *reader, const kane_block *block, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_list(reader, kane_block_place(block, key, -1), format, arguments);
    va_end(arguments);
}

void kane_reader_forbid(kane_reader *reader, const kane_block *block, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (kane_block_has(block, key))
        report_list(reader, kane_block_place(block, key, -1), format, arguments);
    va_end(arguments);
}

void kane_reader_no_memory(kane_reader *reader, kane_place place)
{
    if (!reader->no_memory)
        kane_errors_add_input(reader->errors, KANE_NO_MEMORY, place, "out of memory");
    reader->no_memory = 1;
    reader->fault_count++;
}

kane_status kane_reader_status(const kane_reader *reader)
{
    return reader->no_memory ? KANE_NO_MEMORY : reader->fault_count > 0 ? KANE_BAD_INPUT : KANE_OK;
}

void kane_reader_wrong_kind(kane_reader *reader, const kane_node *node, const char *expected)
{
    char buffer[MESSAGE];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&text, "found ");
    kane_node_describe(&text, node);
    kane_text_add(&text, ", expected %s", expected);
    kane_reader_report(reader, node->place, "%s", buffer);
}

int kane_reader_is_note(const kane_node *node)
{
    if (strcmp(node->key, "note") != 0)
        return 0;
    if (node->kind == KANE_NODE_TEXT)
        return 1;
    int texts = node->kind == KANE_NODE_LIST;
    for (const kane_node *c = node->child; c && texts; c = c->next)
        texts = c->kind == KANE_NODE_TEXT;
    return texts;
}

// --- numbers ---

static int in_range(double value, kane_range range)
{
    switch (range) {
    case KANE_ANY: return 1;
    case KANE_POSITIVE: return value > 0.0;
    case KANE_NOT_NEGATIVE: return value >= 0.0;
    case KANE_FRACTION: return value >= 0.0 && value <= 1.0;
    case KANE_OR_INFINITE: return 1;
    }
    return 1;
}

static const char *const range_texts[] = {[KANE_ANY]          = "must be finite",
                                          [KANE_POSITIVE]     = "must be positive",
                                          [KANE_NOT_NEGATIVE] = "must not be negative",
                                          [KANE_FRACTION]     = "must lie between 0 and 1",
                                          [KANE_OR_INFINITE]  = "must be finite, or \"inf\""};

static void check_range(kane_reader *reader, const kane_node *node, double value, kane_range range)
{
    const int too_large = fabs(value) > KANE_READER_LARGEST;
    if (in_range(value, range) && !too_large)
        return;
    char buffer[MESSAGE];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_quote(&text, node->kind == KANE_NODE_TEXT ? '\'' : 0, node->text);
    if (too_large)
        kane_reader_report(reader, node->place, "%s is out of range, must be below %g in SI units", buffer,
                           KANE_READER_LARGEST);
    else
        kane_reader_report(reader, node->place, "%s is out of range, %s", buffer, range_texts[range]);
}

int kane_reader_number(kane_reader *reader, const kane_node *node, const char *unit, kane_range range, double *value)
{
    const int before = reader->fault_count;
    char buffer[MESSAGE];
    kane_text text = kane_text_start(sizeof buffer, buffer);

    if (range == KANE_OR_INFINITE && node->kind == KANE_NODE_TEXT && kane_quantity_infinite(node->text, value))
        return 1;
    if (node->kind == KANE_NODE_NUMBER) {
        *value = node->number;
        check_range(reader, node, *value, range);
    } else if (node->kind != KANE_NODE_TEXT) {
        kane_quantity_expect(&text, unit);
        kane_reader_wrong_kind(reader, node, buffer);
    } else if (kane_quantity_parse(node->text, unit, value, &text)) {
        check_range(reader, node, *value, range);
    } else {
        kane_reader_report(reader, node->place, "%s", buffer);
    }
    return reader->fault_count == before;
}

// Is it a list (of `count` values, if that is not 0)?
static int is_list(kane_reader *reader, const kane_node *node, const char *unit, int count)
{
    if (node->kind == KANE_NODE_LIST && (count == 0 || node->count == count))
        return 1;
    char buffer[MESSAGE];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&text, count > 0 ? "a list of %d numbers, each " : "a list of numbers, each ", count);
    kane_quantity_expect(&text, unit);
    if (node->kind == KANE_NODE_LIST)
        kane_reader_report(reader, node->place, "found a list of %d, expected %s", node->count, buffer);
    else
        kane_reader_wrong_kind(reader, node, buffer);
    return 0;
}

static int read_list(kane_reader *reader, const kane_node *node, const char *unit, kane_range range, double *values)
{
    const int before = reader->fault_count;
    for (const kane_node *c = node->child; c; c = c->next)
        (void)kane_reader_number(reader, c, unit, range, values++);
    return reader->fault_count == before;
}

// A number without brackets.
static void read_one(kane_reader *reader, const kane_key *key, const kane_node *node, kane_numbers *numbers)
{
    double *value = kane_arena_doubles(reader->arena, 1);
    if (!value) {
        kane_reader_no_memory(reader, node->place);
        return;
    }
    *numbers = (kane_numbers){value, 1};
    (void)kane_reader_number(reader, node, key->unit, key->range, value);
}

int kane_reader_numbers(kane_reader *reader, const kane_node *node, const char *unit, kane_range range,
                        kane_numbers *numbers)
{
    if (!is_list(reader, node, unit, 0))
        return 0;
    double *values = kane_arena_doubles(reader->arena, (size_t)node->count);
    if (!values) {
        kane_reader_no_memory(reader, node->place);
        return 0;
    }
    *numbers = (kane_numbers){values, node->count};
    return read_list(reader, node, unit, range, values);
}

static void read_vector(kane_reader *reader, const kane_key *key, const kane_node *node, kane_vec3 *vector)
{
    double v[3];
    if (is_list(reader, node, key->unit, 3) && read_list(reader, node, key->unit, key->range, v))
        *vector = kv3(v[0], v[1], v[2]);
}

static void read_count(kane_reader *reader, const kane_key *key, const kane_node *node, int *count)
{
    if (node->kind != KANE_NODE_NUMBER) {
        kane_reader_wrong_kind(reader, node, "a whole number");
    } else if (node->number != floor(node->number)) {
        kane_reader_report(reader, node->place, "found %s, expected a whole number", node->text);
    } else if (fabs(node->number) > INT_MAX) {
        kane_reader_report(reader, node->place, "%s is out of range, the largest whole number is %d", node->text,
                           INT_MAX);
    } else {
        *count = (int)node->number;
        check_range(reader, node, node->number, key->range);
    }
}

// --- texts ---

void kane_reader_check_text(kane_reader *reader, kane_place place, const char *what, const char *text)
{
    if (text[kane_text_printable(text)] == '\0')
        return;
    char buffer[64];
    kane_text fault = kane_text_start(sizeof buffer, buffer);
    kane_text_blame(&fault, text);
    kane_reader_report(reader, place, "%s must have no control characters; it has %s", what, buffer);
}

static void read_text(kane_reader *reader, const kane_node *node, const char **text)
{
    *text = kane_node_word(node);
    if (!*text)
        kane_reader_wrong_kind(reader, node, "a text");
    else
        kane_reader_check_text(reader, node->place, "a text", *text);
}

static void read_texts(kane_reader *reader, const kane_node *node, kane_texts *texts)
{
    if (node->kind != KANE_NODE_LIST) {
        kane_reader_wrong_kind(reader, node, "a list of texts");
        return;
    }
    const char **values = kane_arena_alloc(reader->arena, (size_t)node->count, sizeof *values);
    if (!values) {
        kane_reader_no_memory(reader, node->place);
        return;
    }
    int i = 0;
    for (const kane_node *c = node->child; c; c = c->next, i++)
        read_text(reader, c, &values[i]);
    *texts = (kane_texts){values, node->count};
}

static void read_choice(kane_reader *reader, const kane_key *key, const kane_node *node, int *choice)
{
    const char *const *texts = key->detail;
    kane_names names         = {.first = texts, .stride = sizeof *texts};
    while (texts[names.count])
        names.count++;

    char buffer[MESSAGE];
    kane_text text   = kane_text_start(sizeof buffer, buffer);
    const char *word = kane_node_word(node);
    if (!word) {
        kane_text_add(&text, "one of");
        for (int i = 0; i < names.count; i++)
            kane_text_add(&text, "%s \"%s\"", i > 0 ? "," : "", texts[i]);
        kane_reader_wrong_kind(reader, node, buffer);
        return;
    }
    const int found = kane_names_find(names, word);
    if (found >= 0) {
        *choice = found;
        return;
    }
    int next        = 0;
    const char *now = kane_names_renamed_value(word, &next);
    while (now && kane_names_find(names, now) < 0)
        now = kane_names_renamed_value(word, &next);
    kane_text_quote(&text, '\'', word);
    if (now) {
        kane_text_add(&text, " is called '%s' now", now);
    } else {
        kane_text_add(&text, " is not known");
        kane_names_hint(&text, names, word);
    }
    kane_reader_report(reader, node->place, "%s", buffer);
}

static void read_switch(kane_reader *reader, const kane_node *node, int *on)
{
    if (node->kind == KANE_NODE_TRUE || node->kind == KANE_NODE_FALSE)
        *on = node->kind == KANE_NODE_TRUE;
    else
        kane_reader_wrong_kind(reader, node, "true or false");
}

void kane_reader_value(kane_reader *reader, const kane_key *key, const kane_node *node, void *member)
{
    switch (key->kind) {
    case KANE_KEY_NUMBER: (void)kane_reader_number(reader, node, key->unit, key->range, member); break;
    case KANE_KEY_VECTOR: read_vector(reader, key, node, member); break;
    case KANE_KEY_NUMBERS:
        if (key->detail && (node->kind == KANE_NODE_NUMBER || node->kind == KANE_NODE_TEXT))
            read_one(reader, key, node, member);
        else
            (void)kane_reader_numbers(reader, node, key->unit, key->range, member);
        break;
    case KANE_KEY_COUNT: read_count(reader, key, node, member); break;
    case KANE_KEY_TEXT: read_text(reader, node, member); break;
    case KANE_KEY_TEXTS: read_texts(reader, node, member); break;
    case KANE_KEY_CHOICE: read_choice(reader, key, node, member); break;
    case KANE_KEY_SWITCH: read_switch(reader, node, member); break;
    case KANE_KEY_RAW: *(const kane_node **)member = node; break;
    case KANE_KEY_OBJECT:
    case KANE_KEY_LIST:
    case KANE_KEY_MAP:
    case KANE_KEY_VARIANT: break; // objects: reader.c
    }
}
