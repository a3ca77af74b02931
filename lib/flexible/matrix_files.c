// SPDX-License-Identifier: MIT
// Models from the files of finite element programs: nodes, what each row of the matrices is, stiffness and mass.
//
// CalculiX (*FREQUENCY, SOLVER=MATRIXSTORAGE): .dof has a line node.direction for each row, .sti and .mas lines "row
// column value" of one triangle. Matrix Market: the same after a header and a line of sizes. Abaqus (*MATRIX GENERATE):
// lines "node, direction, node, direction, value" (FORMAT=MATRIX INPUT), or "row column value" (FORMAT=COORDINATE), of
// which three or six rows are a node's, nodes by number. A matrix may be given as one triangle or in full, but not half
// of each.
//
// Modes in place of the stiffness: dense matrices of Matrix Market, of shapes (rows as those of the mass matrix) and of
// eigenvalues.

#include "flexible/modes.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sides[6] = {"displacement along x", "displacement along y", "displacement along z",
                                     "rotation about x",     "rotation about y",     "rotation about z"};

typedef struct entry {
    int row, column; // column <= row
    int is_upper;    // as it was typed
    int line;
    double value;
} entry;

typedef struct node_line {
    int number, line;
    kane_vec3 x;
} node_line;

typedef struct files {
    kane_reader *reader;
    const kane_matrices_input *in;
    kane_arena *arena;
    const char *names[KANE_MATRIX_FILES];
    node_line *nodes; // by number
    int node_count;
    int *of_row; // unknown as 6 node + direction of every row of the matrices, as they count [row_count]
    int row_count;
    int by_rows; // 1: of Abaqus, but lines of the matrices are "row column value"
} files;

enum { NODES, UNKNOWNS, STIFFNESS, MASS, SHAPES, EIGENVALUES }; // order of the names

// Opens a file for reading by lines.
static int open_lines(files *f, int which, kane_lines *lines)
{
    const char *text = f->names[which] ? kane_file_read(f->arena, f->names[which], NULL, f->reader->errors) : NULL;
    *lines =
        (kane_lines){.file = f->names[which], .at = text, .errors = f->reader->errors, .faults_most = KANE_LINE_FAULTS};
    f->reader->fault_count += text == NULL;
    return text != NULL;
}

// Reports the errors of a file's lines to the reader.
static int close_lines(files *f, const kane_lines *lines)
{
    f->reader->fault_count += lines->faults;
    return lines->faults == 0;
}

// A whole number from 1 on; `what` it is for messages. 0 with an error.
static int parse_count(kane_lines *lines, double number, const char *what, int *to)
{
    if (number >= 1.0 && number <= INT_MAX && number == (double)(int)number) {
        *to = (int)number;
        return 1;
    }
    kane_lines_fault(lines, NULL, "%g is no %s; these are whole numbers from 1", number, what);
    return 0;
}

// --- nodes ---

static int by_number(const void *a, const void *b)
{
    const node_line *p = a, *q = b;
    return p->number != q->number ? (p->number < q->number ? -1 : 1) : (p->line > q->line) - (p->line < q->line);
}

static int starts_nodes(const kane_lines *lines)
{
    const char *at = lines->begin + 5;
    if (lines->end - lines->begin < 5 || !kane_same_letters(lines->begin, "*NODE", 5))
        return 0;
    while (at < lines->end && (*at == ' ' || *at == '\t'))
        at++;
    return at == lines->end || *at == ','; // *NODE FILE, *NODE PRINT and *NODE OUTPUT ask for output
}

static void read_node(files *f, kane_lines *lines)
{
    double numbers[KANE_LINE_NUMBERS];
    node_line *node = &f->nodes[f->node_count];
    const int count = kane_lines_numbers(lines, ",", numbers);
    if (count < 0)
        return;
    if (count != 4) {
        kane_lines_fault(lines, NULL, "a node has %d numbers here; needs 4: its number, x, y, z", count);
        return;
    }
    node->line = lines->line;
    node->x    = kv3_scale(f->in->unit_length, kv3(numbers[1], numbers[2], numbers[3]));
    f->node_count += parse_count(lines, numbers[0], "number of a node", &node->number);
}

