// SPDX-License-Identifier: MIT
// The example of docs/contact.md is the one of apps/examples, letter by letter, and runs.

#include "check.h"

int contact_alone(void);
#define main contact_alone
#include "apps/examples/contact_alone.c"
#undef main

static char *read_text(const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", KANE_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("no %s", path);
    (void)fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    (void)fclose(file);
    return text;
}

CHECK_TEST(the_documentation_shows_the_example)
{
    CHECK_MEMORY char *example = read_text("apps/examples/contact_alone.c"), *page = read_text("docs/contact.md");
    assert_non_null(strstr(page, example));
}

CHECK_TEST(the_example_runs)
{
    assert_int_equal(contact_alone(), 0);
}

CHECK_MAIN(NULL, NULL)
