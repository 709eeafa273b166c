#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh - run libFuzzer targets one after another; called by `make fuzz`.
#
# What a target finds stays in the build tree: new inputs in fuzz-found/NAME,
# crashes in fuzz-crash/NAME. The corpus in the source tree is only read.
set -u
if [ $# -lt 4 ]; then
    echo "usage: run.sh SRCDIR SECONDS FLAGS TARGET..." >&2
    exit 2
fi
srcdir=$1 seconds=$2 flags=$3
shift 3

bad=0
for target; do
    name=${target##*/fuzz_}
    corpus=$srcdir/tests/fuzz/corpus/$name
    mkdir -p "fuzz-found/$name" "fuzz-crash/$name" || exit 1
    log=fuzz-crash/$name.log
    if [ ! -d "$corpus" ]; then
        echo "fuzz $name: no corpus $corpus" >&2
        bad=$((bad + 1))
        continue
    fi
    # shellcheck disable=SC2086 # the flags are words of their own
    if "./$target" $flags -max_total_time="$seconds" \
        -artifact_prefix="fuzz-crash/$name/" \
        "fuzz-found/$name" "$corpus" >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "fuzz $name: ${runs:-?} runs in $seconds s, nothing found"
    else
        bad=$((bad + 1))
        echo "fuzz $name: FAILED; inputs in fuzz-crash/$name, log $log" >&2
        grep -E -m 3 'ERROR|SUMMARY|runtime error' "$log" >&2
    fi
done
[ "$bad" -eq 0 ]