static int read_nodes(files *f)
{
    kane_lines lines;
    int inside = 0;
    if (!open_lines(f, NODES, &lines))
        return 0;
    f->nodes = kane_arena_alloc(f->arena, kane_lines_count(lines) + 1, sizeof *f->nodes);
    while (f->nodes && kane_lines_next(&lines, ""))
        if (*lines.begin == '*')
            inside = strncmp(lines.begin, "**", 2) == 0 ? inside : starts_nodes(&lines);
        else if (inside)
            read_node(f, &lines);
    if (f->nodes && f->node_count == 0 && lines.faults == 0)
        kane_lines_fault(&lines, NULL, "no nodes in it; needs a line *NODE and lines \"number, x, y, z\" after it");
    if (!f->nodes)
        return 0;
    qsort(f->nodes, (size_t)f->node_count, sizeof *f->nodes, by_number);
    for (int k = 1; k < f->node_count; k++)
        if (f->nodes[k].number == f->nodes[k - 1].number) {
            lines.line = f->nodes[k].line;
            kane_lines_fault(&lines, NULL, "node %d was given in line %d", f->nodes[k].number, f->nodes[k - 1].line);
        }
    return close_lines(f, &lines);
}

// 6 node + direction of "node, direction"; -1 with an error.
static int find_unknown(files *f, kane_lines *lines, double node, double direction)
{
    node_line key = {0};
    int part;
    if (!parse_count(lines, node, "number of a node", &key.number) ||
        !parse_count(lines, direction, "direction", &part))
        return -1;
    int low = 0, high = f->node_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (f->nodes[middle].number < key.number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == f->node_count || f->nodes[low].number != key.number)
        kane_lines_fault(lines, NULL, "node %d is not in %s", key.number, f->names[NODES]);
    else if (part > 6)
        kane_lines_fault(lines, NULL, "direction %d; possible are 1 to 3 (displacement) and 4 to 6 (rotation)", part);
    else
        return 6 * low + part - 1;
    return -1;
}

// --- rows ---

// Lines node.direction: not as one number, for 1.1 and 1.10 are the same number.
static int read_row(files *f, kane_lines *lines)
{
    const char *point = memchr(lines->begin, '.', (size_t)(lines->end - lines->begin));
    double node, direction;
    if (!point || !kane_lines_number(lines->begin, (size_t)(point - lines->begin), &node) ||
        !kane_lines_number(point + 1, (size_t)(lines->end - point - 1), &direction)) {
        kane_lines_fault(lines, lines->begin, "needs node.direction, e.g. 12.3: displacement of node 12 along z");
        return -1;
    }
    return find_unknown(f, lines, node, direction);
}

static int read_rows(files *f)
{
    kane_lines lines;
    int *line = kane_arena_alloc(f->arena, 6 * (size_t)f->node_count, sizeof *line);
    f->of_row = kane_arena_alloc(f->arena, 6 * (size_t)f->node_count, sizeof *f->of_row);
    if (!line || !f->of_row || !open_lines(f, UNKNOWNS, &lines))
        return 0;
    while (kane_lines_next(&lines, "%#")) {
        const int unknown = read_row(f, &lines);
        if (unknown < 0)
            continue;
        if (line[unknown] > 0)
            kane_lines_fault(&lines, NULL, "%s of node %d was given in line %d", sides[unknown % 6],
                             f->nodes[unknown / 6].number, line[unknown]);
        else
            f->of_row[f->row_count++] = unknown;
        line[unknown] = lines.line;
    }
    if (f->row_count == 0 && lines.faults == 0)
        kane_lines_fault(&lines, NULL, "has no lines node.direction");
    return close_lines(f, &lines);
}

// --- matrices ---

typedef struct entries {
    entry *items;
    int count;
} entries;

static int find_row(files *f, kane_lines *lines, double number)
{
    int row;
    if (!parse_count(lines, number, "row or column", &row))
        return -1;
    if (row <= f->row_count)
        return f->of_row[row - 1];
    kane_lines_fault(lines, NULL, "row or column %d, but %s has %d rows", row,
                     f->names[f->by_rows ? STIFFNESS : UNKNOWNS], f->row_count);
    return -1;
}

