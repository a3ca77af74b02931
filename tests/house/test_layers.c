// SPDX-License-Identifier: MIT
// The house keeps its plan: a room includes only rooms below it, and each outside library has one room that knows it.

#include "sources.h"

typedef struct room {
    const char *path; // of its sources
    int floor;
    const char *headers[8]; // public headers that it owns
} room;

static const room rooms[] = {
    {"lib/base",
     0,
     {"base.h", "input.h", "math.h", "number.h", "scalar.h",
      "transport.h"}}, // the last four are words only: nothing to link
    {"lib/math", 1, {"pattern.h"}},
    {"lib/profile", 1, {"profile.h", "rail.h"}},
    {"track", 2, {"track.h"}},
    {"lib/flexible", 2, {"deformable.h", "flexible.h"}},
    {"lib/tree", 2, {"joint.h", "mechanism.h", "rows.h"}},
    {"lib/force", 2, {"force.h", "formula.h", "laws.h"}},
    {"lib/contact", 2, {"contact.h", "creep.h", "creep_formula.h", "geometry.h"}},
    {"lib/model", 3, {"model.h"}},
    {"lib/agem", 4, {"agem.h", "calls.h", "equations.h", "regressor.h"}},
    {"lib/simulate",
     5,
     {"integrator.h", "jacobian.h", "linear.h", "outside.h", "sensitivity.h", "simulate.h", "state.h", "stepper.h"}},
    {"lib/results", 5, {"results.h"}},
    {"lib/evaluate", 6, {"evaluate.h", "measure.h", "report.h", "signal.h"}},
    {"vehicles", 6, {"vehicle.h"}},
    {"lib/run", 7, {"run.h", "steady.h"}},
    {"lib/record", 8, {NULL}},
    {"lib/plan", 8, {"plan.h"}},
    {"lib/view", 8, {"view.h"}},
    {"lib/stability", 9, {"critical.h", "locus.h"}},
    {"lib/study", 10, {"rods.h", "study.h", "sweep.h", "transition.h"}},
    {"lib/export", 9, {NULL}},
    {"apps/kane", 11, {"kane.h"}},
};
enum { ROOMS = sizeof rooms / sizeof *rooms };

// Outside libraries: header (or its beginning), a room that may include it, and the only files there; NULL: all of
// them. Who is in none of the rows of a header may not.
static const struct {
    const char *header, *room, *files[3];
} owners[] = {
    {"cvode/", "lib/simulate", {"cvode.c", "sundials.c"}},
    {"nvector/", "lib/simulate", {"sundials.h"}},
    {"sunmatrix/", "lib/simulate", {"cvode.c"}},
    {"sunlinsol/", "lib/simulate", {"cvode.c"}},
    {"sundials/", "lib/simulate", {"cvode.c"}},
    {"simulate/sundials.h", "lib/simulate", {"cvode.c", "sundials.c", "vector.c"}}, // it has SUNDIALS' vectors
    {"hdf5", "lib/base", {"hdf.h"}},
    {"base/hdf.h", "lib/base", {"hdf.c", "store.c"}}, // it has HDF5
    {"base/hdf.h", "lib/results", {"hdf.h"}},
    {"xxhash", "lib/base", {NULL}},
    {"pthread", "lib/plan", {NULL}},
    {"lapacke", "lib/math", {NULL}},
    {"suitesparse/", "lib/math", {NULL}},
    {"arpack/", "lib/math", {"sparse_modes.c"}},
    {"nlopt", "lib/study", {NULL}},
    {"mpi.h", "apps/kane", {NULL}},
    {"zlib.h", "apps/kane", {"fmu_archive.c"}},
};

static int breaches;

static void breach(const char *file, int line, const char *what)
{
    print_error("%s:%d: %s\n", file, line, what);
    breaches++;
}

static int starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

// Room that owns an included header: "agem/work.h", "track/line.h", <kane/force.h>; -1 if it is none of ours.
static int owner_of(const char *header)
{
    for (int i = 0; i < ROOMS; i++) {
        const char *name = starts_with(rooms[i].path, "lib/") ? rooms[i].path + 4 : rooms[i].path;
        if (starts_with(header, name) && header[strlen(name)] == '/')
            return i;
        for (int k = 0; starts_with(header, "kane/") && k < 8 && rooms[i].headers[k]; k++)
            if (strcmp(header + 5, rooms[i].headers[k]) == 0)
                return i;
    }
    return -1;
}

// Whether a file is one of those that an outside library is left to.
static int is_among(const char *file, const char *const *files)
{
    const char *slash = strrchr(file, '/');
    const char *name  = slash ? slash + 1 : file;
    for (int i = 0; i < 3 && files[i]; i++)
        if (strcmp(name, files[i]) == 0)
            return 1;
    return files[0] == NULL;
}

