// SPDX-License-Identifier: MIT
// Profiles of wheels and rails as options give them: read as if they stood in the "profiles" of a file.

#include "app.h"

#include "base/json.h"
#include "profile/input.h"

#include <string.h>

// What is being read.
typedef struct typed {
    kane_arena *arena;
    kane_place place; // "--wheel TEXT"
    kane_profile_kind kind;
    kane_errors *errors;
} typed;

static void no_memory(const typed *t)
{
    kane_errors_add_input(t->errors, KANE_NO_MEMORY, t->place, "out of memory");
}

// Where a part ends: at a comma outside of double quotes.
static size_t part_length(const char *text)
{
    int quoted = 0;
    size_t n   = 0;
    for (; text[n] && (text[n] != ',' || quoted); n++)
        quoted ^= text[n] == '"';
    return n;
}

// Adds a key with its value. 0 with an error.
static int add_key(const typed *t, kane_node *object, const char *key, const char *text)
{
    kane_node *value;
    kane_place place = t->place;
    place.path       = key;
    if (kane_node_find(object, key)) {
        kane_errors_add_input(t->errors, KANE_BAD_INPUT, place, "is given twice");
        return 0;
    }
    if (kane_json_value(t->arena, text, place, key, 1, &value, t->errors) != KANE_OK)
        return 0;
    kane_node_append(object, value);
    return 1;
}

// A part KEY=VALUE, or in the beginning the name of a file. 0 with an error.
static int add_part(const typed *t, kane_node *object, const char *part)
{
    const char *equals = strchr(part, '=');
    if (!equals && object->count == 0 && strpbrk(part, "./"))
        return add_key(t, object, "file", part);
    if (!equals) {
        kane_errors_add_input(t->errors, KANE_BAD_INPUT, t->place,
                              "'%s' is no profile: expected %s, a file such as worn.%s, or keys as in a file's "
                              "\"profiles\", such as %s",
                              part, t->kind == KANE_PROFILE_WHEEL ? "S1002" : "60E1",
                              t->kind == KANE_PROFILE_WHEEL ? "prw" : "prr",
                              t->kind == KANE_PROFILE_WHEEL ? "cone=1:40" : "round=0.3 m");
        return 0;
    }
    const char *key = kane_arena_text_part(t->arena, part, (size_t)(equals - part));
    if (!key)
        no_memory(t);
    return key && add_key(t, object, key, equals + 1);
}

// All parts as an object of a file; NULL with errors.
static kane_node *object_of(const typed *t, const char *text)
{
    kane_node *object = kane_arena_alloc(t->arena, 1, sizeof *object);
    if (object)
        *object = (kane_node){.kind = KANE_NODE_OBJECT, .key = "", .text = "", .place = t->place, .is_outside = 1};
    for (int is_last = 0; object && !is_last;) {
        text += strspn(text, " ");
        const size_t length = part_length(text);
        const char *part    = kane_arena_text_part(t->arena, text, length);
        is_last             = !text[length];
        text += length + 1;
        if (part && !add_part(t, object, part))
            return NULL;
        if (!part)
            object = NULL;
    }
    if (!object)
        no_memory(t);
    return object;
}

const kane_profile *app_profile_take(kane_arena *arena, const char *option, const char *text, kane_profile_kind kind,
                                     kane_errors *errors)
{
    static const char *const names[2] = {"S1002", "60E1"}, *const none[2] = {"", ""};
    const int is_wheel = kind == KANE_PROFILE_WHEEL;
    const size_t size  = strlen(option) + strlen(text) + 4;
    char *place        = kane_arena_alloc(arena, size, 1);
    typed t            = {arena, {.file = place, .path = ""}, kind, errors};
    kane_reader reader = {.arena = arena, .errors = errors};
    if (strcmp(text, names[is_wheel ? 0 : 1]) == 0)
        return is_wheel ? kane_profile_s1002() : kane_profile_60e1();
    if (!place) {
        t.place.file = option;
        no_memory(&t);
        return NULL;
    }
    (void)snprintf(place, size, "--%s %s", option, text);
    const kane_node *object = object_of(&t, text);
    kane_profile_input *in =
        object ? kane_reader_make(&reader, object, is_wheel ? &kane_wheel_profile_schema : &kane_rail_profile_schema)
               : NULL;
    if (!in)
        return NULL;
    in->block.name            = text;
    const kane_items one      = {in, 1};
    const kane_profile **made = kane_profiles_build(&reader, kind, &one, "", none);
    return made && kane_reader_status(&reader) == KANE_OK ? made[0] : NULL;
}
