// SPDX-License-Identifier: MIT
// Reduced bodies in files: every number comes back to the bit, the same model gives the same bytes, what is damaged or
// of another kind is refused, and sources that have changed are known.

#include "flexible_models.h"

#include "base/store.h"
#include "folder.h"

#include <sys/stat.h>

#define ENDS "\"near\":{\"at\":[0,0,0]},\"far end\":{\"at\":[5,0.1,0.2]}"
#define HELD "\"modes\":{\"kind\":\"craig-bampton\",\"count\":5}"
#define FILLED                                                                                                         \
    "\"name\":\"a \\\"beam\\\"\",\"inertia\":\"full\",\"damping\":0.0371,\"gauges\":{\"middle\":{\"beam\":\"b\",\"at\":2,\"fibre\":[0,0.1]}}," HELD

static void check_bits(const void *a, const void *b, size_t count, const char *what)
{
    if ((a == NULL) != (b == NULL) || (a && memcmp(a, b, count * sizeof(double)) != 0))
        fail_msg("%s is not the same", what);
}

static void check_same(const kane_flexible_data *a, const kane_flexible_data *b)
{
    const size_t n = (size_t)a->mode_count, nodes = (size_t)a->shape.figure.node_count;
    const kane_deformable *s = &a->shape, *t = &b->shape;
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->frame ? a->frame : "", b->frame ? b->frame : "");
    assert_int_equal(a->mode_count, b->mode_count);
    assert_int_equal(a->shape.figure.node_count, b->shape.figure.node_count);
    assert_int_equal(s->mode_count, t->mode_count);
    assert_int_equal(s->point_count, t->point_count);
    check_bits(&a->mass, &b->mass, 1, "mass");
    check_bits(&a->centre, &b->centre, 3, "mass centre");
    check_bits(a->inertia, b->inertia, 6, "inertia");
    check_bits(&a->mass_left, &b->mass_left, 1, "what is left of modal mass");
    check_bits(&a->momentum_left, &b->momentum_left, 1, "what is left of momentum");
    check_bits(&a->turning_left, &b->turning_left, 1, "what is left of turning");
    check_bits(a->frequency, b->frequency, n, "frequency");
    check_bits(s->mass, t->mass, n * n, "modal mass");
    check_bits(s->stiffness, t->stiffness, n * n, "modal stiffness");
    check_bits(s->damping, t->damping, n * n, "modal damping");
    check_bits(s->momentum, t->momentum, 3 * n, "momentum");
    check_bits(s->turning, t->turning, 3 * n, "turning");
    check_bits(s->gyration, t->gyration, 3 * n * n, "gyration");
    check_bits(s->inertia, t->inertia, 6 * n, "change of inertia");
    check_bits(s->second, t->second, 6 * n * n, "second change of inertia");
    check_bits(a->shape.figure.nodes, b->shape.figure.nodes, 3 * nodes, "nodes");
    assert_int_equal(s->figure.line_count, t->figure.line_count);
    check_bits(&s->figure.centre, &t->figure.centre, 3, "mass centre among nodes");
    if (s->figure.line_count > 0)
        assert_memory_equal(s->figure.lines, t->figure.lines, (size_t)s->figure.line_count * sizeof *s->figure.lines);
    check_bits(a->node_mass, b->node_mass, nodes, "masses of nodes");
    check_bits(a->shape.figure.shapes, b->shape.figure.shapes, 3 * n * nodes, "shapes");
    assert_int_equal(s->gauge_count, t->gauge_count);
    for (int i = 0; i < s->gauge_count; i++) {
        assert_string_equal(s->gauges[i].name, t->gauges[i].name);
        assert_string_equal(s->gauges[i].unit, t->gauges[i].unit);
        assert_string_equal(s->gauges[i].description, t->gauges[i].description);
        check_bits(s->gauges[i].by, t->gauges[i].by, n, "a gauge");
    }
    for (int i = 0; i < s->point_count; i++) {
        assert_string_equal(s->points[i].name, t->points[i].name);
        check_bits(&s->points[i].at, &t->points[i].at, 3, "place of an interface");
        check_bits(s->points[i].S, t->points[i].S, 3 * n, "displacement of an interface");
        check_bits(s->points[i].Psi, t->points[i].Psi, 3 * n, "rotation of an interface");
    }
}

