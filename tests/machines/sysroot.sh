#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian's arm64 packages of one's own release, with all that they need, unpacked into a folder to build against. They come from the
# machine's own sources of apt; nothing of the machine changes, and root is not needed. 200 MB are fetched, the folder takes 1 GB.
#
#   sysroot.sh FOLDER PACKAGE...        makes FOLDER/root; what is there already stays
set -eu
folder=$1
shift
root=$folder/root
if [ -e "$folder/complete" ] && [ "$(cat "$folder/complete")" = "$*" ]; then exit 0; fi
rm -rf "$folder"
mkdir -p "$root" "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
folder=$(cd "$folder" && pwd)
root=$folder/root

# apt with a state of its own, in which nothing is installed
: >"$folder/apt/status"
cat >"$folder/apt/conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Dir::State "$folder/apt";
Dir::State::Lists "$folder/apt/lists";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
Debug::NoLocking "true";
END
export APT_CONFIG="$folder/apt/conf"
apt-get update -q >"$folder/log" 2>&1
apt-get install -d -y -q libc6-dev "$@" >>"$folder/log" 2>&1

for package in "$folder"/apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$root" \
        --exclude='./usr/share/*' --exclude='./etc/*' --exclude='./usr/lib/petscdir/*' --exclude='./usr/libexec/*'
done
rm -rf "$folder/apt"

# What scripts of packages would have done: the reference BLAS and LAPACK are those that programs find.
library=$root/usr/lib/aarch64-linux-gnu
ln -sf blas/libblas.so blas/libblas.so.3 lapack/liblapack.so lapack/liblapack.so.3 "$library"
# Links and files of CMake that name / mean the folder.
find "$root" -type l -lname '/*' | while read -r link; do
    target=$root$(readlink "$link")
    if [ -e "$target" ]; then ln -sfr "$target" "$link"; fi
done
find "$root" -name '*.cmake' -exec sed -i "s|\\([\";=: ]\\)/usr\\([/\"]\\)|\\1$root/usr\\2|g" {} +
printf '%s' "$*" >"$folder/complete"
