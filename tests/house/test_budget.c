// SPDX-License-Identifier: MIT
// Modules and pages do not grow unnoticed: budget.txt has what each may have of code lines, of private headers, of
// headers too short to be read by themselves, of names and functions that are hard to read, of words. A number above
// its budget fails, and so does a budget that is no longer needed: `test_house_budget lower` writes the smaller numbers
// (and rows of new ones). Nothing but an editor raises one.

#include "sources.h"

#include <ctype.h>

// Columns of a module.
enum module_column {
    CODE_LINES,    // lines that are neither blank nor comment
    HEADERS,       // private headers
    SHORT_HEADERS, // of fewer than 50 lines
    ONE_WORD,      // static functions whose name has no underscore
    BRANCHED,      // functions whose cyclomatic complexity is above 15
    WIDE,          // lines of more than 120 characters
    UNWANTED,      // phrases of unwanted.txt in comments and texts
    MODULE_COLUMNS
};

// Columns of a page.
enum page_column {
    WORDS,          // separated by blanks, code and tables as well
    LONG_SENTENCES, // of more than 40 words, in text
    PAGE_UNWANTED,  // phrases of unwanted.txt in text
    PAGE_COLUMNS
};

enum {
    COLUMNS        = MODULE_COLUMNS,
    ROWS           = 96,
    HEADER_LINES   = 50,
    MOST_BRANCHES  = 15,
    LINE_WIDTH     = 120,
    SENTENCE_WORDS = 40
};

typedef struct row {
    char name[64]; // a module's folder, a page's file
    int count[COLUMNS];
} row;

typedef struct row_list {
    row at[ROWS];
    int count;
} row_list;

// One of the two tables of budget.txt.
typedef struct budget_table {
    int columns, loose_column; // the latter may be fewer than its budget by 20 or by one in a hundred
    const char *names[COLUMNS];
    const char *head;
    row_list counted, budget;
} budget_table;

static budget_table modules = {
    .columns      = MODULE_COLUMNS,
    .loose_column = CODE_LINES,
    .names        = {"code lines", "private headers", "headers below 50 lines", "one-word statics",
                     "functions above complexity 15", "lines above 120 columns",
                     "unwanted phrases (tests/house/unwanted.txt)"},
    .head =
        "# What each module and page may have at most; house.budget compares. Numbers only fall: when one has less,\n"
        "#     build/release/bin/test_house_budget lower\n"
        "# writes the smaller numbers into this file. What must grow is given more here by hand, with the reason in the\n"
        "# commit. code: lines that are neither blank nor comment; headers: private ones, short: of fewer than 50 lines;\n"
        "# one-word: static functions whose name has no underscore; branched: functions above complexity 15; wide: lines\n"
        "# above 120 columns; unwanted: phrases of unwanted.txt in comments and texts. code and words may be fewer by 20\n"
        "# or 1 % without renewal.\n"
        "#\n"
        "# module              code  headers  short  one-word  branched   wide  unwanted\n",
};
static budget_table pages = {
    .columns      = PAGE_COLUMNS,
    .loose_column = WORDS,
    .names        = {"words", "sentences of more than 40 words", "unwanted phrases (tests/house/unwanted.txt)"},
    .head         = "#\n"
                    "# page               words  long sentences  unwanted\n",
};
static const char budget_file[] = "tests/house/budget.txt";

static row *find_row(row_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->at[i].name, name) == 0)
            return &list->at[i];
    return NULL;
}

static row *add_row(row_list *list, const char *name)
{
    assert_true(list->count < ROWS);
    row *new = &list->at[list->count++];
    (void)snprintf(new->name, sizeof new->name, "%s", name);
    return new;
}

// --- counting ---