// Lines "row column value" of Abaqus' FORMAT=COORDINATE: three or six rows a node, nodes by number, of the largest row
// in the file.
static void find_rows_of_coordinates(files *f, kane_lines lines)
{
    double n[KANE_LINE_NUMBERS], most = 0.0;
    for (kane_lines all = lines; kane_lines_next(&all, "*") && kane_lines_numbers(&all, ",", n) == 3;)
        most = fmax(most, fmax(n[0], n[1]));
    for (int k = 1; k < f->node_count; k++)
        if (f->nodes[k].line < f->nodes[k - 1].line) {
            kane_lines_fault(&lines, NULL,
                             "FORMAT=COORDINATE does not say which row is which node's, and nodes are not by number in "
                             "%s: write FORMAT=MATRIX INPUT",
                             f->names[NODES]);
            f->reader->fault_count++;
            return;
        }
    const int each = most == 3.0 * f->node_count ? 3 : most == 6.0 * f->node_count ? 6 : 0;
    if (each == 0) {
        kane_lines_fault(&lines, NULL,
                         "has %g rows; FORMAT=COORDINATE is read with three or six for each of the %d nodes in %s: "
                         "write FORMAT=MATRIX INPUT",
                         most, f->node_count, f->names[NODES]);
        f->reader->fault_count++;
        return;
    }
    f->of_row = kane_arena_alloc(f->arena, (size_t)each * (size_t)f->node_count, sizeof *f->of_row);
    for (int i = 0; f->of_row && i < each * f->node_count; i++)
        f->of_row[f->row_count++] = 6 * (i / each) + i % each;
}

// Number of numbers in the first line of a matrix.
static int count_numbers(kane_lines lines)
{
    double n[KANE_LINE_NUMBERS];
    kane_errors unreported = {.limit = 1};
    lines.errors           = &unreported;
    return kane_lines_next(&lines, "*") ? kane_lines_numbers(&lines, ",", n) : 0;
}

static void read_entry(files *f, kane_lines *lines, entries *to)
{
    const int abaqus = f->in->format == KANE_MATRIX_ABAQUS && !f->by_rows, wanted = abaqus ? 5 : 3;
    double n[KANE_LINE_NUMBERS];
    const int count = kane_lines_numbers(lines, f->in->format == KANE_MATRIX_ABAQUS ? "," : "", n);
    if (count < 0)
        return;
    if (count != wanted) {
        kane_lines_fault(lines, NULL, "has %d numbers; needs %s", count,
                         abaqus ? "5: node, direction, node, direction, value" : "3: row, column, value");
        return;
    }
    const int row    = abaqus ? find_unknown(f, lines, n[0], n[1]) : find_row(f, lines, n[0]);
    const int column = row < 0 ? -1 : abaqus ? find_unknown(f, lines, n[2], n[3]) : find_row(f, lines, n[1]);
    if (column < 0)
        return;
    to->items[to->count++] =
        (entry){row > column ? row : column, row > column ? column : row, row < column, lines->line, n[wanted - 1]};
}

// The header of a Matrix Market file, and its line of sizes. Returns how many entries follow, -1 with an error.
static long long read_header(files *f, kane_lines *lines)
{
    double n[KANE_LINE_NUMBERS];
    char kind[4][16] = {"", "", "", ""};
    if (sscanf(lines->at, "%%%%MatrixMarket %15s %15s %15s %15s", kind[0], kind[1], kind[2], kind[3]) != 4 ||
        !kane_same_word(kind[0], "matrix")) {
        lines->line = 1, lines->line_start = lines->at;
        kane_lines_fault(lines, NULL, "needs a first line \"%%%%MatrixMarket matrix coordinate real symmetric\"");
        return -1;
    }
    const int is_known = kane_same_word(kind[1], "coordinate") && kane_same_word(kind[2], "real") &&
                         (kane_same_word(kind[3], "symmetric") || kane_same_word(kind[3], "general"));
    if (!is_known) {
        lines->line = 1, lines->line_start = lines->at;
        kane_lines_fault(lines, NULL, "a matrix \"%s %s %s\"; can be read: coordinate real symmetric, or general",
                         kind[1], kind[2], kind[3]);
        return -1;
    }
    if (!kane_lines_next(lines, "%") || kane_lines_numbers(lines, "", n) != 3) {
        kane_lines_fault(lines, NULL, "needs a line of three sizes: rows, columns, entries");
        return -1;
    }
    if (n[0] == (double)f->row_count && n[1] == (double)f->row_count)
        return (long long)n[2];
    kane_lines_fault(lines, NULL, "has %g rows and %g columns, but %s has %d rows", n[0], n[1], f->names[UNKNOWNS],
                     f->row_count);
    return -1;
}

