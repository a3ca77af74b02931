// SPDX-License-Identifier: MIT
// kane flexible: bodies are checked, reduced and compared; a mechanism takes the reduced body, and is told when its
// model has changed.

#include "unit/apps/program.h"

static const char model[] =
    "{\"kane\":\"flexible 1\",\"name\":\"rod\",\"beams\":{\"b\":{\"from\":[0,0,0],\"to\":[2,0,0],\"A\":0.001,\"Iy\":1e-7,\"Iz\":1e-7,"
    "\"J\":2e-7}},\"interfaces\":{\"left\":{\"at\":[0,0,0]},\"right\":{\"at\":[2,0,0]}},\"modes\":{\"count\":3}}";

static const char mechanism[] =
    "{\"kane\":\"mechanism 1\",\"bodies\":{\"rod\":{\"mass\":15.7,\"inertia\":[0.00157,5.234,5.234],\"at\":[1,0,0],"
    "\"flexible\":\"rod.kflex\"}}}";

CHECK_TEST(bodies_are_checked_and_reduced)
{
    static char of_model[8192];
    write_file("rod.json", model);
    assert_int_equal(CALL("flexible", "check", "rod.json"), 0);
    expect("out", "rod: 9 nodes, 3 modes, 2 interfaces\nmass         15.7 kg\n");
    (void)snprintf(of_model, sizeof of_model, "%s", content("out"));
    assert_int_equal(CALL("flexible", "reduce", "rod.json", "-o", "rod.kflex"), 0);
    expect("out", "rod.kflex: 3 modes, 2 interfaces\n");
    assert_int_equal(CALL("flexible", "check", "rod.kflex", "rod.json"), 0);
    expect("out", "reduced from rod.json\n");
    expect("out", "modal assurance criterion by 9 nodes");
    expect("out", strstr(of_model, "mode  f [Hz]")); // the same table
    assert_int_equal(CALL("flexible", "check", "rod.json", "--set=name=other"), 0);
    expect("out", "other: 9 nodes, 3 modes");
    assert_int_equal(CALL("flexible", "reduce", "rod.json", "--set=modes.count=2", "-o", "two.kflex"), 0);
    expect("out", "two.kflex: 2 modes, 2 interfaces\n");
    assert_int_equal(CALL("flexible", "check", "two.kflex", "--set=modes.count=1"), 3);
    expect("err", "two.kflex: is a reduced body, which has no settings");
    assert_int_equal(CALL("flexible", "reduce", "rod.json", "--set=beams.c.E=1e9", "-o", "two.kflex"), 3);
    expect("err", "there is no 'c' here");
    assert_int_equal(CALL("flexible", "check", "rod.kflex", "rod.json", "-o", "rod.csv"), 0);
    assert_string_equal(content("out"), "");
    expect("rod.csv", "# modes\nmode,frequency,damping,farthest,along x,y,z,kind,left.x,left.y,left.z,");
    expect("rod.csv", "\n# modal assurance criterion\nmode,frequency,mode 1 of the other,");
}

CHECK_TEST(who_has_a_reduced_body_is_told_of_changes)
{
    write_file("rod.json", model);
    write_file("mechanism.json", mechanism);
    assert_int_equal(CALL("flexible", "reduce", "rod.json", "-o", "rod.kflex"), 0);
    assert_int_equal(CALL("check", "mechanism.json"), 0);
    expect("out", "1 of them is flexible: 3 modes, 2 interfaces");
    assert_null(strstr(content("out"), "doubtful"));
    write_file("rod.json", "{}");
    assert_int_equal(CALL("check", "mechanism.json"), 0);
    expect("out", "doubtful: mechanism.json:1:");
    expect("out", "bodies.rod.flexible: rod.json has changed since rod.kflex was reduced from it");
    assert_int_equal(CALL("flexible", "check", "rod.kflex"), 0);
    expect("out", "reduced from rod.json, which has changed since: reduce it again\n");
}

// A rod by its model and as a reduced body.
CHECK_TEST(modes_are_drawn)
{
    write_file("rod.json", model);
    assert_int_equal(CALL("flexible", "reduce", "rod.json", "-o", "rod.kflex"), 0);
    assert_int_equal(CALL("flexible", "check", "rod.json", "--shape", "2", "-o", "rod.svg"), 0);
    expect("rod.svg", "rod: mode 2, ");
    expect("rod.svg", "side view");
    assert_int_equal(CALL("flexible", "check", "rod.kflex", "--shape", "2", "-o", "reduced.svg"), 0);
    expect("reduced.svg", "rod: mode 2, ");
    assert_int_equal(CALL("flexible", "check", "rod.json", "--shape", "4", "-o", "rod.svg"), 3);
    expect("err", "there is no mode 4; modes are 1 to 3");
    assert_int_equal(CALL("flexible", "check", "rod.json", "--shape", "2"), 2);
    expect("err", "--shape needs --output");
}

CHECK_TEST(mistakes_have_their_messages)
{
    write_file("rod.json", model);
    write_file("broken.kflex", "kane flexible body 1\n");
    assert_int_equal(CALL("flexible"), 2);
    assert_int_equal(CALL("flexible", "rod.json"), 2);
    expect("err", "kane flexible: there is no command 'rod.json'");
    assert_int_equal(CALL("flexible", "reduce", "rod.json"), 2);
    expect("err", "needs --output");
    assert_int_equal(CALL("flexible", "check"), 2);
    expect("err", "which model file?");
    assert_int_equal(CALL("flexible", "check", "broken.kflex"), 3);
    expect("err", "broken.kflex: is not a file of 'flexible body 1', or damaged");
    assert_int_equal(CALL("flexible", "reduce", "rod.json", "-o", "rod.json"), 3);
    expect("err", "rod.json: is what the body is made from, and would be lost");
    assert_int_equal(CALL("flexible", "check", "nowhere.json"), 6);
    assert_int_equal(CALL("flexible", "reduce", "rod.json", "-o", "nowhere/rod.kflex"), 6);
    assert_int_equal(CALL("flexible", "check", "rod.json", KANE_SOURCE_DIR "/data/runs/wagon-transition.json"), 3);
}

int main(void)
{
    if (!kane_results_have_hdf5())
        return check_skip_all("this libkane was built without HDF5");
    return check_run_tests(enter_folder, leave_folder);
}