static int count_code_lines(const char *code)
{
    int count = 0;
    for (const char *line = code; *line; line += strcspn(line, "\n"), line += *line == '\n')
        count += strspn(line, " \t\r") < strcspn(line, "\n");
    return count;
}

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static int count_wide_lines(const char *text)
{
    int count = 0, width = 0;
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        count += c == '\n' && width > LINE_WIDTH;
        width = c == '\n' ? 0 : width + ((c & 0xC0) != 0x80); // characters, not bytes, of UTF-8
    }
    return count;
}

// 1 + branches of the code from `begin` to `end`.
static int count_complexity(const char *begin, const char *end)
{
    static const char *const words[] = {"if", "for", "while", "case", "catch"};
    int count                        = 1;
    for (const char *p = begin; p < end; p++) {
        count += *p == '?';
        if (strncmp(p, "&&", 2) == 0 || strncmp(p, "||", 2) == 0) {
            count++;
            p++;
        }
        if (!source_is_word(*p))
            continue;
        const char *word = p;
        while (source_is_word(p[1]))
            p++;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            count += strlen(words[i]) == (size_t)(p + 1 - word) && strncmp(word, words[i], strlen(words[i])) == 0;
    }
    return count;
}

// Whether lines from `begin` to `end` are the head of a static function whose name has no underscore.
static int is_one_word_static(const char *begin, const char *end)
{
    const char *open = begin;
    int is_static    = 0;
    for (; open < end && *open != '('; open++)
        is_static |= strncmp(open, "static", 6) == 0 && !source_is_word(open[6]);
    for (const char *p = open; is_static && p > begin && source_is_word(p[-1]); p--)
        if (p[-1] == '_')
            return 0;
    return is_static && open < end;
}

// Functions are what begins and ends with a brace at the margin, as .clang-format has it; the lines before, up to one
// that is blank or ends something else, are a function's head.
static void count_functions(const char *code, int *count)
{
    const char *from = code; // of the head
    for (const char *line = code; *line;) {
        const char *next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (strncmp(line, "{\n", 2) == 0) {
            const char *end = strstr(line, "\n}");
            if (!end)
                return;
            count[ONE_WORD] += is_one_word_static(from, line);
            count[BRANCHED] += count_complexity(from, end) > MOST_BRANCHES;
            next = end + 2 + strcspn(end + 2, "\n");
            next += *next == '\n';
            from = next;
        } else {
            const char last = next - line > 1 ? next[-2] : '\n';
            if (*line == '#' || last == ';' || last == '}' || strspn(line, " \t") == strcspn(line, "\n"))
                from = next;
        }
        line = next;
    }
}

// --- unwanted phrases ---

typedef struct phrase {
    char text[48];
    size_t length;
} phrase;

static phrase phrases[128];
static int phrase_count;

// unwanted.txt: a phrase in small letters, a colon, what to write instead.
static int read_phrases(void)
{
    CHECK_MEMORY char *text = source_read("tests/house/unwanted.txt");
    assert_non_null(text);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t length = strcspn(line, ":\n");
        if (*line == '#' || line[length] != ':')
            continue;
        assert_true(phrase_count < (int)(sizeof phrases / sizeof *phrases) && length < sizeof phrases->text);
        phrase *new = &phrases[phrase_count++];
        memcpy(new->text, line, length);
        new->length = length;
    }
    return phrase_count;
}

// Length of what begins at `text` and is the phrase, blanks and ends of lines being alike; 0: it does not.
static size_t phrase_length(const char *text, const char *end, const phrase *p)
{
    const char *at = text;
    for (size_t i = 0; i < p->length; i++) {
        if (p->text[i] == ' ') {
            const size_t blanks = strspn(at, " \n/"); // comments go on in the next line
            if (blanks == 0)
                return 0;
            at += blanks;
        } else if (at >= end || tolower((unsigned char)*at++) != p->text[i])
            return 0;
    }
    return at < end && source_is_word(*at) ? 0 : (size_t)(at - text);
}

static int count_phrases(const char *text, const char *end)
{
    int count = 0;
    for (const char *at = text; at < end; at++) {
        if (!source_is_word(*at) || (at > text && source_is_word(at[-1])))
            continue;
        for (int i = 0; i < phrase_count; i++)
            count += phrase_length(at, end, &phrases[i]) > 0;
    }
    return count;
}

