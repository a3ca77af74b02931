// SPDX-License-Identifier: MIT
// Studies as they lie in their directories: what they are from plan.json (critical.json), what came out from their
// tables (CSV).

#include "view/study.h"

#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "results/results.h"
#include "view/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Tables of studies: what stands before column `results` differs from case to case, what follows came out.
typedef struct source {
    const char *kind, *table, *results;
    int has_units;        // a row of units follows the names
    const char *document; // the document of the study
} source;

static const source sources[] = {
    {"sweep", "sweep.csv", "state", 0, "plan.json"},
    {"omission", "effects.csv", "unit", 0, "plan.json"},
    {"transitions", "transitions.csv", "state", 1, "plan.json"},
    {"optimise", "convergence.csv", "state", 1, "plan.json"},
    {"rods", "rods.csv", "max", 1, "plan.json"},
    {"critical", "points.csv", "amplitude", 1, "critical.json"},
};

enum { SOURCES = sizeof sources / sizeof *sources };

static int is_readable(const char *directory, const char *name)
{
    char file[4096];
    return snprintf(file, sizeof file, "%s/%s", directory, name) < (int)sizeof file && access(file, R_OK) == 0;
}

int kane_view_is_study(const char *directory)
{
    return is_readable(directory, "plan.json") || is_readable(directory, "critical.json");
}

static void add_fault(kane_errors *errors, const char *file, int line, const char *text)
{
    kane_errors_add_input(errors, KANE_BAD_INPUT,
                          (kane_place){.file = file, .line = line, .column = line > 0, .path = ""}, "%s", text);
}

// --- CSV (RFC 4180) ---

typedef struct csv {
    kane_arena *arena;
    const char *at, *end;
    int line;
} csv;

// One cell; *last: a line ends with it. NULL: a quote that is not closed, or no memory.
static const char *take_cell(csv *c, int *last)
{
    kane_csv_field field;
    const char *end = *c->at == '"' ? c->end : c->at + strcspn(c->at, "\r\n");
    if (!kane_csv_next(c->at, end, &field))
        return NULL;
    for (; c->at < field.next; c->at++)
        c->line += *c->at == '\n';
    c->at += *c->at == '\r';
    *last = *c->at != ',';
    if (*last && *c->at && *c->at != '\n')
        return NULL;
    c->line += *c->at == '\n';
    c->at += *c->at != '\0';
    return kane_csv_text(c->arena, &field);
}

// So many cells of a line. 0: there are others.
static int take_line(csv *c, int count, const char **cells)
{
    int last = 0;
    for (int i = 0; i < count; i++) {
        cells[i] = last ? NULL : take_cell(c, &last);
        if (!cells[i])
            return 0;
    }
    return last;
}

static int count_cells(csv line)
{
    int count = 0, last = 0;
    while (!last && take_cell(&line, &last))
        count++;
    return last ? count : 0;
}

// "speed [m/s]" -> "speed", "m/s"
static void split_unit(kane_arena *arena, kane_study_column *column)
{
    const size_t length = strlen(column->name);
    const char *bracket = length > 3 && column->name[length - 1] == ']' ? strrchr(column->name, '[') : NULL;
    if (!bracket || bracket - column->name < 2 || bracket[-1] != ' ')
        return;
    column->unit = kane_arena_text_part(arena, bracket + 1, (size_t)(column->name + length - 1 - (bracket + 1)));
    column->name = kane_arena_text_part(arena, column->name, (size_t)(bracket - 1 - column->name));
}

// Are all words of a column numbers (or nothing)? Then they become numbers.
static void take_numbers(kane_arena *arena, kane_study_column *column, int count)
{
    double *numbers = kane_arena_doubles(arena, (size_t)count + 1);
    int found       = 0;
    for (int i = 0; i < count && numbers; i++) {
        const kane_csv_field field = {.at = column->words[i], .length = strlen(column->words[i])};
        if (!kane_csv_value(&field, &numbers[i]))
            return;
        found += field.length > 0;
    }
    if (numbers && found > 0) {
        column->numbers = numbers;
        column->words   = NULL;
    }
}

