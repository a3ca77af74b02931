// SPDX-License-Identifier: MIT
// What a library prints and reads does not depend on the locale of its host: outside lib/base no number that is not whole goes through
// stdio or stdlib directly, and no letter through <ctype.h>.

#include "check.h"

#include <dirent.h>

typedef struct allowance {
    const char *folder;
    int most; // breaches; lower it when they become fewer
} allowance;

// apps/kane calls no setlocale(); it follows when its tables are rebuilt.
static const allowance folders[] = {
    {"lib", 0}, {"track", 0}, {"vehicles", 0}, {"apps/fmu", 0}, {"apps/python", 0}, {"apps/kane", 91},
};

// Functions whose result depends on the locale whatever their arguments are.
static const char *const banned[] = {
    "atof",       "strtod",    "strtof",    "strtold",  "wcstod",       "vprintf",   "vfprintf",    "vsprintf",
    "vsnprintf",  "vdprintf",  "vscanf",    "vfscanf",  "vsscanf",      "setlocale", "localeconv",  "uselocale",
    "strcoll",    "strxfrm",   "isalpha",   "isalnum",  "isdigit",      "isxdigit",  "isspace",     "isblank",
    "isupper",    "islower",   "ispunct",   "isprint",  "isgraph",      "iscntrl",   "tolower",     "toupper",
    "strcasecmp", "fnmatch",   "strptime",  "mbstowcs", "mbtowc",       "wcstombs",  "strncasecmp", "strerror",
    "strerror_r", "strsignal", "to_string", "stod",     "ostringstream"};

// Functions whose format decides; it must be seen.
static const char *const formatted[] = {"printf", "fprintf", "sprintf", "snprintf", "dprintf",
                                        "scanf",  "fscanf",  "sscanf",  "asprintf"};

static int is_word_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int is_among(const char *const *words, size_t count, const char *at, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && strncmp(words[i], at, length) == 0)
            return 1;
    return 0;
}

// Behind a comment, a text or a character that begins at `at`; `at` itself if none does.
static const char *skip_token(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    const char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

// Whether a text of a source has a conversion of a number that is not whole, or one that groups digits: %g, %-9.*e, %lf, %'d.
static int has_conversion(const char *text, const char *end)
{
    for (const char *p = text; p < end; p++) {
        if (*p != '%')
            continue;
        if (p[1] == '%') {
            p++;
            continue;
        }
        const char *q = p + 1;
        q += strspn(q, "-+ #0123456789.*");
        if (*q == '\'')
            return 1;
        q += strspn(q, "lLhjzt");
        if (q < end && *q && strchr("eEfFgGaA", *q))
            return 1;
    }
    return 0;
}

// Whether the call whose arguments begin at `at` has such a conversion, or no text at all.
static int prints_by_locale(const char *at)
{
    int depth = 1, texts = 0;
    while (*at && depth > 0) {
        const char *behind = skip_token(at);
        if (behind != at) {
            if (*at == '"') {
                texts++;
                if (has_conversion(at + 1, behind - 1))
                    return 1;
            }
            at = behind;
            continue;
        }
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        at++;
    }
    return texts == 0;
}

// Breaches in a text of C, which are named if `file` is not NULL.
static int count_breaches(const char *text, const char *file)
{
    int count = 0;
    for (const char *at = text; *at;) {
        const char *behind = skip_token(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        if (!is_word_part(*at)) {
            at++;
            continue;
        }
        const char *word = at;
        while (is_word_part(*at))
            at++;
        const size_t length = (size_t)(at - word);
        const char *open    = at + strspn(at, " ");
        if (*open != '(' && !(file && strstr(file, ".cc")))
            continue;
        if (!is_among(banned, sizeof banned / sizeof *banned, word, length) &&
            !(*open == '(' && is_among(formatted, sizeof formatted / sizeof *formatted, word, length) &&
              prints_by_locale(open + 1)))
            continue;
        count++;
        if (file) {
            int line = 1;
            for (const char *p = text; p < word; p++)
                line += *p == '\n';
            print_message("%s:%d: %.*s\n", file, line, (int)length, word);
        }
    }
    return count;
}

// Python's own printing knows no locale but where it is asked for it.
static int count_python_breaches(const char *text, const char *file)
{
    static const char *const words[] = {"import locale", "locale.", ":n}", ".strtod", ".atof", ".printf"};
    int count                        = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = text; (at = strstr(at, words[i])) != NULL; at++) {
            print_message("%s: %s\n", file, words[i]);
            count++;
        }
    return count;
}

static char *read_text(const char *path)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    const long size = ftell(in);
    char *text      = calloc((size_t)size + 1, 1);
    rewind(in);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, in), size);
    (void)fclose(in);
    return text;
}

