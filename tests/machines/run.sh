#!/bin/sh
# SPDX-License-Identifier: MIT
# The tests of `make test`, and all runs of data/runs, as other machines would carry them out: with other mathematical functions, other
# kernels of LAPACK, without AVX2, by other compilers and options, and on arm64. Ends with a table.
#
#   tests/machines/run.sh [SETTING...]      all of them, or
#
#   plain      nothing set
#   numpy      NPY_DISABLE_CPU_FEATURES: numpy without what it has beyond its baseline (AVX-512, AVX2, FMA)
#   glibc      GLIBC_TUNABLES: the C library's functions without FMA, AVX2 and AVX-512
#   loops      libkane's own loops without AVX2 (CMake: KANE_WIDE=OFF)
#   openblas   OpenBLAS as LAPACK, its kernel chosen by the processor (fetched from Debian, not installed)
#   haswell    the same with OPENBLAS_CORETYPE=Haswell
#   prescott   the same with OPENBLAS_CORETYPE=Prescott: SSE3
#   O0         no tests, all runs: gcc -O0
#   clang      no tests, all runs: clang -O3
#   arm64      tests/unit and all runs, cross-built against Debian's arm64 packages, under qemu
#
# TESTS=REGEX: these tests only. FULL=1: runs as long as their files say, not of one second (same_bits.sh). KANE_PACKAGES: what arm64 is
# built against (the Makefile knows). What cannot be done here is skipped, with the reason. Exit code 1: something failed.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD
work=$source/build/machines
jobs=$(nproc)
mkdir -p "$work"
: >"$work/table"
failed=0
leave_out='long|house|figures|slow|exports'
unset NPY_DISABLE_CPU_FEATURES GLIBC_TUNABLES OPENBLAS_CORETYPE

# row SETTING PASSED FAILED SKIPPED SECONDS RUNS EFFECT
row() { printf '%-9s %6s %6s %7s %7s  %-26s %s\n' "$@" >>"$work/table"; }

skip() {
    echo "SKIPPED: $1: $2"
    row "$1" - - - - - "SKIPPED: $2"
}

# count_tests SETTING BUILD COMMAND...: carries out tests; sets passed, missed, skipped (whole tests and parts of them, tests/check.h)
count_tests() {
    log=$work/$1.tests
    build=$2
    shift 2
    rm -rf "$build/tests/skipped"
    mkdir -p "$build/tests/skipped"
    stopped=
    (cd "$build" && nice "$@" >"$log" 2>&1) || {
        failed=1
        stopped=stopped # without tests that failed: something ended ctest itself
    }
    passed=$(grep -c ' Passed  ' "$log" || true)
    missed=$(grep -cE '\*\*\*(Failed|Timeout|Exception|Not Run)' "$log" || true)
    skipped=$(find "$build/tests/skipped" -name '*.txt' -exec cat {} + | sort -u | wc -l)
    [ "$missed" != 0 ] || missed=${stopped:-0}
    [ "$missed" = 0 ] || sed -n '/The following tests FAILED/,$p' "$log"
}

# compare_runs SETTING COMMAND...: sets runs; those that differ are printed
compare_runs() {
    log=$work/$1.runs
    shift
    "$source/tests/machines/same_bits.sh" "$source" "$work/bits" build/release/bin/kane "$@" >"$log" 2>&1 || {
        cat "$log"
        failed=1
    }
    sed '$d' "$log"
    runs=$(sed -n '$s/ runs have the same bits//p' "$log")
}

# level COMMAND...: what a manifest says about the machine
level() {
    "$@" run data/runs/wagon-transition.json -q -s until.time=0.01 -o "$work/level" >/dev/null
    sed -n 's/.*"\(libc\|processor\)": "\(.*\)".*/\2/p' "$work/level/manifest.json" | paste -sd' '
}

# carry_out SETTING EFFECT BUILD VARIABLE=VALUE...: tests and runs of a build under an environment
carry_out() {
    setting=$1
    effect=$2
    build=$3
    shift 3
    echo "== $setting: $* $effect"
    began=$(date +%s)
    count_tests "$setting" "$build" env "$@" ctest -j "$jobs" -LE "$leave_out" -R "${TESTS-.}" --output-on-failure
    seconds=$(($(date +%s) - began))
    compare_runs "$setting" env "$@" "$build/bin/kane"
    row "$setting" "$passed" "$missed" "$skipped" "$seconds s" "$runs" "$effect"
}

# configure FOLDER OPTION...: another build
configure() {
    folder=$1
    shift
    cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DKANE_VIEW=OFF \
        -DCMAKE_C_COMPILER_LAUNCHER="$(command -v ccache || true)" "$@" >"$folder.log" 2>&1 || {
        tail -n 20 "$folder.log"
        return 1
    }
}

# build FOLDER TARGET...: says why it fails
build() {
    folder=$1
    shift
    nice cmake --build "$folder" -j "$jobs" --target "$@" >"$folder.log" 2>&1 || {
        tail -n 20 "$folder.log"
        return 1
    }
}

build_runs_only() {
    setting=$1
    shift
    echo "== $setting: $*"
    began=$(date +%s)
    configure "$work/$setting" -DBUILD_TESTING=OFF -DKANE_GXX=OFF "$@" && build "$work/$setting" kane_program || return 1
    compare_runs "$setting" "$work/$setting/bin/kane"
    row "$setting" - - - "$(($(date +%s) - began)) s" "$runs" "$*"
}

# --- the settings ---

plain() { carry_out plain "$(level build/release/bin/kane)" build/release A=; }

