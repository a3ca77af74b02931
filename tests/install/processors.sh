#!/bin/sh
# SPDX-License-Identifier: MIT
# The plain library and that for x86-64-v3 (CMake: KANE_HWCAPS) give the same bits, and glibc's loader takes the latter where the
# processor can.
#
#   processors.sh PROGRAM LIBRARY FOLDER SOURCE
#       PROGRAM: processors.c; LIBRARY: the plain one, by the name that programs ask for; FOLDER: of that for x86-64-v3
set -eu
program=$1 library=$2 folder=$3 source=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/plain"
ln -s "$library" "$work/plain"

carry_out() { # run, time, name of the output, and the folder of the library; without: the loader chooses
    LD_LIBRARY_PATH=${4-} "$program" "$source/data/runs/$1.json" "$2" >"$work/$3" 2>"$work/$3.library"
}

must_be_same() { # run, two outputs
    cmp "$work/$2" "$work/$3" || { echo "$1: states differ between $(cat "$work/$2.library") and $(cat "$work/$3.library")" >&2; exit 1; }
}

is_v3=yes
for feature in avx2 bmi1 bmi2 f16c fma abm movbe; do
    grep -qw $feature /proc/cpuinfo || is_v3=no
done
for example in coach-flexible:0.3 mechanism-sedan:0.3 mechanism-l15:0.2 wagon-transition:0.5; do
    run=${example%:*} time=${example#*:}
    carry_out "$run" "$time" as_plain "$work/plain"
    carry_out "$run" "$time" as_chosen
    must_be_same "$run" as_plain as_chosen
done
grep -q "^$work/plain/" "$work/as_plain.library" || { echo "the plain library was not used" >&2; exit 1; }
case $is_v3:$(cat "$work/as_chosen.library") in
yes:"$folder"/* | no:"$(dirname "$library")"/*) ;;
*) echo "the loader has chosen $(cat "$work/as_chosen.library")" >&2; exit 1 ;;
esac
