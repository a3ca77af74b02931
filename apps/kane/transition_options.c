// SPDX-License-Identifier: MIT
// What both studies of transitions ask for.

#include "transition_options.h"

#include <stdio.h>
#include <stdlib.h>

static const struct argp_option options[] = {
    {"criterion", 'c', "MEASURE", 0,
     "what is looked at, such as 'rms(body.acceleration.y)'; may be given several times", 0},
    {"set", 's', "PATH=VALUE", 0, "change a value of the run, vehicle.PATH or track.PATH", 0},
    {"omit", 'x', "BODY:KIND.TERM.AXIS", 0, "leave out an imaginary term", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    transition_options *o = state->input;
    switch (key) {
    case 'c': app_collect(&o->criteria, value, state); break;
    case 's': app_collect(&o->settings, value, state); break;
    case 'x': app_collect(&o->omissions, value, state); break;
    case ARGP_KEY_END:
        if (!o->file)
            argp_error(state, "a study needs a run file");
        if (o->criteria.count == 0)
            argp_error(state, "a study of transitions needs a criterion: --criterion 'rms(body.acceleration.y)'");
        break;
    case ARGP_KEY_ARG:
        if (o->file)
            argp_error(state, "one run file at a time");
        o->file = value;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp transition_options_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

int transition_take_count(const char *text, int least, int most, const char *what, struct argp_state *state)
{
    char *end;
    const long count = strtol(text, &end, 10);
    if (end == text || *end || count < least || count > most)
        argp_error(state, "'%s' is no %s (a whole number from %d to %d)", text, what, least, most);
    return (int)count;
}

void transition_print(const char *directory, const char *name)
{
    char file[4096];
    (void)snprintf(file, sizeof file, "%s/%s", directory, name);
    FILE *in = fopen(file, "r");
    for (int c; in && (c = fgetc(in)) != EOF;)
        (void)putchar(c);
    if (in)
        (void)fclose(in);
}