static void write_body(const kane_flexible *body, const char *file)
{
    const int status = CHECK_GOOD(kane_flexible_write, body, file);
    assert_int_equal(status, KANE_OK);
}

static kane_flexible *read_body(const char *file)
{
    kane_flexible *body = CHECK_GOOD(kane_flexible_read, file, NULL);
    assert_non_null(body);
    return body;
}

// A beam from a file that stays.
static kane_flexible *read_kept(const char *rest)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "{\"kane\":\"flexible 1\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":[5,0,0],\"count\":6,\"A\":0.01,"
                   "\"Iy\":2e-7,\"Iz\":9e-8,\"J\":3e-7}},\"interfaces\":{" ENDS "},%s}",
                   rest);
    write_file("model.json", text);
    return read_body("model.json");
}

CHECK_TEST(every_number_comes_back)
{
    static const char *const rests[] = {FILLED, ("\"inertia\":\"constant\"," HELD), "\"modes\":{\"count\":3}",
                                        "\"frame\":\"far end\",\"modes\":{\"count\":3,\"quasi_static\":5}"};
    for (int i = 0; i < 4; i++) {
        CHECK_OWNED(kane_flexible) *model = read_kept(rests[i]);
        write_body(model, "body.kflex");
        CHECK_OWNED(kane_flexible) *back = read_body("body.kflex");
        check_same(kane_flexible_get_data(model), kane_flexible_get_data(back));
        write_body(back, "again.kflex"); // of a reduced body: its own sources
        CHECK_OWNED(kane_flexible) *again = read_body("again.kflex");
        check_same(kane_flexible_get_data(model), kane_flexible_get_data(again));
        assert_int_equal(kane_flexible_get_data(again)->source_count, 1);
        assert_string_equal(kane_flexible_get_data(again)->sources[0].file, "model.json");
    }
}

static size_t load(const char *name, char *bytes, size_t size)
{
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    const size_t length = fread(bytes, 1, size, f);
    (void)fclose(f);
    return length;
}

static void save(const char *name, const char *bytes, size_t length)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    (void)fclose(f);
}

// Wherever the program stands when it writes.
CHECK_TEST(the_same_model_gives_the_same_bytes)
{
    static char one[200000], other[200000];
    kane_flexible *model = read_kept(FILLED);
    write_body(model, "one.kflex");
    kane_flexible_free(model);
    assert_int_equal(mkdir("below", 0777), 0);
    assert_int_equal(chdir("below"), 0);
    model = read_body("../model.json");
    write_body(model, "../other.kflex");
    kane_flexible_free(model);
    assert_int_equal(chdir(".."), 0);
    const size_t length = load("one.kflex", one, sizeof one);
    assert_true(length > 1000 && length < sizeof one);
    assert_int_equal(load("other.kflex", other, sizeof other), length);
    assert_memory_equal(one, other, length);
}

static void check_refused(const char *file, const char *says)
{
    CHECK_ERRORS errors = {0};
    kane_flexible *m    = kane_flexible_read(file, NULL, &errors);
    char said[1024]     = "";
    if (errors.count > 0)
        (void)kane_error_format(kane_errors_get(&errors, 0), sizeof said, said);
    if (m || errors.count == 0 || !strstr(said, says) || !strstr(said, file))
        fail_msg("%s: \"%s\" instead of \"%s\"", m ? "was read" : "refused", said, says);
}

