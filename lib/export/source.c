// SPDX-License-Identifier: MIT
// Sources of libkane taken apart.

#include "export/source.h"

#include "base/file.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// === Words.

struct kane_words {
    kane_arena *arena;
    int count, room;
    const char **texts;
    int slot_count; // a power of 2
    int *slots;     // word + 1; 0: free
};

kane_words *kane_words_create(kane_arena *arena)
{
    kane_words *words = kane_arena_alloc(arena, 1, sizeof *words);
    if (words) {
        words->arena      = arena;
        words->room       = 1 << 16;
        words->slot_count = 1 << 18;
        words->texts      = kane_arena_alloc(arena, (size_t)words->room, sizeof *words->texts);
        words->slots      = kane_arena_alloc(arena, (size_t)words->slot_count, sizeof *words->slots);
    }
    return words && words->texts && words->slots ? words : NULL;
}

static int *slot_of(const kane_words *words, const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    for (uint32_t at = hash;; at++) {
        int *slot = &words->slots[at & (uint32_t)(words->slot_count - 1)];
        if (*slot == 0)
            return slot;
        const char *known = words->texts[*slot - 1];
        if (strncmp(known, text, length) == 0 && known[length] == '\0')
            return slot;
    }
}

int kane_words_add(kane_words *words, const char *text, size_t length)
{
    int *slot = slot_of(words, text, length);
    if (*slot)
        return *slot - 1;
    if (words->count == words->room)
        return -1;
    words->texts[words->count] = kane_arena_text_part(words->arena, text, length);
    if (!words->texts[words->count])
        return -1;
    *slot = ++words->count;
    return words->count - 1;
}

int kane_words_find(const kane_words *words, const char *text, size_t length)
{
    return *slot_of(words, text, length) - 1;
}

const char *kane_words_text(const kane_words *words, int word)
{
    return words->texts[word];
}

int kane_words_count(const kane_words *words)
{
    return words->count;
}

// === Tokens.

static int begins_name(char c)
{
    return kane_is_letter(c) || c == '_';
}

static int is_of_name(char c)
{
    return kane_is_letter_or_digit(c) || c == '_';
}

// Behind a comment, a text or a number that begins at `at`; the same place if none does.
static size_t skip_opaque(const char *text, size_t end, size_t at)
{
    const char c = text[at];
    if (c == '/' && at + 1 < end && text[at + 1] == '/') {
        while (at < end && text[at] != '\n')
            at++;
    } else if (c == '/' && at + 1 < end && text[at + 1] == '*') {
        const char *close = strstr(text + at + 2, "*/");
        at                = close ? (size_t)(close - text) + 2 : end;
    } else if (c == '"' || c == '\'') {
        for (at++; at < end && text[at] != c; at++)
            at += text[at] == '\\';
        at++;
    } else if (kane_is_digit(c)) {
        while (at < end && (is_of_name(text[at]) || text[at] == '.' ||
                            ((text[at] == '+' || text[at] == '-') && strchr("eEpP", text[at - 1]))))
            at++;
    }
    return at < end ? at : end;
}

int kane_source_next_name(const char *text, size_t end, size_t *at, size_t *length, char *before)
{
    *before = '\0';
    for (size_t i = *at; i < end;) {
        const size_t behind = skip_opaque(text, end, i);
        if (behind > i) {
            if (text[i] != '/')
                *before = text[i];
            i = behind;
        } else if (begins_name(text[i])) {
            *at     = i;
            *length = 0;
            while (i + *length < end && is_of_name(text[i + *length]))
                ++*length;
            return 1;
        } else {
            if (!kane_is_space(text[i]))
                *before = text[i];
            i++;
        }
    }
    return 0;
}

static int is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

// === Parts.

enum { NAMES_MOST = 512, USES_MOST = 8192 };

typedef struct reader {
    kane_arena *arena;
    kane_words *words;
    const char *text;
    size_t size;
    int failed;
    int count, room;
    kane_source_part *parts;
    int name_count, use_count; // scratch of a part
    int names[NAMES_MOST], uses[USES_MOST];
    char is_variable[USES_MOST];
} reader;

