// SPDX-License-Identifier: MIT
// Reading a document while every allocation fails in its turn: no crash, nothing lost, and the
// error says what it was.

#include "allocation.h"

#include "sample.h"

#include "base/json.h"

// Reads with an arena that asks for every piece; 1 if it was read.
static int read_once(const char *const *settings, kane_errors *errors)
{
    CHECK_OWNED(kane_arena) *arena = kane_arena_create_sized(1);
    if (!arena) {
        kane_errors_add(errors, KANE_NO_MEMORY, "no arena");
        return 0;
    }
    const wagon *w = sample_read(arena, sample_text, settings, errors);
    const int read = w != NULL;
    return read;
}

static int count_status(const kane_errors *errors, kane_status status)
{
    int n = 0;
    for (int i = 0; i < errors->count; i++)
        n += kane_errors_get(errors, i)->status == status;
    return n;
}

// Lets every allocation of a reading fail. What is wrong with the document may have been found before; the loss of
// memory is reported once. Returns the number of allocations.
static int lose_each(const char *const *settings, kane_errors *errors)
{
    for (int k = 1;; k++) {
        kane_errors_clear(errors);
        allocation_fail_at(k);
        const int read = read_once(settings, errors);
        if (!allocation_stop())
            return allocation_count();
        assert_false(read);
        assert_int_equal(count_status(errors, KANE_NO_MEMORY), 1);
    }
}

CHECK_TEST(reading_survives_the_loss_of_any_allocation)
{
    static const char *const settings[] = {"bodies.body.mass=40 t", "elements.\"left box\".mirror=true",
                                           "patterns.\"any spring\"={\"law\": \"spring\"}", NULL};
    kane_errors *errors                 = test_calloc(1, sizeof *errors);
    assert_true(lose_each(NULL, errors) > 400);
    assert_int_equal(errors->count, 0);
    assert_true(lose_each(settings, errors) > 400);
    assert_int_equal(errors->count, 0);
    kane_errors_free(errors);
    test_free(errors);
}

CHECK_TEST(finding_errors_survives_it_too)
{
    static const char *const settings[] = {"bodys.body.mass=40 t",
                                           "elements.\"left box\".like=any sprung",
                                           "elements.pivot.law=jiont",
                                           "bodies.body.x=[1",
                                           "start={\"speed\": 5, \"speed\": \"6 m\"}",
                                           "name",
                                           "sections[7].x=5",
                                           "elements.left box.curve[0]=5",
                                           NULL};
    kane_errors *errors                 = test_calloc(1, sizeof *errors);
    assert_true(lose_each(settings, errors) > 400);
    assert_int_equal(errors->count, 7); // the law that the unknown pattern would have given is not missed too
    assert_int_equal(count_status(errors, KANE_NO_MEMORY), 0);
    kane_errors_free(errors);
    test_free(errors);
}

CHECK_TEST(a_file_survives_the_loss_of_any_allocation)
{
    char name[]          = "/tmp/kane_test_memory_XXXXXX";
    const int descriptor = mkstemp(name);
    FILE *file           = fdopen(descriptor, "w");
    assert_non_null(file);
    assert_true(fputs(sample_text, file) >= 0);
    for (int i = 0; i < 20000; i++)
        (void)fputs("    \n", file);
    assert_int_equal(fclose(file), 0);

    kane_errors *errors = test_calloc(1, sizeof *errors);
    for (int k = 1;; k++) {
        kane_errors_clear(errors);
        allocation_fail_at(k);
        kane_arena *arena     = kane_arena_create();
        const kane_node *root = arena ? kane_document_open(arena, name, NULL, errors) : NULL;
        kane_arena_free(arena);
        if (!allocation_stop())
            break;
        assert_null(root);
        assert_int_equal(errors->count, arena ? 1 : 0);
        if (arena)
            assert_int_equal(kane_errors_get(errors, 0)->status, KANE_NO_MEMORY);
    }
    assert_int_equal(errors->count, 0);
    assert_int_equal(remove(name), 0);
    kane_errors_free(errors);
    test_free(errors);
}

CHECK_TEST(what_is_made_of_schemas_survives_it_too)
{
    FILE *file          = tmpfile();
    kane_errors *errors = test_calloc(1, sizeof *errors);
    assert_non_null(file);
    (void)setvbuf(file, NULL, _IONBF, 0);
    for (int k = 1;; k++) {
        kane_errors_clear(errors);
        allocation_fail_at(k);
        const kane_status json = kane_schema_write(&grammar, file);
        const int json_failed  = allocation_stop();
        assert_int_equal(json, json_failed ? KANE_NO_MEMORY : KANE_OK);

        allocation_fail_at(k);
        const kane_status page = kane_schema_write_reference(&grammar, file);
        const int page_failed  = allocation_stop();
        assert_int_equal(page, page_failed ? KANE_NO_MEMORY : KANE_OK);

        allocation_fail_at(k);
        const kane_status check = kane_schema_check(&grammar, errors);
        const int check_failed  = allocation_stop();
        assert_int_equal(check, check_failed ? KANE_NO_MEMORY : KANE_OK);
        if (!json_failed && !page_failed && !check_failed)
            break;
    }
    assert_int_equal(fclose(file), 0);
    kane_errors_free(errors);
    test_free(errors);
}

CHECK_MAIN(NULL, NULL)
