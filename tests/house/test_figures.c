// SPDX-License-Identifier: MIT
// Numbers in tables of docs are those that tests have measured. tests/house/figures.txt says which is which; the tests
// of this build have left what they measured (check.h), so that nothing is computed here.
//
// Numbers that are compared stand to the digits that are printed. Differences below 1e-5, and those that figures.txt
// marks by ~, are what roundings and the control of steps leave: they stand to a factor of two; below 1e-12 they are at
// most ten times as large. What no rule covers is counted: for every page there is a number of such numbers, which may
// only fall.

#include "check.h"

#include <ctype.h>
#include <dirent.h>
#include <unistd.h>

enum { ROWS = 64, COLUMNS = 12, LINE = 4096, RULES = 1200, RECORDS = 4000 };

// A line of figures.txt that is about one number.
typedef struct rule {
    int line, index; // in figures.txt; which number of the row, from 1
    int is_used;
    double factor;      // from what was measured to what is shown, beside the unit that is shown
    char page[64];      // validation.md
    char table[160];    // how the head of its table begins; "": any
    char row[160];      // how the row begins
    char quantity[32];  // largest, least, value, difference, relative, tolerance, bound; before it ? and ~
    char test[96];      // property.wagon.formulations
    char function[160]; // of the test; * is any text
    char what[320];     // the comparison, or the name of the figure; * is any text
} rule;

typedef enum table_kind {
    MEASURED, // by rows
    BY_TEST,  // a test reads the table itself
    MACHINE,  // times and counts of a command that the page names
    HAND,     // results of a command that the page names, which takes too long for tests
    SOURCE,   // published, by whom the page says
    GIVEN,    // not results: limits, keys, formulas, which readers, schemas and help have or the page explains
} table_kind;

typedef struct table_rule {
    int line, is_used;
    table_kind kind;
    char page[64], head[160], argument[160];
} table_rule;

static rule rules[RULES];
static table_rule table_rules[256];
static int rule_count, table_rule_count, failures, compared;

static struct {
    char name[64];
    int most;
} pages[40];
static int page_count;

#define fail_figure(...) (print_error(__VA_ARGS__), failures++)

// --- figures.txt ---

static void copy(char *out, size_t size, const char *text)
{
    const size_t length = strcspn(text, "\n");
    assert_true(length < size);
    memcpy(out, text, length);
    out[length] = '\0';
}

// "2 difference x1e3 property.wagon.physics the_function: c.q[k]"
static void read_rule(rule *r, const char *line)
{
    char word[320];
    int at = 0;
    if (sscanf(line, "%d %31s %319s %n", &r->index, r->quantity, word, &at) != 3)
        fail_msg("figures.txt, line %d: expected a number, a quantity and a test", r->line);
    r->factor = 1.0;
    line += at;
    if (word[0] == 'x') {
        r->factor = strtod(word + 1, NULL);
        assert_int_equal(sscanf(line, "%319s %n", word, &at), 1);
        line += at;
    }
    copy(r->test, sizeof r->test, word);
    const char *colon = strstr(line, ":: ");
    copy(r->what, sizeof r->what, colon ? colon + 3 : "");
    if (!colon)
        fail_msg("figures.txt, line %d: expected ':: ' and what is compared", r->line);
    if (sscanf(line, "%159[a-z_A-Z0-9*] ::", r->function) != 1)
        (void)strcpy(r->function, "*");
}

static void read_table_rule(table_rule *t, const char *line)
{
    static const char *const kinds[] = {"measured", "by", "machine", "hand", "source", "given"};
    const char *head                 = strstr(line, ":: ");
    int kind                         = 0;
    if (!head)
        fail_msg("figures.txt, line %d: expected ':: ' and how the table begins", t->line);
    while (kind < 6 && strncmp(line, kinds[kind], strlen(kinds[kind])) != 0)
        kind++;
    if (kind == 6)
        fail_msg("figures.txt, line %d: no such kind of table", t->line);
    t->kind = (table_kind)kind;
    copy(t->head, sizeof t->head, head + 3);
    line += strlen(kinds[kind]);
    line += *line == ' ';
    (void)snprintf(t->argument, sizeof t->argument, "%.*s", head > line ? (int)(head - line) - 1 : 0, line);
}

