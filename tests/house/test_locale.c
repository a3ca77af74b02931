// SPDX-License-Identifier: MIT
// What a library prints and reads does not depend on the locale of its host: outside lib/base no number that is not
// whole goes through stdio or stdlib directly, and no letter through <ctype.h>.

#include "sources.h"

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

static int is_among(const char *const *words, size_t count, const char *at, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && strncmp(words[i], at, length) == 0)
            return 1;
    return 0;
}

// Whether a text of a source has a conversion of a number that is not whole, or one that groups digits: %g, %-9.*e,
// %lf, %'d.
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
        const char *behind = source_skip_token(at);
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
        const char *behind = source_skip_token(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        if (!source_is_word(*at)) {
            at++;
            continue;
        }
        const char *word = at;
        while (source_is_word(*at))
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

static int is_read(const char *name)
{
    return source_is_c(name) || source_ends_with(name, ".py");
}

// What was found in the sources below a folder; `named`: whether breaches are printed.
typedef struct census {
    int breaches, files, named;
} census;

static void count_in(const char *path, const char *text, void *data)
{
    census *c = data;
    if (strncmp(path, "lib/base/", 9) == 0)
        return;
    c->breaches += source_ends_with(path, ".py") ? count_python_breaches(text, path)
                                                 : count_breaches(text, c->named ? path : NULL);
    c->files++;
}

CHECK_TEST(numbers_and_letters_go_through_base)
{
    int breaches = 0, files = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        census c = {0, 0, 0};
        source_visit_folder(folders[i].folder, is_read, count_in, &c);
        files += c.files;
        if (c.breaches > folders[i].most) {
            print_error("%s: %d places, allowed are %d; use base/number.h, base/text.h\n", folders[i].folder,
                        c.breaches, folders[i].most);
            c.named = 1;
            source_visit_folder(folders[i].folder, is_read, count_in, &c);
            breaches++;
        } else if (c.breaches < folders[i].most)
            print_message("%s: %d places; the allowance of %d can be lowered\n", folders[i].folder, c.breaches,
                          folders[i].most);
    }
    assert_true(files > 400);
    assert_int_equal(breaches, 0);
}

CHECK_TEST(breaches_are_seen)
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
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (count_breaches(samples[i].text, NULL) != samples[i].count)
            fail_msg("%s: %d breaches, expected %d", samples[i].text, count_breaches(samples[i].text, NULL),
                     samples[i].count);
}

CHECK_MAIN(NULL, NULL)
