#!/bin/sh
# SPDX-License-Identifier: MIT
# The README's two commands, `make demo` and `make test`, from nothing on a fresh Debian: debootstrap into build/debian/RELEASE, a copy of
# the sources, both commands as root in there. It ends with the times, those of downloads apart.
#
#   debian.sh RELEASE [MIRROR]
#
# MIRROR: else the first of apt's own sources that has the release. Packages stay in build/debian/packages for the next time; KEEP=1 keeps
# the Debian as well, KEYRING=FILE says which keys have signed it. All mounts are in a name space of their own and go with it, however
# this script ends. Without root, mounts, debootstrap or a mirror nothing is tested: SKIPPED, and why.
set -eu
[ $# -ge 1 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
release=$1
mirror=${2:-}
source=$(cd "$(dirname "$0")/../.." && pwd)
place="$source/build/debian"
root="$place/$release"
packages="$place/packages/$release"
log="$place/$release.log"

skip() { echo "SKIPPED: Debian $release: $*"; exit 0; }
say() { echo "== Debian $release: $*"; }
fail() { tail -n 60 "$log" >&2; echo "Debian $release: $* (all of it: $log)" >&2; exit 1; }

if [ "${KANE_OWN_MOUNTS:-}" != yes ]; then
    [ "$(id -u)" = 0 ] || skip "only root can make one"
    command -v apt-get >/dev/null || skip "there is no apt here to say where a mirror is"
    unshare --mount --pid --fork true 2>/dev/null || skip "mounts are not allowed here"
    KANE_OWN_MOUNTS=yes exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

mkdir -p "$packages"
: >"$log"
last=$(date +%s) before=0 downloads=0 system=0 demo=0 test=0
lap() { now=$(date +%s); eval "$1=\$(($1 + now - last))"; last=$now; } # the time since the last call goes to a sum
trap 'exit 130' INT TERM

# --- where packages come from ---

serves() { /usr/lib/apt/apt-helper download-file "$1/dists/$2/InRelease" "$place/InRelease" >/dev/null 2>&1; }
sources=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sed 's,/*$,,' | sort -u)
if [ -z "$mirror" ]; then
    for uri in $sources; do
        if [ -z "$mirror" ] && serves "$uri" "$release"; then mirror=$uri; fi
    done
    [ -n "$mirror" ] || skip "none of apt's sources has it; MIRROR=URL names a mirror"
else
    serves "$mirror" "$release" || skip "$mirror does not answer or does not have it"
fi
updates=
for part in updates security; do
    for uri in $sources $mirror; do
        case "$updates" in *"-$part"*) continue ;; esac
        if serves "$uri" "$release-$part"; then updates="$updates $uri,$release-$part"; fi
    done
done
rm -f "$place/InRelease"
if ! command -v debootstrap >/dev/null; then
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends debootstrap; } >>"$log" 2>&1 ||
        skip "debootstrap is not here and cannot be installed"
fi
keyring=${KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
signed="--keyring=$keyring" trusted=
if grep -qsiE 'trusted(=|: *)yes' /etc/apt/sources.list /etc/apt/sources.list.d/*; then # this machine's administrator has decided so
    signed=--no-check-gpg trusted='[trusted=yes]'
elif [ ! -r "$keyring" ]; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends debian-archive-keyring >>"$log" 2>&1 ||
        skip "the keys that Debian is signed with are not here (KEYRING=FILE)"
fi
rm -rf --one-file-system "$root"
lap before

# --- a fresh Debian ---

say "packages of the base system from $mirror"
[ -n "${http_proxy:-}" ] || { eval "$(apt-config shell http_proxy Acquire::http::Proxy)" && [ -z "${http_proxy:-}" ] || export http_proxy; }
debootstrap --variant=minbase $signed --cache-dir="$packages" --download-only "$release" "$root" "$mirror" >>"$log" 2>&1 ||
    fail "debootstrap cannot take the base system from $mirror"
lap downloads
say "base system"
debootstrap --variant=minbase $signed --cache-dir="$packages" "$release" "$root" "$mirror" >>"$log" 2>&1 || fail "debootstrap fails"

# apt as this machine has it: its proxies, certificates and names of hosts, not its hooks
{
    echo "deb $trusted $mirror $release main"
    for of in $updates; do echo "deb $trusted ${of%,*} ${of#*,} main"; done
} >"$root/etc/apt/sources.list"
apt-config dump --format '%f "%v";%n' | grep -E '^Acquire::(https?|Retries|Check-Valid-Until|Check-Date|ForceIPv[46])(::| )' \
    >"$root/etc/apt/apt.conf.d/10host" || true
for file in /etc/resolv.conf /etc/hosts; do cp -L "$file" "$root$file"; done
environment="HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin ${http_proxy:+http_proxy=$http_proxy} ${https_proxy:+https_proxy=$https_proxy}"
if [ -r /etc/ssl/certs/ca-certificates.crt ]; then # a mirror may have a certificate that only this machine knows
    mkdir -p "$root/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/host.crt"
fi
if command -v npm >/dev/null; then # so may the registry that this machine takes libraries of the page from
    environment="$environment npm_config_registry=$(npm config get registry)"
    [ "$(npm config get cafile)" = null ] || environment="$environment npm_config_cafile=/etc/ssl/host.crt"
fi

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$packages" "$root/var/cache/apt/archives"
inside() { chroot "$root" /usr/bin/env -i $environment /bin/sh -c "$1" >>"$log" 2>&1; }

# --- the sources as they are now, committed or not, and nothing that was built ---

mkdir -p "$root/srv/libkane"
if [ "$(git -C "$source" rev-parse --show-toplevel 2>/dev/null)" = "$source" ]; then
    (cd "$source" && git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T -) 2>>"$log"
else
    (cd "$source" && tar -c --exclude=./build .)
fi | tar -x --no-same-owner -C "$root/srv/libkane"
lap system

# --- the two commands ---

inside 'apt-get update -q && apt-get install -y -q --no-install-recommends make' || fail "make cannot be installed"
say "packages that libkane asks for"
inside 'cd /srv/libkane && list=$(make -pn help | sed -n "s/^\(PAGE_\)\{0,1\}PACKAGES := //p") &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends --download-only $list' || fail "packages cannot be had"
lap downloads
say "make demo"
inside 'cd /srv/libkane && make demo' || fail "make demo fails"
lap demo
say "make test"
inside 'cd /srv/libkane && make test' || fail "make test fails"
lap test

grep -E '^(100%|[0-9]+% tests passed|Total Test time|The following tests did not run)|\*\*\*Skipped|\(Skipped\)' "$log" | sort -u | tail -n 40
say "downloads $downloads s ($(du -sm "$packages" | cut -f 1) MB of packages), base system $system s, make demo $demo s, make test $test s;" \
    "in all $((before + downloads + system + demo + test)) s, without downloads $((before + system + demo + test)) s"
cd /
umount -l "$root/var/cache/apt/archives" "$root/dev" "$root/proc"
[ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"