static int read_table(kane_arena *arena, const source *of, kane_study_table *t, kane_errors *errors)
{
    const char *text = kane_file_read(arena, t->file, NULL, errors);
    if (!text)
        return 0;
    csv c              = {arena, text, text + strlen(text), 1};
    const int columns  = count_cells(c);
    const size_t most  = kane_lines_count((kane_lines){.at = text}) + 1;
    const char **names = kane_arena_alloc(arena, (size_t)columns + 1, sizeof *names);
    const char **units = kane_arena_alloc(arena, (size_t)columns + 1, sizeof *units);
    const char **cells = kane_arena_alloc(arena, (size_t)columns + 1, sizeof *cells);
    t->columns         = kane_arena_alloc(arena, (size_t)columns + 1, sizeof *t->columns);
    for (int k = 0; k < columns && t->columns; k++)
        t->columns[k].words = kane_arena_alloc(arena, most, sizeof(const char *));
    if (kane_arena_failed(arena)) {
        (void)kane_no_memory(errors);
        return 0;
    }
    int good = columns > 0 && take_line(&c, columns, names) && (!of->has_units || take_line(&c, columns, units));
    while (good && *c.at) {
        good = take_line(&c, columns, cells);
        for (int k = 0; k < columns && good; k++)
            t->columns[k].words[t->row_count] = cells[k];
        t->row_count += good;
    }
    if (!good) {
        add_fault(errors, t->file, c.line,
                  "the line has other columns than the first one; the study's command writes it anew");
        return 0;
    }
    t->column_count = columns;
    int results     = -1;
    for (int k = 0; k < columns; k++)
        if (strcmp(names[k], of->results) == 0 && results < 0)
            results = k;
    if (results < 1) {
        add_fault(errors, t->file, 1, "is no table of such a study; the study's command writes it anew");
        return 0;
    }
    for (int k = 0; k < columns; k++) {
        kane_study_column *column = &t->columns[k];
        column->name              = names[k];
        column->unit              = of->has_units ? units[k] : "";
        if (!of->has_units)
            split_unit(arena, column);
        // "relative" is of the column before it
        char *longer = strcmp(names[k], "relative") == 0 && k > 0
                           ? kane_arena_alloc(arena, strlen(t->columns[k - 1].name) + 12, 1)
                           : NULL;
        if (longer) {
            (void)sprintf(longer, "%s, relative", t->columns[k - 1].name);
            column->name = longer;
        }
        take_numbers(arena, column, t->row_count);
        column->role = strcmp(names[k], "case") == 0 ? KANE_ROLE_NUMBER
                       : k < results                 ? KANE_ROLE_AXIS
                       : column->numbers             ? KANE_ROLE_MEASURE
                                                     : KANE_ROLE_WORD;
    }
    return 1;
}

// --- what belongs to it ---

// The settings of a sweep's cases. The table must have as many rows as the plan has cases.
static int read_cases(kane_arena *arena, kane_study_table *t, kane_errors *errors)
{
    char name[4096];
    const kane_node *count = kane_node_find(t->plan, "cases");
    (void)snprintf(name, sizeof name, "%s/sweep.json", t->folder);
    const kane_node *root = kane_json_read(arena, name, errors);
    if (!root)
        return 0;
    t->cases = kane_node_find(root, "cases");
    if (!t->cases || t->cases->kind != KANE_NODE_LIST || t->cases->count != t->row_count || !count ||
        (int)count->number != t->row_count) {
        add_fault(errors, t->file, 0,
                  "has not as many cases as plan.json and sweep.json; the study's command writes it anew");
        return 0;
    }
    return 1;
}

static const char *join_path(kane_arena *arena, const char *directory, const char *name)
{
    char *text = kane_arena_alloc(arena, strlen(directory) + strlen(name) + 2, 1);
    if (text)
        (void)sprintf(text, "%s/%s", directory, name);
    return text;
}

static int has_text(const kane_node *list, const char *text)
{
    for (const kane_node *one = list ? list->child : NULL; one; one = one->next)
        if (one->kind == KANE_NODE_TEXT && strcmp(one->text, text) == 0)
            return 1;
    return 0;
}

static const kane_study_column *column_named(const kane_study_table *t, const char *name)
{
    for (int k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k].name, name) == 0)
            return &t->columns[k];
    return NULL;
}

