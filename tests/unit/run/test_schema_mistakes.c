// SPDX-License-Identifier: MIT
// Schemas against thousands of mistakes in shipped files, by Python's jsonschema and by the program
// (schema_mistakes.py).

#include "folder.h"

CHECK_TEST(schemas_see_mistakes_in_values)
{
    static const char *const known[] = {"python3", "/usr/bin/python3"};
    for (size_t i = 0; i < 2; i++) {
        char command[2048];
        (void)snprintf(command, sizeof command, "%s -c 'import jsonschema' 2>/dev/null", known[i]);
        if (system(command) != 0)
            continue;
        (void)snprintf(command, sizeof command,
                       "%s \"" KANE_SOURCE_DIR "/tests/unit/run/schema_mistakes.py\" \"" KANE_SOURCE_DIR
                       "\" \"" KANE_PROGRAM "\" >out 2>&1",
                       known[i]);
        const int status = system(command);
        print_message("%s", content("out"));
        assert_int_equal(status, 0);
        return;
    }
    check_skip("there is no python3 with jsonschema here (Debian: python3-jsonschema)");
}

CHECK_MAIN(enter_folder, leave_folder)
