// SPDX-License-Identifier: MIT
// Matrices of finite element programs: the frequencies that CalculiX finds from them itself, one body from three
// formats and in other units, Lanczos' method against the dense one, points that nodes hold together, and files that
// are wrong.

#include "models.h"

#include "base/arena.h"
#include "base/file.h"
#include "flexible/model.h"

static const char *const block = KANE_SOURCE_DIR "/data/flexible/block";

enum { ROWS = 108, NODES = 36 };

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
}

static kane_flexible *read_model(const char *matrices, const char *modes, kane_errors *errors)
{
    char text[2048];
    (void)snprintf(
        text, sizeof text,
        "{\"kane\": \"flexible 1\", \"modes\": {%s}, \"inertia\": \"full\", \"interfaces\": {\"end\": {\"at\": [0.8, 0.05, "
        "0.03], \"radius\": 0.06}},\n\"matrices\": {%s}}",
        modes, matrices);
    write_text("matrices_test.json", text);
    kane_flexible *m = kane_flexible_read("matrices_test.json", NULL, errors);
    (void)remove("matrices_test.json");
    return m;
}

static kane_flexible *read_good(const char *matrices, const char *modes)
{
    return CHECK_GOOD(read_model, matrices, modes);
}

static kane_flexible *read_block(void)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "\"format\": \"calculix\", \"nodes\": \"%s.inp\", \"unknowns\": \"%s.dof\", \"stiffness\": "
                   "\"%s.sti\", \"mass\": \"%s.mas\"",
                   block, block, block, block);
    return read_good(text, "\"count\": 10");
}

// own.dat of *FREQUENCY without storage, CalculiX 2.20: [rad/s]
CHECK_TEST(a_block_has_the_frequencies_that_calculix_finds)
{
    static const double own[10] = {0.4705750e4, 0.6186585e4, 0.1120734e5, 0.1304907e5, 0.1638901e5,
                                   0.2046831e5, 0.2297586e5, 0.2585784e5, 0.3085303e5, 0.3587603e5};
    const double pi = 3.14159265358979323846, m = 0.8 * 0.1 * 0.06 * 7850.0;
    CHECK_OWNED(kane_flexible) *model = read_block();
    const kane_flexible_data *d       = kane_flexible_get_data(model);
    assert_int_equal(d->mode_count, 10);
    for (int i = 0; i < 10; i++)
        check_near(2.0 * pi * d->frequency[i], own[i], 1e-6 * own[i]);
    check_near(d->mass, m, 1e-10 * m);
    check_near(d->centre.x, 0.4, 1e-10);
    check_near(d->centre.y, 0.05, 1e-10);
    check_near(d->centre.z, 0.03, 1e-10);
    const double J[3] = {m / 12.0 * (0.01 + 0.0036), m / 12.0 * (0.64 + 0.0036), m / 12.0 * (0.64 + 0.01)};
    for (int i = 0; i < 3; i++) // a rotation is among the functions of the elements
        check_near(d->inertia[i], J[i], 1e-10 * J[i]);
    assert_true(d->momentum_left < 1e-12 && d->turning_left < 1e-12);
}

// --- one body, three formats ---

typedef struct triangle {
    int count, row[2000], column[2000];
    double value[2000];
} triangle;

static void load(const char *ending, triangle *t)
{
    char name[512];
    (void)snprintf(name, sizeof name, "%s.%s", block, ending);
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    t->count = 0;
    while (t->count < 2000 && fscanf(f, "%d %d %lf", &t->row[t->count], &t->column[t->count], &t->value[t->count]) == 3)
        t->count++;
    (void)fclose(f);
}