static int read_rules(void **state)
{
    char line[1024], row[160] = "", table[160] = "";
    FILE *file = fopen(KANE_SOURCE_DIR "/tests/house/figures.txt", "r");
    (void)state;
    assert_non_null(file);
    for (int i = 1; fgets(line, sizeof line, file); i++) {
        const char *at = line + strspn(line, " ");
        if (*at == '#' || *at == '\n')
            continue;
        if (strncmp(at, "page ", 5) == 0) {
            assert_int_equal(sscanf(at, "page %63s %d", pages[page_count].name, &pages[page_count].most), 2);
            page_count++;
            table[0] = row[0] = '\0';
        } else if (strncmp(at, "table ", 6) == 0) {
            assert_true(table_rule_count < 256);
            table_rule *t = &table_rules[table_rule_count++];
            t->line       = i;
            copy(t->page, sizeof t->page, pages[page_count - 1].name);
            read_table_rule(t, at + 6);
            copy(table, sizeof table, t->head);
        } else if (strncmp(at, "row ", 4) == 0) {
            copy(row, sizeof row, at + 4);
        } else {
            assert_true(rule_count < RULES);
            rule *r = &rules[rule_count++];
            r->line = i;
            copy(r->page, sizeof r->page, pages[page_count - 1].name);
            copy(r->table, sizeof r->table, table);
            copy(r->row, sizeof r->row, row);
            read_rule(r, at);
        }
    }
    (void)fclose(file);
    return 0;
}

// --- what was measured ---

typedef struct record {
    char what[320], function[160];
    double difference, tolerance, value, expected;
} record;

// What a test has left; -1: nothing.
static int read_records(const char *test, record *out)
{
    char path[1024], line[2048];
    int count = 0;
    (void)snprintf(path, sizeof path, "%.*s/figures/%s.txt", (int)(strrchr(KANE_TEST_NAMES, '/') - KANE_TEST_NAMES),
                   KANE_TEST_NAMES, test);
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (count < RECORDS && fgets(line, sizeof line, file)) {
        record *r = &out[count];
        if (sscanf(line, "%*[^\t]\t%319[^\t]\t%lf\t%lf\t%159[^\t]\t%lf\t%lf", r->what, &r->difference, &r->tolerance,
                   r->function, &r->value, &r->expected) == 6)
            count++;
    }
    (void)fclose(file);
    return count;
}

// * is any text
static int is_alike(const char *pattern, const char *text)
{
    for (; *pattern && *pattern != '*'; pattern++, text++)
        if (*pattern != *text)
            return 0;
    if (!*pattern)
        return !*text;
    for (;; text++) {
        if (is_alike(pattern + 1, text))
            return 1;
        if (!*text)
            return 0;
    }
}

// One of several patterns with " | " between them.
static int is_one_of(const char *patterns, const char *text)
{
    char pattern[320];
    for (const char *at = patterns; at; at = strstr(at, " | ") ? strstr(at, " | ") + 3 : NULL) {
        const char *end = strstr(at, " | ");
        (void)snprintf(pattern, sizeof pattern, "%.*s", end ? (int)(end - at) : (int)strlen(at), at);
        if (is_alike(pattern, text))
            return 1;
    }
    return 0;
}

static double quantity_of(const record *r, const char *name)
{
    return strcmp(name, "difference") == 0  ? r->difference
           : strcmp(name, "relative") == 0  ? r->difference / fabs(r->expected)
           : strcmp(name, "tolerance") == 0 ? r->tolerance
           : strcmp(name, "bound") == 0     ? r->tolerance / fabs(r->expected)
           : strcmp(name, "least") == 0     ? r->expected
                                            : r->value;
}

// The largest one in all records that the rule means (of least the least); NAN: there are none.
static double measured(const rule *r)
{
    static record records[RECORDS];
    static char read[96];
    static int count;
    const char *quantity = r->quantity + strspn(r->quantity, "?~");
    double found         = NAN;
    if (strcmp(read, r->test) != 0 && (count = read_records(r->test, records)) < 0 && !strchr(r->quantity, '?'))
        fail_figure("%s has left no figures in this build: make test and make check run it\n", r->test);
    copy(read, sizeof read, r->test);
    if (count < 0)
        return HUGE_VAL;
    for (int i = 0; i < count; i++) {
        if (!is_alike(r->function, records[i].function) || !is_one_of(r->what, records[i].what))
            continue;
        const double now = quantity_of(&records[i], quantity);
        if (isnan(found) || (strcmp(quantity, "least") == 0) == (fabs(now) < fabs(found)))
            found = now;
    }
    return r->factor * found;
}

