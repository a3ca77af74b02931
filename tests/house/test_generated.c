// SPDX-License-Identifier: MIT
// What is generated from the tables of the readers and kept in the repository is up to date: the reference pages, and
// the schemas that editors find through "$schema".

#include "check.h"

// A whole stream, NULL-terminated; to be freed.
static char *read_all(FILE *from)
{
    const size_t size = 1 << 20;
    char *text        = calloc(size, 1);
    assert_non_null(from);
    assert_non_null(text);
    assert_true(fread(text, 1, size - 1, from) < size - 1);
    return text;
}

// Line in which two texts begin to differ.
static int first_difference(const char *a, const char *b)
{
    int line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}

CHECK_TEST(every_generated_file_is_up_to_date)
{
    static const char *const rows[][2] = {
        {"vehicle --reference", "docs/reference-vehicle.md"},
        {"train --reference", "docs/reference-train.md"},
        {"mechanism --reference", "docs/reference-mechanism.md"},
        {"track --reference", "docs/reference-track.md"},
        {"flexible --reference", "docs/reference-flexible.md"},
        {"run --reference", "docs/reference-run.md"},
        {"study --reference", "docs/reference-study.md"},
        {"vehicle", "data/schemas/vehicle-1.json"},
        {"train", "data/schemas/train-1.json"},
        {"mechanism", "data/schemas/mechanism-1.json"},
        {"track", "data/schemas/track-1.json"},
        {"flexible", "data/schemas/flexible-1.json"},
        {"run", "data/schemas/run-1.json"},
        {"study", "data/schemas/study-1.json"},
    };
    int stale = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char command[512], name[512];
        (void)snprintf(command, sizeof command, "'%s' schema %s", KANE_PROGRAM, rows[i][0]);
        (void)snprintf(name, sizeof name, "%s/%s", KANE_SOURCE_DIR, rows[i][1]);
        FILE *program = popen(command, "r"), *file = fopen(name, "r");
        CHECK_MEMORY char *fresh = read_all(program), *kept = file ? read_all(file) : NULL;
        assert_int_equal(pclose(program), 0);
        assert_true(strlen(fresh) > 1000);
        if (!kept || strcmp(fresh, kept) != 0) {
            print_error("%s:%d: is not what the tables say; \"build/release/bin/kane schema %s > %s\" renews it\n",
                        rows[i][1], kept ? first_difference(fresh, kept) : 1, rows[i][0], rows[i][1]);
            stale++;
        }
        if (file)
            (void)fclose(file);
    }
    assert_int_equal(stale, 0);
}

CHECK_MAIN(NULL, NULL)
