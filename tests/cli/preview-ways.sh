#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# preview-ways.sh - the tests of preview.bats where changes are kept in memory,
# and where the command works on a copy of the workspace.
set -u
bats=$(command -v bats) || {
    echo '1..0 # SKIP bats is not here'
    exit 0
}
ways='memory copy'
for way in $ways; do
    PREVIEW_WAY=$way "$bats" --tap \
        "${top_srcdir:?}/tests/cli/preview.bats" 2>&1 | sed "s/^ok .*/& ($way)/
s/^not ok .*/& ($way)/
s/\( # skip.*\) ($way)$/ ($way)\1/"
done | awk -v ways="$ways" '
    /^1\.\./ { wanted += substr($0, 4); plans += substr($0, 4) > 0; next }
    /^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n) }
    { print; fflush() }
    END {
        all = split(ways, names, " ")
        print (plans == all ? "ok " : "not ok ") ++n " each way was tried"
        print "1.." wanted + 1
    }'