static void write_market(const char *name, const triangle *t, int whole, double factor)
{
    FILE *f   = fopen(name, "w");
    int count = t->count;
    for (int i = 0; whole && i < t->count; i++)
        count += t->row[i] != t->column[i];
    assert_non_null(f);
    (void)fprintf(f, "%%%%MatrixMarket matrix coordinate real %s\n%% a block\n%d %d %d\n",
                  whole ? "general" : "symmetric", ROWS, ROWS, count);
    for (int i = 0; i < t->count; i++) {
        (void)fprintf(f, "%d %d %.16g\n", t->column[i], t->row[i], factor * t->value[i]);
        if (whole && t->row[i] != t->column[i])
            (void)fprintf(f, "%d %d %.16g\n", t->row[i], t->column[i], factor * t->value[i]);
    }
    (void)fclose(f);
}

// FORMAT=COORDINATE of *MATRIX GENERATE.
static void write_coordinates(const char *name, const triangle *t)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    for (int i = 0; i < t->count; i++)
        (void)fprintf(f, "%d %d   %.16g\n", t->row[i], t->column[i], t->value[i]);
    (void)fclose(f);
}

static void write_abaqus(const char *name, const triangle *t)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    (void)fprintf(f, "** row node, direction, column node, direction, value\n");
    for (int i = 0; i < t->count; i++)
        (void)fprintf(f, "%d,%d, %d,%d, %.16g\n", (t->row[i] - 1) / 3 + 1, (t->row[i] - 1) % 3 + 1,
                      (t->column[i] - 1) / 3 + 1, (t->column[i] - 1) % 3 + 1, t->value[i]);
    (void)fclose(f);
}

// The block in millimetres, tonnes, newtons.
static void write_nodes_in_millimetres(const char *name)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    (void)fprintf(f, "*Heading\nblock\n*node, nset=all\n");
    for (int k = 0; k < NODES; k++)
        (void)fprintf(f, "%d, %d., %d., %d.\n", k + 1, 100 * (k / 4), 100 * (k / 2 % 2), 60 * (k % 2));
    (void)fprintf(
        f,
        "** not used by any element\n 99, 1., 2., 3.\n*NODE FILE\nU, RF\n*Node print, nset=all\nU\n*Element, type=C3D8\n1,1,5,7,3,2,6,8,4\n");
    (void)fclose(f);
}

static void check_same_lowest(size_t lowest, const kane_flexible *one, kane_flexible *other)
{
    const kane_flexible_data *a = kane_flexible_get_data(one), *b = kane_flexible_get_data(other);
    const size_t count = (size_t)a->mode_count;
    assert_int_equal(a->mode_count, b->mode_count);
    assert_int_equal(a->shape.figure.node_count, b->shape.figure.node_count);
    check_near(a->mass, b->mass, 1e-11 * a->mass);
    for (int i = 0; i < 6; i++)
        check_near(a->inertia[i], b->inertia[i], 1e-11 * a->inertia[1]);
    for (size_t i = 0; i < lowest && i < count; i++) {
        check_near(a->frequency[i], b->frequency[i], 1e-9 * a->frequency[i]);
        for (size_t axis = 0; axis < 3; axis++) {
            check_near(a->shape.points[0].S[axis * count + i], b->shape.points[0].S[axis * count + i], 1e-7);
            check_near(a->shape.points[0].Psi[axis * count + i], b->shape.points[0].Psi[axis * count + i], 1e-6);
        }
    }
    kane_flexible_free(other);
}

static void check_same(const kane_flexible *one, kane_flexible *other)
{
    check_same_lowest(SIZE_MAX, one, other);
}

