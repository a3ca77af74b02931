#!/bin/sh
# SPDX-License-Identifier: MIT
# Carries out a command in surroundings that a developer's machine does not have: a locale with a decimal comma, a time zone 45 minutes
# off, files that others cannot read, a TMPDIR with blanks.
#
#   surroundings.sh FOLDER COMMAND [ARGUMENTS]
#
# FOLDER holds the locale and the TMPDIR; it is made. KANE_TEST_LOCALE may name another locale than de_DE.UTF-8 (tr_TR.UTF-8: an I that
# is no upper case i).
set -eu
[ $# -ge 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
KANE_TEST_LOCALE=${KANE_TEST_LOCALE:-de_DE.UTF-8}
locales=$folder/locales
if [ ! -d "$locales/$KANE_TEST_LOCALE" ]; then
    mkdir -p "$locales"
    if ! command -v localedef >/dev/null || ! [ -r "/usr/share/i18n/locales/${KANE_TEST_LOCALE%.*}" -o -r "/usr/share/i18n/locales/${KANE_TEST_LOCALE%.*}.gz" ]; then
        echo "SKIPPED: no localedef, or no source of the locale $KANE_TEST_LOCALE (Debian: locales)" >&2
        exit 77
    fi
    localedef --no-archive -i "${KANE_TEST_LOCALE%.*}" -f "${KANE_TEST_LOCALE#*.}" "$locales/$KANE_TEST_LOCALE"
fi
export KANE_TEST_LOCALE LOCPATH="$locales" LC_ALL="$KANE_TEST_LOCALE" TZ=Pacific/Chatham TMPDIR="$folder/with two blanks"
mkdir -p "$TMPDIR"
umask 077
# glibc keeps the places that LOCPATH names until the process ends, which is no leak of ours
echo leak:argz_add_sep >"$folder/leaks"
export LSAN_OPTIONS="suppressions='$folder/leaks':print_suppressions=0"
exec "$@"