// Comments that follow each other, with blanks between, are one text.
static int count_phrases_of_code(const char *code)
{
    int count = 0;
    for (const char *at = code; *at;) {
        const char *behind = source_skip_token(at);
        while (behind > at && *at == '/' && strncmp(behind + strspn(behind, " \n"), "//", 2) == 0)
            behind = source_skip_token(behind + strspn(behind, " \n"));
        count += count_phrases(at, behind);
        at = behind > at ? behind : at + 1;
    }
    return count;
}

// --- modules ---

static void count_file(const char *path, const char *text, void *data)
{
    int *count              = ((row *)data)->count;
    CHECK_MEMORY char *code = strdup(text);
    const int private       = source_ends_with(path, ".h") && strncmp(path, "include/", 8) != 0;
    assert_non_null(code);
    source_remove_comments(code);
    count[CODE_LINES] += count_code_lines(code);
    count[HEADERS] += private;
    count[SHORT_HEADERS] += private && count_lines(text) < HEADER_LINES;
    count[WIDE] += count_wide_lines(text);
    count[UNWANTED] += count_phrases_of_code(text);
    count_functions(code, count);
}

static void count_module(const char *folder)
{
    row *m = add_row(&modules.counted, folder);
    source_visit_folder(folder, source_is_c, count_file, m);
    if (m->count[CODE_LINES] == 0) // scripts alone
        modules.counted.count--;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const row *)a)->name, ((const row *)b)->name);
}

static void count_modules(void)
{
    static const char *const folders[] = {"apps", "lib"};
    for (int i = 0; i < 2; i++) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, folders[i]);
        DIR *open = opendir(path);
        assert_non_null(open);
        for (struct dirent *entry; (entry = readdir(open)) != NULL;)
            if (!strchr(entry->d_name, '.')) { // no files
                (void)snprintf(path, sizeof path, "%s/%.50s", folders[i], entry->d_name);
                count_module(path);
            }
        (void)closedir(open);
    }
    count_module("include");
    count_module("tests");
    count_module("track");
    count_module("vehicles");
}

// --- pages ---

// Blanks out code: between fences, and lines that begin with four blanks behind an empty one.
static void remove_code(char *page)
{
    int is_code = 0, was_empty = 1;
    for (char *line = page; *line;) {
        const size_t length = strcspn(line, "\n");
        const int is_fence  = strncmp(line + strspn(line, " "), "```", 3) == 0;
        const int is_block  = was_empty && strncmp(line, "    ", 4) == 0;
        is_code ^= is_fence;
        was_empty = length == strspn(line, " ") || is_block;
        if (is_code || is_fence || is_block)
            memset(line, ' ', length);
        line += length + (line[length] == '\n');
    }
}

// Whether a line ends a sentence of the line before: it is empty, a heading, a row of a table, an item of a list.
static int begins_anew(const char *line)
{
    line += strspn(line, " ");
    const size_t digits = strspn(line, "0123456789");
    return strchr("\n#|<", *line) || strncmp(line, "- ", 2) == 0 || strncmp(line, "* ", 2) == 0 ||
           (digits > 0 && strncmp(line + digits, ". ", 2) == 0);
}

static int count_words(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += !isspace((unsigned char)*text) && (isspace((unsigned char)text[1]) || !text[1]);
    return count;
}

// A sentence ends at a full stop, a cell of a table, a new paragraph or item; what is between backticks is a word.
static int count_long_sentences(const char *text)
{
    int count = 0, words = 0, is_quoted = 0;
    for (; *text; text++) {
        is_quoted ^= *text == '`';
        if (*text == '|' || (*text == '\n' && begins_anew(text + 1))) {
            words = is_quoted = 0;
            continue;
        }
        if (is_quoted || isspace((unsigned char)*text) || !(isspace((unsigned char)text[1]) || !text[1]))
            continue;
        count += ++words == SENTENCE_WORDS + 1;
        if (strchr(".!?", *text))
            words = 0;
    }
    return count;
}