CHECK_TEST(one_body_comes_from_three_formats_and_other_units)
{
    static triangle K, M;
    char text[1024];
    kane_flexible *one = read_block();
    load("sti", &K);
    load("mas", &M);
    for (int whole = 0; whole < 2; whole++) {
        write_market("matrices_test_K.mtx", &K, whole, 1.0);
        write_market("matrices_test_M.mtx", &M, !whole, 1.0);
        (void)snprintf(text, sizeof text,
                       "\"format\": \"matrixmarket\", \"nodes\": \"%s.inp\", \"unknowns\": \"%s.dof\", \"stiffness\": "
                       "\"matrices_test_K.mtx\", \"mass\": \"matrices_test_M.mtx\"",
                       block, block);
        check_same(one, read_good(text, "\"count\": 10"));
    }
    write_abaqus("matrices_test_K.mtx", &K);
    write_abaqus("matrices_test_M.mtx", &M);
    (void)snprintf(text, sizeof text,
                   "\"format\": \"abaqus\", \"nodes\": \"%s.inp\", \"stiffness\": \"matrices_test_K.mtx\", \"mass\": "
                   "\"matrices_test_M.mtx\"",
                   block);
    check_same(one, read_good(text, "\"count\": 10"));
    write_coordinates("matrices_test_K.mtx", &K);
    write_coordinates("matrices_test_M.mtx", &M);
    check_same(one, read_good(text, "\"count\": 10"));
    write_nodes_in_millimetres("matrices_test.inp");
    write_market("matrices_test_K.mtx", &K, 0, 1e-3); // N/mm
    write_market("matrices_test_M.mtx", &M, 0, 1e-3); // t
    (void)snprintf(
        text, sizeof text,
        "\"format\": \"matrixmarket\", \"nodes\": \"matrices_test.inp\", \"unknowns\": \"%s.dof\", "
        "\"stiffness\": \"matrices_test_K.mtx\", \"mass\": \"matrices_test_M.mtx\", \"unit_length\": \"1 mm\", "
        "\"unit_mass\": \"1 t\"",
        block);
    check_same(one, read_good(text, "\"count\": 10"));
    kane_flexible_free(one);
    (void)remove("matrices_test_K.mtx");
    (void)remove("matrices_test_M.mtx");
    (void)remove("matrices_test.inp");
}

// --- large models ---

static kane_flexible *read_beam(int elements, const char *modes)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "{\"kane\":\"flexible 1\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":[5,0,0],\"count\":%d,\"A\":1e-2,"
                   "\"Iy\":2e-7,\"Iz\":9e-8,\"J\":3e-7,\"polar\":40}},\"interfaces\":{\"end\":{\"at\":[0,0,0]}},"
                   "\"modes\":{%s}}",
                   elements, modes);
    CHECK_ERRORS errors = {0};
    write_text("matrices_test.json", text);
    kane_flexible *m = kane_flexible_read("matrices_test.json", NULL, &errors);
    (void)remove("matrices_test.json");
    check_no_errors(&errors);
    return m;
}

// 606 unknowns: 20 modes by Lanczos' method; 200 of them by the dense one.
CHECK_TEST(the_lowest_modes_of_a_large_model_are_those_of_the_dense_solution)
{
    CHECK_OWNED(kane_flexible) *few = read_beam(100, "\"count\": 20"), *many = read_beam(100, "\"count\": 200");
    const kane_flexible_data *a = kane_flexible_get_data(few), *b = kane_flexible_get_data(many);
    for (int i = 0; i < 20; i++) {
        check_near(a->frequency[i], b->frequency[i], 1e-7 * b->frequency[i]);
        for (int axis = 0; axis < 3; axis++)
            check_near(a->shape.points[0].S[axis * 20 + i], b->shape.points[0].S[axis * 200 + i], 1e-6);
    }
    assert_true(a->momentum_left < 1e-12 && a->turning_left < 1e-12);
    char text[64];
    (void)snprintf(text, sizeof text, "\"up_to\": %.9g", 0.5 * (b->frequency[49] + b->frequency[50]));
    CHECK_OWNED(kane_flexible) *limited = read_beam(100, text); // more than are looked for at first
    assert_int_equal(kane_flexible_get_data(limited)->mode_count, 50);
}

// --- attachment modes ---

// What the end does under forces and torques there that inertia balances: sum of S S' / omega^2 over all modes that
// there are.
static void compliance(const kane_flexible_data *d, double C[6][6])
{
    const int n                      = d->mode_count;
    const kane_deformable_point *end = &d->shape.points[0];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            C[i][j] = 0.0;
            for (int k = 0; k < n; k++) {
                const double a = i < 3 ? end->S[i * n + k] : end->Psi[(i - 3) * n + k];
                const double b = j < 3 ? end->S[j * n + k] : end->Psi[(j - 3) * n + k];
                C[i][j] += a * b / d->shape.stiffness[k * n + k];
            }
        }
}

