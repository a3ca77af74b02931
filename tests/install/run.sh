#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs libkane to a folder of its own, moves that folder (packages must not remember where they were built), builds
# the installed example programs against it in both ways, and runs them where nothing says where libraries are.
#
#   run.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1
build=$2
work=$(mktemp -d)
unset LD_LIBRARY_PATH
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/prefix"
library=$(dirname "$(find "$work/prefix" -name 'libkane.so')")
examples="$work/prefix/share/kane/examples"
run="$work/prefix/share/kane/data/runs/wagon-transition.json"

echo "== the installed program"
"$work/prefix/bin/kane" --version
"$work/prefix/bin/kane" run "$run" -q -o "$work/results" --set until.distance=20
test -s "$work/prefix/share/man/man1/kane.1"
test -s "$work/prefix/share/doc/kane/LICENSE"
for other in mechanism-block mechanism-sedan locomotive; do # files of their own kinds lie behind these
    "$work/prefix/bin/kane" check "$work/prefix/share/kane/data/runs/$other.json" >/dev/null
done
for kind in vehicle track run; do test -s "$work/prefix/share/kane/data/schemas/$kind-1.json"; done

echo "== a unit finds its binary"
"$work/prefix/bin/kane" fmu "$run" -c 'body.*' -o "$work/wagon.fmu"

echo "== find_package(kane)"
cmake -S "$examples" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
cmake --build "$work/cmake" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/cmake/own_law" "$run"
"$work/cmake/own_law_cxx" "$run"
"$work/cmake/contact_alone" >/dev/null
"$work/cmake/ivp_wheelset" >/dev/null
"$work/cmake/jacobian" "$run" >/dev/null
"$work/cmake/mechanism" >/dev/null
"$work/cmake/mechanism" -m >/dev/null
"$work/cmake/run_vehicle" "$run" >/dev/null
"$work/cmake/skyhook" "$work/prefix/share/kane/data/runs/coach-skyhook.json"
"$work/cmake/slip_control" "$work/prefix/share/kane/data/runs/motor-wagon-slip.json"
"$work/cmake/own_joint" >/dev/null
"$work/cmake/own_rows" >/dev/null
"$work/cmake/own_rows" -m >/dev/null

echo "== pkg-config"
PKG_CONFIG_PATH="$library/pkgconfig" make -s -C "$examples" OUT="$work/make"
"$work/make/own_law" "$run"
"$work/make/own_law_cxx" "$run"
"$work/make/contact_alone" >/dev/null
"$work/make/ivp_wheelset" >/dev/null
"$work/make/jacobian" "$run" >/dev/null
"$work/make/mechanism" >/dev/null
"$work/make/run_vehicle" "$run" >/dev/null
"$work/make/skyhook" "$work/prefix/share/kane/data/runs/coach-skyhook.json" >/dev/null
"$work/make/slip_control" "$work/prefix/share/kane/data/runs/motor-wagon-slip.json" >/dev/null
"$work/make/own_joint" >/dev/null
"$work/make/own_rows" >/dev/null

echo "== Python"
python=
for known in python3 /usr/bin/python3; do
    if [ -z "$python" ] && "$known" -c 'import numpy' 2>/dev/null; then python=$known; fi
done
if [ -n "$python" ]; then
    (cd "$work/prefix/share/kane" && unset KANE_LIBRARY KANE_PROGRAM && export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$library/python" &&
        "$python" python/examples/wagon.py && "$python" python/examples/own_integrator.py &&
        "$python" -c 'import kane; print(kane.program("--version").out, kane._lib._name, kane._find_program())' | grep -c "$work/prefix" >/dev/null)
else
    echo "SKIPPED: there is no python3 with numpy here (Debian: python3-numpy)"
fi

echo "== nothing but libkane's own names is visible"
if nm -D --defined-only "$library/libkane.so" | awk '$2 ~ /[TDBR]/ && $3 !~ /^kane_/' | grep .; then exit 1; fi

echo "== no path of the machine is in what is installed"
if grep -rl "$source" "$work/prefix" | grep .; then exit 1; fi
echo "all good"
