#!/bin/sh
# SPDX-License-Identifier: MIT
# The commit with which libkane is stamped is that of its own sources: in its repository, in a tree of `git archive`, and in neither where
# that tree lies within the repository of something else.
#
#   commit.sh SOURCE_DIR
set -eu
source=$1
command -v git >/dev/null || exec "$source/tests/skip.sh" "there is no git here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
for who in AUTHOR COMMITTER; do export GIT_${who}_NAME=test GIT_${who}_EMAIL=test@localhost; done

stamp()
{
    cmake -DSOURCE="$1" -P "$1/lib/package/commit.cmake"
}

expect()
{
    if [ "$2" != "$3" ]; then
        echo "$1: \"$2\", where it is \"$3\"" >&2
        exit 1
    fi
}

own="$work/with blanks/own"
mkdir -p "$own/lib/package"
cp "$source/.gitattributes" "$own"
cp "$source/lib/package/commit.cmake" "$source/lib/package/commit.txt" "$own/lib/package"
git -C "$own" init -q
git -C "$own" add -A
git -C "$own" commit -q -m own
commit=$(git -C "$own" rev-parse HEAD | cut -c 1-12)
expect "a repository" "$(stamp "$own")" "$commit"
for digits in 5 30; do
    git -C "$own" config core.abbrev $digits
    expect "abbreviations of $digits" "$(stamp "$own")" "$commit"
done

foreign="$work/foreign"
mkdir -p "$foreign/archive"
git -C "$foreign" init -q
git -C "$foreign" commit -q --allow-empty -m foreign
git -C "$own" archive HEAD | tar -x -C "$foreign/archive"
expect "an archive within another repository" "$(stamp "$foreign/archive")" "$commit"
cp -R "$own" "$foreign/copy"
rm -rf "$foreign/copy/.git"
expect "a copy within another repository" "$(stamp "$foreign/copy")" unknown
expect "a copy, the other repository in the environment" "$(GIT_DIR="$foreign/.git" stamp "$foreign/copy")" unknown

echo >>"$own/.gitattributes"
expect "changed sources" "$(stamp "$own")" "$commit-dirty"
git -C "$own" commit -q -a -m more
git -C "$own" tag -a -m tag v9 HEAD~1
commit=$(git -C "$own" rev-parse HEAD | cut -c 1-12)
expect "behind a tag" "$(stamp "$own")" "v9-1-g$commit"
echo "all good"
