// SPDX-License-Identifier: MIT
// Flexible bodies when there is no memory: a model is read whole, or an error says that memory is short.

#include "allocation.h"

#include "flexible_models.h"

#include "folder.h"

#define ENDS "\"near\":{\"at\":[0,0,0]},\"far\":{\"at\":[5,0.1,0.2]}"

static void check_reading(const char *modes)
{
    char text[1024];
    int refused = 0;
    (void)snprintf(text, sizeof text,
                   "{\"kane\":\"flexible 1\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":[5,0,0],\"count\":3,\"A\":0.01,"
                   "\"Iy\":2e-7,\"Iz\":9e-8,\"J\":3e-7}},\"interfaces\":{" ENDS
                   "},\"gauges\":{\"g\":{\"beam\":\"b\",\"at\":2}},"
                   "\"modes\":{%s}}",
                   modes);
    write_file("model.json", text);
    for (int k = 1;; k++) {
        CHECK_ERRORS errors = {0};
        allocation_fail_at(k);
        kane_flexible *m = kane_flexible_read("model.json", NULL, &errors);
        const int failed = allocation_stop();
        if (!m)
            assert_true(errors.count > 0);
        else
            assert_int_equal(kane_flexible_get_data(m)->shape.gauge_count, 6);
        refused += m == NULL;
        kane_flexible_free(m);
        if (!failed)
            break;
    }
    assert_true(refused > 5);
}

CHECK_TEST(a_model_is_whole_or_memory_is_said_to_be_short)
{
    check_reading("\"count\":3");
    check_reading("\"kind\":\"free+attachment\",\"count\":3");
    check_reading("\"kind\":\"craig-bampton\",\"count\":3");
}

CHECK_MAIN(enter_folder, leave_folder)