static int by_place(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    if (p->column != q->column)
        return p->column < q->column ? -1 : 1;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    return (p->line > q->line) - (p->line < q->line);
}

// Sorts the entries and merges both triangles, which must be equal, to one entry for each place.
static void merge_entries(kane_lines *lines, entries *m)
{
    int merged = 0, single = 0, both = 0, unpaired_line = 0;
    double most = 0.0;
    qsort(m->items, (size_t)m->count, sizeof *m->items, by_place);
    for (int i = 0; i < m->count; i++)
        most = fmax(most, fabs(m->items[i].value));
    for (int i = 0; i < m->count && lines->faults < KANE_LINE_FAULTS; i++) {
        const entry *e = &m->items[i], *last = merged > 0 ? &m->items[merged - 1] : NULL;
        if (!last || last->row != e->row || last->column != e->column) {
            single += e->row != e->column;
            unpaired_line      = e->row != e->column ? e->line : unpaired_line;
            m->items[merged++] = *e;
            continue;
        }
        lines->line = e->line;
        if (last->is_upper == e->is_upper)
            kane_lines_fault(lines, NULL, "this entry was given in line %d", last->line);
        else if (fabs(last->value - e->value) > 1e-9 * most)
            kane_lines_fault(lines, NULL, "%g, but line %d has %g for the other triangle: the matrix is not symmetric",
                             e->value, last->line, last->value);
        both++;
        m->items[merged - 1].is_upper = e->is_upper;
    }
    m->count    = merged;
    lines->line = unpaired_line;
    if (both > 0 && both < single && lines->faults == 0)
        kane_lines_fault(
            lines, NULL,
            "%d entries are in both triangles, %d in one alone: the matrix is neither a triangle nor whole", both,
            single - both);
}

static int read_matrix(files *f, int which, entries *m)
{
    kane_lines lines;
    long long wanted = -1;
    if (!open_lines(f, which, &lines))
        return 0;
    m->items = kane_arena_alloc(f->arena, kane_lines_count(lines) + 1, sizeof *m->items);
    if (!m->items)
        return 0;
    if (f->in->format == KANE_MATRIX_MARKET && (wanted = read_header(f, &lines)) < 0)
        return close_lines(f, &lines);
    f->by_rows = f->in->format == KANE_MATRIX_ABAQUS && count_numbers(lines) == 3;
    if (f->by_rows && f->row_count == 0) {
        find_rows_of_coordinates(f, lines);
        if (f->row_count == 0)
            return 0;
    }
    while (kane_lines_next(&lines, f->in->format == KANE_MATRIX_ABAQUS ? "*" : "%"))
        read_entry(f, &lines, m);
    if (lines.faults == 0 && wanted >= 0 && m->count != wanted)
        kane_lines_fault(&lines, NULL, "ends after %d entries; its second line says %lld", m->count, wanted);
    if (lines.faults == 0 && m->count == 0)
        kane_lines_fault(&lines, NULL, "has no entries");
    if (lines.faults == 0)
        merge_entries(&lines, m);
    return close_lines(f, &lines);
}

