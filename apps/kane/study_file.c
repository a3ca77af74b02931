// SPDX-License-Identifier: MIT
// Study files become options in front of those that were typed, so that one table of options serves both.

#include "launch.h"

#include "base/file.h"
#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MOST = 64 };

// --- keys ---

typedef struct run_input {
    kane_block block;
    const char *file;
    kane_texts set;
    const kane_node *bodies;
    int fit;
} run_input;

static const kane_key run_keys[] = {
    KANE_KEY(run_input, file, TEXT, REQUIRED, NULL, NULL, ANY, KANE_A_FILE, "run file"),
    KANE_KEY(run_input, set, TEXTS, OPTIONAL, NULL, NULL, ANY, NULL, "PATH=VALUE: settings of this run"),
    KANE_KEY(run_input, bodies, RAW, OPTIONAL, NULL, NULL, ANY, NULL,
             "what terms and responses call bodies, and a pattern of the names that they have in this run, "
             "{\"car body\": \"body\"}"),
    KANE_KEY(run_input, fit, SWITCH, OPTIONAL, "false", NULL, ANY, NULL,
             "true: rules are fitted on this run; they are tested on those with false"),
};
static const kane_schema run_schema = KANE_SCHEMA(run_input, "run", run_keys, "One of several runs, by its name.");

typedef struct study_input {
    kane_block block;
    kane_items runs;
    const kane_node *values[KEYS_MOST]; // of options; of switches an int
} study_input;

static const kane_key fixed_keys[] = {
    KANE_KEY(study_input, runs, MAP, REQUIRED, NULL, NULL, ANY, &run_schema,
             "runs by name; values of the axis \"run\""),
    {"set", KANE_KEY_RAW, KANE_OPTIONAL, NULL, NULL, KANE_ANY, offsetof(study_input, values), NULL,
     "PATH=VALUE, or a list: settings of all runs"},
};
enum { FIXED = sizeof fixed_keys / sizeof *fixed_keys };

const kane_format *study_file_format(kane_arena *arena, const app_option *options)
{
    kane_format *format = kane_arena_alloc(arena, 1, sizeof *format);
    kane_schema *schema = kane_arena_alloc(arena, 1, sizeof *schema);
    kane_key *keys      = kane_arena_alloc(arena, KEYS_MOST, sizeof *keys);
    int count           = FIXED;
    if (kane_arena_failed(arena))
        return NULL;
    memcpy(keys, fixed_keys, sizeof fixed_keys);
    for (const app_option *o = options; o->name && count < KEYS_MOST; o++)
        if (o->flags / APP_GROUP * APP_GROUP != STUDY_OMIT_DECIDES) {
            const size_t place = offsetof(study_input, values) + (size_t)count * sizeof(kane_node *);
            keys[count++]      = (kane_key){.name      = o->name,
                                            .kind      = o->value ? KANE_KEY_RAW : KANE_KEY_SWITCH,
                                            .otherwise = o->value ? NULL : "false",
                                            .offset    = place,
                                            .help      = o->help};
        }
    *schema = (kane_schema){"study",
                            "A study of several runs: options of \"kane study omit\" by their long names. A list is "
                            "several values.",
                            sizeof(study_input), keys, count};
    *format = (kane_format){"study", 1, 1, schema};
    return format;
}

// --- values ---