static void add_name(reader *r, const char *text, size_t length)
{
    const int word = kane_words_add(r->words, text, length);
    if (word < 0 || r->name_count == NAMES_MOST)
        r->failed = 1;
    else
        r->names[r->name_count++] = word;
}

// Whether a name is that of a variable declared there: a type precedes it.
static int is_declared(const char *text, size_t begin, size_t at, size_t length)
{
    static const char *const words[] = {"return", "case", "else", "sizeof", "do", "goto"};
    size_t end                       = at;
    int stars                        = 0;
    while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '*')) {
        stars += text[end - 1] == '*';
        end--;
    }
    size_t first = end;
    while (first > begin && is_of_name(text[first - 1]))
        first--;
    if (first == end || end == at || kane_is_digit(text[first]))
        return 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(text + first, end - first, words[i]))
            return 0;
    const char next = text[at + length];
    return stars == 0 || (text[at - 1] == '*' && strchr(",)[;", next)) ||
           (text[at - 1] == '*' && next == ' ' && text[at + length + 1] == '=');
}

// Adds the words of a range to the uses of the part, except members of structs.
static void add_uses(reader *r, size_t begin, size_t end)
{
    size_t at = begin, length;
    char before;
    while (kane_source_next_name(r->text, end, &at, &length, &before)) {
        const int is_member = before == '.' || (before == '>' && r->text[at - 1] == '>' && r->text[at - 2] == '-');
        const int word      = is_member ? -1 : kane_words_add(r->words, r->text + at, length);
        int use             = 0;
        while (use < r->use_count && r->uses[use] != word)
            use++;
        if (use == r->use_count && use < USES_MOST && !is_member) {
            r->uses[use]        = word;
            r->is_variable[use] = 0;
            r->use_count++;
        }
        if (use < r->use_count && !is_member && is_declared(r->text, begin, at, length))
            r->is_variable[use] = 1;
        at += length;
    }
}

static const int *copy_words(reader *r, int count, const int *list)
{
    int *own = kane_arena_alloc(r->arena, (size_t)count, sizeof *own);
    if (!own)
        r->failed = 1;
    else if (count)
        memcpy(own, list, (size_t)count * sizeof *own);
    return own;
}

static void add_part(reader *r, kane_source_part part)
{
    add_uses(r, part.begin, part.end);
    part.name_count  = r->name_count;
    part.names       = copy_words(r, r->name_count, r->names);
    part.use_count   = r->use_count;
    part.uses        = copy_words(r, r->use_count, r->uses);
    part.is_variable = kane_arena_text_part(r->arena, r->is_variable, (size_t)r->use_count);
    r->failed |= !part.is_variable;
    r->name_count = r->use_count = 0;
    if (r->count == r->room) {
        const int room           = r->room ? 2 * r->room : 64;
        kane_source_part *larger = kane_arena_alloc(r->arena, (size_t)room, sizeof *larger);
        if (!larger) {
            r->failed = 1;
            return;
        }
        if (r->count)
            memcpy(larger, r->parts, (size_t)r->count * sizeof *larger);
        r->parts = larger;
        r->room  = room;
    }
    r->parts[r->count++] = part;
}

static size_t end_of_line(const reader *r, size_t at)
{
    while (at < r->size && r->text[at] != '\n')
        at++;
    return at;
}

// A directive with the lines that continue it.
static size_t end_of_directive(const reader *r, size_t at)
{
    size_t end = end_of_line(r, at);
    while (end > at && r->text[end - 1] == '\\' && end < r->size)
        end = end_of_line(r, end + 1);
    return end;
}

static int starts_with(const reader *r, size_t at, const char *with)
{
    return strncmp(r->text + at, with, strlen(with)) == 0;
}

static size_t skip_spaces(const reader *r, size_t at)
{
    while (at < r->size && kane_is_space(r->text[at]))
        at++;
    return at;
}