// Lower triangle to compressed rows of both, in unknowns of the mesh and SI units: a rotational unknown adds a factor
// of length.
static int compress_rows(files *f, const kane_mesh *mesh, int n, const entries *m, kane_symmetric *to)
{
    const size_t room = 2 * (size_t)m->count + 1;
    *to               = (kane_symmetric){n, kane_arena_alloc(f->arena, (size_t)n + 2, sizeof(int)),
                                         kane_arena_alloc(f->arena, room, sizeof(int)), kane_arena_doubles(f->arena, room)};
    if (kane_arena_failed(f->arena))
        return 0;
    for (int i = 0; i < m->count; i++) {
        const int row = mesh->unknown[m->items[i].row], column = mesh->unknown[m->items[i].column];
        to->start[row + 2]++;
        to->start[column + 2] += row != column;
    }
    for (int i = 2; i <= n; i++)
        to->start[i] += to->start[i - 1];
    for (int i = 0; i < m->count; i++) {
        const entry *e = &m->items[i];
        const int row = mesh->unknown[e->row], column = mesh->unknown[e->column];
        const int turns    = (e->row % 6 >= 3) + (e->column % 6 >= 3);
        const double value = e->value * f->in->unit_mass * pow(f->in->unit_length, turns);
        for (int side = 0; side < 1 + (row != column); side++) {
            const int at   = to->start[(side ? column : row) + 1]++;
            to->column[at] = side ? row : column;
            to->value[at]  = value;
        }
    }
    return 1;
}

// --- the mesh of a free body ---

// Marks unknowns that a matrix or the list of rows has, 0 instead of -1.
static void mark_unknowns(const files *f, const entries *m, int *used)
{
    for (int i = 0; i < m->count; i++)
        used[m->items[i].row] = used[m->items[i].column] = 0;
    for (int i = 0; i < f->row_count; i++)
        used[f->of_row[i]] = 0;
}

// Nodes that the matrices have; each must have all displacements, and all or no rotations.
static int collect_nodes(files *f, const entries *m, kane_mesh *mesh)
{
    const size_t all = 6 * (size_t)f->node_count;
    mesh->unknown    = kane_arena_alloc(f->arena, all, sizeof *mesh->unknown);
    mesh->x          = kane_arena_alloc(f->arena, (size_t)f->node_count, sizeof *mesh->x);
    mesh->number     = kane_arena_alloc(f->arena, (size_t)f->node_count, sizeof *mesh->number);
    if (kane_arena_failed(f->arena))
        return 0;
    for (size_t i = 0; i < all; i++)
        mesh->unknown[i] = -1;
    mark_unknowns(f, &m[0], mesh->unknown);
    mark_unknowns(f, &m[1], mesh->unknown);
    mesh->node_count = f->node_count;
    for (int k = 0; k < f->node_count; k++) {
        const int *u    = mesh->unknown + 6 * k;
        const int moves = (u[0] == 0) + (u[1] == 0) + (u[2] == 0), turns = (u[3] == 0) + (u[4] == 0) + (u[5] == 0);
        mesh->x[k]      = f->nodes[k].x;
        mesh->number[k] = f->nodes[k].number;
        if (moves + turns == 0 || (moves == 3 && turns % 3 == 0))
            continue;
        int missing = moves < 3 ? 0 : 3;
        while (u[missing] == 0)
            missing++;
        kane_reader_fault(f->reader, &f->in->block, "stiffness",
                          "node %d has no row for its %s: it is held there, but the body must be free",
                          f->nodes[k].number, sides[missing]);
        return 0;
    }
    return 1;
}

// Leaves out nodes that have no rows.
static void drop_nodes(kane_mesh *mesh, int *to)
{
    int included = 0;
    for (int k = 0; k < mesh->node_count; k++) {
        if (mesh->unknown[6 * k] < 0)
            continue;
        to[k]                  = included;
        mesh->x[included]      = mesh->x[k];
        mesh->number[included] = mesh->number[k];
        memmove(mesh->unknown + 6 * included, mesh->unknown + 6 * k, 6 * sizeof *mesh->unknown);
        included++;
    }
    mesh->node_count = included;
}

static void move_entries(entries *m, const int *to)
{
    for (int i = 0; i < m->count; i++) {
        entry *e  = &m->items[i];
        e->row    = 6 * to[e->row / 6] + e->row % 6;
        e->column = 6 * to[e->column / 6] + e->column % 6;
    }
}