// --- pages ---

static double unit_of(const char *after)
{
    static const struct {
        const char *name;
        double size;
    } units[] = {{"%", 1e-2}, {"mm", 1e-3},   {"µm", 1e-6}, {"kN m", 1e3}, {"kN", 1e3}, {"MJ", 1e6},
                 {"kJ", 1e3}, {"mrad", 1e-3}, {"MN", 1e6},  {"ms", 1e-3},  {"µs", 1e-6}};
    after += strspn(after, " ,;0123456789.e-+"); // a list has its unit at the end
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t length = strlen(units[i].name);
        if (strncmp(after, units[i].name, length) == 0 && !isalpha((unsigned char)after[length]))
            return units[i].size;
    }
    return 1.0;
}

// The next number at or behind a place of the line: not in words, names in backquotes, or targets of links. Its end in
// *end.
static const char *next_number(const char *at, const char *begin, const char *stop, const char **end)
{
    for (; at < stop; at++) {
        if (*at == '`' || (*at == '(' && at > begin && at[-1] == ']')) {
            const char *close = strchr(at + 1, *at == '`' ? '`' : ')');
            at                = close && close < stop ? close : stop - 1;
            continue;
        }
        const char *from = at + (*at == '.');
        if (!isdigit((unsigned char)*from) ||
            (at > begin && (isalnum((unsigned char)at[-1]) || strchr("_./,", at[-1]))))
            continue;
        from = at + strspn(at, "0123456789");
        while (*from == ' ' && strspn(from + 1, "0123456789") == 3) // 62 300
            from += 4;
        if (*from == '.' && isdigit((unsigned char)from[1]))
            from += 1 + strspn(from + 1, "0123456789");
        if (*from == 'e' && isdigit((unsigned char)from[1 + (from[1] == '-')])) {
            from += 1 + (from[1] == '-');
            from += strspn(from, "0123456789");
        }
        if (!isalpha((unsigned char)*from) && *from != '_' && *from != '/') { // 1/m is a unit
            *end = from;
            return at;
        }
        at = from - 1;
        while (isalnum((unsigned char)at[1]) || at[1] == '_')
            at++;
    }
    return NULL;
}

// What it is compared with, how large it is itself, or with which setting: "of 16 J", "at rtol 1e-9".
static int is_context(const char *at, const char *begin)
{
    static const char *const words[] = {" of ",   " at ",   "rtol ",   "`rtol` ",  " after ",
                                        " over ", "table ", "tables ", "rows of ", "steps of "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(at - begin) >= length && strncmp(at - length, words[i], length) == 0)
            return 1;
    }
    return 0;
}

static double number_at(const char *at, const char *end)
{
    char text[64];
    int count = 0;
    for (; at < end && count < 63; at++)
        if (*at != ' ')
            text[count++] = *at;
    text[count] = '\0';
    return strtod(text, NULL);
}

// What its last digit stands for.
static double digit_of(const char *from, const char *end)
{
    double unit    = 1.0;
    const char *at = from;
    int behind     = 0;
    for (; at < end && *at != 'e'; at++) {
        unit *= behind ? 0.1 : 1.0;
        behind |= *at == '.';
    }
    if (at < end)
        return unit * pow(10.0, strtod(at + 1, NULL));
    for (const char *zero = end; !behind && end - from > 3 && zero[-1] == '0'; zero--) // 14 700
        unit *= 10.0;
    return unit;
}

static void compare(const rule *r, const char *at, const char *end)
{
    const double shown = number_at(at, end), unit = unit_of(end), found = fabs(measured(r)) / unit;
    const int is_noise =
        strchr(r->quantity, '~') || (shown > 0.0 && shown * unit < 1e-5 && !strstr(r->quantity, "tolerance"));
    if (isinf(found)) // said before
        return;
    const int is_round_off = is_noise && shown * unit < 1e-12;
    compared++;
    if (isnan(found)) {
        if (!strchr(r->quantity, '?'))
            fail_figure("figures.txt, line %d: %s has nothing like '%s'\n", r->line, r->test, r->what);
        return;
    }
    const double spread = is_round_off ? 10.0 : 2.0;
    if (is_noise ? !(found <= spread * shown && (is_round_off || shown <= spread * found))
                 : !(fabs(found - shown) <= 0.6 * digit_of(at, end)))
        fail_figure("docs/%s, '%s', number %d: the page has %.*s, measured is %.3g (%s)\n", r->page, r->row, r->index,
                    (int)(end - at), at, found, r->test);
}