static size_t read_directive(reader *r, size_t comment, size_t begin)
{
    kane_source_part part = {.comment = comment, .begin = begin, .end = end_of_directive(r, begin)};
    size_t at             = begin + 1;
    while (r->text[at] == ' ')
        at++;
    if (starts_with(r, at, "include")) {
        const size_t open = at + strcspn(r->text + at, "<\""), close = open + 1 + strcspn(r->text + open + 1, ">\"");
        const int is_ours = r->text[open] == '"' || starts_with(r, open + 1, "kane/");
        part.kind         = is_ours ? KANE_SOURCE_INCLUDE : KANE_SOURCE_SYSTEM;
        part.include      = kane_arena_text_part(r->arena, r->text + open + 1, close - open - 1);
        r->failed |= !part.include;
        const size_t end = part.end;
        part.end         = part.begin; // its words are no names
        add_part(r, part);
        if (!r->failed)
            r->parts[r->count - 1].end = end;
        return end;
    }
    if (starts_with(r, at, "define")) {
        size_t length;
        char before;
        part.kind      = KANE_SOURCE_MACRO;
        part.is_strong = 1;
        at += strlen("define");
        if (kane_source_next_name(r->text, part.end, &at, &length, &before))
            add_name(r, r->text + at, length);
    } else if (starts_with(r, at, "undef")) {
        part.kind = KANE_SOURCE_UNDEFINE;
    } else {
        part.kind         = KANE_SOURCE_BRANCH;
        part.depth_change = starts_with(r, at, "if") ? 1 : starts_with(r, at, "endif") ? -1 : 0;
    }
    add_part(r, part);
    return part.end;
}

// A declaration on its way: what has been seen of it.
typedef struct sight {
    int depth;             // of braces
    int round;             // of round brackets
    int is_type, is_typed; // it begins with typedef; a struct or an enum is spelt out
    int is_enum;           // the braces are an enum's
    int is_extern, is_local;
    int has_name, is_function, has_body, has_value, has_braces;
    size_t last, last_length; // the last name at depth 0
    char last_token;
} sight;

// Names of what is enumerated stand before a comma, a sign of equality or the end.
static int ends_enumerator(const reader *r, size_t behind)
{
    const size_t at = skip_spaces(r, behind);
    return r->text[at] == ',' || r->text[at] == '=' || r->text[at] == '}' || starts_with(r, at, "//");
}

static void see_name(reader *r, sight *s, size_t at, size_t length)
{
    const char *name = r->text + at;
    if (s->depth == 1 && s->is_enum && s->round == 0 && (s->last_token == '{' || s->last_token == ',') &&
        ends_enumerator(r, at + length))
        add_name(r, name, length);
    if (s->depth > 0 || s->round > 0)
        return;
    if (is_word(name, length, "typedef"))
        s->is_type = 1;
    else if (is_word(name, length, "extern"))
        s->is_extern = 1;
    else if (is_word(name, length, "static") || is_word(name, length, "KANE_INLINE") ||
             is_word(name, length, "KANE_FORMULA"))
        s->is_local = 1;
    else if (is_word(name, length, "enum"))
        s->is_enum = s->is_typed = 1;
    else if (is_word(name, length, "struct") || is_word(name, length, "union"))
        s->is_typed = 1;
    s->last        = at;
    s->last_length = length;
}

// Behind __attribute__((...)).
static size_t skip_brackets(const reader *r, size_t at)
{
    int depth = 0;
    for (at = skip_spaces(r, at); at < r->size; at++) {
        depth += (r->text[at] == '(') - (r->text[at] == ')');
        if (depth == 0)
            return at + 1;
    }
    return at;
}

// typedef int (*name)(...): the name in brackets.
static void name_pointer(reader *r, size_t open)
{
    size_t at = open, length;
    char before;
    if (kane_source_next_name(r->text, r->size, &at, &length, &before))
        add_name(r, r->text + at, length);
}

