// SPDX-License-Identifier: MIT
// The example of docs/contact.md is quoted from apps/examples, letter by letter, and runs.

#include "folder.h"

int contact_alone(void);
#define main contact_alone
#include "apps/examples/contact_alone.c"
#undef main

CHECK_TEST(the_page_quotes_the_example)
{
    const char *quote       = strstr(content(KANE_SOURCE_DIR "/docs/contact.md"), "```c\n") + strlen("```c\n");
    CHECK_MEMORY char *copy = strndup(quote, (size_t)(strstr(quote, "```") - quote));
    assert_true(strlen(copy) > 500);
    assert_non_null(strstr(content(KANE_SOURCE_DIR "/apps/examples/contact_alone.c"), copy));
}

CHECK_TEST(the_example_runs)
{
    assert_int_equal(contact_alone(), 0);
}

CHECK_MAIN(NULL, NULL)