// The row of a long name; NULL: "set".
static const app_option *find_option(const char *name)
{
    for (const app_option *o = study_omit_options; o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

static int is_value(const kane_node *n)
{
    return n->kind == KANE_NODE_NUMBER || n->kind == KANE_NODE_TEXT;
}

// "--speeds=10,20" with the place of what was typed.
static void add_value(study_file *f, const char *option, const char *value, kane_place place)
{
    const size_t size = strlen(option) + strlen(value) + 4;
    char *text        = kane_arena_alloc(f->arena, size, 1);
    if (text)
        (void)snprintf(text, size, value[0] ? "--%s=%s" : "--%s", option, value);
    f->values[f->count++] = (study_file_value){option, text, place};
}

// Values of one list with commas between them.
static const char *join_values(study_file *f, const kane_node *list)
{
    size_t size = 1;
    for (const kane_node *n = list->child; n; n = n->next)
        size += strlen(n->text) + 1;
    char *text     = kane_arena_alloc(f->arena, size, 1);
    kane_text line = kane_text_start(text ? size : 0, text);
    for (const kane_node *n = list->child; text && n; n = n->next)
        kane_text_add(&line, "%s%s", n == list->child ? "" : ",", n->text);
    return text ? text : "";
}

static void add_option(study_file *f, kane_reader *reader, const char *name, const kane_node *node)
{
    const app_option *o = find_option(name);
    const int adds      = !o || (o->flags & APP_ADDS);
    if (is_value(node)) {
        add_value(f, name, node->text, node->place);
        return;
    }
    int good = node->kind == KANE_NODE_LIST && node->count > 0;
    for (const kane_node *n = good ? node->child : NULL; n; n = n->next)
        good = good && is_value(n);
    if (!good)
        kane_reader_wrong_kind(reader, node, "a number, a text, or a list of them");
    else if (!adds)
        add_value(f, name, join_values(f, node), node->place);
    for (const kane_node *n = good && adds ? node->child : NULL; n; n = n->next)
        add_value(f, name, n->text, n->place);
}

// How many values there may be.
static int count_values(const kane_node *root)
{
    int count = 0;
    for (const kane_node *n = root->child; n; n = n->next)
        count += 1 + n->count;
    return count;
}

static void add_options(study_file *f, kane_reader *reader, const kane_schema *schema, const study_input *in)
{
    for (int i = 1; i < schema->key_count; i++) {
        const kane_key *key   = &schema->keys[i];
        const kane_node *node = kane_node_find(in->block.node, key->name);
        if (!node)
            continue;
        if (key->kind == KANE_KEY_RAW)
            add_option(f, reader, key->name, node);
        else if (node->kind == KANE_NODE_TRUE)
            add_value(f, key->name, "", node->place);
    }
}

// --- runs ---

static void add_aliases(study_file *f, kane_reader *reader, const run_input *in, kane_omission_run *run)
{
    const kane_node *bodies = in->bodies;
    if (!bodies)
        return;
    if (bodies->kind != KANE_NODE_OBJECT) {
        kane_reader_wrong_kind(reader, bodies, "an object { } such as {\"car body\": \"body\"}");
        return;
    }
    const char *(*aliases)[2] = kane_arena_alloc(f->arena, (size_t)bodies->count, sizeof *aliases);
    for (const kane_node *n = aliases ? bodies->child : NULL; n; n = n->next) {
        if (n->kind != KANE_NODE_TEXT)
            kane_reader_wrong_kind(reader, n, "the name of a body, or a pattern of names");
        aliases[run->alias_count][0]   = n->key;
        aliases[run->alias_count++][1] = n->text;
    }
    run->aliases = (const char *const(*)[2])aliases;
}

// Settings of a run with their places; how many there are is known from the list.
static void add_settings(study_file *f, const run_input *in, const char **settings)
{
    const kane_node *list = kane_node_find(in->block.node, "set");
    const kane_node *one  = list && list->kind == KANE_NODE_LIST ? list->child : list;
    char where[300];
    (void)snprintf(where, sizeof where, "runs.%s.set", in->block.name);
    const char *option = kane_arena_text(f->arena, where);
    for (int k = 0; k < in->set.count; k++, one = one ? one->next : NULL) {
        settings[k] = in->set.values[k];
        if (one)
            f->settings[f->setting_count++] = (study_file_value){option, settings[k], one->place};
    }
}

static void add_runs(study_file *f, kane_reader *reader, const study_input *in)
{
    int settings_most = 1;
    for (int i = 0; i < in->runs.count; i++)
        settings_most += ((const run_input *)in->runs.items)[i].set.count;
    f->settings             = kane_arena_alloc(f->arena, (size_t)settings_most, sizeof *f->settings);
    const run_input *inputs = in->runs.items;
    f->runs                 = kane_arena_alloc(f->arena, (size_t)in->runs.count, sizeof *f->runs);
    if (in->runs.count == 0)
        kane_reader_fault(reader, &in->block, "runs", "the study has no run");
    for (int i = 0; f->runs && f->settings && i < in->runs.count; i++) {
        kane_omission_run *run = &f->runs[f->run_count++];
        const char **settings  = kane_arena_alloc(f->arena, (size_t)inputs[i].set.count + 1, sizeof *settings);
        if (settings)
            add_settings(f, &inputs[i], settings);
        *run = (kane_omission_run){.name      = inputs[i].block.name,
                                   .file      = kane_file_beside(f->arena, f->name, inputs[i].file),
                                   .settings  = settings,
                                   .is_fitted = inputs[i].fit};
        add_aliases(f, reader, &inputs[i], run);
    }
}

// --- places of values ---

static const study_file *given;         // whose values are parsed
static const study_file_value *entered; // whose taker may end the program

static void print_place(void)
{
    if (entered)
        (void)fprintf(stderr, "%s:%d:%d: \"%s\" is given here\n", entered->place.file, entered->place.line,
                      entered->place.column, entered->option);
}

void study_file_enter(const char *value)
{
    entered = NULL;
    for (int i = 0; value && given && i < given->count; i++) {
        const char *text = given->values[i].text;
        if (value >= text && value <= text + strlen(text))
            entered = &given->values[i];
    }
}

// --- the file ---

// The argument that names a study file; NULL: there is none.
static const char *find_file(kane_arena *arena, int argc, char **argv)
{
    static const char ending[] = ".json", kind[] = "study ";
    for (int i = 1; i < argc; i++) {
        kane_errors unread  = {.limit = 1};
        const size_t length = strlen(argv[i]);
        const int is_json   = length > sizeof ending - 1 && strcmp(argv[i] + length - (sizeof ending - 1), ending) == 0;
        const kane_node *root = is_json && argv[i][0] != '-' ? kane_json_read(arena, argv[i], &unread) : NULL;
        if (root && strncmp(kane_node_text(root, "kane", ""), kind, sizeof kind - 1) == 0)
            return argv[i];
    }
    return NULL;
}

// Options of the file, then those that were typed.
static void join_arguments(int argc, char **argv, study_file *f)
{
    f->argv = kane_arena_alloc(f->arena, (size_t)(argc + f->count) + 1, sizeof *f->argv);
    if (!f->argv)
        return;
    f->argv[f->argc++] = argv[0];
    for (int i = 0; i < f->count; i++)
        f->argv[f->argc++] = (char *)(uintptr_t)f->values[i].text;
    for (int i = 1; i < argc; i++)
        f->argv[f->argc++] = argv[i];
}

int study_file_read(int argc, char **argv, study_file *f, kane_errors *errors)
{
    *f      = (study_file){.arena = kane_arena_create(), .argc = argc, .argv = argv};
    f->name = f->arena ? find_file(f->arena, argc, argv) : NULL;
    if (!f->name)
        return f->arena || kane_no_memory(errors) == KANE_OK;
    const kane_format *format = study_file_format(f->arena, study_omit_options);
    const kane_node *root     = format ? kane_document_open(f->arena, f->name, NULL, errors) : NULL;
    kane_reader reader        = {.arena = f->arena, .errors = errors};
    const study_input *in = root ? kane_document_read(&reader, root, (kane_formats){format, 1}, "study", NULL) : NULL;
    f->values             = root ? kane_arena_alloc(f->arena, (size_t)count_values(root), sizeof *f->values) : NULL;
    if (in && f->values) {
        add_options(f, &reader, format->schema, in);
        add_runs(f, &reader, in);
        f->argc = 0;
        join_arguments(argc, argv, f);
        given = f;
        (void)atexit(print_place);
    }
    if (errors->count == 0 && (!in || kane_arena_failed(f->arena)))
        (void)kane_no_memory(errors);
    return errors->count == 0;
}

void study_file_free(study_file *f)
{
    given = NULL;
    kane_arena_free(f->arena);
}

// --- places of errors ---

// Name of the axis that an option makes: "speed" of --speeds, PATH of --over=PATH=...; "" if it makes none.
static void find_axis(const study_file_value *v, const char *value, size_t size, char *axis)
{
    static const char *const lists[][2] = {{"speeds", "speed"},
                                           {"accelerations", "acceleration"},
                                           {"radii", "radius"},
                                           {"cants", "cant"},
                                           {"shapes", "shape"}};
    axis[0]                             = '\0';
    if (strcmp(v->option, "over") == 0)
        (void)snprintf(axis, size, "%.*s", (int)strcspn(value, "="), value);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(v->option, lists[i][0]) == 0)
            (void)snprintf(axis, size, "%s", lists[i][1]);
}

static int begins_with(const char *text, const char *before, const char *name, const char *behind)
{
    char begin[700];
    const int length = snprintf(begin, sizeof begin, "%s%s%s", before, name, behind);
    return strncmp(text, begin, (size_t)length) == 0;
}

// Whether a text begins as errors about a value do: "--omit body:..." of --omit=body:...; of an axis "--over speed=",
// "--set start.speed=" or "the axis 'speed'".
static int is_about(const char *text, const study_file_value *v)
{
    const char *value = strchr(v->text, '=');
    char axis[256], option[64];
    if (!value)
        return 0;
    (void)snprintf(option, sizeof option, "--%s ", v->option);
    find_axis(v, value + 1, sizeof axis, axis);
    return begins_with(text, option, value + 1, "") ||
           (axis[0] &&
            (begins_with(text, "--over ", axis, "=") || begins_with(text, "--set ", kane_axis_path(axis), "=") ||
             begins_with(text, "the axis '", axis, "'") || begins_with(text, "the list of ", axis, " ")));
}

void study_file_place_errors(const study_file *f, kane_errors *errors)
{
    for (int i = 0; i < errors->kept; i++) {
        kane_error *e = (kane_error *)(uintptr_t)kane_errors_get(errors, i);
        for (int k = 0; k < f->count && e->line == 0; k++) {
            const int is_place = is_about(e->file, &f->values[k]);
            if (!is_place && !is_about(e->text, &f->values[k]))
                continue;
            (void)snprintf(e->path, sizeof e->path, "%s", is_place ? e->file : f->values[k].option);
            (void)snprintf(e->file, sizeof e->file, "%s", f->name);
            e->line   = f->values[k].place.line;
            e->column = f->values[k].place.column;
        }
    }
}

static void report_override(const study_file_value *v, const char *what, const char *by, kane_errors *errors)
{
    kane_place place = v->place;
    place.path       = v->option;
    kane_errors_add_input(errors, KANE_BAD_INPUT, place,
                          "'%s' sets what the study sets for all runs by %s '%s'; leave out one of both", v->text, what,
                          by);
}

int study_file_check_runs(const study_file *f, const app_texts *settings, const app_texts *axes, kane_errors *errors)
{
    const int before = errors->count;
    for (const study_file_value *v = f->settings; v && v < f->settings + f->setting_count; v++) {
        for (int i = 0; i < settings->count; i++)
            if (kane_parameter_is_same(v->text, settings->texts[i]))
                report_override(v, "the setting", settings->texts[i], errors);
        for (int i = 0; i < axes->count; i++) {
            char name[256];
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(axes->texts[i], "="), axes->texts[i]);
            if (kane_parameter_is_same(v->text, kane_axis_path(name)))
                report_override(v, "the axis", axes->texts[i], errors);
        }
    }
    return errors->count == before;
}
