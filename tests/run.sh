#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs tests by ctest. Behind its last lines: what was skipped and why, and how much of it.
#
#   tests/run.sh PRESET [OPTIONS OF CTEST]
set -u
skipped=build/$1/tests/skipped
rm -rf "$skipped"
mkdir -p "$skipped" || exit 1
ctest --preset "$@"
status=$?
# Each file is of one program; in each line: all, test or part (of the program, of its tests, of a test), the test, the reason.
(cd "$skipped" && find . -name '*.txt' -exec awk -F'\t' '
    {
        name = substr(FILENAME, 3, length(FILENAME) - 6)
        print name "\t" ($1 == "all" ? "" : " " $2) ($1 == "part" ? " (a part)" : "") ": " $3
    }' {} +) | sort -u | awk -F'\t' '
    NR == 1 { print "\nSkipped:" }
    { printf "  %s%s\n", $1, $2; programs += !($1 in known); known[$1] = 1 }
    END { printf "\nskipped: %d tests or parts of them, in %d programs%s\n", NR, programs, NR ? ", for the reasons above" : "" }'
exit $status
