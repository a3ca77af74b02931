// SPDX-License-Identifier: MIT
// Rows of numbers in a page come back: all digits of 64 bits, or 6e-8 of what they cover.

#include "unit/view/page_data.h"

#include "view/encode.h"

#include <float.h>

CHECK_TEST(bytes_are_written_as_the_standard_says)
{
    static const char *const rows[][2] = {{"", ""},
                                          {"f", "Zg=="},
                                          {"fo", "Zm8="},
                                          {"foo", "Zm9v"},
                                          {"foob", "Zm9vYg=="},
                                          {"fooba", "Zm9vYmE="},
                                          {"foobar", "Zm9vYmFy"}}; // RFC 4648, 10
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FILE *file = fopen("base64", "w");
        assert_non_null(file);
        kane_encoder_base64(file, strlen(rows[i][0]), (const unsigned char *)rows[i][0]);
        assert_int_equal(fclose(file), 0);
        assert_string_equal(content("base64"), rows[i][1]);
    }
}

// Writes one row as a page has it, and reads it.
static double *there_and_back(kane_encoder_kind kind, int count, int stride, const double *values)
{
    FILE *page = fopen("page.html", "w"), *json = fopen("row.json", "w");
    assert_non_null(page);
    assert_non_null(json);
    kane_writer w        = kane_writer_start(json);
    kane_encoder encoder = {.page = page, .json = &w};
    kane_writer_open(&w, NULL, '{');
    kane_encoder_row(&encoder, "row", kind, count, stride, values);
    kane_writer_close(&w);
    assert_int_equal(kane_writer_end(&w), KANE_OK);
    assert_int_equal(fclose(json), 0);
    (void)fprintf(page, "<script type=\"application/json\" id=\"runs\">%s</script>", content("row.json"));
    assert_int_equal(fclose(page), 0);
    CHECK_FREED(page_data) read = page_read("page.html");
    int found;
    double *row = page_row(&read, page_at(read.root, "row"), &found);
    assert_int_equal(found, count);
    assert_true(encoder.samples == count);
    return row;
}

static double *make_values(int count)
{
    double *values = calloc((size_t)count + 1, sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < count; i++)
        values[i] = 1e5 + 3.0 * sin(0.37 * i) + 1e-3 * i;
    return values;
}

// Counts about the pieces in which they are written, and all three lengths of the last group of bytes.
CHECK_TEST(rows_come_back)
{
    static const int counts[] = {2, 3, 4, 5, 767, 768, 769, 1536, 1537, 5000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const int count = counts[k];
        double *values = make_values(count), least = DBL_MAX, greatest = -DBL_MAX;
        for (int i = 0; i < count; i++) {
            least    = fmin(least, values[i]);
            greatest = fmax(greatest, values[i]);
        }
        CHECK_MEMORY double *exact  = there_and_back(KANE_ENCODE_DOUBLE, count, 1, values);
        CHECK_MEMORY double *single = there_and_back(KANE_ENCODE_SINGLE, count, 1, values);
        assert_memory_equal(exact, values, (size_t)count * sizeof *values);
        for (int i = 0; i < count; i++)
            assert_true(fabs(single[i] - values[i]) <=
                        6e-8 * 0.5 * (greatest - least) + 3e-11); // 1e5 itself has 1.5e-11
        free(values);
    }
}

CHECK_TEST(rows_are_left_out_evenly)
{
    double values[30];
    for (int i = 0; i < 30; i++)
        values[i] = 0.25 * i * i;
    CHECK_MEMORY double *row = there_and_back(KANE_ENCODE_DOUBLE, 10, 3, values);
    for (int i = 0; i < 10; i++)
        assert_true(row[i] == values[3 * i]);
}

