// SPDX-License-Identifier: MIT
// Kernels stay recordable: all mechanisms and vehicles that come along can be recorded, but for guided wheels and
// panels of track; all force laws have been compiled to record, and C++ stays in the one room that needs it. That
// kernels compile with another scalar shows where they do not: lib/record is not built then.

#include "check.h"

#include <kane/kane.h>

#include "record/kernels.h"
#include "record/record.h"

#include <dirent.h>

static int is_expected(const char *text)
{
    return strstr(text, "its rails guide it as constraints") || strstr(text, "its rails lie on panels of track");
}

CHECK_TEST(all_runs_can_be_recorded)
{
    int count = 0, refused = 0;
    const char *folder  = KANE_SOURCE_DIR "/data/runs";
    DIR *directory      = opendir(folder);
    kane_errors *errors = calloc(1, sizeof *errors);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char file[600], text[900];
        if (!strstr(entry->d_name, ".json"))
            continue;
        (void)snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
        const kane_run_options how = {0};
        kane_record_options o      = kane_record_options_default();
        kane_run *run              = kane_run_read(file, &how, errors);
        kane_model *model          = run ? kane_run_create_model(run, errors) : NULL;
        kane_recording *r          = model ? kane_record_create(model, &o, errors) : NULL;
        if (!r) {
            (void)kane_error_format(kane_errors_get(errors, 0), sizeof text, text);
            if (!is_expected(text))
                fail_msg("%s: %s", entry->d_name, text);
            kane_errors_clear(errors);
            refused++;
        }
        kane_record_free(r);
        kane_model_free(model);
        kane_run_free(run);
        count++;
    }
    (void)closedir(directory);
    kane_errors_free(errors);
    free(errors);
    assert_true(count > 50);
    assert_true(refused <= 4);
}

CHECK_TEST(all_force_laws_have_been_compiled)
{
    for (const kane_law *const *law = kane_laws(); *law; law++)
        if (!kane_kernels_have_law((*law)->name))
            fail_msg("%s is not recorded", (*law)->name);
    assert_false(kane_kernels_have_law("no such law"));
}

CHECK_TEST(c_plus_plus_stays_in_its_room)
{
    assert_int_equal(system("cd '" KANE_SOURCE_DIR
                            "' && ! find lib include track vehicles apps tests -name '*.cc' -o -name '*.cpp' -o -name "
                            "'*.hpp' | grep -v -e '^lib/record/' -e '^apps/examples/' | grep -q ."),
                     0);
}

CHECK_MAIN(NULL, NULL)