static void check_compliance(kane_flexible *few, kane_flexible *all, kane_flexible *free_modes)
{
    double some[6][6], full[6][6], without[6][6];
    compliance(kane_flexible_get_data(few), some);
    compliance(kane_flexible_get_data(all), full);
    compliance(kane_flexible_get_data(free_modes), without);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            check_near(some[i][j], full[i][j], 1e-10 * sqrt(full[i][i] * full[j][j]));
    assert_true(without[0][0] < 0.999 * full[0][0]); // or else attachment modes would not be needed
    const kane_flexible_data *d = kane_flexible_get_data(few);
    assert_true(d->momentum_left < 1e-11 && d->turning_left < 1e-11);
    kane_flexible_free(few);
    kane_flexible_free(all);
    kane_flexible_free(free_modes);
}

CHECK_TEST(with_attachment_modes_static_deflection_is_exact)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "\"format\": \"calculix\", \"nodes\": \"%s.inp\", \"unknowns\": \"%s.dof\", \"stiffness\": "
                   "\"%s.sti\", \"mass\": \"%s.mas\"",
                   block, block, block, block);
    check_compliance(read_good(text, "\"kind\": \"free+attachment\", \"count\": 4"), read_good(text, "\"count\": 102"),
                     read_good(text, "\"count\": 4"));
    check_compliance(read_beam(8, "\"kind\": \"free+attachment\", \"count\": 6"), read_beam(8, "\"count\": 48"),
                     read_beam(8, "\"count\": 6"));
}

// --- modes in place of the stiffness ---

static void check_refused(const char *matrices, const char *modes, const char *message)
{
    CHECK_ERRORS errors = {0};
    assert_null(read_model(matrices, modes, &errors));
    if (!strstr(kane_errors_get(&errors, 0)->text, message))
        fail_msg("%s", kane_errors_get(&errors, 0)->text);
}

// Modes of a body as a finite element program writes them: a rigid one, then the others; displacements in millimetres,
// of a factor each that means nothing.
static void write_modes(const kane_flexible_data *d, const char *shapes, const char *eigenvalues)
{
    const double pi = 3.14159265358979323846;
    FILE *X = fopen(shapes, "w"), *squares = fopen(eigenvalues, "w");
    const int count = d->mode_count;
    assert_true(X && squares);
    (void)fprintf(X, "%%%%MatrixMarket matrix array real general\n%% by columns\n%d %d\n", ROWS, count + 1);
    (void)fprintf(squares, "%%%%MatrixMarket matrix array real general\n%d 1\n1e-9\n", count + 1);
    for (int i = 0; i < ROWS; i++)
        (void)fprintf(X, "%d\n", i % 3 == 0);
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < ROWS; i++)
            (void)fprintf(X, "%.17g\n", (1e3 + j) * kv3_get(d->shape.figure.shapes[(i / 3) * count + j], i % 3));
        (void)fprintf(squares, "%.17g\n", pow(2.0 * pi * d->frequency[j], 2.0));
    }
    (void)fclose(X);
    (void)fclose(squares);
}

#define MODAL                                                                                                          \
    "\"format\": \"calculix\", \"nodes\": \"matrices_test.inp\", \"unknowns\": \"" KANE_SOURCE_DIR                     \
    "/data/flexible/block.dof\", \"mass\": \"" KANE_SOURCE_DIR                                                         \
    "/data/flexible/block.mas\", \"unit_length\": \"1 mm\", "
#define SHAPES "\"shapes\": \"matrices_test_X.mtx\", \"eigenvalues\": \"matrices_test_L.mtx\""