// Checks that rigid motion needs no force.
static void check_free(files *f, const kane_mesh *mesh)
{
    const kane_symmetric *K = &mesh->K;
    for (int motion = 0; motion < 6; motion++)
        for (int i = 0; i < K->n; i++) {
            double sum = 0.0, size = 0.0;
            for (int k = K->start[i]; k < K->start[i + 1]; k++) {
                const double part = K->value[k] * kane_mesh_rigid(mesh, mesh->x[0], motion, K->column[k]);
                sum += part;
                size += fabs(part);
            }
            if (!(fabs(sum) > 1e-6 * size))
                continue;
            kane_reader_fault(f->reader, &f->in->block, "stiffness",
                              "is not that of a free body: its rigid %s takes a force at node %d", sides[motion],
                              mesh->number[mesh->node[i]]);
            return;
        }
}

// All nodes must be connected.
static void check_joined(files *f, const kane_mesh *mesh)
{
    const kane_symmetric *K = &mesh->K;
    int *reached            = kane_arena_alloc(f->arena, (size_t)mesh->node_count, sizeof *reached);
    int *queue              = kane_arena_alloc(f->arena, (size_t)mesh->node_count, sizeof *queue);
    if (!reached || !queue)
        return;
    int filled = 1;
    reached[0] = 1;
    for (int taken = 0; taken < filled; taken++)
        for (int part = 0; part < 6; part++) {
            const int row = mesh->unknown[6 * queue[taken] + part];
            for (int k = row < 0 ? 0 : K->start[row]; row >= 0 && k < K->start[row + 1]; k++) {
                const int other = mesh->node[K->column[k]];
                if (!reached[other] && K->value[k] != 0.0) {
                    reached[other]  = 1;
                    queue[filled++] = other;
                }
            }
        }
    for (int node = 0; node < mesh->node_count; node++)
        if (!reached[node]) {
            kane_reader_fault(f->reader, &f->in->block, "stiffness",
                              "does not join node %d to node %d: the body is not in one piece", mesh->number[node],
                              mesh->number[0]);
            return;
        }
}

// --- modes in place of the stiffness ---

static int check_modal_keys(kane_reader *reader, const kane_matrices_input *in)
{
    const int is_modal = in->shapes || in->eigenvalues;
    if (is_modal == (in->stiffness != NULL))
        kane_reader_fault(reader, &in->block, is_modal ? "stiffness" : NULL,
                          is_modal ? "is not given beside \"shapes\" and \"eigenvalues\", which are in its place"
                                   : "needs \"stiffness\", or \"shapes\" and \"eigenvalues\"");
    else if (is_modal && !(in->shapes && in->eigenvalues))
        kane_reader_fault(reader, &in->block, NULL, "needs both \"shapes\" and \"eigenvalues\"");
    else if (is_modal && in->format == KANE_MATRIX_ABAQUS)
        kane_reader_fault(reader, &in->block, "shapes",
                          "needs \"unknowns\", which abaqus does not have: use matrixmarket");
    return kane_reader_status(reader) == KANE_OK;
}

// The header of a dense matrix, and its line of sizes; rows: how many it must have, as others have. 0 with an error.
static int read_array_header(kane_lines *lines, int rows, const char *others, int *columns)
{
    double n[KANE_LINE_NUMBERS];
    char kind[4][16] = {"", "", "", ""};
    const int words  = sscanf(lines->at, "%%%%MatrixMarket %15s %15s %15s %15s", kind[0], kind[1], kind[2], kind[3]);
    if (words != 4 || !kane_same_word(kind[0], "matrix") || !kane_same_word(kind[1], "array") ||
        !kane_same_word(kind[2], "real") || !kane_same_word(kind[3], "general")) {
        lines->line = 1, lines->line_start = lines->at;
        kane_lines_fault(lines, NULL, "needs a first line \"%%%%MatrixMarket matrix array real general\"");
    } else if (!kane_lines_next(lines, "%") || kane_lines_numbers(lines, "", n) != 2) {
        kane_lines_fault(lines, NULL, "needs a line of two sizes: rows, columns");
    } else if (n[0] != (double)rows) {
        kane_lines_fault(lines, NULL, "has %g rows, but %s %d", n[0], others, rows);
    } else if (parse_count(lines, n[1], "number of columns", columns)) {
        return 1;
    }
    return 0;
}