static void count_page(const char *path, const char *text, void *data)
{
    row *page               = add_row(&pages.counted, path);
    CHECK_MEMORY char *copy = strdup(text);
    (void)data;
    assert_non_null(copy);
    remove_code(copy);
    page->count[WORDS]          = count_words(text);
    page->count[LONG_SENTENCES] = count_long_sentences(copy);
    page->count[PAGE_UNWANTED]  = count_phrases(copy, copy + strlen(copy));
}

static int is_written_page(const char *name)
{
    return source_ends_with(name, ".md") && strncmp(name, "reference-", 10) != 0;
}

static int count_all(void **state)
{
    (void)state;
    if (!read_phrases())
        return 1;
    count_modules();
    source_visit_folder("docs", is_written_page, count_page, NULL);
    char *text = source_read("README.md");
    count_page("README.md", text, NULL);
    free(text);
    for (int i = 0; i < 2; i++) {
        row_list *list = i ? &pages.counted : &modules.counted;
        qsort(list->at, (size_t)list->count, sizeof *list->at, compare_names);
    }
    return 0;
}

// --- the table ---

static void read_budget(void)
{
    CHECK_MEMORY char *text = source_read(budget_file);
    for (char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (*line == '#')
            continue;
        char *at        = line + strcspn(line, " ");
        const int page  = strncmp(at - 3, ".md", 3) == 0;
        budget_table *t = page ? &pages : &modules;
        row *r          = add_row(&t->budget, "");
        (void)snprintf(r->name, sizeof r->name, "%.*s", (int)(at - line), line);
        for (int k = 0; k < t->columns; k++) {
            char *end;
            r->count[k] = (int)strtol(at, &end, 10);
            assert_true(end > at);
            at = end;
        }
    }
}

// Numbers that have fallen, rows of new modules and pages; rows of those that are no longer there are left out.
static int lower_budget(void)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, budget_file);
    FILE *out = fopen(path, "w");
    if (!out)
        return 1;
    for (int table = 0; table < 2; table++) {
        budget_table *t = table ? &pages : &modules;
        (void)fputs(t->head, out);
        for (int i = 0; i < t->counted.count; i++) {
            const row *now = &t->counted.at[i], *had = find_row(&t->budget, now->name);
            (void)fprintf(out, "%-18s", now->name);
            for (int k = 0; k < t->columns; k++)
                (void)fprintf(out, " %8d", had && had->count[k] < now->count[k] ? had->count[k] : now->count[k]);
            (void)fputs("\n", out);
        }
    }
    return fclose(out) != 0;
}

// Lines of code and words may be fewer than their budget by 20 or by one in a hundred, so that not every change renews
// the table; the other numbers are as the table has them.
static int is_lowered(int is_loose, int now, int most)
{
    const int slack = most / 100 > 20 ? most / 100 : 20;
    return is_loose ? now >= most - slack : now == most;
}

static int count_above(budget_table *t)
{
    int above = 0;
    for (int i = 0; i < t->counted.count; i++) {
        const row *now = &t->counted.at[i], *most = find_row(&t->budget, now->name);
        if (!most) {
            print_error("%s: %s has no row; \"test_house_budget lower\" adds it\n", budget_file, now->name);
            above++;
        }
        for (int k = 0; most && k < t->columns; k++)
            if (now->count[k] > most->count[k]) {
                print_error("%s: %d %s, its budget is %d\n", now->name, now->count[k], t->names[k], most->count[k]);
                above++;
            }
    }
    return above;
}

CHECK_TEST(nothing_has_more_than_its_budget)
{
    assert_int_equal(count_above(&modules) + count_above(&pages), 0);
}

