// SPDX-License-Identifier: MIT
// The commands by which vehicles/locomotive.md finds a cracked weld from spectra, with fewer welds and shorter runs.

#include "unit/apps/program.h"

#include <stdio.h>

// A frame whose weld has 40 % less stiffness; all welds are whole without one.
static void reduce_frame(const char *name, const char *weld)
{
    static const char model[] = KANE_SOURCE_DIR "/data/flexible/bogie-frame.json";
    char file[64], E[64], G[64];
    (void)snprintf(file, sizeof file, "%s.kflex", name);
    (void)snprintf(E, sizeof E, "beams.%s.E=126 GPa", weld ? weld : "front transom");
    (void)snprintf(G, sizeof G, "beams.%s.G=48.6 GPa", weld ? weld : "front transom");
    assert_int_equal(weld ? CALL("flexible", "reduce", model, "-s", E, "-s", G, "-o", file)
                          : CALL("flexible", "reduce", model, "-o", file),
                     0);
}

// With this frame, on irregularities of a seed.
static void run_with_frame(const char *frame, int seed, const char *to)
{
    char flexible[128], seeds[3][64];
    (void)snprintf(flexible, sizeof flexible, "vehicle.bodies.leading frame.flexible=%s.kflex", frame);
    for (int i = 0; i < 3; i++)
        (void)snprintf(seeds[i], sizeof seeds[i], "track.irregularities.spectra[%d].seed=%d", i, seed + i);
    assert_int_equal(CALL("run", KANE_SOURCE_DIR "/data/runs/locomotive.json", "-s", "variant=flexible", "-s", flexible,
                          "-s", seeds[0], "-s", seeds[1], "-s", seeds[2], "-s", "until.time=12", "-s",
                          "output.interval=2 ms", "-s", "output.channels=[\"P*.acceleration.[yz]\"]", "-o", to),
                     0);
}

CHECK_TEST(a_cracked_weld_is_found_on_other_irregularities)
{
    static const char *const names[] = {"whole", "transom", "headstock"};
    static const char *const welds[] = {NULL, "front transom right weld", "rear headstock left weld"};
    for (int i = 0; i < 3; i++) {
        reduce_frame(names[i], welds[i]);
        run_with_frame(names[i], 1, names[i]);
    }
    for (int i = 0; i < 3; i++) {
        run_with_frame(names[i], 11, "measured");
        assert_int_equal(CALL("evaluate", "measured", "--beside=whole", "--beside=transom", "--beside=headstock",
                              "--psd=P*.acceleration.[yz]", "--resolution=1", "--compare=25,90"),
                         0);
        const char *nearest = strchr(content("out"), '\n');
        assert_non_null(nearest);
        assert_memory_equal(nearest + 1, names[i], strlen(names[i]));
        assert_int_equal(system("rm -r measured"), 0);
    }
}

CHECK_MAIN(enter_folder, leave_folder)