// A dense matrix by columns. NULL with errors.
static double *read_array(files *f, int which, int rows, const char *others, int *columns)
{
    kane_lines lines;
    double n[KANE_LINE_NUMBERS];
    if (!open_lines(f, which, &lines))
        return NULL;
    const int is_good = read_array_header(&lines, rows, others, columns);
    const size_t size = is_good ? (size_t)rows * (size_t)*columns : 0;
    double *values    = kane_arena_doubles(f->arena, size + 1);
    size_t count      = 0;
    while (values && is_good && count <= size && kane_lines_next(&lines, "%")) {
        const int more = kane_lines_numbers(&lines, "", n);
        for (int i = 0; i < more && count <= size; i++)
            values[count++] = n[i];
    }
    if (values && lines.faults == 0 && count != size)
        kane_lines_fault(&lines, NULL, "has %s than %d x %d numbers", count < size ? "fewer" : "more", rows, *columns);
    return close_lines(f, &lines) ? values : NULL;
}

// Subtracts from a mode its part of the rigid ones. Returns its mass, u' M u; product [n]: scratch.
static double remove_rigid_motion(const kane_mesh *mesh, const double *rigid, double *phi, double *product)
{
    const int n = mesh->M.n;
    for (int k = 0; k < KANE_RIGID_MODES; k++) {
        const double *r = rigid + (size_t)k * (size_t)n;
        kane_symmetric_multiply(&mesh->M, phi, product);
        kane_add_scaled(n, phi, -kane_dot(n, r, product), r);
    }
    kane_symmetric_multiply(&mesh->M, phi, product);
    return kane_dot(n, phi, product);
}

// The most that a mode has in common with those before it, by the mass matrix. product [n]: scratch.
static double find_common_mass(const kane_mesh *mesh, int count, double *product)
{
    const size_t n = (size_t)mesh->M.n;
    double most    = 0.0;
    kane_symmetric_multiply(&mesh->M, mesh->shapes + (size_t)count * n, product);
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(kane_dot(mesh->M.n, mesh->shapes + (size_t)k * n, product)));
    return most;
}

// Modes of unit mass that are no rigid motion (within a tenth of their size). They must be orthogonal to 1 %, with
// eigenvalues that do not descend: those of equal bending in two planes are the same.
static void clean_modes(files *f, kane_mesh *mesh, const double *rigid, double *product)
{
    static const double rigid_part = 0.01, most_common = 0.01;
    const kane_block *block = &f->in->block;
    const size_t n          = (size_t)mesh->M.n;
    const int columns       = mesh->shape_count;
    int count               = 0;
    for (int j = 0; j < columns; j++) {
        double *phi = mesh->shapes + (size_t)count * n;
        memmove(phi, mesh->shapes + (size_t)j * n, n * sizeof *phi);
        kane_symmetric_multiply(&mesh->M, phi, product);
        const double whole = kane_dot(mesh->M.n, phi, product);
        const double left  = remove_rigid_motion(mesh, rigid, phi, product);
        if (!(left > rigid_part * whole))
            continue;
        for (size_t i = 0; i < n; i++)
            phi[i] /= sqrt(left);
        mesh->squares[count] = mesh->squares[j];
        const double common  = find_common_mass(mesh, count, product);
        if (common > most_common)
            kane_reader_fault(f->reader, block, "shapes",
                              "column %d has %.2g of another column by the mass matrix: are they of the same model?",
                              j + 1, common);
        else if (!(mesh->squares[count] > 0.0) || (count > 0 && mesh->squares[count] < mesh->squares[count - 1]))
            kane_reader_fault(f->reader, block, "eigenvalues",
                              "%g of the elastic mode in column %d: they must be positive and not descend",
                              mesh->squares[count], j + 1);
        if (kane_reader_status(f->reader) != KANE_OK)
            return;
        count++;
    }
    mesh->shape_count = count;
    if (count == 0)
        kane_reader_fault(f->reader, block, "shapes", "has no mode but rigid motion");
}