static int number_in(const kane_node *object, const char *key)
{
    const kane_node *node = object ? kane_node_find(object, key) : NULL;
    return node && node->kind == KANE_NODE_NUMBER ? (int)node->number : 0;
}

static int count_in(const kane_node *object, const char *key)
{
    const kane_node *node = object ? kane_node_find(object, key) : NULL;
    return node && node->kind == KANE_NODE_LIST ? node->count : 0;
}

// What was computed with other files than the study's is not its case: settings of a sweep's, the term of an omission.
static int is_of_study(kane_arena *arena, const kane_study_table *t, int row, const char *results, kane_errors *errors)
{
    char name[4200];
    (void)snprintf(name, sizeof name, "%s/manifest.json", results);
    const kane_node *root = kane_json_read(arena, name, errors);
    if (!root)
        return 0;
    const kane_node *input        = kane_node_find(root, "input");
    const kane_node *changes      = input ? kane_node_find(input, "changes") : NULL;
    const kane_node *one          = t->cases ? kane_node_at(t->cases, row) : NULL;
    const kane_node *list         = one ? kane_node_find(one, "settings") : NULL;
    const kane_study_column *term = strcmp(t->kind, "omission") == 0 ? column_named(t, "term") : NULL;
    for (const kane_node *s = list ? list->child : NULL; s; s = s->next)
        if (!has_text(changes, s->text)) {
            kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = name, .path = "input.changes"},
                                  "is of another study: '%s' of case %d is not among its changes", s->text, row + 1);
            return 0;
        }
    if (term && term->words && strcmp(term->words[row], "accuracy") != 0 &&
        !has_text(kane_node_find(root, "omitted"), term->words[row])) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = name, .path = "omitted"},
                              "is of another study: '%s' of row %d is not among them", term->words[row], row + 1);
        return 0;
    }
    return 1;
}

// A name of files of a case; of an omission also that of the complete run of its condition.
typedef char kept_name[160];

static void name_case(int index, kept_name name)
{
    (void)snprintf(name, sizeof(kept_name), "case-%04d", index + 1);
}

// "case-0003-exact", "case-0003-partition-linear": rows of a case are those of its methods.
static void name_method(const kane_study_table *t, int row, kept_name name)
{
    const kane_study_column *inertia = column_named(t, "inertia"), *along = column_named(t, "extrapolation");
    const int cases = number_in(t->plan, "cases");
    if (cases < 1 || t->row_count % cases != 0 || !inertia || !inertia->words || !along || !along->words)
        return;
    name_case(row / (t->row_count / cases), name);
    const size_t length = strlen(name);
    (void)snprintf(name + length, sizeof(kept_name) - length, "-%.40s%s%.40s", inertia->words[row],
                   along->words[row][0] ? "-" : "", along->words[row]);
}

// Critical speeds over parameters: a sweep whose cases are searches.
static int is_map_of_critical_speeds(const kane_study_table *t)
{
    return kane_node_find(kane_node_find(t->plan, "content"), "critical speeds") != NULL;
}