CHECK_TEST(what_is_damaged_or_something_else_is_refused)
{
    static char bytes[200000];
    kane_flexible *model = read_kept(FILLED);
    write_body(model, "body.kflex");
    kane_flexible_free(model);
    const size_t length = load("body.kflex", bytes, sizeof bytes);
    for (size_t at = 512; at < length; at += 1 + length / 100) { // one bit, anywhere in what is hashed
        bytes[at] ^= 4;
        save("broken.kflex", bytes, length);
        check_refused("broken.kflex", "is damaged");
        bytes[at] ^= 4;
    }
    for (size_t cut = 600; cut < length; cut += 1 + length / 7) {
        save("broken.kflex", bytes, cut);
        check_refused("broken.kflex", "is damaged");
    }
    for (size_t cut = 0; cut < 512; cut += 73) {
        save("broken.kflex", bytes, cut);
        check_refused("broken.kflex", "is not a file of 'flexible body 1', or damaged");
    }
    bytes[strlen("kane flexible body ")] = '7';
    save("broken.kflex", bytes, length);
    check_refused("broken.kflex", "is 'flexible body 7', this version reads 'flexible body 1'");
    save("model.kflex", "{\"kane\":\"flexible 1\"}", 21);
    check_refused("model.kflex", "is not a file of 'flexible body 1', or damaged");
    check_refused("nowhere.kflex", "cannot be read");
}

// Files that are what they say, but lack something: nobody but us writes such.
CHECK_TEST(what_is_missing_is_named)
{
    const double one              = 1.0;
    const kane_store_item items[] = {{"mass", "kg", 1, {1, 0, 0}, &one, NULL}};
    CHECK_ERRORS errors           = {0};
    assert_int_equal(kane_store_write("other.kflex", "flexible body 1", 1, items, &errors), KANE_OK);
    check_refused("other.kflex", "is missing");
    CHECK_OWNED(kane_flexible) *model = read_kept(FILLED);
    kane_errors_free(&errors);
    assert_int_equal(kane_flexible_write(model, "nowhere/body.kflex", &errors), KANE_NO_FILE);
    assert_int_equal(errors.count, 1);
    assert_int_equal(kane_flexible_write(model, "model.json", &errors), KANE_BAD_ARGUMENT);
    assert_int_equal(errors.count, 2);
}

CHECK_TEST(sources_that_have_changed_are_known)
{
    CHECK_OWNED(kane_flexible) *model = read_kept(FILLED);
    write_body(model, "body.kflex");
    CHECK_OWNED(kane_flexible) *body   = read_body("body.kflex");
    const kane_flexible_source *source = kane_flexible_get_data(body)->sources;
    assert_int_equal(kane_flexible_source_changed(source), 0);
    write_file("model.json", "{}");
    assert_int_equal(kane_flexible_source_changed(source), 1);
    assert_int_equal(remove("model.json"), 0); // who has only the reduced body is not bothered
    assert_int_equal(kane_flexible_source_changed(source), 0);
}

// --- comparison ---

// A body is itself; one of twice as many elements has the same shapes by the nodes of the coarse one.
CHECK_TEST(modes_are_recognised)
{
    kane_flexible *a = read_slender_beam(12, ENDS, "\"modes\":{\"count\":6}");
    kane_flexible *b = read_slender_beam(24, ENDS, "\"modes\":{\"count\":6}");
    double mac[36];
    assert_int_equal(kane_flexible_compare(a, a, mac), 13);
    for (int i = 0; i < 6; i++)
        if (!isnan(mac[7 * i]))
            check_near(mac[7 * i], 1.0, 1e-12);
    assert_int_equal(kane_flexible_compare(a, b, mac), 13);
    int turning = 0;
    for (int i = 0; i < 36; i++) {
        turning += isnan(mac[i]);
        if (!isnan(mac[i]))
            check_near(mac[i], i % 7 == 0 ? 1.0 : 0.0, 2e-3);
    }
    assert_int_equal(turning, 27); // three modes of each twist the beam and move none of its nodes
    kane_flexible_free(a);
    kane_flexible_free(b);
    CHECK_OWNED(kane_flexible) *block = read_calculix_block("\"modes\":{\"count\":2}");
    a                                 = read_slender_beam(7, ENDS, "\"modes\":{\"count\":6}");
    assert_int_equal(kane_flexible_compare(a, block, mac), 1); // the origin
    kane_flexible_free(a);
}

int main(void)
{
    if (!kane_results_have_hdf5())
        return check_skip_all("this libkane was built without HDF5");
    return check_run_tests(enter_folder, leave_folder);
}
