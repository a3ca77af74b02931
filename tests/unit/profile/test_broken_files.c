// SPDX-License-Identifier: MIT
// What is wrong with a profile's file is said with its place and with what would mend it.

#include "unit/profile/written.h"

#define SIMPACK "header.begin\nversion = 1\ntype = 1\nheader.end\nspline.begin\nunits.len.f = 1000\n"
#define END     "point.end\nspline.end\n"

#define OUT   KANE_LATERAL_OUTSIDE
#define IN    KANE_LATERAL_INSIDE
#define UP    KANE_VERTICAL_UP
#define DOWN  KANE_VERTICAL_DOWN
#define WHEEL KANE_PROFILE_WHEEL
#define RAIL  KANE_PROFILE_RAIL

static const struct {
    const char *file;
    written content;
    kane_profile_options read_as;
    const char *message;
} rows[] = {
#include "unit/profile/broken_files.inc"
};

CHECK_TEST(every_broken_file_gives_its_message)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char all[8192];
        static kane_errors errors;
        kane_profile_options read_as = rows[i].read_as;
        if (rows[i].content.line >= 0) // else there is no such file
            written_profile(rows[i].file, &rows[i].content);
        kane_errors_free(&errors);
        read_as.place = (kane_place){"v.json", 3, 5, "profiles.x.file"};
        assert_null(kane_profile_read(rows[i].file, &read_as, &errors));
        errors_text(&errors, sizeof all, all);
        if (strcmp(all, rows[i].message) != 0) {
            print_error("--- row %zu: %s\nexpected: %s\nfound:    %s\n", i, rows[i].file, rows[i].message, all);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

CHECK_MAIN(enter_folder, leave_folder)