// Where rows of a case lie, if they were kept (each study says so in its public header): DIR/case-0007 of most, by the
// number of the case in the plan; DIR/rows-NAME.csv of shapes, DIR/down-25.5.csv of a cycle, of maps of critical speeds
// DIR/case-0007/down-25.5.csv of the slowest one. under: DIR/complete-0001 of an omission; else "".
static void name_kept(const kane_study_table *t, int row, kept_name name, kept_name under)
{
    const kane_node *content = kane_node_find(t->plan, "content");
    char plain[128]          = "";
    name[0] = under[0] = '\0';
    if (strcmp(t->kind, "sweep") == 0) {
        const kane_study_column *slowest =
            is_map_of_critical_speeds(t) ? column_named(t, "nonlinear critical speed") : NULL;
        name_case(row, name);
        const size_t length = strlen(name);
        if (slowest && slowest->numbers)
            (void)kane_snprintf(name + length, sizeof(kept_name) - length, "/down-%.10g.csv", slowest->numbers[row]);
    } else if (strcmp(t->kind, "omission") == 0) { // row by row condition, term, response
        const int terms = count_in(content, "terms"), responses = count_in(content, "responses");
        if (terms < 1 || responses < 1)
            return;
        name_case(row / responses, name);
        (void)snprintf(under, sizeof(kept_name), "complete-%04d", row / responses / terms + 1);
    } else if (strcmp(t->kind, "optimise") == 0) {
        const kane_study_column *start = column_named(t, "start"), *evaluation = column_named(t, "evaluation");
        if (start && start->numbers && evaluation && evaluation->numbers)
            name_case(((int)start->numbers[row] - 1) * number_in(content, "evaluations") +
                          (int)evaluation->numbers[row] - 1,
                      name);
    } else if (strcmp(t->kind, "rods") == 0) {
        name_method(t, row, name);
    } else if (strcmp(t->kind, "transitions") == 0 && t->columns[0].words) {
        const char *word = t->columns[0].words[row];
        size_t i         = 0;
        for (; word[i] && i + 1 < sizeof plain; i++)
            plain[i] = (char)(kane_is_letter_or_digit(word[i]) || word[i] == '.' || word[i] == '-' ? word[i] : '_');
        plain[i] = '\0';
        (void)snprintf(name, sizeof(kept_name), "rows-%s.csv", plain);
    } else if (strcmp(t->kind, "critical") == 0 && t->column_count > 1 && t->columns[0].numbers &&
               t->columns[1].words) {
        (void)kane_snprintf(name, sizeof(kept_name), "%s-%.10g.csv", t->columns[1].words[row],
                            t->columns[0].numbers[row]);
    }
}

int kane_study_has_manifests(const kane_study_table *t)
{
    return strcmp(t->kind, "transitions") != 0 && strcmp(t->kind, "critical") != 0 && !is_map_of_critical_speeds(t);
}

// The number of a run in the page: that of one of the last two, which rows beside each other share, or a new one.
static int number_run(kane_arena *arena, kane_study_table *t, const char *name)
{
    const char *results = join_path(arena, t->folder, name);
    for (int k = t->run_count - 1; k >= 0 && k >= t->run_count - 2 && results; k--)
        if (strcmp(t->runs[k], results) == 0)
            return k;
    t->runs[t->run_count] = results;
    return t->run_count++;
}

static int find_kept(kane_arena *arena, kane_study_table *t, int case_count, const int *cases, kane_errors *errors)
{
    const int most = case_count > 0 ? case_count : t->row_count;
    int complete   = -1; // the run of an omission that rows from here on are laid over
    t->kept        = kane_arena_alloc(arena, (size_t)most + 1, sizeof *t->kept);
    t->runs        = kane_arena_alloc(arena, 2 * (size_t)most + 1, sizeof *t->runs);
    for (int i = 0; i < most && t->kept && t->runs; i++) {
        const int row = case_count > 0 ? cases[i] - 1 : i;
        kept_name name, under;
        if (row < 0 || row >= t->row_count) {
            kane_errors_add_input(errors, KANE_BAD_ARGUMENT, (kane_place){.file = t->file, .path = ""},
                                  "there is no case %d, only 1 to %d", row + 1, t->row_count);
            return 0;
        }
        name_kept(t, row, name, under);
        const int is_under = under[0] && is_readable(t->folder, under),
                  is_own   = name[0] && is_readable(t->folder, name);
        if (!is_own && !is_under) {
            if (case_count == 0)
                continue;
            kane_errors_add_input(errors, KANE_BAD_ARGUMENT, (kane_place){.file = t->file, .path = ""},
                                  "of case %d no rows were kept; --keep of the command that made the study does that",
                                  row + 1);
            return 0;
        }
        // of a term that is zero all along there is the complete run alone
        if (is_under && (complete < 0 || strcmp(t->runs[complete] + strlen(t->folder) + 1, under) != 0))
            complete = number_run(arena, t, under);
        const int run = is_own ? number_run(arena, t, name) : complete;
        if (is_own && kane_study_has_manifests(t) && t->runs[run] && !is_of_study(arena, t, row, t->runs[run], errors))
            return 0;
        t->kept[t->kept_count++] = (kane_study_kept){row, run, is_own && is_under ? complete : -1};
    }
    if (!kane_arena_failed(arena))
        return 1;
    (void)kane_no_memory(errors);
    return 0;
}

