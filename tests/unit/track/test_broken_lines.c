// SPDX-License-Identifier: MIT
// Files of lines and of measured irregularities that are wrong: each gives a message with file, line and column that
// says what would be right.

#include "errors.h"
#include "folder.h"
#include "lines.h"

#include <unistd.h>

// What stands in the track file about it, in the file (NULL: there is none), and all messages.
typedef struct broken_file {
    const char *track, *content, *message;
} broken_file;

#define ALIGNED(keys) "{ \"kane\": \"track 1\", \"sections\": [\n{ \"alignment\": { \"file\": \"f.csv\"" keys " } } ] }"
#define BEHIND(keys)                                                                                                   \
    "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 10 },\n{ \"alignment\": { \"file\": \"f.csv\"" keys      \
    " } } ] }"
#define BY_CURVATURE ALIGNED(", \"chainage\": \"s [m]\", \"curvature\": \"k [1/km]\"")
#define BY_CANT      ALIGNED(", \"chainage\": \"s [m]\", \"curvature\": \"k [1/km]\", \"cant\": \"u [mm]\"")
#define BY_PLANE     ALIGNED(", \"x\": \"x [m]\", \"y\": \"y [m]\"")
#define BY_VERSINE   ALIGNED(", \"chainage\": \"s [m]\", \"versine\": \"f [mm]\", \"chord\": 20")
#define MEASURED(keys)                                                                                                 \
    "{ \"kane\": \"track 1\", \"sections\": [ { \"straight\": 10 } ], \"irregularities\": { \"files\": [\n"            \
    "{ \"file\": \"f.csv\"" keys " } ] } }"
#define COLUMNS ", \"columns\": { \"chainage\": \"s [m]\", \"vertical\": \"z [mm]\" }"

static const broken_file broken[] = {
#include "broken_lines.inc"
};

CHECK_TEST(every_broken_file_gives_its_message)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        static char all[8192];
        CHECK_ERRORS errors = {0};
        (void)remove("f.csv");
        write_file("t.json", broken[i].track);
        if (broken[i].content)
            write_file("f.csv", broken[i].content);
        CHECK_OWNED(kane_track) *track = kane_track_read("t.json", NULL, &errors);
        errors_text(&errors, sizeof all, all);
        if (track || strcmp(all, broken[i].message) != 0) {
            print_error("--- row %zu\nexpected: %s\nfound:    %s\n", i, broken[i].message, all);
            bad++;
        }
    }
    print_message("%zu files\n", sizeof broken / sizeof *broken);
    assert_int_equal(bad, 0);
}

CHECK_MAIN(enter_folder, leave_folder)
