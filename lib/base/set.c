// SPDX-License-Identifier: MIT
// PATH=VALUE: values that are set after a file was read, by --set or by the file itself (variants).

#include "base/json.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/unit.h"

#include <string.h>

typedef struct setting {
    kane_arena *arena;
    kane_node *root;
    kane_place place; // "--set PATH=VALUE" or its place in a file, and the path up to here
    kane_errors *errors;
} setting;

static kane_status no_memory(const setting *s)
{
    kane_errors_add_input(s->errors, KANE_NO_MEMORY, s->place, "out of memory");
    return KANE_NO_MEMORY;
}

// Error: a part of the path does not exist; lists what does.
static kane_status missing_key(const setting *s, const kane_node *object, const char *key)
{
    char buffer[400];
    kane_text text        = kane_text_start(sizeof buffer, buffer);
    const kane_names keys = kane_node_keys(s->arena, object);
    if (!keys.first)
        return no_memory(s);
    kane_text_add(&text, "there is no ");
    kane_text_quote(&text, '\'', key);
    kane_text_add(&text, " here");
    kane_names_hint(&text, keys, key);
    kane_errors_add_input(s->errors, KANE_BAD_INPUT, s->place, "%s", buffer);
    return KANE_BAD_INPUT;
}

static kane_status wrong_kind(const setting *s, const kane_node *node, const kane_path_step *step)
{
    char buffer[400];
    kane_text text = kane_text_start(sizeof buffer, buffer);
    kane_text_add(&text, "found ");
    kane_node_describe(&text, node);
    if (step->kind == KANE_PATH_KEY) {
        kane_text_add(&text, ", it has no key ");
        kane_text_quote(&text, '\'', step->key);
    } else if (node->kind == KANE_NODE_LIST) {
        kane_text_add(&text, " of %d, it has no element [%d]; the first one is [0]", node->count, step->index);
    } else {
        kane_text_add(&text, ", it has no element [%d]", step->index);
    }
    kane_errors_add_input(s->errors, KANE_BAD_INPUT, s->place, "%s", buffer);
    return KANE_BAD_INPUT;
}

static kane_node *empty_object(const setting *s, const kane_node *parent, const char *key, const char *path)
{
    kane_node *own = kane_arena_alloc(s->arena, 1, sizeof *own);
    kane_memory_mark(own, KANE_MEMORY_TYPED);
    if (own) {
        *own = (kane_node){
            .kind = KANE_NODE_OBJECT, .key = key, .text = "", .place = s->place, .depth = parent->depth + 1};
        own->place.path = path;
    }
    return own;
}

// What an object would inherit for a key is made its own, so that a part of it can be set: of an object only its frame
// (the rest will still be inherited), of a list everything.
static kane_node *make_own(const setting *s, kane_node *object, const char *key, const char *path)
{
    const kane_node *inherited = kane_inherit_find(s->root, object, key);
    kane_node *own             = NULL;
    if (!inherited)
        return NULL;
    if (inherited->kind == KANE_NODE_OBJECT) {
        own = empty_object(s, object, inherited->key, path);
    } else {
        int limit = KANE_INHERIT_MOST;
        own       = kane_inherit_copy(s->arena, inherited, object->depth + 1, &limit);
    }
    if (own)
        kane_node_append(object, own);
    return own;
}

// A part of the document that was left out begins empty, so that one of its keys can be set: "integrator.rtol=1e-8".
static kane_node *begin_part(const setting *s, kane_node *root, const char *key, const char *path)
{
    const char *name = kane_arena_text(s->arena, key);
    kane_node *part  = name ? empty_object(s, root, name, path) : NULL;
    if (part)
        kane_node_append(root, part);
    return part;
}

static int is_end(const char *path, const char *at)
{
    return kane_path_next(path, &at).kind == KANE_PATH_END;
}

// Sets the value: in place of `old`, or as a new key of an object (old NULL).
static kane_status put_value(const setting *s, kane_node *parent, kane_node *old, const char *key, const char *text)
{
    kane_node *value;
    const kane_status status = kane_json_value(s->arena, text, s->place, key, parent->depth + 1, &value, s->errors);
    if (status != KANE_OK)
        return status;
    if (old)
        kane_node_replace(old, value);
    else
        kane_node_append(parent, value);
    return KANE_OK;
}

static kane_status follow_path(setting s, kane_node *node, const char *path, const char *at, const char *text);

static kane_status wrong_path(const setting *s, const char *at)
{
    kane_errors_add_input(s->errors, KANE_BAD_INPUT, s->place,
                          "a path looks like bodies.body.mass, sections[2].shape, sections[*].shape or "
                          "elements.\"a name\".law; this one cannot be read at '%s'",
                          at);
    return KANE_BAD_INPUT;
}