// Eigenvalues in `columns` columns, of which line `line` of the first is replaced.
static void write_eigenvalues(const kane_flexible_data *d, int columns, int line, double by)
{
    FILE *squares = fopen("matrices_test_L2.mtx", "w");
    assert_non_null(squares);
    (void)fprintf(squares, "%%%%MatrixMarket matrix array real general\n%d %d\n", d->mode_count + 1, columns);
    for (int k = 0; k < columns; k++)
        for (int j = 0; j <= d->mode_count; j++) {
            const double w = j > 0 ? 2.0 * 3.14159265358979323846 * d->frequency[j - 1] : 0.0;
            (void)fprintf(squares, "%.17g\n", k == 0 && j == line ? by : w * w);
        }
    (void)fclose(squares);
}

#define OTHER "\"shapes\": \"matrices_test_X.mtx\", \"eigenvalues\": \"matrices_test_L2.mtx\""

// Two bending modes of a square bar have one eigenvalue: as files print them, the same.
static void check_eigenvalues(const kane_flexible_data *d)
{
    const double w = 2.0 * 3.14159265358979323846 * d->frequency[0];
    write_eigenvalues(d, 1, 2, w * w);
    kane_flexible *found = read_good(MODAL OTHER, "\"count\": 3");
    check_near(kane_flexible_get_data(found)->frequency[1], d->frequency[0], 1e-9 * d->frequency[0]);
    kane_flexible_free(found);
    write_eigenvalues(d, 1, 2, 0.5 * w * w);
    check_refused(MODAL OTHER, "\"count\": 3", "elastic mode in column 3: they must be positive and not descend");
    write_eigenvalues(d, 1, 1, -1.0);
    check_refused(MODAL OTHER, "\"count\": 3", "-1 of the elastic mode in column 2: they must be positive");
    write_eigenvalues(d, 2, 0, 0.0);
    check_refused(MODAL OTHER, "\"count\": 3", "has 2 columns; needs one");
    (void)remove("matrices_test_L2.mtx");
}

// The block by all its free modes is the block by its matrices, free and in axes fixed to its end.
CHECK_TEST(modes_in_place_of_the_stiffness)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "\"format\": \"calculix\", \"nodes\": \"%s.inp\", \"unknowns\": \"%s.dof\", \"stiffness\": "
                   "\"%s.sti\", \"mass\": \"%s.mas\"",
                   block, block, block, block);
    kane_flexible *all = read_good(text, "\"count\": 102");
    write_modes(kane_flexible_get_data(all), "matrices_test_X.mtx", "matrices_test_L.mtx");
    write_nodes_in_millimetres("matrices_test.inp");
    check_same(all, read_good(MODAL SHAPES, "\"count\": 102"));
    check_eigenvalues(kane_flexible_get_data(all));
    kane_flexible_free(all);
    for (int k = 0; k < 2; k++) { // of the body held there few modes are compared: the highest are those of all
        static const char *const modes[] = {"\"count\": 102}, \"frame\": \"end\", \"gauges\": {",
                                            "\"count\": 102}, \"frame\": \"principal\", \"gauges\": {"};
        kane_flexible *by_matrices       = read_good(text, modes[k]);
        check_same_lowest(20, by_matrices, read_good(MODAL SHAPES, modes[k]));
        kane_flexible_free(by_matrices);
    }
    check_refused(MODAL "\"shapes\": \"matrices_test_X.mtx\"", "\"count\": 3",
                  "needs both \"shapes\" and \"eigenvalues\"");
    check_refused(MODAL SHAPES, "\"count\": 3, \"kind\": \"craig-bampton\"", "needs the stiffness matrix");
    check_refused(MODAL "\"shapes\": \"matrices_test_X.mtx\", \"eigenvalues\": \"matrices_test_X.mtx\"", "\"count\": 3",
                  "has 108 rows, but the columns of shapes are 103");
    check_refused(MODAL "\"shapes\": \"matrices_test_L.mtx\", \"eigenvalues\": \"matrices_test_L.mtx\"", "\"count\": 3",
                  "has 103 rows, but the mass matrix has 108");
    (void)remove("matrices_test_X.mtx");
    (void)remove("matrices_test_L.mtx");
    (void)remove("matrices_test.inp");
}

// --- files that are wrong ---

typedef struct wrong {
    const char *ending; // of the file that is changed
    int line;           // that is replaced, from 1; 0: added at the end
    const char *by;     // text of the line
    int at;             // line of the message; 0: of any
    const char *message;
} wrong;

