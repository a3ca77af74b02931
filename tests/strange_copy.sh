#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and tests a copy of the sources in a path with blanks and in the surroundings of surroundings.sh. Root does so as the user nobody.
#
#   strange_copy.sh FOLDER JOBS
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
jobs=$2
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[ "$(id -u)" != 0 ] || folder=$(mktemp -d) # nobody may not reach the sources
copy="$folder/a copy of it/lib kane"
mkdir -p "$copy"
(cd "$source" && tar -c --exclude=./build --exclude=./.git .) | tar -x -C "$copy"
if [ -d "$source/../shared/reference" ]; then ln -sfn "$(cd "$source/../shared" && pwd)" "$folder/a copy of it/shared"; fi
cd "$copy"
set -- tests/surroundings.sh "$folder/strange" sh -c "
    cmake --preset release -DKANE_WARNINGS_AS_ERRORS=ON ${CCACHE_DIR:+-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache} &&
    cmake --build --preset release -j $jobs && tests/run.sh release -j $jobs -LE 'long|house|figures|slow|exports'"
if [ "$(id -u)" = 0 ]; then
    trap 'rm -rf "$folder"' EXIT
    chown -R nobody "$folder"
    set -- setpriv --reuid=nobody --clear-groups env "HOME=$folder" "$@"
fi
"$@"