// Whether an element of a list has what a path leads to, so that [*] means it, too.
static int leads_somewhere(const setting *s, const kane_node *node, const char *path, const char *at)
{
    for (;;) {
        const kane_path_step step = kane_path_next(path, &at);
        if (step.kind == KANE_PATH_END || step.kind == KANE_PATH_EACH)
            return 1;
        if (step.kind == KANE_PATH_INDEX)
            node = node->kind == KANE_NODE_LIST ? kane_node_at(node, step.index) : NULL;
        else if (step.kind == KANE_PATH_KEY && node->kind == KANE_NODE_OBJECT) {
            const kane_node *own = kane_node_find(node, step.key);
            node                 = own ? own : kane_inherit_find(s->root, node, step.key);
        } else
            node = NULL;
        if (!node)
            return 0;
    }
}

// sections[*].shape: every element of the list that has what the rest of the path leads to.
static kane_status follow_each(const setting *s, kane_node *list, const char *path, const char *at, const char *text)
{
    kane_status status = KANE_OK;
    int taken          = 0;
    if (list->kind != KANE_NODE_LIST) {
        char found[200];
        kane_text described = kane_text_start(sizeof found, found);
        kane_node_describe(&described, list);
        kane_errors_add_input(s->errors, KANE_BAD_INPUT, s->place, "found %s, it has no elements [*]", found);
        return KANE_BAD_INPUT;
    }
    for (int i = 0; i < list->count && status == KANE_OK; i++) {
        kane_node *element = kane_node_at(list, i);
        if (!leads_somewhere(s, element, path, at))
            continue;
        setting below    = *s;
        below.place.path = kane_path_join(s->arena, s->place.path, NULL, i);
        status           = below.place.path ? follow_path(below, element, path, at, text) : no_memory(s);
        taken++;
    }
    if (status == KANE_OK && taken == 0) {
        kane_errors_add_input(s->errors, KANE_BAD_INPUT, s->place, "no element of this list of %d has '%s'",
                              list->count, at + strspn(at, "."));
        return KANE_BAD_INPUT;
    }
    return status;
}

// Follows a path from a node on and sets its end.
static kane_status follow_path(setting s, kane_node *node, const char *path, const char *at, const char *text)
{
    const char *before  = at;
    kane_path_step step = kane_path_next(path, &at);
    for (;;) {
        if (step.kind == KANE_PATH_EACH) {
            const char *rest          = at;
            const kane_path_step more = kane_path_next(path, &rest);
            return more.kind == KANE_PATH_END ? wrong_path(&s, before) : follow_each(&s, node, path, at, text);
        }
        const int is_key          = step.kind == KANE_PATH_KEY;
        const char *next          = at;
        const kane_path_step more = kane_path_next(path, &at);
        if (step.kind == KANE_PATH_NO_MEMORY || more.kind == KANE_PATH_NO_MEMORY)
            return no_memory(&s);
        if (step.kind == KANE_PATH_WRONG || more.kind == KANE_PATH_WRONG)
            return wrong_path(&s, step.kind == KANE_PATH_WRONG ? before : next);
        kane_node *child = is_key                         ? kane_node_find(node, step.key)
                           : node->kind == KANE_NODE_LIST ? kane_node_at(node, step.index)
                                                          : NULL;
        if (is_key ? node->kind != KANE_NODE_OBJECT : !child)
            return wrong_kind(&s, node, &step);
        const char *below = kane_path_join(s.arena, s.place.path, is_key ? step.key : NULL, step.index);
        if (!below)
            return no_memory(&s);
        if (!child && more.kind != KANE_PATH_END)
            child = make_own(&s, node, step.key, below);
        if (!child && node == s.root && more.kind == KANE_PATH_KEY && is_end(path, at))
            child = begin_part(&s, node, step.key, below);
        if (!child && more.kind != KANE_PATH_END)
            return kane_arena_failed(s.arena) ? no_memory(&s) : missing_key(&s, node, step.key);
        s.place.path = below;
        if (more.kind == KANE_PATH_END)
            return put_value(&s, node, child, is_key ? step.key : "", text);
        node   = child;
        step   = more;
        before = next;
    }
}

// The first '=' outside of double quotes, NULL if there is none.
static const char *find_equals(const char *text)
{
    int quoted = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '=' && !quoted)
            return p;
        if (*p == '"')
            quoted = !quoted;
        else if (*p == '\\' && quoted && p[1])
            p++;
    }
    return NULL;
}

// Behind a leading "vehicle." in a vehicle: a setting may name the document that it is for.
static const char *skip_kind(const kane_node *root, const char *assignment)
{
    const kane_node *kane = kane_node_find(root, "kane");
    const size_t length   = kane && kane->kind == KANE_NODE_TEXT ? strcspn(kane->text, " ") : 0;
    const int is_named    = length > 0 && strncmp(assignment, kane->text, length) == 0 && assignment[length] == '.';
    return is_named ? assignment + length + 1 : assignment;
}

// The path of an assignment "PATH=VALUE" whose '=' is at `equals`; NULL without memory.
static const char *path_of(kane_arena *arena, const kane_node *root, const char *assignment, const char *equals)
{
    const char *start = skip_kind(root, assignment + strspn(assignment, " "));
    const char *end   = equals;
    while (end > start && end[-1] == ' ')
        end--;
    return kane_arena_text_part(arena, start, (size_t)(end - start));
}