static void copy_with(const wrong *w, const char *ending)
{
    char name[512], to[64], line[256];
    (void)snprintf(name, sizeof name, "%s.%s", block, ending);
    (void)snprintf(to, sizeof to, "matrices_test.%s", ending);
    FILE *from = fopen(name, "r"), *f = fopen(to, "w");
    assert_true(from && f);
    const int here = strcmp(ending, w->ending) == 0;
    for (int i = 1; fgets(line, sizeof line, from); i++)
        if (here && i == w->line)
            (void)fputs(w->by, f);
        else
            (void)fputs(line, f);
    if (here && w->line == 0)
        (void)fputs(w->by, f);
    (void)fclose(from);
    (void)fclose(f);
}

CHECK_TEST(broken_files_are_refused_with_their_lines)
{
    static const wrong cases[] = {
        {"inp", 5, "3, 0, 0.1\n", 5, "a node has 3 numbers here; needs 4: its number, x, y, z"},
        {"inp", 5, "3, 0, 0.1, zero\n", 5, "'zero' is not a number"},
        {"inp", 5, "2, 0, 0.1, 0\n", 5, "node 2 was given in line 4"},
        {"inp", 2, "*NODES OF WHAT\n", 57, "no nodes in it"},
        {"dof", 7, "77.1\n", 7, "node 77 is not in matrices_test.inp"},
        {"dof", 7, "3.7\n", 7, "direction 7; possible are 1 to 3 (displacement) and 4 to 6 (rotation)"},
        {"dof", 7, "3\n", 7, "needs node.direction"},
        {"dof", 7, "2.1\n", 7, "displacement along x of node 2 was given in line 4"},
        {"dof", 7, "", 0, "row or column 108, but matrices_test.dof has 107 rows"},
        {"sti", 10, "4 4\n", 10, "has 2 numbers; needs 3: row, column, value"},
        {"sti", 10, "4 4.5 1\n", 10, "4.5 is no row or column; these are whole numbers from 1"},
        {"sti", 10, "109 4 1\n", 10, "row or column 109, but matrices_test.dof has 108 rows"},
        {"sti", 0, "1 1 5\n", 1855, "this entry was given in line 1"},
        {"sti", 0, "2 1 1.0096153846154e+09\n", 1853, "the matrix is neither a triangle nor whole"},
        {"sti", 0, "2 1 5\n", 1855, "the matrix is not symmetric"},
        {"sti", 1, "1 1 4e9\n", 2,
         "is not that of a free body: its rigid displacement along x takes a force at node 1"},
        {"mas", 0, "abc\n", 1855, "'abc' is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const endings[4] = {"inp", "dof", "sti", "mas"};
        for (int k = 0; k < 4; k++)
            copy_with(&cases[i], endings[k]);
        CHECK_ERRORS errors = {0};
        kane_flexible *m    = read_model("\"format\": \"calculix\", \"nodes\": \"matrices_test.inp\", \"unknowns\": "
                                            "\"matrices_test.dof\", \"stiffness\": \"matrices_test.sti\", \"mass\": "
                                            "\"matrices_test.mas\"",
                                         "\"count\": 3", &errors);
        if (m || errors.count == 0 || !strstr(kane_errors_get(&errors, 0)->text, cases[i].message) ||
            (cases[i].at > 0 && kane_errors_get(&errors, 0)->line != cases[i].at)) {
            print_error("case %zu: wanted line %d \"%s\", got line %d \"%s\"\n", i, cases[i].at, cases[i].message,
                        errors.count ? kane_errors_get(&errors, 0)->line : -1,
                        errors.count ? kane_errors_get(&errors, 0)->text : "nothing");
            fail();
        }
        for (int k = 0; k < 4; k++) {
            char name[64];
            (void)snprintf(name, sizeof name, "matrices_test.%s", endings[k]);
            (void)remove(name);
        }
    }
}

CHECK_MAIN(NULL, NULL)