static int is_left_out(const char *head, const char *end)
{
    static const char *const heads[] = {"test",       "compared with", "aim",
                                        "published",  "oracle",        "both share",
                                        "cannot see", "source",        "converged values elsewhere",
                                        "paper, µs",  "unit"};
    while (end > head && end[-1] == ' ')
        end--;
    head += strspn(head, " ");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strlen(heads[i]) == (size_t)(end - head) && strncmp(head, heads[i], strlen(heads[i])) == 0)
            return 1;
    return end - head > 5 && strncmp(end - 5, ": aim", 5) == 0;
}

// Numbers of a row, compared; how many no rule covers.
static int check_row(const char *page, const char *head, const char *row)
{
    int index = 0, open = 0;
    const char *column = strchr(head + 1, '|'), *cell = strchr(row + 1, '|');
    const char *label = row + 1 + strspn(row + 1, " *");
    while (cell && strchr(cell + 1, '|')) {
        const char *stop = strchr(cell + 1, '|'), *next = column ? strchr(column + 1, '|') : NULL, *end;
        if (!next || !is_left_out(column + 1, next))
            for (const char *at = cell + 1; (at = next_number(at, cell + 1, stop, &end)) != NULL; at = end) {
                if (is_context(at, cell + 1))
                    continue;
                index++;
                int found = 0;
                for (int i = 0; i < rule_count; i++)
                    if (rules[i].index == index && strcmp(rules[i].page, page) == 0 &&
                        strncmp(rules[i].table, head, strlen(rules[i].table)) == 0 &&
                        strncmp(rules[i].row, label, strlen(rules[i].row)) == 0 && !rules[i].is_used) {
                        rules[i].is_used = 1;
                        compare(&rules[i], at, end);
                        found = 1;
                        break;
                    }
                if (!found && getenv("KANE_OPEN_FIGURES"))
                    print_message("%s\t%.*s\t%.*s\t%d\t%.*s\t%g\n", page, (int)strcspn(head, "\n"), head,
                                  (int)strcspn(label, "|"), label, index, (int)(end - at), at, unit_of(end));
                open += !found;
            }
        cell   = stop;
        column = next;
    }
    return open;
}

