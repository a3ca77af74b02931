// SPDX-License-Identifier: MIT
// Schemas against thousands of mistakes in shipped files, by Python's jsonschema and by the program
// (schema_mistakes.py).

#include "folder.h"

CHECK_TEST(schemas_see_mistakes_in_values)
{
    const char *python = command_python_needed("jsonschema", "python3-jsonschema");
    const int is_good  = command_works("%s '" KANE_SOURCE_DIR "/tests/unit/run/schema_mistakes.py' '" KANE_SOURCE_DIR
                                       "' '" KANE_PROGRAM "' >out 2>&1",
                                       python);
    print_message("%s", content("out"));
    assert_true(is_good);
}

CHECK_MAIN(enter_folder, leave_folder)
