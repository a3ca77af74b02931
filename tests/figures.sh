#!/bin/sh
# SPDX-License-Identifier: MIT
# How far the tests' comparisons of numbers are from failing: for every text that is compared, in every test file, the largest
# difference that was met and its tolerance.
#
#   tests/figures.sh build/release [NAMES] >figures        NAMES: tests that match, as ctest -R has it (default: all but house)
#   tests/figures.sh --compare before after                what has become worse or better by more than a factor of 2
#
# The figures of docs/validation.md stand in these lists under their tests' files.
set -eu
if [ "${1-}" = --compare ]; then
    exec awk -F'\t' '
        { key = $1 ": " $2 }
        NR == FNR { was[key] = $3; next }
        !(key in was) { new++; next }
        $3 > 2 * was[key] { printf "worse   %-70s %10s -> %s (tolerance %s)\n", key, was[key], $3, $4; worse++; next }
        $3 < 0.5 * was[key] { printf "better  %-70s %10s -> %s (tolerance %s)\n", key, was[key], $3, $4; better++; next }
        { same++ }
        END { printf "%d worse, %d better, %d within a factor of 2, %d new\n", worse, better, same, new }' "$2" "$3"
fi
build=$1
names=${2:-^(property|reference|unit)}
rm -f "$build"/tests/figures/*.txt
(cd "$build" && ctest -R "$names" -j "$(nproc)" >&2) || true
cat "$build"/tests/figures/*.txt | sort | awk -F'\t' '
    { key = $1 "\t" $2 }
    key != last && NR > 1 { print last "\t" difference "\t" tolerance }
    key != last { last = key; difference = $3; tolerance = $4; next }
    $3 * tolerance > difference * $4 { difference = $3; tolerance = $4 }
    END { if (NR) print last "\t" difference "\t" tolerance }'
