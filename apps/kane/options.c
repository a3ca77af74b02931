// SPDX-License-Identifier: MIT
// Options as all commands take them: what becomes of one that is given again, and of commas, is a property of its row
// (app.h).

#include "app.h"

#include "base/number.h"
#include "run/setup.h"
#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 64, CHILDREN_MOST = 1 };

// One parser of argp with the rows of its options, and what they were given so far.
typedef struct guarded {
    const struct argp *argp; // as the command has it
    void *input;             // of its parser
    struct guarded *children;
    const char *given[ROWS_MOST]; // NULL: not yet
    app_texts settings;           // of APP_SETS
} guarded;

static int is_end(const struct argp_option *row)
{
    return !row->name && !row->key && !row->doc && !row->group;
}

// The row of an option, that of which an alias is one; -1: the key is none of an option.
static int find_row(const struct argp *argp, int key)
{
    int row = 0;
    for (int i = 0; argp->options && !is_end(&argp->options[i]); i++) {
        row = argp->options[i].flags & OPTION_ALIAS ? row : i;
        if (key && argp->options[i].key == key)
            return row;
    }
    return -1;
}

static error_t call_parser(guarded *g, int key, char *value, struct argp_state *state)
{
    state->input        = g->input;
    const error_t error = g->argp->parser(key, value, state);
    state->input        = g;
    return error;
}

// The values between commas outside of quotes and brackets, one after the other. Where quotes or brackets stay open
// commas part nothing.
static error_t call_for_each(guarded *g, int row, int key, char *value, struct argp_state *state)
{
    kane_axis_value part;
    error_t error = 0;
    for (const char *at = value; at; at = *at ? at + 1 : NULL)
        if (!(at = kane_axis_parse_value(at, ",", &part)))
            return call_parser(g, key, value, state);
        else if (part.length == 0)
            argp_error(state, "--%s '%s': a value is missing", g->argp->options[row].name, value);
    for (char *next = value; next && !error;) {
        const char *end    = kane_axis_parse_value(next, ",", &part);
        char *begin        = value + (part.text - value);
        next               = *end ? value + (end - value) + 1 : NULL;
        begin[part.length] = '\0';
        error              = call_parser(g, key, begin, state);
    }
    return error;
}

static error_t take_option(guarded *g, int row, int key, char *value, struct argp_state *state)
{
    const struct argp_option *o = &g->argp->options[row];
    if (g->given[row] && !(o->flags & APP_ADDS))
        argp_error(state, "--%s is given twice, '%s' and '%s': it may be given once", o->name, g->given[row], value);
    g->given[row] = value;
    if ((o->flags & APP_SETS) == APP_SETS) {
        for (int i = 0; i < g->settings.count; i++)
            if (kane_parameter_is_same(g->settings.texts[i], value))
                argp_error(state, "--%s sets the same twice: '%s' and '%s'", o->name, g->settings.texts[i], value);
        app_collect(&g->settings, value, state);
    }
    return (o->flags & APP_LIST) == APP_LIST ? call_for_each(g, row, key, value, state)
                                             : call_parser(g, key, value, state);
}

static error_t parse_guarded(int key, char *value, struct argp_state *state)
{
    guarded *g    = state->input;
    const int row = find_row(g->argp, key);
    const error_t error =
        row >= 0 && value ? take_option(g, row, key, value, state) : call_parser(g, key, value, state);
    if (key == ARGP_KEY_INIT && g->children) {
        g->children->input     = state->child_inputs[0];
        state->child_inputs[0] = g->children;
    }
    return error;
}

// What is said of each row that takes several values, behind its own words. Freed by argp.
static char *describe_row(int key, const char *text, void *input)
{
    const guarded *g = input;
    const int row    = g && text ? find_row(g->argp, key) : -1;
    const int flags  = row >= 0 ? g->argp->options[row].flags : 0;
    const char *more = (flags & APP_LIST) == APP_LIST ? "several: between commas, or given again"
                       : flags & APP_ADDS             ? "may be given again"
                                                      : NULL;
    if (!more)
        return (char *)(uintptr_t)text;
    const size_t size = strlen(text) + strlen(more) + 3;
    char *whole       = malloc(size);
    if (whole)
        (void)snprintf(whole, size, "%s; %s", text, more);
    return whole ? whole : (char *)(uintptr_t)text;
}

void app_parse(const struct argp *argp, int argc, char **argv, void *arguments)
{
    const int has_child = argp->children && argp->children->argp;
    guarded child       = {.argp = has_child ? argp->children->argp : NULL},
            root        = {.argp = argp, .input = arguments, .children = has_child ? &child : NULL};
    struct argp inner = has_child ? *child.argp : *argp, outer = *argp;
    struct argp_child children[2] = {has_child ? *argp->children : (struct argp_child){0}, {0}};
    children[0].argp              = &inner;
    inner.parser = outer.parser = parse_guarded;
    inner.help_filter = outer.help_filter = describe_row;
    outer.children                        = has_child ? children : NULL;
    const error_t failed = argp_parse(&outer, argc, argv, 0, NULL, &root); // wrong arguments do not come back
    if (!failed)
        return;
    (void)fprintf(stderr, "error: %s: %s\n", argv[0], kane_system_text(failed));
    exit(EXIT_OTHER);
}

void app_collect(app_texts *list, const char *text, struct argp_state *state)
{
    if (list->count >= APP_TEXTS_MOST)
        argp_error(state, "more than %d of one option", (int)APP_TEXTS_MOST);
    list->texts[list->count++] = text;
    list->texts[list->count]   = NULL;
}