// Compares the input files of a study with their recorded hashes. The study's numbers are valid in any case.
static void look_at_inputs(kane_arena *arena, kane_study_table *t)
{
    const kane_node *content = kane_node_find(t->plan, "content");
    const kane_node *inputs  = content ? kane_node_find(content, "inputs") : NULL;
    kane_text why            = kane_text_start(sizeof t->changed, t->changed);
    for (const kane_node *one = inputs ? inputs->child : NULL; one; one = one->next)
        if (one->kind == KANE_NODE_OBJECT &&
            !kane_scene_are_unchanged(arena, one, kane_scene_find_base(arena, one, t->folder), &why, NULL))
            return;
}

const kane_study_table *kane_study_table_read(kane_arena *arena, const char *directory, int case_count,
                                              const int *cases, kane_errors *errors)
{
    kane_study_table *t  = kane_arena_alloc(arena, 1, sizeof *t);
    const int is_plan    = is_readable(directory, "plan.json");
    const char *document = join_path(arena, directory, is_plan ? "plan.json" : "critical.json");
    if (!t || !document) {
        (void)kane_no_memory(errors);
        return NULL;
    }
    t->folder = directory;
    t->plan   = kane_json_read(arena, document, errors);
    if (!t->plan)
        return NULL;
    const char *kind = is_plan ? kane_node_text(kane_node_find(t->plan, "content"), "kind", "") : "critical";
    const source *of = NULL;
    for (int i = 0; i < SOURCES; i++)
        if (strcmp(sources[i].kind, kind) == 0)
            of = &sources[i];
    if (!of) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = document, .path = "content.kind"},
                              "a page shows studies of the kinds sweep, omission, transitions, optimise, rods and "
                              "critical, not '%s'",
                              kind);
        return NULL;
    }
    t->kind = of->kind;
    t->file = join_path(arena, directory, of->table);
    if (!is_readable(directory, of->table)) {
        kane_errors_add_input(errors, KANE_BAD_INPUT, (kane_place){.file = document, .path = ""},
                              "the study is not complete: there is no %s yet; the same command goes on where it was",
                              of->table);
        return NULL;
    }
    if (!read_table(arena, of, t, errors))
        return NULL;
    if (t->row_count == 0) {
        add_fault(errors, t->file, 0, "there are no rows to show");
        return NULL;
    }
    if ((strcmp(t->kind, "sweep") == 0 && !read_cases(arena, t, errors)) ||
        !find_kept(arena, t, case_count, cases, errors))
        return NULL;
    look_at_inputs(arena, t);
    return t;
}

// --- in the page ---

// Words once each, and for every row which one.
static void write_words(kane_encoder *encoder, int count, const char *const *words)
{
    kane_arena *arena   = kane_arena_create();
    double *which       = arena ? kane_arena_doubles(arena, (size_t)count + 1) : NULL;
    const char **unlike = arena ? kane_arena_alloc(arena, (size_t)count + 1, sizeof *unlike) : NULL;
    int found           = 0;
    for (int i = 0; i < count && which && unlike; i++) {
        int k = found - 1;
        while (k >= 0 && strcmp(unlike[k], words[i]) != 0)
            k--;
        if (k < 0)
            unlike[k = found++] = words[i];
        which[i] = k;
    }
    kane_writer_open(encoder->json, "words", '[');
    for (int k = 0; k < found; k++)
        kane_writer_text(encoder->json, NULL, unlike[k]);
    kane_writer_close(encoder->json);
    if (which)
        kane_encoder_row(encoder, "values", KANE_ENCODE_DOUBLE, count, 1, which);
    kane_arena_free(arena);
}

static void write_column(kane_encoder *encoder, const kane_study_column *column, int count)
{
    static const char *const roles[] = {"number", "axis", "measure", "word"};
    kane_writer_open(encoder->json, NULL, '{');
    kane_writer_text(encoder->json, "name", column->name);
    kane_writer_text(encoder->json, "unit", column->unit);
    kane_writer_text(encoder->json, "role", roles[column->role]);
    if (column->numbers)
        kane_encoder_row(encoder, "values", KANE_ENCODE_DOUBLE, count, 1, column->numbers);
    else
        write_words(encoder, count, column->words);
    kane_writer_close(encoder->json);
}