int kane_json_assigns(kane_arena *arena, const kane_node *root, const char *assignment, const char *key)
{
    const char *equals = find_equals(assignment);
    const char *path = equals ? path_of(arena, root, assignment, equals) : NULL, *at = path;
    const kane_path_step step = path ? kane_path_next(path, &at) : (kane_path_step){.kind = KANE_PATH_END};
    return step.kind == KANE_PATH_KEY && strcmp(step.key, key) == 0;
}

// Sets the value of an assignment "PATH=VALUE"; place: where it was written.
static kane_status assign_value(kane_arena *arena, kane_node *root, const char *assignment, kane_place place,
                                kane_errors *errors)
{
    const char *equals = find_equals(assignment);
    if (!equals) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, place,
                              "expected PATH=VALUE, such as bodies.body.mass=9 t or speed=[]");
        return KANE_BAD_INPUT;
    }
    const char *path = path_of(arena, root, assignment, equals);
    place.path       = ""; // from here on, that of what is set
    setting s        = {.arena = arena, .root = root, .place = place, .errors = errors};
    return path ? follow_path(s, root, path, path, equals + 1 + strspn(equals + 1, " ")) : no_memory(&s);
}

kane_status kane_json_assign(kane_arena *arena, kane_node *root, const char *assignment, kane_errors *errors)
{
    return kane_json_assign_part(arena, root, assignment, assignment, errors);
}

kane_status kane_json_assign_part(kane_arena *arena, kane_node *root, const char *assignment, const char *typed,
                                  kane_errors *errors)
{
    static const char option[] = KANE_FILE_TYPED "set ";
    kane_place place           = {.file = "--set", .path = ""};
    const size_t length        = strlen(typed);
    char *file                 = kane_arena_alloc(arena, sizeof option + length, 1);
    if (!file) {
        kane_errors_add_input(errors, KANE_NO_MEMORY, place, "out of memory");
        return KANE_NO_MEMORY;
    }
    memcpy(file, option, sizeof option - 1);
    memcpy(file + sizeof option - 1, typed, length + 1);
    place.file = file;
    return assign_value(arena, root, assignment, place, errors);
}

kane_status kane_json_assign_from(kane_arena *arena, kane_node *root, const kane_node *text, kane_errors *errors)
{
    return assign_value(arena, root, text->text, text->place, errors);
}

// === What a path leads to.

typedef struct reading {
    kane_place place;
    const char *path;
    kane_errors *errors;
    int count;    // of numbers found
    double value; // of the first
} reading;

static kane_status not_there(const reading *r, const kane_node *at, const char *what)
{
    char found[200];
    kane_text text = kane_text_start(sizeof found, found);
    kane_node_describe(&text, at);
    kane_errors_add_input(r->errors, KANE_BAD_INPUT, r->place, "'%s' %s (found %s)", r->path, what, found);
    return KANE_BAD_INPUT;
}

static kane_status take_number(reading *r, const kane_node *node)
{
    double value = node->number;
    if (node->kind != KANE_NODE_NUMBER && !(node->kind == KANE_NODE_TEXT && kane_quantity_value(node->text, &value)))
        return not_there(r, node, "is no number or quantity");
    if (r->count > 0 && value != r->value)
        return not_there(r, node, "are numbers that are not the same");
    r->value = value;
    r->count++;
    return KANE_OK;
}

static kane_status read_on(reading *r, const kane_node *node, const char *at)
{
    const kane_path_step step = kane_path_next(r->path, &at);
    kane_status status        = KANE_OK;
    const kane_node *child    = NULL;
    if (step.kind == KANE_PATH_END)
        return take_number(r, node);
    if (step.kind == KANE_PATH_WRONG || step.kind == KANE_PATH_NO_MEMORY)
        return not_there(r, node, "is no path such as bodies.body.mass or elements.\"a name\".at[2]");
    if (step.kind == KANE_PATH_EACH && node->kind == KANE_NODE_LIST) {
        for (const kane_node *element = node->child; element && status == KANE_OK; element = element->next)
            status = read_on(r, element, at);
        return status;
    }
    if (step.kind == KANE_PATH_KEY)
        child = kane_node_find(node, step.key);
    else if (step.kind == KANE_PATH_INDEX && node->kind == KANE_NODE_LIST)
        child = kane_node_at(node, step.index);
    return child ? read_on(r, child, at)
                 : not_there(r, node, "is not in the file; what is left out there can be given by --set PATH=VALUE");
}

kane_status kane_json_number(const kane_node *root, const char *path, kane_place place, double *value,
                             kane_errors *errors)
{
    reading r                = {.place = place, .path = skip_kind(root, path), .errors = errors};
    const kane_status status = read_on(&r, root, r.path);
    if (status == KANE_OK && r.count == 0)
        return not_there(&r, root, "leads to no number");
    *value = r.value;
    return status;
}