static int ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

// Breaches in all sources below a folder; `named`: whether they are printed.
static int count_in(const char *folder, int *files, int named)
{
    int count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
        DIR *within = entry->d_name[0] == '.' ? NULL : opendir(path);
        if (within) {
            (void)closedir(within);
            count += strcmp(entry->d_name, "base") == 0 && ends_with(folder, "/lib") ? 0 : count_in(path, files, named);
            continue;
        }
        const int is_python = ends_with(path, ".py");
        if (!is_python && !ends_with(path, ".c") && !ends_with(path, ".h") && !ends_with(path, ".cc"))
            continue;
        char *text = read_text(path);
        count += is_python ? count_python_breaches(text, path) : count_breaches(text, named ? path : NULL);
        free(text);
        (*files)++;
    }
    (void)closedir(open);
    return count;
}

static void numbers_and_letters_go_through_base(void **state)
{
    (void)state;
    int breaches = 0, files = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char folder[1024];
        (void)snprintf(folder, sizeof folder, "%s/%s", KANE_SOURCE_DIR, folders[i].folder);
        const int count = count_in(folder, &files, 0);
        if (count > folders[i].most) {
            (void)count_in(folder, &files, 1);
            print_error("%s: %d places, allowed are %d; use base/print.h, base/number.h, base/letter.h\n",
                        folders[i].folder, count, folders[i].most);
            breaches++;
        } else if (count < folders[i].most)
            print_message("%s: %d places; the allowance of %d can be lowered\n", folders[i].folder, count,
                          folders[i].most);
    }
    assert_true(files > 400);
    assert_int_equal(breaches, 0);
}

static void breaches_are_seen(void **state)
{
    static const struct {
        const char *text;
        int count;
    } samples[] = {
        {"printf(\"%g\", x);", 1},
        {"fprintf(f, \"%d\", i);", 0},
        {"fprintf(f, is ? \"%d%%\" : \"%-9.*e\", i);", 1},
        {"snprintf(a, b, format, x);", 1},
        {"kane_snprintf(a, b, \"%.17g\", x);", 0},
        {"vsnprintf(a, b, format, list);", 1},
        {"kane_vsnprintf(a, b, format, list);", 0},
        {"// printf(\"%g\", x)\n\"printf(\\\"%g\\\")\"", 0},
        {"sscanf(text, \"%31s %lf\", a, &x);", 1},
        {"sscanf(text, \"%31s %ld\", a, &x);", 0},
        {"x = strtod(text, NULL) + strtol(text, NULL, 10);", 1},
        {"printf(\"%'d\", i);", 1},
        {"isalpha(c) + kane_is_letter(c)", 1},
        {"printf(\"%s (%%f)\", \"a\");", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (count_breaches(samples[i].text, NULL) != samples[i].count)
            fail_msg("%s: %d breaches, expected %d", samples[i].text, count_breaches(samples[i].text, NULL),
                     samples[i].count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaches_are_seen),
        cmocka_unit_test(numbers_and_letters_go_through_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