// Reads one character of a declaration that is no name. Returns 1 at its end.
static int see_mark(reader *r, sight *s, size_t at)
{
    const char c     = r->text[at];
    const int is_top = s->depth == 0 && s->round == 0;
    switch (c) {
    case '(':
        if (is_top && !s->has_name && !s->has_value) {
            const size_t inside = skip_spaces(r, at + 1);
            if (r->text[inside] == '*')
                name_pointer(r, inside);
            else
                add_name(r, r->text + s->last, s->last_length);
            s->has_name    = 1;
            s->is_function = r->text[inside] != '*';
        }
        s->round++;
        break;
    case ')': s->round--; break;
    case '{':
        if (is_top && s->last_token == ')')
            s->has_body = 1;
        else if (is_top && s->is_typed && !s->has_value && s->last_length > 0 &&
                 !is_word(r->text + s->last, s->last_length, "struct") &&
                 !is_word(r->text + s->last, s->last_length, "enum") &&
                 !is_word(r->text + s->last, s->last_length, "union"))
            add_name(r, r->text + s->last, s->last_length); // the tag
        s->has_braces = 1;
        s->depth++;
        break;
    case '}':
        s->depth--;
        if (s->depth == 0 && s->has_body)
            return 1;
        break;
    case '[':
    case '=':
    case ',':
    case ';':
        if (is_top && s->last_length > 0 && !s->is_function && !(s->has_name && s->is_type) && s->last_token != ']' &&
            !(s->has_value && c != ',' && c != ';') && s->last_token != '}' && begins_name(r->text[s->last]) &&
            r->text[s->last + s->last_length - 1] == s->last_token)
            add_name(r, r->text + s->last, s->last_length);
        if (is_top && c == '=')
            s->has_value = 1;
        if (is_top && c == ';')
            return 1;
        break;
    default: break;
    }
    return 0;
}

static size_t read_declaration(reader *r, size_t comment, size_t begin)
{
    sight s  = {0};
    size_t i = begin;
    for (int done = 0; i < r->size && !done;) {
        const size_t behind = skip_opaque(r->text, r->size, i);
        if (behind > i) {
            if (r->text[i] != '/')
                s.last_token = '0';
            i = behind;
        } else if (begins_name(r->text[i])) {
            size_t length = 0;
            while (is_of_name(r->text[i + length]))
                length++;
            if (is_word(r->text + i, length, "__attribute__")) {
                i = skip_brackets(r, i + length);
                continue;
            }
            see_name(r, &s, i, length);
            i += length;
            s.last_token = r->text[i - 1];
        } else {
            done = see_mark(r, &s, i);
            if (!kane_is_space(r->text[i]))
                s.last_token = r->text[i];
            i++;
        }
    }
    const int is_defined = s.has_body || (!s.is_type && !s.is_function && !s.is_extern && (s.has_value || !s.is_typed));
    kane_source_part part = {.kind        = is_defined ? KANE_SOURCE_DEFINITION : KANE_SOURCE_DECLARATION,
                             .comment     = comment,
                             .begin       = begin,
                             .end         = i,
                             .is_local    = s.is_local,
                             .is_function = s.has_body,
                             .is_strong   = is_defined || s.has_braces};
    add_part(r, part);
    return i;
}

// The names that NAME##_suffix makes of the first argument, for all macros that make functions.
static void name_made(reader *r, const char *argument, size_t length)
{
    static const char *const suffixes[] = {"_eval", "_rates", "_derive"};
    char name[256];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (snprintf(name, sizeof name, "%.*s%s", (int)length, argument, suffixes[i]) < (int)sizeof name)
            add_name(r, name, strlen(name));
}

