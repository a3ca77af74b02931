#!/bin/sh
# SPDX-License-Identifier: MIT
# In the place of a test that cannot be carried out in this build: says why, as check_skip_all (tests/check.h).
#
#   tests/skip.sh REASON
echo "SKIPPED: $1"
if [ -n "${KANE_SKIPPED-}" ]; then printf 'all\t-\t%s\n' "$1" >>"$KANE_SKIPPED"; fi
exit 77