// Modes of the files in unknowns of the mesh; to: nodes of the mesh.
static void read_modes(files *f, kane_mesh *mesh, const int *to)
{
    int columns = 0, one = 0;
    const double *X = read_array(f, SHAPES, f->row_count, "the mass matrix has", &columns);
    double *squares = X ? read_array(f, EIGENVALUES, columns, "the columns of shapes are", &one) : NULL;
    if (squares && one != 1) {
        kane_reader_fault(f->reader, &f->in->block, "eigenvalues", "has %d columns; needs one", one);
        return;
    }
    const size_t n = (size_t)mesh->M.n;
    double *rigid = kane_arena_doubles(f->arena, KANE_RIGID_MODES * n), *product = kane_arena_doubles(f->arena, n);
    mesh->shapes = kane_arena_doubles(f->arena, (size_t)columns * n + 1);
    if (!squares || kane_arena_failed(f->arena))
        return;
    mesh->shape_count = columns;
    mesh->squares     = squares;
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < f->row_count; i++) {
            const int node = to[f->of_row[i] / 6], part = f->of_row[i] % 6;
            const double value = X[(size_t)j * (size_t)f->row_count + (size_t)i];
            mesh->shapes[(size_t)j * n + (size_t)mesh->unknown[6 * node + part]] =
                part < 3 ? value * f->in->unit_length : value;
        }
    kane_modes_make_rigid(mesh, mesh->x[0], rigid, product);
    clean_modes(f, mesh, rigid, product);
}

void kane_matrices_find(const kane_matrices_input *in, kane_arena *arena, const char *names[KANE_MATRIX_FILES])
{
    static const char *const keys[] = {"nodes", "unknowns", "stiffness", "mass", "shapes", "eigenvalues"};
    const char *const typed[]       = {in->nodes, in->unknowns, in->stiffness, in->mass, in->shapes, in->eigenvalues};
    for (int i = 0; i < KANE_MATRIX_FILES; i++)
        names[i] = typed[i] ? kane_file_beside(arena, kane_block_place(&in->block, keys[i], -1).file, typed[i]) : NULL;
}

int kane_mesh_from_files(kane_mesh *mesh, kane_reader *reader, const kane_matrices_input *in, kane_arena *arena)
{
    files f          = {.reader = reader, .in = in, .arena = arena};
    entries m[2]     = {{0}};
    const int abaqus = in->format == KANE_MATRIX_ABAQUS;
    *mesh            = (kane_mesh){0};
    if (abaqus == (in->unknowns != NULL)) {
        kane_reader_fault(reader, &in->block, abaqus ? "unknowns" : NULL,
                          abaqus ? "is not for abaqus, whose matrices name nodes and directions themselves"
                                 : "needs \"unknowns\": what each row of the matrices is");
        return 0;
    }
    if (!check_modal_keys(reader, in))
        return 0;
    kane_matrices_find(in, arena, f.names);
    if (!read_nodes(&f) || (!abaqus && !read_rows(&f)))
        return 0;
    if ((in->stiffness && !read_matrix(&f, STIFFNESS, &m[0])) + !read_matrix(&f, MASS, &m[1]) > 0)
        return 0;
    int *to = kane_arena_alloc(arena, (size_t)f.node_count, sizeof *to);
    if (!to || !collect_nodes(&f, m, mesh))
        return 0;
    drop_nodes(mesh, to);
    move_entries(&m[0], to);
    move_entries(&m[1], to);
    const int n = kane_mesh_number(mesh, arena);
    if (n < 0 || !compress_rows(&f, mesh, n, &m[0], &mesh->K) || !compress_rows(&f, mesh, n, &m[1], &mesh->M))
        return 0;
    if (in->shapes) {
        read_modes(&f, mesh, to);
    } else {
        check_free(&f, mesh);
        check_joined(&f, mesh);
    }
    return kane_reader_status(reader) == KANE_OK;
}
