#!/bin/sh
# SPDX-License-Identifier: MIT
# Time of a state in recorded equations, one and several states side by side (docs/equations.md): best of 400 rounds of 1000 calls.
#
#   apps/bench/lanes.sh [build/release/bin/kane [RUN.json]]
set -eu
kane=${1:-build/release/bin/kane}
run=${2:-data/runs/mechanism-l15.json}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for lanes in 1 2 4; do
    "$kane" export equations "$run" --what accelerations --lanes $lanes -o "$work/recorded.c" >/dev/null
    cat >"$work/time.c" <<END
#include "recorded.c"
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    static double y[STATES * $lanes], out[STATES * $lanes];
    double best = 1.0;
    for (int i = 0; i < STATES * $lanes; i++)
        y[i] = 0.01 + 1e-4 * i;
    for (int round = 0; round < 400; round++) {
        const double begin = now();
        for (int i = 0; i < 1000; i++) {
            y[0] = 1e-9 * i;
            if (!RECORDED(0.0, (void *)y, (void *)out))
                return 1;
        }
        const double each = (now() - begin) / 1000.0 / $lanes;
        best              = each < best ? each : best;
    }
    (void)printf("lanes: %d   %.3f us a state\n", $lanes, 1e6 * best);
    return 0;
}
END
    name=$(sed -n 's/^int \([a-z0-9_]*\)(.*/\1/p' "$work/recorded.c" | head -1)
    states=$(grep -c '^//     [0-9][0-9]*  ' "$work/recorded.c")
    ${CC:-cc} -O2 -mavx2 -DRECORDED="$name" -DSTATES="$states" -o "$work/time" "$work/time.c" -lm && "$work/time"
done