// Whether a file may include what belongs to an outside library.
static void check_owner(int from, const char *file, int line, const char *header)
{
    char who[256] = "";
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        if (!starts_with(header, owners[i].header))
            continue;
        if (strcmp(owners[i].room, rooms[from].path) == 0 && is_among(file, owners[i].files))
            return;
        const size_t length = strlen(who);
        (void)snprintf(who + length, sizeof who - length, "%s%s%s%s", length ? ", " : "", owners[i].room,
                       owners[i].files[0] ? "/" : "", owners[i].files[0] ? owners[i].files[0] : "");
    }
    if (who[0]) {
        char what[600];
        (void)snprintf(what, sizeof what, "only %s may include <%s>", who, header);
        breach(file, line, what);
    }
}

static void check_include(int from, const char *file, int line, const char *header)
{
    const int to = owner_of(header);
    char what[256];
    if (to >= 0 && to != from && rooms[to].floor >= rooms[from].floor) {
        (void)snprintf(what, sizeof what, "%s (floor %d) includes %s of %s (floor %d)", rooms[from].path,
                       rooms[from].floor, header, rooms[to].path, rooms[to].floor);
        breach(file, line, what);
    }
    check_owner(from, file, line, header);
}

// Memory comes from lib/base/arena.c; the program and what only lives within one function may use the system's.
static void check_memory(int from, const char *file, int line, const char *text)
{
    static const char *const calls[] = {"malloc(", "calloc(", "realloc("};
    const int is_owner = strstr(file, "lib/base/arena.c") != NULL || starts_with(rooms[from].path, "apps");
    for (int i = 0; i < 3 && !is_owner; i++)
        if (strstr(text, calls[i]) && !strstr(text, "//"))
            breach(file, line, "memory is asked for outside of lib/base/arena.c");
}

static int can_open(const char *folder, const char *name)
{
    char file[1024];
    (void)snprintf(file, sizeof file, "%s/%s%s", KANE_SOURCE_DIR, folder, name);
    FILE *in = fopen(file, "r");
    if (in)
        (void)fclose(in);
    return in != NULL;
}

// A source by its name alone, or by its path.
static int is_there(const char *name)
{
    static const char *const folders[] = {"", "lib/", "include/", "include/kane/", "apps/bench/", "apps/examples/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (can_open(folders[i], name))
            return 1;
    for (int i = 0; i < ROOMS; i++) {
        char folder[512];
        (void)snprintf(folder, sizeof folder, "%s/", rooms[i].path);
        if (can_open(folder, name))
            return 1;
    }
    return 0;
}

// Comments that name a source name one that exists.
static void check_comment(const char *file, int line, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_/";
    const char *comment         = strstr(text, "//");
    for (const char *dot = comment ? strchr(comment, '.') : NULL; dot; dot = strchr(dot + 1, '.')) {
        char name[256], what[300];
        const char *begin = dot;
        while (begin > comment && strchr(letters, begin[-1]))
            begin--;
        const int length = (int)(dot - begin) + 2;
        if (length < 4 || length >= (int)sizeof name || !(dot[1] == 'c' || dot[1] == 'h') ||
            (dot[2] && strchr(letters, dot[2])) || begin[0] == '/')
            continue;
        (void)snprintf(name, sizeof name, "%.*s", length, begin);
        (void)snprintf(what, sizeof what, "there is no %s", name);
        if (!is_there(name))
            breach(file, line, what);
    }
}

static void check_file(int from, const char *file)
{
    FILE *in = fopen(file, "r");
    char text[1024], header[256];
    int line = 0;
    assert_non_null(in);
    while (fgets(text, sizeof text, in)) {
        line++;
        if (sscanf(text, "#include \"%255[^\"]\"", header) == 1 || sscanf(text, "#include <%255[^>]>", header) == 1)
            check_include(from, file, line, header);
        check_memory(from, file, line, text);
        check_comment(file, line, text);
    }
    (void)fclose(in);
}

static int is_source(const char *name)
{
    const size_t length = strlen(name);
    return (length > 2 && name[length - 2] == '.' && (name[length - 1] == 'c' || name[length - 1] == 'h')) ||
           (length > 3 && strcmp(name + length - 3, ".cc") == 0); // C++ (lib/record)
}

CHECK_TEST(every_room_includes_only_rooms_below_it)
{
    int files = 0;
    for (int i = 0; i < ROOMS; i++) {
        char folder[512], file[1024];
        (void)snprintf(folder, sizeof folder, "%s/%s", KANE_SOURCE_DIR, rooms[i].path);
        DIR *directory = opendir(folder);
        assert_non_null(directory);
        for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
            if (!is_source(entry->d_name))
                continue;
            (void)snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
            check_file(i, file);
            files++;
        }
        (void)closedir(directory);
    }
    assert_true(files > 100);
    assert_int_equal(breaches, 0);
}

