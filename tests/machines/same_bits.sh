#!/bin/sh
# SPDX-License-Identifier: MIT
# Carries out all runs of data/runs by two programs and says which results have the same bits, and how far the others are apart: the
# largest difference of a channel over the largest value of all channels of its unit in this run, at least 1e-6: where nothing moves
# accelerations are round-off themselves.
#
#   same_bits.sh SOURCE_DIR FOLDER PROGRAM COMMAND...
#
# PROGRAM is whose results are expected; its rows stay in FOLDER, for the next comparison. COMMAND, as words, is the other one.
# A run lasts a second at most; FULL=1: as long as its file says. RUNS=PATTERN: these alone. The last line: "N runs have the same bits, M differ".
set -eu
source=$1
folder=$2
expected=$3
shift 3
mkdir -p "$folder/expected"
other=$(mktemp -d "$folder/other.XXXXXX")
trap 'rm -rf "$other"' EXIT

# rows NAME DIRECTORY COMMAND...: names and rows of a run, without the lines of units and of its key, which is another one each time
rows() {
    name=$1
    into=$2
    shift 2
    file=$source/data/runs/$name.json
    set -- "$@" run "$file" -q --format csv -o "$into/$name"
    if [ -z "${FULL-}" ] && ! grep -q '"until": *{ *"time": *0' "$file"; then set -- "$@" -s until.time=1; fi
    "$@" >"$into/log" 2>&1 || [ $? = 5 ] || { cat "$into/log"; exit 1; }
    sed -n -e 's/^# units //p' -e '2{/ (run /p}' "$into/$name/results.csv" >"$into/$name.units"
    sed -e '/^#/d' -e '2{/ (run /d}' "$into/$name/results.csv" >"$into/$name.rows"
    rm -r "${into:?}/$name"
}

same=0
differ=0
for file in "$source"/data/runs/${RUNS-*}.json; do
    name=$(basename "$file" .json)
    [ -e "$folder/expected/$name.rows" ] || rows "$name" "$folder/expected" "$expected"
    rows "$name" "$other" "$@"
    if cmp -s "$folder/expected/$name.rows" "$other/$name.rows"; then
        same=$((same + 1))
    else
        differ=$((differ + 1))
        awk -F, -v other="$other/$name.rows" -v units="$folder/expected/$name.units" -v run="$name" '
            NR == 1 { getline line <other; columns = split($0, title); getline line <units; split(line, unit); next }
            {
                if ((getline line <other) <= 0) { missing++; next }
                split(line, b)
                for (i = 1; i <= NF; i++) {
                    size = $i < 0 ? -$i : $i
                    gap = $i - b[i]
                    if (gap < 0) gap = -gap
                    if (size > most[i]) most[i] = size
                    if (gap > apart[i]) apart[i] = gap
                }
            }
            END {
                while ((getline line <other) > 0) more++
                for (i = 1; i <= columns; i++)
                    if (most[i] > scale[unit[i]]) scale[unit[i]] = most[i]
                for (i = 1; i <= columns; i++) {
                    size = scale[unit[i]] > 1e-6 ? scale[unit[i]] : 1e-6
                    if (apart[i] / size > worst) { worst = apart[i] / size; where = title[i] }
                }
                printf "    %-26s %8.1e: %s", run, worst, where
                if (missing + more) printf "; %d rows more, %d less", more, missing
                print ""
            }' "$folder/expected/$name.rows"
    fi
    rm "$other/$name.rows"
done
echo "$same runs have the same bits, $differ differ"