// Speeds that kane critical has found, to be marked.
static void write_marks(const kane_study_table *t, kane_writer *w)
{
    static const char *const marks[][2] = {{"linear", "linear critical speed"},
                                           {"nonlinear", "nonlinear critical speed"},
                                           {"none", "a cycle dies"},
                                           {"jump", "a small disturbance grows"},
                                           {"rest", "a small disturbance dies"}};
    kane_writer_open(w, "marks", '[');
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const kane_node *node = kane_node_find(t->plan, marks[i][0]);
        if (!node || node->kind != KANE_NODE_NUMBER)
            continue;
        kane_writer_open(w, NULL, '{');
        kane_writer_text(w, "key", marks[i][0]);
        kane_writer_text(w, "name", marks[i][1]);
        kane_writer_number(w, "value", node->number);
        kane_writer_close(w);
    }
    kane_writer_close(w);
}

// File or name of the vehicle, train or mechanism; "" if the study names none.
static const char *vehicle_of(const kane_study_table *t)
{
    static const char *const keys[] = {"vehicle", "train", "mechanism"};
    const kane_node *content        = kane_node_find(t->plan, "content");
    const kane_node *inputs         = content ? kane_node_find(content, "inputs") : NULL;
    const kane_node *input          = inputs ? inputs->child : kane_node_find(t->plan, "input");
    for (size_t i = 0; input && input->kind == KANE_NODE_OBJECT && i < sizeof keys / sizeof *keys; i++) {
        const kane_node *one = kane_node_find(input, keys[i]);
        if (one && one->kind == KANE_NODE_OBJECT)
            return kane_node_text(one, "file", "");
    }
    return kane_node_text(t->plan, "vehicle", ""); // of kane critical: its name
}

void kane_study_table_write(const kane_study_table *t, kane_encoder *encoder)
{
    kane_writer *w           = encoder->json;
    const kane_node *content = kane_node_find(t->plan, "content");
    kane_writer_open(w, "study", '{');
    kane_writer_text(w, "kind", t->kind);
    kane_writer_text(w, "folder", t->folder);
    kane_writer_text(w, "library", kane_node_text(t->plan, "library", ""));
    kane_writer_text(w, "commit", kane_node_text(t->plan, "commit", ""));
    kane_writer_text(w, "run", kane_node_text(content ? content : t->plan, "run", ""));
    kane_writer_text(w, "vehicle", vehicle_of(t));
    kane_writer_text(w, "layout", content ? kane_node_text(content, "layout", "") : "");
    kane_writer_text(w, "changed", t->changed);
    kane_writer_open(w, "common", '[');
    const kane_node *common = content ? kane_node_find(content, "settings") : NULL;
    for (const kane_node *s = common ? common->child : NULL; s; s = s->next)
        kane_writer_text(w, NULL, s->text);
    kane_writer_close(w);
    kane_writer_count(w, "rows", t->row_count);
    kane_writer_open(w, "columns", '[');
    for (int k = 0; k < t->column_count; k++)
        write_column(encoder, &t->columns[k], t->row_count);
    kane_writer_close(w);
    kane_writer_open(w, "settings", '[');
    for (const kane_node *one = t->cases ? t->cases->child : NULL; one; one = one->next) {
        const kane_node *list = kane_node_find(one, "settings");
        kane_writer_row(w, NULL);
        for (const kane_node *s = list ? list->child : NULL; s; s = s->next)
            kane_writer_text(w, NULL, s->text);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    kane_writer_open(w, "kept", '[');
    for (int i = 0; i < t->kept_count; i++) {
        kane_writer_row(w, NULL);
        kane_writer_count(w, NULL, t->kept[i].row);
        kane_writer_count(w, NULL, t->kept[i].run);
        if (t->kept[i].under >= 0)
            kane_writer_count(w, NULL, t->kept[i].under);
        kane_writer_close(w);
    }
    kane_writer_close(w);
    write_marks(t, w);
    kane_writer_close(w);
}
