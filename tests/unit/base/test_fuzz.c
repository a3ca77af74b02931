// SPDX-License-Identifier: MIT
// Documents that are cut off or have a byte changed: never a crash, always either a document or an error, and twice the
// same.

#include "sample.h"

// Reads a text twice; both times the same must come out. Returns the number of errors.
static int read_twice(const char *text, size_t length)
{
    static kane_errors errors[2];
    char list[2][8192];
    int given[2];
    for (int i = 0; i < 2; i++) {
        kane_arena *arena = kane_arena_create();
        kane_errors_clear(&errors[i]);

        char *copy = test_malloc(length + 1); // a sanitizer sees who reads beyond it
        memcpy(copy, text, length);
        copy[length]       = '\0';
        kane_reader reader = {.arena = arena, .errors = &errors[i], .variants = variants, .variant_count = 3};
        kane_node *root    = kane_document_parse(arena, "w.json", copy, length, NULL, &errors[i]);
        given[i]           = root && kane_document_read(&reader, root, all_formats, "wagon", NULL) != NULL;
        test_free(copy);
        sample_list(&errors[i], sizeof list[i], list[i]);
        kane_arena_free(arena);
        assert_int_equal(given[i], errors[i].count == 0);
        for (int e = 0; e < errors[i].kept; e++)
            assert_true(kane_errors_get(&errors[i], e)->line > 0 && kane_errors_get(&errors[i], e)->column > 0 &&
                        kane_errors_get(&errors[i], e)->text[0]);
    }
    assert_int_equal(given[0], given[1]);
    assert_string_equal(list[0], list[1]);
    return errors[0].count;
}

CHECK_TEST(every_beginning_of_a_document_is_an_error)
{
    const size_t length = strlen(sample_text);
    assert_int_equal(read_twice(sample_text, length), 0);
    for (size_t n = 0; n < length - 2; n++)
        assert_true(read_twice(sample_text, n) > 0);
}

CHECK_TEST(every_byte_may_be_wrong)
{
    static const char bytes[] = "\0\"\\{}[]:,.-+eE019 \n\t'/#xu%\x01\x7F\x80\xC3\xFF";
    static char text[sizeof sample_text];
    const size_t length = strlen(sample_text);
    int harmless        = 0;
    memcpy(text, sample_text, sizeof text);
    for (size_t n = 0; n < length; n++) {
        for (size_t i = 0; i < sizeof bytes - 1; i++) {
            text[n] = bytes[i];
            harmless += read_twice(text, length) == 0;
        }
        text[n] = sample_text[n];
    }
    assert_true(harmless > 1000); // e.g. other digits, other letters in names
}

CHECK_TEST(every_byte_may_be_missing_or_double)
{
    static char text[sizeof sample_text + 1];
    const size_t length = strlen(sample_text);
    for (size_t n = 0; n < length; n++) {
        memcpy(text, sample_text, n);
        memcpy(text + n, sample_text + n + 1, length - n - 1);
        (void)read_twice(text, length - 1);
        memcpy(text, sample_text, n + 1);
        memcpy(text + n + 1, sample_text + n, length - n);
        (void)read_twice(text, length + 1);
    }
}

CHECK_MAIN(NULL, NULL)