numpy() {
    for python in python3 /usr/bin/python3 ''; do
        if [ -n "$python" ] && "$python" -c 'import numpy' 2>/dev/null; then break; fi
    done
    if [ -z "$python" ]; then
        skip numpy "there is no python3 with numpy here"
        return
    fi
    features=$("$python" - <<'END'
try:
    from numpy._core import _multiarray_umath as core
except ImportError:
    from numpy.core import _multiarray_umath as core
print(*(f for f in core.__cpu_dispatch__ if core.__cpu_features__.get(f)))
END
)
    if [ -z "$features" ]; then
        skip numpy "numpy has nothing beyond its baseline on this processor"
        return
    fi
    carry_out numpy "numpy without $features" build/release "NPY_DISABLE_CPU_FEATURES=$features"
}

glibc() {
    hidden=GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F
    now=$(level build/release/bin/kane)
    then=$(level env "$hidden" build/release/bin/kane)
    if [ "$now" = "$then" ]; then
        skip glibc "$now: nothing can be hidden from it"
        return
    fi
    carry_out glibc "$then instead of $now" build/release "$hidden"
}

loops() {
    if ! nm build/release/bin/kane | grep -q '\.avx2'; then
        skip loops "this compiler makes no loops for AVX2 (lib/base/machine.h)"
        return
    fi
    configure "$work/loops" -DKANE_WIDE=OFF -DKANE_MPI=ON && build "$work/loops" all || return 1
    functions=$(nm build/release/bin/kane | grep -c '\.avx2' || true)
    left=$(nm "$work/loops/bin/kane" | grep -c '\.avx2' || true)
    carry_out loops "$left functions for AVX2 instead of $functions" "$work/loops" A=
}

# blas SETTING [VARIABLE=VALUE]
blas() {
    folder=$work/openblas
    setting=$1
    shift
    if [ ! -d "$folder/root" ]; then
        mkdir -p "$folder"
        if ! (cd "$folder" && apt-get download libopenblas0-pthread >log 2>&1 && dpkg -x libopenblas0-pthread_*.deb root); then
            skip "$setting" "libopenblas0-pthread cannot be fetched: $(tail -n 1 "$folder/log" 2>/dev/null)"
            return
        fi
    fi
    library=$(dirname "$(find "$folder/root" -name 'liblapack.so.3')")
    core=$(env LD_LIBRARY_PATH="$library" OPENBLAS_VERBOSE=2 "$@" build/release/bin/kane --version 2>&1 | sed -n 's/^Core: //p')
    carry_out "$setting" "OpenBLAS, kernel ${core:-not known}" build/release LD_LIBRARY_PATH="$library" "$@"
}

openblas() { blas openblas A=; }
haswell() { blas haswell OPENBLAS_CORETYPE=Haswell; }
prescott() { blas prescott OPENBLAS_CORETYPE=Prescott; }
O0() { build_runs_only O0 -DCMAKE_C_COMPILER=gcc '-DCMAKE_C_FLAGS_RELEASE=-O0'; }

clang() {
    if ! command -v clang >/dev/null; then
        skip clang "there is no clang here"
        return
    fi
    build_runs_only clang -DCMAKE_C_COMPILER=clang
}

arm64() {
    for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
        if ! command -v "$tool" >/dev/null; then
            skip arm64 "there is no $tool here (Debian: gcc-aarch64-linux-gnu, g++-aarch64-linux-gnu, qemu-user)"
            return
        fi
    done
    # shellcheck disable=SC2086 # names of packages
    if ! tests/machines/sysroot.sh "$work/sysroot" $KANE_PACKAGES; then
        skip arm64 "Debian's arm64 packages cannot be fetched: $(tail -n 1 "$work/sysroot/log" 2>/dev/null)"
        return
    fi
    echo "== arm64: unit tests"
    configure "$work/arm64" -DCMAKE_TOOLCHAIN_FILE="$source/tests/machines/aarch64.cmake" -DKANE_SYSROOT="$work/sysroot/root" || return 1
    # not by names of tests: some are skipped there, and some share a program
    programs=$(cmake --build "$work/arm64" --target help | sed -n 's/^\(test_unit_[a-z0-9_]*\): phony$/\1/p')
    # shellcheck disable=SC2086 # names of targets
    build "$work/arm64" kane kane_fmu kane_program $programs || return 1
    began=$(date +%s)
    count_tests arm64 "$work/arm64" env KANE_EMULATED=qemu ctest -j "$jobs" -LE "$leave_out" -R "${TESTS-^unit}" --output-on-failure
    seconds=$(($(date +%s) - began))
    compare_runs arm64 "$work/arm64/tests/tools/kane"
    row arm64 "$passed" "$missed" "$skipped" "$seconds s" "$runs" "$(level "$work/arm64/tests/tools/kane"), $(qemu-aarch64 --version | head -n 1)"
}

# what the program was before says nothing about the one there is
if [ ! -e "$work/bits/of" ] || [ "$(cat "$work/bits/of")" != "$(cksum <build/release/bin/kane) ${FULL-}" ]; then
    rm -rf "$work/bits"
    mkdir -p "$work/bits"
    echo "$(cksum <build/release/bin/kane) ${FULL-}" >"$work/bits/of"
fi
[ $# -gt 0 ] || set -- plain numpy glibc loops openblas haswell prescott O0 clang arm64
for setting; do
    case $setting in
    plain | numpy | glibc | loops | openblas | haswell | prescott | O0 | clang | arm64) "$setting" || failed=1 ;;
    *) echo "there is no setting '$setting'" >&2; exit 2 ;;
    esac
done
echo
printf '%-9s %6s %6s %7s %7s  %-26s %s\n' setting passed failed skipped time 'runs: same bits' 'what took effect'
cat "$work/table"
exit $failed
