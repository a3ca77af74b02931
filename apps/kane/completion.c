// SPDX-License-Identifier: MIT
// What a shell offers when a word is begun (apps/completion): the program is called with the words before it as its
// arguments, and the word itself in KANE_COMPLETE. It prints a line for each candidate, whether it begins so or not:
// the candidate, a tab, its help. Nothing: files.

#include "app.h"

#include <stdlib.h>
#include <string.h>

const char *app_begun_word(void)
{
    return getenv("KANE_COMPLETE");
}

void app_offer(const char *candidate, const char *help)
{
    (void)printf("%s\t%s\n", candidate, help);
}

// The row that these words begin with, "--name" or "-n"; NULL: none with a value.
static const app_option *find_valued(int count, const app_option *const *rows, const char *word)
{
    const int is_long   = strncmp(word, "--", 2) == 0;
    const size_t length = strcspn(word, "=");
    for (int i = 0; i < count; i++) {
        const char *name = rows[i]->name;
        if (rows[i]->value && (is_long ? length == strlen(name) + 2 && strncmp(word + 2, name, length - 2) == 0
                                       : word[0] == '-' && word[1] == rows[i]->letter && !word[2]))
            return rows[i];
    }
    return NULL;
}

// The values of an option that are known: behind "--name=" if the word begins so.
static void offer_values(const app_option *o, const char *begun)
{
    char candidate[128];
    for (int i = 0; o->words && o->words[i]; i++) {
        (void)snprintf(candidate, sizeof candidate, "%.*s%s", begun[0] == '-' ? (int)strcspn(begun, "=") + 1 : 0, begun,
                       o->words[i]);
        app_offer(candidate, o->value);
    }
}

static void offer_options(int count, const app_option *const *rows)
{
    char candidate[128];
    for (int i = 0; i < count; i++) {
        (void)snprintf(candidate, sizeof candidate, "--%s%s", rows[i]->name, rows[i]->value ? "=" : "");
        app_offer(candidate, rows[i]->help ? rows[i]->help : "");
    }
    app_offer("--help", "list the options of the command");
    app_offer("--usage", "show its usage in one line");
}

void app_offer_options(int count, const app_option *const *rows, const char *before)
{
    const char *begun        = app_begun_word();
    const app_option *behind = find_valued(count, rows, before), *within = find_valued(count, rows, begun);
    if (behind && !strchr(before, '='))
        offer_values(behind, begun);
    else if (within && strchr(begun, '='))
        offer_values(within, begun);
    else if (begun[0] == '-')
        offer_options(count, rows);
}