CHECK_TEST(every_public_header_has_a_room)
{
    char folder[512], header[512];
    (void)snprintf(folder, sizeof folder, "%s/include/kane", KANE_SOURCE_DIR);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (!is_source(entry->d_name))
            continue;
        (void)snprintf(header, sizeof header, "kane/%.200s", entry->d_name);
        const int owner = owner_of(header);
        assert_true(owner >= 0);
        char file[1024];
        (void)snprintf(file, sizeof file, "%s/%.200s", folder, entry->d_name);
        if (strcmp(entry->d_name, "kane.h") != 0)
            check_file(owner, file);
    }
    (void)closedir(directory);
    assert_int_equal(breaches, 0);
}

// === Private headers that include each other in a circle could not be read one after another.

enum { HEADERS_MOST = 256, INCLUDED_MOST = 24 };

typedef struct header {
    char name[128];                              // as others include it
    int included_count, included[INCLUDED_MOST]; // which ones it includes
    int is_open, is_done;                        // 1: those below it are being visited; have been
} header;

static struct {
    int count;
    header at[HEADERS_MOST];
} headers;

static int find_header(const char *name)
{
    for (int i = 0; i < headers.count; i++)
        if (strcmp(headers.at[i].name, name) == 0)
            return i;
    return -1;
}

// "lib/agem/work.h" -> "agem/work.h"
static const char *name_of(const char *path)
{
    return starts_with(path, "lib/") ? path + 4 : path;
}

static void list_header(const char *path, const char *text, void *data)
{
    (void)text;
    (void)data;
    assert_true(headers.count < HEADERS_MOST);
    (void)snprintf(headers.at[headers.count++].name, sizeof headers.at->name, "%s", name_of(path));
}

static void read_included(const char *path, const char *text, void *data)
{
    header *h = &headers.at[find_header(name_of(path))];
    char name[256];
    (void)data;
    for (const char *at = text; (at = strstr(at, "#include \"")) != NULL; at++)
        if (sscanf(at, "#include \"%255[^\"]\"", name) == 1 && find_header(name) >= 0) {
            assert_true(h->included_count < INCLUDED_MOST);
            h->included[h->included_count++] = find_header(name);
        }
}

static void visit_header(header *h)
{
    if (h->is_open)
        breach(h->name, 1, "it includes itself in a circle");
    if (h->is_open || h->is_done)
        return;
    h->is_open = 1;
    for (int k = 0; k < h->included_count; k++)
        visit_header(&headers.at[h->included[k]]);
    h->is_open = 0;
    h->is_done = 1;
}

static int is_header(const char *name)
{
    return source_ends_with(name, ".h");
}

CHECK_TEST(private_headers_include_each_other_in_no_circle)
{
    static const char *const folders[] = {"lib", "track", "vehicles", "apps"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        source_visit_folder(folders[i], is_header, list_header, NULL);
    assert_true(headers.count > 100);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        source_visit_folder(folders[i], is_header, read_included, NULL);
    for (int i = 0; i < headers.count; i++)
        visit_header(&headers.at[i]);
    assert_int_equal(breaches, 0);
}

// tests/oracle shares nothing with what it proves: it includes its own headers and those of the language.
CHECK_TEST(the_oracle_knows_nothing_of_the_house)
{
    static const char *const allowed[] = {"<math.h>",         "<stdlib.h>",         "<string.h>",
                                          "\"plain_line.h\"", "\"plain_wagon.h\"",  "\"plain_half_space.h\"",
                                          "\"plain_tyre.h\"", "\"plain_report.h\"", "\"plain_polach.h\"",
                                          "\"plain_bogie.h\""};
    char folder[512], file[1024], text[1024];
    int files = 0, includes = 0;
    (void)snprintf(folder, sizeof folder, "%s/tests/oracle", KANE_SOURCE_DIR);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (!is_source(entry->d_name))
            continue;
        (void)snprintf(file, sizeof file, "%s/%.200s", folder, entry->d_name);
        FILE *in = fopen(file, "r");
        assert_non_null(in);
        for (int line = 1; fgets(text, sizeof text, in); line++) {
            int good = 0;
            if (!starts_with(text, "#include "))
                continue;
            for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
                good |= starts_with(text + 9, allowed[i]);
            if (!good)
                breach(file, line, "the oracle includes what is not its own");
            includes++;
        }
        (void)fclose(in);
        files++;
    }
    (void)closedir(directory);
    assert_true(files >= 4 && includes >= 6);
    assert_int_equal(breaches, 0);
}

CHECK_MAIN(NULL, NULL)