static char *read_file(const char *path)
{
    static char text[1 << 19];
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

// A test's source names the page.
static int is_read_by(const char *test, const char *page)
{
    char path[1024], name[96];
    (void)snprintf(name, sizeof name, "%s", test);
    for (char *c = name; *c; c++)
        *c = *c == '.' ? '/' : *c;
    char *last = strrchr(name, '/');
    if (!last)
        return 0;
    *last = '\0';
    (void)snprintf(path, sizeof path, "%s/tests/%s/test_%s.c", KANE_SOURCE_DIR, name, last + 1);
    const char *source = read_file(path);
    return source && strstr(source, page);
}

// Commands of the program have help, scripts are there.
static int is_command(const char *name)
{
    char line[1024], word[32];
    if (strncmp(name, "kane ", 5) == 0 && sscanf(name + 5, "%31[a-z]", word) == 1) {
        (void)snprintf(line, sizeof line, "'%s' %s --help >/dev/null 2>&1", KANE_PROGRAM, word);
        return system(line) == 0;
    }
    (void)snprintf(line, sizeof line, "%s/%s", KANE_SOURCE_DIR, name);
    return !strchr(name, '/') || strchr(name, '#') || access(line, R_OK) == 0;
}

// What `kane bench` measures, each name between blanks.
static const char *bench_names(void)
{
    static char names[8192];
    if (!names[0]) {
        FILE *bench = popen("'" KANE_PROGRAM "' bench --only nothing 2>&1", "r");
        assert_non_null(bench);
        const size_t count = fread(names, 1, sizeof names - 2, bench);
        (void)pclose(bench);
        names[count] = ' ';
        for (char *c = names; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
    }
    return names;
}

// Names in the first cell of a row of times are those that `kane bench` knows.
static void check_bench_row(const char *page, const char *row)
{
    const char *stop = strchr(row + 1, '|');
    for (const char *at = strchr(row, '`'); at && at < stop; at = strchr(at + 1, '`')) {
        char name[64];
        if (sscanf(at, "`%60[a-z0-9-]`", name + 1) != 1)
            break;
        name[0] = ' ';
        (void)strcat(name, " ");
        if (strchr(name, '-') && !strstr(bench_names(), name))
            fail_figure("docs/%s: kane bench does not know%s\n", page, name);
        at = strchr(at + 1, '`');
    }
}

static void check_table_rule(const table_rule *t, const char *text)
{
    if ((t->kind == MACHINE || t->kind == HAND) && !is_command(t->argument))
        fail_figure("figures.txt, line %d: there is no '%s'\n", t->line, t->argument);
    if ((t->kind == MACHINE || t->kind == HAND || t->kind == SOURCE) && !strstr(text, t->argument))
        fail_figure("figures.txt, line %d: docs/%s does not say '%s'\n", t->line, t->page, t->argument);
    if (t->kind == BY_TEST && !is_read_by(t->argument, t->page))
        fail_figure("figures.txt, line %d: %s does not read docs/%s\n", t->line, t->argument, t->page);
}

static table_rule *rule_of_table(const char *page, const char *head)
{
    for (int i = 0; i < table_rule_count; i++)
        if (!table_rules[i].is_used && strcmp(table_rules[i].page, page) == 0 &&
            strncmp(table_rules[i].head, head, strlen(table_rules[i].head)) == 0)
            return &table_rules[i];
    return NULL;
}

// How many numbers of a page no rule covers.
static int check_page(const char *name)
{
    char path[512], line[LINE], head[LINE] = "";
    int open = 0, in_table = 0;
    static char text[1 << 19];
    (void)snprintf(path, sizeof path, "%s/docs/%s", KANE_SOURCE_DIR, name);
    const char *whole = read_file(path);
    if (!whole)
        fail_msg("there is no docs/%s", name);
    (void)strcpy(text, whole);
    table_rule *t = NULL;
    FILE *page    = fopen(path, "r");
    while (fgets(line, sizeof line, page)) {
        if (line[0] != '|') {
            in_table = 0;
            continue;
        }
        if (!in_table) {
            in_table = 1;
            (void)strcpy(head, line);
            t = rule_of_table(name, head);
            if (t) {
                t->is_used = 1;
                check_table_rule(t, text);
            }
        } else if (line[1] != '-' && (!t || t->kind == MEASURED)) {
            open += check_row(name, head, line);
        } else if (line[1] != '-' && t->kind == MACHINE && strncmp(t->argument, "kane bench", 10) == 0) {
            check_bench_row(name, line);
        }
    }
    (void)fclose(page);
    return open;
}

// Pages with numbers in tables that figures.txt does not know; the reference is generated.
static void check_other_pages(void)
{
    DIR *folder = opendir(KANE_SOURCE_DIR "/docs");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *end = strrchr(entry->d_name, '.');
        int is_known    = !end || strcmp(end, ".md") != 0 || strncmp(entry->d_name, "reference-", 10) == 0;
        for (int i = 0; i < page_count; i++)
            is_known |= strcmp(entry->d_name, pages[i].name) == 0;
        if (!is_known && check_page(entry->d_name) > 0)
            fail_figure("docs/%s: tests/house/figures.txt does not know it\n", entry->d_name);
    }
    (void)closedir(folder);
}

CHECK_TEST(numbers_in_tables_are_those_that_tests_measure)
{
    for (int i = 0; i < page_count; i++) {
        const int open = check_page(pages[i].name);
        print_message("docs/%s: %d numbers in tables that nothing covers, %d allowed\n", pages[i].name, open,
                      pages[i].most);
        if (open > pages[i].most)
            fail_figure("docs/%s: name the tests of its new numbers in tests/house/figures.txt\n", pages[i].name);
        if (open < pages[i].most)
            fail_figure("docs/%s: tests/house/figures.txt allows %d, now write %d\n", pages[i].name, pages[i].most,
                        open);
    }
    check_other_pages();
    for (int i = 0; i < rule_count; i++)
        if (!rules[i].is_used)
            fail_figure("figures.txt, line %d: docs/%s has no number %d of '%s'\n", rules[i].line, rules[i].page,
                        rules[i].index, rules[i].row);
    for (int i = 0; i < table_rule_count; i++)
        if (!table_rules[i].is_used)
            fail_figure("figures.txt, line %d: docs/%s has no table '%s'\n", table_rules[i].line, table_rules[i].page,
                        table_rules[i].head);
    print_message("%d numbers compared\n", compared);
    assert_int_equal(failures, 0);
}

CHECK_MAIN(read_rules, NULL)