static size_t read_call(reader *r, size_t comment, size_t begin, size_t open)
{
    size_t length = 0, argument = skip_spaces(r, open + 1);
    while (is_of_name(r->text[argument + length]))
        length++;
    name_made(r, r->text + argument, length);
    size_t end = skip_brackets(r, open);
    if (r->text[end] == ';')
        end++;
    add_part(
        r,
        (kane_source_part){
            .kind = KANE_SOURCE_CALL, .is_strong = 1, .comment = comment, .begin = begin, .end = end, .is_local = 1});
    return end;
}

// Where the round bracket of a macro opens that stands alone at the top level; 0: it is no such macro.
static size_t find_call(const reader *r, size_t begin)
{
    size_t at = begin;
    while (kane_is_upper(r->text[at]) || r->text[at] == '_' || kane_is_digit(r->text[at]))
        at++;
    return at > begin + 1 && r->text[at] == '(' ? at : 0;
}

static void read_parts(reader *r)
{
    size_t at = 0, comment = 0;
    int has_comment = 0;
    while (at < r->size && !r->failed) {
        const size_t line_end = end_of_line(r, at);
        if (r->text[at] == '\n' || starts_with(r, at, "KANE_C_BEGIN\n") || starts_with(r, at, "KANE_C_END\n")) {
            has_comment = 0; // it belongs to nothing; what is exported is C
            at          = line_end + 1;
        } else if (starts_with(r, at, "//")) {
            comment     = has_comment ? comment : at;
            has_comment = 1;
            at          = line_end + 1;
        } else {
            const size_t from = has_comment ? comment : at, open = find_call(r, at);
            at          = r->text[at] == '#' ? read_directive(r, from, at)
                          : open             ? read_call(r, from, at, open)
                                             : read_declaration(r, from, at);
            has_comment = 0;
            at          = end_of_line(r, at) + 1; // with a comment behind it
            if (r->count > 0 && !r->failed)
                r->parts[r->count - 1].end = at - 1 < r->size ? at - 1 : r->size;
        }
    }
}

// #ifndef NAME, #define NAME, ... #endif around everything: taken away.
static int drop_guard(reader *r)
{
    if (r->count < 3 || !starts_with(r, r->parts[0].begin, "#ifndef") || r->parts[1].kind != KANE_SOURCE_MACRO ||
        !starts_with(r, r->parts[r->count - 1].begin, "#endif"))
        return 0;
    r->parts += 2;
    r->count -= 3;
    return 1;
}

// Members of the tables of force laws that only compiling a model needs are left out: reading parameters, static loads.
static void blank_members(const char *path, char *text)
{
    static const char *const members[] = {".schema ", ".prepare ", ".preload_axes ", ".settle "};
    for (size_t i = 0; i < sizeof members / sizeof *members && strncmp(path, "lib/force/", 10) == 0; i++)
        for (char *at = strstr(text, members[i]); at; at = strstr(at + 1, members[i])) {
            const size_t value = strspn(at + strlen(members[i]), " ") + strlen(members[i]);
            if (at[value] != '=')
                continue;
            const size_t length = strcspn(at, ",}");
            memset(at, ' ', length + (at[length] == ','));
        }
}

const kane_source *kane_source_read(kane_arena *arena, kane_words *words, const char *folder, const char *path,
                                    kane_errors *errors)
{
    char file[4096];
    kane_source *source = kane_arena_alloc(arena, 1, sizeof *source);
    reader *r           = kane_arena_alloc(arena, 1, sizeof *r);
    if (!source || !r)
        return NULL;
    (void)snprintf(file, sizeof file, "%s/%s", folder, path);
    *r         = (reader){.arena = arena, .words = words};
    char *text = kane_file_read(arena, file, &r->size, errors);
    r->text    = text;
    if (!text)
        return NULL;
    blank_members(path, text);
    read_parts(r);
    source->path       = kane_arena_text(arena, path);
    source->text       = r->text;
    source->is_guarded = drop_guard(r);
    source->part_count = r->count;
    source->parts      = r->parts;
    if (!r->failed && source->path)
        return source;
    kane_errors_add(errors, KANE_NO_MEMORY, "%s", kane_status_text(KANE_NO_MEMORY));
    return NULL;
}
