// SPDX-License-Identifier: MIT
// kane check raises no doubt of a number in anything that is shipped: runs, vehicles and trains with all variants,
// mechanisms, tracks.

#include "program.h"

#include <dirent.h>

// Doubts with a usual range are of numbers; others say what results are for (two-sided contact, inertias that are not
// checked).
static int check_files(const char *directory)
{
    DIR *files = opendir(directory);
    int count  = 0;
    assert_non_null(files);
    for (const struct dirent *entry; (entry = readdir(files)) != NULL;) {
        char file[600];
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        (void)snprintf(file, sizeof file, "%s/%s", directory, entry->d_name);
        const int code = CALL("check", file); // 3: a vehicle that does not stand on standard gauge
        if (code != 0 && code != 3)
            fail_msg("%s: exit code %d", file, code);
        for (const char *at = content("out"); (at = strstr(at, "doubtful: ")) != NULL; at++)
            if (strstr(at, "; usual: ") && strstr(at, "; usual: ") < at + strcspn(at, "\n"))
                fail_msg("%s: %.*s", file, (int)strcspn(at, "\n"), at);
        count++;
    }
    (void)closedir(files);
    return count;
}

CHECK_TEST(nothing_that_is_shipped_is_doubtful)
{
    assert_true(check_files(KANE_SOURCE_DIR "/vehicles") >= 14);
    assert_true(check_files(KANE_SOURCE_DIR "/data/runs") >= 50);
    assert_true(check_files(KANE_SOURCE_DIR "/data/mechanisms") >= 20);
    assert_true(check_files(KANE_SOURCE_DIR "/data/tracks") >= 15);
}

CHECK_MAIN(enter_folder, leave_folder)
