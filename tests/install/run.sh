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

echo "== the program looks for libraries beside itself, wherever it is moved"
for file in "$work/prefix/bin/kane" "$library/libkane.so"; do
    readelf -d "$file" | grep -E 'R(UN)?PATH.*\[\$ORIGIN[^:]*\]' >/dev/null || { readelf -d "$file"; exit 1; }
done

echo "== a stripped program exports the same C"
"$work/prefix/bin/kane" export c "$run" -o "$work/whole" >/dev/null
strip -o "$work/stripped" "$work/prefix/bin/kane"
mv "$work/prefix/bin/kane" "$work/kane"
mv "$work/stripped" "$work/prefix/bin/kane"
if nm "$work/prefix/bin/kane" 2>/dev/null | grep .; then exit 1; fi
"$work/prefix/bin/kane" export c "$run" -o "$work/export" >/dev/null
diff -r "$work/whole/libkane" "$work/export/libkane"
for file in "$work"/whole/*.[ch] "$work"/whole/Makefile; do # but numbers that are of no use: what lies between parts of a struct
    sed 's/{\.i = {[^}]*}}//g' "$file" >"$work/a"
    sed 's/{\.i = {[^}]*}}//g' "$work/export/${file##*/}" | cmp "$work/a" -
done
mv "$library/kane.symbols" "$work/symbols"
{ head -c 64 "$work/symbols"; cat "$library/libkane.so"; } >"$library/kane.symbols"
if "$work/prefix/bin/kane" export c "$run" -o "$work/none" 2>"$work/log"; then exit 1; fi
grep 'is not of the same build' "$work/log" >/dev/null
rm "$library/kane.symbols"
if "$work/prefix/bin/kane" export c "$run" -o "$work/none" 2>"$work/log"; then exit 1; fi
grep 'kane.symbols, which is installed beside libkane' "$work/log" >/dev/null
mv "$work/symbols" "$library/kane.symbols"
mv "$work/kane" "$work/prefix/bin/kane"

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
"$work/cmake/own_loop" >/dev/null
"$work/cmake/own_loop" -n >/dev/null
"$work/cmake/own_rows" >/dev/null
"$work/cmake/own_rows" -m >/dev/null

echo "== no path of the machine is in what find_package reads, with the static library as well"
if grep -nE '[;"]/[a-z]' "$library"/cmake/kane/kane*Targets*.cmake; then exit 1; fi
mkdir "$work/static"
cat >"$work/static/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(static LANGUAGES C)
find_package(kane REQUIRED COMPONENTS static)
add_executable(own_law "$examples/own_law.c")
target_link_libraries(own_law PRIVATE kane::kane_static)
END
cmake -S "$work/static" -B "$work/static/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/static/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/static/build/own_law" "$run" >/dev/null

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
"$work/make/own_loop" >/dev/null
"$work/make/own_rows" >/dev/null

# as the pages say, without a word about where libraries are; and with all of libkane in the program
export PKG_CONFIG_PATH="$library/pkgconfig"
cc "$examples/own_law.c" -o "$work/own_law" $(pkg-config --cflags --libs kane) -lm
"$work/own_law" "$run" >/dev/null
cc "$examples/own_law.c" -o "$work/own_law" $(pkg-config --cflags kane) "$library/libkane.a" $(pkg-config --libs --static kane)
"$work/own_law" "$run" >/dev/null

echo "== Python"
path=$(sed -n "s,^ *export PYTHONPATH=DIR/\([^ ]*\).*,$work/prefix/\1,p" "$source/docs/python.md") # as the page says
test "$path" -ef "$library/python"
python=
for known in python3 /usr/bin/python3; do
    if [ -z "$python" ] && "$known" -c 'import numpy' 2>/dev/null; then python=$known; fi
done
if [ -n "$python" ]; then
    (cd "$work/prefix/share/kane" && unset KANE_LIBRARY KANE_PROGRAM && export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$library/python" &&
        "$python" python/examples/wagon.py && "$python" python/examples/own_integrator.py &&
        "$python" -c 'import kane; print(kane.program("--version").out, kane._lib._name, kane._find_program())' | grep -c "$work/prefix" >/dev/null)
else
    reason="there is no python3 with numpy here (Debian: python3-numpy)"
    echo "SKIPPED: $reason"
    if [ -n "${KANE_SKIPPED-}" ]; then printf 'part\tPython\t%s\n' "$reason" >>"$KANE_SKIPPED"; fi
fi

echo "== nothing but libkane's own names is visible"
if nm -D --defined-only "$library/libkane.so" | awk '$2 ~ /[TDBR]/ && $3 !~ /^kane_/' | grep .; then exit 1; fi

echo "== no path of the machine is in what is installed"
if grep -rl "$source" "$work/prefix" | grep .; then exit 1; fi
echo "all good"
