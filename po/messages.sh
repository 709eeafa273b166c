#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# messages.sh - prints what agentsh says to a person, as gettext's template.
#
# usage: po/messages.sh [TOP_SRCDIR]
#
# It takes the arguments of the functions below, every text of the files of
# po/tables, the reasons in the guard's tables of programs, the texts of
# recipes, of rules, and of the tables that explain programs. It has no date
# and no line numbers, so that only a changed message changes it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# FUNCTION:ARGUMENT of those that set, print or build a message.
keywords='_ FORM:1 FORM_LIST:1 N_ P_:1,2 add_verdict_reason:2 app_note:2 buf_ok:2 builder_add:4 builder_add_plain:4 buf_printf:2 buf_str:2
    check_report:3 check_report:4 check_report_failure:3
    check_report_failure:5 check_report_pass:2 effects_refuse:4 err_set:3
    err_set_at:4 err_set_kind:4 err_sys:2 err_wrap:2 explain_add:6
    explain_add_word:4 explain_words:2 fault:3 finish_permissions:3
    json_scan_expected:2 log_debug:2 manifest_report:3 menu_open_line:3
    menu_open_secret:3 menu_open_yes_no:3 message_for:2 message_printf:2
    need_full:2 no_request:3 one_word:2 progress_line_open:3 record_decision:3
    refuse:2 refuse_call:2 refuse_file:2 report:5 report_code:3
    report_path:5 review_menu_line:2 review_menu_show:3
    risk_report_program:6 risk_report_unread:4 say:3 schema_error:3
    seccomp_notify_write_line:2 snprintf:3 syntax_expect:4 syntax_fault:3
    wrong:2'

# template LIST TEMPLATE OPTION...: the messages of the files that LIST names.
# An empty string is the header to xgettext, which warns of it.
template() {
    list=$1 out=$2
    shift 2
    xgettext --language=C --from-code=UTF-8 --no-wrap --add-location=file \
        --package-name=agentsh --sort-by-file -D "$scratch" -D . \
        -f "$list" -o "$out" "$@" 2>"$scratch/warned" ||
        { cat "$scratch/warned" >&2 && return 1; }
}

find src plugins -name '*.[ch]' ! -name risk_script_names.c |
    LC_ALL=C sort >"$scratch/sources"
set --
for word in $keywords; do
    set -- "$@" "--keyword=$word"
done
template "$scratch/sources" "$scratch/calls.pot" --keyword "$@"

# with SCRIPT TABLE...: the texts of the tables as C; their names are printed.
with() {
    script=$1
    shift
    for table; do
        [ -f "$table" ] || continue
        mkdir -p "$scratch/${table%/*}"
        awk -f "$here/$script" "$table" >"$scratch/$table"
        echo "$table"
    done
}

{
    with reasons.awk src/guard/risk/programs/*.txt
    with stanzas.awk src/offline/repair/rules/*.txt src/offline/recipes/*.txt
    with rows.awk src/offline/manual/tables/*.txt
} >"$scratch/programs"
template "$scratch/programs" "$scratch/programs.pot" --keyword=N_

grep -v '^#' po/tables >"$scratch/tables"
template "$scratch/tables" "$scratch/tables.pot" --extract-all

msgcat --use-first --no-wrap --add-location=file --sort-by-file \
    "$scratch/calls.pot" "$scratch/tables.pot" "$scratch/programs.pot" 2>/dev/null |
    awk -f "$here/messages.awk"