static int count_loose(budget_table *t)
{
    int loose = 0;
    for (int i = 0; i < t->budget.count; i++) {
        const row *most = &t->budget.at[i], *now = find_row(&t->counted, most->name);
        for (int k = 0; k < t->columns; k++)
            if (!now ||
                !(now->count[k] > most->count[k] || is_lowered(k == t->loose_column, now->count[k], most->count[k]))) {
                print_error("%s: %d %s, its budget is still %d; \"test_house_budget lower\" renews %s\n", most->name,
                            now ? now->count[k] : 0, t->names[k], most->count[k], budget_file);
                loose++;
            }
    }
    return loose;
}

CHECK_TEST(budgets_fall_with_what_they_count)
{
    assert_true(modules.budget.count > 25 && pages.budget.count > 15);
    assert_int_equal(count_loose(&modules) + count_loose(&pages), 0);
}

// What is counted in a text that has one of each.
CHECK_TEST(each_number_is_counted)
{
    static const char text[] =
        "// comment\n"
        "\n"
        "/* a comment that is\n"
        "   told */ int is, told; // code\n"
        "static const char quoted[] = \"// { ? /* no comment\";\n"
        "static int look(\n"
        "    int b)\n"
        "{\n"
        "    return b; /* { */\n"
        "}\n"
        "static int look_at(int b)\n"
        "{\n"
        "    return b && b || b ? b : 0;\n"
        "}\n"
        "int find(int b)\n"
        "{\n"
        "    if (b) for (;;) while (b) if (b && b && b && b && b && b && b && b && b && b && b)\n"
        "        diff();\n"
        "    return b ? 1 : 0;\n"
        "}\n"
        "struct table {\n"
        "    int wide; //                                                                       "
        "                                          .\n"
        "};\n";
    row m = {.name = ""};
    count_file("lib/a.h", text, &m);
    assert_int_equal(m.count[CODE_LINES], 20);
    assert_int_equal(m.count[HEADERS], 1);
    assert_int_equal(m.count[SHORT_HEADERS], 1);
    assert_int_equal(m.count[ONE_WORD], 1);
    assert_int_equal(m.count[BRANCHED], 1); // 1 + 4 + 10 + 1 = 16
    assert_int_equal(m.count[WIDE], 1);
    assert_int_equal(m.count[UNWANTED], 1);
    count_file("include/kane/a.h", text, &m);
    assert_int_equal(m.count[HEADERS], 1);
    assert_true(is_lowered(1, 980, 1000) && !is_lowered(1, 979, 1000));
    assert_true(is_lowered(1, 9900, 10000) && !is_lowered(1, 9899, 10000));
    assert_true(is_lowered(0, 7, 7) && !is_lowered(0, 6, 7));
}

CHECK_TEST(words_and_sentences_of_pages_are_counted)
{
    static const char page[] = "# A heading\n"
                               "\n"
                               "1 2 3 4 5 6 7 8 9 10 1 2 3 4 5 6 7 8 9 20\n"
                               "1 2 3 4 5 6 7 8 9 30 1 2 3 4 5 6 7 8 9 40. What is\n"
                               "told is `1 2 3 4 5 6 7 8 9 10 1 2` 1 2 3 4 5 6 7 8 9 20 1 2 3 4 5 6 7 8 9 30\n"
                               "1 2 3 4 5 6 7 8 9 40 41 42 43 44 45 46\n"
                               "- an item\n"
                               "\n"
                               "    it is told in code\n";
    count_page("docs/a.md", page, NULL);
    const row *a = find_row(&pages.counted, "docs/a.md");
    pages.counted.count--;
    assert_int_equal(a->count[WORDS], 3 + 40 + 4 + 12 + 36 + 3 + 5);
    assert_int_equal(a->count[LONG_SENTENCES], 0 + 1);
    assert_int_equal(a->count[PAGE_UNWANTED], 1);
}

int main(int argc, char **argv)
{
    read_budget();
    if (argc == 2 && strcmp(argv[1], "lower") == 0)
        return count_all(NULL) || lower_budget();
    return check_run_tests(count_all, NULL);
}
