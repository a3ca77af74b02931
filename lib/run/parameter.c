// SPDX-License-Identifier: MIT
// Paths of parameters as they are typed.

#include "run/setup.h"

#include "base/json.h"
#include "run/run_file.h"
#include "track/track_file.h"
#include "vehicles/vehicle_file.h"

#include <stdio.h>
#include <string.h>

static const kane_parameter shorts[] = {
    {"speed", "start.speed", "m/s"},
    {"acceleration", "speed", "m/s^2"}, // one piece of the run's speed
    {"radius", "track.sections[*].to.radius", "m"},
    {"cant", "track.sections[*].to.cant", "m"},
    {"shape", "track.sections[*].shape", ""},
    {"friction", "track.rail.friction", ""},
};
enum { SHORTS = sizeof shorts / sizeof *shorts, PATH = 512 };

const kane_parameter *kane_parameter_find(const char *name)
{
    for (int i = 0; i < SHORTS; i++)
        if (strcmp(shorts[i].name, name) == 0)
            return &shorts[i];
    for (int i = 0; i < SHORTS; i++)
        if (strcmp(shorts[i].path, name) == 0)
            return &shorts[i];
    return NULL;
}

static int has_key(const kane_schema *schema, const char *key)
{
    for (int i = 0; i < schema->key_count; i++)
        if (strcmp(schema->keys[i].name, key) == 0)
            return 1;
    return 0;
}

// What every document may have, such as its patterns, is the run file's own.
static int is_of_run(const char *key)
{
    return has_key(&kane_run_schema, key) || has_key(&kane_document_head, key) || strcmp(key, "note") == 0;
}

// What stands before a path that begins with a key: `vehicle`, "track." or "".
static const char *file_of(const char *key, const char *vehicle)
{
    const kane_format *formats = kane_vehicle_formats.formats;
    const int is_track         = has_key(kane_track_formats.formats[0].schema, key);
    int is_vehicle             = 0;
    for (int i = 0; i < kane_vehicle_formats.count; i++)
        is_vehicle |= formats[i].schema && has_key(formats[i].schema, key);
    return is_vehicle == is_track ? "" : is_vehicle ? vehicle : "track.";
}

// Where the path of a setting ends, without spaces before the '='. Of what has no '=' all is path.
static size_t path_length(const char *setting)
{
    int is_quoted = 0;
    size_t end    = 0;
    for (; setting[end] && (setting[end] != '=' || is_quoted); end++) {
        is_quoted ^= setting[end] == '"';
        end += setting[end] == '\\' && is_quoted && setting[end + 1];
    }
    while (end > 0 && setting[end - 1] == ' ')
        end--;
    return end;
}

int kane_parameter_setting(const char *setting, const char *vehicle, size_t size, char *text)
{
    const char *begin   = setting + strspn(setting, " ");
    const size_t length = path_length(begin);
    char path[PATH];
    if (length == 0 || length >= sizeof path)
        return snprintf(text, size, "%s", setting);
    memcpy(path, begin, length);
    path[length]              = '\0';
    const char *rest          = path;
    const kane_path_step step = kane_path_next(path, &rest);
    if (step.kind != KANE_PATH_KEY || is_of_run(step.key))
        return snprintf(text, size, "%s", setting);
    for (int i = 0; i < SHORTS && !*rest; i++)
        if (strcmp(shorts[i].name, step.key) == 0 && strcmp(step.key, "acceleration") != 0)
            return snprintf(text, size, "%s%s", shorts[i].path, begin + length);
    return snprintf(text, size, "%s%s", file_of(step.key, vehicle), begin);
}

// Behind "vehicle.", "train." or "mechanism.", which say the same of one run.
static const char *path_after_vehicle(const char *path)
{
    static const char *const kinds[] = {"vehicle.", "train.", "mechanism."};
    for (int i = 0; i < 3; i++)
        if (strncmp(path, kinds[i], strlen(kinds[i])) == 0)
            return path + strlen(kinds[i]);
    return NULL;
}

// Whether paths are the same step by step: a key may stand in quotes.
static int is_same_path(const char *a, const char *b)
{
    for (const char *at_a = a, *at_b = b;;) {
        const kane_path_step x = kane_path_next(a, &at_a), y = kane_path_next(b, &at_b);
        if (x.kind != y.kind || x.kind > KANE_PATH_EACH)
            return 0;
        if (x.kind == KANE_PATH_END)
            return 1;
        if (x.kind == KANE_PATH_KEY ? strcmp(x.key, y.key) != 0 : x.kind == KANE_PATH_INDEX && x.index != y.index)
            return 0;
    }
}

int kane_parameter_is_same(const char *a, const char *b)
{
    char full[2][PATH + 64];
    const char *paths[] = {a, b}, *inner[2];
    for (int i = 0; i < 2; i++) {
        (void)kane_parameter_setting(paths[i], "vehicle.", sizeof full[i], full[i]);
        full[i][path_length(full[i])] = '\0';
        inner[i]                      = path_after_vehicle(full[i]);
    }
    return inner[0] && inner[1] ? is_same_path(inner[0], inner[1]) : is_same_path(full[0], full[1]);
}
