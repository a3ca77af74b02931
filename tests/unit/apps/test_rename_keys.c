// SPDX-License-Identifier: MIT
// apps/rename_keys.py: a file with the names of before the first release has those of today, and all else as it was
// typed; files that lie beside the repository are read after it.

#include "folder.h"
#include "program.h"

static const char old[] =
    "{ \"kane\": \"vehicle 1\",  \"guide\" : \"car\", \"note\": \"turned: freedoms\",\n"
    "  \"patterns\": { \"guide\": { \"freedoms\": [\"z\"], \"spins\":true } },\n"
    "\t\"elements\": { \"way\": { \"law\": \"spring\", \"turned\": [0, 0, 1.50e0], \"transition\": 1 } },\n"
    "  \"wheelsets\": { \"a\": { \"contact\": { \"way\": \"tables\", \"transition\": \"0.10 m/s\" } } },\n"
    "  \"bodies\": { \"car\": { \"joint\": { \"type\": \"own\", \"rotation\": \"zyx\" }, \"start\": { \"hold\": [] } } },\n"
    "  \"variants\": { \"b\": [\"wheelsets.a.contact.way = tables\", \"elements.\\\"way\\\".turned={\\\"x\\\": 1}\"] } }\n";
static const char now[] =
    "{ \"kane\": \"vehicle 1\",  \"reference_body\" : \"car\", \"note\": \"turned: freedoms\",\n"
    "  \"patterns\": { \"guide\": { \"dof\": [\"z\"], \"rotating\":true } },\n"
    "\t\"elements\": { \"way\": { \"law\": \"spring\", \"orientation\": [0, 0, 1.50e0], \"transition\": 1 } },\n"
    "  \"wheelsets\": { \"a\": { \"contact\": { \"model\": \"table\", \"transition_speed\": \"0.10 m/s\" } } },\n"
    "  \"bodies\": { \"car\": { \"joint\": { \"type\": \"user\", \"rotation_order\": \"zyx\" }, \"start\": { \"fixed\": [] } } },\n"
    "  \"variants\": { \"b\": [\"wheelsets.a.contact.model = table\", \"elements.\\\"way\\\".orientation={\\\"x\\\": 1}\"] } }\n";
static const char old_run[] =
    "{\"kane\":\"run 1\",\"start\":{\"speed\":1},\"integrator\":{\"speed\":1e-07,\"turning\":2,\"longest_step\":3},\"separate\":false,"
    "\"output\":{\"every\":\"5 ms\"}}";
static const char now_run[] =
    "{\"kane\":\"run 1\",\"start\":{\"speed\":1},\"integrator\":{\"atol_velocity\":1e-07,\"atol_angular_velocity\":2,\"max_step\":3},"
    "\"imaginary_as_forces\":false,\"output\":{\"interval\":\"5 ms\"}}";
static const char old_train[] =
    "{ \"kane\": \"train 1\", \"guide\": \"a\", \"vehicles\": { \"a\": { \"turned\": true, \"settings\": [\"bodies.b.spins=false\"] } },\n"
    "  \"couplers\": { \"c\": { \"turned\": [1, 2, 3] } } }";
static const char now_train[] =
    "{ \"kane\": \"train 1\", \"reference_vehicle\": \"a\", \"vehicles\": { \"a\": { \"reversed\": true, \"settings\": [\"bodies.b.rotating=false\"] } },\n"
    "  \"couplers\": { \"c\": { \"orientation\": [1, 2, 3] } } }";

static void check_rewritten(const char *before, const char *after)
{
    write_file("f.json", before);
    for (int i = 0; i < 2; i++) { // the second time nothing changes
        assert_int_equal(system(RENAME_KEYS " f.json >out"), 0);
        assert_string_equal(content("f.json"), after);
    }
}

CHECK_TEST(keys_are_renamed_and_all_else_stays)
{
    check_rewritten(old, now);
    check_rewritten(old_run, now_run);
    check_rewritten(old_train, now_train);
}

// All files of libkane's kinds in ../shared that name a run, vehicle, mechanism, train or track are read; one has an
// error in its line.
CHECK_TEST(files_beside_the_repository_are_read_afterwards)
{
    char name[512], command[600];
    int count = 0, refused = 0;
    (void)remove("f.json"); // of the test before
    if (access(KANE_SOURCE_DIR "/../shared/cases", R_OK) != 0)
        check_skip("there are no files beside the repository (../shared)");
    assert_int_equal(system("for f in cases campaign reference; do cp -r '" KANE_SOURCE_DIR
                            "/../shared/'$f .; done; chmod -R u+w ."),
                     0);
    assert_int_equal(
        system(
            "grep -rlE '\"kane\" *: *\"(run|vehicle|mechanism|train|track|flexible) ' --include='*.json' . >list; " RENAME_KEYS
            " $(cat list) >out"),
        0);
    FILE *list = fopen("list", "r");
    assert_non_null(list);
    while (fgets(name, sizeof name, list)) {
        name[strcspn(name, "\n")] = '\0';
        (void)snprintf(command, sizeof command, "grep -q '\"kane\" *: *\"flexible' %s", name);
        if (system(command) == 0)
            continue;
        if (CALL("check", name) != 0) {
            refused++;
            expect("err", "superelevation 0 m does not follow from the section before");
        }
        count++;
    }
    (void)fclose(list);
    assert_true(count > 30);
    assert_int_equal(refused, 1);
}

CHECK_MAIN(enter_folder, leave_folder)