// What never changes is one number; what is not a number stays so, and does not hide the rest.
CHECK_TEST(odd_values_stay)
{
    const double same[4] = {0.1, 0.1, 0.1, 0.1}, gaps[5] = {1.0, NAN, 1.0, -2.0, NAN}, none[2] = {NAN, NAN};
    double *row = there_and_back(KANE_ENCODE_SINGLE, 4, 1, same);
    assert_memory_equal(row, same, sizeof same);
    assert_null(strstr(content("page.html"), "block-"));
    free(row);
    row = there_and_back(KANE_ENCODE_SINGLE, 5, 1, gaps);
    for (int i = 0; i < 5; i++)
        assert_true(isnan(gaps[i]) ? isnan(row[i]) : row[i] == gaps[i]);
    free(row);
    row = there_and_back(KANE_ENCODE_SINGLE, 2, 1, none);
    assert_true(isnan(row[0]) && isnan(row[1]));
    free(row);
}

// The block that a row has got, as the JSON says it.
static int block_of(kane_encoder *encoder, kane_encoder_kind kind, int count, int stride, const double *values)
{
    FILE *json = fopen("row.json", "w");
    int block  = -1;
    assert_non_null(json);
    kane_writer w = kane_writer_start(json);
    encoder->json = &w;
    kane_encoder_row(encoder, NULL, kind, count, stride, values);
    assert_int_equal(kane_writer_end(&w), KANE_OK);
    assert_int_equal(fclose(json), 0);
    const char *at = strstr(content("row.json"), "\"block\":");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"block\": %d", &block), 1);
    return block;
}

// The same numbers are there once, wherever they stand; others, be it by one bit or in number, are others. More than
// the table of what is known begins with.
CHECK_TEST(rows_that_are_the_same_are_there_once)
{
    FILE *page           = fopen("page.html", "w");
    kane_encoder encoder = {.arena = kane_arena_create(), .page = page};
    double *values       = make_values(2000), twice[4000];
    const double up      = nextafter(values[1999], 1e9);
    assert_non_null(page);
    for (int i = 0; i < 2000; i++)
        twice[2 * i] = twice[2 * i + 1] = values[i];
    for (int i = 0; i < 300; i++) // each one by its length
        assert_int_equal(block_of(&encoder, KANE_ENCODE_DOUBLE, 1000 + i, 1, values), i);
    for (int i = 0; i < 300; i++)
        assert_int_equal(block_of(&encoder, KANE_ENCODE_DOUBLE, 1000 + i, 2, twice), i);
    assert_int_equal(block_of(&encoder, KANE_ENCODE_SINGLE, 1000, 1, values), 300);
    assert_int_equal(block_of(&encoder, KANE_ENCODE_DOUBLE, 2000, 1, values), 301);
    values[1999] = up;
    assert_int_equal(block_of(&encoder, KANE_ENCODE_DOUBLE, 2000, 1, values), 302);
    assert_int_equal(encoder.blocks, 303);
    assert_int_equal(fclose(page), 0);
    kane_arena_free(encoder.arena);
    free(values);
}

static int share_text(kane_encoder *encoder, const char *text)
{
    kane_encoder_part part;
    assert_true(kane_encoder_part_begin(encoder, &part));
    kane_writer_open(encoder->json, NULL, '{');
    kane_writer_text(encoder->json, "name", text);
    kane_writer_close(encoder->json);
    return kane_encoder_part_end(encoder, &part);
}

CHECK_TEST(parts_that_are_the_same_are_there_once)
{
    FILE *json           = fopen("parts.json", "w");
    kane_writer w        = kane_writer_start(json);
    kane_encoder encoder = {.arena = kane_arena_create(), .json = &w};
    assert_non_null(json);
    kane_writer_open(&w, NULL, '{');
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 200; k++) {
            char name[32];
            (void)snprintf(name, sizeof name, "body %d", k);
            assert_int_equal(share_text(&encoder, name), k);
        }
    assert_true(encoder.json == &w);
    kane_encoder_write_shared(&encoder);
    kane_writer_close(&w);
    assert_int_equal(kane_writer_end(&w), KANE_OK);
    assert_int_equal(fclose(json), 0);
    CHECK_ERRORS errors   = {0};
    const char *text      = content("parts.json");
    const kane_node *root = kane_json_parse(encoder.arena, "parts.json", text, strlen(text), &errors);
    assert_int_equal(page_at(root, "shared")->count, 200);
    assert_string_equal(page_at(root, "shared.117.name")->text, "body 117");
    kane_arena_free(encoder.arena);
}

CHECK_MAIN(enter_folder, leave_folder)
